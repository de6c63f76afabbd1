//! The first bytes that identify gzip, and files that are not sitemaps.

use crate::error::LooksLike;

/// The two bytes that every member of a gzip stream begins with.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The magic of framed brotli is two Greek letters in UTF-8, so what follows must not be text: up to there it is looked
/// at.
const BROTLI_BYTES: usize = 16;

/// All magics.
const MAGICS: [(&[u8], LooksLike); 11] = [
    // With blocks of 900 kB, the default.
    (b"BZh91AY&SY", LooksLike::Bzip2),
    (b"\xCE\xB2\xCF\x81", LooksLike::Brotli),
    (b"PK\x03\x04", LooksLike::Zip),
    (b"PK\x05\x06", LooksLike::Zip),
    (b"%PDF-", LooksLike::Pdf),
    (b"\x28\xB5\x2F\xFD", LooksLike::Zstd),
    (b"\xFD7zXZ\x00", LooksLike::Xz),
    (b"\xFF\xFE\0\0", LooksLike::Utf32),
    (b"\0\0\xFE\xFF", LooksLike::Utf32),
    // A `<` without a mark.
    (b"<\0\0\0", LooksLike::Utf32),
    (b"\0\0\0<", LooksLike::Utf32),
];

/// Returns the kind of these bytes if they are not text.
pub(super) fn other(head: &[u8]) -> Option<LooksLike> {
    let (magic, found) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic))?;
    if *found != LooksLike::Brotli {
        return Some(*found);
    }
    let rest = head.get(magic.len()..head.len().min(BROTLI_BYTES))?;
    let text = std::str::from_utf8(rest).map_or_else(|e| e.error_len().is_none(), |_| true);
    (!text).then_some(*found)
}

/// Returns `true` if these bytes, with more after them, could be one of the kinds of [`other`].
pub(super) fn may_become_other(head: &[u8]) -> bool {
    MAGICS.iter().any(|(magic, kind)| {
        let needed = match kind {
            LooksLike::Brotli => BROTLI_BYTES,
            _ => magic.len(),
        };
        head.len() < needed && head.iter().zip(*magic).all(|(byte, own)| byte == own)
    })
}
