//! [`NewSet`]: a set while it is written, before any part of it is visible. [`Published`]: the description of a set that was
//! published.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use flate2::read::GzDecoder;
use url::Url;

use super::file::{CompleteFile, PartFile};
use super::fs::open;
use super::gzip::Threads;
use super::names::{HIGHEST, Names, PartId};
use super::run::{Run, set_of};
use super::set::Set;
use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::format::Format;
use crate::sets::earlier::Earlier;
use crate::writer::{WriterBuilder, at, remove};

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
    pub(super) fingerprint: bool,
    pub(super) grace: Duration,
    pub(super) threads: usize,
}

/// Number of parts that are synced at the same time: a disk takes most of its time for each of them, not for their bytes.
const SYNCING: usize = 16;

/// A set while it is written, before any part of it is visible.
#[derive(Debug)]
pub(super) struct NewSet {
    /// The parts that are complete.
    complete: Vec<(Place, CompleteFile)>,
    run: Run,
    options: FileOptions,
    is_text: bool,
    /// The settings of the index.
    index: WriterBuilder,
    /// The parts of the earlier run that stay, and the names of those that may be files of this set.
    stay: usize,
    kept: Vec<String>,
    /// The parts of the set itself, and those of its groups in the order in which they were begun.
    series: Vec<Series>,
    threads: Threads,
}

/// The place of a part in the index: that of its series, and its number.
type Place = (usize, usize);

/// Parts that are numbered together: those of the set itself, or those of a group.
#[derive(Debug)]
struct Series {
    names: Names,
    /// The difference between the number in the name of a file and the number of its part.
    shift: u32,
}

impl NewSet {
    pub(super) fn new(run: Run, options: FileOptions, is_text: bool, index: WriterBuilder) -> Self {
        let names = run.names().clone();
        Self {
            complete: Vec::new(),
            run,
            is_text,
            index,
            stay: 0,
            kept: Vec::new(),
            series: vec![Series { names, shift: 0 }],
            threads: Threads::new(options.threads),
            options,
        }
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
            Set::Single => {
                return Ok(Earlier {
                    parts: Vec::new(),
                    last: Some(open(&self.index_path())?),
                    single: true,
                });
            }
        };
        let last = parts.last().and_then(|last| names.part_at(&last.loc));
        let last = last.filter(|last| last.text == self.is_text);
        let mut earlier = Earlier::default();
        if let Some(last) = last {
            parts.pop();
            earlier.last = Some(open(&self.run.path(&names.part(last)))?);
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
        if let Some(series) = self.series.first_mut() {
            series.shift = highest.saturating_sub(u32::try_from(parts.len()).unwrap_or(u32::MAX));
        }
        earlier.parts = parts;
        Ok(earlier)
    }

    /// `group` is empty for a part of the set itself.
    pub(super) fn open(&mut self, group: &str, number: usize) -> io::Result<PartFile> {
        let (place, id) = self.part(group, number)?;
        let name = self.part_name(place, id);
        if !self.options.fingerprint {
            self.run.refuse_taken(&name)?;
        }
        let file = self.run.create(&name, self.options.fingerprint)?;
        if self.options.gzip {
            Ok(file.gzipped(&self.threads))
        } else {
            Ok(file)
        }
    }

    /// Closes a part, whose final name is known then, and begins to sync it. Returns its URL.
    pub(super) fn close(
        &mut self,
        group: &str,
        number: usize,
        writer: PartFile,
    ) -> io::Result<Url> {
        let (place, id) = self.part(group, number)?;
        let file = writer.complete(|fingerprint| {
            let name = self.part_name(place, PartId { fingerprint, ..id });
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

    /// The place of a part, and what is known of its name before it is written.
    fn part(&mut self, group: &str, number: usize) -> io::Result<(Place, PartId)> {
        let at = self.series_of(group)?;
        let shift = self.series.get(at).map_or(0, |series| series.shift);
        let file = u32::try_from(number).ok();
        let file = file.and_then(|number| number.checked_add(shift));
        let file = file.filter(|number| *number <= HIGHEST);
        let id = PartId {
            number: file.ok_or_else(|| io::Error::other("part numbers have run out"))?,
            fingerprint: None,
            text: self.is_text,
            gzip: self.options.gzip,
        };
        Ok(((at, number), id))
    }

    fn part_name(&self, (at, _): Place, id: PartId) -> String {
        let series = self.series.get(at).map(|series| &series.names);
        series.unwrap_or(self.run.names()).part(id)
    }

    /// The place of a group among the series. The parts of a group that stay are not continued; new ones follow them.
    fn series_of(&mut self, group: &str) -> io::Result<usize> {
        if group.is_empty() {
            return Ok(0);
        }
        let found = self
            .series
            .iter()
            .position(|series| series.names.name() == group);
        if found == Some(0) {
            let message = format!("group `{group}`: this is the name of the set itself");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if let Some(at) = found {
            return Ok(at);
        }
        let names = self.run.names().of_group(group)?;
        let kept = self.kept.iter().filter_map(|file| names.part_of(file));
        let shift = kept.map(|part| part.number).max().unwrap_or(0);
        self.series.push(Series { names, shift });
        Ok(self.series.len() - 1)
    }

    /// `single`: the one part, if there is any, becomes the sitemap itself.
    pub(super) fn finish(&mut self, parts: &[SitemapEntry], single: bool) -> Result<Published> {
        let mut complete = std::mem::take(&mut self.complete);
        for (_, part) in &mut complete {
            part.synced()?;
        }
        complete.sort_by_key(|(place, _)| *place);
        let mut complete: Vec<CompleteFile> = complete.into_iter().map(|(_, part)| part).collect();
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
            changed: index.hidden.is_some(),
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
        let series: Vec<&Names> = self.series.iter().map(|series| &series.names).collect();
        let grace = self.options.fingerprint.then_some(self.options.grace);
        self.run
            .publish(&complete, &index, &self.kept, &series, grace)?;
        Ok(published)
    }

    /// The parts of the published set, each with its path and whether it has changed.
    fn published(&self, parts: &[SitemapEntry], complete: &[CompleteFile]) -> Vec<PublishedPart> {
        let changed = complete.iter().filter(|complete| complete.hidden.is_some());
        let changed = set_of(changed.map(|complete| &*complete.name));
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
        self.run.create(&self.run.names().index(), false)
    }

    /// Completes the file that will have the name of the index.
    fn ready_index(&self, file: PartFile) -> io::Result<CompleteFile> {
        let mut file = file.complete(|_| Ok((self.run.names().index(), self.index_path())))?;
        file.synced()?;
        Ok(file)
    }

    /// Makes the only part, if there is one, the file with the name of the index.
    fn single(&self, part: Option<CompleteFile>) -> Result<CompleteFile> {
        let Some(part) = part else {
            return Ok(self.ready_index(self.index.urlset(self.index_file()?).finish()?)?);
        };
        // A part that equals the visible file was not kept.
        let path = part.hidden.clone();
        let path = path.unwrap_or_else(|| self.run.path(&part.name));
        let mut input = File::open(&path).map_err(at(&path))?;
        let mut file = self.index_file()?;
        if self.options.gzip {
            io::copy(&mut GzDecoder::new(input), &mut file)
        } else {
            io::copy(&mut input, &mut file)
        }
        .map_err(at(&path))?;
        let index = self.ready_index(file)?;
        if part.hidden.is_some() {
            remove(&path)?;
        }
        Ok(index)
    }
}
