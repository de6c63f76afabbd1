//! One work over a fixed input, for `benches/peers/instructions.sh`, which counts its instructions.
//!
//! `instructions WORK`; without an argument, it lists the works and what each is compared with.

#[path = "../../../input/mod.rs"]
mod input;

use std::hint::black_box;

use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, UrlsetWriter};

use crate::input::Touch;

const ENTRIES: usize = 5_000;

/// The only function whose instructions are counted; the script contains its name.
#[inline(never)]
fn measured(work: &dyn Fn() -> usize) -> usize {
    black_box(work())
}

fn bare_write(entries: &[UrlEntry], room: usize) -> usize {
    input::bare_write(entries, room).map_or(0, |written| written.len())
}

fn main() {
    let typical = input::sitemap(ENTRIES, false);
    let extended = input::sitemap(ENTRIES, true);
    let reversed = input::with_links_reversed(&extended);
    let general = input::without_fast_path(&typical);
    let gz = input::gzip(typical.as_bytes());
    let entries = input::entries(&typical);
    let text = input::text(&entries);
    let room = typical.len() * 2;
    let with_extensions = input::entries(&extended);
    input::check_bare_write(&entries);
    input::check_bare_write(&with_extensions);
    let write = || input::write(&entries, room).len();
    let bare_write = || self::bare_write(&entries, room);
    let write_extended = || input::write(&with_extensions, extended.len() * 2).len();
    let bare_write_extended = || self::bare_write(&with_extensions, extended.len() * 2);
    let rows: Vec<_> = entries.iter().map(input::Row::of).collect();
    let build = || {
        let locs = rows.iter().map(|row| &*row.loc);
        locs.filter(|loc| black_box(UrlEntry::try_from(*loc)).is_ok())
            .count()
    };
    let from_text = || {
        let writer = UrlsetWriter::new(Vec::with_capacity(room));
        let written = input::write_rows(&rows, writer);
        written.expect("a Vec takes anything").len()
    };
    let parse = || text.lines().filter_map(|loc| Url::parse(loc).ok()).count();
    let raw = |xml: &str, touch| input::raw(xml.as_bytes(), touch);
    // Name, name of the work that it is compared with, the work.
    let works: [(&str, &str, &dyn Fn() -> usize); 21] = [
        ("bare", "bare", &|| input::bare(&typical)),
        ("raw", "bare", &|| raw(&typical, Touch::Loc)),
        ("raw_values", "bare", &|| raw(&typical, Touch::Values)),
        ("typed", "bare", &|| input::typed(typical.as_bytes())),
        ("url_parse", "bare", &parse),
        ("raw_text", "bare", &|| raw(&text, Touch::Loc)),
        ("bare_general", "bare_general", &|| input::bare(&general)),
        ("raw_general", "bare_general", &|| raw(&general, Touch::Loc)),
        ("bare_extended", "bare_extended", &|| input::bare(&extended)),
        ("raw_everything", "bare_extended", &|| {
            raw(&extended, Touch::Everything)
        }),
        ("typed_extended", "bare_extended", &|| {
            input::typed(extended.as_bytes())
        }),
        ("raw_everything_reversed", "bare_extended", &|| {
            raw(&reversed, Touch::Everything)
        }),
        ("typed_extended_reversed", "bare_extended", &|| {
            input::typed(reversed.as_bytes())
        }),
        ("inflate", "bare", &|| input::inflate(&gz)),
        ("raw_gz", "bare", &|| input::raw(&*gz, Touch::Loc)),
        ("bare_write", "bare_write", &bare_write),
        ("write", "bare_write", &write),
        (
            "bare_write_extended",
            "bare_write_extended",
            &bare_write_extended,
        ),
        ("write_extended", "bare_write_extended", &write_extended),
        ("build", "bare", &build),
        ("from_text", "bare_write", &from_text),
    ];
    let Some(name) = std::env::args().nth(1) else {
        for (name, beside, _) in works {
            println!("{name} {beside} {ENTRIES}");
        }
        return;
    };
    let work = works.iter().find(|work| work.0 == name);
    let (_, _, work) = work.expect("one of the names that are listed");
    assert!(measured(work) > 0);
}
