//! The report as a page: one HTML file that loads nothing, and is readable without its script, too.

use std::io::Write;

use anyhow::Context;
use askama::Template;
use base64::prelude::{BASE64_STANDARD, Engine};
use hmac_sha256::Hash;

use self::findings::{INDENT, Prose};
use self::opening::Problem;
use super::figures::{self, Figure};
use super::model::{Report, Sitemap, SitemapStatus};
use super::words;

pub(crate) mod escape;
mod filters;
mod findings;
mod folders;
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
    let (problems, first) = opening::opening(report);
    let page = ReportPage {
        report,
        policy: policy(),
        json: escape::json(report).context("the report cannot be written as JSON")?,
        problems,
        first,
        figures: figures::figures(report),
        sitemaps: sitemaps(report),
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
    json: String,
    problems: Vec<Problem>,
    first: Option<String>,
    figures: [Figure; 6],
    sitemaps: Vec<&'a Sitemap>,
}

impl ReportPage<'_> {
    fn link<'b>(&self, text: &'b str) -> Link<'b> {
        Link {
            text,
            target: escape::target(text),
        }
    }

    /// Sitemaps that have no row.
    fn more_sitemaps(&self) -> u64 {
        let rows = (self.report.sitemaps.len() - self.sitemaps.len()) as u64;
        self.report.more_sitemaps + rows
    }

    /// The number with the longest bar.
    fn most_of_a_month(&self) -> u64 {
        let counts = self.report.months.iter().map(|(_, pages)| *pages);
        counts.max().unwrap_or(0)
    }

    fn most_of_a_run(&self) -> u64 {
        let counts = self.report.history.iter().map(|run| run.totals.pages);
        counts.max().unwrap_or(0)
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

/// The rows of the table: broken sitemaps first, then those with problems, then the others in the order of reading. If there
/// are too many, the last ones are left out.
fn sitemaps(report: &Report) -> Vec<&Sitemap> {
    let mut sitemaps: Vec<_> = report.sitemaps.iter().collect();
    sitemaps.sort_by_key(|sitemap| match sitemap.status {
        SitemapStatus::Unreadable => 0,
        SitemapStatus::Partly => 1,
        SitemapStatus::Cut | SitemapStatus::NotRead => 2,
        SitemapStatus::Read if sitemap.errors > 0 => 2,
        SitemapStatus::Read => 3,
    });
    sitemaps.truncate(SITEMAPS);
    sitemaps
}
