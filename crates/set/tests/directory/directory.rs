//! A directory: names, the order of events, what is removed and what is not.

use std::fs;
use std::io;

use quick_sitemap::{Format, Reader, SplitWriter, UrlEntry, WriterBuilder};
use quick_sitemap_set::Directory;

use super::folder::{Folder, base, index, kind, page, read, read_set, threes, write, write_single};
use super::schema::validate;

#[test]
fn parts_and_their_index() {
    let folder = Folder::new();
    let mut writer = threes().split(folder.create());
    assert!(folder.names().is_empty());
    for number in 0..7 {
        writer.write(&page(number)).unwrap();
        let hidden = |name: &String| name.starts_with(".sitemap.set/new/");
        assert!(folder.names().iter().all(hidden));
    }
    assert_eq!(
        writer.finish().unwrap().to_string(),
        "https://example.com/sitemap.xml"
    );
    assert_eq!(
        folder.names(),
        [
            "sitemap-1.xml",
            "sitemap-2.xml",
            "sitemap-3.xml",
            "sitemap.xml"
        ]
    );
    assert_eq!(read_set(&folder), (0..7).map(page).collect::<Vec<_>>());
    let dates = read(&folder.path("sitemap.xml"))
        .into_iter()
        .map(|part| part.lastmod().unwrap().to_string());
    assert_eq!(
        dates.collect::<Vec<_>>(),
        ["2024-01-03", "2024-01-06", "2024-01-07"]
    );
    for (name, bytes) in folder.files() {
        validate(
            &bytes,
            if name == "sitemap.xml" {
                "siteindex.xsd"
            } else {
                "urlset.xsd"
            },
        );
    }
}

#[test]
fn the_same_entries_give_the_same_bytes() {
    let [first, second] = [Folder::new(), Folder::new()];
    for folder in [&first, &second] {
        let settings = threes().stylesheet("/s.xsl");
        let mut writer = settings.split(folder.create().gzip(true));
        (0..8).for_each(|number| writer.write(&page(number)).unwrap());
        writer.finish().unwrap();
    }
    assert_eq!(first.files(), second.files());
    // RFC 1952: no flags, no time, an unknown system.
    let part = &first.files()["sitemap-1.xml.gz"];
    assert_eq!(part[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    assert_eq!(read_set(&first), (0..8).map(page).collect::<Vec<_>>());
}

#[test]
fn style_sheets_names_and_bases() {
    let folder = Folder::new();
    for base in ["https://example.com/maps", "https://example.com/maps/?q#f"] {
        let directory = Directory::create(folder.path("a/b"), &base.parse().unwrap()).unwrap();
        let settings = threes().indent(2).any_directory().stylesheet("/s.xsl");
        let directory = directory.name("posts");
        let mut writer = settings.split(directory);
        writer.write(&page(1)).unwrap();
        assert_eq!(
            writer.finish().unwrap().to_string(),
            "https://example.com/maps/posts.xml"
        );
        for file in ["posts.xml", "posts-1.xml"] {
            let xml = fs::read_to_string(folder.path("a/b").join(file)).unwrap();
            assert!(
                xml.contains("<?xml-stylesheet type=\"text/xsl\" href=\"/s.xsl\"?>"),
                "{xml}"
            );
            assert!(xml.contains("\n    <loc>"), "{xml}");
        }
        let index = read(&folder.path("a/b/posts.xml"));
        assert_eq!(
            index[0].loc().as_str(),
            "https://example.com/maps/posts-1.xml"
        );
    }
    write(folder.create(), 0..1).unwrap();

    let long = "a".repeat(101);
    for name in [
        "", "a/b", "..", ".a", "a\\b", "a b", "ä", "a%2fb", "a:b", "a?", &long,
    ] {
        let error = write(folder.create().name(name), 0..1).unwrap_err();
        assert_eq!(kind(&error), io::ErrorKind::InvalidInput, "{name}");
    }
    for base in [
        "ftp://example.com/",
        "data:x",
        &format!("https://example.com/{}", "a".repeat(2_047)),
    ] {
        assert!(
            Directory::create(&folder.0, &base.parse().unwrap()).is_err(),
            "{base}"
        );
    }
    let base = format!("https://example.com/{}", "a".repeat(2_020));
    assert!(Directory::create(&folder.0, &base.parse().unwrap()).is_err());
    assert_eq!(folder.names(), ["a", "sitemap-1.xml", "sitemap.xml"]);
}

#[test]
fn text_parts() {
    let folder = Folder::new();
    let mut writer = threes().split_text(folder.create().gzip(true)).single(true);
    (0..4).for_each(|number| writer.write(&page(number)).unwrap());
    writer.finish().unwrap();
    assert_eq!(
        folder.names(),
        ["sitemap-1.txt.gz", "sitemap-2.txt.gz", "sitemap.xml"]
    );
    assert_eq!(
        read(&folder.path("sitemap.xml"))[0]
            .lastmod()
            .unwrap()
            .to_string(),
        "2024-01-03"
    );
    let pages = read_set(&folder);
    assert_eq!(pages[3], UrlEntry::new(page(3).loc));
    let mut writer = threes().split_text(folder.create());
    (0..5).for_each(|number| writer.write(&page(number)).unwrap());
    writer.finish().unwrap();
    assert_eq!(
        folder.names(),
        ["sitemap-1.txt", "sitemap-2.txt", "sitemap.xml"]
    );
    assert_eq!(read_set(&folder).len(), 5);
}

#[test]
fn a_single_part_may_stand_for_the_set() {
    let folder = Folder::new();
    write(folder.create(), 0..7).unwrap();
    write_single(folder.create(), 0..2).unwrap();
    assert_eq!(folder.names(), ["sitemap.xml"]);
    let mut reader = Reader::from_path(folder.path("sitemap.xml")).unwrap();
    assert_eq!(reader.format(), Some(Format::Urlset));
    assert!(folder.files()["sitemap.xml"].starts_with(b"<?xml"));
    // It becomes an index when one file no longer suffices.
    write_single(folder.create(), 0..3).unwrap();
    assert_eq!(folder.names(), ["sitemap.xml"]);
    write_single(folder.create(), 0..4).unwrap();
    assert_eq!(folder.names().len(), 3);
    assert_eq!(read_set(&folder), (0..4).map(page).collect::<Vec<_>>());
    let text = WriterBuilder::new()
        .split_text(folder.create())
        .single(true)
        .finish()
        .unwrap();
    assert_eq!(
        (text.index().clone(), folder.names()),
        (
            base().join("sitemap.xml").unwrap(),
            vec!["sitemap.xml".to_owned()]
        )
    );
    assert!(read(&folder.path("sitemap.xml")).is_empty());
}

#[test]
fn what_an_earlier_run_left_is_removed_and_nothing_else() {
    let folder = Folder::new();
    let others = [
        "sitemap-2024.xml",
        "sitemap-01.xml",
        "sitemap-1.html",
        "sitemap-x.xml",
        "posts-1.xml",
        ".sitemap-1.xml.tmp",
        ".posts-1.xml.0123456789abcdef.tmp",
        "robots.txt",
    ];
    others.iter().for_each(|file| folder.write(file, "mine"));
    fs::create_dir(folder.path("sitemap-9.xml")).unwrap();
    fs::create_dir_all(folder.path(".sitemap.set/new")).unwrap();
    for file in [
        "sitemap-1.xml",
        "sitemap-99.txt.gz",
        "sitemap.xml",
        "journal",
    ] {
        folder.write(&format!(".sitemap.set/new/{file}"), "half");
    }
    let visible = |folder: &Folder| {
        let mut names = folder.names();
        names.retain(|name| !others.contains(&&**name) && name != "sitemap-9.xml");
        names
    };
    write(folder.create().gzip(true), 0..15).unwrap();
    assert_eq!(visible(&folder).len(), 6);
    write(folder.create(), 0..4).unwrap();
    assert_eq!(
        visible(&folder),
        ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    );
    // Nothing shows that these belong to this set: neither its index nor an interrupted run.
    folder.write("sitemap-3.xml.gz", "");
    folder.write("sitemap-4.txt", "");
    // One that the index names, though there is a gap.
    folder.write("sitemap-7.xml", "");
    folder.write(
        "sitemap.xml",
        index("<sitemap><loc>https://example.com/sitemap-7.xml</loc></sitemap>"),
    );
    write(folder.create(), 0..1).unwrap();
    let strangers = ["sitemap-2.xml", "sitemap-3.xml.gz", "sitemap-4.txt"];
    let mut expected = vec!["sitemap-1.xml", "sitemap.xml"];
    expected.splice(1..1, strangers);
    assert_eq!(visible(&folder), expected);
    strangers
        .iter()
        .for_each(|file| fs::remove_file(folder.path(file)).unwrap());
    write(folder.create(), 0..0).unwrap();
    assert_eq!(visible(&folder), ["sitemap.xml"]);
    assert!(others.iter().all(|file| folder.files()[*file] == b"mine"));
}

#[test]
fn without_finish_nothing_has_changed() {
    let folder = Folder::new();
    write(folder.create(), 0..7).unwrap();
    let before = folder.files();
    for directory in [folder.create(), folder.create().gzip(true)] {
        let mut writer = threes().split(directory);
        (0..10).for_each(|number| writer.write(&page(number)).unwrap());
        assert!(folder.files().len() > before.len());
        drop(writer);
        assert_eq!(folder.files(), before);
    }
    drop(SplitWriter::new(folder.create()));
    assert_eq!(folder.files(), before);
}

#[test]
fn what_is_in_the_way_is_an_error_and_the_old_index_stands() {
    for obstacle in ["sitemap-2.xml", "sitemap.xml"] {
        let folder = Folder::new();
        if obstacle != "sitemap.xml" {
            write(folder.create(), 0..1).unwrap();
        }
        fs::create_dir_all(folder.path(obstacle).join("x")).unwrap();
        let mut before = folder.names();
        write(folder.create(), 0..5).unwrap_err();
        let mut after = folder.names();
        for names in [&mut before, &mut after] {
            names.retain(|name| !name.starts_with("sitemap-"));
        }
        assert_eq!(after, before);
    }
    let folder = Folder::new();
    let mut writer = threes().split(folder.create());
    writer.write(&page(1)).unwrap();
    fs::remove_dir_all(&folder.0).unwrap();
    writer.finish().unwrap_err();
    let folder = Folder::new();
    folder.write("file", "");
    let file = Directory::create(folder.path("file"), &base()).unwrap();
    assert!(write(file, 0..1).is_err());
    assert_eq!(folder.files()["file"], b"");
}
