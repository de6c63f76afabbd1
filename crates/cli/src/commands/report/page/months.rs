//! Pages by month of lastmod and by section, as a table whose cells are coloured.

use crate::figures::months::Months;

/// Shades of a cell that has pages.
const SHADES: f64 = 6.0;

#[derive(Debug)]
pub(super) struct Heat<'a> {
    pub(super) heads: Vec<Head<'a>>,
    /// Below the years, in full (`2026-11`) and without the year.
    pub(super) months: Vec<(&'a str, &'a str)>,
    /// Pages of the cell that has most.
    most: u64,
}

/// Labels above the columns.
#[derive(Debug, PartialEq)]
pub(super) enum Head<'a> {
    /// A year, and the number of its months.
    Year(&'a str, usize),
    /// A column that is not a month: all before, or all to come.
    Other(&'a str),
}

/// The labels of the table of pages by month and folder.
pub(super) fn heat(months: &Months) -> Heat<'_> {
    let counts = months.rows.iter().flat_map(|row| &row.pages);
    let (mut heads, mut names): (Vec<Head<'_>>, Vec<_>) = Default::default();
    for whole in &months.months {
        let parts = whole.split_once('-');
        let Some((year, month)) = parts.filter(|(year, _)| year.len() == 4) else {
            heads.push(Head::Other(whole));
            continue;
        };
        names.push((whole.as_str(), month));
        match heads.last_mut() {
            Some(Head::Year(last, months)) if *last == year => *months += 1,
            _ => heads.push(Head::Year(year, 1)),
        }
    }
    Heat {
        heads,
        months: names,
        most: counts.copied().max().unwrap_or(0),
    }
}

impl Heat<'_> {
    /// The shade of a cell: 0 without pages, then 1 to 6, by the logarithm of its share of the largest one, so that a
    /// month with an import does not make all others pale.
    pub(super) fn shade(&self, pages: &u64) -> u8 {
        match *pages {
            0 => 0,
            pages => (SHADES * (pages as f64).ln_1p() / (self.most as f64).ln_1p())
                .ceil()
                .clamp(1.0, SHADES) as u8,
        }
    }
}
