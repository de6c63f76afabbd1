//! A JSON object on each line, in the library's form.

use std::collections::BTreeMap;
use std::io::BufRead;

use anyhow::{Context, bail};
use quick_sitemap::{Rule, UrlEntry};
use serde::de::IgnoredAny;

use super::lines::Lines;
use super::sink::{Line, Sink};
use crate::json::page_fields;

/// Those that are there beside what a page may have; `sitemap` is where `sitemap crawl` says that it is listed.
const FIELDS: [&str; 3] = ["sitemap", "type", "loc"];

pub(super) fn read(name: &str, reader: impl BufRead, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let mut lines = Lines::new(reader);
    while let Some((number, line)) = lines.next().with_context(|| name.to_owned())? {
        let place = Line { file: name, number };
        let fields = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(line);
        if let Ok(fields) = &fields {
            let is_known =
                |field: &str| FIELDS.contains(&field) || page_fields().any(|known| known == field);
            let is_unknown = |field: &&String| !is_known(field);
            if let Some(field) = fields
                .keys()
                .find(is_unknown)
                .filter(|_| !sink.ignores_unknown)
            {
                bail!("{place}: unknown field `{field}`; use --ignore-unknown to ignore it");
            }
            if fields.contains_key("type") && is_sitemap(line) {
                sink.refuse(
                    Some(Rule::MisplacedEntry),
                    place,
                    "this is a sitemap, not a page",
                )?;
                continue;
            }
        }
        match serde_json::from_slice::<UrlEntry>(line) {
            Ok(entry) => sink.page(entry, place)?,
            Err(error) => {
                let why = match error.classify() {
                    serde_json::error::Category::Data => without_line(&error),
                    _ => format!("this line is not JSON: {}", without_line(&error)),
                };
                sink.refuse(None, place, &why)?;
            }
        }
    }
    Ok(())
}

fn is_sitemap(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Typed {
        r#type: String,
    }
    serde_json::from_slice::<Typed>(line).is_ok_and(|typed| typed.r#type == "sitemap")
}

/// The error's own line is that within this line, which is 1.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((message, _)) => format!("{message} (column {})", error.column()),
        None => text,
    }
}
