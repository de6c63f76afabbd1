//! Where the pages of an input go.

use std::fmt;

use quick_sitemap::url::Url;
use quick_sitemap::{Rule, UrlEntry};

use crate::sets::target::Target;
use crate::source::filter::LocFilter;
use crate::term::interrupt;
use crate::term::progress;

/// Takes what the forms read.
pub(super) struct Sink<'a> {
    pub(super) filter: &'a LocFilter,
    pub(super) base: Option<&'a Url>,
    /// Unknown columns and fields are ignored.
    pub(super) ignores_unknown: bool,
    pub(super) target: Target<'a>,
    /// Pages that the filter has left out.
    pub(super) filtered: u64,
    /// Pages and what should have been one, whatever became of them.
    pub(super) entries: u64,
}

impl Sink<'_> {
    pub(super) fn page(&mut self, entry: UrlEntry, place: Line<'_>) -> anyhow::Result<()> {
        self.entries += 1;
        // A page of a folder was counted when its file was read.
        if place.number > 0 {
            progress::entry();
        }
        if !self.filter.keeps(entry.loc.as_str()) {
            self.filtered += 1;
            return Ok(());
        }
        self.target.page(entry, &place)
    }

    /// A line that no entry could be made of.
    pub(super) fn refuse(
        &mut self,
        rule: Option<Rule>,
        place: Line<'_>,
        why: &str,
    ) -> anyhow::Result<()> {
        interrupt::check()?;
        self.entries += 1;
        self.target.refuse(rule, &place, &why)
    }
}

/// A line of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'f> {
    pub(super) file: &'f str,
    /// From 1; 0: the file as a whole.
    pub(super) number: u64,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => f.write_str(self.file),
            number => write!(f, "{}:{number}", self.file),
        }
    }
}
