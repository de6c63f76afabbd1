//! Responses in a folder, which are requested again only if they have changed.
//!
//! One file per entry: a fixed header, the validators of the response as JSON, the body. It is written under another
//! name and renamed, so that it is never incomplete; one that is damaged nevertheless (wrong length, wrong checksum,
//! another URL) is ignored.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use quick_sitemap::chrono::DateTime;
use quick_sitemap::crawl::Validators;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use ureq::http::HeaderValue;

use crate::term::interrupt::{Listed, Temporary};

/// With the number of this layout.
const MAGIC: [u8; 8] = *b"SITEMAP2";
/// Magic, length of the JSON, length of the body, checksum of both.
const HEADER: usize = 8 + 4 + 8 + 4;
/// Longer than any JSON that is written here.
const MAX_ABOUT: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// The files of entries to be.
    pending: Arc<Mutex<Names>>,
}

/// The names of entries to be; `None` when there are to be no more.
type Names = Option<HashSet<PathBuf>>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct About {
    url: Url,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content_encoding: Option<String>,
}

/// An entry whose checksum is right.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) about: About,
    /// Ends with the file.
    pub(super) body: File,
}

impl Cache {
    /// # Errors
    ///
    /// If there is no such folder, and it cannot be created.
    pub(super) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the cache folder {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            pending: Arc::new(Mutex::new(Some(HashSet::new()))),
        })
    }

    fn path(&self, url: &Url) -> PathBuf {
        // Two URLs with one hash take turns: the URL is in the entry.
        let hash = hmac_sha256::Hash::hash(url.as_str().as_bytes());
        let [a, b, c, d, e, f, g, h, ..] = hash;
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        self.folder.join(format!("{number:016x}.entry"))
    }

    pub(super) fn find(&self, url: &Url) -> Option<Kept> {
        read(&self.path(url))
            .ok()
            .flatten()
            .filter(|kept| kept.about.url == *url)
    }

    /// The validators of an entry, whose body has not been looked at.
    pub(super) fn validators(&self, url: &Url) -> Option<Validators> {
        let opened = open(&self.path(url)).ok().flatten()?;
        let about = opened.about;
        let date = about.last_modified.as_deref();
        let date = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok());
        (about.url == *url).then_some(Validators {
            etag: about
                .etag
                .filter(|etag| HeaderValue::from_str(etag).is_ok()),
            last_modified: date.map(Into::into),
        })
    }

    /// Removes the files of unfinished entries, and creates no others: the program may end before they are complete.
    pub(super) fn abandon(&self) {
        for path in lock(&self.pending).take().into_iter().flatten() {
            let _ = fs::remove_file(path);
        }
    }

    /// Begins an entry. Returns `None` if it cannot be written, or if the response has no validator.
    pub(super) fn begin(
        &self,
        url: &Url,
        etag: Option<String>,
        last_modified: Option<String>,
        content_type: Option<String>,
        content_encoding: Option<String>,
    ) -> Option<Pending> {
        if etag.is_none() && last_modified.is_none() {
            return None;
        }
        let about = About {
            url: url.clone(),
            etag,
            last_modified,
            content_type,
            content_encoding,
        };
        let about = serde_json::to_vec(&about)
            .ok()
            .filter(|about| about.len() <= MAX_ABOUT)?;
        let (mut file, registered) = {
            let mut names = lock(&self.pending);
            let names = names.as_mut()?;
            let make = || {
                tempfile::Builder::new()
                    .prefix(".sitemap-")
                    .tempfile_in(&self.folder)
            };
            let Temporary { file, listed } = Temporary::new(make, NamedTempFile::path).ok()?;
            let name = file.path().to_owned();
            names.insert(name.clone());
            let registered = Registered {
                name,
                pending: Arc::clone(&self.pending),
                _listed: listed,
            };
            (file, registered)
        };
        file.write_all(&[0; HEADER]).ok()?;
        file.write_all(&about).ok()?;
        let mut checksum = flate2::Crc::new();
        checksum.update(&about);
        Some(Pending {
            file: io::BufWriter::with_capacity(64 << 10, file),
            _registered: registered,
            path: self.path(url),
            about: u32::try_from(about.len()).ok()?,
            checksum,
            length: 0,
            is_good: true,
        })
    }
}

/// An entry whose checksum has not been compared.
struct Opened {
    about: About,
    file: File,
    /// The start of the body, and its length.
    begin: u64,
    length: u64,
    checksum: u32,
    /// That of what has been read.
    actual: flate2::Crc,
}

/// Opens a file of the cache and reads its header. Returns `None` if it is not one of this version.
fn open(path: &Path) -> io::Result<Option<Opened>> {
    // A pipe would have to be waited for, and a link leads out of the folder.
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    let mut header = header.as_slice();
    if take::<8>(&mut header)? != MAGIC {
        return Ok(None);
    }
    let about_length = u32::from_le_bytes(take(&mut header)?) as usize;
    let length = u64::from_le_bytes(take(&mut header)?);
    let checksum = u32::from_le_bytes(take(&mut header)?);
    if about_length > MAX_ABOUT {
        return Ok(None);
    }
    let mut about = vec![0; about_length];
    file.read_exact(&mut about)?;
    let begin = file.stream_position()?;
    let mut actual = flate2::Crc::new();
    actual.update(&about);
    Ok(Some(Opened {
        about: serde_json::from_slice(&about)?,
        file,
        begin,
        length,
        checksum,
        actual,
    }))
}

/// Reads a body of the cache and compares its checksum. Returns `None` if it is not complete.
fn read(path: &Path) -> io::Result<Option<Kept>> {
    let Some(opened) = open(path)? else {
        return Ok(None);
    };
    let Opened {
        about,
        mut file,
        begin,
        length,
        checksum,
        mut actual,
    } = opened;
    let mut buffer = vec![0; 64 << 10];
    let mut total = 0;
    loop {
        let count = file.read(&mut buffer)?;
        match buffer.get(..count) {
            Some([]) | None => break,
            Some(bytes) => actual.update(bytes),
        }
        total += count as u64;
    }
    if total != length || actual.sum() != checksum {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(begin))?;
    Ok(Some(Kept { about, body: file }))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> io::Result<[u8; N]> {
    let mut taken = [0; N];
    bytes.read_exact(&mut taken)?;
    Ok(taken)
}

/// An entry whose body is still coming. Dropped before `commit`, it leaves nothing.
#[derive(Debug)]
pub(super) struct Pending {
    file: io::BufWriter<NamedTempFile>,
    /// For as long as there is the file.
    _registered: Registered,
    path: PathBuf,
    about: u32,
    checksum: flate2::Crc,
    length: u64,
    is_good: bool,
}

impl Pending {
    pub(super) fn write(&mut self, bytes: &[u8]) {
        // A full disk costs the entry, not the crawl.
        self.is_good = self.is_good && self.file.write_all(bytes).is_ok();
        self.checksum.update(bytes);
        self.length += bytes.len() as u64;
    }

    pub(super) fn commit(self) {
        let _ = self.try_commit();
    }

    /// Writes the header and renames the file, if the body is complete.
    fn try_commit(self) -> io::Result<()> {
        if !self.is_good {
            return Ok(());
        }
        let mut file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&MAGIC)?;
        file.write_all(&self.about.to_le_bytes())?;
        file.write_all(&self.length.to_le_bytes())?;
        file.write_all(&self.checksum.sum().to_le_bytes())?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The name of a file that may have to be removed.
#[derive(Debug)]
struct Registered {
    name: PathBuf,
    pending: Arc<Mutex<Names>>,
    _listed: Listed,
}

impl Drop for Registered {
    fn drop(&mut self) {
        if let Some(names) = lock(&self.pending).as_mut() {
            names.remove(&self.name);
        }
    }
}

fn lock(pending: &Mutex<Names>) -> MutexGuard<'_, Names> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cache: &Cache, url: &Url) -> Option<String> {
        let mut text = String::new();
        cache.find(url)?.body.read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn what_is_broken_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path()).unwrap();
        let url: Url = "https://example.com/a".parse().unwrap();
        assert!(cache.begin(&url, None, None, None, None).is_none());

        let mut pending = cache
            .begin(&url, Some("\"1\"".to_owned()), None, None, None)
            .unwrap();
        pending.write(b"hello");
        assert_eq!(text(&cache, &url), None);
        pending.commit();
        assert_eq!(text(&cache, &url).as_deref(), Some("hello"));
        assert_eq!(text(&cache, &url.join("/b").unwrap()), None);

        let path = cache.path(&url);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(text(&cache, &url), None, "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(text(&cache, &url), None, "{at}");
        }
        // A validator that would end its header, with a checksum that is right.
        let about = serde_json::json!({"url": url, "etag": "\"1\nX: y\"", "last_modified": null});
        let about = about.to_string();
        let mut checksum = flate2::Crc::new();
        checksum.update(about.as_bytes());
        let forged = [
            &MAGIC[..],
            &u32::try_from(about.len()).unwrap().to_le_bytes(),
            &[0; 8],
            &checksum.sum().to_le_bytes(),
            about.as_bytes(),
        ];
        fs::write(&path, forged.concat()).unwrap();
        assert_eq!(text(&cache, &url).as_deref(), Some(""));
        assert_eq!(cache.validators(&url).unwrap(), Validators::default());
        fs::write(&path, [whole.as_slice(), b"!"].concat()).unwrap();
        assert_eq!(text(&cache, &url), None);
        let left = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left(), 1);

        let pending = cache
            .begin(&url, Some("\"2\"".to_owned()), None, None, None)
            .unwrap();
        assert_eq!(left(), 2);
        cache.abandon();
        assert_eq!(left(), 1);
        pending.commit();
        assert_eq!(left(), 1);
        // A response that comes while the program ends.
        assert!(
            cache
                .begin(&url, Some("\"3\"".to_owned()), None, None, None)
                .is_none()
        );
        assert_eq!(left(), 1);
    }
}
