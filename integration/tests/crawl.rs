//! The cookbook's chapters on crawling, against a server on this machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use quick_sitemap::Completeness;
use quick_sitemap::crawl::{Reason, Summary};
use quick_sitemap::url::Url;

#[path = "../../docs/cookbook/crawl_allowed.rs"]
mod allowed;
#[path = "../../docs/cookbook/crawl_reqwest.rs"]
mod reqwest_chapter;
#[path = "../../docs/cookbook/crawl_ureq.rs"]
mod ureq_chapter;
#[path = "../../docs/cookbook/crawl_warc.rs"]
mod warc_chapter;

const NAMESPACE: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

/// A site with a nested index that lists itself, a redirect, a response that breaks off once, a server that is busy once,
/// a missing part and one on another host: 62 pages.
fn answer(path: &str, before: usize, home: &str) -> (String, String, Option<usize>) {
    let urlset = |name: &str, count: usize| {
        let pages: String = (0..count)
            .map(|n| format!("<url><loc>{home}{name}/{n}</loc></url>"))
            .collect();
        format!("<urlset {NAMESPACE}>{pages}</urlset>")
    };
    let index = |names: &[&str]| {
        let parts: String = names
            .iter()
            .map(|name| format!("<sitemap><loc>{name}</loc></sitemap>"))
            .collect();
        format!("<sitemapindex {NAMESPACE}>{parts}</sitemapindex>")
    };
    let ok = |body: String| ("200 OK".to_owned(), body, None);
    let at = |name: &str| format!("{home}{name}");
    match (path, before) {
        ("/robots.txt", _) => ok("User-agent: *\nDisallow: /b/\nSitemap: /index.xml".to_owned()),
        ("/index.xml", _) => ok(index(&[
            &at("index.xml"),
            &at("a.xml"),
            &at("deeper.xml"),
            &at("moved.xml"),
            &at("lost.xml"),
            "https://elsewhere.example/x.xml",
        ])),
        ("/deeper.xml", _) => ok(index(&[
            &at("b.xml"),
            &at("cut.xml"),
            &at("busy.txt"),
            &at("a.xml"),
        ])),
        ("/a.xml", _) => ok(urlset("a", 20)),
        ("/b.xml", _) => ok(urlset("b", 20)),
        ("/moved.xml", _) => (
            "301 Moved Permanently\r\nLocation: /b.xml".to_owned(),
            String::new(),
            None,
        ),
        ("/cut.xml", 0) => ("200 OK".to_owned(), urlset("cut", 20), Some(300)),
        ("/cut.xml", _) => ok(urlset("cut", 20)),
        ("/busy.txt", 0) => ("503 Busy\r\nRetry-After: 0".to_owned(), String::new(), None),
        ("/busy.txt", _) => ok(format!("{home}c/1\n{home}c/2\n")),
        _ => ("404 Not Found".to_owned(), "<html>".to_owned(), None),
    }
}

/// Starts a server, and returns its URL and the greatest number of requests at a time.
fn serve() -> (Url, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}/", listener.local_addr().unwrap());
    let (asked, most) = (
        Arc::new(Mutex::new(Vec::new())),
        Arc::<AtomicUsize>::default(),
    );
    let (site, greatest) = (home.parse().unwrap(), Arc::clone(&most));
    let active = Arc::<AtomicUsize>::default();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (home, asked) = (home.clone(), Arc::clone(&asked));
            let (active, most) = (Arc::clone(&active), Arc::clone(&most));
            thread::spawn(move || {
                most.fetch_max(active.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                respond(&stream.unwrap(), &asked, &home);
                active.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    (site, greatest)
}

fn respond(mut stream: &TcpStream, asked: &Mutex<Vec<String>>, home: &str) {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap().unwrap();
    let path = first.split(' ').nth(1).unwrap().to_owned();
    while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
    let before = {
        let mut asked = asked.lock().unwrap();
        let before = asked.iter().filter(|before| **before == path).count();
        asked.push(path.clone());
        before
    };
    let (status, body, cut) = answer(&path, before, home);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let sent = &body.as_bytes()[..cut.unwrap_or(body.len())];
    stream.write_all(&[head.as_bytes(), sent].concat()).unwrap();
}

fn check(pages: Vec<Url>, summary: &Summary) {
    let mut paths: Vec<String> = pages.iter().map(|page| page.path().to_owned()).collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!((paths.len(), pages.len()), (62, 62));
    assert_eq!(
        (summary.done, summary.failed, summary.duplicates),
        (6, 1, 1)
    );
    assert_eq!(summary.left_out[0].reason, Reason::OtherHost);
    assert_eq!(summary.completeness(), Completeness::Incomplete);
}

#[test]
fn ureq_with_threads() {
    let (site, _) = serve();
    let (pages, summary) = ureq_chapter::crawl(&site, 4);
    check(pages, &summary);
}

#[test]
fn reqwest_and_tokio() {
    let (site, most) = serve();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let mut pages = Vec::new();
    let summary = runtime
        .block_on(reqwest_chapter::crawl(&site, |sitemap| {
            pages.extend(sitemap.into_iter().map(|page| page.loc));
        }))
        .unwrap();
    check(pages, &summary);
    assert!(most.load(Ordering::SeqCst) <= 8);
}

#[test]
fn an_archive_of_responses() {
    let home = "https://example.com/";
    let mut archive = Vec::new();
    let names = [
        "robots.txt",
        "index.xml",
        "deeper.xml",
        "a.xml",
        "b.xml",
        "cut.xml",
        "moved.xml",
        "busy.txt",
    ];
    for name in names {
        let (status, body, _) = answer(&format!("/{name}"), 1, home);
        let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/xml\r\n\r\n{body}");
        write!(
            archive,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {home}{name}\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000{}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            name.len() % 10,
            http.len(),
        )
        .unwrap();
    }
    let responses = warc_chapter::responses(Cursor::new(archive)).unwrap();
    assert_eq!(responses.len(), names.len());
    let (pages, summary) = warc_chapter::crawl(&home.parse().unwrap(), &responses);
    check(pages, &summary);
}

#[test]
fn allow_and_disallow() {
    let home = "https://example.com/";
    let fetch = |url: &Url| {
        let (status, body, _) = answer(url.path(), 1, home);
        let code = status.split(' ').next().unwrap().parse().unwrap();
        (code, body.into_bytes())
    };
    let (pages, summary) = allowed::crawl(&home.parse().unwrap(), "my-crawler", fetch);
    assert_eq!((pages.allowed.len(), pages.disallowed.len()), (42, 20));
    assert!(
        pages
            .disallowed
            .iter()
            .all(|page| page.path().starts_with("/b/"))
    );
    // A redirect without its `Location` has failed.
    assert_eq!(summary.failed, 2);
}
