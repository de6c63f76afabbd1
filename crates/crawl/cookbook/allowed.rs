use std::io::Read;
use std::thread;
use std::time::SystemTime;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlSummary, Failure, Next, Request, RequestKind, Response};
use robotxt::Robots;

/// Search engines read no more of a robots.txt.
const ROBOTS_BYTES: u64 = 500 << 10;

/// Crawls the site, and calls `store` with each page and whether robots.txt allows it. `fetch` returns the beginning of a
/// response, and a reader of its body.
pub fn crawl<B: Read>(
    mut crawl: Crawl,
    user_agent: &str,
    fetch: impl Fn(&Request) -> Result<(Response, B), Failure>,
    mut store: impl FnMut(Url, bool),
) -> CrawlSummary {
    // Rules belong to one host. A page on another one has its own.
    let mut rules: Option<(Url, Robots)> = None;
    loop {
        let request = match crawl.next(SystemTime::now()) {
            Next::Fetch(request) => request,
            Next::Wait(until) => {
                thread::sleep(until.duration_since(SystemTime::now()).unwrap_or_default());
                continue;
            }
            // Only one request is at work.
            Next::Busy | Next::Done => return crawl.summary(),
        };
        let (head, mut body) = match fetch(&request) {
            Ok(response) => response,
            Err(failure) => {
                crawl.fail(request, failure);
                continue;
            }
        };
        let kind = request.kind;
        let mut receiver = crawl.begin(request, head);
        if kind == RequestKind::Robots && !receiver.is_over() {
            let mut text = Vec::new();
            let read = body.by_ref().take(ROBOTS_BYTES).read_to_end(&mut text);
            receiver.push(&text);
            match read {
                Ok(_) => receiver.finish(),
                Err(error) => receiver.fail(error),
            }
            rules = Some((
                receiver.location().clone(),
                Robots::from_bytes(&text, user_agent),
            ));
        }
        for page in receiver.pages(body) {
            let own = rules
                .as_ref()
                .filter(|(place, _)| place.origin() == page.loc.origin());
            let is_allowed = own.is_none_or(|(_, rules)| rules.is_absolute_allowed(&page.loc));
            store(page.loc, is_allowed);
        }
        crawl.end(receiver);
    }
}
