//! The output of a crawl: the pages, the issues, and the state.

use std::io::{self, Seek, SeekFrom, Write};
use std::mem;

use anyhow::Context;
use quick_sitemap::Entry;
use tempfile::SpooledTempFile;

use super::issues::IssuesFile;
use super::lines;
use super::output::Output;
use super::resume::{Resume, StateFile, Written};
use crate::findings::finding::Finding;
use crate::net::driver::Driver;
use crate::rows::RowFormat;
use crate::sets::pages::Page;
use crate::sets::site::{Sink, Tally};

/// Bytes of lines that are written at once.
const PIECE: usize = 64 << 10;
/// Lines of a sitemap that are kept until it is complete; more than these are kept on the disk.
const IN_MEMORY: usize = 1 << 20;

pub(super) struct Pages {
    pub(super) output: Output,
    pub(super) issues: Option<IssuesFile>,
    pub(super) format: RowFormat,
    /// The sitemap is named in each line.
    pub(super) source: bool,
    pub(super) state: Option<State>,
    /// Complete lines.
    pub(super) lines: Vec<u8>,
}

/// With `--resume`, the pages of a sitemap are written when it is complete, so that each is written once.
pub(super) struct State {
    pub(super) file: StateFile,
    kept: SpooledTempFile,
}

impl State {
    pub(super) fn new(file: StateFile) -> Self {
        Self {
            file,
            kept: SpooledTempFile::new(IN_MEMORY),
        }
    }
}

impl Pages {
    /// Writes the lines, or keeps them until the sitemap is complete.
    fn flush(&mut self) -> anyhow::Result<()> {
        let lines = &self.lines;
        match &mut self.state {
            Some(state) => state.kept.write_all(lines).context("a temporary file")?,
            None if lines.is_empty() => {}
            None => self.output.append(|out| out.write_all(lines))?,
        }
        self.lines.clear();
        Ok(())
    }

    /// Writes the pages of a sitemap that were kept.
    fn write_kept(&mut self) -> io::Result<()> {
        let Some(state) = &mut self.state else {
            return Ok(());
        };
        let mut kept = mem::replace(&mut state.kept, SpooledTempFile::new(IN_MEMORY));
        kept.seek(SeekFrom::Start(0))?;
        self.output.append(|out| io::copy(&mut kept, out)).map(drop)
    }
}

impl Sink for Pages {
    fn page(&mut self, page: Page<'_>) -> anyhow::Result<()> {
        let source = self.source.then_some(page.listed.file);
        let page = Entry::Url(page.entry);
        lines::append(self.format, &page, source, &mut self.lines)?;
        if self.lines.len() >= PIECE {
            self.flush()?;
        }
        Ok(())
    }

    fn finding(&mut self, sitemap: &str, finding: &Finding) -> anyhow::Result<()> {
        match &mut self.issues {
            Some(issues) => issues.add(sitemap, finding).context("a temporary file"),
            None => Ok(()),
        }
    }

    fn end(&mut self, is_done: bool) -> anyhow::Result<()> {
        self.flush()?;
        if is_done {
            self.write_kept()?;
        } else if let Some(state) = &mut self.state {
            state.kept = SpooledTempFile::new(IN_MEMORY);
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
        if !is_urgent && !state.file.is_due() {
            return Ok(());
        }
        self.output.sync()?;
        if let Some(issues) = &self.issues {
            issues.output.sync()?;
        }
        state.file.save(&Resume {
            login: driver.address().has_login(),
            format: self.format,
            source: self.source,
            output_pages: tally.pages,
            output_bytes: self.output.length(),
            findings: tally.skipped.clone(),
            issues: self.issues.as_ref().map(|issues| Written {
                bytes: issues.output.length(),
            }),
            issue_counts: tally.issues.clone(),
            crawl: driver.crawl().save(),
        })
    }

    fn is_whole_only(&self) -> bool {
        self.state.is_some()
    }
}
