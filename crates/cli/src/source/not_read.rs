//! Sitemaps and pages that were not read, with the reason.

use std::fmt;

use crate::term::clipped::clipped;
use crate::term::count::{First, Grouped};
use crate::term::messages::Messages;

/// The reason for a feed whose pages the sitemaps list.
pub(crate) const FEED: &str = "a feed next to sitemaps";

/// The kind of reason why something was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It is on a host that is not trusted.
    OtherHost,
    /// It is beyond a bound, such as `--max-pages`.
    Bound,
    /// There is no such file, or the server has none.
    Missing,
    /// The server refuses to send it to this program.
    Denied,
    /// It could not be fetched, opened or read.
    Failed,
    /// An input that was named cannot be opened, or is a folder without sitemaps.
    Unopened,
    /// Its URL cannot be requested.
    Refused,
    /// Its host requires a pause.
    Paused,
    /// An option or the kind of the input leaves it out.
    Excluded,
    /// A newer set has replaced it.
    Replaced,
    /// It is a file of a folder that is something else, and that nothing asks for.
    Other,
}

impl Why {
    /// Returns `true` if the options ask for it, so that evidence is lost without it.
    pub(crate) fn is_lost(self) -> bool {
        !matches!(self, Self::Excluded | Self::Replaced | Self::Other)
    }

    /// Returns `true` if reading it was tried.
    pub(crate) fn is_failure(self) -> bool {
        matches!(
            self,
            Self::Missing
                | Self::Denied
                | Self::Failed
                | Self::Unopened
                | Self::Refused
                | Self::Paused
        )
    }
}

/// The number of sitemaps, and the names of the first.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) count: u64,
    pub(crate) first: Vec<String>,
}

impl Names {
    /// Names that are kept.
    const KEPT: usize = 20;

    pub(crate) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(name.to_owned());
        }
    }
}

/// Sitemaps, or pages, that were not read.
#[derive(Clone, Copy)]
pub(crate) struct NotRead<'n> {
    /// The first sitemaps, as they may be shown; none if the pages of a sitemap were not read to its end.
    pub(crate) names: &'n [String],
    /// The number of sitemaps.
    pub(crate) count: u64,
    pub(crate) why: Why,
    /// `on another host (see --other-hosts)`, or the failure.
    pub(crate) reason: &'n str,
    /// The name of the index that lists it; robots.txt is one, too.
    pub(crate) listed_in: Option<&'n str>,
    /// The entries of the index were passed to the sink with this reason.
    pub(crate) is_at_entry: bool,
    /// It is an input that was named, and nothing else lists it.
    pub(crate) is_input: bool,
    /// It is a robots.txt, of which the sink has been told.
    pub(crate) is_robots: bool,
}

impl<'n> NotRead<'n> {
    pub(crate) fn new(names: &'n [String], why: Why, reason: &'n str) -> Self {
        Self {
            names,
            count: names.len() as u64,
            why,
            reason,
            listed_in: None,
            is_at_entry: false,
            is_input: false,
            is_robots: false,
        }
    }

    pub(crate) fn of(names: &'n Names, why: Why, reason: &'n str) -> Self {
        Self {
            count: names.count,
            ..Self::new(&names.first, why, reason)
        }
    }
}

impl NotRead<'_> {
    /// Returns `true` if this is about one sitemap, with a reason of its own.
    fn is_about_one(&self) -> bool {
        self.names.len() == 1 && self.count == 1 && self.why != Why::Bound
    }

    /// Prints an error for something that was tried and failed, and otherwise a warning with the first names below.
    pub(crate) fn print(&self, has_failed: bool, messages: &Messages) {
        if self.count == 0 || self.is_about_one() {
            return if has_failed {
                messages.error(self);
            } else {
                messages.warning(self);
            };
        }
        let named = self
            .names
            .iter()
            .take(First::NAMED)
            .map(|name| clipped(name));
        let more = match self.count.saturating_sub(named.len() as u64) {
            0 => None,
            more => Some(format!("and {} more", Grouped(more)).into()),
        };
        let below: Vec<_> = named.chain(more).collect();
        let below: Vec<&str> = below.iter().map(|name| &**name).collect();
        messages.warning_with(self, &below);
    }
}

/// A number of sitemaps, or 0 if the pages of one were not read to its end, with the reason.
pub(crate) fn were_not_read(sitemaps: u64, reason: &str) -> String {
    match sitemaps {
        0 => reason.to_owned(),
        1 => format!("1 sitemap was not read: {reason}"),
        sitemaps => format!("{} sitemaps were not read: {reason}", Grouped(sitemaps)),
    }
}

impl fmt::Display for NotRead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            names,
            count,
            reason,
            ..
        } = self;
        let index = self.listed_in.filter(|_| self.is_at_entry);
        if let Some(index) = index {
            write!(f, "{}: ", clipped(index))?;
        }
        match (names, count) {
            ([name, ..], _) if self.is_about_one() && index.is_some() => {
                write!(f, "{} is not read: {reason}", clipped(name))
            }
            ([name, ..], _) if self.is_about_one() => write!(f, "{}: {reason}", clipped(name)),
            (_, count) => f.write_str(&were_not_read(*count, reason)),
        }
    }
}
