//! An entry of an index: `SitemapEntry`.

use url::Url;

use crate::extension::foreign::Element;
use crate::value::W3cDatetime;
use crate::value::url::{escape_url, parse_url};
use crate::violation::Violation;
use crate::xml::writer::XmlWriter;

/// A sitemap that an index lists: `<sitemap>` in a `<sitemapindex>`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::SitemapEntry;
///
/// let part = SitemapEntry::try_from("https://example.com/sitemap-1.xml.gz")?
///     .with_lastmod("2024-03-04".parse::<quick_sitemap::W3cDatetime>()?);
/// assert_eq!(part.lastmod.unwrap().to_string(), "2024-03-04");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SitemapEntry {
    /// Where the sitemap is: absolute, http or https, fewer than 2,048 characters. (The protocol's schema, though not
    /// the protocol, wants 12 at least.)
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::value::url::serialize::required")
    )]
    pub loc: Url,
    /// When the sitemap file was last changed (not the pages that it lists).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lastmod: Option<W3cDatetime>,
    /// Elements of vocabularies that this crate does not know, in document order. The protocol's schema has no place for
    /// them in an index: validators refuse a file with one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub foreign: Vec<Element>,
}

impl SitemapEntry {
    /// A sitemap at `loc`, with nothing else said.
    #[must_use]
    pub const fn new(loc: Url) -> Self {
        Self {
            loc,
            lastmod: None,
            foreign: Vec::new(),
        }
    }

    /// Sets when the sitemap file was last changed. A `DateTime` is written with as many digits of a second as it has;
    /// [`with_precision`](W3cDatetime::with_precision) cuts them off.
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: impl Into<W3cDatetime>) -> Self {
        self.lastmod = Some(lastmod.into());
        self
    }

    /// Adds an element of another vocabulary.
    #[must_use]
    pub fn with_foreign(mut self, element: Element) -> Self {
        self.foreign.push(element);
        self
    }

    /// Percent-encodes what [`Url`] leaves as it is in the loc but a sitemap may not hold, as
    /// [`UrlEntry::escaped`](crate::UrlEntry::escaped) does.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{IndexWriter, SitemapEntry};
    ///
    /// let part = SitemapEntry::try_from("https://example.com/sitemap.xml?part[]=1")?.escaped();
    /// assert_eq!(part.loc.as_str(), "https://example.com/sitemap.xml?part%5B%5D=1");
    /// IndexWriter::new(Vec::new()).write(&part)?;
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn escaped(mut self) -> Self {
        escape_url(&mut self.loc);
        self
    }

    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("sitemap");
        xml.url_leaf("loc", &self.loc)?;
        if let Some(lastmod) = self.lastmod {
            xml.datetime_leaf("lastmod", lastmod)?;
        }
        for element in &self.foreign {
            element.encode(xml)?;
        }
        xml.end("sitemap");
        Ok(())
    }
}

impl From<Url> for SitemapEntry {
    fn from(loc: Url) -> Self {
        Self::new(loc)
    }
}

/// # Errors
///
/// [`InvalidUrl`](crate::Rule::InvalidUrl), [`UnsupportedScheme`](crate::Rule::UnsupportedScheme) or
/// [`UrlTooLong`](crate::Rule::UrlTooLong), where the text is not an absolute http or https URL of fewer
/// than 2,048 characters.
impl TryFrom<&str> for SitemapEntry {
    type Error = Violation;

    fn try_from(text: &str) -> Result<Self, Violation> {
        parse_url(text).map(Self::new)
    }
}
