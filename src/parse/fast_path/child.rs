//! The children of an entry, and the steps from one to the next.
//!
//! Between two values, a document repeats the same text: `</loc>`, white space, `<lastmod>`. Such a step is read tag by
//! tag when it occurs for the first time, and is kept; after that it is compared as one text. Each child has its own
//! steps, so an entry can lack any of them.

use super::literal::Literal;
use crate::tape::dialect::BaseChild;
use crate::text::span::TakePart;
use crate::xml::lexer::name_len;

/// The children of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Child {
    // Not `Base(BaseChild)`, for which the compiler makes 40 more instructions per entry.
    Loc,
    Lastmod,
    Changefreq,
    Priority,
    /// An element with a prefix.
    Prefixed,
    /// The start tag or the end tag of the entry itself.
    Entry,
    /// None of these, as far as there is text. It is never learned.
    #[default]
    Other,
}

impl Child {
    #[inline(always)]
    pub(super) const fn of(child: BaseChild) -> Self {
        match child {
            BaseChild::Loc => Self::Loc,
            BaseChild::Lastmod => Self::Lastmod,
            BaseChild::Changefreq => Self::Changefreq,
            BaseChild::Priority => Self::Priority,
        }
    }

    /// The child of the base format that it is, if it is one.
    pub(super) fn base(self) -> Option<BaseChild> {
        let mut all = BaseChild::ALL.into_iter();
        all.find(|child| Self::of(*child) == self)
    }

    /// Returns the child that begins here, and the length of the text that identifies it.
    pub(super) fn at(rest: &[u8]) -> (Self, usize) {
        let is_start = |child: &BaseChild| {
            let name = rest.strip_prefix(b"<");
            let behind = name.and_then(|name| name.strip_prefix(child.name().as_bytes()));
            behind.is_some_and(|behind| behind.starts_with(b">"))
        };
        if rest.starts_with(b"</") {
            return (Self::Entry, 2);
        }
        if let Some(child) = BaseChild::ALL.into_iter().find(is_start) {
            return (Self::of(child), child.name().len() + 2);
        }
        let Some((b'<', name)) = rest.split_first() else {
            return (Self::Other, 0);
        };
        let name = name.part(..name_len(name));
        match name.iter().position(|byte| *byte == b':') {
            Some(prefix) => (Self::Prefixed, prefix + 2),
            None => (Self::Other, 0),
        }
    }
}

/// The child after another one, and the distance of its `<` from the end of the first child's text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ChildStep {
    pub(super) next: Child,
    pub(super) len: usize,
}

/// The steps from each child, in the order of [`Child`], and the text of each.
pub(super) type Steps = [[(Literal<2>, ChildStep); 4]; 6];
