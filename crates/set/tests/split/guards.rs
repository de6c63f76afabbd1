//! Input that is rejected before it can do harm.

use std::fs;
use std::io;

use quick_sitemap::{
    Directory, ErrorKind, Rule, SplitWriter, UrlEntry, UrlsetWriter, WriterBuilder,
};

use super::folder::{Folder, base, kind, page, threes, write};
use super::memory::rule;

#[test]
fn a_set_that_is_too_small_leaves_the_old_one() {
    let folder = Folder::new();
    write(folder.create(), 0..10).unwrap();
    let before = folder.files();
    let create = || Directory::create(&folder.0, &base()).unwrap();
    for (directory, pages) in [(create(), 0..0), (create().refuse_below(9), 0..8)] {
        let error = write(directory, pages).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::InvalidData);
        // Nothing failed, so it is not called an I/O error.
        let message = format!("{error:#}");
        let index = folder.path("sitemap.xml");
        let expected = format!("the set is not published: {}: ", index.display());
        assert!(message.starts_with(&expected), "{message}");
        assert_eq!(message.matches("the minimum is").count(), 1, "{message}");
        assert_eq!(error.to_string(), "the set is not published");
        assert_eq!(folder.files(), before);
    }
    write(create().refuse_below(9), 0..9).unwrap();
    // In a set that is continued, the existing entries are counted, or are not checked.
    write(
        Directory::open(&folder.0, &base()).unwrap().refuse_below(9),
        9..9,
    )
    .unwrap();
    write(create(), 0..2).unwrap();
    let open = || Directory::open(&folder.0, &base()).unwrap();
    assert!(write(open().refuse_below(4), 2..3).is_err());
    write(open().refuse_below(3), 2..3).unwrap();
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
        .allow_host("www.example.com");
    let mut site = SplitWriter::with(settings, create());
    for url in ["https://example.com/a", "http://www.example.com:81/"] {
        site.write(&UrlEntry::new(url.parse().unwrap())).unwrap();
    }
    // Text parts are checked in the same way, and a custom setting has its effect.
    let mut site = SplitWriter::text(Directory::create(folder.path("t"), &maps).unwrap());
    assert_eq!(
        rule(&site.write(&page(1)).unwrap_err()),
        Rule::OutsideLocation
    );
    drop(site);
    let settings = WriterBuilder::new().location(base());
    let mut site = SplitWriter::with(
        settings,
        Directory::create(folder.path("t"), &maps).unwrap(),
    );
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
        assert!(matches!(error.kind(), ErrorKind::Violation(_)), "{error}");
        assert!(Directory::open(&folder.0, &base.parse().unwrap()).is_err());
    }
    assert!(folder.names().is_empty());
}

#[test]
fn the_failure_is_said_again() {
    #[derive(Debug)]
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(28))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = UrlsetWriter::new(Full);
    let error = (0..)
        .find_map(|number| writer.write(&page(number)).err())
        .unwrap();
    assert!(
        format!("{error:#}").contains("No space left on device"),
        "{error}"
    );
    let again = writer.write(&page(1)).unwrap_err();
    assert_eq!(
        (format!("{again:#}"), kind(&again)),
        (format!("{error:#}"), kind(&error))
    );
    let last = writer.finish().unwrap_err();
    assert_eq!(format!("{last:#}"), format!("{error:#}"));

    let folder = Folder::new();
    fs::create_dir(folder.path("sitemap-2.xml")).unwrap();
    let mut site = SplitWriter::with(threes(), folder.create());
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
    let mut site = SplitWriter::with(threes(), Directory::create(&target, &base()).unwrap());
    site.write(&page(1)).unwrap();
    fs::remove_dir_all(&target).unwrap();
    let error = site.finish().unwrap_err();
    assert!(
        format!("{error:#}").contains(target.to_str().unwrap()),
        "{error}"
    );
}

#[test]
fn what_a_program_wants_to_show() {
    let mut writer = UrlsetWriter::new(Vec::new());
    assert_eq!((writer.entries(), writer.bytes()), (0, 0));
    for number in 0..1_000 {
        writer.write(&page(number)).unwrap();
    }
    let (entries, bytes) = (writer.entries(), writer.bytes());
    let so_far = writer.get_ref().len();
    assert!(so_far > 0 && so_far < bytes as usize);
    // Files that a server has sent can be removed.
    let sent = std::mem::take(writer.get_mut());
    let rest = writer.finish().unwrap();
    assert_eq!((entries, bytes), (1_000, (sent.len() + rest.len()) as u64));

    let folder = Folder::new();
    let mut site = SplitWriter::with(threes(), folder.create());
    for number in 0..7 {
        site.write(&page(number)).unwrap();
    }
    let progress = site.progress();
    assert_eq!((progress.entries, progress.parts), (7, 3));
    assert_eq!((site.entries(), site.bytes()), (7, progress.bytes));
    site.finish().unwrap();
    let files = folder.files();
    let parts = files.iter().filter(|(name, _)| *name != "sitemap.xml");
    assert_eq!(
        parts.map(|(_, bytes)| bytes.len() as u64).sum::<u64>(),
        progress.bytes
    );
}

#[test]
fn writers_can_be_given_to_threads() {
    fn is_send<T: Send>() {}
    is_send::<SplitWriter<Directory>>();
    is_send::<UrlsetWriter<Vec<u8>>>();
}

#[test]
fn a_file_where_a_directory_has_to_be_is_named() {
    let folder = Folder::new();
    folder.write("public", "theirs");
    let path = folder.path("public");
    let error = Directory::create(&path, &base()).unwrap_err();
    let expected = format!("I/O error: {}: a file is in the way", path.display());
    assert_eq!(format!("{error:#}"), expected);

    folder.write(".sitemap.set", "theirs");
    let error = write(folder.create(), 0..1).unwrap_err();
    let hidden = folder.path(".sitemap.set");
    let expected = format!("I/O error: {}: a file is in the way", hidden.display());
    assert_eq!(format!("{error:#}"), expected);
}
