//! Input that is rejected before it can do harm.

use std::fs;
use std::io;

use quick_sitemap::{Rule, SplitWriter, UrlEntry, UrlsetWriter, WriterBuilder};
use quick_sitemap_set::Directory;

use super::folder::{Folder, base, kind, page, rule, threes, write};

#[test]
fn a_set_that_is_too_small_leaves_the_old_one() {
    let folder = Folder::new();
    write(folder.create(), 0..10).unwrap();
    let before = folder.files();
    let create = || Directory::create(&folder.0, &base()).unwrap();
    for (directory, pages) in [(create(), 0..0), (create().refuse_below(9), 0..8)] {
        let error = write(directory, pages).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::InvalidData);
        let message = format!("{error:#}");
        let index = folder.path("sitemap.xml");
        let expected = format!("{}: the set is not published: ", index.display());
        assert_eq!(message.matches(&expected).count(), 1, "{message}");
        assert_eq!(message.matches("the minimum is").count(), 1, "{message}");
        assert_eq!(folder.files(), before);
    }
    write(create().refuse_below(9), 0..9).unwrap();
    write(create().refuse_below(0), 0..0).unwrap();
    assert_eq!(folder.names(), ["sitemap.xml"]);
}

#[test]
fn pages_of_other_places_are_refused_unless_allowed() {
    let folder = Folder::new();
    let maps = "https://example.com/maps/".parse().unwrap();
    let create = || Directory::create(&folder.0, &maps).unwrap();
    let entry = |url: &str| UrlEntry::try_from(url).unwrap();
    let mut site = SplitWriter::new(create());
    for (url, expected) in [
        ("https://www.example.com/maps/a", "(another host)"),
        ("http://example.com/maps/a", "(another scheme)"),
        ("https://example.com:8443/maps/a", "(another port)"),
        ("https://example.com/a", "(another directory)"),
        ("https://example.com/maps", "(another directory)"),
        ("https://example.com.evil.example/maps/a", "(another host)"),
        ("https://user@example.com/maps/a", ""),
        ("https://:word@example.com/maps/a", ""),
    ] {
        let error = site.write(&entry(url)).unwrap_err();
        assert!(!error.is_fatal());
        assert_eq!(rule(&error), Rule::OutsideLocation, "{url}");
        let expected = match expected {
            "" => "`https://***@example.com/maps/a` has a user or a password; `".to_owned(),
            why => format!("`{url}` is outside `https://example.com/maps/` {why}; `"),
        };
        assert!(format!("{error:#}").starts_with(&expected), "{error:#}");
    }
    for url in [
        "https://example.com/maps/",
        "https://example.com:443/maps/a/b?c#d",
    ] {
        site.write(&entry(url)).unwrap();
    }
    site.finish().unwrap();
    let settings = WriterBuilder::new()
        .any_directory()
        .allow_site(&"http://www.example.com:81".parse().unwrap());
    let mut site = settings.split(create());
    for url in ["https://example.com/a", "http://www.example.com:81/"] {
        site.write(&entry(url)).unwrap();
    }
    // Text parts are checked in the same way, and a custom setting has its effect.
    let other = || Directory::create(folder.path("t"), &maps).unwrap();
    let error = WriterBuilder::new().split_text(other()).write(&page(1));
    assert_eq!(rule(&error.unwrap_err()), Rule::OutsideLocation);
    let settings = WriterBuilder::new().location(base());
    settings.split(other()).write(&page(1)).unwrap();
    // A single file has a location only if one is set.
    UrlsetWriter::new(Vec::new()).write(&page(1)).unwrap();
}

#[test]
fn a_base_that_no_part_could_have_is_refused_by_create() {
    let folder = Folder::new();
    for base in [
        "https://user:secret@example.com/",
        "https://user@example.com/",
        "ftp://example.com/",
        "data:x",
        &format!("https://example.com/{}", "a".repeat(2_010)),
    ] {
        let error = Directory::create(folder.path("new"), &base.parse().unwrap()).unwrap_err();
        assert!(!format!("{error:#}").contains("secret"), "{error}");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{error}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn the_failure_is_said_again() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sitemap-2.xml")).unwrap();
    let mut site = threes().split(folder.create());
    let error = (0..)
        .find_map(|number| site.write(&page(number)).err())
        .unwrap();
    assert!(format!("{error:#}").contains("sitemap-2.xml"), "{error}");
    let again = site.write(&page(1)).unwrap_err();
    assert_eq!(format!("{again:#}"), format!("{error:#}"));
    let last = site.finish().unwrap_err();
    assert_eq!(format!("{last:#}"), format!("{error:#}"));
}

#[test]
fn errors_of_the_disk_say_which_file_it_was() {
    let folder = Folder::new();
    let target = folder.path("gone");
    let mut site = threes().split(Directory::create(&target, &base()).unwrap());
    site.write(&page(1)).unwrap();
    fs::remove_dir_all(&target).unwrap();
    let message = format!("{:#}", site.finish().unwrap_err());
    assert!(message.contains(target.to_str().unwrap()), "{message}");
}

#[test]
fn writers_can_be_given_to_threads() {
    fn is_send<T: Send>() {}
    is_send::<SplitWriter<Directory>>();
}

#[test]
fn a_file_where_a_directory_has_to_be_is_named() {
    let folder = Folder::new();
    let public = folder.path("public");
    for (file, directory) in [
        ("public", Directory::create(&public, &base()).unwrap()),
        (".sitemap.set", folder.create()),
    ] {
        folder.write(file, "theirs");
        let error = write(directory, 0..1).unwrap_err();
        let file = folder.path(file);
        let expected = format!("I/O error: {}: a file is in the way", file.display());
        assert_eq!(format!("{error:#}"), expected);
        assert_eq!(fs::read(file).unwrap(), b"theirs");
    }
}
