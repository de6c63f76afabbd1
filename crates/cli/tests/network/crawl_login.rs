//! A user and a password in a URL are sent to its origin only.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::program::formats;
use crate::served::{self, Ran, Served, http, https, index, ok, pages, redirect, status, urlset};

/// `me` and `s3cret/`, as a URL and as a header have them.
const LOGIN: &str = "me:s3cret%2F@";
const LOGIN_URL: &str = "https://me:s3cret@example.com/";
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
fn run(site: &Served, arguments: &str) -> Ran {
    hidden(site, site.run(arguments))
}

fn hidden(site: &Served, ran: Ran) -> Ran {
    assert_hidden(&ran.out);
    assert_hidden(&ran.said);
    ran.replace(&site.home.replace("://", "://***@"), "***@SITE/")
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
    let in_folder = |arguments: &str, status: i32| {
        let ran = hidden(&site, folder.run_on(&site, arguments));
        assert_eq!(ran.status, status, "{ran}");
        ran
    };
    let options = "--resume state.json --output pages.jsonl --cache cache \
        --format jsonl --source --retries 0";
    let ran = in_folder(&format!("crawl {home} {options}"), 1);
    for text in [
        "error: ***@SITE/lost.xml: 404 Not Found\n",
        "error: ***@SITE/away.xml: redirects to http://localhost:",
        "left-out.xml: on another host (see --other-hosts)\n",
    ] {
        ran.says(text);
    }
    let text = folder.read("pages.jsonl");
    let shown = text
        .replace(&site.home, "SITE/")
        .replace(&site.home.replace("://", "://***@"), "***@SITE/");
    let mut lines: Vec<&str> = shown.lines().collect();
    lines.sort_unstable();
    let line = |name: &str| {
        format!(r#"{{"type":"url","loc":"SITE/page/{name}","sitemap":"***@SITE/{name}"}}"#)
    };
    assert_eq!(lines, ["a.xml", "b.xml", "named.xml"].map(line));
    assert_not_stored(folder.0.path());

    // It is not stored, so it must be passed again.
    let again = in_folder(&format!("crawl SITE/ {options}"), 2);
    again.says("a crawl with a user and a password, which are not stored");
    in_folder(&format!("crawl {home} {options}"), 1);
    assert_eq!(folder.read("pages.jsonl"), text);

    for options in [
        "--format csv --source",
        "--format text --max-depth 1",
        "--max-sitemaps 2 --user-agent me",
    ] {
        run(&site, &format!("crawl {home} {options}"));
    }
    let csv = run(&site, &format!("crawl {home}a.xml --format csv --source"));
    csv.gives(
        0,
        "loc,lastmod,changefreq,priority,sitemap\nSITE/page/a.xml,,,,***@SITE/a.xml\n",
    );
    for (name, said) in [
        (
            "moved.xml",
            "redirected to ***@SITE/gone.xml: 404 Not Found",
        ),
        (
            "nowhere.xml",
            "redirects to `http://***@ho st/`, which is not a URL",
        ),
    ] {
        let ran = run(&site, &format!("crawl {home}{name}"));
        ran.gives(2, "");
        assert_eq!(ran.said, format!("error: ***@SITE/{name}: {said}\n"));
    }
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
    let header = |site: &Served, path: &str| site.header(path, "authorization");
    // Credentials in a URL that a server names are ignored.
    for (url, sent) in [
        (with_login(&site.at("a.xml")), Some(AUTHORIZATION)),
        (site.at("a.xml"), None),
    ] {
        let ran = run(&site, &format!("crawl {url}"));
        assert_eq!((ran.status, ran.out.lines().count()), (0, 1), "{ran}");
        for path in ["/a.xml", "/b.xml"] {
            assert_eq!(header(&site, path).as_deref(), sent, "{path}: {ran}");
        }
        assert_eq!(header(&other, "/a.xml"), None);
    }
    assert_eq!(other.count("/a.xml"), 2);
}

/// With the length of a body that does not follow, the server waits for it until the time is up.
#[test]
fn headers_that_cannot_be_sent_are_rejected() {
    let site = http(|_, home| ok(urlset(pages(home, "a", 1))));
    let crawl = |header: &str, status: i32| {
        let arguments = ["crawl", &site.at("a.xml"), "--header", header];
        let ran = hidden(&site, site.run_all(&arguments));
        assert_eq!(ran.status, status, "{header}");
        ran
    };
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
        let name = wrong.split(':').next().unwrap_or_default().to_lowercase();
        crawl(wrong, 2).says_first(&format!("error: --header cannot set {name}: "));
    }
    for wrong in ["s3cret", "X Token: s3cret", "X-Token: s3cret\nB: c"] {
        crawl(wrong, 2).says("--header number 1 is not a header");
    }
    assert_eq!(site.count("/a.xml"), 0);
    crawl("X-Token:  s3cret", 0);
    assert_eq!(site.header("/a.xml", "x-token").as_deref(), Some("s3cret"));
}

#[test]
fn no_command_shows_a_password() {
    let site = site();
    let home = with_login(&site.home);
    let (a, lost) = (format!("{home}a.xml"), format!("{home}lost.xml"));
    let show = run(&site, &format!("show {a} {a}"));
    show.prints("***@SITE/a.xml");
    show.prints("SITE/page/a.xml");
    show.says("***@SITE/a.xml");
    let lost_shown = run(&site, &format!("show {lost}"));
    assert_eq!(lost_shown.said, "error: ***@SITE/lost.xml: 404 Not Found\n");

    // The summary has one example per rule.
    for format in formats().iter().filter(|format| *format != "markdown") {
        let ran = run(
            &site,
            &format!("check {a} {lost} --format {format} --advice"),
        );
        assert_eq!(ran.status, 1, "{ran}");
        let file = match format.as_str() {
            "github" => format!("***@127.0.0.1%3A{}", site.home.rsplit_once(':').unwrap().1),
            _ => "***@SITE/".to_owned(),
        };
        ran.prints(&format!("{file}a.xml"));
        ran.prints(&format!("{file}lost.xml"));
    }
    let folder = Folder::new();
    folder
        .put("a.xml", "<urlset><url><loc>/a b</loc></url></urlset>")
        .put("urls.txt", "https://example.com/a\n");
    let elsewhere = with_login("https://example.com/");
    for (arguments, said) in [
        (format!("check a.xml --location {elsewhere}a.xml"), ""),
        (format!("diff {a} {a}"), ""),
        (format!("diff {a} {lost}"), ""),
        (format!("diff {a} {home}"), ""),
        (format!("edit {a} -o -"), ""),
        (format!("edit {lost} -o -"), ""),
        (
            format!("edit {home}index.xml -o -"),
            "***@SITE/away.xml: redirects to",
        ),
        (format!("write {a} -o -"), "sitemap edit ***@SITE/a.xml"),
        (format!("write urls.txt --base {elsewhere} --out set"), ""),
    ] {
        hidden(&site, folder.run_on(&site, &arguments)).says(said);
    }
    assert_not_stored(&folder.path("set"));
}

#[test]
fn a_wrong_command_line_shows_no_password() {
    let site = site();
    for arguments in [
        &["crawl", "https://me:s3cret@ho st/"][..],
        &["crawl", "me:s3cret@ho st"],
        &["crawl", "ftp://me:s3cret@example.com/"],
        &["crawl", "https://example.com", LOGIN_URL],
        &["show", "https://me:s3cret/@example.com/"],
        &["show", "ftp://me:s3cret@example.com/"],
        &["show", "--limit", LOGIN_URL],
        &["show", "--x=https://me:s3cret@example.com/"],
        &[LOGIN_URL],
        &["check", "--location", "https://me:s3cret@ho st/", "a.xml"],
        &[
            "write",
            "a.txt",
            "-ob",
            "--base",
            "https://me:s3cret@ho st/",
        ],
    ] {
        let ran = hidden(&site, site.run_all(arguments));
        assert_eq!(ran.status, 2, "{ran}");
    }
}

/// An error can contain any value of an option or of the configuration file.
#[test]
fn an_error_shows_no_password_of_any_option() {
    let site = site();
    let folder = Folder::new();
    folder.put("urls.txt", "https://example.com/a\n");
    let must = |arguments: &str| {
        let ran = hidden(&site, folder.run_on(&site, arguments));
        assert_eq!(ran.status, 2, "{ran}");
        ran.says("***@");
    };
    for config in [
        "location = 'https://me:s3cret@ho st/'",
        "location = '//me:s3cret@example.com/'",
        "deny = ['https://me:s3cret@example.com/']",
        "'https://me:s3cret@example.com/' = 1",
        "format = 'https://me:s3cret@example.com/'",
    ] {
        folder.put("own.toml", format!("[check]\n{config}\n"));
        must("check --config own.toml urls.txt");
    }
    let set = "write urls.txt -o set --base https://example.com/";
    for arguments in [
        "check --config LOGIN urls.txt",
        "check --deny LOGIN urls.txt",
        "check --explain LOGIN",
        "check --location //me:s3cret@h/ urls.txt",
        "show urls.txt --since LOGIN",
        "show //me:s3cret@h/",
        "write urls.txt -o LOGIN",
        &format!("{set} --name LOGIN"),
        &format!("{set} --robots LOGIN"),
        &format!("{set} --grace //me:s3cret@h/"),
        "edit urls.txt -o - --replace-host LOGIN=LOGIN",
        "edit urls.txt -o - --drop LOGIN=LOGIN",
        "edit urls.txt -o - --set-lastmod LOGIN",
        "crawl SITE/ --cacert LOGIN",
        "crawl SITE/ --resume LOGIN",
    ] {
        must(&arguments.replace("LOGIN", LOGIN_URL));
    }
}

/// Runs the program with the password in `$SITEMAP_PASSWORD`, and looks for it in all that it prints.
fn run_with_variable(site: &Served, arguments: &str) -> Ran {
    let mut command = site.command_of(arguments);
    command.env("SITEMAP_PASSWORD", "s3cret/");
    hidden(site, site.ran(command))
}

#[test]
fn every_command_sends_the_user_and_the_password() {
    let site = site();
    let folder = Folder::new();
    let file = folder.path("password");
    let file = format!("--user me --password-file {}", file.display());
    let wrong = "401 Unauthorized: the user or the password is wrong";
    let missing = "401 Unauthorized (use --user NAME";
    for ending in ["", "\n", "\r\n"] {
        folder.put("password", format!("s3cret/{ending}"));
        for arguments in [
            "crawl SITE/a.xml",
            "show SITE/a.xml",
            "check SITE/a.xml",
            "check SITE/a.xml --no-follow",
            "diff SITE/a.xml SITE/a.xml",
            "edit SITE/a.xml -o -",
        ] {
            let before = site.count("/a.xml");
            let ran = run(&site, &format!("{arguments} {file}"));
            assert!(ran.status <= 1 && site.count("/a.xml") > before, "{ran}");
            let sent = site.header("/a.xml", "authorization");
            assert_eq!(sent.as_deref(), Some(AUTHORIZATION), "{arguments:?}");
            let ran = run_with_variable(&site, &format!("{arguments} --user me"));
            assert!(ran.status <= 1, "{ran}");
            let without = run(&site, arguments);
            // A finding of `check` gives the reason.
            let status = if arguments.starts_with("check") { 1 } else { 2 };
            assert_eq!(without.status, status, "{without}");
            assert!(format!("{without}").contains(missing), "{without}");
        }
    }
    // The pages, not only their sitemap.
    let probe = "probe SITE/a.xml --delay 0 --format jsonl --user me";
    let ran = run_with_variable(&site, probe);
    assert_eq!(ran.status, 0, "{ran}");
    let sent = site.header("/page/a.xml", "authorization");
    assert_eq!(sent.as_deref(), Some(AUTHORIZATION));
    run_with_variable(&site, "show SITE/a.xml --user other").says(wrong);
    let all = run_with_variable(&site, "crawl SITE/ --user me --retries 0");
    assert_eq!((all.status, all.out.lines().count()), (1, 3), "{all}");
    // A site that shows nothing at all.
    for command in ["crawl", "check"] {
        let ran = run(&site, &format!("{command} SITE/"));
        assert_eq!(ran.status, 2, "{ran}");
        ran.says(missing);
        run_with_variable(&site, &format!("{command} SITE/ --user other")).says(wrong);
    }
}

/// One document is requested as the sitemaps of a crawl are.
#[test]
fn a_single_document_is_requested_as_those_of_a_crawl() {
    let plain = http(|_, home| ok(urlset(pages(home, "plain", 1))));
    let to = plain.at("a.xml");
    let site = https(
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
    let check = |document: &str, status: i32| {
        let check = format!("check SITE/{document} --no-follow --format json");
        site.must(&check, status)
    };
    check("moved.xml", 0);
    let times = site.times("/busy.xml");
    assert_eq!(times.len(), 2);
    assert!(times[1] - times[0] >= std::time::Duration::from_millis(900));
    for (document, text) in [
        ("hour.xml", "429 Too Many Requests, retry after 3600 s"),
        ("loop.xml", "redirects to itself"),
        ("long.xml", "the redirect's target is too long"),
        ("lost.xml", "404 Not Found"),
        (
            "plain.xml",
            "which is not encrypted (use --allow-downgrade to follow it)",
        ),
        (
            "busy.xml --max-bytes 100",
            "more than 100 bytes (--max-bytes)",
        ),
    ] {
        check(document, 1).prints(text);
    }
    assert_eq!(site.count("/hour.xml"), 1);
    assert_eq!(site.count("/loop.xml"), 1);
    check("plain.xml --allow-downgrade", 0);
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
    let names = ["authorization", "x-token"];
    let login = [Some(AUTHORIZATION), Some("s3cret")].map(|text| text.map(str::to_owned));
    let options = "--user me --header X-Token:s3cret";
    let others = &["/to.xml", "/child.xml"][..];
    for (command, status, asked, others) in [
        ("crawl SITE/ --other-hosts", 0, "/index.xml", others),
        ("check SITE/ --other-hosts", 1, "/index.xml", others),
        (
            "probe SITE/ --other-hosts --delay 0",
            1,
            "/index.xml",
            others,
        ),
        ("show SITE/a.xml", 0, "/a.xml", &others[..1]),
        ("edit SITE/a.xml -o -", 0, "/a.xml", &others[..1]),
    ] {
        let ran = run_with_variable(&site, &format!("{command} {options}"));
        assert!(ran.status <= status, "{ran}");
        let sent = names.map(|name| site.header(asked, name));
        assert_eq!(sent, login, "{ran}");
        for path in others {
            assert!(other.count(path) > 0, "{path}: {ran}");
            let sent = names.map(|name| other.header(path, name));
            assert_eq!(sent, [None, None], "{path}: {ran}");
        }
    }
    assert!(other.count("/other/0") > 0);
    assert_eq!(other.header("/other/0", "authorization"), None);
    // From https to http on the same host, which is another origin.
    let plain = http(|_, home| ok(urlset(pages(home, "plain", 1))));
    let to = plain.at("a.xml");
    let secure = https(move |_, _| redirect(&to));
    let refused = "which is not encrypted (use --allow-downgrade to follow it)";
    for (follow, status, count, said) in
        [("", 2, 0, refused), ("--allow-downgrade", 0, 1, "1 entry")]
    {
        let ran = run_with_variable(&secure, &format!("crawl SITE/a.xml {options} {follow}"));
        assert_eq!(
            (ran.status, plain.count("/a.xml")),
            (status, count),
            "{ran}"
        );
        ran.says(said);
        let sent = names.map(|name| plain.header("/a.xml", name));
        assert_eq!(sent, [None, None], "{ran}");
    }
}

#[test]
fn a_wrong_login_on_the_command_line_is_named() {
    let site = site();
    let folder = Folder::new();
    folder
        .put("empty", "\n")
        .put("pages.txt", "https://example.com/\n");
    let list = "--user me --password-file pages.txt";
    for (arguments, text) in [
        (
            "show SITE/a.xml --user me",
            "set $SITEMAP_PASSWORD, or use --password-file",
        ),
        (
            "show SITE/a.xml --user me --password-file empty",
            "is empty",
        ),
        (
            "show SITE/a.xml --user me --password-file missing",
            "missing",
        ),
        ("show SITE/a.xml --password-file empty", "--user"),
        (
            "show SITE/a.xml --user me:s3cret/",
            "--user takes a name without a colon",
        ),
        (
            &format!("show {} {list}", with_login(&site.at("a.xml"))),
            "in the URL and in --user",
        ),
        (&format!("show pages.txt {list}"), "no input is a URL"),
        (
            &format!("diff SITE/a.xml http://127.0.0.1:1/ {list}"),
            "are for one origin",
        ),
        (
            "show SITE/a.xml http://127.0.0.1:1/ --header X-Token:s3cret",
            "are for one origin",
        ),
    ] {
        let ran = hidden(&site, folder.must_on(&site, arguments, 2));
        ran.says(text);
    }
    assert_eq!(site.paths(), Vec::<String>::new());
    let mut command = site.command_of("show SITE/a.xml --user me");
    command.env("SITEMAP_PASSWORD", "");
    site.ran(command).says("$SITEMAP_PASSWORD is empty");
}
