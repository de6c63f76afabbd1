//! `sitemap show`.

mod filter;
mod stats;
mod table;

use std::io::{self, BufRead, Write};

use clap::{Args, ValueEnum};
use quick_sitemap::{Effect, Entry, Error, Issue, Policy, ReaderBuilder, Rule};

use self::filter::Filter;
use self::stats::Stats;
use self::table::Table;
use crate::judge::verdicts;
use crate::rows::writer::{self, RowWriter, page_cells};
use crate::rows::{self, Refused, RowFormat, Rows};
use crate::source::input::Input;
use crate::term::age;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::json;
use crate::term::messages::{Messages, Severity};
use crate::term::output;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap show https://www.example.com/sitemap.xml
  sitemap show sitemap.xml.gz --since 2024-05 --match /news/
  sitemap show sitemap.xml --format csv > pages.csv
  curl -s https://www.example.com/sitemap.xml | sitemap show - --stats";

/// Show the entries of sitemaps
///
/// An input can also be a list of pages as JSON Lines, CSV or TSV, as `show` and `crawl` write them. Each entry is a row with its URL and, if present, its date, change frequency and priority. If the terminal is too
/// narrow, URLs are shortened in the middle. Output to a file or a pipe is never shortened.
///
/// Exit status: 0 if there were no problems, 1 if an input breaks a rule (`sitemap check` shows the details), 2 if an
/// input is not a sitemap or cannot be read to its end, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The sitemaps: files, URLs, or `-` for standard input
    #[arg(value_name = "URL|FILE|-", required = true)]
    inputs: Vec<Input>,

    /// How entries are written
    #[arg(long, short, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Show only entries that may have changed since this date, in a form that sitemaps use, from 2024 to
    /// 2024-05-06T07:08:09Z, or in the time before now, such as 7d
    ///
    /// Entries without a date are omitted. A less precise date means a period, and the entry is shown if any part of it
    /// is late enough: 2024-05 matches 2024-05-20.
    #[arg(long, value_name = "DATE|AGE", value_parser = age::date)]
    since: Option<quick_sitemap::W3cDatetime>,

    /// Show only entries whose URL matches this regular expression anywhere; prefix it with `(?i)` to ignore case
    #[arg(long = "match", value_name = "REGEX")]
    pattern: Option<regex_lite::Regex>,

    /// Show at most N entries of all inputs together; the rest is not read
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<u64>,

    /// Count entries by month, change frequency, priority and folder instead of showing them
    ///
    /// The counts are drawn as bars or, with `--format jsonl`, printed as one JSON object.
    #[arg(long)]
    stats: bool,

    /// Show non-ASCII letters of URLs decoded, not as %C3%BC (in tables only)
    #[arg(long)]
    decoded: bool,

    /// Print every problem on standard error, not only their number
    #[arg(long)]
    issues: bool,

    /// Treat each violation of a rule as an error; the entry that contains it is not shown
    #[arg(long)]
    strict: bool,

    /// Format the table for this width instead of the width of the terminal
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,

    #[cfg(feature = "full")]
    #[command(flatten)]
    network: crate::net::fetch::Options,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned columns
    Table,
    /// JSON Lines: one object per entry, extensions included
    Jsonl,
    /// Comma-separated values: kind, loc, lastmod, changefreq, priority
    Csv,
    /// As csv, separated by tabs
    Tsv,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    if arguments.stats && matches!(arguments.format, Format::Csv | Format::Tsv) {
        anyhow::bail!(
            "--stats can only be printed as a table or, with `--format jsonl`, as a JSON object"
        );
    }
    #[cfg_attr(not(feature = "full"), expect(unused_mut, reason = "no input has a login"))]
    let mut inputs = arguments.inputs.clone();
    Input::stdin_once(&inputs)?;
    #[cfg(feature = "full")]
    arguments
        .network
        .login
        .give(Input::addresses(&mut inputs))?;
    interrupt::catch_while_reading("interrupted; the entries after that are not shown")?;
    let mut show = Show {
        arguments,
        messages,
        filter: Filter::new(arguments.since, arguments.pattern.as_ref()),
        view: View::new(arguments)?,
        left: arguments.limit.unwrap_or(u64::MAX),
        status: Status::Success,
    };
    for input in &inputs {
        if show.left == 0 || is_over() {
            break;
        }
        show.input(input)?;
    }
    show.view.finish()?;
    interrupt::check()?;
    Ok(show.status)
}

/// The reader of the output has ended.
fn is_over() -> bool {
    interrupt::is_requested() || output::is_closed()
}

struct Show<'a> {
    arguments: &'a Arguments,
    messages: &'a Messages,
    filter: Filter<'a>,
    view: View,
    /// How many entries may still be shown.
    left: u64,
    status: Status,
}

impl Show<'_> {
    /// An error here is one of the output; those of the inputs are reported, and the next input is read.
    fn input(&mut self, input: &Input) -> anyhow::Result<()> {
        #[cfg(feature = "full")]
        let opened = input.open_with(&self.arguments.network);
        #[cfg(not(feature = "full"))]
        let opened = input.open();
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.messages.error(format_args!("{error:#}"));
                self.say_what_is_meant(input);
                self.status = Status::Failure;
                return Ok(());
            }
        };
        let policy = if self.arguments.strict {
            Policy::STRICT
        } else {
            Policy::LENIENT
        };
        let mut builder = ReaderBuilder::new().policy(policy);
        if let Some(location) = opened.location {
            builder = builder.base_url(location);
        }
        let name = input.to_string();
        let mut faults = Faults {
            name: &name,
            messages: self.messages,
            says_all: self.arguments.issues,
            policy,
            issues: 0,
            status: Status::Success,
        };
        let heading = (self.arguments.inputs.len() > 1).then_some(name.as_str());
        let reader = match rows::detect(input.path(), opened.reader) {
            Ok((Some(format), reader)) => {
                self.view.begin(heading, Some(format.name()))?;
                let skipped = self.rows(format, reader, &mut faults)?;
                self.view.end(self.left == 0 || interrupt::is_requested())?;
                self.status = self.status.max(faults.finish(input, skipped));
                return Ok(());
            }
            Ok((None, reader)) => reader,
            Err(error) => {
                self.messages.error(format_args!("{name}: {error}"));
                self.status = Status::Failure;
                return Ok(());
            }
        };
        let mut reader = builder.build(reader);
        self.view
            .begin(heading, reader.format().map(|format| format.as_str()))?;
        while self.left > 0 {
            let step = reader.next();
            if is_over() {
                break;
            }
            faults.issues(reader.issues());
            match step {
                Some(Ok(entry)) if self.filter.takes(&entry) => {
                    self.left -= 1;
                    self.view.entry(&entry)?;
                }
                Some(Ok(_)) => self.view.left_out(),
                Some(Err(error)) => {
                    faults.error(&error);
                    // An input that would block must not be read in a loop.
                    if error.violation().is_none() {
                        break;
                    }
                }
                None => break,
            }
        }
        self.view.end(self.left == 0 || interrupt::is_requested())?;
        let status = faults.finish(input, reader.summary().skipped);
        if status == Status::Failure {
            self.say_what_is_meant(input);
        }
        self.status = self.status.max(status);
        Ok(())
    }

    /// A user who names a site may have meant another command.
    fn say_what_is_meant(&self, input: &Input) {
        let is_site = match input.clone().or_site() {
            Input::Url(address) => address.url().path() == "/",
            Input::File(_) | Input::Stdin => false,
        };
        if is_site && cfg!(feature = "full") {
            self.messages.note(format_args!(
                "use `sitemap crawl {input}` for the pages of a site, or `sitemap check {input}` to check it"
            ));
        }
    }
}

impl Show<'_> {
    /// Shows the entries of a list, and returns the number of those that cannot be used.
    fn rows(
        &mut self,
        format: RowFormat,
        reader: impl BufRead,
        faults: &mut Faults<'_>,
    ) -> anyhow::Result<u64> {
        let mut skipped = 0;
        let mut rows = match Rows::new(format, reader, None) {
            Ok(rows) => rows,
            Err(error) => {
                faults.unreadable(&format!("{}:1: {error:#}", faults.name));
                return Ok(0);
            }
        };
        while self.left > 0 {
            let row = match rows.next_noting(faults.name, self.messages) {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(_) if interrupt::is_requested() => break,
                Err(error) => {
                    faults.unreadable(&format!("{error:#}"));
                    break;
                }
            };
            if is_over() {
                break;
            }
            match row.entry {
                Ok(entry) if self.filter.takes(&entry) => {
                    self.left -= 1;
                    self.view.entry(&entry)?;
                }
                Ok(_) => self.view.left_out(),
                Err(refused) => {
                    skipped += 1;
                    faults.refused(row.line, &refused);
                }
            }
        }
        Ok(skipped)
    }
}

/// Problems of one input: printed on standard error, and part of the exit status.
struct Faults<'a> {
    name: &'a str,
    messages: &'a Messages,
    says_all: bool,
    policy: Policy,
    issues: u64,
    status: Status,
}

impl Faults<'_> {
    fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            self.issues += 1;
            self.status = self.status.max(Status::Findings);
            if !self.says_all {
                continue;
            }
            let severity = if self.policy.denies(issue.rule()) {
                Severity::Error
            } else {
                verdicts::severity(issue)
            };
            let place = format!("{}:{}", self.name, issue.position);
            let rule = issue.rule();
            match issue.effect {
                Effect::Noted => {
                    let message = format_args!("{} [{rule}]", issue.violation);
                    self.messages.at(&place, severity, message);
                }
                effect => {
                    let message = format_args!("{}; {effect} [{rule}]", issue.violation);
                    self.messages.at(&place, severity, message);
                }
            }
        }
    }

    /// A row that is not an entry.
    fn refused(&mut self, line: u64, refused: &Refused) {
        self.issues += 1;
        self.status = self.status.max(Status::Findings);
        if self.says_all {
            let place = format!("{}:{line}", self.name);
            let rule = refused.rule.map_or("invalid-row", Rule::name);
            let message = format_args!("{}; entry skipped [{rule}]", refused.why);
            self.messages.at(&place, Severity::Error, message);
        }
    }

    /// A list that cannot be read any further.
    fn unreadable(&mut self, message: &str) {
        self.status = Status::Failure;
        self.messages.error(message);
    }

    fn error(&mut self, error: &Error) {
        self.status = self.status.max(match error.violation() {
            Some(_) => Status::Findings,
            None => Status::Failure,
        });
        if error.violation().is_some() {
            self.issues += 1;
            if !self.says_all {
                return;
            }
        }
        let place = match error.position() {
            Some(position) => format!("{}:{position}", self.name),
            None => self.name.to_owned(),
        };
        let kind = error.kind();
        let message = format_args!("{kind:#} [{}]", kind.name());
        self.messages.at(&place, Severity::Error, message);
    }

    fn finish(self, input: &Input, skipped: u64) -> Status {
        if self.issues > 0 && !self.says_all {
            let issues = Count(self.issues, "issue");
            let skipped = match skipped {
                0 => String::new(),
                skipped => format!(", {} skipped", Count(skipped, "entry")),
            };
            let advice = match input {
                Input::Stdin => "`--issues` lists them".to_owned(),
                _ => format!("use `sitemap check {}` to show them", self.name),
            };
            let message = format_args!("{issues}{skipped}; {advice}");
            self.messages.at(self.name, Severity::Warning, message);
        }
        self.status
    }
}

/// The output for the entries.
struct View {
    out: Box<dyn Write + Send>,
    form: Form,
}

enum Form {
    Table(Box<Table>),
    Stats(Box<Stats>),
    Lines,
    Rows(Box<RowWriter<Box<dyn Write + Send>>>),
}

fn rows_to(separator: u8) -> io::Result<RowWriter<Box<dyn Write + Send>>> {
    let columns: Vec<_> = ["kind"].into_iter().chain(writer::PAGE).collect();
    RowWriter::new(separator, &columns, output::stdout())
}

impl View {
    fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let width = arguments.width.or_else(output::columns);
        let form = match arguments.format {
            _ if arguments.stats => Form::Stats(Box::new(Stats::new(
                arguments.format == Format::Jsonl,
                width,
                arguments.decoded,
            ))),
            Format::Table => Form::Table(Box::new(Table::new(width, arguments.decoded))),
            Format::Jsonl => Form::Lines,
            Format::Csv => Form::Rows(Box::new(rows_to(b',')?)),
            Format::Tsv => Form::Rows(Box::new(rows_to(b'\t')?)),
        };
        Ok(Self {
            out: output::stdout(),
            form,
        })
    }

    fn begin(&mut self, heading: Option<&str>, format: Option<&'static str>) -> anyhow::Result<()> {
        match &mut self.form {
            Form::Table(table) => table.begin(&mut self.out, heading, format)?,
            Form::Stats(stats) => stats.begin(format),
            Form::Lines | Form::Rows(_) => {}
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        match &mut self.form {
            Form::Table(table) => table.entry(&mut self.out, entry)?,
            Form::Stats(stats) => stats.count(entry),
            Form::Lines => {
                json::write(&mut self.out, entry)?;
                self.out.write_all(b"\n")?;
            }
            Form::Rows(rows) => {
                let kind = match entry {
                    Entry::Url(_) => "url",
                    Entry::Sitemap(_) => "sitemap",
                };
                let cells = page_cells(entry);
                rows.row([kind].into_iter().chain(cells.iter().map(String::as_str)))?;
            }
        }
        Ok(())
    }

    fn left_out(&mut self) {
        if let Form::Table(table) = &mut self.form {
            table.left_out();
        }
    }

    fn end(&mut self, is_limited: bool) -> anyhow::Result<()> {
        if let Form::Table(table) = &mut self.form {
            table.end(&mut self.out, is_limited)?;
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        match &mut self.form {
            Form::Stats(stats) => stats.write(&mut self.out)?,
            Form::Rows(rows) => rows.finish()?,
            Form::Table(_) | Form::Lines => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
