//! Compares elements with the rows that were learnt, and learns new ones.

use super::row::{Anchor, Number, PLACES, Row};
use super::spelling::Literal;
use super::value::Values;
use super::{LEVELS, ShapeParser};
use crate::limits::MAX_NODES;
use crate::tape::{Attribute, Node, Value};
use crate::text::search::skip_blank;

/// Number of rows that are kept. Documents have one for their links and one for their images.
const MAX_ROWS: usize = 8;
/// Elements and attributes of a row. An element with more is not learnt.
const MAX_ELEMENTS: usize = 3;
const MAX_ATTRIBUTES: usize = 4;

impl<'t> ShapeParser<'t> {
    /// Reads a child of the entry that is not of the base format: by comparison with a row, or tag by tag to learn one.
    #[inline(always)]
    pub(super) fn row(&mut self, rest: &'t [u8]) -> Option<&'t [u8]> {
        for row in &self.memo.rows {
            let values = Values {
                text: self.text,
                tape: self.tape,
            };
            if let Some(behind) = compare(row, rest, values) {
                return Some(behind);
            }
        }
        self.new_row(rest)
    }

    /// Reads an element of an extension tag by tag, and remembers it as a row for the following entries.
    #[inline(never)]
    fn new_row(&mut self, start: &'t [u8]) -> Option<&'t [u8]> {
        let (nodes, attributes) = (self.tape.nodes.len(), self.tape.attributes.len());
        let mixed = self.tape.mixed.len();
        let rest = self.extension(start, LEVELS)?;
        // White space that is kept belongs to no value.
        if self.memo.rows.len() < MAX_ROWS && self.tape.mixed.len() == mixed {
            let text = start.get(..start.len() - rest.len())?;
            let row = self.learnt_row(text, self.at(start), nodes, attributes);
            // One that is known was not recognized, because too little text follows on it.
            let row = row.filter(|row| !self.memo.rows.iter().any(|known| known.is_spelt_as(row)));
            self.memo.rows.extend(row);
        }
        Some(rest)
    }

    /// Returns the row of the element that was written to the tape last, or `None` if it has too many parts, or a value
    /// that is not written literally.
    fn learnt_row(&self, text: &[u8], at: usize, nodes: usize, attributes: usize) -> Option<Row> {
        let new_nodes = self.tape.nodes.get(nodes..)?;
        let new_attributes = self.tape.attributes.get(attributes..)?;
        if new_nodes.len() > MAX_ELEMENTS || new_attributes.len() > MAX_ATTRIBUTES {
            return None;
        }
        let back = (at as u32).wrapping_neg();
        let mut row = Row {
            head: Literal::EMPTY,
            values: Vec::new(),
            nodes: Vec::new(),
            attributes: Vec::new(),
        };
        // Start of the text after the last value.
        let mut from = 0;
        for node in new_nodes {
            let text_number = Number::of_next(&row.values)?;
            for attribute in self.tape.attributes(node) {
                let place = Number::of_next(&row.values)?;
                let name = attribute.name.moved(back);
                let value = attribute.value.span_in_window()?.moved(back);
                // The kind of link does not differ; other attributes do in most documents.
                let differs = name.of_list(text) != b"rel";
                if differs {
                    let end = *text.get(value.end())?;
                    row.add_value(text, from, value, end)?;
                    from = value.end();
                }
                let learnt = Attribute {
                    name,
                    value: Value::in_window(value),
                    ..*attribute
                };
                let value = differs.then_some(place);
                row.attributes.push((
                    learnt,
                    Anchor {
                        behind: place,
                        value,
                    },
                ));
            }
            let mut value = None;
            if !node.text.is_empty() {
                let span = node.text.span_in_window()?.moved(back);
                value = Some(Number::of_next(&row.values)?);
                row.add_value(text, from, span, b'<')?;
                from = span.end();
            }
            let learnt = Node {
                at: node.at.wrapping_add(back),
                name: node.name.moved(back),
                local: node.local.wrapping_add(back),
                attributes: node.attributes.moved((attributes as u32).wrapping_neg()),
                end: node.end - nodes as u32,
                link: self.link(node).unwrap_or((0, 0)),
                ..*node
            };
            row.nodes.push((
                learnt,
                Anchor {
                    behind: text_number,
                    value,
                },
            ));
        }
        row.end(text.get(from..)?)?;
        Some(row)
    }
}

/// Writes the element that begins here to the tape if it matches the row. Returns the text after it.
#[inline(always)]
fn compare<'t>(row: &Row, start: &'t [u8], mut new: Values<'_, 't>) -> Option<&'t [u8]> {
    let mut rest = row.head.strip(start)?;
    let mut values = [Value::NONE; PLACES];
    let mut moved = [new.at(start) as u32; PLACES];
    for (learnt, number) in row.values.iter().zip(0..PLACES - 1) {
        let (value, next) = match learnt.end {
            // A blank text would be no text.
            b'<' => new
                .text(skip_blank(rest))
                .filter(|(value, _)| !value.is_empty())?,
            quote => new.attribute(rest, quote)?,
        };
        *values.get_mut(number)? = value;
        *moved.get_mut(number + 1)? = (new.at(next) as u32).wrapping_sub(learnt.at);
        rest = learnt.behind.strip(next)?;
    }
    let tape = new.tape;
    let (nodes, attributes) = (tape.nodes.len(), tape.attributes.len());
    if nodes + attributes > MAX_NODES / 2 {
        return None;
    }
    for (attribute, place) in &row.attributes {
        let by = place.behind.of(&moved)?;
        tape.attributes.push(Attribute {
            name: attribute.name.moved(by),
            namespace: attribute.namespace,
            value: match place.value {
                Some(value) => value.of(&values)?,
                None => attribute.value.moved(by),
            },
        });
    }
    for (node, place) in &row.nodes {
        let by = place.behind.of(&moved)?;
        tape.nodes.push(Node {
            at: node.at.wrapping_add(by),
            name: node.name.moved(by),
            local: node.local.wrapping_add(by),
            text: match place.value {
                Some(value) => value.of(&values)?,
                None => Value::NONE,
            },
            attributes: node.attributes.moved(attributes as u32),
            end: node.end + nodes as u32,
            namespace: node.namespace,
            link: node.link,
            ..Node::EMPTY
        });
    }
    Some(rest)
}

impl ShapeParser<'_> {
    /// Places of `hreflang` and `href` in a link that is read as an alternate.
    fn link(&self, node: &Node) -> Option<(u8, u8)> {
        let attributes = self.tape.attributes(node);
        let find = |name: &[u8]| {
            let is_it = |attribute: &Attribute| attribute.name.bytes_of(self.text) == name;
            attributes.iter().position(is_it)
        };
        let rel = attributes.get(find(b"rel")?)?.value.of(self.text, "");
        let is_link = node.local_name().bytes_of(self.text) == b"link" && rel == "alternate";
        is_link.then_some((find(b"hreflang")? as u8, find(b"href")? as u8))
    }
}
