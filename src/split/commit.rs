use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use super::names::{Names, PartId};

/// One run in a directory: its temporary files, from their making to their publishing.
///
/// Dropped, it removes those that are left.
#[derive(Debug)]
pub(super) struct Run {
    folder: PathBuf,
    names: Names,
    /// Told by every temporary file's name.
    id: String,
}

impl Run {
    /// Sweeps what other runs left, and marks this as the one at work.
    pub(super) fn begin(folder: &Path, names: Names) -> io::Result<Self> {
        let run = Self {
            folder: folder.to_owned(),
            names,
            // A different number each time: `RandomState` is seeded by the system.
            id: format!("{:016x}", RandomState::new().build_hasher().finish()),
        };
        run.sweep(|id| id != run.id)?;
        run.create_unchecked(run.names.marker())?;
        Ok(run)
    }

    pub(super) const fn names(&self) -> &Names {
        &self.names
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Where a file is before it is published.
    pub(super) fn temporary(&self, file: &str) -> PathBuf {
        self.path(&Names::temporary(file, &self.id))
    }

    /// A file to be published later.
    pub(super) fn create(&self, file: &str) -> io::Result<File> {
        self.check()?;
        self.create_unchecked(file)
    }

    fn create_unchecked(&self, file: &str) -> io::Result<File> {
        let path = self.temporary(file);
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        created.map_err(at(&path))
    }

    /// Whoever begins after this run sweeps its marker.
    fn check(&self) -> io::Result<()> {
        let marker = self.temporary(self.names.marker());
        match fs::symlink_metadata(&marker) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = self.folder.display();
                let message = format!("{folder}: another run has begun in this directory");
                Err(io::Error::other(message))
            }
            Err(error) => Err(at(&marker)(error)),
        }
    }

    /// Makes the files of `parts` visible, then `first` as the index, then removes what neither is nor is `kept`.
    ///
    /// The order is the promise: a visible index names only files that are there, at every moment.
    /// Renaming replaces a file at once, so that a part which the old index names is the old one or the new one, whole.
    pub(super) fn publish(
        &self,
        parts: &[PartId],
        first: &str,
        kept: &HashSet<PartId>,
        before: Vec<PartId>,
    ) -> io::Result<()> {
        self.check()?;
        self.sweep(|id| id != self.id)?;
        for part in parts {
            let file = self.names.part(*part);
            self.rename(&file, &file)?;
        }
        self.sync()?;
        self.rename(first, &self.names.index())?;
        self.sync()?;
        let current: HashSet<PartId> = kept.iter().chain(parts).copied().collect();
        self.remove_stale(&current, before)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let to = self.path(to);
        fs::rename(self.temporary(from), &to).or_else(|error| {
            self.check()?;
            Err(at(&to)(error))
        })
    }

    /// Removes the parts that were named `before`, and those that unfinished runs left: these go on without a gap
    /// from number 1 or from the current ones, since the first is renamed first and the last removed first.
    /// A file whose number lies elsewhere is not of our making.
    fn remove_stale(&self, current: &HashSet<PartId>, before: Vec<PartId>) -> io::Result<()> {
        let mut present: Vec<PartId> = self
            .files()?
            .iter()
            .filter_map(|file| self.names.part_of(file))
            .collect();
        let numbers: HashSet<u32> = present.iter().map(|part| part.number).collect();
        let next = current
            .iter()
            .map(|part| part.number + 1)
            .max()
            .unwrap_or(1);
        let low = 1..first_missing(&numbers, 1);
        let high = next..first_missing(&numbers, next);
        let before: HashSet<PartId> = before.into_iter().collect();
        present.retain(|part| {
            let ours =
                low.contains(&part.number) || high.contains(&part.number) || before.contains(part);
            ours && !current.contains(part)
        });
        present.sort_unstable();
        for part in present.iter().rev() {
            self.check()?;
            remove(&self.path(&self.names.part(*part)))?;
        }
        remove(&self.temporary(self.names.marker()))?;
        self.sync()
    }

    /// Removes the temporary files of the runs that `which` picks.
    fn sweep(&self, which: impl Fn(&str) -> bool) -> io::Result<()> {
        for file in self.files()? {
            if self.names.run_of(&file).is_some_and(&which) {
                remove(&self.path(&file))?;
            }
        }
        Ok(())
    }

    /// The files of this set, visible ones and temporary ones.
    fn files(&self) -> io::Result<Vec<String>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let entry = entry.map_err(at(&self.folder))?;
            let name = entry.file_name();
            let Some(file) = name.to_str() else { continue };
            let ours = self.names.part_of(file).is_some() || self.names.run_of(file).is_some();
            if ours && !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                files.push(file.to_owned());
            }
        }
        Ok(files)
    }

    /// What was renamed before is renamed for good before anything that comes after.
    fn sync(&self) -> io::Result<()> {
        // Elsewhere a directory cannot be opened like a file.
        if cfg!(unix) {
            let folder = File::open(&self.folder).and_then(|folder| folder.sync_all());
            return folder.map_err(at(&self.folder));
        }
        Ok(())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // What cannot be removed now is swept by the next run.
        let _ = self.sweep(|id| id == self.id);
    }
}

fn first_missing(numbers: &HashSet<u32>, from: u32) -> u32 {
    (from..)
        .find(|number| !numbers.contains(number))
        .unwrap_or(from)
}

/// What is not there need not be removed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// Says which file it was.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
