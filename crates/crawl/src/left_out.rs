//! Sitemaps that are listed, but not read.

use std::collections::{BTreeMap, BTreeSet};

use super::failure::Reason;
use super::text::shown;

/// URLs that are kept of each reason.
const EXAMPLES: usize = 20;
/// Characters of such a URL.
const EXAMPLE: usize = 200;

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
    /// Up to 20 of them, the first in the order of their URLs. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// Numbers and examples of sitemaps that are left out: those of one index, or those of all.
#[derive(Debug, Default)]
pub(super) struct Omissions(BTreeMap<Reason, (u64, BTreeSet<String>)>);

impl Omissions {
    pub(super) fn add(&mut self, reason: Reason, url: &str) {
        self.extend(reason, 1, [shown(url, EXAMPLE)]);
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (reason, (count, examples)) in other.0 {
            self.extend(reason, count, examples);
        }
    }

    /// Keeps the first examples, so that the order of the indexes does not matter.
    fn extend(&mut self, reason: Reason, more: u64, urls: impl IntoIterator<Item = String>) {
        let (count, examples) = self.0.entry(reason).or_default();
        *count += more;
        examples.extend(urls);
        while examples.len() > EXAMPLES {
            examples.pop_last();
        }
    }

    /// `is_read` returns `true` for a URL that is read because of another listing.
    pub(super) fn list(&self, is_read: impl Fn(&str) -> bool) -> Vec<LeftOut> {
        let all = self.0.iter().map(|(reason, (count, examples))| LeftOut {
            reason: *reason,
            count: *count,
            examples: examples
                .iter()
                .filter(|url| !is_read(url))
                .cloned()
                .collect(),
        });
        all.collect()
    }
}
