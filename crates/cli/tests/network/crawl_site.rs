//! `sitemap crawl` of sites as they should be, and as they are.

use std::time::Duration;

use crate::folder::Folder;
use crate::served::{
    self, Body, Ran, begin, gzip, http, https, index, listing, ok, pages, redirect, robots,
    sitemaps, status, urlset, with,
};

#[test]
fn two_hundred_sitemaps() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml", "more.xml"]),
        "/index.xml" => ok(index((0..180).map(|n| format!("{home}part-{n}.xml")))),
        "/more.xml" => ok(index((180..198).map(|n| format!("{home}part-{n}.xml")))),
        path => {
            let number = path.trim_start_matches("/part-").trim_end_matches(".xml");
            let body = urlset(pages(home, number, 1 + number.parse::<usize>().unwrap()));
            ok(if number.ends_with('7') {
                gzip(&body)
            } else {
                body
            })
        }
    });
    let ran = site.must("crawl SITE/", 0);
    let mut expected: Vec<String> = (0..198_usize)
        .flat_map(|number| pages("SITE/", &number.to_string(), number + 1))
        .collect();
    expected.sort_unstable();
    assert_eq!(expected.len(), 19_701);
    assert_eq!(ran.lines(), expected);
    ran.says_first("note: 19,701 entries in 200 sitemaps, ");
    assert_eq!(site.paths().len(), 201);

    let one = site.run("crawl SITE/ --jobs 1");
    assert_eq!(one.lines(), ran.lines());
    // The order is that of the requests; the two indexes alternate.
    let begin = &one.out[..200];
    assert!(begin.starts_with("SITE/0/0\nSITE/180/0\n"), "{begin}");
}

#[test]
fn https_with_a_root_of_ones_own() {
    let mut site = https(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml"]),
        "/a.xml" => ok(urlset(pages(home, "a", 2))),
        _ => status(404),
    });
    site.run("crawl SITE/").gives(0, "SITE/a/0\nSITE/a/1\n");
    site.cacert = None;
    let unknown = site.must("crawl SITE/ --retries 0", 2);
    assert_eq!(
        unknown.said,
        "error: SITE/robots.txt: TLS: the certificate is not signed by a trusted authority (see --cacert)\n"
    );
    let none = site.must("crawl SITE/ --cacert no/such.pem", 2);
    none.says("certificates: no/such.pem");
}

#[test]
fn a_robots_txt_that_fails_is_ignored_if_the_option_says_so() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => status(500),
        "/sitemap.xml" => ok(urlset(pages(home, "a", 1))),
        _ => status(404),
    });
    for (option, status, out) in [("", 2, ""), ("--ignore-robots", 1, "SITE/a/0\n")] {
        let ran = site.run(&format!("crawl SITE/ --retries 0 {option}"));
        ran.gives(status, out);
        ran.says("error: SITE/robots.txt: 500 Internal Server Error\n");
    }
}

#[test]
fn content_decides_not_its_type() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 1));
        match asked.path.as_str() {
            "/robots.txt" => {
                let names = ["/gzip", "/encoded", "/both", "/text", "/lie"];
                let lines = names.map(|name| format!("Sitemap: {name}\n")).concat();
                let text = format!("Sitemap: {home}plain.gz\n{lines}");
                ok(gzip(text.as_bytes())).header("Content-Encoding", "gzip")
            }
            "/plain.gz" => ok(body).header("Content-Type", "application/gzip"),
            "/gzip" => ok(gzip(&body)).header("Content-Type", "text/html"),
            "/encoded" => ok(gzip(&body)).header("Content-Encoding", "gzip"),
            "/both" => ok(gzip(&gzip(&body))).header("Content-Encoding", "gzip"),
            "/text" => ok(format!("{home}text/0\n")).header("Content-Type", "image/png"),
            "/lie" => ok(body).header("Content-Encoding", "gzip"),
            _ => status(404),
        }
    });
    let ran = site.must("crawl SITE/", 0);
    let names = ["both", "encoded", "gzip", "lie", "plain.gz", "text"];
    assert_eq!(ran.lines(), names.map(|name| format!("SITE/{name}/0")));
}

#[test]
fn what_fails_is_listed_and_the_rest_is_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => {
            let names = "good.xml lost.xml html.xml cut.xml bad.gz skips.xml empty.xml nowhere.xml";
            robots(home, &names.split(' ').collect::<Vec<_>>())
        }
        "/good.xml" => ok(urlset(pages(home, "good", 1))),
        "/html.xml" => ok("<html><body>Please log in</body></html>"),
        "/cut.xml" => {
            let whole = urlset(pages(home, "cut", 3));
            ok(&whole[..whole.len() - 30])
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
    let ran = site.must("crawl SITE/", 1);
    let pages = ["bad/0", "cut/0", "cut/1", "good/0", "skips/0"];
    assert_eq!(ran.lines(), pages.map(|page| format!("SITE/{page}")));
    let column = "<url><loc>".len() + site.at("cut/2").len() - 7 + 1;
    let expected = format!(
        "error: SITE/lost.xml: 404 Not Found\n\
         error: SITE/html.xml: 1:1: root element `html` is not that of a sitemap\n\
         error: SITE/cut.xml: 5:{column}: the document is truncated; the 2 pages before that were written\n\
         error: SITE/bad.gz: 5:1: broken gzip stream: checksum does not match; the page before that was written\n\
         warning: SITE/skips.xml: 2 entries cannot be used, the first at 4:11: `www.example.com/a` is not an absolute \
         http or https URL; entry skipped\n\
         error: SITE/empty.xml: 1:1: not a sitemap: it is empty\n\
         error: SITE/nowhere.xml: 302 without a Location\n\
         note: 5 entries in 4 sitemaps (2 not to the end), 4 failed, "
    );
    ran.says_first(&expected);
    let quiet = site.run("crawl SITE/ --quiet").said;
    let errors = quiet.lines().filter(|line| line.starts_with("error: "));
    assert_eq!((errors.count(), quiet.lines().count()), (6, 6), "{quiet}");
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
    let ran = site.must("crawl SITE/ --retries 1", 1);
    for name in ["cut", "reset", "busy", "limited"] {
        let pages = ran.out.matches(&format!("SITE/{name}/")).count();
        assert_eq!((pages, site.count(&format!("/{name}"))), (400, 2), "{name}");
    }
    let never = ran.said.lines().filter(|line| line.contains("/never"));
    let never: Vec<&str> = never.collect();
    assert_eq!(never.len(), 1, "{ran}");
    let is_early = never[0].contains("the response ended early, after ");
    let is_written = never[0].ends_with(" pages before that were written");
    assert!(is_early && is_written, "{}", never[0]);
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
    let ran = site.must("crawl SITE/ --timeout 1", 1);
    ran.says("error: SITE/slow.xml: the response was not complete within 1 s (--timeout), at ");
    assert_eq!(site.count("/slow.xml"), 1);
    assert!(ran.out.contains("SITE/slow/0\n") && ran.out.contains("SITE/quick/0\n"));
}

#[test]
fn other_hosts_and_depth() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/1.xml" => ok(index([
            format!("{home}2.xml"),
            home.replace("127.0.0.1", "localhost") + "other.xml",
        ])),
        "/2.xml" => sitemaps(home, &["3.xml"]),
        "/3.xml" => ok(urlset(pages(home, "three", 1))),
        "/other.xml" => ok(urlset(pages(home, "other", 1))),
        _ => status(404),
    });
    let ran = site.run("crawl SITE/1.xml");
    ran.gives(1, "SITE/three/0\n");
    ran.says("other.xml: on another host (see --other-hosts)\n");
    let ran = site.must("crawl SITE/1.xml --other-hosts", 0);
    assert_eq!(ran.lines(), ["SITE/other/0", "SITE/three/0"]);
    let ran = site.run("crawl SITE/1.xml --other-hosts --max-depth 2");
    ran.gives(1, "SITE/other/0\n");
    ran.says("1 sitemap was not read: listed deeper than --max-depth 2\n  SITE/3.xml\n");
}

#[test]
fn budgets() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/index.xml" => ok(index((0..10).map(|n| format!("{home}{n}")))),
        path => ok(urlset(pages(home, &path[1..], 100))),
    });
    for (bound, status, count, text) in [
        ("--max-pages 250", 1, 250, "there are more than 250 pages"),
        ("--max-pages 1000", 0, 1_000, ""),
        ("--max-sitemaps 4", 1, 300, "there are more than 4 sitemaps"),
    ] {
        let ran = site.must(&format!("crawl SITE/index.xml {bound}"), status);
        assert_eq!(ran.out.lines().count(), count, "{bound}");
        ran.says(text);
    }
    let ran = site.must("crawl SITE/0 --max-bytes 1K", 1);
    ran.says("SITE/0: more than 1,024 bytes (--max-bytes); ");
}

#[test]
fn gzip_bombs_are_bounded_by_what_they_unpack_to() {
    let site = http(|_, _| ok(gzip(&vec![b' '; 4 << 20])));
    let ran = site.must("crawl SITE/a.gz --max-bytes 1M", 2);
    let texts = ["more bytes than max_bytes allows", "not a sitemap"];
    assert!(texts.iter().any(|text| ran.said.contains(text)), "{ran}");
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
    let mut command = site.command_of("crawl SITE/ --jobs 2 --resume state.json");
    command.current_dir(folder.0.path());
    let mut child = begin(command);
    let peak = served::peak(&mut child);
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    ran.gives(1, "SITE/good/0\n");
    ran.says(
        "warning: 480 sitemaps were not read: with a URL of more than 2,047 characters\n  SITE//",
    );
    ran.says("error: SITE/moved.xml: the redirect's target is too long\n");
    let lengths = [ran.said.len(), folder.read("state.json").len()];
    assert!(lengths.iter().all(|length| *length < 4_000), "{lengths:?}");
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
    let first = "{\"type\":\"url\",\"loc\":\"SITE/a?x=1,2\",\"lastmod\":\"2024-05\",\"changefreq\":\"daily\",\"priority\":0.8,\
         \"images\":[{\"loc\":\"SITE/i.png\",\"title\":\"T\\u009b\\u202e\"}]";
    let sitemap = ",\"sitemap\":\"SITE/a.xml\"";
    let second = "{\"type\":\"url\",\"loc\":\"SITE/b\"";
    for (options, out) in [
        ("", "SITE/a?x=1,2\nSITE/b\n"),
        ("--format jsonl", &format!("{first}}}\n{second}}}\n")),
        (
            "--format jsonl --source",
            &format!("{first}{sitemap}}}\n{second}{sitemap}}}\n"),
        ),
        (
            "--format csv",
            "loc,lastmod,changefreq,priority\n\"SITE/a?x=1,2\",2024-05,daily,0.8\nSITE/b,,,\n",
        ),
        (
            "--format csv --source",
            "loc,lastmod,changefreq,priority,sitemap\n\"SITE/a?x=1,2\",2024-05,daily,0.8,SITE/a.xml\nSITE/b,,,,SITE/a.xml\n",
        ),
    ] {
        site.run(&format!("crawl SITE/a.xml {options}"))
            .gives(0, out);
    }
    site.run("crawl SITE/a.xml --source").gives(2, "");
}

/// Only gzip is accepted.
#[test]
fn servers_are_asked_for_gzip() {
    let site = http(|_, home| ok(gzip(&urlset(pages(home, "a", 1)))));
    for command in ["crawl", "check", "show", "probe"] {
        site.run(&format!("{command} SITE/s.xml"));
        let sent = site.header("/s.xml", "accept-encoding");
        assert_eq!(sent.as_deref(), Some("gzip"), "{command}");
    }
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 2));
        let known = |name| asked.headers.get(name).map(String::as_str);
        match asked.path.as_str() {
            "/robots.txt" => robots(home, &["tag", "date", "none"]),
            "/tag" if known("if-none-match") == Some("\"7\"") => status(304),
            "/tag" => ok(gzip(&body)).header("ETag", "\"7\""),
            "/date" if known("if-modified-since") == Some(DATE) => status(304),
            "/date" => ok(body).header("Last-Modified", DATE),
            "/none" => ok(body),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let crawl = |known: Option<&str>| {
        let ran = folder.must_on(&site, "crawl SITE/ --cache new/cache", 0);
        let sent = site.header("/tag", "if-none-match");
        assert_eq!(sent.as_deref(), known, "{ran}");
        ran.lines().join("\n")
    };
    let first = crawl(None);
    assert_eq!(first.lines().count(), 6, "{first}");
    assert_eq!(crawl(Some("\"7\"")), first);
    let entries = std::fs::read_dir(folder.path("new/cache")).unwrap();
    let entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 2);

    for entry in entries {
        let bytes = std::fs::read(&entry).unwrap();
        std::fs::write(&entry, &bytes[..bytes.len() - 1]).unwrap();
    }
    assert_eq!(crawl(None), first);
    assert_eq!(crawl(Some("\"7\"")), first);
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
            "/i.xml" => sitemaps(home, &["a.xml"]),
            "/a.xml" => ok(urlset(pages(home, "a", 2))),
            _ => return status(404),
        };
        answer.header("ETag", "\"7\"")
    });
    let folder = Folder::new();
    let plain = site.run("crawl SITE/");
    plain.does_not_say("may be");
    for known in [None, Some("\"7\"")] {
        let ran = folder.run_on(&site, "crawl SITE/ --cache cache");
        ran.gives(0, &plain.out);
        assert_eq!(ran.said, plain.said);
        for path in ["/robots.txt", "/i.xml", "/a.xml"] {
            assert_eq!(site.header(path, "if-none-match").as_deref(), known);
        }
    }
}

/// A folder that others may write to.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_a_response() {
    let site = http(|asked, home| match asked.headers.get("if-none-match") {
        Some(_) => status(304),
        None => ok(urlset(pages(home, "a", 1))).header("ETag", "\"1\""),
    });
    let folder = Folder::new();
    let crawl = |known: bool| {
        let before = site.paths().len();
        let ran = folder.run_on(&site, "crawl SITE/a.xml --cache cache");
        ran.gives(0, "SITE/a/0\n");
        assert_eq!(site.paths().len(), before + 1);
        assert_eq!(site.header("/a.xml", "if-none-match").is_some(), known);
    };
    crawl(false);
    let entries: Vec<_> = std::fs::read_dir(folder.path("cache")).unwrap().collect();
    assert_eq!(entries.len(), 1);
    let entry = entries[0].as_ref().unwrap().path();
    crawl(true);

    std::fs::remove_file(&entry).unwrap();
    folder.pipe(entry.to_str().unwrap());
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
    let agent = "me/1 (me@example.com)";
    let crawl = ["crawl", &site.home, "--delay", "0.2", "--user-agent", agent];
    let ran = site.run_all(&crawl);
    assert_eq!((ran.status, ran.lines().len()), (0, 3), "{ran}");
    // Four requests have three pauses between them, at any speed of the machine.
    assert!(begin.elapsed() >= Duration::from_millis(600));
    assert_eq!(site.header("/a", "user-agent").as_deref(), Some(agent));
}

#[test]
fn usage() {
    let folder = Folder::new();
    for arguments in [
        "crawl",
        "crawl ftp://example.com/",
        "crawl http://127.0.0.1:1/ --jobs 0",
        "crawl http://127.0.0.1:1/ --max-bytes many",
        "crawl http://127.0.0.1:1/ --output /no/such/folder/pages.txt",
        "crawl http://127.0.0.1:1/ --resume /no/such/folder/state.json",
    ] {
        let ran = folder.run(arguments);
        ran.gives(2, "");
        ran.says_first("error: ");
    }
    let ran = folder.must("crawl http://127.0.0.1:1/ --retries 1", 2);
    let refused = "error: http://127.0.0.1:1/robots.txt: connection refused\n";
    assert_eq!(ran.said, refused);
}

#[test]
fn which_sitemaps_of_an_index_are_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["old-index.xml"]),
        "/old-index.xml" => ok(format!(
            "<sitemapindex xmlns='{}'>\
             <sitemap><loc>{home}old.xml</loc><lastmod>2020-01-01</lastmod></sitemap>\
             <sitemap><loc>{home}new.xml</loc><lastmod>2025-03</lastmod></sitemap>\
             <sitemap><loc>{home}plain.xml</loc></sitemap></sitemapindex>",
            served::NAMESPACE
        )),
        path => ok(urlset(pages(home, &path[1..path.len() - 4], 1))),
    });
    // Sitemaps that robots.txt names are always read, and those that the options exclude are not missing.
    for (options, read) in [
        ("", &["new", "old", "plain"][..]),
        ("--sitemaps /new", &["new"]),
        ("--sitemaps /old --sitemaps /new", &["new", "old"]),
        // A month may be any day of it; without a lastmod it may be new.
        ("--sitemaps-since 2025-03-20", &["new", "plain"]),
        ("--sitemaps-since 2025-04-01", &["plain"]),
    ] {
        let ran = site.must(&format!("crawl SITE/ {options}"), 0);
        let expected: Vec<_> = read.iter().map(|name| format!("SITE/{name}/0")).collect();
        assert_eq!(ran.lines(), expected, "{options}");
    }
    site.must("crawl SITE/ --sitemaps-since yesterday", 2);
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
    for arguments in [
        "crawl SITE/",
        // What was skipped may differ.
        "diff SITE/ SITE/ --allow-incomplete",
        "edit SITE/ -o - --allow-incomplete",
    ] {
        let ran = site.must(arguments, 1);
        ran.says("warning: SITE/a.xml: 1 entry cannot be used: ");
        ran.says("warning: SITE/a.xml: 3 values cannot be used, the first at 3:");
        ran.does_not_say("SITE/good.xml");
    }
}

/// Pages that a filter leaves out are neither written nor counted nor requested, also when the crawl continues.
#[test]
fn some_pages_of_a_site() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml"]),
        "/a.xml" => ok(format!(
            "<urlset xmlns='{}'><url><loc>{home}new</loc><lastmod>2025-01-01</lastmod></url>\
             <url><loc>{home}old</loc><lastmod>2020</lastmod></url></urlset>",
            served::NAMESPACE
        )),
        "/b.xml" if asked.before == 0 => status(404),
        "/b.xml" => listing(home, &["blog/b", "c"]),
        "/new" => ok("<!doctype html>"),
        _ => status(500),
    });
    let ran = site.run("crawl SITE/ --since 2024 --retries 0");
    assert_eq!(ran.out, "SITE/new\n", "{ran}");
    ran.says("1 entry in 1 sitemap");
    let ran = site.must("probe SITE/ --since 2024 --delay 0 --retries 0 -f csv", 0);
    assert_eq!((ran.lines().len(), site.count("/old")), (2, 0), "{ran}");

    let folder = Folder::new();
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml"]),
        "/a.xml" => listing(home, &["blog/a", "x"]),
        "/b.xml" if asked.before == 0 => status(404),
        _ => listing(home, &["blog/b", "c"]),
    });
    let crawl = "crawl SITE/ --match /blog/ --resume state.json -o pages.csv --retries 0";
    folder.must_on(&site, crawl, 1);
    let ran = folder.must_on(&site, crawl, 0);
    ran.says("2 entries in 2 sitemaps");
    assert_eq!(
        folder.read("pages.csv").replace(&site.home, "/"),
        "\u{feff}loc,lastmod,changefreq,priority\n/blog/a,,,\n/blog/b,,,\n"
    );
}
