//! Short gzipped texts, such as a robots.txt.

use super::gzip::Layer;
use super::magic::GZIP;
use crate::span::TakePart;

/// The text, or the first `most` bytes of what it is compressed from. If it is damaged, it is returned as it is.
pub(crate) fn inflated(bytes: Vec<u8>, most: usize) -> Vec<u8> {
    let Some(mut rest) = bytes.strip_prefix(&GZIP) else {
        return bytes;
    };
    let mut layer = Layer::new();
    let mut text = Vec::new();
    while text.len() < most && layer.over().is_none() && (layer.is_pending() || !rest.is_empty()) {
        rest = rest.part(layer.run(rest)..);
        let unpacked = layer.peek();
        text.extend_from_slice(unpacked);
        layer.consume(unpacked.len());
    }
    // A text that merely ends early is not damaged: the rest may be beyond the bytes that were kept.
    let is_damaged = layer.over().is_some_and(|end| end.is_err()) || layer.trailing().is_some();
    if is_damaged && text.len() < most {
        return bytes;
    }
    text.truncate(most);
    text
}
