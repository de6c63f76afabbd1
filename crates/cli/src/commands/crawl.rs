//! `sitemap crawl`.

mod lines;
mod output;
mod pages;
mod resume;

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use quick_sitemap::Completeness;
use quick_sitemap_crawl::Coverage;

use self::output::Output;
use self::pages::Pages;
use self::resume::{Resume, StateFile};
use crate::disk::destination::format_of_name;
use crate::disk::files::Files;
use crate::net::driver::{self, Driver};
use crate::net::fetch::Fetcher;
use crate::rows::RowFormat;
use crate::source::account::{Account, Command};
use crate::source::filter::PageFilter;
use crate::source::input::{Input, or_url};
use crate::source::intake::{self, site};
use crate::source::notes::Notes;
use crate::source::options::ReadOptions;
use crate::term::address::{Address, hidden};
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap crawl example.com                                # the URL of each page
  sitemap crawl example.com --format csv -o pages.csv      # with dates
  sitemap crawl example.com --resume state.json -o pages.txt    # continue after Ctrl-C
  sitemap crawl staging.example.com --user me              # asks for the password
  sitemap crawl https://example.com/news/index.xml --sitemaps-since 2025-03-01";

/// Read all sitemaps of a site
///
/// Starts with the sitemaps that robots.txt names or, if it names none, with /sitemap.xml and other usual places, and
/// follows indexes. The format is detected from the content, never from the content type. A page that two sitemaps list is
/// written twice. The rules of robots.txt for pages are not applied.
///
/// Exit status: 0 if everything was read, 1 if something was not, 2 if nothing was read or the
/// usage was wrong, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The site, such as https://example.com; or one sitemap, index or robots.txt
    ///
    /// A user and a password in it (https://user:password@example.com) are sent to this origin only. They are never
    /// printed or stored.
    site: String,

    /// How pages are written [default: text, or by the name of --out]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<RowFormat>,

    /// Add the URL of the sitemap that lists the page, as the field or column `sitemap` (with jsonl, csv and tsv)
    #[arg(long)]
    source: bool,

    /// File to which the pages are written; `-` is standard output
    ///
    /// Without --resume, the file is replaced at the end of the crawl, also after Ctrl-C, but not if nothing was read. If
    /// the name ends in none of .txt, .jsonl, .csv and .tsv, --format is needed.
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,

    /// State file, which records what has been done; if it exists, the crawl continues from there
    ///
    /// Sitemaps that are finished are not fetched again, and their pages are not written again. Failed ones are
    /// tried again. The pages of a sitemap are written when it has been read to its end. They are appended to the file of
    /// --out, which is first cut back to the length that the state records, so that every page is in it once even if the
    /// crawl was killed. On standard output (>> pages.txt), a crawl that follows a killed one may repeat the pages of the
    /// sitemaps that were finished last.
    ///
    /// The format, --source, --out and the filters of pages must be those of the first run. A user and a password in the URL
    /// of the site are not stored, and must be given again.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    filter: PageFilter,

    #[command(flatten)]
    reading: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let files = Files::default().writes("--out", arguments.out.as_deref());
    let files = files.writes("--resume", arguments.resume.as_deref());
    files.check()?;
    let mut address = named(&arguments.site)?;
    arguments.reading.network.login.give([&mut address])?;
    let (mut driver, mut pages) = begin(arguments, &address, messages)?;
    let progress = Progress::start("crawling", messages);
    // From here on, no other crawl uses the state.
    pages.save(&driver, true)?;
    let options = intake::Options::new(&arguments.reading, messages);
    let account = site::crawl(&mut driver, &options, &mut pages)?;
    pages.save(&driver, true)?;
    drop(progress);
    finish(arguments, &driver, pages, &account, messages)
}

/// The file of `--out`; `None` for standard output.
fn out(arguments: &Arguments) -> Option<&Path> {
    let out = arguments.out.as_deref();
    out.filter(|out| *out != Path::new("-"))
}

/// Begins the crawl, or continues that of `--resume`.
fn begin<'a>(
    arguments: &'a Arguments,
    address: &Address,
    messages: &'a Messages,
) -> anyhow::Result<(Driver, Pages<'a>)> {
    let (format, source) = (format(arguments)?, arguments.source);
    let resume = arguments.resume.as_deref();
    let opened = resume.map(StateFile::open).transpose()?;
    let (state, earlier) = opened.unzip();
    let earlier = earlier.flatten();
    if let (Some(earlier), Some(path)) = (&earlier, resume) {
        earlier.check(path, address, format, source, &arguments.filter)?;
    }
    let fetcher = Arc::new(Fetcher::new(&arguments.reading.network)?);
    let before = earlier.as_ref().map(Resume::before);
    let mut pages = Pages {
        output: Output::open(out(arguments), resume, before)?,
        format,
        source,
        filter: &arguments.filter,
        state,
        pages: 0,
        current: 0,
        notes: Notes::new(messages, "written"),
    };
    // A file that is a pipe may have to be waited for above, which one signal must end.
    interrupt::catch()?;
    let builder = site::builder(&arguments.reading.scope, &fetcher);
    let (crawl, known) = match earlier {
        None => {
            if format == RowFormat::Csv {
                pages.output.begin_csv()?;
            }
            pages.output.append(&*lines::header(format, source)?)?;
            let known = resume.map(|_| BTreeMap::new());
            (site::begin(builder, address), known)
        }
        Some(earlier) => {
            pages.pages = earlier.output_pages;
            let crawl = driver::resume(builder, earlier.crawl, &earlier.known);
            (crawl, Some(earlier.known))
        }
    };
    let jobs = arguments.reading.scope.jobs();
    let mut driver = Driver::new(crawl, address, fetcher, jobs, messages);
    driver.known = known;
    Ok((driver, pages))
}

/// Reports the totals, and puts the output in its place.
fn finish(
    arguments: &Arguments,
    driver: &Driver,
    pages: Pages<'_>,
    account: &Account,
    messages: &Messages,
) -> anyhow::Result<Status> {
    let Pages {
        output,
        pages,
        notes,
        ..
    } = pages;
    notes.finish(account);
    let is_interrupted = interrupt::is_requested();
    let is_nothing = account.opened() == 0 && pages == 0;
    if is_interrupted || !is_nothing {
        let failed = match account.broken - account.partly {
            0 => String::new(),
            failed => format!(", {} failed", Grouped(failed)),
        };
        let partly = match account.partly {
            0 => String::new(),
            partly => format!(" ({} not to the end)", Grouped(partly)),
        };
        messages.note(format_args!(
            "{} in {}{partly}{failed}, {:.1} MB received",
            Count(pages, "entry"),
            Count(account.opened(), "sitemap"),
            driver.fetcher.received() as f64 / 1e6
        ));
        print_doubts(arguments, driver, pages, account, messages);
    }
    if is_interrupted {
        messages.error(match arguments.resume {
            Some(_) => "interrupted; the same command continues from here",
            None => {
                "interrupted; the pages that were read before are written, those after that are missing (--resume FILE \
                 makes a crawl that can be continued)"
            }
        });
    }
    match out(arguments).filter(|out| !output::is_stream(out)) {
        // A file is not replaced by an empty one.
        Some(out) if is_nothing && arguments.resume.is_none() => {
            if out.exists() {
                messages.note(format_args!("{} is as it was", out.display()));
            }
        }
        _ => output.complete()?,
    }
    Ok(account.status(Command::Read))
}

/// Reports why there may be more pages, although nothing is known to be missing, and that the filters leave none.
fn print_doubts(
    arguments: &Arguments,
    driver: &Driver,
    pages: u64,
    account: &Account,
    messages: &Messages,
) {
    if pages == 0 && account.pages > 0 {
        let read = Count(account.pages, "entry");
        messages.warning(format_args!(
            "{} keeps none of {read}",
            arguments.filter.question().join(" ")
        ));
    }
    if account.pages > 0 && driver.crawl.summary().coverage() == Coverage::Unknown {
        let why = match account.completeness() {
            Completeness::Unknown => {
                "the end of a text cannot be checked, and a feed lists only recent pages"
            }
            _ => "robots.txt or a usual place of sitemaps is refused, or is something else",
        };
        messages.note(format_args!("there may be more pages: {why}"));
    }
}

/// How pages are written.
fn format(arguments: &Arguments) -> anyhow::Result<RowFormat> {
    let format = match (arguments.format, out(arguments)) {
        (Some(format), _) => format,
        // Lines of URLs must not replace another kind of file.
        (None, Some(path)) if !output::is_stream(path) => {
            format_of_name("--out", path)?.with_context(|| {
                format!(
                    "--out {}: the name has no ending such as .txt, .jsonl, .csv or .tsv, so --format is needed",
                    path.display()
                )
            })?
        }
        (None, _) => RowFormat::Text,
    };
    if arguments.source && format == RowFormat::Text {
        bail!("--source goes with --format jsonl, csv or tsv");
    }
    Ok(format)
}

/// The site or the URL, named as for every other command.
fn named(text: &str) -> anyhow::Result<Address> {
    match text.parse::<Input>()?.or_site() {
        Input::Url(address) => Ok(*address),
        Input::Stdin => bail!("`crawl` reads a site, not standard input"),
        Input::File(path) => {
            let error = io::Error::new(ErrorKind::NotFound, "this is not a site");
            // It is meant to be a URL, so it may have a password.
            let shown = hidden(&format!("https://{text}")).into_owned();
            let shown = shown.trim_start_matches("https://").to_owned();
            Err(or_url(&path, error)).context(shown)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_needs_no_scheme() {
        let site = |text| named(text).map(|site| site.to_string()).ok();
        assert_eq!(site("example.com").as_deref(), Some("https://example.com/"));
        // The address is named with its scheme in the error.
        let error = named("localhost:80/a").unwrap_err();
        assert!(
            format!("{error:#}").ends_with("use `https://localhost:80/a`"),
            "{error:#}"
        );
        assert_eq!(site("sitemap.xml"), None);
        assert_eq!(
            site("me:secret@example.com").as_deref(),
            Some("https://***@example.com/")
        );
        assert_eq!(
            site("http://example.com").as_deref(),
            Some("http://example.com/")
        );
        assert_eq!(site("file:///etc/passwd"), None);
        assert_eq!(site(""), None);
    }
}
