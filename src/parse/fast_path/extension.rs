//! Elements with prefixes: their tags, attributes and content.

use super::memo::KnownTag;
use super::{LEVELS, ShapeParser};
use crate::limits::MAX_NODES;
use crate::tape::{Attribute, Node, Piece, Value};
use crate::text::search::{begin_alike, skip_blank};
use crate::text::span::Span;
use crate::xml::attributes::has_duplicates;
use crate::xml::lexer::{is_name_byte, name_len};
use crate::xml::namespaces::{NsId, Relation};
use crate::xml::wellformed::is_qualified_name;

impl<'t> ShapeParser<'t> {
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
        if levels == LEVELS {
            self.keeps_space = !tag.is_claimed || !self.is_page();
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
            self.content(index, rest, levels)?
        };
        let nodes = self.tape.nodes.len() as u32;
        let node = self.tape.nodes.get_mut(index)?;
        node.attributes = attributes;
        node.text = text;
        node.end = nodes;
        Some(rest)
    }

    /// A start tag up to the end of its name, for its first occurrence.
    #[inline(never)]
    fn new_tag(&mut self, rest: &'t [u8]) -> Option<(KnownTag, &'t [u8])> {
        let len = name_len(rest.strip_prefix(b"<")?);
        let (name, behind) = rest.split_at_checked(1 + len)?;
        let name = std::str::from_utf8(name.get(1..)?).ok()?;
        let (prefix, local) = name.split_once(':')?;
        if !is_qualified_name(name) {
            return None;
        }
        let namespace = self.tape.namespaces.resolve(prefix)?;
        if self.tape.namespaces.relation(namespace) != Relation::Foreign {
            return None;
        }
        let vocabulary = self.tape.namespaces.judgement(namespace).vocabulary;
        let tag = KnownTag {
            len: len as u32,
            local: prefix.len() as u32 + 1,
            namespace,
            is_claimed: vocabulary.has_extension(local),
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
        let (value, behind) = self.values().attribute(rest, quote)?;
        self.tape.attributes.push(Attribute {
            name: Span::new(at, start - 2),
            namespace: NsId::NONE,
            value,
        });
        Some((mark, behind.get(1..)?))
    }

    /// The name of an attribute, `=` and the quote, for its first occurrence.
    #[inline(never)]
    fn new_attribute(&mut self, rest: &'t [u8]) -> Option<(u8, &'t [u8], u32)> {
        // Declarations, prefixes, and names that begin with anything but a letter are left to the general path.
        let [b'a'..=b'z' | b'A'..=b'Z', ..] = rest else {
            return None;
        };
        let len = rest.iter().position(|b| !is_name_byte(*b) || *b == b':')?;
        let (name, behind) = rest.split_at_checked(len)?;
        if name.starts_with(b"xmlns") || !name.is_ascii() {
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

    /// Text or elements, and the end tag of the node at `index`.
    fn content(&mut self, index: usize, rest: &'t [u8], levels: u32) -> Option<(Value, &'t [u8])> {
        let name = self.tape.nodes.get(index)?.name;
        let len = name.len();
        // With the text after it, so that whole blocks can be compared.
        let name = self.text.as_bytes().get(name.start()..)?;
        let mut next = skip_blank(rest);
        if !matches!(next, [b'<', ..]) {
            let (text, behind) = self.values().text(next)?;
            let behind = behind.strip_prefix(b"</")?;
            let rest = behind
                .get(len..)
                .filter(|_| begin_alike(behind, name, len))?;
            return Some((text, rest.strip_prefix(b">")?));
        }
        let (mut gap, pieces) = (rest, self.memo.pieces.len());
        loop {
            if self.keeps_space {
                self.gap(index, gap, next)?;
            }
            if let [b'<', b'/', rest @ ..] = next {
                if self.keeps_space {
                    self.keep_gaps(index, pieces);
                }
                let rest = rest.get(len..).filter(|_| begin_alike(rest, name, len))?;
                return Some((Value::NONE, rest.strip_prefix(b">")?));
            }
            if levels == 0 {
                return None;
            }
            gap = self.extension(next, levels - 1)?;
            next = self.memo.skip_gap(gap);
        }
    }

    /// Keeps the white space between `gap` and `next`, which is part of a foreign element.
    fn gap(&mut self, index: usize, gap: &[u8], next: &[u8]) -> Option<()> {
        let blank = gap.get(..gap.len() - next.len())?;
        if blank.is_empty() {
            return Some(());
        }
        // Line ends that must become LF, and more than a few pieces, are left to the general path.
        if blank.contains(&b'\r') || self.memo.pieces.len() + self.tape.mixed.len() > MAX_NODES / 2
        {
            return None;
        }
        let start = self.at(gap);
        self.memo.pieces.push(Piece {
            node: index as u32,
            before: self.tape.nodes.len() as u32,
            text: Value::in_window(Span::new(start, start + blank.len())),
        });
        Some(())
    }

    /// Puts the pieces of an element that ends on the tape, if there are elements in it.
    fn keep_gaps(&mut self, index: usize, first: usize) {
        let pieces = self.memo.pieces.drain(first..);
        if self.tape.nodes.len() > index + 1 {
            self.tape.mixed.extend(pieces);
        }
    }
}
