//! `sitemap write`.

mod alternates;
mod form;
mod found;
mod git;
mod left_out;
mod rows;
mod sink;
mod site;
mod state;
mod text;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use self::form::Form;
use self::sink::{Line, Sink};
use self::site::Site;
use crate::rows::RowFormat;
use crate::sets::files::Files;
use crate::sets::target;
use crate::source::empty::Empty;
use crate::source::filter::LocFilter;
use crate::source::input::Input;
use crate::source::stdin;
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
    #[arg(long, value_name = "FORM")]
    from: Option<Form>,

    /// Ignore unknown columns and fields, which are otherwise an error
    #[arg(long)]
    ignore_unknown: bool,

    #[command(flatten)]
    filter: LocFilter,

    #[command(flatten)]
    site: site::Options,

    #[command(flatten)]
    target: target::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut files = Files::default();
    files.reads_inputs(&arguments.inputs);
    files.writes("--state", arguments.site.state());
    arguments.target.list(&mut files);
    files.check()?;
    interrupt::catch_while_reading("interrupted; nothing has been changed")?;
    let _progress = Progress::start("reading", messages);
    // Dates and translations of a page depend on the others, so that all folders are read first.
    let mut site = Site::new(&arguments.site, arguments.target.base.as_ref(), messages)?;
    for input in &arguments.inputs {
        if let Some(folder) = folder(input) {
            if !matches!(arguments.from, None | Some(Form::Html)) {
                bail!("{input}: this is a folder; folders are read as HTML files only");
            }
            site.read(folder)?;
        }
    }
    let mut folders = site.finish()?.into_iter();
    let mut sink = Sink {
        filter: &arguments.filter,
        base: arguments.target.base.as_ref(),
        ignores_unknown: arguments.ignore_unknown,
        target: arguments.target.target(messages)?,
        filtered: 0,
        entries: 0,
    };
    let mut empty = Empty::default();
    for input in &arguments.inputs {
        if folder(input).is_some() {
            for page in folders.next().unwrap_or_default() {
                let place = Line {
                    file: &page.name,
                    number: 0,
                };
                sink.page(page.entry, place)?;
            }
            continue;
        }
        let before = sink.entries;
        read(input, arguments, &mut sink)?;
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
    let state = site.stage()?;
    let status = sink.target.finish()?;
    if let Some(state) = state
        && status != Status::Alarm
    {
        state.put_in_place()?;
    }
    Ok(status)
}

fn folder(input: &Input) -> Option<&Path> {
    match input {
        Input::File(path) if path.is_dir() => Some(path),
        _ => None,
    }
}

fn read(input: &Input, arguments: &Arguments, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let name = input.to_string();
    let (reader, path): (Box<dyn io::Read>, _) = match input {
        Input::File(path) => {
            let file = File::open(path).with_context(|| name.clone())?;
            (Box::new(file), path.clone())
        }
        Input::Stdin => (Box::new(stdin::interruptible()), PathBuf::new()),
        Input::Url(url) => {
            bail!("{url}: `write` reads files; use `sitemap edit {url}` for the pages of a sitemap")
        }
    };
    let (form, reader) = form::tell(arguments.from, &path, reader).with_context(|| name.clone())?;
    match form {
        Form::Text => text::read(&name, reader, sink),
        Form::Csv => rows::read(&name, RowFormat::Csv, reader, sink),
        Form::Tsv => rows::read(&name, RowFormat::Tsv, reader, sink),
        Form::Jsonl => rows::read(&name, RowFormat::Jsonl, reader, sink),
        Form::Html => bail!(
            "{name}: HTML files are read from a folder; pass the folder, and its URL as --base"
        ),
    }
}
