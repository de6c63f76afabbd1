//! One run: the files that it finds in the directory, and the order in which its own files become visible.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file::{CompleteFile, PartFile};
use super::found::Found;
use super::fs::{create_folder, kind_of, refuse_non_folder};
use super::hidden::Hidden;
use super::journal::{Journal, is_over, now};
use super::names::Names;
use super::neighbours::neighbours;
use crate::files::{refuse_obstacle, refused, remove, rename, sync_folder};

/// One run in a directory, from taking the lock to publishing.
#[derive(Debug)]
pub(super) struct Run {
    folder: PathBuf,
    names: Names,
    /// The files that other indexes in the directory list, each with that index.
    neighbours: HashMap<String, String>,
    /// `None` in a dry run, which changes nothing.
    hidden: Option<Hidden>,
}

impl Run {
    /// Creates the directory, takes the lock, and removes unfinished files of runs that were killed; not in a dry run.
    pub(super) fn begin(
        folder: &Path,
        names: Names,
        is_dry_run: bool,
        is_locked: bool,
    ) -> io::Result<Self> {
        refuse_non_folder(folder)?;
        refuse_obstacle(&folder.join(names.index()))?;
        Hidden::refuse_obstacles(folder, &names)?;
        let hidden = if is_dry_run {
            None
        } else {
            create_folder(folder)?;
            let hidden = Hidden::open(folder, &names, is_locked)?;
            // A run that was killed, or whose sync failed, can have renamed files without syncing the directory.
            sync_folder(folder)?;
            Some(hidden)
        };
        let mut run = Self {
            folder: folder.to_owned(),
            names,
            neighbours: HashMap::new(),
            hidden,
        };
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

    /// # Errors
    ///
    /// A file outside this set has that name.
    pub(super) fn refuse_taken(&self, file: &str) -> io::Result<()> {
        self.refuse_named(file)?;
        let path = self.path(file);
        if matches!(Found::read(&path)?, Found::Index(_)) {
            return Err(refused(&path, "this file is the index of another set"));
        }
        Ok(())
    }

    fn refuse_named(&self, file: &str) -> io::Result<()> {
        let path = self.path(file);
        refuse_obstacle(&path)?;
        if let Some(other) = self.neighbours.get(file) {
            let why = format!("this file belongs to another set, whose index {other} lists it");
            return Err(refused(&path, &why));
        }
        Ok(())
    }

    /// Creates the hidden file `name`, with the owner and the permissions of the visible file of that name, if there is one,
    /// or of the index. With `fingerprint`, its final name depends on its content. In a dry run, there is no file.
    pub(super) fn create(&self, name: &str, fingerprint: bool, gzip: bool) -> io::Result<PartFile> {
        let Some(hidden) = &self.hidden else {
            return Ok(PartFile::new(None, fingerprint, gzip));
        };
        let (index, visible) = (self.path(&self.names.index()), self.path(name));
        let models = if fingerprint {
            vec![&*index]
        } else {
            vec![&*visible, &*index]
        };
        let file = (hidden.create(name, &models)?, hidden.new_file(name));
        Ok(PartFile::new(Some(file), fingerprint, gzip))
    }

    /// Makes the parts visible, in the order of the index, and the index, and then removes the parts that it does not list.
    /// See the documentation of [`directory`](super) for the order of the steps.
    ///
    /// `groups` are the names of all parts. A part stays for the time `grace` after the index no longer lists it, for clients
    /// that have read the old index. Without `grace`, it is removed at once. Returns the names of the parts that were removed.
    /// In a dry run, nothing is renamed, removed or written.
    pub(super) fn publish(
        &mut self,
        parts: &[CompleteFile],
        index: &CompleteFile,
        groups: &BTreeMap<String, Names>,
        grace: Option<Duration>,
    ) -> io::Result<Vec<String>> {
        let (before, mut listed) = self.look_around()?;
        for part in parts {
            self.refuse_named(&part.name)?;
        }
        self.refuse_index()?;
        let current = set_of(parts.iter().map(|part| &*part.name));
        let is_part = |file: &str| groups.values().any(|names| names.part_of(file).is_some());
        listed.retain(|file| is_part(file) || before.0.contains_key(file));

        // From here on, a killed run can leave parts that the index does not list. The next run finds them in the journal.
        let mut journal = before.clone();
        for file in &listed {
            journal.0.entry(file.clone()).or_default();
        }
        // The index can list a part again that was out of use. Its grace period restarts when the index no longer lists it.
        let again = current.iter().map(|file| ((*file).to_owned(), None));
        journal.0.extend(again);
        let stays = |file: &str| current.contains(file) || file == index.name;
        let only_adds = listed.iter().all(|file| stays(file));
        let listed = set_of(listed.iter().map(String::as_str));
        let is_same = only_adds && current.iter().all(|file| listed.contains(file));
        if let Some(hidden) = &self.hidden
            && !is_same
            && journal != before
        {
            hidden.replace_journal(&journal)?;
        }
        self.switch(parts, index, &listed, only_adds && !is_same)?;
        self.clear(journal, stays, grace)
    }

    /// Renames the parts, from the last to the first, then the index. If the set `adds` parts only, the index is switched
    /// before the parts that it lists already.
    fn switch(
        &self,
        parts: &[CompleteFile],
        index: &CompleteFile,
        listed: &HashSet<&str>,
        adds: bool,
    ) -> io::Result<()> {
        let parts = parts.iter().rev();
        let (old, new): (Vec<_>, Vec<_>) = parts.partition(|part| listed.contains(&*part.name));
        let steps = if adds {
            [new, vec![index], old]
        } else {
            [new, old, vec![index]]
        };
        for step in steps {
            let mut renamed = false;
            for file in step {
                if let Some(hidden) = file.hidden() {
                    rename(hidden, &self.path(&file.name))?;
                    renamed = true;
                }
            }
            if renamed {
                self.sync()?;
            }
        }
        Ok(())
    }

    /// Removes the files that the journal lists and the new set does not contain, if their grace period is over, and writes
    /// a journal of the rest. All files in the journal belong to this set.
    fn clear(
        &self,
        mut journal: Journal,
        stays: impl Fn(&str) -> bool,
        grace: Option<Duration>,
    ) -> io::Result<Vec<String>> {
        let now = now();
        let mut stale = Vec::new();
        for (file, since) in std::mem::take(&mut journal.0) {
            if stays(&file) {
                // The name of a group's part does not show that it belongs to this set, so it stays in the journal.
                if self.names.part_of(&file).is_none() && file != self.names.index() {
                    journal.0.insert(file, None);
                }
            } else if grace
                .is_none_or(|grace| since.is_some_and(|since| is_over(since, now, grace)))
            {
                if self.can_be_removed(&file)? {
                    stale.push(file);
                }
            } else if kind_of(&self.path(&file))?.is_some() {
                journal.0.insert(file, Some(since.unwrap_or(now)));
            }
        }
        // The last part goes first.
        stale.sort_by_cached_key(|file| Reverse(self.names.part_of(file).map(|part| part.number)));
        let Some(hidden) = &self.hidden else {
            return Ok(stale);
        };
        for file in &stale {
            remove(&self.path(file))?;
        }
        if journal != self.journal()? {
            // The removals must be on the disk before the journal no longer lists the files.
            self.sync()?;
            hidden.replace_journal(&journal)?;
        }
        Ok(stale)
    }

    /// Returns `true` for a file, unless it has become another kind of file.
    fn can_be_removed(&self, file: &str) -> io::Result<bool> {
        let path = self.path(file);
        let is_file = kind_of(&path)?.is_some_and(|kind| kind.is_file());
        let is_free = !self.neighbours.contains_key(file);
        Ok(is_file && is_free && !matches!(Found::read(&path)?, Found::Index(_)))
    }

    /// Finds the files of other sets in the directory. Returns the files of this set: its journal, and the files that the
    /// visible index lists.
    fn look_around(&mut self) -> io::Result<(Journal, Vec<String>)> {
        let journal = self.journal()?;
        let listed = Found::read(&self.path(&self.names.index()))?.listed();
        let listed = listed.iter().filter_map(|loc| self.names.file_at(loc));
        let listed: Vec<String> = listed.map(ToOwned::to_owned).collect();
        let mut own = set_of(listed.iter().chain(journal.0.keys()).map(String::as_str));
        own.remove(&*self.names.index());
        let is_own_index = |file: &str| {
            let is_part = self.names.part_of(file).is_some() && own.contains(file);
            is_part || file == self.names.index()
        };
        // Servers that send compressed files need a twin next to each file. The twin of the index lists the parts of
        // this set and is not the index of another set; but if it lists the index itself, it is.
        let twin = format!("{}.gz", self.names.index());
        let is_own = |file: &str, index: &str| index == twin && own.contains(file);
        self.neighbours = neighbours(&self.folder, is_own_index, is_own)?;
        Ok((journal, listed))
    }

    /// # Errors
    ///
    /// The file with the name of the index is not a urlset or an index, or belongs to another set.
    fn refuse_index(&self) -> io::Result<()> {
        let index = self.names.index();
        self.refuse_named(&index)?;
        let path = self.path(&index);
        if matches!(Found::read(&path)?, Found::Other) {
            let why = "this file is neither a urlset nor an index, so it is not replaced; remove it, or give the set another name";
            return Err(refused(&path, why));
        }
        Ok(())
    }

    fn journal(&self) -> io::Result<Journal> {
        Journal::read(&self.folder, self.names.name())
    }

    /// Makes earlier renames durable before later ones.
    fn sync(&self) -> io::Result<()> {
        sync_folder(&self.folder)
    }
}

/// A set of names.
// A loop, because each `collect` and `extend` would add compiled code.
pub(super) fn set_of<'f>(files: impl Iterator<Item = &'f str>) -> HashSet<&'f str> {
    let mut set = HashSet::new();
    for file in files {
        set.insert(file);
    }
    set
}
