//! `sitemap crawl`.

mod entrance;
mod frontier;
mod lines;
mod output;
mod progress;
mod report;
mod resume;
mod work;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use quick_sitemap::url::Url;

use self::lines::Format;
use self::work::{Crawl, Plan};
use crate::fetch;
use crate::messages::Messages;
use crate::status::Status;

pub(crate) use self::report::Outcome;

/// Read all sitemaps of a site
///
/// Begins with the sitemaps that robots.txt names, or, if it names none, with /sitemap.xml and other usual places, and
/// follows indexes. What a sitemap is, its content says, not its content type. The pages of a sitemap are put out when it
/// has been read; a page that two sitemaps list is put out twice. The rules of robots.txt for pages are not looked at.
///
/// Exit status: 0 all was read; 1 something was not, and is listed at the end; 2 nothing was, or wrong usage; 130 Ctrl-C.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The site, such as https://example.com; or one sitemap, index or robots.txt
    site: String,

    /// How pages are put out
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Add the sitemap that lists the page: the field or column `sitemap` (not with text)
    #[arg(long)]
    source: bool,

    /// Where pages are put out, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep what has been done in this file, and go on from there if there is one
    ///
    /// Sitemaps that are finished are not fetched again, and their pages are not put out again; what failed is tried
    /// again. The pages that follow are appended to `--output`, which is first cut back to what the state knows of, so
    /// that every page stands there once even if the crawl was killed. On standard output (`>> pages.txt`), a crawl that
    /// was killed may repeat the pages of the sitemaps that it had finished last.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    network: fetch::Options,
}

/// How far a crawl goes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct Scope {
    /// Fetch so many sitemaps at a time
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// Follow indexes so deep: 1 is what robots.txt names
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive)]
    max_depth: usize,

    /// Read at most so many sitemaps
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive)]
    max_sitemaps: usize,

    /// Put out at most so many pages
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_pages: u64,

    /// Read sitemaps on other hosts, too, not only on the site's own and on those that its robots.txt names
    #[arg(long)]
    other_hosts: bool,
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("it is not a number from 1 on".to_owned()),
        Ok(number) => Ok(number),
    }
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    if arguments.source && arguments.format == Format::Text {
        bail!("--source goes with --format jsonl or csv");
    }
    crate::interrupt::catch()?;
    let crawl = Crawl::begin(Plan {
        site: site(&arguments.site)?,
        scope: &arguments.scope,
        network: &arguments.network,
        format: arguments.format,
        source: arguments.source,
        output: match &arguments.output {
            Some(path) => output::Target::File(path),
            None => output::Target::Stdout,
        },
        resume: arguments.resume.as_deref(),
        messages,
    })?;
    crawl.finish()?.report(messages, arguments.resume.is_some())
}

/// The pages of a site, as JSON Lines in a temporary file that is read from its beginning.
pub(crate) fn collect(
    site: &Url,
    scope: &Scope,
    network: &fetch::Options,
    messages: &Messages,
) -> anyhow::Result<(std::fs::File, Outcome)> {
    use std::io::Seek;
    let mut file = tempfile::tempfile().context("a temporary file")?;
    let crawl = Crawl::begin(Plan {
        site: site.clone(),
        scope,
        network,
        format: Format::Jsonl,
        source: false,
        output: output::Target::Temporary(file.try_clone()?),
        resume: None,
        messages,
    })?;
    let outcome = crawl.finish()?;
    file.rewind()?;
    Ok((file, outcome))
}

/// `example.com` is https://example.com/.
fn site(text: &str) -> anyhow::Result<Url> {
    let full = match text.contains("://") {
        true => text.to_owned(),
        false => format!("https://{text}"),
    };
    let mut url: Url = full
        .parse()
        .with_context(|| format!("`{text}` is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        bail!("`{text}` is neither http nor https");
    }
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_needs_no_scheme() {
        let site = |text| site(text).map(|url| url.to_string()).ok();
        assert_eq!(site("example.com").as_deref(), Some("https://example.com/"));
        assert_eq!(
            site("localhost:80/a#b").as_deref(),
            Some("https://localhost:80/a")
        );
        assert_eq!(
            site("http://example.com").as_deref(),
            Some("http://example.com/")
        );
        assert_eq!(site("file:///etc/passwd"), None);
        assert_eq!(site(""), None);
    }
}
