//! Moves the pages of sitemaps to another host, omits old pages, and writes the others as one set.
//!
//! `cargo run -p quick-sitemap-set --example transform -- public shop.example.com a.xml b.xml.gz`. The program `sitemap edit`
//! (quick-sitemap-cli) does this and more.

use std::error::Error;
use std::io::{self, Write};

use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Reader, SplitWriter, W3cDatetime};
use quick_sitemap_set::Directory;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(host)) = (arguments.next(), arguments.next()) else {
        return Err("usage: transform FOLDER HOST FILE...".into());
    };
    let base: Url = format!("https://{host}/").parse()?;
    let oldest: W3cDatetime = "2020".parse()?;

    let mut site = SplitWriter::new(Directory::create(folder, &base)?);
    for file in arguments {
        for entry in Reader::from_path(&file)? {
            let Entry::Url(mut page) = entry? else {
                return Err(format!("{file} is an index: give the sitemaps that it lists").into());
            };
            if page
                .lastmod
                .is_some_and(|lastmod| lastmod.start() < oldest.start())
            {
                continue;
            }
            page.loc.set_host(Some(&host))?;
            // A page that a sitemap cannot contain is rejected, and the set continues without it.
            match site.write(&page) {
                Ok(()) => {}
                Err(error) if !error.is_fatal() => writeln!(io::stderr(), "{}: {error}", page.loc)?,
                Err(error) => return Err(error.into()),
            }
        }
    }
    let published = site.finish()?;
    writeln!(io::stdout(), "{published}")?;
    Ok(())
}
