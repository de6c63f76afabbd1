//! Findings with their examples.

use askama::Template;

use crate::judge::rules::find;
use crate::report::model::{Example, Findings};
use crate::term::address::logins;

/// Findings that are shown at once, if their lines are not known.
const EXAMPLES: usize = 4;

#[derive(Debug)]
pub(super) struct RuleSection<'a> {
    pub(super) findings: &'a Findings,
    /// Number of findings of the rule that has most.
    pub(super) most: u64,
    /// Those with their lines.
    pub(super) examples: Vec<&'a Example>,
    /// The findings that fit on the page. Empty if `examples` already contains all of them.
    pub(super) all: &'a [Example],
}

/// The section of each rule: its explanation, and its examples with the lines that they are on.
pub(super) fn rules(rules: &[Findings]) -> Vec<RuleSection<'_>> {
    let most = rules.iter().map(|rule| rule.count).max().unwrap_or(0);
    let sections = rules.iter().map(|findings| {
        let all = findings.examples.as_slice();
        let mut examples: Vec<_> = all.iter().filter(|found| found.excerpt.is_some()).collect();
        if examples.is_empty() {
            examples.extend(all.iter().take(EXAMPLES));
        }
        // A short list is complete.
        let is_complete = examples.len() as u64 == findings.count;
        RuleSection {
            findings,
            most,
            examples,
            all: if is_complete { &[] } else { all },
        }
    });
    sections.collect()
}

impl<'a> RuleSection<'a> {
    /// Findings that the earlier report does not have.
    pub(super) fn new_ones(&self) -> usize {
        let examples = self.findings.examples.iter();
        examples.filter(|example| example.is_new).count()
    }

    pub(super) fn can_be_allowed(&self) -> bool {
        find(&self.findings.rule).is_some_and(|rule| rule.is_optional())
    }

    /// The explanation, for the user of the program. Code is indented by [`INDENT`].
    pub(super) fn paragraphs(&self) -> impl Iterator<Item = &'a str> {
        let paragraphs = self.findings.explanation.split("\n\n");
        paragraphs.filter(|text| !text.trim().is_empty())
    }
}

pub(super) const INDENT: &str = "    ";

/// A text in which code is between backticks, in one line. It escapes the text itself, so that templates have it as
/// `safe`.
#[derive(Template)]
#[template(
    source = "{% for (text, is_code) in self.spans() %}{% if is_code %}<code>{{ text }}</code>{% else %}{{ text }}{% endif %}{% endfor %}",
    ext = "html"
)]
pub(super) struct Prose {
    text: String,
}

impl Prose {
    pub(super) fn of(text: &str) -> Self {
        Self {
            text: text.replace(['\r', '\n'], " "),
        }
    }

    fn spans(&self) -> Vec<(&str, bool)> {
        spans(&self.text)
    }
}

/// The parts of a text, each with `true` if it is code.
fn spans(text: &str) -> Vec<(&str, bool)> {
    if text.matches('`').count() % 2 == 1 {
        return vec![(text, false)];
    }
    let spans = text.split('`').zip([false, true].into_iter().cycle());
    spans.filter(|(text, _)| !text.is_empty()).collect()
}

/// The excerpt before, in and after the bytes that are marked; a mark that the text does not have marks nothing. Nothing is
/// marked either in a text with a login, which the escaper would not find in parts.
pub(super) fn parts<'t>(
    text: &'t str,
    marked: &Option<(usize, usize)>,
) -> (&'t str, &'t str, &'t str) {
    let marked = marked.as_ref().filter(|_| logins(text).is_empty());
    let parts = marked.and_then(|&(start, end)| {
        let (before, rest) = text.split_at_checked(start)?;
        let (marked, after) = rest.split_at_checked(end.checked_sub(start)?)?;
        Some((before, marked, after))
    });
    parts.unwrap_or((text, "", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_between_backticks() {
        assert_eq!(spans("`a` is no URL"), [("a", true), (" is no URL", false)]);
        assert_eq!(spans("a ` b"), [("a ` b", false)]);
        assert_eq!(spans(""), []);
    }

    #[test]
    fn a_mark_that_the_text_does_not_have_marks_nothing() {
        let of = |marked| parts("aéb", &marked);
        let nothing = ("aéb", "", "");
        assert_eq!(of(Some((1, 3))), ("a", "é", "b"));
        let login = "https://user:word@example.com/";
        assert_eq!(parts(login, &Some((10, 14))).0, login);
        for marked in [None, Some((1, 2)), Some((3, 1)), Some((0, 9)), Some((9, 9))] {
            assert_eq!(of(marked), nothing, "{marked:?}");
        }
    }
}
