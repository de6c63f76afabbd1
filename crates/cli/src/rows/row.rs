//! A row, and why it may not be an entry.

use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Rule, UrlEntry, Violation};

/// One row.
#[derive(Debug)]
pub(crate) struct Row {
    /// The line on which it begins, from 1.
    pub(crate) line: u64,
    /// Bytes before it, without a byte order mark.
    pub(crate) byte: u64,
    pub(crate) entry: Result<Entry, Refused>,
    /// The column or field `expected`: the URL to which the page should lead.
    pub(crate) expected: Option<String>,
}

/// Why a row is not an entry.
#[derive(Debug)]
pub(crate) struct Refused {
    /// `None` if the row is not in the format, so that no rule of the protocol applies.
    pub(crate) rule: Option<Rule>,
    pub(crate) why: String,
}

impl Refused {
    pub(super) fn new(rule: Rule, why: &str) -> Self {
        Self {
            rule: Some(rule),
            why: why.to_owned(),
        }
    }
}

impl From<Violation> for Refused {
    fn from(violation: Violation) -> Self {
        Self {
            rule: Some(violation.rule()),
            why: violation.to_string(),
        }
    }
}

pub(super) fn utf8(text: &[u8]) -> Result<&str, Refused> {
    let why = "this line is not UTF-8";
    std::str::from_utf8(text).map_err(|_| Refused::new(Rule::InvalidCharacter, why))
}

/// A page at a URL, or at a path of the site `base`.
pub(super) fn page(loc: &str, base: Option<&Url>) -> Result<UrlEntry, Violation> {
    let joined = base
        .filter(|_| loc.starts_with('/') && !loc.starts_with("//"))
        .and_then(|base| base.join(loc).ok());
    match joined {
        Some(loc) => Ok(UrlEntry::new(loc)),
        None => UrlEntry::try_from(loc),
    }
}
