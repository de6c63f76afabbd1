//! Numbers that only the last row of a file has.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::Int64Builder;
use arrow_schema::{ArrowError, DataType};

use super::cell::{Cell, Strings};

/// Numbers that only the last row of a file has; they are null in all other rows.
#[derive(Debug)]
pub(crate) struct Last {
    numbers: Int64Builder,
    /// The number of rows that are not in `numbers` yet. They are null, but the last of them can still get a number.
    rows: usize,
}

impl Last {
    /// Sets the number of the latest row. Does nothing if that row is in an earlier array.
    pub(crate) fn set(&mut self, number: i64) {
        if let Some(before) = self.rows.checked_sub(1) {
            self.numbers.append_nulls(before);
            self.numbers.append_value(number);
            self.rows = 0;
        }
    }
}

impl Cell for Last {
    type Value<'a> = ();

    fn new(_: Strings) -> Self {
        Self {
            numbers: Int64Builder::new(),
            rows: 0,
        }
    }

    fn data_type(_: Strings) -> DataType {
        DataType::Int64
    }

    /// Does nothing, because `end_run` counts the rows.
    #[inline]
    fn append(&mut self, (): ()) -> usize {
        0
    }

    fn begin_run(&mut self, (): ()) -> usize {
        8
    }

    fn end_run(&mut self, rows: usize) {
        self.rows += rows;
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.numbers.append_nulls(std::mem::take(&mut self.rows));
        Ok(Arc::new(self.numbers.finish()))
    }
}
