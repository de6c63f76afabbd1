//! `Directory::dry_run`: nothing is written, and the report is that of the run which follows.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_sitemap::{Result, UrlEntry};
use quick_sitemap_set::{Directory, Published};

use super::folder::{Folder, base, gzip, index, kind, page, refused, threes, write};

/// What `stats` finds, by path.
type Stats = BTreeMap<PathBuf, [i64; 7]>;

/// Inode, times and size of a folder and of everything in it, hidden or not.
fn stats(path: &Path) -> Stats {
    let mut stats = Stats::new();
    let mut rest = vec![path.to_owned()];
    while let Some(path) = rest.pop() {
        let Ok(file) = fs::symlink_metadata(&path) else {
            continue;
        };
        if file.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            rest.extend(entries.map(|entry| entry.unwrap().path()));
        }
        let stat = [
            file.ino() as i64,
            file.mtime(),
            file.mtime_nsec(),
            file.ctime(),
            file.ctime_nsec(),
            file.len() as i64,
            i64::from(file.mode()),
        ];
        stats.insert(path, stat);
    }
    stats
}

/// Runs twice without writing, and then with writing. All three report the same, or fail in the same way, and the report is
/// true.
fn publish(
    set: impl Fn() -> Directory,
    run: impl Fn(Directory) -> Result<Published>,
    folder: &Path,
) -> Result<Published> {
    let before = stats(folder);
    let dry_runs = [0, 1].map(|_| run(set().dry_run(true)));
    assert_eq!(stats(folder), before, "a dry run has written");
    let real = run(set());
    for dry_run in dry_runs {
        match (dry_run, &real) {
            (Ok(dry_run), Ok(real)) => assert_eq!(dry_run, *real),
            (Err(dry_run), Err(real)) => {
                assert_eq!(format!("{dry_run:#}"), format!("{real:#}"));
                assert_eq!(kind(&dry_run), kind(real));
            }
            (dry_run, real) => panic!("dry: {dry_run:?}, real: {real:?}"),
        }
    }
    if let Ok(published) = &real {
        check(published, &before, &stats(folder), folder);
    }
    real
}

/// A report lists the files that were created, replaced and removed, and no others.
fn check(published: &Published, before: &Stats, after: &Stats, folder: &Path) {
    let is_replaced = |path: &Path| {
        assert!(after.contains_key(path), "{} is missing", path.display());
        before.get(path).map(|stat| stat[0]) != after.get(path).map(|stat| stat[0])
    };
    assert_eq!(is_replaced(published.path()), published.is_index_changed());
    for part in published.parts() {
        assert_eq!(is_replaced(&part.path), part.changed, "{part:?}");
    }
    let is_gone = |path: &&PathBuf| path.parent() == Some(folder) && !after.contains_key(*path);
    let gone: Vec<&PathBuf> = before.keys().filter(is_gone).collect();
    let mut removed: Vec<&PathBuf> = published.removed().iter().collect();
    removed.sort_unstable();
    assert_eq!(removed, gone);
}

/// The settings of one run.
#[derive(Debug, Clone, Copy, Default)]
struct Settings {
    gzip: bool,
    fingerprint: bool,
    grace: u64,
    text: bool,
    single: bool,
    groups: bool,
}

impl Settings {
    /// Each of the 64 combinations has a number.
    fn of(number: usize) -> Self {
        Self {
            gzip: number & 1 > 0,
            fingerprint: number & 2 > 0,
            grace: if number & 4 > 0 { 3_600 } else { 0 },
            text: number & 8 > 0,
            single: number & 16 > 0,
            groups: number & 32 > 0,
        }
    }

    fn publish(self, folder: &Folder, pages: std::ops::Range<usize>) -> Result<Published> {
        let set = || {
            let directory = folder.create().gzip(self.gzip);
            let directory = directory.fingerprint(self.fingerprint);
            directory.grace(Duration::from_secs(self.grace))
        };
        let run = |directory| {
            let site = if self.text {
                threes().split_text(directory)
            } else {
                threes().split(directory)
            };
            let mut site = site.single(self.single);
            for number in pages.clone() {
                site.write(&page(number))?;
                if self.groups {
                    let group = ["news", "shop"][number % 2];
                    site.group(group).write(&page(number + 100))?;
                }
            }
            site.finish()
        };
        publish(set, run, &folder.0)
    }
}

/// The first visible part of a set.
fn part(published: &Published) -> Option<&Path> {
    published.parts().first().map(|part| &*part.path)
}

#[test]
fn a_dry_run_reports_what_the_run_then_does() {
    for number in (0..64).step_by(5) {
        let settings = Settings::of(number);
        let folder = Folder::new();
        let publish = |pages| settings.publish(&folder, pages).unwrap();
        assert!(publish(0..7).is_changed(), "{settings:?}");
        // The second run removes parts whose grace period is over, if there are any.
        assert!(!publish(0..7).is_changed(), "{settings:?}");
        assert!(publish(0..9).is_changed());
        publish(0..4);
        let shrunk = publish(0..4);
        if let Some(part) = part(&shrunk) {
            let bytes = fs::read(part).unwrap();
            fs::remove_file(part).unwrap();
            assert!(publish(0..4).parts()[0].changed, "{settings:?}");
            for damaged in [b"damaged", &bytes[1..]] {
                fs::write(part, damaged).unwrap();
                assert!(publish(0..4).parts()[0].changed, "{settings:?}");
            }
            // A link is refused, even if the content is the same.
            let elsewhere = folder.path("elsewhere");
            fs::write(&elsewhere, &bytes).unwrap();
            fs::remove_file(part).unwrap();
            symlink(&elsewhere, part).unwrap();
            let run = settings.publish(&folder, 0..4);
            refused(run, io::ErrorKind::AlreadyExists, "a symbolic link");
            assert_eq!(fs::read(&elsewhere).unwrap(), bytes);
            fs::remove_file(part).unwrap();
            fs::remove_file(elsewhere).unwrap();
            publish(0..4);
        }
        for pages in [2..4, 2..4, 0..2, 0..2, 0..1, 0..0, 0..0, 3..12] {
            publish(pages);
        }
    }
}

/// One set is written with other settings each time.
#[test]
fn a_dry_run_reports_every_change_of_settings() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut removed = 0;
    for _ in 0..200 {
        let (first, count) = (random(4), random(12));
        let settings = Settings::of(random(64));
        let published = settings.publish(&folder, first..first + count).unwrap();
        removed += published.removed().len();
        match (random(4), part(&published)) {
            (0, Some(part)) => fs::remove_file(part).unwrap(),
            (1, Some(part)) => fs::write(part, "damaged").unwrap(),
            _ => {}
        }
    }
    assert!(removed > 100, "{removed}");
}

/// The part that a single sitemap is made of can be visible under its own name.
#[test]
fn a_visible_part_becomes_the_only_sitemap() {
    for (gzip, file) in [(false, "sitemap-1.xml"), (true, "sitemap-1.xml.gz")] {
        let folder = Folder::new();
        let split = Settings {
            gzip,
            ..Settings::default()
        };
        let single = Settings {
            single: true,
            ..split
        };
        split.publish(&folder, 0..3).unwrap();
        let published = single.publish(&folder, 0..3).unwrap();
        assert!(published.is_index_changed() && published.parts().is_empty());
        assert_eq!(published.removed().len(), 1);
        // The part is there again, but is not part of the set; the sitemap stays as it is.
        folder.write(file, &folder.files()["sitemap.xml"]);
        assert!(!single.publish(&folder, 0..3).unwrap().is_changed());
        assert!(single.publish(&folder, 0..2).unwrap().is_changed());
    }
}

#[test]
fn nothing_is_created() {
    let folder = Folder::new();
    let set = || Directory::create(folder.path("a/b"), &base()).unwrap();
    let published = write(set().dry_run(true), 0..7).unwrap();
    assert!(published.is_changed() && published.is_index_changed());
    assert!(published.parts().iter().all(|part| part.changed));
    assert_eq!(published.to_string(), "https://example.com/sitemap.xml");
    assert!(folder.names().is_empty());

    // An unfinished dry run does not write either.
    let before = stats(&folder.0);
    let mut site = threes().split(folder.create().dry_run(true));
    (0..5).for_each(|number| site.write(&page(number)).unwrap());
    assert_eq!(stats(&folder.0), before);
    drop(site);
    assert_eq!(stats(&folder.0), before);

    // A folder that cannot be written, not even by root if the disk is read-only.
    let read_only = fs::Permissions::from_mode(0o555);
    fs::set_permissions(&folder.0, read_only).unwrap();
    let before = stats(&folder.0);
    write(folder.create().dry_run(true), 0..7).unwrap();
    assert_eq!(stats(&folder.0), before);
    fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A dry run takes no lock, so it neither waits for a run nor disturbs it.
#[test]
fn a_run_is_not_disturbed() {
    let folder = Folder::new();
    write(folder.create(), 0..4).unwrap();
    let mut site = threes().split(folder.create());
    (0..7).for_each(|number| site.write(&page(number)).unwrap());
    let before = stats(&folder.0);
    let published = write(folder.create().dry_run(true), 0..4).unwrap();
    assert!(!published.is_changed());
    assert_eq!(stats(&folder.0), before);
    assert_eq!(site.finish().unwrap().parts().len(), 3);
    // And a run can begin while a dry run is at work.
    let mut site = threes().split(folder.create().dry_run(true));
    site.write(&page(0)).unwrap();
    write(folder.create(), 0..4).unwrap();
    assert!(site.finish().unwrap().is_changed());
}

#[test]
fn files_of_a_killed_run_stay_until_the_next_run() {
    let folder = Folder::new();
    write(folder.create(), 0..4).unwrap();
    folder.write(".sitemap.set/new/sitemap-1.xml", "half");
    folder.write(".sitemap.set/journal", "# journal\nsitemap-9.xml -\n");
    folder.write("sitemap-9.xml", "left");
    folder.write("sitemap-8.xml", "not of this set");
    let published = Settings::default().publish(&folder, 0..4).unwrap();
    assert_eq!(published.removed(), [folder.path("sitemap-9.xml")]);
    assert!(published.is_changed() && !published.is_index_changed());
}

#[test]
fn the_time_of_grace() {
    let folder = Folder::new();
    let settings = Settings {
        fingerprint: true,
        grace: 3_600,
        ..Settings::default()
    };
    settings.publish(&folder, 0..4).unwrap();
    let published = settings.publish(&folder, 1..4).unwrap();
    assert!(published.is_changed() && published.removed().is_empty());
    assert!(!settings.publish(&folder, 1..4).unwrap().is_changed());
    // An hour later.
    let journal = folder.path(".sitemap.set/journal");
    let text = fs::read_to_string(&journal).unwrap();
    let earlier = text.lines().map(|line| match line.rsplit_once(' ') {
        Some((file, since)) if !line.starts_with('#') => {
            let since = since.parse::<u64>().map(|since| since - 3_600);
            format!("{file} {}\n", since.unwrap())
        }
        _ => format!("{line}\n"),
    });
    fs::write(&journal, earlier.collect::<String>()).unwrap();
    let published = settings.publish(&folder, 1..4).unwrap();
    assert_eq!(published.removed().len(), 2);
    assert!(published.is_changed() && !journal.exists());
}

/// The errors of a run that are known before it writes.
#[test]
fn a_dry_run_fails_as_the_run_does() {
    let list = |file: &str| Some(index(&[file]).into_bytes());
    let notes = || Some(b"my notes".to_vec());
    let gzipped = list("sitemap-1.xml").map(|list| gzip(&list));
    // Without content, it is a directory.
    for (file, content, says) in [
        ("sitemap.xml", notes(), "neither a urlset nor an index"),
        ("all.xml", list("sitemap-2.xml"), "index all.xml lists it"),
        ("all.xml", list("sitemap.xml"), "index all.xml lists it"),
        ("sitemap.xml.gz", gzipped, "index sitemap.xml.gz lists it"),
        ("sitemap-2.xml", list("x.xml"), "the index of another set"),
        ("sitemap-2.xml", None, "a directory is in the way"),
        ("sitemap.xml", None, "a directory is in the way"),
        (".sitemap.set", notes(), "a file is in the way"),
        (".sitemap.set/lock", None, "a directory is in the way"),
        (".sitemap.set/new", notes(), "a file is in the way"),
    ] {
        let folder = Folder::new();
        let path = folder.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content {
            Some(content) => fs::write(path, content).unwrap(),
            None => fs::create_dir(path).unwrap(),
        }
        let error = Settings::default().publish(&folder, 0..7).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::AlreadyExists, "{file}");
        let message = format!("{error:#}");
        assert!(message.contains(file), "{file}: {message}");
        assert!(message.contains(says), "{file}: {message}");
    }
    // A set whose name another index lists.
    let folder = Folder::new();
    folder.write("all.xml", index(&["posts.xml"]));
    let set = || folder.create().name("posts");
    publish(set, |set| write(set, 0..2), &folder.0).unwrap_err();
    // A file in place of the directory.
    folder.write("public", "theirs");
    for (path, says) in [
        ("public", "public: a file is in the way"),
        ("public/maps", "Not a directory"),
    ] {
        let set = || Directory::create(folder.path(path), &base()).unwrap();
        let error = publish(set, |set| write(set, 0..2), &folder.0).unwrap_err();
        let message = format!("{error:#}");
        assert!(message.contains(says), "{path}: {message}");
    }
}

#[test]
fn settings_and_pages_are_checked() {
    let folder = Folder::new();
    let publish = |set: &dyn Fn() -> Directory, run: fn(Directory) -> Result<Published>| {
        kind(&publish(set, run, &folder.0).unwrap_err())
    };
    let create = || Directory::create(&folder.0, &base()).unwrap();
    let too_few = publish(&|| create().refuse_below(9), |set| write(set, 0..8));
    assert_eq!(too_few, io::ErrorKind::InvalidData);
    let name = publish(&|| create().name("a/b"), |set| write(set, 0..1));
    assert_eq!(name, io::ErrorKind::InvalidInput);
    let group = publish(&create, |set| {
        let mut site = threes().split(set);
        site.group("sitemap").write(&page(1))?;
        site.finish()
    });
    assert_eq!(group, io::ErrorKind::InvalidInput);
    // A page that is rejected is not counted.
    let mut site = threes().split(create().dry_run(true));
    let other = UrlEntry::try_from("https://other.example/").unwrap();
    assert!(!site.write(&other).unwrap_err().is_fatal());
    site.write(&page(1)).unwrap();
    assert_eq!(site.finish().unwrap().parts().len(), 1);
    assert!(folder.names().is_empty());
}
