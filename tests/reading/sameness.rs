//! The result does not depend on how the bytes arrive: in one piece, divided anywhere, gzipped, through `Reader` or
//! `Decoder`. The fuzz targets `reading`, `structured` and `gzip` hold the same of damaged documents (fuzz_corpus.rs).

use crate::common::{self, cases, same_however_cut, same_with, url, urlset};
use quick_sitemap::Rule;

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
    let entries: String = (0..1_500)
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
    let lines: String = (0..3_000)
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

/// The inputs of the fuzz target `reading`, with entries that exceed a small bound.
#[test]
fn entries_over_a_small_bound() {
    let builder = common::lenient().max_entry_bytes(4_096);
    let mut number = common::random(1);
    let mut documents = 0;
    for file in std::fs::read_dir("fuzz/corpus/reading").unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let (before, after) = bytes.split_at(bytes.len() / 2);
        let filling = " ".repeat(4_000 + number(900));
        let bytes = [before, filling.as_bytes(), after].concat();
        if common::read(&builder, &bytes[..])
            .rules()
            .contains(&Rule::EntryTooLarge)
        {
            documents += 1;
            same_with(&builder, &bytes);
        }
    }
    assert!(documents > 50, "{documents}");
}
