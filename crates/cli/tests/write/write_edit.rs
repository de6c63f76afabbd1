//! `sitemap write` and `sitemap edit`, as they are run.

#[cfg(unix)]
mod alarms;
mod blog;
mod files;
mod sections;
mod site;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

#[cfg(unix)]
use crate::ended::{ended, signal};
use crate::folder::Folder;
use crate::served::Ran;
use quick_sitemap::{Entry, Reader, UrlEntry};

#[test]
fn outputs() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/write_edit/write.md");
    cases.case("tests/write_edit/edit.md");
}

impl Folder {
    /// Runs the program for the site at `BASE`, which must end with this status.
    #[track_caller]
    fn based(&self, arguments: &str, status: i32) -> Ran {
        self.must(&format!("{arguments} {BASE}"), status)
    }

    fn pages(&self, name: &str) -> Vec<UrlEntry> {
        pages(&self.path(name))
    }

    fn locs(&self, name: &str) -> Vec<String> {
        let pages = self.pages(name).into_iter();
        pages.map(|page| page.loc.into()).collect()
    }

    /// A run that has begun its output in this folder, and waits for more pages.
    #[cfg(unix)]
    fn begun(&self, target: &str, below: &str) -> (Child, ChildStdin) {
        let hidden = || {
            let names = fs::read_dir(self.path(below)).unwrap();
            let mut names = names.map(|entry| entry.unwrap().file_name());
            names.any(|name| name.to_string_lossy().starts_with('.'))
        };
        let mut run = self
            .command(&format!("write - --from text {target}"))
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = run.stdin.take().unwrap();
        // More than is looked at before the output is begun.
        input.write_all(urls(20_000).as_bytes()).unwrap();
        input.flush().unwrap();
        while !hidden() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        (run, input)
    }

    /// Runs the program with this standard input.
    fn fed(&self, arguments: &str, input: &str) -> Ran {
        let mut run = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = run.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        Ran::new(run.wait_with_output().unwrap(), "\0")
    }

    /// What git prints, run in this folder with this date of a commit.
    fn git(&self, below: &str, arguments: &str, date: &str) -> String {
        let done = Command::new("git")
            .current_dir(self.path(below))
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments.split(' '))
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .output()
            .unwrap();
        let done = Ran::new(done, "\0");
        assert_eq!(done.status, 0, "{arguments}: {}", done.said);
        done.out
    }

    /// All files, the hidden ones too, with their bytes.
    fn files(&self, below: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.path(below)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let bytes = fs::read(&path).unwrap();
                files.push((path, bytes));
            }
        }
        files.sort();
        files
    }
}

fn pages(path: &Path) -> Vec<UrlEntry> {
    Reader::from_path(path)
        .unwrap()
        .map(|entry| entry.unwrap().into_url().unwrap())
        .collect()
}

fn fixture(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

const URLSET: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";

const BASE: &str = "--base https://www.example.com/";

fn urls(count: u64) -> String {
    let pages = (0..count).map(|number| number * 7_919 % 1_000_003);
    pages
        .map(|page| format!("https://www.example.com/page/{page}\n"))
        .collect()
}

/// A folder with a list of so many pages.
fn listing(count: u64) -> Folder {
    let folder = Folder::new();
    folder.put("urls.txt", urls(count));
    folder
}

/// The message for an empty result does not name the empty input; the notes do.
#[test]
fn inputs_without_entries_are_named() {
    let folder = listing(3);
    let full = format!("{URLSET}<url><loc>https://www.example.com/</loc></url></urlset>");
    folder.put("full.xml", full);
    let names: Vec<String> = (0..8).map(|number| format!("empty{number}")).collect();
    for name in &names {
        folder.put(&format!("{name}.txt"), "\n\n");
        folder.put(&format!("{name}.xml"), format!("{URLSET}</urlset>"));
    }
    for (command, ending, full) in [("write", ".txt", "urls.txt"), ("edit", ".xml", "full.xml")] {
        let inputs: Vec<String> = names.iter().map(|name| format!("{name}{ending}")).collect();
        for (count, more) in [
            (1, None),
            (5, None),
            (6, Some("note: 1 more input has no entries\n")),
            (8, Some("note: 3 more inputs have no entries\n")),
        ] {
            let inputs = &inputs[..count];
            let run = format!("{command} {} -o out.xml", inputs.join(" "));
            let said = folder.must(&run, 2).said;
            for (number, input) in inputs.iter().enumerate() {
                let note = format!("note: {input} has no entries\n");
                assert_eq!(said.contains(&note), number < 5, "{said}");
            }
            assert_eq!(said.contains(" more input"), more.is_some(), "{said}");
            assert!(said.contains(more.unwrap_or_default()), "{said}");
            assert!(said.contains("0 pages were to be written"), "{said}");
        }
        let output = folder.must(&format!("{command} {full} {} -o out.xml", inputs[0]), 0);
        output.says(&format!("note: {} has no entries\n", inputs[0]));
        output.does_not_say(&format!("{full} has"));
    }

    // Pages that a filter excludes are not missing, and skipped ones are reported.
    for options in [
        "--match nothing",
        "--skip-invalid --base https://other.example/",
    ] {
        let output = folder.must(&format!("write urls.txt -o none.xml {options}"), 2);
        output.does_not_say("has no entries");
    }

    let columns = ":1: the first line must name the columns";
    let format = ": the format cannot be detected";
    for (input, text, error) in [
        ("h0.csv", "", &*format!("{columns}, and has no column")),
        ("h0.tsv", "", columns),
        ("bom.csv", "\u{feff}", columns),
        ("h0", "", format),
    ] {
        folder.put(input, text);
        let output = folder.must(&format!("write {input} -o none.xml"), 2);
        output.says(&format!("error: {input}{error}"));
    }
    for (input, text) in [("h0.txt", ""), ("head.csv", "loc,lastmod\n")] {
        folder.put(input, text);
        let output = folder.must(&format!("write {input} -o none.xml"), 2);
        output.says(&format!(
            "note: {input} has no entries\nerror: none.xml: 0 pages"
        ));
    }
    let output = folder.must("write - -o none.xml", 2);
    output.says(&format!("error: <stdin>{format}"));
}

/// Neither the host nor the password becomes the name of a folder.
#[test]
fn an_output_is_not_a_url() {
    let folder = listing(3);
    let old = format!("{URLSET}<url><loc>https://www.example.com/a</loc></url></urlset>");
    folder.put("old.xml", old);
    let before = folder.files("");
    for command in ["write urls.txt", "edit old.xml"] {
        for (out, shown, what) in [
            (
                "https://me:s3cret@example.com/sitemap.xml",
                "https://***@example.com/sitemap.xml",
                "file, not a URL\n",
            ),
            (
                "HTTP://example.com/maps",
                "HTTP://example.com/maps",
                "folder",
            ),
            (
                "https://me:s3/cret@example.com",
                "https://***@example.com",
                "folder",
            ),
            (
                "https:/me:s3cret@example.com/a",
                "https://***@example.com/a",
                "folder",
            ),
        ] {
            let output = folder.based(&format!("{command} -o {out}"), 2);
            output.says(&format!("error: {shown}: --out is a {what}"));
            output.does_not_say("s3");
        }
        let robots = "--robots https://me:s3cret@example.com/robots.txt";
        let output = folder.based(&format!("{command} -o public {robots}"), 2);
        let robots = "error: https://***@example.com/robots.txt: --robots is a file, not a URL\n";
        output.says(robots);
    }
    for (option, what) in [("-o", "--out"), ("--resume", "--resume")] {
        let url = "https://me:s3cret@example.com/a";
        let output = folder.must(&format!("crawl http://127.0.0.1:9/ {option} {url}"), 2);
        let error = format!("error: https://***@example.com/a: {what} is a file, not a URL\n");
        assert_eq!(output.said, error);
    }
    assert_eq!(folder.files(""), before);
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), before.len());
}

#[test]
fn a_set_and_what_changed_of_it() {
    let folder = listing(25);
    let write =
        format!("write urls.txt --out public {BASE} --max-entries 10 --robots public/robots.txt");
    let output = folder.must(&write, 0);
    output.says("25 pages in 3 sitemaps (3 changed)");
    let robots = folder.read("public/robots.txt");
    assert_eq!(robots, "Sitemap: https://www.example.com/sitemap.xml\n");
    folder.put("urls.txt", urls(26));
    let output = folder.must(&write, 0);
    output.says("26 pages in 3 sitemaps (1 changed)");
    assert_eq!(folder.pages("public/sitemap-3.xml").len(), 6);
}

#[test]
fn the_options_of_a_set() {
    let folder = listing(3);
    let options = "--gzip --fingerprint --name maps";
    folder.based(&format!("write urls.txt --out public {options}"), 0);
    let index: Vec<Entry> = Reader::from_path(folder.path("public/maps.xml"))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let part = index[0].loc().path().trim_start_matches('/').to_owned();
    let is_named = part.starts_with("maps-1-") && part.ends_with(".xml.gz");
    assert!(is_named, "{part}");
    assert_eq!(pages(&folder.path("public").join(part)).len(), 3);

    folder.based("write urls.txt --out one --single", 0);
    assert_eq!(folder.pages("one/sitemap.xml").len(), 3);
    folder.based("write urls.txt --out one --single --gzip", 0);
    assert_eq!(folder.files("one").len(), 1);
    assert!(folder.read("one/sitemap.xml").starts_with("<?xml"));
    // A file that is not a sitemap stays.
    folder.put("one/sitemap.xml", "my notes");
    let output = folder.based("write urls.txt --out one --single", 2);
    output.says("neither a urlset nor an index");
    assert_eq!(folder.read("one/sitemap.xml"), "my notes");
    folder.put("urls.txt", urls(3));
    folder.based("write urls.txt --out text --text", 0);
    assert_eq!(folder.read("text/sitemap-1.txt"), urls(3));
}

#[test]
fn a_refusal_leaves_the_old_set() {
    let folder = listing(5);
    folder.based("write urls.txt --out public", 0);
    let before = folder.files("public");
    let wrong = urls(2_000) + "https://other.example.com/\n";
    folder.put("wrong.txt", wrong);
    folder.put("empty.txt", "");
    for (arguments, reason) in [
        (
            "wrong.txt",
            "wrong.txt:2001: `https://other.example.com/` is outside",
        ),
        ("empty.txt", "but the minimum is 1"),
        ("urls.txt --refuse-below 6", "but the minimum is 6"),
    ] {
        let output = folder.based(&format!("write {arguments} --out public"), 2);
        output.says(reason);
        assert_eq!(folder.files("public"), before, "{arguments}");
    }
    let skipping = format!("write wrong.txt --out public {BASE} --skip-invalid");
    folder.must(&skipping, 1).says("1 page skipped");
    assert_eq!(folder.pages("public/sitemap-1.xml").len(), 2_000);
    folder.based("write empty.txt --out public --allow-empty", 0);
    let index = Reader::from_path(folder.path("public/sitemap.xml"));
    assert_eq!(index.unwrap().count(), 0);
}

#[test]
fn an_output_that_cannot_be_written_is_named_first() {
    let folder = listing(3);
    folder.put("public/sitemap.xml/x", "");
    let output = folder.based("write urls.txt --out public", 2);
    let expected = "error: public/sitemap.xml: a directory is in the way\n";
    assert_eq!(output.said, expected);
}

/// A run that waits for its input, and is ended by each of the signals.
#[cfg(unix)]
#[test]
fn a_run_that_is_ended_leaves_what_was_there() {
    for (name, target) in [
        ("INT", format!("--out public {BASE} --gzip")),
        ("KILL", format!("--out public {BASE}")),
        ("INT", "--out public/one.xml".to_owned()),
        ("TERM", "--out public/one.xml".to_owned()),
        ("KILL", "--out public/one.xml".to_owned()),
    ] {
        let folder = listing(5);
        fs::create_dir(folder.path("public")).unwrap();
        folder.must(&format!("write urls.txt {target}"), 0);
        let before = folder.files("public");
        let (mut run, input) = folder.begun(&target, "public");
        signal(&run, name);
        assert!(!run.wait().unwrap().success(), "{name} {target}");
        drop(input);
        let mut after = folder.files("public");
        if name == "KILL" {
            let is_hidden = |path: &Path| path.file_name().unwrap().as_encoded_bytes()[0] == b'.';
            after.retain(|(path, _)| !is_hidden(path));
        }
        assert_eq!(after, before, "{name} {target}");
        // The next run is not in the way of what was left.
        folder.must(&format!("write urls.txt {target}"), 0);
        assert_eq!(folder.files("public"), before, "{name} {target}");
    }
}

/// More than a pipe holds, and a reader that goes away: `| head -1`.
#[test]
fn whoever_reads_the_output_may_have_seen_enough() {
    let folder = listing(20_000);
    folder.must("write urls.txt --out pages.xml", 0);
    for arguments in [
        "write urls.txt --out -",
        "write urls.txt --out - --text",
        "edit pages.xml --out -",
        "edit pages.xml --out - --sort loc",
    ] {
        let mut run = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(run.stdout.take());
        let output = Ran::new(run.wait_with_output().unwrap(), "\0");
        let said = output.said;
        assert_eq!(output.status, 0, "{arguments}: {said}");
        assert!(!said.contains("error"), "{arguments}: {said}");
    }
}

/// The input stays silent in the middle, so that the program is ended while it reads.
#[cfg(unix)]
#[test]
fn a_run_that_is_ended_while_it_reads_leaves_no_file() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe");
    fs::create_dir(folder.path("public")).unwrap();
    let run = folder
        .command("write pipe --from text --out public/one.xml")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
    // The output is created for the last page; after it, the program waits.
    pipe.write_all(urls(1_001).as_bytes()).unwrap();
    while fs::read_dir(folder.path("public")).unwrap().count() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal(&run, "INT");
    let output = Ran::new(run.wait_with_output().unwrap(), "\0");
    drop(pipe);
    assert_eq!(output.status, 130);
    assert_eq!(fs::read_dir(folder.path("public")).unwrap().count(), 0);
}

/// More complaints than a pipe holds, before there is any output.
#[cfg(unix)]
#[test]
fn a_git_that_complains_at_length() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.put("site/a.html", html(""));
    folder.put(
        "bin/git",
        "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' w >&2\n\
         printf '\\0012024-05-06T07:08:09Z abc\\nA\\0a.html\\0'\n",
    );
    fs::set_permissions(folder.path("bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", folder.path("bin").display());
    let mut run = folder
        .command(&format!("write site --out out.xml --lastmod git {BASE}"))
        .env("PATH", path)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(ended(&mut run).success());
    let lastmod = folder.pages("out.xml")[0].lastmod.unwrap();
    assert_eq!(lastmod.to_string(), "2024-05-06T07:08:09Z");
}

#[test]
fn a_quotation_mark_without_its_partner() {
    let folder = Folder::new();
    let lines = "/b\n".repeat(6 << 20);
    folder.put("pages.csv", format!("loc\n/a\n\"{lines}"));
    let output = folder.based("write pages.csv --out out.xml", 2);
    output.says("longer than 16 MiB");
    output.says("pages.csv");
}

/// Status 2 means that nothing has been changed.
#[test]
fn a_robots_txt_that_cannot_be_written_keeps_the_set_from_being_published() {
    let folder = listing(5);
    let arguments = format!("write urls.txt --out public {BASE} --robots nowhere/robots.txt");
    folder.must(&arguments, 2).says("nowhere/robots.txt");
    assert_eq!(folder.files("public"), []);
}

#[test]
fn standard_input_says_itself_what_it_is() {
    let folder = Folder::new();
    let loc = "https://www.example.com/a";
    for text in [
        format!("{loc}\n"),
        format!("\u{feff}\r\n{loc}"),
        format!("lastmod,loc\r\n2024,{loc}\r\n"),
        format!("loc\tpriority\n{loc}\t0.5\n"),
        format!("{{\"loc\": \"{loc}\"}}\n"),
    ] {
        let ran = folder.fed("write - -o out.xml", &text);
        assert_eq!(ran.status, 0, "{text:?}: {}", ran.said);
        assert_eq!(folder.locs("out.xml"), [loc], "{text:?}");
    }
}

#[test]
fn one_file_keeps_its_permissions_and_its_link() {
    let folder = listing(2);
    folder.put("real/sitemap.xml", "");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let real = folder.path("real/sitemap.xml");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, folder.path("link.xml")).unwrap();
        folder.must("write urls.txt -o link.xml", 0);
        assert!(folder.path("link.xml").is_symlink());
        let mode = fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
    for name in ["a.xml", "a.xml.gz", "a.txt", "a.txt.gz"] {
        folder.must(&format!("write urls.txt -o {name}"), 0);
        assert_eq!(folder.pages(name).len(), 2, "{name}");
        let bytes = fs::read(folder.path(name)).unwrap();
        let is_gzipped = bytes.starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_gzipped, name.ends_with(".gz"), "{name}");
    }
    // The limit of a file.
    folder.put("many.txt", urls(50_001));
    let output = folder.must("write many.txt -o a.xml", 2);
    output.says("use a folder as --out");
    assert_eq!(folder.pages("a.xml").len(), 2);
}

#[test]
fn a_file_with_the_same_bytes_keeps_its_date() {
    let folder = listing(2);
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
    for name in ["a.xml", "a.xml.gz", "a.txt"] {
        let write = format!("write urls.txt -o {name} {BASE} --robots robots.txt");
        folder.must(&write, 0);
        for file in [name, "robots.txt"] {
            let file = fs::File::options().write(true).open(folder.path(file));
            file.unwrap().set_modified(long_ago).unwrap();
        }
        folder.must(&write, 0);
        for file in [name, "robots.txt"] {
            let file = fs::metadata(folder.path(file)).unwrap();
            assert_eq!(file.modified().unwrap(), long_ago, "{name}");
        }
    }
}

/// As deployments have them: `public/sitemap.xml` leads to `../shared/sitemap.xml`.
#[cfg(unix)]
#[test]
fn links_are_followed_or_refused_before_anything_is_changed() {
    use std::os::unix::fs::symlink;
    let folder = listing(3);
    let old = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>";
    folder.put("shared/sitemap.xml", old);
    folder.put("shared/robots.txt", "User-agent: *\n");
    fs::create_dir(folder.path("public")).unwrap();
    for name in ["sitemap.xml", "robots.txt"] {
        let link = folder.path("public").join(name);
        symlink(format!("../shared/{name}"), link).unwrap();
    }
    let set = format!("write urls.txt -o public {BASE} --robots public/robots.txt");
    let output = folder.must(&set, 2);
    output.says("public/sitemap.xml: a symbolic link");
    assert_eq!(folder.read("shared/sitemap.xml"), old);
    assert_eq!(folder.read("shared/robots.txt"), "User-agent: *\n");
    let one = format!("write urls.txt -o public/sitemap.xml {BASE} --robots public/robots.txt");
    folder.must(&one, 0);
    for name in ["public/sitemap.xml", "public/robots.txt"] {
        assert!(folder.path(name).is_symlink(), "{name}");
    }
    assert_eq!(folder.pages("shared/sitemap.xml").len(), 3);
    let robots = folder.read("shared/robots.txt");
    assert!(robots.contains("Sitemap: https://www.example.com/sitemap.xml"));
    // A link to the folder.
    fs::create_dir(folder.path("release")).unwrap();
    symlink("release", folder.path("current")).unwrap();
    folder.based("write urls.txt -o current", 0);
    assert!(folder.path("current").is_symlink());
    assert_eq!(folder.pages("release/sitemap-1.xml").len(), 3);
}

#[test]
fn parts_that_are_removed_or_left_behind_are_named() {
    let folder = listing(12);
    let write = format!("write urls.txt -o public {BASE} --max-entries 2");
    folder.must(&write, 0);
    folder.put("urls.txt", urls(9));
    folder.must(&write, 0).says("removed: sitemap-6.xml");
    // One file takes the place of the index of a set.
    let output = folder.must("edit public/sitemap.xml -o public/sitemap.xml", 0);
    let expected = "public/sitemap.xml: it was the index of a set, whose sitemaps stay, but are not listed any more: sitemap-1.xml, sitemap-2.xml, sitemap-3.xml and 2 more";
    output.says(expected);
    assert_eq!(folder.pages("public/sitemap.xml").len(), 9);
    let output = folder.must("edit public/sitemap.xml -o public/sitemap.xml", 0);
    output.does_not_say("index");
}

fn html(head: &str) -> String {
    format!("<!doctype html><html><head><title>x</title>{head}</head><body></body></html>")
}

#[test]
fn a_folder_of_html_files() {
    let folder = Folder::new();
    for (name, head) in [
        ("index.html", ""),
        ("about.html", ""),
        ("a b/index.html", "<link rel=canonical href='/a%20b/'>"),
        ("ü[1].htm", ""),
        ("draft.html", "<meta name=robots content='noindex'>"),
        ("copy.html", "<link rel=canonical href=/about.html>"),
        (
            "pretty.html",
            "<link rel=canonical href=https://www.example.com/pretty>",
        ),
        (".hidden/x.html", ""),
    ] {
        folder.put(&format!("site/{name}"), html(head));
    }
    folder.put("site/style.css", "");
    let output = folder.based("write site -o out.xml", 0);
    assert_eq!(
        folder.locs("out.xml"),
        [
            "https://www.example.com/a%20b/",
            "https://www.example.com/about.html",
            "https://www.example.com/",
            "https://www.example.com/pretty",
            "https://www.example.com/%C3%BC%5B1%5D.htm",
        ]
    );
    output.says("1 page left out because of `noindex`");
    output.says("copy.html to https://www.example.com/about.html");
    // The time of a file is that of its build.
    output.says("0 of 5 pages do");
    let dated = |folder: &Folder| {
        let pages = folder.pages("out.xml");
        pages.iter().filter(|page| page.lastmod.is_some()).count()
    };
    assert_eq!(dated(&folder), 0);
    folder.based("write site -o out.xml --lastmod mtime", 0);
    assert_eq!(dated(&folder), 5);

    let options = "--lastmod none --clean-urls --match /about";
    folder.based(&format!("write site -o out.xml {options}"), 0);
    assert_eq!(folder.locs("out.xml"), ["https://www.example.com/about"]);
    assert!(folder.pages("out.xml")[0].lastmod.is_none());
}

#[test]
fn dates_of_commits() {
    let folder = Folder::new();
    folder.git("", "init -q", "");
    let commit = |date: &str| {
        folder.git("", "add -A", date);
        folder.git("", "commit -qm x", date);
    };
    folder.put("site/a.html", html(""));
    folder.put("site/sub/ü b.html", html(""));
    commit("2024-01-02T03:04:05+00:00");
    folder.put("site/a.html", html("<!-- new -->"));
    folder.put("elsewhere.html", html(""));
    commit("2024-05-06T07:08:09+02:00");
    folder.put("elsewhere.html", html("<!-- new -->"));
    commit("2025-01-01T00:00:00+00:00");
    folder.put("site/new.html", html(""));
    let output = folder.based("write site -o out.xml --lastmod git", 0);
    let pages = folder.pages("out.xml");
    let date = |page: &UrlEntry| page.lastmod.map(|date| date.to_string());
    let dates = pages.iter().map(|page| date(page).unwrap_or_default());
    let dates: Vec<_> = dates.map(|date| date.replace('Z', "+00:00")).collect();
    let expected = ["2024-05-06T07:08:09+02:00", "", "2024-01-02T03:04:05+00:00"];
    assert_eq!(dates, expected);
    output.says("1 page without lastmod");

    let outside = Folder::new();
    outside.put("site/a.html", html(""));
    let output = outside.based("write site -o out.xml --lastmod git", 2);
    output.says("git says");
}

/// Everything that is read is written, for every change in between.
#[test]
fn extensions_survive() {
    let folder = Folder::new();
    for name in [
        "extensions.xml",
        "urlset.xml",
        "urlset.xml.gz",
        "latin1.xml",
        "utf-16le.xml",
        "prefix.xml",
        "rss.xml",
    ] {
        let input = fixture(name);
        let expected = pages(Path::new(&input));
        for options in ["", "--sort loc", "--dedupe --sort lastmod"] {
            folder.must(&format!("edit {input} -o out.xml.gz {options}"), 0);
            let mut found = folder.pages("out.xml.gz");
            let mut expected = expected.clone();
            if !options.is_empty() {
                found.sort_by(|a, b| a.loc.cmp(&b.loc));
                expected.sort_by(|a, b| a.loc.cmp(&b.loc));
            }
            assert_eq!(found, expected, "{name} {options}");
        }
        let lines = expected
            .iter()
            .map(|page| serde_json::to_string(page).unwrap() + "\n");
        folder.put("pages.jsonl", lines.collect::<String>());
        folder.must("write pages.jsonl -o out.xml", 0);
        assert_eq!(folder.pages("out.xml"), expected, "{name}");
    }
}

#[test]
fn namespaces_are_declared_once() {
    let folder = Folder::new();
    let image = "{\"loc\":\"https://www.example.com/b\",\"images\":[{\"loc\":\"https://www.example.com/a.jpg\"}]}\n";
    let first = "{\"loc\":\"https://www.example.com/a\"}\n".to_owned();
    folder.put("pages.jsonl", first + &image.repeat(3));
    folder.must("write pages.jsonl -o out.xml", 0);
    assert_eq!(folder.read("out.xml").matches("xmlns:image").count(), 1);
}

#[test]
fn an_input_may_be_the_output() {
    let folder = listing(30);
    folder.based("write urls.txt --out public --max-entries 10", 0);
    folder.based("edit public --out public --sort loc --max-entries 20", 0);
    let mut sorted: Vec<String> = urls(30).lines().map(ToOwned::to_owned).collect();
    sorted.sort();
    let mut found = folder.locs("public/sitemap-1.xml");
    found.extend(folder.locs("public/sitemap-2.xml"));
    assert_eq!(found, sorted);
    assert!(!folder.path("public/sitemap-3.xml").exists());

    let part = "public/sitemap-2.xml";
    folder.must(&format!("edit {part} -o {part} --drop lastmod"), 0);
    assert_eq!(folder.locs("public/sitemap-2.xml"), sorted[20..]);
}

#[test]
fn incomplete_input_changes_nothing() {
    let folder = listing(30);
    folder.based("write urls.txt --out public --max-entries 10", 0);
    fs::remove_file(folder.path("public/sitemap-2.xml")).unwrap();
    let before = folder.files("public");
    let edit = format!("edit public/sitemap.xml --out public {BASE}");
    let output = folder.must(&edit, 2);
    output.says("the input is incomplete (public/sitemap.xml: ");
    output.says("https://www.example.com/sitemap-2.xml is not read");
    assert_eq!(folder.files("public"), before);
    folder.must(&format!("{edit} --allow-incomplete"), 1);
    assert_eq!(folder.locs("public/sitemap-1.xml").len(), 20);
}

#[test]
fn faults_are_counted_not_listed() {
    let folder = Folder::new();
    let page = "<url><loc>https://www.example.com/</loc><priority>high</priority></url>\n";
    folder.put("a.xml", format!("{URLSET}{}</urlset>", page.repeat(2_000)));
    let output = folder.must("edit a.xml -o b.xml", 0);
    assert!(output.said.lines().count() < 6, "{}", output.said);
    output.says("a.xml: 2,000 values cannot be used, the first at 1:");
}

#[test]
fn missing_parts_are_counted_not_listed() {
    let folder = Folder::new();
    let parts = (0..20_000).map(|number| {
        format!("<sitemap><loc>https://www.example.com/a/b/c/{number}.xml</loc></sitemap>\n")
    });
    let text = format!(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</sitemapindex>",
        parts.collect::<String>()
    );
    folder.put("index.xml", text);
    let output = folder.must("edit index.xml -o out.xml", 2);
    output.says("19,995 more");
    assert!(output.said.lines().count() < 12, "{}", output.said);
    assert!(!folder.path("out.xml").exists());
}

#[test]
fn many_pages_are_sorted_in_little_memory() {
    let folder = Folder::new();
    // Each URL twice; a prime step goes through all of them.
    let count = 150_000_u64;
    let pages = (0..2 * count).map(|number| {
        let (page, day) = (number * 7_919 % count, if number < count { 1 } else { 2 });
        format!("https://www.example.com/{page:07},2024-01-0{day}\n")
    });
    let lines = pages.collect::<String>();
    folder.put("pages.csv", format!("loc,lastmod\n{lines}"));
    folder.based("write pages.csv --out all", 0);
    let output = folder.based("edit all --out sorted --dedupe --sort loc --reverse", 0);
    output.says("150,000 duplicates");
    let mut expected = count;
    for part in 1..=3 {
        let path = folder.path(&format!("sorted/sitemap-{part}.xml"));
        for entry in Reader::from_path(path).unwrap() {
            let entry = entry.unwrap();
            expected -= 1;
            assert_eq!(entry.loc().path(), format!("/{expected:07}"));
            assert_eq!(entry.lastmod().unwrap().to_string(), "2024-01-02");
        }
    }
    assert_eq!(expected, 0);
}

#[test]
fn what_killed_runs_have_left_is_swept_by_the_next_run() {
    let folder = listing(3);
    folder.put("out/.file.xml.a1B2c3.part", "half");
    folder.put("out/.robots.txt.a1B2c3.part", "half");
    folder.put("out/.other.xml.a1B2c3.part", "of another target");
    folder.must("write urls.txt -o out/file.xml", 0);
    let robots = format!("--out set {BASE} --robots out/robots.txt");
    folder.must(&format!("write urls.txt {robots}"), 0);
    let files = folder.files("out");
    let names: Vec<_> = files
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, [".other.xml.a1B2c3.part", "file.xml", "robots.txt"]);
}

/// A run that is at work keeps its temporary file, whoever writes the same target meanwhile.
#[cfg(unix)]
#[test]
fn a_run_at_work_is_not_disturbed_by_another_one() {
    let folder = listing(3);
    fs::create_dir(folder.path("out")).unwrap();
    let (mut run, input) = folder.begun("-o out/file.xml", "out");
    folder.must("write urls.txt -o out/file.xml", 0);
    assert_eq!(folder.pages("out/file.xml").len(), 3);
    drop(input);
    assert!(ended(&mut run).success());
    assert_eq!(folder.pages("out/file.xml").len(), 20_000);
    assert_eq!(folder.files("out").len(), 1);
}

#[cfg(unix)]
#[test]
fn a_robots_txt_that_is_a_pipe_is_refused() {
    let folder = listing(3);
    folder.pipe("robots.txt");
    let mut run = folder
        .command(&format!(
            "write urls.txt --out set {BASE} --robots robots.txt"
        ))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(ended(&mut run).code(), Some(2));
    assert!(!folder.path("set/sitemap.xml").exists());
}

/// A price without a number is dropped, and its currency alone cannot be written.
#[test]
fn edit_names_the_cause() {
    let folder = Folder::new();
    let of_video: String = ["thumbnail_loc", "content_loc"]
        .map(|name| format!("<video:{name}>https://e.com/{name}</video:{name}>"))
        .concat();
    folder.put(
        "video.xml",
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'>\n\
             <url><loc>https://e.com/a</loc><video:video>{of_video}<video:title>t</video:title>\
             <video:description>d</video:description><video:price currency='EUR'>1,99</video:price>\
             </video:video></url></urlset>"
        ),
    );
    for options in ["", "--skip-invalid"] {
        let output = folder.must(&format!("edit video.xml -o out.xml {options}"), 2);
        output.says("video.xml:2: `1,99` is not a decimal number");
    }
}

/// Links for mobile devices have URLs, too; what cannot be changed, or is not written, is named.
#[test]
fn edit_names_what_is_left_behind() {
    let folder = Folder::new();
    folder.put(
        "in.xml",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x' \
         xmlns:xhtml='http://www.w3.org/1999/xhtml'>\n<x:md><x:of/></x:md><x:up/>\n\
         <url><loc>https://new.example/a</loc>\
         <xhtml:link rel='alternate' media='screen' href='https://old.example/m'/>\
         <x:map src='https://old.example/x.png'/></url>\
         <url><loc>https://gone.example/b</loc></url></urlset>",
    );
    let run = |hosts: &str| folder.must(&format!("edit in.xml -o out.xml --match /a {hosts}"), 0);
    let ran = run("--replace-host old.example=new.example --replace-host gone.example=x.example");
    let written = folder.read("out.xml");
    for url in [
        "href=\"https://new.example/m\"",
        "https://old.example/x.png",
    ] {
        assert!(written.contains(url), "{url}: {written}");
    }
    ran.says("warning: --replace-host old.example=new.example: 1 element of other namespaces still contains the host\n");
    ran.says("warning: 2 elements of other namespaces are in no entry, and are not written\n");
    // The page that a filter leaves out has it.
    ran.does_not_say("gone.example");
    run("--replace-host never.example=x.example").says(" has this host, with");
}

/// A news sitemap has no lastmod, as Google describes it.
#[test]
fn the_date_of_an_article_is_its_publication() {
    let folder = Folder::new();
    let article = |name: &str, date: &str| {
        format!(
            "<url><loc>https://e.com/{name}</loc><n:news><n:publication><n:name>N</n:name>\
             <n:language>en</n:language></n:publication><n:publication_date>{date}</n:publication_date>\
             <n:title>T</n:title></n:news></url>"
        )
    };
    let articles = [
        article("old", "2024-02-01T10:00:00Z"),
        article("new", "2024-02-03"),
    ]
    .concat();
    folder.put(
        "news.xml",
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'>{articles}</urlset>"
        ),
    );
    let ran = folder.must("show news.xml --since 2024-02-02 -f csv", 0);
    ran.prints(",publication_date\nurl,https://e.com/new,,,,2024-02-03\n");
    assert_eq!(ran.out.lines().count(), 2);
    folder
        .must("show news.xml", 0)
        .prints("2024-02-01T10:00:00Z");
    let ran = folder.must("diff news.xml news.xml --max-age 7d", 3);
    ran.says("the newest date is 2024-02-03, older than");
    folder.must("diff news.xml news.xml --max-age 10000days", 0);
    folder.must("edit news.xml --before 2024-02-02 -o out.xml", 0);
    assert_eq!(folder.locs("out.xml"), ["https://e.com/old"]);
    let ran = folder.must("report news.xml -f json --history runs.jsonl", 0);
    let newest = "\"newest\":\"2024-02-03\"";
    ran.prints(newest);
    assert!(folder.read("runs.jsonl").contains(newest));
    // What the list of `show` has is read again, without the date.
    folder.put("list.csv", folder.must("show news.xml -f csv", 0).out);
    folder.must("diff news.xml list.csv --fields loc,lastmod", 0);
}
