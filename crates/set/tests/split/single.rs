//! `SplitWriter::single`: one sitemap until the site outgrows it, in a directory and elsewhere.

use std::io;
use std::time::Duration;

use quick_sitemap::url::Url;
use quick_sitemap::{
    Format, IndexWriter, Limits, Parts, Reader, Result, SitemapEntry, SplitWriter, UrlEntry,
    WriterBuilder,
};

use super::folder::{Folder, read_set, threes, write, write_single};

/// Files by their names, the sitemap itself last.
#[derive(Default)]
struct Memory {
    files: Vec<(String, Vec<u8>)>,
    /// `true` if it implements `finish_single`.
    knows_single: bool,
}

fn at(name: &str) -> Url {
    let base: Url = "https://example.com/".parse().unwrap();
    base.join(name).unwrap()
}

impl Parts for Memory {
    type Writer = Vec<u8>;
    type Output = Vec<(String, Vec<u8>)>;

    fn open(&mut self, _: usize) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, number: usize, part: Vec<u8>) -> io::Result<Url> {
        let name = format!("sitemap-{number}.xml");
        let url = at(&name);
        self.files.push((name, part));
        Ok(url)
    }

    fn open_group(&mut self, _: &str, _: usize) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close_group(&mut self, group: &str, number: usize, part: Vec<u8>) -> io::Result<Url> {
        let name = format!("{group}-{number}.xml");
        let url = at(&name);
        self.files.push((name, part));
        Ok(url)
    }

    fn finish(mut self, parts: &[SitemapEntry]) -> Result<Self::Output> {
        let mut index = IndexWriter::new(Vec::new());
        parts.iter().try_for_each(|part| index.write(part))?;
        self.files.push(("sitemap.xml".to_owned(), index.finish()?));
        Ok(self.files)
    }

    fn finish_single(mut self, part: Option<&SitemapEntry>) -> Result<Self::Output> {
        let Some(part) = part.filter(|_| self.knows_single) else {
            return self.finish(part.map_or(&[], std::slice::from_ref));
        };
        assert_eq!(part.loc, at(&self.files[0].0));
        self.files[0].0 = "sitemap.xml".to_owned();
        Ok(self.files)
    }
}

fn page(number: usize) -> UrlEntry {
    format!("https://example.com/{number}").parse().unwrap()
}

/// Writes this number of pages, two per part; returns the names, and the format of `sitemap.xml`.
fn names(
    knows_single: bool,
    single: bool,
    new: fn(WriterBuilder, Memory) -> SplitWriter<Memory>,
    pages: usize,
) -> (Vec<String>, Option<Format>) {
    let mut limits = Limits::default();
    limits.entries = 2;
    let memory = Memory {
        knows_single,
        ..Memory::default()
    };
    let mut site = new(WriterBuilder::new().limits(limits), memory).single(single);
    (0..pages)
        .try_for_each(|number| site.write(&page(number)))
        .unwrap();
    let files = site.finish().unwrap();
    let format = Reader::from_bytes(&files.last().unwrap().1).format();
    (files.into_iter().map(|(name, _)| name).collect(), format)
}

#[test]
fn the_only_part_is_the_sitemap() {
    let urlsets = SplitWriter::with;
    let single = (vec!["sitemap.xml".to_owned()], Some(Format::Urlset));
    let split = |names: &[&str]| {
        (
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>(),
            Some(Format::Index),
        )
    };
    assert_eq!(names(true, true, urlsets, 1), single);
    assert_eq!(names(true, true, urlsets, 2), single);
    assert_eq!(
        names(true, true, urlsets, 3),
        split(&["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"])
    );
    // The option is not set, not known, or not possible.
    let one = split(&["sitemap-1.xml", "sitemap.xml"]);
    assert_eq!(names(true, false, urlsets, 1), one);
    assert_eq!(names(false, true, urlsets, 1), one);
    assert_eq!(names(true, true, SplitWriter::text_with, 1), one);
    assert_eq!(names(true, true, urlsets, 0), split(&["sitemap.xml"]));
}

#[test]
fn a_part_of_a_group_is_never_alone() {
    let mut site = SplitWriter::new(Memory {
        knows_single: true,
        ..Memory::default()
    })
    .single(true);
    site.group("news").write(&page(1)).unwrap();
    let files = site.finish().unwrap();
    assert_eq!(
        Reader::from_bytes(&files.last().unwrap().1).format(),
        Some(Format::Index)
    );
}

/// For any number of pages, the sitemap has one name, and is never gzipped.
#[test]
fn the_sitemap_of_a_directory_has_one_name() {
    for (gzip, fingerprint) in [(false, false), (true, false), (true, true)] {
        let folder = Folder::new();
        for (count, format, parts) in [
            (0, Format::Urlset, 0),
            (3, Format::Urlset, 0),
            (4, Format::Index, 2),
            (9, Format::Index, 3),
            (1, Format::Urlset, 0),
        ] {
            let publish = || {
                let directory = folder.create().gzip(gzip).fingerprint(fingerprint);
                let directory = directory.grace(Duration::ZERO);
                let mut site = SplitWriter::with(threes(), directory).single(true);
                (0..count).for_each(|number| site.write(&page(number)).unwrap());
                site.publish().unwrap()
            };
            let published = publish();
            assert_eq!(published.index, at("sitemap.xml"), "{count}");
            assert_eq!(published.path, folder.path("sitemap.xml"));
            assert_eq!((published.format, published.parts.len()), (format, parts));
            assert!(published.changed && folder.files()["sitemap.xml"].starts_with(b"<?xml"));
            // Unused files are removed by the next run, even without a grace period.
            assert!(!publish().changed);
            assert_eq!(folder.names().len(), 1 + parts, "{:?}", folder.names());
            assert_eq!(read_set(&folder).len(), count);
            // An opened set is single if there is one urlset.
            let open = || SplitWriter::with(threes(), folder.open());
            assert_eq!(open().publish().unwrap().format, format);
            assert!(!open().publish().unwrap().changed);
        }
    }
}

#[test]
fn a_set_that_is_opened_can_become_single_or_cease_to_be() {
    let folder = Folder::new();
    let open = |single| {
        let site = SplitWriter::with(threes(), folder.open()).single(single);
        site.publish().unwrap().format
    };
    write_single(folder.create(), 0..2).unwrap();
    assert_eq!(open(false), Format::Index);
    assert_eq!(folder.names(), ["sitemap-1.xml", "sitemap.xml"]);
    assert_eq!(open(true), Format::Urlset);
    assert_eq!(folder.names(), ["sitemap.xml"]);
    write(folder.create(), 0..4).unwrap();
    // One part stays as it is, another is continued.
    assert_eq!(open(true), Format::Index);
}
