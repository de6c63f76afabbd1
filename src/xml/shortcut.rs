//! The shape that almost every entry has, read without the general lane's care: plain children and attributes,
//! plain text with known references at most, every tag closed by its own. Anything else is `None`, and the general
//! lane reads the entry instead. This file may be deleted without changing a single result.

use memchr::{memchr, memchr3};

use crate::limits::MAX_NODES;
use crate::raw::EntryKind;
use crate::source::dialect::Dialect;
use crate::tape::{AttributeSpan, Node, Tape, Value};
use crate::xml::attributes::has_duplicates;
use crate::xml::namespace::NsId;
use crate::xml::text::known_reference;
use crate::xml::token::name_len;

/// Levels of elements below an entry's children. Deeper ones are left to the general lane.
const LEVELS: u32 = 3;

/// Puts the entry at the start of `text` on the tape; where it ends.
pub(crate) fn entry(text: &str, kind: EntryKind, own: NsId, tape: &mut Tape) -> Option<usize> {
    tape.clear();
    tape.kind = kind;
    tape.dialect = Dialect::Sitemap;
    let mut lane = Lane {
        text,
        rest: text.as_bytes(),
        own,
        tape,
        base: 1,
        is_plain: true,
    };
    match kind {
        EntryKind::Url => lane.entry(b"<url>", b"</url>"),
        EntryKind::Sitemap => lane.entry(b"<sitemap>", b"</sitemap>"),
    }
}

/// How many bytes of white space come first.
pub(crate) fn blank(bytes: &[u8]) -> usize {
    let visible = |b: &u8| !matches!(b, b' ' | b'\n' | b'\r' | b'\t');
    bytes.iter().position(visible).unwrap_or(bytes.len())
}

struct Lane<'a> {
    text: &'a str,
    /// What of the text is still to be read.
    rest: &'a [u8],
    own: NsId,
    tape: &'a mut Tape,
    /// Children of the base format, and whether each is there once and where it belongs.
    base: usize,
    is_plain: bool,
}

impl Lane<'_> {
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        self.rest = self.rest.get(len..)?;
        Some(())
    }

    // Inlined, as are its callers, so that the comparison is with a constant.
    #[inline(always)]
    fn eat(&mut self, expected: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    fn blank(&mut self) {
        let len = blank(self.rest);
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    #[inline(always)]
    fn entry(&mut self, start: &[u8], end: &[u8]) -> Option<usize> {
        self.eat(start)?;
        self.tape.nodes.push(Node {
            at: 0,
            name: 1,
            name_end: self.at() as u32 - 1,
            local: 1,
            text: Value::NONE,
            attributes: (0, 0),
            end: 0,
            namespace: self.own,
            undeclared: false,
            broken: false,
        });
        loop {
            self.blank();
            if let [b'<', b'/', ..] = self.rest {
                self.eat(end)?;
                let nodes = self.tape.nodes.len() as u32;
                self.tape.nodes.first_mut()?.end = nodes;
                self.tape.base_nodes = Some(self.base).filter(|_| self.is_plain);
                return Some(self.at());
            }
            self.child()?;
        }
    }

    fn child(&mut self) -> Option<()> {
        match self.rest {
            [b'<', b'l', b'o', ..] => {
                // A second loc ends an entry; a second of the others is told by the interpreter.
                let is_first = !self.tape.has_loc();
                self.tape.loc = self.value(b"<loc>", b"</loc>")?;
                // A loc that is blank is one all the same.
                (is_first && self.tape.has_loc()).then_some(())
            }
            [b'<', b'l', ..] => {
                let value = self.value(b"<lastmod>", b"</lastmod>")?;
                self.is_plain &= first(&mut self.tape.lastmod, value);
                Some(())
            }
            [b'<', b'c', ..] => {
                let value = self.value(b"<changefreq>", b"</changefreq>")?;
                self.is_plain &= first(&mut self.tape.changefreq, value) && self.is_page();
                Some(())
            }
            [b'<', b'p', ..] => {
                let value = self.value(b"<priority>", b"</priority>")?;
                self.is_plain &= first(&mut self.tape.priority, value) && self.is_page();
                Some(())
            }
            _ => self.extension(LEVELS),
        }
    }

    fn is_page(&self) -> bool {
        self.tape.kind == EntryKind::Url
    }

    /// A child of the base format.
    #[inline(always)]
    fn value(&mut self, start: &[u8], end: &[u8]) -> Option<Value> {
        let at = self.at() as u32;
        self.eat(start)?;
        let text = self.text()?;
        self.eat(end)?;
        let attributes = self.tape.attributes.len() as u32;
        self.base += 1;
        self.tape.nodes.push(Node {
            at,
            name: at + 1,
            name_end: at + start.len() as u32 - 1,
            local: at + 1,
            text,
            attributes: (attributes, attributes),
            end: self.tape.nodes.len() as u32 + 1,
            namespace: self.own,
            undeclared: false,
            broken: false,
        });
        Some(text)
    }

    /// The text up to the next `<`, trimmed and with its references resolved.
    fn text(&mut self) -> Option<Value> {
        self.blank();
        let (start, rest) = (self.at(), self.rest);
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
        self.skip(len)?;
        if has_references {
            let value = self.resolved(start, start + len)?;
            return Some(value.trimmed(&self.tape.scratch));
        }
        let value = Value::in_window(start, start + len);
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
        let at = self.at();
        let [b'<', rest @ ..] = self.rest else {
            return None;
        };
        let name = rest.get(..name_len(rest))?;
        let (start, end) = (at + 1, at + 1 + name.len());
        let local = start + memchr(b':', name)? + 1;
        let namespaces = &self.tape.namespaces;
        let namespace = namespaces.resolve(self.text.get(start..local - 1)?)?;
        let nodes = self.tape.nodes.len() + self.tape.attributes.len();
        if namespaces.is_own(namespace) || nodes > MAX_NODES / 2 {
            return None;
        }
        self.rest = rest.get(name.len()..)?;
        let index = self.tape.nodes.len();
        let first = self.tape.attributes.len();
        self.tape.nodes.push(Node {
            at: at as u32,
            name: start as u32,
            name_end: end as u32,
            local: local as u32,
            text: Value::NONE,
            attributes: (first as u32, first as u32),
            end: 0,
            namespace,
            undeclared: false,
            broken: false,
        });
        let is_empty = self.attributes()?;
        let own = self.tape.attributes.get(first..)?;
        if has_duplicates(own, self.text) {
            return None;
        }
        let attributes = (first as u32, (first + own.len()) as u32);
        let text = if is_empty {
            Value::NONE
        } else {
            self.content(name, levels)?
        };
        let nodes = self.tape.nodes.len() as u32;
        let node = self.tape.nodes.get_mut(index)?;
        node.attributes = attributes;
        node.text = text;
        node.end = nodes;
        Some(())
    }

    /// Attributes up to the end of the tag; whether the element is empty.
    fn attributes(&mut self) -> Option<bool> {
        loop {
            let before = self.rest.len();
            self.blank();
            match self.rest {
                [b'>', rest @ ..] => {
                    self.rest = rest;
                    return Some(false);
                }
                [b'/', b'>', rest @ ..] => {
                    self.rest = rest;
                    return Some(true);
                }
                _ if self.rest.len() == before => return None,
                _ => self.attribute()?,
            }
        }
    }

    fn attribute(&mut self) -> Option<()> {
        let at = self.at();
        let (name, rest) = self.rest.split_at_checked(name_len(self.rest))?;
        // Declarations and prefixes are the general lane's.
        if name.is_empty() || name.contains(&b':') || name.starts_with(b"xmlns") {
            return None;
        }
        let (quote, rest) = match rest {
            [b'=', quote @ (b'"' | b'\''), rest @ ..] => (*quote, rest),
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(memchr(quote, rest)?)?;
        let mut has_references = false;
        for byte in value {
            match byte {
                b'<' | ..b' ' => return None,
                b'&' => has_references = true,
                _ => {}
            }
        }
        self.rest = rest.get(1..)?;
        let start = at + name.len() + 2;
        let end = start + value.len();
        let value = if has_references {
            self.resolved(start, end)?
        } else {
            Value::in_window(start, end)
        };
        self.tape.attributes.push(AttributeSpan {
            name: at as u32,
            name_end: (at + name.len()) as u32,
            namespace: NsId::NONE,
            value,
        });
        Some(())
    }

    /// Text or elements, and the end tag.
    fn content(&mut self, name: &[u8], levels: u32) -> Option<Value> {
        let text = self.text()?;
        loop {
            if let [b'<', b'/', rest @ ..] = self.rest {
                self.rest = rest.strip_prefix(name)?.strip_prefix(b">")?;
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

/// Fills a slot; whether it was still empty.
fn first(slot: &mut Value, value: Value) -> bool {
    let is_first = slot.is_empty();
    if is_first {
        *slot = value;
    }
    is_first
}
