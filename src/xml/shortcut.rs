//! The shape that almost every entry has, read without the general lane's care: plain children and attributes,
//! plain text with known references at most, every tag closed by its own. Anything else is `None`, and the general
//! lane reads the entry instead. This module may be deleted without changing a single result.

mod extension;
mod habits;
mod known;

use memchr::memchr;

pub(crate) use self::habits::Habits;
use crate::raw::EntryKind;
use crate::scan::{find, is_odd, skip_blank};
use crate::source::dialect::Dialect;
use crate::tape::{Node, Tape, Value};
use crate::xml::namespace::NsId;
use crate::xml::text::known_reference;

/// Levels of elements below an entry's children. Deeper ones are left to the general lane.
const LEVELS: u32 = 3;

/// Puts the entry at the start of `text` on the tape; where it ends.
pub(crate) fn entry(
    text: &str,
    kind: EntryKind,
    own: NsId,
    habits: &mut Habits,
    tape: &mut Tape,
) -> Option<usize> {
    tape.clear();
    tape.kind = kind;
    tape.dialect = Dialect::Sitemap;
    habits.pieces.clear();
    let mut lane = Lane {
        text,
        own,
        habits,
        tape,
        base: 1,
        is_plain: true,
        keeps_space: false,
    };
    match kind {
        EntryKind::Url => lane.entry(b"<url>", b"</url>"),
        EntryKind::Sitemap => lane.entry(b"<sitemap>", b"</sitemap>"),
    }
}

/// Each method takes what is still to be read, and gives what is left of it.
struct Lane<'t> {
    text: &'t str,
    own: NsId,
    habits: &'t mut Habits,
    tape: &'t mut Tape,
    /// Children of the base format, and whether each is there once and where it belongs.
    base: usize,
    is_plain: bool,
    /// In the child at hand white space between elements is kept: it is carried through as it is.
    keeps_space: bool,
}

impl<'t> Lane<'t> {
    fn at(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    // Inlined, as is what calls it, so that tags are compared with constants.
    #[inline(always)]
    fn entry(&mut self, start: &[u8], end: &[u8]) -> Option<usize> {
        let mut rest = self.text.as_bytes().strip_prefix(start)?;
        self.tape.nodes.push(Node {
            name: 1,
            name_end: start.len() as u32 - 1,
            local: 1,
            namespace: self.own,
            ..Node::EMPTY
        });
        loop {
            rest = self.habits.pass_gap(rest);
            if let [b'<', b'/', ..] = rest {
                rest = rest.strip_prefix(end)?;
                let nodes = self.tape.nodes.len() as u32;
                self.tape.nodes.first_mut()?.end = nodes;
                self.tape.base_nodes = Some(self.base).filter(|_| self.is_plain);
                return Some(self.at(rest));
            }
            rest = self.child(rest)?;
        }
    }

    #[inline(always)]
    fn child(&mut self, rest: &'t [u8]) -> Option<&'t [u8]> {
        match rest {
            [b'<', b'l', b'o', ..] => {
                // A second loc ends an entry; a second of the others is told by the interpreter.
                let is_first = !self.tape.has_loc();
                let rest = self.value(rest, b"<loc>", b"</loc>", |tape| &mut tape.loc)?;
                // A loc that is blank is one all the same.
                (is_first && self.tape.has_loc()).then_some(rest)
            }
            [b'<', b'l', ..] => {
                self.value(rest, b"<lastmod>", b"</lastmod>", |tape| &mut tape.lastmod)
            }
            [b'<', b'c', ..] => {
                self.is_plain &= self.is_page();
                self.value(rest, b"<changefreq>", b"</changefreq>", |tape| {
                    &mut tape.changefreq
                })
            }
            [b'<', b'p', ..] => {
                self.is_plain &= self.is_page();
                self.value(rest, b"<priority>", b"</priority>", |tape| {
                    &mut tape.priority
                })
            }
            _ => self.extension(rest, LEVELS),
        }
    }

    fn is_page(&self) -> bool {
        self.tape.kind == EntryKind::Url
    }

    /// A child of the base format.
    #[inline(always)]
    fn value(
        &mut self,
        rest: &'t [u8],
        start: &[u8],
        end: &[u8],
        slot: impl Fn(&mut Tape) -> &mut Value,
    ) -> Option<&'t [u8]> {
        let at = self.at(rest);
        let rest = skip_blank(rest.strip_prefix(start)?);
        // Both ways to the end on their own: where they met, the value would have to go by memory.
        if let Some((len, behind)) = plain_text(rest) {
            let from = self.at(rest);
            let behind = behind.strip_prefix(end)?;
            self.add(at, start, Value::in_window(from, from + len), slot);
            return Some(behind);
        }
        let (value, behind) = self.odd_text(rest)?;
        let behind = behind.strip_prefix(end)?;
        self.add(at, start, value, slot);
        Some(behind)
    }

    #[inline(always)]
    fn add(
        &mut self,
        at: usize,
        start: &[u8],
        text: Value,
        slot: impl Fn(&mut Tape) -> &mut Value,
    ) {
        let at = at as u32;
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
            ..Node::EMPTY
        });
        let slot = slot(self.tape);
        if slot.is_empty() {
            *slot = text;
        } else {
            self.is_plain = false;
        }
    }

    /// The text up to the next `<`, trimmed and with its references resolved.
    fn text(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        match plain_text(rest) {
            Some((len, behind)) => {
                let from = self.at(rest);
                Some((Value::in_window(from, from + len), behind))
            }
            None => self.odd_text(rest),
        }
    }

    /// A text that is blank, ends with white space, or holds references.
    #[inline(never)]
    fn odd_text(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let len = find(rest, |b| (b == b'<') | (b == b'&') | is_odd(b))?;
        let behind = rest.get(len..)?;
        let from = self.at(rest);
        // The line may end here, and white space follow.
        let next = skip_blank(behind);
        if next.first() == Some(&b'<') {
            let value = Value::in_window(from, from + len);
            return Some((value.trimmed(self.text), next));
        }
        let next = behind.get(find(behind, |b| (b == b'<') | is_odd(b))?..)?;
        if next.first() != Some(&b'<') {
            return None;
        }
        let value = self.resolved(from, self.at(next))?;
        Some((value.trimmed(&self.tape.scratch), next))
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
}

/// How long the text is, and what comes behind it, if it begins and ends with something visible and says what
/// it spells.
#[inline(always)]
fn plain_text(rest: &[u8]) -> Option<(usize, &[u8])> {
    let len = find(rest, |b| (b == b'<') | (b == b'&') | is_odd(b))?;
    let (text, behind) = rest.split_at_checked(len)?;
    // What begins here is visible, or white space beyond ASCII.
    let is_trimmed = text.first()?.is_ascii() && text.last()?.is_ascii_graphic();
    (is_trimmed && behind.first() == Some(&b'<')).then_some((len, behind))
}
