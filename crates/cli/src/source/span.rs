//! A place in a file, and the line that it is on.

use std::ops::Range;

use quick_sitemap::Position;
use serde_json::json;

/// A line, and the range of the offending text. `…` replaces a part that is left out at either end.
pub(crate) type MarkedLine = (String, Range<usize>);

/// Bytes that are kept of the line of a row.
const LONGEST: usize = 1 << 10;
/// Replaces a part that is left out, as in the library.
pub(crate) const LEFT_OUT: char = '…';

/// A part of a file: a value, a start tag, a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceSpan {
    pub(crate) position: Position,
    /// Bytes from there on.
    pub(crate) len: usize,
}

impl SourceSpan {
    /// The line on which a row begins. `entry` is its number, from 1.
    pub(crate) fn of_row(byte: u64, line: u64, entry: u64) -> Option<Self> {
        Some(Self {
            position: position(byte, line, 1, entry)?,
            // To the end of the line.
            len: usize::MAX,
        })
    }
}

/// A position that is not from the library, which makes them only for what it has read itself, and from their JSON.
pub(crate) fn position(byte: u64, line: u64, column: u64, entry: u64) -> Option<Position> {
    let position = json!({ "byte": byte, "line": line, "column": column, "entry": entry });
    serde_json::from_value(position).ok()
}

/// The line with which these bytes begin, all of which is meant. The bytes may end before the line does.
pub(crate) fn first_line(bytes: &[u8]) -> MarkedLine {
    let line = bytes
        .iter()
        .take_while(|byte| !matches!(byte, b'\n' | b'\r'));
    let mut line: Vec<u8> = line.take(LONGEST + 1).copied().collect();
    let is_cut = line.len() > LONGEST;
    line.truncate(LONGEST);
    let mut text = String::from_utf8_lossy(&line).into_owned();
    let end = text.len();
    if is_cut {
        text.push(LEFT_OUT);
    }
    (text, 0..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_row_is_bounded() {
        assert_eq!(first_line(b"a,b\r\nc"), ("a,b".to_owned(), 0..3));
        let (line, span) = first_line("é".repeat(1_000).as_bytes());
        assert_eq!((line.len(), span), (LONGEST + 3, 0..LONGEST));
        assert!(line.ends_with(LEFT_OUT));
    }
}
