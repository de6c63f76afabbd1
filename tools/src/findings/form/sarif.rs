//! Findings as SARIF 2.1.0.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quick_sitemap::url::Url;
use serde::Serialize;

use super::{Form, Hidden, message};
use crate::findings::excerpt::Excerpt;
use crate::findings::finding::Finding;
use crate::judge::rules;
use crate::judge::verdicts::TABLE;
use crate::term::count::Grouped;
use crate::term::json;
use crate::term::messages::Severity;
use crate::term::status::Status;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const DOCUMENTATION: &str = "https://docs.rs/quick-sitemap/latest/quick_sitemap/guide/rules/";

/// SARIF 2.1.0: one run, whose results are written as they come.
pub(crate) struct Sarif {
    has_result: bool,
    /// The index of each rule in the list of rules.
    indexes: HashMap<&'static str, usize>,
    notifications: Vec<Notification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    help_uri: &'static str,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: &'a [Notification],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification {
    level: &'static str,
    message: Message,
    associated_rule: RuleReference,
    locations: [Location; 1],
}

#[derive(Serialize)]
struct RuleReference {
    id: &'static str,
}

impl Sarif {
    pub(crate) fn new() -> Self {
        Self {
            has_result: false,
            indexes: TABLE.iter().map(|rule| rule.name).zip(0..).collect(),
            notifications: Vec::new(),
        }
    }
}

impl Form for Sarif {
    /// For the end of what is meant.
    fn wants_excerpts(&self) -> bool {
        true
    }

    fn begin(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = rules::all().map(|rule| Rule {
            id: rule.verdict.name,
            short_description: text(rule.summary),
            full_description: text(rule.verdict.why),
            help: text(rule.text),
            help_uri: DOCUMENTATION,
            default_configuration: Configuration {
                level: level(rule.verdict.severity),
            },
        });
        let driver = Driver {
            name: "sitemap",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: "https://docs.rs/quick-sitemap",
            rules: rules.collect(),
        };
        write!(
            out,
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":"
        )?;
        json::write(out, &driver)?;
        write!(out, "}},\"columnKind\":\"unicodeCodePoints\",\"results\":[")?;
        Ok(())
    }

    fn finding(
        &mut self,
        out: &mut dyn Write,
        file: &str,
        finding: &Finding,
        excerpt: Option<&Excerpt>,
    ) -> anyhow::Result<()> {
        let marked = excerpt.filter(|excerpt| !excerpt.marked.is_empty());
        let region = finding.position.map(|position| Region {
            start_line: position.line(),
            start_column: position.column(),
            end_column: marked.map(|excerpt| position.column() + excerpt.marked_columns),
            snippet: marked.map(|excerpt| text(&excerpt.marked)),
        });
        let result = SarifResult {
            rule_id: finding.rule,
            rule_index: self.indexes.get(finding.rule).copied(),
            level: level(finding.severity),
            message: text(&message(finding)),
            locations: [location(file, region)],
        };
        let separator = if self.has_result { ",\n" } else { "\n" };
        self.has_result = true;
        write!(out, "{separator}")?;
        json::write(out, &result)?;
        Ok(())
    }

    fn hidden(
        &mut self,
        _out: &mut dyn Write,
        file: &str,
        hidden: &[Hidden],
    ) -> anyhow::Result<()> {
        for (count, severity, rule) in hidden {
            self.notifications.push(Notification {
                level: level(*severity),
                message: text(&format!("and {} more of {rule} in {file}", Grouped(*count))),
                associated_rule: RuleReference { id: rule },
                locations: [location(file, None)],
            });
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, status: Status) -> anyhow::Result<()> {
        let invocation = Invocation {
            execution_successful: status != Status::Failure,
            exit_code: status as u8,
            tool_execution_notifications: &self.notifications,
        };
        write!(out, "\n],\"invocations\":[")?;
        json::write(out, &invocation)?;
        writeln!(out, "]}}]}}")?;
        Ok(())
    }
}

fn text(text: &str) -> Message {
    Message {
        text: text.to_owned(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Advice => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn location(file: &str, region: Option<Region>) -> Location {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(file) },
            region,
        },
    }
}

/// The file as a URI: itself, if it is one; a relative path as a relative URI.
fn uri(file: &str) -> String {
    if file.starts_with("http://") || file.starts_with("https://") {
        return file.to_owned();
    }
    if let Ok(url) = Url::from_file_path(Path::new(file)) {
        return url.to_string();
    }
    let path: Vec<_> = Path::new(file)
        .iter()
        .map(|part| utf8_percent_encode(&part.to_string_lossy(), ESCAPED).to_string())
        .collect();
    path.join("/")
}

/// All but what a URI holds as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

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
