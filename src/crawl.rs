//! Crawling the sitemaps of a site without I/O: which sitemap to fetch next, and what has come of it.
//!
//! A [`Crawl`] knows which sitemaps a site has and which of them have been read. It does not fetch anything, has no clock,
//! and does not depend on a runtime. You ask it for a [`Request`], fetch the URL with any client, and push the body into a
//! [`Receiver`], which returns the entries. To fetch several sitemaps at a time, ask for several requests: requests and
//! receivers are `Send` and independent of the crawl, so each can have its own thread or task.
//!
//! ```
//! use std::collections::HashMap;
//!
//! use quick_sitemap::Completeness;
//! use quick_sitemap::crawl::{Crawl, Failure, Response};
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
//!     receiver.push(body.unwrap_or(&"").as_bytes());
//!     receiver.finish();
//!     for entry in receiver.entries() {
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
//! The [cookbook](crate::cookbook#crawl-a-site) has complete programs with HTTP clients.
//!
//! # What is read
//!
//! [`Crawl::site`] starts with the sitemaps that robots.txt lists. If it lists none, the usual places are tried one after
//! the other (`/sitemap.xml`, `/sitemap_index.xml` and five others), until there is a sitemap. [`Crawl::sitemap`] starts
//! with one sitemap or index. The sitemaps that an index lists are read too, in any number of levels up to
//! [`max_depth`](CrawlBuilder::max_depth).
//!
//! Each sitemap is read once, even if it is listed several times, with different fragments, or under a URL that redirects
//! to another one. There is one exception: an index is read again if another index, which was read later, lists it at a
//! lower depth, because sitemaps that were too deep before may not be now. Its pages are not returned again.
//!
//! # Hosts
//!
//! A site decides which sitemaps belong to it, but it must not make a crawler fetch arbitrary URLs. So a host is trusted
//! if it is that of the site, or if robots.txt lists a sitemap there. `www.example.com` and `example.com` are the same
//! host here, and scheme and port do not matter. A sitemap that robots.txt lists, or that the caller names, can redirect
//! to any host; sitemaps that it lists can be on that host too, but the host is not trusted otherwise. All other sitemaps
//! on other hosts are left out and counted ([`Reason::OtherHost`]), unless [`any_host`](CrawlBuilder::any_host) is set. A
//! redirect from https to http is not followed, unless [`downgrade`](CrawlBuilder::downgrade) is set.
//!
//! A user and a password in a URL that a server names are removed, so nobody but the caller decides to whom one is sent.
//!
//! # Time
//!
//! The crawl waits before it requests a failed sitemap again, and between requests to the same host if there is a
//! [`delay`](CrawlBuilder::delay). It has no clock: call [`set_time`](Crawl::set_time) before
//! [`next_request`](Crawl::next_request). If that returns `None` and nothing is at work,
//! [`waits_until`](Crawl::waits_until) returns the time of the next request.
//!
//! # Memory
//!
//! Memory grows with the number of known sitemaps, up to the [maximum](CrawlBuilder::max_sitemaps): at most 150 bytes per
//! sitemap, in addition to its URL, which has at most 2,047 characters. A sitemap that failed, or that was redirected,
//! takes as much again, and the message or URL. It does not grow with the number of pages. Sitemaps that are left out are
//! counted; for each reason, five examples of 200 characters are kept, and a digest of 16 bytes per sitemap up to the
//! maximum.

mod builder;
mod children;
mod digest;
mod failure;
mod frontier;
mod judge;
mod left_out;
mod receiver;
mod record;
mod request;
#[cfg(feature = "serde")]
mod saved;
mod schedule;
mod summary;
mod text;

use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use url::Url;

use crate::input::inflated;
use crate::robots;
use crate::summary::Completeness;
use crate::value::W3cDatetime;

use self::builder::Options;
use self::children::Children;
use self::frontier::{Adopted, Frontier};
use self::judge::Lister;
use self::receiver::{AtomicPages, Body, ROBOTS_BYTES, Reading, Robots, drain};
use self::record::{NONE, Record};
use self::request::{ROBOTS, Shared, Ticket};
use self::summary::least;
use self::text::{bare, is_too_long};

pub use self::builder::CrawlBuilder;
pub use self::failure::{Cause, Failure, Refusal};
pub use self::left_out::{LeftOut, Reason};
pub use self::receiver::{Outcome, Receiver};
pub use self::record::State;
pub use self::request::{Request, RequestKind, Response};
#[cfg(feature = "serde")]
pub use self::saved::Saved;
pub use self::summary::{Sitemap, Summary};

/// Redirects of one attempt.
const MAX_REDIRECTS: u8 = 10;
/// Before the first retry.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Where sitemaps are if robots.txt lists none, the most usual place first.
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
    options: Options,
    /// The site or the sitemap that was asked for, without user and password.
    start: Url,
    /// The robots.txt with which the crawl begins.
    robots: Option<Record>,
    robots_failure: Option<Failure>,
    frontier: Frontier,
    shared: Arc<Shared>,
    all_pages: Arc<AtomicPages>,
    /// Requests and receivers at work.
    active: usize,
    pages: u64,
    /// Pages of the sitemaps that are done, which are not read again.
    done_pages: u64,
    skipped: u64,
    bytes: u64,
    has_more_pages: bool,
}

impl CrawlBuilder {
    /// Creates a crawl of a site, which begins with its robots.txt. The path of the URL does not matter, except if it ends
    /// with `/robots.txt`: then it is the URL of robots.txt itself.
    #[must_use]
    pub fn site(self, site: &Url) -> Crawl {
        let mut robots = bare(site.clone());
        if !robots.path().ends_with("/robots.txt") {
            robots.set_path("/robots.txt");
            robots.set_query(None);
        }
        let mut crawl = self.start(site);
        crawl.robots = Some(Record::new(robots.as_str().into(), NONE, 0));
        crawl.frontier.schedule.push(ROBOTS);
        crawl
    }

    /// Creates a crawl of one sitemap or index, and of the sitemaps that it lists.
    #[must_use]
    pub fn sitemap(self, sitemap: &Url) -> Crawl {
        let mut crawl = self.start(sitemap);
        crawl.frontier.add_root(sitemap.clone());
        crawl
    }

    /// Continues a crawl with the options of this builder. See [`Crawl::resume`].
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn resume(self, saved: Saved) -> Crawl {
        if !saved.has_found_something() {
            return match &saved.robots {
                Some(robots) => self.site(robots),
                None => self.sitemap(&saved.start),
            };
        }
        let mut crawl = self.start(&saved.start);
        if let Some(robots) = saved.robots {
            let mut record = Record::new(bare(robots).as_str().into(), NONE, 0);
            if saved.is_entered {
                record.state = State::Done(Completeness::Complete);
            } else {
                crawl.frontier.schedule.push(ROBOTS);
            }
            crawl.robots = Some(record);
        }
        crawl.frontier.trust_all(saved.hosts);
        crawl.pages = saved.pages;
        crawl.done_pages = saved.pages;
        crawl.all_pages.set(saved.pages);
        crawl.skipped = saved.skipped;
        for sitemap in saved.sitemaps {
            crawl.frontier.restore(sitemap.record());
        }
        crawl
    }

    fn start(self, start: &Url) -> Crawl {
        let options = self.options;
        let mut judge = options.judge();
        judge.trust(start);
        Crawl {
            frontier: Frontier::new(judge, options.delay),
            start: bare(start.clone()),
            robots: None,
            robots_failure: None,
            shared: Arc::default(),
            all_pages: Arc::new(AtomicPages::new(options.max_pages)),
            active: 0,
            pages: 0,
            done_pages: 0,
            skipped: 0,
            bytes: 0,
            has_more_pages: false,
            options,
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
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::crawl::{Crawl, Response, Saved};
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

    /// Returns the progress of the crawl, to [resume](Self::resume) it later. This copies the URL of each known
    /// sitemap. Sitemaps that are being read are saved as not read.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn save(&self) -> Saved {
        let robots = self.robots.as_ref();
        let mut saved = Saved::new(
            self.start.clone(),
            robots.and_then(|robots| robots.url.parse().ok()),
        );
        saved.is_entered = robots.is_none_or(|robots| {
            !matches!(robots.state, State::Queued | State::Active)
                && self.robots_failure.is_none()
                && !self.frontier.has_guesses()
        });
        saved.hosts = self.frontier.judge.hosts.iter().cloned().collect();
        saved.hosts.sort_unstable();
        saved.pages = self.done_pages;
        saved.skipped = self.skipped;
        saved.sitemaps = self
            .frontier
            .records
            .iter()
            .filter_map(saved::SavedSitemap::new)
            .collect();
        saved
    }

    /// Tells the crawl the time. It starts at the Unix epoch and never goes back: an earlier time than before is ignored.
    pub fn set_time(&mut self, now: SystemTime) {
        let now = now.duration_since(SystemTime::UNIX_EPOCH);
        self.frontier.schedule.set_now(now.unwrap_or_default());
    }

    /// Returns what can be fetched now. Ask for as many requests as you want to have at work at the same time.
    ///
    /// Returns `None` if there is nothing to fetch at this time. The crawl [is done](Self::is_done) then, or it waits: for
    /// the requests and receivers at work, which may lead to more, or [for a time](Self::waits_until).
    pub fn next_request(&mut self) -> Option<Request> {
        self.reclaim();
        while !self.has_more_pages {
            let number = self.frontier.next(&self.start)?;
            let Some(record) = self.record_mut(number) else {
                continue;
            };
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
            let (parent, depth, attempt, is_guess) = (
                record.parent,
                record.depth,
                u32::from(record.attempts),
                record.is_guess,
            );
            self.active += 1;
            let parent = self.frontier.get(parent);
            return Some(Request {
                kind: match (number, is_guess) {
                    (ROBOTS, _) => RequestKind::Robots,
                    (_, true) => RequestKind::Guess,
                    (_, false) => RequestKind::Sitemap,
                },
                parent: parent.and_then(|parent| parent.url.parse().ok()),
                depth: u32::from(depth),
                attempt,
                not_modified_since: match &self.options.since {
                    Some(since) if number != ROBOTS => since(&sitemap),
                    _ => None,
                },
                url: target.unwrap_or_else(|| sitemap.clone()),
                sitemap,
                ticket: Ticket::new(number, depth, &self.shared),
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
        let Request {
            url,
            sitemap,
            ticket,
            ..
        } = request;
        let depth = ticket.depth();
        if !ticket.is_of(&self.shared) {
            return Receiver {
                ticket: None,
                depth,
                sitemap,
                location: url,
                body: Body::Unwanted(Outcome::Foreign),
            };
        }
        let number = ticket.number();
        match self.judge(number, depth, &url, &sitemap, &response) {
            Ok(location) => Receiver {
                body: self.body(number, depth, &location, &response),
                ticket: Some(ticket),
                depth,
                sitemap,
                location,
            },
            Err(outcome) => {
                ticket.close();
                self.active -= 1;
                Receiver {
                    ticket: None,
                    depth,
                    sitemap,
                    location: url,
                    body: Body::Unwanted(outcome),
                }
            }
        }
    }

    /// Where the body is read, or what becomes of a request whose body is not read.
    fn judge(
        &mut self,
        number: u32,
        depth: u16,
        url: &Url,
        sitemap: &Url,
        response: &Response,
    ) -> Result<Url, Outcome> {
        let location = response.final_url.clone().map_or_else(|| url.clone(), bare);
        if location != *url
            && let Err(refusal) = self.frontier.judge.redirect(url, &location, sitemap, depth)
        {
            let failure = Failure::redirect(refusal).with_location(location.as_str());
            return Err(self.failed(number, depth, failure, url));
        }
        let failure = match response.status {
            200..=299 | 304 => {
                let is_own = number == ROBOTS || location == *sitemap;
                if is_own || self.frontier.claim(number, &location) {
                    return Ok(location);
                }
                self.frontier.finish(number, depth, State::Duplicate);
                return Err(Outcome::Duplicate);
            }
            301 | 302 | 303 | 307 | 308 => {
                match self.redirect(number, depth, &location, sitemap, response) {
                    Ok(outcome) => return Err(outcome),
                    Err(failure) => failure,
                }
            }
            status => {
                let wait = response
                    .retry_after
                    .as_deref()
                    .and_then(|value| retry_after(value, self.frontier.schedule.now()));
                let failure = Failure::status(status);
                match wait {
                    Some(wait) => failure.with_retry_after(wait),
                    None => failure,
                }
            }
        };
        let failure = match location == *sitemap || failure.location().is_some() {
            true => failure,
            false => failure.with_location(location.as_str()),
        };
        Err(self.failed(number, depth, failure, &location))
    }

    /// Requests the target of a redirect next, unless that is another sitemap of the crawl.
    fn redirect(
        &mut self,
        number: u32,
        depth: u16,
        from: &Url,
        sitemap: &Url,
        response: &Response,
    ) -> Result<Outcome, Failure> {
        let refused = |refusal, target: &str| {
            let failure = Failure::redirect(refusal);
            match target {
                "" => failure,
                _ => failure.with_location(target),
            }
        };
        let Some(location) = &response.location else {
            return Err(refused(Refusal::Missing, ""));
        };
        let Ok(to) = from.join(location) else {
            return Err(refused(Refusal::Invalid, location));
        };
        let to = bare(to);
        if is_too_long(&to) {
            return Err(refused(Refusal::TooLong, ""));
        }
        self.frontier
            .judge
            .redirect(from, &to, sitemap, depth)
            .map_err(|refusal| refused(refusal, to.as_str()))?;
        if number != ROBOTS && self.frontier.has_another(number, &to) {
            self.frontier.finish(number, depth, State::Duplicate);
            return Ok(Outcome::Duplicate);
        }
        let Some(record) = self.record_mut(number) else {
            return Ok(Outcome::Redirected);
        };
        let rare = record.rare();
        if rare.redirects >= MAX_REDIRECTS {
            return Err(refused(Refusal::TooMany, ""));
        }
        rare.redirects += 1;
        rare.target = Some(to);
        record.state = State::Queued;
        self.frontier.schedule.push_front(number);
        Ok(Outcome::Redirected)
    }

    fn body(&self, number: u32, depth: u16, location: &Url, response: &Response) -> Body {
        if number == ROBOTS {
            return Body::Robots(Robots::default());
        }
        let mut reader = self
            .options
            .reader
            .clone()
            .base_url(location.clone())
            .location(location.clone())
            .max_bytes(self.options.max_bytes);
        if let Some(charset) = response.charset() {
            reader = reader.charset(charset);
        }
        // What robots.txt lists can list all pages of the site.
        if self.robots.is_some() {
            reader = reader.any_directory();
            if let Some(host) = self.start.host_str() {
                reader = reader.allow_host(host);
            }
        }
        let lister = Lister::new(depth, location);
        Body::Sitemap(Box::new(Reading {
            decoder: reader.decoder(),
            children: Children::new(Arc::clone(&self.frontier.judge), lister),
            failure: None,
            max_bytes: self.options.max_bytes,
            received: 0,
            pages: 0,
            all_pages: Arc::clone(&self.all_pages),
            is_over: false,
            is_repeated: self
                .frontier
                .get(number)
                .is_some_and(|record| record.is_read),
            is_unchanged: response.status == 304,
            elsewhere: None,
        }))
    }

    /// Takes a receiver back at the end of the body, or when you do not want to read further. Entries that have arrived and
    /// were not taken are lost, but counted, and the sitemaps among them are read.
    pub fn end(&mut self, receiver: Receiver) -> Outcome {
        let Receiver {
            ticket,
            depth,
            sitemap,
            location,
            body,
        } = receiver;
        let ticket = match (&body, ticket) {
            (Body::Unwanted(outcome), _) => return outcome.clone(),
            (_, Some(ticket)) if ticket.is_of(&self.shared) => ticket,
            _ => return Outcome::Foreign,
        };
        let number = ticket.close();
        self.active -= 1;
        match body {
            Body::Unwanted(outcome) => outcome,
            Body::Robots(robots) => self.end_robots(robots, &location),
            Body::Sitemap(reading) => {
                self.end_sitemap(number, depth, *reading, &sitemap, &location)
            }
        }
    }

    fn end_robots(&mut self, robots: Robots, location: &Url) -> Outcome {
        if let Some(failure) = robots.failure {
            let outcome = self.failed(ROBOTS, 0, failure, location);
            if !matches!(outcome, Outcome::Failed(_)) {
                return outcome;
            }
            // Its beginning may list sitemaps.
            self.enter(robots.text, location, true);
            return outcome;
        }
        if let Some(record) = &mut self.robots {
            record.state = State::Done(Completeness::Complete);
        }
        self.enter(robots.text, location, true);
        Outcome::Done(Completeness::Complete)
    }

    fn end_sitemap(
        &mut self,
        number: u32,
        depth: u16,
        mut reading: Reading,
        sitemap: &Url,
        location: &Url,
    ) -> Outcome {
        let is_unchanged =
            reading.is_unchanged && reading.received == 0 && reading.elsewhere.is_none();
        if !is_unchanged && reading.elsewhere.is_none() {
            drain(&mut reading);
        }
        self.bytes += reading.received;
        let (completeness, skipped) = reading.elsewhere.unwrap_or_else(|| {
            let summary = reading.decoder.summary();
            (summary.completeness(), summary.skipped)
        });
        let adopted = self.frontier.adopt(number, depth, reading.children);
        self.has_more_pages |= reading.is_over;
        if let Some(failure) = reading.failure {
            let failure = match location == sitemap {
                true => failure,
                false => failure.with_location(location.as_str()),
            };
            let outcome = self.failed(number, depth, failure, location);
            if matches!(outcome, Outcome::Retry { .. }) {
                reading.all_pages.give_back(reading.pages);
            } else {
                self.pages += reading.pages;
                self.skipped += skipped;
            }
            return outcome;
        }
        self.pages += reading.pages;
        let (state, outcome) = if is_unchanged {
            (State::Unchanged, Outcome::Unchanged)
        } else if reading.is_over || adopted == Adopted::Full {
            (State::Partial, Outcome::Partial)
        } else {
            (State::Done(completeness), Outcome::Done(completeness))
        };
        if !reading.is_repeated {
            self.skipped += skipped;
        }
        let is_done = matches!(state, State::Done(_));
        if is_done {
            self.done_pages += reading.pages;
        }
        if let Some(record) = self.record_mut(number) {
            record.is_read |= is_done;
            if is_done {
                let pages = u32::try_from(reading.pages).unwrap_or(u32::MAX);
                record.pages = record.pages.saturating_add(pages);
            }
            record.has_left_out = adopted == Adopted::Some;
        }
        self.frontier.finish(number, depth, state);
        outcome
    }

    /// Requests a sitemap again although it was read, for example because its entries could not be stored. Its entries are
    /// returned again, and its pages are not counted any more. This has no effect if it waits or is at work.
    pub fn requeue(&mut self, number: usize) {
        let number = u32::try_from(number).unwrap_or(NONE);
        if let Some(pages) = self.frontier.requeue(number) {
            let pages = u64::from(pages);
            self.pages = self.pages.saturating_sub(pages);
            self.done_pages = self.done_pages.saturating_sub(pages);
            self.all_pages.give_back(pages);
        }
    }

    /// Reports that there is no response to a request, or that you have given it up.
    pub fn fail(&mut self, request: Request, failure: Failure) -> Outcome {
        let Request {
            url,
            sitemap,
            ticket,
            ..
        } = request;
        let depth = ticket.depth();
        if !ticket.is_of(&self.shared) {
            return Outcome::Foreign;
        }
        let number = ticket.close();
        self.active -= 1;
        let failure = match url == sitemap {
            true => failure,
            false => failure.with_location(url.as_str()),
        };
        self.failed(number, depth, failure, &url)
    }

    /// Decides whether to try again.
    fn failed(&mut self, number: u32, depth: u16, failure: Failure, url: &Url) -> Outcome {
        let retries = self.options.retries;
        let Some(record) = self.record_mut(number) else {
            return Outcome::Failed(failure);
        };
        let (attempts, is_guess) = (record.attempts, record.is_guess);
        let asked = failure.retry_after();
        let is_asked_too_much = asked.is_some_and(|wait| wait > self.options.max_retry_after);
        if failure.is_transient() && attempts <= retries && !is_asked_too_much {
            let wait = asked.unwrap_or_else(|| self.back_off(number, attempts));
            let at = self.frontier.schedule.now().saturating_add(wait);
            if let Some(record) = self.record_mut(number) {
                record.state = State::Queued;
                record.begin_anew();
            }
            if asked.is_some() {
                self.frontier.schedule.postpone(url.authority(), at);
            }
            self.frontier.schedule.wait(number, at);
            let at = system_time(at);
            return Outcome::Retry { at, failure };
        }
        if number == ROBOTS {
            return self.robots_failed(failure, url);
        }
        if is_guess && (failure.is_missing() || failure.is_other_document()) {
            self.frontier.finish(number, depth, State::Missing);
            return Outcome::Missing;
        }
        if let Some(record) = self.record_mut(number) {
            record.rare().failure = Some(failure.clone());
        }
        self.frontier.finish(number, depth, State::Failed);
        Outcome::Failed(failure)
    }

    /// A server that answers may have a sitemap nevertheless.
    fn robots_failed(&mut self, failure: Failure, url: &Url) -> Outcome {
        let is_missing = failure.is_missing();
        let has_answered = matches!(failure.cause(), Cause::Status(_) | Cause::Redirect(_));
        if let Some(record) = &mut self.robots {
            record.state = match is_missing {
                true => State::Missing,
                false => State::Failed,
            };
        }
        if !is_missing {
            self.robots_failure = Some(failure.clone());
        }
        self.enter(Vec::new(), url, has_answered);
        match is_missing {
            true => Outcome::Missing,
            false => Outcome::Failed(failure),
        }
    }

    /// Adds the sitemaps that robots.txt lists, or the usual places.
    fn enter(&mut self, text: Vec<u8>, location: &Url, may_guess: bool) {
        self.frontier.trust(location);
        let text = inflated(text, ROBOTS_BYTES);
        let mut is_named = false;
        for url in robots::sitemaps(&text, Some(location)) {
            is_named = true;
            self.frontier.add_root(url);
        }
        let has_guessed = self.frontier.records.iter().any(|record| record.is_guess);
        if !is_named && !has_guessed && may_guess {
            let places = PLACES.iter().filter_map(|place| location.join(place).ok());
            self.frontier.guess(places);
        }
    }

    /// Exponential, half of it random, so that requests that failed together do not come back together.
    fn back_off(&self, number: u32, attempts: u8) -> Duration {
        let doubled = 2_u32.saturating_pow(u32::from(attempts.saturating_sub(1)));
        let chance = self.frontier.judge.digester.chance((number, attempts));
        FIRST_WAIT
            .saturating_mul(doubled)
            .min(LONGEST_WAIT)
            .mul_f64(0.5 + chance / 2.0)
    }

    /// Requests and receivers that were dropped have failed.
    fn reclaim(&mut self) {
        let dropped = {
            let mut dropped = self
                .shared
                .dropped
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *dropped)
        };
        for number in dropped {
            self.active = self.active.saturating_sub(1);
            let Some(record) = self.record_mut(number) else {
                continue;
            };
            let (depth, url) = (record.depth, record.url.parse());
            if let Ok(url) = url {
                let failure = Failure::connection("the request was dropped");
                self.failed(number, depth, failure, &url);
            }
        }
    }

    fn has_dropped(&self) -> bool {
        let dropped = self.shared.dropped.lock();
        !dropped.unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn record_mut(&mut self, number: u32) -> Option<&mut Record> {
        match number {
            ROBOTS => self.robots.as_mut(),
            _ => self.frontier.get_mut(number),
        }
    }

    /// Returns whether nothing is left to be fetched, and no request or receiver is at work.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.active == 0 && (self.has_more_pages || self.frontier.schedule.is_empty())
    }

    /// Returns the number of requests and receivers that are at work.
    #[must_use]
    pub fn active(&self) -> usize {
        self.active
    }

    /// Returns the time at which [`next_request`](Self::next_request) can return a request without any other event.
    /// Returns `None` if there is none: the crawl is done, or all that it waits for is at work.
    #[must_use]
    pub fn waits_until(&self) -> Option<SystemTime> {
        if self.has_more_pages {
            return None;
        }
        let now = self.frontier.schedule.now();
        let due = match self.has_dropped() {
            true => Some(now),
            false => self.frontier.schedule.due(),
        };
        due.map(|at| system_time(at.max(now)))
    }

    /// Returns the known sitemaps, in the order in which they were found.
    pub fn sitemaps(&self) -> impl ExactSizeIterator<Item = Sitemap<'_>> {
        self.frontier.records.iter().map(|record| Sitemap {
            record,
            parent: self.frontier.get(record.parent),
        })
    }

    /// Returns the sitemap with this [number](Request::number).
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Sitemap<'_>> {
        let record = self.frontier.records.get(number)?;
        Some(Sitemap {
            record,
            parent: self.frontier.get(record.parent),
        })
    }

    /// Returns whether a sitemap or a redirect on the host of this URL is [trusted](self#hosts).
    #[must_use]
    pub fn trusts(&self, url: &Url) -> bool {
        self.frontier.judge.trusts(url)
    }

    /// Returns the result of the crawl so far. This takes time proportional to the number of sitemaps.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary = Summary {
            sitemaps: self.frontier.records.len() as u64,
            done: 0,
            failed: 0,
            unchanged: 0,
            duplicates: 0,
            pages: self.pages,
            skipped: self.skipped,
            bytes: self.bytes,
            left_out: self.frontier.left_out.list(),
            robots_failure: self.robots_failure.clone(),
            has_more_pages: self.has_more_pages,
            has_more_sitemaps: self.frontier.is_full,
            completeness: Completeness::Complete,
        };
        let mut has_read = false;
        for record in &self.frontier.records {
            has_read |= matches!(
                record.state,
                State::Done(_) | State::Partial | State::Unchanged
            );
            match record.state {
                State::Done(_) => summary.done += 1,
                State::Failed => summary.failed += 1,
                State::Unchanged => summary.unchanged += 1,
                State::Duplicate => summary.duplicates += 1,
                _ => {}
            }
            summary.completeness = least(summary.completeness, record.state.completeness());
        }
        let is_cut = self.frontier.is_full
            || self.has_more_pages
            || self.robots_failure.is_some()
            || !self.frontier.left_out.is_empty();
        summary.completeness = match self.is_done() {
            _ if is_cut => Completeness::Incomplete,
            true if !has_read => Completeness::Incomplete,
            true => summary.completeness,
            false => least(summary.completeness, Completeness::Unknown),
        };
        summary
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
    let (date, _) = W3cDatetime::rfc2822(value)?;
    let date = u64::try_from(date.start().timestamp()).ok()?;
    Some(Duration::from_secs(date).saturating_sub(now))
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
        let crawl = Crawl::site(&Url::parse("https://example.com/").unwrap());
        for (attempts, most) in [(1, 0.5), (2, 1.0), (4, 4.0), (40, 30.0)] {
            let wait = crawl.back_off(7, attempts).as_secs_f64();
            assert!(wait >= most / 2.0 && wait <= most, "{attempts}: {wait}");
        }
    }
}
