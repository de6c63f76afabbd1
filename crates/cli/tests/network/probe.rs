//! `sitemap probe` of pages that have moved, of sites behind a login, and of hosts that want to be left alone.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;
use crate::served::{self, Answer, Ran, Served, http, ok, redirect, status, urlset};
use serde_json::Value;

fn html(head: &str) -> Answer {
    ok(format!(
        "<html><head>{head}</head><body>Hello</body></html>"
    ))
    .header("Content-Type", "text/html")
}

impl Folder {
    /// Runs `sitemap probe` in the folder, without pauses and repetitions.
    fn probe(&self, site: &Served, arguments: &str) -> Ran {
        let mut arguments = format!("probe {arguments} --delay 0");
        if !arguments.contains("--retries") {
            arguments += " --retries 0";
        }
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let mut command = site.command(&arguments);
        command.env("SITEMAP_PASSWORD", "s3cret/");
        let output = command.current_dir(self.0.path()).output().unwrap();
        Ran::new(output, &site.home)
    }

    /// The results, by what follows the home page in their URLs.
    fn results(&self, site: &Served, arguments: &str) -> (BTreeMap<String, Value>, Ran) {
        let ran = self.probe(site, &format!("{arguments} --format jsonl"));
        let found = ran.out.lines().map(|line| {
            let found: Value = serde_json::from_str(line).unwrap();
            let url = found["url"].as_str().unwrap();
            (url.trim_start_matches("SITE/").to_owned(), found)
        });
        (found.collect(), ran)
    }
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
        ("p/3", ("home-page", Some(200), Some(1), "SITE/")),
        ("?p=3", ("home-page", Some(200), Some(1), "SITE/")),
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
        ("index.html", ("redirect", Some(200), Some(1), "SITE/")),
        ("", ("ok", Some(200), Some(0), "")),
        ("three/1", ("redirect", Some(200), Some(3), "one")),
        ("ten/1", ("redirect", Some(200), Some(10), "one")),
        ("eleven/1", ("error", Some(302), Some(11), "one")),
    ];
    let urls: String = paths
        .iter()
        .map(|(path, _)| format!("{}{path}\n", site.home))
        .collect();
    folder.put("old.txt", &urls);
    let (found, ran) = folder.results(&site, "old.txt --follow");
    assert_eq!((ran.status, found.len()), (1, paths.len()), "{}", ran.said);
    for (path, (verdict, status, hops, location)) in paths {
        let location = location.trim_start_matches("SITE/");
        assert_eq!(
            outline(&found[path]),
            (verdict, status, hops, location),
            "{path}"
        );
    }
    assert_eq!(found["loop/a"]["error"], "a loop of redirects");
    assert_eq!(found["self"]["error"], "a loop of redirects");
    assert_eq!(found["eleven/1"]["error"], "more than 10 redirects");
    assert_eq!(found["bad"]["error"], "302 Found");
    assert_eq!(found["p/6"]["noindex"], true);
    assert_eq!(found["p/7"]["disallowed"], true);
    assert_eq!(site.count("/secret/7"), 0);
    // Without the option, nothing is followed, and no field is added.
    let (found, ran) = folder.results(&site, "old.txt");
    assert_eq!(outline(&found["p/3"]), ("redirect", Some(302), None, ""));
    assert_eq!(
        outline(&found["loop/a"]),
        ("redirect", Some(302), None, "loop/b")
    );
    for field in ["\"hops\"", "\"listed\"", "\"expected\""] {
        assert!(!ran.out.contains(field), "{field}");
    }
}

/// It is known whether the new sitemap lists the page at the end, in any spelling.
#[test]
fn the_inputs_list_the_page_at_the_end_or_not() {
    let site = moved();
    let folder = Folder::new();
    folder.put("old.txt", format!("{0}p/1\n{0}p/8\n{0}p/4\n", site.home));
    folder.put("new.xml", urlset([site.at("%6Fne")]));
    let (found, _) = folder.results(&site, "old.txt new.xml --follow");
    let listed = |path: &str| found[path]["listed"].as_bool();
    assert_eq!(listed("p/1"), Some(true));
    assert_eq!((listed("p/8"), listed("p/4")), (Some(false), Some(false)));
    assert_eq!(listed("%6Fne"), Some(true));
    // Also if its own pages are not selected.
    let requested = site.count("/%6Fne");
    let (found, _) = folder.results(&site, "new.xml old.txt --follow --match /p/");
    assert_eq!(
        (found.len(), found["p/1"]["listed"].as_bool()),
        (3, Some(true))
    );
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
    let rows = rows.map(|(path, expected, verdict)| {
        let expected = expected.replace("SITE/", &site.home);
        (path, site.at(path), expected, verdict)
    });
    let table = |header: &str, separator: &str| {
        let mut text = format!("{}\n", header.replace(';', separator));
        for (_, url, expected, _) in &rows {
            text += &[url, "", expected].join(separator);
            text += "\n";
        }
        text
    };
    folder.put("a.csv", table("loc;lastmod;expected", ","));
    folder.put("b.csv", table("OLD;note;New", ";"));
    folder.put("c.tsv", table("URL;lastmod;Expected", "\t"));
    folder.put("d.tsv", table("old;lastmod;new", "\t"));
    let lines = rows.iter().map(|(_, url, expected, _)| {
        let row = serde_json::json!({"loc": url, "expected": expected});
        format!("{row}\n")
    });
    folder.put("e.jsonl", lines.collect::<String>());
    for arguments in [
        "a.csv",
        "b.csv --column loc=old --column expected=new",
        "c.tsv",
        "d.tsv --column Loc=OLD --column Expected=New",
        "e.jsonl",
    ] {
        let (found, ran) = folder.results(&site, &format!("{arguments} --follow"));
        assert_eq!(ran.status, 1, "{arguments}: {}", ran.said);
        let verdicts: BTreeMap<_, _> = found
            .iter()
            .map(|(path, found)| (path.as_str(), found["verdict"].as_str().unwrap()))
            .collect();
        let expected = rows.iter().map(|(path, _, _, verdict)| (*path, *verdict));
        assert_eq!(verdicts, expected.collect(), "{arguments}: {}", ran.said);
        assert_eq!(found["three/1"]["expected"], "SITE/one#top");
        let first = |path: &str| found[path]["first_status"].as_u64();
        assert_eq!((first("p/1"), first("p/2")), (Some(301), Some(302)));
        assert_eq!((first("p/here"), first("p/5")), (Some(200), Some(200)));
        assert_eq!(found["two"]["expected"], "n/a");
        assert_eq!(found["index.html"]["expected"], Value::Null);
        let why = "the expected page is neither a URL nor a path";
        assert_eq!(found["copy"]["error"], why);
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
        let ran = folder.probe(&site, arguments);
        assert!(ran.said.contains(note), "{arguments}: {}", ran.said);
    }
}

#[test]
fn the_map_decides_the_exit_status_and_is_shown() {
    let site = moved();
    let folder = Folder::new();
    let row = |path: &str, expected: &str| format!("{}{path},{expected}\n", site.home);
    let right = [
        "loc,expected\n".to_owned(),
        row("p/1", "/one"),
        row("moved/2", "/one"),
    ]
    .concat();
    folder.put("map.csv", &right);
    let ran = folder.probe(&site, "map.csv --follow");
    assert_eq!(ran.status, 0, "{}", ran.said);
    assert_eq!(
        ran.out,
        "verdict  pages\nok           2\n\nredirects  pages\n1              1\n2              1\n"
    );
    let wrong = [
        right.clone(),
        row("p/3", "/three"),
        row("p/2", "/two"),
        row("p/4", "/four"),
        row("three/1", "/one"),
        row("moved/1", "/one"),
    ];
    folder.put("map.csv", wrong.concat());
    let ran = folder.probe(&site, "map.csv --follow");
    assert_eq!(ran.status, 1);
    let summary = "note: 7 pages: 1 missing, 1 wrong-target, 1 home-page, 1 temporary-redirect, 1 redirect-chain, 2 ok\n";
    assert_eq!(ran.said, summary);
    for line in [
        "missing             404     SITE/p/4 → SITE/gone (temporary) (expected SITE/four)\n",
        "wrong-target        200     SITE/p/2 → SITE/p/two?a=b (temporary) (expected SITE/two)\n",
        "home-page           200     SITE/p/3 → SITE/ (temporary) (expected SITE/three)\n",
        "temporary-redirect  200     SITE/three/1 → SITE/one (3 hops) (temporary)\n",
        "redirect-chain      200     SITE/moved/1 → SITE/one (3 hops)\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    let csv = folder.probe(&site, "map.csv --follow --format csv").out;
    assert!(csv.starts_with(
        "url,sitemap,status,location,noindex,canonical,disallowed,bytes,ms,verdict,error,first_status,temporary,hops,listed,expected\n"
    ));
    let line = csv
        .lines()
        .find(|line| line.starts_with("SITE/p/2,"))
        .unwrap();
    assert!(
        line.starts_with("SITE/p/2,map.csv,200,SITE/p/two?a=b,false,,false,"),
        "{line}"
    );
    assert!(
        line.ends_with(",wrong-target,,302,true,1,,SITE/two"),
        "{line}"
    );
    let bad = folder.probe(&site, "map.csv --follow --format csv --only bad");
    let urls = bad.out.lines().skip(1).map(|line| line.split(',').next());
    let expected = ["p/3", "p/2", "p/4", "three/1", "moved/1"].map(|path| format!("SITE/{path}"));
    assert_eq!(urls.flatten().collect::<Vec<_>>(), expected);
    assert_eq!((bad.status, &*bad.said), (1, summary));
    // A report counts them, too.
    folder.probe(&site, "map.csv --follow --resume results.jsonl");
    folder.put("new.xml", urlset([site.at("one")]));
    let command = [
        "report",
        "new.xml",
        "--probe",
        "results.jsonl",
        "--csv",
        "all.csv",
        "--format",
        "json",
    ];
    let output = served::sitemap(&command)
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    let ran = Ran::new(output, &site.home);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let probe = &report["probe"];
    assert_eq!(
        (&probe["pages"], &probe["is_map"]),
        (&7.into(), &true.into())
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
    assert!(
        verdicts.contains(&serde_json::json!(["wrong-target", 1])),
        "{probe}"
    );
    let example = probe["examples"].as_array().unwrap().iter();
    let mut example = example.filter(|page| page["verdict"] == "home-page");
    assert_eq!(example.next().unwrap()["location"], "SITE/");
    // Of bad ones alone, nobody knows of how many they are.
    folder.probe(&site, "map.csv --follow -o bad.jsonl --only bad");
    for (results, found, requested) in [
        (
            "results.jsonl",
            "5 of 7 old URLs do not lead where they should",
            "<p>7 pages were requested.<",
        ),
        (
            "bad.jsonl",
            "5 old URLs do not lead where they should",
            "so how many pages were requested is not known",
        ),
    ] {
        let command = ["report", "new.xml", "--probe", results, "-o", "r.html"];
        let mut command = served::sitemap(&command);
        let ran = Ran::new(
            command.current_dir(folder.0.path()).output().unwrap(),
            &site.home,
        );
        ran.says(&format!(" {found}\n"));
        let page = folder.read("r.html");
        assert!(page.contains(&format!(">{found}: ")), "{page}");
        assert!(page.contains(requested), "{page}");
    }
    // That of the good ones is no change.
    folder.put("old.json", &ran.out);
    for (results, is_known) in [("results.jsonl", true), ("bad.jsonl", false)] {
        let mut command = served::sitemap(&["report", "new.xml", "--format", "json"]);
        let command = command.args(["--against", "old.json", "--probe", results]);
        let output = command.current_dir(folder.0.path()).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut verdicts = report["changes"]["verdicts"].as_array().unwrap().iter();
        assert_eq!(
            verdicts.any(|row| row["name"] == "ok"),
            is_known,
            "{results}"
        );
    }
}

/// Google takes a refresh after a delay for a temporary redirect. A permanent one before a temporary one does not hide it.
#[test]
fn a_temporary_redirect_anywhere_on_the_way_is_told() {
    let site = moved();
    let folder = Folder::new();
    let rows = ["late", "later", "p/5", "mixed"].map(|path| format!("{}{path},/one\n", site.home));
    folder.put("map.csv", format!("loc,expected\n{}", rows.concat()));
    for resume in ["", " --resume r.jsonl", " --resume r.jsonl"] {
        let ran = folder.probe(&site, &format!("map.csv --follow{resume}"));
        for line in [
            "home-page           200     SITE/mixed → SITE/ (2 hops) (temporary) (expected SITE/one)\n",
            "temporary-redirect  200     SITE/late → SITE/one (temporary)\n",
            "temporary-redirect  200     SITE/later → SITE/one (temporary)\n",
        ] {
            assert!(ran.out.contains(line), "{line}{}", ran.out);
        }
        assert_eq!(ran.status, 1);
        assert!(!ran.out.contains("SITE/p/5"), "{}", ran.out);
    }
    assert_eq!(site.count("/late"), 2);
    let plain = folder.probe(&site, "map.csv --format jsonl").out;
    assert!(!plain.contains("temporary"), "{plain}");
}

/// What is asked anew is requested again, and nothing else; the file has one result of each page.
#[test]
fn results_are_kept_until_the_question_is_another() {
    let site = moved();
    let folder = Folder::new();
    let map = |second: &str| {
        let text = format!(
            "loc,expected\n{0}p/1,/one\n{0}p/2,{second}\n{0}secret/1,\n",
            site.home
        );
        folder.put("map.csv", text);
    };
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
    assert!(
        folder
            .read("r.jsonl")
            .contains("/p/two?a=b\",\"noindex\":false")
    );
    assert!(!folder.read("r.jsonl").contains("wrong-target"));
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
    let site = served::https(move |asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        _ => redirect(&to),
    });
    let folder = Folder::new();
    folder.put("old.txt", site.at("old"));
    let (found, ran) = folder.results(&site, "old.txt --follow --other-hosts");
    assert_eq!(
        (ran.status, found["old"]["verdict"].as_str()),
        (1, Some("error"))
    );
    assert_eq!(found["old"]["error"], "a redirect from https to http");
    assert_eq!(
        (found["old"]["location"].as_str(), plain.count("/page")),
        (Some(&*plain.at("page")), 0)
    );
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
    let port = site.home.trim_start_matches("http://127.0.0.1");
    folder.put("one.txt", format!("{0}a\n{0}b\n{0}away\n", site.home));
    folder.put("two.xml", urlset([site.at("a"), site.at("c")]));
    folder.put(
        "own.csv",
        format!("loc\n{0}a\n", site.home.replace("://", "://me:s3cret%2F@")),
    );
    folder.put(
        "hosts.txt",
        format!("{}a\nhttp://localhost{port}a\n", site.home),
    );
    folder.put(
        "schemes.txt",
        format!(
            "{0}a\nhttps{1}a\n",
            site.home,
            site.home.trim_start_matches("http")
        ),
    );
    folder.put(
        "ports.txt",
        format!("{}a\nhttp://127.0.0.1:1/\n", site.home),
    );
    let login = "--user me --header X-Token:s3cret --follow --other-hosts";
    let verdicts = |arguments: &str| -> Vec<(String, String)> {
        let (found, ran) = folder.results(&site, arguments);
        assert!(
            !ran.out.contains("s3cret") && !ran.said.contains("s3cret"),
            "{}",
            ran.said
        );
        let verdict = |found: &Value| found["verdict"].as_str().unwrap().to_owned();
        found
            .iter()
            .map(|(path, found)| (path.clone(), verdict(found)))
            .collect()
    };
    let pair = |path: &str, verdict: &str| (path.to_owned(), verdict.to_owned());
    let one = [
        pair("a", "ok"),
        pair("away", "redirect"),
        pair("b", "disallowed"),
    ];
    assert_eq!(verdicts(&format!("one.txt {login}")), one);
    assert_eq!(site.header("/a", "x-token").as_deref(), Some("s3cret"));
    assert_eq!(
        site.header("/robots.txt", "authorization").as_deref(),
        Some(LOGIN)
    );
    for name in ["authorization", "x-token"] {
        assert_eq!(
            (other.count("/away"), other.header("/away", name)),
            (1, None),
            "{name}"
        );
    }
    let two = [
        pair("a", "ok"),
        pair("away", "redirect"),
        pair("b", "disallowed"),
        pair("c", "ok"),
    ];
    assert_eq!(verdicts(&format!("two.xml one.txt {login}")), two);
    let noted = folder.probe(&site, &format!("one.txt {login}"));
    let origin = site.home.trim_end_matches('/');
    let note = format!("note: --user and --header are sent to {origin}\n");
    assert!(noted.said.starts_with(&note), "{}", noted.said);
    // Without it, and with that of the page.
    assert_eq!(
        verdicts("two.xml"),
        [pair("a", "error"), pair("c", "error")]
    );
    assert_eq!(verdicts("own.csv"), [pair("a", "ok")]);
    assert_eq!(
        verdicts("own.csv --user other --resume own.jsonl"),
        [pair("a", "ok")]
    );
    assert!(!folder.read("own.jsonl").contains("s3cret"));
    let before = site.count("/a");
    for (list, origin) in [
        (
            "hosts.txt",
            format!("http://localhost{}", port.trim_end_matches('/')),
        ),
        (
            "schemes.txt",
            site.home
                .replace("http:", "https:")
                .trim_end_matches('/')
                .to_owned(),
        ),
        ("ports.txt", "http://127.0.0.1:1".to_owned()),
        ("one.txt ports.txt", "http://127.0.0.1:1".to_owned()),
        (
            "two.xml hosts.txt --sample 1",
            format!("http://localhost{}", port.trim_end_matches('/')),
        ),
    ] {
        let ran = folder.probe(&site, &format!("{list} {login}"));
        let home = site.home.trim_end_matches('/');
        let why = format!(
            "error: --user and --header are for one origin, but the pages are at {home} and {origin}; "
        );
        assert_eq!(ran.status, 2, "{list}");
        assert!(ran.said.starts_with(&why), "{list}: {}", ran.said);
    }
    assert_eq!(site.count("/a"), before);
}

#[test]
fn a_site_that_forbids_everything_can_be_probed() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!(
            "User-agent: *\nDisallow: /\nSitemap: {home}s.xml\n"
        )),
        "/s.xml" => ok(urlset(
            ["a", "b", "moved"].map(|page| format!("{home}{page}")),
        )),
        "/b" => status(404),
        "/moved" => redirect("/a"),
        _ => html(""),
    });
    let folder = Folder::new();
    folder.put("list.txt", format!("{}a\n", site.home));
    let (found, ran) = folder.results(&site, &site.home);
    assert_eq!(
        (ran.status, found["a"]["verdict"].as_str()),
        (1, Some("disallowed"))
    );
    assert_eq!(site.count("/a"), 0);
    let (found, ran) = folder.results(&site, &format!("{} --ignore-robots", site.home));
    for (path, verdict) in [("a", "ok"), ("b", "missing"), ("moved", "redirect")] {
        assert_eq!(found[path]["verdict"], verdict);
        assert_eq!(found[path]["disallowed"], true);
    }
    let note = "note: robots.txt forbids 3 pages, which --ignore-robots requests nevertheless\n";
    ran.says(note);
    let (_, ran) = folder.results(&site, "list.txt --ignore-robots");
    let note = "note: robots.txt forbids 1 page, which --ignore-robots requests nevertheless\n";
    assert!(
        ran.status == 0 && ran.said.starts_with(note),
        "{}",
        ran.said
    );
    let open = http(|asked, _| match asked.path.as_str() {
        "/robots.txt" => status(404),
        _ => html(""),
    });
    folder.put("open.txt", open.at("a"));
    let ran = folder.probe(&open, "open.txt --ignore-robots");
    let note = "note: robots.txt forbids 0 pages, which --ignore-robots requests nevertheless\n";
    assert!(
        ran.status == 0 && ran.said.starts_with(note),
        "{}",
        ran.said
    );
}

/// The usual sitemap of a staging site lists the pages of production.
#[test]
fn pages_of_production_are_requested_on_the_staging_site() {
    let production = http(|_, _| html(""));
    let real = production.home.clone();
    let canonical = move |path: &str| html(&format!("<link rel=canonical href={real}{path}>"));
    let listed = ["a", "b", "gone"].map(|path| production.at(path));
    let staging = http(move |asked, _| {
        let is_known = asked.headers.contains_key("authorization");
        match asked.path.as_str() {
            "/robots.txt" => ok("User-agent: *\nDisallow: /\n"),
            _ if !is_known => status(401),
            "/sitemap.xml" => ok(urlset(listed.clone())),
            "/a" => canonical("a"),
            "/b" => canonical("other"),
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let (from, to) = (&production.home, &staging.home);
    let moved = format!(
        "{to}sitemap.xml --user me --ignore-robots --replace-host {}={}",
        from.trim_end_matches('/'),
        to.trim_end_matches('/')
    );
    let (found, ran) = folder.results(&staging, &moved);
    for (path, verdict) in [
        ("a", "ok"),
        ("b", "canonical-elsewhere"),
        ("gone", "missing"),
    ] {
        assert_eq!(found[path]["verdict"], verdict, "{path}");
    }
    ran.does_not_say("no page gets");
    assert_eq!(production.count("/a"), 0);
    // Without the option, the login is for nothing.
    let ran = folder.probe(&staging, &format!("{to}sitemap.xml --user me"));
    let warning = "warning: no page gets the user or the headers, because none is at ";
    ran.says(warning);
    ran.says("--replace-host");
    let ran = folder.probe(
        &staging,
        &format!("{to}sitemap.xml --header X-A:b --user me"),
    );
    ran.says(warning);
    let ran = folder.probe(&production, &format!("{from}a"));
    ran.does_not_say("no page gets");
}

#[test]
fn a_map_is_compared_with_sitemaps_that_are_not_requested() {
    let site = moved();
    let folder = Folder::new();
    let map = format!(
        "loc,expected\n{0}p/1,/one\n{0}p/8,/copy\n{0}p/here,/new\n",
        site.home
    );
    folder.put("map.csv", &map);
    folder.put("new.xml", urlset([site.at("%6Fne"), site.at("two")]));
    let listed = |arguments: &str| {
        let (found, ran) = folder.results(&site, arguments);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            ["p/1", "p/8", "p/here"],
            "{}",
            ran.said
        );
        ["p/1", "p/8", "p/here"].map(|path| found[path]["listed"].as_bool())
    };
    // A map lists no page.
    assert_eq!(listed("map.csv --follow"), [None; 3]);
    let expected = [Some(true), Some(false), Some(false)];
    assert_eq!(listed("map.csv --follow --listed-in new.xml"), expected);
    let map = "loc,expected\nHOMEp/1,/one\nHOMEhidden,/hidden\nHOME,/\n";
    folder.put("map.csv", map.replace("HOME", &site.home));
    let (found, _) = folder.results(&site, "map.csv --follow --listed-in new.xml");
    let verdicts = ["p/1", "hidden", ""].map(|path| found[path]["verdict"].as_str());
    assert_eq!(verdicts, ["ok", "noindex", "unlisted"].map(Some));
    assert_eq!(site.count("/two"), 0);
    let ran = folder.probe(&site, "map.csv --listed-in new.xml");
    assert_eq!(ran.status, 2);
}

#[test]
fn what_was_mended_is_asked_again() {
    let site = moved();
    let folder = Folder::new();
    folder.put(
        "list.txt",
        format!("{0}p/1\n{0}p/4\n{0}p/here\n{0}p/9\n", site.home),
    );
    let run = |arguments: &str| {
        let ran = folder.probe(&site, &format!("list.txt --resume r.jsonl {arguments}"));
        let counts = ["/p/1", "/p/4", "/p/here", "/p/9"].map(|path| site.count(path));
        (
            ran.said
                .contains(" of earlier requests, from the file of --resume"),
            counts,
        )
    };
    assert_eq!(run(""), (false, [1, 1, 1, 1]));
    assert_eq!(run(""), (true, [1, 1, 1, 1]));
    // Only good results are kept.
    assert_eq!(run("--again"), (true, [2, 2, 1, 2]));
    assert_eq!(folder.read("r.jsonl").lines().count(), 4);
    assert_eq!(folder.probe(&site, "list.txt --again").status, 2);
}

#[test]
fn a_target_is_not_lost_in_silence() {
    let site = moved();
    let folder = Folder::new();
    folder.put(
        "map.csv",
        format!("old,new\n{0}p/1,/one\n{0}p/1,/two\n", site.home),
    );
    let ran = folder.probe(&site, "map.csv --column loc=old --column expected=new");
    assert_eq!((ran.status, site.count("/p/1")), (2, 0));
    ran.says("the column `expected` needs --follow");
    let ran = folder.probe(
        &site,
        "map.csv --follow --column loc=old --column expected=new",
    );
    let warning = "warning: SITE/p/1: two pages are expected: SITE/one and SITE/two\n";
    assert!(
        ran.status == 1 && ran.said.contains(warning),
        "{}",
        ran.said
    );
    let why = "two pages are expected: SITE/one and SITE/two";
    assert!(
        ran.out.contains(&format!("SITE/p/1 ({why})")),
        "{}",
        ran.out
    );
    assert_eq!(site.count("/p/1"), 0);
    // The same target in another spelling is only repeated; then one that differs comes late.
    let rows = |rows: &str| format!("loc,expected\n{rows}").replace("HOME", &site.home);
    let twice = "HOMEp/1,/one\nHOMEp/%31,HOME%6Fne\n";
    for (map, status) in [
        (twice.to_owned(), 0),
        (format!("{twice}HOMEp/1,/\u{202e}two\n"), 1),
    ] {
        folder.put("map.csv", rows(&map));
        let ran = folder.probe(&site, "map.csv --follow --resume r.jsonl");
        assert_eq!(ran.status, status, "{}", ran.said);
        ran.says("repeat");
        assert_eq!(ran.said.contains("warning: "), status == 1, "{}", ran.said);
        assert!(!ran.said.contains('\u{202e}'));
    }
    let found: Value = serde_json::from_str(folder.read("r.jsonl").trim()).unwrap();
    assert_eq!(found["verdict"], "error");
    let many: String = (0..7)
        .map(|page| format!("HOME{page},/a\nHOME{page},/b\n"))
        .collect();
    folder.put("map.csv", rows(&many));
    let ran = folder.probe(&site, "map.csv --follow");
    assert_eq!(ran.said.matches(": two pages are expected: ").count(), 5);
    assert!(
        ran.said
            .contains("warning: two pages are expected of 2 more pages, too\n")
    );
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
    let paths = ["b", "slow", "none", "c", "a", "d"];
    let list = |paths: &[&str]| {
        paths
            .iter()
            .map(|path| site.at(path) + "\n")
            .collect::<String>()
    };
    folder.put("list.txt", list(&["a", "none"]));
    folder.probe(&site, "list.txt --resume r.jsonl");
    folder.put("list.txt", list(&paths));
    for arguments in [
        "--jobs 6",
        "--jobs 6 --resume r.jsonl",
        "--jobs 6 --sample 6",
    ] {
        let ran = folder.probe(&site, &format!("list.txt --format csv {arguments}"));
        let urls = ran.out.lines().skip(1).map(|line| line.split(',').next());
        let expected = paths.map(|path| format!("SITE/{path}"));
        assert_eq!(urls.flatten().collect::<Vec<_>>(), expected, "{arguments}");
        ran.says("6 pages: 1 missing, 5 ok\n");
    }
}

/// A page that Google may not list is none to be listed; `Refresh` redirects, whatever the type of the page.
#[test]
fn headers_say_that_a_page_is_not_to_be_listed() {
    let site = http(|asked, _| {
        let header = |name: &'static str, value: &str| html("").header(name, value);
        match asked.path.as_str() {
            "/google" => header("X-Robots-Tag", "googlebot: noindex"),
            "/bing" => header("X-Robots-Tag", "bingbot: noindex"),
            "/over" => header(
                "X-Robots-Tag",
                "unavailable_after: 25 Jun 2010 15:00:00 PST",
            ),
            "/meta" => html("<meta name=GoogleBot content='nofollow noindex'>"),
            "/refresh" => header("Refresh", "0; url=/bing"),
            "/pdf" => ok("%PDF-1.4")
                .header("Content-Type", "application/pdf")
                .header("Refresh", "5; /bing"),
            "/again" => header("Refresh", "30"),
            "/two" => {
                html("<link rel=canonical href=/bing>").header("Link", "</over>; rel=canonical")
            }
            _ => status(404),
        }
    });
    let folder = Folder::new();
    let expected = [
        ("again", "ok"),
        ("bing", "ok"),
        ("google", "noindex"),
        ("meta", "noindex"),
        ("over", "noindex"),
        ("pdf", "redirect"),
        ("refresh", "redirect"),
        ("two", "ok"),
    ];
    folder.put(
        "list.txt",
        expected.map(|(path, _)| site.at(path)).join("\n"),
    );
    let (found, _) = folder.results(&site, "list.txt");
    let verdicts = found
        .iter()
        .map(|(path, found)| (&**path, found["verdict"].as_str().unwrap()));
    assert_eq!(verdicts.collect::<Vec<_>>(), expected);
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
    folder.put(
        "list.txt",
        format!("{0}soon\n{0}busy\n{0}a\n{0}b\n", site.home),
    );
    let (found, ran) = folder.results(&site, "list.txt --jobs 1 --retries 1");
    assert_eq!(ran.status, 1, "{}", ran.said);
    assert_eq!(found["busy"]["error"], "429 Too Many Requests");
    for path in ["a", "b"] {
        let why = "not requested: the host asks for a pause of 1 h";
        assert_eq!(found[path]["error"], why);
        assert_eq!(site.count(&format!("/{path}")), 0);
    }
    let times = site.times("/soon");
    assert_eq!(
        (found["soon"]["verdict"].as_str(), times.len()),
        (Some("ok"), 2)
    );
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
        let arguments = format!("probe list.txt --delay 0 --jobs {jobs}");
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let output = served::sitemap(&arguments)
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        assert!(output.status.success());
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
        let of_type = |body: Vec<u8>, kind: &str| ok(body).header("Content-Type", kind);
        let html = |body: Vec<u8>| of_type(body, "text/html");
        let mut packed = served::gzip(page(&"a".repeat(9_000)).as_bytes());
        match asked.path.as_str() {
            "/201" => Answer {
                status: 201,
                ..html(page(NOINDEX).into())
            },
            "/203" => Answer {
                status: 203,
                ..html(page(NOINDEX).into())
            },
            "/206" => Answer {
                status: 206,
                ..html(page("").into())
            },
            "/short" => served::with(served::Body::Cut(page(&"a".repeat(900)).into(), 20))
                .header("Content-Type", "text/html"),
            "/gzip-cut" => {
                packed.truncate(40);
                html(packed).header("Content-Encoding", "gzip")
            }
            "/gzip-damaged" => {
                packed[20..40].fill(0xAA);
                html(packed).header("Content-Encoding", "gzip")
            }
            "/br" => html(page("").into()).header("Content-Encoding", "br"),
            "/utf-16" => of_type(wide(&page(NOINDEX)), "text/html; charset=utf-16le"),
            "/xhtml" => of_type(page(NOINDEX).into(), "text/xml"),
            "/long" => html(page(&format!("<style>{}</style>", "a".repeat(3 << 20))).into()),
            "/far" => html(
                page(&format!(
                    "<style>{}</style>{NOINDEX}",
                    "a".repeat(300 << 10)
                ))
                .into(),
            ),
            "/marked" => html(wide(&format!("\u{feff}{}", page(NOINDEX)))),
            "/headless" => html(b"<p>a</p>".to_vec()),
            "/no-type" => ok(page(NOINDEX)),
            "/pdf" => of_type(b"%PDF-1.7\0\x01".to_vec(), "application/pdf"),
            "/pdf-without-a-type" => ok(b"%PDF-1.7\0\x01".to_vec()),
            "/feed" => of_type(b"<rss/>".to_vec(), "text/xml"),
            "/refresh" => html(page("").into()).header("Refresh", "0; url=/headless"),
            "/again" => html(page("").into()).header("Refresh", "300"),
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
    let list = expected.map(|(path, _)| site.at(path)).join("\n");
    folder.put("list.txt", list);
    let (found, ran) = folder.results(&site, "list.txt");
    for (path, verdict) in expected {
        let found = &found[path];
        assert_eq!(found["verdict"], verdict, "{path}: {found}");
        assert_eq!(found["error"].is_string(), verdict == "unread", "{found}");
    }
    assert_eq!(ran.status, 1);
    folder.put("bad.txt", site.at("br"));
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
    folder.put("list.txt", paths.map(|path| site.at(path)).join("\n"));
    for (options, verdicts, status) in [
        ("", ["error", "error", "missing"], 1),
        ("--accept 403,429", ["ok", "ok", "missing"], 1),
        ("--accept 403 --accept 410,429", ["ok", "ok", "ok"], 0),
    ] {
        let (found, ran) = folder.results(&site, &format!("list.txt {options}"));
        assert_eq!(
            paths.map(|path| found[path]["verdict"].as_str().unwrap()),
            verdicts
        );
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
    let site = {
        let target = target.clone();
        http(move |asked, _| match asked.path.as_str() {
            "/robots.txt" => status(404),
            "/home" => redirect("/"),
            "/nowhere" => status(301),
            path if path.starts_with("/old") => status(301).header("Location", &target),
            _ => html(""),
        })
    };
    let folder = Folder::new();
    let row = |path: &str| format!("{}{path},/new\n", site.home);
    let map = ["loc,expected\n", &row("old"), &row("home"), &row("nowhere")].concat();
    folder.put("map.csv", map);
    folder.put("old.txt", site.at("old"));
    let why = "not followed: another host (see --other-hosts)";
    let run = "--follow --resume r.jsonl";
    for input in ["old.txt", "map.csv"] {
        let (found, ran) = folder.results(&site, &format!("{input} {run}"));
        let old = &found["old"];
        let expected = ("redirect", Some(301), Some(1), &*target);
        assert_eq!((outline(old), ran.status), (expected, 1), "{}", ran.said);
        assert_eq!(old["error"], why);
    }
    assert_eq!(other.count("/mid"), 0);
    let ran = folder.probe(&site, "map.csv --follow");
    for line in [
        &format!("redirect   301     SITE/old → {target} ({why}) (expected SITE/new)\n"),
        "home-page  200     SITE/home → SITE/ (temporary) (expected SITE/new)\n",
        "error      301     SITE/nowhere (301 Moved Permanently, no Location)\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    let csv = folder.probe(&site, "map.csv --follow --format csv").out;
    assert!(csv.contains(why), "{csv}");
    // With the option, the earlier result answers another question.
    let (found, _) = folder.results(&site, &format!("map.csv {run} --other-hosts"));
    assert_eq!(found["old"]["verdict"], "wrong-target");
    assert_eq!(
        (found["old"]["error"].clone(), other.count("/mid")),
        (Value::Null, 1)
    );
}

/// What is not known is said of the list that was not read whole.
#[test]
fn an_incomplete_list_of_pages_is_named() {
    let site = moved();
    let folder = Folder::new();
    folder.put("old.txt", site.at("one"));
    folder.put("map.csv", format!("loc,expected\n{0}p/1,/one\n", site.home));
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
        assert_eq!(said, says, "{arguments}: {}", ran.said);
        let is_bad = i32::from(says.contains(&true));
        assert_eq!(ran.status, is_bad, "{arguments}");
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
    folder.put("list.txt", format!("{0}a\n{0}b\n", site.home));
    let ran = folder.probe(&site, "list.txt --ignore-robots");
    let note = "note: robots.txt of 1 host could not be read and may forbid pages, which --ignore-robots requests nevertheless\n";
    ran.says(note);
    ran.does_not_say("forbids");
    assert_eq!(ran.status, 0);
}
