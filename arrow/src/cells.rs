//! What columns are built of: a cell takes one value after the other, and gives them as an array.

mod list;
mod record;
mod runs;
mod scalar;
mod text;

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

pub(crate) use self::list::{List, OpenList};
pub(crate) use self::record::record;
pub(crate) use self::runs::Runs;
pub(crate) use self::scalar::{Flag, Integer, Number, Timestamp};
pub(crate) use self::text::{OFFSET, Text};

/// How text is laid out in arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Strings {
    #[default]
    Utf8,
    Views,
}

/// A growing array of one type.
pub(crate) trait Cell {
    /// What is appended; its own absence included.
    type Value<'a>;

    fn new(strings: Strings) -> Self;

    fn data_type(strings: Strings) -> DataType;

    /// The bytes that it takes, about.
    fn append(&mut self, value: Self::Value<'_>) -> usize;

    /// What was appended since the last time.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError>;
}

/// What stands in a list of `C`.
pub(crate) trait Item<C> {
    fn append_to(&self, cell: &mut C) -> usize;
}

/// A nullable field, as all are.
pub(crate) fn field(name: &str, data_type: DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type, true))
}
