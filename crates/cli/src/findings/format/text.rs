//! Findings as compilers print them, with the line that is meant.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anyhow::Result;

use crate::findings::form::Form;
use crate::judge::finding::{Finding, cost};
use crate::term::messages::{Severity, printable};
use crate::term::output;

/// How wide a terminal is taken to be where there is none.
const WIDTH: usize = 120;
/// A line that has less room than this shows nothing.
const LEAST: usize = 40;

/// As compilers print it: the message, the place, and the line with what is meant underlined.
pub(crate) struct Text {
    renderer: Renderer,
}

impl Text {
    pub(crate) fn new() -> Self {
        let renderer = if console::colors_enabled() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let width = output::columns().unwrap_or(WIDTH);
        Self {
            renderer: renderer.term_width(width.max(LEAST)),
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
            None => finding.message_and_cost(),
        };
        let message = printable(&message).into_owned();
        let title = level.clone().primary_title(message).id(finding.rule.name);
        let mut origin = Origin::path(printable(file).into_owned());
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(at) = finding.position {
            let origin_line = origin.line(number(at.line()));
            origin = origin_line.char_column(number(at.column()));
        }
        let mut groups = vec![Group::with_title(title).element(origin)];
        if let (Some(excerpt), Some(position)) = (&excerpt, finding.position) {
            let (line, marked) = excerpt.line();
            let annotation = AnnotationKind::Primary.span(marked).label(cost);
            let snippet = Snippet::source(line)
                .line_start(number(position.line()))
                .annotation(annotation);
            groups.push(Group::with_level(level).element(snippet));
        }
        // The renderer counts columns in the line that is passed to it, which may be a part of one. So the place is printed
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
            let severity = finding.severity;
            let name = format!("{}[{}]", severity.name(), finding.rule.name);
            let severity = severity.style().apply_to(name);
            let more = console::style(format!("{} in {file}", finding.message)).bold();
            writeln!(out, "{severity}: {more} (`--all` shows them)")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::judge::rules::rule;
    use crate::source::span::{MarkedLine, SourceSpan};

    /// The lines of a finding in a terminal of this width.
    fn rendered(line: MarkedLine, width: usize) -> String {
        let position = SourceSpan::of_row(0, 1_234, 1).unwrap().position;
        let finding = Finding {
            position: Some(position),
            effect: Some(quick_sitemap::Effect::EntrySkipped),
            line: Some(line),
            ..Finding::new(rule!("missing-loc"), "message")
        };
        let renderer = Renderer::plain().term_width(width);
        let mut out = Vec::new();
        Text { renderer }
            .finding(&mut out, "s.xml", &finding)
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_fits_and_shows_what_is_meant() {
        let long = "x".repeat(700);
        let wide = "日本語".repeat(80);
        let none = "e\u{301}\u{200b}".repeat(80);
        for before in ["", "<loc>", "          ", &long, &wide, &none] {
            for marked in ["", "1.5", "日", &wide[..60], &long, &none] {
                for behind in ["", "</loc>", &long, &wide, &none] {
                    for width in [40, 41, 77, 120] {
                        let start = before.len();
                        let line = format!("{before}{marked}{behind}");
                        let text = rendered((line, start..start + marked.len()), width);
                        let begin: String = marked.chars().take(2).collect();
                        assert!(text.contains(&begin), "{text}");
                        let widest = text.lines().map(UnicodeWidthStr::width).max();
                        // A mark that has no room makes the line longer, but the text around it does not.
                        let printed = printable(marked).width() + 30;
                        // The sign of something left out can follow a letter of several characters.
                        let most = width.max(printed) + 3;
                        assert!(widest <= Some(most), "{width} {widest:?}\n{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let text = rendered(("\ta\u{1b}[2Jb\u{202e}c\u{7}".to_owned(), 6..11), 80);
        assert!(text.contains("    a\\u{1b}[2Jb\\u{202e}c\\u{7}"), "{text}");
    }
}
