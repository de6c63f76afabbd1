//! Findings as a line each.

use std::io::Write;

use crate::judge::finding::Finding;
use crate::term::messages::printable;
use anyhow::Result;

/// A line for each finding, as editors and `grep` know it: `file:line:column: severity: message [rule]`.
pub(super) fn write(out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
    let place = match finding.position {
        Some(position) => format!("{file}:{position}"),
        None => file.to_owned(),
    };
    let severity = finding.severity;
    Ok(writeln!(
        out,
        "{}: {}: {} [{}]",
        printable(&place),
        severity.style().apply_to(severity.name()),
        printable(&finding.message_and_cost()),
        finding.rule.name
    )?)
}
