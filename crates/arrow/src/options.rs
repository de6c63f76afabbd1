//! The options of a decoder, with their defaults.

use quick_sitemap::ReaderBuilder;

use crate::cells::Strings;
use crate::columns::Column;

/// How two kinds of errors are returned: an error that ends a file, and the error that a file has no entries.
///
/// The enum can be matched without a wildcard, because no members will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fatal {
    /// A row with [`Column::Error`], after the rows that could be read. This is the default, so that one HTML page does
    /// not end a job with a million files. If the column is not selected, all columns of the row are null.
    #[default]
    Row,
    /// An `Err`, after the rows that could be read. A feed without items has a row all the same, because it is not a mistake.
    Raise,
}

/// The options of a decoder.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) columns: Vec<Column>,
    /// The name of [`Column::Source`].
    pub(crate) source_column: Box<str>,
    pub(crate) strings: Strings,
    pub(crate) batch_rows: usize,
    pub(crate) batch_bytes: usize,
    pub(crate) fatal: Fatal,
    pub(crate) reader: Option<ReaderBuilder>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            columns: Column::DEFAULT.to_vec(),
            source_column: Column::Source.name().into(),
            strings: Strings::default(),
            batch_rows: 8192,
            batch_bytes: 16 << 20,
            fatal: Fatal::Row,
            reader: None,
        }
    }
}
