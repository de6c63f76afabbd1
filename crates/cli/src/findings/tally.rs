//! The one count of findings: by severity, by rule and by sitemap.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;

use crate::judge::finding::Finding;
use crate::judge::rules::FindingRule;
use crate::term::count::{Count, First, Grouped};
use crate::term::messages::{Severity, printable};

/// The findings of a run. It grows with the number of rules, not with that of findings.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    rules: HashMap<&'static str, Tallied>,
}

/// The findings of a rule.
#[derive(Debug)]
struct Tallied {
    rule: &'static FindingRule,
    /// Findings by severity: advice, warnings, errors.
    counts: [u64; 3],
    /// The worst one.
    severity: Severity,
    sitemaps: u64,
    /// One of the worst.
    example: String,
    /// In the sitemap that is being read, with the severity of the first one.
    here: (First, Severity),
}

/// The findings of a rule, for a table.
#[derive(Debug, Serialize)]
pub(crate) struct Row<'r> {
    pub(crate) rule: &'r str,
    pub(crate) severity: Severity,
    pub(crate) sitemaps: u64,
    pub(crate) findings: u64,
    pub(crate) example: Cow<'r, str>,
}

impl Tally {
    /// Counts a finding. Returns `true` if it is one of the first of its rule in this sitemap.
    pub(crate) fn add(&mut self, file: &str, finding: &Finding) -> bool {
        let (rule, severity) = (finding.rule, finding.severity);
        let row = self.rules.entry(rule.name).or_insert_with(|| Tallied {
            rule,
            counts: [0; 3],
            severity,
            sitemaps: 0,
            example: String::new(),
            here: (First::default(), severity),
        });
        if row.example.is_empty() || severity > row.severity {
            row.severity = severity;
            let place = finding.position.map(|at| format!(":{at}"));
            let place = place.unwrap_or_default();
            let example = format!("{file}{place}: {}", finding.message_and_cost());
            row.example = printable(&example).into_owned();
        }
        if let Some(count) = row.counts.get_mut(severity as usize) {
            *count += 1;
        }
        if row.here.0.count() == 0 {
            row.sitemaps += 1;
            row.here.1 = severity;
        }
        row.here.0.names()
    }

    /// The findings of a sitemap end. Returns the numbers of those that are not among the first, as one finding for each
    /// rule, the most first.
    pub(crate) fn end_of_file(&mut self) -> Vec<Finding> {
        let rules = self.rules.values_mut();
        let ended = rules.map(|row| (std::mem::take(&mut row.here.0).more(), row.here.1, row.rule));
        let mut hidden: Vec<_> = ended.filter(|(more, ..)| *more > 0).collect();
        hidden.sort_by_key(|(more, severity, rule)| Reverse((*more, *severity, rule.name)));
        let hidden = hidden.into_iter().map(|(more, severity, rule)| Finding {
            severity,
            ..Finding::new(rule, &format!("and {} more", Grouped(more)))
        });
        hidden.collect()
    }

    /// The number of findings of this severity.
    pub(crate) fn of(&self, severity: Severity) -> u64 {
        let counts = self
            .rules
            .values()
            .filter_map(|row| row.counts.get(severity as usize));
        counts.sum()
    }

    /// `2 errors`, `21 warnings`, the worst first.
    pub(crate) fn totals(&self) -> Vec<String> {
        Count::nonzero([
            Count(self.of(Severity::Error), "error"),
            Count(self.of(Severity::Warning), "warning"),
            Count(self.of(Severity::Advice), "piece of advice"),
        ])
    }

    /// The worst first, then the most frequent.
    pub(crate) fn rows(&self) -> Vec<Row<'_>> {
        let rows = self.rules.iter().map(|(rule, row)| Row {
            rule,
            severity: row.severity,
            sitemaps: row.sitemaps,
            findings: row.counts.iter().sum(),
            example: Cow::Borrowed(&*row.example),
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|row| (Reverse((row.severity, row.findings)), row.rule));
        rows
    }
}
