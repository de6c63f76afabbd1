//! Reading a video: what is incomplete is kept.

use std::time::Duration;

use super::write::check_country;
use super::{
    CATEGORY_CHARS, ContentSegment, DESCRIPTION_CHARS, Gallery, IdKind, MAX_SECONDS, MAX_TAGS,
    Platform, Platforms, Player, Price, Relationship, Restriction, TITLE_CHARS, Uploader, Video,
    VideoId,
};
use crate::extension::check_length;
use crate::interpret::Interpreter;
use crate::raw::{RawElement, Text};
use crate::spare::{Spare, empty};
use crate::value::decimal::is_decimal;
use crate::violation::{Effect, Rule, Violation};
use crate::vocabulary::Vocabulary;

impl Video {
    /// Reads a video; what is incomplete is kept.
    /// It is read into `video`, which says nothing yet.
    pub(super) fn read(element: RawElement<'_>, i: &mut Interpreter<'_>, mut video: Self) -> Self {
        for part in i.children(element) {
            match i.part_of(Vocabulary::Video, part) {
                Some(name) => video.read_part(name, part, i),
                None => i.unknown(part),
            }
        }
        for name in ["video:thumbnail_loc", "video:title", "video:description"] {
            i.require(element, name);
        }
        let places = ["video:content_loc", "video:player_loc"];
        i.require_one(element, &places, Effect::Noted);
        video
    }

    /// The same without content; the memory of what was in it is kept.
    pub(in crate::extension) fn emptied(self, spare: &mut Spare) -> Self {
        let (gallery, uploader, player) = (self.gallery, self.uploader, self.player);
        let (gallery, gallery_title) = gallery.map_or((None, None), |of| (Some(of.loc), of.title));
        let (uploader, info) = uploader.map_or((None, None), |of| (of.name, of.info));
        let (player, autoplay) = player.map_or((None, None), |of| (Some(of.loc), of.autoplay));
        let urls = [self.thumbnail_loc, self.content_loc, player, gallery, info];
        urls.into_iter()
            .flatten()
            .for_each(|url| spare.keep_url(url));
        let texts = [
            self.title,
            self.description,
            self.category,
            gallery_title,
            uploader,
            autoplay,
        ];
        texts
            .into_iter()
            .flatten()
            .for_each(|text| spare.keep(text));
        if let Some(restriction) = self.restriction {
            spare.keep_list(restriction.countries);
        }
        let mut video = Self {
            content_segments: self.content_segments,
            tags: self.tags,
            prices: self.prices,
            ids: self.ids,
            ..Self::EMPTY
        };
        empty(&mut video.content_segments, |segment| {
            spare.keep_url(segment.loc)
        });
        empty(&mut video.tags, |tag| spare.keep(tag));
        empty(&mut video.prices, |price| {
            price.amount.into_iter().for_each(|text| spare.keep(text))
        });
        empty(&mut video.ids, |id| {
            id.value.into_iter().for_each(|text| spare.keep(text))
        });
        video
    }

    fn read_part(&mut self, name: &str, part: RawElement<'_>, i: &mut Interpreter<'_>) {
        match name {
            "thumbnail_loc" => i.once(&mut self.thumbnail_loc, part, Interpreter::web_url),
            "title" => i.once(&mut self.title, part, |i, text| {
                limited(i, text, TITLE_CHARS, "video:title")
            }),
            "description" => i.once(&mut self.description, part, |i, text| {
                limited(i, text, DESCRIPTION_CHARS, "video:description")
            }),
            "content_loc" => i.once(&mut self.content_loc, part, Interpreter::web_url),
            "player_loc" => i.once(&mut self.player, part, |i, text| {
                let mut player = Player::new(i.web_url(text)?);
                player.allow_embed = i.attribute(part, "allow_embed", Interpreter::yes_no);
                player.autoplay = i.attribute(part, "autoplay", Interpreter::text);
                Some(player)
            }),
            "duration" => i.once(&mut self.duration, part, seconds),
            "expiration_date" => i.once(&mut self.expiration_date, part, Interpreter::datetime),
            "rating" => i.once(&mut self.rating, part, Interpreter::parsed),
            "content_segment_loc" => {
                let text = i.plain(part);
                if let Some(loc) = text.and_then(|text| i.web_url(text)) {
                    let mut segment = ContentSegment::new(loc);
                    segment.duration = i.attribute(part, "duration", seconds);
                    i.keep(segment, &mut self.content_segments, || part.run());
                }
            }
            "view_count" => i.once(&mut self.view_count, part, |i, text| {
                i.number(text, u64::MAX)
            }),
            "publication_date" => i.once(&mut self.publication_date, part, Interpreter::datetime),
            "tag" => {
                let tag = i.plain(part).and_then(|text| i.text(text));
                let is_kept = tag.is_some_and(|tag| i.keep(tag, &mut self.tags, || part.run()));
                // Said once, however many follow.
                if is_kept && self.tags.len() == MAX_TAGS + 1 {
                    i.note(Rule::TooManyTags, part.tag(), "32");
                }
            }
            "category" => i.once(&mut self.category, part, |i, text| {
                limited(i, text, CATEGORY_CHARS, "video:category")
            }),
            "family_friendly" => i.once(&mut self.family_friendly, part, Interpreter::yes_no),
            "restriction" => i.once(&mut self.restriction, part, |i, text| {
                let mut countries = i.spare.list();
                i.list(&mut countries, text, char::is_whitespace, |i, country| {
                    i.demand(check_country(country.text), country)?;
                    i.text(country)
                });
                Some(Restriction {
                    relationship: relationship(part, i),
                    countries,
                })
            }),
            "gallery_loc" => i.once(&mut self.gallery, part, |i, text| {
                let mut gallery = Gallery::new(i.web_url(text)?);
                gallery.title = i.attribute(part, "title", Interpreter::text);
                Some(gallery)
            }),
            "price" => {
                let price = price(part, i);
                i.keep(price, &mut self.prices, || part.run());
            }
            "requires_subscription" => {
                i.once(&mut self.requires_subscription, part, Interpreter::yes_no);
            }
            "uploader" => i.once(&mut self.uploader, part, |i, text| {
                let mut uploader = Uploader::new(i.text(text)?);
                uploader.info = i.attribute(part, "info", Interpreter::web_url);
                Some(uploader)
            }),
            "platform" => i.once(&mut self.platform, part, |i, text| {
                let mut platforms = Vec::new();
                i.list(&mut platforms, text, char::is_whitespace, |i, word| {
                    let platform: Platform = i.keyword(word)?;
                    i.check(platform.allowed("video:platform"), word);
                    Some(platform)
                });
                Some(Platforms {
                    relationship: relationship(part, i),
                    platforms,
                })
            }),
            "live" => i.once(&mut self.live, part, Interpreter::yes_no),
            "id" => {
                let value = i.plain(part).and_then(|text| i.text(text));
                let kind = i.required_attribute(part, "type", Effect::Noted, |i, text| {
                    let kind: IdKind = i.keyword(text)?;
                    i.check(kind.allowed("video:id"), text);
                    Some(kind)
                });
                i.keep(VideoId { value, kind }, &mut self.ids, || part.run());
            }
            _ => i.unknown(part),
        }
    }
}

fn seconds(i: &mut Interpreter<'_>, text: Text<'_>) -> Option<Duration> {
    i.number(text, MAX_SECONDS).map(Duration::from_secs)
}

fn relationship(part: RawElement<'_>, i: &mut Interpreter<'_>) -> Option<Relationship> {
    i.required_attribute(part, "relationship", Effect::Noted, Interpreter::parsed)
}

/// An amount needs a currency; where there is none, the type says what has a price.
fn price(part: RawElement<'_>, i: &mut Interpreter<'_>) -> Price {
    let text = i.plain(part);
    let amount = text.and_then(|text| {
        if !is_decimal(text.text) {
            i.drop_value(Violation::new(Rule::InvalidNumber, text.text), text);
            return None;
        }
        i.text(text)
    });
    let (currency, kind) = if text.is_some() {
        let currency = i.required_attribute(part, "currency", Effect::Noted, Interpreter::parsed);
        (currency, i.attribute(part, "type", Interpreter::parsed))
    } else {
        let kind = i.required_attribute(part, "type", Effect::Noted, Interpreter::parsed);
        (i.attribute(part, "currency", Interpreter::parsed), kind)
    };
    Price {
        amount,
        currency,
        kind,
        resolution: i.attribute(part, "resolution", Interpreter::parsed),
    }
}

/// A text that should have no more characters than `most`.
fn limited(
    i: &mut Interpreter<'_>,
    text: Text<'_>,
    most: usize,
    name: &'static str,
) -> Option<String> {
    i.check(check_length(text.text, most, name), text);
    i.text(text)
}
