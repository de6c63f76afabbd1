//! The one count of findings: by severity, by rule and by sitemap.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::form::message;
use crate::judge::finding::Finding;
use crate::judge::rules::FindingRule;
use crate::term::count::{Count, First, Grouped};
use crate::term::messages::{Severity, printable};

/// Rules that a line names; the others are counted.
const NAMED: usize = 8;

/// Numbers of findings by severity and rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Counts(BTreeMap<Severity, BTreeMap<Cow<'static, str>, u64>>);

impl Counts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add(&mut self, severity: Severity, rule: Cow<'static, str>, count: u64) {
        *self.0.entry(severity).or_default().entry(rule).or_default() += count;
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (severity, rules) in other.0 {
            for (rule, count) in rules {
                self.add(severity, rule, count);
            }
        }
    }

    pub(crate) fn of(&self, severity: Severity) -> u64 {
        self.0
            .get(&severity)
            .into_iter()
            .flat_map(BTreeMap::values)
            .sum()
    }

    fn of_rule(&self, rule: &str) -> u64 {
        self.0.values().filter_map(|rules| rules.get(rule)).sum()
    }

    /// `2 errors, 21 warnings: missing-loc (2), invalid-priority (21)`, the worst first.
    pub(crate) fn text(&self) -> String {
        let mut named = Vec::new();
        for rules in self.0.values().rev() {
            let mut rules: Vec<_> = rules.iter().collect();
            rules.sort_by_key(|(_, count)| Reverse(**count));
            let rules = rules.into_iter();
            named.extend(rules.map(|(rule, count)| format!("{rule} ({})", Grouped(*count))));
        }
        let more = named.len().saturating_sub(NAMED);
        named.truncate(NAMED);
        if more > 0 {
            named.push(Count(more as u64, "other rule").to_string());
        }
        format!("{}: {}", self.totals().join(", "), named.join(", "))
    }

    /// `2 errors`, `21 warnings`, the worst first.
    pub(crate) fn totals(&self) -> Vec<String> {
        Count::nonzero([
            Count(self.of(Severity::Error), "error"),
            Count(self.of(Severity::Warning), "warning"),
            Count(self.of(Severity::Advice), "piece of advice"),
        ])
    }
}

/// The findings of a run. It grows with the number of rules, not with that of findings.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) counts: Counts,
    rules: HashMap<&'static str, Tallied>,
}

/// The findings of a rule.
#[derive(Debug)]
struct Tallied {
    rule: &'static FindingRule,
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
        self.counts.add(severity, Cow::Borrowed(rule.name), 1);
        let row = self.rules.entry(rule.name).or_insert_with(|| Tallied {
            rule,
            severity,
            sitemaps: 0,
            example: String::new(),
            here: (First::default(), severity),
        });
        if row.example.is_empty() || severity > row.severity {
            row.severity = severity;
            let place = finding.position.map(|at| format!(":{at}"));
            let place = place.unwrap_or_default();
            let example = format!("{file}{place}: {}", message(finding));
            row.example = printable(&example).into_owned();
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

    /// The worst first, then the most frequent.
    pub(crate) fn rows(&self) -> Vec<Row<'_>> {
        let rows = self.rules.iter().map(|(rule, row)| Row {
            rule,
            severity: row.severity,
            sitemaps: row.sitemaps,
            findings: self.counts.of_rule(rule),
            example: Cow::Borrowed(&*row.example),
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|row| (Reverse((row.severity, row.findings)), row.rule));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_and_most_frequent_come_first() {
        let mut counts = Counts::default();
        counts.add(Severity::Warning, "invalid-priority".into(), 1_020);
        counts.add(Severity::Error, "missing-loc".into(), 1);
        let mut other = Counts::default();
        other.add(Severity::Warning, "doctype".into(), 2);
        other.add(Severity::Error, "missing-loc".into(), 1);
        counts.merge(other);
        assert_eq!(
            counts.text(),
            "2 errors, 1,022 warnings: missing-loc (2), invalid-priority (1,020), doctype (2)"
        );
        let stored = serde_json::to_string(&counts).unwrap();
        assert_eq!(serde_json::from_str::<Counts>(&stored).unwrap(), counts);
        for number in 0..8 {
            counts.add(Severity::Warning, format!("rule-{number}").into(), 1);
        }
        let text = counts.text();
        assert!(text.ends_with(", 3 other rules"), "{text}");
    }
}
