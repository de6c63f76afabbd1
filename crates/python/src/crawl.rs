//! [`Crawl`]: the library's crawl without I/O, which the loops of `crawl.py` and `crawl_async.py` drive.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::RandomState;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use quick_sitemap::Issue;
use quick_sitemap::url::{Origin, Url};
use quick_sitemap_arrow::message;
use quick_sitemap_crawl::robots::Answer;
use quick_sitemap_crawl::{
    self as crawl, Child, CrawlBuilder, Failure, Known, Next, Pace, Reason, Request, RequestKind,
    Response, Saved, State,
};
use serde::{Deserialize, Serialize};

use crate::raised::Raised;
use crate::receiver::{MAX_ISSUES, Receiver, Receiving};
use crate::records;
use crate::returned::Returned;
use crate::value;

/// Maximum number of examples of sitemaps that were left out for one reason.
const EXAMPLES: usize = 5;

/// The state of a crawl. It fetches nothing and does not wait.
#[pyclass(frozen, module = "_quick_sitemap._native")]
pub(crate) struct Crawl {
    crawling: Mutex<Crawling>,
    raised: Arc<Raised>,
}

struct Crawling {
    crawl: crawl::Crawl,
    /// The pages of sitemaps that are requested again.
    returned: HashMap<usize, Returned>,
    all_returned: Arc<AtomicUsize>,
    /// Pages of sitemaps that are being read.
    pages: Arc<AtomicU64>,
    hashes: RandomState,
    /// Of the documents that were read, by URL.
    known: BTreeMap<String, Known>,
    /// Bytes of sitemaps.
    bytes: u64,
    /// The first issues, each with its sitemap.
    issues: Vec<(Arc<str>, Issue)>,
    /// Of the site.
    origin: Origin,
}

/// The fields of `CrawlOptions` in `_quick_sitemap.options`, which checks their ranges.
#[derive(FromPyObject)]
struct Options {
    select: Option<Py<PyAny>>,
    hosts: Vec<String>,
    any_host: bool,
    allow_downgrade: bool,
    ignore_robots: bool,
    max_sitemaps: usize,
    max_pages: Option<u64>,
    max_depth: u32,
    max_bytes: u64,
    retries: u8,
    max_retry_after: f64,
    delay: f64,
    /// Delays of hosts for which `delays` sets one.
    delays: Vec<(String, f64)>,
    max_children: Option<usize>,
    known: Option<Py<PyAny>>,
    user_agent: Option<String>,
}

impl Options {
    /// The builder of the crawl with these options, whose values are checked.
    fn builder(
        self,
        raised: &Arc<Raised>,
        earlier: BTreeMap<String, Known>,
    ) -> PyResult<CrawlBuilder> {
        let pace = Pace::new()
            .delay(seconds(self.delay)?)
            // The number of jobs is the only bound.
            .per_host(usize::MAX);
        for (host, delay) in &self.delays {
            pace.set_delay(checked("delays", host)?, seconds(*delay)?);
        }
        let mut builder = CrawlBuilder::new()
            .pace(pace)
            .any_host(self.any_host)
            .allow_downgrade(self.allow_downgrade)
            .ignore_robots(self.ignore_robots)
            .max_sitemaps(self.max_sitemaps)
            .max_pages(self.max_pages.unwrap_or(u64::MAX))
            .max_depth(self.max_depth)
            .max_bytes(self.max_bytes)
            .max_children(self.max_children.unwrap_or(usize::MAX))
            .retries(self.retries)
            .user_agent(self.user_agent.as_deref().unwrap_or("quick-sitemap"))
            .max_retry_after(seconds(self.max_retry_after)?);
        for host in &self.hosts {
            builder = builder.allow_host(checked("hosts", host)?);
        }
        let given = self.known.map(|rows| known(rows, Arc::clone(raised)));
        builder = builder.known(move |url| {
            let known = earlier.get(url.as_str()).cloned();
            known.or_else(|| given.as_ref()?(url))
        });
        if let Some(function) = self.select {
            builder = builder.filter_children(accept(function, Arc::clone(raised)));
        }
        Ok(builder)
    }
}

fn seconds(number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number)
        .map_err(|error| PyValueError::new_err(format!("a time in seconds: {error}")))
}

/// A name or an address, without a scheme, a port or a path.
fn checked<'h>(option: &str, host: &'h str) -> PyResult<&'h str> {
    let is_name = !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
    let is_bare = (is_name || option == "hosts") && !host.contains(['*', '/', '?', '#', '\\', '@']);
    if is_bare && Url::parse(&format!("https://{host}/")).is_ok() {
        return Ok(host);
    }
    let host = message(host);
    let text = format!("{option}: `{host}` is not a host such as cdn.example.com");
    Err(PyValueError::new_err(text))
}

/// The caller's function, which gets a Sitemap. After an exception it is not called again.
fn accept(
    function: Py<PyAny>,
    raised: Arc<Raised>,
) -> impl Fn(&Child<'_>) -> bool + Send + Sync + 'static {
    move |child| {
        if raised.is_some() {
            return false;
        }
        let called = Python::attach(|py| {
            let class = py.import("_quick_sitemap.results")?.getattr("Sitemap")?;
            let options = PyDict::new(py);
            options.set_item("parent", child.parent.as_str())?;
            options.set_item("depth", child.depth)?;
            let lastmod = child
                .lastmod
                .map(|date| value::datetime(py, date.timestamp_micros()));
            let lastmod = lastmod.transpose()?.flatten();
            options.set_item("lastmod", lastmod)?;
            let sitemap = class.call((child.url.as_str(),), Some(&options))?;
            function.bind(py).call1((sitemap,))?.is_truthy()
        });
        called.unwrap_or_else(|error| {
            raised.keep(error);
            false
        })
    }
}

/// The caller's mapping of URLs to the texts of `Crawl.known`. After an exception it is not used again.
fn known(
    rows: Py<PyAny>,
    raised: Arc<Raised>,
) -> impl Fn(&Url) -> Option<Known> + Send + Sync + 'static {
    move |url| {
        if raised.is_some() {
            return None;
        }
        let row = Python::attach(|py| {
            let row = rows.bind(py).call_method1("get", (url.as_str(),))?;
            row.extract::<Option<String>>()
        });
        let row = row.unwrap_or_else(|error| {
            raised.keep(error);
            None
        });
        // A text of another version is ignored.
        row?.parse().ok()
    }
}

/// The URL of a site, or that of a sitemap.
fn site(text: &str) -> PyResult<Url> {
    crawl::site(text).or_else(|error| {
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        let url = Url::parse(text.trim()).ok().filter(is_web);
        url.ok_or_else(|| {
            let text = message(text);
            let text = format!("the site `{text}`: {error}; a sitemap is named by its URL");
            PyValueError::new_err(text)
        })
    })
}

/// A crawl of a site, or of one sitemap if the URL has a path that is not that of a robots.txt.
fn begin(builder: CrawlBuilder, url: &Url) -> crawl::Crawl {
    if url.path() == "/" || url.path().ends_with("/robots.txt") {
        builder.site(url)
    } else {
        builder.sitemap(url)
    }
}

/// What Crawl.save() returns, as JSON.
#[derive(Serialize, Deserialize)]
struct Progress {
    known: BTreeMap<String, Known>,
    crawl: Saved,
}

impl Progress {
    fn read(text: &str) -> PyResult<Self> {
        let refused = |error: &dyn fmt::Display| {
            let text = message(&error.to_string());
            PyValueError::new_err(format!("resume is not what Crawl.save() returned: {text}"))
        };
        let progress: Self = serde_json::from_str(text).map_err(|error| refused(&error))?;
        let known = progress.known.values();
        progress
            .crawl
            .check(known)
            .map_err(|error| refused(&error))?;
        Ok(progress)
    }
}

/// Continues a saved crawl, if it began with this URL.
fn resume(builder: CrawlBuilder, url: &Url, saved: Saved) -> PyResult<crawl::Crawl> {
    let expected = begin(CrawlBuilder::new(), url).save();
    if saved.start() == expected.start() {
        return Ok(builder.resume(saved));
    }
    let text = format!("the saved crawl is one of {}", saved.start());
    Err(PyValueError::new_err(message(&text)))
}

/// A request that has not been answered.
#[pyclass(frozen, module = "_quick_sitemap._native")]
pub(crate) struct Ticket(Mutex<Option<Request>>);

impl Ticket {
    fn take(&self) -> PyResult<Request> {
        let request = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        request.ok_or_else(|| PyRuntimeError::new_err("the request has been answered"))
    }
}

/// The headers of a conditional request.
type Headers = BTreeMap<&'static str, String>;

/// A request: its ticket, its arguments, and whether its URL has the origin of the site.
type Found = (Ticket, Arguments, bool);

/// Those of quick_sitemap.Request, in its order.
type Arguments = (
    String,
    String,
    &'static str,
    Option<String>,
    u32,
    u32,
    Headers,
);

fn headers_of(request: &Request) -> Headers {
    let etag = request.if_none_match().map(str::to_owned);
    let headers = [
        ("If-None-Match", etag),
        ("If-Modified-Since", request.if_modified_since()),
    ];
    let headers = headers.into_iter();
    let headers = headers.filter_map(|(name, value)| Some((name, value?)));
    headers.collect()
}

impl Crawl {
    /// One thread uses it at a time, so it can only be locked if a function that the crawl has called uses it.
    fn lock(&self) -> PyResult<MutexGuard<'_, Crawling>> {
        match self.crawling.try_lock() {
            Ok(crawling) => Ok(crawling),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the crawl cannot be used by a function that it calls",
            )),
        }
    }
}

#[pymethods]
impl Crawl {
    #[new]
    #[pyo3(signature = (url, options, saved=None))]
    fn new(url: &str, options: Options, saved: Option<&str>) -> PyResult<Self> {
        let raised = Arc::default();
        let progress = saved.map(Progress::read).transpose()?;
        let known = progress.as_ref().map(|progress| progress.known.clone());
        let known = known.unwrap_or_default();
        let builder = options.builder(&raised, known.clone())?;
        let url = site(url)?;
        let crawl = match progress {
            None => begin(builder, &url),
            Some(progress) => resume(builder, &url, progress.crawl)?,
        };
        let crawling = Crawling {
            crawl,
            known,
            bytes: 0,
            returned: HashMap::new(),
            all_returned: Arc::default(),
            pages: Arc::default(),
            hashes: RandomState::new(),
            issues: Vec::new(),
            origin: url.origin(),
        };
        Ok(Self {
            crawling: Mutex::new(crawling),
            raised,
        })
    }

    /// Returns the next request: a ticket, the arguments of quick_sitemap.Request, and whether the URL has the origin of the
    /// site. If there is none, returns the number of seconds to wait, or until a response has ended.
    fn next_request(&self, now: f64) -> PyResult<(Option<Found>, Option<f64>)> {
        let now = time(now)?;
        let crawling = &mut *self.lock()?;
        let (request, wait) = match crawling.crawl.next(now) {
            Next::Fetch(request) => (Some(request), None),
            Next::Wait(at) => (None, Some(at.duration_since(now).unwrap_or_default())),
            Next::Busy | Next::Done => (None, None),
        };
        self.raised.check()?;
        let found = request.map(|request| {
            let kind = match request.kind {
                RequestKind::Robots => "robots",
                RequestKind::Guess => "guess",
                _ => "sitemap",
            };
            let arguments = (
                request.url.to_string(),
                request.sitemap.to_string(),
                kind,
                request.parent.as_ref().map(Url::to_string),
                request.depth,
                request.attempt,
                headers_of(&request),
            );
            let is_own = request.url.origin() == crawling.origin;
            (Ticket(Mutex::new(Some(request))), arguments, is_own)
        });
        Ok((found, wait.map(|wait| wait.as_secs_f64())))
    }

    fn is_done(&self) -> PyResult<bool> {
        Ok(self.lock()?.crawl.is_done())
    }

    /// Takes the beginning of a response.
    fn begin(
        &self,
        ticket: &Ticket,
        status: u16,
        final_url: Option<&str>,
        headers: BTreeMap<String, String>,
    ) -> PyResult<Receiver> {
        let headers = headers.into_iter();
        let mut response = headers.fold(Response::new(status), |response, (name, value)| {
            response.header(name, value)
        });
        if let Some(text) = final_url {
            response.final_url = Some(Url::parse(text).map_err(|_| {
                let text = message(text);
                PyValueError::new_err(format!("final_url `{text}` is not an absolute URL"))
            })?);
        }
        let crawling = &mut *self.lock()?;
        let receiver = crawling.crawl.begin(ticket.take()?, response);
        let returned = receiver
            .number()
            .and_then(|number| crawling.returned.remove(&number))
            .unwrap_or_else(|| Returned::new(&crawling.all_returned, &crawling.pages));
        let receiving = Receiving::new(receiver, returned, crawling.hashes.clone());
        Ok(Receiver::new(receiving, Arc::clone(&self.raised)))
    }

    /// Ends a response, after all of its pages were taken.
    fn end(&self, py: Python<'_>, receiver: &Receiver) -> PyResult<()> {
        let Some(mut receiving) = py.detach(|| receiver.take_back()) else {
            return Ok(());
        };
        receiving.complete();
        let crawling = &mut *self.lock()?;
        crawling.bytes += receiving.received;
        let number = receiving.receiver.number();
        let ended = crawling.crawl.end(receiving.receiver);
        if let Some(known) = ended.known() {
            crawling.known.insert(known.url().to_string(), known);
        }
        match (ended.state(), number) {
            // The next attempt reports its issues again.
            (State::Queued, Some(number)) => {
                receiving.returned.repeat();
                crawling.returned.insert(number, receiving.returned);
            }
            _ => {
                let room = MAX_ISSUES.saturating_sub(crawling.issues.len());
                let issues = receiving.issues.into_iter().take(room);
                let issues = issues.map(|issue| (Arc::clone(&receiving.sitemap), issue));
                crawling.issues.extend(issues);
            }
        }
        self.raised.check()
    }

    /// Reports that there is no response, because of an exception. The request is repeated unless the failure is
    /// permanent.
    fn fail(&self, ticket: &Ticket, text: &str, is_permanent: bool) -> PyResult<()> {
        let crawl = &mut self.lock()?.crawl;
        // It may quote a URL with a password.
        let text = message(text);
        let failure = if is_permanent {
            Failure::permanent(text)
        } else {
            Failure::connection(text)
        };
        crawl.fail(ticket.take()?, failure);
        Ok(())
    }

    /// The arguments of quick_sitemap.CrawlSummary.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let crawling = self.lock()?;
        let summary = crawling.crawl.summary();
        let left_out = summary.left_out.into_iter().map(|mut left_out| {
            left_out.examples.truncate(EXAMPLES);
            let reason = serde_json::to_value(left_out.reason).ok();
            let reason = reason.as_ref().and_then(serde_json::Value::as_str);
            let reason = reason.unwrap_or("other").to_owned();
            (reason, left_out.count, left_out.examples)
        });
        let dict = PyDict::new(py);
        dict.set_item("sitemaps", summary.sitemaps)?;
        dict.set_item("done", summary.done)?;
        dict.set_item("failed", summary.failed)?;
        dict.set_item("unchanged", summary.unchanged)?;
        dict.set_item("duplicates", summary.duplicates)?;
        let reading = crawling.pages.load(Ordering::Relaxed);
        dict.set_item("pages", summary.pages.saturating_add(reading))?;
        dict.set_item("skipped", summary.skipped)?;
        dict.set_item("bytes", summary.bytes.saturating_add(crawling.bytes))?;
        dict.set_item("left_out", left_out.collect::<Vec<_>>())?;
        let robots = crawling.crawl.robots();
        dict.set_item("robots_failure", robots.and_then(why_not_read))?;
        dict.set_item("has_more_pages", summary.has_more_pages)?;
        dict.set_item("has_more_sitemaps", summary.has_more_sitemaps)?;
        let delay = summary.crawl_delay.map(|(_, kept)| kept.as_secs_f64());
        dict.set_item("crawl_delay", delay)?;
        Ok(dict)
    }

    /// The arguments of quick_sitemap.Sitemap, for each known sitemap.
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for sitemap in self.lock()?.crawl.sitemaps() {
            let (state, found) = match sitemap.state() {
                State::Done(found) => ("done", Some(found.name())),
                State::Queued => ("queued", None),
                State::Active => ("active", None),
                State::Partial => ("partial", None),
                State::Unchanged => ("unchanged", None),
                State::Missing => ("missing", None),
                State::Duplicate => ("duplicate", None),
                _ => ("failed", None),
            };
            list.append((
                sitemap.url(),
                sitemap.location().map(String::from),
                sitemap.parent(),
                sitemap.depth(),
                sitemap.is_index(),
                state,
                found,
                sitemap.failure().map(text),
                sitemap.failure().map(cause),
                sitemap.rows_may_go(),
            ))?;
        }
        Ok(list)
    }

    /// What is known of each document that was read, by URL.
    fn known(&self) -> PyResult<BTreeMap<String, String>> {
        let rows = self.lock()?.known.clone().into_iter();
        let rows = rows.map(|(url, known)| (url, known.to_string()));
        Ok(rows.collect())
    }

    /// Those of the kept sitemaps that are not listed any more, or None if that cannot be said.
    fn gone(&self, kept: Vec<String>) -> PyResult<Option<Vec<String>>> {
        Ok(self.lock()?.crawl.gone(kept).ok())
    }

    /// Why it cannot be said that a page is not listed any more, or None.
    fn not_looked(&self) -> PyResult<Option<String>> {
        let looked = self.lock()?.crawl.pages_may_go();
        Ok(looked.err().map(|why| message(&why.to_string())))
    }

    /// Whether it is unknown which sitemaps robots.txt lists.
    fn robots_failed(&self) -> PyResult<bool> {
        Ok(self.lock()?.crawl.summary().robots_failure.is_some())
    }

    fn coverage(&self) -> PyResult<&'static str> {
        Ok(self.lock()?.crawl.summary().coverage().name())
    }

    /// The sitemaps of the first issues, and these.
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyAny>)> {
        let issues = self.lock()?.issues.clone();
        let (sitemaps, issues): (Vec<_>, Vec<_>) = issues.into_iter().unzip();
        let sitemaps = sitemaps.iter().map(|sitemap| sitemap.to_string());
        Ok((sitemaps.collect(), records::issues(py, &issues)?))
    }

    /// The progress of the crawl as JSON.
    fn save(&self) -> PyResult<String> {
        let crawling = self.lock()?;
        let progress = Progress {
            known: crawling.known.clone(),
            crawl: crawling.crawl.save(),
        };
        serde_json::to_string(&progress).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// The name of the kind of a failure.
fn cause(failure: &Failure) -> &'static str {
    match failure.reason() {
        Reason::Status(_) => "status",
        Reason::Connection => "connection",
        Reason::Paused => "paused",
        reason if reason.is_of_redirect() => "redirect",
        Reason::Unreadable => "unreadable",
        _ => "permanent",
    }
}

/// Why a site has no robots.txt that was read, unless there is none.
fn why_not_read(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Absent(_) if answer.is_gone() => None,
        Answer::Absent(why) => Some(message(&why.to_string())),
        _ => answer.failure().as_ref().map(text),
    }
}

fn text(failure: &Failure) -> String {
    message(&failure.to_string())
}

/// Seconds since the Unix epoch.
fn time(now: f64) -> PyResult<SystemTime> {
    let since = seconds(now)?;
    let time = SystemTime::UNIX_EPOCH.checked_add(since);
    time.ok_or_else(|| PyValueError::new_err("the time is out of range"))
}
