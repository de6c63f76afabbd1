//! One run: the files that it finds in the directory, and the order in which its own files become visible.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_sitemap::SitemapEntry;
use url::Url;

use super::file::{CompleteFile, PartFile};
use super::found::Found;
use super::fs::{create_folder, kind_of, refuse_non_folder, refuse_unless};
use super::hidden::Hidden;
use super::journal::{Journal, Note, is_over, now};
use super::kept::read_whole;
use super::names::{Names, file_name, hidden, parse};
use super::neighbours::Neighbours;
use super::switch::switch;
use crate::files::{at, failure, followed, refused, remove, sync_folder};

/// One run in a directory, from taking the lock to publishing.
#[derive(Debug)]
pub(super) struct Run {
    folder: PathBuf,
    names: Names,
    neighbours: Neighbours,
    /// The parts that the index or the journal of this set lists.
    own: HashSet<String>,
    /// The set has been written before, so the index is its own.
    is_known: bool,
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
        // A link that is switched during the run must not divide the set between two directories.
        let folder = &*followed(folder);
        refuse_unless(&folder.join(names.index()), FileType::is_file)?;
        Hidden::refuse_obstacles(folder, &names)?;
        let is_known = folder.join(hidden(names.name())).is_dir();
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
            neighbours: Neighbours::default(),
            own: HashSet::new(),
            is_known,
            hidden,
        };
        run.look_around(&BTreeMap::new())?;
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
        if matches!(Found::read(&path)?, Found::Index { .. }) {
            return Err(refused(&path, "this file is the index of another set"));
        }
        Ok(())
    }

    fn refuse_named(&self, file: &str) -> io::Result<()> {
        let path = self.path(file);
        refuse_unless(&path, FileType::is_file)?;
        if let Some(other) = self.neighbours.listed.get(file) {
            let why = format!("this file belongs to another set, whose index {other} lists it");
            return Err(refused(&path, &why));
        }
        // The digest in a name shows that it is the name of this content.
        let is_own = self.own.contains(file)
            || parse(file).is_some_and(|(_, (_, fingerprint))| fingerprint.is_some())
            || self.is_known && file == self.names.index();
        if let Some(other) = self.neighbours.unread.as_ref().filter(|_| !is_own) {
            let why = format!(
                "this file may belong to another set, because {other} cannot be read to its end; repair or remove {other}"
            );
            return Err(refused(&path, &why));
        }
        Ok(())
    }

    /// The parts of a group that the visible index lists, with the lines of the index. `names` are those of the group.
    ///
    /// # Errors
    ///
    /// There is no such part, or one that cannot be kept: it is missing, damaged or in another directory.
    pub(super) fn kept(&self, names: &Names) -> io::Result<Vec<(SitemapEntry, CompleteFile)>> {
        let journal = self.journal()?;
        let index = self.path(&self.names.index());
        let mut lines = Vec::new();
        read_whole(&index, |entry| lines.extend(entry.into_sitemap()))?;
        lines.retain(|line| names.number_of(&file_name(line.loc.as_str())).is_some());
        if lines.is_empty() {
            let why = format!("it lists no part of the group `{}`", names.name());
            return Err(failure(io::ErrorKind::NotFound, &index, &why));
        }
        let mut kept = Vec::new();
        for line in lines {
            let file = names.file_at(&line.loc).ok_or_else(|| {
                let why = format!("{} is not in the directory of the set", line.loc);
                failure(io::ErrorKind::InvalidData, &index, &why)
            })?;
            self.refuse_named(file)?;
            let path = self.path(file);
            let size = fs::metadata(&path).map_err(at(&path))?.len();
            let known = journal.0.get(file).and_then(|note| note.content);
            let entries = match known {
                Some((entries, bytes)) if bytes == size => entries,
                _ => read_whole(&path, drop)?,
            };
            let part = CompleteFile::kept(file.to_owned(), entries);
            kept.push((line, part));
        }
        Ok(kept)
    }

    /// Creates the hidden file `name`, with the owner and the permissions of the visible file of that name, if there is one,
    /// or of the index. With `fingerprint`, its final name depends on its content. In a dry run, there is no file.
    pub(super) fn create(&self, name: &str, fingerprint: bool, gzip: bool) -> io::Result<PartFile> {
        let Some(hidden) = &self.hidden else {
            return Ok(PartFile::new(None, fingerprint, gzip));
        };
        let (index, visible) = (self.path(&self.names.index()), self.path(name));
        let mut models = vec![&*visible, &*index];
        models.retain(|model| !fingerprint || *model != visible);
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
        let (before, mut listed) = self.look_around(groups)?;
        for part in parts {
            self.refuse_named(&part.name)?;
            let path = self.path(&part.name);
            let why = "this file was removed during the run";
            if !part.is_changed() && kind_of(&path)?.is_none() {
                return Err(failure(io::ErrorKind::NotFound, &path, why));
            }
        }
        self.refuse_index()?;
        let current: HashSet<&str> = parts.iter().map(|part| &*part.name).collect();
        let is_part = |file: &str| groups.values().any(|names| names.number_of(file).is_some());
        listed.retain(|file| is_part(file) || before.0.contains_key(file));

        // From here on, a killed run can leave parts that the index does not list. The next run finds them in the journal.
        let mut journal = before.clone();
        for file in &listed {
            journal.0.entry(file.clone()).or_default();
        }
        for part in parts {
            let note = journal.0.entry(part.name.clone()).or_default();
            // The index can list a part again that was out of use. Its grace period restarts when the index no longer lists it.
            note.since = None;
            note.content = note.content.filter(|_| !part.is_changed());
        }
        let has_contents = before.0.values().any(|note| note.content.is_some());
        let stays = |file: &str| current.contains(file) || file == index.name;
        let only_adds = listed.iter().all(|file| stays(file));
        let listed: HashSet<&str> = listed.iter().map(String::as_str).collect();
        let is_same = only_adds && current.iter().all(|file| listed.contains(file));
        if let Some(hidden) = &self.hidden
            && (!is_same || has_contents)
            && journal != before
        {
            hidden.replace_journal(&journal)?;
        }
        self.switch(parts, index, &listed, only_adds && !is_same)?;
        let cleared = self.clear(journal, self.contents(parts), stays, grace);
        cleared.map_err(|error| {
            let message = format!("the new set is published, but clearing up failed: {error}");
            io::Error::new(error.kind(), message)
        })
    }

    /// What the journal notes of the parts of a set with groups. The names of a set without groups show that its parts belong
    /// to it, and nothing is noted.
    fn contents(&self, parts: &[CompleteFile]) -> Journal {
        let is_of_group = |part: &CompleteFile| self.names.number_of(&part.name).is_none();
        let has_groups = parts.iter().any(is_of_group);
        let noted = parts.iter().filter(|_| has_groups);
        let noted = noted.map(|part| {
            let file = fs::metadata(self.path(&part.name)).ok();
            let content = file.map(|file| (part.entries, file.len()));
            let since = None;
            (part.name.clone(), Note { since, content })
        });
        Journal(noted.collect())
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
        match &self.hidden {
            Some(hidden) => switch(&self.folder, hidden, &steps),
            None => Ok(()),
        }
    }

    /// Removes the files that the journal lists and the new set does not contain, if their grace period is over, and writes
    /// a journal of the rest. `before` are the files that it lists.
    fn clear(
        &self,
        before: Journal,
        mut journal: Journal,
        stays: impl Fn(&str) -> bool,
        grace: Option<Duration>,
    ) -> io::Result<Vec<String>> {
        let now = now();
        let mut stale = Vec::new();
        // Whose a file is can be said only if every other index has been read.
        let can_remove = self.neighbours.unread.is_none();
        for (file, Note { since, .. }) in before.0 {
            if stays(&file) {
                continue;
            }
            let is_over =
                grace.is_none_or(|grace| since.is_some_and(|since| is_over(since, now, grace)));
            if is_over && can_remove {
                if self.can_be_removed(&file)? {
                    stale.push(file);
                }
            } else if kind_of(&self.path(&file))?.is_some() {
                let since = Some(since.unwrap_or(now));
                let content = None;
                journal.0.insert(file, Note { since, content });
            }
        }
        // The last part goes first.
        stale.sort_by_cached_key(|file| Reverse(self.names.number_of(file)));
        let Some(hidden) = &self.hidden else {
            return Ok(stale);
        };
        for file in &stale {
            remove(&self.path(file))?;
        }
        if journal != self.journal()? {
            // The removals must be on the disk before the journal no longer lists the files.
            sync_folder(&self.folder)?;
            hidden.replace_journal(&journal)?;
        }
        Ok(stale)
    }

    /// Returns `true` for a file, unless it has become another kind of file. The name of a group's part does not show that it
    /// belongs to this set, and the journal can be that of another folder, so it must be a sitemap.
    fn can_be_removed(&self, file: &str) -> io::Result<bool> {
        let path = self.path(file);
        let is_file = kind_of(&path)?.is_some_and(|kind| kind.is_file());
        let is_free = !self.neighbours.listed.contains_key(file);
        let is_ours = match Found::read(&path)? {
            Found::Index { .. } => false,
            Found::Urlset | Found::Text => true,
            _ => self.names.number_of(file).is_some(),
        };
        Ok(is_file && is_free && is_ours)
    }

    /// Finds the files of other sets in the directory. Returns the files of this set: its journal, and the files that the
    /// visible index lists. An index that is cut counts as listing the numbered parts of this set and of `groups`.
    fn look_around(
        &mut self,
        groups: &BTreeMap<String, Names>,
    ) -> io::Result<(Journal, Vec<String>)> {
        let journal = self.journal()?;
        let (locs, is_whole) = Found::read(&self.path(&self.names.index()))?.locs();
        let mut listed = Vec::new();
        for loc in locs.iter().filter_map(|loc| Url::parse(loc).ok()) {
            listed.extend(self.names.file_at(&loc).map(ToOwned::to_owned));
        }
        if !is_whole {
            for names in groups.values().chain([&self.names]) {
                listed.extend(names.series(&self.folder)?);
            }
        }
        let mut own: HashSet<String> = listed.iter().chain(journal.0.keys()).cloned().collect();
        own.remove(&self.names.index());
        let is_own_index = |file: &str| {
            let is_part = self.names.number_of(file).is_some() && own.contains(file);
            is_part || file == self.names.index()
        };
        // Servers that send compressed files need a twin next to each file. The twin of the index lists the parts of
        // this set and is not the index of another set; but if it lists the index itself, it is.
        let twin = format!("{}.gz", self.names.index());
        let is_own = |file: &str, index: &str| index == twin && own.contains(file);
        self.neighbours = Neighbours::read(&self.folder, is_own_index, is_own)?;
        self.own = own;
        Ok((journal, listed))
    }

    /// # Errors
    ///
    /// The file with the name of the index is not a urlset or an index, or belongs to another set.
    fn refuse_index(&self) -> io::Result<()> {
        let index = self.names.index();
        self.refuse_named(&index)?;
        let path = self.path(&index);
        if matches!(Found::read(&path)?, Found::Other | Found::Text | Found::Cut) {
            let why = "this file is neither a urlset nor an index, so it is not replaced; remove it, or give the set another name";
            return Err(refused(&path, why));
        }
        Ok(())
    }

    fn journal(&self) -> io::Result<Journal> {
        Journal::read(&self.folder, self.names.name())
    }
}
