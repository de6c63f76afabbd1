//! Dates that are not written in the form of the notation, but can mean only one thing.

use super::scan::Scan;
use super::w3c::{pair, refusal};
use super::{DAY, MINUS_ZERO, MONTH, SECOND, W3cDatetime, ZULU};
use crate::violation::{Rule, Salvaged, Violation, case};

impl W3cDatetime {
    /// Accepts more than [`FromStr`](std::str::FromStr), and returns the violation if the form is another.
    pub(crate) fn salvage(text: &str) -> Salvaged<Self> {
        if let Some(exact) = Self::parse(text.as_bytes()) {
            return Ok((exact, None));
        }
        let other = tolerant(text.as_bytes()).or_else(|| Self::rfc2822(text).map(|(date, _)| date));
        let Some(date) = other else {
            return Err(refusal(text));
        };
        let no_offset = refusal(text).is(case::NO_OFFSET).then_some(case::NO_OFFSET);
        let case = has_more_digits(text).then_some(case::DIGITS).or(no_offset);
        let noted = Violation::with_detail(Rule::NonStandardDatetime, text, case);
        Ok((date, Some(noted)))
    }

    /// Reads a date in every form that a [`Reader`](crate::Reader) understands. Also returns `true` if the text is in one
    /// of the six standard forms, which [`FromStr`](std::str::FromStr) parses. Returns `None` if the text is not a
    /// date, or can mean more than one.
    ///
    /// Other forms that are understood: `20240304`, `2024-3-4`, `2024/03/04`, a space in place of the `T`, a time without
    /// a zone (taken to be UTC), `+0100`, `UTC`, and the dates of mails and feeds (RFC 2822: `Mon, 04 Mar 2024 05:06:07
    /// GMT`). White space around the text is ignored, but not standard. Formats that differ from country to country, such as
    /// `04/03/2024`, and numbers of seconds are not read.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::W3cDatetime;
    ///
    /// assert_eq!(W3cDatetime::parse_lenient("2024-03-04"), Some(("2024-03-04".parse()?, true)));
    ///
    /// let (date, is_standard) = W3cDatetime::parse_lenient("2002-10-02T15:00:00").unwrap();
    /// assert_eq!((date.to_string().as_str(), is_standard), ("2002-10-02T15:00:00Z", false));
    /// let (date, _) = W3cDatetime::parse_lenient("Wed, 02 Oct 2002 15:00:00 +0200").unwrap();
    /// assert_eq!(date.to_string(), "2002-10-02T15:00:00+02:00");
    ///
    /// assert_eq!(W3cDatetime::parse_lenient("04/03/2024"), None);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub fn parse_lenient(text: &str) -> Option<(Self, bool)> {
        let trimmed = text.trim_ascii();
        let (date, noted) = Self::salvage(trimmed).ok()?;
        Some((date, noted.is_none() && trimmed.len() == text.len()))
    }
}

/// Returns `true` if the form is that of the notation, except that the fraction has more than nine digits.
fn has_more_digits(text: &str) -> bool {
    text.split_at_checked("2024-03-04T05:06:07.123456789".len())
        .is_some_and(|(date, rest)| {
            let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            W3cDatetime::parse([date, zone].concat().as_bytes()).is_some()
        })
}

/// Anything that puts the year first.
fn tolerant(text: &[u8]) -> Option<W3cDatetime> {
    let mut scan = Scan(text);
    let date = date(&mut scan)?;
    let spaces = scan.spaces();
    if scan.0.is_empty() {
        return Some(date);
    }
    if date.level != DAY {
        return None;
    }
    let time = match scan.0 {
        [b'T' | b't', rest @ ..] if !spaces => {
            scan.0 = rest;
            time(date, &mut scan, true)?
        }
        // After a space, four digits are a year rather than hours and minutes.
        [b'0'..=b'9', ..] if spaces => time(date, &mut scan, false)?,
        _ => return only_zone(&mut scan).then_some(date),
    };
    scan.spaces();
    let zone = zone(&mut scan)?;
    scan.0.is_empty().then_some(W3cDatetime { zone, ..time })
}

/// `20240304`, `2024-3-4`, `2024/03/04`, and the last two without a day.
fn date(scan: &mut Scan<'_>) -> Option<W3cDatetime> {
    let year = |y1, y2, y3, y4| Some(i32::from(pair(y1, y2)?) * 100 + i32::from(pair(y3, y4)?));
    match *scan.digits() {
        [y1, y2, y3, y4, m1, m2, d1, d2] => {
            W3cDatetime::on(year(y1, y2, y3, y4)?, pair(m1, m2)?, pair(d1, d2)?)
        }
        [y1, y2, y3, y4] => {
            let year = year(y1, y2, y3, y4)?;
            let separator = [b'-', b'/']
                .into_iter()
                .find(|separator| scan.eat(*separator))?;
            let month = scan.number()?;
            if scan.eat(separator) {
                W3cDatetime::on(year, month, scan.number()?)
            } else {
                let level = MONTH;
                W3cDatetime::on(year, month, 1).map(|date| W3cDatetime { level, ..date })
            }
        }
        _ => None,
    }
}

/// `5:06`, `05:06:07`, `05:06:07,089`, and `050607` if that is allowed.
fn time(date: W3cDatetime, scan: &mut Scan<'_>, compact: bool) -> Option<W3cDatetime> {
    let (hour, minute, second) = match *scan.digits() {
        [h1, h2, m1, m2] if compact => (pair(h1, h2)?, pair(m1, m2)?, None),
        [h1, h2, m1, m2, s1, s2] if compact => (pair(h1, h2)?, pair(m1, m2)?, Some(pair(s1, s2)?)),
        ref hour => scan.clock(hour)?,
    };
    let mut time = date.at(hour, minute)?;
    if let Some(second) = second {
        time.second = Some(second).filter(|second| *second < 60)?;
        time.level = SECOND;
        if scan.eat(b'.') || scan.eat(b',') {
            let digits = scan.digits();
            let kept = digits.get(..9).unwrap_or(digits);
            if kept.is_empty() {
                return None;
            }
            time.set_fraction(kept);
        }
    }
    Some(time)
}

/// Nothing (taken as UTC), `z`, `UTC`, `+01`, `+0100`, `+01:00`, and `+0000 UTC`, which Go prints.
fn zone(scan: &mut Scan<'_>) -> Option<i16> {
    if scan.0.is_empty() || utc(scan) {
        return Some(ZULU);
    }
    let zone = scan.offset()?;
    if matches!(zone, 0 | MINUS_ZERO) && scan.spaces() {
        return utc(scan).then_some(zone);
    }
    Some(zone)
}

fn utc(scan: &mut Scan<'_>) -> bool {
    let word = scan.letters();
    [&b"Z"[..], b"UTC", b"GMT"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(word))
}

/// The zone of a date without a time, which has no meaning and is dropped. It is stricter, because `2024-03-04-05` has
/// no zone.
fn only_zone(scan: &mut Scan<'_>) -> bool {
    if let [_, _, _, b':', _, _] = scan.0 {
        let zone = scan.offset();
        return zone.is_some_and(|_| scan.0.is_empty());
    }
    utc(scan) && scan.0.is_empty()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_certain_is_understood() {
        for (text, meant) in [
            ("2024-03-04 05:06:07Z", "2024-03-04T05:06:07Z"),
            ("2024-03-04   05:06:07+01:00", "2024-03-04T05:06:07+01:00"),
            ("2024-03-04 05:06", "2024-03-04T05:06Z"),
            ("2024-03-04t05:06:07z", "2024-03-04T05:06:07Z"),
            ("2024-03-04T05:06:07", "2024-03-04T05:06:07Z"),
            ("2024-03-04T05:06", "2024-03-04T05:06Z"),
            ("2024-03-04T05:06:07.5", "2024-03-04T05:06:07.5Z"),
            ("2024-03-04T05:06:07+0000", "2024-03-04T05:06:07+00:00"),
            ("2024-03-04T05:06:07-0000", "2024-03-04T05:06:07-00:00"),
            ("2024-03-04T05:06:07+00", "2024-03-04T05:06:07+00:00"),
            ("2024-03-04T05:06:07-0330", "2024-03-04T05:06:07-03:30"),
            ("2024-03-04T05:06:07 +01:00", "2024-03-04T05:06:07+01:00"),
            ("2024-03-04T05:06:07 Z", "2024-03-04T05:06:07Z"),
            ("2024-03-04 05:06:07 UTC", "2024-03-04T05:06:07Z"),
            ("2024-03-04 05:06:07 gmt", "2024-03-04T05:06:07Z"),
            ("2024-03-04T05:06:07GMT", "2024-03-04T05:06:07Z"),
            (
                "2024-03-04 05:06:07.25 +0000 UTC",
                "2024-03-04T05:06:07.25+00:00",
            ),
            ("20240304", "2024-03-04"),
            ("20240304T050607Z", "2024-03-04T05:06:07Z"),
            ("20240304T0506", "2024-03-04T05:06Z"),
            ("20240304T05:06:07Z", "2024-03-04T05:06:07Z"),
            ("2021-9-27T08:09:10+00:00", "2021-09-27T08:09:10+00:00"),
            ("2021-9-7", "2021-09-07"),
            ("2021-9", "2021-09"),
            ("2021-09-27T8:09:10Z", "2021-09-27T08:09:10Z"),
            ("2024/03/04", "2024-03-04"),
            ("2024/3/4 5:06:07", "2024-03-04T05:06:07Z"),
            (
                "2024-03-04T05:06:07.1234567899999Z",
                "2024-03-04T05:06:07.123456789Z",
            ),
            ("2024-03-04T05:06:07,089Z", "2024-03-04T05:06:07.089Z"),
            ("2024-03-04Z", "2024-03-04"),
            ("2024-03-04z", "2024-03-04"),
            ("2024-03-04+01:00", "2024-03-04"),
            ("2024-03-04-05:00", "2024-03-04"),
            ("2024-03-04 UTC", "2024-03-04"),
            (
                "Mon, 04 Mar 2024 05:06:07 +0000",
                "2024-03-04T05:06:07+00:00",
            ),
            ("4 Mar 2024 05:06 GMT", "2024-03-04T05:06Z"),
            ("Mon, 04 Mar 2024 05:06:07", "2024-03-04T05:06:07Z"),
        ] {
            let (date, noted) = W3cDatetime::salvage(text).unwrap();
            assert_eq!(date.to_string(), meant, "{text}");
            let noted = noted.unwrap();
            assert_eq!(noted.rule(), Rule::NonStandardDatetime, "{text}");
            // The form is right, so the message must not say that it is wrong.
            let has_digits = text == "2024-03-04T05:06:07.1234567899999Z";
            assert_eq!(noted.is(case::DIGITS), has_digits, "{text}");
            // The message says which offset is assumed.
            let lacks_offset = text
                .parse::<W3cDatetime>()
                .is_err_and(|error| error.is(case::NO_OFFSET));
            assert_eq!(noted.is(case::NO_OFFSET), lacks_offset, "{text}");
            assert_eq!(W3cDatetime::salvage(meant), Ok((date, None)), "{meant}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for text in [
            "",
            " ",
            "0000-00-00",
            "0000-00-00 00:00:00",
            "0000-01-01",
            "00000101",
            "2024-00-01",
            "2024-13-01",
            "2024-02-30",
            "2023-2-29",
            "20240230",
            "yesterday",
            "now",
            "2024-03-04 2024-03-05",
            "2024-03-04, 2024-03-05",
            "2024-03-04/2024-03-05",
            "2024-03-04-2024-03-05",
            "2024-03-04T05:06:07Z 2024-03-04T05:06:07Z",
            "2024-03-04 2024",
            "04/03/2024",
            "04-03-2024",
            "4.3.2024",
            "2024.03.04",
            "2024-03/04",
            "1709528767",
            "1709528767000",
            "202403",
            "240304",
            "20240304050607",
            "2024-03-04T24:00:00Z",
            "2024-03-04 05:60",
            "2024-03-04T05:06:60Z",
            "2024-03-04T05:06:07.Z",
            "2024-03-04T05:06.5Z",
            "2024-03-04T",
            "2024-03-04T05",
            "2024-03-04T05Z",
            "2024-03-04T5:6:7Z",
            "2024-03-04T05:06:07+24:00",
            "2024-03-04T05:06:07+0:00",
            "2024-03-04T05:06:07+00:",
            "2024-03-04T05:06:07 CET",
            "2024-03-04T05:06:07 PM",
            "2024-03-04T05:06:07 +0100 UTC",
            "2024-03-04T05:06:07ZZ",
            "2024-03-04 UTC 05:06",
            "2024-03-04Z05:06",
            "2024-03-04-05",
            "2024-03-04-0500",
            "2024-03Z",
            "2024-W10",
            "2024-064",
            "-2024-03-04",
            "２０２４-03-04",
            "2024‑03‑04",
            "2024-03-04\u{a0}05:06",
            "é",
            "2024-03-04T05:06:07−01:00",
        ] {
            let violation = W3cDatetime::salvage(text).unwrap_err();
            assert_eq!(violation.rule(), Rule::InvalidDatetime, "{text}");
            assert_eq!(violation.found(), text);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_understood_can_be_written(
            text in prop_oneof![
                ".*",
                "[0-9TtZz:.,+/ -]{0,30}",
                "20[0-9]{2}[-/]?[01]?[0-9][-/]?[0-3]?[0-9]([Tt ]{1,2}[0-9:]{0,8}([.,][0-9]{0,12})?)?( ?(z|UTC|[+-][0-9:]{2,5}))?",
                "((Mon|Tuesday),? )?[0-9]{1,2} (Jan|february) [0-9]{2,4} [0-9]{2}:[0-9]{2}(:[0-9]{2})?( [A-Za-z]{1,3}| [+-][0-9]{4})?",
                "[(\\\\) a]{0,20}",
            ]
        ) {
            let lenient = W3cDatetime::parse_lenient(&text);
            prop_assert_eq!(lenient.is_some_and(|(_, is_standard)| is_standard), text.parse::<W3cDatetime>().is_ok());
            if let Ok((date, noted)) = W3cDatetime::salvage(&text) {
                prop_assert_eq!(lenient, Some((date, noted.is_none())));
                prop_assert_eq!(date.to_string().parse(), Ok(date));
                prop_assert_eq!(noted.is_none(), date.to_string() == text);
            }
            if let Some((date, _)) = W3cDatetime::rfc2822(&text) {
                prop_assert_eq!(date.to_string().parse(), Ok(date));
            }
        }
    }
}
