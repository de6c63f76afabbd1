//! Two sets of pages, compared.
//!
//! The pages are in a temporary file. In memory there are 32 bytes of each (some 60 with the table that finds them): a hash
//! of its URL, a hash of all of it, and its place in the file.

mod indexnow;
mod print;

use std::collections::HashMap;

use anyhow::Context;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexMap;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::{Entry, UrlEntry, W3cDatetime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(crate) use self::indexnow::Key;
pub(crate) use self::print::DiffFormat;
use crate::disk::spool::{Places, Spool};
use crate::judge::dates;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::page_key;
use crate::rows::Fields;
use crate::source::account::Asked;
use crate::term::address::hide_login;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    A = 1,
    B = 2,
}

/// A page that was listed.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Hash of the line without its loc.
    values: u64,
    /// Start of the line in the file, above the two bits of the sides.
    at: u64,
}

impl Known {
    const BITS: u32 = 2;

    fn at(&self) -> u64 {
        self.at >> Self::BITS
    }

    fn is_in(&self, which: Which) -> bool {
        self.at & which as u64 != 0
    }
}

#[derive(Debug)]
pub(crate) struct Comparison {
    lines: Spool,
    digester: Digester,
    /// By the hashes of their URLs, in the order in which they were first listed.
    pages: IndexMap<Digest, Known, DefaultHashBuilder>,
    /// The place after the page that was found last: most pages of B follow the same page as in A, and need no search.
    next: usize,
    added: Vec<u64>,
    changed: Vec<(u64, u64)>,
    /// Fields that were dropped from a page on one side, which cannot be compared.
    unknown: HashMap<Digest, Fields>,
    seen: Seen,
    /// The moment that dates are judged at.
    now: DateTime<Utc>,
}

/// What is counted while the pages are read.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) same: u64,
    /// Entries of A for a page that A has listed before.
    pub(crate) repeated_in_a: u64,
    pub(crate) repeated_in_b: u64,
    /// The latest lastmod of B, except for dates that cannot be true.
    pub(crate) newest_in_b: Option<W3cDatetime>,
    /// A later date of B that cannot be true.
    pub(crate) implausible_in_b: Option<W3cDatetime>,
    /// Pages on both sides of which a field is not compared, because its value could not be used.
    pub(crate) partly_compared: u64,
    /// Such fields of the changed pages, by the place of the new one.
    unknown_at: HashMap<u64, Fields>,
}

impl Seen {
    /// The fields that can be compared of the changed page at that place.
    fn known(&self, fields: Fields, after: u64) -> Fields {
        let unknown = self.unknown_at.get(&after).copied();
        fields.without(unknown.unwrap_or(Fields::NONE))
    }
}

impl Comparison {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            lines: Spool::new()?,
            digester: Digester::default(),
            pages: IndexMap::default(),
            next: 0,
            added: Vec::new(),
            changed: Vec::new(),
            unknown: HashMap::new(),
            seen: Seen::default(),
            now: std::time::SystemTime::now().into(),
        })
    }

    /// All pages of A come before those of B. `dropped` are the fields whose values could not be used.
    pub(crate) fn add(
        &mut self,
        which: Which,
        mut page: UrlEntry,
        dropped: Fields,
    ) -> anyhow::Result<()> {
        let seen = &mut self.seen;
        let date = dates::of_page(&page);
        if which == Which::B && date > seen.newest_in_b {
            seen.newest_in_b = dates::plausible_of_page(&page, self.now).or(seen.newest_in_b);
            if seen.newest_in_b != date {
                seen.implausible_in_b = date;
            }
        }
        page.urls_mut().for_each(hide_login);
        // They are a set, and some generators write them in another order each time.
        page.alternates
            .sort_by(|a, b| (&a.hreflang, a.href.as_str()).cmp(&(&b.hreflang, b.href.as_str())));
        let key = self.digester.of(&page_key(&page.loc));
        let line = self.lines.line(&Entry::Url(page))?;
        let values = self.digester.word(behind_loc(line));
        let before = self.mark(key, values, which)?;
        if before.is_in(which) {
            match which {
                Which::A => self.seen.repeated_in_a += 1,
                Which::B => self.seen.repeated_in_b += 1,
            }
            return Ok(());
        }
        let unknown = self.unknown(key, dropped);
        if before.is_in(Which::A) {
            self.seen.partly_compared += u64::from(unknown != Fields::NONE);
            if before.values == values {
                self.seen.same += 1;
                return Ok(());
            }
            if unknown != Fields::NONE {
                self.seen.unknown_at.insert(self.lines.end, unknown);
            }
            self.changed.push((before.at(), self.lines.end));
        } else if which == Which::B {
            self.added.push(self.lines.end);
        }
        self.lines.add()
    }

    /// The fields of the page that cannot be compared.
    fn unknown(&mut self, key: Digest, dropped: Fields) -> Fields {
        let known = self.unknown.get(&key).copied().unwrap_or(Fields::NONE);
        if dropped == Fields::NONE {
            return known;
        }
        let all = known.either(dropped);
        self.unknown.insert(key, all);
        all
    }

    /// Marks the page as one of the side. Returns what was known of it before.
    fn mark(&mut self, key: Digest, values: u64, which: Which) -> anyhow::Result<Known> {
        let place = match self.pages.get_index(self.next) {
            Some((next, _)) if *next == key => self.next,
            _ => {
                let entry = self.pages.entry(key);
                let place = entry.index();
                entry.or_insert(Known {
                    values,
                    at: self.lines.end << Known::BITS,
                });
                place
            }
        };
        self.next = place + 1;
        let (_, known) = (self.pages.get_index_mut(place)).context("a page is missing")?;
        let before = *known;
        known.at |= which as u64;
        Ok(before)
    }

    /// A page that differs in none of these fields is the same. The licences of A and of B: only what everything that was
    /// asked for lacks is added or removed.
    pub(crate) fn finish(
        self,
        fields: Fields,
        licences: [Option<Asked>; 2],
    ) -> anyhow::Result<Differences> {
        let is_removed = |known: &&Known| known.is_in(Which::A) && !known.is_in(Which::B);
        let pages = self.pages.values();
        // They are in the order of A.
        let removed: Vec<u64> = pages.filter(is_removed).map(Known::at).collect();
        let mut lines = self.lines.places(4 << 10)?;
        let (mut seen, mut changed) = (self.seen, self.changed);
        if !fields.is_all() || !seen.unknown_at.is_empty() {
            for (before, after) in std::mem::take(&mut changed) {
                let old: PageLine = lines.value(before)?;
                let new: PageLine = lines.value(after)?;
                let fields = seen.known(fields, after);
                match new.changed_fields(&old, fields).next() {
                    Some(_) => changed.push((before, after)),
                    None => seen.same += 1,
                }
            }
        }
        Ok(Differences {
            only_in_b: self.added.len() as u64,
            only_in_a: removed.len() as u64,
            changed: changed.len() as u64,
            seen,
            licences,
            fields,
            lines,
            removed_at: removed,
            added_at: self.added,
            changed_at: changed,
        })
    }
}

/// The end of the line of a page, after its loc, of which another spelling is no change.
fn behind_loc(line: &[u8]) -> &[u8] {
    let loc = line.get(br#"{"type":"url","loc":""#.len()..);
    let loc = loc.unwrap_or(line);
    // No URL has a quotation mark.
    let end = memchr::memchr(b'"', loc).unwrap_or(0);
    loc.get(end..).unwrap_or(loc)
}

pub(crate) struct Differences {
    pub(crate) only_in_b: u64,
    pub(crate) only_in_a: u64,
    pub(crate) changed: u64,
    pub(crate) seen: Seen,
    licences: [Option<Asked>; 2],
    /// The fields that were compared.
    pub(crate) fields: Fields,
    pub(crate) lines: Places,
    /// In the order of A.
    pub(crate) removed_at: Vec<u64>,
    /// In the order of B.
    pub(crate) added_at: Vec<u64>,
    /// In the order of B.
    pub(crate) changed_at: Vec<(u64, u64)>,
}

impl Differences {
    /// Pages that B lacks, if all of B was read.
    pub(crate) fn removed(&self) -> Option<u64> {
        let [_, b] = &self.licences;
        b.as_ref().map(|_| self.only_in_a)
    }

    /// Pages that A lacks, if all of A was read.
    pub(crate) fn added(&self) -> Option<u64> {
        let [a, _] = &self.licences;
        a.as_ref().map(|_| self.only_in_b)
    }

    /// Returns `true` if both sides were read whole, and have the same pages.
    pub(crate) fn are_none(&self) -> bool {
        (self.added(), self.removed(), self.changed) == (Some(0), Some(0), 0)
    }

    /// Pages of both sides: without one, nothing was compared.
    pub(crate) fn pages(&self) -> u64 {
        self.only_in_a + self.only_in_b + self.changed + self.seen.same
    }
}

/// The library's form of a page, in its order of fields.
#[derive(Deserialize, Serialize)]
pub(crate) struct PageLine(Map<String, Value>);

impl PageLine {
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn loc(&self) -> &str {
        self.field("loc")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The names of what differs, among these fields.
    fn changed_fields(&self, old: &Self, fields: Fields) -> impl Iterator<Item = &'static str> {
        fields
            .names()
            .filter(move |name| self.field(name) != old.field(name))
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
            comparison
                .add(Which::A, page(number), Fields::NONE)
                .unwrap();
        }
        comparison.add(Which::A, page(7), Fields::NONE).unwrap();
        for number in 2_500..6_000 {
            let mut page = page(number);
            if number % 10 == 0 {
                page.lastmod = Some("2024".parse().unwrap());
            }
            comparison.add(Which::B, page, Fields::NONE).unwrap();
        }
        comparison.add(Which::B, page(2_501), Fields::NONE).unwrap();
        let found = comparison.finish(Fields::ALL, [None, None]).unwrap();
        let counts = (
            found.only_in_a,
            found.only_in_b,
            found.changed,
            found.seen.same,
        );
        assert_eq!(counts, (2_500, 1_000, 250, 2_250));
        assert_eq!((found.added(), found.removed()), (None, None));
        let seen = found.seen;
        assert_eq!((seen.repeated_in_a, seen.repeated_in_b), (1, 1));
    }
}
