//! The attributes of a start tag.

use std::collections::HashSet;
use std::hash::Hash;

use quick_xml::events::attributes::Attributes;

use crate::text::span::Span;
use crate::xml::lexer::{Tag, is_space, name_len};
use crate::xml::references;

/// The attributes of a start tag, as raw text.
pub(crate) struct SpeltAttributes<'t> {
    text: &'t str,
    inner: Attributes<'t>,
}

/// The spans of the name and the value (without quotes) of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpeltAttribute {
    pub(crate) name: Span,
    pub(crate) value: Span,
    /// `true` if there is white space before it.
    pub(crate) is_apart: bool,
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

/// An attribute without value or quotes, or anything else between the attributes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenAttribute;

impl<'t> SpeltAttributes<'t> {
    pub(crate) fn new(text: &'t str, tag: &Tag) -> Self {
        let mut inner = Attributes::new(tag.attributes.of(text), 0);
        // quick-xml compares each attribute with all before it, which takes quadratic time.
        inner.with_checks(false);
        Self { text, inner }
    }

    fn span(&self, part: &str) -> Span {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Span::new(start, start + part.len())
    }
}

impl Iterator for SpeltAttributes<'_> {
    type Item = Result<SpeltAttribute, BrokenAttribute>;

    fn next(&mut self) -> Option<Self::Item> {
        let Ok(attribute) = self.inner.next()? else {
            return Some(Err(BrokenAttribute));
        };
        let name = attribute.key.0;
        if name.is_empty() || name_len(name.as_bytes()) != name.len() {
            return Some(Err(BrokenAttribute));
        }
        let std::borrow::Cow::Borrowed(value) = attribute.value else {
            return Some(Err(BrokenAttribute));
        };
        let name = self.span(name);
        let before = self.text.as_bytes().get(name.start().wrapping_sub(1));
        Some(Ok(SpeltAttribute {
            name,
            value: self.span(value),
            is_apart: before.is_some_and(|before| is_space(*before)),
        }))
    }
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
        let tag = Tag {
            name: Span::new(1, 2),
            local: 1,
            attributes: Span::new(2, text.len() - 1),
            empty: false,
            end: text.len(),
        };
        let found: Vec<_> = SpeltAttributes::new(text, &tag)
            .map(|a| a.map(|a| (a.name.of(text), a.value.of(text))))
            .collect();
        assert_eq!(found[..2], [Ok(("b", "1")), Ok(("x:c", "2>"))]);
        assert!(found.contains(&Err(BrokenAttribute)));
        assert!(found.contains(&Ok(("f", "4"))), "{found:?}");
    }
}
