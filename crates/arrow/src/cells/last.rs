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
    /// The latest rows: null, unless the last of them gets a number.
    rows: usize,
}

impl Last {
    /// The number of the latest row, if that is in this array.
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

    /// Rows are counted by the run.
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
