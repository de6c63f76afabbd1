//! The output of pages: complete lines, and their length in bytes.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError, Read, Seek};
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::SpooledTempFile;

use crate::disk::destination::{BOM, Destination, Device};
use crate::disk::{append_regular, at, lock};
use crate::term::count::Count;
use crate::term::messages::Advised;
use crate::term::output;

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
    fn is_in(self, file: &File, bytes: u64) -> io::Result<bool> {
        let mut reader = BufReader::new(file.take(bytes));
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

pub(super) struct Output {
    place: Place,
    bytes: u64,
    /// Writing has failed, perhaps in the middle of a line, so that nothing can follow.
    is_broken: bool,
    /// Bytes of the current sitemap.
    pub(super) kept: BufWriter<SpooledTempFile>,
}

enum Place {
    /// Standard output, a device, or a file that takes the place of an older one when it is complete.
    New(Destination),
    /// The file of a crawl that can be continued.
    Appended(PathBuf, File),
}

impl Output {
    /// `out` is `None` for standard output. `state` is the state file of `--resume`, which will refer to the output, and
    /// `before` what it records.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not the one that the earlier crawl has left.
    pub(super) fn open(
        out: Option<&Path>,
        state: Option<&Path>,
        before: Option<Before>,
    ) -> anyhow::Result<Self> {
        let file = out.filter(|path| !is_stream(path));
        let (place, bytes) = match (file.zip(state), before.map(|before| before.bytes)) {
            (None, Some(Some(_))) => {
                bail!("the earlier crawl wrote to a file; name that file with --out")
            }
            (Some(_), Some(None)) => {
                bail!("the earlier crawl wrote to standard output; leave out --out")
            }
            (Some((path, state)), _) => {
                let (file, bytes) = appended(path, state, before)?;
                (Place::Appended(path.to_owned(), file), bytes)
            }
            (None, _) => {
                // Not the one that hides the end of its reader.
                let stdout = || Device(io::stdout(), "standard output".into());
                let stdout = || Ok(Destination::Direct(Box::new(stdout())));
                (Place::New(out.map_or_else(stdout, Destination::at)?), 0)
            }
        };
        Ok(Self {
            place,
            bytes,
            is_broken: false,
            kept: nothing_kept(),
        })
    }

    /// The length of the file of a crawl that can be continued. It is not known whether bytes written to standard output
    /// have arrived, and they cannot be removed.
    pub(super) fn length(&self) -> Option<u64> {
        matches!(self.place, Place::Appended(..)).then_some(self.bytes)
    }

    /// Begins CSV, as every output does.
    pub(super) fn begin_csv(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::New(out) => out.begin_csv(),
            Place::Appended(..) => self.append(BOM.as_bytes()),
        }
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
        output::clear();
        // Until it is all written.
        self.is_broken = true;
        self.bytes += match &mut self.place {
            Place::Appended(path, file) => io::copy(&mut bytes, file).map_err(at(path))?,
            Place::New(out) => io::copy(&mut bytes, out)?,
        };
        self.is_broken = false;
        Ok(())
    }

    /// Writes the bytes that were kept, if they are to be written. None are kept after that.
    pub(super) fn end_kept(&mut self, is_written: bool) -> io::Result<()> {
        let kept = mem::replace(&mut self.kept, nothing_kept());
        let kept = kept.into_inner().map_err(IntoInnerError::into_error);
        let rewound = kept.and_then(|mut kept| kept.rewind().map(|()| kept));
        let kept = rewound.map_err(at(Path::new("a temporary file")))?;
        if is_written {
            self.append(kept)
        } else {
            Ok(())
        }
    }

    /// Waits until what was written is on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        match &self.place {
            Place::Appended(path, file) => file.sync_data().map_err(at(path)),
            Place::New(_) => Ok(()),
        }
    }

    /// The output is complete.
    pub(super) fn complete(self) -> io::Result<()> {
        match self.place {
            Place::New(out) => out.complete(),
            Place::Appended(..) => Ok(()),
        }
    }
}

/// Opens and locks the file, and cuts it back to the length that the state names.
fn appended(path: &Path, state: &Path, before: Option<Before>) -> anyhow::Result<(File, u64)> {
    let before = before.and_then(|before| Some((before, before.bytes?)));
    let bytes = before.map_or(0, |(_, bytes)| bytes);
    // The pages that the earlier crawl wrote are not all there.
    let lost = |why: String| {
        let (bytes, path) = (Count(bytes, "byte"), path.display());
        let message = format!("the earlier crawl wrote {bytes} to {path}, but {why}");
        let state = state.display();
        let advice = format!("restore the file, or delete {state} to begin the crawl anew");
        Err(Advised::new(message, advice).into())
    };
    if before.is_some() && !path.exists() {
        return lost("the file no longer exists".to_owned());
    }
    // A state that names the file must not outlive its name if the power fails.
    let opened = append_regular(path);
    let file = opened.with_context(|| format!("{} cannot be written", path.display()))?;
    // Before anything in it is changed.
    lock(&file, path, "another crawl is writing to")?;
    if let Some((before, bytes)) = before {
        let length = file.metadata()?.len();
        if length < bytes {
            return lost(format!("the file has only {}", Count(length, "byte")));
        }
        if !before.is_in(&file, bytes).map_err(at(path))? {
            let lines = Count(before.lines, "line");
            return lost(format!("they are not the {lines} that the state records"));
        }
    }
    file.set_len(bytes).map_err(at(path))?;
    Ok((file, bytes))
}

fn nothing_kept() -> BufWriter<SpooledTempFile> {
    BufWriter::new(SpooledTempFile::new(IN_MEMORY))
}

pub(super) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}
