//! The hash of a page's content.

use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash;

/// The first 128 bits of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ContentHash([u8; 16]);

impl ContentHash {
    pub(super) fn of(hash: Hash) -> Self {
        let mut digest = [0; 16];
        let pairs = digest.iter_mut().zip(hash.finalize());
        pairs.for_each(|(to, from)| *to = from);
        Self(digest)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ContentHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = [0; 16];
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(());
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let digit = |digit: u8| char::from(digit).to_digit(16).ok_or(());
            let [high, low] = *pair;
            *byte = (digit(high)? * 16 + digit(low)?) as u8;
        }
        Ok(Self(bytes))
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
        for wrong in ["", "00", "zz000000000000000000000000000000"] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(()));
        }
    }
}
