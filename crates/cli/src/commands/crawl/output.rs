//! The output of pages: complete lines, and their length in bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IntoInnerError, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::Path;

use anyhow::{Context, bail};
use tempfile::SpooledTempFile;

use crate::disk::{lock, sync_name};
use crate::sets::replacement::Replacement;
use crate::term::count::Count;
use crate::term::messages::Advised;
use crate::term::progress;

/// Bytes of a sitemap that are kept in memory; more than these are kept on the disk.
pub(super) const IN_MEMORY: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Output {
    file: Option<File>,
    /// The file is none that keeps what is written: it is a pipe or a device, as standard output is.
    is_stream: bool,
    /// It is not known whether bytes written to standard output have arrived, and they cannot be removed.
    bytes: u64,
    /// Writing has failed, perhaps in the middle of a line, so that nothing can follow.
    is_broken: bool,
    /// The file takes the place of an older one when it is complete.
    replacement: Option<Replacement>,
    /// Bytes of the current sitemap.
    pub(super) kept: BufWriter<SpooledTempFile>,
}

impl Output {
    /// `out` is `None` for standard output. `state` is the state file of `--resume`, which will refer to the output, and `before` the length that it
    /// contains, or `None` for standard output.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not the one that the earlier crawl has left.
    pub(super) fn open(
        out: Option<&Path>,
        state: Option<&Path>,
        before: Option<Option<u64>>,
    ) -> anyhow::Result<Self> {
        match (out, before) {
            (None, Some(Some(_))) => {
                bail!("the earlier crawl wrote to a file; name that file with --out")
            }
            (Some(path), Some(None)) if !is_stream(path) => {
                bail!("the earlier crawl wrote to standard output; leave out --out")
            }
            (None, _) => Ok(Self::to(None, true, 0)),
            (Some(path), _) if state.is_none() && !is_stream(path) => {
                let replacement = Replacement::of(path)?;
                Ok(Self {
                    file: Some(replacement.file()?),
                    replacement: Some(replacement),
                    ..Self::to(None, false, 0)
                })
            }
            (Some(path), before) => Self::file(path, state, before.flatten()),
        }
    }

    /// Opens and locks the file. A crawl that is resumed continues at the length that its state names; a shorter file
    /// is an error.
    fn file(path: &Path, state: Option<&Path>, before: Option<u64>) -> anyhow::Result<Self> {
        let opened = OpenOptions::new()
            .write(true)
            .create(before.is_none())
            .truncate(false)
            .open(path);
        let mut file = match (opened, before) {
            (Err(error), Some(bytes)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(lost(path, state, bytes, "the file no longer exists"));
            }
            (opened, _) => {
                opened.with_context(|| format!("{} cannot be written", path.display()))?
            }
        };
        let is_stream = !file.metadata()?.is_file();
        // Before anything in it is changed.
        if !is_stream {
            lock(&file, path, "another crawl is writing to")?;
        }
        // A state that names the file must not outlive its name if the power fails.
        if state.is_some() && !is_stream {
            sync_name(path)?;
        }
        let Some(bytes) = before else {
            if !is_stream {
                file.set_len(0)?;
            }
            return Ok(Self::to(Some(file), is_stream, 0));
        };
        let length = file.metadata()?.len();
        if length < bytes {
            let why = format!("the file has only {}", Count(length, "byte"));
            return Err(lost(path, state, bytes, &why));
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self::to(Some(file), is_stream, bytes))
    }

    fn to(file: Option<File>, is_stream: bool, bytes: u64) -> Self {
        Self {
            file,
            is_stream,
            bytes,
            is_broken: false,
            replacement: None,
            kept: nothing_kept(),
        }
    }

    /// The length of the file; `None` for standard output, and what is like it.
    pub(super) fn length(&self) -> Option<u64> {
        (!self.is_stream).then_some(self.bytes)
    }

    /// Writes these bytes. After any failure, nothing is appended to an incomplete line.
    pub(super) fn append(&mut self, mut bytes: impl Read) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier write failed"));
        }
        progress::line::clear();
        let out: &mut dyn Write = match &mut self.file {
            Some(file) => file,
            None => &mut io::stdout(),
        };
        // Until it is all written.
        self.is_broken = true;
        self.bytes += io::copy(&mut bytes, out)?;
        out.flush()?;
        self.is_broken = false;
        Ok(())
    }

    /// The bytes that were kept, from their beginning. None are kept after that.
    pub(super) fn take_kept(&mut self) -> io::Result<SpooledTempFile> {
        let kept = mem::replace(&mut self.kept, nothing_kept());
        let mut kept = kept.into_inner().map_err(IntoInnerError::into_error)?;
        kept.rewind()?;
        Ok(kept)
    }

    /// Writes the bytes that were kept.
    pub(super) fn append_kept(&mut self) -> io::Result<()> {
        let kept = self.take_kept()?;
        self.append(kept)
    }

    /// Waits until what was written is on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        let file = self.file.as_ref().filter(|_| !self.is_stream);
        file.map_or(Ok(()), File::sync_data)
    }

    /// The file is complete.
    pub(super) fn put_in_place(self) -> anyhow::Result<()> {
        match self.replacement {
            Some(replacement) => Ok(replacement.put_in_place()?),
            None => Ok(()),
        }
    }
}

fn nothing_kept() -> BufWriter<SpooledTempFile> {
    BufWriter::new(SpooledTempFile::new(IN_MEMORY))
}

/// The pages that the earlier crawl wrote are not all there.
fn lost(path: &Path, state: Option<&Path>, bytes: u64, why: &str) -> anyhow::Error {
    let message = format!(
        "the earlier crawl wrote {} to {}, but {why}",
        Count(bytes, "byte"),
        path.display()
    );
    let state = state.unwrap_or(Path::new("the state file")).display();
    let advice = format!("restore the file, or delete {state} to begin the crawl anew");
    Advised::new(message, advice).into()
}

pub(super) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}
