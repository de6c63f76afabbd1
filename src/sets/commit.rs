//! One run: the files that it finds in the directory, and the order in which its own files become visible.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fs::{is_same, kind_of};
use super::hidden::Hidden;
use super::journal::{Journal, is_over, now};
use super::names::Names;
use super::neighbours::Neighbours;
use super::set::{is_index, is_no_set, listed_by};
use crate::writer::{at, refuse_obstacle, remove, rename, sync_folder};

/// One run in a directory, from taking the lock to publishing.
#[derive(Debug)]
pub(super) struct Run {
    folder: PathBuf,
    names: Names,
    neighbours: Neighbours,
    hidden: Hidden,
}

/// A file that is complete and on the disk.
#[derive(Debug)]
pub(super) struct CompleteFile {
    /// Its final name.
    pub(super) file: String,
    /// The file that will be renamed, or `None` if the visible file of that name has the same bytes, and stays.
    pub(super) temporary: Option<PathBuf>,
}

/// The files of a set before a run publishes anything.
struct VisibleFiles {
    journal: Journal,
    /// The files that the index lists.
    named: Vec<String>,
}

/// The files that a run makes visible.
#[derive(Debug)]
pub(super) struct SetPublication {
    /// In the order of the index.
    pub(super) parts: Vec<CompleteFile>,
    pub(super) index: CompleteFile,
    /// The parts of an earlier run that stay.
    pub(super) kept: Vec<String>,
    /// The names of the parts of groups.
    pub(super) groups: Vec<Names>,
    /// Time for which a part stays after the index no longer lists it, for clients that have read the old index.
    /// `None`: it is removed at once.
    pub(super) grace: Option<Duration>,
}

impl Run {
    /// Takes the lock, and removes unfinished files of runs that were killed.
    pub(super) fn begin(folder: &Path, names: Names, is_locked: bool) -> io::Result<Self> {
        refuse_obstacle(&folder.join(names.index()))?;
        let hidden = Hidden::open(folder, &names, is_locked)?;
        let mut run = Self {
            folder: folder.to_owned(),
            names,
            neighbours: Neighbours::default(),
            hidden,
        };
        // A run that was killed, or whose sync failed, can have renamed files without syncing the directory.
        run.sync()?;
        run.look_around()?;
        run.refuse_index()?;
        Ok(run)
    }

    pub(super) const fn names(&self) -> &Names {
        &self.names
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    pub(super) const fn hidden(&self) -> &Hidden {
        &self.hidden
    }

    /// # Errors
    ///
    /// Something else than a file of this set has that name.
    pub(super) fn refuse_taken(&self, file: &str) -> io::Result<()> {
        self.refuse_named(file)?;
        let path = self.path(file);
        if is_index(&path)? {
            let message = format!("{}: this file is the index of another set", path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(())
    }

    fn refuse_named(&self, file: &str) -> io::Result<()> {
        let path = self.path(file);
        refuse_obstacle(&path)?;
        if let Some(other) = self.neighbours.index_of(file) {
            let message = format!(
                "{}: this file belongs to another set, whose index {other} lists it",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(())
    }

    /// Creates the hidden file `temporary`, with the owner and the permissions of the visible file that it is to replace, if
    /// the name of that is known and it exists, or of the index.
    pub(super) fn create(&self, temporary: &str, replaced: Option<&str>) -> io::Result<File> {
        let index = self.path(&self.names.index());
        let replaced = replaced.map_or_else(|| index.clone(), |file| self.path(file));
        self.hidden.create(temporary, &[&replaced, &index])
    }

    /// The plan for a file that will be named `file`, which another thread can complete.
    pub(super) fn completion(&self, file: String, temporary: &str) -> WrittenFile {
        WrittenFile {
            temporary: self.hidden.new_file(temporary),
            path: self.path(&file),
            file,
        }
    }

    /// Makes the parts visible, and the index, and then removes the parts that it does not name. See the module's
    /// documentation for the order.
    pub(super) fn publish(&mut self, publication: SetPublication) -> io::Result<()> {
        let SetPublication {
            parts,
            index,
            kept,
            groups,
            grace,
        } = publication;
        let VisibleFiles {
            journal: before,
            mut named,
        } = self.look_around()?;
        for part in &parts {
            self.refuse_named(&part.file)?;
        }
        self.refuse_index()?;
        let current = set_of(parts.iter().map(|part| &*part.file));
        let kept = set_of(kept.iter().map(String::as_str));
        let is_ours = |file: &str| {
            let mut groups = groups.iter();
            self.names.part_of(file).is_some() || groups.any(|group| group.part_of(file).is_some())
        };
        named.retain(|file| is_ours(file) || before.contains(file));
        let listed = set_of(named.iter().map(String::as_str));

        // From here on, a killed run can leave parts that the index does not list. The next run learns them from the
        // journal.
        let mut journal = before.clone();
        journal.add_all(named.iter().map(String::as_str));
        // The index may list a part again that was out of use. Its grace period starts again when it is removed from the
        // index.
        journal.use_again(&current);
        let stays =
            |file: &str| current.contains(file) || kept.contains(file) || file == index.file;
        let only_adds = named.iter().all(|file| stays(file));
        let is_same = only_adds && current.iter().all(|file| listed.contains(file));
        if !is_same && journal != before {
            self.hidden.replace_journal(&journal)?;
        }
        self.switch(&parts, &index, &listed, only_adds && !is_same)?;
        self.clear(journal, stays, grace)
    }

    /// Renames the parts, from the last to the first, then the index.
    fn switch(
        &self,
        parts: &[CompleteFile],
        index: &CompleteFile,
        listed: &HashSet<&str>,
        adds: bool,
    ) -> io::Result<()> {
        let mut renamed = self.rename_all(parts, listed, false)?;
        if adds {
            self.sync_if(renamed)?;
            self.sync_if(self.rename(index)?)?;
        }
        renamed |= self.rename_all(parts, listed, true)?;
        self.sync_if(renamed)?;
        if !adds {
            self.sync_if(self.rename(index)?)?;
        }
        Ok(())
    }

    /// Renames the parts that the index lists already, or those that are new.
    fn rename_all(
        &self,
        parts: &[CompleteFile],
        listed: &HashSet<&str>,
        is_listed: bool,
    ) -> io::Result<bool> {
        let mut renamed = false;
        for part in parts.iter().rev() {
            if listed.contains(&*part.file) == is_listed {
                renamed |= self.rename(part)?;
            }
        }
        Ok(renamed)
    }

    fn rename(&self, file: &CompleteFile) -> io::Result<bool> {
        let Some(temporary) = &file.temporary else {
            return Ok(false);
        };
        rename(temporary, &self.path(&file.file))?;
        Ok(true)
    }

    /// Removes the files that the journal lists and the new set does not contain, if their grace period is over, and writes
    /// a journal of the rest. All files in the journal belong to this set.
    fn clear(
        &self,
        mut journal: Journal,
        stays: impl Fn(&str) -> bool,
        grace: Option<Duration>,
    ) -> io::Result<()> {
        let now = now();
        let mut stale = Vec::new();
        for (file, since) in journal.take() {
            if stays(&file) {
                // The name of a group's part does not show that it belongs to this set, so it stays in the journal.
                if self.names.part_of(&file).is_none() && file != self.names.index() {
                    journal.insert(file, None);
                }
            } else if grace
                .is_none_or(|grace| since.is_some_and(|since| is_over(since, now, grace)))
            {
                stale.push(file);
            } else if kind_of(&self.path(&file))?.is_some() {
                journal.insert(file, Some(since.unwrap_or(now)));
            }
        }
        // The last part goes first.
        stale.sort_by_cached_key(|file| {
            let part = self.names.part_of(file);
            part.map_or(u64::MAX, |part| u64::MAX - u64::from(part.number) - 1)
        });
        for file in stale {
            self.remove_stale(&file)?;
        }
        if journal != self.journal()? {
            // The removals must be on the disk before the journal no longer lists the files.
            self.sync()?;
            self.hidden.replace_journal(&journal)?;
        }
        Ok(())
    }

    /// Removes a part, unless it has become another kind of file.
    fn remove_stale(&self, file: &str) -> io::Result<()> {
        let path = self.path(file);
        let is_file = kind_of(&path)?.is_some_and(|kind| kind.is_file());
        let is_free = self.neighbours.index_of(file).is_none();
        if is_file && is_free && !is_index(&path)? {
            remove(&path)?;
        }
        Ok(())
    }

    /// Finds the files of this set and of other sets in the directory.
    fn look_around(&mut self) -> io::Result<VisibleFiles> {
        let journal = self.journal()?;
        let named = self.named_by_index()?;
        let mut own = set_of(named.iter().map(String::as_str).chain(journal.files()));
        own.remove(&*self.names.index());
        let is_own_index = |file: &str| {
            let is_part = self.names.part_of(file).is_some() && own.contains(file);
            is_part || file == self.names.index()
        };
        // Servers that send compressed files need a twin next to each file. The twin of the index lists the parts of
        // this set and is not the index of another set; but if it lists the index itself, it is.
        let twin = format!("{}.gz", self.names.index());
        let is_own = |file: &str, index: &str| index == twin && own.contains(file);
        self.neighbours = Neighbours::read(&self.folder, is_own_index, is_own)?;
        Ok(VisibleFiles { journal, named })
    }

    /// # Errors
    ///
    /// The file with the name of the index is not a urlset or an index, or belongs to another set.
    fn refuse_index(&self) -> io::Result<()> {
        let index = self.names.index();
        self.refuse_named(&index)?;
        let path = self.path(&index);
        if is_no_set(&path)? {
            let message = format!(
                "{}: this file is neither a urlset nor an index, so it is not replaced; remove it, or give the set another name",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(())
    }

    /// The files in the directory that the visible index lists.
    fn named_by_index(&self) -> io::Result<Vec<String>> {
        let listed = listed_by(&self.path(&self.names.index()))?.unwrap_or_default();
        let files = listed.iter().filter_map(|loc| self.names.file_at(loc));
        Ok(files.map(ToOwned::to_owned).collect())
    }

    fn journal(&self) -> io::Result<Journal> {
        Journal::read(&self.folder, self.names.name())
    }

    /// Makes earlier renames durable before later ones.
    fn sync(&self) -> io::Result<()> {
        sync_folder(&self.folder)
    }

    fn sync_if(&self, renamed: bool) -> io::Result<()> {
        if renamed { self.sync() } else { Ok(()) }
    }
}

/// A set of names.
// A loop, because every `collect` and `extend` compiles its own code.
pub(super) fn set_of<'f>(files: impl Iterator<Item = &'f str>) -> HashSet<&'f str> {
    let mut set = HashSet::new();
    for file in files {
        set.insert(file);
    }
    set
}

/// A file that has been written, and must still be compared or synced to be a [`CompleteFile`].
#[derive(Debug)]
pub(super) struct WrittenFile {
    file: String,
    temporary: PathBuf,
    path: PathBuf,
}

impl WrittenFile {
    /// Keeps the visible file if it has the same content. Otherwise syncs the new file.
    pub(super) fn complete(self, mut file: File) -> io::Result<CompleteFile> {
        if is_same(&mut file, &self.path).unwrap_or(false) {
            drop(file);
            remove(&self.temporary)?;
            return Ok(CompleteFile {
                file: self.file,
                temporary: None,
            });
        }
        file.sync_all().map_err(at(&self.temporary))?;
        Ok(CompleteFile {
            file: self.file,
            temporary: Some(self.temporary),
        })
    }
}
