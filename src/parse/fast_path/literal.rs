//! Texts that a document repeats: tags, white space between elements, names of attributes.
//!
//! Comparing with an earlier text takes hardly any time, because the processor predicts that it is equal and continues.
//! It would have to wait for the result of a search.

const BLOCK: usize = 16;

/// A literal text of the document that is compared as one. It is not recognized if too few bytes follow to compare
/// complete blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Literal<const BLOCKS: usize> {
    parts: [Block; BLOCKS],
    len: usize,
}

/// A literal that is not known yet, which matches nowhere.
impl<const BLOCKS: usize> Default for Literal<BLOCKS> {
    fn default() -> Self {
        Self {
            len: 1,
            ..Self::EMPTY
        }
    }
}

impl<const BLOCKS: usize> Literal<BLOCKS> {
    /// The empty literal, which matches everywhere.
    pub(super) const EMPTY: Self = Self {
        parts: [Block::NONE; BLOCKS],
        len: 0,
    };

    /// `None` if it is too long.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        let mut literal = Self::EMPTY;
        literal.len = bytes.len();
        for (block, number) in bytes.chunks(BLOCK).zip(0..) {
            *literal.parts.get_mut::<usize>(number)? = Block::new(block)?;
        }
        Some(literal)
    }

    /// Returns the text after it.
    #[inline(always)]
    pub(super) fn strip<'t>(&self, rest: &'t [u8]) -> Option<&'t [u8]> {
        let mut blocks = rest;
        for (part, number) in self.parts.iter().zip(0..) {
            if self.len <= BLOCK * number {
                break;
            }
            let (block, behind) = blocks.split_first_chunk()?;
            if !part.begins(block) {
                return None;
            }
            blocks = behind;
        }
        rest.get(self.len..)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Block {
    bytes: u128,
    mask: u128,
}

impl Block {
    const NONE: Self = Self { bytes: 1, mask: 0 };

    fn new(bytes: &[u8]) -> Option<Self> {
        let mut block = [0; BLOCK];
        block.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let rest = 8 * (BLOCK - bytes.len()) as u32;
        Some(Self {
            bytes: u128::from_le_bytes(block),
            mask: u128::MAX.checked_shr(rest).unwrap_or(0),
        })
    }

    #[inline(always)]
    fn begins(self, block: &[u8; BLOCK]) -> bool {
        u128::from_le_bytes(*block) & self.mask == self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_any_length_are_compared_to_their_end() {
        let text = [b'x'; 300];
        for len in 0..80 {
            let word = [&text[..len], b"!"].concat();
            let literal = Literal::<4>::new(&word);
            assert_eq!(literal.is_some(), len < 64);
            assert_eq!(Literal::<2>::new(&word).is_some(), len < 32);
            let rest = [&word[..], &text].concat();
            let behind = literal.as_ref().and_then(|literal| literal.strip(&rest));
            assert_eq!(behind, literal.is_some().then_some(&text[..]));
            assert!(literal.is_none_or(|literal| literal.strip(&text).is_none()));
        }
    }

    #[test]
    fn incomplete_blocks_are_not_compared() {
        let literal = Literal::<2>::new(b"<a>").unwrap();
        assert_eq!(literal.strip(b"<a>b</a>"), None);
        assert_eq!(literal.strip(b"<a>   bbbbbbbbbbbbb").unwrap().len(), 16);
    }

    #[test]
    fn the_unknown_begins_no_text() {
        for text in [[0; 40], [1; 40]] {
            assert_eq!(Literal::<2>::default().strip(&text), None);
            assert_eq!(Literal::<2>::EMPTY.strip(&text), Some(&text[..]));
        }
    }
}
