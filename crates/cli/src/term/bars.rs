//! Bar charts for a terminal.

use std::io::{self, Write};

use console::Style;
use unicode_width::UnicodeWidthStr;

use crate::term::count::Grouped;
use crate::term::messages::printable;
use crate::term::shortened::shortened;

/// The longest bar.
const BAR: usize = 40;
/// No name is cut to less than this.
const NAME: usize = 12;

/// Prints a row for each count, if there is one: its name, the number, and a bar.
pub(crate) fn chart(
    out: &mut dyn Write,
    title: &str,
    counts: impl Iterator<Item = (String, u64)>,
    width: Option<usize>,
) -> io::Result<()> {
    let counts = counts.map(|(name, number)| (printable(&name).into_owned(), number));
    let counts: Vec<_> = counts.collect();
    if counts.is_empty() {
        return Ok(());
    }
    let most = counts.iter().map(|(_, n)| *n).max().unwrap_or(1);
    let number_width = Grouped(most).to_string().len();
    let margins = number_width + 6;
    let mut name_width = counts
        .iter()
        .map(|(name, _)| name.width())
        .max()
        .unwrap_or(0);
    if let Some(columns) = width {
        name_width = name_width.min((columns.saturating_sub(margins) * 2 / 3).max(NAME));
    }
    let room = width.map_or(BAR, |columns| columns.saturating_sub(margins + name_width));
    let longest = room.clamp(1, BAR) as u64;
    writeln!(out, "\n{}", Style::new().dim().apply_to(printable(title)))?;
    for (name, number) in &counts {
        // A value above 0 is visible, even if it is very small.
        let length = (u128::from(*number) * u128::from(longest)).div_ceil(u128::from(most.max(1)));
        let bar = "█".repeat(length as usize);
        let bar = Style::new().cyan().apply_to(bar);
        let name = shortened(name, name_width);
        let padding = " ".repeat(name_width.saturating_sub(name.width()));
        let number = Grouped(*number).to_string();
        writeln!(out, "  {name}{padding}  {number:>number_width$}  {bar}")?;
    }
    Ok(())
}
