//! Reads elements by comparison with the rows that were learned.

use super::ShapeParser;
use super::row::{PLACES, Row};
use super::value::Values;
use crate::limits::MAX_NODES;
use crate::tape::{Attribute, Node, Value};
use crate::text::search::skip_blank;

/// Levels of elements below an entry's children that are read part by part.
const LEVELS: u32 = 3;

impl<'t> ShapeParser<'t> {
    /// Reads a child of the entry that is not of the base format: as a row, or part by part.
    #[inline(always)]
    pub(super) fn row(&mut self, rest: &'t [u8]) -> Option<&'t [u8]> {
        match self.known(rest, true)? {
            (false, rest) => Some(rest),
            (true, rest) => self.content(rest, LEVELS),
        }
    }

    /// Reads the content of an element whose start tag has been read, and its end tag.
    #[inline(never)]
    fn content(&mut self, mut rest: &'t [u8], levels: u32) -> Option<&'t [u8]> {
        let index = self.tape.nodes.len() - 1;
        loop {
            let next = skip_blank(rest);
            if let Some(behind) = next.strip_prefix(b"</") {
                let end = self.tape.nodes.len() as u32;
                let node = self.tape.nodes.get_mut(index)?;
                node.end = end;
                let behind = behind.strip_prefix(node.name.bytes_of(self.text))?;
                return behind.strip_prefix(b">");
            }
            rest = match self.known(next, false)? {
                (false, behind) => behind,
                (true, behind) => self.content(behind, levels.checked_sub(1)?)?,
            };
        }
    }

    /// Puts an element on the tape, if it is a known row. Returns `true` if its content follows.
    #[inline(always)]
    fn known(&mut self, rest: &'t [u8], is_child: bool) -> Option<(bool, &'t [u8])> {
        for row in &self.memo.rows {
            let values = Values {
                text: self.text,
                tape: self.tape,
            };
            if row.is_child == is_child
                && let Some(behind) = compare(row, rest, values)
            {
                return Some((row.is_start, behind));
            }
        }
        None
    }
}

/// Writes the element that begins here to the tape if it matches the row. Returns the text after it.
#[inline(always)]
fn compare<'t>(row: &Row, start: &'t [u8], mut new: Values<'_, 't>) -> Option<&'t [u8]> {
    let mut rest = row.head.strip(start)?;
    let mut values = [Value::NONE; PLACES];
    let mut moved = [(new.at(start) as u32).wrapping_sub(row.at); PLACES];
    for (learned, number) in row.values.iter().zip(0..PLACES - 1) {
        let (value, next) = match learned.end {
            // A blank text would be no text.
            b'<' => new
                .text(skip_blank(rest))
                .filter(|(value, _)| !value.is_empty())?,
            quote => new.attribute(rest, quote)?,
        };
        *values.get_mut(number)? = value;
        *moved.get_mut(number + 1)? = (new.at(next) as u32).wrapping_sub(learned.at);
        rest = learned.behind.strip(next)?;
    }
    let tape = new.tape;
    let (nodes, attributes) = (tape.nodes.len(), tape.attributes.len());
    if nodes + attributes > MAX_NODES / 2 {
        return None;
    }
    for (attribute, place) in &row.attributes {
        let by = *moved.get(place.behind)?;
        tape.attributes.push(Attribute {
            name: attribute.name.moved(by),
            namespace: attribute.namespace,
            value: match place.value {
                Some(value) => *values.get(value)?,
                None => attribute.value.moved(by),
            },
        });
    }
    for (node, place) in &row.nodes {
        let by = *moved.get(place.behind)?;
        tape.nodes.push(Node {
            at: node.at.wrapping_add(by),
            name: node.name.moved(by),
            local: node.local.wrapping_add(by),
            text: match place.value {
                Some(value) => *values.get(value)?,
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
