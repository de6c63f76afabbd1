//! Findings as a line each.

use std::io::Write;

use crate::findings::form::Form;
use crate::judge::finding::Finding;
use crate::term::messages::printable;
use anyhow::Result;

/// A line for each finding, as editors and `grep` know it: `file:line:column: severity: message [rule]`.
pub(crate) struct Short;

impl Form for Short {
    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        let place = match finding.position {
            Some(position) => format!("{file}:{position}"),
            None => file.to_owned(),
        };
        let severity = finding.severity;
        writeln!(
            out,
            "{}: {}: {} [{}]",
            printable(&place),
            severity.style().apply_to(severity.name()),
            printable(&finding.message_and_cost()),
            finding.rule.name
        )?;
        Ok(())
    }
}
