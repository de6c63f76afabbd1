//! The library, the program and Python are asked the same of 40 files: which entries there are, how many were skipped, whether
//! these are all, and which rules were broken where.
//!
//! `SITEMAP_PROGRAM` is the program, and `SITEMAP_PYTHON` a Python that has the package. One that is not set is not asked.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap::{ChangeFreq, Entry, Format, Reader};
use serde_json::{Value, json};

const NS: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";
const PAGE: &str = "<url><loc>https://example.com/a</loc></url>";

fn urlset(inner: &str) -> Vec<u8> {
    format!("<urlset {NS}>{inner}</urlset>").into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn utf_16(text: &str) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xFE];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

/// Files by name: usual, broken, empty, feeds, nested, and beyond the bounds of the reader.
fn inputs() -> BTreeMap<&'static str, Vec<u8>> {
    let full = "<url><loc>https://example.com/b?x=1&amp;y=2</loc><lastmod>2024-05</lastmod>\
        <changefreq>daily</changefreq><priority>0.8</priority></url>";
    let index = format!(
        "<sitemapindex {NS}><sitemap><loc>https://example.com/a.xml</loc><lastmod>2024-03-04T05:06:07Z</lastmod>\
         </sitemap></sitemapindex>"
    );
    let rss = "<rss version='2.0'><channel><item><link>https://example.com/1</link>\
        <pubDate>Mon, 04 Mar 2024 05:06:07 GMT</pubDate></item></channel></rss>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://example.com/1'/>\
        <updated>2024-03-04T05:06:07Z</updated></entry></feed>";
    let whole = urlset(&PAGE.repeat(30));
    let packed = gzip(&whole);
    let deep = format!(
        "<url><loc>https://example.com/d</loc>{}{}</url>",
        "<x:a xmlns:x='urn:x'>".repeat(70),
        "</x:a>".repeat(70)
    );
    let large = format!(
        "<url><loc>https://example.com/l</loc><x:a xmlns:x='urn:x'>{}</x:a></url>",
        "x".repeat(3 << 20)
    );
    let many_parts = format!(
        "<url><loc>https://example.com/m</loc>{}</url>",
        "<x:a xmlns:x='urn:x'/>".repeat(10_000)
    );
    let long = "x".repeat(2_100);
    let xml = |text: &str| text.as_bytes().to_vec();
    let a = "https://example.com/a";
    BTreeMap::from([
        ("usual", urlset(&format!("{PAGE}{full}"))),
        ("index", xml(&index)),
        (
            "text",
            xml("https://example.com/a\r\n# note\r\nhttps://example.com/b\n"),
        ),
        ("gzip", packed.clone()),
        ("gzip-twice", gzip(&packed)),
        ("gzip-four-times", gzip(&gzip(&gzip(&packed)))),
        ("utf-16", utf_16(&format!("<urlset {NS}>{PAGE}</urlset>"))),
        (
            "latin-1",
            [
                xml("<?xml version='1.0' encoding='ISO-8859-1'?>"),
                urlset("<url><loc>https://example.com/\u{e9}</loc></url>"),
            ]
            .concat(),
        ),
        ("rss", xml(rss)),
        ("atom", xml(atom)),
        (
            "rss-without-items",
            xml("<rss version='2.0'><channel></channel></rss>"),
        ),
        (
            "rss-without-link",
            xml("<rss version='2.0'><channel><item><title>A</title></item></channel></rss>"),
        ),
        ("no-bytes", Vec::new()),
        ("no-entries", urlset("")),
        ("no-sitemaps", xml(&format!("<sitemapindex {NS}/>"))),
        ("blank-text", xml("\n\n")),
        ("html", xml("<!DOCTYPE html><html><body>404</body></html>")),
        ("json", xml("{\"error\": 404}")),
        ("words", xml("nothing to see\n")),
        (
            "lines-that-are-no-urls",
            xml(&format!("{a}\nwords\nftp://example.com/b\n")),
        ),
        ("all-skipped", urlset("<url/><url><loc> </loc></url>")),
        (
            "one-skipped",
            urlset(&format!("{PAGE}\n<url><loc>words</loc></url>\n{PAGE}")),
        ),
        (
            "values-dropped",
            urlset(&format!(
                "<url><loc>{a}</loc><lastmod>yesterday</lastmod><changefreq>often</changefreq><priority>9</priority></url>"
            )),
        ),
        (
            "values-understood",
            urlset(&format!(
                "<url><loc>{a}</loc><lastmod>2024-03-04 05:06:07</lastmod><changefreq>Daily</changefreq><priority>0,8</priority></url>"
            )),
        ),
        ("cut", whole[..whole.len() - 40].to_vec()),
        (
            "cut-between-entries",
            whole[..whole.len() - "</urlset>".len()].to_vec(),
        ),
        ("cut-gzip", packed[..packed.len() / 2].to_vec()),
        ("damaged-gzip", {
            let mut bytes = packed.clone();
            let last = bytes.len() - 6;
            bytes[last] ^= 1;
            bytes
        }),
        ("followed-gzip", [packed.as_slice(), b"\n\n"].concat()),
        (
            "unclosed",
            urlset(&format!(
                "<url><loc>{a}</loc><url><loc>https://example.com/b</loc></url>"
            )),
        ),
        (
            "broken-markup",
            urlset(&format!("<url><loc>{a}<</loc></url>{PAGE}")),
        ),
        (
            "bare-ampersand",
            urlset("<url><loc>https://example.com/?a=1&b=2</loc></url>"),
        ),
        (
            "wrapped",
            [xml("<html><body>"), urlset(PAGE), xml("</body></html>")].concat(),
        ),
        ("two-roots", [urlset(PAGE), urlset(PAGE)].concat()),
        (
            "entries-misplaced",
            xml(&index.replace("</sitemapindex>", &format!("{PAGE}</sitemapindex>"))),
        ),
        (
            "wrong-namespace",
            xml(&format!(
                "<urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'>{PAGE}</urlset>"
            )),
        ),
        ("too-deep", urlset(&format!("{deep}{PAGE}"))),
        ("too-large", urlset(&format!("{large}{PAGE}"))),
        (
            "too-many-parts",
            urlset(&format!("{many_parts}{many_parts}{PAGE}")),
        ),
        (
            "long-url",
            urlset(&format!("<url><loc>https://example.com/{long}</loc></url>")),
        ),
    ])
}

/// Rule, line, column and effect.
type Broken = (String, u64, u64, String);

/// The answers about a file, in one form for all three.
#[derive(Debug, PartialEq)]
struct Answer {
    /// Each as its URL, its date, its change frequency and its priority.
    entries: Vec<[Option<String>; 4]>,
    rules: Vec<Broken>,
    /// The kind of the error that ended the file.
    error: Option<String>,
}

/// What the library alone counts: skipped entries, dropped values, issues without an effect, and the completeness.
type Summary = (u64, u64, u64, &'static str);

/// The answer of the library, its counts, and the status that `sitemap show` has for it.
fn library(path: &Path) -> (Answer, Summary, i32) {
    let (mut entries, mut rules, mut error) = (Vec::new(), Vec::new(), None);
    let mut reader = Reader::from_path(path).unwrap();
    loop {
        let next = reader.next();
        rules.extend(reader.issues().iter().map(|issue| {
            let (at, effect) = (issue.position, issue.effect.name());
            let rule = issue.rule().name().to_owned();
            (rule, at.line(), at.column(), effect.to_owned())
        }));
        match next {
            None => break,
            Some(Ok(entry)) => entries.push(values(&entry)),
            Some(Err(found)) => error = Some(found.kind().name().to_owned()),
        }
    }
    rules.sort();
    let summary = reader.summary();
    let completeness = summary.completeness().name();
    let is_empty_index = summary.format == Some(Format::Index) && summary.entries == 0;
    let has_lost = error.is_some() || summary.skipped > 0 || is_empty_index;
    // A value that was dropped is told, and costs no status.
    let status = match summary.format {
        None => 2,
        Some(_) => i32::from(has_lost),
    };
    let (skipped, dropped, noted) = (summary.skipped, summary.dropped, summary.noted);
    let counts = (skipped, dropped, noted, completeness);
    let answer = Answer {
        entries,
        rules,
        error,
    };
    (answer, counts, status)
}

fn values(entry: &Entry) -> [Option<String>; 4] {
    let page = entry.as_url();
    let changefreq = page.and_then(|page| page.changefreq);
    let priority = page.and_then(|page| page.priority);
    [
        Some(entry.loc().to_string()),
        entry.lastmod().map(|date| date.to_string()),
        changefreq.map(ChangeFreq::as_str).map(str::to_owned),
        priority.map(|number| number.to_string()),
    ]
}

/// The names of the errors that end a file.
const ERRORS: [&str; 6] = [
    "gzip",
    "limit-exceeded",
    "not-a-sitemap",
    "truncated",
    "unknown-root",
    "unsupported-encoding",
];

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn rule(finding: &Value) -> Broken {
    let at = finding.get("position").unwrap_or(finding);
    let number = |name: &str| at[name].as_u64().unwrap();
    let word = |name: &str| finding[name].as_str().unwrap().to_owned();
    (
        word("rule"),
        number("line"),
        number("column"),
        word("effect"),
    )
}

/// The lines that a command prints, each of which is JSON, and its status.
fn run(command: &mut Command) -> (Vec<Value>, Option<i32>) {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    (lines.collect(), output.status.code())
}

/// The answer of the program. The place where XML ends is one finding, which names the rule of the reader.
fn program(program: &Path, path: &Path, rules_of_reader: &[Broken]) -> (Answer, Option<i32>) {
    let (shown, status) = run(Command::new(program)
        .args(["show", "-q", "-f", "jsonl"])
        .arg(path));
    let entry =
        |entry: &Value| ["loc", "lastmod", "changefreq", "priority"].map(|name| text(&entry[name]));
    let check = ["check", "-q", "--all", "--advice", "-f", "json"];
    let (findings, _) = run(Command::new(program).args(check).arg(path));
    let is_error = |finding: &&Value| ERRORS.contains(&finding["rule"].as_str().unwrap());
    let error = findings.iter().find(is_error);
    // Other findings without an effect are those of search engines.
    let has_effect = |finding: &&Value| finding.get("effect").is_some();
    let mut rules: Vec<_> = findings.iter().filter(has_effect).map(rule).collect();
    let is_end = |finding: &&Value| finding["rule"] == "not-well-formed";
    for finding in findings.iter().filter(is_end) {
        let message = finding["message"].as_str().unwrap();
        let is_named = |(rule, line, column, _): &&Broken| {
            let at = &finding["position"];
            message.contains(&format!("({rule})")) && at["line"] == *line && at["column"] == *column
        };
        rules.extend(rules_of_reader.iter().filter(is_named).cloned());
    }
    rules.sort();
    let answer = Answer {
        entries: shown.iter().map(entry).collect(),
        rules,
        error: error.and_then(|error| text(&error["rule"])),
    };
    (answer, status)
}

const SCRIPT: &str = "
import json, sys, warnings
import quick_sitemap
warnings.simplefilter('ignore')
for path in sys.argv[1:]:
    pages, entries, error = quick_sitemap.read(path), [], None
    try:
        for page in pages:
            entries.append([page.loc, page.lastmod_text, page.changefreq, page.priority])
    except quick_sitemap.NoEntriesError:
        pass
    except quick_sitemap.SitemapError as raised:
        error = raised.kind
    rules = [vars(issue) for issue in pages.issues]
    found = pages.summary
    counts = [found.skipped, found.dropped, found.noted, found.completeness]
    print(json.dumps({'entries': entries, 'rules': rules, 'error': error, 'counts': counts}))
";

fn python(python: &Path, paths: &[PathBuf]) -> Vec<(Answer, Value)> {
    let (answers, status) = run(Command::new(python).args(["-c", SCRIPT]).args(paths));
    assert_eq!(status, Some(0));
    let entry = |entry: &Value| [0, 1, 2, 3].map(|at| text(&entry[at]));
    let answers = answers.iter().map(|answer| {
        let [entries, rules] = ["entries", "rules"].map(|name| answer[name].as_array().unwrap());
        let mut rules: Vec<_> = rules.iter().map(rule).collect();
        rules.sort();
        let found = Answer {
            entries: entries.iter().map(entry).collect(),
            rules,
            error: text(&answer["error"]),
        };
        (found, answer["counts"].clone())
    });
    answers.collect()
}

fn tool(variable: &str) -> Option<PathBuf> {
    let path = env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        eprintln!("!! {variable} is not set: it was NOT asked");
    }
    path
}

#[test]
fn library_program_and_python_say_the_same() {
    let inputs = inputs();
    assert_eq!(inputs.len(), 40);
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = inputs.keys().map(|name| folder.path().join(name)).collect();
    for (path, bytes) in paths.iter().zip(inputs.values()) {
        fs::write(path, bytes).unwrap();
    }
    let (sitemap, interpreter) = (tool("SITEMAP_PROGRAM"), tool("SITEMAP_PYTHON"));
    let of_python = interpreter.map(|interpreter| python(&interpreter, &paths));
    let mut differ = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let name = path.file_name().unwrap().display();
        let (expected, counts, expected_status) = library(path);
        if let Some(sitemap) = &sitemap {
            let (mut found, status) = program(sitemap, path, &expected.rules);
            // A page of HTML is one finding, whatever else it breaks.
            if expected.error.as_deref() == Some("unknown-root") {
                found.rules.clone_from(&expected.rules);
            }
            if (&found, status) != (&expected, Some(expected_status)) {
                differ.push(format!(
                    "{name}: program {status:?} {found:?}\nlibrary {expected_status} {expected:?}"
                ));
            }
        }
        if let Some(of_python) = &of_python {
            let (found, found_counts) = &of_python[at];
            if (found, found_counts) != (&expected, &json!(counts)) {
                differ.push(format!(
                    "{name}: Python {found_counts} {found:?}\nlibrary {counts:?} {expected:?}"
                ));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}
