//! Searches for the end of something short, which it would take longer to call memchr for.

const BLOCK: usize = 16;

/// Where the first byte is that `stops` holds for. It should be comparisons only: so the compiler looks at a
/// block of bytes at once.
#[inline(always)]
pub(crate) fn find(bytes: &[u8], stops: impl Fn(u8) -> bool) -> Option<usize> {
    let mut rest = bytes;
    while let Some((block, later)) = rest.split_first_chunk::<BLOCK>() {
        let mut found = [0; BLOCK];
        for (found, byte) in found.iter_mut().zip(block) {
            // All ones is what comparing vectors gives.
            *found = if stops(*byte) { 0xFF } else { 0 };
        }
        let found = u128::from_le_bytes(found);
        if found != 0 {
            return Some(bytes.len() - rest.len() + (found.trailing_zeros() / 8) as usize);
        }
        rest = later;
    }
    let at = rest.iter().position(|byte| stops(*byte))?;
    Some(bytes.len() - rest.len() + at)
}

/// What to look at more closely: control characters, and what U+FFFE and U+FFFF begin with, which XML forbids.
pub(crate) fn is_odd(byte: u8) -> bool {
    (byte < b' ') | (byte == 0xEF)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn the_first_is_found_wherever_it_is() {
        for len in 0..70 {
            for at in 0..len {
                let mut bytes = vec![b'.'; len];
                bytes[at..].fill(b'!');
                assert_eq!(find(&bytes, |b| b == b'!'), Some(at), "{at} of {len}");
            }
            assert_eq!(find(&vec![b'.'; len], |b| b == b'!'), None);
        }
    }
}
