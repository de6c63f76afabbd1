//! `ReaderBuilder::on_text` gets each piece of the decoded text once and in order, before it is parsed.

use std::sync::{Arc, Mutex};

use crate::common::{self, gzip, url, urlset};
use proptest::prelude::*;
use quick_sitemap::{Decoder, ReaderBuilder, TextPiece};

/// The text so far; `�` represents bytes that are not in the encoding.
type Text = Arc<Mutex<String>>;

fn collecting(builder: ReaderBuilder) -> (ReaderBuilder, Text) {
    let text = Text::default();
    let collected = Arc::clone(&text);
    let builder = builder.on_text(move |piece| {
        let piece = match piece {
            TextPiece::Text("") => panic!("an empty piece"),
            TextPiece::Text(text) => text,
            TextPiece::BadBytes => "\u{FFFD}",
        };
        collected.lock().unwrap().push_str(piece);
    });
    (builder, text)
}

/// Takes the text that was collected.
fn take(text: &Text) -> String {
    std::mem::take(&mut *text.lock().unwrap())
}

/// Pushes bytes in pieces of this size, and takes all entries after each.
fn push_all(decoder: &mut Decoder, bytes: &[u8], size: usize) {
    for piece in bytes.chunks(size) {
        decoder.push(piece);
        decoder.entries().for_each(drop);
    }
    decoder.finish();
    decoder.entries().for_each(drop);
}

fn utf_16(text: &str) -> Vec<u8> {
    let units = text.encode_utf16();
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn the_text_is_that_of_the_document_for_every_way_and_division() {
    let text = urlset(&format!(
        "\r\n{}<!-- \u{1D11E} é -->",
        url("https://example.com/é")
    ));
    let latin = format!("<?xml version='1.0' encoding='iso-8859-1'?>{}", urlset("é"));
    let latin_bytes: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    let lines = "https://example.com/a\n\nnonsense é\rhttps://example.com/b";
    let documents: [(&str, Vec<u8>); 9] = [
        (&text, text.as_bytes().to_vec()),
        (&text, format!("\u{FEFF}{text}").into_bytes()),
        (&text, gzip(text.as_bytes())),
        (&text, gzip(&gzip(text.as_bytes()))),
        (&text, utf_16(&format!("\u{FEFF}{text}"))),
        (&latin, latin_bytes),
        (lines, lines.as_bytes().to_vec()),
        ("\u{FEFF}", "\u{FEFF}\u{FEFF}".into()),
        ("", Vec::new()),
    ];
    for (expected, bytes) in documents {
        let (builder, text) = collecting(ReaderBuilder::new());
        builder.from_bytes(&bytes).for_each(drop);
        assert_eq!(take(&text), expected);
        builder.build(&*bytes).outcomes().for_each(drop);
        assert_eq!(take(&text), expected);
        let mut decoder = builder.decoder();
        for size in [1, 2, 3, 7, bytes.len().max(1)] {
            push_all(&mut decoder, &bytes, size);
            assert_eq!(take(&text), expected, "in pieces of {size}");
            decoder.reset();
        }
    }
}

#[test]
fn bad_bytes_are_told_from_text() {
    let body = b"https://example.com/\xFF\xE2\x82a\xEF\xBF\xBD\xF0\x9F\n\xC3";
    for size in [1, 2, 3, 7, 100] {
        let pieces = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&pieces);
        let builder = ReaderBuilder::new().on_text(move |piece| {
            let mut pieces = collected.lock().unwrap();
            match piece {
                TextPiece::Text(text) => pieces.extend(text.chars().map(Some)),
                TextPiece::BadBytes => pieces.push(None),
            }
        });
        push_all(&mut builder.decoder(), body, size);
        let mut expected: Vec<_> = "https://example.com/".chars().map(Some).collect();
        let rest = [
            None,
            None,
            Some('a'),
            Some('\u{FFFD}'),
            None,
            Some('\n'),
            None,
        ];
        expected.extend(rest);
        assert_eq!(*pieces.lock().unwrap(), expected, "in pieces of {size}");
    }
}

/// Every entry that has been returned is in text that the callback has got.
#[test]
fn a_piece_comes_before_it_is_parsed() {
    let text = urlset(&url("https://example.com/").repeat(5_000));
    let (builder, collected) = collecting(ReaderBuilder::new());
    let mut reader = builder.from_bytes(&text);
    let mut entries = 0;
    while reader.read_raw().unwrap().is_some() {
        entries += 1;
        let got = collected.lock().unwrap().len() as u64;
        let end = url("https://example.com/").len() as u64;
        assert!(reader.raw().unwrap().position().byte() + end <= got);
    }
    assert_eq!(entries, 5_000);
    assert_eq!(take(&collected), text);
}

#[test]
fn what_ends_reading_ends_the_text() {
    let text = format!(
        "{}{}",
        urlset(&url("https://example.com/")),
        " ".repeat(100)
    );
    let whole = text.len();
    let (builder, collected) = collecting(ReaderBuilder::new().max_bytes(150));
    builder.from_bytes(&text).for_each(drop);
    assert_eq!(take(&collected), text[..150]);
    let (builder, collected) = collecting(ReaderBuilder::new());
    builder.from_bytes(&text[..whole - 130]).for_each(drop);
    assert_eq!(take(&collected), text[..whole - 130]);
    // The page ends reading at its root.
    builder.from_bytes("<!DOCTYPE html>\n<html>").for_each(drop);
    assert!(take(&collected).starts_with("<!DOCTYPE html>\n<html"));
}

#[test]
fn the_last_callback_is_used() {
    let (builder, first) = collecting(ReaderBuilder::new());
    let (builder, second) = collecting(builder);
    builder.from_bytes("https://example.com/\n").for_each(drop);
    assert_eq!(
        (&*take(&first), &*take(&second)),
        ("", "https://example.com/\n")
    );
}

proptest! {
    #[test]
    fn divisions_do_not_matter(
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
        label in prop::sample::select(vec!["utf-8", "windows-1252", "shift_jis"]),
        size in 1..9_usize,
    ) {
        let declared = format!("<?xml version='1.0' encoding='{label}'?><urlset xmlns='{}'>", common::NS);
        let bytes = [declared.as_bytes(), &bytes].concat();
        let (builder, text) = collecting(ReaderBuilder::new());
        push_all(&mut builder.decoder(), &bytes, bytes.len());
        let whole = take(&text);
        push_all(&mut builder.decoder(), &bytes, size);
        prop_assert_eq!(take(&text), whole);
    }
}
