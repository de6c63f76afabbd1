//! The cookbook's chapters on crawling, against a server on this machine. It is a binary of its own, because one test
//! measures the memory of the process.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{
    Coverage, Crawl, CrawlBuilder, CrawlSummary, Failure, Known, Reason, Request, Response,
};

#[path = "../../../crawl/cookbook/allowed.rs"]
mod allowed;
#[expect(dead_code, reason = "the tests of the crate use all of it")]
#[path = "../../../crawl/tests/histories/site.rs"]
mod histories;
#[allow(clippy::print_stderr, reason = "the program tells what it does not delete")]
#[path = "../../../crawl/cookbook/incremental.rs"]
mod incremental;
#[allow(dead_code, clippy::print_stderr, reason = "its `main` is not called")]
#[path = "../../examples/pages.rs"]
mod readme;
#[path = "../../../crawl/cookbook/reqwest.rs"]
mod reqwest_chapter;
#[path = "../../../crawl/cookbook/ureq.rs"]
mod ureq_chapter;
#[path = "../../../crawl/cookbook/warc.rs"]
mod warc_chapter;

const ETAG: &str = "\"7\"";
const MODIFIED: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
const NAMESPACE: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

fn index(locs: &[String]) -> String {
    let listed = |loc| format!("<sitemap><loc>{loc}</loc></sitemap>");
    let parts: String = locs.iter().map(listed).collect();
    format!("<sitemapindex {NAMESPACE}>{parts}</sitemapindex>")
}

/// A site with a nested index that lists itself, a redirect, a response that breaks off once, a server that is busy once,
/// a missing part and one on another host: 62 pages.
fn answer(path: &str, before: usize, home: &str) -> (String, String, Option<usize>) {
    let urlset = |name: &str, count: usize| {
        let pages: String = (0..count)
            .map(|n| format!("<url><loc>{home}{name}/{n}</loc></url>"))
            .collect();
        format!("<urlset {NAMESPACE}>{pages}</urlset>")
    };
    let ok = |body: String| ("200 OK".to_owned(), body, None);
    let at = |name: &str| format!("{home}{name}");
    match (path, before) {
        ("/robots.txt", _) => ok("User-agent: *\nDisallow: /b/\nSitemap: /index.xml".to_owned()),
        ("/index.xml", _) => {
            let names = ["index.xml", "a.xml", "deeper.xml", "moved.xml", "lost.xml"];
            let elsewhere = "https://elsewhere.example/x.xml".to_owned();
            ok(index(&[&names.map(at)[..], &[elsewhere]].concat()))
        }
        ("/deeper.xml", _) => {
            let names = ["b.xml", "cut.xml", "busy.txt", "a.xml"];
            ok(index(&names.map(at)))
        }
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
        (path, _) if path.starts_with("/site/") => match path.split('/').nth(3) {
            Some("robots.txt") => ok(format!("Sitemap: {}", path.replace("robots.txt", "a.txt"))),
            _ => ok(format!("{home}{}/1\n{home}{0}/2\n", &path[1..])),
        },
        ("/endless/robots.txt", _) => {
            let lines: String = (0..3).map(|n| format!("Sitemap: /endless/{n}\n")).collect();
            ok(lines)
        }
        _ => ("404 Not Found".to_owned(), "<html>".to_owned(), None),
    }
}

/// The day on which the site below /daily/ is read.
static DAY: AtomicUsize = AtomicUsize::new(1);

/// The version of a document that is at moved.txt.
const MOVED: usize = 99;

/// The version and the content of a document: version 0 does not exist. On day 2, a page of a.txt is new, and b.txt has moved;
/// on day 3, b.txt has left the index.
fn daily(path: &str, day: usize) -> (usize, String) {
    let [a, b] = ["a", "b"].map(|name| format!("/daily/{name}.txt"));
    let pages = |pages: &[&str]| -> String {
        let line = |page| format!("https://example.com/{page}\n");
        pages.iter().map(line).collect()
    };
    match (path, day) {
        ("/daily/robots.txt", _) => (1, "Sitemap: /daily/index.xml".to_owned()),
        ("/daily/index.xml", 3) => (2, index(&[a])),
        ("/daily/index.xml", _) => (1, index(&[a, b])),
        ("/daily/a.txt", 1) => (1, pages(&["1"])),
        ("/daily/a.txt", _) => (2, pages(&["1", "2"])),
        ("/daily/b.txt", 2) => (MOVED, String::new()),
        ("/daily/b.txt" | "/daily/moved.txt", _) => (1, pages(&["8", "9"])),
        _ => (0, String::new()),
    }
}

/// A sitemap that goes on until the client has enough. Each page takes 2 kB.
fn send_without_end(mut stream: &TcpStream, home: &str) {
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<urlset {NAMESPACE}>");
    let pages: String = (0..50)
        .map(|n| format!("<url><loc>{home}{n}{}</loc></url>", "x".repeat(1_950)))
        .collect();
    let mut is_open = stream.write_all(head.as_bytes()).is_ok();
    while is_open {
        is_open = stream.write_all(pages.as_bytes()).is_ok();
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
    let headers: Vec<String> = lines
        .map_while(|line| line.ok().filter(|line| !line.is_empty()))
        .collect();
    let has = |name: &str, value: &str| {
        let mut headers = headers.iter().filter_map(|header| header.split_once(": "));
        headers.any(|(this, that)| this.eq_ignore_ascii_case(name) && that == value)
    };
    if path.starts_with("/daily/") {
        let (version, body) = daily(&path, DAY.load(Ordering::SeqCst));
        let etag = format!("\"{version}\"");
        let (status, body) = match version {
            0 => ("404 Not Found", String::new()),
            MOVED => ("301 Moved\r\nLocation: /daily/moved.txt", String::new()),
            _ if has("If-None-Match", &etag) => ("304 Not Modified", String::new()),
            _ => ("200 OK", body),
        };
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\nETag: {etag}\r\nContent-Length: {length}");
        let response = format!("{head}\r\nConnection: close\r\n\r\n{body}");
        return stream.write_all(response.as_bytes()).unwrap();
    }
    if path.starts_with("/endless/") && path != "/endless/robots.txt" {
        return send_without_end(stream, home);
    }
    let before = {
        let mut asked = asked.lock().unwrap();
        let before = asked.iter().filter(|before| **before == path).count();
        asked.push(path.clone());
        before
    };
    let (mut status, mut body, cut) = answer(&path, before, home);
    if has("If-None-Match", ETAG) && has("If-Modified-Since", MODIFIED) {
        (status, body) = ("304 Not Modified".to_owned(), String::new());
    }
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let sent = &body.as_bytes()[..cut.unwrap_or(body.len())];
    stream.write_all(&[head.as_bytes(), sent].concat()).unwrap();
}

/// The paths of pages, each once: those of a response that broke off come again.
#[derive(Default)]
struct Pages(Mutex<BTreeSet<String>>);

impl Pages {
    fn add(&self, page: &Url) {
        self.0.lock().unwrap().insert(page.path().to_owned());
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn check(&self, summary: &CrawlSummary) {
        assert_eq!((self.count(), summary.pages), (62, 62));
        assert_eq!(
            (summary.done, summary.failed, summary.duplicates),
            (6, 1, 1)
        );
        assert_eq!(summary.left_out[0].reason, Reason::OtherHost);
        assert_eq!(summary.coverage(), Coverage::Incomplete);
    }
}

/// A recipe that fetches from the server.
type Recipe = fn(Crawl, &(dyn Fn(&Url) + Sync)) -> CrawlSummary;

fn with_ureq(crawl: Crawl, store: &(dyn Fn(&Url) + Sync)) -> CrawlSummary {
    ureq_chapter::crawl(crawl, 4, |_, page| store(&page.loc))
}

fn with_reqwest(crawl: Crawl, store: &(dyn Fn(&Url) + Sync)) -> CrawlSummary {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let store = |(_, page): (_, quick_sitemap::UrlEntry)| store(&page.loc);
    let summaries = runtime.block_on(reqwest_chapter::crawl([crawl], store));
    summaries.unwrap().remove(0)
}

/// One request.
fn fetch(request: &Request) -> Result<(Response, impl Read + use<>), Failure> {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = config.max_redirects(0).build().into();
    let mut get = agent.get(request.url.as_str());
    if let Some(etag) = request.if_none_match() {
        get = get.header("If-None-Match", etag);
    }
    if let Some(date) = request.if_modified_since() {
        get = get.header("If-Modified-Since", date);
    }
    let response = get.call().map_err(|error| match error {
        ureq::Error::Io(error) => Failure::from_error(&error),
        error => Failure::permanent(error.to_string()),
    })?;
    let mut head = Response::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head = head.header(name, String::from_utf8_lossy(value.as_bytes()));
    }
    Ok((head, response.into_body().into_reader()))
}

fn with_rules(crawl: Crawl, store: &(dyn Fn(&Url) + Sync)) -> CrawlSummary {
    allowed::crawl(crawl, "my-crawler", fetch, |page, is_allowed| {
        let expected = Some(!page.path().starts_with("/b/"));
        assert_eq!(is_allowed, expected, "{page}");
        store(&page);
    })
}

const RECIPES: [Recipe; 3] = [with_ureq, with_reqwest, with_rules];

#[test]
fn recipes_read_a_whole_site() {
    for recipe in RECIPES {
        let (site, most) = serve();
        let pages = Pages::default();
        let summary = recipe(Crawl::site(&site), &|page| pages.add(page));
        pages.check(&summary);
        assert!(most.load(Ordering::SeqCst) <= 8);
    }
}

#[test]
fn recipes_keep_to_limits() {
    for recipe in RECIPES {
        let (site, _) = serve();
        let pages = Pages::default();
        let crawl = CrawlBuilder::new().max_pages(30).site(&site);
        let summary = recipe(crawl, &|page| pages.add(page));
        assert!(summary.has_more_pages && summary.pages <= 30);
        // Pages of the response that broke off are not counted.
        assert!(pages.count() <= 30 + 20, "{}", pages.count());
    }
}

#[test]
fn recipes_ask_only_for_what_has_changed() {
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
    for recipe in RECIPES {
        let (site, _) = serve();
        let pages = Pages::default();
        let crawl = CrawlBuilder::new()
            .known(move |url| {
                let known = Known::new(url.clone()).with_etag(ETAG);
                Some(known.with_last_modified(modified)).filter(|_| url.path() == "/a.xml")
            })
            .site(&site);
        let summary = recipe(crawl, &|page| pages.add(page));
        assert_eq!((summary.unchanged, summary.done, summary.failed), (1, 5, 1));
        assert_eq!(pages.count(), 42);
    }
}

#[test]
fn recipes_name_causes_and_do_not_repeat_what_would_come_again() {
    for recipe in RECIPES {
        for (site, retries, reason) in [
            ("http://127.0.0.1:1/", 1, Reason::Connection),
            ("http://unknown.invalid/", 3, Reason::Permanent),
        ] {
            let builder = CrawlBuilder::new().retries(retries);
            let begin = SystemTime::now();
            let summary = recipe(builder.site(&site.parse().unwrap()), &|_| {});
            let failure = summary.robots_failure.unwrap();
            assert_eq!(failure.reason(), reason, "{failure}");
            let is_repeated = reason == Reason::Connection;
            assert_eq!(failure.is_transient(), is_repeated, "{failure}");
            if is_repeated {
                let is_named = failure.to_string().to_lowercase().contains("refused");
                assert!(is_named, "{failure}");
                assert!(begin.elapsed().unwrap() >= Duration::from_millis(250));
            }
        }
    }
}

#[test]
fn three_hundred_sites_with_one_client() {
    let (server, _) = serve();
    let robots = |n| server.join(&format!("site/{n}/robots.txt")).unwrap();
    let crawls: Vec<Crawl> = (0..300).map(|n| Crawl::site(&robots(n))).collect();
    let pages = Pages::default();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    let store = |(_, page): (_, quick_sitemap::UrlEntry)| pages.add(&page.loc);
    let summaries = runtime.block_on(reqwest_chapter::crawl(crawls, store));
    let counts = summaries.unwrap().into_iter();
    let counts: Vec<_> = counts
        .map(|summary| (summary.done, summary.failed))
        .collect();
    assert_eq!((counts, pages.count()), (vec![(1, 0); 300], 600));
}

/// What a database has of a table.
fn column(database: &std::path::Path, select: &str) -> Vec<String> {
    let database = rusqlite::Connection::open(database).unwrap();
    let mut select = database.prepare(select).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Three days of a site, the first of which is killed at each of its four requests.
#[test]
fn a_database_is_kept_up_to_date_and_a_crawl_that_was_killed_goes_on() {
    let (server, _) = serve();
    let site = server.join("daily/robots.txt").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pages.db");
    let asked = Mutex::new(Vec::new());
    let counted = |request: &Request| {
        let mut asked = asked
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        asked.push(request.url.path()["/daily/".len()..].to_owned());
        fetch(request)
    };
    let has_pages = |names: &[&str]| {
        let pages = column(&database, "select loc from pages order by loc");
        let expected = names
            .iter()
            .map(|name| format!("https://example.com/{name}"));
        assert_eq!(pages, expected.collect::<Vec<_>>());
    };
    for killed_at in 1..4 {
        let requests = AtomicUsize::new(0);
        let run = std::panic::AssertUnwindSafe(|| {
            incremental::crawl(CrawlBuilder::new(), &site, &database, |request| {
                if requests.fetch_add(1, Ordering::SeqCst) == 2 {
                    panic!("killed, for the {killed_at}th time");
                }
                counted(request)
            })
        });
        assert!(std::panic::catch_unwind(run).is_err() || killed_at == 3);
    }
    has_pages(&["1", "8", "9"]);
    let once = |name: &str| {
        let asked = asked.lock().unwrap();
        asked.iter().filter(|asked| *asked == name).count()
    };
    // robots.txt is read by each run, all others once.
    assert_eq!(
        ["robots.txt", "index.xml", "a.txt", "b.txt"].map(once),
        [3, 1, 1, 1]
    );
    assert_eq!(column(&database, "select crawl from state"), [""; 0]);

    for (day, counts, names) in [
        (2, (2, 1), &["1", "2", "8", "9"][..]),
        (3, (1, 1), &["1", "2"]),
    ] {
        DAY.store(day, Ordering::SeqCst);
        let crawl = incremental::crawl(CrawlBuilder::new(), &site, &database, counted);
        let summary = crawl.unwrap().summary();
        assert_eq!((summary.done, summary.unchanged), counts, "day {day}");
        has_pages(names);
    }
    // Nothing is kept of a sitemap that had moved.
    let known = column(&database, "select url from known order by url");
    let expected = ["a.txt", "index.xml", "robots.txt"].map(|name| site.join(name).unwrap());
    assert_eq!(known, expected.map(String::from));
}

/// A database that the recipe keeps.
struct Database(std::path::PathBuf);

impl histories::Caller for Database {
    fn night(&mut self, builder: CrawlBuilder, site: &Url, fetch: histories::Fetch<'_>) -> Crawl {
        incremental::crawl(builder, site, &self.0, fetch).unwrap()
    }

    fn kept(&self) -> histories::Kept {
        let column = |select: &str| column(&self.0, select);
        let known = column("select url from known order by url");
        let texts = column("select row from known order by url");
        let sitemaps = column("select sitemap from listed order by sitemap, loc");
        let pages = column("select loc from listed order by sitemap, loc");
        (
            known.into_iter().zip(texts).collect(),
            sitemaps.into_iter().zip(pages).collect(),
            column("select loc from pages").into_iter().collect(),
        )
    }
}

/// The sites of `.ci/crawl-model.py` that change night by night.
#[test]
fn a_database_loses_what_is_dead_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for (number, history) in histories::histories().lines().take(60).enumerate() {
        let mut database = Database(folder.path().join(number.to_string()));
        histories::run(history, &mut database, histories::is_as_in_model);
    }
}

/// The third program of the README.
#[test]
fn the_program_of_the_readme_reads_a_whole_site() {
    let (site, _) = serve();
    let pages = Pages::default();
    let crawl = readme::crawl(&site, |page| pages.add(&page.loc));
    pages.check(&crawl.summary());
}

/// The greatest memory of this process so far, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let (_, most) = status.split_once("VmHWM:").unwrap();
    let kilobytes: usize = most.split_whitespace().next().unwrap().parse().unwrap();
    kilobytes << 10
}

#[cfg(target_os = "linux")]
#[test]
fn recipes_read_sitemaps_without_end_in_bounded_memory() {
    for recipe in RECIPES {
        let (site, _) = serve();
        let count = AtomicUsize::new(0);
        let crawl = Crawl::site(&site.join("/endless/robots.txt").unwrap());
        let summary = recipe(crawl, &|_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!((summary.sitemaps, summary.failed), (3, 3));
        // 50 MiB each, of 2 kB.
        assert!(count.into_inner() > 3 * 20_000);
        assert!(peak() < 100_000_000, "{}", peak());
    }
}

/// A record of an archive, and its length.
fn record(url: &str, http: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <{url}>\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}",
        http.len(),
    )
}

fn archived(home: &str) -> String {
    let names = "robots.txt index.xml deeper.xml a.xml b.xml cut.xml moved.xml busy.txt";
    let mut archive =
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nx\n\r\n\r\n".to_owned();
    for name in names.split(' ') {
        let (status, body, _) = answer(&format!("/{name}"), 1, home);
        let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/xml\r\n\r\n{body}");
        archive += &record(&format!("{home}{name}"), &http);
        archive += "\r\n\r\n";
    }
    archive
}

#[test]
fn an_archive_of_responses() {
    let home = "https://example.com/";
    let mut archive = warc_chapter::Archive::open(Cursor::new(archived(home))).unwrap();
    let pages = Pages::default();
    let crawl = Crawl::site(&home.parse().unwrap());
    let summary = warc_chapter::crawl(crawl, &mut archive, |page| pages.add(&page)).unwrap();
    pages.check(&summary);
}

/// An archive that has been written.
#[cfg(target_os = "linux")]
fn opened(mut file: std::fs::File) -> warc_chapter::Archive<std::fs::File> {
    file.rewind().unwrap();
    warc_chapter::Archive::open(file).unwrap()
}

/// An archive of which 400 MB are a video.
#[cfg(target_os = "linux")]
#[test]
fn an_archive_is_not_held_in_memory() {
    let home = "https://example.com/";
    let mut file = tempfile::tempfile().unwrap();
    let length = 400_000_000;
    write!(
        file,
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {home}a.mp4\r\nContent-Length: {length}\r\n\r\n"
    )
    .unwrap();
    file.seek(SeekFrom::Current(length)).unwrap();
    write!(file, "\r\n\r\n{}", archived(home)).unwrap();
    let mut archive = opened(file);
    let pages = Pages::default();
    let crawl = CrawlBuilder::new()
        .max_pages(50)
        .site(&home.parse().unwrap());
    let summary = warc_chapter::crawl(crawl, &mut archive, |page| pages.add(&page)).unwrap();
    assert!(summary.has_more_pages && pages.count() == 50);
    assert!(peak() < 100_000_000, "{}", peak());
}

/// A sitemap of 400 MB in an archive is read up to the limit of the protocol.
#[cfg(target_os = "linux")]
#[test]
fn a_body_of_an_archive_is_not_held_in_memory() {
    let home = "https://example.com/";
    let mut file = tempfile::tempfile().unwrap();
    let head = "HTTP/1.1 200 OK\r\n\r\n";
    let length = 400_000_000;
    let robots = format!("{head}Sitemap: /huge.txt\n");
    write!(
        file,
        "{}\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {home}huge.txt\r\n\
         Content-Length: {}\r\n\r\n{head}",
        record(&format!("{home}robots.txt"), &robots),
        head.len() + length,
    )
    .unwrap();
    let page = format!("{home}{}\n", "x".repeat(1_000));
    let pages = page.repeat(1_000);
    for _ in 0..length / pages.len() {
        file.write_all(pages.as_bytes()).unwrap();
    }
    let mut archive = opened(file);
    let mut count = 0;
    let crawl = Crawl::site(&home.parse().unwrap());
    let summary = warc_chapter::crawl(crawl, &mut archive, |_| count += 1).unwrap();
    assert_eq!((summary.sitemaps, summary.failed), (1, 1));
    assert_eq!(count, (50 << 20) / page.len());
    assert!(peak() < 100_000_000, "{}", peak());
}
