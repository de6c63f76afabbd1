use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlSummary, Failure, Request, Response};
use reqwest::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};
use reqwest::{Client, redirect};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinSet;

/// A page, and the sitemap that lists it.
type Page = (Arc<Url>, UrlEntry);

/// Crawls a site, or continues a crawl, with eight sitemaps at a time, and calls `store` with each page.
pub async fn crawl(
    crawl: Crawl,
    mut store: impl FnMut(Page),
) -> Result<CrawlSummary, reqwest::Error> {
    // The crawl decides about redirects.
    let client = Client::builder()
        .user_agent("example-crawler/1.0 (+https://example.com/crawler)")
        .redirect(redirect::Policy::none())
        .timeout(Duration::from_secs(60))
        .build()?;
    let crawl = Arc::new(Mutex::new(crawl));
    // A full channel makes the workers wait, so a slow `store` slows the servers down.
    let (sender, mut pages) = channel(1_000);
    let mut workers = JoinSet::new();
    for _ in 0..8 {
        workers.spawn(work(client.clone(), Arc::clone(&crawl), sender.clone()));
    }
    drop(sender);
    while let Some(page) = pages.recv().await {
        store(page);
    }
    Ok(lock(&crawl).summary())
}

async fn work(client: Client, crawl: Arc<Mutex<Crawl>>, sender: Sender<Page>) {
    loop {
        let request = {
            let mut crawl = lock(&crawl);
            crawl.set_time(SystemTime::now());
            match crawl.next_request() {
                None if crawl.is_done() => return,
                request => request,
            }
        };
        match request {
            Some(request) => fetch(&client, request, &crawl, &sender).await,
            // Other tasks are at work, or a failed sitemap waits.
            None => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

async fn fetch(client: &Client, request: Request, crawl: &Mutex<Crawl>, sender: &Sender<Page>) {
    let mut get = client.get(request.url.clone());
    if let Some(etag) = request.if_none_match() {
        get = get.header(IF_NONE_MATCH, etag);
    }
    if let Some(date) = request.if_modified_since() {
        get = get.header(IF_MODIFIED_SINCE, date);
    }
    let mut response = match get.send().await {
        Ok(response) => response,
        Err(error) => {
            // A timeout of our own would come again.
            let failure = if error.is_timeout() {
                Failure::permanent("no complete response within a minute")
            } else {
                Failure::from_error(&error)
            };
            lock(crawl).fail(request, failure);
            return;
        }
    };
    let mut head = Response::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
    }

    let mut receiver = lock(crawl).begin(request, head);
    let sitemap = Arc::new(receiver.sitemap().clone());
    while receiver.wants_more() {
        match response.chunk().await {
            Ok(Some(bytes)) => receiver.push(&bytes),
            Ok(None) => receiver.finish(),
            Err(error) if error.is_timeout() => {
                receiver.fail(io::Error::other("no complete response within a minute"));
            }
            Err(error) => receiver.fail(io::Error::other(error)),
        }
        // An error ends the sitemap; the crawl keeps it as a failure.
        while let Ok(Some(entry)) = receiver.next_entry() {
            if let Some(page) = entry.into_url() {
                // Nobody takes pages any more if `crawl` was dropped. Then the task ends, too.
                let _ = sender.send((Arc::clone(&sitemap), page)).await;
            }
        }
    }
    let _for_the_next_run = lock(crawl).end(receiver).validators;
}

/// The lock is never held while a task waits.
fn lock(crawl: &Mutex<Crawl>) -> MutexGuard<'_, Crawl> {
    crawl.lock().unwrap_or_else(PoisonError::into_inner)
}
