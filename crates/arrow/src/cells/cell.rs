//! [`Cell`]: a growing array of one type.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

/// The layout of text in arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Strings {
    #[default]
    Utf8,
    Views,
}

/// A growing array of one type.
pub(crate) trait Cell {
    /// The value that is appended; `None` or `()` if there is none.
    type Value<'a>;

    fn new(strings: Strings) -> Self;

    fn data_type(strings: Strings) -> DataType;

    /// Takes the value of the next row, and returns about how many bytes it needs.
    fn append(&mut self, value: Self::Value<'_>) -> usize;

    /// Takes the value of all rows until [`end_run`](Self::end_run), and returns about how many bytes it needs per row.
    /// Most cells take their value from each row, and ignore runs.
    fn begin_run(&mut self, _: Self::Value<'_>) -> usize {
        0
    }

    /// Ends a run of this many rows.
    fn end_run(&mut self, _rows: usize) {}

    /// Returns what was appended since the last time.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError>;
}

/// An item of a list of `C`.
pub(crate) trait Item<C> {
    fn append_to(&self, cell: &mut C) -> usize;
}

/// A nullable field, as all are.
pub(crate) fn field(name: &str, data_type: DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type, true))
}
