//! Processing instructions: only the style sheet is kept.

use memchr::memmem;

use crate::parse::context::Context;
use crate::text::span::Span;
use crate::xml::attributes::attributes;
use crate::xml::lexer::name_at;

const STYLESHEET: &str = "xml-stylesheet";

/// Longer ones are not looked into.
const LONGEST: usize = 4 << 10;

/// Keeps the style sheet that the instruction at the start of the text names.
pub(super) fn look_into(cx: &mut Context<'_>, is_in_prolog: bool) {
    if is_in_prolog && name_at(cx.text, 2) == STYLESHEET {
        let end = memmem::find(cx.text.as_bytes(), b"?>").filter(|end| *end < LONGEST);
        cx.report.facts.unplaced = end.and_then(|end| stylesheet(cx.text, end));
    }
}

/// The type and the href of a style sheet.
fn stylesheet(text: &str, end: usize) -> Option<(String, String)> {
    let inside = Span::new(2 + STYLESHEET.len(), end);
    let value = |wanted: &str| {
        let mut attributes = attributes(text, inside).flatten();
        let found = attributes.find(|attribute| attribute.name.of(text) == wanted)?;
        Some(found.decoded(text))
    };
    value("type").zip(value("href"))
}
