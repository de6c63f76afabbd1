//! The entries as aligned columns.

use std::fmt;
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{Entry, Format};

/// So many rows are held back to find the width of the columns; memory does not grow with the sitemap.
const AHEAD: usize = 64;

/// Aligned columns, the URL last: it is the one that varies.
pub(crate) struct Table {
    format: Option<Format>,
    columns: &'static [&'static str],
    widths: [usize; 4],
    held: Vec<(Vec<String>, String)>,
    /// One of the rows that were held back has extensions: they get a column.
    with_extensions: bool,
    started: bool,
    /// `None`: not a terminal, nothing is cut.
    terminal: Option<usize>,
    entries: u64,
    extensions: Extensions,
}

impl Table {
    pub(crate) fn new(format: Option<Format>) -> Self {
        let columns: &[_] = match format {
            Some(Format::Text) => &[],
            Some(Format::Index | Format::Rss | Format::Atom) => &["lastmod"],
            _ => &["lastmod", "changefreq", "priority"],
        };
        let terminal = console::Term::stdout()
            .size_checked()
            .map(|(_, columns)| usize::from(columns));
        Self {
            format,
            columns,
            widths: [0; 4],
            held: Vec::with_capacity(AHEAD),
            started: false,
            terminal,
            entries: 0,
            extensions: Extensions::default(),
            with_extensions: false,
        }
    }

    pub(crate) fn entry(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        self.entries += 1;
        let dash = || "-".to_owned();
        let mut cells = vec![entry.lastmod().map_or_else(dash, |date| date.to_string())];
        if let Some(page) = entry.as_url() {
            cells.push(
                page.changefreq
                    .map_or_else(dash, |changefreq| changefreq.to_string()),
            );
            cells.push(
                page.priority
                    .map_or_else(dash, |priority| priority.to_string()),
            );
        }
        cells.truncate(self.columns.len());
        let extensions = Extensions::of(entry);
        self.extensions.add(&extensions);
        cells.push(match extensions.to_string() {
            none if none.is_empty() => dash(),
            some => some,
        });
        let row = (cells, entry.loc().to_string());
        if self.started {
            return self.row(out, &row.0, &row.1);
        }
        self.held.push(row);
        match self.held.len() {
            AHEAD => self.start(out),
            _ => Ok(()),
        }
    }

    /// Settles the widths, then writes the head and the rows that were held back.
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.started = true;
        let held = std::mem::take(&mut self.held);
        self.with_extensions = held
            .iter()
            .any(|(cells, _)| cells.last().is_some_and(|cell| cell != "-"));
        let names = self.columns.iter().chain(&["extensions"]);
        let head: Vec<String> = names.map(|&name| name.to_owned()).collect();
        for cells in held.iter().map(|row| &row.0).chain([&head]) {
            for (width, cell) in self.widths.iter_mut().zip(cells) {
                *width = cell.len().max(*width);
            }
        }
        if let Some(format) = self.format {
            writeln!(out, "{}", Style::new().bold().apply_to(format))?;
        }
        if !held.is_empty() {
            let mut line = Vec::new();
            self.row(&mut line, &head, "loc")?;
            let line = String::from_utf8_lossy(&line);
            writeln!(out, "{}", Style::new().dim().apply_to(line.trim_end()))?;
        }
        held.iter()
            .try_for_each(|(cells, loc)| self.row(out, cells, loc))
    }

    fn row(&self, out: &mut dyn Write, cells: &[String], loc: &str) -> io::Result<()> {
        let mut used = 0;
        let columns = self.columns.len() + usize::from(self.with_extensions);
        let cells = cells.get(..columns).unwrap_or(cells);
        for (cell, &width) in cells.iter().zip(&self.widths) {
            write!(out, "{cell:width$}  ")?;
            used += cell.len().max(width) + 2;
        }
        // `Url` is ASCII, so that a byte is a character is a column.
        match self.terminal {
            Some(columns) if used + loc.len() > columns => {
                let room = columns.saturating_sub(used + 1).max(8);
                // The end is what tells one URL of a site from another.
                let end = loc.len().saturating_sub(room);
                writeln!(out, "…{}", loc.get(end..).unwrap_or(loc))
            }
            _ => writeln!(out, "{loc}"),
        }
    }

    pub(crate) fn finish(&mut self, out: &mut dyn Write, issues: u64) -> io::Result<()> {
        if !self.started {
            self.start(out)?;
        }
        if self.format.is_none() {
            return Ok(());
        }
        write!(out, "{}", count(self.entries, "entry", "entries"))?;
        let extensions = self.extensions.to_string();
        if !extensions.is_empty() {
            write!(out, ", {extensions}")?;
        }
        if issues > 0 {
            write!(out, "; {}", count(issues, "issue", "issues"))?;
        }
        writeln!(out)
    }
}

/// How many of each extension there are. Displayed as `2 alternates, 1 image`; nothing, where there are none.
#[derive(Default)]
pub(crate) struct Extensions([u64; 5]);

impl Extensions {
    pub(crate) fn of(entry: &Entry) -> Self {
        let counts = match entry {
            Entry::Url(page) => [
                page.alternates.len(),
                page.images.len(),
                page.videos.len(),
                usize::from(page.news.is_some()),
                page.foreign.len(),
            ],
            Entry::Sitemap(sitemap) => [0, 0, 0, 0, sitemap.foreign.len()],
        };
        Self(counts.map(|count| count as u64))
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }
}

impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [(&str, &str); 5] = [
            ("alternate", "alternates"),
            ("image", "images"),
            ("video", "videos"),
            ("news article", "news articles"),
            ("foreign element", "foreign elements"),
        ];
        let mut separator = "";
        for (number, (one, many)) in self
            .0
            .into_iter()
            .zip(NAMES)
            .filter(|(number, _)| *number > 0)
        {
            write!(f, "{separator}{}", count(number, one, many))?;
            separator = ", ";
        }
        Ok(())
    }
}

pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
