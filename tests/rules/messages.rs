//! Every message as it is read by people: `tests/data/messages.txt`.
//!
//! `WRITE_TABLES=1 cargo test --test rules messages` writes that file. Read the difference before you commit it.

use std::fmt::Write as _;
use std::io::{self, Read};

use crate::common::{self, cases, gzip, read, rows, urlset};
use crate::written;
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{Image, News, Publication, Rating, Video};
use quick_sitemap::url::Url;
use quick_sitemap::{
    ChangeFreq, Effect, Error, Priority, Reader, ReaderBuilder, SitemapEntry, UrlEntry,
    UrlsetWriter, W3cDatetime,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/messages.txt");

#[test]
fn messages_are_as_they_were() {
    let mut text = String::new();
    for (title, messages) in [
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

/// Issues begin with their place, and end with what they cost. The page of rules has the messages themselves.
#[test]
fn issues_say_where_and_at_what_cost() {
    for case in cases::all() {
        for issue in read(&case.builder, &case.bytes[..]).issues() {
            let message = issue.violation.to_string();
            check(&message, true);
            let cost = match issue.effect {
                Effect::Noted => String::new(),
                effect => format!("; {effect}"),
            };
            let (line, column) = (issue.position.line(), issue.position.column());
            let expected = format!("{line}:{column}: {message}{cost}");
            assert_eq!(issue.to_string(), expected, "{}", case.name);
        }
    }
}

/// Some violations of a rule are special cases with a message of their own.
#[test]
fn messages_say_which_case_it_is() {
    let said = |document: &[u8]| -> Vec<String> {
        let outcome = common::read_slice(document);
        let messages = outcome.issues().into_iter().map(ToString::to_string);
        messages
            .map(|message| message.split_once(": ").unwrap().1.to_owned())
            .collect()
    };
    let beside = |inside: &str| {
        urlset(&format!(
            "<url><loc>https://example.com/</loc>{inside}</url>"
        ))
    };
    for [text, expected] in rows(SPECIAL) {
        let document = cases::document(text);
        let said = said(document.as_bytes());
        let expected = cases::spelt(expected);
        assert!(said.contains(&expected), "{said:#?} for {expected}");
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

/// Texts in their places, as in the table of cases, and one of their messages.
const SPECIAL: &str = r#"
beside <image:image xmlns:image="https://www.google.com/schemas/sitemap-image/1.1"/>
    | namespace `https://www.google.com/schemas/sitemap-image/1.1` is not the standard one, `http://www.google.com/schemas/sitemap-image/1.1`
document <urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/"></urlset>
    | namespace `https://www.sitemaps.org/schemas/sitemap/0.9/` is not the standard one, `http://www.sitemaps.org/schemas/sitemap/0.9`
entry <loc></loc> | `loc` is empty; entry skipped
entry <loc>~/<loc> | element `loc` is opened again before `</loc>`; entry skipped
lastmod 2024<priority>1</priority> | element `priority` is opened before `</lastmod>`; value dropped
video <video:tag>a<video:tag/></video:tag> | element `video:tag` is opened again before `</video:tag>`; value dropped
extended <news:news><news:title/></news:news> | `news:title` is empty
news <news:stock_tickers>N:A-B</news:stock_tickers>
    | `N:A-B` is not a stock ticker like NASDAQ:AMAT: ASCII letters and digits before and after a colon (news:stock_tickers)
rss <item><pubDate>yesterday</pubDate></item>
    | `yesterday` is not an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT; value dropped
rss <item><pubDate>4 Mar 2024 05:06:07</pubDate></item>
    | `4 Mar 2024 05:06:07` is not written as an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT
rss <item><pubDate>2024-03-04 05:06:07</pubDate></item>
    | `2024-03-04 05:06:07` is not written as a W3C Datetime like 2024-03-04T05:06:07Z
document {small}</acl> | end tag `acl` after the root element
between <loc>~/</loc> | `loc` is not allowed outside a url
index <lastmod/> | `lastmod` is not allowed outside a sitemap
between <foo/> | unknown element `foo`
rss <item><title/></item> | `item` has no link; entry skipped
rss <item><link/></item> | `link` is empty; entry skipped
atom <entry/> | `entry` has no link; entry skipped
rss <item><dc:date>yesterday</dc:date></item>
    | `yesterday` is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z; value dropped
rss <item><dc:date>Mon, 04 Mar 2024 05:06:07 GMT</dc:date></item>
    | `Mon, 04 Mar 2024 05:06:07 GMT` is not written as a W3C Datetime like 2024-03-04T05:06:07Z
between ␊<<<<<<< HEAD␊ | stray text `<<<<<<< HEAD`
between {17×word } | stray text `{16×word }…`
between {16×word } | stray text `{15×word }word`
video <video:category>{257×d}</video:category>
    | text `{80×d}…` is too long (video:category, at most 256 characters)
document ␊ <?xml version="1.0"?>{small} | content before the XML declaration: `\n `
"#;

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

/// The page of rejections has the other messages.
fn writing() -> Messages {
    let url: Url = "https://example.com/".parse().unwrap();
    let page = || UrlEntry::new(url.clone());
    let date: W3cDatetime = "2024-05-06".parse().unwrap();
    let news = |language: &str, title: &str| {
        News::new(Publication::new("The Example Times", language), date, title)
    };
    let with_video = |change: fn(&mut Video)| {
        let mut video = Video::new(url.clone(), "Title", "Description", url.clone());
        change(&mut video);
        page().with_video(video)
    };
    let mut image = Image::new(url.clone());
    image.title = Some(String::new());
    let ticker = news("en", "Title").with_stock_ticker("AMAT");
    let rows = [
        ("image title", page().with_image(image)),
        ("news language", page().with_news(news("en-US", "Title"))),
        ("news title", page().with_news(news("en", " "))),
        ("news ticker", page().with_news(ticker)),
        ("no namespace", page().with_foreign(Element::new("x", ""))),
        ("video thumbnail", with_video(|v| v.thumbnail_loc = None)),
        (
            "video without a place",
            with_video(|v| v.content_loc = None),
        ),
    ];
    let mut messages = Messages::new();
    for (name, page) in rows {
        let error = UrlsetWriter::new(Vec::new()).write(&page).expect_err(name);
        check(&error.to_string(), true);
        messages.push((name.to_owned(), error.to_string()));
    }
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
