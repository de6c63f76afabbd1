//! The page of all rules, `src/guide/rules.md`, is made of the rules there are and of the documents that break them.
//!
//! `WRITE_TABLES=1 cargo test --test rules rules_page` writes it again. Read the difference before you commit it.

use std::collections::BTreeSet;

use crate::common::cases::{self, Case};
use crate::common::{read, read_slice, url, urlset};
use crate::written;
use quick_sitemap::{Effect, Rule};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/rules.md");

const HEAD: &str = "Every rule, in the order of [`Rule::ALL`](crate::Rule::ALL).

[`Rule::name`](crate::Rule::name) returns the name, and `str::parse::<Rule>` accepts it. Each example is a line that breaks
the rule, with the message for it.

The last column shows the [effect](crate::Effect) on the result; *noted* means that nothing is lost. A rule can have several
effects, depending on the place where it is broken. If the [policy](crate::guide::policy) denies the rule, an error is
returned instead of the entry.

| Rule | Example | Message | Effect |
|---|---|---|---|
";

#[test]
fn the_page_is_true() {
    let cases = cases::all();
    let rows: String = Rule::ALL.iter().map(|rule| row(*rule, &cases)).collect();
    let page = format!("{HEAD}{rows}");
    written::compare(FILE, &page, "rules rules_page");
}

fn row(rule: Rule, cases: &[Case]) -> String {
    if rule == Rule::Internal {
        // No document breaks it.
        return "| [`internal`](crate::Rule::Internal) | a mistake in this crate | `` `url` cannot be read because of a mistake in quick-sitemap; please report it with the document `` | entry skipped |\n".to_owned();
    }
    let (example, said, effects) = match of_number(rule) {
        Some((example, document)) => {
            let outcome = read_slice(document);
            let issues = outcome.issues();
            let issue = issues.iter().find(|issue| issue.rule() == rule).unwrap();
            let effects = BTreeSet::from([issue.effect]);
            (example.to_owned(), issue.violation.to_string(), effects)
        }
        None => of_table(rule, cases),
    };
    let effects: Vec<String> = effects.iter().map(Effect::to_string).collect();
    format!(
        "| [`{}`](crate::Rule::{rule:?}) | {} | {} | {} |\n",
        rule.name(),
        example.replace('|', "\\|"),
        code(&said).replace('|', "\\|"),
        effects.join("; ")
    )
}

/// The shortest line of the documents that break the rule, its message, and all effects.
fn of_table(rule: Rule, cases: &[Case]) -> (String, String, BTreeSet<Effect>) {
    let mut best: Option<(usize, String, String)> = None;
    let mut effects = BTreeSet::new();
    let own = |case: &&Case| case.faults.iter().any(|fault| fault.rule == rule);
    for case in cases.iter().filter(own) {
        for fault in case.faults.iter().filter(|fault| fault.rule == rule) {
            effects.insert(fault.effect);
            let Ok(text) = std::str::from_utf8(&case.bytes) else {
                continue;
            };
            let line = text.split(['\n', '\r']).nth(fault.at.1 as usize - 1);
            let Some(line) = line.map(str::trim).filter(|line| !line.is_empty()) else {
                continue;
            };
            let outcome = read(&case.builder, &case.bytes[..]);
            let issue = outcome
                .issues()
                .into_iter()
                .find(|issue| issue.rule() == rule && issue.position.byte() == fault.at.0)
                .unwrap_or_else(|| panic!("{rule} in {}", case.name))
                .clone();
            // The best example is alone in its document, and its line contains the quoted text.
            let shows = line.contains(issue.violation.found());
            let is_part = line.contains("</url>") && !line.to_lowercase().contains("<url");
            let rank = line.chars().count()
                + 1_000 * (case.faults.len() - 1)
                + 500 * usize::from(!shows)
                + 200 * usize::from(is_part);
            let candidate = (rank, shortened(line), issue.violation.to_string());
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
    }
    match best {
        Some((_, example, said)) => (code(&example), said, effects),
        // Bytes that are not text.
        None => {
            let case = cases
                .iter()
                .find(|case| case.faults.iter().any(|fault| fault.rule == rule))
                .unwrap_or_else(|| panic!("no document breaks {rule}"));
            let outcome = read(&case.builder, &case.bytes[..]);
            let issues = outcome.issues();
            let issue = issues.iter().find(|issue| issue.rule() == rule).unwrap();
            let said = issue.violation.to_string();
            (case.name.to_owned(), said, effects)
        }
    }
}

/// Rules about how many things there are.
fn of_number(rule: Rule) -> Option<(&'static str, String)> {
    let news = "<url><loc>https://example.com/</loc><n:news xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"/></url>";
    let unknown =
        "<url><loc>https://example.com/</loc>".to_owned() + &"<foo/>".repeat(1_100) + "</url>";
    Some(match rule {
        Rule::TooManyNews => ("1,001 articles", urlset(&news.repeat(1_001))),
        Rule::TooManyEntries => (
            "50,001 entries",
            urlset(&url("https://example.com/").repeat(50_001)),
        ),
        Rule::TooManyBytes => (
            "52,428,801 bytes",
            urlset(&(" ".repeat(52_428_800) + &url("https://example.com/"))),
        ),
        Rule::IssuesOmitted => ("1,100 issues in one entry", urlset(&unknown)),
        _ => return None,
    })
}

/// Shortens long text in the middle.
fn shortened(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    if chars.len() <= 120 {
        return line.to_owned();
    }
    let part = |part: &[char]| part.iter().collect::<String>();
    format!(
        "{} … {}",
        part(&chars[..80]),
        part(&chars[chars.len() - 35..])
    )
}

/// A code span; control characters as a message shows them.
fn code(text: &str) -> String {
    let escape = |c: char| {
        if c.is_control() {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    };
    let text: String = text.chars().map(escape).collect();
    match (text.contains("``"), text.contains('`')) {
        (true, _) => format!("``` {text} ```"),
        (_, true) => format!("`` {text} ``"),
        _ => format!("`{text}`"),
    }
}
