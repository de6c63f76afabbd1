//! Names are resolved, not compared with their prefixes; only direct children of the entry in the sitemap namespace are
//! values.

use crate::common::{self, NS, Outcome, read_slice, reader_of, same_however_cut};
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::{Entry, Format, Reader, Rule};

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const X: &str = "https://example.com/x";

/// Reads a document in every division.
fn outcome(text: &str) -> Outcome {
    same_however_cut(text.as_bytes());
    read_slice(text)
}

/// Checks that the document has no issue and returns these entries.
fn gives(text: &str, entries: &[&str]) {
    let outcome = outcome(text);
    assert_eq!(outcome.shown(), entries, "{text}");
    assert_eq!(
        (outcome.rules(), outcome.fatal()),
        (vec![], "none"),
        "{text}"
    );
}

/// Checks that the document returns these entries and breaks these rules.
fn notes(text: &str, rules: &[Rule], entries: &[&str]) {
    let outcome = outcome(text);
    assert_eq!(outcome.shown(), entries, "{text}");
    assert_eq!(
        (&outcome.rules()[..], outcome.fatal()),
        (rules, "none"),
        "{text}: {:#?}",
        outcome.issues()
    );
}

#[test]
fn any_prefix_for_the_sitemap_namespace() {
    for prefix in ["sm", "s", "image", "a-b", "ü", "_"] {
        gives(
            &format!(
                "<{prefix}:urlset xmlns:{prefix}=\"{NS}\"><{prefix}:url><{prefix}:loc>{X}</{prefix}:loc>\
                 <{prefix}:lastmod>2024</{prefix}:lastmod></{prefix}:url></{prefix}:urlset>"
            ),
            &["https://example.com/x lastmod=2024"],
        );
    }
}

#[test]
fn locs_that_are_not_the_pages_own() {
    for other in [
        "<image:image><image:loc>https://example.com/no</image:loc></image:image>",
        "<image:loc>https://example.com/no</image:loc>",
        "<x:loc>https://example.com/no</x:loc>",
        "<x:y><x:loc>https://example.com/no</x:loc></x:y>",
        "<x:y><loc>https://example.com/no</loc></x:y>",
    ] {
        let root = format!("<urlset xmlns=\"{NS}\" xmlns:image=\"{IMAGE}\" xmlns:x=\"urn:x\">");
        for (before, after) in [(other, ""), ("", other)] {
            let text = format!(
                "{root}<url>{before}<loc>{X}</loc>{after}<lastmod>2024</lastmod></url></urlset>"
            );
            let outcome = outcome(&text);
            assert_eq!(
                outcome.shown(),
                ["https://example.com/x lastmod=2024"],
                "{text}"
            );
        }
        let text = format!("{root}<url>{other}</url></urlset>");
        assert_eq!(outcome(&text).locs(), Vec::<&str>::new(), "{text}");
    }
}

/// Looks like the sitemap namespace, but is that of an extension.
#[test]
fn the_namespace_of_an_extension_that_is_misspelt() {
    let text = |inner: &str| {
        format!(
            "<urlset xmlns=\"{NS}\" xmlns:image=\"http://www.sitemaps.org/schemas/sitemap-image/1.1\">\
             <url><loc>{X}</loc>{inner}</url></urlset>"
        )
    };
    for (inner, rules) in [
        (
            "<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>",
            vec![Rule::WrongNamespace],
        ),
        ("<image:loc>https://example.com/a.jpg</image:loc>", vec![]),
        (
            "<image:url><image:loc>https://example.com/a.jpg</image:loc></image:url>",
            vec![],
        ),
    ] {
        let text = text(inner);
        let outcome = outcome(&text);
        assert_eq!(
            (outcome.locs(), outcome.rules()),
            (vec![X], rules),
            "{inner}"
        );
        let entry = reader_of(&text).next().unwrap().unwrap();
        let foreign = &entry.as_url().unwrap().foreign;
        assert_eq!(foreign.len(), 1, "{inner}");
    }
}

/// The elements of a feed that are values have no namespace or one of RSS, not one of its modules.
#[test]
fn namespaces_of_rss_and_its_modules() {
    for module in [
        "http://purl.org/rss/1.0/modules/link/",
        "http://purl.org/rss/1.0/modules/content/",
        "http://search.yahoo.com/mrss/",
        "http://backend.userland.com/creativeCommonsRssModule",
        "http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html",
    ] {
        let other = "https://example.com/other";
        gives(
            &format!(
                "<rss xmlns:m=\"{module}\"><channel><item><m:link>{other}</m:link><m:guid>{other}</m:guid>\
                 <m:items><m:item><m:link>{other}</m:link></m:item></m:items><link>{X}</link></item></channel></rss>"
            ),
            &[X],
        );
    }
    for rss in [
        "http://purl.org/rss/1.0/",
        "http://my.netscape.com/rdf/simple/0.9/",
        "http://channel.netscape.com/rdf/simple/0.9/",
        "http://backend.userland.com/rss2",
        "http://backend.userland.com/RSS2",
        "http://blogs.law.harvard.edu/tech/rss",
    ] {
        gives(
            &format!(
                "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"{rss}\">\
                 <item><link>{X}</link></item></rdf:RDF>"
            ),
            &[X],
        );
    }
}

#[test]
fn an_rdf_document_without_a_namespace_of_rss_is_no_feed() {
    let rdf = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"";
    for (declared, is_feed) in [
        ("", false),
        (" xmlns:skos='http://www.w3.org/2004/02/skos/core#'", false),
        (" xmlns:foaf='http://xmlns.com/foaf/0.1/'", false),
        (" xmlns:c='http://purl.org/rss/1.0/modules/content/'", false),
        (" about=\"http://purl.org/rss/1.0/\"", false),
        (" xmlns=\"http://purl.org/rss/1.0/\"", true),
        (" xmlns:rss='http://purl.org/rss/1&#46;0/'", true),
        ("\n  xmlns='http://my.netscape.com/rdf/simple/0.9/'", true),
    ] {
        for head in ["", "<?xml version=\"1.0\"?>\n<!-- -->", "words\n"] {
            let text =
                format!("{head}<rdf:RDF {rdf}{declared}><item><link>{X}</link></item></rdf:RDF>");
            let outcome = outcome(&text);
            if is_feed {
                assert_eq!(outcome.fatal(), "none", "{text}");
                assert_eq!(outcome.format, Some(Format::Rss), "{text}");
            } else {
                assert_eq!(outcome.locs(), [""; 0], "{text}");
                let error = outcome.errors()[0];
                assert!(error.text.contains("rdf:RDF"), "{text}: {}", error.text);
                let at = (error.kind, error.position.unwrap().byte());
                assert_eq!(at, ("UnknownRoot", head.len() as u64), "{text}");
            }
        }
    }
    // Broken off in its tag it may be one.
    let cut = format!("<rdf:RDF {rdf} xmlns=\"http://purl");
    assert_eq!(outcome(&cut).fatal(), "Truncated");
}

#[test]
fn links_for_mobile_pages_and_apps_are_carried_through() {
    let links = "<xhtml:link rel=\"alternate\" media=\"only screen and (max-width: 640px)\" href=\"https://m.example.com/\"/>\
        <xhtml:link rel=\"alternate\" href=\"android-app://com.example/http/example.com/\"/>";
    let text = format!(
        "<urlset xmlns=\"{NS}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>{X}</loc>{links}\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" media=\"print\" href=\"https://example.com/de\"/></url></urlset>"
    );
    let read = |text: &str| {
        let outcome = outcome(text);
        assert_eq!((outcome.rules(), outcome.fatal()), (vec![], "none"));
        outcome.entries()[0].as_url().unwrap().clone()
    };
    let page = read(&text);
    assert_eq!((page.foreign.len(), page.alternates.len()), (2, 1));
    assert_eq!(
        page.foreign[1].attribute("href"),
        Some("android-app://com.example/http/example.com/")
    );
    // A writer writes them again.
    let mut writer = quick_sitemap::UrlsetWriter::new(Vec::new());
    writer.write(&page).unwrap();
    let written = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(read(&written), page);
    // But not what a reader would take for an alternate.
    for (name, value) in [("media", " "), ("href", "https://example.com/")] {
        let mut other = page.clone();
        other.foreign.truncate(1);
        let attributes = &mut other.foreign[0].attributes;
        attributes.retain(|attribute| attribute.name != "media" && attribute.name != name);
        attributes.push(quick_sitemap::extension::foreign::Attribute::new(
            name, "", value,
        ));
        let mut writer = quick_sitemap::UrlsetWriter::new(Vec::new());
        let refused = writer.write(&other).unwrap_err();
        let rule = refused.violation().map(|violation| violation.rule());
        assert_eq!(rule, Some(Rule::UnknownElement), "{name}");
    }
}

#[test]
fn an_undeclared_prefix_is_noted_once_per_document_up_to_a_thousand() {
    let entry = |from: usize, to: usize| {
        let elements: String = (from..to).map(|n| format!("<p{n}:a/>")).collect();
        format!("<url><loc>{X}</loc>{elements}</url>")
    };
    let text = format!(
        "<urlset xmlns=\"{NS}\">{}{}{}{}</urlset>",
        entry(0, 64),
        entry(0, 700),
        entry(500, 1_100),
        entry(0, 1_200)
    );
    let mut reader = common::reader_of(&text);
    let mut noted = Vec::new();
    while let Some(entry) = reader.next() {
        assert!(entry.is_ok());
        let prefixes = reader.issues().iter();
        noted.push(
            prefixes
                .filter(|issue| issue.rule() == Rule::UndeclaredPrefix)
                .count(),
        );
    }
    assert_eq!(noted, [64, 636, 324, 0]);
}

/// Another version, scheme or none, a final slash, white space: each is accepted, and reported once.
#[test]
fn the_namespaces_of_extensions_in_spellings_that_are_believed() {
    let image = "<e:image><e:loc>https://example.com/i.png</e:loc></e:image>";
    let video = "<e:video><e:thumbnail_loc>https://example.com/t.png</e:thumbnail_loc><e:title>t</e:title>\
                 <e:description>d</e:description><e:content_loc>https://example.com/v</e:content_loc></e:video>";
    let news = "<e:news><e:publication><e:name>n</e:name><e:language>en</e:language></e:publication>\
                <e:publication_date>2024-01-02</e:publication_date><e:title>t</e:title></e:news>";
    let link = "<e:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>";
    for (uri, inner) in [
        ("http://www.google.com/schemas/sitemap-image/0.9", image),
        ("http://www.google.com/schemas/sitemap-image/1.1/", image),
        ("https://www.google.com/schemas/sitemap-image/1.1", image),
        ("//www.google.com/schemas/sitemap-image/1.1", image),
        ("http://google.com/schemas/sitemap-image", image),
        ("www.google.com/schemas/sitemap-image/1.1", image),
        (" http://www.google.com/schemas/sitemap-image/1.1 ", image),
        ("http://www.google.com/schemas/sitemap-video/1.0", video),
        ("http://www.google.com/schemas/sitemap-video/0.9/", video),
        ("//www.google.com/schemas/sitemap-video/1.1", video),
        ("http://www.google.com/schemas/sitemap-news/1.0", news),
        ("https://www.google.com/schemas/sitemap-news/0.9", news),
        ("https://www.w3.org/1999/xhtml", link),
        ("//www.w3.org/1999/xhtml/", link),
    ] {
        let entry = format!("<url><loc>{X}</loc>{inner}</url>");
        let text = format!("<urlset xmlns=\"{NS}\" xmlns:e=\"{uri}\">{entry}{entry}</urlset>");
        notes(&text, &[Rule::WrongNamespace], &[X, X]);
        let mut reader = reader_of(&text);
        for (nth, found) in [(1, vec![uri]), (2, vec![])] {
            let entry = reader.next().unwrap().unwrap().into_url().unwrap();
            let news = usize::from(entry.news.is_some());
            let all = entry.images.len() + entry.videos.len() + entry.alternates.len() + news;
            assert_eq!((all, entry.foreign.len()), (1, 0), "{uri}, entry {nth}");
            let issues = reader.issues().iter().map(|issue| issue.violation.found());
            assert_eq!(issues.collect::<Vec<_>>(), found, "{uri}, entry {nth}");
        }
    }
}

/// Issues about namespaces in a document, with the line and the entry.
fn noted(text: &str) -> Vec<(String, u64, u64)> {
    let outcome = outcome(text);
    assert_eq!(outcome.fatal(), "none", "{text}");
    let issues = outcome.issues();
    assert!(
        issues.iter().all(|i| i.rule() == Rule::WrongNamespace),
        "{issues:#?}"
    );
    let noted = issues.iter().map(|issue| {
        let (found, position) = (issue.violation.found(), issue.position);
        (found.to_owned(), position.line(), position.entry())
    });
    noted.collect()
}

#[test]
fn a_wrong_namespace_is_noted_once_a_document_and_namespace() {
    const HTTPS: &str = "https://www.google.com/schemas/sitemap-image/1.1";
    const OLD: &str = "http://www.google.com/schemas/sitemap-video/0.9";
    const GOOGLE: &str = "http://www.google.com/schemas/sitemap/0.84";
    let image = "<i:image xmlns:i=\"https://www.google.com/schemas/sitemap-image/1.1\">\
                 <i:loc>https://example.com/i.png</i:loc></i:image>";
    // A prefix of the root and one of the element are bound to the same namespace.
    let text = format!(
        "<urlset xmlns=\"{NS}\" xmlns:h=\"{HTTPS}\">
         <url><loc>{X}</loc>{image}{image}</url>
         <url><loc>{X}</loc><h:image><h:loc>{X}</h:loc></h:image></url>
         <url xmlns=\"{GOOGLE}\"><loc>{X}</loc>{image}</url>
         <url><loc>{X}</loc><lastmod xmlns=\"{GOOGLE}\">2024</lastmod><changefreq xmlns=\"\">daily</changefreq></url>
         <url xmlns=\"\"><loc>{X}</loc></url>
         </urlset>"
    );
    let expected = [(HTTPS, 2, 1), (GOOGLE, 4, 3), ("", 5, 4)];
    assert_eq!(
        noted(&text),
        expected.map(|(uri, line, entry)| (uri.to_owned(), line, entry))
    );
    // In an element of the extension whose own namespace is as it should be.
    let text = format!(
        "<urlset xmlns=\"{NS}\" xmlns:image=\"{IMAGE}\" xmlns:v=\"{OLD}\"><url><loc>{X}</loc>
         <image:image><h:loc xmlns:h=\"{HTTPS}\">https://example.com/i.png</h:loc></image:image></url></urlset>"
    );
    assert_eq!(noted(&text), [(HTTPS.to_owned(), 2, 1)]);
    let entry = reader_of(&text)
        .next()
        .unwrap()
        .unwrap()
        .into_url()
        .unwrap();
    assert_eq!(entry.images.len(), 1);
}

/// The root's namespace is what the others are measured by.
#[test]
fn elements_in_the_standard_namespace_under_a_root_in_none() {
    let entry = format!("<url xmlns=\"{NS}\"><loc>{X}</loc></url>");
    let text = format!("<urlset>{entry}{entry}</urlset>");
    let expected = [("", 1, 0), (NS, 1, 1)];
    assert_eq!(
        noted(&text),
        expected.map(|(uri, line, entry)| (uri.to_owned(), line, entry))
    );
    let mut reader = reader_of(&text);
    reader.next().unwrap().unwrap();
    assert!(
        reader.issues()[1]
            .to_string()
            .ends_with("is not that of the root")
    );
}

#[test]
fn raw_elements_are_resolved() {
    let text = format!(
        "<s:urlset xmlns:s=\"{NS}\" xmlns:i=\"{IMAGE}\"><s:url><s:loc>{X}</s:loc><i:image><i:loc a=\"1&amp;2\" xmlns:b='urn:b' b:c=''>{X}</i:loc></i:image>\
         <t xmlns=\"urn:t\"/><image:image/></s:url></s:urlset>"
    );
    let mut reader = reader_of(&text);
    let entry = reader.read_raw().unwrap().unwrap();
    let names: Vec<_> = entry
        .elements()
        .map(|element| (element.prefix(), element.name(), element.namespace()))
        .collect();
    assert_eq!(
        names,
        [
            ("s", "loc", NS),
            ("i", "image", IMAGE),
            ("", "t", "urn:t"),
            ("image", "image", IMAGE)
        ]
    );
    let image = entry.elements().nth(1).unwrap();
    let loc = image.children().next().unwrap();
    assert_eq!((loc.name(), loc.namespace(), loc.text()), ("loc", IMAGE, X));
    assert_eq!(
        loc.attributes().collect::<Vec<_>>(),
        [("a", "1&2"), ("b:c", "")]
    );
    assert_eq!(loc.attribute("b:c"), Some(""));
    assert_eq!(loc.attribute("xmlns:b"), None);
}

/// The foreign elements of each entry, by prefix and name.
fn foreign(text: &str) -> Vec<Vec<String>> {
    let outcome = outcome(text);
    assert_eq!(outcome.fatal(), "none", "{text}");
    let entries = outcome.entries().into_iter().map(|entry| match entry {
        Entry::Url(page) => &page.foreign,
        Entry::Sitemap(part) => &part.foreign,
    });
    let names = |foreign: &Vec<Element>| {
        let spelt = |element: &Element| format!("{}:{}", element.namespace, element.name);
        foreign.iter().map(spelt).collect()
    };
    entries.map(names).collect()
}

#[test]
fn an_element_of_many_locs_keeps_its_namespaces() {
    let locs = |n: usize| "<loc>https://example.com/</loc><x:foo>2</x:foo>".repeat(n);
    for n in [2, 3, 50] {
        let text = format!(
            "<urlset xmlns=\"{NS}\" xmlns:x='urn:y'><url xmlns:x='urn:x'>{}</url>{}</urlset>",
            locs(n),
            "<url><loc>https://example.com/</loc><x:foo/></url>"
        );
        let mut expected = vec![vec!["urn:x:foo".to_owned()]; n];
        // Its declarations end with it.
        expected.push(vec!["urn:y:foo".to_owned()]);
        assert_eq!(foreign(&text), expected);
        assert_eq!(outcome(&text).rules(), vec![Rule::SecondLoc; n - 1]);
    }
}

#[test]
fn the_rest_of_an_element_of_two_locs_is_in_its_namespace() {
    let old = "http://www.google.com/schemas/sitemap/0.84";
    let text = format!(
        "<urlset xmlns=\"{NS}\"><url xmlns=\"{old}\"><loc>{X}</loc><loc>{X}</loc><x:b xmlns:x='urn:x'/></url></urlset>"
    );
    assert_eq!(foreign(&text), [vec![], vec!["urn:x:b".to_owned()]]);
    let outcome = outcome(&text);
    assert_eq!(outcome.rules(), [Rule::WrongNamespace, Rule::SecondLoc]);
}

/// A prefix can have another meaning in each entry.
#[test]
fn a_prefix_has_its_own_meaning_in_an_element_around_entries() {
    let page =
        format!("<url><loc>{X}</loc><image:image><image:loc>{X}</image:loc></image:image></url>");
    let pages = page.repeat(3);
    let text = format!(
        "<urlset xmlns=\"{NS}\" xmlns:image='{IMAGE}'>{pages}<w xmlns:image='urn:w'>{pages}</w>{pages}</urlset>"
    );
    let images = Reader::from_bytes(&text).map(|entry| {
        let page = entry.unwrap().into_url().unwrap();
        (page.images.len(), page.foreign.len())
    });
    let expected = [[(1, 0); 3], [(0, 1); 3], [(1, 0); 3]].concat();
    assert_eq!(images.collect::<Vec<_>>(), expected);
}

/// A default namespace that an element of an extension declares is no attribute, and applies to its children.
#[test]
fn an_element_of_an_extension_can_declare_the_default_namespace() {
    let page = format!(
        "<url><loc>{X}</loc><image:image xmlns=\"urn:x\"><image:loc>{X}</image:loc>{{}}</image:image></url>"
    );
    let pages = page.replace("{}", "").repeat(4) + &page.replace("{}", "<a/>");
    let text = format!("<urlset xmlns=\"{NS}\" xmlns:image=\"{IMAGE}\">{pages}</urlset>");
    let mut reader = Reader::from_bytes(&text);
    let mut entries = 0;
    while let Some(entry) = reader.read_raw().unwrap() {
        entries += 1;
        let image = entry.elements().nth(1).unwrap();
        assert_eq!(image.attributes().count(), 0);
        for other in image.children().skip(1) {
            assert_eq!((other.name(), other.namespace()), ("a", "urn:x"));
        }
    }
    assert_eq!(entries, 5);
}

/// Links that differ in any part from the usual form are read as they are written.
#[test]
fn a_link_of_another_relation_is_no_alternate() {
    let page = |link: &str| {
        let attributes = format!("rel=\"{link}\" hreflang=\"en\" href=\"{X}\"");
        format!("<url><loc>{X}</loc><xhtml:link {attributes}/></url>")
    };
    let usual = page("alternate").repeat(4);
    for other in ["canonical", "alternatx", "altexnate", "xlternate"] {
        let text = format!(
            "<urlset xmlns=\"{NS}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{usual}{}{usual}</urlset>",
            page(other)
        );
        let counts = Reader::from_bytes(&text)
            .map(|entry| entry.unwrap().into_url().unwrap().alternates.len());
        assert_eq!(
            counts.collect::<Vec<_>>(),
            [1, 1, 1, 1, 0, 1, 1, 1, 1],
            "{other}"
        );
    }
}
