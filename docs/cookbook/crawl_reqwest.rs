use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use quick_sitemap::UrlEntry;
use quick_sitemap::crawl::{Crawl, Failure, Outcome, Request, Response, Summary};
use quick_sitemap::url::Url;
use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::{Client, redirect};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

/// Crawls a site with eight sitemaps at a time, and calls `store` with the pages of each.
pub async fn crawl(
    site: &Url,
    mut store: impl FnMut(Vec<UrlEntry>),
) -> Result<Summary, reqwest::Error> {
    // The crawl decides about redirects.
    let client = Client::builder()
        .user_agent("example-crawler/1.0 (+https://example.com/crawler)")
        .redirect(redirect::Policy::none())
        .timeout(Duration::from_secs(60))
        .build()?;
    let crawl = Arc::new(Mutex::new(Crawl::site(site)));
    let (sender, mut sitemaps) = unbounded_channel();
    let mut workers = JoinSet::new();
    for _ in 0..8 {
        workers.spawn(work(client.clone(), Arc::clone(&crawl), sender.clone()));
    }
    drop(sender);
    while let Some(pages) = sitemaps.recv().await {
        store(pages);
    }
    Ok(lock(&crawl).summary())
}

async fn work(client: Client, crawl: Arc<Mutex<Crawl>>, sender: UnboundedSender<Vec<UrlEntry>>) {
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

async fn fetch(
    client: &Client,
    request: Request,
    crawl: &Mutex<Crawl>,
    sender: &UnboundedSender<Vec<UrlEntry>>,
) {
    let mut response = match client.get(request.url.clone()).send().await {
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
    let mut pages = Vec::new();
    while receiver.wants_more() {
        match response.chunk().await {
            Ok(Some(bytes)) => receiver.push(&bytes),
            Ok(None) => receiver.finish(),
            Err(error) => receiver.fail(io::Error::new(io::ErrorKind::ConnectionReset, error)),
        }
        // An error ends the sitemap; the crawl keeps it as a failure.
        let entries = receiver.entries().filter_map(Result::ok);
        pages.extend(entries.filter_map(|entry| entry.into_url()));
    }
    // If the connection broke off, the sitemap is fetched again, and its pages come again.
    if !matches!(lock(crawl).end(receiver), Outcome::Retry { .. }) {
        let _ = sender.send(pages);
    }
}

/// The lock is never held while a task waits.
fn lock(crawl: &Mutex<Crawl>) -> MutexGuard<'_, Crawl> {
    crawl.lock().unwrap_or_else(PoisonError::into_inner)
}
