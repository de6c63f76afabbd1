//! How far a crawl goes.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use quick_sitemap::W3cDatetime;
use quick_sitemap::url::Url;
use regex_lite::Regex;

use crate::term::age;
use crate::term::count::Count;

/// How far a crawl goes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct Scope {
    /// Number of sitemaps that are fetched at the same time
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,

    /// Maximum depth of indexes; a sitemap that robots.txt names has depth 1
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive())]
    pub(crate) max_depth: usize,

    /// Maximum number of sitemaps that are read
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive())]
    pub(crate) max_sitemaps: usize,

    /// Maximum number of pages that are read
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_pages: u64,

    /// Also read sitemaps on hosts other than the site's own and those that its robots.txt names; with `probe`, also request
    /// pages there, and with --follow go along redirects to any host
    #[arg(long)]
    pub(crate) other_hosts: bool,

    /// Also read the sitemaps at the usual places if robots.txt cannot be read; with `probe`, also request pages that it forbids
    /// or may forbid, such as those of your own staging site, whose number a note reports
    #[arg(long)]
    pub(crate) ignore_robots: bool,

    /// Read a sitemap of an index only if its URL matches this regex anywhere; if given several times, matching one of them
    /// is enough. Sitemaps that robots.txt names are always read
    #[arg(long, value_name = "REGEX")]
    pub(crate) sitemaps: Vec<Regex>,

    /// Read a sitemap of an index only if its lastmod there may be this date or later, such as 2025-03-01 or 7d, or if it has no
    /// lastmod
    #[arg(long, value_name = "DATE|AGE", value_parser = age::date)]
    pub(crate) sitemaps_since: Option<W3cDatetime>,
}

impl Scope {
    /// Limits on requests at the same time.
    pub(crate) fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }

    /// Returns `true` if a sitemap of an index is read.
    pub(crate) fn selects(&self, url: &Url, lastmod: Option<W3cDatetime>) -> bool {
        let matches = |regex: &Regex| regex.is_match(url.as_str());
        let is_selected = self.sitemaps.is_empty() || self.sitemaps.iter().any(matches);
        is_selected
            && match (self.sitemaps_since, lastmod) {
                (Some(since), Some(lastmod)) => lastmod.may_be_since(since.start()),
                _ => true,
            }
    }

    pub(crate) fn too_deep(&self) -> String {
        format!("listed deeper than --max-depth {}", self.max_depth)
    }

    pub(crate) fn more_pages(&self) -> String {
        let pages = Count(self.max_pages, "page");
        format!("there are more than {pages} (--max-pages)")
    }

    pub(crate) fn more_sitemaps(&self) -> String {
        let sitemaps = Count(self.max_sitemaps as u64, "sitemap");
        format!("there are more than {sitemaps} (--max-sitemaps)")
    }
}

impl Default for Scope {
    /// Without a bound.
    fn default() -> Self {
        Self {
            jobs: 1,
            max_depth: 16,
            max_sitemaps: usize::MAX,
            max_pages: u64::MAX,
            other_hosts: false,
            ignore_robots: false,
            sitemaps: Vec::new(),
            sitemaps_since: None,
        }
    }
}

fn positive() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}
