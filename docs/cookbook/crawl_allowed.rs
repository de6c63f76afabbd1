use quick_sitemap::crawl::{Crawl, CrawlSummary, RequestKind, Response};
use quick_sitemap::url::Url;
use robotxt::Robots;

/// The pages of a site.
#[derive(Debug, Default)]
pub struct Pages {
    pub allowed: Vec<Url>,
    /// Listed, although robots.txt forbids them.
    pub disallowed: Vec<Url>,
}

/// `fetch` returns the status and the body of a response.
pub fn crawl(
    site: &Url,
    user_agent: &str,
    fetch: impl Fn(&Url) -> (u16, Vec<u8>),
) -> (Pages, CrawlSummary) {
    // Without a robots.txt, everything is allowed.
    let mut rules = Robots::from_always(true, user_agent);
    let mut crawl = Crawl::site(site);
    let mut pages = Pages::default();
    while let Some(request) = crawl.next_request() {
        let (status, body) = fetch(&request.url);
        if request.kind == RequestKind::Robots && status == 200 {
            rules = Robots::from_bytes(&body, user_agent);
        }
        let mut receiver = crawl.begin(request, Response::new(status));
        for page in receiver
            .read(body.as_slice())
            .filter_map(|entry| entry.ok()?.into_url())
        {
            // Rules belong to one host. A page on another one has its own.
            if page.loc.origin() != site.origin() || rules.is_absolute_allowed(&page.loc) {
                pages.allowed.push(page.loc)
            } else {
                pages.disallowed.push(page.loc)
            }
        }
        crawl.end(receiver);
    }
    (pages, crawl.summary())
}
