//! Dates as the system has them, both ways, and as people write them.

use std::time::{Duration, SystemTime};

use quick_sitemap::{Reader, W3cDatetime};

/// `parse_lenient` understands the same texts as a reader, and reports the same ones as standard.
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

/// Whole seconds are preserved; the time of the system is that of the start.
#[test]
fn the_system_s_time_both_ways() {
    for (text, seconds, nanos) in [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("2024-03-04T05:06:07Z", 1_709_528_767, 0),
        ("2024-03-04T06:06:07+01:00", 1_709_528_767, 0),
        ("2024-03-04T05:06:07.25Z", 1_709_528_767, 250_000_000),
        ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
        ("2024-03-04", 1_709_510_400, 0),
        ("1960", -315_619_200, 0),
    ] {
        let date: W3cDatetime = text.parse().unwrap();
        let time = SystemTime::try_from(date).unwrap();
        let whole = Duration::from_secs(i64::unsigned_abs(seconds));
        let expected = if seconds < 0 {
            SystemTime::UNIX_EPOCH - whole
        } else {
            SystemTime::UNIX_EPOCH + whole
        };
        assert_eq!(time, expected + Duration::from_nanos(nanos), "{text}");
        let back = W3cDatetime::from(time).to_string();
        let utc = W3cDatetime::from(date.start().to_utc());
        assert_eq!(back.trim_end_matches('Z'), &utc.to_string()[..19], "{text}");
    }
}

#[test]
fn a_date_of_the_right_form_that_does_not_exist_says_so() {
    for (text, expected) in [
        ("2025-02-29", "there is no such day"),
        ("2024-13-01", "there is no such day"),
        ("0000-00-00", "there is no such day"),
        ("2025-02-29T05:06:07Z", "there is no such day"),
        ("2024-02-29T25:00Z", "there is no such time or zone"),
        (
            "2024-02-29T05:60:07.25+01:00",
            "there is no such time or zone",
        ),
        ("2024-02-29T05:06:07+13:60", "there is no such time or zone"),
        (
            "2024-02-29T05:06:07+99:00",
            "has an offset from UTC of more than 14:00",
        ),
        (
            "2024-02-29T05:06-14:01",
            "has an offset from UTC of more than 14:00",
        ),
        ("29.02.2025", "is not a W3C Datetime like"),
        (
            "2024-02-29T05:06:07.1234567890Z",
            "is not a W3C Datetime like",
        ),
        ("2024-02-29T05:06:07", "has a time without an offset"),
    ] {
        let violation = text.parse::<W3cDatetime>().unwrap_err();
        assert!(
            violation.to_string().contains(expected),
            "{text}: {violation}"
        );
    }
    let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc>\
        <lastmod>2025-02-29</lastmod></url></urlset>";
    let mut reader = quick_sitemap::Reader::from_bytes(text);
    reader.next().unwrap().unwrap();
    let said = reader.issues()[0].violation.to_string();
    assert_eq!(
        said,
        "`2025-02-29` has the form of a date, but there is no such day"
    );
}
