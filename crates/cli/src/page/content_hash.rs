//! The hash of a page's content.

use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash;

/// The first 128 bits of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ContentHash(u128);

impl ContentHash {
    pub(super) fn of(hash: Hash) -> Self {
        let bytes = hash.finalize().into_iter().take(16);
        Self(bytes.fold(0, |digest, byte| digest << 8 | u128::from(byte)))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for ContentHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // A sign is no digit.
        if text.len() != 32 || text.starts_with('+') {
            return Err(());
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        let mut hash = Hash::new();
        hash.update(b"abc");
        let digest = ContentHash::of(hash);
        // The beginning of the SHA-256 in the example of FIPS 180.
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for wrong in [
            "",
            "00",
            "zz000000000000000000000000000000",
            "+0000000000000000000000000000000",
        ] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(()));
        }
    }
}
