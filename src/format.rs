//! [`Format`] and [`EntryKind`]: the kinds of documents and of their entries.

/// The format of a document, detected from its content.
///
/// Members can be added in a later version, for example for another kind of feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Format {
    /// A `<urlset>`, which lists pages.
    Urlset,
    /// A `<sitemapindex>`, which lists other sitemaps.
    #[cfg_attr(feature = "serde", serde(rename = "sitemapindex"))]
    Index,
    /// A text file with one URL per line.
    Text,
    /// An RSS 2.0, 0.9x or RDF feed. Only its items are read as pages.
    Rss,
    /// An Atom 1.0 or 0.3 feed. Only its entries are read as pages.
    Atom,
}

/// The local names of all roots.
const ROOTS: [(&str, Format); 5] = [
    ("urlset", Format::Urlset),
    ("sitemapindex", Format::Index),
    ("rss", Format::Rss),
    ("RDF", Format::Rss),
    ("feed", Format::Atom),
];

/// The root with this local name, in any case: the name as the standards write it, and the format.
fn root(local: &str) -> Option<(&'static str, Format)> {
    let mut roots = ROOTS.into_iter();
    roots.find(|(name, _)| name.eq_ignore_ascii_case(local))
}

/// The local name of a root as the standards write it; empty for any other element.
pub(crate) fn root_name(local: &str) -> &'static str {
    root(local).map_or("", |(name, _)| name)
}

impl Format {
    /// The format whose root has this local name, in any case.
    pub(crate) fn of_root(local: &str) -> Option<Self> {
        root(local).map(|(_, format)| format)
    }

    /// Returns the name of the root element of the format, or `text`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urlset => "urlset",
            Self::Index => "sitemapindex",
            Self::Text => "text",
            Self::Rss => "rss",
            Self::Atom => "atom",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The two kinds of entries.
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum EntryKind {
    /// A page: a `<url>`, a line of a text sitemap, or an item of a feed.
    Url,
    /// A sitemap: a `<sitemap>` of an index.
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
