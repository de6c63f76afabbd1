//! `sitemap probe` of pages that have moved, of sites behind a login, and of hosts that want to be left alone.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;
use crate::served::{
    Answer, Body, Ran, Served, gzip, html, http, https, listing, ok, redirect, status, urlset, with,
};
use serde_json::{Value, json};

impl Folder {
    /// Runs `sitemap probe` in the folder, without pauses and repetitions.
    fn probe(&self, site: &Served, arguments: &str) -> Ran {
        let mut arguments = format!("probe {arguments} --delay 0");
        if !arguments.contains("--retries") {
            arguments += " --retries 0";
        }
        let mut command = site.command_of(&arguments);
        command.env("SITEMAP_PASSWORD", "s3cret/");
        command.current_dir(self.0.path());
        site.ran(command)
    }

    /// The results, by what follows the home page in their URLs.
    fn results(&self, site: &Served, arguments: &str) -> (BTreeMap<String, Value>, Ran) {
        let ran = self.probe(site, &format!("{arguments} --format jsonl"));
        let found = ran.values().into_iter().map(|found| {
            let url = found["url"].as_str().unwrap();
            (url.trim_start_matches("SITE/").to_owned(), found)
        });
        (found.collect(), ran)
    }

    /// A list with these pages of a site.
    fn list(&self, name: &str, site: &Served, paths: &[&str]) {
        let urls: Vec<_> = paths.iter().map(|path| site.at(path)).collect();
        self.put(name, urls.join("\n"));
    }

    /// A map of old pages to new ones, in which `SITE/` is the site.
    fn map(&self, site: &Served, rows: &[(&str, &str)]) {
        let row = |(old, new): &(&str, &str)| format!("SITE/{old},{new}\n");
        let rows: String = rows.iter().map(row).collect();
        let text = format!("loc,expected\n{rows}").replace("SITE/", &site.home);
        self.put("map.csv", text);
    }
}

/// The verdicts of pages.
fn verdicts<'f, const N: usize>(
    found: &'f BTreeMap<String, Value>,
    paths: [&str; N],
) -> [&'f str; N] {
    paths.map(|path| found[path]["verdict"].as_str().unwrap())
}

/// A site that has moved: `/p/1` is `/one`, and so on.
fn moved() -> Served {
    http(|asked, home| {
        let hop = |name: &str, last: u32, to: &str| {
            let number: u32 = asked.path.trim_start_matches(name).parse().unwrap();
            if number < last {
                redirect(&format!("{name}{}", number + 1))
            } else {
                redirect(to)
            }
        };
        match asked.path.as_str() {
            "/robots.txt" => ok("User-agent: *\nDisallow: /secret\n"),
            "/p/1" => status(301).header("Location", format!("{home}one")),
            "/p/2" => redirect("two?a=b#top"),
            "/p/3" | "/?p=3" => redirect("/"),
            "/p/4" => redirect("/gone"),
            "/p/5" => html("<meta http-equiv=refresh content='0; url=/one'>"),
            "/late" => html("<meta http-equiv=refresh content='300; url=/one'>"),
            "/later" => html("").header("Refresh", "5; url=/one"),
            "/mixed" => status(301).header("Location", "/p/3"),
            "/p/6" => redirect("/hidden"),
            "/p/7" => redirect("/secret/7"),
            "/p/8" => redirect("/copy"),
            "/p/9" => redirect("/broken"),
            "/p/here" => html(""),
            "/loop/a" => redirect("/loop/b"),
            "/loop/b" => redirect("/loop/a#again"),
            "/loop/c" => redirect("/loop/a"),
            "/self" => redirect("/self"),
            "/bad" => redirect("http://ho st/"),
            "/index.html" => redirect("/"),
            path if path.starts_with("/moved/") => Answer {
                status: 301,
                ..hop("/moved/", 3, "/one")
            },
            path if path.starts_with("/three/") => hop("/three/", 3, "/one"),
            path if path.starts_with("/ten/") => hop("/ten/", 10, "/one"),
            path if path.starts_with("/eleven/") => hop("/eleven/", 11, "/one"),
            "/" | "/one" | "/p/two?a=b" => html(""),
            "/hidden" => html("<meta name=robots content=noindex>"),
            "/copy" => html("<link rel=canonical href=/one>"),
            "/broken" => status(500),
            _ => status(404),
        }
    })
}

/// Verdict, status, hops and where it leads.
fn outline(found: &Value) -> (&str, Option<u64>, Option<u64>, &str) {
    let location = found["location"].as_str().unwrap_or_default();
    (
        found["verdict"].as_str().unwrap(),
        found["status"].as_u64(),
        found["hops"].as_u64(),
        location.trim_start_matches("SITE/"),
    )
}

#[test]
fn a_list_of_old_urls_is_followed_to_its_end() {
    let site = moved();
    let folder = Folder::new();
    let paths = [
        ("p/1", ("redirect", Some(200), Some(1), "one")),
        ("p/2", ("redirect", Some(200), Some(1), "p/two?a=b")),
        ("p/3", ("home-page", Some(200), Some(1), "")),
        ("?p=3", ("home-page", Some(200), Some(1), "")),
        ("p/4", ("missing", Some(404), Some(1), "gone")),
        ("p/5", ("redirect", Some(200), Some(1), "one")),
        ("p/6", ("noindex", Some(200), Some(1), "hidden")),
        ("p/7", ("disallowed", Some(302), Some(1), "secret/7")),
        ("p/8", ("canonical-elsewhere", Some(200), Some(1), "copy")),
        ("p/9", ("error", Some(500), Some(1), "broken")),
        ("p/here", ("ok", Some(200), Some(0), "")),
        ("p/none", ("missing", Some(404), Some(0), "")),
        ("secret/1", ("disallowed", None, None, "")),
        ("loop/a", ("error", Some(302), Some(2), "loop/a#again")),
        ("loop/c", ("error", Some(302), Some(3), "loop/a#again")),
        ("self", ("error", Some(302), Some(1), "self")),
        ("bad", ("error", Some(302), Some(0), "")),
        ("index.html", ("redirect", Some(200), Some(1), "")),
        ("", ("ok", Some(200), Some(0), "")),
        ("three/1", ("redirect", Some(200), Some(3), "one")),
        ("ten/1", ("redirect", Some(200), Some(10), "one")),
        ("eleven/1", ("error", Some(302), Some(11), "one")),
    ];
    folder.list("old.txt", &site, &paths.map(|(path, _)| path));
    let (found, ran) = folder.results(&site, "old.txt --follow");
    assert_eq!((ran.status, found.len()), (1, paths.len()), "{ran}");
    for (path, expected) in paths {
        assert_eq!(outline(&found[path]), expected, "{path}");
    }
    for (path, error) in [
        ("loop/a", "a loop of redirects"),
        ("self", "a loop of redirects"),
        ("eleven/1", "more than 10 redirects"),
        ("bad", "302 Found"),
    ] {
        assert_eq!(found[path]["error"], error, "{path}");
    }
    assert_eq!(found["p/6"]["noindex"], true);
    assert_eq!(found["p/7"]["disallowed"], true);
    assert_eq!(site.count("/secret/7"), 0);
    // Without the option, nothing is followed, and no field is added.
    let (found, ran) = folder.results(&site, "old.txt");
    for (path, location) in [("p/3", ""), ("loop/a", "loop/b")] {
        let expected = ("redirect", Some(302), None, location);
        assert_eq!(outline(&found[path]), expected);
    }
    for field in ["\"hops\"", "\"listed\"", "\"expected\""] {
        ran.does_not_print(field);
    }
}

/// It is known whether the new sitemap lists the page at the end, in any spelling.
#[test]
fn the_inputs_list_the_page_at_the_end_or_not() {
    let site = moved();
    let folder = Folder::new();
    folder.list("old.txt", &site, &["p/1", "p/8", "p/4"]);
    folder.put("new.xml", urlset([site.at("%6Fne")]));
    let (found, _) = folder.results(&site, "old.txt new.xml --follow");
    let listed = ["p/1", "p/8", "p/4", "%6Fne"].map(|path| found[path]["listed"].as_bool());
    assert_eq!(listed, [true, false, false, true].map(Some));
    // Also if its own pages are not selected.
    let requested = site.count("/%6Fne");
    let (found, _) = folder.results(&site, "new.xml old.txt --follow --match /p/");
    assert_eq!(found.len(), 3);
    assert_eq!(found["p/1"]["listed"], true);
    assert_eq!(site.count("/%6Fne"), requested);
}

/// The map of a migration in every form of a list.
#[test]
fn redirects_are_compared_with_those_that_are_expected() {
    let site = moved();
    let folder = Folder::new();
    let rows = [
        ("p/1", "SITE/one", "ok"),
        ("p/2", "SITE/p/two?a=%62", "temporary-redirect"),
        ("p/5", "/one", "ok"),
        ("moved/1", "/one", "redirect-chain"),
        ("moved/2", "/one", "ok"),
        ("three/1", "/one#top", "temporary-redirect"),
        ("p/3", "/", "temporary-redirect"),
        ("?p=3", "/three", "home-page"),
        ("p/here", "/one", "wrong-target"),
        ("p/none", "/one", "missing"),
        ("p/4", "/gone", "missing"),
        ("p/6", "/hidden", "noindex"),
        ("p/8", "/one", "wrong-target"),
        ("one", "SITE/two", "wrong-target"),
        ("p/7", "/secret/7", "disallowed"),
        ("loop/a", "/one", "error"),
        ("p/9", "SITE/one/", "error"),
        ("two", "n/a", "error"),
        ("copy", "410", "error"),
        ("hidden", "www.e.com/one", "error"),
        ("index.html", "", "redirect"),
        ("", "", "ok"),
    ];
    let paths = rows.map(|(path, ..)| path);
    let expected = rows.map(|(.., verdict)| verdict);
    let table = |header: &str, separator: &str| {
        let mut text = format!("{}\n", header.replace(';', separator));
        for (path, expected, _) in &rows {
            text += &[&*format!("SITE/{path}"), "", expected].join(separator);
            text += "\n";
        }
        text.replace("SITE/", &site.home)
    };
    let lines = rows.map(|(path, expected, _)| {
        let row = json!({"loc": site.at(path), "expected": expected.replace("SITE/", &site.home)});
        format!("{row}\n")
    });
    folder
        .put("a.csv", table("loc;lastmod;expected", ","))
        .put("b.csv", table("OLD;note;New", ";"))
        .put("c.tsv", table("URL;lastmod;Expected", "\t"))
        .put("d.tsv", table("old;lastmod;new", "\t"))
        .put("e.jsonl", lines.concat());
    for arguments in [
        "a.csv",
        "b.csv --column loc=old --column expected=new",
        "c.tsv",
        "d.tsv --column Loc=OLD --column Expected=New",
        "e.jsonl",
    ] {
        let (found, ran) = folder.results(&site, &format!("{arguments} --follow"));
        assert_eq!(ran.status, 1, "{ran}");
        assert_eq!(found.len(), rows.len(), "{ran}");
        assert_eq!(verdicts(&found, paths), expected, "{ran}");
        for (path, field, value) in [
            ("three/1", "expected", json!("SITE/one#top")),
            ("p/1", "first_status", json!(301)),
            ("p/2", "first_status", json!(302)),
            ("p/here", "first_status", json!(200)),
            ("p/5", "first_status", json!(200)),
            ("two", "expected", json!("n/a")),
            ("index.html", "expected", Value::Null),
            (
                "copy",
                "error",
                json!("the expected page is neither a URL nor a path"),
            ),
        ] {
            assert_eq!(found[path][field], value, "{path}: {ran}");
        }
        ran.does_not_say("`expected`");
    }
    // Where it is not compared, it is a column like any other.
    for (arguments, note) in [
        (
            "b.csv --column loc=old",
            "unknown columns are ignored: `note`, `New`",
        ),
        ("c.tsv", "unknown columns are ignored: `Expected`"),
        ("e.jsonl", "unknown fields are ignored: `expected`"),
    ] {
        folder.probe(&site, arguments).says(note);
    }
}

#[test]
fn the_map_decides_the_exit_status_and_is_shown() {
    let site = moved();
    let folder = Folder::new();
    let right = [("p/1", "/one"), ("moved/2", "/one")];
    folder.map(&site, &right);
    let ran = folder.probe(&site, "map.csv --follow");
    ran.gives(
        0,
        "verdict  pages\nok           2\n\nredirects  pages\n1              1\n2              1\n",
    );
    let wrong = [
        ("p/3", "/three"),
        ("p/2", "/two"),
        ("p/4", "/four"),
        ("three/1", "/one"),
        ("moved/1", "/one"),
    ];
    folder.map(&site, &[&right[..], &wrong].concat());
    let ran = folder.probe(&site, "map.csv --follow");
    let summary = "note: 7 pages: 1 missing, 1 wrong-target, 1 home-page, 1 temporary-redirect, 1 redirect-chain, 2 ok\n";
    assert_eq!((ran.status, &*ran.said), (1, summary));
    for line in [
        "missing             404     SITE/p/4 → SITE/gone (temporary) (expected SITE/four)\n",
        "wrong-target        200     SITE/p/2 → SITE/p/two?a=b (temporary) (expected SITE/two)\n",
        "home-page           200     SITE/p/3 → SITE/ (temporary) (expected SITE/three)\n",
        "temporary-redirect  200     SITE/three/1 → SITE/one (3 hops) (temporary)\n",
        "redirect-chain      200     SITE/moved/1 → SITE/one (3 hops)\n",
    ] {
        ran.prints(line);
    }
    let csv = folder.probe(&site, "map.csv --follow --format csv").out;
    assert!(csv.starts_with(
        "url,sitemap,status,location,noindex,canonical,disallowed,bytes,ms,verdict,error,first_status,temporary,hops,listed,expected\n"
    ), "{csv}");
    let line = csv.lines().find(|line| line.starts_with("SITE/p/2,"));
    let (begin, end) = (
        "SITE/p/2,map.csv,200,SITE/p/two?a=b,false,,false,",
        ",wrong-target,,302,true,1,,SITE/two",
    );
    let is_whole = |line: &str| line.starts_with(begin) && line.ends_with(end);
    assert!(line.is_some_and(is_whole), "{line:?}");
    let bad = folder.probe(&site, "map.csv --follow --format csv --only bad");
    let urls = bad.out.lines().skip(1).map(|line| line.split(',').next());
    let expected = wrong.map(|(path, _)| format!("SITE/{path}"));
    assert_eq!(urls.flatten().collect::<Vec<_>>(), expected);
    assert_eq!((bad.status, &*bad.said), (1, summary));
    // A report counts them, too.
    folder.probe(&site, "map.csv --follow --resume results.jsonl");
    folder.put("new.xml", urlset([site.at("one")]));
    let report = "report new.xml --probe results.jsonl --csv all.csv --format json";
    let report = folder.run_on(&site, report);
    let probe = &report.value()["probe"];
    assert_eq!(
        (&probe["pages"], &probe["is_map"]),
        (&json!(7), &json!(true))
    );
    let all = folder.read("all.csv").replace(&site.home, "SITE/");
    for row in [
        "\nmap.csv,,,error,missing,SITE/p/4,status 404 → SITE/gone (temporary) (expected SITE/four)\n",
        "\nmap.csv,,,warning,temporary-redirect,SITE/three/1,status 200 → SITE/one (3 hops) (temporary)\n",
    ] {
        assert!(all.contains(row), "{all}");
    }
    assert!(!all.contains("SITE/p/1"), "{all}");
    let verdicts = probe["verdicts"].as_array().unwrap();
    assert!(verdicts.contains(&json!(["wrong-target", 1])), "{probe}");
    let mut examples = probe["examples"].as_array().unwrap().iter();
    let example = examples.find(|page| page["verdict"] == "home-page");
    assert_eq!(example.unwrap()["location"], "SITE/");
    // Of bad ones alone, nobody knows of how many they are; and that of the good ones is no change.
    folder.probe(&site, "map.csv --follow -o bad.jsonl --only bad");
    folder.put("old.json", &report.out);
    for (results, found, requested, is_known) in [
        (
            "results.jsonl",
            "5 of 7 old URLs do not lead where they should",
            "<p>7 pages were requested.<",
            true,
        ),
        (
            "bad.jsonl",
            "5 old URLs do not lead where they should",
            "so how many pages were requested is not known",
            false,
        ),
    ] {
        let report = format!("report new.xml --probe {results}");
        let ran = folder.run(&format!("{report} -o r.html"));
        ran.says(&format!(" {found}\n"));
        let page = folder.read("r.html");
        assert!(page.contains(&format!(">{found}: ")), "{page}");
        assert!(page.contains(requested), "{page}");
        let report = folder.run(&format!("{report} --format json --against old.json"));
        let report = report.value();
        let mut verdicts = report["changes"]["verdicts"].as_array().unwrap().iter();
        let has_good = verdicts.any(|row| row["name"] == "ok");
        assert_eq!(has_good, is_known, "{results}");
    }
}

/// Google takes a refresh after a delay for a temporary redirect. A permanent one before a temporary one does not hide it.
#[test]
fn a_temporary_redirect_anywhere_on_the_way_is_told() {
    let site = moved();
    let folder = Folder::new();
    folder.map(
        &site,
        &["late", "later", "p/5", "mixed"].map(|path| (path, "/one")),
    );
    for resume in ["", " --resume r.jsonl", " --resume r.jsonl"] {
        let ran = folder.probe(&site, &format!("map.csv --follow{resume}"));
        for line in [
            "home-page           200     SITE/mixed → SITE/ (2 hops) (temporary) (expected SITE/one)\n",
            "temporary-redirect  200     SITE/late → SITE/one (temporary)\n",
            "temporary-redirect  200     SITE/later → SITE/one (temporary)\n",
        ] {
            ran.prints(line);
        }
        assert_eq!(ran.status, 1);
        ran.does_not_print("SITE/p/5");
    }
    assert_eq!(site.count("/late"), 2);
    let plain = folder.probe(&site, "map.csv --format jsonl");
    plain.does_not_print("temporary");
}

/// What is asked anew is requested again, and nothing else; the file has one result of each page.
#[test]
fn results_are_kept_until_the_question_is_another() {
    let site = moved();
    let folder = Folder::new();
    let map = |second| folder.map(&site, &[("p/1", "/one"), ("p/2", second), ("secret/1", "")]);
    let run = |arguments: &str| {
        let ran = folder.probe(&site, &format!("map.csv --resume r.jsonl {arguments}"));
        let lines = folder.read("r.jsonl").lines().count();
        let counts = ["/p/1", "/p/2", "/secret/1"].map(|path| site.count(path));
        (ran.status, lines, counts)
    };
    map("/two");
    assert_eq!(run("--follow"), (1, 3, [1, 1, 0]));
    assert_eq!(run("--follow"), (1, 3, [1, 1, 0]));
    // The map is mended.
    map("/p/two?a=b");
    assert_eq!(run("--follow"), (1, 3, [1, 2, 0]));
    let results = folder.read("r.jsonl");
    assert!(
        results.contains("/p/two?a=b\",\"noindex\":false"),
        "{results}"
    );
    assert!(!results.contains("wrong-target"), "{results}");
    // Redirects themselves, and pages that were forbidden.
    assert_eq!(run(""), (1, 3, [2, 3, 0]));
    assert_eq!(run(""), (1, 3, [2, 3, 0]));
    assert_eq!(run("--ignore-robots"), (1, 3, [2, 3, 1]));
    assert_eq!(run("--follow"), (1, 3, [3, 4, 1]));
    // The inputs list the target now.
    folder.put("new.xml", urlset([site.at("one")]));
    assert_eq!(run("--follow new.xml"), (1, 4, [4, 4, 1]));
}

#[test]
fn redirects_from_https_to_http_are_followed_only_if_asked_for() {
    let plain = http(|_, _| html(""));
    let to = plain.at("page");
    let site = https(move |asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        _ => redirect(&to),
    });
    let folder = Folder::new();
    folder.list("old.txt", &site, &["old"]);
    let (found, ran) = folder.results(&site, "old.txt --follow --other-hosts");
    assert_eq!((ran.status, plain.count("/page")), (1, 0), "{ran}");
    for (field, value) in [
        ("verdict", "error"),
        ("error", "a redirect from https to http"),
        ("location", &plain.at("page")),
    ] {
        assert_eq!(found["old"][field], value, "{ran}");
    }
    let (found, _) = folder.results(&site, "old.txt --follow --other-hosts --allow-downgrade");
    assert_eq!(found["old"]["verdict"], "redirect");
}

/// The user, the password and the headers of the command line, for pages of files.
#[test]
fn a_login_is_that_of_the_one_origin_of_all_pages() {
    const LOGIN: &str = "Basic bWU6czNjcmV0Lw==";
    let other = http(|_, _| html(""));
    let to = other.at("away");
    let site = http(move |asked, _| match asked.path.as_str() {
        "/away" => redirect(&to),
        _ if asked.headers.get("authorization").map(String::as_str) != Some(LOGIN) => status(401),
        "/robots.txt" => ok("User-agent: *\nDisallow: /b\n"),
        _ => html(""),
    });
    let folder = Folder::new();
    let home = site.home.trim_end_matches('/');
    let own = home.replace("://", "://me:s3cret%2F@");
    let host = home.replace("127.0.0.1", "localhost");
    let scheme = home.replace("http:", "https:");
    let port = "http://127.0.0.1:1";
    folder
        .put("one.txt", format!("{home}/a\n{home}/b\n{home}/away\n"))
        .put("two.xml", urlset([site.at("a"), site.at("c")]))
        .put("own.csv", format!("loc\n{own}/a\n"))
        .put("hosts.txt", format!("{home}/a\n{host}/a\n"))
        .put("schemes.txt", format!("{home}/a\n{scheme}/a\n"))
        .put("ports.txt", format!("{home}/a\n{port}/\n"));
    let login = "--user me --header X-Token:s3cret --follow --other-hosts";
    let verdicts = |arguments: &str| -> String {
        let (found, ran) = folder.results(&site, arguments);
        ran.does_not_print("s3cret");
        ran.does_not_say("s3cret");
        let verdict = |found: &Value| found["verdict"].as_str().unwrap().to_owned();
        let pairs = found
            .iter()
            .map(|(path, found)| format!("{path}: {}", verdict(found)));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let one = "a: ok, away: redirect, b: disallowed";
    assert_eq!(verdicts(&format!("one.txt {login}")), one);
    assert_eq!(site.header("/a", "x-token").as_deref(), Some("s3cret"));
    let sent = site.header("/robots.txt", "authorization");
    assert_eq!(sent.as_deref(), Some(LOGIN));
    assert_eq!(other.count("/away"), 1);
    let sent = ["authorization", "x-token"].map(|name| other.header("/away", name));
    assert_eq!(sent, [None, None]);
    let two = "a: ok, away: redirect, b: disallowed, c: ok";
    assert_eq!(verdicts(&format!("two.xml one.txt {login}")), two);
    let noted = folder.probe(&site, &format!("one.txt {login}"));
    let note = format!("note: --user and --header are sent to {home}\n");
    noted.says_first(&note);
    // Without it, and with that of the page.
    assert_eq!(verdicts("two.xml"), "a: error, c: error");
    assert_eq!(verdicts("own.csv"), "a: ok");
    assert_eq!(verdicts("own.csv --user other --resume own.jsonl"), "a: ok");
    assert!(!folder.read("own.jsonl").contains("s3cret"));
    let before = site.count("/a");
    for (list, origin) in [
        ("hosts.txt", &*host),
        ("schemes.txt", &scheme),
        ("ports.txt", port),
        ("one.txt ports.txt", port),
        ("two.xml hosts.txt --sample 1", &host),
    ] {
        let ran = folder.probe(&site, &format!("{list} {login}"));
        let why = format!(
            "error: --user and --header are for one origin, but the pages are at {home} and {origin}; "
        );
        assert_eq!(ran.status, 2, "{list}");
        ran.says_first(&why);
    }
    assert_eq!(site.count("/a"), before);
}

#[test]
fn a_site_that_forbids_everything_can_be_probed() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /\nSitemap: {home}s.xml\n"
        )),
        "/s.xml" => listing(home, &["a", "b", "moved"]),
        "/b" => status(404),
        "/moved" => redirect("/a"),
        _ => html(""),
    });
    let open = http(|asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let folder = Folder::new();
    let (found, ran) = folder.results(&site, "SITE/");
    assert_eq!(verdicts(&found, ["a"]), ["disallowed"]);
    assert_eq!((ran.status, site.count("/a")), (1, 0));
    let (found, _) = folder.results(&site, "SITE/ --ignore-robots");
    let paths = ["a", "b", "moved"];
    assert_eq!(verdicts(&found, paths), ["ok", "missing", "redirect"]);
    assert!(paths.iter().all(|path| found[*path]["disallowed"] == true));
    folder.list("list.txt", &site, &["a"]);
    folder.list("open.txt", &open, &["a"]);
    for (input, status, count) in [
        ("SITE/", 1, "3 pages"),
        ("list.txt", 0, "1 page"),
        ("open.txt", 0, "0 pages"),
    ] {
        let ran = folder.probe(&site, &format!("{input} --ignore-robots"));
        assert_eq!(ran.status, status, "{ran}");
        ran.says_first(&format!(
            "note: robots.txt forbids {count}, which --ignore-robots requests nevertheless\n"
        ));
    }
}

/// The usual sitemap of a staging site lists the pages of production.
#[test]
fn pages_of_production_are_requested_on_the_staging_site() {
    let production = http(|_, _| html(""));
    let real = production.home.clone();
    let staging = http(move |asked, _| {
        let canonical = |path: &str| html(&format!("<link rel=canonical href={real}{path}>"));
        let is_known = asked.headers.contains_key("authorization");
        match asked.path.as_str() {
            "/robots.txt" => ok("User-agent: *\nDisallow: /\n"),
            _ if !is_known => status(401),
            "/sitemap.xml" => listing(&real, &["a", "b", "gone"]),
            "/a" => canonical("a"),
            "/b" => canonical("other"),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let [from, to] = [&production, &staging].map(|site| site.home.trim_end_matches('/'));
    let moved = format!("SITE/sitemap.xml --user me --ignore-robots --replace-host {from}={to}");
    let (found, ran) = folder.results(&staging, &moved);
    assert_eq!(
        verdicts(&found, ["a", "b", "gone"]),
        ["ok", "canonical-elsewhere", "missing"]
    );
    ran.does_not_say("no page gets");
    assert_eq!(production.count("/a"), 0);
    // Without the option, the login is for nothing.
    let warning = "warning: no page gets the user or the headers, because none is at ";
    let ran = folder.probe(&staging, "SITE/sitemap.xml --user me");
    ran.says(warning);
    ran.says("--replace-host");
    let ran = folder.probe(&staging, "SITE/sitemap.xml --header X-A:b --user me");
    ran.says(warning);
    let ran = folder.probe(&production, "SITE/a");
    ran.does_not_say("no page gets");
}

#[test]
fn a_map_is_compared_with_sitemaps_that_are_not_requested() {
    let site = moved();
    let folder = Folder::new();
    folder.map(
        &site,
        &[("p/1", "/one"), ("p/8", "/copy"), ("p/here", "/new")],
    );
    folder.put("new.xml", urlset([site.at("%6Fne"), site.at("two")]));
    let listed = |arguments: &str| {
        let (found, ran) = folder.results(&site, arguments);
        assert_eq!(found.len(), 3, "{ran}");
        ["p/1", "p/8", "p/here"].map(|path| found[path]["listed"].as_bool())
    };
    // A map lists no page.
    assert_eq!(listed("map.csv --follow"), [None; 3]);
    let expected = [true, false, false].map(Some);
    assert_eq!(listed("map.csv --follow --listed-in new.xml"), expected);
    folder.map(&site, &[("p/1", "/one"), ("hidden", "/hidden"), ("", "/")]);
    let (found, _) = folder.results(&site, "map.csv --follow --listed-in new.xml");
    let found = verdicts(&found, ["p/1", "hidden", ""]);
    assert_eq!(found, ["ok", "noindex", "unlisted"]);
    assert_eq!(site.count("/two"), 0);
    let ran = folder.probe(&site, "map.csv --listed-in new.xml");
    assert_eq!(ran.status, 2);
}

#[test]
fn what_was_mended_is_asked_again() {
    let site = moved();
    let folder = Folder::new();
    folder.list("list.txt", &site, &["p/1", "p/4", "p/here", "p/9"]);
    for (again, is_kept, expected) in [
        ("", false, [1, 1, 1, 1]),
        ("", true, [1, 1, 1, 1]),
        // Only good results are kept.
        ("--again", true, [2, 2, 1, 2]),
    ] {
        let ran = folder.probe(&site, &format!("list.txt --resume r.jsonl {again}"));
        let note = " of earlier requests, from the file of --resume";
        assert_eq!(ran.said.contains(note), is_kept, "{ran}");
        let counts = ["/p/1", "/p/4", "/p/here", "/p/9"].map(|path| site.count(path));
        assert_eq!(counts, expected, "{ran}");
    }
    assert_eq!(folder.read("r.jsonl").lines().count(), 4);
    assert_eq!(folder.probe(&site, "list.txt --again").status, 2);
}

#[test]
fn a_target_is_not_lost_in_silence() {
    let site = moved();
    let folder = Folder::new();
    let [one, two] = [("p/1", "/one"), ("p/1", "/two")];
    folder.map(&site, &[one, two]);
    let ran = folder.probe(&site, "map.csv --column loc=loc --column expected=expected");
    assert_eq!((ran.status, site.count("/p/1")), (2, 0));
    ran.says("the column `expected` needs --follow");
    let ran = folder.probe(&site, "map.csv --follow");
    assert_eq!(ran.status, 1, "{ran}");
    let why = "two pages are expected: SITE/one and SITE/two";
    ran.says(&format!("warning: SITE/p/1: {why}\n"));
    ran.prints(&format!("SITE/p/1 ({why})"));
    assert_eq!(site.count("/p/1"), 0);
    // The same target in another spelling is only repeated; then one that differs comes late.
    let twice = [one, ("p/%31", "SITE/%6Fne")];
    for (late, status) in [(&[][..], 0), (&[("p/1", "/\u{202e}two")], 1)] {
        folder.map(&site, &[&twice, late].concat());
        let ran = folder.probe(&site, "map.csv --follow --resume r.jsonl");
        assert_eq!(ran.status, status, "{ran}");
        ran.says("repeat");
        assert_eq!(ran.said.contains("warning: "), status == 1, "{ran}");
        ran.does_not_say("\u{202e}");
    }
    let found: Value = serde_json::from_str(folder.read("r.jsonl").trim()).unwrap();
    assert_eq!(found["verdict"], "error");
    let pages = ["0", "1", "2", "3", "4", "5", "6"];
    folder.map(
        &site,
        &pages.map(|page| [(page, "/a"), (page, "/b")]).concat(),
    );
    let ran = folder.probe(&site, "map.csv --follow");
    assert_eq!(ran.said.matches(": two pages are expected: ").count(), 5);
    ran.says("warning: two pages are expected of 2 more pages, too\n");
}

/// The answers come in another order, and some results from an earlier run.
#[test]
fn results_have_the_order_of_the_input() {
    let site = http(|asked, _| match asked.path.as_str() {
        "/slow" => {
            thread::sleep(Duration::from_millis(300));
            html("")
        }
        "/none" => status(404),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.list("list.txt", &site, &["a", "none"]);
    folder.probe(&site, "list.txt --resume r.jsonl");
    let paths = ["b", "slow", "none", "c", "a", "d"];
    folder.list("list.txt", &site, &paths);
    for options in ["", "--resume r.jsonl", "--sample 6"] {
        let ran = folder.probe(&site, &format!("list.txt --format csv --jobs 6 {options}"));
        let urls = ran.out.lines().skip(1).map(|line| line.split(',').next());
        let expected = paths.map(|path| format!("SITE/{path}"));
        assert_eq!(urls.flatten().collect::<Vec<_>>(), expected, "{ran}");
        ran.says("6 pages: 1 missing, 5 ok\n");
    }
}

/// A page that Google may not list is none to be listed; `Refresh` redirects, whatever the type of the page.
#[test]
fn headers_say_that_a_page_is_not_to_be_listed() {
    let site = http(|asked, _| {
        let tag = |value: &str| html("").header("X-Robots-Tag", value);
        match asked.path.as_str() {
            "/google" => tag("googlebot: noindex"),
            "/bing" => tag("bingbot: noindex"),
            "/over" => tag("unavailable_after: 25 Jun 2010 15:00:00 PST"),
            "/meta" => html("<meta name=GoogleBot content='nofollow noindex'>"),
            "/pdf" => ok("%PDF-1.4")
                .header("Content-Type", "application/pdf")
                .header("Refresh", "5; /bing"),
            "/two" => {
                html("<link rel=canonical href=/bing>").header("Link", "</over>; rel=canonical")
            }
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let expected = [
        ("bing", "ok"),
        ("google", "noindex"),
        ("meta", "noindex"),
        ("over", "noindex"),
        ("pdf", "redirect"),
        ("two", "ok"),
    ];
    let paths = expected.map(|(path, _)| path);
    folder.list("list.txt", &site, &paths);
    let (found, ran) = folder.results(&site, "list.txt");
    let found = verdicts(&found, paths);
    assert_eq!(found, expected.map(|(_, verdict)| verdict), "{ran}");
}

/// A host that asks for an hour gets no further request, and the results say so.
#[test]
fn a_pause_is_that_of_all_pages_of_the_host() {
    let site = http(|asked, _| match asked.path.as_str() {
        "/busy" => status(429).header("Retry-After", "3600"),
        "/soon" if asked.before == 0 => status(503).header("Retry-After", "1"),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.list("list.txt", &site, &["soon", "busy", "a", "b"]);
    let (found, ran) = folder.results(&site, "list.txt --jobs 1 --retries 1");
    assert_eq!(ran.status, 1, "{ran}");
    assert_eq!(found["busy"]["error"], "429 Too Many Requests");
    for path in ["a", "b"] {
        let why = "not requested: the host asks for a pause of 1 h";
        assert_eq!(found[path]["error"], why);
        assert_eq!(site.count(&format!("/{path}")), 0);
    }
    assert_eq!(verdicts(&found, ["soon"]), ["ok"]);
    let times = site.times("/soon");
    assert_eq!(times.len(), 2, "{ran}");
    assert!(times[1] - times[0] >= Duration::from_millis(900));
}

/// A server that keeps its connections, with pages of known and of unknown length. Returns its URL, and the number of
/// connections that it has accepted.
fn keeping() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}/", listener.local_addr().unwrap());
    let accepted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&accepted);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            count.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || {
                let mut out = stream.try_clone().unwrap();
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                let mut path = String::new();
                for line in lines {
                    if let Some(rest) = line.strip_prefix("GET ") {
                        path = rest.split(' ').next().unwrap().to_owned();
                    }
                    if !line.is_empty() {
                        continue;
                    }
                    let body = format!("<html><head></head><body>{}</body>", "x".repeat(9_000));
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
                    let length = body.len();
                    let _ = if path.ends_with('0') {
                        let head = format!("{head}Transfer-Encoding: chunked\r\n\r\n");
                        write!(out, "{head}{length:x}\r\n{body}\r\n0\r\n\r\n")
                    } else {
                        write!(out, "{head}Content-Length: {length}\r\n\r\n{body}")
                    };
                }
            });
        }
    });
    (home, accepted)
}

#[test]
fn connections_are_used_again() {
    let folder = Folder::new();
    for jobs in [1, 4, 8] {
        let (home, accepted) = keeping();
        let pages: String = (0..60).map(|page| format!("{home}{page}\n")).collect();
        folder.put("list.txt", pages);
        folder.must(&format!("probe list.txt --delay 0 --jobs {jobs}"), 0);
        let accepted = accepted.load(Ordering::Relaxed);
        assert!(accepted <= jobs, "{accepted} of {jobs}");
    }
}

/// `ok` is said only of a head that was read whole and understood.
#[test]
fn a_head_that_was_not_read_is_not_ok() {
    const NOINDEX: &str = "<meta name=robots content=noindex>";
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let site = http(move |asked, _| {
        let page = |head: &str| format!("<html><head>{head}</head><body>x</body></html>");
        let of_type =
            |body: &dyn AsRef<[u8]>, kind: &str| ok(body.as_ref()).header("Content-Type", kind);
        let html = |body: &dyn AsRef<[u8]>| of_type(body, "text/html");
        let style = |length: usize| format!("<style>{}</style>", "a".repeat(length));
        let mut packed = gzip(page(&"a".repeat(9_000)).as_bytes());
        match asked.path.as_str() {
            "/201" | "/203" => Answer {
                status: asked.path[1..].parse().unwrap(),
                ..html(&page(NOINDEX))
            },
            "/206" => Answer {
                status: 206,
                ..html(&page(""))
            },
            "/short" => with(Body::Cut(page(&"a".repeat(900)).into(), 20))
                .header("Content-Type", "text/html"),
            "/gzip-cut" => {
                packed.truncate(40);
                html(&packed).header("Content-Encoding", "gzip")
            }
            "/gzip-damaged" => {
                packed[20..40].fill(0xAA);
                html(&packed).header("Content-Encoding", "gzip")
            }
            "/br" => html(&page("")).header("Content-Encoding", "br"),
            "/utf-16" => of_type(&wide(&page(NOINDEX)), "text/html; charset=utf-16le"),
            "/xhtml" => of_type(&page(NOINDEX), "text/xml"),
            "/long" => html(&page(&style(3 << 20))),
            "/far" => html(&page(&(style(300 << 10) + NOINDEX))),
            "/marked" => html(&wide(&format!("\u{feff}{}", page(NOINDEX)))),
            "/headless" => html(b"<p>a</p>"),
            "/no-type" => ok(page(NOINDEX)),
            "/pdf" => of_type(b"%PDF-1.7\0\x01", "application/pdf"),
            "/pdf-without-a-type" => ok(*b"%PDF-1.7\0\x01"),
            "/feed" => of_type(b"<rss/>", "text/xml"),
            "/refresh" => html(&page("")).header("Refresh", "0; url=/headless"),
            "/again" => html(&page("")).header("Refresh", "300"),
            _ => status(404),
        }
    });
    let expected = [
        ("201", "noindex"),
        ("203", "noindex"),
        ("206", "unread"),
        ("short", "unread"),
        ("gzip-cut", "unread"),
        ("gzip-damaged", "unread"),
        ("br", "unread"),
        ("utf-16", "unread"),
        ("xhtml", "unread"),
        ("long", "unread"),
        ("far", "noindex"),
        ("marked", "noindex"),
        ("headless", "ok"),
        ("no-type", "noindex"),
        ("pdf", "ok"),
        ("pdf-without-a-type", "ok"),
        ("feed", "ok"),
        ("refresh", "redirect"),
        ("again", "ok"),
    ];
    let folder = Folder::new();
    folder.list("list.txt", &site, &expected.map(|(path, _)| path));
    let (found, ran) = folder.results(&site, "list.txt");
    for (path, verdict) in expected {
        let found = &found[path];
        assert_eq!(found["verdict"], verdict, "{path}: {found}");
        assert_eq!(found["error"].is_string(), verdict == "unread", "{found}");
    }
    assert_eq!(ran.status, 1);
    folder.list("bad.txt", &site, &["br"]);
    assert_eq!(folder.probe(&site, "bad.txt").status, 1);
    // The results of an earlier run are asked for again.
    folder.probe(&site, "bad.txt --resume r.jsonl");
    let before = site.count("/br");
    folder.probe(&site, "bad.txt --resume r.jsonl");
    assert_eq!(site.count("/br"), before + 1);
}

#[test]
fn a_status_can_be_accepted() {
    let site = http(|asked, _| match asked.path.as_str() {
        "/wall" => status(403),
        "/busy" => status(429),
        "/gone" => status(410),
        _ => status(404),
    });
    let folder = Folder::new();
    let paths = ["wall", "busy", "gone"];
    folder.list("list.txt", &site, &paths);
    for (options, expected, status) in [
        ("", ["error", "error", "missing"], 1),
        ("--accept 403,429", ["ok", "ok", "missing"], 1),
        ("--accept 403 --accept 410,429", ["ok", "ok", "ok"], 0),
    ] {
        let (found, ran) = folder.results(&site, &format!("list.txt {options}"));
        assert_eq!(verdicts(&found, paths), expected, "{options}");
        assert_eq!(ran.status, status, "{options}");
    }
    // An answer that was accepted is no other answer to another question.
    folder.probe(&site, "list.txt --accept 403 --resume r.jsonl");
    let (found, _) = folder.results(&site, "list.txt --resume r.jsonl");
    assert_eq!(found["wall"]["verdict"], "error");
    assert_eq!(folder.probe(&site, "list.txt --accept 200").status, 2);
}

/// The page behind it was not seen, so no verdict is about that.
#[test]
fn a_redirect_to_a_host_that_may_not_be_asked_is_told() {
    let other = http(|asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        _ => html(""),
    });
    let target = other.at("mid");
    let to = target.clone();
    let site = http(move |asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        "/home" => redirect("/"),
        "/nowhere" => status(301),
        "/old" => status(301).header("Location", &to),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.map(
        &site,
        &[("old", "/new"), ("home", "/new"), ("nowhere", "/new")],
    );
    folder.list("old.txt", &site, &["old"]);
    let why = "not followed: another host (see --other-hosts)";
    let run = "--follow --resume r.jsonl";
    for input in ["old.txt", "map.csv"] {
        let (found, ran) = folder.results(&site, &format!("{input} {run}"));
        let old = &found["old"];
        let expected = ("redirect", Some(301), Some(1), &*target);
        assert_eq!((outline(old), ran.status), (expected, 1), "{ran}");
        assert_eq!(old["error"], why);
    }
    assert_eq!(other.count("/mid"), 0);
    let ran = folder.probe(&site, "map.csv --follow");
    for line in [
        &format!("redirect   301     SITE/old → {target} ({why}) (expected SITE/new)\n"),
        "home-page  200     SITE/home → SITE/ (temporary) (expected SITE/new)\n",
        "error      301     SITE/nowhere (301 Moved Permanently, no Location)\n",
    ] {
        ran.prints(line);
    }
    folder
        .probe(&site, "map.csv --follow --format csv")
        .prints(why);
    // With the option, the earlier result answers another question.
    let (found, _) = folder.results(&site, &format!("map.csv {run} --other-hosts"));
    assert_eq!(verdicts(&found, ["old"]), ["wrong-target"]);
    assert_eq!(found["old"]["error"], Value::Null);
    assert_eq!(other.count("/mid"), 1);
}

/// What is not known is said of the list that was not read whole.
#[test]
fn an_incomplete_list_of_pages_is_named() {
    let site = moved();
    let folder = Folder::new();
    folder.list("old.txt", &site, &["one"]);
    folder.map(&site, &[("p/1", "/one")]);
    let whole = String::from_utf8(urlset([site.at("one")])).unwrap();
    folder.put("part.xml", whole.replace("</urlset>", ""));
    let of_list = "warning: the list of --listed-in is incomplete, so it is not known which pages it does not list\n";
    let of_inputs = "warning: the inputs are incomplete, so there may be more pages\n";
    for (arguments, says) in [
        ("map.csv --listed-in part.xml", [true, false]),
        ("part.xml", [false, true]),
        ("part.xml --listed-in part.xml", [true, true]),
        ("map.csv --listed-in old.txt", [false, false]),
    ] {
        let ran = folder.probe(&site, &format!("{arguments} --follow"));
        let said = [of_list, of_inputs].map(|warning| ran.said.contains(warning));
        assert_eq!(said, says, "{ran}");
        assert_eq!(ran.status, i32::from(says.contains(&true)), "{ran}");
    }
}

/// Rules that nobody could read forbid no number of pages.
#[test]
fn a_robots_txt_that_was_not_read_is_counted_as_one() {
    let site = http(|asked, _| match asked.path.as_str() {
        "/robots.txt" => status(500),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.list("list.txt", &site, &["a", "b"]);
    let ran = folder.probe(&site, "list.txt --ignore-robots");
    ran.says("note: robots.txt of 1 host could not be read and may forbid pages, which --ignore-robots requests nevertheless\n");
    ran.does_not_say("forbids");
    assert_eq!(ran.status, 0);
}
