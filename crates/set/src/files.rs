//! The steps that [`NewFile`](crate::NewFile) and the files of a set share: create a file like the old one, rename, remove, sync,
//! each with the path in its error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

/// Creates a file with the owner, the group and the permissions of the first of `models` that is a regular file, as far as
/// the system allows it. Links are not followed, and no set-user-ID bit is passed on, because others may be able to write
/// to the directory.
pub(crate) fn create_like(path: &Path, models: &[&Path]) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(old) = models.iter().find_map(|old| regular(old)) {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
        // No other user can open the file before it has the permissions of the old file.
        let file = options.mode(0o600).open(path)?;
        let new = file.metadata();
        if new.is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
            // Only root can change the owner of files, and an owner can set only groups that he belongs to.
            let _ = fchown(&file, Some(old.uid()), Some(old.gid()))
                .or_else(|_| fchown(&file, None, Some(old.gid())));
        }
        let mode = old.permissions().mode() & 0o777;
        let _ = file.set_permissions(fs::Permissions::from_mode(mode));
        return Ok(file);
    }
    #[cfg(not(unix))]
    let _ = models;
    options.open(path)
}

#[cfg(unix)]
fn regular(path: &Path) -> Option<fs::Metadata> {
    let file = fs::symlink_metadata(path).ok();
    file.filter(fs::Metadata::is_file)
}

/// Links are followed: a visible file may be one.
///
/// # Errors
///
/// There is something other than a file at `path`: a directory, a pipe.
pub(crate) fn refuse_obstacle(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(file) if !file.is_file() => Err(in_the_way(path, file.file_type())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

pub(crate) fn in_the_way(path: &Path, kind: fs::FileType) -> io::Error {
    let what = match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_symlink() => "a symbolic link, which is not followed,",
        kind if kind.is_file() => "a file",
        _ => "a special file",
    };
    refused(path, &format!("{what} is in the way"))
}

/// The error for a file that is there and must stay.
pub(crate) fn refused(path: &Path, why: &str) -> io::Error {
    failure(io::ErrorKind::AlreadyExists, path, why)
}

pub(crate) fn failure(kind: io::ErrorKind, path: &Path, why: &str) -> io::Error {
    io::Error::new(kind, format!("{}: {why}", path.display()))
}

/// Returns `true` if the visible file has the same bytes. Returns `false` after an error, so that the file is replaced.
pub(crate) fn is_same(new: &File, visible: &Path) -> bool {
    has_same_bytes(new, visible).unwrap_or(false)
}

fn has_same_bytes(mut new: &File, visible: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(visible)?;
    if !metadata.is_file() || metadata.len() != new.metadata()?.len() {
        return Ok(false);
    }
    new.rewind()?;
    let old = File::open(visible)?;
    let (mut new, mut old) = (BufReader::new(new), BufReader::new(old));
    loop {
        let (left, right) = (new.fill_buf()?, old.fill_buf()?);
        let len = left.len().min(right.len());
        if len == 0 || left.get(..len) != right.get(..len) {
            return Ok(left == right);
        }
        new.consume(len);
        old.consume(len);
    }
}

pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).map_err(at(to))
}

/// Removes a file. A file that does not exist is not an error.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    let parent = path.parent();
    parent
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a directory cannot be opened like a file.
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        return synced.map_err(at(folder));
    }
    Ok(())
}

/// Maximum number of links that are followed, as on Linux.
const LINKS: usize = 40;

/// The path without symbolic links at its end, whether or not there is a file yet.
pub(crate) fn followed(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        let Ok(link) = fs::read_link(&target) else {
            return target;
        };
        target = folder_of(&target).join(link);
    }
    // A circle: nothing can be created there.
    path.to_owned()
}

/// Adds the path to an error.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| failure(error.kind(), path, &error.to_string())
}
