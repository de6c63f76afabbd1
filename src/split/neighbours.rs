//! What other sets in the directory hold.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::commit::at;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;

/// Files that other indexes in the directory name, and the index that does.
#[derive(Debug, Default)]
pub(super) struct Neighbours(HashMap<String, String>);

impl Neighbours {
    /// Looks at every file that may be an index, but those that `is_own_index` says are this set's. `is_own` says whether
    /// a file is this set's although an index, whose name comes second, lists it.
    pub(super) fn read(
        folder: &Path,
        is_own_index: impl Fn(&str) -> bool,
        is_own: impl Fn(&str, &str) -> bool,
    ) -> io::Result<Self> {
        let mut named = HashMap::new();
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let file = entry.map_err(at(folder))?.file_name();
            let Some(file) = file.to_str() else { continue };
            let may_be = file.ends_with(".xml") || file.ends_with(".xml.gz");
            if !may_be || file.starts_with('.') || is_own_index(file) {
                continue;
            }
            for part in named_by(&folder.join(file))?.unwrap_or_default() {
                if !is_own(&part, file) {
                    named.entry(part).or_insert_with(|| file.to_owned());
                }
            }
        }
        Ok(Self(named))
    }

    /// The other index that names this file.
    pub(super) fn index_of(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }
}

/// Whether a file is an index; what is not there, or no file, is none.
pub(super) fn is_index(path: &Path) -> io::Result<bool> {
    Ok(open(path)?.is_some())
}

/// The file names at the end of the URLs that an index lists, as far as it can be understood. `None`: it is no index.
pub(super) fn named_by(path: &Path) -> io::Result<Option<Vec<String>>> {
    let reader = match open(path) {
        // What this process may not read is not looked into.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
        reader => reader?,
    };
    let Some(reader) = reader else {
        return Ok(None);
    };
    let mut files = Vec::new();
    for entry in reader.take(MAX_ENTRIES as usize) {
        match entry {
            Ok(Entry::Sitemap(part)) => {
                let file = part
                    .loc
                    .path_segments()
                    .and_then(|mut path| path.next_back());
                files.extend(file.map(ToOwned::to_owned));
            }
            Ok(Entry::Url(_)) => {}
            Err(error) => match io_error(error, path) {
                Some(error) => return Err(error),
                None => break,
            },
        }
    }
    Ok(Some(files))
}

/// A reader of the index at `path`, if it is one.
fn open(path: &Path) -> io::Result<Option<Reader<fs::File>>> {
    // Not opened if it is no file: a pipe would wait for a writer.
    let file = match fs::metadata(path) {
        Ok(file) if !file.is_file() => return Ok(None),
        Ok(_) => fs::File::open(path),
        Err(error) => Err(error),
    };
    let file = match file {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(at(path))?,
    };
    let mut reader = Reader::new(file);
    match reader.format() {
        Some(Format::Index) => Ok(Some(reader)),
        Some(_) => Ok(None),
        None => match reader.next() {
            Some(Err(error)) => io_error(error, path).map_or(Ok(None), Err),
            _ => Ok(None),
        },
    }
}

/// What went wrong with the disk, not with the document.
pub(super) fn io_error(error: Error, path: &Path) -> Option<io::Error> {
    match error.into_kind() {
        ErrorKind::Io(error) => Some(at(path)(error)),
        _ => None,
    }
}
