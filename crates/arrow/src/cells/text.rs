//! Texts, as `Utf8` or as views.

use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::cell::{Cell, Item, Strings};

/// Texts.
#[derive(Debug)]
pub(crate) enum Text {
    Utf8(Utf8),
    Views(StringViewBuilder),
}

impl Text {
    /// Appends the same text `count` times.
    pub(crate) fn append_many(&mut self, value: Option<&str>, count: usize) {
        match self {
            Self::Utf8(texts) => texts.append_many(value, count),
            Self::Views(texts) => (0..count).for_each(|_| texts.append_option(value)),
        }
    }
}

impl Cell for Text {
    type Value<'a> = Option<&'a str>;

    fn new(strings: Strings) -> Self {
        match strings {
            Strings::Utf8 => Self::Utf8(Utf8::new()),
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
        match self {
            Self::Utf8(texts) => texts.append(value),
            Self::Views(texts) => texts.append_option(value),
        }
        OFFSET + value.map_or(0, str::len)
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Utf8(texts) => Arc::new(texts.finish()?),
            Self::Views(texts) => Arc::new(texts.finish()),
        })
    }
}

/// An `i32` suffices, because `MOST_BYTES` in the builder limits the bytes of a batch.
#[inline]
fn offset(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// The bytes of the offset of a text.
pub(super) const OFFSET: usize = 4;

/// Texts one after the other. The builder of arrow-array needs twice the instructions per text, and can't repeat one. It
/// saves the check at the end that all of it is UTF-8, which costs less than that.
#[derive(Debug)]
pub(crate) struct Utf8 {
    bytes: Vec<u8>,
    /// Offsets at which the texts begin and end: one more than there are texts.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    /// Bytes and offsets to reserve for the next array.
    expected: (usize, usize),
}

impl Utf8 {
    fn new() -> Self {
        Self {
            bytes: Vec::new(),
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
            expected: (0, 0),
        }
    }

    #[inline]
    fn append(&mut self, value: Option<&str>) {
        match value {
            Some(text) => {
                if self.bytes.capacity() - self.bytes.len() < text.len() {
                    self.grow(text.len());
                }
                self.bytes.extend_from_slice(text.as_bytes());
                self.nulls.append_non_null();
            }
            None => self.nulls.append_null(),
        }
        self.offsets.push(offset(self.bytes.len()));
    }

    /// Memory is reserved with the first text, not when the previous array is finished: by then the previous batch may
    /// have been dropped, and the allocator can return its memory.
    #[cold]
    fn grow(&mut self, more: usize) {
        let (bytes, offsets) = self.expected;
        let bytes = bytes.saturating_sub(self.bytes.len());
        self.bytes.reserve(more.max(bytes));
        self.offsets
            .reserve(offsets.saturating_sub(self.offsets.len()));
    }

    fn append_many(&mut self, value: Option<&str>, count: usize) {
        if count == 0 {
            return;
        }
        let Some(text) = value else {
            self.nulls.append_n_nulls(count);
            let end = offset(self.bytes.len());
            self.offsets.extend(std::iter::repeat_n(end, count));
            return;
        };
        self.nulls.append_n_non_nulls(count);
        let start = self.bytes.len();
        let len = text.len() * count;
        self.bytes.reserve(len);
        self.bytes.extend_from_slice(text.as_bytes());
        // The text written so far is copied, so that each step doubles it.
        while self.bytes.len() < start + len {
            let end = self.bytes.len().min(2 * start + len - self.bytes.len());
            self.bytes.extend_from_within(start..end);
        }
        let ends = (1..=count).map(|row| offset(start + row * text.len()));
        self.offsets.extend(ends);
    }

    fn finish(&mut self) -> Result<StringArray, ArrowError> {
        // Reserves an eighth more than this array needed, so that few batches have to grow.
        self.expected = (self.bytes.len() + self.bytes.len() / 8, self.offsets.len());
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut offsets = std::mem::replace(&mut self.offsets, vec![0]);
        // A small batch may be kept for long: not with the memory that was reserved for a large one.
        bytes.shrink_to(2 * bytes.len());
        offsets.shrink_to(2 * offsets.len());
        StringArray::try_new(
            OffsetBuffer::new(ScalarBuffer::from(offsets)),
            Buffer::from_vec(bytes),
            self.nulls.finish(),
        )
    }
}

impl Item<Text> for String {
    fn append_to(&self, cell: &mut Text) -> usize {
        cell.append(Some(self))
    }
}
