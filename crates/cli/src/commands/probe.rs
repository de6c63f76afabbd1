//! `sitemap probe`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::disk::destination::Out;
use crate::disk::spool::Spool;
use crate::net::fetch::{self, Fetcher};
use crate::probe::ask::{Asker, request};
use crate::probe::found::Listed;
use crate::probe::report::Report;
use crate::probe::results::Results;
use crate::probe::selection::Selection;
use crate::rows::writer::ViewFormat;
use crate::source::filter::PageFilter;
use crate::source::input::Input;
use crate::source::options::ReadOptions;
use crate::source::pages;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::{self, Progress};
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap probe example.com --sample 100
  sitemap probe public/sitemap.xml --delay 0 --format csv > pages.csv
  sitemap probe example.com --resume probed.jsonl          # continue after Ctrl-C

Exit status:
  0    all pages are pages to be listed
  1    some are not, or the list of pages is incomplete
  2    there are no pages, or the command line is invalid
  130  Ctrl-C";

/// The default pause between two pages of one host. Sitemaps need none: they are few, and made to be read by programs.
const DELAY: Duration = Duration::from_secs(1);

/// Request the listed pages, and report those that should not be listed
///
/// The pages of all inputs are requested, or a sample of them, at most one page per second and host (--delay). Each page
/// gets one verdict: `missing` (status 404 or 410), `error` (another status, or no answer), `redirect`, `noindex` (by the
/// header X-Robots-Tag or the page), `canonical-elsewhere` (the page names another canonical URL), `disallowed` (robots.txt
/// forbids it to all robots or to this --user-agent, so it is not requested), or `ok`.
///
/// Each page is one request. HTML is read to the end of its head, at most 256 KiB; of other pages, only the headers are
/// read. Redirects are reported, not followed.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER,
    mut_arg("delay", |argument| {
        argument.help(
            "Pause between two requests to the same host, in seconds, such as 0.5 [default: 1 for pages, 0 for sitemaps]",
        )
    }),
    mut_arg("jobs", |argument| {
        argument.help("Number of pages, and of sitemaps, that are requested at the same time")
    }),
)]
pub(crate) struct Arguments {
    /// Sitemaps or lists of pages: sites, such as example.com, URLs, files, folders, or `-` for standard input
    ///
    /// A URL is crawled as by `sitemap crawl`. A list is JSON Lines, CSV or TSV, as `sitemap crawl` and `show` write them.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<Input>,

    /// Request N pages, spread over the sitemaps and chosen at random in each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sample: Option<u32>,

    /// How results are written [default: table, or by the name of --out]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<ViewFormat>,

    #[command(flatten)]
    out: Out,

    #[command(flatten)]
    filter: PageFilter,

    /// File in which the results are kept, as JSON Lines; if it exists, its pages are not requested again
    ///
    /// Pages with the verdict `error` are requested again. The results of pages that are no longer selected stay in the
    /// file, and are not reported.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let inputs = Input::prepare(&arguments.inputs, None, &arguments.reading.network)?;
    let mut files = Input::files(&inputs);
    files.writes("--out", arguments.out.path());
    files.writes("--resume", arguments.resume.as_deref());
    files.check()?;
    let mut results = arguments.resume.as_deref().map(Results::open).transpose()?;
    interrupt::catch_while_reading("interrupted; no page was requested")?;
    let fetcher = Arc::new(Fetcher::new(&fetch::Options {
        delay: arguments.reading.network.delay.or(Some(DELAY)),
        ..arguments.reading.network.clone()
    })?);
    let mut selected = Selection::new(arguments.sample)?;
    let progress = Progress::start("reading", messages);
    let totals = pages::read(&inputs, &arguments.reading, messages, &mut |page| {
        let entry = page.entry;
        if !arguments.filter.keeps(&entry.loc, entry.lastmod) {
            return Ok(());
        }
        selected.add(Listed {
            url: entry.loc.into(),
            sitemap: page.listed.file.to_owned(),
        })
    })?;
    drop(progress);
    let format = arguments.out.format(arguments.format);
    let mut report = Report::new(format.unwrap_or_default(), arguments.out.open()?)?;
    let queue = queue(selected, results.as_mut(), &mut report)?;
    let total = queue.length + report.pages();
    if total == 0 {
        messages.error("there are no pages to request");
        return Ok(Status::Failure);
    }
    let asker = Asker::new(fetcher, &inputs, messages);
    progress::count_to(queue.length);
    let progress = Progress::start("probing", messages);
    let jobs = arguments.reading.scope.jobs();
    request(asker, queue.read()?, jobs, &mut |found| {
        progress::entry();
        if let Some(results) = &mut results {
            results.add(&found)?;
        }
        report.add(found)
    })?;
    drop(progress);
    let (missing, summary, status) = (total - report.pages(), report.summary(), report.status());
    report.finish()?;
    if interrupt::is_requested() {
        let advice = arguments.resume.as_ref();
        messages.error(format_args!(
            "interrupted; {} of {} {} not requested{}",
            Count(missing, "page"),
            Grouped(total),
            if missing == 1 { "was" } else { "were" },
            advice.map_or("", |_| "; the same command continues from here")
        ));
        return Ok(Status::Interrupted);
    }
    messages.note(summary);
    if totals.is_incomplete() {
        messages.warning("the inputs are incomplete, so there may be more pages");
        return Ok(status.max(Status::Findings));
    }
    Ok(status)
}

/// The selected pages without those of `--resume`, which are reported.
fn queue(
    selected: Selection,
    mut results: Option<&mut Results>,
    report: &mut Report,
) -> anyhow::Result<Spool> {
    let mut queue = Spool::new()?;
    for page in selected.finish()? {
        let page = page?;
        let earlier = results.as_mut().map(|results| results.find(&page.url));
        match earlier.transpose()?.flatten() {
            Some(found) => report.add(found)?,
            None => queue.push(&page)?,
        }
    }
    Ok(queue)
}
