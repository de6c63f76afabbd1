//! The results of a crawl so far.

use std::time::Duration;

use url::Url;

use quick_sitemap::Completeness;

use super::failure::Failure;
use super::left_out::LeftOut;
use super::record::{Record, State};

/// The result of a crawl so far. From [`Crawl::summary`](super::Crawl::summary).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrawlSummary {
    /// Number of sitemaps that are known: those of robots.txt and of all indexes, except those that were left out.
    pub sitemaps: u64,
    /// Number of sitemaps that were read to their end.
    pub done: u64,
    /// Number of sitemaps that could not be fetched or read.
    pub failed: u64,
    /// Number of sitemaps that have not changed. See [`State::Unchanged`].
    pub unchanged: u64,
    /// Number of sitemaps that redirect to another sitemap of the crawl. If a redirect leads to a sitemap before an index
    /// lists it, the two are one sitemap and not counted here, so this depends on the order of responses.
    pub duplicates: u64,
    /// Number of pages in the sitemaps whose [`Receiver`](super::Receiver) has ended, without those of attempts that
    /// are repeated. A page that two sitemaps list is counted twice.
    pub pages: u64,
    /// Number of entries that were skipped because they are broken.
    pub skipped: u64,
    /// Number of bytes that were pushed.
    pub bytes: u64,
    /// The sitemaps that were not read, by reason.
    pub left_out: Vec<LeftOut>,
    /// The reason why robots.txt could not be read, unless it does not exist.
    pub robots_failure: Option<Failure>,
    /// The crawl has stopped because there are more pages than
    /// [`CrawlBuilder::max_pages`](super::CrawlBuilder::max_pages).
    pub has_more_pages: bool,
    /// There are more sitemaps than [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps).
    pub has_more_sitemaps: bool,
    /// The `Crawl-delay` that robots.txt has for [`CrawlBuilder::user_agent`](super::CrawlBuilder::user_agent), and the delay
    /// that is kept. These differ if the first is longer than 30 seconds, or if
    /// [`CrawlBuilder::delay`](super::CrawlBuilder::delay) is.
    pub crawl_delay: Option<(Duration, Duration)>,
    /// The answer to whether these are all pages of the site. See [`CrawlSummary::completeness`].
    pub(super) completeness: Completeness,
}

impl CrawlSummary {
    /// Returns whether all pages of the site's sitemaps were returned.
    ///
    /// * [`Complete`](Completeness::Complete): every sitemap was read to its end, and no entry is missing. A sitemap that has
    ///   not [changed](State::Unchanged) is as complete as it was in the earlier run.
    /// * [`Unknown`](Completeness::Unknown): nothing is known to be missing, but the crawl is not done, or a sitemap is a
    ///   text sitemap or a feed.
    /// * [`Incomplete`](Completeness::Incomplete): a sitemap failed or was left out, an entry was skipped, robots.txt could
    ///   not be read, or there is no sitemap.
    #[must_use]
    pub fn completeness(&self) -> Completeness {
        self.completeness
    }
}

/// A sitemap of a crawl. From [`Crawl::sitemaps`](super::Crawl::sitemaps).
#[derive(Debug, Clone, Copy)]
pub struct Sitemap<'c> {
    pub(super) record: &'c Record,
    pub(super) parent: Option<&'c str>,
}

impl<'c> Sitemap<'c> {
    /// Returns the URL under which it is listed, in normal form.
    #[must_use]
    pub fn url(self) -> &'c str {
        &self.record.url
    }

    /// Returns the URL at which it was read, if that is another one.
    #[must_use]
    pub fn location(self) -> Option<Url> {
        self.record.rare().location.as_ref()?.parse().ok()
    }

    /// Returns the URL of the index that lists it. If several do, it is the one that was read first.
    #[must_use]
    pub fn parent(self) -> Option<&'c str> {
        self.parent
    }

    /// Returns the lowest depth at which it is listed: 1 for the sitemaps of robots.txt.
    #[must_use]
    pub fn depth(self) -> u32 {
        u32::from(self.record.depth)
    }

    /// Returns `true` if it lists other sitemaps.
    #[must_use]
    pub fn is_index(self) -> bool {
        self.record.is_index
    }

    /// Returns what has become of it.
    #[must_use]
    pub fn state(self) -> State {
        self.record.state
    }

    /// Returns why it could not be fetched or read.
    #[must_use]
    pub fn failure(self) -> Option<&'c Failure> {
        match self.record.state {
            State::Failed => self.record.rare().failure.as_ref(),
            _ => None,
        }
    }
}
