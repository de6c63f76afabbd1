//! Writing through the public API.

use crate::every_part;
use std::io::{self, Write};
use std::time::Duration;

use quick_sitemap::extension::foreign::{Attribute, Element, Node};
use quick_sitemap::extension::{
    Access, Alternate, Genre, IdKind, Image, News, Platform, Platforms, Player, Price, PriceType,
    Publication, Relationship, Restriction, Uploader, Video, VideoId,
};
use quick_sitemap::{
    ChangeFreq, Entry, Error, ErrorKind, Extension, IndexWriter, Limits, Policy, Priority,
    ReaderBuilder, Rule, SitemapEntry, TextWriter, UrlEntry, UrlsetWriter, W3cDatetime,
    WriterBuilder,
};
use url::Url;

use crate::schema::{validate, verdict};

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

/// The rule of a rejection.
fn rule(result: Result<(), Error>) -> Rule {
    match result.unwrap_err().kind() {
        ErrorKind::Violation(violation) => violation.rule(),
        other => panic!("{other:?}"),
    }
}

/// The text between the root's tags when these entries are written.
fn body(entries: &[UrlEntry]) -> String {
    let mut writer = UrlsetWriter::new(Vec::new());
    for entry in entries {
        entry.check().unwrap();
        writer.write(entry).unwrap();
    }
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let (_, body) = xml
        .split_once("0.9\">\n")
        .unwrap_or_else(|| xml.split_once(">\n<url>").unwrap());
    body.strip_suffix("</urlset>\n").unwrap().to_owned()
}

/// The first rule that an entry breaks.
fn refusal(entry: &UrlEntry) -> Rule {
    let mut writer = UrlsetWriter::new(Vec::new());
    let found = rule(writer.write(entry));
    assert_eq!(entry.check().unwrap_err().rule(), found);
    writer.write(&home()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        xml,
        format!("{HEAD}<url><loc>https://example.com/</loc></url>\n</urlset>\n")
    );
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
    for indent in [0, 1, 4] {
        let builder = WriterBuilder::new()
            .indent(indent)
            .stylesheet("/a?x=\"?>\"&b");
        let mut writer = builder.urlset(Vec::new());
        writer.write(&everything()).unwrap();
        writer
            .write(&home().with_lastmod(date("2024-03-04")))
            .unwrap();
        writer.write(&everything()).unwrap();
        let xml = writer.finish().unwrap();
        validate(&xml, "urlset.xsd");

        // In the other order, the namespaces are declared later than the root.
        let mut writer = builder.urlset(Vec::new());
        writer.write(&home()).unwrap();
        writer.write(&everything()).unwrap();
        validate(&writer.finish().unwrap(), "urlset.xsd");

        let mut writer = builder.index(Vec::new());
        let part = SitemapEntry::new(url("https://example.com/1.xml"));
        writer
            .write(&part.clone().with_lastmod(date("2024-03-04")))
            .unwrap();
        writer.write(&part).unwrap();
        validate(&writer.finish().unwrap(), "siteindex.xsd");
    }
}

#[test]
fn a_sitemap_keeps_its_date() {
    let entry =
        SitemapEntry::new(url("https://example.com/1.xml")).with_lastmod(date("2024-03-04"));
    assert_eq!(entry.loc.as_str(), "https://example.com/1.xml");
    assert_eq!(entry.lastmod, Some(date("2024-03-04")));
    let mut writer = IndexWriter::new(Vec::new());
    writer.write(&entry).unwrap();
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(
        text.contains("<loc>https://example.com/1.xml</loc>"),
        "{text}"
    );
    assert!(text.contains("<lastmod>2024-03-04</lastmod>"), "{text}");
}

/// Every precision of a date, the shortest loc, elements of any namespace, and no entry.
#[test]
fn the_schemas_accept_what_the_protocol_allows() {
    let foreign = Element::new("a", "urn:a").with_child(Element::new("b", ""));
    let dates = ["2024", "2024-05", "2024-05-06", "2024-05-06T07:08Z"];
    let (mut pages, mut parts) = (UrlsetWriter::new(Vec::new()), IndexWriter::new(Vec::new()));
    validate(
        &UrlsetWriter::new(Vec::new()).finish().unwrap(),
        "urlset.xsd",
    );
    validate(
        &IndexWriter::new(Vec::new()).finish().unwrap(),
        "siteindex.xsd",
    );
    for text in dates.iter().chain(&["2024-05-06T07:08:09.25+01:00"]) {
        let mut page = page("http://a.b/").with_lastmod(date(text));
        page.foreign = vec![foreign.clone()];
        pages.write(&page).unwrap();
        let mut part = SitemapEntry::new(page.loc).with_lastmod(date(text));
        part.foreign = page.foreign;
        parts.write(&part).unwrap();
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

/// Read under the strict policy, without an issue.
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
            let mut writer = builder.urlset(Vec::new());
            pages.iter().for_each(|page| writer.write(page).unwrap());
            let expected: Vec<Entry> = pages.into_iter().map(Entry::from).collect();
            assert_eq!(read(&writer.finish().unwrap()), expected);
        }
        let part =
            SitemapEntry::new(url("https://example.com/1.xml")).with_foreign(foreign.clone());
        let mut writer = builder.index(Vec::new());
        writer.write(&part).unwrap();
        assert_eq!(read(&writer.finish().unwrap()), [Entry::from(part)]);
    }
    let mut writer = TextWriter::new(Vec::new());
    writer.write(&home()).unwrap();
    assert_eq!(read(&writer.finish().unwrap()), [Entry::from(home())]);
    assert_eq!(read(&UrlsetWriter::new(Vec::new()).finish().unwrap()), []);
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
    let image = Image::new(url("https://example.com/a.jpg"));
    let map = Element::new("PageMap", "urn:p").with_child(Element::new("a", "urn:p"));
    let entry = home().with_image(image).with_foreign(map);
    let mut writer = WriterBuilder::new().indent(2).urlset(Vec::new());
    writer.write(&entry).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
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
    let xml = UrlsetWriter::new(Vec::new()).finish().unwrap();
    assert_eq!(
        String::from_utf8(xml).unwrap(),
        format!("{HEAD}</urlset>\n")
    );
    let xml = IndexWriter::new(Vec::new()).finish().unwrap();
    assert!(xml.ends_with(b"</sitemapindex>\n"));
    assert_eq!(TextWriter::new(Vec::new()).finish().unwrap(), b"");
}

#[test]
fn namespaces_are_on_the_root_for_the_first_entry_and_on_the_element_later() {
    let image = || home().with_image(Image::new(url("https://example.com/a.jpg")));
    let alternate = || home().with_alternate(Alternate::new("de", url("https://example.com/de")));
    let mut writer = UrlsetWriter::new(Vec::new());
    for entry in [image(), alternate(), alternate(), image()] {
        writer.write(&entry).unwrap();
    }
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let root = xml.lines().nth(1).unwrap();
    assert!(
        root.contains(" xmlns:image=") && !root.contains("xhtml"),
        "{root}"
    );
    assert_eq!(
        xml.matches("<xhtml:link xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" rel=")
            .count(),
        2
    );
    assert_eq!(xml.matches("<image:image>").count(), 2);
    validate(xml.as_bytes(), "urlset.xsd");
}

#[test]
fn declared_namespaces_and_conflicts() {
    let all = Extension::ALL.iter().copied();
    let mut writer = WriterBuilder::new().declare(all).urlset(Vec::new());
    writer.write(&home()).unwrap();
    writer.write(&everything()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(xml.matches("xmlns:").count(), 4);

    // A prefix that is taken for something else is declared anew where it is needed.
    let mut writer = WriterBuilder::new()
        .declare([("image", "urn:other")])
        .urlset(Vec::new());
    writer.write(&everything()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let declaration =
        "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";
    assert_eq!(xml.matches(declaration).count(), 2);
    validate(xml.as_bytes(), "urlset.xsd");

    for bad in [
        ("", "urn:x"),
        ("a b", "urn:x"),
        ("xml", "urn:x"),
        ("xmlns", "urn:x"),
        ("a", "http://www.w3.org/XML/1998/namespace"),
        ("a", "http://www.w3.org/2000/xmlns/"),
    ] {
        let mut writer = WriterBuilder::new().declare([bad]).urlset(Vec::new());
        assert_eq!(
            rule(writer.write(&home())),
            Rule::MalformedMarkup,
            "{bad:?}"
        );
        assert_eq!(
            rule(writer.finish().map(drop)),
            Rule::MalformedMarkup,
            "{bad:?}"
        );
    }
    let twice = WriterBuilder::new().declare([("a", "urn:x"), ("a", "urn:x"), ("b", "urn:x")]);
    assert!(twice.urlset(Vec::new()).finish().is_ok());
    let clash = WriterBuilder::new().declare([("a", "urn:x"), ("a", "urn:y")]);
    assert_eq!(
        rule(clash.urlset(Vec::new()).finish().map(drop)),
        Rule::MalformedMarkup
    );
    let empty = WriterBuilder::new().declare([("a", "")]);
    assert_eq!(
        rule(empty.urlset(Vec::new()).finish().map(drop)),
        Rule::UndeclaredPrefix
    );
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

fn read_strictly(xml: &[u8]) -> Vec<UrlEntry> {
    ReaderBuilder::new()
        .policy(Policy::STRICT)
        .build(xml)
        .map(|entry| entry.unwrap().into_url().unwrap())
        .collect()
}

#[test]
fn a_file_has_64_foreign_namespaces() {
    let image = home().with_image(Image::new(url("https://example.com/a.jpg")));
    for all in [with_namespaces(0, 64), with_prefixed_attributes(64, 60)] {
        for first in [all.clone(), with_namespaces(40, 5), home()] {
            let mut writer = UrlsetWriter::new(Vec::new());
            let entries = [
                first,
                all.clone(),
                with_namespaces(7, 20),
                image.clone(),
                all.clone(),
            ];
            for entry in &entries {
                writer.write(entry).unwrap();
            }
            let error = writer.write(&with_namespaces(60, 5)).unwrap_err();
            assert_eq!(
                error.to_string(),
                "namespace `urn:64` is one too many (a file can have 64 foreign namespaces)"
            );
            assert_eq!(error.violation().unwrap().rule(), Rule::EntryTooLarge);
            writer.write(&image).unwrap();
            let back = read_strictly(&writer.finish().unwrap());
            assert_eq!(back.split_last().unwrap(), (&image, &entries[..]));
        }
    }
    for entry in [with_namespaces(0, 65), with_prefixed_attributes(65, 0)] {
        assert_eq!(refusal(&entry), Rule::EntryTooLarge);
    }
    // An element without a namespace is not counted.
    let bare = Element::new("a", "urn:63").with_child(Element::new("b", ""));
    let all = with_namespaces(0, 63).with_foreign(bare);
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(&all).unwrap();
    assert_eq!(read_strictly(&writer.finish().unwrap()), [all]);
    // Nor do the namespaces of a rejected entry, although the next extension takes the place of one of them.
    let expected = [home(), image.clone(), with_namespaces(100, 64)];
    let mut writer = UrlsetWriter::new(Vec::new());
    for entry in &expected {
        assert_eq!(
            rule(writer.write(&with_namespaces(0, 65))),
            Rule::EntryTooLarge
        );
        writer.write(entry).unwrap();
    }
    assert_eq!(read_strictly(&writer.finish().unwrap()), expected);
    // The namespaces of a rejected entry are not counted, and neither are those that are only declared.
    let declared = (0..100).map(|n| (format!("d{n}"), format!("urn:d{n}")));
    let mut writer = WriterBuilder::new().declare(declared).urlset(Vec::new());
    writer.write(&with_namespaces(0, 1)).unwrap();
    assert_eq!(
        rule(writer.write(&with_namespaces(100, 64))),
        Rule::EntryTooLarge
    );
    writer.write(&with_namespaces(1, 63)).unwrap();
    assert_eq!(
        rule(writer.write(&with_namespaces(100, 1))),
        Rule::EntryTooLarge
    );
    assert_eq!(read_strictly(&writer.finish().unwrap()).len(), 2);
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
    assert_eq!(
        rule(set.write(&with_namespaces(0, 65))),
        Rule::EntryTooLarge
    );
    set.write(&with_namespaces(500, 64)).unwrap();
    let mut files = set.finish().unwrap();
    files.pop(); // the index
    let parts: Vec<_> = files.iter().map(|(_, part)| read_strictly(part)).collect();
    assert_eq!(
        parts.iter().map(Vec::len).collect::<Vec<_>>(),
        [3, 3, 3, 1, 1]
    );
    assert_eq!(parts[..4].concat(), entries);
}

#[test]
fn namespaces_are_declared_as_often_as_readers_accept() {
    let image = home().with_image(Image::new(url("https://example.com/a.jpg")));
    let declared = |count: usize| {
        let declared = (0..count).map(|n| (format!("d{n}"), format!("urn:d{n}")));
        WriterBuilder::new().declare(declared)
    };
    // The namespace of sitemaps is declared, too.
    let many = declared(256);
    assert_eq!(
        rule(many.urlset(Vec::new()).write(&home())),
        Rule::MalformedMarkup
    );
    let mut writer = declared(255).urlset(Vec::new());
    for entry in [&image, &with_namespaces(0, 1)] {
        assert_eq!(rule(writer.write(entry)), Rule::MalformedMarkup);
    }
    writer.write(&home()).unwrap();
    assert_eq!(rule(writer.write(&image)), Rule::MalformedMarkup);
    assert_eq!(read_strictly(&writer.finish().unwrap()), [home()]);
    // Prefixes of the first entry that are declared on the root do not take a place from other elements.
    let mut writer = declared(254).urlset(Vec::new());
    for entry in [&with_namespaces(0, 1), &with_namespaces(0, 1)] {
        writer.write(entry).unwrap();
    }
    assert_eq!(read_strictly(&writer.finish().unwrap()).len(), 2);
}

#[test]
fn the_length_of_a_namespace() {
    let element = |len: usize| home().with_foreign(Element::new("a", "u".repeat(len)));
    assert!(body(&[element(2_047)]).contains("u\"/></url>"));
    assert_eq!(refusal(&element(2_048)), Rule::EntryTooLarge);
    let declared = WriterBuilder::new().declare([("x", "u".repeat(2_048))]);
    let finished = declared.urlset(Vec::new()).finish();
    assert_eq!(rule(finished.map(drop)), Rule::EntryTooLarge);
}

#[test]
fn a_namespace_has_only_characters_of_uris() {
    for namespace in ["<b>", " a ", "\u{7F}", "a b", "urn:ü", "a^", "{a}"] {
        let element = Element::new("a", namespace).with_prefix("x");
        let entry = home().with_foreign(element);
        assert_eq!(refusal(&entry), Rule::MalformedMarkup, "{namespace}");
        let mut writer = UrlsetWriter::new(Vec::new());
        writer.write(&home()).unwrap();
        assert_eq!(rule(writer.write(&entry)), Rule::MalformedMarkup);
        let declared = WriterBuilder::new().declare([("x", namespace)]);
        assert_eq!(
            rule(declared.urlset(Vec::new()).finish().map(drop)),
            Rule::MalformedMarkup
        );
        let mut element = Element::new("a", "urn:x");
        element
            .attributes
            .push(Attribute::new("y:b", namespace, ""));
        assert_eq!(
            refusal(&home().with_foreign(element)),
            Rule::MalformedMarkup
        );
    }
    for namespace in [
        "urn:x",
        "x",
        "//a",
        "http://www.google.com/geo/schemas/sitemap/1.0",
        "tag:a@b,2024:#c",
    ] {
        let element = Element::new("a", namespace).with_prefix("x");
        assert!(body(&[home(), home().with_foreign(element)]).contains(namespace));
    }
}

#[test]
fn the_style_sheet_cannot_break_out() {
    let xml = WriterBuilder::new()
        .stylesheet("a?>\"'<&")
        .urlset(Vec::new())
        .finish()
        .unwrap();
    let xml = String::from_utf8(xml).unwrap();
    let pi = "<?xml-stylesheet type=\"text/xsl\" href=\"a?&gt;&quot;&apos;&lt;&amp;\"?>";
    assert_eq!(xml.lines().nth(1), Some(pi));
    let xml = WriterBuilder::new()
        .stylesheet("/a.css?'")
        .urlset(Vec::new())
        .finish()
        .unwrap();
    let pi = "<?xml-stylesheet type=\"text/css\" href=\"/a.css?&apos;\"?>";
    assert!(String::from_utf8(xml).unwrap().contains(pi));
    let mut writer = WriterBuilder::new().stylesheet("a\u{1}").urlset(Vec::new());
    assert_eq!(rule(writer.write(&home())), Rule::InvalidCharacter);
    assert_eq!(rule(writer.finish().map(drop)), Rule::InvalidCharacter);
}

#[test]
fn what_a_loc_may_be() {
    let long = |n: usize| page(&format!("https://example.com/{}", "a".repeat(n - 20)));
    assert!(body(&[long(2_047)]).contains("</loc>"));
    assert_eq!(refusal(&long(2_048)), Rule::UrlTooLong);
    assert_eq!(
        refusal(&page("ftp://example.com/")),
        Rule::UnsupportedScheme
    );
    assert_eq!(refusal(&page("file:///etc")), Rule::UnsupportedScheme);
    for loc in [
        "https://example.com/a[0]",
        "https://example.com/?a[]=1",
        "https://example.com/100%",
        "https://example.com/%zz",
        "https://example.com/#a#b",
    ] {
        assert_eq!(refusal(&page(loc)), Rule::UrlNotEscaped, "{loc}");
    }
    let strange = [
        "http://[::1]:8080/a%2Fb",
        "https://example.com/|^~`{}",
        "https://example.com/?'\"<>|`{}#'\"<>",
        "https://ex_ample.com/ü ?ü#ü",
    ]
    .map(page);
    let mut writer = UrlsetWriter::new(Vec::new());
    for entry in &strange {
        writer.write(entry).unwrap();
    }
    validate(&writer.finish().unwrap(), "urlset.xsd");
    let index = SitemapEntry::new(url("ftp://example.com/"));
    assert_eq!(
        rule(IndexWriter::new(Vec::new()).write(&index)),
        Rule::UnsupportedScheme
    );
    assert_eq!(
        rule(TextWriter::new(Vec::new()).write(&long(2_048))),
        Rule::UrlTooLong
    );
}

#[test]
fn a_date_that_the_notation_cannot_write_is_refused() {
    let far = quick_sitemap::chrono::NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
    assert_eq!(refusal(&home().with_lastmod(far)), Rule::InvalidDatetime);
    assert_eq!(
        refusal(&home().with_video(video().with_publication_date(far))),
        Rule::InvalidDatetime
    );
}

#[test]
fn characters_that_xml_forbids_are_refused_others_escaped() {
    let image = |text: &str| {
        let mut image = Image::new(url("https://example.com/a.jpg"));
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
        assert_eq!(refusal(&image(bad)), Rule::InvalidCharacter, "{bad:?}");
    }
    let xml = body(&[image("a\tb\nc\rd\u{7f}\u{85}e\u{feff}f\u{fffd}g&amp;<>\"'")]);
    assert!(
        xml.contains("a\tb\nc&#13;d\u{7f}\u{85}e\u{feff}f\u{fffd}g&amp;amp;&lt;&gt;&quot;&apos;<"),
        "{xml}"
    );
}

#[test]
fn text_is_neither_blank_nor_padded() {
    let mut image = Image::new(url("https://example.com/a.jpg"))
        .with_title(" \u{a0}")
        .with_caption("\u{3000}a b ");
    assert_eq!(
        (image.title.as_deref(), image.caption.as_deref()),
        (None, Some("a b"))
    );
    image.title = Some(" a".to_owned());
    assert_eq!(
        refusal(&home().with_image(image.clone())),
        Rule::InvalidCharacter
    );
    image.title = Some(String::new());
    assert_eq!(refusal(&home().with_image(image)), Rule::MissingElement);
    assert!(video().with_tag(" ").tags.is_empty());
}

#[test]
fn what_the_extensions_demand() {
    let alternate =
        |tag: &str| home().with_alternate(Alternate::new(tag, url("https://example.com/")));
    assert_eq!(refusal(&alternate("")), Rule::MissingAttribute);
    assert_eq!(refusal(&alternate("de_CH")), Rule::InvalidLanguage);
    let far = Alternate::new("de", url("ftp://example.com/"));
    assert_eq!(
        refusal(&home().with_alternate(far)),
        Rule::UnsupportedScheme
    );

    let mut many = home();
    many.images = vec![Image::new(url("https://example.com/a.jpg")); 1_000];
    assert!(body(&[many.clone()]).len() > 1_000);
    many.images
        .push(Image::new(url("https://example.com/a.jpg")));
    assert_eq!(refusal(&many), Rule::TooManyImages);

    let broken = |change: fn(&mut News)| {
        let mut news = news();
        change(&mut news);
        refusal(&home().with_news(news))
    };
    assert_eq!(broken(|n| n.title = None), Rule::MissingElement);
    assert_eq!(broken(|n| n.publication = None), Rule::MissingElement);
    assert_eq!(broken(|n| n.publication_date = None), Rule::MissingElement);
    assert_eq!(
        broken(|n| n.publication.as_mut().unwrap().name = None),
        Rule::MissingElement
    );
    assert_eq!(
        broken(|n| n.publication.as_mut().unwrap().language = None),
        Rule::MissingElement
    );
    assert_eq!(
        broken(|n| n.publication = Some(Publication::new("a", "en-US"))),
        Rule::InvalidLanguage
    );
    assert_eq!(
        broken(|n| n.publication = Some(Publication::new("a", "EN"))),
        Rule::InvalidLanguage
    );
    assert_eq!(
        broken(|n| n.access = Some(Access::from("paid"))),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|n| n.genres = vec![Genre::Blog, Genre::from("Poem")]),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|n| n.keywords = vec!["a, b".to_owned()]),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|n| n.stock_tickers = vec!["AMAT".to_owned()]),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|n| n.stock_tickers = vec!["A:B".to_owned(); 6]),
        Rule::TooManyTickers
    );

    let broken = |change: fn(&mut Video)| {
        let mut video = video();
        change(&mut video);
        refusal(&home().with_video(video))
    };
    assert_eq!(broken(|v| v.title = None), Rule::MissingElement);
    assert_eq!(broken(|v| v.description = None), Rule::MissingElement);
    assert_eq!(broken(|v| v.thumbnail_loc = None), Rule::MissingElement);
    assert_eq!(broken(|v| v.content_loc = None), Rule::MissingElement);
    assert_eq!(
        broken(|v| v.title = Some("é".repeat(101))),
        Rule::TextTooLong
    );
    assert_eq!(
        broken(|v| v.description = Some("é".repeat(2_049))),
        Rule::TextTooLong
    );
    assert_eq!(
        broken(|v| v.category = Some("é".repeat(257))),
        Rule::TextTooLong
    );
    assert_eq!(
        broken(|v| v.duration = Some(Duration::from_secs(28_801))),
        Rule::InvalidNumber
    );
    assert_eq!(
        broken(|v| v.duration = Some(Duration::from_millis(1_500))),
        Rule::InvalidNumber
    );
    assert_eq!(
        broken(|v| v.tags = vec!["a".to_owned(); 33]),
        Rule::TooManyTags
    );
    let limited = |code: &str| Restriction::new(Relationship::Deny, [code]);
    let country = |code| {
        let mut video = video();
        video.restriction = Some(limited(code));
        refusal(&home().with_video(video))
    };
    assert_eq!(
        ["us", "USA", "U", ""].map(country),
        [Rule::InvalidCountry; 4]
    );
    assert_eq!(
        broken(|v| {
            let mut limited = Restriction::new(Relationship::Deny, ["US"]);
            limited.relationship = None;
            v.restriction = Some(limited);
        }),
        Rule::MissingAttribute
    );
    assert_eq!(
        broken(|v| v.platform = Some(Platforms::new(
            Relationship::Allow,
            [Platform::from("radio")]
        ))),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|v| v.prices = vec![Price::new("1,99", "EUR")]),
        Rule::InvalidNumber
    );
    assert_eq!(
        broken(|v| v.uploader = Some(Uploader::new(""))),
        Rule::MissingElement
    );
    assert_eq!(
        broken(|v| v.ids = vec![VideoId::new("", IdKind::Url)]),
        Rule::MissingElement
    );
    assert_eq!(
        broken(|v| v.ids = vec![VideoId::new("a", IdKind::from("x"))]),
        Rule::InvalidKeyword
    );
    assert_eq!(
        broken(|v| {
            let mut id = VideoId::new("a", IdKind::Url);
            id.kind = None;
            v.ids = vec![id];
        }),
        Rule::MissingAttribute
    );
}

#[test]
fn a_thousand_news_a_file() {
    let article = home().with_news(news());
    let mut writer = UrlsetWriter::new(Vec::new());
    for _ in 0..1_000 {
        writer.write(&article).unwrap();
    }
    assert_eq!(rule(writer.write(&article)), Rule::TooManyNews);
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
    outer.attributes.push(Attribute::new(
        "xml:lang",
        "http://www.w3.org/XML/1998/namespace",
        "de",
    ));
    let first = home();
    assert_eq!(
        body(&[first, home().with_foreign(outer)]),
        "<url><loc>https://example.com/</loc></url>\n<url><loc>https://example.com/</loc>\
         <p:a xmlns:p=\"urn:1\" xmlns:q=\"urn:3\" k=\"&quot;v&quot;&#10;\" q:k=\"w\" xml:lang=\"de\">\
         <p:b xmlns:p=\"urn:2\">x &lt; y<c xmlns=\"\"/>z</p:b><p:d/></p:a></url>\n"
    );
    // Two that use one prefix for two namespaces: the root declares the first.
    let other = Element::new("e", "urn:4").with_prefix("p");
    let mut writer = UrlsetWriter::new(Vec::new());
    writer
        .write(&home().with_foreign(inner).with_foreign(other))
        .unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(
        xml.contains("0.9\" xmlns:p=\"urn:2\">") && xml.contains("<p:e xmlns:p=\"urn:4\"/>"),
        "{xml}"
    );
}

#[test]
fn foreign_elements_that_are_none_are_refused() {
    let element = || Element::new("a", "urn:1");
    let rules = |element: Element| refusal(&home().with_foreign(element));
    for name in ["", "a b", "1a", "a:b", "a>", "-a"] {
        assert_eq!(
            rules(Element::new(name, "urn:1")),
            Rule::MalformedMarkup,
            "{name}"
        );
        if name != "a:b" {
            assert_eq!(
                rules(element().with_attribute(name, "")),
                Rule::MalformedMarkup,
                "{name}"
            );
        }
        if !name.is_empty() {
            assert_eq!(
                rules(element().with_prefix(name)),
                Rule::MalformedMarkup,
                "{name}"
            );
        }
    }
    for prefix in ["xml", "xmlns"] {
        assert_eq!(rules(element().with_prefix(prefix)), Rule::MalformedMarkup);
    }
    assert_eq!(
        rules(element().with_attribute("xmlns", "urn:2")),
        Rule::MalformedMarkup
    );
    assert_eq!(
        rules(element().with_attribute("k", "1").with_attribute("k", "2")),
        Rule::MalformedMarkup
    );
    assert_eq!(
        rules(element().with_attribute("k", "\u{1}")),
        Rule::InvalidCharacter
    );
    assert_eq!(rules(element().with_text("\u{1}")), Rule::InvalidCharacter);
    for (name, namespace) in [
        ("a b:k", "urn:2"),
        ("q:1k", "urn:2"),
        ("q:", "urn:2"),
        (":k", "urn:2"),
        // An attribute without a prefix is in no namespace.
        ("k", "urn:2"),
        ("q:k", "http://www.w3.org/XML/1998/namespace"),
        ("q:k", "http://www.w3.org/2000/xmlns/"),
    ] {
        let mut element = element();
        element.attributes.push(Attribute::new(name, namespace, ""));
        assert_eq!(rules(element), Rule::MalformedMarkup, "{name} {namespace}");
    }
    let mut clash = element().with_prefix("p");
    clash.attributes.push(Attribute::new("p:k", "urn:2", ""));
    assert_eq!(rules(clash), Rule::MalformedMarkup);
    assert_eq!(
        rules(Element::new("a", "").with_prefix("p")),
        Rule::UndeclaredPrefix
    );
    assert_eq!(
        rules(element().with_attribute("p:k", "")),
        Rule::UndeclaredPrefix
    );
    // Elements that a reader would interpret as something else.
    assert_eq!(rules(Element::new("a", "")), Rule::UnknownElement);
    assert_eq!(
        rules(Element::new(
            "a",
            "http://www.sitemaps.org/schemas/sitemap/0.9"
        )),
        Rule::UnknownElement
    );
    assert_eq!(
        rules(Element::new("a", "https://www.sitemaps.org/schemas/sitemap/0.9").with_prefix("s")),
        Rule::UnknownElement
    );
    let inner = Element::new("a", "http://www.sitemaps.org/schemas/sitemap/0.9");
    assert_eq!(
        rules(element().with_child(inner.with_prefix("s"))),
        Rule::UnknownElement
    );
    assert_eq!(
        rules(element().with_child(Element::new("URL", ""))),
        Rule::UnknownElement
    );
    assert_eq!(
        rules(Element::new(
            "image",
            "http://www.google.com/schemas/sitemap-image/1.1"
        )),
        Rule::UnknownElement
    );
    assert_eq!(
        rules(Element::new(
            "image",
            "https://www.google.com/schemas/sitemap-image/1.1/"
        )),
        Rule::WrongNamespace
    );
    for uri in [
        "//www.google.com/schemas/sitemap-image/1.1",
        "http://www.google.com/schemas/sitemap-image/1.0",
        " http://www.google.com/schemas/sitemap-image/1.1",
    ] {
        assert_eq!(rules(Element::new("image", uri)), Rule::WrongNamespace);
    }
    let link = |rel: &str| {
        Element::new("link", "http://www.w3.org/1999/xhtml")
            .with_prefix("xhtml")
            .with_attribute("rel", rel)
            .with_attribute("href", "/amp")
    };
    assert_eq!(rules(link("alternate")), Rule::UnknownElement);
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(&home().with_foreign(link("amphtml"))).unwrap();
    validate(&writer.finish().unwrap(), "urlset.xsd");

    let nested =
        |levels: usize| (1..levels).fold(element(), |inner, _| element().with_child(inner));
    assert!(body(&[home().with_foreign(nested(64))]).contains("<a/>"));
    assert_eq!(rules(nested(65)), Rule::TooDeep);
    let wide = (0..16_384).fold(element(), |all, _| all.with_child(element()));
    assert_eq!(rules(wide), Rule::EntryTooLarge);
    let many = |count: u32| {
        let add = |all: Element, number| all.with_attribute(&*format!("a{number}"), "");
        (0..count).fold(element(), add)
    };
    body(&[home().with_foreign(many(10_000))]);
    assert_eq!(rules(many(16_384)), Rule::EntryTooLarge);
    // Two texts an element, fewer elements than are allowed.
    let chain = (0..60).fold(element(), |inner, _| {
        element().with_text("x").with_child(inner).with_text("x")
    });
    let chains = |count| (0..count).fold(element(), |all, _| all.with_child(chain.clone()));
    assert_eq!(rules(chains(137)), Rule::EntryTooLarge);
    let most = home().with_foreign(chains(136));
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(&most).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(&file[..]);
    assert!(reader.read_raw().unwrap().is_some());
    assert_eq!(
        rules(element().with_text("a".repeat(2 << 20))),
        Rule::EntryTooLarge
    );
}

/// A reader would report such a prefix, so it is left out.
#[test]
fn a_prefix_of_an_extension_that_stands_for_another_namespace() {
    let element = |prefix: &str, name: &str| Element::new(name, "urn:x").with_prefix(prefix);
    let images = home().with_image(Image::new(url("https://example.com/a.png")));
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
        let mut writer = UrlsetWriter::new(Vec::new());
        for page in [home().with_foreign(written.clone()), images.clone()] {
            writer.write(&page).unwrap();
        }
        let file = writer.finish().unwrap();
        let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(&file[..]);
        let entries: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        let expected = [home().with_foreign(expected), images.clone()].map(Entry::Url);
        assert_eq!(entries, expected, "{}", String::from_utf8_lossy(&file));
        assert!(reader.issues().is_empty());
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
    let xml = "http://www.w3.org/XML/1998/namespace";
    let expected = [
        Attribute::new("title", "", "A < B"),
        Attribute::new("media", "", "print"),
        Attribute::new("x:y", "urn:x", "1"),
        Attribute::new("xml:lang", xml, "de"),
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
        let mut writer = WriterBuilder::new().declare(declared).urlset(Vec::new());
        writer.write(&home()).unwrap();
        writer.write(&page).unwrap();
        let file = writer.finish().unwrap();
        let entries = [home(), page.clone()].map(Entry::Url);
        assert_eq!(read(&file), entries);
    }
    for (attribute, rule) in [
        (("href", "", "b"), Rule::MalformedMarkup),
        (("rel", "", "b"), Rule::MalformedMarkup),
        (("title", "", "b"), Rule::MalformedMarkup),
        (("a b", "", "b"), Rule::MalformedMarkup),
        (("xmlns", "", "b"), Rule::MalformedMarkup),
        (("y:a", "", "b"), Rule::UndeclaredPrefix),
        (("x:b", "urn:other", "b"), Rule::MalformedMarkup),
        (("xhtml:b", "urn:other", "b"), Rule::MalformedMarkup),
        (("b", "", "\u{1}"), Rule::InvalidCharacter),
    ] {
        let mut page = page.clone();
        let (name, namespace, value) = attribute;
        let attribute = Attribute::new(name, namespace, value);
        page.alternates[0].attributes.push(attribute);
        assert_eq!(refusal(&page), rule, "{name}");
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
    assert_eq!(rule(writer.write(&entry(65))), Rule::EntryTooLarge);
    writer.write(&entry(64)).unwrap();
    writer.write(&entry(64)).unwrap();
    let file = writer.finish().unwrap();
    let expected = [home(), entry(64), entry(64)].map(Entry::Url);
    assert_eq!(read(&file), expected);
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
    index
        .write(&SitemapEntry::new(url("https://example.com/1.xml")))
        .unwrap();
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
    let mut part = SitemapEntry::new(url("https://example.com/1.xml"));
    part.check().unwrap();
    part.loc = url("https://user@example.com:8080/1.xml?[");
    let found = part.check().unwrap_err();
    assert_eq!(found.rule(), Rule::UrlNotEscaped);
    let error = IndexWriter::new(Vec::new()).write(&part).unwrap_err();
    assert_eq!(error.violation(), Some(&found));
    everything().check().unwrap();
}

#[test]
fn entry_50_001_is_refused() {
    let mut writer = UrlsetWriter::new(Vec::new());
    for _ in 0..50_000 {
        writer.write(&home()).unwrap();
    }
    for _ in 0..2 {
        assert_eq!(rule(writer.write(&home())), Rule::TooManyEntries);
    }
    let xml = writer.finish().unwrap();
    assert_eq!(xml.iter().filter(|b| **b == b'\n').count(), 50_003);
    assert!(xml.ends_with(b"</url>\n</urlset>\n"));

    let builder = WriterBuilder::new().limits(limits(u64::MAX, u64::MAX));
    let mut writer = builder.text(io::sink());
    for _ in 0..50_000 {
        writer.write(&home()).unwrap();
    }
    assert_eq!(rule(writer.write(&home())), Rule::TooManyEntries);
    let mut writer = WriterBuilder::new()
        .limits(limits(0, u64::MAX))
        .urlset(Vec::new());
    assert_eq!(rule(writer.write(&home())), Rule::TooManyEntries);
}

/// The file of one entry fits into its own number of bytes, and not into one less.
fn to_the_byte(write: impl Fn(&WriterBuilder) -> Result<Vec<u8>, Error>) {
    let size = write(&WriterBuilder::new()).unwrap().len() as u64;
    let exact = write(&WriterBuilder::new().limits(limits(9, size))).unwrap();
    assert_eq!(exact.len() as u64, size);
    let small = write(&WriterBuilder::new().limits(limits(9, size - 1)));
    assert_eq!(rule(small.map(drop)), Rule::TooManyBytes);
}

#[test]
fn limits_hold_to_the_byte() {
    let part = SitemapEntry::new(url("https://example.com/1.xml"));
    to_the_byte(|builder| {
        let mut writer = builder.urlset(Vec::new());
        writer.write(&everything())?;
        writer.finish()
    });
    to_the_byte(|builder| {
        let mut writer = builder.clone().indent(2).urlset(Vec::new());
        writer.write(&everything())?;
        writer.write(&home())?;
        writer.finish()
    });
    to_the_byte(|builder| {
        let mut writer = builder.index(Vec::new());
        writer.write(&part)?;
        writer.finish()
    });
    to_the_byte(|builder| {
        let mut writer = builder.text(Vec::new());
        writer.write(&home())?;
        writer.finish()
    });
    to_the_byte(|builder| builder.urlset(Vec::new()).finish());
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
    assert_eq!(rule(writer.write(&entry)), Rule::TooManyBytes);
    let size =
        HEAD.len() + count * ("<url><loc></loc></url>\n".len() + 2_020) + "</urlset>\n".len();
    let room = 52_428_800 - size - "<url><loc></loc></url>\n".len() - 20;
    assert_eq!(rule(writer.write(&big(room + 1))), Rule::TooManyBytes);
    writer.write(&big(room)).unwrap();
    assert_eq!(rule(writer.write(&home())), Rule::TooManyBytes);
    let xml = writer.finish().unwrap();
    assert_eq!(xml.len(), 52_428_800);
    assert!(xml.ends_with(b"</urlset>\n"));
}

#[test]
fn what_is_refused_leaves_no_trace() {
    let mut writer = UrlsetWriter::new(Vec::new());
    let wrong = everything().with_alternate(Alternate::new("?", url("https://example.com/")));
    assert_eq!(rule(writer.write(&wrong)), Rule::InvalidLanguage);
    writer.write(&home()).unwrap();
    assert_eq!(rule(writer.write(&wrong)), Rule::InvalidLanguage);
    writer.write(&home()).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let line = "<url><loc>https://example.com/</loc></url>\n";
    assert_eq!(xml, format!("{HEAD}{line}{line}</urlset>\n"));
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
    for kind in [
        io::ErrorKind::StorageFull,
        io::ErrorKind::WouldBlock,
        io::ErrorKind::TimedOut,
    ] {
        let mut writer = UrlsetWriter::new(Faulty {
            room: 100_000,
            kind,
            flushed: false,
        });
        let error = (0..50_000)
            .find_map(|_| writer.write(&home()).err())
            .unwrap();
        assert!(
            error.is_fatal() && matches!(error.kind(), ErrorKind::Io(_)),
            "{error}"
        );
        let again = writer.write(&home()).unwrap_err();
        assert!(
            again.is_fatal() && matches!(again.kind(), ErrorKind::Io(_)),
            "{again}"
        );
        assert!(matches!(
            writer.finish().err().unwrap().kind(),
            ErrorKind::Io(_)
        ));
    }
    let faulty = Faulty {
        room: 10,
        kind: io::ErrorKind::Other,
        flushed: false,
    };
    let mut writer = UrlsetWriter::new(faulty);
    writer.write(&home()).unwrap();
    assert!(writer.finish().is_err());
    // An interrupted call is repeated.
    let faulty = Faulty {
        room: 10,
        kind: io::ErrorKind::Interrupted,
        flushed: false,
    };
    let mut writer = UrlsetWriter::new(faulty);
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
        let refused = |result: quick_sitemap::Result<()>| {
            assert_eq!(rule(result), Rule::InvalidUrl, "{host}");
        };
        refused(UrlsetWriter::new(Vec::new()).write(&page));
        refused(TextWriter::new(Vec::new()).write(&page));
        refused(IndexWriter::new(Vec::new()).write(&SitemapEntry::new(loc.clone())));
        let inside = home().with_image(Image::new(loc.clone()));
        refused(UrlsetWriter::new(Vec::new()).write(&inside));
        let inside = home().with_alternate(Alternate::new("de", loc));
        refused(UrlsetWriter::new(Vec::new()).write(&inside));
    }
}

#[test]
fn a_price_has_a_currency_or_says_what_for() {
    let video = |price: Price| {
        let page = url("https://example.com/v");
        let mut video = Video::new(page.clone(), "a", "b", page);
        video.prices.push(price);
        home().with_video(video)
    };
    let mut amount_only = Price::new("1.99", "EUR");
    amount_only.currency = None;
    let mut nothing = amount_only.clone();
    nothing.amount = None;
    for price in [amount_only, nothing.clone()] {
        let written = UrlsetWriter::new(Vec::new()).write(&video(price));
        assert_eq!(rule(written), Rule::MissingAttribute);
    }
    nothing.kind = Some(PriceType::Rent);
    let page = video(nothing);
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(&page).unwrap();
    let file = writer.finish().unwrap();
    validate(&file, "urlset.xsd");
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(&file[..]);
    assert_eq!(reader.next().unwrap().unwrap(), Entry::from(page));
}

#[test]
fn an_indent_beyond_all_measure() {
    let lines = |spaces| {
        let mut writer = WriterBuilder::new().indent(spaces).urlset(Vec::new());
        writer.write(&home()).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    };
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
    assert_eq!(
        rule(writer.write(&page("ftp://example.com/"))),
        Rule::UnsupportedScheme
    );
    let text = writer.finish().unwrap();
    assert_eq!(
        text,
        b"https://example.com/?a=%271%27&b=(2)\nhttps://example.com/\n"
    );
}
