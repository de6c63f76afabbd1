//! The elements that are open where the root of a document is searched.

use memchr::memchr;

use crate::format::Format;
use crate::limits::MAX_DEPTH;
use crate::tape::dialect::Dialect;
use crate::text::span::{Span, TakePart};
use crate::xml::lexer::{Lexer, Token, ends_before_markup};
use crate::xml::skip::Skip;

/// Follows the tags of a text up to where a root may begin. It looks at no tag twice.
#[derive(Debug, Default)]
pub(crate) struct OpenElements {
    /// The tags before it have been followed.
    at: usize,
    /// The names of the open elements, the innermost's last.
    open: Vec<Span>,
    /// Number of elements open below those; their names are not kept.
    deeper: u64,
}

impl OpenElements {
    /// Returns `true` if an element at `start` that is named like the root of this format is one.
    ///
    /// A sitemap may have been saved as a part of a web page, or be wrapped in another element. Other documents have
    /// elements that are named like the roots of feeds, so the roots of feeds must not be in another element.
    ///
    /// `lexer` is fresh before and after the call.
    pub(crate) fn allow(
        &mut self,
        format: Format,
        text: &str,
        start: usize,
        lexer: &mut Lexer,
    ) -> bool {
        let before = self.follow(text, start, lexer);
        lexer.restart();
        match Dialect::of(format) {
            _ if before == Before::OpenMarkup => false,
            Dialect::Sitemap => !self.names(text).any(holds_code),
            Dialect::Rss | Dialect::Atom => before == Before::Whole && self.open.is_empty(),
        }
    }

    fn names<'t>(&self, text: &'t str) -> impl DoubleEndedIterator<Item = &'t str> + use<'_, 't> {
        let spans = self.open.iter();
        spans.map(|name| name.of(text))
    }

    /// Follows the tags before `end`, without reading the text after it: how much of that has arrived depends on the
    /// division of the bytes.
    fn follow(&mut self, text: &str, end: usize, lexer: &mut Lexer) -> Before {
        let text = text.part(..end);
        while let Some(next) = text
            .as_bytes()
            .get(self.at..)
            .and_then(|rest| memchr(b'<', rest))
        {
            let start = self.at + next;
            let Some(token) = lexer.token(text, start) else {
                let rest = text.part(start..);
                if ends_before_markup(rest) {
                    break;
                }
                return match text.as_bytes().get(start + 1) {
                    Some(b'!' | b'?') => Before::OpenMarkup,
                    _ => Before::OpenTag,
                };
            };
            let mut behind = token.end().max(start + 1);
            match token {
                Token::Start(tag) if !tag.empty => self.push(tag.name, text),
                Token::End { name, .. } => self.pop(name, text),
                Token::Doctype { inside } => {
                    let mut doctype = Skip::DOCTYPE;
                    let (len, is_whole) = doctype.pass(text.part(inside..));
                    if !is_whole {
                        return Before::OpenMarkup;
                    }
                    behind = inside + len;
                }
                _ => {}
            }
            self.at = behind;
        }
        Before::Whole
    }

    fn push(&mut self, name: Span, text: &str) {
        if is_void(name.of(text)) {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(name);
        } else {
            self.deeper += 1;
        }
    }

    /// An end tag closes the innermost element of its name, and all in it.
    fn pop(&mut self, name: Span, text: &str) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let name = name.of(text);
        let inner = self
            .names(text)
            .rev()
            .position(|own| own.eq_ignore_ascii_case(name));
        if let Some(inner) = inner {
            self.open.truncate(self.open.len() - inner - 1);
        }
    }
}

/// The kind of the markup before a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Whole,
    /// A tag has no end before it, so that tag is broken.
    OpenTag,
    /// A comment or the like has no end before it, so the place is a part of that.
    OpenMarkup,
}

/// Elements of a web page in which what looks like a tag is a part of a program.
fn holds_code(name: &str) -> bool {
    name.eq_ignore_ascii_case("script") || name.eq_ignore_ascii_case("style")
}

/// Elements of HTML that have no end tag.
fn is_void(name: &str) -> bool {
    const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
    VOID.iter().any(|void| name.eq_ignore_ascii_case(void))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_roots_count() {
        for (text, in_sitemap, in_feed) in [
            ("|", true, true),
            ("words <b>Warning</b> <br> <img src='x'> |", true, true),
            ("<html><body>|", true, false),
            ("<config><acl>|", true, false),
            ("<config></CONFIG>|", true, true),
            ("<a><b></a>|", true, true),
            ("<a></b>|", true, false),
            ("<a b='>'/>|", true, true),
            ("<html><script>s = '|", false, false),
            ("<html><style></style>|", true, false),
            ("<b <c>|", true, false),
            ("<<<<<<< HEAD |", true, true),
            ("<<<<<<< HEAD\n< b |", true, true),
            ("<?xml version='1.0' |", true, true),
            ("<?xml version='1.0'> <b>|", true, false),
            ("<b c='|", true, false),
            ("<b c='d' |", true, false),
            ("</b |", true, false),
            ("<!-- |", false, false),
            ("<?a |", false, false),
            ("<!DOCTYPE a [<!ENTITY b ']'> |", false, false),
            ("<!doctype a []>|", true, true),
            ("<!-- <a> --><![CDATA[<a>]]><?a <a>?>|", true, true),
        ] {
            let start = text.find('|').unwrap();
            let text = text.replace('|', "<root>");
            for (format, expected) in [(Format::Urlset, in_sitemap), (Format::Rss, in_feed)] {
                let allowed =
                    OpenElements::default().allow(format, &text, start, &mut Lexer::new());
                assert_eq!(allowed, expected, "{format:?} in {text}");
            }
        }
    }

    #[test]
    fn so_deep_is_deep() {
        let text = format!("{}{}<rss>", "<a>".repeat(100), "</a>".repeat(100));
        let mut open = OpenElements::default();
        let mut lexer = Lexer::new();
        assert!(!open.allow(Format::Rss, &text, 300, &mut lexer));
        assert!(open.allow(Format::Rss, &text, text.len() - 5, &mut lexer));
    }
}
