//! Written as they are printed.

use std::io::Write;

use console::Style;

use crate::disk::destination::Destination;
use crate::probe::found::{Found, Tally, Verdict};
use crate::rows::writer::{ListWriter, ViewFormat};
use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::status::Status;
use crate::term::table::{Cell, Table};

/// Pages of a verdict that the table shows.
const SHOWN: usize = 20;

const COLUMNS: [&str; 10] = [
    "url",
    "sitemap",
    "status",
    "location",
    "noindex",
    "canonical",
    "disallowed",
    "bytes",
    "ms",
    "verdict",
];

pub(crate) struct Report {
    /// The output itself is that of a table.
    list: Result<ListWriter, Destination>,
    tally: Tally,
}

impl Report {
    pub(crate) fn new(format: ViewFormat, out: Destination) -> anyhow::Result<Self> {
        Ok(Self {
            list: ListWriter::new(format, &COLUMNS, out)?,
            tally: Tally::default(),
        })
    }

    /// Counts the result of a page, and writes it. For a table, the first pages of each verdict are kept.
    pub(crate) fn add(&mut self, found: Found) -> anyhow::Result<()> {
        if let Ok(list) = &mut self.list {
            list.row(&found, || {
                let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
                vec![
                    printable(&found.url).into_owned(),
                    printable(&found.sitemap).into_owned(),
                    number(found.status.map(u64::from)),
                    found.location.clone().unwrap_or_default(),
                    found.noindex.to_string(),
                    found.canonical.clone().unwrap_or_default(),
                    found.disallowed.to_string(),
                    number(found.bytes),
                    number(found.ms),
                    found.verdict.name().to_owned(),
                ]
            })?;
        }
        self.tally.add(found, SHOWN);
        Ok(())
    }

    pub(crate) fn pages(&self) -> u64 {
        self.tally.pages()
    }

    pub(crate) fn status(&self) -> Status {
        let is_good = |(verdict, pages)| verdict == Verdict::Ok || pages == 0;
        if self.tally.verdicts().all(is_good) {
            Status::Success
        } else {
            Status::Findings
        }
    }

    /// `3 pages: 1 missing, 2 ok`
    pub(crate) fn summary(&self) -> String {
        let counts: Vec<String> = self
            .tally
            .verdicts()
            .filter(|(_, pages)| *pages > 0)
            .map(|(verdict, pages)| format!("{} {verdict}", Grouped(pages)))
            .collect();
        format!("{}: {}", Count(self.pages(), "page"), counts.join(", "))
    }

    /// Writes the end of the output. The table is written here, because its pages are sorted.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        match self.list {
            Ok(list) => list.finish()?,
            Err(mut out) => {
                // Which page was answered first is chance.
                self.tally.first.sort_by(|a, b| {
                    let key = |found: &Found| (found.verdict, found.status);
                    key(a).cmp(&key(b)).then_with(|| a.url.cmp(&b.url))
                });
                table(&mut out, &self.tally)?;
                out.complete()?;
            }
        }
        Ok(())
    }
}

/// Writes the number of pages per verdict, then the pages that are not as they should be.
fn table(out: &mut dyn Write, tally: &Tally) -> anyhow::Result<()> {
    let name = |verdict: Verdict| Cell::styled(verdict, style(verdict));
    let (mut verdicts, mut pages) = (
        Table::new(["verdict", "pages"]),
        Table::new(["verdict", "status", "page"]),
    );
    for (verdict, count) in tally.verdicts() {
        if count > 0 {
            verdicts.row([name(verdict), Cell::number(count)]);
        }
        let of_verdict = tally.first.iter().filter(|found| found.verdict == verdict);
        let more = count.saturating_sub(of_verdict.clone().count() as u64);
        for found in of_verdict {
            let status = found
                .status
                .map_or("-".to_owned(), |status| status.to_string());
            let remark = found.remark().map(|text| format!(" {text}"));
            let page = format!("{}{}", found.url, remark.unwrap_or_default());
            pages.row([name(verdict), Cell::text(status), Cell::text(page)]);
        }
        if more > 0 && verdict != Verdict::Ok {
            let more = format!(
                "and {} more (`--format jsonl` shows all pages)",
                Grouped(more)
            );
            pages.row([name(verdict), Cell::text(""), Cell::text(more)]);
        }
    }
    verdicts.write(out)?;
    if !tally.first.is_empty() {
        writeln!(out)?;
    }
    Ok(pages.write(out)?)
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Ok => Style::new().green(),
        Verdict::Missing | Verdict::Error => Style::new().red().bold(),
        _ => Style::new().yellow().bold(),
    }
}
