//! Sitemaps that are listed, but not read.

use std::fmt;

use super::digest::{Digest, DigestMap};
use super::text::clipped;

/// Examples of each reason.
const EXAMPLES: usize = 5;

/// Why a sitemap that is listed is not read.
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
    /// The function of [`CrawlBuilder::children`](super::CrawlBuilder::children) rejected it.
    Rejected,
    /// There are more than [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps). An index is not read any
    /// further then, so there can be more of these than were counted.
    TooMany,
}

impl Reason {
    pub(super) const ALL: [Self; 5] = [
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

/// Sitemaps that are listed, but not read, for one reason. From [`Summary::left_out`](super::Summary::left_out).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Why they are not read.
    pub reason: Reason,
    /// Number of sitemaps. Each counts once, unless there are more than
    /// [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps) of them.
    pub count: u64,
    /// Up to five of them, in the order of their URLs. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// Sitemaps left out, by reason.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies([Tally; Reason::ALL.len()]);

impl Tallies {
    fn of(&mut self, reason: Reason) -> &mut Tally {
        let Self([other_host, too_deep, too_long, rejected, too_many]) = self;
        match reason {
            Reason::OtherHost => other_host,
            Reason::TooDeep => too_deep,
            Reason::UrlTooLong => too_long,
            Reason::Rejected => rejected,
            Reason::TooMany => too_many,
        }
    }

    /// `most` digests are kept for each reason.
    pub(super) fn add(&mut self, reason: Reason, digest: Digest, url: &str, most: usize) {
        self.of(reason).add(digest, url, most);
    }

    /// The sitemap is read after all.
    pub(super) fn remove(&mut self, digest: Digest) {
        for tally in &mut self.0 {
            tally.remove(digest);
        }
    }

    /// Adds what an index has left out, except what is read because of another listing. Returns whether anything was.
    pub(super) fn merge(
        &mut self,
        other: &Self,
        most: usize,
        is_known: impl Fn(Digest) -> bool,
    ) -> bool {
        let mut is_some = false;
        for (into, from) in self.0.iter_mut().zip(&other.0) {
            is_some |= into.merge(from, most, &is_known);
        }
        is_some
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|tally| tally.count == 0)
    }

    pub(super) fn list(&self) -> Vec<LeftOut> {
        let mut left_out = Vec::new();
        for (reason, tally) in Reason::ALL.iter().zip(&self.0) {
            if tally.count > 0 {
                left_out.push(LeftOut {
                    reason: *reason,
                    count: tally.count,
                    examples: tally.examples.iter().map(|(url, _)| url.clone()).collect(),
                });
            }
        }
        left_out
    }
}

#[derive(Debug, Clone, Default)]
struct Tally {
    count: u64,
    examples: Vec<(String, Digest)>,
    /// Those that count once, and not at all if they are read after all.
    counted: DigestMap<()>,
}

impl Tally {
    fn add(&mut self, digest: Digest, url: &str, most: usize) {
        if self.count(digest, most) {
            self.show(clipped(url).into_owned(), digest);
        }
    }

    /// Returns `false` if it has been counted before.
    fn count(&mut self, digest: Digest, most: usize) -> bool {
        if self.counted.contains_key(&digest) {
            return false;
        }
        if self.counted.len() < most {
            self.counted.insert(digest, ());
        }
        self.count += 1;
        true
    }

    fn show(&mut self, url: String, digest: Digest) {
        let example = (url, digest);
        let at = self.examples.partition_point(|before| *before < example);
        if at < EXAMPLES {
            self.examples.truncate(EXAMPLES - 1);
            self.examples.insert(at, example);
        }
    }

    fn remove(&mut self, digest: Digest) {
        if self.counted.remove(&digest).is_some() {
            self.count -= 1;
            self.examples.retain(|(_, shown)| *shown != digest);
        }
    }

    fn merge(&mut self, other: &Self, most: usize, is_known: impl Fn(Digest) -> bool) -> bool {
        // More than could be told apart.
        let beyond = other.count - other.counted.len() as u64;
        self.count += beyond;
        let mut is_some = beyond > 0;
        for digest in other.counted.keys() {
            if !is_known(*digest) {
                self.count(*digest, most);
                is_some = true;
            }
        }
        for (url, digest) in &other.examples {
            let is_shown = self.examples.iter().any(|(_, shown)| shown == digest);
            if !is_known(*digest) && !is_shown {
                self.show(url.clone(), *digest);
            }
        }
        is_some
    }
}
