//! The bounds and options of a crawl.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use quick_sitemap::Limits;
use quick_sitemap::ReaderBuilder;
use quick_sitemap::W3cDatetime;

use super::known::Known;
use super::pace::Pace;
use super::text::site_key;

type Filter = dyn Fn(&Child<'_>) -> bool + Send + Sync;
type Recall = dyn Fn(&Url) -> Option<Known> + Send + Sync;

/// A sitemap that an index lists. See [`CrawlBuilder::filter_children`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Child<'c> {
    /// Its URL, without fragment, user and password.
    pub url: &'c Url,
    /// The `lastmod` that the index has for it.
    pub lastmod: Option<W3cDatetime>,
    /// The URL of the index, as it is listed.
    pub parent: &'c Url,
    /// 2 for the sitemaps in a first index, 3 for those in an index that it lists, and so on.
    pub depth: u32,
}

/// Creates a [`Crawl`](super::Crawl) with other bounds and options than the default.
///
/// # Examples
///
/// ```
/// use std::time::SystemTime;
///
/// use quick_sitemap_crawl::{CrawlBuilder, Next};
/// use quick_sitemap::url::Url;
///
/// let mut crawl = CrawlBuilder::new()
///     .max_sitemaps(1_000)
///     .max_depth(2)
///     .filter_children(|child| !child.url.path().contains("/archive/"))
///     .site(&Url::parse("https://example.com/")?);
/// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
/// assert_eq!(request.url.as_str(), "https://example.com/robots.txt");
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[derive(Clone)]
#[must_use = "a builder does nothing until `site`, `sitemap` or `sitemaps` is called"]
pub struct CrawlBuilder {
    pub(super) max_depth: u16,
    pub(super) max_sitemaps: usize,
    pub(super) max_children: usize,
    pub(super) max_bytes: u64,
    pub(super) max_pages: u64,
    pub(super) retries: u8,
    pub(super) max_retry_after: Duration,
    pub(super) pace: Pace,
    pub(super) user_agent: Option<String>,
    pub(super) any_host: bool,
    /// Without `www.`.
    pub(super) hosts: HashSet<String>,
    pub(super) allow_downgrade: bool,
    pub(super) ignore_robots: bool,
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) known: Option<Arc<Recall>>,
    pub(super) reader: ReaderBuilder,
}

impl fmt::Debug for CrawlBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrawlBuilder").finish_non_exhaustive()
    }
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
            max_depth: 3,
            max_sitemaps: 10_000,
            max_children: usize::MAX,
            max_bytes: Limits::default().bytes,
            max_pages: u64::MAX,
            retries: 3,
            max_retry_after: Duration::from_secs(60),
            pace: Pace::new(),
            user_agent: None,
            any_host: false,
            hosts: HashSet::new(),
            allow_downgrade: false,
            ignore_robots: false,
            filter: None,
            known: None,
            reader: ReaderBuilder::new(),
        }
    }

    /// Sets how deep indexes can be nested. A sitemap that robots.txt lists, or that the caller names, has the depth 1. The
    /// default is 3, the minimum 1, and the maximum 65,534.
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = u16::try_from(depth)
            .unwrap_or(u16::MAX)
            .clamp(1, u16::MAX - 1);
        self
    }

    /// Sets the maximum number of sitemaps, including indexes. The default is 10,000, the minimum 1. Each takes at most
    /// 220 bytes of memory in addition to its URL, or 900 if each is on a host of its own.
    ///
    /// If there are more, the indexes share the remaining number: a waiting sitemap with a late place in its index is replaced
    /// by one with an earlier place in another index. Sitemaps that are left out are counted as
    /// [`Reason::TooMany`](super::Reason::TooMany). Which ones these are depends on the order of responses, because sitemaps
    /// that have been requested stay. Those that robots.txt lists or the caller names stay, too.
    pub fn max_sitemaps(mut self, sitemaps: usize) -> Self {
        // Numbers have 32 bits.
        self.max_sitemaps = sitemaps.clamp(1, i32::MAX as usize);
        self
    }

    /// Sets the maximum number of sitemaps that are read of one index; robots.txt is not one. By default, only
    /// [`max_sitemaps`](Self::max_sitemaps) is a bound.
    pub fn max_children(mut self, sitemaps: usize) -> Self {
        self.max_children = sitemaps;
        self
    }

    /// Sets the maximum number of bytes of each sitemap, both as sent and unpacked. The default is 52,428,800 (50 MiB),
    /// which is the limit of the protocol.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the maximum number of pages that the crawl returns. Then it stops. By default, there is no maximum.
    pub fn max_pages(mut self, pages: u64) -> Self {
        self.max_pages = pages;
        self
    }

    /// Also reads sitemaps on hosts that are not [trusted](super#hosts), if indexes list them or redirects lead to them.
    /// The default is `false`.
    pub fn any_host(mut self, any: bool) -> Self {
        self.any_host = any;
        self
    }

    /// Trusts a host in addition to [those of the site](super#hosts), with any scheme. `host_name` is a name or an IP address
    /// (IPv6 in brackets), with its port if that is not the default. The method can be called for several hosts.
    pub fn allow_host(mut self, host_name: impl AsRef<str>) -> Self {
        let url = Url::parse(&format!("https://{}/", host_name.as_ref()));
        self.hosts.extend(url.map(|url| site_key(&url).to_owned()));
        self
    }

    /// Also follows redirects from https to http. The default is `false`.
    pub fn allow_downgrade(mut self, follow: bool) -> Self {
        self.allow_downgrade = follow;
        self
    }

    /// Also tries the [usual places](super#what-is-read) if robots.txt is
    /// [not understood](super::robots::Answer::NotUnderstood) or [unreachable](super::robots::Answer::Unreachable). The
    /// default is `false`, because such a robots.txt may forbid everything, and the site may be in trouble. The rules of a
    /// robots.txt are for pages: a crawl requests sitemaps even if they are forbidden.
    pub fn ignore_robots(mut self, ignore: bool) -> Self {
        self.ignore_robots = ignore;
        self
    }

    /// Sets which sitemaps of an index are read, at every level: those for which the function returns `true`. The default is
    /// all of them. Sitemaps that robots.txt lists, or that the caller names, are always read.
    ///
    /// # Examples
    ///
    /// Only sitemaps that may have changed since a date:
    ///
    /// ```
    /// use quick_sitemap::chrono::{DateTime, Utc};
    /// use quick_sitemap_crawl::CrawlBuilder;
    ///
    /// let since: DateTime<Utc> = "2025-03-01T00:00:00Z".parse()?;
    /// let builder = CrawlBuilder::new()
    ///     .filter_children(move |child| child.lastmod.is_none_or(|date| date.may_be_since(since)));
    /// # let _ = builder;
    /// # Ok::<(), quick_sitemap::chrono::ParseError>(())
    /// ```
    pub fn filter_children(
        mut self,
        accept: impl Fn(&Child<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.filter = Some(Arc::new(accept));
        self
    }

    /// Sets the function that returns the [`Ended::known`](super::Ended::known) of a document from an earlier run. The request
    /// then has a condition, so send the headers that [`Request::if_none_match`](super::Request::if_none_match) and
    /// [`Request::if_modified_since`](super::Request::if_modified_since) return.
    ///
    /// The function gets the URL under which a document is listed. After a redirect, it also gets the target, unless it has
    /// returned the validators of the target before. A sitemap that the server answers with 304 is
    /// [unchanged](super::State::Unchanged); if it is an index, the sitemaps that it lists are read. If a client
    /// that follows redirects itself gets a 304 for the target, the sitemap is requested again without a condition. robots.txt
    /// is always requested in full; its `Known` tells what it listed before. The
    /// function is called when a document is requested and when it ends, and it is not asynchronous: load the rows first if
    /// your database is.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap::url::Url;
    /// use quick_sitemap_crawl::{CrawlBuilder, Known, Next, Response, State};
    ///
    /// let sitemap = Url::parse("https://example.com/a.xml")?;
    /// let mut rows = HashMap::new();
    /// let mut crawl = CrawlBuilder::new().sitemap(&sitemap);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200).header("ETag", "\"7\""));
    /// assert_eq!(receiver.pages(&b"https://example.com/1\n"[..]).count(), 1);
    /// if let Some(known) = crawl.end(receiver).known() {
    ///     rows.insert(known.url().clone(), known.to_string());
    /// }
    ///
    /// // The next day.
    /// let mut crawl = CrawlBuilder::new().known(move |url| rows.get(url)?.parse().ok()).sitemap(&sitemap);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// assert_eq!(request.if_none_match(), Some("\"7\""));
    /// let receiver = crawl.begin(request, Response::new(304));
    /// assert_eq!(crawl.end(receiver).state(), State::Unchanged);
    /// # Ok::<(), quick_sitemap::url::ParseError>(())
    /// ```
    pub fn known(mut self, known: impl Fn(&Url) -> Option<Known> + Send + Sync + 'static) -> Self {
        self.known = Some(Arc::new(known));
        self
    }

    /// Sets how often a sitemap is requested again after a [transient failure](super::Failure::is_transient). The default is
    /// 3, the maximum 100. The first wait is at most half a second. Each later one is twice as long, up to 30 seconds, and half
    /// of each wait is random. When its time has come, a retry goes before all sitemaps that have not been requested.
    ///
    /// If a response has a `Retry-After`, the crawl sends no request to that host for that time. See
    /// [`max_retry_after`](Self::max_retry_after).
    pub fn retries(mut self, retries: u8) -> Self {
        self.retries = retries.min(100);
        self
    }

    /// Sets the longest `Retry-After` that is waited for. The default is 60 seconds. If a host requires more, all of its
    /// remaining sitemaps fail at once, without a request. Those that have not failed for a reason of their own fail with
    /// [`Reason::Paused`](super::Reason::Paused). A sitemap that an index lists later is only requested if the rest of the
    /// pause is no longer than this.
    pub fn max_retry_after(mut self, wait: Duration) -> Self {
        self.max_retry_after = wait;
        self
    }

    /// Sets the pause between the end of a response and the next request to the same host and port. The default is none.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.pace = self.pace.delay(delay);
        self
    }

    /// Sets how many requests to one host and port can be at work at a time. The default and the minimum is 1.
    pub fn per_host(mut self, requests: usize) -> Self {
        self.pace = self.pace.per_host(requests);
        self
    }

    /// Sets the pace of requests, which several crawls can share. It replaces an earlier [`delay`](Self::delay) and
    /// [`per_host`](Self::per_host). If a host is busy with the request of another crawl, [`Next::Wait`](super::Next::Wait)
    /// returns the time of the next attempt, which is a tenth of a second later.
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Sets the name of the crawler, such as `my-crawler`. The `Crawl-delay` that robots.txt has for it is then kept as the
    /// delay of that host, up to 30 seconds; see [`CrawlSummary::crawl_delay`](super::CrawlSummary::crawl_delay). By default,
    /// robots.txt is only read for its sitemaps. Send the header `User-Agent` yourself.
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = Some(name.into());
        self
    }

    /// Sets the policy and the other options with which sitemaps are read. The crawl sets the
    /// [charset](ReaderBuilder::charset), the [base URL](ReaderBuilder::base_url), the
    /// [location](ReaderBuilder::location) and [`max_bytes`](ReaderBuilder::max_bytes) for each sitemap itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{CrawlBuilder, Next, Response, State};
    /// use quick_sitemap::{Completeness, Policy, ReaderBuilder};
    ///
    /// let strict = ReaderBuilder::new().policy(Policy::STRICT);
    /// let mut crawl = CrawlBuilder::new().reader(strict).sitemap(&"https://example.com/s.xml".parse().unwrap());
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// let body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/relative</loc></url></urlset>";
    /// assert_eq!(receiver.pages(body.as_bytes()).count(), 0);
    /// assert_eq!(crawl.end(receiver).state(), State::Done(Completeness::Incomplete));
    /// ```
    pub fn reader(mut self, reader: ReaderBuilder) -> Self {
        self.reader = reader;
        self
    }
}
