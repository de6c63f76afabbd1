//! Detects from the first bytes of a document whether it is text, and in which encoding.

use super::charset::Charset;
use super::encoding::{Encoding, MALFORMED, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, is_supported};
use super::magic::{Kind, kind, may_have_kind};
use super::scanner::DeclarationSearch;
use crate::error::ErrorKind;
use crate::text::span::{Span, TakePart};

/// Number of bytes in which the XML declaration is searched.
pub(super) const WINDOW: usize = 1024;

/// Number of bytes whose pattern identifies UTF-16.
const PATTERN: usize = 4;

/// The encoding that was detected from the first bytes of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Sniffed {
    pub(super) encoding: &'static Encoding,
    /// The length of the byte order mark.
    pub(super) mark: usize,
    /// The declared label, if it is ignored.
    pub(super) conflict: Option<String>,
}

/// Detects the encoding from the first bytes of a document, as soon as they determine it.
pub(super) struct Sniffer {
    /// The encoding of a document that does not name one, and its label.
    default: (&'static Encoding, String),
    /// The first bytes, at most [`WINDOW`] of them.
    pub(super) head: Vec<u8>,
    /// Set when it is clear that this is text.
    text: Option<HeadText>,
}

/// The first bytes as text, in which the declaration is looked for.
struct HeadText {
    /// The encoding that a mark or the pattern of the bytes proves.
    sure: Option<&'static Encoding>,
    mark: usize,
    /// Decodes the first bytes as they would be without a declaration.
    charset: Charset,
    text: String,
    /// Number of bytes that have been decoded.
    used: usize,
    declaration: DeclarationSearch,
}

impl HeadText {
    fn new(bytes: &[u8], default: &'static Encoding) -> Self {
        let (sure, mark) = by_bytes(bytes);
        // A declaration can be read even if this build cannot decode the encoding.
        let default = if is_supported(default) {
            default
        } else {
            UTF_8
        };
        Self {
            sure,
            mark,
            charset: Charset::new(sure.unwrap_or(default)),
            text: String::new(),
            used: mark,
            declaration: DeclarationSearch::default(),
        }
    }

    /// The label in the XML declaration. The outer `None`: not known yet.
    fn label(&mut self, bytes: &[u8], complete: bool) -> Option<Option<String>> {
        self.charset
            .decode(bytes.part(self.used..), false, &mut self.text);
        self.used = bytes.len();
        let declaration = self.declaration.look(&self.text, complete)?;
        Some(declaration.and_then(|declaration| label(declaration, &self.text)))
    }
}

impl Sniffer {
    /// `default`: the label of the encoding of documents that do not name one, if that encoding needs no mark.
    pub(super) fn new(default: Option<&str>) -> Self {
        let label = default.map(|label| label.trim().trim_matches(['"', '\'']));
        let known = label.and_then(|label| Some((by_label(label, None)?, label.to_owned())));
        Self {
            default: known.unwrap_or((UTF_8, String::new())),
            head: Vec::new(),
            text: None,
        }
    }

    pub(super) fn reset(&mut self) {
        self.head.clear();
        self.text = None;
    }

    /// `complete`: there are no more bytes. Returns `None` while more bytes could change the result, and an error for
    /// bytes that are no text, or text in an encoding that this build does not read.
    pub(super) fn sniff(&mut self, complete: bool) -> Option<Result<Sniffed, ErrorKind>> {
        let complete = complete || self.head.len() >= WINDOW;
        if self.text.is_none() {
            if let Some(Kind::Other(hint)) = kind(&self.head) {
                return Some(Err(ErrorKind::NotASitemap(hint)));
            }
            if !complete && (self.head.len() < PATTERN || may_have_kind(&self.head)) {
                return None;
            }
        }
        let (default, default_label) = &self.default;
        let text = (self.text).get_or_insert_with(|| HeadText::new(&self.head, default));
        let (sure, mark) = (text.sure, text.mark);
        let label = text.label(&self.head, complete)?;
        let declared = label.as_deref().and_then(|label| by_label(label, sure));
        let encoding = sure.or(declared).unwrap_or(default);
        if !is_supported(encoding) {
            let declared = label.map(|label| label.trim().replace(MALFORMED, "\u{FFFD}"));
            let name = declared.unwrap_or_else(|| match sure {
                Some(sure) => sure.name().to_owned(),
                None => default_label.clone(),
            });
            return Some(Err(ErrorKind::UnsupportedEncoding(name)));
        }
        let ignored = label.filter(|_| declared.is_none());
        let conflict = ignored.map(|label| label.replace(MALFORMED, "\u{FFFD}"));
        Some(Ok(Sniffed {
            encoding,
            mark,
            conflict,
        }))
    }
}

/// The encoding that a mark or the pattern of the bytes proves, and the mark's length.
fn by_bytes(head: &[u8]) -> (Option<&'static Encoding>, usize) {
    match *head {
        [0xEF, 0xBB, 0xBF, ..] => (Some(UTF_8), 3),
        [0xFF, 0xFE, ..] => (Some(UTF_16LE), 2),
        [0xFE, 0xFF, ..] => (Some(UTF_16BE), 2),
        [b'<', 0, ..] | [0x01..=0x7F, 0, 0x01..=0x7F, 0, ..] => (Some(UTF_16LE), 0),
        [0, b'<', ..] | [0, 0x01..=0x7F, 0, 0x01..=0x7F, ..] => (Some(UTF_16BE), 0),
        _ => (None, 0),
    }
}

/// Returns the encoding with this label. `sure` is the encoding that the bytes of the document prove, if any. Returns `None`
/// if the label is unknown or contradicts the bytes.
fn by_label(label: &str, sure: Option<&'static Encoding>) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label.as_bytes())?;
    let is_true = match sure {
        // The pattern of the bytes would show UTF-16.
        None => ![REPLACEMENT, UTF_16LE, UTF_16BE].contains(&encoding),
        // `utf-16` and its aliases name no byte order, although encoding_rs reads them as little-endian.
        Some(sure) if sure == UTF_16BE && encoding == UTF_16LE => !["utf-16le", "unicodefeff"]
            .iter()
            .any(|little| label.trim_ascii().eq_ignore_ascii_case(little)),
        Some(sure) => encoding == sure,
    };
    is_true.then_some(encoding)
}

/// The value of `encoding` in an XML declaration.
fn label(declaration: Span, text: &str) -> Option<String> {
    let declaration = declaration.of(text);
    let mut places = declaration.match_indices("encoding");
    places.find_map(|(at, name)| {
        let (before, after) = (declaration.part(..at), declaration.part(at + name.len()..));
        let is_apart = before.ends_with([' ', '\t', '\r', '\n', '"', '\'']);
        quoted_value(after).filter(|_| is_apart).map(str::to_owned)
    })
}

/// The text in quotes after `=`.
fn quoted_value(text: &str) -> Option<&str> {
    let after = text.trim_ascii_start().strip_prefix('=')?;
    let after = after.trim_ascii_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    after.part(1..).split_once(quote).map(|(value, _)| value)
}
