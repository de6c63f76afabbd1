//! Headers of a response.

use ureq::http::HeaderMap;
use ureq::http::header::{CONTENT_ENCODING, HeaderName};

/// The text of the first header of that name; `None` if it is not ASCII.
pub(super) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// The first coding in `Content-Encoding` that is neither gzip, which the content shows, nor none.
pub(super) fn foreign_coding(headers: &HeaderMap) -> Option<String> {
    // Badly configured servers name the charset, or that there is no coding.
    const KNOWN: [&str; 6] = ["", "gzip", "x-gzip", "identity", "none", "utf-8"];
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let names = values.filter_map(|value| value.to_str().ok());
    let mut names = names.flat_map(|names| names.split(',')).map(str::trim);
    let is_known = |name: &&str| KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name));
    names.find(|name| !is_known(name)).map(str::to_owned)
}
