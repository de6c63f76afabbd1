//! The sitemaps that one index lists, kept until the crawl takes them over.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use quick_sitemap::W3cDatetime;

use super::builder::Child;
use super::failure::Reason;
use super::identity::{page_key, shared_key};
use super::known::Listed;
use super::rules::Rules;
use super::summary::Omissions;
use super::text::{bare, is_too_long, site_key};

#[derive(Debug)]
pub(super) struct Children {
    pub(super) rules: Arc<Rules>,
    parent: Url,
    /// The depth at which the index is listed; 0 for robots.txt, and for the caller.
    depth: u16,
    /// The maximum number of those that are to be read.
    most: usize,
    /// The host and port on which it can list sitemaps in addition to the trusted ones.
    beside: Option<String>,
    seen: HashSet<Arc<str>>,
    /// In the order of the index, each once, and whether it is to be read. Beyond the maximum, only those that are.
    pub(super) listed: Vec<(Listed, bool)>,
    /// Number of those that are to be read.
    count: usize,
    /// Some are not in `listed`.
    pub(super) is_cut: bool,
    pub(super) left_out: Omissions,
}

impl Children {
    /// `parent` is listed at this depth, and was read at `location`.
    pub(super) fn new(rules: Arc<Rules>, parent: Url, location: &Url, depth: u16) -> Self {
        let options = &rules.options;
        let of_index = if depth == 0 {
            usize::MAX
        } else {
            options.max_children
        };
        Self {
            most: options.max_sitemaps.min(of_index),
            rules,
            parent,
            depth,
            beside: (depth == 1).then(|| site_key(location).to_owned()),
            seen: HashSet::new(),
            listed: Vec::new(),
            count: 0,
            is_cut: false,
            left_out: Omissions::default(),
        }
    }

    /// Returns `true` if the document lists none.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_cut && self.listed.is_empty()
    }

    /// Those that are kept.
    pub(super) fn all(&self) -> Arc<[Listed]> {
        let listed = self.listed.iter();
        listed.map(|(listed, _)| listed.clone()).collect()
    }

    /// Adds a listed sitemap, or counts it with the reason why it is left out.
    pub(super) fn add(&mut self, url: &Url, lastmod: Option<W3cDatetime>) {
        let url = &bare(url);
        let key = page_key(url);
        if self.seen.contains(&*key) {
            return;
        }
        let is_kept = self.listed.len() < self.most && !is_too_long(url);
        self.is_cut |= !is_kept;
        let is_read = !self.rules.roots.contains(&*key) && self.accepts(url, lastmod);
        if is_kept || is_read {
            let url: Arc<str> = url.as_str().into();
            self.seen.insert(shared_key(&url));
            self.count += usize::from(is_read);
            self.listed.push((Listed { url, lastmod }, is_read));
        }
    }

    /// Returns `true` if a sitemap is to be read.
    fn accepts(&mut self, url: &Url, lastmod: Option<W3cDatetime>) -> bool {
        let child = Child {
            url,
            lastmod,
            parent: &self.parent,
            depth: u32::from(self.depth) + 1,
        };
        let judged = match self.rules.child(&child, self.beside.as_deref()) {
            Ok(()) if self.count >= self.most => Err(Reason::TooMany),
            judged => judged,
        };
        if let Err(reason) = judged {
            self.left_out.add(reason, url.as_str());
        }
        judged.is_ok()
    }
}
