//! Crawls that are ended in the middle, and go on.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::served::{
    self, Answer, Asked, Body, Ran, Served, http, index, ok, pages, signal, sitemaps, status,
    urlset, with,
};
use serde_json::{Value, json};

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

fn begin(site: &Served, folder: &Folder, options: &str) -> Child {
    let mut command = site.command_of(&format!("crawl SITE/index.xml --jobs 3 {options}"));
    command.current_dir(folder.0.path());
    served::begin(command)
}

/// What a program printed until its end.
fn end(child: Child, site: &Served) -> Ran {
    Ran::new(child.wait_with_output().unwrap(), &site.home)
}

/// The same of one that must end soon.
fn ended(mut child: Child, site: &Served) -> Ran {
    crate::ended::ended(&mut child);
    end(child, site)
}

/// A state and an output in the folder of the test.
const FILES: &str = "--resume state.json --output pages.txt";

/// A site of which each URL is a sitemap with three pages.
fn small() -> Served {
    http(|_, home| ok(urlset(pages(home, "a", 3))))
}

fn wait_until(what: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < end, "it takes too long");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sitemaps that the state file calls done.
fn done(folder: &Folder) -> Vec<String> {
    let Ok(text) = fs::read(folder.path("state.json")) else {
        return Vec::new();
    };
    // Complete at any moment.
    let state: Value = serde_json::from_slice(&text).unwrap();
    let known = state["known"].as_object().unwrap().keys();
    let sitemaps = known.filter(|url| !url.ends_with("/robots.txt"));
    sitemaps.cloned().collect()
}

fn all_pages() -> Vec<String> {
    let of_sitemap = |n: u32| pages("SITE/", &n.to_string(), 100);
    let mut all: Vec<String> = (0..40).flat_map(of_sitemap).collect();
    all.sort_unstable();
    all
}

/// The lines of an output, sorted.
fn pages_in(folder: &Folder, output: &str, site: &Served) -> Vec<String> {
    let text = folder.read(output).replace(&site.home, "SITE/");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_crawl_that_is_killed_goes_on_and_puts_out_every_page_once() {
    let site = http(slow);
    let folder = Folder::new();
    let mut finished = Vec::new();
    for kills in 0..3 {
        let mut child = begin(&site, &folder, FILES);
        wait_until(|| done(&folder).len() >= 15 + kills * 3);
        // In the middle of a line, even: as if the kill had come while it was written.
        child.kill().unwrap();
        child.wait().unwrap();
        finished = done(&folder);
        let text = fs::read(folder.path("pages.txt")).unwrap();
        folder.put("pages.txt", [&text[..], b"http://half/a/li"].concat());
    }
    let asked = |url: &String| site.count(&format!("/{}", url.strip_prefix(&site.home).unwrap()));
    let before: Vec<usize> = finished.iter().map(asked).collect();
    let last = end(begin(&site, &folder, FILES), &site);
    assert_eq!(last.status, 0, "{last}");
    last.says("note: 4,000 entries in 41 sitemaps");
    assert_eq!(pages_in(&folder, "pages.txt", &site), all_pages());
    let after: Vec<usize> = finished.iter().map(asked).collect();
    assert_eq!(before, after, "what was finished was fetched again");

    // Nothing is left to be done.
    let requests = site.paths().len();
    let again = end(begin(&site, &folder, FILES), &site);
    assert_eq!((again.status, site.paths().len()), (0, requests), "{again}");
    assert_eq!(folder.read("pages.txt").lines().count(), 4_000);
}

#[test]
fn ctrl_c_leaves_nothing_half_written() {
    let site = http(slow);
    let folder = Folder::new();
    let options = "--jobs 3 --resume state.json --format jsonl";
    let mut command = site.command_of(&format!("crawl SITE/index.xml {options}"));
    // A pipe without a reader would block the crawl.
    let out = fs::File::create(folder.path("out.jsonl")).unwrap();
    command.current_dir(folder.0.path()).stdout(out);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| done(&folder).len() >= 20);
    let asked = Instant::now();
    signal(&child, "INT");
    let first = end(child, &site);
    assert_eq!(first.status, 130, "{first}");
    first.says_last("error: interrupted; the same command continues from here\n");
    // It does not wait for sitemaps that take seconds.
    assert!(asked.elapsed() < Duration::from_secs(20));
    let first = folder.read("out.jsonl");
    assert!(first.ends_with('\n'));
    let second = folder.must_on(&site, &format!("crawl SITE/index.xml {options}"), 0);
    let both = first.replace(&site.home, "SITE/") + &second.out;
    let loc = |line: &str| {
        let page: Value = serde_json::from_str(line).unwrap();
        page["loc"].as_str().unwrap().to_owned()
    };
    let mut lines: Vec<String> = both.lines().map(loc).collect();
    lines.sort_unstable();
    assert_eq!(lines, all_pages());
}

#[test]
fn without_a_state_file_ctrl_c_gives_what_was_read() {
    let site = http(|_, home| {
        let (body, pause) = (urlset(pages(home, "a", 1_000)), Duration::from_millis(100));
        with(Body::Slow(body, 4_000, pause)).header("ETag", "1")
    });
    let folder = Folder::new();
    let child = begin(&site, &folder, "--cache cache");
    wait_until(|| site.count("/index.xml") == 1);
    thread::sleep(Duration::from_millis(700));
    signal(&child, "TERM");
    let ran = end(child, &site);
    assert_eq!(ran.status, 130);
    ran.says_last(
        "error: interrupted; the pages that were read before are written, those after that are missing (--resume \
         FILE makes a crawl that can be continued)\n",
    );
    let all = pages("SITE/", "a", 1_000);
    assert!(ran.out.lines().zip(all).all(|(line, page)| line == page));
    assert!(ran.out.is_empty() || ran.out.ends_with('\n'));
    assert_eq!(fs::read_dir(folder.path("cache")).unwrap().count(), 0);
}

#[test]
fn what_failed_is_tried_again_and_not_put_out_twice() {
    let site = http(|asked, home| {
        let body = urlset(pages(home, asked.path.trim_start_matches('/'), 100));
        match (asked.path.as_str(), asked.before) {
            ("/index.xml", _) => sitemaps(home, &["whole", "cut", "changed", "lost"]),
            ("/cut", 0) => ok(&body[..body.len() / 2]),
            ("/changed", 0) => ok(&urlset(pages(home, "earlier", 100))[..2_000]),
            ("/lost", 0) => status(404),
            _ => ok(body),
        }
    });
    let folder = Folder::new();
    let crawl = format!("crawl SITE/index.xml --jobs 3 {FILES} --format csv");
    let first = folder.must_on(&site, &crawl, 1);
    assert_eq!(first.said.matches("error: ").count(), 3, "{first}");
    first.does_not_say("written");
    let whole = folder.read("pages.txt");
    assert_eq!(whole.lines().count(), 101, "{whole}");
    folder.must_on(&site, &crawl, 0);
    assert_eq!(site.count("/whole"), 1);
    let text = folder.read("pages.txt");
    // Nothing of a sitemap that breaks off is written before it is complete.
    for (begin, count) in [
        ("loc,lastmod", 1),
        (&site.at("whole"), 100),
        (&site.at("cut"), 100),
        (&site.at("lost"), 100),
        (&site.at("changed"), 100),
        (&site.at("earlier"), 0),
    ] {
        assert_eq!(text.matches(begin).count(), count, "{begin}");
    }
}

#[test]
fn higher_bounds_go_on() {
    let site = http(|asked, home| match asked.path.as_str() {
        "/index.xml" => ok(index((0..10).map(|n| format!("{home}{n}")))),
        path => ok(urlset(pages(home, &path[1..], 100))),
    });
    let folder = Folder::new();
    for (bounds, status, count) in [
        ("--max-sitemaps 4", 1, 300),
        // The sitemap that the bound cuts is not written until it is complete.
        ("--max-pages 450", 1, 400),
        ("--max-pages 599", 1, 500),
        ("", 0, 1_000),
        ("", 0, 1_000),
    ] {
        let crawl = format!("crawl SITE/index.xml --jobs 3 {FILES} {bounds}");
        let ran = folder.must_on(&site, &crawl, status);
        let mut lines = pages_in(&folder, "pages.txt", &site);
        assert_eq!(lines.len(), count, "{ran}");
        lines.dedup();
        assert_eq!(lines.len(), count, "a page stands there twice: {ran}");
    }
}

#[test]
fn a_state_file_belongs_to_one_crawl() {
    let site = small();
    let folder = Folder::new();
    let crawl = format!("crawl SITE/a {FILES}");
    folder.must_on(&site, &crawl, 0);
    let files = || ["state.json", "pages.txt"].map(|name| folder.read(name));
    let kept = files();
    for (arguments, text) in [
        (
            crawl.replace("SITE/a", "SITE/b"),
            "belongs to a crawl of SITE/a",
        ),
        (
            format!("{crawl} --format csv"),
            "belongs to a crawl with `--format text`",
        ),
        (
            "crawl SITE/a --resume state.json".to_owned(),
            "name that file with --out",
        ),
    ] {
        folder.must_on(&site, &arguments, 2).says(text);
    }
    assert_eq!(files(), kept);

    folder.put("state.json", &kept[0][..kept[0].len() / 2]);
    let ran = folder.must_on(&site, &crawl, 2);
    ran.says("is not a state file of `sitemap crawl`");
    ran.says("delete it to begin the crawl anew");
}

/// The message names the solution, and the solution works.
#[test]
fn an_output_that_is_gone_is_no_dead_end() {
    let site = small();
    let folder = Folder::new();
    let crawl = |status: i32| folder.must_on(&site, &format!("crawl SITE/a {FILES}"), status);
    crawl(0);
    let text = folder.read("pages.txt");
    let told = |why: &str| {
        let bytes = text.len();
        let expected = format!(
            "error: the earlier crawl wrote {bytes} bytes to pages.txt, but {why}\n  \
             restore the file, or delete state.json to begin the crawl anew\n"
        );
        assert_eq!(crawl(2).said, expected);
    };
    fs::remove_file(folder.path("pages.txt")).unwrap();
    told("the file no longer exists");
    folder.put("pages.txt", "short");
    told("the file has only 5 bytes");

    // The one way out, and the other.
    folder.put("pages.txt", &text);
    crawl(0);
    for name in ["pages.txt", "state.json"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
    crawl(0);
    assert_eq!(folder.read("pages.txt"), text);
}

/// No process writes to it, so reading it would never end.
#[test]
fn a_state_file_is_a_regular_file() {
    let site = small();
    let folder = Folder::new();
    folder.pipe("state.json");
    let ran = ended(begin(&site, &folder, "--resume state.json"), &site);
    assert_eq!(ran.status, 2);
    ran.says("it is not a regular file");
}

/// Like the above, for certificates and each way to name them.
#[test]
fn certificates_are_in_a_regular_file() {
    let site = small();
    let folder = Folder::new();
    let pipe = folder.pipe("ca.pem");
    for (arguments, is_variable) in [
        ("crawl SITE/a --cacert ca.pem", false),
        ("diff SITE/a SITE/a --cacert ca.pem", false),
        ("crawl SITE/a", true),
        ("show SITE/a", true),
    ] {
        let mut command = site.command_of(arguments);
        command.current_dir(folder.0.path());
        if is_variable {
            command.env("SSL_CERT_FILE", &pipe);
        }
        let ran = ended(served::begin(command), &site);
        assert_eq!(ran.status, 2, "{arguments}: {ran}");
        ran.says("ca.pem: it is not a regular file");
    }
}

/// It has no reader, so it cannot be opened: the first signal ends the program.
#[test]
fn an_output_that_nobody_reads_can_be_ended() {
    let site = small();
    let folder = Folder::new();
    let pipe = folder.pipe("pages.txt");
    let mut child = begin(&site, &folder, "--output pages.txt");
    // Long enough for the program to wait there. If it is ended before, the test shows nothing, but does not fail.
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it does not wait");
    // SIGINT is ignored by the children of a shell's background jobs, as these tests may be.
    signal(&child, "TERM");
    assert_ne!(ended(child, &site).status, 0);
    assert_eq!(site.paths().len(), 0);

    let reader = fs::OpenOptions::new().read(true).write(true).open(&pipe);
    folder.must_on(&site, "crawl SITE/a --output pages.txt", 0);
    drop(reader.unwrap());
}

/// The next run removes the temporary state file that a kill leaves.
#[test]
fn temporary_files_of_the_state_are_swept() {
    let site = small();
    let folder = Folder::new();
    let files = [
        (".state.json.x7Rq2p.part", false),
        (".state.json.AbCdEf.part", false),
        (".other.json.x7Rq2p.part", true),
        ("state.json.x7Rq2p.part", true),
    ];
    for (name, _) in files {
        folder.put(name, "{");
    }
    folder.must_on(&site, "crawl SITE/a --resume state.json", 0);
    for (name, is_left) in files {
        assert_eq!(folder.path(name).exists(), is_left, "{name}");
    }
}

/// The disk is full, as it were: files may only grow to 32 KiB.
#[test]
fn an_output_that_fails_ends_the_crawl() {
    let site = http(slow);
    let folder = Folder::new();
    let crawl = format!("crawl SITE/index.xml --jobs 3 {FILES}");
    let mut command = limited(&site.command_of(&crawl), 64);
    command.current_dir(folder.0.path());
    let ran = ended(served::begin(command), &site);
    assert_eq!(ran.status, 2, "{ran}");
    ran.says("pages.txt");
    ran.says("File too large");
    // With more room it goes on, and every page is there once.
    folder.must_on(&site, &crawl, 0);
    assert_eq!(pages_in(&folder, "pages.txt", &site), all_pages());
}

/// A command whose files may only grow to this number of half KiB.
fn limited(program: &Command, blocks: u32) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(program.get_program());
    command.args(program.get_args());
    command
}

/// A sitemap whose pages fill more than a pipe, memory and the disk hold: files may only grow to 2 MiB.
#[test]
fn half_a_line_is_not_put_out() {
    let name = "x".repeat(97);
    let all = pages("SITE/", &name, 40_000);
    let site = http(move |_, home| ok(urlset(pages(home, &name, 40_000))));
    let program = site.command_of("crawl SITE/sitemap.xml");
    let ran = site.ran(limited(&program, 4_096));
    assert_eq!(ran.status, 2, "{}", ran.said);
    ran.says("File too large");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(!lines.is_empty() && lines.len() < all.len());
    assert!(lines.iter().zip(&all).all(|(line, page)| line == page));
}

#[test]
fn an_output_that_keeps_nothing_can_be_resumed() {
    let site = small();
    let folder = Folder::new();
    for _ in 0..2 {
        folder.must_on(
            &site,
            "crawl SITE/a --resume state.json --output /dev/null",
            0,
        );
    }
}

#[test]
fn the_state_file_is_not_the_output() {
    let site = small();
    let folder = Folder::new();
    std::os::unix::fs::symlink(folder.path("file"), folder.path("link")).unwrap();
    for (output, before) in [("file", None), ("./link", Some("before"))] {
        if let Some(text) = before {
            folder.put("file", text);
        }
        let crawl = format!("crawl SITE/a --resume file --output {output}");
        folder.must_on(&site, &crawl, 2).says("are one file");
        let text = fs::read_to_string(folder.path("file")).ok();
        assert_eq!(text.as_deref(), before, "{output}");
    }
}

#[test]
fn two_crawls_do_not_write_to_one_file() {
    let site = http(slow);
    for (second, said) in [
        (FILES, "another crawl"),
        // A state file has one owner at a time, for every output.
        (
            "--resume state.json --output other.txt",
            "error: another crawl is using state.json\n",
        ),
    ] {
        let folder = Folder::new();
        let first = begin(&site, &folder, FILES);
        wait_until(|| !done(&folder).is_empty());
        let second = end(begin(&site, &folder, second), &site);
        assert_eq!(second.status, 2, "{second}");
        second.says(said);
        assert!(!folder.path("other.txt").exists());
        let first = end(first, &site);
        assert_eq!(first.status, 0, "{first}");
        assert_eq!(pages_in(&folder, "pages.txt", &site), all_pages());
    }
}

/// Even if they begin at the same time.
#[test]
fn two_crawls_do_not_begin_one_state() {
    let site = http(slow);
    let folder = Folder::new();
    let crawls = [0; 4].map(|_| begin(&site, &folder, "--resume state.json"));
    let mut whole = 0;
    for crawl in crawls {
        let ran = end(crawl, &site);
        if ran.status == 0 {
            whole += 1;
            assert_eq!(ran.out.lines().count(), 4_000);
        } else {
            ran.gives(2, "");
            assert_eq!(ran.said, "error: another crawl is using state.json\n");
        }
    }
    assert_eq!(whole, 1);
    // Nothing hidden is left.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}

/// The output is cut to the length in the state, so the state must be that of the output.
#[test]
fn a_state_that_does_not_fit_the_output_is_refused() {
    let site = small();
    for format in ["text", "csv", "jsonl"] {
        let folder = Folder::new();
        let crawl = |status: i32| {
            let crawl = format!("crawl SITE/a.xml --format {format} {FILES}");
            folder.must_on(&site, &crawl, status)
        };
        crawl(0);
        crawl(0);
        let [recorded, pages] = ["state.json", "pages.txt"].map(|name| folder.read(name));
        let with = |name: &str, value: Value| {
            let mut changed: Value = serde_json::from_str(&recorded).unwrap();
            changed[name] = value;
            folder.put("state.json", changed.to_string());
        };
        let first = pages.find('\n').unwrap() + 1;
        let why = "that the state records";
        let no_state = "is not a state file";
        let secret = "https://me:secret@example.com/a.xml";
        for (name, wrong, why) in [
            ("output_bytes", json!(0), why),
            ("output_bytes", json!(5), why),
            ("output_bytes", json!(first), why),
            ("output_bytes", json!(pages.len() - 1), why),
            // Without its rows, the pages would come twice. An error quotes no password.
            ("known", json!({}), no_state),
            ("crawl", json!(secret), no_state),
            ("output_pages", json!(secret), no_state),
        ] {
            with(name, wrong);
            let ran = crawl(2);
            ran.says(why);
            ran.does_not_say("secret");
            assert_eq!(folder.read("pages.txt"), pages, "{name}");
        }
    }
}

/// Sitemaps that the crawl itself would not have queued are not requested.
#[test]
fn a_state_names_no_other_hosts() {
    let elsewhere = small();
    let site = http(|asked, home| match asked.path.as_str() {
        "/index.xml" => sitemaps(home, &["a.xml"]),
        _ => ok(urlset(pages(home, "a", 1))),
    });
    let folder = Folder::new();
    let crawl = "crawl SITE/index.xml --resume state.json --retries 0";
    folder.must_on(&site, crawl, 0);
    let mut changed: Value = serde_json::from_str(&folder.read("state.json")).unwrap();
    let other = elsewhere.at("x.xml").replace("127.0.0.1", "127.0.0.3");
    // Somebody who knows the form of the text can also write its last line.
    let text = changed["crawl"].as_str().unwrap();
    let body = text.rsplit_once("end ").unwrap().0;
    let body = format!("{body}sitemap {other}\n");
    let mut digest = flate2::Crc::new();
    digest.update(body.as_bytes());
    let text = format!("{body}end {} {:08x}", body.lines().count(), digest.sum());
    changed["crawl"] = text.into();
    folder.put("state.json", changed.to_string());
    let ran = folder.must_on(&site, crawl, 2);
    ran.says(&format!("belongs to a crawl of {other}"));
    assert_eq!(elsewhere.count("/x.xml"), 0);
}

/// A site that is down costs nothing, and Ctrl-C leaves what was read.
#[test]
fn an_older_output_stays_until_there_is_a_new_one() {
    const BEFORE: &str = "https://example.com/yesterday\n";
    let site = http(slow);
    let folder = Folder::new();
    folder.put("pages.txt", BEFORE);
    let down = "crawl http://127.0.0.1:1/ --retries 0 -o";
    let ran = folder.must(&format!("{down} pages.txt"), 2);
    ran.says_last("note: pages.txt is as it was\n");
    let text = || folder.read("pages.txt");
    assert_eq!(text(), BEFORE);
    // A new file is not created, either.
    folder.must(&format!("{down} new.txt"), 2);
    assert!(!folder.path("new.txt").exists());

    let mut killed = begin(&site, &folder, "-o pages.txt");
    wait_until(|| site.count("/25") == 1);
    assert_eq!(text(), BEFORE);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(text(), BEFORE);

    let child = begin(&site, &folder, "-o pages.txt");
    wait_until(|| site.count("/25") == 2);
    signal(&child, "INT");
    let ran = end(child, &site);
    assert_eq!(ran.status, 130, "{ran}");
    let read = text().lines().count();
    assert!(read >= 1_000 && read % 100 == 0, "{read}");
    // The files that the killed run has left are removed.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}
