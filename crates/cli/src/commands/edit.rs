//! `sitemap edit`.

use clap::Args;

use crate::disk::files::Files;
use crate::judge::dates;
use crate::publish::arrange::{Arrangement, Order};
use crate::publish::change;
use crate::publish::options;
use crate::publish::target::Target;
use crate::source::account::{Account, Command};
use crate::source::filter::PageFilter;
use crate::source::input::Input;
use crate::source::options::ReadOptions;
use crate::source::pages::{self, Page};
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Advised, Messages};
use crate::term::progress::Progress;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap edit a.xml b.xml.gz c.txt --dedupe -o merged.xml
  sitemap edit old.xml --replace-host old.example=https://www.example.com \\
      --out public --base https://www.example.com/
  sitemap edit sitemap.xml --exclude /draft/ --drop changefreq -o sitemap.xml
  sitemap edit sitemap.xml --since 2024-05 --sort lastmod --reverse -o - | less

Exit status:
  0    everything was written
  1    the sitemaps were written, but pages were skipped (--skip-invalid), or inputs
       were incomplete (--allow-incomplete)
  2    nothing was changed, unless the message says otherwise
  3    an alarm (--max-removed, --max-changed); nothing was changed
  130  Ctrl-C; nothing was changed, unless a message says otherwise";

/// Filter, change, merge, de-duplicate, sort and split sitemaps
///
/// Reads the pages of all inputs, one input after the other, selects pages by the filters, which are applied to a page
/// as it is listed, changes the selected pages, and writes them to one file or to a set. An input can also be the
/// output.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// Sitemaps: sites, such as example.com, URLs, files, folders of them, or `-` for standard input
    ///
    /// A URL is crawled as by `sitemap crawl`. A file can also be a list of pages as JSON Lines, CSV or TSV, as `sitemap crawl` and `show` write them.
    ///
    /// The parts of an index in a file are searched in its folder. In a folder, a sitemap that an index lists is read
    /// once.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<Input>,

    /// Continue if pages of an input are missing or cannot be used, which is otherwise an error
    #[arg(long)]
    allow_incomplete: bool,

    #[command(flatten)]
    filter: PageFilter,

    #[command(flatten)]
    changes: change::Options,

    #[command(flatten)]
    order: Order,

    #[command(flatten)]
    target: options::Options,

    #[command(flatten)]
    reading: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let inputs = Input::prepare(&arguments.inputs, None, &arguments.reading.network)?;
    // An input may be the output.
    arguments.target.list(Files::default())?.check()?;
    interrupt::catch_while_reading("interrupted; nothing has been changed")?;
    arguments.changes.check()?;
    let mut target = Target::new(&arguments.target, &inputs, None, messages)?;
    let mut arrangement = Arrangement::new(&arguments.order)?;
    let (mut filtered, mut duplicates) = (0, 0);
    let progress = Progress::start("reading", messages);
    let account = pages::read(&inputs, &arguments.reading, messages, &mut |page| {
        let Page {
            mut entry, listed, ..
        } = page;
        if !arguments.filter.keeps(&entry.loc, dates::of_page(&entry)) {
            filtered += 1;
            // Its hosts are seen all the same.
            arguments.changes.hosts.apply(&mut entry);
            return Ok(());
        }
        if let Err(violation) = arguments.changes.apply(&mut entry) {
            return target.refuse(Some(violation.rule()), &listed.place(), &violation);
        }
        match &mut arrangement {
            None => target.page(entry, &listed),
            Some(arrangement) => arrangement.push(&entry, listed.place()),
        }
    })?;
    drop(progress);
    arguments.reading.columns.check()?;
    let of = "a page, an alternate, an image or a video";
    arguments.changes.hosts.print_unused(of, messages);
    let _progress = Progress::start("writing", messages);
    let status = judge(&account, arguments.allow_incomplete)?;
    if let Some(arrangement) = arrangement {
        duplicates = arrangement.finish(&mut |entry, place| target.page(entry, place))?;
    }
    account.lost.print_outside(messages);
    print_totals(&account, filtered, duplicates, messages);
    Ok(target.finish()?.max(status))
}

/// Returns an error if the input must not be written.
fn judge(account: &Account, is_allowed: bool) -> anyhow::Result<Status> {
    let status = account.status(Command::Use { is_allowed });
    let Err(why) = account.asked() else {
        return Ok(status);
    };
    if status != Status::Failure {
        return Ok(status);
    }
    let message = format!("the input is incomplete ({why})");
    let advice = "nothing has been changed; use --allow-incomplete to continue anyway";
    Err(Advised::new(message, advice).into())
}

fn print_totals(account: &Account, filtered: u64, duplicates: u64, messages: &Messages) {
    let mut message = format!(
        "{} read from {}",
        Count(account.pages, "page"),
        Count(account.read, "file")
    );
    let others = account.ignored();
    if others > 0 {
        message.push_str(&format!(" ({} ignored)", Count(others, "other file")));
    }
    if filtered > 0 {
        message.push_str(&format!(", {} left out by filters", Grouped(filtered)));
    }
    if duplicates > 0 {
        message.push_str(&format!(", {} left out", Count(duplicates, "duplicate")));
    }
    messages.note(message);
}
