//! The format of an input, by its beginning and its name.

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::{Position, Url};

use super::table::separator;
use super::utf_16::{Decoded, Order};
use super::{ColumnNames, RowFormat};
use crate::disk::destination::BOM;
use crate::disk::{Failing, GZIP};

/// Bytes within which the format is detected.
const BEGINNING: usize = 4 << 10;

/// What an input may be.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// A sitemap, as everything that was not named.
    Sitemap,
    /// A sitemap or a list, of which unknown columns and fields are noted.
    Any,
    /// A list in this format, or in one that is detected. Unknown columns and fields are an error, unless they are ignored.
    List(Option<RowFormat>, bool),
}

/// An input whose first line has been read.
pub(crate) struct Begun<'r> {
    /// The first bytes, as they are sent.
    pub(crate) head: Vec<u8>,
    /// That of UTF-16.
    order: Option<Order>,
    rest: Box<dyn Read + 'r>,
}

impl<'r> Begun<'r> {
    /// Reads no more than the first line, because the rest of a pipe may come later. A reading error comes after the bytes
    /// before it.
    pub(crate) fn new(mut reader: impl Read + 'r) -> Self {
        let (mut head, mut failure) = (Vec::new(), None);
        while head.len() < BEGINNING && !has_line(&head) {
            let mut piece = [0; BEGINNING];
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => head.extend_from_slice(piece.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        let rest = Failing(failure).chain(reader);
        Self {
            order: Order::of(&head),
            head,
            rest: Box::new(BufReader::with_capacity(64 << 10, rest)),
        }
    }

    /// Returns `true` if the first line that is not blank is a URL.
    pub(crate) fn is_text(&self) -> bool {
        look(&decoded(&self.head), &ColumnNames::default()) == Look::Text
    }

    /// Tells lists from sitemaps, by the content before the name. Returns `None` for a sitemap.
    ///
    /// # Errors
    ///
    /// For what must be a list, if its format cannot be detected, or if it is a sitemap.
    pub(crate) fn format(
        &self,
        form: Form,
        path: Option<&Path>,
        names: &ColumnNames,
    ) -> anyhow::Result<Option<RowFormat>> {
        let text = decoded(&self.head);
        let look = look(&text, names);
        let named = match path.and_then(RowFormat::by_name) {
            // Spreadsheets save a table in UTF-16 under the name of a text.
            None | Some(RowFormat::Text)
                if self.order.is_some() && look == Look::Other && text.contains('\t') =>
            {
                Some(RowFormat::Tsv)
            }
            Some(RowFormat::Text) if self.order.is_some() && look != Look::Text => None,
            named => named,
        };
        let format = match (form, look) {
            (Form::Sitemap, _) => return Ok(None),
            (Form::List(asked, _), look) => Some(list(asked, named, look, &text)?),
            // A text sitemap is read by the library, whatever its first line is.
            (Form::Any, _) if named == Some(RowFormat::Text) => None,
            (Form::Any, Look::Rows(format)) => Some(format),
            (Form::Any, Look::Sitemap | Look::Text) => None,
            (Form::Any, Look::Object | Look::Other) => named,
        };
        if look != Look::Sitemap && format.and_then(RowFormat::separator).is_none() {
            names.see_plain();
        }
        Ok(format)
    }

    /// All bytes, as they are sent.
    pub(crate) fn into_bytes(self) -> Box<dyn Read + 'r> {
        Box::new(Cursor::new(self.head).chain(self.rest))
    }

    /// A list of URLs and paths of the site `base`, for the library's reader, which takes a text for a list only if a line
    /// of it is a URL: if the first line is a path, it becomes one.
    pub(crate) fn into_urls(self, base: Option<&Url>) -> Box<dyn Read + 'r> {
        let text = decoded(&self.head);
        let line = text.trim_start();
        let base = base.filter(|_| line.starts_with('/') && !line.starts_with("//"));
        let Some(base) = base else {
            return self.into_text();
        };
        let blank = text.len() - line.len();
        let mut first = text.into_bytes();
        first.truncate(blank);
        first.extend_from_slice(base[..Position::BeforePath].as_bytes());
        let mut rest = self.into_text();
        let skipped = io::copy(&mut rest.by_ref().take(blank as u64), &mut io::sink());
        Box::new(Cursor::new(first).chain(Failing(skipped.err())).chain(rest))
    }

    /// Returns `true` if there is nothing in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.head.len() < BEGINNING && decoded(&self.head).trim().is_empty()
    }

    /// All of a list in UTF-8, without a byte order mark.
    pub(crate) fn into_text(self) -> Box<dyn Read + 'r> {
        let order = self.order;
        let mark = match order {
            None if self.head.starts_with(BOM.as_bytes()) => BOM.len(),
            Some(order) if order.decode(&self.head).starts_with(BOM) => 2,
            _ => 0,
        };
        let mut bytes = Cursor::new(self.head);
        bytes.set_position(mark as u64);
        let bytes = bytes.chain(self.rest);
        match order {
            Some(order) => Box::new(Decoded::new(bytes, order)),
            None => Box::new(bytes),
        }
    }
}

fn has_line(head: &[u8]) -> bool {
    let text = decoded(head);
    !head.starts_with(&GZIP) && text.trim_start().contains(['\n', '\r'])
}

/// The beginning of a text, without a byte order mark.
fn decoded(head: &[u8]) -> String {
    let text = match Order::of(head) {
        Some(order) => order.decode(head),
        None => String::from_utf8_lossy(head).into_owned(),
    };
    text.trim_start_matches(BOM).to_owned()
}

/// The format of a list that is not a sitemap: the one of the option, or of the name of the file, or of its beginning.
fn list(
    asked: Option<RowFormat>,
    named: Option<RowFormat>,
    look: Look,
    text: &str,
) -> anyhow::Result<RowFormat> {
    let looks = match look {
        Look::Sitemap if matches!(asked, None | Some(RowFormat::Text)) => {
            bail!("this looks like a sitemap; use `sitemap edit` to read it")
        }
        Look::Rows(format) => Some(format),
        Look::Text => Some(RowFormat::Text),
        Look::Object => Some(RowFormat::Jsonl),
        Look::Other if text.trim_start().starts_with('/') => Some(RowFormat::Text),
        Look::Sitemap | Look::Other => None,
    };
    asked.or(named).or(looks).context(
        "the format cannot be detected from the name or the first line; use --from text, csv, tsv or jsonl",
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// A table with a column of URLs, or JSON Lines with the field `loc`.
    Rows(RowFormat),
    /// XML or gzip.
    Sitemap,
    /// The first line is a URL.
    Text,
    /// A JSON object that has no loc in its first line.
    Object,
    Other,
}

fn look(text: &str, names: &ColumnNames) -> Look {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let scheme = line.get(..8).unwrap_or(line).to_ascii_lowercase();
    if line.starts_with(['<', '\u{1f}', '\0']) {
        Look::Sitemap
    } else if line.starts_with('{') {
        if line.contains("\"loc\"") {
            Look::Rows(RowFormat::Jsonl)
        } else {
            Look::Object
        }
    } else if scheme.starts_with("http://") || scheme.starts_with("https://") {
        Look::Text
    } else {
        match separator(line, names) {
            Some(b'\t') => Look::Rows(RowFormat::Tsv),
            Some(_) => Look::Rows(RowFormat::Csv),
            None => Look::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(form: Form, name: Option<&str>, bytes: &[u8]) -> anyhow::Result<Option<RowFormat>> {
        let names = ColumnNames::default();
        Begun::new(bytes).format(form, name.map(Path::new), &names)
    }

    #[test]
    fn rows_are_told_from_sitemaps() {
        use RowFormat::{Csv, Jsonl, Tsv};
        let named =
            |text: &str, name: &str| format(Form::Any, Some(name), text.as_bytes()).unwrap();
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
    fn utf_16_is_told_by_its_bytes() {
        use RowFormat::{Csv, Tsv};
        let text = "loc\tlastmod\nhttps://e.com/\u{1f600}\t2024-05-06\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        for mark in [0xFEFF, 0] {
            let units = [mark]
                .into_iter()
                .filter(|mark| *mark > 0)
                .chain(units.clone());
            for order in [u16::to_be_bytes, u16::to_le_bytes] {
                let bytes: Vec<u8> = units.clone().flat_map(order).collect();
                for name in ["a.txt", "a.csv", "a", "a.xml"] {
                    let found = format(Form::Any, Some(name), &bytes).unwrap();
                    assert_eq!(found, Some(Tsv), "{name}");
                    let found = format(Form::List(None, true), Some(name), &bytes).unwrap();
                    assert_eq!(
                        found,
                        Some(if name == "a.csv" { Csv } else { Tsv }),
                        "{name}"
                    );
                }
                // In pieces of any length.
                for length in 1..9 {
                    let pieces = bytes
                        .chunks(length)
                        .fold(Box::new(io::empty()) as Box<dyn Read>, |before, piece| {
                            Box::new(before.chain(piece))
                        });
                    let mut decoded = String::new();
                    let read = Begun::new(pieces).into_text().read_to_string(&mut decoded);
                    assert_eq!((read.unwrap(), &*decoded), (text.len(), text));
                }
                let cut = Begun::new(&bytes[..bytes.len() - 1]).into_text();
                assert!(io::read_to_string(cut).is_err());
            }
        }
        // Neither a sitemap nor URLs are a list.
        for text in ["<urlset>", "https://e.com/a\n"] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(format(Form::Any, None, &bytes).unwrap(), None);
        }
    }

    /// A pipe whose writer waits for an answer would never end.
    #[test]
    fn no_more_is_read_than_the_first_line() {
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
        for text in [
            "<urlset>\n",
            "\nloc\n",
            "{\"loc\":1}\n",
            "https://e.com/\n",
            "l\0o\0c\0\n\0",
        ] {
            Begun::new(Once(text.as_bytes()));
        }
    }

    #[test]
    fn lists() {
        use RowFormat::{Csv, Jsonl, Text, Tsv};
        let list = |name: Option<&str>, text: &'static str| {
            let found = format(Form::List(None, true), name, text.as_bytes());
            found
                .map(|format| format.unwrap())
                .map_err(|error| error.to_string())
        };
        for (text, format) in [
            ("https://example.com/\n", Text),
            ("\n/about\n", Text),
            ("\u{feff}loc\n", Csv),
            ("lastmod,\"Loc\"\r\n", Csv),
            ("loc\tlastmod\n", Tsv),
            ("Title;URL\n", Csv),
            (" {\"loc\"", Jsonl),
            ("{\"title\":1}\n", Jsonl),
        ] {
            assert_eq!(list(None, text), Ok(format), "{text}");
        }
        assert_eq!(list(Some("a.list"), "hello\n"), Ok(Text));
        assert!(list(Some("a.txt"), "<urlset>").is_err_and(|error| error.contains("sitemap edit")));
        assert!(list(None, "hello").is_err_and(|error| error.contains("cannot be detected")));
        assert!(list(None, "").is_err_and(|error| error.contains("cannot be detected")));
    }
}
