//! `sitemap probe` and `sitemap check` of local sites with all that sites can have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::ended::ended;
use crate::folder::Folder;
use crate::served::{
    self, Answer, Body, Served, gzip, http, index, ok, pages, redirect, status, urlset, with,
};
use serde_json::Value;

/// Without pauses and repetitions.
const HASTY: [&str; 4] = ["--delay", "0", "--retries", "0"];

fn html(head: &str) -> Answer {
    ok(format!(
        "<!doctype html><html><head>{head}</head><body>Hello</body></html>"
    ))
    .header("Content-Type", "text/html; charset=utf-8")
}

/// robots.txt, an index that lists itself, a gzipped sitemap and one that is missing, and their pages.
fn site() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /private/\n\nUser-agent: probing\nDisallow: /slow\n\nSitemap: {home}index.xml\n"
        )),
        "/index.xml" => ok(index(
            ["index.xml", "a.xml.gz", "b.xml"].map(|name| format!("{home}{name}")),
        )),
        "/a.xml.gz" => ok(gzip(&urlset(
            [
                "ok",
                "moved",
                "gone",
                "missing",
                "broken",
                "noindex",
                "noindex-header",
            ]
            .map(|name| format!("{home}{name}")),
        ))),
        "/b.xml" => ok(urlset(
            [
                "ok",
                "canonical",
                "canonical-header",
                "itself",
                "private/x",
                "file.pdf",
                "long",
                "late",
            ]
            .map(|name| format!("{home}{name}")),
        )),
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
fn results(text: &str) -> BTreeMap<String, Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .map(|found: Value| {
            let path = found["url"]
                .as_str()
                .unwrap()
                .trim_start_matches("SITE")
                .to_owned();
            (path, found)
        })
        .collect()
}

#[test]
fn every_verdict() {
    let site = site();
    let run = |format: &str| {
        let arguments = [&["probe", &site.home, "--format", format], &HASTY[..]].concat();
        site.run(&arguments)
    };
    let ran = run("jsonl");
    assert_eq!(ran.status, 1, "{}", ran.said);
    let found = results(&ran.out);
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
    assert_eq!(found["/moved"]["location"], "SITE/ok?from=moved");
    assert_eq!(found["/canonical"]["canonical"], "SITE/sub/other");
    assert_eq!(
        found["/canonical-header"]["canonical"],
        "https://www.example.com/c"
    );
    assert_eq!(found["/itself"]["canonical"], "SITE/itself");
    assert_eq!(found["/noindex"]["noindex"], true);
    assert_eq!(found["/private/x"]["disallowed"], true);
    assert_eq!(found["/moved"]["sitemap"], "SITE/a.xml.gz");
    assert_eq!(found["/long"]["sitemap"], "SITE/b.xml");
    // Reading stops at the end of the head, so the size is not known.
    assert_eq!(found["/long"]["bytes"], Value::Null);
    assert_eq!(found["/file.pdf"]["bytes"], 4);
    // A page has the size that the server announces.
    assert!(found["/late"]["bytes"].as_u64().unwrap() > 1 << 20);
    assert!(found["/ok"]["ms"].is_u64());
    assert!(
        ran.said.ends_with(
            "note: 14 pages: 2 missing, 1 error, 1 redirect, 3 noindex, 2 canonical-elsewhere, 1 disallowed, 4 ok\n"
        ),
        "{}",
        ran.said
    );
    // A page is one request.
    let methods = |path: &str| site.methods(path);
    for path in [
        "/ok",
        "/moved",
        "/file.pdf",
        "/noindex-header",
        "/missing",
        "/broken",
    ] {
        assert_eq!(methods(path), ["GET"], "{path}");
    }
    assert!(methods("/private/x").is_empty());
    // Redirects are not followed.
    assert!(methods("/ok?from=moved").is_empty());

    let table = run("table");
    assert_eq!(table.status, 1);
    assert_eq!(table.out, TABLE);
    let csv = run("csv");
    let mut lines: Vec<&str> = csv.out.lines().collect();
    assert_eq!(
        lines.remove(0),
        "url,sitemap,status,location,noindex,canonical,disallowed,bytes,ms,verdict,error"
    );
    assert_eq!(lines.len(), 14);
    let moved = lines
        .iter()
        .find(|line| line.starts_with("SITE/moved,"))
        .unwrap();
    assert!(
        moved.starts_with("SITE/moved,SITE/a.xml.gz,302,SITE/ok?from=moved,false,,false,"),
        "{moved}"
    );
    assert!(moved.ends_with(",redirect,"), "{moved}");
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
    let list = folder.path("pages.txt");
    fs::write(&list, format!("{0}ok\n{0}itself\n{0}ok\n", site.home)).unwrap();
    let list = list.to_str().unwrap();
    let arguments = [&["probe", list], &HASTY[..]].concat();
    let ran = site.run(&arguments);
    assert_eq!(
        (ran.status, ran.said.as_str()),
        (0, "note: 2 pages: 2 ok\n"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out, "verdict  pages\nok           2\n");
    // robots.txt may forbid a page to this program alone.
    fs::write(list, format!("{}slow\n", site.home)).unwrap();
    let arguments = [
        &arguments[..],
        &["--user-agent", "probing/2.0", "--format", "jsonl"],
    ]
    .concat();
    let ran = site.run(&arguments);
    assert_eq!(ran.status, 1);
    assert_eq!(results(&ran.out)["/slow"]["verdict"], "disallowed");

    fs::write(list, "").unwrap();
    let empty = site.run(&["probe", list]);
    assert_eq!(empty.status, 2, "{}", empty.said);
    let nothing = site.run(&["probe", "no-such-file.xml"]);
    assert_eq!(nothing.status, 2);
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
    let probe = [&["probe", &site.home], &HASTY[..]].concat();
    for arguments in [&probe[..], &["check", &site.home]] {
        let ran = site.run(arguments);
        assert_eq!(ran.status, 0, "{}", ran.said);
        let warning =
            "warning: SITE/robots.txt: longer than 500 KiB; the rules in the rest are ignored\n";
        ran.says(warning);
    }
}

#[test]
fn a_user_agent_that_is_no_header_is_rejected() {
    for text in ["a\nb", "", " ", "\u{7f}"] {
        let ran = served::sitemap(&["show", "http://127.0.0.1:1/", "--user-agent", text]).output();
        let ran = ran.unwrap();
        assert_eq!(ran.status.code(), Some(2), "{text:?}");
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(said.contains("it is not the value of a header"), "{said}");
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
    let list = folder.path("pages.txt");
    let text = format!("{0}busy\n{0}cut\nhttp://127.0.0.1:1/\n", site.home);
    fs::write(&list, text).unwrap();
    let ran = site.run(&[
        "probe",
        list.to_str().unwrap(),
        "--delay",
        "0",
        "--retries",
        "2",
        "--format",
        "jsonl",
    ]);
    assert_eq!(ran.status, 1, "{}", ran.said);
    let found = results(&ran.out);
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
        "/index.xml" => ok(index(
            ["a.xml", "b.xml"].map(|name| format!("{home}{name}")),
        )),
        "/a.xml" => ok(urlset((0..200).map(|page| format!("{home}a/{page}")))),
        "/b.xml" => ok(urlset((0..3).map(|page| format!("{home}b/{page}")))),
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let sampled = |arguments: &[&str]| {
        let index = site.at("index.xml");
        let common = [
            &["probe", &index, "--format", "jsonl"],
            &HASTY[..],
            arguments,
        ]
        .concat();
        let ran = site.run(&common);
        assert_eq!(ran.status, 0, "{}", ran.said);
        results(&ran.out).into_keys().collect::<Vec<_>>()
    };
    let ten = sampled(&["--sample", "10"]);
    assert_eq!(ten.len(), 10);
    assert_eq!(ten.iter().filter(|path| path.starts_with("/b/")).count(), 3);
    assert_eq!(sampled(&["--sample", "10", "--jobs", "1"]), ten);
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
    let state = folder.path("results.jsonl");
    let sitemap = site.at("s.xml");
    let mut arguments = [&["probe", &sitemap, "--jobs", "1", "--resume"][..], &HASTY].concat();
    arguments.insert(5, state.to_str().unwrap());
    let child = site
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while site.count("/p/3") == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let ran = served::Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 130, "{}", ran.said);
    assert!(
        ran.said.ends_with(
            "error: interrupted; 3 pages of 6 were not requested; the same command continues from here\n"
        ),
        "{}",
        ran.said
    );
    let kept = fs::read_to_string(&state).unwrap();
    assert_eq!(kept.lines().count(), 3);
    // As a run that is killed leaves it.
    fs::write(&state, format!("{kept}{{\"url\":\"htt")).unwrap();

    let again = site.run(&arguments);
    assert_eq!(again.status, 0, "{}", again.said);
    assert!(
        again.said.ends_with("note: 6 pages: 6 ok\n"),
        "{}",
        again.said
    );
    assert_eq!(site.methods("/p/0"), ["GET"]);
    assert_eq!(site.methods("/p/1"), ["GET", "GET"]);
    assert_eq!(fs::read_to_string(&state).unwrap().lines().count(), 6);
    let all = site.run(&arguments);
    assert_eq!((all.status, all.out), (0, again.out));
    assert_eq!(site.methods("/p/5"), ["GET"]);

    // A file of something else is not touched.
    fs::write(&state, "my notes\n").unwrap();
    let other = site.run(&arguments);
    assert_eq!(other.status, 2);
    other.says(".jsonl: line 1 is not a result of `sitemap probe`: ");
    assert_eq!(fs::read_to_string(&state).unwrap(), "my notes\n");
}

/// One request per second and host by default: two pages of one host take a second.
#[test]
fn hosts_are_not_hurried() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/s.xml" => ok(urlset(pages(home, "p", 2))),
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let mut child = site
        .command(&["probe", &site.at("s.xml"), "--jobs", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(ended(&mut child).success());
    let times = site.times("/p/");
    let firsts = [times[0], *times.last().unwrap()];
    assert!(
        firsts[1] - firsts[0] >= Duration::from_millis(900),
        "{times:?}"
    );
}

/// A site with every problem that `check` finds in addition to those of single sitemaps.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /private/\nSitemap: {home}index.xml\nSitemap: {home}lost.xml\n"
        )),
        "/index.xml" => ok(index([
            format!("{home}index.xml"),
            format!("{home}nested.xml"),
            format!("{home}a.xml"),
            format!("{home}plain.xml.gz"),
            format!("{home}gone.xml"),
            "http://elsewhere.example/b.xml".to_owned(),
        ])),
        "/nested.xml" => ok(index(
            ["b.xml.gz", "moved.xml", "busy.xml"].map(|name| format!("{home}{name}")),
        )),
        "/a.xml" => ok(urlset(
            ["1", "private/2", "1"].map(|page| format!("{home}{page}")),
        )),
        "/b.xml.gz" => ok(gzip(&urlset([format!("{home}1"), "mailto:me".to_owned()]))),
        "/plain.xml.gz" => ok(urlset([format!("{home}3")])),
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
    let run = |arguments: &[&str]| {
        let common = ["check", "--retries", "0", "--format", "short"];
        site.run(&[&common[..], arguments].concat())
    };
    for jobs in ["8", "1"] {
        let ran = run(&[&site.home, "--jobs", jobs]);
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(sorted(&ran.out), sorted(FINDINGS), "{}", ran.said);
        assert!(jobs == "1" || ran.out == FINDINGS, "{}", ran.out);
        assert_eq!(ran.status, 1);
        assert!(
            ran.said
                .ends_with("note: 5 sitemaps, 14 entries: 6 errors, 3 warnings\n"),
            "{}",
            ran.said
        );
    }
    // Each sitemap is requested once per run.
    assert_eq!(site.count("/b.xml.gz"), 2);
    assert_eq!(site.count("/index.xml"), 2);

    let advised = run(&[
        &site.home,
        "--advice",
        "--allow",
        "all",
        "--deny",
        "duplicate-url",
    ]);
    let twice: Vec<&str> = advised.out.lines().collect();
    assert_eq!(
        twice,
        [
            "SITE/a.xml:5:6: error: `SITE/1` is already listed on line 3 [duplicate-url]",
            "SITE/b.xml.gz:3:6: error: `SITE/1` is already listed in SITE/a.xml, on line 3 [duplicate-url]",
        ]
    );
    let summed = site.run(&[
        "check",
        &site.home,
        "--retries",
        "0",
        "--format",
        "json",
        "--summary",
    ]);
    assert!(
        summed.out.starts_with(
            "{\"rule\":\"missing-part\",\"severity\":\"error\",\"sitemaps\":2,\"findings\":2,\"example\":\"SITE/index.xml: the part"
        ),
        "{}",
        summed.out
    );
}

#[test]
fn an_index_is_followed_unless_it_is_not_to_be() {
    let site = faulty();
    let index = site.at("nested.xml");
    let common = ["check", "--retries", "0", "--format", "short", &index];
    let followed = site.run(&common);
    let expected = "\
        SITE/b.xml.gz:4:11: error: `mailto:me` has a scheme other than http or https; entry skipped [unsupported-scheme]\n\
        SITE/a.xml:4:6: warning: `SITE/private/2` is forbidden by robots.txt to Googlebot and Bingbot [disallowed]\n\
        SITE/nested.xml: error: the part `SITE/busy.xml` cannot be read: 503 Service Unavailable [unreachable-part]\n";
    assert_eq!(followed.out, expected, "{}", followed.said);
    let alone = site.run(&[&common[..], &["--no-follow"]].concat());
    assert_eq!((alone.status, alone.out.as_str()), (0, ""));
    alone.says("1 sitemap, 3 entries");
    // An input that was named must exist.
    let lost = site.run(&["check", "--format", "short", &site.at("lost.xml")]);
    assert_eq!(lost.status, 1);
    assert_eq!(lost.out, "SITE/lost.xml: error: 404 Not Found [io]\n");
}

#[test]
fn a_site_without_sitemaps_is_told() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok("User-agent: *\nDisallow:\n"),
        "/sitemap_index.xml" => ok(urlset([home.to_owned()])),
        // Error pages with status 200.
        _ => html("<title>Not found</title>"),
    });
    let ran = site.run(&["check", "--format", "short", &site.home]);
    let expected =
        "SITE/robots.txt: warning: robots.txt lists no sitemap [robots-without-sitemap]\n";
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, expected),
        "{}",
        ran.said
    );
    let nothing = http(|_, _| status(404));
    let ran = nothing.run(&["check", "--format", "short", &nothing.home]);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.out,
        "SITE/robots.txt: warning: there is no robots.txt, which should list the sitemaps [robots-without-sitemap]\n"
    );
    assert!(
        ran.said.starts_with(
            "error: SITE/: robots.txt lists no sitemap, and there is no sitemap at SITE/sitemap.xml or "
        ),
        "{}",
        ran.said
    );
    // The message of `show` names the command for sites.
    let shown = nothing.run(&["show", &nothing.home]);
    assert_eq!(shown.status, 2);
    assert!(
        shown.said.ends_with("note: use `sitemap crawl SITE/` for the pages of a site, or `sitemap check SITE/` to check it\n"),
        "{}",
        shown.said
    );
    let bare = nothing.run(&["show", "example.com"]);
    assert_eq!(bare.status, 2);
    assert_eq!(
        bare.said,
        "error: example.com: No such file or directory (os error 2)\n\
         note: use `sitemap crawl example.com` for the pages of a site, or `sitemap check example.com` to check it\n"
    );
}

/// A server that rejects every request shows nothing about the site.
#[test]
fn a_server_that_refuses_everything_is_said() {
    let site = http(|_, _| status(403));
    let refused = "403 Forbidden for robots.txt and the usual places; the server may refuse this user agent \
        (--user-agent)";
    for command in ["check", "crawl", "report", "probe", "diff"] {
        let mut arguments = vec![command, &site.home];
        if command == "diff" {
            arguments.push(&site.home);
        }
        let ran = site.run(&arguments);
        // Nothing could be read, and a warning is no error.
        assert_eq!(ran.status, 2, "{command}: {}", ran.said);
        assert!(ran.said.contains(refused), "{command}: {}", ran.said);
        ran.does_not_say("lists no sitemap");
    }
    let ran = site.run(&["check", &site.home, "--format", "short"]);
    assert!(ran.out.starts_with("SITE/robots.txt: "), "{}", ran.out);
    assert!(
        ran.out
            .ends_with(": there is no robots.txt that lists a sitemap: 403 Forbidden [robots-without-sitemap]\n"),
        "{}",
        ran.out
    );
}

/// A sitemap that robots.txt lists, or that is in an index that robots.txt lists, may list pages of the entire site,
/// whichever of them is named.
#[test]
fn the_url_of_a_sitemap_is_judged_as_the_site_is() {
    let serve = |robots: fn(&str) -> Answer| {
        http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => robots(home),
            "/sitemap.xml" => ok(index(
                ["maps/a.xml", "maps/b.xml"].map(|name| format!("{home}{name}")),
            )),
            _ => ok(urlset(pages(home, "p", 3))),
        })
    };
    let check = |site: &Served, name: &str| site.run(&["check", &site.at(name), "-f", "short"]);
    let listed = serve(|home| {
        ok(format!(
            "Sitemap: {home}sitemap.xml\nSitemap: {home}maps/news.xml\n"
        ))
    });
    for name in ["", "sitemap.xml", "maps/a.xml", "maps/news.xml"] {
        let ran = check(&listed, name);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (0, ""),
            "{name}: {}",
            ran.said
        );
    }
    // Nothing lists it.
    for site in [&listed, &serve(|_| status(404))] {
        let ran = check(site, "maps/other.xml");
        assert_eq!((ran.status, ran.lines().len()), (1, 3), "{}", ran.out);
        assert!(ran.out.contains("[outside-location]"), "{}", ran.out);
    }
    // It may list it.
    let ran = check(&serve(|_| status(500)), "maps/other.xml");
    assert_eq!((ran.status, ran.lines().len()), (1, 1), "{}", ran.out);
    assert!(ran.out.contains("[unreadable-robots]"), "{}", ran.out);
}

/// Sitemaps that --sitemaps leaves out are not a loss.
#[test]
fn a_check_of_some_sitemaps_is_whole() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(
            ["a.xml", "b.xml"].map(|name| format!("{home}{name}")),
        )),
        _ => ok(urlset(pages(home, "p", 3))),
    });
    let ran = site.run(&["check", &site.home, "--sitemaps", "a\\.xml"]);
    let said = "note: 2 sitemaps, 5 entries: no problems found; 1 sitemap was not read: not selected by the options\n";
    assert_eq!((ran.status, ran.said.as_str()), (0, said));
}

#[test]
fn http_urls_are_no_https_urls() {
    let site = served::https(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}s.xml\n")),
        "/s.xml" => ok(urlset([
            format!("{home}1"),
            format!("{}2", home.replace("https:", "http:")),
        ])),
        _ => status(404),
    });
    let ran = site.run(&["check", "--format", "short", &site.home]);
    let http = site.home.replace("https:", "http:");
    assert_eq!(
        ran.out,
        format!(
            "SITE/s.xml:4:6: error: `{http}2` is http, but the sitemap is at an https URL [http-listed-on-https]\n"
        ),
        "{}",
        ran.said
    );
    assert_eq!(ran.status, 1);
}

/// A body that breaks off has been read up to there.
#[test]
fn a_part_that_breaks_off_is_an_error_at_its_place() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}s.xml\n")),
        "/s.xml" => {
            let body = urlset(pages(home, "p", 100));
            let half = body.len() / 2;
            with(Body::Cut(body, half))
        }
        _ => status(404),
    });
    let ran = site.run(&["check", "--retries", "0", "--format", "short", &site.home]);
    assert_eq!(ran.status, 1, "{}", ran.said);
    assert!(ran.out.starts_with("SITE/s.xml:"), "{}", ran.out);
    assert!(
        ran.out.contains("the response ended early, after"),
        "{}",
        ran.out
    );
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
    let shown = served::sitemap(&["show", &url, "--retries", "0"]).output();
    let shown = shown.unwrap();
    assert_eq!(shown.status.code(), Some(2));
    let said = String::from_utf8(shown.stderr).unwrap();
    assert!(said.contains("use http://"), "{said}");
}

/// Its messages name these options.
#[test]
fn show_has_the_options_for_the_network() {
    let site = http(|_, home| Answer {
        // The root does not arrive in time.
        body: Body::Slow(urlset([home.to_owned()]), 4, Duration::from_millis(200)),
        ..ok("")
    });
    let url = site.at("sitemap.xml");
    let ran = site.run(&["show", &url, "--timeout", "0.3", "--user-agent", "mine/1"]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    ran.says("within 0.3 s (--timeout)");
    let sent = site.header("/sitemap.xml", "user-agent");
    assert_eq!(sent.as_deref(), Some("mine/1"));
}

/// A bound that left something out shows in the status of both commands; what the user left out does not.
#[test]
fn check_and_report_say_the_same_of_what_was_left_out() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(
            ["a", "b", "c"].map(|name| format!("{home}{name}.xml")),
        )),
        path => ok(urlset(pages(home, path, 2))),
    });
    let run = |command: &str, arguments: &[&str]| {
        site.run(&[&[command, &site.home][..], arguments].concat())
    };
    for command in ["check", "report"] {
        assert_eq!(run(command, &[]).status, 0);
        for bound in [["--max-sitemaps", "2"], ["--max-pages", "1"]] {
            let ran = run(command, &bound);
            assert_eq!(ran.status, 1, "{command} {bound:?}: {}", ran.said);
        }
        let ran = run(command, &["--sitemaps", "a.xml"]);
        assert_eq!(
            (ran.status, ran.said.contains("warning")),
            (0, false),
            "{}",
            ran.said
        );
    }
    for jobs in ["1", "8"] {
        let arguments = ["--max-pages", "1", "--jobs", jobs, "--format", "json"];
        let report: Value = serde_json::from_str(&run("report", &arguments).out).unwrap();
        assert_eq!(report["totals"]["pages"], 1, "{jobs} jobs");
    }
}

/// A charset that only the header names is the encoding of the document.
#[test]
fn a_charset_in_the_header_alone() {
    let check = |kind: &'static str, begin: &'static [u8], page: &'static [u8]| {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/a.xml" => {
                let comment = [begin, b"<!-- ", page, b" -->"].concat();
                let text = format!(
                    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{home}a</loc></url></urlset>"
                );
                let text = [&comment[..], text.as_bytes()].concat();
                ok(text).header("Content-Type", kind)
            }
            _ => status(404),
        });
        let ran = site.run(&["check", &site.at("a.xml"), "--format", "short"]);
        assert_eq!(ran.status, 0, "{kind}: {ran:?}");
        let line = ran.out.lines().find(|line| line.contains("[not-utf-8]"));
        line.map(str::to_owned)
    };
    for (kind, label) in [
        ("application/xml; charset=ISO-8859-1", "ISO-8859-1"),
        ("text/xml;charset=iso-8859-1", "iso-8859-1"),
        ("text/xml; Charset=\"windows-1252\"", "windows-1252"),
        ("text/xml; charset='latin1'", "latin1"),
        ("text/xml; x=y; charset=ISO-8859-15", "ISO-8859-15"),
    ] {
        let line = check(kind, b"", b"caf\xe9").unwrap_or_default();
        assert!(
            line.contains(&format!("the document is in {label}, ")),
            "{kind}: {line}"
        );
    }
    let (latin, utf_8) = ("text/xml; charset=ISO-8859-1", "caf\u{e9}".as_bytes());
    for (kind, begin, page) in [
        // ASCII, the mark of UTF-8, and a declaration, which counts more.
        (latin, &b""[..], &b"cafe"[..]),
        (latin, b"\xef\xbb\xbf", utf_8),
        (latin, b"<?xml version='1.0' encoding='UTF-8'?>", utf_8),
        ("text/xml; charset=UTF-8", b"", utf_8),
        ("text/xml; charset=utf8", b"", utf_8),
        ("text/xml; charset=utf8mb4", b"", utf_8),
        ("text/xml", b"", utf_8),
    ] {
        assert_eq!(check(kind, begin, page), None, "{kind}");
    }
}

/// What robots.txt says of sitemaps, against itself.
#[test]
fn robots_txt_and_its_sitemaps() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /maps/\nDisallow: /*.gz$\nAllow: /maps/b.xml\nSitemap: {home}maps/a.xml\nSitemap: {home}index.xml\nSitemap: <{home}c.xml>\n"
        )),
        "/index.xml" => ok(index(
            ["maps/a.xml", "maps/b.xml", "d.xml.gz"].map(|name| format!("{home}{name}")),
        )),
        "/d.xml.gz" => ok(gzip(&urlset(pages(home, "d", 1)))),
        path => ok(urlset(pages(home, path, 1))),
    });
    let ran = site.run(&["check", &site.home, "--format", "short"]);
    let expected = "\
SITE/robots.txt: warning: line 7, `Sitemap: <SITE/c.xml>`, names no sitemap, because it has no complete URL [robots-sitemap-line]
SITE/robots.txt: error: robots.txt lists `SITE/maps/a.xml`, and forbids it to Googlebot and Bingbot [disallowed-sitemap]
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    let rest = ran.out.lines().skip(2);
    let forbidden: Vec<_> = rest
        .filter(|line| line.contains("[disallowed-sitemap]"))
        .collect();
    assert_eq!(forbidden.len(), 2, "{}", ran.out);
    assert!(
        forbidden[0].contains("/index.xml:") && forbidden[1].contains("d.xml.gz"),
        "{}",
        ran.out
    );
    assert_eq!(ran.status, 1);
}

/// The sitemaps of this site that its robots.txt forbids, each with the robot. robots.txt lists an index, which lists
/// `maps/a.xml`, `maps/news/b.xml.gz` and `c.xml?part=1`.
fn forbidden_sitemaps(rules: &'static str, arguments: &[&str]) -> Vec<String> {
    const PARTS: [&str; 3] = ["maps/a.xml", "maps/news/b.xml.gz", "c.xml?part=1"];
    let site = http(move |asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("{rules}\nSitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(PARTS.map(|name| format!("{home}{name}")))),
        "/maps/news/b.xml.gz" => ok(gzip(&urlset(pages(home, "b", 1)))),
        path => ok(urlset(pages(home, &path[1..2], 1))),
    });
    let ran = site.run(&[&["check", &site.home, "--format", "jsonl"], arguments].concat());
    let found = ran.out.lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        value
    });
    let rules_of_robots = ["disallowed-sitemap", "forbids-the-site"];
    let found = found.filter(|value| rules_of_robots.contains(&value["rule"].as_str().unwrap()));
    let found: Vec<_> = found.collect();
    let is_error = found.iter().any(|value| value["severity"] == "error");
    let messages = found
        .iter()
        .map(|value| value["message"].as_str().unwrap().to_owned());
    let messages: Vec<_> = messages.collect();
    for part in PARTS {
        let path = format!("/{part}");
        assert!(site.paths().contains(&path), "{rules}: {path} is not read");
    }
    assert_eq!(ran.status, i32::from(is_error), "{rules}: {}", ran.said);
    let mut short: Vec<_> = messages
        .iter()
        .map(|message| {
            let robot = message.rsplit(" to ").next().unwrap();
            let robot = robot.replace("Googlebot and Bingbot", "*");
            let Some(url) = message.split('`').nth(1) else {
                return format!("site {robot}");
            };
            let name = url.strip_prefix("SITE/").or(url.strip_prefix(&*site.home));
            format!("{} {robot}", name.unwrap())
        })
        .collect();
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
        assert_eq!(forbidden_sitemaps(rules, &[]), expected, "{rules}");
    }
    // The robot that is named, beside all robots.
    let google = [
        "--user-agent",
        "Googlebot/2.1 (+http://www.google.com/bot.html)",
    ];
    for (rules, expected) in [
        (
            "User-agent: googlebot\nDisallow: /maps/",
            &["maps/a.xml Googlebot", "maps/news/b.xml.gz Googlebot"][..],
        ),
        (
            "User-agent: a\nUser-agent: Googlebot/2\nDisallow: /c",
            &["c.xml?part=1 Googlebot"],
        ),
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
        assert_eq!(forbidden_sitemaps(rules, &google), expected, "{rules}");
    }
}

/// A server that answers every request with a page, redirects to pages, and codings that nobody asked for.
#[test]
fn what_is_no_sitemap_is_said_to_be_that() {
    let site = http(|_, _| ok("<!doctype html><html><body>Hello</body></html>"));
    let ran = site.run(&["check", &site.home]);
    assert_eq!(ran.status, 2);
    ran.says("answers with an HTML page for robots.txt and for all usual places");
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "Sitemap: {home}a.xml\nSitemap: {home}b.xml\nSitemap: {home}c.xml\nSitemap: {home}d.xml\nSitemap: {home}e.xml\n"
        )),
        "/a.xml" => redirect("/login"),
        "/login" => ok("<!doctype html>\n<html><body>Log in</body></html>"),
        "/b.xml" => redirect("/b.xml"),
        "/c.xml" => redirect(""),
        "/d.xml" => ok([1, 2, 3, 4].to_vec()).header("Content-Encoding", "deflate"),
        _ => redirect("/caf\u{e9}.xml"),
    });
    let ran = site.run(&["check", &site.home, "--format", "short", "--retries", "0"]);
    for expected in [
        "SITE/login:2:1: error: root element `html` is not that of a sitemap; `SITE/a.xml` redirects here [unknown-root]",
        "the part `SITE/b.xml` cannot be read: redirects to itself",
        "the part `SITE/c.xml` cannot be read: 302 with an empty Location",
        "it is in the unknown coding `deflate` (Content-Encoding)",
    ] {
        assert!(ran.out.contains(expected), "{expected}\n{}", ran.out);
    }
    assert_eq!(ran.out.matches("SITE/login").count(), 1, "{}", ran.out);
    assert!(
        site.paths().iter().any(|path| path == "/caf%C3%A9.xml"),
        "{:?}",
        site.paths()
    );
    assert_eq!(site.count("/b.xml"), 1);
}
