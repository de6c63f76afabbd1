//! Writing a video: an incomplete one is rejected.

use std::time::Duration;

use super::{
    CATEGORY_CHARS, ContentSegment, DESCRIPTION_CHARS, Gallery, MAX_SECONDS, MAX_TAGS, Player,
    Price, Relationship, TITLE_CHARS, Uploader, Video, VideoId,
};
use crate::extension::encode::{datetime_leaf, url_attribute, url_leaf, url_text};
use crate::extension::{Extension, check_length, check_text, required, write_text};
use crate::value::W3cDatetime;
use crate::value::decimal::is_decimal;
use crate::violation::{Rule, Violation};
use crate::xml::writer::{FixedTag, XmlWriter, tag};

impl Video {
    pub(super) fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let title = required(&self.title, "video:title")?;
        let description = required(&self.description, "video:description")?;
        if self.content_loc.is_none() && self.player.is_none() {
            let found = "video:content_loc or video:player_loc";
            return Err(Violation::new(Rule::MissingElement, found));
        }
        xml.start_in(Extension::Video)?;
        url_leaf(
            xml,
            tag!("video:thumbnail_loc"),
            required(&self.thumbnail_loc, "video:thumbnail_loc")?,
        )?;
        write_limited(xml, "video:title", title, TITLE_CHARS)?;
        write_limited(xml, "video:description", description, DESCRIPTION_CHARS)?;
        if let Some(content_loc) = &self.content_loc {
            url_leaf(xml, tag!("video:content_loc"), content_loc)?;
        }
        if let Some(player) = &self.player {
            player.write(xml)?;
        }
        if let Some(duration) = self.duration {
            xml.plain_leaf("video:duration", check_seconds(duration)?);
        }
        write_date(xml, tag!("video:expiration_date"), self.expiration_date)?;
        if let Some(rating) = self.rating {
            xml.plain_leaf("video:rating", rating);
        }
        self.content_segments
            .iter()
            .try_for_each(|segment| segment.write(xml))?;
        if let Some(view_count) = self.view_count {
            xml.plain_leaf("video:view_count", view_count);
        }
        write_date(xml, tag!("video:publication_date"), self.publication_date)?;
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
        if let Some(tvshow) = &self.tvshow {
            tvshow.encode_part(Extension::Video, "tvshow", xml)?;
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
        xml.end(Extension::Video.element());
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
        url_text(xml, &self.loc)?;
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
        url_text(xml, &self.loc)?;
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
        url_text(xml, &self.loc)?;
        xml.end("video:gallery_loc");
        Ok(())
    }
}

impl Price {
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        // As the schema's documentation has it.
        let (name, is_there) = match self.amount {
            Some(_) => ("currency", self.currency.is_some()),
            None => ("type", self.kind.is_some()),
        };
        if !is_there {
            return Err(missing_attribute(name, "video:price"));
        }
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
            url_attribute(xml, " info=\"", info)?;
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
            return Err(missing_attribute("type", "video:id"));
        };
        xml.start("video:id");
        xml.attribute("type", kind.allowed("video:id")?)?;
        xml.text(check_text(value, "video:id")?)?;
        xml.end("video:id");
        Ok(())
    }
}

fn missing_attribute(name: &str, element: &'static str) -> Violation {
    Violation::with_detail(Rule::MissingAttribute, name, element)
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
    tag: FixedTag,
    date: Option<W3cDatetime>,
) -> Result<(), Violation> {
    date.map_or(Ok(()), |date| datetime_leaf(xml, tag, date))
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
        return Err(missing_attribute("relationship", name));
    };
    let mut words = words.peekable();
    if words.peek().is_none() {
        return Err(Violation::with_detail(
            Rule::MissingElement,
            name,
            "an empty list would not be read back",
        ));
    }
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

pub(super) fn check_country(country: &str) -> Result<&str, Violation> {
    if country.len() == 2 && country.bytes().all(|b| b.is_ascii_uppercase()) {
        Ok(country)
    } else {
        Err(Violation::new(Rule::InvalidCountry, country))
    }
}
