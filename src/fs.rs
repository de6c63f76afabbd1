//! Operations on files for sets and single files, with the path in every error.

// A single file needs less of it than a set.
#![cfg_attr(not(feature = "sets"), allow(dead_code, unused_imports))]

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

use crate::error::{Error, ErrorKind};

/// Returns whether the visible file has the same bytes. Returns `false` after an error, so that the file is replaced.
pub(crate) fn is_same(new: &mut File, visible: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(visible)?;
    if !metadata.is_file() || metadata.len() != new.metadata()?.len() {
        return Ok(false);
    }
    new.rewind()?;
    let mut old = File::open(visible)?;
    let (mut left, mut right) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let read = new.read(&mut left)?;
        let (Some(left), Some(right)) = (left.get(..read), right.get_mut(..read)) else {
            return Ok(false);
        };
        old.read_exact(right)?;
        if left != right {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// Gives a new file the permissions and the owner of the first of these that is a regular file, as far as the system
/// lets it. Links are not followed, and no set-user-ID bit is handed on: others may be able to write to the directory.
pub(crate) fn inherit(file: &File, from: [&Path; 3]) {
    #[cfg(unix)]
    if let Some(old) = from.iter().find_map(|old| regular(old)) {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let new = file.metadata();
        if new.is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
            // Only root may give files away, and their owner to groups that are his own.
            let _ = fchown(file, Some(old.uid()), Some(old.gid()))
                .or_else(|_| fchown(file, None, Some(old.gid())));
        }
        let mode = old.permissions().mode() & 0o777;
        let _ = file.set_permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = (file, from);
}

/// Gives a file of this run to the owner of the directory, as far as the system allows.
pub(super) fn inherit_owner(path: &Path, within: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::metadata(within) {
        use std::os::unix::fs::{MetadataExt, lchown};
        // Only root may give files away, and their owner to groups that are his own.
        let _ = lchown(path, Some(folder.uid()), Some(folder.gid()))
            .or_else(|_| lchown(path, None, Some(folder.gid())));
    }
    #[cfg(not(unix))]
    let _ = (path, within);
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

/// Reads a hidden file of this crate; `None` if there is none.
///
/// # Errors
///
/// There is something other than a regular file at `path`. It is not opened: a pipe would wait for a writer.
pub(crate) fn read_own(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match kind_of(path)? {
        None => return Ok(None),
        Some(kind) if !kind.is_file() => return Err(in_the_way(path, kind)),
        Some(_) => {}
    }
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some).map_err(at(path)),
    }
}

pub(crate) fn in_the_way(path: &Path, kind: fs::FileType) -> io::Error {
    let what = match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_file() => "a file",
        _ => "a special file",
    };
    let message = format!("{}: {what} is in the way", path.display());
    io::Error::new(io::ErrorKind::AlreadyExists, message)
}

/// The kind of the file at `path`, or `None` if there is none. Links are not followed.
pub(crate) fn kind_of(path: &Path) -> io::Result<Option<fs::FileType>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => Ok(Some(file.map_err(at(path))?.file_type())),
    }
}

/// Removes a file. It is no error if there is none.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a directory cannot be opened like a file.
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        return synced.map_err(at(folder));
    }
    Ok(())
}

/// Adds the path to an error.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Adds the path to an I/O error, and leaves other errors unchanged.
pub(crate) fn in_file(error: Error, path: &Path) -> Error {
    if !matches!(error.kind(), ErrorKind::Io(_)) {
        return error;
    }
    match error.into_kind() {
        ErrorKind::Io(error) => at(path)(error).into(),
        kind => Error::new(kind, None),
    }
}

/// Creates a directory and the missing ones above it, durably.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let missing = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(path).map_err(|error| match fs::metadata(path) {
        // The system's words, "File exists", suggest that a directory may not exist yet.
        Ok(file) if !file.is_dir() => in_the_way(path, file.file_type()),
        _ => at(path)(error),
    })?;
    for folder in missing {
        let parent = folder
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        sync_folder(parent.unwrap_or(Path::new(".")))?;
    }
    Ok(())
}
