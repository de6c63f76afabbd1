//! The files below a folder, for every command that takes a folder.
//!
//! Hidden files and folders are omitted. A symbolic link is followed if it leads to something inside the folder; one
//! that leads out of it is omitted, and so is a broken one. A link to a folder that is being read ends there. Anything
//! that is neither a file nor a folder (a pipe, a socket, a device) is never opened.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::term::count::{Count, Grouped};
use crate::term::messages::Messages;

/// Links could make a million paths of twenty folders. Each folder is entered so often by links.
const ENTRANCES: u32 = 16;

/// Links to nothing that are named; the others are counted.
const NAMED: u64 = 5;

/// A regular file.
#[derive(Debug)]
pub(crate) struct FoundFile {
    /// The folder as it was named, and the path below it.
    pub(crate) path: PathBuf,
    /// The path below the folder.
    pub(crate) relative: PathBuf,
    /// Without links.
    pub(crate) canonical: PathBuf,
    /// A link is part of its path.
    is_linked: bool,
}

/// A folder that could not be read.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for Failure {}

/// The files come sorted by name, so that their order is the same everywhere.
#[derive(Debug)]
pub(crate) struct Walk {
    folder: PathBuf,
    /// Without links.
    root: PathBuf,
    entries: walkdir::IntoIter,
    /// Folders that were reached by links, by their canonical paths.
    entrances: HashMap<PathBuf, u32>,
    /// The depth of the link to a folder that the walk is below, the outermost one.
    below_link: Option<usize>,
    left_out: LeftOut,
}

#[derive(Debug, Default)]
struct LeftOut {
    /// Links that lead out of the folder, and the first of them.
    outside: u64,
    first_outside: PathBuf,
    dangling: u64,
    first_dangling: Vec<PathBuf>,
    /// Folders that were entered too often.
    again: u64,
    /// Neither a file nor a folder.
    special: u64,
}

impl Walk {
    /// # Errors
    ///
    /// If there is no such folder.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            root: fs::canonicalize(folder)?,
            entries: WalkDir::new(folder)
                .follow_links(true)
                .sort_by_file_name()
                .into_iter(),
            entrances: HashMap::new(),
            below_link: None,
            left_out: LeftOut::default(),
        })
    }

    /// The folder without links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Prints what was left out. None of it ends a run or changes its status.
    pub(crate) fn print_left_out(&self, messages: &Messages) {
        let folder = self.folder.display();
        let left_out = &self.left_out;
        for path in &left_out.first_dangling {
            let path = path.display();
            messages.warning(format_args!(
                "{path}: the target of this link does not exist; the link is ignored"
            ));
        }
        if left_out.dangling > NAMED {
            let more = Count(left_out.dangling - NAMED, "more link");
            messages.warning(format_args!(
                "{folder}: ignored {more} whose target does not exist"
            ));
        }
        if left_out.outside > 0 {
            messages.note(format_args!(
                "{folder}: ignored {} out of the folder: {}{}",
                Count(left_out.outside, "link"),
                left_out.first_outside.display(),
                if left_out.outside > 1 { ", …" } else { "" },
            ));
        }
        if left_out.again > 0 {
            messages.warning(format_args!(
                "{folder}: ignored {} to folders that were already read {ENTRANCES} times",
                Count(left_out.again, "path")
            ));
        }
        if left_out.special > 0 {
            let files = match left_out.special {
                1 => "1 name that is not a regular file".to_owned(),
                count => format!("{} names that are not regular files", Grouped(count)),
            };
            messages.note(format_args!("{folder}: ignored {files}"));
        }
    }

    /// Returns the file unless it is hidden, is not a regular file, or is outside of the folder because of a link.
    fn take(&mut self, entry: DirEntry) -> Option<FoundFile> {
        if self.below_link.is_some_and(|depth| entry.depth() <= depth) {
            self.below_link = None;
        }
        let is_folder = entry.file_type().is_dir();
        let is_link = entry.depth() > 0 && entry.path_is_symlink();
        let is_linked = is_link || self.below_link.is_some();
        let relative = entry
            .path()
            .strip_prefix(&self.folder)
            .unwrap_or(entry.path());
        let canonical = if !is_linked {
            Some(self.root.join(relative))
        } else {
            fs::canonicalize(entry.path()).ok()
        };
        let is_wanted = !is_hidden(&entry)
            && match &canonical {
                None => {
                    self.dangling(entry.path());
                    false
                }
                Some(canonical) if !canonical.starts_with(&self.root) => {
                    self.left_out.outside += 1;
                    if self.left_out.outside == 1 {
                        self.left_out.first_outside = entry.path().to_owned();
                    }
                    false
                }
                // Without a link there is one path to it.
                Some(canonical) if is_folder => !is_linked || self.enter(canonical),
                Some(_) if !entry.file_type().is_file() => {
                    self.left_out.special += 1;
                    false
                }
                Some(_) => true,
            };
        if is_folder {
            match is_wanted {
                false => self.entries.skip_current_dir(),
                true if is_link && self.below_link.is_none() => {
                    self.below_link = Some(entry.depth())
                }
                true => {}
            }
            return None;
        }
        Some(FoundFile {
            relative: relative.to_owned(),
            canonical: canonical.filter(|_| is_wanted)?,
            is_linked,
            path: entry.into_path(),
        })
    }

    fn enter(&mut self, canonical: &Path) -> bool {
        let entrances = self.entrances.entry(canonical.to_owned()).or_default();
        *entrances += 1;
        let is_wanted = *entrances <= ENTRANCES;
        self.left_out.again += u64::from(!is_wanted);
        is_wanted
    }

    fn dangling(&mut self, path: &Path) {
        self.left_out.dangling += 1;
        if self.left_out.dangling <= NAMED {
            self.left_out.first_dangling.push(path.to_owned());
        }
    }

    /// `None` for anything that is not a failure.
    fn failure(&mut self, error: walkdir::Error) -> Option<Failure> {
        // It is being read.
        if error.loop_ancestor().is_some() {
            return None;
        }
        let path = error.path().unwrap_or(&self.folder).to_owned();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        if error.depth() == 0 || !is_link || fs::metadata(&path).is_ok() {
            let error = error.into_io_error();
            return Some(Failure {
                path,
                error: error.unwrap_or_else(|| io::Error::other("cannot be read")),
            });
        }
        // Editors mark the files that are open in them by links to nothing, which are hidden.
        if !path.file_name().is_some_and(is_hidden_name) {
            self.dangling(&path);
        }
        None
    }
}

impl Iterator for Walk {
    type Item = Result<FoundFile, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(entry) => {
                    if let Some(found) = self.take(entry) {
                        return Some(Ok(found));
                    }
                }
                Err(error) => {
                    if let Some(failure) = self.failure(error) {
                        return Some(Err(failure));
                    }
                }
            }
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && is_hidden_name(entry.file_name())
}

fn is_hidden_name(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

/// Each file once, by a path without links if there is one.
pub(crate) fn distinct(mut files: Vec<FoundFile>) -> Vec<FoundFile> {
    let direct = files.iter().filter(|file| !file.is_linked);
    let mut known: HashSet<PathBuf> = direct.map(|file| file.canonical.clone()).collect();
    files.retain(|file| !file.is_linked || known.insert(file.canonical.clone()));
    files
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn found(walk: &mut Walk) -> Vec<String> {
        walk.map(|found| found.unwrap().relative.to_str().unwrap().to_owned())
            .collect()
    }

    fn put(folder: &Path, names: &[&str]) {
        for name in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }

    #[test]
    fn links_are_followed_inside_the_folder() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("folder");
        put(&folder, &["a", "d/b", ".hidden/c", ".e"]);
        put(all.path(), &["outside/x", "y"]);
        for (link, target) in [
            ("b-link", "a"),
            ("c-hidden", ".hidden/c"),
            ("d-link", "d"),
            ("out", "../outside"),
            ("out-file", "../y"),
            ("out-absolute", "/"),
            ("z-nothing", "nothing"),
            ("z-self", "z-self"),
            (".#lock", "user@host.1"),
            ("d/up", ".."),
            ("d/sibling", "../d-link"),
        ] {
            symlink(target, folder.join(link)).unwrap();
        }
        let made = std::process::Command::new("mkfifo")
            .arg(folder.join("pipe"))
            .status();
        assert!(made.unwrap().success());
        let mut walk = Walk::new(&folder).unwrap();
        assert_eq!(
            found(&mut walk),
            ["a", "b-link", "c-hidden", "d/b", "d-link/b"]
        );
        let LeftOut {
            outside,
            dangling,
            special,
            again,
            ..
        } = walk.left_out;
        assert_eq!((outside, dangling, special, again), (3, 2, 1, 0));
        let files = Walk::new(&folder).unwrap().map(Result::unwrap).collect();
        let distinct: Vec<_> = distinct(files)
            .into_iter()
            .map(|found| found.relative)
            .collect();
        assert_eq!(distinct, ["a", "c-hidden", "d/b"].map(PathBuf::from));
    }

    /// Twelve folders that all link to each other: half a thousand million paths.
    #[test]
    fn a_tangle_of_links_ends() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<_> = (0..12).map(|number| format!("d{number}")).collect();
        for name in &names {
            put(folder.path(), &[&format!("{name}/file")]);
            for other in &names {
                let target = format!("../{other}");
                symlink(target, folder.path().join(name).join(format!("to-{other}"))).unwrap();
            }
        }
        let mut walk = Walk::new(folder.path()).unwrap();
        let files = found(&mut walk);
        assert!(
            files.len() <= 12 * (1 + ENTRANCES as usize),
            "{}",
            files.len()
        );
        assert!(walk.left_out.again > 0);
        let files = Walk::new(folder.path())
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let distinct: Vec<_> = distinct(files)
            .into_iter()
            .map(|found| found.relative)
            .collect();
        let mut direct: Vec<_> = names
            .iter()
            .map(|name| Path::new(name).join("file"))
            .collect();
        direct.sort();
        assert_eq!(distinct, direct);
    }
}
