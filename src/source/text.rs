use memchr::memchr2;

use crate::raw::EntryKind;
use crate::source::Event;
use crate::source::dialect::Dialect;
use crate::tape::Value;
use crate::violation::{Effect, Rule};
use crate::xml::reading::{Reading, decode};
use crate::xml::text::Context;

/// A text sitemap: a URL a line.
#[derive(Debug)]
pub(crate) struct TextSource {
    /// Bytes of the line at hand in which no line end was found.
    searched: usize,
    /// The rest of the line is passed over: it is too long, or a comment.
    passing: bool,
}

impl TextSource {
    pub(crate) fn new() -> Self {
        Self {
            searched: 0,
            passing: false,
        }
    }

    /// Looks at one line at the start of the text. [`Event::Passed`]: there is nothing in it.
    pub(crate) fn advance(&mut self, r: &mut Reading<'_>, eof: bool) -> Event {
        let bytes = r.text.as_bytes();
        let from = self.searched.min(bytes.len());
        let found = memchr2(b'\n', b'\r', bytes.get(from..).unwrap_or_default());
        let (len, end) = match found {
            Some(i) => (from + i, from + i + 1),
            None if self.passing && !bytes.is_empty() => {
                self.searched = 0;
                return Event::Passed(bytes.len());
            }
            None if eof && bytes.is_empty() => return Event::End,
            None if eof => (bytes.len(), bytes.len()),
            None if bytes.len() > r.max_bytes => (bytes.len(), bytes.len()),
            None => {
                self.searched = bytes.len();
                return Event::NeedMore;
            }
        };
        self.searched = 0;
        if std::mem::replace(&mut self.passing, found.is_none() && !eof) && found.is_some() {
            return Event::Passed(end);
        }
        let raw = r.text.get(..len).unwrap_or_default();
        let line = Value::in_window(0, len).trimmed(r.text);
        let content = r.text.get(line.range()).unwrap_or_default();
        if content.is_empty() || content.starts_with('#') {
            return Event::Passed(end);
        }
        r.tape.clear();
        r.tape.kind = EntryKind::Url;
        r.tape.dialect = Dialect::Sitemap;
        if raw.len() > r.max_bytes {
            r.report.flaw(
                Rule::EntryTooLarge,
                Effect::EntrySkipped,
                line.range().start,
                "line",
            );
            return Event::Entry {
                start: 0,
                end,
                skipped: true,
            };
        }
        let start = line.range().start;
        let content = content.trim_start_matches('\u{FEFF}');
        let start = line.range().end - content.len().min(line.range().end - start);
        let (value, skipped) = decode(
            (start, line.range().end),
            Context::CData,
            Effect::EntrySkipped,
            r,
        );
        r.tape.loc = value;
        Event::Entry {
            start: 0,
            end,
            skipped,
        }
    }
}
