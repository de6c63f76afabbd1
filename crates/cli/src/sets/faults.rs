//! Problems of sitemaps whose pages are read, counted by severity and rule.

use std::borrow::Cow;
use std::fmt::{self, Display};

use quick_sitemap::{Effect, Issue};
use serde::{Deserialize, Serialize};

use crate::findings::tally::Counts;
use crate::judge::verdicts::Verdicts;
use crate::term::address::without_logins;
use crate::term::count::Grouped;
use crate::term::messages::Severity;
use crate::term::shortened::shortened;

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
