//! Lists.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::cell::{Cell, Item, Strings, field};
use super::text::OFFSET;

/// The name of the items of a list, as in Parquet files.
const ITEM: &str = "item";

/// A column of lists. Items are pushed one by one after the row.
#[derive(Debug)]
pub(crate) struct OpenList<C> {
    items: C,
    len: usize,
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
    /// The last list may still get items.
    is_open: bool,
    strings: Strings,
}

impl<C: Cell> OpenList<C> {
    /// Begins the list of a row. Returns about how many bytes it needs.
    fn begin(&mut self, is_valid: bool) -> usize {
        self.close();
        self.is_open = true;
        self.nulls.append(is_valid);
        OFFSET
    }

    /// Appends an item to the last list, and returns about how many bytes it needs.
    pub(crate) fn push(&mut self, item: &impl Item<C>) -> usize {
        if !self.is_open {
            return 0;
        }
        self.len += 1;
        item.append_to(&mut self.items)
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            // A batch is full long before its items have no number.
            self.offsets
                .push(i32::try_from(self.len).unwrap_or(i32::MAX));
        }
    }
}

impl<C: Cell> Cell for OpenList<C> {
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
        self.begin(true)
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.close();
        self.len = 0;
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let lists = ListArray::try_new(
            field(ITEM, C::data_type(self.strings)),
            OffsetBuffer::new(ScalarBuffer::from(offsets)),
            self.items.finish()?,
            self.nulls.finish(),
        )?;
        Ok(Arc::new(lists))
    }
}

/// A column of lists of `T`, each of which is there with its row.
#[derive(Debug)]
pub(crate) struct List<C, T>(OpenList<C>, PhantomData<fn(&T)>);

impl<C: Cell, T: Item<C> + 'static> Cell for List<C, T> {
    type Value<'a> = Option<&'a [T]>;

    fn new(strings: Strings) -> Self {
        Self(OpenList::new(strings), PhantomData)
    }

    fn data_type(strings: Strings) -> DataType {
        OpenList::<C>::data_type(strings)
    }

    fn append(&mut self, value: Option<&[T]>) -> usize {
        let bytes = self.0.begin(value.is_some());
        let items = value.unwrap_or_default().iter();
        bytes + items.map(|item| self.0.push(item)).sum::<usize>()
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.0.finish()
    }
}
