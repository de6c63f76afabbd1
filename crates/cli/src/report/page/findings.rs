//! Findings with their examples.

use askama::Template;

use crate::judge::rules::find;
use crate::report::model::{Example, Findings};
use crate::term::address::logins;

/// Findings that are shown at once, if their lines are not known.
const EXAMPLES: usize = 4;

/// Those with the lines that they are on, or else the first.
pub(super) fn places(rule: &Findings) -> Vec<&Example> {
    let all = rule.examples.iter();
    let with_lines: Vec<_> = all
        .clone()
        .filter(|found| found.excerpt.is_some())
        .collect();
    if with_lines.is_empty() {
        return all.take(EXAMPLES).collect();
    }
    with_lines
}

pub(super) fn can_be_allowed(rule: &Findings) -> bool {
    find(&rule.rule).is_some_and(|rule| rule.is_optional())
}

/// The explanation, for the user of the program. Code is indented by [`INDENT`].
pub(super) fn paragraphs(rule: &Findings) -> impl Iterator<Item = &str> {
    let paragraphs = rule.explanation.split("\n\n");
    paragraphs.filter(|text| !text.trim().is_empty())
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

    /// The parts of the text, each with `true` if it is code.
    fn spans(&self) -> Vec<(&str, bool)> {
        if self.text.matches('`').count() % 2 == 1 {
            return vec![(&self.text, false)];
        }
        let spans = self.text.split('`').zip([false, true].into_iter().cycle());
        spans.filter(|(text, _)| !text.is_empty()).collect()
    }
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
        let spans = Prose::of;
        let prose = spans("`a` is no URL");
        assert_eq!(prose.spans(), [("a", true), (" is no URL", false)]);
        assert_eq!(spans("a ` b").spans(), [("a ` b", false)]);
        assert_eq!(spans("").spans(), []);
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
