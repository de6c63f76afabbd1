//! Pages as examples: spread over all of them, and the same in each run.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use quick_sitemap::UrlEntry;

use super::model::Page;
use super::text::shown;

/// The pages whose URLs have the smallest hashes.
#[derive(Debug)]
pub(super) struct Sample {
    size: usize,
    /// By hash, with the number of the page.
    pages: BTreeMap<u64, (u64, Page)>,
    number: u64,
}

impl Sample {
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            pages: BTreeMap::new(),
            number: 0,
        }
    }

    pub(super) fn add(&mut self, page: &UrlEntry, sitemap: &str) {
        if self.size == 0 {
            return;
        }
        self.number += 1;
        let mut hasher = DefaultHasher::new();
        page.loc.as_str().hash(&mut hasher);
        let hash = hasher.finish();
        let last = self.pages.last_key_value().map(|(hash, _)| *hash);
        let is_full = self.pages.len() >= self.size;
        if is_full && last.is_none_or(|last| hash >= last) || self.pages.contains_key(&hash) {
            return;
        }
        let page = Page {
            loc: shown(page.loc.as_str()),
            lastmod: page.lastmod.map(|lastmod| lastmod.to_string()),
            sitemap: sitemap.to_owned(),
        };
        self.pages.insert(hash, (self.number, page));
        if self.pages.len() > self.size {
            self.pages.pop_last();
        }
    }

    /// In the order of reading.
    pub(super) fn finish(self) -> Vec<Page> {
        let mut pages: Vec<_> = self.pages.into_values().collect();
        pages.sort_by_key(|(number, _)| *number);
        pages.into_iter().map(|(_, page)| page).collect()
    }
}
