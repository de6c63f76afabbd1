//! Writes 120,000 pages as a set of gzipped sitemaps with their index. Another run replaces the set atomically.
//!
//! `cargo run --release -p quick-sitemap-set --example split -- public`

use std::error::Error;
use std::io::{self, Write};

use quick_sitemap::url::Url;
use quick_sitemap::{SplitWriter, UrlEntry, W3cDatetime};
use quick_sitemap_set::Directory;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: split FOLDER")?;
    let base: Url = "https://www.example.com/".parse()?;
    let lastmod: W3cDatetime = "2025-03-14".parse()?;

    let directory = Directory::create(&folder, &base)?
        .gzip(true)
        .fingerprint(true);
    let mut site = SplitWriter::new(directory);
    for number in 1..=120_000 {
        let loc = format!("https://www.example.com/products/{number}");
        site.write(&UrlEntry::try_from(loc.as_str())?.with_lastmod(lastmod))?;
    }
    // No file is visible before this. If the program ends earlier, the old set stays.
    let published = site.finish()?;

    let mut out = io::stdout();
    for part in published.parts() {
        let state = if part.changed { "new" } else { "as it was" };
        writeln!(out, "{} ({state})", part.loc)?;
    }
    writeln!(out, "Sitemap: {published}")?; // for robots.txt
    Ok(())
}
