//! The sitemaps that one index lists, kept until the crawl takes them over.

use std::sync::Arc;

use url::Url;

use crate::value::W3cDatetime;

use super::digest::{Digest, DigestMap};
use super::judge::{Judge, Lister};
use super::left_out::Tallies;
use super::text::bare;

#[derive(Debug)]
pub(super) struct Children {
    judge: Arc<Judge>,
    lister: Lister,
    seen: DigestMap<()>,
    /// Those that may be read, in the order of the index, each once.
    pub(super) found: Vec<(Digest, Box<str>)>,
    pub(super) left_out: Tallies,
    /// There is at least one.
    pub(super) is_index: bool,
    /// There are more than the crawl may read.
    pub(super) is_full: bool,
}

impl Children {
    pub(super) fn new(judge: Arc<Judge>, lister: Lister) -> Self {
        Self {
            judge,
            lister,
            seen: DigestMap::default(),
            found: Vec::new(),
            left_out: Tallies::default(),
            is_index: false,
            is_full: false,
        }
    }

    pub(super) fn add(&mut self, url: &Url, lastmod: Option<W3cDatetime>) {
        self.is_index = true;
        let has_extra =
            url.fragment().is_some() || !url.username().is_empty() || url.password().is_some();
        let owned;
        let url = if has_extra {
            owned = bare(url.clone());
            &owned
        } else {
            url
        };
        let digest = self.judge.digester.of(url.as_str());
        if self.seen.contains_key(&digest) {
            return;
        }
        let most = self.judge.max_sitemaps;
        if let Err(reason) = self.judge.child(url, lastmod, &self.lister) {
            self.left_out.add(reason, digest, url.as_str(), most);
        } else if self.found.len() >= most {
            self.is_full = true;
        } else {
            self.seen.insert(digest, ());
            self.found.push((digest, url.as_str().into()));
        }
    }
}
