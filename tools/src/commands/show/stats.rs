//! Figures of all that was read.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{ChangeFreq, Entry, Precision};
use serde::Serialize;

use super::table::Extensions;
use crate::term::bars::bars;
use crate::term::count::{Count, Grouped};
use crate::term::json;
use crate::term::shortened::decoded;

/// Number of folders that are distinguished, and of their characters, so that memory does not grow with the sitemap.
const FOLDERS: usize = 10_000;
const FOLDER_LENGTH: usize = 200;
/// Number of folders that are shown.
const BIGGEST: usize = 10;
/// Number of months that are shown separately, the latest; all earlier ones are one row.
const MONTHS: usize = 24;

const NONE: &str = "none";

pub(crate) struct Stats {
    as_json: bool,
    width: Option<usize>,
    decoded: bool,
    formats: BTreeMap<&'static str, u64>,
    entries: u64,
    extensions: Extensions,
    lastmod: BTreeMap<Option<String>, u64>,
    changefreq: HashMap<Option<ChangeFreq>, u64>,
    /// By tenths: a hostile file may have millions of them.
    priority: BTreeMap<Option<u8>, u64>,
    folders: HashMap<String, u64>,
    /// Entries whose folder came too late to be counted.
    elsewhere: u64,
}

/// As JSON: every count by its name, in order.
#[derive(Serialize)]
struct Figures {
    sitemaps: BTreeMap<&'static str, u64>,
    entries: u64,
    extensions: BTreeMap<&'static str, u64>,
    lastmod: BTreeMap<String, u64>,
    changefreq: BTreeMap<String, u64>,
    priority: BTreeMap<String, u64>,
    directories: BTreeMap<String, u64>,
}

impl Stats {
    pub(crate) fn new(as_json: bool, width: Option<usize>, decoded: bool) -> Self {
        Self {
            as_json,
            width,
            decoded,
            formats: BTreeMap::new(),
            entries: 0,
            extensions: Extensions::default(),
            lastmod: BTreeMap::new(),
            changefreq: HashMap::new(),
            priority: BTreeMap::new(),
            folders: HashMap::new(),
            elsewhere: 0,
        }
    }

    /// Another sitemap follows.
    pub(crate) fn begin(&mut self, format: Option<&'static str>) {
        if let Some(format) = format {
            *self.formats.entry(format).or_default() += 1;
        }
    }

    pub(crate) fn count(&mut self, entry: &Entry) {
        self.entries += 1;
        self.extensions.add(&Extensions::of(entry));
        let month = entry
            .lastmod()
            .map(|date| date.with_precision(Precision::Month).to_string());
        *self.lastmod.entry(month).or_default() += 1;
        if let Some(page) = entry.as_url() {
            *self.changefreq.entry(page.changefreq).or_default() += 1;
            let tenths = page
                .priority
                .map(|priority| (priority.get() * 10.0).round() as u8);
            *self.priority.entry(tenths).or_default() += 1;
        }
        let folder = folder(entry);
        if let Some(count) = self.folders.get_mut(&folder) {
            *count += 1;
        } else if self.folders.len() < FOLDERS {
            self.folders.insert(folder, 1);
        } else {
            self.elsewhere += 1;
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.as_json {
            json::write(out, &self.figures())?;
            writeln!(out)
        } else {
            self.bars(out)
        }
    }

    fn figures(&self) -> Figures {
        let months = self.lastmod.iter();
        let changefreq = self.changefreq.iter();
        let priority = self.priority.iter();
        let extensions = self.extensions.counts();
        let folders = self.folders.iter();
        let elsewhere = (self.elsewhere > 0).then(|| ("…".to_owned(), self.elsewhere));
        Figures {
            sitemaps: self.formats.clone(),
            entries: self.entries,
            extensions: extensions.filter(|(_, n)| *n > 0).collect(),
            lastmod: months
                .map(|(month, n)| (month.clone().unwrap_or_else(|| NONE.to_owned()), *n))
                .collect(),
            changefreq: changefreq
                .map(|(word, n)| (word.map_or(NONE, ChangeFreq::as_str).to_owned(), *n))
                .collect(),
            priority: priority
                .map(|(tenths, n)| (tenths.as_ref().map_or_else(|| NONE.to_owned(), tenth), *n))
                .collect(),
            directories: folders
                .map(|(name, n)| (name.clone(), *n))
                .chain(elsewhere)
                .collect(),
        }
    }

    fn bars(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.formats.is_empty() {
            return Ok(());
        }
        let formats: Vec<String> = self
            .formats
            .iter()
            .map(|(name, n)| match n {
                1 => (*name).to_owned(),
                n => format!("{} × {name}", Grouped(*n)),
            })
            .collect();
        writeln!(out, "{}", Style::new().bold().apply_to(formats.join(", ")))?;
        write!(out, "{}", Count(self.entries, "entry"))?;
        let extensions = self.extensions.to_string();
        if !extensions.is_empty() {
            write!(out, ", {extensions}")?;
        }
        writeln!(out)?;
        if self.entries == 0 {
            return Ok(());
        }
        self.chart(out, "lastmod", self.months())?;
        if !self.priority.is_empty() {
            let order = ChangeFreq::ALL.iter().map(|word| Some(*word)).chain([None]);
            let counts = order.filter_map(|word| {
                let name = word.map_or(NONE, ChangeFreq::as_str);
                Some((name.to_owned(), *self.changefreq.get(&word)?))
            });
            self.chart(out, "changefreq", counts.collect())?;
            let counts = self.priority.iter().rev();
            let counts = counts
                .map(|(tenths, n)| (tenths.as_ref().map_or_else(|| NONE.to_owned(), tenth), *n));
            self.chart(out, "priority", counts.collect())?;
        }
        let mut biggest: Vec<(String, u64)> = self
            .folders
            .iter()
            .map(|(name, n)| {
                if self.decoded {
                    (decoded(name).into_owned(), *n)
                } else {
                    (name.clone(), *n)
                }
            })
            .collect();
        biggest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let total = biggest.len();
        let rest: u64 = biggest.iter().skip(BIGGEST).map(|(_, n)| n).sum();
        biggest.truncate(BIGGEST);
        self.chart(out, "directory", biggest)?;
        if total > BIGGEST {
            let more = if self.elsewhere > 0 { " or more" } else { "" };
            writeln!(
                out,
                "  and {}{more} smaller ones with {}",
                Grouped((total - BIGGEST) as u64),
                Count(rest + self.elsewhere, "entry")
            )?;
        }
        Ok(())
    }

    fn chart(
        &self,
        out: &mut dyn Write,
        title: &str,
        counts: Vec<(String, u64)>,
    ) -> io::Result<()> {
        // Skip the comparison if no page has a value.
        if counts.iter().all(|(name, _)| name == NONE) {
            return Ok(());
        }
        bars(out, title, &counts, self.width)
    }

    /// The latest months first, then all before as one row, then those entries that have no date.
    fn months(&self) -> Vec<(String, u64)> {
        let mut months = Vec::new();
        let mut earlier = 0;
        for (month, n) in self.lastmod.iter().rev() {
            match month {
                Some(month) if months.len() < MONTHS => months.push((month.clone(), *n)),
                Some(_) => earlier += n,
                None => {}
            }
        }
        if earlier > 0 {
            months.push(("earlier".to_owned(), earlier));
        }
        if let Some(n) = self.lastmod.get(&None) {
            months.push((NONE.to_owned(), *n));
        }
        months
    }
}

fn tenth(tenths: &u8) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Host and path up to the last slash, two levels deep at most.
fn folder(entry: &Entry) -> String {
    let url = entry.loc();
    let path = url.path();
    let end = path
        .match_indices('/')
        .take(3)
        .last()
        .map_or(0, |(slash, _)| slash + 1);
    let host = url.host_str().unwrap_or_default();
    let folder = host
        .chars()
        .chain(path.get(..end).unwrap_or_default().chars());
    folder.take(FOLDER_LENGTH).collect()
}
