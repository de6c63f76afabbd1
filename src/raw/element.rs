use crate::entry::{Attribute, Element, Text};
use crate::position::Position;
use crate::raw::Lent;
use crate::tape::{AttributeSpan, Node, Piece};
use crate::violation::{Rule, Violation, case, quoted};
use crate::xml::namespace::Vocabulary;

/// An element below an entry, as it is spelt.
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
    pub(super) source: Lent<'r>,
    pub(super) node: &'r Node,
    pub(super) index: usize,
}

impl<'r> RawElement<'r> {
    pub(crate) fn node(&self) -> &'r Node {
        self.node
    }

    /// About how many bytes that in it takes as values at most, in vectors that have grown.
    pub(crate) fn weight_of_children(&self) -> usize {
        let (nodes, _) = self.whole();
        nodes.len().saturating_sub(1) * size_of::<Element>() * 2
    }

    /// About how many bytes it takes as owned elements, with all in it.
    pub(crate) fn weight(&self) -> usize {
        let (nodes, attributes) = self.whole();
        let texts = self.source.tape.pieces_in(self.index);
        let elements = (nodes.len() + texts.len()) * size_of::<Element>();
        2 * (elements + attributes.len() * size_of::<Attribute>())
    }

    /// Whether its name, or one in it, holds what stands for bytes that are not in the encoding.
    pub(crate) fn has_spoilt_names(&self) -> bool {
        let (nodes, attributes) = self.whole();
        let spans = attributes
            .iter()
            .map(|attribute| (attribute.name as usize, attribute.name_end as usize));
        let mut names = nodes.iter().map(Node::full_name).chain(spans);
        names.any(|(start, end)| self.source.slice(start, end).contains('\u{FFFF}'))
    }

    /// The element and all in it, and the attributes of all of these.
    fn whole(&self) -> (&'r [Node], &'r [AttributeSpan]) {
        let tape = self.source.tape;
        let nodes = tape.nodes.get(self.index..self.node.end as usize);
        let nodes = nodes.unwrap_or_default();
        let first = self.node.attributes.0 as usize;
        let end = nodes
            .last()
            .map_or(first, |node| node.attributes.1 as usize);
        let attributes = tape.attributes.get(first..end).unwrap_or_default();
        (nodes, attributes)
    }

    /// Whether its markup costs it.
    pub(crate) fn is_broken(&self) -> bool {
        self.node.broken
    }

    /// The attribute's value, trimmed, and where it stands; `None` if it is missing or blank.
    pub(crate) fn attribute_text(&self, name: &str) -> Option<Text<'r>> {
        let attributes = self.source.tape.attributes(self.node);
        let found = attributes.iter().find(|attribute| {
            let own = self
                .source
                .slice(attribute.name as usize, attribute.name_end as usize);
            own == name
        })?;
        self.source.text(self.source.trimmed(found.value))
    }

    /// Names (as written), namespaces and values of the attributes.
    pub(crate) fn attributes_with_namespaces(
        &self,
    ) -> impl Iterator<Item = (&'r str, &'r str, &'r str)> {
        let tape = self.source.tape;
        let spans = tape.attributes(self.node).iter();
        self.attributes()
            .zip(spans)
            .map(|((name, value), span)| (name, tape.namespaces.uri(span.namespace), value))
    }

    /// Texts and elements in document order.
    pub(crate) fn content(&self) -> Vec<Content<'r>> {
        let source = self.source;
        let mut texts = source.tape.pieces(self.index).iter().peekable();
        let mut content = Vec::new();
        if texts.peek().is_none() && !self.text().is_empty() {
            content.push(Content::Text(self.text()));
        }
        for child in self.children() {
            let earlier = |piece: &&Piece| piece.before as usize <= child.index;
            while let Some(piece) = texts.next_if(earlier) {
                content.extend(source.value(piece.text).map(Content::Text));
            }
            content.push(Content::Element(child));
        }
        content.extend(texts.filter_map(|piece| source.value(piece.text).map(Content::Text)));
        content
    }

    /// Whether there is neither text nor an element in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text().is_empty() && self.children().next().is_none()
    }

    /// What is said of it as a child of an element that should hold text. `is_known`: it could stand beside that one.
    pub(crate) fn opened_in(&self, parent: Self, is_known: bool) -> Violation {
        if !is_known {
            return Violation::new(Rule::UnknownElement, self.name());
        }
        let again = if self.name() == parent.name() {
            "again "
        } else {
            ""
        };
        let end = quoted(parent.full_name());
        let detail = format!("{}{again}before `</{end}>`", case::OPENED);
        Violation::with_detail(Rule::UnknownElement, self.name(), detail)
    }

    pub(crate) fn vocabulary(&self) -> Vocabulary {
        self.source.tape.vocabulary(self.node)
    }

    /// The name as it is written, prefix included.
    pub(crate) fn full_name(&self) -> &'r str {
        self.source
            .slice(self.node.name as usize, self.node.name_end as usize)
    }

    /// The local name, without its prefix, in the case in which it is written.
    #[inline]
    #[must_use]
    pub fn name(&self) -> &'r str {
        self.source
            .slice(self.node.local as usize, self.node.name_end as usize)
    }

    /// The prefix; empty if there is none.
    #[must_use]
    pub fn prefix(&self) -> &'r str {
        let name = self.node.name as usize;
        self.source
            .slice(name, (self.node.local as usize).saturating_sub(1).max(name))
    }

    /// The namespace's URI; empty if the element is in none. An undeclared prefix that is known
    /// by convention (`image`, `video`, `news`, `xhtml`) counts as declared.
    #[must_use]
    pub fn namespace(&self) -> &'r str {
        self.source.tape.namespace(self.node)
    }

    /// Its own text, decoded and trimmed; empty if there is none. The children's texts are not part of it.
    #[inline]
    #[must_use]
    pub fn text(&self) -> &'r str {
        self.source.value(self.node.text).unwrap_or_default()
    }

    /// The value of the attribute that is written with this name (prefix included), decoded.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'r str> {
        self.attributes()
            .find_map(|(own, value)| (own == name).then_some(value))
    }

    /// Names (as written) and values (decoded) of the attributes, in document order.
    /// Namespace declarations are not among them.
    #[inline]
    #[must_use]
    pub fn attributes(&self) -> RawAttributes<'r> {
        RawAttributes {
            source: self.source,
            rest: self.source.tape.attributes(self.node).iter(),
        }
    }

    /// The child elements, in document order.
    #[inline]
    #[must_use]
    pub fn children(&self) -> RawElements<'r> {
        RawElements::below(self.source, self.index)
    }

    /// Where the element begins: its `<`. Lines are counted from the entry's start, so it takes as long as what stands
    /// between: ask for those you report, not for all.
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

/// What an element holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'r> {
    Element(RawElement<'r>),
    Text(&'r str),
}

/// The elements at one level, in document order: from [`RawEntry::elements`](crate::RawEntry::elements) and [`RawElement::children`].
#[derive(Debug, Clone)]
pub struct RawElements<'r> {
    source: Lent<'r>,
    next: usize,
    end: usize,
}

impl<'r> RawElements<'r> {
    #[inline]
    pub(super) fn below(source: Lent<'r>, parent: usize) -> Self {
        let end = source.tape.nodes.get(parent).map_or(0, |node| node.end);
        Self {
            source,
            next: parent + 1,
            end: end as usize,
        }
    }
}

impl<'r> Iterator for RawElements<'r> {
    type Item = RawElement<'r>;

    #[inline]
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
}

impl std::iter::FusedIterator for RawElements<'_> {}

/// The attributes of an element, from [`RawElement::attributes`].
#[derive(Debug, Clone)]
pub struct RawAttributes<'r> {
    source: Lent<'r>,
    rest: std::slice::Iter<'r, AttributeSpan>,
}

impl<'r> Iterator for RawAttributes<'r> {
    type Item = (&'r str, &'r str);

    #[inline]
    fn next(&mut self) -> Option<(&'r str, &'r str)> {
        let attribute = self.rest.next()?;
        let name = self
            .source
            .slice(attribute.name as usize, attribute.name_end as usize);
        let value = self.source.value(attribute.value).unwrap_or_default();
        Some((name, value))
    }
}

impl std::iter::FusedIterator for RawAttributes<'_> {}
