use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr2, memmem};

use crate::error::LooksLike;

/// How far the XML declaration is looked for.
pub(super) const WINDOW: usize = 1024;

/// No magic is longer.
const LONGEST_MAGIC: usize = 16;

const MAGICS: [(&[u8], LooksLike); 16] = [
    (b"PK\x03\x04", LooksLike::Zip),
    (b"PK\x05\x06", LooksLike::Zip),
    (b"%PDF-", LooksLike::Pdf),
    (b"\x28\xB5\x2F\xFD", LooksLike::Zstd),
    (b"\xFD7zXZ\x00", LooksLike::Xz),
    (b"7z\xBC\xAF\x27\x1C", LooksLike::SevenZip),
    (b"Rar!\x1A\x07", LooksLike::Rar),
    (b"\x89PNG\r\n\x1A\n", LooksLike::Png),
    (b"\xFF\xD8\xFF", LooksLike::Jpeg),
    (b"GIF87a", LooksLike::Gif),
    (b"GIF89a", LooksLike::Gif),
    (b"\x1F\x9D", LooksLike::Compress),
    (b"\xFF\xFE\0\0", LooksLike::Utf32),
    (b"\0\0\xFE\xFF", LooksLike::Utf32),
    // A `<` without a mark.
    (b"<\0\0\0", LooksLike::Utf32),
    (b"\0\0\0<", LooksLike::Utf32),
];

/// What the first bytes say.
#[derive(Debug, PartialEq)]
pub(super) enum Sniffed {
    Text {
        encoding: &'static Encoding,
        /// The length of the byte order mark.
        mark: usize,
        /// The label that was declared in vain.
        conflict: Option<String>,
    },
    /// No text at all; what it is instead.
    Other(LooksLike),
}

/// Tells the encoding by the first bytes, at most [`WINDOW`] of them. `complete`: there are no more.
/// `None` while more bytes could change the answer.
pub(super) fn sniff(head: &[u8], complete: bool) -> Option<Sniffed> {
    let complete = complete || head.len() >= WINDOW;
    if head.len() < LONGEST_MAGIC && !complete {
        return None;
    }
    if let Some(hint) = other(head) {
        return Some(Sniffed::Other(hint));
    }
    let (sure, mark) = by_bytes(head);
    let declared = match sure {
        Some(encoding) if encoding != UTF_8 => {
            let text = encoding.decode_without_bom_handling(head).0;
            declaration(text.as_bytes(), complete)?
        }
        _ => declaration(head, complete)?,
    };
    let (encoding, conflict) = match declared {
        None => (sure.unwrap_or(UTF_8), None),
        Some(label) => judge(sure, &label),
    };
    Some(Sniffed::Text {
        encoding,
        mark,
        conflict,
    })
}

fn other(head: &[u8]) -> Option<LooksLike> {
    match head {
        [
            b'B',
            b'Z',
            b'h',
            b'1'..=b'9',
            0x31,
            0x41,
            0x59,
            0x26,
            0x53,
            0x59,
            ..,
        ] => {
            return Some(LooksLike::Bzip2);
        }
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => {
            return Some(LooksLike::WebP);
        }
        // The magic of framed brotli is two Greek letters in UTF-8, so what follows must not be text.
        [0xCE, 0xB2, 0xCF, 0x81, rest @ ..] => {
            let rest = rest.get(..LONGEST_MAGIC - 4).unwrap_or(rest);
            let text = std::str::from_utf8(rest).map_or_else(|e| e.error_len().is_none(), |_| true);
            return (!text).then_some(LooksLike::Brotli);
        }
        _ => {}
    }
    let (_, hint) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic))?;
    Some(*hint)
}

/// The encoding that a mark or the pattern of the bytes leaves no doubt of, and the mark's length.
fn by_bytes(head: &[u8]) -> (Option<&'static Encoding>, usize) {
    match *head {
        [0xEF, 0xBB, 0xBF, ..] => (Some(UTF_8), 3),
        [0xFF, 0xFE, ..] => (Some(UTF_16LE), 2),
        [0xFE, 0xFF, ..] => (Some(UTF_16BE), 2),
        [b'<', 0, ..] | [0x01..=0x7F, 0, 0x01..=0x7F, 0, ..] => (Some(UTF_16LE), 0),
        [0, b'<', ..] | [0, 0x01..=0x7F, 0, 0x01..=0x7F, ..] => (Some(UTF_16BE), 0),
        _ => (None, 0),
    }
}

/// Which encoding holds when `label` is declared, and the label if it is ignored.
fn judge(sure: Option<&'static Encoding>, label: &[u8]) -> (&'static Encoding, Option<String>) {
    let declared = Encoding::for_label(label);
    let spelt = label.trim_ascii();
    let holds = match (sure, declared) {
        (_, None) => false,
        (None, Some(declared)) => ![REPLACEMENT, UTF_16LE, UTF_16BE].contains(&declared),
        // `utf-16` and its likes name no byte order, though encoding_rs reads them as little-endian.
        (Some(sure), Some(declared)) if sure == UTF_16BE && declared == UTF_16LE => {
            !spelt.eq_ignore_ascii_case(b"utf-16le") && !spelt.eq_ignore_ascii_case(b"unicodefeff")
        }
        (Some(sure), Some(declared)) => sure == declared,
    };
    let conflict = (!holds).then(|| String::from_utf8_lossy(label).into_owned());
    let encoding = match (sure, declared) {
        (None, Some(declared)) if holds => declared,
        _ => sure.unwrap_or(UTF_8),
    };
    (encoding, conflict)
}

/// The value of `encoding` in the first XML declaration. The outer `None`: not known yet.
fn declaration(text: &[u8], complete: bool) -> Option<Option<Vec<u8>>> {
    let start = declaration_start(text);
    let inside = start.and_then(|start| text.get(start + 5..));
    // A `>` alone ends it too: the `?` may be missing.
    let end = inside.and_then(|inside| inside.iter().position(|&byte| byte == b'>'));
    if end.is_none() && !complete {
        return None;
    }
    Some(inside.and_then(|inside| {
        let inside = end.and_then(|end| inside.get(..end)).unwrap_or(inside);
        label(inside).map(<[u8]>::to_vec)
    }))
}

/// The first declaration that is not in a comment or a document type.
fn declaration_start(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'<', text.get(at..)?)?;
        let rest = text.get(at..)?;
        if rest.starts_with(b"<?xml") && rest.get(5).is_some_and(is_space) {
            return Some(at);
        }
        let end: &[u8] = if rest.starts_with(b"<!--") {
            b"-->"
        } else if rest.starts_with(b"<!DOCTYPE") {
            let opened = memchr2(b'[', b'>', rest)?;
            match rest.get(opened) {
                Some(b'[') => b"]",
                _ => b">",
            }
        } else {
            b"<"
        };
        at += memmem::find(rest, end)? + end.len();
    }
}

fn label(inside: &[u8]) -> Option<&[u8]> {
    let mut rest = inside;
    loop {
        let (before, after) = rest.split_first()?;
        rest = after;
        if is_space(before) || matches!(before, b'"' | b'\'') {
            let value = after.strip_prefix(b"encoding").and_then(quoted_value);
            if value.is_some() {
                return value;
            }
        }
    }
}

/// What stands in quotes after `=`.
fn quoted_value(text: &[u8]) -> Option<&[u8]> {
    let after = text.trim_ascii_start().strip_prefix(b"=")?;
    let (quote, value) = after.trim_ascii_start().split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = value.iter().position(|byte| byte == quote)?;
    value.get(..end)
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
