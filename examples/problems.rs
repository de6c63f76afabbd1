//! Says what is wrong with a sitemap, and whether all of it could be read.
//!
//! `cargo run --example problems -- sitemap.xml`. The program `sitemap check` (quick-sitemap-cli) shows the lines, too.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use quick_sitemap::{Completeness, Reader};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: problems FILE")?;
    let mut out = io::stdout();
    let mut outcomes = Reader::from_path(&path)?.outcomes();
    // What one step of reading gives: an entry or none, and the issues met on the way.
    for outcome in &mut outcomes {
        for issue in &outcome.issues {
            writeln!(out, "{path}:{issue} [{}]", issue.rule())?; // sitemap.xml:3:14: priority … [invalid-priority]
        }
        // The errors of a lenient reader are fatal: the file is cut off, or no sitemap.
        if let Err(error) = outcome.entry {
            writeln!(out, "{path}:{error:#}")?;
            break;
        }
    }
    let summary = outcomes.summary();
    let (entries, skipped) = (summary.entries, summary.skipped);
    writeln!(out, "{entries} entries given, {skipped} skipped")?;
    Ok(match summary.completeness() {
        Completeness::Complete | Completeness::Unknown => ExitCode::SUCCESS,
        Completeness::Incomplete => ExitCode::FAILURE,
    })
}
