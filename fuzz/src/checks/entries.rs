//! Entries, by choice, and what must come of them: written and read back, they are equal.

use std::sync::OnceLock;
use std::time::Duration;

use quick_sitemap::chrono::NaiveDate;
use quick_sitemap::extension::foreign::{Attribute, Element, Node};
use quick_sitemap::extension::{
    Access, Alternate, ContentSegment, Gallery, Genre, IdKind, Image, News, Platform, Platforms,
    Player, Price, PriceType, Publication, Rating, Relationship, Resolution, Restriction, Uploader,
    Video, VideoId,
};
use quick_sitemap::url::Url;
use quick_sitemap::{
    ChangeFreq, Entry, IndexWriter, Priority, Reader, Result, SitemapEntry, TextWriter, UrlEntry,
    UrlsetWriter, W3cDatetime, WriterBuilder,
};

use super::choices::Choices;
use crate::common::{Outcome, Shown, read, strict};

const NAMESPACES: &[(&str, &str)] = &[
    ("x", "urn:x"),
    ("", "urn:x"),
    ("y", "urn:x"),
    ("x", "urn:y"),
    ("", ""),
    ("z", ""),
    ("", "http://www.sitemaps.org/schemas/sitemap/0.9"),
    ("s", "http://www.sitemaps.org/schemas/sitemap/0.9"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("image", "urn:image"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("xml", "http://www.w3.org/XML/1998/namespace"),
    ("xmlns", "http://www.w3.org/2000/xmlns/"),
    ("news", "https://www.google.com/schemas/sitemap-news/0.9/"),
];

/// Writes a page made from the choices, and reads it back.
pub fn round_trip(choices: &mut Choices<'_>) {
    let mut builder = WriterBuilder::new().indent(choices.below(4));
    if choices.one_in(4) {
        builder = builder.stylesheet(choices.text());
    }
    match choices.below(8) {
        0 => index(choices, &builder),
        1 => text(choices, &builder),
        _ => urlset(choices, &builder),
    }
}

fn urlset(choices: &mut Choices<'_>, builder: &WriterBuilder) {
    let mut writer: UrlsetWriter<Vec<u8>> = builder.urlset(Vec::new());
    let mut written = Vec::new();
    while !choices.is_over() && written.len() < 20 {
        if let Some(mut page) = page(choices)
            && writer.write(&page).is_ok()
        {
            page.foreign.iter_mut().for_each(free_prefix);
            written.push(Entry::Url(page));
        }
    }
    check(writer.finish(), &written);
}

fn index(choices: &mut Choices<'_>, builder: &WriterBuilder) {
    let mut writer: IndexWriter<Vec<u8>> = builder.index(Vec::new());
    let mut written = Vec::new();
    while !choices.is_over() && written.len() < 20 {
        let Some(loc) = url(choices) else { continue };
        let mut entry = SitemapEntry::new(loc);
        entry.lastmod = date(choices);
        entry.foreign = list(choices, |choices| Some(element(choices, 3)));
        if writer.write(&entry).is_ok() {
            entry.foreign.iter_mut().for_each(free_prefix);
            written.push(Entry::Sitemap(entry));
        }
    }
    check(writer.finish(), &written);
}

fn text(choices: &mut Choices<'_>, builder: &WriterBuilder) {
    let mut writer: TextWriter<Vec<u8>> = builder.text(Vec::new());
    let mut written = Vec::new();
    while !choices.is_over() {
        let Some(loc) = url(choices) else { continue };
        let entry = UrlEntry::new(loc);
        if writer.write(&entry).is_ok() {
            written.push(Entry::Url(entry));
        }
    }
    if !written.is_empty() {
        check(writer.finish(), &written);
    }
}

/// A writer leaves out the prefix of an extension if it stands for another namespace.
fn free_prefix(element: &mut Element) {
    if element.prefix == "image" && element.namespace == "urn:image" {
        element.prefix.clear();
    }
    for child in &mut element.children {
        if let Node::Element(child) = child {
            free_prefix(child);
        }
    }
}

fn check(file: Result<Vec<u8>>, written: &[Entry]) {
    // A style sheet that XML cannot hold.
    let Ok(file) = file else { return };
    let outcome: Outcome = read(&strict(), &file[..]);
    let file = Shown(&file);
    assert!(
        outcome.issues().is_empty(),
        "{:?}\nin {file}",
        outcome.issues()
    );
    assert!(
        outcome.errors().is_empty(),
        "{:?}\nin {file}",
        outcome.errors()
    );
    let entries = outcome.entries();
    assert_eq!(entries.len(), written.len(), "in {file}");
    for (read, written) in entries.into_iter().zip(written) {
        assert_eq!(read, written, "in {file}");
    }
}

fn list<T>(
    choices: &mut Choices<'_>,
    mut one: impl FnMut(&mut Choices<'_>) -> Option<T>,
) -> Vec<T> {
    let n = choices.below(8).saturating_sub(4);
    (0..n).filter_map(|_| one(choices)).collect()
}

fn maybe<T>(
    choices: &mut Choices<'_>,
    one: impl FnOnce(&mut Choices<'_>) -> Option<T>,
) -> Option<T> {
    if choices.one_in(2) {
        one(choices)
    } else {
        None
    }
}

fn url(choices: &mut Choices<'_>) -> Option<Url> {
    let scheme = choices.pick(&["https", "http", "https", "https", "ftp", "javascript"]);
    let host = choices.pick(&[
        "example.com",
        "a",
        "m\u{fc}ller.example:8080",
        "u:p@example.com",
        "[::1]",
        "1.2.3.4",
    ]);
    let mut text = format!("{scheme}://{host}/");
    text += &choices.text();
    if choices.one_in(40) {
        text += &"a".repeat(2_000 + choices.below(64));
    }
    Url::parse(&text).ok()
}

fn words(choices: &mut Choices<'_>) -> String {
    match choices.below(8) {
        0 => "a < b & c > d \"e\" 'f' ]]> <!-- g -->".to_owned(),
        1 => "a\nb\r\nc\td\re".to_owned(),
        2 => " a ".to_owned(),
        3 => "\u{85}\u{a0}x\u{2028}".to_owned(),
        4 => "x".repeat(usize::from(choices.byte()) * 10),
        _ => choices.text(),
    }
}

fn date(choices: &mut Choices<'_>) -> Option<W3cDatetime> {
    let [year, day] = [choices.array(), choices.array()].map(u16::from_le_bytes);
    let year = i32::from(year) % 10_050;
    match choices.below(4) {
        0 => None,
        1 => NaiveDate::from_yo_opt(year, u32::from(day) % 367).map(W3cDatetime::from),
        2 => format!("{year:04}-{:02}", day % 13).parse().ok(),
        _ => {
            let [hour, minute, second, sign] = choices.array();
            let sign = if sign % 2 == 0 { '+' } else { '-' };
            let fraction = choices.pick(&["", ".0", ".123456789", ".10"]);
            let (day, hour, minute, second) = (1 + day % 28, hour % 24, minute % 60, second % 60);
            format!("{year:04}-01-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{sign}{hour:02}:{second:02}").parse().ok()
        }
    }
}

fn page(choices: &mut Choices<'_>) -> Option<UrlEntry> {
    let mut page = UrlEntry::new(url(choices)?);
    page.lastmod = maybe(choices, date);
    page.changefreq = maybe(choices, |choices| {
        Some(choices.pick(&[
            ChangeFreq::Always,
            ChangeFreq::Hourly,
            ChangeFreq::Monthly,
            ChangeFreq::Never,
        ]))
    });
    page.priority = maybe(choices, |choices| match choices.below(2) {
        0 => Priority::new(f32::from_bits(u32::from_le_bytes(choices.array()))).ok(),
        _ => Priority::new(f32::from(choices.byte()) / 255.0).ok(),
    });
    page.alternates = list(choices, |choices| {
        let language = choices.pick(&["de", "x-default", "zh-Hant-TW", "", "d e", "EN"]);
        let language = if choices.one_in(4) {
            choices.text()
        } else {
            language.to_owned()
        };
        let mut alternate = Alternate::new(language, url(choices)?);
        alternate.attributes = list(choices, |choices| Some(attribute(choices)));
        Some(alternate)
    });
    page.images = list(choices, image);
    page.videos = list(choices, video);
    page.news = maybe(choices, news).map(Box::new);
    page.foreign = list(choices, |choices| Some(element(choices, 3)));
    Some(page)
}

/// A page that has every part, so that an element is also there before it is chosen here.
fn every_part() -> &'static UrlEntry {
    static PAGE: OnceLock<UrlEntry> = OnceLock::new();
    PAGE.get_or_init(|| {
        let text = include_bytes!("../../../tests/data/every-part.xml");
        let entry = Reader::from_bytes(text).next().unwrap().unwrap();
        entry.into_url().unwrap()
    })
}

fn image(choices: &mut Choices<'_>) -> Option<Image> {
    let mut image = every_part().images.first()?.clone();
    image.loc = url(choices)?;
    image.caption = maybe(choices, |choices| Some(words(choices)));
    image.title = maybe(choices, |choices| Some(words(choices)));
    image.geo_location = maybe(choices, |choices| Some(words(choices)));
    image.license = maybe(choices, url);
    Some(image)
}

fn video(choices: &mut Choices<'_>) -> Option<Video> {
    let (title, description) = (words(choices), words(choices));
    let mut video = every_part().videos.first()?.clone();
    (video.title, video.description) = (Some(title), Some(description));
    (video.thumbnail_loc, video.content_loc) = (Some(url(choices)?), Some(url(choices)?));
    if choices.one_in(4) {
        video.content_loc = None;
    }
    video.player = maybe(choices, |choices| {
        let mut player = Player::new(url(choices)?);
        player.allow_embed = maybe(choices, |choices| Some(choices.one_in(2)));
        player.autoplay = maybe(choices, |choices| Some(words(choices)));
        Some(player)
    });
    video.duration = maybe(choices, |choices| {
        Some(Duration::new(
            u64::from(u16::from_le_bytes(choices.array())),
            u32::from(choices.one_in(9)),
        ))
    });
    video.expiration_date = maybe(choices, date);
    video.rating = maybe(choices, |choices| {
        Rating::new(f32::from_bits(u32::from_le_bytes(choices.array()))).ok()
    });
    video.content_segments = list(choices, |choices| {
        let mut segment = ContentSegment::new(url(choices)?);
        segment.duration = maybe(choices, |choices| {
            Some(Duration::from_secs(u64::from(choices.byte()) * 200))
        });
        Some(segment)
    });
    video.view_count = maybe(choices, |choices| Some(u64::from_le_bytes(choices.array())));
    video.publication_date = maybe(choices, date);
    video.tags = list(choices, |choices| Some(words(choices)));
    video.category = maybe(choices, |choices| Some(words(choices)));
    video.family_friendly = maybe(choices, |choices| Some(choices.one_in(2)));
    video.restriction = maybe(choices, |choices| {
        let countries = list(choices, |choices| {
            Some(choices.pick(&["DE", "AT", "us", "", "D E", "DEU"]))
        });
        let mut restriction = Restriction::new(Relationship::Allow, countries);
        if choices.one_in(4) {
            restriction.countries.push(choices.text());
        }
        Some(restriction)
    });
    video.gallery = maybe(choices, |choices| {
        let mut gallery = Gallery::new(url(choices)?);
        gallery.title = maybe(choices, |choices| Some(words(choices)));
        Some(gallery)
    });
    video.prices = list(choices, |choices| {
        let amount = choices.pick(&["1.99", "0", "-1", "1e3", " 2", ""]);
        let mut price = Price::new(amount, "EUR");
        price.kind = maybe(choices, |choices| {
            Some(choices.pick(&[PriceType::Rent, PriceType::Purchase]))
        });
        price.resolution = maybe(choices, |choices| {
            Some(choices.pick(&[Resolution::Sd, Resolution::Hd]))
        });
        Some(price)
    });
    video.requires_subscription = maybe(choices, |choices| Some(choices.one_in(2)));
    video.uploader = maybe(choices, |choices| {
        let mut uploader = Uploader::new(words(choices));
        uploader.info = maybe(choices, url);
        Some(uploader)
    });
    video.platform = maybe(choices, |choices| {
        let platforms = list(choices, |choices| {
            let word = choices.pick(&["web", "mobile", "tv", "x"]);
            Some(Platform::from(word))
        });
        Some(Platforms::new(Relationship::Deny, platforms))
    });
    video.live = maybe(choices, |choices| Some(choices.one_in(2)));
    video.ids = list(choices, |choices| {
        let kind = choices.pick(&["tms:series", "url", "freebase", "x"]);
        Some(VideoId::new(words(choices), IdKind::from(kind)))
    });
    Some(video)
}

fn news(choices: &mut Choices<'_>) -> Option<News> {
    let language = choices.pick(&["en", "zh-cn", "deu", "en-US", "", "x y"]);
    let publication = Publication::new(words(choices), language);
    let mut news = every_part().news.as_deref()?.clone();
    (news.publication, news.publication_date) = (Some(publication), Some(date(choices)?));
    news.title = Some(words(choices));
    news.access = maybe(choices, |choices| {
        Some(Access::from(choices.pick(&[
            "Subscription",
            "Registration",
            "x",
        ])))
    });
    news.genres = list(choices, |choices| {
        Some(Genre::from(choices.pick(&[
            "Blog",
            "PressRelease",
            "Satire",
            "OpEd",
            "Opinion",
            "UserGenerated",
            "y",
        ])))
    });
    news.keywords = list(choices, |choices| Some(words(choices)));
    news.stock_tickers = list(choices, |choices| {
        Some(
            choices
                .pick(&["NASDAQ:A", "b", "", "NYSE:C, D", "LON:VOD"])
                .to_owned(),
        )
    });
    Some(news)
}

fn name(choices: &mut Choices<'_>) -> String {
    match choices.below(12) {
        0 => choices.text(),
        1 => "url".to_owned(),
        2 => "image".to_owned(),
        3 => "link".to_owned(),
        4 => "loc".to_owned(),
        5 => "urlset".to_owned(),
        6 => "sitemap".to_owned(),
        7 => "\u{fc}ber".to_owned(),
        _ => choices.pick(&["a", "b", "note", "news"]).to_owned(),
    }
}

fn attribute(choices: &mut Choices<'_>) -> Attribute {
    let (prefix, namespace) = choices.pick(NAMESPACES);
    let name = name(choices);
    match prefix {
        "" => Attribute::new(name, "", words(choices)),
        _ => Attribute::new(format!("{prefix}:{name}"), namespace, words(choices)),
    }
}

fn element(choices: &mut Choices<'_>, depth: usize) -> Element {
    let (prefix, namespace) = choices.pick(NAMESPACES);
    let mut element = Element::new(name(choices), namespace).with_prefix(prefix);
    element.attributes = list(choices, |choices| Some(attribute(choices)));
    for _ in 0..choices.below(6).saturating_sub(2) {
        if depth > 0 && choices.one_in(2) {
            element
                .children
                .push(Node::Element(self::element(choices, depth - 1)));
        } else if choices.one_in(3) {
            let blank = [
                " ", "\n  ", "\t", "\r\n", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}",
            ];
            element = element.with_text(choices.pick(&blank));
        } else {
            // Joins neighbouring texts, as the reader does.
            element = element.with_text(words(choices));
        }
    }
    // An element that contains only text is read back without the white space at its ends.
    if let [Node::Text(text)] = element.children.as_mut_slice() {
        *text = text.trim().to_owned();
        if text.is_empty() {
            element.children.clear();
        }
    }
    element
}
