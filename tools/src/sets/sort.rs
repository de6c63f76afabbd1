//! Sorting in bounded memory: sorted runs in temporary files, which are merged.
//!
//! The files have no name (the system removes them when they are closed, however the program ends), so none of them is
//! left. At most [`WIDEST`] runs have a buffer at a time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::vec;

use crate::sets::record::Record;

/// Runs that are merged at a time.
const WIDEST: usize = 32;

#[derive(Debug)]
pub(crate) struct Sorter {
    /// Bytes that the records may take.
    memory: usize,
    is_reversed: bool,
    records: Vec<Record>,
    used: usize,
    runs: Vec<Run>,
}

impl Sorter {
    /// By the keys of the records, reversed if requested, and by their numbers among equal keys.
    pub(crate) fn new(memory: usize, is_reversed: bool) -> Self {
        Self {
            memory,
            is_reversed,
            records: Vec::new(),
            used: 0,
            runs: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, record: Record) -> io::Result<()> {
        self.used += record.memory();
        self.records.push(record);
        if self.used > self.memory {
            self.spill()?;
        }
        Ok(())
    }

    /// Puts what is in memory into a file.
    fn spill(&mut self) -> io::Result<()> {
        self.used = 0;
        let records = self.in_order();
        let run = Run::write(records.map(Ok))?;
        self.runs.push(run);
        if self.runs.len() == WIDEST {
            let merge = Merge::new(std::mem::take(&mut self.runs), None, self.is_reversed)?;
            self.runs.push(Run::write(merge)?);
        }
        Ok(())
    }

    fn in_order(&mut self) -> vec::IntoIter<Record> {
        let mut records = std::mem::take(&mut self.records);
        let is_reversed = self.is_reversed;
        records.sort_unstable_by(|a, b| order(a, b, is_reversed));
        records.into_iter()
    }

    /// All records, in order.
    pub(crate) fn finish(mut self) -> io::Result<Merge> {
        let rest = self.in_order();
        Merge::new(self.runs, Some(rest), self.is_reversed)
    }
}

fn order(a: &Record, b: &Record, is_reversed: bool) -> Ordering {
    let keys = a.key.cmp(&b.key);
    let keys = if is_reversed { keys.reverse() } else { keys };
    keys.then(a.number.cmp(&b.number))
}

/// Sorted records in a file.
#[derive(Debug)]
struct Run {
    file: File,
    records: u64,
}

impl Run {
    fn write(records: impl Iterator<Item = io::Result<Record>>) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(64 << 10, tempfile::tempfile()?);
        let mut count = 0;
        for record in records {
            record?.write(&mut file)?;
            count += 1;
        }
        file.flush()?;
        let mut file = file.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(Self {
            file,
            records: count,
        })
    }
}

#[derive(Debug)]
enum Source {
    Run(BufReader<File>, u64),
    Memory(vec::IntoIter<Record>),
}

impl Source {
    fn next(&mut self) -> io::Result<Option<Record>> {
        match self {
            Self::Run(_, 0) => Ok(None),
            Self::Run(file, left) => {
                *left -= 1;
                Record::read(file).map(Some)
            }
            Self::Memory(records) => Ok(records.next()),
        }
    }
}

/// The records of several runs, in order.
#[derive(Debug)]
pub(crate) struct Merge {
    sources: Vec<Source>,
    heads: BinaryHeap<Head>,
    is_reversed: bool,
}

impl Merge {
    fn new(
        runs: Vec<Run>,
        memory: Option<vec::IntoIter<Record>>,
        is_reversed: bool,
    ) -> io::Result<Self> {
        let runs = runs
            .into_iter()
            .map(|run| Source::Run(BufReader::with_capacity(16 << 10, run.file), run.records));
        let mut merge = Self {
            sources: runs.chain(memory.map(Source::Memory)).collect(),
            heads: BinaryHeap::new(),
            is_reversed,
        };
        for source in 0..merge.sources.len() {
            merge.advance(source)?;
        }
        Ok(merge)
    }

    /// Takes in the next record of a source.
    fn advance(&mut self, source: usize) -> io::Result<()> {
        let record = match self.sources.get_mut(source) {
            Some(from) => from.next()?,
            None => None,
        };
        if let Some(record) = record {
            self.heads.push(Head {
                record,
                source,
                is_reversed: self.is_reversed,
            });
        }
        Ok(())
    }
}

impl Iterator for Merge {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        let head = self.heads.pop()?;
        Some(self.advance(head.source).map(|()| head.record))
    }
}

/// The first record of a source that is left. The greatest is the one that comes first.
#[derive(Debug)]
struct Head {
    record: Record,
    source: usize,
    is_reversed: bool,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&other.record, &self.record, self.is_reversed)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}

#[cfg(test)]
mod tests {
    use quick_sitemap::UrlEntry;

    use super::*;

    /// More runs than are merged at a time, and records that are alike.
    #[test]
    fn runs_are_merged() {
        let entry = UrlEntry::try_from("https://example.com/").unwrap();
        for (memory, is_reversed) in [(0, false), (2_000, true), (usize::MAX, false)] {
            let mut sorter = Sorter::new(memory, is_reversed);
            let mut expected = Vec::new();
            for number in 0..1_200_u64 {
                let key = (number * 7_919 % 400).to_be_bytes().to_vec();
                expected.push((key.clone(), number));
                sorter
                    .push(Record::new(key, number, 0, number, &entry).unwrap())
                    .unwrap();
            }
            expected.sort_by(|a, b| {
                if !is_reversed {
                    a.cmp(b)
                } else {
                    b.0.cmp(&a.0).then(a.1.cmp(&b.1))
                }
            });
            let sorted = sorter.finish().unwrap();
            let sorted = sorted.map(|record| {
                let record = record.unwrap();
                assert_eq!(record.entry().unwrap(), entry);
                (record.key, record.number)
            });
            assert_eq!(sorted.collect::<Vec<_>>(), expected);
        }
    }
}
