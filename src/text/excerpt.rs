//! The part of a line that is kept for an issue or an error.

use std::ops::Range;

/// Maximum number of bytes of a line that are kept before a place.
pub(crate) const BEFORE: usize = 256;
/// Maximum number of bytes of a line that are kept from a place on.
pub(crate) const BEHIND: usize = 768;

/// A part of the line, with the range of the offending text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Excerpt {
    text: Box<str>,
    /// The range of the offending text in `text`.
    start: usize,
    end: usize,
}

/// Replaces text that is left out.
const LEFT_OUT: &str = "…";

impl Excerpt {
    /// Joins the parts of a line before a place and after it. Each flag is `true` if the line continues beyond the part. The
    /// first `len` bytes after the place are the offending text.
    pub(crate) fn new(
        (before, is_cut_before): (&str, bool),
        (behind, is_cut_behind): (&str, bool),
        len: usize,
    ) -> Self {
        let mark = |is_cut| if is_cut { LEFT_OUT } else { "" };
        let start = mark(is_cut_before).len() + before.len();
        let mut len = len.min(behind.len());
        while !behind.is_char_boundary(len) {
            len += 1;
        }
        let text = [mark(is_cut_before), before, behind, mark(is_cut_behind)].concat();
        // U+FFFF represents bytes that are invalid in the encoding. U+FFFD has the same length, so the range stays correct.
        Self {
            text: text.replace('\u{FFFF}', "\u{FFFD}").into(),
            start,
            end: start + len,
        }
    }

    pub(crate) fn parts(&self) -> (&str, Range<usize>) {
        (&self.text, self.start..self.end)
    }
}
