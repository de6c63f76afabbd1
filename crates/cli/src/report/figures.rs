//! The six figures that a report begins with.

use super::model::{Report, Totals};
use super::words;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// A figure, with a word on it.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) word: String,
    /// How bad the value is.
    pub(crate) severity: Option<Severity>,
    /// Since the earlier state: `▾ 247`.
    pub(crate) delta: Option<String>,
    /// The section of the page that has more of it.
    pub(crate) section: &'static str,
}

/// The six figures that the terminal and the page show, each with its change.
pub(crate) fn figures(report: &Report) -> [Figure; 6] {
    let totals = &report.totals;
    let changes = report.changes.as_ref();
    let earlier = changes.map(|changes| &changes.totals);
    let figure = |name, section, of: fn(&Totals) -> u64, severity, word| Figure {
        name,
        value: Grouped(of(totals)).to_string(),
        word,
        severity,
        delta: earlier.and_then(|earlier| words::delta(of(earlier), of(totals))),
        section,
    };
    let dated = format!("{} of the pages", words::share(totals.dated, totals.pages));
    let warnings = match (totals.warnings, totals.advice) {
        (0, advice @ 1..) => format!("no warnings, {}", Count(advice, "piece of advice")),
        _ => most_frequent(report, Severity::Warning),
    };
    let errors = most_frequent(report, Severity::Error);
    let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
    let unread = error.filter(|_| totals.unread > 0);
    let unread = unread.or(warning.filter(|_| report.is_bounded));
    let is = |severity: Option<Severity>, count| severity.filter(|_| count > 0);
    let (error, warning) = (is(error, totals.errors), is(warning, totals.warnings));
    let (where_pages_are, read) = (where_pages_are(report), how_far_read(report));
    [
        figure("Pages", "folders", |all| all.pages, None, where_pages_are),
        figure("Sitemaps", "sitemaps", |all| all.sitemaps, unread, read),
        figure("With a date", "lastmod", |all| all.dated, None, dated),
        newest(report),
        figure("Errors", "findings", |all| all.errors, error, errors),
        figure(
            "Warnings",
            "findings",
            |all| all.warnings,
            warning,
            warnings,
        ),
    ]
}

fn newest(report: &Report) -> Figure {
    let newest = report.totals.newest.map(|newest| newest.to_string());
    let (value, age) = match &newest {
        Some(newest) => (words::day(newest), words::age(newest, &report.made)),
        None => ("none", Some("no page has a date".to_owned())),
    };
    Figure {
        name: "Newest date",
        value: value.to_owned(),
        word: age.unwrap_or_default(),
        severity: None,
        delta: None,
        section: "lastmod",
    }
}

fn how_far_read(report: &Report) -> String {
    let (partly, not_read) = (report.totals.partly, report.totals.not_read);
    let partly = (partly > 0).then(|| format!("{} of them not read to the end", Grouped(partly)));
    let not_read = (not_read > 0).then(|| format!("{} more not read", Grouped(not_read)));
    match (partly, not_read) {
        (Some(partly), Some(not_read)) => format!("{partly}, {not_read}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) if report.is_bounded => "not all of them read to their end".to_owned(),
        (None, None) => match left_out(report) {
            0 => "all read to their end".to_owned(),
            more => format!("{} more left out by options", Grouped(more)),
        },
    }
}

/// Sitemaps that options left out.
fn left_out(report: &Report) -> u64 {
    let left_out = report.left_out.iter().filter(|row| !row.is_lost);
    left_out.map(|row| row.sitemaps).sum()
}

/// The rule with the most findings of that severity. In a tie there is none.
fn most_frequent(report: &Report, severity: Severity) -> String {
    let mut rules = report.rules.iter().filter(|rule| rule.level == severity);
    match (rules.next(), rules.next()) {
        (None, _) => format!("no {}s", severity.name()),
        (Some(first), second) if second.is_none_or(|second| second.count < first.count) => {
            format!("most often: {}", first.heading)
        }
        _ => "of several kinds".to_owned(),
    }
}

/// The share of the largest folder, or the only host, or the number of hosts.
fn where_pages_are(report: &Report) -> String {
    match report.sections.as_slice() {
        [] => "no pages".to_owned(),
        [host] => match host.sections.first() {
            // A small share is not representative of the site.
            Some(largest) if largest.pages.saturating_mul(10) >= host.pages => {
                let share = words::share(largest.pages, host.pages);
                format!("{share} of them in {}", largest.name)
            }
            _ => format!("on {}", host.name),
        },
        hosts => format!("on {}", Count(hosts.len() as u64, "host")),
    }
}
