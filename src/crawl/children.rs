//! The sitemaps that one index lists, kept until the crawl takes them over.

use std::sync::Arc;

use url::Url;

use crate::value::W3cDatetime;

use super::builder::Child;
use super::digest::{Digest, DigestMap};
use super::left_out::{Counts, Examples, Reason};
use super::rules::Rules;
use super::text::{bare, host};

#[derive(Debug)]
pub(super) struct Children {
    rules: Arc<Rules>,
    parent: Url,
    /// The host on which it can list sitemaps in addition to the trusted ones.
    beside: Option<String>,
    depth: u32,
    /// The listings, with the reason why one is not followed.
    seen: DigestMap<Option<Reason>>,
    /// Those that may be read, in the order of the index, each once.
    pub(super) found: Vec<(Digest, Box<str>)>,
    /// Listings that are not followed and found no room in `seen`.
    uncounted: Counts,
    pub(super) examples: Examples,
    /// There is at least one.
    pub(super) is_index: bool,
}

impl Children {
    /// `parent` is listed at this depth, and was read at `location`.
    pub(super) fn new(rules: Arc<Rules>, parent: Url, location: &Url, depth: u16) -> Self {
        Self {
            rules,
            parent,
            beside: host(location).filter(|_| depth == 1),
            depth: u32::from(depth) + 1,
            seen: DigestMap::default(),
            found: Vec::new(),
            uncounted: Counts::default(),
            examples: Examples::default(),
            is_index: false,
        }
    }

    pub(super) fn add(&mut self, url: &Url, lastmod: Option<W3cDatetime>) {
        self.is_index = true;
        let url = &*bare(url);
        let digest = self.rules.digester.of(url.as_str());
        if self.seen.contains_key(&digest) {
            return;
        }
        let child = Child {
            url,
            lastmod,
            parent: &self.parent,
            depth: self.depth,
        };
        let options = &self.rules.options;
        let most = options.max_sitemaps.min(options.max_children);
        let judged = match self.rules.child(&child, self.beside.as_deref()) {
            Ok(()) if self.found.len() >= most => Err(Reason::TooMany),
            judged => judged,
        };
        match judged {
            Ok(()) => {
                self.seen.insert(digest, None);
                self.found.push((digest, url.as_str().into()));
            }
            Err(reason) => {
                self.examples.add(reason, url.as_str());
                if self.seen.len() < options.max_sitemaps.saturating_mul(2) {
                    self.seen.insert(digest, Some(reason));
                } else {
                    self.uncounted.add(reason)
                }
            }
        }
    }

    /// Counts the listings that are not followed, each once, except those that are `known` to be read anyway.
    pub(super) fn left_out(&self, known: impl Fn(Digest) -> bool) -> Counts {
        let mut counts = self.uncounted;
        let left_out = self.seen.iter();
        let left_out = left_out.filter_map(|(digest, reason)| Some((*digest, (*reason)?)));
        for (_, reason) in left_out.filter(|(digest, _)| !known(*digest)) {
            counts.add(reason);
        }
        counts
    }
}
