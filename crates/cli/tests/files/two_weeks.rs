//! Two weeks of one site, made by a generator that records which problems are new, fixed and still there.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{advice, sitemap};
use serde_json::Value;
use tempfile::TempDir;

/// Parts of the site, and pages of each.
const PARTS: u32 = 12;
const PAGES: u32 = 90;
/// Its file is another document in the second week.
const BROKEN: u32 = 3;
/// Its file is removed in the second week.
const REMOVED: u32 = 4;
/// Its file is no sitemap in both weeks.
const NEVER: u32 = 5;

/// A finding as it is recognized: its rule, its sitemap, and its page.
type Found = (String, String, String);

fn found(rule: &str, part: u32, page: &str) -> Found {
    (
        rule.to_owned(),
        format!("sitemap-{part}.xml"),
        page.to_owned(),
    )
}

fn loc(part: u32, page: u32) -> String {
    format!("https://www.example.com/{part}/page-{page}")
}

/// The problem of a page in a week. Problems come and go with different periods; one in five never changes.
fn problem(part: u32, page: u32, week: u32) -> Option<&'static str> {
    let number = part * 7 + page;
    match number % 10 {
        0 => Some("invalid-priority"),
        1 if week == 1 => Some("invalid-datetime"),
        2 if week == 2 => Some("invalid-datetime"),
        3 => Some(if week == 1 {
            "invalid-priority"
        } else {
            "duplicate-element"
        }),
        4 if number % 20 == 4 => Some("url-not-escaped"),
        _ => None,
    }
}

struct Site {
    folder: PathBuf,
    found: BTreeSet<Found>,
}

impl Site {
    /// Writes the week to `public`. The content of the folder is replaced.
    fn write(root: &Path, week: u32) -> Self {
        let folder = root.join("public");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let mut site = Self {
            folder,
            found: BTreeSet::new(),
        };
        let mut index =
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        for part in 1..=PARTS {
            let url = format!("https://www.example.com/sitemap-{part}.xml");
            writeln!(index, "<sitemap><loc>{url}</loc></sitemap>").unwrap();
            site.part(part, week);
        }
        index.push_str("</sitemapindex>\n");
        fs::write(site.folder.join("sitemap.xml"), index).unwrap();
        site
    }

    fn part(&mut self, part: u32, week: u32) {
        let path = self.folder.join(format!("sitemap-{part}.xml"));
        if part == NEVER || part == BROKEN && week == 2 {
            fs::write(path, "<html><body>404</body></html>").unwrap();
            self.found.insert(found("unknown-root", part, ""));
            return;
        }
        if part == REMOVED && week == 2 {
            let url = format!("https://www.example.com/sitemap-{part}.xml");
            let missing = ("missing-part".to_owned(), "sitemap.xml".to_owned(), url);
            self.found.insert(missing);
            return;
        }
        let mut text =
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        // Pages come and go, so that the lines of all others move.
        let new = if week == 2 { PAGES..PAGES + part } else { 0..0 };
        for page in new.rev().chain(0..PAGES) {
            if week == 2 && page % 29 == 28 && page < PAGES {
                continue;
            }
            let problem = problem(part, page, week).filter(|_| page < PAGES);
            let mut loc = loc(part, page);
            let values = match problem {
                Some("invalid-priority") => "<priority>1.5</priority>",
                Some("invalid-datetime") => "<lastmod>yesterday</lastmod>",
                Some("duplicate-element") => "<priority>0.5</priority><priority>0.4</priority>",
                Some(_) => {
                    loc.push_str("/é");
                    ""
                }
                None => "<lastmod>2026-11-02</lastmod>",
            };
            writeln!(text, "<url><loc>{loc}</loc>{values}</url>").unwrap();
            if let Some(rule) = problem {
                self.found.insert(found(rule, part, &loc));
            }
        }
        text.push_str("</urlset>\n");
        fs::write(path, text).unwrap();
    }
}

/// The sitemaps whose findings cannot be known to be fixed.
fn is_unread(found: &Found) -> bool {
    [BROKEN, REMOVED]
        .iter()
        .any(|part| found.1 == format!("sitemap-{part}.xml"))
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap().to_owned()
}

/// The rows of a CSV file, by the names of its columns.
fn rows(text: &[u8]) -> Vec<std::collections::HashMap<String, String>> {
    csv::Reader::from_reader(text)
        .deserialize()
        .map(Result::unwrap)
        .collect()
}

fn of_rows(rows: &[std::collections::HashMap<String, String>]) -> BTreeSet<Found> {
    let of = |row: &std::collections::HashMap<String, String>| {
        (
            row["rule"].clone(),
            file_name(&row["sitemap"]),
            row["page"].clone(),
        )
    };
    let all: BTreeSet<_> = rows.iter().map(of).collect();
    assert_eq!(all.len(), rows.len());
    all
}

fn run(root: &Path, arguments: &[&str], status: i32) -> (Vec<u8>, String) {
    let mut command = sitemap(arguments);
    let output = command.current_dir(root).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    (output.stdout, stderr)
}

const CHECK: [&str; 2] = ["check", "public"];

fn check(root: &Path, arguments: &[&str], status: i32) -> (Vec<u8>, String) {
    run(root, &[&CHECK, arguments].concat(), status)
}

#[test]
fn a_baseline_leaves_what_is_new() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    let first = Site::write(root, 1);
    let (known, _) = check(root, &["--format", "jsonl"], 1);
    fs::write(root.join("known.jsonl"), &known).unwrap();
    let lines: BTreeSet<_> = String::from_utf8(known)
        .unwrap()
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let of = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            (of("rule"), file_name(&of("file")), of("page"))
        })
        .collect();
    assert_eq!(lines, first.found);

    // Nothing is new, although the findings are errors and a sitemap cannot be read.
    let (out, said) = check(root, &["--baseline", "known.jsonl"], 0);
    assert_eq!(String::from_utf8(out).unwrap(), "");
    let count = first.found.len();
    assert!(
        said.contains(&format!("no new problems found; {count} known\n")),
        "{said}"
    );

    let second = Site::write(root, 2);
    let new: BTreeSet<_> = second.found.difference(&first.found).cloned().collect();
    let (fixed, unread): (BTreeSet<_>, BTreeSet<_>) = first
        .found
        .difference(&second.found)
        .cloned()
        .partition(|found| !is_unread(found));
    let still = second.found.intersection(&first.found).count();
    assert!(new.len() > 50 && fixed.len() > 50 && unread.len() > 20 && still > 100);
    let (out, said) = check(root, &["--baseline", "known.jsonl", "--format", "csv"], 1);
    assert_eq!(of_rows(&rows(&out)), new);
    assert_eq!(said, "");
    let (_, said) = check(root, &["--baseline", "known.jsonl", "--verbose"], 1);
    let counts = format!(
        "; {still} known, {} fixed, {} not looked for",
        fixed.len(),
        unread.len()
    );
    assert!(said.contains(&counts), "{said}");
    let named = said
        .lines()
        .filter(|line| line.starts_with("note: fixed: "));
    assert_eq!(named.count(), fixed.len());
    for (rule, file, _) in &fixed {
        let is_it = |line: &&str| {
            line.contains(&format!("{file}: ")) && line.ends_with(&format!("[{rule}]"))
        };
        assert!(said.lines().any(|line| is_it(&line)), "{rule} {file}");
    }

    // Findings of sitemaps that cannot be read stay known.
    let (out, _) = check(root, &["--baseline", "known.jsonl", "--update"], 0);
    assert_eq!(String::from_utf8(out).unwrap(), "");
    let text = fs::read_to_string(root.join("known.jsonl")).unwrap();
    // The last line is the seal.
    assert_eq!(text.lines().count(), second.found.len() + unread.len() + 1);
    Site::write(root, 1);
    // They are warnings.
    let (out, _) = check(root, &["--baseline", "known.jsonl", "--format", "csv"], 0);
    assert_eq!(of_rows(&rows(&out)), fixed);
}

#[test]
fn a_baseline_is_what_a_check_wrote() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    Site::write(root, 1);
    let (_, said) = check(root, &["--baseline", "known.jsonl"], 2);
    assert!(
        said.contains("known.jsonl: ") && said.contains("--update"),
        "{said}"
    );
    fs::write(root.join("known.jsonl"), "https://www.example.com/\n").unwrap();
    let (_, said) = check(root, &["--baseline", "known.jsonl"], 2);
    assert!(
        said.contains("known.jsonl: line 1 is not a finding"),
        "{said}"
    );
    let (_, said) = check(root, &["--update"], 2);
    assert!(said.contains("--baseline"), "{said}");
    let (_, said) = check(root, &["known.jsonl", "--baseline", "./known.jsonl"], 2);
    assert!(
        said.contains("--baseline") && said.contains("one file"),
        "{said}"
    );
    fs::remove_file(root.join("known.jsonl")).unwrap();
    // From sitemap.toml, as on the command line.
    fs::write(
        root.join("sitemap.toml"),
        "[check]\nbaseline = \"known.jsonl\"\n",
    )
    .unwrap();
    check(root, &["--update"], 0);
    check(root, &[], 0);
}

/// A sitemap with two errors and a warning, at this scheme and host.
fn sitemap_at(host: &str) -> String {
    format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url></url>\
         <url><loc>{host}/%7Ea</loc><priority>7</priority></url><url></url></urlset>"
    )
}

/// The sitemaps of a baseline are recognized by their places below the working folder, in any spelling.
#[test]
fn a_baseline_of_the_same_folder_and_of_another_one() {
    let root = TempDir::new().unwrap();
    let root = root.path().canonicalize().unwrap();
    let (own, other) = (root.join("ci/public"), root.join("ci/other"));
    for folder in [&own, &other] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("sitemap.xml"), sitemap_at("http://e.com")).unwrap();
    }
    fs::create_dir(root.join("ci/empty")).unwrap();
    let ci = root.join("ci");
    let known = ["--baseline", "known.jsonl"];
    run(
        &ci,
        &["check", "public", "--baseline", "known.jsonl", "--update"],
        0,
    );
    let absolute = own.display().to_string();
    let file = own.join("sitemap.xml").display().to_string();
    let is_warned = |said: &str| said.contains("no sitemap of --baseline is among the inputs");
    for input in [
        "public",
        "public/",
        "./public",
        "public//.",
        "other/../public",
        "../ci/public",
        &absolute,
        "public/sitemap.xml",
        "../ci/public/./sitemap.xml",
        &file,
    ] {
        let (_, said) = run(&ci, &[&["check", input], &known[..]].concat(), 0);
        assert!(
            said.contains("no new problems found; 3 known\n"),
            "{input}: {said}"
        );
        assert!(!is_warned(&said), "{input}: {said}");
    }
    // The scheme and `www.` do not count.
    for host in ["https://e.com", "http://www.e.com", "https://www.e.com"] {
        fs::write(own.join("sitemap.xml"), sitemap_at(host)).unwrap();
        let (_, said) = run(&ci, &[&["check", "public"], &known[..]].concat(), 0);
        assert!(said.contains("; 3 known\n"), "{host}: {said}");
    }
    // Among other inputs there is one of the baseline.
    let both = ["check", "other", "public", "--baseline", "known.jsonl"];
    let (_, said) = run(&ci, &both, 1);
    assert!(said.contains("; 3 known\n") && !is_warned(&said), "{said}");
    // Another folder, another working folder, a moved file.
    fs::rename(own.join("sitemap.xml"), root.join("ci/sitemap.xml")).unwrap();
    let from_above = ["check", "ci/sitemap.xml", "--baseline", "ci/known.jsonl"];
    for (folder, arguments) in [
        (&ci, ["check", "other", "--baseline", "known.jsonl"]),
        (&ci, ["check", "sitemap.xml", "--baseline", "known.jsonl"]),
        (&root, from_above),
    ] {
        let (_, said) = run(folder, &arguments, 1);
        assert!(is_warned(&said), "{arguments:?}: {said}");
        assert!(
            said.contains("0 known, 3 not looked for"),
            "{arguments:?}: {said}"
        );
    }
    run(&ci, &[&["check", "empty"], &known[..]].concat(), 2);
    // A baseline without findings is that of any folder.
    fs::write(ci.join("known.jsonl"), "").unwrap();
    let (_, said) = run(&ci, &[&["check", "other"], &known[..]].concat(), 1);
    assert!(!is_warned(&said), "{said}");
}

/// The findings of a report that `filter` keeps, of all its rules.
fn of_report(rules: &Value, examples: &str, filter: fn(&Value) -> bool) -> BTreeSet<Found> {
    let mut all = BTreeSet::new();
    for rule in rules.as_array().unwrap() {
        for example in rule[examples]
            .as_array()
            .unwrap()
            .iter()
            .filter(|example| filter(example))
        {
            let of = |name: &str| example[name].as_str().unwrap_or_default();
            let rule = rule["rule"].as_str().unwrap().to_owned();
            assert!(all.insert((rule, file_name(of("sitemap")), of("page").to_owned())));
        }
    }
    all
}

/// Without advice, which the generator does not count.
fn without_advice(found: BTreeSet<Found>) -> BTreeSet<Found> {
    let advice = advice();
    let found = found.into_iter();
    found.filter(|(rule, ..)| !advice.contains(rule)).collect()
}

/// The report as JSON that a page contains.
fn embedded(page: &str) -> Value {
    let (_, json) = page.split_once("id=\"report\">").unwrap();
    serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_compares_with_an_earlier_one() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    let first = Site::write(root, 1);
    let report = |arguments: &[&str]| run(root, &[&["report", "public"], arguments].concat(), 1).1;
    let said = report(&["-o", "week1.html"]);
    assert!(said.contains("note: week1.html: 1 error, "), "{said}");
    report(&["-o", "week1.json"]);

    let second = Site::write(root, 2);
    let new: BTreeSet<_> = second.found.difference(&first.found).cloned().collect();
    let (unread, fixed): (BTreeSet<_>, BTreeSet<_>) = first
        .found
        .difference(&second.found)
        .cloned()
        .partition(is_unread);
    let still: BTreeSet<_> = second.found.intersection(&first.found).cloned().collect();
    for earlier in ["week1.html", "week1.json"] {
        let said = report(&["-o", "week2.html", "--against", earlier, "--csv", "all.csv"]);
        assert!(said.contains(" new, "), "{said}");
        let page = fs::read_to_string(root.join("week2.html")).unwrap();
        let json = embedded(&page);
        let found = of_report(&json["rules"], "examples", |example| {
            example["is_new"] == true
        });
        assert_eq!(without_advice(found), new);
        let found = of_report(&json["rules"], "examples", |example| {
            example["is_new"] != true
        });
        assert_eq!(without_advice(found), still);
        let changes = &json["changes"]["findings"];
        let found = of_report(&changes["rules"], "examples", |_| true);
        assert_eq!(without_advice(found), fixed);
        let advice = changes["fixed"].as_u64().unwrap() - fixed.len() as u64;
        assert!(advice <= 2, "{changes}");
        assert!(
            changes["unread"].as_u64().unwrap() >= unread.len() as u64,
            "{changes}"
        );

        // The page has the same numbers, and a note about the sitemaps that could not be compared.
        let numbers = format!("<b>{}</b> new", changes["new"]);
        assert!(page.contains(&numbers), "{numbers}");
        assert!(page.contains(&format!("<b>{}</b> fixed", changes["fixed"])));
        assert!(page.contains("because their sitemaps were not read to the end"));

        // The sitemaps, the broken ones first.
        let sitemaps = json["changes"]["sitemaps"].as_array().unwrap();
        let changed: Vec<_> = sitemaps
            .iter()
            .map(|change| {
                let name = file_name(change["name"].as_str().unwrap());
                (change["change"].as_str().unwrap(), name)
            })
            .collect();
        let file = |part: u32| format!("sitemap-{part}.xml");
        let broken = [
            ("now unreadable", file(BROKEN)),
            ("now unreadable", file(REMOVED)),
        ];
        assert_eq!(changed[..2], broken);
        let others = changed[2..].iter();
        assert!(others.clone().all(|(change, _)| *change == "other entries"));
        assert_eq!(others.count(), PARTS as usize - 3);

        // All of them as a table.
        let rows = rows(&fs::read(root.join("all.csv")).unwrap());
        for (change, expected) in [("new", &new), ("fixed", &fixed), ("known", &still)] {
            let rows: Vec<_> = rows
                .iter()
                .filter(|row| row["change"] == change)
                .cloned()
                .collect();
            assert_eq!(&without_advice(of_rows(&rows)), expected, "{change}");
        }
    }
    // The same state has no changes.
    report(&["-o", "again.json", "--against", "week2.html"]);
    let again: Value =
        serde_json::from_str(&fs::read_to_string(root.join("again.json")).unwrap()).unwrap();
    let findings = &again["changes"]["findings"];
    assert_eq!(
        (&findings["new"], &findings["fixed"]),
        (&Value::from(0), &Value::from(0))
    );
    assert_eq!(again["changes"]["sitemaps"], Value::Array(Vec::new()));
}

/// Without an earlier report, the table has no column for changes.
#[test]
fn all_findings_are_a_table() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    let first = Site::write(root, 1);
    let arguments = ["report", "public", "-o", "week1.html", "--csv", "all.csv"];
    run(root, &arguments, 1);
    let text = fs::read(root.join("all.csv")).unwrap();
    assert!(
        text.starts_with("\u{feff}sitemap,line,column,severity,rule,page,message\n".as_bytes())
    );
    assert_eq!(without_advice(of_rows(&rows(&text))), first.found);
    let page = fs::read_to_string(root.join("week1.html")).unwrap();
    assert!(page.contains("all.csv"));
    let arguments = ["report", "public", "-o", "week1.html", "--csv", "-"];
    let (printed, _) = run(root, &arguments, 1);
    assert_eq!(rows(&printed), rows(&text));
    run(root, &["report", "public", "--csv", "-"], 2);
    assert!(!root.join("-").exists());

    // A finding that is fixed has the row that it had before, with its cost.
    let before = rows(&text);
    Site::write(root, 2);
    let arguments = "report public -o week2.html --against week1.html --csv again.csv";
    run(root, &arguments.split(' ').collect::<Vec<_>>(), 1);
    let mut fixed = rows(&fs::read(root.join("again.csv")).unwrap());
    fixed.retain_mut(|row| row.remove("change").is_some_and(|change| change == "fixed"));
    assert!(fixed.iter().any(|row| row["message"].contains("; ")));
    assert!(fixed.iter().all(|row| before.contains(row)));
}
