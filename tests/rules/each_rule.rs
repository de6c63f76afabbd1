//! Each rule: a document that breaks it, the effect, and the reported position.
//!
//! The rows are in `common/cases.rs`.

use crate::common::cases::{self, ANY, Case, Fault};
use crate::common::{self, Outcome, Said, read};
use quick_sitemap::{Effect, Policy, Position, Rule, Violation};

/// Rules about the number of things, which have their own tests below, and the one that no document breaks.
const COUNTED: [Rule; 5] = [
    Rule::TooManyNews,
    Rule::TooManyEntries,
    Rule::TooManyBytes,
    Rule::IssuesOmitted,
    Rule::Internal,
];

#[test]
fn every_rule_has_a_row() {
    let cases = cases::all();
    let without: Vec<Rule> = Rule::ALL
        .iter()
        .copied()
        .filter(|rule| !COUNTED.contains(rule))
        .filter(|rule| {
            !cases
                .iter()
                .any(|case| case.faults.iter().any(|f| f.rule == *rule))
        })
        .collect();
    assert_eq!(without, []);
}

#[test]
fn news_1_001() {
    let news = "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
                </news:publication><news:publication_date>2024-01-02</news:publication_date>\
                <news:title>T</news:title></news:news>";
    let entry = format!("<url><loc>https://example.com/</loc>{news}</url>\n");
    let head = format!(
        "<urlset xmlns=\"{}\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n",
        common::NS
    );
    for (count, expected) in [(1000, None), (1003, Some((1002, 37)))] {
        let text = format!("{head}{}</urlset>", entry.repeat(count));
        let outcome = read(&quick_sitemap::ReaderBuilder::new(), text.as_bytes());
        assert_eq!(outcome.entries().len(), count);
        let issues = outcome.said.iter().filter_map(|said| match said {
            Said::Issue(issue) => Some(issue),
            _ => None,
        });
        let found: Vec<_> = issues
            .map(|issue| {
                assert_eq!(
                    (issue.violation.rule(), issue.effect),
                    (Rule::TooManyNews, Effect::Noted)
                );
                (issue.position.line(), issue.position.column())
            })
            .collect();
        assert_eq!(found, Vec::from_iter(expected));
    }
}

#[test]
fn an_entry_that_is_asked_for_twice_counts_once() {
    let news = "<news:news><news:title>T</news:title></news:news>";
    let entry = format!("<url><loc>https://example.com/</loc>{news}</url>\n");
    let text = format!(
        "<urlset xmlns=\"{}\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{}</urlset>",
        common::NS,
        entry.repeat(1_001)
    );
    let mut reader = common::reader_of(&text);
    let mut count = 0;
    while reader.read_raw().unwrap().is_some() {
        count += 1;
        for is_first in [true, false] {
            assert_eq!(reader.take_entry().unwrap().is_some(), is_first);
            let mut rules = reader.issues().iter().map(|issue| issue.rule());
            let is_noted = rules.any(|rule| rule == Rule::TooManyNews);
            assert_eq!(is_noted, count == 1_001, "{count}");
        }
    }
    assert_eq!(count, 1_001);
}

/// The cause may be the location, so the message names it.
#[test]
fn a_url_outside_the_location_is_reported_with_the_location() {
    let directory = format!("https://example.com/{}/", "shop".repeat(20));
    let cut: String = directory.chars().take(80).collect();
    let cases = [
        (
            "https://example.org",
            "`https://example.org/` (another host)",
        ),
        (
            "https://example.com:444/sitemap.xml?key=1",
            "`https://example.com:444/` (another port)",
        ),
        (
            "https://user:word@example.com/shop/sitemap.xml",
            "`https://example.com/shop/` (another directory)",
        ),
        (&directory, &format!("`{cut}…` (another directory)")),
        (
            "file:///srv/sitemap.xml",
            "`file:///srv/sitemap.xml` (another host)",
        ),
    ];
    for (location, outside) in cases {
        let location: url::Url = location.parse().unwrap();
        let expected = format!("`https://example.com/a` is outside {outside}");
        let builder = quick_sitemap::ReaderBuilder::new().location(location.clone());
        let mut reader = builder.from_bytes("https://example.com/a\n");
        reader.next().unwrap().unwrap();
        assert_eq!(reader.issues()[0].violation.to_string(), expected);
        let mut decoder = builder.decoder();
        decoder.push(b"https://example.com/a\n");
        decoder.finish();
        decoder.next_entry().unwrap().unwrap();
        assert_eq!(decoder.issues()[0].violation.to_string(), expected);
        let builder = quick_sitemap::WriterBuilder::new().location(location);
        let page = quick_sitemap::UrlEntry::try_from("https://example.com/a").unwrap();
        let error = builder.urlset(Vec::new()).write(&page).unwrap_err();
        assert_eq!(error.violation().unwrap().to_string(), expected);
    }
}

#[test]
fn other_sites_may_be_allowed_in_any_order_and_spelling() {
    let location: url::Url = "https://example.com/shop/sitemap.txt".parse().unwrap();
    let text = "https://example.com/\nhttps://münchen.example/a\nhttps://[2001:db8::1]:8080/b\n";
    let outside = |builder: quick_sitemap::ReaderBuilder| {
        let rules = read(&builder, text.as_bytes()).rules();
        let of_place = rules.iter().filter(|rule| **rule == Rule::OutsideLocation);
        of_place.count()
    };
    let new = quick_sitemap::ReaderBuilder::new;
    assert_eq!(outside(new()), 0);
    assert_eq!(outside(new().location(location.clone())), 3);
    let allow = |builder: quick_sitemap::ReaderBuilder| {
        let site = |text: &str| url::Url::parse(text).unwrap();
        let builder = builder
            .any_directory()
            .allow_site(&site("https://München.example"));
        builder.allow_site(&site("https://[2001:DB8:0::1]:8080/b/c"))
    };
    assert_eq!(outside(allow(new())), 0);
    assert_eq!(outside(allow(new()).location(location.clone())), 0);
    assert_eq!(outside(allow(new().location(location))), 0);
}

#[test]
fn names_are_unique() {
    let all = [cases::all(), cases::clean()].concat();
    for (i, case) in all.iter().enumerate() {
        assert!(
            all[..i].iter().all(|other| other.name != case.name),
            "{}",
            case.name
        );
    }
}

/// `count` entries, each on its own line.
fn many(count: usize) -> String {
    let lines = "<url><loc>https://example.com/</loc></url>\n".repeat(count);
    common::urlset(&format!("\n{lines}"))
}

fn places(outcome: &Outcome, rule: Rule) -> Vec<(Effect, cases::At)> {
    let of_rule = outcome
        .issues()
        .into_iter()
        .filter(|issue| issue.violation.rule() == rule);
    of_rule
        .map(|issue| (issue.effect, at(issue.position)))
        .collect()
}

#[test]
fn fifty_thousand_entries_are_not_too_many() {
    let outcome = common::read_slice(many(50_000));
    assert_eq!(
        (outcome.entries().len(), outcome.issues()),
        (50_000, vec![])
    );
}

#[test]
fn more_than_fifty_thousand_entries_are_noted_once() {
    let text = many(50_003);
    let byte = text.match_indices("<url>").nth(50_000).unwrap().0 as u64;
    let place = (byte, 50_002, 1, 50_001);
    let outcome = common::read_slice(&text);
    assert_eq!(outcome.entries().len(), 50_003);
    assert_eq!(
        places(&outcome, Rule::TooManyEntries),
        [(Effect::Noted, place)]
    );
    assert_eq!((outcome.issues().len(), outcome.fatal()), (1, "none"));

    let outcome = read(&common::strict(), text.as_bytes());
    assert_eq!(outcome.entries().len(), 50_002);
    let errors = outcome.errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        errors[0].violation.as_ref().unwrap().rule(),
        Rule::TooManyEntries
    );
    assert_eq!(errors[0].position.map(at), Some(place));
    assert!(!errors[0].fatal);

    let lines = "https://example.com/\n".repeat(50_001);
    let place = (50_000 * 21, 50_001, 1, 50_001);
    let outcome = common::read_slice(&lines);
    assert_eq!(
        places(&outcome, Rule::TooManyEntries),
        [(Effect::Noted, place)]
    );
}

/// Bytes that a sitemap may have.
const MOST: usize = 52_428_800;

/// A urlset of `bytes` bytes: a long comment, an entry, and white space after the root.
fn large(bytes: usize, trailing: usize) -> String {
    let entry = common::url("https://example.com/x");
    let around = common::urlset(&format!("<!---->\n{entry}\n")).len() + trailing;
    let comment = "c".repeat(bytes - around);
    common::urlset(&format!("<!--{comment}-->\n{entry}\n")) + &" ".repeat(trailing)
}

/// Line and column of a byte.
fn line_and_column(text: &str, byte: usize) -> (u64, u64) {
    let before = &text[..byte];
    let line = before.rsplit('\n').next().unwrap();
    (
        before.matches('\n').count() as u64 + 1,
        line.len() as u64 + 1,
    )
}

/// The document is one byte or more over the limit, which is reported once, at the first byte that is too many.
fn too_many_bytes(text: &str) {
    let outcome = common::read_slice(text);
    assert_eq!(outcome.rules(), [Rule::TooManyBytes]);
    let place = places(&outcome, Rule::TooManyBytes)[0].1;
    assert_eq!(place.0, MOST as u64);
    assert_eq!((place.1, place.2), line_and_column(text, MOST));
    assert_eq!((outcome.locs().len(), outcome.fatal()), (1, "none"));
}

#[test]
fn fifty_mebibytes_are_not_too_many() {
    let text = large(MOST, 0);
    let outcome = read(&common::strict(), text.as_bytes());
    assert_eq!(
        (text.len(), outcome.locs().len(), outcome.said.len()),
        (MOST, 1, 1)
    );
}

#[test]
fn one_byte_too_many_in_the_last_tag() {
    too_many_bytes(&large(MOST + 1, 0));
}

#[test]
fn too_many_bytes_in_an_entry() {
    too_many_bytes(&large(MOST + 20, 0));
}

#[test]
fn too_many_bytes_in_a_comment() {
    too_many_bytes(&large(MOST + 100, 0));
}

#[test]
fn too_many_bytes_after_the_root() {
    too_many_bytes(&large(MOST + 200, 300));
}

/// The white space between two entries contains the first byte that is too many. Its place does not depend on the pushes.
#[test]
fn too_many_bytes_in_white_space() {
    let entry = common::url("https://example.com/x");
    let before = common::urlset("").find("</urlset>").unwrap() + entry.len();
    let blank = MOST + 20 - before;
    let text = common::urlset(&format!("{entry}{}{entry}", " ".repeat(blank)));
    for cut in [MOST + 20, MOST - 10, MOST + 10] {
        let mut decoder = quick_sitemap::Decoder::new();
        let mut found = Vec::new();
        let (start, end) = text.as_bytes().split_at(cut);
        for piece in start.chunks(32 << 10).chain([end]) {
            decoder.push(piece);
            while let Some(outcome) = decoder.next_outcome() {
                assert!(outcome.entry.unwrap().is_some());
                found.extend(outcome.issues);
            }
        }
        let places = found.iter();
        let places =
            places.map(|issue| (issue.rule(), issue.position.byte(), issue.position.entry()));
        let place = (Rule::TooManyBytes, MOST as u64, 1);
        assert_eq!(places.collect::<Vec<_>>(), [place], "cut at {cut}");
    }
}

#[test]
fn too_many_bytes_are_an_error_where_they_are_denied() {
    let outcome = read(&common::strict(), large(MOST + 1, 0).as_bytes());
    assert_eq!(
        (
            outcome.locs().len(),
            outcome.issues().len(),
            outcome.errors().len()
        ),
        (1, 0, 1)
    );
    let error = outcome.errors()[0];
    assert_eq!(error.violation.as_ref().unwrap().rule(), Rule::TooManyBytes);
    assert!(!error.fatal);
}

/// The issue for those that are not listed is at the place of the first of them.
#[test]
fn omitted_issues_have_the_place_of_the_first() {
    let good = common::url("https://example.com/x");
    let within = format!(
        "<url><loc>https://example.com/</loc>\n{}</url>",
        "<x/>\n".repeat(1_100)
    );
    let before = "<x/>\n".repeat(1_100) + &good;
    let skipped = "<url><x/></url>\n".repeat(1_100) + &good;
    for (body, number) in [(within, 1_000), (before, 1_000), (skipped, 500)] {
        let text = common::urlset(&body);
        let mut reader = common::reader_of(&text);
        reader.next().unwrap().unwrap();
        let omitted = reader.issues().last().unwrap();
        let place = text.match_indices("<x/>").nth(number).unwrap().0 as u64;
        let before = reader.issues()[999].position.byte();
        assert_eq!(omitted.rule(), Rule::IssuesOmitted);
        assert!(before < place, "{body}");
        let found = omitted.position.byte();
        assert!(
            found == place || &text[found as usize..place as usize] == "<url>",
            "{found} of {place}"
        );
    }
}

#[test]
fn a_call_reports_a_thousand_issues_and_counts_the_rest() {
    let good = common::url("https://example.com/x");
    let text = common::urlset(&format!("{}{good}<url/>{good}", "<url/>\n".repeat(1_500)));
    let mut reader = common::reader_of(&text);
    assert!(reader.next().unwrap().is_ok());
    let issues = reader.issues();
    assert_eq!(issues.len(), 1_001);
    assert!(
        issues[..1_000]
            .iter()
            .all(|issue| issue.violation.rule() == Rule::MissingLoc)
    );
    assert!(
        (1..)
            .zip(&issues[..1_000])
            .all(|(n, issue)| issue.position.entry() == n)
    );
    assert_eq!(issues[1_000].violation.rule(), Rule::IssuesOmitted);
    assert_eq!(issues[1_000].violation.found(), "500");
    assert_eq!(issues[1_000].effect, Effect::EntrySkipped);
    assert!(reader.next().unwrap().is_ok());
    assert_eq!(reader.issues().len(), 1);
    assert!(reader.next().is_none());
    assert_eq!(reader.issues(), []);
}

#[test]
fn what_is_only_counted_says_the_worst_that_it_cost() {
    let good = common::url("https://example.com/x");
    let said = |policy: Policy, body: &str| {
        let builder = quick_sitemap::ReaderBuilder::new().policy(policy);
        let outcome = read(&builder, common::urlset(body).as_bytes());
        let of_the_rest = |issue: &&&quick_sitemap::Issue| issue.rule() == Rule::IssuesOmitted;
        let rest = outcome.issues().iter().find(of_the_rest).map(|issue| {
            let found = issue.violation.found().to_owned();
            (found, issue.effect)
        });
        (rest, outcome.errors().len())
    };
    let rest = |count: u64, effect| Some((count.to_string(), effect));
    let foo = "<foo/>";
    // Event by event, and in one entry.
    for (count, behind, expected) in [
        (1_500, "", rest(500, Effect::Noted)),
        (1_500, "<url/>", rest(501, Effect::EntrySkipped)),
        (1_000, "<url/>", rest(1, Effect::EntrySkipped)),
        (999, "<url/>", None),
    ] {
        let body = format!("{}{behind}{good}", foo.repeat(count));
        assert_eq!(said(Policy::LENIENT, &body), (expected, 0), "{count}");
    }
    let with = |inside: &str| {
        let entry = good.replace("</url>", &format!("{}{inside}</url>", foo.repeat(1_500)));
        format!("{entry}{good}")
    };
    let dropped = with("<priority>2</priority>");
    let expected = (rest(501, Effect::ValueDropped), 0);
    assert_eq!(said(Policy::LENIENT, &dropped), expected);
    let skipped = dropped.replacen("https:", "", 1);
    let expected = (rest(502, Effect::EntrySkipped), 0);
    assert_eq!(said(Policy::LENIENT, &skipped), expected);
    // An error contains its own effect.
    let deny = Policy::LENIENT.deny(Rule::InvalidPriority);
    assert_eq!(said(deny, &dropped), (rest(500, Effect::Noted), 1));
    let both = deny.deny(Rule::UnknownElement);
    let expected = (rest(501, Effect::ValueDropped), 1);
    assert_eq!(said(both, &dropped), expected);
}

/// Issues in the tag that ends an entry belong to the next entry, however many there are.
#[test]
fn what_another_entry_breaks_does_not_cost_this_one() {
    let policy = quick_sitemap::Policy::LENIENT.deny(Rule::BareAmpersand);
    let builder = quick_sitemap::ReaderBuilder::new().policy(policy);
    for count in [990, 1_000, 1_001] {
        let text = common::urlset(&format!(
            "<url><loc>https://example.com/1</loc>{}<url a='x&y'><loc>https://example.com/2</loc></url>\
             <url><loc>https://example.com/3</loc></url>",
            "</b>".repeat(count)
        ));
        let outcome = read(&builder, text.as_bytes());
        assert_eq!(
            outcome.locs(),
            ["https://example.com/1", "https://example.com/3"],
            "{count}"
        );
        let errors = outcome.errors();
        assert_eq!(errors.len(), 1, "{count}");
        assert_eq!(errors[0].position.unwrap().entry(), 2, "{count}");
    }
}

#[test]
fn an_entry_reports_a_thousand_issues_and_counts_the_rest() {
    let x = "https://example.com/?";
    let text = common::urlset(&common::url(&format!("{x}{}", "&".repeat(1_900))));
    let outcome = common::read_slice(&text);
    assert_eq!(outcome.locs(), [format!("{x}{}", "&".repeat(1_900))]);
    assert_eq!(outcome.issues().len(), 1_001);
    assert_eq!(outcome.rules()[1_000], Rule::IssuesOmitted);
    assert_eq!(outcome.issues()[1_000].violation.found(), "900");

    let outcome = read(&common::strict(), text.as_bytes());
    assert_eq!((outcome.locs().len(), outcome.errors().len()), (0, 1));
    assert_eq!(
        outcome.errors()[0].violation.as_ref().unwrap().rule(),
        Rule::BareAmpersand
    );
}

/// A reported violation, whether it was an error or an issue.
#[derive(Debug, PartialEq)]
struct Told<'a> {
    rule: Rule,
    effect: Option<Effect>,
    found: &'a str,
    at: cases::At,
}

fn at(position: Position) -> cases::At {
    (
        position.byte(),
        position.line(),
        position.column(),
        position.entry(),
    )
}

fn quoted<'a>(violation: &'a Violation, expected: &Fault) -> &'a str {
    if expected.found == ANY {
        ANY
    } else {
        violation.found()
    }
}

/// All reported violations, in the order of the document, exactly as expected.
fn told<'a>(case: &Case, outcome: &'a Outcome) -> Vec<Told<'a>> {
    let mut all: Vec<(&Violation, Option<Effect>, Position)> = outcome
        .said
        .iter()
        .filter_map(|said| match said {
            Said::Issue(issue) => Some((&issue.violation, Some(issue.effect), issue.position)),
            Said::Error(error) => error
                .violation
                .as_ref()
                .map(|violation| (violation, None, error.position.unwrap())),
            Said::Entry(_) => None,
        })
        .collect();
    all.sort_by_key(|(violation, _, position)| {
        let expected = case
            .faults
            .iter()
            .position(|fault| fault.rule == violation.rule());
        (position.byte(), expected)
    });
    all.iter()
        .enumerate()
        .map(|(i, (violation, effect, position))| Told {
            rule: violation.rule(),
            effect: *effect,
            found: match case.faults.get(i) {
                Some(fault) => quoted(violation, fault),
                None => violation.found(),
            },
            at: at(*position),
        })
        .collect()
}

/// The expected violations; errors have no effect.
fn expected<'a>(case: &'a Case, outcome: &[Told<'_>]) -> Vec<Told<'a>> {
    case.faults
        .iter()
        .enumerate()
        .map(|(i, fault)| Told {
            rule: fault.rule,
            effect: match outcome.get(i) {
                Some(told) if told.effect.is_none() => None,
                _ => Some(fault.effect),
            },
            found: &fault.found,
            at: fault.at,
        })
        .collect()
}

/// Collects what differs, so that one run shows every row that fails.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, case: &Case, what: &str, got: T, want: T) {
        if got != want {
            let text = String::from_utf8_lossy(&case.bytes[..case.bytes.len().min(700)]);
            self.0.push(format!(
                "{}: {what}\n  in   {}\n  got  {got:?}\n  want {want:?}",
                case.name,
                text.escape_debug().to_string().replace("\\\"", "\""),
            ));
        }
    }

    fn check_told(&mut self, case: &Case, way: &str, outcome: &Outcome) {
        let got = told(case, outcome);
        let want = expected(case, &got);
        self.check(case, &format!("violations, {way}"), got, want);
    }

    fn finish(self) {
        let n = self.0.len();
        assert!(n == 0, "{n} differences\n\n{}", self.0.join("\n\n"));
    }
}

fn read_under(case: &Case, policy: Policy) -> Outcome {
    read(&case.builder.clone().policy(policy), &case.bytes[..])
}

#[test]
fn lenient_every_violation_is_an_issue() {
    let mut differences = Differences::default();
    for case in cases::all() {
        let outcome = read_under(&case, Policy::LENIENT);
        differences.check_told(&case, "lenient", &outcome);
        differences.check(&case, "errors, lenient", outcome.errors(), vec![]);
        differences.check(
            &case,
            "entries, lenient",
            outcome.shown(),
            case.gives.clone(),
        );
    }
    differences.finish();
}

#[test]
fn sound_documents_break_no_rule() {
    let mut differences = Differences::default();
    for case in cases::clean() {
        for policy in [Policy::LENIENT, Policy::STRICT] {
            let outcome = read_under(&case, policy);
            differences.check(&case, "issues", outcome.issues(), vec![]);
            differences.check(&case, "errors", outcome.errors(), vec![]);
            differences.check(&case, "entries", outcome.shown(), case.gives.clone());
        }
    }
    differences.finish();
}

#[test]
fn strict_the_first_violation_is_an_error_and_reading_goes_on() {
    let mut differences = Differences::default();
    for case in cases::all() {
        let outcome = read_under(&case, Policy::STRICT);
        differences.check_told(&case, "strict", &outcome);
        differences.check(
            &case,
            "entries, strict",
            outcome.shown(),
            case.gives_strict.clone(),
        );
        let errors = outcome.errors();
        let raised = errors
            .first()
            .and_then(|error| error.violation.as_ref())
            .map(Violation::rule);
        differences.check(&case, "the first error", raised, Some(case.faults[0].rule));
        let fatal: Vec<_> = errors.iter().filter(|error| error.fatal).collect();
        differences.check(&case, "fatal errors", fatal, vec![]);
        // One error an entry, and it is the first of the entry's violations.
        for entry in case.faults.iter().map(|fault| fault.at.3) {
            let first = case
                .faults
                .iter()
                .find(|fault| fault.at.3 == entry)
                .map(|fault| fault.rule);
            let raised: Vec<_> = errors
                .iter()
                .filter(|error| error.position.is_some_and(|p| p.entry() == entry))
                .map(|error| error.violation.as_ref().map(Violation::rule))
                .collect();
            differences.check(
                &case,
                "the entry's error",
                raised.first().copied().flatten(),
                first,
            );
            if case.gives_strict.len() < case.gives.len() && entry == 2 {
                differences.check(&case, "errors of one entry", raised.len(), 1);
            }
        }
    }
    differences.finish();
}

/// The text that an error marks is the one that the issue would mark.
#[test]
fn an_error_has_the_span_of_its_issue() {
    let mut spans = 0;
    for case in cases::all() {
        let lenient = read_under(&case, Policy::LENIENT);
        for error in read_under(&case, Policy::STRICT).errors() {
            let is_same = |issue: &&&quick_sitemap::Issue| {
                Some(&issue.violation) == error.violation.as_ref()
                    && Some(issue.position) == error.position
            };
            let issues = lenient.issues();
            let issue = issues.iter().find(is_same);
            assert_eq!(error.span, issue.map(|issue| issue.span()), "{}", case.name);
            let span = error.span.clone().unwrap();
            spans += u64::from(span.start < span.end);
        }
    }
    assert!(spans > 100, "{spans}");
}

/// Under `LOSSLESS`, each entry is returned or is an error, and the entries that are returned are those of the lenient policy.
#[test]
fn a_policy_denies_an_effect() {
    let mut raised = 0;
    for case in cases::all() {
        let builder = case.builder.clone();
        let outcomes = |policy: Policy| {
            let reader = builder.clone().policy(policy).build(&case.bytes[..]);
            reader.outcomes().collect::<Vec<_>>()
        };
        let lenient = outcomes(Policy::LENIENT);
        let lossless = outcomes(Policy::LOSSLESS);
        let entries = |all: &[quick_sitemap::Outcome]| -> Vec<quick_sitemap::Entry> {
            let all = all.iter().filter_map(|outcome| outcome.entry.as_ref().ok());
            all.flatten().cloned().collect()
        };
        assert_eq!(entries(&lenient), entries(&lossless), "{}", case.name);
        let skipping = |outcome: &&quick_sitemap::Outcome| {
            let mut effects = outcome.issues.iter().map(|issue| issue.effect);
            effects.any(|effect| effect == Effect::EntrySkipped)
        };
        let lost = lenient.iter().filter(skipping).count();
        let errors: Vec<_> = lossless
            .iter()
            .filter_map(|outcome| outcome.entry.as_ref().err())
            .collect();
        assert_eq!(errors.len(), lost, "{}: {errors:?}", case.name);
        raised += lost;
        // A rule that is allowed stays allowed, in any order.
        let rules = case.faults.iter().map(|fault| fault.rule);
        let allowing = rules.fold(Policy::LENIENT, Policy::allow);
        let both = allowing.deny_effect(Effect::EntrySkipped);
        assert!(outcomes(both).iter().all(|outcome| outcome.entry.is_ok()));
    }
    assert!(raised > 20, "{raised}");
    assert!(Policy::STRICT.denies(Rule::MissingLoc, Effect::Noted));
    assert!(Policy::LOSSLESS.denies(Rule::MissingLoc, Effect::EntrySkipped));
    assert!(!Policy::LOSSLESS.denies(Rule::InvalidPriority, Effect::ValueDropped));
}

#[test]
fn a_policy_denies_one_rule() {
    let mut differences = Differences::default();
    for case in cases::all() {
        for rule in case.faults.iter().map(|fault| fault.rule) {
            let outcome = read_under(&case, Policy::LENIENT.deny(rule));
            differences.check_told(&case, &format!("denying {rule}"), &outcome);
            let raised: Vec<_> = outcome
                .errors()
                .iter()
                .map(|e| e.violation.as_ref().map(Violation::rule))
                .collect();
            let right = !raised.is_empty() && raised.iter().all(|raised| *raised == Some(rule));
            differences.check(
                &case,
                &format!("errors when denying {rule}, {raised:?}"),
                right,
                true,
            );
        }
    }
    differences.finish();
}

#[test]
fn a_policy_allows_one_rule() {
    let mut differences = Differences::default();
    for case in cases::all() {
        let mut policy = Policy::STRICT;
        for rule in case.faults.iter().map(|fault| fault.rule) {
            policy = policy.allow(rule);
            let outcome = read_under(&case, policy);
            differences.check_told(&case, &format!("allowing {rule}"), &outcome);
            let raised = outcome
                .errors()
                .iter()
                .any(|e| e.violation.as_ref().map(Violation::rule) == Some(rule));
            differences.check(
                &case,
                &format!("an error when allowing {rule}"),
                raised,
                false,
            );
        }
        let outcome = read_under(&case, policy);
        differences.check(
            &case,
            "allowing all its rules",
            outcome,
            read_under(&case, Policy::LENIENT),
        );
    }
    differences.finish();
}

#[test]
fn a_policy_prints_what_it_denies() {
    let one = Policy::LENIENT.deny(Rule::MissingLoc);
    assert_eq!(
        format!("{one:?}"),
        "Policy { deny_effects: [], deny: [MissingLoc], allow: [] }"
    );
    let both = Policy::LOSSLESS.allow(Rule::StrayText);
    assert_eq!(
        format!("{both:?}"),
        "Policy { deny_effects: [EntrySkipped], deny: [], allow: [StrayText] }"
    );
}
