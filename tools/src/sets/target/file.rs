//! The writer of the output: one sitemap, written under a temporary name and renamed when it is complete, or a set.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap::{
    Directory, Result, SplitWriter, TextWriter, UrlEntry, UrlsetWriter, WriterBuilder,
};

use crate::sets::destination::Destination;

#[derive(Debug)]
pub(super) enum Writer {
    Set(Box<SplitWriter<Directory>>),
    Urlset(Box<UrlsetWriter<Packed>>),
    Text(Box<TextWriter<Packed>>),
}

/// The bytes of the file, before they are compressed.
pub(super) enum Packed {
    Plain(Destination),
    Gzip(Box<GzEncoder<Destination>>),
}

impl Writer {
    pub(super) fn file(
        place: Destination,
        settings: &WriterBuilder,
        text: bool,
        gzip: bool,
    ) -> Self {
        let packed = if gzip {
            Packed::Gzip(Box::new(GzEncoder::new(place, Compression::default())))
        } else {
            Packed::Plain(place)
        };
        if text {
            Self::Text(Box::new(settings.text(packed)))
        } else {
            Self::Urlset(Box::new(settings.urlset(packed)))
        }
    }

    /// `group` is for a set.
    pub(super) fn write(&mut self, entry: &UrlEntry, group: Option<&str>) -> Result<()> {
        match (self, group) {
            (Self::Set(writer), Some(group)) => writer.group(group).write(entry),
            (Self::Set(writer), None) => writer.write(entry),
            (Self::Urlset(writer), _) => writer.write(entry),
            (Self::Text(writer), _) => writer.write(entry),
        }
    }

    /// Numbers of entries and of bytes so far.
    pub(super) fn written(&self) -> (u64, u64) {
        match self {
            Self::Set(writer) => (writer.progress().entries, writer.progress().bytes),
            Self::Urlset(writer) => (writer.entries(), writer.bytes()),
            Self::Text(writer) => (writer.entries(), writer.bytes()),
        }
    }
}

impl Packed {
    /// Puts the file in its place.
    pub(super) fn complete(self) -> io::Result<()> {
        match self {
            Self::Plain(place) => place.complete(),
            Self::Gzip(encoder) => encoder.finish()?.complete(),
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

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packed")
    }
}
