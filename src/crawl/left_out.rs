//! Sitemaps that are listed, but not read.

use std::fmt;

use super::digest::{Digest, DigestMap, Digester};
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
    /// The function of [`CrawlBuilder::filter_children`](super::CrawlBuilder::filter_children) rejected it.
    Rejected,
    /// There are more than [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps), or more in one index than
    /// [`CrawlBuilder::max_children`](super::CrawlBuilder::max_children).
    TooMany,
}

impl Reason {
    const ALL: [Self; 5] = [
        Self::OtherHost,
        Self::TooDeep,
        Self::UrlTooLong,
        Self::Rejected,
        Self::TooMany,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherHost => "on another host",
            Self::TooDeep => "listed too deep",
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
    /// Number of sitemaps, each counted once, without those that are read because of another listing. If there are more than
    /// twice [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps), the others count once for each index that
    /// lists them.
    pub count: u64,
    /// Up to five of them, in the order of their URLs. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// Sitemaps that are left out: those of one index, and those of all.
#[derive(Debug, Clone, Default)]
pub(super) struct Omissions {
    /// If there are several reasons, the first in the order of `Reason`, so that the order of the indexes does not matter.
    known: DigestMap<Reason>,
    /// Those that found no room in `known`, by reason.
    others: [u64; Reason::ALL.len()],
    /// By reason, the first URLs in their order.
    examples: [Vec<String>; Reason::ALL.len()],
}

impl Omissions {
    /// At most `room` are known.
    pub(super) fn add(&mut self, digest: Digest, reason: Reason, url: &str, room: usize) {
        self.count(digest, reason, room);
        self.add_example(reason, &clipped(url));
    }

    fn count(&mut self, digest: Digest, reason: Reason, room: usize) {
        let is_full = self.known.len() >= room;
        if let Some(before) = self.known.get_mut(&digest) {
            *before = reason.min(*before);
        } else if !is_full {
            self.known.insert(digest, reason);
        } else if let Some(count) = self.others.get_mut(reason as usize) {
            *count += 1;
        }
    }

    fn add_example(&mut self, reason: Reason, url: &str) {
        if let Some(examples) = self.examples.get_mut(reason as usize)
            && let Err(at) = examples.binary_search_by(|before| before.as_str().cmp(url))
            && at < CANDIDATES
        {
            examples.truncate(CANDIDATES - 1);
            examples.insert(at, url.to_owned());
        }
    }

    pub(super) fn merge(&mut self, other: Self, room: usize) {
        for (digest, reason) in other.known {
            self.count(digest, reason, room);
        }
        for (into, from) in self.others.iter_mut().zip(other.others) {
            *into = into.saturating_add(from);
        }
        for (reason, urls) in Reason::ALL.into_iter().zip(&other.examples) {
            urls.iter().for_each(|url| self.add_example(reason, url));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Without sitemaps that are read because of another listing.
    pub(super) fn list(
        &self,
        digester: &Digester,
        is_read: impl Fn(&Digest) -> bool,
    ) -> Vec<LeftOut> {
        let mut counts = self.others;
        for (_, reason) in self.known.iter().filter(|(digest, _)| !is_read(digest)) {
            if let Some(count) = counts.get_mut(*reason as usize) {
                *count += 1;
            }
        }
        let mut left_out = Vec::new();
        for ((reason, count), urls) in Reason::ALL.into_iter().zip(counts).zip(&self.examples) {
            let is_example = |url: &&String| {
                let digest = digester.of(url);
                let others = self.known.get(&digest).filter(|known| **known != reason);
                others.is_none() && !is_read(&digest)
            };
            if count > 0 {
                let examples = urls
                    .iter()
                    .filter(is_example)
                    .take(EXAMPLES)
                    .cloned()
                    .collect();
                left_out.push(LeftOut {
                    reason,
                    count,
                    examples,
                });
            }
        }
        left_out
    }
}
