//! Names of files without the fingerprints that a build puts into them.
//!
//! A new build often gives an unchanged picture a new name: `logo.3f9a8b7c.png`, `index-DiwrgTda.css`, `/a.png?v=17`. No
//! rule tells such a fingerprint from every name that a person chose, and none has to: a word that is left out by mistake
//! only means that two pictures whose names differ in that word alone count as one.

use quick_sitemap::url::{Position, Url};

/// Endings of pages; any other ending is that of a file.
const PAGES: [&str; 8] = ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi"];

/// The URL without its origin, if that is the page's.
pub(super) fn on_site<'u>(url: &'u Url, page: &Url) -> &'u str {
    if url.origin() != page.origin() {
        return url.as_str();
    }
    &url[Position::BeforePath..]
}

/// Whether the URL leads to a file that is no page, by its ending.
pub(super) fn is_file(url: &Url) -> bool {
    ending(url).is_some_and(|ending| !PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page)))
}

fn ending(url: &Url) -> Option<&str> {
    let (stem, ending) = url.path().rsplit('/').next()?.rsplit_once('.')?;
    let is_ending = (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !ending.bytes().all(|byte| byte.is_ascii_digit());
    (is_ending && !stem.is_empty()).then_some(ending)
}

/// The URL without fingerprints. The query of a file is left out; that of anything else may say which file it is.
pub(super) fn without(url: &Url, page: &Url) -> String {
    let mut kept = String::new();
    if url.origin() != page.origin() {
        kept.push_str(url.host_str().unwrap_or_default());
    }
    let ending = ending(url);
    let mut segments = url.path().split('/').peekable();
    while let Some(segment) = segments.next() {
        match (segments.peek(), ending) {
            (None, Some(ending)) => {
                let stem = segment.get(..segment.len() - ending.len() - 1);
                kept.push_str(&name(stem.unwrap_or_default()));
                kept.push('.');
                kept.push_str(ending);
            }
            (None, None) => kept.push_str(&name(segment)),
            (Some(_), _) if is_folder(segment) => {}
            (Some(_), _) => {
                kept.push_str(segment);
                kept.push('/');
            }
        }
    }
    if let (None, Some(query)) = (ending, url.query()) {
        kept.push('?');
        kept.push_str(&name(query));
    }
    kept
}

/// A folder that has the name of a build. It is shorter than no folder, so names are not taken for it easily.
fn is_folder(segment: &str) -> bool {
    segment.len() >= 8 && (is_hex(segment) || segment.len() >= 16 && is_irregular(segment))
}

/// The words of a name without those that are fingerprints.
fn name(text: &str) -> String {
    let text = without_last_eight(text);
    let is_separator = |c: char| !c.is_ascii_alphanumeric();
    let mut kept = String::new();
    let mut words = text.split(is_separator).peekable();
    let (mut is_first, mut is_after) = (true, false);
    while let Some(word) = words.next() {
        let is_last = words.peek().is_none();
        let is_short_after = is_after
            && word.len() >= 4
            && word
                .bytes()
                .any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        is_after = is_hex(word)
            || is_irregular(word)
            || is_short_after
            || (is_last && !is_first && is_mixed_eight(word));
        is_first = false;
        if !is_after && !word.is_empty() {
            if !kept.is_empty() {
                kept.push('-');
            }
            kept.push_str(word);
        }
    }
    kept
}

/// Eight characters at the end may contain `-` and `_`: `index-B_a-9xYz`.
fn without_last_eight(text: &str) -> &str {
    let Some((stem, last)) = text
        .len()
        .checked_sub(9)
        .and_then(|at| text.split_at_checked(at))
    else {
        return text;
    };
    let Some(last) = last.strip_prefix(['-', '.']) else {
        return text;
    };
    let has = |is: fn(&u8) -> bool| last.bytes().any(|byte| is(&byte));
    let is_one = last
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && has(|byte| matches!(byte, b'-' | b'_'))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase);
    match is_one {
        true => stem,
        false => text,
    }
}

/// Hexadecimal digits, which are not a number. Hugo puts `hu` before them.
fn is_hex(word: &str) -> bool {
    let word = match word.strip_prefix("hu") {
        Some(rest) if rest.len() >= 8 => rest,
        _ => word,
    };
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && has(u8::is_ascii_alphabetic)
        && (word.len() >= 8 || word.len() >= 6 && has(u8::is_ascii_digit))
}

/// Letters and digits that change places more often than in a name: `5QFJ2YLM`, `DlKHY1Bx`.
fn is_irregular(word: &str) -> bool {
    let changes = word
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()))
        .count();
    (8..=64).contains(&word.len())
        && changes >= 2
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Eight letters in upper and lower case: `DiwrgTda`.
fn is_mixed_eight(word: &str) -> bool {
    word.len() == 8
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && word.bytes().any(|byte| byte.is_ascii_lowercase())
        && word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> String {
        let page = Url::parse("https://example.com/a/").unwrap();
        without(&page.join(url).unwrap(), &page)
    }

    #[test]
    fn fingerprints_of_builds_are_left_out() {
        for (url, expected) in [
            ("/logo.png", "/logo.png"),
            ("/logo.png?v=17", "/logo.png"),
            ("/logo.3f9a8b7c.png", "/logo.png"),
            ("/logo-abc123.png", "/logo.png"),
            // Vite, esbuild, Astro, Docusaurus, Hugo, Next.
            ("/assets/hero-DiwrgTda.webp", "/assets/hero.webp"),
            ("/assets/hero-B_a-9xYz.webp", "/assets/hero.webp"),
            ("/assets/hero-5QFJ2YLM.webp", "/assets/hero.webp"),
            ("/_astro/hero.DlKHY1Bx_Z1abc.webp", "/_astro/hero.webp"),
            (
                "/assets/images/map-8a2f3c4d5e6f708192a3b4c5d6e7f809.png",
                "/assets/images/map.png",
            ),
            (
                "/p/photo_hu3c03f7d84b22f8aa_1234_600x0_resize_q75_box.jpg",
                "/p/photo-resize-q75-box.jpg",
            ),
            (
                "/_next/static/4f3e2d1c0b9a/cat.4b7ec9f3.jpg",
                "/_next/static/cat.jpg",
            ),
            (
                "/_next/image?url=%2F_next%2Fmedia%2Fcat.4b7ec9f3.jpg&w=640",
                "/_next/image?url-2F-next-2Fmedia-2Fcat-jpg-w-640",
            ),
            (
                "https://cdn.example.org/x/3f9a8b7c.png",
                "cdn.example.org/x/.png",
            ),
            // Names that people choose.
            ("/2024/05/cats-and-dogs.jpg", "/2024/05/cats-and-dogs.jpg"),
            ("/DSC00012.JPG", "/DSC00012.JPG"),
            ("/img/20240506.jpg", "/img/20240506.jpg"),
            ("/a/facade-1920x1080.jpg", "/a/facade-1920x1080.jpg"),
            ("/icons/file_icon.svg", "/icons/file-icon.svg"),
            ("/pictures/MyGarden.jpg", "/pictures/MyGarden.jpg"),
        ] {
            assert_eq!(of(url), expected, "{url}");
        }
    }

    #[test]
    fn files_and_pages() {
        let is_file = |url: &str| {
            is_file(
                &Url::parse("https://example.com/")
                    .unwrap()
                    .join(url)
                    .unwrap(),
            )
        };
        assert!(is_file("/a.pdf") && is_file("/a/b.tar.gz"));
        assert!(
            !is_file("/a.html") && !is_file("/a") && !is_file("/v1.2/") && !is_file("/release-1.2")
        );
    }

    #[test]
    fn the_origin_of_the_page_is_left_out() {
        let page = Url::parse("https://example.com/a").unwrap();
        let of = |url: &str| on_site(&Url::parse(url).unwrap(), &page).to_owned();
        assert_eq!(of("https://example.com/b?c#d"), "/b?c#d");
        assert_eq!(of("http://example.com/b"), "http://example.com/b");
    }
}
