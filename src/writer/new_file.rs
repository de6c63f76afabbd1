//! [`NewFile`], and the steps that it shares with the files of a set: create like the old file, sync, rename.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::text::span::{TakePart, floor_char_boundary};

/// A file that appears under its name when it is [complete](Self::finish). It is the output of
/// [`UrlsetWriter::create`](crate::UrlsetWriter::create), [`IndexWriter::create`](crate::IndexWriter::create) and
/// [`TextWriter::create`](crate::TextWriter::create), and can be used for any other file, such as a robots.txt.
///
/// Until then the bytes are in a hidden file next to it (`.sitemap.xml.x7Rq2p.part`), and an earlier file of that name stays
/// as it is. `finish` syncs the hidden file, renames it and syncs the directory, so readers find either the complete old file
/// or the complete new one, also after a power failure. On systems other than Unix, directories cannot be synced, so the old
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
/// use std::io::Write;
/// use quick_sitemap::NewFile;
///
/// let path = folder.join("robots.txt");
/// let mut file = NewFile::create(&path)?;
/// file.write_all(b"Sitemap: https://example.com/sitemap.xml\n")?;
/// assert!(file.path().ends_with("robots.txt") && !path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?.len(), 41);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    output: Output,
    path: PathBuf,
    temporary: PathBuf,
    is_complete: bool,
}

#[derive(Debug)]
enum Output {
    Plain(File),
    Gzip(Box<GzEncoder<File>>),
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
        let path = path.as_ref();
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
                        output: Output::Plain(file),
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

    /// Creates a file that is gzipped if its name ends with `.gz`.
    pub(super) fn by_name(path: &Path) -> io::Result<Self> {
        let mut new = Self::create(path)?;
        let ending = new.path.extension();
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
            let file = new.file().try_clone().map_err(at(&new.path))?;
            let encoder = GzEncoder::new(file, Compression::default());
            new.output = Output::Gzip(Box::new(encoder));
        }
        Ok(new)
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

    /// Returns the hidden file. The file of a gzipped sitemap contains compressed bytes.
    #[must_use]
    pub fn file(&self) -> &File {
        match &self.output {
            Output::Plain(file) => file,
            Output::Gzip(encoder) => encoder.get_ref(),
        }
    }

    /// Makes the file visible, durably. Does nothing if a sitemap writer has done so already.
    ///
    /// # Errors
    ///
    /// An I/O error with the path. The old file stays, unless the message is that the new one may be lost in a power
    /// failure.
    pub fn finish(mut self) -> io::Result<()> {
        self.complete()
    }

    /// Completes the file and moves it to its path: sync, rename, sync of the folder.
    pub(super) fn complete(&mut self) -> io::Result<()> {
        if self.is_complete {
            return Ok(());
        }
        if let Output::Gzip(encoder) = &mut self.output {
            encoder.try_finish().map_err(at(&self.temporary))?;
        }
        self.file().sync_all().map_err(at(&self.temporary))?;
        rename(&self.temporary, &self.path)?;
        self.is_complete = true;
        // On Windows, no other process can read a locked file.
        let _ = self.file().unlock();
        sync_folder(folder_of(&self.path)).map_err(|error| {
            let message = format!("it is written, but may be lost in a power failure: {error}");
            io::Error::new(error.kind(), message)
        })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Plain(file) => file.write(bytes),
            Output::Gzip(encoder) => encoder.write(bytes),
        }
        .map_err(at(&self.temporary))
    }

    /// Does nothing, because there is no buffer: flushing the encoder before the end only makes the file larger.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// Maximum number of links that are followed, as on Linux.
const LINKS: usize = 40;

/// The path without symbolic links at its end, whether or not there is a file yet.
fn followed(path: &Path) -> PathBuf {
    if let Ok(existing) = fs::canonicalize(path) {
        return existing;
    }
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

/// The beginning of the names of hidden files of this path.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}.", name.part(..floor_char_boundary(&name, NAME)))
}

fn random() -> String {
    let mut number = RandomState::new().build_hasher().finish();
    let mut digit = || {
        let digit = char::from_digit((number % 36) as u32, 36);
        number /= 36;
        digit
    };
    (0..RANDOM).filter_map(|_| digit()).collect()
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
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_file() => "a file",
        _ => "a special file",
    };
    let message = format!("{}: {what} is in the way", path.display());
    io::Error::new(io::ErrorKind::AlreadyExists, message)
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

/// Adds the path to an error.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
