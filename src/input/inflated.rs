//! Short gzipped texts, such as a robots.txt.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::magic::GZIP;

/// The text, or the first `most` bytes of what it is compressed from. If it is damaged, it is returned as it is.
pub(crate) fn inflated(bytes: Vec<u8>, most: u64) -> Vec<u8> {
    if !bytes.starts_with(&GZIP) {
        return bytes;
    }
    let mut text = Vec::new();
    let read = MultiGzDecoder::new(bytes.as_slice())
        .take(most)
        .read_to_end(&mut text);
    match read {
        Ok(_) => text,
        // The rest may be beyond the bytes that were kept.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => text,
        Err(_) => bytes,
    }
}
