//! The file of one part while it is written.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use hmac_sha256::Hash;

use super::gzip::Gzip;
use super::names::Fingerprint;
use super::pool::Pool;
use crate::writer::at;

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
    pub(super) fn new(file: File, path: PathBuf, fingerprint: bool) -> Self {
        let digest = fingerprint.then(Hash::new);
        Self {
            output: Output { file, path, digest },
            gzip: None,
        }
    }

    pub(super) fn gzipped(mut self, level: u32, pool: Option<Arc<Pool>>) -> Self {
        self.gzip = Some(Gzip::new(level, pool));
        self
    }

    /// Completes the file, with the gzip trailer. Returns it with its fingerprint, if there is to be one.
    pub(super) fn close(mut self) -> io::Result<(File, Option<Fingerprint>)> {
        if let Some(gzip) = self.gzip {
            gzip.finish(&mut |bytes| self.output.put(bytes))?;
        }
        let digest = self.output.digest.map(|digest| digest.finalize());
        let fingerprint = digest.and_then(|digest| digest.first_chunk().copied().map(Fingerprint));
        Ok((self.output.file, fingerprint))
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
