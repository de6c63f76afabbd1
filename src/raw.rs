use crate::entry::{Attribute, Element, Text};
use crate::input::Window;
use crate::position::Position;
use crate::source::dialect::Dialect;
use crate::tape::{AttributeSpan, Node, Piece, Tape, Value};
use crate::xml::namespace::Vocabulary;

/// Which of the two kinds of entry this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum EntryKind {
    /// A page: a `<url>`, a line of a text sitemap, an item of a feed.
    Url,
    /// A `<sitemap>` of an index.
    Sitemap,
}

impl EntryKind {
    /// The name of the element in a sitemap.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Sitemap => "sitemap",
        }
    }
}

/// An entry as it is spelt: borrowed text, decoded and trimmed, but not interpreted.
///
/// References are resolved, CDATA joined, comments left out; whether a date is a date has not been asked.
/// It borrows from the reader and lives until the next entry is asked for. Nothing is allocated for it.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Reader;
///
/// let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
///   <url><loc> https://example.com/?a=1&amp;b=2 </loc><lastmod>yesterday</lastmod></url>
/// </urlset>";
/// let mut reader = Reader::new(text.as_bytes());
/// while let Some(entry) = reader.read_raw()? {
///     assert_eq!(entry.loc(), Some("https://example.com/?a=1&b=2"));
///     assert_eq!(entry.lastmod(), Some("yesterday"));
///     assert_eq!(entry.priority(), None);
///     assert_eq!(entry.elements().count(), 2);
/// }
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RawEntry<'r> {
    source: Lent<'r>,
}

/// What raw entries and elements look into.
#[derive(Clone, Copy)]
pub(crate) struct Lent<'r> {
    pub(crate) tape: &'r Tape,
    pub(crate) window: &'r Window,
    /// What the window holds, from the entry's start on.
    pub(crate) text: &'r str,
    /// The number of the entry, from 1.
    pub(crate) number: u64,
}

impl<'r> RawEntry<'r> {
    #[inline]
    pub(crate) fn new(source: Lent<'r>) -> Self {
        Self { source }
    }

    /// Whether this is a page or a sitemap.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        self.source.tape.kind
    }

    /// The text of `<loc>`; `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn loc(&self) -> Option<&'r str> {
        self.source.value(self.source.tape.loc)
    }

    /// The text of `<lastmod>` (in feeds: of the date); `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn lastmod(&self) -> Option<&'r str> {
        self.source.value(self.source.tape.lastmod)
    }

    /// The text of `<changefreq>`; `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn changefreq(&self) -> Option<&'r str> {
        self.source.value(self.source.tape.changefreq)
    }

    /// The text of `<priority>`; `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn priority(&self) -> Option<&'r str> {
        self.source.value(self.source.tape.priority)
    }

    /// The vocabulary its elements are written in; `None` for a line of a text sitemap, which has none.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        let tape = self.source.tape;
        (!tape.nodes.is_empty()).then_some(tape.dialect)
    }

    /// The loc and where it stands.
    pub(crate) fn loc_text(&self) -> Option<Text<'r>> {
        self.source.text(self.source.tape.loc)
    }

    /// The date and where it stands.
    pub(crate) fn lastmod_text(&self) -> Option<Text<'r>> {
        self.source.text(self.source.tape.lastmod)
    }

    pub(crate) fn changefreq_text(&self) -> Option<Text<'r>> {
        self.source.text(self.source.tape.changefreq)
    }

    pub(crate) fn priority_text(&self) -> Option<Text<'r>> {
        self.source.text(self.source.tape.priority)
    }

    /// Whether these texts are all there is of the base format, and whether there is anything else.
    pub(crate) fn is_plain(&self) -> Option<bool> {
        let tape = self.source.tape;
        Some(tape.base_nodes? < tape.nodes.len())
    }

    /// Every child element in document order, those of extensions and unknown vocabularies included.
    /// A line of a text sitemap has none.
    #[inline]
    #[must_use]
    pub fn elements(&self) -> RawElements<'r> {
        RawElements::below(self.source, 0)
    }

    /// The elements at any depth whose prefix is not declared.
    pub(crate) fn undeclared(&self) -> impl Iterator<Item = RawElement<'r>> {
        let source = self.source;
        let nodes = source.tape.nodes.iter().enumerate().skip(1);
        nodes.filter_map(move |(index, node)| {
            node.undeclared.then_some(RawElement {
                source,
                node,
                index,
            })
        })
    }

    /// Where the entry begins: its `<`, or the first character of a text line.
    #[must_use]
    pub fn position(&self) -> Position {
        self.source.position(0)
    }
}

impl std::fmt::Debug for RawEntry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawEntry")
            .field("kind", &self.kind())
            .field("loc", &self.loc())
            .field("lastmod", &self.lastmod())
            .field("changefreq", &self.changefreq())
            .field("priority", &self.priority())
            .finish_non_exhaustive()
    }
}

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
    source: Lent<'r>,
    node: &'r Node,
    index: usize,
}

impl<'r> RawElement<'r> {
    pub(crate) fn node(&self) -> &'r Node {
        self.node
    }

    /// About how many bytes it takes as owned elements or values, with all in it.
    pub(crate) fn weight(&self) -> usize {
        let tape = self.source.tape;
        let end = self.node.end as usize;
        let inside = tape.nodes.get(self.index..end).unwrap_or_default();
        let last = inside.last().map_or(0, |node| node.attributes.1);
        let attributes = last.saturating_sub(self.node.attributes.0) as usize;
        inside.len() * size_of::<Element>() * 2 + attributes * size_of::<Attribute>() * 2
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
        let own = |piece: &&Piece| piece.node as usize == self.index;
        let mut texts = source.tape.mixed.iter().filter(own).peekable();
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

    /// Where the element begins: its `<`.
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

/// The elements at one level, in document order: from [`RawEntry::elements`] and [`RawElement::children`].
#[derive(Debug, Clone)]
pub struct RawElements<'r> {
    source: Lent<'r>,
    next: usize,
    end: usize,
}

impl<'r> RawElements<'r> {
    #[inline]
    fn below(source: Lent<'r>, parent: usize) -> Self {
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

impl<'r> Lent<'r> {
    #[inline]
    fn slice(self, start: usize, end: usize) -> &'r str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn text(self, value: Value) -> Option<Text<'r>> {
        Some(Text {
            text: self.value(value)?,
            at: value.at as usize,
            is_verbatim: !value.is_in_scratch(),
        })
    }

    fn trimmed(self, value: Value) -> Value {
        value.trimmed(if value.is_in_scratch() {
            &self.tape.scratch
        } else {
            self.text
        })
    }

    #[inline]
    pub(crate) fn value(self, value: Value) -> Option<&'r str> {
        self.tape.text(value, self.text)
    }

    fn position(self, at: usize) -> Position {
        self.window.position(at, self.number)
    }
}

impl std::fmt::Debug for Lent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lent").finish_non_exhaustive()
    }
}
