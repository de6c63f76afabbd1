//! The fields of a `Url`: written by its own `serde` code, read by its own `expose_internals`.

use std::marker::PhantomData;
use std::{fmt, iter};

use serde::de::value::{MapAccessDeserializer, MapDeserializer, StrDeserializer, U32Deserializer};
use serde::de::{self, DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use url::quirks::internal_components;
use url::{Host, Url};

use super::parts::PlainUrl;

/// The fields are not those of a `Url`. No detail is needed, because the text is parsed then.
#[derive(Debug, thiserror::Error)]
#[error("not the fields of a plain URL")]
pub(super) struct NotPlain;

impl<const IS_NAME: bool> PlainUrl<'_, IS_NAME> {
    /// The `Url` of these parts. `text` is their text, which becomes that of the `Url`.
    pub(super) fn assemble(&self, text: String) -> Result<Url, NotPlain> {
        let (parts, index) = (self, 0);
        Url::deserialize_internal(Sequence { parts, text, index })
    }

    /// Returns `true` if the `Url` has this text and these positions.
    pub(super) fn are_those_of(&self, url: &Url) -> bool {
        let own = internal_components(url);
        let starts = [
            own.scheme_end,
            own.username_end,
            own.host_start,
            own.host_end,
            own.path_start,
        ];
        // There is no user before the host.
        let expected = [
            self.scheme_end,
            self.host_start,
            self.host_start,
            self.host_end,
            self.path_start,
        ];
        url.as_str() == self.text
            && starts == expected
            && own.port == self.port
            && (own.query_start, own.fragment_start) == (self.query_start, self.fragment_start)
            && matches!(url.host(), Some(Host::Ipv4(_))) != IS_NAME
    }
}

/// Its fields from `index` on.
struct Sequence<'p, const IS_NAME: bool> {
    parts: &'p PlainUrl<'p, IS_NAME>,
    text: String,
    index: u32,
}

impl<'de, const IS_NAME: bool> SeqAccess<'de> for Sequence<'_, IS_NAME> {
    type Error = NotPlain;

    /// The method that `Url` calls. The default method is not inlined; that costs 25 instructions per field.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, NotPlain> {
        self.next_element_seed(PhantomData)
    }

    /// The index is a constant after inlining, so only moves remain.
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
            // The kinds of hosts, as `url` calls them. One with a value is written as a map of one key.
            5 if IS_NAME => seed.deserialize(StrDeserializer::new("Domain")),
            5 => {
                let host = MapDeserializer::new(iter::once(("Ipv4", parts.host())));
                seed.deserialize(MapAccessDeserializer::new(host))
            }
            6 => seed.deserialize(Optional(parts.port.map(u32::from))),
            7 => seed.deserialize(U32Deserializer::new(parts.path_start)),
            8 => seed.deserialize(Optional(parts.query_start)),
            9 => seed.deserialize(Optional(parts.fragment_start)),
            _ => return Ok(None),
        }
        .map(Some)
    }
}

struct Owned(String);
struct Optional(Option<u32>);

/// A deserializer that passes one value to a visitor, for every method. `serde` has such deserializers of a text and of
/// a sequence, too, but they are not inlined; that costs 45 instructions per URL.
macro_rules! gives {
    ($name:ty, $([$($of:tt)*])? |$own:ident, $visitor:ident| $visit:expr) => {
        impl<'de, $($($of)*)?> Deserializer<'de> for $name {
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

gives!(Sequence<'_, IS_NAME>, [const IS_NAME: bool] |whole, visitor| visitor.visit_seq(whole));
gives!(Owned, |text, visitor| visitor.visit_string(text.0));
gives!(Optional, |number, visitor| match number.0 {
    Some(number) => visitor.visit_some(U32Deserializer::new(number)),
    None => visitor.visit_none(),
});

impl de::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}
