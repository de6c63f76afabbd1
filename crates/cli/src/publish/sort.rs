//! Sorting in bounded memory: sorted runs in temporary files, which are merged.
//!
//! At most [`WIDEST`] runs have a buffer at a time.

use std::cmp::Ordering;

use clap::ValueEnum;
use itertools::Itertools;
use quick_sitemap::chrono::{DateTime, FixedOffset};
use quick_sitemap::{UrlEntry, W3cDatetime};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::disk::spool::Spool;
use crate::judge::page_key::page_key;

/// Runs that are merged at a time.
const WIDEST: usize = 32;

/// A page, what it is sorted by, and where it was listed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The key of the page.
    pub(crate) loc: String,
    lastmod: Option<W3cDatetime>,
    /// Its number among all pages, which decides between equal keys.
    pub(crate) number: u64,
    /// The file that lists it, by its place in a list of names, and the line.
    pub(crate) file: u32,
    pub(crate) line: u64,
    /// The library's JSON form.
    entry: Box<RawValue>,
}

/// Bytes of a record besides its texts, in memory.
const OVERHEAD: usize = size_of::<Record>() + 32;

impl Record {
    pub(crate) fn new(entry: &UrlEntry, number: u64, file: u32, line: u64) -> anyhow::Result<Self> {
        Ok(Self {
            loc: page_key(&entry.loc).into_owned(),
            lastmod: entry.lastmod,
            number,
            file,
            line,
            entry: to_raw_value(entry)?,
        })
    }

    /// `None`, which is less than all others, if there is no date.
    pub(crate) fn start(&self) -> Option<DateTime<FixedOffset>> {
        self.lastmod.map(W3cDatetime::start)
    }

    pub(crate) fn entry(&self) -> anyhow::Result<UrlEntry> {
        Ok(serde_json::from_str(self.entry.get())?)
    }

    fn memory(&self) -> usize {
        self.loc.capacity() + self.entry.get().len() + OVERHEAD
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Key {
    Loc,
    Lastmod,
    /// The order in which the pages came.
    #[value(skip)]
    Number,
}

/// How records are ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorting {
    pub(crate) by: Key,
    pub(crate) is_reversed: bool,
}

impl Sorting {
    /// Records with equal keys are in the order of their numbers, and those without a lastmod come last, in both
    /// directions.
    fn compare(self, a: &Record, b: &Record) -> Ordering {
        let ordered = match self.by {
            Key::Loc => a.loc.cmp(&b.loc),
            Key::Lastmod => {
                let undated = a.lastmod.is_none().cmp(&b.lastmod.is_none());
                if undated.is_ne() {
                    return undated;
                }
                a.start().cmp(&b.start())
            }
            Key::Number => Ordering::Equal,
        };
        let ordered = if self.is_reversed {
            ordered.reverse()
        } else {
            ordered
        };
        ordered.then(a.number.cmp(&b.number))
    }
}

/// Sorted records.
pub(crate) type Sorted = Box<dyn Iterator<Item = anyhow::Result<Record>>>;

pub(crate) struct Sorter {
    /// Bytes that the records may take.
    memory: usize,
    sorting: Sorting,
    records: Vec<Record>,
    used: usize,
    runs: Vec<Sorted>,
}

impl Sorter {
    pub(crate) fn new(memory: usize, sorting: Sorting) -> Self {
        Self {
            memory,
            sorting,
            records: Vec::new(),
            used: 0,
            runs: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, record: Record) -> anyhow::Result<()> {
        self.used += record.memory();
        self.records.push(record);
        if self.used > self.memory {
            let run = on_disk(self.in_memory())?;
            self.runs.push(run);
            if self.runs.len() == WIDEST {
                let merged = on_disk(self.merged())?;
                self.runs.push(merged);
            }
        }
        Ok(())
    }

    /// All records, in order.
    pub(crate) fn finish(mut self) -> Sorted {
        let rest = self.in_memory();
        self.runs.push(rest);
        self.merged()
    }

    fn in_memory(&mut self) -> Sorted {
        self.used = 0;
        let (mut records, sorting) = (std::mem::take(&mut self.records), self.sorting);
        records.sort_unstable_by(|a, b| sorting.compare(a, b));
        Box::new(records.into_iter().map(Ok))
    }

    fn merged(&mut self) -> Sorted {
        let (runs, sorting) = (std::mem::take(&mut self.runs), self.sorting);
        Box::new(runs.into_iter().kmerge_by(move |a, b| match (a, b) {
            (Ok(a), Ok(b)) => sorting.compare(a, b).is_lt(),
            (a, _) => a.is_err(),
        }))
    }
}

/// Writes sorted records to a temporary file, from which they are read.
fn on_disk(records: Sorted) -> anyhow::Result<Sorted> {
    let mut run = Spool::new()?;
    for record in records {
        run.push(&record?)?;
    }
    Ok(Box::new(run.read()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64, loc: &str, lastmod: Option<&str>) -> Record {
        let mut entry = UrlEntry::try_from(loc).unwrap();
        entry.lastmod = lastmod.map(|date| date.parse().unwrap());
        Record::new(&entry, number, 0, number).unwrap()
    }

    /// More runs than are merged at a time, and records that are alike.
    #[test]
    fn runs_are_merged() {
        for (memory, is_reversed) in [(0, false), (2_000, true), (usize::MAX, false)] {
            let by = Key::Loc;
            let mut sorter = Sorter::new(memory, Sorting { by, is_reversed });
            let mut expected = Vec::new();
            for number in 0..1_200_u64 {
                let loc = format!("https://example.com/{:03}", number * 7_919 % 400);
                expected.push((loc.clone(), number));
                sorter.push(record(number, &loc, None)).unwrap();
            }
            expected.sort_by(|a, b| {
                if !is_reversed {
                    a.cmp(b)
                } else {
                    b.0.cmp(&a.0).then(a.1.cmp(&b.1))
                }
            });
            let sorted = sorter.finish().map(|record| {
                let record = record.unwrap();
                assert_eq!(record.entry().unwrap().loc.as_str(), record.loc);
                (record.loc, record.number)
            });
            assert_eq!(sorted.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn lastmods_are_ordered_as_dates() {
        let dates = [
            "0001",
            "1969-12-31T23:59:59.5Z",
            "1970-01-01",
            "2024-03-04T05:06:07.25Z",
            "2024-03-04T05:06:07.5+00:00",
            "2024-03-04T05:06:07-01:00",
        ];
        let dated = |date: Option<&str>| record(0, "https://example.com/", date);
        for is_reversed in [false, true] {
            let by = Key::Lastmod;
            let compare = |a, b| Sorting { by, is_reversed }.compare(&dated(a), &dated(b));
            for pair in dates.windows(2) {
                let [a, b] = pair else { unreachable!() };
                assert_eq!(compare(Some(a), Some(b)).is_lt(), !is_reversed, "{a} {b}");
            }
            assert!(compare(Some("2024"), None).is_lt());
            let (utc, east) = ("2024-03-04T05:06:07Z", "2024-03-04T06:06:07+01:00");
            assert!(compare(Some(utc), Some(east)).is_eq());
        }
    }
}
