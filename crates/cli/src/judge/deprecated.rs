//! The tags of extensions that Google has ignored since August 2022.

use quick_sitemap::RawEntry;

use super::entry_source::{attribute, start_tag};
use crate::source::span::SourceSpan;

/// A tag, or an attribute of one, that has no effect any more: as a message names it, the element that it is in, its own
/// element without its prefix, and the attribute.
type DeprecatedTag = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
);

/// Those that Google's post "Spring cleaning: some sitemap extension tags are going away" of May 2022 lists.
const TAGS: [DeprecatedTag; 10] = [
    ("`image:caption`", "image", "caption", None),
    ("`image:geo_location`", "image", "geo_location", None),
    ("`image:title`", "image", "title", None),
    ("`image:license`", "image", "license", None),
    ("`video:category`", "video", "category", None),
    ("`video:gallery_loc`", "video", "gallery_loc", None),
    ("`video:price`", "video", "price", None),
    ("`video:tvshow`", "video", "tvshow", None),
    (
        "`allow_embed` of `video:player_loc`",
        "video",
        "player_loc",
        Some("allow_embed"),
    ),
    (
        "`autoplay` of `video:player_loc`",
        "video",
        "player_loc",
        Some("autoplay"),
    ),
];

/// The deprecated tags of an entry, each with its start tag or the value of the attribute.
pub(crate) fn deprecated(raw: &RawEntry<'_>) -> Vec<(&'static str, SourceSpan)> {
    let mut found = Vec::new();
    for parent in raw.elements() {
        for element in parent.children() {
            let is_it = |tag: &&DeprecatedTag| (tag.1, tag.2) == (parent.name(), element.name());
            for (name, _, _, of) in TAGS.iter().filter(is_it) {
                let span = match of {
                    Some(of) => attribute(&element, of),
                    None => Some(start_tag(&element)),
                };
                found.extend(span.map(|span| (*name, span)));
            }
        }
    }
    found
}
