//! The memory of the fast path: how the document is written.

use super::child::{NO_STEP, Steps};
use super::row::Row;
use super::spelling::Spellings;
use crate::text::search::skip_blank;
use crate::text::span::TakePart;

/// The texts that the document repeats, as far as it has been read.
#[derive(Debug)]
pub(crate) struct Memo {
    /// White space with the `<` after it, and its length without the `<`.
    gaps: Spellings<usize, 4>,
    pub(super) steps: Steps,
    pub(super) rows: Vec<Row>,
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            gaps: Spellings::nothing(0),
            steps: std::array::from_fn(|_| Spellings::nothing(NO_STEP)),
            rows: Vec::new(),
        }
    }
}

impl Memo {
    /// The namespace of a prefix may have changed, and everything else, too.
    pub(crate) fn forget(&mut self) {
        self.gaps.forget();
        self.steps.iter_mut().for_each(Spellings::forget);
        self.rows.clear();
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
