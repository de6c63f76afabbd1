//! One file, from `create` to `finish`: nothing is visible before it is complete.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;
use std::path::PathBuf;

use quick_sitemap::{
    IndexWriter, Limits, NewFile, Reader, SitemapEntry, TextWriter, UrlEntry, UrlsetWriter,
    WriterBuilder,
};

/// An empty folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!(
            "quick-sitemap-create-{name}-{}",
            std::process::id()
        ));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn visible(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| !name.starts_with('.'));
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn page(number: usize) -> UrlEntry {
    format!("https://example.com/{number}").parse().unwrap()
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = Folder::new("complete");
    for name in ["sitemap.xml", "sitemap.xml.gz", "SITEMAP.XML.GZ"] {
        let path = folder.0.join(name);
        let mut writer = UrlsetWriter::create(&path).unwrap();
        assert_eq!(writer.get_ref().path(), path);
        (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
        assert!(!folder.visible().contains(&name.to_owned()));
        assert_eq!(writer.finish().unwrap().path(), path);
        assert_eq!(folder.names(), folder.visible(), "the hidden file is gone");
        let bytes = fs::read(&path).unwrap();
        let is_gzip = name.to_ascii_lowercase().ends_with(".gz");
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), is_gzip, "{name}");
        assert_eq!(
            Reader::from_path(&path)
                .unwrap()
                .map(Result::unwrap)
                .count(),
            5_000
        );
    }

    let mut index = IndexWriter::create(folder.0.join("index.xml.gz")).unwrap();
    index.write(&SitemapEntry::new(page(1).loc)).unwrap();
    index.finish().unwrap();
    let mut text = TextWriter::create(folder.0.join("urls.txt")).unwrap();
    text.write(&page(1)).unwrap();
    text.finish().unwrap();
    assert_eq!(
        fs::read(folder.0.join("urls.txt")).unwrap(),
        b"https://example.com/1\n"
    );
    let mut index = Reader::from_path(folder.0.join("index.xml.gz")).unwrap();
    assert!(index.next().unwrap().unwrap().as_sitemap().is_some());
}

#[test]
fn an_unfinished_file_leaves_the_old_one() {
    let folder = Folder::new("unfinished");
    let path = folder.0.join("sitemap.xml");
    fs::write(&path, "old").unwrap();
    let mut writer = UrlsetWriter::create(&path).unwrap();
    (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    drop(writer);
    assert_eq!(folder.names(), ["sitemap.xml"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");

    // A file that cannot be finished does not appear.
    let mut limits = Limits::default();
    limits.bytes = 10;
    let writer = WriterBuilder::new()
        .limits(limits)
        .create_urlset(&path)
        .unwrap();
    assert!(writer.finish().is_err());
    assert_eq!(folder.names(), ["sitemap.xml"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn two_writers_of_one_file_do_not_mix() {
    let folder = Folder::new("two");
    let path = folder.0.join("sitemap.xml");
    let mut writers = [1, 2].map(|_| UrlsetWriter::create(&path).unwrap());
    for (number, writer) in writers.iter_mut().enumerate() {
        (0..2_000)
            .try_for_each(|n| writer.write(&page(10_000 * number + n)))
            .unwrap();
    }
    for (number, writer) in writers.into_iter().enumerate() {
        writer.finish().unwrap();
        let locs: Vec<_> = Reader::from_path(&path)
            .unwrap()
            .map(|entry| entry.unwrap().into_loc())
            .collect();
        assert_eq!((locs.len(), &locs[0]), (2_000, &page(10_000 * number).loc));
    }
}

#[test]
fn the_settings_of_a_builder_hold() {
    let folder = Folder::new("settings");
    let path = folder.0.join("sitemap.xml");
    let mut writer: UrlsetWriter<NewFile> =
        WriterBuilder::new().indent(2).create_urlset(&path).unwrap();
    writer.write(&page(1)).unwrap();
    writer.finish().unwrap();
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("\n    <loc>https://example.com/1</loc>\n")
    );
    for made in [
        WriterBuilder::new()
            .create_index(folder.0.join("a.xml"))
            .unwrap()
            .finish(),
        WriterBuilder::new()
            .create_text(folder.0.join("b.txt"))
            .unwrap()
            .finish(),
    ] {
        made.unwrap();
    }
    assert_eq!(folder.names(), ["a.xml", "b.txt", "sitemap.xml"]);
}

#[test]
fn what_is_no_file_is_an_error_that_names_it() {
    let folder = Folder::new("errors");
    let missing = folder.0.join("no/such/sitemap.xml");
    let error = UrlsetWriter::create(&missing).unwrap_err();
    assert!(format!("{error:#}").contains("sitemap.xml: "), "{error:#}");
    fs::create_dir(folder.0.join("taken.xml")).unwrap();
    let error = UrlsetWriter::create(folder.0.join("taken.xml")).unwrap_err();
    assert!(
        format!("{error:#}").contains("a directory is in the way"),
        "{error:#}"
    );
    assert_eq!(folder.names(), ["taken.xml"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("dangling");
    let [first, second, circle] = ["a.xml", "b.xml", "c.xml"].map(|name| folder.0.join(name));
    symlink("b.xml", &first).unwrap();
    symlink(folder.0.join("real.xml"), &second).unwrap();
    symlink("c.xml", &circle).unwrap();
    UrlsetWriter::create(&first).unwrap().finish().unwrap();
    assert_eq!(folder.names(), ["a.xml", "b.xml", "c.xml", "real.xml"]);
    for link in [&first, &second, &circle] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    }
    assert!(
        fs::symlink_metadata(folder.0.join("real.xml"))
            .unwrap()
            .is_file()
    );
    UrlsetWriter::create(&circle).unwrap_err();
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("links");
    let (file, link) = (folder.0.join("real.xml"), folder.0.join("sitemap.xml"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real.xml", &link).unwrap();
    UrlsetWriter::create(&link).unwrap().finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_ne!(fs::read(&file).unwrap(), b"old");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert_eq!(folder.names(), ["real.xml", "sitemap.xml"]);
}
