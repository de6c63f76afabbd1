//! A page with every part that the schemas of the extensions know.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use quick_sitemap::extension::{
    Access, Alternate, ContentSegment, Gallery, Genre, IdKind, Image, News, Platform, Platforms,
    Player, Price, PriceType, Publication, Rating, Relationship, Resolution, Restriction, Uploader,
    Video, VideoId,
};
use quick_sitemap::{ChangeFreq, Priority, UrlEntry, W3cDatetime};
use url::Url;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn date(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

pub(crate) fn page() -> UrlEntry {
    UrlEntry::new(url("https://example.com/?a=1&b=2"))
        .with_lastmod(date("2024-03-04T05:06:07Z"))
        .with_changefreq(ChangeFreq::Never)
        .with_priority(Priority::new(0.85).unwrap())
        .with_alternate(Alternate::new("x-default", url("https://example.com/?x&y")))
        .with_alternate(Alternate::new("zh-Hant-TW", url("https://example.com/zh")))
        .with_image(image())
        .with_image(Image::new(url("https://cdn.example.org/b.jpg")))
        .with_video(video())
        .with_news(news())
}

fn image() -> Image {
    let mut image = Image::new(url("https://example.com/a.jpg"))
        .with_caption("A < B > C & D \"E\" 'F' ]]>\r!")
        .with_title("Title");
    image.geo_location = Some("Limerick, Ireland".to_owned());
    image.license = Some(url("https://example.com/license"));
    image
}

fn video() -> Video {
    let mut video = Video::new(
        url("https://example.com/t.jpg"),
        "Cats & dogs",
        "Both",
        url("https://example.com/v.mp4"),
    )
    .with_duration(Duration::from_secs(28_800))
    .with_publication_date(date("2024-03-04T05:06:07.123456789+05:30"))
    .with_tag("cats")
    .with_tag("dogs");
    let mut player = Player::new(url("https://example.com/player?v=1&w=2"));
    player.allow_embed = Some(false);
    player.autoplay = Some("ap=1&x".to_owned());
    video.player = Some(player);
    video.expiration_date = Some(date("2030-01-01"));
    video.rating = Some(Rating::new(4.5).unwrap());
    let mut segment = ContentSegment::new(url("https://example.com/2.mp4"));
    segment.duration = Some(Duration::ZERO);
    video.content_segments = vec![
        ContentSegment::new(url("https://example.com/1.mp4")),
        segment,
    ];
    video.view_count = Some(u64::MAX);
    video.category = Some("Pets".to_owned());
    video.family_friendly = Some(true);
    video.restriction = Some(Restriction::new(Relationship::Allow, ["IE", "GB"]));
    let mut gallery = Gallery::new(url("https://example.com/g"));
    gallery.title = Some("A \"gallery\"\tof\nall".to_owned());
    video.gallery = Some(gallery);
    let mut rent = Price::new("1.99", "EUR");
    rent.kind = Some(PriceType::Rent);
    rent.resolution = Some(Resolution::Hd);
    let mut purchase = Price::new("12", "GBP");
    purchase.kind = Some(PriceType::Purchase);
    video.prices = vec![rent, purchase];
    video.requires_subscription = Some(false);
    let mut uploader = Uploader::new("Jane");
    uploader.info = Some(url("https://example.com/jane?a&b"));
    video.uploader = Some(uploader);
    let platforms = [Platform::Web, Platform::Mobile, Platform::Tv];
    video.platform = Some(Platforms::new(Relationship::Deny, platforms));
    video.live = Some(false);
    video.ids = vec![
        VideoId::new("a", IdKind::TmsSeries),
        VideoId::new("https://example.com/id", IdKind::Url),
    ];
    video
}

fn news() -> News {
    let mut news = News::new(
        Publication::new("The <Times>", "zh-tw"),
        date("2024-03-04"),
        "Cats",
    )
    .with_keyword("cats")
    .with_keyword("dogs and cats")
    .with_stock_ticker("NASDAQ:AMAT")
    .with_stock_ticker("BOM:500325");
    news.access = Some(Access::Registration);
    news.genres = vec![Genre::PressRelease, Genre::UserGenerated];
    news
}
