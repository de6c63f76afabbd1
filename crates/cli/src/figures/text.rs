//! Figures for a terminal.

use std::io::{self, Write};

use super::months::MonthCount;
use super::tree::Section;
use crate::term::bars::bars;
use crate::term::count::Count;
use crate::term::messages::printable;

/// Sections and months that are shown.
const SECTIONS: usize = 10;
const MONTHS: usize = 12;

/// The pages of each host and first folder, without those in the folders of a host; the largest first.
pub(crate) fn by_section(hosts: &[Section]) -> Vec<(String, u64)> {
    let mut counts = Vec::new();
    for host in hosts {
        let folders: u64 = host.sections.iter().map(|folder| folder.pages).sum();
        let own = host.pages.saturating_sub(folders);
        if own > 0 {
            let slash = if host.name.contains("://") { "/" } else { "" };
            counts.push((format!("{}{slash}", host.name), own));
        }
        let folders = host.sections.iter();
        counts
            .extend(folders.map(|folder| (format!("{}/{}", host.name, folder.name), folder.pages)));
    }
    counts.sort_by(|(a_name, a), (b_name, b)| b.cmp(a).then_with(|| a_name.cmp(b_name)));
    counts
}

/// Prints the largest sections.
pub(crate) fn sections(
    hosts: &[Section],
    out: &mut dyn Write,
    width: Option<usize>,
) -> io::Result<()> {
    let mut counts = by_section(hosts);
    if counts.is_empty() {
        return Ok(());
    }
    let rest: u64 = counts.iter().skip(SECTIONS).map(|(_, pages)| pages).sum();
    let more = counts.len().saturating_sub(SECTIONS) as u64;
    counts.truncate(SECTIONS);
    // A single host need not be named in each row.
    let (title, host) = match hosts {
        [host] => (
            format!("sections of {}", printable(&host.name)),
            &*host.name,
        ),
        _ => ("sections".to_owned(), ""),
    };
    for (section, _) in &mut counts {
        let shown = section.strip_prefix(host).unwrap_or(section);
        *section = printable(shown).into_owned();
    }
    bars(out, &title, &counts, width)?;
    if more > 0 {
        writeln!(
            out,
            "  and {} with {}",
            Count(more, "smaller one"),
            Count(rest, "page")
        )?;
    }
    Ok(())
}

/// Prints the latest months that have pages, and the number of pages without a date.
pub(crate) fn months(
    months: &[MonthCount],
    undated: u64,
    out: &mut dyn Write,
    width: Option<usize>,
) -> io::Result<()> {
    if months.is_empty() {
        return Ok(());
    }
    let counts = months.iter().rev();
    let mut counts: Vec<_> = counts
        .map(|count| (count.month.clone(), count.pages))
        .collect();
    let earlier: u64 = counts.iter().skip(MONTHS).map(|(_, pages)| pages).sum();
    counts.truncate(MONTHS);
    let others = [("earlier", earlier), ("none", undated)];
    let others = others.into_iter().filter(|(_, pages)| *pages > 0);
    counts.extend(others.map(|(name, pages)| (name.to_owned(), pages)));
    bars(out, "lastmod", &counts, width)
}
