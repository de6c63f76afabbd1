//! A directory: names, the order of events, what is removed and what is not.

use std::fs;

use quick_sitemap::{SplitWriter, UrlEntry};
use quick_sitemap_set::Directory;

use super::folder::{Folder, index, page, read, read_set, threes, write, write_with};
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
    let published = writer.finish().unwrap().to_string();
    assert_eq!(published, "https://example.com/sitemap.xml");
    let names = [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "sitemap-3.xml",
        "sitemap.xml",
    ];
    assert_eq!(folder.names(), names);
    assert_eq!(read_set(&folder), (0..7).map(page).collect::<Vec<_>>());
    let parts = read(&folder.path("sitemap.xml")).into_iter();
    let dates: Vec<String> = parts
        .map(|part| part.lastmod().unwrap().to_string())
        .collect();
    assert_eq!(dates, ["2024-01-03", "2024-01-06", "2024-01-07"]);
    for (name, bytes) in folder.files() {
        let is_index = name == "sitemap.xml";
        validate(
            &bytes,
            if is_index {
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
        let published = write_with(settings.split(directory.name("posts")), 1..2).unwrap();
        assert_eq!(published.to_string(), "https://example.com/maps/posts.xml");
        for file in ["posts.xml", "posts-1.xml"] {
            let xml = fs::read_to_string(folder.path("a/b").join(file)).unwrap();
            let line = "<?xml-stylesheet type=\"text/xsl\" href=\"/s.xsl\"?>";
            assert!(xml.contains(line), "{xml}");
            assert!(xml.contains("\n    <loc>"), "{xml}");
        }
        let index = read(&folder.path("a/b/posts.xml"));
        let part = index[0].loc().as_str();
        assert_eq!(part, "https://example.com/maps/posts-1.xml");
    }
}

#[test]
fn text_parts() {
    let folder = Folder::new();
    let gzipped = threes().split_text(folder.create().gzip(true)).single(true);
    write_with(gzipped, 0..4).unwrap();
    let names = ["sitemap-1.txt.gz", "sitemap-2.txt.gz", "sitemap.xml"];
    assert_eq!(folder.names(), names);
    let date = read(&folder.path("sitemap.xml"))[0].lastmod().unwrap();
    assert_eq!(date.to_string(), "2024-01-03");
    assert_eq!(read_set(&folder)[3], UrlEntry::new(page(3).loc));
    write_with(threes().split_text(folder.create()), 0..5).unwrap();
    let names = ["sitemap-1.txt", "sitemap-2.txt", "sitemap.xml"];
    assert_eq!(folder.names(), names);
    assert_eq!(read_set(&folder).len(), 5);
    write_with(threes().split_text(folder.create()).single(true), 0..0).unwrap();
    assert_eq!(folder.names(), ["sitemap.xml"]);
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
    let expected = ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"];
    assert_eq!(visible(&folder), expected);
    // Nothing shows that these belong to this set: neither its index nor an interrupted run.
    folder.write("sitemap-3.xml.gz", "");
    folder.write("sitemap-4.txt", "");
    // One that the index names, though there is a gap.
    folder.write("sitemap-7.xml", "");
    folder.write("sitemap.xml", index(&["sitemap-7.xml"]));
    write(folder.create(), 0..1).unwrap();
    let strangers = ["sitemap-2.xml", "sitemap-3.xml.gz", "sitemap-4.txt"];
    let expected = [&["sitemap-1.xml"][..], &strangers, &["sitemap.xml"]].concat();
    assert_eq!(visible(&folder), expected);
    for file in strangers {
        fs::remove_file(folder.path(file)).unwrap();
    }
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
    for (obstacle, pages) in [("sitemap-2.xml", 1), ("sitemap.xml", 0)] {
        let folder = Folder::new();
        if pages > 0 {
            write(folder.create(), 0..pages).unwrap();
        }
        fs::create_dir_all(folder.path(obstacle).join("x")).unwrap();
        let names = || {
            let names = folder.names().into_iter();
            names
                .filter(|name| !name.starts_with("sitemap-"))
                .collect::<Vec<_>>()
        };
        let before = names();
        write(folder.create(), 0..5).unwrap_err();
        assert_eq!(names(), before);
    }
}
