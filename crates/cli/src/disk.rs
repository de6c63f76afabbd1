//! Files on disk: which are opened, and when their names are durable.

pub(crate) mod destination;
pub(crate) mod files;
pub(crate) mod replacement;
pub(crate) mod spool;

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;

/// That of a bare name is the current one.
pub(crate) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Opens a file that was found by its name in a folder, or of which only a regular file makes sense. A pipe, which would
/// have to be waited for, and a device are refused before they are opened.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(not_regular());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// Opens a file to read it and to append to it, and makes it if there is none. The name of a new file is on the disk when
/// this returns. A file that is not regular is rejected, as by [`open_regular`].
pub(crate) fn append_regular(path: &Path) -> io::Result<File> {
    let is_new = match open_regular(path) {
        Ok(_) => false,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let mut options = File::options();
    let file = options.read(true).append(true).create(is_new).open(path)?;
    if is_new {
        sync_name(path)?;
    }
    Ok(file)
}

/// Locks the file for this run, on file systems that know locks. `another` begins the error if another run has it.
pub(crate) fn lock(file: &File, path: &Path, another: &str) -> anyhow::Result<()> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => anyhow::bail!("{another} {}", path.display()),
        _ => Ok(()),
    }
}

/// Makes the name of a file durable, or of the one that a link leads to.
pub(crate) fn sync_name(file: &Path) -> io::Result<()> {
    let file = fs::canonicalize(file)?;
    let folder = folder_of(&file);
    // Elsewhere a folder cannot be opened like a file.
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        return synced.map_err(at(folder));
    }
    Ok(())
}

/// Adds the path to an error, whose kind stays.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The first bytes of gzip.
pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The content of a source, which may be gzipped. An error is returned after the bytes before it.
pub(crate) fn unzipped<'s>(mut source: impl Read + 's) -> Box<dyn Read + 's> {
    let mut head = Vec::new();
    let mut first = source.by_ref().take(GZIP.len() as u64);
    let failure = first.read_to_end(&mut head).err();
    let is_gzipped = head == GZIP;
    let source = Cursor::new(head).chain(Failing(failure)).chain(source);
    if is_gzipped {
        Box::new(flate2::read::GzDecoder::new(source))
    } else {
        Box::new(source)
    }
}

/// Returns an error once.
pub(crate) struct Failing(pub(crate) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
