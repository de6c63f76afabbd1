//! Headers of a response.

use ureq::http::HeaderMap;
use ureq::http::header::HeaderName;

/// The text of the first header of that name; `None` if it is not ASCII.
pub(super) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// The values of all headers of that name as one list; `None` if there is none.
pub(super) fn list(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values = headers.get_all(name).iter();
    let texts = values.map(|value| String::from_utf8_lossy(value.as_bytes()));
    let list = texts.collect::<Vec<_>>().join(", ");
    headers.contains_key(name).then_some(list)
}
