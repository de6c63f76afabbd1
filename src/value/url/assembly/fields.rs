//! The fields of a `Url`, read and written by its own `serde` code.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{StrDeserializer, U16Deserializer, U32Deserializer};
use serde::de::{self, DeserializeSeed, SeqAccess, Visitor};
use serde::ser::{self, Impossible, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use url::Url;

use super::parts::PlainUrl;

/// The kind of host that is a name, as `url` calls it.
const NAME: &str = "Domain";

impl PlainUrl<'_> {
    /// The `Url` of these parts. `text` is their text, which becomes that of the `Url`.
    #[inline]
    pub(super) fn assemble(&self, text: String) -> Result<Url, NotPlain> {
        Url::deserialize_internal(UrlFields(self, text))
    }

    /// The fields of that `Url`.
    pub(super) fn fields(&self) -> Vec<Field> {
        let start = |start: Option<u32>| start.map_or(Field::Absent, Field::U32);
        vec![
            Field::Text(self.text.to_owned()),
            Field::U32(self.scheme_end),
            // There is no user before the host.
            Field::U32(self.host_start),
            Field::U32(self.host_start),
            Field::U32(self.host_end),
            Field::Variant(NAME),
            self.port.map_or(Field::Absent, Field::U16),
            Field::U32(self.path_start),
            start(self.query_start),
            start(self.fragment_start),
        ]
    }
}

/// PlainUrl as the input that a `Url` is deserialized from.
struct UrlFields<'p>(&'p PlainUrl<'p>, String);

/// Its fields from `index` on.
struct Sequence<'p> {
    parts: &'p PlainUrl<'p>,
    text: String,
    index: u32,
}

impl<'de> SeqAccess<'de> for Sequence<'_> {
    type Error = NotPlain;

    /// What the `Url` calls. As it is provided it is not inlined, which costs 25 instructions a field.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, NotPlain> {
        self.next_element_seed(PhantomData)
    }

    /// The index is known to the compiler wherever this is inlined; little but moves remains of it.
    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NotPlain> {
        let parts = self.parts;
        let index = self.index;
        self.index += 1;
        match index {
            0 => seed.deserialize(Owned(std::mem::take(&mut self.text))),
            1 => seed.deserialize(U32Deserializer::new(parts.scheme_end)),
            2 | 3 => seed.deserialize(U32Deserializer::new(parts.host_start)),
            4 => seed.deserialize(U32Deserializer::new(parts.host_end)),
            5 => seed.deserialize(StrDeserializer::new(NAME)),
            6 => seed.deserialize(Port(parts.port)),
            7 => seed.deserialize(U32Deserializer::new(parts.path_start)),
            8 => seed.deserialize(Start(parts.query_start)),
            9 => seed.deserialize(Start(parts.fragment_start)),
            _ => return Ok(None),
        }
        .map(Some)
    }
}

struct Owned(String);
struct Port(Option<u16>);
struct Start(Option<u32>);

/// A deserializer that gives a visitor one thing, whatever was asked for. `serde` has such deserializers of a text and of
/// a sequence, too, but they are not inlined, which costs 45 instructions a URL.
macro_rules! gives {
    ($name:ty, |$own:ident, $visitor:ident| $visit:expr) => {
        impl<'de> Deserializer<'de> for $name {
            type Error = NotPlain;

            #[inline(always)]
            fn deserialize_any<V: Visitor<'de>>(self, $visitor: V) -> Result<V::Value, NotPlain> {
                let $own = self;
                $visit
            }

            forward_to_deserialize_any! {
                bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
                unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
            }
        }
    };
}

gives!(UrlFields<'_>, |whole, visitor| visitor.visit_seq(
    Sequence {
        parts: whole.0,
        text: whole.1,
        index: 0
    }
));
gives!(Owned, |text, visitor| visitor.visit_string(text.0));
gives!(Port, |port, visitor| match port.0 {
    Some(port) => visitor.visit_some(U16Deserializer::new(port)),
    None => visitor.visit_none(),
});
gives!(Start, |start, visitor| match start.0 {
    Some(start) => visitor.visit_some(U32Deserializer::new(start)),
    None => visitor.visit_none(),
});

/// A field of a `Url`. An optional one is `Absent` or what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    Text(String),
    U32(u32),
    U16(u16),
    Absent,
    Variant(&'static str),
}

/// The fields of a `Url`; `None` if one of them is of another kind than those of a plain URL.
pub(super) fn of(url: &Url) -> Option<Vec<Field>> {
    let mut fields = Fields(Vec::new());
    url.serialize_internal(&mut fields).ok()?;
    Some(fields.0)
}

struct Fields(Vec<Field>);

impl Fields {
    fn add(&mut self, field: Field) -> Result<(), NotPlain> {
        self.0.push(field);
        Ok(())
    }
}

impl SerializeTuple for &mut Fields {
    type Ok = ();
    type Error = NotPlain;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, field: &T) -> Result<(), NotPlain> {
        field.serialize(&mut **self)
    }

    fn end(self) -> Result<(), NotPlain> {
        Ok(())
    }
}

/// Methods of a serializer for what no plain URL has.
macro_rules! refuse {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $arg),*) -> Result<$ok, NotPlain> {
            Err(NotPlain)
        })*
    };
}

type No = Impossible<(), NotPlain>;

impl Serializer for &mut Fields {
    type Ok = ();
    type Error = NotPlain;
    type SerializeSeq = No;
    type SerializeTuple = Self;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_tuple(self, _: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }

    fn serialize_str(self, text: &str) -> Result<(), NotPlain> {
        self.add(Field::Text(text.to_owned()))
    }

    fn serialize_u32(self, number: u32) -> Result<(), NotPlain> {
        self.add(Field::U32(number))
    }

    fn serialize_u16(self, number: u16) -> Result<(), NotPlain> {
        self.add(Field::U16(number))
    }

    fn serialize_none(self) -> Result<(), NotPlain> {
        self.add(Field::Absent)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, field: &T) -> Result<(), NotPlain> {
        field.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<(), NotPlain> {
        self.add(Field::Variant(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), NotPlain> {
        Err(NotPlain)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), NotPlain> {
        Err(NotPlain)
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> No;
        serialize_tuple_struct(&'static str, usize) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_map(Option<usize>) -> No;
        serialize_struct(&'static str, usize) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }
}

/// There is no more to say: the text is parsed then.
#[derive(Debug)]
pub(crate) struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the fields of a plain URL")
    }
}

impl std::error::Error for NotPlain {}

impl de::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl ser::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
