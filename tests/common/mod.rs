//! Code that the integration tests share: documents, ways of reading them, and records of the results.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod cases;
pub mod urls;

use std::io::{self, Read, Write};
use std::ops::Range;

use quick_sitemap::{
    Decoder, Effect, Entry, Error, ErrorKind, Format, Issue, Policy, Position, Reader,
    ReaderBuilder, Rule, Violation,
};

/// The namespace of sitemaps.
pub const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A urlset around `body`, on one line with it.
pub fn urlset(body: &str) -> String {
    format!("<urlset xmlns=\"{NS}\">{body}</urlset>")
}

/// An index around `body`, on one line with it.
pub fn index(body: &str) -> String {
    format!("<sitemapindex xmlns=\"{NS}\">{body}</sitemapindex>")
}

/// An entry that contains only a loc.
pub fn url(loc: &str) -> String {
    format!("<url><loc>{loc}</loc></url>")
}

/// The rows of a table: a row a line, and `|` between its fields. A line that begins with `|` goes on with the row before.
pub fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let mut rows = Vec::new();
    let mut rest = table.trim();
    while !rest.is_empty() {
        let mut ends = rest.match_indices('\n').map(|(at, _)| at);
        let ends_row = |at: &usize| !rest[*at..].trim_start().starts_with('|');
        let (row, more) = rest.split_at(ends.find(ends_row).unwrap_or(rest.len()));
        let fields: Vec<_> = row.split('|').map(str::trim_ascii).collect();
        let fields = fields.try_into();
        rows.push(fields.unwrap_or_else(|_| panic!("not {N} fields: {row}")));
        rest = more.trim_start();
    }
    rows
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn lenient() -> ReaderBuilder {
    ReaderBuilder::new()
}

pub fn strict() -> ReaderBuilder {
    ReaderBuilder::new().policy(Policy::STRICT)
}

/// An error, as far as it can be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// The message, position included.
    pub text: String,
    pub fatal: bool,
    /// The name of the [`ErrorKind`].
    pub kind: &'static str,
    pub violation: Option<Violation>,
    pub position: Option<Position>,
    pub span: Option<Range<u64>>,
}

impl From<&Error> for Raised {
    fn from(error: &Error) -> Self {
        Self {
            text: error.to_string(),
            fatal: error.is_fatal(),
            kind: match error.kind() {
                ErrorKind::Io(_) => "Io",
                ErrorKind::Gzip(_) => "Gzip",
                ErrorKind::UnknownRoot(_) => "UnknownRoot",
                ErrorKind::NotASitemap(_) => "NotASitemap",
                ErrorKind::Truncated => "Truncated",
                ErrorKind::LimitExceeded(_) => "LimitExceeded",
                ErrorKind::Violation(_) => "Violation",
                _ => "another",
            },
            violation: error.violation().cloned(),
            position: error.position(),
            span: error.span(),
        }
    }
}

/// One result of a reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Entry(Entry),
    Issue(Issue),
    Error(Raised),
}

/// All results of a document, in order, over all calls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    pub said: Vec<Said>,
    pub format: Option<Format>,
    /// Two issues of one call whose positions go back, or that are equal and at the same place.
    pub unsound: Option<Vec<Issue>>,
}

impl Outcome {
    pub fn entries(&self) -> Vec<&Entry> {
        self.said
            .iter()
            .filter_map(|said| match said {
                Said::Entry(entry) => Some(entry),
                _ => None,
            })
            .collect()
    }

    pub fn locs(&self) -> Vec<&str> {
        self.entries().iter().map(|e| e.loc().as_str()).collect()
    }

    /// The entries in the form of [`show`].
    pub fn shown(&self) -> Vec<String> {
        self.entries().iter().map(|entry| show(entry)).collect()
    }

    pub fn issues(&self) -> Vec<&Issue> {
        self.said
            .iter()
            .filter_map(|said| match said {
                Said::Issue(issue) => Some(issue),
                _ => None,
            })
            .collect()
    }

    pub fn rules(&self) -> Vec<Rule> {
        self.issues().iter().map(|i| i.violation.rule()).collect()
    }

    pub fn errors(&self) -> Vec<&Raised> {
        self.said
            .iter()
            .filter_map(|said| match said {
                Said::Error(error) => Some(error),
                _ => None,
            })
            .collect()
    }

    /// The kind of the fatal error at the end, or "none".
    pub fn fatal(&self) -> &'static str {
        match self.said.last() {
            Some(Said::Error(error)) if error.fatal => error.kind,
            _ => "none",
        }
    }

    fn take(&mut self, issues: &[Issue]) {
        let back = issues
            .windows(2)
            .find(|two| two[0].position > two[1].position)
            .map(<[Issue]>::to_vec);
        let twice = issues.iter().enumerate().find_map(|(n, issue)| {
            let at = issue.position.byte();
            let mut others = issues[n + 1..].iter();
            others
                .by_ref()
                .take_while(|other| other.position.byte() == at)
                .find(|other| other.violation == issue.violation)
                .map(|other| vec![issue.clone(), other.clone()])
        });
        self.unsound = self.unsound.take().or(back).or(twice);
        self.said.extend(issues.iter().cloned().map(Said::Issue));
    }
}

/// An entry in one line: `[sitemap] loc [lastmod=…] [changefreq=…] [priority=…]`.
pub fn show(entry: &Entry) -> String {
    let mut line = match entry {
        Entry::Url(_) => String::new(),
        Entry::Sitemap(_) => "sitemap ".to_owned(),
    };
    line += entry.loc().as_str();
    if let Some(lastmod) = entry.lastmod() {
        line += &format!(" lastmod={lastmod}");
    }
    if let Entry::Url(entry) = entry {
        if let Some(changefreq) = entry.changefreq {
            line += &format!(" changefreq={changefreq}");
        }
        if let Some(priority) = entry.priority {
            line += &format!(" priority={priority}");
        }
    }
    line
}

/// Number of calls after which reading is regarded as an endless loop.
struct Fuel(usize);

impl Fuel {
    fn burn(&mut self) {
        assert!(self.0 > 0, "too many calls: it hangs");
        self.0 -= 1;
    }
}

/// Reads everything through [`Reader`]'s iterator.
pub fn read(builder: &ReaderBuilder, input: impl Read) -> Outcome {
    let mut outcome = Outcome::default();
    let mut reader = builder.build(input);
    let mut fuel = Fuel(10_000_000);
    loop {
        fuel.burn();
        let step = reader.next();
        outcome.take(reader.issues());
        match step {
            None => break,
            Some(Ok(entry)) => outcome.said.push(Said::Entry(entry)),
            Some(Err(error)) => outcome.said.push(Said::Error(Raised::from(&error))),
        }
    }
    for _ in 0..3 {
        assert!(reader.next().is_none(), "it goes on after its end");
        assert_eq!(reader.issues(), [], "issues after the end");
    }
    outcome.format = reader.format();
    outcome
}

/// Reads a slice through [`Reader`]'s iterator, leniently.
pub fn read_slice(bytes: impl AsRef<[u8]>) -> Outcome {
    read(&lenient(), bytes.as_ref())
}

/// Pushes the entire text through a [`Decoder`], in pieces of the lengths that `cut` returns.
pub fn push(builder: &ReaderBuilder, bytes: &[u8], cut: impl FnMut() -> usize) -> Outcome {
    push_into(&mut builder.decoder(), bytes, cut)
}

pub fn push_into(decoder: &mut Decoder, bytes: &[u8], mut cut: impl FnMut() -> usize) -> Outcome {
    let mut outcome = Outcome::default();
    let mut rest = bytes;
    let mut finished = false;
    let mut fuel = Fuel(10_000_000);
    loop {
        fuel.burn();
        let step = decoder.next_entry();
        outcome.take(decoder.issues());
        match step {
            Ok(Some(entry)) => outcome.said.push(Said::Entry(entry)),
            Err(error) => {
                outcome.said.push(Said::Error(Raised::from(&error)));
                if error.is_fatal() {
                    break;
                }
            }
            Ok(None) if finished => break,
            Ok(None) if rest.is_empty() => {
                decoder.finish();
                finished = true;
            }
            Ok(None) => {
                let (piece, more) = rest.split_at(cut().clamp(1, rest.len()));
                decoder.push(piece);
                rest = more;
            }
        }
    }
    outcome.format = decoder.format();
    outcome
}

/// The result of [`read_raw`].
#[derive(Debug, Default)]
pub struct RawOutcome {
    /// Number of borrowed entries.
    pub count: usize,
    /// Issues of raw reading alone, without entries.
    pub said: Vec<Said>,
    /// Issues of raw reading and of `take_entry` together.
    pub typed: Outcome,
}

/// Reads everything with [`Reader::read_raw`], each entry followed by [`Reader::take_entry`].
pub fn read_raw(builder: &ReaderBuilder, input: impl Read) -> RawOutcome {
    let mut outcome = RawOutcome::default();
    let mut reader = builder.build(input);
    let mut fuel = Fuel(10_000_000);
    loop {
        fuel.burn();
        let lent = match reader.read_raw() {
            Ok(Some(raw)) => Ok(Some(format!("{raw:?} {:?}", raw.position()))),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        let of_markup = reader.issues().to_vec();
        let said = of_markup.iter().cloned().map(Said::Issue);
        outcome.said.extend(said);
        if !matches!(lent, Ok(Some(_))) {
            outcome.typed.take(&of_markup);
        }
        match lent {
            Ok(None) => break,
            Ok(Some(_)) => {
                outcome.count += 1;
                // Adds to the issues of the markup.
                let entry = reader.take_entry();
                outcome.typed.take(reader.issues());
                match entry {
                    Ok(Some(entry)) => outcome.typed.said.push(Said::Entry(entry)),
                    Ok(None) => {}
                    Err(error) => outcome.typed.said.push(Said::Error(Raised::from(&error))),
                }
            }
            Err(error) => {
                let raised = Said::Error(Raised::from(&error));
                outcome.said.push(raised.clone());
                outcome.typed.said.push(raised);
            }
        }
    }
    outcome.typed.format = reader.format();
    outcome
}

/// A [`Read`] that returns its bytes in pieces of the lengths that `cut` returns.
pub struct Pieces<'a, F> {
    pub rest: &'a [u8],
    pub cut: F,
}

impl<F: FnMut() -> usize> Read for Pieces<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.rest.len().min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let (piece, rest) = self.rest.split_at((self.cut)().clamp(1, most));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}

/// Small random numbers, the same in every run.
pub fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below.max(1)
    }
}

/// The result does not depend on the division of the bytes, on gzip around them, or on `Reader` or `Decoder`; raw and
/// typed reading return the same entries. Lenient and strict.
pub fn same_however_cut(bytes: &[u8]) {
    same_with(&lenient(), bytes);
}

/// [`same_however_cut`] with the bounds of `builder`.
pub fn same_with(builder: &ReaderBuilder, bytes: &[u8]) {
    if let Err(difference) = differences(builder, bytes) {
        panic!("{difference}");
    }
}

/// The result of [`same_with`].
pub fn differences(builder: &ReaderBuilder, bytes: &[u8]) -> Result<(), String> {
    for policy in [Policy::LENIENT, Policy::STRICT] {
        cut_every_way(&builder.clone().policy(policy), bytes)?;
    }
    cut_in_equal_pieces(&builder.clone().excerpts(true), bytes)?;
    raw_and_typed(builder, bytes)
}

/// The result of a document, which every way of reading it must have.
struct Whole<'a> {
    builder: &'a ReaderBuilder,
    bytes: &'a [u8],
    outcome: Outcome,
}

impl<'a> Whole<'a> {
    fn read(builder: &'a ReaderBuilder, bytes: &'a [u8]) -> Self {
        let outcome = read(builder, bytes);
        Self {
            builder,
            bytes,
            outcome,
        }
    }

    fn check(&self, way: &str, outcome: Outcome) -> Result<(), String> {
        let whole = &self.outcome;
        if outcome == *whole {
            return Ok(());
        }
        let pairs = whole.said.iter().zip(&outcome.said);
        let same = pairs.take_while(|(a, b)| a == b).count();
        Err(format!(
            "{way}: another result than from the whole slice\nin    {}\nwith  {:?}\n\
             {same} of {} and {} are the same, formats {:?} and {:?}, then\nwhole {:?}\nhere  {:?}",
            Shown(self.bytes),
            self.builder,
            whole.said.len(),
            outcome.said.len(),
            whole.format,
            outcome.format,
            whole.said.get(same),
            outcome.said.get(same),
        ))
    }
}

/// Pieces of one size: short ones cut the document at every place, or at nearly every one.
fn cut_in_equal_pieces(builder: &ReaderBuilder, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() >= SMALL {
        return Ok(());
    }
    let whole = Whole::read(builder, bytes);
    for size in [1, 2, 3, 7] {
        let way = format!("pieces of {size}");
        whole.check(&way, push(builder, bytes, || size))?;
    }
    Ok(())
}

/// Documents of fewer bytes are also read byte by byte.
const SMALL: usize = 20_000;

fn cut_every_way(builder: &ReaderBuilder, bytes: &[u8]) -> Result<(), String> {
    let whole = Whole::read(builder, bytes);
    if let Some(issues) = &whole.outcome.unsound {
        return Err(format!(
            "issues out of order, or twice: {issues:?}\nin    {}",
            Shown(bytes)
        ));
    }
    let check = |way: &str, outcome: Outcome| whole.check(way, outcome);
    let small = bytes.len() < SMALL;
    cut_in_equal_pieces(builder, bytes)?;
    let mut number = random(bytes.len() as u64);
    check("one push", push(builder, bytes, || usize::MAX))?;
    for most in [7, 61, 5_000] {
        check("random cuts", push(builder, bytes, || 1 + number(most)))?;
    }
    let pieces = Pieces {
        rest: bytes,
        cut: || 1 + number(97),
    };
    check("short reads", read(builder, pieces))?;
    if small {
        check(
            "single-byte reads",
            read(
                builder,
                Pieces {
                    rest: bytes,
                    cut: || 1,
                },
            ),
        )?;
    }
    // No bytes at all, packed, are a gzip file; a fourth layer is one too many.
    if !bytes.is_empty() && !bytes.starts_with(&[0x1F, 0x8B]) {
        let packed = gzip(bytes);
        check("gzipped", read(builder, &packed[..]))?;
        check(
            "gzipped, random cuts",
            push(builder, &packed, || 1 + number(41)),
        )?;
        if small {
            check("gzipped, single bytes", push(builder, &packed, || 1))?;
        }
    }
    Ok(())
}

fn raw_and_typed(builder: &ReaderBuilder, bytes: &[u8]) -> Result<(), String> {
    let typed = read(builder, bytes);
    let raw = read_raw(builder, bytes);
    if typed.rules().contains(&Rule::IssuesOmitted) {
        return Ok(());
    }
    // Violations of the markup come before those of values, so sort.
    let (one, other) = (by_position(raw.typed.said), by_position(typed.said.clone()));
    if one != other {
        let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
        return Err(format!(
            "read_raw and take_entry differ from next\nin    {}\nnext  {:?}\nraw   {:?}",
            Shown(bytes),
            other.get(same),
            one.get(same),
        ));
    }
    let (raw_sum, typed_sum) = (
        raw.count + lost(&raw.said),
        typed.entries().len() + lost(&typed.said),
    );
    if raw_sum != typed_sum {
        return Err(format!(
            "raw entries are not the typed ones and those skipped for their values, {raw_sum} and {typed_sum}\nin    {}",
            Shown(bytes),
        ));
    }
    Ok(())
}

/// Entries that were skipped.
fn lost(said: &[Said]) -> usize {
    let skipped = said.iter().filter_map(|said| match said {
        Said::Issue(issue) if issue.effect == Effect::EntrySkipped => Some(issue.position.entry()),
        _ => None,
    });
    skipped.collect::<std::collections::BTreeSet<u64>>().len()
}

/// Bytes as a message shows them: escaped, long runs shortened.
pub struct Shown<'a>(pub &'a [u8]);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for run in self.0.chunk_by(|a, b| a == b).take(1_500) {
            let shown = run.escape_ascii();
            match run.len() {
                0..8 => write!(f, "{shown}")?,
                n => write!(f, "{{{n} times {}}}", run[..1].escape_ascii())?,
            }
        }
        Ok(())
    }
}

/// Like the above, except that the issues between two results are in the order of their positions.
fn by_position(mut said: Vec<Said>) -> Vec<Said> {
    let order = |said: &Said| match said {
        Said::Issue(issue) => (issue.position.byte(), issue.violation.rule() as usize),
        _ => (u64::MAX, 0),
    };
    for run in said.split_mut(|said| !matches!(said, Said::Issue(_))) {
        run.sort_by_key(order);
    }
    said
}

/// A reader that panics: nothing is read before the first call that needs it.
pub fn reader_of(text: &str) -> Reader<&[u8]> {
    Reader::new(text.as_bytes())
}
