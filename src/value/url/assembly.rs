//! URLs that are put together from their text instead of being parsed.
//!
//! 99.9 % of the URLs of real sitemaps are already in the form of [`Url`]: lower-case host, nothing to escape, no
//! `/../`. [`Url::parse`] copies such a text byte by byte, and takes twice as long for it as the rest of reading an
//! entry. Here one pass proves that a text is of that kind and finds where its parts begin, and
//! [`Url::deserialize_internal`] makes a `Url` of the text and those positions. Every other text is left to
//! [`Url::parse`].
//!
//! The result is that of [`Url::parse`], private fields included. This depends on the fields of `url` and on the
//! characters that it escapes, so [`is_as_expected`] compares samples once per process.

#[cfg(feature = "fast-urls")]
mod fields;
mod parts;

#[cfg(test)]
#[cfg(feature = "fast-urls")]
mod tests;

#[cfg(feature = "fast-urls")]
use std::sync::OnceLock;

use url::Url;

use self::parts::PlainUrl;
use crate::text::span::TakePart;

/// The text is not plain, or URLs are not assembled. No detail is needed, because the text is parsed then.
#[derive(Debug, thiserror::Error)]
#[error("not the fields of a plain URL")]
pub(crate) struct NotPlain;

/// Returns the URL of a text that is plain: an absolute http or https URL in the form of [`Url`], with a host that is a
/// name, without credentials, and without characters that a URL must escape.
///
/// An error does not mean that the text is wrong; [`Url::parse`] decides.
// Inlined, because a call costs 30 instructions.
#[cfg(feature = "fast-urls")]
#[inline(always)]
pub(crate) fn assemble(text: &str) -> Result<Url, NotPlain> {
    match plain_parts(text) {
        // Inlined so that the 88-byte result is written in place.
        Some(parts) => parts.assemble(text.to_owned()),
        None => Err(NotPlain),
    }
}

/// Without the feature `fast-urls`, every URL is parsed.
#[cfg(not(feature = "fast-urls"))]
pub(crate) fn assemble(_: &str) -> Result<Url, NotPlain> {
    Err(NotPlain)
}

/// Returns `true` if [`assemble`] accepts this text. Nothing is allocated.
pub(crate) fn is_plain(text: &str) -> bool {
    plain_parts(text).is_some()
}

/// Returns the host of a text that [`assemble`] accepts, or `None` for any other text.
pub(crate) fn host_of_plain(text: &str) -> Option<&str> {
    let parts = plain_parts(text)?;
    Some(text.part(parts.host_start as usize..parts.host_end as usize))
}

#[inline(always)]
fn plain_parts(text: &str) -> Option<PlainUrl<'_>> {
    let parts = PlainUrl::of(text)?;
    is_as_expected().then_some(parts)
}

#[cfg(not(feature = "fast-urls"))]
const fn is_as_expected() -> bool {
    true
}

/// Returns `true` if the `url` crate returns the results of this module for the samples. Another version may have other
/// fields, or may escape other characters; then every URL is parsed.
#[cfg(feature = "fast-urls")]
fn is_as_expected() -> bool {
    static IS_AS_EXPECTED: OnceLock<bool> = OnceLock::new();
    *IS_AS_EXPECTED.get_or_init(|| SAMPLES.iter().all(|text| is_same(text)))
}

/// Hosts of every shape, with and without each part, and every character that is plain in a part.
#[cfg(feature = "fast-urls")]
const SAMPLES: [&str; 9] = [
    "http://a.b/",
    "http://a.-1z/",
    "http://a.1z/",
    "http://0xg/",
    "https://www.example.com/",
    "https://0-x--y.-z-.example-1.co:8443/a/b?c=d#e",
    "http://localhost:0/.a/..b/%2E%2fc/...?#",
    "https://example.com/!$%20&'()*+,-./0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~//?!$%20&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~/../#!$%20&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~/../",
    "http://example.com:65535/a#b?c",
];

/// Returns `true` if the text is accepted as plain, and becomes the same URL in both ways.
#[cfg(feature = "fast-urls")]
#[cold]
fn is_same(text: &str) -> bool {
    let Some(parts) = PlainUrl::of(text) else {
        return false;
    };
    // The fields are compared before a `Url` is made of them: the methods of one with wrong fields may panic.
    Url::parse(text).is_ok_and(|url| parts.are_those_of(&url))
        && parts
            .assemble(text.to_owned())
            .is_ok_and(|url| parts.are_those_of(&url))
}
