//! [`Crawl`]: the library's crawl without I/O, which the loops of `_crawl.py` and `_crawl_async.py` drive.

use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use quick_sitemap::crawl::{
    Child, CrawlBuilder, Failure, Reason, Request, RequestKind, Response, Saved, State,
};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Issue, SitemapEntry, crawl};
use quick_sitemap_arrow::message;

use crate::page::Page;
use crate::raised::Raised;
use crate::receiver::{MAX_ISSUES, Quota, Receiver, Receiving};
use crate::returned::Returned;
use crate::value;

/// The state of a crawl. It fetches nothing and does not wait.
#[pyclass(frozen, module = "quick_sitemap._native")]
pub(crate) struct Crawl {
    crawling: Mutex<Crawling>,
    raised: Arc<Raised>,
}

struct Crawling {
    crawl: crawl::Crawl,
    /// The pages of sitemaps that are requested again.
    returned: HashMap<usize, Returned>,
    all_returned: Arc<AtomicUsize>,
    hashes: RandomState,
    quota: Arc<Quota>,
    /// The first issues, each with its sitemap.
    issues: Vec<(Arc<str>, Issue)>,
}

/// The options of a crawl, whose ranges have been checked.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    sitemaps: Option<Py<PyAny>>,
    hosts: Vec<String>,
    any_host: bool,
    downgrade: bool,
    max_sitemaps: usize,
    max_pages: Option<u64>,
    max_depth: u32,
    max_bytes: u64,
    retries: u8,
    max_retry_after: f64,
    delay: f64,
}

impl Options {
    fn builder(self, raised: &Arc<Raised>) -> PyResult<CrawlBuilder> {
        let mut builder = CrawlBuilder::new()
            .any_host(self.any_host)
            .allow_downgrade(self.downgrade)
            .max_sitemaps(self.max_sitemaps)
            .max_pages(self.max_pages.unwrap_or(u64::MAX))
            .max_depth(self.max_depth)
            .max_bytes(self.max_bytes)
            .retries(self.retries)
            .max_retry_after(seconds(self.max_retry_after)?)
            .delay(seconds(self.delay)?);
        for host in &self.hosts {
            if !is_host(host) {
                let text = format!(
                    "hosts: `{}` is not a host such as cdn.example.com",
                    message(host)
                );
                return Err(PyValueError::new_err(text));
            }
            builder = builder.allow_host(host);
        }
        if let Some(function) = self.sitemaps {
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
fn is_host(text: &str) -> bool {
    let url = Url::parse(&format!("https://{text}/"));
    url.is_ok_and(|url| {
        let is_bare = url.username().is_empty() && url.password().is_none() && url.port().is_none();
        is_bare
            && url.path() == "/"
            && !text.contains(['*', '/', '?', '#', '\\'])
            && !text.ends_with(':')
    })
}

/// The caller's function, which gets a page of the kind 'sitemap'. After an exception it is not called again.
fn accept(
    function: Py<PyAny>,
    raised: Arc<Raised>,
) -> impl Fn(&Child<'_>) -> bool + Send + Sync + 'static {
    move |child| {
        if raised.is_some() {
            return false;
        }
        let mut sitemap = SitemapEntry::new(child.url.clone());
        sitemap.lastmod = child.lastmod;
        let called = Python::attach(|py| {
            let sitemap = Page::new(Entry::Sitemap(sitemap), Vec::new());
            function.bind(py).call1((sitemap,))?.is_truthy()
        });
        called.unwrap_or_else(|error| {
            raised.keep(error);
            false
        })
    }
}

/// The URL of a site or of a sitemap.
fn site(text: &str) -> PyResult<Url> {
    let refused =
        |why: &str| PyValueError::new_err(format!("the site `{}` is {why}", message(text)));
    let url = Url::parse(text)
        .map_err(|_| refused("not an absolute URL such as https://example.com/"))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(refused("neither http nor https")),
    }
}

/// A crawl of a site, or of one sitemap if the URL has a path that is not that of a robots.txt.
fn begin(builder: CrawlBuilder, url: &Url) -> crawl::Crawl {
    match url.path() == "/" || url.path().ends_with("/robots.txt") {
        true => builder.site(url),
        false => builder.sitemap(url),
    }
}

fn resume(builder: CrawlBuilder, url: &Url, saved: &str) -> PyResult<crawl::Crawl> {
    let saved: Saved = serde_json::from_str(saved).map_err(|error| {
        let text = message(&error.to_string());
        PyValueError::new_err(format!("resume is not what Crawl.save() returned: {text}"))
    })?;
    let expected = begin(CrawlBuilder::new(), url).save();
    if saved.start() != expected.start() {
        let text = format!(
            "the saved crawl is one of {}",
            message(saved.start().as_str())
        );
        return Err(PyValueError::new_err(text));
    }
    Ok(builder.resume(saved))
}

/// A request that has not been answered.
#[pyclass(frozen, module = "quick_sitemap._native")]
pub(crate) struct Ticket(Mutex<Option<Request>>);

impl Ticket {
    fn take(&self) -> PyResult<Request> {
        let request = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        request.ok_or_else(|| PyRuntimeError::new_err("the request has been answered"))
    }
}

/// Why an exception of a client is a failure. Its text may quote a URL with a password.
fn failure(text: &str) -> Failure {
    Failure::connection(message(text))
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
        let quota = Arc::new(Quota::new(options.max_pages.unwrap_or(u64::MAX)));
        let builder = options.builder(&raised)?;
        let url = site(url)?;
        let crawl = match saved {
            None => begin(builder, &url),
            Some(saved) => resume(builder, &url, saved)?,
        };
        let crawling = Crawling {
            crawl,
            returned: HashMap::new(),
            all_returned: Arc::default(),
            hashes: RandomState::new(),
            quota,
            issues: Vec::new(),
        };
        Ok(Self {
            crawling: Mutex::new(crawling),
            raised,
        })
    }

    /// Returns what can be fetched now, as a ticket and the arguments of quick_sitemap.Request.
    #[expect(clippy::type_complexity, reason = "the arguments of a Python class")]
    fn next_request(
        &self,
        now: f64,
    ) -> PyResult<
        Option<(
            Ticket,
            (String, String, &'static str, Option<String>, u32, u32),
        )>,
    > {
        let crawl = &mut self.lock()?.crawl;
        crawl.set_time(time(now)?);
        Ok(crawl.next_request().map(|request| {
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
            );
            (Ticket(Mutex::new(Some(request))), arguments)
        }))
    }

    /// Returns how many seconds there will be no request unless a response arrives. None if there will be none.
    fn wait(&self, now: f64) -> PyResult<Option<f64>> {
        let crawl = &mut self.lock()?.crawl;
        let now = time(now)?;
        crawl.set_time(now);
        let at = crawl.waits_until();
        Ok(at.map(|at| at.duration_since(now).unwrap_or_default().as_secs_f64()))
    }

    fn is_done(&self) -> PyResult<bool> {
        Ok(self.lock()?.crawl.is_done())
    }

    /// Takes the beginning of a response.
    #[pyo3(signature = (now, ticket, status, final_url, content_type, location, retry_after))]
    #[expect(clippy::too_many_arguments, reason = "the parts of a response")]
    fn begin(
        &self,
        now: f64,
        ticket: &Ticket,
        status: u16,
        final_url: Option<&str>,
        content_type: Option<String>,
        location: Option<String>,
        retry_after: Option<String>,
    ) -> PyResult<Receiver> {
        let mut response = Response::new(status);
        if let Some(text) = final_url {
            response.final_url = Some(Url::parse(text).map_err(|_| {
                let text = message(text);
                PyValueError::new_err(format!("final_url `{text}` is not an absolute URL"))
            })?);
        }
        response.content_type = content_type;
        response.location = location;
        response.retry_after = retry_after;
        let crawling = &mut *self.lock()?;
        crawling.crawl.set_time(time(now)?);
        let receiver = crawling.crawl.begin(ticket.take()?, response);
        let returned = receiver
            .number()
            .and_then(|number| crawling.returned.remove(&number))
            .unwrap_or_else(|| Returned::new(&crawling.all_returned));
        let receiving = Receiving::new(
            receiver,
            returned,
            crawling.hashes.clone(),
            Arc::clone(&crawling.quota),
        );
        Ok(Receiver::new(receiving, Arc::clone(&self.raised)))
    }

    /// Takes a receiver back, after all of its pages were taken.
    fn end(&self, py: Python<'_>, now: f64, receiver: &Receiver) -> PyResult<()> {
        let Some(Receiving {
            receiver,
            mut returned,
            issues,
            sitemap,
            ..
        }) = receiver.take_back(py)
        else {
            return Ok(());
        };
        let crawling = &mut *self.lock()?;
        crawling.crawl.set_time(time(now)?);
        let number = receiver.number();
        match (crawling.crawl.end(receiver).retry_at, number) {
            // The next attempt reports its issues again.
            (Some(_), Some(number)) => {
                returned.repeat();
                crawling.returned.insert(number, returned);
            }
            _ => {
                let room = MAX_ISSUES.saturating_sub(crawling.issues.len());
                let issues = issues.into_iter().take(room);
                let issues = issues.map(|issue| (Arc::clone(&sitemap), issue));
                crawling.issues.extend(issues);
            }
        }
        self.raised.check()
    }

    /// Reports that there is no response.
    fn fail(&self, now: f64, ticket: &Ticket, text: &str) -> PyResult<()> {
        let crawl = &mut self.lock()?.crawl;
        crawl.set_time(time(now)?);
        crawl.fail(ticket.take()?, failure(text));
        Ok(())
    }

    /// The arguments of quick_sitemap.CrawlSummary.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = self.lock()?.crawl.summary();
        let left_out: Vec<_> = summary
            .left_out
            .iter()
            .map(|left_out| {
                let reason = match left_out.reason {
                    Reason::OtherHost => "other-host",
                    Reason::TooDeep => "too-deep",
                    Reason::UrlTooLong => "url-too-long",
                    Reason::Rejected => "rejected",
                    Reason::TooMany => "too-many",
                    _ => "other",
                };
                (reason, left_out.count, left_out.examples.clone())
            })
            .collect();
        let dict = PyDict::new(py);
        dict.set_item("sitemaps", summary.sitemaps)?;
        dict.set_item("done", summary.done)?;
        dict.set_item("failed", summary.failed)?;
        dict.set_item("unchanged", summary.unchanged)?;
        dict.set_item("duplicates", summary.duplicates)?;
        dict.set_item("pages", summary.pages)?;
        dict.set_item("skipped", summary.skipped)?;
        dict.set_item("bytes", summary.bytes)?;
        dict.set_item("left_out", left_out)?;
        dict.set_item("robots_failure", summary.robots_failure.as_ref().map(text))?;
        dict.set_item("has_more_pages", summary.has_more_pages)?;
        dict.set_item("has_more_sitemaps", summary.has_more_sitemaps)?;
        dict.set_item("completeness", value::completeness(summary.completeness()))?;
        Ok(dict)
    }

    /// The arguments of quick_sitemap.Sitemap, for each known sitemap.
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for sitemap in self.lock()?.crawl.sitemaps() {
            let (state, found) = match sitemap.state() {
                State::Done(found) => ("done", Some(value::completeness(found))),
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
            ))?;
        }
        Ok(list)
    }

    /// The first issues: dicts like those of Pages.issues, with 'sitemap'.
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (sitemap, issue) in &self.lock()?.issues {
            let dict = value::issue(py, issue)?;
            dict.set_item("sitemap", &**sitemap)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The progress of the crawl as JSON.
    fn save(&self) -> PyResult<String> {
        let saved = self.lock()?.crawl.save();
        serde_json::to_string(&saved).map_err(|error| PyValueError::new_err(error.to_string()))
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
