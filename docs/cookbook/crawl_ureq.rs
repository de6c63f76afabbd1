use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use quick_sitemap::crawl::{Crawl, Failure, Outcome, Request, Response, Summary};
use quick_sitemap::url::Url;
use ureq::Agent;
use ureq::http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};

/// Returns the pages of a site, and what the crawl has found. `threads` sitemaps are fetched at a time.
pub fn crawl(site: &Url, threads: usize) -> (Vec<Url>, Summary) {
    // The crawl decides about redirects and statuses.
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into();
    let crawl = Mutex::new(Crawl::site(site));
    let pages = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&agent, &crawl, &pages));
        }
    });
    let summary = lock(&crawl).summary();
    (pages.into_inner().unwrap_or_default(), summary)
}

fn work(agent: &Agent, crawl: &Mutex<Crawl>, pages: &Mutex<Vec<Url>>) {
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
            Some(request) => fetch(agent, request, crawl, pages),
            // Other threads are at work, or a failed sitemap waits.
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn fetch(agent: &Agent, request: Request, crawl: &Mutex<Crawl>, pages: &Mutex<Vec<Url>>) {
    let response = match agent.get(request.url.as_str()).call() {
        Ok(response) => response,
        Err(error) => {
            lock(crawl).fail(request, Failure::connection(error.to_string()));
            return;
        }
    };
    let header = |name| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let mut head = Response::new(response.status().as_u16());
    head.content_type = header(CONTENT_TYPE);
    head.location = header(LOCATION);
    head.retry_after = header(RETRY_AFTER);

    let mut receiver = lock(crawl).begin(request, head);
    let mut body = response.into_body().into_reader();
    let mut buffer = vec![0; 64 << 10];
    let mut found = Vec::new();
    while receiver.wants_more() {
        match body.read(&mut buffer) {
            Ok(0) => receiver.finish(),
            Ok(count) => receiver.push(&buffer[..count]),
            Err(error) => receiver.fail(io::Error::new(io::ErrorKind::ConnectionReset, error)),
        }
        // An error ends the sitemap; the crawl keeps it as a failure.
        let entries = receiver.entries().filter_map(Result::ok);
        found.extend(entries.filter_map(|entry| Some(entry.into_url()?.loc)));
    }
    // If the connection broke off, the sitemap is fetched again, and its pages come again.
    if !matches!(lock(crawl).end(receiver), Outcome::Retry { .. }) {
        lock(pages).append(&mut found);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
