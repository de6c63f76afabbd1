//! Rows: elements that the document writes the same again and again, except for a few values.
//!
//! A link such as `<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>` is read tag by tag when
//! it occurs for the first time. The part of the tape that it wrote is kept as a [`Row`]: the text before, between and
//! after its values, and the places of its names in that text. The next link is compared with these texts, and only the
//! ends of its values are searched. Nothing is known in advance: the order of attributes, quotes, white space and
//! prefixes are those of the document.

use super::spelling::Literal;
use crate::tape::{Attribute, Node};
use crate::text::span::Span;

/// Number of places of a row that move separately: its start, and the text after each of its values.
pub(super) const PLACES: usize = 4;
/// Values in a row. An element with more is not learnt.
const MAX_VALUES: usize = PLACES - 1;

/// An element and its content. All places count from its start, as it was written when it was learned.
#[derive(Debug)]
pub(super) struct Row {
    /// The literal text before the first value.
    pub(super) head: Literal,
    pub(super) values: Vec<Learnt>,
    pub(super) nodes: Vec<(Node, Anchor)>,
    pub(super) attributes: Vec<(Attribute, Anchor)>,
}

/// A value, which differs from element to element.
#[derive(Debug)]
pub(super) struct Learnt {
    /// The quote that ends it; `<` ends a text.
    pub(super) end: u8,
    /// The literal text after it, up to the next value.
    pub(super) behind: Literal,
    /// Start of that text.
    pub(super) at: u32,
}

/// The current place of a name or a value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    /// It has moved as far as the text after this number of values.
    pub(super) behind: Number,
    /// The number of the value, if it is one that differs.
    pub(super) value: Option<Number>,
}

/// A number below [`PLACES`], which is a constant, so that no bounds check is needed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Zero,
    One,
    Two,
    Three,
}

impl Number {
    /// The number of the next value, which is also the number of values before it.
    pub(super) fn of_next(values: &[Learnt]) -> Option<Self> {
        let numbers = [Self::Zero, Self::One, Self::Two, Self::Three];
        numbers.get(values.len()).copied()
    }

    /// The one of this number.
    #[inline(always)]
    pub(super) fn of<T: Copy>(self, all: &[T; PLACES]) -> Option<T> {
        all.get(self as usize).copied()
    }
}

impl Row {
    pub(super) fn is_spelt_as(&self, other: &Self) -> bool {
        let spelling = |row: &Self| {
            let values = row.values.iter();
            let values = values.map(|value| (value.end, value.behind.clone()));
            (row.head.clone(), values.collect::<Vec<_>>())
        };
        spelling(self) == spelling(other)
    }

    /// Adds a value; the text before it begins at `from`.
    pub(super) fn add_value(
        &mut self,
        text: &[u8],
        from: usize,
        value: Span,
        end: u8,
    ) -> Option<()> {
        if self.values.len() == MAX_VALUES {
            return None;
        }
        self.end(text.get(from..value.start())?)?;
        self.values.push(Learnt {
            end,
            behind: Literal::EMPTY,
            at: value.end() as u32,
        });
        Some(())
    }

    /// Sets the literal text after the last value, or before the first.
    pub(super) fn end(&mut self, text: &[u8]) -> Option<()> {
        let text = Literal::new(text)?;
        match self.values.last_mut() {
            Some(value) => value.behind = text,
            None => self.head = text,
        }
        Some(())
    }
}
