use std::collections::HashSet;

use quick_xml::events::attributes::Attributes;

use crate::tape::AttributeSpan;
use crate::xml::token::{Tag, name_len};

/// The attributes of a start tag, as they are spelt.
pub(crate) struct SpeltAttributes<'t> {
    text: &'t str,
    inner: Attributes<'t>,
}

/// Where an attribute's name and value (without its quotes) stand in the text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SpeltAttribute {
    pub(crate) name: (usize, usize),
    pub(crate) value: (usize, usize),
}

/// An attribute without value or quotes, or whatever else stands between the attributes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BrokenAttribute;

impl<'t> SpeltAttributes<'t> {
    pub(crate) fn new(text: &'t str, tag: &Tag) -> Self {
        let (start, end) = tag.attributes;
        let mut inner = Attributes::new(text.get(start..end).unwrap_or_default(), 0);
        // The check for duplicates compares each attribute with all before it: quadratic.
        inner.with_checks(false);
        Self { text, inner }
    }

    fn span(&self, part: &str) -> (usize, usize) {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        (start, start + part.len())
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
        Some(Ok(SpeltAttribute {
            name: self.span(name),
            value: self.span(value),
        }))
    }
}

/// Up to so many attributes are compared with one another.
const FEW: usize = 8;

/// Whether two attributes of an element have one name.
pub(crate) fn has_duplicates(attributes: &[AttributeSpan], text: &str) -> bool {
    let name = |a: &AttributeSpan| text.get(a.name as usize..a.name_end as usize);
    if attributes.len() <= FEW {
        let same = |a: &AttributeSpan, b: &AttributeSpan| {
            a.name_end - a.name == b.name_end - b.name && name(a) == name(b)
        };
        let mut rest = attributes;
        while let [own, others @ ..] = rest {
            if others.iter().any(|other| same(own, other)) {
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
            name: (1, 2),
            attributes: (2, text.len() - 1),
            empty: false,
            end: text.len(),
        };
        let found: Vec<_> = SpeltAttributes::new(text, &tag)
            .map(|a| a.map(|a| (&text[a.name.0..a.name.1], &text[a.value.0..a.value.1])))
            .collect();
        assert_eq!(found[..2], [Ok(("b", "1")), Ok(("x:c", "2>"))]);
        assert!(found.contains(&Err(BrokenAttribute)));
        assert!(found.contains(&Ok(("f", "4"))), "{found:?}");
    }
}
