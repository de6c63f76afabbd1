//! Sets with `single` and `gzip`: the index, or the one urlset in its place, is gzipped and has a name of its own.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use quick_sitemap::sets::Published;
use quick_sitemap::{Directory, Format, SplitWriter};

use super::folder::{Folder, base, gzip, index, kind, page, read, threes, write};

fn publish(directory: Directory, pages: std::ops::Range<usize>) -> Published {
    let mut writer = SplitWriter::with(threes(), directory);
    pages.for_each(|number| writer.write(&page(number)).unwrap());
    writer.publish().unwrap()
}

fn create(folder: &Folder) -> Directory {
    folder.create().gzip(true).single(true)
}

fn is_gzipped(folder: &Folder, name: &str) -> bool {
    folder.files()[name].starts_with(&[0x1F, 0x8B])
}

/// Where a reader finds the set.
fn pages(folder: &Folder, name: &str) -> usize {
    let entries = read(&folder.path(name)).into_iter();
    let count = entries.map(|entry| match entry.into_sitemap() {
        Some(part) => read(&folder.path(part.loc.path().trim_start_matches('/'))).len(),
        None => 1,
    });
    count.sum()
}

#[test]
fn it_has_the_same_name_however_many_pages_there_are() {
    for fingerprint in [false, true] {
        let folder = Folder::new();
        for (count, format, parts) in [
            (0, Format::Urlset, 0),
            (3, Format::Urlset, 0),
            (4, Format::Index, 2),
            (9, Format::Index, 3),
            (1, Format::Urlset, 0),
        ] {
            let directory = create(&folder).fingerprint(fingerprint);
            let published = publish(directory.grace(Duration::ZERO), 0..count);
            assert_eq!(
                published.index,
                base().join("sitemap.xml.gz").unwrap(),
                "{count}"
            );
            assert_eq!(published.path, folder.path("sitemap.xml.gz"));
            assert_eq!((published.format, published.parts.len()), (format, parts));
            assert!(is_gzipped(&folder, "sitemap.xml.gz") && published.changed);
            assert_eq!(pages(&folder, "sitemap.xml.gz"), count);
            assert!(!folder.path("sitemap.xml").exists());
            if !fingerprint {
                assert_eq!(folder.visible().len(), 1 + parts);
            }
            // Nothing is left to do.
            let before = folder.files();
            let directory = create(&folder).fingerprint(fingerprint);
            assert!(!publish(directory, 0..count).changed);
            assert_eq!(folder.files(), before);
        }
    }
}

#[test]
fn a_part_of_a_group_makes_it_an_index_of_the_same_name() {
    let folder = Folder::new();
    let mut site = SplitWriter::with(threes(), create(&folder));
    site.group("products").write(&page(1)).unwrap();
    let published = site.publish().unwrap();
    assert_eq!(published.format, Format::Index);
    assert_eq!(folder.visible(), ["products-1.xml.gz", "sitemap.xml.gz"]);
}

#[test]
fn the_index_of_the_other_name_goes_when_the_settings_change() {
    let folder = Folder::new();
    for count in [2, 7] {
        write(folder.create(), 0..count).unwrap();
        publish(create(&folder), 0..count);
        assert!(!folder.path("sitemap.xml").exists());
        assert_eq!(pages(&folder, "sitemap.xml.gz"), count);
        publish(folder.create().gzip(true), 0..count);
        assert!(!folder.path("sitemap.xml.gz").exists());
        assert_eq!(pages(&folder, "sitemap.xml"), count);
        assert_eq!(folder.names().len(), 1 + count.div_ceil(3));
        publish(create(&folder), 0..count);
        publish(folder.create().single(true), 0..count);
        let parts = if count > 3 { count.div_ceil(3) } else { 0 };
        assert_eq!(folder.names().len(), 1 + parts, "{:?}", folder.names());
    }
    // Also when one is carried on with other settings.
    write(folder.open().gzip(true).single(true), 7..8).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 8);
    write(folder.open(), 8..9).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 9);
    write(folder.open().single(false), 9..10).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml"), 10);
    assert!(!folder.path("sitemap.xml.gz").exists());
}

#[test]
fn with_fingerprints_it_stays_for_the_time_of_grace() {
    let folder = Folder::new();
    let with = |directory: Directory, seconds| {
        let directory = directory.fingerprint(true);
        directory.grace(Duration::from_secs(seconds))
    };
    publish(with(folder.create(), 3_600), 0..7);
    publish(with(create(&folder), 3_600), 2..4);
    assert_eq!(pages(&folder, "sitemap.xml"), 7);
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 2);
    for path in ["sitemap.xml", "sitemap.xml.gz"] {
        let retired = Directory::retired(folder.path(path)).unwrap();
        let is_retired = ["sitemap.xml", "sitemap.xml.gz"].map(|file| retired.contains_key(file));
        assert_eq!(is_retired, [true, false]);
    }
    // What is carried on is the new one.
    publish(with(folder.open(), 3_600), 4..5);
    assert_eq!(pages(&folder, "sitemap.xml"), 7);
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 3);
    publish(with(create(&folder), 0), 2..5);
    assert_eq!(folder.names(), [".sitemap.set/journal", "sitemap.xml.gz"]);
    // And back.
    publish(with(folder.create(), 3_600), 0..7);
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 3);
    write(with(folder.open(), 3_600), 7..8).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml"), 8);
    publish(with(folder.create(), 0), 0..8);
    publish(with(folder.create(), 0), 0..8);
    assert!(!folder.path("sitemap.xml.gz").exists());
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn a_twin_that_somebody_made_is_left_alone() {
    let folder = Folder::new();
    write(folder.create().single(true), 0..2).unwrap();
    let twin = gzip(&folder.files()["sitemap.xml"]);
    folder.write("sitemap.xml.gz", &twin);
    write(folder.open(), 2..3).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml"), 3);
    write(folder.create().gzip(true), 0..9).unwrap();
    write(folder.open(), 9..10).unwrap();
    write(folder.create().fingerprint(true), 0..2).unwrap();
    assert_eq!(folder.files()["sitemap.xml.gz"], twin);
    assert_eq!(pages(&folder, "sitemap.xml"), 2);
}

#[test]
fn something_else_under_the_other_name_is_not_carried_on() {
    let made: [fn(&Folder); 4] = [
        |folder| fs::write(folder.path("sitemap.xml"), index("")).unwrap(),
        |folder| fs::write(folder.path("sitemap.xml"), "<html/>").unwrap(),
        |folder| symlink("sitemap.xml.gz", folder.path("sitemap.xml")).unwrap(),
        |folder| fs::create_dir(folder.path("sitemap.xml")).unwrap(),
    ];
    for make in made {
        let folder = Folder::new();
        publish(create(&folder), 0..2);
        make(&folder);
        let published = publish(folder.open(), 2..3);
        assert_eq!(published.path, folder.path("sitemap.xml.gz"));
        assert_eq!(pages(&folder, "sitemap.xml.gz"), 3);
    }
}

#[test]
fn what_another_run_has_published_since_it_was_opened_is_carried_on() {
    for fingerprint in [false, true] {
        let folder = Folder::new();
        write(folder.create().fingerprint(fingerprint), 0..2).unwrap();
        let opened = folder.open();
        publish(create(&folder).fingerprint(fingerprint), 0..4);
        write(opened, 4..5).unwrap();
        assert_eq!(pages(&folder, "sitemap.xml"), 5);
    }
}

#[test]
fn opened_by_the_name_of_the_former_index_it_is_the_set_of_now() {
    let folder = Folder::new();
    publish(folder.create().name("shop").fingerprint(true), 0..2);
    publish(create(&folder).name("shop").fingerprint(true), 0..4);
    let opened = Directory::open(folder.path("shop.xml"), &base()).unwrap();
    assert_eq!(publish(opened, 4..5).path, folder.path("shop.xml.gz"));
    assert_eq!(pages(&folder, "shop.xml.gz"), 5);
    assert_eq!(pages(&folder, "shop.xml"), 2);
}

/// As a deployment makes them for a server that sends compressed files (`gzip -k public/*.xml`).
#[test]
fn twins_of_an_index_and_its_parts_are_left_alone() {
    let folder = Folder::new();
    let write_all = |pages: std::ops::Range<usize>| {
        let mut site = SplitWriter::with(threes(), folder.create());
        site.group("products").write(&page(100)).unwrap();
        pages.for_each(|number| site.write(&page(number)).unwrap());
        site.publish().unwrap();
    };
    write_all(0..7);
    for count in [7, 9, 4, 12] {
        let twins: Vec<(String, Vec<u8>)> = folder
            .files()
            .into_iter()
            .filter(|(name, _)| name.ends_with(".xml"))
            .map(|(name, bytes)| (format!("{name}.gz"), gzip(&bytes)))
            .collect();
        twins
            .iter()
            .for_each(|(name, twin)| folder.write(name, twin));
        write_all(0..count);
        assert_eq!(pages(&folder, "sitemap.xml"), count + 1);
        for (name, twin) in twins {
            assert_eq!(folder.files()[&name], twin, "{name}");
        }
    }
}

/// It lists files that nobody says are this set's.
#[test]
fn the_set_of_another_program_under_the_same_name_is_refused() {
    let folder = Folder::new();
    let theirs = "<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>";
    folder.write("sitemap.xml.gz", gzip(index(theirs).as_bytes()));
    folder.write("sitemap-1.xml", "theirs");
    let before = folder.files();
    let error = write(folder.create(), 0..2).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::AlreadyExists);
    assert_eq!(folder.files(), before);
}

#[test]
fn an_index_that_lists_it_as_a_part_is_another_set() {
    let folder = Folder::new();
    publish(create(&folder), 0..2);
    // The directory may have had another URL once.
    for base in ["https://example.com", "http://www.example.com/maps"] {
        let part = format!("<sitemap><loc>{base}/sitemap.xml.gz</loc></sitemap>");
        folder.write("sitemap.xml", index(&part));
        let before = folder.files();
        for pages in [0..2, 0..7] {
            let error = write(create(&folder), pages).unwrap_err();
            assert_eq!(kind(&error), io::ErrorKind::AlreadyExists);
            assert_eq!(folder.files(), before);
        }
    }
}

#[test]
fn a_former_index_that_another_lists_is_not_this_sets() {
    let folder = Folder::new();
    let other = index("<sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>");
    write(folder.create(), 0..4).unwrap();
    folder.write("all.xml", other);
    let before = folder.files();
    let error = write(create(&folder), 0..4).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::AlreadyExists);
    assert_eq!(folder.files(), before);
}

#[test]
fn after_a_kill_the_new_one_is_carried_on() {
    let folder = Folder::new();
    write(folder.create(), 0..7).unwrap();
    let old = folder.files()["sitemap.xml"].clone();
    publish(create(&folder), 0..2);
    // Killed before the former index was removed: the journal, which is replaced before the switch, lists it.
    folder.write("sitemap.xml", &old);
    let journal = fs::read_to_string(folder.path(".sitemap.set/journal")).unwrap();
    folder.write(".sitemap.set/journal", format!("{journal}sitemap.xml -\n"));
    write(folder.open(), 2..3).unwrap();
    assert_eq!(folder.visible(), ["sitemap.xml.gz"]);
    assert_eq!(pages(&folder, "sitemap.xml.gz"), 3);
}

#[test]
fn it_may_be_opened_by_its_name() {
    let folder = Folder::new();
    publish(create(&folder).name("shop"), 0..2);
    let path = folder.path("shop.xml.gz");
    write(Directory::open(&path, &base()).unwrap(), 2..4).unwrap();
    assert_eq!(pages(&folder, "shop.xml.gz"), 4);
    assert!(!folder.path("shop.xml").exists());
    let error = Directory::open(folder.path("shop-1.xml.gz"), &base()).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidInput);
}

#[test]
fn a_set_that_is_called_as_a_file_of_another_leaves_its_temporary_files() {
    for name in ["sitemap-1.xml.gz", "sitemap-1.xml"] {
        let folder = Folder::new();
        let directory = folder.create().gzip(name.ends_with(".gz"));
        let mut site = SplitWriter::with(threes(), directory);
        site.write(&page(1)).unwrap();
        write(folder.create().name(name), 0..2).unwrap();
        site.finish().unwrap();
        assert_eq!(pages(&folder, "sitemap.xml"), 1);
        assert_eq!(pages(&folder, &format!("{name}.xml")), 2);
    }
}

#[test]
fn it_has_the_mode_of_the_former_one() {
    let folder = Folder::new();
    write(folder.create(), 0..2).unwrap();
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(folder.path("sitemap.xml"), mode).unwrap();
    publish(create(&folder), 0..2);
    let mode = fs::metadata(folder.path("sitemap.xml.gz")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o7777, 0o640);
}
