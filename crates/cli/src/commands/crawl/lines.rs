//! Pages as lines.

use std::io::{self, Write};

use quick_sitemap::Entry;
use serde::Serialize;

use crate::rows::writer::{RowWriter, without_logins};
use crate::rows::{Column, PAGE, RowFormat};
use crate::term::json;

/// The line before all others.
pub(super) fn header(format: RowFormat, source: bool) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    if let Some(separator) = format.separator() {
        let names = PAGE.map(Column::name).into_iter();
        let columns: Vec<_> = names.chain(source.then_some("sitemap")).collect();
        RowWriter::new(separator, &columns, &mut line)?.finish()?;
    }
    Ok(line)
}

/// Appends the page's line. `source` is the sitemap that lists it, if it is to be named.
pub(super) fn append(
    format: RowFormat,
    page: Entry,
    source: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let page = &without_logins(page);
    if let Some(separator) = format.separator() {
        let cells = PAGE.map(|column| column.cell(page));
        let mut row = RowWriter::after_header(separator, out);
        row.row(cells.iter().map(String::as_str).chain(source))?;
        return row.finish();
    }
    match (format, source) {
        (RowFormat::Jsonl, None) => json::write(out, page)?,
        (RowFormat::Jsonl, Some(sitemap)) => json::write(out, &WithSource { page, sitemap })?,
        _ => out.write_all(page.loc().as_str().as_bytes())?,
    }
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct WithSource<'p> {
    #[serde(flatten)]
    page: &'p Entry,
    sitemap: &'p str,
}
