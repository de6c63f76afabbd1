//! `--probe`: what `sitemap probe` found, by section.

use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;

use super::model::{Probed, ProbedPage, ProbedSection};
use super::sections::Sections;
use crate::disk::open_regular;
use crate::figures::names::{OTHERS, section};
use crate::probe::found::{Found, Tally, Verdict};
use crate::probe::results::lines;
use crate::rows::log::{Kind, each};
use crate::term::address::shown;

const LINES: Kind =
    lines("--probe reads the file of `sitemap probe --resume`, or what --format jsonl prints");
/// Examples of each verdict.
const EXAMPLES: usize = 10;

/// In the order of [`Verdict`].
type Counts = [u64; Verdict::COUNT];

/// Reads JSON Lines.
///
/// # Errors
///
/// With the name of the file and the number of the line that is not a result.
pub(crate) fn read(path: &Path) -> anyhow::Result<Probed> {
    let name = || path.display().to_string();
    let file = open_regular(path).with_context(name)?;
    let (mut tally, mut sections) = (Tally::default(), Sections::<Counts>::default());
    each(&file, LINES, &mut |_, found: Found| {
        let section = found.url.parse::<Url>().map(|url| section(&url));
        let counts = sections.at(section.unwrap_or_else(|_| OTHERS.to_owned()));
        if let Some(count) = counts.get_mut(found.verdict as usize) {
            *count += 1;
        }
        tally.add(found, EXAMPLES);
        Ok(())
    })
    .with_context(name)?;
    if tally.pages() == 0 {
        bail!(
            "{}: there are no results of `sitemap probe`",
            path.display()
        );
    }
    Ok(probed(tally, sections))
}

/// The counts by section, and the examples in the order of the verdicts.
fn probed(mut tally: Tally, sections: Sections<Counts>) -> Probed {
    tally.first.sort_by_key(|found| found.verdict);
    let examples = tally.first.iter().map(|found| {
        let target = match found.verdict {
            Verdict::CanonicalElsewhere => found.canonical.as_deref(),
            _ => found.location.as_deref(),
        };
        ProbedPage {
            verdict: found.verdict.to_string(),
            url: shown(&found.url),
            status: found.status,
            target: target.map(shown),
        }
    });
    let sections = sections.largest(
        |counts| counts.iter().sum::<u64>(),
        |counts, other| {
            for (count, more) in counts.iter_mut().zip(other) {
                *count += more;
            }
        },
    );
    let sections = sections.into_iter();
    Probed {
        pages: tally.pages(),
        verdicts: tally
            .verdicts()
            .map(|(verdict, pages)| (verdict.to_string(), pages))
            .collect(),
        sections: sections
            .map(|(section, counts)| ProbedSection {
                section,
                pages: counts.to_vec(),
            })
            .collect(),
        examples: examples.collect(),
    }
}
