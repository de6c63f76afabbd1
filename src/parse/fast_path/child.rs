//! The children of an entry, and the steps from one to the next.
//!
//! Between two values a document writes the same each time: `</loc>`, white space, `<lastmod>`. Where it is met first, such
//! a step is read tag by tag and kept; later it is compared as a whole. Each child has steps of its own, so an entry may
//! leave any of them out.

use super::spelling::Spellings;
use crate::tape::dialect::BaseChild;
use crate::text::span::TakePart;
use crate::xml::lexer::name_len;

/// What stands in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// None of these, as far as there is text. It is never learnt.
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

    /// What begins here, and how much of the text tells so.
    pub(super) fn at(rest: &[u8]) -> (Self, usize) {
        let is_start = |child: &BaseChild| {
            let name = rest.strip_prefix(b"<").unwrap_or_default();
            let behind = name.strip_prefix(child.name().as_bytes());
            behind.is_some_and(|behind| behind.starts_with(b">"))
        };
        if rest.starts_with(b"</") {
            return (Self::Entry, 2);
        }
        if let Some(child) = BaseChild::ALL.into_iter().find(is_start) {
            return (Self::of(child), child.name().len() + 2);
        }
        let name = rest.get(1..).unwrap_or_default();
        let name = name.part(..name_len(name));
        match name.iter().position(|byte| *byte == b':') {
            Some(prefix) if rest.starts_with(b"<") => (Self::Prefixed, prefix + 2),
            _ => (Self::Other, 0),
        }
    }
}

/// What follows on a child, and how many bytes its `<` lies behind the end of the child's text.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChildStep {
    pub(super) next: Child,
    pub(super) len: usize,
}

/// The steps from each child, in the order of [`Child`].
pub(super) type Steps = [Spellings<ChildStep, 4>; 6];

pub(super) const NO_STEP: ChildStep = ChildStep {
    next: Child::Other,
    len: 0,
};
