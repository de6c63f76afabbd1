//! Several generations of a set, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use quick_sitemap::Limits;

use super::folder::{Folder, locs, page, read_set, threes, write, write_single};

/// Inode and date of every file.
fn stats(folder: &Folder) -> BTreeMap<String, (u64, i64, i64)> {
    let entries = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap());
    let entries = entries.filter(|entry| entry.file_name() != ".sitemap.set");
    let stat = |entry: fs::DirEntry| {
        let stat = entry.metadata().unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, (stat.ino(), stat.mtime(), stat.mtime_nsec()))
    };
    entries.map(stat).collect()
}

#[test]
fn the_same_again_changes_no_file() {
    for gzip in [false, true] {
        for fingerprint in [false, true] {
            let folder = Folder::new();
            let directory = || folder.create().gzip(gzip).fingerprint(fingerprint);
            write(directory(), 0..10).unwrap();
            let before = stats(&folder);
            assert_eq!(before.len(), 5);
            write(directory(), 0..10).unwrap();
            assert_eq!(stats(&folder), before, "{gzip} {fingerprint}");
            // Files of another set that stay the same are not replaced either.
            write(directory(), 0..8).unwrap();
            let after = stats(&folder);
            let same = before
                .iter()
                .filter(|(name, stat)| after.get(*name) == Some(stat));
            // The two full parts, and with fingerprints those that the index no longer lists.
            assert_eq!(same.count(), if fingerprint { 4 } else { 2 });
        }
    }
    let folder = Folder::new();
    for _ in 0..2 {
        write_single(folder.create().gzip(true), 0..2).unwrap();
        let before = stats(&folder);
        write_single(folder.create().gzip(true), 0..2).unwrap();
        assert_eq!(stats(&folder), before);
    }
}

#[test]
fn a_fingerprint_is_that_of_the_content() {
    let folder = Folder::new();
    write(folder.create().fingerprint(true).gzip(true), 0..7).unwrap();
    for (at, loc) in locs(&folder).iter().enumerate() {
        let file = loc.strip_prefix("https://example.com/").unwrap();
        let mut program = std::process::Command::new("sha256sum");
        let output = program.arg(folder.path(file)).output().unwrap();
        let digest = String::from_utf8(output.stdout).unwrap();
        assert_eq!(file, format!("sitemap-{}-{}.xml.gz", at + 1, &digest[..32]));
    }
    assert_eq!(read_set(&folder), (0..7).map(page).collect::<Vec<_>>());
}

#[test]
fn what_the_index_no_longer_names_stays_for_the_time_of_grace() {
    let folder = Folder::new();
    let publish = |grace: u64, pages| {
        let directory = folder.create().fingerprint(true);
        write(directory.grace(Duration::from_secs(grace)), pages).unwrap();
        folder.names().len()
    };
    assert_eq!(publish(3_600, 0..4), 3);
    let first = locs(&folder);
    // Two parts, then one, the index, and the list of those that are left.
    assert_eq!(publish(3_600, 1..4), 5);
    let second = locs(&folder);
    let journal = fs::read_to_string(folder.path(".sitemap.set/journal")).unwrap();
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let lines = journal.lines().filter_map(|line| line.rsplit_once(' '));
    let unnamed = lines.filter(|(_, since)| since.parse::<u64>().is_ok_and(|it| it <= now));
    let unnamed: BTreeSet<String> = unnamed
        .map(|(file, _)| format!("https://example.com/{file}"))
        .collect();
    assert_eq!(unnamed, first.iter().cloned().collect());
    // Too early.
    assert_eq!(publish(3_600, 1..4), 5);
    // Listed again, so they are not removed.
    publish(3_600, 0..4);
    assert_eq!(locs(&folder), first);
    assert_eq!(publish(0, 0..4), 3);
    assert!(!folder.path(second[0].rsplit('/').next().unwrap()).exists());
    assert_eq!(read_set(&folder).len(), 4);
    // Even without a grace period, only a later run removes them.
    assert_eq!([publish(0, 1..4), publish(0, 1..4)], [5, 2]);
}

#[test]
fn from_numbers_to_fingerprints_and_back() {
    let folder = Folder::new();
    write(folder.create(), 0..7).unwrap();
    write(folder.create().fingerprint(true), 0..7).unwrap();
    // A client that has read the old index still finds the numbered parts.
    assert_eq!(folder.names().len(), 8);
    assert_eq!(read_set(&folder).len(), 7);
    write(folder.create(), 0..7).unwrap();
    assert_eq!(folder.names().len(), 4);
    assert_eq!(read_set(&folder).len(), 7);
}

#[test]
fn a_part_that_was_changed_by_others_is_mended() {
    let folder = Folder::new();
    for fingerprint in [false, true] {
        write(folder.create().fingerprint(fingerprint), 0..5).unwrap();
        let before = folder.files();
        let part = before
            .keys()
            .find(|name| name.starts_with("sitemap-2"))
            .unwrap();
        folder.write(part, "broken");
        write(folder.create().fingerprint(fingerprint), 0..5).unwrap();
        assert_eq!(folder.files(), before);
        fs::remove_file(folder.path(part)).unwrap();
        write(folder.create().fingerprint(fingerprint), 0..5).unwrap();
        assert_eq!(folder.files(), before);
    }
}

#[test]
fn replaced_files_keep_their_mode() {
    let folder = Folder::new();
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().mode() & 0o7777;
    write(folder.create(), 0..5).unwrap();
    set("sitemap.xml", 0o640);
    set("sitemap-1.xml", 0o604);
    write(folder.create(), 1..9).unwrap();
    assert_eq!((mode("sitemap.xml"), mode("sitemap-1.xml")), (0o640, 0o604));
    // New ones are as accessible as the index that names them.
    assert_eq!(mode("sitemap-3.xml"), 0o640);
    // The user who runs the tests may be allowed to change the owner of files.
    let path = folder.path("sitemap-1.xml");
    if std::os::unix::fs::chown(&path, Some(12_345), Some(23_456)).is_ok() {
        write(folder.create(), 2..9).unwrap();
        let owner = fs::metadata(&path).unwrap();
        assert_eq!((owner.uid(), owner.gid()), (12_345, 23_456));
        assert_eq!(mode("sitemap-1.xml"), 0o604);
    }
    // Only the permissions are copied.
    for special in [0o4750, 0o2750, 0o1750] {
        set("sitemap.xml", special);
        write(folder.create(), 0..9).unwrap();
        write(folder.create(), 0..4).unwrap();
    }
    assert_eq!(mode("sitemap.xml"), 0o750);
}

#[test]
fn groups_shift_nothing_in_each_other() {
    let folder = Folder::new();
    let publish = |products: std::ops::Range<usize>, journal: std::ops::Range<usize>| {
        let mut site = threes().split(folder.create());
        let (mut products, mut journal) = (products.fuse(), journal.fuse());
        site.write(&page(0)).unwrap();
        // Alternately.
        for _ in 0..10 {
            for (group, pages) in [("products", &mut products), ("journal", &mut journal)] {
                if let Some(number) = pages.next() {
                    site.group(group).write(&page(number)).unwrap();
                }
            }
        }
        site.finish().unwrap();
    };
    publish(100..110, 200..205);
    let before = stats(&folder);
    let files = [
        "sitemap-1.xml",
        "products-1.xml",
        "products-2.xml",
        "products-3.xml",
        "products-4.xml",
        "journal-1.xml",
        "journal-2.xml",
    ];
    assert_eq!(
        locs(&folder),
        files.map(|file| format!("https://example.com/{file}"))
    );
    publish(101..110, 200..205);
    let after = stats(&folder);
    for file in ["sitemap-1.xml", "journal-1.xml", "journal-2.xml"] {
        assert_eq!(after[file], before[file]);
    }
    assert_ne!(after["products-1.xml"], before["products-1.xml"]);
    assert!(!after.contains_key("products-4.xml"));
    // A group that is no longer written is removed with its parts.
    publish(100..100, 200..203);
    let names = ["journal-1.xml", "sitemap-1.xml", "sitemap.xml"];
    assert_eq!(folder.visible(), names);
    write(folder.create(), 0..1).unwrap();
    assert_eq!(folder.names(), ["sitemap-1.xml", "sitemap.xml"]);
}

/// The order of the groups is that of the first mention, which can be their limits.
#[test]
fn parts_are_published_in_the_order_of_the_index() {
    let folder = Folder::new();
    let mut site = threes().split(folder.create());
    let _ = site.group("products").limits(Limits::default());
    for number in 0..5 {
        site.group("journal").write(&page(number)).unwrap();
        site.group("products").write(&page(number)).unwrap();
        site.write(&page(number)).unwrap();
    }
    let published = site.finish().unwrap();
    let parts = published.parts().iter();
    let locs_of_parts: Vec<&str> = parts.clone().map(|part| part.loc.as_str()).collect();
    assert_eq!(locs(&folder), locs_of_parts);
    let files = [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "products-1.xml",
        "journal-1.xml",
        "journal-2.xml",
    ];
    let paths: Vec<_> = parts.map(|part| part.path.clone()).collect();
    assert_eq!(paths, files.map(|file| folder.path(file)));
}
