//! `sitemap check`.

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::disk::destination::Destination;
use crate::disk::destination::Out;
use crate::findings::answered::Answered;
use crate::findings::baseline::Baseline;
use crate::findings::checker::{Checked, check};
use crate::findings::format::FindingFormat;
use crate::findings::report::Report;
use crate::findings::settings::Settings;
use crate::findings::summary::append_to_step;
use crate::findings::totals::Totals;
use crate::judge::host_changes::HostChanges;
use crate::judge::rules::{self, RuleName};
use crate::source::input::Input;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::status::Status;
use clap::Args;

const AFTER: &str = "\
Examples:
  sitemap check example.com                                  # a live site
  sitemap check public/                                      # a folder
  sitemap check sitemap.xml --location https://www.example.com/sitemap.xml
  sitemap check public/ --deny missing-loc,duplicate-url     # fail for these
  sitemap check public/ --summary --advice                   # one row per rule
  sitemap check public/ --format github                      # in GitHub Actions
  sitemap check public/ --baseline known.jsonl --update      # accept what is there
  sitemap check public/ --baseline known.jsonl               # fail for new findings
  sitemap check --explain outside-location";

/// Report problems of sitemaps in the style of compiler diagnostics
///
/// Each finding is shown with its rule in brackets and with its line, in which the place is underlined. User names and
/// passwords in URLs are replaced by `***`. The first five findings per rule and file are shown.
///
/// An error costs pages at a search engine, which rejects or drops something, completely or in part: a parser stops at the first
/// place that is not well-formed XML. A warning costs no page by itself; further places that are not well-formed are warnings,
/// too. --rules lists the severities.
///
/// A site (a bare host name, or a URL without a path) is checked from its robots.txt through all of its sitemaps, and an
/// index at a URL is followed. A file can also be a list of pages as JSON Lines, CSV or TSV, as `sitemap crawl` and `show`
/// write them.
///
/// A folder is searched for *.xml, *.rss, *.atom and *.txt, gzipped (.gz) or not. Hidden files are ignored,
/// and so are links that lead out of the folder. A file that is not a sitemap is ignored unless its name contains `sitemap`; so is a
/// *.txt that does not begin with a URL. The parts that an index names must be in the folder.
///
/// Options can also be set in the table [check] of a file `sitemap.toml` in the working folder: deny = ["RULE"], advice =
/// true, format = "github", location = "https://www.example.com/".
///
/// Exit status: 0 if there are no errors (there may be warnings), 1 if there are errors or a bound such as --max-pages
/// left something out, 2 if an input cannot be opened, or if nothing could be read and no error says why, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER,
    mut_arg("replace_host", |argument| {
        argument.requires("baseline").long_help(None::<&str>).help(
            "Compare findings of --baseline at the host FROM as if they were at TO; both can have a scheme and a port",
        )
    }),
)]
pub(crate) struct Arguments {
    /// The sitemaps: sites, such as example.com, URLs, files, folders, or `-` for standard input
    #[arg(value_name = "SITE|URL|FILE|FOLDER|-", required_unless_present_any = ["explain", "rules"])]
    inputs: Vec<Input>,

    /// How findings are written [default: text, or by the name of --out]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<FindingFormat>,

    #[command(flatten)]
    out: Out,

    /// Also report what search engines and browsers ignore: dates that cannot be true or that many pages share, tags
    /// without effect, pages listed twice, locs escaped twice, old news, contradictory alternates, XSLT style sheets
    #[arg(long)]
    advice: bool,

    /// Show every finding, not only the first five per rule and file
    #[arg(long)]
    all: bool,

    /// Show one table instead of the findings: a row per rule with the numbers of sitemaps and of findings and one
    /// example, worst first
    #[arg(long)]
    summary: bool,

    /// Explain a rule: its consequence, and how to fix violations
    #[arg(long, value_name = "RULE", value_parser = RuleName::ToExplain, hide_possible_values = true, conflicts_with = "rules")]
    explain: Option<String>,

    /// List all rules with their severities and the reasons
    #[arg(long)]
    rules: bool,

    /// Report only new findings: those of FILE, which an earlier `check --format jsonl` wrote, are counted and do not
    /// change the exit status
    ///
    /// A finding is recognized by its rule, its sitemap, its page and its element, not by its line or its message. Findings of FILE that
    /// are fixed are counted, and named with --verbose.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings of this run to the file of --baseline, which is replaced at the end; none is new then
    #[arg(long)]
    update: bool,

    /// Name the findings of --baseline that are fixed
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    hosts: HostChanges,

    #[command(flatten)]
    options: Settings,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    if arguments.rules || arguments.explain.is_some() {
        return arguments.describe_rules();
    }
    let format = arguments.out.format(arguments.format)?.unwrap_or_default();
    let form = format.form(arguments.summary, arguments.baseline.is_some())?;
    let all = arguments.all || format.lists_all();
    let now = SystemTime::now().into();
    let settings = arguments.options.judged(arguments.advice, now)?;
    let must_list = &arguments.options.must_list;
    let inputs = Input::prepare(&arguments.inputs, must_list, &settings.reading.network)?;
    let files = Input::files(&inputs).writes("--out", arguments.out.path());
    let files = files.writes("--baseline", arguments.baseline.as_deref());
    files.check()?;
    interrupt::catch_while_reading("interrupted; the findings are those of what was read before")?;
    let mut update = arguments.update()?;
    let to_update = update.as_mut().map(|file| file as &mut dyn Write);
    let baseline = arguments.baseline.as_deref();
    let baseline = baseline
        .map(|path| Baseline::read(path, to_update, &arguments.hosts))
        .transpose()?;
    let mut out = arguments.out.open()?;
    if format == FindingFormat::Csv {
        out.begin_csv()?;
    }
    let mut report = Report {
        out,
        form,
        all,
        baseline,
    };
    report.start()?;
    let checked = check(&inputs, &settings, &mut report, messages)?;
    let answered = Answered::new(&checked, &settings, &inputs, &arguments.hosts);
    let baseline = report.baseline.as_mut();
    let known = baseline.map(|known| known.finish(&answered, arguments.verbose, messages));
    let totals = Totals::of(&checked, known.transpose()?);
    arguments
        .hosts
        .print_unused("a sitemap or a finding", messages);
    let out = report.finish(&checked, &totals)?;
    // Before the note that the findings are known.
    if !interrupt::is_requested() {
        update.map(Destination::complete).transpose()?;
    }
    print_totals(format, &checked, &totals, messages);
    interrupt::check()?;
    // A file is not replaced by an empty one.
    if checked.account.read > 0 {
        out.complete()?;
    }
    Ok(checked.status())
}

/// Reports the numbers to people, and to the page of a job of GitHub Actions.
fn print_totals(format: FindingFormat, checked: &Checked, totals: &Totals, messages: &Messages) {
    if format == FindingFormat::Github
        && let Err(error) = append_to_step(&checked.tally.rows(), totals)
    {
        messages.warning(format_args!("the summary cannot be appended: {error:#}"));
    }
    if format.is_for_people() && checked.account.read > 0 {
        messages.note(match checked.account.ignored() {
            0 => totals.to_string(),
            others => format!("{totals} ({} ignored)", Count(others, "other file")),
        });
    }
}

impl Arguments {
    /// What `--explain` and `--rules` print.
    fn describe_rules(&self) -> anyhow::Result<Status> {
        let mut out = self.out.open()?;
        match &self.explain {
            Some(name) => rules::explain(&mut out, name)?,
            None => rules::list(&mut out)?,
        }
        out.complete()?;
        Ok(Status::Success)
    }

    /// The file of `--update`.
    fn update(&self) -> anyhow::Result<Option<Destination>> {
        Ok(match &self.baseline {
            Some(path) if self.update => Some(Destination::at(path)?),
            None if self.update => {
                anyhow::bail!("--update writes the file of --baseline, which is missing")
            }
            _ => None,
        })
    }
}
