//! The forms in which entries are shown: a table, JSON Lines, CSV or TSV.

use std::io::Write;

use quick_sitemap::Entry;

use super::table::Table;
use crate::rows::writer::{ListWriter, ViewFormat};
use crate::rows::{Column, ENTRY};
use crate::term::output;

/// Writes the entries in one form.
pub(super) enum View {
    Table(Box<dyn Write + Send>, Box<Table>),
    List(ListWriter),
}

impl View {
    pub(super) fn new(format: ViewFormat, decoded: bool) -> anyhow::Result<Self> {
        let columns = ENTRY.map(Column::name);
        let out = output::stdout;
        Ok(match ListWriter::new(format, &columns)? {
            Some(list) => Self::List(list),
            None => Self::Table(out(), Box::new(Table::new(output::columns(), decoded))),
        })
    }

    pub(super) fn begin(
        &mut self,
        heading: Option<&str>,
        format: Option<&'static str>,
    ) -> anyhow::Result<()> {
        match self {
            Self::Table(out, table) => table.begin(out, heading, format)?,
            Self::List(_) => {}
        }
        Ok(())
    }

    /// Writes an entry in the format of the view.
    pub(super) fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        match self {
            Self::Table(out, table) => table.entry(out, entry)?,
            Self::List(list) => {
                list.row(entry, || ENTRY.map(|column| column.cell(entry)).to_vec())?;
            }
        }
        Ok(())
    }

    pub(super) fn left_out(&mut self) {
        if let Self::Table(_, table) = self {
            table.left_out();
        }
    }

    pub(super) fn end(&mut self, is_limited: bool) -> anyhow::Result<()> {
        if let Self::Table(out, table) = self {
            table.end(out, is_limited)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Table(mut out, _) => out.flush()?,
            Self::List(mut list) => list.finish()?,
        }
        Ok(())
    }
}
