//! The results of a crawl of a site, for the commands that work on its pages.

pub(crate) mod outcome;

use std::collections::HashMap;
use std::mem;

use quick_sitemap::{Format, Issue, Position};

use crate::findings::tally::Counts;
use crate::judge::finding::Finding;
use crate::judge::verdicts::Verdicts;
use crate::sets::faults::{Faults, Skipped};
use crate::source::sink::About;
use crate::source::walk::{self, Content, End, Item, Origin};

/// Takes findings.
type OnFinding<'f> = dyn FnMut(&Finding) -> anyhow::Result<()> + 'f;

/// Results of the finished sitemaps, in addition to the state of the library's crawl.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) pages: u64,
    pub(crate) issues: Counts,
    /// By the URLs of sitemaps.
    pub(crate) skipped: HashMap<String, Skipped>,
}

/// The crawl so far, in addition to the state of the library's crawl.
#[derive(Debug, Default)]
pub(crate) struct Crawled {
    pub(crate) tally: Tally,
    /// Findings of the sitemaps that were not read to their end.
    unfinished: Counts,
    /// Their pages, if they count all the same, by the numbers of the sitemaps.
    partial: HashMap<usize, u64>,
    current: Sitemap,
    verdicts: Verdicts,
}

/// The results of one sitemap.
#[derive(Debug, Default)]
struct Sitemap {
    url: String,
    faults: Faults,
    pages: u64,
    skipped: Option<Skipped>,
    format: Option<Format>,
}

impl Crawled {
    /// Goes on with an earlier crawl.
    pub(crate) fn new(tally: Tally) -> Self {
        Self {
            tally,
            ..Self::default()
        }
    }

    pub(crate) fn begin(&mut self, about: &About<'_>, content: Content) {
        self.current = Sitemap {
            url: about
                .listed
                .map_or(String::new(), |listed| listed.url.to_string()),
            format: match content {
                Content::Sitemap(format) => format,
                Content::List(_) => None,
            },
            ..Sitemap::default()
        };
    }

    /// Counts a page of the current sitemap.
    pub(crate) fn page(&mut self) {
        self.current.pages += 1;
    }

    /// Counts the issues of an entry, and passes them on as findings.
    pub(crate) fn item(
        &mut self,
        item: &Item<'_>,
        on_finding: &mut OnFinding<'_>,
    ) -> anyhow::Result<()> {
        let about = match &item.origin {
            Origin::Entry(raw) => raw.loc().map(|loc| (raw.position(), loc)),
            Origin::Row { .. } => None,
        };
        self.issues(item.issues, about, on_finding)
    }

    fn issues(
        &mut self,
        issues: &[Issue],
        about: Option<(Position, &str)>,
        on_finding: &mut OnFinding<'_>,
    ) -> anyhow::Result<()> {
        let Self {
            current, verdicts, ..
        } = self;
        current
            .faults
            .issues(issues, verdicts, &mut |issue, severity| {
                let finding = Finding::issue(issue, severity);
                on_finding(&match about {
                    Some((start, loc)) => finding.about_entry(start, loc),
                    None => finding,
                })
            })
    }

    pub(crate) fn end(
        &mut self,
        end: &End<'_>,
        on_finding: &mut OnFinding<'_>,
    ) -> anyhow::Result<()> {
        self.issues(end.issues, None, on_finding)?;
        if let walk::Outcome::Failed(error) = &end.outcome {
            let finding = Finding::error(error, self.current.format);
            self.current.faults.add(finding.rule.name, finding.severity);
            on_finding(&finding)?;
        }
        self.current.skipped = self.current.faults.skipped(end.skipped);
        Ok(())
    }

    /// Counts the current sitemap. If it was not read to its end, its pages count only if the caller keeps them.
    pub(crate) fn settle(&mut self, number: usize, is_done: bool, keeps_pages: bool) {
        let sitemap = mem::take(&mut self.current);
        if is_done {
            self.tally.pages += sitemap.pages;
            self.tally.issues.merge(sitemap.faults.counts);
            if let Some(skipped) = sitemap.skipped {
                self.tally.skipped.insert(sitemap.url, skipped);
            }
        } else {
            self.unfinished.merge(sitemap.faults.counts);
            if keeps_pages && sitemap.pages > 0 {
                self.partial.insert(number, sitemap.pages);
            }
        }
    }
}
