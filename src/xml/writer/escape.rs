//! Characters that must be escaped in texts and attributes, and characters that cannot be written.

use crate::text::search::find;
use crate::violation::{Rule, Violation, spelt_code_point};
use crate::xml::wellformed::is_name;

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

/// Appends a text so that a parser finds it as it is.
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

pub(super) fn malformed(found: &str, detail: &'static str) -> Violation {
    Violation::with_detail(Rule::MalformedMarkup, found, detail)
}

/// Rejects a text that is not an XML name, or that contains a colon.
pub(super) fn check_name(name: &str) -> Result<(), Violation> {
    if is_name(name) {
        Ok(())
    } else {
        Err(malformed(name, "not an XML name"))
    }
}

/// Returns `true` if this is a URI or a relative reference by RFC 3986, as XML requires of a namespace.
pub(super) fn is_uri(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let path = match text.split_once(':') {
        Some((scheme, rest)) if !scheme.contains('/') => {
            let mut bytes = scheme.bytes();
            let is_scheme = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
                && bytes.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
            if !is_scheme {
                return false;
            }
            rest
        }
        _ => text,
    };
    let path = match path.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None => path,
    };
    is_of_uri(path, b":@/") && is_of_uri(query, b":@/?") && is_of_uri(fragment, b":@/?")
}

/// `user@host:port`; the host may be an address in brackets.
fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if !port.as_bytes().contains(&b']') => (host, port),
        _ => (host, ""),
    };
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    port.bytes().all(|b| b.is_ascii_digit())
        && is_of_uri(user, b":")
        && address.map_or_else(|| is_of_uri(host, b""), |address| is_of_uri(address, b":"))
}

/// Returns `true` if a part of a URI contains only characters that are allowed in every part, escapes included, and
/// these signs.
fn is_of_uri(part: &str, signs: &[u8]) -> bool {
    let mut rest = part.as_bytes();
    loop {
        rest = match rest {
            [] => return true,
            [b'%', a, b, behind @ ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => behind,
            [b, behind @ ..]
                if b.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=".contains(b)
                    || signs.contains(b) =>
            {
                behind
            }
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn what_a_namespace_may_be() {
        for text in [
            "",
            "urn:x",
            "x",
            "#",
            "?",
            "//a",
            "http://",
            "%41",
            "http://u:p@[::1]:80/a;b=c/?d/e?#f/?",
            "http://[::1]/",
            "http://www.google.com/schemas/sitemap-image/1.1",
            "tag:a@b,2024:c",
            "a/b:c",
        ] {
            assert!(is_uri(text), "{text}");
        }
        for text in [
            "<b>",
            " a ",
            "\u{7F}",
            "urn:\u{FC}",
            "a%",
            "a%zz",
            "http://[::1",
            "a b",
            "{a}",
            "a|b",
            "a^b",
            "\\",
            "a#b#c",
            "http://a/[b]",
            ":a",
            "1:a",
            "http://a:b/",
            "http://[u@h/",
            "http://[::^]/",
            "a?b[c",
            "a#b[c",
        ] {
            assert!(!is_uri(text), "{text}");
        }
    }
}
