//! Pages by month of lastmod and by section, in a table of bounded size.

use std::collections::HashMap;

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Datelike, Utc};
use serde::{Deserialize, Serialize};

use super::names::largest;

/// Sections that have a row.
const ROWS: usize = 24;
/// Columns of months.
const MONTHS: u32 = 36;
/// Months are numbered from January of this year on; what is before is month 0, too.
const FIRST_YEAR: i32 = 1990;
/// Numbers of pages by section and month that are kept.
const COUNTS: usize = 100_000;

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Months {
    /// `2026-11`, oldest first. The first can include all months before it, `before 2025-01`, and the last those after
    /// it, `after 2026-11`.
    pub(crate) months: Vec<String>,
    pub(crate) rows: Vec<MonthRow>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct MonthRow {
    pub(crate) section: String,
    /// A count for each month.
    pub(crate) pages: Vec<u64>,
    pub(crate) undated: u64,
}

/// Pages by section and month.
#[derive(Debug, Default)]
pub(super) struct MonthCounts {
    dated: HashMap<(usize, u32), u64>,
    /// By section. There are no more sections than folders.
    undated: HashMap<usize, u64>,
}

impl MonthCounts {
    pub(super) fn add(&mut self, section: usize, lastmod: Option<W3cDatetime>) {
        let Some(lastmod) = lastmod else {
            *self.undated.entry(section).or_default() += 1;
            return;
        };
        let mut month = number_of(lastmod.year(), lastmod.month().unwrap_or(1));
        if self.dated.len() >= COUNTS && !self.dated.contains_key(&(section, month)) {
            month = 0;
        }
        *self.dated.entry((section, month)).or_default() += 1;
    }

    /// The columns are the latest months up to now, and one each for all before and after them if there are any.
    pub(super) fn table(&self, now: DateTime<Utc>, name: &dyn Fn(usize) -> String) -> Months {
        if self.dated.is_empty() {
            return Months::default();
        }
        let now = number_of(now.year(), now.month());
        let numbers = || self.dated.keys().map(|(_, month)| *month);
        let latest = numbers().filter(|month| *month <= now).max().unwrap_or(now);
        let earliest = numbers().filter(|month| *month > 0).min().unwrap_or(latest);
        let first = earliest
            .max((latest + 1).saturating_sub(MONTHS))
            .min(latest);
        let has_before = numbers().any(|month| month < first);
        let has_after = numbers().any(|month| month > now);
        let mut months = Vec::new();
        months.extend(has_before.then(|| format!("before {}", name_of(first))));
        months.extend((first..=latest).map(name_of));
        months.extend(has_after.then(|| format!("after {}", name_of(now))));
        let column = |month: u32| match month {
            month if month < first => 0,
            month if month > now => months.len().saturating_sub(1),
            month => (month - first) as usize + usize::from(has_before),
        };
        let mut rows: HashMap<usize, (Vec<u64>, u64)> = HashMap::new();
        let empty = || (vec![0; months.len()], 0);
        for ((section, month), count) in &self.dated {
            let (pages, _) = rows.entry(*section).or_insert_with(empty);
            if let Some(pages) = pages.get_mut(column(*month)) {
                *pages += count;
            }
        }
        for (section, count) in &self.undated {
            rows.entry(*section).or_insert_with(empty).1 += count;
        }
        let rows = largest(
            rows.into_iter().map(|(section, row)| (name(section), row)),
            ROWS,
            |(pages, undated)| pages.iter().sum::<u64>() + undated,
            |(pages, undated), (more_pages, more_undated)| {
                *undated += more_undated;
                for (pages, more) in pages.iter_mut().zip(more_pages) {
                    *pages += more;
                }
            },
        );
        let rows = rows
            .into_iter()
            .map(|(section, (pages, undated))| MonthRow {
                section,
                pages,
                undated,
            });
        Months {
            rows: rows.collect(),
            months,
        }
    }
}

fn number_of(year: i32, month: u32) -> u32 {
    let years = u32::try_from(year - FIRST_YEAR);
    years.map_or(0, |years| years * 12 + month.saturating_sub(1))
}

fn name_of(number: u32) -> String {
    format!("{}-{:02}", FIRST_YEAR as u32 + number / 12, number % 12 + 1)
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    #[test]
    fn months_before_and_after_have_a_column_each() {
        let tree = tree(&[
            ("https://example.com/a", "1980"),
            ("https://example.com/blog/a", "2020-05-06"),
            ("https://example.com/blog/b", "2026-10-30T23:00:00+02:00"),
            ("https://example.com/blog/b", "2026-09"),
            ("https://example.com/c", "2031-01-01"),
            ("https://example.com/d", ""),
        ]);
        let Months { months, rows } = tree.months();
        assert_eq!(months.len(), 38);
        assert_eq!(months[0], "before 2023-11");
        assert_eq!(months[35..], ["2026-09", "2026-10", "after 2026-11"]);
        assert_eq!(
            (rows[0].section.as_str(), rows[0].undated),
            ("https://example.com/", 1)
        );
        assert_eq!((rows[0].pages[0], rows[0].pages[37]), (1, 1));
        assert_eq!(rows[1].section, "https://example.com/blog/");
        assert_eq!(
            (rows[1].pages[0], rows[1].pages[35], rows[1].pages[36]),
            (1, 1, 1)
        );
    }

    #[test]
    fn where_nothing_has_a_date_there_are_no_months() {
        assert_eq!(tree(&[]).months(), Months::default());
        let undated = tree(&[("https://example.com/a", "")]).months();
        assert_eq!(undated, Months::default());
    }
}
