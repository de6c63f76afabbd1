//! Pages by the day and the month of lastmod.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashbrown::HashMap;
use quick_sitemap::{Precision, W3cDatetime};

/// Months that have a row; those before them share one.
const MONTHS: usize = 36;
/// Days that are shown.
const SHARED: usize = 10;

/// Counts pages by day. There are few days, because dates that cannot be true are counted together.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    /// By the day, or by the month or year of a date without a day.
    days: HashMap<W3cDatetime, u64>,
    impossible: u64,
}

impl Dates {
    /// Counts a page; `None` stands for a date that cannot be true.
    pub(crate) fn add(&mut self, date: Option<W3cDatetime>) {
        let day = date.map(|date| date.with_precision(Precision::Day));
        *match day {
            Some(day) => self.days.entry(day).or_default(),
            None => &mut self.impossible,
        } += 1;
    }

    /// `2026-11`, or `2026` for dates without a month, oldest first; at the begin `before 2024-01`, and at the end `impossible`.
    pub(crate) fn months(&self) -> Vec<(String, u64)> {
        let mut months = BTreeMap::new();
        for (day, pages) in &self.days {
            let month = (day.year(), day.month().unwrap_or(0));
            *months.entry(month).or_default() += pages;
        }
        let early = months.len().saturating_sub(MONTHS);
        let before: u64 = months.values().take(early).sum();
        let latest = months.into_iter().skip(early);
        let latest = latest.map(|((year, month), pages)| match month {
            0 => (format!("{year}"), pages),
            month => (format!("{year}-{month:02}"), pages),
        });
        let mut rows: Vec<_> = latest.collect();
        if let Some((first, _)) = rows.first().filter(|_| before > 0) {
            rows.insert(0, (format!("before {first}"), before));
        }
        rows.extend((self.impossible > 0).then(|| ("impossible".to_owned(), self.impossible)));
        rows
    }

    /// The days that several pages share, the commonest first.
    pub(crate) fn shared(&self) -> Vec<(String, u64)> {
        let mut days: Vec<_> = self.days.iter().filter(|(_, pages)| **pages > 1).collect();
        days.sort_by_key(|(day, pages)| Reverse((*pages, *day)));
        let days = days.into_iter().take(SHARED);
        days.map(|(day, pages)| (day.to_string(), *pages)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::dates::implausible;

    fn months(dates: &[&str]) -> Vec<(String, u64)> {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let mut counted = Dates::default();
        for date in dates.iter().filter_map(|date| date.parse().ok()) {
            counted.add(Some(date).filter(|date| implausible(*date, now).is_none()));
        }
        counted.months()
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
