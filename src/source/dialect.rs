use crate::format::Format;
use crate::raw::EntryKind;
use crate::source::feed::{is_atom, is_rss};
use crate::tape::{Tape, Value};
use crate::xml::namespace::is_known_sitemap;
use crate::xml::token::local_part;

/// Which vocabulary an XML document's entries are written in.
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

    /// Which namespaces mean the same as the root's.
    pub(crate) fn kindred(self) -> fn(&str) -> bool {
        match self {
            Self::Sitemap => is_known_sitemap,
            Self::Rss => is_rss,
            Self::Atom => is_atom,
        }
    }

    /// The kind of entry that an element of this local name is.
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

    /// Whether an element of this local name is a root of this vocabulary.
    pub(crate) fn is_root(self, local: &str) -> bool {
        format_of_root(local).is_some_and(|format| Self::of(format) == self)
    }

    /// Whether an end tag of this name ends a root that was written so.
    pub(crate) fn ends_root(self, written: &str, root: &str) -> bool {
        // The local parts are the same where the names are.
        !root.is_empty() && local_part(written).eq_ignore_ascii_case(local_part(root))
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

    /// Puts the text of a child where the entry's accessors look for it; the first that isn't blank counts.
    pub(crate) fn fill_slot(self, local: &str, text: Value, tape: &mut Tape) {
        if self != Self::Sitemap {
            return;
        }
        let slot = match local {
            "loc" => &mut tape.loc,
            "lastmod" => &mut tape.lastmod,
            "changefreq" => &mut tape.changefreq,
            "priority" => &mut tape.priority,
            _ if local.eq_ignore_ascii_case("loc") => &mut tape.loc,
            _ if local.eq_ignore_ascii_case("lastmod") => &mut tape.lastmod,
            _ if local.eq_ignore_ascii_case("changefreq") => &mut tape.changefreq,
            _ if local.eq_ignore_ascii_case("priority") => &mut tape.priority,
            _ => return,
        };
        if slot.is_empty() {
            *slot = text;
        }
    }
}
