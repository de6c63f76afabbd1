//! The verdict of an XML parser on the encoding that a document declares.

use quick_sitemap::{ReaderBuilder, Rule};

/// What an XML parser makes of a declared encoding that the reader has ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// No parser supports it, or it cannot be that of the bytes.
    Rejected,
    /// Other parsers support it, so that the reader cannot judge bytes that are not ASCII.
    Unsupported,
    /// It is read as the reader reads it.
    Accepted,
}

/// Names of encodings that only other parsers support, without punctuation; numbers follow the first ones.
const NUMBERED: [&str; 6] = ["cp", "ibm", "iso8859", "latin", "mac", "windows"];
const NAMED: [&str; 7] = [
    "armscii8", "euccn", "euctw", "johab", "koi8t", "utf7", "viscii",
];

impl Declared {
    /// `actual` is the encoding in favor of which the reader has ignored the declared one. A parser trusts a byte order mark
    /// more than a declaration, unless that contradicts the width of the characters, and accepts more names of an encoding
    /// than the reader.
    pub(crate) fn new(label: &str, actual: &str) -> Self {
        let mut plain = label.to_ascii_lowercase();
        plain.retain(|c| c.is_ascii_alphanumeric());
        let utf = plain.strip_prefix("utf");
        let utf_8 = utf.and_then(|rest| rest.strip_suffix('8'));
        let is_utf_8 = utf_8.is_some_and(|zeros| zeros.bytes().all(|b| b == b'0'));
        let families = NUMBERED.iter();
        let mut numbers = families.filter_map(|family| plain.strip_prefix(family)?.parse().ok());
        if is_utf_8 {
            Self::Accepted
        } else if actual.starts_with("UTF-16") {
            Self::Rejected
        } else if is_of_ascii(label) {
            Self::Accepted
        } else if numbers.any(|_: u32| true) || NAMED.contains(&&*plain) || is_of_ascii(&plain) {
            Self::Unsupported
        } else {
            Self::Rejected
        }
    }
}

/// Returns `true` for the names of UTF-8.
pub(crate) fn is_utf_8(label: &str) -> bool {
    ["utf-8", "utf8"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(label))
}

/// Returns `true` if the reader supports the encoding, and it can be that of bytes that read as ASCII.
pub(crate) fn is_of_ascii(label: &str) -> bool {
    let document = format!("<?xml version='1.0' encoding='{label}'?><urlset/>");
    let mut reader = ReaderBuilder::new().from_bytes(document);
    let _ = reader.read_raw();
    let mut issues = reader.issues().iter();
    !issues.any(|issue| issue.rule() == Rule::EncodingConflict)
}
