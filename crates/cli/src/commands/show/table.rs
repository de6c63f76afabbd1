//! The entries as aligned columns.

use std::fmt;
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{Entry, Extension};

use crate::rows::writer::page_cells;
use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::shortened::{decoded, shortened};

/// Number of rows that are held back to find the width of the columns, so that memory does not grow with the sitemap.
const AHEAD: usize = 64;
/// A URL that has less room than this is not readable; better that its line is too long.
const LEAST: usize = 16;
/// A URL that has less room than this gets what dates have beyond the day.
const ENOUGH: usize = 44;
/// `2024-05-06`.
const DAY: usize = 10;

const COLUMNS: [&str; 4] = ["lastmod", "changefreq", "priority", "extensions"];

const LASTMOD: usize = 0;

/// Aligned columns, the URL last: it is the one that varies. A column that holds nothing is left out.
pub(crate) struct Table {
    /// `None`: nothing is cut.
    width: Option<usize>,
    decoded: bool,
    /// There was a table before this one.
    follows: bool,
    /// Width of each column, or 0 if it is omitted.
    widths: [usize; COLUMNS.len()],
    /// Dates are cut to the day.
    days: bool,
    held: Vec<Row>,
    started: bool,
    /// It is a sitemap.
    has_format: bool,
    entries: u64,
    left_out: u64,
    extensions: Extensions,
}

struct Row {
    cells: [String; COLUMNS.len()],
    loc: String,
}

impl Table {
    pub(crate) fn new(width: Option<usize>, decoded: bool) -> Self {
        Self {
            width,
            decoded,
            follows: false,
            widths: [0; COLUMNS.len()],
            days: false,
            held: Vec::with_capacity(AHEAD),
            started: false,
            has_format: false,
            entries: 0,
            left_out: 0,
            extensions: Extensions::default(),
        }
    }

    /// Begins a document, with its heading.
    pub(crate) fn begin(
        &mut self,
        out: &mut dyn Write,
        heading: Option<&str>,
        format: Option<&'static str>,
    ) -> io::Result<()> {
        if self.follows {
            writeln!(out)?;
        }
        *self = Self {
            follows: true,
            has_format: format.is_some(),
            ..Self::new(self.width, self.decoded)
        };
        let bold = Style::new().bold();
        match (heading.map(printable), format) {
            (Some(heading), Some(format)) => writeln!(out, "{}: {format}", bold.apply_to(heading)),
            (Some(heading), None) => writeln!(out, "{}", bold.apply_to(heading)),
            (None, Some(format)) => writeln!(out, "{}", bold.apply_to(format)),
            (None, None) => Ok(()),
        }
    }

    /// Adds an entry. The first rows are held back until the widths of the columns are known.
    pub(crate) fn entry(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        self.entries += 1;
        let extensions = Extensions::of(entry);
        self.extensions.add(&extensions);
        let [mut loc, lastmod, changefreq, priority] = page_cells(entry);
        if self.decoded {
            loc = decoded(&loc).into_owned();
        }
        let row = Row {
            cells: [lastmod, changefreq, priority, extensions.to_string()],
            loc,
        };
        if self.started {
            // A column that was omitted from the header has a value after all.
            let mut columns = row.cells.iter().zip(self.widths);
            if columns.any(|(cell, width)| !cell.is_empty() && width == 0) {
                self.widen(std::slice::from_ref(&row));
                self.head(out)?;
            }
            return self.row(out, &row);
        }
        self.held.push(row);
        match self.held.len() {
            AHEAD => self.start(out),
            _ => Ok(()),
        }
    }

    /// An entry that is not to be shown.
    pub(crate) fn left_out(&mut self) {
        self.left_out += 1;
    }

    /// Settles the widths, then writes the names of the columns and the rows that were held back.
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.started = true;
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return Ok(());
        }
        self.widen(&held);
        self.head(out)?;
        held.iter().try_for_each(|row| self.row(out, row))
    }

    /// Widens the columns for these rows. Dates are cut to the day if that leaves a URL too little room.
    fn widen(&mut self, rows: &[Row]) {
        for cells in rows.iter().map(|row| &row.cells) {
            let columns = self.widths.iter_mut().zip(cells);
            for ((width, cell), name) in columns.zip(COLUMNS) {
                if !cell.is_empty() {
                    *width = cell.len().max(*width).max(name.len());
                }
            }
        }
        let widths = self.widths.iter().filter(|width| **width > 0);
        let used: usize = widths.map(|width| width + 2).sum();
        let is_narrow = self.width.is_some_and(|columns| columns < used + ENOUGH);
        if self.widths[LASTMOD] > DAY && is_narrow {
            self.days = true;
            self.widths[LASTMOD] = DAY;
        }
    }

    fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::new();
        for (name, width) in COLUMNS
            .iter()
            .zip(self.widths)
            .filter(|(_, width)| *width > 0)
        {
            line.push_str(&format!("{name:width$}  "));
        }
        line.push_str("loc");
        writeln!(out, "{}", Style::new().dim().apply_to(line))
    }

    /// Writes a row, whose last cell is cut at the width of the terminal.
    fn row(&self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        let mut used = 0;
        let [lastmod, ..] = &row.cells;
        for (cell, width) in row
            .cells
            .iter()
            .zip(self.widths)
            .filter(|(_, width)| *width > 0)
        {
            let cell = match cell.as_str() {
                "" => "-",
                date if self.days && date == lastmod => date.get(..DAY).unwrap_or(date),
                cell => cell,
            };
            write!(out, "{cell:width$}  ")?;
            used += cell.len().max(width) + 2;
        }
        match self.width {
            Some(columns) => {
                let room = columns.saturating_sub(used).max(LEAST);
                writeln!(out, "{}", shortened(&row.loc, room))
            }
            None => writeln!(out, "{}", row.loc),
        }
    }

    /// Writes the rows that are held back, and the number of entries.
    pub(crate) fn end(&mut self, out: &mut dyn Write, is_limited: bool) -> io::Result<()> {
        if !self.started {
            self.start(out)?;
        }
        if !self.has_format {
            return Ok(());
        }
        let entries = Count(self.entries, "entry");
        match self.left_out {
            0 => write!(out, "{entries}")?,
            more => write!(
                out,
                "{} of {} entries",
                Grouped(self.entries),
                Grouped(self.entries + more)
            )?,
        }
        let extensions = self.extensions.to_string();
        if !extensions.is_empty() {
            write!(out, ", {extensions}")?;
        }
        if is_limited {
            write!(out, "; the rest was not read")?;
        }
        writeln!(out)
    }
}

/// How many of each extension there are. Displayed as `2 alternates, 1 image`; nothing, where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions {
    /// In the order of `Extension::ALL`; the foreign elements come last.
    counts: [u64; Extension::ALL.len() + 1],
}

impl Extensions {
    pub(crate) fn of(entry: &Entry) -> Self {
        let mut counts = [0; Extension::ALL.len() + 1];
        let (known, foreign) = match entry {
            Entry::Url(page) => (Some(page.extensions()), page.foreign.len()),
            Entry::Sitemap(sitemap) => (None, sitemap.foreign.len()),
        };
        let [.., last] = &mut counts;
        *last = foreign as u64;
        for (extension, count) in known.into_iter().flatten() {
            let place = Extension::ALL.iter().position(|known| *known == extension);
            if let Some(slot) = place.and_then(|place| counts.get_mut(place)) {
                *slot = count as u64;
            }
        }
        Self { counts }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (own, more) in self.counts.iter_mut().zip(other.counts) {
            *own += more;
        }
    }
}

impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |extension: &Extension| match extension {
            Extension::News => "news articles",
            extension => extension.name(),
        };
        let names = Extension::ALL.iter().map(plural);
        let mut separator = "";
        for (many, number) in names.chain(["foreign elements"]).zip(self.counts) {
            if number > 0 {
                let one = many.strip_suffix('s').unwrap_or(many);
                write!(f, "{separator}{}", Count(number, one))?;
                separator = ", ";
            }
        }
        Ok(())
    }
}
