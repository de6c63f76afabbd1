//! The types of the parts of a video.

use std::fmt;
use std::time::Duration;

use url::Url;

use super::words::{IdKind, Platform, PriceType, Relationship, Resolution};
use crate::extension::part::{self, Required, element, of_url, text_value};
use crate::extension::tidy;
use crate::extension::visit::{Part, shown};
use crate::value::decimal::{self, is_decimal};
use crate::violation::{Rule, Violation, case};

/// Seconds a video may last: eight hours.
pub(super) const MAX_SECONDS: u64 = 28_800;

decimal::decimal! {
    /// A rating by viewers, from 0.0 to 5.0. It is never NaN, and -0 becomes 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::Rating;
    ///
    /// assert_eq!(Rating::new(4.5)?, "4.5".parse()?);
    /// assert!(Rating::new(5.1).is_err());
    /// assert!("1e0".parse::<Rating>().is_err());
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    Rating: 5.0, InvalidNumber "a decimal number from 0.0 to 5.0"
}

impl Rating {
    /// Creates a rating.
    ///
    /// # Errors
    ///
    /// [`InvalidNumber`](Rule::InvalidNumber) for a value outside 0.0 to 5.0, and for a value between 0 and one
    /// billionth, for which schema validators do not have enough digits.
    pub fn new(value: f32) -> Result<Self, Violation> {
        if value == 0.0 || (1e-9..=5.0).contains(&value) {
            // -0.0 becomes 0.0.
            Ok(Self(value.abs().to_bits()))
        } else {
            Err(Self::violation(&value.to_string()))
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::new(decimal::up_to(5, text)?).ok()
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never uses an exponent, because XML Schema has none for this type.
        if f.precision().is_some() {
            fmt::Display::fmt(&self.get(), f)
        } else if self.get().fract() == 0.0 {
            f.pad(&format!("{:.1}", self.get()))
        } else {
            f.pad(&self.get().to_string())
        }
    }
}

shown!(Rating, |rating| Part::Decimal((*rating).into()););
text_value! {
    Rating: |text, _row, cx| cx.demand(text.text.parse(), text), |rating, out, _place| part::display(rating, out);
}

of_url!(Player, ContentSegment, Gallery);

element! {
    /// A player for the video: `video:player_loc`.
    Player: Video "video" "player_loc"
    key {
        /// The URL of the player: absolute, http or https; different from the URL of the page.
        loc = text;
    }
    {
        /// `true` if other sites can embed the player.
        allow_embed: Option<bool> = attribute "allow_embed" => with_allow_embed(bool);
        /// The text that the URL of the player needs to start playing automatically: `ap=1`.
        autoplay: Option<String> = attribute "autoplay" => with_autoplay(text);
    }
}

element! {
    /// A part of a video that has several files: `video:content_segment_loc`.
    ContentSegment: Video "video" "content_segment_loc"
    key {
        /// The URL of the file: absolute, http or https.
        loc = text;
    }
    {
        /// The duration in whole seconds, from 0 to 28,800.
        #[cfg_attr(feature = "serde", serde(with = "crate::text::serde::seconds"))]
        duration: Option<Duration> = attribute "duration" => with_duration(Duration) { most: MAX_SECONDS };
    }
}

element! {
    /// The countries in which a video can or cannot be shown: `video:restriction`.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::{Relationship, Restriction};
    ///
    /// let only = Restriction::new(Relationship::Allow, ["IE", "GB"]);
    /// assert_eq!(only.countries, ["IE", "GB"]);
    /// ```
    Restriction: Video "video" "restriction" {
        /// The countries: two capital letters each, as in ISO 3166. The codes are not looked up in the standard.
        countries: Vec<String> = text { check: Some((is_country, Rule::InvalidCountry, None)), drops: true };
        /// The kind of the list: the countries are allowed or denied; required.
        relationship: Option<Relationship> = attribute "relationship" => with_relationship(Relationship) { required: Required::Always };
    }
}

impl Restriction {
    /// Creates a restriction that allows or denies these countries.
    #[must_use]
    pub fn new<C: Into<String>>(
        relationship: Relationship,
        countries: impl IntoIterator<Item = C>,
    ) -> Self {
        let mut restriction = Self::empty().with_relationship(relationship);
        restriction.countries = countries.into_iter().map(Into::into).collect();
        restriction
    }
}

element! {
    /// The platforms on which a video can or cannot be shown: `video:platform`.
    Platforms: Video "video" "platform" {
        /// The platforms.
        platforms: Vec<Platform> = text;
        /// The kind of the list: the platforms are allowed or denied; required.
        relationship: Option<Relationship> = attribute "relationship" => with_relationship(Relationship) { required: Required::Always };
    }
}

impl Platforms {
    /// Creates a list of platforms that are allowed or denied.
    #[must_use]
    pub fn new(relationship: Relationship, platforms: impl IntoIterator<Item = Platform>) -> Self {
        let mut list = Self::empty().with_relationship(relationship);
        list.platforms.extend(platforms);
        list
    }
}

element! {
    /// The gallery that contains a video: `video:gallery_loc`.
    Gallery: Video "video" "gallery_loc"
    key {
        /// The URL of the gallery: absolute, http or https.
        loc = text;
    }
    {
        /// The title of the gallery.
        title: Option<String> = attribute "title" => with_title(text);
    }
}

element! {
    /// The price of a video: `video:price`. A video can have several prices.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::{Price, PriceType, Resolution};
    ///
    /// let price = Price::new("1.99", "EUR").with_kind(PriceType::Rent).with_resolution(Resolution::Hd);
    /// assert_eq!(price.amount.as_deref(), Some("1.99"));
    /// ```
    Price: Video "video" "price" {
        /// A decimal number, kept as it is written; absent if the element is empty.
        amount: Option<String> = text { check: Some((is_decimal, Rule::InvalidNumber, Some(case::DECIMAL))), drops: true };
        /// The currency: three capital letters, as in ISO 4217. The code is not looked up in the standard.
        currency: Option<String> = attribute "currency" => with_currency(text) {
            required: Required::WithText, check: Some((is_currency, Rule::InvalidKeyword, Some(case::CURRENCY))), drops: true
        };
        /// The right that the price buys (the attribute `type`).
        kind: Option<PriceType> = attribute "type" => with_kind(PriceType) { required: Required::WithoutText };
        /// The resolution to which the price applies.
        resolution: Option<Resolution> = attribute "resolution" => with_resolution(Resolution);
    }
}

impl Price {
    /// Creates a price. `amount` is a decimal number such as `1.99`, and `currency` a code such as `EUR`.
    #[must_use]
    pub fn new(amount: impl Into<String>, currency: impl Into<String>) -> Self {
        let mut price = Self::empty().with_currency(currency);
        price.amount = tidy(amount);
        price
    }
}

element! {
    /// The uploader of a video: `video:uploader`.
    Uploader: Video "video" "uploader" {
        /// The name of the uploader, at most 255 characters; required.
        name: Option<String> = text { most: 255 };
        /// A page about the uploader: absolute, http or https.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        info: Option<Url> = attribute "info" => with_info(Url);
    }
}

impl Uploader {
    /// Creates an uploader with this name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let mut uploader = Self::empty();
        uploader.name = tidy(name);
        uploader
    }
}

element! {
    /// An identifier of a video in another system: `video:id`. A video can have several.
    VideoId: Video "video" "id" {
        /// The identifier; required.
        value: Option<String> = text;
        /// The system to which the identifier belongs (the attribute `type`); required.
        kind: Option<IdKind> = attribute "type" => with_kind(IdKind) { required: Required::Always };
    }
}

impl VideoId {
    /// Creates an identifier of this kind.
    #[must_use]
    pub fn new(value: impl Into<String>, kind: IdKind) -> Self {
        let mut id = Self::empty().with_kind(kind);
        id.value = tidy(value);
        id
    }
}

fn is_currency(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_country(country: &str) -> bool {
    country.len() == 2 && country.bytes().all(|b| b.is_ascii_uppercase())
}
