//! Text that XML forbids in names, comments, processing instructions and declarations.
//!
//! Nothing that is read depends on these rules, so a violation is reported and costs nothing.

use memchr::memchr_iter;

use crate::text::span::TakePart;
use crate::xml::construct::DECLARATION;
use crate::xml::lexer::{is_space, name_at, split_name};

/// The namespace of the prefix `xml`.
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespace of the prefix `xmlns`, which nothing may be bound to.
pub(crate) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// Details of the violations that have no rule of their own.
pub(crate) mod detail {
    pub(crate) const HYPHENS: &str = "two hyphens in a comment";
    pub(crate) const SECTION_END: &str = "`]]>` in a text";
    pub(crate) const REFERENCE: &str = "a hexadecimal reference begins with a small x";
    pub(crate) const TARGET: &str = "a processing instruction without a valid name";
    pub(crate) const RESERVED: &str = "the name xml is reserved";
    pub(crate) const NO_SPACE: &str = "white space is missing";
    pub(crate) const DECLARATION: &str = "not a valid XML declaration";
    pub(crate) const LATE_DECLARATION: &str = "an XML declaration after the start";
    pub(crate) const NAME: &str = "not a valid name";
    pub(crate) const TWICE: &str = "two attributes with one name";
    pub(crate) const BINDING: &str = "not a valid namespace declaration";
    pub(crate) const DOCTYPE: &str = "not a valid document type declaration";
    pub(crate) const OUTERMOST: &str = "something stands before the outermost element";
    pub(crate) const UNCLOSED: &str = "never closed";
}

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

/// Returns `true` if XML has such a name without a colon.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

/// Returns `true` if XML has such a name, which may have a prefix.
pub(crate) fn is_qualified_name(name: &str) -> bool {
    let (prefix, local) = split_name(name);
    is_name(local) && (prefix.len() + local.len() == name.len() || is_name(prefix))
}

/// Returns `true` if a prefix (empty: the default namespace) may be bound to a URI.
pub(crate) fn may_bind(prefix: &str, uri: &str) -> bool {
    let is_of_xml = prefix == "xml";
    prefix != "xmlns"
        && uri != XMLNS
        && is_of_xml == (uri == XML)
        && (prefix.is_empty() || !uri.is_empty())
}

/// Returns the place of the first two hyphens in a comment. `behind` is the content and up to two bytes more, which can
/// be the end of the comment.
pub(crate) fn hyphens(behind: &[u8]) -> Option<usize> {
    let mut hyphens = memchr_iter(b'-', behind);
    hyphens.find(|at| {
        let next = behind.part(at + 1..);
        matches!(next, [b'-', last, ..] if *last != b'>')
    })
}

/// Returns what is wrong with the processing instruction at the start of the text, as far as its name shows it.
pub(crate) fn of_instruction(text: &str) -> Option<&'static str> {
    let name = name_at(text, 2);
    let behind = text.part(2 + name.len()..);
    if !is_name(name) {
        Some(detail::TARGET)
    } else if name.eq_ignore_ascii_case("xml") {
        Some(detail::RESERVED)
    } else if behind.starts_with("?>") || behind.bytes().next().is_none_or(is_space) {
        None
    } else {
        Some(detail::NO_SPACE)
    }
}

/// Returns `true` if this is a complete XML declaration: a version, an encoding, a word about other files, in this order.
pub(crate) fn is_valid_declaration(text: &str) -> bool {
    let inside = text.strip_prefix(DECLARATION);
    let Some(mut rest) = inside.and_then(|inside| inside.strip_suffix("?>")) else {
        return false;
    };
    let version = part_of_declaration(&mut rest, "version");
    let digits = version.and_then(|version| version.strip_prefix("1."));
    let encoding = part_of_declaration(&mut rest, "encoding").unwrap_or("a");
    let standalone = part_of_declaration(&mut rest, "standalone").unwrap_or("no");
    digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
        && encoding.starts_with(|c: char| c.is_ascii_alphabetic())
        && encoding
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        && matches!(standalone, "yes" | "no")
        && rest.bytes().all(is_space)
}

/// Takes `name="value"` and the white space before it, and returns the value.
fn part_of_declaration<'t>(rest: &mut &'t str, name: &str) -> Option<&'t str> {
    let trimmed =
        |text: &'t str| text.trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
    let start = trimmed(rest);
    if start.len() == rest.len() {
        return None;
    }
    let behind = trimmed(trimmed(start.strip_prefix(name)?).strip_prefix('=')?);
    let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, behind) = behind.part(1..).split_once(quote)?;
    *rest = behind;
    Some(value)
}

/// Bytes of a document type declaration that are looked into.
const LONGEST_DOCTYPE: usize = 4 << 10;

/// The entities that a document type declaration declares, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    /// The declaration after `<!DOCTYPE`, while it is read.
    text: String,
    names: Vec<Box<str>>,
    /// There may be others, in an external subset or because the declaration is too long.
    may_be_any: bool,
}

impl Entities {
    /// Adds a part of the declaration.
    pub(crate) fn add(&mut self, part: &str) {
        if self.text.len() + part.len() > LONGEST_DOCTYPE {
            self.may_be_any = true;
        }
        if !self.may_be_any {
            self.text.push_str(part);
        }
    }

    /// The declaration has ended. Returns `true` if it is a valid one, as far as that is judged.
    pub(crate) fn end(&mut self) -> bool {
        let text = std::mem::take(&mut self.text);
        if self.may_be_any {
            return true;
        }
        let (head, subset) = match text.split_once('[') {
            Some((head, subset)) => (head, subset),
            None => (text.trim_end_matches('>'), ""),
        };
        let mut declared: Vec<Box<str>> = subset
            .split("<!ENTITY")
            .skip(1)
            .map(|rest| name_at(rest.trim_start(), 0).into())
            .collect();
        declared.sort_unstable();
        self.names = declared;
        if head.matches(['"', '\'']).count() % 2 == 1 {
            // The apparent subset is a part of a literal.
            self.may_be_any = true;
            return true;
        }
        let head = head.trim_start();
        let name = name_at(head, 0);
        let external = head.part(name.len()..).trim();
        self.may_be_any = !external.is_empty() || subset.contains('%');
        let literals = match external.split_at_checked("PUBLIC".len()) {
            _ if external.is_empty() => Some(0),
            Some(("PUBLIC", rest)) => literals(rest).map(|found| 2 - found.min(2)),
            Some(("SYSTEM", rest)) => literals(rest).map(|found| usize::from(found != 1)),
            _ => None,
        };
        !name.is_empty() && literals == Some(0)
    }

    /// Returns `true` if a reference `&name;` may be declared.
    pub(crate) fn may_declare(&self, name: &str) -> bool {
        let found = self.names.binary_search_by(|known| (**known).cmp(name));
        self.may_be_any || found.is_ok()
    }
}

/// Returns the number of literals, each with white space before it, or `None` if there is something else.
fn literals(text: &str) -> Option<usize> {
    let mut rest = text;
    let mut found = 0;
    while !rest.is_empty() {
        let start = rest.trim_start();
        let quote = start.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        if start.len() == rest.len() {
            return None;
        }
        (_, rest) = start.part(1..).split_once(quote)?;
        found += 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        for (text, expected) in [
            ("<?xml version=\"1.0\"?>", true),
            (
                "<?xml version = '1.1' encoding='utf-8'\nstandalone=\"no\" ?>",
                true,
            ),
            ("<?xml version='1.0' standalone='yes'?>", true),
            ("<?xml ?>", false),
            ("<?xml encoding='utf-8'?>", false),
            ("<?xml version='2.0'?>", false),
            ("<?xml version='1.0x'?>", false),
            ("<?xml version='1.0'encoding='utf-8'?>", false),
            ("<?xml encoding='utf-8' version='1.0'?>", false),
            ("<?xml version='1.0' encoding=''?>", false),
            ("<?xml version='1.0' encoding='8'?>", false),
            (
                "<?xml version='1.0' encoding=\u{201D}utf-8\u{201D}?>",
                false,
            ),
            ("<?xml version='1.0' standalone='maybe'?>", false),
            ("<?xml version='1.0\" encoding='utf-8'?>", false),
            ("<?xml version='1.0' a='b'?>", false),
            ("<?xml version='1.0' / ?>", false),
            ("<?xml version='1.0'>", false),
        ] {
            assert_eq!(is_valid_declaration(text), expected, "{text}");
        }
    }

    #[test]
    fn names() {
        for name in ["a", "a:b", "_", "é:é", "a-1.b", "a\u{B7}"] {
            assert!(is_qualified_name(name), "{name}");
        }
        for name in [
            "",
            "a:",
            ":a",
            ":",
            "a:b:c",
            "1a",
            "a:1",
            "a\u{D7}",
            "\u{B7}a",
            "a\u{FFFF}",
        ] {
            assert!(!is_qualified_name(name), "{name}");
        }
    }

    #[test]
    fn what_a_doctype_declares() {
        for (text, declares, is_valid) in [
            (" urlset>", "", true),
            (" a SYSTEM 'x'>", "b c", true),
            (" a PUBLIC \"x\" 'y' >", "b c", true),
            (" a [<!ENTITY b 'd'><!ENTITY  e SYSTEM 'f'>]>", "b e", true),
            (" a [<!ENTITY % p 'q'>]>", "b c", true),
            (" >", "", false),
            (" a b>", "b c", false),
            (" a SYSTEM>", "b c", false),
            (" a PUBLIC 'x'>", "b c", false),
            (" a SYSTEM 'x'y>", "b c", false),
        ] {
            let mut entities = Entities::default();
            entities.add(text.part(..1));
            entities.add(text.part(1..));
            assert_eq!(entities.end(), is_valid, "{text}");
            for name in ["b", "c", "e"] {
                let expected = declares.contains(name) || declares == "b c";
                assert_eq!(entities.may_declare(name), expected, "{name} of {text}");
            }
        }
        let mut long = Entities::default();
        long.add(&" ".repeat(LONGEST_DOCTYPE));
        long.add(" ");
        assert!(long.end() && long.may_declare("b"));
    }
}
