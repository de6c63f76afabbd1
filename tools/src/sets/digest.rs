//! Texts that are compared by a digest of 16 bytes, if keeping all of them would take too much memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

/// 128 bits of a text under random keys, so that no author of a document can make two texts with the same digest.
pub(crate) type Digest = [u64; 2];

/// A map whose keys need not be hashed once more.
pub(crate) type DigestMap<V> = HashMap<Digest, V, BuildHasherDefault<FirstWord>>;

/// The keys, which differ in each run of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digester([RandomState; 2]);

impl Digester {
    /// The first half of [`of`](Self::of).
    pub(crate) fn word(&self, text: &str) -> u64 {
        let Self([first, _]) = self;
        first.hash_one(text)
    }

    pub(crate) fn of(&self, text: &str) -> Digest {
        let Self([first, second]) = self;
        [first.hash_one(text), second.hash_one(text)]
    }
}

/// A digest is a hash already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FirstWord(u64);

impl Hasher for FirstWord {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // The words of an array come in one piece; the length before it, if any, is the same for all.
        if let Some(Ok(word)) = bytes.get(..8).map(TryInto::try_into) {
            self.0 = u64::from_ne_bytes(word);
        }
    }

    fn write_usize(&mut self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_hashes_spreads_them() {
        let mut hashes = std::collections::HashSet::new();
        for number in 0..1_000_u64 {
            let mut hasher = FirstWord::default();
            std::hash::Hash::hash(&[number, 7], &mut hasher);
            hashes.insert(hasher.finish());
        }
        assert_eq!(hashes.len(), 1_000);
    }
}
