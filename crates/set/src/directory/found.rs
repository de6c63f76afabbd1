//! The contents of the visible files in the directory, which any program may have written.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use quick_sitemap::{Completeness, ErrorKind, Format, LooksLike, Reader};

use super::fs::open;
use super::names::MOST_PARTS;
use crate::files::at;

/// The contents of a visible file.
pub(super) enum Found {
    /// No file, or something else than a regular file.
    Nothing,
    Urlset,
    /// A list of URLs, one per line.
    Text,
    /// The locs as they are written, and whether the index was read to its end, without an entry that was skipped.
    Index {
        locs: Vec<String>,
        is_whole: bool,
    },
    /// The file ends before its root, so it could become an index.
    Cut,
    Other,
}

impl Found {
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let file = match fs::metadata(path) {
            Ok(file) if !file.is_file() => return Ok(Self::Nothing),
            _ => open(path),
        };
        let input = match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            file => file?,
        };
        let mut reader: Reader<Box<dyn Read>> = Reader::new(input);
        let is_index = match reader.format() {
            Some(Format::Urlset) => return Ok(Self::Urlset),
            Some(Format::Text) => return Ok(Self::Text),
            format => format == Some(Format::Index),
        };
        // For another document, the first entry shows whether the file can be read.
        let most = if is_index { MOST_PARTS } else { 1 };
        let mut locs = Vec::new();
        let failure = loop {
            match reader.read_raw() {
                Ok(Some(entry)) => locs.extend(entry.loc().map(ToOwned::to_owned)),
                Ok(None) => break None,
                Err(error) => break Some(error.into_kind()),
            }
            if locs.len() > most {
                break None;
            }
        };
        if let Some(ErrorKind::Io(error)) = failure {
            return Err(at(path)(error));
        }
        let is_whole = reader.summary().completeness() == Completeness::Complete;
        Ok(match failure {
            _ if is_index => Self::Index { locs, is_whole },
            Some(
                ErrorKind::Truncated
                | ErrorKind::Gzip(_)
                | ErrorKind::NotASitemap(LooksLike::Empty | LooksLike::NoRoot),
            ) => Self::Cut,
            _ => Self::Other,
        })
    }

    /// The locs of an index, and whether these are all. A file that is not an index has none.
    pub(super) fn locs(self) -> (Vec<String>, bool) {
        match self {
            Self::Index { locs, is_whole } => (locs, is_whole),
            _ => (Vec::new(), true),
        }
    }
}
