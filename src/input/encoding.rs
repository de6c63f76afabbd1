//! The encodings of documents, by their labels, and their decoders.

#[cfg(feature = "encodings")]
mod every;
#[cfg(not(feature = "encodings"))]
mod utf_8;

#[cfg(feature = "encodings")]
pub(super) use every::{Decoder, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};
#[cfg(not(feature = "encodings"))]
pub(super) use utf_8::{Decoder, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};

/// Returns `true` if an encoding has this label.
pub(crate) fn is_label(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()).is_some()
}

/// Represents bytes that are not in the encoding. U+FFFD cannot represent them, because a document can contain it.
pub(crate) const MALFORMED: char = '\u{FFFF}';
