//! The hidden folder of a set, `.sitemap.set`: its lock, its [journal](super::journal), and the files that wait to become
//! visible.
//!
//! The lock is an operating-system lock on the file `lock`. It is released when the process ends, for any reason. The
//! folder and this file are never removed, because another run may have opened the file in the meantime.

use std::fs::{self, File, FileType, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::fs::{inherit_owner, refuse_unless};
use super::journal::{FILE, Journal};
use super::names::{Names, hidden};
use crate::files::{at, create_like, failure, remove, rename, sync_folder};

/// The names of its lock and of the folder of the files that wait.
const LOCK: &str = "lock";
const NEW: &str = "new";

/// The hidden folder of one set, locked until this is dropped.
#[derive(Debug)]
pub(super) struct Hidden {
    path: PathBuf,
    new: PathBuf,
    /// `None` if the caller guarantees that nothing else writes.
    lock: Option<File>,
}

impl Hidden {
    /// Must be called before [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// Something else has the name of the hidden folder or of one of its files. It must not be opened: a pipe would wait
    /// for a writer.
    pub(super) fn refuse_obstacles(folder: &Path, names: &Names) -> io::Result<()> {
        let path = folder.join(hidden(names.name()));
        refuse_unless(&path, FileType::is_dir)?;
        refuse_unless(&path.join(NEW), FileType::is_dir)?;
        refuse_unless(&path.join(LOCK), FileType::is_file)
    }

    /// Creates the folder if it is missing, takes the lock if `is_locked` is set, and removes the files of killed runs.
    ///
    /// # Errors
    ///
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if another run has the lock.
    pub(super) fn open(folder: &Path, names: &Names, is_locked: bool) -> io::Result<Self> {
        let path = folder.join(hidden(names.name()));
        let new = path.join(NEW);
        make_folder(&path, folder)?;
        let lock = if is_locked {
            Some(lock(&path.join(LOCK), folder, &folder.join(names.index()))?)
        } else {
            None
        };
        make_folder(&new, folder)?;
        let hidden = Self { path, new, lock };
        hidden.sweep()?;
        // A killed run may have replaced the journal.
        sync_folder(&hidden.path)?;
        Ok(hidden)
    }

    /// The path of a file before it is published.
    pub(super) fn new_file(&self, file: &str) -> PathBuf {
        self.new.join(file)
    }

    /// Creates a file that is published later, like the first of `models` that exists.
    pub(super) fn create(&self, file: &str, models: &[&Path]) -> io::Result<File> {
        let path = self.new_file(file);
        create_like(&path, models).map_err(at(&path))
    }

    /// An empty journal is removed instead of written.
    pub(super) fn replace_journal(&self, journal: &Journal) -> io::Result<()> {
        let path = self.path.join(FILE);
        if journal.0.is_empty() {
            remove(&path)?;
        } else {
            let new = self.new_file(FILE);
            let file = self.create(FILE, &[&path])?;
            journal.write(file).map_err(at(&new))?;
            rename(&new, &path)?;
        }
        sync_folder(&self.path)
    }

    /// Removes the files that wait to become visible.
    fn sweep(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.new).map_err(at(&self.new))? {
            let entry = entry.map_err(at(&self.new))?;
            let path = entry.path();
            // This crate makes no folders there.
            if !entry.file_type().map_err(at(&path))?.is_dir() {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // Files that cannot be removed now are removed by the next run.
        let _ = self.sweep();
        // A process that another thread is just starting may have a copy of the open file for a moment, so that closing
        // the file would not release the lock.
        let _ = self.lock.as_ref().map(File::unlock);
    }
}

/// Creates a folder and gives it to the owner of the set's directory, so that other users who write the set can use it.
fn make_folder(path: &Path, within: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        // Elsewhere than on Unix, a folder cannot be opened, and nothing is passed on.
        Ok(()) => {
            let _ = File::open(path).map(|folder| inherit_owner(&folder, path, within));
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(at(path)(error)),
    }
    Ok(())
}

/// Locks a file. Errors contain the path `index`.
fn lock(path: &Path, within: &Path, index: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let file = match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => options.open(path),
        created => created.inspect(|file| inherit_owner(file, path, within)),
    };
    let file = file.map_err(at(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let why = "another run is writing this set";
            Err(failure(io::ErrorKind::ResourceBusy, index, why))
        }
        Err(TryLockError::Error(error)) => {
            let why = format!(
                "the file system does not support locks ({error}); if nothing else writes this set, use `Directory::unlocked`"
            );
            Err(failure(error.kind(), path, &why))
        }
    }
}
