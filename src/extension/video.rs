//! The extension `video:video`: its struct here, its parts, reading and writing in a file each.

mod parts;
mod read;
mod words;
mod write;

use std::time::Duration;

use url::Url;

use super::field::{Claim, ExtensionField};
use super::foreign::Element;
use super::tidy;
use crate::interpret::Interpreter;
use crate::limits::MAX_VIDEOS;
use crate::raw::RawElement;
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation};
use crate::xml::writer::XmlWriter;

pub use self::parts::{
    ContentSegment, Currency, Gallery, Platforms, Player, Price, Rating, Restriction, Uploader,
    VideoId,
};
pub use self::words::{IdKind, Platform, PriceType, Relationship, Resolution};

/// Seconds a video may last: eight hours.
const MAX_SECONDS: u64 = 28_800;
const MAX_TAGS: usize = 32;
const TITLE_CHARS: usize = 100;
const DESCRIPTION_CHARS: usize = 2_048;
const CATEGORY_CHARS: usize = 256;

/// A video on the page: `video:video`.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use quick_sitemap::extension::{Relationship, Restriction, Video};
///
/// let video = Video::new(
///     "https://example.com/cat.jpg".parse().unwrap(),
///     "A cat",
///     "A cat jumps, and falls.",
///     "https://example.com/cat.mp4".parse().unwrap(),
/// )
/// .with_duration(Duration::from_secs(90))
/// .with_tag("cat")
/// .with_restriction(Restriction::new(Relationship::Deny, ["US"]));
/// assert_eq!(video.tags, ["cat"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Video {
    /// The URL of the preview image: absolute, http or https; required.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::value::url::serialize::optional",
            skip_serializing_if = "Option::is_none"
        )
    )]
    pub thumbnail_loc: Option<Url>,
    /// The title, at most 100 characters; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// The description, at most 2,048 characters; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
    /// The URL of the video file: absolute, http or https; required unless there is a player.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::value::url::serialize::optional",
            skip_serializing_if = "Option::is_none"
        )
    )]
    pub content_loc: Option<Url>,
    /// A player for the video; required unless there is a video file.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub player: Option<Player>,
    /// The duration in whole seconds, from 0 to 28,800.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            with = "crate::text::serde::seconds",
            skip_serializing_if = "Option::is_none"
        )
    )]
    pub duration: Option<Duration>,
    /// The date after which the video is no longer available.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub expiration_date: Option<W3cDatetime>,
    /// The rating by viewers, from 0.0 to 5.0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rating: Option<Rating>,
    /// The files, if there are several.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub content_segments: Vec<ContentSegment>,
    /// How often the video has been viewed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub view_count: Option<u64>,
    /// The date of the first publication.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub publication_date: Option<W3cDatetime>,
    /// Short descriptions of the content, at most 32.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub tags: Vec<String>,
    /// The broad category of the video, at most 256 characters.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub category: Option<String>,
    /// `true` if the video is suitable for children; absent means yes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub family_friendly: Option<bool>,
    /// The countries in which the video can or cannot be shown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub restriction: Option<Restriction>,
    /// The gallery that contains the video.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub gallery: Option<Gallery>,
    /// The prices of the video; an empty list means that it is free.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub prices: Vec<Price>,
    /// `true` if a subscription is required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub requires_subscription: Option<bool>,
    /// The uploader of the video.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub uploader: Option<Uploader>,
    /// The element `video:tvshow`, which describes an episode of a series. Its content is kept unchanged. Google has
    /// ignored it since 2022.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tvshow: Option<Element>,
    /// The platforms on which the video can or cannot be shown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub platform: Option<Platforms>,
    /// `true` if the video is a live stream.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub live: Option<bool>,
    /// Identifiers of the video in other systems.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub ids: Vec<VideoId>,
}

macro_rules! setters {
    ($($(#[$doc:meta])* $with:ident($field:ident: $type:ty) = $value:expr;)*) => {
        impl Video {
            $($(#[$doc])*
            #[must_use]
            pub fn $with(mut self, $field: $type) -> Self {
                self.$field = $value;
                self
            })*
        }
    };
}

setters! {
    /// Sets the URL of the video file.
    with_content_loc(content_loc: Url) = Some(content_loc);
    /// Sets the player.
    with_player(player: Player) = Some(player);
    /// Sets the duration in whole seconds, from 0 to 28,800.
    with_duration(duration: Duration) = Some(duration);
    /// Sets the date after which the video is no longer available.
    with_expiration_date(expiration_date: impl Into<W3cDatetime>) = Some(expiration_date.into());
    /// Sets the rating by viewers.
    with_rating(rating: Rating) = Some(rating);
    /// Sets how often the video has been viewed.
    with_view_count(view_count: u64) = Some(view_count);
    /// Sets the date of the first publication.
    with_publication_date(publication_date: impl Into<W3cDatetime>) = Some(publication_date.into());
    /// Sets the broad category, at most 256 characters.
    with_category(category: impl Into<String>) = tidy(category);
    /// Sets whether the video is suitable for children.
    with_family_friendly(family_friendly: bool) = Some(family_friendly);
    /// Sets the countries in which the video can or cannot be shown.
    with_restriction(restriction: Restriction) = Some(restriction);
    /// Sets the gallery that contains the video.
    with_gallery(gallery: Gallery) = Some(gallery);
    /// Sets whether a subscription is required.
    with_requires_subscription(requires_subscription: bool) = Some(requires_subscription);
    /// Sets the uploader.
    with_uploader(uploader: Uploader) = Some(uploader);
    /// Sets the platforms on which the video can or cannot be shown.
    with_platform(platform: Platforms) = Some(platform);
    /// Sets whether the video is a live stream.
    with_live(live: bool) = Some(live);
}

impl Video {
    /// Creates a video with a file at `content_loc`.
    #[must_use]
    pub fn new(
        thumbnail_loc: Url,
        title: impl Into<String>,
        description: impl Into<String>,
        content_loc: Url,
    ) -> Self {
        Self {
            thumbnail_loc: Some(thumbnail_loc),
            title: tidy(title),
            description: tidy(description),
            content_loc: Some(content_loc),
            ..Self::EMPTY
        }
    }

    /// Creates a video with a player and without a file.
    #[must_use]
    pub fn played_by(
        player: Player,
        thumbnail_loc: Url,
        title: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            thumbnail_loc: Some(thumbnail_loc),
            title: tidy(title),
            description: tidy(description),
            player: Some(player),
            ..Self::EMPTY
        }
    }

    /// A video without values, with which reading begins.
    pub(crate) const EMPTY: Self = Self {
        thumbnail_loc: None,
        title: None,
        description: None,
        content_loc: None,
        player: None,
        duration: None,
        expiration_date: None,
        rating: None,
        content_segments: Vec::new(),
        view_count: None,
        publication_date: None,
        tags: Vec::new(),
        category: None,
        family_friendly: None,
        restriction: None,
        gallery: None,
        prices: Vec::new(),
        requires_subscription: None,
        uploader: None,
        tvshow: None,
        platform: None,
        live: None,
        ids: Vec::new(),
    };

    /// The URLs in it.
    fn urls(&mut self) -> impl Iterator<Item = &mut Url> {
        let own = self.thumbnail_loc.iter_mut().chain(&mut self.content_loc);
        let player = self.player.iter_mut().map(|player| &mut player.loc);
        let segments = self.content_segments.iter_mut();
        let segments = segments.map(|segment| &mut segment.loc);
        let gallery = self.gallery.iter_mut().map(|gallery| &mut gallery.loc);
        let uploader = self.uploader.iter_mut();
        let uploader = uploader.filter_map(|uploader| uploader.info.as_mut());
        own.chain(player)
            .chain(segments)
            .chain(gallery)
            .chain(uploader)
    }

    /// Adds one of several files.
    #[must_use]
    pub fn with_content_segment(mut self, segment: ContentSegment) -> Self {
        self.content_segments.push(segment);
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.extend(tidy(tag));
        self
    }

    /// Adds a price.
    #[must_use]
    pub fn with_price(mut self, price: Price) -> Self {
        self.prices.push(price);
        self
    }

    /// Adds an identifier of the video in another system.
    #[must_use]
    pub fn with_id(mut self, id: VideoId) -> Self {
        self.ids.push(id);
        self
    }
}

impl ExtensionField for Vec<Video> {
    fn read(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Claim {
        if self.len() < MAX_VIDEOS {
            self.push(Video::read(element, cx));
        } else {
            cx.refuse(Rule::EntryTooLarge, element.tag(), "video:video");
        }
        Claim::Taken
    }

    #[inline]
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        self.iter().try_for_each(|video| video.write(xml))
    }

    fn urls_mut(&mut self) -> impl Iterator<Item = &mut Url> {
        self.iter_mut().flat_map(Video::urls)
    }
}
