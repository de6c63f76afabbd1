//! The page of a report, as text, of a site with a bit of everything. Each number of the two files was counted by another
//! parser before that was removed: after a change, count those that differ.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use regex_lite::Regex;
use tempfile::TempDir;

use crate::program::sitemap;
use crate::written;

/// A day so many days ago, as `2026-11-26` (after Howard Hinnant, `civil_from_days`).
fn days_ago(days: u64) -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let days = seconds / 86_400 - days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_of_year = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_of_year + 2) / 5 + 1;
    let month = (month_of_year + 2) % 12 + 1;
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

/// The visible text of a page, a line for each row of a table and for each block; cells end in ` | `.
fn text_of(page: &str) -> String {
    let mut text = page.to_owned();
    for hidden in [
        "(?s)<head>.*?</head>",
        "(?s)<script.*?</script>",
        "(?s)<pre.*?</pre>",
    ] {
        text = Regex::new(hidden)
            .unwrap()
            .replace_all(&text, "")
            .into_owned();
    }
    // The explanations of the rules, which are the same in every page.
    let explained =
        "(?s)(For the person who runs the program</summary>\\s*<p>.*?</p>).*?</details>";
    text = Regex::new(explained)
        .unwrap()
        .replace_all(&text, "$1</details>")
        .into_owned();
    // The numbers of which the script draws the map.
    text = Regex::new("<li data-n=\"(\\d+)\"")
        .unwrap()
        .replace_all(&text, "<li>[$1] <i")
        .into_owned();
    text = Regex::new("\\s+")
        .unwrap()
        .replace_all(&text, " ")
        .into_owned();
    for (tags, replacement) in [
        ("</(td|th|dt|dd|i)>|</span><span", " | $0"),
        (
            "</?(p|li|ul|div|tr|caption|h1|h2|h3|summary|details|section|dl|header|footer|figure|thead|tbody|table)[ >]",
            "\n$0",
        ),
        ("<[^>]*>", ""),
    ] {
        text = Regex::new(tags)
            .unwrap()
            .replace_all(&text, replacement)
            .into_owned();
    }
    let escaped = Regex::new("&#(\\d+);").unwrap();
    let text = escaped.replace_all(&text, |found: &regex_lite::Captures<'_>| {
        char::from_u32(found[1].parse().unwrap())
            .unwrap()
            .to_string()
    });
    let lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
     xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
     xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n";

/// A site with a bit of everything. Its second state is another one. Without problems, it can be read to its end.
fn write_site(root: &Path, state: u64, has_problems: bool) {
    let put = |name: &str, text: String| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let entry = |loc: &str, more: &str| format!("<url><loc>{loc}</loc>{more}</url>\n");
    let lastmod = |date: &str| format!("<lastmod>{date}</lastmod>");
    let shop = "https://shop.example";
    let link = |language: &str, to: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{shop}{to}\"/>")
    };
    let image = |number: u64| {
        format!("<image:image><image:loc>{shop}/{number}.png</image:loc></image:image>")
    };
    let mut one = HEAD.to_owned();
    one += &entry(&format!("{shop}/"), &lastmod(&days_ago(100)));
    for page in 0..1_200 + 7 * state {
        let date = match page % 6 {
            0 => lastmod("2024-03-04"),
            1 => lastmod(&format!(
                "2025-{:02}-{:02}T05:06:07Z",
                page % 12 + 1,
                page % 28 + 1
            )),
            2 => lastmod(&format!("20{:02}-01-02", 10 + page % 13)),
            3 if page < 30 => lastmod("2023"),
            3 if page < 60 => lastmod("2098-07-06"),
            _ => String::new(),
        };
        let folder = ["a/", "a/b/", "a/b/c/", "d/", ""][page as usize % 5];
        one += &entry(&format!("{shop}/{folder}{page}"), &date);
    }
    for page in 0..3 - state {
        one += &entry(
            &format!("{shop}/priority/{page}"),
            "<priority>1.5</priority>",
        );
    }
    if state == 1 {
        one += &entry(
            &format!("{shop}/often"),
            "<changefreq>sometimes</changefreq>",
        );
    }
    if has_problems {
        one += &(entry("nonsense", "") + &entry("more-nonsense", ""));
    }
    one += &entry("http://other.example/x/1", "");
    one += &entry("http://www.third.example/x/1", "");
    one += "</urlset>\n";
    put("sitemap-1.xml", one);
    let mut two = HEAD.to_owned();
    two += &entry(
        &format!("{shop}/en/a"),
        &(link("en", "/en/a") + &link("de", "/de/a") + &link("x-default", "/en/a")),
    );
    two += &entry(&format!("{shop}/de/a"), &link("de", "/de/a"));
    two += &entry(
        &format!("{shop}/en/b"),
        &(link("en", "/en/b") + &link("fr", "/fr/b")),
    );
    two += &entry(
        &format!("{shop}/gallery/1"),
        &(image(1) + &image(2) + &image(3)),
    );
    two += &entry(&format!("{shop}/gallery/2"), &image(4));
    two += &entry(
        &format!("{shop}/film"),
        "<video:video><video:thumbnail_loc>https://shop.example/t.png</video:thumbnail_loc><video:title>t</video:title>\
         <video:description>d</video:description><video:content_loc>https://shop.example/f.mp4</video:content_loc></video:video>",
    );
    for (page, days) in [(1, 0), (2, 400)] {
        let date = days_ago(days);
        let news = format!(
            "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>{date}</news:publication_date><news:title>t</news:title></news:news>"
        );
        two += &entry(&format!("{shop}/news/{page}"), &news);
    }
    // Again, with something new.
    two += &entry(
        &format!("{shop}/gallery/1"),
        &(lastmod("2024-03-04") + &image(5)),
    );
    two += &entry(&format!("{shop}/priority/0"), "<priority>1.5</priority>");
    two += &entry(&format!("{shop}/de/a"), &link("de", "/de/a"));
    two += &entry("http://shop.example/a/by-http", "");
    two += "</urlset>\n";
    put("sitemap-2.xml", two);
    put(
        "sitemap-3.txt",
        format!("{shop}/\n{shop}/text/1\n{shop}/text/{}\n", 2 + state),
    );
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

fn run(root: &Path, arguments: &str) -> String {
    let mut command = sitemap(&[]);
    let output = command
        .args(arguments.split(' '))
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().unwrap() < 3, "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The text of a page, with words in place of the dates that depend on today.
fn shown(path: &Path) -> String {
    let mut text = text_of(&fs::read_to_string(path).unwrap());
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
fn probe(root: &Path, verdicts: [&str; 5]) {
    let listed = fs::read_to_string(root.join("public/sitemap-1.xml")).unwrap();
    let loc = |line: &str| Some(line.split_once("<loc>")?.1.split_once('<')?.0.to_owned());
    let mut probed = String::new();
    for (loc, verdict) in listed.lines().filter_map(loc).zip(verdicts) {
        writeln!(probed, r#"{{"url":"{loc}","sitemap":"s","status":200,"location":null,"noindex":false,"canonical":null,"disallowed":false,"bytes":1,"ms":2,"verdict":"{verdict}"}}"#).unwrap();
    }
    fs::write(root.join("probed.jsonl"), probed).unwrap();
}

/// The text of the second page has `…` for the lines that the first one has, too.
#[test]
fn a_page_and_one_with_an_earlier_one() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    write_site(&root.join("public"), 0, true);
    run(root, "report public -o page.html");
    let first = shown(&root.join("page.html"));
    written::compare("tests/report/page.txt", &first, "files page");

    let options = "--probe probed.jsonl --history runs.jsonl";
    write_site(&root.join("public"), 0, false);
    probe(root, ["ok", "ok", "missing", "noindex", "noindex"]);
    run(root, &format!("report public -o before.html {options}"));
    write_site(&root.join("public"), 1, false);
    probe(root, ["ok", "missing", "missing", "redirect", "ok"]);
    run(
        root,
        &format!("report public -o now.html --against before.html {options}"),
    );
    let known: HashSet<_> = first.lines().collect();
    let second = shown(&root.join("now.html"));
    let mut lines: Vec<_> = second
        .lines()
        .map(|line| if known.contains(line) { "…" } else { line })
        .collect();
    lines.dedup_by(|line, before| *line == "…" && line == before);
    let text = lines.join("\n") + "\n";
    written::compare("tests/report/changes.txt", &text, "files page");
}
