//! The extension `video:video`; the types of its parts and its keywords are in a file each.

mod parts;
mod words;

use std::time::Duration;

use url::Url;

use super::foreign::Element;
use super::part::{self, Field, PartValue, Required, Row, elements};
use super::{Extension, tidy};
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::W3cDatetime;
use crate::value::decimal::is_decimal;
use crate::violation::{Effect, Rule, Violation, case};
use crate::vocabulary::Vocabulary;
use crate::xml::writer::{XmlWriter, tag};

use self::parts::MAX_SECONDS;
pub use self::parts::{
    ContentSegment, Currency, Gallery, Platforms, Player, Price, Rating, Restriction, Uploader,
    VideoId,
};
pub use self::words::{IdKind, Platform, PriceType, Relationship, Resolution};

elements! {
    /// A video on the page: `video:video`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use quick_sitemap::extension::{Relationship, Restriction, Video};
    /// use quick_sitemap::{UrlEntry, W3cDatetime};
    ///
    /// let mut video = Video::new(
    ///     "https://example.com/cat.jpg".parse().unwrap(),
    ///     "A cat",
    ///     "A cat jumps, and falls.",
    ///     "https://example.com/cat.mp4".parse().unwrap(),
    /// )
    /// .with_duration(Duration::from_secs(90))
    /// .with_publication_date("2024-03-04".parse::<W3cDatetime>()?)
    /// .with_tag("cat");
    /// video.restriction = Some(Restriction::new(Relationship::Deny, ["US"]));
    /// assert_eq!(video.tags, ["cat"]);
    /// let page = UrlEntry::try_from("https://example.com/cat")?.with_video(video);
    /// assert_eq!(page.videos.len(), 1);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    Video: Video "video" {
        /// The URL of the preview image: absolute, http or https; required.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        thumbnail_loc: Option<Url> = "thumbnail_loc" { required: Required::Always };
        /// The title, at most 100 characters; required.
        title: Option<String> = "title" { required: Required::Always, most: 100 };
        /// The description, at most 2,048 characters; required.
        description: Option<String> = "description" { required: Required::Always, most: 2_048 };
        /// The URL of the video file: absolute, http or https; required unless there is a player.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        content_loc: Option<Url> = "content_loc";
        /// A player for the video; required unless there is a video file.
        player: Option<Player> = "player_loc";
        /// The duration in whole seconds, from 0 to 28,800.
        #[cfg_attr(feature = "serde", serde(with = "crate::text::serde::seconds"))]
        duration: Option<Duration> = "duration" { most: MAX_SECONDS };
        /// The date after which the video is no longer available.
        expiration_date: Option<W3cDatetime> = "expiration_date";
        /// The rating by viewers, from 0.0 to 5.0.
        rating: Option<Rating> = "rating";
        /// The files, if there are several.
        content_segments: Vec<ContentSegment> = "content_segment_loc";
        /// How often the video has been viewed.
        view_count: Option<u64> = "view_count";
        /// The date of the first publication.
        publication_date: Option<W3cDatetime> = "publication_date";
        /// Short descriptions of the content, at most 32.
        tags: Vec<String> = "tag" { most_items: Some((32, Rule::TooManyTags)) };
        /// The broad category of the video, at most 256 characters.
        category: Option<String> = "category" { most: 256 };
        /// `true` if the video is suitable for children; absent means yes.
        family_friendly: Option<bool> = "family_friendly";
        /// The countries in which the video can or cannot be shown.
        restriction: Option<Restriction> = "restriction" { check: Some((is_country, Rule::InvalidCountry, None)), drops: true };
        /// The gallery that contains the video.
        gallery: Option<Gallery> = "gallery_loc";
        /// The prices of the video; an empty list means that it is free.
        prices: Vec<Price> = "price" { check: Some((is_decimal, Rule::InvalidNumber, None)), drops: true };
        /// `true` if a subscription is required.
        requires_subscription: Option<bool> = "requires_subscription";
        /// The uploader of the video, whose name has at most 255 characters.
        uploader: Option<Uploader> = "uploader" { most: 255 };
        /// The element `video:tvshow`, which describes an episode of a series. Its content is kept unchanged. Google has
        /// ignored it since 2022.
        tvshow: Option<Element> = "tvshow";
        /// The platforms on which the video can or cannot be shown.
        platform: Option<Platforms> = "platform";
        /// `true` if the video is a live stream.
        live: Option<bool> = "live";
        /// Identifiers of the video in other systems.
        ids: Vec<VideoId> = "id";
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
    /// The rare parts of a video are fields, too:
    ///
    /// ```
    /// use quick_sitemap::extension::{
    ///     ContentSegment, Gallery, IdKind, Platform, Platforms, Player, Relationship, Uploader, Video, VideoId,
    /// };
    ///
    /// let player = Player::new("https://example.com/player?video=7".parse().unwrap());
    /// let thumbnail = "https://example.com/cat.jpg".parse().unwrap();
    /// let mut video = Video::played_by(player, thumbnail, "A cat", "A cat jumps, and falls.");
    /// video.uploader = Some(Uploader::new("The cats' friends"));
    /// video.platform = Some(Platforms::new(Relationship::Allow, [Platform::Web, Platform::Tv]));
    /// video.gallery = Some(Gallery::new("https://example.com/cats".parse().unwrap()));
    /// video.content_segments.push(ContentSegment::new("https://example.com/1.mp4".parse().unwrap()));
    /// video.ids.push(VideoId::new("EP0001", IdKind::TmsProgram));
    /// assert!(video.player.is_some() && video.content_loc.is_none());
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

    /// Sets the duration in whole seconds, from 0 to 28,800.
    #[must_use]
    pub fn with_duration(mut self, duration: Duration) -> Self {
        self.duration = Some(duration);
        self
    }

    /// Sets the date of the first publication.
    #[must_use]
    pub fn with_publication_date(mut self, date: impl Into<W3cDatetime>) -> Self {
        self.publication_date = Some(date.into());
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.extend(tidy(tag));
        self
    }

    /// Adds an element to the videos of an entry. An incomplete video is kept.
    pub(crate) fn read_into(
        videos: &mut Vec<Self>,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> bool {
        if Extension::Video.has_room(videos.len(), element, cx) {
            videos.extend(Self::read(element, cx));
            let places = ["content_loc", "player_loc"];
            cx.require_one(Extension::Video, element, &places, Effect::Noted);
        }
        true
    }

    pub(crate) fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        if self.content_loc.is_none() && self.player.is_none() {
            let found = "video:content_loc or video:player_loc";
            return Err(Violation::with_detail(
                Rule::MissingElement,
                found,
                case::NEITHER,
            ));
        }
        xml.start(tag!("video:video"));
        xml.declare_for(Extension::Video)?;
        self.write_parts(xml)?;
        xml.end(tag!("video:video"));
        Ok(())
    }
}

/// `video:tvshow`, kept with its complete content.
impl PartValue for Element {
    const HOLDS_ELEMENTS: bool = true;

    fn read(
        part: RawElement<'_>,
        _: Option<ValueText<'_>>,
        cx: &mut Interpreter<'_>,
        _: &Row,
    ) -> Option<Self> {
        let mut kept = Vec::new();
        Self::carry_through(part, &mut kept, cx);
        kept.pop().map(|element| element.spelt_as(Extension::Video))
    }

    fn write(&self, xml: &mut XmlWriter, _: &Row) -> Result<(), Violation> {
        self.encode_part(Extension::Video, "tvshow", xml)
    }

    fn urls<'u>(&'u mut self, _: &mut Vec<&'u mut Url>) {}
}

fn is_country(country: &str) -> bool {
    country.len() == 2 && country.bytes().all(|b| b.is_ascii_uppercase())
}
