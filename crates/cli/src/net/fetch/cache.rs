//! Responses in a folder, which are requested again only if they have changed.
//!
//! One file per entry: gzip of a line with the validators of the response as JSON, and of the body. It is written under
//! another name and renamed, so that it is never incomplete. If it is damaged nevertheless, as the checksum of gzip shows,
//! or if it is of another URL, it is ignored.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use ureq::http::{HeaderMap, header};

use super::headers::{Headers, text};
use crate::disk::not_regular;
use crate::term::interrupt::{Listed, temporary};

/// Longer than any line of JSON that is written here.
const MAX_ABOUT: u64 = 64 << 10;

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct About {
    url: Url,
    etag: Option<String>,
    last_modified: Option<String>,
    pub(super) content_type: Option<String>,
}

/// The body of an entry.
pub(super) type Kept = BufReader<MultiGzDecoder<BufReader<File>>>;

impl Cache {
    /// # Errors
    ///
    /// If there is no such folder, and it cannot be created.
    pub(super) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the cache folder {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    fn path(&self, url: &Url) -> PathBuf {
        // Two URLs with one hash take turns: the URL is in the entry.
        let hash = hmac_sha256::Hash::hash(url.as_str().as_bytes());
        let [a, b, c, d, e, f, g, h, ..] = hash;
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        self.folder.join(format!("{number:016x}.entry"))
    }

    /// The entry, if it is complete: it is read to its end, which compares its checksum.
    pub(super) fn find(&self, url: &Url) -> Option<(About, Kept)> {
        let (_, mut body) = self.open(url).ok()?;
        io::copy(&mut body, &mut io::sink()).ok()?;
        self.open(url).ok()
    }

    /// The headers that ask for the document only if it is another than that of the entry, whose body has not been looked at.
    pub(super) fn condition(&self, url: &Url) -> Headers {
        let about = self.open(url).ok().map(|(about, _)| about);
        let known = about.map(|about| {
            [
                (header::IF_NONE_MATCH, about.etag),
                (header::IF_MODIFIED_SINCE, about.last_modified),
            ]
        });
        let known = known.into_iter().flatten();
        let known = known.filter_map(|(name, value)| Some((name, value?.try_into().ok()?)));
        known.collect()
    }

    fn open(&self, url: &Url) -> io::Result<(About, Kept)> {
        let path = self.path(url);
        // A pipe would have to be waited for, and a link leads out of the folder.
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(not_regular());
        }
        let file = BufReader::new(File::open(path)?);
        let mut body = BufReader::with_capacity(64 << 10, MultiGzDecoder::new(file));
        let mut line = Vec::new();
        body.by_ref().take(MAX_ABOUT).read_until(b'\n', &mut line)?;
        let about: About = serde_json::from_slice(&line)?;
        if about.url == *url {
            Ok((about, body))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    /// Begins an entry. Returns `None` if it cannot be written, or if the response has no validator.
    pub(super) fn begin(&self, url: &Url, headers: &HeaderMap) -> Option<Pending> {
        // An empty one is none.
        let validator = |name| text(headers, name).filter(|value| !value.is_empty());
        let about = About {
            url: url.clone(),
            etag: validator(&header::ETAG),
            last_modified: validator(&header::LAST_MODIFIED),
            content_type: text(headers, &header::CONTENT_TYPE),
        };
        if about.etag.is_none() && about.last_modified.is_none() {
            return None;
        }
        let mut line = serde_json::to_vec(&about).ok()?;
        line.push(b'\n');
        if line.len() as u64 > MAX_ABOUT {
            return None;
        }
        let make = || {
            tempfile::Builder::new()
                .prefix(".sitemap-")
                .tempfile_in(&self.folder)
        };
        let (file, listed) = temporary(make, NamedTempFile::path).ok()?;
        let file = BufWriter::with_capacity(64 << 10, file);
        let mut pending = Pending {
            file: GzEncoder::new(file, Compression::fast()),
            _listed: listed,
            path: self.path(url),
            is_good: true,
        };
        pending.write(&line);
        Some(pending)
    }
}

/// An entry whose body is still coming. Dropped before `commit`, it leaves nothing.
#[derive(Debug)]
pub(super) struct Pending {
    file: GzEncoder<BufWriter<NamedTempFile>>,
    /// For as long as there is the file.
    _listed: Listed,
    path: PathBuf,
    is_good: bool,
}

impl Pending {
    pub(super) fn write(&mut self, bytes: &[u8]) {
        // A full disk costs the entry, not the crawl.
        self.is_good = self.is_good && self.file.write_all(bytes).is_ok();
    }

    /// Renames the file, if the body is complete.
    pub(super) fn commit(self) {
        let persist = || {
            let file = self.file.finish()?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.persist(&self.path)?;
            io::Result::Ok(())
        };
        if self.is_good {
            let _ = persist();
        }
    }
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderValue;

    use super::*;

    fn body(cache: &Cache, url: &Url) -> Option<String> {
        let mut text = String::new();
        cache.find(url)?.1.read_to_string(&mut text).unwrap();
        Some(text)
    }

    fn headers(etag: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ETAG, HeaderValue::from_static(etag))])
    }

    #[test]
    fn what_is_broken_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path()).unwrap();
        let url: Url = "https://example.com/a".parse().unwrap();
        assert!(cache.begin(&url, &HeaderMap::new()).is_none());
        assert!(cache.begin(&url, &headers("")).is_none());

        let mut pending = cache.begin(&url, &headers("\"1\"")).unwrap();
        pending.write(b"hello");
        assert_eq!(body(&cache, &url), None);
        pending.commit();
        assert_eq!(body(&cache, &url).as_deref(), Some("hello"));
        assert_eq!(body(&cache, &url.join("/b").unwrap()), None);

        let path = cache.path(&url);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(body(&cache, &url), None, "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            // The mark of a text, the time, the way of packing and the system have no meaning here.
            let expected = (3..10).contains(&at).then_some("hello");
            assert_eq!(body(&cache, &url).as_deref(), expected, "{at}");
        }
        fs::write(&path, [whole.as_slice(), b"!"].concat()).unwrap();
        assert_eq!(body(&cache, &url), None);
        // A validator that would end its header, with a checksum that is right.
        let about = serde_json::json!({"url": url, "etag": "\"1\nX: y\"", "last_modified": null});
        let mut forged = GzEncoder::new(Vec::new(), Compression::fast());
        forged.write_all(about.to_string().as_bytes()).unwrap();
        fs::write(&path, forged.finish().unwrap()).unwrap();
        assert_eq!(body(&cache, &url).as_deref(), Some(""));
        assert!(cache.condition(&url).is_empty());
        let left = || fs::read_dir(folder.path()).unwrap().count();
        let pending = cache.begin(&url, &headers("\"2\"")).unwrap();
        assert_eq!(left(), 2);
        drop(pending);
        assert_eq!(left(), 1);
    }
}
