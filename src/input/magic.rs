//! The first bytes that identify gzip, encodings, and files that are not sitemaps.

use crate::error::LooksLike;

/// The kinds of data with a magic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Magic {
    Gzip,
    Text(ByteOrderMark),
    /// No text.
    Other(LooksLike),
}

/// The encoding that a byte order mark names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// The two bytes that every member of a gzip stream begins with.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The magic of framed brotli is two Greek letters in UTF-8, so what follows must not be text: up to there it is looked
/// at.
const BROTLI_BYTES: usize = 16;

/// All magics. `?` matches any byte, `#` a digit from 1 to 9. If two match, the first one is used.
const MAGICS: [(&[u8], Magic); 23] = [
    (&GZIP, Magic::Gzip),
    (b"BZh#1AY&SY", Magic::Other(LooksLike::Bzip2)),
    (b"RIFF????WEBP", Magic::Other(LooksLike::WebP)),
    (b"\xCE\xB2\xCF\x81", Magic::Other(LooksLike::Brotli)),
    (b"PK\x03\x04", Magic::Other(LooksLike::Zip)),
    (b"PK\x05\x06", Magic::Other(LooksLike::Zip)),
    (b"%PDF-", Magic::Other(LooksLike::Pdf)),
    (b"\x28\xB5\x2F\xFD", Magic::Other(LooksLike::Zstd)),
    (b"\xFD7zXZ\x00", Magic::Other(LooksLike::Xz)),
    (b"7z\xBC\xAF\x27\x1C", Magic::Other(LooksLike::SevenZip)),
    (b"Rar!\x1A\x07", Magic::Other(LooksLike::Rar)),
    (b"\x89PNG\r\n\x1A\n", Magic::Other(LooksLike::Png)),
    (b"\xFF\xD8\xFF", Magic::Other(LooksLike::Jpeg)),
    (b"GIF87a", Magic::Other(LooksLike::Gif)),
    (b"GIF89a", Magic::Other(LooksLike::Gif)),
    (b"\x1F\x9D", Magic::Other(LooksLike::Compress)),
    (b"\xFF\xFE\0\0", Magic::Other(LooksLike::Utf32)),
    (b"\0\0\xFE\xFF", Magic::Other(LooksLike::Utf32)),
    // A `<` without a mark.
    (b"<\0\0\0", Magic::Other(LooksLike::Utf32)),
    (b"\0\0\0<", Magic::Other(LooksLike::Utf32)),
    (b"\xEF\xBB\xBF", Magic::Text(ByteOrderMark::Utf8)),
    (b"\xFF\xFE", Magic::Text(ByteOrderMark::Utf16Le)),
    (b"\xFE\xFF", Magic::Text(ByteOrderMark::Utf16Be)),
];

/// Returns the kind of the bytes, and the length of the magic.
fn known(head: &[u8]) -> Option<(Magic, usize)> {
    let is = |magic: &[u8]| head.len() >= magic.len() && agrees(head, magic);
    let (magic, known) = MAGICS.iter().find(|(magic, _)| is(magic))?;
    Some((*known, magic.len()))
}

/// The byte order mark, and its length.
pub(super) fn byte_order_mark(head: &[u8]) -> Option<(ByteOrderMark, usize)> {
    match known(head)? {
        (Magic::Text(mark), len) => Some((mark, len)),
        _ => None,
    }
}

/// Returns the kind of these bytes if they are not text.
pub(super) fn other(head: &[u8]) -> Option<LooksLike> {
    let (Magic::Other(found), len) = known(head)? else {
        return None;
    };
    if found != LooksLike::Brotli {
        return Some(found);
    }
    let rest = head.get(len..head.len().min(BROTLI_BYTES))?;
    let text = std::str::from_utf8(rest).map_or_else(|e| e.error_len().is_none(), |_| true);
    (!text).then_some(found)
}

/// Returns `true` if these bytes, with more after them, could be one of the kinds of [`other`].
pub(super) fn may_become_other(head: &[u8]) -> bool {
    MAGICS.iter().any(|(magic, known)| {
        let needed = match known {
            Magic::Other(LooksLike::Brotli) => BROTLI_BYTES,
            Magic::Other(_) => magic.len(),
            Magic::Gzip | Magic::Text(_) => 0,
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
