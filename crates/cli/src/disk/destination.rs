//! The output of a command that writes one file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::disk::replacement::{Replacement, at};
use crate::term::output;

/// The destination of the bytes.
pub(crate) enum Destination {
    /// A file that takes the place of another when it is complete. It removes itself if it never is.
    Beside(Replacement),
    /// An output that is not a file, and cannot be replaced: a pipe, a device, standard output.
    Direct(Box<dyn Write + Send>),
    Gzip(Box<GzEncoder<Self>>),
}

impl Destination {
    /// # Errors
    ///
    /// With the path.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Direct(output::stdout()));
        }
        if fs::metadata(path).is_ok_and(|before| !before.is_file()) {
            let file = fs::OpenOptions::new().write(true).open(path);
            let file = file.map_err(at(path))?;
            return Ok(Self::Direct(Box::new(file)));
        }
        Ok(Self::Beside(Replacement::of(path)?))
    }

    pub(crate) fn gzipped(self) -> Self {
        Self::Gzip(Box::new(GzEncoder::new(self, Compression::default())))
    }

    pub(crate) fn complete(self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.put_in_place(),
            Self::Direct(mut output) => output.flush(),
            Self::Gzip(encoder) => encoder.finish()?.complete(),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.write(bytes),
            Self::Direct(output) => output.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    /// Does nothing: [`complete`](Self::complete) flushes, and a flush before the end makes a gzipped file larger.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
