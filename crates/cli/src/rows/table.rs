//! CSV and TSV with a header.

use std::io::BufRead;

use anyhow::{Context, bail};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Rule, SitemapEntry};

use super::columns::{Column, ColumnNames};
use super::fields::Fields;
use super::lines::Lines;
use super::row::{Refused, Row, page, utf8};
use crate::term::count::Count;

/// Bytes of a record; a longer one is an error. A quotation mark without its partner makes the rest of the input one.
const LONGEST: usize = 16 << 20;

pub(super) struct Table {
    parser: Reader,
    /// The names of the columns.
    pub(super) header: Vec<String>,
    /// The meaning of each column; `None` for one that is unknown.
    columns: Vec<Option<Column>>,
    /// The cells of the latest record, one after the other.
    cells: Vec<u8>,
    /// The end of each cell. Those from `count` on are of earlier records.
    ends: Vec<usize>,
    count: usize,
    /// Bytes of the latest line that belong to earlier records, if a carriage return ends a record.
    taken: usize,
    /// The line on which the latest record begins, from there on.
    first: Vec<u8>,
    base: Option<Url>,
}

impl Table {
    /// Reads the header. Also returns the names of unknown columns.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or the header does not name the column of the URLs.
    pub(super) fn new<R: BufRead>(
        lines: &mut Lines<R>,
        usual: u8,
        names: &ColumnNames,
        base: Option<&Url>,
    ) -> anyhow::Result<(Self, Vec<String>)> {
        lines.next()?;
        let named = named_separator(&String::from_utf8_lossy(lines.latest()));
        if named.is_some() {
            lines.next()?;
        }
        let header = String::from_utf8_lossy(lines.latest());
        let found = separator(&header, names);
        let found = found.filter(|found| header.contains(char::from(*found)));
        let separator = named.or(found);
        let mut table = Self {
            parser: ReaderBuilder::new()
                .delimiter(separator.unwrap_or(usual))
                .build(),
            header: Vec::new(),
            columns: Vec::new(),
            cells: vec![0; 256],
            ends: vec![0; 16],
            count: 0,
            taken: 0,
            first: Vec::new(),
            base: base.cloned(),
        };
        table.record(lines)?;
        let mut unknown = Vec::new();
        for number in 0..table.count {
            let name = String::from_utf8_lossy(table.cell(number)).into_owned();
            let column = names.of(&name);
            if column.is_some_and(|column| table.position(column).is_some()) {
                bail!("there are two columns `{name}`");
            }
            table.columns.push(column);
            if column.is_none() {
                unknown.push(name.clone());
            }
            table.header.push(name);
        }
        if table.position(Column::Loc).is_none() {
            bail!(names.without_loc(&table.header));
        }
        Ok((table, unknown))
    }

    pub(super) fn fields(&self) -> Fields {
        Fields::of(self.columns.iter().flatten().map(|column| column.name()))
    }

    /// The line on which the latest record begins.
    pub(super) fn first_line(&self) -> &[u8] {
        &self.first
    }

    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        name: &str,
    ) -> anyhow::Result<Option<Row>> {
        let rest = lines.latest().get(self.taken..).unwrap_or_default();
        if rest.trim_ascii().is_empty() {
            self.taken = 0;
            let next = lines.next().with_context(|| name.to_owned())?;
            if next.is_none() {
                return Ok(None);
            }
        }
        let (line, byte) = (lines.number, lines.byte + self.taken as u64);
        self.record(lines)
            .with_context(|| format!("{name}:{line}"))?;
        // Lines may be lost in a record of several lines.
        if let Some(why) = self.misfit().filter(|_| lines.number > line) {
            bail!("{name}:{line}: {why}; is a quotation mark missing?");
        }
        let expected = self
            .of(Column::Expected)
            .ok()
            .filter(|cell| !cell.is_empty());
        Ok(Some(Row {
            line,
            byte,
            entry: self.entry(),
            expected: expected.map(str::to_owned),
        }))
    }

    /// Splits the record at the latest line into its cells, and reads the further lines that it has.
    fn record<R: BufRead>(&mut self, lines: &mut Lines<R>) -> anyhow::Result<()> {
        let (mut size, mut end) = (0, 0);
        self.count = 0;
        self.first.clear();
        let first = lines.latest().get(self.taken..).unwrap_or_default();
        self.first.extend_from_slice(first);
        loop {
            let input = lines.latest().get(self.taken..).unwrap_or_default();
            let cells = self.cells.get_mut(end..).unwrap_or_default();
            let ends = self.ends.get_mut(self.count..).unwrap_or_default();
            let (result, taken, written, ended) = self.parser.read_record(input, cells, ends);
            self.taken += taken;
            end += written;
            self.count += ended;
            match result {
                ReadRecordResult::OutputFull => self.cells.resize(2 * self.cells.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record | ReadRecordResult::End => return Ok(()),
                // The end of a line within quotation marks, or of the input.
                ReadRecordResult::InputEmpty => {
                    size += lines.latest().len();
                    if size > LONGEST {
                        bail!("a record is longer than 16 MiB; is a quotation mark missing?");
                    }
                    self.taken = 0;
                    lines.read()?;
                }
            }
        }
    }

    /// A cell of the latest record; empty if there is none.
    fn cell(&self, number: usize) -> &[u8] {
        let begin = number
            .checked_sub(1)
            .map_or(Some(&0), |before| self.ends.get(before));
        let range = begin.zip(self.ends.get(number));
        let cell = range.and_then(|(begin, end)| self.cells.get(*begin..*end));
        cell.unwrap_or_default().trim_ascii()
    }

    fn position(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|own| *own == Some(column))
    }

    fn of(&self, column: Column) -> Result<&str, Refused> {
        utf8(
            self.position(column)
                .map_or(b"", |number| self.cell(number)),
        )
    }

    /// Why the latest record is not a row of the table.
    fn misfit(&self) -> Option<String> {
        let (own, all) = (self.count, self.columns.len());
        let own = (own != all).then_some(Count(own as u64, "column"))?;
        let why = "a value that contains the separator needs quotation marks";
        Some(format!("{own}, but the first line has {all}; {why}"))
    }

    /// The entry of the latest record, or the reason why there is none.
    fn entry(&self) -> Result<Entry, Refused> {
        if let Some(why) = self.misfit() {
            return Err(Refused { rule: None, why });
        }
        let loc = self.of(Column::Loc)?;
        if loc.is_empty() {
            return Err(Refused::new(Rule::MissingLoc, "there is no loc"));
        }
        let mut entry = match self.of(Column::Kind)? {
            "sitemap" => Entry::Sitemap(SitemapEntry::try_from(loc)?),
            _ => Entry::Url(page(loc, self.base.as_ref())?),
        };
        for (number, column) in self.columns.iter().enumerate() {
            let cell = self.cell(number);
            if let Some(column) = column
                && !cell.is_empty()
            {
                column.set(&mut entry, utf8(cell)?)?;
            }
        }
        Ok(entry)
    }
}

/// The separator that a line before the header names for spreadsheets, `sep=;`.
fn named_separator(line: &str) -> Option<u8> {
    let line = line.trim_matches(['\n', '\r', '"', '\u{feff}']);
    let (name, separator) = line.split_at_checked("sep=".len())?;
    match separator.as_bytes() {
        [separator] if name.eq_ignore_ascii_case("sep=") => Some(*separator),
        _ => None,
    }
}

/// The separator of a header that names the column of the URLs. `None` if no separator makes it one.
pub(super) fn separator(header: &str, names: &ColumnNames) -> Option<u8> {
    let is_loc = |name: &str| names.of(name.trim().trim_matches('"')) == Some(Column::Loc);
    let makes_it_one = |separator: &u8| header.split(char::from(*separator)).any(is_loc);
    // A header of one column has no separator.
    let is_alone = is_loc(header).then_some(b',');
    let known = named_separator(header).or(is_alone);
    known.or_else(|| [b'\t', b',', b';'].into_iter().find(makes_it_one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_name_the_separator() {
        for (line, expected) in [
            ("sep=;\r\n", Some(b';')),
            ("\u{feff}\"sep=,\"\n", Some(b',')),
            ("SEP=\t", Some(b'\t')),
            ("sep=\n", None),
            ("sep=loc", None),
            ("loc;lastmod", None),
        ] {
            assert_eq!(named_separator(line), expected, "{line:?}");
        }
    }
}
