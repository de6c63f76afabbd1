//! Rows: elements with prefixes that the document writes the same again and again, except for a few values.
//!
//! A link such as `<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>` is read by the general
//! path when it occurs for the first time. The part of the tape that it wrote is kept as a [`Row`]: the text before,
//! between and after its values, and the places of its names in that text. The next link is compared with these texts,
//! and only the ends of its values are searched. Nothing is known in advance: the order of attributes, quotes, white
//! space and prefixes are those of the document.
//!
//! An element of an extension, such as a video, can have any of many parts. So its start tag and each part in it are rows,
//! too, and a video with another choice of parts is read part by part.

use std::ops::Range;

use super::literal::Literal;
use crate::format::EntryKind;
use crate::tape::{Attribute, Node, Tape};
use crate::text::span::TakePart;
use crate::xml::namespaces::Relation;

/// Maximum number of rows. Most documents have one for their links, and three for their images.
const MAX_ROWS: usize = 32;
/// Values, elements and attributes of a row. An element with more is only known by its parts.
const MAX_VALUES: usize = PLACES - 1;
const MAX_ELEMENTS: usize = 3;
const MAX_ATTRIBUTES: usize = 4;
/// Number of places of a row that move separately: its start, and the text after each of its values.
pub(super) const PLACES: usize = 4;

/// An element and its content, or a start tag. All places are those of the entry from which it was learned.
#[derive(Debug)]
pub(super) struct Row {
    /// It is a child of the entry. White space is kept in a child that is foreign, but not below a child that is not.
    pub(super) is_child: bool,
    /// Its content follows, part by part.
    pub(super) is_start: bool,
    pub(super) at: u32,
    /// The literal text before the first value.
    pub(super) head: Literal<4>,
    pub(super) values: Vec<Learned>,
    pub(super) nodes: Vec<(Node, Anchor)>,
    pub(super) attributes: Vec<(Attribute, Anchor)>,
}

/// A value, which differs from element to element.
#[derive(Debug)]
pub(super) struct Learned {
    /// The quote that ends it; `<` ends a text.
    pub(super) end: u8,
    /// The literal text after it, up to the next value.
    pub(super) behind: Literal<4>,
    /// Start of that text.
    pub(super) at: u32,
}

/// The current place of a name or a value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    /// It has moved as far as the text after this number of values.
    pub(super) behind: usize,
    /// The number of the value, if it is one that differs.
    pub(super) value: Option<usize>,
}

impl Row {
    /// The row of these elements, which were written from the first element's start to the end of `text`. Returns `None` if
    /// there are too many parts, if a text is too long, or if an element is the sitemap's own.
    ///
    /// The general path reads such a text without a flaw if it has read this one so: what is compared is the same, comments in
    /// it have been reported, and if the entry declares a prefix, the memory is forgotten before the next. A value next to
    /// a CDATA section is read by other rules, so these are not learned.
    fn new(
        nodes: Range<usize>,
        is_child: bool,
        is_start: bool,
        text: &str,
        tape: &Tape,
    ) -> Option<Self> {
        let first_node = nodes.start as u32;
        let nodes = tape.nodes.get(nodes)?;
        let (first, last) = (nodes.first()?, nodes.last()?);
        let first_attribute = first.attributes.start();
        let attributes = last.attributes.end() - first_attribute;
        if nodes.len() > MAX_ELEMENTS || attributes > MAX_ATTRIBUTES {
            return None;
        }
        let mut row = Self {
            is_child,
            is_start,
            at: first.at,
            head: Literal::EMPTY,
            values: Vec::new(),
            nodes: Vec::new(),
            attributes: Vec::new(),
        };
        if text.get(first.at as usize..)?.contains("<![CDATA[") {
            return None;
        }
        // Start of the text after the last value.
        let mut from = first.at as usize;
        let bytes = text.as_bytes();
        for node in nodes {
            let is_foreign = tape.relation(node) == Relation::Foreign;
            if node.broken || node.undeclared || !is_foreign {
                return None;
            }
            let behind = row.values.len();
            for attribute in tape.attributes(node) {
                let behind = row.values.len();
                // The kind of link does not differ; other attributes do in most documents.
                let mut value = None;
                if attribute.name.of(text) == "rel" {
                    if attribute.value.is_in_scratch() {
                        return None;
                    }
                } else {
                    let written = tape.origin(attribute.value);
                    let quote = *bytes.get(written.end())?;
                    let opening = bytes.get(written.start().checked_sub(1)?)?;
                    if !matches!(quote, b'"' | b'\'') || *opening != quote {
                        return None;
                    }
                    row.add_value(bytes.get(from..written.start())?, written.end(), quote)?;
                    from = written.end();
                    value = Some(behind);
                }
                row.attributes.push((*attribute, Anchor { behind, value }));
            }
            let mut value = None;
            if !node.text.is_empty() {
                let written = tape.origin(node.text);
                value = Some(row.values.len());
                bytes.get(written.end()).filter(|end| **end == b'<')?;
                row.add_value(bytes.get(from..written.start())?, written.end(), b'<')?;
                from = written.end();
            }
            let learned = Node {
                attributes: (node.attributes).moved((first_attribute as u32).wrapping_neg()),
                end: node.end - first_node,
                link: link(node, text, tape).unwrap_or((0, 0)),
                ..*node
            };
            row.nodes.push((learned, Anchor { behind, value }));
        }
        row.end(bytes.get(from..)?)?;
        Some(row)
    }

    /// Adds a value that ends at `at`, after a literal text.
    fn add_value(&mut self, before: &[u8], at: usize, end: u8) -> Option<()> {
        if self.values.len() == MAX_VALUES {
            return None;
        }
        self.end(before)?;
        self.values.push(Learned {
            end,
            behind: Literal::EMPTY,
            at: at as u32,
        });
        Some(())
    }

    /// Sets the literal text after the last value, or before the first.
    fn end(&mut self, text: &[u8]) -> Option<()> {
        let text = Literal::new(text)?;
        match self.values.last_mut() {
            Some(value) => value.behind = text,
            None => self.head = text,
        }
        Some(())
    }

    fn is_spelt_as(&self, other: &Self) -> bool {
        let value = |value: &Learned| (value.end, value.behind.clone());
        let values = self.values.iter().map(value);
        (self.is_child, self.is_start, &self.head) == (other.is_child, other.is_start, &other.head)
            && values.eq(other.values.iter().map(value))
    }
}

/// Places of `hreflang` and `href` in a link that is read as an alternate.
fn link(node: &Node, text: &str, tape: &Tape) -> Option<(u8, u8)> {
    let attributes = tape.attributes(node);
    let find = |name| attributes.iter().position(|own| own.name.of(text) == name);
    let rel = attributes.get(find("rel")?)?.value.of(text, &tape.scratch);
    let is_link = node.local_name().of(text) == "link" && rel == "alternate";
    is_link.then_some((find("hreflang")? as u8, find("href")? as u8))
}

/// Learns the rows of an entry, or of an element in it, that ends with this text and was read by the general path.
pub(super) fn learn(rows: &mut Vec<Row>, parent: usize, text: &str, tape: &Tape) {
    let end = tape.nodes.get(parent).map_or(0, |node| node.end as usize);
    let is_child = parent == 0;
    let mut index = parent + 1;
    while index < end
        && let Some(node) = tape.nodes.get(index)
    {
        let next = node.end as usize;
        let behind = match tape.nodes.get(next) {
            Some(sibling) if next < end => Some(sibling.at as usize),
            _ => text.rfind('<'),
        };
        let own = text.part(..behind.unwrap_or(0)).trim_end();
        // White space that is kept belongs to no value.
        if !node.prefix().is_empty() && tape.pieces_in(index).is_empty() {
            add(rows, Row::new(index..next, is_child, false, own, tape));
            let inner = tape.nodes.get(index + 1).filter(|_| index + 1 < next);
            let vocabulary = tape.namespaces.judgement(node.namespace).vocabulary;
            let is_claimed =
                tape.kind == EntryKind::Url && vocabulary.has_extension(node.local_name().of(text));
            if let Some(inner) = inner.filter(|_| is_claimed || !is_child) {
                let tag = own.part(..inner.at as usize).trim_end();
                add(rows, Row::new(index..index + 1, is_child, true, tag, tape));
                learn(rows, index, own, tape);
            }
        }
        index = next;
    }
}

/// Adds a row, unless it is known but was not recognized, because too little text follows on it.
fn add(rows: &mut Vec<Row>, row: Option<Row>) {
    let row = row.filter(|row| !rows.iter().any(|known| known.is_spelt_as(row)));
    if row.is_some() && rows.len() == MAX_ROWS {
        rows.pop();
    }
    rows.extend(row);
}
