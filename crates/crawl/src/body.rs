//! The text of a gzipped robots.txt.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

/// The first bytes of a gzip member.
const MAGIC: &[u8] = &[0x1F, 0x8B];

/// The text, or the first `most` bytes of the text that is compressed. A damaged text is returned as it is. Bytes after
/// the last member are ignored, like those after a sitemap.
pub(super) fn inflated(bytes: Vec<u8>, most: usize) -> Vec<u8> {
    if !bytes.starts_with(MAGIC) {
        return bytes;
    }
    let (mut rest, mut text) = (&*bytes, Vec::new());
    while rest.starts_with(MAGIC) && text.len() < most {
        let mut member = GzDecoder::new(rest);
        let left = (most - text.len()) as u64;
        match member.by_ref().take(left).read_to_end(&mut text) {
            Ok(_) => rest = member.into_inner(),
            // A text that ends early is not damaged: the rest may be beyond the bytes that were kept.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !text.is_empty() => break,
            Err(_) => return bytes,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::inflated;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_in_a_row_up_to_the_bound() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let whole = gzip(&text);
        assert_eq!(inflated(whole.clone(), usize::MAX), text);
        assert_eq!(inflated(whole.clone(), 1_000), text[..1_000]);
        assert_eq!(inflated([gzip(b"a"), gzip(b"b")].concat(), 10), b"ab");
        // Bytes after the last member are ignored, like those after a sitemap.
        let followed = [gzip(b"a").as_slice(), b"something else"].concat();
        assert_eq!(inflated(followed, 10), b"a");
        let cut = inflated(whole[..whole.len() / 2].to_vec(), usize::MAX);
        assert!(!cut.is_empty() && text.starts_with(&cut));
    }

    #[test]
    fn what_is_damaged_stays_as_it_is() {
        let mut wrong_sum = gzip(b"User-agent: *");
        let sum = wrong_sum.len() - 8;
        wrong_sum[sum] ^= 1;
        for bytes in [wrong_sum, b"\x1F\x8B\x07\0".to_vec(), b"plain".to_vec()] {
            assert_eq!(inflated(bytes.clone(), 100), bytes);
        }
    }
}
