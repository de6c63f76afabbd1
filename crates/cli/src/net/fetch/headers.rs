//! Headers of a response.

use percent_encoding::{CONTROLS, percent_encode};
use ureq::http::header::HeaderName;
use ureq::http::{HeaderMap, HeaderValue};

pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;

/// The text of the first header of that name: bytes beyond ASCII are percent-encoded, as browsers do for URLs.
pub(super) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(in_ascii)
}

/// The texts of all headers of that name.
pub(super) fn texts(headers: &HeaderMap, name: &str) -> Vec<String> {
    headers.get_all(name).iter().map(in_ascii).collect()
}

fn in_ascii(value: &HeaderValue) -> String {
    percent_encode(value.as_bytes(), CONTROLS).to_string()
}

/// Returns `true` if a wall against bots answers, as Cloudflare, AWS and Vercel mark it.
pub(super) fn is_challenge(headers: &HeaderMap) -> bool {
    const MARKS: [(&str, &[&str]); 3] = [
        ("cf-mitigated", &["challenge"]),
        ("x-amzn-waf-action", &["challenge", "captcha"]),
        ("x-vercel-mitigated", &["challenge"]),
    ];
    let mut marks = MARKS.into_iter();
    marks.any(|(name, values)| {
        let found = texts(headers, name);
        let is = |mark: &&str| {
            found
                .iter()
                .any(|value| value.trim().eq_ignore_ascii_case(mark))
        };
        values.iter().any(is)
    })
}

#[cfg(test)]
mod tests {
    use ureq::http::header::LOCATION;

    use super::*;

    #[test]
    fn a_location_may_have_other_bytes() {
        for (sent, expected) in [
            (&b"/caf\xC3\xA9.xml"[..], "/caf%C3%A9.xml"),
            (b"/caf\xE9.xml", "/caf%E9.xml"),
            (
                b"https://e.com/\xE4?q=\xFC&r=1#\xDF",
                "https://e.com/%E4?q=%FC&r=1#%DF",
            ),
            (b"/a%20b c?d=<e>", "/a%20b c?d=<e>"),
            (b"", ""),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, HeaderValue::from_bytes(sent).unwrap());
            assert_eq!(text(&headers, &LOCATION).as_deref(), Some(expected));
        }
        assert_eq!(text(&HeaderMap::new(), &LOCATION), None);
    }
}
