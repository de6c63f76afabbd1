//! The set that an existing index lists.

use std::fs::File;
use std::io;
use std::path::Path;

use super::commit::{at, in_file, refuse_obstacle};
use super::earlier::{damaged, read_whole};
use super::names::Names;
use super::neighbours::io_error;
use crate::entry::{Entry, SitemapEntry};
use crate::error::Result;
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;

/// The set of sitemaps that an index stands for.
pub(super) enum Set {
    Index(Vec<SitemapEntry>, Option<String>),
    /// One part, in the index's place.
    Single,
}

impl Set {
    /// Of an index, all, and the href of its style sheet; it is an error if anything of it would be lost by writing it
    /// anew.
    pub(super) fn read(path: &Path) -> Result<Self> {
        refuse_obstacle(path)?;
        let open = || File::open(path).map_err(at(path));
        match Reader::new(open()?).format() {
            Some(Format::Urlset) => return Ok(Self::Single),
            Some(Format::Index) | None => {}
            Some(format) => {
                return Err(damaged(format_args!("{}: format {format}", path.display())).into());
            }
        }
        let mut parts = Vec::new();
        let index = read_whole(open()?, |entry, _| match entry {
            Entry::Sitemap(_) if parts.len() as u64 >= MAX_ENTRIES => {
                Err(damaged("more than 50,000 parts").into())
            }
            Entry::Sitemap(part) => {
                parts.push(part);
                Ok(())
            }
            Entry::Url(_) => Err(damaged("a page listed by an index").into()),
        });
        let index = index.map_err(|error| in_file(error, path))?;
        Ok(Self::Index(parts, index.stylesheet))
    }
}

/// The names of the files in its directory that an index lists, as far as it can be understood: it may be of anyone's
/// making, or not be there.
pub(super) fn named_by(path: &Path, names: &Names) -> io::Result<Vec<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(at(path))?,
    };
    let mut files = Vec::new();
    for entry in Reader::new(file).take(MAX_ENTRIES as usize) {
        match entry {
            Ok(entry) => {
                let part = entry.as_sitemap();
                let file = part.and_then(|part| names.file_at(&part.loc));
                files.extend(file.map(ToOwned::to_owned));
            }
            Err(error) => match io_error(error, path) {
                Some(error) => return Err(error),
                None => break,
            },
        }
    }
    Ok(files)
}
