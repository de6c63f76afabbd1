//! Writing a URL: one pass checks that a sitemap can contain it, and copies it, for nearly every URL.

use url::{Position, Url};

use super::check_url;
use crate::limits::LOC_CHARS;
use crate::text::search::find;
use crate::value::escape::{EscapeIn, XmlValue, escape};
use crate::violation::Violation;

impl XmlValue for Url {
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        let start = out.len();
        if append_plain_url(out, self) {
            return Ok(());
        }
        out.truncate(start);
        escape(out, check_url(self)?, EscapeIn::Attribute)
    }
}

/// Returns `true` if this needs no escape in any part of a URL and in XML: letters, digits and ( ) * + , - . / : = ? _
#[inline(always)]
fn is_plain_in_url(b: u8) -> bool {
    // Arithmetic, so that a block of bytes is looked at at once.
    let no_letter = (b | 0x20).wrapping_sub(b'a').saturating_sub(25);
    let not_in_row = b.wrapping_sub(b'(').saturating_sub(b':' - b'(');
    no_letter
        .min(not_in_row)
        .min(b ^ b'_')
        .min(b ^ b'=')
        .min(b ^ b'?')
        == 0
}

/// Appends a URL in one pass that escapes it and proves that a sitemap can contain it. Returns `false` if [`check_url`]
/// must decide that; a part may have been appended then.
fn append_plain_url(out: &mut Vec<u8>, url: &Url) -> bool {
    let text = url.as_str();
    let host = (text.strip_prefix("https://")).or_else(|| text.strip_prefix("http://"));
    // A host like a scheme is left to `check_url`, too.
    if host.is_none_or(|host| host.starts_with("http")) || text.len() >= LOC_CHARS {
        return false;
    }
    let mut rest = text.as_bytes();
    loop {
        let Some(at) = find(rest, |b| !is_plain_in_url(b)) else {
            out.extend_from_slice(rest);
            return true;
        };
        let Some((plain, odd)) = rest.split_at_checked(at) else {
            return false;
        };
        out.extend_from_slice(plain);
        rest = odd;
        // Unusual hosts and credentials are left to `check_url`.
        if text.len() - rest.len() < url[..Position::BeforePath].len() {
            return false;
        }
        match rest {
            [b'&', behind @ ..] => {
                out.extend_from_slice(b"&amp;");
                rest = behind;
            }
            [b'\'', behind @ ..] => {
                out.extend_from_slice(b"&apos;");
                rest = behind;
            }
            [b'%', ..] => {
                while let [b'%', a, b, behind @ ..] = rest {
                    if !a.is_ascii_hexdigit() || !b.is_ascii_hexdigit() {
                        return false;
                    }
                    out.extend_from_slice(&[b'%', *a, *b]);
                    rest = behind;
                }
                if let [b'%', ..] = rest {
                    return false;
                }
            }
            [b @ (b'!' | b'$' | b';' | b'@' | b'~'), behind @ ..] => {
                out.push(*b);
                rest = behind;
            }
            _ => return false,
        }
    }
}
