//! `sitemap write` of a folder of HTML files: dates, languages, images, and what is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, SystemTime};

use super::BASE;
use crate::folder::Folder;

/// The lastmod of each path, empty if there is none.
fn dates(folder: &Folder, file: &str) -> BTreeMap<String, String> {
    let pages = folder.pages(file).into_iter();
    pages
        .map(|page| {
            let date = page.lastmod.map(|date| date.to_string());
            (page.loc.path().to_owned(), date.unwrap_or_default())
        })
        .collect()
}

/// One page of a generator, of the build with that number.
fn built(number: usize, build: usize, text: &str) -> String {
    let hash = |salt: usize| {
        format!(
            "{:08x}a7",
            (number + 1) * 2_654_435 + build * 77_777_777 + salt
        )
    };
    format!(
        "<!DOCTYPE html>\n<html lang=en data-build={build}>\n<head><title>Page {number}</title>\n\
         <link rel=stylesheet href=/assets/site.{0}.css><script src=/assets/app-{1}.js></script>\n\
         <meta name=description content='About {number}'><meta name=generator content='made by build {build}'></head>\n\
         <body><!-- built {build} --><nav><a href=/>Home</a> <a href=/{number}.html>Here</a></nav>{2}\n\
         <main><h1>Page {number}</h1>{2}<p>{text}</p><img src='/assets/cat.{0}.png?v={build}' alt=Cat>\n\
         <img src=/assets/dog-{1}.webp><a href=/files/guide.{1}.pdf>Guide</a></main><script>build({build})</script></body></html>",
        hash(1),
        hash(2),
        if build.is_multiple_of(2) {
            "\n\n  "
        } else {
            ""
        },
    )
}

/// Built twice, with other times, other fingerprints and ten edited pages: ten dates move.
#[test]
fn ten_edited_pages_of_ten_thousand() {
    const PAGES: usize = 10_000;
    let folder = Folder::new();
    let is_edited = |number: usize| number % 1_000 == 7;
    let build = |build: usize| {
        for number in 0..PAGES {
            let is_edited = build > 0 && is_edited(number);
            let text = if is_edited {
                "An edited text."
            } else {
                "A text."
            };
            let name = format!("site/{}/{number}.html", number % 10);
            folder.put(&name, built(number, build, text));
        }
    };
    let write = format!("write site -o out.xml --state state.jsonl --first now {BASE}");
    build(0);
    folder.must(&write, 0);
    let (before, state) = (dates(&folder, "out.xml"), folder.read("state.jsonl"));
    assert_eq!(before.len(), PAGES);
    // The last line seals the others.
    assert_eq!(state.lines().count(), PAGES + 1);
    // Dates have whole seconds.
    std::thread::sleep(Duration::from_millis(1_100));
    build(1);
    let output = folder.must(&write, 0);
    output.says("0 pages new, 10 changed, 0 moved, 9,990 the same");
    let after = dates(&folder, "out.xml");
    let moved = after.iter().filter(|(path, date)| before[*path] != **date);
    let moved: BTreeMap<_, _> = moved.collect();
    let edited = (0..PAGES).filter(|number| is_edited(*number));
    let edited = edited.map(|number| format!("/{}/{number}.html", number % 10));
    let paths: BTreeSet<String> = moved.keys().map(|path| path.to_string()).collect();
    assert_eq!(paths, edited.collect());
    assert!(moved.iter().all(|(path, date)| **date > before[*path]));
    // In the state, too, ten lines have changed, and the seal.
    let new = folder.read("state.jsonl");
    let changed = state.lines().zip(new.lines()).filter(|(a, b)| a != b);
    assert_eq!((new.lines().count(), changed.count()), (PAGES + 1, 11));
    assert!(new.lines().is_sorted());
    // No other file is next to it.
    assert_eq!(folder.files("").len(), 2);
}

#[test]
fn where_the_first_date_comes_from() {
    let folder = Folder::new();
    let page = |head: &str| format!("<html><head>{head}</head><body>x{head}</body></html>");
    let own = page("<meta property=article:modified_time content=2024-05-06>");
    folder.put("site/own.html", own);
    folder.put("site/none.html", page(""));
    let state = "--state state.jsonl";
    folder.based(&format!("write site -o out.xml {state}"), 0);
    let own = [("/none.html", ""), ("/own.html", "2024-05-06")];
    let own = BTreeMap::from(own.map(|(path, date)| (path.to_owned(), date.to_owned())));
    assert_eq!(dates(&folder, "out.xml"), own);
    // The dates are those of the page itself; only the state contains them.
    folder.based("write site -o page.xml", 0);
    assert_eq!(dates(&folder, "page.xml"), own);
    // A changed page gets the time of the run, one that moves keeps its date.
    folder.put("site/none.html", page("<title>New</title>"));
    fs::rename(folder.path("site/own.html"), folder.path("site/moved.html")).unwrap();
    let output = folder.based(&format!("write site -o out.xml {state}"), 0);
    output.says("0 pages new, 1 changed, 1 moved, 0 the same; 0 without lastmod");
    let found = dates(&folder, "out.xml");
    assert_eq!(found["/moved.html"], "2024-05-06");
    assert!(*found["/none.html"] > *"2025", "{found:?}");
    // A folder that is not committed has no other date.
    let fresh = Folder::new();
    fresh.put("site/a.html", page(""));
    fresh.based(&format!("write site -o out.xml {state}"), 0);
    assert_eq!(dates(&fresh, "out.xml")["/a.html"], "");
    fresh.based("write site -o out.xml --state other.jsonl --first now", 0);
    assert!(*dates(&fresh, "out.xml")["/a.html"] > *"2025");
}

#[test]
fn the_content_may_be_one_element() {
    let folder = Folder::new();
    let put = |main: &str, footer: &str| {
        let body = format!("<main>{main}</main><footer>{footer}</footer>");
        folder.put("site/a.html", format!("<html><body>{body}</body></html>"));
    };
    let write = format!("write site -o out.xml --state state.jsonl --content main {BASE}");
    put("one", "built at 10:00");
    folder.must(&write, 0);
    put("one", "built at 11:00");
    let output = folder.must(&write, 0);
    output.says("0 changed, 0 moved, 1 the same");
    put("two", "built at 11:00");
    folder.must(&write, 0).says("1 changed");
    // Another element does not show a change.
    let before = dates(&folder, "out.xml");
    let output = folder.must(&write.replace("main", "body"), 0);
    output.says("warning: state.jsonl: 1 page not compared");
    assert_eq!(dates(&folder, "out.xml"), before);
    folder.put("site/b.html", "<html><body><main>b</main>");
    folder.must(&write, 0);
    fs::remove_file(folder.path("site/b.html")).unwrap();
    folder.must(&write, 0).says("1 the same, 1 gone;");
    let output = folder.must(&write.replace("main", "article"), 0);
    output.says("note: 1 page without `article`");
}

#[test]
fn a_state_that_cannot_be_used_changes_nothing() {
    let folder = Folder::new();
    folder.put("site/a.html", "<html>x");
    folder.put("urls.txt", "https://www.example.com/\n");
    folder.put("out.xml", "old");
    let line = r#"{"loc":"x","content":"1-00000000000000000000000000000002"}"#;
    folder.put("state.jsonl", format!("{line}\n<<<<<<< HEAD\n"));
    for (options, error) in [
        (
            "site --state state.jsonl",
            "error: state.jsonl:2: this is the mark of a merge conflict",
        ),
        (
            "site --state missing/state.jsonl",
            "missing: there is no such folder",
        ),
        ("site --state site", "error: site: it is not a regular file"),
        (
            "site --state https://example.com/s",
            "--state is a file, not a URL",
        ),
        (
            "urls.txt --state new.jsonl",
            "error: --state is for folders of HTML files, and no input is one",
        ),
        (
            "site --content main",
            "error: --content is for --state and --images",
        ),
        (
            "site --content a,b --images",
            "must be the name of an element, #ID or .CLASS",
        ),
        ("site --first now", "--state <FILE>"),
        ("site --include a[", "invalid value"),
    ] {
        let output = folder.based(&format!("write {options} -o out.xml"), 2);
        assert!(output.said.contains(error), "{options}: {}", output.said);
        assert_eq!(folder.read("out.xml"), "old");
    }
    assert!(!folder.path("new.jsonl").exists());
    // A set that is not written has no new state either.
    fs::remove_file(folder.path("state.jsonl")).unwrap();
    let few = "write site -o out.xml --state state.jsonl --refuse-below 2";
    folder.based(few, 2);
    assert!(!folder.path("state.jsonl").exists());
    assert_eq!(folder.files("").len(), 2);
}

/// If most pages have one date, there is a warning, for every source of dates.
#[test]
fn one_date_for_most_pages() {
    let folder = Folder::new();
    let put_time = |name: &str, seconds| {
        let file = fs::File::options().append(true).open(folder.path(name));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        file.unwrap().set_modified(time).unwrap();
    };
    for number in 0..20 {
        // A quarter of the pages has one date.
        let date = format!("20{:02}-01-01", 2 + number.max(4));
        let name = format!("site/{number:02}.html");
        let page = format!("<html><meta name=date content={date}>{number}");
        folder.put(&name, page);
        put_time(&name, 1_600_000_000);
    }
    let output = folder.based("write site -o out.xml --lastmod page", 0);
    output.does_not_say("warning");
    output.does_not_say("lastmod");
    let output = folder.based("write site -o out.xml --lastmod mtime", 0);
    let warning = "warning: 20 of 20 pages have the lastmod 20";
    output.says(warning);
    put_time("site/00.html", 1 << 30);
    let output = folder.based("write site -o out.xml --lastmod mtime", 0);
    output.says("warning: 19 of 20 pages");
    let date = &dates(&folder, "out.xml")["/00.html"];
    assert_eq!(date, "2004-01-10T13:37:04Z");
    let with_state = "write site -o out.xml --state s.jsonl --first now --match 0";
    folder.based(with_state, 0).does_not_say("warning");
}

#[test]
fn what_is_no_page() {
    let folder = Folder::new();
    let html =
        |head: &str| format!("<!doctype html><html><head>{head}</head><body>x</body></html>");
    let ownership = "google-site-verification: google1234567890abcdef.html";
    for (name, text) in [
        ("index.html", html("")),
        ("404.html", html("")),
        ("de/404.html", html("")),
        ("google1234567890abcdef.html", ownership.to_owned()),
        ("BingSiteAuth.xml", "<users/>".to_owned()),
        (
            "old.html",
            html("<meta http-equiv=refresh content='0; url=/'>"),
        ),
        ("part.html", "<div>part</div>".to_owned()),
        (
            "doctype.html",
            "<!doctype html><title>x</title><p>x".to_owned(),
        ),
        ("draft.html", html("<meta name=robots content=noindex>")),
    ] {
        folder.put(&format!("site/{name}"), text);
    }
    let page = |name: &str| format!("https://www.example.com/{name}");
    let output = folder.based("write site -o out.xml", 0);
    assert_eq!(folder.locs("out.xml"), [page("doctype.html"), page("")]);
    for note in [
        "note: site: 2 pages left out because of the name of an error page or of a fallback\n",
        "note: site: 1 page left out because of the name of a file that verifies ownership\n",
        "note: site: 1 page left out because of a redirect (`<meta http-equiv=refresh>`)\n",
        "note: site: 1 page left out because there is no `<html>`\n",
        "note: site: 1 page left out because of `noindex`\n",
    ] {
        output.says(note);
    }
    output.does_not_say("part.html");
    let output = folder.based("write site -o out.xml --verbose", 0);
    let named = "note: site/part.html: left out because there is no `<html>`\n";
    output.says(named);
    output.says("site/de/404.html: left out");
    let include = "--include 404.html --include p*.html --include draft.html";
    folder.based(&format!("write site -o out.xml {include}"), 0);
    let expected = ["404.html", "doctype.html", "", "part.html"].map(page);
    assert_eq!(folder.locs("out.xml"), expected);
}

#[test]
fn languages_and_images() {
    let folder = Folder::new();
    let head = |links: &[(&str, &str)]| -> String {
        let links = links.iter();
        links
            .map(|(language, href)| format!("<link rel=alternate hreflang={language} href={href}>"))
            .collect()
    };
    let page = |links: &[(&str, &str)]| format!("<html><head>{}</head></html>", head(links));
    folder.put(
        "site/en/index.html",
        format!(
            "<html lang=en><head>{}<meta property=og:image content=/share.png></head><body><nav><img src=/menu.png></nav>\
             <img src=../a.png><img src='https://cdn.example.net/b.png#x'><img src=../a.png><img src=data:image/png,x></body></html>",
            head(&[("de", "/de/")])
        ),
    );
    let (en, fr) = (("en", "/fr/b.html"), |to| ("fr", to));
    folder
        .put("site/de/index.html", page(&[]))
        .put("site/fr/a.html", page(&[en, fr("/fr/a.html")]))
        .put("site/fr/b.html", page(&[en, fr("/fr/c.html")]))
        .put("site/fr/c.html", page(&[]));
    let output = folder.based("write site -o out.xml --alternates --images", 0);
    let warning = "warning: site/fr/a.html, site/fr/b.html, site/fr/c.html: no alternates, because the pages name different pages for `fr`";
    output.says(warning);
    // Each page of a larger group is named if that is wanted. A Mac composes letters otherwise.
    let composed = ("es", "/es/caf\u{e9}.html");
    folder
        .put("site/fr/d.html", page(&[en, composed]))
        .put("site/es/cafe\u{301}.html", page(&[]));
    for (option, names) in [
        ("", "site/fr/a.html, site/fr/b.html, site/fr/c.html, …: no"),
        (
            "--verbose",
            "site/fr/a.html, site/fr/b.html, site/fr/c.html, site/fr/d.html: no",
        ),
    ] {
        let output = folder.based(&format!("write site -o more.xml --alternates {option}"), 0);
        let missing = "site/fr/d.html: the alternate https://www.example.com/es/caf%C3%A9.html is a page that does not exist or \
            is left out; https://www.example.com/es/cafe%CC%81.html has the same letters";
        for said_of in [names, missing] {
            output.says(said_of);
        }
    }
    let found = folder.pages("out.xml");
    let alternates = |path: &str| -> Vec<String> {
        let page = found.iter().find(|page| page.loc.path() == path).unwrap();
        let links = page.alternates.iter();
        links
            .map(|link| format!("{} {}", link.hreflang, link.href.path()))
            .collect()
    };
    assert_eq!(alternates("/en/"), ["de /de/", "en /en/"]);
    assert_eq!(alternates("/de/"), ["de /de/", "en /en/"]);
    assert!(alternates("/fr/a.html").is_empty() && alternates("/fr/c.html").is_empty());
    let page = found.iter().find(|page| page.loc.path() == "/en/").unwrap();
    let images: Vec<_> = page.images.iter().map(|image| image.loc.as_str()).collect();
    assert_eq!(
        images,
        [
            "https://www.example.com/a.png",
            "https://cdn.example.net/b.png",
            "https://www.example.com/share.png"
        ]
    );
    let with_images = found.iter().filter(|page| !page.images.is_empty());
    assert_eq!(with_images.count(), 1);
}

/// Killed at any call that changes something on the disk: the set and the state belong together, or the state is the older
/// one, and the next run finds the same changes.
#[cfg(target_os = "linux")]
#[test]
fn killed_at_any_call_the_state_is_not_ahead_of_the_set() {
    // Calls that change what is on the disk. A program that starts opens many files, which takes a minute to go through.
    let mut calls = vec![
        "write",
        "fsync",
        "rename",
        "renameat",
        "renameat2",
        "unlink",
        "mkdir",
        "fchmod",
        "linkat",
    ];
    if std::env::var_os("QUICK_SITEMAP_FULL").is_some() {
        calls.extend(["openat", "fcntl", "flock"]);
    }
    if std::process::Command::new("strace")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("!! there is no strace: no run was killed");
        return;
    }
    for out in ["-o out.xml", "-o public --fingerprint"] {
        let folder = Folder::new();
        let write = format!("write site --state state.jsonl --first now {out} {BASE}");
        let put =
            |text: &str| folder.put("site/a.html", format!("<html><body>{text}</body></html>"));
        let written = || {
            if !out.contains("public") {
                dates(&folder, "out.xml")
            } else {
                let index = folder.read("public/sitemap.xml");
                let name = index.split("https://www.example.com/").nth(1).unwrap();
                dates(
                    &folder,
                    &format!("public/{}", name.split('<').next().unwrap()),
                )
            }
        };
        folder.put("site/b.html", "<html>b");
        put("old");
        // The dates of the old set are of another time.
        let old = "{\"loc\":\"https://www.example.com/a.html\",\"lastmod\":\"2024-01-01\",\"content\":\"0-x\"}\n\
                   {\"loc\":\"https://www.example.com/b.html\",\"lastmod\":\"2024-01-02\",\"content\":\"0-x\"}\n\
                   {\"sealed\":1,\"lines\":2,\"digest\":\"d0d25be151925174a461b4812978ac84\"}\n";
        folder.put("state.jsonl", old);
        folder.must(&write, 0);
        let before = written();
        assert_eq!(before["/a.html"], "2024-01-01");
        assert_eq!(before["/b.html"], "2024-01-02");
        let (mut kills, mut between, state) = (0, 0, folder.read("state.jsonl"));
        for call in &calls {
            for number in 1.. {
                put("old");
                folder.put("state.jsonl", &state);
                folder.must(&write, 0);
                assert_eq!(written(), before);
                put("new");
                let mut strace = std::process::Command::new("strace");
                strace.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
                strace.args([
                    &format!("trace={call}"),
                    "-e",
                    &format!("inject={call}:signal=KILL:when={number}"),
                ]);
                strace
                    .arg(env!("CARGO_BIN_EXE_sitemap"))
                    .args(write.split_whitespace());
                let ended = strace.current_dir(folder.path("")).output().unwrap();
                let is_new = written()["/a.html"] != "2024-01-01";
                let is_state_new = folder.read("state.jsonl") != state;
                assert!(is_new || !is_state_new, "{out}: {call} {number}");
                assert_eq!(written()["/b.html"], "2024-01-02");
                between += usize::from(is_new && !is_state_new);
                folder.must(&write, 0);
                let after = written();
                assert!(*after["/a.html"] > *"2025", "{after:?}");
                assert_eq!(after["/b.html"], "2024-01-02");
                let known = format!("\"lastmod\":\"{}\"", after["/a.html"]);
                assert!(folder.read("state.jsonl").contains(&known));
                if ended.status.success() {
                    break;
                }
                kills += 1;
                let said = String::from_utf8_lossy(&ended.stderr);
                assert!(number < 500, "{call}: {said}");
            }
        }
        // Before, after, and in between.
        assert!(kills > 10 && between > 0, "{kills} {between}");
        let left = folder.files("").into_iter().map(|(path, _)| path);
        assert!(left.count() <= 2);
    }
}

/// The commonest mistake of generators: the base URL of the settings for development.
#[test]
fn canonical_urls_on_another_host_name_the_base_that_fits() {
    let folder = Folder::new();
    for path in ["index.html", "a.html"] {
        let canonical = format!("http://localhost:1313/{}", path.replace("index.html", ""));
        let page = format!("<!doctype html><html><link rel=canonical href={canonical}>");
        folder.put(&format!("site/{path}"), page);
    }
    folder.put("site/_drafts/b.html", "<!doctype html><html>b");
    folder.put("site/c.html", "<!doctype html><html>c");
    let said = folder
        .must("write site -o s.xml --base https://e.com/", 0)
        .said;
    let expected = "warning: site: 2 pages name a canonical URL at the same path of http://localhost:1313; is that the \
                    site (--base http://localhost:1313/)?";
    assert!(said.contains(expected), "{said}");
    let expected = "1 page left out because of a name that begins with `_`";
    assert!(said.contains(expected), "{said}");
    // The folder that is named is a page's folder, whatever its name is.
    folder.put("_site/index.html", "<!doctype html><html>");
    folder.must("write _site -o t.xml --base https://e.com/", 0);
}

/// A search engine ignores them, and the same accent can be written in two ways.
#[test]
fn canonicals_that_differ_or_look_the_same() {
    let folder = Folder::new();
    let page = |links: &[&str]| {
        let link = |href: &&str| format!("<link rel=canonical href='{href}'>");
        format!(
            "<!doctype html><head>{}</head>",
            links.iter().map(link).collect::<String>()
        )
    };
    folder.put("site/two.html", page(&["/a", "/b"]));
    let same = page(&["/same.html", "https://www.example.com/same.html"]);
    folder.put("site/same.html", same);
    folder.put("site/cafe\u{301}.html", page(&["/caf\u{e9}.html"]));
    let output = folder.based("write site -o out.xml", 0);
    let pages = [
        "https://www.example.com/same.html",
        "https://www.example.com/two.html",
    ];
    assert_eq!(folder.locs("out.xml"), pages);
    let said = output.said;
    for note in [
        "note: site: 1 page names several canonical URLs that differ, so none counts: site/two.html\n",
        "(https://www.example.com/cafe%CC%81.html) to https://www.example.com/caf%C3%A9.html\n",
    ] {
        assert!(said.contains(note), "{said}");
    }
}
