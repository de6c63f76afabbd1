//! Decoding to UTF-8, of text that arrives in pieces.

use super::encoding::{Decoder, Encoding, MALFORMED, UTF_8};
use crate::text::span::TakePart;

/// Decodes pieces of text to UTF-8.
pub(super) enum Charset {
    /// The start of a sequence that a piece has cut.
    Utf8(Vec<u8>),
    Other(&'static Encoding, Decoder),
}

impl Charset {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        if encoding == UTF_8 {
            Self::Utf8(Vec::new())
        } else {
            Self::Other(encoding, Decoder::new(encoding))
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Utf8(_) => UTF_8.name(),
            Self::Other(encoding, _) => encoding.name(),
        }
    }

    /// Appends the text of the bytes. A sequence that the bytes cut is kept for the next call, unless they are the last.
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut String) {
        match self {
            Self::Utf8(cut) if cut.is_empty() => cut.extend_from_slice(decode(bytes, out)),
            Self::Utf8(cut) => {
                cut.extend_from_slice(bytes);
                let left = decode(cut, out).len();
                cut.drain(..cut.len() - left);
            }
            Self::Other(_, decoder) => decoder.decode(bytes, last, out),
        }
        if last && let Self::Utf8(cut) = self {
            out.extend(cut.drain(..).next().map(|_| MALFORMED));
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
