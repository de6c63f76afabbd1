//! The bounds and options of a crawl.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use url::Url;

use crate::reader::ReaderBuilder;
use crate::value::W3cDatetime;

use super::digest::Digester;
use super::judge::{Accept, Judge};
use super::text::host;

/// When the caller last fetched a sitemap.
pub(super) type Since = dyn Fn(&Url) -> Option<SystemTime> + Send + Sync;

/// The options of a crawl.
#[derive(Clone)]
pub(super) struct Options {
    pub(super) max_depth: u16,
    pub(super) max_sitemaps: usize,
    pub(super) max_bytes: u64,
    pub(super) max_pages: u64,
    pub(super) retries: u8,
    pub(super) max_retry_after: Duration,
    pub(super) delay: Duration,
    is_any_host: bool,
    hosts: Vec<String>,
    may_downgrade: bool,
    accept: Option<Arc<Accept>>,
    pub(super) since: Option<Arc<Since>>,
    pub(super) reader: ReaderBuilder,
}

impl Options {
    pub(super) fn new() -> Self {
        Self {
            max_depth: 3,
            max_sitemaps: 10_000,
            max_bytes: 500 << 20,
            max_pages: u64::MAX,
            retries: 3,
            max_retry_after: Duration::from_secs(60),
            delay: Duration::ZERO,
            is_any_host: false,
            hosts: Vec::new(),
            may_downgrade: false,
            accept: None,
            since: None,
            reader: ReaderBuilder::new(),
        }
    }

    pub(super) fn judge(&self) -> Judge {
        Judge {
            digester: Digester::default(),
            max_depth: self.max_depth,
            max_sitemaps: self.max_sitemaps,
            is_any_host: self.is_any_host,
            may_downgrade: self.may_downgrade,
            accept: self.accept.clone(),
            hosts: self.hosts.iter().cloned().collect(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_depth", &self.max_depth)
            .field("max_sitemaps", &self.max_sitemaps)
            .field("max_bytes", &self.max_bytes)
            .field("max_pages", &self.max_pages)
            .field("retries", &self.retries)
            .field("max_retry_after", &self.max_retry_after)
            .field("delay", &self.delay)
            .field("is_any_host", &self.is_any_host)
            .field("hosts", &self.hosts)
            .field("may_downgrade", &self.may_downgrade)
            .finish_non_exhaustive()
    }
}

/// Creates a [`Crawl`](super::Crawl) with other bounds and options than the default.
///
/// # Examples
///
/// ```
/// use quick_sitemap::crawl::CrawlBuilder;
/// use quick_sitemap::url::Url;
///
/// let mut crawl = CrawlBuilder::new()
///     .max_sitemaps(1_000)
///     .max_depth(2)
///     .children(|url, _| !url.path().contains("/archive/"))
///     .site(&Url::parse("https://example.com/")?);
/// assert_eq!(crawl.next_request().unwrap().url.as_str(), "https://example.com/robots.txt");
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `site` or `sitemap` is called"]
pub struct CrawlBuilder {
    pub(super) options: Options,
}

impl Default for CrawlBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl CrawlBuilder {
    /// Creates a builder with the default options.
    pub fn new() -> Self {
        Self {
            options: Options::new(),
        }
    }

    /// Sets how deep indexes can be nested. A sitemap that robots.txt lists, or that the caller names, has the depth 1. The
    /// default is 3, the minimum 1, and the maximum 65,535.
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.options.max_depth = u16::try_from(depth).unwrap_or(u16::MAX).max(1);
        self
    }

    /// Sets the maximum number of sitemaps, including indexes. The default is 10,000, the minimum 1. Each takes at most
    /// 150 bytes of memory in addition to its URL.
    pub fn max_sitemaps(mut self, sitemaps: usize) -> Self {
        self.options.max_sitemaps = sitemaps.max(1);
        self
    }

    /// Sets the maximum number of bytes of each sitemap, both as sent and unpacked. The default is 524,288,000 (500 MiB).
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.options.max_bytes = bytes;
        self
    }

    /// Sets the maximum number of pages that the crawl returns. Then it stops. By default, there is no maximum.
    pub fn max_pages(mut self, pages: u64) -> Self {
        self.options.max_pages = pages;
        self
    }

    /// Also reads sitemaps on hosts that are not [trusted](super#hosts), if indexes list them or redirects lead to them.
    /// The default is `false`.
    pub fn any_host(mut self, any: bool) -> Self {
        self.options.is_any_host = any;
        self
    }

    /// Trusts a host in addition to [those of the site](super#hosts), with any scheme and port. `host` is a name or an IP
    /// address (IPv6 in brackets), without a port. The method can be called for several hosts.
    pub fn allow_host(mut self, host_name: impl AsRef<str>) -> Self {
        let url = Url::parse(&format!("https://{}/", host_name.as_ref()));
        self.options
            .hosts
            .extend(url.ok().and_then(|url| host(&url)));
        self
    }

    /// Also follows redirects from https to http. The default is `false`.
    pub fn downgrade(mut self, follow: bool) -> Self {
        self.options.may_downgrade = follow;
        self
    }

    /// Sets which sitemaps of an index are read, at every level: those for which the function returns `true`. It gets the
    /// URL and the `lastmod` that the index has for it. The default is all of them. Sitemaps that robots.txt lists are
    /// always read.
    ///
    /// # Examples
    ///
    /// Only sitemaps that may have changed since a date:
    ///
    /// ```
    /// use quick_sitemap::chrono::{DateTime, Utc};
    /// use quick_sitemap::crawl::CrawlBuilder;
    ///
    /// let since: DateTime<Utc> = "2025-03-01T00:00:00Z".parse()?;
    /// let builder = CrawlBuilder::new()
    ///     .children(move |_, lastmod| lastmod.is_none_or(|date| date.may_be_since(since)));
    /// # let _ = builder;
    /// # Ok::<(), quick_sitemap::chrono::ParseError>(())
    /// ```
    pub fn children(
        mut self,
        accept: impl Fn(&Url, Option<W3cDatetime>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.options.accept = Some(Arc::new(accept));
        self
    }

    /// Sets when each sitemap was last fetched, for [`Request::not_modified_since`](super::Request::not_modified_since).
    ///
    /// If the server then answers with 304, push the body that you have kept. Without a body, the sitemap is
    /// [unchanged](super::State::Unchanged), and if it is an index, the sitemaps that it lists are not known. So return a
    /// time for an index only if you keep its body.
    pub fn not_modified_since(
        mut self,
        since: impl Fn(&Url) -> Option<SystemTime> + Send + Sync + 'static,
    ) -> Self {
        self.options.since = Some(Arc::new(since));
        self
    }

    /// Sets how often a sitemap is requested again after a [failure](super::Failure::is_transient) that may pass. The
    /// first retry comes after half a second at most; each later one waits twice as long, up to 30 seconds. Half of the
    /// wait is random. If the response has a `Retry-After`, the crawl waits for that time instead, and sends no other
    /// request to that host meanwhile. The default is 3, the maximum 100.
    pub fn retries(mut self, retries: u8) -> Self {
        self.options.retries = retries.min(100);
        self
    }

    /// Sets the longest `Retry-After` that is waited for. A sitemap whose server requires more has failed. The default is
    /// 60 seconds.
    pub fn max_retry_after(mut self, wait: Duration) -> Self {
        self.options.max_retry_after = wait;
        self
    }

    /// Sets the pause between two requests to the same host and port. The default is none. The crawl knows only the time
    /// that [`Crawl::set_time`](super::Crawl::set_time) sets.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.options.delay = delay;
        self
    }

    /// Sets the policy and the other options with which sitemaps are read. The crawl sets the
    /// [charset](ReaderBuilder::charset), the [base URL](ReaderBuilder::base_url), the
    /// [location](ReaderBuilder::location) and [`max_bytes`](ReaderBuilder::max_bytes) for each sitemap itself.
    pub fn reader(mut self, reader: ReaderBuilder) -> Self {
        self.options.reader = reader;
        self
    }
}
