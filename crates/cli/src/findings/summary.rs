//! Findings by rule: a row per rule, with the numbers of sitemaps and of findings, and one example.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::env;
use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::checker::Checked;
use super::form::message;
use crate::judge::finding::Finding;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};
use crate::term::json;
use crate::term::messages::{Severity, printable};
use crate::term::status::Status;
use crate::term::table::{Cell, Table};

/// The variable that names the file to which a step of GitHub Actions appends Markdown.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The form of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SummaryForm {
    /// Aligned columns.
    Table,
    Markdown,
    /// One object per rule.
    Json,
}

/// Totals of a run, which are printed with the summary.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// `3 sitemaps, 120 entries`
    read: String,
    /// `1 error, 2 warnings`
    found: String,
}

impl Totals {
    /// `known` are the numbers of the baseline, if there is one.
    pub(crate) fn of(checked: &Checked, known: Option<String>) -> Self {
        let [advice, warnings, errors] = checked.counts;
        let found = Count::nonzero([
            Count(errors, "error"),
            Count(warnings, "warning"),
            Count(advice, "piece of advice"),
        ]);
        let mut found = match found.as_slice() {
            [] if checked.status() != Status::Success => "not everything could be read".to_owned(),
            [] if known.is_some() => "no new problems found".to_owned(),
            [] => "no problems found".to_owned(),
            found => found.join(", "),
        };
        if let Some(known) = known {
            found = format!("{found}; {known}");
        }
        let (files, entries) = (
            Count(checked.files, "sitemap"),
            Count(checked.entries, "entry"),
        );
        Self {
            read: format!("{files}, {entries}"),
            found,
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.read, self.found)
    }
}

/// It grows with the number of rules, not with that of findings.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    rows: HashMap<&'static str, Row<'static>>,
}

/// The findings of a rule.
#[derive(Debug, Serialize)]
pub(crate) struct Row<'r> {
    pub(crate) rule: &'r str,
    pub(crate) severity: Severity,
    pub(crate) sitemaps: u64,
    pub(crate) findings: u64,
    pub(crate) example: String,
}

/// Writes the rows as aligned columns.
pub(crate) fn table<'r>(
    out: &mut dyn Write,
    rows: impl IntoIterator<Item = impl Borrow<Row<'r>>>,
) -> io::Result<()> {
    let mut table = Table::new(["severity", "rule", "sitemaps", "findings", "example"]);
    for row in rows {
        let row = row.borrow();
        table.row([
            Cell::styled(row.severity.name(), row.severity.style()),
            Cell::text(row.rule),
            Cell::number(row.sitemaps),
            Cell::number(row.findings),
            Cell::text(&row.example),
        ]);
    }
    table.write(out)
}

impl Summary {
    /// Counts a finding. `is_first` is true for the first finding of its rule in the file.
    pub(crate) fn add(&mut self, file: &str, finding: &Finding, is_first: bool) {
        let row = self.rows.entry(finding.rule).or_insert_with(|| Row {
            rule: finding.rule,
            severity: finding.severity,
            sitemaps: 0,
            findings: 0,
            example: String::new(),
        });
        // The example is one of the worst findings of the rule.
        if row.findings == 0 || finding.severity > row.severity {
            row.severity = finding.severity;
            let place = finding
                .position
                .map_or(String::new(), |at| format!(":{at}"));
            let message = message(finding);
            row.example = printable(&format!("{file}{place}: {message}")).into_owned();
        }
        row.findings += 1;
        row.sitemaps += u64::from(is_first);
    }

    /// The worst first, then the most frequent.
    fn sorted(&self) -> Vec<&Row<'static>> {
        let mut rows: Vec<_> = self.rows.values().collect();
        rows.sort_by_key(|row| (Reverse((row.severity, row.findings)), row.rule));
        rows
    }

    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        form: SummaryForm,
        totals: &Totals,
    ) -> anyhow::Result<()> {
        match form {
            SummaryForm::Table => Ok(table(out, self.sorted())?),
            SummaryForm::Markdown => self.markdown(out, totals),
            SummaryForm::Json => self.json(out),
        }
    }

    /// Writes the summary as Markdown, for the page of a run of a CI system.
    fn markdown(&self, out: &mut dyn Write, totals: &Totals) -> anyhow::Result<()> {
        writeln!(out, "### sitemap check: {}\n", totals.found)?;
        let rows = self.sorted();
        if !rows.is_empty() {
            writeln!(out, "| severity | rule | sitemaps | findings | example |")?;
            writeln!(out, "|---|---|--:|--:|---|")?;
        }
        for row in &rows {
            writeln!(
                out,
                "| {} | `{}` | {} | {} | {} |",
                row.severity.name(),
                row.rule,
                Grouped(row.sitemaps),
                Grouped(row.findings),
                code(&clipped(&row.example))
            )?;
        }
        if !rows.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{}", totals.read)?;
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for row in self.sorted() {
            json::write(out, row)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Appends the summary as Markdown to the file of this step, if the program runs in GitHub Actions.
    ///
    /// # Errors
    ///
    /// With the name of the file.
    pub(crate) fn append_to_step(&self, totals: &Totals) -> anyhow::Result<()> {
        use anyhow::Context;
        let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
            return Ok(());
        };
        let path = PathBuf::from(path);
        let mut text = Vec::new();
        self.markdown(&mut text, totals)?;
        // The next step's text begins a paragraph of its own.
        text.push(b'\n');
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|mut file| file.write_all(&text))
            .with_context(|| format!("${STEP_SUMMARY}: {}", path.display()))
    }
}

/// A text as a code span in a cell of a table. Nothing in a code span is markup, so only its end and that of the cell
/// have to be kept out of it.
fn code(text: &str) -> String {
    // A pipe would end the cell even here, and whether a backslash before it helps depends on the one before that.
    let text = text.replace('|', "\\u{7c}");
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_in_its_cell() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("<b>|@x"), "`<b>\\u{7c}@x`");
        assert_eq!(code("\\|"), "`\\\\u{7c}`");
        assert_eq!(code("a `b` ``c"), "```a `b` ``c```");
        assert_eq!(code("`b`"), "`` `b` ``");
    }
}
