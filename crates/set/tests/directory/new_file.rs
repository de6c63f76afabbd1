//! `NewFile`: the complete new file or the old one, and no permanent files of a killed process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use quick_sitemap::{
    IndexWriter, Limits, Reader, SitemapEntry, TextWriter, UrlEntry, UrlsetWriter, WriterBuilder,
};
use quick_sitemap_set::NewFile;

/// The date of a file is its ETag for many servers, and `rsync` goes by it.
#[test]
fn a_file_with_the_same_bytes_is_not_touched() {
    let folder = Folder::new("same");
    let path = folder.0.join("sitemap.xml");
    let create: [fn(&Path) -> std::io::Result<NewFile>; 2] =
        [|path| NewFile::create(path), |path| NewFile::gzip(path)];
    for create in create {
        let write = |text: &str| {
            let mut file = create(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(folder.names(), ["sitemap.xml"]);
            fs::metadata(&path).unwrap().modified().unwrap()
        };
        write("a");
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
        fs::File::open(&path)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        assert_eq!(write("a"), long_ago);
        assert_ne!(write("b"), long_ago);
    }
}

/// An empty folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("quick-sitemap-file-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn visible(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| !name.starts_with('.'));
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
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
    let folder = Folder::new("appears");
    // The file has the bytes that were written, under any name.
    for name in ["robots.txt", "state.json.gz"] {
        let path = folder.0.join(name);
        let file = create(&path, "new");
        assert!(!path.exists());
        assert_eq!(
            (file.path(), file.file().metadata().unwrap().len()),
            (&*path, 3)
        );
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
    let folder = Folder::new("sweep");
    let path = folder.0.join("sitemap.xml");
    let left = abandon(&path);
    let others = [
        ".sitemap-2.xml.abcdef.part",
        ".sitemap.xml.abc_ef.part",
        ".sitemap.xml.abcdef.part.gz",
        ".sitemap.xml.abcdefg.part",
        ".sitemap.xml.part",
        "sitemap.xml.abcdef.part",
    ];
    for other in others {
        fs::write(folder.0.join(other), "").unwrap();
    }
    fs::create_dir(folder.0.join(".sitemap.xml.folder.part")).unwrap();
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
    let folder = Folder::new("same-time");
    let path = folder.0.join("sitemap.xml");
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
    let folder = Folder::new("long");
    for name in ["é".repeat(127), "x".repeat(255)] {
        let path = folder.0.join(name);
        let left = abandon(&path);
        let file = create(&path, "x");
        assert!(!left.exists());
        file.finish().unwrap();
        assert!(path.exists());
    }
}

fn page(number: usize) -> UrlEntry {
    format!("https://example.com/{number}").parse().unwrap()
}

#[test]
fn a_sitemap_appears_when_it_is_complete() {
    let folder = Folder::new("complete");
    for name in ["sitemap.xml", "sitemap.xml.gz", "SITEMAP.XML.GZ"] {
        let path = folder.0.join(name);
        // A name does not decide whether a file is gzipped.
        let is_gzip = name.ends_with(".gz");
        let mut writer = UrlsetWriter::new(new(&path, is_gzip));
        assert_eq!(writer.get_ref().path(), path);
        (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
        assert!(!folder.visible().contains(&name.to_owned()));
        let complete = writer.finish().unwrap();
        assert_eq!(complete.path(), path);
        assert!(!folder.visible().contains(&name.to_owned()));
        complete.finish().unwrap();
        assert_eq!(folder.names(), folder.visible(), "the hidden file is gone");
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), is_gzip, "{name}");
        assert_eq!(
            Reader::from_path(&path)
                .unwrap()
                .map(Result::unwrap)
                .count(),
            5_000
        );
    }

    let mut index = IndexWriter::new(NewFile::gzip(folder.0.join("index.xml.gz")).unwrap());
    index.write(&SitemapEntry::new(page(1).loc)).unwrap();
    index.finish().unwrap().finish().unwrap();
    let mut text = TextWriter::new(NewFile::create(folder.0.join("urls.txt")).unwrap());
    text.write(&page(1)).unwrap();
    text.finish().unwrap().finish().unwrap();
    assert_eq!(
        fs::read(folder.0.join("urls.txt")).unwrap(),
        b"https://example.com/1\n"
    );
    let mut index = Reader::from_path(folder.0.join("index.xml.gz")).unwrap();
    assert!(index.next().unwrap().unwrap().into_sitemap().is_some());
}

#[test]
fn an_unfinished_file_leaves_the_old_one() {
    let folder = Folder::new("unfinished");
    let path = folder.0.join("sitemap.xml");
    fs::write(&path, "old").unwrap();
    for is_gzip in [false, true] {
        let mut writer = UrlsetWriter::new(new(&path, is_gzip));
        (0..5_000).try_for_each(|n| writer.write(&page(n))).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(writer);
        assert_eq!(folder.names(), ["sitemap.xml"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // A complete sitemap is not visible either before its file is finished.
        let writer = UrlsetWriter::new(new(&path, is_gzip));
        drop(writer.finish().unwrap());
        assert_eq!(folder.names(), ["sitemap.xml"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    // A file that cannot be finished does not appear.
    let mut limits = Limits::default();
    limits.bytes = 10;
    let new = NewFile::create(&path).unwrap();
    let writer = WriterBuilder::new().limits(limits).urlset(new);
    assert!(writer.finish().is_err());
    assert_eq!(folder.names(), ["sitemap.xml"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn two_writers_of_one_file_do_not_mix() {
    let folder = Folder::new("two");
    let path = folder.0.join("sitemap.xml");
    let mut writers = [1, 2].map(|_| UrlsetWriter::new(NewFile::create(&path).unwrap()));
    for (number, writer) in writers.iter_mut().enumerate() {
        (0..2_000)
            .try_for_each(|n| writer.write(&page(10_000 * number + n)))
            .unwrap();
    }
    for (number, writer) in writers.into_iter().enumerate() {
        writer.finish().unwrap().finish().unwrap();
        let locs: Vec<_> = Reader::from_path(&path)
            .unwrap()
            .map(|entry| entry.unwrap().loc().clone())
            .collect();
        assert_eq!((locs.len(), &locs[0]), (2_000, &page(10_000 * number).loc));
    }
}

#[test]
fn what_is_no_file_is_an_error_that_names_it() {
    let folder = Folder::new("errors");
    let missing = folder.0.join("no/such/sitemap.xml");
    let error = NewFile::create(&missing).unwrap_err();
    assert!(format!("{error:#}").contains("sitemap.xml: "), "{error:#}");
    fs::create_dir(folder.0.join("taken.xml")).unwrap();
    let error = NewFile::gzip(folder.0.join("taken.xml")).unwrap_err();
    assert!(
        format!("{error:#}").contains("a directory is in the way"),
        "{error:#}"
    );
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
            (file.uid(), file.gid(), file.permissions().mode() & 0o7777)
        };
        let mut file = NewFile::create(path).unwrap();
        // A file with the same bytes would not be replaced.
        file.write_all(&[&*fs::read(path).unwrap(), b"x"].concat())
            .unwrap();
        let before = of(file.temporary_path());
        file.finish().unwrap();
        [before, of(path)]
    }

    #[test]
    fn permissions_are_those_of_the_old_file_before_the_first_byte() {
        let folder = Folder::new("mode");
        let path = folder.0.join("state.json");
        fs::write(&path, "").unwrap();
        let owner = fs::metadata(&path).unwrap();
        for (mode, kept) in [(0o600, 0o600), (0o4640, 0o640), (0o666, 0o666)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let expected = (owner.uid(), owner.gid(), kept);
            assert_eq!(replaced(&path), [expected; 2], "{mode:o}");
        }
    }

    /// Only root can change the owner of files.
    #[test]
    fn root_leaves_a_file_to_its_owner() {
        let folder = Folder::new("owner");
        let path = folder.0.join("robots.txt");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        if chown(&path, Some(1000), Some(1000)).is_err() {
            return;
        }
        assert_eq!(replaced(&path), [(1000, 1000, 0o640); 2]);
    }

    /// A pipe with the name of a hidden file must not block.
    #[test]
    fn only_regular_files_are_removed() {
        let folder = Folder::new("pipe");
        let path = folder.0.join("sitemap.xml");
        let pipe = folder.0.join(".sitemap.xml.abcdef.part");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (other, link) = (
            folder.0.join("other"),
            folder.0.join(".sitemap.xml.ghijkl.part"),
        );
        fs::write(&other, "other").unwrap();
        symlink(&other, &link).unwrap();
        create(&path, "x").finish().unwrap();
        assert!(fs::symlink_metadata(&pipe).is_ok() && fs::symlink_metadata(&link).is_ok());
        assert_eq!(fs::read(&other).unwrap(), b"other");
        let error = NewFile::create(&pipe).unwrap_err();
        assert!(
            error.to_string().contains("a special file is in the way"),
            "{error}"
        );
    }

    #[test]
    fn the_target_of_a_link_is_replaced() {
        let folder = Folder::new("link");
        let (file, link) = (folder.0.join("real.txt"), folder.0.join("robots.txt"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.txt", &link).unwrap();
        create(&link, "new").finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(folder.names(), ["real.txt", "robots.txt"]);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("dangling");
    let [first, second, circle] = ["a.xml", "b.xml", "c.xml"].map(|name| folder.0.join(name));
    symlink("b.xml", &first).unwrap();
    symlink(folder.0.join("real.xml"), &second).unwrap();
    symlink("c.xml", &circle).unwrap();
    NewFile::create(&first).unwrap().finish().unwrap();
    assert_eq!(folder.names(), ["a.xml", "b.xml", "c.xml", "real.xml"]);
    for link in [&first, &second, &circle] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    }
    assert!(
        fs::symlink_metadata(folder.0.join("real.xml"))
            .unwrap()
            .is_file()
    );
    NewFile::create(&circle).unwrap_err();
}
