//! The driver of crawls: [`quick_sitemap_crawl`] decides which documents are requested, the threads of a [`Pool`] request
//! them, and one thread reads them.
//!
//! Documents are returned in the order of the requests, for any order of the responses, so the result does not depend
//! on chance. Until it is its turn, a body waits in a temporary file, as it was sent. A document is returned once: if
//! the crawl will request it again, it is not returned before.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use anyhow::bail;
use memchr::memmem;
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Error, Reader, Summary};
use quick_sitemap_crawl::robots::{Answer, Why};
use quick_sitemap_crawl::{
    Crawl, CrawlBuilder, Ended, Failure, Known, Next as Todo, Reason, Receiver, Request,
    RequestKind, Response, Saved, State,
};
use tempfile::SpooledTempFile;

use crate::disk::{Failing, unzipped};
use crate::net::clock;
use crate::net::failure::{Asked, reason, robots_reason};
use crate::net::fetch::{self, Fetcher, status_text};
use crate::net::pool::{Pool, TICK};
use crate::net::robots::{SiteRobots, left_out, of_origin, product};
use crate::net::spelling::site_key;
use crate::term::address::{Address, without_logins};
use crate::term::clipped::clipped;
use crate::term::interrupt;
use crate::term::messages::Messages;

/// A body of more bytes waits on the disk.
const IN_MEMORY: usize = 1 << 20;
/// Bytes that are looked at for what a body is.
const HEAD: u64 = 16 << 10;
/// Parts of the pages of walls against bots: Cloudflare, DataDome, Imperva, HUMAN, AWS and Anubis.
const WALLS: [&str; 6] = [
    "_cf_chl_opt",
    "captcha-delivery.com",
    "_Incapsula_Resource",
    "px-captcha",
    "AwsWafIntegration",
    "/.within.website/x/cmd/anubis/",
];

/// A site, or an index, that is being read.
pub(crate) struct Driver {
    pub(crate) crawl: Crawl,
    pub(crate) address: Address,
    pub(crate) fetcher: Arc<Fetcher>,
    messages: Messages,
    jobs: usize,
    pool: Pool<Result<Fetched, Failure>>,
    /// The requests at work, with their numbers in the pool.
    queue: VecDeque<(u64, Request)>,
    /// Responses that wait until it is their turn.
    arrived: HashMap<u64, Result<Fetched, Failure>>,
    /// Only robots.txt is requested.
    only_robots: bool,
    /// The bound on pages was reached. Responses that arrive after that are not read, so that the result does not depend on
    /// the number of requests at a time.
    is_full: bool,
    /// Numbers of the sitemaps that were returned.
    returned: HashSet<usize>,
    /// Of each document that was read, by its URL, if the crawl can be continued.
    pub(crate) known: Option<BTreeMap<String, Known>>,
    /// The robots.txt of the site, once it has been requested.
    pub(crate) robots: Option<Arc<SiteRobots>>,
    /// The statuses of the usual places.
    guesses: Vec<Option<u16>>,
    /// Those of them that are HTML pages.
    html_answers: usize,
    /// Why sitemaps have failed, by their numbers.
    reasons: HashMap<usize, String>,
    /// The numbers of sitemaps in place of which a wall against bots answers.
    walls: HashSet<usize>,
    /// The site requires a user and a password, or others.
    pub(crate) is_unauthorized: bool,
}

/// The result of a request that is not repeated.
pub(crate) enum Next {
    /// A sitemap, or what is expected to be one.
    Document(Box<Document>),
    Missing(Missing),
}

/// A sitemap that is listed, and could not be fetched.
pub(crate) struct Missing {
    pub(crate) url: Url,
    /// The index that lists it; `None` if robots.txt does, or if the caller named it.
    pub(crate) parent: Option<Url>,
    pub(crate) reason: Reason,
    /// A wall against bots answers in its place.
    pub(crate) is_wall: bool,
    pub(crate) why: String,
}

pub(crate) struct Document {
    /// As it is listed.
    pub(crate) sitemap: Url,
    /// After redirects.
    pub(crate) location: Url,
    /// Its place in the crawl's list.
    pub(crate) number: usize,
    /// 1 for the first sitemaps.
    pub(crate) depth: u32,
    /// As it was sent. Ends with an error if the body broke off.
    pub(crate) bytes: Box<dyn Read + Send>,
    /// That of the header `Content-Type`.
    pub(crate) charset: Option<String>,
    /// Takes the entries for the crawl.
    receiver: RefCell<Receiver>,
    asked: Asked,
    /// The disk is full, for example.
    fault: Option<String>,
}

impl Document {
    /// Passes an entry to the crawl, and returns it. Returns `None` if no more entries are wanted; then this one is not
    /// wanted, either.
    pub(crate) fn take(&self, entry: Entry) -> Option<Entry> {
        let mut receiver = self.receiver.borrow_mut();
        if matches!(entry, Entry::Url(_)) {
            return receiver.take(Ok(entry)).map(Entry::Url);
        }
        receiver.take(Ok(entry.clone()));
        Some(entry).filter(|_| !receiver.is_over())
    }

    /// The sitemap has been read to its end, or cannot be read any further.
    pub(crate) fn finish(&self, result: Result<&Summary, &Error>) {
        self.receiver.borrow_mut().finish_with(result);
    }
}

/// The response to a request, with its body as it was sent.
struct Fetched {
    response: Response,
    /// A wall against bots answers.
    is_wall: bool,
    sent: SpooledTempFile,
    /// The error that ended it too early, of the connection or of the temporary file.
    failure: Option<io::Error>,
}

impl Fetched {
    fn content(mut self) -> io::Result<Box<dyn Read + Send>> {
        self.sent.seek(SeekFrom::Start(0))?;
        Ok(Box::new(self.sent.chain(Failing(self.failure))))
    }

    /// The error of the temporary file: one with a code of the system, as `fetch::body` has none.
    fn fault(&self) -> Option<String> {
        let failure = self.failure.as_ref();
        let fault = failure.filter(|error| error.raw_os_error().is_some());
        fault.map(ToString::to_string)
    }

    /// Why it cannot be read, if its coding is not understood.
    fn in_a_coding(&self) -> io::Error {
        let coding = clipped(self.response.coding().unwrap_or_default());
        io::Error::other(Why::Coding(coding.into_owned()).to_string())
    }

    /// Returns `true` if it is a sitemap of any kind.
    fn is_sitemap(&mut self) -> io::Result<bool> {
        self.sent.seek(SeekFrom::Start(0))?;
        Ok(Reader::new(&mut self.sent).format().is_some())
    }

    /// Returns `true` if it is an HTML page.
    fn is_html(&mut self) -> io::Result<bool> {
        Ok(is_html(&self.head()?))
    }

    /// Returns `true` if a wall against bots answers, by a header or by its page.
    fn look_for_wall(&mut self, kind: RequestKind) -> bool {
        // If it is damaged, that is seen where it is read.
        if kind == RequestKind::Sitemap
            && let Ok(head) = self.head()
        {
            let has = |mark: &&str| memmem::find(&head, mark.as_bytes()).is_some();
            self.is_wall |= is_html(&head) && WALLS.iter().any(has);
        }
        self.is_wall
    }

    /// The beginning, unpacked.
    fn head(&mut self) -> io::Result<Vec<u8>> {
        self.sent.seek(SeekFrom::Start(0))?;
        let mut head = Vec::new();
        unzipped(&mut self.sent).take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    }
}

/// Returns `true` if this is the beginning of an HTML page.
fn is_html(head: &[u8]) -> bool {
    let head = head.trim_ascii_start().to_ascii_lowercase();
    head.starts_with(b"<!doctype html") || head.starts_with(b"<html")
}

/// Returns `true` if the URL means all sitemaps of its site.
pub(crate) fn is_site(url: &Url) -> bool {
    (url.path() == "/" && url.query().is_none()) || url.path().ends_with("/robots.txt")
}

/// The options of the network for a crawl.
pub(crate) fn builder(fetcher: &Arc<Fetcher>) -> CrawlBuilder {
    let network = &fetcher.options;
    CrawlBuilder::new()
        .max_bytes(network.max_bytes)
        .allow_downgrade(network.allow_downgrade)
        .retries(network.retries)
        .pace(fetcher.pace.clone().per_host(1))
        .user_agent(product(&network.user_agent))
}

/// Continues a crawl, of which these documents are known.
pub(crate) fn resume(
    builder: CrawlBuilder,
    saved: Saved,
    known: &BTreeMap<String, Known>,
) -> Crawl {
    let known = known.clone();
    let recall = move |url: &Url| known.get(url.as_str()).cloned();
    builder.known(recall).resume(saved)
}

/// Requests the document at the address. Its content may be gzipped, and ends with an error if it is not complete.
///
/// # Errors
///
/// Without the URL.
pub(crate) fn document(
    address: &Address,
    network: &fetch::Options,
) -> anyhow::Result<Box<Document>> {
    let fetcher = Arc::new(Fetcher::new(network)?);
    let crawl = builder(&fetcher).max_depth(1).any_host(true);
    let crawl = crawl.sitemap(address.url());
    let mut driver = Driver::new(crawl, address, fetcher, 1, &Messages::new(true));
    match driver.next()? {
        Some(Next::Document(document)) => Ok(document),
        Some(Next::Missing(Missing { why, .. })) => bail!(why),
        None => {
            interrupt::check()?;
            bail!("there is no document")
        }
    }
}

/// The robots.txt of the site at the address, which is requested once in a run. `None` if there is a request to stop.
pub(crate) fn robots(
    address: &Address,
    fetcher: &Arc<Fetcher>,
    messages: &Messages,
) -> Option<Arc<SiteRobots>> {
    let ask = || {
        // The requests for pages at work may be many.
        let builder = builder(fetcher).any_host(true).per_host(usize::MAX);
        let crawl = builder.site(address.url());
        let mut driver = Driver::new(crawl, address, Arc::clone(fetcher), 1, messages);
        driver.only_robots = true;
        let fault = driver.next().err().map(|error| format!("{error:#}"));
        let failed = fault.map(|why| SiteRobots {
            site: address.url().clone(),
            answer: Answer::Unreachable(Failure::permanent(&why)),
            why: Some(why),
        });
        failed.map(Arc::new).or(driver.robots)
    };
    of_origin(&fetcher.options.origins, address.url(), ask)
}

impl Driver {
    pub(crate) fn new(
        crawl: Crawl,
        address: &Address,
        fetcher: Arc<Fetcher>,
        jobs: usize,
        messages: &Messages,
    ) -> Self {
        Self {
            crawl,
            address: address.clone(),
            fetcher,
            messages: *messages,
            jobs,
            pool: Pool::new(),
            queue: VecDeque::new(),
            arrived: HashMap::new(),
            only_robots: false,
            is_full: false,
            returned: HashSet::new(),
            known: None,
            robots: None,
            guesses: Vec::new(),
            html_answers: 0,
            reasons: HashMap::new(),
            walls: HashSet::new(),
            is_unauthorized: false,
        }
    }

    /// A URL as it may be shown.
    pub(crate) fn shown(&self, url: &Url) -> String {
        self.address.shown(url)
    }

    /// As [`shown`](Self::shown), for what an index names.
    pub(crate) fn named(&self, loc: &str) -> String {
        match loc.parse() {
            Ok(url) => self.shown(&url),
            Err(_) => without_logins(loc).into_owned(),
        }
    }

    /// Returns `true` if a part that is listed there is left out, because it is on a host that is not trusted.
    pub(crate) fn leaves_out(&self, part: &Url, document: &Document) -> bool {
        let is_beside = document.depth == 1 && site_key(part) == site_key(&document.location);
        !is_beside && !self.crawl.trusts(part)
    }

    /// Why a sitemap has failed, as it may be shown.
    pub(crate) fn reason(&self, number: usize) -> Option<&str> {
        self.reasons.get(&number).map(String::as_str)
    }

    /// The sitemaps that failed without a request, because their host requires a pause.
    pub(crate) fn not_requested(&self) -> impl Iterator<Item = Missing> {
        let numbers = 0..self.crawl.sitemaps().len();
        let numbers = numbers.filter(|number| !self.reasons.contains_key(number));
        numbers.filter_map(|number| self.missing(number))
    }

    /// The names of the sitemaps that an earlier run has read.
    pub(crate) fn read_before(&self) -> impl Iterator<Item = String> {
        let sitemaps = self.crawl.sitemaps().enumerate();
        let before = sitemaps.filter(|(number, sitemap)| {
            matches!(sitemap.state(), State::Done(_)) && !self.returned.contains(number)
        });
        before.map(|(_, sitemap)| self.named(sitemap.url()))
    }

    /// A sitemap that has failed.
    fn missing(&self, number: usize) -> Option<Missing> {
        let sitemap = self.crawl.get(number)?;
        let failure = sitemap.failure()?;
        let why = self.reason(number).map(str::to_owned);
        (sitemap.state() == State::Failed).then_some(Missing {
            url: sitemap.url().parse().ok()?,
            parent: sitemap.parent().and_then(|parent| parent.parse().ok()),
            reason: failure.reason(),
            is_wall: self.walls.contains(&number),
            why: why.unwrap_or_else(|| failure.to_string()),
        })
    }

    /// The status with which the server has answered the requests for robots.txt and for all usual places, if it is not
    /// that there is nothing.
    pub(crate) fn refusal(&self) -> Option<String> {
        let robots = self
            .robots
            .as_ref()
            .filter(|robots| !robots.answer.is_gone());
        let status = robots?.why.as_ref()?;
        let first = self.guesses.first().copied()??;
        let is_same = self.guesses.iter().all(|guess| *guess == Some(first));
        let is_refused = is_same && (400..500).contains(&first) && *status == status_text(first);
        is_refused.then(|| {
            format!(
                "{status} for robots.txt and the usual places; the server may refuse this user agent (--user-agent)"
            )
        })
    }

    /// Returns `true` if the server answers all requests with a page.
    pub(crate) fn answers_html(&self) -> bool {
        !self.guesses.is_empty() && self.html_answers == self.guesses.len()
    }

    /// The name of the site's robots.txt.
    pub(crate) fn robots_name(&self) -> String {
        let robots = self.address.url().join("/robots.txt").ok();
        robots.map(|url| self.shown(&url)).unwrap_or_default()
    }

    /// The sitemaps that a document lists, which is read for this alone. `None` if it could not be read to its end.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    pub(crate) fn children(&mut self, document: Document) -> anyhow::Result<Option<Vec<Url>>> {
        let mut receiver = document.receiver.into_inner();
        let pages = receiver.pages(document.bytes);
        for _ in pages.take_while(|_| !interrupt::is_requested()) {}
        let known = self.crawl.end(receiver).known();
        Ok(known.map(|known| known.sitemaps().flat_map(str::parse).collect()))
    }

    /// Returns the next sitemap; `None` at the end, and if there is a request to stop.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started, or has failed; those of temporary files.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<Next>> {
        while !self.is_full && !interrupt::is_requested() {
            self.ask()?;
            let Some((number, _)) = self.queue.front() else {
                if self.crawl.is_done() || self.only_robots && self.crawl.sitemaps().len() > 0 {
                    return Ok(None);
                }
                // A host requires a pause, or a request will be repeated.
                interrupt::sleep(TICK);
                continue;
            };
            let Some(fetched) = self.arrived.remove(number) else {
                self.arrived.extend(self.pool.wait()?);
                continue;
            };
            if let Some((_, request)) = self.queue.pop_front()
                && let Some(next) = self.take(request, fetched)?
            {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Starts as many requests as there are jobs. A response that waits to be read is one of them, so a request starts
    /// whenever a response has been read, and not whenever one has arrived, which would depend on chance.
    fn ask(&mut self) -> anyhow::Result<()> {
        while self.queue.len() < self.jobs
            && let Todo::Fetch(request) = self.crawl.next(clock::now())
        {
            if self.only_robots && request.kind != RequestKind::Robots {
                break;
            }
            let (fetcher, address) = (Arc::clone(&self.fetcher), self.address.clone());
            let url = request.url.clone();
            let work = move || fetch(&fetcher, &address, &url);
            self.queue.push_back((self.pool.start(work)?, request));
        }
        Ok(())
    }

    /// Passes the response to the crawl, and returns the document to read.
    fn take(
        &mut self,
        request: Request,
        fetched: Result<Fetched, Failure>,
    ) -> anyhow::Result<Option<Next>> {
        let mut asked = Asked::of(&request);
        let depth = request.depth;
        let mut body = match fetched {
            Ok(fetched) => fetched,
            Err(failure) => {
                let ended = self.crawl.fail(request, failure);
                return Ok(self.ended(&asked, &ended).map(Next::Missing));
            }
        };
        asked.status = Some(body.response.status);
        asked.location.clone_from(&body.response.location);
        self.is_unauthorized |= asked.is_unauthorized(&self.address);
        let number = asked.number.filter(|_| body.look_for_wall(asked.kind));
        self.walls.extend(number);
        let mut receiver = self.crawl.begin(request, body.response.clone());
        match (asked.kind, asked.number) {
            _ if receiver.is_over() => {}
            (RequestKind::Sitemap, _) if body.is_wall => {
                receiver.fail(io::Error::other("a page against bots is in its place"));
            }
            (RequestKind::Sitemap, _)
                if body.response.coding().is_some() && !body.is_sitemap()? =>
            {
                receiver.fail(body.in_a_coding());
            }
            (kind, Some(number))
                if !self.returned.contains(&number)
                    && !self.is_repeated(&body, asked.attempt)
                    && (kind != RequestKind::Guess || body.is_sitemap()?) =>
            {
                self.returned.insert(number);
                return Ok(Some(Next::Document(Box::new(Document {
                    charset: body.response.charset().map(str::to_owned),
                    location: receiver.location().clone(),
                    sitemap: asked.sitemap.clone(),
                    number,
                    depth,
                    fault: body.fault(),
                    bytes: body.content()?,
                    receiver: RefCell::new(receiver),
                    asked,
                }))));
            }
            _ => {
                let is_guess = asked.kind == RequestKind::Guess;
                self.html_answers += usize::from(is_guess && body.is_html()?);
                let pages = receiver.pages(body.content()?);
                for _ in pages.take_while(|_| !interrupt::is_requested()) {}
            }
        }
        let ended = self.crawl.end(receiver);
        Ok(self.ended(&asked, &ended).map(Next::Missing))
    }

    /// Keeps what is known of a request that has ended, and returns the sitemap if it is missing.
    fn ended(&mut self, asked: &Asked, ended: &Ended) -> Option<Missing> {
        if let (Some(all), Some(known)) = (&mut self.known, ended.known()) {
            all.insert(known.url().to_string(), known);
        }
        let (status, is_final) = (asked.status, ended.state() != State::Queued);
        let failure = ended.failure().filter(|_| ended.state() == State::Failed);
        let why = failure.map(|failure| reason(&self.address, asked, failure));
        match asked.kind {
            RequestKind::Robots => {
                self.note_crawl_delay();
                self.keep_robots(asked);
                return None;
            }
            RequestKind::Guess if is_final => self.guesses.push(status),
            _ => {}
        }
        self.reasons.insert(asked.number?, why?);
        let number = asked.number.filter(|_| asked.kind == RequestKind::Sitemap);
        self.missing(number?)
    }

    /// Keeps the answer of the site, once the crawl has it. Its pages need not request it again.
    fn keep_robots(&mut self, asked: &Asked) {
        let Some(answer) = self.crawl.robots() else {
            return;
        };
        let name = self.robots_name();
        if let Some(left_out) = answer.rules().and_then(left_out) {
            self.messages.warning(format_args!("{name}: {left_out}"));
        }
        let robots = Arc::new(SiteRobots {
            site: self.address.url().clone(),
            why: robots_reason(&self.address, asked, answer),
            answer: answer.clone(),
        });
        if !self.only_robots {
            let origins = &self.fetcher.options.origins;
            of_origin(origins, &robots.site, || Some(Arc::clone(&robots)));
        }
        self.robots = Some(robots);
    }

    /// Returns `true` if the crawl will request a document again whose body broke off.
    fn is_repeated(&self, body: &Fetched, attempt: u32) -> bool {
        let failure = body.failure.as_ref();
        failure.is_some_and(|error| Failure::from_error(error).is_transient())
            && attempt <= u32::from(self.fetcher.options.retries)
    }

    /// Reports the pause that robots.txt requires between two requests.
    fn note_crawl_delay(&self) {
        if let Some((asked, kept)) = self.crawl.summary().crawl_delay {
            let but = format!(", of which {} s are kept", kept.as_secs_f64());
            let but = if asked == kept { "" } else { &but };
            let (name, asked) = (self.robots_name(), asked.as_secs_f64());
            self.messages.note(format_args!(
                "{name}: Crawl-delay: {asked} s between two requests{but}"
            ));
        }
    }

    /// Reports to the crawl that the document has been read.
    ///
    /// # Errors
    ///
    /// If a part of the body could not be kept until it was read.
    pub(crate) fn end(&mut self, document: Document) -> anyhow::Result<State> {
        let ended = self.crawl.end(document.receiver.into_inner());
        self.is_full |= ended.state() == State::Partial;
        self.ended(&document.asked, &ended);
        match document.fault {
            Some(fault) => bail!("a temporary file: {fault}"),
            None => Ok(ended.state()),
        }
    }

    /// Reads a document for the crawl alone.
    ///
    /// # Errors
    ///
    /// Those of [`end`](Self::end).
    pub(crate) fn pass(&mut self, mut document: Document) -> anyhow::Result<()> {
        let bytes = std::mem::replace(&mut document.bytes, Box::new(io::empty()));
        let pages = document.receiver.get_mut().pages(bytes);
        for _ in pages.take_while(|_| !interrupt::is_requested()) {}
        if !interrupt::is_requested() {
            self.end(document)?;
        }
        Ok(())
    }

    /// Requests a sitemap again although it was read.
    pub(crate) fn requeue(&mut self, number: usize) {
        if let (Some(all), Some(sitemap)) = (&mut self.known, self.crawl.get(number)) {
            all.remove(sitemap.url());
        }
        self.crawl.requeue(number);
    }
}

/// One request. Its body waits in a file.
fn fetch(fetcher: &Fetcher, address: &Address, url: &Url) -> Result<Fetched, Failure> {
    let mut exchange = fetcher.exchange(url, address, fetcher.condition(url))?;
    let mut sent = SpooledTempFile::new(IN_MEMORY);
    let failure = io::copy(&mut exchange.body, &mut sent).err();
    Ok(Fetched {
        response: exchange.response,
        is_wall: exchange.is_wall,
        sent,
        failure,
    })
}
