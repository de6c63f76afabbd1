//! Numbers and dates in the form of the page.

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, FixedOffset};

use super::model::{Changes, Probed, Report};
use crate::term::count::{Count, Grouped};

/// The result in a line: `7 errors, 65 warnings, 4 of 13 sitemaps not read to the end`.
pub(crate) fn in_short(report: &Report) -> String {
    let totals = &report.totals;
    let unseen = report.unseen.as_ref();
    let unseen = unseen.map(|unseen| format!("{} not seen", Count(unseen.pages, "page")));
    let mut parts = Count::nonzero([
        Count(totals.errors, "error"),
        Count(totals.warnings, "warning"),
    ]);
    parts.extend(unseen);
    if totals.unread > 0 {
        parts.push(format!("{} not read to the end", unread(report)));
    }
    parts.extend(report.lost());
    parts.extend(report.probe.as_ref().and_then(of_probe));
    if let Some(Changes { findings, .. }) = &report.changes {
        let (new, fixed) = (Grouped(findings.new), Grouped(findings.fixed));
        parts.push(format!("{new} new, {fixed} fixed"));
    }
    if parts.is_empty() {
        let found = report.not_whole.as_deref();
        return found.map_or_else(|| "no problems found".to_owned(), str::to_owned);
    }
    parts.join(", ")
}

/// What a probe found: `37 of 100 requested pages should not be listed`. Nothing if all are as they should be.
pub(crate) fn of_probe(probe: &Probed) -> Option<String> {
    let bad = probe.bad();
    let (name, should) = if probe.is_map {
        ("old URL", "do not lead where they should")
    } else {
        ("requested page", "should not be listed")
    };
    let mut of = if probe.only_bad {
        Count(bad, name).to_string()
    } else {
        format!("{} of {}", Grouped(bad), Count(probe.pages, name))
    };
    if let Some(all) = probe.sample_of {
        let all = Count(all, "page");
        let sample = format!(", a sample of {all} with the same number of each sitemap,");
        of.push_str(&sample);
    }
    (bad > 0).then(|| format!("{of} {should}"))
}

/// Those that could not be read to their end, of those that were tried: `4 of 13 sitemaps`.
pub(crate) fn unread(report: &Report) -> String {
    let totals = &report.totals;
    let failed = totals.unread.saturating_sub(totals.partly);
    let all = Count(totals.sitemaps + failed, "sitemap");
    format!("{} of {all}", Grouped(totals.unread))
}

/// `a, b and c`
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How a figure has changed: `▾ 247`. Nothing if it has not.
pub(crate) fn delta(before: u64, now: u64) -> Option<String> {
    match now.checked_sub(before) {
        Some(0) => None,
        Some(more) => Some(format!("▴ {}", Grouped(more))),
        None => Some(format!("▾ {}", Grouped(before - now))),
    }
}

/// `512 bytes`, `12.3 kB`, `50.0 MB`; thousands, as file managers have them.
pub(crate) fn bytes(number: &u64) -> String {
    let thousands = *number as f64 / 1_000.0;
    match *number {
        number @ 0..1_000 => Count(number, "byte").to_string(),
        1_000..999_950 => format!("{thousands:.1} kB"),
        _ => format!("{:.1} MB", thousands / 1_000.0),
    }
}

pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        whole => part as f64 * 100.0 / whole as f64,
    }
}

/// `93%`; never `0%` of something, never `100%` of less than all.
pub(crate) fn share(part: u64, whole: u64) -> String {
    let percent = percent(part, whole);
    match percent.round() as u64 {
        0 if part > 0 => "<1%".to_owned(),
        100 if part < whole => ">99%".to_owned(),
        rounded => format!("{rounded}%"),
    }
}

/// The day of a date-time, or all of what is shorter or something else.
pub(crate) fn day(date: &str) -> &str {
    match date.split_once('T') {
        Some((day, _)) => day,
        None => date,
    }
}

/// The moment of a date-time in UTC, to the minute: `2026-11-22 20:15 UTC`.
pub(crate) fn minute(date: &str) -> String {
    match moment(date) {
        Some(moment) => moment.to_utc().format("%Y-%m-%d %H:%M UTC").to_string(),
        None => date.to_owned(),
    }
}

fn moment(date: &str) -> Option<DateTime<FixedOffset>> {
    Some(date.parse::<W3cDatetime>().ok()?.start())
}

/// How long before the report that was: `on the day of this report`, `3 days earlier`.
pub(crate) fn age(date: &str, made: &str) -> Option<String> {
    let days = (moment(made)? - moment(date)?).num_hours().div_euclid(24);
    let age = match u64::try_from(days) {
        Err(_) => return Some("later than this report".to_owned()),
        Ok(0) => return Some("on the day of this report".to_owned()),
        Ok(days @ 1..60) => Count(days, "day"),
        Ok(days @ 60..730) => Count(days / 30, "month"),
        Ok(days) => Count(days / 365, "year"),
    };
    Some(format!("{age} before this report"))
}
