//! The entries as aligned columns.

use std::fmt;
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{Entry, Extension};

use crate::rows::PAGE;
use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::shortened::{decoded, shortened};

/// Number of rows that are written together, so that memory does not grow with the sitemap.
const ROWS: usize = 64;
/// A URL that has less room than this is not readable; better that its line is too long.
const LEAST: usize = 16;
/// A URL that has less room than this gets what dates have beyond the day.
const ENOUGH: usize = 44;
/// `2024-05-06`.
const DAY: usize = 10;

const COLUMNS: [&str; 4] = ["lastmod", "changefreq", "priority", "extensions"];

/// Aligned columns, the URL last: it is the one that varies. A column that holds nothing is left out.
pub(crate) struct Table {
    /// `None`: nothing is cut.
    width: Option<usize>,
    decoded: bool,
    /// There was a table before this one.
    follows: bool,
    /// Width of each column, or 0 if it is omitted.
    widths: [usize; COLUMNS.len()],
    /// The rows that are not written yet.
    rows: Vec<Row>,
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
            rows: Vec::with_capacity(ROWS),
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

    pub(crate) fn entry(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        self.entries += 1;
        let extensions = Extensions::of(entry);
        self.extensions.add(&extensions);
        let [mut loc, lastmod, changefreq, priority] = PAGE.map(|column| column.cell(entry));
        if self.decoded {
            loc = decoded(&loc).into_owned();
        }
        self.rows.push(Row {
            cells: [lastmod, changefreq, priority, extensions.to_string()],
            loc,
        });
        match self.rows.len() {
            ROWS => self.write(out),
            _ => Ok(()),
        }
    }

    /// An entry that is not to be shown.
    pub(crate) fn left_out(&mut self) {
        self.left_out += 1;
    }

    /// Writes the rows, after a header if a column has a value for the first time. Columns only become wider.
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let shown = |widths: &[usize]| widths.iter().filter(|width| **width > 0).count();
        let (before, is_first) = (shown(&self.widths), self.entries <= ROWS as u64);
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
        let [lastmod, ..] = &mut self.widths;
        // Dates are cut to the day if they leave a URL too little room.
        if self.width.is_some_and(|columns| columns < used + ENOUGH) {
            *lastmod = (*lastmod).min(DAY);
        }
        if !rows.is_empty() && (is_first || shown(&self.widths) > before) {
            let mut head = self.line(COLUMNS);
            head.push_str("loc");
            writeln!(out, "{}", Style::new().dim().apply_to(head))?;
        }
        for Row { cells, loc } in &rows {
            let cells = cells.each_ref().map(|cell| match cell.as_str() {
                "" => "-",
                cell => cell,
            });
            let line = self.line(cells);
            // The last cell is cut at the width of the terminal.
            let room = self
                .width
                .map(|columns| columns.saturating_sub(line.len()).max(LEAST));
            let loc = room.map_or(loc.into(), |room| shortened(loc, room));
            writeln!(out, "{line}{loc}")?;
        }
        Ok(())
    }

    /// The columns before the URL. A cell that is too long is cut: only a date can be.
    fn line(&self, cells: [&str; COLUMNS.len()]) -> String {
        let columns = cells.into_iter().zip(self.widths);
        let columns = columns.filter(|(_, width)| *width > 0);
        columns
            .map(|(cell, width)| format!("{:width$}  ", cell.get(..width).unwrap_or(cell)))
            .collect()
    }

    /// Writes the rows that are left, and the number of entries.
    pub(crate) fn end(&mut self, out: &mut dyn Write, is_limited: bool) -> io::Result<()> {
        self.write(out)?;
        if !self.has_format {
            return Ok(());
        }
        match self.left_out {
            0 => write!(out, "{}", Count(self.entries, "entry"))?,
            more => {
                let all = Grouped(self.entries + more);
                write!(out, "{} of {all} entries", Grouped(self.entries))?;
            }
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

/// How many of each extension there are, in the order of `Extension::ALL`; the foreign elements come last. Displayed as
/// `2 alternates, 1 image`; nothing, where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions([u64; Extension::ALL.len() + 1]);

impl Extensions {
    pub(crate) fn of(entry: &Entry) -> Self {
        let (known, foreign) = match entry {
            Entry::Url(page) => (Some(page.extensions()), page.foreign.len()),
            Entry::Sitemap(sitemap) => (None, sitemap.foreign.len()),
        };
        let known: Vec<_> = known.into_iter().flatten().collect();
        let count = |extension: &Extension| {
            let of_it = known.iter().filter(|(known, _)| known == extension);
            of_it.map(|(_, count)| *count as u64).sum()
        };
        let counts = Extension::ALL.iter().map(count).chain([foreign as u64]);
        let mut all = Self::default();
        all.0
            .iter_mut()
            .zip(counts)
            .for_each(|(own, count)| *own = count);
        all
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
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
        let names = Extension::ALL
            .iter()
            .map(plural)
            .chain(["foreign elements"]);
        let counts = names.zip(self.0).filter(|(_, count)| *count > 0);
        let texts = counts
            .map(|(many, count)| Count(count, many.strip_suffix('s').unwrap_or(many)).to_string());
        f.write_str(&texts.collect::<Vec<_>>().join(", "))
    }
}
