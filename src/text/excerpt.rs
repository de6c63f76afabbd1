//! The line of an issue or an error, as far as it is kept.

use std::ops::Range;

/// Maximum number of bytes of a line that are kept before a place.
pub(crate) const BEFORE: usize = 256;
/// Maximum number of bytes of a line that are kept from a place on.
pub(crate) const BEHIND: usize = 768;

/// A part of a line, as it is in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineParts<'t> {
    /// The text before the place; at most [`BEFORE`] bytes.
    pub(crate) before: &'t str,
    /// `true` if the line begins before `before`.
    pub(crate) is_cut_before: bool,
    /// The text after the place; at most [`BEHIND`] bytes.
    pub(crate) behind: &'t str,
    /// `true` if the line continues after `behind`.
    pub(crate) is_cut_behind: bool,
}

/// A part of the line, with the range of the offending text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Excerpt {
    text: Box<str>,
    /// The range of the offending text in `text`.
    start: usize,
    end: usize,
}

/// Replaces text that is left out.
const LEFT_OUT: char = '…';

impl Excerpt {
    /// The first `len` bytes after the place are the offending text.
    pub(crate) fn new(line: LineParts<'_>, len: usize) -> Self {
        let mut text = String::new();
        if line.is_cut_before {
            text.push(LEFT_OUT);
        }
        text.push_str(line.before);
        let start = text.len();
        text.push_str(line.behind);
        let mut end = text.len().min(start.saturating_add(len));
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if line.is_cut_behind {
            text.push(LEFT_OUT);
        }
        // U+FFFF has the same length, and represents bytes that are not in the encoding.
        let text = text.replace('\u{FFFF}', "\u{FFFD}");
        Self {
            text: text.into(),
            start,
            end,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_parts(self) -> (String, Range<usize>) {
        (self.text.into(), self.start..self.end)
    }

    pub(crate) const fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}
