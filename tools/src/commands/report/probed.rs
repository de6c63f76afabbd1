//! `--probe`: what `sitemap probe` found, by section.

use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;

use super::model::{Probed, ProbedPage, ProbedSection};
use super::sections::Sections;
use crate::disk::open_regular;
use crate::figures::names::{OTHERS, section};
use crate::page::found::{Found, Verdict};
use crate::rows::log::{Kind, each};
use crate::term::address::shown;

const LINES: Kind = Kind {
    begin: "{\"url\"",
    name: "a result of `sitemap probe`",
    advice: "--probe reads the file of `sitemap probe --resume`, or what --format jsonl prints",
};
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
    each(&file, LINES, &mut |_, found| {
        tally.add(&found);
        Ok(())
    })
    .with_context(name)?;
    if tally.pages == 0 {
        bail!(
            "{}: there are no results of `sitemap probe`",
            path.display()
        );
    }
    Ok(tally.finish())
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
