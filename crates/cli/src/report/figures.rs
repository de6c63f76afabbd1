//! The six figures that a report begins with.

use std::collections::BTreeSet;

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
    let figure = |name, section, of: fn(&Totals) -> u64, severity, word| Figure {
        name,
        value: Grouped(of(totals)).to_string(),
        word,
        severity: if of(totals) > 0 { severity } else { None },
        delta: earlier.and_then(|earlier| words::delta(of(earlier), of(totals))),
        section,
    };
    let dated = match totals.pages {
        0 => "no pages".to_owned(),
        pages => format!("{} of the pages", words::share(totals.dated, pages)),
    };
    let warnings = match (totals.warnings, totals.advice) {
        (0, advice @ 1..) => format!("no warnings, {}", Count(advice, "piece of advice")),
        _ => most_frequent(report, Severity::Warning, "warning"),
    };
    let errors = most_frequent(report, Severity::Error, "error");
    let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
    let pages = figure(
        "Pages",
        "folders",
        |totals| totals.pages,
        None,
        where_pages_are(report),
    );
    let read = how_far_read(report);
    let sitemaps = figure("Sitemaps", "sitemaps", |totals| totals.sitemaps, None, read);
    [
        Figure {
            delta: changes.and_then(|changes| words::delta(changes.pages_before, totals.pages)),
            ..pages
        },
        Figure {
            severity: match (totals.unread, report.is_bounded) {
                (1.., _) => error,
                (0, true) => warning,
                (0, false) => None,
            },
            ..sitemaps
        },
        figure("With a date", "lastmod", |totals| totals.dated, None, dated),
        newest(report),
        figure("Errors", "findings", |totals| totals.errors, error, errors),
        figure(
            "Warnings",
            "findings",
            |totals| totals.warnings,
            warning,
            warnings,
        ),
    ]
}

fn newest(report: &Report) -> Figure {
    let newest = report.totals.newest.map(|newest| newest.to_string());
    let (value, age) = match &newest {
        Some(newest) => (words::day(newest), words::age(newest, &report.made)),
        None => ("none", Some("no page has a lastmod".to_owned())),
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
    let totals = &report.totals;
    match (totals.partly, totals.not_read) {
        (0, 0) if report.is_bounded => "not all of them read to their end".to_owned(),
        (0, 0) => "all read to their end".to_owned(),
        (0, not_read) => format!("{} more not read", Grouped(not_read)),
        (partly, 0) => format!("{} of them not read to the end", Grouped(partly)),
        (partly, not_read) => format!(
            "{} of them not read to the end, {} more not read",
            Grouped(partly),
            Grouped(not_read)
        ),
    }
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
        hosts => {
            // A host by http and by https is one.
            let names = hosts
                .iter()
                .map(|host| words::without_any_scheme(&host.name));
            let names: BTreeSet<_> = names.collect();
            match names.first() {
                Some(only) if names.len() == 1 => format!("on {only}, by http and https"),
                _ => format!("on {}", Count(names.len() as u64, "host")),
            }
        }
    }
}
