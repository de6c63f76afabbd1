//! The values through the public API: accepted texts, rejected texts, and that printing is the inverse of parsing.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use crate::common::rows;
use chrono::{DateTime, Duration, FixedOffset, NaiveDate, NaiveDateTime, Timelike, Utc};
use proptest::prelude::*;
use quick_sitemap::extension::Rating;
use quick_sitemap::{ChangeFreq, Precision, Priority, Rule, Violation, W3cDatetime};

fn datetime(text: &str) -> W3cDatetime {
    text.parse().unwrap()
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Checks that each of the texts, which `|` divides, is rejected under `rule`, and quoted.
fn refused<T>(rule: Rule, texts: &str)
where
    T: std::str::FromStr<Err = Violation> + Debug,
{
    for text in texts.split('|') {
        let violation = text.parse::<T>().expect_err(text);
        assert_eq!(violation.rule(), rule, "{text:?}");
        assert_eq!(violation.found(), text);
    }
}

#[test]
fn values_are_small_and_shareable() {
    fn shareable<T: Copy + Send + Sync + Unpin + 'static>() {}
    shareable::<W3cDatetime>();
    shareable::<Priority>();
    shareable::<ChangeFreq>();
    assert_eq!(size_of::<W3cDatetime>(), 16);
    assert_eq!(size_of::<Priority>(), 4);
    assert_eq!(size_of::<Option<ChangeFreq>>(), 1);
}

#[test]
fn changefreq_words() {
    let words = [
        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
    ];
    assert_eq!(ChangeFreq::ALL.len(), words.len());
    for (word, value) in words.iter().zip(ChangeFreq::ALL) {
        assert_eq!(word.parse(), Ok(*value));
        assert_eq!(value.as_str(), *word);
        assert_eq!(value.to_string(), *word);
    }
    assert_eq!(format!("[{:>7}]", ChangeFreq::Daily), "[  daily]");
    let bad = "|Daily|WEEKLY| daily|daily |dail|dailyy|sometimes|Not Weekly|每天";
    refused::<ChangeFreq>(Rule::InvalidChangefreq, bad);
}

#[test]
fn priority_digits() {
    // Schema validators read 24 digits.
    for [text, value, printed] in rows(
        "
        0 | 0.0 | 0.0
        0.0 | 0.0 | 0.0
        000 | 0.0 | 0.0
        0.5 | 0.5 | 0.5
        00.5 | 0.5 | 0.5
        0.50 | 0.5 | 0.5
        0.05 | 0.05 | 0.05
        0.85 | 0.85 | 0.85
        0.850000 | 0.85 | 0.85
        0.123 | 0.123 | 0.123
        0.6400 | 0.64 | 0.64
        1 | 1.0 | 1.0
        01 | 1.0 | 1.0
        1.0 | 1.0 | 1.0
        1.00 | 1.0 | 1.0
        1.000 | 1.0 | 1.0
        0.0000001 | 1e-7 | 0.0000001
        0.99999999999 | 1.0 | 1.0
        0.000000000000000000000001 | 1e-24 | 0.000000000000000000000001
        0.0000000000000000000000006 | 1e-24 | 0.000000000000000000000001
        0.0000000000000000000000004 | 0.0 | 0.0
        0.000000000000000000012345678 | 1.2346e-20 | 0.000000000000000000012346
        ",
    ) {
        let priority: Priority = text.parse().unwrap();
        assert_eq!(
            priority.get().to_bits(),
            value.parse::<f32>().unwrap().to_bits(),
            "{text}"
        );
        assert_eq!(priority.to_string(), printed, "{text}");
    }
    let long = format!("0.{}1", "0".repeat(100_000));
    assert_eq!(
        long.parse::<Priority>().unwrap(),
        Priority::new(0.0).unwrap()
    );
    refused::<Priority>(
        Rule::InvalidPriority,
        "|.|.5|1.|+0.5|-0|-0.0|-0.1|1.1|1.00000001|1.5|2|10|0,8|80%|1e-1|0e0|inf|Infinity|NaN|nan|high| 0.5|\
         0.5 |0.5.0|0_1|0x1|٠.٥|１",
    );
}

#[test]
fn priority_from_floats() {
    for value in [
        0.0,
        1e-24,
        1.234_567_8e-15,
        0.1,
        0.5,
        1.0 - f32::EPSILON,
        1.0,
    ] {
        assert_eq!(Priority::new(value).unwrap().get(), value);
        assert_eq!(Priority::try_from(value), Priority::new(value));
    }
    for (value, rounded) in [
        (f32::MIN_POSITIVE, 0.0),
        (f32::from_bits(1), 0.0),
        (6e-25, 1e-24),
        (1.234_567_8e-20, 1.2346e-20),
    ] {
        assert_eq!(Priority::new(value).unwrap().get(), rounded, "{value}");
    }
    let zero = Priority::new(-0.0).unwrap();
    assert_eq!(zero.get().to_bits(), 0);
    for value in [
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -0.1,
        1.0 + f32::EPSILON,
        -f32::from_bits(1),
    ] {
        assert_eq!(
            Priority::new(value).unwrap_err().rule(),
            Rule::InvalidPriority,
            "{value}"
        );
    }
    assert_eq!(Priority::new(f32::NAN).unwrap_err().found(), "NaN");
    assert_eq!(Priority::default(), Priority::new(0.5).unwrap());
    assert_eq!(
        format!("{:?} [{0:<5}] [{0:.2}]", Priority::default()),
        "Priority(0.5) [0.5  ] [0.50]"
    );
}

#[test]
fn datetime_forms() {
    for [text, precision, start] in rows(
        "
        2024 | Year | 2024-01-01T00:00:00+00:00
        0001 | Year | 0001-01-01T00:00:00+00:00
        9999 | Year | 9999-01-01T00:00:00+00:00
        2024-12 | Month | 2024-12-01T00:00:00+00:00
        2024-02-29 | Day | 2024-02-29T00:00:00+00:00
        2000-02-29 | Day | 2000-02-29T00:00:00+00:00
        2024-03-04T05:06Z | Minute | 2024-03-04T05:06:00+00:00
        2024-03-04T05:06+00:00 | Minute | 2024-03-04T05:06:00+00:00
        2024-03-04T05:06:07-00:00 | Second | 2024-03-04T05:06:07+00:00
        2024-03-04T23:59:59+14:00 | Second | 2024-03-04T23:59:59+14:00
        0001-01-01T00:00:00+14:00 | Second | 0001-01-01T00:00:00+14:00
        9999-12-31T23:59:59-14:00 | Second | 9999-12-31T23:59:59-14:00
        2024-03-04T05:06:07-03:30 | Second | 2024-03-04T05:06:07-03:30
        2024-03-04T05:06:07.0Z | Fraction(1) | 2024-03-04T05:06:07+00:00
        2024-03-04T05:06:07.250Z | Fraction(3) | 2024-03-04T05:06:07.250+00:00
        2024-03-04T05:06:07.000000001+01:00 | Fraction(9) | 2024-03-04T05:06:07.000000001+01:00
        ",
    ) {
        let date = datetime(text);
        assert_eq!(format!("{:?}", date.precision()), precision, "{text}");
        assert_eq!(date.start().to_rfc3339(), start, "{text}");
        assert_eq!(date.to_string(), text);
        assert_eq!(format!("{date:?}"), format!("W3cDatetime({text})"));
    }
    assert_eq!(
        format!("[{:>12}]", datetime("2024-03-04")),
        "[  2024-03-04]"
    );
}

#[test]
fn datetime_refusals() {
    refused::<W3cDatetime>(
        Rule::InvalidDatetime,
        "|2|202|20245|2024-|2024-3|2024-03-|2024-03-4|0000|0000-01-01|0000-00-00|2024-00|2024-13|\
         2024-00-10|2024-01-00|2024-01-32|2024-04-31|2023-02-29|1900-02-29|2024-03-04T|2024-03-04T05|\
         2024-03-04T05Z|2024-03-04T05:06|2024-03-04T05:06:07|2024-03-04T24:00Z|2024-03-04T05:60Z|\
         2024-03-04T05:06:60Z|2024-03-04T05:06:07.Z|2024-03-04T05:06:07.1234567890Z|2024-03-04T05:06.5Z|\
         2024-03-04T05:06:07,5Z|2024-03-04t05:06Z|2024-03-04T05:06z|2024-03-04 05:06Z|2024-03-04T05:06 Z|\
         2024-03-04T05:06+0000|2024-03-04T05:06+00|2024-03-04T05:06+24:00|2024-03-04T05:06+01:60|\
         2024-03-04T05:06*01:00|2024-03-04T05:06ZZ|2024-03-04Z|2024-03-04+01:00|20240304|2024/03/04| 2024|\
         2024 |-2024|+2024|+12345-01-01|２０２４|202é|2024-03-04T05:06:07−01:00|yesterday|1709528767|\
         Mon, 04 Mar 2024 05:06:07 +0000|2024-0/-01|2024-0:-01",
    );
}

#[test]
fn datetime_spellings_of_one_instant_differ() {
    let spellings = [
        "2024-01-01T00:00Z",
        "2024",
        "2024-01",
        "2024-01-01",
        "2024-01-01T00:00+00:00",
        "2024-01-01T00:00-00:00",
        "2024-01-01T01:00+01:00",
        "2023-12-31T23:00-01:00",
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00.0Z",
        "2024-01-01T00:00:00.00Z",
    ];
    for (i, a) in spellings.iter().enumerate() {
        for (j, b) in spellings.iter().enumerate() {
            assert_eq!(datetime(a).start(), datetime(b).start());
            assert_eq!(datetime(a) == datetime(b), i == j, "{a} {b}");
            assert_eq!(datetime(a).cmp(&datetime(b)).is_eq(), i == j, "{a} {b}");
        }
    }
    let mut sorted = [
        "2024-01-01T00:00:00Z",
        "2024-01-02",
        "2024",
        "2023-12-31T23:59-00:01",
        "2024-01",
    ];
    sorted.sort_by_key(|text| datetime(text));
    assert_eq!(
        sorted,
        [
            "2024",
            "2024-01",
            "2023-12-31T23:59-00:01",
            "2024-01-01T00:00:00Z",
            "2024-01-02"
        ]
    );
}

#[test]
fn a_fraction_of_a_second_has_one_to_nine_digits() {
    let date = datetime("2024-03-04T05:06:07.123456789Z");
    assert_eq!(date.precision(), Precision::Fraction(9));
    let cut = |digits| date.with_precision(Precision::Fraction(digits));
    assert_eq!(cut(0), date.with_precision(Precision::Second));
    assert_eq!(cut(1), datetime("2024-03-04T05:06:07.1Z"));
    assert_eq!([10, u8::MAX].map(cut), [date; 2]);
}

#[test]
fn datetime_coarser() {
    let date = datetime("2024-03-04T00:06:07.089012345+05:30");
    for (precision, text) in [
        (Precision::Year, "2024"),
        (Precision::Month, "2024-03"),
        (Precision::Day, "2024-03-04"),
        (Precision::Minute, "2024-03-04T00:06+05:30"),
        (Precision::Second, "2024-03-04T00:06:07+05:30"),
        (Precision::Fraction(1), "2024-03-04T00:06:07.0+05:30"),
        (Precision::Fraction(5), "2024-03-04T00:06:07.08901+05:30"),
        (Precision::Fraction(8), "2024-03-04T00:06:07.08901234+05:30"),
        (
            Precision::Fraction(9),
            "2024-03-04T00:06:07.089012345+05:30",
        ),
    ] {
        let coarse = date.with_precision(precision);
        assert_eq!(coarse.to_string(), text);
        // It is equal to the one that would have been read.
        assert_eq!(coarse, datetime(text));
        assert_eq!(hash(coarse), hash(datetime(text)));
        assert_eq!(coarse.with_precision(Precision::Fraction(9)), coarse);
    }
}

#[test]
fn datetime_from_chrono() {
    let day = NaiveDate::from_ymd_opt(2024, 3, 4).unwrap();
    assert_eq!(W3cDatetime::from(day), datetime("2024-03-04"));
    let utc = |nanos| day.and_hms_nano_opt(5, 6, 59, nanos).unwrap().and_utc();
    for (nanos, text) in [
        (0, "2024-03-04T05:06:59Z"),
        (500_000_000, "2024-03-04T05:06:59.5Z"),
        (89_000_000, "2024-03-04T05:06:59.089Z"),
        (1, "2024-03-04T05:06:59.000000001Z"),
        (1_000_000_000, "2024-03-04T05:06:59Z"),
        (1_999_999_999, "2024-03-04T05:06:59Z"),
    ] {
        assert_eq!(W3cDatetime::from(utc(nanos)), datetime(text));
    }
    for (offset, text) in [
        (0, "2024-03-04T05:06:59+00:00"),
        (3600, "2024-03-04T06:06:59+01:00"),
        (-12_600, "2024-03-04T01:36:59-03:30"),
        (50_400, "2024-03-04T19:06:59+14:00"),
        (3601, "2024-03-04T05:06:59Z"),
        (-1, "2024-03-04T05:06:59Z"),
    ] {
        let time = utc(0).with_timezone(&FixedOffset::east_opt(offset).unwrap());
        assert_eq!(W3cDatetime::from(time), datetime(text), "{offset}");
    }
}

#[test]
fn datetime_at_the_edges_of_chrono() {
    let offsets = [-86_399, -86_340, -60, -1, 0, 1, 60, 86_340, 86_399];
    let edges = [
        DateTime::<Utc>::MIN_UTC,
        DateTime::<Utc>::MAX_UTC,
        DateTime::UNIX_EPOCH,
    ];
    for edge in edges {
        for offset in offsets {
            let time = edge.with_timezone(&FixedOffset::east_opt(offset).unwrap());
            let date = W3cDatetime::from(time);
            assert_eq!(date.start().timestamp(), time.timestamp());
            assert_eq!(
                date.start().timestamp_subsec_nanos(),
                time.timestamp_subsec_nanos()
            );
            for precision in [
                Precision::Year,
                Precision::Month,
                Precision::Day,
                Precision::Minute,
                Precision::Second,
            ] {
                let coarse = date.with_precision(precision);
                assert_eq!(coarse.precision(), precision);
                // Another instant within a year and a day; no panic, and no fallback date.
                assert!((time.timestamp() - coarse.start().timestamp()).abs() <= 367 * 86_400);
            }
        }
    }
    assert_eq!(
        W3cDatetime::from(DateTime::<Utc>::MAX_UTC).to_string(),
        "+262142-12-31T23:59:59.999999999Z"
    );
    assert_eq!(
        W3cDatetime::from(NaiveDate::MIN).to_string(),
        "-262143-01-01"
    );
    for (year, text) in [
        (0, "0000-01-01"),
        (-5, "-0005-01-01"),
        (10_000, "+10000-01-01"),
        (-10_203, "-10203-01-01"),
    ] {
        let date = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
        assert_eq!(W3cDatetime::from(date).to_string(), text);
        assert_eq!(W3cDatetime::from(date).start().date_naive(), date);
    }
}

/// The text of a date in any of the six forms, valid in the calendar, with every form of the zone.
fn written() -> impl Strategy<Value = String> {
    let day =
        (1..=9999_i32, 1..=366_u32).prop_filter_map("a day of the year", |(year, ordinal)| {
            NaiveDate::from_yo_opt(year, ordinal).map(|date| date.format("%Y-%m-%d").to_string())
        });
    let time = (0..24_u32, 0..60_u32).prop_map(|(hour, minute)| format!("T{hour:02}:{minute:02}"));
    let second = prop_oneof![
        Just(String::new()),
        "(:[0-5][0-9])",
        "(:[0-5][0-9]\\.[0-9]{1,9})"
    ];
    let zone = prop_oneof![
        Just("Z".to_owned()),
        "[+-](0[0-9]|1[0-3]):[0-5][0-9]",
        "[+-]14:00",
        "[+-]00:00"
    ];
    (day, time, second, zone, 0..4).prop_map(|(day, time, second, zone, form)| match form {
        0 => day.chars().take(4).collect(),
        1 => day.chars().take(7).collect(),
        2 => day,
        _ => format!("{day}{time}{second}{zone}"),
    })
}

/// A point in time that the notation can write, in any offset of whole minutes that the schema allows.
fn instant() -> impl Strategy<Value = DateTime<FixedOffset>> {
    let nanos = prop_oneof![
        Just(0),
        0..1_000_000_000_u32,
        (0..1000_u32).prop_map(|n| n * 1_000_000)
    ];
    (-62_000_000_000..253_000_000_000_i64, nanos, -840..=840_i32).prop_map(
        |(seconds, nanos, offset)| {
            let offset = FixedOffset::east_opt(offset * 60).unwrap();
            DateTime::from_timestamp(seconds, nanos)
                .unwrap()
                .with_timezone(&offset)
        },
    )
}

proptest! {
    #[test]
    fn datetime_prints_what_was_read(text in written()) {
        prop_assert_eq!(datetime(&text).to_string(), text);
    }

    #[test]
    fn datetime_agrees_with_chrono(time in instant()) {
        let date = W3cDatetime::from(time);
        prop_assert_eq!(date.start(), time);
        prop_assert_eq!(*date.start().offset(), *time.offset());
        prop_assert_eq!(datetime(&date.to_string()), date);
        prop_assert_eq!(DateTime::parse_from_rfc3339(&date.to_string()).unwrap(), time);
    }

    #[test]
    fn datetime_order_is_that_of_the_starts(a in written(), b in written(), nudge in -2..=2_i64) {
        let near = W3cDatetime::from(datetime(&a).start() + Duration::seconds(nudge));
        for (a, b) in [(datetime(&a), datetime(&b)), (datetime(&a), near)] {
            let order = a.start().cmp(&b.start()).then(a.precision().cmp(&b.precision()));
            prop_assert!(order.is_eq() || a.cmp(&b) == order);
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(a == b, a.cmp(&b).is_eq());
            prop_assert_eq!(a == b, a.to_string() == b.to_string());
        }
    }

    #[test]
    fn datetime_truncates(text in written(), digits in 1..=9_u8) {
        let date = datetime(&text);
        for precision in [Precision::Year, Precision::Month, Precision::Day, Precision::Minute, Precision::Second, Precision::Fraction(digits)] {
            let coarse = date.with_precision(precision);
            prop_assert!(coarse.precision() <= date.precision());
            prop_assert_eq!(coarse.with_precision(date.precision()), coarse);
            prop_assert_eq!(coarse, datetime(&coarse.to_string()));
            let local: NaiveDateTime = date.start().naive_local();
            prop_assert!(coarse.start().naive_local() <= local);
            prop_assert!(local.nanosecond() < 1_000_000_000);
        }
    }

    #[test]
    fn a_date_with_one_byte_changed_is_another_or_none(text in written(), at in any::<prop::sample::Index>(), byte in 32..127_u8) {
        let mut bytes = text.clone().into_bytes();
        *at.get_mut(&mut bytes) = byte;
        let changed = String::from_utf8(bytes).unwrap();
        if let Ok(date) = changed.parse::<W3cDatetime>() {
            prop_assert_eq!(date.to_string(), changed);
        }
    }

    #[test]
    fn no_text_panics(text in prop_oneof![".*", "[0-9TZ:.+-]{0,30}"]) {
        if let Ok(date) = text.parse::<W3cDatetime>() {
            prop_assert_eq!(date.to_string(), text.as_str());
        }
        if let Ok(word) = text.parse::<ChangeFreq>() {
            prop_assert_eq!(word.as_str(), text.as_str());
        }
        if let Ok(priority) = text.parse::<Priority>() {
            let exact = text.parse::<f32>().unwrap();
            prop_assert!(priority.get() == exact || exact < 1e-15, "{}", text);
        }
    }

    /// A number of JSON or of a database has the digits that are printed.
    #[test]
    fn a_priority_becomes_the_f64_of_its_digits(bits in 0..=f32::to_bits(1.0)) {
        let priority = Priority::new(f32::from_bits(bits)).unwrap();
        prop_assert_eq!(f64::from(priority), priority.to_string().parse::<f64>().unwrap());
        prop_assert_eq!(Priority::new(f64::from(priority) as f32).unwrap(), priority);
    }

    #[test]
    fn priority_is_the_f32_that_std_reads(text in "0{0,3}[01](\\.[0-9]{1,12})?|0\\.[0-9]{1,3}|1\\.0{1,12}") {
        let number: f64 = text.parse().unwrap();
        match text.parse::<Priority>() {
            Ok(priority) => prop_assert_eq!(priority.get(), text.parse::<f32>().unwrap()),
            Err(_) => prop_assert!(number > 1.0),
        }
        prop_assert_eq!(text.parse::<Priority>().is_ok(), number <= 1.0);
    }

    #[test]
    fn priority_prints_what_reads_back(bits in 0..=f32::to_bits(1.0), other in 0..=f32::to_bits(1.0)) {
        let (a, b) = (Priority::new(f32::from_bits(bits)).unwrap(), Priority::new(f32::from_bits(other)).unwrap());
        let text = a.to_string();
        prop_assert!(text.len() <= "0.".len() + 24, "{}", text);
        prop_assert!(text.contains('.') && text.bytes().all(|b| b == b'.' || b.is_ascii_digit()), "{}", text);
        prop_assert_eq!(text.parse(), Ok(a));
        prop_assert_eq!(a.cmp(&b), a.get().partial_cmp(&b.get()).unwrap());
        prop_assert_eq!(a == b, hash(a) == hash(b));
    }
}

#[test]
fn ratings() {
    for (text, value) in [("0", 0.0), ("4", 4.0), ("4.50", 4.5), ("05.000", 5.0)] {
        assert_eq!(text.parse(), Rating::new(value), "{text}");
    }
    // As an f32, the third would be 5.
    for text in [
        "5.1",
        "6",
        "5.00000001",
        "55",
        "-1",
        "+1",
        "1e0",
        ".5",
        "1.",
        "NaN",
        "",
    ] {
        let violation = text.parse::<Rating>().unwrap_err();
        assert_eq!(violation.rule(), Rule::InvalidNumber, "{text}");
    }
    assert!(Rating::new(4.5).unwrap() > Rating::new(4.0).unwrap());
    let rating = Rating::try_from(4.25).unwrap();
    assert_eq!(
        format!("{rating}|{rating:>6}|{rating:.1}"),
        "4.25|  4.25|4.2"
    );
}

#[test]
fn a_date_may_be_since_a_point_in_its_period() {
    use quick_sitemap::chrono::{DateTime, FixedOffset, NaiveDate, TimeDelta, Utc};
    for [text, last] in rows(
        "
        2024 | 2024-12-31T23:59:59.999999999Z
        2024-02 | 2024-02-29T23:59:59.999999999Z
        2023-02 | 2023-02-28T23:59:59.999999999Z
        2024-05-06 | 2024-05-06T23:59:59.999999999Z
        2024-05-06T07:08Z | 2024-05-06T07:08:59.999999999Z
        2024-05-06T07:08+02:00 | 2024-05-06T05:08:59.999999999Z
        2024-05-06T07:08:09Z | 2024-05-06T07:08:09.999999999Z
        2024-05-06T07:08:09.1Z | 2024-05-06T07:08:09.199999999Z
        2024-05-06T07:08:09.123456789Z | 2024-05-06T07:08:09.123456789Z
        9999 | 9999-12-31T23:59:59.999999999Z
        ",
    ) {
        let date: W3cDatetime = text.parse().unwrap();
        let last: DateTime<Utc> = last.parse().unwrap();
        let nano = TimeDelta::nanoseconds(1);
        assert!(date.may_be_since(last), "{text}");
        assert!(date.may_be_since(last.with_timezone(&FixedOffset::west_opt(3600).unwrap())));
        assert!(!date.may_be_since(last + nano), "{text}");
        assert!(date.may_be_since(date.start()), "{text}");
        if date.precision() == Precision::Fraction(9) {
            assert_eq!(date.start(), last);
        }
    }
    // No panic where chrono ends.
    let edge = W3cDatetime::from(NaiveDate::MAX);
    assert!(edge.may_be_since(DateTime::<Utc>::MAX_UTC));
    assert!(!W3cDatetime::from(NaiveDate::MIN).may_be_since(DateTime::<Utc>::UNIX_EPOCH));
}

#[test]
fn parts_of_a_date() {
    for (text, month, day, offset) in [
        ("2024", None, None, 0),
        ("2024-05", Some(5), None, 0),
        ("2024-05-06", Some(5), Some(6), 0),
        ("2024-05-06T07:08Z", Some(5), Some(6), 0),
        ("2024-05-06T07:08:09-00:00", Some(5), Some(6), 0),
        ("2024-05-06T23:08:09.5-11:30", Some(5), Some(6), -41_400),
    ] {
        let date: W3cDatetime = text.parse().unwrap();
        assert_eq!(date.year(), 2024);
        assert_eq!((date.month(), date.day()), (month, day), "{text}");
        let seconds = date.start().offset().local_minus_utc();
        assert_eq!(seconds, offset, "{text}");
    }
}
