//! Pages from JSON Lines and tables.

use std::io::BufRead;

use anyhow::{Context, bail};
use quick_sitemap::{Entry, Rule};

use super::sink::{Line, Sink};
use crate::rows::{RowFormat, Rows};

/// An unknown column or field is an error, because a misspelled `lastmode` would otherwise be lost silently.
pub(super) fn read(
    name: &str,
    format: RowFormat,
    reader: impl BufRead,
    sink: &mut Sink<'_>,
) -> anyhow::Result<()> {
    let place_of = |number| Line { file: name, number };
    let mut rows = Rows::new(format, reader, sink.base).with_context(|| place_of(1).to_string())?;
    if let Some(column) = rows.unknown_columns().first()
        && !sink.ignores_unknown
    {
        bail!(
            "{}: unknown column `{column}` (not loc, lastmod, changefreq or priority); use --ignore-unknown to ignore it",
            place_of(1)
        );
    }
    while let Some(row) = rows.next(name)? {
        let place = place_of(row.line);
        if let Some(field) = row.unknown.filter(|_| !sink.ignores_unknown) {
            bail!("{place}: unknown field `{field}`; use --ignore-unknown to ignore it");
        }
        match row.entry {
            Ok(Entry::Url(entry)) => sink.page(entry, place)?,
            Ok(Entry::Sitemap(_)) => sink.refuse(
                Some(Rule::MisplacedEntry),
                place,
                "this is a sitemap, not a page",
            )?,
            Err(refused) => sink.refuse(refused.rule, place, &refused.why)?,
        }
    }
    Ok(())
}
