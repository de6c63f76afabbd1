//! URLs for the feature `serde`.

use serde::{Deserialize, Deserializer};
use url::Url;

use super::assembly::assemble;
use crate::text::serde::from_text;

/// The result of deserializing a `Url`, with the same messages, except that a plain URL is not parsed.
pub(crate) fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    from_text(deserializer, "a string representing an URL", |text| {
        let url = assemble(text).map_or_else(|| Url::parse(text), Ok);
        url.map_err(|err| format!("{err}: {text:?}"))
    })
}

/// Like [`required`], for a field that can be absent.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Url>, D::Error> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Present(#[serde(deserialize_with = "required")] Url);

    let url = Option::<Present>::deserialize(deserializer)?;
    Ok(url.map(|Present(url)| url))
}
