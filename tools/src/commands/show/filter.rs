//! Which entries are shown.

use quick_sitemap::chrono::{DateTime, FixedOffset};
use quick_sitemap::{Entry, W3cDatetime};
use regex_lite::Regex;

pub(crate) struct Filter<'a> {
    since: Option<DateTime<FixedOffset>>,
    pattern: Option<&'a Regex>,
}

impl<'a> Filter<'a> {
    pub(crate) fn new(since: Option<W3cDatetime>, pattern: Option<&'a Regex>) -> Self {
        Self {
            since: since.map(W3cDatetime::start),
            pattern,
        }
    }

    pub(crate) fn takes(&self, entry: &Entry) -> bool {
        let is_late_enough = |since| {
            let lastmod = entry.lastmod();
            lastmod.is_some_and(|lastmod| lastmod.may_be_since(since))
        };
        self.since.is_none_or(is_late_enough)
            && self
                .pattern
                .is_none_or(|pattern| pattern.is_match(entry.loc().as_str()))
    }
}
