//! Two weeks of one site, made by a generator that records which problems are new, fixed and still there.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::folder::Folder;
use crate::program::advice;
use crate::served::Ran;
use serde_json::Value;

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
    fn write(root: &Folder, week: u32) -> Self {
        let folder = root.path("public");
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

/// The findings that are new, fixed, not looked for, and still there.
fn changes(first: &Site, second: &Site) -> [BTreeSet<Found>; 4] {
    let new = second.found.difference(&first.found).cloned().collect();
    let gone = first.found.difference(&second.found).cloned();
    let (unread, fixed) = gone.partition(is_unread);
    let still = second.found.intersection(&first.found).cloned().collect();
    [new, fixed, unread, still]
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap().to_owned()
}

type Row = HashMap<String, String>;

/// The rows of a CSV file, by the names of its columns.
fn rows(text: &str) -> Vec<Row> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .map(Result::unwrap)
        .collect()
}

fn of_rows(rows: &[Row]) -> BTreeSet<Found> {
    let of = |row: &Row| {
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

#[test]
fn a_baseline_leaves_what_is_new() {
    let folder = Folder::new();
    let first = Site::write(&folder, 1);
    let known = folder.must("check public --format jsonl", 1).out;
    folder.put("known.jsonl", &known);
    let found = known.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let of = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        (of("rule"), file_name(&of("file")), of("page"))
    });
    assert_eq!(found.collect::<BTreeSet<_>>(), first.found);

    // Nothing is new, although the findings are errors and a sitemap cannot be read.
    let check = "check public --baseline known.jsonl";
    let ran = folder.must(check, 0);
    assert_eq!(ran.out, "");
    let count = first.found.len();
    ran.says(&format!("no new problems found; {count} known\n"));

    let second = Site::write(&folder, 2);
    let [new, fixed, unread, still] = changes(&first, &second);
    let still = still.len();
    assert!(new.len() > 50 && fixed.len() > 50 && unread.len() > 20 && still > 100);
    let ran = folder.must(&format!("{check} --format csv"), 1);
    assert_eq!(of_rows(&rows(&ran.out)), new);
    assert_eq!(ran.said, "");
    let said = folder.must(&format!("{check} --verbose"), 1).said;
    let (fixes, unknown) = (fixed.len(), unread.len());
    let counts = format!("; {still} known, {fixes} fixed, {unknown} not looked for");
    assert!(said.contains(&counts), "{said}");
    assert_eq!(said.matches("note: fixed: ").count(), fixes, "{said}");
    for (rule, file, _) in &fixed {
        let (file, rule) = (format!("{file}: "), format!("[{rule}]"));
        let mut lines = said.lines();
        let is_named = lines.any(|line| line.contains(&file) && line.ends_with(&rule));
        assert!(is_named, "{rule} {file}");
    }

    // Findings of sitemaps that cannot be read stay known.
    let ran = folder.must(&format!("{check} --update"), 0);
    assert_eq!(ran.out, "");
    let lines = folder.read("known.jsonl").lines().count();
    // The last line is the seal.
    assert_eq!(lines, second.found.len() + unread.len() + 1);
    Site::write(&folder, 1);
    // They are warnings.
    let ran = folder.must(&format!("{check} --format csv"), 0);
    assert_eq!(of_rows(&rows(&ran.out)), fixed);
}

#[test]
fn a_baseline_is_what_a_check_wrote() {
    let folder = Folder::new();
    Site::write(&folder, 1);
    let check = "check public --baseline known.jsonl";
    let ran = folder.must(check, 2);
    ran.says("known.jsonl: ");
    ran.says("--update");
    folder.put("known.jsonl", "https://www.example.com/\n");
    let ran = folder.must(check, 2);
    ran.says("known.jsonl: line 1 is not a finding");
    folder.must("check public --update", 2).says("--baseline");
    let ran = folder.must("check public known.jsonl --baseline ./known.jsonl", 2);
    ran.says("--baseline");
    ran.says("one file");
    fs::remove_file(folder.path("known.jsonl")).unwrap();
    // From sitemap.toml, as on the command line.
    folder.put("sitemap.toml", "[check]\nbaseline = \"known.jsonl\"\n");
    folder.must("check public --update", 0);
    folder.must("check public", 0);
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
    let folder = Folder::new();
    let put = |host: &str| folder.put("ci/public/sitemap.xml", sitemap_at(host));
    put("http://e.com");
    folder.put("ci/other/sitemap.xml", sitemap_at("http://e.com"));
    fs::create_dir(folder.path("ci/empty")).unwrap();
    let run = |below: &str, arguments: &str, status: i32| {
        let mut command = folder.command(&format!("check {arguments}"));
        let ran = command.current_dir(folder.path(below)).output().unwrap();
        let ran = Ran::new(ran, "\0");
        assert_eq!(ran.status, status, "{arguments}: {}", ran.said);
        ran
    };
    let check =
        |input: &str, status: i32| run("ci", &format!("{input} --baseline known.jsonl"), status);
    check("public --update", 0);
    let own = folder.path("ci/public").canonicalize().unwrap();
    let file = own.join("sitemap.xml").display().to_string();
    let own = own.display().to_string();
    let warning = "no sitemap of --baseline is among the inputs";
    for input in [
        "public",
        "public/",
        "./public",
        "public//.",
        "other/../public",
        "../ci/public",
        &own,
        "public/sitemap.xml",
        "../ci/public/./sitemap.xml",
        &file,
    ] {
        let ran = check(input, 0);
        let is_known = ran.said.contains("no new problems found; 3 known\n");
        assert!(
            is_known && !ran.said.contains(warning),
            "{input}: {}",
            ran.said
        );
    }
    // The scheme and `www.` do not count.
    for host in ["https://e.com", "http://www.e.com", "https://www.e.com"] {
        put(host);
        let said = check("public", 0).said;
        assert!(said.contains("; 3 known\n"), "{host}: {said}");
    }
    // Among other inputs there is one of the baseline.
    let ran = check("other public", 1);
    ran.says("; 3 known\n");
    ran.does_not_say(warning);
    // Another folder, another working folder, a moved file.
    let moved = folder.path("ci/sitemap.xml");
    fs::rename(folder.path("ci/public/sitemap.xml"), moved).unwrap();
    let from_above = run("", "ci/sitemap.xml --baseline ci/known.jsonl", 1);
    for ran in [check("other", 1), check("sitemap.xml", 1), from_above] {
        ran.says(warning);
        ran.says("0 known, 3 not looked for");
    }
    check("empty", 2);
    // A baseline without findings is that of any folder.
    folder.put("ci/known.jsonl", "");
    check("other", 1).does_not_say(warning);
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
    let folder = Folder::new();
    let first = Site::write(&folder, 1);
    let ran = folder.must("report public -o week1.html", 1);
    ran.says("note: week1.html: 1 error, ");
    folder.must("report public -o week1.json", 1);

    let second = Site::write(&folder, 2);
    let [new, fixed, unread, still] = changes(&first, &second);
    for earlier in ["week1.html", "week1.json"] {
        let report = format!("report public -o week2.html --against {earlier} --csv all.csv");
        folder.must(&report, 1).says(" new, ");
        let page = folder.read("week2.html");
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
        let rows = rows(&folder.read("all.csv"));
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
    folder.must("report public -o again.json --against week2.html", 1);
    let again: Value = serde_json::from_str(&folder.read("again.json")).unwrap();
    let findings = &again["changes"]["findings"];
    assert_eq!([&findings["new"], &findings["fixed"]], [0, 0]);
    assert_eq!(again["changes"]["sitemaps"], Value::Array(Vec::new()));
}

/// Without an earlier report, the table has no column for changes.
#[test]
fn all_findings_are_a_table() {
    let folder = Folder::new();
    let first = Site::write(&folder, 1);
    folder.must("report public -o week1.html --csv all.csv", 1);
    let text = folder.read("all.csv");
    let head = "\u{feff}sitemap,line,column,severity,rule,page,message\n";
    assert!(text.starts_with(head), "{text}");
    assert_eq!(without_advice(of_rows(&rows(&text))), first.found);
    assert!(folder.read("week1.html").contains("all.csv"));
    let ran = folder.must("report public -o week1.html --csv -", 1);
    assert_eq!(rows(&ran.out), rows(&text));
    folder.must("report public --csv -", 2);
    assert!(!folder.path("-").exists());

    // A finding that is fixed has the row that it had before, with its cost.
    let before = rows(&text);
    Site::write(&folder, 2);
    let arguments = "report public -o week2.html --against week1.html --csv again.csv";
    folder.must(arguments, 1);
    let mut fixed = rows(&folder.read("again.csv"));
    fixed.retain_mut(|row| row.remove("change").is_some_and(|change| change == "fixed"));
    assert!(fixed.iter().any(|row| row["message"].contains("; ")));
    assert!(fixed.iter().all(|row| before.contains(row)));
}
