//! The issues of a crawl: counted by severity and rule, and written to the file of `--issues` as `sitemap check --format
//! json` writes them.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use quick_sitemap::{Error, Issue};
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::given::Given;
use super::lines::Spool;
use super::output::{self, Output, Target};
use crate::findings::finding::Finding;
use crate::findings::form::json;
use crate::judge::verdicts::Verdicts;
use crate::sets::replacement::Replacement;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// Rules that the last line of a crawl names; the others are counted.
const NAMED: usize = 8;

/// How many findings there are, by severity and rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Counts(BTreeMap<Severity, BTreeMap<Cow<'static, str>, u64>>);

impl Counts {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, severity: Severity, rule: Cow<'static, str>, count: u64) {
        *self.0.entry(severity).or_default().entry(rule).or_default() += count;
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (severity, rules) in other.0 {
            for (rule, count) in rules {
                self.add(severity, rule, count);
            }
        }
    }

    /// `2 errors, 21 warnings: missing-loc (2), invalid-priority (21)`, the worst first.
    pub(super) fn text(&self) -> String {
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

/// The issues of one sitemap, until it has been read.
#[derive(Debug)]
pub(super) struct Issues {
    verdicts: Verdicts,
    pub(super) counts: Counts,
    /// Their lines, if they are written.
    lines: Option<Spool>,
    /// The sitemap has been read before, and its issues with it.
    is_repeated: bool,
}

impl Issues {
    pub(super) fn new(are_written: bool) -> Self {
        Self {
            verdicts: Verdicts::default(),
            counts: Counts::default(),
            lines: are_written.then(|| Spool::new(Given::default())),
            is_repeated: false,
        }
    }

    pub(super) fn repeated(&mut self, is_repeated: bool) {
        self.is_repeated = is_repeated;
    }

    /// `sitemap` is the name of the sitemap as it may be shown.
    ///
    /// # Errors
    ///
    /// Those of the temporary file.
    pub(super) fn add(&mut self, sitemap: &str, issues: &[Issue]) -> io::Result<()> {
        if self.is_repeated {
            return Ok(());
        }
        for issue in issues {
            if let Some(severity) = self.verdicts.of_issue(issue) {
                self.found(sitemap, &Finding::issue(issue, severity))?;
            }
        }
        Ok(())
    }

    /// What ended the reading.
    ///
    /// # Errors
    ///
    /// Those of the temporary file.
    pub(super) fn fatal(&mut self, sitemap: &str, error: &Error) -> io::Result<()> {
        self.found(sitemap, &Finding::error(error))
    }

    fn found(&mut self, sitemap: &str, finding: &Finding) -> io::Result<()> {
        let rule = Cow::Borrowed(finding.rule);
        self.counts.add(finding.severity, rule, 1);
        if let Some(lines) = &mut self.lines {
            let mut line = Vec::new();
            json::write(&mut line, sitemap, finding)?;
            lines.push(&line)?;
        }
        Ok(())
    }
}

/// The file of `--issues`.
///
/// Without `--resume` it takes the place of an older one at the end, whole. With `--resume` the issues of a sitemap are
/// appended when it has been read, as its pages are. Issues of sitemaps that were not read to their end come last, after
/// the state file has been written for the last time: these sitemaps are read again if the crawl is continued.
#[derive(Debug)]
pub(super) struct IssuesFile {
    path: PathBuf,
    output: Output,
    replacement: Option<Replacement>,
    unfinished: SpooledTempFile,
}

impl IssuesFile {
    const IN_MEMORY: usize = 1 << 20;

    /// `state` is the state file of `--resume`, and `before` the length that it says.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is not the one that the earlier crawl has left.
    pub(super) fn open(
        path: &Path,
        state: Option<&Path>,
        before: Option<Option<u64>>,
    ) -> anyhow::Result<Self> {
        let (output, replacement) = match state {
            None if !output::is_stream(path) => {
                let replacement = Replacement::of(path)?;
                let file = replacement.file()?;
                (Output::to(Some(file), false, 0), Some(replacement))
            }
            _ => (Output::open(Target::File(path), state, before)?, None),
        };
        Ok(Self {
            path: path.to_owned(),
            output,
            replacement,
            unfinished: SpooledTempFile::new(Self::IN_MEMORY),
        })
    }

    /// Takes the issues of a sitemap. `is_done`: it is not read again.
    pub(super) fn append(&mut self, issues: Issues, is_done: bool) -> anyhow::Result<()> {
        let Some(mut lines) = issues.lines else {
            return Ok(());
        };
        let written = match is_done {
            true => self.output.append(|out| lines.write_to(out)),
            false => lines.write_to(&mut self.unfinished),
        };
        written.with_context(|| self.path.display().to_string())
    }

    /// As that of the output.
    pub(super) fn length(&self) -> Option<u64> {
        self.output.length()
    }

    /// As that of the output.
    pub(super) fn handle(&self) -> io::Result<Option<File>> {
        self.output.handle()
    }

    /// Adds those of the sitemaps that are not done, and puts the file in its place.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        let mut unfinished = std::mem::replace(&mut self.unfinished, SpooledTempFile::new(0));
        let mut finish = || {
            unfinished.rewind()?;
            self.output.append(|out| copy(&mut unfinished, out))
        };
        finish().with_context(|| self.path.display().to_string())?;
        match self.replacement.take() {
            Some(replacement) => Ok(replacement.put_in_place()?),
            None => Ok(()),
        }
    }
}

fn copy(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<()> {
    io::copy(from, to).map(|_| ())
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
