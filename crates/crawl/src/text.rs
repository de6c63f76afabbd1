//! URLs as a crawl keeps them.

use url::{Position, Url};

/// Characters of a URL that a server may name, percent-encoded: the protocol allows no more in a loc.
pub(super) const LONGEST_URL: usize = 2_047;
pub(super) fn is_too_long(url: &Url) -> bool {
    url.as_str().len() > LONGEST_URL
}

/// The URL without fragment, user and password. A server that names a URL must not choose the user that requests it.
pub(super) fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    // These fail only if the URL can have neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// What the spellings of a site share: its host without `www.`, and its port, if that is not the default of the scheme.
/// `www.example.com` and `example.com` are one site to its visitors, and often mixed up in its sitemaps.
pub(super) fn site_key(url: &Url) -> &str {
    let site = &url[Position::BeforeHost..Position::AfterPort];
    site.strip_prefix("www.").unwrap_or(site)
}

/// The first `most` characters with `***@` in place of users and passwords, and `…` if there are more.
pub(super) fn shown(text: &str, most: usize) -> String {
    let text = without_logins(text);
    match text.char_indices().nth(most) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// The text with `***@` in place of what is before an `@` in the host of a URL, even if that is not a valid URL.
pub(super) fn without_logins(text: &str) -> String {
    let mut parts = text.split("//");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end = |c: char| c.is_whitespace() || "/?#\"'<>`".contains(c);
        let host = part.split_once(is_end).map_or(part, |(host, _)| host);
        let (hidden, from) = host.rfind('@').map_or(("", 0), |at| ("***", at));
        kept.extend(["//", hidden, part.get(from..).unwrap_or_default()]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_no_login() {
        for (text, expected) in [
            ("no URL", "no URL"),
            (
                "https://me:a@b@e.com/x@y (https://u@f.com)",
                "https://***@e.com/x@y (https://***@f.com)",
            ),
            ("//me:secret@", "//***@"),
            ("at https://me:s//c@e.com", "at https://me:s//***@e.com"),
        ] {
            assert_eq!(shown(text, 100), expected);
        }
        assert_eq!(shown("世界", 1), "世…");
    }
}
