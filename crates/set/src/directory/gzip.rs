//! One gzip stream, compressed in blocks that are independent of each other.
//!
//! Deflate refers back at most 32 KiB. So the blocks of a stream can be compressed at the same time, each by a
//! compressor that gets the 32 KiB before its block as a dictionary, and then be joined: each except the last ends at a
//! byte boundary with an empty stored block, as RFC 1951 requires. The boundaries depend only on the number of bytes,
//! so the stream is the same for any number of threads.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Weak};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::task::{self, Task};
use crate::text::span::TakePart;

/// Bytes that are compressed at a time.
const BLOCK: usize = 256 << 10;
/// Number of bytes that deflate can refer back.
const WINDOW: usize = 32 << 10;

/// The operating system "unknown" of RFC 1952, so that the bytes are the same on every system.
const NO_SYSTEM: u8 = 255;

/// The threads that compress the parts of a set.
#[derive(Debug)]
pub(super) struct Threads {
    most: usize,
    /// Each thread that is at work has a reference.
    busy: Arc<()>,
}

impl Threads {
    /// With one thread, the one that writes compresses.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            most: if threads > 1 { threads } else { 0 },
            busy: Arc::new(()),
        }
    }
}

#[derive(Debug)]
pub(super) struct Gzip {
    most: usize,
    busy: Weak<()>,
    /// The bytes that were written, but are not in a block yet.
    input: Vec<u8>,
    /// The end of the block before.
    window: Vec<u8>,
    crc: Crc,
    begun: bool,
    /// The blocks that threads compress or have compressed, in their order.
    at_work: VecDeque<Task<Block>>,
    idle: Vec<Block>,
}

impl Gzip {
    pub(super) fn new(threads: &Threads) -> Self {
        Self {
            most: threads.most,
            busy: Arc::downgrade(&threads.busy),
            input: Vec::new(),
            window: Vec::new(),
            crc: Crc::new(),
            begun: false,
            at_work: VecDeque::new(),
            idle: Vec::new(),
        }
    }

    /// Compresses each full block, and keeps the rest.
    pub(super) fn write(
        &mut self,
        mut bytes: &[u8],
        put: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.crc.update(bytes);
        // A full block waits for the next byte, because the last block is compressed differently.
        while let Some((first, rest)) = bytes.split_at_checked(BLOCK - self.input.len()) {
            if rest.is_empty() {
                break;
            }
            self.input.extend_from_slice(first);
            bytes = rest;
            self.compress(false, put)?;
        }
        self.input.extend_from_slice(bytes);
        Ok(())
    }

    pub(super) fn finish(mut self, put: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        self.compress(true, put)?;
        while self.put_oldest(put)? {}
        put(&self.crc.sum().to_le_bytes())?;
        put(&self.crc.amount().to_le_bytes())
    }

    /// Compresses the block, or leaves it to a thread, and writes the blocks that are complete.
    fn compress(
        &mut self,
        last: bool,
        put: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            put(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, NO_SYSTEM])?;
        }
        let mut block = self.idle.pop().unwrap_or_default();
        std::mem::swap(&mut block.input, &mut self.input);
        std::mem::swap(&mut block.window, &mut self.window);
        block.last = last;
        self.input.clear();
        let window = block.input.len().saturating_sub(WINDOW);
        self.window.clear();
        self.window.extend_from_slice(block.input.part(window..));
        while !self.has_thread() {
            if !self.put_oldest(put)? {
                block.compress()?;
                return self.put(block, put);
            }
        }
        let busy = self.busy.upgrade();
        self.at_work.push_back(task::start(move || {
            let _busy = busy;
            block.compress().map(|()| block)
        })?);
        Ok(())
    }

    /// Returns `true` if another thread may work, and its block may be kept.
    fn has_thread(&self) -> bool {
        // One reference is that of `Threads`.
        self.busy.strong_count() <= self.most && self.at_work.len() < 2 * self.most
    }

    /// Waits for the oldest of the blocks that threads compress. Returns `false` if there is none.
    fn put_oldest(&mut self, put: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<bool> {
        let Some(oldest) = self.at_work.pop_front() else {
            return Ok(false);
        };
        self.put(task::wait(oldest)?, put)?;
        Ok(true)
    }

    fn put(
        &mut self,
        block: Block,
        put: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        put(&block.output)?;
        self.idle.push(block);
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Block {
    input: Vec<u8>,
    window: Vec<u8>,
    last: bool,
    output: Vec<u8>,
}

impl Block {
    /// Compresses the block, with the end of the one before as its dictionary.
    fn compress(&mut self) -> io::Result<()> {
        // A new one for each block, because even after a `reset` its output depends on earlier blocks.
        let mut deflate = Compress::new(Compression::default(), false);
        self.output.clear();
        if !self.window.is_empty() {
            deflate
                .set_dictionary(&self.window)
                .map_err(io::Error::other)?;
        }
        let flush = if self.last {
            FlushCompress::Finish
        } else {
            FlushCompress::Sync
        };
        loop {
            self.output.reserve(WINDOW);
            let read = usize::try_from(deflate.total_in()).unwrap_or(usize::MAX);
            let rest = self.input.part(read..);
            let status = deflate
                .compress_vec(rest, &mut self.output, flush)
                .map_err(io::Error::other)?;
            let has_room = self.output.len() < self.output.capacity();
            let done = if self.last {
                status == Status::StreamEnd
            } else {
                has_room && deflate.total_in() == self.input.len() as u64
            };
            if done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{BLOCK, Gzip, Threads};

    fn gzip(bytes: &[u8], piece: usize, threads: usize) -> Vec<u8> {
        let threads = Threads::new(threads);
        let mut gzip = Gzip::new(&threads);
        let mut out = Vec::new();
        let mut put = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        bytes
            .chunks(piece.max(1))
            .for_each(|piece| gzip.write(piece, &mut put).unwrap());
        gzip.finish(&mut put).unwrap();
        out
    }

    /// Different URLs, bytes that cannot be predicted, and the same text repeated.
    fn inputs(len: usize) -> [Vec<u8>; 3] {
        let mut number = 1_u32;
        let mut next = move || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number
        };
        let urls = std::iter::repeat_with(|| {
            format!("<url><loc>https://e.example/{}</loc></url>\n", next())
        });
        let urls: Vec<u8> = urls.flat_map(String::into_bytes).take(len).collect();
        let noise = std::iter::repeat_with(|| (next() >> 24) as u8)
            .take(len)
            .collect();
        [
            urls,
            noise,
            b"0123456789 ".iter().copied().cycle().take(len).collect(),
        ]
    }

    #[test]
    fn the_same_bytes_however_they_come_and_are_compressed() {
        for bytes in inputs(3 * BLOCK + 1) {
            for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, bytes.len()] {
                let bytes = &bytes[..len];
                let whole = gzip(bytes, len, 1);
                let mut read = Vec::new();
                // One member: no bytes after its trailer.
                let mut decoder = flate2::bufread::GzDecoder::new(&whole[..]);
                decoder.read_to_end(&mut read).unwrap();
                assert!(decoder.into_inner().is_empty());
                assert!(read == bytes, "{len}");
                for (piece, threads) in [(32 << 10, 2), (BLOCK + 7, 3)] {
                    assert!(gzip(bytes, piece, threads) == whole, "{len}");
                }
            }
        }
    }

    #[test]
    fn parts_share_their_threads() {
        let threads = Threads::new(3);
        let mut parts = [(); 5].map(|()| (Gzip::new(&threads), Vec::new()));
        let bytes = inputs(6 * BLOCK).concat();
        for piece in bytes.chunks(BLOCK) {
            for (gzip, out) in &mut parts {
                gzip.write(piece, &mut |bytes| {
                    out.extend_from_slice(bytes);
                    Ok(())
                })
                .unwrap();
                assert!(std::sync::Arc::strong_count(&threads.busy) <= 1 + 3);
                assert!(gzip.at_work.len() <= 2 * 3);
            }
        }
        let whole = gzip(&bytes, BLOCK, 1);
        for (gzip, mut out) in parts {
            let mut rest = Vec::new();
            gzip.finish(&mut |bytes| {
                rest.extend_from_slice(bytes);
                Ok(())
            })
            .unwrap();
            out.append(&mut rest);
            assert!(out == whole);
        }
        assert_eq!(std::sync::Arc::strong_count(&threads.busy), 1);
    }

    /// A compressor that is used for several blocks finds other matches than one that is used for few.
    #[test]
    fn the_same_bytes_for_many_blocks() {
        let mut bytes = Vec::new();
        for number in 0..22_000_u64 {
            let id = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for language in ["de", "fr", "en"] {
                let line = format!(
                    "<xhtml:link hreflang=\"{language}\" href=\"https://www.example.com/{language}/{id:x}\"/>"
                );
                bytes.extend(line.into_bytes());
            }
        }
        let whole = gzip(&bytes, 32 << 10, 1);
        assert!(bytes.len() > 16 * BLOCK);
        for threads in [2, 3] {
            assert!(gzip(&bytes, 32 << 10, threads) == whole, "{threads}");
        }
    }
}
