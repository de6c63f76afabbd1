//! Headers of a response.

use ureq::http::HeaderMap;
use ureq::http::header::HeaderName;

/// The text of the first header of that name; `None` if it is not ASCII.
pub(super) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
