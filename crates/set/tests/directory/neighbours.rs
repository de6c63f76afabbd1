//! Other sets and other files in the same directory.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use quick_sitemap_set::Directory;

use super::folder::{
    Folder, base, gzip, index, index_with, kind, line, page, read, refused, threes, write,
};

#[test]
fn names_that_no_set_may_have_are_refused() {
    let folder = Folder::new();
    let long = "a".repeat(101);
    // The first five look like parts.
    for name in [
        "sitemap-1",
        "sitemap-2024",
        "a-0",
        "a-999999999999",
        "a-1-9f86d081884c7d659a2feaa0c55ad015",
        "",
        "a/b",
        "..",
        ".a",
        "a\\b",
        "a b",
        "ä",
        "a%2fb",
        "a:b",
        "a?",
        &long,
    ] {
        let error = write(folder.create().name(name), 0..1).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::InvalidInput, "{name}");
    }
    assert!(folder.names().is_empty());
    for name in ["2024", "a-2024-x", "a-1-9f86d081", "a-"] {
        let folder = Folder::new();
        write(folder.create().name(name), 0..1).unwrap();
        assert_eq!(folder.names().len(), 2, "{name}");
    }
}

#[test]
fn what_another_index_names_is_left_alone() {
    for fingerprint in [false, true] {
        let folder = Folder::new();
        folder.write("all.xml", index(&["posts.xml", "sitemap-2.xml"]));
        folder.write("posts.xml", "theirs");
        folder.write("sitemap-2.xml", "theirs");
        let before = folder.files();
        let taken = |run| refused(run, io::ErrorKind::AlreadyExists, "all.xml");
        taken(write(folder.create().name("posts"), 0..1));
        assert_eq!(folder.files(), before);
        let written = write(folder.create().fingerprint(fingerprint), 0..5);
        if fingerprint {
            assert!(written.is_ok())
        } else {
            taken(written);
            assert_eq!(folder.files(), before);
        }
        // Not even if its own index names it, too.
        folder.write("sitemap.xml", index(&["sitemap-1.xml", "sitemap-2.xml"]));
        write(folder.create(), 0..1).unwrap();
        assert_eq!(folder.files()["sitemap-2.xml"], b"theirs");
    }
}

/// An index that cannot be read to its end may list any file.
#[test]
fn a_name_is_taken_only_if_every_index_was_read() {
    let theirs = index(&["x.xml", "sitemap-1.xml"]);
    let cut = |bytes: &[u8], less: usize| bytes[..bytes.len() - less].to_vec();
    let of = |loc: &str| index_with(&line(loc)).into_bytes();
    let page = "<url><loc>https://example.com/sitemap-1.xml</loc></url>";
    let gzipped = gzip(theirs.as_bytes());
    let named = "this file belongs to another set";
    let unread = "cannot be read to its end";
    for (file, content, expected) in [
        ("other.xml", theirs.clone().into_bytes(), named),
        ("other.xml", cut(&of("//example.com/x.xml"), 3), unread),
        ("other.xml", cut(theirs.as_bytes(), 40), unread),
        ("other.xml", cut(theirs.as_bytes(), 70), unread),
        ("other.xml", Vec::new(), unread),
        ("other.xml", b"<?xml version='1.0'?>".to_vec(), unread),
        ("other.xml.gz", cut(&gzipped, 20), unread),
        ("OTHER.XML", theirs.clone().into_bytes(), named),
        ("Other.Xml.GZ", gzipped.clone(), named),
        ("other", theirs.clone().into_bytes(), named),
        ("other.xml", of("/sitemap-1.xml"), named),
        ("other.xml", of("sitemap-1.xml"), named),
        ("other.xml", of("/%73itemap-1.xml?x#y"), named),
        ("other.xml", index_with(page).into_bytes(), named),
    ] {
        for is_there in [false, true] {
            let folder = Folder::new();
            folder.write(file, &content);
            if is_there {
                folder.write("sitemap-1.xml", "theirs");
            }
            let before = folder.files();
            let error = write(folder.create(), 0..1).unwrap_err();
            assert_eq!(kind(&error), io::ErrorKind::AlreadyExists);
            let message = format!("{error:#}");
            assert!(message.contains(expected), "{message}");
            assert!(message.contains(file), "{message}");
            assert_eq!(folder.files(), before);
        }
        // A set that has been written before goes on with the names that are its own, and removes nothing.
        let folder = Folder::new();
        write(folder.create(), 0..9).unwrap();
        folder.write(file, &content);
        let written = write(folder.create(), 20..25);
        assert_eq!(written.is_err(), expected == named, "{written:?}");
        assert_eq!(folder.visible().len(), 5);
        assert!(write(folder.create(), 0..12).is_err(), "{file}");
        // When the index is gone, the part that was left goes, too.
        fs::remove_file(folder.path(file)).unwrap();
        write(folder.create(), 20..25).unwrap();
        let own = ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"];
        assert_eq!(folder.visible(), own);
    }
    // These are not indexes.
    let folder = Folder::new();
    folder.write("a.xml", "<html/>");
    folder.write("b.xml", "<urlset>");
    folder.write("LICENSE", "");
    folder.write("c.txt", "");
    folder.write("d.xml.bak", &theirs);
    write(folder.create(), 0..9).unwrap();
    // The digest in a name shows whose it is.
    folder.write("other.xml", "");
    write(folder.create().fingerprint(true), 0..20).unwrap();
}

/// Parts whose index was cut do not stay for ever.
#[test]
fn the_parts_of_an_index_that_was_cut_are_found() {
    for keeps in [0, 1, 3] {
        for fingerprint in [false, true] {
            let folder = Folder::new();
            let set = || {
                let directory = folder.create().fingerprint(fingerprint);
                directory.grace(std::time::Duration::ZERO)
            };
            write(set(), 0..12).unwrap();
            let _ = fs::remove_file(folder.path(".sitemap.set/journal"));
            folder.write("sitemap-77.xml", "<urlset/>");
            let whole = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
            let at = whole.match_indices("<sitemap>").nth(keeps).unwrap().0;
            folder.write("sitemap.xml", &whole[..at]);
            for _ in 0..2 {
                write(set(), 0..2).unwrap();
            }
            assert_eq!(folder.visible().len(), 3, "{:?}", folder.visible());
            assert!(folder.path("sitemap-77.xml").exists());
        }
    }
}

#[test]
fn an_index_is_no_stale_part() {
    let folder = Folder::new();
    write(folder.create(), 0..9).unwrap();
    // A set of another owner, from a version that accepted such names.
    folder.write("sitemap-3.xml", index(&["x.xml"]));
    let error = write(folder.create(), 0..9).unwrap_err();
    assert!(format!("{error:#}").contains("another set"), "{error}");
    write(folder.create(), 0..2).unwrap();
    let expected = ["sitemap-1.xml", "sitemap-3.xml", "sitemap.xml"];
    assert_eq!(folder.names(), expected);
    let theirs = &folder.files()["sitemap-3.xml"];
    assert_eq!(theirs, index(&["x.xml"]).as_bytes());
}

#[test]
fn two_sets_in_one_directory() {
    let folder = Folder::new();
    let names = ["a", "a-b", "a.b", "a-b.xml"];
    for round in [9, 5, 0, 12] {
        for name in names {
            write(folder.create().name(name), 0..round + name.len()).unwrap();
        }
        for name in names {
            let is_own = |file: &&String| {
                let rest = file.strip_prefix(name)?.strip_prefix('-')?;
                rest.strip_suffix(".xml")?.parse::<u32>().ok()
            };
            let names = folder.names();
            let parts = names.iter().filter(|file| is_own(file).is_some()).count();
            assert_eq!(parts, (round + name.len()).div_ceil(3), "{name}");
        }
    }
}

#[test]
fn a_group_and_a_set_of_one_name() {
    let folder = Folder::new();
    let mut site = threes().split(folder.create());
    for number in 0..5 {
        site.group("products").write(&page(number)).unwrap();
    }
    site.finish().unwrap();
    let before = folder.files();
    let error = write(folder.create().name("products"), 0..1).unwrap_err();
    assert!(format!("{error:#}").contains("sitemap.xml"), "{error}");
    assert_eq!(folder.files(), before);
    // And the other way round.
    let folder = Folder::new();
    write(folder.create().name("products"), 0..1).unwrap();
    let before = folder.files();
    let mut site = threes().split(folder.create());
    let error = site.group("products").write(&page(1)).unwrap_err();
    assert!(error.is_fatal());
    assert!(format!("{error:#}").contains("products.xml"), "{error}");
    drop(site);
    assert_eq!(folder.files(), before);
}

fn pipe(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(status.success(), "{:?}", path.as_os_str().as_bytes());
}

#[test]
fn a_pipe_or_a_folder_in_the_way_is_an_error_at_once() {
    let obstacles: [fn(&Path); 2] = [pipe, |path| fs::create_dir(path).unwrap()];
    for obstacle in obstacles {
        for name in ["sitemap.xml", "sitemap-1.xml"] {
            let folder = Folder::new();
            let path = folder.path(name);
            obstacle(&path);
            let mut writer = threes().split(folder.create());
            let error = writer.write(&page(1)).unwrap_err();
            assert!(error.is_fatal());
            let message = format!("{error:#}");
            assert!(message.contains(path.to_str().unwrap()), "{message}");
            drop(writer);
            assert_eq!(folder.visible().len(), 1);
        }
    }
    // A file that is not part of a set is not touched.
    let folder = Folder::new();
    pipe(&folder.path("other.xml"));
    pipe(&folder.path("sitemap-7.xml"));
    write(folder.create(), 0..1).unwrap();
    assert_eq!(folder.visible().len(), 4);
}

/// Reading a pipe waits for a writer. This test has a writer, so a run that reads the pipe fails the test instead of waiting.
fn pipe_with_a_writer(path: &Path) {
    pipe(path);
    let path = path.to_owned();
    std::thread::spawn(move || while fs::OpenOptions::new().write(true).open(&path).is_ok() {});
}

#[test]
fn a_pipe_or_a_link_in_place_of_a_hidden_file_is_refused_before_it_is_read() {
    let elsewhere = Folder::new();
    elsewhere.write("mine", "mine");
    for file in ["/journal", "/lock", "/new", ""] {
        for linked in [false, true] {
            let folder = Folder::new();
            write(folder.create(), 0..4).unwrap();
            let path = folder.path(&format!(".sitemap.set{file}"));
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            if linked {
                symlink(&elsewhere.0, &path).unwrap()
            } else {
                pipe_with_a_writer(&path)
            }
            let run = write(folder.create(), 0..2);
            refused(run, io::ErrorKind::AlreadyExists, path.to_str().unwrap());
            assert_eq!(read(&folder.path("sitemap.xml")).len(), 2);
        }
    }
    assert_eq!(elsewhere.names(), ["mine"]);
}

#[test]
fn the_second_of_two_runs_changes_nothing() {
    let folder = Folder::new();
    let mut first = threes().split(folder.create());
    first.write(&page(1)).unwrap();
    let before = folder.files();
    for _ in 0..2 {
        let error = write(folder.create(), 0..4).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::ResourceBusy);
        assert!(error.is_fatal());
        assert_eq!(folder.files(), before);
    }
    // Sets of other names are not concerned.
    write(folder.create().name("posts"), 0..1).unwrap();
    first.finish().unwrap();
    write(folder.create(), 0..4).unwrap();
}

/// While a process is being started, it has copies of all open files, including the lock file.
#[test]
fn a_run_releases_its_lock_while_processes_are_started() {
    let folder = Folder::new();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    // With a closure to run before `exec`, or a folder to run in, it takes longer.
                    let _ = Command::new("true").current_dir("/").status();
                }
            });
        }
        let written = (0..200).try_for_each(|_| write(folder.create(), 0..1).map(drop));
        is_done.store(true, Ordering::Relaxed);
        written.unwrap();
    });
}

/// Hidden files belong to the owner of the directory, so root can have made the first set.
#[test]
fn the_hidden_folder_belongs_to_whom_the_directory_belongs() {
    let folder = Folder::new();
    if chown(&folder.0, Some(12_345), Some(23_456)).is_err() {
        return;
    }
    write(folder.create(), 0..4).unwrap();
    for file in [".sitemap.set", ".sitemap.set/new", ".sitemap.set/lock"] {
        let file = fs::symlink_metadata(folder.path(file)).unwrap();
        assert_eq!((file.uid(), file.gid()), (12_345, 23_456));
    }
}

/// Other users may write to the directory. They must not choose which file a run replaces, or the owner of the new files.
#[test]
fn a_link_in_the_place_of_a_file_is_refused_before_anything_is_changed() {
    let elsewhere = Folder::new();
    elsewhere.write("target.xml", "<urlset/>");
    for name in ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"] {
        for target in ["target.xml", "none.xml"] {
            for is_old in [false, true] {
                let folder = Folder::new();
                if is_old {
                    write(folder.create(), 0..6).unwrap();
                    fs::remove_file(folder.path(name)).unwrap();
                }
                symlink(elsewhere.path(target), folder.path(name)).unwrap();
                let before = folder.files();
                let expected = format!("{}: a symbolic link", folder.path(name).display());
                let run = write(folder.create(), 2..9);
                refused(run, io::ErrorKind::AlreadyExists, &expected);
                assert_eq!(folder.files(), before, "{name} {target}");
                assert!(folder.path(name).is_symlink());
            }
        }
    }
    assert_eq!(elsewhere.names(), ["target.xml"]);
    assert_eq!(elsewhere.files()["target.xml"], b"<urlset/>");
}

/// A link to the directory can be switched during a run, as deployments do. The set is not divided between the two.
#[test]
fn a_link_to_the_directory_is_followed_once() {
    let folder = Folder::new();
    for release in ["a", "b"] {
        fs::create_dir(folder.path(release)).unwrap();
    }
    let link = folder.path("public");
    symlink(folder.path("a"), &link).unwrap();
    let mut site = threes().split(Directory::create(&link, &base()).unwrap());
    site.write(&page(1)).unwrap();
    fs::remove_file(&link).unwrap();
    symlink(folder.path("b"), &link).unwrap();
    (2..6).for_each(|number| site.write(&page(number)).unwrap());
    site.finish().unwrap();
    let count = |release: &str| fs::read_dir(folder.path(release)).unwrap().count();
    assert_eq!((count("a"), count("b")), (4, 0));
}

#[test]
fn part_numbers_do_not_wrap() {
    let folder = Folder::new();
    folder.write("sitemap.xml", index(&["sitemap-999999999.xml.gz", "x.xml"]));
    write(folder.create(), 0..1).unwrap();
    assert_eq!(folder.names(), ["sitemap-1.xml", "sitemap.xml"]);
}
