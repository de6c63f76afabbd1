//! Duplicates and order: what needs all pages before the first is written.
//!
//! The pages are in a temporary file. In memory there are their URLs and some 50 bytes of each.

use std::cmp::Reverse;
use std::fmt::Display;

use clap::{Args, ValueEnum};
use quick_sitemap::UrlEntry;
use quick_sitemap::chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};

use crate::disk::spool::Spool;
use crate::judge::dates;
use crate::judge::page_key::page_key;
use crate::source::pages::Place;
use crate::term::interrupt;

#[derive(Args, Debug)]
#[command(next_help_heading = "Order")]
pub(crate) struct Order {
    /// Keep one of several pages with the same URL: the one with the latest date or, if equal, the first
    ///
    /// The date is the lastmod, or the publication date of an article without lastmod. The page is written at the position of
    /// the first of them. A page with a date is preferred to one without.
    #[arg(long)]
    dedupe: bool,

    /// Sort pages by URL, byte by byte, or by lastmod, oldest first and pages without a date last; the publication date of an article counts if there is no lastmod
    #[arg(long, value_name = "KEY")]
    sort: Option<Key>,

    /// Reverse the order; pages without a date stay last
    #[arg(long, requires = "sort")]
    reverse: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Key {
    Loc,
    Lastmod,
}

/// A page as it is on the disk, and where it was listed.
#[derive(Serialize, Deserialize)]
struct Stored<E> {
    entry: E,
    /// The number of the file in a list of names.
    file: usize,
    line: u64,
}

/// A page as it is sorted.
struct Page {
    /// The key of the page.
    loc: Box<str>,
    /// Start of its date. Without one, it is less than any other.
    start: Option<DateTime<FixedOffset>>,
    /// Its number among all pages.
    number: usize,
    /// Its place on the disk.
    at: u64,
}

/// Pages that wait until all are there.
pub(crate) struct Arrangement<'o> {
    order: &'o Order,
    stored: Spool,
    pages: Vec<Page>,
    /// The names of the files that pages were listed by.
    files: Vec<String>,
}

type OnPage<'p> = dyn FnMut(UrlEntry, &dyn Display) -> anyhow::Result<()> + 'p;

impl<'o> Arrangement<'o> {
    /// `None` if pages need not wait.
    pub(crate) fn new(order: &'o Order) -> anyhow::Result<Option<Self>> {
        if !order.dedupe && order.sort.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            order,
            stored: Spool::new()?,
            pages: Vec::new(),
            files: Vec::new(),
        }))
    }

    pub(crate) fn push(&mut self, entry: &UrlEntry, place: Place<'_>) -> anyhow::Result<()> {
        if self.files.last().is_none_or(|last| last != place.file) {
            self.files.push(place.file.to_owned());
        }
        self.pages.push(Page {
            loc: page_key(&entry.loc).into(),
            start: dates::of_page(entry).map(|date| date.start()),
            number: self.pages.len(),
            at: self.stored.end,
        });
        self.stored.push(&Stored {
            entry,
            file: self.files.len() - 1,
            line: place.line,
        })
    }

    /// Passes the pages on in their order, and returns the number of duplicates that were omitted.
    pub(crate) fn finish(self, on_page: &mut OnPage<'_>) -> anyhow::Result<u64> {
        let (mut pages, all) = (self.pages, self.stored.length);
        if self.order.dedupe {
            pages.sort_unstable_by(|a, b| (&a.loc, a.number).cmp(&(&b.loc, b.number)));
            pages.dedup_by(|next, first| {
                let is_duplicate = next.loc == first.loc;
                if is_duplicate && next.start > first.start {
                    (first.start, first.at) = (next.start, next.at);
                }
                is_duplicate
            });
        }
        let is_reversed = self.order.reverse;
        match self.order.sort {
            None => pages.sort_unstable_by_key(|page| page.number),
            Some(Key::Loc) => pages.sort_unstable_by(|a, b| {
                let ordered = a.loc.cmp(&b.loc);
                turned(ordered, is_reversed).then(a.number.cmp(&b.number))
            }),
            Some(Key::Lastmod) => pages.sort_unstable_by(|a, b| {
                let undated = Reverse(a.start.is_some()).cmp(&Reverse(b.start.is_some()));
                let ordered = turned(a.start.cmp(&b.start), is_reversed);
                undated.then(ordered).then(a.number.cmp(&b.number))
            }),
        }
        let mut stored = self.stored.places(1 << 10)?;
        let duplicates = all - pages.len() as u64;
        for page in pages {
            interrupt::check()?;
            let page: Stored<UrlEntry> = stored.value(page.at)?;
            let file = self.files.get(page.file);
            let place = Place {
                file: file.map_or("", String::as_str),
                line: page.line,
            };
            on_page(page.entry, &place)?;
        }
        Ok(duplicates)
    }
}

fn turned(ordered: std::cmp::Ordering, is_reversed: bool) -> std::cmp::Ordering {
    if is_reversed {
        ordered.reverse()
    } else {
        ordered
    }
}
