//! URLs as a crawl keeps them.

use std::borrow::Cow;

use url::{Host, Url};

/// Characters of a URL that a server may name, percent-encoded: the protocol allows no more in a loc.
pub(super) const LONGEST_URL: usize = 2_047;
/// Characters of a URL that is an example.
const EXAMPLE: usize = 200;

pub(super) fn is_too_long(url: &Url) -> bool {
    url.as_str().len() > LONGEST_URL
}

/// The URL without fragment, user and password. A server that names one decides what is read, not who reads it.
pub(super) fn bare(url: &Url) -> Cow<'_, Url> {
    let has_login = !url.username().is_empty() || url.password().is_some();
    if url.fragment().is_none() && !has_login {
        return Cow::Borrowed(url);
    }
    let mut url = url.clone();
    url.set_fragment(None);
    if has_login {
        // Fails only if the URL can have neither.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    Cow::Owned(url)
}

/// The host without `www.`: `www.example.com` and `example.com` are one site to its visitors, and often mixed up in its
/// sitemaps.
pub(super) fn host(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(name) => Some(name.strip_prefix("www.").unwrap_or(name).to_owned()),
        address => Some(address.to_string()),
    }
}

/// A URL as an example.
pub(super) fn clipped(url: &str) -> Cow<'_, str> {
    clipped_to(url, EXAMPLE)
}

/// The first `most` characters, and `…` if there are more.
pub(super) fn clipped_to(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}
