//! Problems of sitemaps whose pages are read, counted by severity and rule.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

use quick_sitemap::{Effect, Issue};
use serde::{Deserialize, Serialize};

use crate::judge::verdicts::Verdicts;
use crate::term::address::without_logins;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;
use crate::term::shortened::shortened;

/// Rules that the last line of a crawl names; the others are counted.
const NAMED: usize = 8;

/// How many findings there are, by severity and rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Counts(BTreeMap<Severity, BTreeMap<Cow<'static, str>, u64>>);

impl Counts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, severity: Severity, rule: Cow<'static, str>, count: u64) {
        *self.0.entry(severity).or_default().entry(rule).or_default() += count;
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (severity, rules) in other.0 {
            for (rule, count) in rules {
                self.add(severity, rule, count);
            }
        }
    }

    /// `2 errors, 21 warnings: missing-loc (2), invalid-priority (21)`, the worst first.
    pub(crate) fn text(&self) -> String {
        let mut totals = Vec::new();
        let mut named = Vec::new();
        for (severity, rules) in self.0.iter().rev() {
            totals.push(Count(rules.values().sum(), severity.name()).to_string());
            let mut rules: Vec<_> = rules.iter().collect();
            rules.sort_by_key(|(_, count)| Reverse(**count));
            named.extend(
                rules
                    .into_iter()
                    .map(|(rule, count)| format!("{rule} ({})", Grouped(*count))),
            );
        }
        let more = named.len().saturating_sub(NAMED);
        named.truncate(NAMED);
        if more > 0 {
            named.push(Count(more as u64, "other rule").to_string());
        }
        format!("{}: {}", totals.join(", "), named.join(", "))
    }
}

/// Entries that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skipped {
    pub(crate) count: u64,
    pub(crate) first: String,
}

impl Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = &self.first;
        match self.count {
            1 => write!(f, "an entry cannot be used: {first}"),
            count => {
                let count = Grouped(count);
                write!(f, "{count} entries cannot be used, the first at {first}")
            }
        }
    }
}

/// Characters of the first problem that are kept.
const LONGEST: usize = 600;

/// The problems of one sitemap.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) counts: Counts,
    /// The first problem that has cost an entry.
    first: Option<String>,
}

impl Faults {
    /// Counts a problem.
    pub(crate) fn add(&mut self, rule: &'static str, severity: Severity) {
        self.counts.add(severity, Cow::Borrowed(rule), 1);
    }

    /// Keeps the first problem that has cost an entry.
    pub(crate) fn skips(&mut self, problem: impl Display) {
        if self.first.is_none() {
            // It is stored in the state of a crawl.
            let problem = problem.to_string();
            let problem = without_logins(&problem);
            self.first = Some(shortened(&problem, LONGEST).into_owned());
        }
    }

    /// Counts issues, as far as they are reported. `on_issue` gets each of these.
    ///
    /// # Errors
    ///
    /// Those of `on_issue`.
    pub(crate) fn issues(
        &mut self,
        issues: &[Issue],
        verdicts: &Verdicts,
        on_issue: &mut dyn FnMut(&Issue, Severity) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for issue in issues {
            if issue.effect == Effect::EntrySkipped {
                self.skips(issue);
            }
            if let Some(severity) = verdicts.of_issue(issue) {
                self.add(issue.rule().name(), severity);
                on_issue(issue, severity)?;
            }
        }
        Ok(())
    }

    /// The entries that could not be used, of which the reader has counted so many.
    pub(crate) fn skipped(&mut self, count: u64) -> Option<Skipped> {
        let count = count.max(1);
        let first = self.first.take()?;
        Some(Skipped { count, first })
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
        assert!(
            counts.text().ends_with(", 3 other rules"),
            "{}",
            counts.text()
        );
    }
}
