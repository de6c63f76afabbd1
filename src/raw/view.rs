//! The view of an entry on the tape that raw entries and elements share.

use crate::input::Window;
use crate::tape::{Tape, Value};
use crate::text::position::Position;
use crate::text::span::Span;

/// The data that raw entries and elements borrow.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) tape: &'r Tape,
    pub(crate) window: &'r Window,
    /// The text of the window, from the entry's start on.
    pub(crate) text: &'r str,
    /// The number of the entry, from 1.
    pub(crate) number: u64,
}

impl<'r> View<'r> {
    #[inline(always)]
    pub(super) fn name(self, name: Span) -> &'r str {
        self.tape.part(name, self.text)
    }

    pub(super) fn trimmed(self, value: Value) -> Value {
        let trimmed = value.trimmed(self.text, &self.tape.scratch);
        if trimmed.is_empty() {
            // It is read, so that a mistake is recorded.
            self.text_of(value);
        }
        trimmed
    }

    #[inline]
    pub(crate) fn value(self, value: Value) -> Option<&'r str> {
        self.tape.text(value, self.text)
    }

    #[inline]
    pub(crate) fn text_of(self, value: Value) -> &'r str {
        self.tape.text_of(value, self.text)
    }

    #[inline]
    pub(crate) fn bytes(self, value: Value) -> Option<&'r [u8]> {
        (!value.is_empty()).then(|| self.tape.bytes_of(value, self.text))
    }

    pub(super) fn position(self, at: usize) -> Position {
        let node = self.tape.nodes.last().map_or(0, |node| node.at as usize);
        let attribute = self.tape.attributes.last();
        let attribute = attribute.map_or(0, |last| last.value.written().end());
        let last = node.max(attribute);
        self.window.position_of_many(at, last.max(at), self.number)
    }
}
