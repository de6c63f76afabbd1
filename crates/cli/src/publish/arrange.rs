//! Duplicates and order: what needs all pages before the first is written.

use std::fmt::Display;

use clap::Args;
use itertools::Itertools;
use quick_sitemap::UrlEntry;

use crate::publish::sort::{Key, Record, Sorter, Sorting};
use crate::source::pages::Place;
use crate::term::interrupt;

/// Bytes of pages that are kept in memory; more are kept in temporary files.
const MEMORY: usize = 256 << 20;

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
}

/// Pages that wait until all are there.
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
        let (memory, by, is_reversed) = match (order.dedupe, order.sort) {
            // The sort by URL puts duplicates side by side. The other half of the memory is for the second sort.
            (true, _) => (MEMORY / 2, Key::Loc, false),
            (false, Some(by)) => (MEMORY, by, order.reverse),
            (false, None) => return None,
        };
        Some(Self {
            order,
            sorter: Sorter::new(memory, Sorting { by, is_reversed }),
            files: Vec::new(),
            pages: 0,
        })
    }

    pub(crate) fn push(&mut self, entry: &UrlEntry, place: Place<'_>) -> anyhow::Result<()> {
        if self.files.last().is_none_or(|last| last != place.file) {
            self.files.push(place.file.to_owned());
        }
        let file = u32::try_from(self.files.len() - 1)?;
        let record = Record::new(entry, self.pages, file, place.line)?;
        self.pages += 1;
        self.sorter.push(record)?;
        Ok(())
    }

    /// Passes the pages on in their order, and returns the number of duplicates that were omitted.
    pub(crate) fn finish(self, on_page: &mut OnPage<'_>) -> anyhow::Result<u64> {
        let mut duplicates = 0;
        let mut sorted = self.sorter.finish();
        if self.order.dedupe {
            #[expect(clippy::result_large_err, reason = "pairs that stay are no errors")]
            let mut unique = sorted.coalesce(|held, next| match (held, next) {
                (Ok(held), Ok(mut next)) if held.loc == next.loc => {
                    duplicates += 1;
                    // Without a date it is older than any.
                    let is_newer = next.start() > held.start();
                    next.number = held.number;
                    Ok(Ok(if is_newer { next } else { held }))
                }
                pair => Err(pair),
            });
            let sorting = Sorting {
                by: self.order.sort.unwrap_or(Key::Number),
                is_reversed: self.order.reverse,
            };
            let mut again = Sorter::new(MEMORY / 2, sorting);
            unique.try_for_each(|record| {
                interrupt::check()?;
                again.push(record?)
            })?;
            drop(unique);
            sorted = again.finish();
        }
        for record in sorted {
            let record = record?;
            let file = self.files.get(record.file as usize);
            let place = Place {
                file: file.map_or("", String::as_str),
                line: record.line,
            };
            on_page(record.entry()?, &place)?;
        }
        Ok(duplicates)
    }
}
