//! URLs for the feature `serde`.

use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use url::Url;

/// The result of deserializing a `Url`, with the same messages, except that a plain URL is not parsed.
pub(crate) fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    struct UrlText;

    impl Visitor<'_> for UrlText {
        type Value = Url;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string representing an URL")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Url, E> {
            super::assembly::assemble_new(text)
                .map_or_else(|_| Url::parse(text), Ok)
                .map_err(|err| E::custom(format_args!("{err}: {text:?}")))
        }
    }

    deserializer.deserialize_str(UrlText)
}

/// Like `required`, if there may be none.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Url>, D::Error> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Present(#[serde(deserialize_with = "required")] Url);

    let url = Option::<Present>::deserialize(deserializer)?;
    Ok(url.map(|Present(url)| url))
}
