//! The output of pages: complete lines, and their length in bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::SpooledTempFile;

use crate::disk::replacement::{Replacement, at};
use crate::disk::{lock, sync_name};
use crate::term::count::Count;
use crate::term::messages::Advised;
use crate::term::progress;

/// Bytes of a sitemap that are kept in memory; more than these are kept on the disk.
const IN_MEMORY: usize = 1 << 20;

/// The part of a file that an earlier crawl has written, as its state records it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// `None` for standard output, and what is like it.
    pub(super) bytes: Option<u64>,
    pub(super) lines: u64,
    /// Line ends within quotes end no line.
    pub(super) is_table: bool,
}

impl Before {
    /// Returns `true` if these first bytes of the file are that many complete lines.
    fn is_in(self, path: &Path, bytes: u64) -> io::Result<bool> {
        let mut reader = BufReader::new(File::open(path)?.take(bytes));
        let (mut lines, mut is_quoted, mut last) = (0, false, b'\n');
        loop {
            let piece = reader.fill_buf()?;
            let Some(end) = piece.last() else { break };
            last = *end;
            for byte in piece {
                is_quoted ^= self.is_table && *byte == b'"';
                lines += u64::from(*byte == b'\n' && !is_quoted);
            }
            let count = piece.len();
            reader.consume(count);
        }
        let is_complete = last == b'\n' && !is_quoted;
        Ok(is_complete && lines == self.lines)
    }
}

#[derive(Debug)]
pub(super) struct Output {
    /// `None` for standard output.
    file: Option<(PathBuf, File)>,
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
    /// `out` is `None` for standard output. `state` is the state file of `--resume`, which will refer to the output, and `before` what it
    /// records.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not the one that the earlier crawl has left.
    pub(super) fn open(
        out: Option<&Path>,
        state: Option<&Path>,
        before: Option<Before>,
    ) -> anyhow::Result<Self> {
        match (out, before.map(|before| before.bytes)) {
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
                    file: Some((path.to_owned(), replacement.file()?)),
                    replacement: Some(replacement),
                    ..Self::to(None, false, 0)
                })
            }
            (Some(path), _) => Self::file(path, state, before),
        }
    }

    /// Opens and locks the file. A crawl that is resumed continues at the length that its state names; a shorter file
    /// is an error.
    fn file(path: &Path, state: Option<&Path>, before: Option<Before>) -> anyhow::Result<Self> {
        let before = before.and_then(|before| Some((before, before.bytes?)));
        let opened = OpenOptions::new()
            .write(true)
            .create(before.is_none())
            .truncate(false)
            .open(path);
        let mut file = match (opened, before) {
            (Err(error), Some((_, bytes))) if error.kind() == io::ErrorKind::NotFound => {
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
        let Some((before, bytes)) = before else {
            if !is_stream {
                file.set_len(0).map_err(at(path))?;
            }
            return Ok(Self::to(Some((path.to_owned(), file)), is_stream, 0));
        };
        let length = file.metadata()?.len();
        if length < bytes {
            let why = format!("the file has only {}", Count(length, "byte"));
            return Err(lost(path, state, bytes, &why));
        }
        if !is_stream && !before.is_in(path, bytes).map_err(at(path))? {
            let lines = Count(before.lines, "line");
            let why = format!("they are not the {lines} that the state records");
            return Err(lost(path, state, bytes, &why));
        }
        file.set_len(bytes).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        Ok(Self::to(Some((path.to_owned(), file)), is_stream, bytes))
    }

    fn to(file: Option<(PathBuf, File)>, is_stream: bool, bytes: u64) -> Self {
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
    ///
    /// # Errors
    ///
    /// With the name of the file.
    pub(super) fn append(&mut self, mut bytes: impl Read) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier write failed"));
        }
        progress::line::clear();
        // Until it is all written.
        self.is_broken = true;
        self.bytes += match &mut self.file {
            Some((path, file)) => io::copy(&mut bytes, file).map_err(at(path))?,
            None => {
                let written = io::copy(&mut bytes, &mut io::stdout())?;
                io::stdout().flush()?;
                written
            }
        };
        self.is_broken = false;
        Ok(())
    }

    /// The bytes that were kept, from their beginning. None are kept after that.
    pub(super) fn take_kept(&mut self) -> io::Result<SpooledTempFile> {
        let kept = mem::replace(&mut self.kept, nothing_kept());
        let kept = kept.into_inner().map_err(IntoInnerError::into_error);
        let rewound = kept.and_then(|mut kept| kept.rewind().map(|()| kept));
        rewound.map_err(at(Path::new("a temporary file")))
    }

    /// Writes the bytes that were kept.
    pub(super) fn append_kept(&mut self) -> io::Result<()> {
        let kept = self.take_kept()?;
        self.append(kept)
    }

    /// Waits until what was written is on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        match &self.file {
            Some((path, file)) if !self.is_stream => file.sync_data().map_err(at(path)),
            _ => Ok(()),
        }
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
