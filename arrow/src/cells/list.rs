//! Lists.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::{Cell, Item, Strings, field};

/// The name of what stands in a list, by the convention of Arrow.
const ITEM: &str = "item";

/// Lists, the last of which may still grow.
#[derive(Debug)]
pub(crate) struct OpenList<C> {
    items: C,
    len: usize,
    /// Where the lists begin and end: one more than there are.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    strings: Strings,
}

impl<C: Cell> OpenList<C> {
    pub(crate) fn new(strings: Strings) -> Self {
        Self {
            items: C::new(strings),
            len: 0,
            offsets: vec![0],
            nulls: NullBufferBuilder::new(0),
            strings,
        }
    }

    pub(crate) fn data_type(strings: Strings) -> DataType {
        DataType::List(field(ITEM, C::data_type(strings)))
    }

    /// Adds to the list that is open.
    pub(crate) fn push(&mut self, item: &impl Item<C>) -> usize {
        self.len += 1;
        item.append_to(&mut self.items)
    }

    /// Ends the list that is open.
    pub(crate) fn close(&mut self, is_valid: bool) {
        // So many items do not fit into the bytes of a batch.
        self.offsets
            .push(i32::try_from(self.len).unwrap_or(i32::MAX));
        self.nulls.append(is_valid);
    }

    pub(crate) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.len = 0;
        let offsets = ScalarBuffer::from(std::mem::replace(&mut self.offsets, vec![0]));
        let list = ListArray::try_new(
            field(ITEM, C::data_type(self.strings)),
            OffsetBuffer::new(offsets),
            self.items.finish()?,
            self.nulls.finish(),
        )?;
        Ok(Arc::new(list))
    }
}

/// Lists of what is written as `T`.
#[derive(Debug)]
pub(crate) struct List<C, T> {
    lists: OpenList<C>,
    of: PhantomData<fn(&T)>,
}

impl<C: Cell, T: Item<C> + 'static> Cell for List<C, T> {
    type Value<'a> = Option<&'a [T]>;

    fn new(strings: Strings) -> Self {
        Self {
            lists: OpenList::new(strings),
            of: PhantomData,
        }
    }

    fn data_type(strings: Strings) -> DataType {
        OpenList::<C>::data_type(strings)
    }

    fn append(&mut self, value: Option<&[T]>) -> usize {
        let items = value.unwrap_or_default().iter();
        let bytes: usize = items.map(|item| self.lists.push(item)).sum();
        self.lists.close(value.is_some());
        4 + bytes
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.lists.finish()
    }
}
