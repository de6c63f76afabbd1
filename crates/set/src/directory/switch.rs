//! The renames that make a set visible, and their reversal if one of them fails.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::file::CompleteFile;
use super::fs::kind_of;
use super::hidden::Hidden;
use crate::files::{remove, rename, sync_folder};

/// A visible file that has been created or replaced: its name, and the place of the earlier file, if there was one.
type Replaced<'f> = (&'f str, Option<PathBuf>);

/// Number of files that an error names.
const NAMED: usize = 20;

/// Renames the files of each step, and syncs the directory after each. If that fails, puts back what was there.
pub(super) fn switch(
    folder: &Path,
    hidden: &Hidden,
    steps: &[Vec<&CompleteFile>],
) -> io::Result<()> {
    let mut done = Vec::new();
    let mut steps = steps.iter();
    let switched = steps.try_for_each(|files| step(folder, hidden, files, &mut done));
    switched.map_err(|error| undo(folder, done, error))
}

fn step<'f>(
    folder: &Path,
    hidden: &Hidden,
    files: &[&'f CompleteFile],
    done: &mut Vec<Replaced<'f>>,
) -> io::Result<()> {
    let before = done.len();
    for file in files {
        let Some(new) = file.hidden() else { continue };
        let visible = folder.join(&file.name);
        let earlier = kind_of(&visible)?.map(|_| {
            // No file of a set has such a name. On a file system without hard links, there is no backup.
            let backup = hidden.new_file(&format!("{}.old", file.name));
            let _ = fs::hard_link(&visible, &backup);
            backup
        });
        rename(new, &visible)?;
        done.push((&file.name, earlier));
    }
    if done.len() > before {
        sync_folder(folder)?;
    }
    Ok(())
}

/// Puts back what was there, from the last file to the first, so that the set goes back through the states that it has
/// passed. Adds a sentence about the files that the directory has now to the error.
fn undo(folder: &Path, mut done: Vec<Replaced<'_>>, error: io::Error) -> io::Error {
    if done.is_empty() {
        return error;
    }
    while let Some((name, earlier)) = done.last() {
        let visible = folder.join(name);
        let undone = match earlier {
            // The disk must have the old index before it loses a part that only the new one lists.
            None => sync_folder(folder).and_then(|()| remove(&visible)),
            Some(backup) => rename(backup, &visible),
        };
        // A part must not go before the index that may list it.
        if undone.is_err() {
            break;
        }
        done.pop();
    }
    // The error of the run is the one to return.
    let _ = sync_folder(folder);
    let names: Vec<&str> = done.iter().map(|(name, _)| *name).take(NAMED).collect();
    let names = names.join(", ");
    let more = if done.len() > NAMED { ", …" } else { "" };
    let now = match done.len() {
        0 => "the files that had been replaced are as they were before".to_owned(),
        count => format!(
            "{count} files are of the new set already, the others of the old one: {names}{more}"
        ),
    };
    io::Error::new(error.kind(), format!("{error}; {now}"))
}
