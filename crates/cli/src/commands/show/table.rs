//! The entries as aligned columns.

use std::io::{self, Write};

use console::Style;
use quick_sitemap::{Entry, Extension};

use crate::rows::ENTRY;
use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::output;
use crate::term::shortened::decoded;
use crate::term::table::{Cell, Table};

/// Number of rows that are written together, so that memory does not grow with the sitemap.
const ROWS: usize = 64;
/// A terminal with fewer columns has no room for the time of a date.
const WIDE: usize = 100;

/// The URL is the last column, since it varies most.
const COLUMNS: [&str; 6] = [
    "lastmod",
    "publication_date",
    "changefreq",
    "priority",
    "extensions",
    "loc",
];

/// Writes a table for each document.
pub(super) struct EntryTable {
    pub(super) decoded: bool,
    table: Table<{ COLUMNS.len() }>,
    /// There was a table before this one.
    follows: bool,
    /// It is a sitemap.
    has_format: bool,
    entries: u64,
    /// Entries that the filter has left out.
    pub(super) left_out: u64,
    extensions: Extensions,
    is_narrow: bool,
}

impl EntryTable {
    pub(super) fn new(decoded: bool) -> Self {
        Self {
            decoded,
            table: Table::new(COLUMNS),
            follows: false,
            has_format: false,
            entries: 0,
            left_out: 0,
            extensions: Extensions::default(),
            is_narrow: output::columns().is_some_and(|columns| columns < WIDE),
        }
    }

    /// Begins a document, with its heading.
    pub(super) fn begin(
        &mut self,
        heading: Option<&str>,
        format: Option<&'static str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.follows {
            writeln!(out)?;
        }
        *self = Self {
            follows: true,
            has_format: format.is_some(),
            ..Self::new(self.decoded)
        };
        let bold = Style::new().bold();
        match (heading.map(printable), format) {
            (Some(heading), Some(format)) => writeln!(out, "{}: {format}", bold.apply_to(heading)),
            (Some(heading), None) => writeln!(out, "{}", bold.apply_to(heading)),
            (None, Some(format)) => writeln!(out, "{}", bold.apply_to(format)),
            (None, None) => Ok(()),
        }
    }

    pub(super) fn entry(&mut self, entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
        self.entries += 1;
        let extensions = extensions(entry);
        for (all, more) in self.extensions.iter_mut().zip(extensions) {
            *all += more;
        }
        let cells = ENTRY.map(|column| column.cell(entry));
        let [_, mut loc, mut lastmod, changefreq, priority, mut published] = cells;
        if self.decoded {
            loc = decoded(entry.loc().as_str());
        }
        if self.is_narrow {
            lastmod.to_mut().truncate("2024-05-06".len());
            published.to_mut().truncate("2024-05-06".len());
        }
        let extensions = named(extensions).into();
        let cells = [lastmod, published, changefreq, priority, extensions, loc];
        self.table.row(cells.map(Cell::text));
        match self.table.waiting() {
            ROWS => self.table.write(out),
            _ => Ok(()),
        }
    }

    /// Writes the rows that are left, and the number of entries.
    pub(super) fn end(&mut self, is_limited: bool, out: &mut dyn Write) -> io::Result<()> {
        self.table.write(out)?;
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
        let extensions = named(self.extensions);
        if !extensions.is_empty() {
            write!(out, ", {extensions}")?;
        }
        if is_limited {
            write!(out, "; the rest was not read")?;
        }
        writeln!(out)
    }
}

/// The numbers of extensions of an entry, in the order of `Extension::ALL`, and of its foreign elements.
type Extensions = [u64; Extension::ALL.len() + 1];

fn extensions(entry: &Entry) -> Extensions {
    let (page, foreign) = match entry {
        Entry::Url(page) => (Some(page), page.foreign.len()),
        Entry::Sitemap(sitemap) => (None, sitemap.foreign.len()),
    };
    let known = Extension::ALL.iter().map(|extension| {
        let all = page.into_iter().flat_map(|page| page.extensions());
        let of_it = all.filter(|(known, _)| known == extension);
        of_it.map(|(_, count)| count).sum()
    });
    let mut counts = known.chain([foreign]);
    std::array::from_fn(|_| counts.next().unwrap_or(0) as u64)
}

/// `2 alternates, 1 image`; an empty text if there are none.
fn named(counts: Extensions) -> String {
    let names = Extension::ALL.iter().map(|extension| match extension {
        Extension::News => "news article",
        extension => extension.name().trim_end_matches('s'),
    });
    let counts = names.chain(["foreign element"]).zip(counts);
    let counts = counts.filter(|(_, count)| *count > 0);
    let texts: Vec<_> = counts
        .map(|(name, count)| Count(count, name).to_string())
        .collect();
    texts.join(", ")
}
