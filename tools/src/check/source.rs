//! The text round the places where something was found.
//!
//! The library says where something is in the decoded text, but does not lend that text. So it is decoded here a second
//! time, as far as somebody asks for, and a window of it is kept: a regular file is opened again when the first place
//! is asked for; all else (standard input, a URL, a pipe) can be read only once, and is shared with the library
//! ([`Shared`]).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use flate2::bufread::MultiGzDecoder;
use quick_sitemap::Position;

/// Bytes of text that are kept before a place, and read behind it: more than a line of a terminal.
const AROUND: usize = 4 << 10;
/// Bytes that are decoded at a time.
const PIECE: usize = 16 << 10;
/// The library unpacks no more layers.
const GZIP_LAYERS: usize = 3;
/// How far the XML declaration is looked for, as the library does.
const DECLARATION: usize = 1 << 10;

/// A part of the line that a place is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) before: String,
    /// What is meant; empty if only a place is known, and no tag begins there. Not more than the line has.
    pub(crate) marked: String,
    pub(crate) behind: String,
    /// The line goes on to the left of this.
    pub(crate) is_cut_before: bool,
    /// The line goes on to the right of this.
    pub(crate) is_cut_behind: bool,
}

/// The decoded text of one document, read forwards.
pub(crate) struct Source {
    text: Text,
    window: String,
    /// Where the window begins.
    start: Cursor,
    ended: bool,
}

/// A place, moved over text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cursor {
    byte: u64,
    line: u64,
    column: u64,
    /// The character before was a CR, so that an LF is part of its line end.
    after_cr: bool,
}

impl Cursor {
    const START: Self = Self {
        byte: 0,
        line: 1,
        column: 1,
        after_cr: false,
    };

    fn pass(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' if self.after_cr => {}
                '\n' | '\r' => {
                    self.line += 1;
                    self.column = 1;
                }
                _ => self.column += 1,
            }
            self.after_cr = character == '\r';
        }
        self.byte += text.len() as u64;
    }
}

impl Source {
    /// Of the bytes as they are stored: gzipped or not, in any encoding.
    pub(crate) fn new(bytes: Box<dyn Read>) -> Self {
        Self {
            text: Text::new(bytes),
            window: String::new(),
            start: Cursor::START,
            ended: false,
        }
    }

    /// Says that no place before this one will be asked for.
    pub(crate) fn follow(&mut self, byte: u64) {
        self.read_to(byte, byte);
    }

    /// The line at that place, of which `len` bytes are meant (0: only the place is known). `None` if the text there is no longer at hand, or is not
    /// the text that the library has read.
    pub(crate) fn excerpt(&mut self, at: Position, len: u64) -> Option<Excerpt> {
        if at.byte() < self.start.byte {
            return None;
        }
        let len = usize::try_from(len).unwrap_or(AROUND).min(AROUND);
        self.read_to(at.byte() + (len + AROUND) as u64, at.byte());
        let place = usize::try_from(at.byte().checked_sub(self.start.byte)?).ok()?;
        let (before, rest) = self.window.split_at_checked(place)?;
        let mut cursor = self.start;
        cursor.pass(before);
        if (cursor.line, cursor.column) != (at.line(), at.column()) {
            return None;
        }
        let line_end = ['\n', '\r'];
        let (before, is_cut_before) = match before.rfind(line_end) {
            Some(end) => (before.get(end + 1..)?, false),
            None => (before, self.start.column > 1),
        };
        let (line, is_cut_behind) = match rest.find(line_end) {
            Some(end) => (rest.get(..end)?, false),
            None => (rest, !self.ended),
        };
        let mut end = match len {
            0 => start_tag(line),
            len => len.min(line.len()),
        };
        while !line.is_char_boundary(end) {
            end += 1;
        }
        let (marked, behind) = line.split_at_checked(end)?;
        Some(Excerpt {
            before: before.to_owned(),
            marked: marked.to_owned(),
            behind: behind.to_owned(),
            is_cut_before,
            is_cut_behind,
        })
    }

    /// Reads until the window has the text up to that byte, or there is no more. What is far before `place` is dropped.
    fn read_to(&mut self, byte: u64, place: u64) {
        while !self.ended && self.start.byte + (self.window.len() as u64) < byte {
            self.drop_before(place);
            self.ended = !self.text.read(&mut self.window);
        }
        self.drop_before(place);
    }

    fn drop_before(&mut self, byte: u64) {
        let keep_from = byte.saturating_sub(AROUND as u64);
        let excess = usize::try_from(keep_from.saturating_sub(self.start.byte));
        let mut excess = excess.unwrap_or(usize::MAX).min(self.window.len());
        while !self.window.is_char_boundary(excess) {
            excess -= 1;
        }
        if excess > 0 {
            self.start
                .pass(self.window.get(..excess).unwrap_or_default());
            self.window.drain(..excess);
        }
    }
}

/// How far the beginning of a tag goes, if one begins here: a place alone is hard to see.
fn start_tag(line: &str) -> usize {
    let is_end = |character: char| character.is_whitespace() || matches!(character, '>' | '/');
    match line.strip_prefix('<') {
        Some(name) => 1 + name.find(is_end).unwrap_or(name.len()),
        None => 0,
    }
}

/// Bytes become text: unpacked, decoded, without a byte order mark.
struct Text {
    bytes: Box<dyn BufRead>,
    decoder: Option<encoding_rs::Decoder>,
}

impl Text {
    fn new(bytes: Box<dyn Read>) -> Self {
        let mut bytes: Box<dyn BufRead> = Box::new(BufReader::with_capacity(PIECE, bytes));
        for _ in 0..GZIP_LAYERS {
            let mut head = Vec::new();
            let _ = (&mut bytes).take(2).read_to_end(&mut head);
            let is_gzip = head == [0x1f, 0x8b];
            let whole: Box<dyn BufRead> = Box::new(io::Cursor::new(head).chain(bytes));
            if !is_gzip {
                bytes = whole;
                break;
            }
            bytes = Box::new(BufReader::with_capacity(PIECE, MultiGzDecoder::new(whole)));
        }
        Self {
            bytes,
            decoder: None,
        }
    }

    /// Adds a piece to `text`; `false` if there is none. What cannot be read is the end: the library says why.
    fn read(&mut self, text: &mut String) -> bool {
        if self.decoder.is_none() {
            let mut head = Vec::new();
            let _ = (&mut self.bytes)
                .take(DECLARATION as u64)
                .read_to_end(&mut head);
            let (encoding, mark) = encoding(&head);
            let decoder = encoding.new_decoder_without_bom_handling();
            self.decoder = Some(decoder);
            return self.decode(head.get(mark..).unwrap_or_default(), text, head.is_empty());
        }
        let piece = match self.bytes.fill_buf() {
            Ok(piece) => piece.to_vec(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(_) => Vec::new(),
        };
        self.bytes.consume(piece.len());
        self.decode(&piece, text, piece.is_empty())
    }

    fn decode(&mut self, bytes: &[u8], text: &mut String, is_last: bool) -> bool {
        if let Some(decoder) = &mut self.decoder {
            let room = decoder.max_utf8_buffer_length(bytes.len());
            text.reserve(room.unwrap_or(bytes.len() * 3 + 16));
            let _ = decoder.decode_to_string(bytes, text, is_last);
        }
        !is_last
    }
}

/// The encoding, and how long its byte order mark is: a mark or the pattern of the bytes come first, then what the XML
/// declaration says.
fn encoding(head: &[u8]) -> (&'static Encoding, usize) {
    match *head {
        [0xEF, 0xBB, 0xBF, ..] => return (UTF_8, 3),
        [0xFF, 0xFE, ..] => return (UTF_16LE, 2),
        [0xFE, 0xFF, ..] => return (UTF_16BE, 2),
        [b'<', 0, ..] | [0x01..=0x7F, 0, 0x01..=0x7F, 0, ..] => return (UTF_16LE, 0),
        [0, b'<', ..] | [0, 0x01..=0x7F, 0, 0x01..=0x7F, ..] => return (UTF_16BE, 0),
        _ => {}
    }
    let declared = declared(head).and_then(Encoding::for_label);
    let is_possible = |encoding: &&Encoding| ![REPLACEMENT, UTF_16LE, UTF_16BE].contains(encoding);
    (declared.filter(is_possible).unwrap_or(UTF_8), 0)
}

fn declared(head: &[u8]) -> Option<&[u8]> {
    let find = |text: &[u8], what: &[u8]| text.windows(what.len()).position(|at| at == what);
    let declaration = head.get(find(head, b"<?xml")?..)?;
    let declaration = declaration.get(..find(declaration, b"?>")?)?;
    let name = b"encoding";
    let value = declaration.get(find(declaration, name)? + name.len()..)?;
    let value = value.trim_ascii_start().strip_prefix(b"=")?;
    let (quote, value) = value.trim_ascii_start().split_first()?;
    value.get(..value.iter().position(|byte| byte == quote)?)
}

/// An input that can be read only once, for two readers (*heads*): the library, and the excerpts. Either may be ahead;
/// what it has read is kept for the other.
pub(crate) struct Shared {
    input: Box<dyn Read>,
    /// What one head has read and the other has not.
    between: VecDeque<u8>,
    ahead: Head,
    /// What stopped the excerpts' head, until the library's comes there.
    failure: Option<io::Error>,
    is_lost: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Library,
    Excerpts,
}

/// The excerpts' head may be so many bytes behind. The library reads more than that in one step only where no entry is
/// for as long; then there are no excerpts any more.
const MOST_BETWEEN: usize = 16 << 20;

impl Shared {
    /// The library's head and that of the excerpts.
    pub(crate) fn heads(input: Box<dyn Read>) -> (Box<dyn Read>, Box<dyn Read>) {
        let shared = Rc::new(RefCell::new(Self {
            input,
            between: VecDeque::new(),
            ahead: Head::Library,
            failure: None,
            is_lost: false,
        }));
        let head = |head| {
            Box::new(SharedHead {
                shared: Rc::clone(&shared),
                head,
            })
        };
        (head(Head::Library), head(Head::Excerpts))
    }

    fn read(&mut self, head: Head, out: &mut [u8]) -> io::Result<usize> {
        if head == Head::Excerpts && self.is_lost {
            return Ok(0);
        }
        if head != self.ahead && !self.between.is_empty() {
            return self.between.read(out);
        }
        if let Some(failure) = self.failure.take() {
            match head {
                Head::Library => return Err(failure),
                Head::Excerpts => {
                    self.failure = Some(failure);
                    return Ok(0);
                }
            }
        }
        let read = match (self.input.read(out), head) {
            (Ok(read), _) => read,
            (Err(error), Head::Library) => return Err(error),
            (Err(error), Head::Excerpts) => {
                self.failure = Some(error);
                return Ok(0);
            }
        };
        self.ahead = head;
        if !self.is_lost {
            self.between.extend(out.get(..read).unwrap_or_default());
        }
        if head == Head::Library && self.between.len() > MOST_BETWEEN {
            self.is_lost = true;
            self.between = VecDeque::new();
        }
        Ok(read)
    }
}

struct SharedHead {
    shared: Rc<RefCell<Shared>>,
    head: Head,
}

impl Read for SharedHead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.shared.try_borrow_mut() {
            Ok(mut shared) => shared.read(self.head, out),
            Err(_) => Err(io::ErrorKind::ResourceBusy.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;
    use quick_sitemap::{Issue, ReaderBuilder};

    use super::*;

    /// All issues of the document, each with what is marked and where the line was cut.
    fn marked(bytes: &[u8]) -> Vec<(String, Excerpt)> {
        let mut reader = ReaderBuilder::new().build(bytes);
        let mut issues: Vec<Issue> = Vec::new();
        while reader.next().is_some() {
            issues.extend_from_slice(reader.issues());
        }
        issues.extend_from_slice(reader.issues());
        let mut source = Source::new(Box::new(io::Cursor::new(bytes.to_vec())));
        issues
            .iter()
            .map(|issue| {
                let span = issue.span();
                let excerpt = source.excerpt(issue.position, span.end - span.start);
                (issue.rule().to_string(), excerpt.unwrap())
            })
            .collect()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    const TEXT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\r\n\
        <url><loc>https://example.com/é</loc><!-- 日本語 --><priority>1.5</priority></url>\r\
        <url><lastmod>yesterday</lastmod></url>\n</urlset>";

    fn check(found: &[(String, Excerpt)]) {
        let rules: Vec<_> = found
            .iter()
            .map(|(rule, excerpt)| (rule.as_str(), excerpt.marked.as_str()))
            .collect();
        assert_eq!(
            rules,
            [
                ("url-not-escaped", "https://example.com/é"),
                ("invalid-priority", "1.5"),
                ("missing-loc", "<url"),
                ("invalid-datetime", "yesterday"),
            ]
        );
        let (_, priority) = &found[1];
        assert_eq!(priority.behind, "</priority></url>");
        assert!(priority.before.ends_with("日本語 --><priority>"));
        assert!(!priority.is_cut_before && !priority.is_cut_behind);
    }

    #[test]
    fn places_are_found_again() {
        check(&marked(TEXT.as_bytes()));
        check(&marked(&gzipped(TEXT.as_bytes())));
        check(&marked(&gzipped(&gzipped(TEXT.as_bytes()))));
        check(&marked(format!("\u{feff}{TEXT}").as_bytes()));
        let utf_16: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(&marked(&utf_16));
        let utf_16 = std::iter::once(0xFEFF).chain(TEXT.encode_utf16());
        let utf_16: Vec<u8> = utf_16.flat_map(u16::to_le_bytes).collect();
        check(&marked(&gzipped(&utf_16)));
    }

    #[test]
    fn a_declared_encoding_holds() {
        let declaration = "<?xml version=\"1.0\" encoding='latin1'?>";
        let text = format!("{declaration}{}", TEXT.replace("日本語", "ü"));
        let latin: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
        let found = marked(&latin);
        assert_eq!(found[0].1.marked, "https://example.com/é");
    }

    #[test]
    fn a_giant_line_is_cut() {
        let filler = "x".repeat(3 << 20);
        let text = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!--{filler}--><url><loc>/a</loc></url><!--{filler}-->\
            <url><loc>/b</loc></url><!--{filler}--></urlset>"
        );
        for bytes in [text.as_bytes().to_vec(), gzipped(text.as_bytes())] {
            let found = marked(&bytes);
            assert_eq!(found.len(), 2);
            for ((_, excerpt), marked) in found.iter().zip(["/a", "/b"]) {
                assert_eq!(excerpt.marked, marked);
                assert!(excerpt.is_cut_before && excerpt.is_cut_behind);
                assert!(excerpt.before.len() <= 2 * AROUND && excerpt.behind.len() <= 3 * PIECE);
            }
        }
    }

    #[test]
    fn what_was_passed_is_not_at_hand() {
        let mut reader = ReaderBuilder::new().build(TEXT.as_bytes());
        let mut places = Vec::new();
        while reader.next().is_some() {
            places.extend(reader.issues().iter().map(|issue| issue.position));
        }
        let long = format!("{TEXT}{}", " ".repeat(100_000));
        let mut source = Source::new(Box::new(io::Cursor::new(long)));
        source.follow(90_000);
        assert_eq!(source.excerpt(places[0], 3), None);
        // Nor is another text taken for it.
        let mut other = Source::new(Box::new(io::Cursor::new("\n".repeat(500))));
        assert_eq!(other.excerpt(places[0], 3), None);
    }

    #[test]
    fn two_heads_read_the_same() {
        let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let (mut library, mut excerpts) = Shared::heads(Box::new(io::Cursor::new(bytes.clone())));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for turn in 1..=100 {
            let (ahead, behind): (&mut dyn Read, &mut dyn Read) = match turn % 3 {
                0 => (&mut *excerpts, &mut *library),
                _ => (&mut *library, &mut *excerpts),
            };
            let (of_ahead, of_behind) = match turn % 3 {
                0 => (&mut second, &mut first),
                _ => (&mut first, &mut second),
            };
            ahead.take(turn * 97).read_to_end(of_ahead).unwrap();
            behind.take(turn * 31).read_to_end(of_behind).unwrap();
        }
        library.read_to_end(&mut first).unwrap();
        excerpts.read_to_end(&mut second).unwrap();
        assert!(first == bytes && second == bytes);
    }
}
