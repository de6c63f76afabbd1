//! Texts that are compared by a digest of 16 bytes, if keeping all of them would take too much memory.

use std::hash::{BuildHasher, RandomState};

/// 128 bits of a text under random keys, so that no author of a document can make two texts with the same digest.
pub(crate) type Digest = [u64; 2];

/// The keys, which differ in each run of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digester([RandomState; 2]);

impl Digester {
    /// 64 bits.
    pub(crate) fn word(&self, text: &[u8]) -> u64 {
        let Self([first, _]) = self;
        first.hash_one(text)
    }

    pub(crate) fn of(&self, text: &str) -> Digest {
        let Self([first, second]) = self;
        [first.hash_one(text), second.hash_one(text)]
    }
}
