use std::ops::Range;

use miette::{
    LabeledSpan, MietteError, MietteSpanContents, Report, SourceCode, SourceSpan, SpanContents,
};
use quick_sitemap::text::is_printable;
use quick_sitemap::{Policy, Position, ReaderBuilder};

/// The line of a problem, at its place in the file, which is not kept in memory.
struct Line {
    file: String,
    text: String,
    place: SourceSpan,
    /// From 0.
    line: usize,
    column: usize,
}

impl SourceCode for Line {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (file, text) = (self.file.clone(), self.text.as_bytes());
        let (line, column) = (self.line, self.column);
        let contents = MietteSpanContents::new_named(file, text, self.place, line, column, 1);
        Ok(Box::new(contents))
    }
}

/// The text of a document, which can contain characters that control a terminal. Each byte of one becomes a `?`, so the places
/// stay the same.
fn printable(text: &str) -> String {
    let shown = |character: char| match character {
        '\t' => character.to_string(),
        _ if is_printable(character) => character.to_string(),
        _ => "?".repeat(character.len_utf8()),
    };
    text.chars().map(shown).collect()
}

/// The report of an issue or of an error, from its position and its excerpt.
fn report(
    file: &str,
    message: String,
    position: Position,
    excerpt: (&str, Range<usize>),
) -> Report {
    let (text, marked) = excerpt;
    let at = position.byte() as usize;
    let before = text.get(..marked.start).unwrap_or("").chars().count();
    let line = Line {
        file: file.to_owned(),
        text: printable(text),
        // The excerpt begins this number of bytes before the problem.
        place: (at.saturating_sub(marked.start), text.len()).into(),
        line: position.line() as usize - 1,
        column: (position.column() as usize - 1).saturating_sub(before),
    };
    let label = LabeledSpan::new(Some("here".to_owned()), at, marked.len());
    miette::miette!(labels = vec![label], "{message}").with_source_code(line)
}

/// The reports of all problems of a file.
pub fn lint(file: &str, bytes: &[u8], policy: Policy) -> Vec<Report> {
    let mut reports = Vec::new();
    let reader = ReaderBuilder::new()
        .policy(policy)
        .excerpts(true)
        .from_bytes(bytes);
    for outcome in reader.outcomes() {
        for issue in &outcome.issues {
            if let Some(excerpt) = issue.excerpt() {
                let message = issue.violation.to_string();
                reports.push(report(file, message, issue.position, excerpt));
            }
        }
        if let Err(error) = outcome.entry {
            let place = error.position().zip(error.excerpt());
            reports.push(match place {
                Some((position, excerpt)) => {
                    report(file, error.kind().to_string(), position, excerpt)
                }
                None => miette::miette!("{file}: {error:#}"),
            });
        }
    }
    reports
}
