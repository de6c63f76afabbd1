//! The feature `stream`, for writing: a sitemap as a stream of chunks.

use std::fmt;
use std::future::poll_fn;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_core::stream::{FusedStream, Stream};

use super::{IndexWriter, TextWriter, UrlsetWriter, WriterBuilder};
use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::{Error, Result};
use crate::span::TakePart;
use crate::xml::writer::DECLARATION;

/// A chunk is returned when it has so many bytes, or if the source is not ready.
const CHUNK: usize = 16 << 10;

/// A sitemap that is written while its entries arrive, as a stream of chunks for the body of a response: from
/// [`WriterBuilder::stream_urlset`], [`stream_index`](WriterBuilder::stream_index) and
/// [`stream_text`](WriterBuilder::stream_text), with the feature `stream`.
///
/// It takes an entry from the source only when the previous chunk has been taken, so a slow client slows the source
/// down, and memory use is at most about 100 KiB, regardless of the length of the sitemap. The first chunk of XML is
/// ready at once, before the first entry. Later chunks have 16 to 64 KiB, or less if the source has nothing ready.
///
/// # Errors
///
/// If the source returns an error, the stream returns it and ends. The body then has no end tag (and no gzip trailer), so
/// that no reader takes it for a complete sitemap. A server passes the error on to the connection, which it closes. An
/// entry that the writer rejects ends the stream in the same way, as does entry 50,001. Filter such entries out of the
/// source, or percent-encode them with [`WriterBuilder::escape`].
///
/// It never waits for anything except the source, and depends on no runtime. It is `Unpin`, and `Send` if the source is.
#[must_use = "streams do nothing unless polled"]
pub struct SitemapStream<S, T> {
    entries: Pin<Box<S>>,
    /// `None` after the last chunk.
    writer: Option<Box<dyn EntryWriter<T> + Send>>,
    /// Whether the first chunk has been returned.
    begun: bool,
    is_text: bool,
}

impl WriterBuilder {
    /// Turns a stream of pages into a urlset, as a stream of chunks for the body of a response:
    /// `axum::body::Body::from_stream`, actix-web's `HttpResponse::streaming`, hyper's `StreamBody`. Nothing is
    /// requested from the source yet. See [`SitemapStream`] for what becomes of errors.
    ///
    /// `E` is the source's type of error, such as [`std::io::Error`], `Box<dyn std::error::Error + Send + Sync>` or
    /// [`Error`] itself; an entry that is rejected becomes one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::pin::Pin;
    /// # use std::task::{Context, Poll, Waker};
    /// # struct Rows(std::vec::IntoIter<&'static str>);
    /// # impl futures_core::Stream for Rows {
    /// #     type Item = std::io::Result<quick_sitemap::UrlEntry>;
    /// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    /// #         Poll::Ready(self.0.next().map(|row| Ok(row.parse().unwrap())))
    /// #     }
    /// # }
    /// use quick_sitemap::WriterBuilder;
    ///
    /// # let write = async {
    /// # let pages = Rows(vec!["https://example.com/a", "https://example.com/b"].into_iter());
    /// let mut body = WriterBuilder::new().stream_urlset(pages);
    /// let mut response = Vec::new();
    /// while let Some(chunk) = body.next().await {
    ///     response.extend(chunk?);
    /// }
    /// assert_eq!(quick_sitemap::Reader::new(&response[..]).count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// # };
    /// # match std::pin::pin!(write).poll(&mut Context::from_waker(Waker::noop())) {
    /// #     Poll::Ready(result) => result.unwrap(),
    /// #     Poll::Pending => unreachable!(),
    /// # }
    /// ```
    pub fn stream_urlset<S, E>(&self, entries: S) -> SitemapStream<S, UrlEntry>
    where
        S: Stream<Item = std::result::Result<UrlEntry, E>>,
        E: From<Error>,
    {
        SitemapStream::new(entries, Box::new(self.urlset(Body::of_xml())), false)
    }

    /// Turns a stream of sitemaps into an index. See [`stream_urlset`](Self::stream_urlset).
    pub fn stream_index<S, E>(&self, entries: S) -> SitemapStream<S, SitemapEntry>
    where
        S: Stream<Item = std::result::Result<SitemapEntry, E>>,
        E: From<Error>,
    {
        SitemapStream::new(entries, Box::new(self.index(Body::of_xml())), false)
    }

    /// Turns a stream of pages into a text sitemap. The first chunk is ready when the first page is. See
    /// [`stream_urlset`](Self::stream_urlset).
    ///
    /// A text sitemap has no end tag: a client sees only from the connection that the body is cut off, or, if it is
    /// [gzipped](SitemapStream::gzip), from the trailer that is missing.
    pub fn stream_text<S, E>(&self, entries: S) -> SitemapStream<S, UrlEntry>
    where
        S: Stream<Item = std::result::Result<UrlEntry, E>>,
        E: From<Error>,
    {
        SitemapStream::new(entries, Box::new(self.text(Body::default())), true)
    }
}

impl<S, T> SitemapStream<S, T> {
    fn new(entries: S, writer: Box<dyn EntryWriter<T> + Send>, is_text: bool) -> Self {
        Self {
            entries: Box::pin(entries),
            writer: Some(writer),
            begun: false,
            is_text,
        }
    }

    /// Sets whether the body is gzipped. The default is `false`. It must be set before the first chunk is taken.
    ///
    /// For a file `sitemap.xml.gz` that is all; for a `sitemap.xml`, send the header `Content-Encoding: gzip`, and only to
    /// clients that accept it.
    ///
    /// # Examples
    ///
    /// See [the cookbook](crate::cookbook#serve-from-axum-actix-or-hyper).
    pub fn gzip(mut self, gzip: bool) -> Self {
        if let Some(writer) = self.writer.as_mut().filter(|_| !self.begun) {
            writer.body().gzip = gzip.then(|| GzEncoder::new(Vec::new(), Compression::default()));
        }
        self
    }

    /// Continues until there is a chunk. Returns `Ready(None)` at the end.
    fn poll_chunk<E>(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Vec<u8>, E>>>
    where
        S: Stream<Item = std::result::Result<T, E>>,
        E: From<Error>,
    {
        let Some(mut writer) = self.writer.take() else {
            return Poll::Ready(None);
        };
        if !std::mem::replace(&mut self.begun, true) && !self.is_text {
            return match writer.body().begin() {
                Ok(chunk) => {
                    self.writer = Some(writer);
                    Poll::Ready(Some(Ok(chunk)))
                }
                Err(error) => Poll::Ready(Some(Err(Error::from(error).into()))),
            };
        }
        loop {
            match self.entries.as_mut().poll_next(context) {
                Poll::Ready(Some(Ok(entry))) => {
                    if let Err(error) = writer.write(&entry) {
                        return Poll::Ready(Some(Err(error.into())));
                    }
                    if writer.body().ready().len() < CHUNK {
                        continue;
                    }
                    let chunk = writer.body().take();
                    self.writer = Some(writer);
                    return Poll::Ready(Some(Ok(chunk)));
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => {
                    let rest = writer.finish().and_then(|body| Ok(body.finish()?));
                    return Poll::Ready(match rest {
                        // An empty text sitemap.
                        Ok(rest) if rest.is_empty() => None,
                        rest => Some(rest.map_err(E::from)),
                    });
                }
                Poll::Pending => {
                    // The data that is there must not wait for the source.
                    if let Err(error) = writer.hand_on() {
                        return Poll::Ready(Some(Err(error.into())));
                    }
                    let chunk = writer.body().take();
                    self.writer = Some(writer);
                    return match chunk.is_empty() {
                        true => Poll::Pending,
                        false => Poll::Ready(Some(Ok(chunk))),
                    };
                }
            }
        }
    }
}

impl<S, T, E> SitemapStream<S, T>
where
    S: Stream<Item = std::result::Result<T, E>>,
    E: From<Error>,
{
    /// Returns the next chunk, or `None` at the end. Nothing is lost if the future is dropped before it is ready.
    pub async fn next(&mut self) -> Option<std::result::Result<Vec<u8>, E>> {
        poll_fn(|context| self.poll_chunk(context)).await
    }
}

impl<S, T, E> Stream for SitemapStream<S, T>
where
    S: Stream<Item = std::result::Result<T, E>>,
    E: From<Error>,
{
    type Item = std::result::Result<Vec<u8>, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_chunk(context)
    }
}

impl<S, T, E> FusedStream for SitemapStream<S, T>
where
    S: Stream<Item = std::result::Result<T, E>>,
    E: From<Error>,
{
    fn is_terminated(&self) -> bool {
        self.writer.is_none()
    }
}

impl<S, T> fmt::Debug for SitemapStream<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SitemapStream")
            .field("done", &self.writer.is_none())
            .finish_non_exhaustive()
    }
}

/// A writer of one of the three kinds, to a body.
trait EntryWriter<T> {
    fn write(&mut self, entry: &T) -> Result<()>;
    /// Writes the collected data to the body.
    fn hand_on(&mut self) -> Result<()>;
    fn body(&mut self) -> &mut Body;
    fn finish(self: Box<Self>) -> Result<Body>;
}

macro_rules! entry_writer {
    ($writer:ident, $entry:ty) => {
        impl EntryWriter<$entry> for $writer<Body> {
            fn write(&mut self, entry: &$entry) -> Result<()> {
                $writer::write(self, entry)
            }

            fn hand_on(&mut self) -> Result<()> {
                self.0.hand_on()
            }

            fn body(&mut self) -> &mut Body {
                self.get_mut()
            }

            fn finish(self: Box<Self>) -> Result<Body> {
                $writer::finish(*self)
            }
        }
    };
}

entry_writer!(UrlsetWriter, UrlEntry);
entry_writer!(IndexWriter, SitemapEntry);
entry_writer!(TextWriter, UrlEntry);

/// The data that has been written, but not been taken.
#[derive(Default)]
struct Body {
    plain: Vec<u8>,
    gzip: Option<GzEncoder<Vec<u8>>>,
    /// Number of bytes of the document that were returned before the writer wrote them.
    ahead: usize,
}

impl Body {
    fn of_xml() -> Self {
        Self {
            ahead: DECLARATION.len(),
            ..Self::default()
        }
    }

    /// The first chunk: every XML document begins with the declaration, whatever its entries are.
    fn begin(&mut self) -> io::Result<Vec<u8>> {
        self.put(DECLARATION.as_bytes())?;
        if let Some(gzip) = &mut self.gzip {
            gzip.flush()?;
        }
        Ok(self.take())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.gzip {
            Some(gzip) => gzip.write_all(bytes)?,
            None => self.plain.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn ready(&self) -> &[u8] {
        match &self.gzip {
            Some(gzip) => gzip.get_ref(),
            None => &self.plain,
        }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(match &mut self.gzip {
            Some(gzip) => gzip.get_mut(),
            None => &mut self.plain,
        })
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self.gzip {
            Some(gzip) => gzip.finish(),
            None => Ok(self.plain),
        }
    }
}

impl Write for Body {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let passed = self.ahead.min(bytes.len());
        self.ahead -= passed;
        self.put(bytes.part(passed..))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
