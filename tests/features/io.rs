//! Inputs that fail, and the calls that may come at any time.

use std::collections::VecDeque;
use std::error::Error as _;
use std::io::{self, ErrorKind as Kind, Read};

use crate::common::{self, Said, push, push_into, read, read_slice, reader_of, url, urlset};
use quick_sitemap::{
    Decoder, EntryKind, ErrorKind, Format, Policy, Reader, ReaderBuilder, Rule, Step,
};

/// A `Read` with a script: bytes or an error, one a call; then the end.
struct Script(VecDeque<Result<Vec<u8>, Kind>>);

impl Script {
    fn new<const N: usize>(steps: [Result<&str, Kind>; N]) -> Self {
        Self(
            steps
                .into_iter()
                .map(|step| step.map(|text| text.as_bytes().to_vec()))
                .collect(),
        )
    }
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.pop_front() {
            Some(Ok(bytes)) => {
                buffer[..bytes.len()].copy_from_slice(&bytes);
                Ok(bytes.len())
            }
            Some(Err(kind)) => Err(kind.into()),
            None => Ok(0),
        }
    }
}

const ONE: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url>";
const TWO: &str = "<url><loc>https://example.com/2</loc></url>";
const END: &str = "</urlset>";

/// Enough text that everything before it can be judged: the first 1,024 bytes determine the encoding.
fn padding() -> Vec<u8> {
    vec![b' '; 70_000]
}

#[test]
fn a_directory_is_not_opened_as_a_file() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let error = Reader::from_path(folder).unwrap_err();
    assert!(error.is_fatal());
    assert!(format!("{error:#}").starts_with(folder), "{error:#}");
}

#[test]
fn the_entries_before_a_failure_are_given_then_the_error() {
    for kind in [
        Kind::ConnectionReset,
        Kind::UnexpectedEof,
        Kind::Other,
        Kind::InvalidData,
    ] {
        let input = Script::new([Ok(ONE), Ok(&TWO[..20]), Err(kind), Ok(&TWO[20..]), Ok(END)]);
        let mut reader = Reader::new(input);
        assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/1");
        let error = reader.next().unwrap().unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Io(io) if io.kind() == kind),
            "{error:?}"
        );
        assert!(error.is_fatal());
        assert_eq!(error.to_string(), "I/O error");
        let cause = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
        assert_eq!(cause.kind(), kind);
        assert_eq!(format!("{error:#}"), format!("I/O error: {cause}"));
        for _ in 0..3 {
            assert!(reader.next().is_none());
            assert!(reader.read_raw().unwrap().is_none());
            assert!(reader.take_entry().unwrap().is_none());
        }
        assert_eq!(reader.format(), Some(Format::Urlset));
    }
}

#[test]
fn a_failure_behind_the_last_entry_is_an_error_too() {
    let outcome = read(
        &common::lenient(),
        Script::new([Ok(ONE), Ok(TWO), Err(Kind::Other)]),
    );
    assert_eq!(
        outcome.locs(),
        ["https://example.com/1", "https://example.com/2"]
    );
    assert_eq!(outcome.fatal(), "Io");
}

#[test]
fn a_failure_at_once() {
    let mut reader = Reader::new(Script::new([Err(Kind::PermissionDenied), Ok(ONE)]));
    assert!(reader.next().unwrap().unwrap_err().is_fatal());
    assert!(reader.next().is_none());
}

#[test]
fn interrupted_is_retried() {
    let no = Err(Kind::Interrupted);
    let input = Script::new([
        no,
        no,
        Ok(&ONE[..30]),
        no,
        Ok(&ONE[30..]),
        no,
        Ok(TWO),
        Ok(END),
        no,
    ]);
    let outcome = read(&common::strict(), input);
    assert_eq!(outcome, read_slice(format!("{ONE}{TWO}{END}")));
}

#[test]
fn would_block_and_timed_out_are_not_fatal_and_lose_nothing() {
    let text = format!(
        "{}<url/>{}{}{END}",
        ONE,
        TWO,
        "<url><loc>nonsense</loc></url>".repeat(2)
    );
    let whole = read_slice(&text);
    for kind in [Kind::WouldBlock, Kind::TimedOut] {
        for size in [1, 7, 50] {
            let mut steps = VecDeque::new();
            for piece in text.as_bytes().chunks(size) {
                steps.push_back(Err(kind));
                steps.push_back(Ok(piece.to_vec()));
            }
            steps.push_back(Err(kind));
            let outcome = read(&common::lenient(), Script(steps));
            let (errors, rest): (Vec<Said>, Vec<Said>) = outcome
                .said
                .into_iter()
                .partition(|said| matches!(said, Said::Error(_)));
            assert_eq!(errors.len(), text.len().div_ceil(size) + 1);
            assert!(errors.iter().all(
                |error| matches!(error, Said::Error(error) if !error.fatal && error.kind == "Io")
            ));
            assert_eq!(rest, whole.said, "{kind} every {size} bytes");
        }
    }
}

#[test]
fn would_block_while_the_format_is_looked_for() {
    let block = Err(Kind::WouldBlock);
    let mut reader = Reader::new(Script::new([
        block,
        Ok(&ONE[..5]),
        block,
        Ok(&ONE[5..]),
        Ok(END),
    ]));
    assert_eq!(reader.format(), None);
    assert_eq!(reader.format(), None);
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/1");
    assert!(reader.next().is_none());
}

#[test]
fn the_format_first() {
    for (text, format) in [
        (format!("{ONE}{END}"), Some(Format::Urlset)),
        (
            common::index("<sitemap><loc>https://example.com/1</loc></sitemap>"),
            Some(Format::Index),
        ),
        ("https://example.com/1\n".to_owned(), Some(Format::Text)),
        ("<html/>".to_owned(), None),
        (String::new(), None),
    ] {
        let mut reader = reader_of(&text);
        assert_eq!(reader.format(), format, "{text}");
        assert_eq!(reader.format(), format, "{text}");
        let step = reader.next().unwrap();
        assert_eq!(step.is_ok(), format.is_some(), "{text}: {step:?}");
        if let Ok(entry) = step {
            assert_eq!(entry.loc().path(), "/1");
        }
        assert!(reader.next().is_none());
        assert_eq!(reader.format(), format, "{text}");
    }
}

#[test]
fn what_is_met_before_the_format_is_known_comes_with_the_first_entry() {
    let text = format!(
        " <?xml version=\"1.0\"?><!DOCTYPE urlset>{}",
        ONE.replace("http:", "https:")
    ) + END;
    let rules = [
        Rule::ContentBeforeDeclaration,
        Rule::Doctype,
        Rule::WrongNamespace,
    ];
    for policy in [Policy::LENIENT, Policy::STRICT] {
        let builder = ReaderBuilder::new().policy(policy);
        let mut reader = builder.build(text.as_bytes());
        assert_eq!(reader.format(), Some(Format::Urlset));
        assert_eq!(reader.issues(), [], "they would be given twice");
        let mut found = Vec::new();
        let mut locs = 0;
        while let Some(step) = reader.next() {
            match step {
                Ok(_) => locs += 1,
                // The first violation of the head is the error, the rest are issues.
                Err(error) => match error.kind() {
                    ErrorKind::Violation(violation) => found.push(violation.rule()),
                    other => panic!("{other}"),
                },
            }
            found.extend(reader.issues().iter().map(|issue| issue.violation.rule()));
        }
        assert_eq!((locs, &found[..]), (1, &rules[..]), "{policy:?}");
    }
}

#[test]
fn to_ask_for_a_format_that_is_known_changes_nothing() {
    let text = format!("<!DOCTYPE urlset>{ONE}{END}");
    let mut reader = reader_of(&text);
    assert!(reader.next().unwrap().is_ok());
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert_eq!(reader.issues()[0].rule(), Rule::Doctype);
}

#[test]
fn the_format_after_an_error() {
    let text = format!("{ONE}<url>");
    let mut reader = reader_of(&text);
    assert!(reader.by_ref().last().unwrap().is_err());
    assert_eq!(reader.format(), Some(Format::Urlset));
    let mut reader = Reader::new(Script::new([Ok(ONE), Err(Kind::Other)]));
    while reader.next().is_some() {}
    assert_eq!(reader.format(), Some(Format::Urlset));
}

#[test]
fn nothing_is_read_before_it_is_asked_for() {
    struct Never;
    impl Read for Never {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("read");
        }
    }
    let reader = Reader::new(Never);
    assert_eq!(reader.issues(), []);
    let Never = reader.into_inner();
}

#[test]
fn a_read_that_claims_too_much() {
    struct Liar(bool);
    impl Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let first = std::mem::replace(&mut self.0, false);
            Ok(if first { buffer.len() + 1_000 } else { 0 })
        }
    }
    assert!(Reader::new(Liar(true)).all(|step| step.is_err()));
}

#[test]
fn a_file_that_is_not_there() {
    let error = Reader::from_path("/does/not/exist.xml").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(io) if io.kind() == Kind::NotFound));
    assert!(error.is_fatal());
    assert_eq!(error.position(), None);
    assert_eq!(error.to_string(), "/does/not/exist.xml: I/O error");
    let cause = error.source().unwrap().to_string();
    assert_eq!(
        format!("{error:?}"),
        format!("Error(/does/not/exist.xml: I/O error: {cause})")
    );
    assert!(!cause.contains("exist.xml"), "it would be said twice");
    let back = io::Error::from(error);
    assert_eq!(back.kind(), Kind::NotFound);
    assert_eq!(back.to_string(), "/does/not/exist.xml: I/O error");
    assert_eq!(back.source().unwrap().to_string(), cause);
}

#[test]
fn the_cause_of_an_io_error_is_its_own() {
    #[derive(Debug, thiserror::Error)]
    #[error("the connection broke")]
    struct Broken(#[source] std::num::ParseIntError);
    let cause = "x".parse::<u8>().unwrap_err();
    let error = quick_sitemap::Error::from(io::Error::other(Broken(cause.clone())));
    let mut chain = vec![error.to_string()];
    let mut source = error.source();
    while let Some(error) = source {
        chain.push(error.to_string());
        source = error.source();
    }
    // As anyhow prints it, each once.
    let said = ["I/O error", "the connection broke", &cause.to_string()];
    assert_eq!(chain, said);
    assert_eq!(format!("{error:#}"), said.join(": "));
    assert_eq!(error.kind().to_string(), "I/O error");
    // The original error is returned, without another wrapper.
    assert_eq!(io::Error::from(error).to_string(), "the connection broke");
}

#[test]
fn errors_become_io_errors() {
    for (text, kind) in [
        ("<urlset>", Kind::UnexpectedEof),
        ("<html/>", Kind::InvalidData),
        ("{}", Kind::InvalidData),
    ] {
        let error = read_error(text);
        let message = error.to_string();
        let error = io::Error::from(error);
        assert_eq!((error.kind(), error.to_string()), (kind, message));
        assert!(error.get_ref().unwrap().is::<quick_sitemap::Error>());
    }
}

#[test]
fn what_was_found_can_be_matched() {
    let packed = common::gzip(b"https://example.com/");
    let mut wrong = packed.clone();
    let at = wrong.len() - 8;
    wrong[at] ^= 1;
    let four = common::gzip(&common::gzip(&common::gzip(&packed)));
    assert!(matches!(
        read_error(&wrong).into_kind(),
        ErrorKind::Gzip("checksum does not match")
    ));
    assert!(matches!(
        read_error(&four).into_kind(),
        ErrorKind::LimitExceeded("more than three layers of gzip")
    ));
    for (bytes, looks_like) in [
        (&b""[..], "it is empty"),
        (b"{}", "it looks like JSON"),
        (
            b"not found",
            "it is neither XML nor text with a URL on a line",
        ),
        (b"%PDF-1.7", "the bytes are a PDF document"),
    ] {
        let error = read_error(bytes);
        assert!(
            matches!(error.kind(), ErrorKind::NotASitemap(found) if found.to_string() == looks_like),
            "{error}"
        );
    }
}

fn read_error(bytes: impl AsRef<[u8]>) -> quick_sitemap::Error {
    Reader::from_bytes(bytes).find_map(Result::err).unwrap()
}

#[test]
fn the_iterator_is_done_after_each_fatal_error() {
    for text in ["<html/>", "", "{}", "<urlset>", "\u{1F}\u{8B}"] {
        let outcome = read_slice(text);
        assert_eq!(outcome.errors().len(), 1, "{text:?}");
        assert!(outcome.errors()[0].fatal, "{text:?}");
    }
    let bytes = [
        &common::gzip(urlset(TWO).as_bytes())[..12],
        b"garbage that is no deflate data",
    ]
    .concat();
    assert_eq!(read_slice(&bytes).fatal(), "Gzip");
}

#[test]
fn a_decoder_is_used_again() {
    let documents: [&[u8]; 8] = [
        urlset(TWO).into_bytes().leak(),
        b"<html/>",
        b"https://example.com/1\nnonsense\n",
        b"<?xml version='1.0' encoding='windows-1252'?><urlset><url><loc>https://example.com/\xE4</loc></url>",
        common::gzip(b"https://example.com/1").leak(),
        b"",
        b"<URLSET><Url/></URLSET>",
        b"<urlset><url><loc>https://example.com/",
    ];
    for policy in [Policy::LENIENT, Policy::STRICT] {
        let builder = ReaderBuilder::new().policy(policy).max_bytes(1_000);
        let mut decoder = builder.decoder();
        for before in documents {
            for after in documents {
                for stop in [0, 5, usize::MAX] {
                    decoder.reset();
                    decoder.push(&before[..before.len().min(stop)]);
                    while matches!(decoder.next_entry(), Ok(Some(_))) {}
                    decoder.reset();
                    assert_eq!(decoder.issues(), []);
                    assert_eq!(decoder.format(), None);
                    let again = push_into(&mut decoder, after, || 9);
                    assert_eq!(
                        again,
                        push(&builder, after, || 9),
                        "after {:?}",
                        String::from_utf8_lossy(before)
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_pushed_after_the_end_is_ignored() {
    let mut decoder = Decoder::new();
    decoder.push(ONE.as_bytes());
    decoder.push(END.as_bytes());
    decoder.finish();
    decoder.push(urlset(TWO).as_bytes());
    assert_eq!(decoder.next_entry().unwrap().unwrap().loc().path(), "/1");
    assert!(decoder.next_entry().unwrap().is_none());
    decoder.push(urlset(TWO).as_bytes());
    decoder.finish();
    assert!(decoder.next_entry().unwrap().is_none());
    assert_eq!(decoder.issues(), []);
    assert_eq!(decoder.advance().unwrap(), Step::End);
}

#[test]
fn what_is_pushed_after_a_fatal_error_is_ignored() {
    let mut decoder = Decoder::new();
    decoder.push(b"<html>");
    decoder.push(&padding());
    assert!(decoder.next_entry().unwrap_err().is_fatal());
    decoder.push(urlset(TWO).as_bytes());
    decoder.finish();
    assert!(decoder.next_entry().unwrap().is_none());
}

#[test]
fn nothing_pushed_needs_more_and_nothing_at_all_is_no_sitemap() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.advance().unwrap(), Step::NeedMore);
    decoder.push(b"");
    assert_eq!(decoder.advance().unwrap(), Step::NeedMore);
    assert!(decoder.next_entry().unwrap().is_none());
    decoder.finish();
    assert!(matches!(
        decoder.advance().unwrap_err().kind(),
        ErrorKind::NotASitemap(_)
    ));
    assert_eq!(decoder.advance().unwrap(), Step::End);
}

#[test]
fn raw_without_an_entry_is_none() {
    let mut decoder = Decoder::new();
    let empty = |decoder: &Decoder| assert!(decoder.raw().is_none());
    empty(&decoder);
    assert!(decoder.take_entry().unwrap().is_none());
    decoder.push(ONE.as_bytes());
    decoder.push(&padding());
    assert_eq!(decoder.advance().unwrap(), Step::Entry);
    let raw = decoder.raw().unwrap();
    assert_eq!(raw.loc(), Some("https://example.com/1"));
    assert_eq!(raw.kind(), EntryKind::Url);
    assert_eq!(raw.position().entry(), 1);
    assert_eq!(decoder.advance().unwrap(), Step::NeedMore);
    empty(&decoder);
    assert!(decoder.take_entry().unwrap().is_none());
    decoder.push(END.as_bytes());
    decoder.finish();
    assert_eq!(decoder.advance().unwrap(), Step::End);
    empty(&decoder);
    assert!(decoder.take_entry().unwrap().is_none());
}

#[test]
fn the_same_entry_twice() {
    let text = urlset(
        "<url><loc>https://example.com/</loc><priority>2</priority></url><url/><url><loc>https://example.com/2</loc></url>",
    );
    let mut reader = reader_of(&text);
    assert!(reader.take_entry().unwrap().is_none());
    reader.read_raw().unwrap().unwrap();
    assert_eq!(reader.issues(), []);
    let first = reader.take_entry().unwrap().unwrap();
    let issues = reader.issues().to_vec();
    assert_eq!(issues.len(), 1);
    assert_eq!(first.loc().path(), "/");
    assert!(reader.take_entry().unwrap().is_none());
    assert_eq!(reader.issues(), issues);
    reader.read_raw().unwrap().unwrap();
    assert!(reader.take_entry().unwrap().is_none());
    assert_eq!(reader.issues()[0].violation.rule(), Rule::MissingLoc);
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/2");
    assert!(reader.next().is_none());
}

#[test]
fn raw_and_typed_calls_may_be_mixed() {
    let text = urlset(
        &(1..=4)
            .map(|n| url(&format!("https://example.com/{n}")))
            .collect::<String>(),
    );
    let mut reader = reader_of(&text);
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/1");
    assert_eq!(
        reader.read_raw().unwrap().unwrap().loc(),
        Some("https://example.com/2")
    );
    assert_eq!(reader.next().unwrap().unwrap().loc().path(), "/3");
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert_eq!(
        reader.read_raw().unwrap().unwrap().loc(),
        Some("https://example.com/4")
    );
    assert_eq!(reader.take_entry().unwrap().unwrap().loc().path(), "/4");
    assert!(reader.read_raw().unwrap().is_none());
    assert!(reader.take_entry().unwrap().is_none());
}

#[test]
fn raw_reading_raises_violations_of_the_markup_only() {
    let text = urlset(
        "<url><loc>nonsense</loc><priority>2</priority></url><url><loc>https://example.com/</loc></urls></url>",
    );
    let mut reader = common::strict().build(text.as_bytes());
    let raw = reader.read_raw().unwrap().unwrap();
    assert_eq!((raw.loc(), raw.priority()), (Some("nonsense"), Some("2")));
    let error = reader.take_entry().unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Violation(violation) if violation.rule() == Rule::InvalidUrl)
    );
    assert_eq!(reader.issues()[0].violation.rule(), Rule::InvalidPriority);
    let error = reader.read_raw().unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Violation(violation) if violation.rule() == Rule::MismatchedTag)
    );
    assert!(reader.take_entry().unwrap().is_none());
    assert!(reader.read_raw().unwrap().is_none());
}

#[test]
fn everything_can_be_sent() {
    fn sent<T: Send + Sync + 'static>() {}
    sent::<Decoder>();
    sent::<Reader<io::Empty>>();
    sent::<quick_sitemap::Error>();
    sent::<quick_sitemap::Entry>();
    assert_eq!(size_of::<quick_sitemap::Error>(), size_of::<usize>());
}

/// Bytes that a decoder stores are not lost if more are pushed when some of them have been read.
#[test]
fn bytes_can_be_pushed_after_any_entry() {
    let mut number = 1_u64;
    let locs: Vec<String> = std::iter::repeat_with(|| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("https://example.com/{number:x}")
    })
    .take(6_000)
    .collect();
    let text = locs.join("\n") + "\n";
    for bytes in [text.clone().into_bytes(), common::gzip(text.as_bytes())] {
        let (first, rest) = bytes.split_at(bytes.len() * 2 / 3);
        for before in (0..4_000).step_by(250) {
            let mut decoder = Decoder::new();
            decoder.push(first);
            let mut read: Vec<String> = Vec::new();
            let loc = |entry: quick_sitemap::Entry| entry.loc().to_string();
            while read.len() < before
                && let Some(entry) = decoder.next_entry().unwrap()
            {
                read.push(loc(entry));
            }
            decoder.push(rest);
            decoder.finish();
            read.extend(decoder.entries().map(|entry| loc(entry.unwrap())));
            assert!(read == locs, "after {before} entries");
        }
    }
}

/// After `reset`, nothing of the document before is left, although a part of it was pushed and not read.
#[test]
fn bytes_that_were_not_read_end_with_a_reset() {
    let text = "https://example.com/1\n".repeat(50_000);
    for bytes in [text.clone().into_bytes(), common::gzip(text.as_bytes())] {
        let mut decoder = Decoder::new();
        decoder.push(&bytes);
        assert!(decoder.next_entry().unwrap().is_some());
        decoder.reset();
        decoder.push(b"https://example.com/2\n");
        decoder.finish();
        let read = decoder.entries().take(3);
        let read = read.map(|entry| entry.unwrap().loc().path().to_owned());
        assert_eq!(read.collect::<Vec<_>>(), ["/2"]);
    }
}

/// The lines of a text are pages, whatever the decoder has read before.
#[test]
fn a_text_after_an_index_has_pages() {
    let mut decoder = Decoder::new();
    decoder
        .push(b"<sitemapindex><sitemap><loc>https://example.com/1</loc></sitemap></sitemapindex>");
    decoder.finish();
    assert!(
        decoder
            .next_entry()
            .unwrap()
            .unwrap()
            .into_sitemap()
            .is_some()
    );
    decoder.reset();
    decoder.push(b"https://example.com/2\n");
    decoder.finish();
    assert!(decoder.next_entry().unwrap().unwrap().as_url().is_some());
}
