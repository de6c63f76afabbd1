//! The sitemaps of a folder.

pub(crate) mod parts;
pub(crate) mod search;
pub(crate) mod superseded;
pub(crate) mod walk;

use quick_sitemap::Format;

/// A feed lists recent pages of a site, for its readers.
pub(crate) fn is_feed(format: Option<Format>) -> bool {
    matches!(format, Some(Format::Rss | Format::Atom))
}
