//! Findings as JUnit XML.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;

use super::repository::in_repository;
use crate::findings::checker::Checked;
use crate::findings::form::Form;
use crate::findings::totals::Totals;
use crate::judge::finding::Finding;
use crate::term::messages::{Severity, printable};
use crate::term::status::Status;

/// One test per finding, which fails if it is an error, and one for the run as a whole. They are written at the end,
/// because their numbers come first.
#[derive(Default)]
pub(crate) struct Junit {
    cases: String,
    tests: u64,
    failures: u64,
}

impl Junit {
    fn case(&mut self, attributes: &str, kind: &str, text: &str) {
        self.tests += 1;
        self.failures += u64::from(kind == "failure");
        let (text, tag) = (escaped(text), kind);
        // Writing to a string does not fail.
        let _ = writeln!(
            self.cases,
            "<testcase {attributes}><{tag}>{text}</{tag}></testcase>"
        );
    }
}

impl Form for Junit {
    fn finding(&mut self, _: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        let (place, line) = match finding.position {
            Some(at) => (format!(" at {at}"), format!(" line=\"{}\"", at.line())),
            None => Default::default(),
        };
        let (file, rule) = (escaped(&in_repository(file)), finding.rule.name);
        let attributes =
            format!("classname=\"{file}\" name=\"{rule}{place}\" file=\"{file}\"{line}");
        let kind = match finding.severity {
            Severity::Error => "failure",
            Severity::Warning | Severity::Advice => "system-out",
        };
        let text = format!(
            "{}: {}",
            finding.severity.name(),
            finding.message_and_cost()
        );
        self.case(&attributes, kind, &text);
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, checked: &Checked, _: &Totals) -> Result<()> {
        let why = checked.account.whole().err().map(|why| why.to_string());
        let why = why.unwrap_or_else(|| "everything was read".to_owned());
        let kind = match checked.status() {
            Status::Success => "system-out",
            _ => "failure",
        };
        self.case("classname=\"sitemap\" name=\"sitemap check\"", kind, &why);
        let Self {
            cases,
            tests,
            failures,
        } = self;
        Ok(write!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\
             <testsuite name=\"sitemap check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n\
             {cases}</testsuite>\n</testsuites>\n"
        )?)
    }
}

fn escaped(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
