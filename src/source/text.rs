use memchr::memchr2;

use crate::raw::EntryKind;
use crate::scan::{find, is_odd};
use crate::source::Event;
use crate::source::dialect::Dialect;
use crate::tape::{Tape, Value};
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

    /// Where a line begins and ends that is whole and says what it spells: nearly all are. `None`: it is for
    /// [`advance`](Self::advance).
    #[inline]
    pub(crate) fn shortcut(
        &self,
        text: &str,
        tape: &mut Tape,
        max_bytes: usize,
    ) -> Option<(usize, usize)> {
        if self.passing || self.searched > 0 {
            return None;
        }
        let bytes = text.as_bytes();
        let len = find(bytes, is_odd).filter(|len| *len <= max_bytes)?;
        match bytes.split_at_checked(len)? {
            ([b'!' | b'$'..=b'~', .., b'!'..=b'~'], [b'\n' | b'\r', ..]) => {
                tape.clear();
                Self::put(Value::in_window(0, len), tape);
                Some((0, len + 1))
            }
            _ => None,
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
        if len > r.max_bytes {
            return Self::too_long(end, r);
        }
        let line = Value::in_window(0, len).trimmed(r.text).range();
        let content = r.text.get(line.clone()).unwrap_or_default();
        // Files that were put together leave their marks in the middle.
        let content = content.trim_start_matches('\u{FEFF}');
        if content.is_empty() || content.starts_with('#') {
            return Event::Passed(end);
        }
        let span = (line.end - content.len(), line.end);
        r.tape.clear();
        let (value, skipped) = decode(span, Context::CData, Effect::EntrySkipped, r);
        Self::put(value, r.tape);
        Event::Entry {
            start: 0,
            end,
            skipped,
        }
    }

    fn put(loc: Value, tape: &mut Tape) {
        tape.kind = EntryKind::Url;
        tape.dialect = Dialect::Sitemap;
        tape.loc = loc;
    }

    /// A line over the bound is judged by as much of it as is within.
    fn too_long(end: usize, r: &mut Reading<'_>) -> Event {
        let head = r.text.as_bytes().get(..r.max_bytes).unwrap_or_default();
        if head.trim_ascii_start().starts_with(b"#") {
            return Event::Passed(end);
        }
        r.report
            .flaw(Rule::EntryTooLarge, Effect::EntrySkipped, 0, "line");
        Event::Entry {
            start: 0,
            end,
            skipped: true,
        }
    }
}
