//! Counts, per directory, the pages whose URL contains a word, without an allocation per entry.
//!
//! `cargo run --release --example filter -- sitemap.xml.gz product`. Raw entries are the text of the file, so only
//! the values that are used are parsed.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};

use quick_sitemap::Reader;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: filter FILE [WORD]")?;
    let word = arguments.next().unwrap_or_default();

    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut reader = Reader::from_path(path)?;
    while let Some(entry) = reader.read_raw()? {
        let Some(loc) = entry.loc().filter(|loc| loc.contains(&word)) else {
            continue;
        };
        let path = loc.splitn(4, '/').nth(3).unwrap_or_default();
        let directory = path.split_once('/').map_or("", |(directory, _)| directory);
        match counts.get_mut(directory) {
            Some(count) => *count += 1,
            None => drop(counts.insert(directory.to_owned(), 1)),
        }
        // `reader.take_entry()` would convert it into a typed entry.
    }
    for (directory, count) in counts {
        writeln!(io::stdout(), "{count:>8}  /{directory}")?;
    }
    Ok(())
}
