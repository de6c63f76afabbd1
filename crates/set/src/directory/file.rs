//! The two states of a file of a set: [`PartFile`] while it is written, and [`CompleteFile`].

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;
use hmac_sha256::Hash;

use super::fs::is_same;
use crate::files::{at, remove};

/// A part that a [`Directory`](crate::Directory) is writing: a file, gzipped or not. In a dry run, only digests are made of
/// it.
pub struct PartFile {
    output: Output,
    /// In a dry run, the digest of the text before compression.
    text: Option<Hash>,
}

enum Output {
    Plain(Content),
    Gzip(Box<GzEncoder<Content>>),
}

/// The bytes of the file.
struct Content {
    /// The hidden file; `None` in a dry run.
    file: Option<(File, PathBuf)>,
    /// The digest of the bytes, if it is needed.
    digest: Option<Hash>,
}

/// A SHA-256 digest.
pub(super) type Digest = [u8; 32];

impl fmt::Debug for PartFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = match &self.output {
            Output::Plain(content) => content,
            Output::Gzip(encoder) => encoder.get_ref(),
        };
        f.debug_struct("PartFile")
            .field("file", &content.file)
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
        let text = file.is_none().then(Hash::new);
        let digest = (fingerprint || file.is_none()).then(Hash::new);
        let content = Content { file, digest };
        let output = if gzip {
            Output::Gzip(Box::new(GzEncoder::new(content, Compression::default())))
        } else {
            Output::Plain(content)
        };
        Self { output, text }
    }

    /// Ends the file, with the gzip trailer, and begins to sync it, unless the visible file of its name has the same content.
    /// `name` gets the digest and returns the name and the visible file.
    pub(super) fn complete(
        self,
        name: impl FnOnce(Option<Digest>) -> io::Result<(String, PathBuf)>,
    ) -> io::Result<CompleteFile> {
        let Content { file, digest } = match self.output {
            Output::Plain(content) => content,
            Output::Gzip(encoder) => encoder.finish()?,
        };
        let digest = digest.map(|digest| digest.finalize());
        let (name, visible) = name(digest)?;
        let state = match (file, self.text) {
            (Some((file, path)), _) => State::of_file(file, path, &visible)?,
            (None, Some(_)) if digest_of(&visible)? == digest => State::Same,
            (None, text) => State::DryRun(text.map(|text| text.finalize())),
        };
        Ok(CompleteFile { name, state })
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.output {
            Output::Plain(content) => content.write(bytes)?,
            Output::Gzip(encoder) => encoder.write(bytes)?,
        };
        if let Some(text) = &mut self.text {
            text.update(bytes.get(..written).unwrap_or(bytes));
        }
        Ok(written)
    }

    /// Does nothing: `close` finishes the encoder, and flushing it earlier would only make the file larger.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest of a visible file, or `None` if there is no file.
fn digest_of(visible: &Path) -> io::Result<Option<Digest>> {
    let mut file = match File::open(visible) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(at(visible))?,
    };
    let (mut digest, mut buffer) = (Hash::new(), vec![0; 64 << 10]);
    loop {
        let read = file.read(&mut buffer).map_err(at(visible))?;
        match buffer.get(..read) {
            Some(bytes) if !bytes.is_empty() => digest.update(bytes),
            _ => return Ok(Some(digest.finalize())),
        }
    }
}

/// A file that is complete.
#[derive(Debug)]
pub(super) struct CompleteFile {
    /// Its final name.
    pub(super) name: String,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The visible file of that name has the same bytes, and stays.
    Same,
    /// The hidden file, which will be renamed, and the thread that waits until it is on the disk.
    Hidden(PathBuf, Option<JoinHandle<io::Result<()>>>),
    /// The visible file of that name is missing or has other bytes, and stays nevertheless. The digest is that of the text
    /// before compression.
    DryRun(Option<Digest>),
}

impl State {
    fn of_file(mut file: File, path: PathBuf, visible: &Path) -> io::Result<Self> {
        if is_same(&mut file, visible).unwrap_or(false) {
            drop(file);
            remove(&path)?;
            return Ok(Self::Same);
        }
        let place = path.clone();
        let sync = move || file.sync_all().map_err(at(&place));
        let syncing = Builder::new()
            .name("quick-sitemap".to_owned())
            .spawn(sync)?;
        Ok(Self::Hidden(path, Some(syncing)))
    }
}

impl CompleteFile {
    /// Returns `true` if the visible file is missing or has other bytes.
    pub(super) const fn is_changed(&self) -> bool {
        !matches!(self.state, State::Same)
    }

    /// The file that will be renamed.
    pub(super) fn hidden(&self) -> Option<&Path> {
        match &self.state {
            State::Hidden(path, _) => Some(path),
            State::Same | State::DryRun(_) => None,
        }
    }

    /// The file of a dry run whose text has this name, not compressed; `None` if this part has a file, hidden or visible.
    pub(super) fn renamed(&self, name: String, visible: &Path) -> io::Result<Option<Self>> {
        let State::DryRun(text) = &self.state else {
            return Ok(None);
        };
        let state = if digest_of(visible)? == *text {
            State::Same
        } else {
            State::DryRun(*text)
        };
        Ok(Some(Self { name, state }))
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
