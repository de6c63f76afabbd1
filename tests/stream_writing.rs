//! Sitemaps as streams of chunks: what comes out, when, and what becomes of errors. (Sockets: see `web/`.)
#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_core::stream::{FusedStream, Stream};
use quick_sitemap::{Error, ErrorKind, Reader, Rule, SitemapEntry, UrlEntry, WriterBuilder};

/// What a source gives; `None` where it is not ready.
struct Source<T, E = Error> {
    items: std::vec::IntoIter<Option<Result<T, E>>>,
    taken: Rc<Cell<usize>>,
}

impl<T, E> Source<T, E> {
    fn new(items: impl IntoIterator<Item = Option<Result<T, E>>>) -> Self {
        let items: Vec<_> = items.into_iter().collect();
        Self {
            items: items.into_iter(),
            taken: Rc::default(),
        }
    }
}

impl<T> Source<T> {
    fn ready(items: impl IntoIterator<Item = T>) -> Self {
        Self::new(items.into_iter().map(|item| Some(Ok(item))))
    }
}

impl<T: Unpin, E: Unpin> Stream for Source<T, E> {
    type Item = Result<T, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.items.next();
        if let Some(None) = next {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.taken.set(self.taken.get() + 1);
        Poll::Ready(next.flatten())
    }
}

/// One poll; the outer `None`: not ready.
fn poll<S: Stream + Unpin>(stream: &mut S) -> Option<Option<S::Item>> {
    match Pin::new(stream).poll_next(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(item) => Some(item),
        Poll::Pending => None,
    }
}

/// All chunks, and the error that ended them.
fn chunks<S, E>(stream: S) -> (Vec<Vec<u8>>, Option<E>)
where
    S: Stream<Item = Result<Vec<u8>, E>> + Unpin + FusedStream,
{
    let mut stream = stream;
    let (mut chunks, mut failed) = (Vec::new(), None);
    while !stream.is_terminated() {
        match poll(&mut stream) {
            Some(Some(Ok(chunk))) => {
                assert!(!chunk.is_empty(), "an empty chunk ends some bodies");
                chunks.push(chunk);
            }
            Some(Some(Err(error))) => assert!(failed.replace(error).is_none()),
            Some(None) | None => {}
        }
    }
    assert!(poll(&mut stream).unwrap().is_none(), "it stays at its end");
    (chunks, failed)
}

fn page(number: usize) -> UrlEntry {
    format!("https://example.com/{number}").parse().unwrap()
}

#[test]
fn what_is_streamed_is_what_is_written() {
    for count in [0, 1, 2, 5_000] {
        for indent in [0, 2] {
            let builder = WriterBuilder::new()
                .indent(indent)
                .stylesheet("/sitemap.xsl");
            let part = |number| SitemapEntry::new(page(number).loc);

            let mut urlset = builder.urlset(Vec::new());
            (0..count).try_for_each(|n| urlset.write(&page(n))).unwrap();
            let (found, failed) =
                chunks(builder.stream_urlset(Source::ready((0..count).map(page))));
            assert!(failed.is_none());
            assert!(
                found.concat() == urlset.finish().unwrap(),
                "urlset of {count}"
            );

            let mut index = builder.index(Vec::new());
            (0..count).try_for_each(|n| index.write(&part(n))).unwrap();
            let (found, _) = chunks(builder.stream_index(Source::ready((0..count).map(part))));
            assert!(
                found.concat() == index.finish().unwrap(),
                "index of {count}"
            );

            let mut text = builder.text(Vec::new());
            (0..count).try_for_each(|n| text.write(&page(n))).unwrap();
            let (found, _) = chunks(builder.stream_text(Source::ready((0..count).map(page))));
            assert!(found.concat() == text.finish().unwrap(), "text of {count}");
        }
    }
}

#[test]
fn gzipped_it_reads_the_same() {
    let builder = WriterBuilder::new();
    let pages = || Source::ready((0..30_000).map(page));
    for chunks in [
        chunks(builder.stream_urlset(pages()).gzip(true)).0,
        chunks(builder.stream_text(pages()).gzip(true)).0,
    ] {
        let body = chunks.concat();
        assert!(body.starts_with(&[0x1f, 0x8b]));
        let read: Vec<_> = Reader::new(&body[..])
            .map(|entry| entry.unwrap().into_url().unwrap())
            .collect();
        assert!(read == (0..30_000).map(page).collect::<Vec<_>>());
    }
    let plain = chunks(builder.stream_urlset(pages()).gzip(true).gzip(false)).0;
    assert!(plain.concat().starts_with(b"<?xml"));
}

#[test]
fn the_first_chunk_needs_no_entry() {
    for gzip in [false, true] {
        let source = Source::new([None, None, Some(Ok::<_, Error>(page(1)))]);
        let taken = Rc::clone(&source.taken);
        let mut body = WriterBuilder::new().stream_urlset(source).gzip(gzip);
        let first = poll(&mut body).unwrap().unwrap().unwrap();
        assert_eq!(taken.get(), 0);
        let declaration = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        if gzip {
            // All of it is there, though the stream is not complete.
            let mut text = Vec::new();
            let mut decoder = flate2::write::GzDecoder::new(&mut text);
            io::Write::write_all(&mut decoder, &first).unwrap();
            io::Write::flush(&mut decoder).unwrap();
            drop(decoder);
            assert_eq!(text, declaration);
        } else {
            assert_eq!(first, declaration);
        }
        assert!(poll(&mut body).is_none());
        // After that chunk, `gzip` comes too late to do anything.
        let (rest, failed) = chunks(body.gzip(!gzip));
        assert!(failed.is_none());
        let body = [first, rest.concat()].concat();
        assert_eq!(Reader::new(&body[..]).count(), 1);
    }
}

/// While the source has nothing, the client has all that there was.
#[test]
fn nothing_waits_for_the_source() {
    let source = Source::new([Some(Ok::<_, Error>(page(1))), None, Some(Ok(page(2))), None]);
    let mut body = WriterBuilder::new().stream_urlset(source);
    let mut next =
        || poll(&mut body).map(|chunk| String::from_utf8(chunk.unwrap().unwrap()).unwrap());
    assert!(next().unwrap().starts_with("<?xml"));
    assert!(
        next()
            .unwrap()
            .ends_with("<url><loc>https://example.com/1</loc></url>\n")
    );
    assert_eq!(
        next().unwrap(),
        "<url><loc>https://example.com/2</loc></url>\n"
    );
    assert_eq!(next().unwrap(), "</urlset>\n");

    let source = Source::new([None, Some(Ok::<_, Error>(page(1))), None]);
    let mut body = WriterBuilder::new().stream_text(source);
    assert!(poll(&mut body).is_none());
    assert_eq!(
        poll(&mut body).unwrap().unwrap().unwrap(),
        b"https://example.com/1\n"
    );
    assert!(poll(&mut body).unwrap().is_none());
}

/// A slow client slows the source down, and what lies between them is bounded.
#[test]
fn memory_does_not_grow_with_the_sitemap() {
    for gzip in [false, true] {
        let source = Source::ready((0..50_000).map(page));
        let taken = Rc::clone(&source.taken);
        let mut body = WriterBuilder::new().stream_urlset(source).gzip(gzip);
        assert_eq!(taken.get(), 0);
        let mut before = 0;
        while let Some(chunk) = poll(&mut body).unwrap() {
            let chunk = chunk.unwrap();
            assert!(
                chunk.len() < 64 << 10 && chunk.capacity() < 256 << 10,
                "{}",
                chunk.len()
            );
            // 50 bytes each, a tenth of that gzipped.
            let step = taken.get() - before;
            assert!(step < if gzip { 20_000 } else { 2_000 }, "{step}");
            before = taken.get();
        }
    }
}

#[test]
fn an_error_of_the_source_ends_the_body_without_the_end_tag() {
    for gzip in [false, true] {
        let items = [
            Some(Ok(page(1))),
            Some(Err(io::Error::other("the database is gone"))),
            Some(Ok(page(2))),
        ];
        let body = WriterBuilder::new()
            .stream_urlset(Source::new(items))
            .gzip(gzip);
        let (chunks, failed) = chunks(body);
        assert_eq!(failed.unwrap().to_string(), "the database is gone");
        let body = chunks.concat();
        let last = Reader::new(&body[..]).last().unwrap().unwrap_err();
        assert!(matches!(last.kind(), ErrorKind::Truncated), "{last}");
    }
}

#[test]
fn an_entry_that_is_rejected_ends_the_body_in_the_same_way() {
    let pages = || {
        let wrong = "https://example.com/a[1]".parse().unwrap();
        Source::ready([page(1), wrong, page(2)])
    };
    let (found, failed) = chunks(WriterBuilder::new().stream_urlset(pages()));
    let rule = failed
        .unwrap()
        .violation()
        .map(|violation| violation.rule());
    assert_eq!(rule, Some(Rule::UrlNotEscaped));
    assert!(!found.concat().ends_with(b"</urlset>\n"));

    let (found, failed) = chunks(WriterBuilder::new().escape(true).stream_urlset(pages()));
    assert!(failed.is_none());
    assert_eq!(Reader::new(&found.concat()[..]).count(), 3);
}

/// Errors of common kinds can be those of the source, and a body can go to another thread.
#[test]
fn the_types_fit_servers() {
    fn is_a_body<S, E>(_: &S)
    where
        S: Stream<Item = Result<Vec<u8>, E>> + Send + Unpin + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
    }
    struct Nothing<E>(std::marker::PhantomData<fn() -> E>);
    impl<E> Stream for Nothing<E> {
        type Item = Result<UrlEntry, E>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(None)
        }
    }
    let builder = WriterBuilder::new();
    is_a_body(&builder.stream_urlset(Nothing::<io::Error>(Default::default())));
    is_a_body(&builder.stream_urlset(Nothing::<Error>(Default::default())));
    is_a_body(
        &builder.stream_text(Nothing::<Box<dyn std::error::Error + Send + Sync>>(
            Default::default(),
        )),
    );
    let mut body = builder.stream_urlset(Nothing::<Error>(Default::default()));
    {
        let next = pin!(body.next());
        let polled = next.poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_ready());
    }
    assert!(format!("{body:?}").contains("SitemapStream"));
}
