//! Brotli and zstd, which the library names but does not read, and texts in any of the three packings.
//!
//! The codings of `Content-Encoding` are undone in their order, the last one first. A coding whose mark the body does not
//! have is ignored, because servers also name codings that they have not applied.
//!
//! Memory is bounded: a window of Brotli has at most 16 MiB (RFC 7932), and one of zstd 8 MiB, as for bodies of HTTP
//! (RFC 9659). The caller bounds how much is unpacked.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Chain, Cursor, ErrorKind, Read};
use std::mem;
use std::path::Path;

use brotli_decompressor::Decompressor;
use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::disk::{Failing, GZIP, peek};
use crate::term::clipped::clipped;
use crate::term::count::Grouped;

/// The first bytes of a frame of zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The bytes that follow the first one of a frame to skip, of which four bits are free (RFC 8878).
const ZSTD_SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];
/// Codings that are undone, and layers of gzip: the same number as in the library.
const LAYERS: usize = 3;

const BROTLI_BUFFER: usize = 16 << 10;
/// RFC 7932 reserves this beginning of a stream, in its lowest seven bits. Streams with windows of up to 1 GiB have it.
const BROTLI_LARGE: u8 = 0b001_0001;
const ZSTD_WINDOW: u64 = 8 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

/// The codings of a body, in the order in which they were applied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codings {
    known: Vec<Coding>,
    /// A coding that cannot be undone, as the end of a sentence about the body.
    unknown: Option<String>,
}

impl Codings {
    /// The codings that the header `Content-Encoding` lists.
    pub(crate) fn of_header(header: &str) -> Self {
        let mut codings = Self::default();
        for name in header.split(',').map(str::trim) {
            match name.to_ascii_lowercase().as_str() {
                // Badly configured servers name the charset, or that there is no coding.
                "" | "identity" | "none" | "utf-8" => {}
                "gzip" | "x-gzip" => codings.known.push(Coding::Gzip),
                "br" => codings.known.push(Coding::Brotli),
                "zstd" => codings.known.push(Coding::Zstd),
                _ => {
                    let why = format!("in the unknown coding `{}`", clipped(name));
                    codings.unknown.get_or_insert(why);
                }
            }
        }
        // Each takes the memory of a window.
        if let Some(surplus @ 1..) = codings.known.len().checked_sub(LAYERS) {
            codings.known.drain(..surplus);
            codings.unknown = Some(format!("in more than {LAYERS} codings"));
        }
        codings
    }

    /// The coding of a file or a URL of this name: that of Brotli, which has no mark of its own.
    pub(crate) fn of_name(name: &str) -> Self {
        let extension = Path::new(name).extension();
        let is_brotli = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("br"));
        Self {
            known: is_brotli.then_some(Coding::Brotli).into_iter().collect(),
            unknown: None,
        }
    }

    /// The reason why the body is not readable after all known codings have been undone.
    pub(crate) fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }
}

/// The content of a source, without its codings, and unpacked if it then begins like zstd. More bytes than `max_bytes`
/// that come out of a coding are an error. If gzip is the innermost coding, it is left to the library.
pub(crate) fn unpacked<'s>(
    source: impl Read + Send + 's,
    codings: &Codings,
    max_bytes: u64,
) -> Box<dyn Read + Send + 's> {
    let known = match codings.known.as_slice() {
        [Coding::Gzip, rest @ ..] => rest,
        known => known,
    };
    let mut content: Box<dyn Read + Send + 's> = Box::new(source);
    for coding in known.iter().rev() {
        content = undone(content, *coding, max_bytes);
    }
    undone(content, Coding::Zstd, max_bytes)
}

/// The content of a source, without its codings and without gzip.
pub(crate) fn content<'s>(
    source: impl Read + Send + 's,
    codings: &Codings,
) -> Box<dyn Read + Send + 's> {
    let mut content = unpacked(source, codings, u64::MAX);
    for _ in 0..LAYERS {
        content = undone(content, Coding::Gzip, u64::MAX);
    }
    content
}

/// Returns `true` if a text is still packed.
pub(crate) fn is_packed(text: &[u8]) -> bool {
    text.starts_with(&GZIP) || is_zstd(text)
}

fn is_zstd(head: &[u8]) -> bool {
    head.starts_with(&ZSTD)
        || matches!(head, [0x50..=0x5f, skipped @ ..] if skipped.starts_with(&ZSTD_SKIPPED))
}

/// The content of a source without this coding, if the source has its mark. Brotli has none; it is undone unless the
/// source looks like XML.
fn undone<'s>(
    source: Box<dyn Read + Send + 's>,
    coding: Coding,
    max_bytes: u64,
) -> Box<dyn Read + Send + 's> {
    let (head, source) = peek(source, ZSTD.len());
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_xml = matches!(first, None | Some(b'<' | 0xef));
    let unpacked: Box<dyn Read + Send + 's> = match coding {
        Coding::Gzip if head.starts_with(&GZIP) => Box::new(Gzip::Between(BufReader::new(source))),
        Coding::Zstd if is_zstd(&head) => {
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(ZSTD_WINDOW);
            Box::new(Zstd {
                decoder: Box::new(decoder),
                source: BufReader::new(source),
                is_within: false,
            })
        }
        Coding::Brotli if is_xml => return Box::new(source),
        Coding::Brotli if head.first().is_some_and(|byte| byte & 0x7f == BROTLI_LARGE) => {
            let why = "its window is larger than the 16 MiB of RFC 7932";
            Box::new(Failing(Some(damaged("Brotli", &why))))
        }
        Coding::Brotli => Box::new(Brotli(Decompressor::new(source, BROTLI_BUFFER))),
        Coding::Gzip | Coding::Zstd => return Box::new(source),
    };
    Box::new(Bounded {
        unpacked,
        max_bytes,
        read: 0,
    })
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

/// The members of gzip, one after the other. Bytes after the last one that begin no other member are ignored, as the
/// library ignores them.
enum Gzip<R> {
    Between(BufReader<R>),
    Within(Box<GzDecoder<Member<R>>>),
    Over,
}

/// A member, and what follows it. Its mark has been read before.
type Member<R> = Chain<Cursor<[u8; 2]>, BufReader<R>>;

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match mem::replace(self, Self::Over) {
                Self::Between(source) => {
                    let (head, source) = begin(source)?;
                    if head == GZIP {
                        let member = Cursor::new(GZIP).chain(source);
                        *self = Self::Within(Box::new(GzDecoder::new(member)));
                    }
                }
                Self::Within(mut member) => match member.read(buffer) {
                    Ok(0) => *self = Self::Between(member.into_inner().into_inner().1),
                    read => {
                        *self = Self::Within(member);
                        return read;
                    }
                },
                Self::Over => return Ok(0),
            }
        }
    }
}

/// Reads the mark of the next member.
fn begin<R: Read>(mut source: BufReader<R>) -> io::Result<(Vec<u8>, BufReader<R>)> {
    let mut head = Vec::new();
    source
        .by_ref()
        .take(GZIP.len() as u64)
        .read_to_end(&mut head)?;
    Ok((head, source))
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
    use std::io::Write;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn all(bytes: Vec<u8>, header: &str) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        unpacked(Cursor::new(bytes), &Codings::of_header(header), u64::MAX)
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
        assert_eq!(all(brotli(0b1111, 4), "br").unwrap(), b"hello");
        // 1 GiB and 16 MiB in the form of large windows.
        for window in [30, 24] {
            let error = all(brotli(0b001_0001 | window << 8, 14), "br").unwrap_err();
            assert!(error.to_string().contains("16 MiB of RFC 7932"), "{error}");
        }
    }

    fn gzipped(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// A zstd frame that is not compressed.
    fn zstd(content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap();
        let block = (length << 3 | 1).to_le_bytes();
        [&ZSTD[..], b"\x00\x58", &block[..3], content].concat()
    }

    /// A stream with one block that is not compressed.
    fn brotli_of(content: &[u8]) -> Vec<u8> {
        let length = u64::try_from(content.len() - 1).unwrap();
        let head = 0b1111 | (length << 3 | 1 << 19) << 4;
        [&head.to_le_bytes()[..3], content, b"\x03"].concat()
    }

    #[test]
    fn codings_are_undone_in_their_order() {
        let text = b"User-agent: *\nDisallow: /private\n";
        for (header, bytes) in [
            ("gzip, br", brotli_of(&gzipped(text))),
            ("br, gzip", gzipped(&brotli_of(text))),
            ("BR ,X-Gzip", gzipped(&brotli_of(text))),
            ("zstd, gzip", gzipped(&zstd(text))),
            ("gzip, zstd", zstd(&gzipped(text))),
            ("zstd, zstd", zstd(&zstd(text))),
            ("zstd, gzip, br", brotli_of(&gzipped(&zstd(text)))),
            ("gzip, gzip, gzip", gzipped(&gzipped(&gzipped(text)))),
            // Without the mark of the coding.
            ("gzip, zstd", text.to_vec()),
            ("utf-8", text.to_vec()),
        ] {
            let codings = Codings::of_header(header);
            assert_eq!(codings.unknown(), None, "{header}");
            let mut found = Vec::new();
            let mut content = content(Cursor::new(bytes), &codings);
            content.read_to_end(&mut found).unwrap();
            assert!(found == text, "{header}: {found:x?}");
        }
        for (header, why) in [
            ("deflate", "in the unknown coding `deflate`"),
            ("gzip, exi", "in the unknown coding `exi`"),
            ("br, br, br, br", "in more than 3 codings"),
        ] {
            assert_eq!(Codings::of_header(header).unknown(), Some(why));
        }
    }

    #[test]
    fn zstd_may_begin_with_a_frame_to_skip() {
        let skipped = [b"\x5f\x2a\x4d\x18\x03\0\0\0abc", &zstd(b"hello")[..]].concat();
        assert_eq!(all(skipped, "").unwrap(), b"hello");
    }

    #[test]
    fn what_follows_gzip_is_ignored() {
        let members = [gzipped(b"a"), gzipped(b""), gzipped(b"b")].concat();
        for (end, expected) in [
            (&b""[..], Some(b"ab")),
            (b"\n", Some(b"ab")),
            (b"\0\0\0\0", Some(b"ab")),
            (b"\x1f", Some(b"ab")),
            // The beginning of another member, which is truncated.
            (b"\x1f\x8b", None),
        ] {
            let mut found = Vec::new();
            let bytes = Cursor::new([&members[..], end].concat());
            let read = content(bytes, &Codings::default()).read_to_end(&mut found);
            assert_eq!(
                read.ok().map(|_| &found[..]),
                expected.map(|text| &text[..]),
                "{end:?}"
            );
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
            let mut unpacked = unpacked(source, &Codings::default(), u64::MAX);
            unpacked.read_to_end(&mut content).unwrap();
            assert_eq!(content, b"hello");
            calls.load(Ordering::Relaxed)
        };
        let (once, twice) = (reads(5_000), reads(10_000));
        assert!(twice < once * 5 / 2, "{once} {twice}");
    }

    #[test]
    fn a_million_frames_do_not_end_the_program() {
        assert_eq!(all(frames(1_000_000), "").unwrap(), b"hello");
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
        for (bytes, header) in [
            (zstd, ""),
            (brotli(0b1111, 4)[..5].to_vec(), "br"),
            (gzipped(b"hello")[..12].to_vec(), "gzip, identity, zstd"),
            (b"plain".to_vec(), ""),
        ] {
            let source = Cursor::new(bytes).chain(Broken);
            let mut content = Vec::new();
            let codings = Codings::of_header(header);
            let error = super::content(source, &codings).read_to_end(&mut content);
            assert_eq!(error.unwrap_err().to_string(), "broken off");
        }
    }
}
