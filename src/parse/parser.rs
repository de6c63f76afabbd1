//! The parsers of a document, one after the other: of its head, then of XML or of text.

use super::Event;
use super::context::Context;
use super::document::Document;
use super::head::{Head, Start};
use super::text::TextParser;
use crate::format::Format;

/// The parser of the text from the start of the window on.
#[expect(clippy::large_enum_variant, reason = "there is one a decoder")]
pub(crate) enum Parser {
    Head(Box<Head>),
    Xml(Document),
    Text(TextParser),
}

impl Default for Parser {
    fn default() -> Self {
        Self::Head(Box::default())
    }
}

impl Parser {
    /// One step.
    #[inline]
    pub(crate) fn advance(&mut self, cx: &mut Context<'_>) -> Event {
        let head = match self {
            Self::Xml(document) => return document.advance(cx),
            Self::Text(lines) => return lines.advance(cx),
            Self::Head(head) => head,
        };
        match head.look(cx) {
            Start::NeedMore => Event::NeedMore,
            Start::Not(kind, at) => Event::Fatal(kind, at),
            Start::Passed(end) => match head.pass() {
                Some((markup, at)) => Event::Begun(markup, at, end),
                None => Event::Passed(end),
            },
            Start::Root(at, format, ancestors) => {
                cx.report.in_head = false;
                *self = Self::Xml(Document::new(format, ancestors));
                Event::Passed(at)
            }
            Start::Text(at) => {
                cx.report.discard();
                *self = Self::Text(TextParser::START);
                Event::Passed(at)
            }
        }
    }

    /// The format, once the head has ended.
    pub(crate) fn format(&self) -> Option<Format> {
        match self {
            Self::Head(_) => None,
            Self::Xml(document) => Some(document.format()),
            Self::Text(_) => Some(Format::Text),
        }
    }

    /// Returns `true` if an entry has begun that is not complete.
    pub(crate) fn is_in_entry(&self) -> bool {
        matches!(self, Self::Xml(document) if document.is_in_entry())
    }

    /// The markup that this text ends in, if it is one that can be longer than a tag, and where it begins, unless that is not
    /// in the text any more.
    pub(crate) fn unclosed(&self, text: &str) -> Option<(&'static str, Option<usize>)> {
        match self {
            Self::Head(head) => head.unclosed(text),
            Self::Xml(document) => document.unclosed(text),
            Self::Text(_) => None,
        }
    }
}
