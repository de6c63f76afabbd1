//! One question, one answer: each test asks the same of every command.

use std::fs;

use crate::folder::Folder;
use crate::served::{Answer, Ran, Served, http, index, ok, redirect, sitemap, status, urlset};
use serde_json::Value;

impl Folder {
    /// The report as JSON.
    fn report(&self, arguments: &str) -> Value {
        let ran = self.run(&format!("report {arguments} --format json"));
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.said))
    }
}

fn locs(paths: &[&str]) -> Vec<String> {
    paths
        .iter()
        .map(|path| format!("https://e.example/{path}"))
        .collect()
}

fn pages(paths: &[&str]) -> Vec<u8> {
    urlset(locs(paths))
}

fn parts(paths: &[&str]) -> Vec<u8> {
    index(locs(paths))
}

/// The commands that read a site, with an output that changes nothing.
fn commands(input: &str) -> Vec<(&'static str, Vec<String>)> {
    let options: [(&str, &[&str]); 6] = [
        ("check", &[]),
        ("report", &[]),
        ("crawl", &[]),
        ("diff", &[input]),
        ("edit", &["-o", "-"]),
        ("probe", &["--delay", "0", "--retries", "0"]),
    ];
    let all = options.into_iter().map(|(command, options)| {
        let arguments = [command, input].into_iter().chain(options.iter().copied());
        (command, arguments.map(str::to_owned).collect())
    });
    all.collect()
}

fn run(site: &Served, arguments: &[String]) -> Ran {
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    site.run(&arguments)
}

#[test]
fn a_url_with_a_query_is_not_a_site() {
    for name in ["check", "report", "crawl", "diff", "edit", "probe"] {
        let site = http(|asked, home| match asked.path.as_str() {
            "/?feed=xml-map" => ok(urlset([format!("{home}a")])),
            _ => status(404),
        });
        let url = site.at("?feed=xml-map");
        let (_, arguments) = commands(&url)
            .into_iter()
            .find(|(own, _)| *own == name)
            .unwrap();
        let ran = run(&site, &arguments);
        assert!(site.count("/?feed=xml-map") > 0, "{name}: {}", ran.said);
        assert_eq!(site.count("/sitemap.xml"), 0, "{name}: {}", ran.said);
    }
}

#[test]
fn a_list_is_one_only_if_it_is_named() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "Sitemap: {home}list.tsv\nSitemap: {home}index.xml\n"
        )),
        "/index.xml" => ok(index([format!("{home}part.csv")])),
        "/list.tsv" => ok(format!("loc\tlastmod\n{home}a\t2024-01-01\n")),
        "/part.csv" => ok(format!("loc,lastmod\n{home}b,2024-01-01\n")),
        _ => ok("<html>"),
    });
    for (name, arguments) in commands(&site.home) {
        let ran = run(&site, &arguments);
        assert_ne!(ran.status, 0, "{name}: {} {}", ran.out, ran.said);
    }
    let named = site.run(&["check", &site.at("list.tsv")]);
    assert_eq!(named.status, 0, "{} {}", named.out, named.said);
}

#[test]
fn a_file_is_read_once_under_any_name() {
    let folder = Folder::new();
    folder.put("maps/a.xml", pages(&["1", "2"]));
    let inputs = "maps/a.xml ./maps/../maps/a.xml";
    let check = folder.run(&format!("check {inputs}"));
    check.says("1 sitemap, 2 entries: no problems");
    let report = folder.report(inputs);
    assert_eq!(
        (&report["totals"]["sitemaps"], &report["totals"]["pages"]),
        (&1.into(), &2.into())
    );
    let edit = folder.run(&format!("edit {inputs} -o -"));
    edit.says("2 pages read from 1 file");
    let show = folder.run(&format!("show {inputs} --format jsonl"));
    assert_eq!(show.out.lines().count(), 2);
}

/// The name of a file does not decide what is said about it.
#[test]
fn the_order_of_names_does_not_matter() {
    let outcome = |page: &str, index: &str| {
        let folder = Folder::new();
        folder.put(&format!("f/{page}"), "<html></html>");
        folder.put(&format!("f/{index}"), parts(&[page, "1.xml"]));
        folder.put("f/1.xml", pages(&["1"]));
        let check = folder.run("check f --format jsonl");
        let rules = check.out.lines().map(|line| {
            let found: Value = serde_json::from_str(line).unwrap();
            found["rule"].as_str().unwrap().to_owned()
        });
        (
            check.status,
            rules.collect::<Vec<_>>(),
            folder.run("edit f -o -").status,
            folder.run("diff f f").status,
        )
    };
    let one = outcome("0.xml", "9-sitemap.xml");
    assert_eq!(one, outcome("9.xml", "0-sitemap.xml"));
    assert_eq!((one.0, one.2, one.3), (1, 2, 2));
}

#[test]
fn a_part_on_another_host_is_missed_by_every_command() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}i.xml\n")),
        "/i.xml" => ok(index([
            format!("{home}s.xml"),
            home.replace("127.0.0.1", "localhost") + "o.xml",
        ])),
        "/s.xml" => ok(urlset([format!("{home}ok")])),
        "/ok" => ok("<html>").header("Content-Type", "text/html"),
        _ => status(404),
    });
    let statuses = [
        ("check", 1),
        ("report", 1),
        ("crawl", 1),
        ("diff", 2),
        ("edit", 2),
        ("probe", 1),
    ];
    for ((name, arguments), expected) in commands(&site.home).into_iter().zip(statuses) {
        let ran = run(&site, &arguments);
        assert_eq!((name, ran.status), expected, "{} {}", ran.out, ran.said);
    }
    let report = site.run(&["report", &site.home, "--format", "json"]);
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(
        (&report["totals"]["sitemaps"], &report["totals"]["not_read"]),
        (&2.into(), &1.into())
    );
    assert_eq!(report["left_out"][0]["sitemaps"], 1);
    let row = report["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"].as_str().unwrap().contains("o.xml"));
    assert_eq!(row.unwrap()["status"], "not-read");
}

/// Another port is another site: its part is not read, its page is outside, and neither is requested. Its robots.txt, which
/// names the sitemap, makes it one that may be listed; only a page then, because the index names no part of another site.
#[test]
fn another_port_is_another_site_for_every_command() {
    for names in [false, true] {
        let first = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
        let home = std::sync::Arc::clone(&first);
        let other = http(move |asked, own| match asked.path.as_str() {
            "/robots.txt" if names => {
                let home = home.get().unwrap();
                ok(format!("Sitemap: {home}i.xml\nSitemap: {home}s.xml\n"))
            }
            "/o.xml" => ok(urlset([format!("{own}of-part")])),
            "/page" | "/of-part" => ok("<html>").header("Content-Type", "text/html"),
            _ => status(404),
        });
        let there = other.home.clone();
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => ok(format!("Sitemap: {home}i.xml\n")),
            "/i.xml" => ok(index([format!("{home}s.xml"), format!("{there}o.xml")])),
            "/s.xml" => ok(urlset([format!("{home}ok"), format!("{there}page")])),
            "/ok" => ok("<html>").header("Content-Type", "text/html"),
            _ => status(404),
        });
        first.set(site.home.clone()).unwrap();
        let statuses = [1, 1, 1, 2, 2, 1];
        for ((name, arguments), expected) in commands(&site.home).into_iter().zip(statuses) {
            let ran = run(&site, &arguments);
            let said = format!("{name} {names}: {} {}", ran.out, ran.said);
            assert_eq!(ran.status, expected, "{said}");
            assert_eq!(other.count("/o.xml"), 0, "{said}");
            assert_eq!(other.count("/page"), 0, "{said}");
            if name == "check" {
                assert!(ran.out.contains("part-elsewhere"), "{said}");
                assert_eq!(ran.out.contains("outside-location"), !names, "{said}");
            }
        }
        for name in ["crawl", "check", "probe"] {
            let options: &[&str] = if name == "probe" {
                &["--delay", "0"]
            } else {
                &[]
            };
            let all = [&[name, &site.home, "--other-hosts"], options].concat();
            site.run(&all);
            assert!(other.count("/o.xml") > 0, "{name}");
        }
    }
}

/// With any number of requests at a time, a bound gives the same result, and every form of the result has it.
#[test]
fn a_bound_is_said_everywhere() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index((0..5).map(|part| format!("{home}{part}.xml")))),
        path => ok(urlset(
            (0..3).map(|page| format!("{home}{}/{page}", &path[1..2])),
        )),
    });
    let folder = Folder::new();
    let out = folder.path("r.html");
    for (bound, option) in [
        ("--max-pages", "4"),
        ("--max-sitemaps", "2"),
        ("--max-depth", "1"),
    ] {
        let mut all = Vec::new();
        for jobs in ["1", "7"] {
            let report = site.run(&[
                "report", &site.home, "--format", "json", bound, option, "--jobs", jobs,
            ]);
            assert_eq!(report.status, 1, "{}", report.said);
            let report: Value = serde_json::from_str(&report.out).unwrap();
            assert!(report["totals"]["not_read"].as_u64() > Some(0), "{bound}");
            let check = site.run(&["check", &site.home, bound, option, "--jobs", jobs]);
            assert_eq!(check.status, 1);
            assert!(check.said.contains(bound), "{bound}: {}", check.said);
            let mut totals = report["totals"].clone();
            totals["newest"] = Value::Null;
            all.push((totals, check.said));
        }
        assert_eq!(all[0], all[1], "{bound}");
        let page = site.run(&[
            "report",
            &site.home,
            "-o",
            out.to_str().unwrap(),
            bound,
            option,
        ]);
        assert!(
            page.said.contains(bound) && !page.said.contains("no problems"),
            "{}",
            page.said
        );
        let page = fs::read_to_string(&out).unwrap();
        assert!(!page.contains("nothing is wrong"), "{bound}");
        assert!(
            page.contains("This report is about a part of the input"),
            "{bound}"
        );
        let text = site.run(&["report", &site.home, bound, option]);
        assert!(text.out.contains(bound), "{bound}: {}", text.out);
    }
}

/// The bounds of a site are those of a folder and of a file.
#[test]
fn bounds_are_for_every_kind_of_input() {
    let folder = Folder::new();
    folder.put("f/sitemap.xml", parts(&["1.xml", "2.xml"]));
    folder
        .put("f/1.xml", pages(&["a", "b", "c"]))
        .put("f/2.xml", pages(&["d", "e"]));
    let count = |report: &Value| report["totals"]["pages"].as_u64().unwrap();
    for input in ["f", "f/1.xml"] {
        let check = folder.run(&format!("check {input} --max-pages 2"));
        assert_eq!(check.status, 1, "{}", check.said);
        check.says("--max-pages");
        assert_eq!(count(&folder.report(&format!("{input} --max-pages 2"))), 2);
        let edit = folder.run(&format!(
            "edit {input} -o - --max-pages 2 --allow-incomplete"
        ));
        edit.says("2 pages read");
        let diff = folder.run(&format!("diff {input} {input} --max-pages 2"));
        assert_eq!(diff.status, 2, "{}", diff.said);
    }
    let check = folder.run("check f --max-sitemaps 2");
    assert!(
        check.status == 1 && check.said.contains("--max-sitemaps"),
        "{}",
        check.said
    );
    let report = folder.report("f --max-sitemaps 2");
    assert_eq!(
        (&report["totals"]["sitemaps"], &report["totals"]["not_read"]),
        (&2.into(), &1.into())
    );
}

/// robots.txt may redirect, and so may the index that it lists.
#[test]
fn robots_txt_is_followed_everywhere() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => redirect("/files/robots.txt"),
        "/files/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /no\n\nSitemap: {home}old-index\n"
        )),
        "/old-index" => redirect("/maps/index.xml"),
        "/maps/index.xml" => ok(index([format!("{home}maps/s.xml")])),
        "/maps/s.xml" => ok(urlset([format!("{home}top"), format!("{home}no")])),
        _ => status(404),
    });
    for input in [site.home.clone(), site.at("maps/s.xml")] {
        let check = site.run(&["check", &input, "--format", "jsonl"]);
        assert!(
            !check.out.contains("outside-location"),
            "{input}: {}",
            check.out
        );
        assert!(check.out.contains("disallowed"), "{input}: {}", check.out);
        let report = site.run(&["report", &input, "--format", "json"]);
        assert!(!report.out.contains("outside-location"), "{input}");
    }
}

/// A page that robots.txt forbade is not allowed because robots.txt cannot be read.
#[test]
fn a_robots_txt_that_cannot_be_read_fixes_nothing() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    let site =
        http(
            move |asked, home| match (asked.path.as_str(), tonight.load(Ordering::Relaxed)) {
                ("/robots.txt", 0) => ok("User-agent: *\nDisallow: /no\n"),
                ("/robots.txt", 1) => status(500),
                ("/robots.txt", 2) => ok(b"\x00".to_vec()),
                ("/robots.txt", 3) => ok("User-agent: *\nDisallow:\n"),
                ("/s.xml", _) => ok(urlset([format!("{home}no")])),
                _ => status(404),
            },
        );
    let folder = Folder::new();
    let check = format!("check {} --retries 0 --baseline k", site.at("s.xml"));
    folder.run(&format!("{check} --update"));
    assert_eq!(folder.read("k").matches("\"disallowed\"").count(), 1);
    for (number, is_fixed) in [(0, false), (1, false), (2, false), (3, true), (4, true)] {
        night.store(number, Ordering::Relaxed);
        let ran = folder.run(&check);
        let said = ran.said.contains("1 fixed");
        assert_eq!(said, is_fixed, "{number}: {}{}", ran.out, ran.said);
    }
}

/// A finding that depends on the robots.txt of another host is fixed only if that host was asked in this run.
#[test]
fn a_robots_txt_of_another_host_fixes_nothing_unless_it_was_asked() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    // It is asked only on nights on which a page on it is listed.
    let other =
        http(
            move |asked, _| match (asked.path.as_str(), tonight.load(Ordering::Relaxed)) {
                ("/robots.txt", 0 | 2) => ok("User-agent: *\nDisallow: /i.png\nDisallow: /p\n"),
                ("/robots.txt", 1) => status(500),
                ("/robots.txt", 3) => ok("User-agent: *\nDisallow:\n"),
                _ => status(404),
            },
        );
    let tonight = Arc::clone(&night);
    let home = other.home.clone();
    let site = http(move |asked, _| {
        let number = tonight.load(Ordering::Relaxed);
        let page = format!("<url><loc>{home}p</loc></url>");
        let image = format!("<image:image><image:loc>{home}i.png</image:loc></image:image>");
        let page = if number == 2 { "" } else { &page };
        let image = if number == 5 { "" } else { &image };
        match asked.path.as_str() {
            "/s.xml" => ok(format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>{page}<url><loc>/own</loc>{image}</url></urlset>"
            )),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let url = site.at("s.xml");
    let check = format!("check {url} --retries 0 --baseline k");
    folder.run(&format!("{check} --update"));
    assert_eq!(folder.read("k").matches("\"disallowed\"").count(), 2);
    assert_eq!(
        folder
            .read("k")
            .matches("\"error\",\"rule\":\"outside-location\"")
            .count(),
        1
    );
    folder.run(&format!("report {url} --format json -o r.json"));
    // On night 2, the page is not listed any more; on night 5, the image is not.
    for (number, fixed) in [(0, 0), (1, 0), (2, 2), (3, 2), (4, 2), (5, 2)] {
        night.store(number, Ordering::Relaxed);
        let ran = folder.run(&check);
        let expected = match fixed {
            0 => !ran.said.contains("fixed"),
            fixed => ran.said.contains(&format!("{fixed} fixed")),
        };
        assert!(expected, "{number}: {}{}", ran.out, ran.said);
        let report = folder.report(&format!("{url} --retries 0 --against r.json"));
        assert_eq!(report["changes"]["findings"]["fixed"], fixed, "{number}");
    }
}

/// Places are not right because a robots.txt that could name the sitemap cannot be read.
#[test]
fn a_place_is_fixed_only_if_robots_txt_was_read() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    let site =
        http(
            move |asked, home| match (asked.path.as_str(), tonight.load(Ordering::Relaxed)) {
                ("/robots.txt", 1) => status(500),
                ("/robots.txt", 2) => ok(format!("Sitemap: {home}deep/s.xml\n")),
                ("/deep/s.xml", _) => ok(urlset([format!("{home}top")])),
                _ => status(404),
            },
        );
    let folder = Folder::new();
    let check = format!("check {} --retries 0 --baseline k", site.at("deep/s.xml"));
    folder.run(&format!("{check} --update"));
    assert_eq!(
        folder
            .read("k")
            .matches("\"error\",\"rule\":\"outside-location\"")
            .count(),
        1
    );
    for (number, is_fixed) in [(0, false), (1, false), (2, true)] {
        night.store(number, Ordering::Relaxed);
        let ran = folder.run(&check);
        let said = ran.said.contains("1 fixed");
        assert_eq!(said, is_fixed, "{number}: {}{}", ran.out, ran.said);
    }
}

/// The robots.txt of a folder is one of its files: without it nothing is forbidden, and one that cannot be read says nothing.
#[test]
fn a_robots_txt_of_a_folder_that_cannot_be_read_fixes_nothing() {
    let folder = Folder::new();
    folder.put("f/sitemap.xml", pages(&["no", "yes"]));
    let rules = "User-agent: *\nDisallow: /no\nSitemap: https://e.example/sitemap.xml\n";
    folder.put("f/robots.txt", rules);
    let check = "check f --baseline k";
    folder.run(&format!("{check} --update"));
    assert_eq!(folder.read("k").matches("\"disallowed\"").count(), 1);
    let fixed = |expected: bool, input: &str| {
        let ran = folder.run(&format!("check {input} --baseline k"));
        let said = ran.said.contains("1 fixed");
        assert_eq!(said, expected, "{input}: {}{}", ran.out, ran.said);
        ran
    };
    fixed(false, "f");
    fixed(false, "f/sitemap.xml");
    folder.put("f/robots.txt", b"\x00\x01");
    let ran = fixed(false, "f");
    assert!(ran.out.contains("unreadable-robots"), "{}", ran.out);
    fs::remove_file(folder.path("f/robots.txt")).unwrap();
    fs::create_dir(folder.path("f/robots.txt")).unwrap();
    let ran = fixed(false, "f");
    assert!(ran.out.contains("unreadable-robots"), "{}", ran.out);
    fs::remove_dir(folder.path("f/robots.txt")).unwrap();
    fixed(true, "f");
    folder.put("f/robots.txt", rules.replace("/no", "/other"));
    fixed(true, "f");
}

/// A line of robots.txt that names no sitemap that can be requested is a sitemap that was not read.
#[test]
fn an_unusable_line_of_robots_txt_is_a_loss_for_every_command() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}s.xml\nSitemap: \"o.xml\"\n")),
        "/s.xml" => ok(urlset([format!("{home}ok")])),
        "/ok" => ok("<html>").header("Content-Type", "text/html"),
        _ => status(404),
    });
    // For a check, it is a warning.
    let statuses = [0, 0, 1, 2, 2, 1];
    for ((name, arguments), expected) in commands(&site.home).into_iter().zip(statuses) {
        let ran = run(&site, &arguments);
        assert_eq!(
            (name, ran.status),
            (name, expected),
            "{} {}",
            ran.out,
            ran.said
        );
    }
    let folder = Folder::new();
    folder.put("must.txt", format!("{}o\n", site.home));
    let must = folder.run(&format!("check {} --must-list must.txt", site.home));
    assert!(!must.out.contains("missing-page"), "{}", must.out);
    must.says("it is not known whether another sitemap lists them");
    let report = folder.report(&site.home);
    assert_eq!(
        (&report["whole"], &report["totals"]["not_read"]),
        (&Value::Null, &1.into())
    );
}

/// What a robots.txt lists is not known if it is refused, and a robots.txt that is not there any more counts in the second
/// night: until then nothing is gone, or missing.
#[test]
fn nothing_is_gone_because_robots_txt_is() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    let site = http(move |asked, home| {
        match (asked.path.as_str(), tonight.load(Ordering::Relaxed)) {
            ("/robots.txt", 0) => ok(format!("Sitemap: {home}a.xml\nSitemap: {home}b.xml\n")),
            ("/robots.txt", 1) => status(403),
            ("/robots.txt", 2) => ok("<!doctype html><html></html>"),
            ("/a.xml" | "/sitemap.xml", _) => ok(urlset([format!("{home}a")])),
            ("/b.xml", 0) => ok(format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{home}b</loc><priority>9</priority></url></urlset>"
            )),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let home = &site.home;
    folder.put("must.txt", format!("{home}b\n"));
    folder.run(&format!("check {home} --baseline k --update"));
    folder.run(&format!("report {home} --format json -o r0.json"));
    let gone = |against: &str| {
        let report = folder.report(&format!("{home} --against {against}"));
        let changes = report["changes"].clone();
        let gone = changes["sitemaps"].to_string().contains("gone");
        assert_eq!(changes["findings"]["fixed"] == 1, gone, "{changes}");
        gone
    };
    for number in [1, 2, 3] {
        night.store(number, Ordering::Relaxed);
        let check = folder.run(&format!("check {home} --baseline k"));
        assert!(!check.said.contains("fixed"), "{number}: {}", check.said);
        assert!(!gone("r0.json"), "{number}");
        let must = folder.run(&format!("check {home} --must-list must.txt"));
        assert_eq!(must.out.contains("missing-page"), number == 3, "{number}");
    }
    // The baseline of the first night without it has the finding, so the second night counts.
    folder.run(&format!("check {home} --baseline k --update"));
    let check = folder.run(&format!("check {home} --baseline k"));
    check.says("1 fixed");
}

/// An entry that cannot be used any more may be that of the page with the finding.
#[test]
fn a_skipped_entry_fixes_nothing() {
    let folder = Folder::new();
    let of = |loc: &str, priority: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc>https://e.example/1</loc></url>\
             <url><loc>{loc}</loc><priority>{priority}</priority></url></urlset>"
        )
    };
    let night = |loc: &str, priority: &str, fixed: u64| {
        folder.put("f/sitemap.xml", of(loc, priority));
        let ran = folder.run("check f --baseline k");
        let said = ran.said.contains(&format!("{fixed} fixed"));
        assert_eq!(said, fixed > 0, "{}", ran.said);
        let report = folder.report("f --against r.json");
        assert_eq!(report["changes"]["findings"]["fixed"], fixed);
    };
    folder.put("f/sitemap.xml", of("https://e.example/2", "9"));
    folder.run("check f --baseline k --update");
    folder.run("report f --format json -o r.json");
    night("https://e.example/2", "9", 0);
    night("e.example/2", "0.9", 0);
    night("https://e.example/2", "0.9", 1);
    // One that could not be used before hides nothing.
    folder.put("f/sitemap.xml", of("e.example/2", "9"));
    folder.run("check f --baseline k --update");
    folder.run("report f --format json -o r.json");
    night("e.example/2", "0.9", 1);
    night("https://e.example/2", "0.9", 2);
}

/// The page of a report says that all pages link back only if the links of each of them are known: a text has none.
#[test]
fn a_text_does_not_link_back() {
    let folder = Folder::new();
    let of = |page: &str| {
        let link = |to: &str| {
            format!("<xhtml:link rel='alternate' hreflang='{to}' href='https://e.example/{to}'/>")
        };
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'>\
             <url><loc>https://e.example/{page}</loc>{}{}</url></urlset>",
            link("en"),
            link("de")
        )
    };
    folder.put("f/sitemap-en.xml", of("en"));
    for (name, text, says) in [
        (
            "f/sitemap-de.txt",
            "https://e.example/de\n".to_owned(),
            false,
        ),
        ("f/sitemap-de.txt", "# nothing\n".to_owned(), false),
        (
            "f/sitemap-de.txt",
            "https://e.example/other\n".to_owned(),
            true,
        ),
        ("f/sitemap-de.xml", of("de"), true),
    ] {
        folder.put(name, &text);
        let page = folder.run("report f --format html").out;
        let all = "Every listed page that is linked to links back";
        assert_eq!(page.contains(all), says, "{text}");
    }
}

/// A file of a folder that is no sitemap any more is missed if robots.txt lists it, whatever its name is.
#[test]
fn a_file_that_robots_txt_lists_is_asked_for() {
    let folder = Folder::new();
    folder.put("f/pages.xml", "<!doctype html><html></html>");
    folder.put("f/sitemap.xml", pages(&["1"]));
    let lists = "Sitemap: https://e.example/sitemap.xml\nSitemap: https://e.example/pages.xml\n";
    for (robots, statuses) in [("", [0, 0, 0]), (lists, [1, 2, 2])] {
        folder.put("f/robots.txt", robots);
        let commands = ["check f", "diff f f", "edit f -o -"];
        let found = commands.map(|command| folder.run(command).status);
        assert_eq!(found, statuses, "{robots}");
        assert_eq!(folder.report("f")["whole"].is_null(), !robots.is_empty());
    }
}

/// A sitemap may list all pages of its host only if robots.txt lists it.
#[test]
fn one_waiver() {
    let site = |lists: bool| {
        http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" if lists => ok(format!("Sitemap: {home}sitemap.xml\n")),
            "/sitemap.xml" => ok(index([format!("{home}deep/1.xml")])),
            "/deep/1.xml" => ok(urlset([format!("{home}top")])),
            _ => status(404),
        })
    };
    for lists in [true, false] {
        let site = site(lists);
        for command in ["check", "report"] {
            let found = site.run(&[command, &site.home, "--format", "json"]).out;
            assert_eq!(
                found.contains("outside-location"),
                !lists,
                "{command} {lists}: {found}"
            );
        }
    }
    // The same files in a folder, before they are on the server.
    for lists in [true, false] {
        let folder = Folder::new();
        folder
            .put("f/sitemap.xml", parts(&["deep/1.xml"]))
            .put("f/deep/1.xml", pages(&["top"]));
        if lists {
            folder.put("f/robots.txt", "sitemap: https://e.example/sitemap.xml\n");
        }
        let check = folder.run("check f --location https://e.example/ --format jsonl");
        assert_eq!(
            check.out.contains("outside-location"),
            !lists,
            "{}",
            check.out
        );
    }
}

/// What differs only by RFC 3986, 6.2.2, is one page.
#[test]
fn one_identity_of_pages() {
    let folder = Folder::new();
    let url = |path: &str| format!("https://e.example/{path}\n");
    folder.put("a.txt", url("%e2%82%ac") + &url("%7Eme") + &url("x%2dy"));
    folder.put("b.txt", url("%E2%82%AC") + &url("~me") + &url("x-y"));
    folder.put("both.txt", url("%7eme") + &url("~me"));
    let diff = folder.run("diff a.txt b.txt --format count");
    assert_eq!(diff.status, 0, "{} {}", diff.out, diff.said);
    assert_eq!(folder.report("both.txt")["totals"]["pages"], 1);
    let must = folder.run("check a.txt --must-list b.txt");
    assert_eq!(must.status, 0, "{}", must.out);
    let twice = folder.run("check both.txt --advice --format jsonl");
    assert!(
        twice.out.contains("several-spellings") || twice.out.contains("duplicate-url"),
        "{}",
        twice.out
    );
    let edit = folder.run("edit both.txt -o - --dedupe --text");
    assert_eq!(edit.out.lines().count(), 1, "{}", edit.out);
    let site = http(|_, _| ok("<html>").header("Content-Type", "text/html"));
    folder.put("probe.txt", format!("{0}%7eme\n{0}~me\n", site.home));
    let probe = folder.run("probe probe.txt --delay 0 --format jsonl");
    assert_eq!(probe.out.lines().count(), 1, "{}", probe.out);
}

/// Nothing is compared with itself and found different.
#[test]
fn a_state_does_not_differ_from_itself() {
    let feed = "<rss version='2.0'><channel><item><link>https://e.example/news</link></item></channel></rss>";
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "1.xml", "sub/2.xml"]))
        .put("f/1.xml", pages(&["a", "a", "b"]));
    folder
        .put("f/sub/2.xml", pages(&["c"]))
        .put("f/rss.xml", feed);
    folder.put(
        "list.csv",
        "loc,lastmod\nhttps://e.example/a,2024-01-02\nhttps://e.example/a,2024-01-03\n",
    );
    folder.put("x.txt", "https://e.example/a\nhttps://e.example/b\n");
    folder.put("feed.xml", feed);
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "Sitemap: {home}index.xml\nSitemap: {home}feed.xml\n"
        )),
        "/index.xml" => ok(index([format!("{home}1.xml")])),
        "/1.xml" => ok(urlset([
            format!("{home}a"),
            format!("{home}a"),
            format!("{home}b"),
        ])),
        "/feed.xml" => ok(format!(
            "<rss version='2.0'><channel><item><link>{home}c</link></item></channel></rss>"
        )),
        _ => status(404),
    });
    let live = [site.home.clone(), site.at("index.xml"), site.at("1.xml")];
    let local = ["f", "f/sitemap.xml", "list.csv", "x.txt", "feed.xml"].map(str::to_owned);
    for input in local.iter().chain(&live) {
        let diff = folder.run(&format!("diff {input} {input} --format count"));
        assert_eq!(diff.status, 0, "{input}: {} {}", diff.out, diff.said);
        let diff = folder.run(&format!("diff {input} {input} --sitemaps 1 --format count"));
        assert_eq!(diff.status, 0, "{input}: {} {}", diff.out, diff.said);
    }
}

#[test]
fn only_fields_of_both_sides_are_compared() {
    let folder = Folder::new();
    folder.put("now.xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://e.example/a</loc><lastmod>2024-05-06</lastmod><priority>0.3</priority></url></urlset>");
    folder.put("urls.txt", "https://e.example/a\n");
    folder.put(
        "dates.tsv",
        "loc\tlastmod\nhttps://e.example/a\t2024-05-06\n",
    );
    for earlier in ["urls.txt", "dates.tsv"] {
        assert_eq!(
            folder.run(&format!("diff {earlier} now.xml")).status,
            0,
            "{earlier}"
        );
    }
}

/// A site and the folder that it serves have the same pages.
#[test]
fn a_site_is_its_folder() {
    let folder = Folder::new();
    let root = folder.path("www");
    let site = http(
        move |asked, _| match fs::read(root.join(&asked.path[1..])) {
            Ok(file) => ok(file),
            Err(_) => status(404),
        },
    );
    let home = &site.home;
    folder.put(
        "www/robots.txt",
        format!("Sitemap: {home}sitemap.xml\nSitemap: {home}news.xml\n"),
    );
    folder.put("www/sitemap.xml", urlset([format!("{home}a")]));
    folder.put(
        "www/news.xml",
        format!("<rss version='2.0'><channel><item><link>{home}b</link></item></channel></rss>"),
    );
    let diff = folder.run(&format!("diff {home} www --format count"));
    assert_eq!(diff.status, 0, "{} {}", diff.out, diff.said);
    let [live, local] =
        [home.as_str(), "www"].map(|input| folder.report(input)["totals"]["pages"].clone());
    assert_eq!(live, local);
}

/// A date that cannot be true is no news.
#[test]
fn impossible_dates_are_not_new() {
    let folder = Folder::new();
    folder.put(
        "a.csv",
        "loc,lastmod\nhttps://e.example/1,2019-06-01\nhttps://e.example/2,2101-02-03\n",
    );
    let diff = folder.run("diff a.csv a.csv --max-age 30d");
    assert_eq!(diff.status, 3, "{}", diff.said);
    let report = folder.report("a.csv");
    assert_eq!(report["totals"]["newest"], "2019-06-01");
    assert_eq!(
        report["sections"][0]["ages"],
        serde_json::json!([0, 0, 0, 0, 1])
    );
    let months = report["months"].as_array().unwrap();
    assert_eq!(
        months
            .iter()
            .map(|month| month[0].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["2019-06", "impossible"]
    );
}

/// Entries are listed, pages are distinct, and sitemaps are those that were read.
#[test]
fn one_word_for_each_number() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "gone.xml"]))
        .put("f/1.xml", pages(&["a", "a", "b"]));
    let check = folder.run("check f");
    check.says("2 sitemaps, 5 entries");
    let totals = &folder.report("f")["totals"];
    assert_eq!(
        (&totals["pages"], &totals["entries"]),
        (&2.into(), &3.into())
    );
    assert_eq!(
        (&totals["sitemaps"], &totals["not_read"]),
        (&2.into(), &1.into())
    );
}

/// A text sitemap is one under its name, whatever its first line is.
#[test]
fn the_name_of_a_text_decides() {
    let folder = Folder::new();
    folder.put("f/sitemap.txt", "loc\nhttps://e.example/a\n");
    for input in ["f/sitemap.txt", "f"] {
        let check = folder.run(&format!("check {input} --format jsonl"));
        assert!(
            check.status == 1 && check.out.contains("invalid-url"),
            "{input}: {}",
            check.out
        );
    }
    let write = folder.run("write f/sitemap.txt -o -");
    assert_ne!(write.status, 0, "{}", write.out);
}

/// A name without a scheme is a site, or a file that is not there.
#[test]
fn one_name_of_a_site() {
    let folder = Folder::new();
    for command in ["check", "crawl", "report", "edit -o -", "probe"] {
        let ran = folder.run(&format!("{command} maps.invalid/list.xml"));
        let url = "use `https://maps.invalid/list.xml`";
        assert!(
            ran.status == 2 && (ran.said + &ran.out).contains(url),
            "{command}"
        );
        let ran = folder.run(&format!("{command} pages.xml"));
        assert!(
            ran.status == 2 && !ran.said.contains("https://pages.xml"),
            "{command}: {}",
            ran.said
        );
    }
}

/// A zero timestamp is no date of a page, and a quarter of the pages on one date is too many, for every command.
#[test]
fn one_judge_of_dates() {
    let folder = Folder::new();
    folder.put("zero/a.html", "<html><meta name=date content=1970-01-01>a");
    let write = folder.run("write zero -o zero.xml --base https://e.example/ --text");
    assert!(write.status != 0 || !write.out.contains("1970"));
    folder.run("write zero -o zero.xml --base https://e.example/");
    assert!(
        !fs::read_to_string(folder.path("zero.xml"))
            .unwrap()
            .contains("1970")
    );
    for (same, is_shared) in [(7, true), (5, false)] {
        let name = format!("f{same}");
        for page in 0..20 {
            let year = if page < same { 2001 } else { 2001 + page };
            let page_of = format!("<html><meta name=date content={year}-02-03>{page}");
            folder.put(&format!("{name}/{page}.html"), page_of);
        }
        let write = folder.run(&format!(
            "write {name} -o {name}.xml --base https://e.example/"
        ));
        assert_eq!(
            write.said.contains("search engines ignore such dates"),
            is_shared,
            "{}",
            write.said
        );
        let check = folder.run(&format!("check {name}.xml --advice --format jsonl"));
        assert_eq!(
            check.out.contains("shared-lastmod"),
            is_shared,
            "{}",
            check.out
        );
    }
}

const BAD: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>HOST/a</loc><lastmod>DATE</lastmod></url></urlset>";

/// A finding is the same one after a new build, with another bad value, and under https.
#[test]
fn one_identity_of_findings() {
    let folder = Folder::new();
    let bad = |host: &str, date: &str| BAD.replace("HOST", host).replace("DATE", date);
    let digest = |digit: &str| format!("site/part-7-{}.xml", digit.repeat(32));
    folder.put(&digest("a"), bad("http://www.e.example", "31.12.2025"));
    let known = "check site --deny invalid-datetime --baseline known.jsonl";
    let update = folder.run(&format!("{known} --update"));
    assert_eq!(update.status, 0, "{}", update.said);
    folder.run("report site -o before.json");
    fs::remove_file(folder.path(&digest("a"))).unwrap();
    folder.put(&digest("b"), bad("https://e.example", "1.1.26"));
    let check = folder.run(known);
    assert!(
        check.status == 0 && check.said.contains("1 known"),
        "{} {}",
        check.out,
        check.said
    );
    let report = folder.report("site --against before.json");
    let findings = &report["changes"]["findings"];
    assert_eq!(
        (&findings["new"], &findings["fixed"]),
        (&0.into(), &0.into()),
        "{findings}"
    );
    // More of them than before are new.
    folder.put("site/other.xml", bad("https://e.example", "x"));
    assert_eq!(folder.run(known).status, 1);
}

/// Findings of files that this run did not read are not fixed, and are kept.
#[test]
fn a_baseline_is_of_the_files_that_were_read() {
    let folder = Folder::new();
    for name in ["f/a-sitemap.xml", "f/b-sitemap.xml"] {
        folder.put(
            name,
            BAD.replace("HOST", "https://e.example")
                .replace("DATE", "yesterday"),
        );
    }
    let options = "--deny invalid-datetime --baseline known.jsonl";
    folder.run(&format!("check f {options} --update"));
    let one = folder.run(&format!("check f/b-sitemap.xml {options} --update"));
    one.does_not_say("fixed");
    let lines = fs::read_to_string(folder.path("known.jsonl")).unwrap();
    // The last line is the seal.
    assert_eq!(lines.lines().count(), 3, "{lines}");
    fs::create_dir(folder.path("deep")).unwrap();
    let mut elsewhere = sitemap(&["check", "../f", "--baseline", "../known.jsonl"]);
    let elsewhere = elsewhere.current_dir(folder.path("deep")).output().unwrap();
    let said = String::from_utf8(elsewhere.stderr).unwrap();
    assert!(
        said.contains("no sitemap of --baseline is among the inputs"),
        "{said}"
    );
}

/// Staging: the same paths will be at another host.
#[test]
fn the_location_of_a_site_is_used() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}sitemap.xml\n")),
        "/sitemap.xml" => ok(urlset(["https://shop.example.com/a".to_owned()])),
        _ => status(404),
    });
    let check = |options: &[&str]| {
        site.run(&[&["check", &site.home, "--format", "jsonl"], options].concat())
    };
    let there = check(&["--location", "https://www.example.com/"]);
    assert!(there.out.contains("outside-location"), "{}", there.out);
    let moved = check(&["--location", "https://shop.example.com/"]);
    assert!(!moved.out.contains("outside-location"), "{}", moved.out);
}

/// The pace is one for sitemaps, robots.txt and pages, and what robots.txt asks for is kept and told.
#[test]
fn one_pace() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nCrawl-delay: 0.3\n\nSitemap: {home}s.xml\n"
        )),
        "/s.xml" => ok(urlset(["1", "2"].map(|page| format!("{home}{page}")))),
        _ => ok("<html>").header("Content-Type", "text/html"),
    });
    let probe = site.run(&["probe", &site.home, "--delay", "0.2"]);
    probe.says("Crawl-delay: 0.3 s");
    let mut times = site.times("/");
    times.sort();
    // robots.txt is requested once.
    assert_eq!(times.len(), 4, "{:?}", site.paths());
    for pair in times.windows(2) {
        assert!(
            pair[1] - pair[0] >= std::time::Duration::from_millis(280),
            "{times:?}"
        );
    }
}

/// A host that requires a long pause is the reason for all of its sitemaps, each of which says so.
#[test]
fn a_pause_is_no_failure_of_others() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index((0..4).map(|part| format!("{home}{part}.xml")))),
        _ => status(429).header("Retry-After", "7200"),
    });
    let crawl = site.run(&["crawl", &site.home, "--jobs", "1"]);
    assert_eq!(
        crawl.said.matches("status 429").count() + crawl.said.matches("429 Too Many").count(),
        1,
        "{}",
        crawl.said
    );
    assert_eq!(
        crawl.said.matches("not requested").count(),
        3,
        "{}",
        crawl.said
    );
}

/// A user and a password in the URL of a page are sent, and neither printed nor stored.
#[test]
fn no_result_has_a_password() {
    let site = http(|_, _| ok("<html>").header("Content-Type", "text/html"));
    let folder = Folder::new();
    let url = site.at("page").replace("http://", "http://me:s3cret@");
    folder.put("pages.txt", format!("{url}\n"));
    let probe = folder.run("probe pages.txt --delay 0 --format jsonl --resume results.jsonl");
    assert!(
        site.header("/page", "authorization").is_some(),
        "{}",
        probe.said
    );
    let stored = fs::read_to_string(folder.path("results.jsonl")).unwrap();
    for text in [&probe.out, &probe.said, &stored] {
        assert!(!text.contains("s3cret"), "{text}");
    }
    // The state of a crawl has the first problem of a sitemap.
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}s.xml\n")),
        "/s.xml" => ok(urlset([
            "http://me:s3cret@e.example:x/".to_owned(),
            format!("{home}a"),
        ])),
        _ => status(404),
    });
    let crawl = folder.run(&format!(
        "crawl {} --resume state.json -o pages.out.txt",
        site.home
    ));
    let state = fs::read_to_string(folder.path("state.json")).unwrap();
    assert!(
        !state.contains("s3cret") && !crawl.said.contains("s3cret"),
        "{state} {}",
        crawl.said
    );
}

/// Pages of one host are requested over a connection that is kept.
#[test]
fn connections_are_kept() {
    use std::io::{BufRead, BufReader, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut stream = stream;
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
                    if line == "\r\n" {
                        let body = format!("<html><head></head><body>{}", "x".repeat(9_000));
                        let head = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
                            body.len()
                        );
                        stream.write_all((head + &body).as_bytes()).unwrap();
                    }
                    line.clear();
                }
            });
        }
    });
    let folder = Folder::new();
    let pages: String = (0..30).map(|page| format!("{home}/{page}\n")).collect();
    folder.put("pages.txt", pages);
    let probe = folder.run("probe pages.txt --delay 0 --jobs 1");
    assert_eq!(probe.status, 0, "{} {}", probe.out, probe.said);
    // robots.txt, and the pages.
    let connections = connections.load(Ordering::Relaxed);
    assert!(connections <= 3, "{connections}");
}

/// The commands that read pages report what is lost, and send nobody to a command that shows nothing.
#[test]
fn what_is_allowed_is_not_mentioned() {
    let folder = Folder::new();
    folder.put(
        "a.xml",
        "<urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://e.example/a</loc>\
         <changefreq>sometimes</changefreq></url></urlset>",
    );
    folder.put(
        "sitemap.toml",
        "[check]\nallow = [\"invalid-changefreq\", \"wrong-namespace\"]\n",
    );
    let check = folder.run("check a.xml");
    assert_eq!((check.status, &*check.out), (0, ""), "{}", check.said);
    for command in ["diff a.xml a.xml", "edit a.xml -o -", "show a.xml"] {
        let ran = folder.run(command);
        let said = ran.said + &ran.out;
        assert!(!said.contains("sitemap check"), "{command}: {said}");
        assert!(!said.contains("wrong-namespace"), "{command}: {said}");
    }
}

/// A list of another program is read by every command, with one option for its columns.
#[test]
fn columns_have_names_everywhere() {
    let site = http(|_, _| ok("<html>").header("Content-Type", "text/html"));
    let folder = Folder::new();
    folder.put(
        "list.tsv",
        format!("Titel\tAdresse\tStand\nx\t{}seite\t2024-05-06\n", site.home),
    );
    let named = "--column loc=adresse --column lastmod=Stand";
    for command in [
        "check list.tsv --allow unreachable-host",
        "report list.tsv --format json --allow unreachable-host",
        "show list.tsv --format csv",
        "diff list.tsv list.tsv",
        "edit list.tsv -o -",
        "probe list.tsv --delay 0 --format jsonl",
        "write list.tsv -o - --ignore-unknown",
    ] {
        let ran = folder.run(&format!("{command} {named}"));
        assert_eq!(ran.status, 0, "{command}: {} {}", ran.out, ran.said);
        let ran = folder.run(command);
        assert_eq!(ran.status, 2, "{command}: {} {}", ran.out, ran.said);
    }
    let edit = folder.run(&format!("edit list.tsv -o - {named}"));
    assert!(edit.out.contains("<lastmod>2024-05-06"), "{}", edit.out);
}

/// A list at a URL that is named is one for every command, as in a file.
#[test]
fn a_list_at_a_url_is_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/export.tsv" => ok(format!("Ziel\tStand\n{home}seite\t2024-05-06\n")),
        "/seite" => ok("<html>").header("Content-Type", "text/html"),
        _ => status(404),
    });
    for (name, mut arguments) in commands(&site.at("export.tsv")) {
        arguments.extend(["--column", "loc=ziel"].map(str::to_owned));
        let ran = run(&site, &arguments);
        assert_eq!((name, ran.status), (name, 0), "{} {}", ran.out, ran.said);
        arguments.truncate(arguments.len() - 2);
        let ran = run(&site, &arguments);
        assert_ne!((name, ran.status), (name, 0), "{} {}", ran.out, ran.said);
    }
}

/// An index that lists nothing is an error for every command, wherever it is.
#[test]
fn an_empty_index_is_one_error() {
    let empty = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><!-- soon --></sitemapindex>";
    let site = http(move |asked, _| match asked.path.as_str() {
        "/maps.xml" => ok(empty),
        _ => status(404),
    });
    let folder = Folder::new();
    folder.put("f/maps.xml", empty);
    for input in ["f/maps.xml", "f", &site.at("maps.xml")] {
        for (name, arguments) in commands(input) {
            if name == "crawl" && !input.starts_with("http") {
                continue;
            }
            let expected = match name {
                "check" | "report" | "crawl" => 1,
                _ => 2,
            };
            let ran = folder.run(&arguments.join(" "));
            let said = format!("{} {}", ran.out, ran.said);
            assert_eq!((name, ran.status), (name, expected), "{input}: {said}");
            let is_said = said.contains("the index lists no sitemap");
            assert!(is_said || name == "report", "{input} {name}: {said}");
        }
    }
}

/// A list and a sitemap with a login: neither is printed, nor written into a sitemap that everybody reads.
#[test]
fn no_list_has_a_password() {
    let folder = Folder::new();
    let url = "https://max:geheim@e.example/intern?a=1";
    folder.put("pages.jsonl", format!("{{\"loc\":\"{url}\"}}\n"));
    folder.put(
        "a.xml",
        format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{}</loc></url></urlset>", url),
    );
    folder.put("none.txt", "https://e.example/other\n");
    for input in ["pages.jsonl", "a.xml"] {
        for command in [
            "show IN",
            "show IN --format csv",
            "show IN --format jsonl",
            "diff IN none.txt",
            "diff none.txt IN --format jsonl",
            "edit IN -o -",
            "edit IN -o - --sort loc --dedupe",
            "check IN --advice --format jsonl",
            "report IN --format json",
        ] {
            let ran = folder.run(&command.replace("IN", input));
            let said = ran.out + &ran.said;
            assert!(!said.contains("geheim"), "{command} {input}: {said}");
        }
    }
    let write = folder.run("write pages.jsonl -o -");
    assert!(
        write.out.contains("<loc>https://e.example/intern"),
        "{}",
        write.out
    );
    let site = http(move |asked, _| match asked.path.as_str() {
        "/s.xml" => ok(urlset([url.to_owned()])),
        _ => status(404),
    });
    for format in ["text", "tsv", "jsonl"] {
        let crawl = folder.run(&format!("crawl {} --format {format}", site.at("s.xml")));
        assert!(!(crawl.out + &crawl.said).contains("geheim"), "{format}");
    }
}

/// A dash is standard output only for results: a state is a file, and none is made with that name.
#[test]
fn a_dash_is_no_file() {
    let folder = Folder::new();
    folder
        .put("a.xml", pages(&["a"]))
        .put("site/index.html", "<html>a");
    for command in [
        "crawl http://127.0.0.1:9/ --resume -",
        "probe a.xml --resume -",
        "check a.xml --baseline - --update",
        "report a.xml --history -",
        "write site -o public --base https://e.example/ --robots -",
        "write site -o s.xml --base https://e.example/ --state -",
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.said);
        assert!(
            ran.said.contains("not standard output"),
            "{command}: {}",
            ran.said
        );
        assert!(!folder.path("-").exists(), "{command}");
    }
    let shown = folder.run("report a.xml --format json -o -");
    assert_eq!(shown.status, 0, "{}", shown.said);
}

/// A site that has moved to another host: the same pages, once both commands are told.
#[test]
fn a_move_to_another_host_is_no_change() {
    let folder = Folder::new();
    let before = |path: &str| format!("http://alt.example:8080/{path}\n");
    folder.put("before.txt", ["1", "2", "3"].map(before).concat());
    folder.put("now.xml", pages(&["1", "2", "4"]));
    let moved = "--replace-host http://alt.example:8080=https://e.example";
    let diff = folder.run(&format!("diff before.txt now.xml --format count {moved}"));
    assert!(
        diff.out
            .starts_with("added 1\nremoved 1\nchanged 0\nsame 2\n"),
        "{}",
        diff.out
    );
}

/// A site with an index, whose first part has errors.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(
            ["a.xml", "b.xml"].map(|name| format!("{home}{name}")),
        )),
        "/a.xml" => ok(BAD
            .replace("HOST", home.trim_end_matches('/'))
            .replace("DATE", "soon")),
        "/b.xml" => ok(urlset(
            ["p/1", "p/2", "q/1"].map(|page| format!("{home}{page}")),
        )),
        _ => status(404),
    })
}

/// After a move to https, and to another form of the host, the sitemaps, the findings and the sections are the same.
#[test]
fn a_move_to_https_is_no_change() {
    let site = faulty();
    let folder = Folder::new();
    folder.run(&format!("report {} -o now.json", site.home));
    let now = fs::read_to_string(folder.path("now.json")).unwrap();
    assert!(now.contains("\"name\":\"127.0.0.1:"), "{now}");
    // The report that was made before the move, at the other host.
    let before = now.replace("http://127", "https://www.127");
    folder.put(
        "before.json",
        before.replace("\"name\":\"127", "\"name\":\"www.127"),
    );
    let changes = &folder.report(&format!("{} --against before.json", site.home))["changes"];
    let findings = &changes["findings"];
    let counts = ["new", "fixed", "unread"].map(|name| findings[name].as_u64());
    assert_eq!(counts, [Some(0); 3], "{findings}");
    assert!(findings["still"].as_u64() > Some(0), "{findings}");
    assert_eq!(changes["sitemaps"], Value::Array(Vec::new()));
    let sections = changes["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 3, "{changes}");
    assert!(
        sections
            .iter()
            .all(|section| section["before"] == section["now"]),
        "{changes}"
    );
}

/// After a move to another host, `--replace-host` makes the sitemaps, the findings and the sections the same, in a report and
/// for a baseline.
#[test]
fn findings_that_move_to_another_host_are_the_same() {
    let (old, new) = (faulty(), faulty());
    let folder = Folder::new();
    folder.run(&format!("report {} -o before.json", old.home));
    folder.run(&format!(
        "check {} --advice --baseline known.jsonl --update",
        old.home
    ));
    let [from, to] = [&old, &new].map(|site| site.home.trim_end_matches('/'));
    let moved = format!("--replace-host {from}={to}");
    let changes = |options: &str| {
        let report = folder.report(&format!("{to} --against before.json {options}"));
        let changes = report["changes"].clone();
        let findings = ["new", "fixed", "unread"].map(|name| changes["findings"][name].as_u64());
        let sections = changes["sections"].as_array().unwrap().len();
        (
            findings,
            changes["sitemaps"].as_array().unwrap().len(),
            sections,
        )
    };
    assert_eq!(changes(&moved), ([Some(0); 3], 0, 3));
    // A report after the move is compared by its own names.
    folder.run(&format!(
        "report {to} --against before.json {moved} -o after.json"
    ));
    let report = folder.report(&format!("{to} --against after.json"));
    let findings = &report["changes"]["findings"];
    let counts = ["new", "fixed", "unread"].map(|name| findings[name].as_u64());
    assert_eq!(counts, [Some(0); 3], "{findings}");
    let (findings, sitemaps, sections) = changes("");
    assert!(findings[0] > Some(0) && sitemaps == 6 && sections == 6);
    let check = |options: &str| {
        let ran = folder.run(&format!(
            "check {to} --advice --baseline known.jsonl {options}"
        ));
        (ran.said.contains("no new problems found"), ran.said)
    };
    let (is_known, said) = check(&moved);
    assert!(is_known && !said.contains("not looked for"), "{said}");
    assert!(!check("").0);
    // A host that no URL has is named.
    let unused = "warning: --replace-host nowhere.example=b.example: no URL of ";
    for command in [
        format!("report {to} --against before.json"),
        format!("check {to} --baseline known.jsonl"),
        format!("diff {to}/b.xml {from}/b.xml"),
        format!("probe {to}/b.xml --delay 0"),
        format!("edit {to}/b.xml -o out.xml"),
    ] {
        let ran = folder.run(&format!(
            "{command} --replace-host nowhere.example=b.example"
        ));
        assert!(ran.said.contains(unused), "{command}: {}", ran.said);
    }
}

/// README names the fields of the report that there are.
#[test]
fn fields_of_the_report_are_those_of_readme() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "gone.xml"]))
        .put(
            "f/1.xml",
            BAD.replace("HOST", "https://e.example")
                .replace("DATE", "2024-05-06"),
        );
    let report = folder.report("f");
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let table = readme.split("| field | |\n|---|---|\n").nth(1).unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut count = 0;
    for name in rows.flat_map(|row| {
        let cell = row.split(" | ").next().unwrap();
        cell.trim_start_matches("| ")
            .split(", ")
            .map(|name| name.trim_matches('`').to_owned())
    }) {
        count += 1;
        assert!(report.get(&name).is_some(), "{name}: {report}");
    }
    assert!(count > 8, "{count}");
    let mut fields: Vec<_> = report["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_object().unwrap().keys().cloned())
        .collect();
    fields.sort();
    fields.dedup();
    let row = table
        .lines()
        .find(|row| row.starts_with("| `sitemaps`"))
        .unwrap();
    for field in [
        "name", "format", "status", "entries", "bytes", "newest", "errors",
    ] {
        assert!(fields.iter().any(|own| own == field), "{field}: {fields:?}");
    }
    assert!(!row.contains("the index that lists it"));
}

/// Lists in UTF-16, as spreadsheets save them, are told by their content, under any name and in every command.
#[test]
fn a_list_in_utf_16_is_read_everywhere() {
    let site = http(|_, _| ok("<html>").header("Content-Type", "text/html"));
    let folder = Folder::new();
    let (one, other) = (site.at("straße/1?q=ü"), site.at("2"));
    let table = format!("url\tlastmod\n{one}\t2024-05-06\n{other}\t\n");
    let little = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>()
    };
    let big = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect::<Vec<_>>()
    };
    folder
        .put("unicode.txt", little(&format!("\u{feff}{table}")))
        .put(
            "export.csv",
            big(&format!("\u{feff}{}", table.replace('\t', ";"))),
        )
        .put("export", little(&table))
        .put(
            "lines.dat",
            big(&format!("{{\"loc\":\"{one}\"}}\n{{\"loc\":\"{other}\"}}\n")),
        )
        .put("urls.txt", big(&format!("\u{feff}{one}\r\n{other}\r\n")))
        // Valid neighbours: the same in UTF-8.
        .put("utf-8.tsv", &table)
        .put("utf-8.csv", format!("\u{feff}{}", table.replace('\t', ",")));
    for list in [
        "unicode.txt",
        "export.csv",
        "export",
        "lines.dat",
        "urls.txt",
        "utf-8.tsv",
        "utf-8.csv",
    ] {
        for command in [
            "check IN --allow unreachable-host --allow not-utf-8",
            "report IN --format json --allow unreachable-host --allow not-utf-8",
            "show IN --format jsonl",
            "diff IN IN",
            "edit IN -o -",
            "write IN -o -",
            "probe IN --delay 0 --format jsonl",
        ] {
            let ran = folder.run(&command.replace("IN", list));
            let said = format!("{list} {command}: {} {}", ran.out, ran.said);
            assert_eq!(ran.status, 0, "{said}");
            let is_read = said.contains("stra%C3%9Fe") || said.contains("2 entries");
            assert!(is_read || said.contains("2 the same"), "{said}");
        }
    }
    // A table without the column is named as one, not as a text without pages.
    folder.put(
        "other.txt",
        little("\u{feff}Adresse\tStand\nhttps://e.example/\tneu\n"),
    );
    for command in ["check", "report", "show", "edit -o -", "write -o -"] {
        let ran = folder.run(&format!("{command} other.txt"));
        let said = ran.said + &ran.out;
        assert_eq!(ran.status, 2, "{command}: {said}");
        assert!(
            said.contains("--column loc=NAME") || command == "report",
            "{command}: {said}"
        );
    }
    // A character that is cut off is an error, not a shorter list.
    let cut = little(&table);
    folder.put("cut.txt", &cut[..cut.len() - 3]);
    for command in ["check", "edit -o -", "write -o -"] {
        let ran = folder.run(&format!("{command} cut.txt"));
        assert_ne!(ran.status, 0, "{command}: {} {}", ran.out, ran.said);
    }
}

/// A robots.txt has its problems once, even if its folder is named twice.
#[test]
fn a_folder_is_judged_once() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", pages(&["a"]))
        .put("f/robots.txt", "Sitemap: /sitemap.xml\n")
        .put("g/sitemap.xml", pages(&["b"]))
        .put("g/robots.txt", "Sitemap: sitemap.xml\n");
    for (inputs, expected) in [
        ("f", 1),
        ("f f", 1),
        ("f ./f f/", 1),
        ("f g", 2),
        ("f/sitemap.xml", 0),
    ] {
        let check = folder.run(&format!("check {inputs} --format jsonl"));
        let lines = check.out.matches("robots-sitemap-line").count();
        assert_eq!(lines, expected, "{inputs}: {}", check.out);
    }
}

/// The header names the encoding of a document that does not name it, with `--no-follow`, too.
#[test]
fn the_charset_of_a_header_counts_without_a_crawl() {
    for (charset, is_foreign) in [
        ("iso-8859-1", true),
        ("windows-1252", true),
        ("utf-8", false),
        ("UTF8", false),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/s.xml" => {
                let text: &[u8] = if is_foreign {
                    b"<!--\xfc-->"
                } else {
                    "<!--ü-->".as_bytes()
                };
                let page = format!("<url><loc>{home}a</loc></url>");
                let root = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
                ok([text, root.as_bytes(), page.as_bytes(), b"</urlset>"].concat())
                    .header("Content-Type", format!("text/xml; charset={charset}"))
            }
            _ => status(404),
        });
        for option in ["--quiet", "--no-follow"] {
            let check = site.run(&["check", &site.at("s.xml"), option]);
            assert_eq!(
                check.out.contains("not-utf-8"),
                is_foreign,
                "{charset} {option}: {}",
                check.out
            );
        }
    }
}

/// The commands that print CSV, for pages at a site.
fn tables(site: &Served) -> Vec<String> {
    let crawl = format!("crawl {}", site.at("s.xml"));
    let commands = [
        "show now.xml",
        "check bad.xml",
        "diff before.txt now.xml",
        "probe now.xml --delay 0",
        &crawl,
    ];
    commands
        .map(|command| format!("{command} --format csv"))
        .to_vec()
}

fn served_table(folder: &Folder) -> Served {
    let site = http(|asked, home| match asked.path.as_str() {
        "/s.xml" => ok(urlset([format!("{home}straße")])),
        _ => ok("<html>").header("Content-Type", "text/html"),
    });
    folder
        .put("now.xml", urlset([site.at("straße")]))
        .put("before.txt", format!("{}\n", site.at("alt")))
        .put(
            "bad.xml",
            BAD.replace("HOST", "https://e.example")
                .replace("DATE", "März"),
        );
    site
}

/// CSV in a file has the mark by which spreadsheets know UTF-8, in a pipe it has none, and both are read.
#[test]
fn csv_opens_in_a_spreadsheet() {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let folder = Folder::new();
    let site = served_table(&folder);
    let path = |name: &str| folder.path(name);
    for command in tables(&site) {
        // How long a page took differs.
        let rows = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let first = if command.starts_with("probe") { 1 } else { 9 };
            text.lines()
                .take(first)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let piped = folder.run(&command).out;
        assert!(
            !piped.starts_with('\u{feff}') && piped.contains(','),
            "{command}: {piped}"
        );
        folder.run(&format!("{command} -o out.csv"));
        let written = fs::read(path("out.csv")).unwrap();
        let written = written.strip_prefix(MARK).map(rows);
        assert_eq!(written, Some(rows(piped.as_bytes())), "{command}");
        // By the shell, and at the end of a file that has a beginning.
        for (before, mark) in [("", MARK), ("x\n", b"")] {
            folder.put("shell.csv", before);
            let file = fs::OpenOptions::new()
                .append(true)
                .open(path("shell.csv"))
                .unwrap();
            let arguments: Vec<_> = command.split_whitespace().collect();
            let mut run = sitemap(&arguments);
            run.current_dir(folder.0.path())
                .stdout(file)
                .status()
                .unwrap();
            let written = fs::read(path("shell.csv")).unwrap();
            let expected = [before.as_bytes(), mark, piped.as_bytes()].concat();
            assert_eq!(rows(&written), rows(&expected), "{command}");
        }
        let tabs = command.replace("--format csv", "--format tsv");
        if !command.starts_with("check") && !command.starts_with("diff") {
            folder.run(&format!("{tabs} -o out.tsv"));
            assert!(
                !fs::read(path("out.tsv")).unwrap().starts_with(MARK),
                "{command}"
            );
        }
    }
    folder.run("report bad.xml -o r.html --csv found.csv");
    assert!(fs::read(path("found.csv")).unwrap().starts_with(MARK));
    // A crawl that is continued appends to its file, which other commands read.
    let crawl = format!(
        "crawl {} --resume state.json -o pages.csv",
        site.at("s.xml")
    );
    for _ in 0..2 {
        assert_eq!(folder.run(&crawl).status, 0);
    }
    let written = fs::read(path("pages.csv")).unwrap();
    assert_eq!(written.windows(3).filter(|bytes| *bytes == MARK).count(), 1);
    for command in [
        "check pages.csv --allow unreachable-host",
        "report pages.csv --format json --allow unreachable-host",
        "show pages.csv",
        "diff pages.csv now.xml",
        "edit pages.csv -o -",
        "write pages.csv -o -",
        "probe pages.csv --delay 0",
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.status, 0, "{command}: {} {}", ran.out, ran.said);
    }
}

/// A full disk is an error that names the file, or standard output.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let folder = Folder::new();
    let site = served_table(&folder);
    let mut commands = tables(&site);
    commands.extend(["show now.xml", "report now.xml --format json"].map(str::to_owned));
    commands.extend(
        tables(&site)
            .iter()
            .map(|command| command.replace("csv", "jsonl")),
    );
    std::os::unix::fs::symlink("/dev/full", folder.path("full.xml")).unwrap();
    for command in ["edit now.xml", "write before.txt"] {
        let ran = folder.run(&format!("{command} -o full.xml"));
        let is_named = ran.status == 2 && ran.said.contains("full.xml: ");
        assert!(is_named, "{command}: {} {}", ran.status, ran.said);
    }
    for command in &commands {
        let ran = folder.run(&format!("{command} -o /dev/full"));
        assert!(
            ran.status == 2 && ran.said.contains("/dev/full: "),
            "{command}: {} {}",
            ran.status,
            ran.said
        );
    }
    commands
        .extend(["--help", "check --help", "--version", "edit now.xml -o -"].map(str::to_owned));
    for command in &commands {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let arguments: Vec<_> = command.split_whitespace().collect();
        let mut run = sitemap(&arguments);
        let ran = run
            .current_dir(folder.0.path())
            .stdout(full)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("standard output: "), "{command}: {said}");
    }
}

/// A site, a sitemap of it, and both again: each is read once, in any order.
#[test]
fn a_url_is_read_once_under_any_name() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(
            ["a.xml", "b.xml"].map(|part| format!("{home}{part}")),
        )),
        "/a.xml" | "/%61.xml" => ok(urlset([format!("{home}a")])),
        "/b.xml" => ok(urlset([format!("{home}b")])),
        _ => status(404),
    });
    let (home, a) = (site.home.as_str(), site.at("a.xml"));
    let robots = site.at("robots.txt");
    let spelled = site.at("%61.xml");
    for inputs in [
        [home, home],
        [home, &a],
        [&a, home],
        [home, &robots],
        [&spelled, home],
    ] {
        let [one, other] = inputs;
        let check = site.run(&["check", one, other, "--advice", "--format", "jsonl"]);
        assert!(
            !check.out.contains("duplicate"),
            "{inputs:?}: {}",
            check.out
        );
        let report = site.run(&["report", one, other, "--format", "json"]);
        let report: Value = serde_json::from_str(&report.out).unwrap();
        let totals = &report["totals"];
        assert_eq!(
            (&totals["pages"], &totals["sitemaps"]),
            (&2.into(), &3.into()),
            "{inputs:?}"
        );
        let edit = site.run(&["edit", one, other, "-o", "-"]);
        edit.says("2 pages read from 3 files");
    }
}

/// Two spellings of a part are one.
#[test]
fn a_part_has_one_name() {
    let folder = Folder::new();
    let parts = [
        "https://e.example/a.xml",
        "https://e.example/%61.xml",
        "http://www.e.example/a.xml",
    ];
    folder
        .put("f/sitemap.xml", index(parts.map(str::to_owned)))
        .put("f/a.xml", pages(&["1"]));
    let check = folder.run("check f");
    check.does_not_say("missing");
    check.says("2 sitemaps");
}

/// A name that is no file is told as that, before it is told what was tried.
#[test]
fn a_name_that_is_no_file_is_told() {
    let folder = Folder::new();
    for command in ["check", "crawl", "edit -o -", "probe"] {
        let ran = folder.run(&format!("{command} sitemap.invalid --retries 0"));
        let told = "there is no file `sitemap.invalid`";
        assert!(
            ran.said.contains(told) || ran.out.contains(told),
            "{command}: {}",
            ran.said
        );
        assert_ne!(ran.status, 0);
        for (name, hint) in [
            ("dist.old/", "use `https://dist.old/`"),
            ("htps://e.example/", "`htps:` is not read"),
            ("ftp://e.example/a.xml", "`ftp:` is not read"),
            ("file:///srv/a.xml", "use the path alone, `/srv/a.xml`"),
        ] {
            let ran = folder.run(&format!("{command} {name}"));
            let said = format!("{}{}", ran.said, ran.out);
            assert!(said.contains(hint), "{command} {name}: {said}");
            assert_eq!(ran.status, 2);
        }
    }
}

/// Old Mac line ends: a list is read as a text sitemap is.
#[test]
fn carriage_returns_end_lines_everywhere() {
    let folder = Folder::new();
    let urls = locs(&["1", "2", "3"]);
    folder
        .put("mac.txt", urls.join("\r") + "\r")
        .put("paths.txt", "\r/1\r/2\r\r/3")
        .put("all.xml", urlset(urls));
    for list in ["mac.txt", "paths.txt"] {
        let write = folder.run(&format!(
            "write {list} -o {list}.xml --base https://e.example/"
        ));
        assert_eq!(write.status, 0, "{}", write.said);
        let diff = folder.run(&format!("diff all.xml {list}.xml"));
        assert_eq!(diff.status, 0, "{list}: {}", diff.out);
    }
    assert!(folder.run("check mac.txt").said.contains("3 entries"));
    assert_eq!(folder.run("check all.xml --must-list mac.txt").status, 0);
    folder.put("bad.txt", "/1\r/2\rnot a URL\r");
    let bad = folder.run("write bad.txt -o bad.xml --base https://e.example/");
    assert!(
        bad.status == 2 && bad.said.contains("bad.txt:3"),
        "{}",
        bad.said
    );
}

/// A column that was named, and that no table has, is an error of every command.
#[test]
fn a_column_that_no_table_has_is_an_error() {
    let folder = Folder::new();
    folder
        .put(
            "a.csv",
            "Address,Last Modified\nhttps://e.example/1,2026-11-01\n",
        )
        .put("b.csv", "Address,Changed\nhttps://e.example/1,2026-11-01\n");
    let lost = "--column loc=Address --column lastmod=Modified";
    for command in [
        "write a.csv -o z.xml --ignore-unknown",
        "edit a.csv -o -",
        "diff a.csv a.csv",
        "show a.csv",
        "check a.csv",
        "report a.csv",
        "probe a.csv",
    ] {
        let ran = folder.run(&format!("{command} {lost}"));
        assert_eq!(ran.status, 2, "{command}: {}", ran.said);
        for part in ["a.csv", "`Modified`", "`Address`, `Last Modified`"] {
            assert!(ran.said.contains(part), "{command}: {}", ran.said);
        }
    }
    assert!(!folder.path("z.xml").exists());
    // One of several tables has it.
    let diff = folder.run("diff a.csv b.csv --column loc=Address --column lastmod=Changed");
    assert!(diff.status < 2, "{}", diff.said);
    let unknown = folder.run("write a.csv -o z.xml --column loc=Address");
    unknown.says("--column FIELD=Last Modified");
    let wrong = folder.run("write a.csv -o z.xml --column loc=Adress");
    wrong.says("`Address`, `Last Modified`");
}

/// If nothing could be read, an error that says why is a finding, for `report` as for `check`.
#[test]
fn what_nothing_was_read_of_has_a_finding_or_is_a_failure() {
    let folder = Folder::new();
    folder.put("empty.xml", "");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}/", closed.local_addr().unwrap());
    drop(closed);
    for command in ["check", "report"] {
        for (input, status) in [("empty.xml", 1), (&*dead, 1), ("missing.xml", 2)] {
            let ran = folder.run(&format!("{command} {input} --retries 0 -o out.json"));
            assert_eq!(ran.status, status, "{command} {input}: {}", ran.said);
            assert!(!folder.path("out.json").exists(), "{command} {input}");
        }
    }
}

/// A table without its header is a list of URLs, and no URL of it is requested.
#[test]
fn a_column_of_a_list_without_columns_is_an_error() {
    let folder = Folder::new();
    folder.put("old.txt", "https://e.example/1,https://e.example/2\n");
    let commands = [
        "write old.txt -o z.xml",
        "edit old.txt -o -",
        "diff old.txt old.txt",
        "show old.txt",
        "check old.txt",
        "report old.txt",
        "probe old.txt",
    ];
    let of_urls = commands.map(|command| (format!("{command} --column loc=old"), "old", "loc"));
    let of_targets = "probe old.txt --follow --column expected=old".to_owned();
    for (command, name, field) in of_urls.into_iter().chain([(of_targets, "old", "expected")]) {
        let ran = folder.run(&command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.said);
        let expected = format!("no table has a column `{name}` (--column {field}={name})");
        assert!(ran.said.contains(&expected), "{command}: {}", ran.said);
    }
    assert!(!folder.path("z.xml").exists());
}

/// One date of a page in the filters, the order and the table, which names it as it is.
#[test]
fn an_article_without_lastmod_has_its_publication_date() {
    let folder = Folder::new();
    let article = |name: &str, date: &str| {
        format!(
            "<url><loc>https://e.example/{name}</loc><news:news><news:publication><news:name>E</news:name>\
             <news:language>en</news:language></news:publication><news:publication_date>{date}\
             </news:publication_date><news:title>T</news:title></news:news></url>"
        )
    };
    let articles = [article("b", "2026-11-02"), article("a", "2026-11-01")].concat();
    folder.put(
        "news.xml",
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">{articles}</urlset>"
        ),
    );
    let sorted = folder.run("edit news.xml --sort lastmod -o - --text");
    let expected = "https://e.example/a\nhttps://e.example/b\n";
    assert_eq!(sorted.out, expected, "{}", sorted.said);
    let shown = folder.run("show news.xml --since 2026-11-02").out;
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].starts_with("publication_date  "), "{shown}");
    assert!(lines[2].starts_with("2026-11-02        "), "{shown}");
    assert!(!shown.contains("lastmod"), "{shown}");
}

/// The ending of a name means the same for every output.
#[test]
fn one_table_of_endings() {
    let folder = Folder::new();
    folder.put("a.xml", pages(&["1"]));
    for command in ["show a.xml", "check a.xml", "diff a.xml a.xml"] {
        for (name, status) in [
            ("q.html", 2),
            ("q.xlsx", 2),
            ("q.txt", 0),
            ("q.JSON", 0),
            ("q.ndjson", 0),
            ("q.csv", 0),
            ("q", 0),
        ] {
            let ran = folder.run(&format!("{command} -o {name}"));
            assert_eq!(ran.status, status, "{command} {name}: {}", ran.said);
        }
        assert!(
            folder
                .run(&format!("{command} -o q.xlsx --format csv"))
                .status
                == 0
        );
    }
    for (name, status) in [
        ("r.htm", 0),
        ("r.json", 0),
        ("r.txt", 0),
        ("r.csv", 2),
        ("r", 2),
    ] {
        let ran = folder.run(&format!("report a.xml -o {name}"));
        assert_eq!(ran.status, status, "{name}: {}", ran.said);
    }
}

/// A part that is not there, one that is refused and one that cannot be fetched are three things.
#[test]
fn a_refusal_is_no_absence() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(
            [
                "404", "410", "401", "403", "451", "429", "500", "503", "page", "header", "ok",
            ]
            .map(|part| format!("{home}{part}")),
        )),
        "/page" => {
            ok("<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>")
        }
        "/header" => status(503).header("cf-mitigated", "challenge"),
        "/ok" => ok(urlset([format!("{home}a")])),
        path => status(path[1..].parse().unwrap_or(404)),
    });
    let check = site.run(&["check", &site.home, "--retries", "0", "--format", "jsonl"]);
    let found = check.out.lines().map(|line| {
        let found: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
        (
            text("page").trim_start_matches("SITE/").to_owned(),
            text("rule"),
            text("severity"),
        )
    });
    let found: Vec<_> = found.collect();
    for (part, rule, severity) in [
        ("404", "missing-part", "error"),
        ("410", "missing-part", "error"),
        ("401", "refused-part", "warning"),
        ("403", "refused-part", "warning"),
        ("451", "refused-part", "warning"),
        ("page", "refused-part", "warning"),
        ("header", "refused-part", "warning"),
        ("429", "unreachable-part", "error"),
        ("500", "unreachable-part", "error"),
        ("503", "unreachable-part", "error"),
    ] {
        let expected = (part.to_owned(), rule.to_owned(), severity.to_owned());
        assert!(found.contains(&expected), "{part}: {found:?}");
    }
    // Only warnings.
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}a.xml\nSitemap: {home}b.xml\n")),
        "/a.xml" => ok(urlset([format!("{home}a")])),
        _ => status(403),
    });
    let check = site.run(&["check", &site.home]);
    assert_eq!(check.status, 0, "{}", check.said);
    assert!(check.out.contains("refused-part"), "{}", check.out);
    assert!(check.out.contains("--user-agent"), "{}", check.out);
}

/// `crawl` says why there may be more pages than it has returned, and that the filters leave none.
#[test]
fn a_crawl_says_what_is_not_known() {
    for (robots, sitemap, doubt) in [
        (404, "a.xml", None),
        (
            403,
            "a.xml",
            Some("robots.txt or a usual place of sitemaps is refused"),
        ),
        (404, "a.txt", Some("the end of a text cannot be checked")),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => status(robots),
            "/sitemap.xml" => ok(index([format!("{home}{sitemap}")])),
            "/a.xml" => ok(urlset([format!("{home}a")])),
            "/a.txt" => ok(format!("{home}a\n")),
            _ => status(404),
        });
        let ran = site.run(&["crawl", &site.home]);
        assert_eq!(ran.status, 0, "{}", ran.said);
        let is_doubted = ran.said.contains("may be more");
        assert_eq!(is_doubted, doubt.is_some(), "{}", ran.said);
        ran.says(doubt.unwrap_or("1 entry in 2 sitemaps"));
        let ran = site.run(&["crawl", &site.home, "--match", "nowhere"]);
        assert_eq!((ran.status, &*ran.out), (0, ""), "{}", ran.said);
        let expected = "warning: --match nowhere keeps none of 1 entry";
        ran.says(expected);
    }
}

/// A page in place of a sitemap is named by the place where it was found, too.
#[test]
fn a_redirect_is_said_with_its_end() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}s.xml\nSitemap: {home}ok.xml\n")),
        "/s.xml" => redirect(&format!("{home}login")),
        "/login" => ok("<html></html>"),
        "/ok.xml" => ok(urlset([format!("{home}a")])),
        _ => status(404),
    });
    let (home, part) = (site.home.clone(), site.at("s.xml"));
    for arguments in [
        vec!["crawl", &*home],
        vec!["crawl", &part],
        vec!["show", &part],
        vec!["edit", &home, "-o", "-"],
    ] {
        let ran = site.run(&arguments);
        assert_ne!(ran.status, 0, "{arguments:?} {}", ran.said);
        let is_said =
            ran.said.contains("SITE/s.xml") && ran.said.contains("(redirected to SITE/login)");
        assert!(is_said, "{arguments:?} {}", ran.said);
    }
}

/// Two sites: `localhost` and `127.0.0.1` are two hosts, and each server has its own port.
fn two(
    one: impl Fn(&str, &str, &str) -> Answer + Send + Sync + 'static,
    other: impl Fn(&str, &str, &str) -> Answer + Send + Sync + 'static,
) -> (Served, Served) {
    let place = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let known = std::sync::Arc::clone(&place);
    let a = http(move |asked, home| one(&asked.path, home, known.get().unwrap()));
    let home = a.home.clone();
    let b = http(move |asked, own| other(&asked.path, &home, own));
    place.set(b.home.clone()).unwrap();
    (a, b)
}

fn rules(site: &Served, arguments: &[&str]) -> Vec<String> {
    let ran = site.run(
        &[
            &["check"],
            arguments,
            &["--format", "jsonl", "--retries", "0"],
        ]
        .concat(),
    );
    let rule = |line: &str| {
        let found: Value = serde_json::from_str(line).unwrap();
        found["rule"].as_str().unwrap().to_owned()
    };
    ran.out.lines().map(rule).collect()
}

/// The robots.txt of a site names a sitemap on another one: it may list the pages of the site, for every command.
#[test]
fn one_answer_to_which_site_may_be_listed() {
    let (a, b) = two(
        |path, _, b| match path {
            "/robots.txt" => ok(format!("Sitemap: {b}i.xml\n")),
            "/a" => ok("<html>").header("Content-Type", "text/html"),
            _ => status(404),
        },
        |path, a, b| match path {
            "/robots.txt" => ok(format!("Sitemap: {b}own.xml\n")),
            "/i.xml" => ok(index([format!("{b}s.xml")])),
            "/s.xml" => ok(urlset([format!("{a}a")])),
            "/own.xml" => ok(urlset([format!("{b}b"), format!("{a}c")])),
            _ => status(404),
        },
    );
    assert_eq!(rules(&a, &[&a.home]), [""; 0]);
    assert_eq!(rules(&b, &[&b.at("s.xml")]), [""; 0]);
    assert_eq!(rules(&b, &[&b.home]), ["outside-location"]);
    assert_eq!(rules(&b, &[&b.at("own.xml")]), ["outside-location"]);
    let crawl = a.run(&["crawl", &a.home]);
    assert_eq!(
        (crawl.status, &*crawl.out),
        (0, "SITE/a\n"),
        "{}",
        crawl.said
    );
    let report = a.run(&["report", &a.home, "--format", "json"]);
    assert!(!report.out.contains("outside-location"), "{}", report.out);
    let probe = |site: &Served, input: &str, options: &[&str]| {
        let fixed = ["probe", input, "--delay", "0", "--format", "jsonl"];
        let ran = site.run(&[&fixed[..], options].concat());
        let verdicts = ran.out.lines().map(|line| {
            let found: Value = serde_json::from_str(line).unwrap();
            found["verdict"].as_str().unwrap().to_owned()
        });
        let mut verdicts: Vec<_> = verdicts.collect();
        verdicts.sort();
        (ran.status, verdicts)
    };
    assert_eq!(probe(&a, &a.home, &[]), (0, vec!["ok".to_owned()]));
    // `b` may not list `c` of `a`, so that is not requested.
    let found = probe(&b, &b.home, &[]);
    assert_eq!(
        found,
        (1, vec!["missing".to_owned(), "other-host".to_owned()])
    );
    assert_eq!(a.count("/c"), 0);
    let found = probe(&b, &b.home, &["--other-hosts"]);
    assert_eq!(found, (1, vec!["missing".to_owned(), "missing".to_owned()]));
    assert_eq!(a.count("/c"), 1);
}

/// Another port is another site, and so is a host whose robots.txt cannot be read: of that nothing is said but one note.
#[test]
fn a_host_that_was_not_read_licenses_nothing() {
    for (answer, outside) in [(404, true), (410, true), (403, false), (500, false)] {
        let (_a, b) = two(
            move |_, _, _| status(answer),
            |path, a, b| match path {
                "/robots.txt" => ok(format!("Sitemap: {b}s.xml\n")),
                "/s.xml" => ok(urlset(["a", "b"].map(|page| format!("{a}{page}")))),
                _ => status(404),
            },
        );
        let ran = b.run(&["check", &b.home, "--retries", "0"]);
        let is_outside = ran.out.contains("outside-location");
        assert_eq!(is_outside, outside, "{answer}: {}", ran.out);
        let notes = ran
            .said
            .matches("whether its pages may be listed is not known")
            .count();
        assert_eq!(notes, usize::from(!outside), "{answer}: {}", ran.said);
    }
}

/// A redirect to another site is one finding of the document.
#[test]
fn a_redirect_to_another_site_is_one_finding() {
    let (a, b) = two(
        |path, a, b| match path {
            "/robots.txt" => ok(format!("Sitemap: {a}sitemap.xml\nSitemap: {a}moved.xml\n")),
            "/sitemap.xml" => redirect(&format!("{b}s.xml")),
            "/moved.xml" => redirect("/deep/moved.xml"),
            "/deep/moved.xml" => ok(urlset([format!("{a}d")])),
            _ => status(404),
        },
        |path, a, b| match path {
            "/s.xml" => ok(urlset([format!("{a}a"), format!("{a}b"), format!("{b}c")])),
            _ => status(404),
        },
    );
    assert_eq!(rules(&a, &[&a.home]), ["redirected-sitemap"]);
    drop(b);
}

/// What an answer in place of robots.txt means.
#[test]
fn an_answer_in_place_of_robots_txt() {
    let answer = |kind: &str| match kind {
        "html" => ok("<!doctype html><html></html>"),
        "loop" => redirect("/robots.txt"),
        "br" => ok([0x0b, 2, 0x80, 0xff]).header("Content-Encoding", "br"),
        "nul" => ok("User-agent: *\n\0"),
        "empty" => ok(""),
        code => status(code.parse().unwrap()),
    };
    for (kind, of_site, of_sitemap) in [
        ("404", "robots-without-sitemap", None),
        ("403", "robots-without-sitemap", None),
        ("451", "robots-without-sitemap", None),
        ("html", "robots-without-sitemap", None),
        ("loop", "robots-without-sitemap", None),
        ("empty", "robots-without-sitemap", None),
        ("429", "unreadable-robots", Some("unreadable-robots")),
        ("500", "unreadable-robots", Some("unreadable-robots")),
        ("206", "unreadable-robots", Some("unreadable-robots")),
        ("br", "unreadable-robots", Some("unreadable-robots")),
        ("nul", "unreadable-robots", Some("unreadable-robots")),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => answer(kind),
            "/sitemap.xml" => ok(urlset([format!("{home}a")])),
            _ => status(404),
        });
        assert_eq!(rules(&site, &[&site.home]), [of_site], "{kind}");
        let found = rules(&site, &[&site.at("sitemap.xml")]);
        assert_eq!(found.first().map(String::as_str), of_sitemap, "{kind}");
        // The usual places are requested if nothing is forbidden, or the option says so.
        for (options, is_read) in [
            (&[][..], of_sitemap.is_none()),
            (&["--ignore-robots"], true),
        ] {
            let before = site.count("/sitemap.xml");
            let check = ["check", &site.home, "--retries", "0"];
            let ran = site.run(&[&check, options].concat());
            let expected = (i32::from(of_sitemap.is_some()), usize::from(is_read));
            let asked = site.count("/sitemap.xml") - before;
            assert_eq!((ran.status, asked), expected, "{kind}: {}", ran.said);
            assert!(ran.out.contains(of_site), "{kind}: {}", ran.out);
        }
        // Nothing of a host that may forbid anything is requested.
        let before = site.count("/a");
        let list = Folder::new();
        list.put("list.txt", site.at("a"));
        let path = list.path("list.txt");
        let probe = [
            "probe",
            path.to_str().unwrap(),
            "--delay",
            "0",
            "--retries",
            "0",
        ];
        let probed = site.run(&probe);
        let (status, asked) = if of_sitemap.is_some() { (2, 0) } else { (1, 1) };
        assert_eq!(
            (probed.status, site.count("/a") - before),
            (status, asked),
            "{kind}: {}",
            probed.out
        );
        let ignored = site.run(&[&probe[..], &["--ignore-robots"]].concat());
        assert_eq!(ignored.status, 1, "{kind}: {}", ignored.said);
        assert_eq!(site.count("/a") - before, asked + 1, "{kind}");
    }
}

/// Findings ask for the rules of Googlebot and Bingbot, or of the robot that `--user-agent` names.
#[test]
fn whose_rules_count() {
    let admits =
        "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /\n\n";
    let google = "User-agent: Googlebot\nDisallow: /a\n\n";
    for (text, agent, found) in [
        (admits, "", &[][..]),
        (admits, "FooBot/1.0", &["error forbids-the-site"]),
        (
            "User-agent: *\nDisallow: /\n\n",
            "",
            &["error forbids-the-site"],
        ),
        (
            "User-agent: bingbot\nDisallow: /\n\n",
            "",
            &["warning forbids-the-site"],
        ),
        (google, "", &["warning disallowed"]),
        (google, "FooBot", &[]),
        (
            "User-agent: FooBot\nDisallow: /a\n\n",
            "FooBot/2",
            &["warning disallowed"],
        ),
        (
            "User-agent: Googlebot-Image\nDisallow: /i\n\n",
            "",
            &["warning disallowed"],
        ),
        (
            "User-agent: *\nDisallow: /i\n\n",
            "",
            &["warning disallowed"],
        ),
        (
            "User-agent: *\nDisallow: /v\n\n",
            "",
            &["warning disallowed"],
        ),
        (
            "User-agent: *\nDisallow: /s.xml\n\n",
            "",
            &["error disallowed-sitemap"],
        ),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => redirect("/files/robots.txt"),
            "/files/robots.txt" => ok(format!("{text}Sitemap: {home}s.xml\n")),
            "/s.xml" => ok(format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                 xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
                 xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"><url><loc>{home}a</loc>\
                 <image:image><image:loc>{home}i/1.jpg</image:loc></image:image>\
                 <video:video><video:thumbnail_loc>{home}t.jpg</video:thumbnail_loc><video:title>a</video:title>\
                 <video:description>b</video:description><video:content_loc>{home}v.mp4</video:content_loc>\
                 </video:video></url></urlset>"
            )),
            _ => status(404),
        });
        let agent = if agent.is_empty() {
            vec![]
        } else {
            vec!["--user-agent", agent]
        };
        let check = ["check", &site.home, "--format", "jsonl"];
        let ran = site.run(&[&check[..], &agent].concat());
        let of = |line: &str| {
            let found: Value = serde_json::from_str(line).unwrap();
            format!(
                "{} {}",
                found["severity"].as_str().unwrap(),
                found["rule"].as_str().unwrap()
            )
        };
        let all: Vec<_> = ran.out.lines().map(of).collect();
        assert_eq!(all, found, "{text} {agent:?}");
    }
}

/// A folder that has a robots.txt is judged by it, and so are the pages that `write` lists.
#[test]
fn the_robots_txt_of_a_folder_counts() {
    let folder = Folder::new();
    folder
        .put("f/robots.txt", "User-agent: *\nDisallow: /en/\n")
        .put("f/en/index.html", "<html><title>a</title></html>")
        .put("f/de/index.html", "<html><title>b</title></html>");
    let write =
        folder.run("write f -o f/sitemap.xml --base https://e.example/ --robots f/robots.txt");
    assert_eq!(write.status, 0, "{}", write.said);
    assert_eq!(
        write.said.matches("(disallowed)").count(),
        1,
        "{}",
        write.said
    );
    let check = folder.run("check f --location https://e.example/");
    assert!(
        check.status == 0 && check.out.contains("warning[disallowed]"),
        "{}",
        check.out
    );
    assert_eq!(check.out.matches("[disallowed]").count(), 1);
    // The line that `write` has added names the host.
    assert!(folder.run("check f").out.contains("warning[disallowed]"));
    // Of several hosts, none.
    folder.put("g/sitemap.xml", pages(&["en/"])).put(
        "g/robots.txt",
        "User-agent: *\nDisallow: /en/\nSitemap: https://e.example/sitemap.xml\nSitemap: https://o.example/s.xml\n",
    );
    assert!(!folder.run("check g").out.contains("disallowed"));
    // A staging folder.
    folder
        .put("s/sitemap.xml", pages(&["a", "b"]))
        .put("s/robots.txt", "User-agent: *\nDisallow: /\n");
    let staging = folder.run("check s --format short");
    assert_eq!(staging.status, 0);
    assert_eq!(staging.out.lines().count(), 1, "{}", staging.out);
    assert!(
        staging
            .out
            .contains("warning: robots.txt forbids the whole site"),
        "{}",
        staging.out
    );
}

/// A part is there only where a server would have it.
#[test]
fn a_part_is_where_a_server_has_it() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["maps/a.xml", "b.xml"]))
        .put("f/a.xml", pages(&["1"]))
        .put("f/b.xml.gz", crate::served::gzip(&pages(&["2"])));
    assert_eq!(folder.run("edit f -o -").status, 0);
    let check = folder.run("check f --location https://e.example/");
    assert_eq!(
        check.out.matches("missing-part").count(),
        2,
        "{}",
        check.out
    );
    folder
        .put("g/sitemap.xml", parts(&["maps/a.xml"]))
        .put("g/maps/a.xml", pages(&["maps/1"]));
    let check = folder.run("check g --location https://e.example/");
    assert_eq!(check.status, 0, "{}", check.out);
}

/// Two sites in one file are wrong wherever it is.
#[test]
fn several_sites_in_one_file() {
    let folder = Folder::new();
    let mixed = |second: &str| urlset(["https://e.example/a".to_owned(), second.to_owned()]);
    for second in [
        "https://o.example/b",
        "http://e.example/b",
        "https://e.example:8443/b",
    ] {
        folder
            .put("m.xml", mixed(second))
            .put("m.txt", format!("https://e.example/a\n{second}\n"));
        for name in ["m.xml", "m.txt"] {
            let check = folder.run(&format!("check {name} --format short"));
            assert_eq!(
                check.out.matches("several-hosts").count(),
                1,
                "{second}: {}",
                check.out
            );
            assert_eq!(check.status, 0);
        }
        for command in ["edit m.xml -o x.xml", "write m.txt -o x.xml"] {
            let ran = folder.run(command);
            assert!(
                ran.said.contains("(several-hosts)"),
                "{command}: {}",
                ran.said
            );
        }
        let known = folder.run("check m.xml --location https://e.example/m.xml");
        assert!(!known.out.contains("several-hosts"), "{}", known.out);
    }
    folder.put(
        "f.xml",
        "<rss version='2.0'><channel><item><link>https://a.example/</link></item>\
        <item><link>https://b.example/</link></item></channel></rss>",
    );
    folder.put("l.csv", "loc\nhttps://a.example/\nhttps://b.example/\n");
    for name in ["f.xml", "l.csv"] {
        assert!(
            !folder
                .run(&format!("check {name}"))
                .out
                .contains("several-hosts"),
            "{name}"
        );
    }
}

/// `already lists` is said only of a line that every reader reads.
#[test]
fn a_line_of_robots_txt_is_strict() {
    let folder = Folder::new();
    folder.put("u.txt", locs(&["a"]).join("\n"));
    let write = "write u.txt -o o.xml --base https://e.example/ --robots r.txt";
    for (before, said) in [
        ("Sitemap https://e.example/o.xml\n", "replaced"),
        ("Sitemap: /o.xml\n", "replaced"),
        ("sitemap: https://e.example/o.xml # all\n", "already lists"),
    ] {
        folder.put("r.txt", before);
        let ran = folder.run(write);
        assert!(
            ran.status == 0 && ran.said.contains(said),
            "{before}: {}",
            ran.said
        );
    }
    for before in [&b"\xff\xfeU\0"[..], b"a\0b", b"<!doctype html><html>"] {
        folder.put("r.txt", before);
        let ran = folder.run(write);
        assert!(
            ran.status == 2 && ran.said.contains("r.txt"),
            "{}",
            ran.said
        );
        assert_eq!(fs::read(folder.path("r.txt")).unwrap(), before);
    }
}
