//! The walk through a document: its entries or rows, one after the other, and its end.

use std::mem;

use quick_sitemap::{Completeness, Entry, Error, Format, Issue, RawEntry, Stylesheet, Summary};

use crate::rows::{Fields, Refused, RowFormat};
use crate::source::lost::Lost;
use crate::source::not_read::Why;
use crate::source::span::MarkedLine;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// `None` if it is not a sitemap, which the end reports.
    Sitemap(Option<Format>),
    List(RowFormat),
}

// The entry is large, so it is not moved to a sink that only looks at it.
pub(crate) struct Item<'r> {
    pub(crate) entry: Result<Entry, Unusable>,
    /// Problems of the entry, and of the text before it.
    pub(crate) issues: &'r [Issue],
    pub(crate) origin: Origin<'r>,
    /// The sitemap that the entry of an index names.
    pub(crate) part: Part,
    /// The URL to which the page should lead, in the column or field `expected` of a list.
    pub(crate) expected: Option<String>,
}

/// What is known of a part that an index lists.
#[derive(Default)]
pub(crate) struct Part {
    /// The reason why it will not be read.
    pub(crate) not_read: Option<(Why, String)>,
    /// It is an index.
    pub(crate) is_nested: bool,
    /// Its file, if a server would not have it there.
    pub(crate) guessed: Option<String>,
}

impl Part {
    pub(crate) fn not_read(why: Why, reason: &str) -> Self {
        Self {
            not_read: Some((why, reason.to_owned())),
            ..Self::default()
        }
    }
}

/// Why there is no entry.
pub(crate) enum Unusable {
    /// The issues give the reason.
    Skipped,
    Refused(Refused),
}

/// An entry as the document has it.
pub(crate) enum Origin<'r> {
    Entry(RawEntry<'r>),
    Row {
        /// The line on which it begins, from 1.
        line: u64,
        /// Bytes before it.
        byte: u64,
        /// From 1.
        number: u64,
        text: &'r dyn Fn() -> MarkedLine,
    },
}

impl Item<'_> {
    /// Moves the entry out.
    pub(crate) fn take(&mut self) -> Result<Entry, Unusable> {
        mem::replace(&mut self.entry, Err(Unusable::Skipped))
    }
}

impl Origin<'_> {
    /// The line on which the entry begins, from 1.
    pub(crate) fn line(&self) -> u64 {
        match self {
            Self::Entry(raw) => raw.position().line(),
            Self::Row { line, .. } => *line,
        }
    }
}

pub(crate) struct End<'r> {
    pub(crate) outcome: Outcome,
    /// The error that ended the reading, with the name of the document.
    pub(crate) failure: Option<String>,
    /// `None` if it was not read to its end.
    pub(crate) completeness: Option<Completeness>,
    /// Problems after the last entry.
    pub(crate) issues: &'r [Issue],
    /// Entries of pages.
    pub(crate) pages: u64,
    /// Sitemaps that it lists, although it is not an index.
    pub(crate) sitemaps: u64,
    /// Entries and values that could not be used.
    pub(crate) lost: Lost,
    pub(crate) summary: &'r Summary,
    pub(crate) stylesheet: Option<&'r Stylesheet>,
    /// The fields that the pages can have.
    pub(crate) fields: Fields,
    /// Bytes that were read, decoded.
    pub(crate) bytes: u64,
    pub(crate) is_gzipped: bool,
    /// The encoding that its first bytes leave no doubt of, unpacked.
    pub(crate) sure: Option<&'static str>,
}

/// What every command calls an index that is [empty](End::is_empty): search engines reject it.
pub(crate) const EMPTY_INDEX: &str = "the index lists no sitemap";

impl<'r> End<'r> {
    pub(crate) fn new(outcome: Outcome, summary: &'r Summary) -> Self {
        Self {
            outcome,
            failure: None,
            completeness: None,
            issues: &[],
            pages: 0,
            sitemaps: 0,
            lost: Lost::default(),
            summary,
            stylesheet: None,
            fields: Fields::ALL,
            bytes: 0,
            is_gzipped: false,
            sure: None,
        }
    }

    /// Returns `true` for a document that was read to its end, and has no entry, not even one that cannot be used.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.outcome, Outcome::Whole) && self.count() == 0
    }

    /// Returns `true` for a list of which nothing could be read.
    pub(crate) fn is_unopened(&self) -> bool {
        matches!(self.outcome, Outcome::Broken(_)) && self.count() == 0
    }

    /// Entries, with those that cannot be used.
    pub(crate) fn count(&self) -> u64 {
        self.summary.entries + self.summary.skipped
    }
}

pub(crate) enum Outcome {
    /// Read to the end.
    Whole,
    /// The sink has enough, or there is a request to stop.
    Stopped,
    /// A bound has ended it.
    Cut,
    /// It is not a sitemap, or cannot be read any further.
    Failed(Error),
    /// The list cannot be read, or not any further.
    Broken(anyhow::Error),
}
