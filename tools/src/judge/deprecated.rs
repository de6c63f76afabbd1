//! The tags of extensions that Google has ignored since August 2022.

use quick_sitemap::extension::Video;
use quick_sitemap::{RawEntry, UrlEntry};

use super::entry_source::start_tag;
use crate::source::span::SourceSpan;

/// A tag, or an attribute of one, that has no effect any more.
pub(crate) struct DeprecatedTag {
    /// As a message names it.
    pub(crate) name: &'static str,
    /// The element, the one that it is in, and the attribute, without prefixes.
    parent: &'static str,
    element: &'static str,
    attribute: Option<&'static str>,
    /// `true` if a page may have it.
    pub(crate) is_in: fn(&UrlEntry) -> bool,
}

/// Those that Google's post "Spring cleaning: some sitemap extension tags are going away" of May 2022 lists.
pub(crate) static TAGS: [DeprecatedTag; 10] = [
    image("`image:caption`", "caption", |page| {
        page.images.iter().any(|image| image.caption.is_some())
    }),
    image("`image:geo_location`", "geo_location", |page| {
        page.images.iter().any(|image| image.geo_location.is_some())
    }),
    image("`image:title`", "title", |page| {
        page.images.iter().any(|image| image.title.is_some())
    }),
    image("`image:license`", "license", |page| {
        page.images.iter().any(|image| image.license.is_some())
    }),
    video("`video:category`", "category", |page| {
        page.videos.iter().any(|video| video.category.is_some())
    }),
    video("`video:gallery_loc`", "gallery_loc", |page| {
        page.videos.iter().any(|video| video.gallery.is_some())
    }),
    video("`video:price`", "price", |page| {
        page.videos.iter().any(|video| !video.prices.is_empty())
    }),
    video("`video:tvshow`", "tvshow", |page| {
        page.videos.iter().any(|video| video.tvshow.is_some())
    }),
    player(
        "`allow_embed` of `video:player_loc`",
        "allow_embed",
        |page| {
            let has_it = |video: &Video| Some(video.player.as_ref()?.allow_embed.is_some());
            page.videos.iter().any(|video| has_it(video) == Some(true))
        },
    ),
    player("`autoplay` of `video:player_loc`", "autoplay", |page| {
        let has_it = |video: &Video| Some(video.player.as_ref()?.autoplay.is_some());
        page.videos.iter().any(|video| has_it(video) == Some(true))
    }),
];

const fn image(
    name: &'static str,
    element: &'static str,
    is_in: fn(&UrlEntry) -> bool,
) -> DeprecatedTag {
    DeprecatedTag {
        name,
        parent: "image",
        element,
        attribute: None,
        is_in,
    }
}

const fn video(
    name: &'static str,
    element: &'static str,
    is_in: fn(&UrlEntry) -> bool,
) -> DeprecatedTag {
    DeprecatedTag {
        parent: "video",
        ..image(name, element, is_in)
    }
}

const fn player(
    name: &'static str,
    attribute: &'static str,
    is_in: fn(&UrlEntry) -> bool,
) -> DeprecatedTag {
    DeprecatedTag {
        attribute: Some(attribute),
        ..video(name, "player_loc", is_in)
    }
}

impl DeprecatedTag {
    /// The start tag, or the value of the attribute, where the entry has it first.
    pub(crate) fn find(&self, raw: &RawEntry<'_>) -> Option<SourceSpan> {
        let parents = raw.elements().filter(|parent| parent.name() == self.parent);
        let mut elements = parents
            .flat_map(|parent| parent.children())
            .filter(|element| element.name() == self.element);
        let Some(attribute) = self.attribute else {
            return elements.next().map(|element| start_tag(&element));
        };
        elements.find_map(|element| {
            Some(SourceSpan {
                position: element.attribute_position(attribute)?,
                len: element.attribute(attribute)?.len(),
            })
        })
    }
}
