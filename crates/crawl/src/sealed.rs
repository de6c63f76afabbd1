//! Stored texts whose last line has the number of lines before it and a digest, so a text that was cut or changed is an error.

use std::fmt;
use std::str::Lines;

use flate2::Crc;

use super::identity::ParseError;

/// Writes these lines, and the seal as the last line, which has no line break at its end.
pub(super) fn seal(out: &mut fmt::Formatter<'_>, lines: &str) -> fmt::Result {
    let mut digest = Crc::new();
    digest.update(lines.as_bytes());
    let (count, digest) = (lines.lines().count(), digest.sum());
    write!(out, "{lines}end {count} {digest:08x}")
}

/// Reads a text whose first line is `version`. `parse` gets the lines after it. The value is only returned if it is written as
/// this same text, so every line was understood and the seal is right.
pub(super) fn unseal<T: fmt::Display>(
    text: &str,
    version: &str,
    parse: impl FnOnce(&mut Lines<'_>) -> Option<T>,
) -> Result<T, ParseError> {
    let mut lines = text.lines();
    if lines.next() != Some(version) {
        return Err(ParseError("the text has another version"));
    }
    let value = parse(&mut lines).filter(|value| value.to_string() == text);
    value.ok_or(ParseError("the text was cut or changed"))
}
