//! One run: the files that it finds in the directory, and the order in which its own files become visible.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fs::{is_same, kind_of};
use super::hidden::Hidden;
use super::journal::{Journal, is_over, now};
use super::names::{Names, file_name};
use super::neighbours::Neighbours;
use super::set::{is_index, listed_by};
use super::takeover::take_over;
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
pub(super) struct Ready {
    /// Its final name.
    pub(super) file: String,
    /// The file that will be renamed, or `None` if the visible file of that name has the same bytes, and stays.
    pub(super) temporary: Option<PathBuf>,
}

/// The files of a set before a run publishes anything.
struct Visible {
    journal: Journal,
    /// The index under its other name; see [`Run::former_index`].
    former: Option<String>,
    /// The files that these indexes list.
    named: Vec<String>,
}

/// The files that a run makes visible.
#[derive(Debug)]
pub(super) struct SetPublication {
    /// In the order of the index.
    pub(super) parts: Vec<Ready>,
    pub(super) index: Ready,
    /// The parts of an earlier run that stay.
    pub(super) kept: Vec<String>,
    /// The names of the parts of groups.
    pub(super) groups: Vec<Names>,
    /// How long a part stays after the index no longer lists it, for clients that have read the old index. `None`: it is
    /// removed at once.
    pub(super) grace: Option<Duration>,
}

impl Run {
    /// Takes the lock, and removes unfinished files of runs that were killed.
    pub(super) fn begin(folder: &Path, names: Names, is_locked: bool) -> io::Result<Self> {
        refuse_obstacle(&folder.join(names.index()))?;
        let hidden = Hidden::open(folder, &names, is_locked)?;
        take_over(folder, &names, &hidden)?;
        let mut run = Self {
            folder: folder.to_owned(),
            names,
            neighbours: Neighbours::default(),
            hidden,
        };
        // A run that was killed, or whose sync failed, can have renamed files without syncing the directory.
        run.sync()?;
        let visible = run.look_around()?;
        run.refuse_index(&visible)?;
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
        let [index, other] = [self.names.index(), self.names.other_index()];
        let models = [replaced.unwrap_or(&index), &index, &other].map(|file| self.path(file));
        self.hidden
            .create(temporary, &[&models[0], &models[1], &models[2]])
    }

    /// The plan for a file that will be named `file`, which another thread can complete.
    pub(super) fn completion(&self, file: String, temporary: &str) -> Completion {
        Completion {
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
            mut index,
            kept,
            groups,
            grace,
        } = publication;
        let visible = self.look_around()?;
        for part in &parts {
            self.refuse_named(&part.file)?;
        }
        self.refuse_index(&visible)?;
        let Visible {
            journal: before,
            former,
            mut named,
        } = visible;
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
        let gzipped = self.names.gzips_index().then_some(&index.file);
        let files = named.iter().chain(&former).chain(gzipped);
        journal.add_all(files.map(String::as_str));
        // The index may list a part again that was out of use. Its grace period starts again when it is removed from the
        // index.
        journal.use_again(&current);
        // If the index has the other name so far, the new one is in force as soon as its file appears.
        let was_gzipped = gzips_index(&self.folder, &self.names, &before);
        let renamed_from = former
            .as_ref()
            .filter(|_| was_gzipped != self.names.gzips_index());
        if let Some(former) = renamed_from {
            self.vacate(&mut index)?;
            journal.insert(former.clone(), None);
            journal.insert(self.names.index_if(true), None);
        }
        let stays =
            |file: &str| current.contains(file) || kept.contains(file) || file == index.file;
        let is_same = former.is_none()
            && named.iter().all(|file| stays(file))
            && current.iter().all(|file| listed.contains(file));
        let mut announced = journal.clone();
        if let Some(former) = renamed_from.filter(|_| was_gzipped) {
            // A time here only tells `gzips_index` that the gzipped index is not in force once the new one is there. The
            // time of grace is counted from the time that `clear` records.
            announced.insert(former.clone(), Some(now()));
        }
        if !is_same && announced != before {
            self.hidden.replace_journal(&announced)?;
        }
        let adds = named.iter().all(|file| stays(file)) && !is_same;
        self.switch(&parts, &index, &listed, adds)?;
        self.clear(journal, &index.file, stays, former.as_deref(), grace)
    }

    /// Removes any file that has the new index's name while the index in force has the other one: it is a former index, or
    /// somebody's twin. From then on a file of that name exists if, and only if, the set has been switched
    /// ([`gzips_index`]).
    fn vacate(&self, index: &mut Ready) -> io::Result<()> {
        let path = self.path(&index.file);
        if kind_of(&path)?.is_none() {
            return Ok(());
        }
        if index.temporary.is_some() {
            remove(&path)?;
        } else {
            // It has the same bytes, and comes back.
            let temporary = self.hidden.new_file(&index.file);
            rename(&path, &temporary)?;
            index.temporary = Some(temporary);
        }
        self.sync()
    }

    /// Renames the parts, from the last to the first, then the index.
    fn switch(
        &self,
        parts: &[Ready],
        index: &Ready,
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
        parts: &[Ready],
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

    fn rename(&self, file: &Ready) -> io::Result<bool> {
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
        index: &str,
        stays: impl Fn(&str) -> bool,
        former: Option<&str>,
        grace: Option<Duration>,
    ) -> io::Result<()> {
        let now = now();
        let mut stale = Vec::new();
        for (file, since) in journal.take() {
            if stays(&file) {
                // The names of a group's part and of a gzipped index do not show that they belong to this set, so they
                // stay in the journal.
                let is_known = self.names.part_of(&file).is_some()
                    || (file == index && !self.names.gzips_index());
                if !is_known {
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
        // The former index goes before the parts that it lists, and the last part first.
        let is_former = |file: &str| former == Some(file);
        stale.sort_by_cached_key(|file| match self.names.part_of(file) {
            _ if is_former(file) => 0,
            Some(part) => u64::MAX - u64::from(part.number) - 1,
            None => u64::MAX,
        });
        for file in stale {
            self.remove_stale(&file, is_former(&file))?;
            self.sync_if(is_former(&file))?;
        }
        if journal != self.journal()? {
            // The removals must be on the disk before the journal no longer lists the files.
            self.sync()?;
            self.hidden.replace_journal(&journal)?;
        }
        Ok(())
    }

    /// Removes a part or the former index, unless it has become another kind of file.
    fn remove_stale(&self, file: &str, is_former_index: bool) -> io::Result<()> {
        let path = self.path(file);
        let is_file = kind_of(&path)?.is_some_and(|kind| kind.is_file());
        let is_free = self.neighbours.index_of(file).is_none();
        if is_file && is_free && (is_former_index || !is_index(&path)?) {
            remove(&path)?;
        }
        Ok(())
    }

    /// Finds the files of this set and of other sets in the directory.
    fn look_around(&mut self) -> io::Result<Visible> {
        let journal = self.journal()?;
        let former = self.former_index(&journal)?;
        let named = self.named_by_index(former.as_deref())?;
        let mut own = set_of(named.iter().map(String::as_str).chain(journal.files()));
        own.remove(&*self.names.index());
        let is_own_index = |file: &str| {
            let is_part = self.names.part_of(file).is_some() && own.contains(file);
            is_part || file == self.names.index() || former.as_deref() == Some(file)
        };
        // Servers that send compressed files want a twin beside each file. The twin of the index lists this set's parts
        // and is no other set's index; but if it lists the index itself, it is.
        let twin = self.names.other_index();
        let is_own = |file: &str, index: &str| index == twin && own.contains(file);
        self.neighbours = Neighbours::read(&self.folder, is_own_index, is_own)?;
        Ok(Visible {
            journal,
            former,
            named,
        })
    }

    /// # Errors
    ///
    /// The index, or the former one, does not belong to this set.
    fn refuse_index(&self, visible: &Visible) -> io::Result<()> {
        self.refuse_named(&self.names.index())?;
        visible
            .former
            .as_deref()
            .map_or(Ok(()), |former| self.refuse_named(former))
    }

    /// The file with the index's other name, if an earlier run with other settings wrote it as the index: gzipped if this
    /// run's is not, not gzipped if this run's is.
    ///
    /// A gzipped one may be anyone's twin of the index: it is this set's if the journal says so. One that is not gzipped
    /// is this set's by its name, unless it lists a file called like the gzipped index as one of its parts, at whatever URL.
    fn former_index(&self, journal: &Journal) -> io::Result<Option<String>> {
        let file = self.names.other_index();
        let path = self.path(&file);
        if !kind_of(&path)?.is_some_and(|kind| kind.is_file()) {
            return Ok(None);
        }
        let is_own = match self.names.gzips_index() {
            true => {
                let index = self.names.index();
                let listed = listed_by(&path)?.unwrap_or_default();
                !listed.iter().any(|loc| file_name(loc) == Some(&index))
            }
            false => journal.contains(&file),
        };
        Ok(is_own.then_some(file))
    }

    /// The files in the directory that the visible index and the former one list.
    fn named_by_index(&self, former: Option<&str>) -> io::Result<Vec<String>> {
        let mut named = Vec::new();
        for index in [Some(&*self.names.index()), former].into_iter().flatten() {
            let listed = listed_by(&self.path(index))?.unwrap_or_default();
            let files = listed.iter().filter_map(|loc| self.names.file_at(loc));
            named.extend(files.map(ToOwned::to_owned));
        }
        Ok(named)
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
// A loop, because every `collect` and `extend` compiles code of its own.
pub(super) fn set_of<'f>(files: impl Iterator<Item = &'f str>) -> HashSet<&'f str> {
    let mut set = HashSet::new();
    for file in files {
        set.insert(file);
    }
    set
}

/// The work that makes a file [ready](Ready) after it has been written.
#[derive(Debug)]
pub(super) struct Completion {
    file: String,
    temporary: PathBuf,
    path: PathBuf,
}

impl Completion {
    /// Keeps the visible file if it has the same content. Otherwise syncs the new file.
    pub(super) fn complete(self, mut file: File) -> io::Result<Ready> {
        if is_same(&mut file, &self.path).unwrap_or(false) {
            drop(file);
            remove(&self.temporary)?;
            return Ok(Ready {
                file: self.file,
                temporary: None,
            });
        }
        file.sync_all().map_err(at(&self.temporary))?;
        Ok(Ready {
            file: self.file,
            temporary: Some(self.temporary),
        })
    }
}

/// Returns whether the index of a set is the gzipped file. If there are both files, one can be a copy that somebody made,
/// or the former index. The gzipped one is the index if the journal lists it without a time.
pub(super) fn gzips_index(folder: &Path, names: &Names, journal: &Journal) -> bool {
    let (plain, gzipped) = (names.index_if(false), names.index_if(true));
    let is_listed = || journal.since(&gzipped) == Some(None);
    folder.join(&gzipped).is_file() && (!folder.join(plain).is_file() || is_listed())
}
