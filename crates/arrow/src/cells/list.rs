//! Lists.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::cell::{Cell, Item, Strings, field};
use super::text::OFFSET;

/// The name of the items of a list, by the convention of Arrow.
const ITEM: &str = "item";

/// Lists, the last of which grows until the next one begins.
#[derive(Debug)]
pub(crate) struct OpenList<C> {
    items: C,
    len: usize,
    /// Offsets at which the lists begin, and at which the last closed one ends.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    is_open: bool,
    strings: Strings,
}

impl<C: Cell> OpenList<C> {
    /// Adds to the list that is open, and returns about how many bytes that needs.
    pub(crate) fn push(&mut self, item: &impl Item<C>) -> usize {
        if !self.is_open {
            return 0;
        }
        self.len += 1;
        item.append_to(&mut self.items)
    }

    /// Ends the list that is open.
    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.offsets.push(offset(self.len));
        }
    }
}

impl<C: Cell> Cell for OpenList<C> {
    /// A list begins, which is never null.
    type Value<'a> = ();

    fn new(strings: Strings) -> Self {
        Self {
            items: C::new(strings),
            len: 0,
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
            is_open: false,
            strings,
        }
    }

    fn data_type(strings: Strings) -> DataType {
        DataType::List(field(ITEM, C::data_type(strings)))
    }

    fn append(&mut self, (): ()) -> usize {
        self.close();
        self.is_open = true;
        self.nulls.append_non_null();
        OFFSET
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.close();
        self.len = 0;
        lists(
            &mut self.offsets,
            &mut self.items,
            &mut self.nulls,
            self.strings,
        )
    }
}

/// Lists of values of the type `T`.
#[derive(Debug)]
pub(crate) struct List<C, T> {
    items: C,
    len: usize,
    /// Offsets at which the lists begin and end: one more than there are lists.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    strings: Strings,
    of: PhantomData<fn(&T)>,
}

impl<C: Cell, T: Item<C> + 'static> Cell for List<C, T> {
    type Value<'a> = Option<&'a [T]>;

    fn new(strings: Strings) -> Self {
        Self {
            items: C::new(strings),
            len: 0,
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
            strings,
            of: PhantomData,
        }
    }

    fn data_type(strings: Strings) -> DataType {
        DataType::List(field(ITEM, C::data_type(strings)))
    }

    fn append(&mut self, value: Option<&[T]>) -> usize {
        let items = value.unwrap_or_default();
        self.len += items.len();
        self.offsets.push(offset(self.len));
        self.nulls.append(value.is_some());
        let bytes: usize = items
            .iter()
            .map(|item| item.append_to(&mut self.items))
            .sum();
        OFFSET + bytes
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.len = 0;
        lists(
            &mut self.offsets,
            &mut self.items,
            &mut self.nulls,
            self.strings,
        )
    }
}

/// An `i32` suffices: that many items do not fit into the bytes of a batch.
fn offset(items: usize) -> i32 {
    i32::try_from(items).unwrap_or(i32::MAX)
}

/// The lists so far; the next ones begin another array.
fn lists<C: Cell>(
    offsets: &mut Vec<i32>,
    items: &mut C,
    nulls: &mut NullBufferBuilder,
    strings: Strings,
) -> Result<ArrayRef, ArrowError> {
    let offsets = ScalarBuffer::from(std::mem::replace(offsets, vec![0]));
    let lists = ListArray::try_new(
        field(ITEM, C::data_type(strings)),
        OffsetBuffer::new(offsets),
        items.finish()?,
        nulls.finish(),
    )?;
    Ok(Arc::new(lists))
}
