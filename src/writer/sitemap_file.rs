//! One file that grows entry by entry. An entry is written completely or not at all.

use std::io::Write;

use super::builder::WriterBuilder;
use super::file_text::{Content, FileText, permanent};
use crate::error::Result;

/// A file that grows entry by entry.
pub(crate) struct SitemapFile<W> {
    pub(super) output: W,
    pub(super) text: FileText,
}

impl<W: Write> SitemapFile<W> {
    pub(crate) fn new(settings: &WriterBuilder, root: Option<&'static str>, output: W) -> Self {
        Self {
            output,
            text: FileText::new(settings, root),
        }
    }

    pub(crate) fn write(&mut self, entry: Content<'_>) -> Result<()> {
        self.text.add(entry)?;
        if self.text.is_piece() {
            self.text.hand_on(&mut self.output)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<W> {
        self.text.finish()?;
        self.text.hand_on(&mut self.output)?;
        self.output.flush().map_err(permanent)?;
        Ok(self.output)
    }
}

impl SitemapFile<Vec<u8>> {
    pub(super) fn take(&mut self) -> Vec<u8> {
        // Writing to a `Vec` does not fail.
        let _ = self.text.hand_on(&mut self.output);
        std::mem::take(&mut self.output)
    }
}
