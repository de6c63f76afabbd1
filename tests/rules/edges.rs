//! The edges of single rules: the last input that a rule lets pass, and the first that it does not.

use quick_sitemap::extension::foreign::Element;
use quick_sitemap::{Entry, ErrorKind, Policy, ReaderBuilder, Rule, UrlEntry, UrlsetWriter};

/// The loc that is read from a urlset of one entry found at `https://base.example/dir/`, and the rules reported.
fn read_loc(loc: &str) -> (Option<String>, Vec<Rule>) {
    let text = format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{loc}</loc></url></urlset>"
    );
    let location = "https://base.example/dir/sitemap.xml".parse().unwrap();
    let mut reader = ReaderBuilder::new()
        .base_url(location)
        .build(text.as_bytes());
    let found = reader
        .next()
        .map(|entry| entry.unwrap().loc().as_str().to_owned());
    let rules = reader.issues().iter().map(|issue| issue.rule()).collect();
    (found, rules)
}

/// Only what RFC 3986 calls a scheme is one: a host before its port is not, and neither is prose before a colon.
#[test]
fn what_counts_as_a_scheme() {
    for (loc, rule) in [
        ("ftp://host.example/", Rule::UnsupportedScheme),
        ("tel:555", Rule::UnsupportedScheme),
        ("web+app:x", Rule::UnsupportedScheme),
        ("x-y:z", Rule::UnsupportedScheme),
        ("h2:z", Rule::UnsupportedScheme),
        ("localhost:8080/a", Rule::InvalidUrl),
        ("2x:a", Rule::InvalidUrl),
        ("+x:a", Rule::InvalidUrl),
        ("see this:a", Rule::InvalidUrl),
        (":a", Rule::InvalidUrl),
    ] {
        assert_eq!(read_loc(loc), (None, vec![rule]), "{loc}");
    }
}

/// Every relative reference is resolved, if there is a base; texts that only look like one are not.
#[test]
fn what_counts_as_relative() {
    for (loc, found) in [
        ("./a", "https://base.example/dir/a"),
        ("../dir/a", "https://base.example/dir/a"),
        ("../x", "https://base.example/x"),
        ("/dir/a", "https://base.example/dir/a"),
        ("//other.example/a", "https://other.example/a"),
        ("?a", "https://base.example/dir/sitemap.xml?a"),
        ("index.html", "https://base.example/dir/index.html"),
        ("a/b?c=d:e#f", "https://base.example/dir/a/b?c=d:e#f"),
        ("a/b:c", "https://base.example/dir/a/b:c"),
        (
            "index.php?page=https://x",
            "https://base.example/dir/index.php?page=https://x",
        ),
        (".", "https://base.example/dir/"),
        ("..", "https://base.example/"),
        (".well-known/x", "https://base.example/dir/.well-known/x"),
        ("..a/x", "https://base.example/dir/..a/x"),
    ] {
        let resolved = Some(found.to_owned());
        assert_eq!(read_loc(loc), (resolved, vec![Rule::RelativeUrl]), "{loc}");
    }
    for loc in [
        // The sitemap itself, absolute URLs without a scheme, sentences, something before a colon.
        "#a",
        "www.example.com",
        "WWW.example.com/a",
        "base.example",
        "Base.Example/a",
        "not a page",
        "a:80/b",
        "host.example:8080/x",
        "http:/a",
        "\\a",
    ] {
        assert_eq!(read_loc(loc), (None, vec![Rule::InvalidUrl]), "{loc}");
    }
    assert_eq!(read_loc("mailto:a"), (None, vec![Rule::UnsupportedScheme]));
}

/// Without a base, a relative reference is not a URL.
#[test]
fn without_a_base_nothing_is_relative() {
    for loc in ["/a", "./a", "?a", "index.html", "a/b", "//example.com/a"] {
        let text = format!("https://example.com/\n{loc}\n");
        let mut reader = ReaderBuilder::new().from_bytes(text);
        assert_eq!(reader.by_ref().count(), 1, "{loc}");
        let rules: Vec<Rule> = reader.issues().iter().map(|issue| issue.rule()).collect();
        assert_eq!(rules, [Rule::InvalidUrl], "{loc}");
    }
}

#[test]
fn empty_text_adds_no_node() {
    let element = Element::new("a", "urn:x").with_text("");
    assert_eq!(element.children, []);
    assert_eq!(element.with_text("b").with_text("").children.len(), 1);
}

/// An entry may take 2 MiB, its line end included, and what is written at that size is read again.
#[test]
fn an_entry_may_be_two_mebibytes_long_when_written() {
    let file = |text: usize| {
        let page = UrlEntry::try_from("https://example.com/").unwrap();
        let page = page.with_foreign(Element::new("a", "urn:x").with_text("b".repeat(text)));
        let mut writer = UrlsetWriter::new(Vec::new());
        writer
            .write(&page)
            .map(|()| (page, writer.finish().unwrap()))
    };
    let lines_of = |file: &[u8]| -> usize {
        let text = std::str::from_utf8(file).unwrap();
        text.split_inclusive('\n').nth(2).unwrap().len()
    };
    let around = lines_of(&file(1).unwrap().1) - 1;
    let most = (2 << 20) - around;
    let (page, written) = file(most).unwrap();
    assert_eq!(lines_of(&written), 2 << 20);
    let mut reader = ReaderBuilder::new()
        .policy(Policy::STRICT)
        .build(&written[..]);
    assert_eq!(reader.next().unwrap().unwrap(), Entry::from(page));
    let error = file(most + 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::EntryTooLarge));
}
