//! The sitemaps that one index lists, kept until the crawl takes them over.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use quick_sitemap::W3cDatetime;

use super::builder::Child;
use super::left_out::{Omissions, Reason};
use super::rules::Rules;
use super::text::{bare, host};

#[derive(Debug)]
pub(super) struct Children {
    rules: Arc<Rules>,
    /// The number of the index.
    number: u32,
    parent: Url,
    /// The host on which it can list sitemaps in addition to the trusted ones.
    beside: Option<String>,
    /// The depth of what it lists.
    pub(super) depth: u16,
    seen: HashSet<Arc<str>>,
    /// Those that may be read, in the order of the index, each once.
    pub(super) found: Vec<Arc<str>>,
    pub(super) left_out: Omissions,
    /// There is at least one.
    pub(super) is_index: bool,
}

impl Children {
    /// `parent` is listed at this depth, and was read at `location`.
    pub(super) fn new(
        rules: Arc<Rules>,
        number: u32,
        parent: Url,
        location: &Url,
        depth: u16,
    ) -> Self {
        Self {
            rules,
            number,
            parent,
            beside: host(location).filter(|_| depth == 1),
            depth: depth.saturating_add(1),
            seen: HashSet::new(),
            found: Vec::new(),
            left_out: Omissions::default(),
            is_index: false,
        }
    }

    /// Adds a listed sitemap, or counts it with the reason why it is left out.
    pub(super) fn add(&mut self, url: &Url, lastmod: Option<W3cDatetime>) {
        self.is_index = true;
        let url = &*bare(url);
        if self.seen.contains(url.as_str()) || self.rules.roots.contains(url.as_str()) {
            return;
        }
        let child = Child {
            url,
            lastmod,
            parent: &self.parent,
            depth: u32::from(self.depth),
        };
        let options = &self.rules.options;
        let most = options.max_sitemaps.min(options.max_children);
        let judged = match self.rules.child(&child, self.beside.as_deref()) {
            Ok(()) if self.found.len() >= most => Err(Reason::TooMany),
            judged => judged,
        };
        if let Err(reason) = judged {
            self.left_out.add(self.number, reason, url.as_str());
        } else {
            let url: Arc<str> = url.as_str().into();
            self.seen.insert(Arc::clone(&url));
            self.found.push(url);
        }
    }
}
