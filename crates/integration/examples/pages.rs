//! Prints the pages of a site: from its robots.txt, over HTTP.

use quick_sitemap::{UrlEntry, url::Url};
use quick_sitemap_crawl::{Clock, Crawl, Failure, Next, Response, site};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).ok_or("usage: pages SITE")?;
    let crawl = crawl(&site(&name)?, |page| println!("{}", page.loc));
    for sitemap in crawl.sitemaps() {
        if let Some(failure) = sitemap.failure() {
            eprintln!("{}: {failure}", sitemap.url());
        }
    }
    Ok(())
}

pub fn crawl(site: &Url, mut store: impl FnMut(UrlEntry)) -> Crawl {
    // The crawl decides about redirects and statuses.
    let client = ureq::Agent::config_builder().http_status_as_error(false);
    let client: ureq::Agent = client.max_redirects(0).build().into();
    let (mut crawl, clock) = (Crawl::site(site), Clock::new());
    loop {
        match crawl.next(clock.now()) {
            Next::Fetch(request) => match client.get(request.url.as_str()).call() {
                Ok(response) => {
                    let mut head = Response::new(response.status().as_u16());
                    for (name, value) in response.headers() {
                        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
                    }
                    let mut receiver = crawl.begin(request, head);
                    let body = response.into_body().into_reader();
                    receiver.pages(body).for_each(&mut store);
                    crawl.end(receiver);
                }
                Err(error) => {
                    crawl.fail(request, Failure::from_error(&error.into_io()));
                }
            },
            Next::Wait(until) => std::thread::sleep(clock.until(until)),
            // Busy: only with several requests at work.
            Next::Busy | Next::Done => return crawl,
        }
    }
}
