//! Findings as workflow commands of GitHub Actions.

use std::io::Write;

use super::repository::in_repository;
use crate::judge::finding::Finding;
use crate::term::messages::{Severity, printable};
use anyhow::Result;

pub(super) fn write(out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
    let place = finding.position.map_or(String::new(), |position| {
        format!(",line={},col={}", position.line(), position.column())
    });
    Ok(writeln!(
        out,
        "::{} file={}{place},title={}::{}",
        command(finding.severity),
        property(&in_repository(file)),
        finding.rule.name,
        data(&finding.message_and_cost())
    )?)
}

fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Advice => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Without what would end a workflow command, or begin another one.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
