//! Sitemaps that are listed, but not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::text::clipped;

/// Examples of each reason.
const EXAMPLES: usize = 5;
/// URLs that are kept for them. Another listing may cause some of them to be read.
const CANDIDATES: usize = 20;

/// The reason why a listed sitemap is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// It is on a host that is not trusted. See [hosts](super#hosts).
    OtherHost,
    /// It is listed deeper than [`CrawlBuilder::max_depth`](super::CrawlBuilder::max_depth).
    TooDeep,
    /// Its URL has more than 2,047 characters.
    UrlTooLong,
    /// Its URL is neither http nor https.
    OtherScheme,
    /// The function of [`CrawlBuilder::filter_children`](super::CrawlBuilder::filter_children) rejected it.
    Rejected,
    /// There are more than [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps), or more in one index than
    /// [`CrawlBuilder::max_children`](super::CrawlBuilder::max_children).
    TooMany,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherHost => "on another host",
            Self::TooDeep => "listed too deep",
            Self::OtherScheme => "with a URL that is neither http nor https",
            Self::UrlTooLong => "with a URL of more than 2,047 characters",
            Self::Rejected => "rejected by the caller",
            Self::TooMany => "more than the maximum number of sitemaps",
        })
    }
}

/// Sitemaps that are listed, but not read, for one reason. From [`CrawlSummary::left_out`](super::CrawlSummary::left_out).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The reason why they are not read.
    pub reason: Reason,
    /// Number of times that an index or robots.txt lists such a sitemap. One that several indexes list is counted
    /// for each of them, even if it is read because of another listing, but not if robots.txt lists it or the caller names
    /// it.
    pub count: u64,
    /// Up to five of them, the first in the order of their URLs. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// Sitemaps that are left out: those of one index, and those of all.
#[derive(Debug, Default)]
pub(super) struct Omissions {
    /// Numbers of listings by index, because an index can be read again.
    counts: BTreeMap<u32, BTreeMap<Reason, u64>>,
    examples: BTreeMap<Reason, BTreeSet<String>>,
}

impl Omissions {
    /// Counts a sitemap that the index `number` lists.
    pub(super) fn add(&mut self, number: u32, reason: Reason, url: &str) {
        let counts = self.counts.entry(number).or_default();
        *counts.entry(reason).or_default() += 1;
        self.add_example(reason, &clipped(url));
    }

    /// Keeps the first ones, so that the order of the indexes does not matter.
    fn add_example(&mut self, reason: Reason, url: &str) {
        let examples = self.examples.entry(reason).or_default();
        let is_full = examples.len() >= CANDIDATES;
        let is_behind = examples.last().is_some_and(|last| last.as_str() < url);
        if is_full && is_behind || !examples.insert(url.to_owned()) {
            return;
        }
        if is_full {
            examples.pop_last();
        }
    }

    /// Takes over what the index `number` lists, in place of an earlier reading.
    pub(super) fn replace(&mut self, number: u32, other: Self) {
        self.counts.remove(&number);
        self.counts.extend(other.counts);
        for (reason, urls) in other.examples {
            for url in urls {
                self.add_example(reason, &url);
            }
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn are_in(&self, number: u32) -> bool {
        self.counts.contains_key(&number)
    }

    /// `is_read` returns `true` for a URL that is read because of another listing.
    pub(super) fn list(&self, is_read: impl Fn(&str) -> bool) -> Vec<LeftOut> {
        let mut left_out: BTreeMap<Reason, LeftOut> = BTreeMap::new();
        for (reason, count) in self.counts.values().flatten() {
            let of_reason = left_out.entry(*reason).or_insert_with(|| {
                let examples = self.examples.get(reason).into_iter().flatten();
                let examples = examples.filter(|url| !is_read(url)).take(EXAMPLES);
                LeftOut {
                    reason: *reason,
                    count: 0,
                    examples: examples.cloned().collect(),
                }
            });
            of_reason.count += count;
        }
        left_out.into_values().collect()
    }
}
