//! Prints the pages that the sitemaps of a site list, from a copy of the site in a folder.
//!
//! `cargo run -p quick-sitemap-crawl --example crawl -- https://example.com/ FOLDER`. The crawl returns what to fetch next;
//! here, fetching is opening a file. The cookbook has the same program with HTTP clients.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use quick_sitemap_crawl::{Clock, Crawl, Failure, Next, Response, site};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, folder] = arguments.as_slice() else {
        return Err("usage: crawl SITE FOLDER".into());
    };
    let mut out = BufWriter::new(io::stdout());
    let mut crawl = Crawl::site(&site(name)?);
    let clock = Clock::new();
    // A file never has to be waited for.
    while let Next::Fetch(request) = crawl.next(clock.now()) {
        // The path of a URL has no `..`, and files of other hosts are not requested.
        let path = Path::new(folder).join(request.url.path().trim_start_matches('/'));
        let Ok(file) = File::open(path) else {
            crawl.fail(request, Failure::status(404));
            continue;
        };
        let mut receiver = crawl.begin(request, Response::new(200));
        for page in receiver.pages(file) {
            writeln!(out, "{}", page.loc)?;
        }
        crawl.end(receiver);
    }
    for sitemap in crawl.sitemaps() {
        if let Some(failure) = sitemap.failure() {
            writeln!(io::stderr(), "{}: {failure}", sitemap.url())?;
        }
    }
    Ok(out.flush()?)
}
