//! One question, one answer: each test asks the same of every command.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::folder::Folder;
use crate::served::{
    self, Answer, NAMESPACE, Ran, Served, gzip, html, http, index, listing, nightly, ok, redirect,
    robots, sitemap, sitemaps, status, urlset,
};
use serde_json::{Value, json};

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
/// A finding of a baseline.
const OUTSIDE: &str = "\"error\",\"rule\":\"outside-location\"";

impl Folder {
    /// The report as JSON.
    fn report(&self, arguments: &str) -> Value {
        self.run(&format!("report {arguments} --format json"))
            .value()
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
fn commands(input: &str) -> [(&'static str, String); 6] {
    let options = [
        ("check", ""),
        ("report", ""),
        ("crawl", ""),
        ("diff", input),
        ("edit", "-o -"),
        ("probe", "--delay 0 --retries 0"),
    ];
    options.map(|(command, options)| (command, format!("{command} {input} {options}")))
}

/// Runs all commands on a site, with these statuses.
fn must_all(site: &Served, statuses: [i32; 6]) -> Vec<(&'static str, Ran)> {
    let all = commands("SITE/").into_iter().zip(statuses);
    all.map(|((name, arguments), status)| (name, site.must(&arguments, status)))
        .collect()
}

/// Counts of a report.
fn totals<const N: usize>(report: &Value, names: [&str; N]) -> [Option<u64>; N] {
    names.map(|name| report["totals"][name].as_u64())
}

#[test]
fn a_url_with_a_query_is_not_a_site() {
    for (_, arguments) in commands("SITE/?feed=xml-map") {
        let site = http(|asked, home| match asked.path.as_str() {
            "/?feed=xml-map" => listing(home, &["a"]),
            _ => status(404),
        });
        let ran = site.run(&arguments);
        assert!(site.count("/?feed=xml-map") > 0, "{ran}");
        assert_eq!(site.count("/sitemap.xml"), 0, "{ran}");
    }
}

#[test]
fn a_list_is_one_only_if_it_is_named() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["list.tsv", "index.xml"]),
        "/index.xml" => sitemaps(home, &["part.csv"]),
        "/list.tsv" => ok(format!("loc\tlastmod\n{home}a\t2024-01-01\n")),
        "/part.csv" => ok(format!("loc,lastmod\n{home}b,2024-01-01\n")),
        _ => ok("<html>"),
    });
    for (_, arguments) in commands("SITE/") {
        let ran = site.run(&arguments);
        assert_ne!(ran.status, 0, "{ran}");
    }
    site.must("check SITE/list.tsv", 0);
}

#[test]
fn a_file_is_read_once_under_any_name() {
    let folder = Folder::new();
    folder.put("maps/a.xml", pages(&["1", "2"]));
    let inputs = "maps/a.xml ./maps/../maps/a.xml";
    let check = folder.run(&format!("check {inputs}"));
    check.says("1 sitemap, 2 entries: no problems");
    let report = folder.report(inputs);
    assert_eq!(totals(&report, ["sitemaps", "pages"]), [1, 2].map(Some));
    let edit = folder.run(&format!("edit {inputs} -o -"));
    edit.says("2 pages read from 1 file");
    let show = folder.run(&format!("show {inputs} --format jsonl"));
    assert_eq!(show.values().len(), 2);
}

/// The name of a file does not decide what is said about it.
#[test]
fn the_order_of_names_does_not_matter() {
    let outcome = |page: &str, index: &str| {
        let folder = Folder::new();
        folder.put(&format!("f/{page}"), "<html></html>");
        folder.put(&format!("f/{index}"), parts(&[page, "1.xml"]));
        folder.put("f/1.xml", pages(&["1"]));
        let check = folder.must("check f --format jsonl", 1);
        folder.must("edit f -o -", 2);
        folder.must("diff f f", 2);
        check.rules()
    };
    let one = outcome("0.xml", "9-sitemap.xml");
    assert_eq!(one, outcome("9.xml", "0-sitemap.xml"));
}

#[test]
fn a_part_on_another_host_is_missed_by_every_command() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["i.xml"]),
        "/i.xml" => ok(index([
            format!("{home}s.xml"),
            home.replace("127.0.0.1", "localhost") + "o.xml",
        ])),
        "/s.xml" => listing(home, &["ok"]),
        "/ok" => html(""),
        _ => status(404),
    });
    must_all(&site, [1, 1, 1, 2, 2, 1]);
    let report = site.run("report SITE/ --format json").value();
    assert_eq!(totals(&report, ["sitemaps", "not_read"]), [2, 1].map(Some));
    assert_eq!(report["left_out"][0]["sitemaps"], 1);
    let mut rows = report["sitemaps"].as_array().unwrap().iter();
    let row = rows.find(|row| row["name"].as_str().unwrap().contains("o.xml"));
    assert_eq!(row.unwrap()["status"], "not-read");
}

/// Another port is another site: its part is not read, its page is outside, and neither is requested. Its robots.txt, which
/// names the sitemap, makes it one that may be listed; only a page then, because the index names no part of another site.
#[test]
fn another_port_is_another_site_for_every_command() {
    for names in [false, true] {
        let (site, other) = two(
            |path, home, there| match path {
                "/robots.txt" => robots(home, &["i.xml"]),
                "/i.xml" => ok(index([format!("{home}s.xml"), format!("{there}o.xml")])),
                "/s.xml" => ok(urlset([format!("{home}ok"), format!("{there}page")])),
                "/ok" => html(""),
                _ => status(404),
            },
            move |path, home, own| match path {
                "/robots.txt" if names => robots(home, &["i.xml", "s.xml"]),
                "/o.xml" => listing(own, &["of-part"]),
                "/page" | "/of-part" => html(""),
                _ => status(404),
            },
        );
        for (name, ran) in must_all(&site, [1, 1, 1, 2, 2, 1]) {
            if name == "check" {
                ran.prints("part-elsewhere");
                let is_outside = ran.out.contains("outside-location");
                assert_eq!(is_outside, !names, "{names}: {ran}");
            }
        }
        assert_eq!((other.count("/o.xml"), other.count("/page")), (0, 0));
        for command in ["crawl SITE/", "check SITE/", "probe SITE/ --delay 0"] {
            let before = other.count("/o.xml");
            let ran = site.run(&format!("{command} --other-hosts"));
            assert!(other.count("/o.xml") > before, "{ran}");
        }
    }
}

/// With any number of requests at a time, a bound gives the same result, and every form of the result has it.
#[test]
fn a_bound_is_said_everywhere() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => ok(index((0..5).map(|part| format!("{home}{part}.xml")))),
        path => ok(urlset(served::pages(home, &path[1..2], 3))),
    });
    let folder = Folder::new();
    for (bound, value) in [
        ("--max-pages", "4"),
        ("--max-sitemaps", "2"),
        ("--max-depth", "1"),
    ] {
        let arguments = format!("SITE/ {bound} {value}");
        let [one, seven] = [1, 7].map(|jobs| {
            let json = format!("report {arguments} --format json --jobs {jobs}");
            let mut totals = site.must(&json, 1).value()["totals"].clone();
            assert!(totals["not_read"].as_u64() > Some(0), "{bound}");
            assert!(bound != "--max-pages" || totals["pages"] == 4, "{totals}");
            totals["newest"] = Value::Null;
            let check = site.must(&format!("check {arguments} --jobs {jobs}"), 1);
            check.says(bound);
            (totals, check.said)
        });
        assert_eq!(one, seven, "{bound}");
        let said = folder.run_on(&site, &format!("report {arguments} -o r.html"));
        said.says(bound);
        said.does_not_say("no problems");
        let page = folder.read("r.html");
        assert!(!page.contains("nothing is wrong"), "{bound}");
        let is_part = page.contains("This report is about a part of the input");
        assert!(is_part, "{bound}");
        site.run(&format!("report {arguments}")).prints(bound);
    }
}

/// The bounds of a site are those of a folder and of a file.
#[test]
fn bounds_are_for_every_kind_of_input() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "2.xml"]))
        .put("f/1.xml", pages(&["a", "b", "c"]))
        .put("f/2.xml", pages(&["d", "e"]));
    for input in ["f", "f/1.xml"] {
        let bounded = format!("{input} --max-pages 2");
        let check = folder.must(&format!("check {bounded}"), 1);
        check.says("--max-pages");
        assert_eq!(totals(&folder.report(&bounded), ["pages"]), [Some(2)]);
        let edit = folder.run(&format!("edit {bounded} -o - --allow-incomplete"));
        edit.says("2 pages read");
        folder.must(&format!("diff {input} {bounded}"), 2);
    }
    let check = folder.must("check f --max-sitemaps 2", 1);
    check.says("--max-sitemaps");
    let report = folder.report("f --max-sitemaps 2");
    assert_eq!(totals(&report, ["sitemaps", "not_read"]), [2, 1].map(Some));
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
        "/maps/index.xml" => sitemaps(home, &["maps/s.xml"]),
        "/maps/s.xml" => listing(home, &["top", "no"]),
        _ => status(404),
    });
    for input in ["SITE/", "SITE/maps/s.xml"] {
        let check = site.run(&format!("check {input} --format jsonl"));
        check.does_not_print("outside-location");
        check.prints("disallowed");
        let report = site.run(&format!("report {input} --format json"));
        report.does_not_print("outside-location");
    }
}

/// A page that robots.txt forbade is not allowed because robots.txt cannot be read.
#[test]
fn a_robots_txt_that_cannot_be_read_fixes_nothing() {
    let site = nightly(|night, path, home| match (path, night) {
        ("/robots.txt", 0) => ok("User-agent: *\nDisallow: /no\n"),
        ("/robots.txt", 1) => status(500),
        ("/robots.txt", 2) => ok(b"\x00".to_vec()),
        ("/robots.txt", 3) => ok("User-agent: *\nDisallow:\n"),
        ("/s.xml", _) => listing(home, &["no"]),
        _ => status(404),
    });
    let is_fixed = [false, false, false, true, true];
    one_is_fixed(&site, "s.xml", "\"disallowed\"", &is_fixed);
}

/// In which nights the one finding of a rule, in the baseline of night 0, is fixed.
fn one_is_fixed(site: &(Arc<AtomicUsize>, Served), input: &str, rule: &str, is_fixed: &[bool]) {
    let (night, site) = site;
    let folder = Folder::new();
    let check = format!("check SITE/{input} --retries 0 --baseline k");
    folder.run_on(site, &format!("{check} --update"));
    assert_eq!(folder.read("k").matches(rule).count(), 1);
    for (number, is_fixed) in is_fixed.iter().enumerate() {
        night.store(number, Relaxed);
        let ran = folder.run_on(site, &check);
        assert_eq!(ran.said.contains("1 fixed"), *is_fixed, "{number}: {ran}");
    }
}

/// A finding that depends on the robots.txt of another host is fixed only if that host was asked in this run.
#[test]
fn a_robots_txt_of_another_host_fixes_nothing_unless_it_was_asked() {
    // It is asked only on nights on which a page on it is listed.
    let (other_night, other) = nightly(|night, path, _| match (path, night) {
        ("/robots.txt", 0 | 2) => ok("User-agent: *\nDisallow: /i.png\nDisallow: /p\n"),
        ("/robots.txt", 1) => status(500),
        ("/robots.txt", 3) => ok("User-agent: *\nDisallow:\n"),
        _ => status(404),
    });
    let there = other.home.clone();
    let (night, site) = nightly(move |night, path, _| {
        let page = format!("<url><loc>{there}p</loc></url>");
        let image = format!("<image:image><image:loc>{there}i.png</image:loc></image:image>");
        let page = if night == 2 { "" } else { &page };
        let image = if night == 5 { "" } else { &image };
        match path {
            "/s.xml" => ok(format!(
                "<urlset xmlns='{NAMESPACE}' xmlns:image='{IMAGE}'>{page}<url><loc>/own</loc>{image}</url></urlset>"
            )),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let check = "check SITE/s.xml --retries 0 --baseline k";
    folder.run_on(&site, &format!("{check} --update"));
    for (rule, count) in [("\"disallowed\"", 2), (OUTSIDE, 1)] {
        assert_eq!(folder.read("k").matches(rule).count(), count, "{rule}");
    }
    folder.run_on(&site, "report SITE/s.xml --format json -o r.json");
    // On night 2, the page is not listed any more; on night 5, the image is not.
    for (number, fixed) in [(0, 0), (1, 0), (2, 2), (3, 2), (4, 2), (5, 2)] {
        night.store(number, Relaxed);
        other_night.store(number, Relaxed);
        let ran = folder.run_on(&site, check);
        match fixed {
            0 => ran.does_not_say("fixed"),
            fixed => ran.says(&format!("{fixed} fixed")),
        }
        let report = format!("{} --retries 0 --against r.json", site.at("s.xml"));
        let report = folder.report(&report);
        assert_eq!(report["changes"]["findings"]["fixed"], fixed, "{number}");
    }
}

/// Places are not right because a robots.txt that could name the sitemap cannot be read.
#[test]
fn a_place_is_fixed_only_if_robots_txt_was_read() {
    let site = nightly(|night, path, home| match (path, night) {
        ("/robots.txt", 1) => status(500),
        ("/robots.txt", 2) => robots(home, &["deep/s.xml"]),
        ("/deep/s.xml", _) => listing(home, &["top"]),
        _ => status(404),
    });
    one_is_fixed(&site, "deep/s.xml", OUTSIDE, &[false, false, true]);
}

/// The robots.txt of a folder is one of its files: without it nothing is forbidden, and one that cannot be read says nothing.
#[test]
fn a_robots_txt_of_a_folder_that_cannot_be_read_fixes_nothing() {
    let folder = Folder::new();
    folder.put("f/sitemap.xml", pages(&["no", "yes"]));
    let rules = "User-agent: *\nDisallow: /no\nSitemap: https://e.example/sitemap.xml\n";
    folder.put("f/robots.txt", rules);
    folder.run("check f --baseline k --update");
    assert_eq!(folder.read("k").matches("\"disallowed\"").count(), 1);
    let fixed = |expected: bool, input: &str| {
        let ran = folder.run(&format!("check {input} --baseline k"));
        assert_eq!(ran.said.contains("1 fixed"), expected, "{ran}");
        ran
    };
    fixed(false, "f");
    fixed(false, "f/sitemap.xml");
    folder.put("f/robots.txt", b"\x00\x01");
    fixed(false, "f").prints("unreadable-robots");
    fs::remove_file(folder.path("f/robots.txt")).unwrap();
    fs::create_dir(folder.path("f/robots.txt")).unwrap();
    fixed(false, "f").prints("unreadable-robots");
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
        "/s.xml" => listing(home, &["ok"]),
        "/ok" => html(""),
        _ => status(404),
    });
    // For a check, it is a warning.
    must_all(&site, [0, 0, 1, 2, 2, 1]);
    let folder = Folder::new();
    folder.put("must.txt", site.at("o"));
    let must = folder.run_on(&site, "check SITE/ --must-list must.txt");
    must.does_not_print("missing-page");
    must.says("it is not known whether another sitemap lists them");
    let report = folder.report(&site.home);
    assert_eq!(report["whole"], Value::Null);
    assert_eq!(totals(&report, ["not_read"]), [Some(1)]);
}

/// What a robots.txt lists is not known if it is refused, and a robots.txt that is not there any more counts in the second
/// night: until then nothing is gone, or missing.
#[test]
fn nothing_is_gone_because_robots_txt_is() {
    let (night, site) = nightly(|night, path, home| match (path, night) {
        ("/robots.txt", 0) => robots(home, &["a.xml", "b.xml"]),
        ("/robots.txt", 1) => status(403),
        ("/robots.txt", 2) => ok("<!doctype html><html></html>"),
        ("/a.xml" | "/sitemap.xml", _) => listing(home, &["a"]),
        ("/b.xml", 0) => ok(format!(
            "<urlset xmlns='{NAMESPACE}'><url><loc>{home}b</loc><priority>9</priority></url></urlset>"
        )),
        _ => status(404),
    });
    let folder = Folder::new();
    let check = "check SITE/ --baseline k";
    folder.put("must.txt", site.at("b"));
    folder.run_on(&site, &format!("{check} --update"));
    folder.run_on(&site, "report SITE/ --format json -o r.json");
    for number in [1, 2, 3] {
        night.store(number, Relaxed);
        folder.run_on(&site, check).does_not_say("fixed");
        let report = folder.report(&format!("{} --against r.json", site.home));
        let changes = &report["changes"];
        let is_gone = changes["sitemaps"].to_string().contains("gone");
        assert!(!is_gone && changes["findings"]["fixed"] == 0, "{changes}");
        let must = folder.run_on(&site, "check SITE/ --must-list must.txt");
        assert_eq!(must.out.contains("missing-page"), number == 3, "{number}");
    }
    // The baseline of the first night without it has the finding, so the second night counts.
    folder.run_on(&site, &format!("{check} --update"));
    folder.run_on(&site, check).says("1 fixed");
}

/// An entry that cannot be used any more may be that of the page with the finding.
#[test]
fn a_skipped_entry_fixes_nothing() {
    let folder = Folder::new();
    let put = |loc: &str, priority: &str| {
        let text = format!(
            "<urlset xmlns='{NAMESPACE}'><url><loc>https://e.example/1</loc></url>\
             <url><loc>{loc}</loc><priority>{priority}</priority></url></urlset>"
        );
        folder.put("f/sitemap.xml", text);
    };
    let (good, bad) = ("https://e.example/2", "e.example/2");
    // One that could not be used before hides nothing.
    for (loc, nights) in [
        (
            good,
            &[(good, "9", 0), (bad, "0.9", 0), (good, "0.9", 1)][..],
        ),
        (bad, &[(bad, "0.9", 1), (good, "0.9", 2)]),
    ] {
        put(loc, "9");
        folder.run("check f --baseline k --update");
        folder.run("report f --format json -o r.json");
        for (loc, priority, fixed) in nights {
            put(loc, priority);
            let ran = folder.run("check f --baseline k");
            let is_said = ran.said.contains(&format!("{fixed} fixed"));
            assert_eq!(is_said, *fixed > 0, "{loc} {priority}: {ran}");
            let report = folder.report("f --against r.json");
            assert_eq!(report["changes"]["findings"]["fixed"], *fixed);
        }
    }
}

/// The page of a report says that all pages link back only if the links of each of them are known: a text has none.
#[test]
fn a_text_does_not_link_back() {
    let folder = Folder::new();
    let of = |page: &str| {
        let link = |to: &str| {
            format!("<xhtml:link rel='alternate' hreflang='{to}' href='https://e.example/{to}'/>")
        };
        let links = ["en", "de"].map(link).concat();
        format!(
            "<urlset xmlns='{NAMESPACE}' xmlns:xhtml='http://www.w3.org/1999/xhtml'>\
             <url><loc>https://e.example/{page}</loc>{links}</url></urlset>"
        )
    };
    folder.put("f/sitemap-en.xml", of("en"));
    for (name, text, says) in [
        ("sitemap-de.txt", "https://e.example/de\n", false),
        ("sitemap-de.txt", "# nothing\n", false),
        ("sitemap-de.txt", "https://e.example/other\n", true),
        ("sitemap-de.xml", &of("de"), true),
    ] {
        folder.put(&format!("f/{name}"), text);
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
    for lists in [true, false] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" if lists => robots(home, &["sitemap.xml"]),
            "/sitemap.xml" => sitemaps(home, &["deep/1.xml"]),
            "/deep/1.xml" => listing(home, &["top"]),
            _ => status(404),
        });
        // The same files in a folder, before they are on the server.
        let folder = Folder::new();
        folder
            .put("f/sitemap.xml", parts(&["deep/1.xml"]))
            .put("f/deep/1.xml", pages(&["top"]));
        if lists {
            folder.put("f/robots.txt", "sitemap: https://e.example/sitemap.xml\n");
        }
        for command in [
            "check SITE/ --format json",
            "report SITE/ --format json",
            "check f --location https://e.example/ --format jsonl",
        ] {
            let found = folder.run_on(&site, command);
            assert_eq!(found.out.contains("outside-location"), !lists, "{found}");
        }
    }
}

/// What differs only by RFC 3986, 6.2.2, is one page.
#[test]
fn one_identity_of_pages() {
    let folder = Folder::new();
    let url = |path: &str| format!("https://e.example/{path}\n");
    folder
        .put("a.txt", ["%e2%82%ac", "%7Eme", "x%2dy"].map(url).concat())
        .put("b.txt", ["%E2%82%AC", "~me", "x-y"].map(url).concat())
        .put("both.txt", ["%7eme", "~me"].map(url).concat());
    folder.must("diff a.txt b.txt --format count", 0);
    assert_eq!(totals(&folder.report("both.txt"), ["pages"]), [Some(1)]);
    folder.must("check a.txt --must-list b.txt", 0);
    let twice = folder.run("check both.txt --advice --format jsonl").rules();
    let told = ["several-spellings", "duplicate-url"];
    assert!(
        twice.iter().any(|rule| told.contains(&&**rule)),
        "{twice:?}"
    );
    let edit = folder.run("edit both.txt -o - --dedupe --text");
    assert_eq!(edit.out.lines().count(), 1, "{edit}");
    let site = http(|_, _| html(""));
    folder.put("probe.txt", format!("{0}%7eme\n{0}~me\n", site.home));
    let probe = folder.run("probe probe.txt --delay 0 --format jsonl");
    assert_eq!(probe.values().len(), 1, "{probe}");
}

/// Nothing is compared with itself and found different.
#[test]
fn a_state_does_not_differ_from_itself() {
    let feed = |home: &str| {
        format!("<rss version='2.0'><channel><item><link>{home}c</link></item></channel></rss>")
    };
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "1.xml", "sub/2.xml"]))
        .put("f/1.xml", pages(&["a", "a", "b"]))
        .put("f/sub/2.xml", pages(&["c"]))
        .put("f/rss.xml", feed("https://e.example/"))
        .put(
            "list.csv",
            "loc,lastmod\nhttps://e.example/a,2024-01-02\nhttps://e.example/a,2024-01-03\n",
        )
        .put("x.txt", locs(&["a", "b"]).join("\n"))
        .put("feed.xml", feed("https://e.example/"));
    let site = http(move |asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml", "feed.xml"]),
        "/index.xml" => sitemaps(home, &["1.xml"]),
        "/1.xml" => listing(home, &["a", "a", "b"]),
        "/feed.xml" => ok(feed(home)),
        _ => status(404),
    });
    let local = ["f", "f/sitemap.xml", "list.csv", "x.txt", "feed.xml"];
    for input in [&local[..], &["SITE/", "SITE/index.xml", "SITE/1.xml"]].concat() {
        let diff = format!("diff {input} {input} --format count");
        folder.must_on(&site, &diff, 0);
        folder.must_on(&site, &format!("{diff} --sitemaps 1"), 0);
    }
}

#[test]
fn only_fields_of_both_sides_are_compared() {
    let folder = Folder::new();
    folder
        .put(
            "now.xml",
            format!(
                "<urlset xmlns='{NAMESPACE}'><url><loc>https://e.example/a</loc><lastmod>2024-05-06</lastmod>\
                 <priority>0.3</priority></url></urlset>"
            ),
        )
        .put("urls.txt", "https://e.example/a\n")
        .put("dates.tsv", "loc\tlastmod\nhttps://e.example/a\t2024-05-06\n");
    folder.must("diff urls.txt now.xml", 0);
    folder.must("diff dates.tsv now.xml", 0);
}

/// A site and the folder that it serves have the same pages.
#[test]
fn a_site_is_its_folder() {
    let folder = Folder::new();
    let root = folder.path("www");
    let site = http(move |asked, _| {
        fs::read(root.join(&asked.path[1..])).map_or_else(|_| status(404), ok)
    });
    let home = &site.home;
    folder
        .put(
            "www/robots.txt",
            format!("Sitemap: {home}sitemap.xml\nSitemap: {home}news.xml\n"),
        )
        .put("www/sitemap.xml", urlset([format!("{home}a")]))
        .put(
            "www/news.xml",
            format!(
                "<rss version='2.0'><channel><item><link>{home}b</link></item></channel></rss>"
            ),
        );
    folder.must_on(&site, "diff SITE/ www --format count", 0);
    let [live, local] = [home, "www"].map(|input| totals(&folder.report(input), ["pages"]));
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
    folder.must("diff a.csv a.csv --max-age 30d", 3);
    let report = folder.report("a.csv");
    assert_eq!(report["totals"]["newest"], "2019-06-01");
    assert_eq!(report["sections"][0]["ages"], json!([0, 0, 0, 0, 1]));
    let months = report["months"].as_array().unwrap().iter();
    let names: Vec<_> = months.map(|month| &month[0]).collect();
    assert_eq!(names, ["2019-06", "impossible"]);
}

/// Entries are listed, pages are distinct, and sitemaps are those that were read.
#[test]
fn one_word_for_each_number() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "gone.xml"]))
        .put("f/1.xml", pages(&["a", "a", "b"]));
    folder.run("check f").says("2 sitemaps, 5 entries");
    let names = ["pages", "entries", "sitemaps", "not_read"];
    assert_eq!(totals(&folder.report("f"), names), [2, 3, 2, 1].map(Some));
}

/// A text sitemap is one under its name, whatever its first line is.
#[test]
fn the_name_of_a_text_decides() {
    let folder = Folder::new();
    folder.put("f/sitemap.txt", "loc\nhttps://e.example/a\n");
    for input in ["f/sitemap.txt", "f"] {
        let check = folder.must(&format!("check {input} --format jsonl"), 1);
        check.prints("invalid-url");
    }
    let write = folder.run("write f/sitemap.txt -o -");
    assert_ne!(write.status, 0, "{write}");
}

/// A name without a scheme is a site, or a file that is not there.
#[test]
fn one_name_of_a_site() {
    let folder = Folder::new();
    for command in ["check", "crawl", "report", "edit -o -", "probe"] {
        let ran = folder.must(&format!("{command} maps.invalid/list.xml"), 2);
        let url = "use `https://maps.invalid/list.xml`";
        assert!(format!("{ran}").contains(url), "{ran}");
        let ran = folder.must(&format!("{command} pages.xml"), 2);
        ran.does_not_say("https://pages.xml");
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
    assert!(!folder.read("zero.xml").contains("1970"));
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
        let is_said = write.said.contains("search engines ignore such dates");
        let check = folder.run(&format!("check {name}.xml --advice --format jsonl"));
        let is_found = check.out.contains("shared-lastmod");
        assert_eq!([is_said, is_found], [is_shared; 2], "{write} {check}");
    }
}

/// A sitemap with a page of this host and with this date.
fn bad(host: &str, date: &str) -> String {
    format!(
        "<urlset xmlns='{NAMESPACE}'><url><loc>{host}/a</loc><lastmod>{date}</lastmod></url></urlset>"
    )
}

/// A finding is the same one after a new build, with another bad value, and under https.
#[test]
fn one_identity_of_findings() {
    let folder = Folder::new();
    let digest = |digit: &str| format!("site/part-7-{}.xml", digit.repeat(32));
    folder.put(&digest("a"), bad("http://www.e.example", "31.12.2025"));
    let known = "check site --deny invalid-datetime --baseline known.jsonl";
    folder.must(&format!("{known} --update"), 0);
    folder.run("report site -o before.json");
    fs::remove_file(folder.path(&digest("a"))).unwrap();
    folder.put(&digest("b"), bad("https://e.example", "1.1.26"));
    folder.must(known, 0).says("1 known");
    let report = folder.report("site --against before.json");
    let findings = &report["changes"]["findings"];
    assert!(findings["new"] == 0 && findings["fixed"] == 0, "{findings}");
    // More of them than before are new.
    folder.put("site/other.xml", bad("https://e.example", "x"));
    folder.must(known, 1);
}

/// Findings of files that this run did not read are not fixed, and are kept.
#[test]
fn a_baseline_is_of_the_files_that_were_read() {
    let folder = Folder::new();
    for name in ["f/a-sitemap.xml", "f/b-sitemap.xml"] {
        folder.put(name, bad("https://e.example", "yesterday"));
    }
    let options = "--deny invalid-datetime --baseline known.jsonl";
    folder.run(&format!("check f {options} --update"));
    let one = folder.run(&format!("check f/b-sitemap.xml {options} --update"));
    one.does_not_say("fixed");
    // The last line is the seal.
    let lines = folder.read("known.jsonl");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    fs::create_dir(folder.path("deep")).unwrap();
    let mut elsewhere = sitemap(&["check", "../f", "--baseline", "../known.jsonl"]);
    let elsewhere = elsewhere.current_dir(folder.path("deep")).output().unwrap();
    Ran::new(elsewhere, "\0").says("no sitemap of --baseline is among the inputs");
}

/// Staging: the same paths will be at another host.
#[test]
fn the_location_of_a_site_is_used() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["sitemap.xml"]),
        "/sitemap.xml" => listing("https://shop.example.com/", &["a"]),
        _ => status(404),
    });
    let check = "check SITE/ --format jsonl --location https://";
    let there = site.run(&format!("{check}www.example.com/"));
    there.prints("outside-location");
    let moved = site.run(&format!("{check}shop.example.com/"));
    moved.does_not_print("outside-location");
}

/// The pace is one for sitemaps, robots.txt and pages, and what robots.txt asks for is kept and told.
#[test]
fn one_pace() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nCrawl-delay: 0.3\n\nSitemap: {home}s.xml\n"
        )),
        "/s.xml" => listing(home, &["1", "2"]),
        _ => html(""),
    });
    let probe = site.run("probe SITE/ --delay 0.2");
    probe.says("Crawl-delay: 0.3 s");
    let mut times = site.times("/");
    times.sort();
    // robots.txt is requested once.
    assert_eq!(times.len(), 4, "{:?}", site.paths());
    let pauses = times.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(
        pauses.min() >= Some(Duration::from_millis(280)),
        "{times:?}"
    );
}

/// A host that requires a long pause is the reason for all of its sitemaps, each of which says so.
#[test]
fn a_pause_is_no_failure_of_others() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => ok(index((0..4).map(|part| format!("{home}{part}.xml")))),
        _ => status(429).header("Retry-After", "7200"),
    });
    let crawl = site.run("crawl SITE/ --jobs 1");
    let counts = ["429 Too Many", "not requested"].map(|text| crawl.said.matches(text).count());
    assert_eq!(counts, [1, 3], "{crawl}");
}

/// A user and a password in the URL of a page are sent, and neither printed nor stored.
#[test]
fn no_result_has_a_password() {
    // The state of a crawl has the first problem of a sitemap.
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["s.xml"]),
        "/s.xml" => ok(urlset([
            "http://me:s3cret@e.example:x/".to_owned(),
            format!("{home}a"),
        ])),
        "/page" => html(""),
        _ => status(404),
    });
    let folder = Folder::new();
    let url = site.at("page").replace("http://", "http://me:s3cret@");
    folder.put("pages.txt", url);
    let probe = folder.run("probe pages.txt --delay 0 --format jsonl --resume results.jsonl");
    let sent = site.header("/page", "authorization");
    assert!(sent.is_some(), "{probe}");
    let crawl = folder.run_on(&site, "crawl SITE/ --resume state.json -o pages.out.txt");
    let stored = ["results.jsonl", "state.json"].map(|name| folder.read(name));
    for text in stored.iter().chain([&probe.out, &probe.said, &crawl.said]) {
        assert!(!text.contains("s3cret"), "{text}");
    }
}

/// The commands that read pages report what is lost, and send nobody to a command that shows nothing.
#[test]
fn what_is_allowed_is_not_mentioned() {
    let folder = Folder::new();
    folder
        .put(
            "a.xml",
            "<urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://e.example/a</loc>\
             <changefreq>sometimes</changefreq></url></urlset>",
        )
        .put(
            "sitemap.toml",
            "[check]\nallow = [\"invalid-changefreq\", \"wrong-namespace\"]\n",
        );
    folder.run("check a.xml").gives(0, "");
    for command in ["diff a.xml a.xml", "edit a.xml -o -", "show a.xml"] {
        let ran = folder.run(command);
        for text in ["sitemap check", "wrong-namespace"] {
            ran.does_not_say(text);
            ran.does_not_print(text);
        }
    }
}

/// A list of another program is read by every command, with one option for its columns.
#[test]
fn columns_have_names_everywhere() {
    let site = http(|_, _| html(""));
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
        folder.must(&format!("{command} {named}"), 0);
        folder.must(command, 2);
    }
    let edit = folder.run(&format!("edit list.tsv -o - {named}"));
    edit.prints("<lastmod>2024-05-06");
}

/// A list at a URL that is named is one for every command, as in a file.
#[test]
fn a_list_at_a_url_is_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/export.tsv" => ok(format!("Ziel\tStand\n{home}seite\t2024-05-06\n")),
        "/seite" => html(""),
        _ => status(404),
    });
    for (_, arguments) in commands("SITE/export.tsv") {
        site.must(&format!("{arguments} --column loc=ziel"), 0);
        let ran = site.run(&arguments);
        assert_ne!(ran.status, 0, "{ran}");
    }
}

/// An index that lists nothing is an error for every command, wherever it is.
#[test]
fn an_empty_index_is_one_error() {
    let empty = format!("<sitemapindex xmlns='{NAMESPACE}'><!-- soon --></sitemapindex>");
    let folder = Folder::new();
    folder.put("f/maps.xml", &empty);
    let site = http(move |asked, _| match asked.path.as_str() {
        "/maps.xml" => ok(&*empty),
        _ => status(404),
    });
    for input in ["f/maps.xml", "f", "SITE/maps.xml"] {
        for (name, arguments) in commands(input) {
            if name == "crawl" && !input.starts_with("SITE") {
                continue;
            }
            let expected = match name {
                "check" | "report" | "crawl" => 1,
                _ => 2,
            };
            let ran = folder.must_on(&site, &arguments, expected);
            let is_said = format!("{ran}").contains("the index lists no sitemap");
            assert!(is_said || name == "report", "{ran}");
        }
    }
}

/// A list and a sitemap with a login: neither is printed, nor written into a sitemap that everybody reads.
#[test]
fn no_list_has_a_password() {
    let folder = Folder::new();
    let url = "https://max:geheim@e.example/intern?a=1";
    folder
        .put("pages.jsonl", format!("{{\"loc\":\"{url}\"}}\n"))
        .put("a.xml", urlset([url.to_owned()]))
        .put("none.txt", "https://e.example/other\n");
    let site = http(move |asked, _| match asked.path.as_str() {
        "/s.xml" => ok(urlset([url.to_owned()])),
        _ => status(404),
    });
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
            "crawl SITE/s.xml --format text",
            "crawl SITE/s.xml --format tsv",
            "crawl SITE/s.xml --format jsonl",
        ] {
            let ran = folder.run_on(&site, &command.replace("IN", input));
            ran.does_not_say("geheim");
            ran.does_not_print("geheim");
        }
    }
    let write = folder.run("write pages.jsonl -o -");
    write.prints("<loc>https://e.example/intern");
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
        folder.must(command, 2).says("not standard output");
        assert!(!folder.path("-").exists(), "{command}");
    }
    folder.must("report a.xml --format json -o -", 0);
}

/// A site that has moved to another host: the same pages, once both commands are told.
#[test]
fn a_move_to_another_host_is_no_change() {
    let folder = Folder::new();
    let before = |path: &str| format!("http://alt.example:8080/{path}\n");
    folder
        .put("before.txt", ["1", "2", "3"].map(before).concat())
        .put("now.xml", pages(&["1", "2", "4"]));
    let moved = "--replace-host http://alt.example:8080=https://e.example";
    let diff = folder.run(&format!("diff before.txt now.xml --format count {moved}"));
    diff.prints_first("added 1\nremoved 1\nchanged 0\nsame 2\n");
}

/// A site with an index, whose first part has errors.
fn faulty() -> Served {
    http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &["a.xml", "b.xml"]),
        "/a.xml" => ok(bad(home.trim_end_matches('/'), "soon")),
        "/b.xml" => listing(home, &["p/1", "p/2", "q/1"]),
        _ => status(404),
    })
}

/// How many findings are new, fixed, or of sitemaps that were not read, according to a report.
fn changed(report: &Value) -> [Option<u64>; 3] {
    ["new", "fixed", "unread"].map(|name| report["changes"]["findings"][name].as_u64())
}

/// After a move to https, and to another form of the host, the sitemaps, the findings and the sections are the same.
#[test]
fn a_move_to_https_is_no_change() {
    let site = faulty();
    let folder = Folder::new();
    folder.run_on(&site, "report SITE/ -o now.json");
    let now = folder.read("now.json");
    assert!(now.contains("\"name\":\"127.0.0.1:"), "{now}");
    // The report that was made before the move, at the other host.
    let before = now.replace("http://127", "https://www.127");
    folder.put(
        "before.json",
        before.replace("\"name\":\"127", "\"name\":\"www.127"),
    );
    let report = folder.report(&format!("{} --against before.json", site.home));
    let changes = &report["changes"];
    assert_eq!(changed(&report), [Some(0); 3], "{changes}");
    assert!(changes["findings"]["still"].as_u64() > Some(0), "{changes}");
    assert_eq!(changes["sitemaps"], json!([]));
    let sections = changes["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 3, "{changes}");
    let is_same = |section: &Value| section["before"] == section["now"];
    assert!(sections.iter().all(is_same), "{changes}");
}

/// After a move to another host, `--replace-host` makes the sitemaps, the findings and the sections the same, in a report and
/// for a baseline.
#[test]
fn findings_that_move_to_another_host_are_the_same() {
    let (old, new) = (faulty(), faulty());
    let folder = Folder::new();
    folder.run_on(&old, "report SITE/ -o before.json");
    folder.run_on(&old, "check SITE/ --advice --baseline known.jsonl --update");
    let [from, to] = [&old, &new].map(|site| site.home.trim_end_matches('/'));
    let moved = format!("--replace-host {from}={to}");
    let changes = |options: &str| {
        let report = folder.report(&format!("{to} --against before.json {options}"));
        let rows = |name: &str| report["changes"][name].as_array().unwrap().len();
        (changed(&report), rows("sitemaps"), rows("sections"))
    };
    assert_eq!(changes(&moved), ([Some(0); 3], 0, 3));
    // A report after the move is compared by its own names.
    folder.run(&format!(
        "report {to} --against before.json {moved} -o after.json"
    ));
    let report = folder.report(&format!("{to} --against after.json"));
    assert_eq!(changed(&report), [Some(0); 3], "{report}");
    let (findings, sitemaps, sections) = changes("");
    assert!(findings[0] > Some(0) && sitemaps == 6 && sections == 6);
    let check = format!("check {to} --advice --baseline known.jsonl");
    let ran = folder.run(&format!("{check} {moved}"));
    ran.says("no new problems found");
    ran.does_not_say("not looked for");
    folder.run(&check).does_not_say("no new problems found");
    // A host that no URL has is named.
    for command in [
        "report SITE/ --against before.json",
        "check SITE/ --baseline known.jsonl",
        &format!("diff SITE/b.xml {from}/b.xml"),
        "probe SITE/b.xml --delay 0",
        "edit SITE/b.xml -o out.xml",
    ] {
        let unused = "--replace-host nowhere.example=b.example";
        let ran = folder.run_on(&new, &format!("{command} {unused}"));
        ran.says(&format!("warning: {unused}: no URL of "));
    }
}

/// README names the fields of the report that there are.
#[test]
fn fields_of_the_report_are_those_of_readme() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["1.xml", "gone.xml"]))
        .put("f/1.xml", bad("https://e.example", "2024-05-06"));
    let report = folder.report("f");
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let table = readme.split("| field | |\n|---|---|\n").nth(1).unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let names: Vec<_> = rows
        .flat_map(|row| row[2..].split(" | ").next().unwrap().split(", "))
        .map(|name| name.trim_matches('`'))
        .collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        assert!(report.get(name).is_some(), "{name}: {report}");
    }
    let rows = report["sitemaps"].as_array().unwrap();
    for field in [
        "name", "format", "status", "entries", "bytes", "newest", "errors",
    ] {
        let has_field = rows.iter().any(|row| row.get(field).is_some());
        assert!(has_field, "{field}: {report}");
    }
}

/// Lists in UTF-16, as spreadsheets save them, are told by their content, under any name and in every command.
#[test]
fn a_list_in_utf_16_is_read_everywhere() {
    let site = http(|_, _| html(""));
    let folder = Folder::new();
    let (one, other) = (site.at("straße/1?q=ü"), site.at("2"));
    let table = format!("url\tlastmod\n{one}\t2024-05-06\n{other}\t\n");
    let little =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let big = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let sheet = format!("\u{feff}{}", table.replace('\t', ";"));
    let json = format!("{{\"loc\":\"{one}\"}}\n{{\"loc\":\"{other}\"}}\n");
    for (list, content) in [
        ("unicode.txt", little(&format!("\u{feff}{table}"))),
        ("export.csv", big(&sheet)),
        ("export", little(&table)),
        ("lines.dat", big(&json)),
        ("urls.txt", big(&format!("\u{feff}{one}\r\n{other}\r\n"))),
        // Valid neighbours: the same in UTF-8.
        ("utf-8.tsv", table.clone().into_bytes()),
        ("utf-8.csv", sheet.replace(';', ",").into_bytes()),
    ] {
        folder.put(list, content);
        for command in [
            "check IN --allow unreachable-host --allow not-utf-8",
            "report IN --format json --allow unreachable-host --allow not-utf-8",
            "show IN --format jsonl",
            "diff IN IN",
            "edit IN -o -",
            "write IN -o -",
            "probe IN --delay 0 --format jsonl",
        ] {
            let said = format!("{}", folder.must(&command.replace("IN", list), 0));
            let signs = ["stra%C3%9Fe", "2 entries", "2 the same"];
            assert!(signs.iter().any(|sign| said.contains(sign)), "{said}");
        }
    }
    // A table without the column is named as one, not as a text without pages.
    folder.put(
        "other.txt",
        little("\u{feff}Adresse\tStand\nhttps://e.example/\tneu\n"),
    );
    for command in ["check", "report", "show", "edit -o -", "write -o -"] {
        let ran = folder.must(&format!("{command} other.txt"), 2);
        let is_named = format!("{ran}").contains("--column loc=NAME");
        assert!(is_named || command == "report", "{ran}");
    }
    // A character that is cut off is an error, not a shorter list.
    let cut = little(&table);
    folder.put("cut.txt", &cut[..cut.len() - 3]);
    for command in ["check", "edit -o -", "write -o -"] {
        let ran = folder.run(&format!("{command} cut.txt"));
        assert_ne!(ran.status, 0, "{ran}");
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
        assert_eq!(lines, expected, "{check}");
    }
}

/// The commands that print CSV, for pages at a site.
fn tables() -> [&'static str; 5] {
    [
        "show now.xml --format csv",
        "check bad.xml --format csv",
        "diff before.txt now.xml --format csv",
        "probe now.xml --delay 0 --format csv",
        "crawl SITE/s.xml --format csv",
    ]
}

fn served_table(folder: &Folder) -> Served {
    let site = http(|asked, home| match asked.path.as_str() {
        "/s.xml" => listing(home, &["straße"]),
        _ => html(""),
    });
    folder
        .put("now.xml", urlset([site.at("straße")]))
        .put("before.txt", format!("{}\n", site.at("alt")))
        .put("bad.xml", bad("https://e.example", "März"));
    site
}

/// CSV in a file has the mark by which spreadsheets know UTF-8, in a pipe it has none, and both are read.
#[test]
fn csv_opens_in_a_spreadsheet() {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let folder = Folder::new();
    let site = served_table(&folder);
    let bytes = |name: &str| fs::read(folder.path(name)).unwrap();
    for command in tables() {
        // How long a page took differs.
        let rows = |bytes: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(bytes).replace(&site.home, "SITE/");
            let first = if command.starts_with("probe") { 1 } else { 9 };
            text.lines().take(first).map(str::to_owned).collect()
        };
        let piped = folder.run_on(&site, command).out;
        let is_plain = !piped.starts_with('\u{feff}') && piped.contains(',');
        assert!(is_plain, "{command}: {piped}");
        folder.run_on(&site, &format!("{command} -o out.csv"));
        let written = bytes("out.csv");
        let written = written.strip_prefix(MARK).map(rows);
        assert_eq!(written, Some(rows(piped.as_bytes())), "{command}");
        // By the shell, and at the end of a file that has a beginning.
        for (before, mark) in [("", MARK), ("x\n", b"")] {
            folder.put("shell.csv", before);
            let file = fs::OpenOptions::new()
                .append(true)
                .open(folder.path("shell.csv"));
            let mut run = site.command_of(command);
            let run = run.current_dir(folder.0.path()).stdout(file.unwrap());
            run.status().unwrap();
            let expected = [before.as_bytes(), mark, piped.as_bytes()].concat();
            assert_eq!(rows(&bytes("shell.csv")), rows(&expected), "{command}");
        }
        let tabs = command.replace("--format csv", "--format tsv");
        if !command.starts_with("check") && !command.starts_with("diff") {
            folder.run_on(&site, &format!("{tabs} -o out.tsv"));
            assert!(!bytes("out.tsv").starts_with(MARK), "{command}");
        }
    }
    folder.run("report bad.xml -o r.html --csv found.csv");
    assert!(bytes("found.csv").starts_with(MARK));
    // A crawl that is continued appends to its file, which other commands read.
    for command in [
        "crawl SITE/s.xml --resume state.json -o pages.csv",
        "crawl SITE/s.xml --resume state.json -o pages.csv",
        "check pages.csv --allow unreachable-host",
        "report pages.csv --format json --allow unreachable-host",
        "show pages.csv",
        "diff pages.csv now.xml",
        "edit pages.csv -o -",
        "write pages.csv -o -",
        "probe pages.csv --delay 0",
    ] {
        folder.must_on(&site, command, 0);
    }
    assert_eq!(folder.read("pages.csv").matches('\u{feff}').count(), 1);
}

/// A full disk is an error that names the file, or standard output.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let folder = Folder::new();
    let site = served_table(&folder);
    let mut commands = vec!["show now.xml", "report now.xml --format json"];
    let lines = tables().map(|command| command.replace("csv", "jsonl"));
    commands.extend(lines.iter().map(String::as_str).chain(tables()));
    std::os::unix::fs::symlink("/dev/full", folder.path("full.xml")).unwrap();
    for command in ["edit now.xml", "write before.txt"] {
        let ran = folder.must(&format!("{command} -o full.xml"), 2);
        ran.says("full.xml: ");
    }
    for command in &commands {
        let ran = folder.must_on(&site, &format!("{command} -o /dev/full"), 2);
        ran.says("/dev/full: ");
    }
    commands.extend(["--help", "check --help", "--version", "edit now.xml -o -"]);
    for command in &commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let mut run = site.command_of(command);
        let run = run.current_dir(folder.0.path()).stdout(full.unwrap());
        let ran = Ran::new(run.output().unwrap(), &site.home);
        assert_eq!(ran.status, 2, "{command}: {ran}");
        ran.says("standard output: ");
    }
}

/// A site, a sitemap of it, and both again: each is read once, in any order.
#[test]
fn a_url_is_read_once_under_any_name() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &["a.xml", "b.xml"]),
        "/a.xml" | "/%61.xml" => listing(home, &["a"]),
        "/b.xml" => listing(home, &["b"]),
        _ => status(404),
    });
    for inputs in [
        "SITE/ SITE/",
        "SITE/ SITE/a.xml",
        "SITE/a.xml SITE/",
        "SITE/ SITE/robots.txt",
        "SITE/%61.xml SITE/",
    ] {
        let check = site.run(&format!("check {inputs} --advice --format jsonl"));
        check.does_not_print("duplicate");
        let report = site.run(&format!("report {inputs} --format json")).value();
        let counts = totals(&report, ["pages", "sitemaps"]);
        assert_eq!(counts, [2, 3].map(Some), "{inputs}");
        let edit = site.run(&format!("edit {inputs} -o -"));
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
        assert!(ran.status != 0 && format!("{ran}").contains(told), "{ran}");
        for (name, hint) in [
            ("dist.old/", "use `https://dist.old/`"),
            ("htps://e.example/", "`htps:` is not read"),
            ("ftp://e.example/a.xml", "`ftp:` is not read"),
            ("file:///srv/a.xml", "use the path alone, `/srv/a.xml`"),
        ] {
            let ran = folder.must(&format!("{command} {name}"), 2);
            assert!(format!("{ran}").contains(hint), "{ran}");
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
    let base = "--base https://e.example/";
    for list in ["mac.txt", "paths.txt"] {
        folder.must(&format!("write {list} -o {list}.xml {base}"), 0);
        folder.must(&format!("diff all.xml {list}.xml"), 0);
    }
    folder.run("check mac.txt").says("3 entries");
    folder.must("check all.xml --must-list mac.txt", 0);
    folder.put("bad.txt", "/1\r/2\rnot a URL\r");
    let bad = folder.must(&format!("write bad.txt -o bad.xml {base}"), 2);
    bad.says("bad.txt:3");
}

/// A column that was named, and that no table has, is an error of every command.
#[test]
fn a_column_that_no_table_has_is_an_error() {
    let folder = Folder::new();
    let row = "https://e.example/1,2026-11-01\n";
    folder
        .put("a.csv", format!("Address,Last Modified\n{row}"))
        .put("b.csv", format!("Address,Changed\n{row}"));
    for command in [
        "write a.csv -o z.xml --ignore-unknown",
        "edit a.csv -o -",
        "diff a.csv a.csv",
        "show a.csv",
        "check a.csv",
        "report a.csv",
        "probe a.csv",
    ] {
        let lost = "--column loc=Address --column lastmod=Modified";
        let ran = folder.must(&format!("{command} {lost}"), 2);
        for part in ["a.csv", "`Modified`", "`Address`, `Last Modified`"] {
            ran.says(part);
        }
    }
    assert!(!folder.path("z.xml").exists());
    // One of several tables has it.
    let diff = folder.run("diff a.csv b.csv --column loc=Address --column lastmod=Changed");
    assert!(diff.status < 2, "{diff}");
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
    for command in ["check", "report"] {
        for (input, status) in [
            ("empty.xml", 1),
            ("http://127.0.0.1:1/", 1),
            ("missing.xml", 2),
        ] {
            folder.must(
                &format!("{command} {input} --retries 0 -o out.json"),
                status,
            );
            assert!(!folder.path("out.json").exists(), "{command} {input}");
        }
    }
}

/// A table without its header is a list of URLs, and no URL of it is requested.
#[test]
fn a_column_of_a_list_without_columns_is_an_error() {
    let folder = Folder::new();
    folder.put("old.txt", "https://e.example/1,https://e.example/2\n");
    for (command, field) in [
        ("write old.txt -o z.xml", "loc"),
        ("edit old.txt -o -", "loc"),
        ("diff old.txt old.txt", "loc"),
        ("show old.txt", "loc"),
        ("check old.txt", "loc"),
        ("report old.txt", "loc"),
        ("probe old.txt", "loc"),
        ("probe old.txt --follow", "expected"),
    ] {
        let ran = folder.must(&format!("{command} --column {field}=old"), 2);
        ran.says(&format!(
            "no table has a column `old` (--column {field}=old)"
        ));
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
        for (output, status) in [
            ("q.html", 2),
            ("q.xlsx", 2),
            ("q.xlsx --format csv", 0),
            ("q.txt", 0),
            ("q.JSON", 0),
            ("q.ndjson", 0),
            ("q.csv", 0),
            ("q", 0),
        ] {
            folder.must(&format!("{command} -o {output}"), status);
        }
    }
    for (name, status) in [
        ("r.htm", 0),
        ("r.json", 0),
        ("r.txt", 0),
        ("r.csv", 2),
        ("r", 2),
    ] {
        folder.must(&format!("report a.xml -o {name}"), status);
    }
}

/// A part that is not there, one that is refused and one that cannot be fetched are three things.
#[test]
fn a_refusal_is_no_absence() {
    const PARTS: [(&str, &str); 10] = [
        ("404", "error missing-part"),
        ("410", "error missing-part"),
        ("401", "warning refused-part"),
        ("403", "warning refused-part"),
        ("451", "warning refused-part"),
        ("page", "warning refused-part"),
        ("header", "warning refused-part"),
        ("429", "error unreachable-part"),
        ("500", "error unreachable-part"),
        ("503", "error unreachable-part"),
    ];
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &PARTS.map(|(part, _)| part)),
        "/page" => {
            ok("<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>")
        }
        "/header" => status(503).header("cf-mitigated", "challenge"),
        path => status(path[1..].parse().unwrap_or(404)),
    });
    let check = site.run("check SITE/ --retries 0 --format jsonl");
    let found = check.values();
    for (part, expected) in PARTS {
        let page = format!("SITE/{part}");
        let found = found.iter().find(|found| found["page"] == *page);
        assert_eq!(
            found.map(judged).as_deref(),
            Some(expected),
            "{part}: {check}"
        );
    }
    // Only warnings.
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["a.xml", "b.xml"]),
        "/a.xml" => listing(home, &["a"]),
        _ => status(403),
    });
    let check = site.must("check SITE/", 0);
    check.prints("refused-part");
    check.prints("--user-agent");
}

/// The severity and the rule of a finding.
fn judged(found: &Value) -> String {
    let [severity, rule] = ["severity", "rule"].map(|name| found[name].as_str().unwrap());
    format!("{severity} {rule}")
}

/// `crawl` says why there may be more pages than it has returned, and that the filters leave none.
#[test]
fn a_crawl_says_what_is_not_known() {
    let refused = "robots.txt or a usual place of sitemaps is refused";
    for (robots, sitemap, doubt) in [
        (404, "a.xml", None),
        (403, "a.xml", Some(refused)),
        (404, "a.txt", Some("the end of a text cannot be checked")),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => status(robots),
            "/sitemap.xml" => sitemaps(home, &[sitemap]),
            "/a.xml" => listing(home, &["a"]),
            "/a.txt" => ok(format!("{home}a\n")),
            _ => status(404),
        });
        let ran = site.must("crawl SITE/", 0);
        assert_eq!(ran.said.contains("may be more"), doubt.is_some(), "{ran}");
        ran.says(doubt.unwrap_or("1 entry in 2 sitemaps"));
        let ran = site.run("crawl SITE/ --match nowhere");
        ran.gives(0, "");
        ran.says("warning: --match nowhere keeps none of 1 entry");
    }
}

/// A page in place of a sitemap is named by the place where it was found, too.
#[test]
fn a_redirect_is_said_with_its_end() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["s.xml", "ok.xml"]),
        "/s.xml" => redirect(&format!("{home}login")),
        "/login" => ok("<html></html>"),
        "/ok.xml" => listing(home, &["a"]),
        _ => status(404),
    });
    for (arguments, status) in [
        ("crawl SITE/", 1),
        ("crawl SITE/s.xml", 2),
        ("show SITE/s.xml", 2),
        ("edit SITE/ -o -", 2),
    ] {
        let ran = site.must(arguments, status);
        ran.says("SITE/s.xml");
        ran.says("(redirected to SITE/login)");
    }
}

/// Two sites: `localhost` and `127.0.0.1` are two hosts, and each server has its own port.
fn two(
    one: impl Fn(&str, &str, &str) -> Answer + Send + Sync + 'static,
    other: impl Fn(&str, &str, &str) -> Answer + Send + Sync + 'static,
) -> (Served, Served) {
    let place = Arc::new(OnceLock::<String>::new());
    let known = Arc::clone(&place);
    let a = http(move |asked, home| one(&asked.path, home, known.get().unwrap()));
    let home = a.home.clone();
    let b = http(move |asked, own| other(&asked.path, &home, own));
    place.set(b.home.clone()).unwrap();
    (a, b)
}

fn rules(site: &Served, arguments: &str) -> Vec<String> {
    let ran = site.run(&format!("check {arguments} --format jsonl --retries 0"));
    ran.rules()
}

/// The robots.txt of a site names a sitemap on another one: it may list the pages of the site, for every command.
#[test]
fn one_answer_to_which_site_may_be_listed() {
    let (a, b) = two(
        |path, _, b| match path {
            "/robots.txt" => robots(b, &["i.xml"]),
            "/a" => html(""),
            _ => status(404),
        },
        |path, a, b| match path {
            "/robots.txt" => robots(b, &["own.xml"]),
            "/i.xml" => sitemaps(b, &["s.xml"]),
            "/s.xml" => listing(a, &["a"]),
            "/own.xml" => ok(urlset([format!("{b}b"), format!("{a}c")])),
            _ => status(404),
        },
    );
    assert_eq!(rules(&a, "SITE/"), [""; 0]);
    assert_eq!(rules(&b, "SITE/s.xml"), [""; 0]);
    assert_eq!(rules(&b, "SITE/"), ["outside-location"]);
    assert_eq!(rules(&b, "SITE/own.xml"), ["outside-location"]);
    a.run("crawl SITE/").gives(0, "SITE/a\n");
    let report = a.run("report SITE/ --format json");
    report.does_not_print("outside-location");
    let probe = |site: &Served, status: i32, options: &str| {
        let probe = format!("probe SITE/ --delay 0 --format jsonl {options}");
        let found = site.must(&probe, status).values();
        let verdict = |found: &Value| found["verdict"].as_str().unwrap().to_owned();
        let mut verdicts: Vec<_> = found.iter().map(verdict).collect();
        verdicts.sort();
        verdicts
    };
    assert_eq!(probe(&a, 0, ""), ["ok"]);
    // `b` may not list `c` of `a`, so that is not requested.
    assert_eq!(probe(&b, 1, ""), ["missing", "other-host"]);
    assert_eq!(a.count("/c"), 0);
    assert_eq!(probe(&b, 1, "--other-hosts"), ["missing"; 2]);
    assert_eq!(a.count("/c"), 1);
}

/// Another port is another site, and so is a host whose robots.txt cannot be read: of that nothing is said but one note.
#[test]
fn a_host_that_was_not_read_licenses_nothing() {
    for (answer, is_outside) in [(404, true), (410, true), (403, false), (500, false)] {
        let (_a, b) = two(
            move |_, _, _| status(answer),
            |path, a, b| match path {
                "/robots.txt" => robots(b, &["s.xml"]),
                "/s.xml" => listing(a, &["a", "b"]),
                _ => status(404),
            },
        );
        let ran = b.run("check SITE/ --retries 0");
        let note = "whether its pages may be listed is not known";
        let found = (
            ran.out.contains("outside-location"),
            ran.said.matches(note).count(),
        );
        let expected = (is_outside, usize::from(!is_outside));
        assert_eq!(found, expected, "{answer}: {ran}");
    }
}

/// A redirect to another site is one finding of the document.
#[test]
fn a_redirect_to_another_site_is_one_finding() {
    let (a, _b) = two(
        |path, a, b| match path {
            "/robots.txt" => robots(a, &["sitemap.xml", "moved.xml"]),
            "/sitemap.xml" => redirect(&format!("{b}s.xml")),
            "/moved.xml" => redirect("/deep/moved.xml"),
            "/deep/moved.xml" => listing(a, &["d"]),
            _ => status(404),
        },
        |path, a, b| match path {
            "/s.xml" => ok(urlset([format!("{a}a"), format!("{a}b"), format!("{b}c")])),
            _ => status(404),
        },
    );
    assert_eq!(rules(&a, "SITE/"), ["redirected-sitemap"]);
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
    for (kind, forbids) in [
        ("404", false),
        ("403", false),
        ("451", false),
        ("html", false),
        ("loop", false),
        ("empty", false),
        ("429", true),
        ("500", true),
        ("206", true),
        ("br", true),
        ("nul", true),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => answer(kind),
            "/sitemap.xml" => listing(home, &["a"]),
            _ => status(404),
        });
        let of_site = if forbids {
            "unreadable-robots"
        } else {
            "robots-without-sitemap"
        };
        assert_eq!(rules(&site, "SITE/"), [of_site], "{kind}");
        let found = rules(&site, "SITE/sitemap.xml");
        let of_sitemap = forbids.then_some(of_site);
        assert_eq!(found.first().map(String::as_str), of_sitemap, "{kind}");
        let folder = Folder::new();
        folder.put("list.txt", site.at("a"));
        // The usual places are requested if nothing is forbidden, or the option says so; and so are pages.
        for (options, is_asked) in [("", !forbids), ("--ignore-robots", true)] {
            let before = ["/sitemap.xml", "/a"].map(|path| site.count(path));
            let check = format!("check SITE/ --retries 0 {options}");
            site.must(&check, i32::from(forbids)).prints(of_site);
            let probe = format!("probe list.txt --delay 0 --retries 0 {options}");
            folder.must_on(&site, &probe, if is_asked { 1 } else { 2 });
            let after = before.map(|count| count + usize::from(is_asked));
            let counts = ["/sitemap.xml", "/a"].map(|path| site.count(path));
            assert_eq!(counts, after, "{kind} {options}");
        }
    }
}

/// Findings ask for the rules of Googlebot and Bingbot, or of the robot that `--user-agent` names.
#[test]
fn whose_rules_count() {
    let admits =
        "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /\n\n";
    let disallowed = "warning disallowed";
    for (text, agent, found) in [
        (admits, "", ""),
        (admits, "FooBot/1.0", "error forbids-the-site"),
        (
            "User-agent: *\nDisallow: /\n\n",
            "",
            "error forbids-the-site",
        ),
        (
            "User-agent: bingbot\nDisallow: /\n\n",
            "",
            "warning forbids-the-site",
        ),
        ("User-agent: Googlebot\nDisallow: /a\n\n", "", disallowed),
        ("User-agent: Googlebot\nDisallow: /a\n\n", "FooBot", ""),
        (
            "User-agent: FooBot\nDisallow: /a\n\n",
            "FooBot/2",
            disallowed,
        ),
        (
            "User-agent: Googlebot-Image\nDisallow: /i\n\n",
            "",
            disallowed,
        ),
        ("User-agent: *\nDisallow: /i\n\n", "", disallowed),
        ("User-agent: *\nDisallow: /v\n\n", "", disallowed),
        (
            "User-agent: *\nDisallow: /s.xml\n\n",
            "",
            "error disallowed-sitemap",
        ),
    ] {
        let site = http(move |asked, home| match asked.path.as_str() {
            "/robots.txt" => redirect("/files/robots.txt"),
            "/files/robots.txt" => ok(format!("{text}Sitemap: {home}s.xml\n")),
            "/s.xml" => ok(format!(
                "<urlset xmlns='{NAMESPACE}' xmlns:image='{IMAGE}' \
                 xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'><url><loc>{home}a</loc>\
                 <image:image><image:loc>{home}i/1.jpg</image:loc></image:image>\
                 <video:video><video:thumbnail_loc>{home}t.jpg</video:thumbnail_loc><video:title>a</video:title>\
                 <video:description>b</video:description><video:content_loc>{home}v.mp4</video:content_loc>\
                 </video:video></url></urlset>"
            )),
            _ => status(404),
        });
        let agent = if agent.is_empty() {
            String::new()
        } else {
            format!("--user-agent {agent}")
        };
        let ran = site.run(&format!("check SITE/ --format jsonl {agent}"));
        let all: Vec<_> = ran.values().iter().map(judged).collect();
        assert_eq!(all.join(" "), found, "{text} {agent}");
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
    let write = "write f -o f/sitemap.xml --base https://e.example/ --robots f/robots.txt";
    let write = folder.must(write, 0);
    assert_eq!(write.said.matches("(disallowed)").count(), 1, "{write}");
    let check = folder.must("check f --location https://e.example/", 0);
    check.prints("warning[disallowed]");
    assert_eq!(check.out.matches("[disallowed]").count(), 1);
    // The line that `write` has added names the host.
    folder.run("check f").prints("warning[disallowed]");
    // Of several hosts, none.
    folder.put("g/sitemap.xml", pages(&["en/"])).put(
        "g/robots.txt",
        "User-agent: *\nDisallow: /en/\nSitemap: https://e.example/sitemap.xml\nSitemap: https://o.example/s.xml\n",
    );
    folder.run("check g").does_not_print("disallowed");
    // A staging folder.
    folder
        .put("s/sitemap.xml", pages(&["a", "b"]))
        .put("s/robots.txt", "User-agent: *\nDisallow: /\n");
    let staging = folder.must("check s --format short", 0);
    assert_eq!(staging.out.lines().count(), 1, "{staging}");
    staging.prints("warning: robots.txt forbids the whole site");
}

/// A part is there only where a server would have it.
#[test]
fn a_part_is_where_a_server_has_it() {
    let folder = Folder::new();
    folder
        .put("f/sitemap.xml", parts(&["maps/a.xml", "b.xml"]))
        .put("f/a.xml", pages(&["1"]))
        .put("f/b.xml.gz", gzip(&pages(&["2"])))
        .put("g/sitemap.xml", parts(&["maps/a.xml"]))
        .put("g/maps/a.xml", pages(&["maps/1"]));
    folder.must("edit f -o -", 0);
    let check = folder.run("check f --location https://e.example/");
    assert_eq!(check.out.matches("missing-part").count(), 2, "{check}");
    folder.must("check g --location https://e.example/", 0);
}

/// Two sites in one file are wrong wherever it is.
#[test]
fn several_sites_in_one_file() {
    let folder = Folder::new();
    for second in [
        "https://o.example/b",
        "http://e.example/b",
        "https://e.example:8443/b",
    ] {
        let urls = ["https://e.example/a", second];
        folder
            .put("m.xml", urlset(urls.map(str::to_owned)))
            .put("m.txt", urls.join("\n"));
        for name in ["m.xml", "m.txt"] {
            let check = folder.must(&format!("check {name} --format short"), 0);
            assert_eq!(check.out.matches("several-hosts").count(), 1, "{check}");
        }
        for command in ["edit m.xml -o x.xml", "write m.txt -o x.xml"] {
            folder.run(command).says("(several-hosts)");
        }
        let known = folder.run("check m.xml --location https://e.example/m.xml");
        known.does_not_print("several-hosts");
    }
    folder
        .put(
            "f.xml",
            "<rss version='2.0'><channel><item><link>https://a.example/</link></item>\
            <item><link>https://b.example/</link></item></channel></rss>",
        )
        .put("l.csv", "loc\nhttps://a.example/\nhttps://b.example/\n");
    for command in ["check f.xml", "check l.csv"] {
        folder.run(command).does_not_print("several-hosts");
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
        folder.must(write, 0).says(said);
    }
    for before in [&b"\xff\xfeU\0"[..], b"a\0b", b"<!doctype html><html>"] {
        folder.put("r.txt", before);
        folder.must(write, 2).says("r.txt");
        assert_eq!(fs::read(folder.path("r.txt")).unwrap(), before);
    }
}
