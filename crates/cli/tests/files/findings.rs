//! Findings beyond the rules of the library: each in several spellings, and with neighbours that are valid.

use crate::folder::Folder;
use crate::program::{NS, gzipped, index, urlset, utf_16};
use crate::served::Ran;

/// A check of a folder with these files.
fn run(files: &[(&str, Vec<u8>)], arguments: &str) -> Ran {
    let folder = Folder::new();
    for (name, content) in files {
        folder.put(name, content);
    }
    folder.run(&format!("check {arguments}"))
}

/// Its findings in the form `file rule`, and what was said.
fn check(files: &[(&str, Vec<u8>)], arguments: &str) -> (Vec<String>, String) {
    let ran = run(files, &format!("--format jsonl {arguments}"));
    let found = ran.out.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let of = |name: &str| line[name].as_str().unwrap();
        format!("{} {}", of("file").trim_start_matches("./"), of("rule"))
    });
    (found.collect(), ran.said)
}

#[test]
fn an_index_lists_an_index() {
    let page = || urlset(&["https://e.com/a"]).into_bytes();
    let nested = "sitemap.xml nested-index";
    for (part, content) in [
        ("b.xml", index(&["https://e.com/c.xml"]).into()),
        ("sub/b.xml", index(&["https://e.com/c.xml"]).into()),
        (
            "b.xml.gz",
            gzipped(index(&["https://e.com/c.xml"]).as_bytes()),
        ),
        ("b%20b.xml", index(&["https://e.com/c.xml"]).into()),
        ("sitemap.xml", Vec::new()),
    ] {
        let loc = format!("https://e.com/{part}");
        let mut files = vec![
            ("sitemap.xml", index(&[&loc, "https://e.com/c.xml"]).into()),
            ("c.xml", page()),
        ];
        let name = part.replace("%20", " ");
        if part != "sitemap.xml" {
            files.push((&name, content));
        }
        let (found, said) = check(&files, ".");
        assert_eq!(found, [nested], "{part}: {said}");
    }
    // By its URL, however that is spelled.
    let own = index(&["https://e.com/u/s%69temap.xml"]).into();
    let arguments = "sitemap.xml --location https://e.com/u/sitemap.xml";
    let (found, _) = check(&[("sitemap.xml", own)], arguments);
    assert_eq!(found, [nested]);
    // A part with the name of an index is one only by its content and its place.
    for part in ["blog/sitemap.xml", "sitemap.xml"] {
        let loc = format!("https://e.com/blog/{}", part.trim_start_matches("blog/"));
        let mut files = vec![("sitemap.xml", index(&[&loc]).into())];
        if part != "sitemap.xml" {
            files.push((part, page()));
        }
        let found = check(&files, ".").0.concat();
        assert!(!found.contains("nested-index"), "{part}: {found}");
    }
}

#[test]
fn an_index_of_a_folder_lists_itself() {
    let said = |loc: &str| {
        let files = [
            ("u/index.xml", index(&[loc]).into()),
            ("u/other.xml", index(&["https://e.com/u/a.xml"]).into()),
            ("u/a.xml", urlset(&["https://e.com/u/a"]).into()),
        ];
        let shown = run(&files, ". --location https://e.com/ --format short").out;
        let lines = shown.lines().filter(|line| line.contains("[nested-index]"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for loc in [
        "https://e.com/u/index.xml",
        "https://e.com/u/ind%65x.xml",
        "HTTPS://E.com:443/u/index.xml",
        "https://e.com/v/../u/index.xml",
        "https://e.com/u/index.xml#all",
    ] {
        let said = said(loc);
        let is_own =
            said[0].contains("u/index.xml:") && said[0].contains("the index lists itself, ");
        assert!(said.len() == 1 && is_own, "{loc}: {said:?}");
    }
    let other = said("https://e.com/u/other.xml");
    assert_eq!(other.len(), 1, "{other:?}");
    assert!(other[0].contains("is an index, too"), "{other:?}");
    for loc in [
        "https://e.com/u/a.xml",
        "https://e.com/u/index.xml/",
        "https://e.com/u/index.xml?a",
    ] {
        assert_eq!(said(loc), [""; 0], "{loc}");
    }
}

/// The robots.txt of a folder.
#[test]
fn lines_of_robots_txt_that_name_no_sitemap() {
    let folder = |robots: &str| {
        [
            ("robots.txt", robots.as_bytes().to_vec()),
            ("sitemap.xml", urlset(&["https://e.com/a"]).into()),
        ]
    };
    let of_folder = |robots: &str, arguments: &str| check(&folder(robots), arguments);
    for (line, is_relative) in [
        ("Sitemap: /sitemap.xml", true),
        ("SITE-MAP: sitemap.xml # all", true),
        ("sitemap : ./sitemap.xml", true),
        ("Sitemap: \"https://e.com/sitemap.xml\"", false),
        ("Sitemap: <https://e.com/sitemap.xml>", false),
        ("Sitemap=https://e.com/sitemap.xml", false),
        ("Sitemap: https://<domain_name>/sitemap.xml", false),
        ("Sitemap:", false),
    ] {
        let robots = format!("User-agent: *\r\nDisallow:\r\n{line}\r\n");
        for arguments in [".", ". --location https://e.com/"] {
            let (found, said) = of_folder(&robots, arguments);
            assert_eq!(found, ["robots.txt robots-sitemap-line"], "{line}: {said}");
        }
        let ran = run(&folder(&robots), ". --format short");
        let shown_line = line.split('#').next().unwrap().trim();
        ran.prints(&format!("line 3, `{shown_line}`, "));
        ran.prints(if is_relative {
            "by a relative URL"
        } else {
            "names no sitemap"
        });
        assert_eq!(ran.status, 0, "{line}");
    }
    for robots in [
        "",
        "User-agent: *\nDisallow: /sitemap.xml\n",
        "Sitemap: https://e.com/sitemap.xml\n",
        "\u{feff}SITEMAP:https://e.com/sitemap.xml # all\n",
        "Sitemap https://e.com/sitemap.xml\n",
        "# Sitemap: /sitemap.xml\n",
    ] {
        let (found, said) = of_folder(robots, ".");
        assert_eq!(found, [""; 0], "{robots}: {said}");
    }
    // The robots.txt of another folder, and of a file that is named.
    let relative = "Sitemap: /sitemap.xml\n";
    let files = [
        ("docs/robots.txt", relative.into()),
        ("sitemap.xml", urlset(&["https://e.com/a"]).into()),
    ];
    assert_eq!(check(&files, ".").0, [""; 0]);
    assert_eq!(of_folder(relative, "sitemap.xml").0, [""; 0]);
}

#[test]
fn other_encodings() {
    let text = |label: &str, page: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{label}\"?>\n<urlset {NS}><!-- {page} --><url><loc>https://e.com/a</loc></url></urlset>"
        )
    };
    let latin = |text: &str| {
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect::<Vec<u8>>()
    };
    let little = |text: &str| {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    let urlset_text = urlset(&["https://e.com/a"]);
    for bytes in [
        latin(&text("ISO-8859-1", "\u{e9}")),
        latin(&text("windows-1252", "\u{e9}")),
        latin(&text("iso-8859-15", "\u{e9}").replace('"', "'")),
        gzipped(&latin(&text("ISO-8859-1", "\u{e9}"))),
        utf_16(&text("UTF-16", "")),
        little(&text("utf-16", "")),
        utf_16("https://e.com/a\n"),
        // Without a declaration, or without a mark.
        utf_16(&urlset_text),
        gzipped(&utf_16(&urlset_text)),
        gzipped(&little(&urlset_text)),
        gzipped(&gzipped(&utf_16(&urlset_text))),
        gzipped(&utf_16(&urlset_text)[2..]),
        gzipped(&little(&urlset_text)[2..]),
        gzipped(&utf_16("https://e.com/a\n")),
        little("https://e.com/a\n")[2..].to_vec(),
    ] {
        let document = String::from_utf8_lossy(&bytes).into_owned();
        let (found, _) = check(&[("sitemap.xml", bytes)], "sitemap.xml");
        assert_eq!(found, ["sitemap.xml not-utf-8"], "{document:?}");
    }
    let feed = "<?xml version='1.0' encoding='ISO-8859-1'?><rss version='2.0'><channel><item><title>\u{e9}</title><link>https://e.com/a</link></item></channel></rss>";
    for bytes in [
        latin(&text("ISO-8859-1", "e")),
        text("UTF-8", "\u{e9}").into_bytes(),
        text("utf8", "\u{e9}").into_bytes(),
        text("US-ASCII", "e").into_bytes(),
        format!("\u{feff}{}", text("UTF-8", "\u{e9}")).into_bytes(),
        gzipped(urlset_text.as_bytes()),
        gzipped(format!("\u{feff}{urlset_text}<!-- \u{e9} -->").as_bytes()),
        "https://e.com/a\n".into(),
        latin(feed),
    ] {
        let document = String::from_utf8_lossy(&bytes).into_owned();
        let (found, _) = check(&[("sitemap.xml", bytes)], "sitemap.xml");
        assert_eq!(found, [""; 0], "{document:?}");
    }
}

/// The languages of a site in a file each.
#[test]
fn alternates_of_a_part_and_of_the_whole() {
    let link = |language: &str| {
        format!("<x:link rel='alternate' hreflang='{language}' href='https://e.com/{language}/a'/>")
    };
    let links = link("en") + &link("de");
    let page = |own: &str| {
        let page = format!("<url><loc>https://e.com/{own}/a</loc>{links}</url>");
        format!("<urlset {NS} xmlns:x='http://www.w3.org/1999/xhtml'>{page}</urlset>").into_bytes()
    };
    let parts = index(&["https://e.com/en.xml", "https://e.com/de.xml"]).into_bytes();
    let whole = [
        ("en.xml", page("en")),
        ("de.xml", page("de")),
        ("i.xml", parts),
    ];
    let unlisted = [("en.xml", page("en"))];
    let advice =
        |files: &[(&str, Vec<u8>)], input: &str| check(files, &format!("--advice {input}")).0;
    assert_eq!(advice(&whole, "."), [""; 0]);
    assert_eq!(advice(&unlisted, "."), ["en.xml hreflang-unlisted"]);
    // A single sitemap, and an index whose parts are not read.
    assert_eq!(advice(&whole, "en.xml"), [""; 0]);
    assert_eq!(advice(&whole, "i.xml"), [""; 0]);
}

/// The most frequent mistake of generators.
#[test]
fn what_is_written_is_judged_on_the_spot() {
    let folder = Folder::new();
    let list =
        "http://localhost:3000/a\nhttps://e.com/?a=1&amp;b=2\nhttps://e.com/https://e.com/b\n";
    folder.put("list.txt", list);
    let table = "loc,lastmod\nhttps://e.com/a,2999-01-01\nhttps://e.com/b,1970-01-01\nhttps://e.com/c,2024-01-01\n";
    folder.put("list.csv", table);
    let run = |arguments: &str| folder.must(arguments, 0).said;
    for command in [
        "write list.txt -o out.xml",
        "edit out.xml -o again.xml",
        "write list.txt -o -",
    ] {
        let said = run(command);
        for rule in ["(unreachable-host)", "(escaped-twice)", "(url-in-url)"] {
            assert_eq!(said.matches(rule).count(), 1, "{command}: {said}");
        }
    }
    for command in ["write list.csv -o dated.xml", "edit dated.xml -o again.xml"] {
        let said = run(command);
        for text in ["(implausible-lastmod)", "warning: "] {
            assert_eq!(said.matches(text).count(), 2, "{command}: {said}");
        }
    }
    folder.put("local.txt", "http://localhost:3000/a\n");
    let said = run("write local.txt -o local.xml --base http://localhost:3000/");
    assert_eq!(said.matches("warning").count(), 1, "{said}");
    let is_named = said.contains("no search engine reaches `localhost`");
    assert!(is_named, "{said}");
    let many: String = (0..9)
        .map(|page| format!("http://10.0.0.1/{page}\n"))
        .collect();
    folder.put("many.txt", many);
    let said = run("write many.txt -o many.xml");
    assert_eq!(said.matches("(unreachable-host)").count(), 5, "{said}");
    assert!(said.contains("4 more"), "{said}");
}

#[test]
fn pages_of_a_folder_of_html() {
    let folder = Folder::new();
    let page = |head: &str| {
        format!(
            "<!doctype html><head>{head}</head><body><img src='#a'><img src='?'><img src=''><img src='/x.png'></body>"
        )
    };
    let own = "<meta property=article:modified_time content=0001-01-01><meta name=date content=1970-01-01>";
    let canonical = |href: &str| format!("<link rel=canonical href=\"{href}\">");
    let refresh = |to: &str| format!("<meta http-equiv=refresh content='5; url={to}'>");
    for (name, head) in [
        ("\u{645}", canonical("https://e.com/%d9%85")),
        ("~u/index", canonical("https://e.com/%7Eu/")),
        ("it's", canonical("https://e.com/it%27s.html")),
        ("a(1)", canonical("/a%281%29")),
        ("again", refresh("https://e.com/again.html")),
        ("away", refresh("/elsewhere")),
        ("old", own.to_owned()),
    ] {
        folder.put(&format!("site/{name}.html"), page(&head));
    }
    let wide: Vec<u8> = utf_16(&page("<title>x</title>"));
    folder.put("site/wide.html", wide);
    let ran = folder.run("write site -o - --base https://e.com/ --images");
    let written = ran.out;
    for (text, count) in [
        ("<url>", 7),
        ("away.html", 0),
        ("<lastmod>", 0),
        ("<image:loc>", 7),
        ("<image:loc>https://e.com/x.png<", 7),
    ] {
        assert_eq!(written.matches(text).count(), count, "{text}: {written}");
    }
}

#[test]
fn alternates_of_a_folder_that_has_no_such_page() {
    let folder = Folder::new();
    let put = |name: &str, links: &[&str]| {
        let links = links.iter().zip(["de", "fr", "it", "es", "pt"]);
        let links: String = links
            .map(|(href, language)| {
                format!("<link rel=alternate hreflang={language} href='{href}'>")
            })
            .collect();
        folder.put(name, format!("<!doctype html><head>{links}</head>"));
    };
    let hrefs = [
        "/blog/gone.html",
        "/blog/fr",
        "/it.html",
        "https://e.es/",
        "/blog/%70t.html",
    ];
    put("en.html", &hrefs);
    put("fr.html", &[]);
    put("pt.html", &[]);
    let ran = folder.run("write . -o - --base https://e.com/blog --alternates");
    let said = ran.said;
    let missing = " is a page that does not exist or is left out";
    let alternate = "en.html: the alternate https://e.com/blog/gone.html";
    assert!(said.contains(&format!("{alternate}{missing}")), "{said}");
    assert_eq!(said.matches(missing).count(), 1, "{said}");
}

#[test]
fn codes_of_news_and_videos_that_do_not_exist() {
    let page = |extensions: &str| {
        let namespaces = "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
                          xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'";
        let page = format!("<url><loc>https://e.com/a</loc>{extensions}</url>");
        format!("<urlset {NS} {namespaces}>{page}</urlset>")
    };
    let news = |language: &str| {
        page(&format!(
            "<news:news><news:publication><news:name>N</news:name><news:language>{language}</news:language>\
             </news:publication><news:publication_date>2026-01-01</news:publication_date>\
             <news:title>T</news:title></news:news>"
        ))
    };
    let video = |countries: &str| {
        page(&format!(
            "<video:video><video:thumbnail_loc>https://e.com/t.png</video:thumbnail_loc><video:title>T</video:title>\
             <video:description>D</video:description><video:content_loc>https://e.com/v.mp4</video:content_loc>\
             <video:restriction relationship='allow'>{countries}</video:restriction></video:video>"
        ))
    };
    for (content, number) in [
        (news("jp"), 1),
        (news("xx"), 1),
        (news("ja"), 0),
        (news("fil"), 0),
        (news("zh-cn"), 0),
        (video("UK XX"), 2),
        (video("GB IE"), 0),
    ] {
        let (found, _) = check(&[("s.xml", content.clone().into())], "s.xml");
        assert_eq!(found, vec!["s.xml unknown-code"; number], "{content}");
    }
}

/// Google calls an empty news sitemap harmless.
#[test]
fn an_empty_sitemap_of_news() {
    let news = "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'";
    let image = "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'";
    for (namespaces, expected) in [
        (news, &[][..]),
        (image, &["s.xml empty-sitemap"]),
        ("", &["s.xml empty-sitemap"]),
    ] {
        let content = format!("<urlset {NS} {namespaces}></urlset>");
        let (found, _) = check(&[("s.xml", content.into())], "--advice s.xml");
        assert_eq!(found, expected, "{namespaces}");
    }
}
