use std::io::Read;
use std::thread;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{
    Clock, Crawl, CrawlSummary, Failure, Next, Request, RequestKind, Response,
};

/// Crawls the site, and calls `store` with each page and whether robots.txt allows it, or `None` if that is not known. `fetch`
/// returns the beginning of a response, and a reader of its body.
pub fn crawl<B: Read>(
    mut crawl: Crawl,
    user_agent: &str,
    fetch: impl Fn(&Request) -> Result<(Response, B), Failure>,
    mut store: impl FnMut(Url, Option<bool>),
) -> CrawlSummary {
    let clock = Clock::new();
    // Rules belong to the site that was asked, after any redirect. A page on another site has its own.
    let mut site = None;
    loop {
        let request = match crawl.next(clock.now()) {
            Next::Fetch(request) => request,
            Next::Wait(until) => {
                thread::sleep(clock.until(until));
                continue;
            }
            // Only one request is at work.
            Next::Busy | Next::Done => return crawl.summary(),
        };
        if request.kind == RequestKind::Robots {
            site = Some(request.sitemap.origin());
        }
        let (head, body) = match fetch(&request) {
            Ok(response) => response,
            Err(failure) => {
                crawl.fail(request, failure);
                continue;
            }
        };
        let mut receiver = crawl.begin(request, head);
        for page in receiver.pages(body) {
            let own = crawl.robots().filter(|_| site == Some(page.loc.origin()));
            let is_allowed = own.and_then(|answer| answer.allows(user_agent, &page.loc));
            store(page.loc, is_allowed);
        }
        crawl.end(receiver);
    }
}
