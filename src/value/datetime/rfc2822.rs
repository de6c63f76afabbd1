//! The dates of RSS: RFC 2822, its obsolete forms, and what feeds make of it.

use std::str::FromStr;

use chrono::{Datelike, Month, Weekday};

use super::scan::Scan;
use super::{MINUS_ZERO, SECOND, W3cDatetime, ZULU};
use crate::violation::{Case, case};

impl W3cDatetime {
    /// Reads a date in the form of RSS. Also returns what is not standard: the date has no known zone or a leap second, or
    /// the name of its weekday is not English, or not that of the day. (A name in another language must end with a comma.)
    ///
    /// A missing zone is read as UTC. A word of three to five capitals that is not a zone of RFC 2822 is read as `-00:00`,
    /// as the RFC requires. With any other word, the text is not a date.
    pub(crate) fn rfc2822(text: &str) -> Option<(Self, Option<Case>)> {
        let mut scan = Scan(text.as_bytes());
        gap(&mut scan)?;
        let weekday = scan.word();
        let named_day = named::<Weekday>(weekday);
        if !weekday.is_empty() {
            gap(&mut scan)?;
            if !scan.eat(b',') && named_day.is_none() {
                return None;
            }
            gap(&mut scan)?;
        }
        let day = scan.number()?;
        gap(&mut scan)?;
        let month = named::<Month>(scan.letters())?.number_from_month() as u8;
        gap(&mut scan)?;
        let year = year(scan.digits())?;
        gap(&mut scan)?;
        let hour = scan.digits();
        let (hour, minute, second) = scan.clock(hour)?;
        let mut time = Self::on(year, month, day)?.at(hour, minute)?;
        if let Some(second) = second {
            if second > 60 {
                return None;
            }
            // A leap second, which W3C Datetime does not have, as in `From<DateTime>`.
            time.second = second.min(59);
            time.level = SECOND;
        }
        gap(&mut scan)?;
        let has_zone;
        (time.zone, has_zone) = zone(&mut scan)?;
        gap(&mut scan)?;
        let is_of_date = || {
            let day = time.day_in_calendar();
            day.is_some_and(|day| Some(day.weekday()) == named_day)
        };
        let other = if !has_zone || second == Some(60) {
            Some(case::RFC_822)
        } else {
            Some(case::WEEKDAY).filter(|_| !weekday.is_empty() && !is_of_date())
        };
        scan.0.is_empty().then_some((time, other))
    }
}

/// White space and comments, which nest; `None` if one is not closed.
fn gap(scan: &mut Scan<'_>) -> Option<()> {
    scan.spaces();
    while scan.eat(b'(') {
        let mut depth = 1_usize;
        while depth > 0 {
            let (first, rest) = scan.0.split_first()?;
            scan.0 = rest;
            match first {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => scan.0 = scan.0.get(1..)?,
                _ => {}
            }
        }
        scan.spaces();
    }
    Some(())
}

/// A name is known by its first three letters, in any case: `Sept`.
fn named<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word.get(..3)?).ok()?.parse().ok()
}

/// Reads the digits of a year. Two and three digits are read as RFC 2822, 4.3, requires: `00` to `49` are added to 2000,
/// all others to 1900.
fn year(digits: &[u8]) -> Option<i32> {
    let year: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    match digits.len() {
        2 if year < 50 => Some(2000 + year),
        2 | 3 => Some(1900 + year),
        4 => Some(year),
        _ => None,
    }
}

/// Reads the zone. Also returns `true` if it was written and is known.
fn zone(scan: &mut Scan<'_>) -> Option<(i16, bool)> {
    if let [b'+' | b'-', ..] = scan.0 {
        return Some((scan.offset()?, true));
    }
    let word = scan.letters();
    let mut name = [0; 5];
    let letters = name.get_mut(..word.len())?;
    letters.copy_from_slice(word);
    letters.make_ascii_uppercase();
    Some(match &*letters {
        b"" => (ZULU, false),
        b"Z" | b"UT" | b"UTC" | b"GMT" => (ZULU, true),
        b"EDT" => (-4 * 60, true),
        b"EST" | b"CDT" => (-5 * 60, true),
        b"CST" | b"MDT" => (-6 * 60, true),
        b"MST" | b"PDT" => (-7 * 60, true),
        b"PST" => (-8 * 60, true),
        [b'A'..=b'I' | b'K'..=b'Y'] => (MINUS_ZERO, true),
        // In capitals only: not every word is a zone. Two letters may be AM and PM.
        [_, _, _, ..] if word.iter().all(u8::is_ascii_uppercase) => (MINUS_ZERO, false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn dates_of_feeds() {
        const FORM: Option<Case> = Some(case::RFC_822);
        const DAY: Option<Case> = Some(case::WEEKDAY);
        for (text, meant, other) in [
            (
                "Mon, 04 Mar 2024 05:06:07 +0000",
                "2024-03-04T05:06:07+00:00",
                None,
            ),
            (
                "Mon, 04 Mar 2024 05:06:07 -0000",
                "2024-03-04T05:06:07-00:00",
                None,
            ),
            (
                "Mon, 04 Mar 2024 05:06:07 GMT",
                "2024-03-04T05:06:07Z",
                None,
            ),
            ("Mon, 04 Mar 2024 05:06:07 UT", "2024-03-04T05:06:07Z", None),
            (
                "Mon, 04 Mar 2024 05:06:07 utc",
                "2024-03-04T05:06:07Z",
                None,
            ),
            ("Mon, 04 Mar 2024 05:06:07Z", "2024-03-04T05:06:07Z", None),
            ("04 Mar 2024 05:06 EST", "2024-03-04T05:06-05:00", None),
            ("04 Mar 2024 05:06 EDT", "2024-03-04T05:06-04:00", None),
            ("04 Mar 2024 05:06 CST", "2024-03-04T05:06-06:00", None),
            ("04 Mar 2024 05:06 CDT", "2024-03-04T05:06-05:00", None),
            ("04 Mar 2024 05:06 MST", "2024-03-04T05:06-07:00", None),
            ("04 Mar 2024 05:06 MDT", "2024-03-04T05:06-06:00", None),
            ("04 Mar 2024 05:06 PST", "2024-03-04T05:06-08:00", None),
            ("04 Mar 2024 05:06 PDT", "2024-03-04T05:06-07:00", None),
            ("04 Mar 2024 05:06 a", "2024-03-04T05:06-00:00", None),
            ("04 Mar 2024 05:06 CEST", "2024-03-04T05:06-00:00", FORM),
            ("04 Mar 2024 05:06:07", "2024-03-04T05:06:07Z", FORM),
            ("Xyz, 04 Mar 2024 05:06 Z", "2024-03-04T05:06Z", DAY),
            ("Mo., 04 Mar 2024 05:06 Z", "2024-03-04T05:06Z", DAY),
            ("Пн, 04 Mar 2024 05:06 Z", "2024-03-04T05:06Z", DAY),
            (
                "segunda-feira , 04 Mar 2024 05:06 Z",
                "2024-03-04T05:06Z",
                DAY,
            ),
            ("4 Mar 24 5:06 +0530", "2024-03-04T05:06+05:30", None),
            ("4 Mar 49 05:06 +05:30", "2049-03-04T05:06+05:30", None),
            ("4 Mar 50 05:06 Z", "1950-03-04T05:06Z", None),
            ("4 Mar 99 05:06 Z", "1999-03-04T05:06Z", None),
            ("4 Mar 124 05:06 Z", "2024-03-04T05:06Z", None),
            ("Monday 4 MARCH 2024 05:06 Z", "2024-03-04T05:06Z", None),
            (
                "Monday, 04 March 24 05:06:07 UT",
                "2024-03-04T05:06:07Z",
                None,
            ),
            ("Mon, 4 Mar 24 05:06 PST", "2024-03-04T05:06-08:00", None),
            ("Friday 4 MARCH 2024 05:06 Z", "2024-03-04T05:06Z", DAY),
            ("wedn, 4 sept 2024 05:06 Z", "2024-09-04T05:06Z", None),
            ("thurs, 4 sept 2024 05:06 Z", "2024-09-04T05:06Z", DAY),
            (
                " (a \\) (b)) Mon (c) , 04(d)Mar\r\n\t2024 05:06:07 (e) +0100 (CET) ",
                "2024-03-04T05:06:07+01:00",
                None,
            ),
            (
                "Sat, 31 Dec 2016 23:59:60 GMT",
                "2016-12-31T23:59:59Z",
                FORM,
            ),
        ] {
            let (date, found) = W3cDatetime::rfc2822(text).unwrap();
            assert_eq!((date.to_string().as_str(), found), (meant, other), "{text}");
        }
    }

    #[test]
    fn no_dates() {
        for text in [
            "",
            "Mon",
            "Mon, 04 Mar 2024",
            "Xyz 04 Mar 2024 05:06 Z",
            ", 04 Mar 2024 05:06 Z",
            "1st, 04 Mar 2024 05:06 Z",
            "Lun, 04, Mar 2024 05:06 Z",
            "lundi le, 04 Mar 2024 05:06 Z",
            "Lun, 04 Mar 2024",
            "30 Feb 2024 05:06 Z",
            "0 Mar 2024 05:06 Z",
            "4 Mar 0000 05:06 Z",
            "4 Mar 12024 05:06 Z",
            "4 Mar 4 05:06 Z",
            "4 Ma 2024 05:06 Z",
            "4 Foo 2024 05:06 Z",
            "4 03 2024 05:06 Z",
            "Mar 4 2024 05:06 Z",
            "4 Mar 2024 24:06 Z",
            "4 Mar 2024 05:60 Z",
            "4 Mar 2024 05:06:61 Z",
            "4 Mar 2024 5:6 Z",
            "4 Mar 2024 05:06 PM",
            "4 Mar 2024 05:06 J",
            "4 Mar 2024 05:06 and",
            "4 Mar 2024 05:06 +2400",
            "4 Mar 2024 05:06 +1",
            "4 Mar 2024 05:06 GMT+1",
            "4 Mar 2024 05:06 Z (open",
            "4 Mar 2024 05:06 Z (open\\",
            "4 Mar 2024 05:06 Z)",
            "4 Mär 2024 05:06 Z",
            "4 Mar 2024 05:06 EUROPE",
            "2024-03-04",
        ] {
            assert_eq!(W3cDatetime::rfc2822(text), None, "{text}");
        }
    }
}
