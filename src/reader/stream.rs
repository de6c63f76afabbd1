//! The feature `stream`: reading from a `Stream` of chunks.

use std::error::Error as StdError;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::stream::{FusedStream, Stream};

use crate::entry::Entry;
use crate::error::Result;
use crate::reader::ReaderBuilder;
use crate::reader::decoder::Decoder;

/// The entries of a sitemap whose bytes arrive as a stream. Returned by [`ReaderBuilder::stream`], with the feature
/// `stream`.
///
/// It requests the next chunk of the body only when all entries of the previous chunks have been taken. So a slow
/// consumer slows the sender down, and only one chunk and one window of text are in memory. If the body fails, the
/// complete entries are returned, then the error.
///
/// It waits only for the body, and does not depend on a runtime. It is `Unpin`, and `Send` if the body is.
#[must_use = "streams do nothing unless polled"]
pub struct EntryStream<S> {
    body: Pin<Box<S>>,
    decoder: Decoder,
}

impl ReaderBuilder {
    /// Creates a stream of entries from a stream of chunks, such as the body of an HTTP response: reqwest's
    /// `response.bytes_stream()`, hyper's `body.into_data_stream()`. Nothing is requested yet. An error of the body
    /// becomes an [`ErrorKind::Io`](crate::ErrorKind::Io).
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::pin::Pin;
    /// # use std::task::{Context, Poll, Waker};
    /// # struct Chunks(std::vec::IntoIter<&'static str>);
    /// # impl futures_core::Stream for Chunks {
    /// #     type Item = std::io::Result<&'static str>;
    /// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    /// #         Poll::Ready(self.0.next().map(Ok))
    /// #     }
    /// # }
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// # let read = async {
    /// # let body = Chunks(vec!["https://exam", "ple.com/a\nhttps://example.com/b"].into_iter());
    /// let mut entries = ReaderBuilder::new().stream(body);
    /// let mut pages = Vec::new();
    /// while let Some(entry) = entries.next().await {
    ///     pages.push(entry?.loc().clone());
    /// }
    /// assert_eq!(pages.len(), 2);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// # };
    /// # match std::pin::pin!(read).poll(&mut Context::from_waker(Waker::noop())) {
    /// #     Poll::Ready(result) => result.unwrap(),
    /// #     Poll::Pending => unreachable!(),
    /// # }
    /// ```
    pub fn stream<S, B, E>(&self, body: S) -> EntryStream<S>
    where
        S: Stream<Item = std::result::Result<B, E>>,
        B: AsRef<[u8]>,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        EntryStream {
            body: Box::pin(body),
            decoder: self.decoder(),
        }
    }
}

impl<S> EntryStream<S> {
    /// Returns the decoder of the document, for its [issues](Decoder::issues), [summary](Decoder::summary) and
    /// [format](Decoder::format).
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Returns the next entry, or `None` at the end. No data is lost if the future is dropped before it is ready.
    pub async fn next(&mut self) -> Option<Result<Entry>>
    where
        Self: Stream<Item = Result<Entry>>,
    {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<S, B, E> Stream for EntryStream<S>
where
    S: Stream<Item = std::result::Result<B, E>>,
    B: AsRef<[u8]>,
    E: Into<Box<dyn StdError + Send + Sync>>,
{
    type Item = Result<Entry>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Entry>>> {
        let Self { body, decoder } = &mut *self;
        loop {
            match decoder.next_entry() {
                Ok(None) if decoder.is_done() => return Poll::Ready(None),
                Ok(None) => {}
                step => return Poll::Ready(step.transpose()),
            }
            match ready!(body.as_mut().poll_next(context)) {
                Some(Ok(chunk)) => decoder.push(chunk.as_ref()),
                Some(Err(error)) => decoder.fail(io_error(error.into())),
                None => decoder.finish(),
            }
        }
    }
}

impl<S> FusedStream for EntryStream<S>
where
    Self: Stream,
{
    fn is_terminated(&self) -> bool {
        self.decoder.is_done()
    }
}

impl<S> fmt::Debug for EntryStream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryStream")
            .field("decoder", &self.decoder)
            .finish_non_exhaustive()
    }
}

/// An I/O error stays what it is; another is its inner one.
fn io_error(error: Box<dyn StdError + Send + Sync>) -> io::Error {
    let own = error.downcast::<io::Error>();
    own.map_or_else(io::Error::other, |error| *error)
}
