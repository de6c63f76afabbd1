//! A tokio and hyper client streams sitemaps into a [`Decoder`], and what that takes in memory.
//!
//! The server runs in a thread of its own, so that the allocations counted are the client's: hyper's buffers,
//! the chunks, and the decoder.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use flate2::{Compression, write::GzEncoder};
use http_body_util::channel::Channel;
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use quick_sitemap::{Decoder, UrlEntry, UrlsetWriter, W3cDatetime};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

const MIB: u64 = 1 << 20;

/// Bytes a chunk: no power of two, so that chunks and buffers don't fall into step.
const CHUNK: usize = 7_919;

/// A gzipped urlset, and its size before.
fn sitemap(entries: usize, path_bytes: usize) -> (Bytes, u64) {
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
fn serve(body: Bytes, rest: Arc<Semaphore>) -> SocketAddr {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (body, rest) = (body.clone(), rest.clone());
                let service = service_fn(move |_| respond(body.clone(), rest.clone()));
                let serving = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service);
                tokio::spawn(serving);
            }
        });
    });
    told.recv().unwrap()
}

async fn respond(
    body: Bytes,
    rest: Arc<Semaphore>,
) -> Result<Response<Channel<Bytes, Infallible>>, Infallible> {
    let (mut sender, channel) = Channel::new(1);
    tokio::spawn(async move {
        let half = body.len() / 2;
        let mut sent = 0;
        while sent < body.len() {
            if sent >= half {
                rest.acquire().await.unwrap().forget();
                rest.add_permits(1);
            }
            let end = body.len().min(sent + CHUNK);
            // Whoever has hung up need not be served.
            if sender.send_data(body.slice(sent..end)).await.is_err() {
                return;
            }
            sent = end;
        }
    });
    // Without a length it goes out chunked. The type is as wrong as it often is.
    Ok(Response::builder()
        .header("content-type", "text/html")
        .body(channel)
        .unwrap())
}

/// Gets a sitemap and counts its entries. `arrived` is called once, with the first entry.
async fn count(
    server: SocketAddr,
    mut arrived: impl FnMut(),
) -> Result<usize, Box<dyn std::error::Error>> {
    let stream = TcpStream::connect(server).await?;
    // A small buffer, so that it is the decoder whose memory shows.
    let (mut sender, connection) = hyper::client::conn::http1::Builder::new()
        .max_buf_size(16 << 10)
        .handshake(TokioIo::new(stream))
        .await?;
    tokio::spawn(connection);
    let request = Request::get("/sitemap.xml")
        .header("host", "example.com")
        .body(Empty::<Bytes>::new())?;
    let mut response = sender.send_request(request).await?;

    let mut decoder = Decoder::new();
    let mut entries = 0;
    loop {
        let frame = response.frame().await.transpose()?;
        match frame.as_ref().map(|frame| frame.data_ref()) {
            Some(Some(chunk)) => decoder.push(chunk),
            Some(None) => {} // trailers
            None => decoder.finish(),
        }
        while let Some(entry) = decoder.next_entry()? {
            assert_eq!(entry.loc().host_str(), Some("example.com"));
            entries += 1;
            if entries == 1 {
                arrived();
            }
        }
        if frame.is_none() {
            assert!(decoder.issues().is_empty());
            return Ok(entries);
        }
    }
}

/// The most that is allocated at one time while `run` runs, in a runtime on this thread.
fn peak(run: impl AsyncFnOnce()) -> u64 {
    let used = allocation_counter::measure(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let local = tokio::task::LocalSet::new();
        local.block_on(&runtime, async {
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

#[test]
fn hundreds_at_once() {
    const CLIENTS: usize = 300;
    let (body, size) = sitemap(2_000, 200);
    let gzipped = body.len();
    let rest = Arc::new(Semaphore::new(0));
    let server = serve(body, rest.clone());
    let peak = peak(async move || {
        let half_way = Arc::new(Semaphore::new(0));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                let half_way = half_way.clone();
                tokio::task::spawn_local(async move {
                    count(server, || half_way.add_permits(1)).await.unwrap()
                })
            })
            .collect();
        // Each has had entries and waits for more: so many decoders are alive at this moment.
        let _all = half_way.acquire_many(CLIENTS as u32).await.unwrap();
        rest.add_permits(1);
        for client in clients {
            assert_eq!(client.await.unwrap(), 2_000);
        }
    });
    let each = peak / CLIENTS as u64;
    println!(
        "{CLIENTS} at once, {size} bytes each, {gzipped} gzipped: {} KiB a client",
        each >> 10
    );
    assert!(each < MIB * 3 / 8, "{each}");
}
