//! The instant that a date names.

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::Timelike;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// The start of the period that a date names, in microseconds since 1970. It is calculated from the parts, in a third of
/// the time that [`W3cDatetime::start`] takes to make a date and an offset of them first.
#[inline]
pub(crate) fn micros(date: W3cDatetime) -> i64 {
    let days = days(
        date.year(),
        date.month().unwrap_or(1),
        date.day().unwrap_or(1),
    );
    let (seconds, nanos) = date.time().map_or((0, 0), |time| {
        (time.num_seconds_from_midnight(), time.nanosecond())
    });
    let east = date.offset().map_or(0, |offset| offset.local_minus_utc());
    let seconds = days * DAY + i64::from(seconds) - i64::from(east);
    seconds * SECOND + i64::from(nanos / 1000)
}

/// Days since 1970 in the Gregorian calendar, by a year that begins in March, so that the leap day is its last.
#[inline]
fn days(year: i32, month: u32, day: u32) -> i64 {
    /// A multiple of the period of the calendar, by which no year of a [`W3cDatetime`] is negative.
    const YEARS: u32 = 400_000;
    const DAYS: i64 = YEARS as i64 / 400 * 146_097 + 719_469;
    let year = YEARS.wrapping_add_signed(year);
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    i64::from(year * 365 + leap_days + (month * 153 + 2) / 5 + day) - DAYS
}

#[cfg(test)]
mod tests {
    use quick_sitemap::chrono::NaiveDate;

    use super::*;

    fn check(date: W3cDatetime) {
        assert_eq!(micros(date), date.start().timestamp_micros(), "{date}");
    }

    #[test]
    fn every_day() {
        let mut day = NaiveDate::from_ymd_opt(1, 1, 1);
        while let Some(date) = day.filter(|day| day.to_string().len() == 10) {
            check(date.into());
            day = date.succ_opt();
        }
        check(NaiveDate::MIN.into());
        check(NaiveDate::MAX.into());
    }

    #[test]
    fn every_form() {
        for text in [
            "2024",
            "2024-03",
            "2024-03-04",
            "2024-03-04T05:06Z",
            "2024-03-04T05:06+01:00",
            "2024-03-04T05:06:07Z",
            "2024-03-04T05:06:07+01:30",
            "2024-03-04T05:06:07-11:45",
            "2024-03-04T05:06:07-00:00",
            "2024-03-04T05:06:07.089+01:00",
            "2024-03-04T05:06:07.123456789Z",
            "1969-12-31T23:59:59Z",
            "1969-12-31T23:59:59.5Z",
            "0001-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59",
        ] {
            check(text.parse().unwrap());
        }
    }
}
