//! A file that takes the place of another one when it is complete.
//!
//! The new content is written to a temporary file in the folder of the target, which carries the target's name:
//! `.sitemap.xml.x7Rq2p.part` becomes `sitemap.xml`. It is synced, renamed, and then the folder is synced, so that neither
//! a kill nor a power cut leaves anything but the old file or the new one, and what was reported as written stays.
//!
//! A run that is killed leaves its temporary file behind. The next run that writes the same target removes it. So that
//! it does not remove the file of a run that is still at work, each run holds a lock of the system on its temporary file,
//! which ends with the process: only a file whose lock can be taken is removed. Where there are no locks, nothing is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::source::folder::{folder_of, not_regular, sync_folder};
use crate::term::interrupt::Temporary;

const SUFFIX: &str = ".part";
/// Random characters of a name, those that `tempfile` takes.
const RANDOM: usize = 6;
/// Bytes of the target's name that are part of the temporary one; a name has 255 at most.
const NAME: usize = 200;
/// How often a file is made anew because another run has swept it before it was locked.
const ATTEMPTS: usize = 16;

/// Takes the bytes of the new file. Dropped before it is [put in place](Self::put_in_place), it leaves nothing.
#[derive(Debug)]
pub(crate) struct Replacement {
    temporary: Temporary,
    target: PathBuf,
}

impl Replacement {
    /// Removes what killed runs have left of the same target, and makes a new temporary file. If the target is a link, the
    /// file that it leads to is replaced.
    ///
    /// # Errors
    ///
    /// With the name of the folder, if no file can be made in it. If the target is a pipe or a device, which a file would
    /// replace for every program.
    pub(crate) fn of(target: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        if fs::metadata(&target).is_ok_and(|before| !before.is_file()) {
            return Err(not_regular());
        }
        sweep(&target);
        for _ in 0..ATTEMPTS {
            let temporary = make(&target)?;
            if is_ours(&temporary) {
                return Ok(Self { temporary, target });
            }
        }
        let message = "other programs keep removing the temporary file";
        Err(io::Error::other(format!("{}: {message}", target.display())))
    }

    /// The new file, for writing to it directly.
    pub(crate) fn file(&self) -> io::Result<File> {
        self.temporary.file.as_file().try_clone()
    }

    /// Puts the new file in the place of the old one, whose permissions it gets, but no more than those to read, write and
    /// execute. When this returns, both the content and the name are on the disk.
    pub(crate) fn put_in_place(self) -> io::Result<()> {
        let Temporary { file, listed } = self.temporary;
        if let Ok(before) = fs::symlink_metadata(&self.target)
            && before.is_file()
        {
            file.as_file().set_permissions(permissions(&before))?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.target)?;
        drop(listed);
        sync_folder(folder_of(&self.target)).map_err(|error| {
            let message = format!("it is written, but may be lost in a power failure: {error}");
            io::Error::new(error.kind(), message)
        })
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.file.flush()
    }
}

/// Without the bits that would let a program run as somebody else.
#[cfg(unix)]
fn permissions(before: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(before.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn permissions(before: &fs::Metadata) -> fs::Permissions {
    before.permissions()
}

/// Hidden, in the same folder, with the permissions that a new file would have.
fn make(target: &Path) -> io::Result<Temporary> {
    let folder = folder_of(target);
    let prefix = prefix(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(permissions);
    Temporary::new(|| builder.tempfile_in(folder)).map_err(|error| {
        // The name of a file that nobody has asked for would only puzzle.
        let message = match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            kind => format!("cannot create a file in this folder: {kind}"),
        };
        io::Error::new(error.kind(), format!("{}: {message}", folder.display()))
    })
}

/// Locks the file. `false` if another run has swept it: that may come between the making of the file and the lock.
fn is_ours(temporary: &Temporary) -> bool {
    let file = &temporary.file;
    match file.as_file().try_lock() {
        Err(fs::TryLockError::WouldBlock) => false,
        // A file system without locks; nobody sweeps there.
        Err(fs::TryLockError::Error(_)) => true,
        Ok(()) => fs::symlink_metadata(file.path()).is_ok(),
    }
}

fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let mut end = name.len().min(NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!(".{}.", name.get(..end).unwrap_or_default())
}

/// Removes the temporary files of this target that no run holds any more. What cannot be removed stays.
fn sweep(target: &Path) {
    let prefix = prefix(target);
    let Ok(entries) = fs::read_dir(folder_of(target)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .to_str()
            .and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(SUFFIX));
        let is_temporary = random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if is_temporary {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    // To open a pipe would wait for somebody at its other end.
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(());
    }
    // The lock is kept until the file is gone: a run that has just made it then knows that it has to make another one.
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// As a kill would leave it.
    fn abandon(target: &Path) -> PathBuf {
        let Temporary { file, listed } = Replacement::of(target).unwrap().temporary;
        let (file, path) = file.keep().unwrap();
        drop((file, listed));
        // A process that another test starts meanwhile has the lock, too, until it runs its program. Another run may have
        // swept the file.
        if let Ok(left) = File::open(&path) {
            left.lock().unwrap();
        }
        path
    }

    #[test]
    fn what_a_kill_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("sitemap.xml");
        let mut first = Replacement::of(&target).unwrap();
        first.write_all(b"first").unwrap();
        let left = abandon(&target);
        let others = [
            ".sitemap.xml.part",
            ".sitemap.xml.abcdef.part.gz",
            ".sitemap.xml.abc_ef.part",
            ".sitemap.xml.abcdefg.part",
            ".sitemap-2.xml.abcdef.part",
            "sitemap.xml.abcdef.part",
        ];
        for other in others {
            fs::write(folder.path().join(other), "").unwrap();
        }
        fs::create_dir(folder.path().join(".sitemap.xml.folder.part")).unwrap();
        assert!(left.exists());
        let mut second = Replacement::of(&target).unwrap();
        second.write_all(b"second").unwrap();
        assert!(!left.exists());
        // The first run is still at work.
        first.put_in_place().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"first");
        second.put_in_place().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"second");
        let mut expected = [&others[..], &[".sitemap.xml.folder.part", "sitemap.xml"]].concat();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
        drop(Replacement::of(&target).unwrap());
        assert_eq!(names(folder.path()), expected);
    }

    /// Many runs make, sweep and rename at once; each of them succeeds.
    #[test]
    fn runs_at_the_same_time_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("sitemap.xml");
        std::thread::scope(|scope| {
            for run in 0..4 {
                let target = &target;
                scope.spawn(move || {
                    for round in 0..50 {
                        let mut replacement = Replacement::of(target).unwrap();
                        write!(replacement, "{run} {round}").unwrap();
                        replacement.put_in_place().unwrap();
                        if round % 5 == run {
                            abandon(target);
                        }
                    }
                });
            }
        });
        drop(Replacement::of(&target).unwrap());
        assert_eq!(names(folder.path()), ["sitemap.xml"]);
    }

    #[test]
    fn names_of_any_length_have_a_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["é".repeat(127), "x".repeat(255)] {
            let target = folder.path().join(name);
            let left = abandon(&target);
            let mut replacement = Replacement::of(&target).unwrap();
            assert!(!left.exists());
            replacement.write_all(b"x").unwrap();
            replacement.put_in_place().unwrap();
            assert!(target.exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_but_for_those_of_programs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("sitemap.xml");
        fs::write(&target, "").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o4640)).unwrap();
        Replacement::of(&target).unwrap().put_in_place().unwrap();
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o640);
    }

    /// A pipe that is called like a temporary file, which nobody must wait for.
    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("sitemap.xml");
        let pipe = folder.path().join(".sitemap.xml.abcdef.part");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let other = folder.path().join("other");
        fs::write(&other, "other").unwrap();
        let link = folder.path().join(".sitemap.xml.ghijkl.part");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        Replacement::of(&target).unwrap().put_in_place().unwrap();
        assert!(fs::symlink_metadata(&pipe).is_ok() && fs::symlink_metadata(&link).is_ok());
        assert_eq!(fs::read(&other).unwrap(), b"other");
    }
}
