//! Dates for the feature `serde`.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::W3cDatetime;

/// Serializes the text as it is written. A year that the format does not have is an error, because it could not be read
/// back.
impl Serialize for W3cDatetime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_writable() {
            self.to_string().parse::<Self>().map_err(S::Error::custom)?;
        }
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for W3cDatetime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::serde::from_text(
            deserializer,
            "a W3C Datetime such as `2024-03-04`",
            str::parse,
        )
    }
}
