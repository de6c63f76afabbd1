//! Brotli and zstd, which the library names but does not read, and the beginning of a text in any of the three packings.
//!
//! Memory is bounded: a window of Brotli has at most 16 MiB (RFC 7932), and one of zstd 8 MiB, as for bodies of HTTP
//! (RFC 9659). The caller bounds how much is unpacked.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::disk::{Failing, GZIP, peek};
use crate::term::count::Grouped;

/// The first bytes of zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Layers of gzip that are unpacked, the same number as in the library.
const GZIP_LAYERS: usize = 3;

const BROTLI_BUFFER: usize = 16 << 10;
/// RFC 7932 reserves this beginning of a stream, in its lowest seven bits. Streams with windows of up to 1 GiB have it.
const BROTLI_LARGE: u8 = 0b001_0001;
const ZSTD_WINDOW: u64 = 8 << 20;

/// Returns `true` if a file or a URL of this name contains Brotli, which has no mark of its own.
pub(crate) fn is_named_brotli(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("br"))
}

/// The content of a source, unpacked if it begins like zstd, or if its name or header is that of Brotli and it does not
/// look like XML. More bytes than `max_bytes` that come out of either are an error. Gzip is left to the library.
pub(crate) fn unpacked<'s>(
    source: impl Read + Send + 's,
    is_brotli: bool,
    max_bytes: u64,
) -> Box<dyn Read + Send + 's> {
    let (head, source) = peek(source, ZSTD.len());
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_xml = matches!(first, None | Some(b'<' | 0xef));
    let unpacked: Box<dyn Read + Send + 's> = if head == ZSTD {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(ZSTD_WINDOW);
        Box::new(Zstd {
            decoder: Box::new(decoder),
            source: BufReader::new(source),
            is_within: false,
        })
    } else if !is_brotli || is_xml {
        return Box::new(source);
    } else if head.first().is_some_and(|byte| byte & 0x7f == BROTLI_LARGE) {
        let why = "its window is larger than the 16 MiB of RFC 7932";
        Box::new(Failing(Some(damaged("Brotli", &why))))
    } else {
        Box::new(Brotli(Decompressor::new(source, BROTLI_BUFFER)))
    };
    Box::new(Bounded {
        unpacked,
        max_bytes,
        read: 0,
    })
}

/// The content of a source, whether it is packed by gzip, Brotli or zstd, or not packed at all.
pub(crate) fn content<'s>(
    source: impl Read + Send + 's,
    is_brotli: bool,
) -> Box<dyn Read + Send + 's> {
    let mut content = unpacked(source, is_brotli, u64::MAX);
    for _ in 0..GZIP_LAYERS {
        let (head, peeked) = peek(content, GZIP.len());
        if head != GZIP {
            return Box::new(peeked);
        }
        content = Box::new(MultiGzDecoder::new(peeked));
    }
    content
}

/// Unpacked bytes, of which more than the bound are an error.
struct Bounded<R> {
    unpacked: R,
    max_bytes: u64,
    read: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.unpacked.read(buffer)?;
        self.read += count as u64;
        if self.read <= self.max_bytes {
            return Ok(count);
        }
        let most = Grouped(self.max_bytes);
        Err(io::Error::other(format!(
            "more than {most} bytes unpacked (--max-bytes)"
        )))
    }
}

struct Brotli<R: Read>(Decompressor<R>);

impl<R: Read> Read for Brotli<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => damaged("Brotli", &error),
            _ => error,
        })
    }
}

/// The frames of zstd, one after the other.
struct Zstd<R> {
    decoder: Box<FrameDecoder>,
    source: BufReader<R>,
    /// A frame has begun, and not ended yet.
    is_within: bool,
}

impl<R: Read> Zstd<R> {
    /// Begins the next frame. Returns `false` at the end.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let mut skipped = self.source.by_ref().take(length);
                    if io::copy(&mut skipped, &mut io::sink())? < length {
                        return Err(damaged("zstd", &"the document is truncated"));
                    }
                }
                Err(error) => return Err(of_zstd(&error)),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            if !self.is_within && !self.begin()? {
                break;
            }
            self.is_within = true;
            let Self {
                decoder, source, ..
            } = self;
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = decoder.decode_blocks(&mut *source, one);
                decoded.map_err(|error| of_zstd(&error))?;
            }
            let count = decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let sum = decoder.get_checksum_from_data();
            if sum.is_some() && sum != decoder.get_calculated_checksum() {
                return Err(damaged("zstd", &"the checksum is wrong"));
            }
            self.is_within = false;
        }
        Ok(0)
    }
}

/// The error of the source itself, if that is why unpacking has failed. The decoder makes errors of its own, which have
/// neither a number nor a text, if the source ends too early.
fn of_zstd(error: &(dyn Error + 'static)) -> io::Error {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(own) = cause.downcast_ref::<io::Error>()
            && (own.get_ref().is_some() || own.raw_os_error().is_some())
        {
            return io::Error::new(own.kind(), own.to_string());
        }
        next = cause.source();
    }
    damaged("zstd", &error)
}

/// The error if data cannot be unpacked. It is not transient.
fn damaged(format: &str, error: &dyn Display) -> io::Error {
    io::Error::other(format!("the {format} data cannot be unpacked: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn all(bytes: Vec<u8>, is_brotli: bool) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        unpacked(Cursor::new(bytes), is_brotli, u64::MAX)
            .read_to_end(&mut content)
            .map(|_| content)
    }

    /// `hello`, not compressed, after the bits with the size of the window.
    fn brotli(window: u32, bits: u32) -> Vec<u8> {
        let head = u64::from(window) | ((4 << 3 | 1 << 19) << bits);
        let mut packed = head.to_le_bytes()[..(bits as usize + 20).div_ceil(8)].to_vec();
        packed.extend_from_slice(b"hello\x03");
        packed
    }

    #[test]
    fn large_windows_of_brotli_are_rejected() {
        // 16 MiB, the largest of RFC 7932.
        assert_eq!(all(brotli(0b1111, 4), true).unwrap(), b"hello");
        // 1 GiB and 16 MiB in the form of large windows.
        for window in [30, 24] {
            let error = all(brotli(0b001_0001 | window << 8, 14), true).unwrap_err();
            assert!(error.to_string().contains("16 MiB of RFC 7932"), "{error}");
        }
    }

    /// A frame with `hello`, and then this number of skippable frames and empty ones.
    fn frames(count: usize) -> Vec<u8> {
        let mut packed = ZSTD.to_vec();
        packed.extend_from_slice(b"\x00\x58\x29\0\0hello");
        for _ in 0..count / 2 {
            packed.extend_from_slice(b"\x50\x2a\x4d\x18\0\0\0\0");
            packed.extend_from_slice(&ZSTD);
            packed.extend_from_slice(b"\x00\x58\x01\0\0");
        }
        packed
    }

    struct Counted(Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl Read for Counted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.read(buffer)
        }
    }

    #[test]
    fn frames_of_zstd_take_linear_time() {
        let reads = |count: usize| {
            let calls = Arc::new(AtomicUsize::new(0));
            let source = Counted(Cursor::new(frames(count)), Arc::clone(&calls));
            let mut content = Vec::new();
            let mut unpacked = unpacked(source, false, u64::MAX);
            unpacked.read_to_end(&mut content).unwrap();
            assert_eq!(content, b"hello");
            calls.load(Ordering::Relaxed)
        };
        let (once, twice) = (reads(5_000), reads(10_000));
        assert!(twice < once * 5 / 2, "{once} {twice}");
    }

    #[test]
    fn a_million_frames_do_not_end_the_program() {
        assert_eq!(all(frames(1_000_000), false).unwrap(), b"hello");
    }

    #[test]
    fn the_error_of_the_source_is_the_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken off"))
            }
        }
        let mut zstd = frames(2);
        zstd.truncate(12);
        for (bytes, is_brotli) in [
            (zstd, false),
            (brotli(0b1111, 4)[..5].to_vec(), true),
            (b"plain".to_vec(), false),
        ] {
            let source = Cursor::new(bytes).chain(Broken);
            let mut content = Vec::new();
            let error = unpacked(source, is_brotli, u64::MAX).read_to_end(&mut content);
            assert_eq!(error.unwrap_err().to_string(), "broken off");
        }
    }
}
