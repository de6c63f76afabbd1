//! Duplicates and order: what needs all pages before the first is written.

use std::fmt::Display;
use std::io;

use clap::{Args, ValueEnum};
use quick_sitemap::{UrlEntry, W3cDatetime};

use crate::sets::record::Record;
use crate::sets::sort::{Merge, Sorter};
use crate::source::pages::Place;
use crate::term::interrupt;

#[derive(Args, Debug)]
#[command(next_help_heading = "Order")]
pub(crate) struct Order {
    /// Keep one of several pages with the same URL: the one with the latest lastmod or, if equal, the first
    ///
    /// It is written at the position of the first of them. A page with a lastmod is preferred to one without.
    #[arg(long)]
    dedupe: bool,

    /// Sort pages by URL, byte by byte, or by lastmod, oldest first and pages without a lastmod last
    #[arg(long, value_name = "KEY")]
    sort: Option<Key>,

    /// Reverse the order; pages without lastmod stay last
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Memory that --sort and --dedupe can use, in MiB; pages beyond that are kept in temporary files
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Key {
    Loc,
    Lastmod,
}

/// Pages that wait until all are there.
#[derive(Debug)]
pub(crate) struct Arrangement<'o> {
    order: &'o Order,
    sorter: Sorter,
    /// The names of the files that pages were listed by.
    files: Vec<String>,
    pages: u64,
}

type OnPage<'p> = dyn FnMut(UrlEntry, &dyn Display) -> anyhow::Result<()> + 'p;

impl<'o> Arrangement<'o> {
    /// `None` if pages need not wait.
    pub(crate) fn new(order: &'o Order) -> Option<Self> {
        let memory = memory(order);
        let sorter = match order {
            // The sort by URL, forwards or backwards, puts duplicates side by side.
            Order {
                dedupe: true,
                sort,
                reverse,
                ..
            } => {
                let is_reversed = *sort == Some(Key::Loc) && *reverse;
                // The other half is for the second sort.
                Sorter::new(memory / 2, is_reversed)
            }
            Order {
                sort: Some(Key::Loc),
                reverse,
                ..
            } => Sorter::new(memory, *reverse),
            // The key has its direction in it.
            Order {
                sort: Some(Key::Lastmod),
                ..
            } => Sorter::new(memory, false),
            Order { sort: None, .. } => return None,
        };
        Some(Self {
            order,
            sorter,
            files: Vec::new(),
            pages: 0,
        })
    }

    /// Adds a page with the key that it is sorted by.
    pub(crate) fn push(&mut self, entry: &UrlEntry, place: Place<'_>) -> anyhow::Result<()> {
        if self.files.last().is_none_or(|last| last != place.file) {
            self.files.push(place.file.to_owned());
        }
        let file = u32::try_from(self.files.len() - 1)?;
        let key = match self.order.sort {
            Some(Key::Lastmod) if !self.order.dedupe => {
                lastmod_key(entry.lastmod, self.order.reverse)
            }
            _ => entry.loc.as_str().as_bytes().to_vec(),
        };
        let record = Record::new(key, self.pages, file, place.line, entry)?;
        self.pages += 1;
        self.sorter.push(record)?;
        Ok(())
    }

    /// Returns the pages in their order, and the number of duplicates that were omitted.
    pub(crate) fn finish(self, on_page: &mut OnPage<'_>) -> anyhow::Result<u64> {
        let Self {
            order,
            sorter,
            files,
            ..
        } = self;
        let sorted = sorter.finish()?;
        if !order.dedupe {
            give(sorted, &files, on_page)?;
            return Ok(0);
        }
        let mut unique = Unique {
            sorted,
            held: None,
            duplicates: 0,
        };
        if order.sort == Some(Key::Loc) {
            give(unique.by_ref(), &files, on_page)?;
        } else {
            let mut again = Sorter::new(memory(order) / 2, false);
            for record in unique.by_ref() {
                interrupt::check()?;
                let mut record = record?;
                record.key = match order.sort {
                    Some(_) => lastmod_key(record.entry()?.lastmod, order.reverse),
                    None => Vec::new(),
                };
                again.push(record)?;
            }
            give(again.finish()?, &files, on_page)?;
        }
        Ok(unique.duplicates)
    }
}

fn memory(order: &Order) -> usize {
    usize::try_from(order.memory << 20).unwrap_or(usize::MAX)
}

/// Passes the pages on in their new order, each with the place where it was read.
fn give(
    records: impl Iterator<Item = io::Result<Record>>,
    files: &[String],
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<()> {
    for record in records {
        let record = record?;
        let name = files.get(record.file as usize);
        let place = Place {
            file: name.map_or("", String::as_str),
            line: record.line,
        };
        on_page(record.entry()?, &place)?;
    }
    Ok(())
}

/// Ordered as dates are, those that are absent last, in both directions.
fn lastmod_key(lastmod: Option<W3cDatetime>, is_reversed: bool) -> Vec<u8> {
    let Some(start) = lastmod.map(W3cDatetime::start) else {
        return vec![1];
    };
    // With the sign bit turned, negative numbers come before positive ones.
    let seconds = (start.timestamp() as u64) ^ (1 << 63);
    let nanos = start.timestamp_subsec_nanos();
    let mut key = vec![0];
    key.extend_from_slice(&seconds.to_be_bytes());
    key.extend_from_slice(&nanos.to_be_bytes());
    if is_reversed {
        key.iter_mut().skip(1).for_each(|byte| *byte = !*byte);
    }
    key
}

/// Keeps the page of each URL that was modified last, in the place of the first. The pages are sorted by URL.
struct Unique {
    sorted: Merge,
    held: Option<Record>,
    duplicates: u64,
}

impl Iterator for Unique {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        loop {
            let next = match self.sorted.next() {
                None => return self.held.take().map(Ok),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(next)) => next,
            };
            let Some(held) = &mut self.held else {
                self.held = Some(next);
                continue;
            };
            if held.key != next.key {
                return self.held.replace(next).map(Ok);
            }
            self.duplicates += 1;
            match is_newer(&next, held) {
                Ok(false) => {}
                Ok(true) => {
                    let number = held.number;
                    *held = next;
                    held.number = number;
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn is_newer(next: &Record, held: &Record) -> io::Result<bool> {
    let start =
        |record: &Record| Ok::<_, io::Error>(record.entry()?.lastmod.map(W3cDatetime::start));
    // `None` is less than any date.
    Ok(start(next)? > start(held)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_dates() {
        let dates = [
            "0001",
            "1969-12-31T23:59:59.5Z",
            "1970-01-01",
            "2024-03-04T05:06:07.25Z",
            "2024-03-04T05:06:07.5+00:00",
            "2024-03-04T05:06:07-01:00",
        ];
        let key = |date: &str, reverse| lastmod_key(Some(date.parse().unwrap()), reverse);
        for pair in dates.windows(2) {
            let [a, b] = pair else { unreachable!() };
            assert!(key(a, false) < key(b, false), "{a} {b}");
            assert!(key(a, true) > key(b, true), "{a} {b}");
        }
        for reverse in [false, true] {
            assert!(lastmod_key(None, reverse) > key("2024", reverse));
        }
        let utc = key("2024-03-04T05:06:07Z", false);
        assert_eq!(key("2024-03-04T06:06:07+01:00", false), utc);
    }
}
