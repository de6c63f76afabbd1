//! The indexes in the directory: that of this set and those of other sets.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use url::Url;

use super::fs::{in_file, open};
use crate::entry::{Entry, SitemapEntry};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;
use crate::sets::earlier::{EarlierFile, damaged};
use crate::writer::at;

/// The set of sitemaps that an index lists.
pub(super) enum Set {
    Index(Vec<SitemapEntry>, Option<String>),
    /// A single urlset, which has the name of the index.
    Single,
}

impl Set {
    /// Reads an index and the href of its style sheet. Returns an error if writing the index again would lose anything.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut file = EarlierFile::open(open(path)?);
        match file.format {
            Some(Format::Urlset) => return Ok(Self::Single),
            Some(Format::Index) | None => {}
            Some(format) => {
                return Err(damaged(format_args!("{}: format {format}", path.display())).into());
            }
        }
        Self::read_index(&mut file).map_err(|error| in_file(error, path))
    }

    fn read_index(file: &mut EarlierFile) -> Result<Self> {
        let mut parts = Vec::new();
        while let Some(entry) = file.next()? {
            match entry {
                Entry::Sitemap(_) if parts.len() as u64 >= MAX_ENTRIES => {
                    return Err(damaged("more than 50,000 parts").into());
                }
                Entry::Sitemap(part) => parts.push(part),
                Entry::Url(_) => return Err(damaged("the index lists a page").into()),
            }
        }
        let stylesheet = file.stylesheet().map(ToOwned::to_owned);
        Ok(Self::Index(parts, stylesheet))
    }
}

/// The contents of a file in the directory, which any program may have written.
pub(super) enum Found {
    /// No file, or something else than a regular file.
    Nothing,
    Urlset,
    /// The URLs that the index lists, as far as it can be read.
    Index(Vec<Url>),
    Other,
}

impl Found {
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        match fs::metadata(path) {
            Ok(file) if !file.is_file() => return Ok(Self::Nothing),
            Err(error) if is_missing(&error) => return Ok(Self::Nothing),
            _ => {}
        }
        let mut reader: Reader<Box<dyn Read>> = match open(path) {
            Err(error) if is_missing(&error) => return Ok(Self::Nothing),
            file => Reader::new(file?),
        };
        let format = reader.format();
        if format == Some(Format::Urlset) {
            return Ok(Self::Urlset);
        }
        let mut listed = Vec::new();
        for entry in reader.take(MAX_ENTRIES as usize) {
            match entry.map_err(|error| error.into_kind()) {
                Ok(entry) => listed.extend(entry.into_sitemap().map(|part| part.loc)),
                Err(ErrorKind::Io(error)) => return Err(at(path)(error)),
                Err(_) => break,
            }
            if format != Some(Format::Index) {
                break;
            }
        }
        if format == Some(Format::Index) {
            Ok(Self::Index(listed))
        } else {
            Ok(Self::Other)
        }
    }

    /// The URLs that an index lists; none for all other contents.
    pub(super) fn listed(self) -> Vec<Url> {
        match self {
            Self::Index(listed) => listed,
            _ => Vec::new(),
        }
    }
}
