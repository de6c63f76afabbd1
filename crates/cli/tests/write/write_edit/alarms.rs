//! Protection against publishing a bad build: alarms, lists of required pages, and requests to IndexNow.

use std::fs;
use std::time::SystemTime;

use quick_sitemap::chrono::{DateTime, Days, Utc};

use super::{BASE, urls};
use crate::folder::Folder;

fn days_ago(days: u64) -> String {
    let day = DateTime::<Utc>::from(SystemTime::now()) - Days::new(days);
    day.date_naive().to_string()
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
            "error: the newest date is 2024-02-01, older than --max-age 7d\n",
        ),
        ("--max-age 10000days", 1, ""),
        (
            "--max-removed many",
            2,
            "must be a number of pages, or a share such as 5%",
        ),
        ("--max-age soon", 2, "--max-age"),
    ] {
        let arguments = format!("diff a.xml b.xml --format count {options}");
        let output = folder.must(&arguments, status);
        assert!(output.said.contains(sentence), "{options}: {}", output.said);
        // The differences are printed all the same.
        assert_eq!(output.out.contains("removed 2"), status != 2, "{options}");
    }
    // Two equal sides may be too old, or without a date.
    let alarms = "--max-age 7d --max-removed 0 --max-changed 0";
    folder.must(&format!("diff a.xml a.xml {alarms}"), 3);
    folder.put("none.xml", urlset(&[("a", "")]));
    let output = folder.must("diff none.xml none.xml --max-age 7d", 3);
    output.says("no page of the new side has a date");
    // A date is that of all of its day.
    folder.put("fresh.xml", urlset(&[("a", &days_ago(7)), ("b", "2020")]));
    folder.must("diff fresh.xml fresh.xml --max-age 7d", 0);
    folder.must("diff fresh.xml fresh.xml --max-age 5d", 3);
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
        folder.must(&write("many.txt", "--max-removed 0 --max-changed 0"), 0);
        folder.must(&write("many.txt", "--max-removed 0 --max-changed 0"), 0);
        let below = if out.contains("public") { "public" } else { "" };
        let before = folder.files(below);
        let output = folder.must(&write("few.txt", "--max-removed 10%"), 3);
        let sentence =
            ": 11 of 100 pages removed, more than --max-removed 10%: https://www.example.com/page/";
        output.says(sentence);
        let end = "\n  nothing has been changed\n";
        assert!(output.said.ends_with(end), "{}", output.said);
        assert_eq!(folder.files(below), before, "{out}");
        folder.must(&write("few.txt", "--max-removed 11"), 0);
        assert_ne!(folder.files(below), before, "{out}");
    }
    // An error page in place of the earlier output.
    let folder = Folder::new();
    folder.put("few.txt", urls(3));
    fs::create_dir(folder.path("public")).unwrap();
    folder.put("public/sitemap.xml", "<html>503</html>");
    let output = folder.based("write few.txt -o public --max-removed 0", 2);
    let advice = "public/sitemap.xml: this file is neither a urlset nor an index, so it is not replaced; remove it";
    output.says(advice);
    // The state is that of the set that stays.
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.put(&format!("site/{name}.html"), "<html>x");
    }
    let write =
        format!("write site -o out.xml --state s.jsonl --max-removed 0 --max-changed 0 {BASE}");
    folder.must(&write, 0);
    let state = folder.read("s.jsonl");
    folder.put("site/a.html", "<html>y");
    folder.must(&write, 3).says("1 of 3 pages changed");
    fs::remove_file(folder.path("site/b.html")).unwrap();
    folder.must(&write, 3);
    assert_eq!(folder.read("s.jsonl"), state);
    assert_eq!(folder.pages("out.xml").len(), 3);
    assert_eq!(folder.files("").len(), 2);
    // `edit` has them, too.
    let output = folder.must("edit out.xml -o out.xml --match /a --max-removed 1", 3);
    output.says("2 of 3 pages removed");
    let output = folder.must("edit out.xml -o - --max-removed 1", 2);
    output.says("need a folder or a file");
}

#[test]
fn pages_that_have_to_be_there() {
    let folder = Folder::new();
    let pages = [("", ""), ("blog/2024/one", ""), ("shop?x=/shop/1", "")];
    folder.put("a.xml", urlset(&pages));
    folder.put("b.csv", "loc\nhttps://www.example.com/b%C3%BC\n");
    folder.put(
        "must.txt",
        "# the most important\n\nhttps://www.example.com/\nhttps://www.example.com/bü\nhttps://www.example.com/blog/*\n\
         https://www.example.com/*/one\n",
    );
    folder.must("check a.xml b.csv --must-list must.txt", 0);
    folder.put(
        "must.txt",
        "https://www.example.com/\nhttps://www.example.com/gone\nhttps://www.example.com/news/*\nhttps://www.example.com/shop*/1\n",
    );
    let output = folder.must("check a.xml b.csv --must-list must.txt --format short", 1);
    assert_eq!(
        output.out,
        "must.txt:2:1: error: `https://www.example.com/gone` is not listed [missing-page]\n\
         must.txt:3:1: error: no page matches `https://www.example.com/news/*` [missing-page]\n\
         must.txt:4:1: error: no page matches `https://www.example.com/shop*/1` [missing-page]\n"
    );
    let output = folder.must("check a.xml --must-list must.txt --allow missing-page", 0);
    assert_eq!(output.out, "");
    let output = folder.must("check a.xml --must-list must.txt", 1);
    output.prints("2 | https://www.example.com/gone");
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
        let output = folder.must("check a.xml --must-list must.txt", 2);
        output.says(error);
    }
    folder.must("check a.xml --must-list missing.txt", 2);
}

#[test]
fn requests_to_indexnow() {
    let folder = Folder::new();
    let pages = [("same", ""), ("gone", ""), ("changed", "2024-01-01")];
    folder.put("a.xml", urlset(&pages));
    folder.put(
        "b.jsonl",
        r#"{"loc":"https://www.example.com/same"}
{"loc":"https://www.example.com/changed","lastmod":"2024-02-01"}
{"loc":"https://www.example.com/new"}
{"loc":"http://localhost:8080/new"}
"#,
    );
    let output = folder.must("diff a.xml b.jsonl --format indexnow --key 0123-abcd", 1);
    // By host.
    assert_eq!(
        output.out,
        r#"{"host":"localhost:8080","key":"0123-abcd","urlList":["http://localhost:8080/new"]}
{"host":"www.example.com","key":"0123-abcd","urlList":["https://www.example.com/gone","https://www.example.com/new","https://www.example.com/changed"]}
"#
    );
    // No request without a difference.
    let output = folder.must("diff a.xml a.xml --format indexnow --key 0123-abcd", 0);
    assert_eq!(output.out, "");
    // A request has at most 10,000 URLs.
    folder.put("many.txt", urls(20_002));
    folder.put("none.txt", "https://www.example.com/page/0\n");
    let arguments = "diff none.txt many.txt --format indexnow --key 0123-abcd";
    let bodies = folder.must(arguments, 1).out;
    let sizes = bodies.lines().map(|line| line.matches("https://").count());
    assert_eq!(sizes.collect::<Vec<_>>(), [10_000, 10_000, 1]);
    let form = "must have 8 to 128 letters, digits and dashes";
    for (options, error) in [
        ("--format indexnow", "--key <KEY>"),
        ("--format indexnow --key short", form),
        ("--format indexnow --key 0123_abcd", form),
        (
            "--format text --key 0123-abcd",
            "--key is for --format indexnow",
        ),
    ] {
        let output = folder.must(&format!("diff a.xml b.jsonl {options}"), 2);
        assert!(output.said.contains(error), "{options}: {}", output.said);
    }
}

/// The output of a fresh checkout is empty; the state is not.
#[test]
fn alarms_of_a_fresh_folder_compare_with_the_state() {
    for out in ["-o public", "-o public --text", "-o public/out.xml"] {
        let folder = Folder::new();
        for name in ["a", "b", "c", "d"] {
            folder.put(&format!("site/{name}.html"), "<html>x");
        }
        fs::create_dir(folder.path("public")).unwrap();
        let write = format!("write site {out} {BASE} --state s.jsonl");
        let nothing = "so --max-removed and --max-changed compare with nothing\n";
        let output = folder.must(&format!("{write} --max-removed 0"), 0);
        output.says(nothing);
        let state = folder.read("s.jsonl");
        let fresh = || {
            fs::remove_dir_all(folder.path("public")).unwrap();
            fs::create_dir(folder.path("public")).unwrap();
        };
        fresh();
        fs::remove_file(folder.path("site/b.html")).unwrap();
        fs::remove_file(folder.path("site/c.html")).unwrap();
        folder.put("site/a.html", "<html>y");
        folder.put("site/e.html", "<html>new");
        let output = folder.must(&format!("{write} --max-removed 1"), 3);
        let sentence = "2 of 4 pages removed, more than --max-removed 1";
        output.says(sentence);
        output.does_not_say("with nothing");
        // A text has no values that change.
        let is_text = out.contains("--text");
        let status = if is_text { 0 } else { 3 };
        let output = folder.must(&format!("{write} --max-removed 2 --max-changed 0"), status);
        let sentence = "1 of 4 pages changed, more than --max-changed 0";
        assert_eq!(output.said.contains(sentence), !is_text, "{}", output.said);
        if !is_text {
            assert_eq!(folder.read("s.jsonl"), state);
            assert!(folder.files("public").is_empty());
            folder.must(&format!("{write} --max-removed 50% --max-changed 25%"), 0);
        }
        // Without a state, and of a list.
        fresh();
        folder.put("urls.txt", urls(3));
        let output = folder.based(&format!("write urls.txt {out} --max-changed 1"), 0);
        output.says(nothing);
    }
}

#[test]
fn only_some_fields_may_be_compared() {
    let folder = Folder::new();
    let page = |path: &str, values: &str| {
        format!("{{\"loc\":\"https://www.example.com/{path}\"{values}}}\n")
    };
    let images = ",\"images\":[{\"loc\":\"https://www.example.com/i.png\"}]";
    let before = [
        page("same", images),
        page("date", ",\"lastmod\":\"2024-01-01\""),
        page("hint", ",\"changefreq\":\"daily\",\"priority\":0.1"),
        page("gone", ""),
    ];
    folder.put("a.jsonl", before.concat());
    let after = [
        page("same", images),
        page("date", ",\"lastmod\":\"2024-01-02\""),
        page("hint", ",\"changefreq\":\"daily\",\"priority\":0.9"),
        page("new", images),
    ];
    folder.put("b.jsonl", after.concat());
    for (options, changed) in [
        ("a.jsonl b.jsonl", 2),
        ("a.jsonl b.jsonl --fields lastmod", 1),
        ("a.jsonl b.jsonl --fields loc,priority,images", 1),
        ("a.jsonl b.jsonl --fields loc", 0),
    ] {
        let ran = folder.must(&format!("diff {options} -f count"), 1);
        ran.prints(&format!("\nchanged {changed}\n"));
    }
    let output = folder.must("diff a.jsonl b.jsonl --fields title", 2);
    output.says("[possible values: loc, lastmod,");

    // Search engines need not visit a page again because of another hint.
    let output = folder.must("diff a.jsonl b.jsonl -f indexnow --key 0123-abcd", 1);
    let body = output.out;
    assert!(body.contains("/date\"") && body.contains("/new\"") && body.contains("/gone\""));
    assert!(!body.contains("/hint\""), "{body}");
    let arguments = "diff a.jsonl b.jsonl -f indexnow --key 0123-abcd --fields priority";
    let output = folder.must(arguments, 1);
    output.prints("/hint\"");
    output.does_not_print("/date\"");

    // A list is compared by its columns.
    folder.must("write a.jsonl -o a.xml", 0);
    let csv = folder.must("show a.xml -f csv", 0);
    folder.put("a.csv", csv.out);
    let urls =
        ["same", "date", "hint", "gone"].map(|path| format!("https://www.example.com/{path}\n"));
    folder.put("a.txt", urls.concat());
    for list in ["a.csv", "a.txt"] {
        for sides in [format!("a.xml {list}"), format!("{list} a.xml")] {
            let output = folder.must(&format!("diff {sides}"), 0);
            let note = match list {
                "a.csv" => "only loc, lastmod, changefreq, priority are compared",
                _ => "only loc is compared",
            };
            output.says(note);
        }
    }
    let output = folder.must("diff a.txt a.txt", 0);
    output.does_not_say("compared, because");
    // Two sitemaps are compared by all values, also if one side has none of them.
    let bare = ["same", "date", "hint", "gone"].map(|path| (path, ""));
    folder.put("bare.xml", urlset(&bare));
    let ran = folder.must("diff a.xml bare.xml -f count", 1);
    ran.prints("\nchanged 3\n");
}

#[test]
fn differences_as_a_table() {
    let folder = Folder::new();
    let pages = ["gone", "a,b"].map(|path| (path, "2024-01-01"));
    folder.put("a.xml", urlset(&pages));
    folder.put("b.xml", urlset(&[("a,b", "2024-02-01"), ("new", "")]));
    let output = folder.must("diff a.xml b.xml --format csv", 1);
    assert_eq!(
        output.out,
        "change,loc,fields,old_lastmod,new_lastmod,old_changefreq,new_changefreq,old_priority,new_priority\n\
         removed,https://www.example.com/gone,,2024-01-01,,,,,\n\
         added,https://www.example.com/new,,,,,,,\n\
         changed,\"https://www.example.com/a,b\",lastmod,2024-01-01,2024-02-01,,,,\n"
    );
    let output = folder.must("diff a.xml a.xml --format csv", 0);
    assert_eq!(output.out.lines().count(), 1);
}

/// A file that others name by a pipe: `--must-list <(cut -f1 pages.tsv)`.
#[test]
fn what_must_be_listed_may_come_from_a_pipe() {
    let folder = Folder::new();
    folder.put("a.xml", urlset(&[("", ""), ("a", "")]));
    for (list, status) in [
        ("https://www.example.com/a\n", 0),
        ("https://www.example.com/b\n", 1),
    ] {
        let output = folder.fed("check a.xml --must-list - -f short", list);
        let missing =
            "<stdin>:1:1: error: `https://www.example.com/b` is not listed [missing-page]\n";
        let expected = if status == 1 { missing } else { "" };
        assert_eq!((output.status, &*output.out), (status, expected));
    }
    let pipe = folder.pipe("pipe");
    let run = folder
        .command("check a.xml --must-list pipe")
        .spawn()
        .unwrap();
    fs::write(&pipe, "https://www.example.com/a\n").unwrap();
    assert!(run.wait_with_output().unwrap().status.success());
    let output = folder.must("check - --must-list -", 2);
    output.says("can be read only once");
}

#[test]
fn dates_of_options_may_be_ages() {
    let folder = Folder::new();
    let (new, old) = (days_ago(2), days_ago(20));
    let pages = [("new", &*new), ("old", &old), ("none", "")];
    folder.put("a.xml", urlset(&pages));
    let shown = folder.must("show a.xml --since 7d -f csv", 0);
    shown.prints("/new,");
    shown.does_not_print("/old,");
    folder.must("edit a.xml --output since.xml --since 1w", 0);
    folder.must("edit a.xml --output before.xml --before 7days", 0);
    for (file, path) in [("since.xml", "new"), ("before.xml", "old")] {
        let expected = format!("https://www.example.com/{path}");
        assert_eq!(folder.locs(file), [expected]);
    }
    let output = folder.must("edit a.xml -o - --since soon", 2);
    output.says("an age such as 7d");
}
