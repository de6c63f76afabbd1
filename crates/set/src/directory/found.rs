//! The contents of the visible files in the directory, which any program may have written.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use quick_sitemap::{ErrorKind, Format, Reader};
use url::Url;

use super::fs::open;
use super::names::MOST_PARTS;
use crate::files::at;

/// The contents of a visible file.
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
            format => format == Some(Format::Index),
        };
        let mut listed = Vec::new();
        // For another document, the first entry shows whether the file can be read.
        for entry in reader.take(if is_index { MOST_PARTS } else { 1 }) {
            match entry.map_err(|error| error.into_kind()) {
                Ok(entry) => listed.extend(entry.into_sitemap().map(|part| part.loc)),
                Err(ErrorKind::Io(error)) => return Err(at(path)(error)),
                Err(_) => break,
            }
        }
        if is_index {
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
