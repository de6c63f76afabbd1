//! The answers to a request for robots.txt, row by row of the table of their meanings, and the usual places of sitemaps.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap_crawl::Turn;
use quick_sitemap_crawl::robots::{Answer as Robots, Listings, Rules, Why, sitemaps};

use super::*;

/// The rows of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Row {
    Read,
    Gone,
    Absent,
    NotUnderstood,
    Unreachable,
}

fn row(answer: &Robots) -> Row {
    match answer {
        Robots::Read(_) => Row::Read,
        Robots::Absent(_) if answer.is_gone() => Row::Gone,
        Robots::Absent(_) => Row::Absent,
        Robots::Refused(_) => panic!("{answer:?}"),
        Robots::NotUnderstood(_) => Row::NotUnderstood,
        Robots::Unreachable(_) => Row::Unreachable,
    }
}

/// Ends the next request, which is for robots.txt, and returns the places that are requested after it; nothing is there.
fn places(crawl: &mut Crawl, response: Response, body: &[u8]) -> Vec<String> {
    let request = fetch(crawl).unwrap();
    assert_eq!(request.kind, RequestKind::Robots);
    let mut receiver = crawl.begin(request, response);
    assert_eq!(receiver.pages(body).count(), 0);
    crawl.end(receiver);
    let mut asked = Vec::new();
    while let Some(request) = fetch(crawl) {
        asked.push(request.url.to_string());
        end(crawl, request, Response::new(404));
    }
    assert!(crawl.is_done());
    asked
}

#[test]
fn every_status_has_a_row() {
    let page = at_site("private");
    for status in 100..=999 {
        let expected = match status {
            200 | 201 | 203 | 204 => Row::Read,
            404 | 410 => Row::Gone,
            429 | 500..=599 => Row::Unreachable,
            304 | 100..=299 | 600.. => Row::NotUnderstood,
            _ => Row::Absent,
        };
        let body = b"User-agent: *\nDisallow: /private\n";
        let answer = Robots::new(&Response::new(status), body);
        assert_eq!(row(&answer), expected, "{status}");
        let allowed = match expected {
            // There is no body.
            Row::Read => Some(status == 204),
            Row::Gone | Row::Absent => Some(true),
            Row::NotUnderstood => None,
            Row::Unreachable => Some(false),
        };
        assert_eq!(answer.allows("x", &page), allowed, "{status}");
        for ignores in [false, true] {
            let builder = CrawlBuilder::new().retries(0).ignore_robots(ignores);
            let mut crawl = builder.site(&url(SITE));
            let asked = places(&mut crawl, Response::new(status), b"User-agent: *\n");
            assert_eq!(row(crawl.robots().unwrap()), expected, "{status}");
            let is_known = matches!(expected, Row::Read | Row::Gone | Row::Absent);
            let expected = if is_known || ignores { 7 } else { 0 };
            assert_eq!(asked.len(), expected, "{status}");
            assert!(asked.iter().all(|place| place.starts_with(SITE)));
            let failure = crawl.summary().robots_failure;
            assert_eq!(failure.is_some(), !is_known, "{status}");
        }
    }
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The bytes decide; a coding only counts for bytes that may be in it.
#[test]
fn ten_codings_by_the_bodies() {
    let text = "User-agent: *\nDisallow: /private\nSitemap: /s.xml\n";
    let plain = text.as_bytes();
    let then = |more: &[u8]| [plain, more].concat();
    let utf_16 = |mark: &str| -> Vec<u8> {
        let text = format!("{mark}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let whole = gzip(plain);
    let mut damaged = whole.clone();
    damaged[whole.len() - 8] ^= 1;
    let read = (Row::Read, Row::Read);
    let latin_1 = (Row::Read, Row::NotUnderstood);
    let never = (Row::NotUnderstood, Row::NotUnderstood);
    // The bytes, what they are, and what they are if the header names a coding that is not understood.
    let bodies: [(&str, Vec<u8>, (Row, Row)); 17] = [
        ("text", plain.to_vec(), read),
        ("a mark", [b"\xEF\xBB\xBF", plain].concat(), read),
        ("gzip", whole.clone(), read),
        ("three layers", gzip(&gzip(&whole)), read),
        ("two members", [gzip(b"#\n"), whole.clone()].concat(), read),
        ("zeros after gzip", [&whole[..], &[0; 100]].concat(), read),
        ("UTF-16", utf_16("\u{FEFF}"), read),
        ("a Latin-1 comment", then(b"# \xFCber\n"), latin_1),
        (
            "a Latin-1 rule",
            then(b"Disallow: /\xFC\x0C\t\r\n"),
            latin_1,
        ),
        ("four layers", gzip(&gzip(&gzip(&whole))), never),
        ("damaged", damaged, never),
        ("cut", whole[..whole.len() / 2].to_vec(), never),
        ("brotli", b"\x0b\x17\x80User-agent: *\xff\x03".into(), never),
        ("UTF-16 without a mark", utf_16(""), never),
        ("UTF-32", b"\xFF\xFE\0\0U\0\0\0".to_vec(), never),
        ("NUL", then(b"\0"), never),
        (
            "Latin-1 and a control character",
            then(b"\xFC\x01\n"),
            never,
        ),
    ];
    let understood = [
        None,
        Some(""),
        Some("identity"),
        Some("gzip"),
        Some("X-Gzip"),
    ];
    let others = [
        "br",
        "zstd",
        "deflate",
        "compress",
        "gzip, br",
        "identity,exi",
    ];
    let codings = understood.into_iter().chain(others.map(Some));
    for (name, body, (usual, coded)) in &bodies {
        for (number, coding) in codings.clone().enumerate() {
            let mut response = Response::new(200);
            if let Some(coding) = coding {
                response = response.header("Content-Encoding", coding);
            }
            let answer = Robots::new(&response, body);
            let expected = if number < understood.len() {
                usual
            } else {
                coded
            };
            assert_eq!(row(&answer), *expected, "{name} {coding:?}");
            if let Robots::Read(rules) = &answer {
                let found: Vec<Url> = rules.sitemaps(&url(SITE)).collect();
                assert_eq!(found, [at_site("s.xml")], "{name}");
                assert!(rules.allows("x", &at_site("a")), "{name}");
                assert!(!rules.allows("x", &at_site("private")), "{name}");
            }
            // A crawl has the same answer, however the bytes are cut.
            let mut crawl = Crawl::site(&url(SITE));
            let request = fetch(&mut crawl).unwrap();
            let mut receiver = crawl.begin(request, response);
            body.chunks(7).for_each(|piece| receiver.push(piece));
            receiver.finish();
            crawl.end(receiver);
            assert_eq!(row(crawl.robots().unwrap()), *expected, "{name} {coding:?}");
        }
    }
}

/// The first 8 MiB are understood, even if they end within a character or within gzip data.
#[test]
fn the_bound_can_be_within_a_character_or_gzip_data() {
    const COUNT: usize = 8 << 20;
    let text = format!("Sitemap: /s.xml\n{}", "é".repeat(COUNT));
    assert!(!text.is_char_boundary(COUNT + 1));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    // UTF-8 is a text whatever the header says.
    for (coding, body) in [
        ("br", text.into_bytes()),
        ("gzip", encoder.finish().unwrap()),
    ] {
        let response = Response::new(200).header("Content-Encoding", coding);
        let answer = Robots::new(&response, &body[..=COUNT]);
        assert_eq!(row(&answer), Row::Read, "{coding}");
        let rules = answer.rules().unwrap();
        assert!(rules.is_cut() && rules.sitemap_lines().count() == 1);
    }
}

#[test]
fn an_html_page_says_nothing() {
    for page in [
        "<!DOCTYPE html><title>Log in</title>",
        "\u{FEFF}\n <HTML lang=de>\nSitemap: /s.xml",
        "<?xml version='1.0'?>\n<!-- a --><!doctype HTML>",
        "<head>",
        "<body>",
    ] {
        for body in [page.as_bytes().to_vec(), gzip(page.as_bytes())] {
            let answer = Robots::new(&Response::new(200), &body);
            assert_eq!(answer, Robots::Absent(Why::Page), "{page}");
            let mut crawl = Crawl::site(&url(SITE));
            let asked = places(&mut crawl, Response::new(200), &body);
            assert_eq!(asked.len(), 7, "{page}");
            assert_eq!(crawl.summary().robots_failure, None, "{page}");
        }
    }
    // Warnings of a program before the text.
    let text = b"<br />\n<b>Warning</b>: include()\nUser-agent: *\nDisallow: /\n";
    assert_eq!(row(&Robots::new(&Response::new(200), text)), Row::Read);
    for empty in [&b""[..], b"\n", b"\xEF\xBB\xBF"] {
        let answer = Robots::new(&Response::new(200), empty);
        assert_eq!(answer.rules().unwrap().sitemap_lines().count(), 0);
    }
}

#[test]
fn a_broken_connection_forbids_everything() {
    let mut crawl = CrawlBuilder::new().retries(1).site(&url(SITE));
    let ran = simple(&mut crawl, |url, before| match (url.path(), before) {
        ("/robots.txt", _) => Cut(b"Sitemap: /s.xml\nUser-agent: *\nAllow: /\n".to_vec()),
        _ => Status(404),
    });
    assert_eq!(ran.requested, vec!["https://example.com/robots.txt"; 2]);
    assert_eq!(row(crawl.robots().unwrap()), Row::Unreachable);
    // The next attempt decides.
    for status in [500, 502, 520, 522, 524] {
        let mut crawl = Crawl::site(&url(SITE));
        simple(&mut crawl, |url, before| match (url.path(), before) {
            ("/robots.txt", 0) => Status(status),
            ("/robots.txt", _) => Answer::Ok(b"Sitemap: /s.xml".to_vec()),
            ("/s.xml", _) => Answer::Ok(urlset(["https://example.com/1"])),
            _ => Status(404),
        });
        assert_eq!(row(crawl.robots().unwrap()), Row::Read, "{status}");
        assert_eq!(crawl.summary().pages, 1);
    }
}

/// However a redirect is written that cannot be followed, the usual places are those of the site, and the target is not asked.
#[test]
fn the_target_of_a_redirect_that_fails_is_asked_for_nothing() {
    let long = format!("/{}", "x".repeat(2_048));
    // What robots.txt redirects to, the requests for it, and why it is absent; it is refused without such a reason.
    let bad = Some(Reason::BadRedirect);
    let goes_round = Some(Reason::RedirectLoop);
    let status = |code| Some(Reason::Status(code));
    for (location, requests, reason) in [
        ("/robots.txt", 1, goes_round),
        ("https://example.com/robots.txt", 1, goes_round),
        ("https://example.com/robots.txt#x", 1, goes_round),
        ("#x", 1, goes_round),
        ("", 1, bad),
        ("http://[", 1, bad),
        ("mailto:me@example.com", 1, bad),
        ("file:///etc/robots.txt", 1, bad),
        ("ftp://example.net/robots.txt", 1, bad),
        ("http://sso.example.net/robots.txt", 1, None),
        (&long, 1, Some(Reason::UrlTooLong)),
        ("/loop", 3, goes_round),
        ("/0", 11, Some(Reason::TooManyRedirects)),
        ("https://sso.example.net/forbidden", 2, status(403)),
        ("https://sso.example.net/missing", 2, status(404)),
        ("https://sso.example.net/login", 2, Some(Reason::Unreadable)),
        ("https://sso.example.net/loop", 3, goes_round),
        ("https://sso.example.net/down", 2, None),
    ] {
        let mut crawl = CrawlBuilder::new().retries(0).site(&url(SITE));
        let ran = simple(&mut crawl, |asked, _| match asked.path() {
            "/robots.txt" => Redirect(location.to_owned()),
            "/forbidden" => Status(403),
            "/missing" => Status(404),
            "/login" => Answer::Ok(b"<!doctype html><title>Log in</title>".to_vec()),
            "/loop" => Redirect("/again".to_owned()),
            "/again" => Redirect("/loop".to_owned()),
            "/down" => Redirect("http://sso.example.net/x".to_owned()),
            "/sitemap.xml" if asked.as_str().starts_with(SITE) => {
                Answer::Ok(index(["a", "https://sso.example.net/b"]))
            }
            "/a" => Answer::Ok(urlset([1])),
            path => Redirect(format!("/{}", path[1..].parse::<u32>().unwrap() + 1)),
        });
        let asked = ran.requested.iter().filter(|url| !url.contains("sitemap"));
        assert_eq!(
            asked.count(),
            requests + 1,
            "{location}: {:?}",
            ran.requested
        );
        assert_eq!(ran.pages, ["https://example.com/1"], "{location}");
        // No host is trusted for that.
        assert_eq!(reasons(&crawl), [(Reason::OtherHost, 1)], "{location}");
        let why = match crawl.robots().unwrap() {
            Robots::Refused(_) => None,
            Robots::Absent(Why::Redirect(failure)) => Some(failure.reason()),
            Robots::Absent(Why::Status(code)) => status(*code),
            Robots::Absent(Why::Page) => Some(Reason::Unreadable),
            answer => panic!("{location}: {answer:?}"),
        };
        assert_eq!(why, reason, "{location}");
    }
    // The other host is down: that is no failure of the site. The site's own spellings are.
    for (target, requests) in [
        ("https://sso.example.net/broken", 2 + 7),
        ("/broken", 2),
        ("https://www.example.com/broken", 2),
    ] {
        let mut crawl = CrawlBuilder::new().retries(0).site(&url(SITE));
        let ran = simple(&mut crawl, |asked, _| match asked.path() {
            "/robots.txt" => Redirect(target.to_owned()),
            "/broken" => Status(500),
            _ => Status(404),
        });
        assert_eq!(ran.requested.len(), requests, "{target}");
        let mut places = ran.requested.iter().filter(|url| url.contains("sitemap"));
        assert!(places.all(|place| place.starts_with(SITE)), "{target}");
        assert_eq!(row(crawl.robots().unwrap()), Row::Unreachable, "{target}");
        assert!(crawl.summary().robots_failure.is_some(), "{target}");
    }
}

#[test]
fn a_redirect_from_https_to_http_is_refused_or_followed() {
    for (follows, requests) in [(false, 1 + 7), (true, 2 + 14)] {
        let mut crawl = CrawlBuilder::new()
            .allow_downgrade(follows)
            .site(&url(SITE));
        let ran = simple(&mut crawl, |asked, _| {
            match (asked.scheme(), asked.path()) {
                ("https", "/robots.txt") => Redirect("http://example.com/robots.txt".to_owned()),
                (_, "/robots.txt") => Answer::Ok(b"User-agent: *".to_vec()),
                _ => Status(404),
            }
        });
        // Another spelling of the site that has answered has its places, too.
        assert_eq!(ran.requested.len(), requests);
        assert_eq!(matches!(crawl.robots(), Some(Robots::Refused(_))), !follows);
        assert_eq!(crawl.summary().robots_failure.is_some(), !follows);
    }
    // The client has followed it.
    let to = url("http://example.com/robots.txt");
    let response = Response::new(200).final_url(to.clone());
    let mut crawl = Crawl::site(&url(SITE));
    assert_eq!(places(&mut crawl, response, b"Sitemap: /a.xml").len(), 7);
    assert_eq!(crawl.robots(), Some(&Robots::Refused(to.clone())));
    let response = moved(to.as_str()).final_url(at_site("robots.txt"));
    assert!(matches!(Robots::new(&response, b""), Robots::Refused(_)));
    // A site without https has nothing to lose.
    let response = moved("http://www.example.com/robots.txt").final_url(to);
    assert_eq!(row(&Robots::new(&response, b"")), Row::Absent);
}

/// All places of the first spelling, then those of the other one, if its robots.txt was found.
#[test]
fn a_site_that_moves_to_www() {
    let moved = |url: &Url| Redirect(format!("https://www.example.com{}", url.path()));
    for is_found in [true, false] {
        for begins in ["http://example.com/", SITE] {
            let mut crawl = Crawl::site(&url(begins));
            let ran = simple(&mut crawl, |asked, _| {
                match (asked.host_str(), asked.path()) {
                    (Some("example.com"), "/robots.txt") => moved(asked),
                    (Some("example.com"), _) => Status(404),
                    (_, "/robots.txt") if is_found => Answer::Ok(b"User-agent: *".to_vec()),
                    (_, "/wp-sitemap.xml") => Answer::Ok(urlset(["https://www.example.com/1"])),
                    _ => Status(404),
                }
            });
            let is_first = |url: &&String| url.starts_with(begins);
            assert_eq!(ran.requested.iter().filter(is_first).count(), 1 + 7);
            assert_eq!(ran.requested[2..9].iter().filter(is_first).count(), 7);
            assert_eq!(ran.pages, ["https://www.example.com/1"], "{begins}");
            assert_eq!(ran.requested.len(), 9 + 5, "{begins}");
        }
    }
    // Everything is redirected: the first place is found, at its new URL.
    let mut crawl = Crawl::site(&url(SITE));
    let ran = simple(&mut crawl, |asked, _| {
        match (asked.host_str(), asked.path()) {
            (Some("example.com"), _) => moved(asked),
            (_, "/robots.txt") => Answer::Ok(b"User-agent: *\nDisallow: /x\n".to_vec()),
            (_, "/sitemap.xml") => Answer::Ok(urlset(["https://www.example.com/1"])),
            _ => Status(404),
        }
    });
    assert_eq!((ran.requested.len(), ran.pages.len()), (4, 1));
    let sitemap = crawl.sitemaps().next().unwrap();
    assert_eq!(sitemap.url(), "https://example.com/sitemap.xml");
    // The rules are those of the site that was asked.
    let answer = crawl.robots().unwrap();
    assert_eq!(answer.allows("x", &at_site("x")), Some(false));
    let listings = crawl.listings();
    for (page, expected) in [
        ("https://example.com/1", Some(true)),
        ("https://www.example.com/1", Some(true)),
        ("http://example.com/1", None),
    ] {
        let found = listings.may_list(&at_site("sitemap.xml"), &url(page));
        assert_eq!(found, expected, "{page}");
    }
    // Relative values belong to the place where the text was found.
    let ran = simple(&mut Crawl::site(&url(SITE)), |asked, _| {
        match (asked.host_str(), asked.path()) {
            (Some("example.com"), "/robots.txt") => moved(asked),
            (_, "/robots.txt") => Answer::Ok(b"Sitemap: /s.xml".to_vec()),
            _ => Answer::Ok(urlset(["https://www.example.com/1"])),
        }
    });
    assert_eq!(ran.requested[2], "https://www.example.com/s.xml");
}

#[test]
fn a_place_is_passed_or_ends_the_search() {
    let redirect = |to: &str| Redirect(to.to_owned());
    let ok = |body: &str| Answer::Ok(body.into());
    let cut = "<urlset><url><loc>https://example.com/1</loc></url>";
    for (answer, is_passed) in [
        (&(|| Status(404)) as &dyn Fn() -> Answer, true),
        (&|| Status(410), true),
        (&|| Status(401), true),
        (&|| Status(403), true),
        (&|| ok("<html>"), true),
        (&|| ok(""), true),
        (&|| ok("{\"error\": 1}"), true),
        (&|| redirect("/login"), true),
        (&|| redirect("/sitemap.xml"), true),
        (&|| redirect("ftp://example.com/"), true),
        (&|| redirect("http://example.com/sitemap.xml"), true),
        (&|| Status(429), false),
        (&|| Status(500), false),
        (&|| Status(599), false),
        (&|| Status(206), false),
        (&|| Down, false),
        (&|| Cut(urlset([1, 2])), false),
        (&|| ok(cut), false),
        (&|| Answer::Ok(urlset([1])), false),
        (&|| Answer::Ok(urlset([""; 0])), false),
        (&|| Answer::Ok(index([""; 0])), false),
    ] {
        let mut crawl = CrawlBuilder::new().retries(0).site(&url(SITE));
        let ran = simple(&mut crawl, |asked, _| match asked.path() {
            "/sitemap.xml" => answer(),
            "/sitemap_index.xml" => Answer::Ok(urlset(["found"])),
            "/login" => ok("<html>"),
            _ => Status(404),
        });
        let is_asked = ran.count("/sitemap_index.xml") > 0;
        assert_eq!(is_asked, is_passed, "{:?}", ran.requested);
        let states: Vec<State> = crawl.sitemaps().map(|sitemap| sitemap.state()).collect();
        let is_failed = states.contains(&State::Failed);
        assert!(!is_failed || !is_passed, "{states:?}");
        assert!(!is_passed || states[0] == State::Missing, "{states:?}");
    }
}

/// A part that nobody asked for is a failure of every document.
#[test]
fn a_part_of_a_sitemap_is_a_failure() {
    let mut crawl = Crawl::sitemap(&at_site("a.xml"));
    let request = fetch(&mut crawl).unwrap();
    let response = Response::new(206).header("Content-Range", "bytes 0-99/100");
    let mut receiver = crawl.begin(request, response);
    assert!(receiver.is_over());
    assert_eq!(receiver.pages(&urlset([1])[..]).count(), 0);
    let ended = crawl.end(receiver);
    assert_eq!(ended.state(), State::Failed);
    assert_eq!(ended.failure().unwrap().reason(), Reason::Status(206));
}

#[test]
fn lines_that_cannot_be_used_are_counted() {
    let text = "Sitemap: https://example.com/a.xml\nSitemap: \"https://example.com/b.xml\"\nsitemap: /c.xml\n\
        Sitemap = https://example.com/d.xml\nSitemap: ftp://example.com/e.xml\n- Sitemaps: /f.xml\n";
    let rules = Rules::parse(text.as_bytes());
    let usable: Vec<bool> = rules.sitemap_lines().map(|line| line.is_usable).collect();
    assert_eq!(usable, [true, false, true, false, false, true]);
    let mut crawl = Crawl::site(&url(SITE));
    let state = reply(&mut crawl, Response::new(200), text.as_bytes()).state();
    assert_eq!(state, State::Done(Completeness::Incomplete));
    let found: Vec<&str> = crawl.sitemaps().map(|sitemap| sitemap.url()).collect();
    assert_eq!(
        found,
        ["a", "c", "f"].map(|name| format!("{SITE}{name}.xml"))
    );
}

#[test]
fn a_site_may_be_listed_by_what_its_robots_txt_names() {
    let cdn = |name: &str| url(&format!("https://cdn.example.net/{name}"));
    let mut listings = Listings::default();
    for (site, status) in [
        (SITE, 200),
        ("https://gone.example/", 404),
        ("https://busy.example/", 503),
        ("https://closed.example/", 403),
    ] {
        let text = b"Sitemap: https://cdn.example.net/i.xml";
        listings.add(&url(site), &Robots::new(&Response::new(status), text));
    }
    listings.lists(&cdn("i.xml"), &cdn("deep.xml"));
    listings.lists(&cdn("deep.xml"), &cdn("a%2Dz.xml#x"));
    // A circle ends.
    listings.lists(&cdn("a-z.xml"), &cdn("i.xml"));
    listings.found_at(&cdn("a-z.xml"), &url("https://store.example:8443/a"));
    for (sitemap, page, expected) in [
        ("a-z.xml", "https://example.com/1", Some(true)),
        ("i.xml", "https://example.com/1", Some(true)),
        ("a-z.xml", "https://cdn.example.net/1", Some(true)),
        ("a-z.xml", "https://cdn.example.net:444/1", None),
        ("a-z.xml", "http://example.com/1", None),
        ("a-z.xml", "https://www.example.com/1", None),
        ("a-z.xml", "https://store.example:8443/1", Some(true)),
        ("a-z.xml", "https://store.example/1", None),
        // Only its own.
        ("deep.xml", "https://store.example:8443/1", None),
        ("a-z.xml", "https://gone.example/1", Some(false)),
        ("a-z.xml", "https://busy.example/1", None),
        ("a-z.xml", "https://closed.example/1", None),
        // It may be listed by an index that was not read.
        ("other.xml", "https://example.com/1", None),
        ("//example.org/s.xml", "https://example.com/1", Some(false)),
    ] {
        let found = listings.may_list(&cdn("").join(sitemap).unwrap(), &url(page));
        assert_eq!(found, expected, "{sitemap} {page}");
    }
}

/// A pace that crawls share remembers a host as long as the longest delay of any of them.
#[test]
fn a_shared_pace_keeps_the_longest_delay() {
    let slow = Pace::new().delay(Duration::from_secs(60));
    let quick = slow.clone().delay(Duration::ZERO);
    let late = quick.clone().delay(Duration::from_secs(30));
    let ask = |url: &str, now| match quick.turn(&self::url(url), now) {
        Turn::Now(permit) => permit.end(now),
        turn => panic!("{turn:?}"),
    };
    ask(SITE, at(0));
    for number in 0..3_000 {
        ask(&format!("https://h{number}.example/"), at(1));
    }
    for (pace, wait) in [(&slow, 60), (&late, 30)] {
        let turn = pace.turn(&url(SITE), at(2));
        assert!(
            matches!(turn, Turn::Wait(until) if until == at(wait)),
            "{turn:?}"
        );
    }
}

/// A `Crawl-delay` that one crawl keeps shortens the delay of no other one.
#[test]
fn a_crawl_delay_is_the_least() {
    let robots = |pace: &Pace, seconds| {
        let builder = CrawlBuilder::new().pace(pace.clone()).user_agent("x");
        let mut crawl = builder.site(&url(SITE));
        let request = fetch_at(&mut crawl, at(0)).unwrap();
        let mut receiver = crawl.begin(request, Response::new(200));
        receiver.push(b"User-agent: *\nCrawl-delay: 5\nSitemap: /a.xml");
        crawl.end(receiver);
        assert_eq!(waits_until(&mut crawl), Some(at(seconds)));
    };
    let pace = Pace::new();
    pace.set_delay("example.com", Duration::from_secs(20));
    robots(&pace, 20);
    let pace = Pace::new();
    let slow = pace.clone().delay(Duration::from_secs(60));
    robots(&pace, 5);
    let turn = slow.turn(&url(SITE), at(6));
    assert!(
        matches!(turn, Turn::Wait(until) if until == at(60)),
        "{turn:?}"
    );
}

/// An input that has no bytes now is asked again, and nothing is lost.
#[test]
fn an_input_that_would_block_ends_no_document() {
    struct Slow(Vec<u8>, usize);

    impl io::Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 % 2 == 1 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let count = self.0.len().min(buffer.len()).min(60);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    let mut crawl = Crawl::sitemap(&at_site("a.xml"));
    let request = fetch(&mut crawl).unwrap();
    let mut receiver = crawl.begin(request, Response::new(200));
    let mut reader = receiver.reader().build(Slow(urlset(0..4), 0));
    let (mut pages, mut blocked) = (0, 0);
    while let Some(entry) = reader.next().filter(|_| !receiver.is_over()) {
        blocked += usize::from(entry.is_err());
        pages += usize::from(receiver.take(entry).is_some());
    }
    receiver.finish_with(Ok(reader.summary()));
    assert!(pages == 4 && blocked > 2, "{pages} {blocked}");
    let state = crawl.end(receiver).state();
    assert_eq!(state, State::Done(Completeness::Complete));
}

/// The inputs of the fuzz target `values`, which checks the same.
#[test]
fn the_sitemaps_of_any_bytes_are_web_addresses() {
    let base = url("https://example.com/a/robots.txt");
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/values");
    for file in std::fs::read_dir(corpus).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for text in [&bytes, &[b"Sitemap:", &bytes[..]].concat()] {
            for base in [Some(&base), None] {
                let mut found = sitemaps(text, base);
                assert!(found.all(|url| matches!(url.scheme(), "http" | "https")));
            }
        }
    }
}
