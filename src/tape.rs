//! An entry that was parsed but not interpreted: spans of the window, and the texts that had to be decoded. The same tape
//! is filled again for each entry, so an entry needs no allocation.

mod bases;
pub(crate) mod dialect;

use self::bases::Bases;
use crate::format::EntryKind;
use crate::limits::DEFAULT_MAX_ENTRY_BYTES;
use crate::tape::dialect::{BaseChild, Dialect};
use crate::text::span::{Span, TakePart, WrongBounds};
use crate::xml::namespaces::{Namespaces, NsId, Relation};

/// A text: a span of the window, or of the scratch if it had to be joined or decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    text: Span,
    /// The part of the window that it was made of, without the white space around it.
    written: Span,
    pub(crate) is_in_scratch: bool,
}

impl Value {
    pub(crate) const NONE: Self = Self::in_window(Span::EMPTY);

    pub(crate) const fn in_window(span: Span) -> Self {
        Self {
            text: span,
            written: span,
            is_in_scratch: false,
        }
    }

    /// A text in the scratch, which was made of this part of the window.
    pub(crate) const fn in_scratch(start: usize, end: usize, written: Span) -> Self {
        Self {
            text: Span::new(start, end),
            written,
            is_in_scratch: true,
        }
    }

    /// The part of the window in which it was written.
    pub(crate) const fn written(self) -> Span {
        self.written
    }

    /// Returns the text: a part of `window` or of `scratch`.
    #[inline]
    pub(crate) fn of<'t>(self, window: &'t str, scratch: &'t str) -> &'t str {
        self.text.of(self.source(window, scratch))
    }

    /// Returns the buffer that contains the span.
    #[inline]
    fn source<'t>(self, window: &'t str, scratch: &'t str) -> &'t str {
        if self.is_in_scratch { scratch } else { window }
    }

    /// The same text without the white space at both ends.
    #[inline]
    pub(crate) fn trimmed(self, window: &str, scratch: &str) -> Self {
        let text = self.text.trimmed(self.source(window, scratch));
        if self.is_in_scratch {
            Self { text, ..self }
        } else {
            Self::in_window(text)
        }
    }

    pub(crate) const fn len(self) -> usize {
        self.text.len()
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Its start in the scratch buffer, or `None` if it is in the window.
    pub(crate) fn in_scratch_at(self) -> Option<usize> {
        self.is_in_scratch.then(|| self.text.start())
    }
}

/// An element. Offsets count from the start of the entry; `attributes` and `end` are indices of lists of the tape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Its `<`.
    pub(crate) at: u32,
    /// Its name with the prefix.
    pub(crate) name: Span,
    /// Offset of the local part of the name.
    pub(crate) local: u32,
    pub(crate) text: Value,
    /// The range of its attributes in [`Tape::attributes`].
    pub(crate) attributes: Span,
    /// The index after its last descendant.
    pub(crate) end: u32,
    /// The namespace of its prefix, or the conventional one if the prefix is not declared.
    pub(crate) namespace: NsId,
    pub(crate) undeclared: bool,
    /// `true` if its markup is broken (such as an attribute without quotes), so that the element is dropped.
    pub(crate) broken: bool,
}

impl Node {
    pub(crate) const EMPTY: Self = Self {
        at: 0,
        name: Span::EMPTY,
        local: 0,
        text: Value::NONE,
        attributes: Span::EMPTY,
        end: 0,
        namespace: NsId::NONE,
        undeclared: false,
        broken: false,
    };

    /// The beginning of its start tag: `<` and the name.
    pub(crate) fn tag(&self) -> Span {
        Span::new(self.at as usize, self.name.end())
    }

    /// Its name without the prefix.
    pub(crate) fn local_name(&self) -> Span {
        Span::new(self.local as usize, self.name.end())
    }

    /// The prefix of its name; empty without one.
    pub(crate) fn prefix(&self) -> Span {
        let start = self.name.start();
        Span::new(start, (self.local as usize).saturating_sub(1).max(start))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute {
    /// Its name as written.
    pub(crate) name: Span,
    /// The namespace of its prefix; none without a prefix.
    pub(crate) namespace: NsId,
    pub(crate) value: Value,
}

/// A part of the text of an element that also contains elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) node: u32,
    /// The index of the first node that comes after it.
    pub(crate) before: u32,
    pub(crate) text: Value,
}

/// The texts of an entry's children in the base format; those that are missing are empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BaseValues([Value; 4]);

impl BaseValues {
    pub(crate) const NONE: Self = Self([Value::NONE; 4]);

    #[inline(always)]
    pub(crate) const fn of(&self, child: BaseChild) -> Value {
        let [loc, lastmod, changefreq, priority] = &self.0;
        match child {
            BaseChild::Loc => *loc,
            BaseChild::Lastmod => *lastmod,
            BaseChild::Changefreq => *changefreq,
            BaseChild::Priority => *priority,
        }
    }

    #[inline(always)]
    pub(crate) const fn slot(&mut self, child: BaseChild) -> &mut Value {
        let [loc, lastmod, changefreq, priority] = &mut self.0;
        match child {
            BaseChild::Loc => loc,
            BaseChild::Lastmod => lastmod,
            BaseChild::Changefreq => changefreq,
            BaseChild::Priority => priority,
        }
    }
}

/// How much of an entry its texts in the base format say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All: each child belongs to the base format, and is there once.
    Base,
    /// All, except that there are elements of other vocabularies, too.
    Extended,
    /// The elements must be looked at.
    Other,
}

/// The spans and elements of one entry.
///
/// A value is a span of the window, counted from the start of the entry, or a span of `scratch`. Spans are valid until the
/// next entry begins. `clear` empties all lists together; `namespaces` and `bases` belong to the document and stay. If
/// `is_full` is set, texts are missing, so the entry must be skipped.
#[derive(Debug)]
pub(crate) struct Tape {
    pub(crate) kind: EntryKind,
    pub(crate) dialect: Dialect,
    pub(crate) nodes: Vec<Node>,
    pub(crate) shape: Shape,
    pub(crate) attributes: Vec<Attribute>,
    /// The texts of elements that contain both text and elements, in the order of their end tags.
    pub(crate) mixed: Vec<Piece>,
    pub(crate) scratch: String,
    pub(crate) namespaces: Namespaces,
    /// The base URLs for relative links of a feed.
    pub(crate) bases: Bases,
    pub(crate) base: BaseValues,
    pub(crate) max_entry_bytes: usize,
    /// `true` if the decoded texts exceed a limit, so that some of them are missing.
    pub(crate) is_full: bool,
    wrong_bounds: WrongBounds,
}

/// Maximum capacity of each list that is kept after an entry.
pub(crate) const KEPT: usize = 4096;
/// Maximum capacity of `scratch`, in bytes, that is kept after an entry.
const KEPT_TEXT: usize = 64 << 10;

impl Tape {
    /// Creates a tape for entries of at most this number of bytes.
    pub(crate) fn new(max_entry_bytes: usize) -> Self {
        Self {
            kind: EntryKind::Url,
            dialect: Dialect::Sitemap,
            nodes: Vec::new(),
            shape: Shape::Other,
            attributes: Vec::new(),
            mixed: Vec::new(),
            scratch: String::new(),
            namespaces: Namespaces::default(),
            bases: Bases::default(),
            base: BaseValues::NONE,
            max_entry_bytes,
            is_full: false,
            wrong_bounds: WrongBounds::default(),
        }
    }

    pub(crate) fn reset(&mut self) {
        self.clear();
        self.namespaces = Namespaces::default();
        self.bases.close(0);
        self.trim();
    }

    /// Releases the memory of an unusually large entry, so that a later one that is large in another way does not add to it.
    pub(crate) fn trim(&mut self) {
        let most = self.nodes.capacity().max(self.attributes.capacity());
        let most = most.max(self.mixed.capacity());
        let text = self.scratch.capacity().max(self.namespaces.text_capacity());
        if most > KEPT || text > KEPT_TEXT {
            self.shrink();
        }
    }

    #[inline(never)]
    fn shrink(&mut self) {
        self.clear();
        self.nodes.shrink_to(KEPT);
        self.attributes.shrink_to(KEPT);
        self.mixed.shrink_to(KEPT);
        self.scratch.shrink_to(KEPT_TEXT);
        self.namespaces.trim();
    }

    /// Returns `true` if this number of bytes of decoded text can be added without an allocation.
    pub(crate) fn has_room_for_text(&self, bytes: usize) -> bool {
        self.scratch.capacity() - self.scratch.len() >= bytes
    }

    /// Makes room for this number of bytes of decoded text. Returns `false` if an entry must not have that many; the tape is
    /// full then.
    pub(crate) fn make_room_for_text(&mut self, bytes: usize) -> bool {
        self.has_room_for_text(bytes) || self.grow_scratch(bytes)
    }

    /// The slow path of `make_room_for_text`.
    #[inline(never)]
    fn grow_scratch(&mut self, bytes: usize) -> bool {
        let len = self.scratch.len();
        let most = self.max_entry_bytes.max(DEFAULT_MAX_ENTRY_BYTES);
        let fits = len + bytes <= most;
        self.is_full |= !fits;
        if fits {
            // Doubled, but never to more than an entry may have.
            let grown = (len + bytes).max(2 * self.scratch.capacity()).max(1024);
            self.scratch.reserve_exact(grown.min(most) - len);
        }
        fits
    }

    /// Empties the tape for the next entry; namespaces of the document stay.
    pub(crate) fn clear(&mut self) {
        self.is_full = false;
        self.wrong_bounds.clear();
        self.namespaces.wrong_bounds.clear();
        self.nodes.clear();
        self.shape = Shape::Other;
        self.attributes.clear();
        self.mixed.clear();
        self.scratch.clear();
        self.base = BaseValues::NONE;
    }

    /// Returns `true` if a place that does not exist was read in this entry, because of a mistake in this crate.
    pub(crate) fn has_wrong_bounds(&self) -> bool {
        self.wrong_bounds.is_recorded() | self.namespaces.wrong_bounds.is_recorded()
    }

    /// This part of the window.
    #[inline(always)]
    pub(crate) fn part<'r>(&self, span: Span, window: &'r str) -> &'r str {
        window.checked_part(span.start()..span.end(), &self.wrong_bounds)
    }

    /// The bytes of this part of the window. Character boundaries are not checked.
    #[inline(always)]
    pub(crate) fn bytes<'r>(&self, span: Span, window: &'r str) -> &'r [u8] {
        let bytes = window.as_bytes();
        bytes.checked_part(span.start()..span.end(), &self.wrong_bounds)
    }

    /// The text, or `None` if it is empty.
    #[inline]
    pub(crate) fn text<'r>(&'r self, value: Value, window: &'r str) -> Option<&'r str> {
        (!value.is_empty()).then(|| self.text_of(value, window))
    }

    #[inline]
    pub(crate) fn text_of<'r>(&'r self, value: Value, window: &'r str) -> &'r str {
        self.part(value.text, value.source(window, &self.scratch))
    }

    #[inline]
    pub(crate) fn bytes_of<'r>(&'r self, value: Value, window: &'r str) -> &'r [u8] {
        self.bytes(value.text, value.source(window, &self.scratch))
    }

    #[inline]
    pub(crate) fn attributes(&self, node: &Node) -> &[Attribute] {
        let range = node.attributes.start()..node.attributes.end();
        self.attributes.checked_part(range, &self.wrong_bounds)
    }

    /// The attribute that is written with this name, prefix included.
    pub(crate) fn attribute(&self, node: &Node, name: &str, window: &str) -> Option<&Attribute> {
        let mut all = self.attributes(node).iter();
        all.find(|attribute| self.bytes(attribute.name, window) == name.as_bytes())
    }

    /// Returns an element with its descendants, and the attributes of all of them.
    pub(crate) fn whole(&self, node: &Node, index: usize) -> (&[Node], &[Attribute]) {
        let wrong = &self.wrong_bounds;
        let nodes = self.nodes.checked_part(index..node.end as usize, wrong);
        let first = node.attributes.start();
        let end = nodes.last().map_or(first, |node| node.attributes.end());
        (nodes, self.attributes.checked_part(first..end, wrong))
    }

    /// Records wrong bounds without a panic, as a release build does.
    #[cfg(test)]
    pub(crate) fn record_wrong_bounds(&self) {
        self.wrong_bounds.record();
    }

    /// The parts of an element's text, if the element also contains elements.
    pub(crate) fn pieces(&self, node: usize) -> &[Piece] {
        // The pieces of an element follow those of the elements in it, because its end tag follows theirs.
        let all = self.pieces_in(node);
        let own = all.partition_point(|piece| piece.node as usize != node);
        all.part(own..)
    }

    /// The parts of the texts of an element and of all elements in it.
    pub(crate) fn pieces_in(&self, node: usize) -> &[Piece] {
        let end_of = |index: usize| self.nodes.get(index).map_or(0, |node| node.end);
        // If two elements have the same `end`, the inner one has the higher index, and its end tag comes first.
        let order = |index: usize| (end_of(index), std::cmp::Reverse(index));
        let start = |piece: &Piece| end_of(piece.node as usize) as usize <= node;
        let start = self.mixed.partition_point(start);
        let rest = self.mixed.part(start..);
        let len = rest.partition_point(|piece| order(piece.node as usize) <= order(node));
        rest.part(..len)
    }

    /// The URI of an element's namespace; empty for none.
    pub(crate) fn namespace(&self, node: &Node) -> &str {
        self.namespaces.uri(node.namespace)
    }

    /// The relation of an element's namespace to the document.
    pub(crate) fn relation(&self, node: &Node) -> Relation {
        if node.undeclared {
            return Relation::Foreign;
        }
        self.namespaces.relation(node.namespace)
    }
}
