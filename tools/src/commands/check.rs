//! `sitemap check`.

mod pass;

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use quick_sitemap::chrono::{DateTime, Utc};

use self::pass::Check;
use crate::commands::config::{self, Config};
use crate::commands::options::Options;
use crate::findings::baseline::Baseline;
use crate::findings::format::Format;
use crate::findings::observer::Observer;
use crate::findings::report::Report;
use crate::findings::settings::Settings;
use crate::judge::hreflang::Figures;
use crate::judge::rules::{self, RuleName};
#[cfg(feature = "full")]
use crate::sets::destination::Destination;
use crate::source::input::Input;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::output;
use crate::term::status::Status;

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
/// An error costs pages at a search engine: something is rejected or dropped, completely or in part, as after a place that is
/// not well-formed XML. A warning is understood all the same, or costs something later. --rules lists the severities.
///
/// A site (a bare host name, or a URL without a path) is checked from its robots.txt through all of its sitemaps, and an
/// index at a URL is followed. A file can also be a list of pages as JSON Lines, CSV or TSV, as `sitemap crawl` and `show`
/// write them.
///
/// A folder is searched for *.xml, *.rss, *.atom and *.txt, compressed (.gz, .br, .zst) or not. Hidden files are ignored,
/// and so are links that lead out of the folder. A file that is not a sitemap is ignored unless its name contains `sitemap`; so is a
/// *.txt that does not begin with a URL. The parts that an index names must be in the folder.
///
/// Options can also be set in the table [check] of a file `sitemap.toml` in the working folder: deny = ["RULE"], allow
/// = ["RULE"], advice = true, all = true, summary = true, format = "github", location = "https://www.example.com/", baseline = "known.jsonl".
///
/// Exit status: 0 if there are no errors (there may be warnings), 1 if there are errors or a bound such as --max-pages
/// left something out, 2 if an input is not a sitemap or cannot be read to its end, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The sitemaps: sites, such as example.com, URLs, files, folders, or `-` for standard input
    #[arg(value_name = "SITE|URL|FILE|FOLDER|-", required_unless_present_any = ["explain", "rules"])]
    inputs: Vec<Input>,

    /// How findings are written
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,

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
    /// A finding is recognized by its rule, its sitemap, its page and its message, not by its line. Findings of FILE that
    /// are fixed are counted, and named with --verbose.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings of this run to the file of --baseline, which is replaced at the end; none is new then
    #[cfg(feature = "full")]
    #[arg(long)]
    update: bool,

    /// Name the findings of --baseline that are fixed
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut out = output::stdout();
    if let Some(name) = &arguments.explain {
        rules::explain(&mut out, name)?;
        out.flush()?;
        return Ok(Status::Success);
    }
    if arguments.rules {
        rules::list(&mut out)?;
        out.flush()?;
        return Ok(Status::Success);
    }
    arguments.options.columns.apply();
    let config = Config::find(arguments.options.config.as_deref())?.check;
    let baseline = arguments.baseline.clone().or(config.baseline.clone());
    let settings = Settings::new(arguments, config, SystemTime::now().into())?;
    #[cfg_attr(not(feature = "full"), expect(unused_mut, reason = "no input has a login"))]
    let mut inputs = Input::or_sites(&arguments.inputs);
    Input::stdin_once(inputs.iter().chain(&arguments.options.must_list))?;
    #[cfg(feature = "full")]
    arguments
        .options
        .network
        .login
        .give(Input::addresses(&mut inputs))?;
    interrupt::catch_while_reading("interrupted; the findings are those of what was read before")?;
    let form = match settings.summary {
        Some(_) => None,
        None => settings.format.form(),
    };
    #[cfg(feature = "full")]
    let mut update = match &baseline {
        Some(path) if arguments.update => Some(Destination::at(path)?),
        None if arguments.update => {
            anyhow::bail!("--update writes the file of --baseline, which is missing")
        }
        _ => None,
    };
    #[cfg(feature = "full")]
    let to_update = update.as_mut().map(|file| file as &mut dyn Write);
    #[cfg(not(feature = "full"))]
    let to_update = None;
    let baseline = match &baseline {
        Some(path) => Some(Baseline::read(path, to_update)?),
        None => None,
    };
    let report = Report::new(out, form, settings.all).against(baseline);
    let check = Check::over(&inputs, &arguments.options, &settings, report, messages)?;
    let status = check.finish(arguments.verbose, messages)?;
    #[cfg(feature = "full")]
    if let Some(file) = update {
        file.complete()?;
    }
    Ok(status)
}

/// The result of reading for an observer.
#[derive(Debug)]
pub(crate) struct Observed {
    /// Sitemaps that were read, whether to their end or not.
    pub(crate) files: u64,
    /// Inputs and sitemaps that could not be read, or not to their end.
    pub(crate) unreadable: u64,
    /// `true` if there are pages that were not read, because of a bound.
    pub(crate) has_more: bool,
    pub(crate) status: Status,
    pub(crate) languages: Figures,
}

/// Reads and judges as `sitemap check --advice`, but calls `observer` instead of printing.
///
/// # Errors
///
/// Those of the configuration file, and what the observer returns.
pub(crate) fn observe(
    inputs: &[Input],
    options: &Options,
    now: DateTime<Utc>,
    observer: &mut dyn Observer,
    messages: &Messages,
) -> anyhow::Result<Observed> {
    let config = Config::find(options.config.as_deref())?.check;
    let settings = Settings {
        format: Format::default(),
        summary: None,
        verdicts: options.verdicts(&config, true)?,
        all: false,
        location: options.location(config.location),
        now,
        network: options.network(),
    };
    let mut check = Check::over(
        inputs,
        options,
        &settings,
        Report::observed(observer),
        messages,
    )?;
    check.end(messages)?;
    Ok(Observed {
        files: check.files,
        unreadable: check.unreadable,
        has_more: check.has_more,
        status: check.status(),
        languages: check.languages,
    })
}

impl Settings {
    fn new(
        arguments: &Arguments,
        config: config::Check,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Self> {
        let options = &arguments.options;
        let verdicts = options.verdicts(&config, arguments.advice || config.advice)?;
        let format = arguments.format.or(config.format).unwrap_or_default();
        let wants_summary = arguments.summary || config.summary || format == Format::Markdown;
        // GitHub shows the annotations and, on the page of the job, the summary.
        let summary = match (wants_summary, format) {
            (false, _) | (true, Format::Github) => None,
            (true, format) => match format.summary() {
                Some(form) => Some(form),
                None => anyhow::bail!(
                    "--summary cannot be printed in this format; use --format text, markdown, jsonl or github"
                ),
            },
        };
        Ok(Self {
            format,
            summary,
            verdicts,
            // A program that reads findings groups them itself.
            all: arguments.all || config.all || matches!(format, Format::Jsonl | Format::Csv),
            // It shows in what relative URLs become.
            location: options.location(config.location),
            now,
            network: options.network(),
        })
    }
}
