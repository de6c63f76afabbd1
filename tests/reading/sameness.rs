//! The result does not depend on how the bytes arrive: in one piece, divided anywhere, gzipped, through `Reader` or
//! `Decoder`.

use crate::common::{self, NS, cases, index, same_however_cut, same_with, url, urlset};
use proptest::prelude::*;

/// Longer documents take too long byte by byte, and longer than a window they are pieced together anyway.
const LARGE: usize = 300_000;

#[test]
fn every_row_of_the_table() {
    for case in [cases::all(), cases::clean()].concat() {
        if case.bytes.len() < LARGE {
            same_with(&case.builder, &case.bytes);
        }
    }
}

#[test]
fn every_fixture() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let Ok(files) = std::fs::read_dir(directory) else {
        return;
    };
    for file in files {
        let path = file.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.len() < LARGE {
                same_however_cut(&bytes);
            }
        }
    }
}

#[test]
fn what_is_no_sitemap() {
    for text in [
        "",
        " ",
        "\n",
        "<",
        "<?",
        "<!",
        "<u",
        "<?xml version=\"1.0\"?>",
        "<urlset",
        "<html><body>https://example.com/</body></html>",
        "{\"error\": \"https\"}",
        "nothing of the kind",
        "\u{FEFF}",
        "\u{FEFF}\u{FEFF}<urlset/>",
        "%PDF-1.7",
        "PK\u{3}\u{4}",
    ] {
        same_however_cut(text.as_bytes());
    }
}

#[test]
fn documents_longer_than_a_window() {
    let entries: String = (0..3_000)
        .map(|n| {
            let odd = if n % 7 == 0 {
                "<lastmod>2024-1-1</lastmod><priority>2</priority>"
            } else {
                ""
            };
            format!("  <url>\n    <loc>https://example.com/é/{n}?a&b</loc>{odd}\r\n  </url>\n")
        })
        .collect();
    same_however_cut(urlset(&entries).as_bytes());
    let lines: String = (0..5_000)
        .map(|n| format!("https://example.com/{n}\n\nx{n}\r\n"))
        .collect();
    same_however_cut(lines.as_bytes());
}

#[test]
fn more_issues_than_a_call_reports() {
    let good = url("https://example.com/");
    let blanks = "<url/>".repeat(2_500);
    same_however_cut(urlset(&format!("{good}{blanks}{good}{blanks}")).as_bytes());
    let ampersands = "&".repeat(2_500);
    same_however_cut(
        urlset(&format!(
            "{}{good}",
            url(&format!("https://example.com/?{ampersands}"))
        ))
        .as_bytes(),
    );
    same_however_cut(urlset(&format!("{}{good}", "x<y/>".repeat(1_500))).as_bytes());
}

#[test]
fn an_entry_over_the_bound() {
    let good = url("https://example.com/");
    let builder = common::lenient().max_entry_bytes(4_096);
    for filling in [
        "a".repeat(10_000),
        "<x>".repeat(4_000),
        format!("<x a=\"{}\"/>", "b".repeat(10_000)),
        format!("<!--{}-->", "url>".repeat(3_000)),
        format!("<![CDATA[{}]]>", "<url>".repeat(3_000)),
    ] {
        let text = urlset(&format!(
            "{good}<url><loc>https://example.com/x</loc>{filling}</url>{good}"
        ));
        same_with(&builder, text.as_bytes());
    }
}

#[test]
fn heads_too_long_to_tell() {
    for head in [
        "<site", "<", "</", "<!", "<?", "<!--", "<a b=\"", "word", "https:", "&", "<a>",
    ] {
        for filling in ["a", " ", "\n"] {
            let text = format!("{head}{}{}", filling.repeat(66_000), urlset(""));
            same_with(&common::lenient(), text.as_bytes());
        }
    }
    // UTF-16, by its pattern.
    let text = format!("\0<u&rlset mlns{}", " ".repeat(2_732));
    same_with(&common::lenient().max_entry_bytes(4_096), text.as_bytes());
}

/// The issues of a construct depend on the construct, and not on the place at which its bytes were cut.
#[test]
fn constructs_that_are_cut() {
    let bad = [0xFF; 10];
    let many = b"a\xFF".repeat(100);
    let letters = [b'a'; 400];
    let comment = |inside: &[u8]| [b"<!--", inside, b"-->"].concat();
    for between in [
        comment(&[&b" --"[..], &bad].concat()),
        comment(&[&b"-"[..], &bad, b"--"].concat()),
        comment(&[&bad[..], b"--", &many].concat()),
        [&b"<?a "[..], &bad, b"?>"].concat(),
        [&b"<![CDATA["[..], &bad, b"]]>"].concat(),
        [&b"<!DOCTYPE a '"[..], &bad, b"'>"].concat(),
        [&b"&aa&"[..], &letters].concat(),
        [&b"&aa&"[..], &many].concat(),
        [&b"x&aa&"[..], &many, b"]]>&nbsp;&#0;"].concat(),
        "&世".repeat(300).into_bytes(),
        [&b"<< "[..], &letters, &many].concat(),
    ] {
        let between = &*between;
        for (before, after) in [
            ("<rss>", "</rss>"),
            ("<rss><channel>", "</channel></rss>"),
            ("<rss>", ""),
            (&*urlset("").replace("</urlset>", ""), "</urlset>"),
            (
                &*urlset("").replace("</urlset>", "<foo>"),
                "</foo></urlset>",
            ),
            ("", &urlset("")),
            (&urlset(""), ""),
        ] {
            let bytes = [before.as_bytes(), between, after.as_bytes()].concat();
            same_however_cut(&bytes);
        }
    }
}

/// Pieces of text: plain, unusual and broken.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "https://example\\.com/[a-z]{0,5}",
        2 => "[ \\n\\r\\ta-z0-9-]{0,8}",
        1 => prop::sample::select(vec![
            "&amp;", "&#38;", "&#x26;", "&", "&nbsp;", "&amp", "&#0;", "&;", "]]>", "<", ">", "\"", "'", "ü", "\u{FEFF}",
            "\u{1}", "\u{A0}", "💧", "<!-- - -- -->", "<!---->", "<!-->", "<![CDATA[]]>", "<![CDATA[<url>]]>", "<![CDATA[",
            "<?php ?>", "<?", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "<!x>", "</", "</>", "</url>", "</urlset>", "<url>",
            "<url", "<loc>", "</loc >", "2024-01-01", "2024-1-1", "0.5", "1,0", "Daily", "javascript:x", "/relative",
        ]).prop_map(str::to_owned),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "url",
        "url",
        "url",
        "loc",
        "loc",
        "loc",
        "lastmod",
        "lastmod",
        "changefreq",
        "priority",
        "sitemap",
        "urlset",
        "sitemapindex",
        "URL",
        "Loc",
        "foo",
        "s:url",
        "s:loc",
        "x:y",
        "x:loc",
        "image:image",
        "image:loc",
        "video:video",
        "news:news",
        "xhtml:link",
        "u:ndeclared",
        "1",
        "a:b:c",
        "rss",
        "item",
        "html",
    ])
}

fn attributes() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "",
        "",
        "",
        " a=\"b\"",
        " a='&'",
        " a=\"<\"",
        " a",
        " a=b",
        " a=\"",
        " xmlns=\"\"",
        " xmlns=\"urn:x\"",
        " xmlns:x='urn:x'",
        " a=\"1\" a=\"2\"",
        "\n\t",
        "/",
        " rel='alternate' hreflang='de' href='https://example.com/'",
    ])
}

/// A tree of sitemap-like XML, mostly well-formed.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        text(),
        (name(), attributes()).prop_map(|(name, more)| format!("<{name}{more}/>"))
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        (
            name(),
            attributes(),
            prop::collection::vec(inner, 0..6),
            name(),
            0..12,
        )
            .prop_map(|(name, attributes, children, other, chance)| {
                let children = children.concat();
                match chance {
                    0 => format!("<{name}{attributes}>{children}"),
                    1 => format!("<{name}{attributes}>{children}</{other}>"),
                    _ => format!("<{name}{attributes}>{children}</{name}>"),
                }
            })
    })
}

fn document() -> impl Strategy<Value = String> {
    let prolog = prop::sample::select(vec![
        "",
        "",
        "",
        "<?xml version=\"1.0\"?>\n",
        "\u{FEFF}",
        "\n<?xml version=\"1.0\" encoding=\"latin1\"?>",
        "x\n",
        "<!-- a --><!DOCTYPE urlset>",
        "<br/>",
        "<?xml version='1.0' encoding='UTF-16'?>",
    ]);
    let root = prop::sample::select(vec![
        "urlset",
        "urlset",
        "urlset",
        "sitemapindex",
        "URLSET",
        "s:urlset",
        "rss",
        "feed",
    ]);
    (
        prolog,
        root,
        prop::collection::vec(tree(), 0..8),
        text(),
        0..8,
    )
        .prop_map(|(prolog, root, children, after, chance)| {
            let children = children.concat();
            let open = format!("<{root} xmlns=\"{NS}\" xmlns:s=\"{NS}\" xmlns:x=\"urn:y\">");
            match chance {
                0 => format!("{prolog}{open}{children}"),
                1 => format!("{prolog}{open}{children}</{root}>{after}"),
                _ => format!("{prolog}{open}{children}</{root}>\n"),
            }
        })
}

/// Good documents, to be damaged.
fn good() -> Vec<String> {
    let x = "https://example.com/a?b=1&amp;c=2";
    vec![
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", urlset(&format!(
            "\n  <url>\n    <loc>{x}</loc>\n    <lastmod>2024-03-04T05:06:07Z</lastmod>\n    <changefreq>daily</changefreq>\n    \
             <priority>0.8</priority>\n  </url>\n  <url><loc><![CDATA[{x}]]></loc><!-- </url> --></url>{}",
            url(x).repeat(3)
        ))),
        index(&format!("<sitemap><loc>{x}</loc><lastmod>2024-05</lastmod></sitemap>").repeat(4)),
        urlset(&format!(
            "<url><loc>{x}</loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>{x}</image:loc>\
             </image:image><x:link xmlns:x=\"http://www.w3.org/1999/xhtml\" rel='alternate' hreflang=\"de\" href=\"{x}\"/></url>"
        ).repeat(2)),
        "https://example.com/a\r\n\r\n# comment\nhttps://example.com/b\nhttps://example.com/c".to_owned(),
    ]
}

#[derive(Debug, Clone)]
enum Damage {
    Set(u8),
    Remove,
    Insert(&'static str),
    Cut,
    Double(usize),
    Fill(char, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<u8>().prop_map(Damage::Set),
        Just(Damage::Remove),
        prop::sample::select(vec![
            "<",
            ">",
            "&",
            "\"",
            "'",
            "/",
            "!",
            "[",
            "]",
            "?",
            "-",
            "\0",
            " ",
            "\n",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<url>",
            "</url>",
            "</urlset>",
            "<loc>",
            "</loc>",
            "<?",
            "\u{FEFF}",
            "<urlset>",
            "&世",
            "&é;",
            "💧",
            "--",
            "<foo>",
        ])
        .prop_map(Damage::Insert),
        Just(Damage::Cut),
        (0..200_usize).prop_map(Damage::Double),
        (1..200_usize, prop::sample::select(vec!['é', '世', '💧']))
            .prop_map(|(count, c)| Damage::Fill(c, count)),
    ]
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..6);
    (prop::sample::select(good()), edits).prop_map(|(text, edits)| {
        let mut bytes = text.into_bytes();
        for (index, damage) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = index.index(bytes.len());
            match damage {
                Damage::Set(byte) => bytes[at] = byte,
                Damage::Remove => drop(bytes.remove(at)),
                Damage::Insert(text) => drop(bytes.splice(at..at, text.bytes())),
                Damage::Cut => bytes.truncate(at),
                Damage::Fill(c, count) => {
                    let filling = c.to_string().repeat(count);
                    bytes.splice(at..at, filling.bytes());
                }
                Damage::Double(length) => {
                    let part = bytes[at..bytes.len().min(at + length)].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        bytes
    })
}

/// Bytes that show themselves readably.
struct Damaged(Vec<u8>);

impl std::fmt::Debug for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", common::Shown(&self.0))
    }
}

fn same(bytes: &[u8]) -> Result<(), TestCaseError> {
    common::differences(&common::lenient(), bytes).map_err(TestCaseError::fail)
}

proptest! {
    // For a failure, a test is written here; no file of seeds is kept.
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees(text in document()) {
        same(text.as_bytes())?;
    }

    #[test]
    fn random_damage(bytes in damaged().prop_map(Damaged)) {
        same(&bytes.0)?;
    }

    #[test]
    fn random_damage_with_small_entries(bytes in damaged().prop_map(Damaged), filling in 0..9_000_usize) {
        let (before, after) = bytes.0.split_at(bytes.0.len() / 2);
        let bytes = [before, " ".repeat(filling).as_bytes(), after].concat();
        let builder = common::lenient().max_entry_bytes(4_096);
        common::differences(&builder, &bytes).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        same(&bytes)?;
    }

    #[test]
    fn damaged_gzip(text in document(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = common::gzip(text.as_bytes());
        let at = at.index(bytes.len());
        bytes[at] = byte;
        same(&bytes)?;
    }
}
