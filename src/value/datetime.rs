//! `<lastmod>`, and the dates of extensions.

mod rfc2822;
mod salvage;
mod scan;
#[cfg(feature = "serde")]
mod serialize;
mod w3c;

use std::cmp::Ordering;
use std::time::SystemTime;

use chrono::{
    DateTime, Datelike, FixedOffset, Months, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone,
    Timelike, Utc,
};

use crate::violation::{Rule, Violation, case};

/// A date or a point in time in the format of W3C NOTE-datetime: the `<lastmod>` of the Sitemap Protocol 0.9.
///
/// It is printed exactly as it was written. It keeps the [precision](Self::precision), every digit of the fraction (up
/// to nine), the offset, and whether UTC was written as `Z`, `+00:00` or `-00:00`. Missing parts are not invented. For
/// arithmetic, use the [start](Self::start) of the period.
///
/// Values are ordered by [`start`](Self::start), then from coarse to fine, then by offset. So two notations of one
/// instant are adjacent but not equal; compare the starts to compare instants. `2024-03` is less than `2024-03-01`,
/// although it may mean a later day. To find what may have changed since a point in time, use
/// [`may_be_since`](Self::may_be_since).
///
/// Parsing accepts only the six forms of the NOTE: `2024`, `2024-03`, `2024-03-04`, `2024-03-04T05:06Z`,
/// `2024-03-04T05:06:07Z`, `2024-03-04T05:06:07.089+01:00`. (The schema of the protocol does not allow the first,
/// second and fourth form.) A [`Reader`](crate::Reader) also understands other forms and reports them as
/// [`Rule::NonStandardDatetime`](crate::Rule::NonStandardDatetime).
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Precision, W3cDatetime};
///
/// let month: W3cDatetime = "2024-05".parse()?;
/// assert_eq!(month.precision(), Precision::Month);
/// assert_eq!(month.to_string(), "2024-05");
/// assert_eq!(month.start().to_rfc3339(), "2024-05-01T00:00:00+00:00");
///
/// let (zulu, zero): (W3cDatetime, W3cDatetime) = ("2024-05-06T07:08Z".parse()?, "2024-05-06T07:08+00:00".parse()?);
/// assert_eq!(zulu.start(), zero.start());
/// assert_ne!(zulu, zero);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct W3cDatetime {
    // The written (local) parts; those that are missing are the first of their period.
    year: i32,
    nanos: u32,
    /// Minutes east of UTC, or one of `ZULU` and `MINUS_ZERO`; `ZULU` in a date without a time.
    zone: i16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    level: Level,
}

const _: () = assert!(size_of::<W3cDatetime>() <= 16);

/// A [`Precision`] in one byte.
type Level = u8;
const YEAR: Level = 0;
const MONTH: Level = 1;
const DAY: Level = 2;
const MINUTE: Level = 3;
/// `SECOND + n` has n digits of a fraction.
const SECOND: Level = 4;

/// `Z`.
const ZULU: i16 = i16::MAX;
/// `-00:00`.
const MINUS_ZERO: i16 = i16::MIN;

/// The largest offset that the XSD's `dateTime` allows, in minutes.
const XSD_OFFSET: i16 = 14 * 60;
/// 1970-01-01 in days since 0000-12-31, from which chrono counts.
const FIRST_DAY: i32 = 719_163;

/// The parts that a [`W3cDatetime`] has: one of the six forms of W3C NOTE-datetime.
///
/// Ordered from coarse to fine. The enum can be matched without a wildcard, because the NOTE has no other forms.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Precision, W3cDatetime};
///
/// let date: W3cDatetime = "2024-03-04T05:06:07.800Z".parse()?;
/// assert_eq!(date.precision(), Precision::Fraction(3));
/// assert!(Precision::Day < Precision::Second && Precision::Second < date.precision());
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Precision {
    /// `2024`
    Year,
    /// `2024-03`
    Month,
    /// `2024-03-04`
    Day,
    /// `2024-03-04T05:06Z`
    Minute,
    /// `2024-03-04T05:06:07Z`
    Second,
    /// `2024-03-04T05:06:07.089Z`, with the number of digits in the fraction of a second, from 1 to 9.
    Fraction(u8),
}

impl W3cDatetime {
    /// Returns the first instant of the period. For `2024-05` it is `2024-05-01T00:00:00`.
    ///
    /// The instant has the offset that was written. A date without a time is treated as UTC.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::W3cDatetime;
    ///
    /// let date: W3cDatetime = "2024-03-04T05:06+01:00".parse()?;
    /// assert_eq!(date.start().to_rfc3339(), "2024-03-04T05:06:00+01:00");
    /// assert_eq!(date.start().timestamp(), 1_709_525_160);
    /// assert_eq!(date.start().to_utc().to_rfc3339(), "2024-03-04T04:06:00+00:00");
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    #[doc(alias = "to_utc")]
    #[doc(alias = "to_chrono")]
    pub fn start(self) -> DateTime<FixedOffset> {
        let utc = DateTime::from_timestamp(self.timestamp(), self.nanos);
        // Not needed: every date was one of chrono's, or has four digits of a year.
        let utc = utc.unwrap_or(DateTime::UNIX_EPOCH);
        let offset = FixedOffset::east_opt(i32::from(self.minutes_east()) * 60);
        utc.with_timezone(&offset.unwrap_or_else(|| Utc.fix()))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    fn timestamp(self) -> i64 {
        // There is such a day: every date was one of chrono's, or is in the calendar.
        let day = self.day_in_calendar();
        let days = day.map_or(0, |day| day.num_days_from_ce() - FIRST_DAY);
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute);
        let minutes = i64::from(days) * 24 * 60 + minutes - i64::from(self.minutes_east());
        minutes * 60 + i64::from(self.second)
    }

    /// Returns the [`start`](Self::start) in microseconds since 1970-01-01T00:00:00Z, the unit of many databases.
    /// Smaller parts of a second are truncated, towards the past.
    ///
    /// The result equals `start().timestamp_micros()`.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::W3cDatetime;
    ///
    /// let date: W3cDatetime = "2024-03-04T05:06+01:00".parse()?;
    /// assert_eq!(date.timestamp_micros(), 1_709_525_160_000_000);
    /// assert_eq!("1970-01".parse::<W3cDatetime>()?.timestamp_micros(), 0);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn timestamp_micros(self) -> i64 {
        self.timestamp() * 1_000_000 + i64::from(self.nanos / 1000)
    }

    /// Returns which parts the date has.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Precision, W3cDatetime};
    ///
    /// assert_eq!("2024".parse::<W3cDatetime>()?.precision(), Precision::Year);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub const fn precision(self) -> Precision {
        match self.level {
            YEAR => Precision::Year,
            MONTH => Precision::Month,
            DAY => Precision::Day,
            MINUTE => Precision::Minute,
            SECOND => Precision::Second,
            level => Precision::Fraction(level - SECOND),
        }
    }

    /// Returns the year.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::W3cDatetime;
    ///
    /// let month: W3cDatetime = "2024-03".parse()?;
    /// assert_eq!((month.year(), month.month(), month.day()), (2024, Some(3), None));
    ///
    /// // The day as it is written, and the offset.
    /// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
    /// assert_eq!(time.start().date_naive().to_string(), "2024-03-04");
    /// assert_eq!(time.start().offset().to_string(), "-05:00");
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub const fn year(self) -> i32 {
        self.year
    }

    /// Returns the month, starting at 1, or `None` if there is only a year.
    #[must_use]
    pub fn month(self) -> Option<u32> {
        (self.level >= MONTH).then(|| self.month.into())
    }

    /// Returns the day of the month, starting at 1, or `None` if there is none.
    #[must_use]
    pub fn day(self) -> Option<u32> {
        (self.level >= DAY).then(|| self.day.into())
    }

    fn day_in_calendar(self) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(self.year, self.month.into(), self.day.into())
    }

    /// Returns `true` if any instant of the period can be at or after `since`, so that a page with this date may have
    /// changed since then.
    ///
    /// A date is a period: `2024-05` lasts until the end of May, `2024-05-06T07:08Z` lasts a minute. A date without a
    /// time is treated as UTC, as by [`start`](Self::start).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::W3cDatetime;
    /// use quick_sitemap::chrono::{DateTime, Utc};
    ///
    /// let since: DateTime<Utc> = "2024-05-20T12:00:00Z".parse().unwrap();
    /// let may_be = |date: &str| date.parse::<W3cDatetime>().unwrap().may_be_since(since);
    /// assert!(may_be("2024") && may_be("2024-05") && may_be("2024-05-20") && may_be("2024-05-20T14:00+02:00"));
    /// assert!(!may_be("2023") && !may_be("2024-04") && !may_be("2024-05-19") && !may_be("2024-05-20T13:59+02:00"));
    /// ```
    #[must_use]
    pub fn may_be_since<Z: TimeZone>(self, since: DateTime<Z>) -> bool {
        // A period that chrono can't hold the end of lasts for ever.
        self.end().is_none_or(|end| end > since)
    }

    /// The first instant after the period.
    fn end(self) -> Option<DateTime<FixedOffset>> {
        let start = self.start();
        match self.level {
            YEAR => start.checked_add_months(Months::new(12)),
            MONTH => start.checked_add_months(Months::new(1)),
            DAY => start.checked_add_signed(TimeDelta::days(1)),
            MINUTE => start.checked_add_signed(TimeDelta::minutes(1)),
            level => {
                let digits = u32::from(level - SECOND).min(9);
                let nanos = TimeDelta::nanoseconds(10_i64.pow(9 - digits));
                start.checked_add_signed(nanos)
            }
        }
    }

    /// Returns the same date with fewer parts. Finer parts are truncated, never rounded.
    ///
    /// Missing parts are not invented: a finer precision than that of the date changes nothing. If the date is
    /// truncated to a day or to a coarser precision, it keeps the day that was written, regardless of its offset. So
    /// its [`start`](Self::start) can move forward, to UTC midnight. A fraction of 0 digits is treated as
    /// [`Precision::Second`], and one of more than 9 as one of 9.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Precision, W3cDatetime};
    ///
    /// let date: W3cDatetime = "2024-03-04T00:30:00.789012+01:00".parse()?;
    /// let milliseconds = Precision::Fraction(3);
    /// assert_eq!(date.with_precision(milliseconds).to_string(), "2024-03-04T00:30:00.789+01:00");
    /// assert_eq!(date.with_precision(Precision::Minute).to_string(), "2024-03-04T00:30+01:00");
    /// let day = date.with_precision(Precision::Day);
    /// assert_eq!(day.to_string(), "2024-03-04");
    /// assert_eq!(day.with_precision(Precision::Second), day);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub const fn with_precision(mut self, precision: Precision) -> Self {
        let level = match precision {
            Precision::Year => YEAR,
            Precision::Month => MONTH,
            Precision::Day => DAY,
            Precision::Minute => MINUTE,
            Precision::Second => SECOND,
            Precision::Fraction(digits @ ..=9) => SECOND + digits,
            Precision::Fraction(_) => SECOND + 9,
        };
        if level >= self.level {
            return self;
        }
        self.level = level;
        if level < MONTH {
            self.month = 1;
        }
        if level < DAY {
            self.day = 1;
        }
        if level < MINUTE {
            (self.hour, self.minute, self.zone) = (0, 0, ZULU);
        }
        if level < SECOND {
            self.second = 0;
        }
        self.nanos = match level {
            0..=SECOND => 0,
            _ => {
                self.nanos - self.nanos % 10_u32.pow(9_u32.saturating_sub((level - SECOND) as u32))
            }
        };
        self
    }

    /// Returns `true` if the notation and the XSD can express it: a year of 1 to 9999, an offset within 14 hours.
    pub(crate) const fn is_writable(self) -> bool {
        matches!(self.year, 1..=9999) && self.minutes_east().abs() <= XSD_OFFSET
    }

    /// Minutes east of UTC.
    const fn minutes_east(self) -> i16 {
        match self.zone {
            ZULU | MINUS_ZERO => 0,
            minutes => minutes,
        }
    }

    /// The start of a day, if the calendar and the four digits of a year have it.
    #[inline]
    fn on(year: i32, month: u8, day: u8) -> Option<Self> {
        let in_calendar = match day {
            1..=28 => matches!(month, 1..=12),
            _ => NaiveDate::from_ymd_opt(year, month.into(), day.into()).is_some(),
        };
        if !in_calendar || !(1..=9999).contains(&year) {
            return None;
        }
        Some(Self {
            year,
            nanos: 0,
            zone: ZULU,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
            level: DAY,
        })
    }

    fn at(self, hour: u8, minute: u8) -> Option<Self> {
        (hour < 24 && minute < 60).then_some(Self {
            hour,
            minute,
            level: MINUTE,
            ..self
        })
    }

    /// Any date of chrono's.
    fn from_naive(local: NaiveDateTime, zone: i16, level: Level) -> Self {
        Self {
            year: local.year(),
            nanos: local.nanosecond(),
            zone,
            month: local.month() as u8,
            day: local.day() as u8,
            hour: local.hour() as u8,
            minute: local.minute() as u8,
            second: local.second() as u8,
            level,
        }
    }

    /// Uses the number of digits that the fraction needs. A leap second cannot be written: it becomes the second that
    /// it prolongs.
    fn from_time(local: NaiveDateTime, zone: i16) -> Self {
        let mut time = Self::from_naive(local, zone, SECOND);
        if time.nanos >= 1_000_000_000 {
            time.nanos = 0;
        }
        if time.nanos != 0 {
            time.level = SECOND + 9;
            let mut rest = time.nanos;
            while rest.is_multiple_of(10) {
                rest /= 10;
                time.level -= 1;
            }
        }
        time
    }
}

/// Converts with [`Precision::Day`]. A year outside 1 to 9999 is kept, but writers reject it.
impl From<NaiveDate> for W3cDatetime {
    fn from(date: NaiveDate) -> Self {
        Self::from_naive(date.into(), ZULU, DAY)
    }
}

/// Converts with [`Precision::Second`], or with as many digits of a fraction as needed; printed with `Z`.
///
/// The format has no leap seconds: `23:59:60.5` becomes `23:59:59`. A year outside 1 to 9999 is kept, but writers
/// reject it.
impl From<DateTime<Utc>> for W3cDatetime {
    fn from(time: DateTime<Utc>) -> Self {
        Self::from_time(time.naive_utc(), ZULU)
    }
}

/// Converts like a `DateTime<Utc>`, but is printed with its offset; zero is printed as `+00:00`.
///
/// An offset with seconds, which the format does not have, becomes UTC (`Z`). Writers reject an offset of more than 14
/// hours, which the schema of the protocol does not allow.
impl From<DateTime<FixedOffset>> for W3cDatetime {
    fn from(time: DateTime<FixedOffset>) -> Self {
        let offset = *time.offset();
        let seconds = offset.local_minus_utc();
        // Not `naive_local`, which panics at the edge of chrono's range.
        match time.naive_utc().checked_add_offset(offset) {
            Some(local) if seconds % 60 == 0 => Self::from_time(local, (seconds / 60) as i16),
            _ => Self::from_time(time.naive_utc(), ZULU),
        }
    }
}

/// Converts with [`Precision::Second`]; printed with `Z`. The fraction of a second is truncated, towards the past. Use
/// this to convert the time of the last change of a file, [`Metadata::modified`](std::fs::Metadata::modified), into a
/// `lastmod`.
///
/// A year outside 1 to 9999 is kept, but writers reject it. (A year more than 262,000 years from now becomes the
/// nearest representable year.)
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use quick_sitemap::W3cDatetime;
///
/// let changed = SystemTime::UNIX_EPOCH + Duration::from_millis(1_709_528_767_890);
/// assert_eq!(W3cDatetime::from(changed).to_string(), "2024-03-04T05:06:07Z");
/// ```
impl From<SystemTime> for W3cDatetime {
    fn from(time: SystemTime) -> Self {
        let seconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => i128::from(after.as_secs()),
            // Truncated towards the past, as after 1970.
            Err(before) => {
                let before = before.duration();
                -i128::from(before.as_secs()) - i128::from(before.subsec_nanos() > 0)
            }
        };
        let (first, last) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
        let seconds = seconds.clamp(first.timestamp().into(), last.timestamp().into());
        let time = DateTime::from_timestamp(seconds as i64, 0);
        Self::from(time.unwrap_or(DateTime::UNIX_EPOCH))
    }
}

/// The [`start`](W3cDatetime::start). Other crates for dates, such as jiff and time, convert from and to `SystemTime` too.
///
/// # Errors
///
/// [`InvalidDatetime`](Rule::InvalidDatetime) if the system has no such time.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use quick_sitemap::W3cDatetime;
///
/// let date: W3cDatetime = "2024-03-04T06:06:07.5+01:00".parse()?;
/// let since = SystemTime::try_from(date)?.duration_since(SystemTime::UNIX_EPOCH).unwrap();
/// assert_eq!(since, Duration::from_millis(1_709_528_767_500));
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for SystemTime {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        let since = date.start().to_utc() - DateTime::UNIX_EPOCH;
        let distance = since.abs().to_std().ok();
        let time = distance.and_then(|distance| {
            if since < TimeDelta::zero() {
                Self::UNIX_EPOCH.checked_sub(distance)
            } else {
                Self::UNIX_EPOCH.checked_add(distance)
            }
        });
        time.ok_or_else(|| {
            Violation::with_detail(Rule::InvalidDatetime, &date.to_string(), case::OUT_OF_RANGE)
        })
    }
}

impl Ord for W3cDatetime {
    fn cmp(&self, other: &Self) -> Ordering {
        // Equal means equal fields, so the order of the zones comes last: it distinguishes the three forms of zero.
        let last = |date: &Self| (date.nanos, date.level, date.minutes_east(), date.zone);
        let day = |date: &Self| (date.year, date.month, date.day);
        let time = |date: &Self| (date.hour, date.minute, date.second);
        let start = if self.minutes_east() == other.minutes_east() {
            // In one zone, what is written has the order of the instants.
            (day(self), time(self)).cmp(&(day(other), time(other)))
        } else {
            self.timestamp().cmp(&other.timestamp())
        };
        start.then_with(|| last(self).cmp(&last(other)))
    }
}

impl PartialOrd for W3cDatetime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use chrono::NaiveTime;

    use super::*;

    #[test]
    fn no_other_character_is_a_digit_or_a_separator() {
        let form = b"2024-03-04T05:06:07Z";
        for (at, own) in form.iter().enumerate() {
            for c in 0..=255 {
                let mut text = form.to_vec();
                text[at] = c;
                let read = W3cDatetime::parse(&text);
                let may_be = c == *own || own.is_ascii_digit() && c.is_ascii_digit();
                assert!(may_be || read.is_none(), "{c} at {at}");
                assert!(read.is_some() || c != *own);
                if let Some(date) = read {
                    assert_eq!(date.to_string().as_bytes(), text);
                }
            }
        }
    }

    #[test]
    fn a_timestamp_is_that_of_the_start() {
        let check = |date: W3cDatetime, start: DateTime<FixedOffset>| {
            assert_eq!(date.timestamp_micros(), start.timestamp_micros(), "{date}");
            assert_eq!(
                (date.start(), date.start().offset()),
                (start, start.offset())
            );
        };
        let check_day = |date: NaiveDate| {
            let start = date.and_time(NaiveTime::MIN).and_utc();
            check(date.into(), start.fixed_offset());
        };
        let mut day = NaiveDate::from_ymd_opt(-401, 1, 1);
        while let Some(date) = day.filter(|date| date.year() < 10_000) {
            check_day(date);
            day = date.succ_opt();
        }
        for day in [NaiveDate::MIN, NaiveDate::MAX] {
            check_day(day);
        }
        for edge in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
            check(edge.into(), edge.fixed_offset());
        }
        for (text, start) in [
            ("2024", "2024-01-01T00:00:00Z"),
            ("2024-03", "2024-03-01T00:00:00Z"),
            ("2024-03-04T05:06Z", "2024-03-04T05:06:00Z"),
            ("2024-03-04T05:06+01:00", "2024-03-04T05:06:00+01:00"),
        ] {
            check(text.parse().unwrap(), start.parse().unwrap());
        }
        for text in [
            "2024-03-04T05:06:07Z",
            "2024-03-04T05:06:07+01:30",
            "2024-03-04T05:06:07-11:45",
            "2024-03-04T05:06:07-00:00",
            "2024-03-04T05:06:07.089+01:00",
            "2024-03-04T05:06:07.123456789Z",
            "1969-12-31T23:59:59Z",
            "1969-12-31T23:59:59.5Z",
            "0001-01-01T00:00:00+14:00",
            "9999-12-31T23:59:59-14:00",
        ] {
            check(text.parse().unwrap(), text.parse().unwrap());
        }
    }

    #[test]
    fn only_the_schemas_years_and_offsets_are_writable() {
        for text in [
            "0001",
            "9999-12-31",
            "2024-03-04T05:06-14:00",
            "2024-03-04T05:06+14:00",
            "2024-03-04T05:06-00:00",
        ] {
            assert!(text.parse::<W3cDatetime>().unwrap().is_writable(), "{text}");
        }
        for text in ["2024-03-04T05:06:07-14:01", "2024-03-04T05:06:07+23:59"] {
            assert!(text.parse::<W3cDatetime>().is_err(), "{text}");
            let date = W3cDatetime::from(DateTime::parse_from_rfc3339(text).unwrap());
            assert!(!date.is_writable(), "{text}");
            assert!(date.with_precision(Precision::Day).is_writable(), "{text}");
        }
        for year in [NaiveDate::MIN.year(), -1, 0, 10_000, NaiveDate::MAX.year()] {
            let date = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
            assert!(!W3cDatetime::from(date).is_writable(), "{year}");
        }
    }
}
