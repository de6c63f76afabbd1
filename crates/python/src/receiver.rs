//! [`Receiver`]: one response of a crawl, bytes in and pages out.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use quick_sitemap::{Decoder, Entry, Issue};
use quick_sitemap_arrow::message;
use quick_sitemap_crawl as crawl;

use crate::page::Page;
use crate::raised::Raised;
use crate::returned::Returned;

/// The most issues that are kept: of a file, of a page, of a response, and of a crawl. All of a file are counted.
pub(crate) const MAX_ISSUES: usize = 1000;

/// Receives the body of one response.
#[pyclass(frozen, module = "_quick_sitemap._native")]
pub(crate) struct Receiver {
    /// `None` after the crawl has taken it back.
    receiving: Mutex<Option<Receiving>>,
    raised: Arc<Raised>,
}

/// A response that is being read.
pub(crate) struct Receiving {
    pub(crate) receiver: crawl::Receiver,
    /// Reads a sitemap, because the issues of each page are needed. `None` for robots.txt, and if there is nothing to read.
    decoder: Option<Box<Decoder>>,
    /// Bytes of the sitemap.
    pub(crate) received: u64,
    pub(crate) sitemap: Arc<str>,
    pub(crate) returned: Returned,
    /// Its first issues.
    pub(crate) issues: Vec<Issue>,
    /// Issues that belong to the next page.
    pending: Vec<Issue>,
    hashes: RandomState,
}

impl Receiving {
    pub(crate) fn new(receiver: crawl::Receiver, returned: Returned, hashes: RandomState) -> Self {
        let is_read = receiver.number().is_some() && !receiver.is_over();
        Self {
            decoder: is_read.then(|| Box::new(receiver.reader().decoder())),
            received: 0,
            sitemap: receiver.sitemap().as_str().into(),
            receiver,
            returned,
            issues: Vec::new(),
            pending: Vec::new(),
            hashes,
        }
    }

    /// Reads up to this number of entries. Returns `None` if more bytes are needed.
    fn take(&mut self, entries: usize) -> Option<Vec<Page>> {
        let decoder = self.decoder.as_mut()?;
        let mut pages = Vec::new();
        for read in 0..entries {
            if self.receiver.is_over() {
                return (read > 0).then_some(pages);
            }
            let next = decoder.next_entry().transpose();
            // Of skipped entries, too, after which more bytes may be needed.
            extend(&mut self.issues, decoder.issues());
            extend(&mut self.pending, decoder.issues());
            let Some(next) = next else {
                return (read > 0).then_some(pages);
            };
            if matches!(next, Ok(Entry::Sitemap(_))) {
                self.pending.clear();
            }
            // The crawl keeps an error as the failure of the sitemap.
            let Some(page) = self.receiver.take(next) else {
                continue;
            };
            let issues = std::mem::take(&mut self.pending);
            let hash = self.hashes.hash_one(page.loc.as_str());
            if self.returned.add(hash) {
                self.returned.count();
                pages.push(Page::new(Entry::Url(page), issues).listed_by(&self.sitemap));
            }
        }
        Some(pages)
    }

    /// Takes the entries that are left, which are lost.
    pub(crate) fn complete(&mut self) {
        if let Some(decoder) = &mut self.decoder {
            decoder.finish();
            while !self.receiver.is_over()
                && let Some(next) = decoder.next_entry().transpose()
            {
                self.receiver.take(next);
            }
            self.receiver.finish_with(Ok(decoder.summary()));
        }
    }

    fn wants_more(&self) -> bool {
        let is_done = self.decoder.as_ref().is_some_and(|it| it.is_done());
        !is_done && !self.receiver.is_over()
    }

    fn push(&mut self, bytes: &[u8]) {
        if !self.wants_more() {
            return;
        }
        match &mut self.decoder {
            Some(decoder) => {
                self.received += bytes.len() as u64;
                decoder.push(bytes);
            }
            None => self.receiver.push(bytes),
        }
    }

    fn finish(&mut self) {
        match &mut self.decoder {
            Some(decoder) => decoder.finish(),
            None => self.receiver.finish(),
        }
    }

    fn fail(&mut self, error: io::Error) {
        match &mut self.decoder {
            Some(decoder) => decoder.fail(error),
            None => self.receiver.fail(error),
        }
    }
}

fn extend(issues: &mut Vec<Issue>, found: &[Issue]) {
    let room = MAX_ISSUES.saturating_sub(issues.len());
    issues.extend(found.iter().take(room).cloned());
}

impl Receiver {
    pub(crate) fn new(receiving: Receiving, raised: Arc<Raised>) -> Self {
        Self {
            receiving: Mutex::new(Some(receiving)),
            raised,
        }
    }

    pub(crate) fn take_back(&self) -> Option<Receiving> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Receiving>> {
        let receiving = self.receiving.lock();
        receiving.unwrap_or_else(PoisonError::into_inner)
    }

    /// Without the GIL, because reading takes time, and because the caller's function can be called meanwhile. Returns `None`
    /// after the crawl has taken the receiver back.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&mut Receiving) -> T + Send,
    ) -> Option<T> {
        py.detach(|| self.lock().as_mut().map(look))
    }
}

#[pymethods]
impl Receiver {
    /// Returns `true` if more bytes of the body are needed.
    #[getter]
    fn wants_more(&self, py: Python<'_>) -> bool {
        let wants_more = self.with(py, |receiving| receiving.wants_more());
        wants_more.unwrap_or_default()
    }

    /// Adds bytes of the body. Call take() until it returns None after this.
    fn push(&self, py: Python<'_>, bytes: &[u8]) {
        self.with(py, |receiving| receiving.push(bytes));
    }

    /// Marks the end of the body.
    fn finish(&self, py: Python<'_>) {
        self.with(py, Receiving::finish);
    }

    /// Marks the end of the body because the connection broke off.
    fn fail(&self, py: Python<'_>, text: &str) {
        let error = io::Error::new(io::ErrorKind::ConnectionReset, message(text));
        self.with(py, |receiving| receiving.fail(error));
    }

    /// Reads up to this number of entries and returns the pages among them. Returns None if more bytes are needed.
    fn take(&self, py: Python<'_>, entries: usize) -> PyResult<Option<Entries>> {
        let pages = self.with(py, |receiving| receiving.take(entries));
        self.raised.check()?;
        Ok(pages.flatten().map(|pages| Entries(Mutex::new(pages))))
    }
}

/// Pages that have been read, which become objects of Python or rows of a table.
#[pyclass(frozen, module = "_quick_sitemap._native")]
pub(crate) struct Entries(Mutex<Vec<Page>>);

#[pymethods]
impl Entries {
    /// Takes the pages out.
    pub(crate) fn pages(&self) -> Vec<Page> {
        let pages = self.0.lock();
        std::mem::take(&mut *pages.unwrap_or_else(PoisonError::into_inner))
    }
}
