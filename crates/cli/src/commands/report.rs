//! `sitemap report`: what sitemaps hold and what is wrong with them, as something to hand on.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::bail;
use clap::Args;

use crate::disk::destination::Destination;
use crate::findings::answered::Answered;
use crate::findings::checker::{Checked, check};
use crate::findings::settings::Settings;
use crate::judge::host_changes::HostChanges;
use crate::report::found::Rules;
use crate::report::gather::Gatherer;
use crate::report::history::{self, History};
use crate::report::model::{Report, Run};
use crate::report::output::ReportFormat;
use crate::report::words::in_short;
use crate::report::{changes, earlier, probed, terminal};
use crate::source::input::Input;
use crate::term::address::shown;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap report example.com                                   # the most important figures
  sitemap report example.com -o report.html                    # all of them, as a page
  sitemap report public/ -o new.html --against report.html     # what has changed since then
  sitemap report public/ -o report.html --history runs.jsonl   # figures of all runs
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
/// 2 if an input cannot be opened, or if nothing could be read and no error says why, 130 after Ctrl-C. If nothing could be
/// read, no report is written.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER,
    mut_arg("replace_host", |argument| {
        argument.long_help(None::<&str>).help(
            "Compare findings of --against at the host FROM as if they were at TO; both can have a scheme and a port",
        )
    }),
)]
pub(crate) struct Arguments {
    /// The sitemaps: sites, such as example.com, URLs, files, folders, or `-` for standard input
    #[arg(value_name = "SITE|URL|FILE|FOLDER|-", required = true)]
    inputs: Vec<Input>,

    /// The file to write, instead of standard output (`-`); it is replaced when the report is complete
    #[arg(long, short, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// How the report is written; the default is text, and with --out html or json, by the end of the file's name
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<ReportFormat>,

    /// Compare with an earlier report (HTML or JSON): its findings, sitemaps, results of the probe and figures
    ///
    /// A report contains no pages; `sitemap diff` compares pages.
    #[arg(long, value_name = "REPORT")]
    against: Option<PathBuf>,

    /// Also write all findings, and the results of --probe that are not `ok`, to this file (`-` is standard output), as CSV; with an earlier report, a column marks them as new, known or fixed
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
    hosts: HostChanges,

    #[command(flatten)]
    options: Settings,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let must_list = &arguments.options.must_list;
    let network = &arguments.options.reading.network;
    let inputs = Input::prepare(&arguments.inputs, must_list, network)?;
    arguments.check_files(&inputs)?;
    let out = arguments.out.as_deref();
    let out = out.filter(|out| *out != Path::new("-"));
    let csv = arguments.csv.as_deref();
    let format = ReportFormat::find(arguments.format, out)?;
    // Options that cannot be used are reported before a site is read.
    let history = arguments.history.as_deref();
    let mut history = history.map(History::find).transpose()?;
    interrupt::catch_while_reading("interrupted; no report was written")?;
    let settings = arguments.options.judged(true, SystemTime::now().into())?;
    let against = arguments.against.as_deref();
    let earlier = against.map(|path| earlier::read(path, &arguments.hosts));
    let earlier = earlier.transpose()?;
    let found = csv.map(Destination::at).transpose()?;
    let mut rules = Rules::new(earlier.as_ref(), &arguments.hosts, found)?;
    let probe = arguments.probe.as_deref();
    let probe = probe.map(|path| probed::read(path, &mut |found| rules.probed(found)));
    let probe = probe.transpose()?;
    // The inputs are read once, for the figures and the findings.
    let mut gatherer = Gatherer::new(settings.now, rules);
    let checked = check(&inputs, &settings, &mut gatherer, messages)?;
    let (mut report, mut counted) = gatherer.finish(subject(&inputs), &checked);
    interrupt::check()?;
    if checked.account.read == 0 {
        return nothing(&report, &checked, history, messages);
    }
    report.title = arguments.title.as_deref().map(shown);
    let name = csv.and_then(Path::file_name).filter(|name| *name != "-");
    report.csv = name.map(|name| shown(&name.to_string_lossy()));
    report.probe = probe;
    if let (Some(earlier), Some(path)) = (&earlier, against) {
        let answered = Answered::new(&checked, &settings, &inputs, &arguments.hosts);
        let name = shown(&path.display().to_string());
        let changes = changes::since(earlier, name, &report, &mut counted, &answered)?;
        report.changes = Some(changes);
    }
    counted.complete()?;
    arguments
        .hosts
        .print_unused("a sitemap or a finding", messages);
    for note in report.changes.iter().flat_map(|changes| &changes.notes) {
        messages.warning(note.trim_end_matches('.'));
    }
    let run = run_of(&report);
    if let Some(history) = &mut history {
        report.history = std::mem::take(&mut history.runs);
        report.history.push(run.clone());
    }
    format.write(&report, out)?;
    if let Some(path) = out {
        let path = path.display();
        messages.note(format_args!("{path}: {}", in_short(&report)));
    }
    if let Some(history) = history {
        history.add(&run, messages)?;
    }
    Ok(checked.status())
}

impl Arguments {
    /// # Errors
    ///
    /// If a file is read and written, or if two outputs are one.
    fn check_files(&self, inputs: &[Input]) -> anyhow::Result<()> {
        Input::files(inputs)
            .reads("--against", self.against.as_deref())
            .reads("--probe", self.probe.as_deref())
            .writes("--history", self.history.as_deref())
            .writes("--out", self.out.as_deref())
            .writes("--csv", self.csv.as_deref())
            .check()?;
        let is_stdout = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if is_stdout(&self.csv) && (self.out.is_none() || is_stdout(&self.out)) {
            bail!("--csv - needs --out, because the report is written to standard output, too");
        }
        Ok(())
    }
}

/// The end of a run that could not read anything, which is a gap in the history.
fn nothing(
    report: &Report,
    checked: &Checked,
    history: Option<History>,
    messages: &Messages,
) -> anyhow::Result<Status> {
    terminal::print_unread(report, messages);
    messages.error("no sitemap could be read, so there is no report");
    if let Some(history) = history
        && !checked.account.has_wrong_input
    {
        history.add(&run_of(report), messages)?;
    }
    Ok(checked.status().max(Status::Findings))
}

/// The line of the history.
fn run_of(report: &Report) -> Run {
    Run {
        made: report.made.clone(),
        version: history::VERSION,
        subject: report.subject.clone(),
        part: report.not_whole.clone(),
        totals: report.totals.clone(),
    }
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
