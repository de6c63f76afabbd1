//! What the commands that work on pages lose of their inputs: reported when it is lost, and counted.

use std::fmt::Display;
use std::mem;

use quick_sitemap::{Completeness, Effect, Entry, Error, Format, Issue};
use quick_sitemap_crawl::{Reason, State};

use crate::net::driver::Driver;
use crate::rows::Fields;
use crate::source::empty::Empty;
use crate::source::intake::OTHER_HOST;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::walk::{Content, EMPTY_INDEX, End, Item, Outcome, Unusable};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::{Count, First};
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

    fn lessen(&mut self, completeness: Completeness) {
        self.completeness = self.completeness.max(completeness);
    }
}

pub(crate) struct Losses<'m> {
    messages: &'m Messages,
    /// What happens to the pages, as a message ends: `read`, `written`.
    done: &'static str,
    pub(crate) totals: Totals,
    current: Current,
    /// Parts of indexes in files, each of which is reported with its entry.
    parts: First,
    empty: Empty,
}

/// The document that is being read.
#[derive(Default)]
struct Current {
    /// As it is listed, if it is a sitemap of a site.
    name: String,
    content: Option<Content>,
    pages: u64,
    /// Sitemaps that a list names.
    sitemaps: u64,
    skipped: Lost,
    dropped: Lost,
    /// It was read to its end, and has no entry.
    is_empty: bool,
}

/// Entries or values that could not be used.
#[derive(Default)]
struct Lost {
    count: u64,
    first: Option<String>,
}

impl Lost {
    fn add(&mut self, problem: impl Display) {
        self.count += 1;
        if self.first.is_none() {
            let problem = problem.to_string();
            let problem = without_logins(&problem);
            self.first = Some(shortened(&problem, LONGEST).into_owned());
        }
    }
}

impl Current {
    fn is(&self, format: Format) -> bool {
        self.content == Some(Content::Sitemap(Some(format)))
    }

    fn is_list(&self) -> bool {
        matches!(self.content, Some(Content::List(_)))
    }

    fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            match issue.effect {
                Effect::EntrySkipped => self.skipped.add(issue),
                Effect::ValueDropped => self.dropped.add(issue),
                _ => {}
            }
        }
    }
}

impl<'m> Losses<'m> {
    pub(crate) fn new(messages: &'m Messages, done: &'static str) -> Self {
        Self {
            messages,
            done,
            totals: Totals::NONE,
            current: Current::default(),
            parts: First::default(),
            empty: Empty::default(),
        }
    }

    pub(crate) fn begin(&mut self, about: &About<'_>, content: Content) {
        self.current = Current {
            name: about.listed_name().to_owned(),
            content: Some(content),
            ..Current::default()
        };
    }

    /// Counts an entry, and what is lost of it.
    pub(crate) fn item(&mut self, item: &Item<'_>) {
        let current = &mut self.current;
        current.issues(item.issues);
        match &item.entry {
            Ok(Entry::Url(_)) => {
                current.pages += 1;
                self.totals.pages += 1;
            }
            Ok(Entry::Sitemap(_)) if current.is(Format::Index) => {}
            Ok(Entry::Sitemap(_)) if current.is_list() => current.sitemaps += 1,
            Ok(Entry::Sitemap(sitemap)) => {
                self.totals.lessen(Completeness::Incomplete);
                self.messages.warning(format_args!(
                    "{}: the sitemap {} is listed among pages, and is not read",
                    current.name,
                    clipped(&without_logins(sitemap.loc.as_str()))
                ));
            }
            Err(Unusable::Refused(refused)) => {
                let line = item.origin.line();
                current.skipped.add(format_args!("{line}: {}", refused.why));
            }
            Err(Unusable::Skipped) => {}
        }
    }

    /// The end of a document. That of a sitemap of a site is reported when it is [settled](Self::settled).
    pub(crate) fn end(&mut self, about: &About<'_>, end: &End<'_>) {
        let (current, totals) = (&mut self.current, &mut self.totals);
        if !matches!(end.outcome, Outcome::Stopped | Outcome::Cut) {
            current.issues(end.issues);
        }
        current.skipped.count = end.skipped;
        current.is_empty = end.is_empty();
        totals.skipped += end.skipped;
        totals.dropped += current.dropped.count;
        totals.fields = totals.fields.both(end.fields);
        let failure = match &end.outcome {
            Outcome::Failed(error) if about.listed.is_none() => Some(failed(about, error)),
            Outcome::Broken(error) | Outcome::Unopened(error) => Some(format!("{error:#}")),
            _ => None,
        };
        if about.listed.is_some() {
            if failure.is_some() {
                self.settle(failure, Completeness::Incomplete);
            }
            return;
        }
        totals.files += 1;
        let sitemaps = current.sitemaps;
        if sitemaps > 0 {
            totals.lessen(Completeness::Incomplete);
            self.messages.warning(format_args!(
                "{}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                about.name,
                Count(sitemaps, "sitemap"),
                if sitemaps == 1 { "is" } else { "are" },
            ));
        }
        self.settle(
            failure,
            match end.summary {
                _ if matches!(end.outcome, Outcome::Cut) => Completeness::Incomplete,
                Some(summary) => summary.completeness(),
                None if end.skipped > 0 => Completeness::Incomplete,
                // The end of a list cannot be recognized.
                None => Completeness::Unknown,
            },
        );
    }

    /// A sitemap of a site has this state. If it was not read to its end, its pages count only if they are kept.
    pub(crate) fn settled(&mut self, driver: &Driver, number: usize, state: State, is_kept: bool) {
        if !is_kept && !matches!(state, State::Done(_)) {
            self.totals.pages -= mem::take(&mut self.current.pages);
        }
        match state {
            State::Done(completeness) => self.settle(None, completeness),
            State::Failed => {
                let reason = driver.reason(number).unwrap_or("cannot be read");
                let sitemap = driver.crawl.get(number);
                let name = sitemap.map_or(String::new(), |sitemap| driver.named(sitemap.url()));
                let failure = format!("{}: {reason}", clipped(&name));
                self.settle(Some(failure), Completeness::Incomplete);
            }
            _ => self.totals.lessen(Completeness::Incomplete),
        }
    }

    /// Reports what was lost of the current document.
    fn settle(&mut self, failure: Option<String>, completeness: Completeness) {
        let (current, messages) = (mem::take(&mut self.current), self.messages);
        let name = clipped(&current.name);
        let is_empty_index = current.is_empty && current.is(Format::Index);
        for (lost, what) in [(current.skipped, "entry"), (current.dropped, "value")] {
            let Some(first) = lost.first else {
                continue;
            };
            let count = Count(lost.count.max(1), what);
            let first = match lost.count {
                0 | 1 => format!(": {first}"),
                _ => format!(", the first at {first}"),
            };
            messages.warning(format_args!("{name}: {count} cannot be used{first}"));
        }
        let failure = failure.or_else(|| is_empty_index.then(|| format!("{name}: {EMPTY_INDEX}")));
        if let Some(failure) = failure {
            let before = match current.pages {
                0 => String::new(),
                1 => format!("; the page before that was {}", self.done),
                pages => format!(
                    "; the {} before that were {}",
                    Count(pages, "page"),
                    self.done
                ),
            };
            messages.error(format_args!("{failure}{before}"));
            self.totals.broken += 1;
            self.totals.lessen(Completeness::Incomplete);
            return;
        }
        self.totals.lessen(completeness);
        if current.is_empty {
            self.empty.add(name, messages);
        }
    }

    pub(crate) fn not_read(&mut self, not_read: &NotRead<'_>) {
        if !not_read.why.is_lost() {
            return;
        }
        self.totals.lessen(Completeness::Incomplete);
        if not_read.is_at_entry && not_read.is_on_site {
            // The end of the site reports all of them.
            return;
        }
        // A redirect to another host was tried, unlike a part that is listed there.
        let has_failed = not_read.why.is_failure() || not_read.why == Why::OtherHost;
        if has_failed {
            self.totals.broken += not_read.count;
        }
        match (not_read.is_at_entry, not_read.names) {
            (true, [part, ..]) => {
                if self.parts.names() {
                    let index = not_read.listed_in.unwrap_or_default();
                    self.messages.warning(format_args!(
                        "{index}: {} is not read: {}",
                        clipped(part),
                        not_read.reason
                    ));
                }
            }
            _ => not_read.print(has_failed, self.messages),
        }
    }

    /// The end of a site, of which an earlier run can have read a part. Returns `false` if nothing of it could be read.
    pub(crate) fn site(&mut self, driver: &Driver) -> bool {
        for left_out in driver.crawl.summary().left_out {
            if left_out.reason == Reason::OtherHost {
                let names: Vec<_> = left_out
                    .examples
                    .iter()
                    .map(|url| driver.named(url))
                    .collect();
                let (count, why) = (left_out.count, Why::OtherHost);
                NotRead {
                    count,
                    ..NotRead::new(&names, why, OTHER_HOST)
                }
                .print(false, self.messages);
                self.totals.lessen(Completeness::Incomplete);
            }
        }
        let mut is_something = false;
        for sitemap in driver.crawl.sitemaps() {
            let state = sitemap.state();
            is_something |= matches!(state, State::Done(_) | State::Partial);
            self.totals.files += u64::from(matches!(state, State::Done(_)));
            self.totals.lessen(match state {
                State::Done(completeness) => completeness,
                State::Duplicate | State::Missing => Completeness::Complete,
                _ => Completeness::Incomplete,
            });
        }
        is_something
    }

    /// Prints what concerns all inputs.
    pub(crate) fn finish(self) -> Totals {
        if self.parts.more() > 0 {
            let more = Count(self.parts.more(), "more sitemap");
            self.messages
                .warning(format_args!("{more} that indexes list are not read"));
        }
        if self.parts.count() > 0 {
            self.messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
        self.empty.finish(self.messages);
        self.totals
    }
}

/// The error that ended a document, after its name: a position in a file follows directly, anything else after a space.
pub(crate) fn failed(about: &About<'_>, error: &Error) -> String {
    let is_place = about.listed.is_none() && error.position().is_some();
    let gap = if is_place { "" } else { " " };
    format!("{}:{gap}{error:#}", about.name)
}
