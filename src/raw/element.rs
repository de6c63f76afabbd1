//! The elements of a [`RawEntry`](crate::RawEntry), and what they hold.

use std::iter::FusedIterator;

use super::view::View;
use crate::tape::{Node, Piece, Value};
use crate::text::position::Position;
use crate::text::span::Span;
use crate::value::NamespaceUri;
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::Judgement;
use crate::xml::namespaces::Relation;

/// An element below an entry, as text.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Reader;
///
/// let text = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:x">
///   <url><loc>https://example.com/</loc><x:size unit="cm">12<x:note/></x:size></url>
/// </urlset>"#;
/// let mut reader = Reader::new(text.as_bytes());
/// let entry = reader.read_raw()?.unwrap();
/// let size = entry.elements().nth(1).unwrap();
/// assert_eq!((size.name(), size.namespace(), size.text()), ("size", "urn:x", "12"));
/// assert_eq!(size.attribute("unit"), Some("cm"));
/// assert_eq!(size.children().next().unwrap().name(), "note");
/// assert_eq!(size.position().to_string(), "2:39");
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RawElement<'r> {
    pub(crate) source: View<'r>,
    pub(crate) node: &'r Node,
    pub(super) index: usize,
}

impl<'r> RawElement<'r> {
    /// The beginning of its start tag, as a part of the entry.
    pub(crate) fn tag(&self) -> Span {
        self.node.tag()
    }

    /// Returns `true` if its name, or one in it, contains the character for bytes that are not in the encoding.
    pub(crate) fn has_spoilt_names(&self) -> bool {
        let (nodes, attributes) = self.source.tape.whole(self.node, self.index);
        let of_attributes = attributes.iter().map(|attribute| attribute.name);
        let mut names = nodes.iter().map(|node| node.name).chain(of_attributes);
        names.any(|name| self.source.name(name).contains('\u{FFFF}'))
    }

    /// The name of an attribute as written, and its value, trimmed.
    pub(crate) fn attribute_value(&self, name: &str) -> Option<(&'r str, Value)> {
        let view = self.source;
        let found = view.tape.attribute(self.node, name, view.text)?;
        Some((view.name(found.name), view.trimmed(found.value)))
    }

    /// `hreflang` and `href` of a link that is an alternate and has no other attributes. They are not trimmed.
    #[inline]
    pub(crate) fn usual_link(&self) -> Option<(&'r str, &'r str)> {
        let View { tape, text, .. } = self.source;
        let [mut rel, mut hreflang, mut href] = [None; 3];
        for attribute in tape.attributes(self.node) {
            let name = tape.bytes(attribute.name, text);
            let place = if name == b"rel" {
                &mut rel
            } else if name == b"hreflang" {
                &mut hreflang
            } else if name == b"href" {
                &mut href
            } else {
                return None;
            };
            if place.replace(attribute.value).is_some() {
                return None;
            }
        }
        let is_link = tape.bytes(self.node.local_name(), text) == b"link";
        let is_alternate = is_link && tape.bytes_of(rel?, text) == b"alternate";
        is_alternate.then_some((self.source.text_of(hreflang?), self.source.text_of(href?)))
    }

    /// Returns the text of its only child, if the two have these names in one namespace, and there is no other text.
    #[inline]
    pub(crate) fn only_part(&self, name: &[u8], part: &[u8]) -> Option<&'r str> {
        let View { tape, text, .. } = self.source;
        let only = tape.nodes.get(self.index + 1)?;
        let is_only = self.node.end as usize == self.index + 2
            && self.node.text.is_empty()
            && self.node.namespace == only.namespace
            && !only.broken;
        let is_named = |node: &Node, name: &[u8]| tape.bytes(node.local_name(), text) == name;
        if is_only && is_named(self.node, name) && is_named(only, part) {
            self.source.value(only.text)
        } else {
            None
        }
    }

    /// Names (as written), namespaces and values of the attributes.
    pub(crate) fn attributes_with_namespaces(
        &self,
    ) -> impl Iterator<Item = (&'r str, NamespaceUri, &'r str)> + Clone {
        let tape = self.source.tape;
        let spans = tape.attributes(self.node).iter();
        self.attributes()
            .zip(spans)
            .map(|((name, value), span)| (name, tape.namespaces.shared(span.namespace), value))
    }

    /// Texts and elements in document order.
    pub(crate) fn content(&self) -> Contents<'r> {
        let pieces = self.source.tape.pieces(self.index);
        let text = self.text();
        Contents {
            text: (pieces.is_empty() && !text.is_empty()).then_some(text),
            pieces: pieces.iter(),
            children: self.child_nodes(),
        }
    }

    /// Returns `true` if it contains neither text nor an element.
    pub(crate) fn is_blank(&self) -> bool {
        self.text().is_empty() && self.children().next().is_none()
    }

    /// The violation of a child of an element that should contain text. `is_known`: it could be next to that element.
    pub(crate) fn opened_in(&self, parent: Self, is_known: bool) -> Violation {
        if !is_known {
            return Violation::new(Rule::UnknownElement, self.full_name());
        }
        let case = if self.name() == parent.name() {
            case::OPENED_AGAIN
        } else {
            case::OPENED
        };
        let violation = Violation::with_detail(Rule::UnknownElement, self.full_name(), case);
        violation.owned_by(parent.full_name())
    }

    /// Returns the relation of its namespace to the document.
    pub(crate) fn relation(&self) -> Relation {
        self.source.tape.relation(self.node)
    }

    /// Returns the vocabulary of its namespace.
    pub(crate) fn judgement(&self) -> Judgement {
        let namespaces = &self.source.tape.namespaces;
        namespaces.judgement(self.node.namespace)
    }

    /// The name as it is written, prefix included.
    pub(crate) fn full_name(&self) -> &'r str {
        self.source.name(self.node.name)
    }

    /// Returns the local name, without its prefix, in the case in which it is written.
    #[inline]
    #[must_use]
    pub fn name(&self) -> &'r str {
        self.source.name(self.node.local_name())
    }

    /// Returns the prefix, or an empty text if there is none.
    #[must_use]
    pub fn prefix(&self) -> &'r str {
        self.source.name(self.node.prefix())
    }

    /// Returns the URI of the namespace, or an empty text if the element is in no namespace. An undeclared prefix that
    /// is known by convention (`image`, `video`, `news`, `xhtml`) is treated as declared.
    #[must_use]
    pub fn namespace(&self) -> &'r str {
        self.source.tape.namespace(self.node)
    }

    /// Returns the text of the element, decoded and trimmed, or an empty text if there is none. The texts of child
    /// elements are not included.
    #[inline]
    #[must_use]
    pub fn text(&self) -> &'r str {
        self.source.text_of(self.node.text)
    }

    /// Returns the decoded value of the attribute that is written with this name (including the prefix).
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'r str> {
        let view = self.source;
        let attribute = view.tape.attribute(self.node, name, view.text)?;
        Some(view.text_of(attribute.value))
    }

    /// Returns the names (as written) and values (decoded) of the attributes in document order, without namespace
    /// declarations.
    #[inline]
    #[must_use]
    pub fn attributes(
        &self,
    ) -> impl ExactSizeIterator<Item = (&'r str, &'r str)> + Clone + FusedIterator + use<'r> {
        let view = self.source;
        let attributes = view.tape.attributes(self.node).iter();
        attributes.map(move |own| (view.name(own.name), view.text_of(own.value)))
    }

    /// Returns the child elements in document order.
    #[inline]
    #[must_use]
    pub fn children(&self) -> impl FusedIterator<Item = Self> + Clone + use<'r> {
        self.child_nodes()
    }

    fn child_nodes(&self) -> Siblings<'r> {
        Siblings::below(self.source, self.index, self.node.end)
    }

    /// Returns the place of an attribute's value: its first visible character as it is written, or the quote that ends a
    /// blank value. `name` is the name as it is written, including the prefix. Returns `None` if there is no such
    /// attribute.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x'>
    ///   <url><loc>https://example.com/</loc><x:a href='/b'/></url>
    /// </urlset>";
    /// let mut reader = Reader::from_bytes(text);
    /// let entry = reader.read_raw()?.unwrap();
    /// let link = entry.elements().nth(1).unwrap();
    /// assert_eq!(link.attribute_position("href").unwrap().to_string(), "2:50");
    /// assert_eq!(link.attribute_position("rel"), None);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn attribute_position(&self, name: &str) -> Option<Position> {
        let view = self.source;
        let attribute = view.tape.attribute(self.node, name, view.text)?;
        let value = view.trimmed(attribute.value);
        Some(view.position(value.written().start()))
    }

    /// Returns the start of the element: its `<`.
    ///
    /// Asking for the positions of all elements of an entry, in any order, takes about as long as counting its lines
    /// once. For an element that is more than a few kilobytes after the start of the entry, the first call allocates an
    /// index of 3 % of the size of the entry.
    #[must_use]
    pub fn position(&self) -> Position {
        self.source.position(self.node.at as usize)
    }
}

impl std::fmt::Debug for RawElement<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawElement")
            .field("name", &self.name())
            .field("namespace", &self.namespace())
            .field("text", &self.text())
            .finish_non_exhaustive()
    }
}

/// A part of the content of an element.
pub(crate) enum Content<'r> {
    Element(RawElement<'r>),
    Text(&'r str),
}

/// The content of an element, in document order.
pub(crate) struct Contents<'r> {
    /// Its text, if it holds nothing else.
    text: Option<&'r str>,
    pieces: std::slice::Iter<'r, Piece>,
    children: Siblings<'r>,
}

impl<'r> Iterator for Contents<'r> {
    type Item = Content<'r>;

    fn next(&mut self) -> Option<Content<'r>> {
        if let Some(text) = self.text.take() {
            return Some(Content::Text(text));
        }
        let child = self.children.next_index();
        while let [piece, ..] = self.pieces.as_slice() {
            if child.is_some_and(|child| child < piece.before as usize) {
                break;
            }
            self.pieces.next();
            if let Some(text) = self.children.source.value(piece.text) {
                return Some(Content::Text(text));
            }
        }
        self.children.next().map(Content::Element)
    }
}

/// The elements at one level, in document order.
#[derive(Clone)]
pub(crate) struct Siblings<'r> {
    source: View<'r>,
    next: usize,
    end: usize,
}

impl<'r> Siblings<'r> {
    /// The index of the element that comes next.
    fn next_index(&self) -> Option<usize> {
        (self.next < self.end).then_some(self.next)
    }

    pub(super) fn below(source: View<'r>, parent: usize, end: u32) -> Self {
        Self {
            source,
            next: parent + 1,
            end: end as usize,
        }
    }
}

impl<'r> Iterator for Siblings<'r> {
    type Item = RawElement<'r>;

    fn next(&mut self) -> Option<RawElement<'r>> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let node = self.source.tape.nodes.get(index)?;
        self.next = node.end as usize;
        Some(RawElement {
            source: self.source,
            node,
            index,
        })
    }

    /// An upper bound: the number at all levels together.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.next);
        (left.min(1), Some(left))
    }
}

impl FusedIterator for Siblings<'_> {}
