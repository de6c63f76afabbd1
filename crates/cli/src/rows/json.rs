//! A JSON object on each line, in the library's form.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_sitemap::{Entry, SitemapEntry, UrlEntry};
use serde_json::Value;
use serde_json::value::RawValue;

use super::lines::Line;
use super::row::{Refused, Row};
use crate::term::json::page_fields;

/// The row of a line, and a field that is unknown.
pub(super) fn row(line: Line<'_>, expects: bool) -> (Row, Option<String>) {
    let text = line.text;
    let fields: Fields<'_> = serde_json::from_slice(text).unwrap_or_default();
    let value = |name: &str| serde_json::from_str(fields.get(name)?.get()).ok();
    let expected = match value("expected") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text).filter(|text| !text.is_empty()),
        // A text that is no URL.
        Some(other) => Some(other.to_string()),
    };
    let is_known = |name: &str| {
        // `sitemap crawl` writes the field `sitemap`.
        ["type", "loc", "sitemap"].contains(&name)
            || name == "expected" && (expects || expected.is_none())
            || page_fields().any(|known| known == name)
    };
    let unknown = fields.keys().find(|name| !is_known(name));
    let entry = if value("type") == Some("sitemap".into()) {
        serde_json::from_slice::<SitemapEntry>(text).map(Entry::Sitemap)
    } else {
        serde_json::from_slice::<UrlEntry>(text).map(Entry::Url)
    };
    let refused = |error: serde_json::Error| Refused {
        rule: None,
        why: match error.classify() {
            serde_json::error::Category::Data => without_line(&error),
            _ => format!("this line is not JSON: {}", without_line(&error)),
        },
    };
    let row = Row {
        line: line.number,
        byte: line.byte,
        entry: entry.map_err(refused),
        expected: expected.filter(|_| expects),
    };
    (row, unknown.map(|name| name.clone().into_owned()))
}

/// The fields of a line.
type Fields<'l> = BTreeMap<Cow<'l, str>, &'l RawValue>;

/// The error's own line is that within this line, which is 1.
pub(crate) fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((message, _)) => format!("{message} (column {})", error.column()),
        None => text,
    }
}
