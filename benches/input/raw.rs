//! Reading without interpretation, as the benchmarks of the library and of its record batches compare with it.

use std::hint::black_box;
use std::io::Read;

use quick_sitemap::{ChangeFreq, Priority, RawElement, Reader, W3cDatetime};

/// The parts of a raw entry that a pass reads.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Touch {
    Loc,
    /// Every value of the entry, parsed.
    Values,
    /// Every element, text and attribute too.
    Everything,
}

pub(crate) fn raw(input: impl Read, touch: Touch) -> usize {
    let mut reader = Reader::new(input);
    let mut entries = 0;
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        black_box(entry.loc());
        if touch != Touch::Loc {
            black_box(
                entry
                    .lastmod()
                    .map(str::parse::<W3cDatetime>)
                    .is_some_and(|v| v.is_ok()),
            );
            black_box(
                entry
                    .changefreq()
                    .map(str::parse::<ChangeFreq>)
                    .is_some_and(|v| v.is_ok()),
            );
            black_box(
                entry
                    .priority()
                    .map(str::parse::<Priority>)
                    .is_some_and(|v| v.is_ok()),
            );
        }
        if touch == Touch::Everything {
            entry.elements().for_each(look_at);
        }
        entries += 1;
    }
    entries
}

fn look_at(element: RawElement<'_>) {
    black_box((element.name(), element.text()));
    element.attributes().for_each(|attribute| {
        black_box(attribute);
    });
    element.children().for_each(look_at);
}
