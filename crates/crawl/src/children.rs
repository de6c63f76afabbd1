//! The sitemaps that one index lists, kept until the crawl takes them over.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use quick_sitemap::W3cDatetime;

use super::builder::Child;
use super::failure::Reason;
use super::identity::{page_key, shared_key};
use super::known::Listed;
use super::left_out::Omissions;
use super::rules::Rules;
use super::text::{bare, host, is_too_long};

#[derive(Debug)]
pub(super) struct Children {
    rules: Arc<Rules>,
    parent: Url,
    /// The host on which it can list sitemaps in addition to the trusted ones.
    beside: Option<String>,
    /// The depth of what it lists.
    pub(super) depth: u16,
    seen: HashSet<Arc<str>>,
    /// Those that may be read, in the order of the index, each once.
    pub(super) found: Vec<Arc<str>>,
    /// All that are listed, each once, for the next run.
    listed: Vec<Listed>,
    /// Some are not in `listed`.
    is_cut: bool,
    pub(super) left_out: Omissions,
}

impl Children {
    /// `parent` is listed at this depth, and was read at `location`.
    pub(super) fn new(rules: Arc<Rules>, parent: Url, location: &Url, depth: u16) -> Self {
        Self {
            rules,
            parent,
            beside: host(location).filter(|_| depth == 1),
            depth: depth.saturating_add(1),
            seen: HashSet::new(),
            found: Vec::new(),
            listed: Vec::new(),
            is_cut: false,
            left_out: Omissions::default(),
        }
    }

    /// Returns `true` if the document lists at least one.
    pub(super) fn is_index(&self) -> bool {
        self.is_cut || !self.listed.is_empty()
    }

    /// All that are listed. Returns `None` if there are too many to be kept.
    pub(super) fn listed(&self) -> Option<Arc<[Listed]>> {
        (!self.is_cut).then(|| self.listed.as_slice().into())
    }

    /// Adds a listed sitemap, or counts it with the reason why it is left out.
    pub(super) fn add(&mut self, url: &Url, lastmod: Option<W3cDatetime>) {
        let url = &*bare(url);
        if self.seen.contains(&*page_key(url)) {
            return;
        }
        let options = &self.rules.options;
        let most = options.max_sitemaps.min(options.max_children);
        let is_kept = self.listed.len() < most && !is_too_long(url);
        self.is_cut |= !is_kept;
        let text: Arc<str> = url.as_str().into();
        if is_kept {
            self.seen.insert(shared_key(&text));
            let url = Arc::clone(&text);
            self.listed.push(Listed { url, lastmod });
        }
        if self.rules.roots.contains(&*page_key(url)) {
            return;
        }
        let child = Child {
            url,
            lastmod,
            parent: &self.parent,
            depth: u32::from(self.depth),
        };
        let judged = match self.rules.child(&child, self.beside.as_deref()) {
            Ok(()) if self.found.len() >= most => Err(Reason::TooMany),
            judged => judged,
        };
        match judged {
            Ok(()) => {
                if !is_kept {
                    self.seen.insert(shared_key(&text));
                }
                self.found.push(text);
            }
            Err(reason) => self.left_out.add(reason, &text),
        }
    }
}
