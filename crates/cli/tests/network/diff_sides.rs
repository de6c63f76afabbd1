//! `sitemap diff` of files, folders and sites.

use std::fs;
use std::io::Write;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::Stdio;

use crate::ended::ended;
#[cfg(unix)]
use crate::folder::Folder;
use crate::served::{self, Ran, gzip, index, ok, pages, sitemap, status, urlset};

fn diff(arguments: &[&str]) -> Ran {
    Ran::new(
        sitemap(&[&["diff"], arguments].concat()).output().unwrap(),
        "http://nowhere/",
    )
}

const HOME: &str = "https://example.com/";

#[test]
fn a_broken_pipe_does_not_change_the_status() {
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    fs::write(at("a.xml"), urlset(pages(HOME, "a", 10_000))).unwrap();
    fs::write(at("b.xml"), urlset(pages(HOME, "b", 10_000))).unwrap();
    for (alarm, expected) in [("100%", 1), ("10%", 3)] {
        let mut child = sitemap(&["diff", &at("a.xml"), &at("b.xml"), "--max-removed", alarm])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(expected));
    }
}

#[test]
fn a_file_an_index_and_a_folder_with_the_same_pages() {
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    fs::create_dir(at("set")).unwrap();
    let mut all = pages(HOME, "a", 300);
    fs::write(at("set/1.xml.gz"), gzip(&urlset(all[150..].to_vec()))).unwrap();
    fs::write(at("set/2.xml"), urlset(all[..150].to_vec())).unwrap();
    fs::write(
        at("set/index.xml"),
        index(["1.xml.gz", "2.xml"].map(|name| format!("{HOME}{name}"))),
    )
    .unwrap();
    fs::write(at("all.xml"), urlset(all.clone())).unwrap();
    for other in ["set", "set/index.xml", "all.xml"] {
        let ran = diff(&[&at("all.xml"), &at(other)]);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (0, ""),
            "{other}: {}",
            ran.said
        );
        assert_eq!(
            ran.said,
            "note: 0 pages added, 0 removed, 0 changed, 300 the same\n"
        );
    }
    all.remove(7);
    all.push(format!("{HOME}new"));
    all.push(format!("{HOME}new"));
    fs::write(at("next.xml"), urlset(all)).unwrap();
    let ran = diff(&[&at("set"), &at("next.xml")]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, "- https://example.com/a/7\n+ https://example.com/new\n")
    );
    ran.says("next.xml: an entry repeats a page that is listed before");
    let ran = diff(&[&at("next.xml"), &at("set"), "--format", "count"]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (
            1,
            "added 1\nremoved 1\nchanged 0\nsame 299\nrepeated-in-a 1\nrepeated-in-b 0\n"
        )
    );

    // A part that is missing makes the set incomplete.
    fs::remove_file(at("set/2.xml")).unwrap();
    for (a, b, word) in [
        ("all.xml", "set/index.xml", "removed"),
        ("set/index.xml", "all.xml", "added"),
    ] {
        let ran = diff(&[&at(a), &at(b)]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""));
        ran.says(&format!(
            "would be reported as {word}; use --allow-incomplete"
        ));
    }
    let ran = diff(&[
        &at("all.xml"),
        &at("set/index.xml"),
        "--allow-incomplete",
        "--format",
        "count",
    ]);
    assert_eq!(
        (ran.status, ran.out.starts_with("added 0\nnot-in-b 150\n")),
        (1, true)
    );
}

/// That nothing differs, or everything, is what an empty side looks like.
#[test]
fn a_side_without_entries_is_named() {
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    fs::write(at("empty.xml"), urlset(Vec::<String>::new())).unwrap();
    fs::write(at("index.xml"), index([])).unwrap();
    fs::write(at("full.xml"), urlset(pages(HOME, "a", 3))).unwrap();
    let site = served::http(|_, _| ok(urlset(Vec::<String>::new())));
    // An index without a sitemap is an error for every command.
    for (a, b) in [("index.xml", "full.xml"), ("index.xml", "index.xml")] {
        let ran = diff(&[&at(a), &at(b)]);
        assert_eq!(ran.status, 2, "{}", ran.said);
        let text = "index.xml: the index lists no sitemap\n";
        ran.says(text);
    }
    for (empty, shown) in [
        (at("empty.xml"), at("empty.xml")),
        (site.at("sitemap.xml"), site.at("sitemap.xml")),
    ] {
        let note = format!("note: {shown} has no entries\n");
        for (a, b, status, count) in [
            (&empty, &at("full.xml"), 1, 1),
            (&at("full.xml"), &empty, 1, 1),
            // Nothing is compared.
            (&empty, &empty, 2, 2),
        ] {
            let ran = diff(&[a, b]);
            assert_eq!(ran.status, status, "{}", ran.said);
            assert_eq!(ran.said.matches(&note).count(), count, "{}", ran.said);
            ran.does_not_say("full.xml has");
        }
    }
}

#[test]
fn an_entry_that_cannot_be_used_makes_a_side_incomplete() {
    let folder = Folder::new();
    let (whole, skips) = (folder.path("whole.xml"), folder.path("skips.xml"));
    fs::write(&whole, urlset(pages(HOME, "a", 2))).unwrap();
    fs::write(
        &skips,
        urlset([format!("{HOME}a/0"), "www.example.com/a/1".to_owned()]),
    )
    .unwrap();
    let ran = diff(&[whole.to_str().unwrap(), skips.to_str().unwrap()]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    ran.says("skips.xml is incomplete");
}

#[test]
fn standard_input_is_a_side() {
    let folder = Folder::new();
    let file = folder.path("a.xml");
    fs::write(&file, urlset(pages(HOME, "a", 2))).unwrap();
    let mut child = sitemap(&["diff", file.to_str().unwrap(), "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{HOME}a/0\n").as_bytes())
        .unwrap();
    let ran = Ran::new(child.wait_with_output().unwrap(), "http://nowhere/");
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.said.as_str()),
        (1, "- https://example.com/a/1\n", "")
    );
}

#[test]
fn a_site_and_what_was_read_of_it() {
    let site = served::http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index(["a", "b"].map(|name| format!("{home}{name}")))),
        "/a" => ok(urlset(pages(home, "a", 10))),
        "/b" if asked.before == 0 => ok(urlset(pages(home, "b", 10))),
        "/b" if asked.before == 1 => ok(urlset(pages(home, "b", 11))),
        _ => status(404),
    });
    let folder = Folder::new();
    let before = folder.path("before.txt");
    let ran = site.run(&["crawl", &site.home, "-o", before.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    let ran = site.run(&["diff", before.to_str().unwrap(), &site.home]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, "+ SITE/b/10\n"),
        "{}",
        ran.said
    );
    // Now a sitemap is gone: its pages are not called removed.
    let ran = site.run(&["diff", before.to_str().unwrap(), &site.home]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    ran.says("error: SITE/b: 404 Not Found\n");
    ran.says("error: SITE/ is incomplete (SITE/b: 404 Not Found): ");
    let ran = site.run(&[
        "diff",
        before.to_str().unwrap(),
        &site.at("a"),
        "--format",
        "count",
    ]);
    assert_eq!(
        (ran.status, ran.out.starts_with("added 0\nremoved 10\n")),
        (1, true),
        "{}",
        ran.said
    );
    let ran = site.run(&["diff", &site.at("a"), &site.at("lost")]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
}

/// Peak memory, in KiB.
#[cfg(target_os = "linux")]
#[test]
fn a_large_site_takes_little_memory() {
    let folder = Folder::new();
    let sets: [&Path; 2] = [&folder.path("a"), &folder.path("b")];
    for (set, day) in sets.into_iter().zip(["01", "02"]) {
        fs::create_dir(set).unwrap();
        for part in 0..10 {
            let mut text = format!("<urlset xmlns='{}'>", served::NAMESPACE);
            for number in 0..20_000 {
                let day = if number % 1_000 == 0 { day } else { "01" };
                let path = format!("some/path/that/is/not/short/{part}/{number}");
                text +=
                    &format!("<url><loc>{HOME}{path}</loc><lastmod>2024-05-{day}</lastmod></url>");
            }
            fs::write(set.join(format!("{part}.xml")), text + "</urlset>").unwrap();
        }
    }
    let mut child = sitemap(&[
        "diff",
        sets[0].to_str().unwrap(),
        sets[1].to_str().unwrap(),
        "--format",
        "count",
    ])
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status_file).unwrap_or_default();
        let line = text
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap_or_default();
        peak = peak.max(
            line.split_whitespace()
                .nth(1)
                .and_then(|size| size.parse::<u64>().ok())
                .unwrap_or(0),
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        output
            .stdout
            .starts_with(b"added 0\nremoved 0\nchanged 200\nsame 199800\n")
    );
    // A fifth of a million pages: a fifth of 300 MB.
    assert!(peak > 0 && peak < 60_000, "{peak} KiB");
}

/// The other side is a pipe that stays silent when the site has been crawled.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_ends() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let pipe = folder.pipe("pipe");
    let mut run = site
        .command(&["diff", &site.at("sitemap.xml"), pipe.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Waits until the program opens it.
    let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &run.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(ended(&mut run).code(), Some(130));
    drop(writer);
}

/// All commands that read pages read the output of `crawl` and `show`.
#[test]
fn lists_are_read() {
    let site = served::http(|asked, home| match asked.path.as_str() {
        "/sitemap.xml" => ok(urlset(pages(home, "a", 3))),
        _ => served::status(404),
    });
    let folder = Folder::new();
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let sitemap = site.at("sitemap.xml");
    let crawled = |name: &str, arguments: &[&str]| {
        let mut command = vec!["crawl", &sitemap, "--source", "--output"];
        let name = path(name);
        command.push(&name);
        command.extend(arguments);
        assert_eq!(site.run(&command).status, 0);
    };
    crawled("monday.jsonl", &["--format", "jsonl"]);
    crawled("monday.csv", &["--format", "csv"]);
    for format in ["jsonl", "csv", "tsv"] {
        let shown = site.run(&["show", &sitemap, "--format", format]);
        // The name does not show the format.
        fs::write(path(format), shown.out.replace("SITE/", &site.home)).unwrap();
    }
    // As a spreadsheet writes it.
    let rows = pages(&site.home, "a", 3).join(";x\r\n");
    fs::write(
        path("sheet.csv"),
        format!("\u{feff}URL;Title\r\n{rows};x\r\n"),
    )
    .unwrap();
    for name in [
        "monday.jsonl",
        "monday.csv",
        "jsonl",
        "csv",
        "tsv",
        "sheet.csv",
    ] {
        let (list, merged) = (path(name), path("merged.xml"));
        let same = site.run(&["diff", &list, &sitemap, "--format", "count"]);
        let expected = "added 0\nremoved 0\nchanged 0\nsame 3\nrepeated-in-a 0\nrepeated-in-b 0\n";
        assert_eq!(
            (same.status, same.out.as_str()),
            (0, expected),
            "{name}: {}",
            same.said
        );
        let shown = site.run(&["show", &list, "--format", "csv"]);
        let expected = "kind,loc,lastmod,changefreq,priority,publication_date\nurl,SITE/a/0,,,,\nurl,SITE/a/1,,,,\nurl,SITE/a/2,,,,\n";
        assert_eq!((shown.status, shown.out.as_str()), (0, expected), "{name}");
        let checked = site.run(&["check", &list, "--allow", "unreachable-host"]);
        assert_eq!(checked.status, 0, "{name}");
        assert!(
            checked.said.ends_with(
                "3 entries: no problems found, apart from 3 findings that --allow hides\n"
            ),
            "{name}: {}",
            checked.said
        );
        let named = checked
            .said
            .contains("unknown columns are ignored: `Title`");
        assert_eq!(named, name == "sheet.csv", "{}", checked.said);
        assert_eq!(site.run(&["edit", &list, "--out", &merged]).status, 0);
        let written = fs::read_to_string(merged).unwrap();
        assert_eq!(written.matches("<loc>").count(), 3, "{name}");
    }
    let piped = std::process::Command::new("sh")
        .args(["-c", "\"$0\" show - < \"$1\""])
        .args([env!("CARGO_BIN_EXE_sitemap"), &path("tsv")])
        .output()
        .unwrap();
    assert!(
        String::from_utf8(piped.stdout)
            .unwrap()
            .ends_with("\n3 entries\n")
    );
}

#[test]
fn a_list_that_is_wrong_is_named() {
    let folder = Folder::new();
    let put = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let run = |arguments: &[&str], path: &str| {
        let mut command = served::sitemap(arguments);
        command.arg(path);
        served::Ran::new(command.output().unwrap(), "http://none/").replace(path, "LIST")
    };
    // The program that wrote it was killed.
    let cut = put(
        "cut.jsonl",
        "{\"type\":\"url\",\"loc\":\"https://e.com/1\"}\n{\"type\":\"url\",\"lo",
    );
    let checked = run(&["check", "--format", "short"], &cut);
    assert_eq!(checked.status, 1);
    assert!(
        checked
            .out
            .starts_with("LIST:2:1: error: this line is not JSON: ")
            && checked.out.ends_with("; entry skipped [invalid-row]\n"),
        "{}",
        checked.out
    );
    let compared = run(&["diff", &cut], &cut);
    assert_eq!(compared.status, 2);
    compared.says("is incomplete");
    let shown = run(&["show", "--format", "csv"], &cut);
    assert_eq!(shown.status, 1);
    shown.says("LIST: warning: 1 entry cannot be used\n");
    let columns = put("columns.csv", "name,address\na,b\n");
    for command in ["show", "check", "edit"] {
        let arguments: &[&str] = match command {
            "edit" => &["edit", "--out", "-"],
            command => &[command],
        };
        let ran = run(arguments, &columns);
        assert_eq!(ran.status, 2, "{command}");
        let said = format!("{}{}", ran.out, ran.said);
        let expected = "the first line must name the columns, and has no column `loc` or `url`";
        assert!(said.contains(expected), "{command}: {said}");
    }
    // Sitemaps are not pages.
    let index = put("index.csv", "kind,loc\nsitemap,https://e.com/a.xml\n");
    let compared = run(&["diff", &index], &index);
    assert_eq!(compared.status, 2);
    compared.says("1 sitemap of the list is not read");
    // An error page is not a list.
    let error = put("error.json", "{\"error\":\"not found\"}");
    assert!(
        run(&["check"], &error)
            .out
            .starts_with("error[not-a-sitemap]")
    );
}

/// Every command that reads ends with 130 when it is interrupted, and a message names the output that exists.
#[cfg(unix)]
#[test]
fn interrupted_commands_say_what_is_there() {
    use std::io::{Read, Write};
    let folder = Folder::new();
    let out = folder.path("out.xml");
    let out = out.to_str().unwrap();
    let list = format!(
        "<urlset xmlns=\"{}\">\n<url><loc>https://e.com/1</loc></url>\n<url><loc>no</loc></url>\n",
        served::NAMESPACE
    );
    for (arguments, printed, sentence) in [
        (
            &["show", "-", "--format", "csv"][..],
            "kind,loc,lastmod,changefreq,priority,publication_date\nurl,https://e.com/1,,,,\n",
            "interrupted; the entries after that are not shown",
        ),
        (
            &["check", "-", "--format", "short"],
            "<stdin>:3:11: error: `no` is not an absolute http or https URL; entry skipped [invalid-url]\n",
            "interrupted; the findings are those of what was read before",
        ),
        (&["diff", "-", out], "", "interrupted; nothing was compared"),
        (
            &["edit", "-", "--out", out],
            "",
            "interrupted; nothing has been changed",
        ),
        (
            &[
                "write",
                "-",
                "--from",
                "jsonl",
                "--skip-invalid",
                "--out",
                out,
            ],
            "",
            "interrupted; nothing has been changed",
        ),
    ] {
        let mut child = served::sitemap(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // More than a pipe holds, so that the program has caught signals and read most of it when this returns.
        input.write_all(list.as_bytes()).unwrap();
        input.write_all(" ".repeat(1 << 20).as_bytes()).unwrap();
        let killed = std::process::Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        assert_eq!(ended(&mut child).code(), Some(130), "{arguments:?}");
        drop(input);
        let (mut shown, mut said) = (String::new(), String::new());
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut shown)
            .unwrap();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(shown, printed, "{arguments:?}");
        assert!(
            said.ends_with(&format!("error: {sentence}\n")),
            "{arguments:?}: {said}"
        );
    }
    assert!(!std::path::Path::new(out).exists());
}

/// Work that takes longer than two seconds shows its progress on a terminal; the line is removed at the end.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_drawn_on_a_terminal() {
    use std::io::Read;
    let site = served::http(|asked, home| match asked.path.as_str() {
        "/slow.xml" => {
            let body = urlset(pages(home, "a", 30));
            let size = body.len() / 28;
            served::with(served::Body::Slow(
                body,
                size,
                std::time::Duration::from_millis(100),
            ))
        }
        _ => served::status(404),
    });
    let mut child = std::process::Command::new("script")
        .args([
            "-qefc",
            "stty cols 60; exec \"$SITEMAP\" check \"$URL\"",
            "/dev/null",
        ])
        .env("SITEMAP", env!("CARGO_BIN_EXE_sitemap"))
        .env("URL", site.at("slow.xml"))
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut shown)
        .unwrap();
    assert!(ended(&mut child).success(), "{shown:?}");
    let line = shown
        .split('\r')
        .find(|part| part.starts_with("\u{1b}[2Kchecking: "))
        .unwrap();
    assert!(line.ends_with(" entries, 2 s"), "{line:?}");
    assert!(
        shown.ends_with("\r\u{1b}[2Knote: 1 sitemap, 30 entries: no problems found\r\n"),
        "{shown:?}"
    );
}
