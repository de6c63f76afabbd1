//! Rows: elements that the document writes the same again and again, except for a few values.
//!
//! `<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>` is read once as any element is. What it
//! put on the tape is kept as a [`Row`]: the text before, between and after its values, and where in that text its
//! names are. The next link is compared with these texts as a whole, and only the ends of its values are searched.
//! Nothing is known in advance: the order of attributes, quotes, white space and prefixes are those of the document.

use super::spelling::Literal;
use crate::tape::{Attribute, Node};
use crate::text::span::Span;

/// Places of a row that move by themselves: its start, and the text behind each of its values.
pub(super) const PLACES: usize = 4;
/// Values in a row. An element with more is not learnt.
const MAX_VALUES: usize = PLACES - 1;

/// An element and those in it. All places count from its start, as it was written when it was learnt.
#[derive(Debug)]
pub(super) struct Row {
    /// What is written before the first value.
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
    /// What is written behind it, up to the next value.
    pub(super) behind: Literal,
    /// Where that began.
    pub(super) at: u32,
}

/// Where a name or a value of a row is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    /// It has moved as far as the text behind so many values.
    pub(super) behind: Number,
    /// The number of the value, if it is one that differs.
    pub(super) value: Option<Number>,
}

/// A number below [`PLACES`], which the compiler knows, so that nothing has to be compared with it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Zero,
    One,
    Two,
    Three,
}

impl Number {
    /// That of the next value, which is also how many come before it.
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

    /// Sets what is written behind the last value, or before the first.
    pub(super) fn end(&mut self, text: &[u8]) -> Option<()> {
        let text = Literal::new(text)?;
        match self.values.last_mut() {
            Some(value) => value.behind = text,
            None => self.head = text,
        }
        Some(())
    }
}
