//! Sections of a set, and how it looks in a browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use quick_sitemap::{Entry, Reader, STYLESHEET};

use super::{BASE, Folder, locs, said};

#[test]
fn sections_have_sitemaps_of_their_own() {
    let folder = Folder::new();
    let urls = ["", "blog/1", "about", "shop/1?a=1", "blog/2", "shop/blog/3"];
    let urls = urls.map(|path| format!("https://www.example.com/{path}\n"));
    folder.put("urls.txt", urls.concat());
    let write = format!("write urls.txt -o public {BASE} --group /shop/=shop --group /blog/=blog");
    folder.run(&write, 0);
    let index = Reader::from_path(folder.path("public/sitemap.xml")).unwrap();
    let parts: Vec<_> = index
        .map(|part| part.unwrap().loc().path().to_owned())
        .collect();
    assert_eq!(parts, ["/sitemap-1.xml", "/blog-1.xml", "/shop-1.xml"]);
    let paths = |name: &str| -> Vec<String> {
        let locs = locs(&folder.path(&format!("public/{name}")));
        locs.iter()
            .map(|loc| loc.replace("https://www.example.com", ""))
            .collect()
    };
    assert_eq!(paths("sitemap-1.xml"), ["/", "/about"]);
    assert_eq!(paths("blog-1.xml"), ["/blog/1", "/blog/2"]);
    assert_eq!(paths("shop-1.xml"), ["/shop/1?a=1", "/shop/blog/3"]);
    // `edit` has it, too, and a section that is gone takes its file along.
    folder.run(
        &format!("edit public -o public {BASE} --group /blog/=blog"),
        0,
    );
    assert!(!folder.path("public/shop-1.xml").exists());
    assert_eq!(paths("sitemap-1.xml").len(), 3);
    assert_eq!(paths("blog-1.xml"), ["/blog/1", "/blog/2", "/shop/blog/3"]);
    let output = folder.run("write urls.txt -o out.xml --group a=b", 2);
    assert!(
        said(&output).contains("--group is only for sets"),
        "{}",
        said(&output)
    );
    let output = folder.run(
        &format!("write urls.txt -o public {BASE} --group a=sitemap"),
        2,
    );
    assert!(
        said(&output).contains("error: --group cannot have the name of the set itself, sitemap"),
        "{}",
        said(&output)
    );
    let output = folder.run(&format!("write urls.txt -o public {BASE} --group blog"), 2);
    assert!(
        said(&output).contains("must be REGEX=NAME"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_style_sheet_beside_the_output() {
    let folder = Folder::new();
    folder.put("urls.txt", "https://www.example.com/\n");
    for (options, style, files) in [
        (
            "-o public --gzip --name maps",
            "public/maps.css",
            vec!["public/maps.xml"],
        ),
        (
            "-o public",
            "public/sitemap.css",
            vec!["public/sitemap.xml", "public/sitemap-1.xml"],
        ),
        ("-o out.xml", "out.css", vec!["out.xml"]),
    ] {
        let write = format!("write urls.txt {options} --style {BASE}");
        folder.run(&write, 0);
        assert_eq!(folder.text(style), STYLESHEET);
        let name = Path::new(style).file_name().unwrap().to_str().unwrap();
        for file in files {
            let named = format!("<?xml-stylesheet type=\"text/css\" href=\"{name}\"?>");
            assert!(folder.text(file).contains(&named), "{file}");
        }
        // A style sheet of an earlier version is replaced, one of the user is not.
        let first = STYLESHEET.lines().next().unwrap();
        folder.put(style, format!("{first}\nurl {{}}"));
        folder.run(&write, 0);
        assert_eq!(folder.text(style), STYLESHEET);
        folder.put(style, "url {}");
        folder.put(
            "more.txt",
            "https://www.example.com/\nhttps://www.example.com/2\n",
        );
        let before = folder.files("public");
        let output = folder.run(&write.replace("urls.txt", "more.txt"), 2);
        assert!(
            said(&output).contains(": this is another style sheet\n  nothing has been changed"),
            "{}",
            said(&output)
        );
        assert_eq!(folder.text(style), "url {}");
        assert_eq!(folder.files("public"), before);
    }
    for (options, error) in [
        ("-o -", "--style needs a folder or a file"),
        ("-o a.txt", "--style is not for text"),
        ("-o a.xml --text", "cannot be used with"),
        ("-o a.xml --stylesheet a.css", "cannot be used with"),
    ] {
        let output = folder.run(&format!("write urls.txt --style {options}"), 2);
        assert!(
            said(&output).contains(error),
            "{options}: {}",
            said(&output)
        );
    }
}

/// The rendering of the sitemap by Chromium, as a PNG.
fn screenshot(chromium: &str, sitemap: &Path, size: &str, is_dark: bool) -> Vec<u8> {
    let picture = sitemap.with_extension(format!("{size}.{is_dark}.png"));
    let profile = tempfile::tempdir().unwrap();
    let done = Command::new(chromium)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={size}"))
        // 0 is dark.
        .arg(format!(
            "--blink-settings=preferredColorScheme={}",
            u8::from(!is_dark)
        ))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", sitemap.display()))
        .output()
        .unwrap();
    fs::read(&picture).unwrap_or_else(|error| panic!("{error}: {}", said(&done)))
}

/// A set with all parts that the style sheet shows is drawn in light and dark, wide and narrow. The pictures are
/// written to the folder that the variable QUICK_SITEMAP_SCREENSHOTS names, for inspection.
#[test]
fn browsers_show_the_set() {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(chromium) = names.into_iter().find(|name| is_there(name)) else {
        eprintln!("!! there is no Chromium: the style sheet was not drawn");
        return;
    };
    let folder = Folder::new();
    folder.put(
        "pages.jsonl",
        r#"{"loc":"https://www.example.com/","lastmod":"2025-03-14","changefreq":"daily","priority":1.0}
{"loc":"https://www.example.com/shop/kettles/stove-top-1.2-litres-with-a-rather-long-name-that-has-to-be-wrapped?sort=price&page=2","lastmod":"2025-03-14T07:08:09+01:00","alternates":[{"hreflang":"de","href":"https://www.example.com/de/"},{"hreflang":"x-default","href":"https://www.example.com/"}]}
{"loc":"https://www.example.com/journal/","images":[{"loc":"https://www.example.com/kettle.jpg","caption":"A kettle","title":"Kettle"},{"loc":"https://cdn.example.com/pot.webp"}]}
{"loc":"https://www.example.com/film","videos":[{"thumbnail_loc":"https://www.example.com/t.jpg","title":"How to descale a kettle","description":"It takes ten minutes.","content_loc":"https://www.example.com/v.mp4","duration":600}]}
"#,
    );
    folder.run(&format!("write pages.jsonl -o public --style {BASE}"), 0);
    let parts = Reader::from_path(folder.path("public/sitemap-1.xml")).unwrap();
    let pages: Vec<_> = parts.map(|entry| entry.unwrap()).collect();
    assert!(
        matches!(&pages[..], [_, Entry::Url(two), Entry::Url(three), Entry::Url(four)]
        if two.alternates.len() == 2 && three.images.len() == 2 && four.videos.len() == 1)
    );
    let mut pictures = Vec::new();
    for (name, size) in [
        ("sitemap-1.xml", "1200,900"),
        ("sitemap-1.xml", "500,1100"),
        ("sitemap.xml", "1200,400"),
    ] {
        for is_dark in [false, true] {
            let sitemap = folder.path("public").join(name);
            let picture = screenshot(chromium, &sitemap, size, is_dark);
            if let Some(kept) = std::env::var_os("QUICK_SITEMAP_SCREENSHOTS") {
                let scheme = if is_dark { "dark" } else { "light" };
                fs::write(
                    Path::new(&kept).join(format!("{name}-{size}-{scheme}.png")),
                    &picture,
                )
                .unwrap();
            }
            assert!(
                picture.starts_with(b"\x89PNG") && picture.len() > 3_000,
                "{name} {size}"
            );
            assert!(!pictures.contains(&picture), "{name} {size} {is_dark}");
            pictures.push(picture);
        }
    }
    // Without the style sheet it looks different.
    folder.put("public/sitemap.css", "");
    let bare = screenshot(
        chromium,
        &folder.path("public/sitemap-1.xml"),
        "1200,900",
        false,
    );
    assert!(bare != pictures[0]);
}
