//! The report as a page: one HTML file that asks for nothing else, and is read without its script, too.

use std::io::Write;

use anyhow::Context;
use askama::Template;
use base64::prelude::{BASE64_STANDARD, Engine};
use hmac_sha256::Hash;

use self::findings::{Paragraph, Rule};
use self::folders::{Cell, Folder};
use self::history::Chart;
use self::languages::Matrix;
use self::months::{Head, Heat};
use super::model::{Level, Report, SectionChange, Sitemap, SitemapStatus};
use crate::term::count::{Count, Grouped};

pub(crate) mod escape;
mod filters;
mod findings;
mod folders;
mod history;
mod languages;
mod months;
#[cfg(test)]
mod tests;
mod treemap;
pub(super) mod words;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Rows of a table of sitemaps: more would make the page large, and nobody reads them.
const SITEMAPS: usize = 200;

/// Writes the page.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let (folders, small_folders) = folders::folders(&report.sections);
    let page = Page {
        report,
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        json: escape::json(report).context("the report cannot be written as JSON")?,
        figures: figures(report),
        sitemaps: sitemaps(report),
        rules: findings::rules(&report.rules),
        cells: folders::cells(&folders),
        only_host: folders::only_host(&folders).map(|host| host.id),
        folders: &folders,
        small_folders,
        heat: months::heat(&report.months),
        matrix: languages::matrix(&report.languages),
        charts: history::charts(&report.history),
        version: env!("CARGO_PKG_VERSION"),
    };
    page.write_into(&mut &mut *out)?;
    Ok(out.flush()?)
}

/// What the page may do: apply its own style, run its own script, and nothing from elsewhere.
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
    figures: [Figure; 6],
    sitemaps: Vec<&'a Sitemap>,
    rules: Vec<Rule<'a>>,
    folders: &'a [Folder<'a>],
    cells: Vec<Cell<'a>>,
    only_host: Option<usize>,
    small_folders: usize,
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
}

fn figures(report: &Report) -> [Figure; 6] {
    let totals = &report.totals;
    let worst = |level| {
        let mut rules = report.rules.iter().filter(|rule| rule.level == level);
        // The most frequent comes first. In a tie there is none.
        let first = rules.next()?;
        let is_first = rules.next().is_none_or(|second| second.count < first.count);
        is_first.then(|| format!("most often {} ({})", first.rule, Grouped(first.count)))
    };
    let figure = |name, value, word, tone| Figure {
        name,
        value,
        word,
        tone,
    };
    let toned = |count: u64, tone| if count > 0 { tone } else { "" };
    [
        figure(
            "Pages",
            Grouped(totals.pages).to_string(),
            where_pages_are(report),
            "",
        ),
        figure(
            "Sitemaps",
            Grouped(totals.sitemaps).to_string(),
            match totals.unread {
                0 => "all read to their end".to_owned(),
                unread => format!("{} of them not read to the end", Grouped(unread)),
            },
            toned(totals.unread, "bad"),
        ),
        figure(
            "With a date",
            words::share(totals.dated, totals.pages),
            format!("{} with a lastmod", Count(totals.dated, "page")),
            "",
        ),
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
        ),
        figure(
            "Errors",
            Grouped(totals.errors).to_string(),
            worst(Level::Error).unwrap_or_else(|| "no errors".to_owned()),
            toned(totals.errors, "bad"),
        ),
        figure(
            "Warnings",
            Grouped(totals.warnings).to_string(),
            worst(Level::Warning).unwrap_or_else(|| match totals.advice {
                0 => "no warnings".to_owned(),
                advice => format!("no warnings, {}", Count(advice, "piece of advice")),
            }),
            toned(totals.warnings, "warn"),
        ),
    ]
}

fn where_pages_are(report: &Report) -> String {
    match report.sections.as_slice() {
        [] => "no pages".to_owned(),
        [host] => match host.sections.first() {
            // A small share says nothing of the site.
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

/// The rows of the table, in the order of reading. If there are too many, those with problems are kept.
fn sitemaps(report: &Report) -> Vec<&Sitemap> {
    let weight = |sitemap: &Sitemap| {
        let is_read = sitemap.status == SitemapStatus::Read;
        (
            is_read,
            std::cmp::Reverse((sitemap.errors, sitemap.warnings)),
        )
    };
    let mut chosen: Vec<_> = report.sitemaps.iter().enumerate().collect();
    if chosen.len() > SITEMAPS {
        chosen.sort_by_key(|(_, sitemap)| weight(sitemap));
        chosen.truncate(SITEMAPS);
        chosen.sort_by_key(|(index, _)| *index);
    }
    chosen.into_iter().map(|(_, sitemap)| sitemap).collect()
}
