//! `--probe`: what `sitemap probe` found, by section.

use std::io;
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;

use super::model::Probed;
use super::sections::Sections;
use crate::disk::open_regular;
use crate::figures::names::{OTHERS, section};
use crate::probe::found::{Found, Tally};
use crate::probe::results::lines;
use crate::rows::log::{Kind, each};
use crate::term::address::shown;

const LINES: Kind =
    lines("--probe reads the file of `sitemap probe --resume`, or what --format jsonl prints");
/// Examples of each verdict.
const EXAMPLES: usize = 10;

/// Reads JSON Lines. Each result that is not good is passed on.
///
/// # Errors
///
/// With the name of the file and the number of the line that is not a result.
pub(crate) fn read(
    path: &Path,
    on_bad: &mut dyn FnMut(&Found) -> io::Result<()>,
) -> anyhow::Result<Probed> {
    let name = || path.display().to_string();
    let file = open_regular(path).with_context(name)?;
    let (mut tally, mut sections) = (Tally::default(), Sections::default());
    let (mut sample_of, mut is_map) = (None, false);
    let added = each(&file, LINES, &mut |_, found: Found| {
        let section = found.url.parse::<Url>().map(|url| section(&url));
        let counts: &mut [u64; _] = sections.at(section.unwrap_or_else(|_| OTHERS.to_owned()));
        if let Some(count) = counts.get_mut(found.verdict as usize) {
            *count += 1;
        }
        sample_of = sample_of.max(found.sample_of);
        is_map |= found.expected.is_some();
        if !found.verdict.is_good() {
            on_bad(&found)?;
        }
        tally.add(found, EXAMPLES);
        Ok(())
    });
    added.with_context(name)?;
    if tally.pages() == 0 {
        bail!("{}: there are no results of `sitemap probe`", name());
    }
    tally.first.sort_by_key(|found| found.verdict);
    for found in &mut tally.first {
        found.url = shown(&found.url);
        let targets = [
            &mut found.location,
            &mut found.canonical,
            &mut found.expected,
            &mut found.error,
        ];
        for text in targets.into_iter().flatten() {
            *text = shown(text);
        }
    }
    let verdicts = tally.verdicts();
    let verdicts = verdicts.map(|(verdict, pages)| (verdict.to_string(), pages));
    Ok(Probed {
        pages: tally.pages(),
        sample_of,
        is_map,
        verdicts: verdicts.collect(),
        sections: sections.largest(|counts| counts.iter().sum::<u64>()),
        examples: tally.first,
    })
}
