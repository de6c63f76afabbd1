//! Prints the pages of a sitemap, with the time of their last change.
//!
//! `cargo run --example read -- sitemap.xml.gz`. The file can be a urlset, an index, a text sitemap, RSS or Atom, gzipped
//! or not: the format is detected from the content.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use quick_sitemap::Reader;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: read FILE")?;
    let mut out = BufWriter::new(io::stdout());
    for entry in Reader::from_path(path)? {
        let entry = entry?;
        match entry.lastmod() {
            Some(lastmod) => writeln!(out, "{}\t{lastmod}", entry.loc())?,
            None => writeln!(out, "{}", entry.loc())?,
        }
    }
    Ok(out.flush()?)
}
