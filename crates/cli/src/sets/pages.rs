//! All pages of inputs, one after the other, in constant memory: the sink of the commands that work on pages.
//!
//! An index on standard input is an error: its parts would have to be fetched, which `sitemap crawl` does.

mod entries;
#[cfg(test)]
mod tests;

use std::fmt;
use std::slice;

use quick_sitemap::{Completeness, Effect, Error, Issue, UrlEntry};

use crate::judge::verdicts::Verdicts;
use crate::net::scope::Scope;
use crate::rows::Fields;
use crate::sets::faults::Faults;
use crate::sets::site::Crawled;
use crate::source::empty::Empty;
use crate::source::input::{Input, Network};
use crate::source::intake;
use crate::source::walk::Origin;
use crate::term::count::{Count, First};
use crate::term::messages::Messages;
use crate::term::status::Status;

/// A page, and where it is listed.
pub(crate) struct Page<'f> {
    pub(crate) entry: UrlEntry,
    pub(crate) listed: Listed<'f>,
}

/// The entry of a page. It is displayed with its place and with the first problem that has cost it a value, because of
/// which the page may not be usable.
pub(crate) struct Listed<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    pub(crate) origin: &'f Origin<'f>,
    pub(crate) issues: &'f [Issue],
}

impl<'f> Listed<'f> {
    /// Counting the lines before an entry takes as long as reading it.
    pub(crate) fn place(&self) -> Place<'f> {
        Place {
            file: self.file,
            line: self.origin.line(),
        }
    }
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().fmt(f)?;
        let mut issues = self.issues.iter();
        match issues.find(|issue| issue.effect != Effect::Noted) {
            Some(cause) => write!(f, ": {}", cause.violation),
            None => Ok(()),
        }
    }
}

/// The start of an entry: displayed as `public/sitemap-1.xml:17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    /// From 1, in the unpacked and decoded text.
    pub(crate) line: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The result of reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Number of pages that were returned.
    pub(crate) pages: u64,
    /// Sitemaps that were read, indexes too, whether to their end or not.
    pub(crate) files: u64,
    /// Entries that were skipped, since they could not be used.
    pub(crate) skipped: u64,
    /// Values that were dropped from pages.
    pub(crate) dropped: u64,
    /// Sitemaps that are missing, are none, or could not be read to their end.
    pub(crate) broken: u64,
    /// The completeness of the pages. [`Unknown`](Completeness::Unknown) if a text, a feed or a list was among the
    /// inputs: these look complete when they are truncated.
    pub(crate) completeness: Completeness,
    /// The fields that the pages of all inputs can have: a list of URLs has none.
    pub(crate) fields: Fields,
}

impl Totals {
    /// The totals of no input.
    pub(crate) const NONE: Self = Self {
        pages: 0,
        files: 0,
        skipped: 0,
        dropped: 0,
        broken: 0,
        completeness: Completeness::Complete,
        fields: Fields::ALL,
    };

    pub(crate) fn is_incomplete(&self) -> bool {
        self.completeness == Completeness::Incomplete
    }

    pub(crate) fn lessen(&mut self, completeness: Completeness) {
        self.completeness = self.completeness.max(completeness);
    }

    fn lose(&mut self) {
        self.broken += 1;
        self.completeness = Completeness::Incomplete;
    }
}

/// Passes every page of a file, a folder or standard input to `on_page`, as [`side::read`](crate::sets::side::read) does.
///
/// # Errors
///
/// Those of `on_page`; an input that cannot be opened or is not a sitemap; a folder without a sitemap; an index that is
/// not on disk. Never for a sitemap that breaks off: its pages have been returned, and the totals are `Incomplete`.
pub(crate) fn read(
    input: &Input,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Totals> {
    let scope = Scope::default();
    let mut pages = Pages::new(&scope, messages, on_page);
    pages.read(slice::from_ref(input), &Network::default())?;
    Ok(pages.finish())
}

pub(crate) type OnPage<'p> = dyn FnMut(Page<'_>) -> anyhow::Result<()> + 'p;

/// Counts the pages of all inputs, and passes them on.
pub(crate) struct Pages<'w> {
    scope: &'w Scope,
    messages: &'w Messages,
    verdicts: Verdicts,
    on_page: &'w mut OnPage<'w>,
    pub(crate) totals: Totals,
    current: Current,
    missing: First,
    empty: Empty,
    /// The crawl of the current site.
    site: Crawled,
    /// A site could not be read at all.
    pub(crate) failure: Option<Status>,
}

/// The document that is being read.
#[derive(Default)]
struct Current {
    is_list: bool,
    faults: Faults,
    is_index: bool,
    /// Sitemaps of a list.
    sitemaps: u64,
}

impl<'w> Pages<'w> {
    pub(crate) fn new(
        scope: &'w Scope,
        messages: &'w Messages,
        on_page: &'w mut OnPage<'w>,
    ) -> Self {
        Self {
            scope,
            messages,
            verdicts: Verdicts::default(),
            on_page,
            totals: Totals::NONE,
            current: Current::default(),
            missing: First::default(),
            empty: Empty::default(),
            site: Crawled::default(),
            failure: None,
        }
    }

    /// Reads one input after the other. A URL is crawled as by `sitemap crawl`.
    ///
    /// # Errors
    ///
    /// Those of [`read`], and of temporary files.
    pub(crate) fn read(&mut self, inputs: &[Input], network: &Network) -> anyhow::Result<()> {
        let options = intake::Options {
            location: None,
            network,
            scope: self.scope,
            no_follow: false,
            follows_files: true,
            messages: self.messages,
        };
        intake::read(inputs, &options, self)
    }

    /// Prints what concerns all inputs.
    pub(crate) fn finish(self) -> Totals {
        let messages = self.messages;
        if self.missing.more() > 0 {
            let more = Count(self.missing.more(), "more sitemap");
            messages.warning(format_args!("{more} that indexes list are not read"));
        }
        if self.missing.count() > 0 {
            messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
        self.empty.finish(messages);
        self.totals
    }
}

/// An error after the name of a file and a colon: a position follows directly, anything else after a space.
fn printed(error: &Error) -> String {
    match error.position() {
        Some(_) => format!("{error:#}"),
        None => format!(" {error:#}"),
    }
}
