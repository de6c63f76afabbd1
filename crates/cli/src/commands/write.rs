//! `sitemap write`.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;

use crate::html::{self, Folders};
use crate::rows::{ColumnNames, RowFormat};
use crate::sets::files::Files;
use crate::sets::intake::Intake;
use crate::sets::replacement::Staged;
use crate::sets::target;
use crate::source::empty::Empty;
use crate::source::filter::LocFilter;
use crate::source::input::Input;
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
        if let Some(folder) = folder(input) {
            if arguments.from.is_some() {
                bail!("{input}: this is a folder; folders are read as HTML files only");
            }
            html.read(folder)?;
        }
    }
    let mut pages = html.finish()?.into_iter().peekable();
    let mut folders = 0;
    let mut intake = Intake {
        filter: &arguments.filter,
        base,
        ignore_unknown: arguments.ignore_unknown,
        target: arguments.target.target(html.former(), messages)?,
        filtered: 0,
        entries: 0,
    };
    let mut empty = Empty::default();
    for input in &arguments.inputs {
        if folder(input).is_some() {
            while let Some(page) = pages.next_if(|page| page.folder == folders) {
                intake.page(page.entry, &page.name)?;
            }
            folders += 1;
            continue;
        }
        let before = intake.entries;
        intake.read(input, arguments.from)?;
        if intake.entries == before {
            empty.add(input, messages);
        }
    }
    empty.finish(messages);
    if intake.filtered > 0 {
        let pages = Count(intake.filtered, "page");
        messages.note(format_args!("{pages} left out by --match and --exclude"));
    }
    // On the disk before the sitemaps change, so that no full disk keeps it from following them.
    let state = match arguments.html.state() {
        Some(path) => Some(Staged::new(path, html.new_state()?.as_deref())?),
        None => None,
    };
    let status = intake.target.finish()?;
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
