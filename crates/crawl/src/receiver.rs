//! One response: bytes in, pages out.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use url::Url;

use quick_sitemap::{Decoder, Entry, Error, ReaderBuilder, Summary, UrlEntry};

use super::children::Children;
use super::failure::Failure;
use super::known::Known;
use super::record::State;
use super::request::{Response, Ticket};
use super::robots::MAX_BYTES;

/// Size of one read from the body, in bytes.
const PIECE: usize = 64 << 10;

/// The result of a request. From [`Crawl::end`](super::Crawl::end) and [`Crawl::fail`](super::Crawl::fail).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    state: State,
    failure: Option<Failure>,
    pub(super) known: Option<Box<Known>>,
    pub(super) rows_may_go: bool,
}

impl Ended {
    pub(super) fn new(state: State, failure: Option<Failure>) -> Self {
        Self {
            state,
            failure,
            known: None,
            rows_may_go: false,
        }
    }

    /// The result for a request or a receiver that belongs to another crawl. The other crawl treats it as dropped.
    pub(super) fn of_another_crawl() -> Self {
        let failure = Failure::connection("the request belongs to another crawl");
        Self::new(State::Queued, Some(failure))
    }

    /// Returns the state of the sitemap. [`State::Queued`] means that there will be another request: for the target of a
    /// redirect, or a retry, which returns the pages of this attempt again.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns the reason why the attempt has failed, if it has.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Returns what was seen of the document, for [`CrawlBuilder::known`](super::CrawlBuilder::known) of the next run.
    /// Replace the one that you have stored under its [URL](Known::url), in the same step as the pages of the sitemap. If
    /// it returns `None`, keep the one that you have.
    ///
    /// | result of the request | row |
    /// |---|---|
    /// | read to its end, or [unchanged](State::Unchanged) | its kind, the sitemaps that it lists, and its validators |
    /// | the same, but the next run must [confirm](super::Crawl::gone) it | the same without validators |
    /// | cut off, or a bound was reached in it | its kind, and that it is not [whole](Known::is_whole) |
    /// | the status 404 or 410 | [absent](super::KnownKind::Absent) |
    /// | another status from 400 to 499, or not a sitemap | [refused](super::KnownKind::Refused) if there is no row; else `None` |
    /// | another status, no response, or there will be another request | `None` |
    #[must_use]
    pub fn known(&self) -> Option<Known> {
        self.known.as_deref().cloned()
    }

    /// Returns `true` if you can delete the rows of the pages of this sitemap that were not returned by this request: it was
    /// read to its end, or it is absent (404 or 410) for the second run in a row. Returns `false` if the next run must
    /// [confirm](super::Crawl::gone) what was seen.
    ///
    /// A row is a sitemap and the URL of a page. The page itself can be listed by another sitemap: see
    /// [`Crawl::pages_may_go`](super::Crawl::pages_may_go).
    #[must_use]
    pub fn rows_may_go(&self) -> bool {
        self.rows_may_go
    }
}

/// Receives the body of one response and returns the pages of the sitemap. From [`Crawl::begin`](super::Crawl::begin).
///
/// It takes the body of any response. A robots.txt, an index, a redirect and an error have no pages; their contents are
/// passed to the crawl. An error of the document becomes the failure of the sitemap.
///
/// A receiver is independent of the crawl and can be sent to another thread or task. There are three ways to use it:
///
/// * [`pages`](Self::pages) returns the pages of a body that is a [`Read`].
/// * [`push`](Self::push) takes the body as it arrives, for asynchronous code. Take the pages by
///   [`next_page`](Self::next_page) after every push. Call [`finish`](Self::finish) at the end of the body, or
///   [`fail`](Self::fail) if the transport failed, and take the last pages.
/// * [`take`](Self::take) takes the entries of a reader of your own, if you need raw entries or issues. Make that reader
///   with the options that [`reader`](Self::reader) returns.
///
/// Then pass the receiver to [`Crawl::end`](super::Crawl::end).
///
/// Memory is bounded like that of a decoder. Each sitemap that an index lists takes 180 bytes and its URL, up to the maximum
/// number of sitemaps. If a receiver is dropped, for example because a task was cancelled, the crawl requests the sitemap
/// again.
#[derive(Debug)]
pub struct Receiver {
    pub(super) ticket: Ticket,
    pub(super) sitemap: Url,
    pub(super) location: Url,
    /// The result, if there is nothing to read.
    pub(super) ended: Option<Ended>,
    /// The response and its body, if it is a robots.txt.
    pub(super) robots: Option<(Response, Vec<u8>)>,
    pub(super) builder: ReaderBuilder,
    /// Reads the pushed bytes of a sitemap.
    pub(super) decoder: Option<Box<Decoder>>,
    pub(super) children: Children,
    pub(super) failure: Option<Failure>,
    /// Bytes that were pushed.
    pub(super) received: u64,
    /// Pages that were returned.
    pub(super) pages: u64,
    /// Number of pages that all receivers may still return.
    pub(super) pages_left: Arc<AtomicU64>,
    /// There are more pages than may be returned.
    pub(super) is_cut: bool,
    /// The validators of the response.
    pub(super) known: Known,
    /// The result of a robots.txt, or of a reader of the caller's own.
    pub(super) result: Option<Summary>,
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
    /// robots.txt, and if there is nothing to read.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.ticket.sitemap().filter(|_| self.ended.is_none())
    }

    /// Returns `true` if no more bytes of the body are needed, so that you can close the connection. It is `true` from the
    /// start for redirects, errors, duplicates and unchanged documents. It becomes `true` when the document has ended or
    /// cannot be read further, or when a bound of the crawl was reached.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let robots = self.robots.as_ref();
        let decoder = self.decoder.as_ref();
        self.ended.is_some()
            || self.is_cut
            || self.failure.is_some()
            || self.result.is_some()
            || robots.is_some_and(|(_, body)| body.len() > MAX_BYTES)
            || decoder.is_some_and(|decoder| decoder.is_done())
    }

    /// Returns an iterator over the pages of a body, which is read until it [is over](Self::is_over). If reading fails, the
    /// error is passed to [`fail`](Self::fail).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{Crawl, Next, Response};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/sitemap.txt")?);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// let body = &b"https://example.com/1\nhttps://example.com/2\n"[..];
    /// assert_eq!(receiver.pages(body).count(), 2);
    /// crawl.end(receiver);
    /// assert!(crawl.is_done());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pages<R: Read>(&mut self, mut body: R) -> impl Iterator<Item = UrlEntry> {
        let mut buffer = Vec::new();
        std::iter::from_fn(move || {
            loop {
                if let Some(page) = self.next_page() {
                    return Some(page);
                }
                if self.is_over() {
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

    /// Adds bytes of the body, which can be divided anywhere. Take the pages after every push. Bytes after the
    /// [end](Self::is_over) are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.is_over() {
            return;
        }
        if let Some((_, body)) = &mut self.robots {
            // One byte more shows that there are more.
            body.extend(bytes.iter().take(MAX_BYTES + 1 - body.len()));
        }
        let most = self.children.rules.options.max_bytes;
        let room = usize::try_from(most - self.received).unwrap_or(usize::MAX);
        let (bytes, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        if let Some(decoder) = self.decoder() {
            decoder.push(bytes);
            if !rest.is_empty() {
                let message = format!("the response has more than {most} bytes");
                decoder.fail(io::Error::other(message));
            }
            self.received += bytes.len() as u64;
        }
    }

    /// Returns the next page of the sitemap. Returns `None` if more bytes are needed, or if the body
    /// [is over](Self::is_over).
    pub fn next_page(&mut self) -> Option<UrlEntry> {
        while !self.is_over() {
            let read = self.decoder()?.next_entry().transpose()?;
            // The decoder has no more bytes after any error of the transport.
            if let Err(error) = &read {
                self.note(error);
            }
            if let Some(page) = self.take(read) {
                return Some(page);
            }
        }
        None
    }

    /// Marks the end of the body. More pages can follow.
    pub fn finish(&mut self) {
        if self.is_over() {
            return;
        }
        match self.decoder() {
            Some(decoder) => decoder.finish(),
            None => self.result = Some(Summary::default()),
        }
    }

    /// Marks the end of the body because the transport failed. The complete pages are still returned.
    ///
    /// The crawl requests the sitemap again if the error, or one of its sources, is an I/O error of a broken connection (see
    /// [`Failure::from_error`]). Pass the error of a client with [`io::Error::other`].
    pub fn fail(&mut self, error: io::Error) {
        if self.is_over() {
            return;
        }
        match self.decoder() {
            Some(decoder) => decoder.fail(error),
            None => self.failure = Some(Failure::from_error(&error)),
        }
    }

    /// Returns the options with which the crawl reads this sitemap, for a reader of your own whose results are
    /// [taken](Self::take).
    pub fn reader(&self) -> ReaderBuilder {
        self.builder.clone()
    }

    /// Takes one result of a reader of your own, and returns the page if it is one. If you use this method, do not push the
    /// body. A sitemap of an index is passed to the crawl. A [fatal](Error::is_fatal) error becomes the failure of the
    /// sitemap. Another error has no effect: a violation, or an input that has no bytes now
    /// ([`io::ErrorKind::WouldBlock`]). When the bound on pages is reached, the method returns no more pages, and the body
    /// [is over](Self::is_over).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{Crawl, Next, Response, State};
    /// use quick_sitemap::url::Url;
    ///
    /// let mut crawl = Crawl::sitemap(&Url::parse("https://example.com/a.xml")?);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// let mut reader = receiver.reader().from_bytes("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///     <url><loc>https://example.com/1</loc><priority>high</priority></url></urlset>");
    /// let (mut pages, mut issues) = (Vec::new(), 0);
    /// while let Some(entry) = reader.next().filter(|_| !receiver.is_over()) {
    ///     issues += reader.issues().len();
    ///     pages.extend(receiver.take(entry));
    /// }
    /// issues += reader.issues().len(); // also after the last entry
    /// receiver.finish_with(Ok(reader.summary()));
    /// assert!(matches!(crawl.end(receiver).state(), State::Done(_)));
    /// assert_eq!((pages.len(), issues), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take(&mut self, read: Result<Entry, Error>) -> Option<UrlEntry> {
        match read {
            Err(error) if error.is_fatal() => self.note(&error),
            Err(_) => {}
            Ok(_) if self.is_over() => {}
            Ok(Entry::Sitemap(sitemap)) => self.children.add(&sitemap.loc, sitemap.lastmod),
            Ok(Entry::Url(page)) if self.may_return() => {
                self.pages += 1;
                return Some(page);
            }
            Ok(Entry::Url(_)) => self.is_cut = true,
        }
        None
    }

    /// Marks the end of a document whose entries were [taken](Self::take). `result` is the summary of your reader, or the
    /// [fatal error](Error::is_fatal) that ended the document. Without this call, the completeness is
    /// [unknown](quick_sitemap::Completeness::Unknown).
    pub fn finish_with(&mut self, result: Result<&Summary, &Error>) {
        match result {
            Ok(summary) => self.result = Some(summary.clone()),
            Err(error) => self.note(error),
        }
    }

    /// Takes one page from the number that may still be returned. Returns `false` if there is none left.
    fn may_return(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        let left = &self.pages_left;
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }

    fn note(&mut self, error: &Error) {
        if error.violation().is_none() && self.failure.is_none() {
            self.failure = Some(Failure::unreadable(error));
        }
    }

    /// Returns `None` for a robots.txt.
    fn decoder(&mut self) -> Option<&mut Decoder> {
        let builder = Some(&self.builder).filter(|_| self.robots.is_none())?;
        let decoder = self
            .decoder
            .get_or_insert_with(|| Box::new(builder.decoder()));
        Some(decoder)
    }

    /// Reads the entries that the caller has not taken.
    pub(super) fn complete(&mut self) -> Summary {
        let is_taken = self.pages > 0 || !self.children.is_empty() || self.failure.is_some();
        if self.result.is_none() && (self.decoder.is_some() || !is_taken) {
            self.finish();
        }
        while self.next_page().is_some() {}
        let read = self.decoder.as_ref().map(|decoder| decoder.summary());
        self.result.as_ref().or(read).cloned().unwrap_or_default()
    }
}
