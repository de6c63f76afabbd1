//! Folders as inputs of `check`, `edit`, `diff` and `write`: links, pipes, and parts of an index that are not there.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::ended::ended;
use crate::folder::Folder;
use crate::program::{self, NS, gzipped};
use crate::served::Ran;

impl Folder {
    fn link(&self, name: &str, target: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    /// Runs the program, which is killed if it hangs.
    #[track_caller]
    fn ended(&self, arguments: &str, status: i32) -> Ran {
        let names = ["run.out", "run.err"].map(|name| self.path(name));
        let [out, err] = names.each_ref().map(|name| fs::File::create(name).unwrap());
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::null()).stdout(out).stderr(err);
        let found = ended(&mut command.spawn().unwrap()).code();
        let [out, said] = names.map(|name| fs::read_to_string(name).unwrap());
        assert_eq!(found, Some(status), "{arguments}\n{out}\n{said}");
        let arguments = arguments.to_owned();
        Ran {
            arguments,
            status,
            out,
            said,
        }
    }
}

fn urlset(pages: &[&str]) -> String {
    program::urlset(pages).replace("<loc>", "<loc>https://example.com/")
}

fn index(parts: &[&str]) -> String {
    program::index(parts).replace("<loc>", "<loc>https://example.com/")
}

const BASE: &str = "--base https://example.com/";

/// Links inside the folder are followed, those that lead out are counted, those to nothing are a warning; loops end. The
/// status is what it would be without them.
#[test]
fn links() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", urlset(&["a"]));
    folder.put("site/.data/b.xml", urlset(&["b"]));
    folder.put("site/index.html", "<html>");
    folder.put("site/.data/b.html", "<html>");
    folder.put("out/c.xml", urlset(&["c"]));
    folder.put("out/c.html", "<html>");
    folder.link("site/inside", ".data");
    folder.link("site/again.xml", "sitemap.xml");
    folder.link("site/out", "../out");
    folder.link("site/out.xml", "../out/c.xml");
    folder.link("site/nothing.xml", "no-such.xml");
    folder.link("site/loop", ".");
    folder.link("site/self.xml", "self.xml");
    folder.put("both.xml", urlset(&["a", "b"]));
    for (arguments, printed) in [
        ("check --format short site", ""),
        ("diff site both.xml", ""),
        (
            "edit site -o - --text",
            "https://example.com/b\nhttps://example.com/a\n",
        ),
        (
            &format!("write site -o - --text {BASE}"),
            "https://example.com/\nhttps://example.com/inside/b.html\n",
        ),
    ] {
        let ran = folder.ended(arguments, 0);
        assert_eq!(ran.out, printed, "{arguments}");
        ran.says("note: site: ignored 2 links out of the folder: site/out, site/out.xml\n");
        ran.says("warning: site: ignored 2 links whose target does not exist: site/nothing.xml, site/self.xml\n");
        ran.does_not_say("loop");
        if arguments.starts_with("check") {
            ran.says("2 sitemaps, 2 entries");
        }
    }
}

/// A part of an index may be a link inside the folder, but not one out of it.
#[test]
fn parts_that_are_links() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", index(&["in.xml"]));
    folder.put("site/.data/b.xml", urlset(&["b"]));
    folder.link("site/in.xml", ".data/b.xml");
    folder.put("out.xml", urlset(&["c"]));
    let ran = folder.must("edit site -o - --text", 0);
    assert_eq!(ran.out, "https://example.com/b\n");
    folder.must("check site", 0);
    folder.put("site/sitemap.xml", index(&["in.xml", "out.xml"]));
    folder.link("site/out.xml", "../out.xml");
    folder.must("edit site -o -", 2);
    folder
        .must("check --format short site", 1)
        .prints("[missing-part]");
    // An index that is named itself is not a folder.
    let ran = folder.must("edit site/sitemap.xml -o - --text", 0);
    assert_eq!(ran.out, "https://example.com/b\nhttps://example.com/c\n");
}

/// A pipe is never waited for, by whichever name it is reached.
#[test]
fn pipes() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", urlset(&["a"]));
    folder.put("site/index.html", "<html>");
    for name in ["sitemap-2.xml", "urls.txt", "page.html", ".sitemap.parts"] {
        folder.pipe(&format!("site/{name}"));
    }
    folder.pipe("pipe");
    folder.link("site/link.xml", "sitemap-2.xml");
    folder.put("a.xml", urlset(&["a"]));
    let left_out = "note: site: ignored 4 special files: site/link.xml, site/page.html, ";
    let write = format!("write site -o - {BASE}");
    for arguments in ["check site", "edit site -o -", "diff site a.xml", &write] {
        folder.ended(arguments, 0).says(left_out);
    }
    folder.put("site/sitemap.xml", index(&["sitemap-2.xml"]));
    for (arguments, status) in [
        ("check site", 1),
        ("edit site -o -", 2),
        ("edit site/sitemap.xml -o -", 2),
        ("diff site/sitemap.xml a.xml", 2),
    ] {
        folder.ended(arguments, status);
    }
    folder.pipe("sitemap.toml");
    let ran = folder.ended("check a.xml", 2);
    ran.says("sitemap.toml: it is not a regular file");
}

/// Site generators write feeds next to their sitemaps: they repeat its pages, and some are empty.
#[test]
fn feeds_beside_sitemaps() {
    let folder = Folder::new();
    let feed = |items: &str| format!("<rss version='2.0'><channel>{items}</channel></rss>");
    let item = "<item><link>https://example.com/a</link></item>";
    folder.put("site/a/index.xml", feed(item));
    folder.put("site/b/index.xml", feed(""));
    let ran = folder.must("edit site -o - --text", 0);
    assert_eq!(ran.out, "https://example.com/a\n");
    folder.put("site/sitemap.xml", urlset(&["a", "b"]));
    folder.put("a.xml", urlset(&["a", "b"]));
    let left_out = "note: site: 2 feeds ignored: the pages of the folder are those of its sitemaps";
    let ran = folder.must("edit site -o - --text", 0);
    assert_eq!(ran.out, "https://example.com/a\nhttps://example.com/b\n");
    ran.says(left_out);
    folder.must("diff site a.xml", 0).says(left_out);
    let ran = folder.must("check site --advice --format short", 0);
    assert_eq!(ran.out, "");
    // In two sitemaps it is listed twice; the feed is not read.
    folder.put("site/a/index.xml", feed(&format!("{item}\n{item}")));
    folder.put("site/z.xml", urlset(&["b"]));
    let printed = folder.run("check site --advice --format short").out;
    assert_eq!(printed.matches("[duplicate-url]").count(), 1, "{printed}");
    // A feed that an index lists is one of its parts.
    folder.put("site/sitemap.xml", index(&["a/index.xml", "z.xml"]));
    let ran = folder.run("edit site -o - --text");
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    ran.says("site: 1 feed ignored");
}

#[test]
fn a_part_that_is_missing_is_an_error() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", index(&["maps/a.xml", "b.xml", "c.xml"]));
    folder.put("site/maps/a.xml", urlset(&["a"]));
    folder.put("site/b.xml.gz", gzipped(urlset(&["b"]).as_bytes()));
    let ran = folder.must("check --format short site", 1);
    assert_eq!(
        ran.out,
        "site/sitemap.xml:4:10: error: the part `https://example.com/c.xml` is missing: there is no file with that name in \
         the folder [missing-part]\n"
    );
    let ran = folder.must("check --format short --allow missing-part site", 0);
    assert_eq!(ran.out, "");
    // An index alone does not determine where its parts are.
    folder.must("check site/sitemap.xml", 0);
    folder.put("site/c.xml", urlset(&["c"]));
    folder.must("check site", 0);
    // No file is used for two parts.
    folder.put("site/sitemap.xml", index(&["de/c.xml", "en/c.xml"]));
    let ran = folder.must("check --format short site", 1);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    ran.prints("`https://example.com/en/c.xml` is missing: the only file");
}

/// The part can be read before the index or after it.
#[test]
fn a_part_that_is_no_sitemap_is_an_error() {
    for part in ["a.xml", "z.xml"] {
        let folder = Folder::new();
        folder.put("site/sitemap.xml", index(&[part, "pages.xml"]));
        folder.put("site/pages.xml", urlset(&["a"]));
        folder.put(&format!("site/{part}"), "<!DOCTYPE html>\n<html></html>");
        let ran = folder.run("check --format short site");
        assert_ne!(ran.status, 0, "{part}: {}", ran.out);
        ran.prints(part);
        folder.put("site/other.xml", "<project/>");
        folder.put("site/sitemap.xml", index(&["pages.xml"]));
        folder.must("check site", 0);
    }
}

/// Problems for which search engines reject a file are errors unless they are allowed; an empty sitemap is a warning.
#[test]
fn what_search_engines_reject_is_an_error() {
    let folder = Folder::new();
    let many: Vec<_> = (0..50_001).map(|page| page.to_string()).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    folder.put("entries.xml", urlset(&many));
    let padding = format!("<!--{}--></urlset>", " ".repeat(52_428_800));
    folder.put("bytes.xml", urlset(&["a"]).replace("</urlset>", &padding));
    folder.put("outside.xml", urlset(&["a"]));
    let outside = "outside.xml --location https://www.example.com/";
    for (arguments, rule) in [
        ("entries.xml", "too-many-entries"),
        ("bytes.xml", "too-many-bytes"),
        (outside, "outside-location"),
    ] {
        let ran = folder.must(&format!("check --format short {arguments}"), 1);
        let is_error = ran.out.contains(": error: ") && ran.out.contains(rule);
        assert!(is_error && ran.out.lines().count() == 1, "{}", ran.out);
        let allowed = format!("check --format short --allow {rule} {arguments}");
        assert_eq!(folder.must(&allowed, 0).out, "", "{rule}");
        let explained = folder.run(&format!("check --explain {rule}"));
        explained.prints_first(&format!("{rule}: an error, unless it is allowed\n"));
    }
    folder.put("empty.xml", urlset(&[]));
    folder.put("empty-index.xml", index(&[]));
    for (name, rule, code, text) in [
        (
            "empty.xml",
            "empty-sitemap",
            0,
            "warning: the sitemap has no entries",
        ),
        (
            "empty-index.xml",
            "empty-index",
            1,
            "error: the index lists no sitemap",
        ),
    ] {
        for advice in ["", "--advice"] {
            let ran = folder.must(&format!("check --format short {advice} {name}"), code);
            assert_eq!(ran.out, format!("{name}: {text} [{rule}]\n"));
        }
        folder.must(&format!("check --deny {rule} {name}"), 1);
        let ran = folder.run(&format!("check --format short --allow {rule} {name}"));
        assert_eq!(ran.out, "", "{name}");
    }
    // Entries that cannot be used are something else.
    folder.put("unusable.xml", format!("<urlset {NS}><url/></urlset>"));
    let ran = folder.run("check --format short unusable.xml");
    ran.does_not_print("empty-sitemap");
}

/// Copies for a web server to send are not what a crawler reads.
#[test]
fn copies_in_other_packings_are_not_sitemaps() {
    let folder = Folder::new();
    folder.put("site/sitemap-a.xml", urlset(&["a"]));
    for copy in ["sitemap-a.xml.zst", "sitemap-a.xml.br", "page.html.br"] {
        folder.put(&format!("site/{copy}"), "packed");
    }
    let ran = folder.must("check site", 0);
    assert_eq!(ran.out, "");
    ran.says("1 sitemap, 1 entry");
    folder.put("named.xml.zst", b"\x28\xb5\x2f\xfd\x00\x58\x01\0\0");
    folder
        .must("check named.xml.zst --format short", 1)
        .prints("zstd");
}

/// A site often has both: a page in both is counted once, and a page in only one is not lost.
#[test]
fn a_gzipped_copy_is_counted_once_unless_it_differs() {
    let folder = Folder::new();
    folder.put("site/a.xml", urlset(&["a", "b"]));
    folder.put("site/a.xml.gz", gzipped(urlset(&["a", "b"]).as_bytes()));
    for command in ["check site --advice", "report site"] {
        let ran = folder.must(command, 0);
        ran.does_not_print("duplicate-url");
        let note = "note: site: 1 sitemap ignored: a gzipped copy of the sitemap next to it\n";
        assert!(ran.said.starts_with(note), "{command}: {}", ran.said);
    }
    folder.run("check site").says("1 sitemap, 2 entries");
    // Whichever of them the index lists is there, and is a part of it.
    for listed in [["a.xml"].as_slice(), &["a.xml.gz"], &["a.xml", "a.xml.gz"]] {
        let parts = index(listed).replace("example.com", "www.example.com");
        folder.put("site/index.xml", parts);
        let printed = folder.must("report site --format json", 0).out;
        let report: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(report["totals"]["pages"], 2, "{printed}");
        let sitemaps = report["sitemaps"].as_array().unwrap();
        let is_named = sitemaps.iter().any(|part| part["name"] == "site/a.xml");
        assert!(is_named, "{listed:?}: {printed}");
    }
    fs::remove_file(folder.path("site/index.xml")).unwrap();
    // An old copy, one that is damaged, and one that is not gzipped.
    for other in [
        gzipped(urlset(&["a"]).as_bytes()),
        gzipped(urlset(&["a", "b"]).as_bytes())[..40].to_vec(),
        urlset(&["a", "b"]).into_bytes(),
    ] {
        folder.put("site/a.xml.gz", other);
        let ran = folder.run("check site --advice --format short");
        ran.prints("site/a.xml.gz:");
        ran.does_not_say("ignored");
    }
}

/// A new set keeps the parts of the one before for a day. No index lists them, and they are not counted.
#[test]
fn parts_that_a_newer_set_has_replaced_are_not_counted() {
    let folder = Folder::new();
    for pages in ["/a\n/b\n", "/a\n/b\n/c\n"] {
        folder.put("list.txt", pages);
        folder.must(&format!("write list.txt -o pub {BASE} --fingerprint"), 0);
    }
    let files = fs::read_dir(folder.path("pub")).unwrap().count();
    assert!(files > 2, "{files}");
    let ran = folder.must("report pub --format json", 0);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let totals = &report["totals"];
    assert_eq!([&totals["pages"], &totals["sitemaps"]], [3, 2]);
    let ran = folder.must("check pub --deny duplicate-url", 0);
    assert_eq!(ran.out, "");
    ran.says("1 sitemap ignored: replaced by a newer set");
}

/// Directories are compared as pages are (RFC 3986, 6.2.2).
#[test]
fn a_page_is_below_its_sitemap_in_any_spelling() {
    let folder = Folder::new();
    for (directory, page, is_inside) in [
        ("%7Eu", "~u/a", true),
        ("~u", "%7eu/a", true),
        ("caf%c3%a9", "caf%C3%A9/a", true),
        ("%61", "a/b/c", true),
        ("%7Eu", "~v/a", false),
        ("%7Eu", "~ux/a", false),
        ("a%2Fb", "a/b/c", false),
        ("%7Eu/b", "~u/a", false),
    ] {
        folder.put("site/sitemap.xml", urlset(&[page]));
        let location = format!("https://example.com/{directory}/");
        let command = format!("check site --format short --location {location}");
        let ran = folder.must(&command, i32::from(!is_inside));
        let is_outside = ran.out.contains("[outside-location]");
        assert_eq!(is_outside, !is_inside, "{directory} {page}: {}", ran.out);
    }
}

#[test]
fn the_location_of_a_folder_ends_with_a_slash() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", urlset(&["dir/a"]));
    let ran = folder.must("check site --location https://example.com/other", 2);
    ran.says("the location of a folder must end with a slash: `https://example.com/other/`");
    let ran = folder.must("check site --location https://example.com/other/", 1);
    ran.prints("[outside-location]");
    // The location in the configuration file is that of the site, for all files.
    let location = "https://example.com/";
    folder.put(
        "sitemap.toml",
        format!("[check]\nlocation = \"{location}\"\n"),
    );
    folder.put("b.xml", urlset(&["b"]));
    let elsewhere = urlset(&["c"]).replace("example.com", "elsewhere.example");
    folder.put("c.xml", elsewhere);
    let ran = folder.must("check --format short b.xml site/sitemap.xml", 0);
    assert_eq!(ran.out, "");
    let printed = folder.must("check --format short b.xml c.xml", 1).out;
    assert!(printed.starts_with("c.xml:2:11: error: "), "{printed}");
    fs::remove_file(folder.path("sitemap.toml")).unwrap();
    let two = format!("check b.xml c.xml --format short --location {location}");
    assert_eq!(folder.run(&two).out, printed);
}

#[test]
fn an_rdf_feed_is_a_sitemap_and_a_feed_of_a_blog_service_is_no_part() {
    let folder = Folder::new();
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
        <item><link>https://example.com/a</link></item></rdf:RDF>";
    folder.put("site/feed.rdf", rdf);
    folder.must("check site", 0).says("1 sitemap, 1 entry");
    let feed = "atom.xml?redirect=false&amp;start-index=1&amp;max-results=500";
    folder.put("site/sitemap.xml", index(&[feed]));
    assert_eq!(folder.must("check site", 0).out, "");
    folder.put("site/sitemap.xml", index(&["atom.xml"]));
    folder.must("check site", 1).prints("[missing-part]");
}

/// A file that was left behind, in a folder whose index or robots.txt lists others.
#[test]
fn what_nothing_lists_is_named() {
    let folder = Folder::new();
    folder.put("s/sitemap.xml", index(&["a.xml"]));
    folder.put("s/a.xml", urlset(&["a"]));
    folder.put("s/old.xml", urlset(&["old"]));
    let check = || folder.run("check s -f short");
    let warning = "s/old.xml: warning: no index and no robots.txt of the folder lists the sitemap [unlisted-sitemap]";
    check().prints(warning);
    for command in ["show s", "diff s s", "edit s -o new.xml"] {
        let ran = folder.run(command);
        ran.says(
            "note: s: 1 sitemap that no index and no robots.txt of the folder lists: s/old.xml\n",
        );
    }
    // What could list it was not read to its end.
    let cut = index(&["a.xml"]).replace("</sitemapindex>", "");
    folder.put("s/sitemap.xml", cut);
    check().does_not_print("unlisted-sitemap");
    folder.put("s/sitemap.xml", index(&["a.xml"]));
    folder.put(
        "s/robots.txt",
        "Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/old.xml\n",
    );
    check().does_not_print("unlisted-sitemap");
    folder.put("s/robots.txt", "Sitemap: https://example.com/a.xml\n");
    fs::remove_file(folder.path("s/sitemap.xml")).unwrap();
    check().prints(warning);
    // Nothing lists anything.
    folder.put("s/robots.txt", "User-agent: *\n");
    check().does_not_print("unlisted-sitemap");
}

#[test]
fn an_index_is_not_older_than_the_pages_of_its_parts() {
    let folder = Folder::new();
    let index = |date: &str| {
        index(&["a.xml"]).replace("</loc>", &format!("</loc><lastmod>{date}</lastmod>"))
    };
    let page = |date: &str| {
        urlset(&["a", "b"]).replacen("</loc>", &format!("</loc><lastmod>{date}</lastmod>"), 1)
    };
    for (listed, newest, is_stale) in [
        ("2023-01-01", "2024-05-06", true),
        ("2024-05-05", "2024-05-06", false),
        ("2024-05-04T12:00:00Z", "2024-05-06", true),
        ("2024-05", "2024-05-20T10:00:00Z", false),
        ("2024-06-01", "2024-05-06", false),
        ("2023-01-01", "2999-05-06", false),
    ] {
        folder.put("s/sitemap.xml", index(listed));
        folder.put("s/a.xml", page(newest));
        let out = folder.run("check s -f short").out;
        let found = format!(
            "s/sitemap.xml: warning: the index has the lastmod `{listed}` for the part `https://example.com/a.xml`, whose newest page \
             is of `{newest}` [stale-index-lastmod]"
        );
        assert_eq!(out.contains(&found), is_stale, "{listed} {newest}: {out}");
    }
}
