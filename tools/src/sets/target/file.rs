//! One sitemap, written under a temporary name and renamed when it is complete; or standard output.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap::{Result, TextWriter, UrlEntry, UrlsetWriter, WriterBuilder};

use crate::sets::destination::Destination;

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
    Plain(Destination),
    Gzip(Box<GzEncoder<Destination>>),
}

impl FileWriter {
    pub(super) fn create(
        path: &Path,
        settings: &WriterBuilder,
        text: bool,
        gzip: bool,
    ) -> io::Result<Self> {
        Ok(Self::new(Destination::at(path)?, settings, text, gzip))
    }

    pub(super) fn stdout(settings: &WriterBuilder, text: bool, gzip: bool) -> Self {
        Self::new(Destination::stdout(), settings, text, gzip)
    }

    fn new(place: Destination, settings: &WriterBuilder, text: bool, gzip: bool) -> Self {
        let packed = if gzip {
            Packed::Gzip(Box::new(GzEncoder::new(place, Compression::default())))
        } else {
            Packed::Plain(place)
        };
        let format = if text {
            FormatWriter::Text(settings.text(packed))
        } else {
            FormatWriter::Urlset(settings.urlset(packed))
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

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packed")
    }
}
