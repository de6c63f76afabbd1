//! Properties that hold for every way of reading a document.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use quick_sitemap::{
    Effect, Entry, Format, Issue, Position, RawElement, RawEntry, Rule, Violation,
};

use crate::common::{
    Outcome, Pieces, Raised, Said, Shown, gzip, lenient, push, push_into, random, read, strict,
};

/// Calls every method that accepts any bytes.
pub fn document(bytes: &[u8]) {
    let mut number = random(seed(bytes));
    let whole = read(&lenient(), bytes);
    in_order(&whole, bytes);
    cut_at_will(&whole, bytes, &mut number);
    in_other_ways(&whole, bytes, &mut number);
    let (raw, clean) = raw(bytes, &whole);
    strictly(&whole, &clean, bytes, &mut number);
    assert_eq!(
        raw,
        whole.entries().len(),
        "raw and typed\nin {}",
        Shown(bytes)
    );
    truncated(&whole, bytes, number(bytes.len() + 1));
}

/// The same input, divided in the same way.
fn seed(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn same(way: &str, whole: &Outcome, other: &Outcome, bytes: &[u8]) {
    if whole == other {
        return;
    }
    let pairs = whole.said.iter().zip(&other.said);
    let same = pairs.take_while(|(a, b)| a == b).count();
    panic!(
        "{way}: another result than from the whole slice\nin    {}\nformats {:?} and {:?}\n\
         {same} are the same, then\nwhole {:?}\nhere  {:?}",
        Shown(bytes),
        whole.format,
        other.format,
        whole.said.get(same),
        other.said.get(same),
    );
}

/// Positions never go back, neither within a call nor between calls, and no place is reported twice for one reason.
fn in_order(outcome: &Outcome, bytes: &[u8]) {
    if let Some(issues) = &outcome.unsound {
        panic!(
            "issues out of order, or twice: {issues:?}\nin {}",
            Shown(bytes)
        );
    }
    let mut last = (0, 0);
    for issue in outcome.issues() {
        let here = (issue.position.entry(), issue.position.byte());
        if issue.violation.rule() == Rule::IssuesOmitted {
            continue;
        }
        assert!(
            last <= here,
            "{issue:?} goes back behind {last:?}\nin {}",
            Shown(bytes)
        );
        last = here;
    }
}

fn cut_at_will(whole: &Outcome, bytes: &[u8], number: &mut impl FnMut(usize) -> usize) {
    let most = [5, 61, 1_500][number(3)];
    same(
        "random cuts",
        whole,
        &push(&lenient(), bytes, || 1 + number(most)),
        bytes,
    );
    same("single bytes", whole, &push(&lenient(), bytes, || 1), bytes);
    let pieces = Pieces {
        rest: bytes,
        cut: || 1 + number(97),
    };
    same("short reads", whole, &read(&lenient(), pieces), bytes);
}

fn in_other_ways(whole: &Outcome, bytes: &[u8], number: &mut impl FnMut(usize) -> usize) {
    // A decoder that has read something else before.
    let mut decoder = lenient().decoder();
    push_into(&mut decoder, &bytes[..number(bytes.len() + 1)], || {
        usize::MAX
    });
    decoder.reset();
    let outcome = push_into(&mut decoder, bytes, || usize::MAX);
    same("reset", whole, &outcome, bytes);

    // The format is requested first.
    let mut reader = lenient().build(bytes);
    let mut outcome = Outcome {
        format: reader.format(),
        ..Outcome::default()
    };
    loop {
        let step = reader.next();
        outcome
            .said
            .extend(reader.issues().iter().cloned().map(Said::Issue));
        match step {
            None => break,
            Some(Ok(entry)) => outcome.said.push(Said::Entry(entry)),
            Some(Err(error)) => outcome.said.push(Said::Error(Raised::from(&error))),
        }
    }
    same("format first", whole, &outcome, bytes);

    // No bytes at all, packed, are a gzip file; a fourth layer is one too many.
    if !bytes.is_empty() && !bytes.starts_with(&[0x1F, 0x8B]) && number(4) == 0 {
        let packed = gzip(bytes);
        let outcome = push(&lenient(), &packed, || 1 + number(41));
        same("gzipped", whole, &outcome, bytes);
    }
}

fn omits(outcome: &Outcome) -> bool {
    outcome.rules().contains(&Rule::IssuesOmitted)
}

/// The violated rules and their positions, sorted; issues and errors alike.
fn violations(outcome: &Outcome) -> Vec<(u64, Rule, String, Position)> {
    let said = |violation: &Violation, at: Position| {
        (
            at.byte(),
            violation.rule(),
            violation.found().to_owned(),
            at,
        )
    };
    let mut all: Vec<_> = outcome
        .said
        .iter()
        .filter_map(|one| match one {
            Said::Issue(issue) => Some(said(&issue.violation, issue.position)),
            Said::Error(Raised {
                violation: Some(violation),
                position: Some(at),
                ..
            }) => Some(said(violation, *at)),
            _ => None,
        })
        .collect();
    all.sort_by(|a, b| (a.0, a.1.name(), &a.2).cmp(&(b.0, b.1.name(), &b.2)));
    all
}

/// Strict reading returns the same entries, except for those that it raises as errors, and raises nothing else.
fn strictly(
    whole: &Outcome,
    clean: &[Entry],
    bytes: &[u8],
    number: &mut impl FnMut(usize) -> usize,
) {
    let outcome = read(&strict(), bytes);
    let cut = push(&strict(), bytes, || 1 + number(31));
    same("strict, random cuts", &outcome, &cut, bytes);
    assert_eq!(
        outcome.fatal(),
        whole.fatal(),
        "strict, in {}",
        Shown(bytes)
    );
    if omits(whole) || omits(&outcome) {
        return;
    }
    let (strict, lenient) = (violations(&outcome), violations(whole));
    if strict != lenient {
        let same = strict
            .iter()
            .zip(&lenient)
            .take_while(|(a, b)| a == b)
            .count();
        panic!(
            "strict says {:?}\nlenient  {:?}\nin {}",
            strict.get(same),
            lenient.get(same),
            Shown(bytes)
        );
    }
    let given = outcome.entries();
    let all = whole.entries();
    assert!(
        is_within(&given, &all),
        "strict gives more than lenient\nin {}",
        Shown(bytes)
    );
    let clean: Vec<&Entry> = clean.iter().collect();
    assert!(
        is_within(&clean, &given),
        "strict lacks a sound entry\nin {}",
        Shown(bytes)
    );
}

/// Returns `true` if the first list is a subsequence of the second.
fn is_within(some: &[&Entry], all: &[&Entry]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

/// Raw reading returns the entries of typed reading. Returns the number of entries that could be interpreted, and of
/// those without an issue.
fn raw(bytes: &[u8], whole: &Outcome) -> (usize, Vec<Entry>) {
    let mut reader = lenient().build(bytes);
    let mut outcome = Outcome::default();
    let mut given: Vec<(u64, Entry)> = Vec::new();
    let mut last = (0, 0);
    loop {
        let number = match reader.read_raw() {
            Ok(Some(raw)) => {
                let at = raw.position();
                assert!(
                    last.0 < at.entry() && (last.0 == 0 || last.1 < at.byte()),
                    "entry at {at:?} goes back behind {last:?}\nin {}",
                    Shown(bytes)
                );
                last = (at.entry(), at.byte());
                walk(raw, &mut |_| {});
                at.entry()
            }
            Ok(None) => {
                take(&mut outcome, reader.issues());
                break;
            }
            Err(error) => {
                take(&mut outcome, reader.issues());
                outcome.said.push(Said::Error(Raised::from(&error)));
                continue;
            }
        };
        let of_markup = reader.issues().len();
        let entry = reader.take_entry().expect("lenient");
        assert!(of_markup <= reader.issues().len(), "take_entry adds");
        let costs = |issue: &Issue| {
            issue.effect == Effect::EntrySkipped && issue.position.entry() == number
        };
        assert_eq!(
            entry.is_none(),
            reader.issues().iter().any(costs),
            "an entry is missing if an issue says so: {:?}\nin {}",
            reader.issues(),
            Shown(bytes)
        );
        take(&mut outcome, reader.issues());
        if let Some(entry) = entry {
            given.push((number, entry.clone()));
            outcome.said.push(Said::Entry(entry));
        }
    }
    assert_eq!(outcome.fatal(), whole.fatal(), "raw, in {}", Shown(bytes));
    assert_eq!(
        outcome.entries(),
        whole.entries(),
        "raw, in {}",
        Shown(bytes)
    );
    if !omits(whole) && !omits(&outcome) {
        assert_eq!(
            violations(&outcome),
            violations(whole),
            "raw, in {}",
            Shown(bytes)
        );
    }
    let dirty: Vec<u64> = outcome
        .issues()
        .iter()
        .map(|i| i.position.entry())
        .collect();
    let count = given.len();
    given.retain(|(number, _)| !dirty.contains(number));
    (count, given.into_iter().map(|(_, entry)| entry).collect())
}

fn take(outcome: &mut Outcome, issues: &[Issue]) {
    outcome.said.extend(issues.iter().cloned().map(Said::Issue));
}

/// All values of a raw entry, one per line.
pub fn walk(raw: RawEntry<'_>, line: &mut impl FnMut(String)) {
    line(format!("{raw:?}"));
    let mut open: Vec<(usize, RawElement<'_>)> = Vec::new();
    open.extend(raw.elements().map(|element| (0, element)));
    open.reverse();
    while let Some((depth, element)) = open.pop() {
        let attributes: Vec<_> = element.attributes().collect();
        line(format!(
            "{depth} {}:{element:?} {attributes:?}",
            element.prefix()
        ));
        let at = open.len();
        open.extend(element.children().map(|child| (depth + 1, child)));
        open[at..].reverse();
    }
}

/// A truncated sound document returns its first entries, and then an error.
fn truncated(whole: &Outcome, bytes: &[u8], cut: usize) {
    let is_xml = matches!(whole.format, Some(Format::Urlset | Format::Index));
    let is_sound = whole.issues().is_empty() && whole.errors().is_empty();
    if !is_xml || !is_sound || bytes.starts_with(&[0x1F, 0x8B]) {
        return;
    }
    let outcome = read(&lenient(), &bytes[..cut]);
    let (some, all) = (outcome.entries(), whole.entries());
    assert!(
        all.starts_with(&some),
        "cut at {cut}: not the first entries\nin {}",
        Shown(bytes)
    );
    let is_cut = outcome.fatal() == "Truncated";
    let is_whole = outcome.fatal() == "none" && some == all;
    let is_nothing = outcome.format.is_none() && outcome.fatal() == "NotASitemap";
    assert!(
        is_cut || is_whole || is_nothing,
        "cut at {cut}: {:?} says {}\nin {}",
        outcome.format,
        outcome.fatal(),
        Shown(bytes)
    );
}

/// A truncated gzip stream returns its first entries, and then an error.
pub fn cut_gzip(intact: &[u8], cut: &[u8], text: &[u8]) {
    let whole = read(&lenient(), intact);
    // A cut between two members, or after the first byte of a member, cannot be detected.
    let is_intact = |bytes| {
        MultiGzDecoder::new(bytes)
            .read_to_end(&mut Vec::new())
            .is_ok()
    };
    if is_intact(cut) || is_intact(&cut[..cut.len() - 1]) || !whole.errors().is_empty() {
        return;
    }
    let outcome = read(&lenient(), cut);
    let (some, all) = (outcome.entries(), whole.entries());
    // Text after the junk could determine the format or the encoding.
    let is_sound = whole.issues().is_empty();
    // A web page is recognized before its end, although a sitemap might follow in it.
    let is_page = text
        .to_ascii_lowercase()
        .windows(5)
        .any(|at| at == b"<html");
    let is_told = match outcome.fatal() {
        "Truncated" => true,
        "UnknownRoot" => is_page,
        _ => false,
    };
    assert!(
        is_told && (!is_sound || all.starts_with(&some)),
        "cut at {} of {}: {}, entries {} of {}\nin {}",
        cut.len(),
        intact.len(),
        outcome.fatal(),
        some.len(),
        all.len(),
        Shown(text)
    );
}
