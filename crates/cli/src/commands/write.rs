//! `sitemap write`.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::Path;
use std::slice;

use anyhow::{Context, bail};
use clap::Args;
use quick_sitemap::{Effect, Entry, Rule, UrlEntry};

use crate::html::listed::ListedPage;
use crate::html::{self, Folders};
use crate::publish::options;
use crate::publish::target::Target;
use crate::rows::{ColumnNames, Form, RowFormat};
use crate::source::empty::Empty;
use crate::source::filter::LocFilter;
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::NotRead;
use crate::source::options::ReadOptions;
use crate::source::pages::Place;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Item, Unusable};
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
  2    nothing was changed, unless the message says otherwise
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

    /// Format of the lists; by default it is detected from their names and first lines
    #[arg(long, value_name = "FORMAT")]
    from: Option<RowFormat>,

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
    target: options::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let files = Input::files(&arguments.inputs).writes("--state", arguments.html.state());
    arguments.target.list(files)?.check()?;
    interrupt::catch_while_reading("interrupted; nothing has been changed")?;
    let _progress = Progress::start("reading", messages);
    // Dates and translations of a page depend on the others, so that all folders are read first.
    let mut html = Folders::new(&arguments.html, arguments.target.base.as_ref(), messages)?;
    for input in &arguments.inputs {
        if let Input::Url(url) = input {
            bail!(
                "{url}: `write` reads files; use `sitemap edit {url}` for the pages of a sitemap"
            );
        }
        if let Some(folder) = folder(input) {
            if arguments.from.is_some() {
                bail!("{input}: this is a folder; folders are read as HTML files only");
            }
            html.read(folder)?;
        }
    }
    let found = html.finish()?;
    let mut pages = Pages {
        filter: &arguments.filter,
        target: Target::new(
            &arguments.target,
            &arguments.inputs,
            html.former(),
            messages,
        )?,
        filtered: 0,
        empty: Empty::default(),
        messages,
    };
    pages.read(arguments, found)?;
    pages.empty.finish(messages);
    if pages.filtered > 0 {
        let filtered = Count(pages.filtered, "page");
        messages.note(format_args!("{filtered} left out by --match and --exclude"));
    }
    // On the disk before the sitemaps change, so that no full disk keeps it from following them.
    let state = html.new_state()?;
    let status = pages.target.finish()?;
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
struct Pages<'a> {
    filter: &'a LocFilter,
    target: Target<'a>,
    /// Pages that the filter has left out.
    filtered: u64,
    empty: Empty,
    messages: &'a Messages,
}

impl Pages<'_> {
    /// Takes the pages of the inputs in their order, those of folders from `found`.
    fn read(&mut self, arguments: &Arguments, found: Vec<ListedPage>) -> anyhow::Result<()> {
        let reading = ReadOptions {
            columns: arguments.columns.clone(),
            ..ReadOptions::default()
        };
        let options = intake::Options {
            base: arguments.target.base.as_ref(),
            form: Form::List(arguments.from, arguments.ignore_unknown),
            ..intake::Options::new(&reading, self.messages)
        };
        let (mut found, mut folders) = (found.into_iter().peekable(), 0);
        for input in &arguments.inputs {
            if folder(input).is_none() {
                let account = intake::read(slice::from_ref(input), &options, self)?;
                account.lost.print_outside(self.messages);
                interrupt::check()?;
                continue;
            }
            while let Some(page) = found.next_if(|page| page.folder == folders) {
                self.page(page.entry, &page.name)?;
            }
            folders += 1;
        }
        reading.columns.check()
    }

    fn page(&mut self, entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        if self.filter.keeps(&entry.loc) {
            return self.target.page(entry, place);
        }
        self.filtered += 1;
        Ok(())
    }
}

impl Sink for Pages<'_> {
    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let place = Place {
            file: about.name,
            line: item.origin.line(),
        };
        match item.take() {
            Ok(Entry::Url(entry)) => self.page(entry, &place)?,
            Ok(Entry::Sitemap(_)) => {
                let rule = Some(Rule::MisplacedEntry);
                let why = "this is a sitemap, not a page";
                self.target.refuse(rule, &place, &why)?;
            }
            Err(Unusable::Refused(refused)) => {
                self.target.refuse(refused.rule, &place, &refused.why)?;
            }
            Err(Unusable::Skipped) => {
                let mut issues = item.issues.iter();
                if let Some(issue) = issues.find(|issue| issue.effect == Effect::EntrySkipped) {
                    self.target
                        .refuse(Some(issue.rule()), &place, &issue.violation)?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<ControlFlow<()>> {
        interrupt::check()?;
        match &end.failure {
            Some(failure) => bail!("{failure}"),
            None if end.is_empty() => self.empty.add(about.name, self.messages),
            None => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        bail!(not_read.to_string())
    }
}
