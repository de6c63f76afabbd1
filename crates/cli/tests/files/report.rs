//! `sitemap report`, as it is run.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

#[cfg(unix)]
use crate::ended;
use crate::program::sitemap;
use crate::served;
use serde_json::Value;
use tempfile::TempDir;

/// The output of a run, and its status.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }
}

const PROXIES: [&str; 3] = ["http_proxy", "https_proxy", "all_proxy"];

struct Folder {
    _all: TempDir,
    path: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let all = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(all.path()).unwrap().join("work");
        fs::create_dir(&path).unwrap();
        Self { _all: all, path }
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = sitemap(&["report"]);
        for proxy in PROXIES {
            command.env_remove(proxy).env_remove(proxy.to_uppercase());
        }
        let output = command
            .args(arguments)
            .current_dir(&self.path)
            .output()
            .unwrap();
        Ran {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--format", "json"]].concat());
        assert!(!ran.stdout.is_empty(), "{}", ran.stderr);
        ran.json()
    }
}

fn urlset(entries: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n{entries}</urlset>\n"
    )
}

const PAGES: &str = "\
<url><loc>https://example.com/</loc><lastmod>2024-03-04</lastmod></url>
<url><loc>https://example.com/blog/a</loc><lastmod>2024-03-04T05:06:07Z</lastmod></url>
<url><loc>https://example.com/blog/b</loc><lastmod>2024-01</lastmod><priority>1.5</priority></url>
<url><loc>nonsense</loc></url>
<url><loc>https://example.com/en/x</loc><xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en/x\"/>\
<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/x\"/>\
<image:image><image:loc>https://example.com/1.png</image:loc></image:image>\
<image:image><image:loc>https://example.com/2.png</image:loc></image:image></url>
<url><loc>https://example.com/de/x</loc></url>
";

/// An index, the two sitemaps that it lists, and a page that is not a sitemap.
fn site() -> Folder {
    let folder = Folder::new();
    folder.put(
        "public/sitemap.xml",
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>\
         <sitemap><loc>https://example.com/sitemap-2.txt</loc></sitemap></sitemapindex>",
    );
    folder.put("public/sitemap-1.xml", urlset(PAGES));
    folder.put(
        "public/sitemap-2.txt",
        "https://example.com/blog/c\nhttps://example.com/about\n",
    );
    folder.put("public/feed.xml", "<html></html>");
    folder
}

#[test]
fn the_numbers_of_a_folder() {
    let folder = site();
    let ran = folder.run(&["public", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["version"], 2);
    assert_eq!(report["subject"], "public");
    let totals = &report["totals"];
    for (name, number) in [
        ("pages", 7),
        ("sitemaps", 3),
        ("unread", 0),
        ("dated", 3),
        ("errors", 1),
        ("warnings", 2),
    ] {
        assert_eq!(totals[name], number, "{name}");
    }
    assert_eq!(totals["newest"], "2024-03-04T05:06:07Z");
    assert_eq!(totals["oldest"], "2024-01");
    let sitemaps = report["sitemaps"].as_array().unwrap();
    let rows: Vec<_> = sitemaps
        .iter()
        .map(|sitemap| {
            let text = |name: &str| sitemap[name].as_str().unwrap();
            let number = |name: &str| sitemap[name].as_u64();
            (
                text("name"),
                text("format"),
                number("entries"),
                number("errors"),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("public/sitemap.xml", "index", Some(2), Some(0)),
            ("public/sitemap-1.xml", "urlset", Some(5), Some(1)),
            ("public/sitemap-2.txt", "text", Some(2), Some(0)),
        ]
    );
    assert_eq!(sitemaps[1]["bytes"], urlset(PAGES).len());
    assert_eq!(sitemaps[1]["newest"], "2024-03-04T05:06:07Z");
    assert_eq!(sitemaps[1]["status"], "read");

    let rules = report["rules"].as_array().unwrap();
    let names: Vec<_> = rules
        .iter()
        .map(|rule| rule["rule"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["invalid-url", "hreflang-without-return", "invalid-priority"]
    );
    assert_eq!(rules[0]["level"], "error");
    assert_eq!(rules[0]["cost"], "entry skipped");
    assert!(
        rules[0]["explanation"]
            .as_str()
            .unwrap()
            .contains("must be absolute")
    );
    let example = &rules[0]["examples"][0];
    assert_eq!(
        (&example["sitemap"], &example["line"]),
        (&"public/sitemap-1.xml".into(), &5.into())
    );
    let excerpt = example["excerpt"].as_str().unwrap();
    let marked: (usize, usize) = serde_json::from_value(example["marked"].clone()).unwrap();
    assert_eq!(&excerpt[marked.0..marked.1], "nonsense");

    let host = &report["sections"][0];
    assert_eq!(
        (&host["name"], &host["pages"]),
        (&"example.com".into(), &7.into())
    );
    assert_eq!(
        (&host["dated"], &host["errors"], &host["warnings"]),
        (&3.into(), &1.into(), &2.into())
    );
    let blog = &host["sections"][0];
    assert_eq!(
        (&blog["name"], &blog["pages"], &blog["warnings"]),
        (&"blog/".into(), &3.into(), &1.into())
    );

    let months = report["months"].as_array().unwrap().iter();
    let months: Vec<_> = months.map(|count| count[0].as_str().unwrap()).collect();
    assert_eq!(months, ["2024-01", "2024-03"]);
    assert_eq!(report["shared_dates"][0][0], "2024-03-04");
    assert_eq!(report["shared_dates"][0][1], 2);

    let languages = &report["languages"];
    assert_eq!(
        (&languages["pages"], &languages["unreturned"]),
        (&1.into(), &1.into())
    );
    assert_eq!(languages["languages"][0]["hreflang"], "de");
    assert_eq!(languages["languages"][0]["unreturned"], 1);
    assert_eq!(report["media"]["images"], 2);
    assert_eq!(report["media"]["pages_with_images"], 1);
}

/// 0: everything is read and used. 1: something is not. 2: nothing is, and nothing is written.
#[test]
fn the_status_says_whether_everything_was_read() {
    let folder = site();
    folder.put("good.txt", "https://example.com/a\n");
    folder.put(
        "warned.xml",
        urlset("<url><loc>https://example.com/a</loc><priority>2</priority></url>"),
    );
    folder.put("bad.xml", "<html></html>");
    folder.put("cut.xml", &urlset(PAGES)[..400]);
    fs::create_dir(folder.path.join("empty")).unwrap();
    for (arguments, status) in [
        (&["good.txt"][..], 0),
        (&["warned.xml"], 0),
        (&["warned.xml", "--deny", "invalid-priority"], 1),
        (&["public"], 1),
        (&["public", "--allow", "invalid-url"], 0),
        (&["good.txt", "bad.xml"], 1),
        (&["good.txt", "missing.xml"], 2),
        (&["cut.xml"], 1),
        (&["bad.xml"], 1),
        (&["missing.xml"], 2),
        (&["empty"], 2),
    ] {
        let arguments = [arguments, &["-o", "report.json"]].concat();
        let ran = folder.run(&arguments);
        assert_eq!(ran.status, status, "{arguments:?} {}", ran.stderr);
        assert_eq!(ran.stdout, "");
        let path = folder.path.join("report.json");
        // A report of what could be read, if there is anything.
        let is_read = !["bad.xml", "missing.xml", "empty"].contains(&arguments[0]);
        assert_eq!(path.exists(), is_read, "{arguments:?}");
        let _ = fs::remove_file(path);
        // As `sitemap check`.
        let mut check = sitemap(&["check", "--quiet"]);
        let files = arguments.iter().take_while(|name| **name != "-o");
        let ran = check
            .args(files)
            .current_dir(&folder.path)
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(status), "{arguments:?}");
    }
    let cut = folder.json(&["cut.xml"]);
    assert_eq!(cut["sitemaps"][0]["status"], "partly");
    assert!(
        cut["sitemaps"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("truncated"),
        "{cut}"
    );
    assert_eq!(
        (&cut["totals"]["unread"], &cut["totals"]["partly"]),
        (&1.into(), &1.into())
    );
}

/// The file of a run that fails stays as it was, and no other file is next to it.
#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = site();
    folder.put("report.json", "before");
    folder.put("bad.xml", "<html></html>");
    assert_eq!(folder.run(&["bad.xml", "-o", "report.json"]).status, 1);
    assert_eq!(folder.read("report.json"), "before");
    assert_eq!(
        folder
            .run(&["public", "-o", "report.json", "--against", "missing"])
            .status,
        2
    );
    assert_eq!(folder.read("report.json"), "before");
    assert_eq!(folder.run(&["public", "-o", "report.json"]).status, 1);
    let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["totals"]["pages"], 7);
    assert_eq!(folder.run(&["public", "-o", "no/report.json"]).status, 2);
    let mut names: Vec<_> = fs::read_dir(&folder.path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["bad.xml", "public", "report.json"]);
}

/// A list of pages is no report.
#[test]
fn pages_are_not_compared() {
    let folder = site();
    folder.put(
        "old.xml",
        urlset("<url><loc>https://example.com/</loc></url>"),
    );
    for earlier in ["old.xml", "public/sitemap-2.txt"] {
        let ran = folder.run(&["public", "--against", earlier]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("it is not a report"), "{}", ran.stderr);
        assert!(ran.stderr.contains("sitemap diff"), "{}", ran.stderr);
    }
}

#[test]
fn numbers_are_compared_with_an_earlier_report() {
    let folder = site();
    folder.run(&["public", "-o", "old.json"]);
    folder.run(&["public", "-o", "old.html"]);
    let old = folder.read("old.json");
    folder.put(
        "public/sitemap-2.txt",
        "https://example.com/blog/c\nhttps://example.com/shop/1\nhttps://example.com/shop/2\n",
    );
    for earlier in ["old.json", "old.html"] {
        let report = folder.json(&["public", "--against", earlier]);
        let changes = &report["changes"];
        assert_eq!(
            (&changes["earlier"], &changes["pages_before"]),
            (&earlier.into(), &7.into())
        );
        let text = folder.run(&["public", "--against", earlier]).stdout;
        assert!(
            text.contains("\n  7 pages before\n  0 new problems, 0 fixed, 3 still there\n"),
            "{text}"
        );
        assert!(changes["made"].as_str().unwrap().starts_with("20"));
        let rows: Vec<_> = changes["sections"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                (
                    row["name"].as_str().unwrap(),
                    row["before"].as_u64(),
                    row["now"].as_u64(),
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("example.com/shop/", Some(0), Some(2)),
                ("example.com/", Some(2), Some(1)),
                ("example.com/blog/", Some(3), Some(3)),
                ("example.com/de/", Some(1), Some(1)),
                ("example.com/en/", Some(1), Some(1)),
            ]
        );
    }
    folder.put(
        "later.json",
        old.replacen("\"version\":2", "\"version\":3", 1),
    );
    folder.put("other.html", "<!doctype html><p>Hello");
    for (earlier, expected) in [
        ("later.json", "later version"),
        ("other.html", "not one that `sitemap report` has made"),
    ] {
        let ran = folder.run(&["public", "--against", earlier]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// Nothing is fixed if the inputs have another name.
#[test]
fn a_report_of_another_folder_is_no_earlier_one() {
    let folder = site();
    folder.run(&["public", "-o", "old.json"]);
    fs::rename(folder.path.join("public"), folder.path.join("site")).unwrap();
    let report = folder.json(&["site", "--against", "old.json"]);
    let changes = &report["changes"];
    assert_eq!(changes["findings"]["fixed"], 0);
    assert_eq!(changes["findings"]["unread"], 3);
    let note = changes["notes"][0].as_str().unwrap();
    assert!(note.contains("are not among the inputs"), "{note}");
}

/// An earlier report can have been changed. Its findings that are fixed are shown.
#[test]
fn the_texts_of_an_earlier_report_show_no_password() {
    let folder = Folder::new();
    let page = |priority: &str| {
        format!("<url><loc>https://example.com/a</loc><priority>{priority}</priority></url>")
    };
    folder.put("public/a.xml", urlset(&page("3")));
    folder.run(&["public", "-o", "old.json"]);
    let old = folder.read("old.json");
    let cost = "\"cost\":\"value dropped\"";
    assert!(old.contains(cost), "{old}");
    let changed = old.replace(cost, "\"cost\":\"see https://me:s3cret@example.com/x\"");
    folder.put("old.json", changed);
    folder.put("public/a.xml", urlset(&page("0.3")));
    for format in ["html", "json", "text"] {
        let options = ["--format", format, "--csv", "found.csv"];
        let ran = folder.run(&[&["public", "--against", "old.json"], &options[..]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let csv = folder.read("found.csv");
        assert!(csv.contains("see https://***@example.com/x"), "{csv}");
        for shown in [&ran.stdout, &ran.stderr, &csv] {
            assert!(!shown.contains("s3cret"), "{format}: {shown}");
        }
    }
}

#[test]
fn results_of_probe_are_counted_by_section() {
    let folder = site();
    let jsonl = "\
{\"url\":\"https://example.com/a\",\"sitemap\":\"s\",\"status\":200,\"location\":null,\"noindex\":false,\"canonical\":null,\"disallowed\":false,\"bytes\":1,\"ms\":2,\"verdict\":\"ok\"}
{\"url\":\"https://example.com/blog/b\",\"sitemap\":\"s\",\"status\":301,\"location\":\"https://example.com/c\",\"noindex\":false,\"canonical\":null,\"disallowed\":false,\"bytes\":null,\"ms\":2,\"verdict\":\"redirect\"}
{\"url\":\"https://example.com/blog/d\",\"sitemap\":\"s\",\"status\":null,\"location\":null,\"noindex\":false,\"canonical\":null,\"disallowed\":false,\"bytes\":null,\"ms\":null,\"verdict\":\"error\",\"error\":\"timeout\"}
";
    folder.put("probed.jsonl", jsonl);
    // As a run that was killed leaves it.
    folder.put("cut.jsonl", format!("{jsonl}{{\"url\":\"https://exam"));
    for name in ["probed.jsonl", "cut.jsonl"] {
        let probe = &folder.json(&["public", "--probe", name])["probe"];
        assert_eq!(probe["pages"], 3, "{name}");
        let verdicts: Vec<(String, u64)> =
            serde_json::from_value(probe["verdicts"].clone()).unwrap();
        let expected = [("missing", 0), ("error", 1), ("unread", 0), ("redirect", 1)];
        assert_eq!(
            verdicts[..4],
            expected.map(|(name, pages)| (name.to_owned(), pages))
        );
        assert_eq!(probe["sections"][0][0], "example.com/blog/");
        assert_eq!(
            probe["sections"][0][1].as_array().unwrap()[..4],
            [0, 1, 0, 1]
        );
        assert_eq!(probe["examples"][1]["location"], "https://example.com/c");
        assert_eq!(probe["examples"][1]["status"], 301);
    }
    folder.put("other.jsonl", "{\"loc\":\"https://example.com/\"}\n");
    let ran = folder.run(&["public", "--probe", "other.jsonl"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("other.jsonl: line 1 is not a result of `sitemap probe`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn runs_are_kept() {
    let folder = site();
    let runs = |report: &Value| report["history"].as_array().map_or(0, Vec::len);
    for number in 1..=3 {
        let report = folder.json(&["public", "--history", "runs.jsonl"]);
        assert_eq!(runs(&report), number);
        assert_eq!(report["history"][number - 1]["pages"], 7);
        assert_eq!(folder.read("runs.jsonl").lines().count(), number);
    }
    // A killed run left a part of a line.
    let whole = folder.read("runs.jsonl");
    folder.put("runs.jsonl", &whole[..whole.len() - 20]);
    let ran = folder.run(&["public", "--history", "runs.jsonl", "--format", "json"]);
    assert!(ran.stderr.contains("was incomplete"), "{}", ran.stderr);
    assert_eq!(runs(&ran.json()), 3);
    // Only the line feed is missing.
    let whole = folder.read("runs.jsonl");
    folder.put("runs.jsonl", whole.trim_end());
    assert_eq!(
        runs(&folder.json(&["public", "--history", "runs.jsonl"])),
        4
    );
    let lines = folder.read("runs.jsonl");
    assert!(
        lines
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).unwrap()["pages"] == 7)
    );
    assert_eq!(lines.lines().count(), 4);

    // Nothing is added if nothing was read, and a file that is not a history is not changed.
    assert_eq!(
        folder
            .run(&["missing.xml", "--history", "runs.jsonl"])
            .status,
        2
    );
    assert_eq!(folder.read("runs.jsonl"), lines);
    for other in [
        "important",
        "{\"made\":\"x\"}\n{\"made\":\"y\"}\n",
        "important\n",
    ] {
        folder.put("other.txt", other);
        let ran = folder.run(&["public", "--history", "other.txt"]);
        assert_eq!(ran.status, 2);
        let begin = "error: other.txt: line 1 is not a run of `sitemap report`: ";
        assert!(ran.stderr.starts_with(begin), "{}", ran.stderr);
        assert_eq!(folder.read("other.txt"), other);
    }
    let ran = folder.run(&["missing.xml", "--history", "new.jsonl"]);
    assert_eq!(
        (ran.status, folder.path.join("new.jsonl").exists()),
        (2, false)
    );
}

/// The figures of a run are those of the JSON.
#[test]
fn a_terminal_gets_the_first_page() {
    let folder = site();
    let text = folder.run(&["public"]).stdout;
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("public  20"), "{text}");
    assert_eq!(
        lines[1..4],
        [
            "  pages                  7  43% of them in blog/",
            "  sitemaps               3  all read to their end",
            "  with a date            3  43% of the pages",
        ]
    );
    assert!(
        lines[4].starts_with("  newest date   2024-03-04  ")
            && lines[4].ends_with("years before this report"),
        "{text}"
    );
    assert_eq!(
        lines[5..7],
        [
            "  errors                 1  most often: 1 URL cannot be used",
            "  warnings               2  of several kinds",
        ]
    );
    assert!(text.contains("\nerror     invalid-url "), "{text}");
    assert!(
        text.contains("public/sitemap-1.xml:5:11: `nonsense` is not"),
        "{text}"
    );
    assert!(text.contains("  /blog/  3  ████"), "{text}");
    assert!(text.contains("  2024-03  2  ████"), "{text}");
    assert!(text.contains("2 images"), "{text}");
}

/// The page for all other languages is in none.
#[test]
fn x_default_is_not_a_language() {
    let folder = Folder::new();
    let link = |language: &str| {
        format!(
            "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://example.com/{language}\"/>"
        )
    };
    let links = ["en", "de", "X-Default"].map(link).concat();
    let pages =
        ["en", "de"].map(|page| format!("<url><loc>https://example.com/{page}</loc>{links}</url>"));
    folder.put("a.xml", urlset(&pages.concat()));
    let text = folder.run(&["a.xml"]).stdout;
    assert!(
        text.contains("2 pages with alternates in 2 languages"),
        "{text}"
    );
}

/// Names and texts of a sitemap print nothing that a terminal obeys, and no password.
#[test]
fn hostile_texts_are_escaped() {
    let folder = Folder::new();
    let name = "a\u{1b}[2J\u{202e}b.xml";
    folder.put(
        name,
        urlset(
            "<url><loc>https://me:secret@example.com/\u{1b}[2J&lt;/script&gt;/\u{202e}x/y</loc></url>\n\
             <url><loc>https://me:secret@example.com:99999/</loc></url>\n\
             <url><loc>https://example.com/a</loc><lastmod>\u{9b}31m</lastmod>\
             <xhtml:link rel=\"alternate\" hreflang=\"\u{202e}en&lt;script&gt;\" href=\"https://me:secret@example.com/b\"/></url>\n",
        ),
    );
    for format in ["text", "json", "html"] {
        let ran = folder.run(&[name, "--format", format]);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("secret"), "{said}");
        assert!(!said.contains("</script>/"), "{said}");
        let is_hostile = |character: char| {
            (character.is_control() && character != '\n') || character == '\u{202e}'
        };
        assert!(!said.contains(is_hostile), "{said:?}");
        assert!(ran.status < 2, "{said}");
    }
    let ran = folder.run(&["https://me:secret@127.0.0.1:1/", "--retries", "0"]);
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
}

/// The size of a report does not depend on the number of pages.
#[test]
fn a_report_of_many_pages_is_small() {
    let folder = Folder::new();
    let mut index =
        String::from("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">");
    for sitemap in 0..1_200 {
        let mut entries = String::new();
        for page in 0..20 {
            let number = sitemap * 20 + page;
            let (user, day) = (number % 3_000, number % 28 + 1);
            let href = |language: &str| {
                format!("https://www.example.com/{language}/user-{user}/page-{number}.html")
            };
            let alternates: String = ["en", "de", "fr"]
                .map(|language| {
                    format!(
                        "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{}\"/>",
                        href(language)
                    )
                })
                .concat();
            // A rule is broken by each.
            writeln!(
                entries,
                "<url><loc>{}</loc><lastmod>2024-{:02}-{day:02}</lastmod><priority>7</priority>{alternates}</url>",
                href("en"),
                number % 12 + 1
            )
            .unwrap();
        }
        folder.put(
            &format!("public/sitemap-{sitemap:04}.xml"),
            urlset(&entries),
        );
        write!(
            index,
            "<sitemap><loc>https://www.example.com/sitemap-{sitemap:04}.xml</loc></sitemap>"
        )
        .unwrap();
    }
    folder.put("public/index.xml", index + "</sitemapindex>");
    folder.run(&["public", "-o", "report.json"]);
    folder.run(&["public", "-o", "report.html", "--against", "report.json"]);
    let page = folder.read("report.html");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(
        page.contains(
            "1,201 sitemaps read, broken ones first; 1,001 of them are not in this table"
        )
    );
    let text = folder.read("report.json");
    assert!(text.len() < 600_000, "{} bytes", text.len());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["totals"]["pages"], 24_000);
    assert_eq!(report["totals"]["sitemaps"], 1_201);
    assert_eq!(report["sitemaps"].as_array().unwrap().len(), 1_000);
    assert_eq!(report["more_sitemaps"], 201);
    assert_eq!(report["languages"]["unlisted"], 48_000);
    let english = &report["sections"][0]["sections"][0];
    assert_eq!(
        (&english["name"], &english["pages"]),
        (&"en/".into(), &24_000.into())
    );
}

/// The results of sitemaps that were read, could not be read, or were left out.
#[test]
fn the_sitemaps_of_a_live_site() {
    use served::{http, index, ok, status};
    let site = http(|asked, home| match asked.path.as_str() {
        "/robots.txt" => ok(format!("Sitemap: {home}index.xml\n")),
        "/index.xml" => ok(index([
            format!("{home}a.xml"),
            format!("{home}b.xml"),
            "https://elsewhere.example/c.xml".to_owned(),
        ])),
        "/a.xml" => ok(served::urlset([
            format!("{home}x"),
            format!("{home}blog/y"),
        ])),
        _ => status(404),
    });
    let folder = Folder::new();
    let ran = folder.run(&[&site.home, "--retries", "0", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["subject"], site.home);
    assert_eq!(
        (&report["totals"]["pages"], &report["totals"]["unread"]),
        (&2.into(), &1.into())
    );
    let mut rows: Vec<_> = report["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sitemap| {
            let name = sitemap["name"].as_str().unwrap().replace(&site.home, "/");
            (name, sitemap["status"].as_str().unwrap())
        })
        .collect();
    rows.sort();
    let expected = [
        ("/a.xml", "read"),
        ("/b.xml", "unreadable"),
        ("/index.xml", "read"),
        ("https://elsewhere.example/c.xml", "not-read"),
    ];
    assert_eq!(
        rows,
        expected.map(|(name, status)| (name.to_owned(), status))
    );
}

/// Ctrl-C while a site is read: no file, no line of the history.
#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_nothing() {
    use served::{Body, http, with};
    use std::time::{Duration, Instant};
    let site = http(|_, _| with(Body::Slow(vec![b'#'; 100], 1, Duration::from_millis(500))));
    let folder = Folder::new();
    let mut child = served::sitemap(&["report"])
        .args([&site.home, "-o", "report.html", "--history", "runs.jsonl"])
        .current_dir(&folder.path)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while site.paths().is_empty() && begin.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(ended::ended(&mut child).code(), Some(130));
    assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 0);
}

/// If a report is not written, a message contains the reason.
#[test]
fn sources_that_cannot_be_read_are_named_with_the_reason() {
    let folder = Folder::new();
    folder.put("error.xml", "<html></html>");
    folder.put("empty.xml", "");
    fs::create_dir(folder.path.join("folder")).unwrap();
    let ran = folder.run(&["error.xml", "empty.xml", "missing.xml", "folder"]);
    assert_eq!(ran.status, 2);
    for line in [
        "error: error.xml: root element `html` is not that of a sitemap",
        "error: empty.xml: not a sitemap: it is empty",
        "error: missing.xml: ",
        "error: folder: there are no sitemaps in this folder",
        "error: no sitemap could be read, so there is no report",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
}

/// They are in the report itself, which is read without the messages.
#[test]
fn a_folder_without_sitemaps_is_in_the_report() {
    let folder = site();
    fs::create_dir(folder.path.join("folder")).unwrap();
    let report = folder.json(&["public", "folder"]);
    assert_eq!(report["totals"]["unread"], 1);
    let unread = report["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|sitemap| sitemap["name"] == "folder")
        .unwrap();
    assert_eq!(unread["status"], "unreadable");
    assert_eq!(unread["reason"], "there are no sitemaps in this folder");
}

/// A page would take the place of the sitemap that it is about.
#[test]
fn a_name_that_does_not_decide_the_format_is_rejected() {
    let folder = site();
    let before = folder.read("public/sitemap-1.xml");
    let arguments = ["public", "-o", "public/sitemap-1.xml"];
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("--out public/sitemap-1.xml: the name ends in none of .html, .json and .txt"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read("public/sitemap-1.xml"), before);
    let ran = folder.run(&["public", "-o", "report.csv"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--csv writes"), "{}", ran.stderr);
    let ran = folder.run(&["public", "-o", "report.txt", "--format", "text"]);
    assert_eq!(ran.status, 1);
    assert!(folder.read("report.txt").contains("pages"));
}

#[test]
fn a_minus_is_standard_output() {
    let folder = site();
    let ran = folder.run(&["public", "-o", "-", "--format", "json"]);
    assert_eq!(ran.json()["totals"]["pages"], 7);
    assert!(!folder.path.join("-").exists());
}

/// A rename would put a file in the place of a pipe, or of /dev/null.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_to_and_stays() {
    use std::os::unix::fs::FileTypeExt;
    let folder = site();
    let pipe = folder.path.join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let end = pipe.clone();
    let reader = std::thread::spawn(move || fs::read_to_string(end).unwrap());
    assert_eq!(folder.run(&["public", "-o", "pipe.json"]).status, 1);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let report: Value = serde_json::from_str(&reader.join().unwrap()).unwrap();
    assert_eq!(report["totals"]["pages"], 7);
}

#[test]
fn a_url_that_is_not_followed_is_requested_with_the_options_for_the_network() {
    let site = served::http(|_, home| served::ok(served::urlset([format!("{home}a")])));
    let url = site.at("sitemap.xml");
    let ran = site.run(&["report", &url, "--no-follow", "--user-agent", "mine/1"]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    let sent = site.header("/sitemap.xml", "user-agent");
    assert_eq!(sent.as_deref(), Some("mine/1"));
}

#[test]
fn a_part_that_is_missing_is_unreadable() {
    let folder = site();
    folder.put("now/sitemap.xml", folder.read("public/sitemap.xml"));
    folder.put("now/sitemap-1.xml", urlset(PAGES));
    let ran = folder.run(&["now", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["totals"]["unread"], 1);
    let sitemaps = report["sitemaps"].as_array().unwrap();
    let missing = sitemaps
        .iter()
        .find(|sitemap| sitemap["name"] == "https://example.com/sitemap-2.txt")
        .unwrap();
    assert_eq!(missing["status"], "unreadable");
}

/// An index without problems shows nothing about its parts.
#[test]
fn a_note_tells_that_the_parts_of_an_index_are_not_read() {
    let folder = site();
    let ran = folder.run(&["public/sitemap.xml"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let note = "note: public/sitemap.xml is an index, and its parts are not read; pass the folder";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let ran = folder.run(&["public"]);
    assert!(!ran.stderr.contains("is an index"), "{}", ran.stderr);
}
