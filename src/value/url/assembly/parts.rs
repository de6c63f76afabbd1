//! Finds the parts of a plain URL, and so proves that it is one.

use std::net::Ipv4Addr;

use super::pairs::find_pair;
use crate::text::span::TakePart;

/// A plain URL and where its parts are. The positions of port, path, query and fragment are those of the character
/// that announces them. The host is a name or an IPv4 address; each of them has its own code, so that a name, which is
/// the usual host, costs nothing more.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainUrl<'t, const IS_NAME: bool> {
    pub(super) text: &'t str,
    pub(super) scheme_end: u32,
    pub(super) host_start: u32,
    pub(super) host_end: u32,
    pub(super) port: Option<u16>,
    pub(super) path_start: u32,
    pub(super) query_start: Option<u32>,
    pub(super) fragment_start: Option<u32>,
}

impl<'t, const IS_NAME: bool> PlainUrl<'t, IS_NAME> {
    /// The parts of `text` if it is plain; see [`assemble`](super::assemble).
    // Always inlined, so that the parts need not be put into memory.
    #[inline(always)]
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let bytes = text.as_bytes();
        // All positions fit in, then.
        u32::try_from(bytes.len()).ok()?;
        let (scheme_end, own_port) = if bytes.starts_with(b"https://") {
            (5, 443)
        } else if bytes.starts_with(b"http://") {
            (4, 80)
        } else {
            return None;
        };
        let host_start = scheme_end + 3;
        let end_of_host = if IS_NAME { end_of_name } else { end_of_address };
        let host_end = end_of_host(bytes, host_start)?;
        // Of two URLs in a row, the first has the scheme of the second as its host.
        if let b"http" | b"https" = bytes.get(host_start..host_end)? {
            return None;
        }
        let (port, path_start) = match bytes.get(host_end)? {
            b':' => port(bytes, host_end, own_port)?,
            _ => (None, host_end),
        };
        // The delimiter was already checked by the caller.
        let end = end_of_part(bytes, path_start + 1, Part::Path)?;
        let (query_start, fragment_start) = if end == bytes.len() {
            (None, None)
        } else {
            query_and_fragment(bytes, end)?
        };
        Some(Self {
            text,
            scheme_end: scheme_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            port,
            path_start: path_start as u32,
            query_start,
            fragment_start,
        })
    }

    /// The name or the address.
    pub(super) fn host(&self) -> &'t str {
        let host = self.host_start as usize..self.host_end as usize;
        self.text.part(host)
    }
}

/// Returns the end of the host that begins at `start`: at a `/` or a `:`. It is a name of lower-case letters, digits,
/// `-` and `.`, without an empty label, and without one in Punycode, which would have to be decoded. Its last label
/// ends with a letter that is not a hexadecimal digit, or begins with a letter; otherwise it may be a number.
#[inline(always)]
fn end_of_name(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        end = find_pair(bytes, end, |before, b| {
            // Not 0 for what is neither a letter nor a digit nor - . /
            let other = beyond(b, b'a', b'z').min(beyond(b, b'-', b'9'));
            let is_hyphens = ((before ^ b'-') | (b ^ b'-')) == 0;
            // The dot and the slash are neighbours.
            let is_empty_label = (((before | 1) ^ b'/') | (b ^ b'.')) == 0;
            other | all_ones((b == b'/') | is_hyphens | is_empty_label)
        });
        match bytes.get(end)? {
            b'/' | b':' => break,
            b'-' if bytes.get(end.checked_sub(3)?..end) != Some(b"xn-") => end += 1,
            _ => return None,
        }
    }
    let host = bytes.get(start..end)?;
    // No number ends with one of these letters. `x` is not among them, since `0x` is a number.
    if let [.., b'g'..=b'w' | b'y'..=b'z'] = host {
        return Some(end);
    }
    let last = host.rsplit(|b| *b == b'.').next()?;
    last.first()?.is_ascii_lowercase().then_some(end)
}

/// Returns the end of the IPv4 address that begins at `start`. It is in the form of [`Ipv4Addr`], which `Url` keeps.
fn end_of_address(bytes: &[u8], start: usize) -> Option<usize> {
    let mut parts = bytes.get(start..)?.split(|b| matches!(b, b'/' | b':'));
    let host = std::str::from_utf8(parts.next()?).ok()?;
    host.parse::<Ipv4Addr>().ok().map(|_| start + host.len())
}

/// Returns the port whose `:` is at `colon`, and the start of the path after it. The port is not the default of the
/// scheme, and has no leading zeros.
#[cold]
fn port(bytes: &[u8], colon: usize, own_port: u16) -> Option<(Option<u16>, usize)> {
    let digits = bytes.get(colon + 1..)?;
    let len = digits.iter().take(6).position(|b| *b == b'/')?;
    let digits = digits.get(..len)?;
    if !digits.iter().all(u8::is_ascii_digit) || (digits.starts_with(b"0") && len > 1) {
        return None;
    }
    let port = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (port != own_port).then_some((Some(port), colon + 1 + len))
}

/// Returns the starts of the query and the fragment; the first of them is at `start`.
#[inline(never)]
fn query_and_fragment(bytes: &[u8], start: usize) -> Option<(Option<u32>, Option<u32>)> {
    let (mut end, mut query, mut fragment) = (start, None, None);
    if bytes.get(start) == Some(&b'?') {
        query = Some(start as u32);
        end = end_behind_path(bytes, start + 1, Part::Query)?;
    }
    if end < bytes.len() {
        fragment = Some(end as u32);
        end_behind_path(bytes, end + 1, Part::Fragment)?;
    }
    Some((query, fragment))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
}

/// [`end_of_part`], compiled once for the parts that few URLs have.
#[inline(never)]
fn end_behind_path(bytes: &[u8], start: usize, part: Part) -> Option<usize> {
    end_of_part(bytes, start, part)
}

/// Returns the end of the part that begins at `start`: the delimiter of the next part, or the end of the text. Returns
/// `None` if it contains something that `Url` escapes, removes or rewrites, or that must be escaped in a sitemap.
#[inline(always)]
fn end_of_part(bytes: &[u8], start: usize, part: Part) -> Option<usize> {
    let mut at = start;
    loop {
        // Common plain characters are skipped a block at a time; any other character is checked singly.
        at = find_pair(bytes, at, |before, b| {
            let no_letter = beyond(b | 0x20, b'a', b'z');
            // The digits and ( ) * + , - . / : ;
            let not_in_row = beyond(b, b'(', b';');
            let uncommon = no_letter.min(not_in_row).min(b ^ b'_');
            if part == Part::Path {
                // A dot after a slash may begin a segment that `Url` resolves.
                uncommon | all_ones(((before ^ b'/') | (b ^ b'.')) == 0)
            } else {
                uncommon.min(b ^ b'=').min(b ^ b'&')
            }
        });
        match bytes.get(at) {
            None => return Some(at),
            Some(b'#') if part != Part::Fragment => return Some(at),
            Some(b'?') if part == Part::Path => return Some(at),
            Some(b'%') => at = after_escapes(bytes, at, part)?,
            Some(b'.') if !is_dot_segment(bytes.get(at..)?) => at += 1,
            Some(b) if is_rare(*b, part) => {
                while bytes.get(at).is_some_and(|b| is_rare(*b, part)) {
                    at += 1;
                }
            }
            _ => return None,
        }
    }
}

/// Returns `true` if this is plain in such a part, but so rare that it is not among the characters that are skipped in
/// blocks.
fn is_rare(b: u8, part: Part) -> bool {
    match b {
        b'!' | b'$' | b'&' | b'=' | b'@' | b'~' => true,
        b'?' => part != Part::Path,
        b'\'' => part != Part::Query,
        _ => false,
    }
}

/// Returns the end of the run of percent-encoded bytes at `at`, or `None` if one of them is invalid.
fn after_escapes(bytes: &[u8], mut at: usize, part: Part) -> Option<usize> {
    if part == Part::Path
        && bytes.get(at.checked_sub(1)?) == Some(&b'/')
        && is_dot_segment(bytes.get(at..)?)
    {
        return None;
    }
    loop {
        match bytes.get(at..)? {
            [b'%', high, low, ..] if high.is_ascii_hexdigit() & low.is_ascii_hexdigit() => at += 3,
            [b'%', ..] => return None,
            _ => return Some(at),
        }
    }
}

/// Returns `true` if the first segment of `path` is `.` or `..`, in any form: `Url` resolves it.
#[cold]
fn is_dot_segment(path: &[u8]) -> bool {
    let is_end = |rest: &[u8]| matches!(rest, [] | [b'/' | b'?' | b'#', ..]);
    after_dot(path).is_some_and(|rest| is_end(rest) || after_dot(rest).is_some_and(is_end))
}

fn after_dot(path: &[u8]) -> Option<&[u8]> {
    match path {
        [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// 0 for a byte of this range, anything else for others. Compiled to a subtraction that stops at 0, where a comparison of
/// unsigned bytes takes two steps.
#[inline(always)]
fn beyond(b: u8, first: u8, last: u8) -> u8 {
    b.wrapping_sub(first).saturating_sub(last - first)
}

/// All bits set, like the result of comparing vectors, so that nothing must be converted.
#[inline(always)]
fn all_ones(is: bool) -> u8 {
    if is { 0xFF } else { 0 }
}
