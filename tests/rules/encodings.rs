//! Packing, encoding and format are detected from the content. Every other content is an error.

use crate::common::{self, NS, Outcome, gzip, read_slice, same_however_cut, url, urlset};
use encoding_rs::Encoding;
use quick_sitemap::{Effect, ErrorKind, Format, Reader, Rule};

const X: &str = "https://example.com/x";

fn outcome(bytes: impl AsRef<[u8]>) -> Outcome {
    same_however_cut(bytes.as_ref());
    read_slice(bytes)
}

/// Checks that the bytes return the page `X`, and break these rules.
fn gives_x(bytes: impl AsRef<[u8]>, rules: &[Rule], format: Format) {
    let bytes = bytes.as_ref();
    let outcome = outcome(bytes);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(outcome.locs(), [X], "{text}: {:?}", outcome.errors());
    assert_eq!(
        (&outcome.rules()[..], outcome.fatal()),
        (rules, "none"),
        "{text}"
    );
    assert_eq!(outcome.format, Some(format), "{text}");
}

fn sound(bytes: impl AsRef<[u8]>) {
    gives_x(bytes, &[], Format::Urlset);
}

/// Checks that the bytes are rejected with this kind of error, without any other issue.
fn refused(bytes: impl AsRef<[u8]>, kind: &str) {
    let bytes = bytes.as_ref();
    let outcome = outcome(bytes);
    let text = common::Shown(bytes);
    assert_eq!((outcome.locs(), outcome.fatal()), (vec![], kind), "{text}");
    assert_eq!(outcome.errors().len(), 1, "{text}");
}

fn page() -> String {
    urlset(&url(X))
}

fn utf_16(text: &str, little: bool) -> Vec<u8> {
    let bytes = if little {
        u16::to_le_bytes
    } else {
        u16::to_be_bytes
    };
    text.encode_utf16().flat_map(bytes).collect()
}

/// `src/input/tests.rs` has every header, damage and cut.
#[test]
fn gzip_in_members_and_layers() {
    let text = page();
    let (head, tail) = text.as_bytes().split_at(50);
    let one = gzip(text.as_bytes());
    sound([gzip(head), gzip(b""), gzip(tail), gzip(b"")].concat());
    sound(text.as_bytes().chunks(3).flat_map(gzip).collect::<Vec<_>>());
    sound(gzip(&one));
    sound(gzip(&gzip(&one)));
    refused(gzip(&gzip(&gzip(&one))), "LimitExceeded");
    sound(one);
}

#[test]
fn rubbish_behind_the_gzip_data() {
    let packed = gzip(page().as_bytes());
    for rubbish in [
        &b"\n"[..],
        b"\0",
        &[0; 1000],
        b"rubbish",
        b"\x1F",
        b"\x1Fx",
        b"<urlset>",
    ] {
        gives_x(
            [&packed[..], rubbish].concat(),
            &[Rule::TrailingGzipData],
            Format::Urlset,
        );
    }
}

/// What comes before the damage is read.
#[test]
fn a_damaged_gzip_stream() {
    let packed = gzip(page().as_bytes());
    for byte_from_the_end in [6, 0] {
        let mut bytes = packed.clone();
        *bytes.iter_mut().nth_back(byte_from_the_end).unwrap() ^= 1;
        let outcome = outcome(&bytes);
        assert_eq!((outcome.locs(), outcome.fatal()), (vec![X], "Gzip"));
    }
}

#[test]
fn a_file_named_gz_that_is_plain() {
    let path = std::env::temp_dir().join(format!("quick-sitemap-{}.xml.gz", std::process::id()));
    std::fs::write(&path, page()).unwrap();
    let locs: Vec<String> = Reader::from_path(&path)
        .unwrap()
        .map(|entry| entry.unwrap().loc().to_string())
        .collect();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(locs, [X]);
}

#[test]
fn byte_order_marks_in_any_number() {
    for count in [1, 2, 4] {
        let marks = "\u{FEFF}".repeat(count);
        let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
        sound(format!("{marks}{}", page()));
        sound(format!("{marks}{declaration}{}", page()));
        gives_x(format!("{marks}{X}\n"), &[], Format::Text);
    }
    let text = format!("\u{FEFF}\n\u{FEFF} <?xml version=\"1.0\"?>{}", page());
    gives_x(text, &[Rule::ContentBeforeDeclaration], Format::Urlset);
}

#[test]
fn utf_16_with_and_without_a_mark() {
    for little in [true, false] {
        for mark in ["\u{FEFF}", ""] {
            for declaration in [
                "",
                "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
                "<?xml version='1.0'?>\n",
            ] {
                sound(utf_16(&format!("{mark}{declaration}{}", page()), little));
            }
        }
        gives_x(
            utf_16(&format!("\u{FEFF}{X}\r\n"), little),
            &[],
            Format::Text,
        );
        sound(gzip(&utf_16(&format!("\u{FEFF}{}", page()), little)));
    }
}

#[test]
fn positions_count_in_the_decoded_text() {
    let text = urlset(&format!("\r\n<!-- ü💧 --><url/>{}", url(X)));
    let want = read_slice(&text);
    let at = want.issues()[0].position;
    assert_eq!((at.line(), at.column()), (2, 12));
    let marked = format!("\u{FEFF}{text}");
    for bytes in [utf_16(&marked, true), utf_16(&marked, false), marked.into()] {
        assert_eq!(outcome(bytes).said, want.said);
    }
}

#[test]
fn half_a_character_at_the_end_of_utf_16() {
    let mut bytes = utf_16(&format!("\u{FEFF}{}", page()), true);
    bytes.push(b'\n');
    let outcome = outcome(&bytes);
    assert_eq!((outcome.locs(), outcome.fatal()), (vec![X], "none"));
    assert!(!outcome.rules().is_empty());
}

#[test]
fn encodings_by_declaration() {
    for (label, path) in [
        ("ISO-8859-1", "straße"),
        ("iso-8859-15", "straße€"),
        ("windows-1252", "a–b"),
        ("windows-1251", "новости"),
        ("koi8-r", "новости"),
        ("Shift_JIS", "日本語"),
        ("EUC-JP", "日本語"),
        ("Big5", "中文"),
        ("gb18030", "中文💧"),
        ("euc-kr", "한국어"),
        ("us-ascii", "plain"),
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let loc = format!("https://example.com/{path}");
        let body = urlset(&format!("{}<!-- {path} -->", url(&loc)));
        for quote in ['"', '\''] {
            let text = format!(
                "<?xml version=\"1.0\" encoding={quote}{label}{quote} standalone='yes'?>\n{body}"
            );
            let outcome = outcome(encoding.encode(&text).0);
            let want = quick_sitemap::url::Url::parse(&loc).unwrap();
            assert_eq!(outcome.locs(), [want.as_str()], "{label}");
            let rule = (!path.is_ascii()).then_some(Rule::UrlNotEscaped);
            assert_eq!(outcome.rules(), Vec::from_iter(rule), "{label}");
        }
    }
}

#[test]
fn declarations_that_lie() {
    let declared =
        |encoding: &str| format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>{}", page());
    let marked = format!("\u{FEFF}{}", declared("UTF-8"));
    let names = [
        "UTF-16",
        "utf-16le",
        "UTF-16BE",
        "ISO-10646-UCS-2",
        "klingon",
        "",
    ];
    let mut documents = names.map(|name| declared(name).into_bytes()).to_vec();
    documents.push(utf_16(&marked, true));
    documents.push(format!("\u{FEFF}{}", declared("ISO-8859-1")).into());
    for bytes in documents {
        gives_x(&bytes, &[Rule::EncodingConflict], Format::Urlset);
        assert_eq!(read_slice(&bytes).issues()[0].effect, Effect::Noted);
    }
    // The mark wins.
    let text = format!(
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{}",
        urlset(&url("https://example.com/ü"))
    );
    assert_eq!(outcome(text).locs(), ["https://example.com/%C3%BC"]);
}

#[test]
fn a_declaration_behind_other_things_counts() {
    let text = format!(
        "\n<!-- x --><?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{}",
        urlset(&url("https://example.com/\u{E4}"))
    );
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&text);
    let outcome = outcome(&bytes);
    assert_eq!(outcome.locs(), ["https://example.com/%C3%A4"]);
    assert_eq!(
        outcome.rules(),
        [Rule::ContentBeforeDeclaration, Rule::UrlNotEscaped]
    );
}

#[test]
fn a_declaration_behind_the_first_1024_bytes_comes_too_late() {
    let text = format!(
        "<!--{}--><?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{}",
        "x".repeat(2_000),
        urlset(&format!("{}{}", url(X), url("https://example.com/\u{E4}")))
    );
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&text);
    let outcome = outcome(&bytes);
    assert_eq!(outcome.locs(), [X]);
    assert!(outcome.rules().contains(&Rule::InvalidCharacter));
}

#[test]
fn bytes_that_do_not_fit_spoil_only_their_entry() {
    let good = url(X);
    let text = urlset(&format!("{good}{}{good}", url("https://example.com/?")));
    let at = text.find('?').unwrap();
    let spoilt = |bytes: &[u8]| {
        let outcome = outcome(bytes);
        assert_eq!((outcome.locs(), outcome.fatal()), (vec![X, X], "none"));
        let [issue] = outcome.issues()[..] else {
            panic!("a run of bad bytes is one issue: {:?}", outcome.issues());
        };
        let found = (issue.violation.rule(), issue.effect);
        assert_eq!(found, (Rule::InvalidCharacter, Effect::EntrySkipped));
        let position = issue.position;
        let place = (position.byte(), position.column(), position.entry());
        assert_eq!(place, (at as u64, at as u64 + 1, 2), "{bytes:?}");
    };
    for bytes in [
        &b"\xFF"[..],
        b"\xE4",
        b"\xC3",
        b"\xE2\x82",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x92",
        b"\xC0\x80",
        b"\xE4\xF6\xFC",
    ] {
        spoilt(&[&text.as_bytes()[..at], bytes, &text.as_bytes()[at + 1..]].concat());
    }
    // Half a character of UTF-16.
    let mut bytes = utf_16(&text, true);
    bytes[2 * at..2 * at + 2].copy_from_slice(&[0, 0xD8]);
    spoilt(&bytes);
}

#[test]
fn text_in_other_encodings() {
    let lines = format!("{X}\nhttps://example.com/\u{E4}\n");
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&lines);
    let outcome = outcome(&bytes);
    assert_eq!(outcome.locs(), [X]);
    assert_eq!(outcome.issues()[0].effect, Effect::EntrySkipped);
    assert_eq!(outcome.format, Some(Format::Text));
}

#[test]
fn text_of_every_form() {
    for text in [
        X.to_owned(),
        format!("{X}\n"),
        format!("\n\r\n  {X}\t\r"),
        format!("\u{FEFF}{X}"),
    ] {
        gives_x(text, &[], Format::Text);
    }
    let comments = format!("# sitemap\r# {X}/no\r{X}");
    gives_x(comments, &[Rule::CommentInText], Format::Text);
    let outcome =
        outcome("https://example.com/#top\n  # https://example.com/no\nhttp://example.com/a#b\n");
    assert_eq!(outcome.locs()[0], "https://example.com/#top");
    assert_eq!(outcome.locs().last(), Some(&"http://example.com/a#b"));
}

#[test]
fn junk_before_the_root() {
    let warning = "<br />\n<b>Warning</b>: Cannot modify header information in <b>/var/www/x.php</b> on line <b>3</b><br />\n";
    for junk in [
        "sitemap.xml\n",
        "This XML file does not appear to have any style information associated with it.\n",
        warning,
        "\n\n\n<!-- generated -->\n",
        "<?php echo 'x' ?>",
    ] {
        for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"] {
            let outcome = outcome(format!("{junk}{declaration}{}", page()));
            assert_eq!(
                (outcome.locs(), outcome.fatal()),
                (vec![X], "none"),
                "{junk}"
            );
            assert!(
                outcome
                    .issues()
                    .iter()
                    .all(|issue| issue.effect == Effect::Noted)
            );
            let silent =
                declaration.is_empty() && (junk.contains("<!--") || junk.contains("<?php"));
            assert_eq!(outcome.issues().is_empty(), silent, "{junk}{declaration}");
        }
    }
}

/// The first line that is a URL makes the document a text sitemap, no matter what follows: its entry is returned before
/// the rest is read. After a `<`, no line decides, because a root can follow.
#[test]
fn a_url_before_the_root() {
    let page = page();
    for text in [
        format!("{X}\n{page}"),
        format!("\n {X}\r<?xml version=\"1.0\"?>{page}"),
        format!("{X}\n<html>"),
    ] {
        gives_x_and_skips(text, Format::Text, 1);
    }
    gives_x_and_skips(format!("sitemap.xml\n{X}\n{page}\n"), Format::Text, 2);
    gives_x_and_skips(format!("a < b\n{X}\n"), Format::Text, 1);
    for junk in [
        X.to_owned(),
        format!("{X}?<?php ?>\n"),
        format!("<br>\n{X}\n"),
        format!("a < b\n{X}\n"),
        format!("<!-- c -->\n{X}\n"),
        format!("<?xml version=\"1.0\"?>\n{X}\n"),
        format!("word <!--\n{X}\n-->"),
        format!("word {X}\n"),
        format!("# {X}\n"),
    ] {
        gives_x_and_skips(format!("{junk}{page}"), Format::Urlset, 0);
    }
    // Text in the form of a declaration, after the root, is not a declaration.
    let text = format!("{X}\n<?xml version='1.0' encoding='UTF-16'?>\n");
    gives_x_and_skips(text, Format::Text, 1);
}

/// Checks that the page `X` is returned, that this number of lines is skipped, and that nothing else is lost.
fn gives_x_and_skips(text: String, format: Format, lines: usize) {
    let outcome = outcome(&text);
    assert_eq!(outcome.locs(), [X], "{text}");
    assert_eq!(
        (outcome.format, outcome.fatal()),
        (Some(format), "none"),
        "{text}"
    );
    let mut issues = outcome.issues();
    issues.retain(|issue| issue.effect != Effect::Noted);
    let rules = issues.iter().map(|issue| issue.violation.rule());
    assert_eq!(
        rules.collect::<Vec<_>>(),
        vec![Rule::InvalidUrl; lines],
        "{text}"
    );
}

/// The output of an HTML serializer for a sitemap that is displayed in a browser.
#[test]
fn a_sitemap_that_was_saved_as_a_web_page() {
    let index = common::index(&format!("<sitemap><loc>{X}</loc></sitemap>"));
    for (head, foot) in [
        ("<html><head></head><body>", "</body></html>"),
        (
            "<!DOCTYPE html>\n<html lang=en><body>\n",
            "\n</body>\n</html>\n",
        ),
        ("<HTML xmlns=\"http://www.w3.org/1999/xhtml\"><body>", ""),
        (
            "<html><head><meta charset=\"utf-8\"><script>if (a < b) '<urlset>'</script></head>",
            "",
        ),
    ] {
        for (root, format, shown) in [
            (page(), Format::Urlset, X.to_owned()),
            (index.clone(), Format::Index, format!("sitemap {X}")),
        ] {
            let text = format!("{head}{root}{foot}");
            let outcome = outcome(&text);
            assert_eq!(
                (outcome.shown(), outcome.fatal()),
                (vec![shown], "none"),
                "{text}"
            );
            assert_eq!(outcome.format, Some(format), "{text}");
            let mut rules = outcome.rules();
            rules.retain(|rule| *rule != Rule::Doctype);
            assert_eq!(rules, [Rule::WrappedRoot], "{text}: {:?}", outcome.issues());
        }
    }
    // A root too far from the beginning, in a program, or in a comment is not a root.
    let far = format!("<html><body>{}{}", "<p>words</p>".repeat(6_000), page());
    for text in [
        far,
        format!("<html><script>{}</script></html>", page()),
        format!("<html><!-- {} --></html>", page()),
    ] {
        refused(&text, "UnknownRoot");
        let error = Reader::new(text.as_bytes()).find_map(Result::err).unwrap();
        assert!(matches!(error.kind(), ErrorKind::UnknownRoot(root) if root == "html"));
    }
}

/// The configuration of a shop has elements named `rss`; that makes no empty feed of it.
#[test]
fn the_roots_of_feeds_count_only_where_no_element_holds_them() {
    let rss = format!("<rss><channel><item><link>{X}</link></item></channel></rss>");
    let atom = format!("<feed><entry><link href=\"{X}\"/></entry></feed>");
    let rdf = format!(
        "<r:RDF xmlns:r=\"urn:r\" xmlns=\"http://purl.org/rss/1.0/\"><item><link>{X}</link></item></r:RDF>"
    );
    for (feed, format) in [(rss, Format::Rss), (atom, Format::Atom), (rdf, Format::Rss)] {
        for (open, close, root) in [
            (
                "<config><acl><resources>",
                "</resources></acl></config>",
                "config",
            ),
            ("<config>\n<acl/>", "</config>", "config"),
            ("<!-- a --><x:config>", "", "x:config"),
            ("<html><body>", "</body></html>", "html"),
            ("<a><b></b>", "", "a"),
        ] {
            let text = format!("{open}{feed}{close}");
            refused(&text, "UnknownRoot");
            let error = Reader::new(text.as_bytes()).find_map(Result::err).unwrap();
            assert!(
                matches!(error.kind(), ErrorKind::UnknownRoot(own) if own == root),
                "{text}: {error}"
            );
        }
        // Only after elements that have ended.
        for before in [
            "<br />\n<b>Warning</b>: a",
            "<br>",
            "<config></CONFIG>",
            "<a/></b>",
        ] {
            let outcome = outcome(format!("{before}{feed}"));
            assert_eq!(
                (outcome.locs(), outcome.format),
                (vec![X], Some(format)),
                "{before}"
            );
        }
    }
    // A root that is ignored does not hide a later one.
    let text = format!("<config><rss></config><x><feed/></x>{}", page());
    let outcome = outcome(&text);
    assert_eq!((outcome.locs(), outcome.fatal()), (vec![X], "none"));
    assert_eq!(outcome.format, Some(Format::Urlset));
    let text = "<config><acl><rss translate=\"title\" module=\"rss\"><title>RSS</title></rss></acl></config>";
    refused(text, "UnknownRoot");
}

#[test]
fn junk_that_is_too_long() {
    let within = outcome(format!("{}{}", "word ".repeat(10_000), page()));
    assert_eq!(within.locs(), [X]);
    let beyond = read_slice(format!("{}{}", "word ".repeat(20_000), page()));
    assert_eq!((beyond.locs(), beyond.fatal()), (vec![], "NotASitemap"));
}

#[test]
fn comments_before_the_root_may_be_long() {
    gives_x(
        format!("<!-- {} -->{}", "comment ".repeat(4_000), page()),
        &[],
        Format::Urlset,
    );
}

#[test]
fn pages_that_are_no_sitemap() {
    for (text, name) in [
        (
            "<html><body><a href=\"https://example.com/\">https://example.com/</a></body></html>",
            "html",
        ),
        ("<!DOCTYPE html>\n<html lang=\"en\"><head>", "html"),
        ("<!doctype html><html>", "html"),
        ("  \n<HTML>", "HTML"),
        (
            "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
            "Error",
        ),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "svg"),
        (
            "<root><url><loc>https://example.com/</loc></url></root>",
            "root",
        ),
    ] {
        refused(text, "UnknownRoot");
        let error = Reader::new(text.as_bytes()).find_map(Result::err).unwrap();
        assert!(
            matches!(error.kind(), ErrorKind::UnknownRoot(root) if root == name),
            "{text}: {error}"
        );
        let long = format!("{text}{}", "<p>https://example.com/</p>\n".repeat(5_000));
        assert_eq!(read_slice(&long).fatal(), "UnknownRoot", "{text} and more");
    }
}

/// They can't be written again.
#[test]
fn names_with_bytes_that_are_not_in_the_encoding() {
    for inside in [
        &b"<x:a\xE9/>"[..],
        b"<x:a \xE9=\"1\"/>",
        b"<x:a><x:b/><x:c x:d\xE9=\"1\"/></x:a>",
    ] {
        let text = common::urlset(&format!("<url xmlns:x=\"urn:x\"><loc>{X}</loc>|</url>"));
        let (before, after) = text.split_once('|').unwrap();
        let bytes = [before.as_bytes(), inside, after.as_bytes()].concat();
        gives_x(&bytes, &[Rule::InvalidCharacter], Format::Urlset);
        let entry = Reader::new(&bytes[..]).next().unwrap().unwrap();
        assert_eq!(entry.as_url().unwrap().foreign, []);
    }
}

/// Text in a comment or a document type is not a declaration.
#[test]
fn declarations_that_are_none() {
    let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
    let real = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let loc = "https://example.com/%C3%A9";
    for head in [
        format!("<!-- {latin} -->{real}"),
        format!("<!-- {latin} -->"),
        format!("<!DOCTYPE urlset [<!-- {latin} -->]>{real}"),
        format!("<!DOCTYPE urlset [<!-- {latin} -->]>"),
        format!("<!DOCTYPE urlset>{real}<!-- {latin} -->"),
    ] {
        let text = format!(
            "{head}{}",
            common::urlset(&common::url("https://example.com/é"))
        );
        let outcome = outcome(text);
        assert_eq!(
            (outcome.locs(), outcome.fatal()),
            (vec![loc], "none"),
            "{head}"
        );
        assert!(!outcome.rules().contains(&Rule::EncodingConflict), "{head}");
    }
    for head in [
        "<!-- a -->",
        "<!DOCTYPE urlset>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    ] {
        let text = format!(
            "{head}{latin}{}",
            common::urlset(&common::url("https://example.com/é"))
        );
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        assert_eq!(outcome(bytes).locs(), [loc], "{head}");
    }
}

#[test]
fn things_that_are_no_sitemap() {
    for bytes in [
        &b""[..],
        b" ",
        b"\n\r\n\t",
        b"\xEF\xBB\xBF",
        b"\xFF\xFE",
        b"Not Found",
        b"404",
        b"{\"error\": \"not found\"}",
        b"{\"url\": \"https://example.com/\"}",
        b"[]",
        b"www.example.com\nexample.org\n",
        b"# https://example.com/\n",
        b"User-agent: *\nDisallow: /\n",
        b"\0\0\0\0",
        b"\x89PNG\r\n\x1A\n",
        // Lines that only begin like URLs.
        b"https://",
        b"https:///x\n",
        b"https://e com/",
        b"http://a&b.com/\nhttps://[/",
    ] {
        refused(bytes, "NotASitemap");
    }
    refused(gzip(b""), "NotASitemap");
    refused(gzip(b"{}"), "NotASitemap");
    refused("x".repeat(100_000), "NotASitemap");
}

#[test]
fn an_empty_sitemap_is_fine() {
    for (text, format) in [
        (urlset(""), Format::Urlset),
        (format!("<urlset xmlns=\"{NS}\"/>"), Format::Urlset),
        (common::index(" \n"), Format::Index),
    ] {
        let outcome = outcome(&text);
        assert_eq!(
            (outcome.said, outcome.format),
            (vec![], Some(format)),
            "{text}"
        );
    }
    let outcome = outcome("<urlset/>");
    assert_eq!(
        (outcome.locs(), outcome.fatal(), outcome.rules()),
        (vec![], "none", vec![Rule::WrongNamespace])
    );
}

fn with_charset(label: &str, bytes: impl AsRef<[u8]>) -> Outcome {
    let builder = quick_sitemap::ReaderBuilder::new().charset(label);
    common::same_with(&builder, bytes.as_ref());
    common::read(&builder, bytes.as_ref())
}

/// The charset of a server is used if there is neither a mark nor a declaration.
#[test]
fn the_charset_of_the_caller_comes_last() {
    // `é` in Latin-1, and `й` in windows-1251; no UTF-8.
    let (latin, cyrillic) = ("https://example.com/%C3%A9", "https://example.com/%D0%B9");
    let bytes = b"https://example.com/\xE9";
    let xml = |declaration: &str| {
        let mut document = declaration.as_bytes().to_vec();
        document.extend(format!("<urlset xmlns=\"{NS}\"><url><loc>").bytes());
        document.extend(bytes);
        document.extend(b"</loc></url></urlset>");
        document
    };
    for label in ["windows-1251", "Windows-1251", " \"cp1251\" ", "x-cp1251"] {
        assert_eq!(with_charset(label, bytes).locs(), [cyrillic], "{label}");
        assert_eq!(with_charset(label, xml("")).locs(), [cyrillic], "{label}");
        assert_eq!(with_charset(label, gzip(&xml(""))).locs(), [cyrillic]);
        let undeclared = xml("<?xml version=\"1.0\"?>");
        assert_eq!(with_charset(label, undeclared).locs(), [cyrillic]);
        let latin_1 = xml("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>");
        let outcome = with_charset(label, latin_1);
        assert_eq!(
            (
                outcome.locs(),
                outcome.rules().contains(&Rule::EncodingConflict)
            ),
            (vec![latin], false)
        );
        // A declaration of an unknown encoding is ignored, and reported.
        let unknown = with_charset(label, xml("<?xml version=\"1.0\" encoding=\"x-no-such\"?>"));
        assert_eq!(unknown.locs(), [cyrillic]);
        assert!(unknown.rules().contains(&Rule::EncodingConflict));
        let marked = with_charset(label, b"\xEF\xBB\xBFhttps://example.com/\xC3\xA9");
        assert_eq!(marked.locs(), [latin]);
        for little in [true, false] {
            let outcome = with_charset(label, utf_16("https://example.com/\u{E9}", little));
            assert_eq!(outcome.locs(), [latin]);
        }
    }
}

#[test]
fn a_charset_that_nobody_knows_is_ignored() {
    for label in [
        "",
        "utf8mb4",
        "utf-16",
        "utf-16be",
        "replacement",
        "iso-2022-kr",
        "\u{FFFF}",
    ] {
        let outcome = with_charset(label, "https://example.com/\u{E9}");
        assert_eq!(outcome.locs(), ["https://example.com/%C3%A9"], "{label}");
        assert!(with_charset(label, page()).rules().is_empty(), "{label}");
    }
}
