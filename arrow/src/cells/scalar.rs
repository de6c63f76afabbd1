//! Flags, numbers and timestamps.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, TimestampMicrosecondBuilder,
};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use super::cell::{Cell, Strings};

/// The zone of all timestamps.
const ZONE: &str = "UTC";

macro_rules! scalar {
    ($(#[$doc:meta])* $name:ident($builder:ty) of $value:ty, $bytes:literal, $data_type:expr, $new:expr) => {
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
                self.0.append_option(value);
                $bytes
            }

            fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
                Ok(Arc::new(self.0.finish()))
            }
        }
    };
}

scalar!(
    /// Microseconds since 1970, UTC.
    Timestamp(TimestampMicrosecondBuilder) of i64, 8,
    DataType::Timestamp(TimeUnit::Microsecond, Some(ZONE.into())),
    TimestampMicrosecondBuilder::new().with_timezone(ZONE)
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
