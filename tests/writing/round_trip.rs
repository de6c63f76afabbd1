//! Written entries are read back equal, under the strict policy and without an issue.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use quick_sitemap::extension::foreign::{Attribute, Element};
use quick_sitemap::extension::{
    Access, ContentSegment, Gallery, Genre, IdKind, Platform, Platforms, Player, Price, PriceType,
    Publication, Rating, Relationship, Resolution, Restriction, Uploader, VideoId,
};
use quick_sitemap::url::Url;
use quick_sitemap::{
    Alternate, ChangeFreq, Entry, Image, IndexWriter, News, Policy, Precision, Priority,
    ReaderBuilder, Rule, SitemapEntry, TextWriter, UrlEntry, UrlsetWriter, Video, Violation,
    W3cDatetime, WriterBuilder,
};

const XML: &str = "http://www.w3.org/XML/1998/namespace";

fn url() -> impl Strategy<Value = Url> {
    let path = "[a-zA-Z0-9/._~!$&'()*+,;=:@éü€-]{0,30}";
    let query = "(\\?[a-z]=[a-z&<>\"' ]{0,8})?";
    ("https?", "[a-z]{1,9}\\.(example|test)(:8080)?", path, query)
        .prop_filter_map("a URL", |(scheme, host, path, query)| {
            Url::parse(&format!("{scheme}://{host}/{path}{query}")).ok()
        })
}

/// Text as a document may hold it: any characters but those that XML forbids, visible at both ends.
fn text(most: usize) -> impl Strategy<Value = String> {
    vec(
        prop_oneof![
            4 => proptest::char::range(' ', '~'),
            1 => proptest::char::range('\u{A1}', '\u{D7FF}'),
            1 => proptest::char::range('\u{10000}', '\u{10FFFF}'),
            1 => Just('&'), 1 => Just('<'), 1 => Just('>'),
        ],
        1..most,
    )
    .prop_map(|chars| chars.into_iter().collect::<String>().trim().to_owned())
    .prop_filter("visible", |text| !text.is_empty())
}

fn date() -> impl Strategy<Value = W3cDatetime> {
    let zone = prop_oneof![Just("Z".to_owned()), "[+-](0[0-9]|1[0-3]):[0-5][0-9]"];
    let time = (
        "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?",
        zone,
    );
    let year = (1i32..10_000).prop_map(|year| format!("{year:04}"));
    (year, 0usize..4, 1u32..13, 1u32..29, time).prop_map(
        |(year, parts, month, day, (time, zone))| {
            let text = match parts {
                0 => year,
                1 => format!("{year}-{month:02}"),
                2 => format!("{year}-{month:02}-{day:02}"),
                _ => format!("{year}-{month:02}-{day:02}T{time}{zone}"),
            };
            text.parse().unwrap()
        },
    )
}

/// A date that an extension can have.
fn day() -> impl Strategy<Value = W3cDatetime> {
    date().prop_map(|date| match date.precision() {
        Precision::Year | Precision::Month => date.start().date_naive().into(),
        Precision::Minute => date.with_precision(Precision::Day),
        _ => date,
    })
}

fn alternate() -> impl Strategy<Value = Alternate> {
    let tag = prop_oneof![
        Just("x-default".to_owned()),
        "[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?"
    ];
    let others = (of(text(10)), of(text(10)), of("urn:[a-z]{1,3}"));
    (tag, url(), others).prop_map(|(tag, href, (media, title, namespace))| {
        let mut alternate = Alternate::new(tag, href);
        let media = media.map(|media| Attribute::new("media", "", media));
        let title = title.map(|title| Attribute::new("xml:title", XML, title));
        let prefixed = namespace.map(|uri| Attribute::new("x:media", uri, ""));
        alternate
            .attributes
            .extend(media.into_iter().chain(prefixed).chain(title));
        alternate
    })
}

fn image() -> impl Strategy<Value = Image> {
    (url(), of(text(20)), of(text(20)), of(text(20)), of(url())).prop_map(
        |(loc, caption, geo_location, title, license)| {
            let mut image = Image::new(loc);
            image.caption = caption;
            image.geo_location = geo_location;
            image.title = title;
            image.license = license;
            image
        },
    )
}

fn news() -> impl Strategy<Value = News> {
    let publication = (
        text(20),
        prop_oneof![Just("zh-cn".to_owned()), "[a-z]{2,3}"],
    );
    let access = of(prop_oneof![
        Just(Access::Subscription),
        Just(Access::Registration)
    ]);
    let genres = vec(
        prop_oneof![Just(Genre::Blog), Just(Genre::OpEd), Just(Genre::Satire)],
        0..3,
    );
    let keywords = vec("[a-zé][a-z é]{0,5}[a-zé]", 0..4);
    (
        publication,
        day(),
        text(30),
        access,
        genres,
        keywords,
        vec("[A-Z]{2,6}:[A-Z]{1,4}", 0..6),
    )
        .prop_map(
            |((name, language), date, title, access, genres, keywords, tickers)| {
                let mut news = News::new(Publication::new(name, language), date, title);
                news.access = access;
                news.genres = genres;
                news.keywords = keywords;
                news.stock_tickers = tickers;
                news
            },
        )
}

fn relationship() -> impl Strategy<Value = Relationship> {
    prop_oneof![Just(Relationship::Allow), Just(Relationship::Deny)]
}

fn seconds() -> impl Strategy<Value = Duration> {
    (0u64..=28_800).prop_map(Duration::from_secs)
}

fn video() -> impl Strategy<Value = Video> {
    let required = (url(), text(90), text(200), url());
    let plain = (
        of(seconds()),
        of(day()),
        of((0u32..=50).prop_map(|tenths| Rating::new(tenths as f32 / 10.0).unwrap())),
        of(any::<u64>()),
        of(day()),
        vec(text(10), 0..4),
        of(text(50)),
        of(any::<bool>()),
        of(any::<bool>()),
        of(any::<bool>()),
    );
    let player = of(
        (url(), of(any::<bool>()), of(text(10))).prop_map(|(loc, embed, autoplay)| {
            let mut player = Player::new(loc);
            player.allow_embed = embed;
            player.autoplay = autoplay;
            player
        }),
    );
    let segments = vec(
        (url(), of(seconds())).prop_map(|(loc, duration)| {
            let mut segment = ContentSegment::new(loc);
            segment.duration = duration;
            segment
        }),
        0..3,
    );
    let restriction = of((relationship(), vec("[A-Z]{2}", 1..4))
        .prop_map(|(kind, codes)| Restriction::new(kind, codes)));
    let platform = of((
        relationship(),
        vec(prop_oneof![Just(Platform::Web), Just(Platform::Tv)], 1..3),
    )
        .prop_map(|(kind, platforms)| Platforms::new(kind, platforms)));
    let gallery = of((url(), of(text(10))).prop_map(|(loc, title)| {
        let mut gallery = Gallery::new(loc);
        gallery.title = title;
        gallery
    }));
    let prices = vec(
        ("[0-9]{1,3}(\\.[0-9]{2})?", any::<bool>(), any::<bool>()).prop_map(
            |(amount, rent, hd)| {
                let mut price = Price::new(amount, "EUR");
                price.kind = rent.then_some(PriceType::Rent);
                price.resolution = hd.then_some(Resolution::Hd);
                price
            },
        ),
        0..3,
    );
    let uploader = of((text(20), of(url())).prop_map(|(name, info)| {
        let mut uploader = Uploader::new(name);
        uploader.info = info;
        uploader
    }));
    let ids = vec(
        text(10).prop_map(|id| VideoId::new(id, IdKind::TmsSeries)),
        0..2,
    );
    let parts = (
        player,
        segments,
        restriction,
        platform,
        gallery,
        prices,
        uploader,
        ids,
    );
    (required, plain, parts).prop_map(|((thumbnail, title, description, content), plain, parts)| {
        let mut video = Video::new(thumbnail, title, description, content);
        (
            video.duration,
            video.expiration_date,
            video.rating,
            video.view_count,
            video.publication_date,
            video.tags,
            video.category,
            video.family_friendly,
            video.requires_subscription,
            video.live,
        ) = plain;
        (
            video.player,
            video.content_segments,
            video.restriction,
            video.platform,
            video.gallery,
            video.prices,
            video.uploader,
            video.ids,
        ) = parts;
        video
    })
}

fn foreign() -> impl Strategy<Value = Element> {
    let leaf = (
        "[a-z][a-z0-9._-]{0,6}",
        "urn:[a-z]{1,3}",
        "[p-s]{0,2}",
        of(text(10)),
        of(text(8)),
    )
        .prop_map(|(name, namespace, prefix, content, value)| {
            let mut element = Element::new(name, namespace.clone()).with_prefix(prefix);
            if let Some(value) = value {
                element = element.with_attribute("a", value.clone());
                element
                    .attributes
                    .push(Attribute::new("n:b", namespace, value));
            }
            match content {
                Some(content) => element.with_text(content),
                None => element,
            }
        });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let children = vec((gap(), inner.clone()), 0..3);
        (inner, children, gap()).prop_map(|(outer, children, last)| {
            let mut element = Element::new(outer.name, outer.namespace).with_prefix(outer.prefix);
            element.attributes = outer.attributes;
            if children.is_empty() {
                return element;
            }
            let add = |element: Element, (gap, child)| element.with_text(gap).with_child(child);
            children.into_iter().fold(element, add).with_text(last)
        })
    })
}

/// Text between elements: white space alone is content there.
fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "", "", " ", "\n  ", "\t", "\r\n", "\u{85}", "\u{A0}", "\u{2028}", "\u{3000}", " a ",
    ])
}

fn page() -> impl Strategy<Value = UrlEntry> {
    let freq = prop::sample::select(ChangeFreq::ALL);
    let priority = (0u32..=100).prop_map(|n| Priority::new(n as f32 / 100.0).unwrap());
    let lists = (
        vec(alternate(), 0..3),
        vec(image(), 0..3),
        vec(video(), 0..2),
        of(news()),
        vec(foreign(), 0..2),
    );
    (url(), of(date()), of(freq), of(priority), lists).prop_map(
        |(loc, lastmod, changefreq, priority, (alternates, images, videos, news, foreign))| {
            let mut page = UrlEntry::new(loc);
            page.lastmod = lastmod;
            page.changefreq = changefreq;
            page.priority = priority;
            page.alternates = alternates;
            page.images = images;
            page.videos = videos;
            page.news = news.map(Box::new);
            page.foreign = foreign;
            page
        },
    )
}

/// A URL in a form that people write, correct or not.
fn spelt_url() -> impl Strategy<Value = String> {
    let host = prop_oneof![
        4 => Just("example.com"),
        1 => Just("EXAMPLE.com:8080"),
        1 => Just("u:p@example.com"),
        1 => Just("u@v@example.com"),
        1 => Just("[::1]"),
        1 => Just("b\u{FC}cher.example"),
    ];
    let rest = "[/?#]?(%[0-9a-f]{2}|[a-z/?#&;=]|[%\\[\\]\\\\^|{}`'\"<>!~@ \u{e9}]){0,8}";
    (host, rest).prop_map(|(host, rest)| format!("https://{host}{rest}"))
}

/// A urlset of one entry, with a URL in every place that can have one.
fn document_of(url: &str) -> String {
    let url = url
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>{url}</loc>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{url}\"/>\
         <image:image><image:loc>{url}</image:loc><image:license>{url}</image:license></image:image>\
         <video:video><video:thumbnail_loc>{url}</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description><video:content_loc>{url}</video:content_loc>\
         <video:player_loc>{url}</video:player_loc>\
         <video:content_segment_loc duration=\"1\">{url}</video:content_segment_loc>\
         <video:gallery_loc>{url}</video:gallery_loc>\
         <video:uploader info=\"{url}\">U</video:uploader></video:video></url></urlset>"
    )
}

/// The entries, read strictly; an issue is a failure.
fn read(bytes: &[u8]) -> Vec<Entry> {
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(bytes);
    let mut entries = Vec::new();
    while let Some(entry) = reader.next() {
        assert!(reader.issues().is_empty(), "{:?}", reader.issues());
        entries.push(entry.expect("what a writer wrote"));
    }
    assert!(reader.issues().is_empty(), "{:?}", reader.issues());
    entries
}

/// By the plain parser and without it, in one piece and byte by byte.
#[test]
fn white_space_between_elements_is_content() {
    let b = || Element::new("b", "urn:x").with_prefix("x");
    let a = || Element::new("a", "urn:x").with_prefix("x");
    for blank in [
        " ", "\n    ", "\t", "\r", "\r\n", "\u{85}", "\u{A0}", "\u{2028}", "\u{3000}",
    ] {
        for element in [
            a().with_child(b()).with_text(blank).with_child(b()),
            a().with_text(blank).with_child(b()),
            a().with_child(b()).with_text(blank),
            a().with_child(b().with_text(blank).with_child(b()))
                .with_text(blank),
            a().with_text(blank)
                .with_child(b().with_text("t"))
                .with_text("u")
                .with_child(b()),
            Element::new("foo", "http://www.google.com/schemas/sitemap-image/1.1")
                .with_prefix("image")
                .with_child(b())
                .with_text(blank)
                .with_child(b()),
        ] {
            let page = UrlEntry::try_from("https://example.com/")
                .unwrap()
                .with_foreign(element.clone());
            let mut writer = UrlsetWriter::new(Vec::new());
            writer.write(&page).unwrap();
            let text = String::from_utf8(writer.finish().unwrap()).unwrap();
            for text in [text.clone(), text.replace("<url>", "<url >")] {
                assert_eq!(read(text.as_bytes()), [Entry::Url(page.clone())], "{text}");
                let mut decoder = ReaderBuilder::new().decoder();
                let mut found = Vec::new();
                for byte in text.as_bytes() {
                    decoder.push(&[*byte]);
                    found.extend(decoder.next_entry().unwrap());
                }
                assert_eq!(found, [Entry::Url(page.clone())], "{text}");
            }
            assert_eq!(element.text(), element.text().trim());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pages(pages in vec(page(), 0..6), indent in 0usize..4) {
        let mut writer = WriterBuilder::new().indent(indent).urlset(Vec::new());
        // A rejected entry is not in the file; an accepted one must be read back.
        let taken: Vec<_> = pages.into_iter().filter(|page| writer.write(page).is_ok()).collect();
        let bytes = writer.finish().unwrap();
        let back: Vec<_> = read(&bytes).into_iter().filter_map(Entry::into_url).collect();
        prop_assert_eq!(back, taken, "{}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn most_pages_are_taken(page in page()) {
        let mut writer = WriterBuilder::new().urlset(Vec::new());
        if let Err(error) = writer.write(&page) {
            // Only what the strategies do not rule out themselves.
            let text = error.to_string();
            prop_assert!(text.contains("namespace") || text.contains("URL") || text.contains("unknown element"), "{text}");
        }
    }

    #[test]
    fn what_is_read_without_an_issue_can_be_written(text in spelt_url()) {
        let document = document_of(&text);
        let mut reader = ReaderBuilder::new().build(document.as_bytes());
        let Some(entry) = reader.next() else {
            return Ok(());
        };
        let entry = entry.unwrap().into_url().unwrap();
        let is_clean = reader.issues().is_empty();
        // A URL is judged in the same way in every place.
        let said = reader.issues().iter().filter(|issue| issue.rule() == Rule::UrlNotEscaped).count();
        prop_assert!([0, 10].contains(&said), "{text}: {:?}", reader.issues());
        let mut writer = UrlsetWriter::new(Vec::new());
        let written = writer.write(&entry);
        prop_assert!(!is_clean || written.is_ok(), "{text}: {written:?}");
        let entry = match written {
            Ok(()) => entry,
            Err(refused) => {
                let rule = refused.violation().map(Violation::rule);
                prop_assert_eq!(rule, Some(Rule::UrlNotEscaped));
                let entry = entry.escaped();
                writer.write(&entry).unwrap();
                entry
            }
        };
        let back: Vec<_> = read(&writer.finish().unwrap()).into_iter().filter_map(Entry::into_url).collect();
        prop_assert_eq!(back, [entry]);
    }

    #[test]
    fn sitemaps(parts in vec((url(), of(date())), 0..6)) {
        let mut writer = IndexWriter::new(Vec::new());
        let mut taken = Vec::new();
        for (loc, lastmod) in parts {
            let mut part = SitemapEntry::new(loc);
            part.lastmod = lastmod;
            if writer.write(&part).is_ok() {
                taken.push(part);
            }
        }
        let back: Vec<_> = read(&writer.finish().unwrap()).into_iter().filter_map(Entry::into_sitemap).collect();
        prop_assert_eq!(back, taken);
    }

    #[test]
    fn lines(locs in vec(url(), 1..6)) {
        let mut writer = TextWriter::new(Vec::new());
        let mut taken = Vec::new();
        for loc in locs {
            let page = UrlEntry::new(loc);
            if writer.write(&page).is_ok() {
                taken.push(page);
            }
        }
        prop_assume!(!taken.is_empty());
        let back: Vec<_> = read(&writer.finish().unwrap()).into_iter().filter_map(Entry::into_url).collect();
        prop_assert_eq!(back, taken);
    }
}
