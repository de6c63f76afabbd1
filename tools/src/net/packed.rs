//! Brotli and zstd, which the library names but does not read, and the beginning of a text in any of the three packings.
//!
//! Memory is bounded: a window of Brotli has at most 16 MiB (RFC 7932), and one of zstd 8 MiB, as for bodies of HTTP
//! (RFC 9659). The caller bounds how much is unpacked.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::term::count::Grouped;

/// The first bytes of zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP: [u8; 2] = [0x1f, 0x8b];
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
/// look like XML. Gzip is left to the library.
pub(crate) struct Unpacked<'s> {
    state: State<'s>,
    is_brotli: bool,
    /// Bytes that may come out of Brotli or zstd, and those that did.
    max_bytes: u64,
    unpacked: u64,
}

enum State<'s> {
    /// Nothing has been returned yet.
    Begin(Source<'s>),
    Plain(Source<'s>),
    Brotli(Box<Decompressor<Source<'s>>>, Failure),
    /// Within a frame of zstd.
    Zstd(Box<FrameDecoder>, Source<'s>),
    /// Between two frames of zstd.
    Between(Box<FrameDecoder>, Source<'s>),
    End,
}

impl<'s> Unpacked<'s> {
    pub(crate) fn new(source: Box<dyn Read + Send + 's>, is_brotli: bool) -> Self {
        Self {
            state: State::Begin(Source::new(source)),
            is_brotli,
            max_bytes: u64::MAX,
            unpacked: 0,
        }
    }

    /// A file, whose name can be that of Brotli.
    pub(crate) fn of_file(path: &Path, file: File) -> Self {
        Self::new(Box::new(file), is_named_brotli(&path.to_string_lossy()))
    }

    /// Sets the number of bytes that may come out of Brotli or zstd; more are an error.
    pub(crate) fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    fn count(&mut self, bytes: usize) -> io::Result<usize> {
        self.unpacked += bytes as u64;
        if self.unpacked <= self.max_bytes {
            return Ok(bytes);
        }
        self.state = State::End;
        let most = Grouped(self.max_bytes);
        Err(io::Error::other(format!(
            "more than {most} bytes unpacked (--max-bytes)"
        )))
    }

    /// Detects the compression from the first bytes. Brotli has no such bytes, so the name or the header decides.
    fn begin(mut source: Source<'s>, is_brotli: bool) -> io::Result<State<'s>> {
        let head = source.peek()?;
        let first = head
            .iter()
            .find(|byte| !byte.is_ascii_whitespace())
            .copied();
        let is_xml = matches!(first, None | Some(b'<' | 0xef));
        if head == ZSTD {
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(ZSTD_WINDOW);
            return Ok(State::Between(Box::new(decoder), source));
        }
        if !is_brotli || is_xml {
            return Ok(State::Plain(source));
        }
        if head.first().is_some_and(|byte| byte & 0x7f == BROTLI_LARGE) {
            return Err(damaged(
                "Brotli",
                &"its window is larger than the 16 MiB of RFC 7932",
            ));
        }
        let failure = source.failure.clone();
        let decoder = Decompressor::new(source, BROTLI_BUFFER);
        Ok(State::Brotli(Box::new(decoder), failure))
    }

    /// Begins the next frame of zstd, if there is one.
    fn next_frame(mut decoder: Box<FrameDecoder>, mut source: Source<'s>) -> io::Result<State<'s>> {
        while !source.peek()?.is_empty() {
            match decoder.init(&mut source) {
                Ok(()) => return Ok(State::Zstd(decoder, source)),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(damaged("zstd", &"the document is truncated"));
                    }
                }
                Err(error) => return Err(source.failure.or_damaged("zstd", &error)),
            }
        }
        Ok(State::End)
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match &mut self.state {
                State::Begin(_) | State::Between(..) => {}
                State::Plain(source) => {
                    let read = source.read(buffer);
                    return read.map_err(|error| source.failure.take().unwrap_or(error));
                }
                State::End => return Ok(0),
                State::Brotli(decoder, failure) => {
                    let count = decoder
                        .read(buffer)
                        .map_err(|error| failure.or_damaged("Brotli", &error))?;
                    return self.count(count);
                }
                State::Zstd(decoder, source) => {
                    while decoder.can_collect() == 0 && !decoder.is_finished() {
                        let one = BlockDecodingStrategy::UptoBlocks(1);
                        if let Err(error) = decoder.decode_blocks(&mut *source, one) {
                            return Err(source.failure.or_damaged("zstd", &error));
                        }
                    }
                    let count = decoder.read(buffer)?;
                    if count > 0 {
                        return self.count(count);
                    }
                }
            }
            self.state = match std::mem::replace(&mut self.state, State::End) {
                State::Begin(source) => Self::begin(source, self.is_brotli)?,
                State::Zstd(decoder, source) => {
                    let sum = decoder.get_checksum_from_data();
                    if sum.is_some() && sum != decoder.get_calculated_checksum() {
                        return Err(damaged("zstd", &"the checksum is wrong"));
                    }
                    State::Between(decoder, source)
                }
                State::Between(decoder, source) => Self::next_frame(decoder, source)?,
                state => state,
            };
        }
    }
}

/// The content of a source, whether it is packed by gzip, Brotli or zstd, or not packed at all.
///
/// # Errors
///
/// If the first bytes cannot be read or unpacked.
pub(crate) fn content(
    source: Box<dyn Read + Send>,
    is_brotli: bool,
) -> io::Result<Box<dyn Read + Send>> {
    let mut content: Box<dyn Read + Send> = Box::new(Unpacked::new(source, is_brotli));
    for _ in 0..GZIP_LAYERS {
        let mut head = Vec::new();
        let most = GZIP.len() as u64;
        content.by_ref().take(most).read_to_end(&mut head)?;
        let is_gzip = head == GZIP;
        content = Box::new(Cursor::new(head).chain(content));
        if !is_gzip {
            break;
        }
        content = Box::new(MultiGzDecoder::new(content));
    }
    Ok(content)
}

/// The error if data cannot be unpacked. It is not transient.
fn damaged(format: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("the {format} data cannot be unpacked: {error}"))
}

/// The error of a source itself, which decoders wrap or replace.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The source's own error, if that is why unpacking has failed.
    fn or_damaged(&self, format: &str, error: &dyn std::fmt::Display) -> io::Error {
        self.take().unwrap_or_else(|| damaged(format, error))
    }
}

/// A source whose next bytes can be looked at.
struct Source<'s> {
    /// Bytes that were read from `inner` to be looked at, and not returned yet.
    ahead: Vec<u8>,
    inner: Box<dyn Read + Send + 's>,
    failure: Failure,
}

impl<'s> Source<'s> {
    fn new(inner: Box<dyn Read + Send + 's>) -> Self {
        Self {
            ahead: Vec::new(),
            inner,
            failure: Failure::default(),
        }
    }

    /// The next four bytes, or fewer at the end.
    fn peek(&mut self) -> io::Result<&[u8]> {
        let missing = ZSTD.len().saturating_sub(self.ahead.len()) as u64;
        let Self { ahead, inner, .. } = self;
        inner.take(missing).read_to_end(ahead)?;
        Ok(&self.ahead)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            let count = self.ahead.as_slice().read(buffer)?;
            self.ahead.drain(..count);
            return Ok(count);
        }
        match self.inner.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let copy = io::Error::new(error.kind(), error.to_string());
                *self
                    .failure
                    .0
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(copy)
            }
            read => read,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn unpacked(bytes: Vec<u8>, is_brotli: bool) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        Unpacked::new(Box::new(Cursor::new(bytes)), is_brotli)
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
        assert_eq!(unpacked(brotli(0b1111, 4), true).unwrap(), b"hello");
        // 1 GiB and 16 MiB in the form of large windows.
        for window in [30, 24] {
            let error = unpacked(brotli(0b001_0001 | window << 8, 14), true).unwrap_err();
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
            let mut unpacked = Unpacked::new(Box::new(source), false);
            unpacked.read_to_end(&mut content).unwrap();
            assert_eq!(content, b"hello");
            calls.load(Ordering::Relaxed)
        };
        let (once, twice) = (reads(5_000), reads(10_000));
        assert!(twice < once * 5 / 2, "{once} {twice}");
    }

    #[test]
    fn a_million_frames_do_not_end_the_program() {
        assert_eq!(unpacked(frames(1_000_000), false).unwrap(), b"hello");
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
            let source = Box::new(Cursor::new(bytes).chain(Broken));
            let mut content = Vec::new();
            let error = Unpacked::new(source, is_brotli).read_to_end(&mut content);
            assert_eq!(error.unwrap_err().to_string(), "broken off");
        }
    }
}
