//! Bytes pushed in, UTF-8 text out: gzip unpacked, the encoding found and decoded, the bounds kept.
//!
//! The output does not depend on how the pushed bytes were divided.

mod charset;
mod encoding;
mod gzip;
mod magic;
pub(crate) mod scanner;
mod sniff;
mod source;
mod unpack;
mod window;

use std::borrow::Cow;

use charset::Charset;
pub(crate) use encoding::{MALFORMED, is_label};
use gzip::TOO_LONG;
use sniff::Sniffer;
use source::Source;
pub(crate) use unpack::Fill;
use unpack::Unpacker;

use crate::error::ErrorKind;
use crate::text::span::{TakePart, floor_char_boundary};

pub(crate) use window::{Cursor, Window};

/// Number of bytes that are decoded at once: small enough to be still in the innermost cache when they are copied after
/// validation.
const STEP: usize = 4 * 1024;

/// The state of a text's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextEnd {
    /// More may come.
    Open,
    /// This is all of the document.
    Reached,
    /// No more will come, though the document goes on: the input failed, or a bound was reached.
    Cut,
}

/// The way from bytes to text, without I/O.
pub(crate) struct Input {
    unpacker: Unpacker,
    /// The encoding is known.
    is_text: bool,
    /// Holds the first bytes of the innermost layer until they determine the encoding.
    sniffer: Sniffer,
    text: DecodedText,
    /// The label of the declared encoding that was ignored because it is unknown or not that of the bytes. It is known
    /// before the first text is returned.
    pub(crate) conflict: Option<String>,
    source: Source,
}

impl Input {
    /// `charset`: the label of the encoding of documents that do not name one.
    pub(crate) fn new(max_bytes: u64, charset: Option<&str>) -> Self {
        Self {
            unpacker: Unpacker::new(max_bytes),
            is_text: false,
            sniffer: Sniffer::new(charset),
            text: DecodedText::new(max_bytes),
            conflict: None,
            source: Source::Open,
        }
    }

    /// As new, but buffers of a usual size are kept.
    pub(crate) fn reset(&mut self) {
        self.unpacker.reset();
        self.is_text = false;
        self.sniffer.reset();
        self.text = DecodedText::new(self.text.max);
        self.conflict = None;
        self.source = Source::Open;
    }

    /// Takes bytes, and decodes about `room` of them into `out` directly if possible. The others are stored for
    /// [`fill`](Self::fill); nothing is decompressed here.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut String, room: usize) {
        let before = out.len();
        let mut rest = bytes;
        if self.is_text && self.unpacker.is_bare() {
            while self.source.is_open() {
                let left = room.saturating_sub(out.len() - before);
                let len = left.min(STEP).min(rest.len());
                if len == 0 {
                    break;
                }
                self.source = self.text.feed(rest.part(..len), false, out);
                rest = rest.part(len..);
            }
        }
        if self.source.is_open() {
            self.unpacker.stored.push(rest);
        }
    }

    /// No more pushes will come; with a reason, though there was more to push. The first call counts.
    pub(crate) fn finish(&mut self, failure: Option<ErrorKind>) {
        self.unpacker.stored.source.end(failure);
    }

    /// Whether there can be more text than has been appended.
    pub(crate) fn end(&self) -> TextEnd {
        match self.source {
            Source::Open => TextEnd::Open,
            Source::Ended(None) => TextEnd::Reached,
            Source::Ended(Some(_)) => TextEnd::Cut,
        }
    }

    /// The reason why the text ends before its end. It is returned once.
    pub(crate) fn take_failure(&mut self) -> Option<ErrorKind> {
        self.source.take_failure()
    }

    /// Appends up to about `room` bytes of text.
    pub(crate) fn fill(&mut self, out: &mut String, room: usize) -> Fill {
        let before = out.len();
        while self.source.is_open() {
            let left = room.max(1).saturating_sub(out.len() - before);
            if left == 0 || !self.step(out, left) {
                break;
            }
        }
        if !self.source.is_open() {
            // Not needed any more.
            self.unpacker.stored.clear();
        }
        match self.source {
            _ if out.len() > before => Fill::More,
            Source::Open => Fill::Starved,
            Source::Ended(_) => Fill::End,
        }
    }

    /// The name of the encoding, as far as it is known.
    pub(crate) fn encoding(&self) -> &'static str {
        self.text.charset.name()
    }

    /// The first bytes after the last gzip member that are not a member, once [`Fill::End`] has been reached. If
    /// several layers have some, those of the outermost.
    pub(crate) fn trailing(&self) -> Option<Cow<'_, str>> {
        match self.source {
            Source::Ended(None) => self.unpacker.trailing().map(String::from_utf8_lossy),
            _ => None,
        }
    }

    /// Moves on by one piece; `false` if that takes more input.
    fn step(&mut self, out: &mut String, room: usize) -> bool {
        match self.unpacker.refill() {
            Fill::More => self.take(out, room),
            Fill::Starved => return false,
            Fill::End => {
                let failure = self.unpacker.take_failure();
                self.close(failure, out);
            }
        }
        true
    }

    /// Decodes one piece of unpacked bytes, or adds it to the first bytes.
    fn take(&mut self, out: &mut String, room: usize) {
        let (bytes, held) = (self.unpacker.peek(), self.sniffer.head.len());
        let wanted = if self.is_text {
            room.min(STEP)
        } else if held < magic::GZIP.len() {
            // Two bytes show whether the innermost layer is gzip in its turn.
            magic::GZIP.len() - held
        } else {
            sniff::WINDOW.saturating_sub(held)
        };
        let piece = bytes.get(..wanted).unwrap_or(bytes);
        let taken = piece.len();
        if self.is_text {
            self.source = self.text.feed(piece, false, out);
            self.unpacker.consume(taken);
            return;
        }
        self.sniffer.head.extend_from_slice(piece);
        self.unpacker.consume(taken);
        if magic::kind(&self.sniffer.head) == Some(magic::Kind::Gzip) {
            self.sniffer.reset();
            if let Err(kind) = self.unpacker.deepen() {
                self.source.end(Some(kind));
            }
        } else {
            self.settle(false, out);
        }
    }

    /// Determines the encoding, if the first bytes suffice (all bytes, if `complete`).
    fn settle(&mut self, complete: bool, out: &mut String) {
        match self.sniffer.sniff(complete) {
            None => {}
            Some(Err(kind)) => self.source.end(Some(kind)),
            Some(Ok(sniffed)) => {
                self.conflict = sniffed.conflict;
                self.text.charset = Charset::new(sniffed.encoding);
                let content = self.sniffer.head.part(sniffed.mark..);
                self.source = self.text.feed(content, false, out);
                self.sniffer.reset();
                self.is_text = true;
            }
        }
    }

    /// The innermost layer has ended.
    fn close(&mut self, failure: Option<ErrorKind>, out: &mut String) {
        if !self.is_text {
            self.settle(true, out);
        }
        if failure.is_some() && !self.is_text {
            // It explains what the first bytes look like.
            self.source = Source::Open;
        } else if failure.is_none() && self.source.is_open() {
            // After a failure, an incomplete character is caused by it, not by the encoding.
            self.source = self.text.feed(&[], true, out);
        }
        self.source.end(failure);
    }
}

/// The last stage: decoding, and counting the output.
struct DecodedText {
    charset: Charset,
    given: u64,
    max: u64,
}

impl DecodedText {
    fn new(max: u64) -> Self {
        Self {
            charset: Charset::new(encoding::UTF_8),
            given: 0,
            max,
        }
    }

    /// Decodes bytes, and removes those over the bound from the output.
    fn feed(&mut self, bytes: &[u8], last: bool, out: &mut String) -> Source {
        let before = out.len();
        self.charset.decode(bytes, last, out);
        let left = self.max - self.given;
        let added = out.len() - before;
        if added as u64 <= left {
            self.given += added as u64;
            return Source::Open;
        }
        let end = usize::try_from(left).map_or(out.len(), |left| before + left);
        out.truncate(floor_char_boundary(out, end));
        Source::Ended(Some(TOO_LONG))
    }
}

#[cfg(test)]
mod tests;
