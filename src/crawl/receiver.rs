//! One response: bytes in, entries out.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use url::Url;

use crate::decoder::{Decoder, Outcome as EntryOutcome};
use crate::entry::Entry;
use crate::error::{Error, Result};
use crate::summary::{Completeness, Summary};
use crate::violation::Issue;

use super::children::Children;
use super::failure::Failure;
use super::request::Ticket;

/// Search engines read no more of a robots.txt, compressed or not.
pub(super) const ROBOTS_BYTES: usize = 500 << 10;

/// The result of a request. From [`Crawl::end`](super::Crawl::end) and [`Crawl::fail`](super::Crawl::fail).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The document was read to its end.
    Done(Completeness),
    /// A bound of the crawl was reached: more sitemaps or pages than may be read.
    Partial,
    /// The sitemap has not changed.
    Unchanged,
    /// There is no robots.txt, or no sitemap at one of the usual places.
    Missing,
    /// The sitemap is another one of this crawl.
    Duplicate,
    /// It redirects to the URL of a later request.
    Redirected,
    /// It failed, and is requested again later. The entries of this attempt are returned again then.
    Retry {
        /// The earliest time of the next request.
        at: SystemTime,
        /// Why this attempt failed.
        failure: Failure,
    },
    /// It failed.
    Failed(Failure),
    /// The request or the receiver is from another crawl, and has no effect on this one.
    Foreign,
}

/// Receives the body of one response and returns the entries of the sitemap. From [`Crawl::begin`](super::Crawl::begin).
///
/// It is independent of the crawl and can be sent to another thread or task. Push the body as it arrives and take the
/// entries after every push, as with a [`Decoder`]. Call [`finish`](Self::finish) at the end of the body, or
/// [`fail`](Self::fail) if the transport failed, take the last entries, and pass the receiver to
/// [`Crawl::end`](super::Crawl::end).
///
/// The entries of an index are returned too; the crawl keeps the sitemaps that it lists. Memory is bounded like that of a
/// decoder, plus 60 bytes and the URL of each sitemap that an index lists, up to the maximum number of sitemaps.
///
/// If a receiver is dropped, for example because a task was cancelled, the crawl requests the sitemap again.
#[derive(Debug)]
pub struct Receiver {
    pub(super) ticket: Option<Ticket>,
    pub(super) depth: u16,
    pub(super) sitemap: Url,
    pub(super) location: Url,
    pub(super) body: Body,
}

/// What is done with the body.
#[derive(Debug)]
pub(super) enum Body {
    /// It is not of interest.
    Unwanted(Outcome),
    Robots(Robots),
    Sitemap(Box<Reading>),
}

#[derive(Debug, Default)]
pub(super) struct Robots {
    pub(super) text: Vec<u8>,
    pub(super) failure: Option<Failure>,
    is_finished: bool,
}

/// A sitemap that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) decoder: Decoder,
    pub(super) children: Children,
    pub(super) failure: Option<Failure>,
    pub(super) max_bytes: u64,
    /// Bytes that were pushed.
    pub(super) received: u64,
    /// Pages that were returned.
    pub(super) pages: u64,
    /// Pages of all receivers, and how many there may be.
    pub(super) all_pages: Arc<AtomicPages>,
    /// There are more pages than may be returned.
    pub(super) is_over: bool,
    /// Its pages have been returned before.
    pub(super) is_repeated: bool,
    /// The server says that it has not changed.
    pub(super) is_unchanged: bool,
    /// A reader of the caller has read the body: whether that was all, and how many entries were skipped.
    pub(super) elsewhere: Option<(Completeness, u64)>,
}

/// Pages that were returned, up to a maximum.
#[derive(Debug)]
pub(super) struct AtomicPages {
    count: AtomicU64,
    most: u64,
}

impl AtomicPages {
    pub(super) fn new(most: u64) -> Self {
        Self {
            count: AtomicU64::new(0),
            most,
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn set(&self, count: u64) {
        self.count.store(count, Ordering::Relaxed);
    }

    /// Returns `false` if there are as many as may be.
    fn take(&self) -> bool {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        if count >= self.most {
            self.give_back(1);
        }
        count < self.most
    }

    /// Pages of an attempt that is repeated.
    pub(super) fn give_back(&self, pages: u64) {
        self.count.fetch_sub(pages, Ordering::Relaxed);
    }
}

impl Reading {
    /// Takes notice of an entry. Returns whether the caller gets it.
    fn admit(&mut self, entry: &Entry) -> bool {
        match entry {
            Entry::Sitemap(sitemap) => {
                self.children.add(&sitemap.loc, sitemap.lastmod);
                true
            }
            Entry::Url(_) if self.is_repeated => false,
            Entry::Url(_) => {
                let is_admitted = self.all_pages.take();
                self.is_over |= !is_admitted;
                self.pages += u64::from(is_admitted);
                is_admitted
            }
        }
    }

    /// Whether there is no use in reading further.
    fn is_enough(&self) -> bool {
        self.is_over || self.children.is_full
    }

    fn note(&mut self, error: &Error) {
        if error.violation().is_none() {
            self.failure = Some(Failure::unreadable(error));
        }
    }

    fn next_entry(&mut self) -> Result<Option<Entry>> {
        while !self.is_enough() {
            let read = self.decoder.next_entry();
            if let Err(error) = &read {
                self.note(error);
            }
            match read? {
                None => return Ok(None),
                Some(entry) if self.admit(&entry) => return Ok(Some(entry)),
                // Its issues are those of the same call.
                Some(_) => self.decoder.keep_issues(),
            }
        }
        Ok(None)
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = self.max_bytes - self.received;
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let (bytes, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.received += bytes.len() as u64;
        self.decoder.push(bytes);
        if !rest.is_empty() {
            let message = format!("the response has more than {} bytes", self.max_bytes);
            self.decoder.fail(io::Error::other(message));
        }
    }
}

impl Receiver {
    /// Returns the URL under which the sitemap is listed.
    #[must_use]
    pub fn sitemap(&self) -> &Url {
        &self.sitemap
    }

    /// Returns the URL of the response. It differs from [`sitemap`](Self::sitemap) after redirects.
    #[must_use]
    pub fn location(&self) -> &Url {
        &self.location
    }

    /// Returns the number of the sitemap, which is its place in [`Crawl::sitemaps`](super::Crawl::sitemaps). `None` for
    /// robots.txt, and if the body is not wanted.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.ticket.as_ref()?.sitemap()
    }

    /// Returns whether this sitemap was read to its end before. An index is [read again](super#what-is-read) if it is found at
    /// a lower depth. Its pages are not returned again, but its issues are.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        matches!(&self.body, Body::Sitemap(reading) if reading.is_repeated)
    }

    /// Returns whether more bytes of the body are of use. If not, you can close the connection. This is so for redirects,
    /// errors and duplicates from the start; later, for a document that has ended or cannot be read further, and when a
    /// bound of the crawl was reached.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        match &self.body {
            Body::Unwanted(_) => false,
            Body::Robots(robots) => !robots.is_finished && robots.text.len() < ROBOTS_BYTES,
            Body::Sitemap(reading) => {
                !reading.is_enough()
                    && reading.failure.is_none()
                    && reading.elsewhere.is_none()
                    && !reading.decoder.is_done()
            }
        }
    }

    /// Adds bytes of the body: any number of bytes, divided anywhere. Take the entries after every push. Bytes that are
    /// not [wanted](Self::wants_more) are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if !self.wants_more() {
            return;
        }
        match &mut self.body {
            Body::Unwanted(_) => {}
            Body::Robots(robots) => {
                let room = ROBOTS_BYTES - robots.text.len();
                let bytes = bytes.get(..room).unwrap_or(bytes);
                robots.text.extend_from_slice(bytes);
            }
            Body::Sitemap(reading) => reading.push(bytes),
        }
    }

    /// Marks the end of the body. More entries can follow.
    pub fn finish(&mut self) {
        match &mut self.body {
            Body::Unwanted(_) => {}
            Body::Robots(robots) => robots.is_finished = true,
            Body::Sitemap(reading) => reading.decoder.finish(),
        }
    }

    /// Marks the end of the body because the transport failed. The complete entries are still returned, then the error.
    ///
    /// The crawl requests the sitemap again if the connection broke off, which includes the kinds `TimedOut` and
    /// `UnexpectedEof`. Use [`io::Error::other`] for an error that another attempt would not fix.
    pub fn fail(&mut self, error: io::Error) {
        match &mut self.body {
            Body::Unwanted(_) => {}
            Body::Robots(robots) if robots.is_finished => {}
            Body::Robots(robots) => {
                robots.is_finished = true;
                robots.failure = Some(Failure::unreadable(&error.into()));
            }
            Body::Sitemap(reading) => reading.decoder.fail(error),
        }
    }

    /// Adds an entry that a reader of your own has read from the body, for a caller that needs more than the entries:
    /// raw text, or the positions of values. Then do not push the body. The crawl follows a sitemap, and counts a page. Call
    /// [`finish_with`](Self::finish_with) at the end of the document, or [`fail_with`](Self::fail_with).
    ///
    /// Returns `false` if no more entries are wanted, because a bound of the crawl was reached. If that was a bound on pages,
    /// this entry is not wanted either.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    /// use quick_sitemap::crawl::{Crawl, Outcome, Response};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/index.xml")?);
    /// let request = crawl.next_request().unwrap();
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// let mut reader = Reader::from_bytes("<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///     <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>");
    /// while let Some(raw) = reader.read_raw()? {
    ///     assert_eq!(raw.position().line(), 2);
    ///     match reader.to_entry()? {
    ///         Some(entry) if !receiver.add(&entry) => break,
    ///         _ => {}
    ///     }
    /// }
    /// receiver.finish_with(reader.summary());
    /// assert!(matches!(crawl.end(receiver), Outcome::Done(_)));
    /// assert_eq!(crawl.next_request().unwrap().url.path(), "/a.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, entry: &Entry) -> bool {
        match &mut self.body {
            Body::Sitemap(reading) if !reading.is_enough() => {
                reading.admit(entry);
                !reading.is_enough()
            }
            _ => false,
        }
    }

    /// Marks the end of a document whose entries were [added](Self::add). `summary` is that of the reader that has read it.
    pub fn finish_with(&mut self, summary: &Summary) {
        if let Body::Sitemap(reading) = &mut self.body {
            reading.elsewhere = Some((summary.completeness(), summary.skipped));
        }
    }

    /// Marks the end of a document whose entries were [added](Self::add), because of a
    /// [fatal error](crate::Error::is_fatal). A violation that is an error has no effect.
    pub fn fail_with(&mut self, error: &Error) {
        if let Body::Sitemap(reading) = &mut self.body {
            reading.note(error);
            if reading.failure.is_some() {
                reading.elsewhere = Some((Completeness::Incomplete, 0));
            }
        }
    }

    /// Returns the next entry of the sitemap. Returns `None` if more bytes are needed, or if no more are
    /// [wanted](Self::wants_more).
    ///
    /// # Errors
    ///
    /// A violation that the [policy](super::CrawlBuilder::reader) denies (the next call returns the next entry), or a fatal
    /// error (later calls return `None`).
    pub fn next_entry(&mut self) -> Result<Option<Entry>> {
        match &mut self.body {
            Body::Sitemap(reading) => reading.next_entry(),
            _ => Ok(None),
        }
    }

    /// Reads the next entry into `entry`, whose memory is used again. See [`Decoder::read_into`].
    ///
    /// # Errors
    ///
    /// As for [`next_entry`](Self::next_entry).
    pub fn read_into<'e>(&mut self, entry: &'e mut Option<Entry>) -> Result<Option<&'e mut Entry>> {
        let Body::Sitemap(reading) = &mut self.body else {
            return Ok(None);
        };
        while !reading.is_enough() {
            let is_read = match reading.decoder.read_into(entry) {
                Ok(read) => read.is_some(),
                Err(error) => {
                    reading.note(&error);
                    return Err(error);
                }
            };
            if !is_read {
                return Ok(None);
            }
            if entry.as_ref().is_some_and(|entry| reading.admit(entry)) {
                return Ok(entry.as_mut());
            }
            reading.decoder.keep_issues();
        }
        Ok(None)
    }

    /// Returns an iterator over the entries whose bytes have been pushed. Call this method again after each push.
    ///
    /// # Errors
    ///
    /// The items have the errors of [`next_entry`](Self::next_entry).
    pub fn entries(&mut self) -> impl Iterator<Item = Result<Entry>> {
        std::iter::from_fn(|| self.next_entry().transpose())
    }

    /// Returns the result for the next entry, even if the entry is skipped, with its own issues. See
    /// [`Decoder::next_outcome`].
    pub fn next_outcome(&mut self) -> Option<EntryOutcome> {
        let Body::Sitemap(reading) = &mut self.body else {
            return None;
        };
        while !reading.is_enough() {
            let outcome = reading.decoder.next_outcome()?;
            match &outcome.entry {
                Err(error) => reading.note(error),
                Ok(Some(entry)) if !reading.admit(entry) => continue,
                Ok(_) => {}
            }
            return Some(outcome);
        }
        None
    }

    /// Returns the issues that the latest call reported, even if it returned `None` or an error. To see all of them, set
    /// [`on_issue`](crate::ReaderBuilder::on_issue) of the [reader](super::CrawlBuilder::reader).
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.decoder().map_or(&[], Decoder::issues)
    }

    /// Returns how many entries were returned and lost so far. `None` if this is not a sitemap.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        self.decoder().map(Decoder::summary)
    }

    /// Returns the decoder, which knows the format and the position. `None` if this is not a sitemap.
    #[must_use]
    pub fn decoder(&self) -> Option<&Decoder> {
        match &self.body {
            Body::Sitemap(reading) => Some(&reading.decoder),
            _ => None,
        }
    }
}

/// Takes the entries that the caller has left.
pub(super) fn drain(reading: &mut Reading) {
    reading.decoder.finish();
    let mut entry = None;
    while !reading.is_enough() && reading.failure.is_none() && !reading.decoder.is_done() {
        match reading.decoder.read_into(&mut entry) {
            Ok(None) => {}
            Ok(Some(entry)) => {
                let entry: &Entry = entry;
                reading.admit(entry);
            }
            Err(error) => reading.note(&error),
        }
    }
}
