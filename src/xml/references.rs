//! Decoding of text in XML: references, line ends, and characters that XML forbids.

use crate::text::search::{find, is_name_byte, may_be_forbidden};
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::xml::lexer::name_len;

/// The place of a text, which decides which characters are special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Content,
    CData,
    Attribute,
}

/// A violation of the rules of XML in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding<'t> {
    /// An `&` that begins no reference, with the rest of the text.
    BareAmpersand(&'t str),
    /// A named reference that XML does not define, with its `&` and `;`.
    UnknownEntity(&'t str),
    /// A reference to a character that XML forbids, with its `&` and `;`.
    ForbiddenReference(&'t str),
    /// A character that XML forbids: the first of a run of them.
    ForbiddenCharacter(char),
}

/// Returns `true` if this part of a text differs from its decoded form.
pub(crate) fn is_encoded(text: &str, part: Span, kind: TextKind) -> bool {
    let (text, has_references) = (part.of(text), kind != TextKind::CData);
    let found = find(text.as_bytes(), |b| {
        ((b == b'&') & has_references) | may_be_forbidden(b)
    });
    let rest = found.and_then(|at| text.get(at..));
    rest.is_some_and(|rest| {
        let is_special = |c| match c {
            '&' => has_references,
            '\n' | '\t' => kind == TextKind::Attribute,
            '\r' => true,
            c => is_forbidden(c),
        };
        rest.contains(is_special)
    })
}

/// Returns `true` if XML 1.0 forbids this character. (Surrogates cannot occur in a `str`.)
pub(crate) const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

/// Appends the decoded text: references are resolved, line ends become LF, and forbidden characters become U+FFFD. An `&`
/// that begins no reference stays as it is. `found` is called with the offset in `raw` of each finding.
pub(crate) fn decode<'t>(
    raw: &'t str,
    kind: TextKind,
    out: &mut String,
    found: &mut dyn FnMut(usize, Finding<'t>),
) {
    let mut rest = raw;
    let mut in_forbidden_run = false;
    while let Some(c) = rest.chars().next() {
        let here = raw.len() - rest.len();
        let was_forbidden = std::mem::take(&mut in_forbidden_run);
        let len = match c {
            '&' if kind != TextKind::CData => {
                let (c, len, finding) = reference(rest);
                if let Some(finding) = finding {
                    found(here, finding);
                }
                out.push(c);
                len
            }
            '\r' => {
                out.push(if kind == TextKind::Attribute {
                    ' '
                } else {
                    '\n'
                });
                1 + usize::from(rest.as_bytes().get(1) == Some(&b'\n'))
            }
            '\n' | '\t' if kind == TextKind::Attribute => {
                out.push(' ');
                1
            }
            c if is_forbidden(c) => {
                if !was_forbidden {
                    found(here, Finding::ForbiddenCharacter(c));
                }
                in_forbidden_run = true;
                out.push(char::REPLACEMENT_CHARACTER);
                c.len_utf8()
            }
            c => {
                let first = c.len_utf8();
                let behind = rest.as_bytes().part(first..);
                let plain = find(behind, |b| (b == b'&') | may_be_forbidden(b));
                let len = plain.map_or(rest.len(), |plain| first + plain);
                out.push_str(rest.part(..len));
                len
            }
        };
        rest = rest.part(len..);
    }
}

/// The character that the reference at the start represents, the length of the reference, and the violation, if there is
/// one. An `&` that begins no reference represents itself.
fn reference(rest: &str) -> (char, usize, Option<Finding<'_>>) {
    if let Some((c, len)) = known_reference(rest) {
        return (c, len, None);
    }
    let (name, whole) = spelt_reference(rest);
    let is_reference = whole.ends_with(';');
    if is_reference && name_len(name.as_bytes()) == name.len() && !name.is_empty() {
        return ('&', 1, Some(Finding::UnknownEntity(whole)));
    }
    match code_point(name).filter(|_| is_reference) {
        None => ('&', 1, Some(Finding::BareAmpersand(rest))),
        Some(number) => {
            let c = char::from_u32(number).filter(|c| !is_forbidden(*c));
            let finding = c.is_none().then_some(Finding::ForbiddenReference(whole));
            (
                c.unwrap_or(char::REPLACEMENT_CHARACTER),
                whole.len(),
                finding,
            )
        }
    }
}

/// The references by name that XML defines.
const NAMED: [(&str, char); 5] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&apos;", '\''),
];

/// Longer names are those of no reference.
const LONGEST_NAME: usize = 256;

/// The name of a reference, and the complete reference, with its `;` if it has one.
fn spelt_reference(rest: &str) -> (&str, &str) {
    let name = rest.part(1..);
    let len = name
        .bytes()
        .take(LONGEST_NAME)
        .take_while(|b| is_name_byte(*b) || *b == b'#')
        .count();
    // The bound is one of bytes, and a name can have longer characters.
    let len = floor_char_boundary(name, len);
    // The text can end with the name, and a longer character can follow the name.
    let whole = rest.get(..len + 2).unwrap_or_default();
    (name.part(..len), whole)
}

/// The character that the reference at the start represents, and the length of the reference, or `None` if XML does not
/// define it.
pub(crate) fn known_reference(rest: &str) -> Option<(char, usize)> {
    if let Some((reference, c)) = NAMED.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((*c, reference.len()));
    }
    let (name, whole) = rest.starts_with("&#").then(|| spelt_reference(rest))?;
    let number = code_point(name).filter(|_| whole.ends_with(';') && !name.starts_with("#X"))?;
    let c = char::from_u32(number).filter(|c| !is_forbidden(*c))?;
    Some((c, whole.len()))
}

/// The number in `#38` or `#x26`; `u32::MAX` for one that is larger than any character's.
fn code_point(name: &str) -> Option<u32> {
    let number = name.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(u32::from_str_radix(digits, radix).unwrap_or(u32::MAX))
}
