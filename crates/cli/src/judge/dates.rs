//! Dates that cannot be true.

use quick_sitemap::chrono::{DateTime, Datelike, Utc};
use quick_sitemap::{Entry, UrlEntry, W3cDatetime};

use super::finding::Finding;
use super::rules::rule;

/// In microseconds. A date may be that far in the future: without a time it begins earlier in the east, and clocks differ.
pub(crate) const DAY: i64 = 86_400_000_000;

/// Adds the dates of an entry, which may be a page, that cannot be true.
pub(crate) fn judge(
    lastmod: Option<W3cDatetime>,
    page: Option<&UrlEntry>,
    now: DateTime<Utc>,
    found: &mut Vec<Finding>,
) {
    let news = page.and_then(|page| page.news.as_ref());
    let published = news.and_then(|news| news.publication_date);
    let mut judge = |date: Option<W3cDatetime>, name, element, rule| {
        let why = date.and_then(|date| Some((date, implausible(date, now)?)));
        found.extend(
            why.map(|(date, why)| Finding::of(element, rule, &format!("{name} `{date}` {why}"))),
        );
    };
    let (of_page, of_news) = (rule!("implausible-lastmod"), rule!("implausible-news-date"));
    judge(lastmod, "lastmod", "lastmod", of_page);
    judge(published, "publication_date", "news", of_news);
}

/// The date of a page: its lastmod, or else the publication date of the article.
pub(crate) fn of_page(page: &UrlEntry) -> Option<W3cDatetime> {
    let published = page.news.as_ref().and_then(|news| news.publication_date);
    page.lastmod.or(published)
}

/// The date of a page, or the lastmod of a sitemap.
pub(crate) fn of_entry(entry: &Entry) -> Option<W3cDatetime> {
    entry.as_url().map_or(entry.lastmod(), of_page)
}

/// The date of a page, unless it cannot be true.
pub(crate) fn plausible_of_page(page: &UrlEntry, now: DateTime<Utc>) -> Option<W3cDatetime> {
    of_page(page).filter(|date| implausible(*date, now).is_none())
}

/// Returns the reason why the date of a change cannot be true, if it cannot.
pub(crate) fn implausible(date: W3cDatetime, now: DateTime<Utc>) -> Option<&'static str> {
    let at = date.timestamp_micros();
    if at > now.timestamp_micros() + DAY {
        return Some("is in the future");
    }
    if at >= 2 * DAY {
        return None;
    }
    let start = date.start();
    if at == 0 || (start.year(), start.ordinal()) == (1970, 1) {
        return Some("is the zero of a clock, not a date");
    }
    (at < 0).then_some("is before 1970")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_epoch_and_what_lies_more_than_a_day_ahead() {
        let now = "2026-11-23T12:00:00Z".parse().unwrap();
        let why = |date: &str| implausible(date.parse().unwrap(), now);
        for date in [
            "2026-11-23",
            "2026-11-24",
            "2026-11-24T12:00:00Z",
            "2026-11-24T01:00:00+14:00",
            "1970-01-02",
            "1970-01-02T00:00:00+14:00",
            "1970-06",
        ] {
            assert_eq!(why(date), None, "{date}");
        }
        for date in ["2026-11-25", "2026-11-24T12:00:01Z", "2031"] {
            assert_eq!(why(date), Some("is in the future"), "{date}");
        }
        for date in [
            "1970-01-01",
            "1970-01-01T01:00:00+01:00",
            "1970-01-01T00:00:00-05:00",
            "1969-12-31T19:00:00-05:00",
            "1970",
        ] {
            assert_eq!(
                why(date),
                Some("is the zero of a clock, not a date"),
                "{date}"
            );
        }
        assert_eq!(why("1969-12-31"), Some("is before 1970"));
    }
}
