//! How far a crawl goes.

use clap::Args;

/// How far a crawl goes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct Scope {
    /// Number of sitemaps that are fetched at the same time
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,

    /// Maximum depth of indexes; a sitemap that robots.txt names has depth 1
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = positive)]
    pub(crate) max_depth: usize,

    /// Maximum number of sitemaps that are read
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive)]
    pub(crate) max_sitemaps: usize,

    /// Maximum number of pages that are written
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_pages: u64,

    /// Also read sitemaps on hosts other than the site's own and those that its robots.txt names
    #[arg(long)]
    pub(crate) other_hosts: bool,
}

impl Scope {
    /// What is requested at the same time.
    #[cfg(feature = "sets")]
    pub(crate) fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("it is not a number of at least 1".to_owned()),
        Ok(number) => Ok(number),
    }
}
