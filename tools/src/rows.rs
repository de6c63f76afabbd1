//! Pages as JSON Lines, CSV and TSV: the forms that `sitemap show`, `crawl` and spreadsheets write.

mod json;
mod lines;
mod row;
mod table;

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use quick_sitemap::url::Url;

use crate::term::clipped::clipped;
use crate::term::messages::Messages;

#[cfg(feature = "full")]
pub(crate) use self::json::without_line;
pub(crate) use self::lines::Lines;
#[cfg(feature = "full")]
pub(crate) use self::row::page;
pub(crate) use self::row::{Refused, Row};
pub(crate) use self::table::separator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFormat {
    /// One JSON object per line.
    Jsonl,
    /// Columns separated by commas, or by semicolons.
    Csv,
    /// Columns separated by tabs.
    Tsv,
}

impl RowFormat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "JSON Lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
        }
    }

    /// The format that the name of a file specifies.
    pub(crate) fn by_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

/// The rows of an input, one after the other.
pub(crate) struct Rows<R> {
    form: Form<R>,
    has_noted: bool,
}

enum Form<R> {
    Json(json::Rows<R>),
    Table(Box<table::Rows<R>>),
}

impl<R: BufRead> Rows<R> {
    /// Reads the header of a table. Paths such as `/about` are resolved against `base`.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or the header does not name the column of the URLs.
    pub(crate) fn new(format: RowFormat, reader: R, base: Option<&Url>) -> anyhow::Result<Self> {
        let form = match format {
            RowFormat::Jsonl => Form::Json(json::Rows::new(reader)),
            RowFormat::Csv => Form::Table(Box::new(table::Rows::new(reader, b',', base)?)),
            RowFormat::Tsv => Form::Table(Box::new(table::Rows::new(reader, b'\t', base)?)),
        };
        Ok(Self {
            form,
            has_noted: false,
        })
    }

    /// The columns of a table that are unknown, whose values are ignored.
    pub(crate) fn unknown_columns(&self) -> &[String] {
        match &self.form {
            Form::Json(_) => &[],
            Form::Table(table) => table.unknown(),
        }
    }

    /// # Errors
    ///
    /// If there can be no further row; `name` is that of the input, which the error begins with.
    pub(crate) fn next(&mut self, name: &str) -> anyhow::Result<Option<Row>> {
        match &mut self.form {
            Form::Json(json) => json.next(name),
            Form::Table(table) => table.next(name),
        }
    }
}

impl<R: BufRead> Rows<R> {
    /// The line on which the latest row begins, and what follows it, as far as it has been read.
    pub(crate) fn line(&self) -> Vec<u8> {
        match &self.form {
            Form::Json(json) => json.line().to_vec(),
            Form::Table(table) => table.line(),
        }
    }

    /// As [`next`](Self::next), for commands that ignore what is unknown: a note names it, so that a misspelt `lastmod` is
    /// not lost silently.
    pub(crate) fn next_noting(
        &mut self,
        name: &str,
        messages: &Messages,
    ) -> anyhow::Result<Option<Row>> {
        if !self.has_noted && !self.unknown_columns().is_empty() {
            self.has_noted = true;
            let columns: Vec<_> = self
                .unknown_columns()
                .iter()
                .map(|column| format!("`{}`", clipped(column)))
                .collect();
            let more = match columns.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let named = columns.get(..NAMED).unwrap_or(&columns).join(", ");
            messages.note(format_args!(
                "{name}: unknown columns are ignored: {named}{more}"
            ));
        }
        let row = self.next(name)?;
        if let Some(Row {
            unknown: Some(field),
            ..
        }) = &row
            && !self.has_noted
        {
            self.has_noted = true;
            let field = clipped(field);
            messages.note(format_args!(
                "{name}: the field `{field}` is unknown and ignored"
            ));
        }
        Ok(row)
    }
}

/// Unknown columns that are named; the others are counted.
const NAMED: usize = 5;

/// An input whose beginning has been read.
pub(crate) type Peeked<R> = io::Chain<Cursor<Vec<u8>>, BufReader<R>>;

/// Bytes within which the format is detected.
const BEGINNING: usize = 4 << 10;

pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Tells rows from sitemaps. Reads no more than that takes, because the rest of a pipe may come later.
///
/// Returns `None` with the complete input if it must be a sitemap. Without `None`, a byte order mark is removed.
pub(crate) fn detect<R: Read>(
    path: Option<&Path>,
    mut reader: R,
) -> io::Result<(Option<RowFormat>, Peeked<R>)> {
    let mut beginning = Vec::new();
    let named = path.and_then(RowFormat::by_name);
    let format = loop {
        match look(&beginning, named, beginning.len() >= BEGINNING) {
            Look::Rows(format) => break Some(format),
            Look::Sitemap => break None,
            Look::Unknown => {}
        }
        let mut piece = [0; BEGINNING];
        let count = loop {
            match reader.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if count == 0 {
            break match look(&beginning, named, true) {
                Look::Rows(format) => Some(format),
                Look::Sitemap | Look::Unknown => None,
            };
        }
        beginning.extend_from_slice(piece.get(..count).unwrap_or_default());
    };
    if format.is_some() && beginning.starts_with(BOM) {
        beginning.drain(..BOM.len());
    }
    let reader = BufReader::with_capacity(64 << 10, reader);
    Ok((format, Cursor::new(beginning).chain(reader)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Rows(RowFormat),
    Sitemap,
    /// There is too little of it.
    Unknown,
}

/// `named` is the format that the name of the file specifies, which holds unless the content is that of a sitemap.
fn look(beginning: &[u8], named: Option<RowFormat>, is_all: bool) -> Look {
    let text = beginning.strip_prefix(BOM).unwrap_or(beginning);
    let text = text.trim_ascii_start();
    let otherwise = named.map_or(Look::Sitemap, Look::Rows);
    match text.first() {
        None if is_all => return otherwise,
        None => return Look::Unknown,
        // XML, gzip, a byte order mark of UTF-16, and half a character of it.
        Some(b'<' | 0x1f | 0xfe | 0xff | 0) => return Look::Sitemap,
        // The rest of a byte order mark may follow.
        Some(0xef) if text.len() < BOM.len() && !is_all => return Look::Unknown,
        Some(_) => {}
    }
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    let line = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let is_whole = end.is_some() || is_all;
    if line.starts_with(b"{") {
        return match line.windows(5).any(|name| name == b"\"loc\"") {
            true => Look::Rows(RowFormat::Jsonl),
            false if is_whole => otherwise,
            false => Look::Unknown,
        };
    }
    if !is_whole {
        return Look::Unknown;
    }
    let line = String::from_utf8_lossy(line);
    let scheme = line.get(..8).unwrap_or(&line).to_ascii_lowercase();
    if scheme.starts_with("http://") || scheme.starts_with("https://") {
        return Look::Sitemap;
    }
    match separator(&line) {
        Some(b'\t') => Look::Rows(RowFormat::Tsv),
        Some(_) => Look::Rows(RowFormat::Csv),
        None => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_sitemaps() {
        use RowFormat::{Csv, Jsonl, Tsv};
        let named = |text: &str, name: &str| {
            let path = Some(Path::new(name));
            detect(path, text.as_bytes()).unwrap().0
        };
        for (text, format) in [
            (
                "{\"type\":\"url\",\"loc\":\"https://e.com/\"}\n",
                Some(Jsonl),
            ),
            ("\u{feff}loc\nhttps://e.com/", Some(Csv)),
            ("kind,loc,lastmod\n", Some(Csv)),
            ("title;URL\r\n", Some(Csv)),
            ("Url", Some(Csv)),
            ("lastmod\tloc\n", Some(Tsv)),
            ("{\"error\":\"not found\"}", None),
            ("https://e.com/loc,url\n", None),
            ("<urlset>", None),
            ("hello, world", None),
            ("", None),
        ] {
            assert_eq!(named(text, "-"), format, "{text}");
        }
        assert_eq!(named("hello", "a.CSV"), Some(Csv));
        assert_eq!(named("{\"a\":1}", "a.jsonl"), Some(Jsonl));
        // The content of a sitemap wins over its name.
        assert_eq!(named("<urlset>", "a.csv"), None);
        assert_eq!(named("https://e.com/\n", "a.csv"), None);
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
            let mut rows = Rows::new(RowFormat::Csv, text.as_bytes(), None).unwrap();
            let mut found = Vec::new();
            while let Some(row) = rows.next("-").unwrap() {
                let begin = usize::try_from(row.byte).unwrap();
                found.push((row.line, &text[begin..begin + 2]));
            }
            assert_eq!(found, [(2, "ht"), (3, "\"a"), (7, "c,")], "{end:?}");
        }
    }

    /// A pipe whose writer waits for an answer would never end.
    #[test]
    fn no_more_is_read_than_is_needed() {
        struct Once(&'static [u8]);
        impl Read for Once {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "it would wait");
                let count = self.0.len().min(buffer.len());
                buffer[..count].copy_from_slice(&self.0[..count]);
                self.0 = &[];
                Ok(count)
            }
        }
        for text in ["<", "loc\n", "{\"loc\"", "https://e.com/\n"] {
            detect(None, Once(text.as_bytes())).unwrap();
        }
    }
}
