//! Crawls that are ended in the middle, and go on.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::ended::ended;
use crate::folder::Folder;
use crate::served::{
    self, Answer, Asked, Body, Ran, Served, index, ok, pages, status, urlset, with,
};

/// An index of forty sitemaps, of which the later half is slow.
fn slow(asked: &Asked, home: &str) -> Answer {
    match asked.path.as_str() {
        "/index.xml" => ok(index((0..40).map(|n| format!("{home}{n}")))),
        path => {
            let number: usize = path[1..].parse().unwrap();
            let body = urlset(pages(home, &path[1..], 100));
            if number < 20 {
                ok(body)
            } else {
                with(Body::Slow(body, 1_000, Duration::from_millis(100)))
            }
        }
    }
}

fn begin(site: &Served, arguments: &[&str]) -> Child {
    let index = site.at("index.xml");
    site.command(&[&["crawl", &index, "--jobs", "3"], arguments].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_until(what: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < end, "it takes too long");
        thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// Sitemaps that the state file calls done.
fn done(state: &Path) -> Vec<String> {
    let Ok(text) = fs::read(state) else {
        return Vec::new();
    };
    // Complete at any moment.
    let state: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let known = state["known"].as_object().unwrap().keys();
    let sitemaps = known.filter(|url| !url.ends_with("/robots.txt"));
    sitemaps.cloned().collect()
}

fn all_pages() -> Vec<String> {
    let mut all: Vec<String> = (0..40)
        .flat_map(|n| pages("SITE/", &n.to_string(), 100))
        .collect();
    all.sort_unstable();
    all
}

/// The lines of an output, sorted.
fn pages_in(output: &Path, site: &Served) -> Vec<String> {
    let text = fs::read_to_string(output).unwrap();
    let lines = text.lines().map(|line| line.replace(&site.home, "SITE/"));
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_crawl_that_is_killed_goes_on_and_puts_out_every_page_once() {
    let site = served::http(slow);
    let folder = Folder::new();
    let (state, output) = (folder.path("state.json"), folder.path("pages.txt"));
    let files = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let mut finished = Vec::new();
    for kills in 0..3 {
        let mut child = begin(&site, &files);
        wait_until(|| done(&state).len() >= 15 + kills * 3);
        // In the middle of a line, even: as if the kill had come while it was written.
        child.kill().unwrap();
        child.wait().unwrap();
        finished = done(&state);
        let mut text = fs::read(&output).unwrap();
        text.extend_from_slice(b"http://half/a/li");
        fs::write(&output, text).unwrap();
    }
    let asked = |url: &String| site.count(&format!("/{}", url.strip_prefix(&site.home).unwrap()));
    let before: Vec<usize> = finished.iter().map(asked).collect();
    let last = Ran::new(begin(&site, &files).wait_with_output().unwrap(), &site.home);
    assert_eq!(last.status, 0, "{}", last.said);
    last.says("note: 4,000 entries in 41 sitemaps");
    assert_eq!(pages_in(&output, &site), all_pages());
    let after: Vec<usize> = finished.iter().map(asked).collect();
    assert_eq!(before, after, "what was finished was fetched again");

    // Nothing is left to be done.
    let requests = site.paths().len();
    let again = Ran::new(begin(&site, &files).wait_with_output().unwrap(), &site.home);
    assert_eq!(
        (again.status, site.paths().len()),
        (0, requests),
        "{}",
        again.said
    );
    assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 4_000);
}

#[test]
fn ctrl_c_leaves_nothing_half_written() {
    let site = served::http(slow);
    let folder = Folder::new();
    let state = folder.path("state.json");
    let resume = ["--resume", state.to_str().unwrap(), "--format", "jsonl"];
    // A pipe without a reader would block the crawl.
    let out = folder.path("out.jsonl");
    let child = site
        .command(
            &[
                &["crawl", &site.at("index.xml"), "--jobs", "3"],
                &resume[..],
            ]
            .concat(),
        )
        .stdout(fs::File::create(&out).unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| done(&state).len() >= 20);
    let asked = Instant::now();
    signal(&child, "INT");
    let mut first = Ran::new(child.wait_with_output().unwrap(), &site.home);
    first.out = fs::read_to_string(&out).unwrap();
    assert_eq!(first.status, 130, "{}", first.said);
    assert!(
        first
            .said
            .ends_with("error: interrupted; the same command continues from here\n"),
        "{}",
        first.said
    );
    // It does not wait for sitemaps that take seconds.
    assert!(asked.elapsed() < Duration::from_secs(20));
    assert!(first.out.ends_with('\n'));
    for line in first.out.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    let second = Ran::new(
        begin(&site, &resume).wait_with_output().unwrap(),
        &site.home,
    );
    assert_eq!(second.status, 0, "{}", second.said);
    let both = (first.out + &second.out).replace(&site.home, "SITE/");
    let loc = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["loc"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let mut lines: Vec<String> = both.lines().map(loc).collect();
    lines.sort_unstable();
    assert_eq!(lines, all_pages());
}

#[test]
fn without_a_state_file_ctrl_c_gives_what_was_read() {
    let site = served::http(|_, home| {
        with(Body::Slow(
            urlset(pages(home, "a", 1_000)),
            4_000,
            Duration::from_millis(100),
        ))
        .header("ETag", "1")
    });
    let cache = tempfile::tempdir().unwrap();
    let child = begin(&site, &["--cache", cache.path().to_str().unwrap()]);
    wait_until(|| site.count("/index.xml") == 1);
    thread::sleep(Duration::from_millis(700));
    signal(&child, "TERM");
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 130);
    let last = "error: interrupted; the pages that were read before are written, those after that are missing (--resume \
        FILE makes a crawl that can be continued)\n";
    assert!(ran.said.ends_with(last), "{}", ran.said);
    assert!(
        ran.out
            .lines()
            .zip(pages("SITE/", "a", 1_000))
            .all(|(line, page)| line == page)
    );
    assert!(ran.out.is_empty() || ran.out.ends_with('\n'));
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
}

#[test]
fn what_failed_is_tried_again_and_not_put_out_twice() {
    let site = served::http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 100));
        match (asked.path.as_str(), asked.before) {
            ("/index.xml", _) => ok(index(
                ["whole", "cut", "changed", "lost"].map(|n| format!("{home}{n}")),
            )),
            ("/cut", 0) => ok(&body[..body.len() / 2]),
            ("/changed", 0) => ok(&urlset(pages(home, "earlier", 100))[..2_000]),
            ("/lost", 0) => status(404),
            _ => ok(body),
        }
    });
    let folder = Folder::new();
    let (state, output) = (folder.path("state.json"), folder.path("pages.csv"));
    let arguments = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
        "--format",
        "csv",
    ];
    let first = Ran::new(
        begin(&site, &arguments).wait_with_output().unwrap(),
        &site.home,
    );
    assert_eq!(first.status, 1);
    assert_eq!(first.said.matches("error: ").count(), 3, "{}", first.said);
    first.does_not_say("written");
    let whole = fs::read_to_string(&output).unwrap();
    assert_eq!(whole.lines().count(), 101, "{whole}");
    let second = Ran::new(
        begin(&site, &arguments).wait_with_output().unwrap(),
        &site.home,
    );
    assert_eq!(second.status, 0, "{}", second.said);
    assert_eq!(site.count("/whole"), 1);
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(text.matches("loc,lastmod").count(), 1);
    for (name, count) in [
        ("whole", 100),
        ("cut", 100),
        ("lost", 100),
        ("changed", 100),
    ] {
        let found = text
            .lines()
            .filter(|line| line.starts_with(&site.at(name)))
            .count();
        assert_eq!(found, count, "{name}");
    }
    // Nothing of a sitemap that breaks off is written before it is complete.
    assert!(!text.contains(&site.at("earlier/0")));
}

#[test]
fn higher_bounds_go_on() {
    let site = served::http(|asked, home| match asked.path.as_str() {
        "/index.xml" => ok(index((0..10).map(|n| format!("{home}{n}")))),
        path => ok(urlset(pages(home, &path[1..], 100))),
    });
    let folder = Folder::new();
    let (state, output) = (folder.path("state.json"), folder.path("pages.txt"));
    let files = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let crawl = |bounds: &[&str]| {
        let ran = Ran::new(
            begin(&site, &[&files, bounds].concat())
                .wait_with_output()
                .unwrap(),
            &site.home,
        );
        let text = fs::read_to_string(&output).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        let all = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), all, "a page stands there twice: {}", ran.said);
        (ran.status, all)
    };
    assert_eq!(crawl(&["--max-sitemaps", "4"]), (1, 300));
    // The sitemap that the bound cuts is not written until it is complete.
    assert_eq!(crawl(&["--max-pages", "450"]), (1, 400));
    assert_eq!(crawl(&["--max-pages", "599"]), (1, 500));
    assert_eq!(crawl(&[]), (0, 1_000));
    assert_eq!(crawl(&[]), (0, 1_000));
}

#[test]
fn a_state_file_belongs_to_one_crawl() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let (state, output) = (folder.path("state.json"), folder.path("pages.txt"));
    let files = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let run = |path: &str, arguments: &[&str]| {
        let url = site.at(path);
        site.run(&[&["crawl", &url], arguments].concat())
    };
    assert_eq!(run("a", &files).status, 0);
    let kept = (fs::read(&state).unwrap(), fs::read(&output).unwrap());
    for (path, arguments, text) in [
        (
            "b",
            [&files[..], &[]].concat(),
            "belongs to a crawl of SITE/a",
        ),
        (
            "a",
            [&files[..], &["--format", "csv"]].concat(),
            "belongs to a crawl with `--format text`",
        ),
        ("a", files[..2].to_vec(), "name that file with --out"),
    ] {
        let ran = run(path, &arguments);
        assert_eq!(ran.status, 2);
        ran.says(text);
    }
    assert_eq!(
        kept,
        (fs::read(&state).unwrap(), fs::read(&output).unwrap())
    );

    fs::write(&output, "short").unwrap();
    let ran = run("a", &files);
    assert_eq!(ran.status, 2);
    ran.says("but the file has only 5 bytes");
    fs::write(&state, &kept.0[..kept.0.len() / 2]).unwrap();
    let ran = run("a", &files);
    assert_eq!(ran.status, 2);
    ran.says("is not a state file of `sitemap crawl`");
    assert!(ran.said.contains("delete it to begin the crawl anew"));
}

/// The message names the solution, and the solution works.
#[test]
fn an_output_that_is_gone_is_no_dead_end() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let (state, output) = (folder.path("state.json"), folder.path("pages.txt"));
    let (state_name, output_name) = (state.to_str().unwrap(), output.to_str().unwrap());
    let url = site.at("a");
    let crawl = || {
        site.run(&[
            "crawl",
            &url,
            "--resume",
            state_name,
            "--output",
            output_name,
        ])
    };
    assert_eq!(crawl().status, 0);
    let text = fs::read(&output).unwrap();
    let told = |why: &str| {
        let bytes = text.len();
        format!(
            "error: the earlier crawl wrote {bytes} bytes to {output_name}, but {why}\n  \
             restore the file, or delete {state_name} to begin the crawl anew\n"
        )
    };
    fs::remove_file(&output).unwrap();
    let ran = crawl();
    assert_eq!(
        (ran.status, ran.said),
        (2, told("the file no longer exists"))
    );
    fs::write(&output, "short").unwrap();
    let ran = crawl();
    assert_eq!(
        (ran.status, ran.said),
        (2, told("the file has only 5 bytes"))
    );

    // The one way out, and the other.
    fs::write(&output, &text).unwrap();
    assert_eq!(crawl().status, 0);
    fs::remove_file(&output).unwrap();
    fs::remove_file(&state).unwrap();
    assert_eq!(crawl().status, 0);
    assert_eq!(fs::read(&output).unwrap(), text);
}

/// No process writes to it, so reading it would never end.
#[test]
fn a_state_file_is_a_regular_file() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let state = folder.pipe("state.json");
    let mut child = site
        .command(&["crawl", &site.at("a"), "--resume"])
        .arg(&state)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    ended(&mut child);
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 2);
    ran.says("it is not a regular file");
}

/// Like the above, for certificates and each way to name them.
#[test]
fn certificates_are_in_a_regular_file() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let pipe = folder.pipe("ca.pem");
    let index = site.at("a");
    let begin = |arguments: &[&str], variable: Option<&Path>| {
        let mut command = site.command(arguments);
        if let Some(path) = variable {
            command.env("SSL_CERT_FILE", path);
        }
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        child.spawn().unwrap()
    };
    let option = ["--cacert", pipe.to_str().unwrap()];
    for mut child in [
        begin(&[&["crawl", &index], &option[..]].concat(), None),
        begin(&[&["diff", &index, &index], &option[..]].concat(), None),
        begin(&["crawl", &index], Some(&pipe)),
        begin(&["show", &index], Some(&pipe)),
    ] {
        ended(&mut child);
        let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
        assert_eq!(ran.status, 2);
        ran.says("ca.pem: it is not a regular file");
    }
}

/// It has no reader, so it cannot be opened: the first signal ends the program.
#[test]
fn an_output_that_nobody_reads_can_be_ended() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let pipe = folder.pipe("pages.txt");
    let mut child = site
        .command(&["crawl", &site.at("a"), "--output"])
        .arg(&pipe)
        .spawn()
        .unwrap();
    // Long enough for the program to wait there. If it is ended before, the test shows nothing, but does not fail.
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it does not wait");
    // SIGINT is ignored by the children of a shell's background jobs, as these tests may be.
    signal(&child, "TERM");
    assert!(!ended(&mut child).success());
    assert_eq!(site.paths().len(), 0);

    let reader = fs::OpenOptions::new().read(true).write(true).open(&pipe);
    let reader = reader.unwrap();
    let ran = site.run(&["crawl", &site.at("a"), "--output", pipe.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    drop(reader);
}

/// The next run removes the temporary state file that a kill leaves.
#[test]
fn temporary_files_of_the_state_are_swept() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let left = [".state.json.x7Rq2p.part", ".state.json.AbCdEf.part"];
    let others = [".other.json.x7Rq2p.part", "state.json.x7Rq2p.part"];
    for name in left.iter().chain(&others) {
        folder.put(name, "{");
    }
    let state = folder.path("state.json");
    let ran = site.run(&["crawl", &site.at("a"), "--resume", state.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    for name in left {
        assert!(!folder.path(name).exists(), "{name}");
    }
    for name in others {
        assert!(folder.path(name).exists(), "{name}");
    }
}

/// The disk is full, as it were: files may only grow to 32 KiB.
#[test]
fn an_output_that_fails_ends_the_crawl() {
    let site = served::http(slow);
    let folder = Folder::new();
    let state = folder.path("state.json");
    let output = folder.path("pages.txt");
    let program = site.command(&["crawl", &site.at("index.xml"), "--jobs", "3"]);
    let mut child = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .arg("--resume")
        .arg(&state)
        .arg("--output")
        .arg(&output)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    ended(&mut child);
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 2, "{}", ran.said);
    ran.says("pages.txt");
    ran.says("File too large");
    // With more room it goes on, and every page is there once.
    let files = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let last = Ran::new(begin(&site, &files).wait_with_output().unwrap(), &site.home);
    assert_eq!(last.status, 0, "{}", last.said);
    assert_eq!(pages_in(&output, &site), all_pages());
}

/// A sitemap whose pages fill more than a pipe, memory and the disk hold: files may only grow to 2 MiB.
#[test]
fn half_a_line_is_not_put_out() {
    let name = "x".repeat(97);
    let site = served::http(move |_, home| ok(urlset(pages(home, &name, 40_000))));
    let program = site.command(&["crawl", &site.at("sitemap.xml")]);
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .output()
        .unwrap();
    let ran = Ran::new(output, &site.home);
    assert_eq!(ran.status, 2, "{}", ran.said);
    ran.says("File too large");
    let all = pages("SITE/", &"x".repeat(97), 40_000);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(!lines.is_empty() && lines.len() < all.len());
    assert!(lines.iter().zip(&all).all(|(line, page)| line == page));
}

#[test]
fn an_output_that_keeps_nothing_can_be_resumed() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let state = folder.path("state.json");
    let state = state.to_str().unwrap();
    for _ in 0..2 {
        let ran = site.run(&[
            "crawl",
            &site.at("sitemap.xml"),
            "--resume",
            state,
            "--output",
            "/dev/null",
        ]);
        assert_eq!(ran.status, 0, "{}", ran.said);
    }
}

#[test]
fn the_state_file_is_not_the_output() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 3))));
    let folder = Folder::new();
    let file = folder.path("file");
    let link = folder.path(".").join("link");
    for exists in [false, true] {
        if exists {
            fs::write(&file, "before").unwrap();
            std::os::unix::fs::symlink(&file, &link).unwrap();
        }
        let output = if exists { &link } else { &file };
        let ran = site.run(&[
            "crawl",
            &site.at("sitemap.xml"),
            "--resume",
            file.to_str().unwrap(),
            "--output",
            output.to_str().unwrap(),
        ]);
        assert_eq!(ran.status, 2, "{}", ran.said);
        ran.says("are one file");
        assert_eq!(fs::read(&file).is_ok(), exists);
    }
    assert_eq!(fs::read(&file).unwrap(), b"before");
}

#[test]
fn two_crawls_do_not_write_to_one_file() {
    let site = served::http(slow);
    let folder = Folder::new();
    let state = folder.path("state.json");
    let output = folder.path("pages.txt");
    let files = [
        "--resume",
        state.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    let first = begin(&site, &files);
    wait_until(|| !done(&state).is_empty());
    let second = Ran::new(begin(&site, &files).wait_with_output().unwrap(), &site.home);
    assert_eq!(second.status, 2, "{}", second.said);
    second.says("another crawl");
    let first = Ran::new(first.wait_with_output().unwrap(), &site.home);
    assert_eq!(first.status, 0, "{}", first.said);
    assert_eq!(pages_in(&output, &site), all_pages());
}

/// A state file has one owner at a time, for every output.
#[test]
fn two_crawls_do_not_share_a_state() {
    let site = served::http(slow);
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (state, one, other) = (at("state.json"), at("one.txt"), at("other.txt"));
    let first = begin(&site, &["--resume", &state, "--out", &one]);
    wait_until(|| !done(Path::new(&state)).is_empty());
    let second = begin(&site, &["--resume", &state, "--out", &other]);
    let second = Ran::new(second.wait_with_output().unwrap(), &site.home);
    assert_eq!(second.status, 2, "{}", second.said);
    let message = format!("error: another crawl is using {state}\n");
    assert_eq!(second.said, message);
    assert!(!Path::new(&other).exists());
    let first = Ran::new(first.wait_with_output().unwrap(), &site.home);
    assert_eq!(first.status, 0, "{}", first.said);
    assert_eq!(pages_in(Path::new(&one), &site), all_pages());
}

/// Even if they begin at the same time.
#[test]
fn two_crawls_do_not_begin_one_state() {
    let site = served::http(slow);
    let folder = Folder::new();
    let state = folder.path("state.json");
    let state = state.to_str().unwrap();
    let crawls: Vec<Child> = (0..4).map(|_| begin(&site, &["--resume", state])).collect();
    let mut whole = 0;
    for crawl in crawls {
        let ran = Ran::new(crawl.wait_with_output().unwrap(), &site.home);
        if ran.status == 0 {
            whole += 1;
            assert_eq!(ran.out.lines().count(), 4_000);
        } else {
            let message = format!("error: another crawl is using {state}\n");
            assert_eq!((ran.status, ran.said, ran.out), (2, message, String::new()));
        }
    }
    assert_eq!(whole, 1);
    // Nothing hidden is left.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}

/// The output is cut to the length in the state, so the state must be that of the output.
#[test]
fn a_state_that_does_not_fit_the_output_is_refused() {
    let site = served::http(|_, home| ok(urlset(pages(home, "a", 10))));
    let folder = Folder::new();
    for format in ["text", "csv", "jsonl"] {
        let at = |name: &str| folder.path(&format!("{format}.{name}"));
        let (state, output) = (at("state"), at("pages"));
        let crawl = || {
            let (state, output) = (state.to_str().unwrap(), output.to_str().unwrap());
            let url = site.at("a.xml");
            site.run(&[
                "crawl", &url, "--format", format, "--resume", state, "-o", output,
            ])
        };
        assert_eq!(crawl().status, 0);
        assert_eq!(crawl().status, 0);
        let (recorded, pages) = (
            fs::read_to_string(&state).unwrap(),
            fs::read_to_string(&output).unwrap(),
        );
        let bytes = |bytes: usize| format!("\"output_bytes\":{bytes}");
        let first = pages.find('\n').unwrap() + 1;
        for wrong in [0, 5, first, pages.len() - 1] {
            let changed = recorded.replace(&bytes(pages.len()), &bytes(wrong));
            assert_ne!(changed, recorded);
            fs::write(&state, changed).unwrap();
            let ran = crawl();
            assert_eq!(ran.status, 2, "{format} {wrong}: {}", ran.said);
            ran.says("that the state records");
            assert_eq!(fs::read_to_string(&output).unwrap(), pages);
        }
        // Without its rows, the pages would come twice. An error quotes no password.
        let secret = "https://me:secret@example.com/a.xml";
        for (name, wrong) in [
            ("known", serde_json::json!({})),
            ("crawl", secret.into()),
            ("output_pages", secret.into()),
        ] {
            let mut changed: serde_json::Value = serde_json::from_str(&recorded).unwrap();
            changed[name] = wrong;
            fs::write(&state, changed.to_string()).unwrap();
            let ran = crawl();
            assert_eq!(ran.status, 2, "{format} {name}: {}", ran.said);
            ran.says("is not a state file");
            ran.does_not_say("secret");
            assert_eq!(fs::read_to_string(&output).unwrap(), pages);
        }
    }
}

/// Sitemaps that the crawl itself would not have queued are not requested.
#[test]
fn a_state_names_no_other_hosts() {
    let elsewhere = served::http(|_, home| ok(urlset(pages(home, "a", 1))));
    let site = served::http(|asked, home| match asked.path.as_str() {
        "/index.xml" => ok(index([format!("{home}a.xml")])),
        _ => ok(urlset(pages(home, "a", 1))),
    });
    let folder = Folder::new();
    let state = folder.path("state.json");
    let crawl = || {
        let (url, state) = (site.at("index.xml"), state.to_str().unwrap());
        site.run(&["crawl", &url, "--resume", state, "--retries", "0"])
    };
    assert_eq!(crawl().status, 0);
    let recorded: serde_json::Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    let other = elsewhere.at("x.xml").replace("127.0.0.1", "127.0.0.3");
    let mut changed = recorded;
    // Somebody who knows the form of the text can also write its last line.
    let text = changed["crawl"].as_str().unwrap();
    let body = text.rsplit_once("end ").unwrap().0;
    let body = format!("{body}sitemap {other}\n");
    let mut digest = flate2::Crc::new();
    digest.update(body.as_bytes());
    let text = format!("{body}end {} {:08x}", body.lines().count(), digest.sum());
    changed["crawl"] = text.into();
    fs::write(&state, changed.to_string()).unwrap();
    let ran = crawl();
    assert_eq!(ran.status, 2, "{}", ran.said);
    ran.says(&format!("belongs to a crawl of {other}"));
    assert_eq!(elsewhere.count("/x.xml"), 0);
}

/// A site that is down costs nothing, and Ctrl-C leaves what was read.
#[test]
fn an_older_output_stays_until_there_is_a_new_one() {
    let site = served::http(slow);
    let folder = Folder::new();
    let output = folder.path("pages.txt");
    fs::write(&output, "https://example.com/yesterday\n").unwrap();
    let name = output.to_str().unwrap();
    let down = ["crawl", "http://127.0.0.1:1/", "--retries", "0"];
    let ran = site.run(&[&down[..], &["-o", name]].concat());
    assert_eq!(ran.status, 2, "{}", ran.said);
    let note = format!("note: {name} is as it was\n");
    assert!(ran.said.ends_with(&note), "{}", ran.said);
    let text = || fs::read_to_string(&output).unwrap();
    assert_eq!(text(), "https://example.com/yesterday\n");
    // A new file is not created, either.
    let new = folder.path("new.txt");
    let ran = site.run(&[&down[..], &["-o", new.to_str().unwrap()]].concat());
    assert_eq!(ran.status, 2);
    assert!(!new.exists());

    let mut killed = begin(&site, &["-o", name]);
    wait_until(|| site.count("/25") == 1);
    assert_eq!(text(), "https://example.com/yesterday\n");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(text(), "https://example.com/yesterday\n");

    let child = begin(&site, &["-o", name]);
    wait_until(|| site.count("/25") == 2);
    signal(&child, "INT");
    let ran = Ran::new(child.wait_with_output().unwrap(), &site.home);
    assert_eq!(ran.status, 130, "{}", ran.said);
    let read = text().lines().count();
    assert!(read >= 1_000 && read % 100 == 0, "{read}");
    // The files that the killed run has left are removed.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}
