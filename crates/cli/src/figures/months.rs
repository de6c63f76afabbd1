//! Pages by month of lastmod.

use std::collections::BTreeMap;

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::judge::dates;

/// Months that have a row; those before them share one.
const MONTHS: usize = 36;

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct MonthCount {
    /// `2026-11`, or `2026` for dates without a month; `before 2024-01`, and `impossible` for dates that cannot be true.
    pub(crate) month: String,
    pub(crate) pages: u64,
}

/// Counts pages by month. There are few months, because dates that cannot be true are counted together.
#[derive(Debug, Default)]
pub(super) struct MonthCounts {
    /// By year and month; month 0 is for dates without a month.
    dated: BTreeMap<(i32, u32), u64>,
    impossible: u64,
}

impl MonthCounts {
    pub(super) fn add(&mut self, lastmod: W3cDatetime, now: DateTime<Utc>) {
        let count = if dates::implausible(lastmod, now).is_some() {
            &mut self.impossible
        } else {
            let month = (lastmod.year(), lastmod.month().unwrap_or(0));
            self.dated.entry(month).or_default()
        };
        *count += 1;
    }

    /// The months that have pages, oldest first.
    pub(super) fn table(&self) -> Vec<MonthCount> {
        let name = |(year, month): (i32, u32)| match month {
            0 => format!("{year}"),
            month => format!("{year}-{month:02}"),
        };
        let left_out = self.dated.len().saturating_sub(MONTHS);
        let before: u64 = self.dated.values().take(left_out).sum();
        let mut latest = self.dated.iter().skip(left_out).peekable();
        let first = latest.peek().map(|(month, _)| name(**month));
        let before = (format!("before {}", first.unwrap_or_default()), before);
        let latest = latest.map(|(month, pages)| (name(*month), *pages));
        let impossible = ("impossible".to_owned(), self.impossible);
        let rows = [before].into_iter().chain(latest).chain([impossible]);
        rows.filter(|(_, pages)| *pages > 0)
            .map(|(month, pages)| MonthCount { month, pages })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;

    fn months(dates: &[&str]) -> Vec<(String, u64)> {
        let pages: Vec<_> = dates
            .iter()
            .map(|date| ("https://e.com/a", *date))
            .collect();
        let months = tree(&pages).months().into_iter();
        months.map(|count| (count.month, count.pages)).collect()
    }

    #[test]
    fn dates_that_cannot_be_true_are_no_month() {
        let dates = [
            "2026-09",
            "2024",
            "2026-10-30T23:00:00+02:00",
            "2026-10",
            "2031-01-01",
            "1969",
            "",
        ];
        let expected = [
            ("2024", 1),
            ("2026-09", 1),
            ("2026-10", 2),
            ("impossible", 2),
        ];
        assert_eq!(
            months(&dates),
            expected.map(|(month, pages)| (month.to_owned(), pages))
        );
        assert_eq!(months(&[]), []);
        assert_eq!(months(&[""]), []);
    }

    #[test]
    fn early_months_share_a_row() {
        let dates: Vec<_> = (2020..2025)
            .flat_map(|year| (1..=12).map(move |month| format!("{year}-{month:02}")))
            .collect();
        let dates: Vec<_> = dates.iter().map(String::as_str).collect();
        let months = months(&dates);
        assert_eq!(months.len(), 37);
        assert_eq!(months[0], ("before 2022-01".to_owned(), 24));
    }
}
