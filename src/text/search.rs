//! Searches for the end of something short, which it would take longer to call memchr for.

const BLOCK: usize = 16;

/// Returns the position of the first byte for which `stops` is true. `stops` must consist of comparisons only, so that
/// the compiler vectorizes it.
#[inline(always)]
pub(crate) fn find(bytes: &[u8], stops: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks();
    for (block, before) in blocks.iter().zip(0..) {
        if let Some(at) = find_in_block(block, &stops) {
            return Some(BLOCK * before + at);
        }
    }
    if rest.is_empty() {
        return None;
    }
    find_at_end(bytes, stops)
}

/// In the last block, or in less than one.
#[inline(never)]
fn find_at_end(bytes: &[u8], stops: impl Fn(u8) -> bool) -> Option<usize> {
    match bytes.last_chunk() {
        // A part of it has been looked at before: there is nothing in it.
        Some(last) => Some(bytes.len() - BLOCK + find_in_block(last, &stops)?),
        None => bytes.iter().position(|byte| stops(*byte)),
    }
}

/// Position of the first byte in the block for which `stops` returns `true`. It compiles to a vector comparison.
#[inline(always)]
fn find_in_block(block: &[u8; BLOCK], stops: &impl Fn(u8) -> bool) -> Option<usize> {
    // A copy, so that the compiler need not prove that it does not overlap with `block`.
    let mut found = *block;
    for byte in &mut found {
        // All ones, like the result of comparing vectors.
        *byte = if stops(*byte) { 0xFF } else { 0 };
    }
    // Asked in this way, it is one instruction to see that there is nothing.
    if found.iter().fold(0, |any, byte| any | byte) == 0 {
        return None;
    }
    Some((u128::from_le_bytes(found).trailing_zeros() / 8) as usize)
}

/// Bytes that need a closer look: control characters, and the first byte of U+FFFE and U+FFFF, which XML forbids.
pub(crate) fn may_be_forbidden(byte: u8) -> bool {
    (byte < b' ') | (byte == 0xEF)
}

/// Returns `true` if this is `<` or `>`, which differ in one bit, so that one comparison finds both.
#[inline(always)]
pub(crate) fn is_angle(byte: u8) -> bool {
    byte & !(b'<' ^ b'>') == b'<'
}

/// Returns the text after white space.
pub(crate) fn skip_blank(bytes: &[u8]) -> &[u8] {
    match bytes {
        [first, ..] if *first > b' ' => bytes,
        _ => skip_blanks(bytes),
    }
}

#[inline(never)]
fn skip_blanks(bytes: &[u8]) -> &[u8] {
    let is_blank = |b| (b == b' ') | (b == b'\n') | (b == b'\t') | (b == b'\r');
    // Mostly it is a line end and a few spaces.
    if let Some(word @ [first, ..]) = bytes.first_chunk::<8>() {
        let others = (u64::from_le_bytes(*word) ^ u64::from_le_bytes([b' '; 8])) & !0xFF;
        let behind = bytes.get((others.trailing_zeros() / 8) as usize..);
        if let Some(behind @ [next, ..]) = behind
            && *next > b' '
            && is_blank(*first)
        {
            return behind;
        }
    }
    let len = find(bytes, |b| !is_blank(b)).unwrap_or(bytes.len());
    bytes.get(len..).unwrap_or(&[])
}

/// Returns `true` if the first `len` bytes of `a` and `b` are equal.
#[inline(always)]
pub(crate) fn begin_alike(a: &[u8], b: &[u8], len: usize) -> bool {
    match (a.first_chunk(), b.first_chunk()) {
        (Some(a), Some(b)) if (1..=BLOCK).contains(&len) => {
            let differences = u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b);
            differences << (8 * (BLOCK - len)) == 0
        }
        _ => matches!((a.get(..len), b.get(..len)), (Some(a), Some(b)) if a == b),
    }
}

/// Returns `true` if this byte can be part of the name of an element or an attribute. (Every character beyond ASCII is
/// treated as one.)
pub(crate) fn is_name_byte(byte: u8) -> bool {
    // Arithmetic, so that a block is looked at at once. The colon comes after the digits, the dot after the hyphen.
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 11;
    let is_mark = (byte.wrapping_sub(b'-') < 2) | (byte == b'_');
    is_letter | is_digit | is_mark | (byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::{begin_alike, find, skip_blank};

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

    #[test]
    fn white_space_is_skipped() {
        for first in 0..=255_u8 {
            for middle in [b' ', b'\n', b'\r', b'\t', 0x0C] {
                for len in 0..20 {
                    for behind in [&b"<"[..], b"<aaaaaaaaaaaaaaaaaaaaa", b"", b"\0aaaaaaaaa"] {
                        let text = [&[first], &[middle].repeat(len)[..], behind].concat();
                        let is_blank = |b: &u8| b" \n\t\r".contains(b);
                        let visible = text.iter().position(|b| !is_blank(b));
                        let expected = &text[visible.unwrap_or(text.len())..];
                        assert_eq!(skip_blank(&text), expected, "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn so_many_bytes_are_compared() {
        for room in [0, 40] {
            for len in 0..40 {
                let a = [vec![b'a'; len], vec![b'-'; room]].concat();
                let mut b = [vec![b'a'; len], vec![b'+'; room]].concat();
                assert!(begin_alike(&a, &b, len), "{len}");
                assert!(!begin_alike(&a, &b, len + 1), "{len}");
                for at in 0..len {
                    b[at] = b'b';
                    assert!(!begin_alike(&a, &b, len), "{at} of {len}");
                    b[at] = b'a';
                }
            }
        }
    }
}
