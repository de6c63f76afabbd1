//! Prints the problems of a sitemap, and whether it could be read completely.
//!
//! `cargo run --example problems -- sitemap.xml`. The program `sitemap check` (quick-sitemap-cli) also shows the lines.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use quick_sitemap::{Completeness, Reader};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: problems FILE")?;
    let mut out = io::stdout();
    let mut outcomes = Reader::from_path(&path)?.outcomes();
    // The result of one step: an entry or none, and the issues found meanwhile.
    for outcome in &mut outcomes {
        for issue in &outcome.issues {
            writeln!(out, "{path}:{issue} [{}]", issue.rule())?; // sitemap.xml:3:14: priority … [invalid-priority]
        }
        // The errors of a lenient reader are fatal: for example, the file is truncated or not a sitemap.
        if let Err(error) = outcome.entry {
            writeln!(out, "{path}:{error:#}")?;
            break;
        }
    }
    let summary = outcomes.reader().summary();
    let (entries, skipped) = (summary.entries, summary.skipped);
    writeln!(out, "{entries} entries returned, {skipped} skipped")?;
    Ok(match summary.completeness() {
        Completeness::Complete | Completeness::Unknown => ExitCode::SUCCESS,
        Completeness::Incomplete => ExitCode::FAILURE,
    })
}
