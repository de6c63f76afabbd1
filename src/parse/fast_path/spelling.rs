//! Texts that a document repeats: white space between elements, tags, names of attributes.
//!
//! Comparing with an earlier text takes hardly any time, because the processor predicts that it is equal and continues.
//! It would have to wait for the result of a search.

const BLOCK: usize = 16;

/// A text of 1 to 32 bytes, as two blocks that are compared at once.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spelling {
    head: Block,
    tail: Block,
    len: usize,
}

impl Spelling {
    /// An unused slot: no text begins with it.
    const NONE: Self = Self {
        head: Block::NONE,
        tail: Block::NONE,
        len: 0,
    };

    /// `None` if it is empty or too long.
    fn new(bytes: &[u8]) -> Option<Self> {
        let (head, tail) = bytes.split_at(bytes.len().min(BLOCK));
        Some(Self {
            head: Block::new(head).filter(|_| !head.is_empty())?,
            tail: Block::new(tail)?,
            len: bytes.len(),
        })
    }

    /// Returns `true` if `rest` begins with this text. Returns `false` if too few bytes follow to compare complete blocks.
    #[inline(always)]
    fn begins(&self, rest: &[u8]) -> bool {
        let Some((head, more)) = rest.split_first_chunk() else {
            return false;
        };
        let is_tail = |more: &[u8; BLOCK]| self.tail.begins(more);
        self.head.begins(head) && (self.len <= BLOCK || more.first_chunk().is_some_and(is_tail))
    }
}

/// A literal text of the document that is compared as one. It can be longer than the texts in [`Spellings`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Literal {
    parts: [Block; 4],
    used: usize,
    len: usize,
}

impl Literal {
    /// A placeholder: no text begins with it.
    pub(super) const EMPTY: Self = Self {
        parts: [Block::NONE; 4],
        used: 0,
        len: 0,
    };

    /// `None` if it is too long.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        let mut literal = Self::EMPTY;
        for block in bytes.chunks(BLOCK) {
            *literal.parts.get_mut(literal.used)? = Block::new(block)?;
            literal.used += 1;
        }
        literal.len = bytes.len();
        Some(literal)
    }

    /// Returns the text after it.
    #[inline(always)]
    pub(super) fn strip<'t>(&self, rest: &'t [u8]) -> Option<&'t [u8]> {
        let mut blocks = rest;
        for part in self.parts.iter().take(self.used) {
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

/// The first texts of a kind, and the data of each.
#[derive(Debug)]
pub(super) struct Spellings<T, const SLOTS: usize> {
    slots: [(Spelling, T); SLOTS],
    /// Number of slots in use.
    used: usize,
}

impl<T: Copy, const SLOTS: usize> Spellings<T, SLOTS> {
    /// Creates an empty list. `about` is the data of unused slots; it is never returned.
    pub(super) fn nothing(about: T) -> Self {
        Self {
            slots: [(Spelling::NONE, about); SLOTS],
            used: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        for (spelling, _) in self.slots.iter_mut().take(self.used) {
            *spelling = Spelling::NONE;
        }
        self.used = 0;
    }

    /// Returns the data of the text at the start of `rest`.
    #[inline(always)]
    pub(super) fn find(&self, rest: &[u8]) -> Option<T> {
        // Compared one after another, because the processor predicts which one is equal.
        let mut slots = self.slots.iter();
        let (_, about) = slots.find(|(spelling, _)| spelling.begins(rest))?;
        Some(*about)
    }

    /// Stores a text of 1 to 32 bytes; any other is ignored. If there is no free slot, the text replaces the one that was
    /// stored last. If it replaced the oldest, texts that recur in a cycle would be removed just before they recur.
    pub(super) fn learn(&mut self, bytes: &[u8], about: T) {
        let number = self.used.min(SLOTS - 1);
        let Some(spelling) = Spelling::new(bytes) else {
            return;
        };
        // A stored text is not recognized if too few bytes follow to compare complete blocks. It is not stored again.
        if self.slots.iter().any(|(known, _)| *known == spelling) {
            return;
        }
        if let Some(slot) = self.slots.get_mut(number) {
            *slot = (spelling, about);
            self.used = number + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_known() {
        let text = [b'x'; 80];
        for len in 0..40 {
            let mut known = Spellings::<usize, 2>::nothing(0);
            assert!(known.find(&text).is_none());
            let word = [&text[..len], b"!"].concat();
            let rest = [&word[..], &text].concat();
            assert!(known.find(&rest).is_none());
            known.learn(&word, len);
            let found = (word.len() <= 32).then_some(len);
            assert_eq!(known.find(&rest), found, "{len}");
            assert!(known.find(&text).is_none());
        }
    }

    #[test]
    fn literals_of_any_length_are_compared_to_their_end() {
        let text = [b'x'; 300];
        for len in 0..80 {
            let word = [&text[..len], b"!"].concat();
            let literal = Literal::new(&word);
            assert_eq!(literal.is_some(), len < 64);
            let rest = [&word[..], &text].concat();
            let behind = literal.as_ref().and_then(|literal| literal.strip(&rest));
            assert_eq!(behind, literal.is_some().then_some(&text[..]));
            assert!(literal.is_none_or(|literal| literal.strip(&text).is_none()));
        }
    }

    #[test]
    fn the_latest_makes_way() {
        let mut known = Spellings::<u8, 2>::nothing(0);
        let words = [[b'a'; 40], [b'b'; 40], [b'c'; 40]];
        for word in &words {
            known.learn(&word[..1], word[0]);
        }
        let found = words.each_ref().map(|word| known.find(word));
        assert_eq!(found, [Some(b'a'), None, Some(b'c')]);
    }

    #[test]
    fn what_is_known_is_not_learned_again() {
        let mut known = Spellings::<u8, 2>::nothing(0);
        known.learn(b"<a>", 1);
        // There is too little text to compare.
        assert!(known.find(b"<a>b</a>").is_none());
        known.learn(b"<a>", 1);
        known.learn(b"<c>", 2);
        assert_eq!(known.find(b"<a>   bbbbbbbbbbbbb"), Some(1));
        assert_eq!(known.find(b"<c>   bbbbbbbbbbbbb"), Some(2));
    }

    #[test]
    fn the_empty_is_not_known() {
        let mut known = Spellings::<(), 2>::nothing(());
        known.learn(b"", ());
        assert!(known.find(&[0; 40]).is_none() && known.find(&[1; 40]).is_none());
    }
}
