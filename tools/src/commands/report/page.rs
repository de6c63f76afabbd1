//! The report as a page: one HTML file that loads nothing, and is readable without its script, too.

use std::io::Write;

use anyhow::Context;
use askama::Template;
use base64::prelude::{BASE64_STANDARD, Engine};
use hmac_sha256::Hash;

use self::findings::{Paragraph, Rule};
use self::folders::Folder;
use self::history::Chart;
use self::languages::Matrix;
use self::months::{Head, Heat};
use self::verdict::InWords;
use super::model::{Changes, FindingChanges, Report, SectionChange, Sitemap, SitemapStatus};
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

pub(crate) mod escape;
mod filters;
mod findings;
mod folders;
mod history;
mod languages;
mod months;
mod natural;
#[cfg(test)]
mod tests;
mod verdict;
pub(super) mod words;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Rows of a table of sitemaps. More would make the page large without being read.
const SITEMAPS: usize = 200;

/// Writes the page.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let page = Page {
        report,
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        json: escape::json(report).context("the report cannot be written as JSON")?,
        verdict: verdict::in_words(report),
        figures: figures(report),
        sitemaps: sitemaps(report),
        rules: findings::rules(&report.rules),
        folders: folders::folders(&report.sections),
        heat: months::heat(&report.months),
        matrix: languages::matrix(&report.languages),
        charts: history::charts(&report.history),
        version: env!("CARGO_PKG_VERSION"),
    };
    page.write_into(&mut &mut *out)?;
    Ok(out.flush()?)
}

/// The page may apply its own style and run its own script, and load nothing.
fn policy() -> String {
    let hash = |text: &str| BASE64_STANDARD.encode(Hash::hash(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

#[derive(Template)]
#[template(path = "commands/report/page/page.html")]
struct Page<'a> {
    report: &'a Report,
    policy: String,
    style: &'static str,
    script: &'static str,
    json: String,
    verdict: InWords,
    figures: [Figure; 6],
    sitemaps: Vec<&'a Sitemap>,
    rules: Vec<Rule<'a>>,
    folders: Vec<Folder<'a>>,
    heat: Heat<'a>,
    matrix: Matrix<'a>,
    charts: Vec<Chart>,
    version: &'static str,
}

impl Page<'_> {
    /// Sitemaps that have no row.
    fn more_sitemaps(&self) -> u64 {
        (self.report.sitemaps.len() - self.sitemaps.len()) as u64 + self.report.more_sitemaps
    }

    fn has_lastmod(&self) -> bool {
        self.report.totals.dated > 0 && !self.heat.rows.is_empty()
    }

    fn has_alternates(&self) -> bool {
        self.report.languages.pages > 0 || !self.report.languages.languages.is_empty()
    }

    fn most_shared(&self) -> u64 {
        self.report
            .shared_dates
            .iter()
            .map(|date| date.pages)
            .max()
            .unwrap_or(0)
    }

    fn probed(&self, count: &u64) -> String {
        let pages = self.report.probe.as_ref().map_or(0, |probe| probe.pages);
        words::share(*count, pages)
    }

    fn difference(&self, before: &u64, now: &u64) -> String {
        words::difference(*before, *now)
    }

    fn section(&self, name: &str) -> String {
        escape::without_scheme(name)
    }

    /// Returns `true` if pages were compared, not only numbers.
    fn has_pages(&self, changes: &Changes) -> bool {
        changes.added.is_some() || changes.changed.is_some()
    }

    fn has_fixed(&self, findings: &FindingChanges) -> bool {
        findings.rules.iter().any(|rule| !rule.examples.is_empty())
    }

    fn counts(&self, section: &SectionChange) -> [Option<u64>; 3] {
        [section.added, section.removed, section.changed]
    }

    fn link<'b>(&self, text: &'b str) -> Link<'b> {
        Link {
            text,
            target: escape::target(text),
        }
    }

    fn status(&self, sitemap: &Sitemap) -> (&'static str, &'static str) {
        match sitemap.status {
            SitemapStatus::Read => ("good", "read"),
            SitemapStatus::Partly => ("bad", "read in part"),
            SitemapStatus::Unreadable => ("bad", "not readable"),
            SitemapStatus::LeftOut => ("quiet", "left out"),
        }
    }
}

/// A text that is a link if it is a URL of the web. It escapes the text itself, so that templates have it as `safe`.
#[derive(Template)]
#[template(
    source = r#"{% if let Some(target) = target %}<a href="{{ target }}" rel="noreferrer nofollow"><bdi>{{ text }}</bdi></a>{% else %}<bdi>{{ text }}</bdi>{% endif %}"#,
    ext = "html"
)]
struct Link<'a> {
    text: &'a str,
    target: Option<String>,
}

/// A number at the top, with a word on it.
#[derive(Debug)]
struct Figure {
    name: &'static str,
    value: String,
    word: String,
    /// `bad`, `warn`, or nothing.
    tone: &'static str,
    /// Since the earlier state: `▾ 247`.
    delta: Option<String>,
    /// The section that has more of it.
    section: &'static str,
}

fn figures(report: &Report) -> [Figure; 6] {
    let totals = &report.totals;
    let worst = |level| {
        let mut rules = report.rules.iter().filter(|rule| rule.level == level);
        // The most frequent comes first. In a tie there is none.
        let first = rules.next()?;
        let is_first = rules.next().is_none_or(|second| second.count < first.count);
        is_first.then(|| format!("most often: {}", first.heading))
    };
    let changes = report.changes.as_ref();
    let earlier = changes.and_then(|changes| changes.totals.as_ref());
    let pages_before = changes.map(|changes| changes.pages_before);
    let figure = |name, value, word, tone, section| Figure {
        name,
        value,
        word,
        tone,
        delta: None,
        section,
    };
    let since = |before: Option<u64>, now| before.and_then(|before| words::delta(before, now));
    let toned = |count: u64, tone| if count > 0 { tone } else { "" };
    [
        Figure {
            delta: since(pages_before, totals.pages),
            ..figure(
                "Pages",
                Grouped(totals.pages).to_string(),
                where_pages_are(report),
                "",
                "folders",
            )
        },
        Figure {
            delta: since(earlier.map(|earlier| earlier.sitemaps), totals.sitemaps),
            ..figure(
                "Sitemaps",
                Grouped(totals.sitemaps).to_string(),
                match totals.unread {
                    0 => "all read to their end".to_owned(),
                    unread => format!("{} of them not read to the end", Grouped(unread)),
                },
                toned(totals.unread, "bad"),
                "sitemaps",
            )
        },
        Figure {
            delta: since(earlier.map(|earlier| earlier.dated), totals.dated),
            ..figure(
                "With a date",
                words::share(totals.dated, totals.pages),
                format!("{} with a lastmod", Count(totals.dated, "page")),
                "",
                "lastmod",
            )
        },
        figure(
            "Newest date",
            totals
                .newest
                .as_deref()
                .map_or("none", words::day)
                .to_owned(),
            match &totals.newest {
                Some(newest) => words::age(newest, &report.made).unwrap_or_default(),
                None => "no page has a lastmod".to_owned(),
            },
            "",
            "lastmod",
        ),
        Figure {
            delta: since(earlier.map(|earlier| earlier.errors), totals.errors),
            ..figure(
                "Errors",
                Grouped(totals.errors).to_string(),
                worst(Severity::Error).unwrap_or_else(|| of_level(totals.errors, "error")),
                toned(totals.errors, "bad"),
                "findings",
            )
        },
        Figure {
            delta: since(earlier.map(|earlier| earlier.warnings), totals.warnings),
            ..figure(
                "Warnings",
                Grouped(totals.warnings).to_string(),
                worst(Severity::Warning).unwrap_or_else(|| {
                    match (totals.warnings, totals.advice) {
                        (0, advice @ 1..) => {
                            format!("no warnings, {}", Count(advice, "piece of advice"))
                        }
                        (warnings, _) => of_level(warnings, "warning"),
                    }
                }),
                toned(totals.warnings, "warn"),
                "findings",
            )
        },
    ]
}

/// If no rule is the most frequent one.
fn of_level(count: u64, name: &str) -> String {
    match count {
        0 => format!("no {name}s"),
        _ => "of several kinds".to_owned(),
    }
}

fn where_pages_are(report: &Report) -> String {
    match report.sections.as_slice() {
        [] => "no pages".to_owned(),
        [host] => match host.sections.first() {
            // A small share is not representative of the site.
            Some(largest) if largest.pages.saturating_mul(10) >= host.pages => {
                let share = if largest.pages == host.pages {
                    "all".to_owned()
                } else {
                    words::share(largest.pages, host.pages)
                };
                format!("{share} of them in {}", largest.name)
            }
            _ => format!("on {}", escape::without_scheme(&host.name)),
        },
        hosts => format!("on {}", Count(hosts.len() as u64, "host")),
    }
}

/// The rows of the table: broken sitemaps first, then those with problems, then the others as people count. If there are
/// too many, the last ones are left out.
fn sitemaps(report: &Report) -> Vec<&Sitemap> {
    let mut sitemaps: Vec<_> = report.sitemaps.iter().collect();
    let rank = |sitemap: &Sitemap| match sitemap.status {
        SitemapStatus::Unreadable => 0,
        SitemapStatus::Partly => 1,
        SitemapStatus::Read if sitemap.errors > 0 => 2,
        SitemapStatus::Read | SitemapStatus::LeftOut => 3,
    };
    sitemaps.sort_by(|a, b| {
        rank(a)
            .cmp(&rank(b))
            .then_with(|| natural::compare(&a.name, &b.name))
    });
    sitemaps.truncate(SITEMAPS);
    sitemaps
}
