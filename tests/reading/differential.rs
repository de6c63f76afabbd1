//! Entries of the usual shape are read by the plain parser. A comment after every start tag of an entry forces the general
//! parser; the results must be the same. The fuzz target `differential` holds it of damaged documents (fuzz_corpus.rs).

use crate::common::{NS, cases};
use quick_sitemap::{Effect, Entry, Policy, ReaderBuilder, Rule};

#[derive(Debug, PartialEq)]
enum Said {
    Entry(Box<Entry>),
    Issue(Rule, Effect, String, u64),
    Error(String, bool),
}

/// Issues of a document. Columns shift by the comments, so places are compared by entry only.
fn said(builder: &ReaderBuilder, bytes: &[u8]) -> Vec<Said> {
    let mut reader = builder.build(bytes);
    let mut said = Vec::new();
    loop {
        let step = reader.next();
        said.extend(reader.issues().iter().map(|issue| {
            let violation = &issue.violation;
            Said::Issue(
                violation.rule(),
                issue.effect,
                violation.to_string(),
                issue.position.entry(),
            )
        }));
        match step {
            None => return said,
            Some(Ok(entry)) => said.push(Said::Entry(Box::new(entry))),
            Some(Err(error)) => {
                said.push(Said::Error(format!("{:?}", error.kind()), error.is_fatal()))
            }
        }
    }
}

/// The text of every element, by raw reading.
fn spelt(bytes: &[u8]) -> Vec<String> {
    fn all(element: quick_sitemap::RawElement<'_>, spelt: &mut Vec<String>) {
        let attributes: Vec<_> = element.attributes().collect();
        spelt.push(format!(
            "{}:{} {:?} {:?} {attributes:?}",
            element.prefix(),
            element.name(),
            element.namespace(),
            element.text()
        ));
        element.children().for_each(|child| all(child, spelt));
    }
    let mut reader = ReaderBuilder::new().build(bytes);
    let mut spelt = Vec::new();
    while let Ok(Some(entry)) = reader.read_raw() {
        spelt.push(format!(
            "{:?} {:?} {:?} {:?}",
            entry.loc(),
            entry.lastmod(),
            entry.changefreq(),
            entry.priority()
        ));
        entry
            .elements()
            .for_each(|element| all(element, &mut spelt));
    }
    spelt
}

fn without_plain_parser(text: &str) -> String {
    text.replace("<url>", "<url><!---->")
        .replace("<url a='b'>", "<url a='b'><!---->")
        .replace("<sitemap>", "<sitemap><!---->")
}

fn same(name: &str, builder: &ReaderBuilder, text: &str) {
    let general = without_plain_parser(text);
    for policy in [Policy::LENIENT, Policy::STRICT] {
        let builder = builder.clone().policy(policy);
        assert_eq!(
            said(&builder, text.as_bytes()),
            said(&builder, general.as_bytes()),
            "{name}"
        );
    }
    assert_eq!(spelt(text.as_bytes()), spelt(general.as_bytes()), "{name}");
}

#[test]
fn every_row_of_the_rule_book() {
    let mut compared = 0;
    for case in [cases::all(), cases::clean()].concat() {
        // A further comment changes the result if bytes are counted or an entry is in a comment.
        let Ok(text) = std::str::from_utf8(&case.bytes) else {
            continue;
        };
        if text.contains("<!--") || text.contains("CDATA") || text.len() > 1_000_000 {
            continue;
        }
        same(&case.name, &case.builder, text);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_fixture() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let compared = every_file_of(folder, |_| true);
    assert!(compared > 3, "{compared}");
}

/// Sitemaps as sites published them, where they are.
#[test]
fn real_files() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus/files");
    if std::path::Path::new(folder).is_dir() {
        // A comment in a comment changes the result. The sizes of large files are near the limits.
        let compared = every_file_of(folder, |text| {
            text.len() < 500_000 && !text.contains("<!--")
        });
        assert!(compared > 50, "{compared}");
    }
}

/// Compares the parsers on the suitable files in a folder, and returns how many there are.
fn every_file_of(folder: &str, is_suitable: fn(&str) -> bool) -> usize {
    let mut compared = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if is_suitable(&text) {
            same(&path.display().to_string(), &ReaderBuilder::new(), &text);
            compared += 1;
        }
    }
    compared
}

/// Every selection of these children in every order, each twice at most.
#[test]
fn children_in_any_order() {
    const CHILDREN: [&str; 6] = [
        "<loc>https://example.com/a</loc>",
        "<lastmod> 2024-01-02 </lastmod>",
        "<changefreq>daily</changefreq>",
        "<priority></priority>",
        "<x:a b='c'>d</x:a>",
        "<x:a b='&amp;'> <x:e>f</x:e></x:a>",
    ];
    let mut entries = vec![String::new()];
    for _ in 0..4 {
        let longer = entries.iter().flat_map(|entry| {
            let again = CHILDREN
                .iter()
                .map(move |child| format!("{entry}\n  {child}"));
            again.filter(|entry| {
                CHILDREN
                    .iter()
                    .all(|child| entry.matches(child).count() < 3)
            })
        });
        let longer: Vec<_> = longer.collect();
        entries.extend(longer);
    }
    let text = |entry: &str| {
        let url = entry.replace("/a<", "/b<");
        format!("\n<sitemap>{entry}\n</sitemap>\n<url>{url}\n</url>")
    };
    for root in ["urlset", "sitemapindex"] {
        for entries in entries.chunks(200) {
            let entries: String = entries.iter().map(|entry| text(entry)).collect();
            let text = format!("<{root} xmlns='{NS}' xmlns:x='urn:x'>{entries}</{root}>");
            same(root, &ReaderBuilder::new(), &text);
        }
    }
    // Another end tag than that of the entry.
    let page = |end: &str| format!("<url>\n<loc>https://example.com/</loc>\n</{end}>\n");
    let sitemap = page("sitemap").replace("<url>", "<sitemap>");
    let mixed = [page("url"), page("sitemap"), page("url"), page("urlset")].concat();
    let text = format!(
        "<sitemapindex xmlns='{NS}'>{sitemap}{sitemap}<urlset>{mixed}</urlset></sitemapindex>"
    );
    same("mixed", &ReaderBuilder::new(), &text);
}

/// Elements in any place, with any parts, in any namespace.
#[test]
fn elements_with_prefixes_in_any_place() {
    const CHILDREN: [&str; 22] = [
        "<sm:lastmod>2024-01-02</sm:lastmod>",
        "<sm:loc>https://example.com/b</sm:loc>",
        "<image:image><image:loc>https://example.com/i</image:loc></image:image>",
        "<image:image>\n <image:loc>https://example.com/i</image:loc>\n <image:title>a &amp; b</image:title>\n</image:image>",
        "<image:image>\n <image:title> a</image:title><image:loc>https://example.com/i</image:loc>\n</image:image>",
        "<image:image xmlns:x='urn:y'>\n<x:a b='1'>c</x:a>\n<image:loc>https://example.com/i</image:loc></image:image>",
        "<image:image>\n<x:a b='1'>c</x:a>\n<image:loc>https://example.com/i</image:loc></image:image>",
        "<image:image><image:loc><![CDATA[https://example.com/&amp;]]></image:loc></image:image>",
        "<image:image><image:loc>https://example.com/<!-- -->i</image:loc><!-- --></image:image>",
        "<image:loc>https://example.com/i</image:loc>",
        "<x:c><x:d>1</x:d></x:c>",
        "<x:c>\n<x:d>1</x:d></x:c>",
        "<x:e><![CDATA[a]]>b</x:e>",
        "<news:news>\n<news:publication>\n<news:name>a</news:name>\n<news:language>en</news:language></news:publication>\n\
         <news:publication_date>2024-01-02</news:publication_date><news:title>b</news:title></news:news>",
        "<news:publication>\n<news:name>a</news:name>\n<news:language>en</news:language></news:publication>",
        "<xhtml:link rel='alternate' hreflang='de' href=' https://example.com/d?a=1&amp;b=2 '/>",
        "<xhtml:link rel='alternate' hreflang='de' href='https://example.com/d?a=1&amp;b=2' x:a='1'/>",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/d?a=1&amp;b=2\" />",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/d\" title=\"\"></xhtml:link>",
        "<xhtml:link href=\"https://example.com/d\" hreflang=\"de\" rel=\"alternate\"/>",
        "<x:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/d\">\n</x:link>",
        "<x:c><x:d>\n<x:e>1</x:e>\n</x:d></x:c>",
    ];
    let page = |children: &[&str]| {
        let children = children.join("\n ");
        format!("<url><loc>https://example.com/a</loc>\n {children}</url>\n")
    };
    let names = ["image", "news", "xhtml"].map(|prefix| {
        let uri = match prefix {
            "image" => "http://www.google.com/schemas/sitemap-image/1.1",
            "news" => "http://www.google.com/schemas/sitemap-news/0.9",
            _ => "http://www.w3.org/1999/xhtml",
        };
        format!(" xmlns:{prefix}='{uri}'")
    });
    let names = names.concat();
    let check = |pages: &str| {
        let text =
            format!("<urlset xmlns='{NS}' xmlns:sm='{NS}' xmlns:x='urn:x'{names}>{pages}</urlset>");
        same(&text, &ReaderBuilder::new(), &text);
    };
    for first in CHILDREN {
        for second in CHILDREN {
            let pages = [[first].as_slice(), &[second], &[first, second]].map(page);
            let mut pages = pages.map(|page| page.repeat(2)).concat();
            // With another choice of parts.
            let loc = "<image:loc>https://example.com/i</image:loc>";
            pages += &pages.replace(loc, &loc.repeat(2));
            check(&pages);
            check(&pages.replace('\n', "\r\n"));
            check(&pages.replace("<url>", "<url a='b'>"));
        }
    }
    let section = page(&["<x:e><![CDATA[a]]>b</x:e>"]);
    check(&(section.repeat(2) + &section.replace("]]>", "")));
}
