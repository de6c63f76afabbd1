//! Dates as other crates have them: both ways, with the features `jiff` and `time`; and as people write them.
#![allow(clippy::unwrap_used)]

use quick_sitemap::{Reader, W3cDatetime};

/// What `parse_lenient` understands is what a reader understands, and what is standard a reader does not report.
#[test]
fn lenient_parsing_is_what_the_reader_does() {
    for text in [
        "2024",
        "2024-03",
        "2024-03-04",
        "2024-03-04T05:06Z",
        "2024-03-04T05:06:07.089+01:00",
        "2002-10-02T15:00:00",
        "20240304",
        "2024/3/4",
        "2024-03-04 05:06:07 +0100",
        "Wed, 02 Oct 2002 15:00:00 +0200",
        "4 Mar 2024 05:06 GMT",
        "04/03/2024",
        "2024-02-30",
        "1709528767",
        "yesterday",
    ] {
        let document = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc>https://example.com/</loc><lastmod>{text}</lastmod></url></urlset>"
        );
        let mut reader = Reader::from_bytes(document);
        let read = reader.next().unwrap().unwrap().lastmod();
        let lenient = W3cDatetime::parse_lenient(text);
        assert_eq!(lenient.map(|(date, _)| date), read, "{text}");
        let is_standard = lenient.is_some_and(|(_, is_standard)| is_standard);
        assert_eq!(is_standard, reader.issues().is_empty(), "{text}");
        assert_eq!(is_standard, text.parse::<W3cDatetime>().is_ok(), "{text}");
        if let Some((date, _)) = lenient {
            let spaced = format!("\n {text} ");
            assert_eq!(W3cDatetime::parse_lenient(&spaced), Some((date, false)));
        }
    }
}

/// Dates with a time, of all precisions and offsets, inside and outside of our century.
#[cfg(any(feature = "jiff", feature = "time"))]
const TIMES: [&str; 9] = [
    "2024-03-04T05:06:07Z",
    "2024-03-04T05:06:07.1Z",
    "2024-03-04T05:06:07.000000009Z",
    "1969-12-31T23:59:59.5Z",
    "0001-01-01T00:00:00Z",
    "9999-12-30T21:59:59.999999999Z",
    "2024-03-04T05:06:07+00:00",
    "2024-03-04T05:06:07.25+13:45",
    "2024-03-04T23:30:00-05:00",
];

#[cfg(any(feature = "jiff", feature = "time"))]
fn parsed(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

/// The same instant, printed in UTC.
#[cfg(any(feature = "jiff", feature = "time"))]
fn in_utc(date: W3cDatetime) -> W3cDatetime {
    date.start().to_utc().into()
}

/// Beyond what other crates hold: only chrono has such years.
#[cfg(any(feature = "jiff", feature = "time"))]
fn far_off() -> [W3cDatetime; 2] {
    use quick_sitemap::chrono::{DateTime, NaiveDate, Utc};
    [NaiveDate::MAX.into(), DateTime::<Utc>::MIN_UTC.into()]
}

#[cfg(feature = "jiff")]
mod jiff {
    use super::*;
    use ::jiff::civil::{Date, DateTime, date};
    use ::jiff::tz::{Offset, TimeZone};
    use ::jiff::{Timestamp, Zoned};

    #[test]
    fn times_go_there_and_back() {
        for text in TIMES {
            let time = parsed(text);
            let there = Timestamp::try_from(time).unwrap();
            assert_eq!(there.as_microsecond(), micros_towards_zero(time), "{text}");
            assert_eq!(W3cDatetime::from(there), in_utc(time), "{text}");

            let civil = DateTime::try_from(time).unwrap();
            assert_eq!(W3cDatetime::from(civil), in_utc(time), "{text}");

            let zoned = Zoned::try_from(time).unwrap();
            assert_eq!(zoned.timestamp(), there);
            let back = W3cDatetime::from(&zoned);
            assert_eq!(back.to_string(), text.replace('Z', "+00:00"));
            assert_eq!(W3cDatetime::from(zoned), back);
        }
    }

    fn micros_towards_zero(time: W3cDatetime) -> i64 {
        let nanos = time.start().timestamp_nanos_opt();
        nanos.map_or(time.start().timestamp_micros(), |nanos| nanos / 1000)
    }

    #[test]
    fn days_go_there_and_back() {
        for (text, there) in [
            ("2024-02-29", date(2024, 2, 29)),
            ("0001-01-01", date(1, 1, 1)),
            ("9999-12-31", date(9999, 12, 31)),
        ] {
            assert_eq!(Date::try_from(parsed(text)), Ok(there));
            assert_eq!(W3cDatetime::from(there), parsed(text));
        }
        assert_eq!(
            Date::try_from(parsed("2024-03-04T23:30-05:00")),
            Ok(date(2024, 3, 4))
        );
        assert_eq!(W3cDatetime::from(date(-1, 1, 1)).year(), -1);
    }

    #[test]
    fn what_the_other_does_not_have_is_an_error() {
        for text in ["2024", "2024-03"] {
            let error = Date::try_from(parsed(text)).unwrap_err();
            assert_eq!(error.to_string(), format!("`{text}` has no day"));
            assert_eq!(
                Timestamp::try_from(parsed(text)).unwrap().as_microsecond(),
                parsed(text).timestamp_micros()
            );
        }
        for far in far_off() {
            assert!(Date::try_from(far).is_err());
            assert!(DateTime::try_from(far).is_err());
            assert!(Timestamp::try_from(far).is_err());
            assert!(Zoned::try_from(far).is_err());
        }
    }

    #[test]
    fn offsets_that_the_notation_lacks_become_utc() {
        let time: Timestamp = "2024-03-04T05:06:07Z".parse().unwrap();
        for (seconds, text) in [
            (0, "2024-03-04T05:06:07+00:00"),
            (-5400, "2024-03-04T03:36:07-01:30"),
            (1, "2024-03-04T05:06:07Z"),
            (25 * 3600, "2024-03-04T05:06:07Z"),
        ] {
            let offset = Offset::from_seconds(seconds).unwrap();
            let zoned = time.to_zoned(TimeZone::fixed(offset));
            assert_eq!(W3cDatetime::from(&zoned).to_string(), text);
        }
    }

    #[test]
    fn the_whole_range_is_taken() {
        for time in [Timestamp::MIN, Timestamp::MAX] {
            let there = W3cDatetime::from(time);
            assert_eq!(Timestamp::try_from(there).unwrap(), time);
        }
        for time in [DateTime::MIN, DateTime::MAX] {
            let there = W3cDatetime::from(time);
            assert_eq!(there.year(), i32::from(time.year()));
        }
        for day in [Date::MIN, Date::MAX] {
            assert_eq!(Date::try_from(W3cDatetime::from(day)), Ok(day));
        }
    }
}

#[cfg(feature = "time")]
mod time {
    use super::*;
    use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, UtcDateTime, UtcOffset};

    #[test]
    fn times_go_there_and_back() {
        for text in TIMES {
            let time = parsed(text);
            let there = UtcDateTime::try_from(time).unwrap();
            assert_eq!(there.unix_timestamp(), time.start().timestamp(), "{text}");
            assert_eq!(W3cDatetime::from(there), in_utc(time), "{text}");

            let civil = PrimitiveDateTime::try_from(time).unwrap();
            assert_eq!(W3cDatetime::from(civil), in_utc(time), "{text}");

            let offset = OffsetDateTime::try_from(time).unwrap();
            assert_eq!(offset.unix_timestamp_nanos(), there.unix_timestamp_nanos());
            let back = W3cDatetime::from(offset);
            assert_eq!(back.to_string(), text.replace('Z', "+00:00"));
        }
    }

    #[test]
    fn days_go_there_and_back() {
        for (text, parts) in [
            ("2024-02-29", (2024, Month::February, 29)),
            ("0001-01-01", (1, Month::January, 1)),
            ("9999-12-31", (9999, Month::December, 31)),
        ] {
            let there = Date::from_calendar_date(parts.0, parts.1, parts.2).unwrap();
            assert_eq!(Date::try_from(parsed(text)), Ok(there));
            assert_eq!(W3cDatetime::from(there), parsed(text));
        }
        let day = Date::try_from(parsed("2024-03-04T23:30-05:00")).unwrap();
        assert_eq!(day.to_calendar_date(), (2024, Month::March, 4));
    }

    #[test]
    fn what_the_other_does_not_have_is_an_error() {
        for text in ["2024", "2024-03"] {
            let error = Date::try_from(parsed(text)).unwrap_err();
            assert_eq!(error.to_string(), format!("`{text}` has no day"));
            let start = UtcDateTime::try_from(parsed(text)).unwrap();
            assert_eq!(start.unix_timestamp(), parsed(text).start().timestamp());
        }
        for far in far_off() {
            assert!(Date::try_from(far).is_err());
            assert!(PrimitiveDateTime::try_from(far).is_err());
            assert!(UtcDateTime::try_from(far).is_err());
            assert!(OffsetDateTime::try_from(far).is_err());
        }
        // The offset would lead beyond the year 9999.
        assert!(OffsetDateTime::try_from(parsed("9999-12-31T23:59:59-23:59")).is_err());
    }

    #[test]
    fn offsets_that_the_notation_lacks_become_utc() {
        let time = OffsetDateTime::from_unix_timestamp(1_709_528_767).unwrap();
        for (seconds, text) in [
            (0, "2024-03-04T05:06:07+00:00"),
            (-5400, "2024-03-04T03:36:07-01:30"),
            (1, "2024-03-04T05:06:07Z"),
            (25 * 3600, "2024-03-04T05:06:07Z"),
        ] {
            let offset = UtcOffset::from_whole_seconds(seconds).unwrap();
            let time = time.to_offset(offset);
            assert_eq!(W3cDatetime::from(time).to_string(), text);
        }
    }

    #[test]
    fn the_whole_range_is_taken() {
        for time in [UtcDateTime::MIN, UtcDateTime::MAX] {
            assert_eq!(UtcDateTime::try_from(W3cDatetime::from(time)), Ok(time));
        }
        for time in [PrimitiveDateTime::MIN, PrimitiveDateTime::MAX] {
            assert_eq!(W3cDatetime::from(time).year(), time.year());
        }
        for day in [Date::MIN, Date::MAX] {
            assert_eq!(Date::try_from(W3cDatetime::from(day)), Ok(day));
        }
    }
}
