//! Lines of files that were read before, for findings that are only known when all files have been read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use quick_sitemap::{Reader, ReaderBuilder};

use crate::disk::open_regular;
use crate::rows::BOM;
use crate::source::input::content;
use crate::source::span::{MarkedLine, SourceSpan, first_line};

/// Bytes that are read of the line of a row: more than is shown.
const ROW: u64 = 4 << 10;

/// A file that is read again, as far as its lines are requested.
pub(crate) enum Reopened {
    Sitemap(Box<Reader<Box<dyn Read + Send>>>),
    /// A list of pages, with a byte order mark of this number of bytes.
    List(File, u64),
}

impl Reopened {
    /// Only a regular file returns the same bytes again. `is_list`: it is not a sitemap, but a list of pages.
    pub(crate) fn open(path: &Path, is_list: bool) -> Option<Self> {
        let mut file = open_regular(path).ok()?;
        if !is_list {
            let reader = ReaderBuilder::new()
                .excerpts(true)
                .build(content(path, file));
            return Some(Self::Sitemap(Box::new(reader)));
        }
        let mut beginning = Vec::new();
        let most = BOM.len() as u64;
        file.by_ref().take(most).read_to_end(&mut beginning).ok()?;
        let mark = if beginning == BOM { most } else { 0 };
        Some(Self::List(file, mark))
    }

    /// The line of a place in an entry. Places must be requested in the order of the entries.
    pub(crate) fn line(&mut self, span: SourceSpan) -> Option<MarkedLine> {
        match self {
            Self::Sitemap(reader) => {
                while reader.raw().position().entry() < span.position.entry() {
                    // The reader is lenient: an error is fatal.
                    reader.read_raw().ok()??;
                }
                reader.raw().excerpt_at(span.position, span.len)
            }
            Self::List(file, mark) => {
                let begin = *mark + span.position.byte();
                file.seek(SeekFrom::Start(begin)).ok()?;
                let mut bytes = Vec::new();
                file.by_ref().take(ROW).read_to_end(&mut bytes).ok()?;
                Some(first_line(&bytes))
            }
        }
    }
}
