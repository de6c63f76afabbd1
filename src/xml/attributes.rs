//! The attributes of a start tag.

use std::collections::HashSet;
use std::hash::Hash;

use memchr::memchr;

use crate::text::search::{find, skip_blank};
use crate::text::span::Span;
use crate::xml::lexer::{is_space, name_len};
use crate::xml::references::{TextKind, decode};

/// The spans of the name and the value (without quotes) of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpeltAttribute {
    pub(crate) name: Span,
    pub(crate) value: Span,
}

impl SpeltAttribute {
    /// The value, without reports on it.
    pub(crate) fn decoded(&self, text: &str) -> String {
        let (mut value, kind) = (String::new(), TextKind::Attribute);
        decode(self.value.of(text), kind, &mut value, &mut |_, _| ());
        value
    }
}

/// The prefix that an attribute of this name declares (empty: the default namespace), if it is a declaration.
pub(crate) fn declared_prefix(name: &str) -> Option<&str> {
    match name.strip_prefix("xmlns")? {
        "" => Some(""),
        rest => rest.starts_with(':').then(|| rest.trim_start_matches(':')),
    }
}

/// The attributes in this part of a start tag, as raw text. `None` stands for an attribute without value or quotes, or for
/// anything else between the attributes.
pub(crate) fn attributes(text: &str, part: Span) -> impl Iterator<Item = Option<SpeltAttribute>> {
    let mut rest = part.bytes_of(text);
    std::iter::from_fn(move || {
        let (attribute, behind) = attribute(skip_blank(rest), part.end())?;
        rest = behind;
        Some(attribute)
    })
}

/// The attribute at the start of the text, which ends at `end`, and the text after it. An unquoted value ends with the
/// next white space.
fn attribute(start: &[u8], end: usize) -> Option<(Option<SpeltAttribute>, &[u8])> {
    let at = |rest: &[u8]| end - rest.len();
    let others = start.get(1..)?;
    let Some(len) = find(others, |b| {
        (b == b'=') | (b == b' ') | (b == b'\n') | (b == b'\t') | (b == b'\r')
    }) else {
        return Some((None, &[]));
    };
    let (name, behind) = start.split_at_checked(1 + len)?;
    let behind = skip_blank(behind);
    let Some(value) = behind.strip_prefix(b"=") else {
        return Some((None, behind));
    };
    let value = skip_blank(value);
    let [quote @ (b'"' | b'\''), inside @ ..] = value else {
        let len = value.iter().position(|byte| is_space(*byte));
        return Some((None, value.get(len.unwrap_or(value.len())..)?));
    };
    let Some(len) = memchr(*quote, inside) else {
        return Some((None, &[]));
    };
    let attribute = SpeltAttribute {
        name: Span::new(at(start), at(start) + name.len()),
        value: Span::new(at(inside), at(inside) + len),
    };
    let is_usual = name_len(name) == name.len();
    Some((is_usual.then_some(attribute), inside.get(len + 1..)?))
}

/// Maximum number of attributes that are compared one by one.
const FEW: usize = 8;

/// Returns `true` if two attributes of an element have the same name.
pub(crate) fn has_duplicates<A, N: Eq + Hash>(attributes: &[A], name: impl Fn(&A) -> N) -> bool {
    if attributes.len() <= FEW {
        let mut rest = attributes;
        while let [own, others @ ..] = rest {
            if others.iter().any(|other| name(own) == name(other)) {
                return true;
            }
            rest = others;
        }
        return false;
    }
    let mut seen = HashSet::with_capacity(attributes.len());
    !attributes
        .iter()
        .all(|attribute| seen.insert(name(attribute)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_found_and_breakage_is_told() {
        for (inside, expected) in [
            ("", &[][..]),
            (" \t\r\n", &[]),
            (
                " b='1' x:c = \"2>\"\nd\t=\r'\"'",
                &[Some(("b", "1")), Some(("x:c", "2>")), Some(("d", "\""))],
            ),
            // Without white space between them.
            ("b='1'c=\"2\"", &[Some(("b", "1")), Some(("c", "2"))]),
            // Without a value, quotes or an end.
            (" a b='1'", &[None, Some(("b", "1"))]),
            (" a", &[None]),
            (" a ", &[None]),
            (" a=", &[None]),
            (" a= ", &[None]),
            (" a=1 b='2'", &[None, Some(("b", "2"))]),
            (" a=1", &[None]),
            (" a=1'x y' b='2'", &[None, None, Some(("b", "2"))]),
            (" a='1 b=\"2\"", &[None]),
            // Without a name.
            (" ='1' b='2'", &[None, Some(("b", "2"))]),
            (" = '1' b='2'", &[None, None, Some(("b", "2"))]),
            (" 1='1' b='2'", &[None, Some(("b", "2"))]),
            (" a\"='1' é='2'", &[None, Some(("é", "2"))]),
        ] {
            let text = format!("<a{inside}>");
            let found: Vec<_> = attributes(&text, Span::new(2, text.len() - 1))
                .map(|a| a.map(|a| (a.name.of(&text), a.value.of(&text))))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    proptest::proptest! {
        /// quick-xml finds the same attributes, and continues at the same place after a broken one.
        #[test]
        fn quick_xml_finds_the_same(parts in proptest::collection::vec(proptest::sample::select(
            vec!["a", "é", "x:b", "=", "'", "\"", " ", "\n", "1", "&amp;"]), 0..30))
        {
            let text = format!("<a{}>", parts.concat());
            let span = Span::new(2, text.len() - 1);
            let found: Vec<_> = attributes(&text, span)
                .map(|a| a.map(|a| (a.name.of(&text), a.value.of(&text))))
                .collect();
            let mut others = quick_xml::events::attributes::Attributes::new(span.of(&text), 0);
            others.with_checks(false);
            let others: Vec<_> = others
                .map(|a| a.ok().map(|a| (a.key.0.to_owned(), a.value.into_owned())))
                .map(|a| a.filter(|(name, _)| name_len(name.as_bytes()) == name.len() && !name.is_empty()))
                .collect();
            let found: Vec<_> = found.iter().map(|a| a.map(|(n, v)| (n.to_owned(), v.to_owned()))).collect();
            proptest::prop_assert_eq!(found, others, "{}", text);
        }
    }
}
