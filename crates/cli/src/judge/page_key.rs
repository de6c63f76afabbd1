//! The identity of pages and of sitemaps.

use std::borrow::Cow;
use std::env;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use quick_sitemap::url::{Position, Url};

use crate::net::spelling::without_scheme;

/// The identity of a page; see [`quick_sitemap_crawl::page_key`].
pub(crate) fn page_key(url: &Url) -> Cow<'_, str> {
    // Most URLs have no spelling but one.
    if memchr::memchr(b'%', url.as_str().as_bytes()).is_some() {
        return quick_sitemap_crawl::page_key(url);
    }
    Cow::Borrowed(&url[..Position::AfterQuery])
}

/// The key of a page whose URL is a text.
pub(crate) fn key_of(url: &str) -> Cow<'_, str> {
    match url.parse::<Url>() {
        Ok(url) => Cow::Owned(page_key(&url).into_owned()),
        Err(_) => Cow::Borrowed(url),
    }
}

/// The name of a page or a sitemap without what differs from one run to the next although it is the same one: the scheme,
/// `www.`, the digest of a part of a set, and the way that leads to a file of the working folder.
pub(crate) fn stable_name(name: &str) -> Cow<'_, str> {
    let name = if name.contains("://") {
        Cow::Borrowed(without_scheme(name))
    } else {
        Cow::Owned(from_here(Path::new(name)).to_string_lossy().into_owned())
    };
    match around_digest(&name) {
        Some((before, end)) => Cow::Owned(format!("{before}{end}")),
        None => name,
    }
}

/// A path from the working folder on, if it leads into it. Links are not followed.
fn from_here(path: &Path) -> PathBuf {
    static HERE: LazyLock<PathBuf> = LazyLock::new(|| env::current_dir().unwrap_or_default());
    let whole = plain(&HERE.join(path));
    let below = whole.strip_prefix(&*HERE).map(Path::to_path_buf);
    below.unwrap_or_else(|_| plain(path))
}

/// The path without `.`, and without `..` after a folder.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}

/// Hex digits of the digest in the name of a part.
const DIGEST: usize = 32;

/// `sitemap-1` and `.xml.gz`, around the digest.
fn around_digest(name: &str) -> Option<(&str, &str)> {
    let folder = name.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
    let file = name.get(folder..)?;
    let end = file.find(".xml").or_else(|| file.find(".txt"))? + folder;
    let begin = end.checked_sub(DIGEST)?;
    let before = name.get(..begin)?.strip_suffix('-')?;
    let mut digest = name.get(begin..end)?.bytes();
    let is_digest = digest.all(|byte| byte.is_ascii_hexdigit());
    is_digest.then(|| (before, name.get(end..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_stable() {
        let digest = "0123456789abcdef0123456789ABCDEF";
        let word = format!("x-{}.xml", digest.replace('f', "g"));
        let here = env::current_dir().unwrap();
        let folder = here.file_name().unwrap().display().to_string();
        let here = here.display().to_string();
        for (name, stable) in [
            ("./public/sitemap.xml", "public/sitemap.xml"),
            ("public//a/../sitemap.xml", "public/sitemap.xml"),
            (
                &format!("{here}/./public/sitemap.xml"),
                "public/sitemap.xml",
            ),
            (&format!("../{folder}/a.xml"), "a.xml"),
            (&here, ""),
            (".", ""),
            ("../other/./a.xml", "../other/a.xml"),
            ("/srv/./a.xml", "/srv/a.xml"),
            ("<stdin>", "<stdin>"),
            ("http://www.e.com/a", "e.com/a"),
            ("https://e.com/a", "e.com/a"),
            ("www.e.com/a", "www.e.com/a"),
            (&format!("f/news-3-{digest}.xml.gz"), "f/news-3.xml.gz"),
            (&format!("https://e.com/x-{digest}.txt"), "e.com/x.txt"),
            (&format!("x-{digest}/a.xml"), &format!("x-{digest}/a.xml")),
            (&word, &word),
            (
                "\u{4e16}-0123456789abcdef0123456789abcde.xml",
                "\u{4e16}-0123456789abcdef0123456789abcde.xml",
            ),
        ] {
            assert_eq!(stable_name(name), stable);
        }
    }
}
