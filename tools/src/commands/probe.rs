//! `sitemap probe`.

mod ask;
mod report;
mod results;
mod sample;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Lines, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use quick_sitemap::Entry;

use self::ask::Asker;
use self::report::{Format, Report};
use self::results::Results;
use self::sample::{Listed, Sample};
use crate::net::driver;
use crate::net::fetch::{self, Fetcher};
use crate::net::scope::Scope;
use crate::page::found::Found;
use crate::sets::digest::{DigestMap, Digester};
use crate::sets::files::Files;
use crate::sets::site::{self, Ends};
use crate::source::input::Input;
use crate::source::pages;
use crate::term::address::Address;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::output;
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

    /// With another seed, --sample chooses other pages; with the same seed, the same
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,

    /// How results are written
    #[arg(long, short, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// File in which the results are kept, as JSON Lines; if it exists, its pages are not requested again
    ///
    /// Pages with the verdict `error` are requested again. The results of pages that are no longer selected stay in the
    /// file, and are not reported.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    network: fetch::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut inputs = Input::or_sites(&arguments.inputs);
    arguments
        .network
        .login
        .give(Input::addresses(&mut inputs))?;
    Input::stdin_once(&inputs)?;
    let mut files = Files::default();
    files.reads_inputs(&inputs);
    files.writes("--resume", arguments.resume.as_deref());
    files.check()?;
    let mut results = arguments.resume.as_deref().map(Results::open).transpose()?;
    interrupt::catch_while_reading("interrupted; no page was requested")?;
    let fetcher = Arc::new(Fetcher::new(&fetch::Options {
        delay: arguments.network.delay.or(Some(DELAY)),
        ..arguments.network.clone()
    })?);
    let (selected, is_whole) = match select(arguments, &inputs, messages)? {
        Selection::Pages(selected, is_whole) => (selected, is_whole),
        Selection::Ended(status) => return Ok(status),
    };
    let mut report = Report::new(arguments.format)?;
    let mut queue = Spool::new()?;
    for page in selected.read()? {
        let page = page?;
        let earlier = match &mut results {
            Some(results) => results.find(&page.url)?,
            None => None,
        };
        match earlier {
            Some(found) => report.add(found)?,
            None => queue.push(&page)?,
        }
    }
    let total = queue.pages + report.pages();
    if total == 0 {
        messages.error("there are no pages to request");
        return Ok(Status::Failure);
    }
    let addresses = inputs.iter().filter_map(|input| match input {
        Input::Url(address) => Some((**address).clone()),
        Input::File(_) | Input::Stdin => None,
    });
    let asker = Asker {
        fetcher,
        addresses: addresses.collect(),
        origins: Mutex::default(),
        messages: *messages,
    };
    progress::count_to(queue.pages);
    let progress = Progress::start("probing", messages);
    request(asker, queue, arguments.scope.jobs(), &mut |found| {
        progress::entry();
        if let Some(results) = &mut results {
            results.add(&found)?;
        }
        report.add(found)
    })?;
    drop(progress);
    let (pages, summary, mut status) = (report.pages(), report.summary(), report.status());
    report.finish()?;
    if interrupt::is_requested() {
        let missing = Count(total - pages, "page");
        let advice = match &arguments.resume {
            Some(_) => "; the same command continues from here",
            None => "",
        };
        messages.error(format_args!(
            "interrupted; {missing} of {} {} not requested{advice}",
            Grouped(total),
            if total - pages == 1 { "was" } else { "were" }
        ));
        return Ok(Status::Interrupted);
    }
    messages.note(summary);
    if !is_whole {
        messages.warning("the inputs are incomplete, so there may be more pages");
        status = status.max(Status::Findings);
    }
    Ok(status)
}

enum Selection {
    /// And whether these are all pages of the inputs.
    Pages(Spool, bool),
    /// An input could not be read at all, which has been reported.
    Ended(Status),
}

/// The pages to be requested, each once.
fn select(
    arguments: &Arguments,
    inputs: &[Input],
    messages: &Messages,
) -> anyhow::Result<Selection> {
    let mut all = Spool::new()?;
    let mut sample = arguments
        .sample
        .map(|size| Sample::new(size as usize, arguments.seed));
    let (digester, mut known) = (Digester::default(), DigestMap::default());
    let mut take = |page: Listed| -> anyhow::Result<()> {
        interrupt::check()?;
        if known.insert(digester.of(&page.url), ()).is_some() {
            return Ok(());
        }
        match &mut sample {
            Some(sample) => {
                sample.add(page);
                Ok(())
            }
            None => all.push(&page),
        }
    };
    let mut is_whole = true;
    for input in inputs {
        match input {
            Input::Url(site) => match crawled(arguments, site, messages, &mut take)? {
                Status::Success => {}
                Status::Findings => is_whole = false,
                status => return Ok(Selection::Ended(status)),
            },
            input => {
                let _progress = Progress::start("reading", messages);
                let totals = pages::read(input, messages, &mut |page| {
                    take(Listed {
                        url: page.entry.loc.into(),
                        sitemap: page.place.file.to_owned(),
                    })
                })?;
                is_whole &= !totals.is_incomplete();
            }
        }
    }
    if let Some(sample) = sample {
        for page in sample.finish() {
            all.push(&page)?;
        }
    }
    Ok(Selection::Pages(all, is_whole))
}

fn crawled(
    arguments: &Arguments,
    site: &Address,
    messages: &Messages,
    take: &mut dyn FnMut(Listed) -> anyhow::Result<()>,
) -> anyhow::Result<Status> {
    let mut on_page = |sitemap: &str, page: &Entry| {
        take(Listed {
            url: page.loc().to_string(),
            sitemap: sitemap.to_owned(),
        })
    };
    let Arguments { scope, network, .. } = arguments;
    let outcome = site::pages(site, scope, network, messages, &mut on_page)?;
    outcome.report(messages, Ends::Collected)
}

/// Pages in a temporary file, which is read once.
struct Spool {
    file: BufWriter<File>,
    pages: u64,
}

impl Spool {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            file: BufWriter::new(tempfile::tempfile().context("a temporary file")?),
            pages: 0,
        })
    }

    fn push(&mut self, page: &Listed) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.file, &(&page.url, &page.sitemap))?;
        self.file.write_all(b"\n").context("a temporary file")?;
        self.pages += 1;
        Ok(())
    }

    fn read(self) -> anyhow::Result<Pages> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(Pages(BufReader::new(file).lines()))
    }
}

struct Pages(Lines<BufReader<File>>);

impl Iterator for Pages {
    type Item = anyhow::Result<Listed>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.0.next()?;
        Some(line.map_err(Into::into).and_then(|line| {
            let (url, sitemap) = serde_json::from_str(&line)?;
            Ok(Listed { url, sitemap })
        }))
    }
}

/// Requests all pages of the queue, several at a time, and passes each result to `on_found`. Returns early if the
/// program is interrupted or the reader of the output has ended; it does not wait for the network then.
fn request(
    asker: Asker,
    queue: Spool,
    jobs: usize,
    on_found: &mut dyn FnMut(Found) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (sender, receiver) = sync_channel(jobs);
    let shared = Arc::new((asker, Mutex::new(queue.read()?)));
    for job in 0..jobs {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        std::thread::Builder::new()
            .name(format!("job {job}"))
            .spawn(move || work(&shared.0, &shared.1, &sender))
            .context("a thread cannot be started")?;
    }
    drop(sender);
    while !output::is_closed() {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(found) => on_found(found?)?,
            Err(RecvTimeoutError::Timeout) if interrupt::is_requested() => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

fn work(asker: &Asker, queue: &Mutex<Pages>, sender: &SyncSender<anyhow::Result<Found>>) {
    loop {
        let page = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let found = match page {
            None => return,
            // A page must not be lost, so the run ends.
            Some(Ok(page)) => match catch_unwind(AssertUnwindSafe(|| asker.ask(page))) {
                Ok(Some(found)) => Ok(found),
                Ok(None) => return,
                Err(_) => Err(anyhow!(driver::DEFECT)),
            },
            Some(Err(error)) => Err(error),
        };
        if sender.send(found).is_err() || interrupt::is_requested() {
            return;
        }
    }
}
