//! The state of a crawl, and which request is next.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use quick_sitemap::Completeness;
use url::Url;

use super::builder::CrawlBuilder;
use super::failure::{Failure, Reason};
use super::frontier::Frontier;
use super::known::{Known, Listed};
use super::pace::{Permit, after};
use super::record::{ROBOTS, Record, State};
use super::request::{Request, RequestKind, Ticket};
use super::rules::check_start;
#[cfg(feature = "serde")]
use super::saved::{self, Saved};
use super::summary::{CrawlSummary, Sitemap};
use super::text::bare;

/// The state of a crawl: which sitemaps are known, and what has become of each. See the [crate](super).
#[derive(Debug)]
pub struct Crawl {
    /// The site or the first sitemap that was requested, without user and password.
    pub(super) start: Url,
    pub(super) frontier: Frontier,
    /// What has begun since the latest call of `next`, whose time is that of the next call.
    pub(super) ended: Vec<Over>,
    pub(super) pages_left: Arc<AtomicU64>,
    /// In each `Known` of this crawl.
    pub(super) run: u64,
    pub(super) skipped: u64,
    pub(super) bytes: u64,
    /// Pages of the sitemaps of which a `Known` was returned.
    pub(super) known_pages: u64,
    pub(super) has_more_pages: bool,
    /// What robots.txt requires, and what is kept.
    pub(super) crawl_delay: Option<(Duration, Duration)>,
    /// The beginning of a robots.txt that broke off.
    pub(super) partial_robots: Vec<u8>,
    /// What indexes listed in the earlier run, and do not list now.
    unlisted: Vec<Arc<str>>,
}

/// Something that begins when a response has ended.
#[derive(Debug)]
pub(super) enum Over {
    /// The delay of the host.
    Response(Permit),
    /// The pause of a host and port.
    Pause(String, Duration),
    /// The wait before the next attempt of a sitemap.
    Retry(u32, Duration),
}

/// What to do next. From [`Crawl::next`].
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Next {
    /// Fetch this.
    Fetch(Request),
    /// There is nothing to fetch before this time, unless a request at work ends earlier.
    Wait(SystemTime),
    /// There is nothing to fetch before a request at work has ended.
    Busy,
    /// Nothing is left to be fetched, and nothing is at work.
    Done,
}

impl CrawlBuilder {
    /// Creates a crawl of a site, which begins with its robots.txt. The path of the URL does not matter, except if it ends
    /// with `/robots.txt`: then it is the URL of robots.txt itself. A URL that is neither http nor https is
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
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{CrawlBuilder, Next};
    /// use quick_sitemap::url::Url;
    ///
    /// let sitemaps = ["https://example.com/a.xml", "https://example.org/b.xml"].map(|url| Url::parse(url).unwrap());
    /// let mut crawl = CrawlBuilder::new().sitemaps(sitemaps);
    /// let mut requests = Vec::new();
    /// while let Next::Fetch(request) = crawl.next(SystemTime::now()) {
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

    /// Continues a crawl of which this is the [small state](Crawl::save), with the options of this builder.
    ///
    /// The rest of the progress is the [`Known`] of each sitemap, which [`known`](Self::known) must return. A sitemap whose
    /// `Known` is from the crawl that is continued was read to its end, and is not requested again; the sitemaps that an index
    /// lists are judged by the options of this builder. All others are requested: those that were waiting or at work, those
    /// that failed or were not read to their end, robots.txt, and redirects.
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
    fn new(builder: CrawlBuilder, start: &Url, sitemaps: Option<Vec<Url>>) -> Self {
        let max_pages = builder.max_pages;
        let mut crawl = Self {
            frontier: Frontier::new(builder),
            start: bare(start).into_owned(),
            ended: Vec::new(),
            pages_left: Arc::new(max_pages.into()),
            // 0 is that of no crawl.
            run: RandomState::new().hash_one(start) | 1,
            skipped: 0,
            bytes: 0,
            known_pages: 0,
            has_more_pages: false,
            crawl_delay: None,
            partial_robots: Vec::new(),
            unlisted: Vec::new(),
        };
        crawl.frontier.rules_mut().trust(start);
        match sitemaps {
            Some(sitemaps) => sitemaps.iter().for_each(|url| crawl.frontier.add_root(url)),
            None => crawl.add_robots(),
        }
        crawl
    }

    fn add_robots(&mut self) {
        let mut url = self.start.clone();
        if !url.path().ends_with("/robots.txt") {
            url.set_path("/robots.txt");
            url.set_query(None);
        }
        match check_start(&url) {
            Ok(()) => {
                self.frontier.records.robots = Record::new(url.as_str().into(), ROBOTS, 0);
                self.frontier.queue(ROBOTS, 0);
            }
            Err(reason) => self.frontier.left_out.add(reason, url.as_str()),
        }
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

    /// Returns the small state of the crawl: what its [`Known`]s do not contain. It has a few hundred bytes, and the sitemaps
    /// that the caller named. To continue the crawl later, store it together with each [`Ended::known`](super::Ended::known),
    /// and pass it to [`CrawlBuilder::resume`].
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn save(&self) -> Saved {
        let now = self.frontier.schedule.now;
        let mut pauses = self.frontier.schedule.pace.pauses(now);
        for over in &self.ended {
            if let Over::Pause(authority, wait) = over {
                pauses.insert(authority.clone(), after(now, *wait));
            }
        }
        let named = self
            .records()
            .iter()
            .filter(|record| record.parent == ROBOTS);
        let named = named.filter_map(|record| record.url.parse().ok());
        Saved {
            version: saved::VERSION,
            run: self.run,
            start: self.start.clone(),
            sitemaps: self.robots().is_none().then(|| named.collect()),
            pages: self.known_pages,
            pauses,
        }
    }

    /// The robots.txt with which the crawl begins.
    pub(super) fn robots(&self) -> Option<&Record> {
        Some(&self.frontier.records.robots).filter(|robots| !robots.url.is_empty())
    }

    fn robots_failure(&self) -> Option<&Failure> {
        let robots = self.robots().filter(|robots| robots.state == State::Failed);
        robots?.rare().failure.as_ref()
    }

    /// The known sitemaps.
    pub(super) fn records(&self) -> &[Record] {
        &self.frontier.records.sitemaps
    }

    /// Returns what to do next at this time. To have several requests at work, call this again after each
    /// [`Next::Fetch`].
    ///
    /// The crawl has no other clock: a response counts as ended at the time of the first call after its
    /// [`end`](Self::end) or [`fail`](Self::fail). The time never goes back; an earlier time than before is ignored.
    pub fn next(&mut self, now: SystemTime) -> Next {
        let schedule = &mut self.frontier.schedule;
        schedule.now = schedule.now.max(now);
        self.reclaim();
        self.settle_ended();
        while !self.has_more_pages
            && let Some((number, scheduled)) = self.frontier.schedule.next()
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
        if self.is_done() {
            return Next::Done;
        }
        match self.frontier.schedule.due() {
            Some(at) if !self.has_more_pages => Next::Wait(at),
            _ => Next::Busy,
        }
    }

    /// Requests and receivers that were dropped have failed.
    fn reclaim(&mut self) {
        let at_work = self.frontier.schedule.at_work.iter();
        let dropped = at_work.filter(|(_, at_work)| at_work.token.strong_count() == 0);
        let dropped: Vec<u32> = dropped.map(|(number, _)| *number).collect();
        for number in dropped {
            self.release(number);
            let failure = Failure::connection("the request was dropped");
            self.failed(number, failure, None);
        }
    }

    /// The request is not at work any more.
    pub(super) fn release(&mut self, number: u32) {
        let permit = self.frontier.schedule.release(number);
        self.ended.extend(permit.map(Over::Response));
    }

    fn settle_ended(&mut self) {
        for over in std::mem::take(&mut self.ended) {
            let schedule = &mut self.frontier.schedule;
            let now = schedule.now;
            match over {
                Over::Response(permit) => schedule.end(permit),
                Over::Pause(authority, wait) => {
                    schedule.pace.pause_until(&authority, after(now, wait));
                }
                Over::Retry(number, wait) => self.frontier.retry(number, after(now, wait)),
            }
        }
    }

    /// The request of a sitemap whose turn it is. Returns `None` if it need not be requested.
    fn request(&mut self, number: u32, permit: Permit) -> Option<Request> {
        let record = self.frontier.records.get_mut(number);
        // Every record has been a URL.
        let sitemap: Url = record.url.parse().ok()?;
        let target = record.take_target();
        let is_first = target.is_none();
        let is_unconditional = number == ROBOTS || record.rare().is_unconditional;
        let url = target.unwrap_or_else(|| sitemap.clone());
        let known = self.recall(&url).filter(|_| !is_unconditional);
        // It was read before the crawl was continued.
        if let Some(known) = known.as_ref().filter(|known| known.run == self.run) {
            drop(permit);
            self.take_over(number, sitemap, &url, known.clone());
            return None;
        }
        let record = self.frontier.records.get_mut(number);
        if is_first {
            record.attempts = record.attempts.saturating_add(1);
            record.forget_redirects();
        }
        record.state = State::Active;
        let token = self.frontier.schedule.begin(number, record.depth, permit);
        let record = self.frontier.records.get(number);
        Some(Request {
            kind: match (number, record.is_guess) {
                (ROBOTS, _) => RequestKind::Robots,
                (_, true) => RequestKind::Guess,
                (_, false) => RequestKind::Sitemap,
            },
            parent: self.parent(record.parent).and_then(|url| url.parse().ok()),
            depth: u32::from(record.depth),
            attempt: u32::from(record.attempts),
            known: known.filter(Known::has_validator),
            url,
            sitemap,
            ticket: Ticket { number, token },
        })
    }

    /// What the caller knows of a document.
    fn recall(&self, url: &Url) -> Option<Known> {
        let recall = self.frontier.rules.options.known.as_ref()?;
        recall.0(url)
    }

    /// The host requires too long a pause. The sitemap keeps the failure of its own attempt, if there was one.
    fn refuse(&mut self, number: u32, pause: Duration) {
        let own = self.frontier.records.get(number).rare().failure.clone();
        self.give_up(number, own.unwrap_or_else(|| Failure::paused(pause)));
    }

    /// Compares what an index lists with the earlier run.
    pub(super) fn compare(&mut self, location: &Url, now: &[Listed]) {
        let Some(before) = self.recall(location).filter(Known::is_index) else {
            return;
        };
        let now: HashSet<&str> = now.iter().map(|listed| &*listed.url).collect();
        let before = before.listed().iter().map(|listed| &listed.url);
        let gone = before.filter(|url| !now.contains(&***url));
        self.unlisted.extend(gone.map(Arc::clone));
    }

    /// Returns the sitemaps that robots.txt or an index listed in the earlier run, and none lists now; those that such an
    /// index listed are included. Their pages can be deleted if the crawl is done. The earlier run is that of
    /// [`CrawlBuilder::known`]. Sitemaps of an index that could not be read in this run are not among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{Crawl, CrawlBuilder, Known, Next, Response};
    /// use quick_sitemap::url::Url;
    ///
    /// let site = Url::parse("https://example.com/")?;
    /// let robots = |crawl: &mut Crawl, text: &str| -> Option<Known> {
    ///     let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    ///     let mut receiver = crawl.begin(request, Response::new(200));
    ///     assert_eq!(receiver.pages(text.as_bytes()).count(), 0);
    ///     crawl.end(receiver).known()
    /// };
    /// let known = robots(&mut Crawl::site(&site), "Sitemap: /a.xml\nSitemap: /b.xml");
    ///
    /// // The next day.
    /// let builder = CrawlBuilder::new();
    /// let mut crawl = builder.known(move |url| known.clone().filter(|known| known.url() == url)).site(&site);
    /// robots(&mut crawl, "Sitemap: /b.xml");
    /// assert_eq!(crawl.gone(), ["https://example.com/a.xml"]);
    /// # Ok::<(), quick_sitemap::url::ParseError>(())
    /// ```
    #[must_use]
    pub fn gone(&self) -> Vec<String> {
        let mut gone = Vec::new();
        let (mut seen, mut left) = (HashSet::new(), self.unlisted.clone());
        while let Some(url) = left.pop() {
            if self.frontier.knows(&url) || !seen.insert(Arc::clone(&url)) {
                continue;
            }
            gone.push(url.to_string());
            if let Some(known) = url.parse().ok().and_then(|url| self.recall(&url)) {
                let listed = known.listed().iter();
                left.extend(listed.map(|listed| Arc::clone(&listed.url)));
            }
        }
        gone.sort_unstable();
        gone
    }

    /// Requests a sitemap again although it was read, for example because its entries could not be stored. Its entries are
    /// returned again, and its pages are not counted any more, so a crawl that has stopped at
    /// [`max_pages`](CrawlBuilder::max_pages) goes on. This has no effect if it waits or is at work.
    pub fn requeue(&mut self, number: usize) {
        let Some(record) = self.frontier.records.sitemaps.get_mut(number) else {
            return;
        };
        if matches!(record.state, State::Queued | State::Active) {
            return;
        }
        let pages = u64::from(std::mem::take(&mut record.pages));
        if matches!(record.state, State::Done(_)) {
            self.known_pages = self.known_pages.saturating_sub(pages);
        }
        record.take_target();
        record.attempts = 0;
        record.rare_mut().is_unconditional = true;
        self.give_back(pages);
        self.has_more_pages = false;
        self.frontier.queue(number as u32 + 1, 0);
    }

    /// Returns `true` if nothing is left to be fetched, and no request or receiver is at work.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let schedule = &self.frontier.schedule;
        let waits = self
            .ended
            .iter()
            .any(|over| matches!(over, Over::Retry(..)));
        let is_finished = self.has_more_pages || (schedule.is_empty() && !waits);
        schedule.at_work.is_empty() && is_finished
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

    /// Returns `true` if a sitemap or a redirect on the host of this URL is [trusted](super#hosts).
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
        let worst = self.records().iter().map(Record::completeness).max();
        let worst = worst.unwrap_or(Completeness::Complete);
        let pages = self.records().iter().map(|record| u64::from(record.pages));
        CrawlSummary {
            sitemaps: self.records().len() as u64,
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
