use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Clock, Crawl, CrawlSummary, Failure, Next, Request, Response};
use ureq::Agent;

/// What the threads share.
struct Work {
    crawl: Mutex<Crawl>,
    /// A request has ended, so there may be others.
    ended: Condvar,
    clock: Clock,
}

/// Crawls a site, or continues a crawl, and calls `store` with each page. Up to `threads` sitemaps are fetched at a time, and
/// up to `CrawlBuilder::per_host` from each host.
pub fn crawl(crawl: Crawl, threads: usize, store: impl Fn(&Url, UrlEntry) + Sync) -> CrawlSummary {
    // The crawl decides about redirects and statuses.
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into();
    let work = Work {
        crawl: Mutex::new(crawl),
        ended: Condvar::new(),
        clock: Clock::new(),
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| run(&agent, &work, &store));
        }
    });
    lock(&work.crawl).summary()
}

fn run(agent: &Agent, work: &Work, store: &impl Fn(&Url, UrlEntry)) {
    let mut crawl = lock(&work.crawl);
    loop {
        match crawl.next(work.clock.now()) {
            Next::Fetch(request) => {
                drop(crawl);
                fetch(agent, request, &work.crawl, store);
                work.ended.notify_all();
                crawl = lock(&work.crawl);
            }
            Next::Wait(until) => {
                let waited = work.ended.wait_timeout(crawl, work.clock.until(until));
                (crawl, _) = waited.unwrap_or_else(PoisonError::into_inner);
            }
            Next::Busy => {
                let waited = work.ended.wait(crawl);
                crawl = waited.unwrap_or_else(PoisonError::into_inner);
            }
            Next::Done => return,
        }
    }
}

fn fetch(agent: &Agent, request: Request, crawl: &Mutex<Crawl>, store: &impl Fn(&Url, UrlEntry)) {
    let mut get = agent.get(request.url.as_str());
    if let Some(etag) = request.if_none_match() {
        get = get.header("If-None-Match", etag);
    }
    if let Some(date) = request.if_modified_since() {
        get = get.header("If-Modified-Since", date);
    }
    let response = match get.call() {
        Ok(response) => response,
        Err(error) => {
            // A timeout of the client would occur again, so it is permanent.
            lock(crawl).fail(request, Failure::from_error(&error.into_io()));
            return;
        }
    };
    let mut head = Response::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
    }

    let mut receiver = lock(crawl).begin(request, head);
    let sitemap = receiver.sitemap().clone();
    for page in receiver.pages(response.into_body().into_reader()) {
        store(&sitemap, page);
    }
    lock(crawl).end(receiver);
}

fn lock(crawl: &Mutex<Crawl>) -> MutexGuard<'_, Crawl> {
    crawl.lock().unwrap_or_else(PoisonError::into_inner)
}
