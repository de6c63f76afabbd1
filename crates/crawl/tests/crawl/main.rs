//! `quick_sitemap_crawl` without a network: the requests, the sitemaps that are left out, and the memory.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice
)]

mod robots;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use quick_sitemap::url::Url;
use quick_sitemap::{Completeness, Policy, ReaderBuilder, Rule, W3cDatetime};
use quick_sitemap_crawl::{
    Coverage, Crawl, CrawlBuilder, Ended, Failure, Known, KnownKind, Next, Pace, Reason, Receiver,
    Request, RequestKind, Response, State,
};

const SITE: &str = "https://example.com/";

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn at_site(name: &str) -> Url {
    url(&format!("{SITE}{name}"))
}

const EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

/// The next request at this time.
fn fetch_at(crawl: &mut Crawl, now: SystemTime) -> Option<Request> {
    match crawl.next(now) {
        Next::Fetch(request) => Some(request),
        _ => None,
    }
}

/// The next request at the time of the latest call.
fn fetch(crawl: &mut Crawl) -> Option<Request> {
    fetch_at(crawl, EPOCH)
}

/// The time of the next request.
fn waits_until(crawl: &mut Crawl) -> Option<SystemTime> {
    match crawl.next(EPOCH) {
        Next::Wait(until) => Some(until),
        Next::Fetch(request) => panic!("{request:?}"),
        _ => None,
    }
}

/// A builder that allows many requests at a time.
fn parallel() -> CrawlBuilder {
    CrawlBuilder::new().per_host(8)
}

/// An index of these URLs, or of these names in the site.
fn index<T: Display>(locs: impl IntoIterator<Item = T>) -> Vec<u8> {
    document("sitemapindex", "sitemap", locs)
}

/// Pages with these URLs, or with these names in the site.
fn urlset<T: Display>(locs: impl IntoIterator<Item = T>) -> Vec<u8> {
    document("urlset", "url", locs)
}

fn document<T: Display>(root: &str, entry: &str, locs: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut text = format!("<{root} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
    for loc in locs {
        let loc = loc.to_string();
        let is_name = !loc.contains("://") && !loc.starts_with('/');
        let site = if is_name { SITE } else { "" };
        write!(text, "<{entry}><loc>{site}{loc}</loc></{entry}>").unwrap();
    }
    (text + &format!("</{root}>")).into_bytes()
}

/// A response that asks for a pause.
fn later(status: u16, retry_after: impl ToString) -> Response {
    Response::new(status).header("Retry-After", retry_after.to_string())
}

fn moved(to: &str) -> Response {
    Response::new(301).header("Location", to)
}

/// Ends a request with this response, which has no body.
fn end(crawl: &mut Crawl, request: Request, response: Response) -> Ended {
    let receiver = crawl.begin(request, response);
    crawl.end(receiver)
}

/// Ends the next request with this response and this body.
fn reply(crawl: &mut Crawl, response: Response, body: &[u8]) -> Ended {
    let request = fetch(crawl).unwrap();
    let mut receiver = crawl.begin(request, response);
    receiver.push(body);
    crawl.end(receiver)
}

/// The responses of a server.
enum Answer {
    Ok(Vec<u8>),
    Redirect(String),
    /// The client has followed a redirect to this URL itself.
    Followed(String, Vec<u8>),
    Status(u16),
    /// Half of the body, and then the connection breaks.
    Cut(Vec<u8>),
    /// No connection.
    Down,
}
use Answer::{Cut, Down, Followed, Redirect, Status};

/// Pseudo-random numbers, the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// The requests of a crawl, and the pages that it has returned.
#[derive(Debug, Default)]
struct Ran {
    requested: Vec<String>,
    pages: Vec<String>,
    /// The time that the crawl has waited.
    waited: Duration,
}

/// Crawls with several requests at work. Their responses come in a pseudo-random order, and the bodies in small pieces.
fn run(
    crawl: &mut Crawl,
    jobs: usize,
    chance: &mut Chance,
    answer: impl Fn(&Url, usize) -> Answer,
) -> Ran {
    let mut ran = Ran::default();
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    let mut at_work: Vec<Request> = Vec::new();
    let mut now = EPOCH + Duration::from_secs(1_000_000_000);
    let begin = now;
    loop {
        let mut next = Next::Busy;
        while at_work.len() < jobs {
            next = crawl.next(now);
            let Next::Fetch(request) = next else {
                break;
            };
            next = Next::Busy;
            ran.requested.push(request.url.to_string());
            at_work.push(request);
        }
        if at_work.is_empty() {
            let Next::Wait(until) = next else {
                assert!(matches!(next, Next::Done));
                break;
            };
            assert!(until > now && !crawl.is_done());
            now = until;
            continue;
        }
        let request = at_work.swap_remove(chance.below(at_work.len()));
        let before = asked.entry(request.url.to_string()).or_default();
        let answered = answer(&request.url, *before);
        *before += 1;
        let (response, body, is_cut) = match answered {
            Answer::Ok(body) => (Response::new(200), body, false),
            Redirect(to) => (Response::new(302).header("Location", to), Vec::new(), false),
            Followed(to, body) => (Response::new(200).final_url(url(&to)), body, false),
            Status(code) => (Response::new(code), b"<html>".to_vec(), false),
            Cut(body) => (Response::new(200), body[..body.len() / 2].to_vec(), true),
            Down => {
                crawl.fail(request, Failure::connection("connection refused"));
                continue;
            }
        };
        let mut receiver = crawl.begin(request, response);
        let mut pages = Vec::new();
        for piece in body.chunks(1_000) {
            receiver.push(piece);
            take(&mut receiver, &mut pages);
        }
        if is_cut {
            receiver.fail(io::ErrorKind::ConnectionReset.into())
        } else {
            receiver.finish()
        }
        take(&mut receiver, &mut pages);
        if crawl.end(receiver).state() != State::Queued {
            ran.pages.append(&mut pages);
        }
    }
    assert!(crawl.is_done() && fetch(crawl).is_none());
    ran.waited = now.duration_since(begin).unwrap();
    ran.pages.sort_unstable();
    ran
}

fn take(receiver: &mut Receiver, pages: &mut Vec<String>) {
    pages.extend(std::iter::from_fn(|| receiver.next_page()).map(|page| page.loc.to_string()));
}

impl Ran {
    /// How often URLs that end so were requested.
    fn count(&self, path: &str) -> usize {
        let requested = self.requested.iter();
        requested.filter(|url| url.ends_with(path)).count()
    }
}

fn simple(crawl: &mut Crawl, answer: impl Fn(&Url, usize) -> Answer) -> Ran {
    run(crawl, 1, &mut Chance(1), answer)
}

fn reasons(crawl: &Crawl) -> Vec<(Reason, u64)> {
    let left_out = crawl.summary().left_out;
    left_out
        .iter()
        .map(|left_out| (left_out.reason, left_out.count))
        .collect()
}

fn failures(crawl: &Crawl) -> Vec<(String, Failure)> {
    let failed = crawl
        .sitemaps()
        .filter_map(|sitemap| Some((sitemap.url().to_owned(), sitemap.failure()?.clone())));
    failed.collect()
}

#[test]
fn robots_txt_then_indexes_then_pages() {
    let mut crawl = parallel().site(&url("https://me:secret@example.com/shop?x#y"));
    let first = fetch(&mut crawl).unwrap();
    assert_eq!(first.url.as_str(), "https://example.com/robots.txt");
    assert_eq!((first.kind, first.depth), (RequestKind::Robots, 0));
    assert!(fetch(&mut crawl).is_none() && !crawl.is_done());
    assert_eq!(waits_until(&mut crawl), None);
    let mut receiver = crawl.begin(first, Response::new(200));
    receiver.push(b"Sitemap: https://me:secret@example.com/i.xml\nSitemap: /a.txt#x");
    receiver.finish();
    let state = crawl.end(receiver).state();
    assert_eq!(state, State::Done(Completeness::Complete));

    let (i, a) = (fetch(&mut crawl).unwrap(), fetch(&mut crawl).unwrap());
    assert_eq!((i.url.as_str(), i.depth), ("https://example.com/i.xml", 1));
    assert_eq!((a.url.path(), a.attempt), ("/a.txt", 1));
    assert_eq!(a.number(), Some(1));
    let mut receiver = crawl.begin(i, Response::new(200));
    receiver.push(&index(["b.xml", "/a.txt"]));
    // The sitemaps of an index are passed to the crawl, not returned as pages.
    assert!(receiver.next_page().is_none());
    assert_eq!(receiver.sitemap().path(), "/i.xml");
    crawl.end(receiver);
    // The sitemaps of one depth go before those of the next.
    assert!(matches!(crawl.next(EPOCH), Next::Busy));
    end(&mut crawl, a, Response::new(404));
    let b = fetch(&mut crawl).unwrap();
    assert_eq!((b.url.path(), b.depth), ("/b.xml", 2));
    assert_eq!(b.parent.as_ref().unwrap().path(), "/i.xml");
    assert!(fetch(&mut crawl).is_none());
    drop(b);
    assert!(!format!("{crawl:?}").contains("secret"));
}

#[test]
fn the_usual_places_are_tried_one_after_the_other() {
    let mut crawl = Crawl::site(&url(SITE));
    let ran = run(&mut crawl, 8, &mut Chance(7), |url, _| match url.path() {
        // Nothing of the kind, politely.
        "/sitemap.xml" => Answer::Ok(b"<html><body>Not found</body></html>".to_vec()),
        "/sitemap-index.xml" => Answer::Ok(urlset([1])),
        _ => Status(404),
    });
    let names = [
        "robots.txt",
        "sitemap.xml",
        "sitemap_index.xml",
        "sitemap-index.xml",
    ];
    assert_eq!(ran.requested, names.map(|name| format!("{SITE}{name}")));
    assert_eq!(ran.pages, ["https://example.com/1"]);
    // A page in place of /sitemap.xml is a refusal.
    assert_eq!(crawl.summary().coverage(), Coverage::Unknown);

    let mut crawl = Crawl::site(&url(SITE));
    let ran = simple(&mut crawl, |_, _| Status(404));
    assert_eq!(ran.requested.len(), 8);
    assert_eq!(crawl.summary().coverage(), Coverage::Unknown);
    // There is no server at this address.
    let ran = simple(&mut Crawl::site(&url(SITE)), |_, _| Down);
    assert_eq!(ran.requested, vec!["https://example.com/robots.txt"; 4]);
}

/// Where the redirects of a sitemap lead, and what it lists. X is another host.
fn lists(name: &str) -> (&str, &[&str]) {
    match name {
        "a" => ("X/a", &[]),
        "X/a" => ("X/a", &["X/1", "X/2", "s", "moved", "round"]),
        "b" => ("b", &["X/1", "X/2", "X/3", "t", "a"]),
        "c" | "X/2" => ("X/2", &["X/4", "X/6", "u"]),
        "d" | "t" => ("t", &["deep", "X/7"]),
        "s" | "u" => ("u", &["t", "X/3", "deeper", "a"]),
        "deep" => ("deep", &["deeper", "u"]),
        "deeper" => ("deeper", &["deepest", "b"]),
        "moved" => ("X/5", &["X/9"]),
        "round" => ("X/1", &[]),
        other => (other, &[]),
    }
}

#[test]
fn nothing_depends_on_the_order_of_responses() {
    let full = |name: &str| match name.strip_prefix("X/") {
        Some(name) => format!("https://x.example/{name}"),
        None => format!("{SITE}{name}"),
    };
    let name = |url: &str| match url.strip_prefix("https://x.example") {
        Some(path) => format!("X{path}"),
        None => url[SITE.len()..].to_owned(),
    };
    let content = |name: &str| match (name, lists(name).1) {
        ("X/4", _) => b"<html>".to_vec(),
        (_, []) => urlset([full(&format!("{name}.html"))]),
        (_, listed) => index(listed.iter().map(|name| full(name))),
    };
    let mut chance = Chance(26);
    for follows_itself in [false, true] {
        for _ in 0..400 {
            let builder = parallel().max_depth(3).retries(1);
            let mut crawl = builder.site(&url(SITE));
            let ran = run(&mut crawl, 4, &mut chance, |asked, _| {
                let asked = name(asked.as_str());
                match lists(&asked).0 {
                    "robots.txt" => {
                        Answer::Ok(b"Sitemap: /a\nSitemap: /b\nSitemap: /c\nSitemap: /d".to_vec())
                    }
                    "X/6" => Status(503),
                    location if location == asked => Answer::Ok(content(location)),
                    location if follows_itself => Followed(full(location), content(location)),
                    location => Redirect(full(location)),
                }
            });
            let sitemaps = crawl.sitemaps();
            let read = sitemaps.filter(|it| matches!(it.state(), State::Done(_)));
            let read: BTreeSet<String> = read
                .map(|it| name(&it.location().map_or(it.url().to_owned(), String::from)))
                .collect();
            // X/1 and X/2 are listed by `a`, which redirects to X; X/4 and X/6 by X/2, to which `c` redirects. `d`
            // redirects to `t`, which makes `t` one of the first sitemaps, but not X one of its hosts.
            let expected = ["X/1", "X/2", "X/a", "b", "deep", "deeper", "t", "u"];
            assert_eq!(read, expected.map(str::to_owned).into());
            assert_eq!(ran.pages, ["https://x.example/1.html"]);
            let failed = failures(&crawl).into_iter();
            let failed: BTreeSet<String> = failed
                .map(|(sitemap, failure)| {
                    let location = failure.location().map(name).unwrap_or_default();
                    format!("{} {location}: {failure}", name(&sitemap))
                })
                .collect();
            let expected = [
                "X/4 : 1:1: root element `html` is not that of a sitemap",
                "X/6 : status 503",
                "moved X/5: a redirect to another host",
                "round X/1: a redirect to another host",
            ];
            assert_eq!(failed, expected.map(str::to_owned).into());
            let summary = crawl.summary();
            let left_out = summary.left_out.iter();
            let left_out: Vec<_> = left_out
                .map(|it| (it.reason, it.count, it.examples.clone()))
                .collect();
            // `b` and `u` list X/3, `t` lists X/7. `b` also lists X/1 and X/2, which are counted, but are not examples,
            // because they are read.
            let expected = [
                (Reason::TooDeep, 1, vec![full("deepest")]),
                (Reason::OtherHost, 5, vec![full("X/3"), full("X/7")]),
            ];
            assert_eq!(left_out, expected);
            assert_eq!((summary.pages, summary.skipped), (1, 0));
            assert_eq!(summary.coverage(), Coverage::Incomplete);
            // If a redirect is followed before its target is listed, the two are one sitemap and not a duplicate.
            assert_eq!(summary.sitemaps - summary.duplicates, 12);
        }
    }
}

#[test]
fn redirects_have_bounds() {
    let long = |length: usize| format!("/{}", "x".repeat(length - SITE.len()));
    let longer = long(2_048);
    let rows = [
        ("away", "https://example.org/a", Reason::OtherHost),
        ("down", "http://example.com/down", Reason::Downgrade),
        ("empty", "", Reason::BadRedirect),
        ("file", "file:///etc/passwd", Reason::BadRedirect),
        ("fine", "deep/real", Reason::Unreadable),
        ("itself", "itself#top", Reason::RedirectLoop),
        ("long", &*longer, Reason::UrlTooLong),
        ("nowhere", "https://", Reason::BadRedirect),
        ("round", "/again", Reason::RedirectLoop),
    ];
    let mut crawl = Crawl::sitemap(&at_site("i"));
    let ran = simple(&mut crawl, |url, _| {
        let name = &url.path()[1..];
        if let Some((_, to, _)) = rows.iter().find(|row| row.0 == name) {
            return Redirect((*to).to_owned());
        }
        match name {
            "i" => Answer::Ok(index(rows.iter().map(|row| row.0).chain(["0", "short"]))),
            "again" => Redirect("/round".to_owned()),
            "deep/real" => Answer::Ok(b"<urlset><url><loc>/page</loc>".to_vec()),
            "10" => Answer::Ok(urlset(["ten"])),
            "short" => Redirect(long(2_047)),
            name if name.len() > 1_000 => Answer::Ok(urlset(["found"])),
            number => Redirect(format!("/{}", number.parse::<u32>().unwrap() + 1)),
        }
    });
    for page in ["ten", "found"] {
        assert!(ran.pages.contains(&format!("{SITE}{page}")), "{page}");
    }
    // A loop ends where it comes back.
    let once = ["/round", "/again", "/itself", "/empty"];
    assert_eq!(once.map(|path| ran.count(path)), [1; 4]);
    let failed: BTreeMap<String, Failure> = failures(&crawl).into_iter().collect();
    let reasons = failed
        .iter()
        .map(|(url, it)| (&url[SITE.len()..], it.reason()));
    let expected = rows.map(|(name, _, reason)| (name, reason));
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
    assert!(ran.requested.iter().all(|url| url.starts_with(SITE)));
    let fine = failed["https://example.com/fine"].location();
    assert_eq!(fine, Some("https://example.com/deep/real"));

    // If the client has followed the redirect itself, the body is not read.
    let mut crawl = Crawl::sitemap(&at_site("i"));
    let request = fetch(&mut crawl).unwrap();
    let response = Response::new(200).final_url(url("http://example.com/i"));
    let mut receiver = crawl.begin(request, response);
    assert!(receiver.is_over());
    receiver.push(b"https://example.com/a\n");
    receiver.finish();
    assert!(receiver.next_page().is_none());
    let ended = crawl.end(receiver);
    assert_eq!(ended.state(), State::Failed);
    assert_eq!(ended.failure(), Some(&failures(&crawl).swap_remove(0).1));
}

#[test]
fn a_site_without_end_is_read_to_its_bounds() {
    // Each index lists two new ones.
    let mut crawl = CrawlBuilder::new().max_depth(6).sitemap(&at_site("1"));
    let ran = simple(&mut crawl, |url, _| {
        let number: u64 = url.path()[1..].parse().unwrap();
        Answer::Ok(index([2 * number, 2 * number + 1]))
    });
    assert_eq!(ran.requested.len(), 63);
    assert_eq!(reasons(&crawl), [(Reason::TooDeep, 64)]);
    assert_eq!(crawl.summary().coverage(), Coverage::Incomplete);

    // One index lists 100,000: it is read to its end, and all are counted.
    let mut crawl = CrawlBuilder::new().max_sitemaps(100).sitemap(&at_site("i"));
    let ended = reply(&mut crawl, Response::new(200), &index(0..100_000));
    assert_eq!(ended.state(), State::Done(Completeness::Complete));
    assert_eq!(crawl.sitemaps().len(), 100);
    assert_eq!(reasons(&crawl), [(Reason::TooMany, 100_000 - 99)]);
    assert!(crawl.summary().has_more_sitemaps);
    assert_eq!(crawl.summary().coverage(), Coverage::Incomplete);

    // Indexes that list each other, and themselves.
    let mut crawl = Crawl::sitemap(&at_site("0"));
    let ran = run(&mut crawl, 3, &mut Chance(3), |_, _| {
        Answer::Ok(index((0..10).map(|n| format!("{n}#{n}"))))
    });
    assert_eq!(ran.requested.len(), 10);
    // There is no page.
    assert_eq!(crawl.summary().coverage(), Coverage::Unknown);
}

#[test]
fn a_bound_on_pages_ends_the_crawl() {
    let mut crawl = CrawlBuilder::new().max_pages(25).sitemap(&at_site("i"));
    let ran = run(&mut crawl, 2, &mut Chance(3), |url, _| match url.path() {
        "/i" => Answer::Ok(index(0..10)),
        path => Answer::Ok(urlset((0..10).map(|n| format!("{}/{n}", &path[1..])))),
    });
    let summary = crawl.summary();
    assert_eq!((ran.pages.len(), summary.pages), (25, 25));
    assert!(summary.has_more_pages && ran.requested.len() < 11);
    assert_eq!(summary.coverage(), Coverage::Incomplete);
    // The number of sitemaps that exist.
    let mut crawl = CrawlBuilder::new().max_pages(10).sitemap(&at_site("i"));
    let ran = simple(&mut crawl, |_, _| Answer::Ok(urlset(0..10)));
    assert_eq!(ran.pages.len(), 10);
    assert_eq!(crawl.summary().coverage(), Coverage::Complete);
}

#[test]
fn what_may_pass_is_asked_for_again() {
    // The requests, and whether the pages are found.
    let expected = [
        ("cut", 3, true),
        ("busy", 2, true),
        ("down", 3, true),
        ("never", 3, false),
        ("gone", 1, false),
        ("text", 1, false),
    ];
    let mut crawl = CrawlBuilder::new().retries(2).sitemap(&at_site("i"));
    let ran = run(&mut crawl, 4, &mut Chance(5), |url, before| {
        let path = url.path();
        let pages = urlset((0..100).map(|n| format!("{}/{n}", &path[1..])));
        match (path, before) {
            ("/i", _) => Answer::Ok(index(expected.map(|(name, ..)| name))),
            ("/cut", 0 | 1) | ("/never", _) => Cut(pages),
            ("/busy", 0) => Status(503),
            ("/down", 0 | 1) => Down,
            ("/gone", _) => Status(410),
            ("/text", _) => Answer::Ok(b"<html>".to_vec()),
            _ => Answer::Ok(pages),
        }
    });
    for (name, requests, is_found) in expected {
        assert_eq!(ran.count(&format!("/{name}")), requests, "{name}");
        let begin = format!("{SITE}{name}/");
        let pages = ran.pages.iter().filter(|page| page.starts_with(&begin));
        assert!(!is_found || pages.count() == 100, "{name}");
    }
    let failed: Vec<String> = failures(&crawl)
        .iter()
        .map(|(url, failure)| format!("{url}: {failure}"))
        .collect();
    let expected = [
        "https://example.com/never: connection reset",
        "https://example.com/gone: status 410",
        "https://example.com/text: 1:1: root element `html` is not that of a sitemap",
    ];
    assert_eq!(failed, expected);
    // Two waits of half a second and of a second at most.
    let waits = Duration::from_millis(400)..Duration::from_secs(4);
    assert!(waits.contains(&ran.waited), "{:?}", ran.waited);
    // Pages of the last attempt of `never` are counted, those of repeated attempts are not.
    assert_eq!(crawl.summary().pages, ran.pages.len() as u64);
}

#[test]
fn retry_after_is_obeyed_for_the_host() {
    let builder = CrawlBuilder::new().any_host(true);
    let mut crawl = crawl_of(builder, ["1", "2", "https://b.example/3"]);
    let first = fetch(&mut crawl).unwrap();
    assert_eq!(first.url.path(), "/1");
    let receiver = crawl.begin(first, later(429, 30));
    assert!(receiver.is_over());
    let ended = crawl.end(receiver);
    assert_eq!(ended.state(), State::Queued);
    assert_eq!(ended.failure().unwrap().reason(), Reason::Status(429));
    // The pause begins when the response has ended.
    let other = fetch_at(&mut crawl, at(110)).unwrap();
    assert_eq!(other.url.path(), "/3");
    assert_eq!(waits_until(&mut crawl), Some(at(140)));
    assert!(fetch_at(&mut crawl, at(139)).is_none());
    let busy = fetch_at(&mut crawl, at(140)).unwrap();
    assert_eq!((busy.url.path(), busy.attempt), ("/1", 2));
    // An hour is too long.
    let ended = end(
        &mut crawl,
        busy,
        later(503, "Thu, 01 Jan 1970 01:02:20 GMT"),
    );
    assert_eq!(ended.state(), State::Failed);
    assert_eq!(ended.failure().unwrap().reason(), Reason::Status(503));
    assert!(matches!(crawl.next(at(141)), Next::Busy));
    drop(other);
    // The other sitemap of the host fails without a request.
    let failed = failures(&crawl).swap_remove(1).1;
    assert_eq!(failed.reason(), Reason::Paused);
    assert_eq!(failed.retry_after(), Some(Duration::from_secs(3_600)));
    let expected = "not requested: the host asks for a pause of 1 h";
    assert_eq!(failed.to_string(), expected);
}

/// A sitemap that has failed before keeps its own reason.
#[test]
fn the_pause_of_a_host_is_no_status_of_others() {
    let mut crawl = crawl_of(parallel(), [1, 2, 3]);
    let (first, second) = (fetch(&mut crawl).unwrap(), fetch(&mut crawl).unwrap());
    let ended = end(&mut crawl, first, Response::new(500));
    assert_eq!(ended.state(), State::Queued);
    let ended = end(&mut crawl, second, later(429, 5400));
    assert_eq!(ended.state(), State::Failed);
    assert!(matches!(crawl.next(at(101)), Next::Done));
    let failed = failures(&crawl).into_iter();
    let failed: Vec<String> = failed.map(|(_, failure)| failure.to_string()).collect();
    let paused = "not requested: the host asks for a pause of 90 min";
    let expected = ["status 500", "status 429, retry after 5400 s", paused];
    assert_eq!(failed, expected);
}

#[test]
fn what_is_dropped_is_asked_for_again() {
    let mut crawl = CrawlBuilder::new().retries(1).sitemap(&at_site("a"));
    drop(fetch(&mut crawl).unwrap());
    assert!(!crawl.is_done());
    let until = waits_until(&mut crawl).unwrap();
    let request = fetch_at(&mut crawl, until).unwrap();
    assert_eq!(request.attempt, 2);
    // The state of another crawl.
    let mut other = Crawl::sitemap(&at_site("a"));
    let receiver = crawl.begin(request, Response::new(200));
    assert_eq!(other.end(receiver).state(), State::Queued);
    assert!(fetch(&mut crawl).is_none() && crawl.is_done());
    let failed = failures(&crawl);
    assert_eq!(failed[0].1.to_string(), "the request was dropped");
    let request = fetch(&mut other).unwrap();
    let ended = crawl.fail(request, Failure::permanent("x"));
    assert_eq!(ended.state(), State::Queued);
    assert!(!other.is_done() && crawl.is_done());
}

#[test]
fn children_are_chosen_by_url_and_lastmod() {
    let text = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
        <sitemap><loc>https://example.com/old.xml</loc><lastmod>2020-01-01</lastmod></sitemap>
        <sitemap><loc>https://example.com/new.xml</loc><lastmod>2025-01-01</lastmod></sitemap>
        <sitemap><loc>https://example.com/images.xml</loc></sitemap>
        <sitemap><loc>https://example.com/any.xml</loc></sitemap></sitemapindex>";
    let builder = CrawlBuilder::new().filter_children(|child| {
        assert_eq!((child.parent.path(), child.depth), ("/images.xml", 2));
        let is_new = |date: W3cDatetime| date.to_string().as_str() > "2024";
        child.url.path() != "/images.xml" && child.lastmod.is_none_or(is_new)
    });
    let mut crawl = builder.sitemap(&at_site("images.xml"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        // Sitemaps that the caller names are always read.
        "/images.xml" => Answer::Ok(text.as_bytes().to_vec()),
        _ => Answer::Ok(urlset([1])),
    });
    let expected = ["images.xml", "new.xml", "any.xml"];
    assert_eq!(ran.requested, expected.map(|name| format!("{SITE}{name}")));
    assert_eq!(reasons(&crawl), [(Reason::Rejected, 1)]);
}

#[test]
fn the_response_decides_how_a_sitemap_is_read() {
    let reader = ReaderBuilder::new().policy(Policy::LENIENT.deny(Rule::OutsideLocation));
    let builder = CrawlBuilder::new().reader(reader);
    let mut crawl = builder.sitemap(&at_site("a/s"));
    let request = fetch(&mut crawl).unwrap();
    let response = Response::new(200)
        .final_url(at_site("b/s"))
        .header("Content-Type", "text/plain; charset=windows-1251");
    let mut receiver = crawl.begin(request, response);
    let body = b"https://example.com/b/\xEF\xF0\xE8\nhttps://example.com/a/1\n";
    let pages: Vec<Url> = receiver.pages(&body[..]).map(|page| page.loc).collect();
    assert_eq!(pages, [at_site("b/%D0%BF%D1%80%D0%B8")]);
    assert_eq!(receiver.sitemap().path(), "/a/s");
    assert_eq!(receiver.location().path(), "/b/s");
    // An entry that was returned as an error is missing.
    let state = crawl.end(receiver).state();
    assert_eq!(state, State::Done(Completeness::Incomplete));
    let sitemap = crawl.sitemaps().next().unwrap();
    assert_eq!(sitemap.location().unwrap().path(), "/b/s");

    // The protocol: what robots.txt lists may list all pages of the site, in any directory, from any host.
    let reader = ReaderBuilder::new().policy(Policy::STRICT);
    let mut crawl = CrawlBuilder::new().reader(reader).site(&url(SITE));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: https://cdn.example/deep/s.xml".to_vec()),
        _ => Answer::Ok(urlset([1])),
    });
    assert_eq!(ran.pages.len(), 1);
}

#[test]
fn bytes_have_a_bound() {
    let mut crawl = CrawlBuilder::new().max_bytes(1_000).sitemap(&at_site("a"));
    let ran = simple(&mut crawl, |_, _| Answer::Ok(urlset(0..100)));
    assert!(ran.pages.len() > 10 && ran.pages.len() < 30);
    let failure = failures(&crawl).swap_remove(0).1.to_string();
    assert_eq!(failure, "the response has more than 1000 bytes");
    assert_eq!(crawl.summary().bytes, 1_000);
}

/// Four indexes with 120 locs each, some of them of 1.9 MB. (A test of the program has more of them, gzipped.)
#[test]
fn long_urls_are_counted_and_not_kept() {
    let mut crawl = Crawl::site(&url(SITE));
    let robots = b"Sitemap: /a\nSitemap: /b\nSitemap: /c\nSitemap: /d";
    reply(&mut crawl, Response::new(200), robots);
    let longest = format!("{SITE}{}", "y".repeat(2_047 - SITE.len()));
    for name in ["a", "b", "c", "d"] {
        let request = fetch(&mut crawl).unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        let info = allocation_counter::measure(|| {
            receiver.push(b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
            for at in 0..120 {
                let length = if at % 40 == 0 { 1_900_000 } else { 3_000 };
                let loc = format!("{SITE}{name}{at}{}", "x".repeat(length));
                receiver.push(format!("<sitemap><loc>{loc}</loc></sitemap>").as_bytes());
                while receiver.next_page().is_some() {}
            }
            let last = format!("<sitemap><loc>{longest}</loc></sitemap></sitemapindex>");
            receiver.push(last.as_bytes());
            receiver.finish();
            while receiver.next_page().is_some() {}
        });
        assert!(info.bytes_max < 16 << 20, "{}", info.bytes_max);
        crawl.end(receiver);
    }
    assert_eq!(reasons(&crawl), [(Reason::UrlTooLong, 480)]);
    let examples = crawl.summary().left_out.swap_remove(0).examples;
    assert_eq!(examples.len(), 20);
    assert!(examples.iter().all(|url| url.chars().count() == 201));
    assert_eq!(crawl.sitemaps().len(), 5);
}

/// A robots.txt can also list URLs that are too long, and can be longer than its bound.
#[test]
fn robots_txt_has_bounds() {
    let long = "x".repeat(5_000);
    let mut robots = format!("Sitemap: /{long}\n");
    while robots.len() < 300 << 10 {
        writeln!(robots, "Sitemap: /{}", robots.len()).unwrap();
    }
    // Beyond the rules, and then beyond all bounds.
    robots += &format!("{}\nSitemap: /far\n", "#".repeat(600 << 10));
    robots += &"#".repeat(8 << 20);
    let mut crawl = CrawlBuilder::new().max_sitemaps(100).site(&url(SITE));
    let request = fetch(&mut crawl).unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    for piece in robots.as_bytes().chunks(10_000) {
        receiver.push(piece);
    }
    assert!(receiver.is_over());
    crawl.end(receiver);
    assert_eq!(crawl.sitemaps().len(), 100);
    let reasons = reasons(&crawl);
    assert!(reasons[0].0 == Reason::TooMany && reasons[0].1 > 10_000);
    assert_eq!(reasons[1], (Reason::UrlTooLong, 1));
    let rules = crawl.robots().and_then(|answer| answer.rules()).unwrap();
    assert!(rules.is_cut());
    assert_eq!(rules.sitemap_lines().last().unwrap().text, "Sitemap: /far");
}

/// The figures of the documentation, in bytes in addition to the URL.
#[test]
fn memory_of_hosts_and_failures_is_as_documented() {
    const SITEMAPS: usize = 20_000;
    for (name, most_waiting, most_failed) in [
        (
            (|at| format!("{SITE}{at:05}")) as fn(usize) -> String,
            220,
            420,
        ),
        (|at| format!("https://h{at:05}.example/"), 900, 600),
    ] {
        let text = index((0..SITEMAPS).map(name));
        let builder = CrawlBuilder::new().max_sitemaps(SITEMAPS + 1).retries(0);
        let mut crawl = builder.any_host(true).sitemap(&at_site("i"));
        let each = |bytes: i64| bytes / SITEMAPS as i64 - name(0).len() as i64;
        let mut total = allocation_counter::measure(|| {
            let request = fetch(&mut crawl).unwrap();
            let mut receiver = crawl.begin(request, Response::new(200));
            assert_eq!(receiver.pages(&*text).count(), 0);
            crawl.end(receiver);
        });
        let waiting = each(total.bytes_current);
        let failed = allocation_counter::measure(|| {
            while let Some(request) = fetch(&mut crawl) {
                end(&mut crawl, request, Response::new(404));
            }
        });
        total.bytes_current += failed.bytes_current;
        let failed = each(total.bytes_current);
        assert!((1..=most_waiting).contains(&waiting), "{waiting}");
        assert!((1..=most_failed).contains(&failed), "{failed}");
    }
}

#[test]
fn a_page_takes_no_memory() {
    let mut crawl = Crawl::sitemap(&at_site("i"));
    reply(&mut crawl, Response::new(200), &index(0..200));
    let pages = urlset(0..1_000);
    let mut read = |count: usize| {
        allocation_counter::measure(|| {
            for _ in 0..count {
                let request = fetch(&mut crawl).unwrap();
                let mut receiver = crawl.begin(request, Response::new(200));
                assert_eq!(receiver.pages(&*pages).count(), 1_000);
                crawl.end(receiver);
            }
        })
    };
    // The first call moves the lists of the next depth, which is not measured.
    read(1);
    let (first, second) = (read(10), read(100));
    // A sitemap takes less memory when it no longer waits.
    assert!(first.bytes_current <= 0 && second.bytes_current <= 0);
    assert!(second.bytes_max < 1 << 20, "{}", second.bytes_max);
}

/// A crawl that has stopped at its maximum goes on when pages are given back.
#[test]
fn entries_that_could_not_be_stored_come_again() {
    for (most, has_more) in [(2, false), (1, true)] {
        let mut crawl = CrawlBuilder::new().max_pages(most).sitemap(&at_site("a"));
        let pages = |_: &Url, _: usize| Answer::Ok(urlset([1, 2]));
        simple(&mut crawl, pages);
        assert!(crawl.is_done() && crawl.summary().has_more_pages == has_more);
        crawl.requeue(0);
        let summary = crawl.summary();
        assert_eq!((crawl.is_done(), summary.pages), (false, 0), "{most}");
        assert!(!summary.has_more_pages);
        let ran = simple(&mut crawl, pages);
        let summary = crawl.summary();
        assert_eq!((ran.pages.len() as u64, summary.pages), (most, most));
        assert_eq!(summary.has_more_pages, has_more, "{most}");
        crawl.requeue(7);
        assert!(crawl.is_done());
    }
}

/// Only http and https are requested, also where a crawl begins.
#[test]
fn a_start_of_another_scheme_is_left_out() {
    for start in [
        "ftp://example.com/sitemap.xml",
        "file:///sitemap.xml",
        "data:,x",
    ]
    .map(url)
    {
        for mut crawl in [Crawl::sitemap(&start), Crawl::site(&start)] {
            assert!(fetch(&mut crawl).is_none() && crawl.is_done(), "{start}");
            assert_eq!(reasons(&crawl), [(Reason::OtherScheme, 1)]);
            assert_eq!(crawl.summary().coverage(), Coverage::Incomplete);
        }
    }
}

#[test]
fn requests_and_receivers_go_to_other_threads() {
    fn is_send<T: Send + 'static>() {}
    is_send::<Request>();
    is_send::<Receiver>();
    is_send::<Crawl>();
}

#[cfg(feature = "serde")]
mod saved {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};

    use quick_sitemap_crawl::Saved;

    use super::*;

    /// What a caller stores: a row for each URL, and the small state.
    #[derive(Clone, Default)]
    struct Rows(Arc<Mutex<HashMap<Url, String>>>);

    impl Rows {
        fn builder(&self) -> CrawlBuilder {
            let rows = Arc::clone(&self.0);
            let row = move |url: &Url| rows.lock().unwrap().get(url).cloned();
            CrawlBuilder::new().known(move |url| serde_json::from_str(&row(url)?).ok())
        }

        fn keep(&self, ended: &Ended) {
            if let Some(known) = ended.known() {
                let row = serde_json::to_string(&known).unwrap();
                self.0.lock().unwrap().insert(known.url().clone(), row);
            }
        }

        fn all(&self) -> Vec<Known> {
            let rows = self.0.lock().unwrap();
            let rows = rows.values();
            rows.map(|row| serde_json::from_str(row).unwrap()).collect()
        }
    }

    fn stored(crawl: &Crawl) -> Saved {
        let text = serde_json::to_string(&crawl.save()).unwrap();
        assert!(text.len() < 500);
        serde_json::from_str(&text).unwrap()
    }

    fn answer(url: &Url) -> Vec<u8> {
        match url.path() {
            "/robots.txt" => b"Sitemap: /i\nSitemap: https://cdn.example/x".to_vec(),
            "/i" => index(0..20),
            path => urlset((0..5).map(|n| format!("https://example.com{path}/{n}"))),
        }
    }

    fn crawl_with(rows: &Rows, crawl: &mut Crawl, status: impl Fn(&str) -> u16) -> Vec<String> {
        let mut requested = Vec::new();
        while let Some(request) = fetch(crawl) {
            let asked = request.url.clone();
            let mut receiver = crawl.begin(request, Response::new(status(asked.path())));
            receiver.push(&answer(&asked));
            rows.keep(&crawl.end(receiver));
            requested.push(asked.path().to_owned());
        }
        assert!(crawl.is_done());
        requested
    }

    /// After each request, the crawl is stored and goes on as another one; some requests are at work meanwhile.
    #[test]
    fn a_crawl_that_is_stored_at_any_moment_reads_everything_once() {
        let mut chance = Chance(4);
        for _ in 0..50 {
            let rows = Rows::default();
            let builder = || rows.builder().per_host(3);
            let mut crawl = builder().site(&url(SITE));
            let (mut read, mut at_work, mut resumed) = (Vec::new(), Vec::new(), false);
            loop {
                at_work.extend(std::iter::from_fn(|| fetch(&mut crawl)).take(3 - at_work.len()));
                if at_work.is_empty() {
                    break;
                }
                let request = at_work.swap_remove(chance.below(at_work.len()));
                let asked = request.url.clone();
                let mut receiver = crawl.begin(request, Response::new(200));
                receiver.push(&answer(&asked));
                rows.keep(&crawl.end(receiver));
                if asked.path() == "/robots.txt" {
                    continue;
                }
                read.push(asked.to_string());
                if chance.below(3) == 0 {
                    at_work.clear();
                    resumed = true;
                    crawl = builder().resume(stored(&crawl));
                }
            }
            assert!(crawl.is_done());
            let once: BTreeSet<&String> = read.iter().collect();
            assert_eq!((once.len(), read.len()), (22, 22));
            let summary = crawl.summary();
            assert_eq!((summary.pages, summary.done), (105, 22));
            let expected = [Coverage::Complete, Coverage::Changes][usize::from(resumed)];
            assert_eq!(summary.coverage(), expected);
        }
    }

    #[test]
    fn what_failed_or_was_left_out_is_tried_again() {
        let site = url("https://example.com/i");
        let rows = Rows::default();
        let mut crawl = rows.builder().retries(0).max_depth(1).sitemap(&site);
        assert_eq!(crawl_with(&rows, &mut crawl, |_| 200), ["/i"]);
        assert_eq!(reasons(&crawl), [(Reason::TooDeep, 20)]);
        // With a larger depth, the sitemaps of the index are read, but not the index itself.
        let mut crawl = rows.builder().retries(0).resume(stored(&crawl));
        let status = |path: &str| if path == "/7" { 500 } else { 200 };
        let requested = crawl_with(&rows, &mut crawl, status);
        assert_eq!((requested.len(), crawl.summary().pages), (20, 95));
        // The state also has the pages of sitemaps that the resumed crawl has not reached.
        let resumed = rows.builder().resume(stored(&crawl));
        let all: Vec<Known> = rows.all();
        assert_eq!(stored(&resumed).check(&all), Ok(()));
        let mut crawl = rows.builder().resume(stored(&crawl));
        assert_eq!(crawl_with(&rows, &mut crawl, |_| 200), ["/7"]);
        assert_eq!(crawl.summary().pages, 100);
        // What the earlier crawls have read is known, but this one has not returned it.
        assert_eq!(crawl.summary().coverage(), Coverage::Changes);
        let mut crawl = rows.builder().resume(stored(&crawl));
        assert!(crawl_with(&rows, &mut crawl, |_| 200).is_empty());
        // The pages of the earlier crawl count for the bound.
        let mut crawl = rows.builder().max_pages(100).resume(stored(&crawl));
        crawl_with(&rows, &mut crawl, |_| 200);
        assert!(!crawl.summary().has_more_pages);
        // Another crawl of the same site reads everything again.
        let mut crawl = rows.builder().sitemap(&site);
        assert_eq!(crawl_with(&rows, &mut crawl, |_| 200).len(), 21);
    }

    #[test]
    fn what_is_stored_names_no_password_and_has_a_version() {
        let crawl = Crawl::site(&url("https://me:secret@example.com/"));
        let text = serde_json::to_string(&crawl.save()).unwrap();
        assert!(!text.contains("secret") && !text.contains("me@"));
        assert_eq!(crawl.save().start().as_str(), "https://example.com/");
        let other = text.replace("crawl 1", "crawl 7");
        let error = serde_json::from_str::<Saved>(&other).unwrap_err();
        assert!(error.to_string().contains("another version"), "{error}");
    }

    #[test]
    fn a_pause_is_kept() {
        let rows = Rows::default();
        let mut crawl = crawl_of(rows.builder(), [1]);
        reply(&mut crawl, later(429, 50), b"");
        let first = stored(&crawl);
        assert!(matches!(crawl.next(at(100)), Next::Wait(_)));
        for saved in [first, stored(&crawl)] {
            let mut crawl = rows.builder().resume(saved);
            assert!(matches!(crawl.next(at(101)), Next::Wait(until) if until == at(150)));
            assert_eq!(fetch_at(&mut crawl, at(150)).unwrap().url.path(), "/i");
        }
    }

    #[test]
    fn a_crawl_that_found_nothing_keeps_its_start() {
        let start = at_site("shop");
        let mut saved = Crawl::site(&start).save();
        for _ in 0..3 {
            let mut crawl = CrawlBuilder::new().retries(0).resume(saved);
            let ran = simple(&mut crawl, |_, _| Down);
            assert_eq!(ran.requested, ["https://example.com/robots.txt"]);
            saved = crawl.save();
            assert_eq!(saved.start(), &start);
        }
        let mut crawl = CrawlBuilder::new().resume(saved);
        let ran = simple(&mut crawl, |url, _| match url.path() {
            "/robots.txt" => Answer::Ok(b"Sitemap: /a".to_vec()),
            _ => Answer::Ok(urlset([1])),
        });
        assert_eq!(ran.pages, ["https://example.com/1"]);
    }

    /// Changes of a text: one byte, or a line that is removed, doubled or exchanged with another.
    fn changed(text: &str, chance: &mut Chance) -> String {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (one, two) = (chance.below(lines.len()), chance.below(lines.len()));
        match chance.below(8) {
            0 => _ = lines.remove(one),
            1 => lines.insert(two, lines[one]),
            2 => lines.swap(one, two),
            _ => {
                let mut bytes = text.as_bytes().to_vec();
                let at = chance.below(bytes.len());
                bytes[at] = b" \n\r0179afAF:/.-eE\"\\"[chance.below(19)];
                return String::from_utf8(bytes).unwrap();
            }
        }
        lines.concat()
    }

    /// Each cut and each change of a text is an error.
    fn is_sealed<T: std::str::FromStr>(text: &str, changes: usize) {
        assert!(text.is_ascii() && text.parse::<T>().is_ok());
        for end in 0..text.len() {
            assert!(text[..end].parse::<T>().is_err(), "cut at {end}");
        }
        let (mut chance, mut count) = (Chance(7), 0);
        while count < changes {
            let other = changed(text, &mut chance);
            if other != text {
                assert!(other.parse::<T>().is_err(), "{other}");
                count += 1;
            }
        }
    }

    #[test]
    fn what_is_stored_is_sealed() {
        let rows = Rows::default();
        let mut crawl = rows.builder().site(&url(SITE));
        crawl_with(&rows, &mut crawl, |_| 200);
        for (name, changes) in [("i", 60_000), ("7", 10_000), ("robots.txt", 10_000)] {
            let all = rows.all();
            let known = all.iter().find(|known| *known.url() == at_site(name));
            is_sealed::<Known>(&known.unwrap().to_string(), changes);
        }
        let mut crawl = crawl_of(CrawlBuilder::new(), ["1", "2", "https://b.example/"]);
        reply(&mut crawl, later(429, 50), b"");
        let saved = crawl.save();
        is_sealed::<Saved>(&saved.to_string(), 20_000);
        assert_eq!(saved.to_string().parse(), Ok(saved));
        // The forms of an earlier version.
        let known = "quick-sitemap known 1\nurl https://e.com/".parse::<Known>();
        assert!(known.is_err());
        let saved = r#"{"version":3,"run":5,"start":"https://e.com/","pages":0}"#;
        assert!(serde_json::from_str::<Saved>(saved).is_err());
    }

    /// The state, with the seal of other lines.
    fn resealed(text: &str, from: &str, to: &str) -> Result<Saved, String> {
        let body = text.rsplit_once("end ").unwrap().0;
        assert!(body.contains(from), "{body}");
        let body = body.replace(from, to);
        let mut digest = flate2::Crc::new();
        digest.update(body.as_bytes());
        let text = format!("{body}end {} {:08x}", body.lines().count(), digest.sum());
        text.parse::<Saved>().map_err(|error| error.to_string())
    }

    #[test]
    fn a_state_that_no_crawl_has_saved_is_refused() {
        let crawl = CrawlBuilder::new().sitemaps([url("https://me:x@a.example/y#z")]);
        let text = crawl.save().to_string();
        let line = "\nsitemap https://a.example/y\n";
        assert_eq!(resealed(&text, line, line), Ok(crawl.save()));
        let long = format!("https://a.example/{}", "x".repeat(2_047));
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://me:secret@a.example/y",
            "https://me:secret@",
            "https://a.example/y#z",
            "HTTPS://a.example/y",
            &long,
        ] {
            let error = resealed(&text, line, &format!("\nsitemap {url}\n")).unwrap_err();
            assert_eq!(error, "the text was cut or changed");
        }
        let run = text.lines().nth(1).unwrap();
        assert!(resealed(&text, run, "run 0").is_err());
        assert!(resealed(&text, "sitemaps https://", "sitemaps https://me:secret@").is_err());
        assert!(resealed(&text, "\nsitemaps ", "\nsite ").is_err());
    }

    /// There is nothing to crawl, which can be stored all the same.
    #[test]
    fn a_crawl_without_a_start_is_stored() {
        for crawl in [
            CrawlBuilder::new().sitemaps([]),
            Crawl::site(&url("ftp://e.com/")),
        ] {
            let mut crawl = CrawlBuilder::new().resume(stored(&crawl));
            assert!(fetch(&mut crawl).is_none() && crawl.is_done());
            let summary = crawl.summary();
            assert!(summary.coverage() >= Coverage::Unknown, "{summary:?}");
        }
    }

    /// A state whose rows were lost, or that is another one's.
    #[test]
    fn a_state_belongs_to_its_rows() {
        let rows = Rows::default();
        let mut crawl = rows.builder().site(&url(SITE));
        crawl_with(&rows, &mut crawl, |_| 200);
        let all = rows.all();
        let saved = stored(&crawl);
        assert_eq!(saved.check(&all), Ok(()));
        assert!(saved.check([]).is_err());
        let mut others = all.clone();
        others.retain(|known| known.url().path() != "/7");
        assert!(saved.check(&others).is_err());
        let mut other = rows.builder().site(&url(SITE));
        crawl_with(&Rows::default(), &mut other, |_| 200);
        assert!(stored(&other).check(&all).is_err());
        // A sitemap that is read again has no pages meanwhile.
        let number = crawl.sitemaps().position(|it| it.url().ends_with("/7"));
        crawl.requeue(number.unwrap());
        assert_eq!(stored(&crawl).check(&others), Ok(()));
    }
}

/// An index is listed again, less deep, after another one has listed it. Its children are then less deep too, because the
/// sitemaps of one depth are read before those of the next.
#[test]
fn an_index_has_the_lowest_depth_at_which_it_is_listed() {
    for seed in 0..100 {
        let mut crawl = parallel().max_depth(4).sitemap(&at_site("start"));
        let ran = run(&mut crawl, 4, &mut Chance(seed), |url, _| {
            Answer::Ok(match url.path() {
                "/start" => index(["a", "b"]),
                "/a" => index(["x"]),
                "/x" | "/b" => index(["d"]),
                "/d" => index(["last"]),
                _ => urlset([1]),
            })
        });
        assert_eq!((ran.requested.len(), ran.pages.len()), (6, 1));
        assert_eq!(crawl.summary().left_out, []);
    }
}

#[test]
fn a_redirect_to_a_known_sitemap_is_not_requested_again() {
    let answer = |url: &Url, _: usize| match url.path() {
        "/index.xml" => Answer::Ok(index(["early", "a", "old", "older", "b", "c"])),
        "/early" | "/old" => Redirect("/a".to_owned()),
        "/older" => Redirect("/old".to_owned()),
        // These two lead to each other.
        "/b" => Redirect("/c".to_owned()),
        "/c" => Redirect("/b".to_owned()),
        _ => Answer::Ok(urlset([1])),
    };
    let mut crawl = Crawl::sitemap(&at_site("index.xml"));
    let ran = simple(&mut crawl, answer);
    // The target of the first one is not known to be a sitemap yet.
    assert_eq!(
        ["/a", "/old", "/older"].map(|path| ran.count(path)),
        [2, 1, 1]
    );
    let sitemaps = crawl.sitemaps();
    let doubles = sitemaps.filter(|sitemap| sitemap.state() == State::Duplicate);
    let doubles: Vec<&str> = doubles.map(|it| &it.url()[SITE.len()..]).collect();
    assert_eq!(doubles, ["early", "old", "older", "c"]);
    let failed = failures(&crawl);
    assert_eq!((failed.len(), &*failed[0].0), (1, "https://example.com/b"));
    assert_eq!(failed[0].1.reason(), Reason::RedirectLoop);

    // For each order of the responses.
    for seed in 0..800 {
        let mut crawl = parallel().sitemap(&at_site("index.xml"));
        let ran = run(&mut crawl, 4, &mut Chance(seed), answer);
        assert_eq!(ran.pages, ["https://example.com/1"]);
        assert_eq!(failures(&crawl), failed);
        assert_eq!(crawl.summary().duplicates, 4);
    }
}

#[test]
fn entries_of_another_reader_count_as_those_of_the_receiver() {
    let body = |url: &Url| match url.path() {
        "/index.xml" => index(["a.xml", "b.xml", "https://other.com/"]),
        "/a.xml" => urlset(["1", "2", "ftp://example.com/"]),
        _ => b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>".to_vec(),
    };
    let crawled = |is_pushed: bool, max_pages: u64| {
        let builder = CrawlBuilder::new().max_pages(max_pages);
        let mut crawl = builder.sitemap(&at_site("index.xml"));
        let mut outcomes = Vec::new();
        while let Some(request) = fetch(&mut crawl) {
            let body = body(&request.url);
            let mut receiver = crawl.begin(request, Response::new(200));
            if is_pushed {
                receiver.push(&body);
                receiver.finish();
                take(&mut receiver, &mut Vec::new());
            } else {
                let mut reader = receiver.reader().build(body.as_slice());
                while let Some(read) = reader.next().filter(|_| !receiver.is_over()) {
                    receiver.take(read);
                }
                if !receiver.is_over() {
                    receiver.finish_with(Ok(reader.summary()));
                }
                assert!(receiver.is_over());
            }
            let ended = crawl.end(receiver);
            outcomes.push((ended.state(), ended.failure().cloned()));
        }
        let mut summary = crawl.summary();
        // Bytes are those that were pushed.
        assert_eq!(summary.bytes > 0, is_pushed);
        summary.bytes = 0;
        (outcomes, summary, reasons(&crawl))
    };
    let (whole, bounded) = (crawled(true, 10), crawled(true, 1));
    assert_eq!(
        (&whole, &bounded),
        (&crawled(false, 10), &crawled(false, 1))
    );
    let (_, found, left_out) = whole;
    let counts = (found.done, found.failed, found.pages, found.skipped);
    assert_eq!(counts, (2, 1, 2, 1));
    assert_eq!(left_out, [(Reason::OtherHost, 1)]);
    assert!(bounded.1.has_more_pages);
}

/// Another spelling of the site is trusted, and another port is not, unless the caller allows it.
#[test]
fn another_port_is_another_host() {
    let listed = [
        "1",
        "http://www.example.com/2",
        "https://example.com:8443/3",
        "https://www.example.com:8443/moved",
        "/4",
    ];
    for (allowed, pages, left_out) in [
        ("b.example", 2, &[(Reason::OtherHost, 2)][..]),
        ("example.com:8443", 5, &[]),
        ("example.com:8080", 2, &[(Reason::OtherHost, 2)]),
    ] {
        let builder = CrawlBuilder::new().allow_host(allowed);
        let mut crawl = builder.sitemap(&at_site("i"));
        let ran = simple(&mut crawl, |asked, _| match asked.path() {
            "/i" => Answer::Ok(index(listed)),
            // A redirect to the port, too.
            "/4" if asked.port().is_none() => Redirect("https://example.com:8443/5".to_owned()),
            "/moved" => Redirect("https://example.com/6".to_owned()),
            path => Answer::Ok(urlset([&path[1..]])),
        });
        let is_allowed = left_out.is_empty();
        assert_eq!(ran.pages.len(), pages, "{allowed}");
        assert_eq!(reasons(&crawl), left_out, "{allowed}");
        assert_eq!(crawl.trusts(&url("https://example.com:8443/")), is_allowed);
        let moved = failures(&crawl).len();
        assert_eq!(moved, usize::from(!is_allowed), "{allowed}");
    }
}

/// The texts of what is known, by URL.
type Texts = BTreeMap<String, String>;

/// A crawl of the site that knows the texts and adds its own, and the pages with their sitemaps.
fn night(
    texts: &mut Texts,
    answer: impl Fn(&Request) -> (Response, Vec<u8>),
) -> (Crawl, Vec<(String, Url)>) {
    let earlier = texts.clone();
    let mut crawl = CrawlBuilder::new()
        .known(move |url| earlier.get(url.as_str())?.parse().ok())
        .site(&url(SITE));
    let mut pages = Vec::new();
    while let Some(request) = fetch(&mut crawl) {
        let (response, body) = answer(&request);
        let sitemap = request.sitemap.to_string();
        let mut receiver = crawl.begin(request, response);
        pages.extend(
            receiver
                .pages(&*body)
                .map(|page| (sitemap.clone(), page.loc)),
        );
        if let Some(known) = crawl.end(receiver).known() {
            texts.insert(known.url().to_string(), known.to_string());
        }
    }
    (crawl, pages)
}

/// A crawl of `i`, which lists these, at second 100.
fn crawl_of<T: Display>(builder: CrawlBuilder, listed: impl IntoIterator<Item = T>) -> Crawl {
    let mut crawl = builder.sitemap(&at_site("i"));
    let request = fetch_at(&mut crawl, at(100)).unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.push(&index(listed));
    crawl.end(receiver);
    crawl
}

fn at(seconds: u64) -> SystemTime {
    EPOCH + Duration::from_secs(seconds)
}

/// What is known of a sitemap of pages.
fn known(url: &Url) -> Option<Known> {
    let known = Known::new(url.clone()).with_etag("\"7\"");
    Some(known.with_last_modified(at(784_111_777))).filter(|_| url.path() == "/a")
}

#[test]
fn an_unchanged_sitemap_needs_no_body_however_it_is_received() {
    let ways: [fn(&mut Receiver); 4] = [
        |_| {},
        |receiver| receiver.finish(),
        |receiver| {
            receiver.push(b"https://example.com/1\n");
            assert_eq!(receiver.next_page(), None);
            receiver.finish();
            assert_eq!(receiver.next_page(), None);
        },
        |receiver| assert_eq!(receiver.pages(&b""[..]).count(), 0),
    ];
    for receive in ways {
        let mut crawl = CrawlBuilder::new().known(known).sitemap(&at_site("a"));
        let request = fetch(&mut crawl).unwrap();
        assert_eq!(request.if_none_match(), Some("\"7\""));
        let date = request.if_modified_since();
        assert_eq!(date.as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        let mut receiver = crawl.begin(request, Response::new(304).header("ETag", "\"8\""));
        assert!(receiver.is_over());
        receive(&mut receiver);
        let ended = crawl.end(receiver);
        assert_eq!((ended.state(), ended.failure()), (State::Unchanged, None));
        // The validators of the response; without them, those of the request.
        assert_eq!(ended.known().unwrap().etag(), Some("\"8\""));
        assert_eq!(crawl.sitemaps().next().unwrap().state(), State::Unchanged);
        let summary = crawl.summary();
        assert_eq!((summary.unchanged, summary.failed), (1, 0));
        assert_eq!(summary.coverage(), Coverage::Unknown);
    }
}

/// A client that follows redirects itself has sent the condition of another URL.
#[test]
fn a_304_of_which_nothing_is_known_is_requested_in_full() {
    let mut crawl = CrawlBuilder::new().known(known).sitemap(&at_site("a"));
    let request = fetch(&mut crawl).unwrap();
    assert!(request.if_none_match().is_some());
    let ended = end(
        &mut crawl,
        request,
        Response::new(304).final_url(at_site("b")),
    );
    assert_eq!(ended.state(), State::Queued);
    let request = fetch(&mut crawl).unwrap();
    assert_eq!((request.url.path(), request.attempt), ("/a", 2));
    assert_eq!(request.if_none_match(), None);
    let mut receiver = crawl.begin(request, Response::new(200));
    assert_eq!(receiver.pages(&b"https://example.com/1\n"[..]).count(), 1);
    assert!(matches!(crawl.end(receiver).state(), State::Done(_)));

    // An index that lists more than is kept has no condition.
    let mut crawl = CrawlBuilder::new().max_children(1).sitemap(&at_site("i"));
    let response = Response::new(200).header("ETag", "\"1\"");
    let known = reply(&mut crawl, response, &index(["a", "b"]))
        .known()
        .unwrap();
    assert_eq!((known.kind(), known.is_whole()), (KnownKind::Index, false));
    assert_eq!((known.etag(), known.sitemaps().count()), (None, 0));
}

#[test]
fn a_304_without_a_condition_is_a_failure() {
    let mut crawl = Crawl::site(&url(SITE));
    reply(&mut crawl, Response::new(304), b"");
    let failure = crawl.summary().robots_failure.unwrap();
    assert_eq!(failure.reason(), Reason::Status(304));
    assert!(failure.to_string().contains("without a condition"));
    let mut crawl = Crawl::sitemap(&at_site("a"));
    reply(&mut crawl, Response::new(304), b"");
    assert_eq!(failures(&crawl)[0].1.reason(), Reason::Status(304));
}

#[test]
fn a_condition_is_that_of_the_url_which_is_requested() {
    let mut crawl = CrawlBuilder::new().known(known).sitemap(&at_site("a"));
    let request = fetch(&mut crawl).unwrap();
    assert!(request.if_none_match().is_some());
    let moved = Response::new(302).header("Location", "/never-fetched");
    end(&mut crawl, request, moved.clone());
    let request = fetch(&mut crawl).unwrap();
    assert_eq!(request.url.path(), "/never-fetched");
    let condition = (request.if_none_match(), request.if_modified_since());
    assert_eq!(condition, (None, None));
    let response = Response::new(200)
        .header("ETag", "W/\"1\"")
        .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    let mut receiver = crawl.begin(request, response);
    assert_eq!(receiver.pages(&b"https://example.com/1\n"[..]).count(), 1);
    let kept = crawl.end(receiver).known().unwrap();
    assert_eq!(kept.url().path(), "/a");
    assert_eq!(kept.etag(), Some("W/\"1\""));
    assert_eq!(kept.last_modified(), Some(at(784_111_777)));
    assert_eq!(kept.to_string().parse(), Ok(kept.clone()));

    // The next day, the condition goes to the target.
    let mut crawl = CrawlBuilder::new()
        .known(move |url| Some(kept.clone()).filter(|kept| kept.url() == url))
        .sitemap(&at_site("a"));
    let request = fetch(&mut crawl).unwrap();
    assert_eq!(request.if_none_match(), None);
    end(&mut crawl, request, moved);
    let request = fetch(&mut crawl).unwrap();
    assert_eq!(request.if_none_match(), Some("W/\"1\""));
    let ended = end(&mut crawl, request, Response::new(304));
    assert_eq!(ended.state(), State::Unchanged);
    assert_eq!(ended.known().unwrap().url().path(), "/a");
}

/// An index and a sitemap that are redirected leave by the URLs that were listed.
#[test]
fn what_is_gone_has_the_url_of_its_row() {
    let mut rows = Texts::new();
    let mut gone = Vec::new();
    for robots in ["Sitemap: /i.xml\nSitemap: /b.xml", "Sitemap: /b.xml"] {
        let (crawl, _) = night(&mut rows, |request| match request.url.path() {
            "/robots.txt" => (Response::new(200), robots.into()),
            "/new/i.xml" => (Response::new(200), index(["a.xml"])),
            "/new/a.xml" | "/b.xml" => (Response::new(200), urlset([1])),
            path => (moved(&format!("/new{path}")), Vec::new()),
        });
        gone = crawl.gone(rows.keys()).unwrap();
    }
    assert_eq!(gone, ["a.xml", "i.xml"].map(|name| format!("{SITE}{name}")));
    assert!(gone.iter().all(|url| rows.contains_key(url)));
}

#[test]
fn the_last_attempt_pauses_its_host_too() {
    let mut crawl = crawl_of(CrawlBuilder::new().retries(1), [1, 2]);
    let mut times = Vec::new();
    let mut now = at(100);
    while !crawl.is_done() {
        while let Some(request) = fetch_at(&mut crawl, now) {
            times.push((request.url.path().to_owned(), now));
            end(&mut crawl, request, later(503, 30));
        }
        now = waits_until(&mut crawl).unwrap_or(now);
    }
    let expected = [("/1", 100), ("/1", 130), ("/2", 160), ("/2", 190)];
    let expected = expected.map(|(path, time)| (path.to_owned(), at(time)));
    assert_eq!(times, expected);
}

#[test]
fn a_busy_robots_txt_is_no_permission_to_guess() {
    for (response, requests) in [
        (Response::new(503), 2),
        (later(503, 7), 2),
        (later(429, 3600), 1),
        (Response::new(500), 2),
        (Response::new(501), 1),
        (Response::new(599), 1),
    ] {
        let mut crawl = CrawlBuilder::new().retries(1).site(&url(SITE));
        let (mut asked, mut now) = (0, at(100));
        while !crawl.is_done() {
            while let Some(request) = fetch_at(&mut crawl, now) {
                asked += 1;
                assert_eq!(request.kind, RequestKind::Robots, "{response:?}");
                end(&mut crawl, request, response.clone());
            }
            now = waits_until(&mut crawl).unwrap_or(now);
        }
        assert_eq!(asked, requests, "{response:?}");
        assert!(crawl.summary().robots_failure.is_some());
    }
}

#[test]
fn a_retry_after_without_end_is_the_latest_time() {
    let builder = CrawlBuilder::new().max_retry_after(Duration::MAX);
    let mut crawl = crawl_of(builder, [1]);
    reply(&mut crawl, later(503, u64::MAX), b"");
    let again = waits_until(&mut crawl).unwrap();
    assert!(again > at(200_000_000_000) && !crawl.is_done());
    assert_eq!(fetch_at(&mut crawl, again).unwrap().attempt, 2);
}

#[test]
fn a_junk_index_does_not_starve_the_others() {
    let mut crawl = CrawlBuilder::new().max_sitemaps(1_000).site(&url(SITE));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: /junk\nSitemap: /real".to_vec()),
        "/junk" => Answer::Ok(index((0..20_000).map(|n| format!("junk/{n}")))),
        "/real" => Answer::Ok(index((0..3).map(|n| format!("real/{n}")))),
        _ => Answer::Ok(urlset([1])),
    });
    let place = |path: &str| {
        let mut requested = ran.requested.iter();
        requested.position(|url| url.ends_with(path)).unwrap()
    };
    assert_eq!((place("/junk"), place("/real")), (1, 2));
    // Indexes are read alternately.
    assert!(place("/real/2") <= 9, "{}", place("/real/2"));
    assert_eq!(ran.requested.len(), 1_001);
    assert_eq!(reasons(&crawl), [(Reason::TooMany, 20_005 - 1_000)]);

    // A single index can have its own bound.
    let mut crawl = crawl_of(parallel().max_children(2), [1, 2, 3]);
    assert_eq!(std::iter::from_fn(|| fetch(&mut crawl)).count(), 2);
    assert_eq!(reasons(&crawl), [(Reason::TooMany, 1)]);
}

#[test]
fn a_crawl_can_have_several_starts() {
    let starts = [
        "https://a.example/1",
        "https://b.example/2",
        "https://b.example/3",
    ];
    let mut crawl = CrawlBuilder::new().sitemaps(starts.map(url));
    let requests: Vec<Request> = std::iter::from_fn(|| fetch(&mut crawl)).collect();
    let paths: Vec<&str> = requests.iter().map(|request| request.url.path()).collect();
    // One request to each host.
    assert_eq!(paths, ["/1", "/2"]);
    assert!(matches!(crawl.next(EPOCH), Next::Busy));
    assert!(crawl.trusts(&url("https://b.example/")));
    let mut crawl = CrawlBuilder::new().sitemaps([]);
    assert!(matches!(crawl.next(EPOCH), Next::Done));
}

/// Two crawls in two threads never get the same turn: the delay begins before anything else is done for a request.
#[test]
fn a_turn_is_given_once() {
    let pace = Pace::new().delay(Duration::from_secs(2)).per_host(2);
    let other = CrawlBuilder::new()
        .pace(pace.clone())
        .sitemap(&at_site("b"));
    let other = Mutex::new(other);
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&turns);
    // It is called while `next` looks for what is known of the sitemap.
    let builder = CrawlBuilder::new().pace(pace).known(move |_| {
        let is_given = matches!(other.lock().unwrap().next(at(0)), Next::Fetch(_));
        counted.fetch_add(usize::from(is_given), Ordering::Relaxed);
        None
    });
    let mut crawl = builder.sitemap(&at_site("a"));
    assert!(matches!(crawl.next(at(0)), Next::Fetch(_)));
    assert_eq!(turns.load(Ordering::Relaxed), 0);
}

#[test]
fn crawls_share_a_pace() {
    let pace = Pace::new().delay(Duration::from_secs(2));
    let crawl = |name: &str| {
        CrawlBuilder::new()
            .pace(pace.clone())
            .sitemap(&at_site(name))
    };
    let (mut one, mut other) = (crawl("1"), crawl("2"));
    let request = fetch_at(&mut one, at(100)).unwrap();
    // The host is busy, and this crawl has nothing at work that could end.
    let soon = at(100)..at(101);
    assert!(
        matches!(other.next(at(100)), Next::Wait(until) if until > at(100) && soon.contains(&until))
    );
    one.fail(request, Failure::permanent("gone"));
    assert!(matches!(one.next(at(109)), Next::Done));
    // The delay begins at the end of the response.
    assert!(matches!(other.next(at(110)), Next::Wait(until) if until == at(111)));
    assert!(matches!(other.next(at(111)), Next::Fetch(_)));
}

#[test]
fn a_crawl_delay_is_kept_up_to_a_bound_and_told() {
    for (listed, kept) in [("5", 5), ("3600", 30), ("0.5", 2)] {
        let builder = CrawlBuilder::new().user_agent("my-crawler");
        let mut crawl = builder.delay(Duration::from_secs(2)).site(&url(SITE));
        let request = fetch_at(&mut crawl, at(100)).unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        let text = format!("User-agent: my-crawler\nCrawl-delay: {listed}\nSitemap: /a.xml");
        assert_eq!(receiver.pages(text.as_bytes()).count(), 0);
        crawl.end(receiver);
        assert_eq!(waits_until(&mut crawl), Some(at(100 + kept)), "{listed}");
        let told = crawl.summary().crawl_delay.unwrap();
        let listed = Duration::from_secs_f64(listed.parse().unwrap());
        assert_eq!(told, (listed, Duration::from_secs(kept)));
    }
}

/// One that is long, gzipped or not.
#[test]
fn a_robots_txt_is_read_by_the_short_loop() {
    let text = b"Sitemap: /a.xml\n".repeat(100_000);
    let gzipped = robots::gzip(&text);
    for (body, is_pushed) in [
        (&text, true),
        (&text, false),
        (&gzipped, true),
        (&gzipped, false),
    ] {
        let mut crawl = Crawl::site(&url(SITE));
        let request = fetch(&mut crawl).unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        if is_pushed {
            for piece in body.chunks(1_000) {
                receiver.push(piece);
                assert!(receiver.next_page().is_none());
            }
            receiver.finish();
        } else {
            assert_eq!(receiver.pages(body.as_slice()).count(), 0);
        }
        assert!(receiver.is_over());
        crawl.end(receiver);
        assert_eq!(fetch(&mut crawl).unwrap().url.path(), "/a.xml");
    }
}

#[test]
fn equal_encodings_are_one_sitemap() {
    let mut crawl = Crawl::sitemap(&at_site("i%7E"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/i%7E" => Answer::Ok(index(["i~", "%d9%85", "%D9%85", "x%2fy", "x/y"])),
        _ => Answer::Ok(urlset([1])),
    });
    let expected = ["i%7E", "%d9%85", "x%2fy", "x/y"];
    assert_eq!(ran.requested, expected.map(|name| format!("{SITE}{name}")));
}

#[test]
fn errors_say_whether_another_request_may_help() {
    use std::io::ErrorKind;
    for (error, is_transient) in [
        (ErrorKind::ConnectionReset.into(), true),
        (ErrorKind::ConnectionRefused.into(), true),
        (ErrorKind::TimedOut.into(), true),
        (ErrorKind::UnexpectedEof.into(), true),
        (io::Error::other("unknown host"), false),
        (ErrorKind::InvalidData.into(), false),
    ] {
        let failure = Failure::from_error(&error);
        assert_eq!(failure.is_transient(), is_transient, "{error}");
        let mut decoder = quick_sitemap::Decoder::new();
        decoder.fail(error);
        let error = decoder.next_entry().unwrap_err();
        assert_eq!(error.is_transient(), is_transient, "{error}");
    }
    for text in ["<html>", "{}", "<urlset><url>", "\x1F\u{8B}"] {
        let errors = quick_sitemap::Reader::from_bytes(text).filter_map(Result::err);
        let is_permanent = errors.last().is_none_or(|error| !error.is_transient());
        assert!(is_permanent, "{text}");
    }
}

/// An error with a source.
#[derive(Debug)]
struct Wrapped(io::Error);

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("error sending request")
    }
}

impl std::error::Error for Wrapped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn a_failure_prints_its_causes() {
    let refused = io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused");
    let failure = Failure::from_error(&Wrapped(refused));
    let expected = "error sending request: connection refused";
    assert_eq!(failure.to_string(), expected);
    assert!(failure.is_transient());
    let unknown = io::Error::other("no such host");
    let mut crawl = Crawl::sitemap(&at_site("a"));
    let request = fetch(&mut crawl).unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.fail(io::Error::other(Wrapped(unknown)));
    let ended = crawl.end(receiver);
    let failure = ended.failure().unwrap();
    assert_eq!(failure.to_string(), "error sending request: no such host");
    assert_eq!(failure.reason(), Reason::Permanent);
}

/// An index of which the bound keeps nothing lists something all the same, so it has not lost what it listed.
#[test]
fn an_index_beyond_the_bound_is_not_an_empty_one() {
    for (listed, rows_may_go) in [(&["a"][..], true), (&[], false)] {
        let mut crawl = CrawlBuilder::new().max_children(0).sitemap(&at_site("i"));
        let ended = reply(&mut crawl, Response::new(200), &index(listed));
        assert_eq!(ended.rows_may_go(), rows_may_go, "{listed:?}");
        let known = ended.known().unwrap();
        assert_eq!(known.kind(), KnownKind::Index);
        assert_eq!(known.is_whole(), listed.is_empty(), "{listed:?}");
    }
}

/// A sitemap that robots.txt lists is read, so an index that lists it too deep leaves nothing out.
#[test]
fn what_is_read_anyhow_is_not_left_out() {
    let mut crawl = CrawlBuilder::new().max_depth(1).site(&url(SITE));
    simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: /i\nSitemap: /a".to_vec()),
        "/i" => Answer::Ok(index(["i", "a"])),
        _ => Answer::Ok(urlset([1])),
    });
    let summary = crawl.summary();
    assert_eq!(summary.left_out, []);
    assert_eq!(summary.coverage(), Coverage::Complete);
}

/// Sites that are listed completely, although they are not as the protocol has it.
#[test]
fn a_complete_listing_is_said_to_be_one() {
    for (listed, coverage, pages) in [
        (&[][..], Coverage::Complete, 1),
        (
            &["//www.example.com/a.xml", "http://example.com/b.xml"],
            Coverage::Complete,
            2,
        ),
        (&["https://cdn.example/i.xml"], Coverage::Complete, 1),
        (&["ftp://example.com/a.xml", "/b.xml"], Coverage::Unknown, 1),
    ] {
        let robots: String = listed
            .iter()
            .map(|url| format!("Sitemap: {url}\n"))
            .collect();
        let mut crawl = Crawl::site(&url(SITE));
        let ran = simple(&mut crawl, |url, _| match url.path() {
            "/robots.txt" if robots.is_empty() => Status(404),
            "/robots.txt" => Answer::Ok(robots.clone().into()),
            "/i.xml" => Answer::Ok(index(["https://cdn.example/a.xml"])),
            path => Answer::Ok(urlset([&path[1..]])),
        });
        let found = (crawl.summary().coverage(), ran.pages.len());
        assert_eq!(found, (coverage, pages), "{robots}");
    }
}

/// A sitemap redirects to one that is found only later, or was there before: neither is gone, and no row hides a page.
#[test]
fn redirects_between_sitemaps_lose_nothing() {
    let [x, y] = ["x", "y"].map(|name| format!("{SITE}{name}"));
    let mut rows = Texts::new();
    // What robots.txt lists, the sitemap that the page comes from, and what is gone.
    for (number, (robots, returned, expected)) in [
        ("Sitemap: /y", Some(&y), None),
        // There is a row of /y, but its pages are none of /x, so they are returned.
        ("Sitemap: /x", Some(&x), Some(&y)),
        ("Sitemap: /x\nSitemap: /y", None, None),
        ("Sitemap: /x", None, Some(&y)),
    ]
    .into_iter()
    .enumerate()
    {
        let (crawl, found) = night(&mut rows, |request| match request.url.path() {
            "/robots.txt" => (Response::new(200), robots.into()),
            "/x" => (moved("/y"), Vec::new()),
            _ if request.if_none_match() == Some("\"7\"") => (Response::new(304), Vec::new()),
            _ => (Response::new(200).header("ETag", "\"7\""), urlset([1])),
        });
        let sitemaps: BTreeSet<&String> = found.iter().map(|(sitemap, _)| sitemap).collect();
        assert!(returned.is_none_or(|it| sitemaps.contains(it)), "{number}");
        let gone = crawl.gone(rows.keys()).unwrap();
        assert_eq!(
            gone.iter().collect::<Vec<_>>(),
            Vec::from_iter(expected),
            "{number}"
        );
        rows.retain(|url, _| number != 1 || *url != y);
    }
}

/// A usual place that is refused from the first lists nothing, unless something lists the place: then it is a part that is not
/// read.
#[test]
fn a_usual_place_that_is_listed_is_no_guess() {
    let old = "https://example.com/old.xml";
    for (listed, coverage, expected) in [
        ("a.xml", Coverage::Unknown, Ok(vec![old.to_owned()])),
        (
            "sitemap.xml",
            Coverage::Incomplete,
            Err("/sitemap.xml: it is refused"),
        ),
    ] {
        let mut rows = Texts::new();
        // The first night must be confirmed.
        for expected in [&Err("the next run"), &expected] {
            let (crawl, _) = night(&mut rows, |request| match request.url.path() {
                "/sitemap.xml" => (Response::new(403), Vec::new()),
                "/sitemap_index.xml" => (Response::new(200), index(["b.xml", listed])),
                "/a.xml" | "/b.xml" => (Response::new(200), urlset([1])),
                _ => (Response::new(404), Vec::new()),
            });
            assert_eq!(crawl.summary().coverage(), coverage, "{listed}");
            match (crawl.gone([old]), expected) {
                (Err(found), Err(text)) => assert!(found.to_string().contains(text), "{found}"),
                (found, expected) => assert_eq!(found.ok(), expected.clone().ok(), "{listed}"),
            }
        }
    }
}
