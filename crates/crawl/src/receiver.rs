//! One response: bytes in, entries out.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use url::Url;

use quick_sitemap::Decoder;
use quick_sitemap::Entry;
use quick_sitemap::{Completeness, Summary};
use quick_sitemap::{Error, Result};

use super::children::Children;
use super::failure::Failure;
use super::record::State;
use super::request::Ticket;
use super::validators::Validators;

/// Search engines read no more of a robots.txt, compressed or not.
pub(super) const ROBOTS_BYTES: usize = 500 << 10;
/// Size of one read from the body, in bytes.
const PIECE: usize = 64 << 10;

/// The result of a request. From [`Crawl::end`](super::Crawl::end) and [`Crawl::fail`](super::Crawl::fail).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// The state of the sitemap. [`State::Queued`] means that there will be another request: for the target of a redirect,
    /// or a retry.
    pub state: State,
    /// The reason why the attempt has failed, if it has.
    pub failure: Option<Failure>,
    /// The earliest time of the next attempt, if the attempt has failed and is repeated. Entries of this attempt are
    /// returned again then.
    pub retry_at: Option<SystemTime>,
    /// The version of the document, if it was read to its end or has not changed, for
    /// [`CrawlBuilder::validators`](super::CrawlBuilder::validators) of the next run. They belong to
    /// [`Receiver::location`].
    pub validators: Option<Validators>,
}

impl Ended {
    pub(super) fn new(state: State) -> Self {
        Self {
            state,
            failure: None,
            retry_at: None,
            validators: None,
        }
    }

    pub(super) fn failed(state: State, failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::new(state)
        }
    }

    /// The request or the receiver is from another crawl, which treats it as dropped.
    pub(super) fn of_another_crawl() -> Self {
        let failure = Failure::connection("the request belongs to another crawl");
        Self::failed(State::Queued, failure)
    }
}

/// Receives the body of one response and returns the entries of the sitemap. From [`Crawl::begin`](super::Crawl::begin).
///
/// It is independent of the crawl and can be sent to another thread or task. There are three ways to use it:
///
/// * [`read`](Self::read) returns the entries of a body that is a [`Read`].
/// * [`push`](Self::push) takes the body as it arrives, for asynchronous code. Take the [`entries`](Self::entries) after
///   every push. Call [`finish`](Self::finish) at the end of the body, or [`fail`](Self::fail) if the transport failed, and
///   take the last entries.
/// * [`add`](Self::add) takes the entries that a reader of your own has read.
///
/// Then pass the receiver to [`Crawl::end`](super::Crawl::end).
///
/// The entries of an index are returned too; the crawl keeps the sitemaps that it lists. Memory is bounded like that of a
/// decoder, plus 60 bytes and the URL of each sitemap that an index lists, up to the maximum number of sitemaps.
///
/// If a receiver is dropped, for example because a task was cancelled, the crawl requests the sitemap again.
#[derive(Debug)]
pub struct Receiver {
    pub(super) ticket: Option<Ticket>,
    pub(super) sitemap: Url,
    pub(super) location: Url,
    pub(super) body: Body,
}

/// The use that is made of the body.
#[derive(Debug)]
pub(super) enum Body {
    /// There is nothing to read: this is the result.
    Unwanted(Ended),
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
    /// The server has returned 304, and no body has arrived.
    pub(super) is_unchanged: bool,
    /// The end of the body has come.
    pub(super) is_finished: bool,
    pub(super) validators: Option<Validators>,
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
    pub(super) fn new(count: u64, most: u64) -> Self {
        Self {
            count: AtomicU64::new(count),
            most,
        }
    }

    /// Returns `false` if the maximum is reached.
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
    /// Counts an entry. Returns `true` if it is returned to the caller.
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

    fn note(&mut self, error: &Error) {
        if error.violation().is_none() {
            self.failure = Some(Failure::unreadable(error));
        }
    }

    fn next_entry(&mut self) -> Result<Option<Entry>> {
        while !self.is_over && !self.is_unchanged {
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
        self.is_unchanged &= bytes.is_empty();
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

    fn wants_more(&self) -> bool {
        let is_unchanged = self.is_unchanged && self.is_finished;
        let is_over = self.is_over || is_unchanged || self.elsewhere.is_some();
        !is_over && self.failure.is_none() && !self.decoder.is_done()
    }

    /// Takes the entries that the caller has left.
    pub(super) fn drain(&mut self) {
        self.decoder.finish();
        while self.wants_more() {
            // An error is stored, and the crawl returns it as the failure of the sitemap.
            while let Ok(Some(_)) = self.next_entry() {}
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

    /// Returns `true` if this sitemap was read to its end before. An index is [read again](super#what-is-read) if it is
    /// found at a lower depth. Its pages are not returned again, but its issues are.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        matches!(&self.body, Body::Sitemap(reading) if reading.is_repeated)
    }

    /// Returns `true` if more bytes of the body are of use. If not, you can close the connection. This is so for redirects,
    /// errors and duplicates from the start; later, for a document that has ended or cannot be read further, and when a
    /// bound of the crawl was reached.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        match &self.body {
            Body::Unwanted(_) => false,
            Body::Robots(robots) => !robots.is_finished && robots.text.len() < ROBOTS_BYTES,
            Body::Sitemap(reading) => reading.wants_more(),
        }
    }

    /// Returns an iterator over the entries of a body, which is read as far as it is [wanted](Self::wants_more).
    ///
    /// # Errors
    ///
    /// The items have the errors of [`next_entry`](Self::next_entry). If reading fails, the error is the last item, as if it
    /// had been passed to [`fail`](Self::fail).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::{Crawl, Response};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/sitemap.txt")?);
    /// let request = crawl.next_request().unwrap();
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// let body = &b"https://example.com/1\nhttps://example.com/2\n"[..];
    /// assert_eq!(receiver.read(body).filter_map(Result::ok).count(), 2);
    /// crawl.end(receiver);
    /// assert!(crawl.is_done());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<R: Read>(&mut self, mut body: R) -> impl Iterator<Item = Result<Entry>> {
        let mut buffer = Vec::new();
        std::iter::from_fn(move || {
            loop {
                if let Some(entry) = self.next_entry().transpose() {
                    return Some(entry);
                }
                if !self.wants_more() {
                    return None;
                }
                buffer.resize(PIECE, 0);
                match body.read(&mut buffer) {
                    Ok(0) => self.finish(),
                    Ok(count) => self.push(buffer.get(..count).unwrap_or(&buffer)),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => self.fail(error),
                }
            }
        })
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
            Body::Sitemap(reading) => {
                reading.is_finished = true;
                reading.decoder.finish();
            }
        }
    }

    /// Marks the end of the body because the transport failed. The complete entries are still returned, then the error.
    ///
    /// The crawl requests the sitemap again if the error, or one of its sources, is an I/O error by which a connection
    /// breaks off (see [`Failure::from_error`]). Pass the error of a client with [`io::Error::other`].
    pub fn fail(&mut self, error: io::Error) {
        match &mut self.body {
            Body::Unwanted(_) => {}
            Body::Robots(robots) if robots.is_finished => {}
            Body::Robots(robots) => {
                robots.is_finished = true;
                robots.failure = Some(Failure::from_error(&error));
            }
            Body::Sitemap(reading) => {
                reading.is_unchanged = false;
                reading.decoder.fail(error);
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

    /// Returns an iterator over the entries whose bytes have been pushed. Call this method again after each push.
    ///
    /// # Errors
    ///
    /// The items have the errors of [`next_entry`](Self::next_entry).
    pub fn entries(&mut self) -> impl Iterator<Item = Result<Entry>> {
        std::iter::from_fn(|| self.next_entry().transpose())
    }

    /// Returns the decoder, with the format, the position, the summary, and the issues that the latest call reported,
    /// or `None` if this is not a sitemap.
    #[must_use]
    pub fn decoder(&self) -> Option<&Decoder> {
        match &self.body {
            Body::Sitemap(reading) => Some(&reading.decoder),
            _ => None,
        }
    }

    /// Adds an entry that a reader of your own has read from the body, for a caller that needs more than the entries:
    /// raw text, or the positions of values. Then do not push the body. The crawl follows a sitemap, and counts a page. Call
    /// [`finish_with`](Self::finish_with) at the end of the document.
    ///
    /// Returns `false` if no more entries are wanted, because a bound on pages was reached. Then this entry is not wanted
    /// either.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    /// use quick_sitemap_crawl::{Crawl, Response, State};
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
    /// receiver.finish_with(Ok(reader.summary()));
    /// assert!(matches!(crawl.end(receiver).state, State::Done(_)));
    /// assert_eq!(crawl.next_request().unwrap().url.path(), "/a.xml");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, entry: &Entry) -> bool {
        match &mut self.body {
            Body::Sitemap(reading) if !reading.is_over => {
                reading.admit(entry);
                !reading.is_over
            }
            _ => false,
        }
    }

    /// Marks the end of a document whose entries were [added](Self::add): the summary of the reader that has read it, or the
    /// [fatal error](Error::is_fatal) that ended it. A violation that is an error has no effect.
    pub fn finish_with(&mut self, result: Result<&Summary, &Error>) {
        if let Body::Sitemap(reading) = &mut self.body {
            match result {
                Ok(summary) => reading.elsewhere = Some((summary.completeness(), summary.skipped)),
                Err(error) => reading.note(error),
            }
            if reading.failure.is_some() {
                reading.elsewhere = Some((Completeness::Incomplete, 0));
            }
        }
    }
}
