//! Findings as compilers print them, with the line that is meant.

use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anyhow::Result;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Form, message};
use crate::judge::excerpt::Excerpt;
use crate::judge::finding::{Finding, cost};
use crate::term::messages::{Severity, printable};
use crate::term::output;
use crate::term::shortened::front;

/// How wide a terminal is taken to be where there is none.
const WIDTH: usize = 120;
/// This number of columns after the place takes precedence over the beginning of the line.
const BEHIND: usize = 12;
/// A line that has less room than this shows nothing.
const LEAST: usize = 20;

/// As compilers print it: the message, the place, and the line with what is meant underlined.
pub(crate) struct Text {
    renderer: Renderer,
    width: usize,
}

impl Text {
    pub(crate) fn new() -> Self {
        let renderer = if console::colors_enabled() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            // Lines are cut here, because the text on both sides is known.
            renderer: renderer.term_width(10_000),
            width: output::columns().unwrap_or(WIDTH),
        }
    }
}

impl Form for Text {
    fn wants_excerpts(&self) -> bool {
        true
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        let excerpt = finding.excerpt();
        let level = match finding.severity {
            Severity::Advice => Level::HELP.with_name("advice"),
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let cost = cost(finding.effect);
        // The loss is printed at the place, if that is shown.
        let message = match &excerpt {
            Some(_) => finding.message.clone(),
            None => message(finding),
        };
        let message = printable(&message).into_owned();
        let title = level.clone().primary_title(message).id(finding.rule);
        let mut origin = Origin::path(printable(file).into_owned());
        if let Some(position) = finding.position {
            origin = origin
                .line(usize::try_from(position.line()).unwrap_or(usize::MAX))
                .char_column(usize::try_from(position.column()).unwrap_or(usize::MAX));
        }
        let mut groups = vec![Group::with_title(title).element(origin)];
        if let (Some(excerpt), Some(position)) = (&excerpt, finding.position) {
            let number = usize::try_from(position.line()).unwrap_or(usize::MAX);
            let gutter = number.to_string().len() + 3;
            // The loss is printed after the place.
            let label = cost.as_ref().map_or(0, |cost| cost.len() + 1);
            let room = self.width.saturating_sub(gutter).max(LEAST);
            let (mut line, mut marked) = fitted(excerpt, room);
            let end = line.get(..marked.end).map_or(0, UnicodeWidthStr::width);
            if end + label > room {
                (line, marked) = fitted(excerpt, room.saturating_sub(label).max(LEAST));
            }
            let annotation = AnnotationKind::Primary.span(marked).label(cost);
            let snippet = Snippet::source(line)
                .line_start(number)
                .annotation(annotation);
            groups.push(Group::with_level(level).element(snippet));
        }
        // The renderer counts columns in the line that is passed to it, which may be cut. So the place is printed
        // separately, and ends with a separator, because the line begins with one.
        let rendered = self.renderer.render(&groups);
        let mut before = "";
        for line in rendered.lines() {
            if line != before || line.is_empty() {
                writeln!(out, "{line}")?;
            }
            before = line;
        }
        writeln!(out)?;
        Ok(())
    }

    fn hidden(&mut self, out: &mut dyn Write, file: &str, hidden: &[Finding]) -> Result<()> {
        let file = printable(file);
        for finding in hidden {
            let Finding {
                message,
                severity,
                rule,
                ..
            } = finding;
            let name = format!("{}[{rule}]", severity.name());
            let severity = severity.style().apply_to(name);
            let more = console::style(format!("{message} in {file}")).bold();
            writeln!(out, "{severity}: {more} (`--all` shows them)")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// As much of the line as there are columns for, and which bytes of it are meant.
pub(crate) fn fitted(excerpt: &Excerpt, columns: usize) -> (String, Range<usize>) {
    let before = visible(&excerpt.before);
    let marked = visible(&excerpt.marked);
    let behind = visible(&excerpt.behind);
    // A column for each mark of something left out.
    let room = columns.saturating_sub(2);
    let shown = if marked.width() > room {
        format!("{}…", front(&marked, room.saturating_sub(1)))
    } else {
        marked.into_owned()
    };
    let room = room - shown.width().min(room);
    // The line is shown from its beginning if that leaves enough room after the place. Otherwise each side gets half of
    // the room, and room that one side does not need goes to the other.
    let (left, right) = (before.width(), behind.width());
    let left_room = if left + right.min(BEHIND) <= room {
        left
    } else {
        (room / 2).max(room.saturating_sub(right))
    };
    let right_room = room - left.min(left_room);
    let kept_before = back(&before, left_room);
    let kept_behind = front(&behind, right_room);
    let mut line = String::new();
    if excerpt.is_cut_before || kept_before.len() < before.len() {
        line.push('…');
    }
    line.push_str(kept_before);
    let start = line.len();
    line.push_str(&shown);
    let end = line.len();
    line.push_str(kept_behind);
    if excerpt.is_cut_behind || kept_behind.len() < behind.len() {
        line.push('…');
    }
    (line, start..end)
}

/// Without what a terminal would obey. A tab is as wide as four spaces.
fn visible(text: &str) -> Cow<'_, str> {
    if text.contains('\t') {
        Cow::Owned(printable(&text.replace('\t', "    ")).into_owned())
    } else {
        printable(text)
    }
}

/// The end of the text that fits into this number of columns.
fn back(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, character) in text.char_indices().rev() {
        used += character.width().unwrap_or(0);
        if used > columns {
            return text.get(at + character.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(before: &str, marked: &str, behind: &str) -> Excerpt {
        Excerpt {
            before: before.to_owned(),
            marked: marked.to_owned(),
            behind: behind.to_owned(),
            is_cut_before: false,
            is_cut_behind: false,
            marked_columns: marked.chars().count() as u64,
        }
    }

    #[test]
    fn a_line_fits_and_shows_what_is_meant() {
        let long = "x".repeat(500);
        let wide = "日本語".repeat(100);
        for before in ["", "<loc>", &long, &wide] {
            for marked in ["", "1.5", &long, &wide] {
                for behind in ["", "</loc>", &long, &wide] {
                    for columns in [20, 40, 77] {
                        let (line, span) = fitted(&excerpt(before, marked, behind), columns);
                        assert!(line.width() <= columns, "{line}");
                        let kept = line[span].trim_end_matches('…');
                        assert!(marked.starts_with(kept) && kept.is_empty() == marked.is_empty());
                    }
                }
            }
        }
        let whole = fitted(&excerpt("<loc>", "1.5", "</loc>"), 40);
        assert_eq!(whole, ("<loc>1.5</loc>".to_owned(), 5..8));
        let (line, _) = fitted(&excerpt(&long, "1.5", ""), 20);
        assert_eq!(line, format!("…{}1.5", "x".repeat(15)));
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let (line, span) = fitted(&excerpt("\ta\u{1b}[2J", "b\u{202e}c", "\u{7}"), 80);
        assert_eq!(line, "    a\\u{1b}[2Jb\\u{202e}c\\u{7}");
        assert_eq!(&line[span], "b\\u{202e}c");
    }
}
