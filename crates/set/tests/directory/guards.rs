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
    let mut site = SplitWriter::new(create());
    let mut refuse = |url: &str| {
        let error = site
            .write(&UrlEntry::new(url.parse().unwrap()))
            .unwrap_err();
        assert!(!error.is_fatal());
        assert_eq!(rule(&error), Rule::OutsideLocation, "{url}");
        format!("{error:#}")
    };
    for (url, verdict) in [
        ("https://www.example.com/maps/a", "another host"),
        ("http://example.com/maps/a", "another scheme"),
        ("https://example.com:8443/maps/a", "another port"),
        ("https://example.com/a", "another directory"),
        ("https://example.com/maps", "another directory"),
        ("https://example.com.evil.example/maps/a", "another host"),
    ] {
        let outside = format!("`{url}` is outside `https://example.com/maps/` ({verdict}); `");
        assert!(refuse(url).starts_with(&outside), "{url}");
    }
    for login in ["user", ":word"] {
        let error = refuse(&format!("https://{login}@example.com/maps/a"));
        assert!(
            error.contains("`https://***@example.com/maps/a` has a user or a password; `"),
            "{error}"
        );
    }
    for url in [
        "https://example.com/maps/",
        "https://example.com:443/maps/a/b?c#d",
    ] {
        site.write(&UrlEntry::new(url.parse().unwrap())).unwrap();
    }
    site.finish().unwrap();
    let settings = WriterBuilder::new()
        .any_directory()
        .allow_site(&"http://www.example.com:81".parse().unwrap());
    let mut site = settings.split(create());
    for url in ["https://example.com/a", "http://www.example.com:81/"] {
        site.write(&UrlEntry::new(url.parse().unwrap())).unwrap();
    }
    // Text parts are checked in the same way, and a custom setting has its effect.
    let mut site =
        WriterBuilder::new().split_text(Directory::create(folder.path("t"), &maps).unwrap());
    assert_eq!(
        rule(&site.write(&page(1)).unwrap_err()),
        Rule::OutsideLocation
    );
    drop(site);
    let settings = WriterBuilder::new().location(base());
    let mut site = settings.split(Directory::create(folder.path("t"), &maps).unwrap());
    site.write(&page(1)).unwrap();
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

/// `/dev/full` is a device that has no space left.
#[test]
fn errors_of_the_disk_say_which_file_it_was() {
    let folder = Folder::new();
    let target = folder.path("gone");
    fs::create_dir(&target).unwrap();
    let mut site = threes().split(Directory::create(&target, &base()).unwrap());
    site.write(&page(1)).unwrap();
    fs::remove_dir_all(&target).unwrap();
    let error = site.finish().unwrap_err();
    assert!(
        format!("{error:#}").contains(target.to_str().unwrap()),
        "{error}"
    );
}

#[test]
fn writers_can_be_given_to_threads() {
    fn is_send<T: Send>() {}
    is_send::<SplitWriter<Directory>>();
}

#[test]
fn a_file_where_a_directory_has_to_be_is_named() {
    let folder = Folder::new();
    folder.write("public", "theirs");
    let path = folder.path("public");
    let error = write(Directory::create(&path, &base()).unwrap(), 0..1).unwrap_err();
    let expected = format!("I/O error: {}: a file is in the way", path.display());
    assert_eq!(format!("{error:#}"), expected);

    folder.write(".sitemap.set", "theirs");
    let error = write(folder.create(), 0..1).unwrap_err();
    let hidden = folder.path(".sitemap.set");
    let expected = format!("I/O error: {}: a file is in the way", hidden.display());
    assert_eq!(format!("{error:#}"), expected);
}
