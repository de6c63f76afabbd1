//! Reading a video: what is incomplete is kept.

use std::time::Duration;

use super::write::check_country;
use super::{
    CATEGORY_CHARS, ContentSegment, DESCRIPTION_CHARS, Gallery, IdKind, MAX_SECONDS, MAX_TAGS,
    Platform, Platforms, Player, Price, Relationship, Restriction, TITLE_CHARS, Uploader, Video,
    VideoId,
};
use crate::extension::foreign::Element;
use crate::extension::{Extension, check_length};
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::decimal::is_decimal;
use crate::violation::{Effect, Rule, Violation};
use crate::vocabulary::Vocabulary;

impl Video {
    /// Reads a video; what is incomplete is kept.
    pub(super) fn read(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Self {
        let mut video = Self::EMPTY;
        for part in cx.children(element) {
            match cx.part_of(Vocabulary::Video, part) {
                Some(name) => video.read_part(name, part, cx),
                None => cx.unknown(part),
            }
        }
        for name in ["thumbnail_loc", "title", "description"] {
            cx.require(Extension::Video, element, name);
        }
        let places = ["content_loc", "player_loc"];
        cx.require_one(Extension::Video, element, &places, Effect::Noted);
        video
    }

    fn read_part(&mut self, name: &str, part: RawElement<'_>, cx: &mut Interpreter<'_>) {
        match name {
            "thumbnail_loc" => cx.once(&mut self.thumbnail_loc, part, Interpreter::web_url),
            "title" => cx.once(&mut self.title, part, |cx, text| {
                limited(cx, text, TITLE_CHARS, "video:title")
            }),
            "description" => cx.once(&mut self.description, part, |cx, text| {
                limited(cx, text, DESCRIPTION_CHARS, "video:description")
            }),
            "content_loc" => cx.once(&mut self.content_loc, part, Interpreter::web_url),
            "player_loc" => cx.once(&mut self.player, part, |cx, text| {
                let mut player = Player::new(cx.web_url(text)?);
                player.allow_embed = cx.attribute(part, "allow_embed", Interpreter::yes_no);
                player.autoplay = cx.attribute(part, "autoplay", Interpreter::text);
                Some(player)
            }),
            "duration" => cx.once(&mut self.duration, part, seconds),
            "expiration_date" => cx.once(&mut self.expiration_date, part, Interpreter::datetime),
            "rating" => cx.once(&mut self.rating, part, Interpreter::parsed),
            "content_segment_loc" => {
                let text = cx.plain(part);
                if let Some(loc) = text.and_then(|text| cx.web_url(text)) {
                    let mut segment = ContentSegment::new(loc);
                    segment.duration = cx.attribute(part, "duration", seconds);
                    self.content_segments.push(segment);
                }
            }
            "view_count" => cx.once(&mut self.view_count, part, |cx, text| {
                cx.number(text, u64::MAX)
            }),
            "publication_date" => cx.once(&mut self.publication_date, part, Interpreter::datetime),
            "tag" => {
                if let Some(tag) = cx.plain(part).and_then(|text| cx.text(text)) {
                    self.tags.push(tag);
                    // Reported once, for any number of further ones.
                    if self.tags.len() == MAX_TAGS + 1 {
                        cx.note(Rule::TooManyTags, part.tag(), "32");
                    }
                }
            }
            "category" => cx.once(&mut self.category, part, |cx, text| {
                limited(cx, text, CATEGORY_CHARS, "video:category")
            }),
            "family_friendly" => cx.once(&mut self.family_friendly, part, Interpreter::yes_no),
            "restriction" => cx.once(&mut self.restriction, part, |cx, text| {
                let mut countries = Vec::new();
                cx.list(&mut countries, text, char::is_whitespace, |cx, country| {
                    cx.demand(check_country(country.text), country)?;
                    cx.text(country)
                });
                Some(Restriction {
                    relationship: relationship(part, cx),
                    countries,
                })
            }),
            "gallery_loc" => cx.once(&mut self.gallery, part, |cx, text| {
                let mut gallery = Gallery::new(cx.web_url(text)?);
                gallery.title = cx.attribute(part, "title", Interpreter::text);
                Some(gallery)
            }),
            "price" => {
                let price = price(part, cx);
                self.prices.push(price);
            }
            "requires_subscription" => {
                cx.once(&mut self.requires_subscription, part, Interpreter::yes_no);
            }
            "uploader" => cx.once(&mut self.uploader, part, |cx, text| {
                let mut uploader = Uploader::new(cx.text(text)?);
                uploader.info = cx.attribute(part, "info", Interpreter::web_url);
                Some(uploader)
            }),
            "tvshow" if self.tvshow.is_some() => {
                cx.refuse(Rule::DuplicateElement, part.tag(), name);
            }
            "tvshow" => {
                let mut carried = Vec::new();
                Element::carry_through(part, &mut carried, cx);
                self.tvshow = carried
                    .pop()
                    .map(|element| element.spelt_as(Extension::Video));
            }
            "platform" => cx.once(&mut self.platform, part, |cx, text| {
                let mut platforms = Vec::new();
                cx.list(&mut platforms, text, char::is_whitespace, |cx, word| {
                    let platform: Platform = cx.keyword(word)?;
                    cx.check(platform.allowed("video:platform"), word);
                    Some(platform)
                });
                Some(Platforms {
                    relationship: relationship(part, cx),
                    platforms,
                })
            }),
            "live" => cx.once(&mut self.live, part, Interpreter::yes_no),
            "id" => {
                let value = cx.plain(part).and_then(|text| cx.text(text));
                let kind = cx.required_attribute(part, "type", Effect::Noted, |cx, text| {
                    let kind: IdKind = cx.keyword(text)?;
                    cx.check(kind.allowed("video:id"), text);
                    Some(kind)
                });
                self.ids.push(VideoId { value, kind });
            }
            _ => cx.unknown(part),
        }
    }
}

fn seconds(cx: &mut Interpreter<'_>, text: ValueText<'_>) -> Option<Duration> {
    cx.number(text, MAX_SECONDS).map(Duration::from_secs)
}

fn relationship(part: RawElement<'_>, cx: &mut Interpreter<'_>) -> Option<Relationship> {
    cx.required_attribute(part, "relationship", Effect::Noted, Interpreter::parsed)
}

/// An amount needs a currency. Without one, the type alone is kept, which shows what has a price.
fn price(part: RawElement<'_>, cx: &mut Interpreter<'_>) -> Price {
    let text = cx.plain(part);
    let amount = text.and_then(|text| {
        if !is_decimal(text.text) {
            cx.drop_value(Violation::new(Rule::InvalidNumber, text.text), text);
            return None;
        }
        cx.text(text)
    });
    let (currency, kind) = if text.is_some() {
        let currency = cx.required_attribute(part, "currency", Effect::Noted, Interpreter::parsed);
        (currency, cx.attribute(part, "type", Interpreter::parsed))
    } else {
        let kind = cx.required_attribute(part, "type", Effect::Noted, Interpreter::parsed);
        (cx.attribute(part, "currency", Interpreter::parsed), kind)
    };
    Price {
        amount,
        currency,
        kind,
        resolution: cx.attribute(part, "resolution", Interpreter::parsed),
    }
}

/// A text that should have no more characters than `most`.
fn limited(
    cx: &mut Interpreter<'_>,
    text: ValueText<'_>,
    most: usize,
    name: &'static str,
) -> Option<String> {
    cx.check(check_length(text.text, most, name), text);
    cx.text(text)
}
