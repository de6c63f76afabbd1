//! The page on rejected entries, `src/guide/refused.md`: the messages are those of the writers, and the solutions work.
//!
//! `WRITE_TABLES=1 cargo test --test writing refused` writes the page again. Read the difference before you commit it.

use std::time::Duration;

use crate::written;
use quick_sitemap::chrono::{DateTime, NaiveDate};
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{
    Alternate, Image, News, Publication, Relationship, Restriction, Video,
};
use quick_sitemap::url::Url;
use quick_sitemap::{
    Error, IndexWriter, Limits, Priority, Result, Rule, SitemapEntry, UrlEntry, UrlsetWriter,
    W3cDatetime, WriterBuilder,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/refused.md");

const HEAD: &str = "A writer rejects an entry that breaks a rule: `write` returns an
[`ErrorKind::Violation`](crate::ErrorKind::Violation), and no part of the entry is written. You can continue to use the
writer, with a corrected entry or with the next one. If a single call solves the problem, the message names it, and
[`Violation::help`](crate::Violation::help) returns that part of the message.

The messages about full files are from files with small [`Limits`](crate::Limits).

| Rule | Rejected | Message | Solution |
|---|---|---|---|
";

const TAIL: &str = "
After an `I/O error`, each later call of the same writer returns the same error, so begin a new file. `{:#}` prints the
cause.

Readers report most of these rules as issues: see [the rules](crate::guide::rules).
";

struct Row {
    rule: Rule,
    rejected: &'static str,
    message: String,
    what_now: &'static str,
}

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn page() -> UrlEntry {
    UrlEntry::try_from("https://example.com/").unwrap()
}

fn write(page: &UrlEntry) -> Result<()> {
    UrlsetWriter::new(Vec::new()).write(page)
}

fn video() -> Video {
    let (thumbnail, content) = (
        url("https://example.com/t.jpg"),
        url("https://example.com/v.mp4"),
    );
    Video::new(thumbnail, "Title", "Description", content)
}

fn with_video(change: impl FnOnce(&mut Video)) -> UrlEntry {
    let mut video = video();
    change(&mut video);
    page().with_video(video)
}

fn news() -> News {
    let times = Publication::new("The Example Times", "en");
    News::new(times, "2024-03-04".parse::<W3cDatetime>().unwrap(), "Title")
}

fn with_news(change: impl FnOnce(&mut News)) -> UrlEntry {
    let mut news = news();
    change(&mut news);
    page().with_news(news)
}

/// Writes three pages with these limits, until one is rejected.
fn too_many(limit: impl FnOnce(&mut Limits)) -> Result<()> {
    let mut limits = Limits::default();
    limit(&mut limits);
    let mut writer = WriterBuilder::new().limits(limits).urlset(Vec::new());
    (0..3).try_for_each(|_| writer.write(&page()))
}

/// The same pages, in as many files as necessary.
fn split(limit: impl FnOnce(&mut Limits), entry: &UrlEntry, count: usize) -> Result<()> {
    let mut limits = Limits::default();
    limit(&mut limits);
    let memory = quick_sitemap::Memory::new(&url("https://example.com/"));
    let mut site = WriterBuilder::new().limits(limits).split(memory);
    (0..count).try_for_each(|_| site.write(entry))?;
    // Without the index.
    let parts = site.finish()?.len() - 1;
    assert!(parts > 1, "{parts} for {count} with {limits:?}");
    Ok(())
}

/// Every rule for which a writer, or the constructor of a value, rejects something; and that the way out leads there.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |rule: Rule,
                   rejected,
                   refused: Result<(), Error>,
                   what_now: &'static str,
                   mended: Result<()>| {
        let error = refused.unwrap_err();
        assert_eq!(
            error.violation().map(|v| v.rule()),
            Some(rule),
            "{rejected}"
        );
        mended.unwrap_or_else(|error| panic!("{rejected}: {error}"));
        let message = error.to_string();
        if let Some(help) = error.violation().unwrap().help() {
            assert!(message.ends_with(&format!("; {help}")), "{message}");
            // The page names every call that the message names.
            for call in help.split('`').skip(1).step_by(2) {
                let name = call
                    .split('(')
                    .next()
                    .unwrap()
                    .rsplit(['.', ':'])
                    .next()
                    .unwrap();
                assert!(what_now.contains(name), "{what_now} does not name {name}");
            }
        }
        rows.push(Row {
            rule,
            rejected,
            message,
            what_now,
        });
    };

    let base = url("https://example.com/shop/sitemap.xml");
    add(
        Rule::InvalidUrl,
        "`UrlEntry::try_from(\"page.html\")`",
        UrlEntry::try_from("page.html")
            .map(drop)
            .map_err(Error::from),
        "`base.join(\"page.html\")?.into()` with [`Url::join`](url::Url::join)",
        write(&base.join("page.html").unwrap().into()),
    );
    add(
        Rule::UnsupportedScheme,
        "`mailto:`, `ftp:` and other schemes",
        UrlEntry::try_from("ftp://example.com/")
            .map(drop)
            .map_err(Error::from),
        "Leave it out; a sitemap can list only http and https URLs.",
        Ok(()),
    );
    let long = format!("https://example.com/?q={}", "a".repeat(2048));
    add(
        Rule::UrlTooLong,
        "a URL of 2,048 characters or more",
        write(&UrlEntry::new(url(&long))),
        "Leave it out, or list a shorter URL that leads to the page.",
        Ok(()),
    );
    let escape = UrlEntry::try_from("https://example.com/?a[]=1").unwrap();
    let mut escaping = WriterBuilder::new().escape(true).urlset(Vec::new());
    add(
        Rule::UrlNotEscaped,
        "`[`, `]`, a `%` without two hexadecimal digits, a second `#`",
        write(&escape),
        "[`UrlEntry::escaped`](crate::UrlEntry::escaped) or [`SitemapEntry::escaped`](crate::SitemapEntry::escaped) for one entry, [`WriterBuilder::escape(true)`](crate::WriterBuilder::escape) for all",
        write(&escape.clone().escaped()).and_then(|()| escaping.write(&escape)),
    );
    let located = || WriterBuilder::new().location(base.clone());
    let at = |builder: WriterBuilder, text: &str| {
        builder
            .urlset(Vec::new())
            .write(&UrlEntry::try_from(text).unwrap())
    };
    add(
        Rule::OutsideLocation,
        "a page outside the directory of the sitemap",
        at(located(), "https://example.com/"),
        "[`WriterBuilder::any_directory`](crate::WriterBuilder::any_directory), if robots.txt lists the sitemap. If you write into a `Directory`, first check its base URL.",
        at(located().any_directory(), "https://example.com/"),
    );
    add(
        Rule::OutsideLocation,
        "a page of another host, scheme or port",
        at(located(), "https://cdn.example.com/a"),
        "[`WriterBuilder::allow_site`](crate::WriterBuilder::allow_site), if the robots.txt of that site lists the sitemap. If you write into a `Directory`, first check its base URL.",
        at(
            located().allow_site(&url("http://cdn.example.com:8080")),
            "http://cdn.example.com:8080/a",
        ),
    );
    let mut without = url("https://user:word@example.com/shop/a");
    let with = UrlEntry::new(without.clone());
    without
        .set_username("")
        .and_then(|()| without.set_password(None))
        .unwrap();
    add(
        Rule::OutsideLocation,
        "a URL with a user or a password",
        located().urlset(Vec::new()).write(&with),
        "[`Url::set_username(\"\")`](url::Url::set_username) and [`Url::set_password(None)`](url::Url::set_password)",
        located().urlset(Vec::new()).write(&UrlEntry::new(without)),
    );
    let (lenient, _) = W3cDatetime::parse_lenient("2024-03-04 05:06:07").unwrap();
    add(
        Rule::InvalidDatetime,
        "`try_lastmod(\"2024-03-04 05:06:07\")`",
        page()
            .try_lastmod("2024-03-04 05:06:07")
            .map(drop)
            .map_err(Error::from),
        "[`W3cDatetime::parse_lenient`](crate::W3cDatetime::parse_lenient), or a date of chrono, jiff or time in place of text",
        write(&page().with_lastmod(lenient)),
    );
    // As text, it is no date.
    let east = DateTime::parse_from_rfc3339("2024-03-04T05:06:07+15:00").unwrap();
    let east = W3cDatetime::from(east);
    add(
        Rule::InvalidDatetime,
        "an offset of more than 14 hours",
        write(&page().with_lastmod(east)),
        "`date.start().to_utc()` (see [`W3cDatetime::start`](crate::W3cDatetime::start))",
        write(&page().with_lastmod(east.start().to_utc())),
    );
    add(
        Rule::InvalidDatetime,
        "a year before 1 or after 9999",
        write(&page().with_lastmod(NaiveDate::MAX)),
        "`page.lastmod = None`: such a date stands for \"never\" or \"unknown\" in most databases.",
        write(&page()),
    );
    let until = |date: &str| with_video(|video| video.expiration_date = date.parse().ok());
    add(
        Rule::NonStandardDatetime,
        "a year or a month as the date of a video or of news; a minute as the date of a video",
        write(&until("2024-05")),
        "`\"2024-05-31\".parse()?`, or no date",
        write(&until("2024-05-31")),
    );
    add(
        Rule::InvalidChangefreq,
        "`\"Daily\".parse::<ChangeFreq>()`",
        "Daily"
            .parse::<quick_sitemap::ChangeFreq>()
            .map(drop)
            .map_err(Error::from),
        "`text.to_ascii_lowercase()`, or [`ChangeFreq::Daily`](crate::ChangeFreq)",
        "Daily"
            .to_ascii_lowercase()
            .parse::<quick_sitemap::ChangeFreq>()
            .map(drop)
            .map_err(Error::from),
    );
    add(
        Rule::InvalidPriority,
        "`Priority::new(80.0)`",
        Priority::new(80.0).map(drop).map_err(Error::from),
        "Divide by 100, or call [`Priority::tenths`](crate::Priority::tenths); `clamp(0.0, 1.0)` forces any number into the range.",
        Priority::new(80.0 / 100.0)
            .map(|priority| assert_eq!(priority, Priority::tenths(8)))
            .map_err(Error::from),
    );
    add(
        Rule::TooManyEntries,
        "entry 50,001 of a file",
        too_many(|limits| limits.entries = 2),
        "[`SplitWriter`](crate::SplitWriter) continues in another file.",
        split(|limits| limits.entries = 2, &page(), 3),
    );
    let part = SitemapEntry::try_from("https://example.com/sitemap-1.xml").unwrap();
    let full = || {
        let mut index = IndexWriter::new(Vec::new());
        (0..50_001).try_for_each(|_| index.write(&part))
    };
    add(
        Rule::TooManyEntries,
        "sitemap 50,001 of an index",
        full(),
        "Write a second index, and list both in robots.txt; an index cannot list another index.",
        Ok(()),
    );
    add(
        Rule::TooManyBytes,
        "an entry that would make the file larger than 52,428,800 bytes",
        too_many(|limits| limits.bytes = 230),
        "[`SplitWriter`](crate::SplitWriter) continues in another file.",
        split(|limits| limits.bytes = 230, &page(), 3),
    );
    let mut small = Limits::default();
    small.bytes = 150;
    add(
        Rule::TooManyBytes,
        "an entry that is too large for a file of its own",
        WriterBuilder::new()
            .limits(small)
            .urlset(Vec::new())
            .write(&page()),
        "Larger [`Limits`](crate::Limits), or fewer images and alternates in the entry",
        write(&page()),
    );
    let article = page().with_news(news());
    let mut writer = UrlsetWriter::new(Vec::new());
    add(
        Rule::TooManyNews,
        "news article 1,001 of a file",
        (0..1_001).try_for_each(|_| writer.write(&article)),
        "[`SplitWriter`](crate::SplitWriter) continues in another file.",
        split(|_| {}, &article, 1_001),
    );
    let mut pictures = page();
    pictures.images = vec![Image::new(url("https://example.com/a.png")); 1_001];
    let mut fewer = pictures.clone();
    fewer.images.truncate(1_000);
    add(
        Rule::TooManyImages,
        "1,001 images",
        write(&pictures),
        "`page.images.truncate(1_000)`",
        write(&fewer),
    );
    add(
        Rule::TooManyTags,
        "33 tags of a video",
        write(&with_video(|video| video.tags = vec!["tag".to_owned(); 33])),
        "`video.tags.truncate(32)`",
        write(&with_video(|video| {
            video.tags = vec!["tag".to_owned(); 33];
            video.tags.truncate(32);
        })),
    );
    add(
        Rule::TooManyTickers,
        "6 stock tickers",
        write(&with_news(|news| {
            news.stock_tickers = vec!["NASDAQ:AMAT".to_owned(); 6]
        })),
        "`news.stock_tickers.truncate(5)`",
        write(&with_news(|news| {
            news.stock_tickers = vec!["NASDAQ:AMAT".to_owned(); 6];
            news.stock_tickers.truncate(5);
        })),
    );
    add(
        Rule::TextTooLong,
        "a title of more than 100 characters, a description of more than 2,048, the name of an uploader of more than 255",
        write(&with_video(|video| video.title = Some("t".repeat(101)))),
        "`title.chars().take(100).collect()`",
        write(&with_video(|video| {
            video.title = Some("t".repeat(101).chars().take(100).collect())
        })),
    );
    add(
        Rule::MissingElement,
        "a video without a title, a description, a thumbnail or a place; news without a publication, a date or a title",
        write(&with_video(|video| video.title = None)),
        "Set the field, or leave the video or the news out; the constructors require all of these.",
        write(&with_video(|_| {})),
    );
    add(
        Rule::MissingAttribute,
        "an alternate without a language, an id of a video without a type",
        write(&page().with_alternate(Alternate::new("", url("https://example.com/de")))),
        "`Alternate::new(\"x-default\", url)` for the page that fits every language",
        write(&page().with_alternate(Alternate::new("x-default", url("https://example.com/de")))),
    );
    add(
        Rule::InvalidLanguage,
        "`Alternate::new(\"de_DE\", url)`",
        write(&page().with_alternate(Alternate::new("de_DE", url("https://example.com/de")))),
        "`text.replace('_', \"-\")`; for news `en` in place of `en-US`",
        write(&page().with_alternate(Alternate::new(
            "de_DE".replace('_', "-"),
            url("https://example.com/de"),
        ))),
    );
    add(
        Rule::InvalidCountry,
        "`Restriction::new(Relationship::Allow, [\"Ireland\"])`",
        write(&with_video(|video| {
            video.restriction = Some(Restriction::new(Relationship::Allow, ["Ireland"]));
        })),
        "The code of two capital letters: `[\"IE\"]`",
        write(&with_video(|video| {
            video.restriction = Some(Restriction::new(Relationship::Allow, ["IE"]));
        })),
    );
    add(
        Rule::InvalidNumber,
        "a duration of more than 28,800 seconds, or with a fraction",
        write(&with_video(|video| {
            video.duration = Some(Duration::from_millis(1_500))
        })),
        "`Duration::from_secs(duration.as_secs())`",
        write(&with_video(|video| {
            video.duration = Some(Duration::from_secs(Duration::from_millis(1_500).as_secs()));
        })),
    );
    add(
        Rule::InvalidKeyword,
        "a keyword with a comma; a genre, an access or a platform that the extension does not have",
        write(&with_news(|news| {
            news.keywords = vec!["cats, dogs".to_owned()]
        })),
        "One keyword per call: `with_keyword(\"cats\").with_keyword(\"dogs\")`",
        write(&page().with_news(news().with_keyword("cats").with_keyword("dogs"))),
    );
    add(
        Rule::InvalidCharacter,
        "a control character, which XML forbids",
        write(
            &page()
                .with_image(Image::new(url("https://example.com/a.png")).with_caption("a\u{1}b")),
        ),
        "`text.replace(char::is_control, \" \")`",
        write(
            &page().with_image(
                Image::new(url("https://example.com/a.png"))
                    .with_caption("a\u{1}b".replace(char::is_control, " ")),
            ),
        ),
    );
    add(
        Rule::InvalidCharacter,
        "white space at the ends of a text in a field",
        write(&with_video(|video| {
            video.title = Some(" Title ".to_owned())
        })),
        "`text.trim()`; the `with_` methods do that themselves.",
        write(&with_video(|video| {
            video.title = Some(" Title ".trim().to_owned())
        })),
    );
    let image_namespace = "http://www.google.com/schemas/sitemap-image/1.1";
    add(
        Rule::UnknownElement,
        "an element of a known extension in `UrlEntry::foreign`",
        write(&page().with_foreign(Element::new("image", image_namespace))),
        "The field of [`UrlEntry`](crate::UrlEntry) for it, here `images`",
        write(&page().with_image(Image::new(url("https://example.com/a.png")))),
    );
    add(
        Rule::WrongNamespace,
        "the same, in a non-standard form of the namespace",
        write(&page().with_foreign(Element::new(
            "image",
            "https://www.google.com/schemas/sitemap-image/1.1",
        ))),
        "The field of [`UrlEntry`](crate::UrlEntry) for it, here `images`",
        write(&page().with_image(Image::new(url("https://example.com/a.png")))),
    );
    add(
        Rule::UndeclaredPrefix,
        "a foreign element with a prefix and no namespace",
        write(&page().with_foreign(Element::new("x", "").with_prefix("geo"))),
        "`Element::new(name, namespace)` with the namespace of the vocabulary",
        write(&page().with_foreign(Element::new("x", "urn:geo").with_prefix("geo"))),
    );
    add(
        Rule::MalformedMarkup,
        "a foreign element whose name or namespace XML does not allow; a style sheet with `?>` in it",
        write(&page().with_foreign(Element::new("1 x", "urn:x"))),
        "A name of letters, digits, `-`, `_` and `.` that begins with a letter; a namespace that is a URI",
        write(&page().with_foreign(Element::new("x1", "urn:x"))),
    );
    let nested = |levels: usize| {
        let leaf = Element::new("x", "urn:x");
        (1..levels).fold(leaf, |inner, _| {
            Element::new("x", "urn:x").with_child(inner)
        })
    };
    add(
        Rule::TooDeep,
        "foreign elements on more than 64 levels",
        write(&page().with_foreign(nested(65))),
        "Fewer levels: readers skip such entries.",
        write(&page().with_foreign(nested(64))),
    );
    add(
        Rule::EntryTooLarge,
        "an entry of more than 2 MiB",
        write(&page().with_foreign(Element::new("x", "urn:x").with_text("x".repeat(3 << 20)))),
        "Less text: readers skip such entries.",
        write(&page().with_foreign(Element::new("x", "urn:x").with_text("x".repeat(1 << 20)))),
    );
    let with_videos = |count| (0..count).fold(page(), |page, _| page.with_video(video()));
    add(
        Rule::EntryTooLarge,
        "a page with more than 1,024 videos",
        write(&with_videos(1_025)),
        "`videos.truncate(1_024)`: readers drop the others.",
        write(&with_videos(1_024)),
    );
    let with_keywords = |count| with_news(|news| news.keywords = vec!["cats".to_owned(); count]);
    add(
        Rule::EntryTooLarge,
        "more than 65,536 words in the lists of an entry: keywords, genres, countries, platforms",
        write(&with_keywords(65_537)),
        "Shorter lists: readers drop the other words.",
        write(&with_keywords(65_536)),
    );
    let with_namespaces = |count| {
        let elements = (1..=count).map(|n| Element::new("x", format!("urn:{n}")));
        elements.fold(page(), UrlEntry::with_foreign)
    };
    add(
        Rule::EntryTooLarge,
        "foreign elements in more than 64 namespaces in one file",
        write(&with_namespaces(65)),
        "Fewer namespaces. [`SplitWriter`](crate::SplitWriter) continues in another file, unless a single entry has too many.",
        write(&with_namespaces(64)),
    );
    add(
        Rule::EntryTooLarge,
        "a namespace of 2,048 bytes or more",
        write(&page().with_foreign(Element::new("x", "urn:".repeat(512)))),
        "A shorter URI",
        write(&page().with_foreign(Element::new("x", "urn:x"))),
    );
    rows
}

/// Rules that only a document can break: what they are about is not in an entry, or a writer does it right.
const ONLY_READ: [Rule; 25] = [
    Rule::MissingLoc,
    Rule::RelativeUrl,
    Rule::NonStandardChangefreq,
    Rule::NonStandardPriority,
    Rule::EmptyElement,
    Rule::DuplicateElement,
    Rule::SecondLoc,
    Rule::MisplacedEntry,
    Rule::HistoricNamespace,
    Rule::WrongCase,
    Rule::BareAmpersand,
    Rule::UnknownEntity,
    Rule::MismatchedTag,
    Rule::UnclosedEntry,
    Rule::Doctype,
    Rule::StrayText,
    Rule::CommentInText,
    Rule::ContentAfterRoot,
    Rule::ContentBeforeDeclaration,
    Rule::SecondRoot,
    Rule::WrappedRoot,
    Rule::TrailingGzipData,
    Rule::EncodingConflict,
    Rule::IssuesOmitted,
    Rule::Internal,
];

#[test]
fn the_page_is_what_writers_say() {
    let rows = rows();
    for rule in Rule::ALL {
        let on_page = rows.iter().any(|row| row.rule == *rule);
        assert_ne!(
            on_page,
            ONLY_READ.contains(rule),
            "{rule}: add a row that breaks it, or name it in ONLY_READ"
        );
    }
    let order = |row: &Row| Rule::ALL.iter().position(|rule| *rule == row.rule);
    let mut rows = rows;
    rows.sort_by_key(order);
    let table: String = rows.iter().map(line).collect();
    let page = format!("{HEAD}{table}{TAIL}");
    written::compare(FILE, &page, "writing refused");
}

fn line(row: &Row) -> String {
    let Row {
        rule,
        rejected,
        message,
        what_now,
    } = row;
    // One long text is enough to show what is meant.
    let message = match message.char_indices().nth(220) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.clone(),
    };
    format!("| [`{rule}`](crate::Rule::{rule:?}) | {rejected} | `` {message} `` | {what_now} |\n")
}

/// A log must not contain a password.
#[test]
fn a_password_is_not_quoted() {
    let base = url("https://example.com/sitemap.xml");
    let page = UrlEntry::try_from("https://user:word@example.com/a").unwrap();
    let mut writer = WriterBuilder::new().location(base).urlset(Vec::new());
    let error = writer.write(&page).unwrap_err();
    assert!(!format!("{error:?}").contains("word@"), "{error:?}");
}

/// With `escape`, a writer accepts every entry that it accepts without it, and writes the same bytes.
#[test]
fn escaping_while_writing_is_escaping_before() {
    let image = Image::new(url("https://example.com/a[1].jpg"));
    let page = UrlEntry::try_from("https://example.com/?filter[color]=100%&a=%20#b#c")
        .unwrap()
        .with_image(image)
        .with_alternate(Alternate::new("de", url("https://example.com/de?a[]=%")))
        .with_video(Video::new(
            url("https://example.com/t[].jpg"),
            "Title",
            "Description",
            url("https://example.com/v[].mp4"),
        ));
    let part = SitemapEntry::try_from("https://example.com/sitemap.xml?part[]=1").unwrap();
    let plain = UrlEntry::try_from("https://example.com/a").unwrap();
    let (before, while_writing) = (WriterBuilder::new(), WriterBuilder::new().escape(true));

    let mut expected = before.urlset(Vec::new());
    expected.write(&page.clone().escaped()).unwrap();
    expected.write(&plain).unwrap();
    let mut writer = while_writing.urlset(Vec::new());
    writer.write(&page).unwrap();
    writer.write(&plain).unwrap();
    assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());

    let mut expected = before.index(Vec::new());
    expected.write(&part.clone().escaped()).unwrap();
    let mut writer = while_writing.index(Vec::new());
    writer.write(&part).unwrap();
    assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());

    let mut expected = before.text(Vec::new());
    expected.write(&page.clone().escaped()).unwrap();
    let mut writer = while_writing.text(Vec::new());
    writer.write(&page).unwrap();
    assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());

    // It encodes, and allows nothing else.
    let mut writer = while_writing.urlset(Vec::new());
    let long = UrlEntry::new(url(&format!("https://example.com/{}", "[".repeat(1_000))));
    let error = writer.write(&long).unwrap_err();
    assert_eq!(error.violation().map(|v| v.rule()), Some(Rule::UrlTooLong));
    assert_eq!(writer.entries(), 0);
}

/// The issues of a reader are for the author of the sitemap, so they do not name a call.
#[test]
fn readers_name_no_calls() {
    let mut reader = quick_sitemap::ReaderBuilder::new()
        .policy(quick_sitemap::Policy::STRICT)
        .from_bytes("https://example.com/[a]\n");
    let error = reader.next().unwrap().unwrap_err();
    assert!(error.violation().unwrap().help().is_some());
    assert!(!error.to_string().contains("escaped"), "{error}");
}
