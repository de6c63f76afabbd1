//! What the commands that work on pages lose of their inputs: reported when it is lost, and counted.

use std::fmt::Display;
use std::mem;

use quick_sitemap::{Completeness, Effect, Entry, Format, Issue};

use crate::rows::Fields;
use crate::source::empty::Empty;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::walk::{Content, End, Item, Outcome, Unusable};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::messages::Messages;
use crate::term::shortened::shortened;

/// Characters of a problem that are shown.
const LONGEST: usize = 600;

/// The result of reading inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Pages of the inputs, in all.
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
}

pub(crate) struct Losses<'m> {
    messages: &'m Messages,
    /// What happens to the pages, as a message ends: `read`, `written`.
    done: &'static str,
    pub(crate) totals: Totals,
    document: Document,
    /// A part of an index in a file is not there.
    lacks_part: bool,
    empty: Empty,
}

/// The document that is being read.
#[derive(Default)]
struct Document {
    content: Option<Content>,
    pages: u64,
    /// Sitemaps that a list names.
    sitemaps: u64,
    dropped: u64,
    /// The first problems that have cost an entry and a value.
    first: [Option<String>; 2],
}

impl Document {
    fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            self.dropped += u64::from(issue.effect == Effect::ValueDropped);
            match issue.effect {
                Effect::EntrySkipped => self.lost(0, issue),
                Effect::ValueDropped => self.lost(1, issue),
                _ => {}
            }
        }
    }

    fn lost(&mut self, what: usize, problem: impl Display) {
        if let Some(first @ None) = self.first.get_mut(what) {
            let problem = problem.to_string();
            let problem = without_logins(&problem);
            *first = Some(shortened(&problem, LONGEST).into_owned());
        }
    }
}

impl<'m> Losses<'m> {
    pub(crate) fn new(messages: &'m Messages, done: &'static str) -> Self {
        Self {
            messages,
            done,
            totals: Totals::NONE,
            document: Document::default(),
            lacks_part: false,
            empty: Empty::default(),
        }
    }

    pub(crate) fn begin(&mut self, content: Content) {
        self.document = Document {
            content: Some(content),
            ..Document::default()
        };
    }

    /// Counts an entry, and what is lost of it.
    pub(crate) fn item(&mut self, about: &About<'_>, item: &Item<'_>) {
        self.document.issues(item.issues);
        match (&item.entry, self.document.content) {
            (Ok(Entry::Url(_)), _) => self.document.pages += 1,
            (Ok(Entry::Sitemap(_)), Some(Content::Sitemap(Some(Format::Index)))) => {}
            (Ok(Entry::Sitemap(_)), Some(Content::List(_))) => self.document.sitemaps += 1,
            (Ok(Entry::Sitemap(sitemap)), _) => {
                self.totals.lessen(Completeness::Incomplete);
                self.messages.warning(format_args!(
                    "{}: the sitemap {} is listed among pages, and is not read",
                    about.listed_name(),
                    clipped(&without_logins(sitemap.loc.as_str()))
                ));
            }
            (Err(Unusable::Refused(refused)), _) => {
                let line = item.origin.line();
                self.document
                    .lost(0, format_args!("{line}: {}", refused.why));
            }
            (Err(Unusable::Skipped), _) => {}
        }
    }

    /// The end of a document. If its pages are not kept, they do not count.
    pub(crate) fn end(&mut self, about: &About<'_>, end: &End<'_>, is_kept: bool) {
        let mut document = mem::take(&mut self.document);
        let (messages, totals) = (self.messages, &mut self.totals);
        if !matches!(end.outcome, Outcome::Stopped | Outcome::Cut) {
            document.issues(end.issues);
        }
        let pages = if is_kept { document.pages } else { 0 };
        totals.pages += pages;
        totals.files += u64::from(end.failure.is_none() || pages > 0);
        totals.skipped += end.summary.skipped;
        totals.dropped += document.dropped;
        totals.fields = totals.fields.both(end.fields);
        totals.lessen(end.completeness.unwrap_or(Completeness::Incomplete));
        let name = clipped(about.listed_name());
        if document.sitemaps > 0 {
            totals.lessen(Completeness::Incomplete);
            messages.warning(format_args!(
                "{name}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                Count(document.sitemaps, "sitemap"),
                if document.sitemaps == 1 { "is" } else { "are" },
            ));
        }
        let counts = [(end.summary.skipped, "entry"), (document.dropped, "value")];
        for ((count, what), first) in counts.into_iter().zip(document.first) {
            let Some(first) = first else {
                continue;
            };
            let before = if count > 1 { ", the first at " } else { ": " };
            let count = Count(count.max(1), what);
            messages.warning(format_args!(
                "{name}: {count} cannot be used{before}{first}"
            ));
        }
        if let Some(failure) = &end.failure {
            let before = match pages {
                0 => String::new(),
                1 => format!("; the page before that was {}", self.done),
                pages => format!(
                    "; the {} before that were {}",
                    Count(pages, "page"),
                    self.done
                ),
            };
            messages.error(format_args!("{failure}{before}"));
            totals.broken += 1;
            totals.lessen(Completeness::Incomplete);
        } else if end.is_empty() {
            self.empty.add(name, messages);
        }
    }

    pub(crate) fn not_read(&mut self, not_read: &NotRead<'_>) {
        if !not_read.why.is_lost() {
            return;
        }
        self.totals.lessen(Completeness::Incomplete);
        // A redirect to another host was tried, unlike a part that is listed there.
        let is_redirect = not_read.why == Why::OtherHost && !not_read.is_at_entry;
        let has_failed = not_read.why.is_failure() || is_redirect;
        if has_failed {
            self.totals.broken += not_read.count;
        }
        self.lacks_part |= not_read.why == Why::Missing && not_read.is_at_entry;
        not_read.print(has_failed && !not_read.is_at_entry, self.messages);
    }

    /// Prints what concerns all inputs.
    pub(crate) fn finish(self) -> Totals {
        if self.lacks_part {
            self.messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
        self.empty.finish(self.messages);
        self.totals
    }
}
