//! `sitemap probe` of a local site whose pages are all that pages can be.
#![cfg(all(feature = "http", feature = "sets"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod ended;
mod served;

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use ended::ended;
use serde_json::Value;
use served::{Answer, Body, Served, gzip, http, index, ok, pages, redirect, status, urlset, with};

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
                "no-head",
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
        "/no-head" if asked.method == "HEAD" => status(405),
        "/no-head" => html(""),
        // The head goes on after the bytes that are read.
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
            ("/late", "ok", Some(200)),
            ("/missing", "missing", Some(404)),
            ("/moved", "redirect", Some(302)),
            ("/no-head", "ok", Some(200)),
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
    assert_eq!(found["/ok"]["sitemap"], "SITE/a.xml.gz");
    assert_eq!(found["/no-head"]["sitemap"], "SITE/b.xml");
    assert_eq!(found["/file.pdf"]["bytes"], 4);
    // A page of more than the bytes that are read has the size that the server announces.
    assert!(found["/late"]["bytes"].as_u64().unwrap() > 1 << 20);
    assert!(found["/ok"]["ms"].is_u64());
    assert!(
        ran.said.ends_with(
            "note: 14 pages: 2 missing, 1 error, 1 redirect, 2 noindex, 2 canonical-elsewhere, 1 disallowed, 5 ok\n"
        ),
        "{}",
        ran.said
    );
    let methods = |path: &str| site.methods(path);
    assert_eq!(methods("/ok"), ["HEAD", "GET"]);
    // What HEAD says is enough.
    for path in ["/moved", "/file.pdf", "/noindex-header"] {
        assert_eq!(methods(path), ["HEAD"], "{path}");
    }
    // Some servers know no HEAD.
    for path in ["/no-head", "/missing", "/broken"] {
        assert_eq!(methods(path), ["HEAD", "GET"], "{path}");
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
        "url,sitemap,status,location,noindex,canonical,disallowed,bytes,ms,verdict"
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
    assert!(moved.ends_with(",redirect"), "{moved}");
}

const TABLE: &str = "\
verdict                   pages
missing                       2
error                         1
redirect                      1
noindex                       2
canonical-elsewhere           2
disallowed                    1
ok                            5

verdict              status  page
missing              404     SITE/missing
missing              410     SITE/gone
error                500     SITE/broken (500 Internal Server Error)
redirect             302     SITE/moved → SITE/ok?from=moved
noindex              200     SITE/noindex
noindex              200     SITE/noindex-header
canonical-elsewhere  200     SITE/canonical canonical: SITE/sub/other
canonical-elsewhere  200     SITE/canonical-header canonical: https://www.example.com/c
disallowed           -       SITE/private/x
";

/// From a list of pages, without the sitemaps of the site.
#[test]
fn pages_that_should_be_listed_are_ok() {
    let site = site();
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("pages.txt");
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
    assert_eq!(
        ran.out,
        "verdict                   pages\nok                            2\n"
    );
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
    assert!(
        nothing.said.contains("no-such-file.xml: No such file"),
        "{}",
        nothing.said
    );
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
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("pages.txt");
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
    // The head has been read.
    assert_eq!(found["/cut"]["verdict"], "ok");
    let none = &found["http://127.0.0.1:1/"];
    assert_eq!(none["verdict"], "error");
    assert_eq!(none["status"], Value::Null);
    assert_eq!(none["error"], "connection refused");
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
    assert_eq!(sampled(&["--sample", "10", "--seed", "0"]), ten);
    assert_ne!(sampled(&["--sample", "10", "--seed", "1"]), ten);
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
        "/p/1" if asked.before < 2 => status(500),
        _ => html(""),
    });
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("results.jsonl");
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
    assert_eq!(site.methods("/p/0"), ["HEAD", "GET"]);
    assert_eq!(site.methods("/p/1"), ["HEAD", "GET", "HEAD", "GET"]);
    assert_eq!(fs::read_to_string(&state).unwrap().lines().count(), 6);
    let all = site.run(&arguments);
    assert_eq!((all.status, all.out), (0, again.out));
    assert_eq!(site.methods("/p/5"), ["HEAD", "GET"]);

    // A file of something else is not touched.
    fs::write(&state, "my notes\n").unwrap();
    let other = site.run(&arguments);
    assert_eq!(other.status, 2);
    assert!(
        other.said.contains("is not a result of `sitemap probe`"),
        "{}",
        other.said
    );
    assert_eq!(fs::read_to_string(&state).unwrap(), "my notes\n");
}

/// Passwords go to the origin of their URL, and are not shown.
#[test]
fn a_password_reaches_its_site_alone() {
    let other = http(|_, _| html(""));
    let there = other.at("there");
    let site = http(move |asked, home| match asked.path.as_str() {
        "/s.xml" => ok(urlset([format!("{home}page"), there.clone()])),
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let with_login = site.at("s.xml").replace("http://", "http://me:secret@");
    let arguments = [&["probe", &with_login, "--format", "jsonl"], &HASTY[..]].concat();
    let ran = site.run(&arguments);
    assert_eq!(ran.status, 0, "{}", ran.said);
    assert!(site.header("/page", "authorization").is_some());
    assert_eq!(other.header("/there", "authorization"), None);
    assert!(!ran.out.contains("secret") && !ran.said.contains("secret"));
}

/// One request per second and host, unless something else is asked for: two pages of one host take a second.
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
