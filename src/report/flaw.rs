//! A violation before it is judged.

use crate::text::span::Span;
use crate::violation::{Effect, Rule, Violation};

/// A violation that has not been judged yet. `span` is a part of the window's text, so the window may not move before
/// it is judged.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) span: Span,
    pub(super) effect: Effect,
    pub(super) violation: Violation,
}

/// Something that is reported once per document. Texts are represented by a key that hardly another has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Once {
    Rule(Rule),
    Namespace(u64),
    Prefix(u64),
}

impl Flaw {
    pub(super) fn at(&self) -> usize {
        self.span.start()
    }
}
