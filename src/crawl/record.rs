//! One sitemap of a crawl, as it is kept: 40 bytes and its URL, and a digest in the frontier's map.

use url::Url;

use crate::summary::Completeness;

use super::failure::Failure;

/// The state of a sitemap. See [`Sitemap::state`](super::Sitemap::state).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// It is to be requested, or to be requested again.
    Queued,
    /// A [`Request`](super::Request) or a [`Receiver`](super::Receiver) is at work.
    Active,
    /// It was read to its end. [`Incomplete`](Completeness::Incomplete) means that entries were skipped.
    Done(Completeness),
    /// It was not read to its end, because the crawl reached
    /// [`max_sitemaps`](super::CrawlBuilder::max_sitemaps) or [`max_pages`](super::CrawlBuilder::max_pages).
    Partial,
    /// The server answered that it has not changed (304), and no body was pushed.
    Unchanged,
    /// There is no sitemap at one of the usual places.
    Missing,
    /// A redirect leads to another sitemap of the crawl.
    Duplicate,
    /// It could not be fetched or read; [`Sitemap::failure`](super::Sitemap::failure) gives the reason.
    Failed,
}

/// A number that is none: of the parent of a sitemap that no index lists.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Record {
    pub(super) url: Box<str>,
    /// The index that lists it.
    pub(super) parent: u32,
    /// Pages that were returned, if it is done.
    pub(super) pages: u32,
    /// 1 for what robots.txt lists.
    pub(super) depth: u16,
    pub(super) state: State,
    pub(super) attempts: u8,
    /// Nobody lists it: it is where sitemaps often are.
    pub(super) is_guess: bool,
    /// It lists sitemaps.
    pub(super) is_index: bool,
    /// Its pages have been returned, so that only its children are of interest when it is read again.
    pub(super) is_read: bool,
    /// It lists sitemaps that were left out. A crawl that is resumed, perhaps with other bounds, reads it again.
    pub(super) has_left_out: bool,
    pub(super) rare: Option<Box<Rare>>,
}

/// What few sitemaps have.
#[derive(Debug, Default)]
pub(super) struct Rare {
    /// Where redirects have led.
    pub(super) location: Option<Box<str>>,
    /// The target of a redirect, to be requested next.
    pub(super) target: Option<Url>,
    /// Redirects of this attempt.
    pub(super) redirects: u8,
    pub(super) failure: Option<Failure>,
}

impl Record {
    pub(super) fn new(url: Box<str>, parent: u32, depth: u16) -> Self {
        Self {
            url,
            parent,
            pages: 0,
            depth,
            state: State::Queued,
            attempts: 0,
            is_guess: false,
            is_index: false,
            is_read: false,
            has_left_out: false,
            rare: None,
        }
    }

    pub(super) fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub(super) fn location(&self) -> Option<&str> {
        self.rare.as_ref()?.location.as_deref()
    }

    pub(super) fn failure(&self) -> Option<&Failure> {
        self.rare.as_ref()?.failure.as_ref()
    }

    /// What is requested next: the sitemap, or where a redirect leads.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 40, "{}", size_of::<Record>());
    }
}
