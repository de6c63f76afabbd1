mod parts;
mod read;

use std::time::Duration;

use url::Url;

use self::parts::is_decimal;
use super::{Extension, check_length, check_text, required, tidy, write_text};
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation};
use crate::xml::writer::{XmlWriter, check_url};

pub use self::parts::{
    ContentSegment, Currency, Gallery, IdKind, Platform, Platforms, Player, Price, PriceType,
    Rating, Relationship, Resolution, Restriction, Uploader, VideoId,
};

pub(super) const EXTENSION: Extension = Extension {
    namespace: "http://www.google.com/schemas/sitemap-video/1.1",
    prefix: "video",
    claims: |name, _| name == "video",
    read: |element, i, entry| entry.videos.push(Video::read(element, i)),
    is_in: |entry| !entry.videos.is_empty(),
    write: |entry, xml| entry.videos.iter().try_for_each(|video| video.write(xml)),
};

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
#[non_exhaustive]
pub struct Video {
    /// The preview image: absolute, http or https; required.
    pub thumbnail_loc: Option<Url>,
    /// The title, at most 100 characters; required.
    pub title: Option<String>,
    /// The description, at most 2,048 characters; required.
    pub description: Option<String>,
    /// The video file: absolute, http or https; required unless there is a player.
    pub content_loc: Option<Url>,
    /// A player for the video; required unless there is a video file.
    pub player: Option<Player>,
    /// How long it lasts: whole seconds, 0 to 28,800.
    pub duration: Option<Duration>,
    /// When it is no longer to be seen.
    pub expiration_date: Option<W3cDatetime>,
    /// What viewers think of it, 0.0 to 5.0.
    pub rating: Option<Rating>,
    /// The files, if there are several.
    pub content_segments: Vec<ContentSegment>,
    /// How often it has been seen.
    pub view_count: Option<u64>,
    /// When it was first published.
    pub publication_date: Option<W3cDatetime>,
    /// Short descriptions of what it shows, at most 32.
    pub tags: Vec<String>,
    /// The broad group that it belongs to, at most 256 characters.
    pub category: Option<String>,
    /// Whether children may see it; absent means yes.
    pub family_friendly: Option<bool>,
    /// The countries in which it may be shown, or not.
    pub restriction: Option<Restriction>,
    /// The gallery that it belongs to.
    pub gallery: Option<Gallery>,
    /// What it costs; none means nothing.
    pub prices: Vec<Price>,
    /// Whether a subscription is needed to see it.
    pub requires_subscription: Option<bool>,
    /// Who put it there.
    pub uploader: Option<Uploader>,
    /// The platforms on which it may be shown, or not.
    pub platform: Option<Platforms>,
    /// Whether it is a live stream.
    pub live: Option<bool>,
    /// What it is called elsewhere.
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

    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let title = required(&self.title, "video:title")?;
        let description = required(&self.description, "video:description")?;
        if self.content_loc.is_none() && self.player.is_none() {
            let found = "video:content_loc or video:player_loc";
            return Err(Violation::new(Rule::MissingElement, found));
        }
        EXTENSION.start(xml, "video:video")?;
        xml.url_leaf(
            "video:thumbnail_loc",
            required(&self.thumbnail_loc, "video:thumbnail_loc")?,
        )?;
        write_limited(xml, "video:title", title, TITLE_CHARS)?;
        write_limited(xml, "video:description", description, DESCRIPTION_CHARS)?;
        if let Some(content_loc) = &self.content_loc {
            xml.url_leaf("video:content_loc", content_loc)?;
        }
        if let Some(player) = &self.player {
            player.write(xml)?;
        }
        if let Some(duration) = self.duration {
            xml.plain_leaf("video:duration", check_seconds(duration)?);
        }
        write_date(xml, "video:expiration_date", self.expiration_date)?;
        if let Some(rating) = self.rating {
            xml.plain_leaf("video:rating", rating);
        }
        self.content_segments
            .iter()
            .try_for_each(|segment| segment.write(xml))?;
        if let Some(view_count) = self.view_count {
            xml.plain_leaf("video:view_count", view_count);
        }
        write_date(xml, "video:publication_date", self.publication_date)?;
        if self.tags.len() > MAX_TAGS {
            return Err(Violation::new(Rule::TooManyTags, "32"));
        }
        for tag in &self.tags {
            write_text(xml, "video:tag", Some(tag))?;
        }
        if let Some(category) = &self.category {
            write_limited(xml, "video:category", category, CATEGORY_CHARS)?;
        }
        write_yes_no(xml, "video:family_friendly", self.family_friendly);
        if let Some(restriction) = &self.restriction {
            let countries = restriction
                .countries
                .iter()
                .map(|country| check_country(country));
            write_words(
                xml,
                "video:restriction",
                restriction.relationship,
                countries,
            )?;
        }
        if let Some(gallery) = &self.gallery {
            gallery.write(xml)?;
        }
        self.prices.iter().try_for_each(|price| price.write(xml))?;
        write_yes_no(
            xml,
            "video:requires_subscription",
            self.requires_subscription,
        );
        if let Some(uploader) = &self.uploader {
            uploader.write(xml)?;
        }
        if let Some(platform) = &self.platform {
            let words = platform
                .platforms
                .iter()
                .map(|word| word.allowed("video:platform"));
            write_words(xml, "video:platform", platform.relationship, words)?;
        }
        write_yes_no(xml, "video:live", self.live);
        self.ids.iter().try_for_each(|id| id.write(xml))?;
        xml.end("video:video");
        Ok(())
    }
}

impl Player {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("video:player_loc");
        if let Some(allow_embed) = self.allow_embed {
            xml.attribute("allow_embed", yes_no(allow_embed))?;
        }
        if let Some(autoplay) = &self.autoplay {
            xml.attribute("autoplay", check_text(autoplay, "autoplay")?)?;
        }
        xml.url(&self.loc)?;
        xml.end("video:player_loc");
        Ok(())
    }
}

impl ContentSegment {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("video:content_segment_loc");
        if let Some(duration) = self.duration {
            xml.plain_attribute("duration", check_seconds(duration)?);
        }
        xml.url(&self.loc)?;
        xml.end("video:content_segment_loc");
        Ok(())
    }
}

impl Gallery {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("video:gallery_loc");
        if let Some(title) = &self.title {
            xml.attribute("title", check_text(title, "title")?)?;
        }
        xml.url(&self.loc)?;
        xml.end("video:gallery_loc");
        Ok(())
    }
}

impl Price {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("video:price");
        if let Some(currency) = &self.currency {
            xml.attribute("currency", currency.as_str())?;
        }
        if let Some(kind) = self.kind {
            xml.attribute("type", kind.as_str())?;
        }
        if let Some(resolution) = self.resolution {
            xml.attribute("resolution", resolution.as_str())?;
        }
        if let Some(amount) = &self.amount {
            if !is_decimal(amount) {
                return Err(Violation::with_detail(
                    Rule::InvalidNumber,
                    amount,
                    "video:price",
                ));
            }
            xml.text(amount)?;
        }
        xml.end("video:price");
        Ok(())
    }
}

impl Uploader {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let name = required(&self.name, "video:uploader")?;
        xml.start("video:uploader");
        if let Some(info) = &self.info {
            xml.attribute("info", check_url(info)?)?;
        }
        xml.text(check_text(name, "video:uploader")?)?;
        xml.end("video:uploader");
        Ok(())
    }
}

impl VideoId {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let value = required(&self.value, "video:id")?;
        let Some(kind) = &self.kind else {
            return Err(Violation::with_detail(
                Rule::MissingAttribute,
                "type",
                "video:id",
            ));
        };
        xml.start("video:id");
        xml.attribute("type", kind.allowed("video:id")?)?;
        xml.text(check_text(value, "video:id")?)?;
        xml.end("video:id");
        Ok(())
    }
}

fn write_limited(
    xml: &mut XmlWriter,
    name: &'static str,
    text: &str,
    most: usize,
) -> Result<(), Violation> {
    write_text(xml, name, Some(check_length(text, most, name)?))
}

fn write_date(
    xml: &mut XmlWriter,
    name: &'static str,
    date: Option<W3cDatetime>,
) -> Result<(), Violation> {
    date.map_or(Ok(()), |date| xml.datetime_leaf(name, date))
}

fn write_yes_no(xml: &mut XmlWriter, name: &'static str, value: Option<bool>) {
    if let Some(value) = value {
        xml.plain_leaf(name, yes_no(value));
    }
}

/// Words with spaces between them, allowed or denied.
fn write_words<'a>(
    xml: &mut XmlWriter,
    name: &'static str,
    relationship: Option<Relationship>,
    words: impl Iterator<Item = Result<&'a str, Violation>>,
) -> Result<(), Violation> {
    let Some(relationship) = relationship else {
        return Err(Violation::with_detail(
            Rule::MissingAttribute,
            "relationship",
            name,
        ));
    };
    xml.start(name);
    xml.attribute("relationship", relationship.as_str())?;
    for (number, word) in words.enumerate() {
        if number > 0 {
            xml.text(" ")?;
        }
        xml.text(word?)?;
    }
    xml.end(name);
    Ok(())
}

const fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

fn check_seconds(duration: Duration) -> Result<u64, Violation> {
    let seconds = duration.as_secs();
    if duration.subsec_nanos() != 0 || seconds > MAX_SECONDS {
        let found = format!("{duration:?}");
        return Err(Violation::with_detail(
            Rule::InvalidNumber,
            &found,
            "whole seconds up to 28,800",
        ));
    }
    Ok(seconds)
}

fn check_country(country: &str) -> Result<&str, Violation> {
    if country.len() == 2 && country.bytes().all(|b| b.is_ascii_uppercase()) {
        Ok(country)
    } else {
        Err(Violation::new(Rule::InvalidCountry, country))
    }
}
