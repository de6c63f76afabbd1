//! Rows as CSV and TSV.

use std::borrow::Cow;
use std::io::{self, Write};

use clap::ValueEnum;
use quick_sitemap::Entry;
use serde::Serialize;

use crate::disk::destination::Destination;
use crate::term::address::hide_login;
use crate::term::json;

/// How rows are shown; the comments are those of `--help`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewFormat {
    /// Aligned columns
    #[default]
    Table,
    /// JSON Lines: one object per row, with all that is known; `json` is another name
    #[value(alias = "json")]
    Jsonl,
    /// Comma-separated values, with a header
    Csv,
    /// Like csv, separated by tabs
    Tsv,
}

/// An entry as lists have it: users and passwords of URLs are neither printed nor stored.
pub(crate) fn without_logins(mut entry: Entry) -> Entry {
    match &mut entry {
        Entry::Url(page) => page.urls_mut().for_each(hide_login),
        Entry::Sitemap(sitemap) => hide_login(&mut sitemap.loc),
    }
    entry
}

/// Writes a header, also if there are no rows.
pub(crate) struct RowWriter<W: Write> {
    writer: csv::Writer<W>,
}

/// Writes rows of a list as JSON Lines, CSV or TSV.
pub(crate) enum ListWriter {
    Jsonl(Destination),
    Table(Box<RowWriter<Destination>>),
}

impl ListWriter {
    /// Returns the output for the format whose rows are aligned.
    pub(crate) fn new(
        format: ViewFormat,
        columns: &[&str],
        mut out: Destination,
    ) -> io::Result<Result<Self, Destination>> {
        let separator = match format {
            ViewFormat::Table => return Ok(Err(out)),
            ViewFormat::Jsonl => return Ok(Ok(Self::Jsonl(out))),
            ViewFormat::Csv => {
                out.begin_csv()?;
                b','
            }
            ViewFormat::Tsv => b'\t',
        };
        let table = RowWriter::new(separator, columns, out)?;
        Ok(Ok(Self::Table(Box::new(table))))
    }

    /// Writes the value, or its cells.
    pub(crate) fn row<C: AsRef<str>>(
        &mut self,
        value: &impl Serialize,
        cells: impl FnOnce() -> Vec<C>,
    ) -> io::Result<()> {
        match self {
            Self::Jsonl(out) => {
                json::write(out, value)?;
                out.write_all(b"\n")
            }
            Self::Table(table) => table.row(cells().iter().map(AsRef::as_ref)),
        }
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Jsonl(out) => out.complete(),
            Self::Table(table) => table.into_inner()?.complete(),
        }
    }
}

impl<W: Write> RowWriter<W> {
    /// The separator is a comma for CSV, a tab for TSV.
    pub(crate) fn new(separator: u8, columns: &[&str], out: W) -> io::Result<Self> {
        let mut writer = Self::after_header(separator, out);
        writer.row(columns.iter().copied())?;
        Ok(writer)
    }

    /// Continues a table that has a header.
    pub(crate) fn after_header(separator: u8, out: W) -> Self {
        let mut settings = csv::WriterBuilder::new();
        Self {
            writer: settings.delimiter(separator).from_writer(out),
        }
    }

    /// Spreadsheets take a cell that begins like a formula for one, so it gets an apostrophe.
    pub(crate) fn row<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) -> io::Result<()> {
        for cell in cells {
            self.writer.write_field(&*neutral(cell)).map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    /// The output, to which everything has been written.
    pub(crate) fn into_inner(self) -> io::Result<W> {
        let inner = self.writer.into_inner();
        inner.map_err(|error| io::Error::new(error.error().kind(), error.error().to_string()))
    }
}

fn neutral(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        let mut writer = RowWriter::new(b',', &["a", "b"], Vec::new()).unwrap();
        writer.row(["x,\"y\"", "=1+1"]).unwrap();
        writer.row(["@SUM(A1)", "a-b"]).unwrap();
        writer.finish().unwrap();
        let text = String::from_utf8(writer.writer.into_inner().unwrap()).unwrap();
        assert_eq!(text, "a,b\n\"x,\"\"y\"\"\",'=1+1\n'@SUM(A1),a-b\n");
    }
}
