//! Findings as SARIF 2.1.0.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quick_sitemap::url::Url;
use serde_json::{Value, json};

use super::repository::in_repository;
use crate::findings::checker::Checked;
use crate::findings::form::Form;
use crate::findings::totals::Totals;
use crate::judge::finding::Finding;
use crate::judge::rules::TABLE;
use crate::source::account::NotLooked;
use crate::term::json::write as write_json;
use crate::term::messages::Severity;
use crate::term::status::Status;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const DOCUMENTATION: &str = "https://docs.rs/quick-sitemap/latest/quick_sitemap/guide/rules/";

/// All but what a URI holds as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// SARIF 2.1.0: one run, whose results are written as they come.
pub(crate) struct Sarif {
    has_result: bool,
    has_baseline: bool,
}

impl Sarif {
    pub(crate) fn new(has_baseline: bool) -> Self {
        Self {
            has_result: false,
            has_baseline,
        }
    }

    /// A service closes the alerts that a run lacks, so those that the baseline knows are results, too.
    fn result(
        &mut self,
        out: &mut dyn Write,
        file: &str,
        finding: &Finding,
        state: &str,
    ) -> Result<()> {
        let mut result = json!({
            "ruleId": finding.rule.name,
            "ruleIndex": TABLE.iter().position(|rule| rule == finding.rule),
            "level": level(finding.severity),
            "message": { "text": finding.message_and_cost() },
            "locations": [location(file, region(finding))],
        });
        if let (true, Some(result)) = (self.has_baseline, result.as_object_mut()) {
            result.insert("baselineState".to_owned(), state.into());
        }
        let separator = if self.has_result { ",\n" } else { "\n" };
        self.has_result = true;
        write!(out, "{separator}")?;
        Ok(write_json(out, &result)?)
    }
}

impl Form for Sarif {
    /// For the end of what is meant.
    fn wants_excerpts(&self) -> bool {
        true
    }

    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        let rules = TABLE.iter().map(|rule| {
            json!({
                "id": rule.name,
                "shortDescription": { "text": rule.summary() },
                "fullDescription": { "text": rule.why },
                "help": { "text": rule.text },
                "helpUri": DOCUMENTATION,
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        });
        let driver = json!({
            "name": "sitemap",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": "https://docs.rs/quick-sitemap",
            "rules": rules.collect::<Value>(),
        });
        write!(
            out,
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":"
        )?;
        write_json(out, &driver)?;
        write!(out, "}},\"columnKind\":\"unicodeCodePoints\",\"results\":[")?;
        Ok(())
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        self.result(out, file, finding, "new")
    }

    fn known(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        self.result(out, file, finding, "unchanged")
    }

    fn end(&mut self, out: &mut dyn Write, checked: &Checked, _: &Totals) -> Result<()> {
        let (status, account) = (checked.status(), &checked.account);
        // A service closes the alerts that the result of a successful run lacks.
        let why = account.whole().err().filter(|_| account.is_part());
        let notification =
            |why: &NotLooked| json!({ "level": "warning", "message": { "text": why.to_string() } });
        let notifications: Vec<_> = why.iter().map(notification).collect();
        let invocation = json!({
            "executionSuccessful": status != Status::Failure && why.is_none(),
            "exitCode": status as u8,
            "toolExecutionNotifications": notifications,
        });
        write!(out, "\n],\"invocations\":[")?;
        write_json(out, &invocation)?;
        Ok(writeln!(out, "]}}]}}")?)
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Advice => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// The place of a finding, with the end of what is meant if that is known: the schema allows no `null`.
fn region(finding: &Finding) -> Option<Value> {
    let (line, column) = finding.position.map(|at| (at.line(), at.column()))?;
    let excerpt = finding.excerpt();
    Some(match excerpt.filter(|excerpt| !excerpt.marked.is_empty()) {
        None => json!({ "startLine": line, "startColumn": column }),
        Some(excerpt) => json!({
            "startLine": line,
            "startColumn": column,
            "endColumn": column + excerpt.marked_columns,
            "snippet": { "text": excerpt.marked },
        }),
    })
}

fn location(file: &str, region: Option<Value>) -> Value {
    let uri = uri(&in_repository(file));
    let artifact = if uri.contains("://") {
        json!({ "uri": uri })
    } else {
        // A relative URI is one of the repository.
        json!({ "uri": uri, "uriBaseId": "%SRCROOT%" })
    };
    match region {
        Some(region) => {
            json!({ "physicalLocation": { "artifactLocation": artifact, "region": region } })
        }
        None => json!({ "physicalLocation": { "artifactLocation": artifact } }),
    }
}

/// The file as a URI: itself, if it is one; a relative path as a relative URI.
fn uri(file: &str) -> String {
    if file.starts_with("http://") || file.starts_with("https://") {
        return file.to_owned();
    }
    if let Ok(url) = Url::from_file_path(file) {
        return url.to_string();
    }
    let parts = Path::new(file).iter().map(|part| part.to_string_lossy());
    let parts = parts.map(|part| utf8_percent_encode(&part, ESCAPED).to_string());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn files_are_uris() {
        assert_eq!(uri("public/site map.xml"), "public/site%20map.xml");
        assert_eq!(uri("../ü/s.xml"), "../%C3%BC/s.xml");
        assert_eq!(uri("/srv/ü.xml"), "file:///srv/%C3%BC.xml");
        assert_eq!(uri("a:b?c#d%.xml"), "a%3Ab%3Fc%23d%25.xml");
        assert_eq!(
            uri("https://example.com/s.xml"),
            "https://example.com/s.xml"
        );
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
