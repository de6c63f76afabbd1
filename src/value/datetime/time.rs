//! Dates of the crate time, with the feature `time`.

use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, UtcDateTime, UtcOffset};

use super::W3cDatetime;
use crate::violation::Violation;

/// Has the precision [`Day`](crate::Precision::Day). Writers reject a year that is not 1 to 9999.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{UrlEntry, W3cDatetime};
/// use time::{Date, Month};
///
/// let date = Date::from_calendar_date(2024, Month::March, 4).unwrap();
/// let page = UrlEntry::try_from("https://example.com/")?.with_lastmod(date);
/// assert_eq!(page.lastmod.unwrap().to_string(), "2024-03-04");
/// assert_eq!(Date::try_from(page.lastmod.unwrap())?, date);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl From<Date> for W3cDatetime {
    fn from(date: Date) -> Self {
        Self::from_day(date.year(), date.month().into(), date.day())
    }
}

/// The date and time are taken to be UTC, because W3C Datetime has no time without a zone.
/// An [`OffsetDateTime`] needs no such assumption.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::{Date, Month};
///
/// let time = Date::from_calendar_date(2024, Month::March, 4).unwrap().with_hms(5, 6, 7).unwrap();
/// assert_eq!(W3cDatetime::from(time).to_string(), "2024-03-04T05:06:07Z");
/// ```
impl From<PrimitiveDateTime> for W3cDatetime {
    fn from(time: PrimitiveDateTime) -> Self {
        Self::from(time.as_utc())
    }
}

/// Has seconds, or a fraction with as many digits as are needed, and is printed with `Z`.
/// Writers reject a year that is not 1 to 9999.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::UtcDateTime;
///
/// let time = UtcDateTime::from_unix_timestamp(1_709_528_767).unwrap();
/// assert_eq!(W3cDatetime::from(time).to_string(), "2024-03-04T05:06:07Z");
/// ```
impl From<UtcDateTime> for W3cDatetime {
    fn from(time: UtcDateTime) -> Self {
        Self::from_nanos(time.unix_timestamp_nanos(), None)
    }
}

/// As from a [`UtcDateTime`], but printed with its offset: zero as `+00:00`. An offset with seconds, which W3C Datetime
/// does not have, becomes UTC (`Z`), as does one of a day or more. Writers reject an offset of more than 14 hours.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::{OffsetDateTime, UtcOffset};
///
/// let time = OffsetDateTime::from_unix_timestamp(1_709_528_767).unwrap();
/// let time = time.to_offset(UtcOffset::from_hms(1, 0, 0).unwrap());
/// assert_eq!(W3cDatetime::from(time).to_string(), "2024-03-04T06:06:07+01:00");
/// ```
impl From<OffsetDateTime> for W3cDatetime {
    fn from(time: OffsetDateTime) -> Self {
        Self::from_nanos(
            time.unix_timestamp_nanos(),
            Some(time.offset().whole_seconds()),
        )
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
/// use quick_sitemap::W3cDatetime;
/// use time::Date;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(Date::try_from(time)?.to_calendar_date(), (2024, time::Month::March, 4));
///
/// let month: W3cDatetime = "2024-03".parse()?;
/// assert_eq!(Date::try_from(month).unwrap_err().to_string(), "`2024-03` has no day");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for Date {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        let (year, month, day) = date.day_parts()?;
        Month::try_from(month)
            .and_then(|month| Self::from_calendar_date(year, month, day))
            .map_err(|_| date.out_of_range())
    }
}

/// Returns the [start](W3cDatetime::start) of the period, in UTC.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if the year is beyond 9999.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::PrimitiveDateTime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(PrimitiveDateTime::try_from(time)?.to_string(), "2024-03-05 4:30:00.0");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for PrimitiveDateTime {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        UtcDateTime::try_from(date).map(|time| Self::new(time.date(), time.time()))
    }
}

/// Returns the [start](W3cDatetime::start) of the period.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if the year is beyond 9999.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::UtcDateTime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(UtcDateTime::try_from(time)?.unix_timestamp(), 1_709_613_000);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for UtcDateTime {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        Self::from_unix_timestamp_nanos(date.nanos()).map_err(|_| date.out_of_range())
    }
}

/// Returns the [start](W3cDatetime::start) of the period, with the offset that is written. A date without a time is taken
/// to be UTC.
///
/// # Errors
///
/// [`InvalidDatetime`](crate::Rule::InvalidDatetime) if the year is beyond 9999.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use time::OffsetDateTime;
///
/// let time: W3cDatetime = "2024-03-04T23:30-05:00".parse()?;
/// assert_eq!(OffsetDateTime::try_from(time)?.to_string(), "2024-03-04 23:30:00.0 -05:00:00");
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
impl TryFrom<W3cDatetime> for OffsetDateTime {
    type Error = Violation;

    fn try_from(date: W3cDatetime) -> Result<Self, Violation> {
        let offset = UtcOffset::from_whole_seconds(date.seconds_east());
        let time = Self::from_unix_timestamp_nanos(date.nanos());
        time.ok()
            .zip(offset.ok())
            .and_then(|(time, offset)| time.checked_to_offset(offset))
            .ok_or_else(|| date.out_of_range())
    }
}
