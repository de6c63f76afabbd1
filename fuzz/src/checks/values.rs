//! Values: what is parsed prints back, what is made parses back, and the reader agrees with `FromStr`.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use quick_sitemap::chrono::{DateTime, Datelike, FixedOffset, NaiveDate};
use quick_sitemap::extension::{IdKind, Platform, PriceType, Rating, Relationship, Resolution};
use quick_sitemap::{ChangeFreq, Entry, Precision, Priority, Rule, UrlEntry, W3cDatetime};

use super::choices::Choices;
use crate::common::{NS, Outcome, lenient, read};

/// Bytes as the text of every value, and as numbers to make values of.
pub fn values(bytes: &[u8]) {
    made(&mut Choices::new(bytes));
    if let Ok(text) = std::str::from_utf8(bytes) {
        parsed(text);
        through_the_reader(text);
    }
}

fn parsed(text: &str) {
    if let Ok(date) = text.parse::<W3cDatetime>() {
        assert_eq!(date.to_string(), text);
        cut_dates(date);
    }
    if let Ok(frequency) = text.parse::<ChangeFreq>() {
        assert_eq!(frequency.to_string(), text);
    }
    if let Ok(priority) = text.parse::<Priority>() {
        let exact: f32 = text.parse().unwrap();
        assert!(priority.get() == exact || exact < 1e-15, "{text}");
        inverse(priority);
    }
    if let Ok(rating) = text.parse::<Rating>() {
        inverse(rating);
    }
    for same in [
        text.parse::<Relationship>().map(|word| word.to_string()),
        text.parse::<PriceType>().map(|word| word.to_string()),
        text.parse::<Resolution>().map(|word| word.to_string()),
    ] {
        assert!(same.is_err() || same.unwrap().eq_ignore_ascii_case(text));
    }
    assert!(Platform::from(text).as_str().eq_ignore_ascii_case(text));
    assert!(IdKind::from(text).as_str().eq_ignore_ascii_case(text));
    if let Ok(page) = UrlEntry::try_from(text) {
        assert_eq!(
            UrlEntry::try_from(page.loc.as_str()).map(|page| page.loc),
            Ok(page.loc)
        );
    }
}

fn inverse<T: Display + Debug + Copy + PartialEq + FromStr<Err: Debug + PartialEq>>(value: T) {
    assert_eq!(value.to_string().parse(), Ok(value));
}

/// A date and all that it can be cut to.
fn cut_dates(date: W3cDatetime) {
    let fractions = (0..=10).map(Precision::Fraction);
    let precisions = [
        Precision::Year,
        Precision::Month,
        Precision::Day,
        Precision::Minute,
        Precision::Second,
    ];
    inverse(date);
    for precision in precisions.into_iter().chain(fractions) {
        let cut = date.with_precision(precision);
        inverse(cut);
        assert!(cut.precision() <= date.precision());
        if precision >= Precision::Minute {
            assert!(cut.start() <= date.start(), "{cut} and {date}");
        }
        let back = cut.with_precision(date.precision());
        assert_eq!(cut, back);
    }
}

fn made(choices: &mut Choices<'_>) {
    let number = f32::from_bits(u32::from_le_bytes(choices.array()));
    if let Ok(priority) = Priority::new(number) {
        inverse(priority);
    }
    if let Ok(rating) = Rating::new(number) {
        inverse(rating);
    }
    let days = i32::from_le_bytes(choices.array());
    if let Some(date) = NaiveDate::from_num_days_from_ce_opt(days % 4_000_000) {
        let value = W3cDatetime::from(date);
        let _ = (value.to_string(), value.start());
        if (1..=9999).contains(&date.year()) {
            cut_dates(value);
        }
    }
    let seconds = i64::from_le_bytes(choices.array()) % 300_000_000_000;
    let nanos = u32::from_le_bytes(choices.array()) % 2_000_000_000;
    let offset = i32::from_le_bytes(choices.array()) % 86_400;
    let offset = FixedOffset::east_opt(if choices.one_in(4) {
        offset
    } else {
        offset / 60 * 60
    });
    if let (Some(utc), Some(offset)) = (DateTime::from_timestamp(seconds, nanos), offset) {
        for date in [utc.fixed_offset(), utc.with_timezone(&offset)] {
            let value = W3cDatetime::from(date);
            let _ = value.to_string();
            if (2..=9998).contains(&utc.year()) {
                // The notation has no second 60.
                assert!(
                    nanos >= 1_000_000_000 || value.start() == date,
                    "{value} {date}"
                );
                // Other offsets cannot be read back.
                if date.offset().local_minus_utc().abs() <= 14 * 3_600 {
                    cut_dates(value);
                }
            }
        }
    }
}

/// Escaped, so that any text reaches the values.
fn through_the_reader(text: &str) {
    // Characters that XML forbids are not a property of values.
    let text = text.replace(['\u{FFFE}', '\u{FFFF}'], "");
    let text = text.as_str();
    let escaped: String = text
        .chars()
        .filter(|c| !c.is_control())
        .map(|c| match c {
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '&' => "&amp;".to_owned(),
            _ => c.to_string(),
        })
        .collect();
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    let (loc, end) = ("<url><loc>https://example.com/</loc>", "</url></urlset>");
    let value = |name: &str| {
        let document = format!("<urlset xmlns=\"{NS}\">{loc}<{name}>{escaped}</{name}>{end}");
        read(&lenient(), document.as_bytes())
    };
    let page = |outcome: &Outcome| match outcome.entries()[..] {
        [Entry::Url(page)] => page.clone(),
        _ => panic!("{text}: {:?}", outcome.said),
    };
    let outcome = value("lastmod");
    let found = page(&outcome).lastmod;
    agree(
        text,
        found,
        &outcome,
        Rule::NonStandardDatetime,
        Rule::InvalidDatetime,
    );
    if let Some(date) = found {
        cut_dates(date);
    }
    let outcome = value("changefreq");
    let found = page(&outcome).changefreq;
    agree(
        text,
        found,
        &outcome,
        Rule::NonStandardChangefreq,
        Rule::InvalidChangefreq,
    );
    let outcome = value("priority");
    let found = page(&outcome).priority;
    agree(
        text,
        found,
        &outcome,
        Rule::NonStandardPriority,
        Rule::InvalidPriority,
    );

    let item = format!("<link>https://example.com/</link><pubDate>{escaped}</pubDate>");
    let feed = format!("<rss version=\"2.0\"><channel><item>{item}</item></channel></rss>");
    let outcome = read(&lenient(), feed.as_bytes());
    if let Some(date) = page(&outcome).lastmod {
        cut_dates(date);
    }
    let url = format!("<urlset xmlns=\"{NS}\"><url><loc>{escaped}</loc>{end}");
    let outcome = read(&lenient(), url.as_bytes());
    let made = UrlEntry::try_from(text);
    match (outcome.entries().first(), made) {
        (Some(found), Ok(made)) => assert_eq!(found.loc(), &made.loc, "{text}"),
        (None, Err(_)) => assert!(!outcome.issues().is_empty(), "{text}"),
        (Some(_), Err(violation)) if violation.rule() == Rule::UrlTooLong => {}
        (found, made) => panic!(
            "{text:?}: read {found:?}, made {made:?}, {:?}",
            outcome.said
        ),
    }
}

/// A text of the protocol's grammar is read without an issue; any other text is understood with an issue, or dropped.
fn agree<T: FromStr + PartialEq + Debug>(
    text: &str,
    found: Option<T>,
    outcome: &Outcome,
    understood: Rule,
    invalid: Rule,
) {
    let rules = outcome.rules();
    match (text.parse::<T>(), found) {
        (Ok(value), Some(found)) => {
            assert!(value == found && rules.is_empty(), "{text:?} {rules:?}")
        }
        (Err(_), Some(found)) => assert_eq!(rules, [understood], "{text:?} {found:?}"),
        (Err(_), None) if text.is_empty() => assert_eq!(rules, [Rule::EmptyElement]),
        (Err(_), None) => assert_eq!(rules, [invalid], "{text:?}"),
        (Ok(_), None) => panic!("{text:?} is lost: {rules:?}"),
    }
}
