//! The feature `serde`: the shape of the JSON, the round trip, and rejected input.

use std::fmt::Debug;
use std::str::FromStr;
use std::time::Duration;

use crate::every_part;
use chrono::NaiveDate;
use proptest::prelude::*;
use quick_sitemap::extension::Part;
use quick_sitemap::extension::foreign::{Attribute, Element, Node};
use quick_sitemap::extension::{
    Access, Genre, IdKind, Platform, PriceType, Publication, Rating, Relationship, Resolution,
    VideoId,
};
use quick_sitemap::url::Url;
use quick_sitemap::{
    ChangeFreq, Effect, Entry, EntryKind, Format, Image, Issue, Limits, News, Policy, Position,
    Precision, Priority, Reader, ReaderBuilder, Rule, SitemapEntry, UrlEntry, UrlsetWriter, Video,
    Violation, W3cDatetime, WriterBuilder,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Through text and through `Value`, both ways.
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).expect(&text);
    assert_eq!(&read, value, "{text}");
    let tree = serde_json::to_value(value).unwrap();
    assert_eq!(&T::deserialize(&tree).unwrap(), value, "{tree}");
    tree
}

/// Checks that the value is this JSON, and is read back equal.
fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: Value) {
    assert_eq!(same(value), json);
}

/// Checks that the JSON is read, and written as it was.
fn reads<T: Serialize + DeserializeOwned + PartialEq + Debug>(json: Value) {
    is(&serde_json::from_value::<T>(json.clone()).unwrap(), json);
}

/// Checks that it is rejected, with this beginning of the message (the end is the position).
fn refused<T: DeserializeOwned + Debug>(json: &str, message: &str) {
    let error = serde_json::from_str::<T>(json).expect_err(json).to_string();
    assert!(error.starts_with(message), "{json}: {error}");
}

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn date(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

fn video() -> Video {
    Video::new(
        url("https://example.com/v.jpg"),
        "A cat",
        "It falls.",
        url("https://example.com/v.mp4"),
    )
}

fn element() -> Element {
    let mut data = Element::new("DataObject", "urn:p")
        .with_prefix("p")
        .with_attribute("type", "a<b")
        .with_text(" 4 < 5\n")
        .with_child(Element::new("Empty", ""))
        .with_text("🐈");
    data.attributes
        .push(Attribute::new("x:y", "urn:x", "\u{1F408}"));
    data
}

#[test]
fn entries() {
    let bare = UrlEntry::try_from("https://example.com/").unwrap();
    is(&bare, json!({"loc": "https://example.com/"}));
    is(
        &Entry::from(bare),
        json!({"type": "url", "loc": "https://example.com/"}),
    );
    let part = SitemapEntry::try_from("https://example.com/1.xml")
        .unwrap()
        .with_lastmod(date("2024-03"));
    let expected =
        json!({"type": "sitemap", "loc": "https://example.com/1.xml", "lastmod": "2024-03"});
    is(&Entry::from(part.clone()), expected);
    same(&part.with_foreign(element()));

    let page = every_part::page().with_foreign(element());
    let tree = same(&page);
    assert_eq!(tree["lastmod"], "2024-03-04T05:06:07Z");
    assert_eq!(tree["changefreq"], "never");
    assert_eq!(tree["priority"].to_string(), "0.85");
    assert_eq!(
        tree["alternates"][0],
        json!({"hreflang": "x-default", "href": "https://example.com/?x&y"})
    );
    let text = serde_json::to_string(&Entry::from(page.clone())).unwrap();
    assert_eq!(same(&Entry::from(page.clone()))["type"], "url");
    // The content of the entry if its kind is known; unknown fields are ignored.
    assert_eq!(serde_json::from_str::<UrlEntry>(&text).unwrap(), page);
}

#[test]
fn extensions() {
    is(
        &Image::new(url("https://example.com/a.jpg")),
        json!({"loc": "https://example.com/a.jpg"}),
    );
    reads::<News>(json!({
        "publication": {"name": "The Times", "language": "en"},
        "access": "Subscription",
        "genres": ["OpEd", "Rant"],
        "publication_date": "2024-03-04",
        "title": "Cats, again",
        "keywords": ["cats"],
        "stock_tickers": ["NASDAQ:AMAT"],
    }));
    is(
        &video(),
        json!({
            "thumbnail_loc": "https://example.com/v.jpg",
            "title": "A cat",
            "description": "It falls.",
            "content_loc": "https://example.com/v.mp4",
        }),
    );
    reads::<Video>(json!({
        "thumbnail_loc": "https://example.com/v.jpg",
        "title": "A cat",
        "description": "It falls.",
        "content_loc": "https://example.com/v.mp4",
        "player": {"loc": "https://example.com/player", "allow_embed": true, "autoplay": "ap=1"},
        "duration": 90,
        "expiration_date": "2025",
        "rating": 4.2,
        "content_segments": [{"loc": "https://example.com/1", "duration": 7}],
        "view_count": u64::MAX,
        "publication_date": "2024-03-04T05:06+01:00",
        "tags": ["cat"],
        "category": "Animals",
        "family_friendly": false,
        "restriction": {"relationship": "deny", "countries": ["US", "CA"]},
        "gallery": {"loc": "https://example.com/g", "title": "Cats"},
        "prices": [{"amount": "1.90", "currency": "EUR", "kind": "rent", "resolution": "HD"}],
        "requires_subscription": true,
        "uploader": {"name": "Me", "info": "https://example.com/me"},
        "platform": {"relationship": "allow", "platforms": ["web", "fridge"]},
        "live": false,
        "ids": [{"value": "1", "kind": "tms:series"}],
    }));
    // All parts of an element may be missing where it was read so.
    assert_eq!(serde_json::from_str::<Video>("{}").unwrap().title, None);
    same(&serde_json::from_str::<News>("{}").unwrap());
    same(&serde_json::from_str::<Publication>("{}").unwrap());
}

/// The visitor names each part, so this does not list any.
#[test]
fn every_part_of_a_page_is_in_its_json() {
    let page = every_part::page();
    let tree = same(&page);
    let mut count = 0;
    page.visit(&mut |names, part| {
        let value = match part {
            Part::Absent | Part::List(0) | Part::Text("") => return,
            Part::Text(text) => json!(text),
            Part::Url(url) => json!(url),
            Part::Date(date) => json!(date),
            Part::Integer(number) => json!(number),
            Part::Flag(flag) => json!(flag),
            _ => Value::Null,
        };
        let found = names.iter().fold(vec![&tree], |values, name| {
            let items = values.into_iter().filter_map(|value| value.get(name));
            let items = items.flat_map(|value| {
                value
                    .as_array()
                    .map_or(vec![value], |items| items.iter().collect())
            });
            items.collect()
        });
        let is_there = found
            .iter()
            .any(|found| value.is_null() || **found == value);
        assert!(is_there, "{} is not {value} in the JSON", names.join("."));
        count += 1;
    });
    assert!(count > 60, "{count}");
}

#[test]
fn foreign_elements() {
    is(
        &element(),
        json!({
            "name": "DataObject",
            "namespace": "urn:p",
            "prefix": "p",
            "attributes": [
                {"name": "type", "value": "a<b"},
                {"name": "x:y", "namespace": "urn:x", "value": "🐈"},
            ],
            "children": [" 4 < 5\n", {"name": "Empty"}, "🐈"],
        }),
    );
    is(&Node::Text(String::new()), json!(""));
    is(&Node::Element(Element::new("a", "")), json!({"name": "a"}));
    // As deep as serde_json itself goes: 128 levels, two of which are one element's.
    let nest = |levels| {
        (1..levels).fold(Element::new("e", "urn:e"), |inner, _| {
            Element::new("e", "urn:e").with_child(inner)
        })
    };
    let page = |levels| {
        let page = UrlEntry::try_from("https://example.com/").unwrap();
        Entry::from(page.with_foreign(nest(levels)))
    };
    same(&page(63));
    let text = serde_json::to_string(&page(64)).unwrap();
    refused::<Entry>(&text, "recursion limit exceeded");
}

#[test]
fn words() {
    for word in ChangeFreq::ALL {
        is(word, json!(word.as_str()));
    }
    for rule in Rule::ALL {
        is(rule, json!(rule.name()));
    }
    for format in [
        Format::Urlset,
        Format::Index,
        Format::Text,
        Format::Rss,
        Format::Atom,
    ] {
        is(&format, json!(format.name()));
    }
    for (effect, word) in [
        (Effect::Noted, "noted"),
        (Effect::ValueDropped, "value-dropped"),
        (Effect::EntrySkipped, "entry-skipped"),
    ] {
        is(&effect, json!(word));
    }
    is(&EntryKind::Url, json!("url"));
    is(&EntryKind::Sitemap, json!("sitemap"));
    for word in [Relationship::Allow, Relationship::Deny] {
        is(&word, json!(word.as_str()));
    }
    for word in [PriceType::Rent, PriceType::Purchase] {
        is(&word, json!(word.as_str()));
    }
    for word in [Resolution::Sd, Resolution::Hd] {
        is(&word, json!(word.as_str()));
    }
    for word in [Access::Registration, Access::Other("Club".into())] {
        is(&word, json!(word.as_str()));
    }
    for word in ["PressRelease", "Satire", "Blog", "UserGenerated", "Essay"] {
        is(&Genre::from(word), json!(word));
    }
    for word in ["web", "mobile", "tv", "fridge"] {
        is(&Platform::from(word), json!(word));
    }
    for word in ["tms:program", "rovi:series", "freebase", "url", "isbn"] {
        is(&IdKind::from(word), json!(word));
    }
}

#[test]
fn dates() {
    for text in [
        "2024",
        "2024-03",
        "2024-03-04",
        "2024-03-04T05:06Z",
        "2024-03-04T05:06:07+00:00",
        "2024-03-04T05:06:07.089000000-00:00",
        "2024-03-04T05:06:07.1+14:00",
    ] {
        is(&date(text), json!(text));
    }
    // Values that the notation cannot express are not written, because they could not be read back.
    for year in [0, -1, 10_000] {
        let date = W3cDatetime::from(NaiveDate::from_ymd_opt(year, 1, 1).unwrap());
        let error = serde_json::to_string(&date).unwrap_err().to_string();
        // Only the year 0 has four digits.
        let expected = if year == 0 {
            format!("`{date}` has the form of a date, but there is no such day")
        } else {
            format!("`{date}` is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z")
        };
        assert_eq!(error, expected);
    }
    for (precision, expected) in [
        (Precision::Year, json!("year")),
        (Precision::Month, json!("month")),
        (Precision::Day, json!("day")),
        (Precision::Minute, json!("minute")),
        (Precision::Second, json!("second")),
        (Precision::Fraction(3), json!({"fraction": 3})),
    ] {
        is(&precision, expected);
    }
}

#[test]
fn numbers() {
    for (value, text) in [
        (0.0, "0.0"),
        (1.0, "1.0"),
        (0.85, "0.85"),
        (0.1 + 0.2, "0.3"),
    ] {
        let priority = Priority::new(value).unwrap();
        assert_eq!(serde_json::to_string(&priority).unwrap(), text);
        assert_eq!(same(&priority).to_string(), text);
        let rating = Rating::new(value).unwrap();
        assert_eq!(same(&rating).to_string(), text);
    }
    for (text, value) in [("1", 1.0), ("0", 0.0), ("-0.0", 0.0), ("5e-1", 0.5)] {
        let priority: Priority = serde_json::from_str(text).unwrap();
        assert_eq!(priority, Priority::new(value).unwrap());
    }
    assert_eq!(serde_json::from_str::<Rating>("5").unwrap().get(), 5.0);

    let half = video().with_duration(Duration::from_millis(1_500));
    let error = serde_json::to_string(&half).unwrap_err().to_string();
    assert_eq!(error, "duration `1.5s` is not in whole seconds");
}

#[test]
fn issues() {
    let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
<url><loc>https://example.com/</loc>
   <priority>1.5</priority></url><url/></urlset>";
    let mut reader = Reader::new(text.as_bytes());
    let mut issues = Vec::new();
    while let Some(entry) = reader.next() {
        entry.unwrap();
        issues.extend_from_slice(reader.issues());
    }
    issues.extend_from_slice(reader.issues());
    is(
        &issues,
        json!([
            {
                "violation": {"rule": "invalid-priority", "found": "1.5"},
                "position": {"byte": 111, "line": 3, "column": 14, "entry": 1},
                "effect": "value-dropped",
                "len": 3,
            },
            {
                "violation": {"rule": "missing-loc", "found": "url"},
                "position": {"byte": 131, "line": 3, "column": 34, "entry": 2},
                "effect": "entry-skipped",
                "len": 4,
            },
        ]),
    );
    same::<Issue>(&issues[0]);
    same::<Position>(&issues[0].position);

    // With what to do about it.
    let mut reader = Reader::from_bytes("https://bücher.example/\n");
    reader.next().unwrap().unwrap();
    let violation = &reader.issues()[0].violation;
    let expected = json!({
        "rule": "url-not-escaped",
        "found": "https://bücher.example/",
        "detail": "xn--bcher-kva.example",
        "advice": "Punycode",
    });
    is(violation, expected.clone());
    let read = serde_json::from_value::<Violation>(expected).unwrap();
    assert_eq!(read.to_string(), violation.to_string());
    refused::<Violation>(
        r#"{"rule": "url-not-escaped", "found": "a", "detail": "b", "advice": "c"}"#,
        "an unknown `advice`",
    );

    // With the text of its message.
    let mut image = Image::new(url("https://example.com/a.jpg"));
    image.caption = Some(" A cat".into());
    let page = UrlEntry::try_from("https://example.com/")
        .unwrap()
        .with_image(image);
    let error = UrlsetWriter::new(Vec::new()).write(&page).unwrap_err();
    let quick_sitemap::ErrorKind::Violation(violation) = error.kind() else {
        panic!("{error}");
    };
    let expected = json!({
        "rule": "invalid-character",
        "found": " A cat",
        "case": "white space at the ends of a text is not kept",
    });
    is(violation, expected);
    let read: Violation = serde_json::from_value(same(violation)).unwrap();
    assert_eq!(read.to_string(), violation.to_string());

    let outside = json!({
        "rule": "outside-location",
        "found": "https://example.com/a",
        "case": "another host",
        "location": "https://www.example.com/",
    });
    let base = url("https://www.example.com/");
    let mut writer = WriterBuilder::new().location(base).urlset(Vec::new());
    let page = UrlEntry::try_from("https://example.com/a").unwrap();
    let error = writer.write(&page).unwrap_err();
    is(error.violation().unwrap(), outside);

    // Control characters stay escaped.
    let text =
        json!({"rule": "outside-location", "found": "a", "case": "another port", "location": "\n"});
    let violation: Violation = serde_json::from_value(text).unwrap();
    assert_eq!(violation.to_string(), "`a` is outside `\\n` (another port)");

    // What no violation is written as is refused.
    for unknown in [
        json!({"rule": "outside-location", "found": "a", "case": "b", "location": "https://example.com/"}),
        json!({"rule": "missing-loc", "found": "loc", "case": "full"}),
        json!({"rule": "missing-loc", "found": "loc", "case": "empty", "detail": "empty"}),
        json!({"rule": "invalid-url", "found": "a", "note": "b"}),
    ] {
        assert!(serde_json::from_value::<Violation>(unknown).is_err());
    }
}

/// Everything that documents lead to: those of the table of cases, the fixtures, and both with bytes that were changed.
#[test]
fn whatever_is_reported_is_read_back_equal() {
    let mut documents: Vec<(ReaderBuilder, Vec<u8>)> = crate::common::cases::all()
        .into_iter()
        .filter(|case| case.bytes.len() < 100_000)
        .map(|case| (case.builder, case.bytes))
        .collect();
    for file in std::fs::read_dir("tests/data").unwrap() {
        let path = file.unwrap().path();
        documents.push((ReaderBuilder::new(), std::fs::read(path).unwrap()));
    }
    let location = url("https://example.com/shop/sitemap.xml");
    let mut seen = std::collections::HashSet::new();
    let mut below = crate::common::random(74);
    for (number, (builder, bytes)) in documents.iter().enumerate() {
        for mutation in 0..6 {
            let mut bytes = bytes.clone();
            for _ in 0..mutation {
                let (at, from) = (below(bytes.len()), below(bytes.len()));
                match below(3) {
                    0 => bytes[at] = bytes[from],
                    1 => drop(bytes.remove(at)),
                    _ => bytes
                        .splice(
                            at..at,
                            bytes[from..].iter().copied().take(9).collect::<Vec<_>>(),
                        )
                        .for_each(drop),
                }
            }
            let builder = match number % 2 {
                0 => builder.clone(),
                _ => builder.clone().location(location.clone()),
            };
            for policy in [Policy::LENIENT, Policy::STRICT] {
                let reader = builder.clone().policy(policy).build(&bytes[..]);
                for outcome in reader.outcomes() {
                    for issue in &outcome.issues {
                        if seen.insert(format!("{issue:?}")) {
                            same(issue);
                        }
                    }
                    match &outcome.entry {
                        Ok(Some(entry)) if mutation < 2 => drop(same(entry)),
                        Ok(_) => {}
                        Err(error) => drop(error.violation().map(same)),
                    }
                }
            }
        }
    }
    assert!(seen.len() > 1_000, "{}", seen.len());

    // A word of a document that is the name of a case.
    for word in ["empty", "one", "unknown", "decimal", "link", "opened"] {
        let text = crate::common::urlset(&format!(
            "<url><loc>https://example.com/</loc><{word}></b></{word}></url>"
        ));
        let mut reader = Reader::from_bytes(&text);
        reader.next().unwrap().unwrap();
        let issue = &reader.issues()[0];
        assert!(issue.to_string().contains(word), "{issue}");
        let read: Issue = serde_json::from_value(same(issue)).unwrap();
        assert_eq!(read.to_string(), issue.to_string());
    }
}

#[test]
fn summaries() {
    let text = crate::common::urlset(
        "<url/><url><loc>https://example.com/</loc><priority>2</priority></url>",
    );
    let mut reader = Reader::from_bytes(text);
    assert_eq!(reader.by_ref().count(), 1);
    let expected =
        json!({"entries": 1, "skipped": 1, "dropped": 1, "noted": 0, "completeness": "incomplete"});
    assert_eq!(serde_json::to_value(reader.summary()).unwrap(), expected);
}

#[test]
fn policies() {
    is(&Policy::LENIENT, json!({}));
    is(
        &Policy::LOSSLESS,
        json!({"deny_effects": ["entry-skipped"]}),
    );
    is(
        &Policy::STRICT,
        json!({"deny_effects": ["noted", "value-dropped", "entry-skipped"]}),
    );
    is(
        &Policy::LENIENT.deny(Rule::MissingLoc),
        json!({"deny": ["missing-loc"]}),
    );
    is(
        &Policy::LOSSLESS
            .deny(Rule::WrongCase)
            .allow(Rule::StrayText)
            .allow(Rule::UrlNotEscaped),
        json!({
            "deny_effects": ["entry-skipped"],
            "deny": ["wrong-case"],
            "allow": ["url-not-escaped", "stray-text"],
        }),
    );
    let all = |base: Policy, verdict: fn(Policy, Rule) -> Policy| {
        Rule::ALL
            .iter()
            .fold(base, |policy, rule| verdict(policy, *rule))
    };
    same(&all(Policy::LENIENT, Policy::deny));
    same(&all(Policy::STRICT, Policy::allow));
    for rule in Rule::ALL {
        same(&Policy::LENIENT.deny(*rule));
        same(&Policy::STRICT.allow(*rule));
    }
    // It is the form that a reader accepts.
    let policy = serde_json::from_str(r#"{"deny": ["missing-loc"]}"#).unwrap();
    let mut reader = ReaderBuilder::new().policy(policy).build(
        b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url/></urlset>".as_slice(),
    );
    assert!(reader.next().unwrap().is_err());

    let mut limits = Limits::default();
    is(&limits, json!({"entries": 50_000, "bytes": 52_428_800}));
    limits.entries = 10;
    assert_eq!(
        serde_json::from_str::<Limits>(r#"{"entries": 10}"#).unwrap(),
        limits
    );
}

/// The message for a text that is not such a value.
fn message<T: Debug + FromStr<Err = Violation>>(text: &str) -> String {
    text.parse::<T>().unwrap_err().to_string()
}

#[test]
fn bad_values_are_refused() {
    refused::<Priority>("1.5", &message::<Priority>("1.5"));
    refused::<Priority>("1.00000001", &message::<Priority>("1.00000001"));
    refused::<Priority>("-0.1", &message::<Priority>("-0.1"));
    refused::<Priority>("\"0.5\"", "invalid type: string \"0.5\", expected f64");
    refused::<Rating>("9", &message::<Rating>("9"));
    refused::<Rating>("-1", &message::<Rating>("-1"));
    refused::<W3cDatetime>("\"2024-02-30\"", &message::<W3cDatetime>("2024-02-30"));
    refused::<W3cDatetime>(
        "2024",
        "invalid type: integer `2024`, expected a W3C Datetime such as `2024-03-04`",
    );
    refused::<ChangeFreq>(
        "\"Daily\"",
        "unknown variant `Daily`, expected one of `always`, ",
    );
    refused::<Relationship>(
        "\"maybe\"",
        "unknown variant `maybe`, expected `allow` or `deny`",
    );
    refused::<Access>("1", "invalid type: integer `1`, expected a word");
    refused::<Rule>("\"MissingLoc\"", "unknown variant `MissingLoc`");
    refused::<Policy>("{\"deny\": [\"no-such\"]}", "unknown variant `no-such`");
    refused::<Policy>(
        "{\"deny_effects\": [\"lost\"]}",
        "unknown variant `lost`, expected one of `noted`, `value-dropped`, `entry-skipped`",
    );
    refused::<Policy>("{\"denied\": []}", "unknown field `denied`");
    for text in [
        r#"{"rule": "missing-attribute", "found": "href"}"#,
        r#"{"rule": "missing-attribute", "found": "rel, href", "case": "several"}"#,
        r#"{"rule": "unknown-element", "found": "loc", "case": "opened"}"#,
    ] {
        refused::<Violation>(text, "a message that names the `owner`, which is missing");
    }
    refused::<Node>("1", "neither text nor an element");
    refused::<Node>("{\"nam\": \"a\"}", "neither text nor an element");
    refused::<Position>(
        r#"{"byte": 0, "line": 0, "column": 1, "entry": 0}"#,
        "invalid value: integer `0`, expected a nonzero u64",
    );
    refused::<Entry>("{}", "missing field `type`");
    refused::<Entry>(
        r#"{"type": "page"}"#,
        "unknown variant `page`, expected `url` or `sitemap`",
    );
    refused::<UrlEntry>("{}", "missing field `loc`");
    refused::<UrlEntry>(r#"{"loc": "/a"}"#, "relative URL without a base");
    // In their place, too.
    let page = |field: &str| format!(r#"{{"type": "url", "loc": "https://e.com/", {field}}}"#);
    refused::<Entry>(&page(r#""priority": 1.5"#), &message::<Priority>("1.5"));
    refused::<Entry>(
        &page(r#""lastmod": "yesterday""#),
        &message::<W3cDatetime>("yesterday"),
    );
    refused::<Entry>(
        &page(r#""videos": [{"rating": 9}]"#),
        &message::<Rating>("9"),
    );
    refused::<Entry>(
        &page(r#""videos": [{"duration": 1.5}]"#),
        "invalid type: floating point `1.5`, expected u64",
    );
    refused::<Entry>(
        &page(r#""videos": [{"duration": -1}]"#),
        "invalid value: integer `-1`, expected u64",
    );
    refused::<Entry>(
        &page(r#""foreign": [{"name": "a", "children": [{"name": "b", "children": [null]}]}]"#),
        "neither text nor an element",
    );
}

proptest! {
    #[test]
    fn every_priority_and_rating(bits in 0..=f32::to_bits(5.0)) {
        let value = f32::from_bits(bits);
        if let Ok(priority) = Priority::new(value) {
            same(&priority);
        }
        if let Ok(rating) = Rating::new(value) {
            same(&rating);
        }
    }

    #[test]
    fn every_date(seconds in -62_000_000_000_i64..253_000_000_000, nanos in 0..1_000_000_000_u32) {
        let time = chrono::DateTime::from_timestamp(seconds, nanos).unwrap();
        is(&W3cDatetime::from(time), json!(W3cDatetime::from(time).to_string()));
    }

    #[test]
    fn every_element(element in elements()) {
        same(&element);
        same(&UrlEntry::try_from("https://example.com/").unwrap().with_foreign(element));
    }

    #[test]
    fn every_text(text in ".*", word in "\\PC*") {
        let mut page = every_part::page();
        page.images[0].caption = Some(text.clone());
        page.videos[0].tags.push(text.clone());
        page.videos[0].ids.push(VideoId::new(text.clone(), IdKind::from(word.as_str())));
        page.alternates[0].hreflang = text.into();
        same(&Entry::from(page));
    }

    #[test]
    fn every_policy(rules in proptest::collection::vec((0..Rule::ALL.len(), any::<bool>()), 0..20), effects in proptest::collection::vec(0..3_usize, 0..3)) {
        let all = [Effect::Noted, Effect::ValueDropped, Effect::EntrySkipped];
        let base = effects.into_iter().fold(Policy::LENIENT, |policy, effect| policy.deny_effect(all[effect]));
        same(&rules.into_iter().fold(base, |policy, (rule, deny)| if deny { policy.deny(Rule::ALL[rule]) } else { policy.allow(Rule::ALL[rule]) }));
    }
}

fn elements() -> impl Strategy<Value = Element> {
    let leaf =
        (".{0,8}", ".{0,8}", ".{0,3}", ".{0,8}").prop_map(|(name, namespace, prefix, value)| {
            let mut element = Element::new(name.clone(), namespace.clone()).with_prefix(prefix);
            element
                .attributes
                .push(Attribute::new(name, namespace, value));
            element
        });
    leaf.prop_recursive(6, 40, 4, |inner| {
        let child = prop_oneof![
            ".{0,8}".prop_map(Node::Text),
            inner.clone().prop_map(Node::Element)
        ];
        (inner, proptest::collection::vec(child, 0..4)).prop_map(|(mut element, children)| {
            element.children = children;
            element
        })
    })
}
