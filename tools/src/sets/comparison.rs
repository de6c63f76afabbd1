//! Two sets of pages, compared.
//!
//! The pages are in a temporary file. In memory there are 32 bytes of each: a hash of its URL, a hash of all of it, and
//! its place in the file; with the table that finds them, a million pages take some 50 MB. The table is made when the pages
//! of A are complete. Most pages of B follow the same page as in A, so that they are found without it.

mod indexnow;
mod print;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};

use anyhow::Context;
use quick_sitemap::{Entry, UrlEntry, W3cDatetime};

pub(crate) use self::indexnow::Key;
pub(crate) use self::print::DiffFormat;
use crate::rows::Fields;
use crate::sets::digest::{Digest, Digester};
use crate::term::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    A,
    B,
}

impl Which {
    /// The name of the pages that are missing on this side only.
    pub(crate) fn label_of_missing(self) -> &'static str {
        match self {
            Self::A => "added",
            Self::B => "removed",
        }
    }
}

/// A page that was listed.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Hash of the URL.
    key: Digest,
    /// Hash of the complete line.
    values: u64,
    /// Start of the line in the file, above the two bits of the sides.
    at: u64,
}

impl Known {
    const IN_A: u64 = 1;
    const IN_B: u64 = 2;
    const BITS: u32 = 2;

    fn at(&self) -> u64 {
        self.at >> Self::BITS
    }

    fn is_in(&self, side: u64) -> bool {
        self.at & side != 0
    }

    /// The page was listed before.
    fn is_repeated(&self) -> bool {
        !self.is_in(Self::IN_A | Self::IN_B)
    }
}

/// The pages by the digests of their URLs: a table with open addressing, which takes half the memory of a map that holds
/// the pages themselves.
#[derive(Debug)]
struct Index {
    pages: Vec<Known>,
    /// Places in `pages`, or [`Self::FREE`]. The length is a power of two, and at most half of them are taken. Empty while the
    /// pages of A are added.
    slots: Vec<u32>,
    /// The page after the one that was found last.
    next: usize,
}

impl Index {
    const FREE: u32 = u32::MAX;

    /// The slot of the page with this key, or the free one that it would take.
    fn slot(&mut self, key: &Digest) -> Option<&mut u32> {
        let mask = self.slots.len().checked_sub(1)?;
        // The key is a hash already.
        let mut at = key[0] as usize & mask;
        loop {
            let page = self
                .slots
                .get(at)
                .and_then(|slot| self.pages.get(*slot as usize));
            match page {
                Some(page) if page.key != *key => at = (at + 1) & mask,
                _ => return self.slots.get_mut(at),
            }
        }
    }

    /// The number of the page with this key.
    fn find(&mut self, key: &Digest) -> Option<usize> {
        let is_next = |page: &&Known| page.key == *key && !page.is_repeated();
        let number = match self.pages.get(self.next).filter(is_next) {
            Some(_) => self.next,
            None => *self.slot(key)? as usize,
        };
        if number >= self.pages.len() {
            return None;
        }
        self.next = number + 1;
        Some(number)
    }

    /// Adds a page, which is not there yet if there is a table.
    fn push(&mut self, page: Known) -> anyhow::Result<()> {
        self.pages.push(page);
        if self.slots.is_empty() {
            return Ok(());
        }
        if self.pages.len() > self.slots.len() / 2 {
            return self.make_table().map(drop);
        }
        let number = number(self.pages.len() - 1)?;
        if let Some(slot) = self.slot(&page.key) {
            *slot = number;
        }
        Ok(())
    }

    /// Makes the table, and returns the number of pages that are there twice. Only the first of them stays in it.
    fn make_table(&mut self) -> anyhow::Result<u64> {
        let slots = (self.pages.len() * 2).next_power_of_two().max(1 << 10);
        self.slots = vec![Self::FREE; slots];
        let mut repeated = 0;
        for place in 0..self.pages.len() {
            let number = number(place)?;
            let Some(page) = self.pages.get(place).copied() else {
                continue;
            };
            match self.slot(&page.key) {
                Some(slot) if *slot == Self::FREE => *slot = number,
                _ if page.is_repeated() => {}
                _ => {
                    repeated += 1;
                    if let Some(page) = self.pages.get_mut(place) {
                        page.at &= !(Known::IN_A | Known::IN_B);
                    }
                }
            }
        }
        Ok(repeated)
    }
}

fn number(place: usize) -> anyhow::Result<u32> {
    let number = u32::try_from(place).ok();
    let number = number.filter(|number| *number != Index::FREE);
    number.context("there are more than 4,294,967,294 pages")
}

#[derive(Debug)]
pub(crate) struct Comparison {
    file: BufWriter<File>,
    length: u64,
    digester: Digester,
    pages: Index,
    added: Vec<u64>,
    changed: Vec<(u64, u64)>,
    same: u64,
    repeated_in_a: u64,
    repeated_in_b: u64,
    newest_in_b: Option<W3cDatetime>,
}

impl Comparison {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let file = tempfile::tempfile().context("a temporary file")?;
        Ok(Self {
            file: BufWriter::with_capacity(64 << 10, file),
            length: 0,
            digester: Digester::default(),
            pages: Index {
                pages: Vec::new(),
                slots: Vec::new(),
                next: 0,
            },
            added: Vec::new(),
            changed: Vec::new(),
            same: 0,
            repeated_in_a: 0,
            repeated_in_b: 0,
            newest_in_b: None,
        })
    }

    /// All pages of A come before those of B.
    pub(crate) fn add(&mut self, which: Which, mut page: UrlEntry) -> anyhow::Result<()> {
        if which == Which::B
            && let Some(lastmod) = page.lastmod
            && self.newest_in_b.is_none_or(|newest| lastmod > newest)
        {
            self.newest_in_b = Some(lastmod);
        }
        // They are a set, and some generators write them in another order each time.
        page.alternates
            .sort_by(|a, b| (&a.hreflang, a.href.as_str()).cmp(&(&b.hreflang, b.href.as_str())));
        let key = self.digester.of(page.loc.as_str());
        let line = json::text(&Entry::Url(page))?;
        let values = self.digester.word(&line);
        let known = match which {
            // Pages that A lists twice are found when the table is made.
            Which::A => None,
            Which::B => {
                self.end_a()?;
                let number = self.pages.find(&key);
                number.and_then(|number| self.pages.pages.get_mut(number))
            }
        };
        match known {
            None => {
                let side = match which {
                    Which::A => Known::IN_A,
                    Which::B => {
                        self.added.push(self.length);
                        Known::IN_B
                    }
                };
                self.pages.push(Known {
                    key,
                    values,
                    at: self.length << Known::BITS | side,
                })?;
            }
            Some(known) if known.is_in(Known::IN_B) => {
                self.repeated_in_b += 1;
                return Ok(());
            }
            Some(known) => {
                known.at |= Known::IN_B;
                if known.values == values {
                    self.same += 1;
                    return Ok(());
                }
                self.changed.push((known.at(), self.length));
            }
        }
        self.file
            .write_all(line.as_bytes())
            .context("a temporary file")?;
        self.file.write_all(b"\n").context("a temporary file")?;
        self.length += line.len() as u64 + 1;
        Ok(())
    }

    /// All pages of A have been added.
    fn end_a(&mut self) -> anyhow::Result<()> {
        if self.pages.slots.is_empty() {
            self.repeated_in_a = self.pages.make_table()?;
        }
        Ok(())
    }

    /// A page that differs in none of these fields is the same.
    pub(crate) fn finish(mut self, fields: Fields) -> anyhow::Result<Differences> {
        self.end_a()?;
        let is_removed = |known: &&Known| known.is_in(Known::IN_A) && !known.is_in(Known::IN_B);
        let pages = self.pages.pages.iter();
        // They are in the order of A.
        let removed: Vec<u64> = pages.filter(is_removed).map(Known::at).collect();
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        let mut lines = Lines {
            file: BufReader::with_capacity(4 << 10, file.context("a temporary file")?),
        };
        let in_both = self.same + self.changed.len() as u64;
        let mut changed = self.changed;
        if !fields.is_all() {
            for (before, after) in std::mem::take(&mut changed) {
                let (old, new) = (lines.at(before)?, lines.at(after)?);
                if new.changed_fields(&old, fields).next().is_some() {
                    changed.push((before, after));
                }
            }
        }
        Ok(Differences {
            added: self.added.len() as u64,
            removed: removed.len() as u64,
            changed: changed.len() as u64,
            same: in_both - changed.len() as u64,
            repeated_in_a: self.repeated_in_a,
            repeated_in_b: self.repeated_in_b,
            newest_in_b: self.newest_in_b,
            fields,
            lines,
            removed_at: removed,
            added_at: self.added,
            changed_at: changed,
        })
    }
}

pub(crate) struct Differences {
    pub(crate) added: u64,
    pub(crate) removed: u64,
    pub(crate) changed: u64,
    pub(crate) same: u64,
    /// Entries of A for a page that A has listed before.
    pub(crate) repeated_in_a: u64,
    pub(crate) repeated_in_b: u64,
    /// The latest lastmod of B.
    pub(crate) newest_in_b: Option<W3cDatetime>,
    /// The fields that were compared.
    fields: Fields,
    pub(crate) lines: Lines,
    /// In the order of A.
    pub(crate) removed_at: Vec<u64>,
    /// In the order of B.
    pub(crate) added_at: Vec<u64>,
    /// In the order of B.
    pub(crate) changed_at: Vec<(u64, u64)>,
}

impl Differences {
    pub(crate) fn is_empty(&self) -> bool {
        self.added + self.removed + self.changed == 0
    }
}

/// The library's form of a page.
pub(crate) struct PageLine {
    json: String,
    fields: serde_json::Map<String, serde_json::Value>,
}

impl PageLine {
    /// In the library's order of fields.
    pub(crate) fn json(&self) -> &str {
        self.json.trim_end()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&serde_json::Value> {
        self.fields.get(name)
    }

    pub(crate) fn loc(&self) -> &str {
        self.field("loc")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
    }

    /// The names of what differs, among these fields.
    fn changed_fields(&self, old: &Self, fields: Fields) -> impl Iterator<Item = &'static str> {
        fields
            .names()
            .filter(move |name| self.field(name) != old.field(name))
    }
}

/// The pages that were kept.
pub(crate) struct Lines {
    file: BufReader<File>,
}

impl Lines {
    /// Reads the page that is stored at this place of the temporary file.
    pub(crate) fn at(&mut self, place: u64) -> anyhow::Result<PageLine> {
        let read = |file: &mut BufReader<File>| {
            // Most lines follow one another.
            let here = file.stream_position()?;
            match i64::try_from(place).ok().zip(i64::try_from(here).ok()) {
                Some((place, here)) => file.seek_relative(place - here)?,
                None => drop(file.seek(SeekFrom::Start(place))?),
            }
            let mut json = String::new();
            file.read_line(&mut json)?;
            io::Result::Ok(json)
        };
        let json = read(&mut self.file).context("a temporary file")?;
        let fields = serde_json::from_str(&json)?;
        Ok(PageLine { json, fields })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More pages than the first table has slots, and half of them twice.
    #[test]
    fn pages_are_found_in_a_table_that_grows() {
        let page = |number: u32| {
            UrlEntry::try_from(format!("https://example.com/{number}").as_str()).unwrap()
        };
        let mut comparison = Comparison::new().unwrap();
        for number in 0..5_000 {
            comparison.add(Which::A, page(number)).unwrap();
        }
        comparison.add(Which::A, page(7)).unwrap();
        for number in 2_500..6_000 {
            let mut page = page(number);
            if number % 10 == 0 {
                page.lastmod = Some("2024".parse().unwrap());
            }
            comparison.add(Which::B, page).unwrap();
        }
        comparison.add(Which::B, page(2_501)).unwrap();
        let found = comparison.finish(Fields::ALL).unwrap();
        let counts = (found.removed, found.added, found.changed, found.same);
        assert_eq!(counts, (2_500, 1_000, 250, 2_250));
        assert_eq!((found.repeated_in_a, found.repeated_in_b), (1, 1));
    }
}
