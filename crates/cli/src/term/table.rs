//! A table of aligned columns. The last one is cut where the terminal ends.

use std::fmt::Display;
use std::io::{self, Write};

use console::Style;
use unicode_width::UnicodeWidthStr;

use crate::term::count::Grouped;
use crate::term::messages::printable;
use crate::term::output;
use crate::term::shortened::front;

/// A last column that has less room than this is not readable.
const LEAST: usize = 20;

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
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [&'static str; N]) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: [Cell; N]) {
        self.rows.push(cells);
    }

    /// Writes the names of the columns and the rows, if there are any.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(first) = self.rows.first() else {
            return Ok(());
        };
        let mut widths = [0; N];
        let rows = self
            .rows
            .iter()
            .map(|row| row.each_ref().map(|cell| cell.text.width()));
        for row in rows.chain([self.columns.map(str::len)]) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.max(*width);
            }
        }
        let head = std::array::from_fn(|column| Cell {
            text: self
                .columns
                .get(column)
                .copied()
                .unwrap_or_default()
                .to_owned(),
            style: Style::new().dim(),
            is_number: first.get(column).is_some_and(|cell| cell.is_number),
        });
        self.rows.insert(0, head);
        let before: usize = widths.iter().take(N - 1).map(|width| width + 2).sum();
        let room = output::columns().map(|columns| columns.saturating_sub(before).max(LEAST));
        for cells in &self.rows {
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let padding = " ".repeat(width.saturating_sub(cell.text.width()));
                let text = if column + 1 == N && !cell.is_number {
                    room.map_or(&*cell.text, |room| front(&cell.text, room))
                        .to_owned()
                } else if cell.is_number {
                    format!("{padding}{}", cell.text)
                } else {
                    format!("{}{padding}", cell.text)
                };
                let gap = if column == 0 { "" } else { "  " };
                write!(out, "{gap}{}", cell.style.apply_to(text))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
