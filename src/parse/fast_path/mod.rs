//! The fast path: entries of the shape that almost all have.
//!
//! It knows plain children and attributes, plain text with known references at most, and elements that are each closed
//! by their own end tag. Whatever else it meets, it gives the entry up, and [`EntryParser`](super::entry::EntryParser)
//! reads it from its start. Results never depend on which of the two read an entry; without this module reading would be
//! slower, and nothing else.
//!
//! Where the document repeats itself, a comparison with what was there before takes the place of a search: see [`memo`].

mod extension;
mod memo;
mod row;
mod rows;
mod spelling;

use memchr::memchr;

use self::memo::Memo;
use crate::format::EntryKind;
use crate::parse::Tried;
use crate::search::{find, is_odd, skip_blank};
use crate::span::Span;
use crate::tape::{Node, Tape, Value};
use crate::xml::lexer::name_len;
use crate::xml::namespaces::{Namespaces, NsId, Relation};
use crate::xml::references::known_reference;

/// Levels of elements below an entry's children. Deeper ones are left to the general path.
const LEVELS: u32 = 3;
/// After so many failures in a row the fast path is only tried now and then.
const MAX_FAILURES: u8 = 8;
/// So many entries are left to the general path then.
const PAUSE: u8 = 64;

/// Whether the fast path is worth trying, and what it remembers from entry to entry.
#[derive(Debug, Default)]
pub(crate) struct FastPath {
    shape: Option<Shape>,
    /// How often in a row it has failed, and how often it has not been tried since.
    failures: u8,
    /// Bytes of an entry that the end of the text cuts, in which nothing is that can complete it.
    harmless: usize,
    /// The namespaces that the memo was made with, by [`Namespaces::changes`].
    namespaces: u64,
    memo: Box<Memo>,
}

/// Longer beginnings of entries are left to the general path, which reads on where it stopped.
const MAX_CUT: usize = 64 << 10;

/// The entries that it reads.
#[derive(Debug, Clone, Copy)]
struct Shape {
    kind: EntryKind,
    /// The namespace of the entries and their children.
    own: NsId,
    /// None of them has been read.
    is_new: bool,
}

impl FastPath {
    #[inline]
    pub(crate) fn is_entered(&self) -> bool {
        self.shape.is_some()
    }

    /// Whether it should be tried again. Where it has failed often it is left out most times.
    pub(crate) fn may_try(&mut self) -> bool {
        let is_hopeless = self.failures > MAX_FAILURES;
        self.failures = match self.failures {
            failures if failures < MAX_FAILURES + PAUSE => failures + 1,
            _ => MAX_FAILURES,
        };
        !is_hopeless
    }

    /// Entries of this kind in this namespace are to be read. If prefixes may stand for something else than before, what
    /// an earlier part of the document was like is forgotten.
    pub(crate) fn enter(&mut self, kind: EntryKind, own: NsId, namespaces: &Namespaces) {
        if self.namespaces != namespaces.changes() {
            self.namespaces = namespaces.changes();
            self.memo.forget();
        }
        self.shape = Some(Shape {
            kind,
            own,
            is_new: true,
        });
    }

    /// The general path has taken over.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.harmless = 0;
        self.shape = None;
    }

    /// Reads an entry at the start of the text, after white space. `may_grow`: more text may come.
    #[inline]
    pub(crate) fn entry(
        &mut self,
        text: &str,
        max_bytes: usize,
        may_grow: bool,
        tape: &mut Tape,
    ) -> Tried {
        let Some(shape) = self.shape else {
            return Tried::Unknown;
        };
        let start = text.len() - self.memo.skip_gap(text.as_bytes()).len();
        let text = text.get(start..).unwrap_or_default();
        let most = max_bytes.min(MAX_CUT);
        if self.harmless > 0 && may_grow && self.is_still_cut(text, most, tape) {
            return Tried::Cut(start);
        }
        let mut reached = 0;
        match entry(text, &mut reached, shape, &mut self.memo, tape) {
            Some(()) if reached <= max_bytes => {
                self.harmless = 0;
                Tried::Entry(start, start + reached)
            }
            // An entry that is read here after others, up to a child.
            None if may_grow && !shape.is_new && reached > 0 => {
                let child = text.as_bytes().get(reached..).unwrap_or_default();
                self.harmless = reached + usize::from(is_start_of_base(child, tape));
                match self.is_still_cut(text, most, tape) {
                    true => Tried::Cut(start),
                    false => Tried::Unknown,
                }
            }
            _ => Tried::Unknown,
        }
    }

    /// Whether what is new in the beginning of an entry is known not to complete it: text, and tags with a prefix of
    /// another vocabulary. A tag that is not complete does not complete an entry either.
    #[inline(never)]
    fn is_still_cut(&mut self, text: &str, most: usize, tape: &Tape) -> bool {
        let mut rest = text.as_bytes().get(self.harmless..).unwrap_or_default();
        while let Some(tag) = memchr(b'<', rest) {
            rest = rest.get(tag..).unwrap_or_default();
            self.harmless = text.len() - rest.len();
            let Some(end) = memchr(b'>', rest) else {
                return text.len() <= most;
            };
            if !is_foreign(rest, tape) {
                return false;
            }
            rest = rest.get(end..).unwrap_or_default();
        }
        self.harmless = text.len() - rest.len();
        text.len() <= most
    }

    /// An entry has been read. Returns whether it is the first since [`enter`](Self::enter).
    #[inline]
    pub(crate) fn arrive(&mut self) -> bool {
        match &mut self.shape {
            Some(shape) if shape.is_new => {
                shape.is_new = false;
                self.failures = 0;
                true
            }
            _ => false,
        }
    }
}

/// Whether a child of the base format begins here with which no entry can end: any but a second loc.
fn is_start_of_base(rest: &[u8], tape: &Tape) -> bool {
    let others = [b"<lastmod>".as_slice(), b"<changefreq>", b"<priority>"];
    others.iter().any(|start| rest.starts_with(start))
        || rest.starts_with(b"<loc>") && !tape.has_loc()
}

/// Whether the tag that begins here has a prefix of another vocabulary.
fn is_foreign(rest: &[u8], tape: &Tape) -> bool {
    let name = rest.strip_prefix(b"</").or_else(|| rest.strip_prefix(b"<"));
    let name = name.and_then(|name| std::str::from_utf8(name.get(..name_len(name))?).ok());
    let prefix = name.and_then(|name| name.split_once(':'));
    prefix
        .and_then(|(prefix, _)| tape.namespaces.resolve(prefix))
        .is_some_and(|id| tape.namespaces.relation(id) == Relation::Foreign)
}

/// Puts the entry at the start of `text` on the tape. `reached` becomes the place where it ends, or, if it cannot be
/// read, where the child begins that could not.
fn entry(
    text: &str,
    reached: &mut usize,
    shape: Shape,
    memo: &mut Memo,
    tape: &mut Tape,
) -> Option<()> {
    tape.clear();
    tape.kind = shape.kind;
    memo.pieces.clear();
    let mut parser = Parser {
        text,
        own: shape.own,
        memo,
        tape,
        base: 1,
        is_plain: true,
        keeps_space: false,
    };
    match shape.kind {
        EntryKind::Url => parser.entry(reached, b"<url>", b"</url>"),
        EntryKind::Sitemap => parser.entry(reached, b"<sitemap>", b"</sitemap>"),
    }
}

/// Each method takes what is still to be read, and gives what is left of it.
struct Parser<'t> {
    text: &'t str,
    own: NsId,
    memo: &'t mut Memo,
    tape: &'t mut Tape,
    /// How many children of the base format there are, the entry counted with them.
    base: usize,
    /// Each of them is there once, and where it belongs.
    is_plain: bool,
    /// In the child at hand white space between elements is kept: it is carried through as it is.
    keeps_space: bool,
}

impl<'t> Parser<'t> {
    fn at(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    // Inlined, as is what calls it, so that tags are compared with constants.
    #[inline(always)]
    fn entry(&mut self, reached: &mut usize, start: &[u8], end: &[u8]) -> Option<()> {
        let mut rest = self.text.as_bytes().strip_prefix(start)?;
        self.tape.nodes.push(Node {
            name: Span::new(1, start.len() - 1),
            local: 1,
            namespace: self.own,
            ..Node::EMPTY
        });
        loop {
            rest = self.memo.skip_gap(rest);
            if let [b'<', b'/', ..] = rest {
                rest = rest.strip_prefix(end)?;
                let nodes = self.tape.nodes.len() as u32;
                self.tape.nodes.first_mut()?.end = nodes;
                self.tape.base_nodes = Some(self.base).filter(|_| self.is_plain);
                *reached = self.at(rest);
                return Some(());
            }
            *reached = self.at(rest);
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
            _ => self.row(rest),
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
            self.add(
                at,
                start,
                Value::in_window(Span::new(from, from + len)),
                slot,
            );
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
        let attributes = self.tape.attributes.len();
        self.base += 1;
        self.tape.nodes.push(Node {
            at: at as u32,
            name: Span::new(at + 1, at + start.len() - 1),
            local: at as u32 + 1,
            text,
            attributes: Span::new(attributes, attributes),
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
                Some((Value::in_window(Span::new(from, from + len)), behind))
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
            let value = Value::in_window(Span::new(from, from + len));
            return Some((value.trimmed(self.text, ""), next));
        }
        let next = behind.get(find(behind, |b| (b == b'<') | is_odd(b))?..)?;
        if next.first() != Some(&b'<') {
            return None;
        }
        let value = self.resolved(from, self.at(next))?;
        Some((value.trimmed("", &self.tape.scratch), next))
    }

    /// A text whose references are all known ones, resolved.
    fn resolved(&mut self, start: usize, end: usize) -> Option<Value> {
        let mut rest = self.text.get(start..end)?;
        let at = start + rest.len() - rest.trim_start().len();
        // What is resolved is never longer.
        if !self.tape.make_room_for_text(end - start) {
            return None;
        }
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
