//! A text that a value is read from.

use crate::raw::{RawElement, View};
use crate::tape::Value;
use crate::text::span::Span;

/// The text that a value is read from, where it is written, and whose value it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueText<'r> {
    pub(crate) text: &'r str,
    /// The span of the text in the entry.
    pub(crate) span: Span,
    /// The text is what is written there.
    pub(super) is_verbatim: bool,
    pub(super) owner: Owner<'r>,
}

/// The owner of a value, which messages about the value name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner<'r> {
    /// The entry's, in the base format. The rules of these values name them by themselves.
    Entry,
    /// An element, by its name as written.
    Element(&'r str),
    /// The name of the attribute, and that of its element.
    Attribute(&'r str, &'r str),
}

impl<'r> ValueText<'r> {
    fn of(source: View<'r>, value: Value, owner: Owner<'r>) -> Self {
        Self {
            text: source.text_of(value),
            span: value.written(),
            is_verbatim: !value.is_in_scratch,
            owner,
        }
    }

    /// Returns the text of a value in the base format, or `None` if there is none.
    pub(crate) fn of_entry(source: View<'r>, value: Value) -> Option<Self> {
        (!value.is_empty()).then(|| Self::of(source, value, Owner::Entry))
    }

    /// Returns the text of an element. If there is none, the span is that of its tag.
    pub(crate) fn of_element(element: RawElement<'r>) -> Self {
        let owner = Owner::Element(element.full_name());
        let mut text = Self::of(element.source, element.node.text, owner);
        if element.node.text.is_empty() {
            text.span = element.tag();
        }
        text
    }

    /// The value of an attribute, trimmed; `None` if it is missing or blank.
    pub(crate) fn of_attribute(element: RawElement<'r>, name: &str) -> Option<Self> {
        let (name, value) = element.attribute_value(name)?;
        let owner = Owner::Attribute(name, element.full_name());
        Some(Self::of(element.source, value, owner)).filter(|text| !text.text.is_empty())
    }
}
