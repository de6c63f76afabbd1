//! `sitemap check`.

mod advice;
mod folder;
mod form;
mod report;
mod rules;
mod source;
mod verdicts;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Error, ErrorKind, Issue, Reader, ReaderBuilder};
use serde::Deserialize;

use self::advice::Adviser;
use self::report::{Excerpts, Finding, Report};
use self::source::{Shared, Source};
use self::verdicts::Verdicts;
use crate::config::{self, Config};
use crate::count::Count;
use crate::input::Input;
use crate::messages::{Messages, Severity};
use crate::output;
use crate::status::Status;

/// Say what is wrong with sitemaps, as compilers do
///
/// Each finding has its rule in brackets, the line that it is on, and the place underlined. It is an error where it
/// costs an entry or the rule is denied, else a warning. Of each rule the first five findings of a file are shown.
///
/// A folder is searched for *.xml, *.rss, *.atom and *.txt, gzipped (.gz) or not, hidden ones and links left out. What is
/// no sitemap there is passed over, unless its name has `sitemap` in it; so is a *.txt that does not begin with a URL.
///
/// Options can also stand in the table [check] of a file `sitemap.toml` in the working folder: deny = ["RULE"],
/// allow = ["RULE"], advice = true, all = true, format = "github", location = "https://www.example.com/".
///
/// Exit status: 0 no errors, 1 errors, 2 an input is no sitemap or cannot be read to its end.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The sitemaps: files, folders, URLs, or `-` for standard input
    #[arg(value_name = "URL|FILE|FOLDER|-", required_unless_present_any = ["explain", "rules"])]
    inputs: Vec<Input>,

    /// How findings are written
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,

    /// A breach of the rule is an error; `all` for every rule that is not named
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    deny: Vec<String>,

    /// A breach of the rule is not mentioned; `all` for every rule that is not named
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    allow: Vec<String>,

    /// Say too what search engines make of it: what they ignore, dates that they do not believe, pages listed twice,
    /// old news, hreflang links that do not come back
    #[arg(long)]
    advice: bool,

    /// Show every finding, not only the first five of a rule in a file
    #[arg(long)]
    all: bool,

    /// Where the sitemap is on the web: relative URLs are resolved, and pages noted that a sitemap there may not list
    ///
    /// For one file, or for a folder whose files lie below that URL, which ends with a slash. A sitemap that is read
    /// from a URL is where it was found.
    #[arg(long, value_name = "URL")]
    location: Option<Url>,

    /// The configuration file, instead of `sitemap.toml` in the working folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Say what a rule wants, why, and what to do
    #[arg(long, value_name = "RULE", conflicts_with = "rules")]
    explain: Option<String>,

    /// List all rules
    #[arg(long)]
    rules: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// For people, with the line underlined
    #[default]
    Text,
    /// For editors: file:line:column: severity: message [rule]
    Short,
    /// JSON Lines: an object for each finding, without a limit of five
    Json,
    /// Commands of GitHub Actions, which annotate a pull request
    Github,
    /// SARIF 2.1.0, which code hosts show
    Sarif,
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
    let config = Config::find(arguments.config.as_deref())?.check;
    let settings = Settings::new(arguments, config, SystemTime::now().into())?;
    let (targets, failed) = targets(&arguments.inputs, settings.location.as_ref(), messages)?;
    let form = form::of(settings.format);
    let mut check = Check {
        report: Report::new(out, form, settings.all),
        adviser: settings
            .looks_for_advice
            .then(|| Adviser::new(settings.now)),
        settings: &settings,
        targets: &targets,
        entries: 0,
        files: 0,
        no_sitemaps: 0,
        unreadable: u64::from(failed),
    };
    check.report.begin()?;
    for index in 0..targets.len() {
        check.target(index)?;
    }
    check.finish(messages)
}

/// What the command line and the configuration file say together.
struct Settings {
    format: Format,
    verdicts: Verdicts,
    advice: bool,
    looks_for_advice: bool,
    all: bool,
    location: Option<Url>,
    /// The moment that dates are judged at.
    now: DateTime<Utc>,
}

impl Settings {
    fn new(
        arguments: &Arguments,
        config: config::Check,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Self> {
        let mut verdicts = Verdicts::default();
        verdicts.set(&config.deny, &config.allow)?;
        verdicts.set(&arguments.deny, &arguments.allow)?;
        let advice = arguments.advice || config.advice;
        let format = arguments.format.or(config.format).unwrap_or_default();
        Ok(Self {
            format,
            looks_for_advice: advice || verdicts.ask_for_advice(),
            verdicts,
            advice,
            // Whoever reads JSON Lines does the grouping.
            all: arguments.all || config.all || format == Format::Json,
            location: arguments.location.clone().or(config.location),
            now,
        })
    }
}

/// One sitemap to check.
struct Target {
    name: String,
    input: Input,
    location: Option<Url>,
    /// It was found in a folder, and may be something else.
    is_guess: bool,
}

/// The sitemaps of all inputs, folders searched; and whether there was none in a folder.
fn targets(
    inputs: &[Input],
    location: Option<&Url>,
    messages: &Messages,
) -> anyhow::Result<(Vec<Target>, bool)> {
    if location.is_some() && inputs.len() > 1 {
        anyhow::bail!("a location is that of one file or folder");
    }
    let mut targets = Vec::new();
    let mut failed = false;
    for input in inputs {
        let folder = match input {
            Input::File(path) if path.is_dir() => path,
            _ => {
                targets.push(Target {
                    name: input.to_string(),
                    input: input.clone(),
                    location: location.cloned(),
                    is_guess: false,
                });
                continue;
            }
        };
        let before = targets.len();
        for found in folder::search(folder) {
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    messages.error(error);
                    failed = true;
                    continue;
                }
            };
            targets.push(Target {
                name: found.path.display().to_string(),
                location: location.and_then(|base| base.join(&found.relative).ok()),
                input: Input::File(found.path),
                is_guess: found.is_guess,
            });
        }
        if targets.len() == before {
            messages.error(format_args!(
                "{input}: there are no sitemaps in this folder"
            ));
            failed = true;
        }
    }
    Ok((targets, failed))
}

struct Check<'a> {
    report: Report,
    adviser: Option<Adviser>,
    settings: &'a Settings,
    targets: &'a [Target],
    entries: u64,
    files: u64,
    /// Files of folders that turned out to be something else.
    no_sitemaps: u64,
    unreadable: u64,
}

impl Check<'_> {
    /// An error is one of the output's.
    fn target(&mut self, index: usize) -> anyhow::Result<()> {
        let Some(target) = self.targets.get(index) else {
            return Ok(());
        };
        let opened = match target.input.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.unreadable += 1;
                let finding = Finding::unopened(&target.name, &error);
                self.report
                    .finding(&target.name, &finding, &mut Excerpts::None)?;
                return self.report.end_file(&target.name);
            }
        };
        let mut excerpts = Excerpts::None;
        let mut bytes: Box<dyn Read> = opened.reader;
        if self.report.wants_excerpts() {
            excerpts = Excerpts::of_file(&target.input);
            if let Excerpts::None = excerpts {
                let (library, other) = Shared::heads(bytes);
                bytes = library;
                excerpts = Excerpts::Following(Source::new(other));
            }
        }
        let mut builder = ReaderBuilder::new();
        if let Some(location) = target.location.clone().or(opened.location) {
            builder = builder.location(location);
        }
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(index);
        }
        let mut reader = builder.build(bytes);
        let is_sitemap = self.read(&mut reader, target, &mut excerpts)?;
        self.files += u64::from(reader.format().is_some());
        self.no_sitemaps += u64::from(!is_sitemap);
        self.entries += reader.summary().entries;
        self.report.end_file(&target.name)
    }

    /// Whether it is a sitemap, or was expected to be one.
    fn read(
        &mut self,
        reader: &mut Reader<Box<dyn Read>>,
        target: &Target,
        excerpts: &mut Excerpts,
    ) -> anyhow::Result<bool> {
        let mut last = 0;
        loop {
            excerpts.follow(last);
            // Raw first: that says where each element of the entry stands.
            let places = match reader.read_raw() {
                Ok(Some(raw)) => {
                    last = raw.position().byte();
                    let adviser = self.adviser.as_ref();
                    Ok(Some(adviser.map(|adviser| adviser.places(raw))))
                }
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            let (entry, places) = match places {
                Ok(Some(places)) => (reader.to_entry().map(Some), places),
                Ok(None) => (Ok(None), None),
                Err(error) => (Err(error), None),
            };
            let mut findings: Vec<Finding> = reader
                .issues()
                .iter()
                .filter_map(|issue| self.of_issue(issue))
                .collect();
            let mut is_end = false;
            match entry {
                Ok(Some(entry)) => {
                    if let (Some(adviser), Some(places), Some(entry)) =
                        (&mut self.adviser, places, entry)
                    {
                        let advice = adviser.judge(&entry, &places);
                        findings.extend(advice.into_iter().filter_map(|advice| {
                            let severity = self
                                .settings
                                .verdicts
                                .of_advice(advice.rule, self.settings.advice)?;
                            Some(Finding::advice(advice, severity))
                        }));
                    }
                }
                Ok(None) => is_end = true,
                // The reader is lenient: an error is fatal, or one that asking again won't mend.
                Err(error) => {
                    if target.is_guess && is_something_else(&error) {
                        return Ok(false);
                    }
                    self.unreadable += 1;
                    findings.push(Finding::error(&error));
                    is_end = true;
                }
            }
            findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
            for finding in &findings {
                self.report.finding(&target.name, finding, excerpts)?;
            }
            if is_end {
                return Ok(true);
            }
        }
    }

    fn of_issue(&self, issue: &Issue) -> Option<Finding> {
        let severity = self.settings.verdicts.of_issue(issue)?;
        Some(Finding::issue(issue, severity))
    }

    fn finish(mut self, messages: &Messages) -> anyhow::Result<Status> {
        if let Some(adviser) = self.adviser.take() {
            self.links(adviser)?;
        }
        if self.files == 0 && self.unreadable == 0 {
            self.unreadable += 1;
            messages.error(format_args!(
                "there are no sitemaps: {} passed over",
                Count(self.no_sitemaps, "file")
            ));
        }
        let [advice, warnings, errors] = self.report.counts();
        let status = match (self.unreadable, errors) {
            (1.., _) => Status::Failure,
            (0, 1..) => Status::Findings,
            (0, 0) => Status::Success,
        };
        self.report.end(status)?;
        let is_for_people = matches!(self.settings.format, Format::Text | Format::Short);
        if is_for_people && self.files > 0 {
            let found: Vec<String> = [
                Count(errors, "error"),
                Count(warnings, "warning"),
                Count(advice, "piece of advice"),
            ]
            .iter()
            .filter(|quantity| quantity.0 > 0)
            .map(ToString::to_string)
            .collect();
            let found = match found.is_empty() {
                true if status != Status::Success => "not all could be read".to_owned(),
                true => "nothing is wrong".to_owned(),
                false => found.join(", "),
            };
            let files = Count(self.files, "sitemap");
            let entries = Count(self.entries, "entry");
            let others = match self.no_sitemaps {
                0 => String::new(),
                n => format!(" ({} passed over)", Count(n, "other file")),
            };
            messages.note(format_args!("{files}, {entries}: {found}{others}"));
        }
        Ok(status)
    }

    /// The hreflang links that do not come back, which is known when all files have been read.
    fn links(&mut self, adviser: Adviser) -> anyhow::Result<()> {
        let severity = self
            .settings
            .verdicts
            .of_advice(advice::WITHOUT_RETURN, self.settings.advice);
        let Some(severity) = severity else {
            return Ok(());
        };
        let mut current: Option<(usize, Excerpts)> = None;
        for (file, advice) in adviser.unreturned() {
            let Some(target) = self.targets.get(file) else {
                continue;
            };
            if current.as_ref().is_none_or(|(before, _)| *before != file) {
                if let Some(before) = current.and_then(|(before, _)| self.targets.get(before)) {
                    self.report.end_file(&before.name)?;
                }
                let excerpts = Excerpts::of_file(&target.input);
                current = Some((file, excerpts));
            }
            if let Some((_, excerpts)) = &mut current {
                let finding = Finding::advice(advice, severity);
                self.report.finding(&target.name, &finding, excerpts)?;
            }
        }
        match current.and_then(|(before, _)| self.targets.get(before)) {
            Some(before) => self.report.end_file(&before.name),
            None => Ok(()),
        }
    }
}

fn is_something_else(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnknownRoot(_) | ErrorKind::NotASitemap(_)
    )
}

/// What a finding cost, as it stands beside the place; nothing if that is nothing.
fn cost(effect: Option<Effect>) -> Option<String> {
    match effect {
        None | Some(Effect::Noted) => None,
        Some(effect) => Some(effect.to_string()),
    }
}

/// The severity's place in a table of three.
fn index(severity: Severity) -> usize {
    severity as usize
}
