//! The indexes in the directory: that of this set and those of other sets.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use url::Url;

use super::earlier::{damaged, read_whole};
use super::fs::in_file;
use crate::entry::{Entry, SitemapEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;
use crate::writer::{at, refuse_obstacle};

/// The set of sitemaps that an index lists.
pub(super) enum Set {
    Index(Vec<SitemapEntry>, Option<String>),
    /// A single urlset, which has the name of the index.
    Single,
}

impl Set {
    /// Reads an index and the href of its style sheet. Returns an error if writing the index again would lose anything.
    pub(super) fn read(path: &Path) -> Result<Self> {
        refuse_obstacle(path)?;
        let open = || file(File::open(path), path);
        match Reader::new(open()?).format() {
            Some(Format::Urlset) => return Ok(Self::Single),
            Some(Format::Index) | None => {}
            Some(format) => {
                return Err(damaged(format_args!("{}: format {format}", path.display())).into());
            }
        }
        let mut parts = Vec::new();
        let index = read_whole(open()?, &mut |entry, _| match entry {
            Entry::Sitemap(_) if parts.len() as u64 >= MAX_ENTRIES => {
                Err(damaged("more than 50,000 parts").into())
            }
            Entry::Sitemap(part) => {
                parts.push(part);
                Ok(())
            }
            Entry::Url(_) => Err(damaged("the index lists a page").into()),
        });
        let index = index.map_err(|error| in_file(error, path))?;
        Ok(Self::Index(parts, index.stylesheet))
    }
}

/// The URLs that an index lists, as far as it can be read, because any program may have written it. Returns `None` if the
/// file does not exist or is not an index.
pub(super) fn listed_by(path: &Path) -> io::Result<Option<Vec<Url>>> {
    let Some((Some(Format::Index), reader)) = open(path)? else {
        return Ok(None);
    };
    let mut listed = Vec::new();
    for entry in reader.take(MAX_ENTRIES as usize) {
        match entry {
            Ok(entry) => listed.extend(entry.into_sitemap().map(|part| part.loc)),
            Err(error) => match io_error(error, path) {
                Some(error) => return Err(error),
                None => break,
            },
        }
    }
    Ok(Some(listed))
}

/// Returns `true` if a file is an index. Returns `false` if there is no file.
pub(super) fn is_index(path: &Path) -> io::Result<bool> {
    Ok(matches!(open(path)?, Some((Some(Format::Index), _))))
}

/// Returns `true` if a file is neither a urlset nor an index. Returns `false` if there is no file.
pub(super) fn is_no_set(path: &Path) -> io::Result<bool> {
    let opened = open(path)?;
    Ok(opened.is_some_and(|(format, _)| !matches!(format, Some(Format::Urlset | Format::Index))))
}

/// The format of a file, and its reader.
type Opened = (Option<Format>, Reader<Box<dyn Read>>);

/// Opens the file at `path`. Returns `None` if there is no regular file.
fn open(path: &Path) -> io::Result<Option<Opened>> {
    // Only regular files are opened, because a pipe would wait for a writer.
    let opened = match fs::metadata(path) {
        Ok(file) if !file.is_file() => return Ok(None),
        Ok(_) => File::open(path),
        Err(error) => Err(error),
    };
    let mut reader = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => Reader::new(file(opened, path)?),
    };
    let format = reader.format();
    if format.is_none()
        && let Some(Err(error)) = reader.next()
        && let Some(error) = io_error(error, path)
    {
        return Err(error);
    }
    Ok(Some((format, reader)))
}

/// The opened file. It is boxed, so that there is one kind of reader.
fn file(opened: io::Result<File>, path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(opened.map_err(at(path))?))
}

/// Returns the I/O error with its path, or `None` if the document is the cause of the error.
fn io_error(error: Error, path: &Path) -> Option<io::Error> {
    match error.into_kind() {
        ErrorKind::Io(error) => Some(at(path)(error)),
        _ => None,
    }
}
