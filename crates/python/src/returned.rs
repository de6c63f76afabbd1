//! [`Returned`]: the pages of a sitemap that were returned before its connection broke off.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The most pages of all unfinished sitemaps that are remembered: 16 MiB at most.
const MAX_HASHES: usize = 1_000_000;

/// Hashes of the pages that were returned from one sitemap, so that another attempt does not return them again.
pub(crate) struct Returned {
    /// Pages of earlier attempts.
    earlier: HashSet<u64>,
    /// Pages of this attempt.
    now: Vec<u64>,
    /// The hashes that all sitemaps of the crawl have.
    all: Arc<AtomicUsize>,
    /// Pages of this sitemap, which the crawl does not count before its end.
    pages: u64,
    /// Such pages of all sitemaps.
    all_pages: Arc<AtomicU64>,
}

impl Returned {
    pub(crate) fn new(all: &Arc<AtomicUsize>, all_pages: &Arc<AtomicU64>) -> Self {
        Self {
            earlier: HashSet::new(),
            now: Vec::new(),
            all: Arc::clone(all),
            pages: 0,
            all_pages: Arc::clone(all_pages),
        }
    }

    /// Returns `false` if an earlier attempt has returned the page.
    pub(crate) fn add(&mut self, hash: u64) -> bool {
        if self.earlier.contains(&hash) {
            return false;
        }
        if self.all.fetch_add(1, Ordering::Relaxed) < MAX_HASHES {
            self.now.push(hash);
        } else {
            self.all.fetch_sub(1, Ordering::Relaxed);
        }
        true
    }

    /// Counts a page until the end of the sitemap.
    pub(crate) fn count(&mut self) {
        self.pages = self.pages.saturating_add(1);
        self.all_pages.fetch_add(1, Ordering::Relaxed);
    }

    /// Another attempt follows.
    pub(crate) fn repeat(&mut self) {
        let added = self.now.len();
        let before = self.earlier.len();
        self.earlier.extend(self.now.drain(..));
        // A page that is listed twice is kept once.
        let kept = self.earlier.len().saturating_sub(before);
        self.all
            .fetch_sub(added.saturating_sub(kept), Ordering::Relaxed);
    }
}

impl Drop for Returned {
    fn drop(&mut self) {
        let kept = self.earlier.len().saturating_add(self.now.len());
        self.all.fetch_sub(kept, Ordering::Relaxed);
        self.all_pages.fetch_sub(self.pages, Ordering::Relaxed);
    }
}
