//! `sitemap crawl` of sites as they should be, and as they are.

use std::time::Duration;

use crate::folder::Folder;
use crate::served::{
    self, Body, gzip, http, https, index, ok, pages, redirect, status, urlset, with,
};

fn robots(home: &str, names: &[&str]) -> served::Answer {
    let lines = names.iter().map(|name| format!("Sitemap: {home}{name}\n"));
    ok(format!("User-agent: *\n{}", lines.collect::<String>()))
}

#[test]
fn two_hundred_sitemaps() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml", "more.xml"]),
        "/index.xml" => ok(index((0..180).map(|n| format!("{home}part-{n}.xml")))),
        "/more.xml" => ok(index((180..198).map(|n| format!("{home}part-{n}.xml")))),
        path => match path
            .strip_prefix("/part-")
            .and_then(|name| name.strip_suffix(".xml"))
        {
            Some(number) => {
                let body = urlset(pages(home, number, 1 + number.parse::<usize>().unwrap()));
                ok(if number.ends_with('7') {
                    gzip(&body)
                } else {
                    body
                })
            }
            None => status(404),
        },
    });
    let ran = site.run(&["crawl", &site.home]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    let mut expected: Vec<String> = (0..198_usize)
        .flat_map(|number| pages("SITE/", &number.to_string(), number + 1))
        .collect();
    expected.sort_unstable();
    assert_eq!(expected.len(), 19_701);
    assert_eq!(ran.lines(), expected);
    assert!(
        ran.said
            .starts_with("note: 19,701 entries in 200 sitemaps, "),
        "{}",
        ran.said
    );
    assert_eq!(site.paths().len(), 201);

    let one = site.run(&["crawl", &site.home, "--jobs", "1"]);
    assert_eq!(one.lines(), ran.lines());
    // The order is that of the requests; the two indexes alternate.
    assert!(
        one.out.starts_with("SITE/0/0\nSITE/180/0\n"),
        "{}",
        &one.out[..200]
    );
}

#[test]
fn https_with_a_root_of_ones_own() {
    let site = https(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml"]),
        "/a.xml" => ok(urlset(pages(home, "a", 2))),
        _ => status(404),
    });
    let ran = site.run(&["crawl", &site.home]);
    assert_eq!((ran.status, ran.out.as_str()), (0, "SITE/a/0\nSITE/a/1\n"));
    let unknown = served::Ran::new(
        served::sitemap(&["crawl", &site.home, "--retries", "0"])
            .output()
            .unwrap(),
        &site.home,
    );
    assert_eq!(unknown.status, 2);
    assert_eq!(
        unknown.said,
        "error: SITE/robots.txt: TLS: the certificate is not signed by a trusted authority (see --cacert)\n"
    );
    let mut none = served::sitemap(&["crawl", &site.home, "--cacert", "no/such.pem"]);
    let none = served::Ran::new(none.output().unwrap(), &site.home);
    assert_eq!(none.status, 2);
    none.says("certificates: no/such.pem");
}

#[test]
fn a_robots_txt_that_fails_is_ignored_if_the_option_says_so() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => status(500),
        "/sitemap.xml" => ok(urlset(pages(home, "a", 1))),
        _ => status(404),
    });
    let crawl = ["crawl", &site.home, "--retries", "0"];
    let said = "error: SITE/robots.txt: 500 Internal Server Error\n";
    for (options, found) in [
        (&[][..], (2, "")),
        (&["--ignore-robots"], (1, "SITE/a/0\n")),
    ] {
        let ran = site.run(&[&crawl, options].concat());
        assert_eq!((ran.status, ran.out.as_str()), found);
        ran.says(said);
    }
}

#[test]
fn content_decides_not_its_type() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 1));
        match asked.path.as_str() {
            "/robots.txt" => ok(gzip(
                format!("Sitemap: {home}plain.gz\nSitemap: /gzip\nSitemap: /encoded\nSitemap: /both\nSitemap: /text\nSitemap: /lie\n").as_bytes(),
            ))
            .header("Content-Encoding", "gzip"),
            "/plain.gz" => ok(body).header("Content-Type", "application/gzip"),
            "/gzip" => ok(gzip(&body)).header("Content-Type", "text/html"),
            "/encoded" => ok(gzip(&body)).header("Content-Encoding", "gzip"),
            "/both" => ok(gzip(&gzip(&body))).header("Content-Encoding", "gzip"),
            "/text" => ok(format!("{home}text/0\n")).header("Content-Type", "image/png"),
            "/lie" => ok(body).header("Content-Encoding", "gzip"),
            _ => status(404),
        }
    });
    let ran = site.run(&["crawl", &site.home]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    assert_eq!(
        ran.lines(),
        [
            "SITE/both/0",
            "SITE/encoded/0",
            "SITE/gzip/0",
            "SITE/lie/0",
            "SITE/plain.gz/0",
            "SITE/text/0"
        ]
    );
}

#[test]
fn what_fails_is_listed_and_the_rest_is_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(
            home,
            &[
                "good.xml",
                "lost.xml",
                "html.xml",
                "cut.xml",
                "bad.gz",
                "skips.xml",
                "empty.xml",
                "nowhere.xml",
            ],
        ),
        "/good.xml" => ok(urlset(pages(home, "good", 1))),
        "/html.xml" => ok("<html><body>Please log in</body></html>"),
        "/cut.xml" => {
            let whole = urlset(pages(home, "cut", 3));
            let cut = whole.len() - 30;
            ok(&whole[..cut])
        }
        "/bad.gz" => {
            let mut body = gzip(&urlset(pages(home, "bad", 1)));
            let last = body.len() - 8;
            body[last] ^= 1;
            ok(body)
        }
        "/skips.xml" => ok(urlset([
            format!("{home}skips/0"),
            "www.example.com/a".to_owned(),
            "ftp://x/".to_owned(),
        ])),
        "/empty.xml" => ok(""),
        "/nowhere.xml" => status(302),
        _ => status(404),
    });
    let ran = site.run(&["crawl", &site.home]);
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.lines(),
        [
            "SITE/bad/0",
            "SITE/cut/0",
            "SITE/cut/1",
            "SITE/good/0",
            "SITE/skips/0"
        ]
    );
    let said: Vec<&str> = ran.said.lines().collect();
    let column = "<url><loc>".len() + site.at("cut/2").len() - 7 + 1;
    let cut = format!(
        "error: SITE/cut.xml: 5:{column}: the document is truncated; the 2 pages before that were written"
    );
    assert_eq!(
        said[..7],
        [
            "error: SITE/lost.xml: 404 Not Found",
            "error: SITE/html.xml: 1:1: root element `html` is not that of a sitemap",
            &cut,
            "error: SITE/bad.gz: 5:1: broken gzip stream: checksum does not match; the page before that was written",
            "warning: SITE/skips.xml: 2 entries cannot be used, the first at 4:11: `www.example.com/a` is not an absolute \
             http or https URL; entry skipped",
            "error: SITE/empty.xml: 1:1: not a sitemap: it is empty",
            "error: SITE/nowhere.xml: 302 without a Location",
        ],
        "{}",
        ran.said
    );
    assert!(
        said[7].starts_with("note: 5 entries in 4 sitemaps (2 not to the end), 4 failed, "),
        "{}",
        ran.said
    );
    let quiet = site.run(&["crawl", &site.home, "--quiet"]);
    assert_eq!(quiet.said.lines().count(), 6);
    assert!(quiet.said.lines().all(|line| line.starts_with("error: ")));
}

#[test]
fn bodies_that_break_off_are_asked_for_again() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 400));
        let half = body.len() / 2;
        match (asked.path.as_str(), asked.before) {
            ("/robots.txt", _) => {
                robots(home, &["cut", "reset", "never", "busy", "limited", "text"])
            }
            ("/cut", 0) => with(Body::Cut(body, half)),
            ("/reset", 0) => with(Body::Reset(body, half)),
            ("/never", _) => with(Body::Cut(body, half)),
            ("/busy", 0) => status(503),
            ("/limited", 0) => status(429).header("Retry-After", "1"),
            // An incomplete last line is not a page.
            ("/text", _) => with(Body::Cut(
                format!("{home}text/1\n{home}text/2").into_bytes(),
                home.len() + 12,
            )),
            ("/cut" | "/reset" | "/busy" | "/limited", 1) => ok(body),
            _ => status(404),
        }
    });
    let ran = site.run(&["crawl", &site.home, "--retries", "1"]);
    assert_eq!(ran.status, 1);
    for name in ["cut", "reset", "busy", "limited"] {
        let pages = ran
            .out
            .lines()
            .filter(|line| line.starts_with(&format!("SITE/{name}/")))
            .count();
        assert_eq!((pages, site.count(&format!("/{name}"))), (400, 2), "{name}");
    }
    let never: Vec<&str> = ran
        .said
        .lines()
        .filter(|line| line.contains("/never"))
        .collect();
    assert_eq!(never.len(), 1, "{}", ran.said);
    assert!(
        never[0].contains("the response ended early, after "),
        "{}",
        never[0]
    );
    assert!(
        never[0].ends_with(" pages before that were written"),
        "{}",
        never[0]
    );
    assert_eq!(site.count("/never"), 2);
    assert!(ran.out.contains("SITE/text/1\n") && !ran.out.contains("SITE/text/2"));
    ran.says("SITE/text: the response ended early, after ");
}

#[test]
fn slow_bodies_are_cut() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["slow.xml", "quick.xml"]),
        "/slow.xml" => with(Body::Slow(
            urlset(pages(home, "slow", 500)),
            100,
            Duration::from_millis(200),
        )),
        "/quick.xml" => ok(urlset(pages(home, "quick", 1))),
        _ => status(404),
    });
    let ran = site.run(&["crawl", &site.home, "--timeout", "1"]);
    assert_eq!(ran.status, 1);
    ran.says("error: SITE/slow.xml: the response was not complete within 1 s (--timeout), at ");
    assert_eq!(site.count("/slow.xml"), 1);
    assert!(ran.out.contains("SITE/slow/0\n") && ran.out.contains("SITE/quick/0\n"));
}

#[test]
fn https_does_not_lead_to_http() {
    let plain = http(|_, home| ok(urlset(pages(home, "plain", 1))));
    let to = plain.at("a.xml");
    let site = https(move |_, _| redirect(&to));
    let ran = site.run(&["crawl", &site.at("a.xml")]);
    assert_eq!(ran.status, 2);
    ran.says("which is not encrypted (use --allow-downgrade to follow it)");
    assert_eq!(plain.paths().len(), 0);
    let ran = site.run(&["crawl", &site.at("a.xml"), "--allow-downgrade"]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (0, 1),
        "{}",
        ran.said
    );
}

#[test]
fn other_hosts_and_depth() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/1.xml" => ok(index([
            format!("{home}2.xml"),
            home.replace("127.0.0.1", "localhost") + "other.xml",
        ])),
        "/2.xml" => ok(index([format!("{home}3.xml")])),
        "/3.xml" => ok(urlset(pages(home, "three", 1))),
        "/other.xml" => ok(urlset(pages(home, "other", 1))),
        _ => status(404),
    });
    let ran = site.run(&["crawl", &site.at("1.xml")]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, "SITE/three/0\n"),
        "{}",
        ran.said
    );
    ran.says("other.xml: on another host (see --other-hosts)\n");
    let ran = site.run(&["crawl", &site.at("1.xml"), "--other-hosts"]);
    assert_eq!(
        (ran.status, ran.lines()),
        (0, vec!["SITE/other/0", "SITE/three/0"])
    );
    let ran = site.run(&[
        "crawl",
        &site.at("1.xml"),
        "--other-hosts",
        "--max-depth",
        "2",
    ]);
    assert_eq!((ran.status, ran.lines()), (1, vec!["SITE/other/0"]));
    assert!(
        ran.said
            .contains("1 sitemap was not read: listed deeper than --max-depth 2\n  SITE/3.xml\n")
    );
}

#[test]
fn budgets() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/index.xml" => ok(index((0..10).map(|n| format!("{home}{n}")))),
        path => ok(urlset(pages(home, &path[1..], 100))),
    });
    let index = site.at("index.xml");
    let ran = site.run(&["crawl", &index, "--max-pages", "250"]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (1, 250),
        "{}",
        ran.said
    );
    ran.says("there are more than 250 pages");
    let ran = site.run(&["crawl", &index, "--max-pages", "1000"]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (0, 1_000),
        "{}",
        ran.said
    );
    let ran = site.run(&["crawl", &index, "--max-sitemaps", "4"]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (1, 300),
        "{}",
        ran.said
    );
    ran.says("there are more than 4 sitemaps");
    let ran = site.run(&["crawl", &site.at("0"), "--max-bytes", "1K"]);
    assert_eq!(ran.status, 1);
    ran.says("SITE/0: more than 1,024 bytes (--max-bytes); ");
}

#[test]
fn gzip_bombs_are_bounded_by_what_they_unpack_to() {
    let site = http(|_, _| ok(gzip(&vec![b' '; 4 << 20])));
    let ran = site.run(&["crawl", &site.at("a.gz"), "--max-bytes", "1M"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.said.contains("more bytes than max_bytes allows") || ran.said.contains("not a sitemap"),
        "{}",
        ran.said
    );
}

/// Indexes that list sitemaps with URLs of 1.9 MB, a few KB when they are sent.
#[cfg(target_os = "linux")]
#[test]
fn long_urls_cost_neither_memory_nor_a_screen() {
    const LOCS: usize = 480;
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["0.gz", "1.gz", "2.gz", "3.gz", "moved.xml"]),
        "/moved.xml" => redirect(&format!("/{}", "x".repeat(30_000))),
        path if path.ends_with(".gz") => {
            let loc = gzip("x".repeat(1_900_000).as_bytes());
            let text = format!("<sitemapindex xmlns='{}'>", served::NAMESPACE);
            let mut body = gzip(text.as_bytes());
            for number in 0..LOCS / 4 {
                let begin = format!("<sitemap><loc>{home}{path}/{number}/");
                body.extend(gzip(begin.as_bytes()));
                body.extend_from_slice(&loc);
                body.extend(gzip(b"</loc></sitemap>"));
            }
            let end = format!("<sitemap><loc>{home}good.xml</loc></sitemap></sitemapindex>");
            body.extend(gzip(end.as_bytes()));
            ok(body)
        }
        "/good.xml" => ok(urlset(pages(home, "good", 1))),
        _ => status(404),
    });
    let folder = Folder::new();
    let state = folder.path("state.json");
    let mut child = site
        .command(&["crawl", &site.home, "--jobs", "2", "--resume"])
        .arg(&state)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let peak = served::peak(&mut child);
    let ran = served::Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, "SITE/good/0\n"),
        "{}",
        ran.said
    );
    ran.says(
        "warning: 480 sitemaps were not read: with a URL of more than 2,047 characters\n  SITE//",
    );
    ran.says("error: SITE/moved.xml: the redirect's target is too long\n");
    assert!(ran.said.len() < 4_000, "{}", ran.said.len());
    let state = std::fs::metadata(state).unwrap().len();
    assert!(state < 4_000, "{state} bytes");
    assert!(peak > 0 && peak < 100 << 10, "{peak} KiB");
}

#[test]
fn formats() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/a.xml" => ok(format!(
            "<urlset xmlns='{}' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\
             <url><loc>{home}a?x=1,2</loc><lastmod>2024-05</lastmod><changefreq>daily</changefreq><priority>0.8</priority>\
             <image:image><image:loc>{home}i.png</image:loc><image:title>T\u{9b}\u{202e}</image:title></image:image></url>\
             <url><loc>{home}b</loc></url></urlset>",
            served::NAMESPACE
        )),
        _ => status(404),
    });
    let run = |arguments: &[&str]| {
        let url = site.at("a.xml");
        let ran = site.run(&[&["crawl", &url], arguments].concat());
        assert!(ran.status == 0 || ran.out.is_empty(), "{}", ran.said);
        (ran.status, ran.out)
    };
    assert_eq!(run(&[]).1, "SITE/a?x=1,2\nSITE/b\n");
    assert_eq!(
        run(&["--format", "jsonl"]).1,
        "{\"type\":\"url\",\"loc\":\"SITE/a?x=1,2\",\"lastmod\":\"2024-05\",\"changefreq\":\"daily\",\"priority\":0.8,\
         \"images\":[{\"loc\":\"SITE/i.png\",\"title\":\"T\\u009b\\u202e\"}]}\n{\"type\":\"url\",\"loc\":\"SITE/b\"}\n"
    );
    assert!(
        run(&["--format", "jsonl", "--source"])
            .1
            .ends_with("{\"type\":\"url\",\"loc\":\"SITE/b\",\"sitemap\":\"SITE/a.xml\"}\n")
    );
    assert_eq!(
        run(&["--format", "csv"]).1,
        "loc,lastmod,changefreq,priority\n\"SITE/a?x=1,2\",2024-05,daily,0.8\nSITE/b,,,\n"
    );
    assert_eq!(
        run(&["--format", "csv", "--source"]).1,
        "loc,lastmod,changefreq,priority,sitemap\n\"SITE/a?x=1,2\",2024-05,daily,0.8,SITE/a.xml\nSITE/b,,,,SITE/a.xml\n"
    );
    assert_eq!(run(&["--source"]).0, 2);
}

/// Only gzip is accepted.
#[test]
fn servers_are_asked_for_gzip() {
    let site = http(|_, home| ok(gzip(&urlset(pages(home, "a", 1)))));
    for command in ["crawl", "check", "show", "probe"] {
        site.run(&[command, &site.at("s.xml")]);
        let sent = site.header("/s.xml", "accept-encoding");
        assert_eq!(sent.as_deref(), Some("gzip"), "{command}");
    }
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 2));
        let is_known = |name, value: &str| {
            asked
                .headers
                .get(name)
                .is_some_and(|header| header == value)
        };
        match asked.path.as_str() {
            "/robots.txt" => robots(home, &["tag", "date", "none"]),
            "/tag" if is_known("if-none-match", "\"7\"") => status(304),
            "/tag" => ok(gzip(&body)).header("ETag", "\"7\""),
            "/date" if is_known("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT") => {
                status(304)
            }
            "/date" => ok(body).header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
            "/none" => ok(body),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let cache = folder.path("new").join("cache");
    let crawl = || site.run(&["crawl", &site.home, "--cache", cache.to_str().unwrap()]);
    let first = crawl();
    assert_eq!(
        (first.status, first.out.lines().count()),
        (0, 6),
        "{}",
        first.said
    );
    assert_eq!(site.header("/tag", "if-none-match"), None);
    let second = crawl();
    assert_eq!(
        (second.status, second.lines()),
        (0, first.lines()),
        "{}",
        second.said
    );
    assert_eq!(
        site.header("/tag", "if-none-match").as_deref(),
        Some("\"7\"")
    );
    let entries = || {
        std::fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    assert_eq!(entries().count(), 2);

    for entry in entries() {
        let bytes = std::fs::read(&entry).unwrap();
        std::fs::write(&entry, &bytes[..bytes.len() - 1]).unwrap();
    }
    let third = crawl();
    assert_eq!(
        (third.status, third.lines()),
        (0, first.lines()),
        "{}",
        third.said
    );
    assert_eq!(site.header("/tag", "if-none-match"), None);
    crawl();
    assert_eq!(
        site.header("/tag", "if-none-match").as_deref(),
        Some("\"7\"")
    );
}

/// robots.txt and an index are as well known from the cache as from the server.
#[test]
fn an_entry_of_the_cache_raises_no_doubt() {
    let site = http(|asked, home| {
        if asked.headers.contains_key("if-none-match") {
            return status(304);
        }
        let answer = match asked.path.as_str() {
            "/robots.txt" => robots(home, &["i.xml"]),
            "/i.xml" => ok(index([format!("{home}a.xml")])),
            "/a.xml" => ok(urlset(pages(home, "a", 2))),
            _ => return status(404),
        };
        answer.header("ETag", "\"7\"")
    });
    let folder = Folder::new();
    let cache = folder.0.path().to_str().unwrap();
    let plain = site.run(&["crawl", &site.home]);
    plain.does_not_say("may be");
    for known in [None, Some("\"7\"")] {
        let ran = site.run(&["crawl", &site.home, "--cache", cache]);
        assert_eq!(
            (ran.status, &ran.out, &ran.said),
            (0, &plain.out, &plain.said)
        );
        for path in ["/robots.txt", "/i.xml", "/a.xml"] {
            assert_eq!(site.header(path, "if-none-match").as_deref(), known);
        }
    }
}

/// A folder that others may write to.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_a_response() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, "a", 1));
        if asked.headers.contains_key("if-none-match") {
            status(304)
        } else {
            ok(body).header("ETag", "\"1\"")
        }
    });
    let folder = Folder::new();
    let url = site.at("a.xml");
    let cache = folder.path("cache");
    let crawl = |known: bool| {
        let before = site.paths().len();
        let ran = site.run(&["crawl", &url, "--cache", cache.to_str().unwrap()]);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (0, "SITE/a/0\n"),
            "{}",
            ran.said
        );
        assert_eq!(site.paths().len(), before + 1);
        assert_eq!(site.header("/a.xml", "if-none-match").is_some(), known);
    };
    crawl(false);
    let entries: Vec<_> = std::fs::read_dir(&cache).unwrap().collect();
    assert_eq!(entries.len(), 1);
    let entry = entries[0].as_ref().unwrap().path();
    crawl(true);

    std::fs::remove_file(&entry).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&entry).status();
    assert!(made.unwrap().success());
    crawl(false);
    crawl(true);

    let elsewhere = folder.path("elsewhere");
    std::fs::rename(&entry, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &entry).unwrap();
    crawl(false);
    crawl(true);
    assert!(std::fs::symlink_metadata(&entry).unwrap().is_file());
}

#[test]
fn manners() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a", "b", "c"]),
        path => ok(urlset(pages(home, &path[1..], 1))),
    });
    let begin = std::time::Instant::now();
    let ran = site.run(&[
        "crawl",
        &site.home,
        "--delay",
        "0.2",
        "--user-agent",
        "me/1 (me@example.com)",
    ]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (0, 3),
        "{}",
        ran.said
    );
    // Four requests have three pauses between them, at any speed of the machine.
    assert!(begin.elapsed() >= Duration::from_millis(600));
    assert_eq!(
        site.header("/a", "user-agent").as_deref(),
        Some("me/1 (me@example.com)")
    );
}

#[test]
fn usage() {
    for arguments in [
        &["crawl"][..],
        &["crawl", "ftp://example.com/"],
        &["crawl", "http://127.0.0.1:1/", "--jobs", "0"],
        &["crawl", "http://127.0.0.1:1/", "--max-bytes", "many"],
        &[
            "crawl",
            "http://127.0.0.1:1/",
            "--output",
            "/no/such/folder/pages.txt",
        ],
        &[
            "crawl",
            "http://127.0.0.1:1/",
            "--resume",
            "/no/such/folder/state.json",
        ],
    ] {
        let output = served::sitemap(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(
            output.stderr.starts_with(b"error: "),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let output = served::sitemap(&["crawl", "http://127.0.0.1:1/", "--retries", "1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: http://127.0.0.1:1/robots.txt: connection refused\n"
    );
}

#[test]
fn which_sitemaps_of_an_index_are_read() {
    let site = http(|asked, home| {
        let entry = |name: &str, lastmod: &str| {
            format!("<sitemap><loc>{home}{name}</loc>{lastmod}</sitemap>")
        };
        match asked.path.as_str() {
            "/robots.txt" => robots(home, &["old-index.xml"]),
            "/old-index.xml" => ok(format!(
                "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}{}{}</sitemapindex>",
                entry("old.xml", "<lastmod>2020-01-01</lastmod>"),
                entry("new.xml", "<lastmod>2025-03</lastmod>"),
                entry("plain.xml", ""),
            )),
            path => ok(urlset(pages(home, &path[1..path.len() - 4], 1))),
        }
    });
    let crawl = |options: &[&str]| {
        let ran = site.run(&[&["crawl", site.home.as_str()], options].concat());
        // Sitemaps that the options exclude are not missing.
        assert_eq!(ran.status, 0, "{}", ran.said);
        ran.lines().join(" ")
    };
    let (new, old, plain) = ("SITE/new/0", "SITE/old/0", "SITE/plain/0");
    assert_eq!(crawl(&[]), format!("{new} {old} {plain}"));
    // Sitemaps that robots.txt names are always read.
    assert_eq!(crawl(&["--sitemaps", "/new"]), new);
    assert_eq!(
        crawl(&["--sitemaps", "/old", "--sitemaps", "/new"]),
        format!("{new} {old}")
    );
    // A month may be any day of it; without a lastmod it may be new.
    assert_eq!(
        crawl(&["--sitemaps-since", "2025-03-20"]),
        format!("{new} {plain}")
    );
    assert_eq!(crawl(&["--sitemaps-since", "2025-04-01"]), plain);
    let ran = site.run(&["crawl", &site.home, "--sitemaps-since", "yesterday"]);
    assert_eq!(ran.status, 2);
}

/// The commands that read pages report what is lost of them; what is wrong besides is for `sitemap check`.
#[test]
fn what_is_lost_is_said_with_its_first_place() {
    let site = http(|asked, home| {
        let wrong = |text: String| text.replace("</loc>", "</loc><priority>7</priority>");
        let text = |name: &str, count| String::from_utf8(urlset(pages(home, name, count))).unwrap();
        match asked.path.as_str() {
            "/robots.txt" => robots(home, &["a.xml", "good.xml"]),
            "/a.xml" => ok(wrong(text("a", 3))
                .replace("</urlset>", "<url><priority>0.5</priority></url></urlset>")),
            "/good.xml" => ok(text("good", 2).replace("<urlset", "<!-- no root --><urlset")),
            _ => status(404),
        }
    });
    for (arguments, expected) in [
        (vec!["crawl", &site.home], 1),
        (
            vec!["diff", &site.home, &site.home, "--allow-incomplete"],
            // What was skipped may differ.
            1,
        ),
        (vec!["edit", &site.home, "-o", "-", "--allow-incomplete"], 1),
    ] {
        let ran = site.run(&arguments);
        assert_eq!(ran.status, expected, "{arguments:?} {}", ran.said);
        for lost in [
            "warning: SITE/a.xml: 1 entry cannot be used: ",
            "warning: SITE/a.xml: 3 values cannot be used, the first at 3:",
        ] {
            assert!(ran.said.contains(lost), "{arguments:?} {}", ran.said);
        }
        ran.does_not_say("SITE/good.xml");
    }
}

/// Pages that a filter leaves out are neither written nor counted nor requested, also when the crawl continues.
#[test]
fn some_pages_of_a_site() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml"]),
        "/a.xml" => ok(format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{home}new</loc><lastmod>2025-01-01</lastmod></url>\
             <url><loc>{home}old</loc><lastmod>2020</lastmod></url></urlset>"
        )),
        "/b.xml" if asked.before == 0 => status(404),
        "/b.xml" => ok(urlset([format!("{home}blog/b"), format!("{home}c")])),
        "/new" => ok("<!doctype html>"),
        _ => status(500),
    });
    let ran = site.run(&["crawl", &site.home, "--since", "2024", "--retries", "0"]);
    assert_eq!(ran.out, "SITE/new\n", "{}", ran.said);
    ran.says("1 entry in 1 sitemap");
    let probed = [
        "probe",
        &site.home,
        "--since",
        "2024",
        "--delay",
        "0",
        "--retries",
        "0",
        "-f",
        "csv",
    ];
    let ran = site.run(&probed);
    assert_eq!((ran.lines().len(), ran.status), (2, 0), "{}", ran.said);
    assert_eq!(
        site.paths().iter().filter(|path| *path == "/old").count(),
        0
    );

    let folder = Folder::new();
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (state, out) = (path("state.json"), path("pages.csv"));
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml"]),
        "/a.xml" => ok(urlset([format!("{home}blog/a"), format!("{home}x")])),
        "/b.xml" if asked.before == 0 => status(404),
        _ => ok(urlset([format!("{home}blog/b"), format!("{home}c")])),
    });
    let crawl = [
        "crawl",
        &site.home,
        "--match",
        "/blog/",
        "--resume",
        &state,
        "-o",
        &out,
        "--retries",
        "0",
    ];
    assert_eq!(site.run(&crawl).status, 1);
    let ran = site.run(&crawl);
    assert_eq!(ran.status, 0, "{}", ran.said);
    ran.says("2 entries in 2 sitemaps");
    let written = std::fs::read_to_string(out).unwrap();
    let rows: Vec<_> = written
        .lines()
        .map(|row| row.replace(&site.home, "/"))
        .collect();
    assert_eq!(
        rows,
        [
            "\u{feff}loc,lastmod,changefreq,priority",
            "/blog/a,,,",
            "/blog/b,,,"
        ]
    );
}
