//! Lists of pages: JSON Lines, CSV and TSV, as the program and spreadsheets write them, and URLs, one per line.

mod columns;
mod detect;
mod fields;
mod json;
mod lines;
#[cfg(feature = "full")]
pub(crate) mod log;
mod row;
mod table;
pub(crate) mod writer;

use std::io::BufRead;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};

use self::row::of_text;

pub(crate) use self::columns::ColumnNames;
pub(crate) use self::detect::{Form, begins_with_url, detect};
pub(crate) use self::fields::Fields;
#[cfg(feature = "full")]
pub(crate) use self::json::without_line;
pub(crate) use self::lines::{Line, Lines};
pub(crate) use self::row::{Refused, Row};

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
pub(crate) enum Rows<R> {
    /// Paths are resolved against the URL.
    Text(Lines<R>, Option<Url>),
    /// Whether the page that is expected is a known field.
    Json(Lines<R>, bool),
    Table(Box<table::Rows<R>>),
}

impl<R: BufRead> Rows<R> {
    /// Reads the header of a table. Paths such as `/about` are resolved against `base`.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or the header does not name the column of the URLs.
    pub(crate) fn new(
        format: RowFormat,
        columns: &ColumnNames,
        reader: R,
        base: Option<&Url>,
    ) -> anyhow::Result<Self> {
        let table = |reader, separator| {
            let rows = table::Rows::new(reader, separator, columns, base)?;
            anyhow::Ok(Self::Table(Box::new(rows)))
        };
        Ok(match format {
            RowFormat::Text => Self::Text(Lines::new(reader), base.cloned()),
            RowFormat::Jsonl => Self::Json(Lines::new(reader), columns.expects),
            RowFormat::Csv => table(reader, b',')?,
            RowFormat::Tsv => table(reader, b'\t')?,
        })
    }

    /// The columns of a table that are unknown, whose values are ignored.
    pub(crate) fn unknown_columns(&self) -> &[String] {
        match self {
            Self::Text(..) | Self::Json(..) => &[],
            Self::Table(table) => table.unknown(),
        }
    }

    /// The fields that a page of the list can have.
    pub(crate) fn fields(&self) -> Fields {
        match self {
            Self::Text(..) => Fields::NONE,
            Self::Json(..) => Fields::ALL,
            Self::Table(table) => table.fields(),
        }
    }

    /// # Errors
    ///
    /// If there can be no further row; `name` is that of the input, which the error begins with.
    pub(crate) fn next(&mut self, name: &str) -> anyhow::Result<Option<Row>> {
        let (lines, text, expects) = match self {
            Self::Text(lines, base) => (lines, Some(base.as_ref()), false),
            Self::Json(lines, expects) => (lines, None, *expects),
            Self::Table(table) => return table.next(name),
        };
        let Some(line) = lines.next().with_context(|| name.to_owned())? else {
            return Ok(None);
        };
        let (entry, unknown, expected) = match text {
            Some(base) => (of_text(line.text, base), None, None),
            None => json::entry(line.text, expects),
        };
        Ok(Some(Row {
            line: line.number,
            byte: line.byte,
            entry,
            unknown,
            expected,
        }))
    }

    /// The line on which the latest row begins, and what follows it, as far as it has been read.
    pub(crate) fn line(&self) -> Vec<u8> {
        match self {
            Self::Text(lines, _) | Self::Json(lines, _) => lines.latest().to_vec(),
            Self::Table(table) => table.line(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut rows = Rows::new(RowFormat::Csv, &columns, text.as_bytes(), None).unwrap();
            let mut found = Vec::new();
            while let Some(row) = rows.next("-").unwrap() {
                let begin = usize::try_from(row.byte).unwrap();
                found.push((row.line, &text[begin..begin + 2]));
            }
            assert_eq!(found, [(2, "ht"), (3, "\"a"), (7, "c,")], "{end:?}");
        }
    }
}
