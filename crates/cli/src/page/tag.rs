//! Attributes of tags.

use html5gum::StartTag;

pub(super) fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let (_, value) = tag
        .attributes
        .iter()
        .find(|(known, _)| known.as_slice() == name)?;
    Some(String::from_utf8_lossy(value.as_slice()).trim().to_owned())
}

pub(super) fn is(text: &str, word: &str) -> bool {
    text.trim().eq_ignore_ascii_case(word)
}
