//! Pages as lines.

use std::io::{self, Write};

use quick_sitemap::Entry;
use serde::Serialize;

use crate::rows::writer::{hide_logins, row};
use crate::rows::{Column, PAGE, RowFormat};
use crate::term::json;

/// The line before all others.
pub(super) fn header(format: RowFormat, source: bool) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    if let Some(separator) = format.separator() {
        let names = PAGE.map(Column::name).into_iter();
        row(
            &mut line,
            separator,
            names.chain(source.then_some("sitemap")),
        )?;
    }
    Ok(line)
}

/// Appends the page's line. `source` is the sitemap that lists it, if it is to be named.
pub(super) fn append(
    format: RowFormat,
    mut page: Entry,
    source: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    hide_logins(&mut page);
    let page = &page;
    if let Some(separator) = format.separator() {
        let cells = PAGE.map(|column| column.cell(page)).into_iter();
        return row(out, separator, cells.chain(source.map(Into::into)));
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
