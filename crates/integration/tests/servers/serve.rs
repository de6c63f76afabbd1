//! The cookbook's chapters on serving, fetched from real sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use crate::serve;
use crate::serve_body::{Row, body};
use quick_sitemap::{Entry, ErrorKind, Reader};

#[path = "../../../../docs/cookbook/actix.rs"]
mod actix_chapter;
#[path = "../../../../docs/cookbook/axum.rs"]
mod axum_chapter;
#[path = "../../../../docs/cookbook/hidden_files.rs"]
mod hidden_files_chapter;
#[path = "../../../../docs/cookbook/hyper.rs"]
mod hyper_chapter;

fn connect(server: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server).unwrap();
    let minute = Some(Duration::from_secs(60));
    stream.set_read_timeout(minute).unwrap();
    let head = format!("GET {request}\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// The head of a response with all pages, and its body.
fn fetch(server: SocketAddr, request: &str) -> (String, Vec<u8>) {
    let mut response = Vec::new();
    connect(server, request).read_to_end(&mut response).unwrap();
    let (head, body) = split(&response);
    let body = body.unwrap();
    assert_is_all(&body);
    (head, body)
}

fn text(server: SocketAddr, request: &str) -> String {
    let mut response = String::new();
    connect(server, request)
        .read_to_string(&mut response)
        .unwrap();
    response
}

/// Reads until the text has come.
fn read_until(stream: &mut TcpStream, seen: &mut Vec<u8>, text: &str) {
    let mut buffer = [0; 1024];
    while !String::from_utf8_lossy(seen).contains(text) {
        let bytes = stream.read(&mut buffer).unwrap();
        assert!(bytes > 0, "{text} is missing");
        seen.extend_from_slice(&buffer[..bytes]);
    }
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
    let (head, plain) = fetch(server, "/sitemap.xml HTTP/1.1");
    // A cache must not send one body in place of the other.
    for line in [
        "http/1.1 200",
        "content-type: application/xml",
        "vary: accept-encoding",
        "etag: w/\"2024-03-04-20000\"",
    ] {
        assert!(head.contains(line), "{head}");
    }
    assert!(plain.starts_with(b"<?xml"));

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
        assert_eq!(body.len() < plain.len() / 5, is_gzipped, "{accepted}");
    }

    for (known, is_known) in [
        ("W/\"2024-03-04-20000\"", true),
        ("\"old\", W/\"2024-03-04-20000\"", true),
        ("*", true),
        ("\"old\"", false),
    ] {
        let request = format!("/sitemap.xml HTTP/1.1\r\nIf-None-Match: {known}");
        let response = text(server, &request).to_ascii_lowercase();
        assert_eq!(response.starts_with("http/1.1 304"), is_known, "{known}");
        assert!(response.contains("etag: w/") && response.contains("vary: accept-encoding"));
        let is_empty = response.ends_with("\r\n\r\n") && !response.contains("<url>");
        assert_eq!(is_empty, is_known, "{known}");
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
        let response = text(server, &format!("{path} HTTP/1.1"));
        let status = if is_sent { "200" } else { "404" };
        let begin = format!("HTTP/1.1 {status}");
        assert!(response.starts_with(&begin), "{path}: {response}");
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
    let is_gzip = head.contains("content-type: application/gzip");
    assert!(head.starts_with("http/1.1 200") && is_gzip, "{head}");
    assert!(body.starts_with(&[0x1f, 0x8b]));
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
    let (head, _) = fetch(server, "/sitemap.xml HTTP/1.1");
    let is_xml = head.contains("content-type: application/xml");
    assert!(head.starts_with("http/1.1 200") && is_xml, "{head}");
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
    let mut seen = Vec::new();
    let mut read_until = |text: &str| read_until(&mut stream, &mut seen, text);
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
    read_until(&mut stream, &mut response, "</url>");
    let failed = std::io::Error::other("the database is gone");
    send.blocking_send(Err(failed)).unwrap();
    // The connection may be reset.
    let _ = stream.read_to_end(&mut response);
    let (_, body) = split(&response);
    let body = body.unwrap_err();
    let error = Reader::new(&body[..]).last().unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Truncated), "{error}");
}
