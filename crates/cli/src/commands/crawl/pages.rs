//! The output of a crawl: the pages, the issues, and the state.

use anyhow::Context;
use quick_sitemap::Entry;

use super::issues::IssuesFile;
use super::lines;
use super::output::Output;
use super::resume::{Resume, StateFile, Written};
use crate::judge::finding::Finding;
use crate::net::driver::Driver;
use crate::rows::RowFormat;
use crate::sets::pages::Page;
use crate::sets::site::{Sink, Tally};

pub(super) struct Pages {
    pub(super) output: Output,
    pub(super) issues: Option<IssuesFile>,
    pub(super) format: RowFormat,
    /// The sitemap is named in each line.
    pub(super) source: bool,
    /// With `--resume`. Only complete sitemaps are written then, so that each page is written once.
    pub(super) state: Option<StateFile>,
}

impl Sink for Pages {
    fn page(&mut self, page: Page<'_>) -> anyhow::Result<()> {
        let source = self.source.then_some(page.listed.file);
        let page = Entry::Url(page.entry);
        let line = lines::append(self.format, &page, source, &mut self.output.kept);
        line.context("a temporary file")
    }

    fn finding(&mut self, sitemap: &str, finding: &Finding) -> anyhow::Result<()> {
        match &mut self.issues {
            Some(issues) => issues.add(sitemap, finding).context("a temporary file"),
            None => Ok(()),
        }
    }

    fn end(&mut self, is_done: bool) -> anyhow::Result<()> {
        if is_done || self.state.is_none() {
            self.output.append_kept()?;
        } else {
            self.output.take_kept()?;
        }
        match &mut self.issues {
            Some(issues) => issues.end(is_done),
            None => Ok(()),
        }
    }

    fn save(&mut self, driver: &mut Driver, tally: &Tally, is_urgent: bool) -> anyhow::Result<()> {
        let Some(state) = &mut self.state else {
            return Ok(());
        };
        if !is_urgent && !state.is_due() {
            return Ok(());
        }
        self.output.sync()?;
        if let Some(issues) = &self.issues {
            issues.output.sync()?;
        }
        state.save(&Resume {
            login: driver.address.has_login(),
            format: self.format,
            source: self.source,
            output_pages: tally.pages,
            output_bytes: self.output.length(),
            findings: tally.skipped.clone(),
            issues: self.issues.as_ref().map(|issues| Written {
                bytes: issues.output.length(),
            }),
            issue_counts: tally.issues.clone(),
            known: driver.known.clone().unwrap_or_default(),
            crawl: driver.crawl.save(),
        })
    }

    fn is_whole_only(&self) -> bool {
        self.state.is_some()
    }
}
