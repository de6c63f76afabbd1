//! Every message as it is read by people: `tests/data/messages.txt`.
//!
//! `WRITE_TABLES=1 cargo test --test rules messages` writes that file. Read the difference before you commit it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Read};

use crate::common::{self, NS, cases, gzip, read, urlset};
use crate::written;
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{
    Alternate, Image, News, Player, Publication, Rating, Relationship, Restriction, Video,
};
use quick_sitemap::url::Url;
use quick_sitemap::{
    ChangeFreq, Error, Limits, Priority, Reader, ReaderBuilder, Rule, SitemapEntry, UrlEntry,
    UrlsetWriter, W3cDatetime, WriterBuilder,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/messages.txt");

#[test]
fn messages_are_as_they_were() {
    let mut text = String::new();
    for (title, messages) in [
        ("Issues", issues()),
        ("Fatal errors", fatal()),
        ("Values", values()),
        ("Writing", writing()),
    ] {
        writeln!(text, "{title}").unwrap();
        for (name, message) in messages {
            writeln!(text, "  {name}: {message}").unwrap();
        }
    }
    written::compare(FILE, &text, "rules messages");
}

/// One line, without a full stop; it begins with what was found, or in lower case; what was found is in backticks, or
/// `(none)`, or it is a number.
fn check(message: &str, quotes: bool) {
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(!message.ends_with(['.', '!']), "{message}");
    let begins_well = message.starts_with(|c: char| c.is_lowercase() || "`(123456789".contains(c))
        || ["URL ", "I/O "]
            .iter()
            .any(|word| message.starts_with(word));
    assert!(begins_well, "{message}");
    assert_eq!(message.matches('`').count() % 2, 0, "{message}");
    let names =
        message.contains(|c: char| c == '`' || c.is_ascii_digit()) || message.contains("(none)");
    assert!(!quotes || names, "{message}");
}

type Messages = Vec<(String, String)>;

/// For each rule, the first message of the table of broken documents.
fn issues() -> Messages {
    let mut first = HashMap::new();
    for case in cases::all() {
        for issue in read(&case.builder, &case.bytes[..]).issues() {
            first.entry(issue.violation.rule()).or_insert_with(|| {
                check(&issue.violation.to_string(), true);
                issue.to_string()
            });
        }
    }
    // No document leads to `Internal`, which reports a mistake of the crate.
    let missing: Vec<Rule> = Rule::ALL
        .iter()
        .copied()
        .filter(|rule| !first.contains_key(rule) && *rule != Rule::Internal)
        .collect();
    // Rules that count things.
    let news = "<url><loc>https://example.com/</loc><n:news xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"/></url>";
    let counting = [
        urlset(&"<url/>".repeat(50_001)),
        urlset(&news.repeat(1_001)),
        "https://example.com/\n".repeat(2_500_000),
    ];
    for document in &counting {
        for issue in common::read_slice(document).issues() {
            if missing.contains(&issue.violation.rule()) {
                check(&issue.violation.to_string(), true);
                first
                    .entry(issue.violation.rule())
                    .or_insert_with(|| issue.to_string());
            }
        }
    }
    let left: Vec<&Rule> = missing
        .iter()
        .filter(|rule| !first.contains_key(rule))
        .collect();
    assert!(left.is_empty(), "no document breaks {left:?}");
    let in_order = Rule::ALL.iter();
    in_order
        .filter_map(|rule| Some((rule.to_string(), first.remove(rule)?)))
        .collect()
}

/// Some violations of a rule are special cases with a message of their own.
#[test]
fn messages_say_which_case_it_is() {
    let said = |document: &[u8]| -> Vec<String> {
        let outcome = common::read_slice(document);
        outcome
            .issues()
            .iter()
            .map(|issue| issue.to_string().split_once(": ").unwrap().1.to_owned())
            .collect()
    };
    let entry = |inside: &str| urlset(&format!("<url>{inside}</url>"));
    let beside = |inside: &str| entry(&format!("<loc>https://example.com/</loc>{inside}"));
    let rss = |date: &str| {
        format!(
            "<rss><item><link>https://example.com/</link><pubDate>{date}</pubDate></item></rss>"
        )
    };
    let dublin_core = |date: &str| {
        format!(
            "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><item><link>https://example.com/</link><dc:date>{date}</dc:date></item></rss>"
        )
    };
    let image = |uri: &str| {
        format!(
            "<urlset xmlns=\"{NS}\" xmlns:image=\"{uri}\"><url><loc>https://example.com/</loc><image:image>\
             <image:loc>https://example.com/i.png</image:loc></image:image></url></urlset>"
        )
    };
    for (document, expected) in [
        (
            image("https://www.google.com/schemas/sitemap-image/1.1"),
            "namespace `https://www.google.com/schemas/sitemap-image/1.1` is not the standard one, \
             `http://www.google.com/schemas/sitemap-image/1.1`",
        ),
        (
            "<urlset xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9/\"></urlset>".to_owned(),
            "namespace `https://www.sitemaps.org/schemas/sitemap/0.9/` is not the standard one, \
             `http://www.sitemaps.org/schemas/sitemap/0.9`",
        ),
        (entry("<loc></loc>"), "`loc` is empty; entry skipped"),
        (
            entry("<loc>https://example.com/<loc>"),
            "element `loc` is opened again before `</loc>`; entry skipped",
        ),
        (
            beside("<lastmod>2024<priority>1</priority></lastmod>"),
            "element `priority` is opened before `</lastmod>`; value dropped",
        ),
        (
            beside(
                "<v:video xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\"><v:tag>a<v:tag/></v:tag></v:video>",
            ),
            "element `v:tag` is opened again before `</v:tag>`; value dropped",
        ),
        (
            beside(
                "<n:news xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"><n:title/></n:news>",
            ),
            "`news:title` is empty",
        ),
        (
            beside(
                "<n:news xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"><n:stock_tickers>N:A-B</n:stock_tickers></n:news>",
            ),
            "`N:A-B` is not a stock ticker like NASDAQ:AMAT: ASCII letters and digits before and after a colon (n:stock_tickers)",
        ),
        (
            rss("yesterday"),
            "`yesterday` is not an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT; value dropped",
        ),
        (
            rss("4 Mar 2024 05:06:07"),
            "`4 Mar 2024 05:06:07` is not written as an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT",
        ),
        (
            rss("2024-03-04 05:06:07"),
            "`2024-03-04 05:06:07` is not written as a W3C Datetime like 2024-03-04T05:06:07Z",
        ),
        (
            urlset("") + "</acl>",
            "end tag `acl` after the root element",
        ),
        (
            urlset("<loc>https://example.com/</loc>"),
            "`loc` is not allowed outside a url",
        ),
        (
            format!("<sitemapindex xmlns=\"{NS}\"><lastmod/></sitemapindex>"),
            "`lastmod` is not allowed outside a sitemap",
        ),
        (urlset("<foo/>"), "unknown element `foo`"),
        (
            "<rss><item><title/></item></rss>".to_owned(),
            "`item` has no link; entry skipped",
        ),
        (
            "<rss><item><link/></item></rss>".to_owned(),
            "`link` is empty; entry skipped",
        ),
        (
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry/></feed>".to_owned(),
            "`entry` has no link; entry skipped",
        ),
        (
            dublin_core("yesterday"),
            "`yesterday` is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z; value dropped",
        ),
        (
            dublin_core("Mon, 04 Mar 2024 05:06:07 GMT"),
            "`Mon, 04 Mar 2024 05:06:07 GMT` is not written as a W3C Datetime like 2024-03-04T05:06:07Z",
        ),
        (urlset("\n<<<<<<< HEAD\n"), "stray text `<<<<<<< HEAD`"),
        (
            urlset(&"word ".repeat(17)),
            "stray text `word word word word word word word word word word word word word word word word …`",
        ),
        (
            urlset(&format!("{:80}", "word ".repeat(16))),
            "stray text `word word word word word word word word word word word word word word word word`",
        ),
        (
            beside(&format!(
                "<v:video xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\"><v:description>{}</v:description></v:video>",
                "d".repeat(2_049)
            )),
            "text `dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd…` is too long (video:description, at most 2,048 characters)",
        ),
        (
            format!("\n <?xml version=\"1.0\"?>{}", urlset("")),
            "content before the XML declaration: `\\n `",
        ),
    ] {
        let said = said(document.as_bytes());
        assert!(
            said.iter().any(|message| message == expected),
            "{said:#?} for {expected}"
        );
    }
    let bytes = |document: &str| -> Vec<u8> {
        document
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect()
    };
    let latin = beside("<x:y xmlns:x='urn:x' a='é'>é à\nü</x:y>");
    assert_eq!(
        said(&bytes(&latin)),
        ["bytes that are not UTF-8", "bytes that are not UTF-8"]
    );
    let name = beside("<x:é xmlns:x='urn:x'/>");
    assert_eq!(
        said(&bytes(&name)),
        ["bytes that are not UTF-8; value dropped"]
    );
    let japanese = format!(
        "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>{}",
        beside("<x:y xmlns:x='urn:x'>\u{FF}</x:y>")
    );
    assert_eq!(said(&bytes(&japanese)), ["bytes that are not Shift_JIS"]);
}

/// Names are the document's own: of any length, and of characters that end lines.
#[test]
fn a_message_is_one_line_that_is_not_too_long() {
    for prefix in ["a\u{2028}b".to_owned(), "p".repeat(100_000)] {
        let document = urlset(&format!(
            "<url><loc>https://example.com/</loc><{prefix}:image \
             xmlns:{prefix}=\"http://www.google.com/schemas/sitemap-image/1.1\">\
             <{prefix}:loc>ftp://example.com/</{prefix}:loc></{prefix}:image></url>"
        ));
        let outcome = common::read_slice(&document);
        let issues = outcome.issues();
        assert!(!issues.is_empty());
        for issue in issues {
            let message = issue.to_string();
            assert!(message.chars().count() < 300, "{}", message.len());
            assert!(!message.contains(['\n', '\u{2028}']), "{message:?}");
        }
    }
}

/// Every quotation is escaped, so that a log, a terminal or a page shows it as text.
#[test]
fn a_message_holds_nothing_that_cannot_be_seen() {
    let hidden = [
        '\u{1}'..='\u{1f}',
        '\u{7f}'..='\u{9f}',
        '\u{ad}'..='\u{ad}',
        '\u{61c}'..='\u{61c}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{2069}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{e0000}'..='\u{e007f}',
    ];
    for c in hidden.into_iter().flatten() {
        let entry =
            |body: &str| urlset(&format!("<url><loc>https://example.com/</loc>{body}</url>"));
        for document in [
            urlset(&format!("<url><loc>ftp://example.com/{c}x</loc></url>")),
            entry(&format!("<lastmod>yester{c}day</lastmod>")),
            entry(&format!("<na{c}me/>")),
            entry(&format!("<a{c}:b/>")),
            entry(&format!("<priority>&x{c}y;</priority>")),
            format!("<!DOCTYPE a{c}b><html{c}x/>"),
        ] {
            let outcome = common::read_slice(&document);
            let issues = outcome.issues();
            let messages = issues.iter().map(ToString::to_string);
            let fatal = Reader::new(document.as_bytes()).filter_map(Result::err);
            for message in messages.chain(fatal.map(|error| format!("{error:#}"))) {
                assert!(!message.contains(c), "{message:?}");
            }
        }
        let path = format!("no such {c} file");
        let error = Reader::from_path(path).unwrap_err();
        assert!(!format!("{error:#}").contains(c), "{error:#}");
    }
}

/// Bytes that are not in the encoding are represented by a noncharacter inside, and by U+FFFD in messages.
#[test]
fn no_message_has_noncharacters() {
    let inside = [
        &b"<x\xE9/>"[..],
        b"</x\xE9>",
        b"x\xE9",
        b"<url><loc>https://example.com/</loc><x\xE9/></url>",
        b"<url><loc>https://example.com/\xE9</loc></url>",
        b"<url><loc a=\xE9>https://example.com/</loc></url>",
        b"<\xE9:x/>",
    ];
    let document = |inside: &[u8]| {
        let (before, after) = urlset("|")
            .split_once('|')
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        [before.as_bytes(), inside, after.as_bytes()].concat()
    };
    let documents = inside.iter().map(|inside| document(inside));
    for document in documents.chain([b"<x\xE9 />".to_vec()]) {
        let outcome = common::read_slice(&document);
        let issues = outcome.issues().into_iter().map(ToString::to_string);
        let errors = outcome.errors().into_iter().map(|error| error.text.clone());
        let messages: Vec<_> = issues.chain(errors).collect();
        for message in &messages {
            assert!(!message.contains('\u{FFFF}'), "{message:?}");
        }
        assert!(
            !messages.is_empty(),
            "{}",
            String::from_utf8_lossy(&document)
        );
    }
}

/// A failure that no reading can mend.
struct Fails;

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the cable is cut"))
    }
}

fn last_error(input: impl Read, builder: ReaderBuilder) -> Error {
    let error = builder.build(input).find_map(Result::err).unwrap();
    assert!(error.is_fatal());
    error
}

fn fatal() -> Messages {
    let page = urlset("<url><loc>https://example.com/</loc></url>");
    let gzipped = gzip(page.as_bytes());
    let mut checksum = gzipped.clone();
    let at = checksum.len() - 8;
    checksum[at] ^= 1;
    let mut length = gzipped.clone();
    let at = length.len() - 1;
    length[at] ^= 1;
    let mut method = gzipped.clone();
    method[2] = 9;
    let mut data = gzipped.clone();
    data[10] = 0xFF;
    let rows: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("plain words", b"Service unavailable".to_vec()),
        ("JSON", b"{\"status\": 404}".to_vec()),
        ("a list in JSON", b" [ {\"status\": 404}]".to_vec()),
        ("a configuration", b"[package]\nname = \"x\"".to_vec()),
        ("HTML", b"<!DOCTYPE html>\n<html></html>".to_vec()),
        (
            "another root",
            b"<?xml version='1.0'?>\n<kml></kml>".to_vec(),
        ),
        ("PDF", b"%PDF-1.7 ...".to_vec()),
        ("zip", b"PK\x03\x04....".to_vec()),
        ("zstd", b"\x28\xB5\x2F\xFD....".to_vec()),
        ("brotli", include_bytes!("../data/urlset.xml.br").to_vec()),
        ("a broken download", (0..=255).collect()),
        ("cut off", page.as_bytes()[..page.len() - 9].to_vec()),
        ("cut off, gzipped", gzipped[..gzipped.len() - 9].to_vec()),
        ("gzip: checksum", checksum),
        ("gzip: length", length),
        ("gzip: method", method),
        ("gzip: data", data),
        ("gzip: layers", gzip(&gzip(&gzip(&gzipped)))),
    ];
    let mut messages: Messages = Vec::new();
    let mut add = |name: &str, error: Error| {
        let message = format!("{error:#} [{}]", error.kind().name());
        messages.push((name.to_owned(), message));
    };
    for (name, bytes) in rows {
        add(name, last_error(&bytes[..], ReaderBuilder::new()));
    }
    let small = ReaderBuilder::new().max_bytes(100);
    add("max_bytes", last_error(page.as_bytes(), small));
    add("I/O", last_error(Fails, ReaderBuilder::new()));
    let error = Reader::from_path("no/such/file").unwrap_err();
    let message = format!("{error:#}");
    assert!(
        message.starts_with("no/such/file: I/O error: "),
        "{message}"
    );
    for (_, message) in &messages {
        let place = message
            .split_once(": ")
            .filter(|(place, _)| place.chars().all(|c| c.is_ascii_digit() || c == ':'));
        check(place.map_or(message, |(_, rest)| rest), false);
    }
    messages
}

fn values() -> Messages {
    let mut messages = Messages::new();
    let mut add = |name: &str, violation: quick_sitemap::Violation| {
        check(&violation.to_string(), true);
        messages.push((name.to_owned(), violation.to_string()));
    };
    for text in ["2024-13-01", "2024-03-04T05:06", ""] {
        add("W3cDatetime", text.parse::<W3cDatetime>().unwrap_err());
    }
    add("ChangeFreq", "Daily".parse::<ChangeFreq>().unwrap_err());
    add("Priority", "0,8".parse::<Priority>().unwrap_err());
    add("Priority::new", Priority::new(f32::NAN).unwrap_err());
    add("Rating::new", Rating::new(5.5).unwrap_err());
    add(
        "UrlEntry",
        UrlEntry::try_from("www.example.com").unwrap_err(),
    );
    add(
        "UrlEntry",
        UrlEntry::try_from("ftp://example.com/").unwrap_err(),
    );
    add("SitemapEntry", SitemapEntry::try_from("/a").unwrap_err());
    messages
}

fn writing() -> Messages {
    let url: Url = "https://example.com/".parse().unwrap();
    let page = || UrlEntry::new(url.clone());
    let long = format!("https://example.com/{}", "a".repeat(2_048))
        .parse::<Url>()
        .unwrap();
    let date: W3cDatetime = "2024-05-06".parse().unwrap();
    let times = || Publication::new("The Example Times", "en");
    let video = || Video::new(url.clone(), "Title", "Description", url.clone());
    let mut empty = Image::new(url.clone());
    empty.title = Some(String::new());
    let mut rows: Vec<(&str, UrlEntry)> = vec![
        (
            "scheme",
            UrlEntry::new("ftp://example.com/".parse().unwrap()),
        ),
        ("length", UrlEntry::new(long)),
        (
            "lastmod",
            page().with_lastmod(quick_sitemap::chrono::NaiveDate::MAX),
        ),
        ("image title", page().with_image(empty)),
        (
            "image caption",
            page().with_image(Image::new(url.clone()).with_caption("a\u{1}b")),
        ),
        (
            "hreflang",
            page().with_alternate(Alternate::new("english!", url.clone())),
        ),
        (
            "no hreflang",
            page().with_alternate(Alternate::new("", url.clone())),
        ),
        (
            "news language",
            page().with_news(News::new(Publication::new("Times", "en-US"), date, "Title")),
        ),
        (
            "news title",
            page().with_news(News::new(times(), date, " ")),
        ),
        (
            "news keyword",
            page().with_news(News::new(times(), date, "Title").with_keyword("a, b")),
        ),
        (
            "news ticker",
            page().with_news(News::new(times(), date, "Title").with_stock_ticker("AMAT")),
        ),
        (
            "known extension",
            page().with_foreign(Element::new(
                "image",
                "http://www.google.com/schemas/sitemap-image/1.1",
            )),
        ),
        ("no namespace", page().with_foreign(Element::new("x", ""))),
        ("no name", page().with_foreign(Element::new("1 x", "urn:x"))),
    ];
    let mut wrong = video();
    wrong.title = Some("t".repeat(101));
    rows.push(("video title", page().with_video(wrong)));
    let mut wrong = video();
    wrong.tags = vec!["tag".to_owned(); 33];
    rows.push(("video tags", page().with_video(wrong)));
    let mut wrong = video();
    wrong.thumbnail_loc = None;
    rows.push(("video thumbnail", page().with_video(wrong)));
    let mut wrong = video();
    wrong.duration = Some(std::time::Duration::from_secs(28_801));
    rows.push(("video duration", page().with_video(wrong)));
    let mut wrong = video();
    wrong.restriction = Some(Restriction::new(Relationship::Allow, ["Ireland"]));
    rows.push(("video restriction", page().with_video(wrong)));
    let mut wrong = video();
    (wrong.content_loc, wrong.player) = (None, None::<Player>);
    rows.push(("video without a place", page().with_video(wrong)));

    let mut messages = Messages::new();
    let mut add = |name: &str, error: Error| {
        check(&error.to_string(), true);
        messages.push((name.to_owned(), error.to_string()));
    };
    for (name, page) in rows {
        add(
            name,
            UrlsetWriter::new(Vec::new()).write(&page).expect_err(name),
        );
    }
    let mut limits = Limits::default();
    limits.entries = 1;
    let mut writer = WriterBuilder::new().limits(limits).urlset(Vec::new());
    writer.write(&page()).unwrap();
    add("entries", writer.write(&page()).unwrap_err());
    let mut limits = Limits::default();
    limits.bytes = NS.len() as u64 + 140;
    let mut writer = WriterBuilder::new().limits(limits).urlset(Vec::new());
    writer.write(&page()).unwrap();
    add("bytes", writer.write(&page()).unwrap_err());
    messages
}

/// In the columns of a report, a text that is put together from several is padded as one text.
#[test]
fn what_is_displayed_is_padded_as_one_text() {
    let outcome = common::read_slice(urlset("<url><loc>x</loc></url>"));
    let issue = outcome.issues()[0].clone();
    let error = quick_sitemap::Reader::from_path("no/such.xml").unwrap_err();
    let shown: [&dyn std::fmt::Display; 6] = [
        &issue,
        &issue.violation,
        &issue.position,
        &issue.rule(),
        &issue.effect,
        &error,
    ];
    for whole in shown {
        let text = whole.to_string();
        assert_eq!(format!("{whole:>200}|"), format!("{text:>200}|"));
        assert_eq!(format!("{whole:-^200}|"), format!("{text:-^200}|"));
        assert_eq!(format!("{whole:1}"), text);
    }
    assert_eq!(
        format!("{error:<#200}|"),
        format!("{:<200}|", format!("{error:#}"))
    );
}
