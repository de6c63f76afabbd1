//! Finds where tags, texts, comments and other markup end. If the text ends inside one, the lexer waits for more.

use memchr::{memchr, memchr2, memchr3};
use quick_xml::parser::{ElementParser, Parser};

pub(crate) use crate::text::search::is_name_byte;
use crate::text::search::{begin_alike, find_between};
use crate::text::span::{Span, TakePart};
use crate::xml::construct::{Construct, DECLARATION, Opened, until};

/// A piece of markup, or the text before it. Offsets count from the start of the text that is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// Everything up to the next `<`.
    Text {
        end: usize,
    },
    Start(Tag),
    /// An end tag. White space may follow its name.
    End {
        name: Span,
        end: usize,
    },
    Comment {
        end: usize,
    },
    /// A CDATA section; `text` is its content.
    CData {
        text: Span,
        end: usize,
    },
    /// A processing instruction or the XML declaration. Both must end with `?>`; `is_closed` is `false` for a declaration
    /// that ends at another `>` or before the next `<`.
    Pi {
        end: usize,
        is_closed: bool,
    },
    /// A `<` that begins no markup, with the rest of its line up to the next markup.
    Stray {
        end: usize,
    },
    /// A `<!DOCTYPE`; its content begins at `inside`. The lexer does not look for its end.
    Doctype {
        inside: usize,
    },
    /// Broken markup: a tag with a `<` in it, a tag without a valid name, or an unknown `<!`. The next markup cannot begin
    /// before `end`.
    Malformed {
        end: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: Span,
    /// The start of the local part of the name.
    pub(crate) local: usize,
    /// The text between the name and `>` or `/>`.
    pub(crate) attributes: Span,
    pub(crate) empty: bool,
    pub(crate) end: usize,
}

impl Tag {
    /// The prefix of its name (empty if it has none) and the local part.
    #[inline(always)]
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

impl Token {
    /// The end of the token; 0 for a document type, whose end is not known.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        match *self {
            Self::Text { end }
            | Self::End { end, .. }
            | Self::Comment { end }
            | Self::CData { end, .. }
            | Self::Pi { end, .. }
            | Self::Stray { end }
            | Self::Malformed { end } => end,
            Self::Start(tag) => tag.end,
            Self::Doctype { .. } => 0,
        }
    }
}

/// Finds tokens. It remembers how far it has searched in an incomplete one, so that many small pushes take no more time
/// than one large one.
///
/// A tag must end before the next `<`. So a quote that is not closed cannot hide the entries after it, and the token does
/// not depend on where the text was cut. quick-xml finds the `>` that is not in quotes.
#[derive(Debug, Default)]
pub(crate) struct Lexer {
    /// The text has no `<` between the start of the current token (exclusive) and this offset.
    clear_until: usize,
    /// The next `<`, if it is known.
    next: Option<usize>,
    /// The end of the current token is not before this offset.
    searched: usize,
    /// The name of the current tag does not end before this offset.
    named: usize,
    /// `true` if the text up to `searched` ends in quotes.
    quotes: ElementParser,
}

impl Lexer {
    /// Forgets everything. This is necessary when the text begins elsewhere, because offsets are kept.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Returns the token at `at`, or `None` if it is not complete.
    // Inlined, because moving a token takes as long as finding it.
    #[inline(always)]
    pub(crate) fn token(&mut self, text: &str, at: usize) -> Option<Token> {
        let bytes = text.as_bytes();
        let token = match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'<', None) => return None,
            (b'<', Some(b'!')) => self.declaration(bytes, at)?,
            (b'<', Some(b'?')) => self.instruction(bytes, at)?,
            (b'<', Some(b'/')) => self.end_tag(bytes, at)?,
            (b'<', Some(_)) => self.start_tag(bytes, at)?,
            _ => {
                let end = self.next_lt(bytes, at)?;
                Token::Text { end }
            }
        };
        self.complete();
        Some(token)
    }

    /// Returns the end of the end tag at `at` if the tag is exactly `</`, the name and `>`. `name` is the span of the name
    /// in the start tag; an empty one matches nothing.
    #[inline(always)]
    pub(crate) fn end_tag_of(&mut self, text: &str, name: Span, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let behind = bytes.get(at..)?.strip_prefix(b"</")?;
        let len = name.len();
        if behind.get(len) != Some(&b'>') || len == 0 {
            return None;
        }
        if !begin_alike(behind, bytes.get(name.start()..)?, len) {
            return None;
        }
        self.complete();
        Some(at + 2 + len + 1)
    }

    /// Forgets how far the current token was searched.
    #[inline(always)]
    fn complete(&mut self) {
        self.searched = 0;
        self.named = 0;
        self.quotes = ElementParser::default();
    }

    /// Returns the first `<` after `at`.
    fn next_lt(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if let Some(next) = self.next.filter(|next| *next > at) {
            return Some(next);
        }
        let from = self.clear_until.max(at + 1);
        self.next = memchr(b'<', bytes.part(from..)).map(|i| from + i);
        self.clear_until = self.next.unwrap_or(bytes.len());
        self.next
    }

    /// Returns the end of the first `end` that begins at `from` or after it.
    fn search(&mut self, bytes: &[u8], from: usize, end: &[u8]) -> Option<usize> {
        let from = from.max(self.searched);
        let (passed, is_over) = until(bytes.get(from..)?, end);
        self.searched = from + passed;
        is_over.then_some(self.searched)
    }

    /// Finds the end of a processing instruction, or of an XML declaration, which may end without its `?`.
    #[inline(never)]
    fn instruction(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let rest = bytes.get(at..)?;
        let is_declaration = match rest.strip_prefix(DECLARATION.as_bytes()) {
            Some(behind) => is_space(*behind.first()?),
            None if DECLARATION.as_bytes().starts_with(rest) => return None,
            None => false,
        };
        if !is_declaration {
            let end = self.search(bytes, at + 2, b"?>")?;
            let is_closed = true;
            return Some(Token::Pi { end, is_closed });
        }
        let from = self.searched.max(at + DECLARATION.len());
        let Some(len) = memchr2(b'<', b'>', bytes.get(from..)?) else {
            self.searched = bytes.len();
            return None;
        };
        let end = from + len;
        let is_closed = bytes.get(..=end)?.ends_with(b"?>");
        let end = end + usize::from(bytes.get(end) == Some(&b'>'));
        Some(Token::Pi { end, is_closed })
    }

    /// Reads a `<` that begins no markup.
    fn stray(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let (end, is_known) = end_of_stray_line(bytes, self.searched.max(at + 1));
        self.searched = end;
        is_known.then_some(Token::Stray { end })
    }

    /// Finds the end of a comment, a CDATA section or another `<!`. Only the start of a document type is returned.
    fn declaration(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        match Construct::opened(bytes.part(at..)) {
            Opened::Construct(Construct::Comment, opener) => {
                let end = self.search(bytes, at + opener.len(), b"-->")?;
                Some(Token::Comment { end })
            }
            Opened::Construct(Construct::CData, opener) => {
                let start = at + opener.len();
                let end = self.search(bytes, start, b"]]>")?;
                let text = Span::new(start, end - "]]>".len());
                Some(Token::CData { text, end })
            }
            Opened::Construct(Construct::Doctype(_), opener) => {
                let inside = at + opener.len();
                Some(Token::Doctype { inside })
            }
            Opened::Cut => None,
            Opened::Construct(Construct::Instruction, _) | Opened::Other => {
                Some(Token::Malformed { end: at + 2 })
            }
        }
    }

    /// Returns the end of the name at `from`, which is `from` if there is no name, or `None` if the text ends inside the
    /// name.
    #[inline(always)]
    fn name_end(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if !begins_name(*bytes.get(from)?) {
            return Some(from);
        }
        let known = self.named.max(from + 1);
        let rest = bytes.get(known..)?;
        let more = rest.iter().position(|byte| !is_name_byte(*byte));
        self.named = known + more.unwrap_or(rest.len());
        more.map(|more| known + more)
    }

    #[inline(always)]
    fn end_tag(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let start = at + 2;
        let name_end = self.name_end(bytes, start)?;
        if name_end > start && bytes.get(name_end) == Some(&b'>') {
            return Some(Token::End {
                name: Span::new(start, name_end),
                end: name_end + 1,
            });
        }
        self.rest_of_end_tag(bytes, at, name_end)
    }

    /// Reads an end tag with more than its name.
    fn rest_of_end_tag(&mut self, bytes: &[u8], at: usize, name_end: usize) -> Option<Token> {
        let start = at + 2;
        let next = self.next_lt(bytes, at);
        let until = next.unwrap_or(bytes.len());
        let from = self.searched.max(name_end);
        let Some(len) = memchr(b'>', bytes.get(from..until)?) else {
            self.searched = until;
            return next.map(|end| Token::Malformed { end });
        };
        let close = from + len;
        let behind = bytes.get(name_end..close)?;
        Some(
            if name_end > start && behind.iter().copied().all(is_space) {
                Token::End {
                    name: Span::new(start, name_end),
                    end: close + 1,
                }
            } else {
                Token::Malformed { end: close + 1 }
            },
        )
    }

    /// Finds the end of a start tag. A tag without attributes, the usual case, is recognized by comparing one byte.
    #[inline(always)]
    fn start_tag(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let start = at + 1;
        let name_end = self.name_end(bytes, start)?;
        if name_end > start && bytes.get(name_end) == Some(&b'>') {
            return Some(Token::Start(Tag {
                name: Span::new(start, name_end),
                local: local_start(bytes, start, name_end),
                attributes: Span::EMPTY,
                empty: false,
                end: name_end + 1,
            }));
        }
        self.rest_of_start_tag(bytes, at, name_end)
    }

    /// Reads a start tag with more than its name.
    fn rest_of_start_tag(&mut self, bytes: &[u8], at: usize, name_end: usize) -> Option<Token> {
        let start = at + 1;
        if name_end == start && is_no_markup(*bytes.get(start)?) {
            return self.stray(bytes, at);
        }
        let next = self.next_lt(bytes, at);
        let from = self.searched.max(name_end);
        let fresh = bytes.get(from..next.unwrap_or(bytes.len()))?;
        let Some(len) = self.quotes.feed(fresh) else {
            self.searched = from + fresh.len();
            return next.map(|end| Token::Malformed { end });
        };
        let close = from + len;
        let content = bytes.get(name_end..close)?;
        let empty = content.last() == Some(&b'/');
        let content = content.get(..content.len() - usize::from(empty))?;
        let follows = content.first();
        if name_end == start || follows.is_some_and(|b| !is_space(*b)) {
            return Some(Token::Malformed { end: close + 1 });
        }
        Some(Token::Start(Tag {
            name: Span::new(start, name_end),
            local: local_start(bytes, start, name_end),
            attributes: Span::new(name_end, name_end + content.len()),
            empty,
            end: close + 1,
        }))
    }
}

/// Returns the start of the local part of a name.
#[inline(always)]
fn local_start(bytes: &[u8], start: usize, end: usize) -> usize {
    find_between(bytes, start, end, |b| b == b':').map_or(start, |colon| colon + 1)
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
pub(crate) fn is_declaration(text: &str) -> bool {
    let behind = text.strip_prefix(DECLARATION);
    behind.is_some_and(|rest| rest.bytes().next().is_some_and(is_space))
}

/// Returns the length of the name at the start, or 0 if there is none.
pub(crate) fn name_len(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(|first| begins_name(*first)) {
        return 0;
    }
    bytes
        .iter()
        .position(|b| !is_name_byte(*b))
        .unwrap_or(bytes.len())
}

/// Returns the characters of a name from `at` on.
pub(crate) fn name_at(text: &str, at: usize) -> &str {
    let rest = text.part(at..);
    let len = rest.bytes().take_while(|b| is_name_byte(*b)).count();
    rest.part(..len)
}

/// The prefix of a name (empty if it has none) and the local part.
#[inline]
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    // Byte by byte is the fastest way for short names.
    let colon = name.bytes().position(|b| b == b':');
    let parts = colon.and_then(|at| Some((name.get(..at)?, name.get(at + 1..)?)));
    parts.unwrap_or(("", name))
}

pub(crate) fn local_part(name: &str) -> &str {
    split_name(name).1
}

fn begins_name(byte: u8) -> bool {
    is_name_byte(byte) && !matches!(byte, b'-' | b'.' | b'0'..=b'9')
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
        let mut lexer = Lexer::default();
        let (mut at, mut tokens) = (0, vec![]);
        for end in (0..=text.len()).step_by(step).chain([text.len()]) {
            while let Some(token) = lexer.token(&text[..end], at) {
                tokens.push(token);
                at = token.end().max(at + 1);
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
        assert_eq!(kinds("<a b='<c>")[0], Token::Malformed { end: 6 });
        assert_eq!(kinds("2005<</lastmod>")[1], Token::Stray { end: 5 });
        assert!(matches!(kinds("<a b='>'>")[0], Token::Start(tag) if tag.end == 9));
        assert!(matches!(
            kinds("</a\n>")[0],
            Token::End { name, end: 5 } if name == Span::new(2, 3)
        ));
        assert!(matches!(
            kinds("<a/>")[0],
            Token::Start(Tag { empty: true, .. })
        ));
    }
}
