//! The documents of a crawl: the one loop over a [`Driver`].

use std::io;
use std::mem;
use std::ops::ControlFlow;

use quick_sitemap_crawl::State;

use crate::net::driver::{self, Driver, Missing, Next};
use crate::source::walk::Document;
use crate::term::interrupt;

/// Takes what a crawl finds, in the order of the requests.
pub(crate) trait Visitor {
    /// The robots.txt of a site has been read, if there is one. Called once, before all others.
    fn begin(&mut self, _driver: &Driver) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap that is listed, and could not be fetched.
    fn missing(&mut self, _driver: &Driver, _missing: Missing) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap, or what is expected to be one, to be read as the crawl reads it. `about` describes it.
    fn document(
        &mut self,
        driver: &Driver,
        about: &driver::Document,
        document: Document<'_>,
    ) -> anyhow::Result<()>;

    /// The sitemap of that number has been read. If there is a request to stop, it is in the queue again.
    fn end(
        &mut self,
        driver: &mut Driver,
        number: usize,
        state: anyhow::Result<State>,
    ) -> anyhow::Result<ControlFlow<()>>;
}

/// Reads all documents of a crawl, unless the visitor has enough or there is a request to stop.
///
/// # Errors
///
/// Those of the visitor, and of temporary files.
pub(crate) fn read(driver: &mut Driver, visitor: &mut dyn Visitor) -> anyhow::Result<()> {
    let mut next = driver.next()?;
    if !interrupt::is_requested() {
        visitor.begin(driver)?;
    }
    while let Some(found) = next {
        match found {
            Next::Missing(missing) => visitor.missing(driver, missing)?,
            Next::Document(mut document) => {
                let bytes = mem::replace(&mut document.bytes, Box::new(io::empty()));
                let mut receiver = document.receiver.borrow_mut();
                let opened = Document {
                    name: &driver.shown(&document.location),
                    bytes,
                    builder: document.builder.clone(),
                    path: None,
                    base: Some(document.location.clone()),
                    may_be_list: false,
                    follower: Some(&mut *receiver),
                };
                visitor.document(driver, &document, opened)?;
                drop(receiver);
                let number = document.number;
                let state = if interrupt::is_requested() {
                    // The crawl requests it again, if it goes on.
                    Ok(State::Queued)
                } else {
                    driver.end(*document)
                };
                if visitor.end(driver, number, state)?.is_break() {
                    return Ok(());
                }
            }
        }
        next = driver.next()?;
    }
    Ok(())
}
