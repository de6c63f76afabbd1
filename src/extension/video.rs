//! The extension `video:video`; the types of its parts and its keywords are in a file each.

mod parts;
mod words;

use std::time::Duration;

use url::Url;

use super::foreign::Element;
use super::part::{self, Required, Row, Source, Value, element};
use super::{Extension, tidy};
use crate::interpret::Interpreter;
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation};
use crate::xml::writer::XmlWriter;

use self::parts::MAX_SECONDS;
pub use self::parts::{
    ContentSegment, Gallery, Platforms, Player, Price, Rating, Restriction, Uploader, VideoId,
};
pub use self::words::{IdKind, Platform, PriceType, Relationship, Resolution};

element! {
    /// A video on the page: `video:video`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use quick_sitemap::extension::{Relationship, Restriction, Video};
    /// use quick_sitemap::{UrlEntry, W3cDatetime};
    ///
    /// let video = Video::new(
    ///     "https://example.com/cat.jpg".parse().unwrap(),
    ///     "A cat",
    ///     "A cat jumps, and falls.",
    ///     "https://example.com/cat.mp4".parse().unwrap(),
    /// )
    /// .with_duration(Duration::from_secs(90))
    /// .with_publication_date("2024-03-04".parse::<W3cDatetime>()?)
    /// .with_tag("cat")
    /// .with_restriction(Restriction::new(Relationship::Deny, ["US"]));
    /// assert_eq!(video.tags, ["cat"]);
    /// let page = UrlEntry::try_from("https://example.com/cat")?.with_video(video);
    /// assert_eq!(page.videos.len(), 1);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    Video: Video "video" "video" {
        /// The URL of the preview image: absolute, http or https; required.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        thumbnail_loc: Option<Url> = child "thumbnail_loc" => with_thumbnail_loc(Url) { required: Required::Always };
        /// The title, at most 100 characters; required.
        title: Option<String> = child "title" => with_title(text) { required: Required::Always, most: 100 };
        /// The description, at most 2,048 characters; required.
        description: Option<String> = child "description" => with_description(text) { required: Required::Always, most: 2_048 };
        /// The URL of the video file: absolute, http or https; required unless there is a player.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        content_loc: Option<Url> = child "content_loc" => with_content_loc(Url) { required: Required::OneOf };
        /// A player for the video; required unless there is a video file.
        player: Option<Player> = child "player_loc" => with_player(Player) { required: Required::OneOf };
        /// The duration in whole seconds, from 0 to 28,800.
        #[cfg_attr(feature = "serde", serde(with = "crate::text::serde::seconds"))]
        duration: Option<Duration> = child "duration" => with_duration(Duration) { most: MAX_SECONDS };
        /// The date after which the video is no longer available.
        expiration_date: Option<W3cDatetime> = child "expiration_date" => with_expiration_date(impl Into<W3cDatetime>);
        /// The rating by viewers, from 0.0 to 5.0.
        rating: Option<Rating> = child "rating" => with_rating(Rating);
        /// The files, if there are several.
        content_segments: Vec<ContentSegment> = child "content_segment_loc" => with_content_segment(ContentSegment);
        /// How often the video has been viewed.
        view_count: Option<u64> = child "view_count" => with_view_count(u64);
        /// The date of the first publication.
        publication_date: Option<W3cDatetime> = child "publication_date" => with_publication_date(impl Into<W3cDatetime>);
        /// Short descriptions of the content, at most 32.
        tags: Vec<String> = child "tag" => with_tag(text) { most_items: Some((32, Rule::TooManyTags)) };
        /// The broad category of the video, at most 256 characters.
        category: Option<String> = child "category" => with_category(text) { most: 256 };
        /// `true` if the video is suitable for children; absent means yes.
        family_friendly: Option<bool> = child "family_friendly" => with_family_friendly(bool);
        /// The countries in which the video can or cannot be shown.
        restriction: Option<Restriction> = child "restriction" => with_restriction(Restriction);
        /// The gallery that contains the video.
        gallery: Option<Gallery> = child "gallery_loc" => with_gallery(Gallery);
        /// The prices of the video; an empty list means that it is free.
        prices: Vec<Price> = child "price" => with_price(Price);
        /// `true` if a subscription is required.
        requires_subscription: Option<bool> = child "requires_subscription" => with_requires_subscription(bool);
        /// The uploader of the video, whose name has at most 255 characters.
        uploader: Option<Uploader> = child "uploader" => with_uploader(Uploader);
        /// The element `video:tvshow`, which describes an episode of a series. Its content is kept unchanged. Google has
        /// ignored it since 2022.
        tvshow: Option<Element> = child "tvshow" => with_tvshow(Element);
        /// The platforms on which the video can or cannot be shown.
        platform: Option<Platforms> = child "platform" => with_platform(Platforms);
        /// `true` if the video is a live stream.
        live: Option<bool> = child "live" => with_live(bool);
        /// Identifiers of the video in other systems.
        ids: Vec<VideoId> = child "id" => with_id(VideoId);
    }
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
            ..Self::empty()
        }
    }

    /// Creates a video with a player and without a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::{
    ///     ContentSegment, Gallery, IdKind, Platform, Platforms, Player, Relationship, Uploader, Video, VideoId,
    /// };
    ///
    /// let player = Player::try_from("https://example.com/player?video=7")?;
    /// let thumbnail = "https://example.com/cat.jpg".parse().unwrap();
    /// let video = Video::played_by(player, thumbnail, "A cat", "A cat jumps, and falls.")
    ///     .with_uploader(Uploader::new("The cats' friends"))
    ///     .with_platform(Platforms::new(Relationship::Allow, [Platform::Web, Platform::Tv]))
    ///     .with_gallery(Gallery::try_from("https://example.com/cats")?)
    ///     .with_content_segment(ContentSegment::try_from("https://example.com/1.mp4")?)
    ///     .with_id(VideoId::new("EP0001", IdKind::TmsProgram));
    /// assert!(video.player.is_some() && video.content_loc.is_none());
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
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
            ..Self::empty()
        }
    }
}

/// `video:tvshow`, kept with its complete content.
impl Value for Element {
    const HOLDS_ELEMENTS: bool = true;

    fn read(source: Source<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        Self::kept(source.element, cx).map(|element| element.spelt_as(Extension::Video))
    }

    fn write(&self, xml: &mut XmlWriter, _: &Row) -> Result<(), Violation> {
        self.encode_part(Extension::Video, "tvshow", xml)
    }
}
