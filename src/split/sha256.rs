//! SHA-256 (FIPS 180-4), for the names of parts: `sha256sum` says the same.

use super::names::Fingerprint;

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUNDS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

const BLOCK: usize = 64;

#[derive(Debug)]
pub(super) struct Sha256 {
    state: [u32; 8],
    /// Fewer bytes than a block.
    rest: Vec<u8>,
    bytes: u64,
}

impl Sha256 {
    pub(super) fn new() -> Self {
        Self {
            state: START,
            rest: Vec::with_capacity(2 * BLOCK),
            bytes: 0,
        }
    }

    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if !self.rest.is_empty() {
            let missing = BLOCK - self.rest.len();
            let Some((first, others)) = bytes.split_at_checked(missing) else {
                self.rest.extend_from_slice(bytes);
                return;
            };
            self.rest.extend_from_slice(first);
            bytes = others;
            if let Some(block) = self.rest.first_chunk() {
                compress(&mut self.state, block);
            }
            self.rest.clear();
        }
        while let Some((block, others)) = bytes.split_first_chunk() {
            compress(&mut self.state, block);
            bytes = others;
        }
        self.rest.extend_from_slice(bytes);
    }

    pub(super) fn finish(mut self) -> [u8; 32] {
        let bits = self.bytes * 8;
        let zeros = (BLOCK + 55 - self.rest.len()) % BLOCK;
        let mut end = vec![0x80];
        end.resize(1 + zeros, 0);
        end.extend(bits.to_be_bytes());
        self.update(&end);
        let mut digest = [0; 32];
        for (word, bytes) in self.state.iter().zip(digest.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }

    pub(super) fn fingerprint(self) -> Fingerprint {
        let digest = self.finish();
        Fingerprint(digest.first_chunk().copied().unwrap_or_default())
    }
}

// The indices are smaller than 64, and after `%` than 16.
#[allow(clippy::indexing_slicing)]
fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut words = [0_u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for round in 0..64 {
        if round >= 16 {
            let (early, late) = (words[(round + 1) % 16], words[(round + 14) % 16]);
            let small = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
            let large = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
            words[round % 16] = words[round % 16]
                .wrapping_add(small)
                .wrapping_add(words[(round + 9) % 16])
                .wrapping_add(large);
        }
        let large = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = h
            .wrapping_add(large)
            .wrapping_add(g ^ (e & (f ^ g)))
            .wrapping_add(ROUNDS[round])
            .wrapping_add(words[round % 16]);
        let small = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = small.wrapping_add((a & b) | (c & (a | b)));
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (sum, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::Sha256;

    fn hex(pieces: &[&[u8]]) -> String {
        let mut sha = Sha256::new();
        pieces.iter().for_each(|piece| sha.update(piece));
        sha.finish()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The examples of FIPS 180-4, and what `sha256sum` says of others.
    #[test]
    fn known_digests() {
        for (text, digest) in [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "test",
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(hex(&[text.as_bytes()]), digest, "{text}");
        }
        let million = vec![b'a'; 1_000_000];
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hex(&[&million]), digest);
        for cut in [1, 63, 64, 65, 127, 1_000] {
            let pieces: Vec<&[u8]> = million.chunks(cut).collect();
            assert_eq!(hex(&pieces), digest, "{cut}");
        }
    }

    #[test]
    fn every_length_around_a_block() {
        for len in 0..200 {
            let bytes = vec![7; len];
            let whole = hex(&[&bytes]);
            for cut in 0..len {
                let (left, right) = bytes.split_at(cut);
                assert_eq!(hex(&[left, right]), whole);
            }
        }
    }
}
