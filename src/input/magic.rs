//! The first bytes that identify gzip, and files that are not sitemaps.

use crate::error::LooksLike;

/// The two bytes that every member of a gzip stream begins with.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The magic of framed brotli is two Greek letters in UTF-8, so what follows must not be text: up to there it is looked
/// at.
const BROTLI_BYTES: usize = 16;

/// All magics. `?` matches any byte, `#` a digit from 1 to 9. If two match, the first one is used.
const MAGICS: [(&[u8], LooksLike); 19] = [
    (b"BZh#1AY&SY", LooksLike::Bzip2),
    (b"RIFF????WEBP", LooksLike::WebP),
    (b"\xCE\xB2\xCF\x81", LooksLike::Brotli),
    (b"PK\x03\x04", LooksLike::Zip),
    (b"PK\x05\x06", LooksLike::Zip),
    (b"%PDF-", LooksLike::Pdf),
    (b"\x28\xB5\x2F\xFD", LooksLike::Zstd),
    (b"\xFD7zXZ\x00", LooksLike::Xz),
    (b"7z\xBC\xAF\x27\x1C", LooksLike::SevenZip),
    (b"Rar!\x1A\x07", LooksLike::Rar),
    (b"\x89PNG\r\n\x1A\n", LooksLike::Png),
    (b"\xFF\xD8\xFF", LooksLike::Jpeg),
    (b"GIF87a", LooksLike::Gif),
    (b"GIF89a", LooksLike::Gif),
    (b"\x1F\x9D", LooksLike::Compress),
    (b"\xFF\xFE\0\0", LooksLike::Utf32),
    (b"\0\0\xFE\xFF", LooksLike::Utf32),
    // A `<` without a mark.
    (b"<\0\0\0", LooksLike::Utf32),
    (b"\0\0\0<", LooksLike::Utf32),
];

/// Returns the kind of these bytes if they are not text.
pub(super) fn other(head: &[u8]) -> Option<LooksLike> {
    let is = |magic: &[u8]| head.len() >= magic.len() && agrees(head, magic);
    let (magic, found) = MAGICS.iter().find(|(magic, _)| is(magic))?;
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
        head.len() < needed && agrees(head, magic)
    })
}

/// Returns `true` if the bytes match the magic, as far as both go.
fn agrees(head: &[u8], magic: &[u8]) -> bool {
    head.iter()
        .zip(magic)
        .all(|(byte, expected)| match expected {
            b'?' => true,
            b'#' => matches!(byte, b'1'..=b'9'),
            _ => byte == expected,
        })
}
