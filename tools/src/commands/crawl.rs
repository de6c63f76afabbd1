//! `sitemap crawl`.

mod given;
mod issues;
mod lines;
mod output;
mod progress;
mod report;
mod resume;
mod work;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use self::lines::Format;
use self::work::{Crawl, Opened, Plan};
use crate::net::fetch;
use crate::sets::files::Files;
use crate::term::address::{Address, no_url};
use crate::term::messages::Messages;
use crate::term::status::Status;

pub(crate) use self::report::{Ends, Outcome};
pub(crate) use crate::net::site::Scope;

const AFTER: &str = "\
Examples:
  sitemap crawl example.com                                # the URL of each page
  sitemap crawl example.com --format csv -o pages.csv      # with dates
  sitemap crawl example.com --resume state.json -o pages.txt    # continue after Ctrl-C
  sitemap crawl example.com --issues issues.jsonl > pages.txt   # and what is wrong
  sitemap crawl staging.example.com --user me              # asks for the password
  sitemap crawl https://example.com/news/index.xml --since 2025-03-01";

/// Read all sitemaps of a site
///
/// Starts with the sitemaps that robots.txt names or, if it names none, with /sitemap.xml and other usual places, and
/// follows indexes. The format is detected from the content, never from the content type. The pages of a sitemap are
/// written when it has been read; a page that two sitemaps list is written twice. The rules of robots.txt for pages are
/// not applied.
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

    /// How pages are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Add the URL of the sitemap that lists the page, as the field or column `sitemap` (with jsonl and csv)
    #[arg(long)]
    source: bool,

    /// File to which the pages are written, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// State file, which records what has been done; if it exists, the crawl continues from there
    ///
    /// Sitemaps that are finished are not fetched again, and their pages are not written again. Failed ones are
    /// tried again. New pages are appended to the file of --output, which is first cut back to the length that the state
    /// records, so that every page is in it once even if the crawl was killed. On standard output (>> pages.txt), a crawl
    /// that follows a killed one may repeat the pages of the sitemaps that were finished last.
    ///
    /// A user and a password in the URL of the site are not stored, and must be given again.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// File to which all issues of the sitemaps are written, as JSON Lines in the form of `sitemap check --format json`
    ///
    /// Without --resume, the file is replaced at the end of the crawl; if the crawl is killed, nothing is changed. With
    /// --resume, the issues of a sitemap are appended when it has been read, and the file is cut back like that of
    /// --output.
    #[arg(long, value_name = "FILE")]
    issues: Option<PathBuf>,

    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    network: fetch::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    if arguments.source && arguments.format == Format::Text {
        bail!("--source goes with --format jsonl or csv");
    }
    for (path, what) in [
        (&arguments.output, "the output is a file"),
        (&arguments.resume, "--resume is a file"),
        (&arguments.issues, "--issues is a file"),
    ] {
        if let Some(path) = path {
            no_url(path, what)?;
        }
    }
    let mut files = Files::default();
    files.writes("--output", arguments.output.as_deref());
    files.writes("--resume", arguments.resume.as_deref());
    files.writes("--issues", arguments.issues.as_deref());
    files.check()?;
    let mut site = site(&arguments.site)?;
    arguments.network.login.give([&mut site])?;
    let opened = Opened::new(Plan {
        site,
        scope: &arguments.scope,
        network: &arguments.network,
        format: arguments.format,
        source: arguments.source,
        output: match &arguments.output {
            Some(path) => output::Target::File(path),
            None => output::Target::Stdout,
        },
        resume: arguments.resume.as_deref(),
        issues: arguments.issues.as_deref(),
        messages,
    })?;
    // A file that is a pipe may have to be waited for above, which one signal must end.
    crate::term::interrupt::catch()?;
    let crawl = Crawl::begin(opened)?;
    let ends = Ends::Written {
        is_resumable: arguments.resume.is_some(),
        issues: arguments.issues.as_deref(),
    };
    crawl.finish()?.report(messages, ends)
}

/// The pages of a site, as JSON Lines in a temporary file that is read from its beginning. With `source`, each line names
/// the sitemap.
pub(crate) fn collect(
    site: &Address,
    scope: &Scope,
    network: &fetch::Options,
    source: bool,
    messages: &Messages,
) -> anyhow::Result<(std::fs::File, Outcome)> {
    use std::io::Seek;
    let mut file = tempfile::tempfile().context("a temporary file")?;
    let crawl = Crawl::begin(Opened::new(Plan {
        site: site.clone(),
        scope,
        network,
        format: Format::Jsonl,
        source,
        output: output::Target::Temporary(&file),
        resume: None,
        issues: None,
        messages,
    })?)?;
    let outcome = crawl.finish()?;
    file.rewind()?;
    Ok((file, outcome))
}

/// `example.com` is https://example.com/.
fn site(text: &str) -> anyhow::Result<Address> {
    match text.contains("://") {
        true => text.parse(),
        false => format!("https://{text}").parse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_needs_no_scheme() {
        let site = |text| site(text).map(|site| site.to_string()).ok();
        assert_eq!(site("example.com").as_deref(), Some("https://example.com/"));
        assert_eq!(
            site("localhost:80/a#b").as_deref(),
            Some("https://localhost:80/a")
        );
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
