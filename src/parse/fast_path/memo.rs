//! The memory of the fast path: how the document is written.

use super::child::{NO_STEP, Steps};
use super::row::Row;
use super::spelling::Spellings;
use crate::tape::{KEPT, Piece};
use crate::text::search::skip_blank;
use crate::text::span::TakePart;
use crate::xml::namespaces::NsId;

/// The texts that the document repeats, as far as it has been read.
#[derive(Debug)]
pub(crate) struct Memo {
    /// White space with the `<` after it, and its length without the `<`.
    gaps: Spellings<usize, 4>,
    /// Start tags up to the first byte after the name.
    pub(super) tags: Spellings<KnownTag, 24>,
    /// Names of attributes, with `="`.
    pub(super) attributes: Spellings<(), 8>,
    pub(super) steps: Steps,
    pub(super) rows: Vec<Row>,
    /// The texts of open elements, the innermost's last; kept here for the room they have taken.
    pub(super) pieces: Vec<Piece>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownTag {
    /// The namespace of its name.
    pub(super) len: u32,
    /// Start of the local part in the name.
    pub(super) local: u32,
    pub(super) namespace: NsId,
    /// All elements of this name are an extension's.
    pub(super) is_claimed: bool,
}

impl KnownTag {
    const NONE: Self = Self {
        len: 0,
        local: 0,
        namespace: NsId::NONE,
        is_claimed: false,
    };
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            gaps: Spellings::nothing(0),
            tags: Spellings::nothing(KnownTag::NONE),
            attributes: Spellings::nothing(()),
            steps: std::array::from_fn(|_| Spellings::nothing(NO_STEP)),
            rows: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

impl Memo {
    /// The namespace of a prefix may have changed, and everything else, too.
    pub(crate) fn forget(&mut self) {
        self.gaps.forget();
        self.tags.forget();
        self.attributes.forget();
        self.steps.iter_mut().for_each(Spellings::forget);
        self.rows.clear();
        self.pieces.shrink_to(KEPT);
    }

    /// Returns the text after the white space before a tag.
    #[inline(always)]
    pub(crate) fn skip_gap<'t>(&mut self, rest: &'t [u8]) -> &'t [u8] {
        if let [b'<', ..] = rest {
            return rest;
        }
        if let Some(len) = self.gaps.find(rest) {
            return rest.part(len..);
        }
        let next = skip_blank(rest);
        let len = rest.len() - next.len();
        if let Some(gap @ [.., b'<']) = rest.get(..=len) {
            self.gaps.learn(gap, len);
        }
        next
    }
}
