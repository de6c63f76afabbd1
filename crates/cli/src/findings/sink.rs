//! Takes findings and what was read, for the output or for a report.

use quick_sitemap::Entry;

use crate::judge::finding::Finding;

/// Is called in the order of reading.
pub(crate) trait Sink {
    /// Findings have the line that they are on.
    fn wants_excerpts(&self) -> bool;

    /// The links between languages are counted even if no rule is about them.
    fn wants_links(&self) -> bool {
        false
    }

    /// A sitemap is read from here on.
    fn begin(&mut self, _name: &str) {}

    /// The next entry; `None` if it cannot be used, and at the end. The findings that follow are about it.
    fn entry(&mut self, _entry: Option<&Entry>) -> anyhow::Result<()> {
        Ok(())
    }

    /// Something was found in the file of that name. Returns `false` if it was known before, so that it does not count.
    fn finding(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool>;

    /// The sitemap has been read, or cannot be read any further.
    fn end(&mut self, _end: End) {}

    /// All findings of the file, or those of one kind, have been made.
    fn end_findings(&mut self, _file: &str) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap that is listed, and was not read.
    fn absent(&mut self, _name: &str, _why: Absence, _reason: &str) {}
}

/// The result of reading a sitemap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// `urlset`, `index`, `text`, `rss`, `atom`, or `list` for a list of pages; `None` if it is not a sitemap, or could not
    /// be opened.
    pub(crate) format: Option<&'static str>,
    /// A file of a folder that turned out to be something else.
    pub(crate) is_something_else: bool,
    /// Decoded.
    pub(crate) bytes: u64,
    /// It was read to its end.
    pub(crate) is_whole: bool,
}

/// Why a sitemap was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// It could not be fetched or opened.
    Unreadable,
    /// It was not to be read: it is on a host that is not trusted, or beyond a bound.
    LeftOut,
}
