//! `sitemap write`.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::Path;
use std::slice;

use anyhow::{Context, bail};
use clap::Args;
use quick_sitemap::{Entry, Rule, UrlEntry};

use crate::html::{self, Folders};
use crate::rows::{ColumnNames, RowFormat};
use crate::sets::files::Files;
use crate::sets::replacement::Staged;
use crate::sets::target::{self, Target};
use crate::source::empty::Empty;
use crate::source::filter::LocFilter;
use crate::source::input::{Input, Network};
use crate::source::intake;
use crate::source::not_read::NotRead;
use crate::source::pages::Place;
use crate::source::scope::Scope;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Form, Item, Outcome, Unusable};
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
    target: target::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    arguments.columns.apply();
    let mut files = Files::default();
    files.reads_inputs(&arguments.inputs);
    files.writes("--state", arguments.html.state());
    arguments.target.list(&mut files)?;
    files.check()?;
    interrupt::catch_while_reading("interrupted; nothing has been changed")?;
    let _progress = Progress::start("reading", messages);
    // Dates and translations of a page depend on the others, so that all folders are read first.
    let base = arguments.target.base.as_ref();
    let mut html = Folders::new(&arguments.html, base, messages)?;
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
    let mut pages = html.finish()?.into_iter().peekable();
    let mut folders = 0;
    let mut sink = Pages {
        filter: &arguments.filter,
        target: arguments.target.target(html.former(), messages)?,
        filtered: 0,
        empty: Empty::default(),
        messages,
    };
    let (network, scope) = (Network::default(), Scope::default());
    let options = intake::Options {
        base,
        form: Form::List {
            format: arguments.from,
            ignores_unknown: arguments.ignore_unknown,
        },
        ..intake::Options::new(&network, &scope, messages)
    };
    for input in &arguments.inputs {
        if folder(input).is_none() {
            intake::read(slice::from_ref(input), &options, &mut sink)?;
            interrupt::check()?;
            continue;
        }
        while let Some(page) = pages.next_if(|page| page.folder == folders) {
            sink.page(page.entry, &page.name)?;
        }
        folders += 1;
    }
    sink.empty.finish(messages);
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
struct Pages<'a> {
    filter: &'a LocFilter,
    target: Target<'a>,
    /// Pages that the filter has left out.
    filtered: u64,
    empty: Empty,
    messages: &'a Messages,
}

impl Pages<'_> {
    fn page(&mut self, entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        if self.filter.keeps(entry.loc.as_str()) {
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
            Err(Unusable::Skipped) => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        interrupt::check()?;
        match &end.outcome {
            Outcome::Broken(error) | Outcome::Unopened(error) => bail!("{error:#}"),
            _ if end.is_empty() => self.empty.add(about.name, self.messages),
            _ => {}
        }
        Ok(())
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        bail!(not_read.to_string())
    }
}
