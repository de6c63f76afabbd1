//! Rows as CSV and TSV.

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
pub(crate) fn hide_logins(entry: &mut Entry) {
    match entry {
        Entry::Url(page) => page.urls_mut().for_each(hide_login),
        Entry::Sitemap(sitemap) => hide_login(&mut sitemap.loc),
    }
}

impl ViewFormat {
    /// That of the cells of a row.
    fn separator(self) -> Option<u8> {
        match self {
            Self::Table | Self::Jsonl => None,
            Self::Csv => Some(b','),
            Self::Tsv => Some(b'\t'),
        }
    }
}

/// Writes rows of a list as JSON Lines, CSV or TSV. Aligned columns are written to its output directly.
pub(crate) struct ListWriter {
    pub(crate) out: Destination,
    format: ViewFormat,
    line: json::Line,
}

impl ListWriter {
    /// Begins a table of cells with its header.
    pub(crate) fn new(
        format: ViewFormat,
        columns: &[&str],
        mut out: Destination,
    ) -> io::Result<Self> {
        if format == ViewFormat::Csv {
            out.begin_csv()?;
        }
        if let Some(separator) = format.separator() {
            row(&mut out, separator, columns)?;
        }
        let line = json::Line::default();
        Ok(Self { out, format, line })
    }

    pub(crate) fn is_aligned(&self) -> bool {
        self.format == ViewFormat::Table
    }

    /// Writes the value, or its cells.
    pub(crate) fn row<C: IntoIterator<Item: AsRef<str>>>(
        &mut self,
        value: &impl Serialize,
        cells: impl FnOnce() -> C,
    ) -> io::Result<()> {
        if let Some(separator) = self.format.separator() {
            return row(&mut self.out, separator, cells());
        }
        self.out.write_all(self.line.of(value)?)?;
        self.out.write_all(b"\n")
    }
}

/// Writes a row of CSV, or of TSV with another separator. Spreadsheets take a cell that begins like a formula for one, so
/// it gets an apostrophe.
pub(crate) fn row(
    out: &mut dyn Write,
    separator: u8,
    cells: impl IntoIterator<Item: AsRef<str>>,
) -> io::Result<()> {
    let is_special = |byte| matches!(byte, b'"' | b'\n' | b'\r') || byte == separator;
    let mut line = Vec::with_capacity(256);
    for cell in cells {
        let cell = cell.as_ref();
        let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let before = if is_formula { "'" } else { "" };
        if cell.bytes().any(is_special) {
            write!(line, "\"{before}{}\"", cell.replace('"', "\"\""))?;
        } else {
            line.extend_from_slice(before.as_bytes());
            line.extend_from_slice(cell.as_bytes());
        }
        line.push(separator);
    }
    line.pop();
    line.push(b'\n');
    out.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        let written = |separator, cells: &[&str]| {
            let mut line = Vec::new();
            row(&mut line, separator, cells).unwrap();
            String::from_utf8(line).unwrap()
        };
        assert_eq!(written(b',', &["", "b", ""]), ",b,\n");
        assert_eq!(
            written(b',', &["x,\"y\"", "=1+1"]),
            "\"x,\"\"y\"\"\",'=1+1\n"
        );
        assert_eq!(written(b',', &["@SUM(A1)", "a-b"]), "'@SUM(A1),a-b\n");
        assert_eq!(
            written(b'\t', &["a,b", "a\tb", "\t", "a\nb\rc"]),
            "a,b\t\"a\tb\"\t\"'\t\"\t\"a\nb\rc\"\n"
        );
    }
}
