//! A report that was made before, as JSON or as a page.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::model::{Report, VERSION};
use crate::disk::open_regular;
use crate::term::messages::Advised;

/// The beginning of the element of a page that holds the report as JSON, in which `<` is written `\u003c`.
pub(crate) const EMBEDDED: &str = "<script type=\"application/json\" id=\"report\">";
const END: &str = "</script>";

/// No report has more bytes.
const LARGEST: u64 = 64 << 20;
/// How far is looked for what a file is.
const HEAD: usize = 1 << 10;

/// The report in a file; `None` if the file is something else.
///
/// # Errors
///
/// With the name of the file, if it cannot be read, or holds a report that cannot be used.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<Report>> {
    let name = || path.display().to_string();
    let mut file = match open_regular(path) {
        Ok(file) => file,
        // A folder, or the error of reading it as a sitemap.
        Err(_) => return Ok(None),
    };
    let text = match find(&mut file).with_context(name)? {
        Some(text) => text,
        None => return Ok(None),
    };
    parse(&text).with_context(name).map(Some)
}

/// The JSON.
fn find(file: &mut File) -> anyhow::Result<Option<String>> {
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let is_json =
        head.starts_with('{') && head.contains("\"version\"") && head.contains("\"subject\"");
    let begins_with = |tag: &str| {
        let begin = head.get(..tag.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
    };
    let is_page = begins_with("<!doctype html") || begins_with("<html");
    if !is_json && !is_page {
        return Ok(None);
    }
    file.rewind()?;
    let mut text = String::new();
    file.by_ref().take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        bail!("it is too large to be a report");
    }
    if is_json {
        return Ok(Some(text));
    }
    let embedded = text
        .split_once(EMBEDDED)
        .and_then(|(_, rest)| rest.split_once(END));
    match embedded {
        Some((json, _)) => Ok(Some(json.to_owned())),
        None => bail!("it is a page, but not one that `sitemap report` has made"),
    }
}

fn parse(text: &str) -> anyhow::Result<Report> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let text = text.trim_start_matches('\u{feff}');
    let Versioned { version } = serde_json::from_str(text).context("it is not a report")?;
    if version > VERSION {
        bail!(Advised::new(
            format!("it was made by a later version of the program (report version {version})"),
            "update the program to read it",
        ));
    }
    serde_json::from_str(text).context("it is not a report")
}
