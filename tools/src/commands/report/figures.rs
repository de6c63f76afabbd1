//! The six figures that a report begins with.

use super::model::Report;
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
    let figure = |name, count: u64, before: Option<u64>, word, section| Figure {
        name,
        value: Grouped(count).to_string(),
        word,
        severity: None,
        delta: before.and_then(|before| words::delta(before, count)),
        section,
    };
    let pages_before = changes.map(|changes| changes.pages_before);
    let pages = figure(
        "Pages",
        totals.pages,
        pages_before,
        where_pages_are(report),
        "folders",
    );
    let unread = match totals.unread {
        0 => "all read to their end".to_owned(),
        unread => format!("{} of them not read to the end", Grouped(unread)),
    };
    let sitemaps_before = earlier.map(|earlier| earlier.sitemaps);
    let sitemaps = figure(
        "Sitemaps",
        totals.sitemaps,
        sitemaps_before,
        unread,
        "sitemaps",
    );
    let dated = format!("{} with a lastmod", Count(totals.dated, "page"));
    let dated_before = earlier.map(|earlier| earlier.dated);
    let dated = figure("With a date", totals.dated, dated_before, dated, "lastmod");
    let (newest, age) = match &totals.newest {
        Some(newest) => (words::day(newest), words::age(newest, &report.made)),
        None => ("none", Some("no page has a lastmod".to_owned())),
    };
    let newest_date = figure("Newest date", 0, None, age.unwrap_or_default(), "lastmod");
    let errors = most_frequent(report, Severity::Error, "error");
    let errors_before = earlier.map(|earlier| earlier.errors);
    let errors = figure("Errors", totals.errors, errors_before, errors, "findings");
    let warnings = match (totals.warnings, totals.advice) {
        (0, advice @ 1..) => format!("no warnings, {}", Count(advice, "piece of advice")),
        _ => most_frequent(report, Severity::Warning, "warning"),
    };
    let warnings_before = earlier.map(|earlier| earlier.warnings);
    let warnings = figure(
        "Warnings",
        totals.warnings,
        warnings_before,
        warnings,
        "findings",
    );
    let bad = |count: u64, severity| (count > 0).then_some(severity);
    [
        pages,
        Figure {
            severity: bad(totals.unread, Severity::Error),
            ..sitemaps
        },
        Figure {
            value: words::share(totals.dated, totals.pages),
            ..dated
        },
        Figure {
            value: newest.to_owned(),
            ..newest_date
        },
        Figure {
            severity: bad(totals.errors, Severity::Error),
            ..errors
        },
        Figure {
            severity: bad(totals.warnings, Severity::Warning),
            ..warnings
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
