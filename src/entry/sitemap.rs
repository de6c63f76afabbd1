//! An entry of an index: `SitemapEntry`.

use url::Url;

use super::base::write_base;
use super::common::entry;
use crate::extension::foreign::Element;
use crate::extension::{Part, Visit, Visited, visited};
use crate::value::W3cDatetime;
use crate::violation::Violation;
use crate::xml::writer::{XmlWriter, tag};

/// A sitemap that an index lists: `<sitemap>` in a `<sitemapindex>`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::SitemapEntry;
///
/// let part = SitemapEntry::try_from("https://example.com/sitemap-1.xml.gz")?
///     .try_lastmod("2024-03-04")?;
/// assert_eq!(part.lastmod.unwrap().to_string(), "2024-03-04");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "SiteMapEntry")]
#[doc(alias = "IndexRecord")]
#[doc(alias = "SitemapIndex")]
pub struct SitemapEntry {
    /// The URL of the sitemap: absolute, http or https, fewer than 2,048 characters. (The schema of the protocol
    /// requires at least 12 characters; the text of the protocol does not.)
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::value::url::serialize::required")
    )]
    pub loc: Url,
    /// The date of the last change of the sitemap file (not of the pages that it lists).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lastmod: Option<W3cDatetime>,
    /// Elements from other namespaces, in document order. The schema of the protocol does not allow them in an index,
    /// so validators reject a file with such an element.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub foreign: Vec<Element>,
}

impl SitemapEntry {
    /// Creates an entry for the sitemap at `loc`, without other values.
    #[must_use]
    pub const fn new(loc: Url) -> Self {
        Self {
            loc,
            lastmod: None,
            foreign: Vec::new(),
        }
    }

    /// Writes the entry as XML. Fails at the first value that breaks a rule.
    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start(tag!("sitemap"));
        write_base(xml, &self.loc, self.lastmod)?;
        for element in &self.foreign {
            element.encode(xml)?;
        }
        xml.end(tag!("sitemap"));
        xml.end_line();
        Ok(())
    }

    /// Visits every part of the entry. See [`UrlEntry::visit`](crate::UrlEntry::visit).
    pub fn visit(&self, visitor: &mut dyn FnMut(&[&'static str], Part<'_>)) {
        Visited::visit(self, &mut Visit::new(visitor));
    }
}

visited!(SitemapEntry: loc, lastmod, foreign);
entry!(SitemapEntry);
