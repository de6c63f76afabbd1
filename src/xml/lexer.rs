//! Where tags, texts, comments and the like end. A text that ends within one is waited for.

use memchr::{memchr, memchr2, memchr3};
use quick_xml::parser::{ElementParser, Parser};

use crate::prolog::{Construct, DECLARATION, Opened};
pub(crate) use crate::search::is_name_byte;
use crate::search::{begin_alike, find_between};
use crate::span::{Span, TakePart};

/// A piece of markup or the text before it. Offsets count from the start of the text that was scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// Everything up to the next `<`.
    Text {
        end: usize,
    },
    Start(Tag),
    /// An end tag; only its name is looked at.
    End {
        name: Span,
        end: usize,
    },
    Comment {
        end: usize,
    },
    /// `<![CDATA[` … `]]>`; `text` is what lies between.
    CData {
        text: Span,
        end: usize,
    },
    /// `is_closed`: it ends with `?>`, as it has to. An XML declaration ends at the next `<` or `>` all the same.
    Pi {
        end: usize,
        is_closed: bool,
    },
    /// A `<` that begins no markup, and the text that follows on its line, up to the next markup.
    Stray {
        end: usize,
    },
    /// `<!DOCTYPE`; what is inside of it begins there.
    Doctype {
        inside: usize,
    },
    /// No markup: a `<` inside a tag, a name that is none, `<!` with nothing that may follow it.
    /// The verdict needed the bytes up to `end`; the next markup can't begin before.
    Malformed {
        end: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: Span,
    /// Where the local part of the name begins.
    pub(crate) local: usize,
    /// What stands between the name and `>` or `/>`.
    pub(crate) attributes: Span,
    pub(crate) empty: bool,
    pub(crate) end: usize,
}

impl Tag {
    /// The prefix of its name (empty if it has none) and the local part.
    #[inline(always)]
    pub(crate) fn split_name<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        let (start, end) = (self.name.start(), self.name.end());
        let prefix = match self.local == start {
            true => "",
            false => Span::new(start, self.local - 1).of(text),
        };
        (prefix, Span::new(self.local, end).of(text))
    }
}

impl Token {
    /// Bytes that had to be looked at to tell what this is.
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

/// Finds tokens, and remembers how far an unfinished one has been searched, so that tiny pushes cost no more than one big one.
///
/// quick-xml's parsers find the end of a tag. That a tag must end before the next `<` bounds what an unclosed
/// quote can swallow, and makes the verdict independent of where the text happens to be cut.
#[derive(Debug)]
pub(crate) struct Lexer {
    /// No `<` between the start of the current token (exclusive) and here.
    clear_until: usize,
    /// The next `<`, if it is known.
    next: Option<usize>,
    /// How far the end of the current token has been searched for.
    searched: usize,
    /// How far its name reaches, as far as that is known.
    named: usize,
    quotes: ElementParser,
}

impl Default for Lexer {
    fn default() -> Self {
        Self::new()
    }
}

impl Lexer {
    pub(crate) fn new() -> Self {
        Self {
            clear_until: 0,
            next: None,
            searched: 0,
            named: 0,
            quotes: ElementParser::Outside,
        }
    }

    /// Forgets everything: the text begins elsewhere now.
    pub(crate) fn restart(&mut self) {
        *self = Self::new();
    }

    /// The token at `at`; `None` if it is not complete.
    // Inlined, so that no token has to be moved about.
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

    /// Where the end tag at `at` ends, if it is `</`, the name and `>`. The name stands elsewhere in the text; it is
    /// not looked for where it is empty.
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

    /// Forgets what was known of a token that was not complete.
    #[inline(always)]
    fn complete(&mut self) {
        self.searched = 0;
        self.named = 0;
        self.quotes = ElementParser::Outside;
    }

    /// The first `<` behind `at`.
    fn next_lt(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if let Some(next) = self.next.filter(|next| *next > at) {
            return Some(next);
        }
        let from = self.clear_until.max(at + 1);
        self.next = memchr(b'<', bytes.part(from..)).map(|i| from + i);
        self.clear_until = self.next.unwrap_or(bytes.len());
        self.next
    }

    /// Behind the first `>` that follows on `before`, both at `from` or behind.
    fn search(&mut self, bytes: &[u8], from: usize, before: &[u8]) -> Option<usize> {
        let mut at = (from + before.len()).max(self.searched);
        loop {
            // The text can end before the first place where the `>` can be.
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(i) = memchr(b'>', rest) else {
                self.searched = bytes.len().max(at);
                return None;
            };
            at += i;
            if bytes
                .get(..at)
                .is_some_and(|passed| passed.ends_with(before))
            {
                return Some(at + 1);
            }
            at += 1;
        }
    }

    #[inline(never)]
    fn instruction(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let rest = bytes.get(at..)?;
        let is_declaration = match rest.strip_prefix(DECLARATION.as_bytes()) {
            Some(behind) => behind.first()?.is_ascii_whitespace(),
            None if DECLARATION.as_bytes().starts_with(rest) => return None,
            None => false,
        };
        if !is_declaration {
            let end = self.search(bytes, at + 2, b"?")?;
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

    /// At a `<` that begins no markup.
    fn stray(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        let mut from = self.searched.max(at + 1);
        loop {
            let Some(len) = memchr3(b'<', b'\n', b'\r', bytes.get(from..)?) else {
                self.searched = bytes.len();
                return None;
            };
            let end = from + len;
            self.searched = end;
            if bytes.get(end) == Some(&b'<') && is_no_markup(*bytes.get(end + 1)?) {
                from = end + 1;
                continue;
            }
            return Some(Token::Stray { end });
        }
    }

    fn declaration(&mut self, bytes: &[u8], at: usize) -> Option<Token> {
        match Construct::opened(bytes.part(at..)) {
            Opened::Construct(Construct::Comment, opener) => {
                let end = self.search(bytes, at + opener.len(), b"--")?;
                Some(Token::Comment { end })
            }
            Opened::Construct(Construct::CData, opener) => {
                let start = at + opener.len();
                let end = self.search(bytes, start, b"]]")?;
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

    /// Where the name that begins at `from` ends; `from` itself, if there is none. `None`: the text ends within it.
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

    /// An end tag with something behind its name.
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
            if name_end > start && behind.iter().all(u8::is_ascii_whitespace) {
                Token::End {
                    name: Span::new(start, name_end),
                    end: close + 1,
                }
            } else {
                Token::Malformed { end: close + 1 }
            },
        )
    }

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

    /// A start tag with something behind its name.
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
        if name_end == start || follows.is_some_and(|b| !b.is_ascii_whitespace()) {
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

/// Where the local part of the name between two places begins.
#[inline(always)]
fn local_start(bytes: &[u8], start: usize, end: usize) -> usize {
    find_between(bytes, start, end, |b| b == b':').map_or(start, |colon| colon + 1)
}

/// Whether a `<` before this byte begins no markup.
pub(crate) fn is_no_markup(behind: u8) -> bool {
    matches!(behind, b'<' | b'=' | b'>') || behind.is_ascii_whitespace()
}

/// Whether what begins so, but has no end yet, would end before the next markup: a `<` that begins none, and an XML
/// declaration.
pub(crate) fn ends_before_markup(rest: &str) -> bool {
    let stray = rest.as_bytes().strip_prefix(b"<");
    let is_stray = stray.is_some_and(|rest| rest.first().copied().is_some_and(is_no_markup));
    is_stray || is_declaration(rest)
}

/// Whether an XML declaration begins here.
pub(crate) fn is_declaration(text: &str) -> bool {
    let behind = text.strip_prefix(DECLARATION);
    behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))
}

/// The length of the XML name at the start, 0 if there is none.
pub(crate) fn name_len(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(|first| begins_name(*first)) {
        return 0;
    }
    bytes
        .iter()
        .position(|b| !is_name_byte(*b))
        .unwrap_or(bytes.len())
}

/// The XML name at `at`, as far as it reaches; names longer than any root's are cut.
pub(crate) fn name_at(text: &str, at: usize) -> &str {
    let rest = text.part(at..);
    let len = rest.bytes().take_while(|b| is_name_byte(*b)).count();
    rest.part(..len)
}

/// The prefix of a name (empty if it has none) and the local part.
#[inline]
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    // Names are so short that to search them byte by byte is the fastest.
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

/// A number that names have in common if they are equal in any case, and hardly others: made of the length and the
/// last eight bytes.
pub(crate) fn name_key(name: &str) -> u64 {
    /// In each byte the bit by which small letters differ from capitals.
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
        let mut lexer = Lexer::new();
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
