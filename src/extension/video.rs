//! The extension `video:video`: its struct here, its parts, reading and writing in a file each.

mod parts;
mod read;
mod words;
mod write;

use std::time::Duration;

use url::Url;

use super::tidy;
use crate::value::W3cDatetime;

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
    /// The preview image: absolute, http or https; required.
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
    /// The video file: absolute, http or https; required unless there is a player.
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
    /// How long it lasts: whole seconds, 0 to 28,800.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            with = "crate::serde::seconds",
            skip_serializing_if = "Option::is_none"
        )
    )]
    pub duration: Option<Duration>,
    /// When it is no longer to be seen.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub expiration_date: Option<W3cDatetime>,
    /// What viewers think of it, 0.0 to 5.0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rating: Option<Rating>,
    /// The files, if there are several.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub content_segments: Vec<ContentSegment>,
    /// How often it has been seen.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub view_count: Option<u64>,
    /// When it was first published.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub publication_date: Option<W3cDatetime>,
    /// Short descriptions of what it shows, at most 32.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub tags: Vec<String>,
    /// The broad group that it belongs to, at most 256 characters.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub category: Option<String>,
    /// Whether children may see it; absent means yes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub family_friendly: Option<bool>,
    /// The countries in which it may be shown, or not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub restriction: Option<Restriction>,
    /// The gallery that it belongs to.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub gallery: Option<Gallery>,
    /// What it costs; none means nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub prices: Vec<Price>,
    /// Whether a subscription is needed to see it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub requires_subscription: Option<bool>,
    /// Who put it there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub uploader: Option<Uploader>,
    /// The platforms on which it may be shown, or not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub platform: Option<Platforms>,
    /// Whether it is a live stream.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub live: Option<bool>,
    /// What it is called elsewhere.
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
    /// Sets the video file.
    with_content_loc(content_loc: Url) = Some(content_loc);
    /// Sets the player.
    with_player(player: Player) = Some(player);
    /// Sets how long it lasts: whole seconds, 0 to 28,800.
    with_duration(duration: Duration) = Some(duration);
    /// Sets when it is no longer to be seen.
    with_expiration_date(expiration_date: impl Into<W3cDatetime>) = Some(expiration_date.into());
    /// Sets what viewers think of it.
    with_rating(rating: Rating) = Some(rating);
    /// Sets how often it has been seen.
    with_view_count(view_count: u64) = Some(view_count);
    /// Sets when it was first published.
    with_publication_date(publication_date: impl Into<W3cDatetime>) = Some(publication_date.into());
    /// Sets the broad group that it belongs to, at most 256 characters.
    with_category(category: impl Into<String>) = tidy(category);
    /// Sets whether children may see it.
    with_family_friendly(family_friendly: bool) = Some(family_friendly);
    /// Sets the countries in which it may be shown, or not.
    with_restriction(restriction: Restriction) = Some(restriction);
    /// Sets the gallery that it belongs to.
    with_gallery(gallery: Gallery) = Some(gallery);
    /// Sets whether a subscription is needed to see it.
    with_requires_subscription(requires_subscription: bool) = Some(requires_subscription);
    /// Sets who put it there.
    with_uploader(uploader: Uploader) = Some(uploader);
    /// Sets the platforms on which it may be shown, or not.
    with_platform(platform: Platforms) = Some(platform);
    /// Sets whether it is a live stream.
    with_live(live: bool) = Some(live);
}

impl Video {
    /// A video that is a file, at `content_loc`.
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

    /// A video that a player shows, with no file of its own.
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

    /// Nothing said: what a reader begins with.
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
        platform: None,
        live: None,
        ids: Vec::new(),
    };

    /// The URLs in it.
    pub(crate) fn urls(&mut self) -> impl Iterator<Item = &mut Url> {
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

    /// Adds what it is called elsewhere.
    #[must_use]
    pub fn with_id(mut self, id: VideoId) -> Self {
        self.ids.push(id);
        self
    }
}
