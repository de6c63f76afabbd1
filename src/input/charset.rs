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
        let bytes = self.complete(bytes, out);
        let (whole, cut) = bytes
            .split_at_checked(bytes.len() - cut_sequence(bytes))
            .unwrap_or((bytes, &[]));
        match std::str::from_utf8(whole) {
            Ok(text) => out.push_str(text),
            Err(_) => {
                for chunk in whole.utf8_chunks() {
                    out.push_str(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        out.push(MALFORMED);
                    }
                }
            }
        }
        // If an incomplete sequence remains, `bytes` is used up and there is no cut.
        for byte in cut {
            self.add(*byte);
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

/// The length of the sequence at the end of `bytes` that the next bytes may complete.
fn cut_sequence(bytes: &[u8]) -> usize {
    for len in 1..=bytes.len().min(3) {
        let tail = bytes.part(bytes.len() - len..);
        match tail.first() {
            Some(0x80..=0xBF) => {}
            Some(0xC2..=0xF4) => {
                let cut = std::str::from_utf8(tail).is_err_and(|e| e.error_len().is_none());
                return if cut { len } else { 0 };
            }
            _ => return 0,
        }
    }
    0
}
