//! The element that is the content of a page.

use std::fmt;
use std::str::FromStr;

use html5gum::StartTag;

use super::tag::attribute;

/// `main`, `#content` or `.post`.
#[derive(Clone, Debug)]
pub(crate) struct Selector(String);

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.strip_prefix(['#', '.']);
        let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        match name.unwrap_or(text) {
            allowed if allowed.is_empty() || !allowed.chars().all(is_allowed) => {
                Err("must be the name of an element, #ID or .CLASS".to_owned())
            }
            _ if name.is_some() => Ok(Self(text.to_owned())),
            element => Ok(Self(element.to_ascii_lowercase())),
        }
    }
}

impl Selector {
    pub(super) fn matches(&self, tag: &StartTag<()>) -> bool {
        match self.0.split_at_checked(1) {
            Some(("#", id)) => attribute(tag, b"id").is_some_and(|found| found == *id),
            Some((".", class)) => attribute(tag, b"class")
                .is_some_and(|found| found.split_ascii_whitespace().any(|word| word == class)),
            _ => tag.name.as_slice() == self.0.as_bytes(),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
