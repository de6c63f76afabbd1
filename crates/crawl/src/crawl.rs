//! The state of a crawl, and which request is next.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use url::Url;

use super::builder::CrawlBuilder;
use super::failure::{Failure, Reason};
use super::known::Known;
use super::pace::Permit;
#[cfg(feature = "serde")]
use super::pace::after;
use super::record::{ROBOTS, Record, Records, State};
use super::request::{Request, RequestKind, Ticket};
use super::robots::{Answer, Listings};
use super::rules::{Rules, check_start};
#[cfg(feature = "serde")]
use super::saved::Saved;
use super::schedule::Schedule;
use super::summary::{CrawlSummary, Omissions, Sitemap};
use super::text::bare;

/// A crawl: the known sitemaps and their states. See the [crate](super).
// `known` and `schedule` contain the numbers of sitemaps, so no record is ever removed; if there is no room, a new sitemap
// takes the record of one that waits.
#[derive(Debug)]
pub struct Crawl {
    /// The site or the first sitemap that was requested, without user and password.
    pub(super) start: Url,
    pub(super) rules: Arc<Rules>,
    pub(super) schedule: Schedule,
    pub(super) records: Records,
    /// The sitemap that each known URL belongs to, or redirects to, by the key of the URL.
    pub(super) known: HashMap<Arc<str>, u32>,
    /// Usual places to try as long as no sitemap was found.
    pub(super) guesses: VecDeque<Url>,
    pub(super) left_out: Omissions,
    pub(super) pages_left: Arc<AtomicU64>,
    /// The number of this crawl, which each of its `Known`s contains.
    pub(super) run: u64,
    pub(super) skipped: u64,
    pub(super) bytes: u64,
    /// Pages of the sitemaps of which a `Known` was returned.
    pub(super) known_pages: u64,
    pub(super) has_more_pages: bool,
    /// The answer to the request for robots.txt.
    pub(super) robots: Option<Answer>,
    pub(super) listings: Listings,
    /// The `Crawl-delay` of robots.txt, and the delay that is kept.
    pub(super) crawl_delay: Option<(Duration, Duration)>,
}

/// What to do next. From [`Crawl::next`].
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Next {
    /// Fetch this.
    Fetch(Request),
    /// There is nothing to fetch before this time, unless a request at work ends earlier.
    Wait(SystemTime),
    /// There is nothing to fetch before a request at work has ended.
    Busy,
    /// The crawl is done: nothing is left to fetch, and no request is at work.
    Done,
}

impl CrawlBuilder {
    /// Creates a crawl of a site, which begins with its robots.txt. The path of the URL is ignored, unless it ends with
    /// `/robots.txt`; the URL is then that of robots.txt itself. A URL that is neither http nor https is
    /// [left out](CrawlSummary::left_out), so the crawl is done.
    #[must_use]
    pub fn site(self, site: &Url) -> Crawl {
        Crawl::new(self, site, None)
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
    /// use quick_sitemap_crawl::{Clock, CrawlBuilder, Next};
    /// use quick_sitemap::url::Url;
    ///
    /// let clock = Clock::new();
    /// let sitemaps = ["https://example.com/a.xml", "https://example.org/b.xml"].map(|url| Url::parse(url).unwrap());
    /// let mut crawl = CrawlBuilder::new().sitemaps(sitemaps);
    /// let mut requests = Vec::new();
    /// while let Next::Fetch(request) = crawl.next(clock.now()) {
    ///     requests.push(request);
    /// }
    /// assert_eq!(requests.iter().map(|request| request.depth).collect::<Vec<_>>(), [1, 1]);
    /// ```
    #[must_use]
    pub fn sitemaps(self, sitemaps: impl IntoIterator<Item = Url>) -> Crawl {
        let sitemaps: Vec<Url> = sitemaps.into_iter().collect();
        let nowhere = Url::parse("about:blank").ok();
        let Some(start) = sitemaps.first().cloned().or(nowhere) else {
            unreachable!("about:blank is a URL")
        };
        Crawl::new(self, &start, Some(sitemaps))
    }

    /// Continues the crawl with this [small state](Crawl::save), with the options of this builder. Feature: `serde`.
    ///
    /// The rest of the progress is the [`Known`] of each sitemap, which [`known`](Self::known) must return. A sitemap with a
    /// `Known` of the continued crawl is not requested again, because it was read to its end. If it is an index, the options of
    /// this builder decide which of its sitemaps are read. All other sitemaps, robots.txt and redirects are requested. If you
    /// append the pages to those of the earlier part, [check](Saved::check) the stored `Known`s first.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{Crawl, CrawlBuilder, Next, Response, Saved};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut rows = HashMap::new();
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/index.xml")?);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// receiver.push(b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///     <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>");
    /// let known = crawl.end(receiver).known().unwrap();
    /// rows.insert(known.url().clone(), known.to_string());
    /// let state = serde_json::to_string(&crawl.save())?;
    ///
    /// let saved: Saved = serde_json::from_str(&state)?;
    /// let mut crawl = CrawlBuilder::new().known(move |url| rows.get(url)?.parse().ok()).resume(saved);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// assert_eq!(request.url.path(), "/a.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn resume(self, saved: Saved) -> Crawl {
        let pace = self.pace.clone();
        for (authority, until) in saved.pauses {
            let until = after(SystemTime::UNIX_EPOCH, Duration::from_secs(until));
            pace.pause_until(&authority, until);
        }
        let left = self.max_pages.saturating_sub(saved.pages);
        let mut crawl = Crawl::new(self, &saved.start, saved.sitemaps);
        crawl.pages_left = Arc::new(left.into());
        crawl.known_pages = saved.pages;
        crawl.run = saved.run;
        crawl
    }
}

impl Crawl {
    /// Begins with these sitemaps, or with the robots.txt of the site.
    fn new(options: CrawlBuilder, start: &Url, sitemaps: Option<Vec<Url>>) -> Self {
        let mut crawl = Self {
            start: bare(start),
            schedule: Schedule::new(options.pace.clone(), options.max_retry_after),
            records: Records::default(),
            known: HashMap::new(),
            guesses: VecDeque::new(),
            left_out: Omissions::default(),
            pages_left: Arc::new(options.max_pages.into()),
            // No crawl has the number 0.
            run: RandomState::new().hash_one(start) | 1,
            skipped: 0,
            bytes: 0,
            known_pages: 0,
            has_more_pages: false,
            robots: None,
            listings: Listings::default(),
            crawl_delay: None,
            rules: Arc::new(Rules {
                options,
                roots: HashSet::new(),
            }),
        };
        crawl.rules_mut().trust(start);
        let mut robots = crawl.start.clone();
        if !robots.path().ends_with("/robots.txt") {
            robots.set_path("/robots.txt");
            robots.set_query(None);
        }
        if let Some(sitemaps) = sitemaps {
            let mut children = crawl.children(ROBOTS, robots, start);
            sitemaps.iter().for_each(|url| children.add(url, None));
            crawl.adopt(ROBOTS, children);
        } else if let Err(reason) = check_start(&robots) {
            crawl.left_out.add(reason, robots.as_str());
        } else {
            crawl.records.robots.url = robots.as_str().into();
            crawl.queue(ROBOTS, 0);
        }
        crawl
    }

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

    /// Returns the small state of the crawl: the progress that is not in the [`Known`]s. It has a few hundred bytes, in addition
    /// to the sitemaps that the caller named. To continue the crawl later, store it together with each
    /// [`Ended::known`](super::Ended::known), and pass it to [`CrawlBuilder::resume`]. Feature: `serde`.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn save(&self) -> Saved {
        let sitemaps = self.records.sitemaps.iter();
        let named = sitemaps.filter(|record| record.parent == ROBOTS);
        let named = named.filter_map(|record| record.url.parse().ok());
        Saved {
            run: self.run,
            start: self.start.clone(),
            sitemaps: (!self.begins_with_robots()).then(|| named.collect()),
            pages: self.known_pages,
            pauses: self.schedule.pauses(),
        }
    }

    pub(super) fn begins_with_robots(&self) -> bool {
        !self.records.robots.url.is_empty()
    }

    /// Returns what to do next at this time. To have several requests at work, call this again after each
    /// [`Next::Fetch`].
    ///
    /// The crawl has no other clock. So a response ends at the time of the first call after its [`end`](Self::end) or
    /// [`fail`](Self::fail). A time that is earlier than the previous one is ignored.
    pub fn next(&mut self, now: SystemTime) -> Next {
        self.schedule.now = self.schedule.now.max(now);
        for number in self.schedule.ended() {
            if self.records.get(number).state == State::Active {
                let failure = Failure::connection("the request was dropped");
                self.failed(number, failure, None);
            }
            if let Some(at) = self.schedule.end(number) {
                self.retry(number, at);
            }
        }
        while !self.has_more_pages
            && let Some((number, scheduled)) = self.schedule.next()
        {
            match scheduled {
                Ok(permit) => {
                    if let Some(request) = self.request(number, permit) {
                        return Next::Fetch(request);
                    }
                }
                Err(pause) => self.refuse(number, pause),
            }
        }
        match self.schedule.due() {
            _ if self.is_done() => Next::Done,
            Some(at) if !self.has_more_pages => Next::Wait(at),
            _ => Next::Busy,
        }
    }

    /// Returns the request of the next sitemap, or `None` if it need not be requested.
    fn request(&mut self, number: u32, permit: Permit) -> Option<Request> {
        let record = self.records.get_mut(number);
        // Every record has been a URL.
        let sitemap: Url = record.url.parse().ok()?;
        let target = record.take_target();
        let is_redirected = target.is_some();
        let url = target.unwrap_or_else(|| sitemap.clone());
        let rare = record.rare.as_ref();
        let is_unconditional = number == ROBOTS || rare.is_some_and(|rare| rare.is_unconditional);
        let known = self.recall(&sitemap).filter(|_| !is_unconditional);
        // It was read before the crawl was continued.
        if let Some(known) = known.as_ref().filter(|known| known.is_read_by(self.run)) {
            permit.give_back();
            self.take_over(number, known.clone());
            return None;
        }
        // A validator belongs to the URL that has sent it.
        let is_of_url = |known: &Known| known.location == url && known.has_validator();
        let mut known = known.filter(is_of_url);
        if known.is_none() && is_redirected && !is_unconditional {
            known = self.recall(&url).filter(is_of_url);
        }
        let record = self.records.get_mut(number);
        if !is_redirected {
            record.attempts = record.attempts.saturating_add(1);
            record.forget_way();
        }
        record.state = State::Active;
        let token = self.schedule.begin(number, record.depth, permit);
        let record = self.records.get(number);
        Some(Request {
            kind: match (number, record.is_guess) {
                (ROBOTS, _) => RequestKind::Robots,
                (_, true) => RequestKind::Guess,
                (_, false) => RequestKind::Sitemap,
            },
            parent: self.parent(record.parent).and_then(|url| url.parse().ok()),
            depth: u32::from(record.depth),
            attempt: u32::from(record.attempts),
            known,
            url,
            sitemap,
            ticket: Ticket { number, token },
        })
    }

    /// What the caller knows of a document.
    pub(super) fn recall(&self, url: &Url) -> Option<Known> {
        let recall = self.rules.options.known.as_ref()?;
        recall(url)
    }

    /// The host requires too long a pause. The sitemap keeps the failure of its own attempt, if there was one.
    fn refuse(&mut self, number: u32, pause: Duration) {
        let rare = self.records.get(number).rare.as_ref();
        let own = rare.and_then(|rare| rare.failure.clone());
        self.give_up(number, own.unwrap_or_else(|| Failure::paused(pause)), None);
    }

    /// Requests a sitemap again that was read, for example because its entries could not be stored. Its entries are returned
    /// again. The pages of the first time are no longer counted, so a crawl that has stopped at
    /// [`max_pages`](CrawlBuilder::max_pages) continues. The call has no effect if the sitemap waits or is at work.
    pub fn requeue(&mut self, number: usize) {
        let Some(record) = self.records.sitemaps.get_mut(number) else {
            return;
        };
        if matches!(record.state, State::Queued | State::Active) {
            return;
        }
        let mut pages = u64::from(std::mem::take(&mut record.pages));
        match record.state {
            State::Done(_) => self.known_pages = self.known_pages.saturating_sub(pages),
            State::Unchanged => pages = 0, // they were not returned
            _ => {}
        }
        record.take_target();
        record.attempts = 0;
        record.rare_mut().is_unconditional = true;
        self.give_back(pages);
        self.has_more_pages = false;
        self.queue(number as u32 + 1, 0);
    }

    /// Returns `true` if nothing is left to be fetched, and no request or receiver is at work.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let at_work = &self.schedule.at_work;
        let is_active = |number: &u32| self.records.get(*number).state == State::Active;
        let is_queued = !self.schedule.is_empty() || at_work.values().any(|it| it.retry.is_some());
        !at_work.keys().any(is_active) && (self.has_more_pages || !is_queued)
    }

    /// Returns the known sitemaps, in the order in which they were found.
    pub fn sitemaps(&self) -> impl ExactSizeIterator<Item = Sitemap<'_>> {
        let sitemaps = self.records.sitemaps.iter();
        sitemaps.map(|record| self.sitemap_of(record))
    }

    /// Returns the sitemap with this [number](Request::number).
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Sitemap<'_>> {
        Some(self.sitemap_of(self.records.sitemaps.get(number)?))
    }

    fn sitemap_of<'c>(&'c self, record: &'c Record) -> Sitemap<'c> {
        Sitemap {
            record,
            parent: self.parent(record.parent),
        }
    }

    /// The URL of the index `number`, or `None` for robots.txt.
    fn parent(&self, number: u32) -> Option<&str> {
        (number != ROBOTS).then(|| &*self.records.get(number).url)
    }

    /// Returns `true` if a sitemap or a redirect on the host and port of this URL is [trusted](super#hosts).
    #[must_use]
    pub fn trusts(&self, url: &Url) -> bool {
        self.rules.trusts(url)
    }

    /// Returns the answer to the request for robots.txt, and `None` if the crawl does not begin with one, or still waits for it.
    #[must_use]
    pub fn robots(&self) -> Option<&Answer> {
        self.robots.as_ref()
    }

    /// Returns which site each sitemap may list, as far as the crawl has found that out.
    #[must_use]
    pub fn listings(&self) -> &Listings {
        &self.listings
    }

    /// Returns the result of the crawl so far. This takes time proportional to the number of sitemaps.
    #[must_use]
    pub fn summary(&self) -> CrawlSummary {
        let sitemaps = &self.records.sitemaps;
        let states = || sitemaps.iter().map(|record| record.state);
        let count = |is: fn(&State) -> bool| states().filter(is).count() as u64;
        let left_out = self.left_out.list(|url| self.knows(url));
        let robots_failure = self.records.robots.failure().cloned();
        let returned = sitemaps.iter().filter(|it| it.state != State::Unchanged);
        let pages = returned.map(|record| u64::from(record.pages));
        CrawlSummary {
            sitemaps: sitemaps.len() as u64,
            done: count(|state| matches!(state, State::Done(_))),
            failed: count(|state| *state == State::Failed),
            unchanged: count(|state| *state == State::Unchanged),
            duplicates: count(|state| *state == State::Duplicate),
            pages: pages.sum(),
            skipped: self.skipped,
            bytes: self.bytes,
            has_more_sitemaps: left_out.iter().any(|left| left.reason == Reason::TooMany),
            has_more_pages: self.has_more_pages,
            crawl_delay: self.crawl_delay,
            coverage: self.coverage(),
            left_out,
            robots_failure,
        }
    }
}
