//! What keeps a bad build from going out unseen: alarms, lists of pages that have to be there, and requests to IndexNow.

use std::fs;
use std::time::SystemTime;

use quick_sitemap::chrono::{DateTime, Days, Utc};

use super::{BASE, Folder, pages, said, urls};

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn urlset(pages: &[(&str, &str)]) -> String {
    let entries: String = pages
        .iter()
        .map(|(path, lastmod)| {
            let lastmod = match *lastmod {
                "" => String::new(),
                date => format!("<lastmod>{date}</lastmod>"),
            };
            format!("<url><loc>https://www.example.com/{path}</loc>{lastmod}</url>\n")
        })
        .collect();
    format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>")
}

#[test]
fn differences_that_raise_an_alarm() {
    let folder = Folder::new();
    let names: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    let old: Vec<(&str, &str)> = names.iter().map(|path| (&**path, "2024-01-01")).collect();
    let mut new = old.clone();
    new.truncate(8);
    new[0].1 = "2024-02-01";
    new.push(("new", "2024-01-01"));
    folder.put("a.xml", urlset(&old));
    folder.put("b.xml", urlset(&new));
    for (options, status, sentence) in [
        ("--max-removed 2", 1, ""),
        ("--max-removed 20%", 1, ""),
        (
            "--max-removed 1",
            3,
            "error: 2 of 10 pages removed, more than --max-removed 1\n",
        ),
        (
            "--max-removed 19.9%",
            3,
            "error: 2 of 10 pages removed, more than --max-removed 19.9%\n",
        ),
        ("--max-changed 1", 1, ""),
        (
            "--max-changed 0",
            3,
            "error: 1 of 10 pages changed, more than --max-changed 0\n",
        ),
        (
            "--max-changed 5% --max-removed 5% --quiet",
            3,
            "error: 2 of 10 pages removed, more than --max-removed 5%; 1 of 10 pages changed, more than --max-changed 5%\n",
        ),
        (
            "--max-age 7d",
            3,
            "error: the newest lastmod is 2024-02-01, older than --max-age 7days\n",
        ),
        ("--max-age 10000days", 1, ""),
        (
            "--max-removed many",
            2,
            "must be a number of pages, or a share such as 5%",
        ),
        ("--max-age soon", 2, "--max-age"),
    ] {
        let output = folder.run(
            &format!("diff a.xml b.xml --format count {options}"),
            status,
        );
        assert!(
            said(&output).contains(sentence),
            "{options}: {}",
            said(&output)
        );
        // The differences are printed all the same.
        assert_eq!(
            stdout(&output).contains("removed 2"),
            status != 2,
            "{options}"
        );
    }
    // Two equal sides may be too old, or without a date.
    folder.run(
        "diff a.xml a.xml --max-age 7d --max-removed 0 --max-changed 0",
        3,
    );
    folder.put("none.xml", urlset(&[("a", "")]));
    let output = folder.run("diff none.xml none.xml --max-age 7d", 3);
    assert!(
        said(&output).contains("no page of the new side has a lastmod"),
        "{}",
        said(&output)
    );
    // A date is that of all of its day.
    let days_ago = |days| {
        (DateTime::<Utc>::from(SystemTime::now()) - Days::new(days))
            .date_naive()
            .to_string()
    };
    folder.put("fresh.xml", urlset(&[("a", &days_ago(7)), ("b", "2020")]));
    folder.run("diff fresh.xml fresh.xml --max-age 7d", 0);
    folder.run("diff fresh.xml fresh.xml --max-age 5d", 3);
}

#[test]
fn a_set_that_loses_too_much_is_not_written() {
    for (out, text) in [
        ("-o public", ""),
        ("-o public --gzip --single", ""),
        ("-o out.xml", ""),
        ("-o out.txt", ""),
        ("-o public", " --text"),
    ] {
        let folder = Folder::new();
        folder.put("many.txt", urls(100));
        folder.put("few.txt", urls(89));
        let write =
            |input: &str, options: &str| format!("write {input} {out}{text} {BASE} {options}");
        // Nothing is published yet.
        folder.run(&write("many.txt", "--max-removed 0 --max-changed 0"), 0);
        folder.run(&write("many.txt", "--max-removed 0 --max-changed 0"), 0);
        let files = |folder: &Folder| match out.contains("public") {
            true => folder.files("public"),
            false => folder.files(""),
        };
        let before = files(&folder);
        let output = folder.run(&write("few.txt", "--max-removed 10%"), 3);
        let sentence =
            ": 11 of 100 pages removed, more than --max-removed 10%\n  nothing has been changed\n";
        assert!(said(&output).contains(sentence), "{}", said(&output));
        assert_eq!(files(&folder), before, "{out}");
        folder.run(&write("few.txt", "--max-removed 11"), 0);
        assert_ne!(files(&folder), before, "{out}");
    }
    // The state is that of the set that stays.
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.put(&format!("site/{name}.html"), "<html>x");
    }
    let write =
        format!("write site -o out.xml --state s.jsonl --max-removed 0 --max-changed 0 {BASE}");
    folder.run(&write, 0);
    let state = folder.text("s.jsonl");
    folder.put("site/a.html", "<html>y");
    let output = folder.run(&write, 3);
    assert!(
        said(&output).contains("1 of 3 pages changed"),
        "{}",
        said(&output)
    );
    fs::remove_file(folder.path("site/b.html")).unwrap();
    folder.run(&write, 3);
    assert_eq!(folder.text("s.jsonl"), state);
    assert_eq!(pages(&folder.path("out.xml")).len(), 3);
    assert_eq!(folder.files("").len(), 2);
    // `edit` has them, too.
    let output = folder.run("edit out.xml -o out.xml --match /a --max-removed 1", 3);
    assert!(
        said(&output).contains("2 of 3 pages removed"),
        "{}",
        said(&output)
    );
    let output = folder.run("edit out.xml -o - --max-removed 1", 2);
    assert!(
        said(&output).contains("need a folder or a file"),
        "{}",
        said(&output)
    );
}

#[test]
fn pages_that_have_to_be_there() {
    let folder = Folder::new();
    folder.put(
        "a.xml",
        urlset(&[("", ""), ("blog/2024/one", ""), ("shop?x=/shop/1", "")]),
    );
    folder.put("b.csv", "loc\nhttps://www.example.com/b%C3%BC\n");
    folder.put(
        "must.txt",
        "# the most important\n\nhttps://www.example.com/\nhttps://www.example.com/bü\nhttps://www.example.com/blog/*\n\
         https://www.example.com/*/one\n",
    );
    folder.run("check a.xml b.csv --must-list must.txt", 0);
    folder.put(
        "must.txt",
        "https://www.example.com/\nhttps://www.example.com/gone\nhttps://www.example.com/news/*\nhttps://www.example.com/shop*/1\n",
    );
    let output = folder.run("check a.xml b.csv --must-list must.txt --format short", 1);
    assert_eq!(
        stdout(&output),
        "must.txt:2:1: error: `https://www.example.com/gone` is not listed [missing-page]\n\
         must.txt:3:1: error: no page matches `https://www.example.com/news/*` [missing-page]\n\
         must.txt:4:1: error: no page matches `https://www.example.com/shop*/1` [missing-page]\n"
    );
    let output = folder.run("check a.xml --must-list must.txt --allow missing-page", 0);
    assert_eq!(stdout(&output), "");
    let output = folder.run("check a.xml --must-list must.txt", 1);
    assert!(
        stdout(&output).contains("2 | https://www.example.com/gone"),
        "{}",
        stdout(&output)
    );
    for (text, error) in [
        ("", "error: must.txt: there is no URL in this file"),
        (
            "https://www.example.com/\nblog\n",
            "error: must.txt:2: `blog` is not an absolute http or https URL",
        ),
        ("https://*.example.com/\n", "error: must.txt:1: "),
        (
            "https://www.example.com/*?a=*\n",
            "error: must.txt:1: `*` is only for the path of a URL",
        ),
    ] {
        folder.put("must.txt", text);
        let output = folder.run("check a.xml --must-list must.txt", 2);
        assert!(said(&output).contains(error), "{}", said(&output));
    }
    folder.run("check a.xml --must-list missing.txt", 2);
}

#[test]
fn requests_to_indexnow() {
    let folder = Folder::new();
    let home = "https://www.example.com";
    folder.put(
        "a.xml",
        urlset(&[("same", ""), ("gone", ""), ("changed", "2024-01-01")]),
    );
    folder.put(
        "b.jsonl",
        format!(
            r#"{{"loc":"{home}/same"}}
{{"loc":"{home}/changed","lastmod":"2024-02-01"}}
{{"loc":"{home}/new"}}
{{"loc":"http://localhost:8080/new"}}
"#
        ),
    );
    let output = folder.run("diff a.xml b.jsonl --format indexnow --key 0123-abcd", 1);
    let body = |location: &str| {
        format!(
            r#"{{"host":"www.example.com","key":"0123-abcd",{location}"urlList":["{home}/gone","{home}/new","{home}/changed"]}}
{{"host":"localhost:8080","key":"0123-abcd","urlList":["http://localhost:8080/new"]}}
"#
        )
    };
    // By host in the order in which they come up.
    assert_eq!(stdout(&output), body(""));
    let location = format!("--key-location {home}/keys/a.txt");
    let output = folder.run(
        &format!("diff a.xml b.jsonl --format indexnow --key 0123-abcd {location}"),
        1,
    );
    let field = format!(r#""keyLocation":"{home}/keys/a.txt","#);
    assert_eq!(stdout(&output), body(&field));
    // No request without a difference.
    let output = folder.run("diff a.xml a.xml --format indexnow --key 0123-abcd", 0);
    assert_eq!(stdout(&output), "");
    // A request has at most 10,000 URLs.
    folder.put("many.txt", urls(20_002));
    folder.put("none.txt", "https://www.example.com/page/0\n");
    let output = folder.run(
        "diff none.txt many.txt --format indexnow --key 0123-abcd",
        1,
    );
    let sizes: Vec<_> = stdout(&output)
        .lines()
        .map(|line| line.matches("https://").count())
        .collect();
    assert_eq!(sizes, [10_000, 10_000, 1]);
    for (options, error) in [
        ("--format indexnow", "--key <KEY>"),
        (
            "--format indexnow --key short",
            "must have 8 to 128 letters, digits and dashes",
        ),
        (
            "--format indexnow --key 0123_abcd",
            "must have 8 to 128 letters, digits and dashes",
        ),
        (
            "--format text --key 0123-abcd",
            "--key is for --format indexnow",
        ),
        ("--key-location https://example.com/", "--key <KEY>"),
    ] {
        let output = folder.run(&format!("diff a.xml b.jsonl {options}"), 2);
        assert!(
            said(&output).contains(error),
            "{options}: {}",
            said(&output)
        );
    }
}
