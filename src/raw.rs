//! [`RawEntry`] and its parts: the content of the tape, borrowed by the caller.

mod element;
mod view;

use std::iter::FusedIterator;
use std::ops::Range;

use url::Url;

pub(crate) use self::element::Content;
pub use self::element::RawElement;
use self::element::Siblings;
pub(crate) use self::view::View;
use crate::format::EntryKind;
use crate::input::Window;
use crate::tape::dialect::{BaseChild, Dialect};
use crate::tape::{Node, Tape, Value};
use crate::text::position::Position;
use crate::text::span::Span;
use crate::value::url::{host_of, is_canonical};

/// An entry as text: borrowed, decoded and trimmed, but not interpreted.
///
/// References are resolved, CDATA sections are joined, and comments are left out; values such as dates are not checked.
/// The entry borrows from the reader and is valid until the next call that reads an entry. It is not allocated.
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
/// let entry = reader.read_raw()?.unwrap();
/// assert_eq!(entry.loc(), Some("https://example.com/?a=1&b=2"));
/// assert_eq!(entry.lastmod(), Some("yesterday"));
/// assert_eq!(entry.priority(), None);
/// assert_eq!(entry.elements().count(), 2);
/// assert!(reader.read_raw()?.is_none());
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RawEntry<'r> {
    pub(crate) source: View<'r>,
}

impl<'r> RawEntry<'r> {
    #[inline]
    pub(crate) fn new(tape: &'r Tape, window: &'r Window, number: u64) -> Self {
        let text = window.text();
        let source = View {
            tape,
            window,
            text,
            number,
        };
        Self { source }
    }

    /// Returns the kind of the entry: a page or a sitemap.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        self.source.tape.kind
    }

    /// Returns the text of `<loc>`, or `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn loc(&self) -> Option<&'r str> {
        self.source.value(self.base_value(BaseChild::Loc))
    }

    /// Returns the host of the [`loc`](Self::loc): the text that `Url::host_str` of the typed entry returns. Returns `None`
    /// if the loc is not an absolute http or https URL that a sitemap can contain, and if its host is not written as
    /// `Url` writes it (`EXAMPLE.com`, `münchen.example`). Parse the loc in that case.
    ///
    /// In real sitemaps, 99.9 % of the locs are in the form that is recognized in one pass without an allocation. Any
    /// other loc is parsed.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com:8080/a\nhttps://user@www.example.com?b\n/go?to=https://example.org/\n";
    /// let mut reader = Reader::from_bytes(text);
    /// assert_eq!(reader.read_raw()?.and_then(|entry| entry.host()), Some("example.com"));
    /// assert_eq!(reader.read_raw()?.and_then(|entry| entry.host()), Some("www.example.com"));
    /// assert_eq!(reader.read_raw()?.and_then(|entry| entry.host()), None);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn host(&self) -> Option<&'r str> {
        host_of(self.loc()?)
    }

    /// Returns the text of `<loc>` if it is already in normalized form, that is, identical to `loc.as_str()` of the
    /// typed entry. Returns `None` if it is in another form (`HTTPS://`, `https://example.com` without a path, a raw
    /// space, `/../`), if it is relative, or if it is not an http or https URL.
    ///
    /// Use this for filters, columns and the search for duplicates, which store text. Two canonical locs are equal if
    /// and only if their URLs are equal. In real sitemaps, 99.9 % of the locs are canonical; they are recognized in one
    /// pass without an allocation. Parse any other text and compare the URLs.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashSet;
    ///
    /// use quick_sitemap::Reader;
    /// use quick_sitemap::url::Url;
    ///
    /// let lines = "https://example.com/a?b=c\nhttps://EXAMPLE.com/a?b=c\nhttps://example.com/d\n";
    /// let mut reader = Reader::new(lines.as_bytes());
    /// let mut pages = HashSet::new();
    /// let mut parsed = 0;
    /// while let Some(entry) = reader.read_raw()? {
    ///     let Some(loc) = entry.loc() else { continue };
    ///     pages.insert(match entry.canonical_loc() {
    ///         Some(canonical) => canonical.to_owned(),
    ///         None => {
    ///             parsed += 1;
    ///             Url::parse(loc)?.into()
    ///         }
    ///     });
    /// }
    /// assert_eq!(pages.len(), 2);
    /// assert_eq!(parsed, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn canonical_loc(&self) -> Option<&'r str> {
        self.loc().filter(|loc| is_canonical(loc))
    }

    /// Returns the text of `<lastmod>` (in feeds, of the date), or `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn lastmod(&self) -> Option<&'r str> {
        self.source.value(self.base_value(BaseChild::Lastmod))
    }

    /// Returns the text of `<changefreq>`, or `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn changefreq(&self) -> Option<&'r str> {
        self.source.value(self.base_value(BaseChild::Changefreq))
    }

    /// Returns the text of `<priority>`, or `None` if it is missing or blank.
    #[inline]
    #[must_use]
    pub fn priority(&self) -> Option<&'r str> {
        self.source.value(self.base_value(BaseChild::Priority))
    }

    /// The vocabulary its elements are written in; `None` for a line of a text sitemap, which has none.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        let tape = self.source.tape;
        (!tape.nodes.is_empty()).then_some(tape.dialect)
    }

    #[inline]
    fn base_value(&self, child: BaseChild) -> Value {
        self.source.tape.base.of(child)
    }

    /// The child that a value of this entry belongs to.
    pub(crate) fn child_of(&self, value: Value) -> Option<RawElement<'r>> {
        let at = value.written().start();
        self.elements()
            .take_while(|element| element.node.at as usize <= at)
            .last()
    }

    /// The `xml:base` that holds in this child of a feed's entry.
    pub(crate) fn base_of(&self, child: Option<RawElement<'_>>) -> Option<Url> {
        let View { tape, text, .. } = self.source;
        let mut base = tape.bases.innermost().cloned();
        let own = [tape.nodes.first(), child.map(|child| child.node)];
        for node in own.into_iter().flatten() {
            let Some(attribute) = tape.attribute(node, "xml:base", text) else {
                continue;
            };
            let reference = self.source.text_of(attribute.value);
            base = tape.bases.resolve(base.as_ref(), reference).or(base);
        }
        base
    }

    /// Returns all child elements in document order, including those of extensions and of unknown namespaces. A line of
    /// a text sitemap has no child elements.
    #[inline]
    #[must_use]
    pub fn elements(&self) -> impl FusedIterator<Item = RawElement<'r>> + Clone + use<'r> {
        let entry = self.source.tape.nodes.first();
        Siblings::below(self.source, 0, entry.map_or(0, |entry| entry.end))
    }

    /// Returns the beginning of the entry's start tag, if it has one.
    pub(crate) fn tag(&self) -> Span {
        let entry = self.source.tape.nodes.first();
        entry.map_or(Span::EMPTY, Node::tag)
    }

    /// Returns the line around a place in this entry, and the range of the `len` bytes from the place on in it, for
    /// programs that show findings of their own. The line is as that of [`Issue::excerpt`](crate::Issue::excerpt): at most
    /// 256 bytes before the place, at most 768 from it on, and `…` for a part that is left out. The range ends with the
    /// line. Returns `None` for a place that is not in the entry.
    ///
    /// Set [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts). Without it, the part of the line before the start
    /// of the entry may be missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// let text = "https://example.com/a\nhttps://example.com/b\n";
    /// let mut reader = ReaderBuilder::new().excerpts(true).from_bytes(text);
    /// reader.read_raw()?;
    /// let entry = reader.read_raw()?.unwrap();
    /// let (line, span) = entry.excerpt_at(entry.position(), 5).unwrap();
    /// assert_eq!(line, "https://example.com/b");
    /// assert_eq!(&line[span], "https");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn excerpt_at(&self, position: Position, len: usize) -> Option<(String, Range<usize>)> {
        if position.entry() != self.source.number {
            return None;
        }
        let excerpt = self.source.window.excerpt(position, len)?;
        let (line, span) = excerpt.parts();
        Some((line.to_owned(), span))
    }

    /// Returns the start of the entry: its `<`, or the first character of a text line.
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
