//! CSV and TSV with a header.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;
use std::str::FromStr;

use anyhow::{Context, bail};
use csv::{ByteRecord, ReaderBuilder, Trim};
use quick_sitemap::{Rule, UrlEntry, Violation};

use super::sink::{Line, Sink};

/// The columns that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// `url` or `sitemap`, in what `sitemap show` prints.
    Kind,
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

/// Bytes of a record; a longer one is an error. A quotation mark without its partner makes the rest of the input one.
const LONGEST: u64 = 16 << 20;

/// An input that ends with an error where a record does not end.
struct Bounded<R> {
    reader: R,
    /// Bytes that were read since the last record was complete.
    since: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since.get() > LONGEST {
            let message = "a record is longer than 16 MiB; is a quotation mark missing?";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let read = self.reader.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        Ok(read)
    }
}

pub(super) fn read(
    name: &str,
    reader: impl BufRead,
    separator: u8,
    sink: &mut Sink<'_>,
) -> anyhow::Result<()> {
    let mut builder = ReaderBuilder::new();
    builder.delimiter(separator).trim(Trim::All);
    let since = Rc::new(Cell::new(0));
    let mut table = builder.from_reader(Bounded {
        reader,
        since: Rc::clone(&since),
    });
    let columns = columns(table.byte_headers().with_context(|| name.to_owned())?, sink)
        .with_context(|| format!("{name}:1"))?;
    let mut record = ByteRecord::new();
    while table
        .read_byte_record(&mut record)
        .map_err(|error| broken(name, &error))?
    {
        since.set(0);
        let number = record.position().map_or(0, csv::Position::line);
        let place = Line { file: name, number };
        match entry(&record, &columns, sink) {
            Ok(entry) => sink.page(entry, place)?,
            Err((rule, why)) => sink.refuse(Some(rule), place, &why)?,
        }
    }
    Ok(())
}

/// What each column is; `None` for one that is passed over.
fn columns(header: &ByteRecord, sink: &Sink<'_>) -> anyhow::Result<Vec<Option<Column>>> {
    let mut columns = Vec::new();
    for name in header {
        let name = String::from_utf8_lossy(name);
        let column = match &*name.to_ascii_lowercase() {
            "kind" => Some(Column::Kind),
            "loc" => Some(Column::Loc),
            "lastmod" => Some(Column::Lastmod),
            "changefreq" => Some(Column::Changefreq),
            "priority" => Some(Column::Priority),
            // The sitemap that lists the page, in what `sitemap crawl` prints.
            "sitemap" => None,
            _ if sink.ignores_unknown => None,
            _ => bail!(
                "unknown column `{name}` (not loc, lastmod, changefreq or priority); use --ignore-unknown to ignore it"
            ),
        };
        if column.is_some() && columns.contains(&column) {
            bail!("there are two columns `{name}`");
        }
        columns.push(column);
    }
    if !columns.contains(&Some(Column::Loc)) {
        bail!("the first line must name the columns, and has no column `loc`");
    }
    Ok(columns)
}

fn entry(
    record: &ByteRecord,
    columns: &[Option<Column>],
    sink: &Sink<'_>,
) -> Result<UrlEntry, (Rule, String)> {
    let cell = |column: Column| {
        let at = columns.iter().position(|known| *known == Some(column));
        let cell = at.and_then(|at| record.get(at)).unwrap_or_default();
        let not_utf8 = |_| (Rule::InvalidCharacter, "this line is not UTF-8".to_owned());
        std::str::from_utf8(cell).map_err(not_utf8)
    };
    if cell(Column::Kind)? == "sitemap" {
        return Err((
            Rule::MisplacedEntry,
            "this is a sitemap, not a page".to_owned(),
        ));
    }
    let loc = cell(Column::Loc)?;
    if loc.is_empty() {
        return Err((Rule::MissingLoc, "there is no loc".to_owned()));
    }
    let mut entry = super::text::entry(loc, sink).map_err(|violation| said(&violation))?;
    entry.lastmod = value(cell(Column::Lastmod)?)?;
    entry.changefreq = value(cell(Column::Changefreq)?)?;
    entry.priority = value(cell(Column::Priority)?)?;
    Ok(entry)
}

/// An empty cell says nothing.
fn value<T: FromStr<Err = Violation>>(cell: &str) -> Result<Option<T>, (Rule, String)> {
    match cell {
        "" => Ok(None),
        cell => cell.parse().map(Some).map_err(|violation| said(&violation)),
    }
}

fn said(violation: &Violation) -> (Rule, String) {
    (violation.rule(), violation.to_string())
}

/// With the line first, as everywhere.
fn broken(name: &str, error: &csv::Error) -> anyhow::Error {
    let line = error.position().map_or(0, csv::Position::line);
    let place = Line {
        file: name,
        number: line,
    };
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => anyhow::anyhow!("{place}: {len} columns, but the first line has {expected_len}"),
        _ => anyhow::anyhow!("{place}: {error}"),
    }
}
