//! Chooses which violations are errors: those that lose pages, or make search engines ignore the file. All others are
//! allowed.
//!
//! `cargo run --example policy -- sitemap.xml`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use quick_sitemap::{Policy, ReaderBuilder, Rule};

const OURS: Policy = Policy::LOSSLESS
    .deny(Rule::WrongNamespace)
    .deny(Rule::TooManyEntries);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: policy FILE")?;
    let mut refused = 0;
    for entry in ReaderBuilder::new().policy(OURS).from_path(&path)? {
        match entry {
            Ok(_) => {}
            // A violation of a denied rule. The next entry follows.
            Err(error) if error.violation().is_some() => {
                refused += 1;
                writeln!(io::stdout(), "{path}:{error}")?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(ExitCode::from(u8::from(refused > 0)))
}
