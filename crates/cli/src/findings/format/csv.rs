//! Findings as CSV.

use std::io::Write;

use crate::findings::form::Form;
use crate::judge::finding::Finding;
use crate::rows::writer::row;
use crate::term::messages::{Severity, printable};
use anyhow::Result;

pub(crate) const COLUMNS: [&str; 7] = [
    "sitemap", "line", "column", "severity", "rule", "page", "message",
];

/// The cells of a finding.
pub(crate) fn cells(file: &str, finding: &Finding) -> [String; 7] {
    let position = finding.position;
    let place = position.map(|position| (position.line(), position.column()));
    let (rule, page, message) = (
        finding.rule.name,
        finding.page.as_deref(),
        finding.message_and_cost(),
    );
    cells_of(file, place, finding.severity, rule, page, &message)
}

/// The cells of a finding with this line and column. Cells are empty if something is not known.
pub(crate) fn cells_of(
    file: &str,
    place: Option<(u64, u64)>,
    severity: Severity,
    rule: &str,
    page: Option<&str>,
    message: &str,
) -> [String; 7] {
    let (line, column) = place.unzip();
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    [
        printable(file).into_owned(),
        number(line),
        number(column),
        severity.name().to_owned(),
        rule.to_owned(),
        printable(page.unwrap_or_default()).into_owned(),
        printable(message).into_owned(),
    ]
}

/// A row per finding, after a header.
pub(crate) struct Csv;

impl Form for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        Ok(row(out, b',', COLUMNS)?)
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        Ok(row(out, b',', cells(file, finding))?)
    }
}
