//! Dialects: the elements of an XML document that are its entries, in sitemaps, RSS or Atom.

use crate::format::{EntryKind, Format};
use crate::vocabulary::Vocabulary;
use crate::xml::lexer::local_part;

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

/// Returns `true` if an end tag of this name ends the root with this local name, ignoring the prefixes.
pub(crate) fn ends_root(written: &str, root: &str) -> bool {
    !root.is_empty() && local_part(written).eq_ignore_ascii_case(root)
}

/// A child of an entry in the base format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaseChild {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl BaseChild {
    pub(crate) const ALL: [Self; 4] = [Self::Loc, Self::Lastmod, Self::Changefreq, Self::Priority];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::Changefreq => "changefreq",
            Self::Priority => "priority",
        }
    }

    /// Returns `true` if entries of this kind have this child.
    pub(crate) fn is_of(self, kind: EntryKind) -> bool {
        kind == EntryKind::Url || matches!(self, Self::Loc | Self::Lastmod)
    }

    /// The child of an entry of this kind that has this local name, in any case.
    pub(crate) fn named(local: &str, kind: EntryKind) -> Option<Self> {
        let child = match local {
            // Compared as one text, which the general path does for every child.
            "loc" => Some(Self::Loc),
            "lastmod" => Some(Self::Lastmod),
            "changefreq" => Some(Self::Changefreq),
            "priority" => Some(Self::Priority),
            _ => (Self::ALL.into_iter()).find(|child| child.name().eq_ignore_ascii_case(local)),
        };
        child.filter(|child| child.is_of(kind))
    }
}

impl Dialect {
    pub(crate) fn of(format: Format) -> Self {
        match format {
            Format::Rss => Self::Rss,
            Format::Atom => Self::Atom,
            Format::Urlset | Format::Index | Format::Text => Self::Sitemap,
        }
    }

    /// Dialects whose namespaces mean the same as the root's.
    pub(crate) fn vocabulary(self) -> Vocabulary {
        match self {
            Self::Sitemap => Vocabulary::Sitemap,
            Self::Rss => Vocabulary::Rss,
            Self::Atom => Vocabulary::Atom,
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

    /// Returns `true` if this child of an entry contains its URL as text.
    #[inline]
    pub(crate) fn is_loc(self, local: &str) -> bool {
        match self {
            Self::Sitemap => local.eq_ignore_ascii_case("loc"),
            Self::Rss => local.eq_ignore_ascii_case("link"),
            Self::Atom => false,
        }
    }
}
