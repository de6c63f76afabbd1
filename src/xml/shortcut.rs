//! The shape that almost every entry has, read without the general lane's care: plain children and attributes,
//! plain text with known references at most, every tag closed by its own. Anything else is `None`, and the general
//! lane reads the entry instead. This file may be deleted without changing a single result.

use memchr::{memchr, memchr3};

use crate::limits::MAX_NODES;
use crate::raw::EntryKind;
use crate::source::dialect::Dialect;
use crate::tape::{AttributeSpan, Namespace, Node, Tape, Value};
use crate::xml::attributes::has_duplicates;
use crate::xml::namespace::NsId;
use crate::xml::text::known_reference;
use crate::xml::token::name_len;

/// Levels of elements below an entry's children. Deeper ones are left to the general lane.
const LEVELS: u32 = 3;

/// Puts the entry at the start of `text` on the tape; where it ends.
pub(crate) fn entry(text: &str, kind: EntryKind, own: NsId, tape: &mut Tape) -> Option<usize> {
    let (start, end) = match kind {
        EntryKind::Url => ("<url>", "</url>"),
        EntryKind::Sitemap => ("<sitemap>", "</sitemap>"),
    };
    let rest = text.strip_prefix(start)?;
    let mut lane = Lane {
        text,
        at: text.len() - rest.len(),
        own,
        tape,
    };
    lane.tape.clear();
    lane.tape.kind = kind;
    lane.tape.dialect = Dialect::Sitemap;
    let name_end = lane.at - 1;
    lane.tape.nodes.push(node(0, (1, name_end), 1, own));
    loop {
        lane.blank();
        if lane.eat(end) {
            lane.close(0);
            return Some(lane.at);
        }
        lane.child()?;
    }
}

fn node(at: usize, name: (usize, usize), local: usize, namespace: NsId) -> Node {
    Node {
        at: at as u32,
        name: name.0 as u32,
        name_end: name.1 as u32,
        local: local as u32,
        text: Value::NONE,
        attributes: (0, 0),
        end: 0,
        namespace: Namespace::Declared(namespace),
        broken: false,
    }
}

struct Lane<'a> {
    text: &'a str,
    at: usize,
    own: NsId,
    tape: &'a mut Tape,
}

impl<'a> Lane<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected.as_bytes());
        if found {
            self.at += expected.len();
        }
        found
    }

    fn blank(&mut self) {
        let blank = |b: &&u8| matches!(b, b' ' | b'\n' | b'\r' | b'\t');
        self.at += self.rest().iter().take_while(blank).count();
    }

    fn child(&mut self) -> Option<()> {
        let at = self.at;
        // A second loc ends an entry; a second of the others is told by the interpreter.
        if self.eat("<loc>") {
            if self.tape.has_loc() {
                return None;
            }
            let value = self.value(at, "loc", "</loc>")?;
            self.tape.loc = value;
            // A loc that is blank is one all the same.
            return (!value.is_empty()).then_some(());
        }
        if self.eat("<lastmod>") {
            let value = self.value(at, "lastmod", "</lastmod>")?;
            first(&mut self.tape.lastmod, value);
        } else if self.eat("<changefreq>") {
            let value = self.value(at, "changefreq", "</changefreq>")?;
            first(&mut self.tape.changefreq, value);
        } else if self.eat("<priority>") {
            let value = self.value(at, "priority", "</priority>")?;
            first(&mut self.tape.priority, value);
        } else {
            return self.extension(LEVELS);
        }
        Some(())
    }

    /// A child of the base format: its start tag has been eaten.
    fn value(&mut self, at: usize, name: &str, end: &str) -> Option<Value> {
        let text = self.text()?;
        if !self.eat(end) {
            return None;
        }
        let index = self.tape.nodes.len();
        let attributes = self.tape.attributes.len() as u32;
        self.tape.nodes.push(Node {
            text,
            attributes: (attributes, attributes),
            ..node(at, (at + 1, at + 1 + name.len()), at + 1, self.own)
        });
        self.close(index);
        Some(text)
    }

    fn close(&mut self, index: usize) {
        let end = self.tape.nodes.len() as u32;
        if let Some(node) = self.tape.nodes.get_mut(index) {
            node.end = end;
        }
    }

    /// The text up to the next `<`, trimmed and with its references resolved.
    fn text(&mut self) -> Option<Value> {
        self.blank();
        let start = self.at;
        let rest = self.rest();
        let len = memchr3(b'<', b'&', b'\r', rest)?;
        let has_references = match rest.get(len)? {
            b'<' => false,
            b'&' => true,
            _ => return None,
        };
        let len = if has_references {
            let len = memchr(b'<', rest)?;
            if memchr(b'\r', rest.get(..len)?).is_some() {
                return None;
            }
            len
        } else {
            len
        };
        self.at += len;
        if has_references {
            let value = self.resolved(start, self.at)?;
            return Some(value.trimmed(&self.tape.scratch));
        }
        let value = Value::in_window(start, self.at);
        Some(match rest.get(..len)? {
            [] => Value::NONE,
            // What begins here is visible, or white space beyond ASCII.
            [first, .., last] if first.is_ascii() && is_visible(*last) => value,
            _ => value.trimmed(self.text),
        })
    }

    /// A text whose references are all known ones, resolved.
    fn resolved(&mut self, start: usize, end: usize) -> Option<Value> {
        let mut rest = self.text.get(start..end)?;
        let at = start + rest.len() - rest.trim_start().len();
        let scratch = self.tape.scratch.len();
        while let Some(plain) = memchr(b'&', rest.as_bytes()) {
            let (before, reference) = rest.split_at_checked(plain)?;
            let (c, len) = known_reference(reference)?;
            self.tape.scratch.push_str(before);
            self.tape.scratch.push(c);
            rest = reference.get(len..)?;
        }
        self.tape.scratch.push_str(rest);
        Some(Value::in_scratch(scratch, self.tape.scratch.len(), at))
    }

    /// An element with a prefix that the root declares, and all in it.
    fn extension(&mut self, levels: u32) -> Option<()> {
        let at = self.at;
        let name = match self.rest() {
            [b'<', rest @ ..] => rest.get(..name_len(rest))?,
            _ => return None,
        };
        let (start, end) = (at + 1, at + 1 + name.len());
        let prefix = memchr(b':', name)?;
        let namespace = self
            .tape
            .namespaces
            .resolve(self.text.get(start..start + prefix)?)?;
        if self.tape.namespaces.is_own(namespace)
            || self.tape.nodes.len() + self.tape.attributes.len() > MAX_NODES / 2
        {
            return None;
        }
        self.at = end;
        let index = self.tape.nodes.len();
        let first = self.tape.attributes.len() as u32;
        self.tape
            .nodes
            .push(node(at, (start, end), start + prefix + 1, namespace));
        let empty = self.attributes()?;
        let own = self.tape.attributes.get(first as usize..)?;
        if has_duplicates(own, self.text) {
            return None;
        }
        let attributes = (first, self.tape.attributes.len() as u32);
        let text = if empty {
            Value::NONE
        } else {
            self.content(self.text.get(start..end)?, levels)?
        };
        let end = self.tape.nodes.len() as u32;
        let node = self.tape.nodes.get_mut(index)?;
        node.attributes = attributes;
        node.text = text;
        node.end = end;
        Some(())
    }

    /// Attributes up to the end of the tag; whether the element is empty.
    fn attributes(&mut self) -> Option<bool> {
        loop {
            let before = self.at;
            self.blank();
            match self.rest() {
                [b'>', ..] => {
                    self.at += 1;
                    return Some(false);
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    return Some(true);
                }
                _ if self.at == before => return None,
                _ => {}
            }
            let name = self.at;
            let len = name_len(self.rest());
            let (b'=', quote @ (b'"' | b'\'')) =
                (*self.rest().get(len)?, *self.rest().get(len + 1)?)
            else {
                return None;
            };
            // Declarations and prefixes are the general lane's.
            if len == 0
                || self.rest().get(..len)?.contains(&b':')
                || self.rest().starts_with(b"xmlns")
            {
                return None;
            }
            let start = name + len + 2;
            self.at = start;
            let len = memchr(quote, self.rest())?;
            let value = self.rest().get(..len)?;
            let mut has_references = false;
            for byte in value {
                match byte {
                    b'<' | ..b' ' => return None,
                    b'&' => has_references = true,
                    _ => {}
                }
            }
            self.at += len + 1;
            let value = if has_references {
                self.resolved(start, start + value.len())?
            } else {
                Value::in_window(start, start + value.len())
            };
            self.tape.attributes.push(AttributeSpan {
                name: name as u32,
                name_end: (start - 2) as u32,
                namespace: NsId::NONE,
                value,
            });
        }
    }

    /// Text or elements, and the end tag.
    fn content(&mut self, name: &str, levels: u32) -> Option<Value> {
        let text = self.text()?;
        loop {
            if let [b'<', b'/', rest @ ..] = self.rest() {
                let rest = rest.strip_prefix(name.as_bytes())?;
                if rest.first() != Some(&b'>') {
                    return None;
                }
                self.at += name.len() + 3;
                return Some(text);
            }
            if levels == 0 || !text.is_empty() {
                return None;
            }
            self.extension(levels - 1)?;
            self.blank();
        }
    }
}

const fn is_visible(byte: u8) -> bool {
    byte > b' ' && byte < 0x7F
}

fn first(slot: &mut Value, value: Value) {
    if slot.is_empty() {
        *slot = value;
    }
}
