//! A statement that something is not there needs to have looked: of sites.

use std::sync::atomic::Ordering::Relaxed;

use crate::folder::Folder;
use crate::served::{
    Served, html, http, listing, nightly, ok, redirect, robots, sitemaps, status, urlset,
};

/// robots.txt, an index and two sitemaps, each with a relative URL.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &["a.xml", "b.xml"]),
        "/a.xml" | "/b.xml" => ok(urlset([format!("{home}1"), "/x y".to_owned()])),
        _ => status(404),
    })
}

/// Findings of sitemaps that a run did not read are not fixed, and an update keeps them.
#[test]
fn a_baseline_of_a_site_forgets_nothing() {
    let (site, folder) = (faulty(), Folder::new());
    let known = || {
        folder
            .read("k")
            .lines()
            .filter(|line| line.contains("\"rule\""))
            .count()
    };
    folder.must_on(&site, "check SITE/ --baseline k --update", 0);
    let all = known();
    assert!(all >= 2, "{}", folder.read("k"));
    for part in [
        "check SITE/a.xml",
        "check SITE/ --sitemaps a",
        "check SITE/index.xml --no-follow",
        "check SITE/ --max-sitemaps 2",
    ] {
        let ran = folder.run_on(&site, &format!("{part} --baseline k --update"));
        ran.does_not_say(" fixed");
        assert_eq!(known(), all, "{part}: {}", ran.said);
    }
    folder.must_on(&site, "check SITE/ --baseline k", 0);
}

/// A sitemap is gone only from a site that has pages.
#[test]
fn nothing_is_gone_from_an_empty_site() {
    let (night, site) = nightly(|night, path, home| match (path, night) {
        ("/robots.txt", 0) => robots(home, &["a.xml", "b.xml"]),
        ("/robots.txt", _) => robots(home, &["a.xml"]),
        ("/a.xml", 1) => ok(urlset([])),
        ("/a.xml", _) => listing(home, &["1"]),
        ("/b.xml", 0) => ok(urlset(["/x y".to_owned()])),
        _ => status(404),
    });
    let folder = Folder::new();
    folder.run_on(&site, "check SITE/ --baseline k --update");
    assert!(folder.read("k").contains("b.xml"));
    for (number, is_gone) in [(1, false), (2, true)] {
        night.store(number, Relaxed);
        let ran = folder.run_on(&site, "check SITE/ --baseline k");
        assert_eq!(ran.said.contains(" fixed"), is_gone, "{number}: {ran}");
    }
}

/// A finished crawl that is run again has nothing to do, which is no failure.
#[test]
fn a_finished_crawl_is_finished() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml"]),
        "/a.xml" => listing(home, &["1"]),
        _ => status(404),
    });
    let folder = Folder::new();
    for _ in 0..3 {
        folder.must_on(&site, "crawl SITE/ -o a.txt --resume a.json", 0);
        assert_eq!(folder.read("a.txt").lines().count(), 1);
    }
}

/// A crawl goes on only with the filters that it began with: its output would lack the pages of the others for ever.
#[test]
fn a_resume_has_the_filters_of_its_crawl() {
    let (site, folder) = (faulty(), Folder::new());
    let crawl = "crawl SITE/ -o o.txt --resume s.json";
    folder.run_on(&site, &format!("{crawl} --match /1$ --since 30d"));
    for other in [
        "",
        "--match /2$ --since 30d",
        "--match /1$",
        "--exclude /1$",
    ] {
        let ran = folder.must_on(&site, &format!("{crawl} {other}"), 2);
        ran.says("use the same filters");
    }
    let ran = folder.run_on(&site, &format!("{crawl} --since 30d --match /1$"));
    assert!(ran.status < 2, "{}", ran.said);
}

/// What a list in part does not have may be listed all the same.
#[test]
fn a_target_is_unlisted_only_if_the_list_was_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => status(404),
        "/whole.xml" => listing(home, &["other"]),
        "/part.xml" => ok(urlset([format!("{home}other"), "ftp://e.com/x".to_owned()])),
        "/old" => redirect(&format!("{home}new")),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.put("old.txt", site.at("old"));
    let probe = "probe old.txt --follow --format jsonl --delay 0 --listed-in SITE/";
    for (list, listed) in [("whole.xml", Some(false)), ("part.xml", None)] {
        let ran = folder.run_on(&site, &format!("{probe}{list}"));
        assert_eq!(ran.values()[0]["listed"].as_bool(), listed, "{ran}");
    }
}

/// A sample says that it is one, and of how many.
#[test]
fn a_sample_is_called_one() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml"]),
        "/a.xml" => ok(urlset((0..20).map(|page| format!("{home}{page}")))),
        path if path.ends_with('3') => status(404),
        _ => html(""),
    });
    let folder = Folder::new();
    let ran = folder.run_on(&site, "probe SITE/ --sample 19 --delay 0 --resume p.jsonl");
    ran.says("a sample of 20 pages");
    folder.run_on(&site, "report SITE/ --probe p.jsonl -o r.html");
    let page = folder.read("r.html");
    let says = "a sample of 20 pages with the same number of each sitemap";
    assert!(page.contains(says), "{page}");
}
