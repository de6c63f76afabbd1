//! A set while it is written, before any part of it is visible, and the description of a set that was published.
//!
//! A [`Run`] is one attempt to write a set, from taking the lock to publishing. The [`NewSet`] contains the parts that the
//! run has written so far. Each part becomes a [`CompleteFile`] when its bytes are on the disk. A [`SetPublication`] is the
//! list of complete files that the run makes visible at the end.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use flate2::read::GzDecoder;
use url::Url;

use super::commit::{CompleteFile, Run, SetPublication, set_of};
use super::earlier::{Earlier, damaged};
use super::file::PartFile;
use super::names::{HIGHEST, Names, PartId};
use super::pool::{Pending, Pool};
use super::set::Set;
use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::format::Format;
use crate::writer::{WriterBuilder, at, refuse_obstacle, remove};

/// A set of sitemaps that a [`Directory`](crate::Directory) has published. Returned by
/// [`SplitWriter::publish`](crate::SplitWriter::publish).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The URL of the index (or of the urlset that replaces it), for search engines and robots.txt.
    pub index: Url,
    /// The path of that file.
    pub path: PathBuf,
    /// `true` if the content of that file has changed.
    pub changed: bool,
    /// [`Format::Index`], or [`Format::Urlset`] if the set is a single urlset
    /// ([`single`](crate::SplitWriter::single)), which has no parts.
    pub format: Format,
    /// The parts, in the order of the index.
    pub parts: Vec<PublishedPart>,
}

/// One part of a [`Published`] set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedPart {
    /// The URL of the part.
    pub loc: Url,
    /// The path of the file, or `None` for a part of an earlier run that stays.
    pub path: Option<PathBuf>,
    /// `true` if the file is new or its content has changed.
    pub changed: bool,
}

/// The options for the files of a set. The methods of [`Directory`](crate::Directory) with the same names document them.
#[derive(Debug, Clone)]
pub(super) struct FileOptions {
    pub(super) gzip: bool,
    pub(super) level: u32,
    pub(super) fingerprint: bool,
    pub(super) grace: Duration,
    pub(super) threads: usize,
}

/// A set while it is written, before any part of it is visible.
#[derive(Debug)]
pub(super) struct NewSet {
    // Dropped first: threads can still write files whose names another run may use when this one has released its lock.
    threads: Option<Threads>,
    run: Run,
    options: FileOptions,
    is_text: bool,
    /// The settings of the index.
    index: WriterBuilder,
    base: Url,
    /// The parts of the earlier run that stay, and the names of those that may be files of this set.
    stay: usize,
    kept: Vec<String>,
    /// The difference between the number in the name of a file and the number of its part.
    shift: u32,
    groups: HashMap<String, GroupParts>,
    /// The parts that are complete, in the order of the index, and those that a thread is completing.
    complete: Vec<(PartPlace, CompleteFile)>,
    completing: VecDeque<(PartPlace, Pending<io::Result<CompleteFile>>)>,
}

/// The place of a part in the index: the number of its group, in the order in which groups were begun (0 for no group),
/// and its own number.
type PartPlace = (usize, usize);

#[derive(Debug)]
struct GroupParts {
    place: usize,
    names: Names,
    shift: u32,
}

#[derive(Debug)]
struct Threads {
    compressing: Option<Arc<Pool>>,
    /// A thread that waits for the disk.
    completing: Pool,
}

/// Maximum number of parts that wait for the disk at a time. Each is an open file.
const COMPLETING: usize = 16;

/// The names of a part: while it is written, and its final name if that does not depend on the content.
struct PartNames {
    place: PartPlace,
    id: PartId,
    temporary: String,
}

impl NewSet {
    pub(super) fn new(
        run: Run,
        options: FileOptions,
        is_text: bool,
        index: WriterBuilder,
        base: &Url,
    ) -> io::Result<Self> {
        let threads = if options.threads > 1 {
            Some(Threads {
                compressing: if options.gzip {
                    Some(Arc::new(Pool::new(options.threads)?))
                } else {
                    None
                },
                completing: Pool::new(1)?,
            })
        } else {
            None
        };
        Ok(Self {
            run,
            options,
            is_text,
            index,
            base: base.clone(),
            stay: 0,
            kept: Vec::new(),
            shift: 0,
            groups: HashMap::new(),
            threads,
            complete: Vec::new(),
            completing: VecDeque::new(),
        })
    }

    /// The path of the index, or of the single urlset that replaces it.
    pub(super) fn index_path(&self) -> PathBuf {
        self.run.path(&self.run.names().index())
    }

    pub(super) const fn keeps_parts(&self) -> bool {
        self.stay > 0
    }

    /// The existing set as its index lists it.
    pub(super) fn carry_on(&mut self) -> Result<Earlier> {
        let names = self.run.names().clone();
        let mut parts = match Set::read(&self.index_path())? {
            Set::Index(parts, stylesheet) => {
                self.index.stylesheet_or(stylesheet.as_deref());
                parts
            }
            Set::Single if self.is_text => {
                return Err(damaged("text parts cannot contain all values of a urlset").into());
            }
            Set::Single => {
                return Ok(Earlier {
                    parts: Vec::new(),
                    last: Some(self.input(&names.index())?),
                    single: true,
                });
            }
        };
        let last = parts.last().and_then(|last| names.part_at(&last.loc));
        let last = last.filter(|last| last.text == self.is_text);
        let mut earlier = Earlier::default();
        if let Some(last) = last {
            parts.pop();
            earlier.last = Some(self.input(&names.part(last))?);
        }
        // No new part may have the name of a part that stays, in any order of the index.
        let mut highest = last.map_or(0, |last| last.number - 1);
        for part in &parts {
            if let Some(id) = names.part_like(&part.loc) {
                self.kept.push(names.part(id));
                highest = highest.max(id.number);
            }
            if let Some(file) = names.file_at(&part.loc) {
                self.kept.push(file.to_owned());
            }
        }
        self.stay = parts.len();
        self.shift = highest.saturating_sub(u32::try_from(parts.len()).unwrap_or(u32::MAX));
        earlier.parts = parts;
        Ok(earlier)
    }

    fn input(&self, file: &str) -> io::Result<Box<dyn Read>> {
        let path = self.run.path(file);
        refuse_obstacle(&path)?;
        Ok(Box::new(File::open(&path).map_err(at(&path))?))
    }

    pub(super) fn open(&mut self, group: Option<&str>, number: usize) -> io::Result<PartFile> {
        let part = self.names_of(group, number)?;
        let replaced = (!self.options.fingerprint).then_some(&*part.temporary);
        if let Some(replaced) = replaced {
            self.run.refuse_taken(replaced)?;
        }
        let file = self.run.create(&part.temporary, replaced)?;
        let path = self.run.hidden().new_file(&part.temporary);
        let file = PartFile::new(file, path, self.options.fingerprint);
        if !self.options.gzip {
            return Ok(file);
        }
        let pool = self.threads.as_ref();
        let pool = pool.and_then(|threads| threads.compressing.as_ref().map(Arc::clone));
        Ok(file.gzipped(self.options.level, pool))
    }

    pub(super) fn close(
        &mut self,
        group: Option<&str>,
        number: usize,
        writer: PartFile,
    ) -> io::Result<Url> {
        let mut part = self.names_of(group, number)?;
        let (file, fingerprint) = writer.close()?;
        part.id.fingerprint = fingerprint;
        let name = self.group_names(group).part(part.id);
        let url = self.run.names().url(&name);
        if fingerprint.is_some() {
            self.run.refuse_taken(&name)?;
        }
        let completion = self.run.completion(name, &part.temporary);
        match &self.threads {
            None => self.add_ready(part.place, completion.complete(file)?),
            Some(threads) => {
                let result = threads.completing.run(move || completion.complete(file));
                self.completing.push_back((part.place, result));
                while self.completing.len() > COMPLETING {
                    self.collect()?;
                }
            }
        }
        Ok(url)
    }

    /// Waits for the oldest of the parts that are being completed. Returns `false` if there is none.
    fn collect(&mut self) -> io::Result<bool> {
        let Some((place, result)) = self.completing.pop_front() else {
            return Ok(false);
        };
        self.add_ready(place, result.wait()??);
        Ok(true)
    }

    fn add_ready(&mut self, place: PartPlace, part: CompleteFile) {
        let at = self.complete.partition_point(|(before, _)| *before < place);
        self.complete.insert(at, (place, part));
    }

    fn group_names(&self, group: Option<&str>) -> &Names {
        let group = group.and_then(|group| self.groups.get(group));
        group.map_or(self.run.names(), |group| &group.names)
    }

    fn names_of(&mut self, group: Option<&str>, number: usize) -> io::Result<PartNames> {
        let (place, shift) = match group {
            None => (0, self.shift),
            Some(group) => self.group(group)?,
        };
        let file = u32::try_from(number)
            .ok()
            .and_then(|number| number.checked_add(shift));
        let file = file.filter(|number| *number <= HIGHEST);
        let id = PartId {
            number: file.ok_or_else(|| io::Error::other("part numbers have run out"))?,
            fingerprint: None,
            text: self.is_text,
            gzip: self.options.gzip,
        };
        let temporary = self.group_names(group).part(id);
        Ok(PartNames {
            place: (place, number),
            id,
            temporary,
        })
    }

    /// The place of a group, and its shift. The parts of the group that stay are not continued; new ones follow them.
    fn group(&mut self, name: &str) -> io::Result<(usize, u32)> {
        if let Some(group) = self.groups.get(name) {
            return Ok((group.place, group.shift));
        }
        if name == self.run.names().name() {
            let message = format!("group `{name}`: this is the name of the set itself");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let names = Names::new(name, &self.base)?;
        let mut shift = 0;
        for file in &self.kept {
            shift = shift.max(names.part_of(file).map_or(0, |part| part.number));
        }
        let place = self.groups.len() + 1;
        let group = GroupParts {
            place,
            names,
            shift,
        };
        self.groups.insert(name.to_owned(), group);
        Ok((place, shift))
    }

    /// `single`: the one part, if there is any, becomes the sitemap itself.
    pub(super) fn finish(&mut self, parts: &[SitemapEntry], single: bool) -> Result<Published> {
        while self.collect()? {}
        let mut complete = Vec::with_capacity(self.complete.len());
        for (_, part) in std::mem::take(&mut self.complete) {
            complete.push(part);
        }
        let index = if single {
            self.single(complete.pop())?
        } else {
            let mut writer = self.index.index(self.index_file()?);
            for part in parts {
                writer.write(part)?;
            }
            self.ready_index(writer.finish()?)?
        };
        let names = self.run.names();
        let published = Published {
            index: names.url(&names.index()),
            path: self.index_path(),
            changed: index.temporary.is_some(),
            format: if single {
                Format::Urlset
            } else {
                Format::Index
            },
            parts: if single {
                Vec::new()
            } else {
                self.published(parts, &complete)
            },
        };
        self.run.publish(SetPublication {
            parts: complete,
            index,
            kept: std::mem::take(&mut self.kept),
            groups: self
                .groups
                .values()
                .map(|group| group.names.clone())
                .collect(),
            grace: self.options.fingerprint.then_some(self.options.grace),
        })?;
        Ok(published)
    }

    fn published(&self, parts: &[SitemapEntry], complete: &[CompleteFile]) -> Vec<PublishedPart> {
        let changed = complete
            .iter()
            .filter(|complete| complete.temporary.is_some());
        let changed = set_of(changed.map(|complete| &*complete.file));
        let part = |(at, part): (usize, &SitemapEntry)| {
            let file = self
                .run
                .names()
                .file_at(&part.loc)
                .filter(|_| at >= self.stay);
            PublishedPart {
                loc: part.loc.clone(),
                path: file.map(|file| self.run.path(file)),
                changed: file.is_some_and(|file| changed.contains(file)),
            }
        };
        parts.iter().enumerate().map(part).collect()
    }

    /// Creates the file that will have the name of the index.
    fn index_file(&self) -> io::Result<PartFile> {
        let index = self.run.names().index();
        let file = self.run.create(&index, Some(&index))?;
        let path = self.run.hidden().new_file(&index);
        Ok(PartFile::new(file, path, false))
    }

    /// Completes the file that will have the name of the index.
    fn ready_index(&self, file: PartFile) -> io::Result<CompleteFile> {
        let index = self.run.names().index();
        let (file, _) = file.close()?;
        self.run.completion(index.clone(), &index).complete(file)
    }

    /// Makes the only part, if there is one, the file with the name of the index.
    fn single(&self, part: Option<CompleteFile>) -> Result<CompleteFile> {
        let Some(part) = part else {
            return Ok(self.ready_index(self.index.urlset(self.index_file()?).finish()?)?);
        };
        // A part that equals the visible file was not kept.
        let path = part
            .temporary
            .clone()
            .unwrap_or_else(|| self.run.path(&part.file));
        let mut input = File::open(&path).map_err(at(&path))?;
        let mut file = self.index_file()?;
        if self.options.gzip {
            io::copy(&mut GzDecoder::new(input), &mut file)
        } else {
            io::copy(&mut input, &mut file)
        }
        .map_err(at(&path))?;
        let index = self.ready_index(file)?;
        if part.temporary.is_some() {
            remove(&path)?;
        }
        Ok(index)
    }
}
