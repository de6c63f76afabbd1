//! `sitemap diff` of files, folders and sites.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::ended::ended;
use crate::folder::Folder;
use crate::served::{
    self, Ran, gzip, http, index, ok, pages, robots, signal, sitemaps, status, urlset,
};

const HOME: &str = "https://example.com/";

#[test]
fn a_broken_pipe_does_not_change_the_status() {
    let folder = Folder::new();
    folder
        .put("a.xml", urlset(pages(HOME, "a", 10_000)))
        .put("b.xml", urlset(pages(HOME, "b", 10_000)));
    for (alarm, expected) in [("100%", 1), ("10%", 3)] {
        let mut command = folder.command(&format!("diff a.xml b.xml --max-removed {alarm}"));
        let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{alarm}");
    }
}

#[test]
fn a_file_an_index_and_a_folder_with_the_same_pages() {
    let folder = Folder::new();
    let mut all = pages(HOME, "a", 300);
    let parts = ["1.xml.gz", "2.xml"].map(|name| format!("{HOME}{name}"));
    folder
        .put("set/1.xml.gz", gzip(&urlset(all[150..].to_vec())))
        .put("set/2.xml", urlset(all[..150].to_vec()))
        .put("set/index.xml", index(parts))
        .put("all.xml", urlset(all.clone()));
    for other in ["set", "set/index.xml", "all.xml"] {
        let ran = folder.run(&format!("diff all.xml {other}"));
        ran.gives(0, "");
        let note = "note: 0 pages added, 0 removed, 0 changed, 300 the same\n";
        assert_eq!(ran.said, note);
    }
    all.remove(7);
    all.extend([format!("{HOME}new"), format!("{HOME}new")]);
    folder.put("next.xml", urlset(all));
    let ran = folder.run("diff set next.xml");
    ran.gives(1, "- https://example.com/a/7\n+ https://example.com/new\n");
    ran.says("next.xml: an entry repeats a page that is listed before");
    folder.run("diff next.xml set --format count").gives(
        1,
        "added 1\nremoved 1\nchanged 0\nsame 299\nrepeated-in-a 1\nrepeated-in-b 0\n",
    );

    // A part that is missing makes the set incomplete.
    fs::remove_file(folder.path("set/2.xml")).unwrap();
    for (sides, word) in [
        ("all.xml set/index.xml", "removed"),
        ("set/index.xml all.xml", "added"),
    ] {
        let ran = folder.run(&format!("diff {sides}"));
        ran.gives(2, "");
        ran.says(&format!(
            "would be reported as {word}; use --allow-incomplete"
        ));
    }
    let ran = folder.must(
        "diff all.xml set/index.xml --allow-incomplete --format count",
        1,
    );
    assert!(ran.out.starts_with("added 0\nnot-in-b 150\n"), "{ran}");
}

/// That nothing differs, or everything, is what an empty side looks like.
#[test]
fn a_side_without_entries_is_named() {
    let folder = Folder::new();
    folder
        .put("empty.xml", urlset([]))
        .put("index.xml", index([]))
        .put("full.xml", urlset(pages(HOME, "a", 3)));
    let site = http(|_, _| ok(urlset([])));
    // An index without a sitemap is an error for every command.
    for other in ["full.xml", "index.xml"] {
        let ran = folder.must(&format!("diff index.xml {other}"), 2);
        ran.says("index.xml: the index lists no sitemap\n");
    }
    for empty in ["empty.xml", "SITE/sitemap.xml"] {
        let note = format!("note: {empty} has no entries\n");
        for (a, b, status, count) in [
            (empty, "full.xml", 1, 1),
            ("full.xml", empty, 1, 1),
            // Nothing is compared.
            (empty, empty, 2, 2),
        ] {
            let ran = folder.must_on(&site, &format!("diff {a} {b}"), status);
            assert_eq!(ran.said.matches(&note).count(), count, "{ran}");
            ran.does_not_say("full.xml has");
        }
    }
}

#[test]
fn an_entry_that_cannot_be_used_makes_a_side_incomplete() {
    let folder = Folder::new();
    let skips = [format!("{HOME}a/0"), "www.example.com/a/1".to_owned()];
    folder
        .put("whole.xml", urlset(pages(HOME, "a", 2)))
        .put("skips.xml", urlset(skips));
    let ran = folder.run("diff whole.xml skips.xml");
    ran.gives(2, "");
    ran.says("skips.xml is incomplete");
}

#[test]
fn standard_input_is_a_side() {
    let folder = Folder::new();
    folder
        .put("a.xml", urlset(pages(HOME, "a", 2)))
        .put("b.txt", format!("{HOME}a/0\n"));
    let mut command = folder.command("diff a.xml - --quiet");
    let input = fs::File::open(folder.path("b.txt")).unwrap();
    let ran = Ran::new(command.stdin(input).output().unwrap(), "\0");
    ran.gives(1, "- https://example.com/a/1\n");
    assert_eq!(ran.said, "");
}

#[test]
fn a_site_and_what_was_read_of_it() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => robots(home, &["index.xml"]),
        "/index.xml" => sitemaps(home, &["a", "b"]),
        "/a" => ok(urlset(pages(home, "a", 10))),
        "/b" if asked.before == 0 => ok(urlset(pages(home, "b", 10))),
        "/b" if asked.before == 1 => ok(urlset(pages(home, "b", 11))),
        _ => status(404),
    });
    let folder = Folder::new();
    folder.must_on(&site, "crawl SITE/ -o before.txt", 0);
    let ran = folder.run_on(&site, "diff before.txt SITE/");
    ran.gives(1, "+ SITE/b/10\n");
    // Now a sitemap is gone: its pages are not called removed.
    let ran = folder.run_on(&site, "diff before.txt SITE/");
    ran.gives(2, "");
    ran.says("error: SITE/b: 404 Not Found\n");
    ran.says("error: SITE/ is incomplete (SITE/b: 404 Not Found): ");
    let ran = folder.must_on(&site, "diff before.txt SITE/a --format count", 1);
    assert!(ran.out.starts_with("added 0\nremoved 10\n"), "{ran}");
    site.run("diff SITE/a SITE/lost").gives(2, "");
}

/// Peak memory, in KiB.
#[cfg(target_os = "linux")]
#[test]
fn a_large_site_takes_little_memory() {
    let folder = Folder::new();
    for (set, day) in [("a", "01"), ("b", "02")] {
        for part in 0..10 {
            let mut text = format!("<urlset xmlns='{}'>", served::NAMESPACE);
            for number in 0..20_000 {
                let day = if number % 1_000 == 0 { day } else { "01" };
                let path = format!("some/path/that/is/not/short/{part}/{number}");
                text +=
                    &format!("<url><loc>{HOME}{path}</loc><lastmod>2024-05-{day}</lastmod></url>");
            }
            folder.put(&format!("{set}/{part}.xml"), text + "</urlset>");
        }
    }
    let mut child = served::begin(folder.command("diff a b --format count"));
    let peak = served::peak(&mut child);
    let ran = Ran::new(child.wait_with_output().unwrap(), "\0");
    assert_eq!(ran.status, 1, "{ran}");
    let counts = "added 0\nremoved 0\nchanged 200\nsame 199800\n";
    ran.prints_first(counts);
    // A fifth of a million pages: a fifth of 300 MB.
    assert!(peak > 0 && peak < 60_000, "{peak} KiB");
}

/// The other side is a pipe that stays silent when the site has been crawled.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_ends() {
    let site = http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let pipe = folder.pipe("pipe");
    let mut command = site.command_of("diff SITE/sitemap.xml pipe");
    command.current_dir(folder.0.path());
    let mut run = served::begin(command);
    // Waits until the program opens it.
    let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    signal(&run, "INT");
    assert_eq!(ended(&mut run).code(), Some(130));
    drop(writer);
}

/// All commands that read pages read the output of `crawl` and `show`.
#[test]
fn lists_are_read() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/sitemap.xml" => ok(urlset(pages(home, "a", 3))),
        _ => status(404),
    });
    let folder = Folder::new();
    let run = |arguments: &str| folder.must_on(&site, arguments, 0);
    let crawl = "crawl SITE/sitemap.xml --source --output";
    run(&format!("{crawl} monday.jsonl --format jsonl"));
    run(&format!("{crawl} monday.csv --format csv"));
    for format in ["jsonl", "csv", "tsv"] {
        let shown = run(&format!("show SITE/sitemap.xml --format {format}"));
        // The name does not show the format.
        folder.put(format, shown.out.replace("SITE/", &site.home));
    }
    // As a spreadsheet writes it.
    let rows = pages(&site.home, "a", 3).join(";x\r\n");
    folder.put("sheet.csv", format!("\u{feff}URL;Title\r\n{rows};x\r\n"));
    for list in [
        "monday.jsonl",
        "monday.csv",
        "jsonl",
        "csv",
        "tsv",
        "sheet.csv",
    ] {
        run(&format!("diff {list} SITE/sitemap.xml --format count")).gives(
            0,
            "added 0\nremoved 0\nchanged 0\nsame 3\nrepeated-in-a 0\nrepeated-in-b 0\n",
        );
        run(&format!("show {list} --format csv")).gives(
            0,
            "kind,loc,lastmod,changefreq,priority,publication_date\nurl,SITE/a/0,,,,\nurl,SITE/a/1,,,,\nurl,SITE/a/2,,,,\n",
        );
        let checked = run(&format!("check {list} --allow unreachable-host"));
        checked
            .says_last("3 entries: no problems found, apart from 3 findings that --allow hides\n");
        let is_named = checked
            .said
            .contains("unknown columns are ignored: `Title`");
        assert_eq!(is_named, list == "sheet.csv", "{checked}");
        run(&format!("edit {list} --out merged.xml"));
        let merged = folder.read("merged.xml");
        assert_eq!(merged.matches("<loc>").count(), 3, "{list}");
    }
    let input = fs::File::open(folder.path("tsv")).unwrap();
    let piped = folder.command("show -").stdin(input).output().unwrap();
    Ran::new(piped, "\0").prints_last("\n3 entries\n");
}

#[test]
fn a_list_that_is_wrong_is_named() {
    let folder = Folder::new();
    folder
        // The program that wrote it was killed.
        .put(
            "cut.jsonl",
            "{\"type\":\"url\",\"loc\":\"https://e.com/1\"}\n{\"type\":\"url\",\"lo",
        )
        .put("columns.csv", "name,address\na,b\n")
        .put("index.csv", "kind,loc\nsitemap,https://e.com/a.xml\n")
        .put("error.json", "{\"error\":\"not found\"}");
    let checked = folder.must("check --format short cut.jsonl", 1);
    checked.prints_first("cut.jsonl:2:1: error: this line is not JSON: ");
    checked.prints_last("; entry skipped [invalid-row]\n");
    folder
        .must("diff cut.jsonl cut.jsonl", 2)
        .says("is incomplete");
    let shown = folder.must("show --format csv cut.jsonl", 1);
    shown.says("cut.jsonl: warning: 1 entry cannot be used\n");
    for command in ["show", "check", "edit --out -"] {
        let ran = folder.must(&format!("{command} columns.csv"), 2);
        let expected = "the first line must name the columns, and has no column `loc` or `url`";
        assert!(format!("{ran}").contains(expected), "{ran}");
    }
    // Sitemaps are not pages.
    let compared = folder.must("diff index.csv index.csv", 2);
    compared.says("1 sitemap of the list is not read");
    // An error page is not a list.
    let error = folder.run("check error.json");
    assert!(error.out.starts_with("error[not-a-sitemap]"), "{error}");
}

/// Every command that reads ends with 130 when it is interrupted, and a message names the output that exists.
#[cfg(unix)]
#[test]
fn interrupted_commands_say_what_is_there() {
    use std::io::Write;
    let folder = Folder::new();
    let list = format!(
        "<urlset xmlns=\"{}\">\n<url><loc>https://e.com/1</loc></url>\n<url><loc>no</loc></url>\n",
        served::NAMESPACE
    );
    let unchanged = "interrupted; nothing has been changed";
    for (arguments, printed, sentence) in [
        (
            "show - --format csv",
            "kind,loc,lastmod,changefreq,priority,publication_date\nurl,https://e.com/1,,,,\n",
            "interrupted; the entries after that are not shown",
        ),
        (
            "check - --format short",
            "<stdin>:3:11: error: `no` is not an absolute http or https URL; entry skipped [invalid-url]\n",
            "interrupted; the findings are those of what was read before",
        ),
        ("diff - out.xml", "", "interrupted; nothing was compared"),
        ("edit - --out out.xml", "", unchanged),
        (
            "write - --from jsonl --skip-invalid --out out.xml",
            "",
            unchanged,
        ),
    ] {
        let mut command = folder.command(arguments);
        command.stdin(Stdio::piped());
        let mut child = served::begin(command);
        let mut input = child.stdin.take().unwrap();
        // More than a pipe holds, so that the program has caught signals and read most of it when this returns.
        input.write_all(list.as_bytes()).unwrap();
        input.write_all(" ".repeat(1 << 20).as_bytes()).unwrap();
        signal(&child, "INT");
        assert_eq!(ended(&mut child).code(), Some(130), "{arguments:?}");
        drop(input);
        let ran = Ran::new(child.wait_with_output().unwrap(), "\0");
        ran.gives(130, printed);
        ran.says_last(&format!("error: {sentence}\n"));
    }
    assert!(!folder.path("out.xml").exists());
}

/// Work that takes longer than two seconds shows its progress on a terminal; the line is removed at the end.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_drawn_on_a_terminal() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/slow.xml" => {
            let body = urlset(pages(home, "a", 30));
            let size = body.len() / 28;
            served::with(served::Body::Slow(body, size, Duration::from_millis(100)))
        }
        _ => status(404),
    });
    let script = "stty cols 60; exec \"$SITEMAP\" check \"$URL\"";
    let output = Command::new("script")
        .args(["-qefc", script, "/dev/null"])
        .env("SITEMAP", env!("CARGO_BIN_EXE_sitemap"))
        .env("URL", site.at("slow.xml"))
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output();
    let ran = Ran::new(output.unwrap(), "\0");
    assert_eq!(ran.status, 0, "{ran:?}");
    let mut lines = ran.out.split('\r');
    let line = lines.find(|part| part.starts_with("\u{1b}[2Kchecking: "));
    assert!(line.unwrap().ends_with(" entries, 2 s"), "{line:?}");
    let end = "\r\u{1b}[2Knote: 1 sitemap, 30 entries: no problems found\r\n";
    assert!(ran.out.ends_with(end), "{ran:?}");
}
