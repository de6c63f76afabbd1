//! One sitemap, written beside its place and put there whole; or standard output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap::{Result, TextWriter, UrlEntry, UrlsetWriter, WriterBuilder};

use crate::folder::folder_of;
use crate::interrupt::Temporary;
use crate::output;

#[derive(Debug)]
pub(super) struct FileWriter {
    format: FormatWriter,
}

#[derive(Debug)]
enum FormatWriter {
    Urlset(UrlsetWriter<Packed>),
    Text(TextWriter<Packed>),
}

/// The bytes of the file, before they are compressed.
enum Packed {
    Plain(Place),
    Gzip(Box<GzEncoder<Place>>),
}

/// Where the bytes go.
enum Place {
    /// A file that takes the place of `path` when it is complete. It removes itself if it never is.
    Beside { file: Temporary, path: PathBuf },
    /// What is no file, and cannot be replaced: a pipe, a device, standard output.
    Direct(Box<dyn Write + Send>),
}

impl FileWriter {
    pub(super) fn create(
        path: &Path,
        settings: &WriterBuilder,
        text: bool,
        gzip: bool,
    ) -> io::Result<Self> {
        Ok(Self::new(Place::at(path)?, settings, text, gzip))
    }

    pub(super) fn stdout(settings: &WriterBuilder, text: bool, gzip: bool) -> Self {
        Self::new(Place::Direct(output::stdout()), settings, text, gzip)
    }

    fn new(place: Place, settings: &WriterBuilder, text: bool, gzip: bool) -> Self {
        let packed = match gzip {
            true => Packed::Gzip(Box::new(GzEncoder::new(place, Compression::default()))),
            false => Packed::Plain(place),
        };
        let format = match text {
            true => FormatWriter::Text(settings.text(packed)),
            false => FormatWriter::Urlset(settings.urlset(packed)),
        };
        Self { format }
    }

    pub(super) fn write(&mut self, entry: &UrlEntry) -> Result<()> {
        match &mut self.format {
            FormatWriter::Urlset(writer) => writer.write(entry),
            FormatWriter::Text(writer) => writer.write(entry),
        }
    }

    pub(super) fn entries(&self) -> u64 {
        match &self.format {
            FormatWriter::Urlset(writer) => writer.entries(),
            FormatWriter::Text(writer) => writer.entries(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match &self.format {
            FormatWriter::Urlset(writer) => writer.bytes(),
            FormatWriter::Text(writer) => writer.bytes(),
        }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let packed = match self.format {
            FormatWriter::Urlset(writer) => writer.finish(),
            FormatWriter::Text(writer) => writer.finish(),
        };
        let place = match packed.map_err(io_cause)? {
            Packed::Plain(place) => place,
            Packed::Gzip(encoder) => encoder.finish()?,
        };
        place.complete()?;
        Ok(())
    }
}

/// The I/O error itself, so that a broken pipe is known for one.
fn io_cause(error: quick_sitemap::Error) -> anyhow::Error {
    match error.into_kind() {
        quick_sitemap::ErrorKind::Io(error) => error.into(),
        kind => anyhow::anyhow!("{kind:#}"),
    }
}

impl Place {
    fn at(path: &Path) -> io::Result<Self> {
        // What a link leads to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&path).ok();
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            let file = fs::OpenOptions::new().write(true).open(&path)?;
            return Ok(Self::Direct(Box::new(file)));
        }
        let file = beside(&path)?;
        Ok(Self::Beside { file, path })
    }

    fn complete(self) -> io::Result<()> {
        match self {
            Self::Beside { file, path } => replace(file, &path),
            Self::Direct(mut output) => output.flush(),
        }
    }
}

/// A file in the same folder, hidden, with the permissions that a new file would have.
pub(super) fn beside(path: &Path) -> io::Result<Temporary> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sitemap-").suffix(".tmp");
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(permissions);
    Temporary::new(|| builder.tempfile_in(folder)).map_err(|error| {
        // The name of a file that nobody has asked for would only puzzle.
        let message = match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            kind => format!("no file can be made in this folder: {kind}"),
        };
        io::Error::new(error.kind(), format!("{}: {message}", folder.display()))
    })
}

/// Puts the file in the place of `path`, whose permissions it keeps.
pub(super) fn replace(temporary: Temporary, path: &Path) -> io::Result<()> {
    let Temporary { file, listed } = temporary;
    if let Ok(before) = fs::metadata(path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    drop(listed);
    Ok(())
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside { file, .. } => file.file.write(bytes),
            Self::Direct(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside { file, .. } => file.file.flush(),
            Self::Direct(output) => output.flush(),
        }
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(place) => place.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(place) => place.flush(),
            // The encoder is finished next; a flush would only make the file larger.
            Self::Gzip(_) => Ok(()),
        }
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Place")
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packed")
    }
}
