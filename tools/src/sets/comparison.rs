//! Two sets of pages, compared.
//!
//! The pages lie in a temporary file. In memory there are 40 bytes of each: a hash of its URL, a hash of all of it, and
//! where it lies; with what a hash map needs, a million pages take some 130 MB at most.

use std::collections::hash_map::Entry as Slot;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};

use anyhow::Context;
use quick_sitemap::{Entry, UrlEntry, W3cDatetime};

use crate::sets::digest::{DigestMap, Digester};
use crate::term::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    A,
    B,
}

impl Which {
    /// What pages would be called that are missing here only.
    pub(crate) fn mistaken(self) -> &'static str {
        match self {
            Self::A => "added",
            Self::B => "removed",
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Known {
    /// In the file.
    at: u64,
    /// Of the whole line.
    values: u64,
    in_a: bool,
    in_b: bool,
}

#[derive(Debug)]
pub(crate) struct Comparison {
    file: BufWriter<File>,
    length: u64,
    digester: Digester,
    pages: DigestMap<Known>,
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
            pages: DigestMap::default(),
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
        let [values, _] = self.digester.of(&line);
        let new = Known {
            at: self.length,
            values,
            in_a: which == Which::A,
            in_b: which == Which::B,
        };
        match (self.pages.entry(key), which) {
            (Slot::Vacant(slot), Which::A) => {
                slot.insert(new);
            }
            (Slot::Vacant(slot), Which::B) => {
                self.added.push(new.at);
                slot.insert(new);
            }
            (Slot::Occupied(_), Which::A) => {
                self.repeated_in_a += 1;
                return Ok(());
            }
            (Slot::Occupied(slot), Which::B) if slot.get().in_b => {
                self.repeated_in_b += 1;
                return Ok(());
            }
            (Slot::Occupied(mut slot), Which::B) => {
                slot.get_mut().in_b = true;
                if slot.get().values == values {
                    self.same += 1;
                    return Ok(());
                }
                self.changed.push((slot.get().at, new.at));
            }
        }
        self.file
            .write_all(line.as_bytes())
            .context("a temporary file")?;
        self.file.write_all(b"\n").context("a temporary file")?;
        self.length += line.len() as u64 + 1;
        Ok(())
    }

    pub(crate) fn finish(self) -> anyhow::Result<Differences> {
        let is_removed = |known: &&Known| known.in_a && !known.in_b;
        let mut removed: Vec<u64> = self
            .pages
            .values()
            .filter(is_removed)
            .map(|known| known.at)
            .collect();
        removed.sort_unstable();
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        Ok(Differences {
            added: self.added.len() as u64,
            removed: removed.len() as u64,
            changed: self.changed.len() as u64,
            same: self.same,
            repeated_in_a: self.repeated_in_a,
            repeated_in_b: self.repeated_in_b,
            newest_in_b: self.newest_in_b,
            lines: Lines {
                file: BufReader::with_capacity(4 << 10, file.context("a temporary file")?),
            },
            removed_at: removed,
            added_at: self.added,
            changed_at: self.changed,
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
pub(crate) struct Page {
    json: String,
    fields: serde_json::Map<String, serde_json::Value>,
}

impl Page {
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
}

/// The pages that were kept.
pub(crate) struct Lines {
    file: BufReader<File>,
}

impl Lines {
    pub(crate) fn at(&mut self, place: u64) -> anyhow::Result<Page> {
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
        Ok(Page { json, fields })
    }
}
