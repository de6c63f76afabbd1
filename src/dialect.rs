//! Which elements of an XML document are its entries: those of sitemaps, of RSS or of Atom.

use crate::format::{EntryKind, Format};

/// The vocabulary that an XML document's entries are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `<url>` and `<sitemap>`.
    Sitemap,
    /// `<item>` of RSS or RDF.
    Rss,
    /// `<entry>` of Atom.
    Atom,
}

/// The format whose root has this local name, in any case.
pub(crate) fn format_of_root(local: &str) -> Option<Format> {
    const ROOTS: [(&str, Format); 5] = [
        ("urlset", Format::Urlset),
        ("sitemapindex", Format::Index),
        ("rss", Format::Rss),
        ("RDF", Format::Rss),
        ("feed", Format::Atom),
    ];
    ROOTS
        .into_iter()
        .find_map(|(name, format)| name.eq_ignore_ascii_case(local).then_some(format))
}

impl Dialect {
    pub(crate) fn of(format: Format) -> Self {
        match format {
            Format::Rss => Self::Rss,
            Format::Atom => Self::Atom,
            Format::Urlset | Format::Index | Format::Text => Self::Sitemap,
        }
    }

    /// The kind of entry that an element of this local name is, in any case.
    pub(crate) fn entry(self, local: &str) -> Option<EntryKind> {
        let is = |name: &str| local.eq_ignore_ascii_case(name);
        match self {
            Self::Sitemap if is("url") => Some(EntryKind::Url),
            Self::Sitemap if is("sitemap") => Some(EntryKind::Sitemap),
            Self::Rss if is("item") => Some(EntryKind::Url),
            Self::Atom if is("entry") => Some(EntryKind::Url),
            _ => None,
        }
    }

    /// The name of the element that an entry of this kind is.
    pub(crate) const fn entry_name(self, kind: EntryKind) -> &'static str {
        match self {
            Self::Sitemap => kind.element(),
            Self::Rss => "item",
            Self::Atom => "entry",
        }
    }

    /// Whether an element of this local name is a root of this vocabulary.
    pub(crate) fn is_root(self, local: &str) -> bool {
        format_of_root(local).is_some_and(|format| Self::of(format) == self)
    }

    /// Whether this child of an entry holds its URL as text.
    pub(crate) fn is_loc(self, local: &str) -> bool {
        match self {
            Self::Sitemap => local.eq_ignore_ascii_case("loc"),
            Self::Rss => local.eq_ignore_ascii_case("link"),
            Self::Atom => false,
        }
    }

    /// Whether a second such child ends the entry.
    pub(crate) fn ends_at_second(self, local: &str) -> bool {
        self == Self::Sitemap && self.is_loc(local)
    }
}
