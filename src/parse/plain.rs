//! The plain parser: reads an entry of the usual shape straight, and gives up at anything else.
//!
//! The usual shape is what almost all entries have: children of the base format without attributes, elements whose
//! prefixes are declared outside of the entry, attributes in quotes, references that XML defines, values in a CDATA section.
//! [`EntryParser`](super::entry::EntryParser) reads any other entry from its start. Results never depend on which of the
//! two read an entry; without this module reading would only be slower.

use memchr::{memchr, memmem};

use crate::format::EntryKind;
use crate::limits::MAX_NODES;
use crate::tape::dialect::BaseChild;
use crate::tape::{Attribute, Node, Shape, Tape, Value};
use crate::text::search::{begin_alike, find, is_angle, may_be_forbidden, skip_blank};
use crate::text::span::Span;
use crate::xml::namespaces::{Namespaces, NsId, Relation};
use crate::xml::references::known_reference;

/// After this number of failures in a row, the plain parser is only tried occasionally.
const MAX_FAILURES: u8 = 8;
/// Number of entries that are then left to the general parser.
const PAUSE: u8 = 64;
/// Levels of elements below the children of an entry.
const LEVELS: u32 = 3;
/// Attributes of an element.
const MAX_ATTRIBUTES: usize = 8;

/// The entries that can come next, and whether it is worth trying them.
#[derive(Debug, Default)]
pub(super) struct Plain {
    expected: Option<Expected>,
    /// Number of attempts in a row that have failed, if the current one does.
    failures: u8,
    /// Number of entries that are left to the general parser before the next attempt.
    pause: u8,
}

/// The kind of the entries, and the namespace of the entries and their children.
#[derive(Debug, Clone, Copy)]
struct Expected {
    kind: EntryKind,
    own: NsId,
    /// `true` until one of them has been read.
    is_new: bool,
}

impl Plain {
    pub(super) fn is_entered(&self) -> bool {
        self.expected.is_some()
    }

    /// Returns `true` if it should be tried again. If it has failed often, it is skipped for most entries.
    fn may_try(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        self.failures = self.failures.saturating_add(1);
        if self.failures > MAX_FAILURES {
            self.pause = PAUSE;
        }
        true
    }

    /// Prepares for entries of this kind. `None` if they cannot be plain, or not worth trying.
    pub(super) fn enter(&mut self, kind: EntryKind, namespaces: &Namespaces) -> Option<()> {
        let own = namespaces.resolve("")?;
        let is_usual = namespaces.relation(own) == Relation::Root && self.may_try();
        let is_new = true;
        self.expected = is_usual.then_some(Expected { kind, own, is_new });
        self.expected.map(|_| ())
    }

    /// The general parser has taken over.
    pub(super) fn leave(&mut self) {
        self.expected = None;
    }

    /// An entry has been read. Returns `true` if it is the first since [`enter`](Self::enter).
    pub(super) fn arrive(&mut self) -> bool {
        match &mut self.expected {
            Some(expected) if expected.is_new => {
                expected.is_new = false;
                (self.failures, self.pause) = (0, 0);
                true
            }
            _ => false,
        }
    }

    /// Puts the entry at the start of `text` on the tape, and returns its end.
    #[inline]
    pub(super) fn parse(&self, text: &str, tape: &mut Tape) -> Option<usize> {
        let expected = self.expected?;
        tape.clear();
        tape.kind = expected.kind;
        let parser = PlainParser {
            text,
            own: expected.own,
            tape,
            base: 1,
            is_plain: true,
            child: 0,
            prefix: (Span::EMPTY, NsId::NONE),
        };
        parser.entry()
    }
}

/// Each method takes the text that is still to be read, and returns the rest of it.
struct PlainParser<'t> {
    text: &'t str,
    own: NsId,
    tape: &'t mut Tape,
    /// Number of children of the base format, including the entry itself.
    base: usize,
    /// Each of them is there once, and where it belongs.
    is_plain: bool,
    /// The index of the child of another vocabulary that is read.
    child: usize,
    /// The prefix that was resolved last, and its namespace.
    prefix: (Span, NsId),
}

/// The start tag and the end tag of a child.
#[inline(always)]
const fn tags(child: BaseChild) -> (&'static [u8], &'static [u8]) {
    match child {
        BaseChild::Loc => (b"<loc>", b"</loc>"),
        BaseChild::Lastmod => (b"<lastmod>", b"</lastmod>"),
        BaseChild::Changefreq => (b"<changefreq>", b"</changefreq>"),
        BaseChild::Priority => (b"<priority>", b"</priority>"),
    }
}

impl<'t> PlainParser<'t> {
    #[inline(always)]
    fn at(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    #[inline(always)]
    fn entry(mut self) -> Option<usize> {
        let mut rest = self.start()?;
        loop {
            let start = skip_blank(rest);
            // One branch for each, so that the compiler has its name and its slot as constants.
            rest = match start {
                [b'<', b'/', ..] => return self.end(start),
                [b'<', b'l', b'o', ..] => self.base_child(BaseChild::Loc, start)?,
                [b'<', b'l', ..] => self.base_child(BaseChild::Lastmod, start)?,
                [b'<', b'c', ..] => self.base_child(BaseChild::Changefreq, start)?,
                [b'<', b'p', ..] => self.base_child(BaseChild::Priority, start)?,
                _ => self.child(start)?,
            };
        }
    }

    /// The start tag of the entry.
    #[inline(always)]
    fn start(&mut self) -> Option<&'t [u8]> {
        let text = self.text.as_bytes();
        let (len, rest) = match self.tape.kind {
            EntryKind::Url => ("url".len(), text.strip_prefix(b"<url")?),
            EntryKind::Sitemap => ("sitemap".len(), text.strip_prefix(b"<sitemap")?),
        };
        let entry = Node {
            name: Span::new(1, 1 + len),
            local: 1,
            namespace: self.own,
            ..Node::EMPTY
        };
        self.tape.nodes.push(entry);
        match rest {
            [b'>', rest @ ..] => Some(rest),
            _ => self.start_with_attributes(rest),
        }
    }

    #[inline(never)]
    fn start_with_attributes(&mut self, rest: &'t [u8]) -> Option<&'t [u8]> {
        let rest = self.attributes(rest)?.strip_prefix(b">")?;
        let attributes = Span::new(0, self.tape.attributes.len());
        self.tape.nodes.first_mut()?.attributes = attributes;
        Some(rest)
    }

    #[inline(always)]
    fn end(self, start: &[u8]) -> Option<usize> {
        let rest = match self.tape.kind {
            EntryKind::Url => start.strip_prefix(b"</url>")?,
            EntryKind::Sitemap => start.strip_prefix(b"</sitemap>")?,
        };
        let nodes = self.tape.nodes.len() as u32;
        self.tape.nodes.first_mut()?.end = nodes;
        self.tape.shape = if !self.is_plain {
            Shape::Other
        } else if self.base < self.tape.nodes.len() {
            Shape::Extended
        } else {
            Shape::Base
        };
        Some(self.at(rest))
    }

    /// Reads a child of the base format, unless the tag that begins there is another one.
    #[inline(always)]
    fn base_child(&mut self, child: BaseChild, start: &'t [u8]) -> Option<&'t [u8]> {
        let (start_tag, end_tag) = tags(child);
        let Some(rest) = start.strip_prefix(start_tag) else {
            return self.child(start);
        };
        let (at, rest) = (self.at(start), skip_blank(rest));
        // The two branches stay separate to the end: if they were joined, the value would have to be passed through
        // memory.
        if let Some((len, behind)) = plain_text(rest) {
            let from = self.at(rest);
            self.add(child, at, Value::in_window(Span::new(from, from + len)))?;
            return behind.strip_prefix(end_tag);
        }
        let (value, behind) = self.other_text(rest)?;
        // An empty element is reported by the interpreter.
        self.is_plain &= !value.is_empty();
        self.add(child, at, value)?;
        behind.strip_prefix(end_tag)
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
        let has_loc = !self.tape.base.of(BaseChild::Loc).is_empty();
        if child == BaseChild::Loc && (has_loc || text.is_empty()) {
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

    /// Reads a child of another vocabulary, and all in it.
    #[inline(never)]
    fn child(&mut self, start: &'t [u8]) -> Option<&'t [u8]> {
        self.child = self.tape.nodes.len();
        self.element(start, LEVELS)
    }

    fn element(&mut self, start: &'t [u8], levels: u32) -> Option<&'t [u8]> {
        let (at, tag) = (self.at(start), start.strip_prefix(b"<")?);
        let name = name(tag).filter(|name| name.prefix > 0)?;
        let namespace = self.namespace(at + 1, name.prefix)?;
        let (first, index) = (self.tape.attributes.len(), self.tape.nodes.len());
        if first + index > MAX_NODES / 2 {
            return None;
        }
        let rest = match tag.get(name.len..)? {
            behind @ [b'>', ..] => behind,
            behind => match self.attributes_of_link(behind) {
                Some(rest) => rest,
                None => self.attributes(behind)?,
            },
        };
        let node = Node {
            at: at as u32,
            name: Span::new(at + 1, at + 1 + name.len),
            local: (at + 2 + name.prefix) as u32,
            text: Value::NONE,
            attributes: Span::new(first, self.tape.attributes.len()),
            end: index as u32 + 1,
            namespace,
            ..Node::EMPTY
        };
        let rest = match rest {
            [b'/', b'>', rest @ ..] => {
                self.tape.nodes.push(node);
                return Some(rest);
            }
            _ => rest.strip_prefix(b">")?,
        };
        let visible = skip_blank(rest);
        let rest = match plain_text(visible) {
            Some((len, behind)) => {
                let from = self.at(visible);
                let text = Value::in_window(Span::new(from, from + len));
                self.tape.nodes.push(Node { text, ..node });
                behind
            }
            None => {
                self.tape.nodes.push(node);
                self.content(index, rest, levels)?
            }
        };
        let end = rest.strip_prefix(b"</")?;
        if !begin_alike(end, tag, name.len) {
            return None;
        }
        end.get(name.len..)?.strip_prefix(b">")
    }

    /// Reads the content of an element up to its end tag: elements, or a text that is not plain.
    #[inline(never)]
    fn content(&mut self, index: usize, rest: &'t [u8], levels: u32) -> Option<&'t [u8]> {
        let mut next = skip_blank(rest);
        if !matches!(next, [b'<', first, ..] if !matches!(first, b'/' | b'!')) {
            let (text, behind) = self.other_text(rest)?;
            self.tape.nodes.get_mut(index)?.text = text;
            return Some(behind);
        }
        let mut is_spaced = next.len() < rest.len();
        while !next.starts_with(b"</") {
            let behind = self.element(next, levels.checked_sub(1)?)?;
            next = skip_blank(behind);
            is_spaced |= next.len() < behind.len();
        }
        let end = self.tape.nodes.len() as u32;
        self.tape.nodes.get_mut(index)?.end = end;
        (!is_spaced || self.is_in_extension()?).then_some(next)
    }

    /// Returns `true` if white space between elements has no meaning: in a child that is not foreign.
    fn is_in_extension(&self) -> Option<bool> {
        let child = self.tape.nodes.get(self.child)?;
        let vocabulary = self.tape.namespaces.judgement(child.namespace).vocabulary;
        let is_of_page = self.tape.kind == EntryKind::Url;
        Some(is_of_page && vocabulary.has_extension(child.local_name().of(self.text)))
    }

    /// The namespace of a prefix that begins there, if it is declared and none of the sitemap's own.
    #[inline(always)]
    fn namespace(&mut self, at: usize, len: usize) -> Option<NsId> {
        let span = Span::new(at, at + len);
        let text = self.text.as_bytes();
        let (last, namespace) = self.prefix;
        if last.len() == len && begin_alike(text.get(last.start()..)?, text.get(at..)?, len) {
            return Some(namespace);
        }
        let namespaces = &self.tape.namespaces;
        let found = namespaces.resolve(span.of(self.text))?;
        if namespaces.relation(found) != Relation::Foreign {
            return None;
        }
        self.prefix = (span, found);
        Some(found)
    }

    /// Reads the attributes of a link to a page in another language, if they are written as nearly always.
    #[inline(always)]
    fn attributes_of_link(&mut self, start: &'t [u8]) -> Option<&'t [u8]> {
        let first = self.tape.attributes.len();
        let rest = start.strip_prefix(b" rel=\"alternate\" hreflang=\"")?;
        let at = self.at(start);
        self.tape.attributes.push(Attribute {
            name: Span::new(at + 1, at + 4),
            namespace: NsId::NONE,
            value: Value::in_window(Span::new(at + 6, at + 15)),
        });
        let read = self.rest_of_link(at, rest);
        if read.is_none() {
            self.tape.attributes.truncate(first);
        }
        read
    }

    #[inline(always)]
    fn rest_of_link(&mut self, at: usize, rest: &'t [u8]) -> Option<&'t [u8]> {
        let behind = self.attribute(Span::new(at + 17, at + 25), NsId::NONE, rest, b'"')?;
        let rest = behind.strip_prefix(b" href=\"")?;
        let at = self.at(rest) - 6;
        let behind = self.attribute(Span::new(at, at + 4), NsId::NONE, rest, b'"')?;
        Some(skip_blank(behind))
    }

    /// Reads the attributes of a start tag up to its `>` or `/>`.
    fn attributes(&mut self, mut rest: &'t [u8]) -> Option<&'t [u8]> {
        let first = self.tape.attributes.len();
        let mut prefixed = 0;
        loop {
            let start = match rest {
                // In most tags.
                [b' ', start @ ..] if start.first().is_some_and(u8::is_ascii_lowercase) => start,
                _ => skip_blank(rest),
            };
            if matches!(start, [b'>', ..] | [b'/', b'>', ..]) {
                break;
            }
            let at = self.at(start);
            let name = attribute_name(start).filter(|_| start.len() < rest.len())?;
            let namespace = match name.prefix {
                0 => NsId::NONE,
                len => {
                    prefixed += 1;
                    let prefix = Span::new(at, at + len).of(self.text);
                    self.tape.namespaces.resolve(prefix)?
                }
            };
            let [b'=', quote @ (b'"' | b'\''), value @ ..] = start.get(name.len..)? else {
                return None;
            };
            let name = Span::new(at, at + name.len);
            rest = self.attribute(name, namespace, value, *quote)?;
        }
        let mut own = self.tape.attributes.get(first..)?;
        if own.len() > MAX_ATTRIBUTES || prefixed > 1 {
            return None;
        }
        let text = self.text;
        while let [one, others @ ..] = own {
            let is_same = |other: &Attribute| {
                one.name.len() == other.name.len()
                    && one.name.bytes_of(text) == other.name.bytes_of(text)
            };
            if others.iter().any(is_same) {
                return None;
            }
            own = others;
        }
        Some(skip_blank(rest))
    }

    // Texts and values of attributes: their ends, and their content if they contain references.

    /// A text that is not plain: a CDATA section, or one that [`text_with_references`](Self::text_with_references) reads.
    #[inline(never)]
    fn other_text(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let start = skip_blank(rest);
        match start.strip_prefix(b"<![CDATA[") {
            Some(inside) => self.section(inside),
            None => self.text_with_references(start),
        }
    }

    /// The content of a CDATA section that is all of a text.
    fn section(&mut self, inside: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let (text, end) = inside.split_at_checked(memmem::find(inside, b"]]>")?)?;
        if find(text, may_be_forbidden).is_some() {
            return None;
        }
        let from = self.at(inside);
        let value = Value::in_window(Span::new(from, from + text.len()));
        let behind = skip_blank(end.get(3..)?);
        Some((value.trimmed(self.text, ""), behind))
    }

    /// A text that is blank, ends with white space, or holds references. One with a `>` may hold what ends a CDATA section,
    /// which the general path reports.
    fn text_with_references(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let len = find(rest, |b| is_angle(b) | (b == b'&') | may_be_forbidden(b))?;
        let behind = rest.get(len..)?;
        let from = self.at(rest);
        // The line may end here, and white space follow.
        let next = skip_blank(behind);
        if next.first() == Some(&b'<') {
            let value = Value::in_window(Span::new(from, from + len));
            return Some((value.trimmed(self.text, ""), next));
        }
        let next = behind.get(find(behind, |b| is_angle(b) | may_be_forbidden(b))?..)?;
        if next.first() != Some(&b'<') {
            return None;
        }
        let value = self.resolved(from, self.at(next))?;
        Some((value.trimmed("", &self.tape.scratch), next))
    }

    /// Reads the value of an attribute, and puts the attribute on the tape.
    #[inline(always)]
    fn attribute(
        &mut self,
        name: Span,
        namespace: NsId,
        rest: &'t [u8],
        quote: u8,
    ) -> Option<&'t [u8]> {
        let start = self.at(rest);
        // `"` and `&` differ in one bit, so that one comparison finds both.
        const DIFFERENCE: u8 = b'"' ^ b'&';
        let len = match quote {
            b'"' => find(rest, |b| {
                (b & !DIFFERENCE == b'"') | (b == b'<') | may_be_forbidden(b)
            })?,
            _ => find(rest, |b| {
                (b == b'\'') | (b == b'&') | (b == b'<') | may_be_forbidden(b)
            })?,
        };
        if *rest.get(len)? == quote {
            let value = Value::in_window(Span::new(start, start + len));
            // Not joined with the other branch, so that the value need not pass through memory.
            self.tape.attributes.push(Attribute {
                name,
                namespace,
                value,
            });
            return rest.get(len + 1..);
        }
        let (value, behind) = self.attribute_with_references(rest, quote)?;
        self.tape.attributes.push(Attribute {
            name,
            namespace,
            value,
        });
        behind.get(1..)
    }

    /// The value of an attribute that holds references.
    #[inline(never)]
    fn attribute_with_references(
        &mut self,
        rest: &'t [u8],
        quote: u8,
    ) -> Option<(Value, &'t [u8])> {
        let start = self.at(rest);
        let (value, behind) = rest.split_at_checked(memchr(quote, rest)?)?;
        if find(value, |b| (b == b'<') | may_be_forbidden(b)).is_some() {
            return None;
        }
        Some((self.resolved(start, start + value.len())?, behind))
    }

    /// A text whose references are all known ones, resolved.
    fn resolved(&mut self, start: usize, end: usize) -> Option<Value> {
        let mut rest = self.text.get(start..end)?;
        let written = Span::new(start, end).trimmed(self.text);
        // The resolved text is never longer.
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
        Some(Value::in_scratch(scratch, self.tape.scratch.len(), written))
    }
}

/// A name in ASCII letters and digits.
struct Name {
    len: usize,
    /// The length of its prefix; 0 if it has none.
    prefix: usize,
}

/// The name that begins there.
#[inline(always)]
fn name(rest: &[u8]) -> Option<Name> {
    let (prefix, end) = part_of_name(rest)?;
    if end != b':' {
        let (len, prefix) = (prefix, 0);
        return Some(Name { len, prefix });
    }
    let (local, end) = part_of_name(rest.get(prefix + 1..)?)?;
    let len = prefix + 1 + local;
    (end != b':').then_some(Name { len, prefix })
}

/// The name of an attribute that begins there. `None` for a declaration.
#[inline(always)]
fn attribute_name(rest: &[u8]) -> Option<Name> {
    // Those of a link are known.
    let len = if rest.starts_with(b"rel=") {
        3
    } else if rest.starts_with(b"href=") {
        4
    } else if rest.starts_with(b"hreflang=") {
        8
    } else {
        return name(rest).filter(|_| !rest.starts_with(b"xmlns"));
    };
    Some(Name { len, prefix: 0 })
}

/// The length of the prefix or of the local part of a name, and the byte after it, which is not a part of a name.
#[inline(always)]
fn part_of_name(rest: &[u8]) -> Option<(usize, u8)> {
    // Nearly always it has only lower-case letters and underscores, which it takes fewer comparisons to find.
    let len = find(rest, |b| (b.wrapping_sub(b'_') >= 28) | (b == b'`'))?;
    match *rest.get(len)? {
        end @ (b':' | b'=' | b'>' | b' ' | b'/') if len > 0 => Some((len, end)),
        _ => part_of_any_name(rest),
    }
}

#[inline(never)]
fn part_of_any_name(rest: &[u8]) -> Option<(usize, u8)> {
    let len = find(rest, |b| {
        let is_letter = (b | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = b.wrapping_sub(b'0') < 10;
        !(is_letter | is_digit | (b == b'_') | (b == b'-') | (b == b'.'))
    })?;
    let (first, end) = (*rest.first()?, *rest.get(len)?);
    let is_name = first.is_ascii_alphabetic() || first == b'_';
    (is_name && end.is_ascii()).then_some((len, end))
}

/// Returns the length of the text, and the text after it, if it begins and ends with a visible character and contains
/// no reference.
#[inline(always)]
fn plain_text(rest: &[u8]) -> Option<(usize, &[u8])> {
    // As signed numbers, control characters and all beyond ASCII are less than a space.
    let len = find(rest, |b| {
        is_angle(b) | (b == b'&') | (b.cast_signed() < 0x20)
    })?;
    let (text, behind) = rest.split_at_checked(len)?;
    let is_trimmed = text.last()?.is_ascii_graphic();
    (is_trimmed && behind.first() == Some(&b'<')).then_some((len, behind))
}
