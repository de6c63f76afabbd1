//! `--probe`: what `sitemap probe` found, by section.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;

use super::model::{Probed, ProbedPage, ProbedSection};
use super::sections::Sections;
use crate::disk::open_regular;
use crate::figures::names::{OTHERS, section, shown};
use crate::page::found::{Found, Verdict};
use crate::term::messages::Advised;

/// Bytes of a line.
const LONGEST: u64 = 1 << 20;
/// Examples of each verdict.
const EXAMPLES: usize = 10;

/// In the order of [`Verdict::ALL`].
type Counts = [u64; Verdict::ALL.len()];

/// Reads JSON Lines.
///
/// # Errors
///
/// With the name of the file and the number of the line that is not a result.
pub(super) fn read(path: &Path) -> anyhow::Result<Probed> {
    let name = || path.display().to_string();
    let file = open_regular(path).with_context(name)?;
    let mut tally = Tally::default();
    json(path, BufReader::new(file), &mut tally)?;
    if tally.pages == 0 {
        bail!(
            "{}: there are no results of `sitemap probe`",
            path.display()
        );
    }
    Ok(tally.finish())
}

/// Reads the results of `sitemap probe`, one JSON object per line.
fn json(path: &Path, mut reader: BufReader<File>, tally: &mut Tally) -> anyhow::Result<()> {
    let (mut line, mut number) = (Vec::new(), 0_u64);
    loop {
        line.clear();
        let read = (&mut reader)
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .with_context(|| path.display().to_string())?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        match serde_json::from_slice(text) {
            Ok(found) => tally.add(&found),
            // A run that was killed leaves a part of a line.
            Err(_) if line.last() != Some(&b'\n') && (read as u64) < LONGEST && number > 1 => {
                return Ok(());
            }
            Err(error) => return Err(not_a_result(path, number, &error.to_string())),
        }
    }
}

fn not_a_result(path: &Path, line: u64, why: &str) -> anyhow::Error {
    let path = path.display();
    Advised::new(
        format!("line {line} of {path} is not a result of `sitemap probe`: {why}"),
        "--probe reads the file of `sitemap probe --resume`, or what --format jsonl prints",
    )
    .into()
}

#[derive(Default)]
struct Tally {
    pages: u64,
    counts: Counts,
    sections: Sections<Counts>,
    examples: Vec<ProbedPage>,
}

impl Tally {
    /// Counts the result of a page, in its section too, and keeps the first bad ones as examples.
    fn add(&mut self, found: &Found) {
        self.pages += 1;
        let verdict = found.verdict;
        if let Some(count) = self.counts.get_mut(verdict as usize) {
            *count += 1;
        }
        let section = found.url.parse::<Url>().map(|url| section(&url));
        let counts = self
            .sections
            .at(section.unwrap_or_else(|_| OTHERS.to_owned()));
        if let Some(count) = counts.get_mut(verdict as usize) {
            *count += 1;
        }
        let same = self
            .examples
            .iter()
            .filter(|page| page.verdict == verdict.name());
        if verdict != Verdict::Ok && same.count() < EXAMPLES {
            let target = match verdict {
                Verdict::Redirect => found.location.as_deref(),
                Verdict::CanonicalElsewhere => found.canonical.as_deref(),
                _ => None,
            };
            self.examples.push(ProbedPage {
                verdict: verdict.name().to_owned(),
                url: shown(&found.url),
                status: found.status,
                target: target.map(shown),
            });
        }
    }

    /// The counts by verdict and by section, and the examples in the order of the verdicts.
    fn finish(mut self) -> Probed {
        self.examples.sort_by_key(|page| {
            Verdict::ALL
                .iter()
                .position(|verdict| verdict.name() == page.verdict)
        });
        let names = Verdict::ALL.iter().map(|verdict| verdict.name().to_owned());
        let sections = self.sections.largest(
            |counts| counts.iter().sum::<u64>(),
            |counts, other| {
                for (count, more) in counts.iter_mut().zip(other) {
                    *count += more;
                }
            },
        );
        Probed {
            pages: self.pages,
            verdicts: names.zip(self.counts).collect(),
            sections: sections
                .into_iter()
                .map(|(section, counts)| ProbedSection {
                    section,
                    pages: counts.to_vec(),
                })
                .collect(),
            examples: self.examples,
        }
    }
}
