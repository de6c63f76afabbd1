use std::fs::File;
use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

/// A part that a [`Directory`](crate::Directory) is writing: a file, gzipped or not.
///
/// # Examples
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-file-{}", std::process::id()));
/// use quick_sitemap::{Directory, PartFile, Parts};
///
/// fn takes_files<P: Parts<Writer = PartFile>>(_parts: P) {}
/// takes_files(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
/// # std::fs::remove_dir_all(&public).unwrap();
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug)]
pub struct PartFile(Output);

#[derive(Debug)]
enum Output {
    Plain(File),
    Gzip(Box<GzEncoder<File>>),
}

/// "Unknown" in RFC 1952: the same bytes wherever they are written.
const NO_SYSTEM: u8 = 255;

impl PartFile {
    pub(super) const fn plain(file: File) -> Self {
        Self(Output::Plain(file))
    }

    pub(super) fn gzip(file: File, level: u32) -> Self {
        let header = GzBuilder::new().mtime(0).operating_system(NO_SYSTEM);
        let encoder = header.write(file, Compression::new(level));
        Self(Output::Gzip(Box::new(encoder)))
    }

    /// The whole file is on the disk when this returns, the gzip trailer included.
    pub(super) fn close(self) -> io::Result<()> {
        let file = match self.0 {
            Output::Plain(file) => file,
            Output::Gzip(encoder) => encoder.finish()?,
        };
        file.sync_all()
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Output::Plain(file) => file.write(bytes),
            Output::Gzip(encoder) => encoder.write(bytes),
        }
    }

    /// Closing it flushes the encoder; to do so before only makes the file larger.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Output::Plain(file) => file.flush(),
            Output::Gzip(_) => Ok(()),
        }
    }
}
