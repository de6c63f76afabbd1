//! The text before the root: it is one item, one issue covers what it stands for, and nothing depends on its length.

use std::io;
use std::sync::{Arc, Mutex};

use crate::common::{NS, gzip, same_however_cut, same_with, strict, url};
use quick_sitemap::{Decoder, ErrorKind, Format, Outcome, Policy, ReaderBuilder, Rule};

const X: &str = "https://example.com/x";

fn page() -> String {
    format!("<urlset xmlns=\"{NS}\">{}</urlset>", url(X))
}

/// A comment that does not fit into the part of a document in which content must have a root.
fn long_comment() -> String {
    format!("<!-- {}-->", "70 kB ".repeat(12_000))
}

/// The results of a document that is pushed in pieces of this number of bytes, and whose input fails in the end.
fn outcomes(policy: Policy, bytes: &[u8], step: usize, fails: bool) -> (Vec<Outcome>, Decoder) {
    let mut decoder = ReaderBuilder::new().policy(policy).decoder();
    let mut outcomes = Vec::new();
    for piece in bytes.chunks(step) {
        decoder.push(piece);
        outcomes.extend(std::iter::from_fn(|| decoder.next_outcome()));
    }
    if fails {
        decoder.fail(io::ErrorKind::ConnectionReset.into());
    } else {
        decoder.finish();
    }
    outcomes.extend(std::iter::from_fn(|| decoder.next_outcome()));
    (outcomes, decoder)
}

/// Violations and their places.
type Places = Vec<(Rule, u64)>;

/// The violations of a document in its order: those that are errors, and issues.
fn found(policy: Policy, text: &str) -> (Places, Places) {
    same_however_cut(text.as_bytes());
    same_with(&strict(), text.as_bytes());
    let (outcomes, decoder) = outcomes(policy, text.as_bytes(), usize::MAX, false);
    let (mut errors, mut issues) = (Vec::new(), Vec::new());
    for outcome in &outcomes {
        if let Err(error) = &outcome.entry {
            let rule = error.violation().map(|violation| violation.rule());
            let place = error.position().unwrap().byte();
            errors.push((rule.unwrap_or_else(|| panic!("{error} in {text}")), place));
        }
        issues.extend(&outcome.issues);
    }
    issues.extend(decoder.issues());
    let issues = issues.iter();
    let issues = issues.map(|issue| (issue.rule(), issue.position.byte()));
    (errors, issues.collect())
}

#[test]
fn the_head_is_one_item() {
    let text = format!("<!DOCTYPE a>text<b/>&<?xml-stylesheet ?></c>{}", page());
    let all = [
        (Rule::Doctype, 0),
        (Rule::StrayText, 12),
        (Rule::UnknownElement, 16),
        (Rule::MalformedMarkup, 20),
        (Rule::MismatchedTag, 40),
    ];
    assert_eq!(found(Policy::LENIENT, &text), (vec![], all.to_vec()));
    // Strict: one error. The next result is the first entry, which has the others.
    assert_eq!(
        found(Policy::STRICT, &text),
        (vec![all[0]], all[1..].to_vec())
    );
    let (outcomes, _) = outcomes(Policy::STRICT, text.as_bytes(), usize::MAX, false);
    assert_eq!(
        (outcomes[0].position.byte(), outcomes[0].position.entry()),
        (0, 0)
    );
    assert!(outcomes[0].entry.is_err() && outcomes[1].entry.as_ref().unwrap().is_some());
    assert_eq!(outcomes.len(), 2);
    // The error is the first that the policy denies.
    let policy = Policy::LENIENT.deny(Rule::MismatchedTag);
    assert_eq!(found(policy, &text), (vec![all[4]], all[..4].to_vec()));
    // The tag of the root is an item of its own.
    let text = format!("text{}", page().replace(NS, "urn:x"));
    let (errors, issues) = found(Policy::STRICT, &text);
    assert_eq!(errors, [(Rule::StrayText, 0), (Rule::WrongNamespace, 4)]);
    assert!(issues.is_empty());
}

#[test]
fn a_comment_that_is_longer_than_the_window() {
    let comment = long_comment();
    let len = comment.len() as u64;
    let text = format!("{comment}<html><p a=b>{}</p></html>", page());
    assert_eq!(
        found(Policy::LENIENT, &text),
        (vec![], vec![(Rule::WrappedRoot, len)])
    );
    // It is the same item before the comment and after it.
    let text = format!("<!DOCTYPE a>{comment}<b/><!-- -->{}", page());
    let all = [(Rule::Doctype, 0), (Rule::UnknownElement, 12 + len)];
    assert_eq!(found(Policy::LENIENT, &text), (vec![], all.to_vec()));
    assert_eq!(found(Policy::STRICT, &text), (vec![all[0]], vec![all[1]]));
    // Without a root, nothing is reported but that.
    for end in ["<html>", "words", ""] {
        let text = format!("<!DOCTYPE a>{comment}{end}");
        let (outcomes, decoder) = outcomes(Policy::STRICT, text.as_bytes(), 9_000, false);
        let [outcome] = &outcomes[..] else {
            panic!("{} for {end}", outcomes.len());
        };
        assert!(
            outcome
                .entry
                .as_ref()
                .is_err_and(quick_sitemap::Error::is_fatal),
            "{end}"
        );
        assert!(
            outcome.issues.is_empty() && decoder.issues().is_empty(),
            "{end}"
        );
    }
}

#[test]
fn a_declaration_far_from_the_start() {
    let declaration = "<?xml version=\"1.0\"?>";
    for distance in (65_510..65_560).chain([70_000, 200_000]) {
        let comment = format!("<!--{}-->", "x".repeat(distance - 7));
        let text = format!("{comment}{declaration}{}", page());
        let expected = vec![(Rule::ContentBeforeDeclaration, 0)];
        for step in [usize::MAX, 4_096, 65_530] {
            let (outcomes, _) = outcomes(Policy::LENIENT, text.as_bytes(), step, false);
            let [issue] = &outcomes[0].issues[..] else {
                panic!("{:?} at {distance}", outcomes[0].issues);
            };
            assert_eq!(
                (issue.rule(), issue.position.byte()),
                expected[0],
                "{distance}"
            );
            assert!(issue.violation.found().starts_with("<!--xxx"), "{distance}");
        }
        if distance == 65_536 {
            assert_eq!(found(Policy::LENIENT, &text), (vec![], expected));
        }
    }
    let comment = long_comment();
    // Other declarations are processing instructions, and content without a declaration after it is fine.
    let at = (comment.len() + declaration.len()) as u64;
    let text = format!("{comment}{declaration}<b/>{declaration}<!-- -->{}", page());
    let expected = vec![
        (Rule::ContentBeforeDeclaration, 0),
        (Rule::UnknownElement, at),
    ];
    assert_eq!(found(Policy::LENIENT, &text).1, expected);
    let text = format!("{declaration}{comment}{}", page());
    assert_eq!(found(Policy::LENIENT, &text).1, []);
    // A document type is reported all the same, and what a wrapper covers is not before the declaration.
    let text = format!("<!DOCTYPE a><?xml >{comment}{declaration}{}", page());
    let expected = [
        (Rule::Doctype, 0),
        (Rule::ContentBeforeDeclaration, 0),
        (Rule::MalformedMarkup, 12),
    ];
    assert_eq!(found(Policy::LENIENT, &text).1, expected);
    let text = format!("{comment}<html>{declaration}{}", page());
    assert_eq!(
        found(Policy::LENIENT, &text).1,
        [(Rule::WrappedRoot, comment.len() as u64)]
    );
}

#[test]
fn a_wrapper_covers_all_in_it() {
    let page = page();
    for (before, after) in [
        (
            "<html a:b='&' c c><p d:e=''>&x; <a:q/>",
            "</p><f:g h='&'>text</html>",
        ),
        (
            "<html><!DOCTYPE a><![CDATA[ ]]><1>< a",
            "<![CDATA[ ]]><1>< a</q></HTML>",
        ),
        ("<html>", ""),
    ] {
        let text = format!("{before}{page}{after}");
        assert_eq!(
            found(Policy::LENIENT, &text).1,
            [(Rule::WrappedRoot, 0)],
            "{text}"
        );
    }
    // The limit of the list of issues does not count what is covered.
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let text = format!("<html>{}{page}</html>", "<p>text</p>".repeat(2_000));
    let builder =
        ReaderBuilder::new().on_issue(move |issue| into.lock().unwrap().push(issue.rule()));
    for outcome in builder.from_bytes(&text).outcomes() {
        outcome.entry.unwrap();
    }
    assert_eq!(*heard.lock().unwrap(), [Rule::WrappedRoot]);
    let text = format!(
        "{}<html>{}{page}</html>",
        "<b/>".repeat(999),
        "<p>text</p>".repeat(2_000)
    );
    let issues = found(Policy::LENIENT, &text).1;
    assert_eq!(
        (issues.len(), issues[999]),
        (1_000, (Rule::WrappedRoot, 4 * 999))
    );
}

#[test]
fn nothing_of_a_head_is_reported_of_a_text() {
    for head in [
        "a<b>&<c d d>",
        "words <!DOCTYPE a>",
        "<!x>",
        "a <?xml-stylesheet type='a' href='b'?>",
    ] {
        let text = format!("{head}\n{X}\n<?xml ?>");
        let (outcomes, decoder) = outcomes(Policy::LENIENT, text.as_bytes(), usize::MAX, false);
        assert_eq!(decoder.format(), Some(Format::Text), "{text}");
        let issues = outcomes.iter().flat_map(|outcome| &outcome.issues);
        let rules: Vec<_> = issues.map(|issue| issue.rule()).collect();
        assert_eq!(rules, [Rule::InvalidUrl, Rule::InvalidUrl], "{text}");
        same_however_cut(text.as_bytes());
    }
}

#[test]
fn an_input_that_fails_in_the_head() {
    for text in [
        "<?",
        "<?x",
        "<?xm",
        "<?xml",
        "<?xml ",
        "<!-- a --><?",
        "\n a <?xml",
        "<!",
        "<",
        "",
    ] {
        let told = |step| {
            let (outcomes, _) = outcomes(Policy::STRICT, text.as_bytes(), step, true);
            let [outcome] = &outcomes[..] else {
                panic!("{} results of {text}", outcomes.len());
            };
            let error = outcome.entry.as_ref().unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Io(_)), "{text}: {error}");
            (outcome.position.byte(), outcome.issues.len())
        };
        for step in 1..=text.len().max(1) {
            assert_eq!(told(step), told(usize::MAX), "{text} in steps of {step}");
        }
    }
}

/// After a declaration, lines of URLs are no sitemap if no root follows within 64 KiB. An input that fails before that
/// leaves it open, so its failure is the error; one that fails later comes after the fault.
#[test]
fn an_input_that_fails_after_a_declaration_and_urls() {
    for declaration in ["<?xml ?>", "<?xml version=\"1.0\"?>\n", "<!-- --> <?xml ?>"] {
        for (lines, is_known) in [(1, false), (2_900, false), (2_990, true), (6_000, true)] {
            let text = format!("{declaration}{}", format!("{X}\n").repeat(lines));
            for step in [usize::MAX, 30_000, 65_536] {
                let (outcomes, _) = outcomes(Policy::LENIENT, text.as_bytes(), step, true);
                let error = outcomes[0].entry.as_ref().unwrap_err();
                let kind = if is_known { "not-a-sitemap" } else { "io" };
                assert_eq!(
                    (outcomes.len(), error.kind().name()),
                    (1, kind),
                    "{lines} in steps of {step}"
                );
            }
        }
    }
}

/// Of a failing input and a fault in the bytes before it, the fault comes first, whenever the failure is reported.
#[test]
fn an_input_that_fails_after_a_fault() {
    let mut broken = gzip(page().as_bytes());
    let crc = broken.len() - 8;
    broken[crc] ^= 1;
    for step in [1, 7, usize::MAX] {
        for takes_between in [false, true] {
            let mut decoder = Decoder::new();
            for piece in broken.chunks(step) {
                decoder.push(piece);
                if takes_between {
                    while decoder.next_entry().is_ok_and(|entry| entry.is_some()) {}
                }
            }
            decoder.fail(io::ErrorKind::ConnectionReset.into());
            let error =
                std::iter::from_fn(|| decoder.next_entry().transpose()).find_map(Result::err);
            match error {
                Some(error) => assert!(matches!(error.kind(), ErrorKind::Gzip(_)), "{error}"),
                None => assert!(takes_between && decoder.is_done()),
            }
        }
    }
    // And of a cut stream, the failure explains why the end is missing.
    let cut = &gzip(page().as_bytes())[..40];
    let (outcomes, _) = outcomes(Policy::LENIENT, cut, usize::MAX, true);
    let error = outcomes.last().unwrap().entry.as_ref().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
}
