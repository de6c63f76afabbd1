//! Appending values to XML: characters that must be escaped in texts and attributes, and characters that cannot be written.

use crate::text::search::find;
use crate::violation::{Rule, Violation, spelt_code_point};

/// A value that appends itself, escaped, after checking that it can be written.
pub(crate) trait XmlValue {
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation>;
}

impl XmlValue for str {
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation> {
        escape(out, self, place)
    }
}

/// ASCII letters, digits and hyphens, which need no escapes.
pub(crate) struct Plain<'t>(pub(crate) &'t str);

impl XmlValue for Plain<'_> {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        out.extend_from_slice(self.0.as_bytes());
        Ok(())
    }
}

/// The place for which a text is escaped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum EscapeIn {
    Text,
    Attribute,
}

/// Bytes that may need escaping. 0xEF is included because it starts U+FFFE and U+FFFF.
const fn is_special(b: u8) -> bool {
    // Without `||`, so that no branch keeps this from being vector code.
    (b < 0x20) | (b == b'"') | (b == b'&') | (b == b'\'') | (b == b'<') | (b == b'>') | (b == 0xEF)
}

/// Appends a text so that a parser returns the same text.
pub(crate) fn escape(out: &mut Vec<u8>, text: &str, place: EscapeIn) -> Result<(), Violation> {
    let mut rest = text;
    while let Some((copied, tail)) =
        find(rest.as_bytes(), is_special).and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(copied.as_bytes());
        let mut chars = tail.chars();
        let Some(c) = chars.next() else { break };
        let mut utf8 = [0; 4];
        let written = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&apos;",
            // Parsers turn these into LF or a space if they are not escaped.
            '\r' => "&#13;",
            '\n' if place == EscapeIn::Attribute => "&#10;",
            '\t' if place == EscapeIn::Attribute => "&#9;",
            '\0'..' ' | '\u{FFFE}' | '\u{FFFF}' if !matches!(c, '\n' | '\t') => {
                return Err(Violation::new(Rule::InvalidCharacter, &spelt_code_point(c)));
            }
            _ => c.encode_utf8(&mut utf8),
        };
        out.extend_from_slice(written.as_bytes());
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(())
}
