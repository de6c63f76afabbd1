//! The tables of `src/guide/broken.md` are true: each file in them is read, and what comes out is compared.
//!
//! `WRITE_TABLES=1 cargo test --test broken` writes what comes out into the tables: to be read before it is believed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]

mod common;

use std::fmt::Write as _;

use common::{NS, Said, gzip, lenient, push, read, read_slice, show, url, urlset};
use quick_sitemap::Entry;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/broken.md");

#[test]
fn the_tables_are_true() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let (mut section, mut written, mut wrong) = ("", String::new(), String::new());
    let mut rows = 0;
    for line in text.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        let symptom = match line.strip_prefix("| ") {
            Some(row) if !row.starts_with("In the file |") && !row.starts_with("The file |") => {
                cells(row)[0].clone()
            }
            _ => {
                writeln!(written, "{line}").unwrap();
                continue;
            }
        };
        let row = row(&symptom, &document(section, &symptom), section);
        rows += 1;
        if row != line {
            writeln!(wrong, "- {line}\n+ {row}").unwrap();
        }
        writeln!(written, "{row}").unwrap();
    }
    assert!(rows > 80, "{rows} rows were found");
    if std::env::var_os("WRITE_TABLES").is_some() {
        std::fs::write(FILE, written).unwrap();
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// The cells of a row; a `|` in one is written `\|`.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim_end().trim_end_matches('|').replace("\\|", "\0");
    row.split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}

/// The row as it should be.
fn row(symptom: &str, bytes: &[u8], section: &str) -> String {
    let outcome = read_slice(bytes);
    let pushed = push(&lenient(), bytes, || bytes.len() / 1000);
    assert_eq!(outcome.said, pushed.said, "{symptom}");

    let (mut given, mut said) = (Vec::new(), Vec::new());
    for what in &outcome.said {
        match what {
            Said::Entry(entry) => given.push(entry),
            Said::Issue(issue) => {
                let issue = issue.to_string();
                said.push(code(issue.split_once(": ").unwrap().1));
            }
            Said::Error(error) => {
                let text = match error.position {
                    Some(_) => error.text.split_once(": ").unwrap().1,
                    None => &error.text,
                };
                said.push(format!("error: {}", code(text)));
            }
        }
    }
    if section == "Among the entries" {
        let around = (given.remove(0), given.pop().unwrap());
        assert_eq!(show(around.0), "https://example.com/a", "{symptom}");
        assert_eq!(show(around.1), "https://example.com/b", "{symptom}");
    }
    let given = match given.len() {
        0 => "–".to_owned(),
        n if n > 10 => "all of them".to_owned(),
        _ => given
            .iter()
            .map(|entry| code(&shown(entry)))
            .collect::<Vec<_>>()
            .join("<br>"),
    };
    let said = match said.is_empty() {
        true => "–".to_owned(),
        false => said.join("<br>"),
    };
    format!(
        "| {} | {} | {} |",
        symptom.replace('|', "\\|"),
        given.replace('|', "\\|"),
        said.replace('|', "\\|")
    )
}

fn shown(entry: &Entry) -> String {
    let mut line = show(entry);
    if let Entry::Url(page) = entry {
        for image in &page.images {
            write!(line, " image={}", image.loc).unwrap();
        }
        for element in &page.foreign {
            write!(line, " foreign={}:{}", element.prefix, element.name).unwrap();
        }
    }
    line
}

/// A code span.
fn code(text: &str) -> String {
    match (text.contains("``"), text.contains('`')) {
        (true, _) => format!("``` {text} ```"),
        (_, true) => format!("`` {text} ``"),
        _ => format!("`{text}`"),
    }
}

/// The file that a row speaks of.
fn document(section: &str, symptom: &str) -> Vec<u8> {
    let fragment = match symptom {
        "nothing" => "",
        _ => symptom.trim_matches('`'),
    };
    let text = match section {
        "In an entry" => urlset(&format!(
            "<url><loc>https://example.com/x</loc>{fragment}</url>"
        )),
        "In a loc" => urlset(&url(fragment)),
        "Among the entries" => urlset(&format!(
            "{}{fragment}{}",
            url("https://example.com/a"),
            url("https://example.com/b")
        )),
        "The whole file" => fragment.replace(" …>", &format!(" xmlns=\"{NS}\">")),
        "Bytes" => return bytes(symptom),
        _ => panic!("no such section: {section}"),
    };
    text.into_bytes()
}

fn bytes(symptom: &str) -> Vec<u8> {
    let good = urlset(&url("https://example.com/x"));
    let gzipped = gzip(good.as_bytes());
    match symptom {
        "gzip, whatever it is called" => gzipped,
        "gzip in gzip" => gzip(&gzipped),
        "gzip with something else after it" => [&gzipped[..], b"<!-- cached -->"].concat(),
        "gzip that is cut off" => gzipped[..gzipped.len() - 4].to_vec(),
        "gzip with a wrong checksum" => {
            let mut gzipped = gzipped;
            let at = gzipped.len() - 8;
            gzipped[at] ^= 1;
            gzipped
        }
        "gzip four times over" => gzip(&gzip(&gzip(&gzipped))),
        "UTF-16 without a byte order mark" => {
            good.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        "ISO-8859-1, declared" => {
            let text = urlset(&url("https://example.com/\u{E9}"));
            latin1(&format!(
                "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{text}"
            ))
        }
        "ISO-8859-1, not declared, in a loc" => latin1(&urlset(&url("https://example.com/\u{E9}"))),
        "zstd" => b"\x28\xB5\x2F\xFD\x04\x58".to_vec(),
        "a text sitemap whose second line is no URL" => {
            b"https://example.com/x\nSee also\nhttps://example.com/y\n".to_vec()
        }
        "50,001 entries" => urlset(&url("https://example.com/x").repeat(50_001)).into_bytes(),
        "an entry of 3 MiB" => {
            let comment = format!("<!--{}-->", "x".repeat(3 << 20));
            urlset(&format!(
                "<url>{comment}<loc>https://example.com/y</loc></url>{}",
                url("https://example.com/x")
            ))
            .into_bytes()
        }
        _ => panic!("no such file: {symptom}"),
    }
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

#[test]
fn under_the_strict_policy_each_is_an_error() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut section = "";
    for line in text.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        let Some(row) = line.strip_prefix("| ").filter(|_| section == "In an entry") else {
            continue;
        };
        if row.starts_with("In the file |") {
            continue;
        }
        let symptom = &cells(row)[0];
        let bytes = document(section, symptom);
        let said_something = !read_slice(&bytes).issues().is_empty();
        let strict = read(&common::strict(), &bytes[..]);
        assert_eq!(!strict.errors().is_empty(), said_something, "{symptom}");
    }
}
