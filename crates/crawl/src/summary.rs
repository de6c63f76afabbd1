//! The results of a crawl so far.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use url::Url;

use super::failure::{Failure, Reason};
use super::record::{Record, State};
use super::seen::{KnownKind, Seen};
use super::text::shown;

/// Number of URLs that are kept per reason.
const EXAMPLES: usize = 20;
/// Maximum number of characters of such a URL.
const EXAMPLE: usize = 200;

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
    /// Number of sitemaps that redirect to another sitemap of the crawl. The number depends on the order of responses, because
    /// a target that is listed only after the redirect was followed is not another sitemap.
    pub duplicates: u64,
    /// Number of pages in the sitemaps whose [`Receiver`](super::Receiver) has ended, without those of attempts that
    /// are repeated. A page that two sitemaps list is counted twice.
    pub pages: u64,
    /// Number of entries that were skipped because they are broken.
    pub skipped: u64,
    /// Number of bytes of sitemaps that were pushed, as they were sent.
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
    /// that is kept: no more than 30 seconds of it, but at least [`CrawlBuilder::delay`](super::CrawlBuilder::delay).
    pub crawl_delay: Option<(Duration, Duration)>,
    /// See [`CrawlSummary::coverage`].
    pub(super) coverage: Coverage,
}

impl CrawlSummary {
    /// Returns whether all pages of the site's sitemaps were returned. To delete pages, this is neither needed nor enough: see
    /// [`Crawl::gone`](super::Crawl::gone) and [`Crawl::pages_may_go`](super::Crawl::pages_may_go).
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }
}

/// The answer to whether a crawl has returned all pages of a site's sitemaps. From [`CrawlSummary::coverage`].
///
/// The variants are ordered from best to worst, and the coverage of a crawl is the worst of its documents. The enum can be
/// matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Coverage {
    /// Every sitemap was read to its end in this run, no entry was skipped, and there is at least one page.
    Complete,
    /// Everything is known, but some pages were not returned now, because their sitemaps have not
    /// [changed](State::Unchanged) or were read before the crawl was resumed.
    Changes,
    /// No page is known to be missing, but some may be: a sitemap is a text or a feed; robots.txt or a usual place was
    /// refused; a document lists less than in the earlier run, all at once; there is no page; or the crawl is not done.
    Unknown,
    /// Pages are missing: a sitemap could not be read to its end or was left out, an entry was skipped, or robots.txt could
    /// not be read.
    Incomplete,
}

impl Coverage {
    /// Returns `complete`, `changes`, `unknown` or `incomplete`, for reports and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Changes => "changes",
            Self::Unknown => "unknown",
            Self::Incomplete => "incomplete",
        }
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

    /// Returns the URL at which it was read, if it differs from [`url`](Self::url).
    #[must_use]
    pub fn location(self) -> Option<Url> {
        self.record.rare.as_ref()?.location.as_ref()?.parse().ok()
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
        let is_index = |seen: Seen| seen.kind == KnownKind::Index;
        self.record.seen.is_some_and(is_index)
    }

    /// Returns `true` if the rows of its pages that were not returned may be deleted, when the crawl is done. See
    /// [`Ended::rows_may_go`](super::Ended::rows_may_go).
    #[must_use]
    pub fn rows_may_go(self) -> bool {
        self.record.seen.is_some_and(Seen::rows_may_go)
    }

    /// Returns its state.
    #[must_use]
    pub fn state(self) -> State {
        self.record.state
    }

    /// Returns why it could not be fetched or read.
    #[must_use]
    pub fn failure(self) -> Option<&'c Failure> {
        self.record.failure()
    }
}

/// Sitemaps that are listed, but not read, for one reason. From [`CrawlSummary::left_out`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The reason why they are not read.
    pub reason: Reason,
    /// Number of times that an index or robots.txt lists such a sitemap. A sitemap is counted for each index that lists it,
    /// even if it is read because of another listing. It is not counted if robots.txt lists it or the caller names it.
    pub count: u64,
    /// Up to 20 of their URLs, the first in alphabetical order. URLs of more than 200 characters are cut.
    pub examples: Vec<String>,
}

/// Numbers and examples of sitemaps that are left out, of one index or of the complete crawl.
#[derive(Debug, Default)]
pub(super) struct Omissions(HashMap<Reason, (u64, BTreeSet<String>)>);

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

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
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
        let mut all: Vec<_> = all.collect();
        all.sort_by_cached_key(|left| left.reason.to_string());
        all
    }
}
