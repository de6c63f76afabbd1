//! `sitemap report`: what sitemaps hold and what is wrong with them, as something to hand on.

mod against;
mod changes;
mod earlier;
mod found;
mod gather;
mod history;
mod languages;
mod model;
mod page;
mod probed;
mod sections;
mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::bail;
use clap::{Args, ValueEnum};
use quick_sitemap::chrono::{DateTime, Utc};

use self::against::Against;
use self::found::{Counted, Rules};
use self::gather::{Gatherer, OnPage};
use self::history::History;
use self::model::{Changes, Report, Run};
use self::page::words;
use crate::commands::config::Config;
use crate::commands::options::Options;
use crate::figures::names::shown;
use crate::findings::checker::{Checked, check};
use crate::sets::destination::Destination;
use crate::sets::files::Files;
use crate::sets::side;
use crate::source::input::Input;
use crate::term::address::no_url;
use crate::term::interrupt;
use crate::term::json;
use crate::term::messages::Messages;
use crate::term::output;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap report example.com                                   # the most important figures
  sitemap report example.com -o report.html                    # all of them, as a page
  sitemap report public/ -o new.html --against report.html     # what has changed since then
  sitemap report public/ -o report.html --history runs.jsonl   # charts over all runs
  sitemap report public/ --format json | jq .totals";

/// Summarize sitemaps: figures, findings by rule, sections, dates, languages
///
/// With --out, the report is one HTML page that loads nothing from elsewhere: it can be sent, stored and printed. It
/// contains counts and examples, not pages, so its size does not depend on the number of pages.
///
/// The sitemaps are read once, as by `sitemap check --advice`.
///
/// A site (a bare host name, or a URL without a path) is read from its robots.txt through all of its sitemaps, an index at
/// a URL is followed, and a folder is searched for sitemaps. The table [check] of a file `sitemap.toml` applies, too.
///
/// Exit status, as that of `sitemap check`: 0 if there are no errors, 1 if there are errors or a bound left something out,
/// 2 if an input is not a sitemap or cannot be read to its end, 130 after Ctrl-C. If nothing could be read, no report is
/// written.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The sitemaps: sites, such as example.com, URLs, files, folders, or `-` for standard input
    #[arg(value_name = "SITE|URL|FILE|FOLDER|-", required = true)]
    inputs: Vec<Input>,

    /// The file to write, instead of standard output (`-`); it is replaced when the report is complete
    #[arg(long, short, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// How the report is written; the default is text, and with --out html or json, by the end of the file's name
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,

    /// Compare with an earlier report (HTML or JSON), or with an earlier list of pages: a file, a folder or a site
    ///
    /// With a report, findings, sitemaps, results of the probe and figures are compared. A report contains no pages; with a
    /// list, pages are compared as by `sitemap diff`. The option can be used once for each.
    #[arg(long, value_name = "EARLIER")]
    against: Vec<Input>,

    /// Also write all findings to this file, as CSV; with an earlier report, a column marks them as new, known or fixed
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// The heading of the report, instead of the name of the site
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Include the results of `sitemap probe`: the file of its --resume, or its output as JSON Lines
    #[arg(long, value_name = "FILE")]
    probe: Option<PathBuf>,

    /// Append a line with the figures of this run to the file, as JSON Lines, and include all runs in the report
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The figures, the worst findings and bar charts, for a terminal
    Text,
    /// One page with all figures, charts and tables, which can be compared with --against
    Html,
    /// The complete report as one JSON object
    Json,
}

/// The earlier state to compare with, and its name.
#[derive(Default)]
struct Earlier {
    report: Option<Box<Report>>,
    pages: Option<Box<Against>>,
    names: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    arguments.options.columns.apply();
    let mut inputs = Input::or_sites(&arguments.inputs);
    let given = inputs.len();
    inputs.extend(arguments.against.iter().cloned().map(Input::or_site));
    arguments
        .options
        .network
        .login
        .give(Input::addresses(&mut inputs))?;
    let against = inputs.split_off(given);
    let must_list = &arguments.options.must_list;
    Input::stdin_once(inputs.iter().chain(&against).chain(must_list))?;
    if let Some(out) = &arguments.out {
        no_url(out, "--out is a file")?;
    }
    let format = format(arguments)?;
    let mut files = Files::default();
    files.reads_inputs(&inputs);
    for input in &against {
        files.reads("--against", input.path());
    }
    files.reads("--probe", arguments.probe.as_deref());
    files.writes("--history", arguments.history.as_deref());
    files.writes("--out", arguments.out.as_deref());
    files.writes("--csv", arguments.csv.as_deref());
    files.check()?;
    // Options that cannot be used are reported before a site is read.
    let history = arguments.history.as_deref();
    let mut history = history.map(History::find).transpose()?;
    let probe = arguments.probe.as_deref().map(probed::read).transpose()?;
    interrupt::catch_while_reading("interrupted; no report was written")?;
    let now: DateTime<Utc> = SystemTime::now().into();
    let mut earlier = Earlier::default();
    for input in &against {
        read_earlier(arguments, input, &mut earlier, messages)?;
    }
    let csv = match arguments.csv.as_deref() {
        Some(path) => {
            no_url(path, "--csv is a file")?;
            Some(Destination::at(path)?)
        }
        None => None,
    };
    let rules = Rules::new(earlier.report.as_deref(), csv)?;
    let (mut report, mut counted, checked) =
        read(arguments, &inputs, now, &mut earlier, rules, messages)?;
    interrupt::check()?;
    if checked.files == 0 {
        terminal::say_unread(&report, messages);
        messages.error("no sitemap could be read, so there is no report");
        return Ok(Status::Failure);
    }
    let is_whole = checked.unreadable == 0 && report.totals.unread == 0 && !checked.has_more;
    report.title = arguments.title.as_deref().map(shown);
    let name = arguments.csv.as_deref().and_then(Path::file_name);
    report.csv = name.map(|name| shown(&name.to_string_lossy()));
    report.probe = probe;
    report.changes = changes(earlier, &report, &mut counted, is_whole, checked.has_more)?;
    counted.complete()?;
    for note in report.changes.iter().flat_map(|changes| &changes.notes) {
        messages.warning(note.trim_end_matches('.'));
    }
    let run = Run {
        made: report.made.clone(),
        subject: report.subject.clone(),
        totals: report.totals.clone(),
    };
    if let Some(history) = &mut history {
        history.create()?;
        report.history = history.runs().cloned().collect();
        report.history.push(run.clone());
    }
    write(arguments, format, &report)?;
    if let Some(path) = out(arguments) {
        messages.note(format_args!(
            "{}: {}",
            path.display(),
            words::in_short(&report)
        ));
    }
    if let Some(history) = history {
        history.add(&run, messages)?;
    }
    Ok(checked.status())
}

fn read(
    arguments: &Arguments,
    inputs: &[Input],
    now: DateTime<Utc>,
    earlier: &mut Earlier,
    rules: Rules,
    messages: &Messages,
) -> anyhow::Result<(Report, Counted, Checked)> {
    let pages = earlier.pages.as_mut();
    let mut compare = pages.map(|against| |page: &_| against.now(page));
    let on_page = compare.as_mut().map(|compare| compare as &mut OnPage<'_>);
    let mut gatherer = Gatherer::new(now, on_page, rules);
    let config = Config::find(arguments.options.config.as_deref())?.check;
    let settings = arguments.options.settings(config, true, now)?;
    let checked = check(inputs, &settings, &mut gatherer, messages)?;
    let languages = languages::languages(&checked.languages);
    let (report, counted) = gatherer.finish(subject(inputs), languages)?;
    Ok((report, counted, checked))
}

/// The names of the inputs, without secrets.
fn subject(inputs: &[Input]) -> String {
    let mut names = inputs.iter().map(|input| shown(&input.to_string()));
    match (names.next(), names.next(), names.len()) {
        (Some(only), None, _) => only,
        (Some(first), Some(second), 0) => format!("{first} and {second}"),
        (Some(first), Some(_), more) => format!("{first} and {} more", more + 1),
        (None, ..) => String::new(),
    }
}

/// # Errors
///
/// If the earlier state cannot be read, or if there is one of its kind already.
fn read_earlier(
    arguments: &Arguments,
    input: &Input,
    earlier: &mut Earlier,
    messages: &Messages,
) -> anyhow::Result<()> {
    let name = shown(&input.to_string());
    let report = match input {
        Input::File(path) => earlier::read(path)?,
        _ => None,
    };
    if report.is_some() && earlier.report.is_some() || report.is_none() && earlier.pages.is_some() {
        bail!("--against {name}: only one earlier report and one list of pages can be compared");
    }
    earlier.names.push(name.clone());
    if let Some(report) = report {
        earlier.report = Some(Box::new(report));
        return Ok(());
    }
    let mut against = Against::new(name)?;
    let web = side::Web {
        scope: arguments.options.scope.clone(),
        network: arguments.options.network.clone(),
    };
    match side::read(&web, input, messages, &mut |page| against.before(page))? {
        side::Read::Pages(quick_sitemap::Completeness::Incomplete, _) => against.is_incomplete(),
        side::Read::Pages(..) => {}
        side::Read::Ended(Status::Interrupted) => bail!(interrupt::Interrupted),
        side::Read::Ended(_) => bail!("--against: {input} cannot be read"),
    }
    earlier.pages = Some(Box::new(against));
    Ok(())
}

/// `is_bounded`: a bound has left something out.
fn changes(
    earlier: Earlier,
    report: &Report,
    counted: &mut Counted,
    is_whole: bool,
    is_bounded: bool,
) -> anyhow::Result<Option<Changes>> {
    let since = earlier
        .report
        .map(|earlier| changes::since(&earlier, report, counted, is_bounded));
    let pages = earlier.pages.map(|against| against.finish(is_whole));
    let changes = match (since.transpose()?, pages.transpose()?) {
        (None, None) => return Ok(None),
        (Some(changes), None) | (None, Some(changes)) => changes,
        // Pages that were compared are better than numbers.
        (Some(since), Some(mut pages)) => Changes {
            pages_before: pages.pages_before,
            added: pages.added,
            removed: pages.removed,
            changed: pages.changed,
            sections: pages.sections,
            examples: pages.examples,
            notes: {
                pages.notes.extend(since.notes);
                pages.notes
            },
            ..since
        },
    };
    Ok(Some(Changes {
        earlier: earlier.names.join(" and "),
        ..changes
    }))
}

/// The file of `--out`; `-` is standard output.
fn out(arguments: &Arguments) -> Option<&Path> {
    let out = arguments.out.as_deref()?;
    (out != Path::new("-")).then_some(out)
}

/// # Errors
///
/// If neither `--format` nor the name of the file decides it: a page must not replace a sitemap.
fn format(arguments: &Arguments) -> anyhow::Result<Format> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let Some(path) = out(arguments) else {
        return Ok(Format::Text);
    };
    let extension = path.extension().unwrap_or_default();
    let is = |name: &str| extension.eq_ignore_ascii_case(name);
    match () {
        () if is("html") || is("htm") => Ok(Format::Html),
        () if is("json") => Ok(Format::Json),
        () => bail!(
            "--out {}: the name ends neither in .html nor in .json, so --format is needed",
            path.display()
        ),
    }
}

/// A file is written all or nothing.
fn write(arguments: &Arguments, format: Format, report: &Report) -> anyhow::Result<()> {
    let Some(path) = out(arguments) else {
        let mut out = output::stdout();
        print(report, format, &mut out, output::columns())?;
        out.flush()?;
        return Ok(());
    };
    // In memory: a report is small.
    let mut content = Vec::new();
    print(report, format, &mut content, None)?;
    interrupt::check()?;
    let mut file = Destination::at(path)?;
    file.write_all(&content)?;
    file.complete()?;
    Ok(())
}

fn print(
    report: &Report,
    format: Format,
    out: &mut dyn Write,
    width: Option<usize>,
) -> anyhow::Result<()> {
    match format {
        Format::Text => terminal::write(report, out, width)?,
        Format::Html => page::write(report, out)?,
        Format::Json => {
            out.write_all(json::text(report)?.as_bytes())?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}
