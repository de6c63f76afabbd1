//! Stored texts whose last line has the number of lines before it and a digest, so a text that was cut or changed is an error.

use std::fmt;
use std::str::Lines;

use flate2::Crc;

use super::identity::ParseError;

/// Passes text on to a formatter, and counts its lines and computes its digest.
struct Sealing<'f, 'a> {
    out: &'f mut fmt::Formatter<'a>,
    lines: u64,
    digest: Crc,
}

impl fmt::Write for Sealing<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.lines += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.digest.update(text.as_bytes());
        self.out.write_str(text)
    }
}

/// Writes the lines that `body` writes, and the seal as the last line, which has no line break at its end.
pub(super) fn seal(
    out: &mut fmt::Formatter<'_>,
    body: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> fmt::Result {
    let mut sealing = Sealing {
        out,
        lines: 0,
        digest: Crc::new(),
    };
    body(&mut sealing)?;
    let (lines, digest) = (sealing.lines, sealing.digest.sum());
    write!(out, "end {lines} {digest:08x}")
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
