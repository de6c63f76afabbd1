//! What cannot be derived of the feature `serde`: values by their text or number, durations in seconds,
//! policies by their rules.

use std::fmt;
use std::num::NonZero;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use crate::entry::{Element, Node};
use crate::extension::{Currency, Rating};
use crate::value::{Priority, W3cDatetime, url_assembly};
use crate::violation::{Policy, Rule, Violation, quote};

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
                $crate::serde::from_text(deserializer, $expected, $parse)
            }
        }
    };
}
pub(crate) use as_text;

/// Reads text that `parse` takes.
pub(crate) fn from_text<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    parse: fn(&str) -> Result<T, Violation>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Text { expected, parse })
}

struct Text<T> {
    expected: &'static str,
    parse: fn(&str) -> Result<T, Violation>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(E::custom)
    }
}

as_text!(Currency, "a currency such as `EUR`", str::parse);

/// What `Url` deserializes by itself, with the same messages, but parsed only where that is needed.
pub(crate) fn url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    struct UrlText;

    impl Visitor<'_> for UrlText {
        type Value = Url;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string representing an URL")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Url, E> {
            url_assembly::assemble(text)
                .map_or_else(|| Url::parse(text), Ok)
                .map_err(|err| E::custom(format_args!("{err}: {text:?}")))
        }
    }

    deserializer.deserialize_str(UrlText)
}

/// The same where there may be none.
pub(crate) fn optional_url<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Url>, D::Error> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Present(#[serde(deserialize_with = "url")] Url);

    let url = Option::<Present>::deserialize(deserializer)?;
    Ok(url.map(|Present(url)| url))
}

/// As it is written. A year that the notation does not have is refused: it could not be read back.
impl Serialize for W3cDatetime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        text.parse::<Self>().map_err(S::Error::custom)?;
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for W3cDatetime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(
            deserializer,
            "a W3C Datetime such as `2024-03-04`",
            str::parse,
        )
    }
}

/// A number from 0.0 to 1.0.
impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(shortest(self.get()))
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_number(deserializer, 1.0, Rule::InvalidPriority, Self::new)
    }
}

/// A number from 0.0 to 5.0.
impl Serialize for Rating {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(shortest(self.get()))
    }
}

impl<'de> Deserialize<'de> for Rating {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_number(deserializer, 5.0, Rule::InvalidNumber, Self::new)
    }
}

/// The f64 that prints like the f32: merely widened, 0.8 would become 0.800000011920929.
fn shortest(value: f32) -> f64 {
    let wide = value.to_string().parse().ok();
    wide.filter(|wide| *wide as f32 == value)
        .unwrap_or(f64::from(value))
}

/// Reads a number up to `most`. The range is checked before rounding: as an f32, 1.00000001 is 1.
fn from_number<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    most: f64,
    rule: Rule,
    new: fn(f32) -> Result<T, Violation>,
) -> Result<T, D::Error> {
    let number = f64::deserialize(deserializer)?;
    let value = if (0.0..=most).contains(&number) {
        new(number as f32)
    } else {
        Err(Violation::new(rule, &number.to_string()))
    };
    value.map_err(D::Error::custom)
}

/// A duration that may be absent, in whole seconds, as a sitemap has it.
pub(crate) mod seconds {
    use std::time::Duration;

    use super::*;

    /// A part of a second is refused: it would be lost.
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

/// Text, or an element. Written out because an untagged enum copies all it contains at every level,
/// and cannot say what is wrong with it.
impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrElement;

        impl<'de> Visitor<'de> for TextOrElement {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or an element")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Node, E> {
                Ok(Node::Text(text))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Node, A::Error> {
                Element::deserialize(MapAccessDeserializer::new(map)).map(Node::Element)
            }
        }

        deserializer.deserialize_any(TextOrElement)
    }
}

/// A number that counts from 1.
pub(crate) fn from_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    NonZero::<u64>::deserialize(deserializer).map(NonZero::get)
}

/// What was found, no longer than a violation quotes it.
pub(crate) fn quoted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<str>, D::Error> {
    let found = String::deserialize(deserializer)?;
    Ok(quote(&found).into())
}

/// A [`Policy`] as one says it: `"lenient"`, `"strict"`, or one of them but for some rules.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdicts {
    Lenient,
    Strict,
    /// Lenient otherwise.
    Deny(Vec<Rule>),
    /// Strict otherwise.
    Allow(Vec<Rule>),
}

impl From<Verdicts> for Policy {
    fn from(verdicts: Verdicts) -> Self {
        match verdicts {
            Verdicts::Lenient => Self::LENIENT,
            Verdicts::Strict => Self::STRICT,
            Verdicts::Deny(rules) => rules.into_iter().fold(Self::LENIENT, Self::deny),
            Verdicts::Allow(rules) => rules.into_iter().fold(Self::STRICT, Self::allow),
        }
    }
}

impl From<Policy> for Verdicts {
    fn from(policy: Policy) -> Self {
        let (denied, allowed): (Vec<_>, Vec<_>) =
            Rule::ALL.iter().partition(|rule| policy.denies(**rule));
        if policy == Policy::LENIENT {
            Self::Lenient
        } else if policy == Policy::STRICT {
            Self::Strict
        } else if policy == denied.iter().copied().fold(Policy::LENIENT, Policy::deny) {
            Self::Deny(denied)
        } else {
            // What is strict denies rules to come, too.
            Self::Allow(allowed)
        }
    }
}
