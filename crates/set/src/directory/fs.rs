//! Operations on the files of a set, with the path in every error.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

use crate::files::{at, folder_of, in_the_way, refuse_obstacle, sync_folder};

/// Returns `true` if the visible file has the same bytes. Returns `false` after an error, so that the file is replaced.
pub(super) fn is_same(new: &mut File, visible: &Path) -> io::Result<bool> {
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

/// Changes the owner of a file of this run to the owner of the directory, as far as the system allows.
pub(super) fn inherit_owner(path: &Path, within: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::metadata(within) {
        use std::os::unix::fs::{MetadataExt, lchown};
        // Only root can change the owner of files, and an owner can set only groups that he belongs to.
        let _ = lchown(path, Some(folder.uid()), Some(folder.gid()))
            .or_else(|_| lchown(path, None, Some(folder.gid())));
    }
    #[cfg(not(unix))]
    let _ = (path, within);
}

/// Reads a hidden file of this crate, or returns `None` if there is none.
///
/// # Errors
///
/// There is something other than a regular file at `path`. It is not opened: a pipe would wait for a writer.
pub(super) fn read_own(path: &Path) -> io::Result<Option<Vec<u8>>> {
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

/// The kind of the file at `path`, or `None` if there is none. Links are not followed.
pub(super) fn kind_of(path: &Path) -> io::Result<Option<fs::FileType>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => Ok(Some(file.map_err(at(path))?.file_type())),
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
