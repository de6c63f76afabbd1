//! Groups that stay as they are in the set that is being replaced.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use quick_sitemap::{Limits, Result, SplitWriter, WriterBuilder};
use quick_sitemap_set::{Directory, Published};

use super::folder::{Folder, base, gzip, index, kind, locs, page, read_set, threes};

/// Pages of the set itself, of `pots` and of `pans`.
fn publish_all(folder: &Folder, directory: impl Fn() -> Directory) -> Published {
    let mut site = threes().split(directory());
    (0..4).for_each(|number| site.write(&page(number)).unwrap());
    for number in 10..17 {
        site.group("pots").write(&page(number)).unwrap();
    }
    for number in 20..25 {
        site.group("pans").write(&page(number)).unwrap();
    }
    let published = site.finish().unwrap();
    assert_eq!(read_set(folder).len(), 16);
    published
}

/// Writes new pages of the set itself and of `pans`, and keeps `pots`.
fn publish_pans(mut site: SplitWriter<Directory>) -> Result<Published> {
    (0..4).try_for_each(|number| site.write(&page(number)))?;
    site.keep("pots")?;
    for number in 40..44 {
        site.group("pans").write(&page(number))?;
    }
    site.finish()
}

/// The bytes, the inode and the date of each visible file.
fn visible(folder: &Folder) -> BTreeMap<String, (Vec<u8>, u64, i64)> {
    let names = folder.visible().into_iter();
    let files = names.map(|name| {
        let stat = fs::metadata(folder.path(&name)).unwrap();
        let bytes = fs::read(folder.path(&name)).unwrap();
        (name, (bytes, stat.ino(), stat.mtime_nsec()))
    });
    files.collect()
}

fn lines(folder: &Folder, group: &str) -> Vec<String> {
    let index = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    let lines = index.split("<sitemap>").map(ToOwned::to_owned);
    lines.filter(|line| line.contains(group)).collect()
}

fn failure(folder: &Folder, settings: WriterBuilder, directory: Directory, expected: &str) {
    let before = folder.files();
    let error = publish_pans(settings.split(directory)).unwrap_err();
    let message = format!("{error:#}");
    assert!(message.contains(expected), "{message}");
    assert!(error.is_fatal());
    assert_eq!(folder.files(), before, "{message}");
}

#[test]
fn a_group_that_is_kept_stays_byte_for_byte() {
    for fingerprint in [false, true] {
        for gzip in [false, true] {
            let folder = Folder::new();
            let directory = || {
                let directory = folder.create().gzip(gzip).fingerprint(fingerprint);
                directory.grace(Duration::ZERO)
            };
            publish_all(&folder, directory);
            let (before, old_lines) = (visible(&folder), lines(&folder, "pots"));
            assert_eq!(old_lines.len(), 3);
            let published = publish_pans(threes().split(directory())).unwrap();
            let after = visible(&folder);
            for (name, file) in before.iter().filter(|(name, _)| name.starts_with("pots")) {
                assert_eq!(after.get(name), Some(file), "{name}");
            }
            assert_eq!(lines(&folder, "pots"), old_lines);
            // The parts are in the order of the groups, and the reports say which were kept.
            let kept: Vec<&str> = published.kept().map(|part| part.loc.as_str()).collect();
            assert_eq!(kept, &locs(&folder)[2..5]);
            assert!(published.kept().all(|part| !part.changed));
            let pages = (0..4).chain(10..17).chain(40..44);
            assert_eq!(read_set(&folder), pages.map(page).collect::<Vec<_>>());
            // Again and again.
            for _ in 0..3 {
                publish_pans(threes().split(directory())).unwrap();
            }
            assert!(
                !publish_pans(threes().split(directory()))
                    .unwrap()
                    .is_changed()
            );
            assert_eq!(lines(&folder, "pots"), old_lines);
            // Neither written nor kept: it is gone.
            for _ in 0..2 {
                let mut site = threes().split(directory());
                site.write(&page(1)).unwrap();
                site.finish().unwrap();
            }
            assert_eq!(folder.visible().len(), 2);
        }
    }
}

#[test]
fn kept_entries_count() {
    let folder = Folder::new();
    publish_all(&folder, || folder.create());
    let least = |entries| {
        Directory::create(&folder.0, &base())
            .unwrap()
            .refuse_below(entries)
    };
    let mut site = threes().split(least(12));
    site.keep("pots").unwrap();
    assert_eq!((site.entries(), site.bytes()), (7, 0));
    site.keep("pans").unwrap();
    site.keep("pans").unwrap();
    assert_eq!(site.entries(), 12);
    site.finish().unwrap();
    assert_eq!(read_set(&folder).len(), 12);
    let mut site = threes().split(least(13));
    site.keep("pots").unwrap();
    site.keep("pans").unwrap();
    assert_eq!(
        kind(&site.finish().unwrap_err()),
        io::ErrorKind::InvalidData
    );
    // The set itself can be kept too, and is then not single.
    publish_all(&folder, || folder.create());
    let mut site = threes().split(folder.create()).single(true);
    site.keep("").unwrap();
    assert_eq!(site.entries(), 4);
    site.finish().unwrap();
    assert_eq!(locs(&folder).len(), 2);
    assert_eq!(read_set(&folder).len(), 4);
}

/// The journal has the number of entries only of a part of the size that it notes. Any other part is read.
#[test]
fn entries_are_counted_where_nothing_is_known() {
    let folder = Folder::new();
    let entries = || {
        let mut site = threes().split(folder.create().dry_run(true));
        site.keep("pots").map(|()| site.entries())
    };
    publish_all(&folder, || folder.create());
    let journal = fs::read_to_string(folder.path(".sitemap.set/journal")).unwrap();
    let noted = journal.lines().filter(|line| line.starts_with("pots-"));
    let counts: Vec<&str> = noted.filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(counts, ["3", "3", "1"]);
    assert_eq!(entries().unwrap(), 7);
    // A believed count is not read.
    folder.write(
        ".sitemap.set/journal",
        journal.replace("pots-1.xml - 3", "pots-1.xml - 9"),
    );
    assert_eq!(entries().unwrap(), 13);
    // Cut, so that the size is missing or another one.
    let at = journal.find("pots-1.xml").unwrap();
    let end = at + journal[at..].find('\n').unwrap();
    for cut in at..=end {
        folder.write(".sitemap.set/journal", &journal[..cut]);
        assert_eq!(entries().unwrap(), 7);
    }
    fs::remove_dir_all(folder.path(".sitemap.set")).unwrap();
    assert_eq!(entries().unwrap(), 7);
    let part = fs::read_to_string(folder.path("pots-1.xml")).unwrap();
    let without_one = {
        let (from, to) = (
            part.find("<url>").unwrap(),
            part.find("</url>").unwrap() + 6,
        );
        format!("{}{}", &part[..from], &part[to..])
    };
    folder.write("pots-1.xml", without_one);
    assert_eq!(entries().unwrap(), 6);
    // A part that is cut cannot be kept.
    folder.write("pots-1.xml", &part[..part.len() - 20]);
    let error = entries().unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidData);
    assert!(
        format!("{error:#}").contains("pots-1.xml: this file cannot be read completely"),
        "{error:#}"
    );
}

#[test]
fn what_cannot_be_kept_is_an_error_and_the_old_set_stays() {
    let folder = Folder::new();
    let none = "it lists no part of the group `pots`";
    failure(
        &folder,
        threes(),
        folder.create(),
        "sitemap.xml: No such file",
    );
    let mut site = threes().split(folder.create());
    site.write(&page(1)).unwrap();
    site.finish().unwrap();
    failure(&folder, threes(), folder.create(), none);
    // A single urlset has no parts.
    let mut site = threes().split(folder.create()).single(true);
    site.write(&page(1)).unwrap();
    site.finish().unwrap();
    let error = threes().split(folder.create()).keep("").unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::NotFound);

    publish_all(&folder, || folder.create());
    let other = "https://www.example.com/".parse().unwrap();
    let other = Directory::create(&folder.0, &other).unwrap();
    failure(
        &folder,
        threes().any_directory().allow_site(&base()),
        other,
        "https://example.com/pots-1.xml is not in the directory of the set",
    );
    let part = fs::read(folder.path("pots-2.xml")).unwrap();
    fs::remove_file(folder.path("pots-2.xml")).unwrap();
    failure(&folder, threes(), folder.create(), "pots-2.xml: ");
    folder.write("pots-2.xml", &part);
    // An index that is cut, or that has a line which cannot be read.
    let whole = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    for cut in [
        whole.trim_end().len() - 1,
        whole.rfind("<sitemap>").unwrap(),
        whole.find("pots-3").unwrap(),
    ] {
        folder.write("sitemap.xml", &whole[..cut]);
        failure(
            &folder,
            threes(),
            folder.create(),
            "sitemap.xml: this file cannot be read completely",
        );
    }
    for (right, wrong) in [
        ("<loc>https://example.com/pots-2", "<loc>pots-2"),
        ("<lastmod>2024-01-17", "<lastmod>2024-21-17"),
    ] {
        assert!(whole.contains(right), "{whole}");
        folder.write("sitemap.xml", whole.replace(right, wrong));
        failure(
            &folder,
            threes(),
            folder.create(),
            "sitemap.xml: this file cannot be read completely",
        );
    }
    // A group cannot be both written and kept.
    folder.write("sitemap.xml", &whole);
    let before = folder.files();
    let mut site = threes().split(folder.create());
    site.group("pots").write(&page(1)).unwrap();
    assert_eq!(
        kind(&site.keep("pots").unwrap_err()),
        io::ErrorKind::InvalidInput
    );
    assert!(site.finish().is_err());
    let mut site = threes().split(folder.create());
    site.keep("pots").unwrap();
    assert_eq!(
        kind(&site.group("pots").write(&page(1)).unwrap_err()),
        io::ErrorKind::InvalidInput
    );
    assert!(site.finish().is_err());
    assert_eq!(folder.files(), before);
    // The part goes while the set is written.
    let mut site = threes().split(folder.create());
    site.keep("pots").unwrap();
    fs::remove_file(folder.path("pots-2.xml")).unwrap();
    let error = format!("{:#}", site.finish().unwrap_err());
    assert!(
        error.contains("pots-2.xml: this file was removed during the run"),
        "{error}"
    );
}

/// The kept parts are as they were, and the others as the settings say.
#[test]
fn a_group_is_kept_with_other_settings() {
    let folder = Folder::new();
    publish_all(&folder, || folder.create());
    let before = visible(&folder);
    let limits = WriterBuilder::new().limits(Limits::default().with_entries(2));
    let once = |site: SplitWriter<Directory>| {
        publish_pans(site).unwrap();
        let after = visible(&folder);
        for (name, file) in before.iter().filter(|(name, _)| name.starts_with("pots")) {
            assert_eq!(after.get(name), Some(file), "{name}");
        }
        assert_eq!(read_set(&folder).len(), 15);
        after
    };
    assert!(once(threes().split(folder.create().gzip(true))).contains_key("pans-1.xml.gz"));
    let after = once(threes().split(folder.create().fingerprint(true).grace(Duration::ZERO)));
    assert!(
        after
            .keys()
            .filter(|name| name.starts_with("pans-1-"))
            .count()
            == 1
    );
    assert!(once(limits.split(folder.create())).contains_key("pans-2.xml"));
    assert!(once(threes().split(folder.create()).single(true)).contains_key("sitemap-1.xml"));
    let mut site = threes().split_text(folder.create());
    site.keep("pots").unwrap();
    site.write(&page(1)).unwrap();
    site.finish().unwrap();
    assert_eq!(
        folder.visible(),
        [
            "pots-1.xml",
            "pots-2.xml",
            "pots-3.xml",
            "sitemap-1.txt",
            "sitemap.xml"
        ]
    );
}

/// An index lists at most 50,000 sitemaps.
#[test]
fn kept_parts_count_for_the_limit_of_the_index() {
    let folder = Folder::new();
    let list = |count: u32| {
        let line =
            |number| format!("<sitemap><loc>https://example.com/pots-{number}.xml</loc></sitemap>");
        index(&(1..=count).map(line).collect::<String>())
    };
    folder.write("sitemap.xml", list(50_000));
    let part = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>";
    folder.write("pots-1.xml", part);
    for number in 2..=50_000 {
        fs::hard_link(
            folder.path("pots-1.xml"),
            folder.path(&format!("pots-{number}.xml")),
        )
        .unwrap();
    }
    let mut site = threes().split(folder.create().dry_run(true));
    site.keep("pots").unwrap();
    let error = site.write(&page(1)).unwrap_err();
    assert_eq!(
        super::folder::rule(&error),
        quick_sitemap::Rule::TooManyEntries
    );
    let mut site = threes().split(folder.create().dry_run(true));
    site.write(&page(1)).unwrap();
    let error = site.keep("pots").unwrap_err();
    assert!(
        error.is_fatal() && format!("{error:#}").contains("50,000"),
        "{error:#}"
    );
}

/// A journal that somebody put into the folder costs no file of others.
#[test]
fn a_journal_is_believed_only_for_parts() {
    let urlset = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>";
    let folder = Folder::new();
    let others = [
        ("index.html", "<html></html>"),
        ("robots.txt", "User-agent: *"),
        ("report-2024.txt", "Our year"),
        ("feed-1.xml", "<rss><channel></channel></rss>"),
        ("posts.xml", urlset),
        ("other-1.xml", urlset),
        ("sitemap.xml.gz.bak", "mine"),
    ];
    others
        .iter()
        .for_each(|(file, content)| folder.write(file, content));
    folder.write(
        "other.xml",
        index("<sitemap><loc>https://example.com/other-1.xml</loc></sitemap>"),
    );
    // These are sitemaps with the name of a part, and nobody else lists them.
    folder.write("blog-1.xml", urlset);
    folder.write("blog-2.txt.gz", gzip(b"https://example.com/\n"));
    fs::create_dir(folder.path(".sitemap.set")).unwrap();
    let names = others.iter().map(|(file, _)| *file);
    let names = names.chain([
        "other.xml",
        "blog-1.xml",
        "blog-2.txt.gz",
        "../c-1.xml",
        ".htaccess",
    ]);
    folder.write(
        ".sitemap.set/journal",
        names.map(|file| format!("{file} 0\n")).collect::<String>(),
    );
    let mut site = threes().split(folder.create());
    site.write(&page(1)).unwrap();
    let published = site.finish().unwrap();
    let mut removed = published.removed().to_vec();
    removed.sort();
    assert_eq!(
        removed,
        [folder.path("blog-1.xml"), folder.path("blog-2.txt.gz")]
    );
    for (file, content) in others {
        assert_eq!(folder.files()[file], content.as_bytes(), "{file}");
    }
}
