//! Brotli and zstd, which the library names but does not read. Gzip is left to the library.
//!
//! Memory is bounded: a window of Brotli has at most 16 MiB, and one of zstd 8 MiB, as for bodies of HTTP (RFC 9659). How
//! much comes out is bounded by whoever reads, as with gzip.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use brotli_decompressor::Decompressor;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::term::count::Grouped;

/// Of the first bytes.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes that are looked at.
const HEAD: u64 = 4;
const BROTLI_BUFFER: usize = 16 << 10;
const ZSTD_WINDOW: u64 = 8 << 20;

/// Whether a file or a URL of this name is one of Brotli, which has no mark of its own.
pub(crate) fn is_named_brotli(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("br"))
}

/// The content of what is read, which is Brotli if that is said of it and it does not look like XML, and zstd if it begins
/// like that.
pub(crate) struct Unpacked {
    state: State,
    is_brotli: bool,
    /// Bytes that may come out of Brotli or zstd, and those that did.
    max_bytes: u64,
    unpacked: u64,
}

type Source = Box<dyn Read + Send>;

enum State {
    /// Nothing has been returned yet, and these bytes have been read.
    Begin(Vec<u8>, Source),
    Plain(Source),
    Brotli(Box<Decompressor<Noting>>, Noted),
    Zstd(Box<FrameDecoder>, Noting),
    /// Between two frames of zstd.
    Between(Noting),
    End,
}

impl Unpacked {
    pub(crate) fn new(source: Source, is_brotli: bool) -> Self {
        Self {
            state: State::Begin(Vec::new(), source),
            is_brotli,
            max_bytes: u64::MAX,
            unpacked: 0,
        }
    }

    /// A file, whose name may say that it is Brotli.
    pub(crate) fn of_file(path: &Path, file: File) -> Self {
        Self::new(Box::new(file), is_named_brotli(&path.to_string_lossy()))
    }

    /// If more than that comes out of Brotli or zstd, it is an error.
    pub(crate) fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    fn count(&mut self, bytes: usize) -> io::Result<usize> {
        self.unpacked += bytes as u64;
        match self.unpacked <= self.max_bytes {
            true => Ok(bytes),
            false => {
                self.state = State::End;
                let most = Grouped(self.max_bytes);
                Err(io::Error::other(format!(
                    "more than {most} bytes unpacked (--max-bytes)"
                )))
            }
        }
    }

    /// Looks at the first bytes.
    fn begin(&mut self) -> io::Result<()> {
        if let State::Begin(head, source) = &mut self.state {
            while (head.len() as u64) < HEAD {
                let missing = HEAD - head.len() as u64;
                let read = source.by_ref().take(missing).read_to_end(head)?;
                if read == 0 {
                    break;
                }
            }
        }
        self.state = match std::mem::replace(&mut self.state, State::End) {
            State::Begin(head, source) => {
                let is_zstd = head == ZSTD;
                let is_xml = head
                    .iter()
                    .find(|byte| !byte.is_ascii_whitespace())
                    .is_none_or(|byte| matches!(byte, b'<' | 0xef));
                let source: Source = Box::new(Cursor::new(head).chain(source));
                let noted = Noted::default();
                let noting = Noting(source, noted.clone());
                match (is_zstd, self.is_brotli && !is_xml) {
                    (true, _) => State::Between(noting),
                    (false, true) => {
                        let decoder = Decompressor::new(noting, BROTLI_BUFFER);
                        State::Brotli(Box::new(decoder), noted)
                    }
                    (false, false) => State::Plain(noting.0),
                }
            }
            state => state,
        };
        Ok(())
    }

    /// Begins the next frame of zstd, if there is one.
    fn next_frame(mut source: Noting) -> io::Result<State> {
        loop {
            let mut head = Vec::new();
            source.by_ref().take(HEAD).read_to_end(&mut head)?;
            if head.is_empty() {
                return Ok(State::End);
            }
            let rest = std::mem::replace(&mut source.0, Box::new(io::empty()));
            source.0 = Box::new(Cursor::new(head).chain(rest));
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(ZSTD_WINDOW);
            match decoder.init(&mut source) {
                Ok(()) => return Ok(State::Zstd(Box::new(decoder), source)),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(damaged("zstd", &"the document is cut off"));
                    }
                }
                Err(error) => return Err(source.failure("zstd", &error)),
            }
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match &mut self.state {
                State::Begin(..) => self.begin()?,
                State::Plain(source) => return source.read(buffer),
                State::End => return Ok(0),
                State::Brotli(decoder, noted) => {
                    let count = decoder.read(buffer).map_err(|error| {
                        noted.take().unwrap_or_else(|| damaged("Brotli", &error))
                    })?;
                    return self.count(count);
                }
                State::Zstd(decoder, source) => {
                    while decoder.can_collect() == 0 && !decoder.is_finished() {
                        let one = BlockDecodingStrategy::UptoBlocks(1);
                        if let Err(error) = decoder.decode_blocks(&mut *source, one) {
                            return Err(source.failure("zstd", &error));
                        }
                    }
                    let count = decoder.read(buffer)?;
                    if count > 0 {
                        return self.count(count);
                    }
                }
                State::Between(..) => {}
            }
            self.state = match std::mem::replace(&mut self.state, State::End) {
                State::Zstd(decoder, source) => {
                    let sum = decoder.get_checksum_from_data();
                    if sum.is_some() && sum != decoder.get_calculated_checksum() {
                        return Err(damaged("zstd", &"the checksum is wrong"));
                    }
                    State::Between(source)
                }
                State::Between(source) => Self::next_frame(source)?,
                state => state,
            };
        }
    }
}

/// Another attempt would get the same.
fn damaged(format: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("the {format} data cannot be unpacked: {error}"))
}

/// What the source itself has failed with, which decoders wrap or replace.
#[derive(Clone, Default)]
struct Noted(Arc<Mutex<Option<io::Error>>>);

impl Noted {
    fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct Noting(Source, Noted);

impl Noting {
    /// The source's own error, if that is why unpacking has failed.
    fn failure(&self, format: &str, error: &dyn std::fmt::Display) -> io::Error {
        self.1.take().unwrap_or_else(|| damaged(format, error))
    }
}

impl Read for Noting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self(source, noted) = self;
        match source.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let copy = io::Error::new(error.kind(), error.to_string());
                *noted.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(copy)
            }
            read => read,
        }
    }
}
