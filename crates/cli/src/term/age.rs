//! Ages such as `7d`, for options that ask how old something is.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use quick_sitemap::W3cDatetime;

/// Seconds, minutes, hours, days and weeks.
const UNITS: [(&str, &str, u64); 5] = [
    ("s", "second", 1),
    ("m", "minute", 60),
    ("h", "hour", 3_600),
    ("d", "day", 86_400),
    ("w", "week", 604_800),
];

/// It is displayed as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Age {
    text: String,
    duration: Duration,
}

impl FromStr for Age {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let (number, unit) = text.split_at(text.len() - digits.len());
        let unit = unit.trim_start();
        let is_it = |(short, long, _): &&(&str, &str, u64)| {
            unit == *short || unit.strip_suffix('s').unwrap_or(unit) == *long
        };
        let seconds = UNITS.iter().find(is_it).and_then(|(.., seconds)| {
            let number: u64 = number.parse().ok()?;
            number.checked_mul(*seconds)
        });
        match seconds {
            Some(seconds) => Ok(Self {
                text: text.to_owned(),
                duration: Duration::from_secs(seconds),
            }),
            None => Err("must be a number with a unit: s, m, h, d or w, such as 7d".to_owned()),
        }
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Age {
    /// The time that was this long ago. Returns `None` if no system can represent it.
    pub(crate) fn ago(&self) -> Option<SystemTime> {
        SystemTime::now().checked_sub(self.duration)
    }
}

/// The value of an option, with its text: an age is another date in every run.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) text: String,
    pub(crate) date: W3cDatetime,
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (text, date) = (text.to_owned(), date(text)?);
        Ok(Self { text, date })
    }
}

/// The value of an option: a date in a form that sitemaps use, or an age.
pub(crate) fn date(text: &str) -> Result<W3cDatetime, String> {
    match text.parse::<Age>().ok().and_then(|age| age.ago()) {
        Some(time) => Ok(time.into()),
        None => text
            .parse()
            .map_err(|violation| format!("{violation}; an age such as 7d is allowed, too")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units() {
        let seconds = |text: &str| text.parse::<Age>().map(|age| age.duration.as_secs());
        assert_eq!(seconds("7d"), Ok(7 * 86_400));
        assert_eq!(seconds("36h"), Ok(36 * 3_600));
        assert_eq!(seconds("1 week"), Ok(604_800));
        assert_eq!(seconds("10000days"), Ok(864_000_000));
        for wrong in [
            "",
            "7",
            "d",
            "-7d",
            "7x",
            "7dd",
            "1.5d",
            "99999999999999999999d",
        ] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_date_may_be_an_age() {
        assert_eq!(
            date("2024-05").map(|date| date.to_string()),
            Ok("2024-05".to_owned())
        );
        let week = date("7d").unwrap().start().timestamp();
        let now = W3cDatetime::from(SystemTime::now()).start().timestamp();
        assert!((7 * 86_400..7 * 86_400 + 60).contains(&(now - week)));
        assert!(date("soon").unwrap_err().contains("7d"));
    }
}
