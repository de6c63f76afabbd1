//! Entries: pages and other sitemaps.

mod base;
mod common;
mod sitemap;
mod url;

use ::url::Url;

pub(crate) use self::base::Base;
use crate::extension::foreign::Element;
use crate::format::EntryKind;
use crate::interpret::Interpreter;
use crate::raw::RawEntry;
use crate::value::W3cDatetime;
use crate::xml::namespaces::Relation;

pub use self::sitemap::SitemapEntry;
pub use self::url::UrlEntry;

/// One entry: a page (`<url>`, a line of a text sitemap, or an item of a feed) or another sitemap (`<sitemap>`).
///
/// The enum can be matched without a wildcard, because no variants will be added.
///
/// With the feature `serde`, the type is a field next to the others: `{"type": "url", "loc": …}`, `{"type": "sitemap",
/// "loc": …}`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Entry, EntryKind, SitemapEntry, UrlEntry};
///
/// let page = Entry::from(UrlEntry::try_from("https://example.com/a")?);
/// assert_eq!(page.loc().path(), "/a");
/// assert_eq!(page.kind(), EntryKind::Url);
///
/// let part = Entry::from(SitemapEntry::try_from("https://example.com/sitemap-1.xml")?);
/// assert!(part.into_url().is_none());
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "lowercase"))]
pub enum Entry {
    /// A page.
    Url(UrlEntry),
    /// Another sitemap, listed by an index.
    Sitemap(SitemapEntry),
}

impl Entry {
    /// Returns the entry with these values of the base format, after interpreting its other elements.
    pub(crate) fn read_rest(base: Base, raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Self {
        let has_foreign = base.has_foreign;
        let mut entry = Self::of_base(base, raw.kind());
        if has_foreign {
            entry.read_foreign(raw, cx);
        }
        entry
    }

    /// An entry without values beyond the base format.
    pub(crate) fn of_base(base: Base, kind: EntryKind) -> Self {
        match kind {
            EntryKind::Url => Self::Url(UrlEntry {
                lastmod: base.lastmod,
                changefreq: base.changefreq,
                priority: base.priority,
                ..UrlEntry::new(base.loc)
            }),
            EntryKind::Sitemap => Self::Sitemap(SitemapEntry {
                lastmod: base.lastmod,
                ..SitemapEntry::new(base.loc)
            }),
        }
    }

    /// Interprets the elements of other vocabularies.
    // Not inlined, so that its caller can be inlined, which builds the entry in place.
    #[inline(never)]
    pub(crate) fn read_foreign(&mut self, raw: RawEntry<'_>, cx: &mut Interpreter<'_>) {
        let elements = raw.elements();
        let foreign = elements.filter(|element| element.relation() == Relation::Foreign);
        for element in foreign {
            match self {
                Self::Url(entry) => entry.read_foreign(element, cx),
                Self::Sitemap(entry) => entry.foreign.extend(Element::kept(element, cx)),
            }
        }
    }

    /// Returns the URL of the page or of the sitemap.
    #[must_use]
    pub const fn loc(&self) -> &Url {
        match self {
            Self::Url(entry) => &entry.loc,
            Self::Sitemap(entry) => &entry.loc,
        }
    }

    /// Returns the kind of the entry.
    #[must_use]
    pub const fn kind(&self) -> EntryKind {
        match self {
            Self::Url(_) => EntryKind::Url,
            Self::Sitemap(_) => EntryKind::Sitemap,
        }
    }

    /// Returns the date of the last change, if the sitemap contains it.
    #[must_use]
    pub const fn lastmod(&self) -> Option<W3cDatetime> {
        match self {
            Self::Url(entry) => entry.lastmod,
            Self::Sitemap(entry) => entry.lastmod,
        }
    }

    /// Returns the page, or `None` for a sitemap.
    #[must_use]
    pub const fn as_url(&self) -> Option<&UrlEntry> {
        match self {
            Self::Url(entry) => Some(entry),
            Self::Sitemap(_) => None,
        }
    }

    /// Converts the entry into the page, or `None` for a sitemap.
    #[must_use]
    pub fn into_url(self) -> Option<UrlEntry> {
        match self {
            Self::Url(entry) => Some(entry),
            Self::Sitemap(_) => None,
        }
    }

    /// Converts the entry into the sitemap, or `None` for a page.
    #[must_use]
    pub fn into_sitemap(self) -> Option<SitemapEntry> {
        match self {
            Self::Sitemap(entry) => Some(entry),
            Self::Url(_) => None,
        }
    }
}

impl From<UrlEntry> for Entry {
    fn from(entry: UrlEntry) -> Self {
        Self::Url(entry)
    }
}

impl From<SitemapEntry> for Entry {
    fn from(entry: SitemapEntry) -> Self {
        Self::Sitemap(entry)
    }
}
