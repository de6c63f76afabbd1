//! The forms in which entries are shown: a table, figures, JSON Lines, CSV or TSV.

use std::io::{self, Write};

use quick_sitemap::Entry;

use super::stats::Stats;
use super::table::Table;
use crate::rows::writer::{self, RowWriter, ViewFormat, page_cells};
use crate::term::json;
use crate::term::output;

/// Writes the entries in one form.
pub(super) struct View {
    out: Box<dyn Write + Send>,
    kind: Kind,
}

enum Kind {
    Table(Box<Table>),
    Stats(Box<Stats>),
    Lines,
    Rows(Box<RowWriter<Box<dyn Write + Send>>>),
}

fn rows_to(separator: u8) -> io::Result<RowWriter<Box<dyn Write + Send>>> {
    let columns: Vec<_> = ["kind"].into_iter().chain(writer::PAGE).collect();
    RowWriter::new(separator, &columns, output::stdout())
}

impl View {
    pub(super) fn new(
        format: ViewFormat,
        has_stats: bool,
        width: Option<usize>,
        decoded: bool,
    ) -> anyhow::Result<Self> {
        let width = width.or_else(output::columns);
        let kind = match format {
            _ if has_stats => Kind::Stats(Box::new(Stats::new(
                format == ViewFormat::Jsonl,
                width,
                decoded,
            ))),
            ViewFormat::Table => Kind::Table(Box::new(Table::new(width, decoded))),
            ViewFormat::Jsonl => Kind::Lines,
            ViewFormat::Csv => Kind::Rows(Box::new(rows_to(b',')?)),
            ViewFormat::Tsv => Kind::Rows(Box::new(rows_to(b'\t')?)),
        };
        Ok(Self {
            out: output::stdout(),
            kind,
        })
    }

    pub(super) fn begin(
        &mut self,
        heading: Option<&str>,
        format: Option<&'static str>,
    ) -> anyhow::Result<()> {
        match &mut self.kind {
            Kind::Table(table) => table.begin(&mut self.out, heading, format)?,
            Kind::Stats(stats) => stats.begin(format),
            Kind::Lines | Kind::Rows(_) => {}
        }
        Ok(())
    }

    /// Writes an entry in the format of the view, or counts it.
    pub(super) fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        match &mut self.kind {
            Kind::Table(table) => table.entry(&mut self.out, entry)?,
            Kind::Stats(stats) => stats.count(entry),
            Kind::Lines => {
                json::write(&mut self.out, entry)?;
                self.out.write_all(b"\n")?;
            }
            Kind::Rows(rows) => {
                let kind = match entry {
                    Entry::Url(_) => "url",
                    Entry::Sitemap(_) => "sitemap",
                };
                let cells = page_cells(entry);
                rows.row([kind].into_iter().chain(cells.iter().map(String::as_str)))?;
            }
        }
        Ok(())
    }

    pub(super) fn left_out(&mut self) {
        if let Kind::Table(table) = &mut self.kind {
            table.left_out();
        }
    }

    pub(super) fn end(&mut self, is_limited: bool) -> anyhow::Result<()> {
        if let Kind::Table(table) = &mut self.kind {
            table.end(&mut self.out, is_limited)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        match &mut self.kind {
            Kind::Stats(stats) => stats.write(&mut self.out)?,
            Kind::Rows(rows) => rows.finish()?,
            Kind::Table(_) | Kind::Lines => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
