//! Findings as CSV.

use std::io::Write;

use super::{Form, Hidden, message};
use crate::findings::excerpt::Excerpt;
use crate::findings::finding::Finding;
use crate::rows::writer::RowWriter;
use crate::term::messages::printable;

pub(crate) const COLUMNS: [&str; 7] = [
    "sitemap", "line", "column", "severity", "rule", "page", "message",
];

/// The cells of a finding; those of a place that is not known are empty.
pub(crate) fn cells(file: &str, finding: &Finding) -> [String; 7] {
    let position = finding.position;
    [
        printable(file).into_owned(),
        position.map_or(String::new(), |at| at.line().to_string()),
        position.map_or(String::new(), |at| at.column().to_string()),
        finding.severity.name().to_owned(),
        finding.rule.to_owned(),
        printable(finding.page.as_deref().unwrap_or_default()).into_owned(),
        printable(&message(finding)).into_owned(),
    ]
}

/// A row per finding, after a header.
pub(crate) struct Csv;

impl Form for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        RowWriter::new(b',', &COLUMNS, out)?.finish()?;
        Ok(())
    }

    fn finding(
        &mut self,
        out: &mut dyn Write,
        file: &str,
        finding: &Finding,
        _excerpt: Option<&Excerpt>,
    ) -> anyhow::Result<()> {
        let mut rows = RowWriter::after_header(b',', out);
        rows.row(cells(file, finding).iter().map(String::as_str))?;
        Ok(rows.finish()?)
    }

    fn hidden(&mut self, _: &mut dyn Write, _: &str, _: &[Hidden]) -> anyhow::Result<()> {
        Ok(())
    }
}
