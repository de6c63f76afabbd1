//! Processing instructions: nothing that is read depends on them, but whoever writes the entries again loses them.

use memchr::memmem;

use crate::parse::context::{Context, TextEnd};
use crate::span::Span;
use crate::stylesheet::media_type;
use crate::xml::attributes::SpeltAttributes;
use crate::xml::lexer::{Tag, name_at};
use crate::xml::references;

const STYLESHEET: &str = "<?xml-stylesheet";

/// Longer ones are not looked into.
const LONGEST: usize = 4 << 10;

/// Keeps the style sheet that the instruction at the start of the text names, or reports that the instruction is passed
/// over. `false`: more text is needed.
pub(super) fn look_into(cx: &mut Context<'_>) -> bool {
    let is_open = cx.end == TextEnd::Open;
    if is_open && cx.text.len() <= STYLESHEET.len() && STYLESHEET.starts_with(cx.text) {
        return false;
    }
    let name = name_at(cx.text, 2);
    if name == STYLESHEET.trim_start_matches("<?") {
        let end = memmem::find(cx.text.as_bytes(), b"?>");
        if end.is_none() && is_open && cx.text.len() < LONGEST {
            return false;
        }
        let href = end.and_then(|end| stylesheet(cx.text, end));
        if href.is_some_and(|href| cx.report.keep_stylesheet(href)) {
            return true;
        }
    }
    cx.report.pass_over("processing instruction", name);
    true
}

/// The href of a style sheet that a writer would name in the same way.
fn stylesheet(text: &str, end: usize) -> Option<String> {
    let name = Span::new(2, STYLESHEET.len());
    let tag = Tag {
        name,
        local: 2,
        attributes: Span::new(name.end(), end),
        empty: true,
        end,
    };
    let value = |wanted: &str| {
        let mut attributes = SpeltAttributes::new(text, &tag).flatten();
        let found = attributes.find(|attribute| attribute.name.of(text) == wanted)?;
        let mut value = String::new();
        let spelt = found.value.of(text);
        references::decode(spelt, references::Context::Attribute, &mut value, |_, _| ());
        Some(value)
    };
    let kind = value("type")?;
    value("href").filter(|href| media_type(href) == kind)
}
