//! The record of a sitemap in a crawl: 40 bytes, and its URL, which is shared with the map of the frontier.

use std::sync::Arc;

use quick_sitemap::Completeness;
use url::Url;

use super::failure::Failure;
use super::seen::Seen;

/// The number of robots.txt, with which a crawl begins. Sitemaps are numbered from 1.
pub(super) const ROBOTS: u32 = 0;

/// The state of a sitemap: from [`Sitemap::state`](super::Sitemap::state), and after a request from
/// [`Ended::state`](super::Ended::state).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum State {
    /// It waits for its first request, for a retry after a failure, or for the request of the target of a redirect.
    #[default]
    Queued,
    /// A [`Request`](super::Request) or a [`Receiver`](super::Receiver) is at work.
    Active,
    /// It was read to its end. [`Incomplete`](Completeness::Incomplete) means that entries were skipped.
    Done(Completeness),
    /// It was not read to its end, because the crawl reached [`max_pages`](super::CrawlBuilder::max_pages).
    Partial,
    /// The server answered that it has not changed (304). Its pages are those of the earlier run; the sitemaps that it lists
    /// are read.
    Unchanged,
    /// There is no robots.txt, or no sitemap at one of the usual places: the server answered 404 or 410, refused it with
    /// another status from 400 to 499 except 429, sent something else, such as an HTML page, or a redirect that cannot be
    /// followed.
    Missing,
    /// A redirect leads to another sitemap of the crawl.
    Duplicate,
    /// It could not be fetched or read; [`Sitemap::failure`](super::Sitemap::failure) gives the reason.
    Failed,
}

impl State {
    /// Returns `true` if its entries were returned, in this run or in an earlier one.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Self::Done(_) | Self::Partial | Self::Unchanged)
    }
}

#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) url: Arc<str>,
    /// The index that lists it; `ROBOTS` if none does.
    pub(super) parent: u32,
    /// Pages that were returned, except in attempts that are repeated; those of the earlier run if it is unchanged.
    pub(super) pages: u32,
    /// 1 for the sitemaps that robots.txt lists.
    pub(super) depth: u16,
    pub(super) state: State,
    pub(super) attempts: u8,
    /// No index lists it: it is one of the usual places.
    pub(super) is_guess: bool,
    /// `None` if nothing was seen of it.
    pub(super) seen: Option<Seen>,
    pub(super) rare: Option<Box<Rare>>,
}

/// The sitemaps of a crawl, numbered from 1 in the order in which they were found, and its robots.txt.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) robots: Record,
    pub(super) sitemaps: Vec<Record>,
}

impl Records {
    /// A number that is not that of a sitemap is treated as [`ROBOTS`].
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
#[derive(Debug, Default)]
pub(super) struct Rare {
    /// The URL at the end of redirects.
    pub(super) location: Option<Arc<str>>,
    /// The target of a redirect, to be requested next.
    pub(super) target: Option<Url>,
    /// The URLs that have redirected to it, in the latest attempt.
    pub(super) way: Vec<Box<str>>,
    /// `true` if it must be requested without a condition.
    pub(super) is_unconditional: bool,
    /// Another document lists the URL at the end of redirects.
    pub(super) is_location_listed: bool,
    /// The failure of the latest attempt that has failed. It is kept if the sitemap is [missing](State::Missing), so its
    /// [`absence`](Failure::absence) tells what was answered.
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

    pub(super) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// The target of a redirect, if it is requested next instead of the sitemap's own URL.
    pub(super) fn take_target(&mut self) -> Option<Url> {
        self.rare.as_mut()?.target.take()
    }

    /// A new attempt begins at its own URL.
    pub(super) fn forget_way(&mut self) {
        if let Some(rare) = &mut self.rare {
            rare.way.clear();
        }
    }

    /// Why it has failed.
    pub(super) fn failure(&self) -> Option<&Failure> {
        let failure = self.rare.as_ref()?.failure.as_ref();
        failure.filter(|_| self.state == State::Failed)
    }

    /// Host and port of the URL that is requested next.
    pub(super) fn authority(&self) -> &str {
        if let Some(target) = self.rare.as_ref().and_then(|rare| rare.target.as_ref()) {
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
