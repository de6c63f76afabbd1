//! URLs are compared by a digest of 16 bytes, because keeping all of them twice would take too much memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};

/// The digest of a text: 128 bits with random keys, so that a site cannot make two URLs with the same digest.
pub(super) type Digest = [u64; 2];

/// A map whose keys are hashes already.
pub(super) type DigestMap<V> = HashMap<Digest, V, BuildHasherDefault<FirstWord>>;

/// The keys, which differ in each crawl.
#[derive(Clone, Debug, Default)]
pub(super) struct Digester([RandomState; 2]);

impl Digester {
    pub(super) fn of(&self, text: &str) -> Digest {
        let Self([first, second]) = self;
        [first.hash_one(text), second.hash_one(text)]
    }

    /// A number from 0.0 to 1.0 that a server cannot predict.
    pub(super) fn chance(&self, of: impl Hash) -> f64 {
        let Self([first, _]) = self;
        (first.hash_one(of) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A digest is a hash already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstWord(u64);

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
