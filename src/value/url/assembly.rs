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

mod fields;
mod pairs;
mod parts;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use url::Url;

use self::parts::PlainUrl;

/// Returns the URL of a text that is plain: an absolute http or https URL in the form of [`Url`], with a host that is a
/// name or an IPv4 address, without credentials, and without characters that a URL must escape.
///
/// `None` does not mean that the text is wrong; [`Url::parse`] decides.
// Inlined, because a call costs 30 instructions.
#[inline(always)]
pub(crate) fn assemble(text: &str) -> Option<Url> {
    match plain_parts::<true>(text) {
        // Inlined so that the 88-byte result is written in place.
        Some(parts) => parts.assemble(text.to_owned()).ok(),
        None => assemble_with_address(text),
    }
}

#[cold]
fn assemble_with_address(text: &str) -> Option<Url> {
    let parts = plain_parts::<false>(text)?;
    parts.assemble(text.to_owned()).ok()
}

/// Returns the host of a text that [`assemble`] accepts, or `None` for any other text. Nothing is allocated.
pub(crate) fn host_of_plain(text: &str) -> Option<&str> {
    let name = plain_parts::<true>(text).map(|parts| parts.host());
    name.or_else(|| plain_parts::<false>(text).map(|parts| parts.host()))
}

#[inline(always)]
fn plain_parts<const IS_NAME: bool>(text: &str) -> Option<PlainUrl<'_, IS_NAME>> {
    PlainUrl::of(text).filter(|_| is_as_expected())
}

/// Returns `true` if the `url` crate returns the results of this module for the samples. Another version may have other
/// fields, or may escape other characters; then every URL is parsed.
fn is_as_expected() -> bool {
    static IS_AS_EXPECTED: OnceLock<bool> = OnceLock::new();
    let is_same = |text: &&str| is_same::<true>(text) || is_same::<false>(text);
    *IS_AS_EXPECTED.get_or_init(|| SAMPLES.iter().all(is_same))
}

/// Hosts of every shape, with and without each part, and every character that is plain in a part.
const SAMPLES: [&str; 10] = [
    "http://a.b/",
    "http://a.-1z/",
    "http://a.1z/",
    "http://0xg/",
    "http://192.168.0.255:8000/a?b#c",
    "https://www.example.com/",
    "https://0-x--y.-z-.example-1.co:8443/a/b?c=d#e",
    "http://localhost:0/.a/..b/%2E%2fc/...?#",
    "https://example.com/!$%20&'()*+,-./0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~//?!$%20&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~/../#!$%20&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~/../",
    "http://example.com:65535/a#b?c",
];

/// Returns `true` if the text is accepted as plain, and becomes the same URL in both ways.
#[cold]
fn is_same<const IS_NAME: bool>(text: &str) -> bool {
    let Some(parts) = PlainUrl::<IS_NAME>::of(text) else {
        return false;
    };
    // The fields are compared before a `Url` is made of them: the methods of one with wrong fields may panic.
    Url::parse(text).is_ok_and(|url| parts.are_those_of(&url))
        && parts
            .assemble(text.to_owned())
            .is_ok_and(|url| parts.are_those_of(&url))
}
