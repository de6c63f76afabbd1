//! Operations on the files of a set, with the path in every error.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use crate::files::{at, folder_of, in_the_way, refuse_obstacle, sync_folder};

/// Gives a file or a folder that this run has created to the owner of the directory, as far as the system allows. `file` was
/// opened at `path`; if another user has put something else there since, nothing is done.
pub(super) fn inherit_owner(file: &File, path: &Path, within: &Path) {
    #[cfg(unix)]
    use std::os::unix::fs::{MetadataExt, fchown};
    #[cfg(unix)]
    if let Ok(found) = fs::symlink_metadata(path)
        && let (Ok(opened), Ok(folder)) = (file.metadata(), fs::metadata(within))
        && (opened.dev(), opened.ino()) == (found.dev(), found.ino())
    {
        // Only root can change the owner of files, and an owner can set only groups that he belongs to.
        let _ = fchown(file, Some(folder.uid()), Some(folder.gid()))
            .or_else(|_| fchown(file, None, Some(folder.gid())));
    }
    #[cfg(not(unix))]
    let _ = (file, path, within);
}

/// Reads a hidden file of this crate, or returns `None` if there is none.
///
/// # Errors
///
/// There is something other than a regular file at `path`. It is not opened: a pipe would wait for a writer.
pub(super) fn read_own(path: &Path) -> io::Result<Option<Vec<u8>>> {
    refuse_unless(path, FileType::is_file)?;
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some).map_err(at(path)),
    }
}

/// The kind of the file at `path`, or `None` if there is none. Links are not followed.
pub(super) fn kind_of(path: &Path) -> io::Result<Option<FileType>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => Ok(Some(file.map_err(at(path))?.file_type())),
    }
}

/// # Errors
///
/// There is something else at `path`. A link is not followed: who may write to the directory could otherwise choose which
/// file a run replaces.
pub(super) fn refuse_unless(path: &Path, is_expected: fn(&FileType) -> bool) -> io::Result<()> {
    match kind_of(path)? {
        Some(kind) if !is_expected(&kind) => Err(in_the_way(path, kind)),
        _ => Ok(()),
    }
}

/// Opens a file for reading. It is boxed, so that there is one kind of reader.
///
/// # Errors
///
/// There is something other than a file at `path`. It is not opened: a pipe would wait for a writer.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    refuse_obstacle(path)?;
    Ok(Box::new(File::open(path).map_err(at(path))?))
}

/// # Errors
///
/// There is something other than a directory at `path`. The system's words, "File exists", suggest that a directory may not
/// exist yet.
pub(super) fn refuse_non_folder(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(file) if !file.is_dir() => Err(in_the_way(path, file.file_type())),
        _ => Ok(()),
    }
}

/// Creates a directory and the missing ones above it, durably.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    let missing = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(path).map_err(at(path))?;
    for folder in missing {
        sync_folder(folder_of(folder))?;
    }
    Ok(())
}
