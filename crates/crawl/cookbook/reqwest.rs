use std::io;
use std::sync::Arc;
use std::time::Duration;

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Clock, Crawl, CrawlSummary, Failure, Next, Request, Response};
use reqwest::header::{ACCEPT_ENCODING, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use reqwest::{Client, redirect};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinSet;

/// A page, and the sitemap that lists it.
type Page = (Arc<Url>, UrlEntry);

/// Crawls many sites, each in a task of its own, and calls `store` with each page. Returns the summaries, in the order in
/// which the crawls have ended.
pub async fn crawl(
    crawls: impl IntoIterator<Item = Crawl>,
    mut store: impl FnMut(Page),
) -> Result<Vec<CrawlSummary>, reqwest::Error> {
    // The crawl decides about redirects. Connections that nobody uses take most of the memory, so few are kept.
    let client = Client::builder()
        .user_agent("example-crawler/1.0 (+https://example.com/crawler)")
        .redirect(redirect::Policy::none())
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(Duration::from_secs(5))
        .timeout(Duration::from_secs(60))
        .build()?;
    // A full channel makes the tasks wait, so a slow `store` slows the servers down.
    let (sender, mut pages) = channel(1_000);
    let clock = Clock::new();
    let mut tasks = JoinSet::new();
    for crawl in crawls {
        tasks.spawn(run(client.clone(), crawl, clock, sender.clone()));
    }
    drop(sender);
    while let Some(page) = pages.recv().await {
        store(page);
    }
    Ok(tasks.join_all().await)
}

/// One site, one request at a time.
async fn run(client: Client, mut crawl: Crawl, clock: Clock, sender: Sender<Page>) -> CrawlSummary {
    loop {
        match crawl.next(clock.now()) {
            Next::Fetch(request) => fetch(&client, request, &mut crawl, &sender).await,
            Next::Wait(until) => tokio::time::sleep(clock.until(until)).await,
            // Only one request is at work.
            Next::Busy | Next::Done => return crawl.summary(),
        }
    }
}

async fn fetch(client: &Client, request: Request, crawl: &mut Crawl, sender: &Sender<Page>) {
    // Sitemaps shrink to a tenth; the receiver unpacks them.
    let mut get = client.get(request.url.clone());
    get = get.header(ACCEPT_ENCODING, "gzip");
    if let Some(etag) = request.if_none_match() {
        get = get.header(IF_NONE_MATCH, etag);
    }
    if let Some(date) = request.if_modified_since() {
        get = get.header(IF_MODIFIED_SINCE, date);
    }
    let mut response = match get.send().await {
        Ok(response) => response,
        Err(error) => {
            // A timeout of the client would occur again.
            let failure = if error.is_timeout() {
                Failure::permanent("no complete response within a minute")
            } else {
                Failure::from_error(&error)
            };
            crawl.fail(request, failure);
            return;
        }
    };
    let mut head = Response::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
    }

    let mut receiver = crawl.begin(request, head);
    let sitemap = Arc::new(receiver.sitemap().clone());
    while !receiver.is_over() {
        match response.chunk().await {
            Ok(Some(bytes)) => receiver.push(&bytes),
            Ok(None) => receiver.finish(),
            Err(error) if error.is_timeout() => {
                receiver.fail(io::Error::other("no complete response within a minute"));
            }
            Err(error) => receiver.fail(io::Error::other(error)),
        }
        while let Some(page) = receiver.next_page() {
            // Sending fails only if `crawl` was dropped, which also ends this task.
            let _ = sender.send((Arc::clone(&sitemap), page)).await;
        }
    }
    crawl.end(receiver);
}
