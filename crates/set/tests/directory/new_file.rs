//! `NewFile`: the complete new file or the old one, and no permanent files of a killed process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use quick_sitemap::{
    Entry, IndexWriter, Limits, SitemapEntry, TextWriter, UrlsetWriter, WriterBuilder,
};
use quick_sitemap_set::NewFile;

use super::folder::{Folder, page, read};

/// The date of a file is its ETag for many servers, and `rsync` goes by it.
#[test]
fn a_file_with_the_same_bytes_is_not_touched() {
    let folder = Folder::new();
    let path = folder.path("sitemap.xml");
    for is_gzip in [false, true] {
        let write = |text: &str| {
            let mut file = new(&path, is_gzip);
            file.write_all(text.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(folder.names(), ["sitemap.xml"]);
            fs::metadata(&path).unwrap().modified().unwrap()
        };
        write("a");
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
        let file = fs::File::open(&path).unwrap();
        file.set_modified(long_ago).unwrap();
        assert_eq!(write("a"), long_ago);
        assert_ne!(write("b"), long_ago);
    }
}

fn new(path: &Path, is_gzip: bool) -> NewFile {
    let new = if is_gzip {
        NewFile::gzip(path)
    } else {
        NewFile::create(path)
    };
    new.unwrap()
}

fn create(path: &Path, content: &str) -> NewFile {
    let mut file = NewFile::create(path).unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

/// Leaves a hidden file, as a killed process does.
fn abandon(path: &Path) -> PathBuf {
    let file = create(path, "half");
    let left = file.temporary_path().to_owned();
    let kept = left.with_extension("kept");
    fs::hard_link(&left, &kept).unwrap();
    drop(file);
    // `drop` has removed it; it is back without a lock.
    fs::rename(kept, &left).unwrap();
    left
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = Folder::new();
    // The file has the bytes that were written, under any name.
    for name in ["robots.txt", "state.json.gz"] {
        let path = folder.path(name);
        let file = create(&path, "new");
        assert!(!path.exists());
        let length = file.file().metadata().unwrap().len();
        assert_eq!((file.path(), length), (&*path, 3));
        assert!(file.temporary_path().exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let unfinished = create(&path, "newer");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(unfinished);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
    assert_eq!(folder.names(), ["robots.txt", "state.json.gz"]);
}

#[test]
fn what_a_kill_left_is_removed_and_nothing_else() {
    let folder = Folder::new();
    let path = folder.path("sitemap.xml");
    let left = abandon(&path);
    let others = [
        ".sitemap-2.xml.abcdef.part",
        ".sitemap.xml.abc_ef.part",
        ".sitemap.xml.abcdef.part.gz",
        ".sitemap.xml.abcdefg.part",
        ".sitemap.xml.part",
        "sitemap.xml.abcdef.part",
    ];
    others.iter().for_each(|other| folder.write(other, ""));
    fs::create_dir(folder.path(".sitemap.xml.folder.part")).unwrap();
    let first = create(&path, "first");
    assert!(!left.exists());
    let second = create(&path, "second");
    // The first one is still at work.
    first.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    second.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    let mut expected = [&others[..], &[".sitemap.xml.folder.part", "sitemap.xml"]].concat();
    expected.sort_unstable();
    assert_eq!(folder.names(), expected);
}

#[test]
fn writers_at_the_same_time_do_not_disturb_each_other() {
    let folder = Folder::new();
    let path = folder.path("sitemap.xml");
    std::thread::scope(|scope| {
        for run in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..50 {
                    let file = create(path, &format!("{run} {round}"));
                    file.finish().unwrap();
                }
            });
        }
    });
    assert_eq!(folder.names(), ["sitemap.xml"]);
}

#[test]
fn names_of_any_length_have_a_hidden_file() {
    let folder = Folder::new();
    for name in ["é".repeat(127), "x".repeat(255)] {
        let path = folder.path(&name);
        let left = abandon(&path);
        let file = create(&path, "x");
        assert!(!left.exists());
        file.finish().unwrap();
        assert!(path.exists());
    }
}

#[test]
fn a_sitemap_appears_when_it_is_complete() {
    let folder = Folder::new();
    for name in ["sitemap.xml", "sitemap.xml.gz", "SITEMAP.XML.GZ"] {
        let path = folder.path(name);
        // A name does not decide whether a file is gzipped.
        let is_gzip = name.ends_with(".gz");
        let mut writer = UrlsetWriter::new(new(&path, is_gzip));
        assert_eq!(writer.get_ref().path(), path);
        (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
        assert!(!path.exists());
        let complete = writer.finish().unwrap();
        assert_eq!(complete.path(), path);
        assert!(!path.exists());
        complete.finish().unwrap();
        assert_eq!(folder.names(), folder.visible(), "the hidden file is gone");
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), is_gzip, "{name}");
        assert_eq!(read(&path).len(), 5_000);
    }

    let path = folder.path("index.xml.gz");
    let mut index = IndexWriter::new(new(&path, true));
    index.write(&SitemapEntry::new(page(1).loc)).unwrap();
    index.finish().unwrap().finish().unwrap();
    assert!(matches!(read(&path)[0], Entry::Sitemap(_)));
    let path = folder.path("urls.txt");
    let mut text = TextWriter::new(new(&path, false));
    text.write(&page(1)).unwrap();
    text.finish().unwrap().finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"https://example.com/page/1\n");
}

#[test]
fn an_unfinished_file_leaves_the_old_one() {
    let folder = Folder::new();
    let path = folder.path("sitemap.xml");
    fs::write(&path, "old").unwrap();
    let is_old = || {
        assert_eq!(folder.names(), ["sitemap.xml"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    };
    for is_gzip in [false, true] {
        let mut writer = UrlsetWriter::new(new(&path, is_gzip));
        (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(writer);
        is_old();
        // A complete sitemap is not visible either before its file is finished.
        let writer = UrlsetWriter::new(new(&path, is_gzip));
        drop(writer.finish().unwrap());
        is_old();
    }

    // A file that cannot be finished does not appear.
    let mut limits = Limits::default();
    limits.bytes = 10;
    let writer = WriterBuilder::new().limits(limits);
    assert!(writer.urlset(new(&path, false)).finish().is_err());
    is_old();
}

#[test]
fn two_writers_of_one_file_do_not_mix() {
    let folder = Folder::new();
    let path = folder.path("sitemap.xml");
    let mut writers = [0, 10_000].map(|first| (first, UrlsetWriter::new(new(&path, false))));
    for (first, writer) in &mut writers {
        let mut pages = *first..*first + 2_000;
        pages.try_for_each(|n| writer.write(&page(n))).unwrap();
    }
    for (first, writer) in writers {
        writer.finish().unwrap().finish().unwrap();
        let found = read(&path);
        assert_eq!((found.len(), found[0].loc()), (2_000, &page(first).loc));
    }
}

#[test]
fn what_is_no_file_is_an_error_that_names_it() {
    let folder = Folder::new();
    let error = NewFile::create(folder.path("no/such/sitemap.xml")).unwrap_err();
    assert!(format!("{error:#}").contains("sitemap.xml: "), "{error:#}");
    fs::create_dir(folder.path("taken.xml")).unwrap();
    let error = NewFile::gzip(folder.path("taken.xml")).unwrap_err();
    let message = format!("{error:#}");
    assert!(message.contains("a directory is in the way"), "{message}");
    assert_eq!(folder.names(), ["taken.xml"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use super::*;

    /// Owner, group and permissions of the file that is being written and of the finished one.
    fn replaced(path: &Path) -> [(u32, u32, u32); 2] {
        let of = |path: &Path| {
            let file = fs::metadata(path).unwrap();
            (file.uid(), file.gid(), file.mode() & 0o7777)
        };
        // A file with the same bytes would not be replaced.
        let file = create(path, &(fs::read_to_string(path).unwrap() + "x"));
        let before = of(file.temporary_path());
        file.finish().unwrap();
        [before, of(path)]
    }

    #[test]
    fn permissions_are_those_of_the_old_file_before_the_first_byte() {
        let folder = Folder::new();
        let path = folder.path("state.json");
        fs::write(&path, "").unwrap();
        let owner = fs::metadata(&path).unwrap();
        let own = (owner.uid(), owner.gid());
        // Only root can leave a file to its owner.
        let is_root = chown(&path, Some(1000), Some(1000)).is_ok();
        let owners = [own, (1000, 1000)];
        for (user, group) in &owners[..=usize::from(is_root)] {
            chown(&path, Some(*user), Some(*group)).unwrap();
            for (mode, kept) in [(0o600, 0o600), (0o4640, 0o640), (0o666, 0o666)] {
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
                assert_eq!(replaced(&path), [(*user, *group, kept); 2], "{mode:o}");
            }
        }
    }

    /// A pipe with the name of a hidden file must not block.
    #[test]
    fn only_regular_files_are_removed() {
        let folder = Folder::new();
        let pipe = folder.path(".sitemap.xml.abcdef.part");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (other, link) = (
            folder.path("other"),
            folder.path(".sitemap.xml.ghijkl.part"),
        );
        fs::write(&other, "other").unwrap();
        symlink(&other, &link).unwrap();
        create(&folder.path("sitemap.xml"), "x").finish().unwrap();
        assert!(fs::symlink_metadata(&pipe).is_ok() && link.is_symlink());
        assert_eq!(fs::read(&other).unwrap(), b"other");
        let error = NewFile::create(&pipe).unwrap_err().to_string();
        assert!(error.contains("a special file is in the way"), "{error}");
    }

    #[test]
    fn the_target_of_a_link_is_replaced() {
        let folder = Folder::new();
        let (file, link) = (folder.path("real.txt"), folder.path("robots.txt"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.txt", &link).unwrap();
        create(&link, "new").finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
        assert_eq!(folder.names(), ["real.txt", "robots.txt"]);
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
        let folder = Folder::new();
        symlink("b.xml", folder.path("a.xml")).unwrap();
        symlink(folder.path("real.xml"), folder.path("b.xml")).unwrap();
        symlink("c.xml", folder.path("c.xml")).unwrap();
        let first = NewFile::create(folder.path("a.xml")).unwrap();
        first.finish().unwrap();
        let names = ["a.xml", "b.xml", "c.xml", "real.xml"];
        assert_eq!(folder.names(), names);
        let is_link = names.map(|name| folder.path(name).is_symlink());
        assert_eq!(is_link, [true, true, true, false]);
        // It leads to itself.
        NewFile::create(folder.path("c.xml")).unwrap_err();
    }
}
