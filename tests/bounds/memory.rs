//! Hostile inputs: the memory that reading takes is bounded, and all of it comes to the end that it should.

use std::io::{self, Read, Write};

use crate::common::{self, NS, Raised, url};
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{News, Publication, Relationship, Restriction, Video};
use quick_sitemap::{
    Decoder, Effect, Entry, ErrorKind, Issue, Policy, Reader, ReaderBuilder, Rule, UrlEntry,
    UrlsetWriter, W3cDatetime,
};

const MEBI: usize = 1 << 20;

/// Upper bound for the memory of reading: text, tape, and the values of one entry.
const MOST: u64 = 16 << 20;

/// Sizes are those of the books in an optimised build, and a tenth otherwise.
const fn scaled(size: usize) -> usize {
    if cfg!(debug_assertions) {
        size / 10
    } else {
        size
    }
}

/// The result in numbers, without keeping the entries.
#[derive(Default)]
struct Summary {
    entries: usize,
    issues: Vec<Issue>,
    issue_count: usize,
    last: Option<Raised>,
}

impl Summary {
    fn take(&mut self, issues: &[Issue], step: Option<quick_sitemap::Result<Entry>>) {
        self.issue_count += issues.len();
        let room = 10_usize.saturating_sub(self.issues.len());
        self.issues.extend(issues.iter().take(room).cloned());
        match step {
            Some(Ok(_)) => self.entries += 1,
            Some(Err(error)) => self.last = Some(Raised::from(&error)),
            None => {}
        }
    }

    fn fatal(&self) -> &'static str {
        self.last.as_ref().map_or("none", |error| error.kind)
    }

    /// The rules of the first ten issues.
    fn rules(&self) -> Vec<(Rule, Effect)> {
        self.issues
            .iter()
            .map(|issue| (issue.violation.rule(), issue.effect))
            .collect()
    }
}

/// Reads everything, within the bound on memory.
fn read(builder: &ReaderBuilder, input: impl Read) -> Summary {
    read_within(MOST, builder, input)
}

fn read_within(most: u64, builder: &ReaderBuilder, input: impl Read) -> Summary {
    let mut summary = Summary::default();
    let used = allocation_counter::measure(|| {
        let mut reader = builder.build(input);
        loop {
            let step = reader.next();
            let done = step.is_none();
            summary.take(reader.issues(), step);
            if done {
                break;
            }
        }
    });
    assert!(used.bytes_max < most, "{} bytes at once", used.bytes_max);
    summary
}

fn read_default(input: impl Read) -> Summary {
    read(&ReaderBuilder::new(), input)
}

/// `text` over and over, `times` times.
fn repeat(text: &str, times: usize) -> impl Read + use<> {
    struct Repeated {
        block: Vec<u8>,
        left: usize,
        at: usize,
    }
    impl Read for Repeated {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let from = self.at % self.block.len();
            let length = buffer.len().min(self.left).min(self.block.len() - from);
            buffer[..length].copy_from_slice(&self.block[from..from + length]);
            self.at += length;
            self.left -= length;
            Ok(length)
        }
    }
    let copies = (8_192 / text.len()).max(1);
    Repeated {
        block: text.repeat(copies).into_bytes(),
        left: text.len() * times,
        at: 0,
    }
}

/// `filling` between the halves of `around`, which is split at its `…`; a good entry before and after it.
fn within(around: &str, filling: impl Read) -> impl Read {
    let (before, after) = around.split_once('…').unwrap();
    let good = url("https://example.com/good");
    let head = format!("<urlset xmlns=\"{NS}\" xmlns:x=\"urn:x\">{good}{before}");
    let tail = format!("{after}{good}</urlset>");
    io::Cursor::new(head)
        .chain(filling)
        .chain(io::Cursor::new(tail))
}

const X: &str = "<url><loc>https://example.com/x</loc>";

/// The entry that contains too much is skipped, once, and its two neighbours are returned.
fn entry_skipped(summary: &Summary, rule: Rule) {
    let mut rules = summary.rules();
    rules.retain(|found| found.0 != Rule::TooManyBytes);
    assert_eq!(rules, [(rule, Effect::EntrySkipped)]);
    assert_eq!(summary.issues[0].position.entry(), 2);
    assert_eq!((summary.entries, summary.fatal()), (2, "none"));
}

fn too_large(around: &str, filling: impl Read) {
    entry_skipped(&read_default(within(around, filling)), Rule::EntryTooLarge);
}

/// A value, elements, a text, references, attributes, comments, sections, instructions and names.
#[test]
fn an_entry_of_100_mb() {
    for (around, filling) in [
        ("<url><loc>https://example.com/…</loc></url>", "a"),
        ("<url a='…'><loc>https://example.com/x</loc></url>", "> "),
        ("X…</url>", "<x:y>text</x:y>\n"),
        ("X<x:y>…</x:y></url>", "a b "),
        ("X<x:y>…</x:y></url>", "&amp;"),
        ("X<x:y>…</x:y></url>", "&"),
        ("X<x:y>&…</x:y></url>", "a"),
        ("X<x:y a=\"…\"/></url>", "a"),
        ("X<!--…--></url>", "- "),
        ("X<x:y><![CDATA[…]]></x:y></url>", "] ]"),
        ("X<?x …?></url>", "?"),
        ("X<x:…/></url>", "a"),
        ("X<x:y …=''/></url>", "a"),
    ] {
        let times = scaled(100 * MEBI) / filling.len();
        too_large(&around.replace('X', X), repeat(filling, times));
    }
}

#[test]
fn comments_instructions_and_document_types_of_100_mb_between_entries() {
    for (around, filling) in [
        ("<!--…-->", "<!-- - "),
        ("<?x …?>", "? >"),
        ("<!--…-->", "\n"),
    ] {
        let summary = read_default(within(
            around,
            repeat(filling, scaled(100 * MEBI) / filling.len()),
        ));
        let bytes =
            (scaled(100 * MEBI) > 52_428_800).then_some((Rule::TooManyBytes, Effect::Noted));
        assert_eq!(summary.rules(), Vec::from_iter(bytes), "{around}");
        assert_eq!((summary.entries, summary.fatal()), (2, "none"), "{around}");
    }
    let head = io::Cursor::new("<!DOCTYPE urlset [");
    let tail = format!("]><urlset xmlns=\"{NS}\">{X}</url></urlset>");
    let summary = read_default(
        head.chain(repeat("<!ENTITY a \"]>\">", scaled(30 * MEBI) / 16))
            .chain(io::Cursor::new(tail)),
    );
    assert_eq!(summary.rules(), [(Rule::Doctype, Effect::Noted)]);
    assert_eq!((summary.entries, summary.fatal()), (1, "none"));
}

#[test]
fn white_space_of_100_mb() {
    let summary = read_default(within("…", repeat(" \n", scaled(40 * MEBI) / 2)));
    assert_eq!(
        (summary.entries, summary.issue_count, summary.fatal()),
        (2, 0, "none")
    );
    // Before the root it is more than is looked at to find out what it is, but nothing else.
    let text = format!("<urlset xmlns=\"{NS}\">{X}</url></urlset>");
    let summary = read_default(repeat("\n", scaled(10 * MEBI)).chain(io::Cursor::new(text)));
    assert!(summary.entries == 1 || summary.fatal() == "NotASitemap");
}

#[test]
fn stray_text_of_100_mb() {
    let summary = read_default(within("…", repeat("stray text ", scaled(40 * MEBI) / 11)));
    let rules = summary.rules();
    let is_stray = |found: &(Rule, Effect)| *found == (Rule::StrayText, Effect::Noted);
    assert!(!rules.is_empty() && rules.iter().all(is_stray), "{rules:?}");
    assert_eq!((summary.entries, summary.fatal()), (2, "none"));
}

#[test]
fn a_line_of_100_mb() {
    let line = || repeat("a", scaled(100 * MEBI));
    let head = io::Cursor::new("https://example.com/good\nhttps://example.com/");
    let tail = io::Cursor::new("\nhttps://example.com/good\n");
    let summary = read_default(head.chain(line()).chain(tail));
    entry_skipped(&summary, Rule::EntryTooLarge);
    let summary = read_default(io::Cursor::new("https://example.com/").chain(line()));
    let skipped = (Rule::EntryTooLarge, Effect::EntrySkipped);
    assert_eq!((summary.entries, summary.rules()[0]), (0, skipped));
}

#[test]
fn empty_lines_of_20_mb() {
    let good = || io::Cursor::new("https://example.com/good\n");
    let lines = repeat("\n \r\n", scaled(20 * MEBI) / 4);
    let summary = read_default(good().chain(lines).chain(good()));
    let found = (summary.entries, summary.issue_count, summary.fatal());
    assert_eq!(found, (2, 0, "none"));
}

#[test]
fn empty_entries_of_500_mb() {
    // Each is an issue, but a call reports only a thousand. (Too many for a build that is not optimised.)
    let bytes = if cfg!(debug_assertions) {
        2_000_000
    } else {
        500_000_000
    };
    let summary = read_default(within("…", repeat("<url/>", bytes / 6)));
    assert_eq!((summary.entries, summary.fatal()), (2, "none"));
    assert_eq!(summary.issue_count, 1_001);
    let skipped = (Rule::MissingLoc, Effect::EntrySkipped);
    assert_eq!(summary.rules(), [skipped; 10]);
}

#[test]
fn more_than_500_mib() {
    let builder = if cfg!(debug_assertions) {
        ReaderBuilder::new().max_bytes(50 << 20)
    } else {
        ReaderBuilder::new()
    };
    let good = url("https://example.com/good");
    let head = io::Cursor::new(format!("<urlset xmlns=\"{NS}\">{good}<!--"));
    let summary = read(&builder, head.chain(repeat("comment", usize::MAX / 32)));
    assert_eq!((summary.entries, summary.fatal()), (1, "LimitExceeded"));
}

/// The bound is on the text as UTF-8, without its mark, in every encoding and packing.
#[test]
fn max_bytes_to_the_byte() {
    let text = |declaration: &str| {
        let entry = url("https://example.com/good");
        format!("{declaration}<urlset xmlns=\"{NS}\"><!-- ü -->{entry}</urlset>")
    };
    let utf_8 = |text: &str| text.as_bytes().to_vec();
    let latin_1 = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    type Encode<'a> = &'a dyn Fn(&str) -> Vec<u8>;
    let marked = |encode: Encode<'_>, text: &str| encode(&format!("\u{FEFF}{text}"));
    let latin_1_text = text("<?xml version='1.0' encoding='ISO-8859-1'?>");
    let text = text("");
    for (limit, bytes) in [
        (text.len(), utf_8(&text)),
        (text.len(), marked(&utf_8, &text)),
        (text.len(), little(&text)),
        (text.len(), big(&text)),
        (text.len(), marked(&little, &text)),
        (text.len(), marked(&big, &text)),
        (latin_1_text.len(), latin_1(&latin_1_text)),
    ] {
        let once = common::gzip(&bytes);
        let twice = common::gzip(&once);
        for bytes in [bytes, once, twice] {
            for (limit, fatal) in [(limit, "none"), (limit - 1, "LimitExceeded")] {
                let builder = ReaderBuilder::new().max_bytes(limit as u64);
                let summary = read(&builder, &bytes[..]);
                assert_eq!((summary.entries, summary.fatal()), (1, fatal));
                common::same_with(&builder, &bytes);
            }
        }
    }
}

#[test]
fn a_million_nested_elements() {
    let depth = scaled(1_000_000);
    let good = url("https://example.com/good");
    for element in ["<x:y>", "<foo>", "<x:y><!-- --><foo>"] {
        let summary = read_default(within(&format!("{X}…</url>"), repeat(element, depth)));
        // The bound that is reached first.
        assert!(
            matches!(
                summary.rules()[..],
                [
                    ..,
                    (Rule::TooDeep | Rule::EntryTooLarge, Effect::EntrySkipped)
                ]
            ),
            "{:?}",
            summary.rules()
        );
        assert_eq!((summary.entries, summary.fatal()), (2, "none"), "{element}");
    }
    // Not in an entry.
    let text = format!(
        "<urlset xmlns=\"{NS}\">{good}{}{good}{}</urlset>",
        "<foo>".repeat(depth),
        "</foo>".repeat(depth)
    );
    let summary = read_default(text.as_bytes());
    assert_eq!((summary.entries, summary.fatal()), (2, "none"));
    let text = format!(
        "{}{good}",
        format!("<urlset xmlns=\"{NS}\">").repeat(scaled(100_000))
    );
    assert_eq!(read_default(text.as_bytes()).entries, 1);
    // Instead of a root.
    assert_eq!(read_default(repeat("<a>", depth)).fatal(), "UnknownRoot");
    assert_ne!(read_default(repeat("<", depth)).fatal(), "none");
}

#[test]
fn a_million_stray_end_tags() {
    let summary = read_default(within("…", repeat("</foo>", scaled(1_000_000))));
    assert_eq!((summary.entries, summary.fatal()), (2, "none"));
    let summary = read_default(within(
        &format!("{X}…</url>"),
        repeat("</a>", scaled(400_000)),
    ));
    assert_eq!(summary.fatal(), "none");
    assert!(summary.entries >= 2);
}

#[test]
fn a_million_attributes() {
    let attributes: String = (0..scaled(1_000_000))
        .map(|n| format!(" a{n}=''"))
        .collect();
    too_large(&format!("{X}<x:y…/></url>"), attributes.as_bytes());
    // Few bytes, but more than 16,384.
    let attributes = " a=''".repeat(17_000);
    too_large(&format!("{X}<x:y…/></url>"), attributes.as_bytes());
    too_large(&format!("{X}…</url>"), repeat("<x:y/>", 17_000));
    // Attributes of the root.
    let text = format!(
        "<urlset xmlns=\"{NS}\"{}>{X}</url></urlset>",
        " a='b'".repeat(scaled(200_000))
    );
    let summary = read_default(text.as_bytes());
    assert!(summary.entries == 1 || summary.fatal() != "none");
}

#[test]
fn a_million_namespace_declarations() {
    let declarations: String = (0..scaled(1_000_000))
        .map(|n| format!(" xmlns:n{n}='urn:{n}'"))
        .collect();
    too_large(&format!("{X}<x:y…/></url>"), declarations.as_bytes());
    // Namespaces of the root: read or rejected, but within the bounds.
    let head = io::Cursor::new(format!("<urlset xmlns=\"{NS}\""));
    let tail = io::Cursor::new(format!(">{X}</url></urlset>"));
    let summary = read_default(head.chain(declarations.as_bytes()).chain(tail));
    assert!(summary.entries == 1 || summary.fatal() != "none");
    // A few on each of many elements, all open.
    let nested: String = (0..60)
        .map(|n| format!("<x:y xmlns:a{n}='urn:a' xmlns:b{n}='urn:b'>"))
        .collect();
    let closed = "</x:y>".repeat(60);
    let summary = read_default(within(
        &format!("{X}…</url>"),
        (nested + &closed).as_bytes(),
    ));
    assert_eq!((summary.entries, summary.fatal()), (3, "none"));
}

/// An iterator as a reader, piece by piece.
struct Pieces<I>(I, io::Cursor<String>);

impl<I: Iterator<Item = String>> Read for Pieces<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.1.read(buffer)?;
            if n > 0 {
                return Ok(n);
            }
            match self.0.next() {
                Some(piece) => self.1 = io::Cursor::new(piece),
                None => return Ok(0),
            }
        }
    }
}

fn pieces(each: impl Fn(usize) -> String, times: usize) -> impl Read {
    Pieces((0..times).map(each), io::Cursor::default())
}

#[test]
fn names_and_namespaces_of_130_mb_that_stay_open() {
    let long = "u".repeat(scaled(1_000_000));
    type Each<'a> = Box<dyn Fn(usize) -> String + 'a>;
    let cases: [(&str, Each<'_>); 5] = [
        (
            "namespaces of elements",
            Box::new(|n| format!("<x{n} xmlns:a{n}=\"{n}{long}\">")),
        ),
        ("names of elements", Box::new(|n| format!("<x{n}{long}>"))),
        (
            "prefixes",
            Box::new(|n| format!("<x{n} xmlns:{long}{n}=\"urn:a\">")),
        ),
        (
            "namespaces of roots",
            Box::new(|n| format!("<urlset xmlns=\"{NS}\" xmlns:a{n}=\"{n}{long}\">")),
        ),
        (
            "names of roots",
            // In one piece: a String that grows would be counted, too, and twice.
            Box::new(|n| {
                let name = format!("{long}{n}");
                ["<", &name, ":urlset xmlns:", &name, "=\"", NS, "\">"].concat()
            }),
        ),
    ];
    for (name, each) in cases {
        let summary = read_default(within("…", pieces(each, 130)));
        assert_eq!((summary.entries, summary.fatal()), (2, "none"), "{name}");
        assert!(
            summary
                .rules()
                .contains(&(Rule::MalformedMarkup, Effect::Noted)),
            "{name}: {:?}",
            summary.rules()
        );
    }
}

#[test]
fn lists_of_2_mb() {
    for (elements, item) in [
        ("news:news>news:keywords", "a,"),
        ("news:news>news:genres", "a,"),
        ("news:news>news:stock_tickers", "a,"),
        ("video:video>video:platform relationship='allow'", "a "),
        ("video:video>video:restriction relationship='allow'", "DE "),
    ] {
        let (open, close) = tags(elements);
        let start = X.replace("<url>", &format!("<url {PREFIXES}>"));
        let around = format!("{start}{open}…{close}</url>");
        let mut found = Vec::new();
        let used = allocation_counter::measure(|| {
            let mut reader = Reader::new(within(&around, repeat(item, 1_900_000 / item.len())));
            for n in 1..=3 {
                assert!(reader.next().unwrap().is_ok(), "{open} {n}");
                let issues = reader.issues().iter();
                found.extend(issues.map(|issue| (issue.rule(), issue.effect)));
            }
            assert!(reader.next().is_none());
        });
        assert!(used.bytes_max < MOST, "{open}: {} bytes", used.bytes_max);
        let too_large = |found: &&(Rule, Effect)| found.0 == Rule::EntryTooLarge;
        let too_large: Vec<_> = found.iter().filter(too_large).collect();
        // A thousand words that are none may come before it; then it is only counted.
        assert!(
            matches!(too_large[..], [(_, Effect::ValueDropped)])
                || found.iter().any(|found| found.0 == Rule::IssuesOmitted),
            "{open}: {too_large:?}"
        );
    }
}

/// The namespaces of the extensions, and of others.
const PREFIXES: &str = "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
    xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:x=\"urn:x\"";

/// Fillings of an entry, repeated up to its limits. `…` is replaced by the number, and the elements around it are
/// included.
fn fillings() -> Vec<(String, String, String)> {
    let segment = "<video:content_segment_loc>http://a</video:content_segment_loc>";
    let image =
        |loc: &str| format!("<image:image><image:loc>http://a/{loc}</image:loc></image:image>");
    let long = |of: &str| of.repeat(300);
    let one = [
        "<x:a/>".to_owned(),
        "<x:a>b</x:a>".to_owned(),
        format!("<x:a>{}</x:a>", "b".repeat(30)),
        format!("<x:a>&lt;{}</x:a>", long("b")),
        format!("<x:a>&lt;{}</x:a>", "b".repeat(20_000)),
        format!("<x:a>{}</x:a>", "\u{1}".repeat(20_000)),
        "<x:a b='c'/>".to_owned(),
        "<x:a b='' c='' d='' e='' f='' g='' h='' i=''/>".to_owned(),
        "<x:a x:b='' x:c='' x:d='' x:e='' x:f=''/>".to_owned(),
        format!("<x:a b='&lt;{}'/>", long("c")),
        format!("<x:a {}='c'/>", long("b")),
        format!("<x:{}/>", long("a")),
        format!("<{0}…:a xmlns:{0}…='urn:a'/>", "p".repeat(100)),
        format!("<a xmlns='{}…'/>", long("u")),
        format!("<a xmlns='&{}…'/>", long("u")),
        "<x:a><x:b><x:c/></x:b></x:a>".to_owned(),
        "<x:a>b<x:c/>d<x:e/>f</x:a>".to_owned(),
        "<x:a>b<!---->c<x:d/></x:a>".to_owned(),
        "<x:a>&lt;<!---->c<x:d/>&lt;</x:a>".to_owned(),
        format!("{}{}", "<x:a>b".repeat(60), "c</x:a>".repeat(60)),
        "<image:image/>".to_owned(),
        "<image:image><image:loc>http://a</image:loc></image:image>".to_owned(),
        "<image:image><image:loc>http://a</image:loc><image:title>t</image:title></image:image>"
            .to_owned(),
        image(&long("é")),
        image(&"é".repeat(100_000)),
        image(&"a".repeat(100_000)),
        "<xhtml:link rel='alternate' hreflang='de' href='http://a'/>".to_owned(),
        format!(
            "<xhtml:link rel='alternate' hreflang='de' href='http://a/{}'/>",
            long("a")
        ),
        format!(
            "<xhtml:link rel='alternate' hreflang='{}' href='http://a'/>",
            long("a")
        ),
        "<video:video/>".to_owned(),
        "<video:video><video:tag>a</video:tag><video:id type='b'>c</video:id></video:video>"
            .to_owned(),
    ];
    let children = [
        ("<video:tag>a</video:tag>", "video:video"),
        ("<video:price/>", "video:video"),
        ("<video:id type='a'>b</video:id>", "video:video"),
        (segment, "video:video"),
        ("a ", "video:video>video:platform relationship='allow'"),
        ("DE ", "video:video>video:restriction relationship='deny'"),
        ("a,", "news:news>news:keywords"),
        ("a,", "news:news>news:genres"),
        ("A:b,", "news:news>news:stock_tickers"),
        ("<news:keywords>a,b</news:keywords>", "news:news"),
        ("a<b/>", "r xmlns='urn:r'"),
        ("<b/>", "r xmlns='urn:r'"),
        ("a<!---->", "x:r"),
        ("&lt;<!---->", "x:r"),
        ("\u{1}\u{1}\u{1}\u{1}", "x:r"),
    ];
    let others = [
        ("&<!----> b <![CDATA[\r]]>", "<x:r><x:a/>", "</x:r>"),
        (" a…=''", "<x:r", "/>"),
        (" x:a…='&'", "<x:r", "/>"),
        ("\u{1}\u{1}\u{1}\u{1}", "<x:r a='", "'/>"),
        ("text and text and text", "<x:r>&lt;", "</x:r>"),
        ("text and text and text", "<x:r>&lt;<!---->", "</x:r>"),
        ("text-and-text-and-text", "<r xmlns='&", "'/>"),
    ];
    let alone = one.map(|item| (item, String::new(), String::new()));
    let children = children.map(|(item, elements)| {
        let (open, close) = tags(elements);
        (item.to_owned(), open, close)
    });
    let others =
        others.map(|(item, open, close)| (item.to_owned(), open.to_owned(), close.to_owned()));
    alone.into_iter().chain(children).chain(others).collect()
}

/// The start tags of elements that are one inside the other, divided by `>`, and their end tags.
fn tags(elements: &str) -> (String, String) {
    let mut both = (String::new(), String::new());
    for element in elements.split('>') {
        let name = element.split(' ').next().unwrap();
        both.0 += &format!("<{element}>");
        both.1 = format!("</{name}>{}", both.1);
    }
    both
}

/// Documents with an entry that each of the fillings makes as large as possible, or fills with as many elements as
/// possible.
fn full_entries() -> impl Iterator<Item = (String, String)> {
    fillings().into_iter().flat_map(|(item, open, close)| {
        let elements =
            item.matches('<').count() - item.matches("</").count() - item.matches("<!").count();
        let elements = elements + item.matches('=').count();
        let most = 2_000_000 / item.len();
        let few = 16_000 / elements.max(1);
        let mut counts = vec![most, most.min(few), most.min(few / 2)];
        counts.dedup();
        counts.into_iter().map(move |count| {
            let good = url("https://example.com/good");
            let numbered = |n: usize| item.replace('…', &n.to_string());
            let items: String = if item.contains('…') {
                (0..count).map(numbered).collect()
            } else {
                item.repeat(count)
            };
            let start: String = item.chars().take(50).collect();
            let text = format!("<urlset xmlns=\"{NS}\" {PREFIXES}>{good}{X}{open}{items}{close}</url>{good}</urlset>");
            (format!("{count} times {start} in {open}"), text)
        })
    })
}

/// A video takes a kilobyte, even if its text is short.
#[test]
fn videos_beyond_1024_are_dropped() {
    let place = "https://example.com/v";
    let video = format!(
        "<video:video><video:thumbnail_loc>{place}</video:thumbnail_loc><video:title>A</video:title>\
         <video:description>B</video:description><video:content_loc>{place}</video:content_loc></video:video>"
    );
    for (count, dropped) in [(1_024, 0), (1_026, 2)] {
        let videos = video.repeat(count);
        let text = format!("<urlset xmlns=\"{NS}\" {PREFIXES}>{X}{videos}</url></urlset>");
        let mut reader = Reader::new(text.as_bytes());
        let entry = reader.next().unwrap().unwrap().into_url().unwrap();
        assert_eq!(entry.videos.len(), 1_024);
        let issues = reader.issues().iter();
        let issues: Vec<_> = issues.map(|issue| (issue.rule(), issue.effect)).collect();
        assert_eq!(
            issues,
            vec![(Rule::EntryTooLarge, Effect::ValueDropped); dropped]
        );
    }
}

/// An entry has 65,536 words in all its lists together; the rest of a list is dropped.
#[test]
fn words_beyond_65536_are_dropped() {
    let list = |words: usize| {
        let words = "tv ".repeat(words);
        format!(
            "<video:video><video:platform relationship='allow'>{words}</video:platform></video:video>"
        )
    };
    for (first, second, kept) in [(65_000, 536, [65_000, 536]), (65_000, 600, [65_000, 536])] {
        let text = format!(
            "<urlset xmlns=\"{NS}\" {PREFIXES}>{X}{}{}</url></urlset>",
            list(first),
            list(second)
        );
        let mut reader = Reader::new(text.as_bytes());
        let entry = reader.next().unwrap().unwrap().into_url().unwrap();
        let words = |n: usize| entry.videos[n].platform.as_ref().unwrap().platforms.len();
        assert_eq!([words(0), words(1)], kept);
        let too_large = reader.issues().iter().filter(|issue| {
            (issue.rule(), issue.effect) == (Rule::EntryTooLarge, Effect::ValueDropped)
        });
        assert_eq!(too_large.count(), usize::from(first + second > 65_536));
    }
}

/// Every bound of the reader is one of the writer: an entry at the bound reads back under the strict policy, and a larger one
/// is rejected.
#[test]
fn what_a_reader_would_drop_is_not_written() {
    let place = || "https://example.com/v".parse().unwrap();
    let video = || Video::new(place(), "A", "B", place());
    let page = || UrlEntry::try_from("https://example.com/").unwrap();
    let videos = |count: usize| (0..count).fold(page(), |page, _| page.with_video(video()));
    let countries = |count: usize| {
        let mut video = video();
        video.restriction = Some(Restriction::new(Relationship::Deny, vec!["DE"; count]));
        video
    };
    let news = |count: usize| {
        let date: W3cDatetime = "2024-03-04".parse().unwrap();
        let mut news = News::new(Publication::new("N", "en"), date, "T");
        news.keywords = vec!["a".to_owned(); count];
        news
    };
    for (good, over) in [
        (videos(1_024), videos(1_025)),
        (
            page().with_news(news(65_536)),
            page().with_news(news(65_537)),
        ),
        (
            page().with_video(countries(65_536)),
            page().with_video(countries(65_537)),
        ),
        (
            page().with_news(news(60_000)).with_video(countries(5_536)),
            page().with_news(news(60_000)).with_video(countries(5_537)),
        ),
        (with_texts(500_000), with_texts(550_000)),
    ] {
        let refused = over.check().unwrap_err();
        assert_eq!(refused.rule(), Rule::EntryTooLarge, "{refused}");
        let mut writer = UrlsetWriter::new(Vec::new());
        writer.write(&over).unwrap_err();
        // The counts of a rejected entry are forgotten.
        writer.write(&good).unwrap();
        let bytes = writer.finish().unwrap();
        let read: Vec<_> = ReaderBuilder::new()
            .policy(Policy::STRICT)
            .from_bytes(bytes)
            .map(Result::unwrap)
            .collect();
        assert_eq!(read, [Entry::Url(good)]);
    }
}

/// A foreign element with two texts of this number of bytes, which must be decoded, and an element between them.
fn with_texts(bytes: usize) -> UrlEntry {
    let text = format!("&{}", "a".repeat(bytes));
    let element = Element::new("x", "urn:x")
        .with_text(text.clone())
        .with_child(Element::new("y", "urn:x"))
        .with_text(text);
    UrlEntry::try_from("https://example.com/")
        .unwrap()
        .with_foreign(element)
}

/// With the old and the new vector counted where one grows. Reading raw is a part of it.
#[test]
fn no_entry_costs_more_than_16_mib() {
    let locs = ["a", "é", "<", "&amp;", "&#x61;", "&#xe9;"].map(|item| {
        let loc = format!(
            "https://example.com/{}",
            item.repeat(2_000_000 / item.len())
        );
        let text = format!("<urlset xmlns=\"{NS}\">{}</urlset>", url(&loc));
        (format!("a loc of {item}"), text)
    });
    // The maximum of namespaces, elements, texts and bytes in one entry.
    let declarations = (0..250).map(|n| format!(" xmlns:n{n}='{n}{}'", "u".repeat(5_900)));
    let root: String = declarations.collect();
    let texts = "a<b/>".repeat(16_000);
    let everything = [("\u{1}", 650_000), ("a", 1_300_000), ("&lt;", 325_000)].map(|(item, count)| {
        let text = item.repeat(count);
        let text = format!(
            "<urlset xmlns=\"{NS}\"{root}>{X}<r xmlns='urn:r'><b>{text}</b>{texts}</r></url></urlset>"
        );
        (format!("everything, with {item}"), text)
    });
    // As many videos and words as are kept, after the longest URL and before another.
    let videos = "<video:video/>".repeat(1_024);
    let words = "a ".repeat(65_536);
    let image = |bytes: usize| {
        let path = "é".repeat(bytes / 2);
        format!("<image:image><image:loc>http://a/{path}</image:loc></image:image>")
    };
    let escaped = [
        (900_000, 900_000),
        (1_700_000, 100_000),
        (100_000, 1_700_000),
    ];
    let escaped = escaped.map(|(first, last)| {
        let text = format!(
            "<urlset xmlns=\"{NS}\" {PREFIXES}>{X}{}{videos}<video:video><video:platform>{words}</video:platform></video:video>{}</url></urlset>",
            image(first),
            image(last)
        );
        (format!("URLs of {first} and {last} bytes"), text)
    });
    for (name, text) in full_entries().chain(locs).chain(everything).chain(escaped) {
        let used = allocation_counter::measure(|| {
            Reader::new(text.as_bytes()).for_each(|entry| drop(entry.unwrap()));
        });
        let bytes = used.bytes_max;
        assert!(bytes < MOST, "{name}: {bytes} bytes at once");
    }
}

/// An entry costs no allocation when it is over the limit of entries or of bytes, either.
#[test]
fn entries_over_the_limits_of_the_protocol() {
    let start = format!("<urlset xmlns=\"{NS}\">");
    for (blank, entries) in [(0, 60_000), (52_428_800, 10_000)] {
        let body = format!("{X}</url>").repeat(entries) + "</urlset>";
        let input = start.as_bytes().chain(io::repeat(b' ').take(blank));
        let mut read = 0;
        let used = allocation_counter::measure(|| {
            let mut reader = Reader::new(input.chain(body.as_bytes()));
            while reader.read_raw().unwrap().is_some() {
                read += 1;
            }
        });
        assert_eq!(read, entries);
        let times = used.count_total;
        assert!(times < 1_000, "{times} allocations for {entries} entries");
    }
}

/// The callback gets the listed issues, for any number of issues of an entry.
#[test]
fn a_callback_for_an_entry_with_many_issues() {
    for (around, piece) in [
        (format!("{X}<x:y>…</x:y></url>"), "&"),
        (format!("{X}…</url>"), "</y>"),
        (format!("{X}…</url>"), "<foo/>"),
        (format!("{X}<x:y>…</x:y></url>"), "&é;"),
        (format!("{X}…"), "</y>"),
    ] {
        let times = match piece {
            "<foo/>" => 16_000,
            _ => (2_000_000 / piece.len()).min(500_000),
        };
        let heard = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counter = heard.clone();
        let builder = ReaderBuilder::new().on_issue(move |_| {
            counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        let summary = read_within(16 << 20, &builder, within(&around, repeat(piece, times)));
        assert_eq!(summary.fatal(), "none");
        let heard = heard.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(heard, 1_001, "{times} {piece}");
    }
}

#[test]
fn a_loc_of_2_mb_is_too_long_and_given() {
    let loc = format!("https://example.com/{}", "a".repeat(2_000_000));
    let text = format!("<urlset xmlns=\"{NS}\">{}</urlset>", url(&loc));
    let summary = read_default(text.as_bytes());
    assert_eq!(summary.entries, 1);
    assert_eq!(summary.rules(), [(Rule::UrlTooLong, Effect::Noted)]);
}

/// Memory that an entry leaves allocated is not added to the memory of the next one.
#[test]
fn extraordinary_entries_of_each_kind_one_after_another() {
    let many = |item: &str, count: usize| format!("{X}{}</url>", item.repeat(count));
    let one = |open: &str, item: &str, count: usize, close: &str| {
        format!("{X}{open}{}{close}</url>", item.repeat(count))
    };
    let attributes: String = (0..16_000).map(|n| format!(" a{n}=''")).collect();
    let entries = [
        many("<x:a/>", 16_000),
        one("<r xmlns='urn:r'>", "a<b/>", 16_000, "</r>"),
        many(&format!("<x:a{attributes}/>"), 1),
        one("<x:r>&lt;", "text", 490_000, "</x:r>"),
        one("<x:r>&lt;<!---->", "text", 400_000, "</x:r>"),
        one("<r xmlns='&", "name", 390_000, "'/>"),
        one("<x:r>", "a<!---->", 16_000, "</x:r>"),
        many(
            "<image:image><image:loc>http://a</image:loc></image:image>",
            8_000,
        ),
    ];
    let text = entries.join("") + &entries.iter().rev().cloned().collect::<String>();
    let text = format!("<urlset xmlns=\"{NS}\" {PREFIXES}>{text}</urlset>");
    let summary = read_default(text.as_bytes());
    assert_eq!(summary.entries, 2 * entries.len());
}

/// Limits on numbers do not depend on the rest of the entry: the maximum of elements, of attributes and of pieces of
/// text is possible at the same time.
#[test]
fn as_many_elements_and_texts_as_are_allowed() {
    for (item, open, close) in [
        ("a<b/>", "<r xmlns='urn:r'>", "</r>"),
        ("<x:a b=''/>", "", ""),
        ("<x:a>b</x:a>", "", ""),
        ("<b>a</b>", "<r xmlns='urn:r'>", "</r>"),
    ] {
        let nodes =
            item.matches("<").count() - item.matches("</").count() + item.matches('=').count();
        // The entry, its loc, and the element around them.
        let most = (16_384 - 3) / nodes;
        for (count, is_read) in [(most, true), (most + 2, false)] {
            let text = format!(
                "<urlset xmlns=\"{NS}\" {PREFIXES}>{X}{open}{}{close}</url></urlset>",
                item.repeat(count)
            );
            let mut reader = Reader::new(text.as_bytes());
            let found = reader.read_raw().unwrap();
            assert_eq!(found.is_some(), is_read, "{count} times {item}");
        }
    }
}

/// A control character is read as U+FFFD, which has three bytes, so the text can be larger than the entry.
#[test]
fn text_that_grows_when_it_is_decoded() {
    for (count, is_read) in [(699_000, true), (700_000, false)] {
        let characters = "\u{1}".repeat(count);
        let text =
            format!("<urlset xmlns=\"{NS}\" {PREFIXES}>{X}<x:a>{characters}</x:a></url></urlset>");
        let mut reader = Reader::new(text.as_bytes());
        assert_eq!(reader.read_raw().unwrap().is_some(), is_read, "{count}");
        let is_too_large = |issue: &Issue| issue.rule() == Rule::EntryTooLarge;
        assert_eq!(reader.issues().iter().any(is_too_large), !is_read);
    }
}

/// Without an index of the entry's lines, the positions would take seconds.
#[test]
fn positions_of_16_000_elements() {
    let item = "<x:a>é</x:a>\n <x:b/>";
    let text = format!(
        "<urlset xmlns=\"{NS}\" {PREFIXES}>{X}\n{}</url></urlset>",
        item.repeat(8_000)
    );
    let mut reader = Reader::new(text.as_bytes());
    let used = allocation_counter::measure(|| {
        let entry = reader.read_raw().unwrap().unwrap();
        let place = |element: quick_sitemap::RawElement<'_>| {
            let position = element.position();
            (position.line(), position.column())
        };
        // Its loc is the first; the last line has no element in front.
        let mut places = entry.elements().skip(1).map(place);
        assert_eq!(places.next(), Some((2, 1)));
        for line in 3..=8_002 {
            assert_eq!(places.next(), Some((line, 2)));
            if line < 8_002 {
                assert_eq!(places.next(), Some((line, 8)));
            }
        }
        assert_eq!(places.next(), None);
    });
    assert!(used.bytes_max < 8 << 20, "{} bytes", used.bytes_max);
}

/// One element or attribute per few bytes, in one entry and in many: copying them for each element would take
/// gigabytes.
#[test]
fn a_namespace_of_100_kb_is_kept_once() {
    let uri = "u".repeat(100_000);
    let element = "<y:a y:b=''><y:c/></y:a>".repeat(20);
    for (root, entry, times) in [
        (format!(" xmlns:y='{uri}'"), String::new(), 100),
        (String::new(), format!(" xmlns:y='{uri}'"), 1),
    ] {
        let page = format!("<url{entry}><loc>https://example.com/x</loc>{element}</url>");
        let text = format!(
            "<urlset xmlns=\"{NS}\"{root}>{}</urlset>",
            page.repeat(times)
        );
        let mut entries = Vec::new();
        let used = allocation_counter::measure(|| entries.extend(Reader::new(text.as_bytes())));
        assert_eq!(entries.len(), times);
        assert!(
            used.bytes_current < 3 * MEBI as i64,
            "{} bytes kept",
            used.bytes_current
        );
        assert!(
            used.bytes_max < 4 * MEBI as u64,
            "{} bytes at once",
            used.bytes_max
        );
        for entry in entries {
            let page = entry.unwrap().into_url().unwrap();
            assert_eq!(page.foreign.len(), 20);
            let element = &page.foreign[19];
            assert!(element.namespace == uri && element.attributes[0].namespace == uri);
        }
    }
}

/// A long namespace that is meant for another is known as that.
#[test]
fn a_namespace_of_white_space_before_that_of_images() {
    const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
    let image = "<i:image><i:loc>https://example.com/i</i:loc></i:image>";
    let long = |n: usize| format!("{}{IMAGE}", " ".repeat(20 * n));
    for (name, text) in [
        (
            "declared on the root",
            &(|n: usize| {
                let uri = long(n);
                let entry = format!("{X}{}</url>", image.repeat(100));
                let entries = entry.repeat(n / 200);
                format!("<urlset xmlns=\"{NS}\" xmlns:i=\"{uri}\">{entries}</urlset>")
            }) as &dyn Fn(usize) -> String,
        ),
        ("declared on an entry", &|n| {
            let entry = X.replace("<url>", &format!("<url xmlns:i=\"{}\">", long(n)));
            format!(
                "<urlset xmlns=\"{NS}\">{entry}{}</url></urlset>",
                // An entry may have 16,384 elements.
                image.repeat((n / 2).min(8_000))
            )
        }),
    ] {
        let summary = read_default(text(scaled(40_000)).as_bytes());
        assert_eq!(summary.fatal(), "none", "{name}");
        assert!(summary.entries >= 1, "{name}");
        assert_eq!(summary.rules()[0].0, Rule::WrongNamespace, "{name}");
    }
}

/// A few thousand namespaces are kept.
#[test]
fn an_entry_with_many_namespaces() {
    let entry = |n: usize| {
        let elements = (0..n).map(|n| format!("<a:x xmlns:a='u{n:05}'/>"));
        let elements: String = elements.collect();
        format!("<urlset xmlns=\"{NS}\">{X}{elements}</url></urlset>")
    };
    let summary = read_default(entry(4_000).as_bytes());
    assert_eq!(
        (summary.entries, summary.issue_count, summary.fatal()),
        (1, 0, "none")
    );
    let summary = read_default(entry(scaled(320_000).min(60_000)).as_bytes());
    assert_eq!((summary.entries, summary.fatal()), (0, "none"));
    assert_eq!(
        summary.rules(),
        [(Rule::EntryTooLarge, Effect::EntrySkipped)]
    );
    // Long ones: what is kept of them is bounded, too.
    for (length, times) in [(200, 4_000), (100_000, 18), (1_800_000, 1)] {
        let long = "u".repeat(length);
        let elements = (0..times).map(|n| format!("<a:x xmlns:a='{n}{long}'/>"));
        let elements: String = elements.collect();
        let summary = read_default(within(&format!("{X}…</url>"), elements.as_bytes()));
        let is_kept = length * times < 1_500_000;
        let too_large = (Rule::EntryTooLarge, Effect::EntrySkipped);
        let expected = (!is_kept).then_some(too_large);
        assert_eq!(
            summary.rules(),
            Vec::from_iter(expected),
            "{times} of {length}"
        );
        assert_eq!(
            (summary.entries, summary.fatal()),
            (2 + usize::from(is_kept), "none")
        );
    }
}

/// An entry that becomes too large is not written to its end first.
#[test]
fn a_long_namespace_that_is_written_again_and_again() {
    let element = Element::new("a", "u".repeat(MEBI)).with_prefix("p");
    let home = UrlEntry::try_from("https://example.com/").unwrap();
    let entry = (0..100).fold(home.clone(), |entry, _| entry.with_foreign(element.clone()));
    let mut writer = UrlsetWriter::new(io::sink());
    writer.write(&home).unwrap();
    let mut result = Ok(());
    let used = allocation_counter::measure(|| result = writer.write(&entry));
    let rule = result
        .unwrap_err()
        .violation()
        .map(|violation| violation.rule());
    assert_eq!(rule, Some(Rule::EntryTooLarge));
    assert!(used.bytes_max < MOST, "{} bytes at once", used.bytes_max);
}

/// Up to a thousand different ones are reported; the entries are returned all the same.
#[test]
fn wrong_namespaces_that_are_ever_different() {
    let entries = scaled(100_000).max(5_000);
    let entry = |n: usize| {
        let uri = format!("http://www.google.com/schemas/sitemap-image/{n}");
        format!(
            "{X}<i:image xmlns:i=\"{uri}\"><i:loc>https://example.com/i</i:loc></i:image></url>"
        )
    };
    let summary = read_default(within("…", pieces(entry, entries)));
    assert_eq!((summary.entries, summary.fatal()), (entries + 2, "none"));
    let over = usize::from(entries > 50_000);
    assert_eq!(summary.issue_count, 1_024 + over);
}

/// Looked for anew for each element, the texts would take minutes.
#[test]
fn texts_between_many_elements() {
    let texts = "a<!---->".repeat(6_000);
    let elements = "<x:b/>".repeat(8_000);
    let entry = format!("{X}<x:r><x:b/>{texts}</x:r>{elements}</url>");
    let times = scaled(400);
    let summary = read_default(within("…", repeat(&entry, times)));
    let mut rules = summary.rules();
    rules.retain(|found| found.0 != Rule::TooManyBytes);
    assert_eq!(rules, []);
    assert_eq!((summary.entries, summary.fatal()), (times + 2, "none"));

    let texts = repeat("a<!---->", 200_000);
    too_large(&format!("{X}<x:r>…<x:b/></x:r></url>"), texts);
}

#[test]
fn entity_bombs_and_external_entities_are_never_expanded() {
    let mut laughs = String::from("<!DOCTYPE urlset [<!ENTITY a0 \"https://example.com/lol\">");
    for n in 1..10 {
        laughs += &format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10));
    }
    for (doctype, entity) in [
        (laughs + "]>", "&a9;"),
        (
            "<!DOCTYPE urlset [<!ENTITY xxe SYSTEM \"file:///etc/passwd\">]>".to_owned(),
            "&xxe;",
        ),
        (
            "<!DOCTYPE urlset [<!ENTITY % p SYSTEM \"https://evil.example/\"> %p;]>".to_owned(),
            "&p;",
        ),
    ] {
        let text = format!(
            "{doctype}<urlset xmlns=\"{NS}\"><url><loc>https://example.com/{entity}</loc></url></urlset>"
        );
        let outcome = common::read_slice(&text);
        assert_eq!(outcome.locs(), [format!("https://example.com/{entity}")]);
        assert_eq!(outcome.rules(), [Rule::Doctype, Rule::UnknownEntity]);
    }
}

/// `layers` of gzip around `input`.
fn pack(mut input: impl Read, layers: usize) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    io::copy(&mut input, &mut encoder).unwrap();
    let mut packed = encoder.finish().unwrap();
    for _ in 1..layers {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&packed).unwrap();
        packed = encoder.finish().unwrap();
    }
    packed
}

/// A gzip bomb: an entry, `open`, and so much of `filling` as takes it over the bound of [`small`].
fn bomb(open: &str, filling: &str, layers: usize) -> Vec<u8> {
    bomb_of(scaled(120 * MEBI), open, filling, layers)
}

fn bomb_of(size: usize, open: &str, filling: &str, layers: usize) -> Vec<u8> {
    let good = url("https://example.com/good");
    let head = io::Cursor::new(format!("<urlset xmlns=\"{NS}\">{good}{open}"));
    pack(head.chain(repeat(filling, size / filling.len())), layers)
}

/// A reader of documents of at most a hundred mebibytes, so that the bombs can be small.
fn small() -> ReaderBuilder {
    ReaderBuilder::new().max_bytes(scaled(100 * MEBI) as u64)
}

#[test]
fn gzip_bombs() {
    for (open, filling, layers) in [
        ("<!--", "0", 1),
        ("<!--", "0", 2),
        ("<!--", "0", 3),
        ("<url><loc>", "0", 1),
        ("", "\n", 2),
    ] {
        let packed = bomb(open, filling, layers);
        assert!(packed.len() < scaled(MEBI));
        let summary = read(&small(), &packed[..]);
        let found = (summary.entries, summary.fatal());
        assert_eq!(found, (1, "LimitExceeded"), "{open}, {layers} layers");
    }
}

#[test]
fn a_gigabyte_in_a_megabyte() {
    let packed = bomb_of(scaled(1 << 30), "<!--", "0", 1);
    assert!(packed.len() < scaled(3 * MEBI) / 2, "{}", packed.len());
    let builder = if cfg!(debug_assertions) {
        small()
    } else {
        ReaderBuilder::new()
    };
    let summary = read(&builder, &packed[..]);
    assert_eq!((summary.entries, summary.fatal()), (1, "LimitExceeded"));
}

#[test]
fn one_pushed_chunk_that_explodes() {
    let packed = bomb("<!--", "0", 2);
    let mut last = None;
    let used = allocation_counter::measure(|| {
        let mut decoder = small().decoder();
        decoder.push(&packed);
        decoder.finish();
        while !matches!(last, Some(Err(_))) {
            last = Some(decoder.next_entry());
        }
    });
    assert!(used.bytes_max < MOST, "{} bytes at once", used.bytes_max);
    assert!(
        matches!(last, Some(Err(error)) if matches!(error.kind(), ErrorKind::LimitExceeded(_)))
    );
}

#[test]
fn a_million_gzip_members() {
    let empty = common::gzip(b"").repeat(scaled(1_000_000));
    let summary = read_default(&[packed_page(), empty].concat()[..]);
    let found = (summary.entries, summary.issue_count, summary.fatal());
    assert_eq!(found, (1, 0, "none"));
}

fn packed_page() -> Vec<u8> {
    common::gzip(common::urlset(&url("https://example.com/good")).as_bytes())
}

#[test]
fn rubbish_of_100_mb_behind_the_gzip_data() {
    let rubbish = repeat("\0", scaled(100 * MEBI));
    let summary = read_default(io::Cursor::new(packed_page()).chain(rubbish));
    assert_eq!((summary.entries, summary.fatal()), (1, "none"));
    assert_eq!(summary.rules(), [(Rule::TrailingGzipData, Effect::Noted)]);
}

#[test]
fn a_gzip_header_of_100_mb() {
    // A name that does not end.
    let head = io::Cursor::new([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3]);
    let summary = read_default(head.chain(repeat("name", scaled(25 * MEBI))));
    assert_ne!(summary.fatal(), "none");
}

#[test]
fn pushed_byte_by_byte() {
    let filling = [
        "a".repeat(scaled(500_000)),
        "<x:y a='b'>c</x:y>".repeat(scaled(20_000)),
        format!("<!--{}-->", "-".repeat(scaled(500_000))),
        format!("<x:y a='{}'/>", ">".repeat(scaled(500_000))),
        format!("<![CDATA[{}]]>", "]".repeat(scaled(500_000))),
        "&amp;".repeat(scaled(100_000)),
        "<".repeat(scaled(50_000)),
        "&".repeat(scaled(100_000)),
    ];
    for filling in filling {
        let mut text = String::new();
        within(&format!("{X}<x:z>…</x:z></url>"), filling.as_bytes())
            .read_to_string(&mut text)
            .unwrap();
        let mut summary = Summary::default();
        let used = allocation_counter::measure(|| {
            let mut decoder = Decoder::new();
            for byte in text.as_bytes() {
                decoder.push(&[*byte]);
                while let step @ Some(_) = decoder.next_entry().transpose() {
                    summary.take(decoder.issues(), step);
                }
            }
            decoder.finish();
            while let step @ Some(_) = decoder.next_entry().transpose() {
                summary.take(decoder.issues(), step);
            }
        });
        let shown = common::Shown(&filling.as_bytes()[..20]).to_string();
        assert!(
            used.bytes_max < MOST,
            "{shown}: {} bytes at once",
            used.bytes_max
        );
        assert!(summary.entries >= 2, "{shown}: {}", summary.entries);
        assert_eq!(summary.fatal(), "none", "{shown}");
    }
}

#[test]
fn heads_pushed_byte_by_byte() {
    for (before, filling) in [
        ("", "<"),
        ("", "<a"),
        ("", "word "),
        ("<", "a"),
        ("<!--", "x"),
        ("https://example.com/\n", "<"),
        ("", "\n"),
    ] {
        let text = format!("{before}{}", filling.repeat(scaled(60_000) / filling.len()));
        let outcome = common::push(&ReaderBuilder::new(), text.as_bytes(), || 1);
        assert!(outcome.locs().len() <= 1, "{before}{filling}");
        assert!(outcome.said.len() <= 60_000, "{before}{filling}");
    }
}

#[test]
fn broken_markup_of_100_mb() {
    let good = url("https://example.com/good");
    for filling in [
        "<",
        "<<",
        "<url",
        "<url ",
        "<url <",
        "<!",
        "<![",
        "<!-",
        "<?",
        "</",
        "</>",
        "<a",
        "<a\"",
        "\"",
        "<url>",
        "<url><loc>",
        "&",
        "&#",
        "]]>",
        "<![CDATA[",
        "<!--",
        "<loc>",
        "<urlset>",
        "<!DOCTYPE",
    ] {
        let times = scaled(4 * MEBI) / filling.len();
        let head = format!("<urlset xmlns=\"{NS}\">{good}");
        let summary = read_default(
            io::Cursor::new(head)
                .chain(repeat(filling, times))
                .chain(io::Cursor::new(format!("{good}</urlset>"))),
        );
        assert!(summary.entries >= 1, "{filling:?}");
        let summary = read_default(within(&format!("{X}…</url>"), repeat(filling, times)));
        assert!(summary.entries >= 1, "{filling:?} in an entry");
        let summary = read_default(repeat(filling, times));
        assert_ne!(summary.fatal(), "none", "{filling:?} alone");
    }
}

#[test]
fn memory_does_not_grow_with_the_document() {
    let entry = "<url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-03-04T05:06:07+00:00</lastmod><priority>0.5</priority></url>\n";
    let peak = |entries: usize| {
        let mut count = 0;
        let used = allocation_counter::measure(|| {
            let head = io::Cursor::new(format!("<urlset xmlns=\"{NS}\">"));
            let reader = Reader::new(
                head.chain(repeat(entry, entries))
                    .chain(io::Cursor::new("</urlset>")),
            );
            count = reader.inspect(|entry| assert!(entry.is_ok())).count();
        });
        assert_eq!(count, entries);
        used.bytes_max
    };
    let (small, large) = (peak(2_000), peak(scaled(400_000)));
    assert!(
        large < small + 4_096,
        "{small} bytes for a small document, {large} for a large one"
    );
    assert!(large < 1 << 20, "{large}");
}
