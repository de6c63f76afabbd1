//! A statement that something is not there needs to have looked: PROTOCOL of the whole program, by files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::Folder;
use crate::program::{NS, index, urlset};
use crate::served::Ran;

/// A page in place of a sitemap.
const PAGE: &str = "<html></html>";

impl Folder {
    /// The findings of the baseline `k`, without the seal.
    fn known(&self) -> usize {
        let text = self.read("k");
        text.lines()
            .filter(|line| line.contains("\"rule\""))
            .count()
    }

    /// A check of the folder `s` with the baseline.
    fn check(&self, options: &str) -> Ran {
        self.run(&format!("check s --baseline k {options}"))
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }
}

const HTML: &str = "<html><head><title>A</title></head><body>Text</body></html>";
const RELATIVE: &str = "/x y";
const SOUND: &str = "https://e.com/1";

fn dated(date: &str) -> String {
    format!("<urlset {NS}><url><loc>{SOUND}</loc><lastmod>{date}</lastmod></url></urlset>")
}

fn parts() -> String {
    index(&["https://e.com/a.xml", "https://e.com/b.xml"])
}

/// A folder with a relative URL in s/a.xml, which is in the baseline `k`.
fn with_baseline(options: &str) -> Folder {
    let folder = Folder::new();
    folder
        .put("s/a.xml", urlset(&[RELATIVE]))
        .put("s/g.xml", urlset(&[SOUND]));
    folder.must(&format!("check s {options} --baseline k --update"), 0);
    assert!(folder.known() >= 1, "{}", folder.read("k"));
    folder
}

/// Nothing of a file that is something else now is fixed, and an update keeps it.
#[test]
fn what_was_not_looked_for_is_not_fixed() {
    let feed =
        "<rss version='2.0'><channel><item><link>https://e.com/1</link></item></channel></rss>";
    for now in [
        PAGE,
        "",
        "{\"error\":1}",
        "# a text\nhttps://e.com/1\n",
        feed,
        "https://e.com/1\n",
    ] {
        let folder = with_baseline("");
        folder.put("s/a.xml", now);
        let ran = folder.check("--update");
        assert!(!ran.said.contains(" fixed"), "{now}: {}", ran.said);
        assert!(ran.said.contains("not looked for"), "{now}: {}", ran.said);
        assert!(folder.known() >= 1, "{now}: {}", folder.read("k"));
    }
    #[cfg(unix)]
    {
        let folder = with_baseline("");
        folder.remove("s/a.xml");
        std::os::unix::fs::symlink("nowhere.xml", folder.path("s/a.xml")).unwrap();
        folder.check("").does_not_say(" fixed");
    }
}

/// A rule that was not asked fixes nothing.
#[test]
fn what_was_not_asked_is_not_fixed() {
    let folder = with_baseline("");
    folder.put("s/a.xml", urlset(&[SOUND]));
    for options in ["--allow relative-url,invalid-url", "--allow all"] {
        let ran = folder.check(options);
        assert!(!ran.said.contains(" fixed"), "{options}: {}", ran.said);
    }
    let ran = folder.check("");
    ran.says("0 known, 1 fixed");
    assert_eq!(ran.status, 0);
    // Advice.
    let folder = Folder::new();
    folder.put("s/a.xml", urlset(&[SOUND, SOUND]));
    folder.check("--advice --update");
    let known = folder.known();
    assert_eq!(known, 1, "{}", folder.read("k"));
    let ran = folder.run("check s --baseline k --update --verbose");
    ran.does_not_say("fixed");
    assert_eq!(folder.known(), known);
    // A place that is not judged without a location.
    let folder = Folder::new();
    folder.put("s/a.xml", urlset(&["https://other.example/"]));
    folder.check("--location https://e.com/ --update");
    assert_eq!(folder.known(), 1, "{}", folder.read("k"));
    folder.check("").does_not_say(" fixed");
}

/// A page that robots.txt forbids is allowed only if the robots.txt of its folder was looked for.
#[test]
fn a_page_is_allowed_only_if_robots_txt_was_looked_for() {
    let robots =
        |rule: &str| format!("User-agent: *\nDisallow: {rule}\nSitemap: https://e.com/a.xml\n");
    let folder = Folder::new();
    folder
        .put("s/robots.txt", robots("/no"))
        .put("s/a.xml", urlset(&["https://e.com/no"]));
    folder.check("--update");
    assert!(folder.read("k").contains("disallowed"));
    let known = folder.known();
    let ran = folder.run("check s/a.xml --baseline k");
    ran.does_not_say(" fixed");
    // One finding stands for all pages.
    folder.put("s/robots.txt", robots("/"));
    let ran = folder.check("");
    ran.prints("[forbids-the-site]");
    ran.does_not_say(" fixed");
    folder.put("s/robots.txt", robots(""));
    folder.check("").says(&format!("{known} fixed"));
    folder.remove("s/robots.txt");
    folder.check("").says(&format!("{known} fixed"));
}

/// Nothing of a file is fixed by a bound that ended its reading, by an index that lists it although it is missing, or
/// because its folder is not there.
#[test]
fn what_may_be_there_is_not_fixed() {
    let listed = index(&["https://e.com/a.xml"]);
    let sound = urlset(&[SOUND, "https://e.com/2"]);
    for (name, now, others, options) in [
        ("s/a.xml", Some(&sound), None, "--max-pages 1"),
        ("s/a.xml", None, Some(&listed), ""),
        ("s/t/a.xml", None, None, ""),
    ] {
        let folder = Folder::new();
        folder
            .put("s/g.xml", others.unwrap_or(&sound))
            .put(name, urlset(&[SOUND, RELATIVE]));
        folder.check("--update");
        assert_eq!(folder.known(), 1, "{name}: {}", folder.read("k"));
        match now {
            Some(now) => drop(folder.put(name, now)),
            None if name.contains("/t/") => fs::remove_dir_all(folder.path("s/t")).unwrap(),
            None => folder.remove(name),
        }
        let input = if options.is_empty() { "s" } else { name };
        let ran = folder.run(&format!("check {input} {options} --baseline k"));
        ran.does_not_say("fixed");
        ran.says("1 not looked for");
    }
}

/// A part is not there again because an option has left it out.
#[test]
fn a_missing_part_is_fixed_only_if_it_was_looked_for() {
    let folder = Folder::new();
    folder
        .put("s/i.xml", parts())
        .put("s/a.xml", urlset(&[SOUND]));
    folder.check("--update");
    assert!(folder.read("k").contains("\"missing-part\""));
    folder.put("s/b.xml", urlset(&["https://e.com/2"]));
    folder.check("--sitemaps a\\.xml").does_not_say("fixed");
    folder.check("").says("1 fixed");
}

/// The finding that a file is not well-formed stands for others.
#[test]
fn what_is_not_well_formed_hides_what_it_stands_for() {
    let folder = Folder::new();
    folder.put("s.xml", urlset(&["https://e.com/bad?a&b"]));
    folder.run("check s.xml --allow not-well-formed --baseline k --update");
    assert!(folder.read("k").contains("\"bare-ampersand\""));
    let ran = folder.run("check s.xml --baseline k");
    ran.prints("[not-well-formed]");
    ran.does_not_say("fixed");
}

/// A finding in s/b.xml that is between two files needs both.
#[test]
fn a_finding_between_files_is_fixed_only_if_all_were_read() {
    let linked = |loc: &str, links: &[(&str, &str)]| {
        let links = links.iter().map(|(tag, path)| {
            format!("<xhtml:link rel='alternate' hreflang='{tag}' href='https://e.com/{path}'/>")
        });
        let links = links.collect::<String>();
        let root = format!("<urlset {NS} xmlns:xhtml='http://www.w3.org/1999/xhtml'>");
        format!("{root}<url><loc>https://e.com/{loc}</loc>{links}</url></urlset>")
    };
    let en = |other| [("de", "de"), ("en", "en"), ("fr", other)];
    for (rule, a, b) in [
        ("duplicate-url", urlset(&[SOUND]), urlset(&[SOUND])),
        (
            "several-spellings",
            urlset(&[SOUND]),
            urlset(&["https://e.com/1/"]),
        ),
        (
            "hreflang-without-return",
            linked("de", &[]),
            linked("en", &en("en")[..2]),
        ),
        (
            "hreflang-group",
            linked("de", &en("fr")),
            linked("en", &en("fr2")),
        ),
    ] {
        let folder = Folder::new();
        folder.put("s/a.xml", &a).put("s/b.xml", b);
        folder.check("--advice --update");
        let known = folder.read("k");
        let is_of = |line: &&str| line.contains("b.xml") && line.contains(rule);
        assert_eq!(known.lines().filter(is_of).count(), 1, "{rule}: {known}");
        folder.put("s/a.xml", &a[..90]);
        let cut = folder.check("--advice").said;
        folder.put("s/a.xml", urlset(&["https://e.com/2"]));
        let whole = folder.check("--advice").said;
        let is_fixed = [&cut, &whole].map(|said| said.contains(" fixed"));
        assert_eq!(is_fixed, [false, true], "{rule}: {cut}{whole}");
    }
}

/// What is fixed is fixed, what is gone is gone, and an unchanged baseline ends with 0.
#[test]
fn what_is_fixed_is_said_to_be() {
    let folder = with_baseline("");
    let ran = folder.check("");
    assert_eq!(ran.status, 0, "{}", ran.said);
    ran.does_not_say("fixed");
    folder.remove("s/a.xml");
    folder.check("").says("1 fixed");
}

/// A known error stays known when its sitemap grows, or its value changes.
#[test]
fn a_known_finding_is_recognized_whatever_its_message_counts() {
    let bad = "https://e.com/bad?a&b";
    for after in [[bad, SOUND].as_slice(), &[SOUND, bad, SOUND]] {
        let folder = Folder::new();
        folder.put("s.xml", urlset(&[bad]));
        folder.run("check s.xml --baseline k --update");
        folder.put("s.xml", urlset(after));
        let ran = folder.run("check s.xml --baseline k");
        assert_eq!(ran.status, 0, "{after:?}: {}", ran.out);
    }
    let folder = Folder::new();
    folder.put("s.xml", dated("foo"));
    folder.run("check s.xml --baseline k --update");
    folder.put("s.xml", dated("2024-13-01"));
    let ran = folder.run("check s.xml --baseline k");
    ran.says("no new problems found; 1 known");
}

/// A stored file that was cut or changed is not taken for a whole one; one from before is read.
#[test]
fn stored_files_are_sealed() {
    let folder = Folder::new();
    folder.put("s.xml", urlset(&[RELATIVE, "/a b", "/c d"]));
    folder.run("check s.xml --baseline k --update");
    let text = folder.read("k");
    let mut lines: Vec<_> = text.lines().collect();
    let seal: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!((&seal["sealed"], &seal["lines"]), (&1.into(), &3.into()));
    let first = lines[0];
    let later = lines[3].replace("\"sealed\":1", "\"sealed\":2");
    let removed = lines.remove(1);
    for (lines, why) in [
        (lines.join("\n"), "2 lines, but 3 were written"),
        (format!("{text}{removed}\n"), "line 5 follows the last one"),
        (format!("{first}\n{later}\n"), "a later version"),
    ] {
        folder.put("k", lines);
        let ran = folder.run("check s.xml --baseline k");
        assert_eq!(ran.status, 2, "{why}");
        ran.says(why);
    }
    // A plain list of findings has no seal, and fields that this version does not know are ignored.
    let plain = r#"{"file":"s.xml","rule":"invalid-url","page":"/x y","element":"loc","message":"other words","more":1}"#;
    folder.put("k", plain);
    folder.run("check s.xml --baseline k").says("1 known");
}

/// No sentence about everything hides what was left out.
#[test]
fn no_problems_names_what_was_left_out() {
    let folder = Folder::new();
    folder
        .put("s/i.xml", parts())
        .put("s/a.xml", urlset(&[SOUND]))
        .put("s/b.xml", urlset(&[RELATIVE]));
    for command in ["check s --sitemaps typo", "report s --sitemaps typo"] {
        let ran = folder.run(command);
        let said = format!("{}{}", ran.out, ran.said);
        assert_eq!(ran.status, 0, "{said}");
        assert!(said.contains("not selected by the options"), "{said}");
    }
    folder.run("report s --sitemaps typo -o q.html");
    let page = folder.read("q.html");
    assert!(!page.contains("nothing is wrong"), "{page}");
    assert!(!page.contains("all read to their end"), "{page}");
    assert!(page.contains("not selected by the options"), "{page}");
    assert!(page.contains("in the part that was read"), "{page}");
    // A service closes no alerts of what was left out.
    let ran = folder.run("check s --sitemaps typo -f sarif");
    let is_left_out = ran.out.contains("\"executionSuccessful\":false");
    assert!(is_left_out, "{}", ran.out);
    let ran = folder.must("check s --max-depth 1", 1);
    ran.says("listed deeper than --max-depth 1");
    // Entries that --allow hides.
    folder.put("bad.xml", urlset(&["ftp://e.com/x"]));
    let ran = folder.run("check bad.xml --allow unsupported-scheme");
    ran.says("1 finding that --allow hides");
    // Nothing is left out: nothing is added.
    let ran = folder.run("check s/a.xml");
    assert_eq!(ran.said, "note: 1 sitemap, 1 entry: no problems found\n");
    folder
        .put("w/index.html", PAGE)
        .put("w/browserconfig.xml", "<browserconfig/>");
    folder
        .put("w/humans.txt", "me\n")
        .put("w/sitemap.xml", urlset(&[SOUND]));
    let ran = folder.must("check w", 0);
    ran.says("no problems found (1 other file ignored)");
}

/// Two sides are compared only if they answer the same question.
#[test]
fn a_difference_has_one_question() {
    let folder = Folder::new();
    folder
        .put("s/i.xml", parts())
        .put("s/a.xml", urlset(&[SOUND]))
        .put("s/b.xml", urlset(&["https://e.com/2"]))
        .put("full.txt", "https://e.com/1\nhttps://e.com/2\n")
        .put("t/a.xml", urlset(&[SOUND]))
        .put("t/b.xml", PAGE)
        .put("u/a.xml", urlset(&[SOUND]))
        .put("u/b.xml", urlset(&["https://e.com/2"]));
    for (a, b) in [("full.txt", "s"), ("s", "full.txt")] {
        let arguments = format!("diff {a} {b} --sitemaps a\\.xml --format count");
        assert_eq!(folder.must(&arguments, 2).out, "");
    }
    for (a, b) in [("u", "t"), ("t", "u")] {
        let ran = folder.must(&format!("diff {a} {b}"), 2);
        assert_eq!(ran.out, "");
        ran.says("t/b.xml is not a sitemap");
        let ran = folder.must(&format!("diff {a} {b} --format indexnow --key 12345678"), 2);
        assert_eq!(ran.out, "");
    }
    // X against X is the same, and the question is named.
    for (input, options) in [
        ("s", "--sitemaps a\\.xml"),
        ("s", "--match /1$"),
        ("full.txt", "--exclude /2$"),
        ("t", ""),
        ("u", ""),
    ] {
        let ran = folder.must(&format!("diff {input} {input} {options}"), 0);
        ran.says("the same");
        let is_named = ran.said.contains("of the pages that") || ran.said.contains("not selected");
        assert_eq!(is_named, !options.is_empty(), "{options}: {}", ran.said);
    }
}

/// An alarm that cannot be judged is an alarm.
#[test]
fn an_alarm_that_cannot_be_judged_is_one() {
    let folder = Folder::new();
    folder
        .put("a.xml", dated("2024-01-01"))
        .put("b.xml", dated("2024-01-02"))
        .put("foo.xml", dated("foo"))
        .put("bar.xml", dated("bar"))
        .put("future.xml", dated("2999-01-01"))
        .put("b.csv", "loc\nhttps://e.com/1\n")
        .put("cut.xml", &dated("2024-01-01")[..100])
        .put("empty.xml", urlset(&[]));
    for (arguments, status) in [
        ("a.xml b.xml --match /blogg/ --max-removed 0", 3),
        ("a.xml b.xml --exclude .* --max-changed 0", 3),
        ("a.xml b.xml --match /blogg/", 2),
        ("empty.xml empty.xml", 2),
        ("a.xml b.csv --max-changed 0 -q", 3),
        ("a.xml b.csv --fields lastmod", 2),
        ("b.csv b.csv --fields lastmod,images", 2),
        ("b.csv b.csv", 0),
        ("a.xml cut.xml --allow-incomplete --max-removed 9", 3),
        ("a.xml b.xml --max-changed 1", 1),
        ("a.xml b.xml --max-changed 0", 3),
        ("a.xml future.xml --max-age 1d", 3),
    ] {
        folder.must(&format!("diff {arguments}"), status);
    }
    folder.put("old.txt", "old");
    folder.must("diff empty.xml empty.xml --format count -o old.txt", 2);
    assert_eq!(folder.read("old.txt"), "old");
    let ran = folder.run("diff a.xml future.xml --max-age 1d");
    ran.says("cannot be true");
    // A value that was dropped is not compared, and that is said.
    let ran = folder.must("diff foo.xml bar.xml", 0);
    ran.says("1 page: a value could not be used");
}

/// An earlier output that cannot be read completely lets no alarm be judged, so nothing is replaced.
#[test]
fn an_alarm_needs_the_whole_earlier_output() {
    let options = "--max-removed 0 --max-changed 0 --base https://e.com/";
    let earlier = urlset(&[SOUND, "https://e.com/2"]);
    for broken in [&earlier[..110], PAGE, &*urlset(&[SOUND, "javascript:1"])] {
        let folder = Folder::new();
        folder
            .put("u.txt", "https://e.com/1\n")
            .put("o.xml", broken);
        let ran = folder.run(&format!("write u.txt -o o.xml {options}"));
        assert_eq!(ran.status, 3, "{broken}: {}", ran.said);
        ran.says("cannot be judged");
        assert_eq!(folder.read("o.xml"), broken);
    }
    // An index without its parts, and parts without their index.
    for (name, text) in [
        ("p/sitemap.xml", index(&["https://e.com/sitemap-1.xml"])),
        ("p/sitemap-1.xml", urlset(&[SOUND])),
    ] {
        let folder = Folder::new();
        folder.put("u.txt", "https://e.com/1\n").put(name, &text);
        let ran = folder.run(&format!("write u.txt -o p {options}"));
        assert_eq!(ran.status, 3, "{name}: {}", ran.said);
        assert_eq!(folder.read(name), text);
    }
    // Nothing that belongs to an earlier output: a note.
    let folder = Folder::new();
    folder.put("u.txt", "https://e.com/1\n");
    folder.must(&format!("write u.txt -o p {options}"), 0);
}

/// A page is not missing if not everything was read.
#[test]
fn a_must_list_needs_all_lists() {
    let folder = Folder::new();
    folder
        .put("must.txt", "https://e.com/2\n")
        .put("s/i.xml", parts())
        .put("s/a.xml", urlset(&[SOUND]))
        .put("s/b.xml", urlset(&["https://e.com/3"]));
    let whole = folder.run("check s --must-list must.txt");
    whole.prints("missing-page");
    for arguments in ["s --sitemaps a\\.xml", "s --max-pages 1", "s/i.xml"] {
        let ran = folder.run(&format!("check {arguments} --must-list must.txt"));
        let is_unknown = ran.said.contains("not known whether");
        assert!(is_unknown, "{arguments}: {}", ran.said);
        assert!(!ran.out.contains("missing-page"), "{arguments}");
    }
    folder.put("s/b.xml", PAGE);
    let ran = folder.run("check s --must-list must.txt");
    ran.does_not_print("missing-page");
}

/// Links of a page that a text lists are not known.
#[test]
fn a_link_comes_back_only_where_links_are() {
    let folder = Folder::new();
    let linked = format!(
        "<urlset {NS} xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>https://e.com/en</loc>\
         <xhtml:link rel='alternate' hreflang='de' href='https://e.com/de'/>\
         <xhtml:link rel='alternate' hreflang='en' href='https://e.com/en'/></url></urlset>"
    );
    folder
        .put("s/a.xml", linked)
        .put("s/sitemap.txt", "https://e.com/de\n");
    let ran = folder.run("check s");
    ran.does_not_print("hreflang-without-return");
    folder.put("s/b.xml", urlset(&["https://e.com/de"]));
    folder.run("check s").prints("hreflang-without-return");
    // A part that is missing has no link; one that an option leaves out may have it.
    let parts = ["a", "b", "c"].map(|part| format!("https://e.com/{part}.xml"));
    folder.put("s/i.xml", index(&parts.each_ref().map(String::as_str)));
    let ran = folder.run("check s");
    ran.prints("[missing-part]");
    ran.prints("hreflang-without-return");
    folder.put("s/c.xml", urlset(&[SOUND]));
    let ran = folder.run("check s --sitemaps [ab]\\.xml");
    ran.does_not_print("hreflang-without-return");
    folder.put("s/c.xml", &urlset(&[SOUND, SOUND])[..100]);
    let ran = folder.run("check s");
    ran.does_not_print("hreflang-without-return");
    // Another sitemap of the site may list the page.
    for (input, is_said) in [("s/a.xml", false), ("t", true)] {
        folder.put("t/a.xml", folder.read("s/a.xml"));
        let ran = folder.run(&format!("check {input} --advice"));
        let said = ran.out.contains("hreflang-unlisted");
        assert_eq!(said, is_said, "{input}: {}", ran.out);
    }
}

/// The verdict weighs problems by the pages that they cost.
#[test]
fn a_nested_index_costs_its_pages() {
    let folder = Folder::new();
    let pages: String = (0..40)
        .map(|page| format!("https://e.com/{page}\n"))
        .collect();
    let pages: Vec<_> = pages.lines().collect();
    let parts = ["https://e.com/i2.xml", "https://e.com/b.xml"];
    folder
        .put("s/sitemap.xml", index(&parts))
        .put("s/i2.xml", index(&["https://e.com/a.xml"]))
        .put("s/a.xml", urlset(&pages))
        .put("s/b.xml", urlset(&[RELATIVE, "/a b", "/c d"]));
    let ran = folder.run("report s --format json");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["unseen"]["rule"], "nested-index");
    assert_eq!(report["unseen"]["pages"], 40);
    let sentence = "Search engines do not see 40 of ";
    folder.run("report s").prints(sentence);
    folder.run("report s -o r.html");
    let page = folder.read("r.html");
    let (before, _) = page.split_once("Do this first").unwrap();
    assert!(before.contains(sentence), "{before}");
    let (_, first) = before.split_once("<p class=\"bad\"").unwrap();
    assert!(first.starts_with("><a href=\"#findings\">Search engines do not see"));
}

/// A run with a bound or a filter is marked in the history.
#[test]
fn a_run_of_a_part_is_marked() {
    let folder = Folder::new();
    folder.put("s/a.xml", urlset(&[SOUND, "https://e.com/2"]));
    folder.run("report s --history h.jsonl");
    folder.run("report s --history h.jsonl --max-pages 1");
    let text = folder.read("h.jsonl");
    let runs = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let runs: Vec<Value> = runs.collect();
    assert!(runs[0]["part"].is_null(), "{text}");
    assert!(runs[1]["part"].is_string(), "{text}");
    folder.run("report s --history h.jsonl").prints("(a part)");
    // A line from before has neither, and is read.
    let line = r#"{"made":"2026-01-01T00:00:00Z","subject":"s","pages":1,"unknown":2}"#;
    folder.put("old.jsonl", line);
    folder.must("report s --history old.jsonl", 0);
}

/// A difference is "removed", "added" or "none" only if both sides were read whole, and answer one question.
#[test]
fn a_difference_needs_both_sides() {
    let folder = Folder::new();
    let whole = urlset(&[SOUND, "https://e.com/2"]);
    folder
        .put("whole.xml", &whole)
        .put("cut.xml", &whole[..whole.len() - 9])
        .put("full.txt", "https://e.com/1\nhttps://e.com/2\n")
        .put("one.xml", urlset(&[SOUND]))
        .put("s/i.xml", parts())
        .put("s/a.xml", urlset(&[SOUND]))
        .put("s/b.xml", urlset(&["https://e.com/2"]));
    let ran = folder.must("diff whole.xml whole.xml --format count", 0);
    ran.prints("added 0\nremoved 0\nchanged 0\nsame 2\n");
    for (arguments, out) in [
        ("whole.xml one.xml", "added 0\nremoved 1\n"),
        ("one.xml cut.xml", "added 1\nnot-in-b 0\n"),
        ("cut.xml one.xml", "not-in-a 0\nremoved 1\n"),
        // The same pages, but nobody knows what the rest of the file has.
        ("whole.xml cut.xml", "added 0\nnot-in-b 0\n"),
        // The option reads one side only.
        ("full.txt s --sitemaps a\\.xml", "not-in-a 0\nnot-in-b 1\n"),
    ] {
        let diff = format!("diff {arguments} --format count --allow-incomplete");
        let ran = folder.must(&diff, 1);
        assert!(ran.out.starts_with(out), "{arguments}: {}", ran.out);
    }
}

/// Files as earlier versions of the program have left them.
fn from_before() -> Folder {
    let folder = Folder::new();
    let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/before");
    for file in fs::read_dir(before).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        folder.put(name, fs::read(&path).unwrap());
    }
    folder.put("s/a.xml", folder.read("a.xml"));
    folder.put("w/index.html", HTML);
    folder
}

#[test]
fn stored_files_from_before_are_read() {
    let folder = from_before();
    let ran = folder.must("check s --baseline known.jsonl", 0);
    ran.says("no new problems found; 3 known");
    // An update seals it.
    folder.run("check s --baseline known.jsonl --update");
    assert!(folder.read("known.jsonl").contains("\"sealed\""));
    let ran = folder.run("check s --baseline known.jsonl");
    ran.says("no new problems found; 3 known");

    let ran = folder.run(
        "report s --history runs.jsonl --against report.json --probe probed.jsonl --format json",
    );
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let runs = report["history"].as_array().unwrap();
    assert_eq!(runs.len(), 2, "{}", ran.out);
    assert_eq!(report["changes"]["pages_before"], 2, "{}", ran.out);
    assert_eq!(report["probe"]["pages"], 2, "{}", ran.out);
    assert_eq!(folder.read("runs.jsonl").lines().count(), 2);

    // Without its end, a state may have been cut, and the old state of a crawl cannot be continued.
    let write = "write w -o w/sitemap.xml --base https://e.com/ --state state.jsonl";
    folder.must(write, 2).says("its end is missing");
    let ran = folder.must("crawl https://e.com/ -o pages.txt --resume crawl.json", 2);
    ran.says("delete it to begin the crawl anew");
}

#[test]
fn stored_files_may_have_more_fields_but_no_later_version() {
    for (name, command) in [
        ("runs.jsonl", "report s --history runs.jsonl"),
        ("probed.jsonl", "report s --probe probed.jsonl"),
        ("probed.jsonl", "probe s --resume probed.jsonl --match none"),
    ] {
        for (more, is_refused) in [("\"more\":{}}", false), ("\"version\":99}", true)] {
            let folder = from_before();
            let text = folder.read(name);
            let line = text.lines().next().unwrap().strip_suffix('}').unwrap();
            folder.put(name, format!("{line},{more}\n"));
            let ran = folder.run(command);
            let is_later = ran.status == 2 && ran.said.contains("later version");
            assert_eq!(is_later, is_refused, "{command} {more}: {}", ran.said);
        }
    }
}

/// A service closes alerts that a run lacks, so SARIF has the known findings, too.
#[test]
fn sarif_tells_known_findings_from_new_ones() {
    let folder = Folder::new();
    folder.put("s.xml", urlset(&[RELATIVE]));
    folder.run("check s.xml --baseline k --update");
    folder.put("s.xml", urlset(&[RELATIVE, "/a b"]));
    let states = |arguments: &str| -> Vec<String> {
        let ran = folder.run(&format!("check s.xml -f sarif {arguments}"));
        let sarif: Value = serde_json::from_str(&ran.out).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let states = results
            .iter()
            .map(|result| result["baselineState"].as_str());
        states
            .map(|state| state.unwrap_or("none").to_owned())
            .collect()
    };
    assert_eq!(states("--baseline k"), ["unchanged", "new"]);
    assert_eq!(states(""), ["none", "none"]);
}

/// Of a page that a script draws, only the title is compared, so it is not "the same".
#[test]
fn a_page_without_text_is_not_the_same() {
    let folder = Folder::new();
    let page = |script: &str| {
        format!(
            "<html><head><title>App</title></head><body><div id='app'></div><script>{script}</script></body></html>"
        )
    };
    let write = "write w -o w/sitemap.xml --base https://e.com/ --state state --first now";
    folder.put("w/index.html", page("one()"));
    folder.put("w/a.html", HTML);
    folder.run(write);
    folder.put("w/index.html", page("another()"));
    let ran = folder.must(write, 0);
    ran.says("0 changed, 0 moved, 1 the same");
    ran.says("not known whether 1 page changed");
    // It did not move from another page of this kind either.
    fs::rename(folder.path("w/index.html"), folder.path("w/b.html")).unwrap();
    let ran = folder.run(write);
    ran.says("1 page new, 0 changed, 0 moved, 1 the same");
}

/// A message names where the value comes from, and what is meant by it.
#[test]
fn messages_say_what_is_wrong() {
    let folder = Folder::new();
    folder
        .put("s.xml", urlset(&["https://www.e.com/1", "https://e.com/2"]))
        .put("a.xml", urlset(&["https://e.com/1"]))
        .put("sitemap.toml", "[check]\nformat = \"xml\"\n");
    let ran = folder.must("check s.xml", 2);
    let expected = "sitemap.toml: [check]: `format`: invalid value 'xml' for '--format <FORMAT>'";
    ran.says(expected);
    let location = "[check]\nlocation = \"https://me:secret@e.com:x/\"\n";
    folder.put("sitemap.toml", location);
    let ran = folder.run("check s.xml");
    ran.says("sitemap.toml: [check]: `location`: invalid value");
    ran.does_not_say("secret");
    folder.remove("sitemap.toml");
    let ran = folder.run("check s.xml --allow truncated");
    let expected = "`truncated` can be neither denied nor allowed, because reading ends there";
    ran.says(expected);
    // A filter that leaves the pages of a host out does not hide that there are some.
    let ran = folder.run("edit s.xml -o o.xml --replace-host www.e.com=e.com --match /2$");
    ran.does_not_say("--replace-host");
    let ran = folder.run("edit s.xml -o o.xml --replace-host other.example=e.com");
    ran.says("no URL of a page, an alternate, an image or a video has this host");
    let ran = folder.run("diff a.xml s.xml --replace-host www.e.com=e.com");
    ran.says("no URL of A has this host");
    // What to do depends on what is outside.
    let outside = [
        ("https://other.example/1", "robots.txt of that site"),
        ("https://e.com:8443/shop/1", "robots.txt of that site"),
        ("https://e.com/1", "move the sitemap to a folder above"),
    ];
    for (loc, remedy) in outside {
        folder.put("o.xml", urlset(&[loc]));
        let ran = folder.run("check o.xml --location https://e.com/shop/o.xml");
        assert!(ran.out.contains(remedy), "{loc}: {}", ran.out);
    }
    folder.put("o.xml", urlset(&["https://e.com/1"]));
    let ran = folder.run("check o.xml --location http://e.com/o.xml");
    ran.prints("list the URL with the scheme of the sitemap");
}
