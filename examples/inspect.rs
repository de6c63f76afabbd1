//! Shows what a sitemap holds, and what is wrong with it.

use std::borrow::Cow;
use std::error::Error as _;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use quick_sitemap::{
    Effect, Entry, Error, ErrorKind, Format, Issue, Policy, Position, ReaderBuilder,
};
use serde_json::{Value, json};

const HELP: &str = "\
Shows what a sitemap holds: urlset, index, text, RSS or Atom, gzipped or not.

Usage: inspect [OPTIONS] FILE

Arguments:
  FILE      the sitemap; `-` reads standard input

Options:
  --json    JSON Lines: an object an entry, with its loc, lastmod, changefreq, priority and issues
  --strict  a breach of any rule is an error, and costs the entry that it is in
  --help    this text

Entries go to standard output, issues to standard error as `file:line:column: severity: message [rule]`.
An entry with an error is skipped, one with warnings is not. With --json an issue is in its entry's
object too; those of the document and of skipped entries are on standard error only.

Exit status: 0 nothing to report, 1 issues, 2 no sitemap, not readable to its end, or wrong usage.
";

struct Options {
    input: PathBuf,
    json: bool,
    strict: bool,
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
    let (mut input, mut json, mut strict) = (None, false, false);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("json") => json = true,
            Long("strict") => strict = true,
            Short('h') | Long("help") => return Ok(None),
            Value(file) if input.is_none() => input = Some(PathBuf::from(file)),
            _ => return Err(argument.unexpected()),
        }
    }
    let input = input.ok_or("a FILE is missing")?;
    Ok(Some(Options {
        input,
        json,
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
    let mut reporter = Reporter {
        name: &name,
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
    let policy = match options.strict {
        true => Policy::STRICT,
        false => Policy::LENIENT,
    };
    let mut reader = ReaderBuilder::new().policy(policy).build(input);
    let mut output = Output::new(options.json, reader.format())?;
    let mut issues = Vec::new();
    loop {
        // Raw first: that tells which number the entry has, and so which issues are its own.
        issues.clear();
        let step = match reader.read_raw() {
            Ok(None) => None,
            Ok(Some(raw)) => Some(Ok(raw.position().entry())),
            Err(error) => Some(Err(error)),
        };
        issues.extend_from_slice(reader.issues());
        let entry = match step {
            Some(Ok(number)) => {
                let entry = reader.to_entry();
                issues.extend_from_slice(reader.issues());
                entry.map(|entry| entry.map(|entry| (number, entry)))
            }
            Some(Err(error)) => Err(error),
            None => {
                reporter.issues(&issues);
                break;
            }
        };
        reporter.issues(&issues);
        match entry {
            Ok(Some((number, entry))) => {
                issues.retain(|issue| issue.position.entry() == number);
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
                severity(issue),
                &format_args!("{violation}{cost} [{rule}]"),
            );
        }
    }

    fn error(&mut self, error: &Error) {
        self.fatal |= !goes_on(error);
        let mut message = error.kind().to_string();
        let mut cause = error.source();
        while let Some(source) = cause {
            message.push_str(": ");
            message.push_str(&source.to_string());
            cause = source.source();
        }
        if let ErrorKind::Violation(violation) = error.kind() {
            message.push_str(&format!(" [{}]", violation.rule()));
        }
        self.line(error.position(), "error", &message);
    }

    fn line(&mut self, position: Option<Position>, severity: &str, message: &dyn Display) {
        self.issues += 1;
        let name = self.name;
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
    /// `None`: JSON Lines.
    table: Option<Table>,
}

impl Output {
    fn new(json: bool, format: Option<Format>) -> io::Result<Self> {
        // A terminal shows each row at once, between the issues; anything else gets large pieces.
        let out: Box<dyn Write> = match io::stdout().is_terminal() {
            true => Box::new(io::stdout()),
            false => Box::new(BufWriter::with_capacity(64 << 10, io::stdout())),
        };
        let table = (!json).then(|| Table::new(format));
        Ok(Self { out, table })
    }

    fn entry(&mut self, entry: &Entry, issues: &[Issue]) -> io::Result<()> {
        match &mut self.table {
            Some(table) => table.entry(&mut self.out, entry),
            None => {
                serde_json::to_writer(&mut self.out, &object(entry, issues))?;
                self.out.write_all(b"\n")
            }
        }
    }

    fn finish(mut self, issues: u64) -> io::Result<()> {
        if let Some(table) = &mut self.table {
            table.finish(&mut self.out, issues)?;
        }
        self.out.flush()
    }
}

fn object(entry: &Entry, issues: &[Issue]) -> Value {
    let page = entry.as_url();
    json!({
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
    })
}

/// So many rows are held back to find the width of the columns; memory does not grow with the sitemap.
const AHEAD: usize = 64;

/// Aligned columns, the URL last: it is the one that varies.
struct Table {
    format: Option<Format>,
    columns: &'static [&'static str],
    widths: [usize; 3],
    held: Vec<(Vec<String>, String)>,
    started: bool,
    /// `None`: not a terminal, nothing is cut.
    terminal: Option<usize>,
    entries: u64,
    extras: [(u64, &'static str, &'static str); 4],
}

impl Table {
    fn new(format: Option<Format>) -> Self {
        let columns: &[_] = match format {
            Some(Format::Text) => &[],
            Some(Format::Index | Format::Rss | Format::Atom) => &["lastmod"],
            _ => &["lastmod", "changefreq", "priority"],
        };
        let terminal = console::Term::stdout()
            .size_checked()
            .map(|(_, columns)| usize::from(columns));
        Self {
            format,
            columns,
            widths: [0; 3],
            held: Vec::with_capacity(AHEAD),
            started: false,
            terminal,
            entries: 0,
            extras: [
                (0, "alternate", "alternates"),
                (0, "image", "images"),
                (0, "video", "videos"),
                (0, "news article", "news articles"),
            ],
        }
    }

    fn entry(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        self.entries += 1;
        let dash = || "-".to_owned();
        let mut cells = vec![entry.lastmod().map_or_else(dash, |date| date.to_string())];
        if let Some(page) = entry.as_url() {
            cells.push(
                page.changefreq
                    .map_or_else(dash, |changefreq| changefreq.to_string()),
            );
            cells.push(
                page.priority
                    .map_or_else(dash, |priority| priority.to_string()),
            );
            let counts = [
                page.alternates.len(),
                page.images.len(),
                page.videos.len(),
                page.news.iter().len(),
            ];
            for (extra, count) in self.extras.iter_mut().zip(counts) {
                extra.0 += count as u64;
            }
        }
        cells.truncate(self.columns.len());
        let row = (cells, entry.loc().to_string());
        if self.started {
            return self.row(out, &row.0, &row.1);
        }
        self.held.push(row);
        match self.held.len() {
            AHEAD => self.start(out),
            _ => Ok(()),
        }
    }

    /// Settles the widths, then writes the head and the rows that were held back.
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.started = true;
        let held = std::mem::take(&mut self.held);
        let head: Vec<String> = self.columns.iter().map(|&name| name.to_owned()).collect();
        for cells in held.iter().map(|row| &row.0).chain([&head]) {
            for (width, cell) in self.widths.iter_mut().zip(cells) {
                *width = cell.len().max(*width);
            }
        }
        if let Some(format) = self.format {
            writeln!(out, "{format}")?;
        }
        if !held.is_empty() {
            self.row(out, &head, "loc")?;
        }
        held.iter()
            .try_for_each(|(cells, loc)| self.row(out, cells, loc))
    }

    fn row(&self, out: &mut dyn Write, cells: &[String], loc: &str) -> io::Result<()> {
        let mut used = 0;
        for (cell, &width) in cells.iter().zip(&self.widths) {
            write!(out, "{cell:width$}  ")?;
            used += cell.len().max(width) + 2;
        }
        // `Url` is ASCII, so that a byte is a character is a column.
        match self.terminal {
            Some(columns) if used + loc.len() > columns => {
                let room = columns.saturating_sub(used + 1).max(8);
                // The end is what tells one URL of a site from another.
                let end = loc.len().saturating_sub(room);
                writeln!(out, "…{}", loc.get(end..).unwrap_or(loc))
            }
            _ => writeln!(out, "{loc}"),
        }
    }

    fn finish(&mut self, out: &mut dyn Write, issues: u64) -> io::Result<()> {
        if !self.started {
            self.start(out)?;
        }
        if self.format.is_none() {
            return Ok(());
        }
        write!(out, "{}", count(self.entries, "entry", "entries"))?;
        for (number, one, many) in self.extras {
            if number > 0 {
                write!(out, ", {}", count(number, one, many))?;
            }
        }
        if issues > 0 {
            write!(out, "; {}", count(issues, "issue", "issues"))?;
        }
        writeln!(out)
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
