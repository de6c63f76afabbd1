//! The index has one name. Other files in the directory stay: files under that name that are not part of a set, and
//! files under that name with `.gz`.

use std::io;

use quick_sitemap_set::Directory;

use super::folder::{
    Folder, URLSET, gzip, index, kind, page, read, refused, threes, write, write_single,
};

/// The path at which a reader finds the set.
fn pages(folder: &Folder, name: &str) -> usize {
    let entries = read(&folder.path(name)).into_iter();
    let count = entries.map(|entry| match entry.into_sitemap() {
        Some(part) => read(&folder.path(part.loc.path().trim_start_matches('/'))).len(),
        None => 1,
    });
    count.sum()
}

/// Files of others are neither replaced nor removed, for every kind of set.
#[test]
fn a_file_that_is_no_sitemap_stays() {
    let changes: [fn(Directory) -> Directory; 3] = [
        |directory| directory,
        |directory| directory.gzip(true),
        |directory| directory.fingerprint(true),
    ];
    for content in [
        "my notes",
        "",
        "<html><body>sitemap</body></html>",
        "{\"sitemap\": 1}",
        "https://example.com/a\n",
        "<rss><channel></channel></rss>",
    ] {
        for write in [write, write_single] {
            for change in changes {
                let folder = Folder::new();
                folder.write("sitemap.xml", content);
                for pages in [0..2, 0..9] {
                    let run = write(change(folder.create()), pages);
                    let expected = "sitemap.xml: this file is neither";
                    refused(run, io::ErrorKind::AlreadyExists, expected);
                    assert_eq!(folder.names(), ["sitemap.xml"]);
                    assert_eq!(folder.files()["sitemap.xml"], content.as_bytes());
                }
            }
        }
    }
    // Also if it comes while the set is written.
    let folder = Folder::new();
    write(folder.create(), 0..9).unwrap();
    let mut site = threes().split(folder.create());
    site.write(&page(1)).unwrap();
    folder.write("sitemap.xml", "my notes");
    let before = folder.visible();
    assert!(site.finish().is_err());
    assert_eq!(folder.visible(), before);
    assert_eq!(folder.files()["sitemap.xml"], b"my notes");
}

/// A urlset is replaced, and so is an index, gzipped or not: a set has that name.
#[test]
fn a_sitemap_of_that_name_is_replaced() {
    for content in [
        URLSET.as_bytes(),
        &gzip(URLSET.as_bytes()),
        index(&[]).as_bytes(),
    ] {
        let folder = Folder::new();
        folder.write("sitemap.xml", content);
        write(folder.create(), 0..4).unwrap();
        assert_eq!(pages(&folder, "sitemap.xml"), 4);
    }
}

#[test]
fn a_twin_that_somebody_made_is_left_alone() {
    let folder = Folder::new();
    write_single(folder.create(), 0..2).unwrap();
    let twin = gzip(&folder.files()["sitemap.xml"]);
    folder.write("sitemap.xml.gz", &twin);
    write_single(folder.create(), 0..3).unwrap();
    assert_eq!(pages(&folder, "sitemap.xml"), 3);
    write(folder.create().gzip(true), 0..9).unwrap();
    write(folder.create().gzip(true), 0..10).unwrap();
    write(folder.create().fingerprint(true), 0..2).unwrap();
    assert_eq!(folder.files()["sitemap.xml.gz"], twin);
    assert_eq!(pages(&folder, "sitemap.xml"), 2);
}

/// As a deployment makes them for a server that sends compressed files (`gzip -k public/*.xml`).
#[test]
fn twins_of_an_index_and_its_parts_are_left_alone() {
    let folder = Folder::new();
    let write_all = |pages: std::ops::Range<usize>| {
        let mut site = threes().split(folder.create());
        site.group("products").write(&page(100)).unwrap();
        pages.for_each(|number| site.write(&page(number)).unwrap());
        site.finish().unwrap();
    };
    write_all(0..7);
    for count in [7, 9, 4, 12] {
        let files = folder.files().into_iter();
        let twins: Vec<(String, Vec<u8>)> = files
            .filter(|(name, _)| name.ends_with(".xml"))
            .map(|(name, bytes)| (format!("{name}.gz"), gzip(&bytes)))
            .collect();
        for (name, twin) in &twins {
            folder.write(name, twin);
        }
        write_all(0..count);
        assert_eq!(pages(&folder, "sitemap.xml"), count + 1);
        for (name, twin) in twins {
            assert_eq!(folder.files()[&name], twin, "{name}");
        }
    }
}

/// It lists files that cannot be attributed to this set.
#[test]
fn the_set_of_another_program_under_the_same_name_is_refused() {
    let folder = Folder::new();
    folder.write("sitemap.xml.gz", gzip(index(&["sitemap-1.xml"]).as_bytes()));
    folder.write("sitemap-1.xml", "theirs");
    let before = folder.files();
    let error = write(folder.create(), 0..2).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::AlreadyExists);
    assert_eq!(folder.files(), before);
}

#[test]
fn a_set_that_is_called_as_a_file_of_another_leaves_its_temporary_files() {
    for name in ["sitemap-1.xml.gz", "sitemap-1.xml"] {
        let folder = Folder::new();
        let directory = folder.create().gzip(name.ends_with(".gz"));
        let mut site = threes().split(directory);
        site.write(&page(1)).unwrap();
        write(folder.create().name(name), 0..2).unwrap();
        site.finish().unwrap();
        assert_eq!(pages(&folder, "sitemap.xml"), 1);
        assert_eq!(pages(&folder, &format!("{name}.xml")), 2);
    }
}
