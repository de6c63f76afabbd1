//! Shows what a sitemap holds, and what is wrong with it.

mod stats;
mod table;

use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use console::Style;
use quick_sitemap::{
    Effect, Entry, Error, ErrorKind, Format, Issue, Policy, Position, ReaderBuilder,
};
use serde_json::{Value, json};

use self::stats::Stats;
use self::table::Table;

const HELP: &str = "\
Shows what a sitemap holds: urlset, index, text, RSS or Atom, gzipped or not.

Usage: inspect [OPTIONS] FILE

Arguments:
  FILE      the sitemap; `-` reads standard input

Options:
  --json    JSON Lines: an object an entry, with its loc, lastmod, changefreq, priority and issues; its
            extensions too, if this is built with `--features serde`
  --stats   no entries, but figures: lastmod by month, changefreq, priority, extensions, biggest directories
  --strict  a breach of any rule is an error, and costs the entry that it is in;
            what else is wrong with that entry may go unsaid
  --help    this text

Entries go to standard output, issues to standard error as `file:line:column: severity: message [rule]`.
An entry with an error is skipped, one with warnings is not. With --json an issue is in its entry's
object too; those of the document and of skipped entries are on standard error only.

Exit status: 0 nothing to report, 1 issues, 2 no sitemap, not readable to its end, or wrong usage.
";

struct Options {
    input: PathBuf,
    show: Show,
    strict: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Show {
    Table,
    Json,
    Stats,
}

fn main() -> ExitCode {
    let outcome = match options() {
        Ok(Some(options)) => run(&options),
        Ok(None) => io::stdout().write_all(HELP.as_bytes()).map(|()| 0),
        Err(error) => {
            say(format_args!("inspect: {error}; see --help"));
            Ok(2)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        // Whoever was reading has seen enough: `inspect … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("inspect: cannot write: {error}"));
            ExitCode::from(2)
        }
    }
}

/// `None`: only help is wanted.
fn options() -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let (mut input, mut show, mut strict) = (None, Show::Table, false);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("json") if show != Show::Stats => show = Show::Json,
            Long("stats") if show != Show::Json => show = Show::Stats,
            Long("json" | "stats") => return Err("--json and --stats do not go together".into()),
            Long("strict") => strict = true,
            Short('h') | Long("help") => return Ok(None),
            Value(file) if input.is_none() => input = Some(PathBuf::from(file)),
            _ => return Err(argument.unexpected()),
        }
    }
    let input = input.ok_or("a FILE is missing")?;
    Ok(Some(Options {
        input,
        show,
        strict,
    }))
}

/// The exit status; an error is one of the output's.
fn run(options: &Options) -> io::Result<u8> {
    let is_stdin = options.input.as_os_str() == "-";
    let name = match is_stdin {
        true => Cow::Borrowed("<stdin>"),
        false => options.input.to_string_lossy(),
    };
    let policy = match options.strict {
        true => Policy::STRICT,
        false => Policy::LENIENT,
    };
    let mut reporter = Reporter {
        name: &name,
        policy,
        issues: 0,
        fatal: false,
    };
    let input: Box<dyn Read> = match is_stdin {
        true => Box::new(io::stdin()),
        false => match File::open(&options.input) {
            Ok(file) => Box::new(file),
            Err(error) => {
                reporter.error(&error.into());
                return Ok(reporter.status());
            }
        },
    };
    let mut reader = ReaderBuilder::new().policy(policy).build(input);
    let mut output = Output::new(options.show, reader.format());
    for outcome in reader.outcomes() {
        reporter.issues(&outcome.issues);
        match outcome.entry {
            Ok(Some(entry)) => {
                // Not those of what stands round it.
                let mut issues = outcome.issues;
                issues.retain(|issue| issue.position.entry() == outcome.position.entry());
                output.entry(&entry, &issues)?;
            }
            Ok(None) => {}
            Err(error) => {
                reporter.error(&error);
                if !goes_on(&error) {
                    break;
                }
            }
        }
    }
    output.finish(reporter.issues)?;
    Ok(reporter.status())
}

/// Standard error, and the exit status that follows from what was said there.
struct Reporter<'a> {
    name: &'a str,
    policy: Policy,
    issues: u64,
    fatal: bool,
}

impl Reporter<'_> {
    fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            let cost = match issue.effect {
                Effect::Noted => "",
                Effect::ValueDropped => ", dropped",
                Effect::EntrySkipped => ", entry skipped",
            };
            let violation = &issue.violation;
            let rule = violation.rule();
            self.line(
                Some(issue.position),
                match self.policy.denies(rule) {
                    true => "error",
                    false => severity(issue),
                },
                &format_args!("{violation}{cost} [{rule}]"),
            );
        }
    }

    fn error(&mut self, error: &Error) {
        self.fatal |= !goes_on(error);
        let kind = error.kind();
        self.line(
            error.position(),
            "error",
            &format_args!("{kind:#} [{}]", kind.name()),
        );
    }

    fn line(&mut self, position: Option<Position>, severity: &str, message: &dyn Display) {
        self.issues += 1;
        let name = self.name;
        let style = Style::new().for_stderr().bold();
        let severity = match severity {
            "error" => style.red().apply_to(severity),
            _ => style.yellow().apply_to(severity),
        };
        match position {
            Some(position) => say(format_args!("{name}:{position}: {severity}: {message}")),
            None => say(format_args!("{name}: {severity}: {message}")),
        }
    }

    fn status(&self) -> u8 {
        match (self.fatal, self.issues) {
            (true, _) => 2,
            (false, 0) => 0,
            (false, _) => 1,
        }
    }
}

/// Not `is_fatal`: an input that would block is no reason to ask it again and again.
fn goes_on(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Violation(_))
}

fn severity(issue: &Issue) -> &'static str {
    match issue.effect {
        Effect::EntrySkipped => "error",
        Effect::Noted | Effect::ValueDropped => "warning",
    }
}

/// A line to standard error; that nobody reads it is no reason to stop.
fn say(message: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{message}");
}

struct Output {
    out: Box<dyn Write>,
    view: View,
}

enum View {
    Table(Table),
    Json,
    Stats(Box<Stats>),
}

impl Output {
    fn new(show: Show, format: Option<Format>) -> Self {
        // A terminal shows each row at once, between the issues; anything else gets large pieces.
        let out: Box<dyn Write> = match io::stdout().is_terminal() {
            true => Box::new(io::stdout()),
            false => Box::new(BufWriter::with_capacity(64 << 10, io::stdout())),
        };
        let view = match show {
            Show::Table => View::Table(Table::new(format)),
            Show::Json => View::Json,
            Show::Stats => View::Stats(Box::new(Stats::new(format))),
        };
        Self { out, view }
    }

    fn entry(&mut self, entry: &Entry, issues: &[Issue]) -> io::Result<()> {
        match &mut self.view {
            View::Table(table) => table.entry(&mut self.out, entry),
            View::Stats(stats) => {
                stats.count(entry);
                Ok(())
            }
            View::Json => {
                serde_json::to_writer(&mut self.out, &object(entry, issues))?;
                self.out.write_all(b"\n")
            }
        }
    }

    fn finish(mut self, issues: u64) -> io::Result<()> {
        match &mut self.view {
            View::Table(table) => table.finish(&mut self.out, issues)?,
            View::Stats(stats) => stats.write(&mut self.out, issues)?,
            View::Json => {}
        }
        self.out.flush()
    }
}

fn object(entry: &Entry, issues: &[Issue]) -> Value {
    let page = entry.as_url();
    let mut object = json!({
        "loc": entry.loc().as_str(),
        "lastmod": entry.lastmod().map(|lastmod| lastmod.to_string()),
        "changefreq": page.and_then(|page| page.changefreq).map(|changefreq| changefreq.as_str()),
        // By way of its text: an f32 would make 0.8 a 0.800000011920929.
        "priority": page.and_then(|page| page.priority).and_then(|priority| priority.to_string().parse::<f64>().ok()),
        "issues": issues.iter().map(|issue| json!({
            "line": issue.position.line(),
            "column": issue.position.column(),
            "severity": severity(issue),
            "rule": issue.violation.rule().name(),
            "message": issue.violation.to_string(),
        })).collect::<Vec<_>>(),
    });
    extensions(entry, &mut object);
    object
}

/// The fields of the extensions, as the feature `serde` has them.
#[cfg(feature = "serde")]
fn extensions(entry: &Entry, object: &mut Value) {
    const FIELDS: [&str; 5] = ["alternates", "images", "videos", "news", "foreign"];
    let whole = match entry {
        Entry::Url(page) => serde_json::to_value(page),
        Entry::Sitemap(sitemap) => serde_json::to_value(sitemap),
    };
    if let (Ok(Value::Object(mut whole)), Some(object)) = (whole, object.as_object_mut()) {
        for field in FIELDS {
            object.extend(whole.remove(field).map(|value| (field.to_owned(), value)));
        }
    }
}

#[cfg(not(feature = "serde"))]
fn extensions(_: &Entry, _: &mut Value) {}
