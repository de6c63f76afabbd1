use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlSummary, Failure, Request, Response};
use ureq::Agent;

/// Crawls a site, or continues a crawl, and calls `store` with each page. `threads` sitemaps are fetched at a time.
pub fn crawl(crawl: Crawl, threads: usize, store: impl Fn(&Url, UrlEntry) + Sync) -> CrawlSummary {
    // The crawl decides about redirects and statuses.
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into();
    let crawl = Mutex::new(crawl);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&agent, &crawl, &store));
        }
    });
    lock(&crawl).summary()
}

fn work(agent: &Agent, crawl: &Mutex<Crawl>, store: &impl Fn(&Url, UrlEntry)) {
    loop {
        let request = {
            let mut crawl = lock(crawl);
            crawl.set_time(SystemTime::now());
            match crawl.next_request() {
                None if crawl.is_done() => return,
                request => request,
            }
        };
        match request {
            Some(request) => fetch(agent, request, crawl, store),
            // Other threads are at work, or a failed sitemap waits.
            None => thread::sleep(Duration::from_millis(10)),
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
            lock(crawl).fail(request, failure(&error));
            return;
        }
    };
    let mut head = Response::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
    }

    let mut receiver = lock(crawl).begin(request, head);
    let sitemap = receiver.sitemap().clone();
    // An error ends the sitemap; the crawl keeps it as a failure.
    let entries = receiver.read(response.into_body().into_reader());
    for page in entries.filter_map(|entry| entry.ok()?.into_url()) {
        store(&sitemap, page);
    }
    let _for_the_next_run = lock(crawl).end(receiver).validators;
}

/// An unknown host, an invalid certificate, or a timeout of our own would come again.
fn failure(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::Io(error) => Failure::from_error(error),
        ureq::Error::ConnectionFailed => Failure::connection(error.to_string()),
        _ => Failure::permanent(error.to_string()),
    }
}

fn lock(crawl: &Mutex<Crawl>) -> MutexGuard<'_, Crawl> {
    crawl.lock().unwrap_or_else(PoisonError::into_inner)
}
