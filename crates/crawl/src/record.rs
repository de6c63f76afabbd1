//! One sitemap of a crawl, as it is kept: 40 bytes and its URL, which the frontier's map shares.

use std::sync::Arc;

use url::Url;

#[cfg(feature = "serde")]
use super::failure::Failure;
use quick_sitemap::Completeness;

/// The number of robots.txt, with which a crawl begins. Sitemaps are numbered from 1.
pub(super) const ROBOTS: u32 = 0;

/// The state of a sitemap: from [`Sitemap::state`](super::Sitemap::state), and after a request from
/// [`Ended::state`](super::Ended::state).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(tag = "state", content = "completeness", rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum State {
    /// It waits to be requested, or to be requested again: after a failure, or at the target of a redirect.
    #[default]
    Queued,
    /// A [`Request`](super::Request) or a [`Receiver`](super::Receiver) is at work.
    Active,
    /// It was read to its end. [`Incomplete`](Completeness::Incomplete) means that entries were skipped.
    Done(Completeness),
    /// It was not read to its end, because the crawl reached [`max_pages`](super::CrawlBuilder::max_pages).
    Partial,
    /// The server answered that it has not changed (304), and no body was pushed.
    Unchanged,
    /// There is no robots.txt, or no sitemap at one of the usual places.
    Missing,
    /// A redirect leads to another sitemap of the crawl.
    Duplicate,
    /// It could not be fetched or read; [`Sitemap::failure`](super::Sitemap::failure) gives the reason.
    Failed,
}

/// Returns `true` for values that are not serialized.
#[cfg(feature = "serde")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The serialized form is that of [`Saved`](super::Saved).
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Record {
    pub(super) url: Arc<str>,
    /// The index that lists it; `ROBOTS` if none does.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(super) parent: u32,
    /// Pages that were returned, except in attempts that are repeated.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(super) pages: u32,
    /// 1 for the sitemaps that robots.txt lists.
    pub(super) depth: u16,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(super) state: State,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) attempts: u8,
    /// No index lists it: it is one of the usual places.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(super) is_guess: bool,
    /// It lists sitemaps.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(super) is_index: bool,
    /// Its pages have been returned, so that only its children are of interest when it is read again.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(super) is_read: bool,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(super) rare: Option<Box<Rare>>,
}

/// The sitemaps of a crawl, numbered from 1 in the order in which they were found, and its robots.txt.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) robots: Record,
    pub(super) sitemaps: Vec<Record>,
}

impl Records {
    /// Any other number than that of a sitemap is [`ROBOTS`].
    pub(super) fn get(&self, number: u32) -> &Record {
        let sitemap = self.sitemaps.get((number as usize).wrapping_sub(1));
        sitemap.unwrap_or(&self.robots)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> &mut Record {
        let sitemap = self.sitemaps.get_mut((number as usize).wrapping_sub(1));
        sitemap.unwrap_or(&mut self.robots)
    }
}

/// Properties that few sitemaps have.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rare {
    /// The URL at the end of redirects.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(super) location: Option<Arc<str>>,
    /// The target of a redirect, to be requested next.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) target: Option<Url>,
    /// While it was read, it was found at a lower depth.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) is_raised: bool,
    /// Redirects of this attempt.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) redirects: u8,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) failure: Option<Failure>,
}

impl Record {
    pub(super) fn new(url: Arc<str>, parent: u32, depth: u16) -> Self {
        Self {
            url,
            parent,
            depth,
            ..Self::default()
        }
    }

    pub(super) fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub(super) fn location(&self) -> Option<&Arc<str>> {
        self.rare.as_ref()?.location.as_ref()
    }

    pub(super) fn failure(&self) -> Option<&Failure> {
        self.rare.as_ref()?.failure.as_ref()
    }

    /// The target of a redirect that is requested next, instead of the sitemap's own URL.
    pub(super) fn target(&self) -> Option<&Url> {
        self.rare.as_ref()?.target.as_ref()
    }

    /// Forgets the redirects of an attempt.
    pub(super) fn begin_anew(&mut self) {
        if let Some(rare) = &mut self.rare {
            rare.redirects = 0;
            rare.target = None;
        }
    }

    /// Host and port of the URL that is requested next.
    pub(super) fn authority(&self) -> &str {
        if let Some(target) = self.target() {
            return target.authority();
        }
        // The URL is in normal form, without user and password.
        let (_, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        rest.split_once(['/', '?', '#'])
            .map_or(rest, |(authority, _)| authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 40, "{}", size_of::<Record>());
    }
}
