//! The two states of a file of a set: [`PartFile`] while it is written, and [`CompleteFile`].

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use hmac_sha256::Hash;

use super::fs::kind_of;
use crate::files::{at, is_same, remove};
use crate::output::Output;

/// A part that a [`Directory`](crate::Directory) is writing: a file, gzipped or not. A [dry
/// run](crate::Directory::dry_run) keeps only digests of it.
pub struct PartFile {
    output: Output<Content>,
    /// The digest of the bytes before compression, in a dry run only. If the part becomes the only sitemap of the set, it is
    /// not gzipped, and these are the bytes of its file.
    text: Option<Hash>,
}

/// The bytes of the file.
struct Content {
    /// The hidden file and its path; `None` in a dry run.
    file: Option<(File, PathBuf)>,
    /// The digest, if the name of the file needs it, or in a dry run.
    digest: Option<Hash>,
}

/// A SHA-256 digest.
pub(super) type Digest = [u8; 32];

impl fmt::Debug for PartFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartFile")
            .field("file", &self.output.get_ref().file)
            .finish_non_exhaustive()
    }
}

impl Write for Content {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some((file, path)) = &mut self.file {
            file.write_all(bytes).map_err(at(path))?;
        }
        if let Some(digest) = &mut self.digest {
            digest.update(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PartFile {
    /// `file` is the hidden file with its path. Without one, this is a dry run.
    pub(super) fn new(file: Option<(File, PathBuf)>, fingerprint: bool, gzip: bool) -> Self {
        let is_dry_run = file.is_none();
        let digest = (fingerprint || is_dry_run).then(Hash::new);
        Self {
            output: Output::new(Content { file, digest }, gzip),
            text: is_dry_run.then(Hash::new),
        }
    }

    /// Ends the file, with the gzip trailer. If the visible file of its name has other bytes, begins to sync the file;
    /// otherwise removes it. `name` gets the digest and returns the name and the path of the visible file.
    pub(super) fn complete(
        self,
        name: impl FnOnce(Option<Digest>) -> io::Result<(String, PathBuf)>,
    ) -> io::Result<CompleteFile> {
        let Content { file, digest } = self.output.finish()?;
        let digest = digest.map(|digest| digest.finalize());
        let (name, visible) = name(digest)?;
        let state = match file {
            Some((file, path)) => State::of_file(file, path, &visible)?,
            None => {
                let text = self.text.map(|text| text.finalize());
                State::of_dry_run(digest, text, &visible)
            }
        };
        Ok(CompleteFile::new(name, state))
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        if let Some(text) = &mut self.text {
            text.update(bytes.get(..written).unwrap_or(bytes));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The digest of a visible file, or `None` if it is not a regular file or cannot be read, so that a run replaces it.
fn digest_of(visible: &Path) -> Option<Digest> {
    kind_of(visible).ok()?.filter(fs::FileType::is_file)?;
    let mut content = Content {
        file: None,
        digest: Some(Hash::new()),
    };
    io::copy(&mut File::open(visible).ok()?, &mut content).ok()?;
    content.digest.map(|digest| digest.finalize())
}

/// A file that is complete.
#[derive(Debug)]
pub(super) struct CompleteFile {
    /// Its final name.
    pub(super) name: String,
    /// Number of entries; 0 until the set is complete.
    pub(super) entries: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The visible file of that name has the same bytes, and stays.
    Same,
    /// The visible file of that name stays, because its group is kept.
    Kept,
    /// The hidden file, which will be renamed, and the thread that waits until it is on the disk.
    Hidden(PathBuf, Option<JoinHandle<io::Result<()>>>),
    /// A dry run: the visible file of that name would be created or replaced. The digest is that of the bytes before
    /// compression.
    DryRun(Option<Digest>),
}

impl State {
    fn of_file(file: File, path: PathBuf, visible: &Path) -> io::Result<Self> {
        if is_same(&file, visible) {
            drop(file);
            remove(&path)?;
            return Ok(Self::Same);
        }
        let place = path.clone();
        let sync = move || file.sync_all().map_err(at(&place));
        let thread = Builder::new().name("quick-sitemap".to_owned());
        Ok(Self::Hidden(path, Some(thread.spawn(sync)?)))
    }

    /// `file` is the digest of the file, `text` that of its bytes before compression.
    fn of_dry_run(file: Option<Digest>, text: Option<Digest>, visible: &Path) -> Self {
        if digest_of(visible) == file {
            Self::Same
        } else {
            Self::DryRun(text)
        }
    }
}

impl CompleteFile {
    const fn new(name: String, state: State) -> Self {
        Self {
            name,
            entries: 0,
            state,
        }
    }

    /// A visible file that stays as it is.
    pub(super) fn kept(name: String, entries: u64) -> Self {
        let kept = Self::new(name, State::Kept);
        Self { entries, ..kept }
    }

    pub(super) const fn is_kept(&self) -> bool {
        matches!(self.state, State::Kept)
    }

    /// Returns `true` if the visible file is missing or has other bytes.
    pub(super) const fn is_changed(&self) -> bool {
        !matches!(self.state, State::Same | State::Kept)
    }

    /// The file that will be renamed.
    pub(super) fn hidden(&self) -> Option<&Path> {
        match &self.state {
            State::Hidden(path, _) => Some(path),
            State::Same | State::Kept | State::DryRun(_) => None,
        }
    }

    /// In a dry run, returns a file named `name` with the bytes of this one before compression. Returns `None` if this is not
    /// a dry run, or if the visible file has the same bytes.
    pub(super) fn renamed(&self, name: String, visible: &Path) -> Option<Self> {
        let State::DryRun(text) = self.state else {
            return None;
        };
        Some(Self::new(name, State::of_dry_run(text, text, visible)))
    }

    /// Waits until the bytes are on the disk.
    pub(super) fn synced(&mut self) -> io::Result<()> {
        let State::Hidden(_, syncing) = &mut self.state else {
            return Ok(());
        };
        let panicked = |_| io::Error::other("the thread that syncs a sitemap has panicked");
        let wait = |task: JoinHandle<_>| task.join().map_err(panicked)?;
        syncing.take().map_or(Ok(()), wait)
    }
}
