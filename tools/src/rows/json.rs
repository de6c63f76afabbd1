//! A JSON object on each line, in the library's form.

use std::collections::BTreeMap;
use std::io::BufRead;

use anyhow::Context;
use quick_sitemap::{Entry, SitemapEntry, UrlEntry};
use serde::de::IgnoredAny;

use super::lines::Lines;
use super::row::{Refused, Row};
use crate::term::json::page_fields;

/// Fields that are not part of a page; `sitemap` is the one that `sitemap crawl` writes.
const FIELDS: [&str; 3] = ["sitemap", "type", "loc"];

pub(super) struct Rows<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
        }
    }

    pub(super) fn line(&self) -> &[u8] {
        self.lines.latest()
    }

    pub(super) fn next(&mut self, name: &str) -> anyhow::Result<Option<Row>> {
        let Some(line) = self.lines.next().with_context(|| name.to_owned())? else {
            return Ok(None);
        };
        let fields = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(line.text);
        let mut unknown = None;
        let mut is_sitemap = false;
        if let Ok(fields) = &fields {
            let is_known =
                |field: &str| FIELDS.contains(&field) || page_fields().any(|known| known == field);
            unknown = fields.keys().find(|field| !is_known(field)).cloned();
            is_sitemap = fields.contains_key("type") && says_sitemap(line.text);
        }
        let entry = if is_sitemap {
            serde_json::from_slice::<SitemapEntry>(line.text).map(Entry::Sitemap)
        } else {
            serde_json::from_slice::<UrlEntry>(line.text).map(Entry::Url)
        };
        Ok(Some(Row {
            line: line.number,
            byte: line.byte,
            entry: entry.map_err(|error| Refused {
                rule: None,
                why: match error.classify() {
                    serde_json::error::Category::Data => without_line(&error),
                    _ => format!("this line is not JSON: {}", without_line(&error)),
                },
            }),
            unknown,
        }))
    }
}

fn says_sitemap(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Typed {
        r#type: String,
    }
    serde_json::from_slice::<Typed>(line).is_ok_and(|typed| typed.r#type == "sitemap")
}

/// The error's own line is that within this line, which is 1.
pub(crate) fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((message, _)) => format!("{message} (column {})", error.column()),
        None => text,
    }
}
