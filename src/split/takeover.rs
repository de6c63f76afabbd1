//! The hidden files of earlier versions, which had a journal, a lock and temporary files next to the visible files.

use std::fs;
use std::io;
use std::path::Path;

use super::fs::kind_of;
use super::hidden::Hidden;
use super::journal::Journal;
use super::names::{Names, former_journal};
use crate::writer::{at, remove, sync_folder};

/// Takes over the journal of an earlier version, and removes its other hidden files. After that, neither that journal nor
/// that lock exists, so it happens once.
pub(super) fn take_over(folder: &Path, names: &Names, hidden: &Hidden) -> io::Result<()> {
    let (journal, lock) = (
        folder.join(former_journal(names.name())),
        folder.join(names.former_lock()),
    );
    if kind_of(&journal)?.is_none() && kind_of(&lock)?.is_none() {
        return Ok(());
    }
    hidden.replace_journal(&Journal::read(folder, names.name())?)?;
    // The new folder must be on the disk before the old journal is removed.
    sync_folder(folder)?;
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let path = entry.path();
        let is_folder = entry.file_type().map_err(at(&path))?.is_dir();
        let name = entry.file_name();
        let is_own = |name: &str| names.is_former_temporary(name, is_folder);
        if name.to_str().is_some_and(is_own) {
            match is_folder {
                true => fs::remove_dir_all(&path).map_err(at(&path))?,
                false => remove(&path)?,
            }
        }
    }
    remove(&journal)?;
    match kind_of(&lock)? {
        Some(kind) if kind.is_dir() => fs::remove_dir_all(&lock).map_err(at(&lock)),
        _ => remove(&lock),
    }
}
