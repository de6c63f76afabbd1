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

impl Figure {
    /// The class of its colour.
    pub(crate) fn tone(&self) -> &'static str {
        match self.severity {
            Some(Severity::Error) => "bad",
            Some(Severity::Warning) => "warn",
            Some(Severity::Advice) | None => "",
        }
    }
}

/// The six figures that the terminal and the page show, each with its change.
pub(crate) fn figures(report: &Report) -> [Figure; 6] {
    let totals = &report.totals;
    let changes = report.changes.as_ref();
    let earlier = changes.and_then(|changes| changes.totals.as_ref());
    let delta = |of: fn(&Totals) -> u64| words::delta(of(earlier?), of(totals));
    let bad = |count: u64, severity| (count > 0).then_some(severity);
    let unread = match (totals.partly, totals.not_read) {
        (0, 0) if report.is_bounded => "not all of them read to their end".to_owned(),
        (0, 0) => "all read to their end".to_owned(),
        (0, not_read) => format!("{} more not read", Grouped(not_read)),
        (partly, 0) => format!("{} of them not read to the end", Grouped(partly)),
        (partly, not_read) => format!(
            "{} of them not read to the end, {} more not read",
            Grouped(partly),
            Grouped(not_read)
        ),
    };
    let newest = totals.newest.map(|newest| newest.to_string());
    let (newest, age) = match &newest {
        Some(newest) => (words::day(newest), words::age(newest, &report.made)),
        None => ("none", Some("no page has a lastmod".to_owned())),
    };
    let warnings = match (totals.warnings, totals.advice) {
        (0, advice @ 1..) => format!("no warnings, {}", Count(advice, "piece of advice")),
        _ => most_frequent(report, Severity::Warning, "warning"),
    };
    let figure = |name, section, value, word| Figure {
        name,
        value,
        word,
        severity: None,
        delta: None,
        section,
    };
    let number = |count: u64| Grouped(count).to_string();
    let pages = number(totals.pages);
    let sitemaps = number(totals.sitemaps);
    let dated = words::share(totals.dated, totals.pages);
    let with_lastmod = format!("{} with a lastmod", Count(totals.dated, "page"));
    let errors = most_frequent(report, Severity::Error, "error");
    [
        Figure {
            delta: changes.and_then(|changes| words::delta(changes.pages_before, totals.pages)),
            ..figure("Pages", "folders", pages, where_pages_are(report))
        },
        Figure {
            severity: bad(totals.unread, Severity::Error)
                .or_else(|| bad(u64::from(report.is_bounded), Severity::Warning)),
            delta: delta(|totals| totals.sitemaps),
            ..figure("Sitemaps", "sitemaps", sitemaps, unread)
        },
        Figure {
            delta: delta(|totals| totals.dated),
            ..figure("With a date", "lastmod", dated, with_lastmod)
        },
        figure(
            "Newest date",
            "lastmod",
            newest.to_owned(),
            age.unwrap_or_default(),
        ),
        Figure {
            severity: bad(totals.errors, Severity::Error),
            delta: delta(|totals| totals.errors),
            ..figure("Errors", "findings", number(totals.errors), errors)
        },
        Figure {
            severity: bad(totals.warnings, Severity::Warning),
            delta: delta(|totals| totals.warnings),
            ..figure("Warnings", "findings", number(totals.warnings), warnings)
        },
    ]
}

/// The rule with the most findings of that severity. In a tie there is none.
fn most_frequent(report: &Report, severity: Severity, name: &str) -> String {
    let mut rules = report.rules.iter().filter(|rule| rule.level == severity);
    match (rules.next(), rules.next()) {
        (None, _) => format!("no {name}s"),
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
                let share = if largest.pages == host.pages {
                    "all".to_owned()
                } else {
                    words::share(largest.pages, host.pages)
                };
                format!("{share} of them in {}", largest.name)
            }
            _ => format!("on {}", words::without_scheme(&host.name)),
        },
        hosts => format!("on {}", Count(hosts.len() as u64, "host")),
    }
}
