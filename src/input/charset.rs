//! Decoding to UTF-8, of text that arrives in pieces.

use super::encoding::{Decoder, Encoding, MALFORMED, UTF_8};
use crate::text::span::TakePart;

/// Decodes pieces of text to UTF-8.
pub(super) enum Charset {
    Utf8(Carry),
    Other(Decoder),
}

/// A UTF-8 sequence that a piece ended in the midst of.
#[derive(Default)]
pub(super) struct Carry {
    bytes: [u8; 4],
    len: usize,
}

impl Charset {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        if encoding == UTF_8 {
            Self::Utf8(Carry::default())
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
            Self::Utf8(carry) => carry.decode(bytes, out),
            Self::Other(decoder) => decoder.decode(bytes, false, out),
        }
    }

    /// The text ends here.
    pub(super) fn finish(&mut self, out: &mut String) {
        match self {
            Self::Utf8(carry) if carry.len > 0 => {
                carry.len = 0;
                out.push(MALFORMED);
            }
            Self::Utf8(_) => {}
            Self::Other(decoder) => decoder.decode(&[], true, out),
        }
    }
}

impl Carry {
    fn decode(&mut self, bytes: &[u8], out: &mut String) {
        let mut rest = self.complete(bytes, out);
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => return out.push_str(text),
                Err(error) => error,
            };
            let (text, invalid) = rest
                .split_at_checked(error.valid_up_to())
                .unwrap_or((rest, &[]));
            out.push_str(std::str::from_utf8(text).unwrap_or(""));
            let Some(len) = error.error_len() else {
                return invalid.iter().for_each(|byte| self.add(*byte));
            };
            out.push(MALFORMED);
            rest = invalid.part(len..);
        }
    }

    /// Continues the incomplete sequence; returns the bytes after it.
    fn complete<'a>(&mut self, bytes: &'a [u8], out: &mut String) -> &'a [u8] {
        let mut rest = bytes;
        while self.len > 0 {
            let Some((&byte, after)) = rest.split_first() else {
                break;
            };
            self.add(byte);
            match std::str::from_utf8(self.sequence()) {
                Ok(text) => {
                    out.push_str(text);
                    self.len = 0;
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    // The earlier bytes could have become a character, so this byte is the one that does not belong to
                    // it.
                    out.push(MALFORMED);
                    self.len = 0;
                    break;
                }
            }
            rest = after;
        }
        rest
    }

    fn sequence(&self) -> &[u8] {
        self.bytes.part(..self.len)
    }

    fn add(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
    }
}
