//! Elements of unknown vocabularies, which are kept as they are and can be written again.

use crate::extension::{Extension, check_text, tidy};
use crate::interpret::Interpreter;
use crate::raw::{Content, RawElement};
use crate::value::NamespaceUri;
use crate::violation::{Effect, Rule, Violation, case};
use crate::vocabulary::{Vocabulary, by_prefix, judge};
use crate::xml::writer::XmlWriter;

/// An element from a namespace without a meaning for this crate (PageMap, geo, private ones), with its complete
/// content.
///
/// A reader keeps such elements in [`UrlEntry::foreign`](crate::UrlEntry::foreign), and a writer writes them after the
/// extensions. So a program that reads, changes and writes entries loses nothing. A writer declares namespaces where
/// they are needed; the declarations are not among the attributes.
///
/// A file that is written can have 64 different namespaces of foreign elements and their attributes, each of less than
/// 2,048 bytes. A writer rejects an entry that needs another one
/// ([`EntryTooLarge`](crate::Rule::EntryTooLarge)); a [`SplitWriter`](crate::SplitWriter) continues in another file.
///
/// # White space
///
/// The content is written as it is and never indented. If an element contains other elements, all text between them is
/// content, even if it is only white space, and is read back unchanged. So if an element has several lines in a
/// document, line breaks and indentation are [`Node::Text`]s among the [`children`](Self::children). (Whether they have
/// a meaning depends on the namespace.) If an element contains only text, a reader removes the white space at both
/// ends. [`text`](Self::text) leaves it out in either case.
///
/// A writer therefore rejects an element that contains only text with white space at an end of it
/// ([`InvalidCharacter`](crate::Rule::InvalidCharacter)), and any empty text: they could not be read back.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::foreign::Element;
/// use quick_sitemap::{UrlEntry, UrlsetWriter};
///
/// let mobile = Element::new("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0").with_prefix("mobile");
/// let data = Element::new("DataObject", "urn:pagemap").with_attribute("type", "rating").with_text("4 < 5");
/// assert_eq!(data.text(), "4 < 5");
/// let map = Element::new("PageMap", "urn:pagemap").with_child(data);
///
/// let mut writer = UrlsetWriter::new(Vec::new());
/// writer.write(&UrlEntry::try_from("https://example.com/")?.with_foreign(mobile).with_foreign(map))?;
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert!(xml.contains("<mobile:mobile/>"));
/// assert!(xml.contains(r#"<PageMap xmlns="urn:pagemap"><DataObject type="rating">4 &lt; 5</DataObject></PageMap>"#));
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Element {
    /// The local name, without the prefix.
    pub name: String,
    /// The URI of the namespace; empty for none. Elements that were read from one document share this text.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "NamespaceUri::is_empty")
    )]
    pub namespace: NamespaceUri,
    /// The prefix; empty for none, so that the namespace is the default namespace of the element. A writer leaves out the
    /// prefix of an extension (`image`, `video`, `news`, `xhtml`) if the namespace is another one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub prefix: String,
    /// The attributes in document order, without namespace declarations.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub attributes: Vec<Attribute>,
    /// Elements and text in document order. Two adjacent texts are written as one, and read back as one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub children: Vec<Node>,
}

/// The content of an [`Element`].
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(untagged, expecting = "neither text nor an element")
)]
pub enum Node {
    /// An element.
    Element(Element),
    /// Text, unescaped.
    Text(String),
}

/// An attribute of an [`Element`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Attribute {
    /// The name as it is written, with its prefix if it has one.
    pub name: String,
    /// The URI of the namespace of the prefix; empty for a name without a prefix.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "NamespaceUri::is_empty")
    )]
    pub namespace: NamespaceUri,
    /// The value, unescaped.
    pub value: String,
}

impl Attribute {
    /// Creates an attribute. Pass `name` with its prefix if it has one, and an empty `namespace` if it does not.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::foreign::{Attribute, Element};
    ///
    /// let mut point = Element::new("Point", "http://www.opengis.net/kml/2.2").with_prefix("kml");
    /// point.attributes.push(Attribute::new("gml:id", "http://www.opengis.net/gml", "p1"));
    /// assert_eq!(point.attributes[0].name, "gml:id");
    /// ```
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        namespace: impl Into<NamespaceUri>,
        value: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            namespace: namespace.into(),
            value: value.into(),
        }
    }
}

impl Attribute {
    /// The attributes of an element, except those with these names.
    pub(super) fn all_of(element: RawElement<'_>, except: &[&str]) -> Vec<Self> {
        let attributes = element.attributes_with_namespaces();
        let attributes = attributes.filter(|(name, ..)| !except.contains(name));
        // Each of many elements would have room for four attributes otherwise.
        let mut all = Vec::with_capacity(attributes.clone().count());
        all.extend(attributes.map(|(name, namespace, value)| Self {
            name: name.to_owned(),
            namespace,
            value: value.to_owned(),
        }));
        all
    }

    /// Its name, its namespace and its value.
    pub(super) fn parts(&self) -> (&str, &str, &str) {
        (&self.name, self.namespace.as_str(), &self.value)
    }
}

/// Returns `true` if an element of this name ends an entry at any place in it, even without a namespace.
fn ends_an_entry(name: &str) -> bool {
    let entries_and_roots = ["url", "sitemap", "urlset", "sitemapindex"];
    (entries_and_roots.iter()).any(|own| name.eq_ignore_ascii_case(own))
}

impl Element {
    /// Creates an empty element with this local name in this namespace (a URI; empty for none), without a prefix.
    #[must_use]
    pub fn new(name: impl Into<String>, namespace: impl Into<NamespaceUri>) -> Self {
        Self {
            name: name.into(),
            namespace: namespace.into(),
            prefix: String::new(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Sets the prefix of the element.
    #[must_use]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Adds an attribute that is in no namespace.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.push(Attribute::new(name, "", value));
        self
    }

    /// Adds a child element.
    #[must_use]
    pub fn with_child(mut self, child: Self) -> Self {
        self.children.push(Node::Element(child));
        self
    }

    /// Adds text. It is joined to the preceding text, as a reader would return it.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.children.last_mut() {
            _ if text.is_empty() => {}
            Some(Node::Text(before)) => before.push_str(&text),
            _ => self.children.push(Node::Text(text)),
        }
        self
    }

    /// Returns the text of the element outside of child elements, joined, without the white space at both ends, like
    /// [`RawElement::text`](crate::RawElement::text).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Entry, Reader};
    ///
    /// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x'>
    ///   <url><loc>https://example.com/</loc>
    ///     <x:size> 12 <x:unit>cm</x:unit>
    ///     </x:size></url></urlset>";
    /// let Some(Entry::Url(page)) = Reader::new(text.as_bytes()).next().transpose()? else { unreachable!() };
    /// let size = &page.foreign[0];
    /// assert_eq!(size.text(), "12");
    /// assert_eq!(size.children.len(), 3);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        tidy(self.texts().collect::<String>()).unwrap_or_default()
    }

    /// Returns the value of the first attribute with this name, as it is written.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|attribute| attribute.name == name)
            .map(|attribute| attribute.value.as_str())
    }

    /// Keeps an element with its content. `None` if it cannot be written again: a broken one, or one with an unknown
    /// namespace.
    pub(crate) fn kept(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        if element.node.broken || element.namespace().is_empty() {
            return None;
        }
        if element.has_spoilt_names() {
            let violation = Violation::undecodable(cx.report.facts.encoding);
            cx.report
                .add(violation, Effect::ValueDropped, element.tag());
            return None;
        }
        Some(Self::read(element))
    }

    /// The element as it was read, with all in it. (A tape is 64 levels deep at most.)
    fn read(element: RawElement<'_>) -> Self {
        let mut read = Self::new(
            element.name(),
            element
                .source
                .tape
                .namespaces
                .shared(element.node.namespace),
        );
        read.prefix = element.prefix().to_owned();
        read.attributes = Attribute::all_of(element, &[]);
        for part in element.content() {
            match part {
                Content::Element(child) => read.children.push(Node::Element(Self::read(child))),
                Content::Text(text) => read = read.with_text(text),
            }
        }
        read.children.shrink_to_fit();
        read
    }

    /// Writes it as a child of an entry. An element that a reader would take for something else than a foreign element
    /// is rejected.
    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let judgement = judge(self.namespace.as_str());
        let attribute = |name| self.attribute(name);
        if Extension::of(judgement.vocabulary, &self.name, attribute).is_some() {
            let (rule, found) = if judgement.is_misspelt {
                (Rule::WrongNamespace, self.namespace.as_str())
            } else {
                (Rule::UnknownElement, self.name.as_str())
            };
            return Err(Violation::with_detail(rule, found, case::EXTENSION));
        }
        self.encode_tree(xml)
    }

    /// Writes it as the part `name` of an extension's element.
    pub(crate) fn encode_part(
        &self,
        extension: Extension,
        name: &'static str,
        xml: &mut XmlWriter,
    ) -> Result<(), Violation> {
        if self.name != name || self.namespace.as_str() != extension.namespace() {
            let unknown = Violation::new(Rule::UnknownElement, &self.name);
            return Err(unknown.owned_by(extension.element()));
        }
        self.encode_tree(xml)
    }

    /// Replaces the namespaces that were accepted for that of an extension.
    pub(crate) fn spelt_as(mut self, extension: Extension) -> Self {
        let judgement = judge(self.namespace.as_str());
        if judgement.is_misspelt && judgement.vocabulary == extension.known().vocabulary {
            self.namespace = extension.namespace().into();
        }
        let respelt = |node| match node {
            Node::Element(element) => Node::Element(element.spelt_as(extension)),
            Node::Text(_) => node,
        };
        self.children = self.children.into_iter().map(respelt).collect();
        self
    }

    fn texts(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.children.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        })
    }

    /// Checks that the texts are read back as they are.
    fn check_texts(&self) -> Result<(), Violation> {
        if self.children.is_empty() || self.texts().count() < self.children.len() {
            let mut empty = self.texts().filter(|text| text.is_empty());
            return empty.try_for_each(|text| check_text(text, &self.name).map(drop));
        }
        check_text(&self.texts().collect::<String>(), &self.name).map(drop)
    }

    /// The prefix with which it is written: none if a reader would report that the prefix is bound to another namespace
    /// than that of its extension.
    pub(crate) fn free_prefix(&self) -> &str {
        let uri = self.namespace.as_str();
        let is_taken = by_prefix(&self.prefix).is_some()
            && !uri.is_empty()
            && judge(uri).vocabulary == Vocabulary::Other;
        if is_taken { "" } else { &self.prefix }
    }

    /// Writes the element with its attributes and children.
    fn encode_tree(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        self.check_texts()?;
        let prefix = self.free_prefix();
        let opened = xml.open(
            (prefix, &self.name, self.namespace.as_str()),
            self.attributes.iter().map(Attribute::parts),
            !ends_an_entry(&self.name),
        )?;
        let (mut texts, mut bytes) = (0, 0);
        for child in &self.children {
            match child {
                Node::Element(element) => element.encode_tree(xml)?,
                Node::Text(text) => {
                    xml.text(text.as_str())?;
                    texts += 1;
                    bytes += text.len();
                }
            }
        }
        if texts > 1 {
            xml.joined = xml.joined.saturating_add(bytes);
        }
        xml.close(opened, prefix, &self.name);
        Ok(())
    }
}
