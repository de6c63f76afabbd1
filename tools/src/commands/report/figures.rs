//! The six figures that a report begins with.

use super::model::{Report, Totals};
use super::words;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// A figure, with a word on it.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) word: String,
    /// How bad the value is.
    pub(super) severity: Option<Severity>,
    /// Since the earlier state: `▾ 247`.
    pub(super) delta: Option<String>,
    /// The section of the page that has more of it.
    pub(super) section: &'static str,
}

impl Figure {
    /// The class of its colour.
    pub(super) fn tone(&self) -> &'static str {
        match self.severity {
            Some(Severity::Error) => "bad",
            Some(Severity::Warning) => "warn",
            Some(Severity::Advice) | None => "",
        }
    }
}

/// The six figures that the terminal and the page show, each with its change.
pub(super) fn figures(report: &Report) -> [Figure; 6] {
    let totals = &report.totals;
    let changes = report.changes.as_ref();
    let earlier = changes.and_then(|changes| changes.totals.as_ref());
    let delta = |of: fn(&Totals) -> u64| words::delta(of(earlier?), of(totals));
    let bad = |count: u64, severity| (count > 0).then_some(severity);
    let unread = match totals.unread {
        0 => "all read to their end".to_owned(),
        unread => format!("{} of them not read to the end", Grouped(unread)),
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
    [
        Figure {
            name: "Pages",
            value: Grouped(totals.pages).to_string(),
            word: where_pages_are(report),
            severity: None,
            delta: changes.and_then(|changes| words::delta(changes.pages_before, totals.pages)),
            section: "folders",
        },
        Figure {
            name: "Sitemaps",
            value: Grouped(totals.sitemaps).to_string(),
            word: unread,
            severity: bad(totals.unread, Severity::Error),
            delta: delta(|totals| totals.sitemaps),
            section: "sitemaps",
        },
        Figure {
            name: "With a date",
            value: words::share(totals.dated, totals.pages),
            word: format!("{} with a lastmod", Count(totals.dated, "page")),
            severity: None,
            delta: delta(|totals| totals.dated),
            section: "lastmod",
        },
        Figure {
            name: "Newest date",
            value: newest.to_owned(),
            word: age.unwrap_or_default(),
            severity: None,
            delta: None,
            section: "lastmod",
        },
        Figure {
            name: "Errors",
            value: Grouped(totals.errors).to_string(),
            word: most_frequent(report, Severity::Error, "error"),
            severity: bad(totals.errors, Severity::Error),
            delta: delta(|totals| totals.errors),
            section: "findings",
        },
        Figure {
            name: "Warnings",
            value: Grouped(totals.warnings).to_string(),
            word: warnings,
            severity: bad(totals.warnings, Severity::Warning),
            delta: delta(|totals| totals.warnings),
            section: "findings",
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
