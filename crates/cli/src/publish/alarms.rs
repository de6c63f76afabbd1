//! `--max-removed` and `--max-changed`: the limits beyond which a person must check the difference first.

use std::str::FromStr;

use clap::Args;

use crate::publish::comparison::Differences;
use crate::rows::Fields;
use crate::term::count::{Count, Grouped};

/// A number of pages, or a share of the old ones. It is displayed as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    text: String,
    most: f64,
    is_share: bool,
}

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = text.strip_suffix('%');
        let (number, is_share) = (share.unwrap_or(text), share.is_some());
        let is_number = |byte: u8| byte.is_ascii_digit() || is_share && byte == b'.';
        let most = number
            .parse()
            .ok()
            .filter(|most| number.bytes().all(is_number) && (!is_share || *most <= 100.0));
        let most = most.ok_or("must be a number of pages, or a share such as 5%")?;
        let text = text.to_owned();
        Ok(Self {
            text,
            most,
            is_share,
        })
    }
}

impl Bound {
    fn is_exceeded(&self, pages: u64, all: u64) -> bool {
        if self.is_share {
            pages as f64 * 100.0 > self.most * all as f64
        } else {
            pages as f64 > self.most
        }
    }
}

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Alarms")]
pub(crate) struct Alarms {
    /// Alarm, with status 3, if more old pages are removed than this number or this share of them, such as 5%, or if that
    /// cannot be judged
    #[arg(long, value_name = "N|P%")]
    max_removed: Option<Bound>,

    /// Alarm, with status 3, if more old pages are changed than this number or this share of them, or if that cannot be
    /// judged
    #[arg(long, value_name = "N|P%")]
    max_changed: Option<Bound>,
}

impl Alarms {
    pub(crate) fn are_set(&self) -> bool {
        self.max_removed.is_some() || self.max_changed.is_some()
    }

    /// The words for the alarm, if there is one: the limits that are exceeded, or why a limit cannot be judged. `asked` are
    /// the fields that were to be compared.
    pub(crate) fn judge(&self, differences: &Differences, asked: Fields) -> Option<String> {
        let (removed, changed) = (differences.only_in_a, differences.changed);
        let all = removed + changed + differences.seen.same;
        let has = |fields: Fields| fields.names().next().is_some();
        let lacks_fields = has(asked) && !has(differences.fields);
        let unjudged = match (&self.max_removed, &self.max_changed) {
            (None, None) => None,
            _ if all == 0 => Some("there is no earlier page to compare with"),
            (Some(_), _) if differences.removed().is_none() => {
                Some("not everything was read, so it is not known which pages are removed")
            }
            (_, Some(_)) if lacks_fields => {
                Some("no field was compared, so it is not known which pages are changed")
            }
            _ => None,
        };
        let raised = self.raised(removed, changed, all);
        if !raised.is_empty() {
            return Some(raised.join("; "));
        }
        unjudged.map(|why| format!("the alarms cannot be judged: {why}"))
    }

    /// The limits that are exceeded, each in words that continue a sentence.
    fn raised(&self, removed: u64, changed: u64, all: u64) -> Vec<String> {
        [
            ("removed", removed, &self.max_removed),
            ("changed", changed, &self.max_changed),
        ]
        .into_iter()
        .filter_map(|(what, pages, bound)| {
            let bound = bound.as_ref()?;
            let bound = bound.is_exceeded(pages, all).then_some(&bound.text)?;
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
