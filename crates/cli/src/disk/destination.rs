//! The output of a command: standard output, or a file.

use std::fs;
use std::io::{self, Write};
use std::io::{BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use flate2::{Compression, write::GzEncoder};

use crate::disk::at;
use crate::disk::replacement::Replacement;
use crate::term::output;

/// The byte order mark of UTF-8.
pub(crate) const BOM: &str = "\u{feff}";

/// The output of a command that prints a result.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Out {
    /// The file to write, instead of standard output (`-`); it is replaced when the output is complete
    #[arg(long, short, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Out {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// The format that was typed, or else the one that the end of the file's name names. `None` for a name without an
    /// ending.
    ///
    /// # Errors
    ///
    /// Those of [`format_of_name`].
    pub(crate) fn format<F: ValueEnum>(&self, typed: Option<F>) -> anyhow::Result<Option<F>> {
        match (typed, self.path()) {
            (None, Some(path)) if path != Path::new("-") => format_of_name("--out", path),
            (typed, _) => Ok(typed),
        }
    }

    /// # Errors
    ///
    /// With the path.
    pub(crate) fn open(&self) -> io::Result<Destination> {
        let path = self.path().unwrap_or(Path::new("-"));
        if path != Path::new("-") {
            output::is_file();
        }
        Destination::at(path)
    }
}

/// Endings of names that are not the name of a format.
const ENDINGS: [(&str, &str); 5] = [
    ("htm", "html"),
    ("list", "text"),
    ("ndjson", "jsonl"),
    ("tab", "tsv"),
    ("txt", "text"),
];

/// The format that the ending of a name stands for, for all outputs; `None` for a name without an ending, and for `.txt` if
/// that is the form without a name.
///
/// # Errors
///
/// If the output has no such format: a table must not get the name of a page or of a workbook.
pub(crate) fn format_of_name<F: ValueEnum>(option: &str, path: &Path) -> anyhow::Result<Option<F>> {
    let Some(ending) = path.extension() else {
        return Ok(None);
    };
    let ending = ending.to_string_lossy().to_ascii_lowercase();
    let known = ENDINGS.iter().find(|(known, _)| *known == ending);
    let name = known.map_or(&*ending, |(_, name)| name);
    match F::from_str(name, true) {
        Ok(format) => Ok(Some(format)),
        Err(_) if name == "text" => Ok(None),
        Err(_) => anyhow::bail!(
            "{option} {}: the output cannot be `.{ending}`; --format names the form that it has",
            path.display()
        ),
    }
}

/// The level that `quick-sitemap-set` uses, and gives the reason for.
const LEVEL: Compression = Compression::new(5);

/// The destination of the bytes.
pub(crate) enum Destination {
    /// An output that is not a file, and cannot be replaced: a pipe, a device, standard output.
    Direct(Box<dyn Write + Send>),
    /// A file that takes the place of another when it is complete. It removes itself if it never is.
    Beside(BufWriter<Replacement>),
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
            return Ok(Self::Direct(Box::new(Device(file, path.to_owned()))));
        }
        Ok(Self::Beside(BufWriter::new(Replacement::of(path)?)))
    }

    pub(crate) fn gzipped(self) -> Self {
        Self::Gzip(Box::new(GzEncoder::new(self, LEVEL)))
    }

    /// Begins CSV: in a file with a byte order mark, without which spreadsheets take UTF-8 for another encoding. In a pipe a
    /// program would take it for a part of the first name.
    pub(crate) fn begin_csv(&mut self) -> io::Result<()> {
        let is_file = match self {
            Self::Direct(_) => output::is_empty_file(),
            Self::Beside(_) => true,
            Self::Gzip(_) => false,
        };
        if is_file {
            self.write_all(BOM.as_bytes())?;
        }
        Ok(())
    }

    pub(crate) fn complete(self) -> io::Result<()> {
        match self {
            Self::Direct(mut output) => output.flush(),
            Self::Beside(file) => {
                let file = file.into_inner().map_err(IntoInnerError::into_error)?;
                file.put_in_place()
            }
            Self::Gzip(encoder) => encoder.finish()?.complete(),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Direct(output) => output.write(bytes),
            Self::Beside(file) => file.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    /// Does nothing for a file: it is not seen before it is complete, and a flush makes a gzipped one larger.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Direct(output) => output.flush(),
            Self::Beside(_) | Self::Gzip(_) => Ok(()),
        }
    }
}

/// A pipe or a device, whose errors have its name.
pub(crate) struct Device<W>(pub(crate) W, pub(crate) PathBuf);

impl<W: Write> Write for Device<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(at(&self.1))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(at(&self.1))
    }
}
