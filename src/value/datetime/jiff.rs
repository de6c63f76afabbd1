//! Dates of jiff, with the feature `jiff`.

use ::jiff::civil::{Date, DateTime};
use ::jiff::tz::{Offset, TimeZone};
use ::jiff::{Timestamp, Zoned};

use super::W3cDatetime;
use crate::violation::Violation;

/// Has the precision [`Day`](crate::Precision::Day). Writers reject a year that is not 1 to 9999.
///
/// # Examples
///
/// ```
/// use jiff::civil;
/// use quick_sitemap::{UrlEntry, W3cDatetime};
///
/// let page = UrlEntry::try_from("https://example.com/")?.with_lastmod(civil::date(2024, 3, 4));
/// assert_eq!(page.lastmod.unwrap().to_string(), "2024-03-04");
/// assert_eq!(civil::Date::try_from(page.lastmod.unwrap())?, civil::date(2024, 3, 4));
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl From<Date> for W3cDatetime {
    fn from(date: Date) -> Self {
        Self::from_day(date.year().into(), date.month() as u8, date.day() as u8)
    }
}

/// The date and time are taken to be UTC, because W3C Datetime has no time without a zone.
/// A [`Zoned`] or a [`Timestamp`] needs no such assumption.
///
/// # Examples
///
/// ```
/// use jiff::civil;
/// use quick_sitemap::W3cDatetime;
///
/// let time = civil::date(2024, 3, 4).at(5, 6, 7, 0);
/// assert_eq!(W3cDatetime::from(time).to_string(), "2024-03-04T05:06:07Z");
/// ```
impl From<DateTime> for W3cDatetime {
    fn from(time: DateTime) -> Self {
        let since = time.duration_since(DateTime::from_parts(
            ::jiff::civil::date(1970, 1, 1),
            ::jiff::civil::Time::midnight(),
        ));
        Self::from_nanos(since.as_nanos(), None)
    }
}

/// Has seconds, or a fraction with as many digits as are needed, and is printed with `Z`.
/// Writers reject a year that is not 1 to 9999.
///
/// # Examples
///
/// ```
/// use jiff::Timestamp;
/// use quick_sitemap::W3cDatetime;
///
/// let time: Timestamp = "2024-03-04T05:06:07.5Z".parse().unwrap();
/// assert_eq!(W3cDatetime::from(time).to_string(), "2024-03-04T05:06:07.5Z");
/// ```
impl From<Timestamp> for W3cDatetime {
    fn from(time: Timestamp) -> Self {
        Self::from_nanos(time.as_nanosecond(), None)
    }
}

/// As from a [`Timestamp`], but printed with its offset: zero as `+00:00`. An offset with seconds, which W3C Datetime does
/// not have, becomes UTC (`Z`), as does one of a day or more. Writers reject an offset of more than 14 hours.
///
/// # Examples
///
/// ```
/// use jiff::Zoned;
/// use quick_sitemap::W3cDatetime;
///
/// let time: Zoned = "2024-03-04T05:06:07+01:00[+01:00]".parse().unwrap();
/// assert_eq!(W3cDatetime::from(&time).to_string(), "2024-03-04T05:06:07+01:00");
/// ```
impl From<&Zoned> for W3cDatetime {
    fn from(time: &Zoned) -> Self {
        let offset = time.offset().seconds();
        Self::from_nanos(time.timestamp().as_nanosecond(), Some(offset))
    }
}

/// As from a `&Zoned`.
impl From<Zoned> for W3cDatetime {
    fn from(time: Zoned) -> Self {
        Self::from(&time)
    }
}

/// Returns the day as it is written, regardless of its offset.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if there is no day, as in `2024-03`, or the year is beyond 9999.
///
/// # Examples
///
/// ```
/// use jiff::civil;
/// use quick_sitemap::W3cDatetime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(civil::Date::try_from(time)?, civil::date(2024, 3, 4));
///
/// let month: W3cDatetime = "2024-03".parse()?;
/// assert_eq!(civil::Date::try_from(month).unwrap_err().to_string(), "`2024-03` has no day");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for Date {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        let (year, month, day) = date.day_parts()?;
        i16::try_from(year)
            .ok()
            .and_then(|year| Self::new(year, month as i8, day as i8).ok())
            .ok_or_else(|| date.out_of_range())
    }
}

/// Returns the [start](W3cDatetime::start) of the period, in UTC.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if it is after jiff's last instant,
/// 9999-12-30T22:00:00Z.
///
/// # Examples
///
/// ```
/// use jiff::civil;
/// use quick_sitemap::W3cDatetime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(civil::DateTime::try_from(time)?, civil::date(2024, 3, 5).at(4, 30, 0, 0));
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for DateTime {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        Timestamp::try_from(date).map(|time| Offset::UTC.to_datetime(time))
    }
}

/// Returns the [start](W3cDatetime::start) of the period.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if it is after jiff's last instant,
/// 9999-12-30T22:00:00Z.
///
/// # Examples
///
/// ```
/// use jiff::Timestamp;
/// use quick_sitemap::W3cDatetime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(Timestamp::try_from(time)?.to_string(), "2024-03-05T04:30:00Z");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for Timestamp {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        Self::from_nanosecond(date.nanos()).map_err(|_| date.out_of_range())
    }
}

/// Returns the [start](W3cDatetime::start) of the period, with the offset that is written. A date without a time is taken
/// to be UTC.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if it is after jiff's last instant,
/// 9999-12-30T22:00:00Z.
///
/// # Examples
///
/// ```
/// use jiff::Zoned;
/// use quick_sitemap::W3cDatetime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(Zoned::try_from(time)?.to_string(), "2024-03-04T23:30:00-05:00[-05:00]");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for Zoned {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        let offset = Offset::from_seconds(date.seconds_east()).map_err(|_| date.out_of_range())?;
        let zone = TimeZone::fixed(offset);
        Timestamp::try_from(date).map(|time| time.to_zoned(zone))
    }
}
