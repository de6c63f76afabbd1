//! Detects from the first bytes of a document whether it is text, and in which encoding.

use super::charset::Charset;
use super::encoding::{Encoding, MALFORMED, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};
use super::magic::{ByteOrderMark, byte_order_mark, may_become_other, other};
use crate::error::LooksLike;
use crate::prolog::{Landmark, PrologScanner};
use crate::text::span::TakePart;

/// Number of bytes in which the XML declaration is searched.
pub(super) const WINDOW: usize = 1024;

/// Number of bytes whose pattern identifies UTF-16.
const PATTERN: usize = 4;

/// The result for the first bytes.
#[derive(Debug, PartialEq)]
pub(super) enum Sniffed {
    Text {
        encoding: &'static Encoding,
        /// The length of the byte order mark.
        mark: usize,
        /// The label that was declared in vain.
        conflict: Option<Conflict>,
    },
    /// Text in an encoding that this build does not read.
    Unsupported(String),
    /// No text at all; what it is instead.
    Other(LooksLike),
}

/// A declared encoding that is ignored.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub(super) label: String,
    /// An XML parser rejects the document for it.
    pub(super) breaks_xml: bool,
}

/// Landmarks that show that no XML declaration will come. The functions of the parser judge them.
#[derive(Clone, Copy)]
pub(crate) struct Landmarks {
    /// Returns `true` if a document can begin with an element of this name.
    pub(crate) is_root: fn(&str) -> bool,
    /// Returns `true` if a document with this as its first line is a text sitemap.
    pub(crate) is_url_line: fn(&str) -> bool,
}

/// Detects the encoding from the first bytes of a document, as soon as they determine it.
pub(super) struct Sniffer {
    landmarks: Landmarks,
    /// The encoding of a document that does not say otherwise, and its label.
    default: (&'static Encoding, String),
    /// The first bytes, at most [`WINDOW`] of them.
    head: Vec<u8>,
    /// Set when it is clear that this is text.
    text: Option<HeadText>,
    scanner: PrologScanner,
}

/// The head as text, in which the declaration is looked for.
struct HeadText {
    /// The encoding that a mark or the pattern of the bytes leaves no doubt of.
    sure: Option<&'static Encoding>,
    mark: usize,
    /// UTF-16 decoded so far: the decoder, its output, and how much of the head it has read. In all other encodings, a
    /// declaration is ASCII.
    utf_16: Option<(Charset, String, usize)>,
}

impl HeadText {
    fn new(head: &[u8]) -> Self {
        let (sure, mark) = by_bytes(head);
        let utf_16 = sure
            .filter(|sure| *sure != UTF_8)
            .map(|sure| (Charset::new(sure), String::new(), mark));
        Self { sure, mark, utf_16 }
    }

    fn bytes<'a>(&'a mut self, head: &'a [u8]) -> &'a [u8] {
        match &mut self.utf_16 {
            Some((charset, text, used)) => {
                charset.decode(head.part(*used..), text);
                *used = head.len();
                text.as_bytes()
            }
            None => head.part(self.mark..),
        }
    }
}

impl Sniffer {
    pub(super) fn new(landmarks: Landmarks) -> Self {
        Self {
            landmarks,
            default: (UTF_8, String::new()),
            head: Vec::new(),
            text: None,
            scanner: PrologScanner::default(),
        }
    }

    /// Sets the encoding of documents that do not name one, if the label is that of an encoding that needs no mark.
    pub(super) fn set_default(&mut self, label: &str) {
        let label = label.trim().trim_matches(['"', '\'']);
        if let Some(encoding) = without_mark(label.as_bytes()) {
            self.default = (encoding, label.to_owned());
        }
    }

    pub(super) fn reset(&mut self) {
        self.head.clear();
        self.text = None;
        self.scanner = PrologScanner::default();
    }

    /// The bytes so far.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Number of bytes that may be added.
    pub(super) fn room(&self) -> usize {
        WINDOW.saturating_sub(self.head.len())
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.head.extend_from_slice(bytes);
    }

    /// `complete`: there are no more bytes. Returns `None` while more bytes could change the result.
    pub(super) fn sniff(&mut self, complete: bool) -> Option<Sniffed> {
        let complete = complete || self.head.len() >= WINDOW;
        if self.text.is_none() {
            if let Some(hint) = other(&self.head) {
                return Some(Sniffed::Other(hint));
            }
            if !complete && (self.head.len() < PATTERN || may_become_other(&self.head)) {
                return None;
            }
        }
        let head = &self.head;
        let text = self.text.get_or_insert_with(|| HeadText::new(head));
        let (sure, mark) = (text.sure, text.mark);
        let label = declared(
            &mut self.scanner,
            text.bytes(head),
            complete,
            self.landmarks,
        )?;
        let (default, default_label) = &self.default;
        let (encoding, conflict) = match &label {
            None => (sure.unwrap_or(default), None),
            Some(label) => judge(sure, label, default),
        };
        if !is_supported(encoding) {
            let declared = label.map(|label| String::from_utf8_lossy(&label).trim().to_owned());
            let name = declared.unwrap_or_else(|| match sure {
                Some(sure) => sure.name().to_owned(),
                None => default_label.clone(),
            });
            return Some(Sniffed::Unsupported(name));
        }
        Some(Sniffed::Text {
            encoding,
            mark,
            conflict,
        })
    }
}

/// The encoding that a mark or the pattern of the bytes leaves no doubt of, and the mark's length.
fn by_bytes(head: &[u8]) -> (Option<&'static Encoding>, usize) {
    if let Some((mark, len)) = byte_order_mark(head) {
        let encoding = match mark {
            ByteOrderMark::Utf8 => UTF_8,
            ByteOrderMark::Utf16Le => UTF_16LE,
            ByteOrderMark::Utf16Be => UTF_16BE,
        };
        return (Some(encoding), len);
    }
    match *head {
        [b'<', 0, ..] | [0x01..=0x7F, 0, 0x01..=0x7F, 0, ..] => (Some(UTF_16LE), 0),
        [0, b'<', ..] | [0, 0x01..=0x7F, 0, 0x01..=0x7F, ..] => (Some(UTF_16BE), 0),
        _ => (None, 0),
    }
}

/// The encoding of a label in a document without a mark. UTF-16 is excluded, because the pattern of the bytes would
/// show it.
fn without_mark(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label);
    encoding.filter(|encoding| ![REPLACEMENT, UTF_16LE, UTF_16BE].contains(encoding))
}

/// Returns the encoding to use if `label` is declared, and the label if it is ignored.
fn judge(
    sure: Option<&'static Encoding>,
    label: &[u8],
    default: &'static Encoding,
) -> (&'static Encoding, Option<Conflict>) {
    let spelt = label.trim_ascii();
    let declared = match sure {
        None => without_mark(label),
        Some(sure) => Encoding::for_label(label).filter(|declared| {
            // `utf-16` and its aliases name no byte order, although encoding_rs reads them as little-endian.
            let names_no_order = sure == UTF_16BE
                && *declared == UTF_16LE
                && !spelt.eq_ignore_ascii_case(b"utf-16le")
                && !spelt.eq_ignore_ascii_case(b"unicodefeff");
            *declared == sure || names_no_order
        }),
    };
    let conflict = || Conflict {
        label: String::from_utf8_lossy(label).replace(MALFORMED, "\u{FFFD}"),
        breaks_xml: breaks_xml(sure, label),
    };
    let conflict = declared.is_none().then(conflict);
    (sure.or(declared).unwrap_or(default), conflict)
}

/// Returns `true` if XML parsers reject a document with a declaration that is ignored. They support more names of an
/// encoding, and trust a mark more than a declaration unless that contradicts the width of the characters.
fn breaks_xml(sure: Option<&'static Encoding>, label: &[u8]) -> bool {
    let plain: Vec<u8> = label
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let is_wide = |encoding: &Encoding| *encoding == *UTF_16LE || *encoding == *UTF_16BE;
    let known = Encoding::for_label(label).or_else(|| Encoding::for_label(&plain));
    match (sure, known) {
        (Some(sure), Some(known)) if is_wide(sure) => known != UTF_8,
        (_, Some(known)) => is_wide(known) || known == REPLACEMENT,
        (_, None) => {
            let is_code_page = [&b"cp"[..], b"ibm"].iter().any(|stem| {
                let number = plain.strip_prefix(*stem);
                number.is_some_and(|number| {
                    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
                })
            });
            !is_code_page
                && !plain.strip_prefix(b"utf").is_some_and(|rest| {
                    rest.ends_with(b"8") && rest.iter().rev().skip(1).all(|b| *b == b'0')
                })
        }
    }
}

/// The value of `encoding` in the XML declaration. The outer `None`: not known yet.
fn declared(
    scanner: &mut PrologScanner,
    text: &[u8],
    complete: bool,
    landmarks: Landmarks,
) -> Option<Option<Vec<u8>>> {
    let spelt = |start, end| String::from_utf8_lossy(text.part(start..end));
    while let Some(landmark) = scanner.next(text, complete) {
        let is_last = match landmark {
            Landmark::Declaration { start, end, .. } => {
                let inside = text.part(start..end);
                return Some(label(inside).map(<[u8]>::to_vec));
            }
            Landmark::Element { start, name_end } => {
                (landmarks.is_root)(&spelt(start + 1, name_end))
            }
            Landmark::Line { start, end } => (landmarks.is_url_line)(&spelt(start, end)),
        };
        if is_last {
            return Some(None);
        }
    }
    complete.then_some(None)
}

fn label(inside: &[u8]) -> Option<&[u8]> {
    let mut rest = inside;
    loop {
        let (before, after) = rest.split_first()?;
        rest = after;
        if is_space(before) || matches!(before, b'"' | b'\'') {
            let value = after.strip_prefix(b"encoding").and_then(quoted_value);
            if value.is_some() {
                return value;
            }
        }
    }
}

/// The text in quotes after `=`.
fn quoted_value(text: &[u8]) -> Option<&[u8]> {
    let after = text.trim_ascii_start().strip_prefix(b"=")?;
    let (quote, value) = after.trim_ascii_start().split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = value.iter().position(|byte| byte == quote)?;
    value.get(..end)
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
