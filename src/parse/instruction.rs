//! Processing instructions: nothing that is read depends on them, but whoever writes the entries again loses them.

use memchr::memmem;

use crate::parse::context::Context;
use crate::text::span::Span;
use crate::xml::attributes::attributes;
use crate::xml::lexer::name_at;
use crate::xml::stylesheet::media_type;

const STYLESHEET: &str = "xml-stylesheet";

/// Longer ones are not looked into.
const LONGEST: usize = 4 << 10;

/// Keeps the style sheet that the instruction at the start of the text names, and reports that the instruction is
/// ignored, unless a writer can write it again.
pub(super) fn look_into(cx: &mut Context<'_>, is_in_prolog: bool) {
    let name = name_at(cx.text, 2);
    if is_in_prolog && name == STYLESHEET {
        let end = memmem::find(cx.text.as_bytes(), b"?>").filter(|end| *end < LONGEST);
        if let Some((kind, href)) = end.and_then(|end| stylesheet(cx.text, end)) {
            let can_be_written = media_type(&href) == kind;
            if cx.report.keep_stylesheet(kind, href) && can_be_written {
                return;
            }
        }
    }
    cx.report.pass_over("processing instruction", name);
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
