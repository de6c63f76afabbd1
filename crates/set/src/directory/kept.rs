//! The parts of a group that stay as they are.

use std::io;
use std::path::Path;

use quick_sitemap::{Completeness, Entry, Error, ErrorKind, Reader};

use super::fs::open;
use crate::files::{at, failure};

/// Reads an index or a part whose content is kept. Returns the number of entries.
///
/// # Errors
///
/// The file cannot be read completely.
pub(super) fn read_whole(path: &Path, mut take: impl FnMut(Entry)) -> io::Result<u64> {
    let mut reader = Reader::new(open(path)?);
    let read = reader.try_for_each(|entry| entry.map(&mut take));
    let summary = reader.summary();
    let is_damaged = summary.completeness() == Completeness::Incomplete || summary.dropped > 0;
    let why = match read.map_err(Error::into_kind) {
        Err(ErrorKind::Io(error)) => return Err(at(path)(error)),
        Err(kind) => kind.to_string(),
        Ok(()) if is_damaged => "entries or values of it are damaged".to_owned(),
        Ok(()) => return Ok(summary.entries),
    };
    let message = format!("this file cannot be read completely, so no group is kept: {why}");
    Err(failure(io::ErrorKind::InvalidData, path, &message))
}
