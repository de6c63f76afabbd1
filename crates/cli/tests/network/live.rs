//! `sitemap probe` and `sitemap check` of local sites with all that sites can have.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::folder::Folder;
use crate::served::{
    Answer, Body, NAMESPACE, Ran, Served, begin, gzip, html, http, https, index, listing, ok,
    pages, redirect, robots, signal, sitemaps, status, urlset, with,
};
use serde_json::{Value, json};

/// Without pauses and repetitions.
const HASTY: &str = "--delay 0 --retries 0";

/// robots.txt, an index that lists itself, a gzipped sitemap and one that is missing, and their pages.
fn site() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /private/\n\nUser-agent: probing\nDisallow: /slow\n\nSitemap: {home}index.xml\n"
        )),
        "/index.xml" => sitemaps(home, &["index.xml", "a.xml.gz", "b.xml"]),
        "/a.xml.gz" => {
            let pages = "ok moved gone missing broken noindex noindex-header".split(' ');
            ok(gzip(&urlset(pages.map(|name| format!("{home}{name}")))))
        }
        "/b.xml" => {
            let pages = "ok canonical canonical-header itself private/x file.pdf long late";
            ok(urlset(pages.split(' ').map(|name| format!("{home}{name}"))))
        }
        "/ok" => html("<title>Ok</title><meta name=robots content='max-snippet:20'>"),
        "/moved" => redirect("/ok?from=moved"),
        "/gone" => status(410),
        "/broken" => status(500),
        "/noindex" => html("<meta name='robots' content='NoIndex, follow'>"),
        "/noindex-header" => html("").header("X-Robots-Tag", "noindex"),
        "/canonical" => html("<base href='/sub/'><link rel=canonical href='other'>"),
        "/canonical-header" => {
            html("").header("Link", "<https://www.example.com/c>; rel=\"canonical\"")
        }
        "/itself" => html(&format!("<link rel='canonical' href='{home}itself#top'>")),
        "/file.pdf" => ok("%PDF").header("Content-Type", "application/pdf"),
        // Two megabytes after the head.
        "/long" => with(Body::Stream(|out| {
            out.write_all(b"<html><head><title>Long</title></head><body>")?;
            out.write_all(&vec![b'x'; 2 << 20])
        }))
        .header("Content-Type", "text/html"),
        // A head of more than a megabyte.
        "/late" => {
            let filler = format!("<!--{}-->", "x".repeat(1 << 20));
            html(&format!("{filler}<meta name=robots content=noindex>"))
        }
        _ => status(404),
    })
}

/// The results by the path of the page.
fn results(ran: &Ran) -> BTreeMap<String, Value> {
    let results = ran.values().into_iter().map(|found| {
        let url = found["url"].as_str().unwrap();
        (url.trim_start_matches("SITE").to_owned(), found)
    });
    results.collect()
}

#[test]
fn every_verdict() {
    let site = site();
    let run = |format: &str| site.must(&format!("probe SITE/ {HASTY} --format {format}"), 1);
    let ran = run("jsonl");
    let found = results(&ran);
    let verdicts: Vec<(&str, &str, Option<u64>)> = found
        .iter()
        .map(|(path, found)| {
            let verdict = found["verdict"].as_str().unwrap();
            (path.as_str(), verdict, found["status"].as_u64())
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            ("/broken", "error", Some(500)),
            ("/canonical", "canonical-elsewhere", Some(200)),
            ("/canonical-header", "canonical-elsewhere", Some(200)),
            ("/file.pdf", "ok", Some(200)),
            ("/gone", "missing", Some(410)),
            ("/itself", "ok", Some(200)),
            ("/late", "noindex", Some(200)),
            ("/long", "ok", Some(200)),
            ("/missing", "missing", Some(404)),
            ("/moved", "redirect", Some(302)),
            ("/noindex", "noindex", Some(200)),
            ("/noindex-header", "noindex", Some(200)),
            ("/ok", "ok", Some(200)),
            ("/private/x", "disallowed", None),
        ]
    );
    for (path, field, value) in [
        ("/itself", "canonical", json!("SITE/itself")),
        ("/noindex", "noindex", json!(true)),
        ("/private/x", "disallowed", json!(true)),
        ("/long", "sitemap", json!("SITE/b.xml")),
        // Reading stops at the end of the head, so the size is not known.
        ("/long", "bytes", Value::Null),
        ("/file.pdf", "bytes", json!(4)),
    ] {
        assert_eq!(found[path][field], value, "{path}");
    }
    // A page has the size that the server announces.
    assert!(found["/late"]["bytes"].as_u64().unwrap() > 1 << 20);
    assert!(found["/ok"]["ms"].is_u64());
    let summary = "note: 14 pages: 2 missing, 1 error, 1 redirect, 3 noindex, 2 canonical-elsewhere, 1 disallowed, 4 ok\n";
    ran.says_last(summary);
    // A page is one request, also if it redirects.
    for (path, count) in [
        ("/ok", 1),
        ("/moved", 1),
        ("/file.pdf", 1),
        ("/noindex-header", 1),
        ("/missing", 1),
        ("/broken", 1),
        ("/private/x", 0),
        ("/ok?from=moved", 0),
    ] {
        assert_eq!(site.methods(path), vec!["GET"; count], "{path}");
    }

    assert_eq!(run("table").out, TABLE);
    let csv = run("csv").out;
    let begin = "url,sitemap,status,location,noindex,canonical,disallowed,bytes,ms,verdict,error\n";
    assert!(csv.starts_with(begin), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 14);
    let moved = csv.lines().find(|line| line.starts_with("SITE/moved,"));
    let begin = "SITE/moved,SITE/a.xml.gz,302,SITE/ok?from=moved,false,,false,";
    let is_whole = |line: &str| line.starts_with(begin) && line.ends_with(",redirect,");
    assert!(moved.is_some_and(is_whole), "{moved:?}");
}

const TABLE: &str = "\
verdict              pages
missing                  2
error                    1
redirect                 1
noindex                  3
canonical-elsewhere      2
disallowed               1
ok                       4

verdict              status  page
missing              404     SITE/missing
missing              410     SITE/gone
error                500     SITE/broken (500 Internal Server Error)
redirect             302     SITE/moved → SITE/ok?from=moved
noindex              200     SITE/noindex
noindex              200     SITE/noindex-header
noindex              200     SITE/late
canonical-elsewhere  200     SITE/canonical canonical: SITE/sub/other
canonical-elsewhere  200     SITE/canonical-header canonical: https://www.example.com/c
disallowed           -       SITE/private/x
";

/// From a list of pages, without the sitemaps of the site.
#[test]
fn pages_that_should_be_listed_are_ok() {
    let site = site();
    let folder = Folder::new();
    folder.put("pages.txt", format!("{0}ok\n{0}itself\n{0}ok\n", site.home));
    let ran = folder.run_on(&site, &format!("probe pages.txt {HASTY}"));
    ran.gives(0, "verdict  pages\nok           2\n");
    assert_eq!(ran.said, "note: 2 pages: 2 ok\n");
    // robots.txt may forbid a page to this program alone.
    folder.put("pages.txt", site.at("slow"));
    let probe = format!("probe pages.txt {HASTY} --user-agent probing/2.0 --format jsonl");
    let ran = folder.must_on(&site, &probe, 1);
    assert_eq!(results(&ran)["/slow"]["verdict"], "disallowed");

    folder.put("pages.txt", "");
    folder.must("probe pages.txt", 2);
    let nothing = folder.must("probe no-such-file.xml", 2);
    nothing.says("no-such-file.xml: No such file");
}

/// A warning reports rules that a bound leaves out.
#[test]
fn a_long_robots_txt_is_cut_with_a_warning() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => {
            let rules: String = (0..60_000).map(|n| format!("Disallow: /{n}x\n")).collect();
            ok(format!("Sitemap: {home}s.xml\nUser-agent: *\n{rules}"))
        }
        "/s.xml" => ok(urlset(pages(home, "p", 2))),
        _ => html(""),
    });
    let warning =
        "warning: SITE/robots.txt: longer than 500 KiB; the rules in the rest are ignored\n";
    for command in [&*format!("probe SITE/ {HASTY}"), "check SITE/"] {
        site.must(command, 0).says(warning);
    }
}

#[test]
fn a_user_agent_that_is_no_header_is_rejected() {
    let folder = Folder::new();
    for text in ["a\nb", "", " ", "\u{7f}"] {
        let ran = folder.run_all(&["show", "http://127.0.0.1:1/", "--user-agent", text]);
        assert_eq!(ran.status, 2, "{text:?}");
        ran.says("it is not the value of a header");
    }
}

/// A server that is busy, and one that is not there.
#[test]
fn answers_may_come_later_or_not_at_all() {
    let site = http(|asked, _| match asked.path.as_str() {
        "/busy" if asked.before < 2 => status(503).header("Retry-After", "0"),
        "/busy" => html(""),
        "/cut" => with(Body::Cut(vec![b' '; 5_000], 100)).header("Content-Type", "text/html"),
        _ => status(404),
    });
    let folder = Folder::new();
    let text = format!("{0}busy\n{0}cut\nhttp://127.0.0.1:1/\n", site.home);
    folder.put("pages.txt", text);
    let probe = "probe pages.txt --delay 0 --retries 2 --format jsonl";
    let found = results(&folder.must_on(&site, probe, 1));
    assert_eq!(found["/busy"]["verdict"], "ok");
    // The head may have been in the rest.
    assert_eq!(found["/cut"]["verdict"], "unread");
    let none = &found["http://127.0.0.1:1/"];
    assert_eq!(none["verdict"], "robots");
    assert_eq!(none["status"], Value::Null);
    assert_eq!(none["error"], "robots.txt: connection refused");
}

#[test]
fn a_sample_is_spread_over_the_sitemaps() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/index.xml" => sitemaps(home, &["a.xml", "b.xml"]),
        "/a.xml" => ok(urlset(pages(home, "a", 200))),
        "/b.xml" => ok(urlset(pages(home, "b", 3))),
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let sampled = |options: &str| {
        let probe = format!("probe SITE/index.xml --format jsonl {HASTY} --sample 10 {options}");
        results(&site.must(&probe, 0))
            .into_keys()
            .collect::<Vec<_>>()
    };
    let ten = sampled("");
    assert_eq!(ten.len(), 10);
    assert_eq!(ten.iter().filter(|path| path.starts_with("/b/")).count(), 3);
    assert_eq!(sampled("--jobs 1"), ten);
}

/// Ctrl-C, and then the rest; what could not be requested is requested again.
#[cfg(unix)]
#[test]
fn an_interrupted_run_continues() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => status(404),
        "/s.xml" => ok(urlset(pages(home, "p", 6))),
        // The fourth page does not answer, the first time.
        "/p/3" if asked.before == 0 => {
            std::thread::sleep(Duration::from_secs(5));
            html("")
        }
        "/p/1" if asked.before == 0 => status(500),
        _ => html(""),
    });
    let folder = Folder::new();
    let probe = format!("probe SITE/s.xml --jobs 1 --resume results.jsonl {HASTY}");
    let mut command = site.command_of(&probe);
    command.current_dir(folder.0.path());
    let child = begin(command);
    while site.count("/p/3") == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "INT");
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 130, "{ran}");
    ran.says_last("error: interrupted; 3 pages of 6 were not requested; the same command continues from here\n");
    let kept = folder.read("results.jsonl");
    assert_eq!(kept.lines().count(), 3);
    // As a run that is killed leaves it.
    folder.put("results.jsonl", format!("{kept}{{\"url\":\"htt"));

    let again = folder.must_on(&site, &probe, 0);
    again.says_last("note: 6 pages: 6 ok\n");
    assert_eq!(["/p/0", "/p/1"].map(|path| site.count(path)), [1, 2]);
    assert_eq!(folder.read("results.jsonl").lines().count(), 6);
    folder.run_on(&site, &probe).gives(0, &again.out);
    assert_eq!(site.count("/p/5"), 1);

    // A file of something else is not touched.
    folder.put("results.jsonl", "my notes\n");
    let other = folder.must_on(&site, &probe, 2);
    other.says(".jsonl: line 1 is not a result of `sitemap probe`: ");
    assert_eq!(folder.read("results.jsonl"), "my notes\n");
}

/// One request per second and host by default: two pages of one host take a second.
#[test]
fn hosts_are_not_hurried() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/s.xml" => ok(urlset(pages(home, "p", 2))),
        "/robots.txt" => status(404),
        _ => html(""),
    });
    site.must("probe SITE/s.xml --jobs 2", 0);
    let times = site.times("/p/");
    let pause = times[times.len() - 1] - times[0];
    assert!(pause >= Duration::from_millis(900), "{times:?}");
}

/// A site with every problem that `check` finds in addition to those of single sitemaps.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /private/\nSitemap: {home}index.xml\nSitemap: {home}lost.xml\n"
        )),
        "/index.xml" => {
            let here = [
                "index.xml",
                "nested.xml",
                "a.xml",
                "plain.xml.gz",
                "gone.xml",
            ];
            let there = "http://elsewhere.example/b.xml".to_owned();
            ok(index(
                here.map(|name| format!("{home}{name}"))
                    .into_iter()
                    .chain([there]),
            ))
        }
        "/nested.xml" => sitemaps(home, &["b.xml.gz", "moved.xml", "busy.xml"]),
        "/a.xml" => listing(home, &["1", "private/2", "1"]),
        "/b.xml.gz" => ok(gzip(&urlset([format!("{home}1"), "mailto:me".to_owned()]))),
        "/plain.xml.gz" => listing(home, &["3"]),
        "/moved.xml" => redirect("/a.xml"),
        "/busy.xml" => status(503),
        _ => status(404),
    })
}

/// The findings in the form of `--format short`. Indexes alternate, so the order of their parts depends on the number
/// of jobs, but not on the order of the responses.
const FINDINGS: &str = "\
SITE/index.xml:3:10: error: the index lists itself, `SITE/index.xml` [nested-index]
SITE/index.xml:8:10: warning: `http://elsewhere.example/b.xml` is on a host that is not trusted, so it is not read [part-elsewhere]
SITE/a.xml:4:6: warning: `SITE/private/2` is forbidden by robots.txt to Googlebot and Bingbot [disallowed]
SITE/plain.xml.gz: warning: the name ends in .gz, but the content is not gzipped [not-gzip-but-named-so]
SITE/b.xml.gz:4:11: error: `mailto:me` has a scheme other than http or https; entry skipped [unsupported-scheme]
SITE/index.xml: error: the part `SITE/gone.xml` is missing: 404 Not Found [missing-part]
SITE/index.xml: error: the part `SITE/nested.xml` is an index, too [nested-index]
SITE/nested.xml: error: the part `SITE/busy.xml` cannot be read: 503 Service Unavailable [unreachable-part]
SITE/robots.txt: error: the part `SITE/lost.xml` is missing: 404 Not Found [missing-part]
";

#[test]
fn a_site_is_checked_from_its_robots_txt() {
    let site = faulty();
    let check = "check SITE/ --retries 0 --format";
    for jobs in ["8", "1"] {
        let ran = site.must(&format!("{check} short --jobs {jobs}"), 1);
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(sorted(&ran.out), sorted(FINDINGS), "{ran}");
        assert!(jobs == "1" || ran.out == FINDINGS, "{ran}");
        ran.says_last("note: 5 sitemaps, 14 entries: 6 errors, 3 warnings\n");
    }
    // Each sitemap is requested once per run.
    assert_eq!(site.count("/b.xml.gz"), 2);
    assert_eq!(site.count("/index.xml"), 2);

    let advised = format!("{check} short --advice --allow all --deny duplicate-url");
    let expected = "\
SITE/a.xml:5:6: error: `SITE/1` is already listed on line 3 [duplicate-url]
SITE/b.xml.gz:3:6: error: `SITE/1` is already listed in SITE/a.xml, on line 3 [duplicate-url]
";
    site.run(&advised).gives(1, expected);
    let summed = site.run(&format!("{check} json --summary"));
    let expected = "{\"rule\":\"missing-part\",\"severity\":\"error\",\"sitemaps\":2,\"findings\":2,\"example\":\"SITE/index.xml: the part";
    summed.prints_first(expected);
}

#[test]
fn an_index_is_followed_unless_it_is_not_to_be() {
    let site = faulty();
    let check = "check --retries 0 --format short SITE/";
    let expected = "\
        SITE/b.xml.gz:4:11: error: `mailto:me` has a scheme other than http or https; entry skipped [unsupported-scheme]\n\
        SITE/a.xml:4:6: warning: `SITE/private/2` is forbidden by robots.txt to Googlebot and Bingbot [disallowed]\n\
        SITE/nested.xml: error: the part `SITE/busy.xml` cannot be read: 503 Service Unavailable [unreachable-part]\n";
    site.run(&format!("{check}nested.xml")).gives(1, expected);
    let alone = site.run(&format!("{check}nested.xml --no-follow"));
    alone.gives(0, "");
    alone.says("1 sitemap, 3 entries");
    // An input that was named must exist.
    let lost = site.run(&format!("{check}lost.xml"));
    lost.gives(1, "SITE/lost.xml: error: 404 Not Found [io]\n");
}

#[test]
fn a_site_without_sitemaps_is_told() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok("User-agent: *\nDisallow:\n"),
        "/sitemap_index.xml" => ok(urlset([home.to_owned()])),
        // Error pages with status 200.
        _ => html("<title>Not found</title>"),
    });
    let check = "check --format short SITE/";
    site.run(check).gives(
        0,
        "SITE/robots.txt: warning: robots.txt lists no sitemap [robots-without-sitemap]\n",
    );
    let nothing = http(|_, _| status(404));
    let ran = nothing.run(check);
    ran.gives(
        2,
        "SITE/robots.txt: warning: there is no robots.txt, which should list the sitemaps [robots-without-sitemap]\n",
    );
    ran.says_first("error: SITE/: robots.txt lists no sitemap, and there is no sitemap at SITE/sitemap.xml or ");
    // The message of `show` names the command for sites.
    let note = |name| {
        format!(
            "note: use `sitemap crawl {name}` for the pages of a site, or `sitemap check {name}` to check it\n"
        )
    };
    let shown = nothing.must("show SITE/", 2);
    shown.says_last(&note("SITE/"));
    let no_file = "error: example.com: No such file or directory (os error 2)\n";
    let bare = nothing.must("show example.com", 2);
    assert_eq!(bare.said, format!("{no_file}{}", note("example.com")));
}

/// A server that rejects every request shows nothing about the site.
#[test]
fn a_server_that_refuses_everything_is_said() {
    let site = http(|_, _| status(403));
    let refused = "403 Forbidden for robots.txt and the usual places; the server may refuse this user agent \
        (--user-agent)";
    for command in ["check", "crawl", "report", "probe", "diff SITE/"] {
        // Nothing could be read, and a warning is no error.
        let ran = site.must(&format!("{command} SITE/"), 2);
        ran.says(refused);
        ran.does_not_say("lists no sitemap");
    }
    let ran = site.run("check SITE/ --format short");
    ran.prints_first("SITE/robots.txt: ");
    ran.prints_last(
        ": there is no robots.txt that lists a sitemap: 403 Forbidden [robots-without-sitemap]\n",
    );
}

/// A sitemap that robots.txt lists, or that is in an index that robots.txt lists, may list pages of the entire site,
/// whichever of them is named.
#[test]
fn the_url_of_a_sitemap_is_judged_as_the_site_is() {
    let serve = |robots: fn(&str) -> Answer| {
        http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => robots(home),
            "/sitemap.xml" => sitemaps(home, &["maps/a.xml", "maps/b.xml"]),
            _ => ok(urlset(pages(home, "p", 3))),
        })
    };
    let listed = serve(|home| robots(home, &["sitemap.xml", "maps/news.xml"]));
    for name in ["", "sitemap.xml", "maps/a.xml", "maps/news.xml"] {
        listed
            .run(&format!("check SITE/{name} -f short"))
            .gives(0, "");
    }
    for (site, findings, rule) in [
        // Nothing lists it.
        (&listed, 3, "[outside-location]"),
        (&serve(|_| status(404)), 3, "[outside-location]"),
        // It may list it.
        (&serve(|_| status(500)), 1, "[unreadable-robots]"),
    ] {
        let ran = site.must("check SITE/maps/other.xml -f short", 1);
        assert_eq!(ran.lines().len(), findings, "{ran}");
        ran.prints(rule);
    }
}

/// Sitemaps that --sitemaps leaves out are not a loss.
#[test]
fn a_check_of_some_sitemaps_is_whole() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &["a.xml", "b.xml"]),
        _ => ok(urlset(pages(home, "p", 3))),
    });
    let ran = site.must("check SITE/ --sitemaps a\\.xml", 0);
    let said = "note: 2 sitemaps, 5 entries: no problems found; 1 sitemap was not read: not selected by the options\n";
    assert_eq!(ran.said, said);
    let report = site.must("report SITE/ --sitemaps a\\.xml", 0);
    report.does_not_say("warning");
}

#[test]
fn http_urls_are_no_https_urls() {
    let site = https(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["s.xml"]),
        "/s.xml" => ok(urlset([
            format!("{home}1"),
            format!("{}2", home.replace("https:", "http:")),
        ])),
        _ => status(404),
    });
    let http = site.home.replace("https:", "http:");
    let expected = format!(
        "SITE/s.xml:4:6: error: `{http}2` is http, but the sitemap is at an https URL [http-listed-on-https]\n"
    );
    site.run("check --format short SITE/").gives(1, &expected);
}

/// A body that breaks off has been read up to there.
#[test]
fn a_part_that_breaks_off_is_an_error_at_its_place() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["s.xml"]),
        "/s.xml" => {
            let body = urlset(pages(home, "p", 100));
            let half = body.len() / 2;
            with(Body::Cut(body, half))
        }
        _ => status(404),
    });
    let ran = site.must("check --retries 0 --format short SITE/", 1);
    assert!(ran.out.starts_with("SITE/s.xml:"), "{ran}");
    ran.prints("the response ended early, after");
}

#[test]
fn http_on_the_port_of_https_is_said() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/s.xml", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 1_024]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let shown = Folder::new().must(&format!("show {url} --retries 0"), 2);
    shown.says("use http://");
}

/// Its messages name these options.
#[test]
fn show_has_the_options_for_the_network() {
    let site = http(|_, home| {
        // The root does not arrive in time.
        let slow = Duration::from_millis(200);
        with(Body::Slow(urlset([home.to_owned()]), 4, slow))
    });
    let ran = site.must("show SITE/sitemap.xml --timeout 0.3 --user-agent mine/1", 2);
    ran.says("within 0.3 s (--timeout)");
    let sent = site.header("/sitemap.xml", "user-agent");
    assert_eq!(sent.as_deref(), Some("mine/1"));
}

/// A charset that only the header names is the encoding of the document.
#[test]
fn a_charset_in_the_header_alone() {
    let (latin, utf_8) = ("text/xml; charset=ISO-8859-1", &b"caf\xc3\xa9"[..]);
    for (kind, begin, page, label) in [
        (
            "application/xml; charset=ISO-8859-1",
            "",
            &b"caf\xe9"[..],
            Some("ISO-8859-1"),
        ),
        (
            "text/xml;charset=iso-8859-1",
            "",
            b"caf\xe9",
            Some("iso-8859-1"),
        ),
        (
            "text/xml; Charset=\"windows-1252\"",
            "",
            b"caf\xe9",
            Some("windows-1252"),
        ),
        ("text/xml; charset='latin1'", "", b"caf\xe9", Some("latin1")),
        (
            "text/xml; x=y; charset=ISO-8859-15",
            "",
            b"caf\xe9",
            Some("ISO-8859-15"),
        ),
        // ASCII, the mark of UTF-8, and a declaration, which counts more.
        (latin, "", b"cafe", None),
        (latin, "\u{feff}", utf_8, None),
        (latin, "<?xml version='1.0' encoding='UTF-8'?>", utf_8, None),
        ("text/xml; charset=UTF-8", "", utf_8, None),
        ("text/xml; charset=utf8", "", utf_8, None),
        ("text/xml; charset=utf8mb4", "", utf_8, None),
        ("text/xml", "", utf_8, None),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/a.xml" => {
                let root =
                    format!("<urlset xmlns='{NAMESPACE}'><url><loc>{home}a</loc></url></urlset>");
                let text = [begin.as_bytes(), b"<!-- ", page, b" -->", root.as_bytes()].concat();
                ok(text).header("Content-Type", kind)
            }
            _ => status(404),
        });
        for option in ["", "--no-follow"] {
            let ran = site.must(&format!("check SITE/a.xml --format short {option}"), 0);
            let line = ran.out.lines().find(|line| line.contains("[not-utf-8]"));
            let named = label.map(|label| format!("the document is in {label}, "));
            let is_right = match (line, named) {
                (Some(line), Some(named)) => line.contains(&named),
                (line, named) => line.is_none() && named.is_none(),
            };
            assert!(is_right, "{kind}: {ran}");
        }
    }
}

/// What robots.txt says of sitemaps, against itself.
#[test]
fn robots_txt_and_its_sitemaps() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /maps/\nDisallow: /*.gz$\nAllow: /maps/b.xml\nSitemap: {home}maps/a.xml\nSitemap: {home}index.xml\nSitemap: <{home}c.xml>\n"
        )),
        "/index.xml" => sitemaps(home, &["maps/a.xml", "maps/b.xml", "d.xml.gz"]),
        "/d.xml.gz" => ok(gzip(&urlset(pages(home, "d", 1)))),
        path => ok(urlset(pages(home, path, 1))),
    });
    let ran = site.must("check SITE/ --format short", 1);
    let expected = "\
SITE/robots.txt: warning: line 7, `Sitemap: <SITE/c.xml>`, names no sitemap, because it has no complete URL [robots-sitemap-line]
SITE/robots.txt: error: robots.txt lists `SITE/maps/a.xml`, and forbids it to Googlebot and Bingbot [disallowed-sitemap]
";
    let rest = ran
        .out
        .strip_prefix(expected)
        .unwrap_or_else(|| panic!("{ran}"));
    let rule = "[disallowed-sitemap]";
    let forbidden: Vec<_> = rest.lines().filter(|line| line.contains(rule)).collect();
    assert_eq!(forbidden.len(), 2, "{ran}");
    let is_named = forbidden[0].contains("/index.xml:") && forbidden[1].contains("d.xml.gz");
    assert!(is_named, "{ran}");
}

/// The sitemaps of this site that its robots.txt forbids, each with the robot. robots.txt lists an index, which lists
/// `maps/a.xml`, `maps/news/b.xml.gz` and `c.xml?part=1`.
fn forbidden_sitemaps(rules: &'static str, options: &str) -> Vec<String> {
    const PARTS: [&str; 3] = ["maps/a.xml", "maps/news/b.xml.gz", "c.xml?part=1"];
    let site = http(move |asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("{rules}\nSitemap: {home}index.xml\n")),
        "/index.xml" => sitemaps(home, &PARTS),
        "/maps/news/b.xml.gz" => ok(gzip(&urlset(pages(home, "b", 1)))),
        path => ok(urlset(pages(home, &path[1..2], 1))),
    });
    let ran = site.run(&format!("check SITE/ --format jsonl {options}"));
    let mut found = ran.values();
    let rules_of_robots = ["disallowed-sitemap", "forbids-the-site"];
    found.retain(|found| rules_of_robots.contains(&found["rule"].as_str().unwrap()));
    let is_error = found.iter().any(|value| value["severity"] == "error");
    assert_eq!(ran.status, i32::from(is_error), "{rules}: {ran}");
    for part in PARTS {
        let count = site.count(&format!("/{part}"));
        assert!(count > 0, "{rules}: {part} is not read");
    }
    let short = |found: &Value| {
        let message = found["message"].as_str().unwrap();
        let robot = message.rsplit(" to ").next().unwrap();
        let robot = robot.replace("Googlebot and Bingbot", "*");
        let Some(url) = message.split('`').nth(1) else {
            return format!("site {robot}");
        };
        format!("{} {robot}", url.strip_prefix("SITE/").unwrap())
    };
    let mut short: Vec<_> = found.iter().map(short).collect();
    short.sort();
    short
}

#[test]
fn sitemaps_that_robots_txt_forbids() {
    let (a, b, c) = ("maps/a.xml *", "maps/news/b.xml.gz *", "c.xml?part=1 *");
    for (rules, expected) in [
        ("User-agent: *\nDisallow: /", &["site *"][..]),
        ("User-agent: other\nUSER-AGENT: *\ndisallow: /", &["site *"]),
        // A folder, and a part of it that is allowed: the longest rule decides, and of two the one that allows.
        ("User-agent: *\nDisallow: /maps/", &[a, b]),
        ("User-agent: *\nDisallow: /maps/\nAllow: /maps/news/", &[a]),
        ("User-agent: *\nAllow: /maps\nDisallow: /maps/news", &[b]),
        (
            "User-agent: *\nDisallow: /maps/a.xml\nAllow: /maps/a.xml",
            &[],
        ),
        ("User-agent: *\nDisallow: /\nAllow: /*.xml", &[]),
        ("User-agent: *\nDisallow: /\nAllow: /*.xml$", &[c, b]),
        // Wildcards, and the end of a path.
        ("User-agent: *\nDisallow: /*.gz$", &[b]),
        ("User-agent: *\nDisallow: /*.xml$", &["index.xml *", a]),
        ("User-agent: *\nDisallow: /*?", &[c]),
        ("User-agent: *\nDisallow: /m%61ps/*/b", &[b]),
        // Several groups for all robots count together.
        (
            "User-agent: *\nDisallow: /c\n\nUser-agent: *\nDisallow: /maps/a",
            &[c, a],
        ),
        // Valid neighbours.
        ("User-agent: *\nDisallow:", &[]),
        ("User-agent: *\nDisallow: /map$\nDisallow: /MAPS/", &[]),
        (
            "User-agent: *\nDisallow: /maps/a.xml.gz\nDisallow: /maps/*.gz.",
            &[],
        ),
        ("User-agent: Googlebot\nDisallow: /", &["site Googlebot"]),
        ("User-agent: quick-sitemaps\nDisallow: /", &[]),
        ("Disallow: /", &[]),
        ("# User-agent: *\n# Disallow: /", &[]),
    ] {
        assert_eq!(forbidden_sitemaps(rules, ""), expected, "{rules}");
    }
    // The robot that is named, beside all robots.
    let (a, b, c) = (
        "maps/a.xml Googlebot",
        "maps/news/b.xml.gz Googlebot",
        "c.xml?part=1 Googlebot",
    );
    for (rules, expected) in [
        ("User-agent: googlebot\nDisallow: /maps/", &[a, b][..]),
        ("User-agent: a\nUser-agent: Googlebot/2\nDisallow: /c", &[c]),
        (
            "User-agent: *\nDisallow: /c\n\nUser-agent: Googlebot\nDisallow: /index",
            &["index.xml Googlebot"],
        ),
        ("User-agent: Googlebot-News\nDisallow: /", &[]),
        ("User-agent: quick-sitemap\nDisallow: /", &[]),
        (
            "User-agent: Googlebot\nDisallow: /maps/\nAllow: /maps/*",
            &[],
        ),
    ] {
        let google = "--user-agent Googlebot/2.1+(http://www.google.com/bot.html)";
        assert_eq!(forbidden_sitemaps(rules, google), expected, "{rules}");
    }
}

/// A server that answers every request with a page, redirects to pages, and codings that nobody asked for.
#[test]
fn what_is_no_sitemap_is_said_to_be_that() {
    let site = http(|_, _| ok("<!doctype html><html><body>Hello</body></html>"));
    let ran = site.must("check SITE/", 2);
    ran.says("answers with an HTML page for robots.txt and for all usual places");
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml", "c.xml", "d.xml", "e.xml"]),
        "/a.xml" => redirect("/login"),
        "/login" => ok("<!doctype html>\n<html><body>Log in</body></html>"),
        "/b.xml" => redirect("/b.xml"),
        "/c.xml" => redirect(""),
        "/d.xml" => ok([1, 2, 3, 4].to_vec()).header("Content-Encoding", "deflate"),
        _ => redirect("/caf\u{e9}.xml"),
    });
    let ran = site.run("check SITE/ --format short --retries 0");
    for expected in [
        "SITE/login:2:1: error: root element `html` is not that of a sitemap; `SITE/a.xml` redirects here [unknown-root]",
        "the part `SITE/b.xml` cannot be read: redirects to itself",
        "the part `SITE/c.xml` cannot be read: 302 with an empty Location",
        "it is in the unknown coding `deflate` (Content-Encoding)",
    ] {
        ran.prints(expected);
    }
    assert_eq!(ran.out.matches("SITE/login").count(), 1, "{ran}");
    assert!(site.count("/caf%C3%A9.xml") > 0, "{:?}", site.paths());
    assert_eq!(site.count("/b.xml"), 1);
}
