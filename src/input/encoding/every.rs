//! Every encoding of the Encoding Standard, by encoding_rs.

use crate::text::span::TakePart;
use encoding_rs::DecoderResult;
pub(in super::super) use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::MALFORMED;

/// Returns `true` if this build can decode the encoding.
pub(in super::super) const fn is_supported(_encoding: &'static Encoding) -> bool {
    true
}

/// Decodes pieces of a text.
pub(in super::super) struct Decoder(encoding_rs::Decoder);

impl Decoder {
    pub(in super::super) fn new(encoding: &'static Encoding) -> Self {
        Self(encoding.new_decoder_without_bom_handling())
    }

    /// `last`: nothing follows these bytes.
    pub(in super::super) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut String) {
        let decoder = &mut self.0;
        let mut rest = bytes;
        loop {
            let most = decoder.max_utf8_buffer_length_without_replacement(rest.len());
            out.reserve(most.unwrap_or(0).max(16));
            let (result, used) = decoder.decode_to_string_without_replacement(rest, out, last);
            rest = rest.part(used..);
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => out.push(MALFORMED),
            }
        }
    }
}
