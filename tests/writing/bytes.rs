//! The exact bytes of files with an entry that has every part.

use std::fs;

use crate::every_part;
use quick_sitemap::extension::foreign::{Attribute, Element};
use quick_sitemap::extension::{Alternate, Image};
use quick_sitemap::{
    IndexWriter, SitemapEntry, UrlEntry, UrlsetWriter, W3cDatetime, WriterBuilder,
};
use url::Url;

/// Elements at the end of [`page`]. They are not indented within, because spaces would be part of their content.
const FOREIGN: &str = r#"    <PageMap xmlns="urn:p"><DataObject type="a&#9;b"><Attribute>One &amp; two</Attribute></DataObject><empty/></PageMap>
    <m:mixed m:k="v" plain="&apos;">good <bare xmlns="">and</bare> better<m:mixed/></m:mixed>
    <xhtml:link rel="amphtml" href="https://example.com/amp"/>
"#;

/// The file of [`page`] with an indentation of two spaces.
fn indented_page() -> String {
    let mut text = fs::read_to_string(every_part::PATH).unwrap();
    for (from, to) in [
        ("-news/0.9\">", "-news/0.9\" xmlns:m=\"urn:m\">".to_owned()),
        (
            r#"<video:price currency="GBP" type="purchase">12</video:price>"#,
            r#"<video:price type="purchase"/>"#.to_owned(),
        ),
        (
            "      <video:platform",
            "      <video:tvshow><video:show_title>Pets</video:show_title>\
             <video:video_type>full</video:video_type></video:tvshow>\n      <video:platform"
                .to_owned(),
        ),
        ("  </url>\n", format!("{FOREIGN}  </url>\n")),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, &to);
    }
    text
}

const INDEX: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="/a.css?b&amp;c"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap>
    <loc>https://example.com/1.xml</loc>
    <lastmod>2024-03-04</lastmod>
    <PageMap xmlns="urn:p"><DataObject type="a&#9;b"><Attribute>One &amp; two</Attribute></DataObject><empty/></PageMap>
  </sitemap>
  <sitemap>
    <loc>https://example.com/2.xml</loc>
  </sitemap>
</sitemapindex>
"#;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn date(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

fn page_map() -> Element {
    let attribute = Element::new("Attribute", "urn:p").with_text("One & two");
    let object = Element::new("DataObject", "urn:p")
        .with_attribute("type", "a\tb")
        .with_child(attribute);
    Element::new("PageMap", "urn:p")
        .with_child(object)
        .with_child(Element::new("empty", "urn:p"))
}

/// A page with every part that a page can have, foreign elements too.
fn page() -> UrlEntry {
    let part = |name: &str| {
        Element::new(name, "http://www.google.com/schemas/sitemap-video/1.1").with_prefix("video")
    };
    let mut page = every_part::page();
    let video = &mut page.videos[0];
    (video.prices[1].amount, video.prices[1].currency) = (None, None);
    video.tvshow = Some(
        part("tvshow")
            .with_child(part("show_title").with_text("Pets"))
            .with_child(part("video_type").with_text("full")),
    );
    let mut mixed = Element::new("mixed", "urn:m").with_prefix("m");
    mixed.attributes.push(Attribute::new("m:k", "urn:m", "v"));
    let mixed = mixed
        .with_attribute("plain", "'")
        .with_text("good ")
        .with_child(Element::new("bare", "").with_text("and"))
        .with_text(" better")
        .with_child(Element::new("mixed", "urn:m").with_prefix("m"));
    let amp = Element::new("link", "http://www.w3.org/1999/xhtml")
        .with_prefix("xhtml")
        .with_attribute("rel", "amphtml")
        .with_attribute("href", "https://example.com/amp");
    page.with_foreign(page_map())
        .with_foreign(mixed)
        .with_foreign(amp)
}

fn urlset(builder: &WriterBuilder, pages: &[UrlEntry]) -> String {
    let mut writer = builder.urlset(Vec::new());
    pages.iter().for_each(|page| writer.write(page).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// A file without indentation: an entry is on one line.
fn plain(indented: &str) -> String {
    let mut plain = String::new();
    for line in indented.lines() {
        plain.push_str(line.trim_start());
        if !line.starts_with("  ") || line.starts_with("  </") {
            plain.push('\n');
        }
    }
    plain
}

/// The file of [`page`] after a page that has only a loc: each element declares its namespace.
fn declared_late(indented: &str) -> String {
    let (head, body) = indented.split_once(" xmlns:xhtml").unwrap();
    let (declarations, body) = body.split_once(">\n").unwrap();
    let declarations = format!("xmlns:xhtml{declarations}");
    let elements = [
        &["<xhtml:link"][..],
        &["<image:image"],
        // The declaration of an extension's element is not used by foreign elements in it.
        &["<video:video", "<video:tvshow"],
        &["<news:news"],
        &["<m:mixed"],
    ];
    let mut body = body.to_owned();
    for (declaration, names) in declarations.split(' ').zip(elements) {
        for name in names {
            for end in [" ", ">"] {
                let declared = format!("{name} {declaration}{end}");
                body = body.replace(&format!("{name}{end}"), &declared);
            }
        }
    }
    format!("{head}>\n  <url>\n    <loc>https://example.com/</loc>\n  </url>\n{body}")
}

#[test]
fn a_page_with_every_part() {
    let indented = WriterBuilder::new().indent(2);
    let expected = indented_page();
    assert_eq!(urlset(&indented, &[page()]), expected);
    assert_eq!(urlset(&WriterBuilder::new(), &[page()]), plain(&expected));
}

#[test]
fn a_page_with_every_part_after_one_with_none() {
    let pages = [UrlEntry::new(url("https://example.com/")), page()];
    let expected = declared_late(&indented_page());
    assert_eq!(urlset(&WriterBuilder::new().indent(2), &pages), expected);
    assert_eq!(urlset(&WriterBuilder::new(), &pages), plain(&expected));
}

#[test]
fn an_index_with_every_part() {
    let parts = [
        SitemapEntry::new(url("https://example.com/1.xml"))
            .with_lastmod(date("2024-03-04"))
            .with_foreign(page_map()),
        SitemapEntry::new(url("https://example.com/2.xml")),
    ];
    let builder = WriterBuilder::new().stylesheet("/a.css?b&c");
    for (indent, expected) in [(2, INDEX.to_owned()), (0, plain(INDEX))] {
        let mut writer: IndexWriter<_> = builder.clone().indent(indent).index(Vec::new());
        parts.iter().for_each(|part| writer.write(part).unwrap());
        let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
        assert_eq!(xml, expected);
    }
}

/// A rejected first entry takes the root with it, and the namespaces that the root declared.
#[test]
fn a_namespace_of_a_rejected_root_is_declared_again() {
    let home = || UrlEntry::new(url("https://example.com/"));
    let image = home().with_image(Image::new(url("https://example.com/a.jpg")));
    let alternate = home().with_alternate(Alternate::new("de", url("https://example.com/de")));
    let link = r#"<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>"#;
    for (first, namespace, link) in [
        (home(), "", ""),
        (
            alternate,
            r#" xmlns:xhtml="http://www.w3.org/1999/xhtml""#,
            link,
        ),
    ] {
        let mut writer = UrlsetWriter::new(Vec::new());
        let rejected = image.clone().with_foreign(Element::new("?", "urn:x"));
        assert!(writer.write(&rejected).is_err());
        writer.write(&first).unwrap();
        writer.write(&image).unwrap();
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{namespace}>
<url><loc>https://example.com/</loc>{link}</url>
<url><loc>https://example.com/</loc><image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><image:loc>https://example.com/a.jpg</image:loc></image:image></url>
</urlset>
"#
        );
        assert_eq!(
            String::from_utf8(writer.finish().unwrap()).unwrap(),
            expected
        );
    }
}

/// The root of the first entry declares 32 namespaces, and the elements declare the others.
#[test]
fn a_root_declares_32_namespaces_of_its_first_entry() {
    let first = (0..33).fold(UrlEntry::new(url("https://example.com/")), |page, n| {
        page.with_foreign(Element::new("a", format!("urn:{n}")).with_prefix(format!("p{n}")))
    });
    let mut writer = UrlsetWriter::new(Vec::new());
    // A rejected entry does not use up the 32.
    let rejected = first.clone().with_foreign(Element::new("?", "urn:x"));
    assert!(writer.write(&rejected).is_err());
    writer.write(&first).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let root = xml.lines().nth(1).unwrap();
    assert!(root.ends_with(" xmlns:p31=\"urn:31\">"), "{root}");
    assert!(xml.ends_with("<p31:a/><p32:a xmlns:p32=\"urn:32\"/></url>\n</urlset>\n"));
}

/// Nothing is indented in a foreign element, but everything after a rejected one is.
#[test]
fn a_rejected_foreign_element_does_not_end_the_indentation() {
    let home = UrlEntry::new(url("https://example.com/"));
    let nested = Element::new("a", "urn:a").with_child(Element::new("?", "urn:a"));
    let mut writer = WriterBuilder::new().indent(2).urlset(Vec::new());
    writer.write(&home).unwrap();
    assert!(writer.write(&home.clone().with_foreign(nested)).is_err());
    writer.write(&home).unwrap();
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    let page = "  <url>\n    <loc>https://example.com/</loc>\n  </url>\n";
    assert!(
        xml.ends_with(&format!("0.9\">\n{page}{page}</urlset>\n")),
        "{xml}"
    );
}
