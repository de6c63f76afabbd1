//! Prints the pages that the sitemaps of a site list, from a copy of the site in a folder.
//!
//! `cargo run --example crawl -- https://example.com/ FOLDER`. The crawl returns what to fetch next; here, fetching is
//! opening a file. The cookbook has the same program with HTTP clients.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use quick_sitemap::crawl::{Crawl, Response};
use quick_sitemap::url::Url;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [site, folder] = arguments.as_slice() else {
        return Err("usage: crawl SITE FOLDER".into());
    };
    let mut out = BufWriter::new(io::stdout());
    let mut crawl = Crawl::site(&Url::parse(site)?);
    let mut buffer = vec![0; 64 << 10];
    while let Some(request) = crawl.next_request() {
        // The path of a URL has no `..`, and files of other hosts are not requested.
        let file = File::open(Path::new(folder).join(request.url.path().trim_start_matches('/')));
        let mut receiver =
            crawl.begin(request, Response::new(if file.is_ok() { 200 } else { 404 }));
        while receiver.wants_more() {
            match file
                .as_ref()
                .map_or(Ok(0), |mut file| file.read(&mut buffer))
            {
                Ok(0) => receiver.finish(),
                Ok(count) => receiver.push(buffer.get(..count).unwrap_or(&buffer)),
                Err(error) => receiver.fail(error),
            }
            // An error ends the sitemap; the crawl keeps it as a failure.
            for entry in receiver.entries().filter_map(Result::ok) {
                if let Some(page) = entry.into_url() {
                    writeln!(out, "{}", page.loc)?;
                }
            }
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
