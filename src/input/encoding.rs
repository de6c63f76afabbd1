//! The encodings of documents, by their labels, and their decoders.

#[cfg(feature = "encodings")]
mod every;
#[cfg(not(feature = "encodings"))]
mod utf_8;

#[cfg(feature = "encodings")]
pub(super) use every::{Decoder, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};
#[cfg(not(feature = "encodings"))]
pub(super) use utf_8::{Decoder, Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};

/// Represents bytes that are not in the encoding. U+FFFD cannot represent them, because a document can contain it.
pub(crate) const MALFORMED: char = '\u{FFFF}';
