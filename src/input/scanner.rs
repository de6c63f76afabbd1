//! Splits the head of a document into pieces: one scan answers all that is asked about the text before the root.

use memchr::{memchr, memchr3};

use crate::format::Format;
use crate::text::mark::{is_blank, trim_line};
use crate::text::span::{Span, TakePart};
use crate::value::url::read_url;
use crate::xml::construct::{Construct, DECLARATION, Opened};
use crate::xml::lexer::{
    Tag, TagSearch, TokenKind, end_of_stray_line, is_declaration, is_no_markup, local_part, name_at,
};

/// Splits the head of a document into pieces. The state is kept, so that tiny pushes take no more time than one large
/// push.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    /// The start of the next piece, or a place in the construct that is skipped.
    pub(crate) at: usize,
    tags: TagSearch,
    /// A line that begins at `at` does not end before this position.
    searched: usize,
    /// The comment or the like that contains `at`.
    pub(crate) skipping: Option<Construct>,
    /// Markup has been found. From then on lines are not judged: the document may be XML whose root is still to come.
    pub(crate) has_markup: bool,
}

/// A piece of the head.
#[derive(Debug)]
pub(crate) enum Piece {
    /// A line before any markup.
    Line(Span),
    /// Text up to the next `<`.
    Text,
    /// A `<` that begins no markup, with the rest of its line.
    StrayLine(Span),
    /// An XML declaration; `is_closed`: by `?>`.
    Declaration {
        span: Span,
        is_closed: bool,
    },
    /// A comment or the like begins with this opener. The next piece is its end.
    Begun(Construct, Span),
    Over(Construct),
    /// A start tag, by its name, or a broken one.
    Start(Span, Option<Tag>),
    End(Span),
}

impl Scanner {
    /// Skips characters without meaning between two pieces, and returns the text after them.
    pub(crate) fn skip_blank<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text.part(self.at..);
        if self.skipping.is_none() {
            rest = rest.trim_start_matches(is_blank);
            self.at = text.len() - rest.len();
        }
        rest
    }

    /// The text before `at` is passed: places are counted from there on.
    pub(crate) fn rebase(&mut self) {
        *self = Self {
            skipping: self.skipping,
            has_markup: self.has_markup,
            ..Self::default()
        };
    }

    /// The next piece, or `None` if it is not complete.
    pub(crate) fn next(&mut self, text: &str) -> Option<Piece> {
        let rest = self.skip_blank(text);
        let start = self.at;
        if let Some(construct) = &mut self.skipping {
            let (passed, is_over) = construct.pass(rest);
            self.at += passed;
            return is_over
                .then(|| self.skipping.take())
                .flatten()
                .map(Piece::Over);
        }
        self.has_markup |= rest.starts_with('<');
        if !self.has_markup {
            return self.line(text);
        }
        match (rest.as_bytes(), Construct::opened(rest.as_bytes())) {
            ([], _) => None,
            // This may be the declaration.
            ([b'<', b'?', ..], _) if DECLARATION.starts_with(rest) => None,
            (bytes, Opened::Construct(construct, opener)) if !is_declaration(bytes) => {
                self.at += opener.len();
                self.skipping = Some(construct);
                Some(Piece::Begun(construct, Span::new(start, self.at)))
            }
            ([b'<'], _) => None,
            ([b'<', behind, ..], _) if !is_no_markup(*behind) => self.tag(text),
            (bytes @ [b'<', ..], _) => {
                let from = self.searched.saturating_sub(start).max(1);
                let (len, is_over) = end_of_stray_line(bytes, from);
                self.searched = start + len;
                is_over.then(|| {
                    self.at = start + len;
                    Piece::StrayLine(Span::new(start, self.at))
                })
            }
            (bytes, _) => {
                self.at += memchr(b'<', bytes).unwrap_or(bytes.len());
                Some(Piece::Text)
            }
        }
    }

    fn line(&mut self, text: &str) -> Option<Piece> {
        let (start, from) = (self.at, self.searched.max(self.at));
        let bytes = text.as_bytes();
        let Some(len) = memchr3(b'\n', b'\r', b'<', bytes.part(from..)) else {
            self.searched = bytes.len();
            return None;
        };
        self.at = from + len;
        Some(match bytes.get(self.at) {
            Some(b'<') => Piece::Text,
            _ => Piece::Line(Span::new(start, self.at)),
        })
    }

    /// A tag or a declaration.
    fn tag(&mut self, text: &str) -> Option<Piece> {
        let start = self.at;
        let token = self.tags.token(text, start, 0)?;
        self.at = token.end;
        Some(match token.kind {
            TokenKind::Start(tag) => Piece::Start(tag.name, Some(tag)),
            TokenKind::End(name) => Piece::End(name),
            TokenKind::Ignored | TokenKind::Unclosed => Piece::Declaration {
                span: Span::new(start, token.end),
                is_closed: token.kind == TokenKind::Ignored,
            },
            _ => Piece::Start(name_after(start, text), None),
        })
    }

    /// Returns `true` if the text cuts a declaration.
    pub(crate) fn is_in_declaration(&self, text: &str) -> bool {
        self.skipping.is_none() && is_declaration(text.part(self.at..).as_bytes())
    }
}

/// The search for the XML declaration, in a text that arrives in pieces. It is not in a comment or the like, nor after an
/// element that is named like a root, nor after a line that makes the document a text sitemap.
#[derive(Debug, Default)]
pub(super) struct DeclarationSearch(Scanner);

impl DeclarationSearch {
    /// Returns the span of the declaration, if there is one; `None` while more text could contain it. `is_all`: no more
    /// text will be looked at.
    pub(super) fn look(&mut self, text: &str, is_all: bool) -> Option<Option<Span>> {
        let scanner = &mut self.0;
        while let Some(piece) = scanner.next(text) {
            match piece {
                Piece::Declaration { span, .. } => return Some(Some(span)),
                Piece::Line(line) if is_url_line(line.of(text)) => return Some(None),
                Piece::Start(name, _) if Format::of_root(local_part(name.of(text))).is_some() => {
                    return Some(None);
                }
                _ => {}
            }
        }
        let cut = Span::new(scanner.at, text.len());
        is_all.then(|| scanner.is_in_declaration(text).then_some(cut))
    }
}

/// The name in the tag that begins there.
pub(crate) fn name_after(start: usize, text: &str) -> Span {
    Span::from(start + 1, name_at(text, start + 1))
}

/// Returns `true` if this line makes the document a text sitemap: an http or https URL.
pub(crate) fn is_url_line(line: &str) -> bool {
    read_url(trim_line(line), None).is_ok()
}
