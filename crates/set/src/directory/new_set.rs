//! [`NewSet`]: a set while it is written, before any part of it is visible.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use flate2::read::GzDecoder;
use quick_sitemap::{CompleteSet, Format, PartId, SitemapEntry, WriterBuilder};
use url::Url;

use super::file::{CompleteFile, PartFile};
use super::names::{Names, ending, invalid};
use super::published::{Published, PublishedPart};
use super::run::Run;
use crate::files::{at, remove};

/// The options for the files of a set. The methods of [`Directory`](crate::Directory) with the same names document them.
#[derive(Debug, Clone)]
pub(super) struct FileOptions {
    pub(super) gzip: bool,
    pub(super) fingerprint: bool,
    pub(super) grace: Duration,
}

/// Number of parts that are synced at the same time. Syncing takes a time per file, whatever its size.
const SYNCING: usize = 16;

/// A set while it is written, before any part of it is visible.
#[derive(Debug)]
pub(super) struct NewSet {
    /// The parts that are complete, with their URLs, in the order in which they were closed.
    complete: Vec<(Url, CompleteFile)>,
    run: Run,
    options: FileOptions,
    is_text: bool,
    /// The settings of the index.
    index: WriterBuilder,
    /// The names of the parts of the groups so far. The empty group is the set itself.
    groups: BTreeMap<String, Names>,
}

impl NewSet {
    pub(super) fn new(run: Run, options: FileOptions, is_text: bool, index: WriterBuilder) -> Self {
        Self {
            complete: Vec::new(),
            groups: BTreeMap::from([(String::new(), run.names().clone())]),
            run,
            options,
            is_text,
            index,
        }
    }

    /// The path of the index, or of the single urlset that replaces it.
    pub(super) fn index_path(&self) -> PathBuf {
        self.run.path(&self.run.names().index())
    }

    pub(super) fn open(&mut self, id: PartId<'_>) -> io::Result<PartFile> {
        let name = self.part_name(id, None)?;
        let options = &self.options;
        if !options.fingerprint {
            self.run.refuse_taken(&name)?;
        }
        self.run.create(&name, options.fingerprint, options.gzip)
    }

    /// Closes a part, whose final name is known then, and begins to sync it. Returns its URL.
    pub(super) fn close(&mut self, id: PartId<'_>, file: PartFile) -> io::Result<Url> {
        let file = file.complete(|digest| {
            let digest = digest.filter(|_| self.options.fingerprint);
            let fingerprint = digest.and_then(|digest| digest.first_chunk().copied());
            let name = self.part_name(id, fingerprint.map(u128::from_be_bytes))?;
            if fingerprint.is_some() {
                self.run.refuse_taken(&name)?;
            }
            let visible = self.run.path(&name);
            Ok((name, visible))
        })?;
        let url = self.run.names().url(&file.name);
        self.complete.push((url.clone(), file));
        if let Some((_, earlier)) = self.complete.iter_mut().nth_back(SYNCING) {
            earlier.synced()?;
        }
        Ok(url)
    }

    /// Keeps the parts of a group. Returns the lines of the index that list them, each with the number of entries.
    pub(super) fn keep(&mut self, group: &str) -> io::Result<Vec<(SitemapEntry, u64)>> {
        let names = self.names_of(group)?.clone();
        let mut lines = Vec::new();
        for (line, part) in self.run.kept(&names)? {
            lines.push((line.clone(), part.entries));
            self.complete.push((line.loc, part));
        }
        Ok(lines)
    }

    fn part_name(&mut self, id: PartId<'_>, fingerprint: Option<u128>) -> io::Result<String> {
        let ending = ending(self.is_text, self.options.gzip);
        let names = self.names_of(id.group)?;
        Ok(names.part((id.number, fingerprint), ending))
    }

    /// The names of the parts of a group.
    fn names_of(&mut self, group: &str) -> io::Result<&Names> {
        let own = self.run.names();
        if group == own.name() {
            return Err(invalid(format!(
                "group `{group}`: this is the name of the set itself"
            )));
        }
        Ok(match self.groups.entry(group.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(own.of_group(group)?),
        })
    }

    pub(super) fn finish(&mut self, set: &CompleteSet<'_>) -> io::Result<Published> {
        for (_, part) in &mut self.complete {
            part.synced()?;
        }
        let mut complete: HashMap<Url, CompleteFile> = self.complete.drain(..).collect();
        let mut parts = Vec::new();
        for (part, entries) in set.parts.iter().zip(set.part_entries) {
            if let Some(mut file) = complete.remove(&part.loc) {
                file.entries = *entries;
                parts.push(file);
            }
        }
        let index = if set.is_single {
            self.single(parts.pop())?
        } else {
            let mut writer = self.index.index(self.index_file()?);
            for part in set.parts {
                writer.write(part)?;
            }
            self.ready_index(writer.finish()?)?
        };
        let grace = self.options.fingerprint.then_some(self.options.grace);
        let removed = self.run.publish(&parts, &index, &self.groups, grace)?;
        let names = self.run.names();
        let parts = parts.iter().map(|part| PublishedPart {
            loc: names.url(&part.name),
            path: self.run.path(&part.name),
            changed: part.is_changed(),
            is_kept: part.is_kept(),
        });
        Ok(Published {
            index: names.url(&names.index()),
            path: self.index_path(),
            is_index_changed: index.is_changed(),
            format: if set.is_single {
                Format::Urlset
            } else {
                Format::Index
            },
            parts: parts.collect(),
            removed: removed.iter().map(|file| self.run.path(file)).collect(),
        })
    }

    /// Creates the file that will have the name of the index.
    fn index_file(&self) -> io::Result<PartFile> {
        self.run.create(&self.run.names().index(), false, false)
    }

    /// Completes the file that will have the name of the index.
    fn ready_index(&self, file: PartFile) -> io::Result<CompleteFile> {
        let mut file = file.complete(|_| Ok((self.run.names().index(), self.index_path())))?;
        file.synced()?;
        Ok(file)
    }

    /// Gives the only part, if there is one, the name of the index.
    fn single(&self, part: Option<CompleteFile>) -> io::Result<CompleteFile> {
        let Some(part) = part else {
            return self.ready_index(self.index.urlset(self.index_file()?).finish()?);
        };
        let name = self.run.names().index();
        if let Some(index) = part.renamed(name, &self.index_path()) {
            return Ok(index);
        }
        // A part that equals the visible file was not kept.
        let hidden = part.hidden();
        let path = hidden.map_or_else(|| self.run.path(&part.name), ToOwned::to_owned);
        let mut input = File::open(&path).map_err(at(&path))?;
        let mut file = self.index_file()?;
        if self.options.gzip {
            io::copy(&mut GzDecoder::new(input), &mut file)
        } else {
            io::copy(&mut input, &mut file)
        }
        .map_err(at(&path))?;
        let index = self.ready_index(file)?;
        if hidden.is_some() {
            remove(&path)?;
        }
        Ok(index)
    }
}
