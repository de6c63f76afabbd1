//! Decoding to UTF-8, of text that arrives in pieces.

use super::encoding::{Decoder, Encoding, MALFORMED, UTF_8};
use crate::text::span::TakePart;

/// Decodes pieces of text to UTF-8.
pub(super) enum Charset {
    /// The start of a sequence that a piece has cut.
    Utf8(Vec<u8>),
    Other(Decoder),
}

impl Charset {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        if encoding == UTF_8 {
            Self::Utf8(Vec::new())
        } else {
            Self::Other(Decoder::new(encoding))
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Utf8(_) => UTF_8.name(),
            Self::Other(decoder) => decoder.encoding().name(),
        }
    }

    /// Appends the text of the bytes. A sequence that the bytes cut is kept for the next call.
    pub(super) fn decode(&mut self, bytes: &[u8], out: &mut String) {
        match self {
            Self::Utf8(cut) if cut.is_empty() => cut.extend_from_slice(decode(bytes, out)),
            Self::Utf8(cut) => {
                cut.extend_from_slice(bytes);
                let left = decode(cut, out).len();
                cut.drain(..cut.len() - left);
            }
            Self::Other(decoder) => decoder.decode(bytes, false, out),
        }
    }

    /// The text ends here.
    pub(super) fn finish(&mut self, out: &mut String) {
        match self {
            Self::Utf8(cut) => out.extend(cut.drain(..).next().map(|_| MALFORMED)),
            Self::Other(decoder) => decoder.decode(&[], true, out),
        }
    }
}

/// Appends the text of the bytes, and returns the start of a sequence that they cut.
fn decode<'b>(bytes: &'b [u8], out: &mut String) -> &'b [u8] {
    let mut rest = bytes;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(text) => {
                out.push_str(text);
                return &[];
            }
            Err(error) => error,
        };
        let (text, invalid) = rest
            .split_at_checked(error.valid_up_to())
            .unwrap_or((rest, &[]));
        out.push_str(std::str::from_utf8(text).unwrap_or(""));
        let Some(len) = error.error_len() else {
            return invalid;
        };
        out.push(MALFORMED);
        rest = invalid.part(len..);
    }
}
