//! The output of a crawl: the pages, the issues, and the state.

use std::ops::ControlFlow;

use anyhow::Context;
use quick_sitemap::Entry;
use quick_sitemap_crawl::State;

use super::issues::IssuesFile;
use super::lines;
use super::output::Output;
use super::resume::{Resume, StateFile, Written};
use crate::judge::finding::Finding;
use crate::net::driver::Driver;
use crate::rows::RowFormat;
use crate::sets::site::Crawled;
use crate::source::sink::{About, Sink};
use crate::source::walk::{Content, End, Item};

pub(super) struct Pages {
    pub(super) output: Output,
    pub(super) issues: Option<IssuesFile>,
    pub(super) format: RowFormat,
    /// The sitemap is named in each line.
    pub(super) source: bool,
    /// With `--resume`. Only complete sitemaps are written then, so that each page is written once.
    pub(super) state: Option<StateFile>,
    pub(super) crawled: Crawled,
}

impl Pages {
    fn finding(
        issues: &mut Option<IssuesFile>,
        sitemap: &str,
        finding: &Finding,
    ) -> anyhow::Result<()> {
        match issues {
            Some(issues) => issues.add(sitemap, finding).context("a temporary file"),
            None => Ok(()),
        }
    }

    /// A sitemap has been read, or cannot be read any further. If `is_done`, it was read to its end, so that it is not read
    /// again.
    fn end_sitemap(&mut self, is_done: bool) -> anyhow::Result<()> {
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

    /// Stores how far the crawl is, always if it `is_urgent`.
    pub(super) fn save(&mut self, driver: &mut Driver, is_urgent: bool) -> anyhow::Result<()> {
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
        let tally = &self.crawled.tally;
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
}

impl Sink for Pages {
    /// The issues are those of `sitemap check`.
    fn judges_places(&self) -> bool {
        self.issues.is_some()
    }

    fn begin(&mut self, about: &About<'_>, content: Content) -> anyhow::Result<()> {
        self.crawled.begin(about, content);
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let name = about.listed.map_or(about.name, |listed| listed.name);
        let Self {
            crawled, issues, ..
        } = self;
        let mut on_finding = |finding: &Finding| Self::finding(issues, name, finding);
        crawled.item(item, &mut on_finding)?;
        if let Ok(page @ Entry::Url(_)) = item.take() {
            crawled.page();
            let source = self.source.then_some(name);
            let line = lines::append(self.format, &page, source, &mut self.output.kept);
            line.context("a temporary file")?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        let name = about.listed.map_or(about.name, |listed| listed.name);
        let Self {
            crawled, issues, ..
        } = self;
        crawled.end(end, &mut |finding| Self::finding(issues, name, finding))
    }

    fn settled(
        &mut self,
        driver: &mut Driver,
        number: usize,
        state: anyhow::Result<State>,
    ) -> anyhow::Result<()> {
        let is_done = matches!(state, Ok(State::Done(_)));
        if let Err(error) = state.and_then(|_| self.end_sitemap(is_done)) {
            driver.requeue(number);
            // Earlier results stay.
            let _ = self.end_sitemap(false);
            let _ = self.save(driver, true);
            return Err(error);
        }
        self.crawled.settle(number, is_done, self.state.is_none());
        self.save(driver, false)
    }
}
