//! `--against`: an earlier report.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use super::model::{Report, VERSION};
use crate::disk::open_regular;
use crate::judge::host_changes::HostChanges;
use crate::term::address::without_logins;
use crate::term::messages::Advised;

/// The beginning of the element of a page that holds the report as JSON, in which `<` is written `\u003c`.
pub(crate) const EMBEDDED: &str = "<script type=\"application/json\" id=\"report\">";
const END: &str = "</script>";

/// No report has more bytes.
const LARGEST: u64 = 64 << 20;

/// # Errors
///
/// With the name of the file, if it cannot be read, or is not a report that can be used.
pub(crate) fn read(path: &Path, hosts: &HostChanges) -> anyhow::Result<Report> {
    let name = || format!("--against {}", path.display());
    let file = open_regular(path).with_context(name)?;
    let mut text = String::new();
    let read = file.take(LARGEST).read_to_string(&mut text);
    let read = read.map_err(Into::into);
    let mut report = read.and_then(|_| parse(&text)).with_context(name)?;
    report.move_to(hosts);
    Ok(report)
}

fn parse(text: &str) -> anyhow::Result<Report> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let embedded = text.split_once(EMBEDDED);
    let json = match embedded.and_then(|(_, rest)| rest.split_once(END)) {
        Some((json, _)) => json,
        None if text.starts_with("<!") => {
            bail!("it is a page, but not one that `sitemap report` has made")
        }
        None => text,
    };
    // Its texts get into the report, and may have been changed.
    let report = serde_json::from_str::<Value>(&without_logins(json)).ok();
    let report = report.filter(|report| report.get("version").is_some());
    let Some(report) = report else {
        bail!(Advised::new(
            "it is not a report",
            "`sitemap diff` compares pages",
        ));
    };
    let version = report.get("version").and_then(Value::as_u64);
    if let Some(version) = version.filter(|version| *version > VERSION.into()) {
        bail!(Advised::new(
            format!("it was made by a later version of the program (report version {version})"),
            "update the program to read it",
        ));
    }
    serde_json::from_value(report).context("it is not a report")
}
