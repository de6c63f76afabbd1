//! The attributes of a start tag.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;

use quick_xml::events::attributes::Attributes;

use crate::text::span::Span;
use crate::xml::lexer::name_len;
use crate::xml::references;

/// The spans of the name and the value (without quotes) of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpeltAttribute {
    pub(crate) name: Span,
    pub(crate) value: Span,
}

impl SpeltAttribute {
    /// The value, without reports on it.
    pub(crate) fn decoded(&self, text: &str) -> String {
        let mut value = String::new();
        references::decode(
            self.value.of(text),
            references::TextKind::Attribute,
            &mut value,
            &mut |_, _| (),
        );
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
    let mut inner = Attributes::new(part.of(text), 0);
    // quick-xml compares each attribute with all before it, which takes quadratic time.
    inner.with_checks(false);
    let span = |part: &str| {
        let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        Span::from(start, part)
    };
    inner.map(move |attribute| {
        let attribute = attribute.ok()?;
        let name = attribute.key.0;
        let Cow::Borrowed(value) = attribute.value else {
            return None;
        };
        if name.is_empty() || name_len(name.as_bytes()) != name.len() {
            return None;
        }
        let (name, value) = (span(name), span(value));
        Some(SpeltAttribute { name, value })
    })
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
        let text = "<a b='1' x:c = \"2>\" d e=3 f='4'>";
        let found: Vec<_> = attributes(text, Span::new(2, text.len() - 1))
            .map(|a| a.map(|a| (a.name.of(text), a.value.of(text))))
            .collect();
        assert_eq!(found[..2], [Some(("b", "1")), Some(("x:c", "2>"))]);
        assert!(found.contains(&None));
        assert!(found.contains(&Some(("f", "4"))), "{found:?}");
    }
}
