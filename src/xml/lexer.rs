//! Finds where tags, texts, comments and other markup end.

use memchr::{memchr, memchr2, memchr3};
use quick_xml::parser::{ElementParser, Parser};

pub(crate) use crate::text::search::is_name_byte;
use crate::text::search::{begin_alike, find};
use crate::text::span::{Span, TakePart};
use crate::xml::construct::{Construct, DECLARATION, Opened, until};

/// A piece of markup, or the text before it. Offsets count from the start of the text that is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Everything up to the next `<`.
    Text,
    Start(Tag),
    /// An end tag, by its name. White space may follow the name.
    End(Span),
    /// A CDATA section, by its content.
    CData(Span),
    /// A comment, a processing instruction or an XML declaration.
    Ignored,
    /// An XML declaration that ends at a `>` without its `?`, or before the next `<`.
    Unclosed,
    /// A `<` that begins no markup, with the rest of its line up to the next markup.
    Stray,
    /// Broken markup: a tag with a `<` in it, a tag without a valid name, a document type, or an unknown `<!`. The next
    /// markup cannot begin before its end.
    Malformed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: Span,
    /// The start of the local part of the name.
    pub(crate) local: usize,
    /// The text between the name and `>` or `/>`.
    pub(crate) attributes: Span,
    pub(crate) empty: bool,
}

impl Tag {
    /// The prefix of its name (empty if it has none) and the local part.
    pub(crate) fn split_name<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        let (start, end) = (self.name.start(), self.name.end());
        let prefix = if self.local == start {
            ""
        } else {
            Span::new(start, self.local - 1).of(text)
        };
        (prefix, Span::new(self.local, end).of(text))
    }
}

impl TokenKind {
    const fn ending_at(self, end: usize) -> Token {
        Token { kind: self, end }
    }
}

/// Returns the token at `at`, or `None` if the text ends inside it.
///
/// A tag must end before the next `<`. So a quote that is not closed cannot hide the entries after it, and the token does
/// not depend on where the text was cut.
// Inlined, because moving a token takes as long as finding it.
#[inline(always)]
pub(crate) fn token(text: &str, at: usize) -> Option<Token> {
    let bytes = text.as_bytes();
    match (bytes.get(at)?, bytes.get(at + 1)) {
        (b'<', None) => None,
        (b'<', Some(b'!' | b'?')) => ignored(bytes, at),
        (b'<', Some(b'/')) => end_tag(bytes, at),
        (b'<', Some(_)) => start_tag(bytes, at),
        _ => {
            let len = memchr(b'<', bytes.get(at + 1..)?)?;
            Some(TokenKind::Text.ending_at(at + 1 + len))
        }
    }
}

/// Returns the end of the end tag at `at` if the tag is exactly `</`, the name and `>`. `name` is the span of the name
/// in the start tag; an empty one matches nothing.
#[inline(always)]
pub(crate) fn end_tag_of(text: &str, name: Span, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let behind = bytes.get(at..)?.strip_prefix(b"</")?;
    let len = name.len();
    if behind.get(len) != Some(&b'>') || len == 0 {
        return None;
    }
    begin_alike(behind, bytes.get(name.start()..)?, len).then_some(at + 2 + len + 1)
}

/// The search for the end of a tag or a declaration that arrives in pieces. Every byte is looked at once, so many small
/// pushes take no more time than one large one.
#[derive(Debug, Default)]
pub(crate) struct TagSearch {
    /// The place of the tag.
    start: u64,
    /// The tag does not end before this offset in it.
    searched: usize,
    /// Whether the text up to there ends in quotes.
    quotes: ElementParser,
}

impl TagSearch {
    /// Returns the token at `at`, or `None` if it is not complete. `offset` is the place of the text.
    pub(crate) fn token(&mut self, text: &str, at: usize, offset: u64) -> Option<Token> {
        let (start, bytes) = (offset + at as u64, text.as_bytes().get(at..)?);
        if self.start != start {
            *self = Self {
                start,
                ..Self::default()
            };
        }
        let from = self.searched.max(1);
        let found = match bytes.get(1) {
            Some(b'!') => return token(text, at),
            Some(b'/' | b'?') => memchr2(b'<', b'>', bytes.get(from..)?).map(|len| from + len),
            _ => tag_end(bytes, from, &mut self.quotes),
        };
        self.searched = found.unwrap_or(bytes.len());
        found.and_then(|_| token(text, at))
    }
}

/// Returns the first `>` from `from` on that is not in quotes, or a `<` before it. `quotes` has been fed with the part of the
/// tag before `from`.
fn tag_end(bytes: &[u8], from: usize, quotes: &mut ElementParser) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let next = memchr(b'<', rest);
    let end = quotes.feed(rest.get(..next.unwrap_or(rest.len()))?);
    end.or(next).map(|len| from + len)
}

/// Reads a comment, a CDATA section, an instruction or another `<!`.
#[inline(never)]
fn ignored(bytes: &[u8], at: usize) -> Option<Token> {
    let rest = bytes.get(at..)?;
    let (construct, opener) = match Construct::opened(rest) {
        Opened::Construct(Construct::Doctype(_), _) => {
            return Some(TokenKind::Malformed.ending_at(at + 1));
        }
        Opened::Construct(construct, opener) => (construct, opener),
        Opened::Cut => return None,
        Opened::Other => return Some(TokenKind::Malformed.ending_at(at + 2)),
    };
    if is_declaration(rest) {
        let end = at + 1 + memchr2(b'<', b'>', rest.get(1..)?)?;
        let is_closed = bytes.get(..=end)?.ends_with(b"?>");
        let end = end + usize::from(bytes.get(end) == Some(&b'>'));
        let kind = if is_closed {
            TokenKind::Ignored
        } else {
            TokenKind::Unclosed
        };
        return Some(kind.ending_at(end));
    }
    let (start, mark) = (at + opener.len(), construct.end());
    let (len, is_over) = until(bytes.get(start..)?, mark.as_bytes());
    let end = start + len;
    is_over.then(|| match construct {
        Construct::CData => TokenKind::CData(Span::new(start, end - mark.len())).ending_at(end),
        _ => TokenKind::Ignored.ending_at(end),
    })
}

/// Returns the end of the name at `from`, which is `from` if there is no name, or `None` if the text ends inside the
/// name.
#[inline(always)]
fn name_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let len = name_len(rest);
    (len < rest.len()).then_some(from + len)
}

#[inline(always)]
fn end_tag(bytes: &[u8], at: usize) -> Option<Token> {
    let start = at + 2;
    let name_end = name_end(bytes, start)?;
    let end = match bytes.get(name_end)? {
        b'>' => name_end,
        _ => name_end + memchr2(b'<', b'>', bytes.get(name_end..)?)?,
    };
    let is_closed = bytes.get(end) == Some(&b'>');
    let is_blank = bytes.get(name_end..end)?.iter().copied().all(is_space);
    let (name, end) = (Span::new(start, name_end), end + usize::from(is_closed));
    Some(if is_closed && is_blank && !name.is_empty() {
        TokenKind::End(name).ending_at(end)
    } else {
        TokenKind::Malformed.ending_at(end)
    })
}

#[inline(always)]
fn start_tag(bytes: &[u8], at: usize) -> Option<Token> {
    let start = at + 1;
    let name_end = name_end(bytes, start)?;
    if name_end == start && is_no_markup(*bytes.get(start)?) {
        let (end, is_known) = end_of_stray_line(bytes, start);
        return is_known.then_some(TokenKind::Stray.ending_at(end));
    }
    let close = match bytes.get(name_end)? {
        // Without attributes, as nearly always.
        b'>' => name_end,
        _ => tag_end(bytes, name_end, &mut ElementParser::default())?,
    };
    if bytes.get(close) == Some(&b'<') {
        return Some(TokenKind::Malformed.ending_at(close));
    }
    let empty = close > name_end && bytes.get(close - 1) == Some(&b'/');
    let attributes = Span::new(name_end, close - usize::from(empty));
    let is_apart = attributes.is_empty() || is_space(*bytes.get(name_end)?);
    if name_end == start || !is_apart {
        return Some(TokenKind::Malformed.ending_at(close + 1));
    }
    let tag = Tag {
        name: Span::new(start, name_end),
        local: bytes
            .part(start..name_end)
            .iter()
            .position(|b| *b == b':')
            .map_or(start, |colon| start + colon + 1),
        attributes,
        empty,
    };
    Some(TokenKind::Start(tag).ending_at(close + 1))
}

/// Returns `true` if XML treats the byte as white space.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns `true` if a `<` before this byte is text, as in `a < b`, `<=` and the lines that version control leaves in a
/// conflict.
pub(crate) fn is_no_markup(behind: u8) -> bool {
    matches!(behind, b'<' | b'=' | b'>') || is_space(behind)
}

/// Returns the end of a line with a `<` that begins no markup, which is the line end or the next markup, and whether it is
/// known. If it is not, the search continues at the returned place when there is more text.
pub(crate) fn end_of_stray_line(bytes: &[u8], from: usize) -> (usize, bool) {
    let mut from = from;
    while let Some(len) = memchr3(b'<', b'\n', b'\r', bytes.part(from..)) {
        let end = from + len;
        match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'<'), None) => return (end, false),
            (Some(b'<'), Some(behind)) if is_no_markup(*behind) => from = end + 1,
            _ => return (end, true),
        }
    }
    (bytes.len(), false)
}

/// Returns `true` if the text begins with an XML declaration.
pub(crate) fn is_declaration(bytes: &[u8]) -> bool {
    let behind = bytes.strip_prefix(DECLARATION.as_bytes());
    behind.is_some_and(|rest| rest.first().is_some_and(|byte| is_space(*byte)))
}

/// Returns the length of the name at the start, or 0 if there is none.
#[inline(always)]
pub(crate) fn name_len(bytes: &[u8]) -> usize {
    // These cannot begin a name.
    if let [b'-' | b'.' | b'0'..=b'9', ..] = bytes {
        return 0;
    }
    find(bytes, |b| !is_name_byte(b)).unwrap_or(bytes.len())
}

/// Returns the characters of a name from `at` on.
pub(crate) fn name_at(text: &str, at: usize) -> &str {
    let rest = text.part(at..);
    let len = rest.bytes().take_while(|b| is_name_byte(*b)).count();
    rest.part(..len)
}

/// The prefix of a name (empty if it has none) and the local part.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    // Byte by byte is the fastest way for short names.
    let colon = name.bytes().position(|b| b == b':');
    let parts = colon.and_then(|at| Some((name.get(..at)?, name.get(at + 1..)?)));
    parts.unwrap_or(("", name))
}

pub(crate) fn local_part(name: &str) -> &str {
    split_name(name).1
}

/// Returns a hash of a name that ignores case. It uses the length and the last eight bytes, because names with the same
/// prefix differ at their end.
pub(crate) fn name_key(name: &str) -> u64 {
    /// The bit that lower-case letters have and capitals do not, in each byte.
    const SMALL: u64 = u64::from_ne_bytes([0x20; 8]);
    let bytes = name.as_bytes();
    let end = match bytes.last_chunk() {
        Some(end) => u64::from_le_bytes(*end),
        None => bytes
            .iter()
            .fold(0, |end, byte| (end << 8) | u64::from(*byte)),
    };
    (end | SMALL) ^ (bytes.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a text that is pushed `step` bytes at a time.
    fn tokens(text: &str, step: usize) -> Vec<Token> {
        let (mut at, mut tokens) = (0, vec![]);
        for end in (0..=text.len()).step_by(step).chain([text.len()]) {
            while let Some(token) = token(&text[..end], at) {
                tokens.push(token);
                at = token.end;
            }
        }
        tokens
    }

    #[test]
    fn tokens_do_not_depend_on_the_pushes() {
        for text in [
            "<a b='>' c=\">\">text</a ><!-- <x> - -- --><![CDATA[]]]]><?p ?? ?><e/>",
            "<a b='<c><d e=\"x'>\"><<f></><!x><1>< a></b c>",
            "text & more < text <a",
            "<!--><!---><!----><a>",
            "<?xml a?><?xml a><?xml\ta='?'<?xml?><?xmlb >?><?a <b>?>",
            "<<<<<<< HEAD\n< a <= b < <c>< \r<><d></d>",
            "<name:of-an.element a='1'/></name:of-an.element ></name:of-an.element\n <name/ a><-></></>",
        ] {
            let whole = tokens(text, text.len());
            for step in 1..8 {
                assert_eq!(tokens(text, step), whole, "{text} in steps of {step}");
            }
        }
    }

    #[test]
    fn a_tag_is_found_when_its_end_has_arrived() {
        for (text, len) in [
            ("<a>", 3),
            ("<a b='>' c=\">\">", 15),
            ("<a b='>' c=\"<", 13),
            ("</a b='>", 8),
            ("</a b='<", 8),
            ("<?xml a='>", 10),
            ("<?xml a='<", 10),
            ("<é='>'>", 8),
        ] {
            for step in 1..6 {
                let mut search = TagSearch::default();
                // The search for another tag is forgotten.
                assert_eq!(search.token("<a b='", 0, 1), None);
                for end in (step..len).step_by(step) {
                    if text.is_char_boundary(end) {
                        assert_eq!(search.token(&text[..end], 0, 2), None, "{text} at {end}");
                    }
                }
                let longer = format!("{text}<b>");
                assert_eq!(search.token(&longer, 0, 2), token(&longer, 0), "{text}");
                assert!(token(&longer, 0).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn names_have_a_key_whatever_their_case() {
        let names = [
            "a",
            "b",
            "ab",
            "ba",
            "url",
            "lru",
            "image:image",
            "imag2:image",
            "jmage:image1",
        ];
        for (n, name) in names.iter().enumerate() {
            assert_eq!(name_key(name), name_key(&name.to_uppercase()));
            let others = names.iter().skip(n + 1);
            assert!(
                others
                    .into_iter()
                    .all(|other| name_key(name) != name_key(other)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_tag_ends_before_the_next_one() {
        let kinds = |text| tokens(text, 100);
        assert_eq!(kinds("<a b='<c>")[0], TokenKind::Malformed.ending_at(6));
        assert_eq!(kinds("2005<</lastmod>")[1], TokenKind::Stray.ending_at(5));
        let tag = kinds("<a b='>'>")[0];
        assert!(matches!(tag.kind, TokenKind::Start(_)) && tag.end == 9);
        let name = Span::new(2, 3);
        assert_eq!(kinds("</a\n>")[0], TokenKind::End(name).ending_at(5));
        let tag = kinds("<a/>")[0].kind;
        assert!(matches!(tag, TokenKind::Start(Tag { empty: true, .. })));
    }
}
