//! [`NewFile`]: a file that appears under its name when it is complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::{
    at, create_like, folder_of, followed, is_same, refuse_obstacle, remove, rename, sync_folder,
};
use crate::output::Output;

/// A file that appears under its name when it is [complete](Self::finish): the output of a writer of `quick-sitemap`, or any
/// other file, such as a robots.txt.
///
/// Until then the bytes are in a hidden file next to it (`.sitemap.xml.3fa9c2.part`), and an earlier file of that name stays
/// as it is. `finish` syncs the hidden file, renames it and syncs the directory, so readers find either the complete old file
/// or the complete new one, also after a power failure. An earlier file with the same bytes is not touched, so its date and
/// its ETag stay. On systems other than Unix, directories cannot be synced, so the old
/// file may be visible after a power failure.
///
/// The hidden file is removed if this value is dropped before `finish`. If the process is killed, the file stays until the
/// next `NewFile` of the same path is created. Each hidden file is locked while its process is at work, and only a file
/// whose lock is free is removed. On a file system without locks it stays.
///
/// The new file gets the owner, the group and the permissions of the file that it replaces before the first byte is
/// written, as far as the system allows it, except the set-user-ID, set-group-ID and sticky bits. If the path is a symbolic
/// link, the file to which it leads is replaced, or created.
///
/// # Examples
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("quick-sitemap-doc-new-file-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// use quick_sitemap::{Reader, UrlEntry, UrlsetWriter};
/// use quick_sitemap_set::NewFile;
///
/// let path = folder.join("sitemap.xml.gz");
/// let mut writer = UrlsetWriter::new(NewFile::gzip(&path)?);
/// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
/// let file = writer.finish()?;
/// assert!(!path.exists()); // the sitemap is complete, but not visible
/// file.finish()?;
/// assert_eq!(Reader::from_path(&path)?.count(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    output: Output<File>,
    path: PathBuf,
    temporary: PathBuf,
    is_complete: bool,
}

/// Maximum number of names that are tried.
const ATTEMPTS: usize = 16;

/// The end of the name of a hidden file.
const SUFFIX: &str = ".part";
/// Number of random characters in that name.
const RANDOM: usize = 6;
/// Maximum number of bytes of the visible name in it. A file name has at most 255 bytes.
const NAME: usize = 200;

impl NewFile {
    /// Creates the hidden file, and removes those that killed processes have left of the same path.
    ///
    /// # Errors
    ///
    /// An I/O error with the path, if no file can be created in its directory, or if there is something other than a file.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::new(path.as_ref(), false)
    }

    /// Like [`create`](Self::create), for a file that is gzipped. Compressed bytes are written to it as they are produced.
    ///
    /// # Errors
    ///
    /// An I/O error with the path, if no file can be created in its directory, or if there is something other than a file.
    pub fn gzip(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::new(path.as_ref(), true)
    }

    fn new(path: &Path, gzip: bool) -> io::Result<Self> {
        // The target of a link is replaced, not the link.
        let path = followed(path);
        refuse_obstacle(&path)?;
        sweep(&path);
        for _ in 0..ATTEMPTS {
            let name = format!("{}{}{SUFFIX}", prefix(&path), random());
            let temporary = folder_of(&path).join(name);
            match create_like(&temporary, &[&path]) {
                Ok(file) if is_ours(&file, &temporary) => {
                    return Ok(Self {
                        output: Output::new(file, gzip),
                        path,
                        temporary,
                        is_complete: false,
                    });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(at(&path)(error)),
            }
        }
        let message = "other programs keep removing the temporary file";
        Err(at(&path)(io::Error::other(message)))
    }

    /// Returns the path at which the file is, or will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the hidden file. A program that handles signals can remove this file when it is interrupted.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Returns the hidden file. That of a gzipped file contains compressed bytes.
    #[must_use]
    pub fn file(&self) -> &File {
        self.output.get_ref()
    }

    /// Makes the file visible, durably: finishes the gzip stream, syncs the file, renames it, and syncs its directory. If the
    /// visible file has the same bytes, it is not touched and keeps its date, and the hidden file is removed.
    ///
    /// # Errors
    ///
    /// An I/O error with the path. The old file stays, unless the message is that the new one may be lost in a power
    /// failure.
    pub fn finish(mut self) -> io::Result<()> {
        self.output.try_finish().map_err(at(&self.temporary))?;
        if !is_same(self.file(), &self.path) {
            self.file().sync_all().map_err(at(&self.temporary))?;
            rename(&self.temporary, &self.path)?;
            self.is_complete = true;
            // On Windows, no other process can read a locked file.
            let _ = self.file().unlock();
        }
        // A killed process may have renamed the same file without syncing the directory.
        sync_folder(folder_of(&self.path)).map_err(|error| {
            let message = format!("it is written, but may be lost in a power failure: {error}");
            io::Error::new(error.kind(), message)
        })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(at(&self.temporary))
    }

    /// Does nothing: the file has no buffer, and flushing the encoder only makes a gzipped file larger.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // If it cannot be removed, the next run does it.
            let _ = remove(&self.temporary);
        }
    }
}

/// The beginning of the names of hidden files of this path.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = name.char_indices().map(|(at, char)| at + char.len_utf8());
    let end = ends.take_while(|end| *end <= NAME).last();
    format!(
        ".{}.",
        end.and_then(|end| name.get(..end)).unwrap_or("file")
    )
}

fn random() -> String {
    let number = RandomState::new().build_hasher().finish();
    format!("{:0RANDOM$x}", number & 0xff_ffff)
}

/// Locks the file. Returns `false` if another process has swept it before it was locked.
fn is_ours(file: &File, temporary: &Path) -> bool {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => false,
        // A file system without locks, on which hidden files are not removed.
        Err(TryLockError::Error(_)) => true,
        Ok(()) => fs::symlink_metadata(temporary).is_ok(),
    }
}

/// Removes the hidden files of this path that no process has locked. Files that cannot be removed stay.
fn sweep(path: &Path) {
    let prefix = prefix(path);
    let Ok(entries) = fs::read_dir(folder_of(path)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .to_str()
            .and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(SUFFIX));
        let is_hidden = random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if is_hidden {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    // Only regular files are opened, because a pipe would wait for a writer.
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(());
    }
    // The lock is kept until the file is gone, so that a process that has just created it creates another one.
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    if file.try_lock().is_err() {
        return Ok(());
    }
    fs::remove_file(path)
}
