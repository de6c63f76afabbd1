//! Lists of pages: JSON Lines, CSV and TSV, as the program and spreadsheets write them, and URLs, one per line.

mod columns;
mod detect;
mod fields;
mod json;
mod lines;
pub(crate) mod log;
mod row;
pub(crate) mod sealed;
mod table;
mod utf_16;
pub(crate) mod writer;

use std::io::BufRead;
use std::mem;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};

use self::table::Table;

pub(crate) use self::columns::{Column, ColumnNames, ENTRY, PAGE, listed};
pub(crate) use self::detect::{Begun, Form};
pub(crate) use self::fields::Fields;
pub(crate) use self::json::without_line;
pub(crate) use self::lines::{Line, Lines};
pub(crate) use self::row::{Refused, Row};
pub(crate) use self::utf_16::is_utf_16;

/// The form of a list; the comments are those of `--help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RowFormat {
    /// One URL per line
    Text,
    /// One JSON object per line, extensions included; `json` is another name
    #[value(alias = "json")]
    Jsonl,
    /// Columns separated by commas: loc, lastmod, changefreq, priority
    Csv,
    /// Like csv, separated by tabs
    Tsv,
}

impl RowFormat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Jsonl => "JSON Lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
        }
    }

    /// That of the columns of a table.
    pub(crate) fn separator(self) -> Option<u8> {
        match self {
            Self::Text | Self::Jsonl => None,
            Self::Csv => Some(b','),
            Self::Tsv => Some(b'\t'),
        }
    }

    /// The format that the name of a file specifies.
    pub(crate) fn by_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "txt" | "list" => Some(Self::Text),
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

/// The rows of an input, one after the other.
pub(crate) struct Rows<R> {
    /// That of the input.
    name: String,
    lines: Lines<R>,
    /// `None` for JSON Lines.
    table: Option<Box<Table>>,
    /// The page that is expected is a known field.
    expects: bool,
    /// Those of a table, or the first field of JSON, until somebody has taken them.
    unknown: Option<Unknown>,
    /// A field of JSON was unknown.
    is_told: bool,
}

/// Columns or fields whose values are ignored.
pub(crate) struct Unknown {
    pub(crate) line: u64,
    /// `column`, or `field`.
    pub(crate) what: &'static str,
    pub(crate) names: Vec<String>,
}

impl<R: BufRead> Rows<R> {
    /// Reads the header of a table. Paths such as `/about` are resolved against `base`.
    ///
    /// # Errors
    ///
    /// With the name of the input, if it cannot be read, or if the header does not name the column of the URLs.
    pub(crate) fn new(
        name: &str,
        format: RowFormat,
        columns: &ColumnNames,
        reader: R,
        base: Option<&Url>,
    ) -> anyhow::Result<Self> {
        let (mut lines, mut unknown) = (Lines::new(reader), None);
        let mut table = None;
        // A list of URLs is read by the library.
        if let Some(usual) = format.separator() {
            let read = Table::new(&mut lines, usual, columns, base);
            let (read, names) = read.with_context(|| format!("{name}:1"))?;
            columns.see(name, &read.header);
            unknown = (!names.is_empty()).then_some(Unknown {
                line: 1,
                what: "column",
                names,
            });
            table = Some(Box::new(read));
        }
        Ok(Self {
            name: name.to_owned(),
            lines,
            table,
            expects: columns.expects,
            unknown,
            is_told: false,
        })
    }

    /// Returns unknown columns and fields once.
    pub(crate) fn take_unknown(&mut self) -> Option<Unknown> {
        self.unknown.take()
    }

    /// The fields that a page of the list can have.
    pub(crate) fn fields(&self) -> Fields {
        let table = self.table.as_ref();
        table.map_or(Fields::ALL, |table| table.fields())
    }

    /// # Errors
    ///
    /// With the name of the input, if there can be no further row.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<Row>> {
        let name = &self.name;
        if let Some(table) = &mut self.table {
            return table.next(&mut self.lines, name);
        }
        let Some(line) = self.lines.next().with_context(|| name.clone())? else {
            return Ok(None);
        };
        let (row, unknown) = json::row(line, self.expects);
        if let Some(field) = unknown.filter(|_| !mem::replace(&mut self.is_told, true)) {
            self.unknown = Some(Unknown {
                line: row.line,
                what: "field",
                names: vec![field],
            });
        }
        Ok(Some(row))
    }

    /// Bytes up to the end of the latest row.
    pub(crate) fn bytes(&self) -> u64 {
        self.lines.byte + self.lines.latest().len() as u64
    }

    /// The line on which the latest row begins.
    pub(crate) fn line(&self) -> &[u8] {
        match &self.table {
            Some(table) => table.first_line(),
            None => self.lines.latest(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comma that is not quoted costs its row. A quotation mark that never ends would cost all rows after it.
    #[test]
    fn a_row_has_the_columns_of_the_first_line() {
        let read = |text: &str| {
            let columns = ColumnNames::default();
            let mut rows = Rows::new("a.csv", RowFormat::Csv, &columns, text.as_bytes(), None)?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push((row.line, row.entry.map_err(|refused| refused.why).err()));
            }
            anyhow::Ok(found)
        };
        let (a, b) = ("https://e.com/a,", "https://e.com/b,");
        let why = |own: &str| {
            let why = "a value that contains the separator needs quotation marks";
            Some(format!("{own}, but the first line has 2; {why}"))
        };
        assert_eq!(
            read(&format!("loc,lastmod\n{a}\n{a}2024,5\n/x\n{b}2024\n")).unwrap(),
            [
                (2, None),
                (3, why("3 columns")),
                (4, why("1 column")),
                (5, None)
            ]
        );
        let open = read(&format!("loc,title\n{a}\"x\n{b}y\",\"z\"\n")).unwrap_err();
        let open = open.to_string();
        assert!(open.starts_with("a.csv:2: 3 columns, but"), "{open}");
        assert!(open.ends_with("; is a quotation mark missing?"), "{open}");
    }

    #[test]
    fn rows_begin_at_their_line() {
        for end in ["\n", "\r\n"] {
            let lines = [
                "loc,priority",
                "https://e.com/,",
                "\"a",
                "b\",",
                "",
                "",
                "c,",
            ];
            let text = lines.map(|line| format!("{line}{end}")).concat();
            let columns = ColumnNames::default();
            let mut rows = Rows::new("-", RowFormat::Csv, &columns, text.as_bytes(), None).unwrap();
            let mut found = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                let begin = usize::try_from(row.byte).unwrap();
                found.push((row.line, &text[begin..begin + 2]));
            }
            assert_eq!(found, [(2, "ht"), (3, "\"a"), (7, "c,")], "{end:?}");
        }
    }
}
