use std::fs::File;
use std::io;
use std::path::Path;

use super::commit::at;
use super::earlier::{damaged, read_whole};
use super::names::{Names, PartId};
use crate::entry::{Entry, SitemapEntry};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;

/// The set of sitemaps that an index stands for.
pub(super) enum Set {
    Index(Vec<SitemapEntry>),
    /// One part, in the index's place.
    Single,
}

impl Set {
    /// Of an index, all; it is an error if anything of it would be lost by writing it anew.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut reader = Reader::new(File::open(path).map_err(at(path))?);
        match reader.format() {
            Some(Format::Urlset) => return Ok(Self::Single),
            Some(Format::Index) | None => {}
            Some(format) => {
                return Err(damaged(format_args!("{}: format {format}", path.display())).into());
            }
        }
        let mut parts = Vec::new();
        read_whole(&mut reader, |entry| match entry {
            Entry::Sitemap(_) if parts.len() as u64 >= MAX_ENTRIES => {
                Err(damaged("more than 50,000 parts").into())
            }
            Entry::Sitemap(part) => {
                parts.push(part);
                Ok(())
            }
            Entry::Url(_) => Err(damaged("a page listed by an index").into()),
        })?;
        Ok(Self::Index(parts))
    }
}

/// The parts that an index names, as far as it can be understood: it may be of anyone's making, or not be there.
pub(super) fn named_by(path: &Path, names: &Names) -> io::Result<Vec<PartId>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(at(path))?,
    };
    let mut parts = Vec::new();
    for entry in Reader::new(file).take(MAX_ENTRIES as usize) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => match error.kind() {
                ErrorKind::Io(error) => {
                    let message = format!("{}: {error}", path.display());
                    return Err(io::Error::new(error.kind(), message));
                }
                _ => break,
            },
        };
        let part = entry.as_sitemap();
        parts.extend(part.and_then(|part| names.part_at(&part.loc)));
    }
    Ok(parts)
}
