//! The dates that many pages of a file share, counted in bounded memory.

use hashbrown::HashMap;
use quick_sitemap::{Precision, W3cDatetime};

use super::finding::Finding;

/// Pages from which on a file is judged.
const LEAST_PAGES: u64 = 20;
/// One date on more than this fraction of the pages is reported.
const SHARE: u64 = 4;
/// Dates that are counted at a time.
const COUNTED: usize = 256;

/// The lastmods of the pages of a file, by the most frequent.
///
/// If there are more dates than are counted, each new one takes one page away from all the others (the algorithm of Misra
/// and Gries). So a date on more than a quarter of the pages is never lost, and no number is too high.
#[derive(Debug, Default)]
pub(crate) struct LastmodCounts {
    pages: u64,
    /// By the minute: a build that takes a while dates its pages in several seconds.
    dates: HashMap<i64, Count>,
}

#[derive(Debug, Default)]
struct Count {
    pages: u64,
    /// One of these pages, with its date. It is set when there are as many pages as a finding requires.
    example: Option<Box<(Finding, W3cDatetime)>>,
}

/// A date that too many pages share.
#[derive(Debug)]
pub(crate) struct SharedDate {
    /// All pages.
    pub(crate) pages: u64,
    /// Those with the date.
    pub(crate) with: u64,
    /// As a page has it.
    pub(crate) date: W3cDatetime,
    finding: Finding,
}

impl LastmodCounts {
    /// Counts a page. `found` returns a finding on it, without a message.
    pub(crate) fn add(&mut self, lastmod: Option<W3cDatetime>, found: impl FnOnce() -> Finding) {
        self.pages += 1;
        let Some(lastmod) = lastmod else {
            return;
        };
        let minute = lastmod.timestamp_micros().div_euclid(60_000_000);
        if self.dates.len() >= COUNTED && !self.dates.contains_key(&minute) {
            self.dates.retain(|_, count| {
                count.pages -= 1;
                count.pages > 0
            });
            return;
        }
        let count = self.dates.entry(minute).or_default();
        count.pages += 1;
        if count.pages > LEAST_PAGES / SHARE && count.example.is_none() {
            count.example = Some(Box::new((found(), lastmod)));
        }
    }

    /// The date that too many pages have, if there is one. Forgets all dates.
    pub(crate) fn take(&mut self) -> Option<SharedDate> {
        let Self { pages, dates } = std::mem::take(self);
        let most = dates
            .into_iter()
            .max_by_key(|(minute, count)| (count.pages, *minute));
        let (with, example) = most.map(|(_, count)| (count.pages, count.example))?;
        let is_shared = pages >= LEAST_PAGES && with * SHARE > pages;
        let (finding, date) = *example.filter(|_| is_shared)?;
        Some(SharedDate {
            pages,
            with,
            date,
            finding,
        })
    }
}

impl SharedDate {
    pub(crate) fn finding(self) -> Finding {
        let (pages, with, date) = (self.pages, self.with, self.date);
        let about = if date.precision() > Precision::Minute {
            ", or seconds from it"
        } else {
            ""
        };
        let message = format!(
            "{with} of {pages} pages have the lastmod `{date}`{about}, which looks like the time at which the sitemap was made"
        );
        Finding {
            message,
            ..self.finding
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::Reader;

    use super::super::entry_source::EntrySource;
    use super::*;
    use crate::judge::rules::rule;

    /// The message about pages with these dates.
    fn message(dates: impl IntoIterator<Item = String>) -> Option<String> {
        let mut reader = Reader::from_bytes("https://example.com/");
        reader.read_raw().unwrap();
        let source = EntrySource::Raw {
            raw: reader.raw().unwrap(),
            keeps_line: false,
        };
        let mut counts = LastmodCounts::default();
        for date in dates {
            let found = || source.placed(Finding::of("lastmod", rule!("shared-lastmod"), ""));
            counts.add(date.parse().ok(), found);
            assert!(counts.dates.len() <= COUNTED);
        }
        let advice = counts.take();
        assert!(counts.take().is_none());
        advice.map(|advice| advice.finding().message)
    }

    /// This number of pages with one date, among others with a date each.
    fn shared(date: &str, pages: usize, others: usize) -> Option<String> {
        let own = (0..others).map(|n| format!("{:04}-01-01", 1970 + n));
        message(std::iter::repeat_n(date.to_owned(), pages).chain(own))
    }

    #[test]
    fn more_than_a_quarter_of_twenty_pages() {
        let begins = |message: Option<String>, begin: &str| {
            assert!(
                message
                    .as_deref()
                    .is_some_and(|text| text.starts_with(begin)),
                "{message:?}"
            );
        };
        assert_eq!(shared("2024-05-06", 5, 15), None);
        assert_eq!(shared("2024-05-06", 6, 18), None);
        assert_eq!(shared("2024-05-06", 19, 0), None);
        begins(
            shared("2024-05-06", 6, 14),
            "6 of 20 pages have the lastmod `2024-05-06`, ",
        );
        begins(
            shared("2024-05-06", 20, 0),
            "20 of 20 pages have the lastmod `2024-05-06`, ",
        );
        // Pages without a date count.
        assert_eq!(shared("x", 15, 5), None);
        let seconds = (0..60).map(|n| format!("2024-05-06T07:08:{n:02}+02:00"));
        begins(
            message(seconds),
            "60 of 60 pages have the lastmod `2024-05-06T07:08:05+02:00`, or seconds from it, ",
        );
        let hours = (0..24).map(|n| format!("2024-05-06T{n:02}:08:09Z"));
        assert_eq!(message(hours), None);
    }

    /// Among more dates than are counted, the number may be too low, but not too high.
    #[test]
    fn a_date_among_many_is_found() {
        let dates = (0..9_000).map(|n| match n % 3 {
            0 => "2024-05-06".to_owned(),
            _ => format!("{:04}-{:02}-{:02}", 1970 + n % 50, 1 + n % 12, 1 + n % 28),
        });
        let message = message(dates).unwrap();
        let number: u64 = message.split(' ').next().unwrap().parse().unwrap();
        assert!((2_900..=3_000).contains(&number), "{message}");
        let none =
            (0..9_000).map(|n| format!("{:04}-{:02}-{:02}", 1970 + n % 50, 1 + n % 12, 1 + n % 28));
        assert_eq!(self::message(none), None);
    }
}
