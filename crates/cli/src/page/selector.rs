//! The element that is the content of a page.

use std::str::FromStr;

use html5gum::StartTag;

use super::tag::attribute;

/// `main`, `#content` or `.post`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    Name(String),
    Id(String),
    Class(String),
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (new, name): (fn(String) -> Self, _) = match text.split_at_checked(1) {
            Some(("#", id)) => (Self::Id, id),
            Some((".", class)) => (Self::Class, class),
            _ => (Self::Name, text),
        };
        let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        if name.is_empty() || !name.chars().all(is_allowed) {
            return Err("must be the name of an element, #ID or .CLASS".to_owned());
        }
        Ok(match new(name.to_owned()) {
            Self::Name(name) => Self::Name(name.to_ascii_lowercase()),
            other => other,
        })
    }
}

impl Selector {
    pub(super) fn matches(&self, tag: &StartTag<()>) -> bool {
        match self {
            Self::Name(name) => tag.name.as_slice() == name.as_bytes(),
            Self::Id(id) => attribute(tag, b"id").is_some_and(|found| found == *id),
            Self::Class(class) => attribute(tag, b"class")
                .is_some_and(|found| found.split_ascii_whitespace().any(|word| word == class)),
        }
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Id(id) => write!(f, "#{id}"),
            Self::Class(class) => write!(f, ".{class}"),
        }
    }
}
