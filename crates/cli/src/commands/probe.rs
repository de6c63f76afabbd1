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
use crate::probe::logins::Logins;
use crate::probe::report::Report;
use crate::probe::results::Results;
use crate::probe::selection::{Known, Selection};
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
  sitemap probe map.csv --follow --column loc=old --column expected=new
  sitemap probe staging.xml --user me --ignore-robots      # asks for the password

Exit status:
  0    all pages are pages to be listed, or lead to the expected ones
  1    some are not, or lead elsewhere, or the list of pages is incomplete
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
/// read. Redirects are reported, and followed only with --follow.
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
    /// A URL is crawled as by `sitemap crawl`. A list is JSON Lines, CSV or TSV, as `sitemap crawl` and `show` write them. If no
    /// input is a URL, --user and --header are for the one origin of all pages.
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

    /// Follow redirects, and judge the pages to which they lead
    ///
    /// A page then has the status of the last response, the number of redirects (`hops`), the URL at their end
    /// (`location`), and `listed`, which is true if the inputs list that URL. Two more verdicts are possible: `home-page`
    /// (redirects lead to a home page, and that is not expected) and `wrong-target`. If a list has a column `expected` (a
    /// URL, or a path of the same site), the page must lead there: then it is `ok` although it redirects, and
    /// `wrong-target` if it leads elsewhere or nowhere. At most 10 redirects are followed, from https to http only with
    /// --allow-downgrade; a loop is an `error`.
    #[arg(long)]
    follow: bool,

    /// Also request pages that robots.txt forbids, such as those of your own staging site; a note reports their number
    #[arg(long)]
    ignore_robots: bool,

    #[command(flatten)]
    reading: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut reading = arguments.reading.clone();
    reading.columns.expects = arguments.follow;
    Input::stdin_once(&arguments.inputs)?;
    let inputs = arguments.inputs.iter().cloned();
    let mut inputs: Vec<_> = inputs.map(Input::or_site).collect();
    let mut logins = Logins::of(&mut inputs, &reading.network.login)?;
    let mut files = Input::files(&inputs);
    files.writes("--out", arguments.out.path());
    files.writes("--resume", arguments.resume.as_deref());
    files.check()?;
    let mut results = arguments.resume.as_deref().map(Results::open).transpose()?;
    interrupt::catch_while_reading("interrupted; no page was requested")?;
    let fetcher = Arc::new(Fetcher::new(&fetch::Options {
        delay: reading.network.delay.or(Some(DELAY)),
        ..reading.network.clone()
    })?);
    let mut selected = Selection::new(arguments.sample)?;
    let progress = Progress::start("reading", messages);
    let totals = pages::read(&inputs, &reading, messages, &mut |page| {
        if !arguments.filter.keeps(&page.entry.loc, page.entry.lastmod) {
            selected.leave_out(&page.entry.loc);
            return Ok(());
        }
        logins.see(&page.entry.loc)?;
        let sitemap = page.listed.file;
        selected.add(Listed::new(page.entry.loc, sitemap, page.expected))
    })?;
    drop(progress);
    logins.note(messages);
    let asker = Arc::new(Asker {
        fetcher,
        logins,
        messages: *messages,
        follows: arguments.follow,
        ignores_robots: arguments.ignore_robots,
    });
    let format = arguments.out.format(arguments.format);
    let out = arguments.out.open()?;
    let mut report = Report::new(format.unwrap_or_default(), arguments.follow, out)?;
    let (pages, known) = selected.finish()?;
    let queue = queue(pages, &known, &asker, results.as_mut(), &mut report)?;
    let total = queue.length + report.pages();
    if total == 0 {
        messages.error("there are no pages to request");
        return Ok(Status::Failure);
    }
    progress::count_to(queue.length);
    let progress = Progress::start("probing", messages);
    request(
        &asker,
        queue.read()?,
        reading.scope.jobs(),
        &mut |mut found| {
            progress::entry();
            found.listed = asker.follows.then(|| known.has(found.end()));
            if let Some(results) = &mut results {
                results.add(&found)?;
            }
            report.add(found)
        },
    )?;
    drop(progress);
    if arguments.ignore_robots {
        messages.note(report.ignored());
    }
    let status = finish(report, total, arguments.resume.is_some(), messages)?;
    if totals.is_incomplete() && status != Status::Interrupted {
        messages.warning("the inputs are incomplete, so there may be more pages");
        return Ok(status.max(Status::Findings));
    }
    Ok(status)
}

/// Writes the end of the output, and reports the totals.
fn finish(
    report: Report,
    total: u64,
    continues: bool,
    messages: &Messages,
) -> anyhow::Result<Status> {
    let (missing, summary, status) = (total - report.pages(), report.summary(), report.status());
    report.finish()?;
    if !interrupt::is_requested() {
        messages.note(summary);
        return Ok(status);
    }
    let advice = if continues {
        "the same command continues from here"
    } else {
        "--resume FILE makes a run that can be continued"
    };
    messages.error(format_args!(
        "interrupted; {} of {} {} not requested; {advice}",
        Count(missing, "page"),
        Grouped(total),
        if missing == 1 { "was" } else { "were" },
    ));
    Ok(Status::Interrupted)
}

/// The selected pages without those of `--resume` whose results are still true, which are reported. The results of the others
/// are removed from the file.
fn queue(
    selected: impl Iterator<Item = anyhow::Result<Listed>>,
    known: &Known,
    asker: &Asker,
    mut results: Option<&mut Results>,
    report: &mut Report,
) -> anyhow::Result<Spool> {
    let (mut queue, mut again) = (Spool::new()?, Known::default());
    for page in selected {
        let page = page?;
        let earlier = results
            .as_mut()
            .map(|results| results.find(page.url.as_str()));
        match earlier.transpose()?.flatten() {
            Some(found) if asker.accepts(&page, &found, known) => report.add(found)?,
            earlier => {
                if earlier.is_some() {
                    again.add(page.url.as_str());
                }
                queue.push(&page)?;
            }
        }
    }
    if let Some(results) = results.filter(|_| !again.is_empty()) {
        results.forget(&again)?;
    }
    Ok(queue)
}
