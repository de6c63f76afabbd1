//! The `Sitemap:` line of a robots.txt.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::Response;
use quick_sitemap_crawl::robots::{Answer, Rules, sitemaps};

use crate::disk::replacement::Replacement;
use crate::disk::{at, open_regular};
use crate::net::spelling::site_key;

/// Adds the sitemap to the file, and returns the change. Everything else in the file stays as it is, and a file that
/// already lists it is not changed. Errors have the path.
pub(super) fn name(path: &Path, sitemap: &Url) -> io::Result<&'static str> {
    let before = before(path)?;
    let (after, change) = with_sitemap(&before, sitemap);
    // A file with the same bytes is not touched.
    let mut file = Replacement::of(path)?;
    file.write_all(&after)?;
    file.put_in_place()?;
    Ok(change)
}

/// Checks that [`name`] can do so, as far as that is known before the sitemap is written.
pub(super) fn check(path: &Path) -> io::Result<()> {
    before(path)?;
    Replacement::of(path).map(drop)
}

fn before(path: &Path) -> io::Result<Vec<u8>> {
    let read = |file| {
        BufReader::new(file)
            .bytes()
            .collect::<io::Result<Vec<u8>>>()
    };
    let text = match open_regular(path).and_then(read) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(at(path))?,
    };
    // A line that is added to anything else is read by nobody.
    let is_text = std::str::from_utf8(&text).is_ok_and(|text| !text.contains('\0'));
    match Answer::new(&Response::new(200), &text) {
        Answer::Read(_) if is_text => Ok(text),
        _ => {
            let why = "it is not the text of a robots.txt in UTF-8";
            Err(at(path)(io::Error::new(io::ErrorKind::InvalidData, why)))
        }
    }
}

/// The rules of the file, if there is one.
pub(super) fn rules(path: &Path) -> Option<Rules> {
    Some(Rules::parse(&before(path).ok()?))
}

/// A line with the same path of the same site, ignoring its scheme, its port, `www.` and a final `.gz`, is replaced;
/// otherwise a line is added at the end.
fn with_sitemap(before: &[u8], sitemap: &Url) -> (Vec<u8>, &'static str) {
    if before
        .split(|byte| *byte == b'\n')
        .any(|line| names(line, sitemap))
    {
        return (before.to_vec(), "already lists the sitemap");
    }
    let line = format!("Sitemap: {sitemap}");
    let mut after = Vec::with_capacity(before.len() + line.len() + 2);
    let mut is_replaced = false;
    for old in before.split_inclusive(|byte| *byte == b'\n') {
        let (text, end) = split_end(old);
        if !sitemaps(text, Some(sitemap)).any(|named| is_former(&named, sitemap)) {
            after.extend_from_slice(old);
        } else if !std::mem::replace(&mut is_replaced, true) {
            after.extend_from_slice(line.as_bytes());
            after.extend_from_slice(end);
        }
    }
    if is_replaced {
        return (after, "the line that lists the sitemap is replaced");
    }
    let has_crlf = before.windows(2).any(|pair| pair == b"\r\n");
    let end: &[u8] = if has_crlf { b"\r\n" } else { b"\n" };
    let is_open = after.last().is_some_and(|last| *last != b'\n');
    // An empty line before the first sitemap.
    let is_first = !after.is_empty() && sitemaps(before, Some(sitemap)).next().is_none();
    after.extend_from_slice(&end.repeat(usize::from(is_open) + usize::from(is_first)));
    after.extend_from_slice(line.as_bytes());
    after.extend_from_slice(end);
    (after, "a line that lists the sitemap is added")
}

/// Returns `true` for a line that every reader reads: the name as it is documented, and an absolute URL in UTF-8.
fn names(line: &[u8], sitemap: &Url) -> bool {
    let line = std::str::from_utf8(line).ok();
    let line = line.and_then(|line| line.split('#').next()?.split_once(':'));
    line.is_some_and(|(name, url)| {
        name.trim().eq_ignore_ascii_case("sitemap") && url.trim() == sitemap.as_str()
    })
}

fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    let end = match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    };
    line.split_at(line.len() - end)
}

fn is_former(named: &Url, sitemap: &Url) -> bool {
    fn file(url: &Url) -> &str {
        url.path().strip_suffix(".gz").unwrap_or(url.path())
    }
    site_key(named) == site_key(sitemap) && file(named) == file(sitemap) && named.query().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(before: &str) -> String {
        let index = "https://www.example.com/sitemap.xml".parse().unwrap();
        String::from_utf8(with_sitemap(before.as_bytes(), &index).0).unwrap()
    }

    #[test]
    fn a_line_is_added_replaced_or_left() {
        const LINE: &str = "Sitemap: https://www.example.com/sitemap.xml";
        assert_eq!(named(""), format!("{LINE}\n"));
        assert_eq!(
            named("User-agent: *\nAllow: /"),
            format!("User-agent: *\nAllow: /\n\n{LINE}\n")
        );
        assert_eq!(
            named("User-agent: *\r\n"),
            format!("User-agent: *\r\n\r\n{LINE}\r\n")
        );
        let other = "Sitemap: https://www.example.com/news.xml\n";
        assert_eq!(named(other), format!("{other}{LINE}\n"));
        let former = "# a\nsitemap: http://example.com/sitemap.xml # it\n\nUser-agent: *\n";
        assert_eq!(named(former), format!("# a\n{LINE}\n\nUser-agent: *\n"));
        for same in [
            format!("{LINE}\n"),
            format!("SITEMAP : {} # all\r\n", &LINE[9..]),
        ] {
            assert_eq!(named(&same), same);
        }
        // Lines that only some readers read.
        for lenient in [
            "SITEMAP: /sitemap.xml\n",
            "Sitemap https://www.example.com/sitemap.xml\n",
        ] {
            assert_eq!(named(lenient), format!("{LINE}\n"), "{lenient}");
        }
        let other_name = "Site-map: https://www.example.com/sitemap.xml\n";
        assert!(named(other_name).ends_with(&format!("{LINE}\n")));
        let gzipped = "Sitemap: https://www.example.com/sitemap.xml.gz\n";
        assert_eq!(named(gzipped), format!("{LINE}\n"));
        // Two forms of one URL become one line.
        let twice = "Sitemap: http://www.example.com/sitemap.xml\nSitemap: https://example.com/sitemap.xml\n";
        assert_eq!(named(twice), format!("{LINE}\n"));
    }
}
