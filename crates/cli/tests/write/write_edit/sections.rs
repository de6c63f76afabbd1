//! Sections of a set.

use quick_sitemap::Reader;

use super::BASE;
use crate::folder::Folder;

#[test]
fn sections_have_sitemaps_of_their_own() {
    let folder = Folder::new();
    let urls = ["", "blog/1", "about", "shop/1?a=1", "blog/2", "shop/blog/3"];
    let urls = urls.map(|path| format!("https://www.example.com/{path}\n"));
    folder.put("urls.txt", urls.concat());
    let write = format!("write urls.txt -o public {BASE} --group /shop/=shop --group /blog/=blog");
    folder.must(&write, 0);
    let index = Reader::from_path(folder.path("public/sitemap.xml")).unwrap();
    let parts: Vec<_> = index
        .map(|part| part.unwrap().loc().path().to_owned())
        .collect();
    assert_eq!(parts, ["/sitemap-1.xml", "/blog-1.xml", "/shop-1.xml"]);
    let paths = |name: &str| -> Vec<String> {
        let locs = folder.locs(&format!("public/{name}"));
        locs.iter()
            .map(|loc| loc.replace("https://www.example.com", ""))
            .collect()
    };
    assert_eq!(paths("sitemap-1.xml"), ["/", "/about"]);
    assert_eq!(paths("blog-1.xml"), ["/blog/1", "/blog/2"]);
    assert_eq!(paths("shop-1.xml"), ["/shop/1?a=1", "/shop/blog/3"]);
    // `edit` has it, too, and a section that is gone takes its file along.
    folder.based("edit public -o public --group /blog/=blog", 0);
    assert!(!folder.path("public/shop-1.xml").exists());
    assert_eq!(paths("sitemap-1.xml").len(), 3);
    assert_eq!(paths("blog-1.xml"), ["/blog/1", "/blog/2", "/shop/blog/3"]);
    let output = folder.must("write urls.txt -o out.xml --group a=b", 2);
    output.says("--group is only for sets");
    let output = folder.based("write urls.txt -o public --group a=sitemap", 2);
    output.says("error: --group cannot have the name of the set itself, sitemap");
    let output = folder.based("write urls.txt -o public --group blog", 2);
    output.says("must be REGEX=NAME");
}
