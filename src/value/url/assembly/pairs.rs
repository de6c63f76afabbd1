//! Searches for a byte that stops the search by itself or after another one.

const BLOCK: usize = 16;

/// Returns the first place from `at` on for which `stops`, of the byte before and the byte there, is not 0, or else the
/// end. There must be a byte before `at`. `stops` must consist of arithmetic only, so that the compiler vectorizes it.
///
/// Its blocks are not compared as those of `text::search::find`: a common function takes 2 to 5 % more instructions a URL or an entry.
#[inline(always)]
pub(super) fn find_pair(bytes: &[u8], mut at: usize, stops: impl Fn(u8, u8) -> u8) -> usize {
    while let Some(window) = bytes.get(at - 1..).and_then(<[u8]>::first_chunk) {
        match find_in_window(window, &stops) {
            0 => at += BLOCK,
            found => return at + (found.trailing_zeros() / 8) as usize,
        }
    }
    if at >= bytes.len() {
        return bytes.len();
    }
    let Some(window) = bytes.last_chunk() else {
        // A short text.
        while let Some([before, b]) = bytes.get(at - 1..).and_then(<[u8]>::first_chunk)
            && stops(*before, *b) == 0
        {
            at += 1;
        }
        return at;
    };
    // Bytes before `at` are shifted out.
    match find_in_window(window, &stops) >> (8 * (at + BLOCK - bytes.len())) {
        0 => bytes.len(),
        found => at + (found.trailing_zeros() / 8) as usize,
    }
}

#[inline(always)]
fn find_in_window(window: &[u8; BLOCK + 1], stops: &impl Fn(u8, u8) -> u8) -> u128 {
    let [before @ .., _] = window;
    let [_, block @ ..] = window;
    let mut found = [0; BLOCK];
    for ((found, before), byte) in found.iter_mut().zip(before).zip(block) {
        *found = stops(*before, *byte);
    }
    u128::from_le_bytes(found)
}
