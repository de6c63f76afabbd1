//! Compares two builds of the library: prints a line for each of many damaged documents, which differs if a result does.
//!
//! ```text
//! cargo run --release -p quick-sitemap-integration --example outcomes -- COUNT SEED PATH… > before
//! cargo run --release -p quick-sitemap-integration --example outcomes -- show CASE SEED PATH…
//! ```
//!
//! A path is a file or a folder of files. The first cases are the files as they are; all others are parts of them with a
//! few changes. The same arguments make the same documents, so the lines of two builds can be compared by `diff`. `show`
//! prints a document and everything that was read from it.
//!
//! A line has three digests (entries, issues, errors) for each of: typed, typed and strict, raw. Every document is also
//! read in pieces. A reading in pieces that differs from the one of the entire document is named at the end of the line.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::Path;
use std::{env, fs};

use quick_sitemap::{Decoder, Policy, RawElement, RawEntry, ReaderBuilder, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (number, seed, paths) = match arguments.as_slice() {
        [show, number, seed, paths @ ..] if show == "show" => (number, seed, paths),
        [number, seed, paths @ ..] => (number, seed, paths),
        _ => return Err("usage: outcomes [show] NUMBER SEED PATH…".into()),
    };
    let (number, seed) = (number.parse::<u64>()?, seed.parse::<u64>()?);
    let sources = sources(paths)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if arguments.first().is_some_and(|first| first == "show") {
        let document = document(&sources, seed, number);
        out.write_all(&document)?;
        for way in WAYS {
            let seen = read(way, &document, usize::MAX);
            writeln!(out, "\n--- {way:?}\n{}", seen.all)?;
            if let Some((step, other)) = divided(way, &document, &seen) {
                writeln!(out, "\n--- {way:?} in pieces of {step}\n{}", other.all)?;
            }
        }
        return Ok(());
    }
    for case in 0..number {
        let document = document(&sources, seed, case);
        write!(out, "{case}")?;
        for way in WAYS {
            let seen = read(way, &document, usize::MAX);
            let digests = [&seen.entries, &seen.issues, &seen.errors].map(digest);
            write!(
                out,
                " {way:?}:{:x}:{:x}:{:x}",
                digests[0], digests[1], digests[2]
            )?;
            if let Some((step, _)) = divided(way, &document, &seen) {
                write!(out, "!{step}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Typed,
    Strict,
    Raw,
}

const WAYS: [Way; 3] = [Way::Typed, Way::Strict, Way::Raw];

/// Everything that was read from a document, as text.
#[derive(Default, PartialEq)]
struct Seen {
    all: String,
    entries: String,
    issues: String,
    errors: String,
}

impl Seen {
    fn entry(&mut self, text: &str) {
        self.all += &format!("{text}\n");
        self.entries += text;
    }

    fn issues(&mut self, issues: &[quick_sitemap::Issue]) {
        for issue in issues {
            let (at, span) = (issue.position, issue.span());
            let text = format!("  {issue} {:?} {span:?} in {}", issue.effect, at.entry());
            self.all += &format!("{text}\n");
            self.issues += &text;
        }
    }

    fn error(&mut self, error: &quick_sitemap::Error) {
        let text = format!("{error} {:?}", error.position());
        self.all += &format!("{text}\n");
        self.errors += &text;
    }
}

/// The first way of dividing the document into pieces that has another result, and that result.
fn divided(way: Way, document: &[u8], entire: &Seen) -> Option<(usize, Seen)> {
    // Two of them, which depend on the document.
    let all = [1, 7, 700, 2, 60, 5, 1].windows(2);
    let steps = all.skip(document.len() % 6).take(1).flatten().copied();
    let steps = steps.filter(|step| document.len() / step < 6_000);
    let mut readings = steps.map(|step| (step, read(way, document, step)));
    readings.find(|(_, seen)| seen.all != entire.all)
}

fn read(way: Way, document: &[u8], step: usize) -> Seen {
    let policy = if way == Way::Strict {
        Policy::STRICT
    } else {
        Policy::LENIENT
    };
    let mut decoder = ReaderBuilder::new().policy(policy).decoder();
    let mut seen = Seen::default();
    let mut pieces = document.chunks(step.min(document.len().max(1)));
    while !decoder.is_done() {
        match pieces.next() {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        if way == Way::Raw {
            while !raw(&mut decoder, &mut seen) {}
        } else {
            typed(&mut decoder, &mut seen);
        }
    }
    let summary = decoder.summary();
    let counts = (
        summary.entries,
        summary.skipped,
        summary.dropped,
        summary.noted,
    );
    seen.entry(&format!(
        "{counts:?} {:?} {:?}",
        summary.completeness(),
        decoder.format()
    ));
    seen
}

fn typed(decoder: &mut Decoder, seen: &mut Seen) {
    while let Some(outcome) = decoder.next_outcome() {
        let position = (
            outcome.position.byte(),
            outcome.position.line(),
            outcome.position.column(),
        );
        match &outcome.entry {
            Ok(entry) => seen.entry(&format!("{position:?} {entry:?}")),
            Err(error) => seen.error(error),
        }
        seen.issues(&outcome.issues);
    }
    if decoder.is_done() {
        seen.issues(decoder.issues());
    }
}

/// Reads one entry as text. Returns `true` if there is none.
fn raw(decoder: &mut Decoder, seen: &mut Seen) -> bool {
    match decoder.advance() {
        Ok(Step::Entry) => {
            seen.entry(&entry_text(decoder.raw().expect("an entry")));
            seen.issues(decoder.issues());
            return false;
        }
        Ok(Step::NeedMore) => {}
        Ok(Step::End) => seen.issues(decoder.issues()),
        Err(error) => {
            seen.error(&error);
            seen.issues(decoder.issues());
            return false;
        }
    }
    true
}

fn entry_text(entry: RawEntry<'_>) -> String {
    let mut text = format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        entry.position(),
        entry.kind(),
        entry.loc(),
        entry.lastmod(),
        entry.changefreq(),
        entry.priority(),
    );
    for element in entry.elements() {
        element_text(element, &mut text);
    }
    text
}

fn element_text(element: RawElement<'_>, text: &mut String) {
    let attributes: Vec<_> = element.attributes().collect();
    let names = (
        element.prefix(),
        element.name(),
        element.namespace(),
        element.text(),
    );
    let places: Vec<_> = attributes
        .iter()
        .map(|(name, _)| element.attribute_position(name).map(|at| at.byte()))
        .collect();
    let at = element.position();
    let _ = write!(text, "\n    {at} {names:?} {attributes:?} {places:?} [");
    for child in element.children() {
        element_text(child, text);
    }
    *text += "]";
}

fn digest(text: &String) -> u32 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish() as u32
}

/// The documents that all others are made of, unpacked, in the order of their names.
fn sources(paths: &[String]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut files = Vec::new();
    for path in paths {
        if Path::new(path).is_dir() {
            let mut names = fs::read_dir(path)?
                .map(|file| Ok(file?.path()))
                .collect::<io::Result<Vec<_>>>()?;
            names.sort();
            files.extend(names);
        } else {
            files.push(path.into());
        }
    }
    let mut sources = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let bytes = fs::read(file)?;
        let mut unpacked = Vec::new();
        let is_packed = bytes.starts_with(&[0x1F, 0x8B]);
        if is_packed
            && flate2::read::MultiGzDecoder::new(&*bytes)
                .read_to_end(&mut unpacked)
                .is_ok()
        {
            sources.push(unpacked);
        } else {
            sources.push(bytes);
        }
    }
    Ok(sources)
}

/// Texts that a parser must tell apart.
const TOKENS: &[&str] = &[
    "<url>",
    "</url>",
    "</url >",
    "</URL>",
    "<url/>",
    "<url a='b'>",
    "<sitemap>",
    "</sitemap>",
    "<loc>",
    "</loc>",
    "<loc>https://example.com/b</loc>",
    "<loc><![CDATA[https://example.com/c]]></loc>",
    "<lastmod>2024</lastmod>",
    "<lastmod>",
    "</lastmod>",
    "<priority>",
    "<x:y>",
    "</x:y>",
    "<x:y a='b'/>",
    "<x:y xmlns:x='urn:x'>",
    "<s:loc>",
    "<url xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>",
    "<x:url>",
    "</x:url>",
    "<image:image>",
    "</image:image>",
    "<image:loc>https://example.com/i</image:loc>",
    "<xhtml:link rel='alternate' hreflang='de' href='https://example.com/'/>",
    "</urlset>",
    "<urlset>",
    "</sitemapindex>",
    "<item>",
    "</item>",
    "<entry>",
    "</entry>",
    "</rss>",
    "</feed>",
    "<link>",
    "<!--",
    "-->",
    "<!-- </url> -->",
    "<![CDATA[",
    "]]>",
    "<![CDATA[</url>]]>",
    "<?x",
    "?>",
    "<?x </url> ?>",
    "<!DOCTYPE a>",
    "<?xml version='1.0'?>",
    "&amp;",
    "&",
    "&nbsp;",
    "&#0;",
    "&#38;",
    "<",
    ">",
    "/",
    "\"",
    "'",
    "=",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u{e9}",
    "\u{1}",
    "< ",
    "<>",
    "</>",
    "<1>",
    " a='b'",
    " a=\"b\"",
    " xmlns=''",
    " a",
    "https://example.com/d",
    "word",
    "<foo>",
    "</foo>",
    "<foo/>",
    "x:",
    "<url><loc>https://example.com/e</loc></url>",
    "<url><loc>https://example.com/f</loc>",
];

/// A generator of numbers (xorshift), the same for the same case.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound.max(1)
    }

    /// A part of at most this many bytes.
    fn part(&mut self, len: usize, most: usize) -> (usize, usize) {
        let start = self.below(len + 1);
        let end = (start + self.below(most + 1)).min(len);
        (start, end)
    }
}

/// The document of a case.
fn document(sources: &[Vec<u8>], seed: u64, case: u64) -> Vec<u8> {
    if let Some(source) = sources.get(case as usize) {
        return source.clone();
    }
    let mut random = Random(
        (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ case.wrapping_mul(0xD129_0B2E_8C6E_5A4D)
            | 1,
    );
    for _ in 0..4 {
        random.below(1);
    }
    let number = random.below(sources.len());
    let source = sources.get(number).map_or(&[][..], |source| source);
    let mut text = shortened(source, &mut random);
    for _ in 0..=random.below(5) {
        change(&mut text, &mut random);
    }
    text
}

/// The beginning, a part and the end of a long document.
fn shortened(source: &[u8], random: &mut Random) -> Vec<u8> {
    if source.len() < 3_000 {
        return source.to_vec();
    }
    let (head, tail) = (&source[..800], &source[source.len() - 60..]);
    let (start, _) = random.part(source.len() - 1_500, 0);
    let len = 200 + random.below(1_300);
    [head, &source[start..start + len], tail].concat()
}

fn change(text: &mut Vec<u8>, random: &mut Random) {
    let (start, end) = random.part(text.len(), 40);
    let token = TOKENS[random.below(TOKENS.len())].as_bytes();
    // Mostly where markup is, because changes within words are all alike.
    let is_mark = |byte: &u8| b"<>\"'=/".contains(byte);
    let near = text[start..]
        .iter()
        .position(is_mark)
        .map_or(start, |at| start + at);
    match random.below(8) {
        0 => drop(text.drain(start..end)),
        1 => {
            let part = text[start..end].to_vec();
            let (at, _) = random.part(text.len(), 0);
            text.splice(at..at, part);
        }
        2 => drop(text.splice(start..start, token.iter().copied())),
        3 | 4 => drop(text.splice(near..near, token.iter().copied())),
        5 => drop(text.splice(
            near + 1.min(text.len() - near)..(near + 1).min(text.len()),
            token.iter().copied(),
        )),
        6 if near < text.len() => drop(text.remove(near)),
        7 if random.below(4) == 0 => text.truncate(start),
        _ => drop(text.splice(start..end, token.iter().copied())),
    }
}
