//! The sitemaps of a live site, one after the other: [`quick_sitemap::crawl`] says which, and threads fetch them.
//!
//! The order is that of the requests, whatever the order of the responses, so findings do not depend on chance. A sitemap
//! waits in a temporary file, as it was sent, until it is its turn.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver as Responses, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use quick_sitemap::crawl::{Crawl, CrawlSummary, Receiver, Request, RequestKind, State};
use quick_sitemap::url::Url;
use tempfile::SpooledTempFile;

use crate::net::fetch::{self, Exchange, Fetcher};
use crate::net::packed::Unpacked;
use crate::net::robots::{self, Content};
use crate::net::site::{self, Latest, Scope};
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;

/// A sitemap of more bytes waits on the disk.
const IN_MEMORY: usize = 1 << 20;
const TICK: Duration = Duration::from_millis(50);

/// A site, or an index, that is being read.
pub(super) struct Live {
    crawl: Crawl,
    address: Address,
    fetcher: Arc<Fetcher>,
    messages: Messages,
    jobs: usize,
    max_bytes: u64,
    queue: VecDeque<(Request, Responses<Result<Fetched, fetch::Cause>>)>,
    /// Numbers of the sitemaps that were given: an index may be read again for the sitemaps that it lists.
    given: HashSet<usize>,
    pub(super) robots: Option<Robots>,
    is_unauthorized: bool,
}

/// robots.txt, if it was read.
pub(super) struct Robots {
    pub(super) url: Url,
    pub(super) rules: robots::Robots,
    /// It lists a sitemap.
    pub(super) has_sitemap: bool,
}

/// What comes next.
pub(super) enum Next {
    /// A sitemap, or what is expected to be one.
    Document(Box<Document>),
    /// A sitemap that is listed, and could not be fetched.
    Missing {
        url: Url,
        /// The index that lists it; `None` if robots.txt does, or if it was asked for.
        parent: Option<Url>,
        why: String,
    },
}

pub(super) struct Document {
    /// After redirects.
    pub(super) location: Url,
    /// 1 for the first sitemaps.
    pub(super) depth: u32,
    /// The index that lists it.
    pub(super) parent: Option<Url>,
    /// Nobody lists it.
    pub(super) is_guess: bool,
    pub(super) bytes: Box<dyn Read + Send>,
    /// Takes the entries for the crawl, which has not read the document. `None` if it has: what is at one of the usual
    /// places is checked only if it is a sitemap, and what broke off only if it is not requested again.
    pub(super) receiver: Option<RefCell<Receiver>>,
}

/// The response to a request.
struct Fetched {
    exchange: Exchange,
    body: Body,
    /// What ended the body too early.
    failure: Option<io::Error>,
}

/// A body as it was sent.
struct Body {
    sent: SpooledTempFile,
    is_brotli: bool,
    max_bytes: u64,
}

impl Body {
    /// From the beginning. Gzip is left to the library.
    fn content(&mut self) -> io::Result<Unpacked<'_>> {
        self.sent.seek(SeekFrom::Start(0))?;
        Ok(Unpacked::new(Box::new(&mut self.sent), self.is_brotli).max_bytes(self.max_bytes))
    }

    fn into_content(mut self) -> io::Result<Unpacked<'static>> {
        self.sent.seek(SeekFrom::Start(0))?;
        Ok(Unpacked::new(Box::new(self.sent), self.is_brotli).max_bytes(self.max_bytes))
    }
}

impl Live {
    /// Of a site, if the URL has no path, or is that of a robots.txt; else of a sitemap.
    pub(super) fn new(
        address: &Address,
        scope: &Scope,
        network: &fetch::Options,
        messages: &Messages,
    ) -> anyhow::Result<Self> {
        let fetcher = Arc::new(Fetcher::new(network)?);
        let url = address.url();
        let builder = site::builder(scope, network).max_pages(scope.max_pages);
        let crawl = site::crawl_of(builder, address);
        let mut live = Self {
            crawl,
            address: address.clone(),
            fetcher,
            messages: *messages,
            max_bytes: network.max_bytes,
            jobs: usize::from(scope.jobs),
            queue: VecDeque::new(),
            given: HashSet::new(),
            robots: None,
            is_unauthorized: false,
        };
        if !site::is_site(url)
            && let Ok(robots) = url.join("/robots.txt")
        {
            live.read_robots(&robots);
        }
        Ok(live)
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// A URL as it may be shown.
    pub(super) fn shown(&self, url: &Url) -> String {
        self.address.shown(url).to_string()
    }

    /// Whether a part that is listed there is left out, because it is on a host that is not trusted.
    pub(super) fn leaves_out(&self, part: &Url, document: &Document) -> bool {
        let is_beside = document.depth == 1 && part.host_str() == document.location.host_str();
        !is_beside && !self.crawl.trusts(part)
    }

    /// What to do, if the site wants a user and a password, or others.
    pub(super) fn is_unauthorized(&self) -> Option<&'static str> {
        self.is_unauthorized
            .then(|| site::what_to_do(&self.address))
    }

    pub(super) fn summary(&self) -> CrawlSummary {
        self.crawl.summary()
    }

    /// The next sitemap; `None` at the end, and if there is a request to stop.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Next>> {
        while !interrupt::is_requested() {
            self.crawl.set_time(SystemTime::now());
            while self.queue.len() < self.jobs
                && let Some(request) = self.crawl.next_request()
            {
                let response = self.fetch(&request)?;
                self.queue.push_back((request, response));
            }
            let Some((request, response)) = self.queue.pop_front() else {
                if self.crawl.is_done() {
                    return Ok(None);
                }
                // A host asks for a pause, or a request is to be repeated.
                interrupt::sleep(TICK);
                continue;
            };
            let fetched = loop {
                match response.recv_timeout(TICK) {
                    Ok(fetched) => break fetched,
                    Err(RecvTimeoutError::Timeout) if !interrupt::is_requested() => {}
                    Err(_) => return Ok(None),
                }
            };
            if let Some(next) = self.take(request, fetched)? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    fn fetch(&self, request: &Request) -> anyhow::Result<Responses<Result<Fetched, fetch::Cause>>> {
        let (sender, receiver) = channel();
        let (fetcher, address) = (Arc::clone(&self.fetcher), self.address.clone());
        let url = request.url.clone();
        std::thread::Builder::new()
            .spawn(move || {
                // Whoever has gone needs no response.
                let _ = sender.send(fetch(&fetcher, &address, &url));
            })
            .context("a thread cannot be started")?;
        Ok(receiver)
    }

    /// Tells the crawl what came, and returns what there is to check.
    fn take(
        &mut self,
        request: Request,
        fetched: Result<Fetched, fetch::Cause>,
    ) -> anyhow::Result<Option<Next>> {
        let (kind, depth, parent) = (request.kind, request.depth, request.parent.clone());
        let sitemap = request.sitemap.clone();
        let mut latest = Latest::of(request.url.clone());
        let mut document = None;
        let (ended, location) = match fetched {
            Err(cause) => {
                let ended = self.crawl.fail(request, cause.failure());
                (ended, latest.url.clone())
            }
            Ok(Fetched {
                exchange,
                mut body,
                failure,
            }) => {
                latest.see(&exchange);
                self.is_unauthorized |= latest.is_unauthorized(&self.address);
                if kind == RequestKind::Robots && exchange.status == 200 {
                    self.keep_robots(&latest.url, &mut body)?;
                }
                let mut receiver = self.crawl.begin(request, exchange.response());
                let location = receiver.location().clone();
                let number = receiver.number();
                let is_wanted = receiver.wants_more()
                    && !receiver.is_repeated()
                    && number.is_some_and(|number| !self.given.contains(&number));
                if is_wanted && kind == RequestKind::Sitemap && failure.is_none() {
                    self.given.extend(number);
                    return Ok(Some(Next::Document(Box::new(Document {
                        location,
                        depth,
                        parent,
                        is_guess: false,
                        bytes: Box::new(body.into_content()?),
                        receiver: Some(RefCell::new(receiver)),
                    }))));
                }
                receive(&mut receiver, &mut body, failure.as_ref())?;
                let ended = self.crawl.end(receiver);
                if is_wanted {
                    document = Some((number, body, failure));
                }
                (ended, location)
            }
        };
        if matches!(ended.state, State::Duplicate | State::Missing) || ended.retry_at.is_some() {
            return Ok(None);
        }
        if let Some((Some(number), body, failure)) = document {
            self.given.insert(number);
            let bytes: Box<dyn Read + Send> = match failure {
                Some(error) => {
                    let broken = Broken(Some(io::Error::other(error.to_string())));
                    Box::new(body.into_content()?.chain(broken))
                }
                None => Box::new(body.into_content()?),
            };
            return Ok(Some(Next::Document(Box::new(Document {
                location,
                depth,
                parent,
                is_guess: kind == RequestKind::Guess,
                bytes,
                receiver: None,
            }))));
        }
        // What fails without a document, and is listed or was asked for.
        let missing = ended.failure.filter(|_| kind == RequestKind::Sitemap);
        Ok(missing.map(|failure| Next::Missing {
            why: site::reason(&self.address, &sitemap, &latest, &failure),
            url: sitemap,
            parent,
        }))
    }

    /// The document has been read.
    pub(super) fn end(&mut self, document: Box<Document>) {
        if let Some(receiver) = document.receiver {
            self.crawl.end(receiver.into_inner());
        }
    }

    fn keep_robots(&mut self, url: &Url, body: &mut Body) -> io::Result<()> {
        body.sent.seek(SeekFrom::Start(0))?;
        let content = Content::read(&mut body.sent, body.is_brotli);
        let rules = robots::Robots::new(&content, self.fetcher.user_agent());
        if let Some(left_out) = rules.left_out() {
            let name = self.shown(url);
            self.messages.warning(format_args!("{name}: {left_out}"));
        }
        self.robots = Some(Robots {
            url: url.clone(),
            rules,
            has_sitemap: quick_sitemap::robots::sitemaps(&content.text, Some(url))
                .next()
                .is_some(),
        });
        Ok(())
    }

    /// For its rules alone: the site of a single sitemap need not have a robots.txt.
    fn read_robots(&mut self, url: &Url) {
        if let Ok(Fetched {
            exchange, mut body, ..
        }) = fetch(&self.fetcher, &self.address, url)
            && exchange.status == 200
        {
            let _ = self.keep_robots(url, &mut body);
        }
    }
}

/// Gives the body to the crawl, where nobody else reads it before.
fn receive(
    receiver: &mut Receiver,
    body: &mut Body,
    failure: Option<&io::Error>,
) -> io::Result<()> {
    let failure = failure.map(|error| io::Error::new(error.kind(), error.to_string()));
    let entries = receiver.read(body.content()?.chain(Broken(failure)));
    for _ in entries.take_while(|_| !interrupt::is_requested()) {}
    Ok(())
}

/// One request. Its body waits in a file.
fn fetch(fetcher: &Fetcher, address: &Address, url: &Url) -> Result<Fetched, fetch::Cause> {
    let mut exchange = fetcher.exchange(url, address)?;
    let mut sent = SpooledTempFile::new(IN_MEMORY);
    let mut source = std::mem::replace(&mut exchange.body, Box::new(io::empty()));
    let copied = io::copy(&mut source, &mut sent).and_then(|_| sent.flush());
    let body = Body {
        sent,
        is_brotli: exchange.is_brotli,
        max_bytes: fetcher.options().max_bytes,
    };
    Ok(Fetched {
        exchange,
        body,
        failure: copied.err(),
    })
}

/// The end of a body: an error, if it broke off.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
