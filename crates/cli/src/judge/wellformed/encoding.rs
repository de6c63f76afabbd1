//! The verdict of an XML parser on the encoding that a document declares.

use quick_sitemap::{ReaderBuilder, Rule};

/// Returns `true` if a parser rejects the declared encoding, which the reader has ignored in favor of `actual`: one that
/// no reader supports, or one that cannot be that of the bytes. A parser trusts a byte order mark more than a declaration,
/// unless that contradicts the width of the characters, and accepts more names of an encoding than the reader.
pub(crate) fn is_rejected(label: &str, actual: &str) -> bool {
    let mut plain = label.to_ascii_lowercase();
    plain.retain(|c| c.is_ascii_alphanumeric());
    let utf = plain.strip_prefix("utf");
    let utf_8 = utf.and_then(|rest| rest.strip_suffix('8'));
    let is_utf_8 = utf_8.is_some_and(|zeros| zeros.bytes().all(|b| b == b'0'));
    if is_utf_8 || actual.starts_with("UTF-16") {
        return !is_utf_8;
    }
    let number = plain.strip_prefix("cp").or(plain.strip_prefix("ibm"));
    let is_code_page = number.is_some_and(|number| number.parse::<u32>().is_ok());
    !is_code_page && !is_of_ascii(label) && !is_of_ascii(&plain)
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
