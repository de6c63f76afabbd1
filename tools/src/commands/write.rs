//! `sitemap write`.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use quick_sitemap::{Entry, Rule, UrlEntry};

use crate::rows::{self, ColumnNames, RowFormat, Rows};
use crate::sets::files::Files;
use crate::sets::replacement::Staged;
use crate::sets::target::{self, Target};
use crate::source::empty::Empty;
use crate::source::filter::LocFilter;
use crate::source::html::{self, Folders};
use crate::source::input::Input;
use crate::source::pages::Place;
use crate::source::stdin;
use crate::source::walk::{self, Item, Outcome, Unusable};
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap write urls.txt --out public --base https://www.example.com/ --gzip
  sitemap write pages.csv --out sitemap.xml
  sitemap write _site --out _site --base https://www.example.com/ \\
      --state lastmod.jsonl --robots _site/robots.txt

Exit status:
  0    everything was written
  1    the sitemaps were written, but pages were skipped (--skip-invalid)
  2    nothing was changed
  3    an alarm (--max-removed, --max-changed); nothing was changed
  130  Ctrl-C; nothing was changed, unless a message says otherwise";

/// Write pages as a set of sitemaps
///
/// The pages are read from a text file (one URL per line), CSV or TSV (the first line names the columns loc, lastmod,
/// changefreq and priority), JSON Lines (as `sitemap show --format jsonl` prints them, extensions included), or a
/// folder of HTML files.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The pages: files, folders of HTML files, or `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<Input>,

    /// Format of the inputs; by default it is detected from their names and first lines
    #[arg(long, value_name = "FORMAT")]
    from: Option<InputFormat>,

    /// Ignore unknown columns and fields, which are otherwise an error
    #[arg(long)]
    ignore_unknown: bool,

    #[command(flatten)]
    columns: ColumnNames,

    #[command(flatten)]
    filter: LocFilter,

    #[command(flatten)]
    html: html::Options,

    #[command(flatten)]
    target: target::Options,
}

/// Format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum InputFormat {
    /// One URL per line
    Text,
    /// Columns separated by commas or semicolons
    Csv,
    /// Columns separated by tabs
    Tsv,
    /// One JSON object per line
    Jsonl,
    /// A folder of HTML files
    Html,
}

impl InputFormat {
    /// `None` for a folder.
    fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Text => Some(RowFormat::Text),
            Self::Csv => Some(RowFormat::Csv),
            Self::Tsv => Some(RowFormat::Tsv),
            Self::Jsonl => Some(RowFormat::Jsonl),
            Self::Html => None,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    arguments.columns.apply();
    let mut files = Files::default();
    files.reads_inputs(&arguments.inputs);
    files.writes("--state", arguments.html.state());
    arguments.target.list(&mut files);
    files.check()?;
    interrupt::catch_while_reading("interrupted; nothing has been changed")?;
    let _progress = Progress::start("reading", messages);
    // Dates and translations of a page depend on the others, so that all folders are read first.
    let base = arguments.target.base.as_ref();
    let mut html = Folders::new(&arguments.html, base, messages)?;
    for input in &arguments.inputs {
        if let Some(folder) = folder(input) {
            if !matches!(arguments.from, None | Some(InputFormat::Html)) {
                bail!("{input}: this is a folder; folders are read as HTML files only");
            }
            html.read(folder)?;
        }
    }
    let mut folders = html.finish()?.into_iter();
    let mut sink = Sink {
        arguments,
        target: arguments.target.target(html.former(), messages)?,
        filtered: 0,
        entries: 0,
    };
    let mut empty = Empty::default();
    for input in &arguments.inputs {
        if folder(input).is_some() {
            for page in folders.next().unwrap_or_default() {
                sink.page(page.entry, &page.name)?;
            }
            continue;
        }
        let before = sink.entries;
        sink.read(input)?;
        if sink.entries == before {
            empty.add(input, messages);
        }
    }
    empty.finish(messages);
    if sink.filtered > 0 {
        let pages = Count(sink.filtered, "page");
        messages.note(format_args!("{pages} left out by --match and --exclude"));
    }
    // On the disk before the sitemaps change, so that no full disk keeps it from following them.
    let state = match arguments.html.state() {
        Some(path) => Some(Staged::new(path, html.new_state()?.as_deref())?),
        None => None,
    };
    let status = sink.target.finish()?;
    if let Some(state) = state
        && status != Status::Alarm
    {
        state
            .put_in_place()
            .context("the sitemaps are written, but the state is the older one")?;
    }
    Ok(status)
}

fn folder(input: &Input) -> Option<&Path> {
    input.path().filter(|path| path.is_dir())
}

/// Takes the pages of all inputs.
struct Sink<'a> {
    arguments: &'a Arguments,
    target: Target<'a>,
    /// Pages that the filter has left out.
    filtered: u64,
    /// Number of pages and of rejected lines, with any result.
    entries: u64,
}

impl Sink<'_> {
    fn page(&mut self, entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        self.entries += 1;
        if !self.arguments.filter.keeps(entry.loc.as_str()) {
            self.filtered += 1;
            return Ok(());
        }
        self.target.page(entry, place)
    }

    /// Reads a list. An unknown column or field is an error, because a misspelled `lastmode` would otherwise be lost
    /// silently.
    fn read(&mut self, input: &Input) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let name = input.to_string();
        let reader: Box<dyn Read> = match input {
            Input::File(path) => Box::new(File::open(path).with_context(|| name.clone())?),
            Input::Stdin => Box::new(stdin::interruptible()),
            Input::Url(url) => {
                bail!(
                    "{url}: `write` reads files; use `sitemap edit {url}` for the pages of a sitemap"
                )
            }
        };
        if arguments.from == Some(InputFormat::Html) {
            bail!(
                "{name}: HTML files are read from a folder; pass the folder, and its URL as --base"
            );
        }
        let asked = arguments.from.and_then(InputFormat::rows);
        let (format, reader) =
            rows::detect_list(asked, input.path(), reader).with_context(|| name.clone())?;
        let base = arguments.target.base.as_ref();
        let mut rows = Rows::new(format, reader, base).with_context(|| format!("{name}:1"))?;
        if let Some(column) = rows.unknown_columns().first()
            && !arguments.ignore_unknown
        {
            bail!(
                "{name}:1: unknown column `{column}` (not loc, lastmod, changefreq or priority); use --ignore-unknown to ignore it"
            );
        }
        let list = walk::list(
            &mut rows,
            &name,
            None,
            &mut List {
                sink: self,
                name: &name,
            },
        )?;
        match list.outcome {
            Outcome::Broken(error) => Err(error),
            _ => interrupt::check().map_err(Into::into),
        }
    }

    /// A row that no entry could be made of.
    fn refuse(&mut self, rule: Option<Rule>, place: &Place<'_>, why: &str) -> anyhow::Result<()> {
        self.entries += 1;
        self.target.refuse(rule, place, &why)
    }
}

/// The rows of a list.
struct List<'l, 'a> {
    sink: &'l mut Sink<'a>,
    name: &'l str,
}

impl walk::Sink for List<'_, '_> {
    fn item(&mut self, item: Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let place = Place {
            file: self.name,
            line: item.origin.line(),
        };
        if let Some(field) = item.unknown
            && !self.sink.arguments.ignore_unknown
        {
            bail!("{place}: unknown field `{field}`; use --ignore-unknown to ignore it");
        }
        match item.entry {
            Ok(Entry::Url(entry)) => self.sink.page(entry, &place)?,
            Ok(Entry::Sitemap(_)) => {
                let rule = Some(Rule::MisplacedEntry);
                self.sink
                    .refuse(rule, &place, "this is a sitemap, not a page")?;
            }
            Err(Unusable::Refused(refused)) => {
                self.sink.refuse(refused.rule, &place, &refused.why)?;
            }
            Err(Unusable::Skipped | Unusable::Denied(_)) => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
