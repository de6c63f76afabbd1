//! Prints the pages of a site: from its robots.txt, over HTTP.

use std::time::SystemTime;

use quick_sitemap_crawl::{Crawl, Failure, Next, Response, site};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).ok_or("usage: crawl SITE")?;
    // The crawl decides about redirects and statuses.
    let client = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0);
    let client: ureq::Agent = client.build().into();
    let mut crawl = Crawl::site(&site(&name)?);
    loop {
        match crawl.next(SystemTime::now()) {
            Next::Fetch(request) => match client.get(request.url.as_str()).call() {
                Ok(response) => {
                    let mut head = Response::new(response.status().as_u16());
                    for (name, value) in response.headers() {
                        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
                    }
                    let mut receiver = crawl.begin(request, head);
                    for page in receiver.pages(response.into_body().into_reader()) {
                        println!("{}", page.loc);
                    }
                    crawl.end(receiver);
                }
                Err(error) => {
                    crawl.fail(request, Failure::from_error(&error));
                }
            },
            Next::Wait(until) => {
                std::thread::sleep(until.duration_since(SystemTime::now()).unwrap_or_default())
            }
            Next::Busy => unreachable!("only with several requests at work"),
            Next::Done => break,
        }
    }
    for sitemap in crawl.sitemaps() {
        if let Some(failure) = sitemap.failure() {
            eprintln!("{}: {failure}", sitemap.url());
        }
    }
    Ok(())
}
