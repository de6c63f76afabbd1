//! [`NewSet`]: a set while it is written, before any part of it is visible.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use flate2::read::GzDecoder;
use quick_sitemap::{CompleteSet, Format, PartId, WriterBuilder};
use url::Url;

use super::file::{CompleteFile, PartFile};
use super::names::{Names, PartName};
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

/// Number of parts that are synced at the same time: a disk takes most of its time for each of them, not for their bytes.
const SYNCING: usize = 16;

/// A set while it is written, before any part of it is visible.
#[derive(Debug)]
pub(super) struct NewSet {
    /// The parts that are complete, in the order in which they were closed.
    complete: Vec<(Place, CompleteFile)>,
    run: Run,
    options: FileOptions,
    is_text: bool,
    /// The settings of the index.
    index: WriterBuilder,
    /// The names of the set itself, and those of its groups in the order in which they were begun.
    groups: Vec<Names>,
}

/// The place of a part in the index: that of its group, and its number.
type Place = (usize, usize);

impl NewSet {
    pub(super) fn new(run: Run, options: FileOptions, is_text: bool, index: WriterBuilder) -> Self {
        Self {
            complete: Vec::new(),
            groups: vec![run.names().clone()],
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
        let (place, part) = self.part(id)?;
        let name = self.part_name(place, part);
        if !self.options.fingerprint {
            self.run.refuse_taken(&name)?;
        }
        self.run
            .create(&name, self.options.fingerprint, self.options.gzip)
    }

    /// Closes a part, whose final name is known then, and begins to sync it. Returns its URL.
    pub(super) fn close(&mut self, id: PartId<'_>, file: PartFile) -> io::Result<Url> {
        let (place, part) = self.part(id)?;
        let file = file.complete(|digest| {
            let digest = digest.filter(|_| self.options.fingerprint);
            let fingerprint = digest.and_then(|digest| digest.first_chunk().copied());
            let fingerprint = fingerprint.map(u128::from_be_bytes);
            let name = self.part_name(
                place,
                PartName {
                    fingerprint,
                    ..part
                },
            );
            if fingerprint.is_some() {
                self.run.refuse_taken(&name)?;
            }
            let visible = self.run.path(&name);
            Ok((name, visible))
        })?;
        let url = self.run.names().url(&file.name);
        self.complete.push((place, file));
        if let Some((_, earlier)) = self.complete.iter_mut().nth_back(SYNCING) {
            earlier.synced()?;
        }
        Ok(url)
    }

    /// The place of a part, and its name without a fingerprint.
    fn part(&mut self, id: PartId<'_>) -> io::Result<(Place, PartName)> {
        let group = self.group(id.group)?;
        let part = PartName {
            number: id.number,
            fingerprint: None,
            text: self.is_text,
            gzip: self.options.gzip,
        };
        Ok(((group, id.number), part))
    }

    fn part_name(&self, (group, _): Place, part: PartName) -> String {
        self.groups
            .get(group)
            .unwrap_or(self.run.names())
            .part(part)
    }

    /// The place of a group.
    fn group(&mut self, group: &str) -> io::Result<usize> {
        if group.is_empty() {
            return Ok(0);
        }
        match self.groups.iter().position(|names| names.name() == group) {
            Some(0) => {
                let message = format!("group `{group}`: this is the name of the set itself");
                Err(io::Error::new(io::ErrorKind::InvalidInput, message))
            }
            Some(at) => Ok(at),
            None => {
                self.groups.push(self.run.names().of_group(group)?);
                Ok(self.groups.len() - 1)
            }
        }
    }

    pub(super) fn finish(&mut self, set: &CompleteSet<'_>) -> io::Result<Published> {
        let mut complete = std::mem::take(&mut self.complete);
        for (_, part) in &mut complete {
            part.synced()?;
        }
        complete.sort_by_key(|(place, _)| *place);
        let mut complete: Vec<CompleteFile> = complete.into_iter().map(|(_, part)| part).collect();
        let index = if set.is_single {
            self.single(complete.pop())?
        } else {
            let mut writer = self.index.index(self.index_file()?);
            for part in set.parts {
                writer.write(part)?;
            }
            self.ready_index(writer.finish()?)?
        };
        let grace = self.options.fingerprint.then_some(self.options.grace);
        let removed = self.run.publish(&complete, &index, &self.groups, grace)?;
        let names = self.run.names();
        // The parts of the index are in the order of the places.
        let parts = complete.iter().map(|part| PublishedPart {
            loc: names.url(&part.name),
            path: self.run.path(&part.name),
            changed: part.is_changed(),
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

    /// Makes the only part, if there is one, the file with the name of the index.
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
