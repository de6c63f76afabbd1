//! A text sitemap: a URL a line.

use memchr::memchr2;

use crate::format::EntryKind;
use crate::parse::Event;
use crate::parse::context::{Context, TextEnd};
use crate::tape::Value;
use crate::tape::dialect::BaseChild;
use crate::text::mark::trim_line;
use crate::text::search::{find, may_be_forbidden};
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::violation::{Effect, Rule, quotable};
use crate::xml::references;

/// Reads a text sitemap line by line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextParser {
    /// At the start of a line; no line end has been found in this number of bytes of it.
    Line { searched: usize },
    /// In a line that is too long, whose rest is skipped.
    RestOfLine,
}

impl TextParser {
    pub(crate) const START: Self = Self::Line { searched: 0 };

    /// Reads a line that is complete and has nothing to resolve, as nearly all are, and returns its length.
    #[inline]
    fn plain_entry(&self, cx: &mut Context<'_>) -> Option<usize> {
        let Self::Line { searched: 0 } = self else {
            return None;
        };
        let bytes = cx.text.as_bytes();
        let line = find(bytes, may_be_forbidden).and_then(|len| bytes.split_at_checked(len));
        match line {
            Some((line @ [b'!' | b'$'..=b'~', .., b'!'..=b'~'], [b'\n' | b'\r', ..]))
                if line.len() <= cx.max_entry_bytes =>
            {
                cx.tape.clear();
                cx.tape.kind = EntryKind::Url;
                *cx.tape.base.slot(BaseChild::Loc) = Value::in_window(Span::new(0, line.len()));
                Some(line.len() + 1)
            }
            _ => None,
        }
    }

    /// Looks at one line at the start of the text. [`Event::Passed`]: there is nothing in it.
    #[inline]
    pub(crate) fn advance(&mut self, cx: &mut Context<'_>) -> Event {
        match self.plain_entry(cx) {
            Some(len) => Event::Entry(len),
            None => self.general(cx),
        }
    }

    fn general(&mut self, cx: &mut Context<'_>) -> Event {
        let bytes = cx.text.as_bytes();
        if bytes.is_empty() {
            return match cx.end {
                TextEnd::Reached => Event::End,
                TextEnd::Open | TextEnd::Cut => Event::NeedMore,
            };
        }
        let searched = match *self {
            Self::Line { searched } => searched,
            Self::RestOfLine => 0,
        };
        let line_end = memchr2(b'\n', b'\r', bytes.part(searched..));
        let (len, end) = match line_end {
            Some(i) => (searched + i, searched + i + 1),
            None => (bytes.len(), bytes.len()),
        };
        let is_whole = line_end.is_some() || cx.end == TextEnd::Reached;
        match self {
            Self::RestOfLine => {
                if line_end.is_some() {
                    *self = Self::START;
                }
                Event::Passed(end)
            }
            Self::Line { .. } if is_whole => {
                *self = Self::START;
                line(len, end, cx)
            }
            Self::Line { .. } if len > cx.max_entry_bytes => {
                *self = Self::RestOfLine;
                line(len, end, cx)
            }
            Self::Line { .. } => {
                *self = Self::Line { searched: len };
                Event::NeedMore
            }
        }
    }
}

/// A line of this number of bytes, which has been processed up to `end`.
fn line(len: usize, end: usize, cx: &mut Context<'_>) -> Event {
    let (text, is_too_long) = match cx.text.get(..len) {
        Some(line) if len <= cx.max_entry_bytes => (line, false),
        // Judged by as much of it as is within the bound.
        _ => (
            cx.text
                .part(..floor_char_boundary(cx.text, cx.max_entry_bytes)),
            true,
        ),
    };
    // Concatenated files have byte order marks in the middle.
    let visible = trim_line(text);
    let last = text.trim_end().len();
    let span = Span::new(last - visible.len(), last);
    if visible.starts_with('#') {
        cx.note(Rule::CommentInText, span, quotable(visible));
        return Event::Passed(end);
    }
    if visible.is_empty() && !is_too_long {
        return Event::Passed(end);
    }
    let cost = Effect::EntrySkipped;
    cx.tape.clear();
    cx.tape.kind = EntryKind::Url;
    if visible.contains('\t') && !is_too_long {
        // A row of a table. Without the tab, its columns would be one URL.
        cx.report
            .flaw(Rule::InvalidUrl, cost, span, quotable(visible));
    } else if !is_too_long {
        let loc = cx.decode(span, references::TextKind::CData, |_| cost);
        *cx.tape.base.slot(BaseChild::Loc) = loc;
    }
    if is_too_long || cx.tape.is_full {
        let rule = Rule::EntryTooLarge;
        cx.report.flaw(rule, cost, Span::EMPTY, "line");
    }
    Event::Entry(end)
}
