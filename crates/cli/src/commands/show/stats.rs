//! `--stats`: sections and months, as a report counts them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::SystemTime;

use console::Style;
use quick_sitemap::Entry;

use super::table::Extensions;
use crate::figures::text;
use crate::figures::tree::Tree;
use crate::term::count::{Count, Grouped};
use crate::term::shortened::decoded;

pub(crate) struct Stats {
    width: Option<usize>,
    decoded: bool,
    formats: BTreeMap<&'static str, u64>,
    entries: u64,
    extensions: Extensions,
    tree: Tree,
}

impl Stats {
    pub(crate) fn new(width: Option<usize>, decoded: bool) -> Self {
        Self {
            width,
            decoded,
            formats: BTreeMap::new(),
            entries: 0,
            extensions: Extensions::default(),
            tree: Tree::new(SystemTime::now().into()),
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
    }

    /// Writes the counts, if there was a sitemap.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
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
        text::months(&self.tree.months(), out, self.width)
    }
}
