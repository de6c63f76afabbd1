//! Properties that hold for every input: one function per fuzz target. None of them needs a fuzzer.

mod choices;
mod documents;
mod entries;
mod paths;
mod reading;
mod urls;
mod values;

use std::io::Write;

use self::choices::Choices;
use crate::common::gzip as pack;

pub use self::urls::url;
pub use self::values::values;

/// Checks a property for these bytes; panics if it does not hold.
pub type Check = fn(&[u8]);

/// Every check, under its target's name.
pub const ALL: &[(&str, Check)] = &[
    ("reading", reading),
    ("structured", structured),
    ("differential", differential),
    ("round_trip", round_trip),
    ("values", values),
    ("url", url),
    ("gzip", gzip),
];

/// Any bytes are a document.
pub fn reading(bytes: &[u8]) {
    reading::document(bytes);
}

/// The bytes choose among the pieces of sitemap-like documents.
pub fn structured(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    if choices.below(3) == 0 {
        let head = choices.byte();
        paths::same(head, &documents::body(&mut choices));
    } else {
        reading::document(&documents::document(&mut choices));
    }
}

/// The first byte chooses a root, the rest is its content.
pub fn differential(bytes: &[u8]) {
    if let Some((&head, body)) = bytes.split_first()
        && let Ok(body) = std::str::from_utf8(body)
    {
        paths::same(head, body);
    }
}

/// The bytes choose entries, which are written and read.
pub fn round_trip(bytes: &[u8]) {
    entries::round_trip(&mut Choices::new(bytes));
}

/// The first four bytes choose how the rest is packed, and what is then done to it.
pub fn gzip(bytes: &[u8]) {
    let Some((&[how, place, value, more], text)) = bytes.split_first_chunk() else {
        return;
    };
    let mut packed = match how % 4 {
        0 => [&[0x1F, 0x8B], text].concat(),
        1 => {
            let (one, other) = text.split_at(usize::from(more) * text.len() / 255);
            [pack(one), pack(other)].concat()
        }
        2 => pack(&pack(text)),
        _ => {
            let builder = flate2::GzBuilder::new()
                .filename("a")
                .comment("b")
                .extra("c");
            let mut encoder = builder.write(Vec::new(), flate2::Compression::none());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        }
    };
    let intact = packed.clone();
    let at = usize::from(place) * packed.len() / 256;
    match how / 4 % 5 {
        0 => packed[at] ^= value,
        1 => packed.truncate(at),
        2 => packed.extend_from_slice(&[value, more]),
        3 => drop(packed.splice(at..at, [value, more])),
        _ => {}
    }
    reading::document(&packed);
    if how % 4 != 0 && how / 4 % 5 == 1 && at > 2 {
        reading::cut_gzip(&intact, &packed, text);
    }
}
