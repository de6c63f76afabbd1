//! Where pages go: whole lines, and how many bytes of them.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::resume::Resume;

#[derive(Debug)]
pub(super) enum Target<'t> {
    Stdout,
    File(&'t Path),
    Temporary(File),
}

#[derive(Debug)]
pub(super) struct Output {
    file: Option<File>,
    /// What is written on standard output is not known to have arrived anywhere, and cannot be taken back.
    bytes: u64,
}

impl Output {
    /// # Errors
    ///
    /// If the file cannot be opened, or is not the one that the earlier crawl has left.
    pub(super) fn open(target: Target<'_>, earlier: Option<&Resume>) -> anyhow::Result<Self> {
        let before = earlier.map(|earlier| earlier.output_bytes);
        match (target, before) {
            (Target::Stdout, Some(Some(_))) => {
                bail!("the crawl that is resumed wrote to a file: name it with --output")
            }
            (Target::File(_), Some(None)) => {
                bail!("the crawl that is resumed wrote to standard output: leave out --output")
            }
            (Target::Stdout, _) => Ok(Self {
                file: None,
                bytes: 0,
            }),
            (Target::Temporary(file), _) => Ok(Self {
                file: Some(file),
                bytes: 0,
            }),
            (Target::File(path), before) => {
                let file = Self::file(path, before.flatten());
                file.with_context(|| format!("{} cannot be written", path.display()))
            }
        }
    }

    fn file(path: &Path, before: Option<u64>) -> anyhow::Result<Self> {
        let Some(bytes) = before else {
            let file = File::create(path)?;
            return Ok(Self {
                file: Some(file),
                bytes: 0,
            });
        };
        let mut file = OpenOptions::new().write(true).open(path)?;
        let length = file.metadata()?.len();
        if length < bytes {
            bail!("the crawl that is resumed left {bytes} bytes in it, and there are {length}");
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self {
            file: Some(file),
            bytes,
        })
    }

    /// The length of the file; `None` for standard output.
    pub(super) fn length(&self) -> Option<u64> {
        self.file.as_ref().map(|_| self.bytes)
    }

    /// For waiting until what was written is on disk.
    pub(super) fn handle(&self) -> io::Result<Option<File>> {
        self.file.as_ref().map(File::try_clone).transpose()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = match &mut self.file {
            Some(file) => file.write(bytes)?,
            None => io::stdout().write(bytes)?,
        };
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.flush(),
            None => io::stdout().flush(),
        }
    }
}
