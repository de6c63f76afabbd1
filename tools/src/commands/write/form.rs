//! What an input of `write` is.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;

use crate::rows::{BOM, RowFormat, separator};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One URL per line
    Text,
    /// Columns separated by commas or semicolons
    Csv,
    /// Columns separated by tabs
    Tsv,
    /// One JSON object per line
    Jsonl,
    /// A folder of HTML files
    Html,
}

/// Bytes that are looked at.
const BEGINNING: usize = 4 << 10;

/// The form that is asked for, or that the name ends in, or that the beginning looks like. The path of standard input is
/// empty.
pub(super) fn tell(
    asked: Option<Form>,
    path: &Path,
    reader: Box<dyn Read>,
) -> anyhow::Result<(Form, Box<dyn BufRead>)> {
    let mut reader = BufReader::with_capacity(64 << 10, reader);
    let mut beginning = Vec::new();
    reader
        .by_ref()
        .take(BEGINNING as u64)
        .read_to_end(&mut beginning)?;
    let looks = looks_like(&beginning);
    let is_empty = beginning.is_empty() || beginning == BOM;
    let what = match path.as_os_str().is_empty() {
        true => "input",
        false => "file",
    };
    let form = match asked.or_else(|| by_name(path)) {
        Some(form) => form,
        None => match looks {
            Looks::Like(form) => form,
            Looks::LikeSitemap => {
                bail!("this looks like a sitemap; use `sitemap edit` to read it")
            }
            Looks::LikeNothing if is_empty => bail!(
                "the {what} is empty, so its format cannot be detected; use --from text, csv, tsv or jsonl"
            ),
            Looks::LikeNothing => bail!(
                "the format cannot be detected from the name or the first line; use --from text, csv, tsv or jsonl"
            ),
        },
    };
    if asked.is_none() && looks == Looks::LikeSitemap {
        bail!("this looks like a sitemap; use `sitemap edit` to read it");
    }
    if is_empty && matches!(form, Form::Csv | Form::Tsv) {
        bail!("the {what} is empty; its first line must name the columns");
    }
    let beginning = match beginning.strip_prefix(BOM) {
        Some(rest) => rest.to_vec(),
        None => beginning,
    };
    Ok((form, Box::new(io::Cursor::new(beginning).chain(reader))))
}

fn by_name(path: &Path) -> Option<Form> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    if matches!(&*extension, "txt" | "list") {
        return Some(Form::Text);
    }
    RowFormat::by_name(path).map(|format| match format {
        RowFormat::Csv => Form::Csv,
        RowFormat::Tsv => Form::Tsv,
        RowFormat::Jsonl => Form::Jsonl,
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Looks {
    Like(Form),
    LikeSitemap,
    LikeNothing,
}

fn looks_like(beginning: &[u8]) -> Looks {
    let beginning = beginning.strip_prefix(BOM).unwrap_or(beginning);
    let beginning = beginning.trim_ascii_start();
    // XML, or gzip.
    if beginning.starts_with(b"<") || beginning.starts_with(&[0x1f, 0x8b]) {
        return Looks::LikeSitemap;
    }
    let line = beginning.split(|byte| matches!(byte, b'\n' | b'\r')).next();
    let line = String::from_utf8_lossy(line.unwrap_or_default()).to_ascii_lowercase();
    let line = line.trim_end();
    if line.starts_with('{') {
        return Looks::Like(Form::Jsonl);
    }
    if line.starts_with("http://") || line.starts_with("https://") || line.starts_with('/') {
        return Looks::Like(Form::Text);
    }
    match separator(line) {
        Some(b'\t') => Looks::Like(Form::Tsv),
        Some(_) => Looks::Like(Form::Csv),
        None => Looks::LikeNothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        for (text, form) in [
            ("https://example.com/\n", Form::Text),
            ("\n/about\n", Form::Text),
            ("\u{feff}loc\n", Form::Csv),
            ("lastmod,\"Loc\"\r\n", Form::Csv),
            ("loc\tlastmod\n", Form::Tsv),
            ("Title;URL\n", Form::Csv),
            (" {\"loc\"", Form::Jsonl),
        ] {
            assert_eq!(looks_like(text.as_bytes()), Looks::Like(form), "{text}");
        }
        assert_eq!(looks_like(b"<urlset>"), Looks::LikeSitemap);
        assert_eq!(looks_like(b"hello"), Looks::LikeNothing);
        assert_eq!(looks_like(b""), Looks::LikeNothing);
    }
}
