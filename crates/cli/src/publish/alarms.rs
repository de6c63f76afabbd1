//! `--max-removed` and `--max-changed`: the limits beyond which a person must check the difference first.

use std::str::FromStr;

use clap::Args;

use crate::publish::comparison::Differences;
use crate::term::count::{Count, Grouped};

/// A number of pages, or a share of the old ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    Pages(u64),
    Percent(f64),
}

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let bound = match text.strip_suffix('%') {
            Some(share) if share.bytes().all(is_number) => {
                let share = share.parse().ok();
                share.filter(|share| *share <= 100.0).map(Self::Percent)
            }
            Some(_) => None,
            None => text.parse().map(Self::Pages).ok(),
        };
        bound.ok_or("must be a number of pages, or a share such as 5%".to_owned())
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pages(pages) => write!(f, "{pages}"),
            Self::Percent(share) => write!(f, "{share}%"),
        }
    }
}

impl Bound {
    fn is_exceeded(self, pages: u64, all: u64) -> bool {
        match self {
            Self::Pages(most) => pages > most,
            Self::Percent(share) => pages as f64 * 100.0 > share * all as f64,
        }
    }
}

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Alarms")]
pub(crate) struct Alarms {
    /// Alarm, with status 3, if more old pages are removed than this number or this share of them, such as 5%
    #[arg(long, value_name = "N|P%")]
    max_removed: Option<Bound>,

    /// Alarm, with status 3, if more old pages are changed than this number or this share of them
    #[arg(long, value_name = "N|P%")]
    max_changed: Option<Bound>,
}

impl Alarms {
    pub(crate) fn are_set(&self) -> bool {
        self.max_removed.is_some() || self.max_changed.is_some()
    }

    /// The limits that are exceeded, each in words that continue a sentence.
    pub(crate) fn raised(&self, differences: &Differences) -> Vec<String> {
        let (removed, changed) = (differences.removed, differences.changed);
        let all = removed + changed + differences.same;
        [
            ("removed", removed, self.max_removed),
            ("changed", changed, self.max_changed),
        ]
        .into_iter()
        .filter_map(|(what, pages, bound)| {
            let bound = bound.filter(|bound| bound.is_exceeded(pages, all))?;
            Some(format!(
                "{} of {} {what}, more than --max-{what} {bound}",
                Grouped(pages),
                Count(all, "page"),
            ))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_numbers_or_shares() {
        let exceeded =
            |text: &str, pages, all| text.parse::<Bound>().unwrap().is_exceeded(pages, all);
        assert!(!exceeded("3", 3, 3) && exceeded("3", 4, 100) && exceeded("0", 1, 1));
        assert!(!exceeded("10%", 10, 100) && exceeded("10%", 11, 100));
        assert!(exceeded("0.5%", 6, 1_000) && !exceeded("0.5%", 5, 1_000));
        assert!(!exceeded("0%", 0, 0) && exceeded("0%", 1, 1_000_000));
        for wrong in [
            "", "%", "-1", "101%", "-1%", "1.5", "inf%", "nan%", "1e3%", "5 %",
        ] {
            assert!(wrong.parse::<Bound>().is_err(), "{wrong}");
        }
    }
}
