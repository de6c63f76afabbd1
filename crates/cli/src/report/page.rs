//! The report as a page: one HTML file that loads nothing, and is readable without its script, too.

use std::io::Write;

use alphanumeric_sort::compare_str;
use anyhow::Context;
use askama::Template;
use base64::prelude::{BASE64_STANDARD, Engine};
use hmac_sha256::Hash;

use self::findings::{INDENT, Prose, RuleSection};
use self::folders::Folder;
use self::history::Chart;
use self::opening::Opening;
use super::figures::{self, Figure};
use super::model::{Changes, FindingChanges, Report, SectionChange, Sitemap, SitemapStatus};
use super::words;

pub(crate) mod escape;
mod filters;
mod findings;
mod folders;
mod history;
mod opening;
#[cfg(test)]
mod tests;

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
    let page = ReportPage {
        report,
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        json: escape::json(report).context("the report cannot be written as JSON")?,
        opening: opening::opening(report),
        figures: figures::figures(report),
        sitemaps: sitemaps(report),
        rules: findings::rules(&report.rules),
        folders: folders::folders(&report.sections),
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
#[template(path = "report/page/page.html")]
struct ReportPage<'a> {
    report: &'a Report,
    policy: String,
    style: &'static str,
    script: &'static str,
    json: String,
    opening: Opening,
    figures: [Figure; 6],
    sitemaps: Vec<&'a Sitemap>,
    rules: Vec<RuleSection<'a>>,
    folders: Vec<Folder<'a>>,
    charts: Vec<Chart>,
    version: &'static str,
}

impl ReportPage<'_> {
    /// Sitemaps that have no row.
    fn more_sitemaps(&self) -> u64 {
        let rows = (self.report.sitemaps.len() - self.sitemaps.len()) as u64;
        self.report.more_sitemaps + rows
    }

    fn has_lastmod(&self) -> bool {
        !self.report.months.is_empty()
    }

    fn has_alternates(&self) -> bool {
        self.report.languages.pages > 0 || !self.report.languages.languages.is_empty()
    }

    fn most_of_a_month(&self) -> u64 {
        let months = self.report.months.iter().map(|count| count.pages);
        months.max().unwrap_or(0)
    }

    fn most_linked(&self) -> u64 {
        let languages = self.report.languages.languages.iter();
        languages.map(|language| language.links).max().unwrap_or(0)
    }

    fn most_shared(&self) -> u64 {
        let dates = self.report.shared_dates.iter().map(|date| date.pages);
        dates.max().unwrap_or(0)
    }

    fn probed(&self, count: &u64) -> String {
        let pages = self.report.probe.as_ref().map_or(0, |probe| probe.pages);
        words::share(*count, pages)
    }

    fn difference(&self, before: &u64, now: &u64) -> String {
        words::delta(*before, *now).unwrap_or_else(|| "0".to_owned())
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
            SitemapStatus::Cut => ("warn", "read in part"),
            SitemapStatus::NotRead => ("warn", "not read"),
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

/// The rows of the table: broken sitemaps first, then those with problems, then the others as people count. If there are
/// too many, the last ones are left out.
fn sitemaps(report: &Report) -> Vec<&Sitemap> {
    let mut sitemaps: Vec<_> = report.sitemaps.iter().collect();
    let rank = |sitemap: &Sitemap| match sitemap.status {
        SitemapStatus::Unreadable => 0,
        SitemapStatus::Partly => 1,
        SitemapStatus::Read if sitemap.errors > 0 => 2,
        SitemapStatus::Cut | SitemapStatus::NotRead => 2,
        SitemapStatus::Read => 3,
    };
    sitemaps.sort_by(|a, b| {
        rank(a)
            .cmp(&rank(b))
            .then_with(|| compare_str(&a.name, &b.name))
    });
    sitemaps.truncate(SITEMAPS);
    sitemaps
}
