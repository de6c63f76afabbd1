//! The entries as aligned columns.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{Entry, Extension};

use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::shortened::{decoded, shortened};
use unicode_width::UnicodeWidthStr;

/// Number of rows that are held back to find the width of the columns, so that memory does not grow with the sitemap.
const AHEAD: usize = 64;
/// A URL that has less room than this is not readable; better that its line is too long.
const LEAST: usize = 16;
/// A URL that has less room than this gets what dates have beyond the day and, if it needs more, the room of
/// [`LEAST_IMPORTANT`].
const ENOUGH: usize = 44;
/// `2024-05-06`.
const DAY: usize = 10;

const COLUMNS: [&str; 4] = ["lastmod", "changefreq", "priority", "extensions"];

const LASTMOD: usize = 0;
/// The columns that are omitted to make room for URLs, priority first: search engines ignore both.
const LEAST_IMPORTANT: [usize; 2] = [2, 1];

/// Aligned columns, the URL last: it is the one that varies. A column that holds nothing is left out.
pub(crate) struct Table {
    /// `None`: nothing is cut.
    width: Option<usize>,
    decoded: bool,
    /// There was a table before this one.
    follows: bool,
    /// Width of each column, or 0 if it is omitted.
    widths: [usize; COLUMNS.len()],
    /// Columns that were omitted to make room for the URL.
    is_dropped: [bool; COLUMNS.len()],
    /// Dates are cut to the day.
    days: bool,
    held: Vec<Row>,
    started: bool,
    heading: Option<String>,
    format: Option<&'static str>,
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
            is_dropped: [false; COLUMNS.len()],
            days: false,
            held: Vec::with_capacity(AHEAD),
            started: false,
            heading: None,
            format: None,
            entries: 0,
            left_out: 0,
            extensions: Extensions::default(),
        }
    }

    /// Begins a document. Its heading is written with the first rows.
    pub(crate) fn begin(
        &mut self,
        out: &mut dyn Write,
        heading: Option<&str>,
        format: Option<&'static str>,
    ) -> io::Result<()> {
        if std::mem::replace(&mut self.follows, true) {
            writeln!(out)?;
        }
        let heading = heading.map(|heading| printable(heading).into_owned());
        *self = Self {
            follows: true,
            heading,
            format,
            ..Self::new(self.width, self.decoded)
        };
        Ok(())
    }

    /// Adds an entry. The first rows are held back until the widths of the columns are known.
    pub(crate) fn entry(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        self.entries += 1;
        let extensions = Extensions::of(entry);
        self.extensions.add(&extensions);
        let page = entry.as_url();
        let text = |value: Option<&dyn fmt::Display>| value.map(ToString::to_string);
        let (lastmod, changefreq, priority) = (
            entry.lastmod(),
            page.and_then(|page| page.changefreq),
            page.and_then(|page| page.priority),
        );
        let cells = [
            text(lastmod.as_ref().map(|value| value as _)),
            text(changefreq.as_ref().map(|value| value as _)),
            text(priority.as_ref().map(|value| value as _)),
            Some(extensions.to_string()),
        ];
        let loc = entry.loc().as_str();
        let loc = if self.decoded {
            decoded(loc)
        } else {
            Cow::Borrowed(loc)
        };
        let row = Row {
            cells: cells.map(Option::unwrap_or_default),
            loc: loc.into_owned(),
        };
        if self.started {
            // A column that was omitted from the header has a value after all.
            let is_new = |((cell, width), is_dropped): ((&String, &usize), &bool)| {
                !cell.is_empty() && *width == 0 && !is_dropped
            };
            let columns = row.cells.iter().zip(&self.widths).zip(&self.is_dropped);
            if columns.into_iter().any(is_new) {
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

    /// Settles the widths, then writes the head and the rows that were held back.
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.started = true;
        let bold = Style::new().bold();
        match (&self.heading, self.format) {
            (Some(heading), Some(format)) => {
                writeln!(out, "{}: {format}", bold.apply_to(heading))?;
            }
            (Some(heading), None) => writeln!(out, "{}", bold.apply_to(heading))?,
            (None, Some(format)) => writeln!(out, "{}", bold.apply_to(format))?,
            (None, None) => {}
        }
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return Ok(());
        }
        self.widen(&held);
        self.head(out)?;
        held.iter().try_for_each(|row| self.row(out, row))
    }

    /// Widens the columns for these rows, and drops columns that the terminal has no room for.
    fn widen(&mut self, rows: &[Row]) {
        for cells in rows.iter().map(|row| &row.cells) {
            let columns = self.widths.iter_mut().zip(cells).zip(self.is_dropped);
            for (((width, cell), is_dropped), name) in columns.zip(COLUMNS) {
                if !cell.is_empty() && !is_dropped {
                    *width = cell.len().max(*width).max(name.len());
                }
            }
        }
        let used = |widths: &[usize]| -> usize {
            let widths = widths.iter().filter(|width| **width > 0);
            widths.map(|width| width + 2).sum()
        };
        let is_narrow = |widths: &[usize]| {
            let least = used(widths) + ENOUGH;
            self.width.is_some_and(|columns| columns < least)
        };
        if self.widths[LASTMOD] > DAY && is_narrow(&self.widths) {
            self.days = true;
            self.widths[LASTMOD] = DAY;
        }
        let longest = rows.iter().map(|row| row.loc.width()).max().unwrap_or(0);
        let fits = |widths: &[usize]| {
            let columns = self.width.unwrap_or(usize::MAX);
            columns.saturating_sub(used(widths)) >= longest
        };
        for column in LEAST_IMPORTANT {
            if !is_narrow(&self.widths) || fits(&self.widths) {
                break;
            }
            let slots = (self.widths.get_mut(column), self.is_dropped.get_mut(column));
            if let (Some(width @ 1..), Some(is_dropped)) = slots {
                *width = 0;
                *is_dropped = true;
            }
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
        if self.format.is_none() {
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
        let dropped: Vec<_> = COLUMNS
            .iter()
            .zip(self.is_dropped)
            .filter_map(|(name, is_dropped)| is_dropped.then_some(*name))
            .collect();
        if !dropped.is_empty() {
            write!(out, "; too narrow for {}", dropped.join(" and "))?;
        }
        writeln!(out)
    }
}

/// How many of each extension there are. Displayed as `2 alternates, 1 image`; nothing, where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions {
    /// In the order of `Extension::ALL`.
    known: [u64; Extension::ALL.len()],
    foreign: u64,
}

impl Extensions {
    pub(crate) fn of(entry: &Entry) -> Self {
        let mut counts = Self::default();
        match entry {
            Entry::Url(page) => {
                for (extension, count) in page.extensions() {
                    let slots = Extension::ALL.iter().zip(&mut counts.known);
                    slots
                        .filter(|(other, _)| **other == extension)
                        .for_each(|(_, slot)| *slot = count as u64);
                }
                counts.foreign = page.foreign.len() as u64;
            }
            Entry::Sitemap(sitemap) => counts.foreign = sitemap.foreign.len() as u64,
        }
        counts
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (own, more) in self.known.iter_mut().zip(other.known) {
            *own += more;
        }
        self.foreign += other.foreign;
    }

    /// The number of each, by its name in the plural.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let plural = |extension: &Extension| match extension {
            Extension::News => "news articles",
            extension => extension.name(),
        };
        let known = Extension::ALL.iter().map(plural).zip(self.known);
        known.chain([("foreign elements", self.foreign)])
    }
}

impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (many, number) in self.counts() {
            if number > 0 {
                let one = many.strip_suffix('s').unwrap_or(many);
                write!(f, "{separator}{}", Count(number, one))?;
                separator = ", ";
            }
        }
        Ok(())
    }
}
