//! The names that XML has.

use crate::violation::{Rule, Violation};

/// The namespace of the prefix `xml`.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespace of the prefix `xmlns`, which nothing may be bound to.
pub(crate) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

const fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

const fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Rejects a text that is not an XML name, or that contains a colon.
pub(super) fn check_name(name: &str) -> Result<(), Violation> {
    let is_name = is_name(name).then_some(());
    is_name.ok_or_else(|| malformed(name, "not an XML name"))
}

pub(super) fn malformed(found: &str, detail: &'static str) -> Violation {
    Violation::with_detail(Rule::MalformedMarkup, found, detail)
}

/// Returns `true` if XML has such a name without a colon.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a", "_", "é", "a-1.b", "a\u{B7}"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "a:b", "1a", "-", "a\u{D7}", "\u{B7}a", "a\u{FFFF}"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
