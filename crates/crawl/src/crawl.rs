//! The state of a crawl, and which request is next.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use quick_sitemap::Completeness;
use url::Url;

use super::builder::CrawlBuilder;
use super::children::Children;
use super::failure::{Failure, Reason};
use super::frontier::Frontier;
use super::known::{Known, Listed};
use super::pace::{Permit, since_epoch, system_time};
use super::receiver::AtomicPages;
use super::record::{ROBOTS, Record, State};
use super::request::{Request, RequestKind, Ticket};
use super::rules::{Rules, check_start};
#[cfg(feature = "serde")]
use super::saved::{self, Saved};
use super::schedule::Scheduled;
use super::summary::{CrawlSummary, Sitemap};
use super::text::bare;

/// The state of a crawl: which sitemaps are known, and what has become of each. See the [crate](super).
#[derive(Debug)]
pub struct Crawl {
    /// The site or the first sitemap that was requested, without user and password.
    pub(super) start: Url,
    pub(super) frontier: Frontier,
    /// By the number of the sitemap.
    pub(super) at_work: BTreeMap<u32, AtWork>,
    /// Responses that have ended since the latest call of `next`, whose time is that of the next call.
    pub(super) ended: Vec<Over>,
    pub(super) all_pages: Arc<AtomicPages>,
    /// In each `Known` of this crawl.
    pub(super) run: u64,
    /// It continues another one, whose sitemaps that are done are not requested again.
    is_resumed: bool,
    /// The sitemaps that the caller named, if the crawl does not begin with robots.txt.
    #[cfg(feature = "serde")]
    named: Vec<Url>,
    pub(super) skipped: u64,
    pub(super) bytes: u64,
    /// Pages of the sitemaps that are done.
    pub(super) done_pages: u64,
    pub(super) has_more_pages: bool,
    /// What robots.txt requires, and what is kept.
    pub(super) crawl_delay: Option<(Duration, Duration)>,
    /// What indexes listed in the earlier run, and do not list now.
    unlisted: Vec<Arc<str>>,
}

/// A request that is at work. Its ticket has the token.
#[derive(Debug)]
pub(super) struct AtWork {
    pub(super) token: Weak<()>,
    pub(super) permit: Permit,
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
        let mut robots = bare(site).into_owned();
        if !robots.path().ends_with("/robots.txt") {
            robots.set_path("/robots.txt");
            robots.set_query(None);
        }
        match check_start(&robots) {
            Ok(()) => Crawl::new(self, site, Some(robots), [], 0),
            Err(reason) => {
                let mut crawl = Crawl::new(self, site, None, [], 0);
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
        let mut sitemaps = sitemaps.into_iter().peekable();
        let nowhere = Url::parse("about:blank").ok();
        let Some(start) = sitemaps.peek().cloned().or(nowhere) else {
            unreachable!("about:blank is a URL")
        };
        Crawl::new(self, &start, None, sitemaps, 0)
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
        let (sitemaps, pages) = (saved.sitemaps, saved.pages);
        // A stored crawl that was changed can name the robots.txt of another site.
        let is_own = |robots: &Url| robots.origin() == saved.start.origin();
        let robots = saved.robots.filter(is_own);
        let mut crawl = Crawl::new(self, &saved.start, robots, sitemaps, pages);
        for (authority, pause) in saved.pauses {
            pace.restore(&authority, pause);
        }
        crawl.run = saved.run;
        crawl.is_resumed = true;
        crawl
    }
}

impl Crawl {
    /// `pages` were returned before.
    fn new(
        builder: CrawlBuilder,
        start: &Url,
        robots: Option<Url>,
        sitemaps: impl IntoIterator<Item = Url>,
        pages: u64,
    ) -> Self {
        let max_pages = builder.max_pages;
        let mut rules = Rules::new(builder);
        rules.trust(start);
        let begins_with_robots = robots.is_some();
        let robots = robots.map_or_else(|| "".into(), |url| url.as_str().into());
        let mut robots = Record::new(robots, ROBOTS, 0);
        robots.state = State::Done(Completeness::Complete);
        let mut crawl = Self {
            frontier: Frontier::new(rules, robots),
            start: bare(start).into_owned(),
            at_work: BTreeMap::new(),
            ended: Vec::new(),
            all_pages: Arc::new(AtomicPages::new(pages, max_pages)),
            // 0 is that of no crawl.
            run: RandomState::new().hash_one(start) | 1,
            is_resumed: false,
            #[cfg(feature = "serde")]
            named: Vec::new(),
            skipped: 0,
            bytes: 0,
            done_pages: 0,
            has_more_pages: false,
            crawl_delay: None,
            unlisted: Vec::new(),
        };
        if begins_with_robots {
            crawl.frontier.push_again(ROBOTS);
        }
        for sitemap in sitemaps {
            crawl.frontier.add_root(&sitemap);
            #[cfg(feature = "serde")]
            crawl.named.push(bare(&sitemap).into_owned());
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

    /// Returns the small state of the crawl: what its [`Known`]s do not contain. It has a few hundred bytes, and the sitemaps
    /// that the caller named. To continue the crawl later, store it together with each [`Ended::known`](super::Ended::known),
    /// and pass it to [`CrawlBuilder::resume`].
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn save(&self) -> Saved {
        let robots = self.robots().and_then(|robots| robots.url.parse().ok());
        let schedule = &self.frontier.schedule;
        let mut pauses = schedule.pauses();
        pauses.extend(self.ended.iter().filter_map(|over| match over {
            Over::Pause(authority, wait) => Some((authority.clone(), schedule.pause(*wait))),
            _ => None,
        }));
        Saved {
            version: saved::VERSION,
            run: self.run,
            start: self.start.clone(),
            robots,
            sitemaps: self.named.clone(),
            pages: self.done_pages,
            pauses,
        }
    }

    /// The robots.txt with which the crawl begins.
    pub(super) fn robots(&self) -> Option<&Record> {
        Some(&self.frontier.records.robots).filter(|robots| !robots.url.is_empty())
    }

    fn robots_failure(&self) -> Option<&Failure> {
        let robots = self.robots().filter(|robots| robots.state == State::Failed);
        robots?.failure()
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
        self.frontier.schedule.set_now(since_epoch(now));
        self.reclaim();
        self.settle_ended();
        while !self.has_more_pages {
            match self.frontier.schedule.next() {
                Some((number, Scheduled::Request(permit))) => {
                    if let Some(request) = self.request(number, permit) {
                        return Next::Fetch(request);
                    }
                }
                Some((number, Scheduled::Refused(wait))) => self.refuse(number, wait),
                None if self.at_work.is_empty() && self.frontier.schedule.descend() => {}
                None => break,
            }
        }
        if self.is_done() {
            return Next::Done;
        }
        match self.frontier.schedule.due() {
            Some(at) if !self.has_more_pages => Next::Wait(system_time(at)),
            _ => Next::Busy,
        }
    }

    /// Requests and receivers that were dropped have failed.
    fn reclaim(&mut self) {
        let is_dropped = |at_work: &AtWork| at_work.token.strong_count() == 0;
        while let Some(number) = self
            .at_work
            .iter()
            .find_map(|(number, at_work)| is_dropped(at_work).then_some(*number))
        {
            self.release(number);
            let failure = Failure::connection("the request was dropped");
            self.failed(number, failure, None);
        }
    }

    /// The request is not at work any more.
    pub(super) fn release(&mut self, number: u32) {
        if let Some(at_work) = self.at_work.remove(&number) {
            self.ended.push(Over::Response(at_work.permit));
        }
    }

    fn settle_ended(&mut self) {
        let now = self.frontier.schedule.now;
        for over in std::mem::take(&mut self.ended) {
            let schedule = &mut self.frontier.schedule;
            match over {
                Over::Response(permit) => {
                    schedule.release(&Arc::clone(permit.authority()));
                    permit.end_at(now);
                }
                Over::Pause(authority, wait) => schedule.pace.set_pause(&authority, wait, now),
                Over::Retry(number, wait) => {
                    self.frontier.retry(number, now.saturating_add(wait));
                }
            }
        }
    }

    /// The request of a sitemap whose turn it is. Returns `None` if it need not be requested.
    fn request(&mut self, number: u32, permit: Permit) -> Option<Request> {
        let record = self.frontier.records.get_mut(number);
        let Ok(sitemap) = record.url.parse::<Url>() else {
            // Every record has been a URL.
            record.state = State::Failed;
            self.drop_permit(permit);
            return None;
        };
        let url = record.target().cloned().unwrap_or_else(|| sitemap.clone());
        let known = self.recall(&url);
        if let Some(known) = &known
            && self.is_resumed
            && known.run == self.run
            && number != ROBOTS
        {
            self.drop_permit(permit);
            self.settle(number, known, sitemap, &url);
            return None;
        }
        let record = self.frontier.records.get_mut(number);
        if record.target().is_none() {
            record.attempts = record.attempts.saturating_add(1);
        }
        record.state = State::Active;
        let is_unconditional = number == ROBOTS || record.is_unconditional();
        permit.begin_at(self.frontier.schedule.now);
        let token = Arc::default();
        let at_work = AtWork {
            token: Arc::downgrade(&token),
            permit,
        };
        self.at_work.insert(number, at_work);
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
            is_conditional: !is_unconditional && known.as_ref().is_some_and(Known::has_validator),
            known,
            url,
            sitemap,
            ticket: Ticket { number, token },
        })
    }

    /// Nothing was requested, so no delay begins.
    fn drop_permit(&mut self, permit: Permit) {
        let authority = Arc::clone(permit.authority());
        drop(permit);
        self.frontier.schedule.release(&authority);
    }

    /// What the caller knows of a document.
    pub(super) fn recall(&self, url: &Url) -> Option<Known> {
        let recall = self.frontier.rules.options.known.as_ref()?;
        recall.0(url)
    }

    /// Takes over a sitemap that was done before the crawl was continued.
    fn settle(&mut self, number: u32, known: &Known, sitemap: Url, location: &Url) {
        if *location != sitemap && !self.frontier.claim(number, location) {
            self.frontier.finish(number, State::Duplicate);
            return;
        }
        let children = self.listed_by(number, sitemap, known);
        self.frontier.adopt(number, children);
        let record = self.frontier.records.get_mut(number);
        record.was_complete = known.completeness == Completeness::Complete;
        let state = if known.is_unchanged {
            State::Unchanged
        } else {
            record.pages = known.pages;
            self.done_pages += u64::from(known.pages);
            self.skipped += known.skipped;
            State::Done(known.completeness)
        };
        self.frontier.finish(number, state);
    }

    /// The sitemaps that a known index lists, judged.
    pub(super) fn listed_by(&self, number: u32, sitemap: Url, known: &Known) -> Children {
        let mut children = self.children(number, sitemap, known.url());
        for listed in known.listed() {
            if let Ok(url) = listed.url.parse() {
                children.add(&url, listed.lastmod);
            }
        }
        children
    }

    pub(super) fn children(&self, number: u32, sitemap: Url, location: &Url) -> Children {
        let rules = Arc::clone(&self.frontier.rules);
        let depth = self.frontier.records.get(number).depth;
        Children::new(rules, sitemap, location, depth)
    }

    /// The host requires too long a pause. The sitemap keeps the failure of its own attempt, if there was one.
    fn refuse(&mut self, number: u32, wait: Duration) {
        let own = self.frontier.records.get(number).failure().cloned();
        let failure = own.unwrap_or_else(|| Failure::paused(wait));
        self.give_up(number, failure);
    }

    /// Compares what an index lists with the earlier run.
    pub(super) fn compare(&mut self, before: Option<&Known>, now: &[Listed]) {
        let before = before.map(Known::listed).unwrap_or_default();
        if before.is_empty() {
            return;
        }
        let now: HashSet<&str> = now.iter().map(|listed| &*listed.url).collect();
        let gone = before.iter().filter(|listed| !now.contains(&*listed.url));
        self.unlisted
            .extend(gone.map(|listed| Arc::clone(&listed.url)));
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
        if let Some(record) = self.frontier.records.sitemaps.get_mut(number)
            && !matches!(record.state, State::Queued | State::Active)
        {
            let pages = u64::from(std::mem::take(&mut record.pages));
            record.rare().is_unconditional = true;
            if matches!(record.state, State::Done(_)) {
                self.done_pages = self.done_pages.saturating_sub(pages);
            }
            self.all_pages.give_back(pages);
            self.has_more_pages = false;
            self.frontier.push_again(number as u32 + 1);
        }
    }

    /// Returns `true` if nothing is left to be fetched, and no request or receiver is at work.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let waits = |over: &Over| matches!(over, Over::Retry(..));
        let is_finished = self.frontier.schedule.is_empty() && !self.ended.iter().any(waits);
        self.at_work.is_empty() && (self.has_more_pages || is_finished)
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
