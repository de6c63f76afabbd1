//! The XML declaration, and the head of a document type declaration.

use super::step::{Step, fault};
use super::syntax::{Scanner, shown};

/// The reason of a fault that can be after the declaration, behind white space.
pub(crate) const UNCLOSED_DECLARATION: &str = "the XML declaration is not closed by `?>` here";

/// Reads the rest of an XML declaration after `<?xml`.
pub(super) fn xml_declaration(s: &mut Scanner<'_>) -> Step {
    let Some(version) = part(s, "version")? else {
        return fault(s.at, "the XML declaration does not begin with a version");
    };
    let minor = version.strip_prefix("1.");
    if !minor.is_some_and(|minor| minor.bytes().all(|b| b.is_ascii_digit())) {
        let reason = format!("`{}` is not a version of XML 1", shown(version));
        return fault(before(s, version), reason);
    }
    if let Some(label) = part(s, "encoding")?
        && !label.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        let reason = format!("`{}` is not the name of an encoding", shown(label));
        return fault(before(s, label), reason);
    }
    if let Some(word) = part(s, "standalone")?
        && !matches!(word, "yes" | "no")
    {
        return fault(before(s, word), "`standalone` is neither `yes` nor `no`");
    }
    s.space();
    if s.take("?>")? {
        return Ok(());
    }
    fault(s.at, UNCLOSED_DECLARATION)
}

/// The place of a value that has just been read.
fn before(s: &Scanner<'_>, value: &str) -> usize {
    s.at - 1 - value.len()
}

/// Reads `name="value"` with the white space before it, if it comes next.
fn part<'t>(s: &mut Scanner<'t>, name: &str) -> Step<Option<&'t str>> {
    let before = s.at;
    let is_apart = s.space();
    s.peek()?;
    if !is_apart || !s.take(name)? {
        s.at = before;
        return Ok(None);
    }
    s.space();
    let has_sign = s.take_byte(b'=')?;
    s.space();
    let quote = s.peek()?;
    if !has_sign || !matches!(quote, b'"' | b'\'') {
        return fault(s.at, format!("`{name}` without a value in quotes"));
    }
    s.at += 1;
    let start = s.at;
    while matches!(s.peek()?, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-') {
        s.at += 1;
    }
    if s.peek()? != quote {
        return fault(s.at, format!("the value of `{name}` is not valid here"));
    }
    let value = s.part(start, s.at);
    s.at += 1;
    Ok(Some(value))
}

/// Reads the rest of a document type declaration after `<!DOCTYPE`, up to the `[` of its internal subset or to its end.
/// Returns `true` if the subset begins.
pub(super) fn doctype(s: &mut Scanner<'_>) -> Step<bool> {
    let start = s.at;
    s.space();
    if s.any_name()?.is_none() {
        return fault(start, "the document type declaration has no name");
    }
    let is_apart = s.space();
    s.peek()?;
    let literals = match is_apart {
        true if s.take("SYSTEM")? => 1,
        true if s.take("PUBLIC")? => 2,
        _ => 0,
    };
    for _ in 0..literals {
        let is_apart = s.space();
        let quote = s.peek()?;
        if !is_apart || !matches!(quote, b'"' | b'\'') {
            let reason = "an identifier of the document type is not in quotes after white space";
            return fault(s.at, reason);
        }
        s.at += 1;
        while s.peek()? != quote {
            s.at += 1;
        }
        s.at += 1;
    }
    s.space();
    match s.peek()? {
        byte @ (b'[' | b'>') => {
            s.at += 1;
            Ok(byte == b'[')
        }
        _ => fault(s.at, "the document type declaration does not end here"),
    }
}

/// Reads the end of a document type declaration after its internal subset.
pub(super) fn end_of_doctype(s: &mut Scanner<'_>) -> Step {
    s.space();
    if s.take_byte(b'>')? {
        return Ok(());
    }
    fault(
        s.at,
        "the document type declaration does not end after its `]`",
    )
}
