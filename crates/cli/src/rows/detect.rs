//! The format of an input, by its name and its beginning.

use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

use anyhow::bail;

use super::table::separator;
use super::{ColumnNames, RowFormat};

/// An input whose beginning has been read.
pub(crate) type Peeked<R> = io::Chain<Cursor<Vec<u8>>, BufReader<R>>;

/// Bytes within which the format is detected.
const BEGINNING: usize = 4 << 10;

pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

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

/// Distinguishes rows from sitemaps, by the content before the name. Reads no more than that takes, because the rest of a
/// pipe may come later.
///
/// Returns `None` with the complete input if it must be a sitemap. Without `None`, a byte order mark is removed.
///
/// # Errors
///
/// Those of the input, and for a list in UTF-16; for what must be a list, if its format cannot be detected, or if it is a
/// sitemap.
pub(crate) fn detect<R: Read>(
    form: Form,
    path: Option<&Path>,
    names: &ColumnNames,
    reader: R,
) -> anyhow::Result<(Option<RowFormat>, Peeked<R>)> {
    if let Form::Sitemap = form {
        return Ok((None, chain(false, Vec::new(), reader)));
    }
    let (look, beginning, reader) = peek(reader, names)?;
    let named = path.and_then(RowFormat::by_name);
    let format = match (form, look) {
        (Form::List(asked, _), look) => {
            let what = if path.is_some() { "file" } else { "input" };
            Some(list(asked, named, look, &beginning, what)?)
        }
        // A text sitemap is read by the library, whatever its first line is.
        _ if named == Some(RowFormat::Text) => None,
        (_, Look::Rows(format)) => Some(format),
        (_, Look::Sitemap | Look::Text) => None,
        (_, Look::Utf16) if named.is_some() => return Err(utf_16().into()),
        (_, Look::Utf16) => None,
        (_, Look::Object | Look::Other) => named,
    };
    Ok((format, chain(format.is_some(), beginning, reader)))
}

/// Returns `true` if the first line that is not blank is a URL, or if it cannot be read.
pub(crate) fn begins_with_url(reader: impl Read) -> bool {
    let looked = peek(reader, &ColumnNames::default());
    looked.map_or(true, |(look, ..)| look == Look::Text)
}

/// The format of a list that is not a sitemap: the one of the option, or of the name of the file, or of its beginning.
fn list(
    asked: Option<RowFormat>,
    named: Option<RowFormat>,
    look: Look,
    beginning: &[u8],
    what: &str,
) -> anyhow::Result<RowFormat> {
    let is_empty = beginning.is_empty() || beginning == BOM;
    let looks = match look {
        Look::Sitemap if asked.is_none() => {
            bail!("this looks like a sitemap; use `sitemap edit` to read it")
        }
        Look::Utf16 => return Err(utf_16().into()),
        Look::Rows(format) => Some(format),
        Look::Text => Some(RowFormat::Text),
        Look::Object => Some(RowFormat::Jsonl),
        Look::Other if beginning.trim_ascii_start().starts_with(b"/") => Some(RowFormat::Text),
        Look::Sitemap | Look::Other => None,
    };
    match asked.or(named).or(looks) {
        Some(RowFormat::Csv | RowFormat::Tsv) if is_empty => {
            bail!("the {what} is empty; its first line must name the columns")
        }
        Some(format) => Ok(format),
        None if is_empty => bail!(
            "the {what} is empty, so its format cannot be detected; use --from text, csv, tsv or jsonl"
        ),
        None => bail!(
            "the format cannot be detected from the name or the first line; use --from text, csv, tsv or jsonl"
        ),
    }
}

fn utf_16() -> io::Error {
    let message = "the list is in UTF-16; save it in UTF-8";
    io::Error::new(ErrorKind::InvalidData, message)
}

fn chain<R: Read>(is_list: bool, mut beginning: Vec<u8>, reader: R) -> Peeked<R> {
    if is_list && beginning.starts_with(BOM) {
        beginning.drain(..BOM.len());
    }
    Cursor::new(beginning).chain(BufReader::with_capacity(64 << 10, reader))
}

/// Reads as much as is needed to detect the format, and returns it with the reader.
fn peek<R: Read>(mut reader: R, names: &ColumnNames) -> io::Result<(Look, Vec<u8>, R)> {
    let mut beginning = Vec::new();
    loop {
        if let Some(look) = look(&beginning, beginning.len() >= BEGINNING, names) {
            return Ok((look, beginning, reader));
        }
        let mut piece = [0; BEGINNING];
        let count = loop {
            match reader.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if count == 0 {
            let look = look(&beginning, true, names).unwrap_or(Look::Other);
            return Ok((look, beginning, reader));
        }
        beginning.extend_from_slice(piece.get(..count).unwrap_or_default());
    }
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
    /// It begins with a byte order mark of UTF-16.
    Utf16,
    Other,
}

/// Returns `None` if there is too little of it.
fn look(beginning: &[u8], is_all: bool, names: &ColumnNames) -> Option<Look> {
    let text = beginning.strip_prefix(BOM).unwrap_or(beginning);
    let text = text.trim_ascii_start();
    match text {
        [] => return is_all.then_some(Look::Other),
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => return Some(Look::Utf16),
        [0xfe | 0xff] if !is_all => return None,
        // XML, gzip, and half a character of UTF-16.
        [b'<' | 0x1f | 0xfe | 0xff | 0, ..] => return Some(Look::Sitemap),
        // The rest of a byte order mark may follow.
        [0xef, ..] if text.len() < BOM.len() && !is_all => return None,
        _ => {}
    }
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    let line = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let is_whole = end.is_some() || is_all;
    if line.starts_with(b"{") {
        let has_loc = line.windows(5).any(|name| name == b"\"loc\"");
        return if has_loc {
            Some(Look::Rows(RowFormat::Jsonl))
        } else {
            is_whole.then_some(Look::Object)
        };
    }
    if !is_whole {
        return None;
    }
    let line = String::from_utf8_lossy(line);
    let scheme = line.get(..8).unwrap_or(&line).to_ascii_lowercase();
    if scheme.starts_with("http://") || scheme.starts_with("https://") {
        return Some(Look::Text);
    }
    Some(match separator(&line, names) {
        Some(b'\t') => Look::Rows(RowFormat::Tsv),
        Some(_) => Look::Rows(RowFormat::Csv),
        None => Look::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: ColumnNames = ColumnNames::NONE;

    #[test]
    fn rows_are_told_from_sitemaps() {
        use RowFormat::{Csv, Jsonl, Tsv};
        let named = |text: &str, name: &str| {
            let path = Some(Path::new(name));
            detect(Form::Any, path, &NAMES, text.as_bytes()).unwrap().0
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
        // Spreadsheets write these.
        let utf_16 = b"\xff\xfel\0o\0c\0\n\0".as_slice();
        assert!(detect(Form::Any, Some(Path::new("a.csv")), &NAMES, utf_16).is_err());
        assert_eq!(
            detect(Form::Any, Some(Path::new("a.xml")), &NAMES, utf_16)
                .unwrap()
                .0,
            None
        );
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
            detect(Form::Any, None, &NAMES, Once(text.as_bytes())).unwrap();
        }
    }

    #[test]
    fn lists() {
        use RowFormat::{Csv, Jsonl, Text, Tsv};
        let list = |name: Option<&str>, text: &'static str| {
            let found = detect(
                Form::List(None, true),
                name.map(Path::new),
                &NAMES,
                text.as_bytes(),
            );
            found
                .map(|(format, _)| format.unwrap())
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
        assert!(list(None, "").is_err_and(|error| error.contains("empty")));
        let utf_16 = b"\xfe\xff\0l\0o\0c".as_slice();
        let error = detect(Form::List(Some(Csv), true), None, &NAMES, utf_16)
            .err()
            .unwrap();
        assert!(error.to_string().contains("UTF-16"));
    }
}
