//! `--against`: an earlier report, and an earlier list of pages.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::Entry;
use serde::Deserialize;
use serde_json::Value;

use super::against::Against;
use super::changes;
use super::found::Rules;
use super::model::{Changes, Report, VERSION};
use crate::disk::open_regular;
use crate::findings::settings::Settings;
use crate::publish::change::HostChanges;
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::NotRead;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Item, Outcome};
use crate::term::address::{shown, without_logins};
use crate::term::interrupt;
use crate::term::messages::{Advised, Messages};

/// The beginning of the element of a page that holds the report as JSON, in which `<` is written `\u003c`.
pub(crate) const EMBEDDED: &str = "<script type=\"application/json\" id=\"report\">";
const END: &str = "</script>";

/// No report has more bytes.
const LARGEST: u64 = 64 << 20;
/// How far is looked for what a file is.
const HEAD: usize = 1 << 10;

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
            earlier.add(input, hosts, settings, messages)?;
        }
        Ok(earlier)
    }

    /// Adds an earlier report, or earlier pages. There can be one of each.
    fn add(
        &mut self,
        input: &Input,
        hosts: &HostChanges,
        settings: &Settings,
        messages: &Messages,
    ) -> anyhow::Result<()> {
        let name = shown(&input.to_string());
        let report = match input {
            Input::File(path) => read_report(path)?,
            _ => None,
        };
        if report.is_some() && self.report.is_some() || report.is_none() && self.pages.is_some() {
            bail!(
                "--against {name}: only one earlier report and one list of pages can be compared"
            );
        }
        self.names.push(name.clone());
        if let Some(report) = report {
            self.report = Some(report);
            return Ok(());
        }
        let mut pages = Pages {
            against: Against::new(name)?,
            hosts,
            documents: 0,
        };
        // As the present state is read, so that a state does not differ from itself.
        let options = intake::Options {
            location: settings.location.as_ref(),
            no_follow: settings.no_follow,
            ..intake::Options::new(&settings.reading, messages)
        };
        intake::read(std::slice::from_ref(input), &options, &mut pages)?;
        interrupt::check()?;
        if pages.documents == 0 {
            bail!("--against: {input} cannot be read");
        }
        self.pages = Some(pages.against);
        Ok(())
    }

    /// The changes since then. `is_whole`: nothing is missing now. `is_bounded`: a bound has left something out.
    pub(crate) fn changes(
        self,
        report: &Report,
        counted: &mut Rules,
        is_whole: bool,
        is_bounded: bool,
    ) -> anyhow::Result<Option<Changes>> {
        let since = self
            .report
            .map(|earlier| changes::since(&earlier, report, counted, is_bounded));
        let pages = self.pages.map(|against| against.finish(is_whole));
        let changes = match (since.transpose()?, pages.transpose()?) {
            (None, None) => return Ok(None),
            (Some(changes), None) | (None, Some(changes)) => changes,
            // Pages that were compared are better than numbers.
            (Some(since), Some(mut pages)) => {
                pages.notes.extend(since.notes);
                Changes {
                    made: since.made,
                    totals: since.totals,
                    findings: since.findings,
                    sitemaps: since.sitemaps,
                    verdicts: since.verdicts,
                    ..pages
                }
            }
        };
        Ok(Some(Changes {
            earlier: self.names.join(" and "),
            ..changes
        }))
    }
}

/// The pages of an earlier state.
struct Pages<'h> {
    against: Against,
    hosts: &'h HostChanges,
    documents: u64,
}

impl Sink for Pages<'_> {
    fn item(&mut self, _: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        match item.take() {
            Ok(Entry::Url(mut page)) => {
                self.hosts.apply(&mut page);
                self.against.before(page)?;
            }
            Ok(Entry::Sitemap(_)) => {}
            Err(_) => self.against.is_incomplete(),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, _: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        self.against.has_fields(end.fields);
        if !end.is_unopened() {
            self.documents += 1;
        }
        if !matches!(end.outcome, Outcome::Whole) {
            self.against.is_incomplete();
        }
        Ok(())
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        if not_read.why.is_lost() {
            self.against.is_incomplete();
        }
        Ok(())
    }
}

/// The report in a file; `None` if the file is something else.
///
/// # Errors
///
/// With the name of the file, if it cannot be read, or holds a report that cannot be used.
fn read_report(path: &Path) -> anyhow::Result<Option<Report>> {
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
    // Its texts get into the report, and may have been changed.
    let mut report = serde_json::from_str(text).context("it is not a report")?;
    hide_logins(&mut report);
    serde_json::from_value(report).context("it is not a report")
}

/// Takes users and passwords out of all texts.
fn hide_logins(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = without_logins(text) {
                *text = shown;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(hide_logins),
        Value::Object(fields) => fields.values_mut().for_each(hide_logins),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
