//! `SplitWriter::single`: one sitemap until the site outgrows it.

use quick_sitemap::{Format, Memory, Reader, SplitWriter, UrlEntry};

use super::recorder::{limits, page, url};

fn memory() -> Memory {
    Memory::new(&url("https://example.com/"))
}

fn number(number: usize) -> UrlEntry {
    page(&format!("https://example.com/{number}"))
}

/// Writes this number of pages, two per part; returns the names, and the format of `sitemap.xml`.
fn names(single: bool, text: bool, pages: usize) -> (Vec<String>, Option<Format>) {
    let settings = limits(2, u64::MAX);
    let mut site = if text {
        settings.split_text(memory())
    } else {
        settings.split(memory())
    }
    .single(single);
    (0..pages).for_each(|page| site.write(&number(page)).unwrap());
    let files = site.finish().unwrap();
    let format = Reader::from_bytes(&files.last().unwrap().1).format();
    (files.into_iter().map(|(name, _)| name).collect(), format)
}

#[test]
fn the_only_part_is_the_sitemap() {
    let single = (vec!["sitemap.xml".to_owned()], Some(Format::Urlset));
    let split = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned());
        (names.collect::<Vec<_>>(), Some(Format::Index))
    };
    for pages in 0..=2 {
        assert_eq!(names(true, false, pages), single, "{pages}");
    }
    assert_eq!(
        names(true, false, 3),
        split(&["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"])
    );
    // The option is not set, or not possible.
    assert_eq!(
        names(false, false, 1),
        split(&["sitemap-1.xml", "sitemap.xml"])
    );
    assert_eq!(
        names(true, true, 1),
        split(&["sitemap-1.txt", "sitemap.xml"])
    );
    assert_eq!(names(false, false, 0), split(&["sitemap.xml"]));
    assert_eq!(names(true, true, 0), split(&["sitemap.xml"]));
}

#[test]
fn a_part_of_a_group_is_never_alone() {
    let mut site = SplitWriter::new(memory()).single(true);
    site.group("news").write(&number(1)).unwrap();
    let files = site.finish().unwrap();
    assert_eq!(
        Reader::from_bytes(&files.last().unwrap().1).format(),
        Some(Format::Index)
    );
}
