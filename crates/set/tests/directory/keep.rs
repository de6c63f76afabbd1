//! Groups that stay as they are in the set that is being replaced.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use quick_sitemap::{Limits, Result, Rule, SplitWriter, WriterBuilder};
use quick_sitemap_set::{Directory, Published};

use super::folder::{
    Folder, URLSET, gzip, index, kind, locs, page, read_set, refused, rule, threes, write,
    write_single,
};

/// Pages of the set itself, of `pots` and of `pans`.
fn publish_all(folder: &Folder, directory: Directory) -> Published {
    let mut site = threes().split(directory);
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
fn visible(folder: &Folder) -> Files {
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

/// `pots` cannot be kept, and the old set stays.
#[track_caller]
fn is_refused(folder: &Folder, expected: &str) {
    let before = folder.files();
    let error = publish_pans(threes().split(folder.create())).unwrap_err();
    let message = format!("{error:#}");
    assert!(message.contains(expected), "{message}");
    assert!(error.is_fatal());
    assert_eq!(folder.files(), before, "{message}");
}

type Files = BTreeMap<String, (Vec<u8>, u64, i64)>;

fn pots_are_kept(before: &Files, after: &Files) {
    for (name, file) in before.iter().filter(|(name, _)| name.starts_with("pots")) {
        assert_eq!(after.get(name), Some(file), "{name}");
    }
}

#[test]
fn a_group_that_is_kept_stays_byte_for_byte() {
    for (fingerprint, gzip) in [(false, false), (false, true), (true, false), (true, true)] {
        let folder = Folder::new();
        let directory = || {
            let directory = folder.create().gzip(gzip).fingerprint(fingerprint);
            directory.grace(Duration::ZERO)
        };
        publish_all(&folder, directory());
        let (before, old_lines) = (visible(&folder), lines(&folder, "pots"));
        assert_eq!(old_lines.len(), 3);
        let published = publish_pans(threes().split(directory())).unwrap();
        pots_are_kept(&before, &visible(&folder));
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
        let again = publish_pans(threes().split(directory())).unwrap();
        assert!(!again.is_changed());
        assert_eq!(lines(&folder, "pots"), old_lines);
        // Neither written nor kept: it is gone.
        for _ in 0..2 {
            write(directory(), 1..2).unwrap();
        }
        assert_eq!(folder.visible().len(), 2);
    }
}

#[test]
fn kept_entries_count() {
    let folder = Folder::new();
    publish_all(&folder, folder.create());
    let least = |entries| threes().split(folder.create().refuse_below(entries));
    let mut site = least(12);
    site.keep("pots").unwrap();
    assert_eq!((site.entries(), site.bytes()), (7, 0));
    site.keep("pans").unwrap();
    site.keep("pans").unwrap();
    assert_eq!(site.entries(), 12);
    site.finish().unwrap();
    assert_eq!(read_set(&folder).len(), 12);
    let mut site = least(13);
    site.keep("pots").unwrap();
    site.keep("pans").unwrap();
    refused(
        site.finish(),
        io::ErrorKind::InvalidData,
        "the minimum is 13",
    );
    // The set itself can be kept too, and is then not single.
    publish_all(&folder, folder.create());
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
    publish_all(&folder, folder.create());
    let file = ".sitemap.set/journal";
    let journal = fs::read_to_string(folder.path(file)).unwrap();
    let noted = journal.lines().filter(|line| line.starts_with("pots-"));
    let counts: Vec<&str> = noted.filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(counts, ["3", "3", "1"]);
    assert_eq!(entries().unwrap(), 7);
    // A believed count is not read.
    folder.write(file, journal.replace("pots-1.xml - 3", "pots-1.xml - 9"));
    assert_eq!(entries().unwrap(), 13);
    // Cut, so that the size is missing or another one.
    let at = journal.find("pots-1.xml").unwrap();
    let end = at + journal[at..].find('\n').unwrap();
    for cut in at..=end {
        folder.write(file, &journal[..cut]);
        assert_eq!(entries().unwrap(), 7);
    }
    fs::remove_dir_all(folder.path(".sitemap.set")).unwrap();
    assert_eq!(entries().unwrap(), 7);
    let part = fs::read_to_string(folder.path("pots-1.xml")).unwrap();
    let (first, rest) = part.split_once("</url>").unwrap();
    let (head, _) = first.split_once("<url>").unwrap();
    folder.write("pots-1.xml", head.to_owned() + rest);
    assert_eq!(entries().unwrap(), 6);
    // A part that is cut cannot be kept.
    folder.write("pots-1.xml", &part[..part.len() - 20]);
    let error = entries().unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidData);
    let message = format!("{error:#}");
    let expected = "pots-1.xml: this file cannot be read completely";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn what_cannot_be_kept_is_an_error_and_the_old_set_stays() {
    let folder = Folder::new();
    is_refused(&folder, "sitemap.xml: No such file");
    write(folder.create(), 1..2).unwrap();
    is_refused(&folder, "it lists no part of the group `pots`");
    // A single urlset has no parts.
    write_single(folder.create(), 1..2).unwrap();
    let error = threes().split(folder.create()).keep("").unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::NotFound);

    publish_all(&folder, folder.create());
    let before = folder.files();
    let other = "https://www.example.com/".parse().unwrap();
    let other = Directory::create(&folder.0, &other).unwrap();
    let error = threes().split(other).keep("pots").unwrap_err();
    let expected = "https://example.com/pots-1.xml is not in the directory of the set";
    assert!(format!("{error:#}").contains(expected), "{error:#}");
    assert_eq!(folder.files(), before);
    let part = fs::read(folder.path("pots-2.xml")).unwrap();
    fs::remove_file(folder.path("pots-2.xml")).unwrap();
    is_refused(&folder, "pots-2.xml: ");
    folder.write("pots-2.xml", &part);
    // An index that is cut, or that has a line which cannot be read.
    let whole = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    let cuts = [
        whole.trim_end().len() - 1,
        whole.rfind("<sitemap>").unwrap(),
        whole.find("pots-3").unwrap(),
    ];
    let cuts = cuts.map(|cut| whole[..cut].to_owned());
    let wrong = [
        ("<loc>https://example.com/pots-2", "<loc>pots-2"),
        ("<lastmod>2024-01-17", "<lastmod>2024-21-17"),
    ];
    let wrong = wrong.map(|(right, wrong)| {
        assert!(whole.contains(right), "{whole}");
        whole.replace(right, wrong)
    });
    for index in cuts.into_iter().chain(wrong) {
        folder.write("sitemap.xml", index);
        is_refused(&folder, "sitemap.xml: this file cannot be read completely");
    }
    // A group cannot be both written and kept.
    folder.write("sitemap.xml", &whole);
    let mut written = threes().split(folder.create());
    written.group("pots").write(&page(1)).unwrap();
    let error = written.keep("pots").unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidInput);
    assert!(written.finish().is_err());
    let mut kept = threes().split(folder.create());
    kept.keep("pots").unwrap();
    let error = kept.group("pots").write(&page(1)).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidInput);
    assert!(kept.finish().is_err());
    assert_eq!(folder.files(), before);
    // The part goes while the set is written.
    let mut site = threes().split(folder.create());
    site.keep("pots").unwrap();
    fs::remove_file(folder.path("pots-2.xml")).unwrap();
    let error = format!("{:#}", site.finish().unwrap_err());
    let expected = "pots-2.xml: this file was removed during the run";
    assert!(error.contains(expected), "{error}");
}

/// The kept parts are as they were, and the others as the settings say.
#[test]
fn a_group_is_kept_with_other_settings() {
    let folder = Folder::new();
    publish_all(&folder, folder.create());
    let before = visible(&folder);
    let twos = WriterBuilder::new().limits(Limits::default().with_entries(2));
    let gzipped = threes().split(folder.create().gzip(true));
    let fingerprint = folder.create().fingerprint(true).grace(Duration::ZERO);
    let fingerprint = threes().split(fingerprint);
    let single = threes().split(folder.create()).single(true);
    for (site, expected) in [
        (gzipped, "pans-1.xml.gz"),
        (fingerprint, "pans-1-"),
        (twos.split(folder.create()), "pans-2.xml"),
        (single, "sitemap-1.xml"),
    ] {
        publish_pans(site).unwrap();
        let after = visible(&folder);
        pots_are_kept(&before, &after);
        assert_eq!(read_set(&folder).len(), 15);
        let found = after.keys().filter(|name| name.starts_with(expected));
        assert_eq!(found.count(), 1, "{expected}");
    }
    let mut site = threes().split_text(folder.create());
    site.keep("pots").unwrap();
    site.write(&page(1)).unwrap();
    site.finish().unwrap();
    let expected = [
        "pots-1.xml",
        "pots-2.xml",
        "pots-3.xml",
        "sitemap-1.txt",
        "sitemap.xml",
    ];
    assert_eq!(folder.visible(), expected);
}

/// An index lists at most 50,000 sitemaps.
#[test]
fn kept_parts_count_for_the_limit_of_the_index() {
    let folder = Folder::new();
    let names: Vec<String> = (1..=50_000).map(|n| format!("pots-{n}.xml")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.write("sitemap.xml", index(&names));
    folder.write("pots-1.xml", URLSET);
    for name in &names[1..] {
        fs::hard_link(folder.path("pots-1.xml"), folder.path(name)).unwrap();
    }
    let mut site = threes().split(folder.create().dry_run(true));
    site.keep("pots").unwrap();
    let error = site.write(&page(1)).unwrap_err();
    assert_eq!(rule(&error), Rule::TooManyEntries);
    let mut site = threes().split(folder.create().dry_run(true));
    site.write(&page(1)).unwrap();
    let error = site.keep("pots").unwrap_err();
    assert!(error.is_fatal());
    assert!(format!("{error:#}").contains("50,000"), "{error:#}");
}

/// A journal that somebody put into the folder costs no file of others.
#[test]
fn a_journal_is_believed_only_for_parts() {
    let folder = Folder::new();
    let others = [
        ("index.html", "<html></html>"),
        ("robots.txt", "User-agent: *"),
        ("report-2024.txt", "Our year"),
        ("feed-1.xml", "<rss><channel></channel></rss>"),
        ("posts.xml", URLSET),
        ("other-1.xml", URLSET),
        ("sitemap.xml.gz.bak", "mine"),
        ("other.xml", &index(&["other-1.xml"])),
    ];
    for (file, content) in others {
        folder.write(file, content);
    }
    // These are sitemaps with the name of a part, and nobody else lists them.
    folder.write("blog-1.xml", URLSET);
    folder.write("blog-2.txt.gz", gzip(b"https://example.com/\n"));
    fs::create_dir(folder.path(".sitemap.set")).unwrap();
    let names = others.map(|(file, _)| file).into_iter();
    let names = names.chain(["blog-1.xml", "blog-2.txt.gz", "../c-1.xml", ".htaccess"]);
    let journal = names.map(|file| format!("{file} 0\n"));
    folder.write(".sitemap.set/journal", journal.collect::<String>());
    let published = write(folder.create(), 1..2).unwrap();
    let mut removed = published.removed().to_vec();
    removed.sort();
    let expected = ["blog-1.xml", "blog-2.txt.gz"].map(|file| folder.path(file));
    assert_eq!(removed, expected);
    for (file, content) in others {
        assert_eq!(folder.files()[file], content.as_bytes(), "{file}");
    }
}
