//! What the dates of other crates have in common: points in time as nanoseconds, and days as numbers.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};

use super::W3cDatetime;
use crate::violation::{Rule, Violation, case};

const NANOS: i128 = 1_000_000_000;

impl W3cDatetime {
    /// A point in time, in nanoseconds since 1970, and its offset in seconds east of UTC. One that chrono does not have
    /// becomes the nearest that it has.
    pub(super) fn from_nanos(nanos: i128, offset: Option<i32>) -> Self {
        let seconds = i64::try_from(nanos.div_euclid(NANOS)).ok();
        let time =
            seconds.and_then(|s| DateTime::from_timestamp(s, nanos.rem_euclid(NANOS) as u32));
        let nearest = match nanos < 0 {
            true => DateTime::<Utc>::MIN_UTC,
            false => DateTime::<Utc>::MAX_UTC,
        };
        let time = time.unwrap_or(nearest);
        match offset.and_then(FixedOffset::east_opt) {
            Some(offset) => time.with_timezone(&offset).into(),
            None => time.into(),
        }
    }

    /// A day of the Gregorian calendar. One that chrono does not have becomes the nearest that it has.
    pub(super) fn from_day(year: i32, month: u8, day: u8) -> Self {
        let date = NaiveDate::from_ymd_opt(year, month.into(), day.into());
        let nearest = match year < 0 {
            true => NaiveDate::MIN,
            false => NaiveDate::MAX,
        };
        date.unwrap_or(nearest).into()
    }

    /// The start, in nanoseconds since 1970.
    pub(super) fn nanos(self) -> i128 {
        let start = self.start();
        i128::from(start.timestamp()) * NANOS + i128::from(start.timestamp_subsec_nanos())
    }

    /// The offset that is written, in seconds east of UTC; 0 for a date without a time.
    pub(super) fn seconds_east(self) -> i32 {
        i32::from(self.minutes_east()) * 60
    }

    /// The day that is written.
    pub(super) fn day_parts(self) -> Result<(i32, u8, u8), Violation> {
        match self.day() {
            Some(_) => Ok((self.year, self.month, self.day)),
            None => {
                let text = self.to_string();
                Err(Violation::with_detail(
                    Rule::InvalidDatetime,
                    &text,
                    case::NO_DAY,
                ))
            }
        }
    }

    /// Why another crate cannot hold it.
    pub(super) fn out_of_range(self) -> Violation {
        Violation::with_detail(Rule::InvalidDatetime, &self.to_string(), case::OUT_OF_RANGE)
    }
}
