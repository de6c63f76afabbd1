//! Which entries are wanted, by their URL and their date.

use clap::Args;
use quick_sitemap::W3cDatetime;
use quick_sitemap::url::Url;
use regex_lite::Regex;

use crate::term::age::Moment;
use crate::term::shortened::decoded;

#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub(crate) struct LocFilter {
    /// Keep only pages whose URL matches this regex anywhere; if given several times, matching one of them is enough. Prefix
    /// it with `(?i)` to ignore case; `ü` also matches `%C3%BC`
    #[arg(long = "match", value_name = "REGEX")]
    matching: Vec<Regex>,

    /// Omit pages whose URL matches this regex anywhere; can be given several times
    #[arg(long, value_name = "REGEX")]
    exclude: Vec<Regex>,
}

impl LocFilter {
    /// Returns `true` if it keeps all pages.
    pub(crate) fn is_empty(&self) -> bool {
        self.matching.is_empty() && self.exclude.is_empty()
    }

    pub(crate) fn keeps(&self, loc: &Url) -> bool {
        let loc = loc.as_str();
        let matches = |regex: &Regex| {
            regex.is_match(loc) || loc.contains('%') && regex.is_match(&decoded(loc))
        };
        (self.matching.is_empty() || self.matching.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}

/// By URL and by date.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub(crate) struct PageFilter {
    #[command(flatten)]
    loc: LocFilter,

    /// Keep only pages that may have changed at this date or later, in a form that sitemaps use, from 2024 to
    /// 2024-05-06T07:08:09Z, or in the time before now, such as 7d; the publication date of an article counts if there is no lastmod, and pages without either are omitted
    ///
    /// A less precise date means a period, and the page is kept if any part of it is late enough: 2024-05 matches
    /// 2024-05-20.
    #[arg(long, value_name = "DATE|AGE")]
    since: Option<Moment>,

    /// Keep only pages last changed before this date; the publication date of an article counts if there is no lastmod, and pages without either are omitted
    #[arg(long, value_name = "DATE|AGE")]
    before: Option<Moment>,
}

impl PageFilter {
    pub(crate) fn keeps(&self, loc: &Url, date: Option<W3cDatetime>) -> bool {
        let since = |since: &Moment| date.is_some_and(|date| date.may_be_since(since.date.start()));
        let before = |before: &Moment| date.is_some_and(|date| date.start() < before.date.start());
        self.loc.keeps(loc)
            && self.since.as_ref().is_none_or(since)
            && self.before.as_ref().is_none_or(before)
    }

    /// The options as they were written, which is the question that a run answers.
    pub(crate) fn question(&self) -> Vec<String> {
        let regexes = |option: &str, regexes: &[Regex]| {
            let options = regexes.iter().map(|regex| format!("--{option} {regex}"));
            options.collect::<Vec<_>>()
        };
        let moment = |option: &str, moment: &Option<Moment>| {
            let moment = moment.as_ref();
            moment.map(|moment| format!("--{option} {}", moment.text))
        };
        let mut question = regexes("match", &self.loc.matching);
        question.extend(regexes("exclude", &self.loc.exclude));
        question.extend(moment("since", &self.since));
        question.extend(moment("before", &self.before));
        question.sort();
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_matches_a_url_in_both_spellings() {
        for (regex, loc, matches) in [
            ("/entwürfe/", "https://e.com/entw%C3%BCrfe/a", true),
            ("/entw%C3%BCrfe/", "https://e.com/entw%C3%BCrfe/a", true),
            ("ü", "https://e.com/u", false),
            ("%20", "https://e.com/a%20b", true),
            ("a b", "https://e.com/a%20b", false),
            ("entw.rfe/$", "https://e.com/entw%C3%BCrfe/", true),
        ] {
            let exclude = vec![Regex::new(regex).unwrap()];
            let matching = Vec::new();
            let filter = LocFilter { matching, exclude };
            assert_eq!(filter.keeps(&loc.parse().unwrap()), !matches, "{regex}");
        }
    }
}
