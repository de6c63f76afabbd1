//! The line that something was found on, as it is shown.

use std::ops::Range;

use crate::source::span::{LEFT_OUT, MarkedLine};
use crate::term::address::redact;
use crate::term::messages::printable;

/// A line as it is shown, without users and passwords of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) before: String,
    /// The offending text; empty if only a position is known, and no tag begins there.
    pub(crate) marked: String,
    pub(crate) behind: String,
    /// Characters that are meant in the file, where users and passwords are not hidden.
    pub(crate) marked_columns: u64,
}

impl Excerpt {
    pub(crate) fn new(line: &str, span: Range<usize>) -> Self {
        let span = widened(line, span);
        let marked = line.get(span.clone()).unwrap_or_default();
        let marked_columns = marked.chars().count() as u64;
        let (line, span) = redact(line, span);
        let (before, rest) = line.split_at_checked(span.start).unwrap_or((&line, ""));
        let (marked, behind) = rest.split_at_checked(span.len()).unwrap_or((rest, ""));
        Self {
            before: before.to_owned(),
            marked: marked.to_owned(),
            behind: behind.to_owned(),
            marked_columns,
        }
    }

    /// Returns the line with its control characters escaped, and the range to underline. A tab becomes four spaces.
    pub(crate) fn line(&self) -> MarkedLine {
        let visible = |text: &str| printable(&text.replace('\t', "    ")).into_owned();
        let mut line = visible(&self.before);
        let start = line.len();
        line.push_str(&visible(&self.marked));
        let end = line.len();
        line.push_str(&visible(&self.behind));
        (line, start..end)
    }
}

/// A place alone is hard to see: the beginning of the tag that begins there is meant.
fn widened(line: &str, span: Range<usize>) -> Range<usize> {
    let rest = line.get(span.start..).unwrap_or_default();
    match rest.strip_prefix('<') {
        Some(name) if span.is_empty() => {
            let is_end = |character: char| {
                character.is_whitespace() || matches!(character, '>' | '/' | LEFT_OUT)
            };
            span.start..span.start + 1 + name.find(is_end).unwrap_or(name.len())
        }
        _ => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the line, what is meant between brackets.
    fn shown(line: &str, marked: &str) -> String {
        let start = line.find(marked).unwrap();
        let excerpt = Excerpt::new(line, start..start + marked.len());
        assert_eq!(excerpt.marked_columns, marked.chars().count() as u64);
        let Excerpt {
            before,
            marked,
            behind,
            ..
        } = excerpt;
        format!("{before}[{marked}]{behind}")
    }

    #[test]
    fn a_password_is_hidden_and_the_mark_stays() {
        let line = "<loc>https://user:secret@h/é</loc><priority>1.5</priority>//u:secret@i/";
        for (marked, expected) in [
            (
                "1.5",
                "<loc>https://***@h/é</loc><priority>[1.5]</priority>//***@i/",
            ),
            (
                "https://user:secret@h/é",
                "<loc>[https://***@h/é]</loc><priority>1.5</priority>//***@i/",
            ),
            (
                "<loc",
                "[<loc]>https://***@h/é</loc><priority>1.5</priority>//***@i/",
            ),
            (
                "ret@h",
                "<loc>https://[***@h]/é</loc><priority>1.5</priority>//***@i/",
            ),
            (
                "//user:sec",
                "<loc>https:[//***@]h/é</loc><priority>1.5</priority>//***@i/",
            ),
            (
                "u:secret@i",
                "<loc>https://***@h/é</loc><priority>1.5</priority>//[***@i]/",
            ),
            (
                "i/",
                "<loc>https://***@h/é</loc><priority>1.5</priority>//***@[i/]",
            ),
        ] {
            assert_eq!(shown(line, marked), expected);
        }
    }

    /// Half of a URL may be beyond the end of what is kept of the line.
    #[test]
    fn a_password_that_is_cut_is_hidden() {
        let line = "…cret@h/</loc><a>x</a>https://user:se…";
        let x = line.find('x').unwrap();
        let excerpt = Excerpt::new(line, x..x + 1);
        assert_eq!(excerpt.before, "…***@h/</loc><a>");
        assert_eq!(excerpt.marked, "x");
        assert_eq!(excerpt.behind, "</a>https://***@…");
    }

    #[test]
    fn a_place_alone_is_the_tag_that_begins_there() {
        for (line, at, marked) in [
            ("a<url>", 1, "<url"),
            ("a<url/>", 1, "<url"),
            ("a<ur…", 1, "<ur"),
            ("a<url>", 2, ""),
            ("a", 1, ""),
        ] {
            assert_eq!(Excerpt::new(line, at..at).marked, marked, "{line}");
        }
    }
}
