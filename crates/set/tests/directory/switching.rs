//! Several generations of a set, one after the other.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use quick_sitemap::Limits;
use quick_sitemap_set::Directory;

use super::folder::{Folder, base, locs, page, read_set, threes, write, write_single};

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
        let output = std::process::Command::new("sha256sum")
            .arg(folder.path(file))
            .output()
            .unwrap();
        let digest = String::from_utf8(output.stdout).unwrap();
        assert_eq!(file, format!("sitemap-{}-{}.xml.gz", at + 1, &digest[..32]));
    }
    assert_eq!(read_set(&folder), (0..7).map(page).collect::<Vec<_>>());
}

#[test]
fn what_the_index_no_longer_names_stays_for_the_time_of_grace() {
    let folder = Folder::new();
    let with = |grace: u64| {
        folder
            .create()
            .fingerprint(true)
            .grace(Duration::from_secs(grace))
    };
    write(with(3_600), 0..4).unwrap();
    let first = locs(&folder);
    assert_eq!(folder.names().len(), 3);
    write(with(3_600), 1..4).unwrap();
    let second = locs(&folder);
    // Two parts, then one, the index, and the list of those that are left.
    assert_eq!(folder.names().len(), 5);
    let journal = std::fs::read_to_string(folder.path(".sitemap.set/journal")).unwrap();
    let unnamed: Vec<_> = journal
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(file, since)| Some((file, since.parse::<u64>().ok()?)))
        .collect();
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!(unnamed.iter().all(|(_, since)| *since <= now));
    let expected: Vec<&str> = first
        .iter()
        .map(|loc| &loc["https://example.com/".len()..])
        .collect();
    assert_eq!(unnamed.len(), 2);
    assert!(
        expected
            .iter()
            .all(|file| unnamed.iter().any(|(unnamed, _)| unnamed == file))
    );
    // Too early.
    write(with(3_600), 1..4).unwrap();
    assert_eq!(folder.names().len(), 5);
    // Listed again, so they are not removed.
    write(with(3_600), 0..4).unwrap();
    assert_eq!(locs(&folder), first);
    write(with(0), 0..4).unwrap();
    assert_eq!(folder.names().len(), 3);
    assert!(!folder.path(second[0].rsplit('/').next().unwrap()).exists());
    assert_eq!(read_set(&folder).len(), 4);
    // Even without a grace period, only a later run removes them.
    write(with(0), 1..4).unwrap();
    assert_eq!(folder.names().len(), 5);
    write(with(0), 1..4).unwrap();
    assert_eq!(folder.names().len(), 2);
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
    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o7777
    };
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
}

#[test]
fn groups_shift_nothing_in_each_other() {
    let folder = Folder::new();
    let publish = |products: std::ops::Range<usize>, journal: std::ops::Range<usize>| {
        let mut site = threes().split(folder.create());
        let (mut left, mut right) = (products, journal);
        site.write(&page(0)).unwrap();
        // Alternately.
        loop {
            let (product, article) = (left.next(), right.next());
            if product.is_none() && article.is_none() {
                break;
            }
            if let Some(n) = product {
                site.group("products").write(&page(n)).unwrap();
            }
            if let Some(n) = article {
                site.group("journal").write(&page(n)).unwrap();
            }
        }
        site.finish().unwrap();
    };
    publish(100..110, 200..205);
    let before = stats(&folder);
    assert_eq!(
        locs(&folder)
            .iter()
            .map(|loc| loc.rsplit('/').next().unwrap())
            .collect::<Vec<_>>(),
        [
            "sitemap-1.xml",
            "products-1.xml",
            "products-2.xml",
            "products-3.xml",
            "products-4.xml",
            "journal-1.xml",
            "journal-2.xml"
        ]
    );
    publish(101..110, 200..205);
    let after = stats(&folder);
    for file in ["sitemap-1.xml", "journal-1.xml", "journal-2.xml"] {
        assert_eq!(after[file], before[file]);
    }
    assert!(
        after["products-1.xml"] != before["products-1.xml"]
            && !after.contains_key("products-4.xml")
    );
    // A group that is no longer written is removed with its parts.
    publish(100..100, 200..203);
    let mut names = folder.names();
    names.retain(|name| !name.starts_with('.'));
    assert_eq!(names, ["journal-1.xml", "sitemap-1.xml", "sitemap.xml"]);
    write(folder.create(), 0..1).unwrap();
    assert_eq!(folder.names(), ["sitemap-1.xml", "sitemap.xml"]);
}

#[test]
fn a_set_is_begun_in_a_directory_that_is_made() {
    let folder = Folder::new();
    let path = folder.path("a/b/c");
    write(Directory::create(&path, &base()).unwrap(), 0..1).unwrap();
    assert!(path.join("sitemap.xml").exists());
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
    let parts: Vec<&str> = published
        .parts()
        .iter()
        .map(|part| part.loc.as_str())
        .collect();
    assert_eq!(locs(&folder), parts);
    let files = [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "products-1.xml",
        "journal-1.xml",
        "journal-2.xml",
    ];
    assert!(
        published
            .parts()
            .iter()
            .map(|part| &part.path)
            .eq(&files.map(|file| folder.path(file)))
    );
}
