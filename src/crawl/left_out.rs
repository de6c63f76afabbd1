//! Sitemaps that are listed, but not read.

use std::fmt;

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
    /// Why they are not read.
    pub reason: Reason,
    /// Number of listings that are not followed. A sitemap counts once for each index that lists it, even if it is read
    /// because another index lists it.
    pub count: u64,
    /// Up to five of them, in the order of their URLs. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// How many listings one index has that are not followed, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Counts([u64; Reason::ALL.len()]);

impl Counts {
    pub(super) fn add(&mut self, reason: Reason) {
        if let Some(count) = self.0.get_mut(reason as usize) {
            *count += 1;
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (into, from) in self.0.iter_mut().zip(other.0) {
            *into = into.saturating_add(from);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Examples of each reason, without duplicates: the first in the order of their URLs.
#[derive(Debug, Clone, Default)]
pub(super) struct Examples([Vec<String>; Reason::ALL.len()]);

impl Examples {
    pub(super) fn add(&mut self, reason: Reason, url: &str) {
        if let Some(examples) = self.0.get_mut(reason as usize) {
            let url = clipped(url);
            let place = examples.binary_search_by(|before| before.as_str().cmp(&url));
            if let Err(at) = place
                && at < EXAMPLES
            {
                examples.truncate(EXAMPLES - 1);
                examples.insert(at, url.into_owned());
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (reason, urls) in Reason::ALL.into_iter().zip(&other.0) {
            urls.iter().for_each(|url| self.add(reason, url));
        }
    }

    /// Without examples that are read because of another listing.
    pub(super) fn list(&self, counts: &Counts, is_known: impl Fn(&str) -> bool) -> Vec<LeftOut> {
        let counted = Reason::ALL.into_iter().zip(counts.0).zip(&self.0);
        counted
            .filter(|((_, count), _)| *count > 0)
            .map(|((reason, count), examples)| {
                let examples = examples.iter().filter(|url| !is_known(url));
                LeftOut {
                    reason,
                    count,
                    examples: examples.cloned().collect(),
                }
            })
            .collect()
    }
}
