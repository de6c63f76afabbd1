//! Start tags: attributes, and the namespaces that they declare.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;

use memchr::memchr3;

use super::step::{Step, Stop, fault};
use super::syntax::{Name, Scanner, shown};

/// Attributes of one tag beyond which there is no verdict.
const MOST_ATTRIBUTES: usize = 16_384;
/// Prefixes of all open elements beyond which there is no verdict, since they are compared one after another.
const MOST_BINDINGS: usize = 1_024;
/// Bytes of a prefix and its namespace.
const LONGEST_BINDING: usize = 4 << 10;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A start tag that has been read.
pub(super) struct Tag {
    pub(super) name: Name,
    pub(super) is_empty: bool,
}

/// An attribute of the current tag, and the place of its value.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    name: Name,
    value: (usize, usize),
}

/// Reads start tags one after another. It keeps the prefixes that are declared.
#[derive(Debug, Default)]
pub(super) struct TagReader {
    /// Those of the current tag.
    attributes: Vec<Attribute>,
    /// The declarations of all open elements, the innermost last.
    bindings: Vec<Binding>,
}

#[derive(Debug)]
struct Binding {
    /// Number of elements that are open around the one that declares it.
    level: usize,
    prefix: Box<str>,
    uri: Box<str>,
}

impl TagReader {
    /// Reads the start tag at the place. `level` elements are open around it.
    pub(super) fn read(
        &mut self,
        s: &mut Scanner<'_>,
        level: usize,
        has_doctype: bool,
    ) -> Step<Tag> {
        let start = s.at;
        s.at += 1;
        let Some(name) = s.name()? else {
            let reason = "a `<` that begins no tag and is not written as `&lt;`";
            return fault(start, reason);
        };
        self.attributes.clear();
        let is_empty = loop {
            let is_apart = s.space();
            match s.peek()? {
                b'>' => {
                    s.at += 1;
                    break false;
                }
                b'/' if s.take("/>")? => break true,
                _ => self.attribute(s, is_apart, has_doctype)?,
            }
        };
        if !self.attributes.is_empty() {
            self.declare(s, level, has_doctype)?;
        }
        if name.colon.is_some() {
            self.check_prefix(s, name)?;
        }
        let mut attributes = self.attributes.iter();
        if attributes.any(|attribute| attribute.name.colon.is_some()) {
            self.check_attributes(s)?;
        }
        Ok(Tag { name, is_empty })
    }

    /// The places of the values of the current tag.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, usize)> {
        self.attributes.iter().map(|attribute| attribute.value)
    }

    /// The element with so many elements around it has ended, and with it its declarations.
    #[inline]
    pub(super) fn leave(&mut self, level: usize) {
        let is_inside = |binding: &mut Binding| binding.level >= level;
        while self.bindings.pop_if(is_inside).is_some() {}
    }

    /// Reads an attribute. `is_apart`: there is white space before it.
    fn attribute(&mut self, s: &mut Scanner<'_>, is_apart: bool, has_doctype: bool) -> Step {
        let start = s.at;
        let Some(name) = s.name()? else {
            let c = s.rest().chars().next().unwrap_or_default();
            return fault(start, format!("`{}` in a tag", c.escape_debug()));
        };
        let text = s.name_of(name);
        if !is_apart {
            let reason = format!("no white space before attribute {}", shown(text));
            return fault(start, reason);
        }
        s.space();
        if !s.take_byte(b'=')? {
            return fault(start, format!("attribute {} without a value", shown(text)));
        }
        s.space();
        let quote = s.peek()?;
        if !matches!(quote, b'"' | b'\'') {
            let reason = format!("the value of attribute {} is not in quotes", shown(text));
            return fault(s.at, reason);
        }
        s.at += 1;
        let value = s.at;
        loop {
            s.at += memchr3(quote, b'<', b'&', s.rest().as_bytes()).ok_or(Stop::More)?;
            match s.peek()? {
                b'&' => s.reference(has_doctype)?,
                b'<' => {
                    let reason = format!("a `<` in the value of attribute {}", shown(text));
                    return fault(s.at, reason);
                }
                _ => break,
            };
        }
        let value = (value, s.at);
        s.at += 1;
        if self.attributes.len() >= MOST_ATTRIBUTES {
            return Err(Stop::Bound("a tag has more than 16,384 attributes"));
        }
        self.attributes.push(Attribute { name, value });
        Ok(())
    }

    /// Lets the declarations of the tag take effect.
    fn declare(&mut self, s: &Scanner<'_>, level: usize, has_doctype: bool) -> Step {
        let bytes = s.text.as_bytes();
        let key = |attribute: &Attribute| bytes.get(attribute.name.start..attribute.name.end);
        if let Some(second) = second_of(&self.attributes, key) {
            let name = shown(s.name_of(second.name));
            return fault(second.name.start, format!("attribute {name} a second time"));
        }
        let (mut all, bindings) = (self.attributes.iter(), &mut self.bindings);
        all.try_for_each(|one| Self::declare_one(bindings, s, one, level, has_doctype))
    }

    /// Lets an attribute take effect if it declares a namespace.
    fn declare_one(
        bindings: &mut Vec<Binding>,
        s: &Scanner<'_>,
        attribute: &Attribute,
        level: usize,
        has_doctype: bool,
    ) -> Step {
        let Attribute { name, value } = *attribute;
        let prefix = match s.prefix_of(name) {
            None if s.name_of(name) == "xmlns" => "",
            Some("xmlns") => s.local_of(name),
            _ => return Ok(()),
        };
        let uri = decoded(s.part(value.0, value.1), has_doctype);
        let may_bind = prefix != "xmlns"
            && uri != XMLNS
            && (prefix == "xml") == (uri == XML)
            && (prefix.is_empty() || !uri.is_empty());
        if !may_bind {
            let (prefix, uri) = (shown(s.name_of(name)), shown(&uri));
            return fault(name.start, format!("{prefix} cannot be bound to `{uri}`"));
        }
        if prefix.is_empty() {
            return Ok(());
        }
        if bindings.len() >= MOST_BINDINGS || prefix.len() + uri.len() > LONGEST_BINDING {
            let reason = "more than 1,024 namespaces are declared, or one of more than 4 KiB";
            return Err(Stop::Bound(reason));
        }
        bindings.push(Binding {
            level,
            prefix: prefix.into(),
            uri: uri.into(),
        });
        Ok(())
    }

    /// The namespace of a prefix, if it is declared.
    fn uri(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        let mut inside_out = self.bindings.iter().rev();
        let binding = inside_out.find(|binding| *binding.prefix == *prefix);
        binding.map(|binding| &*binding.uri)
    }

    fn check_prefix(&self, s: &Scanner<'_>, name: Name) -> Step {
        match s
            .prefix_of(name)
            .filter(|prefix| self.uri(prefix).is_none())
        {
            Some(prefix) => {
                let reason = format!("the prefix {} is not declared", shown(prefix));
                fault(name.start, reason)
            }
            None => Ok(()),
        }
    }

    /// Checks the attributes with a prefix.
    fn check_attributes(&self, s: &Scanner<'_>) -> Step {
        let attributes = self.attributes.iter();
        let is_prefixed = |attribute: &&Attribute| {
            s.prefix_of(attribute.name)
                .is_some_and(|prefix| prefix != "xmlns")
        };
        let prefixed: Vec<Attribute> = attributes.filter(is_prefixed).copied().collect();
        for attribute in &prefixed {
            self.check_prefix(s, attribute.name)?;
        }
        let key = |attribute: &Attribute| {
            let prefix = s.prefix_of(attribute.name).unwrap_or_default();
            (self.uri(prefix), s.local_of(attribute.name))
        };
        match second_of(&prefixed, key) {
            Some(second) => {
                let name = shown(s.name_of(second.name));
                let reason = format!("attribute {name} a second time, with another prefix");
                fault(second.name.start, reason)
            }
            None => Ok(()),
        }
    }
}

/// Attributes up to which comparing one after another takes less time than hashing.
const FEW: usize = 8;

/// The first attribute with the key of one before it.
fn second_of<K: Eq + Hash>(
    attributes: &[Attribute],
    key: impl Fn(&Attribute) -> K,
) -> Option<&Attribute> {
    if attributes.len() > FEW {
        let mut keys = HashSet::new();
        let mut attributes = attributes.iter();
        return attributes.find(|attribute| !keys.insert(key(attribute)));
    }
    let mut numbered = attributes.iter().enumerate();
    let second = numbered.find(|(number, attribute)| {
        let mut before = attributes.iter().take(*number);
        before.any(|before| key(before) == key(attribute))
    });
    second.map(|(_, attribute)| attribute)
}

/// The value of an attribute, whose references have been checked.
pub(crate) fn decoded(value: &str, has_doctype: bool) -> Cow<'_, str> {
    if !value.contains(['&', '\t', '\n', '\r']) {
        return Cow::Borrowed(value);
    }
    let mut out = String::new();
    let mut s = Scanner { text: value, at: 0 };
    while let Some(c) = s.rest().chars().next() {
        if c == '&' {
            out.extend(s.reference(has_doctype).ok().flatten());
        } else {
            out.push(if c.is_ascii_whitespace() { ' ' } else { c });
            s.at += c.len_utf8();
        }
    }
    Cow::Owned(out)
}
