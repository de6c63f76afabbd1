//! `Memory`: the files of a set by name.

use std::io;

use quick_sitemap::{
    Entry, ErrorKind, Format, Memory, Policy, Reader, ReaderBuilder, Rule, SplitWriter, UrlEntry,
    UrlsetWriter, W3cDatetime, WriterBuilder,
};

use super::recorder::{Recorder, limits, long, page, rule, split, url};

type Files = Vec<(String, Vec<u8>)>;

fn memory() -> Memory {
    Memory::new(&url("https://example.com/maps/"))
}

fn map(number: usize) -> UrlEntry {
    let date: W3cDatetime = format!("2024-01-{:02}", number + 1).parse().unwrap();
    page(&format!("https://example.com/maps/{number}")).with_lastmod(date)
}

fn names(files: &Files) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

fn read(bytes: &[u8]) -> Vec<Entry> {
    let reader = ReaderBuilder::new().policy(Policy::STRICT).build(bytes);
    reader.map(Result::unwrap).collect()
}

/// The entries of the index: name of the file and `lastmod`.
fn listed(files: &Files) -> Vec<(String, Option<String>)> {
    let (name, index) = files.last().unwrap();
    assert_eq!(name, "sitemap.xml");
    let entries = read(index).into_iter().map(|part| {
        let file = part
            .loc()
            .as_str()
            .strip_prefix("https://example.com/maps/");
        let date = part.lastmod().map(|date| date.to_string());
        (file.unwrap().to_owned(), date)
    });
    entries.collect()
}

#[test]
fn the_files_of_a_set_by_name_the_index_last() {
    let mut site = limits(2, u64::MAX).split(memory());
    for number in 0..5 {
        site.write(&map(number)).unwrap();
        site.group("shop").write(&map(number + 10)).unwrap();
    }
    let files = site.finish().unwrap();
    let mut sorted = names(&files);
    sorted.sort_unstable();
    let parts = ["1", "2", "3"].map(|number| format!("sitemap-{number}.xml"));
    let groups = ["1", "2", "3"].map(|number| format!("shop-{number}.xml"));
    let mut expected: Vec<&str> = parts.iter().chain(&groups).map(String::as_str).collect();
    expected.push("sitemap.xml");
    expected.sort_unstable();
    assert_eq!(sorted, expected);

    // The index lists the set's parts first, each with its newest date, and each is among the files.
    let dates = ["02", "04", "05", "12", "14", "15"].map(|day| format!("2024-01-{day}"));
    let index = parts.into_iter().chain(groups).zip(dates.map(Some));
    assert_eq!(listed(&files), index.collect::<Vec<_>>());
    let pages = listed(&files).into_iter().flat_map(|(file, _)| {
        let (_, bytes) = files.iter().find(|(name, _)| *name == file).unwrap();
        read(bytes)
    });
    let expected = (0..5).chain(10..15).map(|number| Entry::from(map(number)));
    assert_eq!(pages.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

/// A part has the bytes that a writer of one urlset produces.
#[test]
fn settings_hold_for_parts_and_index() {
    let settings = limits(2, u64::MAX).indent(2).stylesheet("/s.css");
    let mut site = settings.split(memory());
    let mut alone = settings.urlset(Vec::new());
    for number in 0..2 {
        site.write(&map(number)).unwrap();
        alone.write(&map(number)).unwrap();
    }
    let files = site.finish().unwrap();
    assert_eq!(names(&files), ["sitemap-1.xml", "sitemap.xml"]);
    assert_eq!(files[0].1, alone.finish().unwrap());
    let index = std::str::from_utf8(&files[1].1).unwrap();
    assert!(index.contains("<?xml-stylesheet type=\"text/css\" href=\"/s.css\"?>"));
    assert!(index.contains("\n    <loc>https://example.com/maps/sitemap-1.xml</loc>\n"));

    let mut text = settings.split_text(memory());
    (0..3).for_each(|number| text.write(&map(number)).unwrap());
    let files = text.finish().unwrap();
    assert_eq!(
        names(&files),
        ["sitemap-1.txt", "sitemap-2.txt", "sitemap.xml"]
    );
    assert_eq!(
        files[0].1,
        b"https://example.com/maps/0\nhttps://example.com/maps/1\n"
    );
    assert_eq!(listed(&files)[1].0, "sitemap-2.txt");
}

#[test]
fn a_set_without_pages_is_an_index_without_parts_or_a_urlset() {
    let files = SplitWriter::new(memory()).finish().unwrap();
    assert!(listed(&files).is_empty());
    let index = Reader::from_bytes(&files[0].1).format();
    assert_eq!(index, Some(Format::Index));
    let files = SplitWriter::new(memory()).single(true).finish().unwrap();
    assert_eq!(names(&files), ["sitemap.xml"]);
    let empty = UrlsetWriter::new(Vec::new()).finish().unwrap();
    assert_eq!(files[0].1, empty);
}

/// `base` is the directory of the files, with or without a slash, so pages of other places are rejected.
#[test]
fn the_base_is_the_place_of_the_files() {
    for base in [
        "https://example.com/maps",
        "https://example.com/maps/",
        "https://example.com/maps/?q#f",
    ] {
        let mut site = SplitWriter::new(Memory::new(&url(base)));
        let error = site.write(&page("https://example.com/a")).unwrap_err();
        assert_eq!(rule(&error), Rule::OutsideLocation);
        site.write(&map(0)).unwrap();
        assert_eq!(listed(&site.finish().unwrap())[0].0, "sitemap-1.xml");
    }
    let mut site = WriterBuilder::new().any_directory().split(memory());
    site.write(&page("https://example.com/a")).unwrap();
    site.finish().unwrap();
    // The settings have a location of their own.
    let home = url("https://example.com/sitemap.xml");
    let mut site = WriterBuilder::new().location(home).split(memory());
    site.write(&page("https://example.com/a")).unwrap();
    site.finish().unwrap();
}

/// Two files of one name would be one file for most stores.
#[test]
fn a_group_cannot_have_the_name_of_the_set() {
    let mut site = SplitWriter::new(memory());
    site.write(&map(0)).unwrap();
    let error = site.group("sitemap").write(&map(1)).unwrap_err();
    assert!(error.is_fatal());
    assert!(
        matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::InvalidInput),
        "{error:#}"
    );
    assert!(site.finish().is_err());
}

#[test]
fn the_amount_that_is_written() {
    let mut site = limits(3, u64::MAX).split(memory());
    for number in 0..7 {
        site.write(&map(number)).unwrap();
    }
    let written = site.bytes();
    assert_eq!(site.entries(), 7);
    let mut files = site.finish().unwrap();
    files.pop();
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!((files.len(), bytes as u64), (3, written));

    let mut writer = UrlsetWriter::new(Vec::new());
    assert_eq!((writer.entries(), writer.bytes()), (0, 0));
    for number in 0..1_000 {
        writer
            .write(&page(&format!(
                "https://example.com/{number}/{}",
                "a".repeat(60)
            )))
            .unwrap();
    }
    let (entries, bytes) = (writer.entries(), writer.bytes());
    let so_far = writer.get_ref().len();
    assert!(so_far > 0 && so_far < bytes as usize);
    // Files that a server has sent can be removed.
    let sent = std::mem::take(writer.get_mut());
    let rest = writer.finish().unwrap();
    assert_eq!((entries, bytes), (1_000, (sent.len() + rest.len()) as u64));
}

/// The ready-made `Memory` gets the parts that any other `Parts` get.
#[test]
fn parts_are_those_of_other_outputs() {
    let pages = [long(100), long(300), long(50)];
    let mut site = limits(2, u64::MAX).split(Memory::new(&url("https://example.com/")));
    pages.iter().for_each(|page| site.write(page).unwrap());
    let mut files = site.finish().unwrap();
    files.pop();
    let parts: Vec<Vec<u8>> = files.into_iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(parts, split(false, limits(2, u64::MAX), &pages));
}

/// The name of a group is one segment of a path, for all `Parts` alike; the index lists the place of the file.
#[test]
fn names_of_groups_are_names_of_files() {
    let long = "x".repeat(101);
    for name in [
        "c#", "q?x", "a/../b", "a/b", "//host/x", "news:de", ".hidden", "a b", "a%20b", "über",
        "a\\b", &long,
    ] {
        let recorder = Recorder::default();
        let mut site = limits(1, u64::MAX).split(recorder.clone());
        site.write(&map(0)).unwrap();
        let before = recorder.log.borrow().clone();
        let error = site.group(name).write(&map(1)).unwrap_err();
        let ErrorKind::Io(cause) = error.kind() else {
            panic!("{error}")
        };
        assert_eq!(cause.kind(), io::ErrorKind::InvalidInput, "{name}");
        assert!(
            error.is_fatal() && cause.to_string().starts_with("group `"),
            "{error:#}"
        );
        assert_eq!(recorder.log.borrow().clone(), before, "nothing was opened");
        let mut site = SplitWriter::new(memory());
        assert!(site.group(name).write(&map(0)).unwrap_err().is_fatal());
        assert!(site.finish().is_err());
    }
    let mut site = SplitWriter::new(memory());
    let names = ["a.b", "A_b~c-d", "2024", "journal-2024", "x..y"];
    for name in names {
        site.group(name).write(&map(0)).unwrap();
    }
    let files = site.finish().unwrap();
    for (name, (file, _)) in names.iter().zip(&files) {
        assert_eq!(*file, format!("{name}-1.xml"));
    }
    let listed: Vec<_> = listed(&files).into_iter().map(|(file, _)| file).collect();
    let files: Vec<_> = files.iter().map(|(file, _)| file.clone()).collect();
    assert_eq!(listed, files[..names.len()]);
}

/// What is written so far is known without a look at all groups, and is right at any time.
#[test]
fn bytes_are_those_of_all_parts() {
    let mut site = limits(2, u64::MAX).split(memory());
    for number in 0..40 {
        site.group(&format!("g{}", number % 7))
            .write(&map(number % 20))
            .unwrap();
        if number % 5 == 0 {
            site.group("g3").next_part().unwrap();
        }
        site.group("g1")
            .write(&UrlEntry::new(url("ftp://example.com/")))
            .unwrap_err();
    }
    let (entries, bytes) = (site.entries(), site.bytes());
    let mut files = site.finish().unwrap();
    files.pop();
    assert_eq!(entries, 40);
    assert_eq!(
        bytes,
        files
            .iter()
            .map(|(_, bytes)| bytes.len() as u64)
            .sum::<u64>()
    );
}
