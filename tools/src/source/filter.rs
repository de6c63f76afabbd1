//! Which pages are wanted, by their URL.

use clap::Args;
use regex_lite::Regex;

#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub(crate) struct LocFilter {
    /// Keep only pages whose URL matches this regex anywhere; if given several times, matching one of them is enough
    #[arg(long = "match", value_name = "REGEX")]
    matching: Vec<Regex>,

    /// Omit pages whose URL matches this regex anywhere; can be given several times
    #[arg(long, value_name = "REGEX")]
    exclude: Vec<Regex>,
}

impl LocFilter {
    pub(crate) fn keeps(&self, loc: &str) -> bool {
        let matches = |regex: &Regex| regex.is_match(loc);
        (self.matching.is_empty() || self.matching.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}
