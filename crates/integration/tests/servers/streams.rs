//! A client on tokio streams sitemaps from sockets into a [`Decoder`], and what that takes in memory.
//!
//! The server runs in its own thread, so that only allocations of the client are counted: those of the runtime, the
//! chunks, and the decoder.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{Decoder, UrlEntry, UrlsetWriter, W3cDatetime};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

const MIB: u64 = 1 << 20;

/// Bytes a chunk: no power of two, so that chunks and buffers don't fall into step.
const CHUNK: usize = 7_919;

/// A gzipped urlset, and its size before.
fn sitemap(entries: usize, path_bytes: usize) -> (Arc<[u8]>, u64) {
    struct Counted<W>(W, u64);
    impl<W: Write> Write for Counted<W> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1 += bytes.len() as u64;
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    let gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let mut writer = UrlsetWriter::new(Counted(gzip, 0));
    let lastmod: W3cDatetime = "2024-05-06T07:08:09Z".parse().unwrap();
    // Digits that don't repeat, so that the gzipped file has some size too.
    let mut state = 1_u64;
    for number in 0..entries {
        let mut loc = format!("https://example.com/{number}/");
        while loc.len() < path_bytes {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            loc.push_str(&format!("{:x}-", state >> 32));
        }
        let page = UrlEntry::try_from(loc.as_str()).unwrap();
        writer.write(&page.with_lastmod(lastmod)).unwrap();
    }
    let Counted(gzip, size) = writer.finish().unwrap();
    (gzip.finish().unwrap().into(), size)
}

/// Serves `body` in chunks to everyone. Half of it at first; the rest when there is a permit.
fn serve(body: Arc<[u8]>, rest: Arc<Semaphore>) -> SocketAddr {
    crate::serve(async move |listener| {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(respond(stream, body.clone(), rest.clone()));
        }
    })
}

async fn respond(mut stream: TcpStream, body: Arc<[u8]>, rest: Arc<Semaphore>) {
    let mut sent = 0;
    for chunk in body.chunks(CHUNK) {
        if sent >= body.len() / 2 {
            rest.acquire().await.unwrap().forget();
            rest.add_permits(1);
        }
        // A client that has closed the connection gets no response.
        if stream.write_all(chunk).await.is_err() {
            return;
        }
        sent += chunk.len();
    }
}

/// Requests a sitemap and counts its entries. `arrived` is called once, with the first entry.
async fn count(
    server: SocketAddr,
    mut arrived: impl FnMut(),
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut stream = TcpStream::connect(server).await?;
    // A small buffer, so that it is the decoder whose memory shows.
    let mut buffer = vec![0; 16 << 10];
    let mut decoder = Decoder::new();
    let mut entries = 0;
    loop {
        let read = stream.read(&mut buffer).await?;
        match read {
            0 => decoder.finish(),
            _ => decoder.push(buffer.get(..read).unwrap()),
        }
        while let Some(entry) = decoder.next_entry()? {
            assert_eq!(entry.loc().host_str(), Some("example.com"));
            entries += 1;
            if entries == 1 {
                arrived();
            }
        }
        if read == 0 {
            assert!(decoder.issues().is_empty());
            return Ok(entries);
        }
    }
}

/// The most that is allocated at one time while `run` runs, in a runtime on this thread.
fn peak(run: impl AsyncFnOnce()) -> u64 {
    let used = allocation_counter::measure(|| {
        let local = tokio::task::LocalSet::new();
        local.block_on(&crate::runtime(), async {
            tokio::time::timeout(Duration::from_secs(300), run())
                .await
                .expect("it hangs");
        });
    });
    used.bytes_max
}

#[test]
fn fifty_megabytes_in_constant_memory() {
    let (body, size) = sitemap(50_000, 970);
    assert!((50_000_000..=52_428_800).contains(&size), "{size}");
    let gzipped = body.len();
    let server = serve(body, Arc::new(Semaphore::new(1)));
    let peak = peak(async move || {
        assert_eq!(count(server, || {}).await.unwrap(), 50_000);
    });
    println!(
        "{size} bytes, {gzipped} gzipped: peak of the client's heap {} KiB",
        peak >> 10
    );
    assert!(peak < MIB / 2, "{peak}");
}

/// The memory of each of many clients, all of which are in the middle of a sitemap at one moment. `read` adds a permit with
/// its first entry, and returns the number of all.
fn memory_of_each<F: Future<Output = usize> + 'static>(
    read: impl Fn(SocketAddr, Arc<Semaphore>) -> F,
) -> u64 {
    const CLIENTS: usize = 300;
    let (body, _) = sitemap(2_000, 200);
    let rest = Arc::new(Semaphore::new(0));
    let server = serve(body, rest.clone());
    let peak = peak(async move || {
        let half_way = Arc::new(Semaphore::new(0));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| tokio::task::spawn_local(read(server, half_way.clone())))
            .collect();
        // Each decoder has returned entries and waits for more, so all of them exist at this moment.
        let _all = half_way.acquire_many(CLIENTS as u32).await.unwrap();
        rest.add_permits(1);
        for client in clients {
            assert_eq!(client.await.unwrap(), 2_000);
        }
    });
    peak / CLIENTS as u64
}

#[test]
fn hundreds_at_once() {
    let each = memory_of_each(async |server, half_way| {
        count(server, || half_way.add_permits(1)).await.unwrap()
    });
    println!("hundreds at once: {} KiB a client", each >> 10);
    assert!(each < MIB * 3 / 8, "{each}");
}

/// Like above, with [`ReaderBuilder::stream`](quick_sitemap::ReaderBuilder::stream).
mod stream {
    use std::collections::VecDeque;
    use std::io;
    use std::pin::Pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll};

    use futures_core::Stream;
    use quick_sitemap::{
        Completeness, EntryStream, ErrorKind, Format, Policy, ReaderBuilder, Rule,
    };
    use tokio::io::{AsyncRead, ReadBuf};

    use super::*;

    /// The bytes of a socket, as a stream of chunks.
    struct Chunks(TcpStream);

    impl Stream for Chunks {
        type Item = io::Result<Vec<u8>>;

        fn poll_next(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Self::Item>> {
            let mut chunk = vec![0; 8 << 10];
            let mut buffer = ReadBuf::new(&mut chunk);
            let polled = Pin::new(&mut self.0).poll_read(context, &mut buffer);
            let read = buffer.filled().len();
            polled.map(|outcome| match outcome {
                Ok(()) if read == 0 => None,
                outcome => Some(outcome.map(|()| chunk.get(..read).unwrap().to_vec())),
            })
        }
    }

    async fn get(server: SocketAddr) -> Chunks {
        Chunks(TcpStream::connect(server).await.unwrap())
    }

    #[test]
    fn hundreds_of_streams_at_once() {
        let each = memory_of_each(async |server, half_way| {
            let mut entries = ReaderBuilder::new().stream(get(server).await);
            let mut count = 0;
            while let Some(entry) = entries.next().await {
                entry.unwrap();
                count += 1;
                if count == 1 {
                    half_way.add_permits(1);
                }
            }
            let completeness = entries.decoder().summary().completeness();
            assert_eq!(completeness, Completeness::Complete);
            count
        });
        println!("hundreds of streams at once: {} KiB a client", each >> 10);
        assert!(each < MIB * 3 / 8, "{each}");
    }

    /// A server that sends part of a sitemap, in slow pieces, and then hangs up: by a reset, or as if it were done.
    async fn hang_up(text: String, piece: usize, reset: bool) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::task::spawn_local(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            for piece in text.as_bytes().chunks(piece) {
                stream.write_all(piece).await.unwrap();
                stream.flush().await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            if reset {
                // Bytes that have not been read would be lost with the reset.
                tokio::time::sleep(Duration::from_millis(200)).await;
                stream.set_zero_linger().unwrap();
            }
        });
        address
    }

    #[test]
    fn what_came_before_a_reset_is_given_first() {
        let local = tokio::task::LocalSet::new();
        local.block_on(&crate::runtime(), async {
            for (reset, piece) in [(true, 10_000), (false, 10_000), (true, 40), (false, 7)] {
                let entries: String = (0..20)
                    .map(|n| format!("<url><loc>https://example.com/{n}</loc></url>"))
                    .collect();
                let text = format!(
                    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}<url><loc>https://exam"
                );
                let server = hang_up(text, piece, reset).await;
                let mut entries = ReaderBuilder::new().stream(get(server).await);
                for n in 0..20 {
                    let entry = entries.next().await.unwrap().unwrap();
                    assert_eq!(entry.loc().path(), format!("/{n}"));
                }
                let error = entries.next().await.unwrap().unwrap_err();
                match error.kind() {
                    ErrorKind::Io(cause) if reset => {
                        assert_eq!(cause.kind(), io::ErrorKind::ConnectionReset);
                    }
                    ErrorKind::Truncated if !reset => {}
                    _ => panic!("{error}"),
                }
                assert!(error.is_fatal());
                assert!(entries.next().await.is_none());
                assert_eq!(entries.decoder().format(), Some(Format::Urlset));
                assert_eq!(
                    entries.decoder().summary().completeness(),
                    Completeness::Incomplete
                );
            }
        });
    }

    /// A body in memory that counts how often it was polled.
    struct Body {
        chunks: VecDeque<io::Result<Vec<u8>>>,
        asked: Arc<AtomicUsize>,
        waits: bool,
    }

    impl Stream for Body {
        type Item = io::Result<Vec<u8>>;

        fn poll_next(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Self::Item>> {
            self.waits = !self.waits;
            if self.waits {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            self.asked.fetch_add(1, Ordering::Relaxed);
            Poll::Ready(self.chunks.pop_front())
        }
    }

    fn body(chunks: impl IntoIterator<Item = io::Result<Vec<u8>>>) -> (Body, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let body = Body {
            chunks: chunks.into_iter().collect(),
            asked: asked.clone(),
            waits: false,
        };
        (body, asked)
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        crate::runtime().block_on(future)
    }

    #[test]
    fn no_chunk_is_asked_for_before_it_is_needed() {
        let chunk = b"https://example.com/1\nhttps://example.com/2\n".to_vec();
        let (body, asked) = body([Ok(chunk.clone()), Ok(chunk)]);
        let mut entries = ReaderBuilder::new().stream(body);
        let asked = || asked.load(Ordering::Relaxed);
        assert_eq!(asked(), 0);
        block_on(async {
            // A text sitemap is detected when there is enough text, or at the end: here that takes the entire body.
            entries.next().await.unwrap().unwrap();
            let before = asked();
            for _ in 1..4 {
                entries.next().await.unwrap().unwrap();
                assert!(asked() <= before.max(3), "{}", asked());
            }
            assert!(entries.next().await.is_none());
            let all = asked();
            assert_eq!(all, 3);
            assert!(entries.next().await.is_none());
            assert_eq!(asked(), all, "it is not asked again after its end");
        });
    }

    #[test]
    fn a_slow_consumer_is_not_overrun() {
        let head = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>".to_vec();
        let url = |n| format!("<url><loc>https://example.com/{n}</loc></url>").into_bytes();
        // The first 1,024 bytes determine the encoding.
        let head = [head, vec![b' '; 1_024]].concat();
        let chunks = [Ok(head)].into_iter().chain((0..50).map(|n| Ok(url(n))));
        let (body, asked) = body(chunks);
        let mut entries = ReaderBuilder::new().stream(body);
        block_on(async {
            for n in 0..50 {
                entries.next().await.unwrap().unwrap();
                assert_eq!(asked.load(Ordering::Relaxed), n + 2, "a chunk an entry");
            }
        });
    }

    /// A stream returns, step by step, the same as a reader.
    #[test]
    fn a_stream_is_equal_to_a_reader() {
        let folder = format!("{}/../../tests/data", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let Ok(bytes) = std::fs::read(&path) else {
                continue;
            };
            for policy in [Policy::LENIENT, Policy::STRICT] {
                for size in [1, 300, usize::MAX] {
                    let builder = ReaderBuilder::new().policy(policy);
                    let chunks = bytes.chunks(size.min(bytes.len().max(1)));
                    let (body, _) = body(chunks.map(|chunk| Ok(chunk.to_vec())));
                    let mut entries = builder.stream(body);
                    let mut reader = builder.build(&bytes[..]);
                    block_on(async {
                        loop {
                            let (step, expected) = (entries.next().await, reader.next());
                            let name = path.display();
                            assert_eq!(format!("{step:?}"), format!("{expected:?}"), "{name}");
                            assert_eq!(entries.decoder().issues(), reader.issues(), "{name}");
                            if step.is_none() {
                                break;
                            }
                        }
                    });
                    assert_eq!(entries.decoder().summary(), reader.summary());
                    assert_eq!(entries.decoder().format(), reader.format());
                }
            }
        }
    }

    #[test]
    fn an_io_error_stays_what_it_is() {
        let text = b"https://example.com/1\nhttps://example.com/2".to_vec();
        let (body, _) = body([Ok(text), Err(io::ErrorKind::TimedOut.into())]);
        let mut entries = ReaderBuilder::new()
            .policy(Policy::LENIENT.deny(Rule::InvalidUrl))
            .stream(body);
        block_on(async {
            assert!(entries.next().await.unwrap().is_ok());
            let error = entries.next().await.unwrap().unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::TimedOut)
            );
            assert!(error.is_fatal(), "a stream is not asked again");
            assert!(entries.next().await.is_none());
        });
    }

    #[test]
    fn streams_can_be_sent_and_need_no_pinning() {
        fn holds<T: Send + Unpin>() {}
        holds::<EntryStream<Body>>();
    }
}
