//! `create`: sitemaps that get their file name when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{IndexWriter, TextWriter, UrlsetWriter, WriterBuilder};
use crate::error::Result;
use crate::fs::{at, inherit, refuse_obstacle, remove, sync_folder};

/// The output of [`UrlsetWriter::create`], [`IndexWriter::create`] and [`TextWriter::create`]: a file that appears under its
/// name when the writer is [finished](UrlsetWriter::finish).
///
/// Until then the bytes are in a hidden file next to it (`.sitemap.xml.4711-0.tmp`), and an earlier file of that name stays as
/// it is. `finish` syncs the hidden file, renames it and syncs the directory, so readers find either the complete old file
/// or the complete new one, also after a power failure. If the writer is dropped before that, the hidden file is removed; if
/// the process is killed, it stays, and can be deleted. On systems other than Unix, directories cannot be synced, so the old
/// file may be visible after a power failure.
///
/// The new file gets the permissions of the file that it replaces. If the path is a symbolic link, the file to which it
/// leads is replaced.
#[derive(Debug)]
pub struct NewFile {
    output: FileOutput,
    path: PathBuf,
    temporary: PathBuf,
    is_complete: bool,
}

#[derive(Debug)]
enum FileOutput {
    Plain(File),
    Gzip(Box<GzEncoder<File>>),
}

/// Maximum number of names that are tried.
const ATTEMPTS: u64 = 1_000;

impl NewFile {
    fn create(path: &Path) -> io::Result<Self> {
        // The target of a link is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        refuse_obstacle(&path)?;
        let (file, temporary) = create_beside(&path)?;
        let nothing = Path::new("");
        inherit(&file, [&path, nothing, nothing]);
        let is_gzip = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let output = match is_gzip {
            true => FileOutput::Gzip(Box::new(GzEncoder::new(file, Compression::default()))),
            false => FileOutput::Plain(file),
        };
        Ok(Self {
            output,
            path,
            temporary,
            is_complete: false,
        })
    }

    /// Returns the path at which the file is, or will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file visible, durably.
    fn complete(&mut self) -> io::Result<()> {
        let synced = match &mut self.output {
            FileOutput::Plain(file) => file.sync_all(),
            FileOutput::Gzip(encoder) => encoder
                .try_finish()
                .and_then(|()| encoder.get_ref().sync_all()),
        };
        synced.map_err(at(&self.temporary))?;
        fs::rename(&self.temporary, &self.path).map_err(at(&self.path))?;
        self.is_complete = true;
        sync_folder(folder_of(&self.path))
    }
}

/// Opens a hidden file in the folder of this one, under a name that is free.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut taken = None;
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder_of(path).join(format!(".{name}.{}-{number}.tmp", process::id()));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Ok(file) => return Ok((file, temporary)),
            // Left by a process that had the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = Some(error),
            Err(error) => return Err(at(path)(error)),
        }
    }
    Err(at(path)(
        taken.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()),
    ))
}

fn folder_of(path: &Path) -> &Path {
    let parent = path.parent();
    parent
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            FileOutput::Plain(file) => file.write(bytes),
            FileOutput::Gzip(encoder) => encoder.write(bytes),
        }
        .map_err(at(&self.temporary))
    }

    /// `finish` flushes the encoder; to do so before only makes the file larger.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // If it cannot be removed, it is hidden and does no harm.
            let _ = remove(&self.temporary);
        }
    }
}

/// The methods that create a writer of one kind for a file.
macro_rules! create {
    ($(#[$doc:meta])* $writer:ident, $method:ident, $create:ident) => {
        impl $writer<NewFile> {
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// An I/O error with the path, if the file cannot be created, or if there is something other than a file.
            pub fn create(path: impl AsRef<Path>) -> Result<Self> {
                WriterBuilder::new().$create(path)
            }
        }

        impl WriterBuilder {
            #[doc = concat!("Creates a file, as [`", stringify!($writer), "::create`] does, with these settings.")]
            ///
            /// # Errors
            ///
            #[doc = concat!("Those of [`", stringify!($writer), "::create`].")]
            pub fn $create(&self, path: impl AsRef<Path>) -> Result<$writer<NewFile>> {
                let $writer(document) = self.$method(NewFile::create(path.as_ref())?);
                Ok($writer(document.completed_by(NewFile::complete)))
            }
        }
    };
}

create! {
    /// Creates a file of pages, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("quick-sitemap-doc-create-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// use quick_sitemap::{Reader, UrlEntry, UrlsetWriter};
    ///
    /// let path = folder.join("sitemap.xml.gz");
    /// let mut writer = UrlsetWriter::create(&path)?;
    /// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert_eq!(Reader::from_path(&path)?.count(), 1);
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    UrlsetWriter, urlset, create_urlset
}

create! {
    /// Creates an index, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    IndexWriter, index, create_index
}

create! {
    /// Creates a text sitemap, gzipped if its name ends with `.gz`. It appears under its name when the writer is
    /// [finished](Self::finish); see [`NewFile`].
    TextWriter, text, create_text
}
