//! The file of `--issues`.

use std::io::{self, Seek};
use std::path::Path;

use anyhow::Context;
use tempfile::SpooledTempFile;

use super::output::{Before, IN_MEMORY, Output};
use crate::findings::form::json;
use crate::judge::finding::Finding;

/// The issues of all sitemaps, as `sitemap check --format json` writes them.
///
/// Without `--resume`, the file replaces an older one at the end, atomically. With `--resume`, the issues of a sitemap
/// are appended when it has been read, like its pages. Issues of sitemaps that were not read to their end come last,
/// after the state file has been written for the last time: these sitemaps are read again if the crawl is continued.
#[derive(Debug)]
pub(super) struct IssuesFile {
    pub(super) output: Output,
    unfinished: SpooledTempFile,
}

impl IssuesFile {
    /// `state` is the state file of `--resume`, and `before` what it records.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is not the one that the earlier crawl has left.
    pub(super) fn open(
        path: &Path,
        state: Option<&Path>,
        before: Option<Before>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            output: Output::open(Some(path), state, before)?,
            unfinished: SpooledTempFile::new(IN_MEMORY),
        })
    }

    pub(super) fn add(&mut self, sitemap: &str, finding: &Finding) -> io::Result<()> {
        json::write(&mut self.output.kept, sitemap, finding)
    }

    /// The sitemap has been read. `is_done`: it is not read again.
    pub(super) fn end(&mut self, is_done: bool) -> anyhow::Result<()> {
        if is_done {
            return Ok(self.output.append_kept()?);
        }
        let mut kept = self.output.take_kept()?;
        let copied = io::copy(&mut kept, &mut self.unfinished);
        copied.map(drop).context("a temporary file")
    }

    /// Adds those of the sitemaps that are not done, and puts the file in its place.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.unfinished.rewind().context("a temporary file")?;
        self.output.append(&mut self.unfinished)?;
        self.output.put_in_place()
    }
}
