//! The two states of a file of a set: [`PartFile`] while it is written, and [`CompleteFile`].

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use hmac_sha256::Hash;

use super::fs::is_same;
use super::gzip::{Gzip, Threads};
use super::task::{self, Task};
use crate::writer::{at, remove};

/// A part that a [`Directory`](crate::Directory) is writing: a file, gzipped or not.
#[derive(Debug)]
pub struct PartFile {
    output: Output,
    gzip: Option<Gzip>,
}

struct Output {
    file: File,
    path: PathBuf,
    /// The digest of the bytes in the file.
    digest: Option<Hash>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Output {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).map_err(at(&self.path))?;
        if let Some(digest) = &mut self.digest {
            digest.update(bytes);
        }
        Ok(())
    }
}

impl PartFile {
    /// `path` is that of the hidden file.
    pub(super) fn new(file: File, path: PathBuf, fingerprint: bool) -> Self {
        let digest = fingerprint.then(Hash::new);
        Self {
            output: Output { file, path, digest },
            gzip: None,
        }
    }

    pub(super) fn gzipped(mut self, threads: &Threads) -> Self {
        self.gzip = Some(Gzip::new(threads));
        self
    }

    /// Ends the file, with the gzip trailer, and begins to sync it, unless the visible file of its name has the same content.
    /// `name` gets the fingerprint and returns the name and the visible file.
    pub(super) fn complete(
        mut self,
        name: impl FnOnce(Option<u128>) -> io::Result<(String, PathBuf)>,
    ) -> io::Result<CompleteFile> {
        if let Some(gzip) = self.gzip {
            gzip.finish(&mut |bytes| self.output.put(bytes))?;
        }
        let Output {
            mut file,
            path,
            digest,
        } = self.output;
        let digest = digest.and_then(|digest| digest.finalize().first_chunk().copied());
        let (name, visible) = name(digest.map(u128::from_be_bytes))?;
        if is_same(&mut file, &visible).unwrap_or(false) {
            drop(file);
            remove(&path)?;
            return Ok(CompleteFile {
                name,
                hidden: None,
                syncing: None,
            });
        }
        let place = path.clone();
        let syncing = task::start(move || file.sync_all().map_err(at(&place)))?;
        Ok(CompleteFile {
            name,
            hidden: Some(path),
            syncing: Some(syncing),
        })
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.gzip {
            None => self.output.put(bytes)?,
            Some(gzip) => gzip.write(bytes, &mut |bytes| self.output.put(bytes))?,
        }
        Ok(bytes.len())
    }

    /// Does nothing: `close` flushes the encoder, and flushing earlier would only make the file larger.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is complete, and on the disk when it is [synced](Self::synced).
#[derive(Debug)]
pub(super) struct CompleteFile {
    /// Its final name.
    pub(super) name: String,
    /// The file that will be renamed, or `None` if the visible file of that name has the same bytes, and stays.
    pub(super) hidden: Option<PathBuf>,
    /// The thread that waits for the disk.
    syncing: Option<Task<()>>,
}

impl CompleteFile {
    /// Waits until the bytes are on the disk.
    pub(super) fn synced(&mut self) -> io::Result<()> {
        self.syncing.take().map_or(Ok(()), task::wait)
    }
}
