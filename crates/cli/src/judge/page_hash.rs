//! Hashes of pages, which everything that compares the pages of a run shares.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher, RandomState};

use quick_sitemap::url::Url;

use super::page_key::page_key;
use crate::net::spelling::without_scheme;

/// The keys, which differ in each run of the program, so that no author of a document can make two pages alike.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageHasher(RandomState);

/// Hashes of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageHash {
    /// Of what all spellings of a page share.
    pub(crate) every: u64,
    /// Of its [`page_key`].
    pub(crate) key: u64,
    /// Of its URL.
    pub(crate) url: u64,
}

impl PageHasher {
    pub(crate) fn of(&self, url: &Url) -> PageHash {
        let key = page_key(url);
        let whole = without_scheme(&key);
        let query = memchr::memchr(b'?', whole.as_bytes()).unwrap_or(whole.len());
        let (path, query) = whole.split_at_checked(query).unwrap_or((whole, ""));
        let path_only = path.trim_end_matches('/');
        let every = self.hash([path_only, query]);
        // Keys differ in what has been removed.
        let (before, slashes) = (key.len() - whole.len(), path.len() - path_only.len());
        let hash_of_key = every ^ (1 + before as u64 + 16 * slashes as u64);
        let url = match &key {
            Cow::Borrowed(key) if key.len() == url.as_str().len() => hash_of_key,
            _ => self.hash([url.as_str(), ""]),
        };
        PageHash {
            every,
            key: hash_of_key,
            url,
        }
    }

    /// The hash of a URL without its final slash, in lower case.
    pub(crate) fn folded(&self, url: &str) -> u64 {
        let url = url.trim_end_matches('/').to_ascii_lowercase();
        self.hash([&url, ""])
    }

    /// No text has two divisions: the second part is a query.
    fn hash(&self, parts: [&str; 2]) -> u64 {
        let mut hasher = self.0.build_hasher();
        for part in parts {
            hasher.write(part.as_bytes());
        }
        hasher.finish()
    }
}
