//! URLs put together from their text instead of being parsed.
//!
//! Nearly every URL of a sitemap is already spelt as [`Url`] spells it: lower-case host, nothing to escape, no
//! `/../`. [`Url::parse`] copies such a text byte by byte and takes twice as long for it as the rest of reading
//! an entry. Here one pass proves that a text is of that kind and finds where its parts begin, and
//! [`Url::deserialize_internal`] makes a `Url` of the text and those positions. Every other text is left to
//! [`Url::parse`]. Nothing is remembered from one URL to the next.
//!
//! The result is what [`Url::parse`] returns, private fields included. That rests on how `url` lays out its
//! fields and on what it escapes, so [`is_as_expected`] asks the `url` crate at hand once a process.

mod fields;
mod parts;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use url::Url;

pub(crate) use self::fields::NotPlain;
use self::parts::PlainUrl;
use crate::text::span::TakePart;

/// The URL that `text` is, if it is plain: an absolute http or https URL, spelt as [`Url`] spells it, with a host
/// that is a name, without credentials, and with nothing in it that a URL must escape.
///
/// An error says nothing about the text; [`Url::parse`] has to. `own` copies the text, for the `Url` to keep.
#[inline]
pub(crate) fn assemble(text: &str, own: impl FnOnce(&str) -> String) -> Result<Url, NotPlain> {
    match plain_parts(text) {
        // What it returns is not moved on its way out.
        Some(parts) => parts.assemble(own(text)),
        None => Err(NotPlain),
    }
}

/// The same in a new text, compiled once.
pub(crate) fn assemble_new(text: &str) -> Result<Url, NotPlain> {
    assemble(text, str::to_owned)
}

/// Whether [`assemble`] takes this text. Nothing is allocated.
#[inline]
pub(crate) fn is_plain(text: &str) -> bool {
    plain_parts(text).is_some()
}

/// The host of a text that [`assemble`] takes.
#[inline]
pub(crate) fn host_of_plain(text: &str) -> Option<&str> {
    let parts = plain_parts(text)?;
    Some(text.part(parts.host_start as usize..parts.host_end as usize))
}

#[inline]
fn plain_parts(text: &str) -> Option<PlainUrl<'_>> {
    let parts = PlainUrl::of(text)?;
    is_as_expected().then_some(parts)
}

/// Whether the `url` crate makes of the samples what this module does. Another version may have other fields,
/// or may escape something else; then everything is parsed.
#[inline]
fn is_as_expected() -> bool {
    static IS_AS_EXPECTED: OnceLock<bool> = OnceLock::new();
    *IS_AS_EXPECTED.get_or_init(|| SAMPLES.iter().all(|text| is_same(text)))
}

/// Hosts of every shape, with and without each part, and every character that is plain in a part.
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

/// Whether the text is taken for plain, and becomes the same URL in both ways.
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
