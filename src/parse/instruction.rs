//! Processing instructions: only the style sheet is kept.

use crate::text::span::Span;
use crate::xml::attributes::attributes;
use crate::xml::lexer::name_at;

const STYLESHEET: &str = "xml-stylesheet";

/// Longer ones are not looked into.
const LONGEST: usize = 4 << 10;

/// The type and the href of the style sheet that an instruction names.
pub(super) fn stylesheet(instruction: &str) -> Option<(String, String)> {
    let text = instruction.strip_suffix("?>")?;
    if text.len() > LONGEST || name_at(text, 2) != STYLESHEET {
        return None;
    }
    let inside = Span::new(2 + STYLESHEET.len(), text.len());
    let value = |wanted: &str| {
        let mut attributes = attributes(text, inside).flatten();
        let found = attributes.find(|attribute| attribute.name.of(text) == wanted)?;
        Some(found.decoded(text))
    };
    value("type").zip(value("href"))
}
