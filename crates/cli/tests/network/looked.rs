//! A statement that something is not there needs to have looked: of sites.

use crate::folder::Folder;
use crate::program::sitemap;
use crate::served::{Ran, Served, http, index, ok, redirect, status, urlset};

impl Folder {
    fn run_on(&self, site: &Served, arguments: &str) -> Ran {
        let arguments = arguments.replace("H/", &site.home);
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let mut command = sitemap(&arguments);
        Ran::new(command.current_dir(self.0.path()).output().unwrap(), "\0")
    }
}

/// robots.txt, an index and two sitemaps, each with a relative URL.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(["a", "b"].map(|name| format!("{home}{name}.xml")))),
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
    let ran = folder.run_on(&site, "check H/ --baseline k --update");
    assert_eq!(ran.status, 0, "{}", ran.said);
    let all = known();
    assert!(all >= 2, "{}", folder.read("k"));
    for part in [
        "check H/a.xml",
        "check H/ --sitemaps a",
        "check H/index.xml --no-follow",
        "check H/ --max-sitemaps 2",
    ] {
        let ran = folder.run_on(&site, &format!("{part} --baseline k --update"));
        assert!(!ran.said.contains(" fixed"), "{part}: {}", ran.said);
        assert_eq!(known(), all, "{part}: {}", ran.said);
    }
    let ran = folder.run_on(&site, "check H/ --baseline k");
    assert_eq!(ran.status, 0, "{} {}", ran.out, ran.said);
}

/// A sitemap is gone only from a site that has pages.
#[test]
fn nothing_is_gone_from_an_empty_site() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    let site =
        http(
            move |asked, home| match (asked.path.as_str(), tonight.load(Ordering::Relaxed)) {
                ("/robots.txt", 0) => ok(format!("Sitemap: {home}a.xml\nSitemap: {home}b.xml\n")),
                ("/robots.txt", _) => ok(format!("Sitemap: {home}a.xml\n")),
                ("/a.xml", 1) => ok(urlset([])),
                ("/a.xml", _) => ok(urlset([format!("{home}1")])),
                ("/b.xml", 0) => ok(urlset(["/x y".to_owned()])),
                _ => status(404),
            },
        );
    let folder = Folder::new();
    folder.run_on(&site, "check H/ --baseline k --update");
    assert!(folder.read("k").contains("b.xml"));
    for (number, is_gone) in [(1, false), (2, true)] {
        night.store(number, Ordering::Relaxed);
        let ran = folder.run_on(&site, "check H/ --baseline k");
        assert_eq!(
            ran.said.contains(" fixed"),
            is_gone,
            "{number}: {}",
            ran.said
        );
    }
}

/// A finished crawl that is run again has nothing to do, which is no failure.
#[test]
fn a_finished_crawl_is_finished() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}a.xml\n")),
        "/a.xml" => ok(urlset([format!("{home}1")])),
        _ => status(404),
    });
    let folder = Folder::new();
    for _ in 0..3 {
        let ran = folder.run_on(&site, "crawl H/ -o a.txt --resume a.json");
        assert_eq!(ran.status, 0, "{}", ran.said);
        assert_eq!(folder.read("a.txt").lines().count(), 1);
    }
}

/// A crawl goes on only with the filters that it began with: its output would lack the pages of the others for ever.
#[test]
fn a_resume_has_the_filters_of_its_crawl() {
    let (site, folder) = (faulty(), Folder::new());
    let crawl = "crawl H/ -o o.txt --resume s.json";
    folder.run_on(&site, &format!("{crawl} --match /1$ --since 30d"));
    for other in [
        "",
        "--match /2$ --since 30d",
        "--match /1$",
        "--exclude /1$",
    ] {
        let ran = folder.run_on(&site, &format!("{crawl} {other}"));
        assert_eq!(ran.status, 2, "{other}: {}", ran.said);
        assert!(
            ran.said.contains("use the same filters"),
            "{other}: {}",
            ran.said
        );
    }
    let ran = folder.run_on(&site, &format!("{crawl} --since 30d --match /1$"));
    assert!(ran.status < 2, "{}", ran.said);
}

/// What a list in part does not have may be listed all the same.
#[test]
fn a_target_is_unlisted_only_if_the_list_was_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => status(404),
        "/whole.xml" => ok(urlset([format!("{home}other")])),
        "/part.xml" => ok(urlset([format!("{home}other"), "ftp://e.com/x".to_owned()])),
        "/old" => redirect(&format!("{home}new")),
        _ => ok("<html><head></head><body>a</body></html>"),
    });
    let folder = Folder::new();
    folder.put("old.txt", format!("{}old\n", site.home));
    for (list, listed) in [("whole", Some(false)), ("part", None)] {
        let ran = folder.run_on(
            &site,
            &format!("probe old.txt --follow --listed-in H/{list}.xml --format jsonl --delay 0"),
        );
        let line = ran.out.lines().next().unwrap_or_default();
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            found["listed"].as_bool(),
            listed,
            "{list}: {} {}",
            ran.out,
            ran.said
        );
    }
}

/// A sample says that it is one, and of how many.
#[test]
fn a_sample_is_called_one() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}a.xml\n")),
        "/a.xml" => ok(urlset((0..20).map(|page| format!("{home}{page}")))),
        path if path.ends_with('3') => status(404),
        _ => ok("<html><head></head><body>a</body></html>"),
    });
    let folder = Folder::new();
    let ran = folder.run_on(&site, "probe H/ --sample 19 --delay 0 --resume p.jsonl");
    ran.says("a sample of 20 pages");
    folder.run_on(&site, "report H/ --probe p.jsonl -o r.html");
    let page = folder.read("r.html");
    assert!(
        page.contains("a sample of 20 pages with the same number of each sitemap"),
        "{page}"
    );
}
