//! The tables of `src/guide/broken.md` are correct: each file in them is read, and the result is compared.
//!
//! `WRITE_TABLES=1 cargo test --test rules broken` writes the results into the tables. Read the difference before you commit
//! it.

use std::fmt::Write as _;

use crate::common::{self, NS, Said, gzip, lenient, push, read, read_slice, show, url, urlset};
use crate::written;
use quick_sitemap::Entry;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/broken.md");

/// The prefix that `…` replaces in the tables.
const SITE: &str = "https://example.com";

/// A row of a table: its topic, and the first cell, which describes the file.
struct Row<'t> {
    topic: &'t str,
    symptom: String,
}

impl<'t> Row<'t> {
    /// The row of a line, or `None` for the head of a table and for other lines.
    fn of(line: &str, next: Option<&str>, topic: &'t str) -> Option<Self> {
        let is_head = next.is_some_and(|next| next.starts_with("|--"));
        let cells = line.strip_prefix("| ").filter(|_| !is_head)?;
        let symptom = cells_of(cells).first().unwrap().clone();
        Some(Self { topic, symptom })
    }

    fn all(text: &str) -> impl Iterator<Item = (&str, Option<Row<'_>>)> {
        let mut topic = "";
        let mut lines = text.lines().peekable();
        std::iter::from_fn(move || {
            let line = lines.next()?;
            topic = line.strip_prefix("## ").unwrap_or(topic);
            Some((line, Row::of(line, lines.peek().copied(), topic)))
        })
    }
}

#[test]
fn the_tables_are_true() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let (mut made, mut rows) = (String::new(), 0);
    for (line, row) in Row::all(&text) {
        let Some(row) = row else {
            writeln!(made, "{line}").unwrap();
            continue;
        };
        rows += 1;
        writeln!(made, "{}", row.spelt()).unwrap();
    }
    assert!(rows > 80, "{rows} rows were found");
    written::compare(FILE, &made, "rules broken");
}

/// The page is read on screens that are not wide, and outside of rustdoc.
#[test]
fn the_page_can_be_read_everywhere() {
    let text = std::fs::read_to_string(FILE).unwrap();
    assert!(!text.contains("](crate") && !text.contains("]("));
    for (line, row) in Row::all(&text) {
        if row.is_some() {
            let widest = cells_of(line).iter().map(|cell| cell.chars().count()).max();
            assert!(widest <= Some(72), "{line}");
        }
    }
}

/// The cells of a row; a `|` in one is written `\|`.
fn cells_of(row: &str) -> Vec<String> {
    let row = row.trim_end().trim_end_matches('|').replace("\\|", "\0");
    row.split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}

impl Row<'_> {
    /// The row as it should be.
    fn spelt(&self) -> String {
        let bytes = self.document();
        let outcome = read_slice(&bytes);
        let pushed = push(&lenient(), &bytes, || bytes.len() / 1000);
        assert_eq!(outcome.said, pushed.said, "{}", self.symptom);

        let mut given = Vec::new();
        let (mut rules, mut effects, mut fatal) = (Vec::new(), Vec::new(), Vec::new());
        for what in &outcome.said {
            match what {
                Said::Entry(entry) => given.push(entry),
                Said::Issue(issue) => {
                    rules.push(code(issue.rule().name()));
                    effects.push(issue.effect.to_string());
                }
                Said::Error(error) => {
                    let (_, text) = error.text.split_once(": ").unwrap();
                    fatal.push(text.to_owned());
                    rules.push(code(&kebab(error.kind)));
                    effects.push("fatal".to_owned());
                }
            }
        }
        if self.topic == "Between entries" {
            let around = (given.remove(0), given.pop().unwrap());
            assert_eq!(show(around.0), format!("{SITE}/a"), "{}", self.symptom);
            assert_eq!(show(around.1), format!("{SITE}/b"), "{}", self.symptom);
        }
        let given = match given.len() {
            n if n > 10 => "all of them".to_owned(),
            _ => joined(given.iter().filter_map(|entry| self.shown(entry))),
        };
        let cells = if self.topic == "Not a sitemap" {
            vec![joined(fatal.iter().map(|text| code(text)))]
        } else {
            vec![given, joined(rules), joined(effects)]
        };
        let cells = std::iter::once(self.symptom.clone()).chain(cells);
        let cells: Vec<_> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    }

    /// The text of the table for an entry.
    fn shown(&self, entry: &Entry) -> Option<String> {
        let page = entry.as_url();
        let value = match self.topic {
            "Dates" => entry.lastmod().map(|date| date.to_string()),
            "Priorities" => page?.priority.map(|priority| priority.to_string()),
            "Change frequencies" => page?.changefreq.map(|word| word.to_string()),
            _ => Some(shown(entry)),
        };
        value.map(|value| code(&value.replace(SITE, "…")))
    }

    /// The file that the row describes.
    fn document(&self) -> Vec<u8> {
        let fragment = match &*self.symptom {
            "nothing" => "",
            symptom => symptom.trim_matches('`'),
        };
        let fragment = fragment
            .replace(" …>", &format!(" xmlns=\"{NS}\">"))
            .replace("…/", &format!("{SITE}/"));
        let x = url(&format!("{SITE}/x"));
        let beside = |element: &str| urlset(&x.replace("</url>", &format!("{element}</url>")));
        let text = match self.topic {
            "Dates" => beside(&format!("<lastmod>{fragment}</lastmod>")),
            "Priorities" => beside(&format!("<priority>{fragment}</priority>")),
            "Change frequencies" => beside(&format!("<changefreq>{fragment}</changefreq>")),
            "Elements of an entry" => beside(&fragment),
            "Extensions" => beside(&format!(
                "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">{fragment}</image:image>"
            )),
            "Namespaces" => {
                let image = format!("<image:image><image:loc>{SITE}/i</image:loc></image:image>");
                let declared = match &*self.symptom {
                    "not declared" => "<image:image".to_owned(),
                    _ => format!("<image:image xmlns:image=\"{fragment}\""),
                };
                beside(&image.replacen("<image:image", &declared, 1))
            }
            "Namespaces of roots" => match &*fragment {
                "" => format!("<urlset>{x}</urlset>"),
                _ => format!("<urlset xmlns=\"{fragment}\">{x}</urlset>"),
            },
            "URLs" => urlset(&url(&fragment)),
            "Between entries" => {
                let (a, b) = (url(&format!("{SITE}/a")), url(&format!("{SITE}/b")));
                urlset(&format!("{a}{fragment}{b}"))
            }
            "The root, and around it" => {
                let y = url(&format!("{SITE}/y"));
                fragment.replace("<x/>", &x).replace("<y/>", &y)
            }
            "Not a sitemap" | "Bytes" => return bytes(&self.symptom, &fragment),
            topic => panic!("no such topic: {topic}"),
        };
        text.into_bytes()
    }
}

/// Lines of one cell.
fn joined(lines: impl IntoIterator<Item = String>) -> String {
    let lines: Vec<_> = lines.into_iter().collect();
    if lines.is_empty() {
        "–".to_owned()
    } else {
        lines.join("<br>")
    }
}

/// `NotASitemap` as `not-a-sitemap`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(c.to_lowercase());
    }
    kebab
}

/// An entry in one line, what it has besides its values too.
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

fn bytes(symptom: &str, fragment: &str) -> Vec<u8> {
    let good = urlset(&url("https://example.com/x"));
    let gzipped = gzip(good.as_bytes());
    match symptom {
        "gzip, under any name" => gzipped,
        "gzip in gzip" => gzip(&gzipped),
        "gzip with something else after it" => [&gzipped[..], b"<!-- cached -->"].concat(),
        "truncated gzip" => gzipped[..gzipped.len() - 4].to_vec(),
        "gzip with a wrong checksum" => {
            let mut gzipped = gzipped;
            let at = gzipped.len() - 8;
            gzipped[at] ^= 1;
            gzipped
        }
        "gzip nested four times" => gzip(&gzip(&gzip(&gzipped))),
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
        "brotli" => include_bytes!("../data/urlset.xml.br").to_vec(),
        "zstd" => b"\x28\xB5\x2F\xFD\x04\x58".to_vec(),
        "a text sitemap whose second line is not a URL" => {
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
        "nothing" => Vec::new(),
        _ if symptom.starts_with('`') => fragment.as_bytes().to_vec(),
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
    for (_, row) in Row::all(&text) {
        let Some(row) = row else { continue };
        let bytes = row.document();
        let outcome = read_slice(&bytes);
        let expected = !outcome.issues().is_empty() || !outcome.errors().is_empty();
        let strict = read(&common::strict(), &bytes[..]);
        assert_eq!(!strict.errors().is_empty(), expected, "{}", row.symptom);
    }
}
