//! A JSON object on each line, in the library's form.

use std::borrow::Cow;
use std::fmt;

use quick_sitemap::{Entry, SitemapEntry, UrlEntry};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::row::Refused;
use crate::term::json::page_fields;

/// The entry of a line, or the reason why there is none.
pub(super) fn entry(line: &[u8], expects: bool) -> (Result<Entry, Refused>, Beside) {
    let mut beside = serde_json::from_slice::<Beside>(line).unwrap_or_default();
    if !expects && beside.expected.take().is_some() {
        beside.unknown.get_or_insert("expected".to_owned());
    }
    let entry = if beside.is_sitemap {
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
    (entry.map_err(refused), beside)
}

/// The parts of a row that are not values of its page.
#[derive(Default)]
pub(super) struct Beside {
    is_sitemap: bool,
    pub(super) expected: Option<String>,
    /// The first field that is unknown.
    pub(super) unknown: Option<String>,
}

impl<'de> Deserialize<'de> for Beside {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for Beside {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<Self, A::Error> {
        while let Some(Name(name)) = fields.next_key()? {
            match &*name {
                "type" => self.is_sitemap = fields.next_value::<Value>()? == "sitemap",
                "expected" => {
                    // Another value is a text that is no URL.
                    self.expected = match fields.next_value::<Value>()? {
                        Value::Null => None,
                        Value::String(text) => Some(text).filter(|text| !text.is_empty()),
                        other => Some(other.to_string()),
                    };
                }
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                    // `sitemap crawl` writes the field `sitemap`.
                    let is_known = ["loc", "sitemap"].contains(&&*name)
                        || page_fields().any(|known| known == name);
                    if !is_known && self.unknown.is_none() {
                        self.unknown = Some(name.into_owned());
                    }
                }
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
