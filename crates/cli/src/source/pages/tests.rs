use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_sitemap::Completeness;
use tempfile::TempDir;

use super::*;

const NS: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

fn urlset(locs: &[&str]) -> String {
    let pages = locs
        .iter()
        .map(|loc| format!("<url><loc>https://example.com/{loc}</loc></url>\n"));
    format!("<urlset {NS}>\n{}</urlset>\n", pages.collect::<String>())
}

fn index(locs: &[&str]) -> String {
    let parts = locs
        .iter()
        .map(|loc| format!("<sitemap><loc>https://example.com/{loc}</loc></sitemap>\n"));
    format!(
        "<sitemapindex {NS}>\n{}</sitemapindex>\n",
        parts.collect::<String>()
    )
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// A folder with these files.
fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn read_all(inputs: &[Input], on_page: &mut OnPage<'_>) -> anyhow::Result<Account> {
    read(
        inputs,
        &ReadOptions::default(),
        &Messages::new(true),
        on_page,
    )
}

/// The paths of the pages, and the account.
fn read_path(path: &Path) -> anyhow::Result<(Vec<String>, Account)> {
    let mut paths = Vec::new();
    let input = Input::File(path.to_owned());
    let account = read_all(&[input], &mut |page| {
        paths.push(page.entry.loc.path().trim_start_matches('/').to_owned());
        Ok(())
    })?;
    Ok((paths, account))
}

#[test]
fn a_page_has_its_place() {
    let folder = folder(&[("a.xml", urlset(&["a", "b"]))]);
    let path = folder.path().join("a.xml");
    let mut places = Vec::new();
    let input = Input::File(path.clone());
    read_all(&[input], &mut |page| {
        places.push(page.listed.to_string());
        Ok(())
    })
    .unwrap();
    let name = path.display();
    assert_eq!(places, [format!("{name}:2"), format!("{name}:3")]);
}

#[test]
fn an_index_gives_the_pages_of_its_parts() {
    let folder = folder(&[
        (
            "sitemap.xml",
            index(&["sitemap-2.xml", "sitemap-1.xml", "sitemap-2.xml"]),
        ),
        ("sitemap-1.xml", urlset(&["a"])),
        ("sitemap-2.xml", urlset(&["b", "c"])),
        ("other.xml", urlset(&["d"])),
    ]);
    let (paths, account) = read_path(&folder.path().join("sitemap.xml")).unwrap();
    assert_eq!(paths, ["b", "c", "a"]);
    assert_eq!((account.pages, account.read), (3, 3));
    assert_eq!(account.completeness(), Completeness::Complete);
    let (paths, account) = read_path(folder.path()).unwrap();
    assert_eq!(paths, ["b", "c", "a", "d"]);
    assert_eq!(account.completeness(), Completeness::Complete);
}

#[test]
fn a_missing_part_makes_the_input_incomplete() {
    let folder = folder(&[
        ("sitemap.xml", index(&["x.xml", "sitemap-1.xml"])),
        ("sitemap-1.xml", urlset(&["a"])),
    ]);
    for path in [folder.path().join("sitemap.xml"), folder.path().to_owned()] {
        let (paths, account) = read_path(&path).unwrap();
        assert_eq!(paths, ["a"]);
        assert_eq!((account.broken, account.is_incomplete()), (1, true));
    }
}

#[test]
fn no_file_stands_for_two_sitemaps() {
    let folder = folder(&[
        ("sitemap.xml", index(&["de/s.xml", "en/s.xml"])),
        ("s.xml", urlset(&["a"])),
    ]);
    let (paths, account) = read_path(&folder.path().join("sitemap.xml")).unwrap();
    assert_eq!(paths, ["a"]);
    assert!(account.is_incomplete());
}

#[test]
fn indexes_that_name_each_other_end() {
    let folder = folder(&[
        ("a.xml", index(&["b.xml", "p.xml"])),
        ("b.xml", index(&["a.xml", "b.xml"])),
        ("p.xml", urlset(&["p"])),
    ]);
    for path in [folder.path().join("a.xml"), folder.path().to_owned()] {
        assert_eq!(read_path(&path).unwrap().0, ["p"]);
    }
}

#[test]
fn a_mirrored_site() {
    let folder = folder(&[
        ("sitemap.xml", index(&["maps/index.xml"])),
        ("maps/index.xml", index(&["maps/s.xml", "shop/s.xml"])),
        ("maps/s.xml", urlset(&["m"])),
        ("shop/s.xml", urlset(&["s"])),
    ]);
    for path in [folder.path().join("sitemap.xml"), folder.path().to_owned()] {
        let (paths, account) = read_path(&path).unwrap();
        assert_eq!(paths, ["m", "s"]);
        assert_eq!(account.completeness(), Completeness::Complete);
    }
}

#[test]
fn what_a_folder_holds_besides() {
    let hash = "9f86d081884c7d659a2feaa0c55ad015";
    let new = format!("sitemap-1-{hash}.xml");
    let folder = folder(&[
        ("sitemap.xml", index(&[&new])),
        (&new, urlset(&["new"])),
        (
            &format!("sitemap-1-{}.xml", hash.replace('9', "8")),
            urlset(&["old"]),
        ),
        ("news/news.xml", urlset(&["news"])),
        ("sitemap-2.xml", urlset(&["two"])),
        (".hidden.xml", urlset(&["hidden"])),
        (
            "robots.txt",
            "User-agent: *\nSitemap: https://example.com/sitemap.xml\n".into(),
        ),
        ("readme.txt", "See\nhttps://example.com/\n".into()),
        ("list.txt", "https://example.com/list\n".into()),
        ("opensearch.xml", "<OpenSearchDescription/>".into()),
        ("index.html", "<html></html>".into()),
    ]);
    for (name, page) in [("news/news.xml.gz", "news"), ("sitemap-2.xml.gz", "three")] {
        fs::write(folder.path().join(name), gzipped(&urlset(&[page]))).unwrap();
    }
    let (mut paths, account) = read_path(folder.path()).unwrap();
    paths.sort();
    // A gzipped file with other content is no copy.
    assert_eq!(paths, ["list", "new", "news", "three", "two"]);
    // A text does not say where it ends.
    assert_eq!(account.completeness(), Completeness::Unknown);
    assert_eq!(account.broken, 0);
}

#[test]
fn an_error_page_among_sitemaps_is_a_loss() {
    for text in ["<html><body>404</body></html>", ""] {
        let folder = folder(&[("a.xml", urlset(&["a"])), ("sitemap-b.xml", text.into())]);
        let (paths, account) = read_path(folder.path()).unwrap();
        assert_eq!(paths, ["a"]);
        assert!(account.is_incomplete(), "{text}");
    }
}

#[test]
fn a_file_that_breaks_off_has_given_its_pages() {
    let text = urlset(&["a", "b"]).replace("</urlset>", "");
    let folder = folder(&[("a.xml", text)]);
    let (paths, account) = read_path(&folder.path().join("a.xml")).unwrap();
    assert_eq!(paths, ["a", "b"]);
    assert_eq!((account.broken, account.is_incomplete()), (1, true));
}

#[test]
fn what_is_no_input_at_all() {
    let folder = folder(&[("a.xml", "<html/>".into()), ("b/c.html", String::new())]);
    for path in ["a.xml", "b", "no.xml"] {
        assert!(read_path(&folder.path().join(path)).is_err(), "{path}");
    }
}

#[test]
fn the_closure_ends_it() {
    let folder = folder(&[
        ("sitemap.xml", index(&["a.xml"])),
        ("a.xml", urlset(&["a", "b"])),
    ]);
    let mut pages = 0;
    let input = Input::File(folder.path().join("sitemap.xml"));
    let error = read_all(&[input], &mut |_| {
        pages += 1;
        anyhow::bail!("enough")
    });
    assert_eq!(
        (error.unwrap_err().to_string(), pages),
        ("enough".to_owned(), 1)
    );
}

#[test]
fn a_file_that_several_inputs_name_is_read_once() {
    let folder = folder(&[
        ("sitemap.xml", index(&["sitemap-1.xml", "sitemap-2.xml"])),
        ("sitemap-1.xml", urlset(&["a"])),
        ("sitemap-2.xml", urlset(&["b"])),
    ]);
    let input = |name: &str| Input::File(folder.path().join(name));
    for inputs in [
        ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"],
        ["sitemap.xml", "sitemap-2.xml", "sitemap-1.xml"],
        ["sitemap-2.xml", "", "sitemap-2.xml"],
    ] {
        let mut paths = Vec::new();
        let account = read_all(&inputs.map(input), &mut |page| {
            paths.push(page.entry.loc.path().to_owned());
            Ok(())
        });
        let account = account.unwrap();
        paths.sort();
        assert_eq!(paths, ["/a", "/b"], "{inputs:?}");
        assert_eq!(account.completeness(), Completeness::Complete);
    }
}
