//! A user and a password in a URL are sent to its origin only.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::program::formats;
use crate::served::{self, Ran, Served, http, index, ok, pages, redirect, status, urlset};

/// `me` and `s3cret/`, as a URL and as a header have them.
const LOGIN: &str = "me:s3cret%2F@";
const AUTHORIZATION: &str = "Basic bWU6czNjcmV0Lw==";
/// Texts that the output must not contain.
const SECRETS: [&str; 2] = ["s3cret", "bWU6czNjcmV0Lw"];

/// A site that requires a password.
fn site() -> Served {
    http(|asked, home| {
        let elsewhere = home.replace("127.0.0.1", "localhost");
        if asked.headers.get("authorization").map(String::as_str) != Some(AUTHORIZATION) {
            return status(401);
        }
        match asked.path.as_str() {
            "/robots.txt" => ok(format!(
                "Sitemap: {home}index.xml\nSitemap: /lost.xml\nSitemap: {}named.xml\n",
                home.replace("://", "://other:s3cret@")
            )),
            "/index.xml" => ok(index([
                format!("{home}a.xml"),
                home.replace("://", "://other:s3cret@") + "b.xml",
                format!("{home}away.xml"),
                elsewhere.replace("://", "://other:s3cret@") + "left-out.xml",
            ])),
            "/away.xml" => redirect(&(elsewhere.replace("://", "://other:s3cret@") + "c.xml")),
            "/moved.xml" => redirect(&(home.replace("://", "://other:s3cret@") + "gone.xml")),
            "/nowhere.xml" => redirect("http://other:s3cret@ho st/"),
            "/lost.xml" | "/gone.xml" => status(404),
            // A relative URL is resolved against the place of the sitemap.
            path => ok(format!(
                "<urlset xmlns='{}'><url><loc>/page{path}</loc><priority>7</priority></url></urlset>",
                served::NAMESPACE
            ))
            .header("ETag", "\"1\""),
        }
    })
}

fn with_login(url: &str) -> String {
    url.replace("://", &format!("://{LOGIN}"))
}

fn assert_hidden(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{text}");
    }
}

/// Runs the program and looks for the password in all that it prints.
fn run(site: &Served, arguments: &[&str]) -> Ran {
    let ran = Ran::new(site.command(arguments).output().unwrap(), &site.home);
    assert_hidden(&ran.out);
    assert_hidden(&ran.said);
    let shown = site.home.replace("://", "://***@");
    Ran {
        out: ran.out.replace(&shown, "***@SITE/"),
        said: ran.said.replace(&shown, "***@SITE/"),
        ..ran
    }
}

/// Looks for it in all files.
fn assert_not_stored(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_not_stored(&path)
        } else {
            assert_hidden(&String::from_utf8_lossy(&fs::read(path).unwrap()))
        }
    }
}

#[test]
fn a_crawl_shows_and_stores_no_password() {
    let site = site();
    let home = with_login(&site.home);
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (state, output, cache) = (at("state.json"), at("pages.jsonl"), at("cache"));
    let files = ["--resume", &state, "--output", &output, "--cache", &cache];
    let form = ["--format", "jsonl", "--source", "--retries", "0"];
    let ran = run(&site, &[&["crawl", &home], &files[..], &form].concat());
    assert_eq!(ran.status, 1, "{}", ran.said);
    for text in [
        "error: ***@SITE/lost.xml: 404 Not Found\n",
        "error: ***@SITE/away.xml: redirects to http://localhost:",
        "left-out.xml: on another host (see --other-hosts)\n",
    ] {
        assert!(ran.said.contains(text), "{text}: {}", ran.said);
    }
    let text = fs::read_to_string(&output).unwrap();
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.replace(&site.home, "SITE/"))
        .map(|line| line.replace(&site.home.replace("://", "://***@"), "***@SITE/"))
        .collect();
    lines.sort_unstable();
    let line = |name: &str| {
        format!(r#"{{"type":"url","loc":"SITE/page/{name}","sitemap":"***@SITE/{name}"}}"#)
    };
    assert_eq!(lines, ["a.xml", "b.xml", "named.xml"].map(line));
    assert_not_stored(folder.0.path());

    // It is not stored, so it must be passed again.
    let again = run(&site, &[&["crawl", &site.home], &files[..], &form].concat());
    assert_eq!(again.status, 2);
    again.says("a crawl with a user and a password, which are not stored");
    let again = run(&site, &[&["crawl", &home], &files[..], &form].concat());
    assert_eq!(again.status, 1, "{}", again.said);
    assert_eq!(fs::read_to_string(&output).unwrap(), text);

    for arguments in [
        &["--format", "csv", "--source"][..],
        &["--format", "text", "--max-depth", "1"],
        &["--max-sitemaps", "2", "--user-agent", "me"],
    ] {
        run(&site, &[&["crawl", &home], arguments].concat());
    }
    let csv = run(
        &site,
        &[
            "crawl",
            &with_login(&site.at("a.xml")),
            "--format",
            "csv",
            "--source",
        ],
    );
    assert_eq!(
        csv.out,
        "loc,lastmod,changefreq,priority,sitemap\nSITE/page/a.xml,,,,***@SITE/a.xml\n"
    );
    let moved = run(&site, &["crawl", &with_login(&site.at("moved.xml"))]);
    assert_eq!(
        (moved.status, moved.said.as_str()),
        (
            2,
            "error: ***@SITE/moved.xml: redirected to ***@SITE/gone.xml: 404 Not Found\n"
        )
    );
    let nowhere = run(&site, &["crawl", &with_login(&site.at("nowhere.xml"))]);
    assert_eq!(
        nowhere.said,
        "error: ***@SITE/nowhere.xml: redirects to `http://***@ho st/`, which is not a URL\n"
    );
}

#[test]
fn a_login_goes_to_its_origin_alone() {
    let other = http(|_, home| ok(urlset(pages(home, "other", 1))));
    let to = other.at("a.xml").replace("://", "://other:s3cret@");
    let site = http(move |asked, _| match asked.path.as_str() {
        "/a.xml" => redirect("/b.xml"),
        "/b.xml" => redirect(&to),
        _ => status(404),
    });
    let ran = run(&site, &["crawl", &with_login(&site.at("a.xml"))]);
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (0, 1),
        "{}",
        ran.said
    );
    let header = |site: &Served, path: &str| site.header(path, "authorization");
    assert_eq!(header(&site, "/a.xml").as_deref(), Some(AUTHORIZATION));
    assert_eq!(header(&site, "/b.xml").as_deref(), Some(AUTHORIZATION));
    assert_eq!((other.count("/a.xml"), header(&other, "/a.xml")), (1, None));
    // Credentials in a URL that a server names are ignored.
    let plain = run(&site, &["crawl", &site.at("a.xml")]);
    assert_eq!(plain.status, 0);
    assert_eq!(header(&site, "/a.xml"), None);
    assert_eq!(header(&other, "/a.xml"), None);
}

#[test]
fn a_header_goes_to_its_origin_alone() {
    let other = http(|_, home| ok(urlset(pages(home, "other", 1))));
    let to = other.at("a.xml");
    let site = http(move |asked, _| match asked.path.as_str() {
        "/a.xml" => redirect(&to),
        _ => status(404),
    });
    let url = site.at("a.xml");
    let ran = run(&site, &["crawl", &url, "--header", "X-Token:  s3cret"]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    assert_eq!(site.header("/a.xml", "x-token").as_deref(), Some("s3cret"));
    assert_eq!(
        (other.count("/a.xml"), other.header("/a.xml", "x-token")),
        (1, None)
    );
    for wrong in ["s3cret", "X Token: s3cret", "X-Token: s3cret\nB: c"] {
        let ran = run(&site, &["crawl", &url, "--header", wrong]);
        assert_eq!(ran.status, 2);
        assert!(
            ran.said.contains("--header number 1 is not a header") && !ran.said.contains("s3cret"),
            "{}",
            ran.said
        );
    }
}

/// With the length of a body that does not follow, the server waits for it until the time is up.
#[test]
fn headers_of_the_connection_are_rejected() {
    let site = http(|_, _| ok(urlset([])));
    for wrong in [
        "Content-Length: 5",
        "transfer-encoding: chunked",
        "Connection: close",
        "Expect: 100-continue",
        "Trailer: X",
        "Upgrade: h2c",
        "TE: trailers",
        "Keep-Alive: s3cret",
    ] {
        let ran = run(&site, &["crawl", &site.at("a.xml"), "--header", wrong]);
        let name = wrong.split(':').next().unwrap_or_default().to_lowercase();
        let why = format!("error: --header cannot set {name}: ");
        assert_eq!(ran.status, 2, "{wrong}");
        assert!(ran.said.starts_with(&why), "{}", ran.said);
        ran.does_not_say("s3cret");
    }
    assert_eq!(site.count("/a.xml"), 0);
}

#[test]
fn no_command_shows_a_password() {
    let site = site();
    let (a, lost) = (
        with_login(&site.at("a.xml")),
        with_login(&site.at("lost.xml")),
    );
    let show = run(&site, &["show", &a, &a]);
    assert!(show.out.contains("***@SITE/a.xml"), "{}", show.out);
    assert!(show.out.contains("SITE/page/a.xml"), "{}", show.out);
    show.says("***@SITE/a.xml");
    let lost_shown = run(&site, &["show", &lost]);
    assert_eq!(lost_shown.said, "error: ***@SITE/lost.xml: 404 Not Found\n");

    // The summary has one example per rule.
    for format in formats().iter().filter(|format| *format != "markdown") {
        let ran = run(&site, &["check", &a, &lost, "--format", format, "--advice"]);
        assert_eq!(ran.status, 1, "{format}: {}", ran.said);
        for name in ["a.xml", "lost.xml"] {
            let file = match format.as_str() {
                "github" => format!("***@127.0.0.1%3A{}", site.home.rsplit_once(':').unwrap().1),
                _ => "***@SITE/".to_owned(),
            };
            assert!(
                ran.out.contains(&format!("{file}{name}")),
                "{format}: {}",
                ran.out
            );
        }
    }
    let folder = Folder::new();
    let file = folder.path("a.xml");
    fs::write(&file, "<urlset><url><loc>/a b</loc></url></urlset>").unwrap();
    let file = file.to_str().unwrap();
    run(
        &site,
        &[
            "check",
            file,
            "--location",
            &with_login("https://example.com/a.xml"),
        ],
    );

    run(&site, &["diff", &a, &a]);
    run(&site, &["diff", &a, &lost]);
    run(&site, &["diff", &a, &with_login(&site.home)]);
    run(&site, &["edit", &a, "-o", "-"]);
    run(&site, &["edit", &lost, "-o", "-"]);
    let index = run(
        &site,
        &["edit", &with_login(&site.at("index.xml")), "-o", "-"],
    );
    index.says("***@SITE/away.xml: redirects to");
    let write = run(&site, &["write", &a, "-o", "-"]);
    write.says("sitemap edit ***@SITE/a.xml");
    let urls = folder.path("urls.txt");
    fs::write(&urls, "https://example.com/a\n").unwrap();
    let set = folder.path("set");
    let base = with_login("https://example.com/");
    let written = run(
        &site,
        &[
            "write",
            urls.to_str().unwrap(),
            "--base",
            &base,
            "--out",
            set.to_str().unwrap(),
        ],
    );
    assert_eq!(written.status, 0, "{}", written.said);
    assert_not_stored(&set);
}

#[test]
fn a_wrong_command_line_shows_no_password() {
    let site = site();
    for arguments in [
        &["crawl", "https://me:s3cret@ho st/"][..],
        &["crawl", "me:s3cret@ho st"],
        &["crawl", "ftp://me:s3cret@example.com/"],
        &[
            "crawl",
            "https://example.com",
            "https://me:s3cret@example.com/",
        ],
        &["show", "https://me:s3cret/@example.com/"],
        &["show", "ftp://me:s3cret@example.com/"],
        &["show", "--limit", "https://me:s3cret@example.com/"],
        &["show", "--x=https://me:s3cret@example.com/"],
        &["https://me:s3cret@example.com/"],
        &["check", "--location", "https://me:s3cret@ho st/", "a.xml"],
        &[
            "write",
            "a.txt",
            "-o",
            "b",
            "--base",
            "https://me:s3cret@ho st/",
        ],
    ] {
        let ran = run(&site, arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
    }
}

/// An error can contain any value of an option or of the configuration file.
#[test]
fn an_error_shows_no_password_of_any_option() {
    let site = site();
    let folder = Folder::new();
    let put = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let urls = put("urls.txt", "https://example.com/a\n");
    let set = folder.path("set").to_str().unwrap().to_owned();
    let login = "https://me:s3cret@example.com/";
    for config in [
        "location = 'https://me:s3cret@ho st/'",
        "location = '//me:s3cret@example.com/'",
        "deny = ['https://me:s3cret@example.com/']",
        "'https://me:s3cret@example.com/' = 1",
        "format = 'https://me:s3cret@example.com/'",
    ] {
        let config = put("sitemap.toml", &format!("[check]\n{config}\n"));
        let ran = run(&site, &["check", "--config", &config, &urls]);
        assert_eq!(ran.status, 2, "{}", ran.said);
        ran.says("***@");
    }
    let twice = format!("{login}={login}");
    let base = "https://example.com/";
    for arguments in [
        &["check", "--config", login, &urls][..],
        &["check", "--deny", login, &urls],
        &["check", "--explain", login],
        &["check", "--location", "//me:s3cret@h/", &urls],
        &["show", &urls, "--since", login],
        &["show", "//me:s3cret@h/"],
        &["write", &urls, "-o", login],
        &["write", &urls, "-o", &set, "--base", base, "--name", login],
        &[
            "write", &urls, "-o", &set, "--base", base, "--robots", login,
        ],
        &[
            "write",
            &urls,
            "-o",
            &set,
            "--base",
            base,
            "--grace",
            "//me:s3cret@h/",
        ],
        &["edit", &urls, "-o", "-", "--replace-host", &twice],
        &["edit", &urls, "-o", "-", "--drop", &twice],
        &["edit", &urls, "-o", "-", "--set-lastmod", login],
        &["crawl", &site.home, "--cacert", login],
        &["crawl", &site.home, "--resume", login],
    ] {
        let ran = run(&site, arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.said);
        assert!(ran.said.contains("***@"), "{arguments:?}: {}", ran.said);
    }
}

/// Runs the program with the password in `$SITEMAP_PASSWORD`, and looks for it in all that it prints.
fn run_with_variable(site: &Served, arguments: &[&str]) -> Ran {
    let mut command = site.command(arguments);
    let output = command.env("SITEMAP_PASSWORD", "s3cret/").output();
    let ran = Ran::new(output.unwrap(), &site.home);
    assert_hidden(&ran.out);
    assert_hidden(&ran.said);
    ran
}

#[test]
fn every_command_sends_the_user_and_the_password() {
    let site = site();
    let a = site.at("a.xml");
    let folder = Folder::new();
    let file = folder.path("password");
    let file = file.to_str().unwrap();
    let user = ["--user", "me"];
    for ending in ["", "\n", "\r\n"] {
        fs::write(file, format!("s3cret/{ending}")).unwrap();
        for arguments in [
            &["crawl", &a][..],
            &["show", &a],
            &["check", &a],
            &["check", &a, "--no-follow"],
            &["diff", &a, &a],
            &["edit", &a, "-o", "-"],
        ] {
            let before = site.count("/a.xml");
            let ran = run(
                &site,
                &[arguments, &user, &["--password-file", file]].concat(),
            );
            assert!(ran.status <= 1, "{arguments:?}: {}", ran.said);
            assert!(site.count("/a.xml") > before);
            let sent = site.header("/a.xml", "authorization");
            assert_eq!(sent.as_deref(), Some(AUTHORIZATION), "{arguments:?}");
            let ran = run_with_variable(&site, &[arguments, &user].concat());
            assert!(ran.status <= 1, "{arguments:?}: {}", ran.said);
            let without = run(&site, arguments);
            // A finding of `check` gives the reason.
            let status = if arguments[0] == "check" { 1 } else { 2 };
            assert_eq!(without.status, status, "{arguments:?}: {}", without.said);
            let says = format!("{}{}", without.said, without.out);
            assert!(
                says.contains("401 Unauthorized (use --user NAME"),
                "{arguments:?}: {says}"
            );
        }
    }
    // The pages, not only their sitemap.
    let probe = ["probe", &a, "--delay", "0", "--format", "jsonl"];
    let ran = run_with_variable(&site, &[&probe[..], &user].concat());
    assert_eq!(ran.status, 0, "{}{}", ran.said, ran.out);
    let sent = site.header("/page/a.xml", "authorization");
    assert_eq!(sent.as_deref(), Some(AUTHORIZATION));
    let wrong = run_with_variable(&site, &["show", &a, "--user", "other"]);
    let says = "401 Unauthorized: the user or the password is wrong";
    wrong.says(says);
    let all = run_with_variable(
        &site,
        &["crawl", &site.home, "--user", "me", "--retries", "0"],
    );
    assert_eq!(
        (all.status, all.out.lines().count()),
        (1, 3),
        "{}",
        all.said
    );
    // A site that shows nothing at all.
    for command in ["crawl", "check"] {
        let ran = run(&site, &[command, &site.home]);
        assert_eq!(ran.status, 2, "{command}: {}", ran.said);
        ran.says("401 Unauthorized (use --user NAME");
        let ran = run_with_variable(&site, &[command, &site.home, "--user", "other"]);
        let says = "401 Unauthorized: the user or the password is wrong";
        ran.says(says);
    }
}

/// One document is requested as the sitemaps of a crawl are.
#[test]
fn a_single_document_is_requested_as_those_of_a_crawl() {
    let plain = http(|_, home| ok(urlset(pages(home, "plain", 1))));
    let to = plain.at("a.xml");
    let site = served::https(
        move |asked, home| match (asked.path.as_str(), asked.before) {
            ("/busy.xml", 0) => status(503).header("Retry-After", "1"),
            ("/hour.xml", _) => status(429).header("Retry-After", "3600"),
            ("/loop.xml", _) => redirect("/loop.xml"),
            ("/moved.xml", _) => redirect("/busy.xml"),
            ("/plain.xml", _) => redirect(&to),
            ("/long.xml", _) => redirect(&format!("/{}", "x".repeat(3_000))),
            ("/lost.xml", _) => status(404),
            (path, _) => ok(urlset(pages(home, path.trim_matches('/'), 2))),
        },
    );
    let check = |path: &str, rest: &[&str]| {
        let url = site.at(path);
        let arguments = ["check", &url, "--no-follow", "--format", "json"];
        run(&site, &[&arguments[..], rest].concat())
    };
    let ran = check("moved.xml", &[]);
    let asked = site.count("/busy.xml");
    assert_eq!((ran.status, asked), (0, 2), "{}{}", ran.said, ran.out);
    let times = site.times("/busy.xml");
    assert!(times[1] - times[0] >= std::time::Duration::from_millis(900));
    for (path, rest, text) in [
        (
            "hour.xml",
            &[][..],
            "429 Too Many Requests, retry after 3600 s",
        ),
        ("loop.xml", &[], "redirects to itself"),
        ("long.xml", &[], "the redirect's target is too long"),
        ("lost.xml", &[], "404 Not Found"),
        (
            "plain.xml",
            &[],
            "which is not encrypted (use --allow-downgrade to follow it)",
        ),
        (
            "busy.xml",
            &["--max-bytes", "100"],
            "more than 100 bytes (--max-bytes)",
        ),
    ] {
        let ran = check(path, rest);
        assert_eq!(ran.status, 1, "{path}: {}", ran.out);
        assert!(ran.out.contains(text), "{path}: {}", ran.out);
    }
    assert_eq!(site.count("/hour.xml"), 1);
    assert_eq!(site.count("/loop.xml"), 1);
    assert_eq!(check("plain.xml", &["--allow-downgrade"]).status, 0);
}

#[test]
fn a_user_and_a_header_go_to_one_origin_alone() {
    let other = http(|_, home| ok(urlset(pages(home, "other", 1))));
    let (to, child) = (other.at("to.xml"), other.at("child.xml"));
    let site = http(move |asked, home| match asked.path.as_str() {
        "/robots.txt" => ok("Sitemap: /index.xml"),
        "/index.xml" => ok(index([child.clone(), format!("{home}a.xml")])),
        "/a.xml" => redirect(&to),
        _ => status(404),
    });
    let options = [
        "--user",
        "me",
        "--header",
        "X-Token: s3cret",
        "--other-hosts",
    ];
    for command in ["crawl", "check", "probe"] {
        let arguments = [&[command, &site.home][..], &options].concat();
        let ran = run_with_variable(&site, &[&arguments[..], &["--delay", "0"]].concat());
        assert!(ran.status <= 1, "{command}: {}", ran.said);
        let sent = site.header("/index.xml", "authorization");
        assert_eq!(sent.as_deref(), Some(AUTHORIZATION), "{command}");
        let sent = site.header("/index.xml", "x-token");
        assert_eq!(sent.as_deref(), Some("s3cret"), "{command}");
        for path in ["/to.xml", "/child.xml"] {
            assert!(other.count(path) > 0, "{command}: {path}");
            for name in ["authorization", "x-token"] {
                assert_eq!(other.header(path, name), None, "{command}: {path}");
            }
        }
    }
    assert!(other.count("/other/0") > 0);
    assert_eq!(other.header("/other/0", "authorization"), None);
    let a = site.at("a.xml");
    for (command, rest) in [("show", &[][..]), ("edit", &["-o", "-"])] {
        let arguments = [&[command, &a][..], &options[..4], rest].concat();
        let ran = run_with_variable(&site, &arguments);
        assert_eq!(ran.status, 0, "{command}: {}", ran.said);
        let sent = site.header("/a.xml", "x-token");
        assert_eq!(sent.as_deref(), Some("s3cret"), "{command}");
        assert_eq!(other.header("/to.xml", "authorization"), None, "{command}");
        assert_eq!(other.header("/to.xml", "x-token"), None, "{command}");
    }
    // From https to http on the same host, which is another origin.
    let plain = http(|_, home| ok(urlset(pages(home, "plain", 1))));
    let to = plain.at("a.xml");
    let secure = served::https(move |_, _| redirect(&to));
    let url = secure.at("a.xml");
    for follow in [&[][..], &["--allow-downgrade"]] {
        let arguments = [&["crawl", &url][..], &options[..4], follow].concat();
        let ran = run_with_variable(&secure, &arguments);
        assert_eq!(
            ran.status,
            if follow.is_empty() { 2 } else { 0 },
            "{}",
            ran.said
        );
        assert_eq!(plain.count("/a.xml"), follow.len());
        assert_eq!(plain.header("/a.xml", "authorization"), None);
        assert_eq!(plain.header("/a.xml", "x-token"), None);
    }
}

#[test]
fn a_wrong_login_on_the_command_line_is_named() {
    let site = site();
    let a = site.at("a.xml");
    let folder = Folder::new();
    let at = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (empty, missing) = (at("empty"), at("missing"));
    fs::write(&empty, "\n").unwrap();
    let (other, login) = ("http://127.0.0.1:1/", with_login(&a));
    let list = at("pages.txt");
    fs::write(&list, "https://example.com/\n").unwrap();
    for (arguments, text) in [
        (
            &["show", &a, "--user", "me"][..],
            "set $SITEMAP_PASSWORD, or use --password-file",
        ),
        (
            &["show", &a, "--user", "me", "--password-file", &empty],
            "is empty",
        ),
        (
            &["show", &a, "--user", "me", "--password-file", &missing],
            "missing",
        ),
        (&["show", &a, "--password-file", &empty], "--user"),
        (
            &["show", &a, "--user", "me:s3cret/"],
            "--user takes a name without a colon",
        ),
        (
            &["show", &login, "--user", "me", "--password-file", &list],
            "in the URL and in --user",
        ),
        (
            &["show", &list, "--user", "me", "--password-file", &list],
            "no input is a URL",
        ),
        (
            &["diff", &a, other, "--user", "me", "--password-file", &list],
            "are for one origin",
        ),
        (
            &["show", &a, other, "--header", "X-Token: s3cret"],
            "are for one origin",
        ),
    ] {
        let ran = run(&site, arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.said);
        assert!(ran.said.contains(text), "{arguments:?}: {}", ran.said);
    }
    assert_eq!(site.paths(), Vec::<String>::new());
    let output = site
        .command(&["show", &a, "--user", "me"])
        .env("SITEMAP_PASSWORD", "")
        .output()
        .unwrap();
    let ran = Ran::new(output, &site.home);
    ran.says("$SITEMAP_PASSWORD is empty");
}
