//! `sitemap report`, as it is run.

use std::fmt::Write as _;
use std::fs;

#[cfg(unix)]
use crate::ended;
use crate::folder::Folder;
use crate::served::{self, Ran};
use serde_json::Value;

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.said))
    }
}

impl Folder {
    fn report(&self, arguments: &str) -> Ran {
        self.run(&format!("report {arguments}"))
    }

    fn json(&self, arguments: &str) -> Value {
        self.report(&format!("{arguments} --format json")).json()
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
    let text = "https://example.com/blog/c\nhttps://example.com/about\n";
    folder.put("public/sitemap-2.txt", text);
    folder.put("public/feed.xml", "<html></html>");
    folder
}

/// 0: everything is read and used. 1: something is not. 2: nothing is, and nothing is written.
#[test]
fn the_status_says_whether_everything_was_read() {
    let folder = site();
    folder.put("good.txt", "https://example.com/a\n");
    let warned = "<url><loc>https://example.com/a</loc><priority>2</priority></url>";
    folder.put("warned.xml", urlset(warned));
    folder.put("bad.xml", "<html></html>");
    folder.put("cut.xml", &urlset(PAGES)[..400]);
    fs::create_dir(folder.path("empty")).unwrap();
    for (arguments, status) in [
        ("good.txt", 0),
        ("warned.xml", 0),
        ("warned.xml --deny invalid-priority", 1),
        ("public", 1),
        ("public --allow invalid-url", 0),
        ("good.txt bad.xml", 1),
        ("good.txt missing.xml", 2),
        ("cut.xml", 1),
        ("bad.xml", 1),
        ("missing.xml", 2),
        ("empty", 2),
    ] {
        let ran = folder.must(&format!("report {arguments} -o report.json"), status);
        assert_eq!(ran.out, "", "{arguments}");
        let path = folder.path("report.json");
        // A report of what could be read, if there is anything.
        let is_read = !["bad.xml", "missing.xml", "empty"].contains(&arguments);
        assert_eq!(path.exists(), is_read, "{arguments}");
        let _ = fs::remove_file(path);
        // As `sitemap check`.
        folder.must(&format!("check --quiet {arguments}"), status);
    }
    let cut = folder.json("cut.xml");
    assert_eq!(cut["sitemaps"][0]["status"], "partly");
    let reason = cut["sitemaps"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("truncated"), "{cut}");
    assert_eq!([&cut["totals"]["unread"], &cut["totals"]["partly"]], [1, 1]);
}

/// The file of a run that fails stays as it was, and no other file is next to it.
#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = site();
    folder.put("report.json", "before");
    folder.put("bad.xml", "<html></html>");
    folder.must("report bad.xml -o report.json", 1);
    assert_eq!(folder.read("report.json"), "before");
    folder.must("report public -o report.json --against missing", 2);
    assert_eq!(folder.read("report.json"), "before");
    folder.must("report public -o report.json", 1);
    let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["totals"]["pages"], 7);
    folder.must("report public -o no/report.json", 2);
    let mut names: Vec<_> = fs::read_dir(folder.0.path())
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
    folder.put("old.xml", urlset(PAGES));
    for earlier in ["old.xml", "public/sitemap-2.txt"] {
        let ran = folder.must(&format!("report public --against {earlier}"), 2);
        ran.says("it is not a report");
        ran.says("sitemap diff");
    }
}

/// Reports of a later version, other pages, and other lists; the last line of a probe that was killed is left out.
#[test]
fn what_is_compared_or_counted_is_a_result_of_the_program() {
    let folder = site();
    folder.report("public -o old.json");
    let later = folder.read("old.json");
    let later = later.replacen("\"version\":2", "\"version\":3", 1);
    folder.put("later.json", later);
    folder.put("other.html", "<!doctype html><p>Hello");
    folder.put("other.jsonl", "{\"loc\":\"https://example.com/\"}\n");
    for (arguments, expected) in [
        ("--against later.json", "later version"),
        (
            "--against other.html",
            "not one that `sitemap report` has made",
        ),
        (
            "--probe other.jsonl",
            "other.jsonl: line 1 is not a result of `sitemap probe`",
        ),
    ] {
        let ran = folder.must(&format!("report public {arguments}"), 2);
        ran.says(expected);
    }
    let line = "{\"url\":\"https://example.com/a\",\"sitemap\":\"s\",\"status\":200,\"location\":null,\"noindex\":false,\
                \"canonical\":null,\"disallowed\":false,\"bytes\":1,\"ms\":2,\"verdict\":\"ok\"}\n";
    folder.put("cut.jsonl", format!("{line}{}", &line[..20]));
    let report = folder.json("public --probe cut.jsonl");
    assert_eq!(report["probe"]["pages"], 1);
}

/// Nothing is fixed if the inputs have another name.
#[test]
fn a_report_of_another_folder_is_no_earlier_one() {
    let folder = site();
    folder.report("public -o old.json");
    fs::rename(folder.path("public"), folder.path("site")).unwrap();
    let report = folder.json("site --against old.json");
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
    folder.report("public -o old.json");
    let old = folder.read("old.json");
    let cost = "\"cost\":\"value dropped\"";
    assert!(old.contains(cost), "{old}");
    let changed = old.replace(cost, "\"cost\":\"see https://me:s3cret@example.com/x\"");
    folder.put("old.json", changed);
    folder.put("public/a.xml", urlset(&page("0.3")));
    for format in ["html", "json", "text"] {
        let arguments = "report public --against old.json --csv found.csv --format";
        let ran = folder.must(&format!("{arguments} {format}"), 0);
        let csv = folder.read("found.csv");
        assert!(csv.contains("see https://***@example.com/x"), "{csv}");
        for shown in [&ran.out, &ran.said, &csv] {
            assert!(!shown.contains("s3cret"), "{format}: {shown}");
        }
    }
}

#[test]
fn runs_are_kept() {
    let folder = site();
    let runs = |report: &Value| report["history"].as_array().map_or(0, Vec::len);
    for number in 1..=3 {
        let report = folder.json("public --history runs.jsonl");
        assert_eq!(runs(&report), number);
        assert_eq!(report["history"][number - 1]["pages"], 7);
        assert_eq!(folder.read("runs.jsonl").lines().count(), number);
    }
    // A killed run left a part of a line.
    let whole = folder.read("runs.jsonl");
    folder.put("runs.jsonl", &whole[..whole.len() - 20]);
    let ran = folder.report("public --history runs.jsonl --format json");
    ran.says("was incomplete");
    assert_eq!(runs(&ran.json()), 3);
    // Only the line feed is missing.
    let whole = folder.read("runs.jsonl");
    folder.put("runs.jsonl", whole.trim_end());
    assert_eq!(runs(&folder.json("public --history runs.jsonl")), 4);
    let lines = folder.read("runs.jsonl");
    let whole = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let pages = whole.map(|run: Value| run["pages"].as_u64());
    assert_eq!(pages.collect::<Vec<_>>(), [Some(7); 4]);

    // Nothing is added if nothing was read, and a file that is not a history is not changed.
    folder.must("report missing.xml --history runs.jsonl", 2);
    assert_eq!(folder.read("runs.jsonl"), lines);
    for other in [
        "important",
        "{\"made\":\"x\"}\n{\"made\":\"y\"}\n",
        "important\n",
    ] {
        folder.put("other.txt", other);
        let ran = folder.must("report public --history other.txt", 2);
        let begin = "error: other.txt: line 1 is not a run of `sitemap report`: ";
        assert!(ran.said.starts_with(begin), "{}", ran.said);
        assert_eq!(folder.read("other.txt"), other);
    }
    let ran = folder.report("missing.xml --history new.jsonl");
    assert_eq!((ran.status, folder.path("new.jsonl").exists()), (2, false));
    // Several runs of a day are told apart.
    let ran = folder.report("public --history runs.jsonl");
    let (_, bars) = ran.out.split_once("\npages by run\n").unwrap();
    let bars = bars
        .lines()
        .filter(|line| line.contains(" UTC (a part)  7  "));
    assert_eq!(bars.count(), 5, "{}", ran.out);
}

/// The figures of a run are those of the JSON.
#[test]
fn a_terminal_gets_the_first_page() {
    let folder = site();
    let text = folder.report("public").out;
    assert!(text.starts_with("public  20"), "{text}");
    for shown in [
        "\n  pages                  7  43% of them in blog/\n  sitemaps               3  all read to their end\n",
        "\n  with a date            3  43% of the pages\n  newest date   2024-03-04  ",
        "years before this report\n  errors                 1  most often: 1 URL cannot be used\n",
        "\n  warnings               2  of several kinds\n",
        "\nerror     invalid-url ",
        "public/sitemap-1.xml:5:11: `nonsense` is not",
        "  /blog/  3  ████",
        "  2024-03  2  ████",
        "2 images",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
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
    let ran = folder.report("a.xml");
    ran.prints("2 pages with alternates in 2 languages");
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
        let ran = folder.report(&format!("{name} --format {format}"));
        let said = format!("{}{}", ran.out, ran.said);
        assert!(!said.contains("secret"), "{said}");
        assert!(!said.contains("</script>/"), "{said}");
        let is_hostile = |character: char| {
            (character.is_control() && character != '\n') || character == '\u{202e}'
        };
        assert!(!said.contains(is_hostile), "{said:?}");
        assert!(ran.status < 2, "{said}");
    }
    let ran = folder.report("https://me:secret@127.0.0.1:1/ --retries 0");
    ran.does_not_say("secret");
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
        let name = format!("sitemap-{sitemap:04}.xml");
        folder.put(&format!("public/{name}"), urlset(&entries));
        let loc = format!("https://www.example.com/{name}");
        write!(index, "<sitemap><loc>{loc}</loc></sitemap>").unwrap();
    }
    folder.put("public/index.xml", index + "</sitemapindex>");
    folder.report("public -o report.json");
    folder.report("public -o report.html --against report.json");
    let page = folder.read("report.html");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let left_out = "1,201 sitemaps read, broken ones first; 1,001 of them are not in this table";
    assert!(page.contains(left_out));
    let text = folder.read("report.json");
    assert!(text.len() < 600_000, "{} bytes", text.len());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["totals"]["pages"], 24_000);
    assert_eq!(report["totals"]["sitemaps"], 1_201);
    assert_eq!(report["sitemaps"].as_array().unwrap().len(), 1_000);
    assert_eq!(report["more_sitemaps"], 201);
    assert_eq!(report["languages"]["unlisted"], 48_000);
    let english = &report["sections"][0]["sections"][0];
    assert_eq!(english["name"], "en/");
    assert_eq!(english["pages"], 24_000);
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
    let arguments = format!("report {} --retries 0 --format json", site.home);
    let report = folder.must(&arguments, 1).json();
    assert_eq!(report["subject"], site.home);
    assert_eq!(
        [&report["totals"]["pages"], &report["totals"]["unread"]],
        [2, 1]
    );
    let sitemaps = report["sitemaps"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().replace(&site.home, "/");
    let mut rows: Vec<_> = sitemaps
        .map(|sitemap| format!("{} {}", text(&sitemap["name"]), text(&sitemap["status"])))
        .collect();
    rows.sort();
    assert_eq!(
        rows,
        [
            "/a.xml read",
            "/b.xml unreadable",
            "/index.xml read",
            "https://elsewhere.example/c.xml not-read",
        ]
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
        .current_dir(folder.0.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while site.paths().is_empty() && begin.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    ended::signal(&child, "INT");
    assert_eq!(ended::ended(&mut child).code(), Some(130));
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
}

/// If a report is not written, a message contains the reason.
#[test]
fn sources_that_cannot_be_read_are_named_with_the_reason() {
    let folder = Folder::new();
    folder.put("error.xml", "<html></html>");
    folder.put("empty.xml", "");
    fs::create_dir(folder.path("folder")).unwrap();
    let ran = folder.must("report error.xml empty.xml missing.xml folder", 2);
    for line in [
        "error: error.xml: root element `html` is not that of a sitemap",
        "error: empty.xml: not a sitemap: it is empty",
        "error: missing.xml: ",
        "error: folder: there are no sitemaps in this folder",
        "error: no sitemap could be read, so there is no report",
    ] {
        ran.says(line);
    }
}

/// They are in the report itself, which is read without the messages.
#[test]
fn a_folder_without_sitemaps_is_in_the_report() {
    let folder = site();
    fs::create_dir(folder.path("folder")).unwrap();
    let report = folder.json("public folder");
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
    let ran = folder.must("report public -o public/sitemap-1.xml", 2);
    ran.says("--out public/sitemap-1.xml: the name ends in none of .html, .json and .txt");
    assert_eq!(folder.read("public/sitemap-1.xml"), before);
    let ran = folder.must("report public -o report.csv", 2);
    ran.says("--csv writes");
    folder.must("report public -o report.txt --format text", 1);
    assert!(folder.read("report.txt").contains("pages"));
}

#[test]
fn a_minus_is_standard_output() {
    let folder = site();
    let ran = folder.report("public -o - --format json");
    assert_eq!(ran.json()["totals"]["pages"], 7);
    assert!(!folder.path("-").exists());
}

/// A rename would put a file in the place of a pipe, or of /dev/null.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_to_and_stays() {
    use std::os::unix::fs::FileTypeExt;
    let folder = site();
    let pipe = folder.pipe("pipe.json");
    let end = pipe.clone();
    let reader = std::thread::spawn(move || fs::read_to_string(end).unwrap());
    folder.must("report public -o pipe.json", 1);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let report: Value = serde_json::from_str(&reader.join().unwrap()).unwrap();
    assert_eq!(report["totals"]["pages"], 7);
}

#[test]
fn a_url_that_is_not_followed_is_requested_with_the_options_for_the_network() {
    let site = served::http(|_, home| served::ok(served::urlset([format!("{home}a")])));
    let url = site.at("sitemap.xml");
    let ran = site.run_all(&["report", &url, "--no-follow", "--user-agent", "mine/1"]);
    assert_eq!(ran.status, 0, "{}", ran.said);
    let sent = site.header("/sitemap.xml", "user-agent");
    assert_eq!(sent.as_deref(), Some("mine/1"));
}

/// An index without problems shows nothing about its parts.
#[test]
fn a_note_tells_that_the_parts_of_an_index_are_not_read() {
    let folder = site();
    let ran = folder.must("report public/sitemap.xml", 0);
    let note = "note: public/sitemap.xml is an index, and its parts are not read; pass the folder";
    ran.says(note);
    folder.report("public").does_not_say("is an index");
}
