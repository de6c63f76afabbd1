//! Documents like sitemaps, built from choices: valid, unusual and broken ones.

use super::choices::Choices;

const LOC: &str = "https://example.com/a?b=1&amp;c=2";

const PROLOGS: &[&str] = &[
    "",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<?xml version='1.0'?>",
    "\u{FEFF}<?xml version=\"1.0\"?>\r\n",
    "\n <?xml version=\"1.0\" encoding=\"iso-8859-1\"?>",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
    "<!-- a --><?xml-stylesheet href=\"a\"?>",
    "<!DOCTYPE urlset [<!ENTITY a \"b\"><!-- ]> -->]>",
    "sitemap.xml\n",
    "<br /><b>Warning</b>: x in y\n",
    "<?xml version=\"1.0\"?><?xml version=\"1.0\"?>\u{FEFF}",
];

const ROOTS: &[(&str, &str)] = &[
    (
        "urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"",
        "urlset",
    ),
    (
        "urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
         xmlns:xhtml='http://www.w3.org/1999/xhtml' xmlns:x='urn:x'",
        "urlset",
    ),
    (
        "sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"urn:x\"",
        "sitemapindex",
    ),
    ("urlset", "urlset"),
    (
        "URLSET xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9\"",
        "URLSET",
    ),
    (
        "s:urlset xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"urn:d\"",
        "s:urlset",
    ),
    (
        "urlset a='1' a='2' b xmlns=\"http://www.google.com/schemas/sitemap/0.84\" xmlns:x=''",
        "urlset",
    ),
    (
        "rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:atom=\"http://www.w3.org/2005/Atom\"",
        "rss",
    ),
    ("feed xmlns=\"http://www.w3.org/2005/Atom\"", "feed"),
    (
        "rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\"",
        "rdf:RDF",
    ),
    ("html", "html"),
];

const NAMES: &[&str] = &[
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "Loc",
    "loc",
    "x:loc",
    "foo",
    "image",
    "url",
    "sitemap",
    "s:loc",
    "urlset",
    "image:image",
    "image:loc",
    "image:title",
    "image:caption",
    "image:license",
    "xhtml:link",
    "video:video",
    "video:title",
    "video:thumbnail_loc",
    "video:description",
    "video:player_loc",
    "video:duration",
    "video:price",
    "video:restriction",
    "video:tag",
    "video:rating",
    "video:platform",
    "video:uploader",
    "video:id",
    "video:live",
    "news:news",
    "news:publication",
    "news:name",
    "news:language",
    "news:publication_date",
    "news:title",
    "news:genres",
    "news:keywords",
    "news:stock_tickers",
    "x:note",
    "y:note",
    "s:url",
    "link",
    "guid",
    "pubDate",
    "dc:date",
    "updated",
    "published",
    "title",
    "item",
    "entry",
    "channel",
];

const TEXTS: &[&str] = &[
    LOC,
    "https://example.com/",
    "2024-03-04",
    "daily",
    "0.8",
    "",
    " ",
    "/a",
    "http://example.com/\u{e9}",
    "ftp://example.com/",
    "2024-03-04T05:06:07.089+01:00",
    "2024-03-04 05:06",
    "Mon, 04 Mar 2024 05:06:07 GMT",
    "yesterday",
    "Weekly",
    "1.5",
    "0,8",
    ".5",
    "1",
    "https://&host;/",
    "a & b",
    "&nbsp;",
    "&#0;",
    "&#xA0;",
    "&lt;b&gt;",
    "<![CDATA[https://example.com/c]]>",
    "<!-- -->",
    "<![CDATA[<url>]]>",
    "\u{1}",
    "\u{A0}",
    "x\u{FFFE}",
    "]]>",
    "yes",
    "no",
    "en",
    "de-CH",
    "DE AT",
    "web tv",
    "600",
    "4.5",
    "EUR",
    "a, b",
    "NASDAQ:A",
    "<?p i?>",
    "https://example.com/\r\n\t x",
    "&",
    "&amp",
    "\r",
    "https:https://example.com/",
];

const ATTRIBUTES: &[&str] = &[
    "rel=\"alternate\"",
    "hreflang=\"de\"",
    "href=\"https://example.com/de\"",
    "hreflang='x-default'",
    "href='/a&amp;b'",
    "a=\"1\"",
    "a='2'",
    "relationship=\"allow\"",
    "currency=\"EUR\"",
    "type=\"rent\"",
    "xmlns=\"\"",
    "xmlns:x=\"urn:z\"",
    "xmlns:y=\"urn:y\"",
    "x:a=\"&lt;\"",
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"",
    "xmlns=\"urn:q\"",
    "isPermaLink=\"false\"",
    "rel=\"self\"",
    "b",
    "c=d",
    "e=\"",
    "f=\"<url>\"",
    "g=\"a&b\"",
    "h = \"1\"",
    "xmlns:image=\"urn:not\"",
    "i=\"\u{1}\"",
    "allow_embed=\"yes\"",
    "info=\"x\"",
    "duration=\"9\"",
];

const JUNK: &[&str] = &[
    "<!-- url --><!---->",
    "<!-- <url> -->",
    "<![CDATA[ ]]>",
    "<?a <b>?>",
    "</url>",
    "</urls>",
    "</loc>",
    "</urlset>",
    "text",
    "&",
    "\n  ",
    "<",
    "<>",
    "</",
    "<!",
    "<!foo>",
    "<url/>",
    "<url>",
    "<loc>",
    "<url ",
    "<sitemap>",
    "</URL>",
    "</sitemap>",
    "<x:y>",
    "\u{0}",
    "\u{FEFF}",
    "<!DOCTYPE a>",
    "<urlset>",
    "</ url>",
    "<a b='",
    "]]>",
    "-->",
    "<!--",
    "<![CDATA[",
    "<?",
    "<url><loc>https://example.com/j</loc></url>",
    "<item>",
    "</channel>",
];

const TAG_SPACE: &[&str] = &["", "", " ", "\n", "\t "];

/// A complete document.
pub fn document(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut text = choices.pick(PROLOGS).to_owned();
    let (open, close) = choices.pick(ROOTS);
    text += &format!("<{open}>");
    if matches!(close, "rss") {
        text += "<channel>";
    }
    let entry = match close {
        "sitemapindex" => "sitemap",
        "rss" | "rdf:RDF" => "item",
        "feed" => "entry",
        "s:urlset" => "s:url",
        _ => "url",
    };
    entries(choices, entry, &mut text);
    match choices.below(12) {
        0 => {}
        1 => text += &format!("</{close}"),
        2 => text += &format!("</{close}>x<url/><urlset><url><loc>{LOC}</loc></url></urlset>"),
        _ => text += &format!("</{close}>\n"),
    }
    match choices.below(12) {
        1 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => [0xFE, 0xFF]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_be_bytes))
            .collect(),
        3 => text
            .chars()
            .map(|c| u8::try_from(c).unwrap_or(b'?'))
            .collect(),
        _ => text.into_bytes(),
    }
}

/// The content of a root.
pub fn body(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    let entry = if choices.below(5) == 4 {
        "sitemap"
    } else {
        "url"
    };
    entries(choices, entry, &mut text);
    text
}

fn entries(choices: &mut Choices<'_>, name: &str, text: &mut String) {
    while !choices.is_over() && text.len() < 2_000 {
        match choices.below(10) {
            0 => *text += choices.pick(JUNK),
            1 => element(choices, name, 3, text),
            2 => *text += choices.pick(&["\n", "\n  ", "\r\n", " "]),
            3 => {
                let other = choices.pick(NAMES);
                element(choices, other, 2, text);
            }
            _ => entry(choices, name, text),
        }
    }
}

/// An entry that is mostly good.
fn entry(choices: &mut Choices<'_>, name: &str, text: &mut String) {
    *text += &format!("<{name}>");
    let prefix = name
        .split_once(':')
        .map_or("", |(prefix, _)| &name[..=prefix.len()]);
    if choices.below(16) != 15 {
        *text += &match name {
            "item" => format!("<link>{LOC}</link>"),
            "entry" => format!("<link href=\"{LOC}\"/>"),
            _ => format!("<{prefix}loc>{LOC}</{prefix}loc>"),
        };
    }
    for _ in 0..choices.below(6) {
        let child = choices.pick(NAMES);
        element(choices, child, 2, text);
    }
    *text += &format!("</{name}>");
}

fn element(choices: &mut Choices<'_>, name: &str, depth: usize, text: &mut String) {
    *text += &format!("<{name}");
    for _ in 0..choices.below(8).saturating_sub(3) {
        *text += " ";
        *text += choices.pick(ATTRIBUTES);
    }
    *text += choices.pick(TAG_SPACE);
    if choices.one_in(8) {
        *text += "/>";
        return;
    }
    *text += ">";
    for _ in 0..1 + choices.below(4) {
        match choices.below(8) {
            0 if depth > 0 => {
                let child = choices.pick(NAMES);
                element(choices, child, depth - 1, text);
            }
            1 => *text += choices.pick(JUNK),
            2 => *text += &choices.text(),
            3 => {}
            _ => *text += choices.pick(TEXTS),
        }
    }
    match choices.below(24) {
        0 if !choices.is_over() => {}
        1 => *text += &format!("</{name} >"),
        2 => *text += &format!("</{}>", name.to_ascii_uppercase()),
        3 => *text += &format!("</{name}"),
        _ => *text += &format!("</{name}>"),
    }
}
