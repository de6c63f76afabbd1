//! `sitemap probe`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::disk::destination::Out;
use crate::judge::dates;
use crate::judge::host_changes::HostChanges;
use crate::net::fetch::{self, Fetcher};
use crate::probe::ask::Asker;
use crate::probe::found::Listed;
use crate::probe::logins::Logins;
use crate::probe::queue;
use crate::probe::report::Report;
use crate::probe::results::Results;
use crate::probe::selection::{Known, Selection, Sites};
use crate::rows::writer::ViewFormat;
use crate::source::filter::PageFilter;
use crate::source::input::Input;
use crate::source::options::ReadOptions;
use crate::source::pages;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
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
/// gets one verdict: `missing` (status 404 or 410), `error` (another status, or no answer), `unread` (the head of an HTML
/// page was not read whole, or not understood), `redirect`, `noindex` (by the header X-Robots-Tag or the page),
/// `canonical-elsewhere` (the page names another canonical URL), `disallowed` (robots.txt
/// forbids it to this --user-agent, so it is not requested), `robots` (robots.txt of the host cannot be read, so it is not
/// requested), `other-host` (the sitemap may not list that host, so it is not requested), or `ok`.
///
/// Each page is one request. HTML is read to the end of its head, at most 2 MiB; of other pages, only the headers are
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
    mut_arg("replace_host", |argument| {
        argument.long_help(None::<&str>).help(
            "Request pages with the host FROM at TO, such as a staging site; both can have a scheme and a port",
        )
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

    /// Which results are written; the totals are those of all pages
    #[arg(long, value_name = "RESULTS")]
    only: Option<Only>,

    /// File in which the results are kept, as JSON Lines; if it exists, its pages are not requested again
    ///
    /// Pages with the verdict `error` are requested again. The results of pages that are no longer selected stay in the
    /// file, and are not reported.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Also request pages again whose result in the file of --resume is not `ok`
    #[arg(long, requires = "resume")]
    again: bool,

    /// Follow redirects, and judge the pages to which they lead
    ///
    /// A page then has the status of the last response, the number of redirects (`hops`), the URL at their end
    /// (`location`), and `listed`, which is true if a sitemap lists that URL: one of --listed-in or, without that option,
    /// an input, apart from pages with an expected target. `first_status` is the status of the first response. More verdicts
    /// are possible: `home-page` (redirects lead to a home page, and that is not expected), `wrong-target`, and of pages
    /// that would be `ok` otherwise, `temporary-redirect` (one of the redirects is 302, 303 or 307), `unlisted` (those of
    /// --listed-in do not list it), and `redirect-chain` (more than two redirects). If a list has a column `expected` (a URL, or a path of the
    /// same site), the page must lead there: then it is `ok` although it redirects, and `wrong-target` if it leads elsewhere
    /// or nowhere. At most 10 redirects are followed, from https to http only with --allow-downgrade, and to hosts
    /// that were not named or listed only with --other-hosts; a loop is an `error`.
    #[arg(long)]
    follow: bool,

    /// Sitemaps that should list the pages to which redirects lead, and whose pages are not requested; can be given several
    /// times
    #[arg(long, value_name = "INPUT", requires = "follow")]
    listed_in: Vec<Input>,

    #[command(flatten)]
    hosts: HostChanges,

    /// Statuses that are `ok`, such as 403,429 for pages behind a wall against bots that search engines pass
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(400..=599))]
    accept: Vec<u16>,

    #[command(flatten)]
    reading: ReadOptions,
}

/// Selections of results.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Only {
    /// Those for which the exit status is 1: neither `ok` nor `other-host`
    Bad,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut reading = arguments.reading.clone();
    reading.columns.expects = arguments.follow;
    if reading.columns.names_targets() && !arguments.follow {
        anyhow::bail!("the column `expected` needs --follow");
    }
    let (inputs, mut logins) = arguments.all_inputs(&reading)?;
    let files = Input::files(&inputs).writes("--out", arguments.out.path());
    let files = files.writes("--resume", arguments.resume.as_deref());
    files.check()?;
    let format = arguments.out.format(arguments.format)?;
    let mut results = arguments.resume.as_deref().map(Results::open).transpose()?;
    interrupt::catch_while_reading("interrupted; no page was requested")?;
    let fetcher = Arc::new(Fetcher::new(&fetch::Options {
        delay: reading.network.delay.or(Some(DELAY)),
        ..reading.network.clone()
    })?);
    let (selected, listed, sites, incomplete) =
        arguments.select(&inputs, &reading, &mut logins, messages)?;
    let asker = Arc::new(Asker {
        fetcher,
        logins,
        messages: *messages,
        follows: arguments.follow,
        ignores_robots: reading.scope.ignore_robots,
        again: arguments.again,
        hosts: arguments.hosts.clone(),
        accepted: arguments.accept.clone(),
        sites: (!reading.scope.other_hosts).then_some(sites),
        listed,
        unread: Mutex::default(),
        must_be_listed: !arguments.listed_in.is_empty(),
    });
    let out = arguments.out.open()?;
    let format = format.unwrap_or_default();
    let only_bad = arguments.only.is_some();
    let mut report = Report::new(format, arguments.follow, only_bad, out)?;
    let sample_of = selected.sample_of();
    let queue = queue::of(selected.finish()?, &asker, results.as_mut())?;
    let (total, kept) = (queue.0.length, queue.1);
    if total == 0 {
        messages.error("there are no pages to request");
        return Ok(Status::Failure);
    }
    let jobs = reading.scope.jobs();
    queue::request_all(&asker, queue, jobs, sample_of, results, &mut report)?;
    let unread = asker.unread();
    report.print_robots(reading.scope.ignore_robots, unread, messages);
    print_kept(kept, messages);
    let status = report.end(total, arguments.resume.is_some(), messages)?;
    if status == Status::Interrupted || incomplete.is_empty() {
        return Ok(status);
    }
    for what in incomplete {
        messages.warning(what);
    }
    Ok(status.max(Status::Findings))
}

/// Reports the entries with a target that were not used.
fn print_repeated(repeated: u64, messages: &Messages) {
    if repeated > 0 {
        let repeats = if repeated == 1 { "repeats" } else { "repeat" };
        let count = Count(repeated, "entry");
        messages.note(format_args!(
            "{count} with an expected target {repeats} a page; the first entry of a page counts, and if another target differs from its own, the page is an `error`"
        ));
    }
}

/// Reports the results that were not requested anew.
fn print_kept(kept: u64, messages: &Messages) {
    if kept > 0 {
        let kept = Count(kept, "result");
        messages.note(format_args!(
            "{kept} of earlier requests, from the file of --resume; --again does not use those that are not `ok`"
        ));
    }
}

impl Arguments {
    /// The inputs and those of --listed-in.
    fn all_inputs(&self, reading: &ReadOptions) -> anyhow::Result<(Vec<Input>, Logins)> {
        let all: Vec<_> = self.inputs.iter().chain(&self.listed_in).cloned().collect();
        Input::stdin_once(&all)?;
        let mut inputs: Vec<_> = all.into_iter().map(Input::or_site).collect();
        let logins = Logins::of(&mut inputs, &reading.network.login)?;
        Ok((inputs, logins))
    }

    /// Reads the pages to be requested, and those that a sitemap lists. Also returns what an incomplete reading
    /// of them means.
    fn select(
        &self,
        inputs: &[Input],
        reading: &ReadOptions,
        logins: &mut Logins,
        messages: &Messages,
    ) -> anyhow::Result<(Selection, Known, Sites, Vec<&'static str>)> {
        let (mut selected, mut listed) = (Selection::new(self.sample)?, Known::default());
        let mut sites = Sites::default();
        let _progress = Progress::start("reading", messages);
        let (inputs, listed_in) = inputs.split_at(self.inputs.len());
        let account = pages::read(inputs, reading, messages, &mut |mut page| {
            let date = dates::of_page(&page.entry);
            let is_kept = self.filter.keeps(&page.entry.loc, date);
            let listed_at = page.entry.loc.origin();
            self.hosts.apply(&mut page.entry);
            // What replaces a host was named.
            page.is_elsewhere &= page.entry.loc.origin() == listed_at;
            if self.follow && listed_in.is_empty() && page.expected.is_none() {
                listed.add(page.entry.loc.as_str());
            }
            if !is_kept {
                return Ok(());
            }
            logins.see(&page.entry.loc)?;
            let is_elsewhere = page.is_elsewhere;
            let page = Listed::new(page.entry.loc, page.listed.file, page.expected);
            let expected = page.expected.iter().flat_map(|url| url.parse());
            let named = [page.url.clone()].into_iter().filter(|_| !is_elsewhere);
            named.chain(expected).for_each(|url| sites.add(&url));
            selected.add(Listed {
                is_elsewhere,
                ..page
            })
        })?;
        let mut incomplete = Vec::new();
        if account.is_incomplete() {
            incomplete.push("the inputs are incomplete, so there may be more pages");
        }
        let mut whole = account.whole();
        if !listed_in.is_empty() {
            let account = pages::read(listed_in, reading, messages, &mut |mut page| {
                self.hosts.apply(&mut page.entry);
                listed.add(page.entry.loc.as_str());
                sites.add(&page.entry.loc);
                Ok(())
            })?;
            if account.is_incomplete() {
                incomplete.push(
                    "the list of --listed-in is incomplete, so it is not known which pages it does not list",
                );
            }
            whole = account.whole();
        }
        reading.columns.check()?;
        self.hosts.print_unused("a page", messages);
        logins.note(messages);
        print_repeated(selected.repeated, messages);
        listed.whole = whole.ok();
        Ok((selected, listed, sites, incomplete))
    }
}
