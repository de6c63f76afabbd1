//! Serialization that several types share and that cannot be derived: values as text or number, durations in seconds.

use std::fmt::{self, Display};
use std::num::NonZero;

use serde::de::{Error as _, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type that is its text: printed by `Display`, read by a function that takes a `&str`.
macro_rules! as_text {
    ($name:ident, $expected:literal, $parse:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::serde::from_text(deserializer, $expected, $parse)
            }
        }
    };
}
pub(crate) use as_text;

/// A number from 0.0 to `most`: made by `new`, returned by `get`.
macro_rules! as_number {
    ($name:ident, $most:literal, $refused:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64((*self).into())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::serde::from_number(deserializer, $most, Self::new, $refused)
            }
        }
    };
}
pub(crate) use as_number;

/// Returns `true` for values that are not written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads text that `parse` takes.
pub(crate) fn from_text<'de, T, E: Display, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    parse: fn(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(TextVisitor { expected, parse })
}

struct TextVisitor<T, E> {
    expected: &'static str,
    parse: fn(&str) -> Result<T, E>,
}

impl<T, F: Display> Visitor<'_> for TextVisitor<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(E::custom)
    }
}

/// Reads a number up to `most`, from which `new` makes a value; `refuse` makes the error for one that is out of range.
/// The range is checked before rounding: as an f32, 1.00000001 is 1.
pub(crate) fn from_number<'de, T, E: Display, D: Deserializer<'de>>(
    deserializer: D,
    most: f64,
    new: fn(f32) -> Result<T, E>,
    refuse: fn(&str) -> E,
) -> Result<T, D::Error> {
    let number = f64::deserialize(deserializer)?;
    let value = if (0.0..=most).contains(&number) {
        new(number as f32)
    } else {
        Err(refuse(&number.to_string()))
    };
    value.map_err(D::Error::custom)
}

/// A duration that may be absent, in whole seconds, as a sitemap has it.
pub(crate) mod seconds {
    use std::time::Duration;

    use super::*;

    /// A fraction of a second is rejected, because it would be lost.
    pub(crate) fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if let Some(duration) = duration.filter(|duration| duration.subsec_nanos() != 0) {
            let message = format!("duration `{duration:?}` is not in whole seconds");
            return Err(S::Error::custom(message));
        }
        duration
            .map(|duration| duration.as_secs())
            .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::deserialize(deserializer)?;
        Ok(seconds.map(Duration::from_secs))
    }
}

/// A number of at least 1.
pub(crate) fn from_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    NonZero::<u64>::deserialize(deserializer).map(NonZero::get)
}
