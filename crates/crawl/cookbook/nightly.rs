use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::thread;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Clock, Crawl, CrawlBuilder, Failure, Next, Request, Response};

/// What is kept of one site from night to night.
#[derive(Default)]
pub struct Store {
    /// A text for each document, by its URL.
    pub known: BTreeMap<String, String>,
    /// Each sitemap with each of its pages.
    pub rows: BTreeSet<(String, String)>,
    pub pages: BTreeSet<String>,
}

pub fn night<B: Read>(
    store: &mut Store,
    builder: CrawlBuilder,
    site: &Url,
    mut fetch: impl FnMut(&Request) -> Result<(Response, B), Failure>,
) -> Crawl {
    let known = store.known.clone();
    let builder = builder.known(move |url| known.get(url.as_str())?.parse().ok());
    let (mut crawl, clock) = (builder.site(site), Clock::new());
    loop {
        match crawl.next(clock.now()) {
            Next::Fetch(request) => match fetch(&request) {
                Ok((response, body)) => {
                    let mut receiver = crawl.begin(request, response);
                    let sitemap = receiver.sitemap().to_string();
                    let pages = receiver.pages(body).map(|page| page.loc.to_string());
                    let listed: BTreeSet<String> = pages.collect();
                    let ended = crawl.end(receiver);
                    if ended.rows_may_go() {
                        let is_listed = |page: &String| listed.contains(page);
                        let rows = &mut store.rows;
                        rows.retain(|(of, page)| *of != sitemap || is_listed(page));
                    }
                    for page in listed {
                        store.pages.insert(page.clone());
                        store.rows.insert((sitemap.clone(), page));
                    }
                    if let Some(known) = ended.known() {
                        store
                            .known
                            .insert(known.url().to_string(), known.to_string());
                    }
                }
                Err(failure) => _ = crawl.fail(request, failure),
            },
            Next::Wait(until) => thread::sleep(clock.until(until)),
            Next::Busy | Next::Done => break,
        }
    }
    // Sitemaps that nothing lists any more. If that is not known tonight, the next night checks it again.
    let kept = store
        .known
        .keys()
        .chain(store.rows.iter().map(|row| &row.0));
    match crawl.gone(kept) {
        Ok(gone) => {
            store.rows.retain(|(sitemap, _)| !gone.contains(sitemap));
            store.known.retain(|url, _| !gone.contains(url));
        }
        Err(not_looked) => eprintln!("nothing is deleted: {not_looked}"),
    }
    // Pages that no sitemap lists any more.
    if crawl.pages_may_go().is_ok() {
        let rows = &store.rows;
        let is_listed = |page: &String| rows.iter().any(|(_, listed)| listed == page);
        store.pages.retain(is_listed);
    }
    crawl
}
