//! What a document is, and what its entries are.

/// What kind of sitemap a document is, told by its content.
///
/// It may grow: another kind of feed could count as a sitemap one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Format {
    /// A `<urlset>`: pages.
    Urlset,
    /// A `<sitemapindex>`: other sitemaps.
    #[cfg_attr(feature = "serde", serde(rename = "sitemapindex"))]
    Index,
    /// A URL a line.
    Text,
    /// An RSS 2.0, 0.9x or RDF feed, whose items count as pages.
    Rss,
    /// An Atom 1.0 or 0.3 feed, whose entries count as pages.
    Atom,
}

impl Format {
    /// The name of the format's root element, or `text`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Urlset => "urlset",
            Self::Index => "sitemapindex",
            Self::Text => "text",
            Self::Rss => "rss",
            Self::Atom => "atom",
        }
    }

    /// Whether a document of this format says itself where it ends, so that a cut is noticed.
    pub(crate) const fn tells_its_end(self) -> bool {
        matches!(self, Self::Urlset | Self::Index)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which of the two kinds of entry this is.
///
/// There are no more than these two, so the enum may be matched without a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
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
