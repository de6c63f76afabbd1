//! A blog of 30 pages, as the README leads it: one sitemap with its robots.txt, dates, and several languages.

use super::html;
use crate::folder::Folder;

fn blog(folder: &Folder, build: &str) {
    folder.put("site/index.html", html(""));
    for post in 1..30 {
        let page = html("").replace("</body>", &format!("<p>{post} <i>{build}</i></body>"));
        folder.put(&format!("site/posts/{post}.html"), page);
    }
}

#[test]
fn one_sitemap_and_its_robots_txt() {
    let folder = Folder::new();
    blog(&folder, "");
    let write = "write site -o site/sitemap.xml --base blog.example.com --robots site/robots.txt";
    folder.must(write, 0);
    let line = "Sitemap: https://blog.example.com/sitemap.xml\n";
    assert_eq!(folder.read("site/robots.txt"), line);
    let listed = folder.locs("site/sitemap.xml");
    assert_eq!(listed.len(), 30);
    assert!(listed.contains(&"https://blog.example.com/posts/7.html".to_owned()));
    folder.must(write, 0).says("already lists the sitemap");
    // The location is that of the folder, in which the name needs escapes.
    let odd = "write site -o ü.xml.gz --base blog.example.com/a/b?c#d --robots robots.txt";
    folder.must(odd, 0);
    let line = "Sitemap: https://blog.example.com/a/b/%C3%BC.xml.gz\n";
    assert_eq!(folder.read("robots.txt"), line);
    // As a finding says, the site is checked with the same name.
    folder.must("check site --location blog.example.com", 0);
    folder.must("check site --location www.example.com", 1);
}

#[test]
fn a_sitemap_without_a_url_is_in_no_robots_txt() {
    let folder = Folder::new();
    folder.put("urls.txt", "https://e.com/a\n");
    for (out, expected) in [
        (
            "a.xml",
            "--robots needs --base, the URL of the folder that a.xml is in",
        ),
        ("-", "--robots need a folder or a file as --out"),
    ] {
        let output = folder.must(&format!("write urls.txt -o {out} --robots robots.txt"), 2);
        output.says(expected);
    }
    for base in ["", "sitemap.xml", "mailto:a@b.example", "a b"] {
        let arguments = ["write", "urls.txt", "-o", "a.xml", "--base", base];
        let output = folder.run_all(&arguments);
        assert_eq!(output.status, 2, "{base}");
        output.says("--base");
    }
    assert!(!folder.path("robots.txt").exists() && !folder.path("a.xml").exists());
}

/// Only the run that gives many pages one date warns of it, and names the cause.
#[test]
fn one_date_is_blamed_on_its_cause() {
    let folder = Folder::new();
    let run = |options: &str| {
        let write = "write site -o out.xml --base blog.example.com --state state.jsonl";
        folder.must(&format!("{write} {options}"), 0)
    };
    blog(&folder, "Monday");
    let first = run("--first now");
    first.says("30 of 30 pages have the lastmod");
    first.says("--first now gives new pages this date");
    for options in ["--first now", ""] {
        run(options).does_not_say("pages have the lastmod");
    }
    blog(&folder, "Tuesday");
    // The times in the state have whole seconds.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let changed = run("--first now");
    changed.says("of 30 pages have the lastmod");
    changed.says("--content ELEMENT leaves it out");
}

/// The posts move into the folder of their language, and get translations.
#[test]
fn a_second_language_later() {
    let folder = Folder::new();
    let run = |status| {
        let write = "write site -o site/sitemap.xml --base blog.example.com --state state.jsonl --alternates";
        folder.must(write, status)
    };
    let post =
        |text: &str, links: &str| html(links).replace("</body>", &format!("<p>{text}</body>"));
    for name in ["a", "b", "c"] {
        let page = post(name, "<meta name=date content=2024-05-06>");
        folder.put(&format!("site/{name}.html"), page);
    }
    run(0);
    for name in ["a", "b", "c"] {
        let links = format!(
            "<meta name=date content=2025-01-01><link rel=alternate hreflang=de href=/de/{name}.html>\
             <link rel=alternate hreflang=en href=/en/{name}.html>"
        );
        folder.put(&format!("site/en/{name}.html"), post(name, &links));
        if name != "c" {
            let page = post(&format!("{name} auf Deutsch"), "");
            folder.put(&format!("site/de/{name}.html"), page);
        }
        let alias = format!("<meta http-equiv=refresh content='0; url=/en/{name}.html'>");
        folder.put(&format!("site/{name}.html"), html(&alias));
    }
    let output = run(0);
    let said = output.said;
    for expected in [
        "state.jsonl: 2 pages new, 0 changed, 3 moved, 0 the same;",
        "3 pages left out because of a redirect",
        "site/en/c.html: the alternate https://blog.example.com/de/c.html is a page that does not exist or is left out",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    let listed = folder.pages("site/sitemap.xml");
    assert_eq!(listed.len(), 5);
    for page in &listed {
        assert_eq!(page.alternates.len(), 2, "{}", page.loc);
        // A post that has moved keeps its date.
        let date = page.lastmod.map(|date| date.to_string());
        let is_moved = page.loc.path().starts_with("/en/");
        let expected = is_moved.then_some("2024-05-06");
        assert_eq!(date.as_deref(), expected, "{}", page.loc);
    }
}
