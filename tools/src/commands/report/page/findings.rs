//! Findings with their examples.

use crate::commands::report::model::{Example, Findings};
use crate::judge::verdicts::{Class, verdict};
use crate::term::address::logins;

/// Findings that are shown at once, if their lines are not known.
const EXAMPLES: usize = 4;

#[derive(Debug)]
pub(super) struct RuleSection<'a> {
    pub(super) findings: &'a Findings,
    pub(super) level: &'static str,
    /// Number of findings of the rule that has most.
    pub(super) most: u64,
    /// Findings that the earlier report does not have.
    pub(super) new: usize,
    /// The rule can be allowed.
    pub(super) can_be_allowed: bool,
    /// For the user of the program.
    pub(super) explanation: Vec<Paragraph<'a>>,
    /// Those with their lines.
    pub(super) examples: Vec<Occurrence<'a>>,
    /// As many findings as fit.
    pub(super) all: Vec<Occurrence<'a>>,
}

/// Text, or code in it.
#[derive(Debug, PartialEq)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    pub(super) is_code: bool,
}

impl Span<'_> {
    /// A line end in a paragraph is a space.
    pub(super) fn in_line(&self) -> String {
        self.text.replace(['\r', '\n'], " ")
    }
}

/// A part of the explanation.
#[derive(Debug)]
pub(super) enum Paragraph<'a> {
    /// Its line ends are spaces.
    Text(Vec<Span<'a>>),
    /// An example, which was indented.
    Code(Vec<&'a str>),
}

#[derive(Debug)]
pub(super) struct Occurrence<'a> {
    pub(super) example: &'a Example,
    pub(super) message: Vec<Span<'a>>,
    pub(super) excerpt: Option<Excerpt<'a>>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Excerpt<'a> {
    pub(super) before: &'a str,
    pub(super) marked: &'a str,
    pub(super) after: &'a str,
}

pub(super) fn rules(rules: &[Findings]) -> Vec<RuleSection<'_>> {
    let most = rules.iter().map(|rule| rule.count).max().unwrap_or(0);
    let rule = |findings| rule(findings, most);
    rules.iter().map(rule).collect()
}

/// The section of a rule: its explanation, and its examples with the lines that they are on.
fn rule(findings: &Findings, most: u64) -> RuleSection<'_> {
    let paragraphs = findings
        .explanation
        .split("\n\n")
        .filter(|text| !text.trim().is_empty());
    let all: Vec<_> = findings.examples.iter().map(occurrence).collect();
    let has_lines = all.iter().any(|place| place.excerpt.is_some());
    let is_shown = |(number, example): &(usize, &Example)| {
        if has_lines {
            example.excerpt.is_some()
        } else {
            *number < EXAMPLES
        }
    };
    let examples = findings.examples.iter().enumerate().filter(is_shown);
    let examples: Vec<_> = examples.map(|(_, example)| occurrence(example)).collect();
    // A short list is complete.
    let is_complete = examples.len() as u64 == findings.count;
    RuleSection {
        findings,
        level: findings.level.name(),
        most,
        new: findings
            .examples
            .iter()
            .filter(|example| example.is_new)
            .count(),
        can_be_allowed: verdict(&findings.rule).is_some_and(|verdict| verdict.class != Class::End),
        explanation: paragraphs.map(paragraph).collect(),
        all: if is_complete { Vec::new() } else { all },
        examples,
    }
}

const INDENT: &str = "    ";

fn paragraph(text: &str) -> Paragraph<'_> {
    if text.starts_with(INDENT) {
        Paragraph::Code(
            text.lines()
                .map(|line| line.strip_prefix(INDENT).unwrap_or(line))
                .collect(),
        )
    } else {
        Paragraph::Text(spans(text))
    }
}

/// A text in which code is between backticks.
fn spans(text: &str) -> Vec<Span<'_>> {
    if text.matches('`').count() % 2 == 1 {
        return vec![Span {
            text,
            is_code: false,
        }];
    }
    let spans = text.split('`').enumerate().map(|(index, text)| Span {
        text,
        is_code: index % 2 == 1,
    });
    spans.filter(|span| !span.text.is_empty()).collect()
}

fn occurrence(example: &Example) -> Occurrence<'_> {
    let excerpt = example.excerpt.as_deref();
    Occurrence {
        example,
        message: spans(&example.message),
        excerpt: excerpt.map(|text| parts(text, example.marked)),
    }
}

/// The excerpt before, in and after the bytes that are marked; a mark that the text does not have marks nothing. Nothing is
/// marked either in a text with a login, which the escaper would not find in parts.
fn parts(text: &str, marked: Option<(usize, usize)>) -> Excerpt<'_> {
    let marked = marked.filter(|_| logins(text).is_empty());
    let parts = marked.and_then(|(start, end)| {
        let (before, rest) = text.split_at_checked(start)?;
        let (marked, after) = rest.split_at_checked(end.checked_sub(start)?)?;
        Some(Excerpt {
            before,
            marked,
            after,
        })
    });
    parts.unwrap_or(Excerpt {
        before: text,
        marked: "",
        after: "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_between_backticks() {
        let of = |text| {
            let spans = spans(text).into_iter();
            spans
                .map(|span| (span.text, span.is_code))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("`a` is no URL"), [("a", true), (" is no URL", false)]);
        assert_eq!(of("a ` b"), [("a ` b", false)]);
        assert_eq!(of(""), []);
    }

    #[test]
    fn a_mark_that_the_text_does_not_have_marks_nothing() {
        let of = |marked| parts("aéb", marked);
        let nothing = Excerpt {
            before: "aéb",
            marked: "",
            after: "",
        };
        assert_eq!(
            of(Some((1, 3))),
            Excerpt {
                before: "a",
                marked: "é",
                after: "b"
            }
        );
        let login = "https://user:word@example.com/";
        assert_eq!(parts(login, Some((10, 14))).before, login);
        for marked in [None, Some((1, 2)), Some((3, 1)), Some((0, 9)), Some((9, 9))] {
            assert_eq!(of(marked), nothing, "{marked:?}");
        }
    }
}
