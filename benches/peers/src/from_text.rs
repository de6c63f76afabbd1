//! From text to bytes: what a site's generator has, strings of a database, made into entries and written. The clock runs
//! for both.

use quick_sitemap::UrlsetWriter;
use sitemapo::EntryBuilder;
use sitemapo::record::{Entry, Frequency, Priority};

use crate::Pass;
use crate::input::{Row, bare_write_rows, write_rows};
use crate::rows::sitemap_writer;
use crate::writing::{OURS, Write, checked, timed};

pub(crate) fn passes<'a>(xml: &str, rows: &'a [Row]) -> Vec<Pass<'a>> {
    let room = xml.len() * 2;
    let crates: [(&'static str, &'static str, Write<'a>); 4] = [
        (
            OURS,
            "`UrlEntry::try_from`, values parsed, every rule checked",
            Box::new(move || timed(|| quick_sitemap(rows, room))),
        ),
        (
            "quick-xml's `Writer`",
            "the texts as they are",
            Box::new(move || timed(|| bare_write_rows(rows, room).expect("a Vec takes anything"))),
        ),
        (
            "sitemapo",
            "`Url`, values parsed; dates get a time",
            Box::new(move || timed(|| sitemapo(rows, room))),
        ),
        (
            "sitemap-writer",
            "the texts as they are, except the priority",
            Box::new(move || timed(|| sitemap_writer(rows).into_bytes())),
        ),
    ];
    checked(xml, crates)
}

fn quick_sitemap(rows: &[Row], room: usize) -> Vec<u8> {
    let writer = UrlsetWriter::new(Vec::with_capacity(room));
    write_rows(rows, writer).expect("a Vec takes anything")
}

fn sitemapo(rows: &[Row], room: usize) -> Vec<u8> {
    let mut builder = EntryBuilder::new(Vec::with_capacity(room));
    for row in rows {
        let frequency = match row.changefreq.as_str() {
            "daily" => Frequency::Daily,
            "weekly" => Frequency::Weekly,
            "monthly" => Frequency::Monthly,
            _ => Frequency::Never,
        };
        // Its dates are timestamps.
        let modified = match row.lastmod.len() {
            10 => format!("{}T00:00:00Z", row.lastmod).parse(),
            _ => row.lastmod.parse(),
        };
        let priority = Priority::new(row.priority.parse().expect("generated"));
        let entry = Entry::new(row.loc.parse().expect("generated"))
            .with_modified(modified.expect("generated"))
            .with_frequency(frequency)
            .with_priority(priority.expect("generated"));
        builder.write(&entry).expect("within the limits");
    }
    builder.finish().expect("a Vec takes anything")
}
