//! `sitemap show`.

mod entries;
mod table;

use clap::Args;

use self::entries::Show;
use self::table::EntryTable;
use crate::disk::destination::Out;
use crate::rows::writer::{ListWriter, ViewFormat};
use crate::rows::{Column, ColumnNames, ENTRY};
use crate::source::account::Command;
use crate::source::documents::{Documents, documents};
use crate::source::filter::PageFilter;
use crate::source::input::{Input, Network};
use crate::source::intake;
use crate::source::options::ReadOptions;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::output;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap show https://www.example.com/sitemap.xml
  sitemap show sitemap.xml.gz --since 2024-05 --match /news/
  sitemap show sitemap.xml --format csv > pages.csv
  curl -s https://www.example.com/sitemap.xml | sitemap show - --limit 10";

/// Show the entries of sitemaps
///
/// An input can also be a list of pages as JSON Lines, CSV or TSV, as `show` and `crawl` write them. Each entry is a row
/// with its URL and, if present, its date, change frequency and priority. If the terminal is too narrow, URLs are shortened
/// in the middle. Output to a file or a pipe is never shortened. Users and passwords of URLs are left out.
///
/// Exit status: 0 if every entry could be used, 1 if entries cannot be used or an input cannot be read to its end (`sitemap
/// check` reports problems), 2 if an input cannot be opened or nothing could be read, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The sitemaps: files, folders, URLs, or `-` for standard input
    #[arg(value_name = "URL|FILE|FOLDER|-", required = true)]
    inputs: Vec<Input>,

    /// How entries are written [default: table, or by the name of --out]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<ViewFormat>,

    #[command(flatten)]
    out: Out,

    #[command(flatten)]
    filter: PageFilter,

    /// Show at most N entries of all inputs together; the rest is not read
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<u64>,

    /// Show non-ASCII letters of URLs decoded, not as %C3%BC (not in JSON Lines)
    #[arg(long)]
    decoded: bool,

    #[command(flatten)]
    columns: ColumnNames,

    #[command(flatten)]
    network: Network,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut inputs = arguments.inputs.clone();
    Input::stdin_once(&inputs)?;
    Input::log_in(&mut inputs, &arguments.network)?;
    let files = Input::files(&inputs).writes("--out", arguments.out.path());
    files.check()?;
    interrupt::catch_while_reading("interrupted; the entries after that are not shown")?;
    let documents = documents(&inputs, None, messages)?;
    let documents = documents.iter().flat_map(Documents::all);
    let columns = ENTRY.map(Column::name);
    let format = arguments.out.format(arguments.format)?.unwrap_or_default();
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let mut show = Show {
        filter: &arguments.filter,
        messages,
        list: ListWriter::new(format, &columns, arguments.out.open()?)?,
        table: EntryTable::new(arguments.decoded),
        left: limit,
        has_headings: documents.count() > 1,
    };
    let reading = ReadOptions {
        columns: arguments.columns.clone(),
        network: arguments.network.clone(),
        ..ReadOptions::default()
    };
    let options = intake::Options {
        no_follow: true,
        ..intake::Options::new(&reading, messages)
    };
    let account = intake::read(&inputs, &options, &mut show)?;
    interrupt::check()?;
    reading.columns.check()?;
    let status = account.status(Command::Read);
    if account.broken > 0 && show.left == limit {
        // A file is not replaced by an empty one.
        return Ok(status);
    }
    // Nobody asks for the rest.
    let is_over = show.left == 0 || output::is_closed();
    let has_loss = account.broken + account.lost.skipped > 0;
    show.list.out.complete()?;
    Ok(if is_over && !has_loss {
        Status::Success
    } else {
        status
    })
}
