//! Entries and values that could not be used.

use std::fmt::Display;

use quick_sitemap::{Effect, Issue};

use crate::term::address::without_logins;
use crate::term::count::Count;
use crate::term::messages::Messages;
use crate::term::shortened::shortened;

/// Characters of a problem that are kept.
const LONGEST: usize = 600;

/// Entries and values that could not be used: of a document, or of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost {
    pub(crate) skipped: u64,
    pub(crate) dropped: u64,
    /// Elements of other vocabularies that are in no entry, which are lost only if the pages are written again.
    pub(crate) outside: u64,
    /// The first problems that have cost an entry and a value.
    first: [Option<String>; 2],
}

impl Lost {
    /// Warns that the elements outside of the entries are not written.
    pub(crate) fn print_outside(&self, messages: &Messages) {
        if self.outside > 0 {
            let are = if self.outside == 1 { "is" } else { "are" };
            messages.warning(format_args!(
                "{} of other namespaces {are} in no entry, and {are} not written",
                Count(self.outside, "element")
            ));
        }
    }

    pub(crate) fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            self.dropped += u64::from(issue.effect == Effect::ValueDropped);
            match issue.effect {
                Effect::EntrySkipped => self.keep(0, issue),
                Effect::ValueDropped => self.keep(1, issue),
                _ => {}
            }
        }
    }

    /// A row of a list cannot be used.
    pub(crate) fn row(&mut self, line: u64, why: &str) {
        self.keep(0, format_args!("{line}: {why}"));
    }

    fn keep(&mut self, what: usize, problem: impl Display) {
        if let Some(first @ None) = self.first.get_mut(what) {
            let problem = problem.to_string();
            let problem = without_logins(&problem);
            *first = Some(shortened(&problem, LONGEST).into_owned());
        }
    }

    /// `3 entries cannot be used, the first at 7:3: …`, and the same for values.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> {
        let counts = [(self.skipped, "entry"), (self.dropped, "value")];
        let lost = counts.into_iter().zip(&self.first);
        lost.filter_map(|((count, what), first)| {
            let first = first.as_ref()?;
            let before = if count > 1 { ", the first at " } else { ": " };
            let count = Count(count.max(1), what);
            Some(format!("{count} cannot be used{before}{first}"))
        })
    }
}
