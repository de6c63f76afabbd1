//! `sitemap crawl`.

mod issues;
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

use self::issues::IssuesFile;
use self::output::{Before, Output};
use self::pages::Pages;
use self::resume::{Resume, Same, StateFile};
use crate::net::driver::{self, Driver};
use crate::net::fetch::{self, Fetcher};
use crate::net::scope::Scope;
use crate::rows::RowFormat;
use crate::sets::files::Files;
use crate::sets::site::outcome::{ClosingNotes, Outcome};
use crate::sets::site::{Crawled, Tally};
use crate::source::input::{Input, or_url};
use crate::source::intake;
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap crawl example.com                                # the URL of each page
  sitemap crawl example.com --format csv -o pages.csv      # with dates
  sitemap crawl example.com --resume state.json -o pages.txt    # continue after Ctrl-C
  sitemap crawl example.com --issues issues.jsonl > pages.txt   # and what is wrong
  sitemap crawl staging.example.com --user me              # asks for the password
  sitemap crawl https://example.com/news/index.xml --sitemaps-since 2025-03-01";

/// Read all sitemaps of a site
///
/// Starts with the sitemaps that robots.txt names or, if it names none, with /sitemap.xml and other usual places, and
/// follows indexes. The format is detected from the content, never from the content type. A page that two sitemaps list is
/// written twice. The rules of robots.txt for pages are not applied.
///
/// Exit status: 0 if everything was read, 1 if something was not (it is listed at the end), 2 if nothing was read or the
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
    /// A user and a password in the URL of the site are not stored, and must be given again.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// File to which all issues of the sitemaps are written, as JSON Lines in the form of `sitemap check --format json`
    ///
    /// Without --resume, the file is replaced at the end of the crawl, but not if nothing was read; if the crawl is killed,
    /// nothing is changed. With --resume, the issues of a sitemap are appended when it has been read, and the file is cut
    /// back like that of --out.
    #[arg(long, value_name = "FILE")]
    issues: Option<PathBuf>,

    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    network: fetch::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let mut files = Files::default();
    files.writes("--out", arguments.out.as_deref());
    files.writes("--resume", arguments.resume.as_deref());
    files.writes("--issues", arguments.issues.as_deref());
    files.check()?;
    let out = arguments
        .out
        .as_deref()
        .filter(|out| *out != Path::new("-"));
    let format = format(arguments, out)?;
    let mut site = site(&arguments.site)?;
    arguments.network.login.give([&mut site])?;
    let same = Same {
        site: &site,
        format,
        source: arguments.source,
        has_issues: arguments.issues.is_some(),
    };
    let resume = arguments.resume.as_deref();
    let (state, earlier) = match resume {
        Some(path) => {
            let (file, earlier) = StateFile::open(path, &same)?;
            (Some(file), earlier)
        }
        None => (None, None),
    };
    let fetcher = Arc::new(Fetcher::new(&arguments.network)?);
    let before = earlier.as_ref().map(Resume::before);
    let output = Output::open(out, resume, before)?;
    let before = earlier.as_ref().and_then(|earlier| earlier.issues.as_ref());
    let before = before.map(|issues| Before {
        bytes: issues.bytes,
        lines: None,
        is_table: false,
    });
    let open = |path| IssuesFile::open(path, resume, before);
    let mut pages = Pages {
        output,
        issues: arguments.issues.as_deref().map(open).transpose()?,
        format,
        source: arguments.source,
        state,
        crawled: Crawled::default(),
    };
    // A file that is a pipe may have to be waited for above, which one signal must end.
    interrupt::catch()?;
    let builder = driver::builder(&arguments.scope, &fetcher);
    let mut known = resume.map(|_| BTreeMap::new());
    let (crawl, tally) = match earlier {
        None => {
            let header = lines::header(format, arguments.source)?;
            pages.output.append(&*header)?;
            (driver::crawl(builder, &site), Tally::default())
        }
        Some(earlier) => {
            let tally = Tally {
                pages: earlier.output_pages,
                issues: earlier.issue_counts,
                skipped: earlier.findings,
            };
            let known = known.insert(earlier.known);
            let crawl = driver::resume(builder, &fetcher, earlier.crawl, known);
            (crawl, tally)
        }
    };
    let progress = Progress::start("crawling", messages);
    let mut driver = Driver::new(crawl, &site, fetcher, arguments.scope.jobs(), messages);
    driver.known = known;
    pages.crawled = Crawled::new(tally);
    // From here on, no other crawl uses the state.
    pages.save(&mut driver, true)?;
    let options = intake::Options {
        location: None,
        network: &arguments.network,
        scope: &arguments.scope,
        no_follow: false,
        follows_files: false,
        messages,
    };
    intake::crawl(&mut driver, &options, &mut pages)?;
    pages.save(&mut driver, true)?;
    let crawled = std::mem::take(&mut pages.crawled);
    let outcome = Outcome::new(&driver, &arguments.scope, crawled);
    drop(progress);
    let status = outcome.report(
        messages,
        &ClosingNotes {
            done: "written",
            issues: match &arguments.issues {
                Some(path) => format!("; they are in {}", path.display()),
                None => "; --issues FILE writes them".to_owned(),
            },
            interrupted: match resume {
                Some(_) => "interrupted; the same command continues from here",
                None => {
                    "interrupted; the pages that were read before are written, those after that are missing (--resume FILE \
                     makes a crawl that can be continued)"
                }
            },
        },
    )?;
    // Files are not replaced by empty ones.
    let is_kept = |path: &Path| {
        let is_kept = outcome.has_found_nothing() && resume.is_none() && !output::is_stream(path);
        if is_kept && path.exists() {
            messages.note(format_args!("{} is as it was", path.display()));
        }
        is_kept
    };
    if !out.is_some_and(is_kept) {
        pages.output.put_in_place()?;
    }
    if let (Some(path), Some(issues)) = (arguments.issues.as_deref(), pages.issues)
        && !is_kept(path)
    {
        issues.finish()?;
    }
    Ok(status)
}

/// How pages are written.
fn format(arguments: &Arguments, out: Option<&Path>) -> anyhow::Result<RowFormat> {
    let format = match (arguments.format, out) {
        (Some(format), _) => format,
        // Lines of URLs must not replace another kind of file.
        (None, Some(path)) if !output::is_stream(path) => {
            let named = RowFormat::by_name(path);
            named.with_context(|| format!(
                "--out {}: the name ends in none of .txt, .jsonl, .csv and .tsv, so --format is needed",
                path.display()
            ))?
        }
        (None, _) => RowFormat::Text,
    };
    if arguments.source && format == RowFormat::Text {
        bail!("--source goes with --format jsonl, csv or tsv");
    }
    Ok(format)
}

/// The site or the URL, named as for every other command.
fn site(text: &str) -> anyhow::Result<Address> {
    match text.parse::<Input>()?.or_site() {
        Input::Url(address) => Ok(*address),
        Input::Stdin => bail!("`crawl` reads a site, not standard input"),
        Input::File(path) => {
            let error = io::Error::new(ErrorKind::NotFound, "this is not a site");
            Err(or_url(&path, error)).with_context(|| text.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_needs_no_scheme() {
        let site = |text| site(text).map(|site| site.to_string()).ok();
        assert_eq!(site("example.com").as_deref(), Some("https://example.com/"));
        // The address is named with its scheme in the error.
        let error = super::site("localhost:80/a").unwrap_err();
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
