//! Flags, numbers and timestamps.

use std::ops::RangeInclusive;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, TimestampMicrosecondBuilder,
};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use super::cell::{Cell, Strings};

/// The zone of all timestamps.
const ZONE: &str = "UTC";

/// The years 1 to 9999, in microseconds since 1970. Spark and Python support no others. Without this bound, a single
/// `9999-12-31T23:59:59-14:00`, which is in the year 10000 in UTC, would make the complete table fail.
const YEARS: RangeInclusive<i64> = -62_135_596_800_000_000..=253_402_300_799_999_999;

macro_rules! scalar {
    ($(#[$doc:meta])* $name:ident($builder:ty) of $value:ty, $bytes:literal, $data_type:expr, $new:expr) => {
        scalar!($(#[$doc])* $name($builder) of $value, $bytes, $data_type, $new, |value| value);
    };
    ($(#[$doc:meta])* $name:ident($builder:ty) of $value:ty, $bytes:literal, $data_type:expr, $new:expr, $keep:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name($builder);

        impl Cell for $name {
            type Value<'a> = Option<$value>;

            fn new(_: Strings) -> Self {
                Self($new)
            }

            fn data_type(_: Strings) -> DataType {
                $data_type
            }

            #[inline]
            fn append(&mut self, value: Option<$value>) -> usize {
                let keep: fn(Option<$value>) -> Option<$value> = $keep;
                self.0.append_option(keep(value));
                $bytes
            }

            fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
                Ok(Arc::new(self.0.finish()))
            }
        }
    };
}

scalar!(
    /// Microseconds since 1970, UTC. Null outside [`YEARS`].
    Timestamp(TimestampMicrosecondBuilder) of i64, 8,
    DataType::Timestamp(TimeUnit::Microsecond, Some(ZONE.into())),
    TimestampMicrosecondBuilder::new().with_timezone(ZONE),
    |micros| micros.filter(|micros| YEARS.contains(micros))
);

scalar!(
    /// Signed, because Spark has no others.
    Integer(Int64Builder) of i64, 8, DataType::Int64, Int64Builder::new()
);

scalar!(
    Number(Float64Builder) of f64, 8, DataType::Float64, Float64Builder::new()
);

scalar!(
    Flag(BooleanBuilder) of bool, 1, DataType::Boolean, BooleanBuilder::new()
);
