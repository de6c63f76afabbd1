//! A file that takes the place of another one when it is complete.
//!
//! It is [`NewFile`] of the set, which keeps owner, group and permissions, and which the next run sweeps after a kill. A
//! signal removes it at once.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use quick_sitemap_set::NewFile;

use crate::disk::files::without_links;
use crate::disk::{at, folder_of, sync_name};
use crate::term::interrupt::{Listed, temporary};

/// Takes the bytes of the new file. Dropped before it is [put in place](Self::put_in_place), it leaves nothing. All errors
/// have the path of the file.
#[derive(Debug)]
pub(crate) struct Replacement {
    // Dropped before it is taken from the list.
    new: NewFile,
    _listed: Listed,
    /// As it is named on the command line.
    target: PathBuf,
}

impl Replacement {
    /// Makes the hidden file, with the owner and the permissions of the old one. If the target is a link, the file that it
    /// leads to is replaced.
    ///
    /// # Errors
    ///
    /// If no file can be made in the folder, or if the target is a pipe or a device, which a file would replace for every
    /// program.
    pub(crate) fn of(target: &Path) -> io::Result<Self> {
        let make = || NewFile::create(target);
        let made = temporary(make, NewFile::temporary_path);
        let (new, listed) = made.map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                let folder = folder_of(target).display();
                let message = format!("{folder}: there is no such folder");
                at(target)(io::Error::new(error.kind(), message))
            }
            _ => error,
        })?;
        Ok(Self {
            new,
            _listed: listed,
            target: target.to_owned(),
        })
    }

    /// The new file, for writing to it directly.
    pub(crate) fn file(&self) -> io::Result<File> {
        self.new.file().try_clone().map_err(at(&self.target))
    }

    /// Puts the file in its place, as [`put_in_place`](Self::put_in_place) does, but with the lock that [`NewFile`] has on
    /// it, so that no other run can lock it meanwhile. If `is_new`, a file that is there stays, and `None` is returned,
    /// unless the file system has no links.
    pub(crate) fn put_in_place_locked(self, is_new: bool) -> io::Result<Option<File>> {
        let (file, place) = (self.file()?, without_links(&self.target));
        let hidden = self.new.temporary_path();
        let put = || {
            file.sync_all()?;
            match is_new.then(|| fs::hard_link(hidden, &place)) {
                Some(Ok(())) => {}
                Some(Err(error)) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
                _ => fs::rename(hidden, &place)?,
            }
            sync_name(&place).map(|()| true)
        };
        let is_put = put().map_err(at(&self.target))?;
        Ok(is_put.then_some(file))
    }

    /// When this returns, both the content and the name are on the disk.
    pub(crate) fn put_in_place(self) -> io::Result<()> {
        self.new.finish()
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The name of the hidden file would only puzzle.
        self.new.file().write(bytes).map_err(at(&self.target))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
