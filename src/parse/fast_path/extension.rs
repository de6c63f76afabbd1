//! Elements with prefixes: their tags, attributes and content.

use memchr::memchr;

use super::Parser;
use super::memo::KnownTag;
use super::spelling::begin_alike;
use crate::limits::MAX_NODES;
use crate::search::{find, is_odd, skip_blank};
use crate::span::Span;
use crate::tape::{Attribute, Node, Value};
use crate::xml::attributes::has_duplicates;
use crate::xml::lexer::{is_name_byte, name_len};
use crate::xml::namespaces::{NsId, Relation};

impl<'t> Parser<'t> {
    /// An element with a prefix that the root declares, and all in it.
    pub(super) fn extension(&mut self, rest: &'t [u8], levels: u32) -> Option<&'t [u8]> {
        let at = self.at(rest);
        let (tag, rest) = match self.memo.tags.strip(rest) {
            Some((tag, _, _)) => (tag, rest.get(1 + tag.len as usize..)?),
            None => self.new_tag(rest)?,
        };
        if self.tape.nodes.len() + self.tape.attributes.len() > MAX_NODES / 2 {
            return None;
        }
        let index = self.tape.nodes.len();
        let first = self.tape.attributes.len();
        let name = Span::new(at + 1, at + 1 + tag.len as usize);
        self.tape.nodes.push(Node {
            at: at as u32,
            name,
            local: at as u32 + 1 + tag.local,
            namespace: tag.namespace,
            ..Node::EMPTY
        });
        let (is_empty, rest) = self.attributes(rest)?;
        let attributes = Span::new(first, self.tape.attributes.len());
        let (text, rest) = if is_empty {
            (Value::NONE, rest)
        } else {
            self.content(name, rest, levels)?
        };
        let nodes = self.tape.nodes.len() as u32;
        let node = self.tape.nodes.get_mut(index)?;
        node.attributes = attributes;
        node.text = text;
        node.end = nodes;
        Some(rest)
    }

    /// A start tag up to the end of its name, met for the first time.
    #[inline(never)]
    fn new_tag(&mut self, rest: &'t [u8]) -> Option<(KnownTag, &'t [u8])> {
        let len = name_len(rest.strip_prefix(b"<")?);
        let (name, behind) = rest.split_at_checked(1 + len)?;
        let name = std::str::from_utf8(name.get(1..)?).ok()?;
        let (prefix, _) = name.split_once(':')?;
        let namespace = self.tape.namespaces.resolve(prefix)?;
        if self.tape.namespaces.relation(namespace) != Relation::Foreign {
            return None;
        }
        let tag = KnownTag {
            len: len as u32,
            local: prefix.len() as u32 + 1,
            namespace,
        };
        self.memo.tags.learn(rest.get(..len + 2)?, tag);
        Some((tag, behind))
    }

    /// Attributes up to the end of the tag; whether the element is empty.
    fn attributes(&mut self, mut rest: &'t [u8]) -> Option<(bool, &'t [u8])> {
        let first = self.tape.attributes.len();
        let (mut seen, mut is_doubtful) = (0, false);
        let (is_empty, rest) = loop {
            let next = match rest {
                [b' ', next @ ..] => skip_blank(next),
                _ => skip_blank(rest),
            };
            match next {
                [b'>', rest @ ..] => break (false, rest),
                [b'/', b'>', rest @ ..] => break (true, rest),
                next if next.len() == rest.len() => return None,
                next => {
                    let (mark, behind) = self.attribute(next)?;
                    is_doubtful |= mark == 0 || seen & mark != 0;
                    seen |= mark;
                    rest = behind;
                }
            }
        };
        // Those that are known from different slots have different names.
        if is_doubtful
            && has_duplicates(self.tape.attributes.get(first..)?, |own| {
                own.name.of(self.text)
            })
        {
            return None;
        }
        Some((is_empty, rest))
    }

    /// An attribute; a bit for the slot that its name is known from, none if it is not.
    fn attribute(&mut self, rest: &'t [u8]) -> Option<(u32, &'t [u8])> {
        let at = self.at(rest);
        let (quote, rest, mark) = match self.memo.attributes.strip(rest) {
            Some(((), rest, slot)) => (b'"', rest, 1 << slot),
            None => self.new_attribute(rest)?,
        };
        let start = self.at(rest);
        let other = |b| (b == b'&') | (b == b'<') | is_odd(b);
        let mut len = match quote {
            b'"' => find(rest, |b| (b == b'"') | other(b))?,
            _ => find(rest, |b| (b == b'\'') | other(b))?,
        };
        let value = match rest.get(len)? {
            b'&' => {
                len = memchr(quote, rest)?;
                if find(rest.get(..len)?, |b| (b == b'<') | is_odd(b)).is_some() {
                    return None;
                }
                self.resolved(start, start + len)?
            }
            found if *found == quote => Value::in_window(Span::new(start, start + len)),
            _ => return None,
        };
        self.tape.attributes.push(Attribute {
            name: Span::new(at, start - 2),
            namespace: NsId::NONE,
            value,
        });
        Some((mark, rest.get(len + 1..)?))
    }

    /// The name of an attribute, `=` and the quote, met for the first time.
    #[inline(never)]
    fn new_attribute(&mut self, rest: &'t [u8]) -> Option<(u8, &'t [u8], u32)> {
        // Declarations and prefixes are the general lane's, and what begins with anything but a letter.
        let [b'a'..=b'z' | b'A'..=b'Z', ..] = rest else {
            return None;
        };
        let len = rest.iter().position(|b| !is_name_byte(*b) || *b == b':')?;
        let (name, behind) = rest.split_at_checked(len)?;
        if name.starts_with(b"xmlns") {
            return None;
        }
        let (quote, behind) = match behind {
            [b'=', quote @ (b'"' | b'\''), behind @ ..] => (*quote, behind),
            _ => return None,
        };
        if quote == b'"' {
            self.memo.attributes.learn(rest.get(..len + 2)?, ());
        }
        Some((quote, behind, 0))
    }

    /// Text or elements, and the end tag of the name at `name`.
    fn content(&mut self, name: Span, rest: &'t [u8], levels: u32) -> Option<(Value, &'t [u8])> {
        let (text, mut rest) = self.text(rest)?;
        loop {
            if let [b'<', b'/', rest @ ..] = rest {
                // With what follows it, so that whole blocks can be compared.
                let start_tag = self.text.as_bytes().get(name.start()..)?;
                let len = name.len();
                let rest = rest
                    .get(len..)
                    .filter(|_| begin_alike(rest, start_tag, len))?;
                return Some((text, rest.strip_prefix(b">")?));
            }
            if levels == 0 || !text.is_empty() {
                return None;
            }
            let behind = self.extension(rest, levels - 1)?;
            rest = self.memo.skip_gap(behind);
        }
    }
}
