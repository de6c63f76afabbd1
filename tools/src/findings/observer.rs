//! Who else learns what a check reads and finds: a report.

use std::ops::Range;
use std::path::Path;

use quick_sitemap::{Entry, Format, Position};

use super::finding::Finding;

/// A part of a line as it can be printed, and the bytes of it that are meant.
pub(crate) type MarkedLine = (String, Range<usize>);

/// Is called in the order of reading.
pub(crate) trait Observer {
    /// A sitemap is read from here on. `parent` is the name of the index that lists it, if that is known.
    fn begin(&mut self, name: &str, parent: Option<&str>);

    /// The next entry; `None` if it cannot be used, and at the end. The findings that follow are about it.
    fn entry(&mut self, entry: Option<&Entry>, text: EntryText) -> anyhow::Result<()>;

    /// The index that is being read lists the sitemap in this file.
    fn lists(&mut self, part: &Path);

    /// Something was found in the file of that name. `excerpt` looks for the line, which takes time.
    fn finding(
        &mut self,
        file: &str,
        finding: &Finding,
        excerpt: &mut dyn FnMut() -> Option<MarkedLine>,
    );

    /// The sitemap has been read, or cannot be read any further.
    fn end(&mut self, end: End);

    /// A sitemap that is listed, and was not read.
    fn absent(&mut self, name: &str, parent: Option<&str>, why: Absence, reason: &str);
}

/// How an entry is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EntryText {
    /// Its start.
    pub(crate) position: Option<Position>,
    /// Characters of its loc.
    pub(crate) loc: usize,
}

/// The result of reading a sitemap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// `None` if it is not a sitemap, or could not be opened.
    pub(crate) format: Option<Format>,
    /// A list of pages, which has no format of sitemaps.
    pub(crate) is_list: bool,
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
