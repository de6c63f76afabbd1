//! Writing through the public API.

use crate::every_part;
use std::io::{self, Write};
use std::time::Duration;

use quick_sitemap::extension::foreign::{Attribute, Element, Node};
use quick_sitemap::extension::{
    Alternate, Genre, IdKind, Image, News, Platforms, Player, Price, PriceType, Publication,
    Relationship, Restriction, Uploader, Video, VideoId,
};
use quick_sitemap::{
    ChangeFreq, Entry, Error, ErrorKind, Extension, IndexWriter, Limits, Policy, Priority,
    ReaderBuilder, Rule, SitemapEntry, TextWriter, UrlEntry, UrlsetWriter, W3cDatetime,
    WriterBuilder,
};
use url::Url;

use crate::schema::{validate, verdict};
use Rule::*;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn page(text: &str) -> UrlEntry {
    UrlEntry::new(url(text))
}

fn date(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

fn home() -> UrlEntry {
    page("https://example.com/")
}

fn part() -> SitemapEntry {
    SitemapEntry::new(url("https://example.com/1.xml"))
}

fn image() -> Image {
    Image::new(url("https://example.com/a.jpg"))
}

/// The rule of a rejection.
fn rule(result: Result<(), Error>) -> Rule {
    match result.unwrap_err().kind() {
        ErrorKind::Violation(violation) => violation.rule(),
        other => panic!("{other:?}"),
    }
}

/// The file of these entries.
fn file(builder: &WriterBuilder, entries: &[UrlEntry]) -> Vec<u8> {
    let mut writer = builder.urlset(Vec::new());
    for entry in entries {
        writer.write(entry).unwrap();
    }
    writer.finish().unwrap()
}

fn plain_file(entries: &[UrlEntry]) -> Vec<u8> {
    file(&WriterBuilder::new(), entries)
}

fn text_of(file: Vec<u8>) -> String {
    String::from_utf8(file).unwrap()
}

/// The text between the root's tags when these entries are written.
fn body(entries: &[UrlEntry]) -> String {
    entries.iter().for_each(|entry| entry.check().unwrap());
    let xml = text_of(plain_file(entries));
    let (_, body) = xml
        .split_once("0.9\">\n")
        .unwrap_or_else(|| xml.split_once(">\n<url>").unwrap());
    body.strip_suffix("</urlset>\n").unwrap().to_owned()
}

/// The first rule that an entry breaks. No part of the entry is written.
fn refusal(entry: &UrlEntry) -> Rule {
    let mut writer = UrlsetWriter::new(Vec::new());
    let found = rule(writer.write(entry));
    assert_eq!(entry.check().unwrap_err().rule(), found);
    writer.write(&home()).unwrap();
    assert_eq!(writer.finish().unwrap(), plain_file(&[home()]));
    found
}

fn limits(entries: u64, bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.entries = entries;
    limits.bytes = bytes;
    limits
}

fn video() -> Video {
    Video::new(
        url("https://example.com/t.jpg"),
        "Title",
        "Description",
        url("https://example.com/v.mp4"),
    )
}

fn news() -> News {
    News::new(
        Publication::new("The <Times>", "zh-tw"),
        date("2024-03-04"),
        "Cats & dogs",
    )
}

/// Every field of everything, and the longest values.
fn everything() -> UrlEntry {
    let mut page = every_part::page();
    page.loc = url("https://example.com/?a='1'&b=(2)");
    page.images[0].caption = Some("A < B > C & D \"E\" 'F' ]]> \u{1F408}".to_owned());
    let tags = (0..30).map(|n| format!("tag {n}"));
    page.videos[0].tags.extend(tags);
    page.with_video(Video::played_by(
        Player::new(url("https://example.com/p")),
        url("https://example.com/t.jpg"),
        "é".repeat(100),
        "é".repeat(2_048),
    ))
}

#[test]
fn the_schemas_accept_every_field_however_it_is_laid_out() {
    let dated = home().with_lastmod(date("2024-03-04"));
    for indent in [0, 1, 4] {
        let builder = WriterBuilder::new()
            .indent(indent)
            .stylesheet("/a?x=\"?>\"&b");
        let first = file(&builder, &[everything(), dated.clone(), everything()]);
        validate(&first, "urlset.xsd");
        // In the other order, the namespaces are declared later than the root.
        validate(&file(&builder, &[home(), everything()]), "urlset.xsd");
        let mut writer = builder.index(Vec::new());
        for part in [part().with_lastmod(date("2024-03-04")), part()] {
            writer.write(&part).unwrap();
        }
        validate(&writer.finish().unwrap(), "siteindex.xsd");
    }
}

/// Every precision of a date, the shortest loc, elements of any namespace, and no entry.
#[test]
fn the_schemas_accept_what_the_protocol_allows() {
    let foreign = Element::new("a", "urn:a").with_child(Element::new("b", ""));
    let dates = ["2024", "2024-05", "2024-05-06", "2024-05-06T07:08Z"];
    let (mut pages, mut parts) = (UrlsetWriter::new(Vec::new()), IndexWriter::new(Vec::new()));
    validate(&plain_file(&[]), "urlset.xsd");
    let no_part = IndexWriter::new(Vec::new()).finish().unwrap();
    validate(&no_part, "siteindex.xsd");
    for text in dates.iter().chain(&["2024-05-06T07:08:09.25+01:00"]) {
        let page = page("http://a.b/").with_lastmod(date(text));
        let part = SitemapEntry::new(page.loc.clone()).with_lastmod(date(text));
        pages.write(&page.with_foreign(foreign.clone())).unwrap();
        parts.write(&part.with_foreign(foreign.clone())).unwrap();
    }
    validate(&pages.finish().unwrap(), "urlset.xsd");
    validate(&parts.finish().unwrap(), "siteindex.xsd");
}

/// A schema that accepts anything would prove nothing: each piece of a written file is replaced by one that breaks a rule.
#[test]
fn the_schemas_reject_each_value_that_breaks_a_rule() {
    let written = std::fs::read_to_string(every_part::PATH).unwrap();
    validate(written.as_bytes(), "urlset.xsd");
    for (sound, broken) in [
        ("<loc>https:", "<loc>ftp:"),
        ("<lastmod>2024-03-04T", "<lastmod>2024-03-04 "),
        (">never<", ">Never<"),
        (">0.85<", ">1.5<"),
        ("<changefreq>never</changefreq>", "<priority>0.1</priority>"),
        ("hreflang=\"x-default\"", "hreflang=\"x_default\""),
        (" rel=\"alternate\"", ""),
        ("<image:loc>https://cdn", "<image:loc>cdn"),
        ("image:title>", "image:tilte>"),
        ("<video:title>Cats &amp; dogs</video:title>", ""),
        (">28800<", ">28801<"),
        (">2030-01-01<", ">2030-01<"),
        (">4.5<", ">5.1<"),
        (">yes<", ">true<"),
        (">IE GB<", ">IE, GB<"),
        ("currency=\"EUR\"", "currency=\"Euro\""),
        ("resolution=\"HD\"", "resolution=\"4K\""),
        (">web mobile tv<", ">web,mobile<"),
        ("type=\"url\"", "type=\"uri\""),
        (">zh-tw<", ">en-US<"),
        (">Registration<", ">Free<"),
        (">PressRelease, ", ">Press, "),
        (">NASDAQ:AMAT, ", ">AMAT, "),
        ("<news:title>Cats</news:title>", ""),
    ] {
        assert!(written.contains(sound), "{sound}");
        let text = written.replace(sound, broken);
        let verdict = verdict(text.as_bytes(), "urlset.xsd");
        assert!(verdict.is_none_or(|verdict| verdict.is_err()), "{broken}");
    }
}

/// The entries, read under the strict policy without an issue.
fn read(bytes: &[u8]) -> Vec<Entry> {
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(bytes);
    let mut entries = Vec::new();
    while let Some(entry) = reader.next() {
        assert_eq!(reader.issues(), []);
        entries.push(entry.unwrap());
    }
    assert_eq!(reader.issues(), []);
    entries
}

fn reads_back(file: &[u8], pages: &[UrlEntry]) {
    let pages: Vec<_> = pages.iter().cloned().map(Entry::from).collect();
    assert_eq!(read(file), pages, "{}", String::from_utf8_lossy(file));
}

#[test]
fn what_is_written_reads_back_equal() {
    let foreign = Element::new("a", "urn:1")
        .with_prefix("p")
        .with_attribute("k", " \"v\"\n\t\r")
        .with_text("x < y &amp;")
        .with_child(Element::new("b", "").with_text("c"))
        .with_child(Element::new("b", "urn:2").with_prefix("p"))
        .with_text("z")
        .with_child(Element::new("PageMap", "urn:1"));
    let link = Element::new("link", "http://www.w3.org/1999/xhtml")
        .with_prefix("xhtml")
        .with_attribute("rel", "amphtml");
    let pages = [
        home(),
        everything(),
        home().with_foreign(foreign.clone()).with_foreign(link),
        home()
            .with_lastmod(date("2024"))
            .with_priority(Priority::new(0.0).unwrap()),
        page("https://ex.example/ü?ü='\"#'ü"),
    ];
    for indent in [0, 2] {
        let builder = WriterBuilder::new().indent(indent).stylesheet("/a.xsl");
        for pages in [pages.to_vec(), pages.iter().rev().cloned().collect()] {
            reads_back(&file(&builder, &pages), &pages);
        }
        let part = part()
            .with_lastmod(date("2024-03-04"))
            .with_foreign(foreign.clone());
        let mut writer = builder.index(Vec::new());
        writer.write(&part).unwrap();
        assert_eq!(read(&writer.finish().unwrap()), [Entry::from(part)]);
    }
    let mut writer = TextWriter::new(Vec::new());
    writer.write(&home()).unwrap();
    reads_back(&writer.finish().unwrap(), &[home()]);
    reads_back(&plain_file(&[]), &[]);
}

#[test]
fn elements_come_in_schema_order_one_entry_a_line() {
    let entry = home()
        .with_priority(Priority::default())
        .with_changefreq(ChangeFreq::Daily)
        .with_lastmod(date("2024-03-04"));
    assert_eq!(
        body(&[entry, home()]),
        "<url><loc>https://example.com/</loc><lastmod>2024-03-04</lastmod>\
         <changefreq>daily</changefreq><priority>0.5</priority></url>\n\
         <url><loc>https://example.com/</loc></url>\n"
    );
}

#[test]
fn indentation() {
    let map = Element::new("PageMap", "urn:p").with_child(Element::new("a", "urn:p"));
    let entry = home().with_image(image()).with_foreign(map);
    let xml = text_of(file(&WriterBuilder::new().indent(2), &[entry]));
    let (_, body) = xml.split_once("1.1\">\n").unwrap();
    assert_eq!(
        body,
        "  <url>\n    <loc>https://example.com/</loc>\n    <image:image>\n      \
         <image:loc>https://example.com/a.jpg</image:loc>\n    </image:image>\n    \
         <PageMap xmlns=\"urn:p\"><a/></PageMap>\n  </url>\n</urlset>\n"
    );
}

#[test]
fn an_empty_file_is_a_valid_one() {
    assert_eq!(text_of(plain_file(&[])), format!("{HEAD}</urlset>\n"));
    let xml = IndexWriter::new(Vec::new()).finish().unwrap();
    assert!(xml.ends_with(b"</sitemapindex>\n"));
    assert_eq!(TextWriter::new(Vec::new()).finish().unwrap(), b"");
}

#[test]
fn namespaces_are_on_the_root_for_the_first_entry_and_on_the_element_later() {
    let image = home().with_image(image());
    let alternate = home().with_alternate(Alternate::new("de", url("https://example.com/de")));
    let xml = text_of(plain_file(&[
        image.clone(),
        alternate.clone(),
        alternate,
        image,
    ]));
    let root = xml.lines().nth(1).unwrap();
    assert!(root.contains(" xmlns:image=") && !root.contains("xhtml"));
    let link = "<xhtml:link xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" rel=";
    assert_eq!(xml.matches(link).count(), 2, "{xml}");
    assert_eq!(xml.matches("<image:image>").count(), 2, "{xml}");
    validate(xml.as_bytes(), "urlset.xsd");
}

#[test]
fn declared_namespaces_and_conflicts() {
    let all = WriterBuilder::new().declare(Extension::ALL.iter().copied());
    let xml = text_of(file(&all, &[home(), everything()]));
    assert_eq!(xml.matches("xmlns:").count(), 4);

    // A prefix that is taken for something else is declared anew where it is needed.
    let other = WriterBuilder::new().declare([("image", "urn:other")]);
    let xml = text_of(file(&other, &[everything()]));
    let declaration =
        "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";
    assert_eq!(xml.matches(declaration).count(), 2);
    validate(xml.as_bytes(), "urlset.xsd");

    let twice = [("a", "urn:x"), ("a", "urn:x"), ("b", "urn:x")];
    file(&WriterBuilder::new().declare(twice), &[]);
    for (bad, expected) in [
        (&[("", "urn:x")][..], MalformedMarkup),
        (&[("a b", "urn:x")], MalformedMarkup),
        (&[("xml", "urn:x")], MalformedMarkup),
        (&[("xmlns", "urn:x")], MalformedMarkup),
        (&[("a", XML)], MalformedMarkup),
        (&[("a", XMLNS)], MalformedMarkup),
        (&[("a", "urn:x"), ("a", "urn:y")], MalformedMarkup),
        (&[("a", "")], UndeclaredPrefix),
    ] {
        let builder = WriterBuilder::new().declare(bad.iter().copied());
        let mut writer = builder.urlset(Vec::new());
        assert_eq!(rule(writer.write(&home())), expected, "{bad:?}");
        assert_eq!(rule(writer.finish().map(drop)), expected, "{bad:?}");
    }
}

/// This number of elements, each in its own namespace, from this one on.
fn with_namespaces(first: usize, count: usize) -> UrlEntry {
    (first..first + count).fold(home(), |page, n| {
        let element = Element::new("a", format!("urn:{n}")).with_prefix(format!("p{n}"));
        page.with_foreign(element)
    })
}

/// An element with this number of levels, and with attributes in this number of namespaces.
fn with_prefixed_attributes(count: usize, depth: usize) -> UrlEntry {
    let mut element = Element::new("a", "urn:0");
    for n in 1..count {
        let attribute = Attribute::new(format!("p{n}:a"), format!("urn:{n}"), "v");
        element.attributes.push(attribute);
    }
    for _ in 0..depth {
        element = Element::new("a", "urn:0").with_child(element);
    }
    home().with_foreign(element)
}

#[test]
fn a_file_has_64_foreign_namespaces() {
    let image = home().with_image(image());
    for all in [with_namespaces(0, 64), with_prefixed_attributes(64, 60)] {
        for first in [all.clone(), with_namespaces(40, 5), home()] {
            let mut writer = UrlsetWriter::new(Vec::new());
            let others = [with_namespaces(7, 20), image.clone(), all.clone()];
            let mut entries = [vec![first, all.clone()], others.to_vec()].concat();
            for entry in &entries {
                writer.write(entry).unwrap();
            }
            let error = writer.write(&with_namespaces(60, 5)).unwrap_err();
            assert_eq!(
                error.to_string(),
                "namespace `urn:64` is one too many (a file can have 64 foreign namespaces)"
            );
            assert_eq!(error.violation().unwrap().rule(), EntryTooLarge);
            writer.write(&image).unwrap();
            entries.push(image.clone());
            reads_back(&writer.finish().unwrap(), &entries);
        }
    }
    for entry in [with_namespaces(0, 65), with_prefixed_attributes(65, 0)] {
        assert_eq!(refusal(&entry), EntryTooLarge);
    }
    // An element without a namespace is not counted.
    let bare = Element::new("a", "urn:63").with_child(Element::new("b", ""));
    let all = with_namespaces(0, 63).with_foreign(bare);
    reads_back(&plain_file(std::slice::from_ref(&all)), &[all]);
    // Nor do the namespaces of a rejected entry, although the next extension takes the place of one of them.
    let expected = [home(), image, with_namespaces(100, 64)];
    let mut writer = UrlsetWriter::new(Vec::new());
    for entry in &expected {
        let refused = writer.write(&with_namespaces(0, 65));
        assert_eq!(rule(refused), EntryTooLarge);
        writer.write(entry).unwrap();
    }
    reads_back(&writer.finish().unwrap(), &expected);
    // The namespaces of a rejected entry are not counted, and neither are those that are only declared.
    let mut writer = declaring(100).urlset(Vec::new());
    for (entry, is_written) in [
        (with_namespaces(0, 1), true),
        (with_namespaces(100, 64), false),
        (with_namespaces(1, 63), true),
        (with_namespaces(100, 1), false),
    ] {
        let written = writer.write(&entry);
        assert_eq!(written.is_ok(), is_written);
        assert!(is_written || rule(written) == EntryTooLarge);
    }
    assert_eq!(read(&writer.finish().unwrap()).len(), 2);
}

#[test]
fn a_set_has_as_many_namespaces_as_its_parts_have() {
    use quick_sitemap::{Memory, SplitWriter};

    // The location allows every page.
    let mut set = SplitWriter::new(Memory::new(&url("https://example.com/")));
    let entries: Vec<_> = (0..10).map(|n| with_namespaces(20 * n, 20)).collect();
    for entry in &entries {
        set.write(entry).unwrap();
    }
    let refused = set.write(&with_namespaces(0, 65));
    assert_eq!(rule(refused), EntryTooLarge);
    set.write(&with_namespaces(500, 64)).unwrap();
    let mut files = set.finish().unwrap();
    files.pop(); // the index
    let mut rest = &entries[..];
    for (count, (_, part)) in [3, 3, 3, 1].into_iter().zip(&files) {
        let own;
        (own, rest) = rest.split_at(count);
        reads_back(part, own);
    }
    reads_back(&files[4].1, &[with_namespaces(500, 64)]);
    assert_eq!((files.len(), rest.len()), (5, 0));
}

/// With this number of declared namespaces that no entry has.
fn declaring(count: usize) -> WriterBuilder {
    let declared = (0..count).map(|n| (format!("d{n}"), format!("urn:d{n}")));
    WriterBuilder::new().declare(declared)
}

#[test]
fn namespaces_are_declared_as_often_as_readers_accept() {
    let image = home().with_image(image());
    // The namespace of sitemaps is declared, too.
    let refused = declaring(256).urlset(Vec::new()).write(&home());
    assert_eq!(rule(refused), MalformedMarkup);
    let mut writer = declaring(255).urlset(Vec::new());
    for entry in [&image, &with_namespaces(0, 1)] {
        assert_eq!(rule(writer.write(entry)), MalformedMarkup);
    }
    writer.write(&home()).unwrap();
    assert_eq!(rule(writer.write(&image)), MalformedMarkup);
    reads_back(&writer.finish().unwrap(), &[home()]);
    // Prefixes of the first entry that are declared on the root do not take a place from other elements.
    let twice = [with_namespaces(0, 1), with_namespaces(0, 1)];
    reads_back(&file(&declaring(254), &twice), &twice);
}

#[test]
fn the_length_of_a_namespace() {
    let element = |len: usize| home().with_foreign(Element::new("a", "u".repeat(len)));
    assert!(body(&[element(2_047)]).contains("u\"/></url>"));
    assert_eq!(refusal(&element(2_048)), EntryTooLarge);
    let declared = WriterBuilder::new().declare([("x", "u".repeat(2_048))]);
    let finished = declared.urlset(Vec::new()).finish();
    assert_eq!(rule(finished.map(drop)), EntryTooLarge);
}

#[test]
fn a_namespace_has_only_characters_of_uris() {
    let prefixed = |namespace| home().with_foreign(Element::new("a", namespace).with_prefix("x"));
    for namespace in ["<b>", " a ", "\u{7F}", "a b", "urn:ü", "a^", "{a}"] {
        let entry = prefixed(namespace);
        assert_eq!(refusal(&entry), MalformedMarkup, "{namespace}");
        let mut writer = UrlsetWriter::new(Vec::new());
        writer.write(&home()).unwrap();
        assert_eq!(rule(writer.write(&entry)), MalformedMarkup);
        let declared = WriterBuilder::new().declare([("x", namespace)]);
        let finished = declared.urlset(Vec::new()).finish();
        assert_eq!(rule(finished.map(drop)), MalformedMarkup);
        let mut element = Element::new("a", "urn:x");
        let attribute = Attribute::new("y:b", namespace, "");
        element.attributes.push(attribute);
        let entry = home().with_foreign(element);
        assert_eq!(refusal(&entry), MalformedMarkup);
    }
    for namespace in ["urn:x", "x", "//a", "http://a/b/1.0", "tag:a@b,2024:#c"] {
        assert!(body(&[home(), prefixed(namespace)]).contains(namespace));
    }
}

#[test]
fn the_style_sheet_cannot_break_out() {
    for (href, kind, written) in [
        ("a?>\"'<&", "xsl", "a?&gt;&quot;&apos;&lt;&amp;"),
        ("/a.css?'", "css", "/a.css?&apos;"),
    ] {
        let xml = text_of(file(&WriterBuilder::new().stylesheet(href), &[]));
        let pi = format!("<?xml-stylesheet type=\"text/{kind}\" href=\"{written}\"?>");
        assert_eq!(xml.lines().nth(1), Some(&*pi));
    }
    let mut writer = WriterBuilder::new().stylesheet("a\u{1}").urlset(Vec::new());
    assert_eq!(rule(writer.write(&home())), InvalidCharacter);
    assert_eq!(rule(writer.finish().map(drop)), InvalidCharacter);
}

#[test]
fn what_a_loc_may_be() {
    let long = |n: usize| page(&format!("https://example.com/{}", "a".repeat(n - 20)));
    assert!(body(&[long(2_047)]).contains("</loc>"));
    assert_eq!(refusal(&long(2_048)), UrlTooLong);
    for (loc, expected) in [
        ("ftp://example.com/", UnsupportedScheme),
        ("file:///etc", UnsupportedScheme),
        ("https://example.com/a[0]", UrlNotEscaped),
        ("https://example.com/?a[]=1", UrlNotEscaped),
        ("https://example.com/100%", UrlNotEscaped),
        ("https://example.com/%zz", UrlNotEscaped),
        ("https://example.com/#a#b", UrlNotEscaped),
    ] {
        assert_eq!(refusal(&page(loc)), expected, "{loc}");
    }
    let strange = [
        "http://[::1]:8080/a%2Fb",
        "https://example.com/|^~`{}",
        "https://example.com/?'\"<>|`{}#'\"<>",
        "https://ex_ample.com/ü ?ü#ü",
    ];
    validate(&plain_file(&strange.map(page)), "urlset.xsd");
    let part = SitemapEntry::new(url("ftp://example.com/"));
    let refused = IndexWriter::new(Vec::new()).write(&part);
    assert_eq!(rule(refused), UnsupportedScheme);
    let refused = TextWriter::new(Vec::new()).write(&long(2_048));
    assert_eq!(rule(refused), UrlTooLong);
}

#[test]
fn a_date_that_the_notation_cannot_write_is_refused() {
    let far = quick_sitemap::chrono::NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
    let in_a_video = home().with_video(video().with_publication_date(far));
    for entry in [home().with_lastmod(far), in_a_video] {
        assert_eq!(refusal(&entry), InvalidDatetime);
    }
}

#[test]
fn characters_that_xml_forbids_are_refused_others_escaped() {
    let with_caption = |text: &str| {
        let mut image = image();
        image.caption = Some(text.to_owned());
        home().with_image(image)
    };
    for bad in [
        "a\0b",
        "\u{1}",
        "a\u{8}b",
        "a\u{b}b",
        "a\u{1f}b",
        "a\u{fffe}b",
        "a\u{ffff}",
        "0123456789abcdef\u{1b}",
    ] {
        let entry = with_caption(bad);
        assert_eq!(refusal(&entry), InvalidCharacter, "{bad:?}");
    }
    let xml = body(&[with_caption(
        "a\tb\nc\rd\u{7f}\u{85}e\u{feff}f\u{fffd}g&amp;<>\"'",
    )]);
    let written = "a\tb\nc&#13;d\u{7f}\u{85}e\u{feff}f\u{fffd}g&amp;amp;&lt;&gt;&quot;&apos;<";
    assert!(xml.contains(written), "{xml}");
}

#[test]
fn text_is_neither_blank_nor_padded() {
    let mut image = image().with_title(" \u{a0}").with_caption("\u{3000}a b ");
    let kept = (image.title.as_deref(), image.caption.as_deref());
    assert_eq!(kept, (None, Some("a b")));
    for (title, expected) in [(" a", InvalidCharacter), ("", MissingElement)] {
        image.title = Some(title.to_owned());
        assert_eq!(refusal(&home().with_image(image.clone())), expected);
    }
    assert!(video().with_tag(" ").tags.is_empty());
}

/// The rule that a change breaks.
type Breach<T> = (Rule, fn(&mut T));

#[test]
fn what_the_extensions_demand() {
    let alternate = |tag: &str, place: &str| home().with_alternate(Alternate::new(tag, url(place)));
    let page = "https://example.com/";
    assert_eq!(refusal(&alternate("", page)), MissingAttribute);
    assert_eq!(refusal(&alternate("de_CH", page)), InvalidLanguage);
    let far = alternate("de", "ftp://example.com/");
    assert_eq!(refusal(&far), UnsupportedScheme);

    let mut many = home();
    many.images = vec![image(); 1_000];
    assert!(body(std::slice::from_ref(&many)).len() > 1_000);
    many.images.push(image());
    assert_eq!(refusal(&many), TooManyImages);

    fn publication(news: &mut News) -> &mut Publication {
        news.publication.as_mut().unwrap()
    }
    let news_that_are_broken: [Breach<News>; 12] = [
        (MissingElement, |n| n.title = None),
        (MissingElement, |n| n.publication = None),
        (MissingElement, |n| n.publication_date = None),
        (MissingElement, |n| publication(n).name = None),
        (MissingElement, |n| publication(n).language = None),
        (InvalidLanguage, |n| {
            *publication(n) = Publication::new("a", "en-US")
        }),
        (InvalidLanguage, |n| {
            *publication(n) = Publication::new("a", "EN")
        }),
        (InvalidKeyword, |n| n.access = Some("paid".into())),
        (InvalidKeyword, |n| {
            n.genres = vec![Genre::Blog, "Poem".into()]
        }),
        (InvalidKeyword, |n| n.keywords = vec!["a, b".to_owned()]),
        (InvalidKeyword, |n| {
            n.stock_tickers = vec!["AMAT".to_owned()]
        }),
        (TooManyTickers, |n| {
            n.stock_tickers = vec!["A:B".to_owned(); 6]
        }),
    ];
    for (row, (expected, change)) in news_that_are_broken.iter().enumerate() {
        let mut news = news();
        change(&mut news);
        assert_eq!(refusal(&home().with_news(news)), *expected, "row {row}");
    }

    fn denied(code: &str) -> Option<Restriction> {
        Some(Restriction::new(Relationship::Deny, [code]))
    }
    let videos_that_are_broken: [Breach<Video>; 21] = [
        (MissingElement, |v| v.title = None),
        (MissingElement, |v| v.description = None),
        (MissingElement, |v| v.thumbnail_loc = None),
        (MissingElement, |v| v.content_loc = None),
        (TextTooLong, |v| v.title = Some("é".repeat(101))),
        (TextTooLong, |v| v.description = Some("é".repeat(2_049))),
        (TextTooLong, |v| v.category = Some("é".repeat(257))),
        (InvalidNumber, |v| {
            v.duration = Some(Duration::from_secs(28_801))
        }),
        (InvalidNumber, |v| {
            v.duration = Some(Duration::from_millis(1_500))
        }),
        (TooManyTags, |v| v.tags = vec!["a".to_owned(); 33]),
        (InvalidCountry, |v| v.restriction = denied("us")),
        (InvalidCountry, |v| v.restriction = denied("USA")),
        (InvalidCountry, |v| v.restriction = denied("U")),
        (InvalidCountry, |v| v.restriction = denied("")),
        (MissingAttribute, |v| {
            v.restriction = denied("US");
            v.restriction.as_mut().unwrap().relationship = None;
        }),
        (InvalidKeyword, |v| {
            v.platform = Some(Platforms::new(Relationship::Allow, ["radio".into()]));
        }),
        (InvalidNumber, |v| {
            v.prices = vec![Price::new("1,99", "EUR")]
        }),
        (MissingElement, |v| v.uploader = Some(Uploader::new(""))),
        (MissingElement, |v| {
            v.ids = vec![VideoId::new("", IdKind::Url)]
        }),
        (InvalidKeyword, |v| {
            v.ids = vec![VideoId::new("a", "x".into())]
        }),
        (MissingAttribute, |v| {
            v.ids = vec![VideoId::new("a", IdKind::Url)];
            v.ids[0].kind = None;
        }),
    ];
    for (row, (expected, change)) in videos_that_are_broken.iter().enumerate() {
        let mut video = video();
        change(&mut video);
        assert_eq!(refusal(&home().with_video(video)), *expected, "row {row}");
    }
}

#[test]
fn a_thousand_news_a_file() {
    let article = home().with_news(news());
    let mut writer = UrlsetWriter::new(Vec::new());
    for _ in 0..1_000 {
        writer.write(&article).unwrap();
    }
    assert_eq!(rule(writer.write(&article)), TooManyNews);
    writer.write(&home()).unwrap();
    validate(&writer.finish().unwrap(), "urlset.xsd");
}

#[test]
fn foreign_elements_are_written_whole() {
    let inner = Element::new("b", "urn:2")
        .with_prefix("p")
        .with_text("x < y")
        .with_child(Element::new("c", ""))
        .with_text("z");
    let mut outer = Element::new("a", "urn:1")
        .with_prefix("p")
        .with_attribute("k", "\"v\"\n")
        .with_child(inner.clone())
        .with_child(Element::new("d", "urn:1").with_prefix("p"));
    outer.attributes.push(Attribute::new("q:k", "urn:3", "w"));
    outer.attributes.push(Attribute::new("xml:lang", XML, "de"));
    assert_eq!(
        body(&[home(), home().with_foreign(outer)]),
        "<url><loc>https://example.com/</loc></url>\n<url><loc>https://example.com/</loc>\
         <p:a xmlns:p=\"urn:1\" xmlns:q=\"urn:3\" k=\"&quot;v&quot;&#10;\" q:k=\"w\" xml:lang=\"de\">\
         <p:b xmlns:p=\"urn:2\">x &lt; y<c xmlns=\"\"/>z</p:b><p:d/></p:a></url>\n"
    );
    // Two that use one prefix for two namespaces: the root declares the first.
    let other = Element::new("e", "urn:4").with_prefix("p");
    let xml = text_of(plain_file(&[home()
        .with_foreign(inner)
        .with_foreign(other)]));
    assert!(
        xml.contains("0.9\" xmlns:p=\"urn:2\">") && xml.contains("<p:e xmlns:p=\"urn:4\"/>"),
        "{xml}"
    );
}

#[test]
fn foreign_elements_that_are_none_are_refused() {
    let element = || Element::new("a", "urn:1");
    let in_namespace = |uri: &str| Element::new("a", uri);
    let refused = |element: Element| refusal(&home().with_foreign(element));
    for name in ["", "a b", "1a", "a:b", "a>", "-a"] {
        let mut broken = vec![Element::new(name, "urn:1")];
        broken.extend((name != "a:b").then(|| element().with_attribute(name, "")));
        broken.extend((!name.is_empty()).then(|| element().with_prefix(name)));
        for element in broken {
            assert_eq!(refused(element), MalformedMarkup, "{name}");
        }
    }
    for (name, namespace) in [
        ("a b:k", "urn:2"),
        ("q:1k", "urn:2"),
        ("q:", "urn:2"),
        (":k", "urn:2"),
        // An attribute without a prefix is in no namespace.
        ("k", "urn:2"),
        ("q:k", XML),
        ("q:k", XMLNS),
        // The prefix of the element itself, for another namespace.
        ("p:k", "urn:2"),
    ] {
        let mut element = element().with_prefix("p");
        element.attributes.push(Attribute::new(name, namespace, ""));
        assert_eq!(refused(element), MalformedMarkup, "{name} {namespace}");
    }
    let attribute = |name: &str, value: &str| element().with_attribute(name, value);
    let link = |rel: &str| {
        Element::new("link", "http://www.w3.org/1999/xhtml")
            .with_prefix("xhtml")
            .with_attribute("rel", rel)
            .with_attribute("href", "/amp")
    };
    let image = |uri: &str| Element::new("image", uri);
    let own = "http://www.sitemaps.org/schemas/sitemap/0.9";
    for (expected, element) in [
        (MalformedMarkup, element().with_prefix("xml")),
        (MalformedMarkup, element().with_prefix("xmlns")),
        (MalformedMarkup, attribute("xmlns", "urn:2")),
        (
            MalformedMarkup,
            attribute("k", "1").with_attribute("k", "2"),
        ),
        (InvalidCharacter, attribute("k", "\u{1}")),
        (InvalidCharacter, element().with_text("\u{1}")),
        (UndeclaredPrefix, in_namespace("").with_prefix("p")),
        (UndeclaredPrefix, attribute("p:k", "")),
        // Elements that a reader would interpret as something else.
        (UnknownElement, in_namespace("")),
        (UnknownElement, in_namespace(own)),
        (
            UnknownElement,
            in_namespace(&own.replace("http:", "https:")).with_prefix("s"),
        ),
        (
            UnknownElement,
            element().with_child(in_namespace(own).with_prefix("s")),
        ),
        (
            UnknownElement,
            element().with_child(Element::new("URL", "")),
        ),
        (UnknownElement, link("alternate")),
        (
            UnknownElement,
            image("http://www.google.com/schemas/sitemap-image/1.1"),
        ),
        (
            WrongNamespace,
            image("https://www.google.com/schemas/sitemap-image/1.1/"),
        ),
        (
            WrongNamespace,
            image("//www.google.com/schemas/sitemap-image/1.1"),
        ),
        (
            WrongNamespace,
            image("http://www.google.com/schemas/sitemap-image/1.0"),
        ),
        (
            WrongNamespace,
            image(" http://www.google.com/schemas/sitemap-image/1.1"),
        ),
        (EntryTooLarge, element().with_text("a".repeat(2 << 20))),
    ] {
        let shown = format!("{element:.100?}");
        assert_eq!(refused(element), expected, "{shown}");
    }
    let amp = home().with_foreign(link("amphtml"));
    validate(&plain_file(&[amp]), "urlset.xsd");
}

#[test]
fn foreign_elements_have_bounds() {
    let element = || Element::new("a", "urn:1");
    let refused = |element: Element| refusal(&home().with_foreign(element));
    let nested =
        |levels: usize| (1..levels).fold(element(), |inner, _| element().with_child(inner));
    assert!(body(&[home().with_foreign(nested(64))]).contains("<a/>"));
    assert_eq!(refused(nested(65)), TooDeep);
    let wide = (0..16_384).fold(element(), |all, _| all.with_child(element()));
    assert_eq!(refused(wide), EntryTooLarge);
    let many = |count: u32| {
        let add = |all: Element, number| all.with_attribute(&*format!("a{number}"), "");
        (0..count).fold(element(), add)
    };
    body(&[home().with_foreign(many(10_000))]);
    assert_eq!(refused(many(16_384)), EntryTooLarge);
    // Two texts an element, fewer elements than are allowed.
    let chain = (0..60).fold(element(), |inner, _| {
        element().with_text("x").with_child(inner).with_text("x")
    });
    let chains = |count| (0..count).fold(element(), |all, _| all.with_child(chain.clone()));
    assert_eq!(refused(chains(137)), EntryTooLarge);
    let file = plain_file(&[home().with_foreign(chains(136))]);
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(&file[..]);
    assert!(reader.read_raw().unwrap().is_some());
}

/// A reader would report such a prefix, so it is left out.
#[test]
fn a_prefix_of_an_extension_that_stands_for_another_namespace() {
    let element = |prefix: &str, name: &str| Element::new(name, "urn:x").with_prefix(prefix);
    let images = home().with_image(image());
    for (prefix, name) in [
        ("image", "image"),
        ("video", "video"),
        ("news", "news"),
        ("xhtml", "link"),
        ("image", "a"),
    ] {
        let mut written = element(prefix, name).with_child(element(prefix, "b").with_text("c"));
        let attribute = Attribute::new(format!("{prefix}:k"), "urn:x", "v");
        written.attributes.push(attribute);
        let mut expected = element("", name).with_child(element("", "b").with_text("c"));
        expected.attributes.clone_from(&written.attributes);
        let file = plain_file(&[home().with_foreign(written), images.clone()]);
        reads_back(&file, &[home().with_foreign(expected), images.clone()]);
    }
}

/// An edit of a link for another medium must not make it the page of the language.
#[test]
fn other_attributes_of_an_alternate() {
    let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'>\
                <url><loc>https://example.com/</loc><xhtml:link title='A &lt; B' hreflang='de' media='print'\
                 rel='alternate' x:y='1' xmlns:x='urn:x' href='https://example.com/de' xml:lang='de' image:z='2' xmlns:image='urn:z'/>\
                <xhtml:link hreflang='fr' href='https://example.com/fr' rel='alternate'/></url></urlset>";
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).from_bytes(text);
    let page = reader.next().unwrap().unwrap().into_url().unwrap();
    let [german, french] = &page.alternates[..] else {
        panic!("{page:?}");
    };
    assert_eq!(french.attributes, []);
    let expected = [
        Attribute::new("title", "", "A < B"),
        Attribute::new("media", "", "print"),
        Attribute::new("x:y", "urn:x", "1"),
        Attribute::new("xml:lang", XML, "de"),
        Attribute::new("image:z", "urn:z", "2"),
    ];
    assert_eq!(german.attributes, expected);
    assert_eq!(
        body(std::slice::from_ref(&page)),
        "<loc>https://example.com/</loc><xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\" \
         xmlns:x=\"urn:x\" xmlns:image=\"urn:z\" title=\"A &lt; B\" media=\"print\" x:y=\"1\" xml:lang=\"de\" image:z=\"2\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr\"/></url>\n"
    );
    for declared in [vec![], vec![Extension::Alternate]] {
        let builder = WriterBuilder::new().declare(declared);
        let pages = [home(), page.clone()];
        reads_back(&file(&builder, &pages), &pages);
    }
    for (name, namespace, value, expected) in [
        ("href", "", "b", MalformedMarkup),
        ("rel", "", "b", MalformedMarkup),
        ("title", "", "b", MalformedMarkup),
        ("a b", "", "b", MalformedMarkup),
        ("xmlns", "", "b", MalformedMarkup),
        ("y:a", "", "b", UndeclaredPrefix),
        ("x:b", "urn:other", "b", MalformedMarkup),
        ("xhtml:b", "urn:other", "b", MalformedMarkup),
        ("b", "", "\u{1}", InvalidCharacter),
    ] {
        let mut page = page.clone();
        let attribute = Attribute::new(name, namespace, value);
        page.alternates[0].attributes.push(attribute);
        assert_eq!(refusal(&page), expected, "{name}");
    }
}

/// One prefix that is bound to another namespace in each element.
#[test]
fn namespaces_that_are_ever_different() {
    let entry = |count: usize| {
        let all = (0..count).map(|n| Element::new("a", format!("urn:{n}")).with_prefix("p"));
        all.fold(home(), UrlEntry::with_foreign)
    };
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(&home()).unwrap();
    assert_eq!(rule(writer.write(&entry(65))), EntryTooLarge);
    writer.write(&entry(64)).unwrap();
    writer.write(&entry(64)).unwrap();
    let expected = [home(), entry(64), entry(64)];
    reads_back(&writer.finish().unwrap(), &expected);
}

#[test]
fn an_element_by_hand() {
    let element = Element::new("a", "")
        .with_text("b")
        .with_text("c")
        .with_text("")
        .with_attribute("k", "v");
    assert_eq!(element.children, [Node::Text("bc".to_owned())]);
    assert_eq!(
        (element.attribute("k"), element.attribute("l")),
        (Some("v"), None)
    );
}

/// The bytes that are taken are those of the file, and end with an entry, for any number of calls.
#[test]
fn bytes_can_be_taken_at_any_time() {
    let pages: Vec<_> = (0..2_000)
        .map(|n| page(&format!("https://example.com/{n}")))
        .collect();
    for every in [1, 7, 1_999, 3_000] {
        let mut whole = UrlsetWriter::new(Vec::new());
        let (mut writer, mut taken) = (UrlsetWriter::new(Vec::new()), Vec::new());
        assert!(writer.take().is_empty());
        for (number, page) in pages.iter().enumerate() {
            whole.write(page).unwrap();
            writer.write(page).unwrap();
            assert!(writer.write(&self::page("ftp://example.com/")).is_err());
            if number % every == 0 {
                taken.extend(writer.take());
                assert!(
                    taken.ends_with(format!("<url><loc>{}</loc></url>\n", page.loc).as_bytes())
                );
                assert!(writer.take().is_empty() && writer.get_ref().is_empty());
            }
        }
        assert_eq!((writer.entries(), writer.bytes()), (2_000, whole.bytes()));
        taken.extend(writer.finish().unwrap());
        assert!(taken == whole.finish().unwrap(), "{every}");
    }
    let mut index = IndexWriter::new(Vec::new());
    index.write(&part()).unwrap();
    let mut taken = index.take();
    assert!(taken.ends_with(b"</sitemap>\n"));
    taken.extend(index.finish().unwrap());
    assert_eq!(read(&taken).len(), 1);
    let mut text = TextWriter::new(Vec::new());
    text.write(&home()).unwrap();
    assert_eq!(text.take(), b"https://example.com/\n");
    text.write(&home()).unwrap();
    assert_eq!(text.finish().unwrap(), b"https://example.com/\n");
}

#[test]
fn a_sitemap_is_checked_as_an_index_checks_it() {
    let mut part = part();
    part.check().unwrap();
    part.loc = url("https://user@example.com:8080/1.xml?[");
    let found = part.check().unwrap_err();
    assert_eq!(found.rule(), UrlNotEscaped);
    let error = IndexWriter::new(Vec::new()).write(&part).unwrap_err();
    assert_eq!(error.violation(), Some(&found));
}

#[test]
fn entry_50_001_is_refused() {
    let mut writer = UrlsetWriter::new(Vec::new());
    let unlimited = WriterBuilder::new().limits(limits(u64::MAX, u64::MAX));
    let mut lines = unlimited.text(io::sink());
    for _ in 0..50_000 {
        writer.write(&home()).unwrap();
        lines.write(&home()).unwrap();
    }
    for _ in 0..2 {
        assert_eq!(rule(writer.write(&home())), TooManyEntries);
    }
    assert_eq!(rule(lines.write(&home())), TooManyEntries);
    let xml = writer.finish().unwrap();
    assert_eq!(xml.iter().filter(|b| **b == b'\n').count(), 50_003);
    assert!(xml.ends_with(b"</url>\n</urlset>\n"));
    let none = WriterBuilder::new().limits(limits(0, u64::MAX));
    let refused = none.urlset(Vec::new()).write(&home());
    assert_eq!(rule(refused), TooManyEntries);
}

/// The file of one entry fits into its own number of bytes, and not into one less.
fn to_the_byte(write: impl Fn(&WriterBuilder) -> Result<Vec<u8>, Error>) {
    let size = write(&WriterBuilder::new()).unwrap().len() as u64;
    let exact = write(&WriterBuilder::new().limits(limits(9, size))).unwrap();
    assert_eq!(exact.len() as u64, size);
    let small = write(&WriterBuilder::new().limits(limits(9, size - 1)));
    assert_eq!(rule(small.map(drop)), TooManyBytes);
}

#[test]
fn limits_hold_to_the_byte() {
    let writes = |builder: &WriterBuilder, entries: &[UrlEntry]| {
        let mut writer = builder.urlset(Vec::new());
        entries.iter().try_for_each(|entry| writer.write(entry))?;
        writer.finish()
    };
    to_the_byte(|builder| writes(builder, &[]));
    to_the_byte(|builder| writes(builder, &[everything()]));
    to_the_byte(|builder| writes(&builder.clone().indent(2), &[everything(), home()]));
    to_the_byte(|builder| {
        let mut writer = builder.index(Vec::new());
        writer.write(&part())?;
        writer.finish()
    });
    to_the_byte(|builder| {
        let mut writer = builder.text(Vec::new());
        writer.write(&home())?;
        writer.finish()
    });
    to_the_byte(|builder| builder.index(Vec::new()).finish());
}

#[test]
fn the_protocol_s_bytes_are_the_most() {
    let big = |n: usize| page(&format!("https://example.com/{}", "a".repeat(n)));
    let mut writer = WriterBuilder::new()
        .limits(limits(u64::MAX, u64::MAX))
        .urlset(Vec::new());
    let entry = big(2_000);
    let mut count = 0;
    while writer.write(&entry).is_ok() {
        count += 1;
    }
    assert_eq!(rule(writer.write(&entry)), TooManyBytes);
    let size =
        HEAD.len() + count * ("<url><loc></loc></url>\n".len() + 2_020) + "</urlset>\n".len();
    let room = 52_428_800 - size - "<url><loc></loc></url>\n".len() - 20;
    assert_eq!(rule(writer.write(&big(room + 1))), TooManyBytes);
    writer.write(&big(room)).unwrap();
    assert_eq!(rule(writer.write(&home())), TooManyBytes);
    let xml = writer.finish().unwrap();
    assert_eq!(xml.len(), 52_428_800);
    assert!(xml.ends_with(b"</urlset>\n"));
}

#[test]
fn what_is_refused_leaves_no_trace() {
    let mut writer = UrlsetWriter::new(Vec::new());
    let wrong = everything().with_alternate(Alternate::new("?", url("https://example.com/")));
    for _ in 0..2 {
        assert_eq!(rule(writer.write(&wrong)), InvalidLanguage);
        writer.write(&home()).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), plain_file(&[home(), home()]));
}

/// Fails once, after this number of bytes; records whether it was flushed.
struct Faulty {
    room: usize,
    kind: io::ErrorKind,
    flushed: bool,
}

impl Write for Faulty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            self.room = usize::MAX;
            return Err(self.kind.into());
        }
        let n = bytes.len().min(self.room).min(1_000);
        self.room -= n;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = true;
        Ok(())
    }
}

#[test]
fn after_an_io_error_everything_fails() {
    let faulty = |room, kind| {
        let flushed = false;
        UrlsetWriter::new(Faulty {
            room,
            kind,
            flushed,
        })
    };
    let is_fatal = |error: Error| error.is_fatal() && matches!(error.kind(), ErrorKind::Io(_));
    for kind in [
        io::ErrorKind::StorageFull,
        io::ErrorKind::WouldBlock,
        io::ErrorKind::TimedOut,
    ] {
        let mut writer = faulty(100_000, kind);
        let mut written = (0..50_000).map(|_| writer.write(&home()));
        assert!(is_fatal(written.find_map(Result::err).unwrap()), "{kind}");
        assert!(is_fatal(writer.write(&home()).unwrap_err()), "{kind}");
        assert!(is_fatal(writer.finish().err().unwrap()), "{kind}");
    }
    let mut writer = faulty(10, io::ErrorKind::Other);
    writer.write(&home()).unwrap();
    assert!(writer.finish().is_err());
    // An interrupted call is repeated.
    let mut writer = faulty(10, io::ErrorKind::Interrupted);
    writer.write(&home()).unwrap();
    assert!(writer.finish().unwrap().flushed);
}

#[test]
fn a_flush_that_would_block_is_fatal() {
    struct NotYet;
    impl Write for NotYet {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::WouldBlock.into())
        }
    }
    let finished = UrlsetWriter::new(NotYet).finish();
    assert!(finished.err().unwrap().is_fatal());
}

/// A reader takes them for what is left of a reference, so that they would not be read back.
#[test]
fn hosts_with_what_references_are_made_of_are_refused() {
    for host in ["a&b.com", "a;b.com"] {
        let loc = url(&format!("https://{host}/"));
        let page = UrlEntry::new(loc.clone());
        let in_an_image = home().with_image(Image::new(loc.clone()));
        let in_an_alternate = home().with_alternate(Alternate::new("de", loc.clone()));
        for result in [
            UrlsetWriter::new(Vec::new()).write(&page),
            TextWriter::new(Vec::new()).write(&page),
            IndexWriter::new(Vec::new()).write(&SitemapEntry::new(loc)),
            UrlsetWriter::new(Vec::new()).write(&in_an_image),
            UrlsetWriter::new(Vec::new()).write(&in_an_alternate),
        ] {
            assert_eq!(rule(result), InvalidUrl, "{host}");
        }
    }
}

#[test]
fn a_price_has_a_currency_or_says_what_for() {
    let with_price = |price: &Price| {
        let mut video = video();
        video.prices.push(price.clone());
        home().with_video(video)
    };
    let mut price = Price::new("1.99", "EUR");
    price.currency = None;
    assert_eq!(refusal(&with_price(&price)), MissingAttribute);
    price.amount = None;
    assert_eq!(refusal(&with_price(&price)), MissingAttribute);
    price.kind = Some(PriceType::Rent);
    let file = plain_file(&[with_price(&price)]);
    validate(&file, "urlset.xsd");
    reads_back(&file, &[with_price(&price)]);
}

#[test]
fn an_indent_beyond_all_measure() {
    let lines = |spaces| file(&WriterBuilder::new().indent(spaces), &[home()]);
    assert_eq!(lines(usize::MAX), lines(16));
    assert_ne!(lines(15), lines(16));
}

#[test]
fn a_dropped_writer_does_not_finish() {
    let mut out = Vec::new();
    let mut writer = UrlsetWriter::new(&mut out);
    for _ in 0..2_000 {
        writer.write(&home()).unwrap();
    }
    drop(writer);
    assert!(out.starts_with(HEAD.as_bytes()) && !out.ends_with(b"</urlset>\n"));
}

/// As documented, readers report only an unfinished XML file.
#[test]
fn an_unfinished_text_file_is_not_recognized() {
    let (mut xml, mut text) = (Vec::new(), Vec::new());
    let mut urlset = UrlsetWriter::new(&mut xml);
    let mut lines = TextWriter::new(&mut text);
    for _ in 0..3_000 {
        urlset.write(&home()).unwrap();
        lines.write(&home()).unwrap();
    }
    drop((urlset, lines));
    let read = |bytes: &[u8]| {
        let mut reader = quick_sitemap::Reader::from_bytes(bytes.to_vec());
        let errors = reader.by_ref().filter(Result::is_err).count();
        let summary = reader.summary();
        assert!(summary.entries < 3_000);
        (errors, summary.completeness())
    };
    assert_eq!(read(&xml), (1, quick_sitemap::Completeness::Incomplete));
    assert_eq!(read(&text), (0, quick_sitemap::Completeness::Unknown));
}

#[test]
fn text_files() {
    let mut writer = TextWriter::new(Vec::new());
    writer.write(&everything()).unwrap();
    writer.write(&home()).unwrap();
    let refused = writer.write(&page("ftp://example.com/"));
    assert_eq!(rule(refused), UnsupportedScheme);
    let lines = "https://example.com/?a=%271%27&b=(2)\nhttps://example.com/\n";
    assert_eq!(text_of(writer.finish().unwrap()), lines);
}
