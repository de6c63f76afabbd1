//! The structs in the lists of extensions.

use quick_sitemap::extension::{
    ContentSegment, Genre, Platform, Platforms, Price, Restriction, VideoId,
};
use quick_sitemap::url::Url;
use quick_sitemap::{Alternate, Image, News, Video, W3cDatetime};

use crate::cells::{Cell, Flag, Integer, Item, List, Number, Text, Timestamp, record};

record! {
    AlternateRecord of Alternate {
        hreflang "hreflang": Text = |alternate| Some(alternate.hreflang.as_str()),
        href "href": Text = |alternate| Some(alternate.href.as_str()),
    }
}

record! {
    ImageRecord of Image {
        loc "loc": Text = |image| Some(image.loc.as_str()),
        caption "caption": Text = |image| image.caption.as_deref(),
        geo_location "geo_location": Text = |image| image.geo_location.as_deref(),
        title "title": Text = |image| image.title.as_deref(),
        license "license": Text = |image| text(image.license.as_ref()),
    }
}

record! {
    /// Elements that occur once are fields of the struct, because lists are hard to query.
    VideoRecord of Video {
        thumbnail_loc "thumbnail_loc": Text = |video| text(video.thumbnail_loc.as_ref()),
        title "title": Text = |video| video.title.as_deref(),
        description "description": Text = |video| video.description.as_deref(),
        content_loc "content_loc": Text = |video| text(video.content_loc.as_ref()),
        player_loc "player_loc": Text = |video| video.player.as_ref().map(|player| player.loc.as_str()),
        player_allow_embed "player_allow_embed": Flag = |video| video.player.as_ref()?.allow_embed,
        player_autoplay "player_autoplay": Text = |video| video.player.as_ref()?.autoplay.as_deref(),
        duration "duration": Integer = |video| video.duration.and_then(|duration| i64::try_from(duration.as_secs()).ok()),
        expiration_date "expiration_date": Timestamp = |video| video.expiration_date.map(W3cDatetime::timestamp_micros),
        rating "rating": Number = |video| video.rating.map(f64::from),
        content_segments "content_segments": List<SegmentRecord, ContentSegment> = |video| Some(&video.content_segments),
        view_count "view_count": Integer = |video| video.view_count.and_then(|count| i64::try_from(count).ok()),
        publication_date "publication_date": Timestamp = |video| video.publication_date.map(W3cDatetime::timestamp_micros),
        tags "tags": List<Text, String> = |video| Some(&video.tags),
        category "category": Text = |video| video.category.as_deref(),
        family_friendly "family_friendly": Flag = |video| video.family_friendly,
        restriction "restriction_relationship": Text = |video| restriction(video).and_then(|found| found.relationship).map(|word| word.as_str()),
        countries "restriction_countries": List<Text, String> = |video| restriction(video).map(|found| found.countries.as_slice()),
        gallery_loc "gallery_loc": Text = |video| video.gallery.as_ref().map(|gallery| gallery.loc.as_str()),
        gallery_title "gallery_title": Text = |video| video.gallery.as_ref()?.title.as_deref(),
        prices "prices": List<PriceRecord, Price> = |video| Some(&video.prices),
        requires_subscription "requires_subscription": Flag = |video| video.requires_subscription,
        uploader_name "uploader_name": Text = |video| video.uploader.as_ref()?.name.as_deref(),
        uploader_info "uploader_info": Text = |video| text(video.uploader.as_ref()?.info.as_ref()),
        platform "platform_relationship": Text = |video| platforms(video).and_then(|found| found.relationship).map(|word| word.as_str()),
        platforms "platforms": List<Text, Platform> = |video| platforms(video).map(|found| found.platforms.as_slice()),
        live "live": Flag = |video| video.live,
        ids "ids": List<IdRecord, VideoId> = |video| Some(&video.ids),
    }
}

record! {
    SegmentRecord of ContentSegment {
        loc "loc": Text = |segment| Some(segment.loc.as_str()),
        duration "duration": Integer = |segment| segment.duration.and_then(|duration| i64::try_from(duration.as_secs()).ok()),
    }
}

record! {
    PriceRecord of Price {
        amount "amount": Text = |price| price.amount.as_deref(),
        currency "currency": Text = |price| price.currency.as_deref(),
        kind "type": Text = |price| price.kind.map(|kind| kind.as_str()),
        resolution "resolution": Text = |price| price.resolution.map(|resolution| resolution.as_str()),
    }
}

record! {
    IdRecord of VideoId {
        value "value": Text = |id| id.value.as_deref(),
        kind "type": Text = |id| id.kind.as_ref().map(|kind| kind.as_str()),
    }
}

record! {
    NewsRecord of News {
        name "publication_name": Text = |news| news.publication.as_ref()?.name.as_deref(),
        language "publication_language": Text = |news| news.publication.as_ref()?.language.as_deref(),
        publication_date "publication_date": Timestamp = |news| news.publication_date.map(W3cDatetime::timestamp_micros),
        title "title": Text = |news| news.title.as_deref(),
        access "access": Text = |news| news.access.as_ref().map(|access| access.as_str()),
        genres "genres": List<Text, Genre> = |news| Some(&news.genres),
        keywords "keywords": List<Text, String> = |news| Some(&news.keywords),
        stock_tickers "stock_tickers": List<Text, String> = |news| Some(&news.stock_tickers),
    }
}

impl Item<Text> for Genre {
    fn append_to(&self, cell: &mut Text) -> usize {
        cell.append(Some(self.as_str()))
    }
}

impl Item<Text> for Platform {
    fn append_to(&self, cell: &mut Text) -> usize {
        cell.append(Some(self.as_str()))
    }
}

fn text(url: Option<&Url>) -> Option<&str> {
    url.map(Url::as_str)
}

fn restriction(video: &Video) -> Option<&Restriction> {
    video.restriction.as_ref()
}

fn platforms(video: &Video) -> Option<&Platforms> {
    video.platform.as_ref()
}
