#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::few;

#[test]
fn labels_are_those_of_encoding_rs() {
    let mut labels = 0;
    for encoding in few::all() {
        for label in encoding.labels() {
            let theirs = encoding_rs::Encoding::for_label(label.as_bytes());
            assert_eq!(
                theirs.map(|theirs| theirs.name()),
                Some(encoding.name()),
                "{label}"
            );
            let spelt = format!("\n {} \t", label.to_uppercase());
            assert_eq!(
                few::Encoding::for_label(spelt.as_bytes()),
                Some(encoding),
                "{label}"
            );
            labels += 1;
        }
    }
    // As many as the Encoding Standard has.
    assert_eq!(labels, 228);
    for unknown in [
        "",
        " ",
        "klingon",
        "utf-8 utf8",
        "utf-\u{e9}",
        "\u{a0}utf-8",
    ] {
        assert_eq!(
            few::Encoding::for_label(unknown.as_bytes()),
            None,
            "{unknown}"
        );
        assert_eq!(
            encoding_rs::Encoding::for_label(unknown.as_bytes()),
            None,
            "{unknown}"
        );
    }
}

/// What encoding_rs makes of the bytes.
fn expected(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> String {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out = String::with_capacity(bytes.len() * 4 + 16);
    let mut rest = bytes;
    loop {
        use encoding_rs::DecoderResult::{InputEmpty, Malformed, OutputFull};
        let (result, used) = decoder.decode_to_string_without_replacement(rest, &mut out, true);
        rest = &rest[used..];
        match result {
            InputEmpty => return out,
            OutputFull => out.reserve(64),
            Malformed(..) => out.push(super::MALFORMED),
        }
    }
}

fn check(pieces: &[Vec<u8>]) {
    for (few, theirs) in [
        (few::UTF_16LE, encoding_rs::UTF_16LE),
        (few::UTF_16BE, encoding_rs::UTF_16BE),
        (few::WINDOWS_1252, encoding_rs::WINDOWS_1252),
    ] {
        let mut decoder = few::Decoder::new(few);
        let mut out = String::new();
        for piece in pieces {
            decoder.decode(piece, false, &mut out);
        }
        decoder.decode(&[], true, &mut out);
        assert_eq!(out, expected(theirs, &pieces.concat()), "{}", few.name());
    }
}

#[test]
fn every_byte_and_every_unit_is_decoded_as_by_encoding_rs() {
    for unit in 0..=u16::MAX {
        check(&[unit.to_be_bytes().to_vec()]);
    }
}

#[test]
fn two_first_halves_are_two_mistakes() {
    check(&[vec![0xD8, 0, 0xD8, 0]]);
    check(&[vec![0, 0xD8, 0, 0xD8, 0, 0xDC]]);
}

proptest! {
    #[test]
    fn pieces_are_decoded_as_by_encoding_rs(
        pieces in prop::collection::vec(
            prop::collection::vec(prop_oneof![any::<u8>(), 0xD7..=0xE0_u8, Just(0)], 0..6),
            0..8,
        )
    ) {
        check(&pieces);
    }
}
