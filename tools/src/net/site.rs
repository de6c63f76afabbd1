//! A site's sitemaps, fetched by several jobs: the crawl of the library, with a network and a clock.
//!
//! The library decides what is fetched, when, and whether a response is good. A [`Visitor`] does something with the
//! entries.

mod clock;
mod document;
mod failure;
mod scope;

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use quick_sitemap::crawl::{self, Crawl, CrawlBuilder, Receiver, Request, State};
use quick_sitemap::url::Url;

use self::clock::Clock;
pub(crate) use self::document::document;
pub(crate) use self::document::robots;
pub(crate) use self::failure::UNAUTHORIZED;
pub(crate) use self::failure::{Latest, reason, what_to_do};
use crate::net::fetch::{Fetcher, Options};
use crate::net::packed::Unpacked;
use crate::term::address::Address;

pub(crate) use self::scope::Scope;

/// How often a job that waits looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
const PIECE: usize = 64 << 10;

/// What is being read.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// As it is listed.
    pub(crate) sitemap: Url,
    /// Its place in the crawl's list; `None` for robots.txt.
    pub(crate) number: Option<usize>,
}

/// What has become of a request.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// `Queued` if it is requested again.
    pub(crate) state: State,
    /// Why it failed, as it may be shown.
    pub(crate) reason: Option<String>,
}

/// Does something with the entries. Its methods are called by several jobs at the same time.
pub(crate) trait Visitor: Send + Sync + 'static {
    /// A job begins a request.
    fn begin(&self, job: usize, asked: &Asked);

    /// Takes all entries that have arrived. Returns `false` if the crawl is to end.
    fn read(&self, job: usize, asked: &Asked, receiver: &mut Receiver) -> bool;

    /// The response has ended. `end` tells the crawl, and returns what has become of the request.
    fn end(&self, job: usize, asked: &Asked, end: &mut dyn FnMut() -> Option<Ended>);

    /// The job has nothing to do with the request any more.
    fn idle(&self, job: usize);

    /// A request has failed and is sent again after this time.
    fn wait(&self, job: usize, wait: Duration, reason: &str);
}

/// Tells the crawl how a request has ended, once.
type End = dyn FnMut(&mut Crawl) -> Option<crawl::Ended>;

pub(crate) struct Site {
    address: Address,
    fetcher: Fetcher,
    crawl: Mutex<Crawl>,
    /// Something in `crawl` has changed.
    changed: Condvar,
    stop: AtomicBool,
    /// The site has answered that it wants a user and a password, or others.
    is_unauthorized: AtomicBool,
    clock: Clock,
}

/// The options of the command line.
pub(crate) fn builder(scope: &Scope, network: &Options) -> CrawlBuilder {
    builder_of(network)
        .max_depth(u32::try_from(scope.max_depth).unwrap_or(u32::MAX))
        .max_sitemaps(scope.max_sitemaps)
        .any_host(scope.other_hosts)
        .filter_children(scope.filter())
}

fn builder_of(network: &Options) -> CrawlBuilder {
    CrawlBuilder::new()
        .max_bytes(network.max_bytes)
        .allow_downgrade(network.allow_downgrade)
        .retries(network.retries())
        .delay(network.delay)
}

/// A crawl of a site, or of one sitemap if the URL has a path that is not that of a robots.txt.
pub(crate) fn crawl_of(builder: CrawlBuilder, address: &Address) -> Crawl {
    let url = address.url();
    match is_site(url) {
        true => builder.site(url),
        false => builder.sitemap(url),
    }
}

/// Whether the URL stands for all sitemaps of its site.
pub(crate) fn is_site(url: &Url) -> bool {
    url.path() == "/" || url.path().ends_with("/robots.txt")
}

impl Site {
    pub(crate) fn new(address: Address, fetcher: Fetcher, crawl: Crawl) -> Arc<Self> {
        Arc::new(Self {
            address,
            fetcher,
            crawl: Mutex::new(crawl),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            is_unauthorized: AtomicBool::new(false),
            clock: Clock::new(),
        })
    }

    /// Starts the jobs.
    ///
    /// # Errors
    ///
    /// If there can be no more threads.
    pub(crate) fn start<V: Visitor>(
        self: &Arc<Self>,
        jobs: usize,
        visitor: &Arc<V>,
    ) -> anyhow::Result<()> {
        for job in 0..jobs {
            let (site, visitor) = (Arc::clone(self), Arc::clone(visitor));
            thread::Builder::new()
                .name(format!("job {job}"))
                .spawn(move || site.work(job, &*visitor))
                .context("a thread cannot be started")?;
        }
        Ok(())
    }

    /// Waits until everything has been read, or something has stopped the crawl. `look` is called from time to time.
    pub(crate) fn wait(&self, look: impl Fn(&Crawl)) {
        let mut crawl = self.crawl();
        while !crawl.is_done() && !self.is_stopped() {
            look(&crawl);
            crawl = match self.changed.wait_timeout(crawl, TICK) {
                Ok((crawl, _)) => crawl,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Whether the site wants a user and a password, or others.
    pub(crate) fn is_unauthorized(&self) -> bool {
        self.is_unauthorized.load(Ordering::Relaxed)
    }

    pub(crate) fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    pub(crate) fn crawl(&self) -> MutexGuard<'_, Crawl> {
        self.crawl.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No job begins or ends anything after this.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || crate::term::interrupt::is_requested()
    }

    fn work(&self, job: usize, visitor: &dyn Visitor) {
        while let Some(request) = self.take() {
            let asked = Asked {
                sitemap: request.sitemap.clone(),
                number: request.number(),
            };
            visitor.begin(job, &asked);
            let again = self.visit(job, request, &asked, visitor);
            visitor.idle(job);
            if let Some((at, reason)) = again {
                visitor.wait(job, self.clock.until(at), &reason);
            }
            self.changed.notify_all();
        }
    }

    /// The next request, as soon as there is one; `None` at the end.
    fn take(&self) -> Option<Request> {
        let mut crawl = self.crawl();
        loop {
            if self.is_stopped() {
                return None;
            }
            crawl.set_time(self.clock.now());
            if let Some(request) = crawl.next_request() {
                return Some(request);
            }
            if crawl.is_done() {
                self.changed.notify_all();
                return None;
            }
            crawl = match self.changed.wait_timeout(crawl, TICK) {
                Ok((crawl, _)) => crawl,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Returns when it is requested again, and why, if it has failed.
    fn visit(
        &self,
        job: usize,
        request: Request,
        asked: &Asked,
        visitor: &dyn Visitor,
    ) -> Option<(SystemTime, String)> {
        let mut latest = Latest::of(request.url.clone());
        let exchange = self.fetcher.exchange(&latest.url, &self.address);
        if self.is_stopped() {
            return None;
        }
        let mut end: Box<End> = match exchange {
            Err(cause) => {
                let mut failed = Some((request, cause.failure()));
                Box::new(move |crawl| {
                    let (request, failure) = failed.take()?;
                    Some(crawl.fail(request, failure))
                })
            }
            Ok(exchange) => {
                latest.see(&exchange);
                if latest.is_unauthorized(&self.address) {
                    self.is_unauthorized.store(true, Ordering::Relaxed);
                }
                let response = exchange.response();
                let mut body = Unpacked::new(exchange.body, exchange.is_brotli)
                    .max_bytes(self.fetcher.options().max_bytes);
                let mut receiver = self.crawl().begin(request, response);
                if !self.receive(job, asked, &mut body, &mut receiver, visitor) {
                    return None;
                }
                let mut receiver = Some(receiver);
                Box::new(move |crawl| Some(crawl.end(receiver.take()?)))
            }
        };
        let mut again = None;
        visitor.end(job, asked, &mut || {
            let ended = end(&mut self.crawl())?;
            let failure = ended.failure.as_ref();
            let reason =
                failure.map(|failure| reason(&self.address, &asked.sitemap, &latest, failure));
            if let Some(at) = ended.retry_at {
                again = Some((at, reason.clone().unwrap_or_default()));
            }
            Some(Ended {
                state: ended.state,
                reason,
            })
        });
        again
    }

    /// Returns `false` if the crawl ends.
    fn receive(
        &self,
        job: usize,
        asked: &Asked,
        body: &mut dyn Read,
        receiver: &mut Receiver,
        visitor: &dyn Visitor,
    ) -> bool {
        let mut buffer = vec![0; if receiver.wants_more() { PIECE } else { 0 }];
        let mut is_open = true;
        while is_open && receiver.wants_more() {
            match body.read(&mut buffer) {
                Ok(0) => {
                    receiver.finish();
                    is_open = false;
                }
                Ok(count) => receiver.push(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    receiver.fail(error);
                    is_open = false;
                }
            }
            if self.is_stopped() || !visitor.read(job, asked, receiver) {
                return false;
            }
        }
        true
    }
}
