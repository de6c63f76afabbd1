//! Reads the children of the base format.

use super::ShapeParser;
use super::child::{Child, ChildStep};
use super::literal::Literal;
use super::value::plain_text;
use crate::tape::dialect::BaseChild;
use crate::tape::{Node, Value};
use crate::text::search::skip_blank;
use crate::text::span::Span;

impl<'t> ShapeParser<'t> {
    /// The step from a child, whose text or row ends here, to the `<` of the next: what that is, and its place. `None` if
    /// another tag than its end tag follows on its text.
    // A place, not a text: a child and a number are returned in registers.
    #[inline(always)]
    pub(super) fn step(&mut self, last: Child, rest: &'t [u8]) -> Option<(Child, usize)> {
        // Compared one after another, because the processor predicts which one is equal.
        let mut known = self.memo.steps.get(last as usize)?.iter();
        match known.find(|(text, _)| text.strip(rest).is_some()) {
            Some((_, step)) => Some((step.next, self.at(rest) + step.len)),
            None => self.new_step(last, rest),
        }
    }

    /// Reads a step tag by tag, and remembers it for the following entries.
    #[inline(never)]
    fn new_step(&mut self, last: Child, rest: &'t [u8]) -> Option<(Child, usize)> {
        let behind = match last.base() {
            Some(child) => {
                let behind = rest.strip_prefix(b"</")?;
                let behind = behind.strip_prefix(child.name().as_bytes())?;
                behind.strip_prefix(b">")?
            }
            None => rest,
        };
        let start = skip_blank(behind);
        let (next, told) = Child::at(start);
        let len = rest.len() - start.len();
        if next != Child::Other {
            let steps = self.memo.steps.get_mut(last as usize)?;
            let text = Literal::new(rest.get(..len + told)?);
            // A step that is known is not recognized if too little text follows.
            if let Some(text) = text.filter(|text| steps.iter().all(|(known, _)| known != text)) {
                // If none is free, the latest is replaced. If it were the oldest, steps that recur in a cycle would be
                // removed just before they recur.
                let is_free = |(known, _): &(_, _)| *known == Literal::default();
                let number = steps.iter().position(is_free).unwrap_or(steps.len() - 1);
                *steps.get_mut(number)? = (text, ChildStep { next, len });
            }
        }
        Some((next, self.at(start)))
    }

    /// Reads the child of the base format that begins there, and returns the next child and its place.
    #[inline(always)]
    pub(super) fn base_child(&mut self, child: BaseChild, at: usize) -> Option<(Child, usize)> {
        let text = self.text.as_bytes();
        let rest = skip_blank(text.get(at + child.name().len() + 2..)?);
        // The two branches stay separate to the end: if they were joined, the value would have to be passed through
        // memory.
        if let Some((len, behind)) = plain_text(rest) {
            let from = self.at(rest);
            let next = self.step(Child::of(child), behind)?;
            self.add(child, at, Value::in_window(Span::new(from, from + len)))?;
            return Some(next);
        }
        self.child_with_references(child, at, rest)
    }

    #[inline(never)]
    fn child_with_references(
        &mut self,
        child: BaseChild,
        at: usize,
        rest: &'t [u8],
    ) -> Option<(Child, usize)> {
        let (text, behind) = self.values().text_with_references(rest)?;
        let next = self.step(Child::of(child), behind)?;
        self.add(child, at, text)?;
        Some(next)
    }

    /// Puts a child on the tape. `None` for a second loc, which ends an entry, and for one that is blank.
    #[inline(always)]
    fn add(&mut self, child: BaseChild, at: usize, text: Value) -> Option<()> {
        let attributes = self.tape.attributes.len();
        self.base += 1;
        self.tape.nodes.push(Node {
            at: at as u32,
            name: Span::new(at + 1, at + 1 + child.name().len()),
            local: at as u32 + 1,
            text,
            attributes: Span::new(attributes, attributes),
            end: self.tape.nodes.len() as u32 + 1,
            namespace: self.own,
            ..Node::EMPTY
        });
        if child == BaseChild::Loc && (self.tape.has_loc() || text.is_empty()) {
            return None;
        }
        self.is_plain &= child.is_of(self.tape.kind);
        let slot = self.tape.base.slot(child);
        // A second one is judged by the interpreter.
        if slot.is_empty() {
            *slot = text;
        } else {
            self.is_plain = false;
        }
        Some(())
    }
}
