//! Prints the entries and the problems of a sitemap, and whether it was read completely.
//!
//! `cargo run --example read -- sitemap.xml.gz`. The file can be a urlset, an index, a text sitemap, RSS or Atom, gzipped
//! or not: the format is detected from the content. The program `sitemap check` (quick-sitemap-cli) also shows the lines.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use quick_sitemap::{Completeness, Reader};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: read FILE")?;
    let mut out = BufWriter::new(io::stdout());
    let mut problems = io::stderr();
    let mut outcomes = Reader::from_path(&path)?.outcomes();
    // The result of one step: an entry or none, and the issues found meanwhile.
    for outcome in &mut outcomes {
        for issue in &outcome.issues {
            writeln!(problems, "{path}:{issue} [{}]", issue.rule())?; // sitemap.xml:3:14: priority … [invalid-priority]
        }
        match outcome.entry {
            Ok(Some(entry)) => match entry.lastmod() {
                Some(lastmod) => writeln!(out, "{}\t{lastmod}", entry.loc())?,
                None => writeln!(out, "{}", entry.loc())?,
            },
            Ok(None) => {}
            // The errors of a lenient reader are fatal: for example, the file is truncated or not a sitemap.
            Err(error) => {
                writeln!(problems, "{path}:{error:#}")?;
                break;
            }
        }
    }
    out.flush()?;
    let summary = outcomes.reader().summary();
    let completeness = summary.completeness();
    let (entries, skipped, name) = (summary.entries, summary.skipped, completeness.name());
    writeln!(problems, "{entries} entries, {skipped} skipped: {name}")?;
    Ok(match completeness {
        Completeness::Complete | Completeness::Unknown => ExitCode::SUCCESS,
        Completeness::Incomplete => ExitCode::FAILURE,
    })
}
