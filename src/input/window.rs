//! The text that is still needed, and its position in the document.

use std::sync::{Mutex, OnceLock, PoisonError};

use memchr::{memchr, memchr2, memrchr, memrchr2};

use super::STEP;
use crate::text::excerpt::{self, Excerpt};
use crate::text::position::Position;
use crate::text::span::{TakePart, floor_char_boundary};

/// The part of the decoded text that is still needed, contiguous; everything is addressed from its start.
///
/// The offset of the text in the document is `base + start`. `cursor` is never after it, and `buffer` contains all text from
/// the cursor on, so the position of every place in the text can be computed. `landmarks` were computed from the current
/// `cursor`; whenever it moves, they are dropped.
#[derive(Debug)]
pub(crate) struct Window {
    buffer: String,
    /// Index in `buffer` of the first byte that is still needed.
    start: usize,
    /// Number of bytes before it that are kept nevertheless, for the lines of issues.
    margin: usize,
    /// Offset in the document of the first byte of `buffer`.
    base: u64,
    cursor: Cursor,
    /// The place whose position was requested last, because the next one is mostly near.
    latest: Mutex<Cursor>,
    /// Positions in the current entry, if one far after the cursor was requested.
    landmarks: OnceLock<Box<[Cursor]>>,
}

/// Bytes a window holds as long as no entry needs more.
const TARGET: usize = 64 << 10;
/// The least that is read at a time.
const LEAST: usize = 4 << 10;
/// The text can exceed the requested room by this number of bytes: each byte of the last step can become three.
const EXCESS: usize = 3 * STEP + 64;
/// Maximum distance of a position from the place up to which lines have been counted.
const STRIDE: u64 = 4 << 10;
/// Distance of the positions that are stored in a large entry.
const INTERVAL: usize = 1 << 10;

impl Window {
    /// `keeps_lines`: the lines of positions will be requested.
    pub(crate) fn new(keeps_lines: bool) -> Self {
        Self {
            buffer: String::new(),
            start: 0,
            margin: if keeps_lines { excerpt::BEFORE } else { 0 },
            base: 0,
            cursor: Cursor::default(),
            latest: Mutex::default(),
            landmarks: OnceLock::new(),
        }
    }

    pub(crate) fn reset(&mut self) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.shrink_to(2 * TARGET);
        *self = Self {
            buffer,
            ..Self::new(self.margin > 0)
        };
    }

    /// The text that is available and still needed.
    pub(crate) fn text(&self) -> &str {
        self.buffer.part(self.start..)
    }

    /// Offset in the document of the first byte of [`text`](Self::text).
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Offset in the document after the last byte of [`text`](Self::text).
    pub(crate) fn end(&self) -> u64 {
        self.base + self.buffer.len() as u64
    }

    /// Marks the first `bytes` bytes of the text as no longer needed.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.buffer.len());
        let offset = self.offset();
        if offset - self.cursor.place.byte >= STRIDE {
            self.advance_cursor(offset);
        }
    }

    /// Number of bytes to append now: as many as there are, up to the maximum size of an entry.
    pub(crate) fn room(&self, max_entry_bytes: usize) -> usize {
        let held = self.buffer.len() - self.start;
        // Some more than the bound, or it would not be seen that an entry is too large.
        let left = (max_entry_bytes + 2 * LEAST).saturating_sub(held);
        let more = if left < 2 * held { left } else { held };
        let wanted = TARGET.saturating_sub(held).max(more).max(LEAST);
        // Room that is there already is used first.
        let spare = self.buffer.capacity() - self.buffer.len();
        match spare.checked_sub(EXCESS) {
            Some(spare) if spare >= LEAST => wanted.min(spare),
            _ => wanted,
        }
    }

    /// Number of bytes that can be appended without moving text or growing the window.
    pub(crate) fn spare(&self) -> usize {
        TARGET.saturating_sub(self.buffer.len())
    }

    /// Lets `append` add about `room` bytes to the text, after text that is no longer needed has been removed.
    pub(crate) fn append<T>(&mut self, room: usize, append: impl FnOnce(&mut String) -> T) -> T {
        // A window of a usual size grows with its text.
        let is_large = self.buffer.len() - self.start + room > TARGET;
        let needed = if is_large { room + EXCESS } else { 0 };
        let must_move = if is_large {
            self.buffer.capacity() - self.buffer.len() < needed
        } else {
            self.buffer.len() + room > TARGET
        };
        if self.start > 0 && (must_move || self.start >= self.buffer.len() / 2) {
            self.advance_cursor(self.offset());
            let from = self.start.saturating_sub(self.margin);
            let from = floor_char_boundary(&self.buffer, from);
            self.buffer.drain(..from);
            self.base += from as u64;
            self.start -= from;
        }
        // `reserve` would double the window, beyond what the largest entry needs.
        self.buffer.reserve_exact(needed);
        append(&mut self.buffer)
    }

    #[inline(never)]
    fn advance_cursor(&mut self, offset: u64) {
        // Only an entry that reaches beyond a stride has landmarks. When it has been passed, the cursor is moved here, so
        // its landmarks are never taken for those of the next.
        self.landmarks = OnceLock::new();
        let passed = self.between(self.cursor.place.byte, offset);
        self.cursor = self.cursor.moved(passed);
    }

    fn between(&self, from: u64, to: u64) -> &str {
        let index = |offset: u64| offset.saturating_sub(self.base) as usize;
        self.buffer.part(index(from)..index(to))
    }

    /// A cursor for positions in the text, in ascending order: `earlier`, a cursor of what came before the text, or the
    /// window's own, if that is farther.
    pub(crate) fn cursor_from(&self, earlier: Cursor) -> Cursor {
        if earlier.place.byte > self.cursor.place.byte {
            earlier
        } else {
            self.cursor
        }
    }

    /// Moves a cursor of this window forward to `at`, counted from the start of the text.
    pub(crate) fn locate(&self, cursor: &mut Cursor, at: usize, entry: u64) -> Position {
        let offset = (self.offset() + at as u64).min(self.end());
        let from = cursor.place.byte;
        *cursor = cursor.moved(self.between(from, offset.max(from)));
        Position {
            entry,
            ..cursor.place
        }
    }

    /// The position of one place, counted from the start of the text.
    pub(crate) fn position(&self, at: usize, entry: u64) -> Position {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let places = self.cursor.place.byte..=self.offset() + at as u64;
        if !places.contains(&latest.place.byte) {
            *latest = self.cursor;
        }
        self.locate(&mut latest, at, entry)
    }

    /// Like `excerpt`, if lines are kept.
    pub(crate) fn kept_excerpt(&self, position: Position, len: usize) -> Option<Box<Excerpt>> {
        let excerpt = (self.margin > 0).then(|| self.excerpt(position, len));
        excerpt?.map(Box::new)
    }

    /// The line of a place in the text, whose next `len` bytes are the offending text.
    pub(crate) fn excerpt(&self, position: Position, len: usize) -> Option<Excerpt> {
        if position.byte < self.offset() {
            return None;
        }
        let place = usize::try_from(position.byte - self.base).ok()?;
        let (before, behind) = self.buffer.split_at_checked(place)?;
        let from = floor_char_boundary(before, before.len().saturating_sub(excerpt::BEFORE));
        let near = before.get(from..)?;
        let line_end = memrchr2(b'\n', b'\r', near.as_bytes());
        let before = near.get(line_end.map_or(0, |end| end + 1)..)?;
        let is_cut_before = position.column > 1 + chars(before);
        let near = behind.get(..floor_char_boundary(behind, excerpt::BEHIND))?;
        let line_end = memchr2(b'\n', b'\r', near.as_bytes());
        let is_cut_behind = line_end.is_none() && near.len() < behind.len();
        let behind = near.get(..line_end.unwrap_or(near.len()))?;
        let (before, behind) = ((before, is_cut_before), (behind, is_cut_behind));
        Some(Excerpt::new(before, behind, len))
    }

    /// The position of one of many places that may be requested in any order; `last` is the last of them.
    pub(crate) fn position_of_many(&self, at: usize, last: usize, entry: u64) -> Position {
        let distance = self.offset() + at as u64 - self.cursor.place.byte;
        if distance < STRIDE {
            return self.position(at, entry);
        }
        let landmarks = self.landmarks.get_or_init(|| self.landmarks(last));
        let passed = distance as usize / INTERVAL;
        let nearest = landmarks.get(passed).or_else(|| landmarks.last());
        self.locate(&mut nearest.copied().unwrap_or(self.cursor), at, entry)
    }

    /// The places in the text up to `last`, each at most so far from the next, that lines are counted from.
    fn landmarks(&self, last: usize) -> Box<[Cursor]> {
        let mut cursor = self.cursor;
        let end = self.offset() + last as u64;
        let start = cursor.place.byte;
        let count = 1 + (end.saturating_sub(start) as usize) / INTERVAL;
        let mut landmarks = Vec::with_capacity(count);
        for number in 0..count {
            let next = start - self.base + (number * INTERVAL) as u64;
            let next = self.base + floor_char_boundary(&self.buffer, next as usize) as u64;
            cursor = cursor.moved(self.between(cursor.place.byte, next));
            landmarks.push(cursor);
        }
        landmarks.into()
    }
}

/// A place whose line and column are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor {
    place: Position,
    after_cr: bool,
}

/// The start of the text.
impl Default for Cursor {
    fn default() -> Self {
        let place = Position {
            byte: 0,
            line: 1,
            column: 1,
            entry: 0,
        };
        Self {
            place,
            after_cr: false,
        }
    }
}

impl Cursor {
    /// Returns the cursor after this text.
    fn moved(mut self, passed: &str) -> Self {
        let (bytes, place) = (passed.as_bytes(), &mut self.place);
        place.byte += bytes.len() as u64;
        if self.after_cr || memchr(b'\r', bytes).is_some() {
            return self.moved_over_cr(passed);
        }
        place.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        place.column = match memrchr(b'\n', bytes) {
            Some(last) => 1 + chars(passed.part(last + 1..)),
            None => place.column + chars(passed),
        };
        self
    }

    /// Like `moved`, character by character, because a `\r` before a `\n` is part of one line end.
    fn moved_over_cr(mut self, passed: &str) -> Self {
        for c in passed.chars() {
            match c {
                '\n' if self.after_cr => {}
                '\r' | '\n' => {
                    self.place.line += 1;
                    self.place.column = 1;
                }
                _ => self.place.column += 1,
            }
            self.after_cr = c == '\r';
        }
        self
    }
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_places_in_any_order_are_found() {
        let line = "<x:é a='\u{1D11E}'/>\r\n<x:b>ü</x:b>\n\r<x:c/>";
        for order in [|n, _| n, |n, len| len - 1 - n, |n, len| n * 7_919 % len] {
            let order: fn(usize, usize) -> usize = order;
            let mut window = Window::new(false);
            window.append(0, |out| {
                out.push_str("\n<url>é</url>\r");
                out.push_str(&line.repeat(500));
            });
            window.consume(14);
            let text = window.text().to_owned();
            let places: Vec<_> = text.match_indices('<').map(|(at, _)| at).collect();
            let last = *places.last().unwrap();
            for n in 0..places.len() {
                let at = places[order(n, places.len())];
                let expected = window.locate(&mut window.cursor.clone(), at, 7);
                assert_eq!(window.position_of_many(at, last, 7), expected, "{at}");
                assert_eq!(window.position(at, 7), expected, "{at}");
            }
            // The next requested place is in another entry.
            window.consume(places[places.len() / 2]);
            let at = last - places[places.len() / 2];
            assert_eq!(window.position_of_many(at, at, 8), window.position(at, 8));
        }
    }

    #[test]
    fn lines_end_with_lf_crlf_and_cr_however_the_text_is_cut() {
        let text = "a\r\nb\rc\nd\r\r\né!\n\nend";
        let mut whole = vec![];
        for cut in 0..=text.len() {
            if !text.is_char_boundary(cut) {
                continue;
            }
            let mut window = Window::new(false);
            window.append(0, |out| out.push_str(text));
            window.advance_cursor(cut as u64);
            let mut places = vec![];
            for (at, _) in text.char_indices().filter(|(at, _)| *at >= cut) {
                let p = window.position(at, 0);
                places.push((at, p.line, p.column));
            }
            if cut == 0 {
                whole = places.clone();
            }
            assert!(whole.ends_with(&places), "cut at {cut}");
        }
        let at = |needle: char| {
            let (_, line, column) = whole
                .iter()
                .find(|(at, ..)| text[*at..].starts_with(needle))
                .copied()
                .unwrap_or_default();
            (line, column)
        };
        assert_eq!(at('b'), (2, 1));
        assert_eq!(at('c'), (3, 1));
        assert_eq!(at('d'), (4, 1));
        assert_eq!(at('é'), (6, 1));
        assert_eq!(at('!'), (6, 2));
        assert_eq!(at('e'), (8, 1));
    }
}
