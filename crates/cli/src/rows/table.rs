//! CSV and TSV with a header.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::rc::Rc;
use std::str::FromStr;

use anyhow::bail;
use csv::{ByteRecord, ReaderBuilder, Trim};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Rule, SitemapEntry, Violation};

use super::columns::{Column, ColumnNames};
use super::fields::Fields;
use super::row::{Refused, Row, page, utf8};

/// Bytes of a record; a longer one is an error. A quotation mark without its partner makes the rest of the input one.
const LONGEST: u64 = 16 << 20;

/// Bytes of a record that are shown at most.
const SHOWN: usize = 4 << 10;

/// An input that ends with an error where a record does not end.
struct Bounded<R> {
    reader: R,
    read: Rc<RefCell<Recent>>,
}

/// Bytes that were read and do not belong to an earlier record: the parser's position of a record is before the line
/// feed of the record before it, and before empty lines.
#[derive(Debug, Default)]
struct Recent {
    bytes: VecDeque<u8>,
    /// Bytes before these.
    start: u64,
}

impl Recent {
    /// The byte and the line at which a record begins. Bytes before it are dropped.
    fn begin(&mut self, byte: u64, line: u64) -> (u64, u64) {
        let before = usize::try_from(byte.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.drain(..before.min(self.bytes.len()));
        let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let ends: Vec<u8> = self.bytes.iter().take_while(is_end).copied().collect();
        let lines = ends.iter().filter(|end| **end == b'\n').count();
        self.start = byte;
        (byte + ends.len() as u64, line + lines as u64)
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut recent = self.read.borrow_mut();
        if recent.bytes.len() as u64 > LONGEST {
            let message = "a record is longer than 16 MiB; is a quotation mark missing?";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let read = self.reader.read(buffer)?;
        recent.bytes.extend(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

pub(crate) struct Rows<R> {
    table: csv::Reader<Bounded<R>>,
    read: Rc<RefCell<Recent>>,
    columns: Columns,
    record: ByteRecord,
    base: Option<Url>,
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(
        mut reader: R,
        usual: u8,
        names: &ColumnNames,
        base: Option<&Url>,
    ) -> anyhow::Result<Self> {
        let beginning = reader.fill_buf()?;
        let end = beginning
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'));
        let line = beginning.get(..end.unwrap_or(beginning.len()));
        let header = String::from_utf8_lossy(line.unwrap_or_default());
        let separator =
            separator(&header, names).filter(|found| header.contains(char::from(*found)));
        let read = Rc::<RefCell<Recent>>::default();
        let mut table = ReaderBuilder::new()
            .delimiter(separator.unwrap_or(usual))
            .trim(Trim::All)
            .from_reader(Bounded {
                reader,
                read: Rc::clone(&read),
            });
        let columns = Columns::of(table.byte_headers()?, names)?;
        Ok(Self {
            table,
            read,
            columns,
            record: ByteRecord::new(),
            base: base.cloned(),
        })
    }

    pub(super) fn unknown(&self) -> &[String] {
        &self.columns.unknown
    }

    pub(super) fn fields(&self) -> Fields {
        let names = self.columns.known.iter().flatten();
        Fields::of(names.map(|column| column.name()))
    }

    fn expected(&self) -> Option<String> {
        let mut columns = self.columns.known.iter();
        let at = columns.position(|column| *column == Some(Column::Expected))?;
        let cell = String::from_utf8_lossy(self.record.get(at)?);
        (!cell.is_empty()).then(|| cell.into_owned())
    }

    /// The beginning of the latest record, as far as anybody shows it.
    pub(super) fn line(&self) -> Vec<u8> {
        let recent = self.read.borrow();
        let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let record = recent.bytes.iter().skip_while(is_end);
        record.take(SHOWN).copied().collect()
    }

    pub(super) fn next(&mut self, name: &str) -> anyhow::Result<Option<Row>> {
        let read = self.table.read_byte_record(&mut self.record);
        if !read.map_err(|error| broken(name, &error))? {
            return Ok(None);
        }
        let position = self.record.position();
        let (byte, line) = position.map_or((0, 0), |at| (at.byte(), at.line()));
        let (byte, line) = self.read.borrow_mut().begin(byte, line);
        Ok(Some(Row {
            line,
            byte,
            entry: entry(&self.record, &self.columns.known, self.base.as_ref()),
            unknown: None,
            expected: self.expected(),
        }))
    }
}

/// The separator of a header that names the column of the URLs. `None` if no separator makes it one.
pub(super) fn separator(header: &str, names: &ColumnNames) -> Option<u8> {
    let header = header.trim_start_matches('\u{feff}');
    [b'\t', b',', b';']
        .into_iter()
        .find(|separator| {
            let is_loc = |name: &str| names.of(name.trim().trim_matches('"')) == Some(Column::Loc);
            header.split(char::from(*separator)).any(is_loc)
        })
        // A header of one column has no separator.
        .map(|found| {
            if header.contains(char::from(found)) {
                found
            } else {
                b','
            }
        })
}

#[derive(Debug)]
struct Columns {
    /// The meaning of each column; `None` for one that is ignored.
    known: Vec<Option<Column>>,
    unknown: Vec<String>,
}

impl Columns {
    /// The columns of a header. A column that occurs twice is an error; unknown ones are kept for a message.
    fn of(header: &ByteRecord, names: &ColumnNames) -> anyhow::Result<Self> {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for name in header {
            let name = String::from_utf8_lossy(name);
            let column = names.of(&name);
            if column.is_some() && known.contains(&column) {
                bail!("there are two columns `{name}`");
            }
            // The sitemap that lists the page, in what `sitemap crawl` prints.
            if column.is_none() && !name.eq_ignore_ascii_case("sitemap") {
                unknown.push(name.into_owned());
            }
            known.push(column);
        }
        if !known.contains(&Some(Column::Loc)) {
            bail!(
                "the first line must name the columns, and has no column `loc` or `url`; --column loc=NAME gives it another name"
            );
        }
        Ok(Self { known, unknown })
    }
}

/// The entry of a row, or the reason why there is none.
fn entry(
    record: &ByteRecord,
    columns: &[Option<Column>],
    base: Option<&Url>,
) -> Result<Entry, Refused> {
    let cell = |column: Column| {
        let at = columns.iter().position(|known| *known == Some(column));
        let cell = at.and_then(|at| record.get(at)).unwrap_or_default();
        utf8(cell)
    };
    let loc = cell(Column::Loc)?;
    if loc.is_empty() {
        return Err(Refused::new(Rule::MissingLoc, "there is no loc"));
    }
    if cell(Column::Kind)? == "sitemap" {
        let mut entry = SitemapEntry::try_from(loc)?;
        entry.lastmod = value(cell(Column::Lastmod)?)?;
        return Ok(Entry::Sitemap(entry));
    }
    let mut entry = page(loc, base)?;
    entry.lastmod = value(cell(Column::Lastmod)?)?;
    entry.changefreq = value(cell(Column::Changefreq)?)?;
    entry.priority = value(cell(Column::Priority)?)?;
    Ok(Entry::Url(entry))
}

/// An empty cell is an absent value.
fn value<T: FromStr<Err = Violation>>(cell: &str) -> Result<Option<T>, Refused> {
    match cell {
        "" => Ok(None),
        cell => Ok(Some(cell.parse()?)),
    }
}

/// With the line first, as everywhere.
fn broken(name: &str, error: &csv::Error) -> anyhow::Error {
    let line = error.position().map_or(0, csv::Position::line);
    let place = match line {
        0 => name.to_owned(),
        line => format!("{name}:{line}"),
    };
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => anyhow::anyhow!("{place}: {len} columns, but the first line has {expected_len}"),
        _ => anyhow::anyhow!("{place}: {error}"),
    }
}
