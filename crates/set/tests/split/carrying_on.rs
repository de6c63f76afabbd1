//! Adding to a set that is there already.

use std::fs;
use std::io;
use std::path::Path;

use quick_sitemap::{Directory, Limits, Rule, SplitWriter, WriterBuilder};
use url::Url;

use super::folder::{
    Folder, base, gzip, index, kind, locs, page, read, read_set, threes, write, write_single,
};
use super::memory::rule;

#[test]
fn carrying_on_is_like_one_run() {
    for gzip in [false, true] {
        for single in [false, true] {
            let first = if single { write_single } else { write };
            let expected = Folder::new();
            first(expected.create().gzip(gzip), 0..11).unwrap();
            for cuts in [
                [0, 1, 2],
                [1, 2, 3],
                [3, 4, 4],
                [2, 6, 9],
                [3, 6, 9],
                [11, 11, 11],
            ] {
                let folder = Folder::new();
                first(folder.create().gzip(gzip), 0..cuts[0]).unwrap();
                // Settings of the first run need not be repeated.
                write(folder.open().gzip(gzip), cuts[0]..cuts[1]).unwrap();
                write(folder.open().gzip(gzip), cuts[1]..cuts[2]).unwrap();
                write(folder.open().gzip(gzip), cuts[2]..11).unwrap();
                assert!(
                    folder.files() == expected.files(),
                    "{cuts:?} {gzip} {single}"
                );
            }
        }
    }
}

#[test]
fn carrying_on_rewrites_the_last_part_only() {
    let folder = Folder::new();
    write(folder.create().gzip(true), 0..8).unwrap();
    // Not read either: this one is not a sitemap.
    folder.write("sitemap-1.xml.gz", "untouched");
    let before = folder.files();
    write(folder.open(), 8..10).unwrap();
    let after = folder.files();
    assert_eq!(after.len(), 5);
    for file in ["sitemap-1.xml.gz", "sitemap-2.xml.gz"] {
        assert_eq!(after[file], before[file]);
    }
    assert_eq!(read(&folder.path("sitemap-3.xml.gz")).len(), 3);
    assert_eq!(read(&folder.path("sitemap-4.xml.gz")).len(), 1);
    // The other encoding from now on.
    write(folder.open().gzip(false), 10..11).unwrap();
    assert_eq!(
        folder.names(),
        [
            "sitemap-1.xml.gz",
            "sitemap-2.xml.gz",
            "sitemap-3.xml.gz",
            "sitemap-4.xml",
            "sitemap.xml"
        ]
    );
}

#[test]
fn an_index_of_other_makings_is_carried_on_with_care() {
    let folder = Folder::new();
    let foreign = [
        "https://example.com/posts.xml",
        "https://example.com/sitemap-2.xml",
        "https://example.com/x/sitemap-1.xml",
        "https://example.com/..%2Fsitemap-1.xml",
        "https://example.com/%2e%2e/%2e%2e/sitemap-1.xml",
        "https://other.example/sitemap-5.xml",
        "https://example.com/sitemap-9.xml?x",
        "https://example.com/sitemap-007.xml",
        "https://example.com/sitemap-7.txt",
        "https://example.com/sitemap-99999999999999999999.xml",
    ];
    let list: String = foreign
        .iter()
        .map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>"))
        .collect();
    folder.write("sitemap.xml", index(&list));
    write(folder.open(), 0..4).unwrap();
    let after = locs(&folder);
    let named: Vec<Url> = foreign.map(|loc| loc.parse().unwrap()).to_vec();
    assert_eq!(
        after[..10],
        named.iter().map(Url::to_string).collect::<Vec<_>>()
    );
    assert_eq!(
        after[10..],
        [
            "https://example.com/sitemap-11.xml",
            "https://example.com/sitemap-12.xml"
        ]
    );
    assert_eq!(
        folder.names(),
        ["sitemap-11.xml", "sitemap-12.xml", "sitemap.xml"]
    );

    // In no order: what stays keeps its name.
    let folder = Folder::new();
    write(folder.create(), 0..9).unwrap();
    folder.write("sitemap.xml", index("<sitemap><loc>https://example.com/sitemap-3.xml</loc></sitemap><sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>"));
    let kept = folder.files()["sitemap-3.xml"].clone();
    write(folder.open(), 9..10).unwrap();
    assert_eq!(
        locs(&folder),
        [
            "https://example.com/sitemap-3.xml",
            "https://example.com/sitemap-4.xml",
            "https://example.com/sitemap-5.xml"
        ]
    );
    assert_eq!(folder.files()["sitemap-3.xml"], kept);
    assert_eq!(
        folder.names(),
        // The second is in no index and in no journal.
        [
            "sitemap-2.xml",
            "sitemap-3.xml",
            "sitemap-4.xml",
            "sitemap-5.xml",
            "sitemap.xml"
        ]
    );
}

#[test]
fn a_set_that_had_another_url_keeps_its_parts() {
    let folder = Folder::new();
    write(folder.create(), 0..5).unwrap();
    let before = folder.files();
    let elsewhere = "http://www.example.com/maps/".parse().unwrap();
    let settings = threes().allow_host("example.com");
    let mut writer = SplitWriter::with(settings, Directory::open(&folder.0, &elsewhere).unwrap());
    writer.write(&page(5)).unwrap();
    writer.finish().unwrap();
    assert_eq!(
        locs(&folder),
        [
            "https://example.com/sitemap-1.xml",
            "https://example.com/sitemap-2.xml",
            "http://www.example.com/maps/sitemap-3.xml"
        ]
    );
    for file in ["sitemap-1.xml", "sitemap-2.xml"] {
        assert_eq!(folder.files()[file], before[file]);
    }
    assert_eq!(folder.names().len(), 4);
}

/// Content of an index or a part other than its entries is kept, or the set cannot be continued.
#[test]
fn nothing_that_was_read_is_lost() {
    const NAMESPACE: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";
    let loc = "<loc>https://example.com/sitemap-1.xml</loc>";
    let entry = format!("<sitemap>{loc}</sitemap>");
    let page = "<url><loc>https://example.com/0</loc></url>";
    let mut lossy = Vec::new();
    for (root, entry) in [("sitemapindex", &*entry), ("urlset", page)] {
        let (begin, end) = (format!("<{root} {NAMESPACE}>"), format!("</{root}>"));
        for document in [
            format!("{begin}<!-- generated by hand -->{entry}{end}"),
            format!("<!---->{begin}{entry}{end}"),
            format!(" \n<!-- -->{begin}{entry}{end}"),
            format!("\t\r{begin}{entry}<!-- -->{end}"),
            format!("{begin}{entry}{end}<!-- end -->"),
            format!("{begin}{entry}<x:note xmlns:x='urn:1'>text</x:note>{end}"),
            format!("{begin}{entry}<note>text</note>{end}"),
            format!("{begin}text{entry}{end}"),
            format!("{begin}{entry}{end}<x/>"),
            format!("<?php x?>{begin}{entry}{end}"),
            format!("{begin}{entry}<?php x?>{end}"),
            begin.clone() + &entry.replacen("</loc>", "</loc><?x?>", 1) + &end,
            begin.clone() + &entry.replacen("</loc>", "</loc><!-- -->", 1) + &end,
            format!("{begin}{entry}<x:note xmlns:x='urn:1' a='1'/>{end}"),
            format!("{begin}{entry}<note/>{end}"),
            format!("<{root} {NAMESPACE} xml:lang='de'>{entry}{end}"),
            format!(
                "<?xml-stylesheet type='text/xsl' href='/a'?><?xml-stylesheet type='text/xsl' href='/b'?>{begin}{entry}{end}"
            ),
            format!("<?xml-stylesheet type='text/xsl'?>{begin}{entry}{end}"),
            format!("<?xml-stylesheets type='text/xsl' href='/a'?>{begin}{entry}{end}"),
            format!("<?xml-stylesheet type='text/css' href='/a'?>{begin}{entry}{end}"),
            format!("<?xml-stylesheet type='text/xsl' href='/a.css'?>{begin}{entry}{end}"),
            format!("<!DOCTYPE {root}>{begin}{entry}{end}"),
            format!("<{root} {NAMESPACE} lang='de'>{entry}{end}"),
            begin.clone() + &entry.replacen('>', " id='1'>", 1) + &end,
            begin.clone() + &entry.replacen("</loc>", "<!-- --></loc>", 1) + &end,
            begin.clone() + &entry.replacen("<loc>", "<loc kind='x'>", 1) + &end,
            begin.clone() + &entry.replacen("</loc>", "</loc><title>x</title>", 1) + &end,
        ] {
            lossy.push((root, document));
        }
    }
    let (begin, end) = (format!("<sitemapindex {NAMESPACE}>"), "</sitemapindex>");
    for more in ["<changefreq>daily</changefreq>", "<priority>1.0</priority>"] {
        lossy.push((
            "sitemapindex",
            format!("{begin}<sitemap>{loc}{more}</sitemap>{end}"),
        ));
    }
    lossy.push(("urlset", "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://example.com/0'/></entry></feed>".to_owned()));
    for (root, document) in lossy {
        for packed in [false, true] {
            let folder = Folder::new();
            write(folder.create().gzip(packed), 0..1).unwrap();
            let (file, bytes) = match root {
                "urlset" if packed => ("sitemap-1.xml.gz", gzip(document.as_bytes())),
                "urlset" => ("sitemap-1.xml", document.clone().into_bytes()),
                _ => ("sitemap.xml", document.clone().into_bytes()),
            };
            folder.write(file, bytes);
            let before = folder.files();
            let result = Directory::open(&folder.0, &base()).and_then(|open| write(open, 1..2));
            let error = result.expect_err(&document);
            assert_eq!(
                kind(&error),
                io::ErrorKind::InvalidData,
                "{document}: {error}"
            );
            assert_eq!(folder.files(), before);
        }
    }
    // Content that is ignored, and content that is kept.
    for document in [
        // White space before the first tag.
        format!(" \t\r\n<urlset {NAMESPACE}>{page}</urlset>"),
        format!("\u{FEFF}\n\n<urlset {NAMESPACE}>{page}</urlset>\n"),
        format!(
            "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\r\n<urlset {NAMESPACE} xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b'>{page}</urlset>\n"
        ),
        "\u{FEFF}<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:url><s:loc><![CDATA[https://example.com/<!-- 0 -->]]></s:loc><x:a xmlns:x='urn:1' b='>'>c</x:a></s:url></s:urlset>".to_owned(),
    ] {
        let folder = Folder::new();
        write(folder.create(), 0..1).unwrap();
        folder.write("sitemap-1.xml", &document);
        write(folder.open(), 1..2).unwrap();
        assert_eq!(read_set(&folder).len(), 2);
        assert_eq!(
            read_set(&folder)[0].foreign.len(),
            document.matches("x:a ").count()
        );
    }
    // Other encodings and layers of gzip lose nothing.
    let document = format!("<urlset {NAMESPACE}>{page}</urlset>");
    let utf_16: Vec<u8> = std::iter::once(0xFEFF)
        .chain(document.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    for bytes in [utf_16, gzip(&gzip(document.as_bytes()))] {
        let folder = Folder::new();
        write(folder.create(), 0..1).unwrap();
        folder.write("sitemap-1.xml", bytes);
        write(folder.open(), 1..2).unwrap();
        assert_eq!(read_set(&folder).len(), 2);
    }
    // A comment in a text sitemap.
    let folder = Folder::new();
    let mut text = SplitWriter::text(folder.create());
    text.write(&super::folder::page(0)).unwrap();
    text.finish().unwrap();
    for (lines, lost) in [
        ("https://example.com/\n# old\n", true),
        ("https://example.com/\n  # old", true),
        ("# old\nhttps://example.com/\n", true),
        ("https://example.com/#a\n", false),
    ] {
        folder.write("sitemap-1.txt", lines);
        let mut text = SplitWriter::text(folder.open());
        assert_eq!(text.write(&super::folder::page(0)).is_err(), lost);
    }
}

#[test]
fn an_index_of_as_many_parts_as_there_may_be() {
    let list = |parts: usize| {
        let part = |number| {
            format!("<sitemap><loc>https://example.com/sitemap-{number}.xml</loc></sitemap>")
        };
        index(&(1..=parts).map(part).collect::<String>())
    };
    let folder = Folder::new();
    write(folder.create(), 0..2).unwrap();
    fs::rename(
        folder.path("sitemap-1.xml"),
        folder.path("sitemap-50000.xml"),
    )
    .unwrap();
    folder.write("sitemap.xml", list(50_000));
    let open = || folder.open();
    // The last part has room for one more entry, and the index for no more parts.
    write(open(), 2..3).unwrap();
    assert_eq!(locs(&folder).len(), 50_000);
    assert_eq!(read(&folder.path("sitemap-50000.xml")).len(), 3);
    let before = folder.files();
    let error = write(open(), 3..4).unwrap_err();
    assert_eq!(rule(&error), Rule::TooManyEntries);
    assert_eq!(folder.files(), before);
    folder.write("sitemap.xml", list(50_001));
    let error = Directory::open(&folder.0, &base()).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidData);
    assert!(format!("{error:#}").contains("50,000 parts"), "{error:#}");
}

#[test]
fn style_sheets_are_carried_through() {
    let folder = Folder::new();
    let mut writer = SplitWriter::with(threes().stylesheet("/p.xsl?a&b"), folder.create());
    writer.write(&page(0)).unwrap();
    writer.finish().unwrap();
    // Each file keeps its own style sheet.
    let index = fs::read_to_string(folder.path("sitemap.xml")).unwrap();
    assert!(index.contains("href=\"/p.xsl?a&amp;b\""));
    folder.write("sitemap.xml", index.replace("/p.xsl?a&amp;b", "/i.xsl"));
    write(folder.open(), 1..5).unwrap();
    let text = |file| fs::read_to_string(folder.path(file)).unwrap();
    assert!(text("sitemap.xml").contains("href=\"/i.xsl\""));
    for part in ["sitemap-1.xml", "sitemap-2.xml"] {
        assert!(text(part).contains("href=\"/p.xsl?a&amp;b\""), "{part}");
    }
}

/// A part is read in pieces, and what is lost may be anywhere in it.
#[test]
fn a_loss_is_found_wherever_it_is() {
    const NAMESPACE: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";
    let pages: Vec<String> = (0..3_000)
        .map(|number| format!("<url><loc>https://example.com/{number}</loc></url>\n"))
        .collect();
    for padding in [0, 1, 7, 32_000, 32_740, 65_500] {
        // Both kinds of style sheets are kept.
        let kind = if padding % 2 == 0 { "xsl" } else { "css" };
        let sheet = format!("<?xml-stylesheet type='text/{kind}' href='/a&amp;b.{kind}'?>");
        let space = " ".repeat(padding);
        for (at, remark) in [(0, "<!-- -->"), (1_500, "<?php x?>"), (3_000, "<!-- -->")] {
            let (before, behind) = pages.split_at(at);
            let document = |remark: &str| {
                let (before, behind) = (before.concat(), behind.concat());
                format!("{space}{sheet}<urlset {NAMESPACE}>{before}{remark}{behind}</urlset>")
            };
            let folder = Folder::new();
            let mut limits = Limits::default();
            limits.entries = 50_000;
            write(folder.create(), 0..1).unwrap();
            for (remark, is_lost) in [(remark, true), ("", false)] {
                folder.write("sitemap-1.xml", document(remark));
                let settings = WriterBuilder::new().limits(limits);
                let mut writer = SplitWriter::with(settings, folder.open());
                let written = writer.write(&page(1)).and_then(|()| writer.finish());
                assert_eq!(written.is_err(), is_lost, "{padding} {at} {remark}");
            }
            let text = fs::read_to_string(folder.path("sitemap-1.xml")).unwrap();
            let written =
                format!("<?xml-stylesheet type=\"text/{kind}\" href=\"/a&amp;b.{kind}\"?>");
            assert!(text.contains(&written));
        }
    }
}

#[test]
fn what_cannot_be_carried_on() {
    let folder = Folder::new();
    let open = |path: &Path| kind(&Directory::open(path, &base()).unwrap_err());
    assert_eq!(open(&folder.0), io::ErrorKind::NotFound);
    assert_eq!(open(&folder.path("missing.xml")), io::ErrorKind::NotFound);
    folder.write("sitemap.txt", "");
    assert_eq!(
        open(&folder.path("sitemap.txt")),
        io::ErrorKind::InvalidInput
    );
    for broken in [
        "https://example.com/\n".to_owned(),
        index("<sitemap></sitemap>"),
        index("<url><loc>https://example.com/</loc></url>"),
    ] {
        folder.write("sitemap.xml", &broken);
        assert_eq!(open(&folder.0), io::ErrorKind::InvalidData, "{broken}");
    }
    folder.write("sitemap.xml", "<html>");
    assert!(Directory::open(&folder.0, &base()).is_err());
    for file in ["sitemap.txt", "sitemap.xml"] {
        fs::remove_file(folder.path(file)).unwrap();
    }

    write(folder.create().gzip(true), 0..5).unwrap();
    let error = write(folder.open().name("other"), 5..6).unwrap_err();
    assert_eq!(kind(&error), io::ErrorKind::InvalidInput);
    let whole = folder.files();
    let part = gzip(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>");
    for cut in [
        &part[..part.len() - 1],
        &whole["sitemap-2.xml.gz"][..100],
        b"",
    ] {
        folder.write("sitemap-2.xml.gz", cut);
        let before = folder.files();
        write(folder.open(), 5..6).unwrap_err();
        assert_eq!(folder.files(), before);
    }
    fs::remove_file(folder.path("sitemap-2.xml.gz")).unwrap();
    assert_eq!(
        kind(&write(folder.open(), 5..6).unwrap_err()),
        io::ErrorKind::NotFound
    );

    write_single(folder.create(), 0..2).unwrap();
    let before = folder.files();
    let text = SplitWriter::text(folder.open()).finish();
    assert_eq!(kind(&text.unwrap_err()), io::ErrorKind::InvalidData);
    assert_eq!(folder.files(), before);
    // Parts of the other format stay as they are.
    write(folder.create(), 0..2).unwrap();
    let mut text = SplitWriter::text(folder.open());
    text.write(&page(3)).unwrap();
    text.finish().unwrap();
    assert_eq!(
        folder.names(),
        ["sitemap-1.xml", "sitemap-2.txt", "sitemap.xml"]
    );
}
