//! The output of a crawl: the pages, and the state.

use std::ops::ControlFlow;

use anyhow::Context;
use quick_sitemap::Entry;

use super::lines;
use super::output::Output;
use super::resume::{Resume, StateFile};
use crate::judge::dates;
use crate::net::driver::Driver;
use crate::rows::RowFormat;
use crate::source::filter::PageFilter;
use crate::source::not_read::NotRead;
use crate::source::notes::Notes;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Item};

pub(super) struct Pages<'a> {
    pub(super) output: Output,
    pub(super) format: RowFormat,
    /// The sitemap is named in each line.
    pub(super) source: bool,
    /// Pages that it leaves out are not counted either.
    pub(super) filter: &'a PageFilter,
    /// With `--resume`. Only complete sitemaps are written then, so that each page is written once.
    pub(super) state: Option<StateFile>,
    /// Pages that were written, in this run and in earlier ones.
    pub(super) pages: u64,
    /// Those of the current sitemap.
    pub(super) current: u64,
    pub(super) notes: Notes<'a>,
}

impl Pages<'_> {
    /// Stores how far the crawl is, always if it `is_urgent`.
    pub(super) fn save(&mut self, driver: &Driver, is_urgent: bool) -> anyhow::Result<()> {
        let Some(state) = &mut self.state else {
            return Ok(());
        };
        if !is_urgent && !state.is_due() {
            return Ok(());
        }
        self.output.sync()?;
        state.save(&Resume {
            filters: self.filter.question(),
            login: driver.address.has_login(),
            format: self.format,
            source: self.source,
            output_pages: self.pages,
            output_bytes: self.output.length(),
            known: driver.known.clone().unwrap_or_default(),
            crawl: driver.crawl.save(),
        })
    }
}

impl Sink for Pages<'_> {
    fn begin(&mut self, _: &About<'_>) -> anyhow::Result<()> {
        self.current = 0;
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let is_kept = |page: &Entry| self.filter.keeps(page.loc(), dates::of_entry(page));
        if matches!(&item.entry, Ok(page @ Entry::Url(_)) if !is_kept(page)) {
            return Ok(ControlFlow::Continue(()));
        }
        self.notes.item(about, item);
        if let Ok(page @ Entry::Url(_)) = item.take() {
            self.current += 1;
            let source = self.source.then(|| about.listed_name());
            let line = lines::append(self.format, page, source, &mut self.output.kept);
            line.context("a temporary file")?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<ControlFlow<()>> {
        // A sitemap that was not read to its end is read again.
        let is_kept = end.completeness.is_some() || self.state.is_none();
        self.output.end_kept(is_kept)?;
        self.pages += if is_kept { self.current } else { 0 };
        self.notes.end(about, end, is_kept);
        Ok(ControlFlow::Continue(()))
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        self.notes.not_read(not_read);
        Ok(())
    }

    fn taken(&mut self, driver: &Driver, is_taken: bool) -> anyhow::Result<()> {
        if is_taken {
            return self.save(driver, false);
        }
        // Earlier results stay.
        let ended = self.output.end_kept(self.state.is_none());
        self.save(driver, true).and(ended.map_err(Into::into))
    }
}
