//! The cookbook's chapters on serving, fetched from real sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use crate::serve_body::{Row, body};
use quick_sitemap::{Entry, ErrorKind, Reader};
use tokio::net::TcpListener;

#[path = "../../../../docs/cookbook/actix.rs"]
mod actix_chapter;
#[path = "../../../../docs/cookbook/axum.rs"]
mod axum_chapter;
#[path = "../../../../docs/cookbook/hidden_files.rs"]
mod hidden_files_chapter;
#[path = "../../../../docs/cookbook/hyper.rs"]
mod hyper_chapter;

/// Runs a server in its own thread, which ends with the test; returns its address.
fn serve<F: Future<Output = ()>>(
    server: impl FnOnce(TcpListener) -> F + Send + 'static,
) -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            server(listener).await;
        });
    });
    told.recv().unwrap()
}

fn connect(server: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    stream
        .write_all(
            format!("GET {request}\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes(),
        )
        .unwrap();
    stream
}

fn fetch(server: SocketAddr, request: &str) -> (String, Result<Vec<u8>, Vec<u8>>) {
    let mut response = Vec::new();
    connect(server, request).read_to_end(&mut response).unwrap();
    split(&response)
}

/// The head of a response, and its body; `Err` with what there is of it if the last chunk is missing.
fn split(response: &[u8]) -> (String, Result<Vec<u8>, Vec<u8>>) {
    let end = response
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8_lossy(&response[..end]).to_ascii_lowercase();
    assert!(head.contains("transfer-encoding: chunked"), "{head}");
    let (mut rest, mut body) = (&response[end + 4..], Vec::new());
    loop {
        let Some(line) = rest.windows(2).position(|bytes| bytes == b"\r\n") else {
            return (head, Err(body));
        };
        let length =
            usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        if length == 0 {
            return (head, Ok(body));
        }
        body.extend_from_slice(&rest[line + 2..line + 2 + length]);
        rest = &rest[line + 2 + length + 2..];
    }
}

/// The pages of every chapter.
fn assert_is_all(body: &[u8]) {
    let entries: quick_sitemap::Result<Vec<Entry>> = Reader::new(body).collect();
    let entries = entries.unwrap();
    assert_eq!(entries.len(), 20_000);
    assert_eq!(entries[19_999].loc().as_str(), "https://example.com/19999");
    assert_eq!(entries[0].lastmod().unwrap().to_string(), "2024-03-04");
}

#[test]
fn axum() {
    let server =
        serve(|listener| async { axum::serve(listener, axum_chapter::app()).await.unwrap() });
    let (head, body) = fetch(server, "/sitemap.xml HTTP/1.1");
    assert!(
        head.starts_with("http/1.1 200") && head.contains("content-type: application/xml"),
        "{head}"
    );
    let plain = body.unwrap();
    assert!(plain.starts_with(b"<?xml"));
    assert_is_all(&plain);
    // A cache must not send one body in place of the other.
    assert!(head.contains("vary: accept-encoding"), "{head}");

    for (accepted, is_gzipped) in [
        ("gzip, br", true),
        ("br;q=1.0, GZIP;q=0.5", true),
        ("*", true),
        ("gzip;q=0", false),
        ("gzip; q=0.000, *", false),
        ("*;q=0", false),
        ("identity", false),
        ("x-gzipped", false),
    ] {
        let request = format!("/sitemap.xml HTTP/1.1\r\nAccept-Encoding: {accepted}");
        let (head, body) = fetch(server, &request);
        let coding = head.contains("content-encoding: gzip");
        assert_eq!(coding, is_gzipped, "{accepted}: {head}");
        assert_eq!(head.contains("content-encoding"), is_gzipped, "{head}");
        assert!(head.contains("vary: accept-encoding"), "{head}");
        let body = body.unwrap();
        assert_eq!(body.len() < plain.len() / 5, is_gzipped, "{accepted}");
        assert_is_all(&body);
    }

    let tag = "W/\"2024-03-04-20000\"";
    assert!(
        head.contains(&format!("etag: {}", tag.to_ascii_lowercase())),
        "{head}"
    );
    for (known, is_known) in [
        (tag, true),
        ("\"old\", W/\"2024-03-04-20000\"", true),
        ("*", true),
        ("\"old\"", false),
    ] {
        let mut response = Vec::new();
        let request = format!("/sitemap.xml HTTP/1.1\r\nIf-None-Match: {known}");
        connect(server, &request)
            .read_to_end(&mut response)
            .unwrap();
        let response = String::from_utf8_lossy(&response).to_ascii_lowercase();
        assert_eq!(response.starts_with("http/1.1 304"), is_known, "{known}");
        assert!(response.contains("etag: w/") && response.contains("vary: accept-encoding"));
        assert_eq!(
            response.ends_with("\r\n\r\n") && !response.contains("<url>"),
            is_known
        );
    }
}

/// Paths that `ServeDir` of tower-http 0.7 takes for a file in a hidden folder, and some that it does not.
#[test]
fn hidden_files_are_not_sent() {
    let hide = axum::middleware::from_fn(hidden_files_chapter::without_hidden_files);
    let app = axum::Router::new().fallback(async || "a file").layer(hide);
    let server = serve(|listener| async { axum::serve(listener, app).await.unwrap() });
    for (path, is_sent) in [
        ("/.sitemap.set/journal", false),
        ("/%2esitemap.set/journal", false),
        ("/.%73itemap.set/journal", false),
        ("//.sitemap.set/journal", false),
        ("/./.sitemap.set/journal", false),
        ("/.sitemap.set%2fjournal", false),
        ("/shop%2F%2Eposts.set/lock", false),
        ("/%5C.sitemap.set%5Cjournal", false),
        ("/sitemap.xml", true),
        ("/sitemap-1.xml.gz", true),
        ("/.well-known/security.txt", true),
        ("/", true),
    ] {
        let mut response = String::new();
        let mut stream = connect(server, &format!("{path} HTTP/1.1"));
        stream.read_to_string(&mut response).unwrap();
        let status = if is_sent { "200" } else { "404" };
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status}")),
            "{path}: {response}"
        );
    }
}

#[test]
fn actix() {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async {
            let sitemap = || actix_web::web::get().to(actix_chapter::sitemap);
            let app = move || actix_web::App::new().route("/sitemap.xml.gz", sitemap());
            let server = actix_web::HttpServer::new(app)
                .workers(1)
                .bind("127.0.0.1:0")
                .unwrap();
            tell.send(server.addrs()[0]).unwrap();
            server.run().await.unwrap();
        });
    });
    let (head, body) = fetch(told.recv().unwrap(), "/sitemap.xml.gz HTTP/1.1");
    assert!(
        head.starts_with("http/1.1 200") && head.contains("content-type: application/gzip"),
        "{head}"
    );
    let body = body.unwrap();
    assert!(body.starts_with(&[0x1f, 0x8b]));
    assert_is_all(&body);
}

#[test]
fn hyper() {
    let server = serve(|listener| async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = hyper::service::service_fn(hyper_chapter::sitemap);
            let stream = hyper_util::rt::TokioIo::new(stream);
            hyper::server::conn::http1::Builder::new()
                .serve_connection(stream, service)
                .await
                .unwrap();
        }
    });
    let (head, body) = fetch(server, "/sitemap.xml HTTP/1.1");
    assert!(
        head.starts_with("http/1.1 200") && head.contains("content-type: application/xml"),
        "{head}"
    );
    assert_is_all(&body.unwrap());
}

fn row(loc: &str) -> Row {
    Row {
        loc: loc.to_owned(),
        lastmod: "2024-03-04".to_owned(),
    }
}

/// A source that a test feeds.
fn from_channel(rows: tokio::sync::mpsc::Receiver<std::io::Result<Row>>) -> axum::Router {
    use futures_util::stream::unfold;
    let rows = std::sync::Arc::new(std::sync::Mutex::new(Some(rows)));
    let sitemap = move || {
        let rows = rows.lock().unwrap().take().unwrap();
        let rows = unfold(rows, async |mut rows| Some((rows.recv().await?, rows)));
        std::future::ready(axum::body::Body::from_stream(body(rows, false)))
    };
    axum::Router::new().route("/", axum::routing::get(sitemap))
}

/// A client sees each page before the next is there.
#[test]
fn nothing_is_waited_for() {
    let (send, rows) = tokio::sync::mpsc::channel(1);
    let server =
        serve(|listener| async { axum::serve(listener, from_channel(rows)).await.unwrap() });
    let mut stream = connect(server, "/ HTTP/1.1");
    let mut seen = String::new();
    let mut read_until = |text: &str| {
        let mut buffer = [0; 1024];
        while !seen.contains(text) {
            let bytes = stream.read(&mut buffer).unwrap();
            assert!(bytes > 0, "{seen}");
            seen.push_str(std::str::from_utf8(&buffer[..bytes]).unwrap());
        }
    };
    for page in ["https://example.com/1", "https://example.com/2"] {
        send.blocking_send(Ok(row(page))).unwrap();
        read_until(&format!("<loc>{page}</loc>"));
    }
    drop(send);
    read_until("</urlset>");
    read_until("\r\n0\r\n");
}

/// Rows that no sitemap can contain do not end the response, even if a chunk has no others.
#[test]
fn a_row_that_is_rejected_costs_only_itself() {
    let (send, rows) = tokio::sync::mpsc::channel(1);
    let server =
        serve(|listener| async { axum::serve(listener, from_channel(rows)).await.unwrap() });
    let mut stream = connect(server, "/ HTTP/1.1");
    let broken = Row {
        lastmod: "yesterday".to_owned(),
        ..row("https://example.com/date")
    };
    let rows = [
        row("mailto:a@example.com"),
        row("https://example.com/1"),
        broken,
        row("ftp://example.com/"),
        row("https://example.com/2"),
    ];
    for row in rows {
        send.blocking_send(Ok(row)).unwrap();
    }
    drop(send);
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let (_, body) = split(&response);
    let body = body.unwrap();
    let pages = Reader::new(&body[..]).map(|entry| entry.unwrap().loc().to_string());
    assert!(pages.eq(["https://example.com/1", "https://example.com/2"]));
}

/// A source that fails midway leaves a response that no client takes for complete.
#[test]
fn an_error_cuts_the_response() {
    let (send, rows) = tokio::sync::mpsc::channel(1);
    let server = serve(|listener| async {
        axum::serve(listener, from_channel(rows)).await.unwrap();
    });
    let mut stream = connect(server, "/ HTTP/1.1");
    send.blocking_send(Ok(row("https://example.com/1")))
        .unwrap();
    let mut response = Vec::new();
    let mut buffer = [0; 1024];
    while !String::from_utf8_lossy(&response).contains("</url>") {
        let bytes = stream.read(&mut buffer).unwrap();
        assert!(bytes > 0);
        response.extend_from_slice(&buffer[..bytes]);
    }
    let failed = std::io::Error::other("the database is gone");
    send.blocking_send(Err(failed)).unwrap();
    // The connection may be reset.
    let _ = stream.read_to_end(&mut response);
    let (_, body) = split(&response);
    let body = body.unwrap_err();
    let error = Reader::new(&body[..]).last().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Truncated), "{error}");
}
