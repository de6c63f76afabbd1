//! Taking digits, letters and signs off the front of a text.

use super::w3c::{offset, pair};
use crate::text::span::TakePart;

/// The text that remains. Each method removes what it reads from the front. A method that returns `None` may have removed
/// a part of it, so the scan cannot be used any more.
pub(super) struct Scan<'t>(pub(super) &'t [u8]);

impl<'t> Scan<'t> {
    fn run(&mut self, belongs: fn(&u8) -> bool) -> &'t [u8] {
        let end = self.0.iter().position(|b| !belongs(b));
        let end = end.unwrap_or(self.0.len());
        let text = self.0;
        self.0 = text.part(end..);
        text.part(..end)
    }

    pub(super) fn digits(&mut self) -> &'t [u8] {
        self.run(u8::is_ascii_digit)
    }

    pub(super) fn letters(&mut self) -> &'t [u8] {
        self.run(u8::is_ascii_alphabetic)
    }

    /// Removes and returns the name of a day: letters, all bytes beyond ASCII, and `-` and `.` after the first byte.
    pub(super) fn word(&mut self) -> &'t [u8] {
        match self.0.first() {
            Some(b'-' | b'.') => &[],
            _ => self.run(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'.' | 0x80..)),
        }
    }

    /// Removes ASCII white space. Returns `true` if there was any.
    pub(super) fn spaces(&mut self) -> bool {
        !self.run(u8::is_ascii_whitespace).is_empty()
    }

    /// Removes `byte` if it is the first. Returns `true` if it was.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// A number of one or two digits.
    pub(super) fn number(&mut self) -> Option<u8> {
        number(self.digits())
    }

    /// Two digits after a colon, if there is one.
    fn after_colon(&mut self) -> Option<Option<u8>> {
        if !self.eat(b':') {
            return Some(None);
        }
        match *self.digits() {
            [tens, ones] => pair(tens, ones).map(Some),
            _ => None,
        }
    }

    /// Reads the rest of `5:06` or `05:06:07` after `hour`. Returns the hour, the minute and the second.
    pub(super) fn clock(&mut self, hour: &[u8]) -> Option<(u8, u8, Option<u8>)> {
        let hour = number(hour)?;
        Some((hour, self.after_colon()??, self.after_colon()?))
    }

    /// `+01`, `+0100` or `+01:00`.
    pub(super) fn offset(&mut self) -> Option<i16> {
        let (sign, rest) = self.0.split_first()?;
        self.0 = rest;
        match *self.digits() {
            [h1, h2, m1, m2] => offset(*sign, pair(h1, h2)?, pair(m1, m2)?),
            [h1, h2] => {
                let minutes = self.after_colon()?;
                offset(*sign, pair(h1, h2)?, minutes.unwrap_or(0))
            }
            _ => None,
        }
    }
}

fn number(digits: &[u8]) -> Option<u8> {
    match *digits {
        [ones] => pair(b'0', ones),
        [tens, ones] => pair(tens, ones),
        _ => None,
    }
}
