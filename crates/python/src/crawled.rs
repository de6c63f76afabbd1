//! [`Crawled`]: record batches of the pages that a crawl finds.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use quick_sitemap_arrow::EntryBatches;

use crate::page::Page;
use crate::receiver::Entries;
use crate::stream::raised;

/// The rows of a crawl, whose loop is an iterator of Python.
pub(crate) struct Crawled {
    /// `None` after its end.
    items: Option<Py<PyIterator>>,
    rows: EntryBatches,
    /// Pages that have no row yet.
    pages: std::vec::IntoIter<Page>,
    /// The sitemap of the latest row.
    sitemap: Option<Arc<str>>,
    is_exported: bool,
}

impl Crawled {
    pub(crate) fn new(items: Py<PyIterator>, rows: EntryBatches, is_exported: bool) -> Self {
        Self {
            items: Some(items),
            rows,
            pages: Vec::new().into_iter(),
            sitemap: None,
            is_exported,
        }
    }

    /// Returns a full batch, the last one, or `None` at the end. Batches do not end with a sitemap.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if self.rows.is_full() {
                return Ok(self.rows.take()?);
            }
            if let Some(page) = self.pages.next() {
                self.add(&page);
                continue;
            }
            let Some(items) = &self.items else {
                return Ok(self.rows.take()?);
            };
            let is_open = Python::attach(|py| -> PyResult<bool> {
                let Some(item) = items.bind(py).clone().next().transpose()? else {
                    return Ok(false);
                };
                if let Ok(entries) = item.cast::<Entries>() {
                    self.pages = entries.get().pages().into_iter();
                } else {
                    // An error of a sitemap: its kind and its text.
                    let (sitemap, kind, text): (String, String, String) = item.extract()?;
                    self.sitemap = None;
                    self.rows.begin(&sitemap);
                    self.rows.add_error(&kind, &text);
                }
                Ok(true)
            });
            if !is_open.map_err(|error| raised(error, self.is_exported))? {
                self.close();
            }
        }
    }

    fn add(&mut self, page: &Page) {
        if let Some(sitemap) = page.listed_in()
            && self.sitemap.as_ref() != Some(sitemap)
        {
            self.rows.begin(sitemap);
            self.sitemap = Some(Arc::clone(sitemap));
        }
        self.rows.add(page.entry(), page.own_issues());
    }

    /// Closes the generator, which closes the responses that are open.
    fn close(&mut self) {
        if self.items.is_some() {
            Python::try_attach(|_| self.items = None);
        }
    }
}

impl Drop for Crawled {
    fn drop(&mut self) {
        self.close();
    }
}

impl Iterator for Crawled {
    type Item = Result<RecordBatch, ArrowError>;

    /// It may be called with or without the GIL, which is held only while the loop of the crawl runs.
    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::attach(|py| py.detach(|| self.next_batch()));
        if next.is_err() {
            self.close();
            self.pages = Vec::new().into_iter();
        }
        next.transpose()
    }
}
