//! A JSON object on each line, in the library's form.

use std::borrow::Cow;
use std::fmt;

use quick_sitemap::{Entry, SitemapEntry, UrlEntry};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::row::Refused;
use crate::term::json::page_fields;

/// Fields that most pages have, and `sitemap`, which `sitemap crawl` writes and which is not part of a page.
const FIELDS: [&str; 3] = ["loc", "lastmod", "sitemap"];

/// The entry of a line, or the reason why there is none, the first field that is unknown, and the page that is expected, if
/// that is known.
pub(super) fn entry(
    line: &[u8],
    expects: bool,
) -> (Result<Entry, Refused>, Option<String>, Option<String>) {
    let mut fields = serde_json::from_slice::<KnownFields>(line).unwrap_or_default();
    if fields.expected.is_some() && !expects {
        fields.expected = None;
        fields.unknown.get_or_insert("expected".to_owned());
    }
    let entry = if fields.is_sitemap {
        serde_json::from_slice::<SitemapEntry>(line).map(Entry::Sitemap)
    } else {
        serde_json::from_slice::<UrlEntry>(line).map(Entry::Url)
    };
    let refused = |error: serde_json::Error| Refused {
        rule: None,
        why: match error.classify() {
            serde_json::error::Category::Data => without_line(&error),
            _ => format!("this line is not JSON: {}", without_line(&error)),
        },
    };
    let expected = fields.expected.filter(|expected| !expected.is_empty());
    (entry.map_err(refused), fields.unknown, expected)
}

/// The parts of a row that are not values of its page.
#[derive(Default)]
struct KnownFields {
    is_sitemap: bool,
    /// The first field that is unknown.
    unknown: Option<String>,
    /// The page to which it should lead.
    expected: Option<String>,
}

impl<'de> Deserialize<'de> for KnownFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for KnownFields {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<Self, A::Error> {
        while let Some(Name(name)) = fields.next_key()? {
            if name == "type" {
                self.is_sitemap = fields.next_value::<Value>()? == "sitemap";
                continue;
            }
            if name == "expected" {
                // Another value is a text that is no URL.
                self.expected = match fields.next_value::<Value>()? {
                    Value::Null => None,
                    Value::String(text) => Some(text),
                    other => Some(other.to_string()),
                };
                continue;
            }
            fields.next_value::<IgnoredAny>()?;
            let is_known = FIELDS.contains(&&*name) || page_fields().any(|known| known == name);
            if !is_known && self.unknown.is_none() {
                self.unknown = Some(name.into_owned());
            }
        }
        Ok(self)
    }
}

/// Borrowed if it has no escapes, as nearly all have none.
#[derive(serde::Deserialize)]
struct Name<'n>(#[serde(borrow)] Cow<'n, str>);

/// The error's own line is that within this line, which is 1.
pub(crate) fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((message, _)) => format!("{message} (column {})", error.column()),
        None => text,
    }
}
