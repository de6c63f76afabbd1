//! Ways of reading other than a plain loop: issues by callback, one outcome per entry, the summary.

use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Mutex};

use crate::common::{self, cases, lenient, strict, url, urlset};
use quick_sitemap::{
    Completeness, Decoder, Effect, Entry, EntryKind, ErrorKind, Format, Issue, Policy, Reader,
    ReaderBuilder, Rule, Step, Summary,
};

/// Every fixture there is: files, regressions, and the documents of the table.
fn documents() -> Vec<(String, ReaderBuilder, Vec<u8>)> {
    let mut documents = Vec::new();
    for folder in ["tests/data", "tests/regressions"] {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let bytes = std::fs::read(&path).unwrap();
                documents.push((path.display().to_string(), lenient(), bytes));
            }
        }
    }
    for case in [cases::all(), cases::clean()].concat() {
        documents.push((case.name.to_owned(), case.builder, case.bytes));
    }
    assert!(documents.len() > 200, "{}", documents.len());
    documents
}

/// A builder that collects, and what it collected.
fn collecting(builder: ReaderBuilder) -> (ReaderBuilder, Arc<Mutex<Vec<Issue>>>) {
    let issues = Arc::new(Mutex::new(Vec::new()));
    let sink = issues.clone();
    let builder = builder.on_issue(move |issue| sink.lock().unwrap().push(issue.clone()));
    (builder, issues)
}

#[test]
fn the_callback_hears_what_issues_holds() {
    for (name, builder, bytes) in documents() {
        for policy in [Policy::LENIENT, Policy::STRICT] {
            let expected = common::read(&builder.clone().policy(policy), &bytes[..]);
            let expected: Vec<Issue> = expected.issues().into_iter().cloned().collect();
            let (builder, heard) = collecting(builder.clone().policy(policy));
            for _ in builder.build(&bytes[..]) {}
            assert_eq!(*heard.lock().unwrap(), expected, "{name}");
            heard.lock().unwrap().clear();
            let mut decoder = builder.decoder();
            for chunk in bytes.chunks(7) {
                decoder.push(chunk);
                for _ in decoder.entries() {}
            }
            decoder.finish();
            for _ in decoder.entries() {}
            assert!(decoder.is_done());
            assert_eq!(*heard.lock().unwrap(), expected, "{name}, in pieces");
        }
    }
}

#[test]
fn the_callback_hears_before_the_entry_is_given() {
    let text = urlset(
        "<url><loc>x</loc></url><url><loc>https://example.com/</loc><priority>2</priority></url>",
    );
    let (builder, heard) = collecting(lenient());
    let mut reader = builder.from_bytes(text + "more");
    assert_eq!(heard.lock().unwrap().len(), 0);
    reader.next().unwrap().unwrap();
    assert_eq!(heard.lock().unwrap().len(), 2);
    assert!(reader.next().is_none());
    assert_eq!(heard.lock().unwrap()[2].rule(), Rule::ContentAfterRoot);
}

/// The issues that the callback gets for a text that is read in pieces of `step` bytes, and the summary.
fn heard(builder: ReaderBuilder, text: &str, step: usize) -> (Vec<Issue>, Vec<String>, Summary) {
    let (builder, heard) = collecting(builder);
    let mut decoder = builder.decoder();
    let mut raised = Vec::new();
    let mut pieces = text.as_bytes().chunks(step);
    while !decoder.is_done() {
        match pieces.next() {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        let errors = decoder.entries().filter_map(Result::err);
        raised.extend(errors.map(|error| error.to_string()));
    }
    let issues = std::mem::take(&mut *heard.lock().unwrap());
    (issues, raised, decoder.summary().clone())
}

/// The line of a byte.
fn line_of(text: &str, byte: u64) -> u64 {
    let before = &text[..byte as usize];
    1 + before.matches('\n').count() as u64
}

/// The number of reported issues: those that were listed, and those that were only counted.
fn reported(issues: &[Issue]) -> (usize, usize) {
    let omitted = issues
        .iter()
        .filter(|issue| issue.rule() == Rule::IssuesOmitted);
    let counts: Vec<usize> = omitted
        .map(|issue| issue.violation.found().parse().unwrap())
        .collect();
    (issues.len() - counts.len(), counts.iter().sum())
}

#[test]
fn the_callback_hears_a_thousand_issues_before_an_entry() {
    let text = urlset(&format!(
        "{}{}",
        "<url/>\n".repeat(5_660),
        url("https://example.com/")
    ));
    for step in [text.len(), 1_000] {
        let (issues, _, summary) = heard(lenient(), &text, step);
        assert_eq!(reported(&issues), (1_000, 4_660));
        assert_eq!(summary.skipped, 5_660);
        assert_eq!(issues[1_000].rule(), Rule::IssuesOmitted);
        assert_eq!(issues[1_000].effect, Effect::EntrySkipped);
        let numbers = (1..1_001).zip(&issues);
        assert!(
            numbers
                .into_iter()
                .all(|(n, issue)| issue.position.entry() == n)
        );
    }
}

#[test]
fn the_callback_hears_a_thousand_issues_of_one_entry() {
    let entry = format!(
        "<url><loc>https://example.com/?{}</loc>\n<priority>2</priority><lastmod>x</lastmod></url>",
        "&\na".repeat(1_900)
    );
    let text = urlset(&entry);
    let places: Vec<u64> = text.match_indices('&').map(|(at, _)| at as u64).collect();
    for step in [text.len(), 7] {
        let (issues, _, summary) = heard(lenient(), &text, step);
        // The URL is too long besides, and must be escaped.
        assert_eq!((summary.noted, summary.dropped), (1_902, 2));
        assert_eq!(reported(&issues), (1_000, 904));
        assert_eq!(issues[1_000].effect, Effect::ValueDropped);
        for (issue, place) in issues[..1_000].iter().zip(&places) {
            assert_eq!(issue.position.byte(), *place);
            assert_eq!(issue.position.line(), line_of(&text, *place), "{issue}");
            assert_eq!(issue.violation.found(), "&");
        }
    }
    // One is returned as an error, the others are issues, in every place.
    for (rule, said) in [
        (Rule::BareAmpersand, (999, 904)),
        (Rule::InvalidPriority, (1_000, 903)),
    ] {
        let builder = lenient().policy(Policy::LENIENT.deny(rule));
        let (issues, raised, _) = heard(builder, &text, text.len());
        assert_eq!((reported(&issues), raised.len()), (said, 1));
        assert_eq!(
            issues[0].position.byte() == places[0],
            rule == Rule::InvalidPriority
        );
    }
}

/// The callback gets what is listed: at most a thousand issues of a call, and the number of the others.
#[test]
fn the_callback_hears_what_is_listed() {
    let entry = format!(
        "<url><loc>https://example.com/?{}</loc></url>",
        "&b=c\n".repeat(60_000)
    );
    let text =
        urlset(&(entry + "<url><loc>https://example.com/</loc><priority>2</priority></url>"));
    let (issues, _, summary) = heard(lenient(), &text, text.len());
    assert_eq!(issues.len(), 1_002);
    let places = text.match_indices('&').map(|(at, _)| at as u64);
    for (issue, place) in issues.iter().zip(places).take(1_000) {
        assert_eq!(
            (issue.rule(), issue.position.byte()),
            (Rule::BareAmpersand, place)
        );
    }
    let omitted = &issues[1_000];
    assert_eq!(omitted.rule(), Rule::IssuesOmitted);
    // The loc is too long, and its line breaks must be escaped.
    let count: u64 = omitted.violation.found().parse().unwrap();
    assert_eq!((count, omitted.effect), (59_002, Effect::Noted));
    assert_eq!(issues[1_001].rule(), Rule::InvalidPriority);
    assert_eq!((summary.noted, summary.dropped), (60_002, 1));
    let mut listed = Vec::new();
    let mut reader = Reader::from_bytes(&text);
    while reader.next().is_some() {
        listed.extend_from_slice(reader.issues());
    }
    assert_eq!(issues, listed);
}

/// One issue stands for those beyond 1,000, with the worst effect among them, also if text is read again after an
/// unreadable entry.
#[test]
fn one_issue_stands_for_the_rest_if_text_is_read_again() {
    for (before, within) in [
        (10, 600),
        (600, 1_200),
        (1_200, 600),
        (10, 30_000),
        (1_500, 0),
        (0, 1_001),
    ] {
        let text = urlset(&format!(
            "<url><loc>https://example.com/</loc>{}<u:url xmlns:u=\"urn:u\">{}</u:url><1></url>{}",
            "</q>".repeat(before),
            "</r>".repeat(within),
            url("https://example.com/2")
        ));
        let (issues, _, summary) = heard(lenient(), &text, text.len());
        // The end tag of the entry then matches nothing; `<1>` is found in the entry, and again after it.
        let all = before + within + 3;
        let is_omitted = |issue: &Issue| issue.rule() == Rule::IssuesOmitted;
        assert_eq!(reported(&issues).0, all.min(1_000));
        assert_eq!(
            issues.iter().filter(|issue| is_omitted(issue)).count(),
            usize::from(all > 1_000)
        );
        let skipped = issues.iter().map(|issue| issue.effect);
        let skipped = skipped.filter(|effect| *effect == Effect::EntrySkipped);
        assert_eq!(skipped.count(), 1, "{before} {within}");
        assert_eq!((summary.entries, summary.skipped), (1, 1));
    }
}

#[test]
fn what_was_only_counted_stays_where_nothing_is_taken_back() {
    let text = urlset(&format!(
        "<url><loc>https://example.com/</loc>{}<1></url>{}",
        "</q>".repeat(1_500),
        url("https://example.com/2")
    ));
    let mut reader = Reader::from_bytes(&text);
    assert!(reader.next().unwrap().is_ok());
    let omitted = reader.issues().last().unwrap();
    assert_eq!(
        (omitted.rule(), omitted.effect),
        (Rule::IssuesOmitted, Effect::EntrySkipped)
    );
}

/// A violation that the policy denies is raised beyond the listed issues too, if its text is not read again.
#[test]
fn a_denied_violation_before_broken_markup_is_raised() {
    let text = urlset(&format!(
        "<url><loc>https://example.com/</loc>{}<video a='&'/><1></url>{}",
        "</q>".repeat(1_500),
        url("https://example.com/2")
    ));
    let builder = ReaderBuilder::new().policy(Policy::LENIENT.deny(Rule::BareAmpersand));
    let mut reader = builder.from_bytes(&text);
    let error = reader.next().unwrap().unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Violation(found) if found.rule() == Rule::BareAmpersand)
    );
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/2");
}

/// The start tag of an element with two locs is kept for the second, so it counts there too.
#[test]
fn the_start_tag_of_an_element_with_two_locs_counts_for_each_entry() {
    let entries = |uri: usize, comment: usize| {
        let text = urlset(&format!(
            "<url xmlns:u='{}'><loc>https://example.com/1</loc>\
             <loc>https://example.com/2</loc><!--{}--></url>",
            "u".repeat(uri),
            "c".repeat(comment),
        ));
        let reader = ReaderBuilder::new()
            .max_entry_bytes(4_096)
            .from_bytes(&text);
        let paths = reader.map(|entry| entry.unwrap().loc().path().to_owned());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(entries(2_500, 1_000), ["/1", "/2"]);
    assert_eq!(entries(500, 3_000), ["/1", "/2"]);
    assert_eq!(entries(2_500, 3_000), ["/1"]);
}

/// An entry whose decoded texts exceed the bound does not affect the next one.
#[test]
fn an_entry_with_too_much_decoded_text_is_skipped_alone() {
    // The value is decoded, and joined with the CDATA section: twice its size is needed.
    let half = "a".repeat(1_200_000);
    let text = urlset(&format!(
        "<url><loc>https://example.com/1</loc><x:a xmlns:x='urn:x'>{half}&amp;<![CDATA[b]]></x:a></url>{}",
        url("https://example.com/2")
    ));
    let mut reader = Reader::from_bytes(&text);
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/2");
    let rules: Vec<Rule> = reader.issues().iter().map(Issue::rule).collect();
    assert_eq!(rules, [Rule::EntryTooLarge]);
    assert!(reader.next().is_none());
}

#[test]
fn issues_beyond_the_list_are_counted_for_a_raw_entry_too() {
    let link = "<xhtml:link rel='alternate' hreflang='?' href='https://example.com/'/>";
    let text = urlset(&format!(
        "<url xmlns:xhtml='http://www.w3.org/1999/xhtml'><loc>https://example.com/</loc>{}</url>",
        link.repeat(1_200)
    ));
    let mut reader = Reader::from_bytes(&text);
    assert!(reader.read_raw().unwrap().is_some());
    assert_eq!(reported(reader.issues()), (0, 0));
    assert!(reader.take_entry().unwrap().is_some());
    assert_eq!(reported(reader.issues()), (1_000, 200));
}

/// The excerpts of the issues of all entries that the decoder has.
fn excerpts(decoder: &mut Decoder) -> Vec<String> {
    let mut excerpts = Vec::new();
    while decoder.next_entry().unwrap().is_some() {
        let issues = decoder.issues().iter();
        excerpts.extend(issues.map(|issue| issue.excerpt().unwrap().0.to_owned()));
    }
    excerpts
}

/// The line of an issue is complete for every division of the input, also after `reset`.
#[test]
fn a_reset_decoder_keeps_complete_lines() {
    let text =
        urlset("<url><loc>https://example.com/</loc><priority>2</priority></url><!-- end -->");
    let mut decoder = lenient().excerpts(true).decoder();
    for _ in 0..2 {
        let mut lines = Vec::new();
        for byte in text.as_bytes() {
            decoder.push(&[*byte]);
            lines.extend(excerpts(&mut decoder));
        }
        decoder.finish();
        lines.extend(excerpts(&mut decoder));
        assert_eq!(lines.len(), 1);
        assert!(lines[0].ends_with("<!-- end --></urlset>"), "{lines:?}");
        decoder.reset();
    }
}

/// Every run of text between elements is one issue, however it is divided.
#[test]
fn each_stray_text_is_reported() {
    let text = urlset("one two<x/>three<x/> <x/>four");
    for step in [1, 3, text.len()] {
        let (issues, _, _) = heard(lenient(), &text, step);
        let stray = issues
            .iter()
            .filter(|issue| issue.rule() == Rule::StrayText);
        assert_eq!(stray.count(), 3, "{step}");
    }
}

/// The text of the entry before does not count as text that follows the issue.
#[test]
fn a_line_is_complete_after_a_long_entry_too() {
    let long = format!(
        "<url><loc>https://example.com/</loc><!--{}--></url>\n",
        "x".repeat(20_000)
    );
    let next = "<url><loc>https://example.com/</loc><priority>2</priority></url><!-- end -->";
    let text = urlset(&format!("{long}{next}"));
    let mut decoder = lenient().excerpts(true).decoder();
    let mut lines = Vec::new();
    let (first, rest) = text.split_at(text.find("<!-- end").unwrap());
    for piece in [first, rest] {
        decoder.push(piece.as_bytes());
        lines.extend(excerpts(&mut decoder));
    }
    decoder.finish();
    lines.extend(excerpts(&mut decoder));
    assert_eq!(lines, [format!("{next}</urlset>")]);
}

/// A problem that is reported once per document is reported even if the text in which it was found first is read again.
#[test]
fn what_is_reported_once_survives_a_broken_entry() {
    let text = urlset(
        "<url><loc>https://example.com/</loc><u:url xmlns:u='urn:u'><b></B></u:url><1></url>",
    );
    let (issues, _, _) = heard(lenient(), &text, text.len());
    let cases = issues
        .iter()
        .filter(|issue| issue.rule() == Rule::WrongCase);
    assert_eq!(cases.count(), 1, "{issues:?}");
}

#[test]
fn an_outcome_has_the_issues_before_its_entry() {
    let text = urlset("stray text<url><loc>https://example.com/</loc></url>");
    let mut decoder = Decoder::new();
    let mut issues = Vec::new();
    for byte in text.as_bytes().chunks(1) {
        decoder.push(byte);
        while let Some(outcome) = decoder.next_outcome() {
            issues.extend(outcome.issues);
        }
    }
    decoder.finish();
    while let Some(outcome) = decoder.next_outcome() {
        issues.extend(outcome.issues);
    }
    let found: Vec<_> = issues.iter().map(Issue::rule).collect();
    assert_eq!(found, [Rule::StrayText]);
}

#[test]
fn the_format_may_be_asked_for_before_the_issues() {
    let text = urlset("<url><loc>https://example.com/</loc><priority>2</priority></url><foo/>");
    let mut reader = Reader::from_bytes(&text);
    assert!(reader.next().unwrap().is_ok());
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert_eq!(reader.issues().len(), 1);
    assert!(reader.next().is_none());
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert_eq!(reader.issues()[0].rule(), Rule::UnknownElement);
    let mut none = Reader::from_bytes("words");
    assert!(none.next().unwrap().is_err());
    assert_eq!((none.format(), none.issues()), (None, &[][..]));
}

#[test]
fn the_summary_after_markup_was_denied() {
    let text = urlset(&format!(
        "<url><loc>https://example.com/?a&b</loc></url>{}",
        url("https://example.com/2")
    ));
    let builder = lenient().policy(Policy::LENIENT.deny(Rule::BareAmpersand));
    let mut decoder = builder.decoder();
    decoder.push(text.as_bytes());
    decoder.finish();
    let counts = |decoder: &Decoder| (decoder.summary().entries, decoder.summary().skipped);
    assert!(decoder.advance().is_err());
    assert_eq!(counts(&decoder), (0, 1));
    assert_eq!(decoder.advance().unwrap(), Step::Entry);
    assert_eq!(counts(&decoder), (1, 1));
    assert_eq!(decoder.advance().unwrap(), Step::End);
    assert_eq!(decoder.summary().completeness(), Completeness::Incomplete);
}

#[test]
fn the_callback_may_panic_and_is_called_again() {
    let mut calls = 0;
    let builder = lenient().on_issue(move |_| {
        calls += 1;
        assert!(calls > 1, "the first");
    });
    let mut reader = builder.from_bytes("a\nhttps://example.com/\n");
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader.next()));
    assert!(result.is_err());
    assert_eq!(builder.from_bytes("a\nhttps://example.com/\n").count(), 1);
}

#[test]
fn take_entry_adds_in_the_order_of_the_document() {
    let text = urlset(
        "<!-- --><url><loc>x</loc></url x><url><priority>2</priority><foo/><loc>https://example.com/?a&b</loc><lastmod>no</lastmod></urls></url>",
    );
    let mut typed = common::reader_of(&text);
    typed.next().unwrap().unwrap();
    let expected = typed.issues().to_vec();
    assert!(expected.len() >= 5, "{expected:?}");
    let (builder, heard) = collecting(lenient());
    let mut reader = builder.from_bytes(&text);
    let mut found = Vec::new();
    while reader.read_raw().unwrap().is_some() {
        let before = reader.issues().to_vec();
        let entry = reader.take_entry().unwrap();
        for issue in &before {
            assert!(reader.issues().contains(issue), "{issue} is gone");
        }
        let _ = entry;
        assert_eq!(reader.take_entry().unwrap(), None, "it is given once");
        found.extend_from_slice(reader.issues());
    }
    assert_eq!(found, expected);
    assert_eq!(
        heard.lock().unwrap().len(),
        expected.len(),
        "each is said once"
    );
}

#[test]
fn a_denied_value_is_raised_once() {
    let text = urlset("<url><loc>https://example.com/</loc><priority>2</priority></url>");
    let mut reader = strict().from_bytes(&text);
    reader.read_raw().unwrap().unwrap();
    let error = reader.take_entry().unwrap_err();
    assert_eq!(error.violation().unwrap().rule(), Rule::InvalidPriority);
    assert_eq!(reader.take_entry().unwrap(), None);
    assert_eq!((reader.summary().entries, reader.summary().skipped), (0, 1));
}

#[test]
fn one_outcome_an_entry() {
    for (name, builder, bytes) in documents() {
        for policy in [Policy::LENIENT, Policy::STRICT] {
            let builder = builder.clone().policy(policy);
            let expected = common::read(&builder, &bytes[..]);
            let mut summary = builder.build(&bytes[..]);
            for _ in &mut summary {}
            let summary = summary.summary();

            let (mut entries, mut errors, mut issues) = (Vec::new(), Vec::new(), Vec::new());
            let mut numbers = Vec::new();
            let mut outcomes = builder.build(&bytes[..]).outcomes();
            for outcome in &mut outcomes {
                let number = outcome.position.entry();
                let is_fatal = matches!(&outcome.entry, Err(error) if error.is_fatal());
                let costs = outcome.issues.iter().any(|issue| {
                    issue.effect == Effect::EntrySkipped && issue.position.entry() == number
                });
                match outcome.entry {
                    Ok(entry) => {
                        assert!(entry.is_none() || !costs, "{name}");
                        assert!(entry.is_some() || costs || number == 0, "{name}");
                        numbers.extend((number > 0).then_some(number));
                        entries.extend(entry);
                    }
                    Err(error) => {
                        if !is_fatal && numbers.last() != Some(&number) && number > 0 {
                            numbers.push(number);
                        }
                        errors.push(common::Raised::from(&error));
                    }
                }
                issues.extend(outcome.issues);
            }
            assert!(outcomes.next().is_none());
            assert_eq!(
                entries.iter().collect::<Vec<_>>(),
                expected.entries(),
                "{name}"
            );
            assert_eq!(
                errors.iter().collect::<Vec<_>>(),
                expected.errors(),
                "{name}"
            );
            if !expected.rules().contains(&Rule::IssuesOmitted) {
                assert_eq!(
                    issues.iter().collect::<Vec<_>>(),
                    expected.issues(),
                    "{name}"
                );
            }
            let all = summary.entries + summary.skipped;
            assert_eq!(numbers, (1..=all).collect::<Vec<_>>(), "{name} {policy:?}");
            assert_eq!(summary.entries, entries.len() as u64, "{name}");
            assert_eq!(outcomes.reader().summary(), summary, "{name}");
        }
    }
}

#[test]
fn an_outcome_has_its_own_issues() {
    let text = "a\nhttps://example.com/\n\nb\nhttps://example.com/é\n";
    let table: Vec<_> = Reader::from_bytes(text)
        .outcomes()
        .map(|outcome| {
            let rules: Vec<Rule> = outcome.issues.iter().map(Issue::rule).collect();
            (
                outcome.position.entry(),
                outcome.position.line(),
                outcome.entry.unwrap().is_some(),
                rules,
            )
        })
        .collect();
    assert_eq!(
        table,
        [
            (1, 1, false, vec![Rule::InvalidUrl]),
            (2, 2, true, vec![]),
            (3, 4, false, vec![Rule::InvalidUrl]),
            (4, 5, true, vec![Rule::UrlNotEscaped]),
        ]
    );
}

#[test]
fn what_stands_behind_the_last_entry_is_not_lost() {
    let text = urlset(&url("https://example.com/")) + "rubbish";
    let outcomes: Vec<_> = Reader::from_bytes(text).outcomes().collect();
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].issues[0].rule(), Rule::ContentAfterRoot);
    let outcomes: Vec<_> = Reader::from_bytes(urlset("") + "rubbish")
        .outcomes()
        .collect();
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].position.entry(), 0);
    assert!(matches!(outcomes[0].entry, Ok(None)));
    assert_eq!(outcomes[0].issues[0].rule(), Rule::ContentAfterRoot);
}

#[test]
fn completeness() {
    use Completeness::{Complete, Incomplete, Unknown};
    let good = urlset(&url("https://example.com/"));
    let bad = urlset(&(url("https://example.com/") + &url("nonsense")));
    let rss = "<rss><channel><item><link>https://example.com/</link></item></channel></rss>";
    let denying = |rule| lenient().policy(Policy::LENIENT.deny(rule));
    let skipped_among_many = urlset(&format!(
        "<url><loc>https://example.com/</loc>{}<loc>x</loc></url>",
        "<foo/>".repeat(1_500)
    ));
    for (text, builder, expected) in [
        (&*good, lenient(), Complete),
        (&*common::index(""), lenient(), Complete),
        (&*good, strict(), Complete),
        (&good.replace("</url>", "<foo/></url>"), lenient(), Complete),
        (
            &good.replace("</url>", "<foo/></url>"),
            strict(),
            Incomplete,
        ),
        (&good.replace("http:", "https:"), strict(), Complete),
        (
            &good.replace("</url><", "<priority>9</priority></url><"),
            lenient(),
            Complete,
        ),
        (&*bad, lenient(), Incomplete),
        (&*bad, denying(Rule::InvalidUrl), Incomplete),
        (&*skipped_among_many, lenient(), Incomplete),
        (&good[..good.len() - 1], lenient(), Incomplete),
        (
            &good[..good.len() - "</urlset>".len()],
            lenient(),
            Incomplete,
        ),
        ("<html/>", lenient(), Incomplete),
        ("", lenient(), Incomplete),
        (&*good, lenient().max_bytes(20), Incomplete),
        (rss, lenient(), Unknown),
        // A feed that ends too early is known to be truncated.
        (&rss[..rss.len() - "</rss>".len()], lenient(), Incomplete),
        ("https://example.com/\n", lenient(), Unknown),
        ("https://example.com/\nnonsense\n", lenient(), Incomplete),
    ] {
        let mut reader = builder.from_bytes(text);
        assert_eq!(reader.summary().completeness(), Unknown, "{text}");
        let mut entries = 0;
        for step in &mut reader {
            entries += u64::from(step.is_ok());
        }
        assert_eq!(
            reader.summary().completeness(),
            expected,
            "{builder:?} {text}"
        );
        assert_eq!(reader.summary().entries, entries);

        let mut decoder = builder.decoder();
        decoder.push(text.as_bytes());
        for _ in decoder.entries() {}
        if decoder.summary().completeness() == Complete {
            assert!(decoder.is_done(), "not at the end: {text}");
        }
        decoder.finish();
        for _ in decoder.entries() {}
        assert_eq!(decoder.summary(), reader.summary(), "{text}");
        decoder.reset();
        assert_eq!(decoder.summary(), Decoder::new().summary());
    }
}

#[test]
fn the_summary_counts_what_is_omitted() {
    let text = urlset(&format!(
        "<url><loc>https://example.com/</loc>{}{}</url>",
        "<foo/>".repeat(1_200),
        "<priority>2</priority>".repeat(3)
    ));
    let mut reader = Reader::from_bytes(&text);
    assert_eq!(reader.by_ref().count(), 1);
    let summary = reader.summary();
    assert_eq!((summary.noted, summary.dropped), (1_200, 3), "{summary:?}");
    let mut raw = Reader::from_bytes(&text);
    while raw.read_raw().unwrap().is_some() {
        raw.take_entry().unwrap();
    }
    let counts = (raw.summary().noted, raw.summary().dropped);
    assert_eq!(counts, (1_200, 3));
}

#[test]
fn raw_entries_count_as_given_until_they_are_interpreted() {
    let text = urlset(&(url("x") + &url("y") + &url("https://example.com/")));
    let mut reader = Reader::from_bytes(&text);
    let counts = |reader: &Reader<_>| (reader.summary().entries, reader.summary().skipped);
    reader.read_raw().unwrap();
    assert_eq!(counts(&reader), (1, 0));
    for _ in 0..2 {
        assert_eq!(reader.take_entry().unwrap(), None);
        assert_eq!(counts(&reader), (0, 1));
    }
    reader.read_raw().unwrap();
    reader.read_raw().unwrap();
    assert_eq!(counts(&reader), (2, 1));
    assert!(reader.read_raw().unwrap().is_none());
    assert_eq!(reader.summary().completeness(), Completeness::Incomplete);
}

#[test]
fn a_failure_is_fatal_whatever_its_kind() {
    for kind in [
        io::ErrorKind::TimedOut,
        io::ErrorKind::WouldBlock,
        io::ErrorKind::BrokenPipe,
    ] {
        let mut decoder = Decoder::new();
        decoder.push(
            urlset(&url("https://example.com/1"))
                .as_bytes()
                .split_last()
                .unwrap()
                .1,
        );
        decoder.fail(kind.into());
        decoder.push(b">");
        decoder.finish();
        let steps: Vec<_> = decoder.entries().collect();
        assert_eq!(steps.len(), 2);
        assert!(steps[1].as_ref().unwrap_err().is_fatal(), "{kind}");
        assert!(decoder.is_done());
        assert_eq!(decoder.summary().completeness(), Completeness::Incomplete);
    }
}

#[test]
fn a_failure_behind_the_end_is_none() {
    let mut decoder = Decoder::new();
    decoder.push(urlset(&url("https://example.com/1")).as_bytes());
    decoder.finish();
    decoder.fail(io::ErrorKind::ConnectionReset.into());
    assert!(decoder.entries().all(|entry| entry.is_ok()));
    assert_eq!(decoder.summary().completeness(), Completeness::Complete);
}

/// Where the text was cut before the rest of a failing input arrives does not matter, not even behind a `<` that may belong
/// to the ones before it.
#[test]
fn what_comes_before_a_failure_is_reported_however_it_is_cut() {
    let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<< < <o a<b";
    let issues = |cut: usize| {
        let (start, end) = text.as_bytes().split_at(cut);
        let mut decoder = Decoder::new();
        decoder.push(start);
        assert_eq!(decoder.advance().unwrap(), Step::NeedMore);
        decoder.push(end);
        decoder.fail(io::ErrorKind::ConnectionReset.into());
        assert!(decoder.advance().unwrap_err().is_fatal());
        let issues = decoder.issues();
        issues.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let whole = issues(0);
    assert_eq!(whole.len(), 2, "{whole:?}");
    for cut in 1..text.len() {
        assert_eq!(issues(cut), whole, "{cut}");
    }
}

#[test]
fn a_reader_is_used_again() {
    let (builder, heard) = collecting(lenient().policy(Policy::LENIENT.deny(Rule::MissingLoc)));
    let one = urlset("<url/><url><loc>https://example.com/</loc><foo/></url>");
    let mut reader = builder.build(&b"<html"[..]);
    for _ in 0..3 {
        let before = reader.reset(one.as_bytes());
        assert!(before.is_empty() || before == b"<html");
        assert_eq!(reader.issues(), []);
        assert_eq!(reader.summary(), Decoder::new().summary());
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().unwrap().is_ok());
        assert!(reader.next().is_none());
    }
    assert_eq!(heard.lock().unwrap().len(), 3);
}

#[test]
fn readers_and_errors_cross_threads_and_panics() {
    fn holds<T: Send + Sync + UnwindSafe + RefUnwindSafe + 'static>() {}
    holds::<Decoder>();
    holds::<ReaderBuilder>();
    holds::<Reader<io::Empty>>();
    holds::<quick_sitemap::Outcomes<io::Empty>>();
    holds::<quick_sitemap::Outcome>();
    holds::<quick_sitemap::Error>();
    holds::<quick_sitemap::ErrorKind>();
    holds::<Entry>();
    holds::<Issue>();
}

/// These enums can be matched without a wildcard, because a program must handle a new variant.
#[test]
fn enums_that_are_complete() {
    match EntryKind::Url {
        EntryKind::Url | EntryKind::Sitemap => {}
    }
    match Step::End {
        Step::Entry | Step::NeedMore | Step::End => {}
    }
    match Effect::Noted {
        Effect::Noted | Effect::ValueDropped | Effect::EntrySkipped => {}
    }
    match Completeness::Unknown {
        Completeness::Complete | Completeness::Unknown | Completeness::Incomplete => {}
    }
}

#[test]
fn a_base_url_resolves_and_checks_nothing() {
    let at = |text: &str| quick_sitemap::url::Url::parse(text).unwrap();
    let text = "/a\nhttps://example.com/shop/b\nhttps://other.example/c\nhttp://example.com/d\n";
    let rules = |builder: ReaderBuilder| {
        let outcome = common::read(&builder, text.as_bytes());
        (outcome.locs().join(" "), outcome.rules())
    };
    let base = at("https://example.com/shop/sitemap.txt");
    let place = at("https://www.example.com/x/sitemap.txt");
    let resolved = "https://example.com/a https://example.com/shop/b https://other.example/c http://example.com/d";
    let (locs, found) = rules(lenient().base_url(base.clone()));
    assert_eq!((&*locs, found), (resolved, vec![Rule::RelativeUrl]));
    // If both are set, each has its effect, in either order.
    for builder in [
        lenient().base_url(base.clone()).location(place.clone()),
        lenient().location(place).base_url(base.clone()),
    ] {
        let (locs, found) = rules(builder);
        assert_eq!(locs, resolved);
        let outside = found.iter().filter(|rule| **rule == Rule::OutsideLocation);
        assert_eq!(outside.count(), 4);
    }
    let (locs, found) = rules(lenient().location(base));
    assert_eq!(locs, resolved);
    let outside = found.iter().filter(|rule| **rule == Rule::OutsideLocation);
    assert_eq!(outside.count(), 3);
}

/// The raw entry, the host that it has, and that of the typed entry.
fn hosts(loc: &str, builder: &ReaderBuilder) -> (Option<String>, Option<String>) {
    let escaped = loc.replace('&', "&amp;").replace('<', "&lt;");
    let text = urlset(&url(&escaped));
    let mut reader = builder.clone().from_bytes(&text);
    let raw = reader.read_raw().unwrap().unwrap();
    let host = raw.host().map(str::to_owned);
    let typed = reader.take_entry().unwrap();
    let own = typed.and_then(|entry| entry.loc().host_str().map(str::to_owned));
    (host, own)
}

#[test]
fn the_host_is_that_of_the_typed_entry() {
    for (loc, host) in [
        ("https://example.com/a", Some("example.com")),
        ("https://user:word@example.com:8080", Some("example.com")),
        ("https://a@b@example.com/@c", Some("example.com")),
        ("http://[2001:db8::1]:80/a", Some("[2001:db8::1]")),
        (
            "https://example.com?a=https://other.example/",
            Some("example.com"),
        ),
        ("HTTPS://example.com#@other.example", Some("example.com")),
        ("https://example.com\\a", Some("example.com")),
        (
            "https://xn--mnchen-3ya.example/",
            Some("xn--mnchen-3ya.example"),
        ),
        // Not as `Url` writes it.
        ("https://Example.COM/", None),
        ("https://münchen.example/", None),
        ("http://127.1/", None),
        // No URL of a page.
        ("/go?to=https://evil.com/x", None),
        ("javascript:open('http://a.com/')", None),
        ("example.com/?u=http://other.org/", None),
        ("ftp://example.com/", None),
        ("https:///a", None),
        ("https:/example.com/a", None),
        ("https://&host;/", None),
        ("https://", None),
        ("/a", None),
        ("www.example.com", None),
    ] {
        let (found, own) = hosts(loc, &lenient());
        assert_eq!(found.as_deref(), host, "{loc}");
        assert!(found.is_none() || found == own, "{loc}");
    }
    let base = lenient().base_url("https://example.net/".parse().unwrap());
    assert_eq!(
        hosts("/go?to=https://evil.com/x", &base),
        (None, Some("example.net".to_owned()))
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]

    /// A host that is returned is that of the typed entry; it is returned for every loc in canonical form.
    #[test]
    fn no_other_host_is_returned(
        scheme in proptest::sample::select(vec!["https://", "http://", "HTTPS://", "https:", "ftp://", "//", "", "https:///"]),
        loc in "([a-zA-Z]{1,3}|[0-9.:/?#@%&;\\\\\\[\\]|'-]|xn--|https?://|example\\.com|\u{e9}|\t){0,12}",
    ) {
        let loc = format!("{scheme}{loc}");
        let (host, own) = hosts(&loc, &lenient());
        if host.is_some() {
            proptest::prop_assert_eq!(&host, &own, "{}", loc);
        }
        if let Ok(parsed) = loc.parse::<quick_sitemap::url::Url>()
            && parsed.as_str() == loc
        {
            proptest::prop_assert_eq!(host, own, "{}", loc);
        }
    }
}

#[test]
fn the_host_of_a_raw_entry_is_that_of_the_typed_one_in_every_document() {
    let mut compared = 0;
    for (name, builder, bytes) in documents() {
        let mut reader = builder.build(&*bytes);
        loop {
            let host = match reader.read_raw() {
                Ok(Some(raw)) => raw.host().map(str::to_owned),
                Ok(None) => break,
                Err(_) => continue,
            };
            let Ok(Some(entry)) = reader.take_entry() else {
                continue;
            };
            assert!(
                host.is_none() || host.as_deref() == entry.loc().host_str(),
                "{name}"
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn attributes_and_elements_are_sized() {
    let text =
        urlset("<url><loc>https://example.com/</loc><a b='1' c='2'><d/><e><f/></e></a></url>");
    let mut reader = Reader::from_bytes(&text);
    let raw = reader.read_raw().unwrap().unwrap();
    let a = raw.elements().nth(1).unwrap();
    let mut attributes = a.attributes();
    assert_eq!(attributes.len(), 2);
    attributes.next();
    assert_eq!(attributes.len(), 1);
    let inner = a.children().next().unwrap();
    for (hint, count) in [
        (raw.elements().size_hint(), raw.elements().count()),
        (a.children().size_hint(), a.children().count()),
        (inner.children().size_hint(), inner.children().count()),
    ] {
        let (least, most) = hint;
        assert!(least <= count && count <= most.unwrap(), "{least} {count}");
        assert_eq!(count == 0, most == Some(0));
    }
}

/// The span of a value is the value as it is written, and that of an element is the beginning of its tag.
#[test]
fn spans_are_exact() {
    let long = "x".repeat(200);
    for (rule, entry) in [
        (Rule::InvalidDatetime, "<lastmod> «nonsense» </lastmod>"),
        (
            Rule::InvalidDatetime,
            &format!("<lastmod>\n«{long}»\n</lastmod>"),
        ),
        // Decoded, and joined of several pieces.
        (Rule::InvalidDatetime, "<lastmod>«a&amp;é»\n</lastmod>"),
        (
            Rule::InvalidDatetime,
            "<lastmod> «a<!-- b -->c<![CDATA[d]]>&lt;e» <!-- f --> </lastmod>",
        ),
        (
            Rule::InvalidPriority,
            "<priority><![CDATA[ «é» ]]></priority>",
        ),
        (
            Rule::InvalidUrl,
            "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href=' «?&lt;» '/>",
        ),
        // Spans are tags, even if the message names something else.
        (
            Rule::DuplicateElement,
            "<lastmod>2024</lastmod>«<LASTMOD»>2024</LASTMOD>",
        ),
        (Rule::UnknownElement, "«<foo» a='b'/>"),
        (Rule::UndeclaredPrefix, "«<y:foo»/>"),
        (Rule::MismatchedTag, "«</q» >"),
        (
            Rule::MissingElement,
            "«<i:image» xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'/>",
        ),
        (
            Rule::WrongNamespace,
            "«<i:image» xmlns:i='https://www.google.com/schemas/sitemap-image/1.1'/>",
        ),
        // Markup and characters.
        (
            Rule::MalformedMarkup,
            &format!("«<priority {long}=>»1</priority>"),
        ),
        (
            Rule::StrayText,
            &format!("<lastmod>2024</lastmod> «{long}» <priority>1</priority>"),
        ),
        (Rule::StrayText, "«< stray» \n"),
        (Rule::InvalidCharacter, "<x>2024«\u{1}»\u{1}</x>"),
        (Rule::BareAmpersand, "<x>a«&b» c</x>"),
    ] {
        let marked = urlset(&format!(
            "<url><loc>https://example.com/</loc>{entry}</url>"
        ));
        let text = marked.replace(['«', '»'], "");
        let outcome = common::read_slice(&text);
        let issues = outcome.issues();
        let issue = issues.iter().find(|issue| issue.rule() == rule);
        let span = issue.unwrap_or_else(|| panic!("{rule}: {entry}")).span();
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        assert_eq!(span, start as u64..end as u64, "{rule}: {entry}");
    }
}

/// The excerpt of an issue does not depend on the division of the bytes, and is not longer than documented.
#[test]
fn excerpts_show_the_line() {
    let filler = "é".repeat(50_000);
    let body = format!(
        "<url><loc>https://example.com/</loc><priority>1.5</priority></url>\n\
         <!--{filler}--> <url><loc>/a</loc><!--{filler}--></url> <x/>\r<url>\r\n<lastmod>x</lastmod></url>"
    );
    let text = urlset(&body);
    let builder = lenient().excerpts(true);
    let pieces = |step: usize| {
        let mut decoder = builder.decoder();
        let mut found = Vec::new();
        let mut chunks = text.as_bytes().chunks(step);
        while !decoder.is_done() {
            match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            }
            while let Ok(Some(_)) = decoder.next_entry() {
                found.extend(decoder.issues().to_vec());
            }
            found.extend(decoder.issues().to_vec());
        }
        let before = |issue: &quick_sitemap::Issue| {
            let (line, span) = issue.excerpt().unwrap();
            assert!(span.start <= 256 + '…'.len_utf8() && line.len() <= 1024 + 2 * '…'.len_utf8());
            (
                line[..span.start].to_owned(),
                line[span.clone()].to_owned(),
                line[span.end..].to_owned(),
            )
        };
        found.iter().map(before).collect::<Vec<_>>()
    };
    let whole = pieces(text.len());
    let marked: Vec<_> = whole.iter().map(|(_, marked, _)| marked.as_str()).collect();
    assert_eq!(marked, ["1.5", "/a", "<x", "<url", "x"]);
    assert!(
        whole[0]
            .0
            .ends_with("<url><loc>https://example.com/</loc><priority>")
    );
    assert!(whole[1].0.starts_with('…') && whole[1].0.ends_with("é--> <url><loc>"));
    assert_eq!(
        (whole[3].0.as_str(), whole[4].0.as_str()),
        ("", "<lastmod>")
    );
    assert_eq!(whole[0].2, "</priority></url>");
    assert!(whole[2].2.starts_with("/>") && !whole[2].2.contains('…'));
    for step in [1, 7, 1000] {
        assert_eq!(pieces(step), whole, "{step}");
    }
    let mut reader = strict()
        .excerpts(true)
        .from_bytes("https://example.com/a b\nc\n");
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.excerpt(), Some(("https://example.com/a b", 0..23)));
    let mut reader = builder.from_bytes(&b"https://example.com/\xff\n"[..]);
    assert!(reader.next().is_none());
    assert_eq!(
        reader.issues()[0].excerpt(),
        Some(("https://example.com/\u{FFFD}", 20..23))
    );
    let mut reader = Reader::from_bytes(&text);
    while reader.next().is_some() {
        assert!(
            reader
                .issues()
                .iter()
                .all(|issue| issue.excerpt().is_none())
        );
    }
}

/// The excerpt does not end where the window or a read ends.
#[test]
fn lines_are_complete_at_the_end_of_a_read() {
    let entry = "<url><loc>https://example.com/</loc><priority>2</priority></url>";
    let text = urlset(&entry.repeat(3_000));
    let mut reader = lenient().excerpts(true).from_bytes(&text);
    let mut lines = 0;
    while let Some(found) = reader.next() {
        found.unwrap();
        let issue = &reader.issues()[0];
        let left = text.len() - issue.position.byte() as usize;
        let (line, span) = issue.excerpt().unwrap();
        let behind = line[span.start..].trim_end_matches('…');
        assert_eq!(behind.len(), left.min(768), "{issue}");
        lines += 1;
    }
    assert_eq!(lines, 3_000);
    // Issues beyond those listed have the line of the first.
    let many = urlset(&format!(
        "<url><loc>https://example.com/</loc>{}</url>",
        "<x/>".repeat(1_001)
    ));
    let mut reader = lenient().excerpts(true).from_bytes(&many);
    reader.next().unwrap().unwrap();
    let omitted = reader.issues().last().unwrap();
    assert_eq!(omitted.rule(), Rule::IssuesOmitted);
    let (line, span) = omitted.excerpt().unwrap();
    assert!(line[span.start..].starts_with("<x/>"), "{line}");
}

/// The first style sheet before the root, with its type.
#[test]
fn the_style_sheet_of_a_document_is_known() {
    let stylesheet = |prolog: &str, body: &str| {
        let text = format!("{prolog}{}", urlset(body));
        let mut reader = Reader::from_bytes(text.as_bytes());
        while reader.next().is_some() {}
        reader.stylesheet().map(|found| {
            let place = found.position.to_string();
            (found.media_type.clone(), found.href.clone(), place)
        })
    };
    let found = |kind: &str, href: &str, place: &str| {
        Some((kind.to_owned(), href.to_owned(), place.to_owned()))
    };
    let css = "<?xml-stylesheet type='text/css' href='/a.css'?>";
    let xsl = "<?xml-stylesheet href=\"a.xsl?b&amp;c\" type=\"text/xsl\" ?>";
    assert_eq!(stylesheet("", ""), None);
    assert_eq!(stylesheet(css, ""), found("text/css", "/a.css", "1:1"));
    assert_eq!(
        stylesheet(&format!("<?xml version='1.0'?>\n<!-- é -->{xsl}{css}"), ""),
        found("text/xsl", "a.xsl?b&c", "2:11")
    );
    assert_eq!(stylesheet("<?xml-stylesheet href='/a.css'?>", ""), None);
    assert_eq!(
        stylesheet("<?xml-style type='text/css' href='/a.css'?>", ""),
        None
    );
    assert_eq!(stylesheet("", css), None);
    let long = format!(
        "<?xml-stylesheet type='text/css' href='/{}'?>",
        "a".repeat(5_000)
    );
    assert_eq!(stylesheet(&long, ""), None);
}

/// Places of attributes, and the lines around them.
#[test]
fn values_have_places() {
    let text = urlset(
        "<url>\n <loc><![CDATA[ https://example.com/]]></loc><x:a xmlns:x='urn:x' b=' 1 ' c='&amp;' d=' '> é<x:b/>&lt; </x:a></url>",
    );
    let mut reader = lenient().excerpts(true).from_bytes(&text);
    let raw = reader.read_raw().unwrap().unwrap();
    let at = |position: quick_sitemap::Position| &text[position.byte() as usize..];
    let element = raw.elements().nth(1).unwrap();
    for (name, expected) in [("b", "1 ' c"), ("c", "&amp;"), ("d", "'> é")] {
        let position = element.attribute_position(name).unwrap();
        assert!(at(position).starts_with(expected), "{name}");
        let (line, span) = raw.excerpt_at(position, expected.len()).unwrap();
        assert!(line.starts_with(" <loc>"));
        assert_eq!(&line[span.clone()], expected);
        assert_eq!(
            position.column(),
            1 + line[..span.start].chars().count() as u64
        );
    }
    assert_eq!(element.attribute_position("e"), None);
    let mut reader = Reader::from_bytes("\n  https://example.com/\nb");
    let raw = reader.read_raw().unwrap().unwrap();
    assert_eq!(raw.position().to_string(), "2:3");
    let far = raw.position();
    reader.read_raw().unwrap();
    assert_eq!(reader.raw().unwrap().excerpt_at(far, 1), None);
    // Places of entries before and after it are in the window, too.
    let mut reader = lenient()
        .excerpts(true)
        .from_bytes("https://a.example/\nhttps://b.example/\n");
    let first = reader.read_raw().unwrap().unwrap().position();
    let second = reader.read_raw().unwrap().unwrap();
    assert!(second.excerpt_at(second.position(), 1).is_some());
    assert_eq!(second.excerpt_at(first, 1), None);
    let mut again = lenient()
        .excerpts(true)
        .from_bytes("https://a.example/\nhttps://b.example/\n");
    let second = second.position();
    let first = again.read_raw().unwrap().unwrap();
    assert_eq!(first.excerpt_at(second, 1), None);
}

/// Every span is at its documented place, and contains the quoted text, if there is one.
#[test]
fn spans_lie_in_the_document() {
    let mut shown = 0;
    for (name, builder, bytes) in documents() {
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let text = text.trim_start_matches('\u{FEFF}');
        for issue in common::read(&builder, &bytes[..]).issues() {
            let span = issue.span();
            assert_eq!(span.start, issue.position.byte(), "{name}: {issue}");
            if span.is_empty() {
                continue;
            }
            let Some(part) = text.get(span.start as usize..span.end as usize) else {
                panic!("{name}: {issue}: {span:?}");
            };
            // Content before the declaration is quoted with the white space at its start.
            let is_tight = match issue.rule() {
                // Some forbidden characters are white space.
                Rule::InvalidCharacter => true,
                Rule::ContentBeforeDeclaration => part.starts_with(issue.violation.found()),
                _ => part.trim() == part,
            };
            assert!(is_tight, "{name}: {issue}");
            shown += 1;
        }
    }
    assert!(shown > 200, "{shown}");
}

/// Users log issues and errors, and sitemaps contain URLs with passwords.
#[test]
fn no_issue_shows_a_password() {
    let long = "x".repeat(200);
    let login = "user:secret@";
    let documents = [
        format!(
            "ftp://{login}example.com/a\nhttps://{login}exa mple.com/\nhttps://example.com/b\n"
        ),
        urlset(&format!(
            "<url><loc>https://{login}example.com/a[0]</loc><lastmod>https://{login}h/</lastmod></url>\
             <url><loc>https://example.com/</loc>https://{login}h/</url>\
             <url><loc>//{login}h/</loc></url>\
             <url><loc>https://{login}h/&nbsp;{long}</loc></url>\
             <url><loc>https://{login}{long}:x/</loc></url>\
             <url><loc>https://user:secret{long}@h[/</loc></url>\
             <url><loc>https://example.com/c</loc>\
             <image:image><image:loc>ftp://{login}h/</image:loc></image:image></url>"
        )),
    ];
    for text in documents {
        for policy in [Policy::LENIENT, Policy::STRICT] {
            let builder = ReaderBuilder::new().policy(policy);
            let location = "https://example.com/sitemap.xml".parse().unwrap();
            let mut reader = builder.location(location).build(text.as_bytes());
            let mut messages = Vec::new();
            while let Some(entry) = reader.next() {
                let of_error = entry.err().map(|error| format!("{error} {error:?}"));
                let of_issues = reader.issues().iter();
                messages.extend(
                    of_issues
                        .map(|issue| format!("{issue} {issue:?}"))
                        .chain(of_error),
                );
            }
            let hidden = messages.iter().filter(|message| message.contains("//***"));
            assert!(hidden.count() >= 2, "{messages:#?}");
            for message in messages {
                assert!(!message.contains("secret"), "{message}");
            }
        }
    }
}

#[test]
fn a_run_of_forbidden_characters_is_one_issue() {
    let title = "a\u{1}\u{2}\u{B}b\u{3}c\u{FFFE}";
    let text = common::urlset(&format!(
        "<url><loc>https://example.com/</loc><i:image xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">\
         <i:loc>https://example.com/i</i:loc><i:title>{title}</i:title></i:image></url>"
    ));
    let outcome = common::read_slice(&text);
    assert_eq!(outcome.rules(), [Rule::InvalidCharacter; 3]);
    let issues = outcome.issues();
    let found: Vec<_> = issues.iter().map(|issue| issue.violation.found()).collect();
    assert_eq!(found, ["U+0001", "U+0003", "U+FFFE"]);
    let entry = outcome.entries()[0].as_url().unwrap();
    let title = entry.images[0].title.as_deref();
    assert_eq!(title, Some("a\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}"));
}

/// An error that waits for the next call belongs to the document that it was found in.
#[test]
fn a_reset_forgets_errors_that_wait() {
    let first = urlset("").replacen("<urlset", "<!DOCTYPE a><urlset", 1);
    let second = urlset("<url><loc>https://example.com/</loc></url>");
    let mut reader = strict().build(first.as_bytes());
    assert_eq!(reader.format(), Some(Format::Urlset));
    reader.reset(second.as_bytes());
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/");
    assert!(reader.next().is_none());
}

/// An entry whose start tag is larger than an entry may be is skipped with all that it contains.
#[test]
fn an_outsized_start_tag_costs_its_own_entry_only() {
    let text = urlset(&format!(
        "<url a='{}'><loc>https://example.com/lost</loc><priority>2</priority><foo/></url>\
         <url><loc>https://example.com/kept</loc></url>",
        "x".repeat(5_000)
    ));
    let mut reader = lenient().max_entry_bytes(4_096).build(text.as_bytes());
    let (mut paths, mut rules) = (Vec::new(), Vec::new());
    while let Some(entry) = reader.next() {
        paths.push(entry.unwrap().loc().path().to_owned());
        rules.extend(reader.issues().iter().map(|issue| issue.rule()));
    }
    assert_eq!(paths, ["/kept"]);
    assert_eq!(rules, [Rule::EntryTooLarge]);
    assert_eq!(reader.summary().skipped, 1);
}

/// Elements of other vocabularies that are in no entry are counted once, however the text arrives, and what is in them is not.
#[test]
fn elements_outside_of_entries_are_counted() {
    let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x'>\
                <x:md><x:of/><url><loc>https://e.com/0</loc></url></x:md><x:up/>\
                <url><loc>https://e.com/1</loc><x:in/></url><x:up>t</x:up></urlset>";
    for step in [1, 7, text.len()] {
        let (issues, _, summary) = heard(ReaderBuilder::new(), text, step);
        assert_eq!(summary.outside, 3, "{step}: {issues:?}");
    }
}
