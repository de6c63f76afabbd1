//! `--against`: an earlier report, and an earlier list of pages.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use super::against::Against;
use super::changes;
use super::found::Rules;
use super::model::{Changes, Report, VERSION};
use super::output::ReportFormat;
use crate::disk::destination::format_of_name;
use crate::disk::open_regular;
use crate::findings::settings::Settings;
use crate::judge::host_changes::HostChanges;
use crate::source::input::Input;
use crate::term::address::{shown, without_logins};
use crate::term::messages::{Advised, Messages};

/// The beginning of the element of a page that holds the report as JSON, in which `<` is written `\u003c`.
pub(crate) const EMBEDDED: &str = "<script type=\"application/json\" id=\"report\">";
const END: &str = "</script>";

/// No report has more bytes.
const LARGEST: u64 = 64 << 20;

/// At most one of each kind.
#[derive(Default)]
pub(crate) struct Earlier {
    pub(crate) report: Option<Report>,
    pub(crate) pages: Option<Against>,
    names: Vec<String>,
}

impl Earlier {
    /// # Errors
    ///
    /// If an earlier state cannot be read, or if there are two of a kind.
    pub(crate) fn read(
        inputs: &[Input],
        hosts: &HostChanges,
        settings: &Settings,
        messages: &Messages,
    ) -> anyhow::Result<Self> {
        let mut earlier = Self::default();
        for input in inputs {
            let name = shown(&input.to_string());
            let mut report = input.path().map(read_report).transpose()?.flatten();
            if let Some(report) = &mut report {
                report.move_to(hosts);
            }
            let is_second = match report {
                Some(_) => earlier.report.is_some(),
                None => earlier.pages.is_some(),
            };
            if is_second {
                bail!(
                    "--against {name}: only one earlier report and one list of pages can be compared"
                );
            }
            earlier.names.push(name);
            if report.is_none() {
                earlier.pages = Some(Against::read(input, hosts, settings, messages)?);
            }
            earlier.report = earlier.report.take().or(report);
        }
        Ok(earlier)
    }

    /// The changes since then. `is_whole`: nothing is missing now.
    pub(crate) fn changes(
        self,
        report: &Report,
        counted: &mut Rules,
        is_whole: bool,
    ) -> anyhow::Result<Option<Changes>> {
        let mut changes = Changes {
            earlier: self.names.join(" and "),
            ..Changes::default()
        };
        if let Some(earlier) = &self.report {
            changes::since(earlier, report, counted, &mut changes)?;
        }
        // Pages that were compared are better than numbers.
        if let Some(pages) = self.pages {
            pages.finish(is_whole, &mut changes)?;
        }
        Ok(Some(changes).filter(|_| !self.names.is_empty()))
    }
}

/// The report in a file whose name ends in `.html` or `.json`; `None` if the file is something else.
///
/// # Errors
///
/// With the name of the file, if it cannot be read, or holds a report that cannot be used.
fn read_report(path: &Path) -> anyhow::Result<Option<Report>> {
    let format = format_of_name("--against", path).ok().flatten();
    let format = format.filter(|format| *format != ReportFormat::Text);
    // A folder, or the error of reading it as a sitemap.
    let (Some(format), Ok(file)) = (format, open_regular(path)) else {
        return Ok(None);
    };
    let mut text = String::new();
    let read = file.take(LARGEST).read_to_string(&mut text);
    let report = read.map_err(Into::into).and_then(|_| parse(&text, format));
    report.with_context(|| path.display().to_string())
}

fn parse(text: &str, format: ReportFormat) -> anyhow::Result<Option<Report>> {
    let embedded = text.split_once(EMBEDDED);
    let embedded = embedded.and_then(|(_, rest)| rest.split_once(END));
    let json = match (format, embedded) {
        (_, Some((json, _))) => json,
        (ReportFormat::Html, None) => {
            bail!("it is a page, but not one that `sitemap report` has made")
        }
        _ => text.trim_start_matches('\u{feff}'),
    };
    let Ok(report) = serde_json::from_str::<Value>(json) else {
        return Ok(None);
    };
    let version = report.get("version").and_then(Value::as_u64);
    if let Some(version) = version.filter(|version| *version > VERSION.into()) {
        bail!(Advised::new(
            format!("it was made by a later version of the program (report version {version})"),
            "update the program to read it",
        ));
    }
    // Its texts get into the report, and may have been changed.
    let report = serde_json::from_str(&without_logins(&report.to_string()));
    report.context("it is not a report").map(Some)
}
