//! Entries of the common shape are read by a lane of their own, which a comment keeps them out of:
//! with one behind every entry's start tag, everything must come out the same.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub, dead_code)]

mod common;

use common::cases;
use quick_sitemap::{Effect, Entry, Policy, ReaderBuilder, Rule};

#[derive(Debug, PartialEq)]
enum Said {
    Entry(Box<Entry>),
    Issue(Rule, Effect, String, u64),
    Error(String, bool),
}

/// What is said of a document. Columns shift by the comments, so places are compared by entry only.
fn said(builder: &ReaderBuilder, bytes: &[u8]) -> Vec<Said> {
    let mut reader = builder.clone().build(bytes);
    let mut said = Vec::new();
    loop {
        let step = reader.next();
        said.extend(reader.issues().iter().map(|issue| {
            let violation = &issue.violation;
            Said::Issue(
                violation.rule(),
                issue.effect,
                violation.to_string(),
                issue.position.entry(),
            )
        }));
        match step {
            None => return said,
            Some(Ok(entry)) => said.push(Said::Entry(Box::new(entry))),
            Some(Err(error)) => {
                said.push(Said::Error(format!("{:?}", error.kind()), error.is_fatal()))
            }
        }
    }
}

/// What raw reading gives of every element.
fn spelt(bytes: &[u8]) -> Vec<String> {
    fn all(element: quick_sitemap::RawElement<'_>, spelt: &mut Vec<String>) {
        let attributes: Vec<_> = element.attributes().collect();
        spelt.push(format!(
            "{}:{} {:?} {:?} {attributes:?}",
            element.prefix(),
            element.name(),
            element.namespace(),
            element.text()
        ));
        element.children().for_each(|child| all(child, spelt));
    }
    let mut reader = ReaderBuilder::new().build(bytes);
    let mut spelt = Vec::new();
    while let Ok(Some(entry)) = reader.read_raw() {
        spelt.push(format!(
            "{:?} {:?} {:?} {:?}",
            entry.loc(),
            entry.lastmod(),
            entry.changefreq(),
            entry.priority()
        ));
        entry
            .elements()
            .for_each(|element| all(element, &mut spelt));
    }
    spelt
}

fn without_shortcut(text: &str) -> String {
    text.replace("<url>", "<url><!---->")
        .replace("<sitemap>", "<sitemap><!---->")
}

fn same(name: &str, builder: &ReaderBuilder, text: &str) {
    let general = without_shortcut(text);
    for policy in [Policy::LENIENT, Policy::STRICT] {
        let builder = builder.clone().policy(policy);
        assert_eq!(
            said(&builder, text.as_bytes()),
            said(&builder, general.as_bytes()),
            "{name}"
        );
    }
    assert_eq!(spelt(text.as_bytes()), spelt(general.as_bytes()), "{name}");
}

#[test]
fn every_row_of_the_rule_book() {
    let mut compared = 0;
    for case in [cases::all(), cases::clean()].concat() {
        // Where bytes are counted, or an entry stands in a comment, a comment more makes a difference.
        let Ok(text) = std::str::from_utf8(&case.bytes) else {
            continue;
        };
        if text.contains("<!--") || text.contains("CDATA") || text.len() > 1_000_000 {
            continue;
        }
        same(case.name, &case.builder, text);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_fixture() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut compared = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        if let Ok(text) = std::fs::read_to_string(&path) {
            same(&path.display().to_string(), &ReaderBuilder::new(), &text);
            compared += 1;
        }
    }
    assert!(compared > 3, "{compared}");
}
