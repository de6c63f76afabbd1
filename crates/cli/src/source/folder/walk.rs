//! The files below a folder, for every command that takes a folder.
//!
//! Hidden files and folders are omitted. A symbolic link is followed if it leads to something inside the folder; one
//! that leads out of it is omitted, and so is a broken one. Links to a folder are followed once, and not if that folder is
//! being read. Anything that is neither a file nor a folder (a pipe, a socket, a device) is never opened.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::term::count::{Count, First};
use crate::term::interrupt;
use crate::term::messages::Messages;

/// A regular file.
#[derive(Debug)]
pub(crate) struct FoundFile {
    /// The folder as it was named, and the path below it.
    pub(crate) path: PathBuf,
    /// The path below the folder.
    pub(crate) relative: PathBuf,
    /// Without links.
    canonical: PathBuf,
    /// A link is part of its path.
    is_linked: bool,
}

/// The files below a folder, and what was left out.
#[derive(Debug, Default)]
pub(crate) struct FolderFiles {
    /// The folder without links.
    pub(crate) root: PathBuf,
    /// Each file once, by a path without links if there is one, sorted by name: their order is the same everywhere.
    pub(crate) files: Vec<FoundFile>,
    /// Folders that could not be read.
    pub(crate) failures: Vec<(PathBuf, io::Error)>,
    /// Links out of the folder.
    outside: Vec<PathBuf>,
    dangling: Vec<PathBuf>,
    /// Neither files nor folders.
    special: Vec<PathBuf>,
}

/// Finds the files, and prints what was left out. None of that ends a run or changes its status.
///
/// # Errors
///
/// If there is no such folder, and for a request to stop.
pub(crate) fn files(folder: &Path, messages: &Messages) -> io::Result<FolderFiles> {
    let found = find(folder)?;
    let left_out = |paths: &[PathBuf], noun, what: &str| {
        let first: Vec<_> = paths.iter().take(First::NAMED).collect();
        let names: Vec<_> = first
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let more = if paths.len() > names.len() {
            ", …"
        } else {
            ""
        };
        let count = Count(paths.len() as u64, noun);
        let (folder, names) = (folder.display(), names.join(", "));
        (!paths.is_empty()).then(|| format!("{folder}: ignored {count}{what}: {names}{more}"))
    };
    if let Some(dangling) = left_out(&found.dangling, "link", " whose target does not exist") {
        messages.warning(dangling);
    }
    let outside = left_out(&found.outside, "link", " out of the folder");
    let special = left_out(&found.special, "special file", "");
    for note in outside.into_iter().chain(special) {
        messages.note(note);
    }
    Ok(found)
}

fn find(folder: &Path) -> io::Result<FolderFiles> {
    let mut found = FolderFiles {
        root: fs::canonicalize(folder)?,
        ..FolderFiles::default()
    };
    // The folders to which links have led.
    let mut entered = HashSet::new();
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let mut entries = walk.into_iter();
    while let Some(entry) = entries.next() {
        interrupt::check().map_err(io::Error::other)?;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.failed(folder, error);
                continue;
            }
        };
        let canonical = match fs::canonicalize(entry.path()) {
            Ok(canonical) => canonical,
            Err(error) => {
                found.failures.push((entry.into_path(), error));
                continue;
            }
        };
        let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let is_linked = canonical != found.root.join(relative);
        let is_folder = entry.file_type().is_dir();
        let is_wanted = found.takes(&entry, &canonical);
        if is_folder {
            // Links could make a million paths of twenty folders.
            if !is_wanted || (is_linked && !entered.insert(canonical)) {
                entries.skip_current_dir();
            }
        } else if is_wanted {
            found.files.push(FoundFile {
                relative: relative.to_owned(),
                canonical,
                is_linked,
                path: entry.into_path(),
            });
        }
    }
    let direct = found.files.iter().filter(|file| !file.is_linked);
    let mut known: HashSet<PathBuf> = direct.map(|file| file.canonical.clone()).collect();
    found
        .files
        .retain(|file| !file.is_linked || known.insert(file.canonical.clone()));
    Ok(found)
}

impl FolderFiles {
    /// Returns `false` for what is hidden, outside of the folder, or neither a file nor a folder.
    fn takes(&mut self, entry: &DirEntry, canonical: &Path) -> bool {
        if entry.depth() > 0 && is_hidden(entry.file_name()) {
            return false;
        }
        if !canonical.starts_with(&self.root) {
            self.outside.push(entry.path().to_owned());
            return false;
        }
        let kind = entry.file_type();
        let is_special = !kind.is_dir() && !kind.is_file();
        self.special
            .extend(is_special.then(|| entry.path().to_owned()));
        !is_special
    }

    fn failed(&mut self, folder: &Path, error: walkdir::Error) {
        // It is being read.
        if error.loop_ancestor().is_some() {
            return;
        }
        let path = error.path().unwrap_or(folder).to_owned();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        if error.depth() == 0 || !is_link || fs::metadata(&path).is_ok() {
            let error = error.into_io_error();
            let error = error.unwrap_or_else(|| io::Error::other("cannot be read"));
            self.failures.push((path, error));
        } else if !path.file_name().is_some_and(is_hidden) {
            // Editors mark the files that are open in them by links to nothing, which are hidden.
            self.dangling.push(path);
        }
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn paths(found: &FolderFiles) -> Vec<PathBuf> {
        let files = found.files.iter();
        files.map(|file| file.relative.clone()).collect()
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
        let found = find(&folder).unwrap();
        assert_eq!(paths(&found), ["a", "c-hidden", "d/b"].map(PathBuf::from));
        let (outside, dangling) = (found.outside.len(), found.dangling.len());
        assert_eq!((outside, dangling, found.special.len()), (3, 2, 1));
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
        let found = find(folder.path()).unwrap();
        let mut direct: Vec<_> = names
            .iter()
            .map(|name| Path::new(name).join("file"))
            .collect();
        direct.sort();
        assert_eq!(paths(&found), direct);
    }
}
