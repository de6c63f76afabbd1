//! Folders as inputs of `check`, `edit`, `diff` and `write`: links, pipes, and parts of an index that are not there.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::ended::ended;
use crate::folder::Folder;
use crate::program::gzipped;

impl Folder {
    fn link(&self, name: &str, target: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    /// Runs the program, which must end without a signal. Returns its status, standard output and standard error.
    fn ended(&self, arguments: &str) -> (i32, String, String) {
        let names = ["run.out", "run.err"].map(|name| self.path(name));
        let [out, err] = names.each_ref().map(|name| fs::File::create(name).unwrap());
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::null()).stdout(out).stderr(err);
        let status = ended(&mut command.spawn().unwrap()).code().unwrap();
        let [out, err] = names.map(|name| fs::read_to_string(name).unwrap());
        (status, out, err)
    }
}

const NS: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

fn urlset(pages: &[&str]) -> String {
    let page = |page: &&str| format!("<url><loc>https://example.com/{page}</loc></url>\n");
    let pages: String = pages.iter().map(page).collect();
    format!("<urlset {NS}>\n{pages}</urlset>\n")
}

fn index(parts: &[&str]) -> String {
    let part = |part: &&str| format!("<sitemap><loc>https://example.com/{part}</loc></sitemap>\n");
    let parts: String = parts.iter().map(part).collect();
    format!("<sitemapindex {NS}>\n{parts}</sitemapindex>\n")
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
    let (status, printed, said) = folder.ended("check --format short site");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    assert!(said.contains("2 sitemaps, 2 entries"), "{said}");
    let said_by = |said: &str| {
        assert!(
            said.contains(
                "note: site: ignored 2 links out of the folder: site/out, site/out.xml\n"
            ),
            "{said}"
        );
        let warning = "warning: site: ignored 2 links whose target does not exist: site/nothing.xml, site/self.xml\n";
        assert!(said.contains(warning), "{said}");
        assert!(!said.contains("loop"), "{said}");
    };
    said_by(&said);
    let (status, _, said) = folder.ended("diff site both.xml");
    assert_eq!(status, 0, "{said}");
    said_by(&said);
    let (status, printed, said) = folder.ended("edit site -o - --text");
    assert_eq!(status, 0, "{said}");
    assert_eq!(printed, "https://example.com/b\nhttps://example.com/a\n");
    said_by(&said);
    let (status, printed, said) = folder.ended(&format!("write site -o - --text {BASE}"));
    assert_eq!(status, 0, "{said}");
    assert_eq!(
        printed,
        "https://example.com/\nhttps://example.com/inside/b.html\n"
    );
    said_by(&said);
}

/// A part of an index may be a link inside the folder, but not one out of it.
#[test]
fn parts_that_are_links() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", index(&["in.xml"]));
    folder.put("site/.data/b.xml", urlset(&["b"]));
    folder.link("site/in.xml", ".data/b.xml");
    folder.put("out.xml", urlset(&["c"]));
    let (status, printed, said) = folder.ended("edit site -o - --text");
    assert_eq!(
        (status, &*printed),
        (0, "https://example.com/b\n"),
        "{said}"
    );
    assert_eq!(folder.ended("check site").0, 0);
    folder.put("site/sitemap.xml", index(&["in.xml", "out.xml"]));
    folder.link("site/out.xml", "../out.xml");
    assert_eq!(folder.ended("edit site -o -").0, 2);
    let (status, printed, _) = folder.ended("check --format short site");
    assert_eq!(status, 1);
    assert!(printed.contains("[missing-part]"), "{printed}");
    // An index that is named itself is not a folder.
    let (status, printed, said) = folder.ended("edit site/sitemap.xml -o - --text");
    assert_eq!(status, 0, "{said}");
    assert_eq!(printed, "https://example.com/b\nhttps://example.com/c\n");
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
    for (arguments, expected) in [
        ("check site".to_owned(), 0),
        ("edit site -o -".to_owned(), 0),
        ("diff site a.xml".to_owned(), 0),
        (format!("write site -o - {BASE}"), 0),
    ] {
        let (status, _, said) = folder.ended(&arguments);
        assert_eq!(status, expected, "{arguments}\n{said}");
        assert!(said.contains(left_out), "{arguments}\n{said}");
    }
    folder.put("site/sitemap.xml", index(&["sitemap-2.xml"]));
    for (arguments, expected) in [
        ("check site", 1),
        ("edit site -o -", 2),
        ("edit site/sitemap.xml -o -", 2),
        ("diff site/sitemap.xml a.xml", 2),
    ] {
        assert_eq!(folder.ended(arguments).0, expected, "{arguments}");
    }
    folder.pipe("sitemap.toml");
    let (status, _, said) = folder.ended("check a.xml");
    assert_eq!(status, 2);
    assert!(
        said.contains("sitemap.toml: it is not a regular file"),
        "{said}"
    );
}

/// Site generators write feeds next to their sitemaps: they repeat its pages, and some are empty.
#[test]
fn feeds_beside_sitemaps() {
    let folder = Folder::new();
    let feed = |items: &str| format!("<rss version='2.0'><channel>{items}</channel></rss>");
    let item = "<item><link>https://example.com/a</link></item>";
    folder.put("site/a/index.xml", feed(item));
    folder.put("site/b/index.xml", feed(""));
    let (status, printed, said) = folder.ended("edit site -o - --text");
    assert_eq!(
        (status, &*printed),
        (0, "https://example.com/a\n"),
        "{said}"
    );
    folder.put("site/sitemap.xml", urlset(&["a", "b"]));
    folder.put("a.xml", urlset(&["a", "b"]));
    let left_out = "note: site: 2 feeds ignored: the pages of the folder are those of its sitemaps";
    let (status, printed, said) = folder.ended("edit site -o - --text");
    assert_eq!(status, 0);
    assert_eq!(printed, "https://example.com/a\nhttps://example.com/b\n");
    assert!(said.contains(left_out), "{said}");
    let (status, _, said) = folder.ended("diff site a.xml");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains(left_out), "{said}");
    let (status, printed, said) = folder.ended("check site --advice --format short");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    // In two sitemaps it is listed twice; the feed is not read.
    folder.put("site/a/index.xml", feed(&format!("{item}\n{item}")));
    folder.put("site/z.xml", urlset(&["b"]));
    let (_, printed, _) = folder.ended("check site --advice --format short");
    assert_eq!(printed.matches("[duplicate-url]").count(), 1, "{printed}");
    // A feed that an index lists is one of its parts.
    folder.put("site/sitemap.xml", index(&["a/index.xml", "z.xml"]));
    let (_, printed, said) = folder.ended("edit site -o - --text");
    assert_eq!(printed.lines().count(), 3, "{printed}");
    assert!(said.contains("site: 1 feed ignored"), "{said}");
}

#[test]
fn a_part_that_is_missing_is_an_error() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", index(&["maps/a.xml", "b.xml", "c.xml"]));
    folder.put("site/maps/a.xml", urlset(&["a"]));
    folder.put("site/b.xml.gz", gzipped(urlset(&["b"]).as_bytes()));
    let (status, printed, said) = folder.ended("check --format short site");
    assert_eq!(status, 1, "{said}");
    assert_eq!(
        printed,
        "site/sitemap.xml:4:10: error: the part `https://example.com/c.xml` is missing: there is no file with that name in \
         the folder [missing-part]\n"
    );
    let (status, printed, said) = folder.ended("check --format short --allow missing-part site");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    // An index alone does not determine where its parts are.
    assert_eq!(folder.ended("check site/sitemap.xml").0, 0);
    folder.put("site/c.xml", urlset(&["c"]));
    assert_eq!(folder.ended("check site").0, 0);
    // No file is used for two parts.
    folder.put("site/sitemap.xml", index(&["de/c.xml", "en/c.xml"]));
    let (status, printed, _) = folder.ended("check --format short site");
    assert_eq!((status, printed.lines().count()), (1, 1), "{printed}");
    assert!(
        printed.contains("`https://example.com/en/c.xml` is missing: the only file"),
        "{printed}"
    );
}

/// The part can be read before the index or after it.
#[test]
fn a_part_that_is_no_sitemap_is_an_error() {
    for part in ["a.xml", "z.xml"] {
        let folder = Folder::new();
        folder.put("site/sitemap.xml", index(&[part, "pages.xml"]));
        folder.put("site/pages.xml", urlset(&["a"]));
        folder.put(&format!("site/{part}"), "<!DOCTYPE html>\n<html></html>");
        let (status, printed, said) = folder.ended("check --format short site");
        assert_ne!(status, 0, "{printed}{said}");
        assert!(printed.contains(part), "{printed}");
        folder.put("site/other.xml", "<project/>");
        folder.put("site/sitemap.xml", index(&["pages.xml"]));
        assert_eq!(folder.ended("check site").0, 0);
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
    for (arguments, rule) in [
        ("entries.xml", "too-many-entries"),
        ("bytes.xml", "too-many-bytes"),
        (
            "outside.xml --location https://www.example.com/",
            "outside-location",
        ),
    ] {
        let (status, printed, said) = folder.ended(&format!("check --format short {arguments}"));
        assert_eq!((status, printed.lines().count()), (1, 1), "{printed}{said}");
        assert!(
            printed.contains(": error: ") && printed.contains(rule),
            "{printed}"
        );
        let (status, printed, _) =
            folder.ended(&format!("check --format short --allow {rule} {arguments}"));
        assert_eq!((status, &*printed), (0, ""));
        let (_, printed, _) = folder.ended(&format!("check --explain {rule}"));
        assert!(
            printed.starts_with(&format!("{rule}: an error, unless it is allowed\n")),
            "{printed}"
        );
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
            let (status, printed, said) =
                folder.ended(&format!("check --format short {advice} {name}"));
            let expected = format!("{name}: {text} [{rule}]\n");
            assert_eq!((status, printed), (code, expected), "{said}");
        }
        assert_eq!(folder.ended(&format!("check --deny {rule} {name}")).0, 1);
        let (_, printed, _) = folder.ended(&format!("check --format short --allow {rule} {name}"));
        assert_eq!(printed, "");
    }
    // Entries that cannot be used are something else.
    folder.put("unusable.xml", format!("<urlset {NS}><url/></urlset>"));
    let (_, printed, _) = folder.ended("check --format short unusable.xml");
    assert!(!printed.contains("empty-sitemap"), "{printed}");
}

/// Copies for a web server to send are not what a crawler reads.
#[test]
fn copies_in_other_packings_are_not_sitemaps() {
    let folder = Folder::new();
    folder.put("site/sitemap-a.xml", urlset(&["a"]));
    for copy in ["sitemap-a.xml.zst", "sitemap-a.xml.br", "page.html.br"] {
        folder.put(&format!("site/{copy}"), "packed");
    }
    let (status, printed, said) = folder.ended("check site");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    assert!(said.contains("1 sitemap, 1 entry"), "{said}");
    folder.put("named.xml.zst", b"\x28\xb5\x2f\xfd\x00\x58\x01\0\0");
    let (status, printed, said) = folder.ended("check named.xml.zst --format short");
    assert_eq!(status, 1, "{said}");
    assert!(printed.contains("zstd"), "{printed}");
}

/// A site often has both: a page in both is counted once, and a page in only one is not lost.
#[test]
fn a_gzipped_copy_is_counted_once_unless_it_differs() {
    let folder = Folder::new();
    folder.put("site/a.xml", urlset(&["a", "b"]));
    folder.put("site/a.xml.gz", gzipped(urlset(&["a", "b"]).as_bytes()));
    for command in ["check site --advice", "report site"] {
        let (status, printed, said) = folder.ended(command);
        assert_eq!(status, 0, "{printed}{said}");
        assert!(!printed.contains("duplicate-url"), "{printed}");
        let note = "note: site: 1 sitemap ignored: a gzipped copy of the sitemap next to it\n";
        assert!(said.starts_with(note), "{said}");
    }
    let (_, _, said) = folder.ended("check site");
    assert!(said.contains("1 sitemap, 2 entries"), "{said}");
    // Whichever of them the index lists is there, and is a part of it.
    for listed in [["a.xml"].as_slice(), &["a.xml.gz"], &["a.xml", "a.xml.gz"]] {
        let parts = listed
            .iter()
            .map(|name| format!("<sitemap><loc>https://www.example.com/{name}</loc></sitemap>"));
        let parts: String = parts.collect();
        folder.put(
            "site/index.xml",
            format!("<sitemapindex {NS}>{parts}</sitemapindex>"),
        );
        let (status, printed, said) = folder.ended("report site --format json");
        let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(status, 0, "{said}");
        assert_eq!(report["totals"]["pages"], 2, "{printed}");
        let sitemaps = report["sitemaps"].as_array().unwrap();
        let mut names = sitemaps.iter().map(|part| &part["name"]);
        assert!(
            names.any(|name| name == "site/a.xml"),
            "{listed:?}: {printed}"
        );
    }
    fs::remove_file(folder.path("site/index.xml")).unwrap();
    // An old copy, one that is damaged, and one that is not gzipped.
    for other in [
        gzipped(urlset(&["a"]).as_bytes()),
        gzipped(urlset(&["a", "b"]).as_bytes())[..40].to_vec(),
        urlset(&["a", "b"]).into_bytes(),
    ] {
        folder.put("site/a.xml.gz", other);
        let (_, printed, said) = folder.ended("check site --advice --format short");
        assert!(printed.contains("site/a.xml.gz:"), "{printed}");
        assert!(!said.contains("ignored"), "{said}");
    }
}

/// A new set keeps the parts of the one before for a day. No index lists them, and they are not counted.
#[test]
fn parts_that_a_newer_set_has_replaced_are_not_counted() {
    let folder = Folder::new();
    for pages in ["a b", "a b c"] {
        let lines = pages
            .split(' ')
            .map(|page| format!("https://example.com/{page}\n"));
        folder.put("list.txt", lines.collect::<String>());
        let (status, _, said) =
            folder.ended(&format!("write list.txt -o pub {BASE} --fingerprint"));
        assert_eq!(status, 0, "{said}");
    }
    let files = fs::read_dir(folder.path("pub")).unwrap().count();
    assert!(files > 2, "{files}");
    let (status, printed, said) = folder.ended("report pub --format json");
    assert_eq!(status, 0, "{said}");
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let totals = &report["totals"];
    assert_eq!(
        (&totals["pages"], &totals["sitemaps"]),
        (&3.into(), &2.into())
    );
    let (status, printed, said) = folder.ended("check pub --deny duplicate-url");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    assert!(
        said.contains("1 sitemap ignored: replaced by a newer set"),
        "{said}"
    );
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
        let command =
            format!("check site --format short --location https://example.com/{directory}/");
        let (status, printed, _) = folder.ended(&command);
        assert_eq!(
            status,
            i32::from(!is_inside),
            "{directory} {page}: {printed}"
        );
        assert_eq!(
            printed.contains("[outside-location]"),
            !is_inside,
            "{printed}"
        );
    }
}

#[test]
fn the_location_of_a_folder_ends_with_a_slash() {
    let folder = Folder::new();
    folder.put("site/sitemap.xml", urlset(&["dir/a"]));
    let (status, _, said) = folder.ended("check site --location https://example.com/other");
    assert_eq!(status, 2);
    let expected = "the location of a folder must end with a slash: `https://example.com/other/`";
    assert!(said.contains(expected), "{said}");
    let (status, printed, _) =
        folder.ended("check site --format short --location https://example.com/other/");
    assert_eq!(status, 1);
    assert!(printed.contains("[outside-location]"), "{printed}");
    // The location in the configuration file is that of the site, for all files.
    folder.put(
        "sitemap.toml",
        "[check]\nlocation = \"https://example.com/\"\n",
    );
    folder.put("b.xml", urlset(&["b"]));
    folder.put(
        "c.xml",
        urlset(&["c"]).replace("example.com", "elsewhere.example"),
    );
    let (status, printed, said) = folder.ended("check --format short b.xml site/sitemap.xml");
    assert_eq!((status, &*printed), (0, ""), "{said}");
    let (status, printed, _) = folder.ended("check --format short b.xml c.xml");
    assert_eq!(status, 1);
    assert!(printed.starts_with("c.xml:2:11: error: "), "{printed}");
    fs::remove_file(folder.path("sitemap.toml")).unwrap();
    let two = "check b.xml c.xml --format short --location https://example.com/";
    assert_eq!(folder.ended(two).1, printed);
    let (status, _, said) = folder.ended(&format!("{two}sitemap.xml"));
    let expected =
        "the location of several files must end with a slash: `https://example.com/sitemap.xml/`";
    assert!(status == 2 && said.contains(expected), "{said}");
}

#[test]
fn an_rdf_feed_is_a_sitemap_and_a_feed_of_a_blog_service_is_no_part() {
    let folder = Folder::new();
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
        <item><link>https://example.com/a</link></item></rdf:RDF>";
    folder.put("site/feed.rdf", rdf);
    let (status, _, said) = folder.ended("check site");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("1 sitemap, 1 entry"), "{said}");
    let feed = "atom.xml?redirect=false&amp;start-index=1&amp;max-results=500";
    folder.put("site/sitemap.xml", index(&[feed]));
    let (status, printed, _) = folder.ended("check site --format short");
    assert_eq!((status, &*printed), (0, ""));
    folder.put("site/sitemap.xml", index(&["atom.xml"]));
    let (status, printed, _) = folder.ended("check site --format short");
    assert_eq!(status, 1);
    assert!(printed.contains("[missing-part]"), "{printed}");
}

/// A file that was left behind, in a folder whose index or robots.txt lists others.
#[test]
fn what_nothing_lists_is_named() {
    let folder = Folder::new();
    folder.put("s/sitemap.xml", index(&["a.xml"]));
    folder.put("s/a.xml", urlset(&["a"]));
    folder.put("s/old.xml", urlset(&["old"]));
    let warning = "s/old.xml: warning: no index and no robots.txt of the folder lists the sitemap [unlisted-sitemap]";
    let said = |arguments: &str| {
        let (_, out, err) = folder.ended(arguments);
        out + &err
    };
    assert!(
        said("check s -f short").contains(warning),
        "{}",
        said("check s -f short")
    );
    for command in ["show s", "diff s s", "edit s -o new.xml"] {
        let note =
            "note: s: 1 sitemap that no index and no robots.txt of the folder lists: s/old.xml\n";
        assert!(said(command).contains(note), "{command}: {}", said(command));
    }
    // What could list it was not read to its end.
    folder.put(
        "s/sitemap.xml",
        index(&["a.xml"]).replace("</sitemapindex>", ""),
    );
    assert!(!said("check s -f short").contains("unlisted-sitemap"));
    folder.put("s/sitemap.xml", index(&["a.xml"]));
    folder.put(
        "s/robots.txt",
        "Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/old.xml\n",
    );
    assert!(!said("check s -f short").contains("unlisted-sitemap"));
    folder.put("s/robots.txt", "Sitemap: https://example.com/a.xml\n");
    fs::remove_file(folder.path("s/sitemap.xml")).unwrap();
    assert!(said("check s -f short").contains(warning));
    // Nothing lists anything.
    folder.put("s/robots.txt", "User-agent: *\n");
    assert!(!said("check s -f short").contains("unlisted-sitemap"));
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
        let (_, out, _) = folder.ended("check s -f short");
        let found = format!(
            "s/sitemap.xml: warning: the index has the lastmod `{listed}` for the part `https://example.com/a.xml`, whose newest page \
             is of `{newest}` [stale-index-lastmod]"
        );
        assert_eq!(out.contains(&found), is_stale, "{listed} {newest}: {out}");
    }
}
