use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{StringBuilder, StringViewBuilder};
use arrow_schema::{ArrowError, DataType};

use super::{Cell, Item, Strings};

/// Texts.
#[derive(Debug)]
pub(crate) enum Text {
    Utf8(StringBuilder),
    Views(StringViewBuilder),
}

impl Cell for Text {
    type Value<'a> = Option<&'a str>;

    fn new(strings: Strings) -> Self {
        match strings {
            Strings::Utf8 => Self::Utf8(StringBuilder::new()),
            Strings::Views => Self::Views(StringViewBuilder::new()),
        }
    }

    fn data_type(strings: Strings) -> DataType {
        match strings {
            Strings::Utf8 => DataType::Utf8,
            Strings::Views => DataType::Utf8View,
        }
    }

    #[inline]
    fn append(&mut self, value: Option<&str>) -> usize {
        match (self, value) {
            (Self::Utf8(texts), Some(text)) => texts.append_value(text),
            (Self::Utf8(texts), None) => texts.append_null(),
            (Self::Views(texts), Some(text)) => texts.append_value(text),
            (Self::Views(texts), None) => texts.append_null(),
        }
        // With its offset.
        4 + value.map_or(0, str::len)
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Utf8(texts) => Arc::new(texts.finish()),
            Self::Views(texts) => Arc::new(texts.finish()),
        })
    }
}

impl Item<Text> for String {
    fn append_to(&self, cell: &mut Text) -> usize {
        cell.append(Some(self))
    }
}
