//! The tags of extensions that Google has ignored since August 2022.

use quick_sitemap::RawEntry;

use super::entry_source::{attribute, start_tag};
use crate::source::span::SourceSpan;

/// The tags that Google's post "Spring cleaning: some sitemap extension tags are going away" of May 2022 lists: an element
/// in an image or a video, or, of the last element, an attribute.
const TAGS: [(&str, &str, &str); 10] = [
    ("image", "caption", ""),
    ("image", "geo_location", ""),
    ("image", "title", ""),
    ("image", "license", ""),
    ("video", "category", ""),
    ("video", "gallery_loc", ""),
    ("video", "price", ""),
    ("video", "tvshow", ""),
    ("video", "player_loc", "allow_embed"),
    ("video", "player_loc", "autoplay"),
];

/// The deprecated tags of an entry, each with its start tag or the value of the attribute.
pub(crate) fn deprecated(raw: &RawEntry<'_>) -> Vec<(String, SourceSpan)> {
    let mut found = Vec::new();
    for parent in raw.elements() {
        for element in parent.children() {
            for (of, name, key) in TAGS {
                if (of, name) != (parent.name(), element.name()) {
                    continue;
                }
                let tag = format!("`{of}:{name}`");
                found.extend(match key {
                    "" => Some((tag, start_tag(&element))),
                    key => attribute(&element, key).map(|span| (format!("`{key}` of {tag}"), span)),
                });
            }
        }
    }
    found
}
