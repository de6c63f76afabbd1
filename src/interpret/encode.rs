//! The values that the interpreter reads, as an `XmlWriter` writes them: URLs and dates are checked while they are written.

use url::{Position, Url};

use crate::limits::LOC_CHARS;
use crate::text::search::find;
use crate::value::url::check_url;
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::{Rule, Violation, case};
use crate::xml::writer::escape::{EscapeIn, escape};
use crate::xml::writer::{Plain, XmlValue};

impl XmlValue for Url {
    // One pass checks that a sitemap may contain it, and copies it, for nearly every URL.
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        let start = out.len();
        if append_plain_url(out, self) {
            return Ok(());
        }
        out.truncate(start);
        escape(out, check_url(self)?, EscapeIn::Attribute)
    }
}

impl XmlValue for W3cDatetime {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        if !self.is_writable() {
            let case = match self.year() {
                1..=9999 => case::OFFSET_OUT_OF_RANGE,
                _ => case::OUT_OF_RANGE,
            };
            let (rule, found) = (Rule::InvalidDatetime, self.to_string());
            return Err(Violation::with_detail(rule, &found, case));
        }
        self.append_to(out);
        Ok(())
    }
}

impl XmlValue for ChangeFreq {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation> {
        Plain(self.as_str()).append(out, place)
    }
}

impl XmlValue for Priority {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        self.append_to(out);
        Ok(())
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
#[inline]
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
