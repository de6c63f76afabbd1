//! `--stats`: the figures of a report, and what only a file has: formats, change frequencies, priorities.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::time::SystemTime;

use console::Style;
use quick_sitemap::{ChangeFreq, Entry};
use serde::Serialize;

use super::table::Extensions;
use crate::figures::text;
use crate::figures::tree::Tree;
use crate::term::bars::bars;
use crate::term::count::{Count, Grouped};
use crate::term::json;
use crate::term::shortened::decoded;

const NONE: &str = "none";

pub(crate) struct Stats {
    as_json: bool,
    width: Option<usize>,
    decoded: bool,
    formats: BTreeMap<&'static str, u64>,
    entries: u64,
    extensions: Extensions,
    tree: Tree,
    changefreq: HashMap<Option<ChangeFreq>, u64>,
    /// By tenths: a hostile file may have millions of them.
    priority: BTreeMap<Option<u8>, u64>,
}

/// As JSON: every count by its name, in order.
#[derive(Serialize)]
struct Figures {
    sitemaps: BTreeMap<&'static str, u64>,
    entries: u64,
    extensions: BTreeMap<&'static str, u64>,
    sections: BTreeMap<String, u64>,
    lastmod: BTreeMap<String, u64>,
    changefreq: BTreeMap<String, u64>,
    priority: BTreeMap<String, u64>,
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
            tree: Tree::new(SystemTime::now().into()),
            changefreq: HashMap::new(),
            priority: BTreeMap::new(),
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
        self.tree.add(entry.loc(), entry.lastmod());
        if let Some(page) = entry.as_url() {
            *self.changefreq.entry(page.changefreq).or_default() += 1;
            let tenths = page
                .priority
                .map(|priority| (priority.get() * 10.0).round() as u8);
            *self.priority.entry(tenths).or_default() += 1;
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.as_json {
            json::write(out, &self.figures())?;
            writeln!(out)
        } else {
            self.text(out)
        }
    }

    /// The figures as they are written as JSON.
    fn figures(&self) -> Figures {
        let extensions = self.extensions.counts();
        let (months, undated) = text::by_month(&self.tree.months());
        let undated = (undated > 0).then(|| (NONE.to_owned(), undated));
        Figures {
            sitemaps: self.formats.clone(),
            entries: self.entries,
            extensions: extensions.filter(|(_, n)| *n > 0).collect(),
            sections: text::by_section(&self.tree.sections())
                .into_iter()
                .collect(),
            lastmod: months.into_iter().chain(undated).collect(),
            changefreq: self.changefreq().into_iter().collect(),
            priority: self.priority().into_iter().collect(),
        }
    }

    /// From `always` to `never`, then the entries without one.
    fn changefreq(&self) -> Vec<(String, u64)> {
        let order = ChangeFreq::ALL.iter().map(|word| Some(*word)).chain([None]);
        let counts = order.filter_map(|word| {
            let name = word.map_or(NONE, ChangeFreq::as_str);
            Some((name.to_owned(), *self.changefreq.get(&word)?))
        });
        counts.collect()
    }

    /// The highest first, then the entries without one.
    fn priority(&self) -> Vec<(String, u64)> {
        let name = |tenths: &Option<u8>| match tenths {
            Some(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
            None => NONE.to_owned(),
        };
        let counts = self.priority.iter().rev();
        counts.map(|(tenths, n)| (name(tenths), *n)).collect()
    }

    /// Writes the figures as text.
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
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
        let name = if self.decoded {
            |name: &str| decoded(name).into_owned()
        } else {
            str::to_owned
        };
        text::sections(&self.tree.sections(), name, out, self.width)?;
        text::months(&self.tree.months(), out, self.width)?;
        for (title, counts) in [
            ("changefreq", self.changefreq()),
            ("priority", self.priority()),
        ] {
            // A value that no entry has needs no chart.
            if counts.iter().any(|(name, _)| name != NONE) {
                bars(out, title, &counts, self.width)?;
            }
        }
        Ok(())
    }
}
