//! Structs, which the macro `record!` defines by their fields.

/// A struct with a cell for each field, and how each is taken from a value.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident of $source:ty { $($field:ident $label:literal: $cell:ty = $take:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            $($field: $cell,)*
            strings: $crate::cells::Strings,
        }

        impl $name {
            fn fields(strings: $crate::cells::Strings) -> arrow_schema::Fields {
                [$($crate::cells::field($label, <$cell as $crate::cells::Cell>::data_type(strings)),)*]
                    .into_iter()
                    .collect()
            }
        }

        impl $crate::cells::Cell for $name {
            type Value<'a> = &'a $source;

            fn new(strings: $crate::cells::Strings) -> Self {
                Self {
                    $($field: <$cell as $crate::cells::Cell>::new(strings),)*
                    strings,
                }
            }

            fn data_type(strings: $crate::cells::Strings) -> arrow_schema::DataType {
                arrow_schema::DataType::Struct(Self::fields(strings))
            }

            fn append(&mut self, value: &$source) -> usize {
                let mut bytes = 0;
                $({
                    let take: for<'a> fn(&'a $source) -> <$cell as $crate::cells::Cell>::Value<'a> = $take;
                    bytes += self.$field.append(take(value));
                })*
                bytes
            }

            fn finish(&mut self) -> Result<arrow_array::ArrayRef, arrow_schema::ArrowError> {
                let arrays = vec![$(self.$field.finish()?,)*];
                let records = arrow_array::StructArray::try_new(Self::fields(self.strings), arrays, None)?;
                Ok(std::sync::Arc::new(records))
            }
        }

        impl $crate::cells::Item<$name> for $source {
            fn append_to(&self, cell: &mut $name) -> usize {
                $crate::cells::Cell::append(cell, self)
            }
        }
    };
}

pub(crate) use record;
