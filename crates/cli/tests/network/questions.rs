//! One question, one answer: each test asks the same of every command.

use std::fs;

use crate::served::{Ran, Served, http, index, ok, redirect, sitemap, status, urlset};
use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn run(&self, arguments: &str) -> Ran {
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let mut command = sitemap(&arguments);
        let output = command.current_dir(self.0.path()).output().unwrap();
        Ran::new(output, "\0")
    }

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
    assert!(
        check.said.contains("1 sitemap, 2 entries: no problems"),
        "{}",
        check.said
    );
    let report = folder.report(inputs);
    assert_eq!(
        (&report["totals"]["sitemaps"], &report["totals"]["pages"]),
        (&1.into(), &2.into())
    );
    let edit = folder.run(&format!("edit {inputs} -o -"));
    assert!(
        edit.said.contains("2 pages read from 1 file"),
        "{}",
        edit.said
    );
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
    assert_eq!((one.0, one.2, one.3), (2, 2, 2));
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
    assert_eq!(report["not_read"][0]["sitemaps"], 1);
    let row = report["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"].as_str().unwrap().contains("o.xml"));
    assert_eq!(row.unwrap()["status"], "not-read");
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
    let out = folder.0.path().join("r.html");
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
        assert!(check.said.contains("--max-pages"), "{}", check.said);
        assert_eq!(count(&folder.report(&format!("{input} --max-pages 2"))), 2);
        let edit = folder.run(&format!(
            "edit {input} -o - --max-pages 2 --allow-incomplete"
        ));
        assert!(edit.said.contains("2 pages read"), "{}", edit.said);
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
    let folder = Folder::new();
    let issues = folder.0.path().join("issues.jsonl");
    for lists in [true, false] {
        let site = site(lists);
        let check = site.run(&["check", &site.home, "--format", "jsonl"]);
        site.run(&["crawl", &site.home, "--issues", issues.to_str().unwrap()]);
        let crawl = fs::read_to_string(&issues).unwrap();
        for found in [&check.out, &crawl] {
            assert_eq!(
                found.contains("outside-location"),
                !lists,
                "{lists}: {found}"
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
    let report = folder.report("a.txt --against b.txt");
    assert_eq!(
        (&report["changes"]["added"], &report["changes"]["changed"]),
        (&0.into(), &0.into())
    );
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
        for option in ["", "--no-follow", "--sitemaps 1"] {
            // There is no sitemap at the root.
            if option == "--no-follow" && *input == site.home {
                continue;
            }
            let report = folder.report(&format!("{input} --against {input} {option}"));
            let changes = &report["changes"];
            for kind in ["added", "removed", "changed"] {
                assert_eq!(changes[kind], 0, "{input} {option} {kind}: {changes}");
            }
            assert_eq!(
                changes["pages_before"], report["totals"]["pages"],
                "{input} {option}"
            );
        }
    }
}

/// A side with fewer fields is compared by these.
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
        let report = folder.report(&format!("now.xml --against {earlier}"));
        assert_eq!(report["changes"]["changed"], 0, "{earlier}");
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
    let root = folder.0.path().join("www");
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
            .map(|month| month["month"].as_str().unwrap())
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
    assert!(
        check.said.contains("2 sitemaps, 5 entries"),
        "{}",
        check.said
    );
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
