//! The first bytes of files that are unpacked, and of files that are not sitemaps.

use crate::error::LooksLike::{self, Brotli, Bzip2, Pdf, Utf32, Xz, Zip, Zstd};

/// The two bytes that every member of a gzip stream begins with.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Number of bytes that are checked to detect framed brotli. Its magic is also two Greek letters in UTF-8, so the bytes after
/// it must not be text.
const BROTLI_BYTES: usize = 16;

/// The kind of a file that is not text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is unpacked.
    Gzip,
    /// It cannot be read.
    Other(LooksLike),
}

/// All magics.
const MAGICS: [(&[u8], Kind); 12] = [
    (&GZIP, Kind::Gzip),
    // With blocks of 900 kB, the default.
    (b"BZh91AY&SY", Kind::Other(Bzip2)),
    (b"\xCE\xB2\xCF\x81", Kind::Other(Brotli)),
    (b"PK\x03\x04", Kind::Other(Zip)),
    (b"PK\x05\x06", Kind::Other(Zip)),
    (b"%PDF-", Kind::Other(Pdf)),
    (b"\x28\xB5\x2F\xFD", Kind::Other(Zstd)),
    (b"\xFD7zXZ\x00", Kind::Other(Xz)),
    (b"\xFF\xFE\0\0", Kind::Other(Utf32)),
    (b"\0\0\xFE\xFF", Kind::Other(Utf32)),
    // A `<` without a mark.
    (b"<\0\0\0", Kind::Other(Utf32)),
    (b"\0\0\0<", Kind::Other(Utf32)),
];

/// Returns the kind of these bytes if they are not text.
pub(super) fn kind(head: &[u8]) -> Option<Kind> {
    let (magic, kind) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic))?;
    if *kind != Kind::Other(Brotli) {
        return Some(*kind);
    }
    let rest = head.get(magic.len()..head.len().min(BROTLI_BYTES))?;
    let text = std::str::from_utf8(rest).map_or_else(|e| e.error_len().is_none(), |_| true);
    (!text).then_some(*kind)
}

/// Returns `true` if these bytes, with more after them, could be one of the kinds of [`kind`].
pub(super) fn may_have_kind(head: &[u8]) -> bool {
    MAGICS.iter().any(|(magic, kind)| {
        let needed = match kind {
            Kind::Other(Brotli) => BROTLI_BYTES,
            _ => magic.len(),
        };
        head.len() < needed && head.iter().zip(*magic).all(|(byte, own)| byte == own)
    })
}
