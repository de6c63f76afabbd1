//! Crawling the sitemaps of a site without I/O: which sitemap to fetch next, and what has come of it.
//!
//! A [`Crawl`] keeps the list of the sitemaps of a site, and which of them have been read. It does not fetch anything,
//! has no clock, and does not depend on a runtime. You call it for a [`Request`], fetch the URL with any client, and
//! push the body into a [`Receiver`], which returns the entries. To fetch several sitemaps at a time, take several
//! requests: requests and receivers are `Send` and independent of the crawl, so each can have its own thread or task.
//!
//! ```
//! use std::collections::HashMap;
//!
//! use quick_sitemap::Completeness;
//! use quick_sitemap_crawl::{Crawl, Failure, Response};
//! use quick_sitemap::url::Url;
//!
//! // What a client would fetch.
//! let web = HashMap::from([
//!     ("https://example.com/robots.txt", "Sitemap: /index.xml"),
//!     ("https://example.com/index.xml", "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!         <sitemap><loc>https://example.com/index.xml</loc></sitemap>
//!         <sitemap><loc>https://example.com/a.txt</loc></sitemap>
//!         <sitemap><loc>https://example.com/lost.txt</loc></sitemap></sitemapindex>"),
//!     ("https://example.com/a.txt", "https://example.com/1\nhttps://example.com/2\n"),
//! ]);
//!
//! let mut crawl = Crawl::site(&Url::parse("https://example.com/")?);
//! let mut pages = Vec::new();
//! while let Some(request) = crawl.next_request() {
//!     let body = web.get(request.url.as_str());
//!     let mut receiver = crawl.begin(request, Response::new(if body.is_some() { 200 } else { 404 }));
//!     for entry in receiver.read(body.unwrap_or(&"").as_bytes()) {
//!         if let Some(page) = entry?.into_url() {
//!             pages.push(page.loc.path().to_owned());
//!         }
//!     }
//!     crawl.end(receiver);
//! }
//! assert!(crawl.is_done());
//! assert_eq!(pages, ["/1", "/2"]);
//!
//! let failed: Vec<_> = crawl.sitemaps().filter_map(|sitemap| Some((sitemap.url(), sitemap.failure()?))).collect();
//! assert_eq!(failed, [("https://example.com/lost.txt", &Failure::status(404))]);
//! let summary = crawl.summary();
//! assert_eq!((summary.done, summary.failed, summary.pages), (2, 1, 2));
//! assert_eq!(summary.completeness(), Completeness::Incomplete); // do not delete pages that are no longer listed
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The cookbook of [`quick_sitemap`] has complete programs with HTTP clients.
//!
//! # What is read
//!
//! [`Crawl::site`] starts with the sitemaps that robots.txt lists. If it lists none, the usual places are tried one after
//! the other (`/sitemap.xml`, `/sitemap_index.xml` and five others), until there is a sitemap, but not if robots.txt was
//! answered with 429 or 503. [`Crawl::sitemap`] starts with one sitemap or index, and
//! [`CrawlBuilder::sitemaps`] with several. The sitemaps that an index lists are read too, in any number of levels up to
//! [`max_depth`](CrawlBuilder::max_depth).
//!
//! Each sitemap is read once, even if it is listed several times, with different fragments, or under a URL that redirects
//! to another one. There is one exception: an index is read again if another index, which was read later, lists it at a
//! lower depth, because sitemaps that were too deep before may not be now. Its pages are not returned again.
//!
//! Hosts alternate, and so do the indexes of a host. A sitemap that robots.txt lists goes before those in indexes, and
//! a retry before all others. So an index of 100,000 sitemaps does not keep a small one waiting.
//!
//! The pages, the failures and what is left out do not depend on the order of responses, also if a sitemap redirects to one
//! that an index lists later. These depend on it: which sitemaps are left out of more than
//! [`max_sitemaps`](CrawlBuilder::max_sitemaps), which pages are returned of more than
//! [`max_pages`](CrawlBuilder::max_pages), [`CrawlSummary::duplicates`] (and so [`CrawlSummary::sitemaps`], which contains
//! them), the bytes of indexes that are read again, and which examples there are of many sitemaps that are left out.
//!
//! # Hosts
//!
//! A site decides which sitemaps belong to it, but it must not make a crawler fetch arbitrary URLs. So a host is trusted
//! if it is that of the site, or if robots.txt lists a sitemap there. `www.example.com` and `example.com` are the same
//! host here, and scheme and port do not matter. A sitemap that robots.txt lists, or that the caller names, can redirect
//! to any host; sitemaps that it lists can be on that host too, but the host is not trusted otherwise. All other sitemaps
//! on other hosts are left out and counted ([`Reason::OtherHost`]), unless [`any_host`](CrawlBuilder::any_host) is set. A
//! redirect from https to http is not followed, unless [`allow_downgrade`](CrawlBuilder::allow_downgrade) is set.
//!
//! A user and a password in a URL that a server names are removed, so only the caller decides who gets them.
//!
//! # Time
//!
//! The crawl waits before it requests a failed sitemap again, and between requests to the same host if there is a
//! [`delay`](CrawlBuilder::delay). It has no clock: call [`set_time`](Crawl::set_time) before
//! [`next_request`](Crawl::next_request). If that returns `None` and nothing is at work,
//! [`waits_until`](Crawl::waits_until) returns the time of the next request.
//!
//! A `Retry-After` pauses its host: until then, the crawl sends no request to that host and port, whether or not the sitemap
//! is requested again. If the host requires more than [`max_retry_after`](CrawlBuilder::max_retry_after), all of its
//! sitemaps that are left fail at once, without a request. A crawl that is resumed keeps the pauses.
//!
//! # Memory
//!
//! Memory grows with the number of known sitemaps, up to the [maximum](CrawlBuilder::max_sitemaps): at most 150 bytes per
//! sitemap, in addition to its URL, which has at most 2,047 characters. A sitemap that failed or was
//! redirected takes twice as much again, and the message or URL; so does an index of which sitemaps are left out. Each host
//! with a sitemap that waits takes 300 bytes. Memory does not grow with the number of pages, nor with that of sitemaps that
//! are left out: these are counted, and for each reason, 20 URLs of 200 characters are kept as examples.

mod body;
mod builder;
mod children;
pub mod cookbook;
mod failure;
mod frontier;
mod left_out;
mod receiver;
mod record;
mod request;
pub mod robots;
mod rules;
#[cfg(feature = "serde")]
mod saved;
mod schedule;
mod summary;
mod text;
mod validators;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use url::Url;

use quick_sitemap::Completeness;

use self::body::inflated;
use self::children::Children;
use self::frontier::Frontier;
use self::receiver::{AtomicPages, Body, ROBOTS_BYTES, Reading, Robots};
use self::record::{ROBOTS, Record};
use self::request::Ticket;
use self::rules::{Rules, check_start};
use self::text::{bare, is_too_long};
use self::validators::since_epoch;

pub use self::builder::{Child, CrawlBuilder};
pub use self::failure::{Cause, Failure, Refusal};
pub use self::left_out::{LeftOut, Reason};
pub use self::receiver::{Ended, Receiver};
pub use self::record::State;
pub use self::request::{Request, RequestKind, Response};
#[cfg(feature = "serde")]
pub use self::saved::Saved;
pub use self::summary::{CrawlSummary, Sitemap};
pub use self::validators::Validators;

/// Redirects of one attempt.
const MAX_REDIRECTS: u8 = 10;
/// Before the first retry.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const NOT_MODIFIED: u16 = 304;

/// The usual places of sitemaps if robots.txt lists none, the most usual first.
const PLACES: [&str; 7] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap/sitemap.xml",
    "/sitemap.txt",
];

/// The state of a crawl: which sitemaps are known, and what has become of each. See the [module](self).
#[derive(Debug)]
pub struct Crawl {
    /// The site or the first sitemap that was requested, without user and password.
    start: Url,
    frontier: Frontier,
    /// The tokens of the tickets at work, by the number of the sitemap.
    at_work: BTreeMap<u32, Weak<()>>,
    all_pages: Arc<AtomicPages>,
    skipped: u64,
    bytes: u64,
    has_more_pages: bool,
}

impl CrawlBuilder {
    /// Creates a crawl of a site, which begins with its robots.txt. The path of the URL does not matter, except if it ends
    /// with `/robots.txt`: then it is the URL of robots.txt itself. A URL that is neither http nor https is
    /// [left out](CrawlSummary::left_out), so the crawl is done.
    #[must_use]
    pub fn site(self, site: &Url) -> Crawl {
        let mut robots = bare(site).into_owned();
        if !robots.path().ends_with("/robots.txt") {
            robots.set_path("/robots.txt");
            robots.set_query(None);
        }
        match check_start(&robots) {
            Ok(()) => {
                let mut crawl = self.start(site, robots.as_str(), 0);
                crawl.frontier.push_again(ROBOTS);
                crawl
            }
            Err(reason) => {
                let mut crawl = self.start(site, "", 0);
                crawl.frontier.leave_out(reason, &robots);
                crawl
            }
        }
    }

    /// Creates a crawl of one sitemap or index, and of the sitemaps that it lists.
    #[must_use]
    pub fn sitemap(self, sitemap: &Url) -> Crawl {
        self.sitemaps([sitemap.clone()])
    }

    /// Creates a crawl of several sitemaps or indexes, and of the sitemaps that they list, for example of those in an index
    /// that you have. Each is treated as one that robots.txt lists. If there is none, the crawl is done. A URL that is neither
    /// http nor https is [left out](CrawlSummary::left_out).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::CrawlBuilder;
    /// use quick_sitemap::url::Url;
    ///
    /// let sitemaps = ["https://example.com/a.xml", "https://example.org/b.xml"].map(|url| Url::parse(url).unwrap());
    /// let mut crawl = CrawlBuilder::new().sitemaps(sitemaps);
    /// let requests = std::iter::from_fn(|| crawl.next_request());
    /// assert_eq!(requests.map(|request| request.depth).collect::<Vec<_>>(), [1, 1]);
    /// ```
    #[must_use]
    pub fn sitemaps(self, sitemaps: impl IntoIterator<Item = Url>) -> Crawl {
        let mut sitemaps = sitemaps.into_iter().peekable();
        let nowhere = Url::parse("about:blank").ok();
        let Some(start) = sitemaps.peek().cloned().or(nowhere) else {
            unreachable!("about:blank is a URL")
        };
        let mut crawl = self.start(&start, "", 0);
        for sitemap in sitemaps {
            crawl.frontier.add_root(&sitemap);
        }
        crawl
    }

    /// Continues a crawl with the options of this builder. See [`Crawl::resume`].
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn resume(self, saved: Saved) -> Crawl {
        let is_found = saved.robots.is_none() || saved.sitemaps.iter().any(Record::is_found);
        let is_entered = saved.is_entered && is_found;
        // A stored crawl that was changed can name that of another site.
        let is_own = |robots: &&str| {
            Url::parse(robots).is_ok_and(|robots| robots.origin() == saved.start.origin())
        };
        let robots = saved.robots.as_deref().filter(is_own).unwrap_or_default();
        let sitemaps: Vec<_> = saved.sitemaps.into_iter().map(Record::resumed).collect();
        let pages = sitemaps
            .iter()
            .map(|sitemap| u64::from(sitemap.pages))
            .sum();
        let mut crawl = self.start(&saved.start, robots, pages);
        for (authority, pause) in &saved.pauses {
            crawl.frontier.schedule.restore(authority, *pause);
        }
        if !robots.is_empty() && !is_entered {
            crawl.frontier.push_again(ROBOTS);
        }
        if is_found {
            crawl.frontier.rules_mut().hosts.extend(saved.hosts);
            crawl.skipped = saved.skipped;
            crawl.frontier.restore(sitemaps);
        }
        crawl
    }

    /// `robots` is empty if the crawl does not begin with a robots.txt. `pages` were returned before.
    fn start(self, start: &Url, robots: &str, pages: u64) -> Crawl {
        let max_pages = self.max_pages;
        let mut rules = Rules::new(self);
        rules.trust(start);
        let mut robots = Record::new(robots.into(), ROBOTS, 0);
        robots.state = State::Done(Completeness::Complete);
        Crawl {
            frontier: Frontier::new(rules, robots),
            start: bare(start).into_owned(),
            at_work: BTreeMap::new(),
            all_pages: Arc::new(AtomicPages::new(pages, max_pages)),
            skipped: 0,
            bytes: 0,
            has_more_pages: false,
        }
    }
}

impl Crawl {
    /// Creates a crawl of a site with the default options. See [`CrawlBuilder::site`].
    #[must_use]
    pub fn site(site: &Url) -> Self {
        CrawlBuilder::new().site(site)
    }

    /// Creates a crawl of one sitemap or index, and of the sitemaps that it lists, with the default options. See
    /// [`CrawlBuilder::sitemap`].
    #[must_use]
    pub fn sitemap(sitemap: &Url) -> Self {
        CrawlBuilder::new().sitemap(sitemap)
    }

    /// Continues a crawl that was [saved](Self::save), with the default options. To set others, call
    /// [`CrawlBuilder::resume`].
    ///
    /// Sitemaps that were read to their end are not requested again. All others are: those that were waiting or at work,
    /// and those that failed or were not read to their end. An index of which sitemaps were left out is read again, because
    /// the options may be others now. If no sitemap was found, the crawl begins anew.
    ///
    /// Sitemaps that wait fail if this crawl would not have queued them: they are beyond its bounds, or on a host that is not
    /// [trusted](self#hosts).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::{Crawl, Response, Saved};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/index.xml")?);
    /// let request = crawl.next_request().unwrap();
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// receiver.push(b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///     <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>");
    /// crawl.end(receiver);
    /// let stored = serde_json::to_string(&crawl.save())?;
    ///
    /// let saved: Saved = serde_json::from_str(&stored)?;
    /// let mut crawl = Crawl::resume(saved);
    /// assert_eq!(crawl.next_request().unwrap().url.path(), "/a.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn resume(saved: Saved) -> Self {
        CrawlBuilder::new().resume(saved)
    }

    /// Returns the progress of the crawl, to [resume](Self::resume) it later, and the pauses that hosts require. This copies
    /// the URL of each known sitemap. Sitemaps that are being read are saved as not read.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn save(&self) -> Saved {
        let robots = self.robots();
        let is_entered = robots.is_none_or(|robots| {
            let is_read = matches!(robots.state, State::Done(_) | State::Missing);
            is_read && self.frontier.guesses.is_empty()
        });
        let mut hosts: Vec<String> = self.frontier.rules.hosts.iter().cloned().collect();
        hosts.sort_unstable();
        Saved {
            version: saved::VERSION,
            start: self.start.clone(),
            robots: robots.map(|robots| Arc::clone(&robots.url)),
            is_entered,
            hosts,
            skipped: self.skipped,
            pauses: self.frontier.schedule.pauses(),
            sitemaps: self.frontier.saved(),
        }
    }

    /// The robots.txt with which the crawl begins.
    fn robots(&self) -> Option<&Record> {
        Some(&self.frontier.records.robots).filter(|robots| !robots.url.is_empty())
    }

    fn robots_failure(&self) -> Option<&Failure> {
        let robots = self.robots().filter(|robots| robots.state == State::Failed);
        robots?.failure()
    }

    /// The known sitemaps.
    fn records(&self) -> &[Record] {
        &self.frontier.records.sitemaps
    }

    /// Sets the time. It starts at the Unix epoch and never goes back: an earlier time than before is ignored.
    pub fn set_time(&mut self, now: SystemTime) {
        let now = now.duration_since(SystemTime::UNIX_EPOCH);
        self.frontier.schedule.set_now(now.unwrap_or_default());
    }

    /// Sets the pause between two requests to this host, with any port, in place of [`CrawlBuilder::delay`]. `host` is a name
    /// or an IP address (IPv6 in brackets). For the `Crawl-delay` of a robots.txt, which is known only when it has been read:
    /// see [`robots::crawl_delay`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    ///
    /// use quick_sitemap::url::Url;
    /// use quick_sitemap_crawl::{Crawl, Response, robots};
    ///
    /// let mut crawl = Crawl::site(&Url::parse("https://example.com/")?);
    /// let request = crawl.next_request().unwrap();
    /// let text = b"User-agent: *\nCrawl-delay: 5\nSitemap: /a.xml\nSitemap: /b.xml";
    /// if let Some(delay) = robots::crawl_delay(text, "my-crawler") {
    ///     crawl.set_delay("example.com", delay);
    /// }
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// receiver.push(text);
    /// crawl.end(receiver);
    /// let first = crawl.next_request().unwrap();
    /// assert_eq!(first.url.path(), "/a.xml");
    /// assert!(crawl.next_request().is_none());
    /// assert_eq!(crawl.waits_until(), Some(SystemTime::UNIX_EPOCH + Duration::from_secs(5)));
    /// # Ok::<(), quick_sitemap::url::ParseError>(())
    /// ```
    pub fn set_delay(&mut self, host: impl AsRef<str>, delay: Duration) {
        let url = Url::parse(&format!("https://{}/", host.as_ref())).ok();
        if let Some(host) = url.as_ref().and_then(Url::host_str) {
            self.frontier.schedule.set_delay(host.to_owned(), delay);
        }
    }

    /// Returns what can be fetched now. Call it as many times as you want requests to be at work at the same time.
    ///
    /// Returns `None` if there is nothing to fetch at this time. The crawl [is done](Self::is_done) then, or it waits: for
    /// the requests and receivers at work, which may lead to more, or [for a time](Self::waits_until).
    pub fn next_request(&mut self) -> Option<Request> {
        self.reclaim();
        while !self.has_more_pages {
            let (number, refused) = self.frontier.schedule.next()?;
            if let Some(pause) = refused {
                let left = pause.left(self.frontier.schedule.now);
                let failure = Failure::status(pause.status).with_retry_after(Some(left));
                self.give_up(number, failure);
                continue;
            }
            let record = self.frontier.records.get_mut(number);
            let Ok(sitemap) = record.url.parse::<Url>() else {
                // Every record has been a URL.
                record.state = State::Failed;
                continue;
            };
            let target = record.target().cloned();
            if target.is_none() {
                record.attempts = record.attempts.saturating_add(1);
            }
            record.state = State::Active;
            let (parent, depth) = (record.parent, u32::from(record.depth));
            let (attempt, is_guess) = (u32::from(record.attempts), record.is_guess);
            let token = Arc::default();
            self.at_work.insert(number, Arc::downgrade(&token));
            let url = target.unwrap_or_else(|| sitemap.clone());
            let known = match &self.frontier.rules.options.known {
                Some(known) if number != ROBOTS => known.0(&url),
                _ => None,
            };
            return Some(Request {
                kind: match (number, is_guess) {
                    (ROBOTS, _) => RequestKind::Robots,
                    (_, true) => RequestKind::Guess,
                    (_, false) => RequestKind::Sitemap,
                },
                parent: self.parent(parent).and_then(|url| url.parse().ok()),
                depth,
                attempt,
                known: known.filter(|known| !known.is_empty()),
                url,
                sitemap,
                ticket: Ticket { number, token },
            });
        }
        None
    }

    /// Takes the beginning of a response and returns a receiver for its body.
    ///
    /// Pass responses with any status. The body is not [needed](Receiver::wants_more) if the response is an error or a
    /// redirect, or if the sitemap is known under another URL. [`end`](Self::end) then returns the reason.
    #[must_use = "pass the receiver to `end`"]
    pub fn begin(&mut self, request: Request, response: Response) -> Receiver {
        let (ticket, location, body) = match self.judge(&request, &response) {
            Ok(location) => {
                let body = self.body(&request, &location, &response);
                (Some(request.ticket), location, body)
            }
            Err(ended) => {
                self.close(&request.ticket);
                (None, request.url, Body::Unwanted(ended))
            }
        };
        Receiver {
            ticket,
            sitemap: request.sitemap,
            location,
            body,
        }
    }

    /// Returns the URL at which the body is read, or the result of a request whose body is not read.
    fn judge(&mut self, request: &Request, response: &Response) -> Result<Url, Ended> {
        let Request { url, sitemap, .. } = request;
        if !self.owns(&request.ticket) {
            return Err(Ended::of_another_crawl());
        }
        let number = request.ticket.number;
        let depth = self.frontier.begin(number);
        let location = response
            .final_url
            .as_ref()
            .map_or_else(|| url.clone(), |url| bare(url).into_owned());
        if location != *url
            && let Err(refusal) = self.frontier.rules.redirect(url, &location, sitemap, depth)
        {
            let failure = Failure::redirect(refusal).with_location(location.as_str());
            return Err(self.failed(number, failure, Some(url)));
        }
        let is_conditional = request.known.is_some();
        let failure = match response.status {
            NOT_MODIFIED if !is_conditional => Failure::status(NOT_MODIFIED)
                .with_message("status 304 (not modified) to a request without a condition"),
            200..=299 | NOT_MODIFIED => {
                let is_own = number == ROBOTS || location == *sitemap;
                if is_own || self.frontier.claim(number, &location) {
                    return Ok(location);
                }
                self.frontier.finish(number, State::Duplicate);
                return Err(Ended::new(State::Duplicate));
            }
            301 | 302 | 303 | 307 | 308 => {
                match self.redirect(number, depth, &location, sitemap, response) {
                    Ok(state) => return Err(Ended::new(state)),
                    Err(failure) => failure,
                }
            }
            status => {
                let now = self.frontier.schedule.now;
                let wait = response.retry_after.as_deref();
                let wait = wait.and_then(|value| retry_after(value, now));
                Failure::status(status).with_retry_after(wait)
            }
        };
        Err(self.failed(number, failure, Some(&location)))
    }

    /// Requests the target of a redirect next, unless that is another sitemap of the crawl.
    fn redirect(
        &mut self,
        number: u32,
        depth: u16,
        from: &Url,
        sitemap: &Url,
        response: &Response,
    ) -> Result<State, Failure> {
        let Some(location) = &response.location else {
            return Err(Failure::redirect(Refusal::Missing));
        };
        let Ok(to) = from.join(location) else {
            return Err(Failure::redirect(Refusal::Invalid).with_location(location));
        };
        let to = bare(&to).into_owned();
        if is_too_long(&to) {
            return Err(Failure::redirect(Refusal::TooLong));
        }
        self.frontier
            .rules
            .redirect(from, &to, sitemap, depth)
            .map_err(|refusal| Failure::redirect(refusal).with_location(to.as_str()))?;
        if number != ROBOTS && self.frontier.has_another(number, &to) {
            self.frontier.finish(number, State::Duplicate);
            return Ok(State::Duplicate);
        }
        let record = self.frontier.records.get_mut(number);
        let rare = record.rare();
        if rare.redirects >= MAX_REDIRECTS {
            return Err(Failure::redirect(Refusal::TooMany).with_location(to.as_str()));
        }
        rare.redirects += 1;
        rare.target = Some(to);
        record.state = State::Queued;
        self.frontier.push_next(number);
        Ok(State::Queued)
    }

    /// Prepares reading the body of a response, with the location and the charset that the response has.
    fn body(&self, request: &Request, location: &Url, response: &Response) -> Body {
        let number = request.ticket.number;
        if number == ROBOTS {
            return Body::Robots(Robots::default());
        }
        let options = &self.frontier.rules.options;
        let mut reader = options
            .reader
            .clone()
            .base_url(location.clone())
            .location(location.clone())
            .max_bytes(options.max_bytes);
        if let Some(charset) = response.charset() {
            reader = reader.charset(charset);
        }
        // The sitemaps that robots.txt lists can list all pages of the site.
        if self.robots().is_some() {
            reader = reader.any_directory();
            if let Some(host) = self.start.host_str() {
                reader = reader.allow_host(host);
            }
        }
        let rules = Arc::clone(&self.frontier.rules);
        let record = self.frontier.records.get(number);
        let is_unchanged = response.status == NOT_MODIFIED;
        let known = request.known.clone().filter(|_| is_unchanged);
        Body::Sitemap(Box::new(Reading {
            decoder: reader.decoder(),
            children: Children::new(
                rules,
                number,
                request.sitemap.clone(),
                location,
                record.depth,
            ),
            failure: None,
            max_bytes: options.max_bytes,
            received: 0,
            pages: 0,
            all_pages: Arc::clone(&self.all_pages),
            is_over: false,
            is_repeated: record.is_read,
            is_unchanged,
            is_finished: false,
            validators: response.validators().or(known),
            elsewhere: None,
        }))
    }

    /// Takes a receiver back at the end of the body, or when you do not want to read further. Entries that have arrived and
    /// were not taken are lost, but counted, and the sitemaps among them are read.
    pub fn end(&mut self, receiver: Receiver) -> Ended {
        let Receiver {
            ticket,
            location,
            body,
            ..
        } = receiver;
        match (body, ticket.and_then(|ticket| self.close(&ticket))) {
            (Body::Unwanted(ended), _) => ended,
            (_, None) => Ended::of_another_crawl(),
            (Body::Robots(robots), _) => self.end_robots(robots, &location),
            (Body::Sitemap(reading), Some(number)) => self.end_sitemap(number, *reading, &location),
        }
    }

    /// Returns `false` if the ticket is from another crawl.
    fn owns(&self, ticket: &Ticket) -> bool {
        let token = self.at_work.get(&ticket.number);
        token.is_some_and(|token| token.as_ptr() == Arc::as_ptr(&ticket.token))
    }

    /// Takes a ticket back. Returns the number of its sitemap, or `None` if it is from another crawl.
    fn close(&mut self, ticket: &Ticket) -> Option<u32> {
        let is_own = self.owns(ticket);
        is_own.then(|| self.at_work.remove(&ticket.number))?;
        Some(ticket.number)
    }

    fn end_robots(&mut self, robots: Robots, location: &Url) -> Ended {
        if let Some(failure) = robots.failure {
            let ended = self.failed(ROBOTS, failure, Some(location));
            if ended.retry_at.is_none() {
                // Its beginning may list sitemaps.
                self.enter(robots.text, location, true);
            }
            return ended;
        }
        let state = State::Done(Completeness::Complete);
        self.frontier.finish(ROBOTS, state);
        self.enter(robots.text, location, true);
        Ended::new(state)
    }

    /// Records the result of reading a sitemap, and adds the sitemaps that it lists.
    fn end_sitemap(&mut self, number: u32, mut reading: Reading, location: &Url) -> Ended {
        let is_unchanged = reading.is_unchanged && reading.elsewhere.is_none();
        if !is_unchanged && reading.elsewhere.is_none() {
            reading.drain();
        }
        self.bytes += reading.received;
        let (completeness, skipped) = reading.elsewhere.unwrap_or_else(|| {
            let summary = reading.decoder.summary();
            (summary.completeness(), summary.skipped)
        });
        self.frontier.adopt(number, reading.children);
        self.has_more_pages |= reading.is_over;
        if let Some(failure) = reading.failure {
            let ended = self.failed(number, failure, Some(location));
            if ended.retry_at.is_some() {
                reading.all_pages.give_back(reading.pages);
            } else {
                self.skipped += skipped;
                self.frontier.add_pages(number, reading.pages);
            }
            return ended;
        }
        if !reading.is_repeated {
            self.skipped += skipped;
        }
        self.frontier.add_pages(number, reading.pages);
        let state = match (is_unchanged, reading.is_over) {
            (true, _) => State::Unchanged,
            (_, true) => State::Partial,
            (false, false) => State::Done(completeness),
        };
        self.frontier.records.get_mut(number).is_read |= matches!(state, State::Done(_));
        self.frontier.finish(number, state);
        Ended {
            validators: reading.validators.filter(|_| state != State::Partial),
            ..Ended::new(state)
        }
    }

    /// Requests a sitemap again although it was read, for example because its entries could not be stored. Its entries are
    /// returned again, and its pages are not counted any more, so a crawl that has stopped at
    /// [`max_pages`](CrawlBuilder::max_pages) goes on. This has no effect if it waits or is at work.
    pub fn requeue(&mut self, number: usize) {
        if let Some(record) = self.frontier.records.sitemaps.get_mut(number)
            && !matches!(record.state, State::Queued | State::Active)
        {
            record.is_read = false;
            let pages = std::mem::take(&mut record.pages);
            self.all_pages.give_back(pages.into());
            self.has_more_pages = false;
            self.frontier.push_again(number as u32 + 1);
        }
    }

    /// Reports that there is no response to a request, or that you have given it up.
    pub fn fail(&mut self, request: Request, failure: Failure) -> Ended {
        match self.close(&request.ticket) {
            Some(number) => self.failed(number, failure, Some(&request.url)),
            None => Ended::of_another_crawl(),
        }
    }

    /// Decides whether to try again. `url` is the one that was requested or to which that led; a `Retry-After` is for its host.
    fn failed(&mut self, number: u32, mut failure: Failure, url: Option<&Url>) -> Ended {
        let options = &self.frontier.rules.options;
        let (retries, longest) = (options.retries, options.max_retry_after);
        let record = self.frontier.records.get(number);
        let attempts = record.attempts;
        if let Some(url) = url.filter(|url| url.as_str() != &*record.url)
            && failure.location().is_none()
        {
            failure = failure.with_location(url.as_str());
        }
        let asked = failure.retry_after();
        if let (Some(wait), Some(url), Cause::Status(status)) = (asked, url, failure.cause()) {
            self.frontier.schedule.pause(url.authority(), wait, status);
        }
        let is_waited_for = asked.is_none_or(|wait| wait <= longest);
        if !failure.is_transient() || attempts > retries || !is_waited_for {
            return self.give_up(number, failure);
        }
        let wait = asked.unwrap_or_else(|| Self::back_off(attempts));
        let at = self.frontier.schedule.after(wait);
        self.frontier.retry(number, at);
        Ended {
            retry_at: Some(system_time(at)),
            ..Ended::failed(State::Queued, failure)
        }
    }

    /// The last attempt has failed, or there is none.
    fn give_up(&mut self, number: u32, failure: Failure) -> Ended {
        let record = self.frontier.records.get_mut(number);
        let is_missing = match (number, record.is_guess) {
            (ROBOTS, _) => failure.is_missing(),
            (_, is_guess) => is_guess && (failure.is_missing() || failure.is_other_document),
        };
        let state = if is_missing {
            State::Missing
        } else {
            State::Failed
        };
        let url = record.url.clone();
        if !is_missing {
            record.rare().failure = Some(failure.clone());
        }
        if failure.is_busy() {
            // The usual places are tried later.
            self.frontier.guesses.clear();
        }
        self.frontier.finish(number, state);
        if number == ROBOTS {
            // A server that answers may have a sitemap nevertheless.
            let has_answered = matches!(failure.cause(), Cause::Status(_) | Cause::Redirect(_));
            let location = failure.location().unwrap_or(&url).parse();
            if let Ok(location) = location.or_else(|_| url.parse()) {
                self.enter(Vec::new(), &location, has_answered && !failure.is_busy());
            }
        }
        if is_missing {
            Ended::new(state)
        } else {
            Ended::failed(state, failure)
        }
    }

    /// Adds the sitemaps that robots.txt lists, or the usual places.
    fn enter(&mut self, text: Vec<u8>, location: &Url, may_guess: bool) {
        self.frontier.rules_mut().trust(location);
        let text = inflated(text, ROBOTS_BYTES);
        let mut is_named = false;
        for url in robots::sitemaps(&text, Some(location)) {
            is_named = true;
            self.frontier.add_root(&url);
        }
        let has_guessed = self.records().iter().any(|record| record.is_guess);
        if !is_named && !has_guessed && may_guess {
            let places = PLACES.iter().filter_map(|place| location.join(place).ok());
            self.frontier.guess(places);
        }
    }

    /// Exponential, half of it random, so that requests that failed together do not come back together.
    fn back_off(attempts: u8) -> Duration {
        let doubled = 2_u32.saturating_pow(u32::from(attempts.saturating_sub(1)));
        let chance = RandomState::new().hash_one(attempts) as f64 / u64::MAX as f64;
        FIRST_WAIT
            .saturating_mul(doubled)
            .min(LONGEST_WAIT)
            .mul_f64(0.5 + chance / 2.0)
    }

    /// Requests and receivers that were dropped have failed.
    fn reclaim(&mut self) {
        let mut dropped = Vec::new();
        self.at_work.retain(|number, token| {
            let is_held = token.strong_count() > 0;
            dropped.extend((!is_held).then_some(*number));
            is_held
        });
        for number in dropped {
            let failure = Failure::connection("the request was dropped");
            self.failed(number, failure, None);
        }
    }

    /// Returns `true` if nothing is left to be fetched, and no request or receiver is at work.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let is_finished = self.has_more_pages || self.frontier.schedule.is_empty();
        self.at_work.is_empty() && is_finished
    }

    /// Returns the number of requests and receivers that are at work.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::Crawl;
    ///
    /// let mut crawl = Crawl::site(&"https://example.com/".parse().unwrap());
    /// let mut requests = Vec::new();
    /// while crawl.active() < 4 && let Some(request) = crawl.next_request() {
    ///     requests.push(request);
    /// }
    /// assert_eq!(requests.len(), 1); // the sitemaps are known when robots.txt has been read
    /// ```
    #[must_use]
    pub fn active(&self) -> usize {
        let tokens = self.at_work.values();
        tokens.filter(|token| token.strong_count() > 0).count()
    }

    /// Returns the time at which [`next_request`](Self::next_request) can return a request without any other event.
    /// Returns `None` if there is none: the crawl is done, or all that it waits for is at work.
    #[must_use]
    pub fn waits_until(&self) -> Option<SystemTime> {
        if self.has_more_pages {
            return None;
        }
        let now = self.frontier.schedule.now;
        let due = if self.active() == self.at_work.len() {
            self.frontier.schedule.due()
        } else {
            // One was dropped.
            Some(now)
        };
        due.map(|at| system_time(at.max(now)))
    }

    /// Returns the known sitemaps, in the order in which they were found.
    pub fn sitemaps(&self) -> impl ExactSizeIterator<Item = Sitemap<'_>> {
        self.records().iter().map(|record| self.sitemap_of(record))
    }

    /// Returns the sitemap with this [number](Request::number).
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Sitemap<'_>> {
        Some(self.sitemap_of(self.records().get(number)?))
    }

    fn sitemap_of<'c>(&'c self, record: &'c Record) -> Sitemap<'c> {
        Sitemap {
            record,
            parent: self.parent(record.parent),
        }
    }

    /// The URL of the index `number`, or `None` for robots.txt.
    fn parent(&self, number: u32) -> Option<&str> {
        (number != ROBOTS).then(|| &*self.frontier.records.get(number).url)
    }

    /// Returns `true` if a sitemap or a redirect on the host of this URL is [trusted](self#hosts).
    #[must_use]
    pub fn trusts(&self, url: &Url) -> bool {
        self.frontier.rules.trusts(url)
    }

    /// Returns the result of the crawl so far. This takes time proportional to the number of sitemaps.
    #[must_use]
    pub fn summary(&self) -> CrawlSummary {
        let states = || self.records().iter().map(|record| record.state);
        let count = |is: fn(&State) -> bool| states().filter(is).count() as u64;
        let left_out = self.frontier.left_out();
        let robots_failure = self.robots_failure().cloned();
        let is_cut = self.has_more_pages || robots_failure.is_some() || !left_out.is_empty();
        let worst = states().map(State::completeness).max();
        let worst = worst.unwrap_or(Completeness::Complete);
        CrawlSummary {
            sitemaps: self.records().len() as u64,
            done: count(|state| matches!(state, State::Done(_))),
            failed: count(|state| *state == State::Failed),
            unchanged: count(|state| *state == State::Unchanged),
            duplicates: count(|state| *state == State::Duplicate),
            pages: self
                .records()
                .iter()
                .map(|record| u64::from(record.pages))
                .sum(),
            skipped: self.skipped,
            bytes: self.bytes,
            has_more_sitemaps: left_out.iter().any(|left| left.reason == Reason::TooMany),
            has_more_pages: self.has_more_pages,
            completeness: match self.is_done() {
                _ if is_cut => Completeness::Incomplete,
                false => worst.max(Completeness::Unknown),
                true if states().any(State::is_read) => worst,
                true => Completeness::Incomplete,
            },
            left_out,
            robots_failure,
        }
    }
}

fn system_time(since_epoch: Duration) -> SystemTime {
    SystemTime::UNIX_EPOCH
        .checked_add(since_epoch)
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A `Retry-After`: seconds, or a date.
fn retry_after(value: &str, now: Duration) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    Some(since_epoch(value)?.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let after = |value| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(after(" 120 "), Some(120));
        assert_eq!(after("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30));
        assert_eq!(after("Sun, 06 Nov 1994 08:49:07 GMT"), Some(0));
        assert_eq!(after("soon"), None);
        assert_eq!(after("-1"), None);
    }

    #[test]
    fn waiting_doubles_within_bounds() {
        for (attempts, most) in [(1, 0.5), (2, 1.0), (4, 4.0), (40, 30.0)] {
            let wait = Crawl::back_off(attempts).as_secs_f64();
            assert!(wait >= most / 2.0 && wait <= most, "{attempts}: {wait}");
        }
    }
}
