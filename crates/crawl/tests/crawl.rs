//! `quick_sitemap_crawl` without a network: what is requested, what is left out, and what that costs.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, SystemTime};

use quick_sitemap::url::Url;
use quick_sitemap::{Completeness, Policy, ReaderBuilder, Rule, W3cDatetime};
use quick_sitemap_crawl::{
    Cause, Crawl, CrawlBuilder, Failure, Reason, Receiver, Refusal, Request, RequestKind, Response,
    State, Validators,
};

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn index<T: AsRef<str>>(locs: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut text = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>".to_owned();
    for loc in locs {
        write!(text, "<sitemap><loc>{}</loc></sitemap>", loc.as_ref()).unwrap();
    }
    (text + "</sitemapindex>").into_bytes()
}

fn urlset<T: AsRef<str>>(locs: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>".to_owned();
    for loc in locs {
        write!(text, "<url><loc>{}</loc></url>", loc.as_ref()).unwrap();
    }
    (text + "</urlset>").into_bytes()
}

/// The responses of a server.
enum Answer {
    Ok(Vec<u8>),
    Redirect(String),
    Status(u16),
    /// Half of the body, and then the connection breaks.
    Cut(Vec<u8>),
    /// No connection.
    Down,
}
use Answer::{Cut, Down, Redirect, Status};

/// Numbers that look random, and are the same in each run.
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
    /// Time that has passed.
    waited: Duration,
}

/// Crawls with several requests at work, whose responses come in an order of chance. Each body comes in small pieces.
fn run(
    crawl: &mut Crawl,
    jobs: usize,
    chance: &mut Chance,
    answer: impl Fn(&Url, usize) -> Answer,
) -> Ran {
    let mut ran = Ran::default();
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    let mut at_work: Vec<Request> = Vec::new();
    let mut now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let begin = now;
    crawl.set_time(now);
    loop {
        while at_work.len() < jobs
            && let Some(request) = crawl.next_request()
        {
            ran.requested.push(request.url.to_string());
            at_work.push(request);
        }
        assert_eq!(crawl.active(), at_work.len());
        if at_work.is_empty() {
            let Some(until) = crawl.waits_until() else {
                break;
            };
            assert!(until > now && !crawl.is_done());
            now = until;
            crawl.set_time(now);
            continue;
        }
        let request = at_work.swap_remove(chance.below(at_work.len()));
        let before = asked.entry(request.url.to_string()).or_default();
        let answered = answer(&request.url, *before);
        *before += 1;
        let (response, body, is_cut) = match answered {
            Answer::Ok(body) => (Response::new(200), body, false),
            Redirect(to) => (Response::new(302).header("Location", to), Vec::new(), false),
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
        if crawl.end(receiver).retry_at.is_none() {
            ran.pages.append(&mut pages);
        }
    }
    assert!(crawl.is_done() && crawl.next_request().is_none());
    ran.waited = now.duration_since(begin).unwrap();
    ran.pages.sort_unstable();
    ran
}

fn take(receiver: &mut Receiver, pages: &mut Vec<String>) {
    for entry in receiver.entries() {
        match entry {
            Ok(entry) => pages.extend(entry.into_url().map(|page| page.loc.to_string())),
            Err(error) => assert!(error.is_fatal()),
        }
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
    let mut crawl = Crawl::site(&url("https://me:secret@example.com/shop?x#y"));
    let first = crawl.next_request().unwrap();
    assert_eq!(first.url.as_str(), "https://example.com/robots.txt");
    assert_eq!((first.kind, first.depth), (RequestKind::Robots, 0));
    assert!(crawl.next_request().is_none() && !crawl.is_done());
    assert_eq!(crawl.waits_until(), None);
    let mut receiver = crawl.begin(first, Response::new(200));
    receiver.push(b"Sitemap: https://me:secret@example.com/i.xml\nSitemap: /a.txt#x");
    receiver.finish();
    assert_eq!(
        crawl.end(receiver).state,
        State::Done(Completeness::Complete)
    );

    let (i, a) = (crawl.next_request().unwrap(), crawl.next_request().unwrap());
    assert_eq!((i.url.as_str(), i.depth), ("https://example.com/i.xml", 1));
    assert_eq!(
        (a.url.path(), a.attempt, a.number()),
        ("/a.txt", 1, Some(1))
    );
    let mut receiver = crawl.begin(i, Response::new(200));
    receiver.push(&index(["https://example.com/b.xml", "/a.txt"]));
    let entries: Vec<_> = receiver.entries().map(Result::unwrap).collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(receiver.sitemap().path(), "/i.xml");
    crawl.end(receiver);
    let b = crawl.next_request().unwrap();
    assert_eq!((b.url.path(), b.depth), ("/b.xml", 2));
    assert_eq!(b.parent.as_ref().unwrap().path(), "/i.xml");
    assert!(crawl.next_request().is_none());
    drop((a, b));
    assert!(!format!("{crawl:?}").contains("secret"));
}

#[test]
fn the_usual_places_are_tried_one_after_the_other() {
    for robots in [
        Status(404),
        Answer::Ok(b"User-agent: *".to_vec()),
        Status(500),
    ] {
        let robots = &robots;
        let mut crawl = CrawlBuilder::new()
            .retries(0)
            .site(&url("https://example.com/"));
        let ran = run(&mut crawl, 8, &mut Chance(7), |url, _| match url.path() {
            "/robots.txt" => match robots {
                Answer::Ok(text) => Answer::Ok(text.clone()),
                Status(code) => Status(*code),
                _ => unreachable!(),
            },
            // Nothing of the kind, politely.
            "/sitemap.xml" => Answer::Ok(b"<html><body>Not found</body></html>".to_vec()),
            "/sitemap-index.xml" => Answer::Ok(urlset(["https://example.com/1"])),
            _ => Status(404),
        });
        assert_eq!(
            ran.requested,
            [
                "robots.txt",
                "sitemap.xml",
                "sitemap_index.xml",
                "sitemap-index.xml"
            ]
            .map(|name| format!("https://example.com/{name}"))
        );
        assert_eq!(ran.pages, ["https://example.com/1"]);
        let has_failed = matches!(robots, Status(500));
        let summary = crawl.summary();
        assert_eq!(summary.robots_failure.is_some(), has_failed);
        assert_eq!(
            summary.completeness() == Completeness::Incomplete,
            has_failed
        );
    }
    let mut crawl = Crawl::site(&url("https://example.com/"));
    let ran = simple(&mut crawl, |_, _| Status(404));
    assert_eq!(ran.requested.len(), 8);
    assert_eq!(crawl.summary().completeness(), Completeness::Incomplete);
    // There is no server at this address.
    let mut crawl = Crawl::site(&url("https://example.com/"));
    let ran = simple(&mut crawl, |_, _| Down);
    assert_eq!(ran.requested, vec!["https://example.com/robots.txt"; 4]);
}

/// The places of a sitemap after redirects, and its content. S is the site, X another host.
fn lists(name: &str) -> (&str, &[&str]) {
    match name {
        "a" => ("X/a", &["X/1", "X/2", "s", "moved", "round"]),
        "X/a" => ("X/a", &[]),
        "b" => ("b", &["X/1", "X/2", "X/3", "t", "a"]),
        "c" => ("X/2", &["X/4", "X/6", "u"]),
        "X/2" => ("X/2", &["X/4", "X/6", "u"]),
        "d" => ("t", &["deep", "X/7"]),
        "t" => ("t", &["deep", "X/7"]),
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
        None => format!("https://s.example/{name}"),
    };
    let name = |url: &Url| match url.host_str() {
        Some("x.example") => format!("X{}", url.path()),
        _ => url.path()[1..].to_owned(),
    };
    let mut chance = Chance(26);
    for follows_itself in [false, true] {
        for _ in 0..400 {
            let mut crawl = CrawlBuilder::new()
                .max_depth(3)
                .retries(1)
                .site(&url("https://s.example/"));
            let (mut read, mut pages) = (BTreeSet::new(), BTreeSet::new());
            let mut at_work: Vec<Request> = Vec::new();
            loop {
                while at_work.len() < 4
                    && let Some(request) = crawl.next_request()
                {
                    at_work.push(request);
                }
                if at_work.is_empty() {
                    let Some(until) = crawl.waits_until() else {
                        break;
                    };
                    crawl.set_time(until);
                    continue;
                }
                let request = at_work.swap_remove(chance.below(at_work.len()));
                if request.kind == RequestKind::Robots {
                    let mut receiver = crawl.begin(request, Response::new(200));
                    receiver.push(b"Sitemap: /a\nSitemap: /b\nSitemap: /c\nSitemap: /d\n");
                    crawl.end(receiver);
                    continue;
                }
                let sitemap = name(&request.sitemap);
                let (location, listed) = lists(&sitemap);
                let response = match (location == name(&request.url), follows_itself) {
                    (true, _) if sitemap == "X/6" => Response::new(503),
                    (true, _) => Response::new(200),
                    (false, true) => Response::new(200).final_url(url(&full(location))),
                    (false, false) => Response::new(301).header("Location", full(location)),
                };
                let mut receiver = crawl.begin(request, response);
                if receiver.wants_more() {
                    read.insert(name(receiver.location()));
                }
                let location = receiver.location().to_string();
                receiver.push(&match listed {
                    [] if sitemap == "X/4" => b"<html>".to_vec(),
                    [] => urlset([format!("{location}.html")]),
                    listed => index(listed.iter().map(|name| full(name))),
                });
                receiver.finish();
                let mut found = Vec::new();
                take(&mut receiver, &mut found);
                pages.extend(found);
                crawl.end(receiver);
            }
            assert!(crawl.is_done());
            let read: Vec<String> = read.into_iter().collect();
            // X/1 and X/2 are listed by `a`, which redirects to X; X/4 and X/6 by X/2, to which `c` redirects. `d`
            // redirects to `t`, which makes `t` one of the first sitemaps, but not X one of its hosts.
            let expected = ["X/1", "X/2", "X/4", "X/a", "b", "deep", "deeper", "t", "u"];
            assert_eq!(read, expected);
            let pages: Vec<String> = pages.into_iter().collect();
            assert_eq!(pages, ["https://x.example/1.html"]);
            let mut failed: Vec<(String, Option<String>, String)> = failures(&crawl)
                .iter()
                .map(|(sitemap, failure)| {
                    let location = failure.location().map(|at| name(&url(at)));
                    (name(&url(sitemap)), location, failure.to_string())
                })
                .collect();
            failed.sort();
            let away = "a redirect to another host".to_owned();
            let html = "1:1: root element `html` is not that of a sitemap".to_owned();
            let expected = [
                ("X/4".to_owned(), None, html),
                ("X/6".to_owned(), None, "status 503".to_owned()),
                ("moved".to_owned(), Some("X/5".to_owned()), away.clone()),
                ("round".to_owned(), Some("X/1".to_owned()), away),
            ];
            assert_eq!(failed, expected);
            let summary = crawl.summary();
            let left_out: Vec<(Reason, u64, Vec<String>)> = summary
                .left_out
                .iter()
                .map(|left_out| (left_out.reason, left_out.count, left_out.examples.clone()))
                .collect();
            // `b` and `u` list X/3, `t` X/7; `b` lists X/1 and X/2, too, which are read, so they are no examples.
            let expected = [
                (Reason::OtherHost, 5, vec![full("X/3"), full("X/7")]),
                (Reason::TooDeep, 1, vec![full("deepest")]),
            ];
            assert_eq!(left_out, expected);
            assert_eq!((summary.pages, summary.skipped), (1, 0));
            assert_eq!(summary.completeness(), Completeness::Incomplete);
            // One that redirects to another one may be found to do so before that one is known.
            assert_eq!(summary.sitemaps - summary.duplicates, 12);
        }
    }
}

#[test]
fn redirects_have_bounds() {
    let long = |length: usize| format!("/{}", "x".repeat(length - "https://example.com/".len()));
    let listed = [
        "round", "file", "away", "fine", "0", "short", "long", "nowhere", "down",
    ];
    let mut crawl = Crawl::sitemap(&url("https://example.com/i"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/i" => Answer::Ok(index(
            listed.map(|name| format!("https://example.com/{name}")),
        )),
        "/round" => Redirect("/round".to_owned()),
        "/file" => Redirect("file:///etc/passwd".to_owned()),
        "/away" => Redirect("https://example.org/a".to_owned()),
        "/fine" => Redirect("deep/real".to_owned()),
        "/deep/real" => Answer::Ok(b"<urlset><url><loc>/page</loc>".to_vec()),
        "/10" => Answer::Ok(urlset(["https://example.com/ten"])),
        "/short" => Redirect(long(2_047)),
        "/long" => Redirect(long(2_048)),
        "/nowhere" => Redirect("https://".to_owned()),
        "/down" => Redirect("http://example.com/down".to_owned()),
        path if path.len() > 1_000 => Answer::Ok(urlset(["https://example.com/found"])),
        path => Redirect(format!("/{}", path[1..].parse::<u32>().unwrap() + 1)),
    });
    assert!(ran.pages.contains(&"https://example.com/ten".to_owned()));
    assert!(ran.pages.contains(&"https://example.com/found".to_owned()));
    let round = ran.requested.iter().filter(|url| url.ends_with("/round"));
    assert_eq!(round.count(), 11);
    let causes: BTreeMap<String, Cause> = failures(&crawl)
        .into_iter()
        .map(|(url, failure)| {
            (
                url["https://example.com/".len()..].to_owned(),
                failure.cause(),
            )
        })
        .collect();
    let expected = [
        ("away", Cause::Redirect(Refusal::OtherHost)),
        ("down", Cause::Redirect(Refusal::Downgrade)),
        ("file", Cause::Redirect(Refusal::OtherScheme)),
        ("fine", Cause::Unreadable),
        ("long", Cause::Redirect(Refusal::TooLong)),
        ("nowhere", Cause::Redirect(Refusal::Invalid)),
        ("round", Cause::Redirect(Refusal::TooMany)),
    ];
    assert_eq!(
        causes,
        expected
            .map(|(name, cause)| (name.to_owned(), cause))
            .into()
    );
    assert!(
        !ran.requested
            .iter()
            .any(|url| url.contains("example.org") || url.starts_with("http:"))
    );
    let fine = failures(&crawl).swap_remove(3).1;
    assert_eq!(fine.location(), Some("https://example.com/deep/real"));

    // A client that has followed the redirect has done what is not undone, but nothing of it is read.
    let mut crawl = Crawl::sitemap(&url("https://example.com/i"));
    let request = crawl.next_request().unwrap();
    let response = Response::new(200).final_url(url("http://example.com/i"));
    let mut receiver = crawl.begin(request, response);
    assert!(!receiver.wants_more());
    receiver.push(b"https://example.com/a\n");
    receiver.finish();
    assert!(receiver.next_entry().unwrap().is_none());
    let ended = crawl.end(receiver);
    assert_eq!(ended.state, State::Failed);
    assert_eq!(ended.failure, Some(failures(&crawl).swap_remove(0).1));
}

#[test]
fn a_site_without_end_is_read_to_its_bounds() {
    // Each index lists two new ones.
    let mut crawl = CrawlBuilder::new()
        .max_depth(6)
        .sitemap(&url("https://example.com/1"));
    let ran = simple(&mut crawl, |url, _| {
        let number: u64 = url.path()[1..].parse().unwrap();
        Answer::Ok(index(
            [2 * number, 2 * number + 1].map(|n| format!("https://example.com/{n}")),
        ))
    });
    assert_eq!(ran.requested.len(), 63);
    assert_eq!(reasons(&crawl), [(Reason::TooDeep, 64)]);
    assert_eq!(crawl.summary().completeness(), Completeness::Incomplete);

    // One index lists 100,000: it is read to its end, and all are counted.
    let mut crawl = CrawlBuilder::new()
        .max_sitemaps(100)
        .sitemap(&url("https://example.com/i"));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    let text = index((0..100_000).map(|n| format!("https://example.com/{n}")));
    assert_eq!(receiver.read(text.as_slice()).count(), 100_000);
    assert_eq!(
        crawl.end(receiver).state,
        State::Done(Completeness::Complete)
    );
    assert_eq!(crawl.sitemaps().len(), 100);
    assert_eq!(reasons(&crawl), [(Reason::TooMany, 100_000 - 99)]);
    assert!(crawl.summary().has_more_sitemaps);
    assert_eq!(crawl.summary().completeness(), Completeness::Incomplete);

    // Indexes that list each other, and themselves.
    let mut crawl = Crawl::sitemap(&url("https://example.com/0"));
    let ran = run(&mut crawl, 3, &mut Chance(3), |_, _| {
        Answer::Ok(index(
            (0..10).map(|n| format!("https://example.com/{n}#{n}")),
        ))
    });
    assert_eq!(ran.requested.len(), 10);
    assert_eq!(crawl.summary().completeness(), Completeness::Complete);
}

#[test]
fn a_bound_on_pages_ends_the_crawl() {
    let mut crawl = CrawlBuilder::new()
        .max_pages(25)
        .sitemap(&url("https://example.com/i"));
    let ran = run(&mut crawl, 2, &mut Chance(3), |url, _| match url.path() {
        "/i" => Answer::Ok(index((0..10).map(|n| format!("https://example.com/{n}")))),
        path => Answer::Ok(urlset(
            (0..10).map(|n| format!("https://example.com{path}/{n}")),
        )),
    });
    let summary = crawl.summary();
    assert_eq!((ran.pages.len(), summary.pages), (25, 25));
    assert!(summary.has_more_pages && ran.requested.len() < 11);
    assert_eq!(summary.completeness(), Completeness::Incomplete);
    // The number of sitemaps that exist.
    let mut crawl = CrawlBuilder::new()
        .max_pages(10)
        .sitemap(&url("https://example.com/i"));
    let ran = simple(&mut crawl, |_, _| {
        Answer::Ok(urlset((0..10).map(|n| format!("https://example.com/{n}"))))
    });
    assert_eq!(ran.pages.len(), 10);
    assert_eq!(crawl.summary().completeness(), Completeness::Complete);
}

#[test]
fn what_may_pass_is_asked_for_again() {
    let names = ["cut", "busy", "down", "never", "gone", "text"];
    let mut crawl = CrawlBuilder::new()
        .retries(2)
        .sitemap(&url("https://example.com/i"));
    let ran = run(&mut crawl, 4, &mut Chance(5), |url, before| {
        let path = url.path();
        let pages = urlset((0..100).map(|n| format!("https://example.com{path}/{n}")));
        match (path, before) {
            ("/i", _) => Answer::Ok(index(
                names.map(|name| format!("https://example.com/{name}")),
            )),
            ("/cut", 0 | 1) | ("/never", _) => Cut(pages),
            ("/busy", 0) => Status(503),
            ("/down", 0 | 1) => Down,
            ("/gone", _) => Status(410),
            ("/text", _) => Answer::Ok(b"<html>".to_vec()),
            _ => Answer::Ok(pages),
        }
    });
    for (name, requests) in [
        ("cut", 3),
        ("busy", 2),
        ("down", 3),
        ("never", 3),
        ("gone", 1),
        ("text", 1),
    ] {
        let end = format!("/{name}");
        let count = ran
            .requested
            .iter()
            .filter(|url| url.ends_with(&end))
            .count();
        assert_eq!(count, requests, "{name}");
    }
    for name in ["cut", "busy", "down"] {
        let begin = format!("https://example.com/{name}/");
        let pages = ran.pages.iter().filter(|page| page.starts_with(&begin));
        assert_eq!(pages.count(), 100, "{name}");
    }
    let failed: Vec<String> = failures(&crawl)
        .iter()
        .map(|(url, failure)| format!("{url}: {failure}"))
        .collect();
    assert_eq!(
        failed,
        [
            "https://example.com/never: connection reset",
            "https://example.com/gone: status 410",
            "https://example.com/text: 1:1: root element `html` is not that of a sitemap",
        ]
    );
    // Two waits of half a second and of a second at most.
    assert!(
        ran.waited > Duration::from_millis(400) && ran.waited < Duration::from_secs(4),
        "{:?}",
        ran.waited
    );
    // Pages of the last attempt of `never` are counted, those of repeated attempts are not.
    assert_eq!(crawl.summary().pages, ran.pages.len() as u64);
}

#[test]
fn retry_after_is_obeyed_for_the_host() {
    let epoch = SystemTime::UNIX_EPOCH;
    let mut crawl = CrawlBuilder::new()
        .any_host(true)
        .sitemap(&url("https://a.example/i"));
    let at = |seconds: u64| epoch + Duration::from_secs(seconds);
    crawl.set_time(at(100));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.push(&index([
        "https://a.example/1",
        "https://a.example/2",
        "https://b.example/3",
    ]));
    crawl.end(receiver);
    let first = crawl.next_request().unwrap();
    assert_eq!(first.url.path(), "/1");
    let receiver = crawl.begin(first, Response::new(429).header("Retry-After", "30"));
    assert!(!receiver.wants_more());
    let ended = crawl.end(receiver);
    assert_eq!(
        (ended.state, ended.retry_at),
        (State::Queued, Some(at(130)))
    );
    assert_eq!(ended.failure.unwrap().cause(), Cause::Status(429));
    let other = crawl.next_request().unwrap();
    assert_eq!(other.url.path(), "/3");
    assert!(crawl.next_request().is_none());
    assert_eq!(crawl.waits_until(), Some(at(130)));
    crawl.set_time(at(129));
    assert!(crawl.next_request().is_none());
    crawl.set_time(at(130));
    let mut again: Vec<Request> = std::iter::from_fn(|| crawl.next_request()).collect();
    assert_eq!(again.len(), 2);
    let busy = again.swap_remove(0);
    // An hour is too long.
    let receiver = crawl.begin(
        busy,
        Response::new(503).header("Retry-After", "Thu, 01 Jan 1970 01:10:00 GMT"),
    );
    let ended = crawl.end(receiver);
    assert_eq!((ended.state, ended.retry_at), (State::Failed, None));
    assert_eq!(ended.failure.unwrap().cause(), Cause::Status(503));
}

#[test]
fn requests_to_one_host_keep_their_distance() {
    let mut crawl = CrawlBuilder::new()
        .delay(Duration::from_secs(2))
        .sitemap(&url("https://example.com/i"));
    let ran = run(&mut crawl, 8, &mut Chance(5), |url, _| match url.path() {
        "/i" => Answer::Ok(index((0..10).map(|n| format!("https://example.com/{n}")))),
        _ => Answer::Ok(urlset(["https://example.com/a"])),
    });
    assert_eq!(
        (ran.requested.len(), ran.waited),
        (11, Duration::from_secs(20))
    );
}

#[test]
fn what_is_dropped_is_asked_for_again() {
    let mut crawl = CrawlBuilder::new()
        .retries(1)
        .sitemap(&url("https://example.com/a"));
    drop(crawl.next_request().unwrap());
    assert!(!crawl.is_done() && crawl.waits_until().is_some());
    assert!(crawl.next_request().is_none());
    crawl.set_time(crawl.waits_until().unwrap());
    let request = crawl.next_request().unwrap();
    assert_eq!(request.attempt, 2);
    // The state of another crawl.
    let mut other = Crawl::sitemap(&url("https://example.com/a"));
    let receiver = crawl.begin(request, Response::new(200));
    assert_eq!(other.end(receiver).state, State::Queued);
    assert!(crawl.next_request().is_none() && crawl.is_done());
    let failed = failures(&crawl);
    assert_eq!(failed[0].1.to_string(), "the request was dropped");
    let request = other.next_request().unwrap();
    let ended = crawl.fail(request, Failure::permanent("x"));
    assert_eq!((ended.state, ended.retry_at), (State::Queued, None));
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
    let mut crawl = builder.sitemap(&url("https://example.com/images.xml"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        // Sitemaps that the caller names are always read.
        "/images.xml" => Answer::Ok(text.as_bytes().to_vec()),
        _ => Answer::Ok(urlset(["https://example.com/1"])),
    });
    let paths: Vec<&str> = ran
        .requested
        .iter()
        .map(|url| &url["https://example.com".len()..])
        .collect();
    assert_eq!(paths, ["/images.xml", "/new.xml", "/any.xml"]);
    assert_eq!(reasons(&crawl), [(Reason::Rejected, 1)]);
}

#[test]
fn the_response_decides_how_a_sitemap_is_read() {
    let reader = ReaderBuilder::new().policy(Policy::LENIENT.deny(Rule::OutsideLocation));
    let mut crawl = CrawlBuilder::new()
        .reader(reader)
        .sitemap(&url("https://example.com/a/s"));
    let request = crawl.next_request().unwrap();
    let response = Response::new(200)
        .final_url(url("https://example.com/b/s"))
        .header("Content-Type", "text/plain; charset=windows-1251");
    let mut receiver = crawl.begin(request, response);
    receiver.push(b"https://example.com/b/\xEF\xF0\xE8\nhttps://example.com/a/1\n");
    receiver.finish();
    assert_eq!(
        receiver.next_entry().unwrap().unwrap().loc().as_str(),
        "https://example.com/b/%D0%BF%D1%80%D0%B8"
    );
    assert!(!receiver.next_entry().unwrap_err().is_fatal());
    assert_eq!(receiver.next_entry().unwrap(), None);
    assert_eq!(receiver.sitemap().path(), "/a/s");
    assert_eq!(receiver.location().path(), "/b/s");
    // An entry that was returned as an error is missing.
    assert_eq!(
        crawl.end(receiver).state,
        State::Done(Completeness::Incomplete)
    );
    assert_eq!(
        crawl.sitemaps().next().unwrap().location().unwrap().path(),
        "/b/s"
    );

    // The protocol: what robots.txt lists may list all pages of the site, in any directory, from any host.
    let reader = ReaderBuilder::new().policy(Policy::STRICT);
    let mut crawl = CrawlBuilder::new()
        .reader(reader)
        .site(&url("https://example.com/"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: https://cdn.example/deep/s.xml".to_vec()),
        _ => Answer::Ok(urlset(["https://example.com/1"])),
    });
    assert_eq!(ran.pages.len(), 1);
}

#[test]
fn bytes_have_a_bound() {
    let mut crawl = CrawlBuilder::new()
        .max_bytes(1_000)
        .sitemap(&url("https://example.com/a"));
    let ran = simple(&mut crawl, |_, _| {
        Answer::Ok(urlset((0..100).map(|n| format!("https://example.com/{n}"))))
    });
    assert!(ran.pages.len() > 10 && ran.pages.len() < 30);
    assert_eq!(
        failures(&crawl)[0].1.to_string(),
        "the response has more than 1000 bytes"
    );
    assert_eq!(crawl.summary().bytes, 1_000);
}

/// Four indexes with 120 locs each, some of them of 1.9 MB, which gzip makes small. (All of them are in a test of the
/// program.)
#[test]
fn long_urls_are_counted_and_not_kept() {
    let mut crawl = Crawl::site(&url("https://example.com/"));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.push(b"Sitemap: /a\nSitemap: /b\nSitemap: /c\nSitemap: /d");
    crawl.end(receiver);
    let longest = format!("https://example.com/{}", "y".repeat(2_027));
    assert_eq!(longest.len(), 2_047);
    for name in ["a", "b", "c", "d"] {
        let request = crawl.next_request().unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        let info = allocation_counter::measure(|| {
            receiver.push(b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
            for at in 0..120 {
                let length = if at % 40 == 0 { 1_900_000 } else { 3_000 };
                let loc = format!("https://example.com/{name}{at}{}", "x".repeat(length));
                receiver.push(format!("<sitemap><loc>{loc}</loc></sitemap>").as_bytes());
                while receiver.next_entry().unwrap().is_some() {}
            }
            receiver
                .push(format!("<sitemap><loc>{longest}</loc></sitemap></sitemapindex>").as_bytes());
            receiver.finish();
            while receiver.next_entry().unwrap().is_some() {}
        });
        assert!(info.bytes_max < 16 << 20, "{}", info.bytes_max);
        crawl.end(receiver);
    }
    assert_eq!(reasons(&crawl), [(Reason::UrlTooLong, 480)]);
    let summary = crawl.summary();
    assert_eq!(summary.left_out[0].examples.len(), 5);
    assert!(
        summary.left_out[0]
            .examples
            .iter()
            .all(|url| url.chars().count() == 201)
    );
    assert_eq!(crawl.sitemaps().len(), 5);
}

/// A robots.txt, too, can list them, and more than is read of it.
#[test]
fn robots_txt_has_bounds() {
    let long = "x".repeat(5_000);
    let mut robots = format!("Sitemap: /{long}\n");
    while robots.len() < 600 << 10 {
        writeln!(robots, "Sitemap: /{}", robots.len()).unwrap();
    }
    let mut crawl = CrawlBuilder::new()
        .max_sitemaps(100)
        .site(&url("https://example.com/"));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    for piece in robots.as_bytes().chunks(10_000) {
        receiver.push(piece);
    }
    assert!(!receiver.wants_more());
    crawl.end(receiver);
    assert_eq!(crawl.sitemaps().len(), 100);
    let reasons = reasons(&crawl);
    assert_eq!(reasons[0], (Reason::UrlTooLong, 1));
    assert!(reasons[1].0 == Reason::TooMany && reasons[1].1 > 10_000);
}

#[test]
fn a_sitemap_takes_150_bytes_and_a_page_none() {
    const SITEMAPS: usize = 40_000;
    let name = |at: usize| format!("https://example.com/{at:05}");
    let text = index((0..SITEMAPS).map(name));
    let mut crawl = CrawlBuilder::new()
        .max_sitemaps(SITEMAPS + 1)
        .sitemap(&url("https://example.com/i"));
    let before = allocation_counter::measure(|| {
        let request = crawl.next_request().unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        for piece in text.chunks(64 << 10) {
            receiver.push(piece);
            while receiver.next_entry().unwrap().is_some() {}
        }
        crawl.end(receiver);
    });
    let each = before.bytes_current / SITEMAPS as i64 - name(0).len() as i64;
    assert!((1..=150).contains(&each), "{each} bytes each");

    let pages = urlset((0..1_000).map(|n| format!("https://example.com/{n}")));
    let read = |crawl: &mut Crawl, count: usize| {
        allocation_counter::measure(|| {
            for _ in 0..count {
                let request = crawl.next_request().unwrap();
                let mut receiver = crawl.begin(request, Response::new(200));
                receiver.push(&pages);
                receiver.finish();
                while receiver.next_entry().unwrap().is_some() {}
                crawl.end(receiver);
            }
        })
    };
    let first = read(&mut crawl, 10);
    let second = read(&mut crawl, 100);
    assert_eq!((first.bytes_current, second.bytes_current), (0, 0));
    assert!(second.bytes_max < 1 << 20, "{}", second.bytes_max);
}

#[test]
fn entries_that_could_not_be_stored_come_again() {
    let mut crawl = CrawlBuilder::new()
        .max_pages(2)
        .sitemap(&url("https://example.com/a"));
    let pages = |_: &Url, _: usize| {
        Answer::Ok(urlset([
            "https://example.com/1".to_owned(),
            "https://example.com/2".to_owned(),
        ]))
    };
    simple(&mut crawl, pages);
    assert!(crawl.is_done());
    crawl.requeue(0);
    assert_eq!((crawl.is_done(), crawl.summary().pages), (false, 0));
    let ran = simple(&mut crawl, pages);
    assert_eq!((ran.pages.len(), crawl.summary().pages), (2, 2));
    crawl.requeue(7);
    assert!(crawl.is_done());
}

/// A crawl that has stopped at its maximum goes on when pages are given back.
#[test]
fn entries_come_again_after_the_maximum() {
    let mut crawl = CrawlBuilder::new()
        .max_pages(1)
        .sitemap(&url("https://example.com/a"));
    let pages =
        |_: &Url, _: usize| Answer::Ok(urlset(["https://example.com/1", "https://example.com/2"]));
    simple(&mut crawl, pages);
    assert!(crawl.is_done() && crawl.summary().has_more_pages);
    crawl.requeue(0);
    let summary = crawl.summary();
    assert_eq!(
        (crawl.is_done(), summary.pages, summary.has_more_pages),
        (false, 0, false)
    );
    let ran = simple(&mut crawl, pages);
    assert_eq!((ran.pages.len(), crawl.summary().pages), (1, 1));
    assert!(crawl.is_done() && crawl.summary().has_more_pages);
}

/// Only http and https are requested, also where a crawl begins.
#[test]
fn a_start_of_another_scheme_is_left_out() {
    for start in [
        "ftp://example.com/sitemap.xml",
        "file:///sitemap.xml",
        "data:,x",
    ] {
        let start = url(start);
        for mut crawl in [Crawl::sitemap(&start), Crawl::site(&start)] {
            assert!(crawl.next_request().is_none() && crawl.is_done(), "{start}");
            let summary = crawl.summary();
            let [left_out] = &summary.left_out[..] else {
                panic!("{summary:?}");
            };
            assert_eq!((left_out.reason, left_out.count), (Reason::OtherScheme, 1));
            assert_eq!(summary.completeness(), Completeness::Incomplete);
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
    use quick_sitemap_crawl::Saved;

    use super::*;

    fn stored(crawl: &Crawl) -> Saved {
        let text = serde_json::to_string(&crawl.save()).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn answer(url: &Url) -> Vec<u8> {
        match url.path() {
            "/robots.txt" => b"Sitemap: /i\nSitemap: https://cdn.example/x".to_vec(),
            "/i" => index((0..20).map(|n| format!("https://example.com/{n}"))),
            path => urlset((0..5).map(|n| format!("https://example.com{path}/{n}"))),
        }
    }

    /// After each request, the crawl is stored and goes on as another one; some requests are at work meanwhile.
    #[test]
    fn a_crawl_that_is_stored_at_any_moment_reads_everything_once() {
        let mut chance = Chance(4);
        for _ in 0..50 {
            let mut crawl = Crawl::site(&url("https://example.com/"));
            let mut read = Vec::new();
            loop {
                let mut at_work: Vec<Request> =
                    (0..3).map_while(|_| crawl.next_request()).collect();
                if at_work.is_empty() {
                    break;
                }
                let request = at_work.swap_remove(chance.below(at_work.len()));
                let asked = request.url.clone();
                let mut receiver = crawl.begin(request, Response::new(200));
                receiver.push(&answer(&asked));
                crawl.end(receiver);
                read.push(asked.to_string());
                crawl = Crawl::resume(stored(&crawl));
            }
            assert!(crawl.is_done());
            let count = read.len();
            read.sort_unstable();
            read.dedup();
            // robots.txt may be read again until a sitemap has been.
            assert!(read.len() == 23 && count <= 24, "{count}");
            let summary = crawl.summary();
            assert_eq!((summary.pages, summary.done), (105, 22));
            assert_eq!(summary.completeness(), Completeness::Complete);
        }
    }

    #[test]
    fn what_failed_or_was_left_out_is_tried_again() {
        let site = url("https://example.com/i");
        let mut crawl = CrawlBuilder::new().retries(0).max_depth(1).sitemap(&site);
        simple(&mut crawl, |url, _| Answer::Ok(answer(url)));
        assert_eq!(reasons(&crawl), [(Reason::TooDeep, 20)]);
        let mut crawl = CrawlBuilder::new().retries(0).resume(stored(&crawl));
        let ran = simple(&mut crawl, |url, _| match url.path() {
            "/7" => Status(500),
            "/8" => Cut(answer(url)),
            _ => Answer::Ok(answer(url)),
        });
        // Some pages of the sitemap that is cut have come. They are counted again when it is read again.
        assert_eq!((ran.requested.len(), ran.pages.len()), (21, 91));
        let mut crawl = Crawl::resume(stored(&crawl));
        let ran = simple(&mut crawl, |url, _| Answer::Ok(answer(url)));
        assert_eq!(
            ran.requested,
            ["https://example.com/7", "https://example.com/8"]
        );
        assert_eq!(crawl.summary().pages, 100);
        assert_eq!(crawl.summary().completeness(), Completeness::Complete);
        // Nothing is left.
        assert!(Crawl::resume(stored(&crawl)).is_done());
    }

    #[test]
    fn what_is_stored_names_no_password_and_has_a_version() {
        let crawl = Crawl::site(&url("https://me:secret@example.com/"));
        let text = serde_json::to_string(&crawl.save()).unwrap();
        assert!(!text.contains("secret") && !text.contains("me@"));
        assert_eq!(crawl.save().start().as_str(), "https://example.com/");
        let other = text.replace("\"version\":1", "\"version\":7");
        let error = serde_json::from_str::<Saved>(&other).unwrap_err();
        assert!(error.to_string().contains("version 7"), "{error}");
    }
}

/// An index is listed again, less deep, while its body is read. Its children are then less deep too.
#[test]
fn an_index_that_is_found_less_deep_while_it_is_read_is_read_again() {
    let lists = |name: &str| match name {
        "start" => index(["https://e.com/a", "https://e.com/b"]),
        "a" => index(["https://e.com/x"]),
        "x" | "b" => index(["https://e.com/d"]),
        "d" => index(["https://e.com/last"]),
        _ => urlset(["https://e.com/1"]),
    };
    let mut crawl = CrawlBuilder::new()
        .max_depth(4)
        .sitemap(&url("https://e.com/start"));
    let mut waiting: Vec<Request> = Vec::new();
    let mut read = Vec::new();
    let mut half_read = None;
    loop {
        waiting.extend(std::iter::from_fn(|| crawl.next_request()));
        // `b` answers when the body of `d` has come, but not its end.
        let answers = |request: &Request| request.url.path() != "/b" || half_read.is_some();
        let Some(next) = waiting.iter().position(answers) else {
            break;
        };
        let request = waiting.swap_remove(next);
        let name = request.url.path()[1..].to_owned();
        let mut receiver = crawl.begin(request, Response::new(200));
        receiver.push(&lists(&name));
        let is_first = !read.contains(&name);
        read.push(name);
        if is_first && read.ends_with(&["d".to_owned()]) {
            half_read = Some(receiver);
            continue;
        }
        crawl.end(receiver);
        if let Some(receiver) = half_read.take() {
            crawl.end(receiver);
        }
    }
    assert_eq!(read, ["start", "a", "x", "d", "b", "d", "last"]);
    assert_eq!(crawl.summary().left_out.len(), 0);
}

#[test]
fn a_redirect_to_a_known_sitemap_is_not_requested_again() {
    let answer = |url: &Url, _: usize| match url.path() {
        "/index.xml" => Answer::Ok(index(
            ["early", "a", "old", "older", "b", "c"].map(|name| format!("https://e.com/{name}")),
        )),
        "/early" | "/old" => Redirect("/a".to_owned()),
        "/older" => Redirect("/old".to_owned()),
        // These two lead to each other.
        "/b" => Redirect("/c".to_owned()),
        "/c" => Redirect("/b".to_owned()),
        _ => Answer::Ok(urlset(["https://e.com/1"])),
    };
    let mut crawl = Crawl::sitemap(&url("https://e.com/index.xml"));
    let ran = simple(&mut crawl, answer);
    assert_eq!(ran.pages, ["https://e.com/1"]);
    let count = |path: &str| {
        let paths = ran.requested.iter();
        paths.filter(|url| url.ends_with(path)).count()
    };
    // The target of the first one is not known to be a sitemap yet.
    assert_eq!((count("/a"), count("/old"), count("/older")), (2, 1, 1));
    let states: Vec<_> = crawl
        .sitemaps()
        .filter(|sitemap| sitemap.state() == State::Duplicate)
        .map(|sitemap| {
            sitemap
                .url()
                .trim_start_matches("https://e.com/")
                .to_owned()
        })
        .collect();
    assert_eq!(states, ["early", "old", "older", "c"]);
    let failed = failures(&crawl);
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].0, "https://e.com/b");
    assert_eq!(failed[0].1.cause(), Cause::Redirect(Refusal::TooMany));

    // For each order of the responses.
    for seed in 0..800 {
        let mut crawl = Crawl::sitemap(&url("https://e.com/index.xml"));
        let ran = run(&mut crawl, 4, &mut Chance(seed), answer);
        assert_eq!(ran.pages, ["https://e.com/1"]);
        assert_eq!(failures(&crawl), failed);
        assert_eq!(crawl.summary().duplicates, 4);
    }
}

#[test]
fn entries_of_another_reader_count_as_those_of_the_receiver() {
    let body = |url: &Url| match url.path() {
        "/index.xml" => index([
            "https://e.com/a.xml",
            "https://e.com/b.xml",
            "https://other.com/",
        ]),
        "/a.xml" => urlset(["https://e.com/1", "https://e.com/2", "no URL"]),
        _ => b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>".to_vec(),
    };
    let mut summaries = Vec::new();
    for (is_pushed, max_pages) in [(true, 10), (false, 10), (true, 1), (false, 1)] {
        let builder = CrawlBuilder::new().max_pages(max_pages);
        let mut crawl = builder.sitemap(&url("https://e.com/index.xml"));
        let mut outcomes = Vec::new();
        while let Some(request) = crawl.next_request() {
            let body = body(&request.url);
            let mut receiver = crawl.begin(request, Response::new(200));
            assert!(!receiver.is_repeated());
            if is_pushed {
                receiver.push(&body);
                receiver.finish();
                take(&mut receiver, &mut Vec::new());
            } else {
                let mut reader = ReaderBuilder::new().build(body.as_slice());
                loop {
                    match reader.next() {
                        Some(Ok(entry)) if receiver.add(&entry) => {}
                        Some(Err(error)) => receiver.finish_with(Err(&error)),
                        _ => break,
                    }
                }
                if receiver.wants_more() {
                    receiver.finish_with(Ok(reader.summary()));
                }
                assert!(!receiver.wants_more());
            }
            outcomes.push(crawl.end(receiver));
        }
        let mut summary = crawl.summary();
        // Bytes are those that were pushed.
        assert_eq!(summary.bytes > 0, is_pushed);
        summary.bytes = 0;
        summaries.push((outcomes, summary, reasons(&crawl)));
    }
    assert_eq!(summaries[0], summaries[1]);
    assert_eq!(summaries[2], summaries[3]);
    let (_, whole, left_out) = &summaries[0];
    assert_eq!(
        (whole.done, whole.failed, whole.pages, whole.skipped),
        (2, 1, 2, 1)
    );
    assert_eq!(left_out, &[(Reason::OtherHost, 1)]);
    assert!(summaries[2].1.has_more_pages);
}

/// A crawl of `i`, which lists these, at second 100.
fn crawl_of(builder: CrawlBuilder, listed: &[&str]) -> Crawl {
    let mut crawl = builder.sitemap(&url("https://a.example/i"));
    crawl.set_time(at(100));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.push(&index(listed));
    crawl.end(receiver);
    crawl
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn requested(crawl: &mut Crawl) -> Vec<Request> {
    std::iter::from_fn(|| crawl.next_request()).collect()
}

/// The headers of a condition.
fn known() -> Validators {
    Validators {
        etag: Some("\"7\"".to_owned()),
        last_modified: Some(at(784_111_777)),
    }
}

#[test]
fn an_unchanged_sitemap_needs_no_body_however_it_is_received() {
    let crawl = || {
        let crawl = CrawlBuilder::new()
            .validators(|url| Some(known()).filter(|_| url.path() == "/a"))
            .sitemap(&url("https://example.com/a"));
        let mut crawl = crawl;
        let request = crawl.next_request().unwrap();
        assert_eq!(request.if_none_match(), Some("\"7\""));
        assert_eq!(
            request.if_modified_since().as_deref(),
            Some("Sun, 06 Nov 1994 08:49:37 GMT")
        );
        let receiver = crawl.begin(request, Response::new(304).header("ETag", "\"8\""));
        (crawl, receiver)
    };
    type Drive = fn(&mut Receiver);
    let ways: [Drive; 6] = [
        |_| {},
        |receiver| receiver.finish(),
        |receiver| {
            while receiver.wants_more() {
                receiver.finish();
                assert_eq!(receiver.entries().count(), 0);
            }
        },
        |receiver| {
            receiver.push(b"");
            assert_eq!(receiver.next_entry().unwrap(), None);
            receiver.finish();
            assert_eq!(receiver.next_entry().unwrap(), None);
        },
        |receiver| assert_eq!(receiver.read(&b""[..]).count(), 0),
        |receiver| {
            receiver.finish();
            receiver.finish();
            assert!(!receiver.wants_more());
        },
    ];
    for drive in ways {
        let (mut crawl, mut receiver) = crawl();
        drive(&mut receiver);
        let ended = crawl.end(receiver);
        assert_eq!((ended.state, &ended.failure), (State::Unchanged, &None));
        // The validators of the response; without them, those of the request.
        assert_eq!(ended.validators.unwrap().etag.as_deref(), Some("\"8\""));
        assert_eq!(crawl.sitemaps().next().unwrap().state(), State::Unchanged);
        let summary = crawl.summary();
        assert_eq!((summary.unchanged, summary.failed), (1, 0));
        assert_eq!(summary.completeness(), Completeness::Unknown);
    }
    // From the caller's own store.
    let (mut with, mut receiver) = crawl();
    receiver.push(&urlset(["https://example.com/1"]));
    let ended = with.end(receiver);
    assert_eq!(ended.state, State::Done(Completeness::Complete));
    assert_eq!(with.summary().pages, 1);
}

#[test]
fn a_304_without_a_condition_is_a_failure() {
    let mut crawl = Crawl::site(&url("https://example.com/"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Status(304),
        _ => Status(404),
    });
    let failure = crawl.summary().robots_failure.unwrap();
    assert_eq!(failure.cause(), Cause::Status(304));
    assert!(failure.to_string().contains("without a condition"));
    assert_eq!(ran.requested[0], "https://example.com/robots.txt");
    let mut crawl = Crawl::sitemap(&url("https://example.com/a"));
    simple(&mut crawl, |_, _| Status(304));
    assert_eq!(failures(&crawl)[0].1.cause(), Cause::Status(304));
}

#[test]
fn a_condition_is_that_of_the_url_which_is_requested() {
    let mut crawl = CrawlBuilder::new()
        .validators(|url| Some(known()).filter(|_| url.path() == "/a"))
        .sitemap(&url("https://example.com/a"));
    let request = crawl.next_request().unwrap();
    assert!(request.if_none_match().is_some());
    let receiver = crawl.begin(
        request,
        Response::new(302).header("Location", "/never-fetched"),
    );
    crawl.end(receiver);
    let request = crawl.next_request().unwrap();
    assert_eq!(request.url.path(), "/never-fetched");
    assert_eq!(
        (request.if_none_match(), request.if_modified_since()),
        (None, None)
    );
    let response = Response::new(200)
        .header("ETag", "W/\"1\"")
        .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    let mut receiver = crawl.begin(request, response);
    assert_eq!(receiver.read(&b"https://example.com/1\n"[..]).count(), 1);
    let kept = crawl.end(receiver).validators.unwrap();
    assert_eq!(kept.etag.as_deref(), Some("W/\"1\""));
    assert_eq!(kept.last_modified, Some(at(784_111_777)));
}

#[test]
fn too_long_a_retry_after_ends_what_is_left_of_the_host() {
    let mut listed: Vec<String> = (0..100).map(|n| format!("https://a.example/{n}")).collect();
    listed.push("https://b.example/x".to_owned());
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let mut crawl = crawl_of(CrawlBuilder::new().any_host(true), &listed);
    let mut asked = BTreeMap::<String, usize>::new();
    while let Some(request) = crawl.next_request() {
        let host = request.url.host_str().unwrap().to_owned();
        let response = match host.as_str() {
            "a.example" => Response::new(429).header("Retry-After", "3600"),
            _ => Response::new(404),
        };
        *asked.entry(host).or_default() += 1;
        let receiver = crawl.begin(request, response);
        crawl.end(receiver);
    }
    assert!(crawl.is_done() && crawl.waits_until().is_none());
    assert_eq!(asked.into_values().collect::<Vec<_>>(), [1, 1]);
    let failed = failures(&crawl);
    let busy = failed.iter().filter(|(_, failure)| {
        failure.retry_after() == Some(Duration::from_secs(3_600))
            && failure.to_string() == "status 429, retry after 3600 s"
    });
    assert_eq!((failed.len(), busy.count()), (101, 100));
}

#[test]
fn the_last_attempt_pauses_its_host_too() {
    let builder = CrawlBuilder::new().retries(1);
    let mut crawl = crawl_of(builder, &["https://a.example/1", "https://a.example/2"]);
    let mut times = Vec::new();
    let mut now = at(100);
    while !crawl.is_done() {
        crawl.set_time(now);
        while let Some(request) = crawl.next_request() {
            times.push((request.url.path().to_owned(), now));
            let receiver = crawl.begin(request, Response::new(503).header("Retry-After", "30"));
            crawl.end(receiver);
        }
        now = crawl.waits_until().unwrap_or(now);
    }
    let expected = [("/1", 100), ("/1", 130), ("/2", 160), ("/2", 190)];
    assert_eq!(
        times,
        expected.map(|(path, time)| (path.to_owned(), at(time)))
    );
}

#[test]
fn a_busy_robots_txt_is_no_permission_to_guess() {
    for (status, header, requests) in [
        (503, None, 2),
        (503, Some("7"), 2),
        (429, Some("3600"), 1),
        (500, None, 9),
    ] {
        let mut crawl = CrawlBuilder::new()
            .retries(1)
            .site(&url("https://example.com/"));
        let (mut asked, mut now) = (0, at(100));
        while !crawl.is_done() {
            crawl.set_time(now);
            while let Some(request) = crawl.next_request() {
                asked += 1;
                let mut response = Response::new(404);
                if request.kind == RequestKind::Robots {
                    response.status = status;
                    response.retry_after = header.map(str::to_owned);
                }
                let receiver = crawl.begin(request, response);
                crawl.end(receiver);
            }
            now = crawl.waits_until().unwrap_or(now);
        }
        assert_eq!(asked, requests, "{status} {header:?}");
        assert!(crawl.summary().robots_failure.is_some());
    }
}

#[test]
fn a_retry_after_without_end_is_the_latest_time() {
    let builder = CrawlBuilder::new().max_retry_after(Duration::MAX);
    let mut crawl = crawl_of(builder, &["https://a.example/1"]);
    let request = crawl.next_request().unwrap();
    let forever = u64::MAX.to_string();
    let receiver = crawl.begin(request, Response::new(503).header("Retry-After", forever));
    let again = crawl.end(receiver).retry_at.unwrap();
    assert!(again > at(200_000_000_000));
    assert!(crawl.next_request().is_none() && !crawl.is_done());
    assert_eq!(crawl.waits_until(), Some(again));
    crawl.set_time(again);
    assert_eq!(crawl.next_request().unwrap().attempt, 2);
}

#[test]
fn a_retry_goes_before_what_has_never_been_asked_for() {
    let listed: Vec<String> = (0..50).map(|n| format!("https://a.example/{n}")).collect();
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let builder = CrawlBuilder::new().delay(Duration::from_secs(1));
    let mut crawl = crawl_of(builder, &listed);
    crawl.set_time(at(101));
    let first = crawl.next_request().unwrap();
    assert!(crawl.next_request().is_none());
    crawl.fail(first, Failure::connection("reset"));
    crawl.set_time(at(102));
    let again = crawl.next_request().unwrap();
    assert_eq!((again.url.path(), again.attempt), ("/0", 2));
}

#[test]
fn a_junk_index_does_not_starve_the_others() {
    let mut crawl = CrawlBuilder::new()
        .max_sitemaps(1_000)
        .site(&url("https://example.com/"));
    let ran = simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: /junk\nSitemap: /real".to_vec()),
        "/junk" => Answer::Ok(index(
            (0..20_000).map(|n| format!("https://example.com/junk/{n}")),
        )),
        "/real" => Answer::Ok(index(
            (0..3).map(|n| format!("https://example.com/real/{n}")),
        )),
        _ => Answer::Ok(b"https://example.com/1\n".to_vec()),
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
    let builder = CrawlBuilder::new().max_children(2);
    let mut crawl = crawl_of(
        builder,
        &[
            "https://a.example/1",
            "https://a.example/2",
            "https://a.example/3",
        ],
    );
    assert_eq!(requested(&mut crawl).len(), 2);
    assert_eq!(reasons(&crawl), [(Reason::TooMany, 1)]);
}

#[test]
fn a_crawl_can_have_several_starts_and_a_delay_that_is_known_later() {
    let starts = [
        "https://a.example/1",
        "https://b.example/2",
        "https://b.example/3",
    ]
    .map(url);
    let mut crawl = CrawlBuilder::new().sitemaps(starts);
    crawl.set_time(at(100));
    crawl.set_delay("B.example", Duration::from_secs(9));
    let requests = requested(&mut crawl);
    let paths: Vec<&str> = requests.iter().map(|request| request.url.path()).collect();
    assert_eq!(paths, ["/1", "/2"]);
    assert_eq!(crawl.waits_until(), Some(at(109)));
    assert!(crawl.trusts(&url("https://b.example/")));
    assert!(CrawlBuilder::new().sitemaps([]).is_done());
}

#[test]
fn errors_say_whether_another_request_may_help() {
    use std::io::ErrorKind;
    let of = |error: io::Error| {
        let failure = Failure::from_error(&error);
        let mut decoder = quick_sitemap::Decoder::new();
        decoder.fail(error);
        let error = decoder.next_entry().unwrap_err();
        assert_eq!(error.is_transient(), failure.is_transient());
        error.is_transient()
    };
    for kind in [
        ErrorKind::ConnectionReset,
        ErrorKind::ConnectionRefused,
        ErrorKind::TimedOut,
        ErrorKind::UnexpectedEof,
    ] {
        assert!(of(kind.into()), "{kind}");
    }
    assert!(!of(io::Error::other("unknown host")));
    assert!(!of(ErrorKind::InvalidData.into()));
    for text in ["<html>", "{}", "<urlset><url>", "\x1F\u{8B}"] {
        let errors = quick_sitemap::Reader::from_bytes(text).filter_map(Result::err);
        assert!(
            errors.last().is_none_or(|error| !error.is_transient()),
            "{text}"
        );
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
    assert_eq!(
        failure.to_string(),
        "error sending request: connection refused"
    );
    assert!(failure.is_transient());
    let unknown = io::Error::other("no such host");
    let mut crawl = Crawl::sitemap(&url("https://example.com/a"));
    let request = crawl.next_request().unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    receiver.fail(io::Error::other(Wrapped(unknown)));
    let failure = crawl.end(receiver).failure.unwrap();
    assert_eq!(failure.to_string(), "error sending request: no such host");
    assert_eq!(failure.cause(), Cause::Permanent);
}

#[cfg(feature = "serde")]
#[test]
fn a_pause_is_kept_when_a_crawl_is_resumed() {
    use quick_sitemap_crawl::Saved;
    let mut crawl = crawl_of(CrawlBuilder::new(), &["https://a.example/1"]);
    let request = crawl.next_request().unwrap();
    let receiver = crawl.begin(request, Response::new(429).header("Retry-After", "50"));
    crawl.end(receiver);
    let text = serde_json::to_string(&crawl.save()).unwrap();
    let saved: Saved = serde_json::from_str(&text).unwrap();
    let mut crawl = Crawl::resume(saved);
    crawl.set_time(at(101));
    assert!(crawl.next_request().is_none() && !crawl.is_done());
    assert_eq!(crawl.waits_until(), Some(at(150)));
    crawl.set_time(at(150));
    assert_eq!(crawl.next_request().unwrap().url.path(), "/1");
}

#[cfg(feature = "serde")]
#[test]
fn a_saved_crawl_that_found_nothing_keeps_its_start() {
    let start = url("https://example.com/shop");
    let mut saved = Crawl::site(&start).save();
    for _ in 0..3 {
        let mut crawl = CrawlBuilder::new().retries(0).resume(saved);
        let ran = simple(&mut crawl, |_, _| Down);
        assert_eq!(ran.requested, ["https://example.com/robots.txt"]);
        saved = crawl.save();
        assert_eq!(saved.start(), &start);
    }
    let ran = simple(&mut Crawl::resume(saved), |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: /a".to_vec()),
        _ => Answer::Ok(urlset(["https://example.com/1"])),
    });
    assert_eq!(ran.pages, ["https://example.com/1"]);
}

/// A file with the saved crawl changes only if the crawl does.
#[cfg(feature = "serde")]
#[test]
fn the_same_crawl_is_saved_as_the_same_text() {
    let saved = || {
        let hosts = (0..20).map(|host| format!("host{host}.example"));
        let builder = hosts.fold(CrawlBuilder::new(), CrawlBuilder::allow_host);
        let crawl = crawl_of(builder, &["https://a.example/1"]);
        serde_json::to_string(&crawl.save()).unwrap()
    };
    assert_eq!(saved(), saved());
}

#[cfg(feature = "serde")]
#[test]
fn a_saved_crawl_that_no_crawl_has_saved_is_refused() {
    let listed = ["https://a.example/1", "https://a.example/2"];
    let mut crawl = crawl_of(CrawlBuilder::new(), &listed);
    crawl.next_request().unwrap();
    let value = serde_json::to_value(crawl.save()).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = value.clone();
        change(&mut value);
        let saved = serde_json::from_value::<quick_sitemap_crawl::Saved>(value);
        saved.unwrap_err().to_string()
    };
    let long = format!("https://a.example/{}", "x".repeat(2_047));
    for url in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://me:x@a.example/y",
        "https://a.example/y#z",
        "HTTPS://a.example/y",
        &long,
    ] {
        let shown = match url.get(..200) {
            Some(begin) => format!("{begin}…"),
            None => url.to_owned(),
        };
        let expected = format!("{shown:?} is not the URL of a sitemap in normal form");
        assert_eq!(
            refused(&|value| value["sitemaps"][1]["url"] = url.into()),
            expected
        );
        assert_eq!(refused(&|value| value["robots"] = url.into()), expected);
        let location = serde_json::json!({"location": url});
        assert_eq!(
            refused(&|value| value["sitemaps"][1]["rare"] = location.clone()),
            expected
        );
    }
    assert!(
        refused(&|value| value["sitemaps"][1]["url"] = "http://".into()).contains("empty host")
    );
    assert_eq!(
        refused(&|value| value["sitemaps"][1]["parent"] = 4.into()),
        "the index that lists \"https://a.example/1\" is missing"
    );
}

/// The bounds of the crawl that resumes apply to what waits, and so do the rules of hosts.
#[cfg(feature = "serde")]
#[test]
fn a_saved_crawl_requests_nothing_that_it_would_not_queue() {
    let saved = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut crawl = CrawlBuilder::new().site(&url("https://a.example/"));
        for body in [
            &b"Sitemap: /i\nSitemap: https://b.example/j"[..],
            &index(["https://a.example/1", "https://a.example/2"]),
        ] {
            let request = crawl.next_request().unwrap();
            let mut receiver = crawl.begin(request, Response::new(200));
            receiver.push(body);
            crawl.end(receiver);
        }
        let mut value = serde_json::to_value(crawl.save()).unwrap();
        change(&mut value);
        serde_json::from_value::<quick_sitemap_crawl::Saved>(value).unwrap()
    };
    let add = |parent: usize, depth: usize, url: &'static str| {
        move |value: &mut serde_json::Value| {
            let added = serde_json::json!({"url": url, "parent": parent, "depth": depth, "state": "queued"});
            value["sitemaps"].as_array_mut().unwrap().push(added);
        }
    };
    let all = [
        "https://b.example/j",
        "https://a.example/1",
        "https://a.example/2",
    ];
    let asked = |builder: CrawlBuilder, change: &dyn Fn(&mut serde_json::Value)| {
        let mut crawl = builder.resume(saved(change));
        let asked = requested(&mut crawl)
            .into_iter()
            .map(|request| request.url.to_string());
        let asked: Vec<_> = asked.filter(|url| !all.contains(&url.as_str())).collect();
        let why = failures(&crawl)
            .into_iter()
            .map(|(_, failure)| failure.to_string());
        (asked, why.collect::<Vec<_>>())
    };
    let (new, none) = (CrawlBuilder::new, Vec::<String>::new());
    assert_eq!(asked(new(), &|_| ()), (none.clone(), vec![]));
    let other = "left out: on another host".to_owned();
    for (parent, depth) in [(0, 1), (1, 2), (3, 1), (5, 0)] {
        let add = add(parent, depth, "https://c.example/x");
        assert_eq!(
            asked(new(), &add),
            (none.clone(), vec![other.clone()]),
            "{parent} {depth}"
        );
        assert_eq!(asked(new().any_host(true), &add).0, ["https://c.example/x"]);
    }
    let robots = |value: &mut serde_json::Value| {
        value["robots"] = "https://c.example/robots.txt".into();
        value["is_entered"] = false.into();
    };
    assert_eq!(asked(new(), &robots), (none.clone(), vec![]));
    let deep = add(1, 4, "https://a.example/x");
    assert_eq!(
        asked(new(), &deep),
        (none, vec!["left out: listed too deep".to_owned()])
    );
    // The index has been read, and is the first of four.
    let mut crawl = new().max_sitemaps(3).resume(saved(&|_| ()));
    assert_eq!(requested(&mut crawl).len(), 2);
    let failures = failures(&crawl);
    let [(left_out, why)] = &failures[..] else {
        panic!("{failures:?}")
    };
    assert_eq!(left_out, "https://a.example/2");
    assert_eq!(
        why.to_string(),
        "left out: more than the maximum number of sitemaps"
    );
}

/// A sitemap that robots.txt lists is read, so an index that lists it too deep leaves nothing out.
#[test]
fn what_is_read_anyhow_is_not_left_out() {
    let mut crawl = CrawlBuilder::new()
        .max_depth(1)
        .site(&url("https://example.com/"));
    simple(&mut crawl, |url, _| match url.path() {
        "/robots.txt" => Answer::Ok(b"Sitemap: /i\nSitemap: /a".to_vec()),
        "/i" => Answer::Ok(index(["https://example.com/i", "https://example.com/a"])),
        _ => Answer::Ok(urlset(["https://example.com/1"])),
    });
    let summary = crawl.summary();
    assert_eq!(summary.left_out, []);
    assert_eq!(summary.completeness(), Completeness::Complete);
}
