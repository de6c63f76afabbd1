//! The page of a report, as text, of a site with a bit of everything. Each number of the two files was counted by another
//! parser before that was removed: after a change, count those that differ.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::time::SystemTime;

use quick_sitemap::chrono::{DateTime, Days, Utc};
use regex_lite::Regex;

use crate::folder::Folder;
use crate::written;

/// A day so many days ago, as `2026-11-26`.
fn days_ago(days: u64) -> String {
    let day = DateTime::<Utc>::from(SystemTime::now()) - Days::new(days);
    day.date_naive().to_string()
}

/// The visible text of a page, a line for each row of a table and for each block; cells end in ` | `.
fn text_of(page: &str) -> String {
    let mut text = page.to_owned();
    for (tags, replacement) in [
        ("(?s)<head>.*?</head>", ""),
        ("(?s)<script.*?</script>", ""),
        ("(?s)<pre.*?</pre>", ""),
        // The explanations of the rules, which are the same in every page.
        (
            "(?s)(For the person who runs the program</summary>\\s*<p>.*?</p>).*?</details>",
            "$1</details>",
        ),
        // The numbers of which the script draws the map.
        ("<li data-n=\"(\\d+)\"", "<li>[$1] <i"),
        ("\\s+", " "),
        ("</(td|th|dt|dd|i)>|</span><span", " | $0"),
        (
            "</?(p|li|ul|div|tr|caption|h1|h2|h3|summary|details|section|dl|header|footer|figure|thead|tbody|table)[ >]",
            "\n$0",
        ),
        ("<[^>]*>", ""),
    ] {
        let tags = Regex::new(tags).unwrap();
        text = tags.replace_all(&text, replacement).into_owned();
    }
    let escaped = Regex::new("&#(\\d+);").unwrap();
    let text = escaped.replace_all(&text, |found: &regex_lite::Captures<'_>| {
        let letter = char::from_u32(found[1].parse().unwrap());
        letter.unwrap().to_string()
    });
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = text.lines().map(words).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
     xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
     xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n";

/// A site with a bit of everything. Its second state is another one. Without problems, it can be read to its end.
fn write_site(root: &Folder, state: u64, has_problems: bool) {
    let put = |name: &str, text: String| root.put(&format!("public/{name}"), text);
    let entry = |loc: &str, more: &str| format!("<url><loc>{loc}</loc>{more}</url>\n");
    let lastmod = |date: &str| format!("<lastmod>{date}</lastmod>");
    let shop = "https://shop.example";
    let page = |path: &str, more: &str| entry(&format!("{shop}{path}"), more);
    let link = |language: &str, to: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{shop}{to}\"/>")
    };
    let image = |number: u64| {
        format!("<image:image><image:loc>{shop}/{number}.png</image:loc></image:image>")
    };
    let mut one = HEAD.to_owned();
    one += &page("/", &lastmod(&days_ago(100)));
    for number in 0..1_200 + 7 * state {
        let (month, day) = (number % 12 + 1, number % 28 + 1);
        let date = match number % 6 {
            0 => lastmod("2024-03-04"),
            1 => lastmod(&format!("2025-{month:02}-{day:02}T05:06:07Z")),
            2 => lastmod(&format!("20{:02}-01-02", 10 + number % 13)),
            3 if number < 30 => lastmod("2023"),
            3 if number < 60 => lastmod("2098-07-06"),
            _ => String::new(),
        };
        let folder = ["a/", "a/b/", "a/b/c/", "d/", ""][number as usize % 5];
        one += &page(&format!("/{folder}{number}"), &date);
    }
    let priority = "<priority>1.5</priority>";
    for number in 0..3 - state {
        one += &page(&format!("/priority/{number}"), priority);
    }
    if state == 1 {
        one += &page("/often", "<changefreq>sometimes</changefreq>");
    }
    if has_problems {
        one += &(entry("nonsense", "") + &entry("more-nonsense", ""));
    }
    one += &entry("http://other.example/x/1", "");
    one += &entry("http://www.third.example/x/1", "");
    one += "</urlset>\n";
    put("sitemap-1.xml", one);
    let mut two = HEAD.to_owned();
    let links = [
        link("en", "/en/a"),
        link("de", "/de/a"),
        link("x-default", "/en/a"),
    ];
    two += &page("/en/a", &links.concat());
    two += &page("/de/a", &link("de", "/de/a"));
    two += &page("/en/b", &(link("en", "/en/b") + &link("fr", "/fr/b")));
    two += &page("/gallery/1", &[1, 2, 3].map(image).concat());
    two += &page("/gallery/2", &image(4));
    two += &page(
        "/film",
        "<video:video><video:thumbnail_loc>https://shop.example/t.png</video:thumbnail_loc><video:title>t</video:title>\
         <video:description>d</video:description><video:content_loc>https://shop.example/f.mp4</video:content_loc></video:video>",
    );
    for (number, days) in [(1, 0), (2, 400)] {
        let date = days_ago(days);
        let news = format!(
            "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>{date}</news:publication_date><news:title>t</news:title></news:news>"
        );
        two += &page(&format!("/news/{number}"), &news);
    }
    // Again, with something new.
    two += &page("/gallery/1", &(lastmod("2024-03-04") + &image(5)));
    two += &page("/priority/0", priority);
    two += &page("/de/a", &link("de", "/de/a"));
    two += &entry("http://shop.example/a/by-http", "");
    two += "</urlset>\n";
    put("sitemap-2.xml", two);
    let last = 2 + state;
    let text = format!("{shop}/\n{shop}/text/1\n{shop}/text/{last}\n");
    put("sitemap-3.txt", text);
    let mut index =
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    let parts = [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "sitemap-3.txt",
        "gone.xml",
    ];
    for part in parts.into_iter().take(if has_problems { 4 } else { 3 }) {
        write!(index, "<sitemap><loc>{shop}/{part}</loc></sitemap>").unwrap();
    }
    put("sitemap.xml", index + "</sitemapindex>\n");
}

/// The text of a page, with words in place of the dates that depend on today.
fn shown(page: &str) -> String {
    let mut text = text_of(page);
    let time = Regex::new(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC").unwrap();
    text = time.replace_all(&text, "(a time)").into_owned();
    for days in [0, 100, 400] {
        text = text.replace(&days_ago(days), &format!("({days} days ago)"));
        let month = format!("\n{} |", &days_ago(days)[..7]);
        text = text.replace(&month, "\n(a month) |");
    }
    text + "\n"
}

/// Results of `sitemap probe` for the first pages of a sitemap.
fn probe(root: &Folder, verdicts: [&str; 5]) {
    let listed = root.read("public/sitemap-1.xml");
    let loc = |line: &str| Some(line.split_once("<loc>")?.1.split_once('<')?.0.to_owned());
    let mut probed = String::new();
    for (loc, verdict) in listed.lines().filter_map(loc).zip(verdicts) {
        writeln!(probed, r#"{{"url":"{loc}","sitemap":"s","status":200,"location":null,"noindex":false,"canonical":null,"disallowed":false,"bytes":1,"ms":2,"verdict":"{verdict}"}}"#).unwrap();
    }
    root.put("probed.jsonl", probed);
}

/// The text of the second page has `…` for the lines that the first one has, too.
#[test]
fn a_page_and_one_with_an_earlier_one() {
    let root = Folder::new();
    write_site(&root, 0, true);
    root.must("report public -o page.html", 1);
    let first = shown(&root.read("page.html"));
    written::compare("tests/report/page.txt", &first, "files page");

    let options = "--probe probed.jsonl --history runs.jsonl";
    write_site(&root, 0, false);
    probe(&root, ["ok", "ok", "missing", "noindex", "noindex"]);
    root.must(&format!("report public -o before.html {options}"), 0);
    write_site(&root, 1, false);
    probe(&root, ["ok", "missing", "missing", "redirect", "ok"]);
    let against = "-o now.html --against before.html";
    root.must(&format!("report public {against} {options}"), 0);
    let known: HashSet<_> = first.lines().collect();
    let second = shown(&root.read("now.html"));
    let mut lines: Vec<_> = second
        .lines()
        .map(|line| if known.contains(line) { "…" } else { line })
        .collect();
    lines.dedup_by(|line, before| *line == "…" && line == before);
    let text = lines.join("\n") + "\n";
    written::compare("tests/report/changes.txt", &text, "files page");
}
