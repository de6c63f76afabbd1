//! Findings as JSON Lines.

use std::io::Write;

use anyhow::Result;
use quick_sitemap::{Issue, Position};
use serde::Serialize;

use crate::judge::finding::Finding;
use crate::term::json;

/// File, severity, rule and message, then the fields of the library's issue.
#[derive(Serialize)]
struct JsonFinding<'a> {
    file: &'a str,
    severity: &'static str,
    rule: &'static str,
    message: String,
    /// URL of the page or the part, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a str>,
    /// The element of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'a str>,
    /// That of the sitemap.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// An XML parser stops there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    not_well_formed: bool,
    #[serde(flatten)]
    issue: Option<&'a Issue>,
    /// For findings that are not issues.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
}

/// Writes the line of a finding.
pub(crate) fn write(out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
    let issue = finding.issue.as_ref();
    let line = JsonFinding {
        file,
        severity: finding.severity.name(),
        rule: finding.rule.name,
        message: finding.message_and_cost(),
        page: finding.page.as_deref(),
        element: finding.element.as_deref(),
        format: finding.format,
        not_well_formed: finding.not_well_formed,
        issue,
        position: finding.position.filter(|_| issue.is_none()),
    };
    json::write(out, &line)?;
    Ok(out.write_all(b"\n")?)
}
