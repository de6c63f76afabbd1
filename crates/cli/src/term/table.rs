//! A table of aligned columns. The last one is cut in its middle where the terminal ends.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use console::Style;
use unicode_width::UnicodeWidthStr;

use crate::term::count::Grouped;
use crate::term::messages::printable;
use crate::term::output;
use crate::term::shortened::shortened;

/// A last column that has less room than this is not readable.
const LEAST: usize = 20;

#[derive(Clone)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    is_number: bool,
}

impl Cell {
    pub(crate) fn text(text: impl Display) -> Self {
        Self::styled(text, Style::new())
    }

    pub(crate) fn styled(text: impl Display, style: Style) -> Self {
        Self {
            text: printable(&text.to_string()).into_owned(),
            style,
            is_number: false,
        }
    }

    /// Aligned to the right, as is the name of its column.
    pub(crate) fn number(number: u64) -> Self {
        Self {
            is_number: true,
            ..Self::text(Grouped(number))
        }
    }
}

pub(crate) struct Table<const N: usize> {
    columns: [&'static str; N],
    rows: Vec<[Cell; N]>,
    /// 0 for a column that has had no value yet. Columns only become wider.
    widths: [usize; N],
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [&'static str; N]) -> Self {
        Self {
            columns,
            rows: Vec::new(),
            widths: [0; N],
        }
    }

    pub(crate) fn row(&mut self, cells: [Cell; N]) {
        self.rows.push(cells);
    }

    /// The number of rows that are not written yet.
    pub(crate) fn waiting(&self) -> usize {
        self.rows.len()
    }

    /// Writes the rows, after the names of the columns if one of them has its first value. Columns without values are
    /// omitted.
    pub(crate) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = std::mem::take(&mut self.rows);
        let columns = self.widths.iter_mut().zip(self.columns).enumerate();
        let mut is_new = false;
        for (column, (width, name)) in columns {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widest = cells.map(|cell| cell.text.width()).max().unwrap_or(0);
            if widest > 0 {
                is_new |= *width == 0;
                *width = widest.max(name.len()).max(*width);
            }
        }
        if let (true, Some(first)) = (is_new, rows.first()) {
            let mut head = first.clone();
            for (cell, name) in head.iter_mut().zip(self.columns) {
                cell.text = name.to_owned();
                cell.style = Style::new().dim();
            }
            rows.insert(0, head);
        }
        let columns = output::columns();
        for row in &rows {
            self.line(row, columns, out)?;
        }
        Ok(())
    }

    fn line(&self, row: &[Cell; N], columns: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let cells = row.iter().zip(self.widths);
        let mut cells = cells.filter(|(_, width)| *width > 0).peekable();
        let mut used = 0;
        while let Some((cell, width)) = cells.next() {
            let mut text = Cow::Borrowed(match &*cell.text {
                "" => "-",
                text => text,
            });
            let padding = " ".repeat(width.saturating_sub(text.width()));
            if cell.is_number {
                text.to_mut().insert_str(0, &padding);
            } else if cells.peek().is_some() {
                text.to_mut().push_str(&padding);
            } else if let Some(columns) = columns {
                let room = columns.saturating_sub(used).max(LEAST);
                text = Cow::Owned(shortened(&text, room).into_owned());
            }
            used += width + 2;
            let gap = if cells.peek().is_some() { "  " } else { "\n" };
            write!(out, "{}{gap}", cell.style.apply_to(text))?;
        }
        Ok(())
    }
}
